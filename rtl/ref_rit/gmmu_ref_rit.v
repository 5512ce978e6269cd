// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit: the Ref RIT, reference -> histogram of its reuse intervals (docs/blocks/ref_rit.md).
//
// Executions: ref_rit_directory, {asid, ref} -> row, w2 to w9 as in the unit. Background: records are learnt (ref_rit_learn), or
// an operation walks through a row (ref_rit_choice, ref_rit_operation), both on ref_rit_histogram, per row BINS counts of reuses
// and of censored records; row 0 is the global one. Between the two sides stands what is known of each row (ref_rit_rows).
// Source: LEU 3.3 (Ref RIT, fixed size), 4.1 (replaces the least executed reference).
`default_nettype none
module gmmu_ref_rit #(
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    // rows, WAYS times a power of two
    parameter CLASSES = 64,
    parameter WAYS    = 4,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter EXEC_W  = 8,
    parameter GEN_W   = 4,
    // 1: words in RAM that turned bad are told, and dropped
    parameter PARITY  = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire                clk,
    input  wire                rst,
    // clearing after reset: one address a cycle until `cleared`
    input  wire                clear,
    output wire                cleared,
    // executions; w9 results are registered
    input  wire                w2_valid,
    input  wire [ASID_W-1:0]   w2_asid,
    input  wire [REF_W-1:0]    w2_ref,
    output wire [ROW_W-1:0]    w9_row,
    output wire [GEN_W-1:0]    w9_gen,
    output wire                w9_alloc,
    input  wire                w9_tick,    // refresh tick: dirty rows become pending
    // the rows of an address space become nobody's, once for each time that the lowest bit is 1: {asid, go}
    input  wire [ASID_W:0]     cfg_flush,
    output wire                flushing, flush_begun, // begun: over with each that begins
    output wire                w9_flush,   // a row was looked at: given_row; an execution in that slot gets row 0
    output wire [31:0]         stat_flushes,
    output wire                given,      // given_row goes to another reference, or by a flush to nobody
    output wire [ROW_W-1:0]    given_row,
    output wire [GEN_W-1:0]    given_gen,  // its generation from now on
    // is this generation still the row's? two questions: the first combinational, its answer also a cycle later, as it was; the
    // second the same as in the cycle before
    input  wire [ROW_W-1:0]    qa_row, qb_row,
    input  wire [GEN_W-1:0]    qa_gen, qb_gen,
    output wire                qa_current, qb_current, qa1_current,
    // records, walk queue and side queue: {row, gen, interval, censored}; LEARN is done three
    // cycles after the pop, until then the record is still in its queue
    input  wire                rec0_valid, rec1_valid,
    output wire                rec0_pop, rec1_pop,
    output wire                rec0_done, rec1_done,
    input  wire [ROW_W+GEN_W+TIME_W:0] rec0, rec1,
    input  wire                rec0_bad, rec1_bad, // it turned bad: it is not learnt
    // snapshots for ppuc
    input  wire                refresh_ready, // the engine is idle
    input  wire                refresh_hurry, // do not wait for the queues or the search
    input  wire                refresh_calm,  // queues empty, no search under way
    output wire                snap_start,
    output wire [ROW_W-1:0]    snap_row,
    output wire [GEN_W-1:0]    snap_gen,
    output wire                snap_valid,    // one bin, ascending
    output wire                snap_last,
    output wire [BIN_W-1:0]    snap_bin,
    output wire [CNT_W-1:0]    snap_reuse, snap_censored, snap_greuse, snap_gcensored,
    output wire                snap_bad,      // PARITY: counts of the cycle before had turned bad
    output wire                pending,       // some row waits for its refresh
    output wire                resting,       // no record, flush or row operation under way or owed, but for REFRESH
    output wire                idle,          // and no REFRESH owed
    output reg  [2:0]          turned,        // PARITY: over with each {word of the directory, record, word of counts} that turned bad
    // tvi: the background action of this cycle, and results of LEARN in order
    output wire                tvi_valid,
    output wire [1:0]          tvi_kind,      // 0 LEARN, 1 CLEAR, 2 HALVE, 3 REFRESH
    output wire [ROW_W-1:0]    tvi_row,
    output wire                tvi_queue,
    output wire                tvi_applied,
    output wire                learnt_valid,
    output wire [BIN_W-1:0]    learnt_bin,
    output wire [CNT_W-1:0]    learnt_count, learnt_gcount // 0 where not applied
);

`include "gmmu_codes.vh"
    localparam SETS   = CLASSES / WAYS;
    localparam CELLS  = CLASSES * BINS;
    localparam CELL_W = $clog2(CELLS);
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;

    generate
        if (SETS * WAYS != CLASSES || (SETS & (SETS - 1)) != 0 || CLASSES > 4096) begin : g_bad_classes
            CLASSES_must_be_WAYS_times_a_power_of_two_at_most_4096 stop_here();
        end
    endgenerate

    // ---- clearing after reset
    reg [CELL_W:0]  clear_at;
    reg [ROW_W-1:0] clear_row;
    reg [BIN_W-1:0] clear_bin;
    assign cleared = clear_at == CELLS[CELL_W:0];
    wire clearing = clear && !cleared;
    always @(posedge clk)
        if (rst) begin
            clear_at  <= 0;
            clear_row <= 0;
            clear_bin <= 0;
        end else if (clearing) begin
            clear_at  <= clear_at + 1'b1;
            clear_row <= clear_row + {{ROW_W-1{1'b0}}, clear_bin == LAST_BIN};
            clear_bin <= clear_bin == LAST_BIN ? {BIN_W{1'b0}} : clear_bin + 1'b1;
        end

    // ---- executions
    wire              w2_flush, flush_under_way, directory_bad;
    wire [ASID_W-1:0] w2_flush_asid;
    wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] w2_flush_set;
    wire [WAYS-1:0]   w2_flush_way;
    gmmu_ref_rit_flush #(
        .ASID_W(ASID_W),
        .SETS(SETS),
        .WAYS(WAYS)
    ) flush (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .order(cfg_flush),
        .stat_flushes(stat_flushes),
        .w2_valid(w2_valid),
        .w2_flush(w2_flush),
        .w2_asid(w2_flush_asid),
        .w2_set(w2_flush_set),
        .w2_way(w2_flush_way),
        .under_way(flush_under_way),
        .flushing(flushing),
        .begun(flush_begun)
    );
    gmmu_ref_rit_directory #(
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .SETS(SETS),
        .WAYS(WAYS),
        .EXEC_W(EXEC_W),
        .GEN_W(GEN_W),
        .AT_W(CELL_W + 1),
        .PARITY(PARITY)
    ) directory (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .clearing(clearing),
        .clear_at(clear_at),
        .w2_valid(w2_valid),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .w2_flush(w2_flush),
        .w2_flush_asid(w2_flush_asid),
        .w2_flush_set(w2_flush_set),
        .w2_flush_way(w2_flush_way),
        .flush_under_way(flush_under_way),
        .w9_row(w9_row),
        .w9_gen(w9_gen),
        .w9_alloc(w9_alloc),
        .w9_flush(w9_flush),
        .bad(directory_bad),
        .given(given),
        .given_row(given_row),
        .given_gen(given_gen)
    );

    // ---- state of the rows
    wire               learn, l3_applied, l3_side, l9_valid, l9_applied;
    wire [ROW_W-1:0]   l1_row, l3_row, l9_row;
    wire [GEN_W-1:0]   l1_now, next_gen;
    wire               l1_owed;
    wire [CNT_W-1:0]   h9_count, g9_count;
    wire               h9_full, g9_full;
    wire               start;
    wire [1:0]         next_op;
    wire [ROW_W-1:0]   next_row;
    wire [CLASSES-1:0] clear_owed, halve_owed, pend, later;
    gmmu_ref_rit_rows #(
        .CLASSES(CLASSES),
        .GEN_W(GEN_W)
    ) rows (
        .clk(clk),
        .rst(rst),
        .given(given),
        .given_row(given_row),
        .given_gen(given_gen),
        .w9_tick(w9_tick),
        .learn(learn),
        .l3_applied(l3_applied),
        .l3_row(l3_row),
        .l9_full(l9_valid && l9_applied && h9_full),
        .l9_gfull(l9_valid && g9_full),
        .l9_row(l9_row),
        .start(start),
        .next_op(next_op),
        .next_row(next_row),
        .next_gen(next_gen),
        .qa_row(qa_row),
        .qb_row(qb_row),
        .qa_gen(qa_gen),
        .qb_gen(qb_gen),
        .qa_current(qa_current),
        .qb_current(qb_current),
        .qa1_current(qa1_current),
        .l1_row(l1_row),
        .l1_now(l1_now),
        .l1_owed(l1_owed),
        .clear_owed(clear_owed),
        .halve_owed(halve_owed),
        .pend(pend),
        .later(later),
        .pending(pending)
    );

    // ---- background: row operations
    wire              owed, next_valid, next_stale, open, popped, under_way, empty, op_rests;
    wire              running, o2_valid, o3_valid, o3_last;
    wire [1:0]        op;
    wire [ROW_W-1:0]  op_row;
    wire [BIN_W-1:0]  op_bin, o3_bin;
    gmmu_ref_rit_choice #(.CLASSES(CLASSES)) choice (
        .clk(clk),
        .rst(rst),
        .clear_owed(clear_owed),
        .halve_owed(halve_owed),
        .pend(pend),
        .later(later),
        .refresh_ready(refresh_ready),
        .refresh_hurry(refresh_hurry),
        .refresh_calm(refresh_calm),
        .given(given),
        .given_row(given_row),
        .owed(owed),
        .next_valid(next_valid),
        .next_stale(next_stale),
        .next_op(next_op),
        .next_row(next_row)
    );
    gmmu_ref_rit_operation #(
        .CLASSES(CLASSES),
        .BINS(BINS),
        .GEN_W(GEN_W)
    ) operation (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .next_valid(next_valid),
        .next_stale(next_stale),
        .next_op(next_op),
        .next_row(next_row),
        .next_gen(next_gen),
        .start(start),
        .waiting(rec0_valid || rec1_valid),
        .pop(rec0_pop || rec1_pop),
        .popped(popped),
        .under_way(under_way),
        .open(open),
        .running(running),
        .op(op),
        .op_row(op_row),
        .op_bin(op_bin),
        .o2_valid(o2_valid),
        .o3_valid(o3_valid),
        .o3_last(o3_last),
        .o3_bin(o3_bin),
        .resting(op_rests),
        .snap_start(snap_start),
        .snap_row(snap_row),
        .snap_gen(snap_gen)
    );

    // ---- background: LEARN
    wire [ROW_W-1:0] l5_row;
    wire [BIN_W-1:0] l5_bin, l9_bin;
    wire             l7_valid, l7_applied, l7_censored, l9_censored, lost, counts_bad;
    gmmu_ref_rit_learn #(
        .TIME_W(TIME_W),
        .CLASSES(CLASSES),
        .BINS(BINS),
        .GEN_W(GEN_W)
    ) learning (
        .clk(clk),
        .rst(rst),
        .open(open),
        .rec0_valid(rec0_valid),
        .rec1_valid(rec1_valid),
        .rec0_pop(rec0_pop),
        .rec1_pop(rec1_pop),
        .rec0_done(rec0_done),
        .rec1_done(rec1_done),
        .rec0(rec0),
        .rec1(rec1),
        .rec0_bad(rec0_bad),
        .rec1_bad(rec1_bad),
        .lost(lost),
        .popped(popped),
        .under_way(under_way),
        .empty(empty),
        .l1_row(l1_row),
        .l1_now(l1_now),
        .l1_owed(l1_owed),
        .given(given),
        .given_row(given_row),
        .learn(learn),
        .l3_applied(l3_applied),
        .l3_side(l3_side),
        .l3_row(l3_row),
        .l5_row(l5_row),
        .l5_bin(l5_bin),
        .l7_valid(l7_valid),
        .l7_applied(l7_applied),
        .l7_censored(l7_censored),
        .l9_valid(l9_valid),
        .l9_applied(l9_applied),
        .l9_censored(l9_censored),
        .l9_row(l9_row),
        .l9_bin(l9_bin)
    );

    gmmu_ref_rit_histogram #(
        .CLASSES(CLASSES),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .PARITY(PARITY)
    ) histogram (
        .bad(counts_bad),
        .clk(clk),
        .rst(rst),
        .clearing(clearing),
        .clear_row(clear_row),
        .clear_bin(clear_bin),
        .l5_row(l5_row),
        .l5_bin(l5_bin),
        .l7_valid(l7_valid),
        .l7_applied(l7_applied),
        .l7_censored(l7_censored),
        .l9_censored(l9_censored),
        .h9_count(h9_count),
        .g9_count(g9_count),
        .h9_full(h9_full),
        .g9_full(g9_full),
        .running(running),
        .op(op),
        .op_row(op_row),
        .op_bin(op_bin),
        .o2_valid(o2_valid),
        .o3_word({snap_censored, snap_reuse}),
        .o3_gword({snap_gcensored, snap_greuse})
    );
    always @(posedge clk)
        turned <= rst ? 3'b000 : turned ^ {directory_bad, lost, counts_bad};
    assign snap_valid = o3_valid && op == BG_REFRESH;
    assign snap_last  = o3_last;
    assign snap_bad   = counts_bad; // (LEARN meets no row operation: they are the snapshot's)
    assign snap_bin   = o3_bin;

    // (what is owed is a bit a cycle later: until then, that something may be)
    reg may_owe;
    always @(posedge clk)
        may_owe <= !rst && (given || (l9_valid && ((l9_applied && h9_full) || g9_full)));
    assign resting = op_rests && empty && !may_owe && !owed && !flushing;
    // (whether a row is pending: of the cycle before, and whether a tick or a record may have made one so since)
    reg may_pend;
    always @(posedge clk)
        may_pend <= !rst && (pending || w9_tick || learn);
    assign idle    = resting && !may_pend;

    assign tvi_valid     = learn || start;
    assign tvi_kind      = learn ? BG_LEARN : next_op;
    assign tvi_row       = learn ? l3_row : next_row;
    assign tvi_queue     = l3_side;
    assign tvi_applied   = l3_applied;
    assign learnt_valid  = l9_valid;
    assign learnt_bin    = l9_bin;
    assign learnt_count  = l9_applied ? h9_count : {CNT_W{1'b0}};
    assign learnt_gcount = g9_count;

endmodule
`default_nettype wire
