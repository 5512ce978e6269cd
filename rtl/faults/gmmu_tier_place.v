// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_place: the place of a victim of Tier 1, and the page that leaves Tier 2 for the victim (docs/reference/blocks/tier_place.md).
//
// tier_place lies between fault_unit's decision and the driver. With T2_SLOTS 0, or no tiers enabled, a decision passes. Else the
// decision waits until these steps are done, one after the other:
//
//   RETURN, LEAVE: tier_predict ─► RISE: the page's slot ─► CAND2 …: victim_select ─► PLACE: to 2 or 3 ─► decision
//
// RISE, CAND2 and PLACE are side actions (side_port); the slot is read on the action's way. The driver's operations on slots come
// the same way. Source: GMT 2.1 (cfg_tier 1 to 3). cfg_tier 4 uses LEU's priorities in both tiers.
`default_nettype none
module gmmu_tier_place #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    parameter CLASS_W  = 10,
    parameter SEQ_W    = 16,
    parameter FRAMES   = 16384,
    parameter POOL     = 16,
    parameter K        = 64,
    // slots; 0: no tiers
    parameter T2_SLOTS = 0,
    parameter TP_SETS  = 4096,
    parameter TP_WAYS  = 4,
    parameter TP_TAG_W = 19,
    parameter TP_CNT_W = 4,
    // 1: corrupt words in RAM are reported
    parameter PARITY   = 1,
    parameter FRAME_W  = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    parameter PLACE_W  = FRAME_W > T2_W ? FRAME_W : T2_W,
    parameter TP_W     = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1
`include "gmmu_page.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_slot_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_cfg_tiers.vh"
`include "gmmu_tiers_tvi.vh"
`include "gmmu_beat_decision.vh"
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,         // the reset sequence is under way
    output wire                       cleared,       // all slots and the predictor are empty
    input  wire [1:0]                 cfg_search,    // the search of candidates: 0 scan, 1 sample, 2 and 3 clock
    input  wire [CFGT_BITS-1:0]       cfg_tiers,     // the registers of the tiers
    input  wire [TIME_W-1:0]          now,           // number of walks before the walk at w9
    input  wire [TIME_W-1:0]          next,          // number of walks with the walk at w9
    // the decision
    input  wire                       made_valid,    // a decision waits for its place
    input  wire [DECISION_RISE_O-1:0] made,          // the decision: its fields from seq to v_last
    input  wire                       made_t2,       // the faulting page is in a slot, by the page table
    input  wire [T2_W-1:0]            made_slot,     // slot of the faulting page, by the page table
    output wire                       d_valid,       // the decision has its place
    input  wire                       d_ready,       // the driver takes the decision
    output wire [DECISION_BITS-1:0]   d,             // the decision, a beat of m_axis_decision
    output wire                       placing,       // a decision has not its place yet
    // side actions that tier_place asks for; their frame is the decision's
    output wire                       t_req,         // an action is asked for
    output wire [3:0]                 t_kind,        // kind of the asked action, SIDE_*
    output wire [T2_W-1:0]            t_slot,        // slot of the asked action
    input  wire                       t_grant,       // the action is granted
    input  wire                       cand2_came,    // a CAND2 is at s3, void or not
    output wire                       t_void,        // the CAND2 at s3 is void: an earlier CAND2 found the candidate (cfg_tier 1 to 3)
    // side actions on their way to s3
    input  wire [FRAME_W-1:0]         s0_frame,      // frame of the action at s0
    input  wire [T2_W-1:0]            s0_slot,       // slot of the action at s0
    input  wire                       s1_slot_valid, // the action at s1 reads a slot
    input  wire                       s1_rise,       // the action at s1 is RISE
    input  wire [PAGE_BITS-1:0]       s2_page,       // page that the driver names, of the action at s2
    input  wire                       s3_may_done,   // T2_FILL_DONE comes to s3 in the next cycle; frame and slot are valid in this cycle
    input  wire                       s3_may_swap,   // T2_SWAP comes to s3 in the next cycle; frame and slot are valid in this cycle
    output wire                       may_be,        // the T2_FILL_DONE or T2_SWAP of s3_may_done, s3_may_swap is allowed
    // the side action that takes effect
    input  wire [S3_BITS-1:0]         s3,            // the action
    input  wire [HELD_BITS-1:0]       held,          // content of the frame of the action at s3
    output wire [SLOT_BITS-1:0]       slot_held,     // content of the slot of the action at s3
    input  wire                       s3_had,        // CANCEL: there is something to cancel
    input  wire                       named,         // an outstanding fault names the slot of the action
    input  wire [TP_W-1:0]            age_entry,     // AGE of an entry of the predictor: number of the entry
    output wire                       done_ok,       // the T2_FILL_DONE or T2_SWAP at s3 is allowed
    output wire                       t2_refused,    // the T2_FREE or T2_CANCEL at s3 is refused
    output wire                       stays,         // a STAY is pending: CANCEL must wait
    // FILL and ASK
    output wire                       fill_slot,     // FILL: the slot that the driver names holds the page
    output wire                       fill_dirty,    // FILL: the page in the slot is dirty
    output wire                       asks,          // ASK: the slot that the driver names holds the page
    output wire [CLASS_W-1:0]         else_class,    // ASK of a page without a fault: class of its last access
    output wire [TIME_W-1:0]          else_last,     // ASK of a page without a fault: time of its last access
    // the searches
    input  wire [LOOKED_BITS-1:0]     looked,        // the answer to the CAND2 of six cycles before
    input  wire                       hand_takes,    // cfg_search clock: the HAND of the cycle before found Tier 1's candidate
    input  wire                       decided,       // cfg_search clock: the DECIDE of the cycle before made the decision
    input  wire                       decide_kept,   // cfg_search clock: the DECIDE of the cycle before kept the candidate
    output wire                       looking,       // the predictor is asked about the candidate: no DECIDE yet
    output wire                       keep,          // the candidate is to be kept (cfg_tier 3)
    input  wire                       flush_begun,   // toggles with each flush that begins: the predictor's entries go
    output wire                       busy,          // something is pending or under way
    // PARITY
    output wire [3:0]                 turned,        // PARITY: toggles, a bit each, with a corrupt word of {to2 frames, search, predictor, slots}
    output wire [T2_W-1:0]            bad_slot,      // slot of the last corrupt word
    output wire [31:0]                stat_t2_stale, // number of operations whose slot did not hold the page
    output wire [31:0]                stat_t2_none,  // number of PLACEs without a candidate
    output wire [TTVI_BITS-1:0]       tvi            // signals for the tier verification interface
);

