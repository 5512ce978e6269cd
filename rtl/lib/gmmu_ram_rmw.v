// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw: a RAM for read-modify-write at one operation a cycle, of rows of BINS words as in ram_rows.
//
//   cycle      n            n+1          n+2                    n+3
//            a0_addr ──► RAM out ──► a2_q, a2_we, a2_d ──► RAM write
//
// a2_q is the word as left by all writes that stood at a2 in earlier cycles, never by the one at a2 in the same cycle. The
// three writes that a RAM read issued at n cannot see (at a2 in cycles n-1, n and n+1) are forwarded. All address
// comparisons are registered.
//
// PARITY 1: a word in the RAM has one more bit, so that all of it together are even. Where they were not, and a2_used says that
// the word is used, a3_bad tells it a cycle later, and the word becomes 0 in place of what was made of it; what comes to it in
// that very cycle sees it as it was, and becomes 0 too.
`default_nettype none
module gmmu_ram_rmw #(
    // bits of a word
    parameter WIDTH  = 8,
    parameter ROWS   = 1,
    // words of a row
    parameter BINS   = 16,
    // 1: a word that turned bad is told, and becomes 0
    parameter PARITY = 0,
    // {row, bin}
    parameter ADDR_W = (ROWS > 1 ? $clog2(ROWS) : 0) + $clog2(BINS)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,
    output wire [WIDTH-1:0]  a2_q,
    input  wire              a2_used, // PARITY
    output reg               a3_bad,
    input  wire              a2_we,
    input  wire [WIDTH-1:0]  a2_d
);

    // w: the write that stood at a2 in the cycle before, presented to the RAM now; v: the one before
    reg              w_we;
    reg [ADDR_W-1:0] a1_addr, a2_addr, w_addr;
    reg [WIDTH-1:0]  w_d, v_d, a2_word;
    reg              a1_given, a1_same_w, a2_same; // this stage's word is that of w or v; of w
    wire [WIDTH-1:0] w_word = PARITY != 0 && a3_bad ? {WIDTH{1'b0}} : w_d;
    wire [WIDTH-1:0] a1_last = a1_same_w && w_we ? w_word : v_d;
    localparam KEPT_W = WIDTH + (PARITY != 0 ? 1 : 0); // in the RAM
    wire [KEPT_W-1:0] a1_ram, w_kept;
    reg              a2_even, a2_from_ram;
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
