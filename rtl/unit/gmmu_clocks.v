// SPDX-License-Identifier: Apache-2.0
// gmmu_clocks: the unit's clocks, each with its gate (lib/gmmu_clk_gate): they run while something asks for them, in the reset
// sequence, and when a register changes (docs/blocks/gmmu_tier.md).
`default_nettype none
module gmmu_clocks #(
    // bits of all registers
    parameter CFG_W = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             clear,   // reset sequence
    input  wire [CFG_W-1:0] cfg,
    input  wire             main_wake, learn_wake, export_wake, faults_wake, search_wake, ppuc_wake,
    output wire             clk_main, clk_learn, clk_export, clk_faults, clk_search, clk_ppuc
);

    wire new_cfg;
    gmmu_changed #(.WIDTH(CFG_W)) changed (
        .clk(clk),
        .yes(new_cfg),
        .word(cfg)
    );
    wire all = clear || new_cfg;
    gmmu_clk_gate main_gate   (
        .clk(clk),
        .rst(rst),
        .wake(all || main_wake),
        .gated(clk_main)
    );
    gmmu_clk_gate learn_gate  (
        .clk(clk),
        .rst(rst),
        .wake(all || learn_wake),
        .gated(clk_learn)
    );
    gmmu_clk_gate export_gate (
        .clk(clk),
        .rst(rst),
        .wake(all || export_wake),
        .gated(clk_export)
    );
    gmmu_clk_gate faults_gate (
        .clk(clk),
        .rst(rst),
        .wake(all || faults_wake),
        .gated(clk_faults)
    );
    gmmu_clk_gate search_gate (
        .clk(clk),
        .rst(rst),
        .wake(all || search_wake),
        .gated(clk_search)
    );
    gmmu_clk_gate ppuc_gate   (
        .clk(clk),
        .rst(rst),
        .wake(all || ppuc_wake),
        .gated(clk_ppuc)
    );

endmodule
`default_nettype wire
