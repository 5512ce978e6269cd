// SPDX-License-Identifier: Apache-2.0
// gmmu_tier: the memory-tiering unit: its parts and the wires between them (docs/blocks/gmmu_tier.md).
//
//   s_axis_walk ─► walk_pipe w1 … w9 ─┬─► trace_sampler ─► record_feed ─► ref_rit ─► ppuc
//                                     ├─► hir_cache ─► m_axis_hir    └─► rit_export ─► m_axis_rit
//   s_axis_drv ─► side_port s0 … s3 ──┼─► frame_store ─► ppuc (lookup) ─► victim_select ─┐
//                     ▲               └─► fault_unit ─► m_axis_decision                  │
//                     └── candidates, DECIDE ────────────────────────────────────────────┘
//   s_axis_range ─► range_port (range_dir) ─► m_axis_xfer
// Within a cycle the side action comes before the walk. Beats: docs/formats.md. Registers, counters: docs/registers.md.
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // what follows from them
) (
    input  wire                 clk, rst,
    // registers
    input  wire [FRAME_W:0]     cfg_frames,
    input  wire                 cfg_pseudo, cfg_feed, cfg_censor, cfg_rit_fault, cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie,
    input  wire [1:0]           cfg_search,
    input  wire [3:0]           cfg_sample, cfg_rit_wait,
    input  wire [4:0]           cfg_refresh,
    input  wire [7:0]           cfg_rit_batch, cfg_protect,
    input  wire [15:0]          cfg_transfer,
    input  wire [ASID_W:0]      cfg_flush,
    input  wire [T2_W:0]        cfg_t2_slots,
    input  wire [2:0]           cfg_tier,
    input  wire [TIME_W-1:0]    cfg_tier_near, cfg_tier_far,
    input  wire [VPN_W+11:0]    cfg_range_bytes,
    input  wire [3:0]           cfg_watchdog,
    // walks, the driver's operations, decisions; walks are taken in every cycle from the end of the reset sequence on
    input  wire [WALK_BITS-1:0] s_axis_walk_tdata,
    input  wire [DRV_BITS-1:0]  s_axis_drv_tdata,
    output wire [DEC_BITS-1:0]  m_axis_decision_tdata,
    input  wire                 s_axis_walk_tvalid, s_axis_drv_tvalid, m_axis_decision_tready,
    output wire                 s_axis_walk_tready, s_axis_drv_tready, m_axis_decision_tvalid,
    // FRAME_MEM: the memory of the frame table (docs/blocks/frame_mem.md)
    output wire                 m_frame_ar_valid, m_frame_w_valid,
    input  wire                 m_frame_ar_ready, m_frame_w_ready, m_frame_r_valid, m_frame_b_valid,
    output wire [FRAME_W-1:0]   m_frame_ar_addr, m_frame_w_addr,
    input  wire [WORD_BITS-1:0] m_frame_r_data,
    output wire [WORD_BITS-1:0] m_frame_w_data,
    // records for the host, walk hits for the driver: a header beat, then its records, the last one with tlast
    output wire [RIT_BITS-1:0]  m_axis_rit_tdata,
    output wire [HIR_BITS-1:0]  m_axis_hir_tdata,
    output wire                 m_axis_rit_tvalid, m_axis_rit_tlast, m_axis_hir_tvalid, m_axis_hir_tlast,
    input  wire                 m_axis_rit_tready, m_axis_hir_tready,
    // operations on ranges of memory, transfers and answers (docs/blocks/range_dir.md)
    input  wire [RANGE_BITS-1:0] s_axis_range_tdata,
    output wire [XFER_BITS-1:0] m_axis_xfer_tdata,
    input  wire                 s_axis_range_tvalid, m_axis_xfer_tready,
    output wire                 s_axis_range_tready, m_axis_xfer_tvalid, m_axis_xfer_tlast,
    output wire [31:0]          stat_walks, stat_stale_hits, stat_merged, stat_fault_drops, stat_rec_drops, stat_drv_errors,
    output wire [31:0]          stat_parity, stat_parity_last, stat_none, stat_touch_drops, stat_stolen, stat_rit_drops, stat_hir_drops,
    output wire [31:0]          stat_hir_skipped, stat_t2_stale, stat_t2_none, stat_flushes, stat_watchdog, stat_watchdog_last,
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`endif
    output wire                 quiet // nothing is under way or owed, all decisions are taken
);

`include "gmmu_streams.vh"
    localparam CLASS_W = ROW_W + GEN_W, PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W; // a frame or a slot
    generate
        if (WALK_TW != WALK_BITS || DRV_TW != DRV_BITS || DECISION_TW != DEC_BITS ||
            RIT_TW != RIT_REC_BITS || RIT_HEAD_TW != RIT_HEAD_BITS || HIR_TW != HIR_REC_BITS || HIR_HEAD_TW > HIR_BITS ||
            RANGE_TW != RANGE_BITS || XFER_TW != XFER_BITS) begin : g_bad_streams
            stream_layouts_do_not_match stop_here();
        end
    endgenerate

    reg [FRAME_W:0] r_frames; reg [1:0] r_search; reg r_pseudo, r_feed, r_censor; // registers that much hangs on, taken a cycle later
    always @(posedge clk) {r_frames, r_pseudo, r_search, r_feed, r_censor} <= {cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor};

    // ======== the wires between the parts: w9_ a walk, s3_ a side action at its effect, f_ the frame of that action
    wire clk_main, clk_learn, clk_export, clk_faults, clk_search, clk_ppuc;
    wire [ASID_W-1:0]       a_asid, m2_asid, w2_asid, w3_asid, w4_asid, w7_asid, w8_asid, w9_asid, s1_asid, s2_asid, s3_asid, m3_asid, f_asid;
    wire [VPN_W-1:0]        a_vpn, m2_vpn, w3_vpn, w4_vpn, w7_vpn, w8_vpn, w9_vpn, s1_vpn, s2_vpn, s3_vpn, m3_vpn, f_vpn;
    wire [REF_W-1:0]        w2_ref, w9_ref; wire [TIME_W-1:0] side_age, s3_was; wire w9_flush, given, flush_begun;
    wire [FRAME_W-1:0]      w5_frame, w9_frame, s0_frame, m3_frame, s3_frame, cand_frame, decide_frame, looked_frame;
    wire [FRAME_W:0]        frames; wire [TP_W-1:0] age_entry; wire [PLACE_W-1:0] looked_place; wire [3:0] t_kind, s0_kind, m3_kind, m3_op;
    wire [T2_W-1:0]         w8_slot, w9_slot, t_slot, s0_slot, s1_slot, s2_slot, s3_slot, looked_slot, bad_slot; wire [16:0] turned;
    wire [FRAME_W-1:0]      walk_bad_frame, side_bad_frame;
    wire [TIME_W-1:0]       t_last, t_age, w8_time, w9_time, now, next, fill_last, f_last, f_age, decide_last, looked_last, hit1_interval, walk1_interval;
    wire [CLASS_W-1:0]      t_class, w9_class, given_class, fill_class, f_class, hit1_class, walk1_class, side_class;
    wire [2:0]              outcome; wire [15:0] decide_priority, looked_priority; wire w7_fault, s3_t2_free;
    wire clearing, learner_cleared, hir_cleared, frames_cleared, walk_busy, side_busy, store_busy, store_wake, learner_busy, search_idle, export_idle;
    wire export_rests, hir_idle, walk_wake, side_wake, learner_wake, learn_wake, ppuc_wake, w2_valid, w3_valid, w4_valid, w4_fault, w9_valid, w9_fault;
    wire w9_write, w9_tick, w9_alloc, age_due, scrub_due, w9_t2, s3_t2, placing, decision_busy, t_req, t_grant, t_eligible, stays, s1_slot_valid, s1_rise;
    wire may_be, done_ok, s3_may_done, s3_may_swap, s3_fill_done, s3_t2_cancel, s3_swap, s3_age_slot, s3_age_entry, s3_cand2, s3_rise, s3_place, t2_refused;
    wire looked, looked_2, place_cleared;
    wire s0_valid, s0_ready, s0_bad, s0_none, s0_after, hold, m3_valid, m3_touch, m3_bad, m3_dirty, s3_valid, s3_dirty, s3_fill, s3_free, s3_pin, s3_unpin;
    wire s3_cancel, s3_ask, s3_install, s3_cand, s3_decide, s3_touch, s3_age_frame, s3_age_fault, s3_had, s3_left, f_valid, f_leaving, f_eligible, f_taken;
    wire f_bad, f_dirty, f_take, fill_dirty, hit_match, cand_req, cand_grant, decide_req, decide_grant, decide_room, decide_have, decide_tired;
    wire wanted, no_search;
    wire looked_valid, looked_eligible, looked_guarded, decide_searched, s3_returns, limit_busy, walk_rec, walk_censored, side_rec, install_req, cand_hand;
    wire hand_void, hand_came, cand2_came, t_void, s3_hand, f_recent, outcome_came, outcome_kept, hand_takes, f_keep, range_idle, waiting, select_idle,
    s1_comes, m2_valid;
    wire astray;
    /* verilator lint_off UNUSEDSIGNAL */ // read by tvi alone
    wire [FRAME_W:0]        limit, guarded; wire [TIME_W+6:0] horizon; wire [3:0] s3_kind; wire [AGE_W-1:0] age_index;
    wire [1:0]              tp_pred, tp_right, tp_goes, s3_fault, w9_outcome, w9_touch, walk_record, left_record, scrub_record, side_export, walk_export;
    wire [2:0]              place_tier, foretell_kind, decide_tier; wire [1:0] bg_kind, hir_outcome; wire [IDX_W-1:0] s3_entry, w9_entry, decide_entry;
    wire [ROW_W-1:0]        bg_row, serving, install_row; wire [SAMP_W-1:0] scrub_index; wire [TIME_W-1:0] scrub_age, samp_interval;
    wire [CLASS_W-1:0]      scrub_class, samp_class; wire [BIN_W-1:0] learnt_bin, snap_bin, prio_bin; wire [15:0] prio; wire [16:0] thresh;
    wire [CNT_W-1:0]        learnt_count, learnt_gcount, snap_reuse, snap_censored, snap_greuse, snap_gcensored;
    wire s3_refused, s3_hit, s3_clamped, f_clamped, send, rit_pending, install_current, bg_valid, bg_queue, bg_applied, thresh_valid, scrub_valid;
    wire scrub_removed, samp_valid, samp_selected, samp_stolen, samp_hit, hir_hit, hir_fault, hir_due, hir_swap, learnt_valid, snap_valid, prio_valid, allow;
    wire flushing, forgetting, filling, t_clamped, rises, foretell, foretold, tp_found, tp_forced, tp_clamped;
    /* verilator lint_on UNUSEDSIGNAL */
`ifdef GMMU_TVI
`undef GMMU_SHOW1
`undef GMMU_SHOW
`define GMMU_SHOW1(name, shows)       assign name = shows;
`define GMMU_SHOW(range, name, shows) assign name = shows;
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    // ======== walks and side actions
    reset_sequence reset_sequence (.clk(clk_main), .rst(rst), .clearing(clearing), .cleared(frames_cleared && learner_cleared && hir_cleared && place_cleared));
    assign s_axis_walk_tready = !clearing && !rst;
    wire unused_sm = &{1'b0, s_axis_walk_tdata[WALK_SM_O +: WALK_SM_W]};
    walk_pipe #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .FRAME_W(FRAME_W), .T2_W(T2_W), .AGE_W(AGE_W), .TIME_W(TIME_W), .SAMP_W(SAMP_W)
    ) walk_pipe (
        .clk(clk_main), .rst(rst), .cfg_refresh(cfg_refresh), .open(s_axis_walk_tready), .in_valid(s_axis_walk_tvalid),
        .in_fault(s_axis_walk_tdata[WALK_FAULT_O]), .in_write(s_axis_walk_tdata[WALK_WRITE_O]), .in_asid(s_axis_walk_tdata[WALK_ASID_O +: ASID_W]),
        .in_vpn(s_axis_walk_tdata[WALK_VPN_O +: VPN_W]), .in_ref(s_axis_walk_tdata[WALK_REF_O +: REF_W]),
        .in_frame(s_axis_walk_tdata[WALK_FRAME_O +: FRAME_W]), .in_t2(s_axis_walk_tdata[WALK_T2_O]), .in_slot(s_axis_walk_tdata[WALK_SLOT_O +: T2_W]),
        .w9_t2(w9_t2), .w9_slot(w9_slot), .w2_valid(w2_valid), .w2_asid(w2_asid), .w2_ref(w2_ref), .w3_valid(w3_valid), .w3_asid(w3_asid), .w3_vpn(w3_vpn),
        .w4_valid(w4_valid), .w4_fault(w4_fault), .w4_asid(w4_asid), .w4_vpn(w4_vpn), .w5_frame(w5_frame), .w7_fault(w7_fault), .w7_asid(w7_asid),
        .w7_vpn(w7_vpn), .w8_asid(w8_asid), .w8_vpn(w8_vpn), .w8_time(w8_time), .w8_slot(w8_slot), .w9_valid(w9_valid), .w9_fault(w9_fault),
        .w9_write(w9_write), .w9_asid(w9_asid), .w9_vpn(w9_vpn), .w9_ref(w9_ref), .w9_frame(w9_frame), .w9_time(w9_time), .w9_tick(w9_tick), .now(now),
        .next(next), .age_due(age_due), .scrub_due(scrub_due), .busy(walk_busy), .wake(walk_wake), .stat_walks(stat_walks)
    );
    wire [3:0]         drv_op   = s_axis_drv_tdata[DRV_OP_O +: DRV_OP_W]; wire [ASID_W-1:0] drv_asid = s_axis_drv_tdata[DRV_ASID_O +: DRV_ASID_W];
    wire [VPN_W-1:0]   drv_vpn  = s_axis_drv_tdata[DRV_VPN_O +: DRV_VPN_W];
    side_port #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .FAULTS(FAULTS), .FRAME_MEM(FRAME_MEM), .T2_SLOTS(T2_SLOTS),
        .TP_ENTRIES(TP_SETS * TP_WAYS), .AGE_W(AGE_W)
    ) side_port (
        .drv_t2(s_axis_drv_tdata[DRV_T2_O]), .drv_slot(s_axis_drv_tdata[DRV_SLOT_O +: T2_W]), .t_req(t_req), .t_kind(t_kind), .t_slot(t_slot),
        .t_frame(m_axis_decision_tdata[DECISION_FRAME_O +: FRAME_W]), .t_grant(t_grant), .cand_hand(cand_hand), .hand_void(hand_void), .t_void(t_void),
        .hand_came(hand_came), .cand2_came(cand2_came), .s3_hand(s3_hand), .stays(stays), .s1_slot_valid(s1_slot_valid), .s0_slot(s0_slot),
        .s1_slot(s1_slot), .s2_slot(s2_slot), .s3_slot(s3_slot),
        .s1_rise(s1_rise), .may_be(may_be), .done_ok(done_ok), .t2_refused(t2_refused), .s3_t2(s3_t2), .s3_fill_done(s3_fill_done), .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap), .s3_t2_free(s3_t2_free),
        .s3_t2_cancel(s3_t2_cancel), .s3_swap(s3_swap), .s3_cand2(s3_cand2), .s3_rise(s3_rise), .s3_place(s3_place), .s3_age_slot(s3_age_slot),
        .s3_age_entry(s3_age_entry), .age_entry(age_entry), .clk(clk_main), .rst(rst), .cfg_frames(r_frames), .open(!clearing), .age_frames(frames),
        .age_due(age_due), .install_req(install_req), .drv_valid(s_axis_drv_tvalid), .drv_ready(s_axis_drv_tready), .drv_op(drv_op),
        .drv_frame(s_axis_drv_tdata[DRV_FRAME_O +: DRV_FRAME_W]), .drv_asid(drv_asid), .drv_vpn(drv_vpn), .drv_dirty(s_axis_drv_tdata[DRV_DIRTY_O]),
        .drv_returns(s_axis_drv_tdata[DRV_RETURNS_O]), .drv_was(s_axis_drv_tdata[DRV_WAS_O +: TIME_W]), .s3_returns(s3_returns), .s3_was(s3_was),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant), .decide_req(decide_req && decide_room), .decide_have(decide_have),
        .decide_frame(decide_frame), .decide_grant(decide_grant), .s0_valid(s0_valid), .s0_ready(s0_ready), .s0_kind(s0_kind), .s0_bad(s0_bad),
        .s0_none(s0_none), .s0_after(s0_after), .s0_frame(s0_frame), .hold(hold), .s1_asid(s1_asid), .s1_vpn(s1_vpn), .s2_asid(s2_asid), .s2_vpn(s2_vpn),
        .s1_comes(s1_comes), .a_asid(a_asid), .a_vpn(a_vpn), .m2_valid(m2_valid), .m2_asid(m2_asid), .m2_vpn(m2_vpn), .m3_valid(m3_valid), .m3_touch(m3_touch),
        .m3_kind(m3_kind), .m3_bad(m3_bad), .m3_op(m3_op), .m3_frame(m3_frame), .m3_asid(m3_asid), .m3_vpn(m3_vpn), .m3_dirty(m3_dirty), .s3_valid(s3_valid),
        .s3_kind(s3_kind), .s3_frame(s3_frame), .s3_asid(s3_asid), .s3_vpn(s3_vpn), .s3_dirty(s3_dirty), .s3_fill(s3_fill), .s3_free(s3_free), .s3_pin(s3_pin),
        .s3_unpin(s3_unpin), .s3_cancel(s3_cancel), .s3_ask(s3_ask), .s3_install(s3_install), .s3_cand(s3_cand), .s3_decide(s3_decide), .s3_touch(s3_touch),
        .s3_age_frame(s3_age_frame), .s3_age_fault(s3_age_fault), .age_index(age_index), .s3_had(s3_had), .s3_refused(s3_refused), .busy(side_busy),
        .wake(side_wake), .stat_drv_errors(stat_drv_errors)
    );
    frame_store #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W), .FRAME_MEM(FRAME_MEM), .LINES(LINES),
        .TOUCHQ(TOUCHQ), .PARITY(PARITY)
    ) frame_store (
        .turned(turned[1:0]), .segment_turned(turned[14]),
        .walk_bad_frame(walk_bad_frame), .side_bad_frame(side_bad_frame), .clk(clk_main), .rst(rst), .clear(clearing),
        .cleared(frames_cleared), .cfg_frames(r_frames), .frames(frames), .next(next), .w5_frame(w5_frame), .w8_asid(w8_asid), .w8_vpn(w8_vpn),
        .w8_time(w8_time), .w9_valid(w9_valid), .w9_fault(w9_fault), .w9_write(w9_write), .w9_frame(w9_frame), .w9_asid(w9_asid), .w9_vpn(w9_vpn),
        .w9_class(w9_class), .w9_time(w9_time), .w9_touch(w9_touch), .hit_match(hit_match), .hit1_class(hit1_class), .hit1_interval(hit1_interval),
        .s0_valid(s0_valid), .s0_bad(s0_bad), .s0_none(s0_none), .s0_after(s0_after), .s0_ready(s0_ready), .s0_kind(s0_kind), .s0_frame(s0_frame),
        .s0_op(drv_op), .s0_asid(drv_asid), .s0_vpn(drv_vpn), .s0_dirty(s_axis_drv_tdata[DRV_DIRTY_O]), .s2_asid(s2_asid), .s2_vpn(s2_vpn), .hold(hold),
        .expect_last(decide_last), .m2_valid(m2_valid), .m2_asid(m2_asid), .m2_vpn(m2_vpn), .m3_valid(m3_valid), .m3_touch(m3_touch), .m3_bad(m3_bad),
        .m3_kind(m3_kind), .m3_op(m3_op), .m3_frame(m3_frame), .m3_asid(m3_asid), .m3_vpn(m3_vpn), .m3_dirty(m3_dirty), .s3_fill(s3_fill), .s3_free(s3_free),
        .s3_pin(s3_pin), .s3_unpin(s3_unpin), .s3_cancel(s3_cancel), .s3_age(s3_age_frame), .s3_take(f_take), .s3_keep(f_keep), .s3_asid(s3_asid),
        .s3_vpn(s3_vpn), .fill_class(fill_class), .fill_last(fill_last), .fill_dirty(fill_dirty), .f_valid(f_valid), .f_leaving(f_leaving),
        .f_eligible(f_eligible), .f_recent(f_recent), .f_taken(f_taken), .f_clamped(f_clamped), .f_dirty(f_dirty), .f_bad(f_bad),
        .f_asid(f_asid), .f_vpn(f_vpn), .f_class(f_class), .f_last(f_last), .f_age(f_age),
        .m_frame_ar_valid(m_frame_ar_valid), .m_frame_ar_ready(m_frame_ar_ready),
        .m_frame_ar_addr(m_frame_ar_addr), .m_frame_r_valid(m_frame_r_valid), .m_frame_r_data(m_frame_r_data), .m_frame_w_valid(m_frame_w_valid),
        .m_frame_w_ready(m_frame_w_ready), .m_frame_w_addr(m_frame_w_addr), .m_frame_w_data(m_frame_w_data), .m_frame_b_valid(m_frame_b_valid),
        .cfg_protect(cfg_protect), .s3_frame(s3_frame), .s3_cand(s3_cand), .s3_hand(s3_hand), .s4_taken(outcome_came && outcome == 3'd2),
        .s4_searched(outcome_came && decide_searched && outcome != 3'd4),
        .s3_returns(s3_returns), .s3_was(s3_was), .looked_guarded(looked_guarded), .limit_busy(limit_busy), .tvi_allow(allow), .tvi_limit(limit),
        .tvi_count(guarded), .tvi_t(horizon), .tvi_filling(filling), .busy(store_busy), .wake(store_wake), .stat_stale_hits(stat_stale_hits),
        .stat_touch_drops(stat_touch_drops)
    );
    fault_unit #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FRAMES(FRAMES), .FAULTS(FAULTS), .FRAME_MEM(FRAME_MEM),
        .T2_SLOTS(T2_SLOTS), .POOL(POOL), .K(K), .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .TP_TAG_W(TP_TAG_W), .TP_CNT_W(TP_CNT_W), .PARITY(PARITY)
    ) fault_unit (
        .flush_begun(flush_begun), .tvi_forgetting(forgetting), .turned({turned[15], turned[13], turned[11], turned[9]}), .bad_slot(bad_slot), .s3_t2(s3_t2),
        .s1_slot(s1_slot), .s2_slot(s2_slot), .s3_slot(s3_slot), .w9_t2(w9_t2), .w9_slot(w9_slot), .clear(clearing), .cleared(place_cleared),
        .cfg_search(r_search),
        .cfg_t2_slots(cfg_t2_slots), .cfg_tier(cfg_tier), .cfg_t2_full(cfg_t2_full), .cfg_tier_default(cfg_tier_default), .cfg_tier_model(cfg_tier_model),
        .cfg_tie(cfg_tie), .cfg_tier_near(cfg_tier_near), .cfg_tier_far(cfg_tier_far), .next(next), .f_class(f_class),
        .d_pred(m_axis_decision_tdata[DECISION_PRED_O +: 2]), .d_rise(m_axis_decision_tdata[DECISION_RISE_O]), .d_swap(m_axis_decision_tdata[DECISION_SWAP_O]),
        .d_forced(m_axis_decision_tdata[DECISION_FORCED_O]), .d_t2_valid(m_axis_decision_tdata[DECISION_T2_VALID_O]),
        .d_t2_dirty(m_axis_decision_tdata[DECISION_T2_DIRTY_O]), .d_t2_slot(m_axis_decision_tdata[DECISION_T2_SLOT_O +: T2_W]),
        .d_t2_asid(m_axis_decision_tdata[DECISION_T2_ASID_O +: ASID_W]), .d_t2_vpn(m_axis_decision_tdata[DECISION_T2_VPN_O +: VPN_W]), .t_req(t_req),
        .t_kind(t_kind), .t_slot(t_slot), .t_grant(t_grant), .cand2_came(cand2_came), .t_void(t_void), .s1_slot_valid(s1_slot_valid), .s0_slot(s0_slot),
        .s0_frame(s0_frame), .s1_rise(s1_rise), .s1_asid(s1_asid), .s1_vpn(s1_vpn), .s3_fill_done(s3_fill_done), .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap), .s3_t2_free(s3_t2_free),
        .s3_t2_cancel(s3_t2_cancel), .s3_swap(s3_swap), .s3_age_slot(s3_age_slot), .s3_age_entry(s3_age_entry), .s3_rise(s3_rise), .s3_place(s3_place),
        .age_entry(age_entry), .may_be(may_be),
        .done_ok(done_ok), .t2_refused(t2_refused), .stays(stays), .t_eligible(t_eligible), .t_clamped(t_clamped), .t_class(t_class),
        .t_last(t_last), .t_age(t_age), .looked_valid(looked && looked_2), .looked_eligible(looked_eligible), .looked_priority(looked_priority),
        .looked_last(looked_last), .looked_slot(looked_slot), .busy(decision_busy), .placing(placing), .astray(astray), .stat_t2_stale(stat_t2_stale),
        .stat_t2_none(stat_t2_none), .tvi_rises(rises), .tvi_foretell(foretell), .tvi_foretold(foretold), .tvi_found(tp_found), .tvi_forced(tp_forced),
        .tvi_clamped(tp_clamped), .tvi_place(place_tier), .tvi_foretell_kind(foretell_kind), .tvi_pred(tp_pred), .tvi_right(tp_right), .tvi_goes(tp_goes),
        .clk(clk_main), .clk_queue(clk_faults), .rst(rst), .cfg_frames(cfg_frames), .a_asid(a_asid), .a_vpn(a_vpn), .w7_asid(w7_asid), .w7_vpn(w7_vpn),
        .w8_asid(w8_asid), .w8_vpn(w8_vpn), .w8_slot(w8_slot), .now(now), .s3_fill(s3_fill), .s3_free(s3_free), .s3_cancel(s3_cancel),
        .s3_ask(s3_ask), .s3_decide(s3_decide), .s3_age_fault(s3_age_fault), .s3_dirty(s3_dirty), .s3_asid(s3_asid), .s3_vpn(s3_vpn),
        .age_index(age_index[FRAME_W:0]), .s3_had(s3_had), .s3_left(s3_left), .s3_clamped(s3_clamped), .s3_hit(s3_hit), .s3_entry(s3_entry),
        .s3_fault(s3_fault), .f_valid(f_valid), .f_leaving(f_leaving), .f_taken(f_taken), .f_dirty(f_dirty), .f_bad(f_bad),
        .f_asid(f_asid), .f_vpn(f_vpn), .f_last(f_last), .f_take(f_take), .f_keep(f_keep), .hand_takes(hand_takes),
        .outcome_came(outcome_came), .outcome(outcome), .outcome_kept(outcome_kept),
        .fill_class(fill_class), .fill_last(fill_last),
        .fill_dirty(fill_dirty), .w9_fault(w9_fault), .w9_write(w9_write), .w9_asid(w9_asid), .w9_vpn(w9_vpn), .w9_class(w9_class), .w9_time(w9_time),
        .w9_outcome(w9_outcome), .w9_entry(w9_entry), .waiting(waiting), .wanted(wanted), .no_search(no_search), .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_frame(decide_frame), .decide_priority(decide_priority), .decide_room(decide_room), .decide_tier(decide_tier), .decide_entry(decide_entry),
        .d_valid(m_axis_decision_tvalid), .d_ready(m_axis_decision_tready), .d_seq(m_axis_decision_tdata[DECISION_SEQ_O +: SEQ_W]),
        .d_asid(m_axis_decision_tdata[DECISION_ASID_O +: ASID_W]), .d_vpn(m_axis_decision_tdata[DECISION_VPN_O +: VPN_W]),
        .d_tier(m_axis_decision_tdata[DECISION_TIER_O +: 2]), .d_frame(m_axis_decision_tdata[DECISION_FRAME_O +: FRAME_W]),
        .d_v_asid(m_axis_decision_tdata[DECISION_V_ASID_O +: ASID_W]), .d_v_vpn(m_axis_decision_tdata[DECISION_V_VPN_O +: VPN_W]),
        .d_v_dirty(m_axis_decision_tdata[DECISION_V_DIRTY_O]), .d_prio(m_axis_decision_tdata[DECISION_PRIO_O +: 16]),
        .d_v_last(m_axis_decision_tdata[DECISION_V_LAST_O +: TIME_W]), .stat_merged(stat_merged), .stat_fault_drops(stat_fault_drops), .stat_none(stat_none)
    );

    // ======== priorities, the search, and what others are told
    learner #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS), .CNT_W(CNT_W), .EXEC_W(EXEC_W),
        .GEN_W(GEN_W), .SAMPLER(SAMPLER), .SWAYS(SWAYS), .RECQ(RECQ), .SIDEQ(SIDEQ), .PARITY(PARITY), .TAG_W(2 + TIME_W + PLACE_W),
        .HURRY_W(FRAME_MEM != 0 ? 12 : FRAME_W + 2)
    ) learner (
        .turned({turned[10], turned[7:6], turned[4:2]}),
        .clk(clk_main), .clk_learn(clk_learn), .clk_ppuc(clk_ppuc), .rst(rst), .cfg_pseudo(r_pseudo), .cfg_feed(r_feed),
        .cfg_censor(r_censor), .cfg_sample(cfg_sample), .cfg_flush(cfg_flush), .clear(clearing), .cleared(learner_cleared), .w2_valid(w2_valid),
        .w2_asid(w2_asid), .w2_ref(w2_ref), .w3_valid(w3_valid), .w3_asid(w3_asid), .w3_vpn(w3_vpn), .w9_valid(w9_valid), .w9_tick(w9_tick), .w9_time(w9_time),
        .now(now), .scrub_due(scrub_due), .w9_class(w9_class), .w9_alloc(w9_alloc), .w9_flush(w9_flush), .given(given), .given_class(given_class),
        .hit_match(hit_match), .hit_touch(s3_touch), .hit1_class(hit1_class), .hit1_interval(hit1_interval), .left(s3_left), .f_class(f_class), .f_age(f_age),
        .q_class(s3_cand2 ? t_class : f_class), .q_age(s3_cand2 ? t_age : f_age),
        .walk_rec(walk_rec), .walk1_class(walk1_class), .walk1_interval(walk1_interval),
        .walk_censored(walk_censored), .side_rec(side_rec), .side_class(side_class), .side_age(side_age), .install_req(install_req), .s3_install(s3_install),
        .s3_cand(s3_cand || s3_cand2),
        .cand_tag(s3_cand2 ? {1'b1, t_eligible, t_last, {PLACE_W - T2_W{1'b0}}, s3_slot} : {1'b0, f_eligible, f_last, {PLACE_W - FRAME_W{1'b0}}, s3_frame}),
        .looked_valid(looked), .looked_priority(looked_priority), .looked_tag({looked_2, looked_eligible, looked_last, looked_place}),
        .others_calm(search_idle && !placing && !store_busy), .search_idle(search_idle && !placing), .busy(learner_busy), .wake(learner_wake),
        .learn_wake(learn_wake), .ppuc_wake(ppuc_wake), .stat_rec_drops(stat_rec_drops), .stat_stolen(stat_stolen), .stat_flushes(stat_flushes),
        .flush_begun(flush_begun),
        .tvi_flushing(flushing), .tvi_pending(rit_pending), .tvi_install_current(install_current), .tvi_bg_valid(bg_valid), .tvi_bg_queue(bg_queue),
        .tvi_bg_applied(bg_applied), .tvi_bg_kind(bg_kind), .tvi_walk_record(walk_record), .tvi_left_record(left_record), .tvi_scrub_record(scrub_record),
        .tvi_bg_row(bg_row), .tvi_serving(serving), .tvi_install_row(install_row), .tvi_thresh_valid(thresh_valid), .tvi_scrub_valid(scrub_valid),
        .tvi_scrub_removed(scrub_removed), .tvi_thresh(thresh), .tvi_scrub_index(scrub_index), .tvi_scrub_age(scrub_age), .tvi_samp_interval(samp_interval),
        .tvi_scrub_class(scrub_class), .tvi_samp_class(samp_class), .tvi_samp_valid(samp_valid), .tvi_samp_selected(samp_selected),
        .tvi_samp_stolen(samp_stolen), .tvi_samp_hit(samp_hit), .tvi_learnt_valid(learnt_valid), .tvi_snap_valid(snap_valid), .tvi_prio_valid(prio_valid),
        .tvi_learnt_bin(learnt_bin), .tvi_snap_bin(snap_bin), .tvi_prio_bin(prio_bin), .tvi_learnt_count(learnt_count), .tvi_learnt_gcount(learnt_gcount),
        .tvi_snap_reuse(snap_reuse), .tvi_snap_censored(snap_censored), .tvi_snap_greuse(snap_greuse), .tvi_snap_gcensored(snap_gcensored), .tvi_prio(prio)
    );
    assign search_idle = select_idle && !waiting;
    assign {looked_valid, looked_frame, looked_slot} = {looked && !looked_2, looked_place[FRAME_W-1:0], looked_place[T2_W-1:0]};
    victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(K), .PARITY(PARITY)) victim_select (
        .turned(turned[12]),
        .clk(clk_search), .rst(rst), .cfg_frames(r_frames), .cfg_search(FRAME_MEM != 0 ? 2'd1 : r_search), .wanted(wanted), .no_search(no_search),
        .slow(FRAME_MEM != 0 && store_busy), .idle(select_idle),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant), .ans_valid(looked_valid), .ans_eligible(looked_eligible),
        .ans_guarded(looked_guarded), .ans_priority(looked_priority), .ans_last(looked_last), .ans_frame(looked_frame), .cand_hand(cand_hand),
        .hand_valid(hand_came), .hand_eligible(f_eligible), .hand_recent(f_recent), .hand_last(f_last), .hand_frame(s3_frame), .hand_void(hand_void),
        .decide_req(decide_req), .decide_have(decide_have), .decide_tired(decide_tired), .decide_searched(decide_searched), .decide_frame(decide_frame),
        .decide_last(decide_last), .decide_priority(decide_priority), .decide_grant(decide_grant), .decide_done(outcome_came), .decide_retry(outcome == 3'd4),
        .decide_kept(outcome_kept), .decide_taken(outcome == 3'd2), .hand_takes(hand_takes)
    );
    rit_export #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .GEN_W(GEN_W), .RITQ(RITQ), .PARITY(PARITY)
    ) rit_export (
        .clk(clk_export), .rst(rst), .cfg_batch(cfg_rit_batch), .cfg_fault(cfg_rit_fault), .cfg_wait(cfg_rit_wait), .now(now), .side_valid(side_rec),
        .side_class(side_class), .side_age(side_age), .walk_valid(w9_valid), .walk_fault(w9_fault), .walk_asid(w9_asid), .walk_vpn(w9_vpn), .walk_ref(w9_ref),
        .walk_alloc(w9_alloc), .walk_gone(w9_flush && given), .walk_class(given_class),
        .rec_valid(walk_rec && !(FRAME_MEM != 0 && r_feed)), // not those of TOUCH: no walk goes with them
        .rec1_class(walk1_class), .rec1_interval(walk1_interval), .rec_censored(walk_censored), .m_tdata(m_axis_rit_tdata), .m_tvalid(m_axis_rit_tvalid),
        .m_tlast(m_axis_rit_tlast), .m_tready(m_axis_rit_tready), .idle(export_idle), .rests(export_rests), .stat_drops(stat_rit_drops), .tvi_send(send),
        .tvi_side(side_export), .tvi_walk(walk_export), .turned(turned[8])
    );
    hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W), .PARITY(PARITY)
    ) hir_cache (
        .turned(turned[16]),
        .clk(clk_learn), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clearing), .cleared(hir_cleared), .walk_valid(w4_valid), .walk_fault(w4_fault),
        .walk_asid(w4_asid), .walk_vpn(w4_vpn), .m_tdata(m_axis_hir_tdata), .m_tvalid(m_axis_hir_tvalid), .m_tlast(m_axis_hir_tlast),
        .m_tready(m_axis_hir_tready), .idle(hir_idle), .stat_drops(stat_hir_drops), .stat_skipped(stat_hir_skipped), .tvi_hit(hir_hit),
        .tvi_outcome(hir_outcome), .tvi_fault(hir_fault), .tvi_due(hir_due), .tvi_swap(hir_swap)
    );

    range_port #(.RANGES(RANGES), .ASID_W(ASID_W), .VPN_W(VPN_W), .PARITY(PARITY)) range_port (
        .clk(clk), .rst(rst), .cfg_range_bytes(cfg_range_bytes), .s_tdata(s_axis_range_tdata), .s_tvalid(s_axis_range_tvalid),
        .s_tready(s_axis_range_tready), .m_tdata(m_axis_xfer_tdata), .m_tvalid(m_axis_xfer_tvalid), .m_tlast(m_axis_xfer_tlast),
        .m_tready(m_axis_xfer_tready), .turned(turned[5]), .idle(range_idle)
    );

    parity_log #(.PLACES(17), .MORE(9), .AT_W(PLACE_W)) parity_log (
        .clk(clk), .rst(rst), .turned(turned), .at0({{PLACE_W-FRAME_W{1'b0}}, side_bad_frame}), .at1({{PLACE_W-FRAME_W{1'b0}}, walk_bad_frame}),
        .at_more({{PLACE_W-T2_W{1'b0}}, bad_slot}), .stat_parity(stat_parity), .stat_parity_last(stat_parity_last)
    );

    // ======== what is owed by the unit alone: nobody else's beat stands in its way
    wire rit_stands  = m_axis_rit_tvalid && !m_axis_rit_tready,   hir_stands = m_axis_hir_tvalid && !m_axis_hir_tready;
    wire xfer_stands = m_axis_xfer_tvalid && !m_axis_xfer_tready, decision_stands = m_axis_decision_tvalid && !m_axis_decision_tready;
    wire comes       = s_axis_walk_tvalid || s_axis_drv_tvalid || s_axis_range_tvalid;
    reg was_quiet; // (known late)
    always @(posedge clk) was_quiet <= quiet || rst;
    watchdog #(.ITEMS(6)) watchdog (
        .clk(clk), .rst(rst), .cfg(cfg_watchdog),
        .owes({astray, !was_quiet && !comes && !rit_stands && !hir_stands && !xfer_stands && !decision_stands,
               s_axis_range_tvalid && !s_axis_range_tready && !xfer_stands, s_axis_drv_tvalid && !s_axis_drv_tready && !clearing,
               (waiting || placing) && !m_axis_decision_tvalid, clearing}),
        .stat_watchdog(stat_watchdog), .stat_watchdog_last(stat_watchdog_last)
    );

    // ======== at rest, and clocks that rest
    assign quiet = !(clearing || walk_busy || side_busy || store_busy || learner_busy || decision_busy) && search_idle && export_idle && hir_idle && range_idle;
    localparam CFG_W = FRAME_W + 2 + 4 + 4 + 5 + 8 + 1 + 4 + 16 + 8 + T2_W + 8 + 2 * TIME_W + ASID_W + 1;
    clocks #(.CFG_W(CFG_W)) clocks (
        .clk(clk), .rst(rst), .clear(clearing),
        .cfg({cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor, cfg_sample, cfg_refresh, cfg_rit_batch, cfg_rit_fault, cfg_rit_wait, cfg_transfer,
        cfg_protect, cfg_t2_slots, cfg_tier, cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie, cfg_tier_near, cfg_tier_far, cfg_flush}),
        .main_wake(walk_wake || side_wake || learner_wake || store_wake || limit_busy || !search_idle || decision_busy),
        .learn_wake(walk_busy || learn_wake || !hir_idle), .faults_wake(w7_fault || w9_fault || s1_comes || (s3_valid && !s3_cand)), .ppuc_wake(ppuc_wake),
        .export_wake((cfg_rit_batch != 0 && (w9_valid || walk_rec || side_rec)) || given || !export_rests),
        .search_wake(!search_idle || looked_valid || outcome_came), .clk_main(clk_main), .clk_learn(clk_learn), .clk_export(clk_export),
        .clk_faults(clk_faults),
        .clk_search(clk_search), .clk_ppuc(clk_ppuc)
    );

endmodule
`default_nettype wire
