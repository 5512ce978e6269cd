// SPDX-License-Identifier: Apache-2.0
// gmmu_clocks: the unit's clocks, each with its gate (docs/reference/blocks/clocks.md).
//
// A clock runs while its wake is set, in the reset sequence, and when a register changes. The gate is lib/gmmu_clk_gate.
`default_nettype none
module gmmu_clocks #(
    // bits of all registers
    parameter CFG_W = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             test_en,     // scan test: all clocks run
    input  wire             clear,       // the reset sequence is under way: all clocks run
    input  wire [CFG_W-1:0] cfg,         // all registers; a change wakes all clocks
    input  wire             main_wake,   // clk_main is needed
    input  wire             learn_wake,  // clk_learn is needed
    input  wire             export_wake, // clk_export is needed
    input  wire             faults_wake, // clk_faults is needed
    input  wire             search_wake, // clk_search is needed
    input  wire             ppuc_wake,   // clk_ppuc is needed
    output wire             clk_main,    // clock of all parts that have no clock of their own
    output wire             clk_learn,   // clock of hir_cache, trace_sampler, ref_rit and the record queues
    output wire             clk_export,  // clock of rit_export
    output wire             clk_faults,  // clock of fault_queue
    output wire             clk_search,  // clock of victim_select
    output wire             clk_ppuc     // clock of ppuc
);

    wire new_cfg; // a register changes
    gmmu_changed #(.WIDTH(CFG_W)) changed (
        .clk(clk),
        .yes(new_cfg),
        .word(cfg)
    );
    wire all = clear || new_cfg;
    gmmu_clk_gate main_gate   (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || main_wake),
        .gated(clk_main)
    );
    gmmu_clk_gate learn_gate  (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || learn_wake),
        .gated(clk_learn)
    );
    gmmu_clk_gate export_gate (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || export_wake),
        .gated(clk_export)
    );
    gmmu_clk_gate faults_gate (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || faults_wake),
        .gated(clk_faults)
    );
    gmmu_clk_gate search_gate (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || search_wake),
        .gated(clk_search)
    );
    gmmu_clk_gate ppuc_gate   (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .wake(all || ppuc_wake),
        .gated(clk_ppuc)
    );

endmodule
`default_nettype wire
