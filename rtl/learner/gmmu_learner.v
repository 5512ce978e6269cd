// SPDX-License-Identifier: Apache-2.0
// gmmu_learner: from walks to priorities (docs/blocks/learner.md): its parts, the wires between them, and when they rest.
//
//   walk ─► trace_sampler ─► record_feed ─► ref_rit ─► ppuc ─► priority of a candidate
//             hits, pages that left ─┘ └─► records for rit_export
//
// A refresh (ref_rit's counts to ppuc) waits for queues, sampler and search to rest, but not for ever (lib/gmmu_overdue).
// Clocks: docs/blocks/gmmu_tier.md. Source: LEU 3.1, 3.3.
`default_nettype none
module gmmu_learner #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter WAYS    = 4,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter EXEC_W  = 8,
    parameter GEN_W   = 4,
    parameter SAMPLER = 1024,
    parameter SWAYS   = 4,
    parameter RECQ    = 128,
    parameter SIDEQ   = 16,
    parameter PARITY  = 1,
    // bits that travel along with a lookup
    parameter TAG_W   = 1,
    // a refresh waits less than 2^HURRY_W cycles
    parameter HURRY_W = 16,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1,
    parameter SAMP_W  = $clog2(SAMPLER),
    parameter CLASS_W = ROW_W + GEN_W
) (
    input  wire               clk, clk_learn, clk_ppuc,
    input  wire               rst,
    input  wire               cfg_pseudo, cfg_feed, cfg_censor,
    input  wire [3:0]         cfg_sample,
    input  wire [ASID_W:0]    cfg_flush,
    input  wire               clear,         // reset sequence
    output wire               cleared,
    // walks
    input  wire               w2_valid, w3_valid, w9_valid, w9_tick,
    input  wire [ASID_W-1:0]  w2_asid, w3_asid,
    input  wire [REF_W-1:0]   w2_ref,
    input  wire [VPN_W-1:0]   w3_vpn,
    input  wire [TIME_W-1:0]  w9_time, now,
    input  wire               scrub_due,
    output wire [CLASS_W-1:0] w9_class,      // row and generation of the walk's reference,
    output wire               w9_alloc,      // given to it just now
    output wire               w9_flush,      // a FLUSH has this slot: it looks at the row of given_class; a walk here has row 0
    output wire               given,         // given_class is of who has its row from now on, after a FLUSH nobody
    output wire [CLASS_W-1:0] given_class,
    // pages: an access found the page in its frame; a page left
    input  wire               hit_match, hit_touch, left,
    input  wire [CLASS_W-1:0] hit1_class,
    input  wire [TIME_W-1:0]  hit1_interval,  // a cycle later
    // the frame of the side action: what left; the candidate
    input  wire [CLASS_W-1:0] f_class,
    input  wire [TIME_W-1:0]  f_age,
    input  wire [CLASS_W-1:0] q_class,
    input  wire [TIME_W-1:0]  q_age,
    // records of this cycle, for rit_export
    output wire               walk_rec, walk_censored, side_rec,
    output wire [CLASS_W-1:0] walk1_class, side_class, // walk1: a cycle later
    output wire [TIME_W-1:0]  walk1_interval, side_age, // the walk's a cycle later
    // side actions INSTALL and CAND
    output wire               install_req,
    input  wire               s3_install, s3_cand,
    input  wire [TAG_W-1:0]   cand_tag,
    output wire               looked_valid,  // six cycles later
    output wire [15:0]        looked_priority,
    output wire [TAG_W-1:0]   looked_tag,
    // rest
    input  wire               others_calm,   // no search, no access under way in frame_store
    input  wire               search_idle,
    output wire               busy,          // something is owed or under way
    output wire               wake, learn_wake, ppuc_wake, // clk, clk_learn, clk_ppuc are needed
    // PARITY: over with each {row that ppuc was at, entry of the sampler, word of ref_rit's directory, priority, record, counts} gone bad
    output wire [5:0]         turned,
    output wire [31:0]        stat_rec_drops, stat_stolen, stat_flushes,
    // tvi
    output wire               flush_begun,   // over with each flush that begins
    output wire               tvi_flushing, tvi_pending, tvi_install_current, tvi_bg_valid, tvi_bg_queue, tvi_bg_applied,
    output wire [1:0]         tvi_bg_kind, tvi_walk_record, tvi_left_record, tvi_scrub_record,
    output wire [ROW_W-1:0]   tvi_bg_row, tvi_serving, tvi_install_row,
    output wire               tvi_thresh_valid, tvi_scrub_valid, tvi_scrub_removed,
    output wire [16:0]        tvi_thresh,
    output wire [SAMP_W-1:0]  tvi_scrub_index,
    output wire [TIME_W-1:0]  tvi_scrub_age, tvi_samp_interval,
    output wire [CLASS_W-1:0] tvi_scrub_class, tvi_samp_class,
    output wire               tvi_samp_valid, tvi_samp_selected, tvi_samp_stolen, tvi_samp_hit,
    output wire               tvi_learnt_valid, tvi_snap_valid, tvi_prio_valid,
    output wire [BIN_W-1:0]   tvi_learnt_bin, tvi_snap_bin, tvi_prio_bin,
    output wire [CNT_W-1:0]   tvi_learnt_count, tvi_learnt_gcount,
    output wire [CNT_W-1:0]   tvi_snap_reuse, tvi_snap_censored, tvi_snap_greuse, tvi_snap_gcensored,
    output wire [15:0]        tvi_prio
);

    localparam REC_W = CLASS_W + TIME_W + 1;

    wire samp_cleared, rit_cleared, samp_idle, rit_idle, rit_resting, ppuc_idle, feed_busy, feed_wake, scrubbing, hurry;
    wire samp_censored, scrub_rec, rec0_valid, rec1_valid, rec0_pop, rec1_pop, rec0_done, rec1_done, rec0_bad, rec1_bad, q_current, q1_current;
    wire [REC_W-1:0] rec0, rec1;
    wire snap_start, snap_last, snap_bad;
    wire [ROW_W-1:0] snap_row;
    wire [GEN_W-1:0] snap_gen, install_gen;

    reg calm; // was so in the cycle before; a SCRUB under way is known at once
    always @(posedge clk)
        calm <= !feed_busy && rit_resting && !scrubbing;
    gmmu_trace_sampler #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .ENTRIES(SAMPLER), .WAYS(SWAYS), .WAIT_W(8), .PARITY(PARITY)
    ) trace_sampler (
        .turned(turned[4]), .clk(clk_learn), .rst(rst), .cfg_sample(cfg_sample), .clear(clear), .cleared(samp_cleared),
        .w3_valid(w3_valid), .w3_asid(w3_asid), .w3_vpn(w3_vpn), .w9_class(w9_class), .w9_time(w9_time), .now(now),
        .scrub_owed(scrub_due), .scrub_calm(calm && !scrubbing), // its record is learnt before the next
        .scrubbing(scrubbing),
        .rec_valid(tvi_samp_valid), .rec_class(tvi_samp_class), .rec_interval(tvi_samp_interval), .rec_censored(samp_censored),
        .srec_valid(scrub_rec), .srec_class(tvi_scrub_class), .srec_interval(tvi_scrub_age),
        .idle(samp_idle), .stat_stolen(stat_stolen),
        .tvi_thresh_valid(tvi_thresh_valid), .tvi_thresh(tvi_thresh), .tvi_scrub_valid(tvi_scrub_valid),
        .tvi_scrub_index(tvi_scrub_index), .tvi_scrub_removed(tvi_scrub_removed),
        .tvi_selected(tvi_samp_selected), .tvi_stolen(tvi_samp_stolen), .tvi_hit(tvi_samp_hit)
    );

    gmmu_record_feed #(.TIME_W(TIME_W), .CLASS_W(CLASS_W), .RECQ(RECQ), .SIDEQ(SIDEQ), .PARITY(PARITY)) record_feed (
        .clk(clk), .clk_queue(clk_learn), .rst(rst), .cfg_feed(cfg_feed), .cfg_censor(cfg_censor),
        .hit_match(hit_match), .hit_touch(hit_touch), .hit1_class(hit1_class), .hit1_interval(hit1_interval),
        .left(left), .left_class(f_class), .left_age(f_age),
        .samp_valid(tvi_samp_valid), .samp_class(tvi_samp_class), .samp_interval(tvi_samp_interval),
        .samp_censored(samp_censored), .scrub_valid(scrub_rec), .scrub_class(tvi_scrub_class), .scrub_age(tvi_scrub_age),
        .walk_valid(walk_rec), .walk1_class(walk1_class), .walk1_interval(walk1_interval), .walk_censored(walk_censored),
        .side_valid(side_rec), .side_class(side_class), .side_age(side_age),
        .walk_record(tvi_walk_record), .left_record(tvi_left_record), .scrub_record(tvi_scrub_record),
        .rec0_valid(rec0_valid), .rec1_valid(rec1_valid), .rec0(rec0), .rec1(rec1), .rec0_pop(rec0_pop), .rec1_pop(rec1_pop),
        .rec0_bad(rec0_bad), .rec1_bad(rec1_bad),
        .rec0_done(rec0_done), .rec1_done(rec1_done), .busy(feed_busy), .wake(feed_wake), .stat_rec_drops(stat_rec_drops)
    );

    gmmu_overdue #(.WAIT_W(HURRY_W)) overdue (
        .clk(clk), .rst(rst), .waits(tvi_pending && ppuc_idle), .passed(w9_valid), .hurry(hurry)
    );
    gmmu_ref_rit #(
        .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS), .CNT_W(CNT_W),
        .EXEC_W(EXEC_W), .GEN_W(GEN_W), .PARITY(PARITY)
    ) ref_rit (
        .rec0_bad(rec0_bad), .rec1_bad(rec1_bad), .turned({turned[3], turned[1:0]}),
        .clk(clk_learn), .rst(rst), .clear(clear), .cleared(rit_cleared), .cfg_flush(cfg_flush), .flushing(tvi_flushing), .stat_flushes(stat_flushes),
        .flush_begun(flush_begun),
        .w9_flush(w9_flush), .given(given), .given_row(given_class[GEN_W +: ROW_W]), .given_gen(given_class[GEN_W-1:0]),
        .w2_valid(w2_valid), .w2_asid(w2_asid), .w2_ref(w2_ref),
        .w9_row(w9_class[GEN_W +: ROW_W]), .w9_gen(w9_class[GEN_W-1:0]), .w9_alloc(w9_alloc), .w9_tick(w9_tick),
        .qa_row(q_class[GEN_W +: ROW_W]), .qa_gen(q_class[GEN_W-1:0]), .qa_current(q_current), .qa1_current(q1_current),
        .qb_row(tvi_install_row), .qb_gen(install_gen), .qb_current(tvi_install_current),
        .rec0_valid(rec0_valid), .rec1_valid(rec1_valid), .rec0_pop(rec0_pop), .rec1_pop(rec1_pop),
        .rec0_done(rec0_done), .rec1_done(rec1_done), .rec0(rec0), .rec1(rec1),
        .refresh_ready(ppuc_idle), .refresh_hurry(hurry), .refresh_calm(!feed_busy && samp_idle && others_calm),
        .snap_start(snap_start), .snap_row(snap_row), .snap_gen(snap_gen),
        .snap_valid(tvi_snap_valid), .snap_last(snap_last), .snap_bin(tvi_snap_bin), .snap_reuse(tvi_snap_reuse),
        .snap_censored(tvi_snap_censored), .snap_greuse(tvi_snap_greuse), .snap_gcensored(tvi_snap_gcensored), .snap_bad(snap_bad),
        .pending(tvi_pending), .resting(rit_resting), .idle(rit_idle),
        .tvi_valid(tvi_bg_valid), .tvi_kind(tvi_bg_kind), .tvi_row(tvi_bg_row), .tvi_queue(tvi_bg_queue),
        .tvi_applied(tvi_bg_applied), .learnt_valid(tvi_learnt_valid), .learnt_bin(tvi_learnt_bin),
        .learnt_count(tvi_learnt_count), .learnt_gcount(tvi_learnt_gcount)
    );
    gmmu_ppuc #(
        .TIME_W(TIME_W), .CLASSES(CLASSES), .BINS(BINS), .CNT_W(CNT_W), .GEN_W(GEN_W), .PARITY(PARITY), .TAG_W(TAG_W)
    ) ppuc (
        .turned({turned[5], turned[2]}), .clk(clk_ppuc), .rst(rst), .cfg_pseudo(cfg_pseudo), .snap_start(snap_start), .snap_row(snap_row), .snap_gen(snap_gen),
        .snap_valid(tvi_snap_valid), .snap_last(snap_last), .snap_bin(tvi_snap_bin), .snap_reuse(tvi_snap_reuse),
        .snap_censored(tvi_snap_censored), .snap_greuse(tvi_snap_greuse), .snap_gcensored(tvi_snap_gcensored), .snap_bad(snap_bad),
        .idle(ppuc_idle), .install_req(install_req), .install_row(tvi_install_row), .install_gen(install_gen),
        .install(s3_install), .install_current(tvi_install_current),
        .forget(given), .forget_row(given_class[GEN_W +: ROW_W]),
        .l0_valid(s3_cand), .l0_row(q_class[GEN_W +: ROW_W]), .l0_current(q_current), .l0_tau(q_age), .l0_tag(cand_tag),
        .tvi_serving(tvi_serving), .l1_current(q1_current), .l6_valid(looked_valid), .l6_priority(looked_priority), .l6_tag(looked_tag),
        .tvi_prio_valid(tvi_prio_valid), .tvi_prio_bin(tvi_prio_bin), .tvi_prio(tvi_prio)
    );

    assign cleared = samp_cleared && rit_cleared;
    assign busy    = feed_busy || !rit_idle || !ppuc_idle || !samp_idle;
    wire   may_refresh = tvi_pending && ppuc_idle;
    wire   learning    = feed_wake || !rit_resting || tvi_snap_valid || !samp_idle;
    assign wake        = learning || may_refresh;
    assign learn_wake  = learning || s3_cand || // (whose class ref_rit looks at a cycle later)
                          (may_refresh && (search_idle || hurry));
    assign ppuc_wake   = !ppuc_idle || tvi_snap_valid || install_req || s3_cand || s3_install || given;

endmodule
`default_nettype wire
