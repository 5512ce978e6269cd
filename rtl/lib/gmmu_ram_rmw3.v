// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw3: gmmu_ram_rmw with one more cycle between read and write, for a block that computes before it decides.
//
//   cycle    (n-1)       n            n+1         n+2       n+3                              n+4
//   port A             a0_addr ──► RAM out ──► a2_q ──► a3_q, a3_fwd; a3_we, a3_d ──► RAM write
//   port B             b0_addr ──► RAM out ──► b2_q ──► b3_q, b3_fwd
//
// Which writes an output includes (port B alike):
//
//   output              | cycle | includes the writes at a3 up to cycle
//   --------------------|-------|---------------------------------------------
//   a2_q                |  n+2  | n
//   a2_fwd ? w_q : a2_q |  n+2  | n+1
//   a3_q                |  n+3  | n+2
//
// a3_fwd in cycle n+3: the write at a3 in cycle n+2 wrote this word, so results computed in cycle n+2 are void.
// a2_q and w_q are separate outputs so that a block can compute with both, and a2_fwd selects last (late select).
// The RAM read cannot see four writes (five with an early address). These writes are forwarded: two enter at stages 2 and 3,
// the others beside the registered RAM word. All address comparisons are registered.
//
// A_EARLY, B_EARLY 1: the port's address comes a cycle earlier, and the slow RAM output has a cycle for itself.
// SHARED 0: two RAMs, and both ports read in every cycle. SHARED 1: one RAM, whose port A reads or writes. The read at a0_addr
// in the cycle after a3_we is then lost (A_EARLY 0).
//
// PARITY 1: a word in the RAM has one more bit, which makes the parity even. a3_bad, b3_bad: the word is corrupt. The bit is
// made and checked behind registers. A forwarded word carries no parity bit: the word is corrupt only if a3_poison came with
// the write. A poisoned word stays corrupt until a write without a3_poison.
// PARITY 2: the RAM stores each word three times, and the majority of each bit counts. One flipped bit leaves the word right, and
// a3_bad, b3_bad report the flip. a3_poison must be 0.
`default_nettype none
module gmmu_ram_rmw3 #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 1: one RAM; a write uses port A of the RAM in the cycle after a3_we
    parameter SHARED = 0,
    // 1: a port's address comes a cycle before stage 0
    parameter A_EARLY = 0,
    parameter B_EARLY = 0,
    // 1: a corrupt word is reported; 2: one flipped bit is reported and corrected
    parameter PARITY = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,   // port A, stage 0: the word to read
    output wire [WIDTH-1:0]  a2_q,      // port A, stage 2: the word, but see a2_fwd
    output wire              a2_fwd,    // port A, stage 2: w_q is the word, instead of a2_q
    output wire [WIDTH-1:0]  a3_q,      // port A, stage 3: the word, with all writes of earlier cycles
    output wire              a3_fwd,    // port A, stage 3: the word was written a cycle ago
    output wire              a3_bad,    // port A, stage 3, PARITY: the word is corrupt
    input  wire              a3_we,     // port A, stage 3: the word is written
    input  wire              a3_poison, // PARITY 1, with a3_we: the word is written as corrupt
    input  wire [WIDTH-1:0]  a3_d,      // port A, stage 3: the new value of the word
    input  wire [ADDR_W-1:0] b0_addr,   // port B, stage 0: the word to read
    output wire [WIDTH-1:0]  b2_q,      // port B, stage 2: the word, but see b2_fwd
    output wire              b2_fwd,    // port B, stage 2: w_q is the word, instead of b2_q
    output wire [WIDTH-1:0]  b3_q,      // port B, stage 3: the word, with all writes of earlier cycles
    output wire              b3_fwd,    // port B, stage 3: the word was written a cycle ago
    output wire              b3_bad,    // port B, stage 3, PARITY: the word is corrupt
    output wire [WIDTH-1:0]  w_q        // value that was written a cycle ago
);

    localparam KEPT_W = PARITY == 2 ? 3 * WIDTH : WIDTH + (PARITY != 0 ? 1 : 0); // bits of a word in the RAM

    // w_: the write at a3 of a cycle ago, presented to the RAM now; v_, u_: the two writes before w_
    reg               w_we;     // w_ is a write
    reg               v_we;     // v_ is a write
    reg               u_we;     // u_ is a write
    reg               w_poison; // w_ is poisoned
    reg               v_poison; // v_ is poisoned
    reg               u_poison; // u_ is poisoned
    reg  [ADDR_W-1:0] a3_addr;  // address of port A at stage 3
    reg  [ADDR_W-1:0] w_addr;   // address of w_
    reg  [ADDR_W-1:0] v_addr;   // address of v_
    reg  [WIDTH-1:0]  w_d;      // value of w_
    reg  [WIDTH-1:0]  v_d;      // value of v_
    reg  [WIDTH-1:0]  u_d;      // value of u_
    wire [ADDR_W-1:0] a2_addr;  // address of port A at stage 2
    wire [ADDR_W-1:0] unused_b2_addr;
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

    wire [KEPT_W-1:0] a_ram;  // RAM word of port A
    wire [KEPT_W-1:0] b_ram;  // RAM word of port B
    wire [KEPT_W-1:0] w_kept; // value of w_, with its parity
    generate
        if (PARITY == 2) begin : g_thrice
            assign w_kept = {3{w_d}};
        end else if (PARITY != 0) begin : g_parity
            localparam ODD = WIDTH & 1;
            wire [WIDTH-1:0] w_other; // complement of w_d, from which the parity is made
`ifdef GMMU_ASIC_RAM
            assign w_other = ~w_d;
`else
            // (registers of its own: w_other stays together, w_d lies with the RAMs)
            reg [WIDTH-1:0] other;
            always @(posedge clk)
                other <= ~a3_d;
            assign w_other = other;
`endif
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
