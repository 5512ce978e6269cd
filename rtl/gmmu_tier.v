// SPDX-License-Identifier: Apache-2.0
// gmmu_tier: the memory-tiering unit: its parts and the wires between them (docs/blocks/gmmu_tier.md).
//
//   s_axis_walk ─► walk_pipe w1 … w9 ─┬─► trace_sampler ─► record_feed ─► ref_rit ─► ppuc
//                                     ├─► hir_cache ─► m_axis_hir    └─► rit_export ─► m_axis_rit
//   s_axis_drv ─► side_port s0 … s3 ──┼─► frame_store ─► ppuc (lookup) ─► victim_select ─┐
//                     ▲               └─► fault_unit ─► m_axis_decision                  │
//                     └── candidates, DECIDE ────────────────────────────────────────────┘
//   s_axis_range ─► range_port (range_dir) ─► m_axis_xfer
// Within a cycle the side action comes before the walk. Words between the parts are generated layouts, one of one stage each:
//
//   w9: the walk at its effect          s3: the side action at its effect     held: what the frame of s3 holds
//   looked: a candidate's priority      slot_held: what the slot of s3 holds  m_axis_decision_tdata: the decision
//
// Early bits of a stage are wires of their own: w5_frame is the frame of the walk at w5. rtl/gmmu_WORD.vh has the fields of each
// word. Beats: docs/formats.md. Registers, counters: docs/registers.md.
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // what follows from them
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_slot_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_asked.vh"
`include "gmmu_m3.vh"
`include "gmmu_cfg_tiers.vh"
`include "gmmu_learner_tvi.vh"
`include "gmmu_tiers_tvi.vh"
`include "gmmu_store_tvi.vh"
) (
    input  wire                  clk,
    input  wire                  rst,
    // registers
`include "gmmu_cfg_inputs.vh"
    // walks: one is taken in every cycle from the end of the reset sequence on
    input  wire                  s_axis_walk_tvalid,
    output wire                  s_axis_walk_tready,
    input  wire [WALK_BITS-1:0]  s_axis_walk_tdata,
    // the driver's operations
    input  wire                  s_axis_drv_tvalid,
    output wire                  s_axis_drv_tready,
    input  wire [DRV_BITS-1:0]   s_axis_drv_tdata,
    // decisions
    output wire                  m_axis_decision_tvalid,
    input  wire                  m_axis_decision_tready,
    output wire [DEC_BITS-1:0]   m_axis_decision_tdata,
    // FRAME_MEM: the memory of the frame table (docs/blocks/frame_mem.md)
    output wire                  m_frame_ar_valid,
    input  wire                  m_frame_ar_ready,
    output wire [FRAME_W-1:0]    m_frame_ar_addr,
    input  wire                  m_frame_r_valid,
    input  wire [WORD_BITS-1:0]  m_frame_r_data,
    output wire                  m_frame_w_valid,
    input  wire                  m_frame_w_ready,
    output wire [FRAME_W-1:0]    m_frame_w_addr,
    output wire [WORD_BITS-1:0]  m_frame_w_data,
    input  wire                  m_frame_b_valid,
    // records for the host: a header beat, then its records, the last record with tlast
    output wire                  m_axis_rit_tvalid,
    input  wire                  m_axis_rit_tready,
    output wire                  m_axis_rit_tlast,
    output wire [RIT_BITS-1:0]   m_axis_rit_tdata,
    // walk hits for the driver: a header beat, then its records, the last record with tlast
    output wire                  m_axis_hir_tvalid,
    input  wire                  m_axis_hir_tready,
    output wire                  m_axis_hir_tlast,
    output wire [HIR_BITS-1:0]   m_axis_hir_tdata,
    // operations on ranges of memory (docs/blocks/range_dir.md)
    input  wire                  s_axis_range_tvalid,
    output wire                  s_axis_range_tready,
    input  wire [RANGE_BITS-1:0] s_axis_range_tdata,
    // transfers of ranges, and answers, in packets
    output wire                  m_axis_xfer_tvalid,
    input  wire                  m_axis_xfer_tready,
    output wire                  m_axis_xfer_tlast,
    output wire [XFER_BITS-1:0]  m_axis_xfer_tdata,
    // counters
`include "gmmu_stat_outputs.vh"
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`endif
    output wire                  quiet // nothing is under way or pending, and all decisions are taken
);

