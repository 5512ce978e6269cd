// SPDX-License-Identifier: Apache-2.0
// gmmu_clk_gate: the clock of a block that rests while nothing is to be done: it runs with `wake`, in reset, and HOLD
// cycles longer, in which pipelines run empty and what lags behind settles.
//
// Only with GMMU_CLK_GATE, which the simulation sets (a block that rests costs it nothing) and an ASIC would, with its
// library's cell in place of latch and AND. Without, as on FPGAs, `gated` is `clk`: a block must do the same
// with both (a simulation with +clocks=run lets all run). `wake` is taken while clk is low.
`default_nettype none
module gmmu_clk_gate #(
    parameter HOLD = 8
) (
    input  wire clk,
    input  wire rst,
    input  wire wake,
    output wire gated
);

    generate
        if (HOLD < 1) begin : g_bad
            HOLD_must_be_at_least_1 stop_here();
        end
    endgenerate

`ifdef GMMU_CLK_GATE
`ifdef GMMU_SIM
    reg never_rests; // +clocks=run
    initial
        never_rests = $test$plusargs("clocks=run") != 0;
`else
    wire never_rests = 1'b0;
`endif
    reg  [HOLD-1:0] hold;
    wire runs = rst || wake || hold[0] || never_rests;
    always @(posedge clk)
        hold <= rst || wake ? {HOLD{1'b1}} : hold >> 1;
`ifdef FORMAL
    assign gated = runs; // a proof takes it as an enable (scripts/formal.py)
`else
    reg open;
    /* verilator lint_off LATCH */ // a latch is meant: `runs` may change while clk is high
    always @*
        if (!clk)
            open = runs;
    /* verilator lint_on LATCH */
    assign gated = clk && open;
`endif
`else
    wire unused = &{1'b0, rst, wake};
    assign gated = clk;
`endif

endmodule
`default_nettype wire
