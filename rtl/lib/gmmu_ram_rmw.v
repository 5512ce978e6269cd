// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw: a RAM for read-modify-write at one operation a cycle, of rows of BINS words as in gmmu_ram_rows.
//
//   cycle      n            n+1          n+2                    n+3
//            a0_addr ──► RAM out ──► a2_q, a2_we, a2_d ──► RAM write
//
// a2_q in cycle n+2 includes all writes at a2 up to cycle n+1. A RAM read issued in cycle n cannot see the
// writes at a2 in cycles n-1, n and n+1: these three are forwarded. All address comparisons are registered.
//
// PARITY 1: a word in the RAM has one more bit, which makes the parity even. If the parity of a used word (a2_used) is odd,
// a3_bad reports the corrupt word a cycle later, and the word becomes 0 instead of the new value. An operation on the same
// word in the cycle of a3_bad reads the corrupt word, and the word becomes 0 again.
`default_nettype none
module gmmu_ram_rmw #(
    // bits of a word
    parameter WIDTH  = 8,
    parameter ROWS   = 1,
    // words of a row
    parameter BINS   = 16,
    // 1: a corrupt word is reported, and becomes 0
    parameter PARITY = 0,
    // {row, bin}
    parameter ADDR_W = (ROWS > 1 ? $clog2(ROWS) : 0) + $clog2(BINS)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr, // stage 0: the word to read, {row, bin}
    output wire [WIDTH-1:0]  a2_q,    // stage 2: the word, with all writes of earlier cycles
    input  wire              a2_used, // stage 2, PARITY: the word is used: corruption is reported
    output reg               a3_bad,  // stage 3, PARITY: the used word was corrupt
    input  wire              a2_we,   // stage 2: the word is written
    input  wire [WIDTH-1:0]  a2_d     // stage 2: the new value of the word
);

    // w_: the write at a2 of a cycle ago, presented to the RAM now; v_: the write before w_
    reg               w_we;                                       // w_ is a write
    reg  [ADDR_W-1:0] a1_addr;                                    // address at stage 1
    reg  [ADDR_W-1:0] a2_addr;                                    // address at stage 2
    reg  [ADDR_W-1:0] w_addr;                                     // address of w_
    reg  [WIDTH-1:0]  w_d;                                        // value of w_
    reg  [WIDTH-1:0]  v_d;                                        // value of v_
    reg  [WIDTH-1:0]  a2_word;                                    // the word, without w_
    reg               a1_given;                                   // the word at stage 1 comes from w_ or v_, not from the RAM
    reg               a1_same_w;                                  // the word at stage 1 is the word of w_
    reg               a2_same;                                    // the word at stage 2 is the word of w_
    wire [WIDTH-1:0]  w_word  = PARITY != 0 && a3_bad ? {WIDTH{1'b0}} : w_d; // value that w_ writes: 0 for a corrupt word
    wire [WIDTH-1:0]  a1_last = a1_same_w && w_we ? w_word : v_d; // the newest write of the word at stage 1
    localparam KEPT_W = WIDTH + (PARITY != 0 ? 1 : 0); // bits of a word in the RAM
    wire [KEPT_W-1:0] a1_ram;      // the RAM's word at stage 1
    wire [KEPT_W-1:0] w_kept;      // value that w_ writes, with its parity bit
    reg               a2_even;     // parity bit of the RAM's word at stage 2
    reg               a2_from_ram; // the word at stage 2 comes from the RAM
    generate
        if (PARITY != 0) begin : g_parity
            assign w_kept = {^w_word, w_word};
        end else begin : g_bare
            assign w_kept = w_word;
        end
    endgenerate
    gmmu_ram_rows #(
        .WIDTH(KEPT_W),
        .ROWS(ROWS),
        .BINS(BINS),
        .ADDR_W(ADDR_W)
    ) ram (
        .clk(clk),
        .we(w_we || (PARITY != 0 && a3_bad)),
        .waddr(w_addr),
        .wdata(w_kept),
        .re(1'b1),
        .raddr(a0_addr),
        .rdata(a1_ram)
    );
    assign a2_q = a2_same && w_we ? w_d : a2_word;

    always @(posedge clk) begin
        a1_addr   <= a0_addr;
        a2_addr   <= a1_addr;
        a1_same_w <= a0_addr == a2_addr;
        a1_given  <= ((a0_addr == a2_addr && a2_we) || (a0_addr == w_addr && w_we)) && !rst;
        a2_same   <= a1_addr == a2_addr;
        a2_word   <= a1_given ? a1_last : a1_ram[WIDTH-1:0];
        a2_even   <= a1_ram[KEPT_W-1];
        a2_from_ram <= !a1_given;
        a3_bad    <= PARITY != 0 && a2_used && (a2_same && w_we ? a3_bad : a2_from_ram && ^{a2_even, a2_word}) && !rst;
        w_addr    <= a2_addr;
        w_d       <= a2_d;
        w_we      <= a2_we && !rst;
        v_d       <= w_word;
    end

endmodule
`default_nettype wire