`include "gmmu_streams.vh"
`include "gmmu_codes.vh"
    generate
        if (WALK_TW != WALK_BITS || DRV_TW != DRV_BITS || DECISION_TW != DEC_BITS ||
            RIT_TW != RIT_REC_BITS || RIT_HEAD_TW != RIT_HEAD_BITS || HIR_TW != HIR_REC_BITS || HIR_HEAD_TW > HIR_BITS ||
            RANGE_TW != RANGE_BITS || XFER_TW != XFER_BITS) begin : g_bad_streams
            stream_layouts_do_not_match stop_here();
        end
    endgenerate

    // ======== clocks and reset
    wire clk_main;   // clock of walks, side actions and decisions
    wire clk_learn;  // clock of the sampler, the Ref RIT and the HIR cache
    wire clk_export; // clock of rit_export
    wire clk_faults; // clock of fault_queue
    wire clk_search; // clock of victim_select
    wire clk_ppuc;   // clock of ppuc
    wire clearing;   // the reset sequence is under way: tables are being cleared
    wire frames_cleared;  // frame_store is clear
    wire learner_cleared; // learner is clear
    wire hir_cleared;     // hir_cache is clear
    wire place_cleared;   // the tiers are clear

    // ======== registers
    reg  [FRAME_W:0] r_frames; // cfg_frames, a cycle later, as many places read it
    reg              r_pseudo; // cfg_pseudo, a cycle later
    reg  [1:0]       r_search; // cfg_search, a cycle later
    reg              r_feed;   // cfg_feed, a cycle later
    reg              r_censor; // cfg_censor, a cycle later
    always @(posedge clk) begin
        r_frames <= cfg_frames;
        r_pseudo <= cfg_pseudo;
        r_search <= cfg_search;
        r_feed   <= cfg_feed;
        r_censor <= cfg_censor;
    end
    wire [1:0]           search    = FRAME_MEM != 0 ? 2'd1 : r_search; // SEARCH_*
    wire [CFGT_BITS-1:0] cfg_tiers = {
        cfg_tier_far,     // far
        cfg_tier_near,    // near
        cfg_tie,          // tie
        cfg_tier_model,   // model
        cfg_tier_default, // default
        cfg_t2_full,      // full
        cfg_tier,         // tier
        cfg_t2_slots      // slots
    };

    // ======== walks (walk_pipe), and the classes of their references (learner)
    wire                 w2_valid;   // a walk is at w2
    wire [ASID_W-1:0]    w2_asid;    // address space of the walk at w2
    wire [REF_W-1:0]     w2_ref;     // memory instruction of the walk at w2
    wire                 w3_valid;   // a walk is at w3
    wire [PAGE_BITS-1:0] w3_page;    // page of the walk at w3
    wire                 w4_valid;   // a walk is at w4
    wire                 w4_fault;   // the walk at w4 is a fault
    wire [PAGE_BITS-1:0] w4_page;    // page of the walk at w4
    wire [FRAME_W-1:0]   w5_frame;   // frame of the walk hit at w5
    wire                 w7_fault;   // a fault is at w7
    wire [PAGE_BITS-1:0] w7_page;    // page of the walk at w7
    wire [PAGE_BITS-1:0] w8_page;    // page of the walk at w8
    wire [TIME_W-1:0]    w8_time;    // time of the walk at w8
    wire [T2_W-1:0]      w8_slot;    // slot that the fault at w8 names
    wire [W9_BITS-1:0]   w9;         // the walk at its effect
    wire [CLASS_W-1:0]   w9_class;   // class of that walk's reference
    wire                 w9_alloc;   // the class's row is given to the reference with this walk
    wire                 w9_flush;   // a FLUSH looks at the row of given_class
    wire                 given;      // the row of given_class gets another owner, or none
    wire [CLASS_W-1:0]   given_class; // that row, and its generation from now on
    wire [1:0]           w9_touch;   // FRAME_MEM: what became of the hit, REC_*
    wire [1:0]           w9_outcome; // what became of the fault, FAULT_*
    wire [IDX_W-1:0]     w9_entry;   // entry of the fault
    wire [TIME_W-1:0]    now;        // number of walks before the walk at w9
    wire [TIME_W-1:0]    next;       // number of walks with the walk at w9
    wire                 age_due;    // an AGE is due from this cycle on
    wire                 scrub_due;  // a SCRUB is due from this cycle on
    wire                 walk_busy;  // a walk is under way
    wire                 walk_wake;  // walks need the clock

    // ======== side actions on their way (side_port)
    wire                 s0_valid;   // FRAME_MEM: an action is granted
    wire                 s0_ready;   // FRAME_MEM: frame_store takes an action
    wire [ASKED_BITS-1:0] asked;     // FRAME_MEM: the granted action
    wire [FRAME_W-1:0]   s0_frame;   // frame of the action at s0
    wire [T2_W-1:0]      s0_slot;    // slot of the action at s0
    wire                 s1_slot_valid; // the action at s1 reads a slot
    wire                 s1_rise;    // the action at s1 is RISE
    wire                 s1_comes;   // an action other than CAND may be at s3 two cycles later
    wire [T2_W-1:0]      s1_slot;    // slot of the action at s1
    wire [PAGE_BITS-1:0] s1_page;    // page that the driver names, at s1
    wire [T2_W-1:0]      s2_slot;    // slot of the action at s2
    wire [PAGE_BITS-1:0] s2_page;    // page that the driver names, at s2
    wire [PAGE_BITS-1:0] a_page;     // page that the driver names, of the action that may be at s3 in the next cycle
    wire                 s3_may_done; // T2_FILL_DONE comes to s3 in the next cycle
    wire                 s3_may_swap; // T2_SWAP comes to s3 in the next cycle
    wire                 may_be;     // that T2_FILL_DONE or T2_SWAP is allowed
    wire                 hold;       // an INSTALL may come to s3 three cycles later
    wire                 m2_valid;   // FRAME_MEM: an action comes back in the next cycle
    wire [PAGE_BITS-1:0] m2_page;    // FRAME_MEM: its page
    wire [M3_BITS-1:0]   m3;         // FRAME_MEM: the action that comes back now
    wire [AGE_W-1:0]     age_index;  // what AGE visits: frames, then faults, slots, entries of the predictor
    wire [TP_W-1:0]      age_entry;  // AGE of an entry of the predictor: that entry
    wire                 side_busy;  // an action is pending or under way
    wire                 side_wake;  // side actions need the clock

    // ======== the side action at its effect
    wire [S3_BITS-1:0]   s3;         // the action (side_port)
    wire [HELD_BITS-1:0] held;       // what its frame holds (frame_store)
    wire [SLOT_BITS-1:0] slot_held;  // what its slot holds (fault_unit)
    wire                 s3_had;     // CANCEL: there is something to cancel
    wire                 s3_refused; // the driver's operation is refused
    wire                 s3_left;    // FILL, FREE: a page leaves the frame
    wire                 s3_hit;     // FILL: the page has a fault; CANCEL: the page has a decided fault
    wire                 s3_clamped; // AGE of a fault: its time is moved up
    wire [IDX_W-1:0]     s3_entry;   // entry of the fault
    wire [1:0]           s3_fault;   // ASK: what became of the fault, FAULT_*
    wire                 done_ok;    // the T2_FILL_DONE or T2_SWAP is allowed
    wire                 t2_refused; // the T2_FREE or T2_CANCEL is refused
    wire                 stays;      // a STAY is pending: CANCEL must wait
    wire [CLASS_W-1:0]   fill_class; // FILL: class of the page's last access
    wire [TIME_W-1:0]    fill_last;  // FILL: time of the page's last access
    wire                 fill_dirty; // FILL: the page differs from its copy below

    // ======== frames (frame_store)
    wire [FRAME_W:0]     frames;     // number of frames that can be read
    wire                 hit_match;  // the walk at w9, or TOUCH, finds its page in its frame
    wire [CLASS_W-1:0]   hit1_class; // a cycle later: class of the access before
    wire [TIME_W-1:0]    hit1_interval; // a cycle later: walks since the access before
    wire                 looked_guarded; // the candidate of six cycles before is protected
    wire                 limit_busy; // the number of frames that may be protected changes
    wire                 store_busy; // FRAME_MEM: an action or a hit is under way
    wire                 store_wake; // FRAME_MEM: frames need the clock

    // ======== the search in Tier 1 (victim_select), and what tier_place asks for
    wire                 waiting;    // a fault waits for its decision
    wire                 wanted;     // the oldest such fault is known
    wire                 no_search;  // that fault needs no victim
    wire                 select_idle; // no search is under way in victim_select
    wire                 cand_req;   // the search asks for a CAND or a HAND
    wire                 cand_hand;  // the search asks for a HAND
    wire [FRAME_W-1:0]   cand_frame; // frame of that CAND or HAND
    wire                 cand_grant; // the CAND or HAND is granted
    wire                 hand_void;  // the HAND at s3 is void
    wire                 hand_came;  // a HAND is at s3, void or not
    wire                 hand_takes; // the HAND of the cycle before found the candidate
    wire [LOOKED_BITS-1:0] looked;   // the answer to the CAND or CAND2 of six cycles before (learner)
    wire                 decide_req; // the search asks for a DECIDE
    wire                 decide_grant; // the DECIDE is granted
    wire                 decide_room; // there is room for its decision
    wire                 decide_have; // there is a candidate
    wire                 decide_tired; // there is no candidate, and the search gives up
    wire                 decide_searched; // frames were searched for the decision
    wire [FRAME_W-1:0]   decide_frame; // frame of the candidate
    wire [15:0]          decide_priority; // priority of the candidate
    wire [TIME_W-1:0]    decide_last; // last access of the candidate's page, as the search saw it
    wire                 f_take;     // DECIDE: the frame's page leaves, or is kept, if it still may leave
    wire                 f_keep;     // DECIDE: the frame's page is kept
    wire [2:0]           decide_tier; // DECIDE: the outcome, TIER_*
    wire [IDX_W-1:0]     decide_entry; // DECIDE: entry of the fault
    wire                 outcome_came; // a cycle after DECIDE: the outcome is known
    wire [2:0]           outcome;    // that outcome, TIER_*
    wire                 outcome_kept; // that outcome: the candidate is kept
    wire                 outcome_leaves = outcome_came && outcome == TIER_2; // that outcome: the frame's page leaves
    wire                 outcome_searched = outcome_came && decide_searched && outcome != TIER_RETRY; // the end of a decision that took a search
    wire                 t_req;      // tier_place asks for an action
    wire [3:0]           t_kind;     // kind of that action, SIDE_*
    wire [T2_W-1:0]      t_slot;     // slot of that action
    wire                 t_grant;    // that action is granted
    wire                 t_void;     // the CAND2 at s3 is void
    wire                 cand2_came; // a CAND2 is at s3, void or not
    wire                 decision_busy; // a decision waits, or the predictor is asked
    wire                 placing;    // a decision has not its place yet
    wire                 search_idle = select_idle && !waiting; // nobody searches, and nobody is to

    // ======== what is learnt (learner), and who hears of it (rit_export, hir_cache)
    wire                 install_req; // ppuc asks for an INSTALL
    wire                 walk_rec;   // the walk gives a record
    wire                 walk_censored; // that record is an age without reuse
    wire [CLASS_W-1:0]   walk1_class; // a cycle later: class of that record
    wire [TIME_W-1:0]    walk1_interval; // a cycle later: interval of that record
    wire                 side_rec;   // a page that leaves, or a SCRUB, gives a record
    wire [CLASS_W-1:0]   side_class; // class of that record
    wire [TIME_W-1:0]    side_age;   // age of that record
    wire                 flush_begun; // toggles with each flush that begins
    wire                 learner_busy; // something is pending or under way in learner
    wire                 learner_wake; // learner needs clk_main
    wire                 learn_wake; // learner needs clk_learn
    wire                 ppuc_wake;  // learner needs clk_ppuc
    wire                 export_idle; // no batch is due or leaves
    wire                 export_rests; // nothing happens in rit_export without an input
    wire                 hir_idle;   // nothing is under way in hir_cache
    wire                 range_idle; // nothing is under way in range_port

    // ======== corrupt bits
    wire [16:0]          turned;     // a bit for each place: each toggles with a corrupt word that the place met
    wire [FRAME_W-1:0]   walk_bad_frame; // frame of the last corrupt word that a walk met
    wire [FRAME_W-1:0]   side_bad_frame; // frame of the last corrupt word that a side action met
    wire [T2_W-1:0]      bad_slot;   // slot of the last corrupt word
    wire                 astray;     // the count of free frames is corrupt

    // ======== what the tier verification interface shows beside all this
    wire [LTVI_BITS-1:0] learner_tvi; // of learner
    wire [TTVI_BITS-1:0] tiers_tvi;  // of tier_place
    wire [STVI_BITS-1:0] store_tvi;  // of frame_store
    wire                 send;       // SEND: rit_export closes a batch
    wire [1:0]           side_export; // what became of the side's record in rit_export, RIT_*
    wire [1:0]           walk_export; // what became of the walk's record in rit_export, RIT_*
    wire                 hir_hit;    // hir_cache counts a hit
    wire [1:0]           hir_outcome; // what became of the hit in hir_cache, HIR_*
    wire                 hir_fault;  // hir_cache counts a fault
    wire                 hir_due;    // that fault makes a packet due
    wire                 hir_swap;   // that fault closes a packet
