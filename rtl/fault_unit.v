// SPDX-License-Identifier: Apache-2.0
// fault_unit: from a fault to its decision (docs/blocks/fault_unit.md).
//
// A fault waits in fault_queue; the oldest undecided one is decided by DECIDE: FREE if there is credit, else the victim
// that the search found, if it still is one, else RETRY or NONE. Credit is the number of enabled frames less those
// that hold a page and are not leaving, less the decided faults that wait for their FILL (docs/schedule.md). With tiers
// the victim then gets its place (tier_place). Whether the victim may be taken is known last: what follows from it, but for its
// frame's state, follows a cycle later, in which none of the driver's actions comes (side_port).
//
//   fault, ASK ─► fault_queue ─► head ─► search ─► DECIDE ─► outcome ─► decision ─► tier_place ─►
//                     ▲                    FILL, FREE, CANCEL ─► credit ──┘
`default_nettype none
module fault_unit #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter SEQ_W   = 16,
    parameter FRAMES  = 16384,
    parameter FAULTS  = 8,
    // 1: side actions come back from memory, one right behind another
    parameter FRAME_MEM = 0,
    // slots of Tier 2, 0: none; its search; its predictor
    parameter T2_SLOTS = 0,
    parameter POOL    = 16,
    parameter K       = 64,
    parameter TP_SETS = 4096,
    parameter TP_WAYS = 4,
    parameter TP_TAG_W = 19,
    parameter TP_CNT_W = 4,
    // 1: words in RAM that turned bad are told
    parameter PARITY   = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter T2_W    = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    parameter TP_W    = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1,
    parameter IDX_W   = FAULTS > 1 ? $clog2(FAULTS) : 1
) (
    input  wire               clk,
    input  wire               clk_queue,   // fault_queue's
    input  wire               rst,
    input  wire               clear,       // reset sequence
    output wire               cleared,
    input  wire [FRAME_W:0]   cfg_frames,  // frames that are enabled from the next cycle on
    input  wire [1:0]         cfg_search,
    input  wire [T2_W:0]      cfg_t2_slots,
    input  wire [2:0]         cfg_tier,
    input  wire               cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie,
    input  wire [TIME_W-1:0]  cfg_tier_near, cfg_tier_far,
    input  wire [TIME_W-1:0]  now, next,   // walks before the one at w9, and with it
    // pages that may come to s3, to w9 in the next cycle, and in the one after it (FRAME_MEM 0; s1's, too)
    input  wire [ASID_W-1:0]  a_asid, w7_asid, w8_asid,
    input  wire [VPN_W-1:0]   a_vpn, w7_vpn, w8_vpn,
    input  wire [T2_W-1:0]    w8_slot,
    // side action at s3
    input  wire               s3_fill, s3_free, s3_cancel, s3_ask, s3_decide, s3_age_fault,
    input  wire               s3_dirty, s3_t2,
    input  wire [T2_W-1:0]    s1_slot, s2_slot, s3_slot,
    input  wire [ASID_W-1:0]  s3_asid,
    input  wire [VPN_W-1:0]   s3_vpn,
    input  wire [FRAME_W:0]   age_index,
    output wire               s3_had,      // CANCEL: there is something to cancel
    output wire               s3_left,     // FILL, FREE: a page left
    output wire               s3_clamped,  // AGE of a fault
    output wire               s3_hit,      // FILL: the page had a fault; CANCEL: a decided one
    output wire [IDX_W-1:0]   s3_entry,
    output wire [1:0]         s3_fault,    // ASK: FAULT_*
    // the frame of the action, and what FILL writes into it
    input  wire               f_valid, f_leaving, f_taken, f_dirty, f_bad,
    input  wire [ASID_W-1:0]  f_asid,
    input  wire [VPN_W-1:0]   f_vpn,
    input  wire [CLASS_W-1:0] f_class,
    input  wire [TIME_W-1:0]  f_last,
    output wire               f_take,      // DECIDE: the frame is to leave, or to be kept, if it still may
    output wire [CLASS_W-1:0] fill_class,
    output wire [TIME_W-1:0]  fill_last,
    output wire               fill_dirty,
    // walk at w9
    input  wire               w9_fault, w9_write, w9_t2,
    input  wire [T2_W-1:0]    w9_slot,
    input  wire [ASID_W-1:0]  w9_asid,
    input  wire [VPN_W-1:0]   w9_vpn,
    input  wire [CLASS_W-1:0] w9_class,
    input  wire [TIME_W-1:0]  w9_time,
    output wire [1:0]         w9_outcome,  // FAULT_*
    output wire [IDX_W-1:0]   w9_entry,
    // the search
    output wire               waiting,     // a fault waits for its decision,
    output wire               wanted,      // and is known: a cycle later
    output wire               no_search,   // and needs no victim
    input  wire               decide_have, decide_tired,
    input  wire [FRAME_W-1:0] decide_frame,
    input  wire [15:0]        decide_priority,
    output wire               decide_room, // for another decision
    input  wire               hand_takes,  // search clock: the page of the frame at s3 was the candidate, in the cycle before
    output wire               f_keep,      // DECIDE: it is to be kept,
    output wire [2:0]         decide_tier, // DECIDE's outcome, TIER_*
    output wire               outcome_came, // FRAME_MEM 0: a cycle later
    output wire [2:0]         outcome,
    output wire               outcome_kept,
    output wire [IDX_W-1:0]   decide_entry,
    // the decision
    output wire               d_valid,
    input  wire               d_ready,
    output reg  [SEQ_W-1:0]   d_seq,
    output reg  [ASID_W-1:0]  d_asid, d_v_asid,
    output reg  [VPN_W-1:0]   d_vpn, d_v_vpn,
    output wire [1:0]         d_tier, d_pred,
    output wire               d_rise, d_swap, d_forced, d_t2_valid, d_t2_dirty,
    output wire [T2_W-1:0]    d_t2_slot,
    output wire [ASID_W-1:0]  d_t2_asid,
    output wire [VPN_W-1:0]   d_t2_vpn,
    output reg  [FRAME_W-1:0] d_frame,
    output reg                d_v_dirty,
    output reg  [15:0]        d_prio,
    output reg  [TIME_W-1:0]  d_v_last,
    // tiers: side actions asked for, what the side port does with slots, and what they say
    output wire               t_req,
    output wire [3:0]         t_kind,
    output wire [T2_W-1:0]    t_slot,
    input  wire               t_grant, s1_slot_valid, s1_rise, cand2_came,
    output wire               t_void,
    input  wire [T2_W-1:0]    s0_slot,
    input  wire [FRAME_W-1:0] s0_frame,
    input  wire [ASID_W-1:0]  s1_asid,
    input  wire [VPN_W-1:0]   s1_vpn,
    input  wire               s3_fill_done, s3_t2_free, s3_t2_cancel, s3_swap, s3_age_slot, s3_age_entry, s3_rise, s3_place,
    input  wire [TP_W-1:0]    age_entry,
    input  wire               s3_may_done, s3_may_swap,
    output wire               may_be, done_ok, t2_refused, stays,
    output wire               t_eligible, t_clamped,
    output wire [CLASS_W-1:0] t_class,
    output wire [TIME_W-1:0]  t_last, t_age,
    input  wire               looked_valid, looked_eligible,
    input  wire [15:0]        looked_priority,
    input  wire [TIME_W-1:0]  looked_last,
    input  wire [T2_W-1:0]    looked_slot,
    output wire               busy,        // a decision stands, or the predictor is asked
    output wire               placing,     // the decision has not its place yet
    output reg                astray,      // the count of free frames is not to be relied on
    output wire [31:0]        stat_t2_stale, stat_t2_none,
    input  wire               flush_begun, // over with each flush that begins
    output wire               tvi_forgetting,
    output wire [3:0]         turned,      // PARITY: over with each bad word of {tier_place's frames, the search in Tier 2, tier_predict, this slot}
    output wire [T2_W-1:0]    bad_slot,
    // tvi
    output wire               tvi_rises, tvi_foretell, tvi_foretold, tvi_found, tvi_forced, tvi_clamped,
    output wire [2:0]         tvi_place, tvi_foretell_kind,
    output wire [1:0]         tvi_pred, tvi_right, tvi_goes,
    output reg  [31:0]        stat_merged, stat_fault_drops, stat_none
);

`include "gmmu_codes.vh"

    generate
        if ((FAULTS > FRAMES && FAULTS > 1) || (FAULTS >> SEQ_W) != 0) begin : g_bad
            FAULTS_or_SEQ_W_out_of_range stop_here();
        end
    endgenerate

    wire             q_hit, q_decided, q_full, q_dirty, head_filled, joined, full;
    wire [ASID_W-1:0] head_asid;
    wire [VPN_W-1:0]  head_vpn;
    wire [SEQ_W-1:0]  head_seq;
    wire              head_t2;
    wire [T2_W-1:0]   head_slot;
    wire [FRAME_W:0]  aged_fault = age_index - FRAMES[FRAME_W:0];
    wire unused_age = &{1'b0, aged_fault[FRAME_W:IDX_W]};
    wire [FAULTS-1:0] are_decided;         // the entries of the queue that are decided
    wire claims, takes, gives_up;          // a decision needs a frame, takes its victim's; NONE
    // a decision, before it has its place: there is one, there is none. Both say so, or a bit turned over, and there is none: one
    // that nobody made would name the frame of the one before, which leaves.
    reg               made, unmade;
    reg               d_new1, d_new2, d_odd, d_kept, d_bad; // whether what it says is odd: as it was, so it stays, or it is none either
    wire              stands = made && !unmade && !d_bad;
    reg               made_t2;
    reg  [1:0]        made_tier;
    reg  [T2_W-1:0]   made_slot;
    wire              named, slot_dirty, ask_t2, place_busy, looking;
    wire              fill_slot;
    wire [CLASS_W-1:0] else_class, q_class;
    wire [TIME_W-1:0] else_last, q_last;
    fault_queue #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS), .T2_W(T2_W), .FRAME_MEM(FRAME_MEM)
    ) fault_queue (
        .clk(clk_queue), .rst(rst), .b_s_asid(s1_asid), .b_s_vpn(s1_vpn), .b_s_slot(s1_slot), .b_w_asid(w7_asid), .b_w_vpn(w7_vpn), .a_w_slot(w8_slot),
        .a_s_asid(a_asid), .a_s_vpn(a_vpn), .a_w_asid(w8_asid), .a_w_vpn(w8_vpn), .a_s_slot(s2_slot), .a_time(next),
        .s_fill(s3_fill), .s_cancel(s3_cancel), .s_ask(s3_ask), .s_asid(s3_asid), .s_vpn(s3_vpn), .s_time(now),
        .s_t2(ask_t2), .s_slot(s3_slot), .s_else_class(else_class), .s_else_last(else_last), .s_named(named),
        .s_hit(q_hit), .s_decided(q_decided), .s_entry(s3_entry), .s_full(q_full),
        .s_class(q_class), .s_last(q_last), .s_dirty(q_dirty),
        .s_age(s3_age_fault), .s_age_entry(aged_fault[IDX_W-1:0]), .s_clamped(s3_clamped),
        .s_decide(claims), .s_give_up(gives_up),
        .waiting(waiting), .are_decided(are_decided), .head_valid(wanted), .head_entry(decide_entry), .head_filled(head_filled),
        .head_asid(head_asid), .head_vpn(head_vpn), .head_seq(head_seq), .head_t2(head_t2),
        .head_slot(head_slot), .w_t2(w9_t2), .w_slot(w9_slot),
        .w_fault(w9_fault), .w_asid(w9_asid), .w_vpn(w9_vpn), .w_class(w9_class), .w_time(w9_time), .w_write(w9_write),
        .w_joined(joined), .w_full(full), .w_entry(w9_entry)
    );
    // (what a slot says is known last)
    (* keep *) wire of_slot;
    assign of_slot    = fill_slot && !q_hit;
    assign fill_class = of_slot ? t_class : q_class;
    assign fill_last  = of_slot ? t_last : q_last;
    assign fill_dirty = s3_dirty || q_dirty || slot_dirty;
    assign s3_hit     = (s3_fill && q_hit) || (s3_cancel && q_decided);
    assign s3_had     = f_leaving || q_decided;
    assign s3_fault   = !s3_ask ? FAULT_NONE : q_hit ? FAULT_JOINED : q_full ? FAULT_DROPPED : FAULT_QUEUED;
    assign w9_outcome = !w9_fault ? FAULT_NONE : joined ? FAULT_JOINED : full ? FAULT_DROPPED : FAULT_QUEUED;

    // ======== credit
    reg  [FRAME_W:0] resident, resident_n; // valid and not leaving; the complement, counted by itself
    reg  [IDX_W:0]   claimed;  // decided faults that wait for their FILL
    // By what was left in the cycle before: nothing comes or goes right before a DECIDE looks. But from memory: so there also by one more or less.
    reg              credit;
    localparam C_W = FRAME_W + IDX_W + 3;
    reg  [C_W-1:0]   used;     // both, counted by itself: what is left is known from one comparison
    // Whether they change is known late: all are counted a cycle later, and `used` with what is to be counted.
    reg              to_plus, to_minus, to_claim, to_unclaim, no_plus, no_minus; // no: the complement, resident_n's
    wire [C_W-1:0]   used_now = used + {{C_W-1{1'b0}}, to_plus} + {{C_W-1{1'b0}}, to_claim} - {{C_W-1{1'b0}}, to_minus} - {{C_W-1{1'b0}}, to_unclaim};
    wire [C_W-1:0]   enabled = {{IDX_W+2{1'b0}}, cfg_frames};
    wire just_one = used_now + 1'b1 == enabled;
    // used_now < enabled, without waiting for used_now: by how much more frames are used than enabled, and what is to be counted
    wire [C_W-1:0]   over = used - enabled;
    wire             below = over[C_W-1], at_0 = over == 0, at_1 = over == 1, at_m1 = &over, at_m2 = &over[C_W-1:1] && !over[0];
    wire [2:0]       change = {2'd0, to_plus} + {2'd0, to_claim} - {2'd0, to_minus} - {2'd0, to_unclaim}; // -2 ... 2
    wire some = change[2] ? below || at_0 || (!change[0] && at_1) : below && !(change != 0 && at_m1) && !(change[1] && at_m2);
    assign s3_left = (s3_fill || s3_free) && f_valid;
    wire plus    = s3_fill || (s3_cancel && f_leaving);
    wire minus   = (s3_left && !f_leaving) || takes;
    wire unclaim = (s3_fill || s3_cancel) && q_decided;

    // Counts that differ as a bit turned over: there is no credit any more, for a decision would have to use a frame that is not free.
    reg  [IDX_W:0]    entries, new_entries, was_entries, was_claims;
    reg               resident_differs, used_differs;
    integer i;
    always @* begin
        entries = 0;
        for (i = 0; i < FAULTS; i = i + 1)
            entries = entries + {{IDX_W{1'b0}}, are_decided[i]};
    end
    always @(posedge clk) begin
        {new_entries, was_entries, was_claims} <= rst ? {3*IDX_W+3{1'b0}} : {entries, new_entries, claimed};
        resident_differs <= !rst && resident_n != ~resident;
        used_differs     <= !rst && used != {{IDX_W+2{1'b0}}, resident} + {{FRAME_W+2{1'b0}}, claimed};
        astray <= !rst && (astray || resident_differs || used_differs || was_entries != was_claims);
    end

    // ======== DECIDE
    // DECIDE without a head, or while a decision stands, comes only if a bit turned over, and decides nothing. But for whether
    // the frame may be taken, all is known in the cycle before: none of the driver's actions comes right before it, but from memory.
    wire   due   = wanted && !made, asks = due && !head_filled;
    wire [3:0] at_hand = {due && head_filled, asks, asks && decide_have, asks && !decide_have && decide_tired};
    wire   wants, has;                       // it wants a frame; of these: there is a candidate
    wire   is_none;
    wire   is_free = wants && credit && !is_none, is_victim = has && !credit;
    assign f_take   = s3_decide && is_victim;
    wire   kept     = f_take && f_taken && f_keep, taken = f_take && f_taken && !f_keep;
    wire   frees    = s3_decide && is_free;
    wire   now_claims = taken || frees;
    assign gives_up = s3_decide && is_none;
    wire   may_take = f_taken && !f_keep;
    assign decide_tier = is_free ? TIER_FREE : is_victim ? (may_take ? TIER_2 : TIER_RETRY) : is_none || !wants ? TIER_NONE : TIER_RETRY;
    assign no_search  = head_filled || credit;
    wire   gave_up;
    wire   decides    = (claims || gave_up) && outcome_came;
    // (known late, and taken a cycle later: but at once where there is none)
    reg    room;
    always @(posedge clk)
        room <= !rst && !made && !looking && !hand_takes && !decides;
    assign decide_room = room;
    assign busy = made || place_busy;

    generate
        if (FRAME_MEM != 0) begin : g_at_once
            wire   ends, tired;              // its page came; there is no candidate, nor will be
            assign {ends, wants, has, tired} = at_hand;
            assign is_none = ends || (tired && !credit);
            assign {claims, takes, gave_up} = {now_claims, taken, gives_up};
            assign {outcome_came, outcome, outcome_kept} = {s3_decide, decide_tier, kept};
        end else begin : g_later
            reg [1:0] was;
            reg       was_none; // all of it is known in the cycle before
            assign {wants, has} = was;
            assign is_none = was_none;
            reg       r_claims, r_takes, r_gave_up, r_came, r_kept;
            reg [2:0] r_outcome;
            always @(posedge clk) begin
                was <= rst ? 2'd0 : at_hand[2:1];
                was_none <= !rst && (at_hand[3] || (at_hand[0] && (!some || astray)));
                {r_claims, r_takes, r_gave_up} <= rst ? 3'd0 : {now_claims, taken, gives_up};
                {r_came, r_kept} <= rst ? 2'd0 : {s3_decide, kept};
                r_outcome        <= decide_tier;
            end
            assign {claims, takes, gave_up} = {r_claims, r_takes, r_gave_up};
            assign {outcome_came, outcome, outcome_kept} = {r_came, r_outcome, r_kept};
        end
    endgenerate

    // FRAME_MEM: of these at most one more comes and one more goes at once
    wire comes = plus || claims, goes = minus || unclaim;
    wire goes_twice = minus && unclaim;
    reg  was_joined, was_given_up; // counted a cycle later
    reg  [1:0] was_dropped;
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
        {no_plus, no_minus} <= rst ? 2'b11 : {!plus, !minus};
        resident   <= resident + {{FRAME_W{1'b0}}, to_plus} - {{FRAME_W{1'b0}}, to_minus};
        resident_n <= resident_n - {{FRAME_W{1'b0}}, !no_plus} + {{FRAME_W{1'b0}}, !no_minus};
        used       <= used_now;
        claimed    <= claimed + {{IDX_W{1'b0}}, to_claim} - {{IDX_W{1'b0}}, to_unclaim};
        {d_new2, d_new1} <= rst ? 2'd0 : {d_new1, s3_decide && !stands};
        d_odd <= ^{d_asid, d_vpn, d_frame, d_v_asid, d_v_vpn};
        if (d_new2)
            d_kept <= d_odd;
        d_bad <= !rst && !d_new1 && !d_new2 && !unmade && d_odd != d_kept;
        if ((d_valid && d_ready) || made == unmade || d_bad)
            {made, unmade} <= 2'b01;
        if (decides)
            {made, unmade} <= 2'b10;
        if (outcome_came && !stands)
            made_tier <= outcome[1:0];
        if (s3_decide && !stands) begin // whatever comes of it: nobody looks before it is made
            d_seq     <= head_seq;
            d_asid    <= head_asid;
            made_t2   <= head_t2;
            made_slot <= head_slot;
            d_vpn     <= head_vpn;
            d_frame   <= is_victim ? decide_frame : {FRAME_W{1'b0}};
            d_v_asid  <= is_victim ? f_asid : {ASID_W{1'b0}};
            d_v_vpn   <= is_victim ? f_vpn : {VPN_W{1'b0}};
            d_v_dirty <= is_victim && f_dirty;
            d_prio    <= is_victim ? decide_priority : 16'd0;
            d_v_last  <= is_victim ? f_last : {TIME_W{1'b0}};
        end
        was_joined   <= joined && !rst;
        was_given_up <= gives_up && !head_filled && !rst;
        was_dropped  <= rst ? 2'd0 : {w9_outcome == FAULT_DROPPED, s3_fault == FAULT_DROPPED};
        stat_merged      <= stat_merged + {31'd0, was_joined};
        stat_fault_drops <= stat_fault_drops + {30'd0, &was_dropped, ^was_dropped};
        stat_none        <= stat_none + {31'd0, was_given_up};
        if (rst) begin
            credit   <= cfg_frames != 0;
            resident   <= 0;
            resident_n <= {FRAME_W+1{1'b1}};
            claimed    <= 0;
            used       <= 0;
            {made, unmade} <= 2'b01;
            stat_merged      <= 0;
            stat_fault_drops <= 0;
            stat_none        <= 0;
        end
    end

    // ======== where the victim goes
    tier_place #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .FRAMES(FRAMES), .POOL(POOL), .K(K), .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .TP_TAG_W(TP_TAG_W), .TP_CNT_W(TP_CNT_W), .PARITY(PARITY)
    ) tier_place (
        .flush_begun(flush_begun), .tvi_forgetting(tvi_forgetting), .turned(turned), .bad_slot(bad_slot),
        .clk(clk), .rst(rst), .clear(clear), .cleared(cleared), .cfg_search(cfg_search), .cfg_t2_slots(cfg_t2_slots),
        .cfg_tier(cfg_tier), .cfg_t2_full(cfg_t2_full), .cfg_tier_default(cfg_tier_default), .cfg_tier_model(cfg_tier_model),
        .cfg_tie(cfg_tie), .cfg_tier_near(cfg_tier_near), .cfg_tier_far(cfg_tier_far), .now(now), .next(next), .d_valid(stands), .d_t2(made_t2),
        .d_tier(made_tier), .d_asid(d_asid), .d_vpn(d_vpn), .d_v_asid(d_v_asid), .d_v_vpn(d_v_vpn), .d_prio(d_prio), .d_v_last(d_v_last),
        .d_slot(made_slot), .d_ready(d_ready), .m_valid(d_valid), .m_tier(d_tier), .m_pred(d_pred), .m_rise(d_rise), .m_swap(d_swap),
        .m_forced(d_forced), .m_t2_valid(d_t2_valid), .m_t2_dirty(d_t2_dirty), .m_t2_slot(d_t2_slot), .m_t2_asid(d_t2_asid),
        .m_t2_vpn(d_t2_vpn), .side_req(t_req), .side_kind(t_kind), .side_slot(t_slot), .side_grant(t_grant), .cand2_came(cand2_came), .cand2_void(t_void),
        .s1_slot_valid(s1_slot_valid), .s0_slot(s0_slot), .s3_slot(s3_slot), .s0_frame(s0_frame), .s1_rise(s1_rise), .s1_asid(s1_asid),
        .s1_vpn(s1_vpn), .s3_fill(s3_fill), .s3_free(s3_free), .s3_cancel(s3_cancel), .s3_had(s3_had), .s3_t2(s3_t2), .s3_ask(s3_ask),
        .s3_fill_done(s3_fill_done), .s3_t2_free(s3_t2_free), .s3_t2_cancel(s3_t2_cancel), .s3_swap(s3_swap),
        .s3_may_done(s3_may_done), .s3_may_swap(s3_may_swap), .s3_age_slot(s3_age_slot),
        .s3_age_entry(s3_age_entry), .s3_rise(s3_rise), .s3_place(s3_place), .age_entry(age_entry), .named(named), .f_leaving(f_leaving),
        .f_dirty(f_dirty), .f_bad(f_bad), .f_asid(f_asid), .f_vpn(f_vpn), .f_class(f_class), .f_last(f_last), .may_be(may_be), .done_ok(done_ok),
        .t2_refused(t2_refused),
        .fill_dirty(slot_dirty), .fill_slot(fill_slot), .asks(ask_t2), .else_class(else_class), .else_last(else_last), .t_eligible(t_eligible),
        .t_class(t_class), .t_last(t_last),
        .t_age(t_age), .t_clamped(t_clamped), .looked_valid(looked_valid), .looked_eligible(looked_eligible), .stays(stays),
        .looked_priority(looked_priority), .looked_last(looked_last), .looked_slot(looked_slot), .busy(place_busy), .placing(placing),
        .hand_takes(hand_takes), .decided(decides), .decide_kept(outcome_kept), .looking(looking), .keep(f_keep),
        .stat_t2_stale(stat_t2_stale), .stat_t2_none(stat_t2_none), .tvi_rises(tvi_rises), .tvi_foretell(tvi_foretell),
        .tvi_foretold(tvi_foretold), .tvi_found(tvi_found), .tvi_forced(tvi_forced), .tvi_clamped(tvi_clamped), .tvi_place(tvi_place),
        .tvi_foretell_kind(tvi_foretell_kind), .tvi_pred(tvi_pred), .tvi_right(tvi_right), .tvi_goes(tvi_goes)
    );

endmodule
`default_nettype wire