`include "gmmu_codes.vh"

    generate
        if (T2_SLOTS == 0) begin : g_none
            assign cleared = 1'b1;
            assign d_valid = made_valid;
            assign d       = {{DECISION_BITS - DECISION_RISE_O{1'b0}}, made};
            assign {placing, t_req, t_kind, t_slot, t_void, may_be, slot_held, done_ok, t2_refused, stays} = 0;
            assign {fill_slot, fill_dirty, asks, else_class, looking, keep, busy, turned, bad_slot, stat_t2_stale, stat_t2_none, tvi} = 0;
            assign else_last = now;
            wire unused = &{1'b0, clk, rst, clear, cfg_search, cfg_tiers, next, made_t2, made_slot, d_ready, t_grant, cand2_came, s0_frame, s0_slot,
                            s1_slot_valid, s1_rise, s2_page, s3_may_done, s3_may_swap, s3, held, s3_had, named, age_entry, looked, hand_takes,
                            decided, decide_kept, flush_begun};
        end else begin : g_tiers
            wire unused_bits = &{1'b0, s3, held, looked, made}; // of each word some fields are used
            wire [2:0]        cfg_tier = cfg_tiers[CFGT_TIER_O +: 3];
            wire [T2_W:0]     cfg_t2_slots = cfg_tiers[CFGT_SLOTS_O +: T2_W+1];
            wire              cfg_tie = cfg_tiers[CFGT_TIE_O];
            wire [ASID_W-1:0] d_asid = made[DECISION_ASID_O +: ASID_W];     // address space of the faulting page
            wire [VPN_W-1:0]  d_vpn  = made[DECISION_VPN_O +: VPN_W];       // virtual page number of the faulting page
            wire [1:0]        d_tier = made[DECISION_TIER_O +: 2];          // where the decision leads, before the victim has its place
            wire              d_ahead = made[DECISION_AHEAD_O];             // no page comes
            wire [TIME_W-1:0] d_v_last = made[DECISION_V_LAST_O +: TIME_W]; // the victim's last access
            wire [T2_W-1:0]   s3_slot  = s3[S3_SLOT_O +: T2_W];
            wire              s3_fill_done = s3[S3_FILL_DONE_O];
            wire              s3_swap  = s3[S3_SWAP_O];
            wire              s3_place = s3[S3_PLACE_O];
            wire              s3_fill  = s3[S3_FILL_O];
            wire              s3_t2    = s3[S3_T2_O];
            // ======== the slots, and the to2 frames
            wire               slots_cleared;   // all slots are free
            wire               predict_cleared; // the predictor is empty
            wire               t_enabled;       // the slot at s3 is enabled
            wire               t_held;          // the slot holds a page
            wire               t_rising;        // the slot's page goes up
            wire               t_leaving;       // the slot's page goes down
            wire               t_mine;          // the slot's page is the operation's
            wire               t_expected;      // the slot's last access is best_last
            wire               t_dirty;         // the slot's page was written
            wire               t_counts;        // the slot was counted as held, whether or not its word is corrupt
            wire               t_bad;           // the slot's word is corrupt
            wire               to2;             // the frame at s3 is to2: its page goes to Tier 2
            wire               t_clamped;       // AGE clamps the slot's last access
            wire [CLASS_W-1:0] t_class;         // class of the slot's last access
            wire [TIME_W-1:0]  t_last;          // time of the slot's last access
            wire [TIME_W-1:0]  t_age;           // age of the slot's page
            wire [ASID_W-1:0]  t_asid;          // address space of the slot's page
            wire [VPN_W-1:0]   t_vpn;           // virtual page number of the slot's page
            wire [TIME_W-1:0]  best_last;       // last access of the search's candidate
            reg  [FRAME_W:0]   clear_frame;     // the frame that the reset sequence clears next
            wire frames_cleared = clear_frame == FRAMES[FRAME_W:0];
            wire clearing = clear && !frames_cleared;
            reg  clear1, clear2, clear3;        // `clearing` of the cycles before
            assign cleared = slots_cleared && predict_cleared && frames_cleared;
            always @(posedge clk) begin
                if (rst)
                    clear_frame <= 0;
                else if (clearing)
                    clear_frame <= clear_frame + 1'b1;
                {clear1, clear2, clear3} <= rst ? 3'd0 : {clearing, clear1, clear2};
            end

            reg  s2_rise;              // the action at s2 is RISE: its page is the faulting page
            wire [ASID_W-1:0] s2_asid; // address space of the page that the slot is compared with
            wire [VPN_W-1:0]  s2_vpn;  // virtual page number of the page that the slot is compared with
            assign {s2_asid, s2_vpn} = s2_rise ? {d_asid, d_vpn} : s2_page;
            always @(posedge clk)
                s2_rise <= s1_rise;
            wire   t_of    = s3_t2 && t_enabled && t_mine;             // the slot that the operation names holds its page
            (* keep *) wire fill_named; // FILL names an enabled slot. (`keep`: the signal arrives late, and has a LUT of its own.)
            (* keep *) wire t_any;      // the slot has a page
            assign fill_named = s3_fill && s3_t2 && t_enabled;
            assign t_any   = (t_held || t_rising || t_leaving);
            wire   fills   = fill_named && t_any && t_mine;
            assign asks    = s3[S3_ASK_O] && t_of && t_held;
            wire   remains = s3[S3_CANCEL_O] && s3_had && t_of && t_rising;
            wire   rises   = s3[S3_RISE_O] && t_enabled && t_mine && t_held;
            wire   leaves;                                             // PLACE: the slot's page leaves
            wire   to_2;                                               // PLACE: the frame becomes to2
            wire   empty   = !t_held && !t_rising;                     // the slot is free, or is leaving
            // (a to2 frame is leaving; the frame's own bit `leaving` is not asked, as that bit may be corrupt)
            reg    may;                                                // may_be of the cycle before
            always @(posedge clk)
                may <= may_be;
            assign may_be  = to2 && t_enabled && ((s3_may_done && empty) || (s3_may_swap && t_rising && t_mine));
            assign done_ok = may && (s3_fill_done || s3_swap);
            wire   frees   = s3[S3_T2_FREE_O] && t_enabled;
            wire   keeps   = s3[S3_T2_CANCEL_O] && t_enabled && t_leaving;
            assign t2_refused = (s3[S3_T2_FREE_O] && !frees) || (s3[S3_T2_CANCEL_O] && !keeps);
            assign fill_dirty = (fills && t_dirty) || (s3_fill && s3_t2 && t_enabled && t_bad);
            assign fill_slot  = fills;
            assign else_class = asks ? t_class : {CLASS_W{1'b0}};
            assign else_last  = asks ? t_last : now;
            wire   t_eligible = t_held && !named;
            assign slot_held  = {t_class, t_last, t_age, t_clamped, t_eligible}; // class, last, age, clamped, eligible
            gmmu_tier2_table #(
                .VPN_W(VPN_W),
                .ASID_W(ASID_W),
                .TIME_W(TIME_W),
                .CLASS_W(CLASS_W),
                .T2_SLOTS(T2_SLOTS),
                .PARITY(PARITY)
            ) tier2_table (
                .s3_counts(t_counts),
                .s3_bad(t_bad),
                .turned(turned[0]),
                .bad_slot(bad_slot),
                .clk(clk),
                .rst(rst),
                .clear(clear),
                .cleared(slots_cleared),
                .s1_valid(s1_slot_valid),
                .s0_slot(s0_slot),
                .cfg_slots(cfg_t2_slots),
                .s2_asid(s2_asid),
                .s2_vpn(s2_vpn),
                .s2_time(next),
                .s2_expect(best_last),
                .s3_slot(s3_slot),
                .s3_put(done_ok),
                .put_asid(held[HELD_ASID_O +: ASID_W]),
                .put_vpn(held[HELD_VPN_O +: VPN_W]),
                .put_class(held[HELD_CLASS_O +: CLASS_W]),
                .put_last(held[HELD_LAST_O +: TIME_W]),
                .put_dirty(held[HELD_DIRTY_O]),
                .put_bad(held[HELD_BAD_O]),
                .s3_empty((fills && !s3_swap) || frees),
                .s3_rise(rises),
                .s3_leave(leaves),
                .s3_stay(remains || keeps),
                .s3_age(s3[S3_AGE_SLOT_O]),
                .s3_enabled(t_enabled),
                .s3_held(t_held),
                .s3_rising(t_rising),
                .s3_leaving(t_leaving),
                .s3_mine(t_mine),
                .s3_expected(t_expected),
                .s3_clamped(t_clamped),
                .s3_dirty(t_dirty),
                .s3_asid(t_asid),
                .s3_vpn(t_vpn),
                .s3_class(t_class),
                .s3_last(t_last),
                .s3_interval(t_age)
            );
            wire ends = s3_fill || s3[S3_FREE_O] || s3[S3_CANCEL_O];
            // A lost reserved place would be counted for good: the RAM holds each bit three times.
            wire [2:0] unused_2;
            wire unused_to2, unused_b, unused_b2, unused_b3, unused_fwd, unused_bbad;
            wire to2_bad;    // a copy of `to2` is corrupt
            reg  to2_turned; // toggles with each corrupt copy that an action meets
            assign turned[3] = to2_turned;
            always @(posedge clk)
                to2_turned <= !rst && to2_turned != ((ends || s3_fill_done || s3_swap) && to2_bad);
            gmmu_ram_rmw3 #(
                .WIDTH(1),
                .DEPTH(FRAMES),
                .ADDR_W(FRAME_W),
                .PARITY(PARITY != 0 ? 2 : 0)
            ) frames (
                .clk(clk),
                .rst(rst),
                .a0_addr(clearing ? clear_frame[FRAME_W-1:0] : s0_frame),
                .a2_q(unused_to2),
                .a2_fwd(unused_2[0]),
                .a3_q(to2),
                .b2_fwd(unused_2[1]),
                .w_q(unused_2[2]),
                .a3_fwd(unused_fwd),
                .a3_we(clear3 || ends || to_2),
                .a3_d(!clear3 && !ends),
                .b0_addr({FRAME_W{1'b0}}),
                .b2_q(unused_b2),
                .b3_q(unused_b3),
                .b3_fwd(unused_b),
                .a3_poison(1'b0),
                .a3_bad(to2_bad),
                .b3_bad(unused_bbad)
            );
            wire unused_ram = &{1'b0, unused_2, unused_to2, unused_b, unused_b2, unused_b3, unused_fwd, unused_bbad};

            // Slots in use: slots that are held, and places that are reserved by to2 frames. The count is valid four cycles after an action:
            // side_port keeps PLACE that far behind all actions that may change the count (reserved turn).
            localparam USED_W = $clog2(T2_SLOTS + FRAMES + 1) + 2;
            reg  [USED_W-1:0] used;   // number of slots in use
            wire [31:0] used_32 = {{32 - USED_W{1'b0}}, used}, slots_32 = {{31 - T2_W{1'b0}}, cfg_t2_slots};
            reg    room;                                               // a slot is not in use
            wire   plus  = to_2 || remains || keeps || (s3_swap && done_ok);
            wire   minus = (ends && to2 && !s3_fill_done);             // a reserved place ends without T2_FILL_DONE
            wire   gone  = rises || leaves || (t_counts && (fills || frees || (s3_fill_done && may))); // a slot is held no more; t_counts: with a corrupt word
            reg    was_plus, was_minus, was_gone;                      // late count: the events of the cycle before
            wire [2:0] change = {2'd0, was_plus} - {2'd0, was_minus} - {2'd0, was_gone};
            always @(posedge clk) begin
                {was_plus, was_minus, was_gone} <= rst ? 3'd0 : {plus, minus, gone};
                used <= rst ? {USED_W{1'b0}} : used + {{USED_W-3{change[2]}}, change};
                room <= used_32 < slots_32;
            end

            // ======== the predictor's operations: RETURN and LEAVE of a decision; LOOK, STAY and AGE, which wait in a register each
            localparam NEW = 3'd0, RETURN = 3'd1, LEAVE = 3'd2, RISE = 3'd3, PLACE = 3'd4, DONE = 3'd5;
            reg  [2:0] state;
            wire by_table = cfg_tier != PLACE_PRIORITY;
            wire victim   = d_tier == TIER_2[1:0];
            reg               look_owed;            // a LOOK is pending
            reg               stay_owed;            // a STAY is pending
            reg               age_owed;             // an AGE is pending
            reg  [ASID_W-1:0] look_asid, stay_asid; // address space of the pending LOOK, STAY
            reg  [VPN_W-1:0]  look_vpn, stay_vpn;   // virtual page number of the pending LOOK, STAY
            reg  [TP_W-1:0]   age_at;               // entry of the pending AGE
            wire of_decision = state == RETURN || state == LEAVE;
            wire op_ready;     // the predictor takes an operation
            wire r_valid;      // the predictor answers an operation
            wire r_found;      // answer: the page has an entry
            wire r_forced;     // answer to LEAVE: predicted for Tier 3, sent to Tier 2
            wire r_clamped;    // answer to AGE: the entry is clamped
            wire predict_idle; // no operation is under way in the predictor
            wire [1:0] r_pred;  // answer: predicted tier
            wire [1:0] r_right; // answer to RETURN: the tier that was right
            wire [1:0] r_tier;  // answer to LEAVE: tier of the page
            wire forgets;      // a FORGET is pending or under way
            wire forgetting;   // a FORGET is under way
            wire unused_lost;  // answer: the entry is corrupt (and counts as a page without history)
            wire [2:0] r_kind; // answer: kind of the operation
            wire [2:0] op_kind = of_decision ? (state == RETURN ? TP_RETURN : TP_LEAVE) : look_owed ? TP_LOOK : stay_owed ? TP_STAY : TP_AGE;
            wire op_valid = of_decision || look_owed || stay_owed || age_owed;
            wire op_taken = op_valid && op_ready;
            gmmu_tier_predict #(
                .VPN_W(VPN_W),
                .ASID_W(ASID_W),
                .TIME_W(TIME_W),
                .TP_SETS(TP_SETS),
                .TP_WAYS(TP_WAYS),
                .TP_TAG_W(TP_TAG_W),
                .TP_CNT_W(TP_CNT_W),
                .PARITY(PARITY)
            ) tier_predict (
                .r_lost(unused_lost),
                .turned(turned[1]),
                .flushes(flush_begun),
                .forgetting(forgetting),
                .forgets(forgets),
                .clk(clk),
                .rst(rst),
                .clear(clear),
                .cleared(predict_cleared),
                .cfg_tier(cfg_tier),
                .cfg_tier_default(cfg_tiers[CFGT_DEFAULT_O]),
                .cfg_tier_model(cfg_tiers[CFGT_MODEL_O]),
                .cfg_tier_near(cfg_tiers[CFGT_NEAR_O +: TIME_W]),
                .cfg_tier_far(cfg_tiers[CFGT_FAR_O +: TIME_W]),
                .op_valid(op_valid),
                .op_ready(op_ready),
                .op_kind(op_kind),
                .op_asid(state == RETURN ? d_asid : state == LEAVE ? made[DECISION_V_ASID_O +: ASID_W] : look_owed ? look_asid : stay_asid),
                .op_vpn(state == RETURN ? d_vpn : state == LEAVE ? made[DECISION_V_VPN_O +: VPN_W] : look_owed ? look_vpn : stay_vpn),
                .op_time(now),
                .op_index(age_at),
                .r_valid(r_valid),
                .r_kind(r_kind),
                .r_found(r_found),
                .r_pred(r_pred),
                .r_right(r_right),
                .r_tier(r_tier),
                .r_forced(r_forced),
                .r_clamped(r_clamped),
                .idle(predict_idle)
            );
            assign stays = stay_owed;
            wire   owes_stay = s3[S3_CANCEL_O] && held[HELD_LEAVING_O] && by_table && cfg_tier != PLACE_NONE;
            reg        waits;       // the answer to LEAVE has not come
            reg  [1:0] goes;        // LEAVE: tier of the victim
            reg  [1:0] pred;        // LEAVE: predicted tier
            reg        forced;      // LEAVE: predicted for Tier 3, sent to Tier 2
            always @(posedge clk) begin
                if (state == NEW)
                    {pred, forced} <= 0;
                if (predict_idle) // the predictor answers before the predictor is idle
                    waits <= 1'b0;
                if (op_taken && op_kind == TP_LEAVE)
                    waits <= 1'b1;
                if (r_valid && r_kind == TP_LEAVE)
                    {waits, goes, pred, forced} <= {1'b0, r_tier, r_pred, r_forced};
                if (op_taken && op_kind == TP_STAY)
                    stay_owed <= 1'b0;
                if (op_taken && op_kind == TP_AGE)
                    age_owed <= 1'b0;
                if (owes_stay)
                    {stay_owed, stay_asid, stay_vpn} <= {1'b1, held[HELD_VPN_O +: PAGE_BITS]};
                if (s3[S3_AGE_ENTRY_O])
                    {age_owed, age_at} <= {1'b1, age_entry};
                if (rst) begin
                    waits     <= 1'b0;
                    stay_owed <= 1'b0;
                    age_owed  <= 1'b0;
                end
            end

            // ======== is Tier 1's candidate kept?
            localparam [3:0] MOST = 4'd8; // candidates that a search may keep
            reg        look_sent;         // a LOOK is under way
            reg        chosen_stays;      // the candidate is to be kept
            reg  [3:0] stayed;            // candidates that the search kept
            wire looks = hand_takes && cfg_tier == PLACE_REUSE && stayed != MOST;
            assign looking = look_owed || look_sent;
            assign keep    = chosen_stays;
            always @(posedge clk) begin
                if (predict_idle)
                    look_sent <= 1'b0;
                if (op_taken && op_kind == TP_LOOK)
                    {look_owed, look_sent} <= 2'b01;
                if (r_valid && r_kind == TP_LOOK)
                    {look_sent, chosen_stays} <= {1'b0, r_pred == 2'd1};
                // late select: hand_takes comes a cycle after the page, so the page at s3 is taken in every cycle while no LOOK is pending
                if (!look_owed && !looks)
                    {look_asid, look_vpn} <= held[HELD_VPN_O +: PAGE_BITS];
                if (looks)
                    look_owed <= 1'b1;
                if (hand_takes || decided || decide_kept || rst)
                    chosen_stays <= 1'b0;
                stayed <= rst || decided ? 4'd0 : stayed + {3'd0, decide_kept};
                if (rst)
                    {look_owed, look_sent} <= 2'b00;
            end

            // ======== the search for the page that is worth least in Tier 2. With cfg_tie the younger of equal priorities comes first.
            reg  rose;                         // RISE found the faulting page in its slot
            wire want3   = by_table && goes == 2'd3; // the victim goes to Tier 3
            reg  contested;                    // the place depends on the pages in Tier 2
            reg  search;                       // the search may begin
            reg  some_slots;                   // slots are enabled
            wire searches = contested && some_slots;
            wire cand_req;                     // the search asks for a CAND2
            wire decide_req;                   // the search asks for a PLACE
            wire have;                         // there is a candidate
            wire tired;                        // there is no candidate, and the search gives up
            wire idle;                         // the search is at rest
            wire by_hand;                      // the search is `clock`
            wire past;                         // a CAND2 before the CAND2 at s3 found the candidate
            wire unused_searched, unused_takes;
            wire unused_fresh, unused_forced; // no slot is fresh
            assign t_void = by_hand && past;
            wire [T2_W-1:0]   cand_slot;       // slot of the CAND2
            wire [T2_W-1:0]   best_slot;       // slot of the candidate
            wire [TIME_W-1:0] best_last_x;     // last access of the candidate; with cfg_tie the complement
            wire [15:0]       best_priority;   // priority of the candidate
            wire granted = t_grant && t_kind == SIDE_PLACE;
            wire retry;                        // PLACE: the candidate is not eligible now, or was accessed
            reg    placed;                     // a cycle after PLACE: the victim has its place
            reg    retried;                    // a cycle after PLACE: the search goes on
            reg    left;                       // a cycle after PLACE: the slot's page leaves
            reg    went;                       // a cycle after PLACE: the victim goes to Tier 2
            gmmu_victim_select #(
                .TIME_W(TIME_W),
                .FRAMES(T2_SLOTS),
                .POOL(POOL),
                .K(K),
                .PARITY(PARITY)
            ) victim_select (
                .turned(turned[2]),
                .clk(clk),
                .rst(rst),
                .cfg_frames(cfg_t2_slots),
                .cfg_search({by_table, cfg_search != SEARCH_SCAN && !by_table}),
                .wanted(search),
                .no_search(!searches),
                .slow(1'b0),
                .idle(idle),
                .cand_req(cand_req),
                .cand_frame(cand_slot),
                .cand_grant(t_grant && t_kind == SIDE_CAND2),
                .ans_valid(looked[LOOKED_VALID_O] && looked[LOOKED_T2_O]),
                .ans_eligible(looked[LOOKED_ELIGIBLE_O]),
                .ans_fresh(1'b0),
                .ans_guarded(1'b0),
                .ans_priority(looked[LOOKED_PRIORITY_O +: 16]),
                .ans_last(looked[LOOKED_LAST_O +: TIME_W] ^ {TIME_W{cfg_tie}}),
                .ans_frame(looked[LOOKED_PLACE_O +: T2_W]),
                .cand_hand(by_hand),
                .hand_valid(cand2_came),
                .hand_eligible(t_eligible),
                .hand_recent(1'b0),
                .hand_fresh(1'b0),
                .hand_last(t_last ^ {TIME_W{cfg_tie}}),
                .hand_frame(s3_slot),
                .hand_void(past),
                .decide_req(decide_req),
                .decide_have(have),
                .decide_tired(tired),
                .decide_fresh(unused_fresh),
                .forces(1'b0),
                .forced(unused_forced),
                .decide_searched(unused_searched),
                .decide_frame(best_slot),
                .decide_last(best_last_x),
                .decide_priority(best_priority),
                .decide_grant(granted),
                .decide_done(placed || retried),
                .decide_retry(retried),
                .decide_kept(1'b0),
                .decide_taken(left),
                .hand_takes(unused_takes)
            );
            wire unused_search = &{1'b0, unused_searched, unused_takes};
            assign best_last = best_last_x ^ {TIME_W{cfg_tie}};
            assign placing = made_valid && !d_valid;

            // Is the candidate worth less than the victim? Both are known long before PLACE.
            reg  lower;   // the candidate has the lower priority
            reg  same;    // both have the same priority
            reg  younger; // the candidate is younger, or as old
            reg  older;   // the candidate is older, or as old
            wire [TIME_W-1:0] since_victim = best_last - d_v_last, before_victim = d_v_last - best_last;
            wire unused_since = &{1'b0, since_victim, before_victim};
            always @(posedge clk) begin
                lower   <= best_priority < made[DECISION_PRIO_O +: 16];
                same    <= best_priority == made[DECISION_PRIO_O +: 16];
                younger <= !since_victim[TIME_W-1];
                older   <= !before_victim[TIME_W-1];
            end
            wire yields = by_table || lower || (same && (cfg_tie ? younger : older));

            // ======== PLACE
            wire good = t_held && !named && t_expected;
            // late select: all but the slot and the frame is known two cycles before PLACE
            reg    simply; // the victim goes to Tier 2 without a search
            reg    finds;  // the search has a candidate that is worth less
            reg    chose;  // the search has a candidate
            reg    lacks;  // the search has no candidate yet
            reg    failed; // there is no candidate
            always @(posedge clk) begin
                contested  <= !want3 && !rose && !room && !(by_table && cfg_tiers[CFGT_FULL_O]);
                search     <= state == PLACE && !waits && !placed && !rst;
                some_slots <= cfg_t2_slots != 0;
                simply <= !want3 && (rose || room);
                finds  <= searches && have && yields;
                chose  <= searches && have;
                lacks  <= searches && !have && !tired;
                failed <= contested && !have;
            end
            assign retry  = s3_place && (lacks || (chose && !good));
            assign leaves = s3_place && held[HELD_LEAVING_O] && finds && good;
            assign to_2   = s3_place && held[HELD_LEAVING_O] && (simply || (finds && good));
            reg    stale_now; // late count: an operation's slot did not hold the page
            reg    none_now;  // late count: a PLACE found no candidate

            reg  rise_sent;   // a RISE is at s0 to s3
            reg  rise_0, rise_1, rise_2; // a RISE is at s0, s1, s2
            reg  swap;        // the decision: victim and faulting page change places
            reg  t2_valid;    // the decision: a page leaves Tier 2
            reg  t2_dirty;    // the decision: the page that leaves Tier 2 is dirty
            assign t_req  = state == RISE ? !rise_sent : cand_req || decide_req;
            assign t_kind = state == RISE ? SIDE_RISE : cand_req ? SIDE_CAND2 : SIDE_PLACE;
            assign t_slot = state == RISE ? made_slot : cand_req ? cand_slot : best_slot;
            reg  [1:0] tier;            // the decision: tier of the victim
            reg  [T2_W-1:0]   t2_slot;  // the decision: slot of the page that leaves Tier 2
            reg  [ASID_W-1:0] t2_asid;  // the decision: address space of the page that leaves Tier 2
            reg  [VPN_W-1:0]  t2_vpn;   // the decision: virtual page number of the page that leaves Tier 2
            wire on = cfg_tier != PLACE_NONE && d_tier != TIER_NONE[1:0];
            wire [2:0] after_foretell = made_t2 ? RISE : victim ? PLACE : DONE;
            always @(posedge clk) begin
                case (state)
                    NEW:
                        if (made_valid && on) begin
                            state <= !by_table ? after_foretell : d_ahead ? LEAVE : RETURN; // ahead of need no page returns
                            {rose, swap, t2_valid} <= 0;
                            tier <= d_tier;
                        end
                    RETURN:
                        if (op_ready)
                            state <= victim ? LEAVE : after_foretell;
                    LEAVE:
                        if (op_ready)
                            state <= after_foretell;
                    RISE:
                        if (s3[S3_RISE_O]) begin
                            rose  <= rises;
                            state <= victim ? PLACE : DONE;
                        end
                    PLACE:
                        if (placed) begin
                            state <= DONE;
                            tier  <= went ? 2'd2 : 2'd3;
                            swap  <= went && rose;
                            t2_valid <= left;
                        end
                    DONE:
                        if (d_ready)
                            state <= NEW;
                    default:
                        state <= NEW;
                endcase
                if (!made_valid) // also after a decision that was lost
                    state <= NEW;
                {rise_0, rise_1, rise_2} <= rst ? 3'd0 : {state == RISE && t_grant, rise_0, rise_1};
                rise_sent <= !rst && state == RISE && (t_grant || rise_0 || rise_1 || rise_2); // at s0 to s3
                {placed, retried, left, went} <= rst ? 4'd0 : {s3_place && !retry, retry, leaves, to_2};
                if (s3_place)
                    {t2_slot, t2_asid, t2_vpn, t2_dirty} <= {s3_slot, t_asid, t_vpn, t_dirty};
                stale_now <= !rst && ((s3[S3_RISE_O] && !rises) || (s3_t2 && ((s3_fill && !fills) || (s3[S3_ASK_O] && !asks) ||
                                                                        (s3[S3_CANCEL_O] && s3_had && !remains))));
                none_now  <= !rst && s3_place && !retry && failed;
                if (rst)
                    state <= NEW;
            end
            gmmu_event_count count_stale (
                .clk(clk),
                .rst(rst),
                .happens(stale_now),
                .count(stat_t2_stale)
            );
            gmmu_event_count count_none  (
                .clk(clk),
                .rst(rst),
                .happens(none_now),
                .count(stat_t2_none)
            );
            assign d_valid = made_valid && (!on || state == DONE);
            wire             done = state == DONE;
            wire [1:0]       m_tier = done ? tier : d_tier;
            wire             m_t2_valid = done && t2_valid;
            assign d = {
                m_t2_valid && t2_dirty,                                    // t2_dirty
                m_t2_valid ? t2_vpn : {VPN_W{1'b0}},                       // t2_vpn
                m_t2_valid ? t2_asid : {ASID_W{1'b0}},                     // t2_asid
                m_t2_valid ? t2_slot : {T2_W{1'b0}},                       // t2_slot
                m_t2_valid,                                                // t2_valid
                done && forced,                                            // forced
                done ? pred : 2'd0,                                        // pred
                done && swap,                                              // swap
                done && rose,                                              // rise
                made[DECISION_RISE_O-1:DECISION_FRAME_O],                  // fresh to frame
                m_tier,                                                    // tier
                made[DECISION_TIER_O-1:0]                                  // vpn to seq
            };
            assign busy = stay_owed || age_owed || looking || !predict_idle || forgets || !idle || placing;

            wire [2:0] shown_place = !s3_place ? TIER_NONE : retry ? TIER_RETRY : to_2 ? TIER_2 : TIER_3;
            // goes, right, pred, kind, place, clamped, forced, found, foretold, foretell, forgetting, rises
            assign tvi = {r_tier, r_right, r_pred, op_kind, shown_place, r_clamped, r_forced, r_found, r_valid, op_taken, forgetting, rises};
        end
    endgenerate

endmodule
`default_nettype wire
