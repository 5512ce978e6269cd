// SPDX-License-Identifier: Apache-2.0
// gmmu_tier: the memory-tiering unit: its parts and the wires between them (docs/reference/blocks/gmmu_tier.md).
//
//   walks         s_axis_walk ─► walk_pipe w1 … w9 ─┬─ w2, w3, w9 ─► learner ─ records ─► rit_export ─► m_axis_rit
//                                                   ├─ w4 ─────────► hir_cache ─► m_axis_hir
//                                                   ├─ w5, w8, w9 ─► frame_store
//                                                   └─ w7 … w9 ────► fault_unit
//   side actions  s_axis_drv ──► side_port s0 … s3 ─┬─ s0 … s3 ────► frame_store ─ held ─► learner ─ looked ─► victim_select
//                                                   └─ s0 … s3 ────► fault_unit
//   decisions     fault_unit ─ wanted ─► victim_select ─ CAND, HAND, DECIDE ─► side_port ─► fault_unit ─┬─ outcome ─► victim_select
//                                                                                                       └─► m_axis_decision
//   ranges        s_axis_range ─► range_port ─► m_axis_xfer
//
// Parts: learner holds the trace sampler, the record queues (record_feed), the reuse histograms (ref_rit) and the priorities (ppuc);
// fault_unit the outstanding faults (fault_queue) and the tiers (tier_place: slots, predictor, a search of its own); frame_store the
// frames and which of them are protected; victim_select the search in Tier 1; hir_cache the hits of page sets (HIR,
// hit information records); range_port the ranges. The drawing has the main flows; each section of wires names its driver.
//
// Terms: a page lies in a frame (Tier 1, GPU memory), in a slot (Tier 2, host memory) or in Tier 3 (SSD). A reference is a memory
// instruction. Each reference has a row of the Ref RIT (reuse-interval table): a histogram of the reuse intervals of its pages. Its class
// is the number of the row with the row's generation; row 0 is the histogram of all references. Time is the number of walks. PPUC, profit per
// unit cost, is the priority of a page. `FRAME_MEM:` marks signals that are used only with frames in outside memory.
//
// A walk takes effect at w9, a side action at s3; of the two of one cycle the side action counts first. Side actions (SIDE_*):
//
//   DRV      an operation of the software driver (OP_*):         DECIDE   the oldest fault is decided
//            FILL, FREE, PIN, UNPIN, CANCEL, ASK, T2_*           RISE     does the faulting page lie in the slot that its walk names?
//   AGE      an old time stamp is moved up before time wraps     PLACE    the victim gets its tier
//   INSTALL  new priorities of a row come into force             TOUCH    FRAME_MEM: a walk hit reaches its frame
//   CAND     the search reads a frame; CAND2: a slot             EXPIRE   an old fresh frame is not fresh any more
//   HAND     the clock's hand passes a frame
//
// A replay is a walk that is asked for again after its fault. It is no access: learner, hir_cache and time do not see it. A frame that
// answered a fault is fresh, and no victim, until its page is used, by a replay or an access.
//
// A fault, step by step:
//   1. w9: fault_unit notes the fault, with the class of its reference, which learner gives. Some cycles later (ENTER) the fault takes a free
//      entry, or joins the page's outstanding fault. A fault of a page that has arrived meanwhile is late, and ends there.
//   2. If no older fault waits, the fault is `wanted`. With credit (free frames beyond those that decisions reserved) no
//      search is needed (no_search). Else victim_select asks side_port for CAND after CAND: frame_store shows the frame at s3 (held),
//      and learner its priority six cycles later (looked). Search clock asks for HANDs, whose answer is at s3 (held).
//   3. victim_select asks for DECIDE. At s3 frame_store says whether the candidate's page may still leave (held, from its last access and
//      decide_last), and fault_unit takes the page (f_take). The page stays in its frame, leaving, until the driver's FREE or FILL.
//   4. A cycle later the outcome is known: a free frame, a victim, NONE, or RETRY: the candidate was accessed meanwhile, or is kept
//      (outcome_kept: the predictor foretells its reuse, cfg_tier 3), and the search goes on.
//   5. With tiers the decision waits for its place (placing). tier_place asks for RISE if the walk named a slot, then, if there is a
//      victim, for CAND2s and PLACE. Then m_axis_decision is valid.
//
// Words between the parts: w9 and s3 (a walk, a side action at its effect), held and slot_held (content of the frame and the slot of s3),
// looked (a candidate's priority), asked and m3 (FRAME_MEM: a side action on its way to memory, and back). A word has one driver and one
// generated layout; rtl/gmmu_WORD.vh has its fields. Early bits are wires of their own: w5_frame is the frame of the walk at w5, a_page the
// page of the side action that will be at s3 in the next cycle. Beats of streams: docs/reference/formats.md. Registers: docs/reference/registers.md.
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // sizes that follow from these
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
    input  wire                  test_en, // scan test: all clocks run; 0 in use
    // registers
