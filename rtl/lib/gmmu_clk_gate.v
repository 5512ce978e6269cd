// SPDX-License-Identifier: Apache-2.0
// gmmu_clk_gate: the clock of a block that rests while idle.
//
// The clock runs with `wake`, in reset, and HOLD cycles longer, in which pipelines run empty and late registers settle.
// `wake` is sampled while clk is low.
//
// The gate exists only with GMMU_CLK_GATE. A simulation sets the macro, so that a resting block costs no time. An ASIC would
// set the macro too, with a library cell in place of latch and AND; `test_en` is the cell's test enable. Without the macro, as on FPGAs, `gated` is `clk`. A
// block must behave the same with and without the gate. A simulation with +clocks=run keeps all clocks running.
`default_nettype none
module gmmu_clk_gate #(
    parameter HOLD = 8
) (
    input  wire clk,
    input  wire rst,
    input  wire test_en, // scan test: the clock runs, whatever the block does
    input  wire wake,    // the block has work in this cycle
    output wire gated    // clock of the block
);

    generate
        if (HOLD < 1) begin : g_bad
            HOLD_must_be_at_least_1 stop_here();
        end
    endgenerate

`ifdef GMMU_CLK_GATE
`ifdef GMMU_SIM
    reg never_rests; // the simulation runs with +clocks=run
    initial
        never_rests = $test$plusargs("clocks=run") != 0;
`else
    wire never_rests = 1'b0;
`endif
    reg  [HOLD-1:0] hold;                                                    // one bit for each cycle that the clock still runs behind `wake`
    wire            runs = test_en || rst || wake || hold[0] || never_rests; // the clock runs in this cycle
    always @(posedge clk)
        hold <= rst || wake ? {HOLD{1'b1}} : hold >> 1;
`ifdef FORMAL
    assign gated = runs; // a proof takes `gated` as an enable (scripts/formal.py)
`else
    reg open; // `runs`, held while clk is high
    /* verilator lint_off LATCH */ // the latch is intended: `runs` may change while clk is high
    always @*
        if (!clk)
            open = runs;
    /* verilator lint_on LATCH */
    assign gated = clk && open;
`endif
`else
    wire unused = &{1'b0, rst, test_en, wake};
    assign gated = clk;
`endif

endmodule
`default_nettype wire
