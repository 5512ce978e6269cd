// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw3: ram_rmw with one more cycle between read and write, for a block that computes on the
// word before it decides.
//
//   cycle    (n-1)       n            n+1         n+2       n+3                              n+4
//   port A             a0_addr ──► RAM out ──► a2_q ──► a3_q, a3_fwd; a3_we, a3_d ──► RAM write
//   port B             b0_addr ──► RAM out ──► b2_q ──► b3_q, b3_fwd
//
// A_EARLY, B_EARLY 1: the port's address comes a cycle before, and the RAM's slow word has a way of one cycle by itself.
// SHARED 0: two RAMs, so that both ports read in every cycle. SHARED 1: one RAM, whose port A reads or writes: what
// a0_addr reads in the cycle after a3_we is lost (A_EARLY 0).
//
// a3_q is the word as left by all writes that stood at a3 in earlier cycles, never by the one at a3
// in the same cycle. A cycle earlier it is a2_q, or w_q if a2_fwd: what the one at a3 in the cycle before wrote is told apart, so that
// both can be looked at beside each other. Neither sees the one at a3 in that cycle; where that one wrote this word, a3_fwd says so a
// cycle later: what was computed does not hold.
// Four writes cannot be seen by the RAM read (five by an early one): they are forwarded, one into each of the stages 2
// and 3, those before beside the RAM's word, which a register takes as it comes. All address comparisons are registered.
//
// PARITY 1: a word in the RAM has one more bit, so that all of it together are even. a3_bad, b3_bad: they were not, beside
// the word. The bit is made and looked at behind registers. A word that was forwarded has none, and is good, unless it was
// written with a3_poison: such a one is bad until it is written without.
// PARITY 2: each bit stands there three times, and two of them count: a word is right though one bit turned over, and a3_bad, b3_bad say
// that one did. Nothing is poisoned then.
`default_nettype none
module gmmu_ram_rmw3 #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 1: a write takes port A's place in the cycle after
    parameter SHARED = 0,
    // 1: a port's address comes a cycle before stage 0
    parameter A_EARLY = 0,
    parameter B_EARLY = 0,
    // 1: a word that turned bad is told; 2: and is right all the same
    parameter PARITY = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,
    output wire [WIDTH-1:0]  a2_q,
    output wire              a2_fwd,
    output wire [WIDTH-1:0]  a3_q,
    output wire              a3_fwd,
    output wire              a3_bad,
    input  wire              a3_we,
    input  wire              a3_poison, // PARITY: as a word that turned bad
    input  wire [WIDTH-1:0]  a3_d,
    input  wire [ADDR_W-1:0] b0_addr,
    output wire [WIDTH-1:0]  b2_q,
    output wire              b2_fwd,
    output wire [WIDTH-1:0]  b3_q,
    output wire              b3_fwd,
    output wire              b3_bad,
    output wire [WIDTH-1:0]  w_q
);

    localparam KEPT_W = PARITY == 2 ? 3 * WIDTH : WIDTH + (PARITY != 0 ? 1 : 0); // in the RAM

    // w: the write that stood at a3 in the cycle before, presented to the RAM now; v, u: those before
    reg              w_we, v_we, u_we, w_poison, v_poison, u_poison;
    reg [ADDR_W-1:0] a3_addr, w_addr, v_addr;
    reg [WIDTH-1:0]  w_d, v_d, u_d;
    wire [ADDR_W-1:0] a2_addr, unused_b2_addr;
    always @(posedge clk) begin
        a3_addr <= a2_addr;
        w_addr  <= a3_addr;
        w_d     <= a3_d;
        w_we    <= a3_we && !rst;
        v_addr  <= w_addr;
        v_d     <= w_d;
        v_we    <= w_we && !rst;
        u_d     <= v_d;
        u_we    <= v_we && !rst;
        w_poison <= PARITY != 0 && a3_poison;
        v_poison <= w_poison;
        u_poison <= v_poison;
    end

    wire [KEPT_W-1:0] a_ram, b_ram, w_kept;
    generate
        if (PARITY == 2) begin : g_thrice
            assign w_kept = {3{w_d}};
        end else if (PARITY != 0) begin : g_parity
            localparam ODD = WIDTH & 1;
            reg [WIDTH-1:0] w_other; // the complement, of which the parity is made: it lies together, w_d with the RAMs
            always @(posedge clk)
                w_other <= ~a3_d;
            assign w_kept = {^{w_other, ODD[0]} ^ w_poison, w_d};
        end else begin : g_bare
            assign w_kept = w_d;
        end
        if (SHARED != 0) begin : g_shared
            gmmu_ram_tdp #(
                .WIDTH(KEPT_W),
                .DEPTH(DEPTH),
                .ADDR_W(ADDR_W)
            ) ram (
                .clk(clk),
                .a_we(w_we),
                .a_addr(w_we ? w_addr : a0_addr),
                .a_d(w_kept),
                .a_q(a_ram),
                .b_addr(b0_addr),
                .b_q(b_ram)
            );
        end else begin : g_own
            gmmu_ram_sdp #(
                .WIDTH(KEPT_W),
                .DEPTH(DEPTH),
                .ONCE(PARITY == 1 ? 1 : 0),
                .ADDR_W(ADDR_W)
            ) ram_a (
                .clk(clk),
                .we(w_we),
                .waddr(w_addr),
                .wdata(w_kept),
                .re(1'b1),
                .raddr(a0_addr),
                .rdata(a_ram)
            );
            gmmu_ram_sdp #(
                .WIDTH(KEPT_W),
                .DEPTH(DEPTH),
                .ONCE(PARITY == 1 ? 1 : 0),
                .ADDR_W(ADDR_W)
            ) ram_b (
                .clk(clk),
                .we(w_we),
                .waddr(w_addr),
                .wdata(w_kept),
                .re(1'b1),
                .raddr(b0_addr),
                .rdata(b_ram)
            );
        end
    endgenerate

    gmmu_ram_rmw3_port #(
        .WIDTH(WIDTH),
        .KEPT_W(KEPT_W),
        .ADDR_W(ADDR_W),
        .EARLY(A_EARLY)
    ) port_a (
        .clk(clk),
        .in_addr(a0_addr),
        .in_ram(a_ram),
        .p2_addr(a2_addr),
        .p2_q(a2_q),
        .p2_fwd(a2_fwd),
        .p3_q(a3_q),
        .p3_fwd(a3_fwd),
        .p3_bad(a3_bad),
        .a3_addr(a3_addr),
        .w_we(w_we),
        .w_addr(w_addr),
        .w_d(w_d),
        .v_we(v_we),
        .v_addr(v_addr),
        .v_d(v_d),
        .u_we(u_we),
        .u_d(u_d),
        .w_poison(w_poison),
        .v_poison(v_poison),
        .u_poison(u_poison)
    );
    gmmu_ram_rmw3_port #(
        .WIDTH(WIDTH),
        .KEPT_W(KEPT_W),
        .ADDR_W(ADDR_W),
        .EARLY(B_EARLY)
    ) port_b (
        .clk(clk),
        .in_addr(b0_addr),
        .in_ram(b_ram),
        .p2_addr(unused_b2_addr),
        .p2_q(b2_q),
        .p2_fwd(b2_fwd),
        .p3_q(b3_q),
        .p3_fwd(b3_fwd),
        .p3_bad(b3_bad),
        .a3_addr(a3_addr),
        .w_we(w_we),
        .w_addr(w_addr),
        .w_d(w_d),
        .v_we(v_we),
        .v_addr(v_addr),
        .v_d(v_d),
        .u_we(u_we),
        .u_d(u_d),
        .w_poison(w_poison),
        .v_poison(v_poison),
        .u_poison(u_poison)
    );
    wire unused = &{1'b0, unused_b2_addr};
    assign w_q = w_d;

endmodule
`default_nettype wire