`include "gmmu_cfg_inputs.vh"
    // walks: one is taken in every cycle from the end of the reset sequence on
    input  wire                  s_axis_walk_tvalid,
    output wire                  s_axis_walk_tready,
    input  wire [WALK_TDATA-1:0] s_axis_walk_tdata,
    // the driver's operations
    input  wire                  s_axis_drv_tvalid,
    output wire                  s_axis_drv_tready,
    input  wire [DRV_TDATA-1:0]  s_axis_drv_tdata,
    // decisions
    output wire                  m_axis_decision_tvalid,
    input  wire                  m_axis_decision_tready,
    output wire [DEC_TDATA-1:0]  m_axis_decision_tdata,
    // FRAME_MEM: the memory of the frame table (docs/reference/blocks/frame_mem.md)
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
    output wire [RIT_TDATA-1:0]  m_axis_rit_tdata,
    // walk hits for the driver: a header beat, then its records, the last record with tlast
    output wire                  m_axis_hir_tvalid,
    input  wire                  m_axis_hir_tready,
    output wire                  m_axis_hir_tlast,
    output wire [HIR_TDATA-1:0]  m_axis_hir_tdata,
    // operations on ranges of memory (docs/reference/blocks/range_dir.md)
    input  wire                  s_axis_range_tvalid,
    output wire                  s_axis_range_tready,
    input  wire [RANGE_TDATA-1:0] s_axis_range_tdata,
    // transfers of ranges, and answers, in packets
    output wire                  m_axis_xfer_tvalid,
    input  wire                  m_axis_xfer_tready,
    output wire                  m_axis_xfer_tlast,
    output wire [XFER_TDATA-1:0] m_axis_xfer_tdata,
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
`include "gmmu_limits.vh"
    // an unknown module stops every tool at elaboration, with its name as the reason
    generate
        if (WALK_TW != WALK_BITS || DRV_TW != DRV_BITS || DECISION_TW != DEC_BITS ||
            RIT_TW != RIT_REC_BITS || RIT_HEAD_TW != RIT_HEAD_BITS || HIR_TW != HIR_REC_BITS || HIR_HEAD_TW > HIR_BITS || // (a short header is padded)
            RANGE_TW != RANGE_BITS || XFER_TW != XFER_BITS) begin : g_bad_streams
            stream_layouts_do_not_match stop_here();
        end
    endgenerate

    // The sections of wires and those of instances have the same titles in the same order; a wire is in the section of the part that drives the wire.
    // ======== clocks, reset
    wire                   clk_main;        // clock of walks, side actions and decisions; it rests when nothing is under way, as those below do
    wire                   clk_learn;       // clock of the sampler, the Ref RIT and the HIR cache
    wire                   clk_export;      // clock of rit_export
    wire                   clk_faults;      // clock of fault_queue
    wire                   clk_search;      // clock of victim_select
    wire                   clk_ppuc;        // clock of ppuc
    wire                   clearing;        // the reset sequence is under way: tables are being cleared

    // ======== tdata of the ports: whole bytes. The bits above a beat are 0 from the unit, and ignored by the unit
    wire [WALK_BITS-1:0]   walk_beat  = s_axis_walk_tdata[WALK_BITS-1:0];   // the offered walk
    wire [DRV_BITS-1:0]    drv_beat   = s_axis_drv_tdata[DRV_BITS-1:0];     // the offered operation of the driver
    wire [RANGE_BITS-1:0]  range_beat = s_axis_range_tdata[RANGE_BITS-1:0]; // the offered operation on a range
    wire [DEC_BITS-1:0]    decision_beat;   // the decision
    wire [RIT_BITS-1:0]    rit_beat;        // a beat of records
    wire [HIR_BITS-1:0]    hir_beat;        // a beat of hit records
    wire [XFER_BITS-1:0]   xfer_beat;       // a transfer or an answer
    assign m_axis_decision_tdata = {{DEC_TDATA-DEC_BITS{1'b0}}, decision_beat};
    assign m_axis_rit_tdata      = {{RIT_TDATA-RIT_BITS{1'b0}}, rit_beat};
    assign m_axis_hir_tdata      = {{HIR_TDATA-HIR_BITS{1'b0}}, hir_beat};
    assign m_axis_xfer_tdata     = {{XFER_TDATA-XFER_BITS{1'b0}}, xfer_beat};
    wire unused_above = &{1'b0, s_axis_walk_tdata, s_axis_drv_tdata, s_axis_range_tdata};

    // ======== registers
    reg  [FRAME_W:0]       r_frames;        // cfg_frames, delayed by a cycle, because many places read it
    reg                    r_pseudo;        // cfg_pseudo, delayed by a cycle
    reg  [1:0]             r_search;        // cfg_search, delayed by a cycle
    reg                    r_feed;          // cfg_feed (records come from resident pages, not from the sampler), delayed by a cycle
    reg                    r_censor;        // cfg_censor, delayed by a cycle
    reg                    r_fresh;         // cfg_fresh is not 0, delayed by a cycle
    reg  [FRAME_W-1:0]     r_ahead;         // cfg_ahead, delayed by a cycle
    always @(posedge clk) begin
        r_frames <= cfg_frames;
        r_pseudo <= cfg_pseudo;
        r_search <= cfg_search;
        r_feed   <= cfg_feed;
        r_censor <= cfg_censor;
        r_fresh  <= cfg_fresh != 0;
        r_ahead  <= cfg_ahead;
    end
    wire [1:0]             search = FRAME_MEM != 0 ? SEARCH_SAMPLE : r_search; // the search in Tier 1, SEARCH_*
    wire [CFGT_BITS-1:0]   cfg_tiers = {
        cfg_tier_far,     // far
        cfg_tier_near,    // near
        cfg_tie,          // tie
        cfg_tier_model,   // model
        cfg_tier_default, // default
        cfg_t2_full,      // full
        cfg_tier,         // tier
        cfg_t2_slots      // slots
    };

    // ======== walk_pipe: walks, time
    wire                   w2_valid;        // an access is at w2
    wire                   w2_look;         // a replay that faults is at w2
    wire [ASID_W-1:0]      w2_asid;         // address space of the walk at w2
    wire [REF_W-1:0]       w2_ref;          // reference of the walk at w2
    wire [6*REF_W-1:0]     refs;            // reference of the walk at w8, w7, w6, w5, w4, w3
    wire                   w3_valid;        // an access is at w3
    wire [PAGE_BITS-1:0]   w3_page;         // page of the walk at w3
    wire                   w4_valid;        // an access is at w4
    wire                   w4_fault;        // the walk at w4 is a fault
    wire [PAGE_BITS-1:0]   w4_page;         // page of the walk at w4
    wire [FRAME_W-1:0]     w5_frame;        // frame that the walker found, of the walk at w5
    wire                   w7_fault;        // a fault is at w7
    wire [PAGE_BITS-1:0]   w8_page;         // page of the walk at w8
    wire [5*PAGE_BITS-1:0] pages;           // page of the walk at w9, w8, w7, w6, w5
    wire [TIME_W-1:0]      w8_time;         // time of the walk at w8
    wire [W9_BITS-1:0]     w9;              // the walk at its effect
    wire [TIME_W-1:0]      now;             // time without the walk at w9
    wire [TIME_W-1:0]      next;            // time with the walk at w9, if there is one
    wire                   epoch_ends;      // an epoch of fresh frames ends with the walk at w9
    wire                   age_due;         // an AGE is due from this cycle on
    wire                   scrub_due;       // a SCRUB, the AGE of the sampler, is due from this cycle on
    wire                   walk_busy;       // a walk is under way
    wire                   walk_wake;       // walks need clk_main

    // ======== side_port: side actions
    wire                   s0_valid;        // FRAME_MEM: an action is granted
    wire [ASKED_BITS-1:0]  asked;           // FRAME_MEM: the granted action, as frame_store needs it
    wire [FRAME_W-1:0]     s0_frame;        // frame of the action at s0
    wire [T2_W-1:0]        s0_slot;         // slot of the action at s0
    wire                   s1_slot_valid;   // the action at s1 reads a slot
    wire                   s1_rise;         // the action at s1 is RISE
    wire [T2_W-1:0]        s1_slot;         // slot of the action at s1
    wire [PAGE_BITS-1:0]   s2_page;         // page that the driver names, at s2
    wire                   s3_may_done;     // T2_FILL_DONE comes to s3 in the next cycle
    wire                   s3_may_swap;     // T2_SWAP comes to s3 in the next cycle
    wire                   install_coming;  // an INSTALL may come to s3 three cycles later
    wire [S3_BITS-1:0]     s3;              // the side action at its effect
    wire                   s3_refused;      // the driver's operation at s3 is refused
    wire                   cand_grant;      // victim_select's CAND or HAND is granted
    wire                   hand_came;       // a HAND is at s3, void or not
    wire                   decide_grant;    // victim_select's DECIDE is granted
    wire                   find_req;        // the driver offers an operation whose page fault_queue is to find
    wire                   find_take;       // that operation is granted
    wire                   age_fault;       // an AGE of the outstanding fault age_index - FRAMES is due
    wire                   expire_grant;    // fault_queue's EXPIRE is granted
    wire                   t_grant;         // tier_place's action is granted
    wire                   cand2_came;      // a CAND2 is at s3, void or not
    wire [AGE_W-1:0]       age_index;       // place that AGE visits: frames, then faults, slots, entries of the predictor
    wire [TP_W-1:0]        age_entry;       // AGE of an entry of the predictor: that entry
    wire                   side_busy;       // an action is pending or under way
    wire                   side_wake;       // side actions need clk_main

    // ======== frame_store: frames
    wire                   frames_cleared;  // all frames are empty
    wire [FRAME_W:0]       frames;          // number of frames that AGE can read
    wire                   s0_ready;        // FRAME_MEM: an action is taken
    wire [M3_BITS-1:0]     m3;              // FRAME_MEM: the action that comes back now
    wire [HELD_BITS-1:0]   held;            // content of the frame of the action at s3
    wire [1:0]             w9_touch;        // FRAME_MEM: outcome of the walk hit, REC_*
    wire                   hit_match;       // the walk at w9, or TOUCH, finds its page in its frame
    wire                   hit_found;       // the same, of a replay too
    wire [CLASS_W-1:0]     hit1_class;      // a cycle later: class of the access before
    wire [TIME_W-1:0]      hit1_interval;   // a cycle later: walks since the access before
    wire                   looked_guarded;  // the frame of the answer `looked` is protected
    wire                   limit_busy;      // the number of frames that may be protected changes
    wire                   store_busy;      // FRAME_MEM: an action or a hit is under way
    wire                   store_wake;      // FRAME_MEM: frames need clk_main
    wire [1:0]             frames_turned;   // corrupt words: {a walk met one, a side action met one}
    wire                   segment_turned;  // corrupt bits of the protected segment
    wire [FRAME_W-1:0]     walk_bad_frame;  // frame of the last corrupt word that a walk met
    wire [FRAME_W-1:0]     side_bad_frame;  // frame of the last corrupt word that a side action met
    wire [STVI_BITS-1:0]   store_tvi;       // signals of frame_store for tvi

    // ======== fault_unit: faults, decisions, tiers
    wire                   place_cleared;   // the tiers are empty
    wire [2:0]             w9_outcome;      // what became of the fault at w9: FAULT_NONE, QUEUED (noted), DROPPED
    wire                   enter_valid;     // ENTER: the oldest note meets the outstanding faults
    wire [2:0]             enter_outcome;   // outcome of the ENTER, FAULT_*
    wire [IDX_W-1:0]       enter_entry;     // entry of the fault that enters
    wire                   find_ready;      // the page of the driver's operation is found
    wire                   decide_ok;       // a DECIDE may be granted
    wire                   age_fault_done;  // the AGE of an outstanding fault takes effect
    wire                   age_clamped;     // that AGE clamps
    wire                   expire_req;      // an EXPIRE is due
    wire [FRAME_W-1:0]     expire_frame;    // frame of the EXPIRE
    wire                   may_be;          // the T2_FILL_DONE or T2_SWAP that comes to s3 in the next cycle will be accepted
    wire                   done_ok;         // the T2_FILL_DONE or T2_SWAP at s3 is accepted
    wire                   t2_refused;      // the T2_FREE or T2_CANCEL at s3 is refused
    wire [SLOT_BITS-1:0]   slot_held;       // content of the slot of the action at s3
    wire                   s3_had;          // CANCEL: there is something to cancel
    wire                   spare;           // a frame is free and not promised
    wire                   s3_left;         // FILL, FREE: the page that was in the frame is gone
    wire                   s3_hit;          // FILL: the page has a fault; CANCEL: the page has a decided fault
    wire [IDX_W-1:0]       s3_entry;        // entry of the fault of the action at s3
    wire [2:0]             s3_fault;        // ASK: outcome of its fault, FAULT_*
    wire                   stays;           // a STAY (a victim stayed) is pending for the predictor: CANCEL must wait
    wire [CLASS_W-1:0]     fill_class;      // FILL: class of the page's last access
    wire [TIME_W-1:0]      fill_last;       // FILL: time of the page's last access
    wire                   fill_dirty;      // FILL: the page differs from its copy below
    wire                   fill_fresh;      // FILL: the page answers a fault, and its frame is fresh
    wire                   waiting;         // a fault waits for its ENTER or its decision
    wire                   forces;          // the fault to decide next may take a fresh frame
    wire                   queue_busy;      // something is under way in fault_queue
    wire                   wanted;          // the fault to decide next is known: a search may begin
    wire                   no_search;       // the fault to decide next needs no victim
    wire                   decide_room;     // there is room for a decision
    wire                   f_take;          // DECIDE: the candidate's page becomes leaving, if the page still may leave
    wire                   f_keep;          // DECIDE: the candidate's page is kept after all, as its reuse is foretold (cfg_tier 3)
    wire [2:0]             decide_tier;     // DECIDE: `outcome` of the next cycle, TIER_*
    wire [IDX_W-1:0]       decide_entry;    // DECIDE: entry of the fault that is decided
    wire                   decide_ahead;    // DECIDE: no fault is undecided; the decision is ahead of need
    wire                   outcome_came;    // a cycle after DECIDE (FRAME_MEM: at once): the outcome is known
    wire [2:0]             outcome;         // outcome of the DECIDE, TIER_*; TIER_2: there is a victim, whose tier PLACE decides
    wire                   outcome_kept;    // outcome of the DECIDE: the candidate is kept
    wire                   t_req;           // tier_place asks for an action
    wire [3:0]             t_kind;          // kind of tier_place's action, SIDE_*
    wire [T2_W-1:0]        t_slot;          // slot of tier_place's action
    wire                   t_void;          // the CAND2 at s3 is void
    wire                   ahead_busy;      // a victim is to leave ahead, or it is not known yet whether one is
    wire                   decision_busy;   // a decision waits, or the predictor is asked
    wire                   placing;         // a decision is made, and tier_place places the decision
    wire                   astray;          // the count of free frames is corrupt: no decision gives a free frame from now on
    wire [4:0]             tiers_turned;    // corrupt words: {fault, to2 of a frame, candidate of Tier 2, predictor, slot}
    wire [T2_W-1:0]        bad_slot;        // slot of the last corrupt word
    wire [TTVI_BITS-1:0]   tiers_tvi;       // signals of tier_place for tvi

    // ======== learner: reuse intervals, priorities
    wire                   learner_cleared; // the sampler and the Ref RIT are empty
    wire [CLASS_W-1:0]     w9_class;        // class of the walk at w9
    wire                   w9_alloc;        // the reference of the walk at w9 becomes the owner of its row in this cycle
    wire                   w9_flush;        // FLUSH of an address space visits the row of given_class; a walk at w9 has row 0
    wire                   given;           // the row of given_class changes or loses its owner
    wire [CLASS_W-1:0]     given_class;     // the row, and its generation from now on
    wire                   install_req;     // an INSTALL is wanted
    wire [LOOKED_BITS-1:0] looked;          // priority of the candidate that was at s3 six cycles before
    wire                   walk_rec;        // the walk gives a record: a reuse interval
    wire                   walk_censored;   // the walk's record is an age without reuse
    wire [CLASS_W-1:0]     walk1_class;     // a cycle later: class of the walk's record
    wire [TIME_W-1:0]      walk1_interval;  // a cycle later: interval of the walk's record
    wire                   side_rec;        // a page that leaves, or a SCRUB, gives a record
    wire [CLASS_W-1:0]     side_class;      // class of the side's record
    wire [TIME_W-1:0]      side_age;        // age of the side's record
    wire                   flush_begun;     // toggles with each flush that begins
    wire                   learner_busy;    // something is pending or under way in learner
    wire                   learner_wake_main;  // learner needs clk_main
    wire                   learner_wake_learn; // learner needs clk_learn
    wire                   learner_wake_ppuc;  // learner needs clk_ppuc
    wire [5:0]             learner_turned;  // corrupt words: {refresh, sampler, directory, priority, record, counts}
    wire [LTVI_BITS-1:0]   learner_tvi;     // signals of learner for tvi

    // ======== victim_select: the search in Tier 1
    wire                   select_idle;     // no search is under way
    wire                   cand_req;        // a CAND or a HAND is wanted
    wire                   cand_hand;       // a HAND is wanted
    wire [FRAME_W-1:0]     cand_frame;      // frame of the wanted CAND or HAND
    wire                   hand_void;       // the HAND at s3 is void: an earlier HAND found the candidate
    wire                   hand_takes;      // the HAND of the cycle before found the candidate
    wire                   decide_req;      // a DECIDE is wanted
    wire                   decide_have;     // there is a candidate
    wire                   decide_tired;    // there is no candidate, and the search gives up
    wire                   forced;          // the search may take a fresh frame
    wire                   decide_fresh;    // the search passed over a fresh frame
    wire                   decide_searched; // frames were searched for the decision; valid until its outcome is known
    wire [FRAME_W-1:0]     decide_frame;    // frame of the candidate
    wire [15:0]            decide_priority; // priority of the candidate
    wire [TIME_W-1:0]      decide_last;     // last access of the candidate's page, as the search saw it
    wire                   select_turned;   // corrupt candidates

    // ======== rit_export, hir_cache, range_port: outputs for others
    wire                   export_idle;     // no batch is due or leaves
    wire                   export_rests;    // nothing happens in rit_export without an input
    wire                   export_turned;   // corrupt records
    wire                   send;            // SEND: rit_export closes a batch
    wire [1:0]             side_export;     // outcome of the side's record in rit_export, RIT_*
    wire [1:0]             walk_export;     // outcome of the walk's record in rit_export, RIT_*
    wire                   hir_cleared;     // hir_cache is empty
    wire                   hir_idle;        // nothing is under way in hir_cache
    wire                   hir_turned;      // corrupt words of hir_cache
    wire                   hir_hit;         // hir_cache counts a hit
    wire [1:0]             hir_outcome;     // outcome of the hit, HIR_*
    wire                   hir_fault;       // hir_cache counts a fault
    wire                   hir_due;         // the fault makes a packet due
    wire                   hir_swap;        // the fault closes a packet
    wire                   range_idle;      // nothing is under way in range_port
    wire                   range_turned;    // corrupt words of range_dir

    // ======== signals that follow from these
    wire search_idle      = select_idle && !waiting && !ahead_busy; // no search is under way or wanted
    wire search_calm      = search_idle && !placing;        // and no search in Tier 2
    wire others_calm      = search_calm && !store_busy;     // and no access to frames in outside memory
    wire ends_arrived     = w9_flush && given_class[GEN_W +: ROW_W] == 0; // a flush begins: no page counts as arrived any more
    wire may_decide       = decide_req && decide_room;      // a DECIDE is wanted, and there is room for its decision
    wire victim_chosen    = outcome == TIER_2;              // the outcome: the candidate is the victim
    wire decide_again     = outcome == TIER_RETRY;          // the outcome: the search goes on
    wire victim_taken     = outcome_came && victim_chosen;  // the candidate becomes the victim in this cycle
    wire search_ends      = outcome_came && decide_searched && !decide_again; // a search of frames ends with its decision
    wire looked_1         = looked[LOOKED_VALID_O] && !looked[LOOKED_T2_O];   // `looked` answers a CAND
    wire row_gone         = w9_flush && given;              // a FLUSH takes a row away
    wire walk_exported    = walk_rec && !(FRAME_MEM != 0 && r_feed); // with FRAME_MEM and cfg_feed records are of TOUCHes, not of the walk at w9
    wire all_cleared      = frames_cleared && learner_cleared && hir_cleared && place_cleared;
    // page of the operation that the driver offers
    wire [PAGE_BITS-1:0] offered_page = {drv_beat[DRV_ASID_O +: ASID_W], drv_beat[DRV_VPN_O +: VPN_W]};
    wire [FRAME_W-1:0] decision_frame = decision_beat[DECISION_FRAME_O +: FRAME_W]; // frame of the victim, valid while tier_place places the victim

    // ======== clocks, reset
    gmmu_reset_sequence reset_sequence (
        .clk(clk_main),
        .rst(rst),
        .clearing(clearing),
        .cleared(all_cleared)
    );
    assign s_axis_walk_tready = !clearing && !rst;

    // ======== walk_pipe: walks, time
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
        .cfg_fresh(cfg_fresh),
        .open(s_axis_walk_tready),
        .in_valid(s_axis_walk_tvalid),
        .in_walk(walk_beat),
        // stages, and the effect
        .w2_valid(w2_valid),
        .w2_look(w2_look),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .refs(refs),
        .w3_valid(w3_valid),
        .w3_page(w3_page),
        .w4_valid(w4_valid),
        .w4_fault(w4_fault),
        .w4_page(w4_page),
        .w5_frame(w5_frame),
        .w7_fault(w7_fault),
        .w8_page(w8_page),
        .pages(pages),
        .w8_time(w8_time),
        .w9(w9),
        .now(now),
        .next(next),
        .epoch_ends(epoch_ends),
        .age_due(age_due),
        .scrub_due(scrub_due),
        .busy(walk_busy),
        .wake(walk_wake),
        .stat_walks(stat_walks),
        .stat_replays(stat_replays)
    );

    // ======== side_port: side actions
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
        // AGE, INSTALL
        .age_frames(frames),
        .age_due(age_due),
        .age_index(age_index),
        .age_entry(age_entry),
        .install_req(install_req),
        // fault_queue
        .find_req(find_req),
        .find_ready(find_ready),
        .find_take(find_take),
        .decide_ok(decide_ok),
        .age_fault(age_fault),
        .age_fault_done(age_fault_done),
        .expire_req(expire_req),
        .expire_frame(expire_frame),
        .expire_grant(expire_grant),
        // the driver
        .drv_valid(s_axis_drv_tvalid),
        .drv_ready(s_axis_drv_tready),
        .drv(drv_beat),
        // victim_select
        .cand_req(cand_req),
        .cand_hand(cand_hand),
        .cand_frame(cand_frame),
        .cand_grant(cand_grant),
        .hand_void(hand_void),
        .hand_came(hand_came),
        .decide_req(may_decide),
        .decide_have(decide_have),
        .decide_frame(decide_frame),
        .decide_grant(decide_grant),
        // tier_place
        .t_req(t_req),
        .t_kind(t_kind),
        .t_slot(t_slot),
        .t_frame(decision_frame),
        .t_grant(t_grant),
        .t_void(t_void),
        .cand2_came(cand2_came),
        .stays(stays),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s0_slot(s0_slot),
        .s1_slot(s1_slot),
        .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap),
        .may_be(may_be),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        // frame_store
        .s0_frame(s0_frame),
        .s0_valid(s0_valid),
        .s0_ready(s0_ready),
        .asked(asked),
        .install_coming(install_coming),
        .s2_page(s2_page),
        .m3(m3),
        // the effect
        .s3(s3),
        .s3_had(s3_had),
        .spare(spare),
        .s3_refused(s3_refused),
        .busy(side_busy),
        .wake(side_wake),
        .stat_drv_errors(stat_drv_errors)
    );

    // ======== frame_store: frames
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
        // walks
        .w5_frame(w5_frame),
        .w8_page(w8_page),
        .w8_time(w8_time),
        .w9(w9),
        .w9_class(w9_class),
        .w9_touch(w9_touch),
        .hit_match(hit_match),
        .hit_found(hit_found),
        .hit1_class(hit1_class),
        .hit1_interval(hit1_interval),
        // side actions on their way
        .s0_frame(s0_frame),
        .s0_valid(s0_valid),
        .s0_ready(s0_ready),
        .asked(asked),
        .drv(drv_beat),
        .install_coming(install_coming),
        .s2_page(s2_page),
        .expect_last(decide_last),
        .m3(m3),
        // the effect
        .s3(s3),
        .held(held),
        .fill_class(fill_class),
        .fill_last(fill_last),
        .fill_dirty(fill_dirty),
        .f_take(f_take),
        .f_keep(f_keep),
        .fill_fresh(fill_fresh),
        .s3_force(forced),
        // outside memory
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
        // the protected segment
        .cfg_protect(cfg_protect),
        .s4_taken(victim_taken),
        .s4_searched(search_ends),
        .looked_guarded(looked_guarded),
        .limit_busy(limit_busy),
        // corrupt words, counters
        .turned(frames_turned),
        .segment_turned(segment_turned),
        .walk_bad_frame(walk_bad_frame),
        .side_bad_frame(side_bad_frame),
        .stat_stale_hits(stat_stale_hits),
        .stat_touch_drops(stat_touch_drops),
        .tvi(store_tvi)
    );

    // ======== fault_unit: faults, decisions, tiers
    gmmu_fault_unit #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FRAMES(FRAMES),
        .FAULTS(FAULTS),
        .NOTES(NOTES),
        .LATE(LATE),
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
        .cfg_ahead(r_ahead),
        .cfg_search(r_search),
        .cfg_tiers(cfg_tiers),
        .now(now),
        .next(next),
        .epoch_ends(epoch_ends),
        .makes_fresh(r_fresh),
        // walks
        .w9(w9),
        .w9_class(w9_class),
        .w9_outcome(w9_outcome),
        .enter_valid(enter_valid),
        .enter_outcome(enter_outcome),
        .enter_entry(enter_entry),
        // what side_port asks of fault_queue
        .find_req(find_req),
        .find_page(offered_page),
        .find_ready(find_ready),
        .find_take(find_take),
        .decide_req(may_decide),
        .decide_ok(decide_ok),
        .decide_take(decide_grant),
        .age_fault(age_fault),
        .age_fault_done(age_fault_done),
        .expire_req(expire_req),
        .expire_frame(expire_frame),
        .expire_take(expire_grant),
        // side actions on their way
        .s0_frame(s0_frame),
        .s0_slot(s0_slot),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s1_slot(s1_slot),
        .s2_page(s2_page),
        .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap),
        .may_be(may_be),
        // the effect
        .s3(s3),
        .age_index(age_index[FRAME_W:0]),
        .age_entry(age_entry),
        .held(held),
        .slot_held(slot_held),
        .s3_had(s3_had),
        .spare(spare),
        .s3_left(s3_left),
        .age_clamped(age_clamped),
        .s3_hit(s3_hit),
        .s3_entry(s3_entry),
        .s3_fault(s3_fault),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .fill_class(fill_class),
        .fill_last(fill_last),
        .fill_dirty(fill_dirty),
        .fill_fresh(fill_fresh),
        // victim_select
        .waiting(waiting),
        .forces(forces),
        .queue_busy(queue_busy),
        .wanted(wanted),
        .no_search(no_search),
        .hand_takes(hand_takes),
        .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_fresh(decide_fresh),
        .decide_frame(decide_frame),
        .decide_priority(decide_priority),
        .decide_room(decide_room),
        .f_take(f_take),
        .f_keep(f_keep),
        .decide_tier(decide_tier),
        .decide_entry(decide_entry),
        .decide_ahead(decide_ahead),
        .outcome_came(outcome_came),
        .outcome(outcome),
        .outcome_kept(outcome_kept),
        // the decision
        .d_valid(m_axis_decision_tvalid),
        .d_ready(m_axis_decision_tready),
        .d(decision_beat),
        // the tiers' side actions and search
        .t_req(t_req),
        .t_kind(t_kind),
        .t_slot(t_slot),
        .t_grant(t_grant),
        .cand2_came(cand2_came),
        .t_void(t_void),
        .stays(stays),
        .looked(looked),
        .flush_begun(flush_begun),
        .ends_arrived(ends_arrived),
        // rest, corrupt words, counters
        .ahead_busy(ahead_busy),
        .busy(decision_busy),
        .placing(placing),
        .astray(astray),
        .turned(tiers_turned),
        .bad_slot(bad_slot),
        .stat_merged(stat_merged),
        .stat_fault_drops(stat_fault_drops),
        .stat_again(stat_again),
        .stat_lost(stat_lost),
        .stat_late(stat_late),
        .stat_none(stat_none),
        .stat_none_fresh(stat_none_fresh),
        .stat_ahead(stat_ahead),
        .stat_t2_stale(stat_t2_stale),
        .stat_t2_none(stat_t2_none),
        .tvi(tiers_tvi)
    );

    // ======== learner: reuse intervals, priorities
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
        .HURRY_W(FRAME_MEM != 0 ? 12 : FRAME_W + 2) // a refresh waits at most 2^12 cycles, or 4 FRAMES, for the search to rest
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
        // walks, and their classes
        .w2_valid(w2_valid),
        .w2_look(w2_look),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .refs(refs),
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
        // hits, and pages that leave
        .hit_match(hit_match),
        .hit1_class(hit1_class),
        .hit1_interval(hit1_interval),
        .left(s3_left),
        // candidates, and their priorities
        .s3(s3),
        .held(held),
        .slot_held(slot_held),
        .install_req(install_req),
        .looked(looked),
        // records for rit_export
        .walk_rec(walk_rec),
        .walk_censored(walk_censored),
        .walk1_class(walk1_class),
        .walk1_interval(walk1_interval),
        .side_rec(side_rec),
        .side_class(side_class),
        .side_age(side_age),
        // rest, corrupt words, counters
        .others_calm(others_calm),
        .search_calm(search_calm),
        .busy(learner_busy),
        .wake(learner_wake_main),
        .learn_wake(learner_wake_learn),
        .ppuc_wake(learner_wake_ppuc),
        .turned(learner_turned),
        .stat_rec_drops(stat_rec_drops),
        .stat_stolen(stat_stolen),
        .stat_flushes(stat_flushes),
        .flush_begun(flush_begun),
        .tvi(learner_tvi)
    );

    // ======== victim_select: the search in Tier 1
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
        .forces(forces),
        .forced(forced),
        .slow(FRAME_MEM != 0 && store_busy),
        .idle(select_idle),
        // CAND, and its answer
        .cand_req(cand_req),
        .cand_frame(cand_frame),
        .cand_grant(cand_grant),
        .ans_valid(looked_1),
        .ans_eligible(looked[LOOKED_ELIGIBLE_O]),
        .ans_fresh(looked[LOOKED_FRESH_O]),
        .ans_guarded(looked_guarded),
        .ans_priority(looked[LOOKED_PRIORITY_O +: 16]),
        .ans_last(looked[LOOKED_LAST_O +: TIME_W]),
        .ans_frame(looked[LOOKED_PLACE_O +: FRAME_W]),
        // HAND, and the content of its frame
        .cand_hand(cand_hand),
        .hand_valid(hand_came),
        .hand_eligible(held[HELD_ELIGIBLE_O]),
        .hand_recent(held[HELD_RECENT_O]),
        .hand_fresh(held[HELD_FRESH_O]),
        .hand_last(held[HELD_LAST_O +: TIME_W]),
        .hand_frame(s3[S3_FRAME_O +: FRAME_W]),
        .hand_void(hand_void),
        // DECIDE, and its outcome
        .decide_req(decide_req),
        .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_fresh(decide_fresh),
        .decide_searched(decide_searched),
        .decide_frame(decide_frame),
        .decide_last(decide_last),
        .decide_priority(decide_priority),
        .decide_grant(decide_grant),
        .decide_done(outcome_came),
        .decide_retry(decide_again),
        .decide_kept(outcome_kept),
        .decide_taken(victim_chosen),
        .hand_takes(hand_takes),
        .turned(select_turned)
    );

    // ======== rit_export, hir_cache, range_port: outputs for others. range_port depends on no other part, and gates its clock itself
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
        .walk_gone(row_gone),
        .walk_class(given_class),
        .rec_valid(walk_exported),
        .rec1_class(walk1_class),
        .rec1_interval(walk1_interval),
        .rec_censored(walk_censored),
        .m_tdata(rit_beat),
        .m_tvalid(m_axis_rit_tvalid),
        .m_tlast(m_axis_rit_tlast),
        .m_tready(m_axis_rit_tready),
        .idle(export_idle),
        .rests(export_rests),
        .turned(export_turned),
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
        .PARITY(PARITY),
        .PAGES_COME(1)
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
        .pages(pages),
        .m_tdata(hir_beat),
        .m_tvalid(m_axis_hir_tvalid),
        .m_tlast(m_axis_hir_tlast),
        .m_tready(m_axis_hir_tready),
        .idle(hir_idle),
        .turned(hir_turned),
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
        .test_en(test_en),
        .cfg_range_bytes(cfg_range_bytes),
        .s_tdata(range_beat),
        .s_tvalid(s_axis_range_tvalid),
        .s_tready(s_axis_range_tready),
        .m_tdata(xfer_beat),
        .m_tvalid(m_axis_xfer_tvalid),
        .m_tlast(m_axis_xfer_tlast),
        .m_tready(m_axis_xfer_tready),
        .turned(range_turned),
        .idle(range_idle)
    );

    // ======== corrupt words: each bit toggles with a corrupt word that was met; bit n is PARITY_* n + 1
    wire [17:0] turned = {
        tiers_turned[4],   // FAULT
        hir_turned,        // HIR
        tiers_turned[3],   // PROMISE
        segment_turned,    // PROTECTED
        tiers_turned[2],   // CANDIDATE2
        select_turned,     // CANDIDATE
        tiers_turned[1],   // PREDICT
        learner_turned[5], // REFRESH
        tiers_turned[0],   // SLOT
        export_turned,     // EXPORT
        learner_turned[4], // SAMPLER
        learner_turned[3], // DIRECTORY
        range_turned,      // RANGE
        learner_turned[2], // PRIORITY
        learner_turned[1], // RECORD
        learner_turned[0], // COUNTS
        frames_turned[1],  // FRAME_WALK
        frames_turned[0]   // FRAME_SIDE
    };
    localparam SLOT_BIT = PARITY_SLOT - 1; // with this one a slot is logged, with the first two a frame
    gmmu_parity_log #(
        .PLACES(18),
        .MORE(SLOT_BIT),
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

    // ======== the watchdog: work that the unit does without outside help. A bit for each kind, WATCHDOG_*
    wire rit_waits      = m_axis_rit_tvalid && !m_axis_rit_tready;
    wire hir_waits      = m_axis_hir_tvalid && !m_axis_hir_tready;
    wire xfer_waits     = m_axis_xfer_tvalid && !m_axis_xfer_tready;
    wire decision_waits = m_axis_decision_tvalid && !m_axis_decision_tready;
    wire comes          = s_axis_walk_tvalid || s_axis_drv_tvalid || s_axis_range_tvalid;
    reg  was_quiet;     // the unit was quiet, or in reset, in the cycle before
    always @(posedge clk)
        was_quiet <= quiet || rst;
    wire [5:0] pending = {
        astray,                                                                               // CREDIT: free frames are not given away any more
        !was_quiet && !comes && !rit_waits && !hir_waits && !xfer_waits && !decision_waits,   // REST: quiet is due
        s_axis_range_tvalid && !s_axis_range_tready && !xfer_waits,                           // RANGE: an operation on a range is to be taken
        s_axis_drv_tvalid && !s_axis_drv_tready && !clearing,                                 // OPERATION: a driver's operation is to be taken
        (waiting || placing) && !m_axis_decision_tvalid,                                      // DECISION: a decision is due
        clearing                                                                              // RESET: the reset sequence is to end
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

    // ======== rest: the unit at rest, and clocks that rest
    assign quiet = !(clearing || walk_busy || side_busy || store_busy || learner_busy || decision_busy
        || queue_busy) && search_idle && export_idle && hir_idle && range_idle;
    wire main_wake   = walk_wake || side_wake || learner_wake_main || store_wake || limit_busy || !search_idle || decision_busy || queue_busy;
    wire learn_wake  = walk_busy || learner_wake_learn || !hir_idle;
    wire export_wake = (cfg_rit_batch != 0 && (w9[W9_VALID_O] || walk_rec || side_rec)) || given || !export_rests;
    wire faults_wake =
        w7_fault || w9[W9_FAULT_O] || w9[W9_BACK_O] || s_axis_drv_tvalid || side_busy || !search_idle || queue_busy || ends_arrived || epoch_ends;
    wire search_wake = !search_idle || looked_1 || outcome_came;
    // a register that changes wakes all clocks; cfg_range_bytes and cfg_watchdog are read by parts whose clock does not rest
    localparam CFG_W = (FRAME_W + 1) + 1 + 2 + 1 + 1 + 4 + 5 + 8 + 1 + 4 + 16 + 8 + (T2_W + 1) + 3 + 1 + 1 + 1 + 1 + TIME_W + TIME_W + (ASID_W + 1) + 5
        + FRAME_W;
    wire [CFG_W-1:0] cfg = {
        cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor, cfg_sample, cfg_refresh, cfg_rit_batch, cfg_rit_fault, cfg_rit_wait, cfg_transfer,
        cfg_protect, cfg_t2_slots, cfg_tier, cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie, cfg_tier_near, cfg_tier_far, cfg_flush,
        cfg_fresh, cfg_ahead
    };
    gmmu_clocks #(
        .CFG_W(CFG_W)
    ) clocks (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .clear(clearing),
        .cfg(cfg),
        .main_wake(main_wake),
        .learn_wake(learn_wake),
        .export_wake(export_wake),
        .faults_wake(faults_wake),
        .search_wake(search_wake),
        .ppuc_wake(learner_wake_ppuc),
        .clk_main(clk_main),
        .clk_learn(clk_learn),
        .clk_export(clk_export),
        .clk_faults(clk_faults),
        .clk_search(clk_search),
        .clk_ppuc(clk_ppuc)
    );

    // ======== the tier verification interface: the actions of each cycle, for benches
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
                        age_index, w9_touch, w9_outcome, enter_valid, enter_outcome, enter_entry, age_clamped, s3_refused, s3_hit, s3_entry,
                            s3_fault, hit_found, decide_tier, decide_entry, decide_ahead, w9, s3, held};

endmodule
`default_nettype wire
