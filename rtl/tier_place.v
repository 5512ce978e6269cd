// SPDX-License-Identifier: Apache-2.0
// tier_place: where a victim of Tier 1 goes, and what leaves Tier 2 for it (docs/blocks/tier_place.md).
//
// Between fault_unit's decision and the driver. With T2_SLOTS 0, or no tiers enabled, a decision passes. Else it stands until
// these have been, one after the other:
//
//   RETURN, LEAVE: tier_predict ─► RISE: the page's slot ─► CAND2 …: victim_select ─► PLACE: to 2 or 3 ─► it leaves
//
// RISE, CAND2 and PLACE are side actions (side_port), beside which the slot is read; what the driver does to slots comes the same
// way. Source: GMT 2.1 (cfg_tier 1 to 3); 4 is by LEU's priorities in both tiers.
`default_nettype none
module tier_place #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    parameter CLASS_W  = 10,
    parameter FRAMES   = 16384,
    parameter POOL     = 16,
    parameter K        = 64,
    // slots; 0: no tiers
    parameter T2_SLOTS = 0,
    parameter TP_SETS  = 4096,
    parameter TP_WAYS  = 4,
    parameter TP_TAG_W = 19,
    parameter TP_CNT_W = 4,
    // 1: words in RAM that turned bad are told
    parameter PARITY   = 1,
    parameter FRAME_W  = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    parameter TP_W     = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,        // reset sequence
    output wire               cleared,
    // registers
    input  wire [1:0]         cfg_search,
    input  wire [T2_W:0]      cfg_t2_slots,
    input  wire [2:0]         cfg_tier,     // PLACE_*
    input  wire               cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie,
    input  wire [TIME_W-1:0]  cfg_tier_near, cfg_tier_far,
    input  wire [TIME_W-1:0]  now, next,    // walks before the one at w9, and with it
    // the decision, and when it leaves
    input  wire               d_valid, d_t2,
    input  wire [1:0]         d_tier,
    input  wire [ASID_W-1:0]  d_asid, d_v_asid,
    input  wire [VPN_W-1:0]   d_vpn, d_v_vpn,
    input  wire [15:0]        d_prio,
    input  wire [TIME_W-1:0]  d_v_last,
    input  wire [T2_W-1:0]    d_slot,
    input  wire               d_ready,
    output wire               m_valid,
    output wire [1:0]         m_tier, m_pred,
    output wire               m_rise, m_swap, m_forced, m_t2_valid, m_t2_dirty,
    output wire [T2_W-1:0]    m_t2_slot,
    output wire [ASID_W-1:0]  m_t2_asid,
    output wire [VPN_W-1:0]   m_t2_vpn,
    // its side actions: request, kind (SIDE_*), slot; the frame is the decision's
    output wire               side_req,
    output wire [3:0]         side_kind,
    output wire [T2_W-1:0]    side_slot,
    input  wire               side_grant,
    input  wire               cand2_came,   // a CAND2 at s3; cfg_tier 1 to 3: void, for one before it is the candidate
    output wire               cand2_void,
    // what the side port does: slot, frame, page
    input  wire               s1_slot_valid,
    input  wire [T2_W-1:0]    s0_slot, s3_slot,
    input  wire [FRAME_W-1:0] s0_frame,
    input  wire               s1_rise,
    input  wire [ASID_W-1:0]  s1_asid,
    input  wire [VPN_W-1:0]   s1_vpn,
    input  wire               s3_fill, s3_free, s3_cancel, s3_had, s3_t2, s3_ask, // s3_free: T2_FILL_DONE's, too
    input  wire               s3_fill_done, s3_t2_free, s3_t2_cancel, s3_swap, // asked for
    input  wire               s3_age_slot, s3_age_entry, s3_rise, s3_place,
    input  wire [TP_W-1:0]    age_entry,
    input  wire               named,        // an outstanding fault names s3_slot
    input  wire               f_leaving, f_dirty,
    input  wire               f_bad,                  // PARITY: what is said of the frame is of a word that turned bad
    input  wire [ASID_W-1:0]  f_asid,
    input  wire [VPN_W-1:0]   f_vpn,
    input  wire [CLASS_W-1:0] f_class,
    input  wire [TIME_W-1:0]  f_last,
    // what the slot of the action at s3 says
    input  wire               s3_may_done, s3_may_swap, // may T2_FILL_DONE, T2_SWAP of this frame and slot be, which comes in the next cycle?
    output wire               may_be, done_ok, // so it is; so it was
    output wire               t2_refused,   // T2_FREE, T2_CANCEL may not
    output wire               fill_dirty,   // FILL: the slot's page is dirty
    output wire               asks,         // ASK: the slot holds the page
    output wire               fill_slot,    // FILL: the slot that it names holds the page: t_class, t_last are its
    output wire [CLASS_W-1:0] else_class,   // ASK of a page without a fault
    output wire [TIME_W-1:0]  else_last,
    output wire               t_eligible,
    output wire [CLASS_W-1:0] t_class,
    output wire [TIME_W-1:0]  t_last, t_age,
    output wire               t_clamped,
    // the candidate's priority
    input  wire               looked_valid, looked_eligible,
    input  wire [15:0]        looked_priority,
    input  wire [TIME_W-1:0]  looked_last,
    input  wire [T2_W-1:0]    looked_slot,
    output wire               stays,        // a CANCEL must wait
    output wire               busy,
    output wire               placing,      // the decision has not its place yet
    output wire [31:0]        stat_t2_stale, stat_t2_none,
    // search clock: HAND found a candidate in the cycle before, DECIDE its decision; cfg_tier 3: short ones are kept
    input  wire               hand_takes, decided, decide_kept,
    output wire               looking,      // the predictor is asked: no DECIDE yet
    output wire               keep,
    input  wire               flush_begun,  // over with each flush that begins: the predictor's entries go
    output wire [3:0]         turned,       // PARITY: over with each bad word of {which frames are to2, the search, the predictor, this slot}
    output wire [T2_W-1:0]    bad_slot,
    // tvi
    output wire               tvi_rises, tvi_foretell, tvi_forgetting, tvi_foretold, tvi_found, tvi_forced, tvi_clamped,
    output wire [2:0]         tvi_place, tvi_foretell_kind,
    output wire [1:0]         tvi_pred, tvi_right, tvi_goes
);

`include "gmmu_codes.vh"

    generate
        if (T2_SLOTS == 0) begin : g_none
            assign {cleared, m_valid, m_tier} = {1'b1, d_valid, d_tier};
            assign {m_rise, m_swap, m_forced, m_t2_valid, m_t2_dirty, m_pred, m_t2_slot, m_t2_asid, m_t2_vpn} = 0;
            assign {side_req, side_kind, side_slot, cand2_void, may_be, done_ok, t2_refused, fill_dirty, fill_slot, asks, else_class} = 0;
            assign else_last = now;
            assign {turned, bad_slot} = 0;
            assign {t_eligible, t_class, t_last, t_age, t_clamped, stays, busy, placing, looking, keep, stat_t2_stale, stat_t2_none} = 0;
            assign {tvi_rises, tvi_foretell, tvi_forgetting, tvi_foretold, tvi_found, tvi_forced, tvi_clamped, tvi_place, tvi_foretell_kind, tvi_pred,
                    tvi_right, tvi_goes} = 0;
            wire unused = &{1'b0, clk, rst, clear, cfg_search, cfg_t2_slots, cfg_tier, cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie,
                cfg_tier_near, cfg_tier_far, next, d_t2, d_asid, d_v_asid, d_vpn, d_v_vpn, d_prio, d_v_last, d_slot, d_ready,
                side_grant, cand2_came, s1_slot_valid, s0_slot, s3_slot, s0_frame, s1_rise, s1_asid, s1_vpn, s3_fill, s3_free, s3_cancel, s3_had, s3_t2,
                s3_ask, s3_fill_done, s3_t2_free, s3_t2_cancel, s3_swap, s3_may_done, s3_may_swap, s3_age_slot, s3_age_entry, s3_rise, s3_place, age_entry,
                named,
                f_leaving, f_dirty, f_bad, f_asid, f_vpn, f_class, f_last, looked_valid, looked_eligible, looked_priority, looked_last,
                looked_slot, hand_takes, decided, decide_kept, flush_begun};
        end else begin : g_tiers
            // ======== the slots, and which frames are to2
            wire slots_cleared, predict_cleared, t_enabled, t_held, t_rising, t_leaving, t_mine, t_expected, t_dirty, t_counts, t_bad, to2;
            wire [ASID_W-1:0] t_asid;
            wire [VPN_W-1:0]  t_vpn;
            wire [TIME_W-1:0] best_last;
            reg  [FRAME_W:0]  clear_frame;
            wire frames_cleared = clear_frame == FRAMES[FRAME_W:0];
            wire clearing = clear && !frames_cleared;
            reg  clear1, clear2, clear3;
            assign cleared = slots_cleared && predict_cleared && frames_cleared;
            always @(posedge clk) begin
                if (rst)
                    clear_frame <= 0;
                else if (clearing)
                    clear_frame <= clear_frame + 1'b1;
                {clear1, clear2, clear3} <= rst ? 3'd0 : {clearing, clear1, clear2};
            end

            reg  [ASID_W-1:0] s2_asid;                                 // the page that the slot is compared with
            reg  [VPN_W-1:0]  s2_vpn;
            always @(posedge clk)
                {s2_asid, s2_vpn} <= s1_rise ? {d_asid, d_vpn} : {s1_asid, s1_vpn};
            wire   t_of    = s3_t2 && t_enabled && t_mine;             // the slot that the operation names holds its page
            (* keep *) wire fill_named, t_any;                         // of what fills is made, a table each: it is known late, and goes far
            assign fill_named = s3_fill && s3_t2 && t_enabled;
            assign t_any   = (t_held || t_rising || t_leaving);
            wire   fills   = fill_named && t_any && t_mine;
            assign asks    = s3_ask && t_of && t_held;
            wire   remains = s3_cancel && s3_had && t_of && t_rising;
            wire   rises   = s3_rise && t_enabled && t_mine && t_held;
            wire   leaves, to_2;                                       // PLACE: the slot's page leaves; the frame is to2
            wire   empty   = !t_held && !t_rising;                     // or to be so at once
            // (a frame that is to2 leaves: its own bit, which lies in one word, may have turned)
            reg    may;
            always @(posedge clk)
                may <= may_be;
            assign may_be  = to2 && t_enabled && ((s3_may_done && empty) || (s3_may_swap && t_rising && t_mine));
            assign done_ok = may && (s3_fill_done || s3_swap);
            wire   frees   = s3_t2_free && t_enabled;
            wire   keeps   = s3_t2_cancel && t_enabled && t_leaving;
            assign t2_refused = (s3_t2_free && !frees) || (s3_t2_cancel && !keeps);
            assign fill_dirty = (fills && t_dirty) || (s3_fill && s3_t2 && t_enabled && t_bad);
            assign fill_slot  = fills;
            assign else_class = asks ? t_class : {CLASS_W{1'b0}};
            assign else_last  = asks ? t_last : now;
            assign t_eligible = t_held && !named;
            tier2_table #(.VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .T2_SLOTS(T2_SLOTS), .PARITY(PARITY)) tier2_table (
                .s3_counts(t_counts), .s3_bad(t_bad), .turned(turned[0]), .bad_slot(bad_slot), .clk(clk), .rst(rst), .clear(clear),
                .cleared(slots_cleared), .s1_valid(s1_slot_valid), .s0_slot(s0_slot),
                .cfg_slots(cfg_t2_slots), .s2_asid(s2_asid), .s2_vpn(s2_vpn), .s2_time(next),
                .s2_expect(best_last), .s3_slot(s3_slot), .s3_put(done_ok), .put_asid(f_asid), .put_vpn(f_vpn), .put_class(f_class),
                .put_last(f_last), .put_dirty(f_dirty), .put_bad(f_bad), .s3_empty((fills && !s3_swap) || frees), .s3_rise(rises), .s3_leave(leaves),
                .s3_stay(remains || keeps), .s3_age(s3_age_slot), .s3_enabled(t_enabled), .s3_held(t_held), .s3_rising(t_rising),
                .s3_leaving(t_leaving), .s3_mine(t_mine), .s3_expected(t_expected), .s3_clamped(t_clamped), .s3_dirty(t_dirty),
                .s3_asid(t_asid), .s3_vpn(t_vpn), .s3_class(t_class), .s3_last(t_last), .s3_interval(t_age)
            );
            wire ends = s3_fill || s3_free || s3_cancel;
            // a promise that is lost would be counted for good: it stands there three times
            wire [2:0] unused_2;
            wire unused_to2, unused_b, unused_b2, unused_b3, unused_fwd, unused_bbad, to2_bad;
            reg  to2_turned;
            assign turned[3] = to2_turned;
            always @(posedge clk)
                to2_turned <= !rst && to2_turned != ((ends || s3_fill_done || s3_swap) && to2_bad);
            ram_rmw3 #(.WIDTH(1), .DEPTH(FRAMES), .ADDR_W(FRAME_W), .PARITY(PARITY != 0 ? 2 : 0)) frames (
                .clk(clk), .rst(rst), .a0_addr(clearing ? clear_frame[FRAME_W-1:0] : s0_frame), .a2_q(unused_to2), .a2_fwd(unused_2[0]), .a3_q(to2),
                .b2_fwd(unused_2[1]), .w_q(unused_2[2]),
                .a3_fwd(unused_fwd), .a3_we(clear3 || ends || to_2), .a3_d(!clear3 && !ends), .b0_addr({FRAME_W{1'b0}}), .b2_q(unused_b2), .b3_q(unused_b3),
                .b3_fwd(unused_b), .a3_poison(1'b0), .a3_bad(to2_bad), .b3_bad(unused_bbad)
            );
            wire unused_ram = &{1'b0, unused_2, unused_to2, unused_b, unused_b2, unused_b3, unused_fwd, unused_bbad};

            // places in use: slots that are held, and those that are promised. Known four cycles after an action: side_port
            // keeps PLACE so far behind all that may change it.
            localparam USED_W = $clog2(T2_SLOTS + FRAMES + 1) + 2;
            reg  [USED_W-1:0] used;
            wire [31:0] used_32 = {{32 - USED_W{1'b0}}, used}, slots_32 = {{31 - T2_W{1'b0}}, cfg_t2_slots};
            reg    room;
            wire   plus  = to_2 || remains || keeps || (s3_swap && done_ok);
            wire   minus = (ends && to2 && !s3_fill_done);             // a promise that ends
            wire   gone  = rises || leaves || (t_counts && (fills || frees || (s3_fill_done && may))); // of one that had turned bad
            reg    was_plus, was_minus, was_gone;
            wire [2:0] change = {2'd0, was_plus} - {2'd0, was_minus} - {2'd0, was_gone};
            always @(posedge clk) begin
                {was_plus, was_minus, was_gone} <= rst ? 3'd0 : {plus, minus, gone};
                used <= rst ? {USED_W{1'b0}} : used + {{USED_W-3{change[2]}}, change};
                room <= used_32 < slots_32;
            end

            // ======== the predictor: of a decision RETURN and LEAVE; LOOK, STAY and AGE, which wait in a register each
            localparam NEW = 3'd0, RETURN = 3'd1, LEAVE = 3'd2, RISE = 3'd3, PLACE = 3'd4, DONE = 3'd5;
            reg  [2:0] state;
            wire by_table = cfg_tier != PLACE_PRIORITY;
            wire victim   = d_tier == TIER_2[1:0];
            reg               look_owed, stay_owed, age_owed;
            reg  [ASID_W-1:0] look_asid, stay_asid;
            reg  [VPN_W-1:0]  look_vpn, stay_vpn;
            reg  [TP_W-1:0]   age_at;
            wire of_decision = state == RETURN || state == LEAVE;
            wire op_ready, r_valid, r_found, r_forced, r_clamped, predict_idle;
            wire [1:0] r_pred, r_right, r_tier;
            wire forgets;
            wire unused_lost; // what is said of it is as of a page without history
            wire [2:0] r_kind;
            wire [2:0] op_kind = of_decision ? (state == RETURN ? TP_RETURN : TP_LEAVE) : look_owed ? TP_LOOK : stay_owed ? TP_STAY : TP_AGE;
            wire op_valid = of_decision || look_owed || stay_owed || age_owed;
            wire op_taken = op_valid && op_ready;
            tier_predict #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .TP_TAG_W(TP_TAG_W),
                .TP_CNT_W(TP_CNT_W), .PARITY(PARITY)
            ) tier_predict (
                .r_lost(unused_lost), .turned(turned[1]), .flushes(flush_begun), .forgetting(tvi_forgetting), .forgets(forgets),
                .clk(clk), .rst(rst), .clear(clear), .cleared(predict_cleared), .cfg_tier(cfg_tier), .cfg_tier_default(cfg_tier_default),
                .cfg_tier_model(cfg_tier_model), .cfg_tier_near(cfg_tier_near), .cfg_tier_far(cfg_tier_far),
                .op_valid(op_valid), .op_ready(op_ready), .op_kind(op_kind),
                .op_asid(state == RETURN ? d_asid : state == LEAVE ? d_v_asid : look_owed ? look_asid : stay_asid),
                .op_vpn(state == RETURN ? d_vpn : state == LEAVE ? d_v_vpn : look_owed ? look_vpn : stay_vpn), .op_time(now), .op_index(age_at),
                .r_valid(r_valid), .r_kind(r_kind), .r_found(r_found), .r_pred(r_pred), .r_right(r_right), .r_tier(r_tier), .r_forced(r_forced),
                .r_clamped(r_clamped), .idle(predict_idle)
            );
            assign stays = stay_owed;
            wire   owes_stay = s3_cancel && f_leaving && by_table && cfg_tier != PLACE_NONE;
            reg        waits;       // the answer to LEAVE has not come
            reg  [1:0] goes, pred;
            reg        forced;
            always @(posedge clk) begin
                if (state == NEW)
                    {pred, forced} <= 0;
                if (predict_idle) // it answers before it is
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
                    {stay_owed, stay_asid, stay_vpn} <= {1'b1, f_asid, f_vpn};
                if (s3_age_entry)
                    {age_owed, age_at} <= {1'b1, age_entry};
                if (rst) begin
                    waits     <= 1'b0;
                    stay_owed <= 1'b0;
                    age_owed  <= 1'b0;
                end
            end

            // ======== is Tier 1's candidate kept? So many in a search may be.
            localparam [3:0] MOST = 4'd8;
            reg        look_sent, chosen_stays;
            reg  [ASID_W-1:0] was_asid; // of the frame a cycle ago
            reg  [VPN_W-1:0]  was_vpn;
            reg  [3:0] stayed;
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
                {was_asid, was_vpn} <= {f_asid, f_vpn};
                if (looks)
                    {look_owed, look_asid, look_vpn} <= {1'b1, was_asid, was_vpn};
                if (hand_takes || decided || decide_kept || rst)
                    chosen_stays <= 1'b0;
                stayed <= rst || decided ? 4'd0 : stayed + {3'd0, decide_kept};
                if (rst)
                    {look_owed, look_sent} <= 2'b00;
            end

            // ======== the search: what is worth least in Tier 2. With cfg_tie of equal priorities the younger comes first.
            reg  rose;
            wire want3   = by_table && goes == 2'd3;
            reg  contested, search; // it depends on who is in Tier 2; the search may begin
            reg  some_slots;
            wire searches = contested && some_slots;
            wire cand_req, decide_req, have, tired, idle, by_hand, past, unused_searched, unused_takes;
            assign cand2_void = by_hand && past;
            wire [T2_W-1:0]   cand_slot, best_slot;
            wire [TIME_W-1:0] best_last_x;
            wire [15:0]       best_priority;
            wire granted = side_grant && side_kind == SIDE_PLACE;
            wire retry;
            reg    placed, retried, left, went; // the outcome, a cycle later
            victim_select #(.TIME_W(TIME_W), .FRAMES(T2_SLOTS), .POOL(POOL), .K(K), .PARITY(PARITY)) victim_select (
                .turned(turned[2]), .clk(clk), .rst(rst), .cfg_frames(cfg_t2_slots), .cfg_search({by_table, cfg_search != SEARCH_SCAN && !by_table}),
                .wanted(search), .no_search(!searches), .slow(1'b0), .idle(idle), .cand_req(cand_req), .cand_frame(cand_slot),
                .cand_grant(side_grant && side_kind == SIDE_CAND2), .ans_valid(looked_valid), .ans_eligible(looked_eligible), .ans_guarded(1'b0),
                .ans_priority(looked_priority), .ans_last(looked_last ^ {TIME_W{cfg_tie}}), .ans_frame(looked_slot), .cand_hand(by_hand),
                .hand_valid(cand2_came), .hand_eligible(t_eligible), .hand_recent(1'b0), .hand_last(t_last ^ {TIME_W{cfg_tie}}), .hand_frame(s3_slot),
                .hand_void(past), .decide_req(decide_req), .decide_have(have),
                .decide_tired(tired), .decide_searched(unused_searched), .decide_frame(best_slot), .decide_last(best_last_x),
                .decide_priority(best_priority), .decide_grant(granted), .decide_done(placed || retried), .decide_retry(retried),
                .decide_kept(1'b0), .decide_taken(left), .hand_takes(unused_takes)
            );
            wire unused_search = &{1'b0, unused_searched, unused_takes};
            assign best_last = best_last_x ^ {TIME_W{cfg_tie}};
            assign placing = d_valid && !m_valid;

            // is the best one worth less than the victim? Of both it is known long before PLACE.
            reg  lower, same, younger, older;
            wire [TIME_W-1:0] since_victim = best_last - d_v_last, before_victim = d_v_last - best_last;
            wire unused_since = &{1'b0, since_victim, before_victim};
            always @(posedge clk) begin
                lower   <= best_priority < d_prio;
                same    <= best_priority == d_prio;
                younger <= !since_victim[TIME_W-1];  // or as old
                older   <= !before_victim[TIME_W-1];
            end
            wire yields = by_table || lower || (same && (cfg_tie ? younger : older));

            // ======== PLACE
            wire good = t_held && !named && t_expected;
            reg    simply, finds, chose, lacks, failed; // all of it but the slot and the frame is known two cycles before
            always @(posedge clk) begin
                contested  <= !want3 && !rose && !room && !(by_table && cfg_t2_full);
                search     <= state == PLACE && !waits && !placed && !rst;
                some_slots <= cfg_t2_slots != 0;
                simply <= !want3 && (rose || room);
                finds  <= searches && have && yields;
                chose  <= searches && have;
                lacks  <= searches && !have && !tired;
                failed <= contested && !have;
            end
            assign retry  = s3_place && (lacks || (chose && !good));
            assign leaves = s3_place && f_leaving && finds && good;
            assign to_2   = s3_place && f_leaving && (simply || (finds && good));
            reg    stale_now, none_now;

            reg  rise_sent, rise_0, rise_1, rise_2, swap, t2_valid, t2_dirty;
            assign side_req  = state == RISE ? !rise_sent : cand_req || decide_req;
            assign side_kind = state == RISE ? SIDE_RISE : cand_req ? SIDE_CAND2 : SIDE_PLACE;
            assign side_slot = state == RISE ? d_slot : cand_req ? cand_slot : best_slot;
            reg  [1:0] tier;
            reg  [T2_W-1:0]   t2_slot;
            reg  [ASID_W-1:0] t2_asid;
            reg  [VPN_W-1:0]  t2_vpn;
            wire on = cfg_tier != PLACE_NONE && d_tier != TIER_NONE[1:0];
            wire [2:0] after_foretell = d_t2 ? RISE : victim ? PLACE : DONE;
            always @(posedge clk) begin
                case (state)
                    NEW:
                        if (d_valid && on) begin
                            state <= by_table ? RETURN : after_foretell;
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
                        if (s3_rise) begin
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
                if (!d_valid) // also if it was lost
                    state <= NEW;
                {rise_0, rise_1, rise_2} <= rst ? 3'd0 : {state == RISE && side_grant, rise_0, rise_1};
                rise_sent <= !rst && state == RISE && (side_grant || rise_0 || rise_1 || rise_2); // at s0 to s3
                {placed, retried, left, went} <= rst ? 4'd0 : {s3_place && !retry, retry, leaves, to_2};
                if (s3_place)
                    {t2_slot, t2_asid, t2_vpn, t2_dirty} <= {s3_slot, t_asid, t_vpn, t_dirty};
                stale_now <= !rst && ((s3_rise && !rises) || (s3_t2 && ((s3_fill && !fills) || (s3_ask && !asks) ||
                                                                        (s3_cancel && s3_had && !remains))));
                none_now  <= !rst && s3_place && !retry && failed;
                if (rst)
                    state <= NEW;
            end
            event_count count_stale (.clk(clk), .rst(rst), .happens(stale_now), .count(stat_t2_stale));
            event_count count_none  (.clk(clk), .rst(rst), .happens(none_now), .count(stat_t2_none));
            assign m_valid = d_valid && (!on || state == DONE);
            assign m_tier  = state == DONE ? tier : d_tier;
            assign {m_rise, m_swap, m_forced, m_t2_valid, m_t2_dirty, m_pred} =
                state == DONE ? {rose, swap, forced, t2_valid, t2_valid && t2_dirty, pred} : 7'd0;
            assign {m_t2_slot, m_t2_asid, m_t2_vpn} = state == DONE && t2_valid ? {t2_slot, t2_asid, t2_vpn} : {T2_W+ASID_W+VPN_W{1'b0}};
            assign busy = stay_owed || age_owed || looking || !predict_idle || forgets || !idle || placing;

            assign tvi_rises = rises;
            assign tvi_place = !s3_place ? TIER_NONE : retry ? TIER_RETRY : to_2 ? TIER_2 : TIER_3;
            assign {tvi_foretell, tvi_foretell_kind} = {op_taken, op_kind};
            assign {tvi_foretold, tvi_found, tvi_forced, tvi_clamped, tvi_pred, tvi_right, tvi_goes} =
                {r_valid, r_found, r_forced, r_clamped, r_pred, r_right, r_tier};
        end
    endgenerate

endmodule
`default_nettype wire
