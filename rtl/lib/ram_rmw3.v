// SPDX-License-Identifier: Apache-2.0
// ram_rmw3: ram_rmw with one more cycle between read and write, for a block that computes on the
// word before it decides.
//
//   cycle      n            n+1         n+2       n+3                              n+4
//   port A   a0_addr ──► RAM out ──► a2_q ──► a3_q, a3_fwd; a3_we, a3_d ──► RAM write
//   port B   b0_addr ──► RAM out ──► b2_q ──► b3_q, b3_fwd
//
// a3_q is the word as left by all writes that stood at a3 in earlier cycles, never by the one at a3
// in the same cycle; a2_q, a cycle earlier, does not see the one at a3 in that cycle either. Where
// that one wrote this word, a3_fwd says so: what was computed on a2_q does not hold.
// Four writes cannot be seen by the RAM read: they are forwarded, two behind the RAM, one into
// each of the stages 2 and 3. All address comparisons are registered.
`default_nettype none
module ram_rmw3 #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,
    output wire [WIDTH-1:0]  a2_q,
    output wire [WIDTH-1:0]  a3_q,
    output wire              a3_fwd,
    input  wire              a3_we,
    input  wire [WIDTH-1:0]  a3_d,
    input  wire [ADDR_W-1:0] b0_addr,
    output wire [WIDTH-1:0]  b2_q,
    output wire [WIDTH-1:0]  b3_q,
    output wire              b3_fwd
);

    // w: the write that stood at a3 in the cycle before, presented to the RAM now; v: the one before
    reg              w_we, v_we;
    reg [ADDR_W-1:0] a1_addr, a2_addr, a3_addr, w_addr;
    reg [WIDTH-1:0]  w_d, v_d;
    always @(posedge clk) begin
        a1_addr <= a0_addr;
        a2_addr <= a1_addr;
        a3_addr <= a2_addr;
        w_addr  <= a3_addr;
        w_d     <= a3_d;
        w_we    <= a3_we && !rst;
        v_d     <= w_d;
        v_we    <= w_we && !rst;
    end

    wire [WIDTH-1:0] a1_ram, b1_ram;
    ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) ram_a (
        .clk(clk), .we(w_we), .waddr(w_addr), .wdata(w_d), .re(1'b1), .raddr(a0_addr), .rdata(a1_ram)
    );
    ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) ram_b (
        .clk(clk), .we(w_we), .waddr(w_addr), .wdata(w_d), .re(1'b1), .raddr(b0_addr), .rdata(b1_ram)
    );

    // same_w, same_v at stage 1: the word is that of w, of v; same_2, same_3 at stages 2 and 3: of w
    reg              a1_same_w, a1_same_v, a2_same, a3_same, b1_same_w, b1_same_v, b2_same, b3_same;
    reg [ADDR_W-1:0] b1_addr, b2_addr;
    reg [WIDTH-1:0]  a2_word, a3_word, b2_word, b3_word;
    always @(posedge clk) begin
        a1_same_w <= a0_addr == a3_addr;
        a1_same_v <= a0_addr == w_addr;
        a2_same   <= a1_addr == a3_addr;
        a3_same   <= a2_addr == a3_addr;
        a2_word   <= a1_same_w && w_we ? w_d : a1_same_v && v_we ? v_d : a1_ram;
        a3_word   <= a2_q;
        b1_addr   <= b0_addr;
        b2_addr   <= b1_addr;
        b1_same_w <= b0_addr == a3_addr;
        b1_same_v <= b0_addr == w_addr;
        b2_same   <= b1_addr == a3_addr;
        b3_same   <= b2_addr == a3_addr;
        b2_word   <= b1_same_w && w_we ? w_d : b1_same_v && v_we ? v_d : b1_ram;
        b3_word   <= b2_q;
    end
    assign a2_q   = a2_same && w_we ? w_d : a2_word;
    assign a3_fwd = a3_same && w_we;
    assign a3_q   = a3_fwd ? w_d : a3_word;
    assign b2_q   = b2_same && w_we ? w_d : b2_word;
    assign b3_fwd = b3_same && w_we;
    assign b3_q   = b3_fwd ? w_d : b3_word;

endmodule
`default_nettype wire
