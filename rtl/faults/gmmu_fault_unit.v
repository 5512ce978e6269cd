// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_unit: from a fault to its decision (docs/reference/blocks/fault_unit.md).
//
// A fault of a walk is noted in fault_queue, and enters its table a little later (ENTER). DECIDE decides the oldest undecided fault: FREE
// if there is credit, else the victim that the search found, if the victim may still leave, else RETRY or NONE. With tiers the victim
// then gets its place (tier_place).
// Credit is the number of enabled frames, less the frames that hold a page and are not leaving, less the decided faults that wait
// for their FILL (docs/guide/schedule.md).
// While fewer than cfg_ahead frames are free and no fault is undecided, a DECIDE names a victim ahead of need: no page comes, and the
// frame counts as free as soon as the victim leaves.
// Late count: whether the victim may be taken arrives last. All effects but those on the victim's frame follow a cycle later, in
// which no operation of the driver takes effect (reserved turn of side_port).
//
//   fault ─► note ─► ENTER, ASK ─► fault_queue ─► head ─► search ─► DECIDE ─► outcome ─► decision ─► tier_place ─►
//                                      ▲                    FILL, FREE, CANCEL ─► credit ──┘
`default_nettype none
module gmmu_fault_unit #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter SEQ_W   = 16,
    parameter FRAMES  = 16384,
    // outstanding faults, notes of faults, pages that arrived (0: none)
    parameter FAULTS  = 512,
    parameter NOTES   = 64,
    parameter LATE    = 256,
    // 1: side actions come back from memory, in consecutive cycles too
    parameter FRAME_MEM = 0,
    // Tier 2: slots (0: no Tier 2), parameters of the search and of the predictor
    parameter T2_SLOTS = 0,
    parameter POOL    = 16,
    parameter K       = 64,
    parameter TP_SETS = 4096,
    parameter TP_WAYS = 4,
    parameter TP_TAG_W = 19,
    parameter TP_CNT_W = 4,
    // 1: corrupt words in RAM are reported
    parameter PARITY   = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter T2_W    = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    parameter PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W,
    parameter TP_W    = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1,
    parameter IDX_W   = FAULTS > 1 ? $clog2(FAULTS) : 1
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_slot_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_cfg_tiers.vh"
`include "gmmu_tiers_tvi.vh"
`include "gmmu_beat_decision.vh"
) (
    input  wire                     clk,
    input  wire                     clk_queue,        // clock of fault_queue
    input  wire                     rst,
    input  wire                     clear,            // the reset sequence is under way
    output wire                     cleared,          // the tiers and the table of the faults are empty
    input  wire [FRAME_W:0]         cfg_frames,       // number of frames that are enabled from the next cycle on
    input  wire [FRAME_W-1:0]       cfg_ahead,        // number of frames that are kept free ahead of need; 0: none
    input  wire [1:0]               cfg_search,       // the search of victims: 0 scan, 1 sample, 2 and 3 clock
    input  wire [CFGT_BITS-1:0]     cfg_tiers,        // the registers of the tiers
    input  wire [TIME_W-1:0]        now,              // number of walks before the walk at w9
    input  wire [TIME_W-1:0]        next,             // number of walks with the walk at w9
    input  wire                     epoch_ends,       // an epoch of fresh frames ends with the walk at w9
    input  wire                     makes_fresh,      // cfg_fresh is not 0
    // walks
    input  wire [W9_BITS-1:0]       w9,               // the walk that takes effect
    input  wire [CLASS_W-1:0]       w9_class,         // class of the reference of the walk at w9
    output wire [2:0]               w9_outcome,       // what became of the fault at w9: FAULT_NONE, QUEUED (noted), DROPPED
    // ENTER: the oldest note meets the outstanding faults
    output wire                     enter_valid,      // ENTER takes effect
    output wire [2:0]               enter_outcome,    // outcome of the ENTER, FAULT_*
    output wire [IDX_W-1:0]         enter_entry,      // the fault's entry
    // what side_port asks of fault_queue
    input  wire                     find_req,         // the driver offers an operation whose page is to be found
    input  wire [PAGE_BITS-1:0]     find_page,        // that page
    output wire                     find_ready,       // the page is found: the operation may be granted
    input  wire                     find_take,        // the operation is granted
    input  wire                     decide_req,       // the search asks for a DECIDE, and there is room for its decision
    output wire                     decide_ok,        // the DECIDE may be granted
    input  wire                     decide_take,      // the DECIDE is granted
    input  wire                     age_fault,        // an AGE of the entry age_index - FRAMES is due
    output wire                     age_fault_done,   // that AGE takes effect
    output wire                     expire_req,       // an EXPIRE is due
    output wire [FRAME_W-1:0]       expire_frame,     // frame of the EXPIRE
    input  wire                     expire_take,      // the EXPIRE is granted
    // side actions on their way to s3
    input  wire [FRAME_W-1:0]       s0_frame,         // frame of the action at s0
    input  wire [T2_W-1:0]          s0_slot,          // slot of the action at s0
    input  wire                     s1_slot_valid,    // the action at s1 reads a slot
    input  wire                     s1_rise,          // the action at s1 is RISE
    input  wire [T2_W-1:0]          s1_slot,          // slot of the action at s1
    input  wire [PAGE_BITS-1:0]     s2_page,          // page that the driver names, of the action at s2
    input  wire                     s3_may_done,      // T2_FILL_DONE comes to s3 in the next cycle; frame and slot are valid in this cycle
    input  wire                     s3_may_swap,      // T2_SWAP comes to s3 in the next cycle; frame and slot are valid in this cycle
    output wire                     may_be,           // the T2_FILL_DONE or T2_SWAP of s3_may_done, s3_may_swap is allowed
    // the side action that takes effect
    input  wire [S3_BITS-1:0]       s3,               // the action
    input  wire [FRAME_W:0]         age_index,        // AGE of a fault: its entry behind FRAMES
    input  wire [TP_W-1:0]          age_entry,        // AGE of an entry of the predictor: that entry
    input  wire [HELD_BITS-1:0]     held,             // content of the frame of the action at s3
    output wire [SLOT_BITS-1:0]     slot_held,        // content of the slot of the action at s3
    output wire                     s3_had,           // CANCEL: there is something to cancel
    output wire                     spare,            // a frame is free and not promised
    output wire                     s3_left,          // FILL, FREE: a page leaves the frame
    output wire                     age_clamped,      // AGE of a fault clamps: the last access moves to an age of 2^(TIME_W-2)
    output wire                     s3_hit,           // FILL: the page has a fault; CANCEL: the page has a decided fault
    output wire [IDX_W-1:0]         s3_entry,         // entry of the page's fault
    output wire [2:0]               s3_fault,         // ASK: outcome of the fault, FAULT_*
    output wire                     done_ok,          // the T2_FILL_DONE or T2_SWAP at s3 is allowed
    output wire                     t2_refused,       // the T2_FREE or T2_CANCEL at s3 is refused
    output wire [CLASS_W-1:0]       fill_class,       // FILL: class of the page's last access
    output wire [TIME_W-1:0]        fill_last,        // FILL: time of the page's last access
    output wire                     fill_dirty,       // FILL: the page differs from its copy below
    output wire                     fill_fresh,       // FILL: the page answers a fault, and its frame is fresh
    // the search in Tier 1
    output wire                     waiting,          // a fault waits for its ENTER or its decision
    output wire                     forces,           // the oldest undecided fault may take a fresh frame
    output wire                     queue_busy,       // something is under way in fault_queue
    output wire                     wanted,           // the oldest undecided fault is known, or a victim is to leave ahead: a search may begin
    output wire                     no_search,        // the oldest undecided fault needs no victim
    input  wire                     hand_takes,       // cfg_search clock: the HAND of the cycle before found the candidate
    input  wire                     decide_have,      // there is a candidate
    input  wire                     decide_tired,     // there is no candidate, and the search gives up
    input  wire                     decide_fresh,     // the search passed over a fresh frame
    input  wire [FRAME_W-1:0]       decide_frame,     // frame of the candidate
    input  wire [15:0]              decide_priority,  // priority of the candidate
    output wire                     decide_room,      // a DECIDE may come: there is room for its decision
    output wire                     f_take,           // DECIDE: the frame's page leaves or is kept, if the page still may leave
    output wire                     f_keep,           // DECIDE: the frame's page is kept (cfg_tier 3)
    output wire [2:0]               decide_tier,      // DECIDE: the outcome, TIER_*
    output wire [IDX_W-1:0]         decide_entry,     // DECIDE: entry of the fault
    output wire                     decide_ahead,     // DECIDE: the decision is ahead of need
    output wire                     outcome_came,     // a cycle after DECIDE (FRAME_MEM: at once): the outcome is known
    output wire [2:0]               outcome,          // the outcome of the DECIDE, TIER_*
    output wire                     outcome_kept,     // the outcome of the DECIDE: the candidate is kept
    // the decision
    output wire                     d_valid,          // a decision waits for the driver
    input  wire                     d_ready,          // the driver takes the decision
    output wire [DECISION_BITS-1:0] d,                // the decision, a beat of m_axis_decision
    // tiers: side actions that tier_place asks for, and the search in Tier 2
    output wire                     t_req,            // an action is asked for
    output wire [3:0]               t_kind,           // kind of the asked action, SIDE_*
    output wire [T2_W-1:0]          t_slot,           // slot of the asked action
    input  wire                     t_grant,          // the action is granted
    input  wire                     cand2_came,       // a CAND2 is at s3, void or not
    output wire                     t_void,           // the CAND2 at s3 is void
    output wire                     stays,            // a STAY is pending: CANCEL must wait
    input  wire [LOOKED_BITS-1:0]   looked,           // the answer to the CAND2 of six cycles before
    input  wire                     flush_begun,      // toggles with each flush that begins
    input  wire                     ends_arrived,     // a flush visits its first row: no page counts as arrived any more
    // rest
    output wire                     ahead_busy,       // a victim is to leave ahead, or it is not known yet whether one is
    output wire                     busy,             // a decision waits, or the predictor is asked
    output wire                     placing,          // a decision has not its place yet
    output reg                      astray,           // the count of free frames is corrupt: there is no credit any more
    // PARITY
    output wire [4:0]               turned,           // PARITY: a bit toggles with a corrupt word of {fault, to2 frames, search in Tier 2, tier_predict, slots}
    output wire [T2_W-1:0]          bad_slot,         // slot of the last corrupt word
    output reg  [31:0]              stat_merged,      // number of faults of walks that joined an outstanding fault
    output reg  [31:0]              stat_fault_drops, // number of faults and ASKs without a note or without a free entry
    output reg  [31:0]              stat_again,       // number of replays whose page was outstanding
    output reg  [31:0]              stat_lost,        // number of replays whose page had left before its use
    output reg  [31:0]              stat_late,        // number of faults and ASKs of pages that had arrived
    output reg  [31:0]              stat_none,        // number of decisions NONE for lack of a victim
    output reg  [31:0]              stat_none_fresh,  // number of these for which a fresh frame was passed over
    output reg  [31:0]              stat_ahead,       // number of victims that were named ahead of need
    output wire [31:0]              stat_t2_stale,    // number of operations whose slot did not hold the page
    output wire [31:0]              stat_t2_none,     // number of PLACEs without a candidate
    output wire [TTVI_BITS-1:0]     tvi               // signals of the tiers for the tier verification interface
);

`include "gmmu_codes.vh"

    generate
        if (FAULTS > FRAMES && FAULTS > 1) begin : g_bad_faults
            FAULTS_must_not_exceed_FRAMES stop_here();
        end
        if ((FAULTS >> SEQ_W) != 0) begin : g_bad_seq
            FAULTS_must_be_below_2_to_the_SEQ_W stop_here();
        end
    endgenerate

    // ======== the side action, and the content of its frame
    wire              s3_fill   = s3[S3_FILL_O];
    wire              s3_cancel = s3[S3_CANCEL_O];
    wire              s3_ahead  = s3[S3_AHEAD_O];
    wire              s3_decide = s3[S3_DECIDE_O];
    wire              s3_ends   = s3_cancel && !s3_ahead; // CANCEL ends the decided fault of its page
    wire              f_leaving = held[HELD_LEAVING_O];
    wire              f_taken   = held[HELD_TAKEN_O];
    wire              unused_bits = &{1'b0, s3, w9, held, slot_held}; // of each word some fields are used
    // ======== the outstanding faults
    wire              q_hit;          // FILL, CANCEL, ASK: the page has a fault
    wire              q_decided;      // the fault of q_hit is decided
    wire              q_full;         // ASK: no entry is free
    wire              q_late;         // ASK: the page has arrived
    wire              q_dirty;        // the page of q_hit was written
    wire [CLASS_W-1:0] q_class;       // class of that page's last access
    wire [TIME_W-1:0] q_last;         // time of that page's last access
    wire              full;           // the fault at w9 finds no room for its note
    wire              queue_cleared;  // the table of the faults is empty
    wire              place_cleared;  // the tiers are empty
    assign cleared = queue_cleared && place_cleared;
    wire              head_filled;    // the oldest undecided fault: its page was filled meanwhile
    wire [ASID_W-1:0] head_asid;      // address space of the head
    wire [VPN_W-1:0]  head_vpn;       // virtual page number of the head
    wire              head_t2;        // the head's page is in a slot, by the page table
    wire [T2_W-1:0]   head_slot;      // slot of head_t2
    wire              head_lost;      // the head is a replay: its page left before its use
    wire              head_here;      // the oldest undecided fault is known
    wire              head_force;     // the head may take a fresh frame
    wire [SEQ_W-1:0]  unused_seq;     // decisions are numbered here
    wire              unused_forgot;  // faults that are forgotten keep their claims: there is less credit until the reset
    assign forces = head_here && head_force;
    wire [FRAME_W:0]  aged_fault = age_index - FRAMES[FRAME_W:0];
    wire unused_age = &{1'b0, aged_fault[FRAME_W:IDX_W]};
    wire              claims;         // a decision takes a frame: there is credit, or a victim
    wire              takes;          // a decision takes its victim's frame
    wire              gives_up;       // DECIDE ends in NONE
    wire              gave_up;        // a cycle after DECIDE: the decision is NONE
    // ======== the decision, before the victim has its place
    // `made`: a decision waits. `unmade`: no decision waits. If both bits are equal, a bit is corrupt, and no decision waits: a decision
    // that was never made would name the frame of the decision before.
    reg               made, unmade;
    reg               d_new1, d_new2; // the decision is a cycle old, is two cycles old
    reg               d_odd;          // parity of the decision's pages and frame
    reg               d_kept;         // d_odd when the decision was made
    reg               d_bad;          // d_odd has changed: there is no decision
    wire              made_valid = made && !unmade && !d_bad;
    reg               made_t2;        // the faulting page is in a slot, by the page table
    reg  [T2_W-1:0]   made_slot;      // slot of made_t2
    reg  [1:0]        made_tier;      // where the decision leads: TIER_*
    reg  [SEQ_W-1:0]  next_seq;       // number of the next decision
    reg  [SEQ_W-1:0]  d_seq;          // the decision's number
    reg  [ASID_W-1:0] d_asid;         // address space of the faulting page
    reg  [VPN_W-1:0]  d_vpn;          // virtual page number of the faulting page
    reg  [FRAME_W-1:0] d_frame;       // the victim's frame
    reg  [ASID_W-1:0] d_v_asid;       // address space of the victim
    reg  [VPN_W-1:0]  d_v_vpn;        // virtual page number of the victim
    reg               d_v_dirty;      // the victim was written
    reg  [15:0]       d_prio;         // the victim's priority
    reg  [TIME_W-1:0] d_v_last;       // the victim's last access
    reg               d_ahead;        // no page comes
    reg               d_lost;         // the fault is a replay
    reg               d_fresh;        // NONE: a fresh frame was passed over
    // fresh, lost, ahead, v_last, prio, v_dirty, v_vpn, v_asid, frame, tier, vpn, asid, seq
    wire [DECISION_RISE_O-1:0] made_decision = {d_fresh, d_lost, d_ahead, d_v_last, d_prio, d_v_dirty, d_v_vpn, d_v_asid, d_frame, made_tier, d_vpn,
        d_asid, d_seq};
    // ======== answers of tier_place
    wire              named;          // an outstanding fault names the slot of the action at s3
    wire              slot_dirty;     // FILL: the page in the slot is dirty
    wire              fill_slot;      // FILL: the slot holds the page
    wire              ask_t2;         // ASK: the slot holds the page
    wire [CLASS_W-1:0] else_class;    // ASK of a page without a fault: class of its last access
    wire [TIME_W-1:0] else_last;      // ASK of a page without a fault: time of its last access
    wire              place_busy;     // something is under way in tier_place
    wire              looking;        // the predictor is asked about the candidate
    wire              outcome_takes;  // with outcome_came: the victim leaves
    wire [FRAME_W-1:0] victim_frame;  // frame of the victim that leaves
    wire [PAGE_BITS-1:0] victim_page; // page of the victim that leaves
    gmmu_fault_queue #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FAULTS(FAULTS),
        .NOTES(NOTES),
        .LATE(LATE),
        .FRAME_W(FRAME_W),
        .T2_SLOTS(T2_SLOTS),
        .T2_W(T2_W),
        .PARITY(PARITY)
    ) fault_queue (
        .clk(clk_queue),
        .rst(rst),
        .clear(clear),
        .cleared(queue_cleared),
        .cfg_frames(cfg_frames),
        .epoch_ends(epoch_ends),
        .flush(ends_arrived),
        // walks
        .w_fault(w9[W9_FAULT_O] || w9[W9_BACK_O]),
        .w_asid(w9[W9_ASID_O +: ASID_W]),
        .w_vpn(w9[W9_VPN_O +: VPN_W]),
        .w_class(w9_class),
        .w_time(w9[W9_TIME_O +: TIME_W]),
        .w_write(w9[W9_WRITE_O]),
        .w_t2(w9[W9_T2_O]),
        .w_slot(w9[W9_SLOT_O +: T2_W]),
        .w_replay(w9[W9_REPLAY_O]),
        .w_full(full),
        .enter_valid(enter_valid),
        .enter_outcome(enter_outcome),
        .enter_entry(enter_entry),
        // the driver's operations
        .find_req(find_req),
        .find_asid(find_page[PAGE_ASID_O +: ASID_W]),
        .find_vpn(find_page[PAGE_VPN_O +: VPN_W]),
        .find_ready(find_ready),
        .find_take(find_take),
        .s_fill(s3_fill),
        .s_free(s3[S3_FREE_O] || (s3[S3_SWAP_O] && s3_fill)),
        .s_cancel(s3_ends),
        .s_ask(s3[S3_ASK_O]),
        .s_refused(s3[S3_TABLES_O] && !s3_fill && !s3[S3_FREE_O] && !s3_ends && !s3[S3_ASK_O]),
        .s_frame(s3[S3_FRAME_O +: FRAME_W]),
        .s_t2(ask_t2),
        .s_slot(s3[S3_SLOT_O +: T2_W]),
        .s_force(s3[S3_FORCE_O]),
        .s_fresh(makes_fresh),
        .s_time(now),
        .s_else_class(else_class),
        .s_else_last(else_last),
        .s_left(held[HELD_VALID_O]),
        .s_left_asid(held[HELD_ASID_O +: ASID_W]),
        .s_left_vpn(held[HELD_VPN_O +: VPN_W]),
        .s_hit(q_hit),
        .s_decided(q_decided),
        .s_entry(s3_entry),
        .s_full(q_full),
        .s_late(q_late),
        .s_class(q_class),
        .s_last(q_last),
        .s_dirty(q_dirty),
        // DECIDE
        .decide_req(decide_req),
        .decide_ok(decide_ok),
        .decide_take(decide_take),
        .d_done(outcome_came),
        .d_claims(claims),
        .d_give_up(gave_up),
        .d_takes(outcome_takes),
        .d_frame(victim_frame),
        .d_asid(victim_page[PAGE_ASID_O +: ASID_W]),
        .d_vpn(victim_page[PAGE_VPN_O +: VPN_W]),
        // EXPIRE
        .expire_req(expire_req),
        .expire_frame(expire_frame),
        .expire_take(expire_take),
        .s_expire(s3[S3_EXPIRE_O]),
        // AGE
        .age_req(age_fault),
        .age_entry(aged_fault[IDX_W-1:0]),
        .age_time(now),
        .age_done(age_fault_done),
        .age_clamped(age_clamped),
        // the head
        .head_valid(head_here),
        .head_entry(decide_entry),
        .head_filled(head_filled),
        .head_asid(head_asid),
        .head_vpn(head_vpn),
        .head_seq(unused_seq),
        .head_t2(head_t2),
        .head_slot(head_slot),
        .head_lost(head_lost),
        .head_force(head_force),
        .waiting(waiting),
        .busy(queue_busy),
        // which slots are named
        .n_slot(s1_slot),
        .s_named(named),
        .turned(turned[4]),
        .forgot(unused_forgot)
    );
    // There is a free frame, by the counts of the cycle before: nothing changes right before a DECIDE (reserved turn). With FRAME_MEM
    // the counts may change right before a DECIDE, so that the change of the cycle is included.
    reg  credit;
    // late select: of_slot arrives last
    (* keep *) wire of_slot;
    assign of_slot    = fill_slot && !q_hit;
    assign fill_class = of_slot ? slot_held[SLOT_CLASS_O +: CLASS_W] : q_class;
    assign fill_last  = of_slot ? slot_held[SLOT_LAST_O +: TIME_W] : q_last;
    assign fill_dirty = s3[S3_DIRTY_O] || q_dirty || slot_dirty;
    assign s3_hit     = (s3_fill && q_hit) || (s3_ends && q_decided);
    assign s3_had     = f_leaving || (q_decided && !s3_ahead);
    assign spare      = credit;
    assign fill_fresh = q_hit && makes_fresh && LATE != 0;
    assign s3_fault   = !s3[S3_ASK_O] ? FAULT_NONE : q_hit ? FAULT_JOINED : q_late ? FAULT_LATE : q_full ? FAULT_DROPPED : FAULT_QUEUED;
    assign w9_outcome = !(w9[W9_FAULT_O] || w9[W9_BACK_O]) ? FAULT_NONE : full ? FAULT_DROPPED : FAULT_QUEUED;

    // ======== credit
    reg  [FRAME_W:0] resident;   // number of frames that hold a page and are not leaving
    reg  [FRAME_W:0] resident_n; // complement of resident, counted by itself
    reg  [IDX_W:0]   claimed;    // number of decided faults that wait for their FILL
    reg  [IDX_W:0]   claimed_n;  // complement of claimed, counted by itself
    localparam C_W = FRAME_W + IDX_W + 3;
    reg  [C_W-1:0]   used;       // resident + claimed, counted by itself, so that one comparison gives the credit
    // late count: the events arrive last, and are counted a cycle later
    reg              to_plus;    // `plus` of the cycle before
    reg              to_minus;   // `minus` of the cycle before
    reg              to_claim;   // `claims` of the cycle before
    reg              to_unclaim; // `unclaim` of the cycle before
    reg              no_plus;    // complement of to_plus, for resident_n
    reg              no_minus;   // complement of to_minus, for resident_n
    reg              no_claim;   // complement of to_claim, for claimed_n
    reg              no_unclaim; // complement of to_unclaim, for claimed_n
    wire [C_W-1:0]   used_now = used + {{C_W-1{1'b0}}, to_plus} + {{C_W-1{1'b0}}, to_claim} - {{C_W-1{1'b0}}, to_minus} - {{C_W-1{1'b0}}, to_unclaim};
    wire [C_W-1:0]   enabled = {{IDX_W+2{1'b0}}, cfg_frames};
    wire just_one = used_now + 1'b1 == enabled;
    // asked count: some = used_now < enabled, from the answers about used - enabled and the events to be counted
    wire [C_W-1:0]   over = used - enabled;
    wire             below = over[C_W-1], at_0 = over == 0, at_1 = over == 1, at_m1 = &over, at_m2 = &over[C_W-1:1] && !over[0];
    wire [2:0]       change = {2'd0, to_plus} + {2'd0, to_claim} - {2'd0, to_minus} - {2'd0, to_unclaim}; // -2 ... 2
    wire some = change[2] ? below || at_0 || (!change[0] && at_1) : below && !(change != 0 && at_m1) && !(change[1] && at_m2);
    assign s3_left = (s3_fill || s3[S3_FREE_O]) && held[HELD_VALID_O];
    wire plus    = s3_fill || (s3_cancel && f_leaving);
    wire minus   = (s3_left && !f_leaving) || takes;
    wire unclaim = (s3_fill || s3_ends) && q_decided;

    // Counts that differ are corrupt: there is no credit any more, as a decision could take a frame that is not free.
    reg               resident_differs; // resident and its complement differ
    reg               claimed_differs;  // claimed and its complement differ
    reg               used_differs;     // `used` is not resident + claimed
    always @(posedge clk) begin
        resident_differs <= !rst && resident_n != ~resident;
        claimed_differs  <= !rst && claimed_n != ~claimed;
        used_differs     <= !rst && used != {{IDX_W+2{1'b0}}, resident} + {{FRAME_W+2{1'b0}}, claimed};
        astray <= !rst && (astray || resident_differs || claimed_differs || used_differs);
    end

    // ======== ahead of need
    // `short` is as old as credit: of the counts of the cycle before
    reg              short;      // fewer frames than cfg_ahead are free
    reg              was_short;  // `short` of the cycle before
    reg              spent;      // the last search ahead found no victim, and nothing has changed since
    reg  [FRAME_W-1:0] was_ahead; // cfg_ahead of the cycle before
    reg  [3:0]       settling;   // something that `short` or `spent` depends on came so many cycles ago
    wire             stirs = s3_fill || s3[S3_FREE_O] || s3[S3_PIN_O] || s3[S3_UNPIN_O] || s3_cancel || s3[S3_EXPIRE_O] || w9[W9_VALID_O] || w9[W9_REPLAY_O];
    wire             walks = w9[W9_VALID_O] || w9[W9_REPLAY_O];
    reg              walked;     // a walk took effect in the cycle before
    wire             spends;     // a search ahead found no victim
    wire             ahead_due  = short && !spent && !waiting;
    assign ahead_busy = cfg_ahead != was_ahead || (cfg_ahead != 0 && (ahead_due || settling != 0));
    assign wanted    = head_here || (ahead_due && !made);
    wire [C_W:0]     free_at_least = {1'b0, used_now} + {{C_W+1-FRAME_W{1'b0}}, cfg_ahead}; // more than `enabled`: too few are free
    always @(posedge clk) begin
        short     <= !rst && !astray && cfg_ahead != 0 && free_at_least > {1'b0, enabled};
        spent     <= !rst && !stirs && (spent || (spends && !(FRAME_MEM == 0 && walked)));
        walked    <= walks && !rst;
        was_short <= short && !rst;
        was_ahead <= cfg_ahead;
        settling  <= rst ? 4'd0 : {settling[2:0], stirs || outcome_came || s3_left || cfg_ahead != was_ahead};
    end

    // ======== DECIDE
    // DECIDE without a head, or while a decision waits, comes only after a corrupt bit, and decides nothing. All but the state of the
    // candidate's frame is known in the cycle before, as no action of the driver comes right before DECIDE (reserved turn). With
    // FRAME_MEM all is known at DECIDE.
    wire   due   = head_here && !made, asks = due && !head_filled;
    wire   early = !head_here && !made && (FRAME_MEM != 0 ? was_short : short) && !spent; // a victim is to leave ahead
    // the page of the head was filled, or no victim is due; a fault needs a frame; there is a candidate; the search gives up; no fault
    wire [4:0] at_hand = {(due && head_filled) || (!head_here && !early), asks, (asks || early) && decide_have,
                          (asks || early) && !decide_have && decide_tired, !head_here};
    wire   wants;   // a fault needs a frame
    wire   has;     // a frame is needed, and there is a candidate
    wire   ahead;   // the decision is ahead of need
    wire   is_none; // the outcome is NONE
    wire   is_free = wants && credit && !is_none, is_victim = has && (ahead || !credit);
    assign f_take   = s3_decide && is_victim;
    wire   kept     = f_take && f_taken && f_keep, taken = f_take && f_taken && !f_keep;
    wire   frees    = s3_decide && is_free;
    wire   now_claims = (taken && !ahead) || frees;
    wire   now_ahead  = taken && ahead;
    assign decide_ahead = ahead;
    assign gives_up = s3_decide && is_none && !ahead;
    wire   may_take = f_taken && !f_keep;
    assign decide_tier = is_free ? TIER_FREE : is_victim ? (may_take ? TIER_2 : TIER_RETRY) : is_none || !(wants || ahead) ? TIER_NONE : TIER_RETRY;
    assign no_search  = head_here && (head_filled || credit);
    wire   named_ahead; // a cycle after DECIDE: the decision names a victim ahead
    wire   decides    = (claims || gave_up || named_ahead) && outcome_came;
    assign outcome_takes = takes;
    // late count: a new decision arrives last, and takes the room a cycle later
    reg    room; // there is room for a decision
    always @(posedge clk)
        room <= !rst && !made && !looking && !hand_takes && !decides;
    assign decide_room = room;
    assign busy = made || place_busy || ahead_busy;

    generate
        if (FRAME_MEM != 0) begin : g_at_once
            wire   ends;  // the page of the head was filled
            wire   tired; // there is no candidate, and the search gives up
            assign {ends, wants, has, tired, ahead} = at_hand;
            assign is_none = ends || (tired && (ahead || !credit));
            assign spends  = s3_decide && ahead && tired;
            assign {claims, takes, gave_up, named_ahead} = {now_claims, taken, gives_up, now_ahead};
            assign {outcome_came, outcome, outcome_kept} = {s3_decide, decide_tier, kept};
            assign {victim_frame, victim_page} = {decide_frame, held[HELD_ASID_O +: ASID_W], held[HELD_VPN_O +: VPN_W]};
        end else begin : g_later
            reg [2:0] was;       // {wants, has, ahead}, known in the cycle before
            reg       was_tired; // the search gives up, known in the cycle before
            reg       r_ahead;   // a cycle after DECIDE: the decision names a victim ahead
            reg       r_spends;  // a cycle after DECIDE: a search ahead found no victim
            reg       was_none;  // is_none, known in the cycle before
            assign {wants, has, ahead} = was;
            assign is_none = was_none;
            reg       r_claims;  // a cycle after DECIDE: the decision takes a frame
            reg       r_takes;   // a cycle after DECIDE: the decision takes its victim's frame
            reg       r_gave_up; // a cycle after DECIDE: the decision is NONE
            reg       r_came;    // a cycle after DECIDE
            reg       r_kept;    // a cycle after DECIDE: the candidate is kept
            reg [2:0] r_outcome; // a cycle after DECIDE: the outcome, TIER_*
            always @(posedge clk) begin
                was <= rst ? 3'd0 : {at_hand[3:2], at_hand[0]};
                was_tired <= at_hand[1];
                was_none <= !rst && (at_hand[4] || (at_hand[1] && (at_hand[0] || !some || astray)));
                {r_claims, r_takes, r_gave_up} <= rst ? 3'd0 : {now_claims, taken, gives_up};
                {r_ahead, r_spends} <= rst ? 2'd0 : {now_ahead, s3_decide && ahead && was_tired};
                {r_came, r_kept} <= rst ? 2'd0 : {s3_decide, kept};
                r_outcome        <= decide_tier;
            end
            assign {claims, takes, gave_up} = {r_claims, r_takes, r_gave_up};
            assign {named_ahead, spends} = {r_ahead, r_spends};
            assign {outcome_came, outcome, outcome_kept} = {r_came, r_outcome, r_kept};
            assign {victim_frame, victim_page} = {d_frame, d_v_asid, d_v_vpn};
        end
    endgenerate

    // FRAME_MEM: at most one of plus and claims, and both of minus and unclaim, come in one cycle
    wire comes = plus || claims, goes = minus || unclaim;
    wire goes_twice = minus && unclaim;
    reg  [2:0] entered;     // late count: outcome of the ENTER of the cycle before, FAULT_*
    reg  [2:0] asked;       // late count: outcome of the ASK of the cycle before, FAULT_*
    reg  was_unnoted;       // late count: the fault of the cycle before had no room for its note
    reg  [1:0] was_given_up; // late count: a decision was NONE in the cycle before; a fresh frame was passed over
    wire [2:0] drops = {was_unnoted, entered == FAULT_DROPPED, asked == FAULT_DROPPED};
    wire [1:0] lates = {entered == FAULT_LATE, asked == FAULT_LATE};
    always @(posedge clk) begin
        if (FRAME_MEM != 0 && comes && !goes)
            credit <= some && !just_one;
        else if (FRAME_MEM != 0 && goes && (!comes || goes_twice))
            credit <= used_now <= enabled;
        else
            credit <= some;
        if (astray)
            credit <= 1'b0;
        {to_plus, to_minus, to_claim, to_unclaim} <= rst ? 4'd0 : {plus, minus, claims, unclaim};
        {no_plus, no_minus, no_claim, no_unclaim} <= rst ? 4'b1111 : {!plus, !minus, !claims, !unclaim};
        resident   <= resident + {{FRAME_W{1'b0}}, to_plus} - {{FRAME_W{1'b0}}, to_minus};
        resident_n <= resident_n - {{FRAME_W{1'b0}}, !no_plus} + {{FRAME_W{1'b0}}, !no_minus};
        used       <= used_now;
        claimed    <= claimed + {{IDX_W{1'b0}}, to_claim} - {{IDX_W{1'b0}}, to_unclaim};
        claimed_n  <= claimed_n - {{IDX_W{1'b0}}, !no_claim} + {{IDX_W{1'b0}}, !no_unclaim};
        {d_new2, d_new1} <= rst ? 2'd0 : {d_new1, s3_decide && !made_valid};
        d_odd <= ^{d_asid, d_vpn, d_frame, d_v_asid, d_v_vpn};
        if (d_new2)
            d_kept <= d_odd;
        d_bad <= !rst && !d_new1 && !d_new2 && !unmade && d_odd != d_kept;
        if ((d_valid && d_ready) || made == unmade || d_bad)
            {made, unmade} <= 2'b01;
        if (decides)
            {made, unmade} <= 2'b10;
        next_seq <= next_seq + {{SEQ_W-1{1'b0}}, decides};
        if (outcome_came && !made_valid)
            made_tier <= outcome[1:0];
        if (s3_decide && !made_valid) begin // whatever the outcome: nobody reads the registers before the decision is made
            d_seq     <= next_seq;
            d_ahead   <= ahead;
            d_asid    <= ahead ? {ASID_W{1'b0}} : head_asid;
            made_t2   <= head_t2 && !ahead;
            made_slot <= head_slot;
            d_vpn     <= ahead ? {VPN_W{1'b0}} : head_vpn;
            d_frame   <= is_victim ? decide_frame : {FRAME_W{1'b0}};
            d_v_asid  <= is_victim ? held[HELD_ASID_O +: ASID_W] : {ASID_W{1'b0}};
            d_v_vpn   <= is_victim ? held[HELD_VPN_O +: VPN_W] : {VPN_W{1'b0}};
            d_v_dirty <= is_victim && held[HELD_DIRTY_O];
            d_prio    <= is_victim ? decide_priority : 16'd0;
            d_v_last  <= is_victim ? held[HELD_LAST_O +: TIME_W] : {TIME_W{1'b0}};
            d_lost    <= head_lost && !ahead;
            d_fresh   <= is_none && !ahead && !head_filled && decide_fresh;
        end
        entered      <= rst || !enter_valid ? FAULT_NONE : enter_outcome;
        asked        <= rst ? FAULT_NONE : s3_fault;
        was_unnoted  <= !rst && w9_outcome == FAULT_DROPPED;
        was_given_up <= rst ? 2'd0 : {2{gives_up && !head_filled}} & {decide_fresh, 1'b1};
        stat_merged      <= stat_merged + {31'd0, entered == FAULT_JOINED};
        stat_fault_drops <= stat_fault_drops + {30'd0, drops[2] ? {drops[1] || drops[0], !(drops[1] ^ drops[0])} : {&drops[1:0], ^drops[1:0]}};
        stat_again       <= stat_again + {31'd0, entered == FAULT_AGAIN};
        stat_lost        <= stat_lost + {31'd0, entered == FAULT_LOST};
        stat_late        <= stat_late + {30'd0, &lates, ^lates};
        stat_none        <= stat_none + {31'd0, was_given_up[0]};
        stat_none_fresh  <= stat_none_fresh + {31'd0, was_given_up[1]};
        stat_ahead       <= stat_ahead + {31'd0, named_ahead && outcome_came};
        if (rst) begin
            credit   <= cfg_frames != 0;
            resident   <= 0;
            resident_n <= {FRAME_W+1{1'b1}};
            claimed    <= 0;
            claimed_n  <= {IDX_W+1{1'b1}};
            used       <= 0;
            {made, unmade} <= 2'b01;
            stat_merged      <= 0;
            stat_fault_drops <= 0;
            stat_again       <= 0;
            stat_lost        <= 0;
            stat_late        <= 0;
            stat_none        <= 0;
            stat_none_fresh  <= 0;
            stat_ahead       <= 0;
            next_seq         <= 0;
        end
    end

    // ======== the victim's place
    gmmu_tier_place #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FRAMES(FRAMES),
        .POOL(POOL),
        .K(K),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .TP_TAG_W(TP_TAG_W),
        .TP_CNT_W(TP_CNT_W),
        .PARITY(PARITY)
    ) tier_place (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .cleared(place_cleared),
        .cfg_search(cfg_search),
        .cfg_tiers(cfg_tiers),
        .now(now),
        .next(next),
        .made_valid(made_valid),
        .made(made_decision),
        .made_t2(made_t2),
        .made_slot(made_slot),
        .d_valid(d_valid),
        .d_ready(d_ready),
        .d(d),
        .placing(placing),
        .t_req(t_req),
        .t_kind(t_kind),
        .t_slot(t_slot),
        .t_grant(t_grant),
        .cand2_came(cand2_came),
        .t_void(t_void),
        .s0_frame(s0_frame),
        .s0_slot(s0_slot),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s2_page(s2_page),
        .s3_may_done(s3_may_done),
        .s3_may_swap(s3_may_swap),
        .may_be(may_be),
        .s3(s3),
        .held(held),
        .slot_held(slot_held),
        .s3_had(s3_had),
        .named(named),
        .age_entry(age_entry),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .stays(stays),
        .fill_slot(fill_slot),
        .fill_dirty(slot_dirty),
        .asks(ask_t2),
        .else_class(else_class),
        .else_last(else_last),
        .looked(looked),
        .hand_takes(hand_takes),
        .decided(outcome_came && outcome != TIER_RETRY),
        .decide_kept(outcome_kept),
        .looking(looking),
        .keep(f_keep),
        .flush_begun(flush_begun),
        .busy(place_busy),
        .turned(turned[3:0]),
        .bad_slot(bad_slot),
        .stat_t2_stale(stat_t2_stale),
        .stat_t2_none(stat_t2_none),
        .tvi(tvi)
    );

endmodule
`default_nettype wire
