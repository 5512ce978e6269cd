// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit: the Ref RIT, reference -> histogram of its reuse intervals (docs/reference/blocks/ref_rit.md).
//
// Executions take a row in ref_rit_directory, {asid, ref} -> row, at the unit's stages w2 to w9. In the background records are
// learnt (ref_rit_learn), or an operation walks through a row (ref_rit_choice, ref_rit_operation). Both work on
// ref_rit_histogram: per row BINS counts of reuses and of censored records; row 0 is the global row. ref_rit_rows lies
// between the two sides, and holds the state of each row.
//
//   execution ─► directory ─► row, generation
//      flush ──────┘  │ given
//                     ▼
//                    rows ─► choice ─► operation ─┐
//                     ▲  flags of each row        ▼
//   records ─► learn ─┴────────────────────► histogram ─► snapshot for ppuc
//
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
    // 1: corrupt words in RAM are reported, and dropped
    parameter PARITY  = 1,
    // 1: the walks' references at w3 to w8 come from outside, where walks have the same stages; 0: the block keeps them
    parameter REFS_COME = 0,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire                        clk,
    input  wire                        rst,
    // clearing after reset: one address a cycle
    input  wire                        clear,          // the reset sequence is under way
    output wire                        cleared,        // all rows are empty
    // executions: the walks, hit or fault; looks ask for the row of a reference, and change nothing
    input  wire                        w2_valid,       // an execution is at w2
    input  wire                        w2_look,        // a look is at w2; never with w2_valid
    input  wire [ASID_W-1:0]           w2_asid,        // address space of the execution or look at w2
    input  wire [REF_W-1:0]            w2_ref,         // memory instruction of the execution or look at w2
    input  wire [6*REF_W-1:0]          refs,           // REFS_COME: memory instruction of the execution or look at w8, w7, w6, w5, w4, w3
    output wire [ROW_W-1:0]            w9_row,         // row of the execution or look at w9, registered; 0 if a look found none
    output wire [GEN_W-1:0]            w9_gen,         // generation of the row w9_row, registered
    output wire                        w9_alloc,       // the row w9_row is given to its reference with this execution
    input  wire                        w9_tick,        // refresh tick: dirty rows become pending
    // flush: the rows of an address space lose their owners
    input  wire [ASID_W:0]             cfg_flush,      // order {address space, go}: one pass for each rise of go
    output wire                        flushing,       // a pass is under way
    output wire                        flush_begun,    // bit that toggles with each pass that begins
    output wire                        w9_flush,       // FLUSH: the row given_row was looked at; an execution or a look at w9 gets row 0
    output wire [31:0]                 stat_flushes,   // number of passes that are done
    output wire                        given,          // the row given_row goes to another reference, or by a FLUSH to none
    output wire [ROW_W-1:0]            given_row,      // with given or w9_flush: the row
    output wire [GEN_W-1:0]            given_gen,      // generation of given_row from now on
    // questions: is a generation its row's still?
    input  wire [ROW_W-1:0]            qa_row,         // first question: the row
    input  wire [ROW_W-1:0]            qb_row,         // second question: the row
    input  wire [GEN_W-1:0]            qa_gen,         // first question: the generation
    input  wire [GEN_W-1:0]            qb_gen,         // second question: the generation
    output wire                        qa_current,     // answer to the first question, combinational
    output wire                        qb_current,     // answer to the second question, if the cycle before asked the same
    output wire                        qa1_current,    // qa_current of the cycle before
    // records {row, gen, interval, censored} of two queues; the walk queue goes first
    input  wire                        rec0_valid,     // a record waits in the walk queue
    input  wire                        rec1_valid,     // a record waits in the side queue
    output wire                        rec0_pop,       // the first record of the walk queue is taken
    output wire                        rec1_pop,       // the first record of the side queue is taken
    output wire                        rec0_done,      // LEARN of a record of the walk queue, three cycles after its pop: its place is free
    output wire                        rec1_done,      // LEARN of a record of the side queue, three cycles after its pop: its place is free
    input  wire [ROW_W+GEN_W+TIME_W:0] rec0,           // the first record of the walk queue
    input  wire [ROW_W+GEN_W+TIME_W:0] rec1,           // the first record of the side queue
    input  wire                        rec0_bad,       // the first record of the walk queue is corrupt: not learnt
    input  wire                        rec1_bad,       // the first record of the side queue is corrupt: not learnt
    // REFRESH: a snapshot of a row for ppuc, a bin a cycle, ascending
    input  wire                        refresh_ready,  // ppuc's engine is idle
    input  wire                        refresh_hurry,  // a REFRESH waits neither for the queues nor for the search
    input  wire                        refresh_calm,   // the queues are empty, and no search is under way
    output wire                        snap_start,     // a REFRESH begins: its bins follow
    output wire [ROW_W-1:0]            snap_row,       // with snap_start: the row
    output wire [GEN_W-1:0]            snap_gen,       // with snap_start: generation of the row
    output wire                        snap_valid,     // the counts of a bin are here
    output wire                        snap_last,      // the bin is the row's last
    output wire [BIN_W-1:0]            snap_bin,       // number of the bin
    output wire [CNT_W-1:0]            snap_reuse,     // number of reuses of the row in the bin
    output wire [CNT_W-1:0]            snap_censored,  // number of censored records of the row in the bin
    output wire [CNT_W-1:0]            snap_greuse,    // number of reuses of row 0 in the bin
    output wire [CNT_W-1:0]            snap_gcensored, // number of censored records of row 0 in the bin
    output wire                        snap_bad,       // PARITY: the counts of the cycle before are corrupt
    output wire                        pending,        // some row waits for its REFRESH
    output wire                        resting,        // no record, flush or row operation is pending or under way, but for a pending REFRESH
    output wire                        idle,           // resting, and no REFRESH is pending
    // PARITY: bits of turned: {word of the directory, record, word of counts}
    output reg  [2:0]                  turned,         // each bit toggles with each use of a corrupt word
    // tvi: the background action of this cycle, and the results of LEARN, six cycles after LEARN, in order
    output wire                        tvi_valid,      // a background action takes effect
    output wire [1:0]                  tvi_kind,       // kind of the background action: 0 LEARN, 1 CLEAR, 2 HALVE, 3 REFRESH
    output wire [ROW_W-1:0]            tvi_row,        // row of the background action
    output wire                        tvi_queue,      // LEARN: queue of the record
    output wire                        tvi_applied,    // LEARN: the record counts in its row
    output wire                        learnt_valid,   // the results of a LEARN are here
    output wire [BIN_W-1:0]            learnt_bin,     // bin of the record that was learnt
    output wire [CNT_W-1:0]            learnt_count,   // count of the row after LEARN; 0 where the record does not count in its row
    output wire [CNT_W-1:0]            learnt_gcount   // count of row 0 after LEARN
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
    reg [CELL_W:0]  clear_at;  // number of the addresses that are cleared
    reg [ROW_W-1:0] clear_row; // row of the address that is cleared next
    reg [BIN_W-1:0] clear_bin; // bin of the address that is cleared next
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
    wire              w2_flush;        // a FLUSH of a row is at w2
    wire              flush_under_way; // a FLUSH is at w3 to w9
    wire              directory_bad;   // late count: an execution, a look or a FLUSH met a corrupt word
    wire [ASID_W-1:0] w2_flush_asid;   // address space of the FLUSH at w2
    wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] w2_flush_set;    // set of the FLUSH at w2
    wire [WAYS-1:0]   w2_flush_way;    // way of the FLUSH at w2, one bit a way
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
        .w2_valid(w2_valid || w2_look),
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
        .PARITY(PARITY),
        .REFS_COME(REFS_COME)
    ) directory (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .clearing(clearing),
        .clear_at(clear_at),
        .w2_valid(w2_valid),
        .w2_look(w2_look),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .refs(refs),
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
    wire               learn;      // LEARN: the record at l3 takes effect
    wire               l3_applied; // the record at l3 counts in its row
    wire               l3_side;    // the record at l3 is of the side queue
    wire               l9_valid;   // a record is at l9: its counts are known
    wire               l9_applied; // the record at l9 counts in its row
    wire [ROW_W-1:0]   l1_row;     // row of the record at l1
    wire [ROW_W-1:0]   l3_row;     // row of the record at l3
    wire [ROW_W-1:0]   l9_row;     // row of the record at l9
    wire [GEN_W-1:0]   l1_now;     // generation of the row l1_row
    wire [GEN_W-1:0]   next_gen;   // generation of the row next_row
    wire               l1_owed;    // the row l1_row waits for its CLEAR
    wire [CNT_W-1:0]   h9_count;   // count of the row after the LEARN of the record at l9
    wire [CNT_W-1:0]   g9_count;   // count of row 0 after the LEARN of the record at l9
    wire               h9_full;    // h9_count is the greatest count
    wire               g9_full;    // g9_count is the greatest count
    wire               start;      // the row operation next_op begins
    wire [1:0]         next_op;    // the row operation that is next, BG_*
    wire [ROW_W-1:0]   next_row;   // row of the operation that is next
    wire [CLASSES-1:0] clear_owed; // the rows that wait for a CLEAR
    wire [CLASSES-1:0] halve_owed; // the rows that wait for a HALVE
    wire [CLASSES-1:0] pend;       // the rows that wait for a REFRESH
    wire [CLASSES-1:0] later;      // the rows above the last refreshed row
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
    wire             owed;       // a row waited for a CLEAR or a HALVE in the cycle before
    wire             next_valid; // a row operation may begin
    wire             next_stale; // the next REFRESH is void: its row went to another reference meanwhile
    wire             open;       // a record may be taken
    wire             popped;     // a record is at l1
    wire             under_way;  // a record is at l1 to l10
    wire             empty;      // no record is at l1 to l11
    wire             op_rests;   // no bin of a row operation is given out or under way
    wire             running;    // a row operation gives out the bin op_bin
    wire             o2_valid;   // a bin of a row operation is two cycles old
    wire             o3_valid;   // a bin of a row operation is three cycles old: its counts are here
    wire             o3_last;    // the bin that is three cycles old is the row's last
    wire [1:0]       op;         // the row operation that is under way, BG_*
    wire [ROW_W-1:0] op_row;     // row of the operation that is under way
    wire [BIN_W-1:0] op_bin;     // bin that the operation gives out
    wire [BIN_W-1:0] o3_bin;     // number of the bin that is three cycles old
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
    wire [ROW_W-1:0] l5_row;      // row of the record at l5
    wire [BIN_W-1:0] l5_bin;      // bin of the record at l5
    wire [BIN_W-1:0] l9_bin;      // bin of the record at l9
    wire             l7_valid;    // a record is at l7
    wire             l7_applied;  // the record at l7 counts in its row
    wire             l7_censored; // the record at l7 is censored
    wire             l9_censored; // the record at l9 is censored
    wire             lost;        // the record at l3 is corrupt: not learnt
    wire             counts_bad;  // the counts that were used a cycle before are corrupt
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
    assign snap_bad   = counts_bad; // LEARN meets no row operation: the corrupt counts are the snapshot's
    assign snap_bin   = o3_bin;

    // late count: a pending CLEAR or HALVE is a row's bit a cycle later
    reg may_owe; // a CLEAR or a HALVE may be pending since the cycle before
    always @(posedge clk)
        may_owe <= !rst && (given || (l9_valid && ((l9_applied && h9_full) || g9_full)));
    assign resting = op_rests && empty && !may_owe && !owed && !flushing;
    // late count: a tick or a record makes a row pending a cycle later
    reg may_pend; // a row was pending in the cycle before, or may be since
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