`ifdef GMMU_TVI
`undef GMMU_SHOW1
`undef GMMU_SHOW
`define GMMU_SHOW1(name, shows)       assign name = shows;
`define GMMU_SHOW(range, name, shows) assign name = shows;
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    // tvi alone reads these, or some fields of them
    wire unused_tvi = &{1'b0, learner_tvi, tiers_tvi, store_tvi, send, side_export, walk_export, hir_hit, hir_outcome, hir_fault, hir_due, hir_swap,
                        age_index, w9_touch, w9_outcome, w9_entry, s3_refused, s3_hit, s3_clamped, s3_entry, s3_fault, decide_tier, decide_entry, w9, s3, held};

    // ======== walks and side actions
    gmmu_reset_sequence reset_sequence (
        .clk(clk_main),
        .rst(rst),
        .clearing(clearing),
        .cleared(frames_cleared && learner_cleared && hir_cleared && place_cleared)
    );
    assign s_axis_walk_tready = !clearing && !rst;
    gmmu_walk_pipe #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .SM_W(SM_W),
        .FRAME_W(FRAME_W),
        .T2_W(T2_W),
        .AGE_W(AGE_W),
        .TIME_W(TIME_W),
        .SAMP_W(SAMP_W)
    ) walk_pipe (
        .clk(clk_main),
        .rst(rst),
        .cfg_refresh(cfg_refresh),
        .open(s_axis_walk_tready),
        .in_valid(s_axis_walk_tvalid),
        .in_walk(s_axis_walk_tdata),
        .w2_valid(w2_valid),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .w3_valid(w3_valid),
        .w3_page(w3_page),
        .w4_valid(w4_valid),
        .w4_fault(w4_fault),
        .w4_page(w4_page),
        .w5_frame(w5_frame),
        .w7_fault(w7_fault),
        .w7_page(w7_page),
        .w8_page(w8_page),
        .w8_time(w8_time),
        .w8_slot(w8_slot),
        .w9(w9),
        .now(now),
        .next(next),
        .age_due(age_due),
        .scrub_due(scrub_due),
        .busy(walk_busy),
        .wake(walk_wake),
        .stat_walks(stat_walks)
    );
    gmmu_side_port #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .FAULTS(FAULTS),
        .FRAME_MEM(FRAME_MEM),
        .T2_SLOTS(T2_SLOTS),
        .TP_ENTRIES(TP_SETS * TP_WAYS),
        .AGE_W(AGE_W)
    ) side_port (
        .clk(clk_main),
        .rst(rst),
        .cfg_frames(r_frames),
        .open(!clearing),
        .age_frames(frames),
        .age_due(age_due),
        .age_index(age_index),
        .age_entry(age_entry),
        .install_req(install_req),
        .drv_valid(s_axis_drv_tvalid),
        .drv_ready(s_axis_drv_tready),
        .drv(s_axis_drv_tdata),
        .cand_req(cand_req),
        .cand_hand(cand_hand),
        .cand_frame(cand_frame),
        .cand_grant(cand_grant),
        .hand_void(hand_void),
        .hand_came(hand_came),
        .decide_req(decide_req && decide_room),
        .decide_have(decide_have),
        .decide_frame(decide_frame),
        .decide_grant(decide_grant),
        .t_req(t_req),
        .t_kind(t_kind),
        .t_slot(t_slot),
        .t_frame(m_axis_decision_tdata[DECISION_FRAME_O +: FRAME_W]),
        .t_grant(t_grant),
        .t_void(t_void),
        .cand2_came(cand2_came),
        .stays(stays),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s0_slot(s0_slot),
        .s1_slot(s1_slot),
        .s2_slot(s2_slot),
        .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap),
        .may_be(may_be),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .s0_frame(s0_frame),
        .s0_valid(s0_valid),
        .s0_ready(s0_ready),
        .asked(asked),
        .hold(hold),
        .s1_page(s1_page),
        .s2_page(s2_page),
        .s1_comes(s1_comes),
        .a_page(a_page),
        .m2_valid(m2_valid),
        .m2_page(m2_page),
        .m3(m3),
        .s3(s3),
        .s3_had(s3_had),
        .s3_refused(s3_refused),
        .busy(side_busy),
        .wake(side_wake),
        .stat_drv_errors(stat_drv_errors)
    );
    gmmu_frame_store #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .T2_W(T2_W),
        .CLASS_W(CLASS_W),
        .FRAME_MEM(FRAME_MEM),
        .LINES(LINES),
        .TOUCHQ(TOUCHQ),
        .PARITY(PARITY)
    ) frame_store (
        .clk(clk_main),
        .rst(rst),
        .clear(clearing),
        .cleared(frames_cleared),
        .cfg_frames(r_frames),
        .frames(frames),
        .next(next),
        .w5_frame(w5_frame),
        .w8_page(w8_page),
        .w8_time(w8_time),
        .w9(w9),
        .w9_class(w9_class),
        .w9_touch(w9_touch),
        .hit_match(hit_match),
        .hit1_class(hit1_class),
        .hit1_interval(hit1_interval),
        .s0_frame(s0_frame),
        .s0_valid(s0_valid),
        .s0_ready(s0_ready),
        .asked(asked),
        .drv(s_axis_drv_tdata),
        .hold(hold),
        .s2_page(s2_page),
        .expect_last(decide_last),
        .m2_valid(m2_valid),
        .m2_page(m2_page),
        .m3(m3),
        .s3(s3),
        .held(held),
        .fill_class(fill_class),
        .fill_last(fill_last),
        .fill_dirty(fill_dirty),
        .f_take(f_take),
        .f_keep(f_keep),
        .m_frame_ar_valid(m_frame_ar_valid),
        .m_frame_ar_ready(m_frame_ar_ready),
        .m_frame_ar_addr(m_frame_ar_addr),
        .m_frame_r_valid(m_frame_r_valid),
        .m_frame_r_data(m_frame_r_data),
        .m_frame_w_valid(m_frame_w_valid),
        .m_frame_w_ready(m_frame_w_ready),
        .m_frame_w_addr(m_frame_w_addr),
        .m_frame_w_data(m_frame_w_data),
        .m_frame_b_valid(m_frame_b_valid),
        .busy(store_busy),
        .wake(store_wake),
        .cfg_protect(cfg_protect),
        .s4_taken(outcome_leaves),
        .s4_searched(outcome_searched),
        .looked_guarded(looked_guarded),
        .limit_busy(limit_busy),
        .turned(turned[1:0]),
        .segment_turned(turned[14]),
        .walk_bad_frame(walk_bad_frame),
        .side_bad_frame(side_bad_frame),
        .stat_stale_hits(stat_stale_hits),
        .stat_touch_drops(stat_touch_drops),
        .tvi(store_tvi)
    );
    gmmu_fault_unit #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FRAMES(FRAMES),
        .FAULTS(FAULTS),
        .FRAME_MEM(FRAME_MEM),
        .T2_SLOTS(T2_SLOTS),
        .POOL(POOL),
        .K(K),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .TP_TAG_W(TP_TAG_W),
        .TP_CNT_W(TP_CNT_W),
        .PARITY(PARITY)
    ) fault_unit (
        .clk(clk_main),
        .clk_queue(clk_faults),
        .rst(rst),
        .clear(clearing),
        .cleared(place_cleared),
        .cfg_frames(cfg_frames),
        .cfg_search(r_search),
        .cfg_tiers(cfg_tiers),
        .now(now),
        .next(next),
        .w7_page(w7_page),
        .w8_page(w8_page),
        .w8_slot(w8_slot),
        .w9(w9),
        .w9_class(w9_class),
        .w9_outcome(w9_outcome),
        .w9_entry(w9_entry),
        .s0_frame(s0_frame),
        .s0_slot(s0_slot),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s1_slot(s1_slot),
        .s1_page(s1_page),
        .s2_slot(s2_slot),
        .a_page(a_page),
        .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap),
        .may_be(may_be),
        .s3(s3),
        .age_index(age_index[FRAME_W:0]),
        .age_entry(age_entry),
        .held(held),
        .slot_held(slot_held),
        .s3_had(s3_had),
        .s3_left(s3_left),
        .s3_clamped(s3_clamped),
        .s3_hit(s3_hit),
        .s3_entry(s3_entry),
        .s3_fault(s3_fault),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .fill_class(fill_class),
        .fill_last(fill_last),
        .fill_dirty(fill_dirty),
        .waiting(waiting),
        .wanted(wanted),
        .no_search(no_search),
        .hand_takes(hand_takes),
        .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_frame(decide_frame),
        .decide_priority(decide_priority),
        .decide_room(decide_room),
        .f_take(f_take),
        .f_keep(f_keep),
        .decide_tier(decide_tier),
        .decide_entry(decide_entry),
        .outcome_came(outcome_came),
        .outcome(outcome),
        .outcome_kept(outcome_kept),
        .d_valid(m_axis_decision_tvalid),
        .d_ready(m_axis_decision_tready),
        .d(m_axis_decision_tdata),
        .t_req(t_req),
        .t_kind(t_kind),
        .t_slot(t_slot),
        .t_grant(t_grant),
        .cand2_came(cand2_came),
        .t_void(t_void),
        .stays(stays),
        .looked(looked),
        .flush_begun(flush_begun),
        .busy(decision_busy),
        .placing(placing),
        .astray(astray),
        .turned({turned[15], turned[13], turned[11], turned[9]}),
        .bad_slot(bad_slot),
        .stat_merged(stat_merged),
        .stat_fault_drops(stat_fault_drops),
        .stat_none(stat_none),
        .stat_t2_stale(stat_t2_stale),
        .stat_t2_none(stat_t2_none),
        .tvi(tiers_tvi)
    );

    // ======== priorities, the search, and what others are told
    gmmu_learner #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASSES(CLASSES),
        .WAYS(WAYS),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .EXEC_W(EXEC_W),
        .GEN_W(GEN_W),
        .SAMPLER(SAMPLER),
        .SWAYS(SWAYS),
        .RECQ(RECQ),
        .SIDEQ(SIDEQ),
        .PARITY(PARITY),
        .FRAME_W(FRAME_W),
        .T2_W(T2_W),
        .HURRY_W(FRAME_MEM != 0 ? 12 : FRAME_W + 2)
    ) learner (
        .clk(clk_main),
        .clk_learn(clk_learn),
        .clk_ppuc(clk_ppuc),
        .rst(rst),
        .cfg_pseudo(r_pseudo),
        .cfg_feed(r_feed),
        .cfg_censor(r_censor),
        .cfg_sample(cfg_sample),
        .cfg_flush(cfg_flush),
        .clear(clearing),
        .cleared(learner_cleared),
        .w2_valid(w2_valid),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .w3_valid(w3_valid),
        .w3_page(w3_page),
        .w9(w9),
        .now(now),
        .scrub_due(scrub_due),
        .w9_class(w9_class),
        .w9_alloc(w9_alloc),
        .w9_flush(w9_flush),
        .given(given),
        .given_class(given_class),
        .hit_match(hit_match),
        .hit1_class(hit1_class),
        .hit1_interval(hit1_interval),
        .left(s3_left),
        .s3(s3),
        .held(held),
        .slot_held(slot_held),
        .install_req(install_req),
        .looked(looked),
        .walk_rec(walk_rec),
        .walk_censored(walk_censored),
        .walk1_class(walk1_class),
        .walk1_interval(walk1_interval),
        .side_rec(side_rec),
        .side_class(side_class),
        .side_age(side_age),
        .others_calm(search_idle && !placing && !store_busy),
        .search_idle(search_idle && !placing),
        .busy(learner_busy),
        .wake(learner_wake),
        .learn_wake(learn_wake),
        .ppuc_wake(ppuc_wake),
        .turned({turned[10], turned[7:6], turned[4:2]}),
        .stat_rec_drops(stat_rec_drops),
        .stat_stolen(stat_stolen),
        .stat_flushes(stat_flushes),
        .flush_begun(flush_begun),
        .tvi(learner_tvi)
    );
    gmmu_victim_select #(
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .POOL(POOL),
        .K(K),
        .PARITY(PARITY)
    ) victim_select (
        .clk(clk_search),
        .rst(rst),
        .cfg_frames(r_frames),
        .cfg_search(search),
        .wanted(wanted),
        .no_search(no_search),
        .slow(FRAME_MEM != 0 && store_busy),
        .idle(select_idle),
        .cand_req(cand_req),
        .cand_frame(cand_frame),
        .cand_grant(cand_grant),
        .ans_valid(looked[LOOKED_VALID_O] && !looked[LOOKED_T2_O]),
        .ans_eligible(looked[LOOKED_ELIGIBLE_O]),
        .ans_guarded(looked_guarded),
        .ans_priority(looked[LOOKED_PRIORITY_O +: 16]),
        .ans_last(looked[LOOKED_LAST_O +: TIME_W]),
        .ans_frame(looked[LOOKED_PLACE_O +: FRAME_W]),
        .cand_hand(cand_hand),
        .hand_valid(hand_came),
        .hand_eligible(held[HELD_ELIGIBLE_O]),
        .hand_recent(held[HELD_RECENT_O]),
        .hand_last(held[HELD_LAST_O +: TIME_W]),
        .hand_frame(s3[S3_FRAME_O +: FRAME_W]),
        .hand_void(hand_void),
        .decide_req(decide_req),
        .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_searched(decide_searched),
        .decide_frame(decide_frame),
        .decide_last(decide_last),
        .decide_priority(decide_priority),
        .decide_grant(decide_grant),
        .decide_done(outcome_came),
        .decide_retry(outcome == TIER_RETRY),
        .decide_kept(outcome_kept),
        .decide_taken(outcome == TIER_2),
        .hand_takes(hand_takes),
        .turned(turned[12])
    );
    gmmu_rit_export #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASSES(CLASSES),
        .GEN_W(GEN_W),
        .RITQ(RITQ),
        .PARITY(PARITY)
    ) rit_export (
        .clk(clk_export),
        .rst(rst),
        .cfg_batch(cfg_rit_batch),
        .cfg_fault(cfg_rit_fault),
        .cfg_wait(cfg_rit_wait),
        .now(now),
        .side_valid(side_rec),
        .side_class(side_class),
        .side_age(side_age),
        .walk_valid(w9[W9_VALID_O]),
        .walk_fault(w9[W9_FAULT_O]),
        .walk_asid(w9[W9_ASID_O +: ASID_W]),
        .walk_vpn(w9[W9_VPN_O +: VPN_W]),
        .walk_ref(w9[W9_REF_O +: REF_W]),
        .walk_alloc(w9_alloc),
        .walk_gone(w9_flush && given),
        .walk_class(given_class),
        .rec_valid(walk_rec && !(FRAME_MEM != 0 && r_feed)),
        .rec1_class(walk1_class),
        .rec1_interval(walk1_interval),
        .rec_censored(walk_censored),
        .m_tdata(m_axis_rit_tdata),
        .m_tvalid(m_axis_rit_tvalid),
        .m_tlast(m_axis_rit_tlast),
        .m_tready(m_axis_rit_tready),
        .idle(export_idle),
        .rests(export_rests),
        .turned(turned[8]),
        .stat_drops(stat_rit_drops),
        .tvi_send(send),
        .tvi_side(side_export),
        .tvi_walk(walk_export)
    );
    gmmu_hir_cache #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .HIR_SETS(HIR_SETS),
        .HIR_WAYS(HIR_WAYS),
        .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W),
        .PARITY(PARITY)
    ) hir_cache (
        .clk(clk_learn),
        .rst(rst),
        .cfg_transfer(cfg_transfer),
        .clear(clearing),
        .cleared(hir_cleared),
        .walk_valid(w4_valid),
        .walk_fault(w4_fault),
        .walk_asid(w4_page[PAGE_ASID_O +: ASID_W]),
        .walk_vpn(w4_page[PAGE_VPN_O +: VPN_W]),
        .m_tdata(m_axis_hir_tdata),
        .m_tvalid(m_axis_hir_tvalid),
        .m_tlast(m_axis_hir_tlast),
        .m_tready(m_axis_hir_tready),
        .idle(hir_idle),
        .turned(turned[16]),
        .stat_drops(stat_hir_drops),
        .stat_skipped(stat_hir_skipped),
        .tvi_hit(hir_hit),
        .tvi_outcome(hir_outcome),
        .tvi_fault(hir_fault),
        .tvi_due(hir_due),
        .tvi_swap(hir_swap)
    );
    gmmu_range_port #(
        .RANGES(RANGES),
        .ASID_W(ASID_W),
        .VPN_W(VPN_W),
        .PARITY(PARITY)
    ) range_port (
        .clk(clk),
        .rst(rst),
        .cfg_range_bytes(cfg_range_bytes),
        .s_tdata(s_axis_range_tdata),
        .s_tvalid(s_axis_range_tvalid),
        .s_tready(s_axis_range_tready),
        .m_tdata(m_axis_xfer_tdata),
        .m_tvalid(m_axis_xfer_tvalid),
        .m_tlast(m_axis_xfer_tlast),
        .m_tready(m_axis_xfer_tready),
        .turned(turned[5]),
        .idle(range_idle)
    );
    gmmu_parity_log #(
        .PLACES(17),
        .MORE(9),
        .AT_W(PLACE_W)
    ) parity_log (
        .clk(clk),
        .rst(rst),
        .turned(turned),
        .at0({{PLACE_W-FRAME_W{1'b0}}, side_bad_frame}),
        .at1({{PLACE_W-FRAME_W{1'b0}}, walk_bad_frame}),
        .at_more({{PLACE_W-T2_W{1'b0}}, bad_slot}),
        .stat_parity(stat_parity),
        .stat_parity_last(stat_parity_last)
    );

    // ======== what the unit alone has to do: no beat that somebody else leaves waiting stands in its way
    wire rit_waits      = m_axis_rit_tvalid && !m_axis_rit_tready;
    wire hir_waits      = m_axis_hir_tvalid && !m_axis_hir_tready;
    wire xfer_waits     = m_axis_xfer_tvalid && !m_axis_xfer_tready;
    wire decision_waits = m_axis_decision_tvalid && !m_axis_decision_tready;
    wire comes          = s_axis_walk_tvalid || s_axis_drv_tvalid || s_axis_range_tvalid;
    reg  was_quiet;     // the unit was quiet, or in reset, in the cycle before
    always @(posedge clk)
        was_quiet <= quiet || rst;
    wire [5:0] pending = {
        astray,                                                                               // a count is corrupt
        !was_quiet && !comes && !rit_waits && !hir_waits && !xfer_waits && !decision_waits,   // rest
        s_axis_range_tvalid && !s_axis_range_tready && !xfer_waits,                           // an operation on a range
        s_axis_drv_tvalid && !s_axis_drv_tready && !clearing,                                 // an operation of the driver
        (waiting || placing) && !m_axis_decision_tvalid,                                      // a decision
        clearing                                                                              // the reset sequence
    };
    gmmu_watchdog #(
        .ITEMS(6)
    ) watchdog (
        .clk(clk),
        .rst(rst),
        .cfg(cfg_watchdog),
        .owes(pending),
        .stat_watchdog(stat_watchdog),
        .stat_watchdog_last(stat_watchdog_last)
    );

    // ======== at rest, and clocks that rest
    assign quiet = !(clearing || walk_busy || side_busy || store_busy || learner_busy || decision_busy) && search_idle && export_idle && hir_idle && range_idle;
    localparam CFG_W = FRAME_W + 2 + 4 + 4 + 5 + 8 + 1 + 4 + 16 + 8 + T2_W + 8 + 2 * TIME_W + ASID_W + 1;
    wire [CFG_W-1:0] cfg = {
        cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor, cfg_sample, cfg_refresh, cfg_rit_batch, cfg_rit_fault, cfg_rit_wait, cfg_transfer,
        cfg_protect, cfg_t2_slots, cfg_tier, cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie, cfg_tier_near, cfg_tier_far, cfg_flush
    };
    wire any_record = w9[W9_VALID_O] || walk_rec || side_rec; // rit_export may get a record
    gmmu_clocks #(
        .CFG_W(CFG_W)
    ) clocks (
        .clk(clk),
        .rst(rst),
        .clear(clearing),
        .cfg(cfg),
        .main_wake(walk_wake || side_wake || learner_wake || store_wake || limit_busy || !search_idle || decision_busy),
        .learn_wake(walk_busy || learn_wake || !hir_idle),
        .export_wake((cfg_rit_batch != 0 && any_record) || given || !export_rests),
        .faults_wake(w7_fault || w9[W9_FAULT_O] || s1_comes || (s3[S3_VALID_O] && !s3[S3_CAND_O])),
        .search_wake(!search_idle || (looked[LOOKED_VALID_O] && !looked[LOOKED_T2_O]) || outcome_came),
        .ppuc_wake(ppuc_wake),
        .clk_main(clk_main),
        .clk_learn(clk_learn),
        .clk_export(clk_export),
        .clk_faults(clk_faults),
        .clk_search(clk_search),
        .clk_ppuc(clk_ppuc)
    );

endmodule
`default_nettype wire
