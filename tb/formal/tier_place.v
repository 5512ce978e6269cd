// SPDX-License-Identifier: Apache-2.0
// Proofs about tier_place behind side_port: the place of one page, any page, whether the page is known to be dirty, and the places of
// Tier 2.
//
// The harness plays the frames, the fault unit and the driver. Decisions come one at a time, of any page, with a victim or without.
// Frames behave as in frame_table. The driver may do any operation at any time, but for operations that `protocol` below forbids. The
// predictor and the search answer anything within their protocol; victim_select.v proves the protocol of the search.
//: ram ram_words
//: free ram_rmw3
//: without g_tiers.victim_select g_tiers.tier_predict
//: pdr 5 s
//: bmc3 60 frames 30 s
//: find 151:to2_known,places_counted 152:places_counted 153:places_counted 154:frame_known_dirty 156:not_in_both
//: find 160:promised_once 161:places_counted 164:alone 165:room_used 166:told_dirty 98:frame_known_dirty 261:ahead_no_rise 1988:ahead_no_return
//: plain
//: deep
`default_nettype none
module formal_tier_place #(
    parameter T2_SLOTS = 2,
    parameter T2_W    = 1,
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter FAULTS  = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1,
    parameter AGE_W   = 3,
    parameter SEQ_W   = 1,
    parameter PLACE_W = 1
`include "gmmu_page.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_slot_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_m3.vh"
`include "gmmu_cfg_tiers.vh"
`include "gmmu_tiers_tvi.vh"
`include "gmmu_beat_drv.vh"
`include "gmmu_beat_decision.vh"
) (
    input wire               clk,
    input wire               drv_valid, drv_dirty, drv_t2, named, q_dirty, q_decided, write, decide_go, decide_2, fault_t2, d_ready, age_due,
    input wire               drv_ahead, fault_ahead, expire_go,
    input wire               hand_takes, decided, decide_kept, // of Tier 1's search: any
    input wire [3:0]         drv_op,
    input wire [FRAME_W-1:0] drv_frame, decide_frame, write_frame,
    input wire [T2_W-1:0]    drv_slot, fault_slot,
    input wire [ASID_W-1:0]  drv_asid, fault_asid, other_asid,
    input wire [VPN_W-1:0]   drv_vpn, fault_vpn, other_vpn,
    input wire [15:0]        prio,
    input wire [TIME_W-1:0]  now, last, f_last,
    input wire [CLASS_W-1:0] f_class
);

`include "gmmu_codes.vh"

    reg [3:0] at = 4'd0;
    localparam START = FRAMES + 6; // reset, clearing, rest
    always @(posedge clk)
        if (at != START)
            at <= at + 1'b1;
    wire rst   = at == 0;
    wire clear = at > 0 && at < START;
    wire run   = at == START;

    (* anyconst *) wire [T2_W:0] cfg_slots;
    (* anyconst *) wire [2:0]    cfg_tier;
    (* anyconst *) wire          cfg_full, cfg_tie;
    always @* assume (cfg_slots <= T2_SLOTS && cfg_tier >= 1 && cfg_tier <= 4);
    (* anyconst *) wire [ASID_W+VPN_W-1:0] page; // the one that is followed

    // ======== the parts
    wire [S3_BITS-1:0]       s3;
    wire [HELD_BITS-1:0]     held_word;
    wire [SLOT_BITS-1:0]     slot_held;
    wire [DECISION_BITS-1:0] told_decision;
    wire [TTVI_BITS-1:0]     tvi;
    wire [PAGE_BITS-1:0]     s2_page;
    wire age_fault, side_req, side_grant, s1_slot_valid, s1_rise, done_ok, t2_refused, fill_dirty, stays, m_valid, decide_grant;
    wire [3:0] side_kind;
    wire [T2_W-1:0] side_slot, s0_slot;
    wire [FRAME_W-1:0] s0_frame;
    // fields of the words, by name
    wire s3_fill = s3[S3_FILL_O], s3_free = s3[S3_FREE_O], s3_cancel = s3[S3_CANCEL_O], s3_ask = s3[S3_ASK_O], s3_t2 = s3[S3_T2_O];
    wire s3_fill_done = s3[S3_FILL_DONE_O], s3_t2_free = s3[S3_T2_FREE_O], s3_t2_cancel = s3[S3_T2_CANCEL_O], s3_swap = s3[S3_SWAP_O];
    wire s3_age_slot = s3[S3_AGE_SLOT_O], s3_age_entry = s3[S3_AGE_ENTRY_O], s3_rise = s3[S3_RISE_O], s3_place = s3[S3_PLACE_O];
    wire s3_cand2 = s3[S3_CAND2_O], s3_decide = s3[S3_DECIDE_O], s3_dirty = s3[S3_DIRTY_O];
    wire [T2_W-1:0] s3_slot = s3[S3_SLOT_O +: T2_W];
    wire [FRAME_W-1:0] s3_frame = s3[S3_FRAME_O +: FRAME_W];
    wire [ASID_W-1:0] s3_asid = s3[S3_ASID_O +: ASID_W];
    wire [VPN_W-1:0] s3_vpn = s3[S3_VPN_O +: VPN_W];
    wire [1:0] m_tier = told_decision[DECISION_TIER_O +: 2];
    wire m_rise = told_decision[DECISION_RISE_O], m_swap = told_decision[DECISION_SWAP_O];
    wire m_t2_valid = told_decision[DECISION_T2_VALID_O], m_t2_dirty = told_decision[DECISION_T2_DIRTY_O];
    wire [T2_W-1:0] m_t2_slot = told_decision[DECISION_T2_SLOT_O +: T2_W];
    wire [ASID_W-1:0] m_t2_asid = told_decision[DECISION_T2_ASID_O +: ASID_W];
    wire [VPN_W-1:0] m_t2_vpn = told_decision[DECISION_T2_VPN_O +: VPN_W];
    reg  d_valid, d_2, d_t2, d_ahead; // ahead: a victim leaves, and no page comes
    reg  [FRAME_W-1:0] d_frame;
    reg  [T2_W-1:0]    d_slot;
    reg  [ASID_W-1:0]  d_asid;
    reg  [VPN_W-1:0]   d_vpn;
    // an operation that is not taken stays: T2_FILL_DONE and T2_SWAP are looked at before
    localparam BEAT_W = 4 + FRAME_W + ASID_W + VPN_W + 3 + T2_W;
    wire [BEAT_W-1:0] beat = {drv_op, drv_frame, drv_asid, drv_vpn, drv_dirty, drv_t2, drv_slot, drv_ahead};
    reg  [BEAT_W-1:0] was_beat;
    reg  stands;
    wire drv_ready;
    always @(posedge clk) begin
        stands   <= drv_valid && !drv_ready && !rst;
        was_beat <= beat;
    end
    always @* assume (!stands || (drv_valid && beat == was_beat));
    wire had, came, void, may_done, may_swap, may_be;
    gmmu_side_port #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .FAULTS(FAULTS),
        .T2_SLOTS(T2_SLOTS),
        .TP_ENTRIES(1),
        .AGE_W(AGE_W)
    ) side_port (
        .clk(clk),
        .rst(rst),
        .cfg_frames(2'd2),
        .open(run),
        .age_frames(2'd2),
        .age_due(age_due && run),
        .install_req(1'b0),
        .find_ready(1'b1),
        .decide_ok(1'b1),
        .age_fault(age_fault),
        .age_fault_done(age_fault),
        .expire_req(expire_go),
        .expire_frame(decide_frame),
        .drv_valid(drv_valid),
        .drv_ready(drv_ready),
        // ahead, force, slot, t2, was, returns, dirty, vpn, asid, frame, op
        .drv({drv_ahead, 1'b0, drv_slot, drv_t2, {TIME_W{1'b0}}, 1'b0, drv_dirty, drv_vpn, drv_asid, drv_frame, drv_op}),
        .cand_req(1'b0),
        .cand_hand(1'b0),
        .cand_frame({FRAME_W{1'b0}}),
        .hand_void(1'b0),
        .decide_req(decide_go && !d_valid),
        .decide_have(1'b1),
        .decide_frame(decide_frame),
        .decide_grant(decide_grant),
        .t_req(side_req),
        .t_kind(side_kind),
        .t_slot(side_slot),
        .t_frame(d_frame),
        .t_grant(side_grant),
        .t_void(void),
        .cand2_came(came),
        .stays(stays),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s0_slot(s0_slot),
        .s3_may_done(may_done),
        .s3_may_swap(may_swap),
        .may_be(may_be),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .s0_frame(s0_frame),
        .s0_ready(1'b1),
        .s2_page(s2_page),
        .m3({M3_BITS{1'b0}}),
        .s3(s3),
        .s3_had(had),
        .spare(1'b1)
    );
    wire f_leaving, f_dirty;
    wire [ASID_W-1:0] f_asid;
    wire [VPN_W-1:0]  f_vpn;
    wire [2:0] place = tvi[TTVI_PLACE_O +: 3];
    // asid, vpn, class, last, age, bad, dirty, clamped, taken, fresh, recent, eligible, leaving, valid
    assign held_word = {f_asid, f_vpn, f_class, f_last, {TIME_W{1'b0}}, 1'b0, f_dirty, 5'd0, f_leaving, 1'b0};
    gmmu_tier_place #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FRAMES(FRAMES),
        .POOL(1),
        .K(1),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(1),
        .TP_WAYS(1),
        .TP_TAG_W(2),
        .TP_CNT_W(1),
        .PARITY(0)
    ) dut (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .cfg_search(2'd0),
        // far, near, tie, model, default, full, tier, slots
        .cfg_tiers({{TIME_W{1'b0}}, {TIME_W{1'b0}}, cfg_tie, 1'b0, 1'b0, cfg_full, cfg_tier, cfg_slots}),
        .now(now),
        .next(now),
        .made_valid(d_valid),
        // fresh, lost, ahead, v_last, prio, v_dirty, v_vpn, v_asid, frame, tier, vpn, asid, seq
        .made({2'b00, d_ahead, last, prio, 1'b0, {VPN_W{1'b0}}, {ASID_W{1'b0}}, {FRAME_W{1'b0}}, d_2 ? 2'd2 : 2'd1, d_vpn, d_asid, {SEQ_W{1'b0}}}),
        .made_t2(d_t2),
        .made_slot(d_slot),
        .d_valid(m_valid),
        .d_ready(d_ready),
        .d(told_decision),
        .t_req(side_req),
        .t_kind(side_kind),
        .t_slot(side_slot),
        .t_grant(side_grant),
        .cand2_came(came),
        .t_void(void),
        .s0_frame(s0_frame),
        .s0_slot(s0_slot),
        .s1_slot_valid(s1_slot_valid),
        .s1_rise(s1_rise),
        .s2_page(s2_page),
        .s3_may_done(may_done),
        .s3_may_swap(may_swap),
        .may_be(may_be),
        .s3(s3),
        .held(held_word),
        .slot_held(slot_held),
        .s3_had(had),
        .named(named),
        .age_entry(1'b0),
        .done_ok(done_ok),
        .t2_refused(t2_refused),
        .stays(stays),
        .fill_dirty(fill_dirty),
        .looked({LOOKED_BITS{1'b0}}),
        .hand_takes(hand_takes),
        .decided(decided),
        .decide_kept(decide_kept),
        .flush_begun(1'b0),
        .tvi(tvi)
    );
    localparam NAME_W = ASID_W + VPN_W, WORD_W = 3 + CLASS_W + TIME_W + NAME_W;
    localparam USED_W = $clog2(T2_SLOTS + FRAMES + 1) + 2;
    (* hierconn *) wire [WORD_W*T2_SLOTS-1:0] \dut.g_tiers.tier2_table.slots.words ;
    (* hierconn *) wire [USED_W-1:0] \dut.g_tiers.used ;
    (* hierconn *) wire \dut.g_tiers.was_plus , \dut.g_tiers.was_minus , \dut.g_tiers.was_gone , \dut.g_tiers.room , \dut.g_tiers.to_2 ;
    (* hierconn *) wire \dut.g_tiers.op_ready , \dut.g_tiers.r_valid , \dut.g_tiers.cand_req , \dut.g_tiers.decide_req , \dut.g_tiers.have ;
    (* hierconn *) wire \dut.g_tiers.tired , \dut.g_tiers.search , \dut.g_tiers.rises , \dut.g_tiers.leaves , \dut.g_tiers.remains ;
    (* hierconn *) wire \dut.g_tiers.keeps , \dut.g_tiers.fills , \dut.g_tiers.placed , \dut.g_tiers.retried , \dut.g_tiers.retry ;
    (* hierconn *) wire \dut.g_tiers.granted , \dut.g_tiers.t_enabled , \dut.g_tiers.to2 , \dut.g_tiers.rose , \dut.g_tiers.waits ;
    (* hierconn *) wire \dut.g_tiers.want3 , \dut.g_tiers.lacks , \dut.g_tiers.t_eligible ;
    (* hierconn *) wire [2:0] \dut.g_tiers.op_kind , \dut.g_tiers.r_kind ;
    (* hierconn *) wire \dut.g_tiers.op_taken , \dut.g_tiers.predict_idle ;
    (* hierconn *) wire [T2_W-1:0] \dut.g_tiers.best_slot , \dut.g_tiers.cand_slot ;
    (* hierconn *) wire [TIME_W-1:0] \dut.g_tiers.best_last , \dut.g_tiers.t_last ;
    (* hierconn *) wire [15:0] \dut.g_tiers.best_priority ;
    // the slots, with the word that is to be written
    (* hierconn *) wire \dut.g_tiers.tier2_table.s4_write ;
    (* hierconn *) wire [T2_W-1:0] \dut.g_tiers.tier2_table.s4_slot ;
    (* hierconn *) wire [WORD_W-1:0] \dut.g_tiers.tier2_table.s4_word ;
    reg  [WORD_W*T2_SLOTS-1:0] words;
    always @* begin
        words = \dut.g_tiers.tier2_table.slots.words ;
        if (\dut.g_tiers.tier2_table.s4_write )
            words[\dut.g_tiers.tier2_table.s4_slot *WORD_W +: WORD_W] = \dut.g_tiers.tier2_table.s4_word ;
    end

    // ======== the predictor answers what it was asked; the search asks while it is to search, and stands by what it decided
    reg  deciding, was_have, was_tired;
    reg  [T2_W-1:0]   was_slot;
    reg  [TIME_W-1:0] was_last;
    wire done = \dut.g_tiers.placed || \dut.g_tiers.retried ;
    reg  [2:0]  ops;   // of the predictor, under way,
    reg  [11:0] kinds; // which ones, the oldest lowest
    always @(posedge clk) begin
        ops <= rst ? 3'd0 : ops + \dut.g_tiers.op_taken - \dut.g_tiers.r_valid ;
        if (\dut.g_tiers.r_valid )
            kinds <= kinds >> 3;
        if (\dut.g_tiers.op_taken )
            kinds[(ops - \dut.g_tiers.r_valid )*3 +: 3] <= \dut.g_tiers.op_kind ;
        deciding <= !rst && (\dut.g_tiers.granted || (deciding && !done));
        {was_have, was_tired, was_slot, was_last} <=
            {\dut.g_tiers.have , \dut.g_tiers.tired , \dut.g_tiers.best_slot , \dut.g_tiers.best_last };
    end
    always @* begin
        assume (!\dut.g_tiers.predict_idle || ops == 0);
        assume (!\dut.g_tiers.r_valid || (ops != 0 && \dut.g_tiers.r_kind == kinds[2:0]));
        assume (!\dut.g_tiers.op_ready || ops < 3'd4);
        assume (!(\dut.g_tiers.cand_req || \dut.g_tiers.decide_req ) || (\dut.g_tiers.search && !deciding));
        assume (!(\dut.g_tiers.cand_req && \dut.g_tiers.decide_req ));
        assume (!deciding || {was_have, was_tired, was_slot, was_last} ==
                {\dut.g_tiers.have , \dut.g_tiers.tired , \dut.g_tiers.best_slot , \dut.g_tiers.best_last });
    end

    // ======== the frames
    reg  [FRAMES-1:0] valid, leaving, mine, dirty; // mine: it is `page`
    wire here = mine[s3_frame] && valid[s3_frame];
    wire takes = s3_decide && decide_2 && valid[s3_frame] && !leaving[s3_frame];
    wire fills_page = s3_fill && {s3_asid, s3_vpn} == page;
    assign had = (valid[s3_frame] && leaving[s3_frame]) || q_decided;
    assign f_leaving = valid[s3_frame] && leaving[s3_frame];
    assign f_dirty   = dirty[s3_frame];
    assign {f_asid, f_vpn} = here ? page : {other_asid, other_vpn};
    always @* assume ({other_asid, other_vpn} != page);
    reg  written; // the page differs from what Tier 3 has of it
    always @(posedge clk) begin
        if (s3_fill) begin
            valid[s3_frame] <= 1'b1;
            leaving[s3_frame] <= 1'b0;
            mine[s3_frame]  <= fills_page;
            dirty[s3_frame] <= s3_dirty || q_dirty || fill_dirty;
        end
        if (s3_free) begin
            valid[s3_frame] <= 1'b0;
            leaving[s3_frame] <= 1'b0;
        end
        if (s3_cancel)
            leaving[s3_frame] <= 1'b0;
        if (takes)
            leaving[s3_frame] <= 1'b1;
        if (fills_page) // it comes from its slot, or as Tier 3 has it
            written <= (from_slot && written) || s3_dirty || q_dirty;
        if (write && !(s3_free && s3_frame == write_frame)) begin
            if (valid[write_frame] || (s3_fill && s3_frame == write_frame))
                dirty[write_frame] <= 1'b1;
            if (s3_fill && s3_frame == write_frame ? fills_page : valid[write_frame] && mine[write_frame])
                written <= 1'b1;
        end
        if (!run) begin
            valid   <= 0;
            leaving <= 0;
            written <= 1'b0;
        end
    end

    // ======== decisions, one at a time
    always @(posedge clk) begin
        if (s3_decide && !d_valid) begin
            d_valid <= !decide_2 || takes;
            d_2     <= decide_2;
            d_frame <= s3_frame;
            d_ahead <= decide_2 && fault_ahead;
            {d_asid, d_vpn} <= decide_2 && fault_ahead ? {ASID_W+VPN_W{1'b0}} : {fault_asid, fault_vpn};
            {d_t2, d_slot}  <= {fault_t2 && !(decide_2 && fault_ahead), fault_slot};
        end
        if (m_valid && d_ready)
            d_valid <= 1'b0;
        if (rst)
            d_valid <= 1'b0;
    end
    // no second one is asked for before the first is there
    reg s1_decides, s2_decides, s3_decides;
    always @(posedge clk)
        {s1_decides, s2_decides, s3_decides} <= rst ? 3'd0 : {decide_grant, s1_decides, s2_decides};
    always @* assume (!decide_go || !(s1_decides || s2_decides || s3_decides));

    // ======== the slots
    localparam FREE = 2'd0, HELD = 2'd1, RISING = 2'd2, LEAVING = 2'd3;
    wire [T2_SLOTS-1:0] has, held, up, off, stains; // of the page: held, rising, leaving; and known to be dirty
    wire [T2_SLOTS-1:0] any_held;
    genvar g;
    generate
        for (g = 0; g < T2_SLOTS; g = g + 1) begin : g_slot
            wire [WORD_W-1:0] word = words[g*WORD_W +: WORD_W];
            wire [1:0] state = word[WORD_W-1 -: 2];
            assign any_held[g] = state == HELD;
            assign has[g]    = word[NAME_W-1:0] == page && state != FREE;
            assign held[g]   = has[g] && state == HELD;
            assign up[g]     = has[g] && state == RISING;
            assign off[g]    = has[g] && state == LEAVING;
            assign stains[g] = word[WORD_W-3];
        end
    endgenerate
    wire [T2_SLOTS-1:0] in = held | up, at_s3 = {{T2_SLOTS-1{1'b0}}, 1'b1} << s3_slot;
    wire from_in = (in & at_s3) != 0 && s3_t2, from_off = (off & at_s3) != 0 && s3_t2, from_slot = from_in || from_off;
    wire [FRAMES-1:0] resides = valid & mine, this_frame = {{FRAMES-1{1'b0}}, 1'b1} << s3_frame;

    // what a leaving slot has of the page is not the newest: it was brought from Tier 3 since
    reg [T2_SLOTS-1:0] old;
    always @(posedge clk)
        old <= !run ? {T2_SLOTS{1'b0}} : ((old | (fills_page ? off : {T2_SLOTS{1'b0}})) & off) | (fills_page ? off : {T2_SLOTS{1'b0}});

    // protocol: the page comes into a frame only if no other frame has it, from the slot if it is held there or rises, and from one
    // that it leaves only if that is the newest; what leaves a slot stays there only if it is nowhere else, and the newest.
    always @* if (run) begin
        assume (!(fills_page && !s3_swap) || ((resides & ~this_frame) == 0 && (in == 0 || from_in) && !(from_off && (old & at_s3) != 0)));
        assume (!(s3_t2_cancel && (off & at_s3) != 0) || (resides == 0 && in == 0 && (old & at_s3) == 0));
    end

    // ======== places
    reg  [FRAMES-1:0] to2;
    wire ends = s3_fill || s3_free || s3_cancel;
    reg  [USED_W-1:0] before_rise;
    reg  stayed;       // a CANCEL or T2_CANCEL since the RISE
    wire [USED_W-1:0] places = {{USED_W-1{1'b0}}, any_held[0]} + any_held[1] + to2[0] + to2[1];
    always @(posedge clk) begin
        if (s3_place && place == TIER_2)
            to2[s3_frame] <= 1'b1;
        else if (ends)
            to2[s3_frame] <= 1'b0;
        if (s3_rise)
            before_rise <= places;
        stayed <= !s3_rise && (stayed || \dut.g_tiers.remains || \dut.g_tiers.keeps );
        if (!run)
            to2 <= 0;
    end
    wire [USED_W-1:0] counted = \dut.g_tiers.used + {{USED_W-1{1'b0}}, \dut.g_tiers.was_plus } - {{USED_W-1{1'b0}}, \dut.g_tiers.was_minus } -
                                {{USED_W-1{1'b0}}, \dut.g_tiers.was_gone };
    wire room = places < {{USED_W-T2_W-1{1'b0}}, cfg_slots};

    // what became of the page that left, as the decision tells it
    reg told_written, told;
    // since its CAND2 nobody has done anything to a slot, any one
    (* anyconst *) wire [T2_W-1:0] slot;
    reg  was_good;
    reg  [TIME_W-1:0] good_last;
    wire [1:0] slot_state = words[slot*WORD_W + WORD_W - 2 +: 2];
    wire on_slot = s3_slot == slot;
    always @(posedge clk) begin
        if (s3_place) begin
            told         <= (held & at_s3) != 0;
            told_written <= written;
        end
        if (s3_cand2 && on_slot)
            {was_good, good_last} <= {\dut.g_tiers.t_eligible , \dut.g_tiers.t_last };
        else if (on_slot && (s3_t2 || s3_fill_done || s3_t2_free || s3_t2_cancel || s3_age_slot || s3_rise || (s3_place && !\dut.g_tiers.retry )))
            was_good <= 1'b0;
        if (!run)
            was_good <= 1'b0;
    end
    // the search's best one is as it was looked at; the slot's fault comes with what changes it
    always @* begin
        assume (!(deciding && \dut.g_tiers.have && \dut.g_tiers.best_slot == slot && was_good) || \dut.g_tiers.best_last == good_last);
        assume (!(s3_place && on_slot && was_good) || !named);
    end

    // the stages: an operation with a slot, its word, its frame
    (* hierconn *) wire \side_port.g_slots ;
    wire granted_slot = \side_port.g_slots ;
    reg  has_slot0, has_slot1, has_slot2, has_slot3;
    always @(posedge clk)
        {has_slot0, has_slot1, has_slot2, has_slot3} <= rst ? 4'd0 : {granted_slot, has_slot0, has_slot1, has_slot2};
    (* hierconn *) wire \side_port.s0_writes , \side_port.s1_writes , \side_port.s2_writes , \side_port.later_writes ;
    reg s3_writes, s4_writes;
    always @(posedge clk)
        {s3_writes, s4_writes} <= {\side_port.s2_writes , s3_writes};
    (* hierconn *) wire \side_port.s1_valid , \side_port.s2_valid , \side_port.r3_valid ;
    (* hierconn *) wire [T2_W-1:0] \side_port.s1_slot , \side_port.s2_slot ;
    (* hierconn *) wire [FRAME_W-1:0] \side_port.s1_frame , \side_port.s2_frame , \side_port.r3_frame ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.g_tiers.frames.a1 , \dut.g_tiers.frames.a2 , \dut.g_tiers.frames.a3 ;
    (* hierconn *) wire [WORD_W-1:0] \dut.g_tiers.tier2_table.s1_word , \dut.g_tiers.tier2_table.s2_word , \dut.g_tiers.tier2_table.s3_word ;
    (* hierconn *) wire \dut.g_tiers.t_mine , \dut.g_tiers.t_dirty ;
    wire of_slot = s3_t2 && (s3_fill || s3_cancel || s3_ask);
    wire writes3 = of_slot || s3_fill_done || s3_swap || s3_t2_free || s3_t2_cancel || s3_age_slot || s3_rise || s3_place;

    // a decision's own actions
    reg [1:0] rises_of, ops_of;
    reg [1:0] after; // cycles since PLACE took effect
    always @(posedge clk) begin
        rises_of <= !d_valid ? 2'd0 : s3_rise ? rises_of + 1'b1 : rises_of;
        after    <= !d_valid || rst ? 2'd0 : s3_place && place != TIER_RETRY ? 2'd1 : after == 0 || after == 2'd3 ? after : after + 1'b1;
    end

    always @* if (run) begin
        // The stages: who may write is alone, and sees its slot's word.
        alone: assert (!(\side_port.s0_writes && granted_slot) && !(\side_port.s1_writes && (granted_slot || has_slot0)) &&
                       !(\side_port.s2_writes && (granted_slot || has_slot0 || has_slot1)) &&
                       !(s3_writes && (granted_slot || has_slot0 || has_slot1 || has_slot2)) &&
                       !(s4_writes && (has_slot0 || has_slot1 || has_slot2 || has_slot3)));
        write_told: assert (!\dut.g_tiers.tier2_table.s4_write || s4_writes);
        writers: assert ((!\side_port.s0_writes || has_slot0) && (!\side_port.s1_writes || has_slot1) && (!\side_port.s2_writes || has_slot2) &&
                         (!s3_writes || has_slot3));
        writes_told: assert (!writes3 || s3_writes);
        slot_told: assert (has_slot1 == s1_slot_valid);
        word_1: assert (!has_slot1 || \dut.g_tiers.tier2_table.s1_word == words[\side_port.s1_slot *WORD_W +: WORD_W]);
        word_2: assert (!has_slot2 || \dut.g_tiers.tier2_table.s2_word == words[\side_port.s2_slot *WORD_W +: WORD_W]);
        word_3: assert (!has_slot3 || \dut.g_tiers.tier2_table.s3_word == words[s3_slot*WORD_W +: WORD_W]);
        mine_3: assert (!(of_slot || s3_swap) || \dut.g_tiers.t_mine == (words[s3_slot*WORD_W +: NAME_W] == {s3_asid, s3_vpn}));
        mine_rise: assert (!s3_rise || \dut.g_tiers.t_mine == (words[s3_slot*WORD_W +: NAME_W] == {d_asid, d_vpn}));
        frame_1: assert (!\side_port.s1_valid || \dut.g_tiers.frames.a1 == \side_port.s1_frame );
        frame_2: assert (!\side_port.s2_valid || \dut.g_tiers.frames.a2 == \side_port.s2_frame );
        frame_3: assert (!\side_port.r3_valid || \dut.g_tiers.frames.a3 == \side_port.r3_frame );
        // Where the page is: in one frame at most, in one slot at most, and never resident and in a slot, whether held or rising.
        one_frame: assert ((resides & (resides - 1'b1)) == 0);
        one_slot: assert ((in & (in - 1'b1)) == 0);
        not_in_both: assert (resides == 0 || in == 0);
        never_held_and_resident: assert ((resides & ~leaving) == 0 || held == 0);
        // What was written is known to be: of a frame, of a slot, by the decision that sends it to Tier 3.
        frame_known_dirty: assert (!written || (resides & ~dirty) == 0);
        slot_known_dirty: assert (!written || (in & ~stains) == 0);
        old_known_dirty: assert (!written || resides != 0 || in != 0 || (off & ~old & ~stains) == 0);
        told_dirty: assert (!(m_valid && m_t2_valid && {m_t2_asid, m_t2_vpn} == page && told_written) || m_t2_dirty);
        // The count of places: slots that are held and frames that are to2, exactly.
        places_counted: assert (counted == places);
        to2_known: assert (!s3_place && !ends || \dut.g_tiers.to2 == to2[s3_frame]);
        to2_leave: assert ((to2 & ~(valid & leaving)) == 0);
        // PLACE knows whether there is one; none is promised twice.
        promised_once: assert (!\dut.g_tiers.to_2 || \dut.g_tiers.leaves ||
                               (\dut.g_tiers.rose ? stayed || places < before_rise : room));
        room_used: assert (!(s3_place && place == TIER_3 && f_leaving) || !room || \dut.g_tiers.want3 );
        // Its own actions: one RISE, one PLACE; then it leaves, two cycles later.
        one_rise: assert (rises_of <= 1);
        leaves_soon: assert (!d_valid || after < 2 || m_valid);
        place_once: assert (!s3_place || (after == 0 && d_valid && !m_valid));
        // A decision ahead of need brings no page: no page rises from its slot, and no room in Tier 2 is the page's that comes.
        ahead_no_rise: assert (!(m_valid && d_ahead) || (!m_rise && !m_swap && rises_of == 0));
        // Nor does the predictor hear that a page returns.
        ahead_no_return: assert (!(\dut.g_tiers.op_taken && \dut.g_tiers.op_kind == TP_RETURN) || !d_ahead);
        // A RETRY has a reason: what was the best candidate is none now, or there was none yet.
        retry_with_reason: assert (!(s3_place && place == TIER_RETRY && \dut.g_tiers.have && \dut.g_tiers.best_slot == slot) || !was_good);
        retry_or_tired: assert (!(s3_place && place == TIER_RETRY && !\dut.g_tiers.have ) || !\dut.g_tiers.tired );
        // A page leaves Tier 2 only for one that comes, from a slot that was held.
        leaves_for_one: assert (!\dut.g_tiers.leaves || (\dut.g_tiers.to_2 && any_held[s3_slot]));
    end

endmodule
`default_nettype wire
