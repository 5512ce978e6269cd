// SPDX-License-Identifier: Apache-2.0
// Proofs about the pages that DECIDE keeps (cfg_tier 3, search `clock`: docs/reference/blocks/tier_place.md, FORETELL), in fault_unit with
// tier_place.
//
// The harness plays the search, the frames, the fault queue and the driver. They do anything that the assumptions (`assume`) allow. The
// predictor answers its questions in order, with anything. victim_select_clock.v proves the search's protocol for a valid candidate,
// and frame_table.v proves the effect on the frame.
//: free ram_rmw3
//: without fault_queue g_tiers.victim_select g_tiers.tier_predict g_tiers.tier2_table
//: together
//: pdr 120 s
//: bmc3 80 frames 60 s
//: deep
//: find 95:kept_at_most_8 96:count_same 97:decide_waits 99:credit_same 334:kept_not_evicted 335:kept_as_foretold
`default_nettype none
module formal_tier_keep #(
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 4,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 1,
    parameter T2_W    = 1,
    parameter REF_W   = 1,
    parameter PLACE_W = 1
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_cfg_tiers.vh"
) (
    input wire               clk,
    input wire               reset, hand, decide, decide_have, decide_tired, d_ready, t_grant,
    input wire               s3_fill, s3_free, s3_cancel, s3_rise, s3_place, s3_age_entry,
    input wire               f_valid, f_leaving, f_taken, f_dirty,
    input wire [FRAME_W:0]   cfg_frames,
    input wire [2:0]         cfg_tier,
    input wire [FRAME_W-1:0] decide_frame,
    input wire [ASID_W-1:0]  f_asid,
    input wire [VPN_W-1:0]   f_vpn,
    input wire [TIME_W-1:0]  f_last
);

`include "gmmu_codes.vh"

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire [2:0] decide_tier;
    wire       f_take, f_keep, decide_room, d_valid, wanted, no_search;
    wire       decide_kept = f_take && f_taken && f_keep;
    reg        standing; // HAND found a candidate, and no DECIDE was of it yet
    wire       takes = hand && !standing && !rst, decides = decide && decide_room && wanted && !takes && !rst;
    wire [S3_BITS-1:0] s3 =
        {{S3_BITS-1{1'b0}}, s3_fill && !rst} << S3_FILL_O | {{S3_BITS-1{1'b0}}, s3_free && !rst} << S3_FREE_O |
        {{S3_BITS-1{1'b0}}, s3_cancel && !rst} << S3_CANCEL_O | {{S3_BITS-1{1'b0}}, decides} << S3_DECIDE_O |
        {{S3_BITS-1{1'b0}}, s3_age_entry && !rst} << S3_AGE_ENTRY_O | {{S3_BITS-1{1'b0}}, s3_rise} << S3_RISE_O |
        {{S3_BITS-1{1'b0}}, s3_place} << S3_PLACE_O;
    // asid, vpn, class, last, age, bad, dirty, clamped, taken, fresh, recent, eligible, leaving, valid
    wire [HELD_BITS-1:0] held = {f_asid, f_vpn, {CLASS_W{1'b0}}, f_last, {TIME_W{1'b0}}, 1'b0, f_dirty, 1'b0, f_taken, 3'b000, f_leaving, f_valid};
    gmmu_fault_unit #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .SEQ_W(SEQ_W),
        .FRAMES(FRAMES),
        .FAULTS(1),
        .NOTES(2),
        .LATE(2),
        .T2_SLOTS(2),
        .POOL(1),
        .K(1),
        .TP_SETS(1),
        .TP_WAYS(1),
        .TP_TAG_W(2),
        .TP_CNT_W(1),
        .PARITY(0)
    ) dut (
        .clk(clk),
        .clk_queue(clk),
        .rst(rst),
        .clear(1'b0),
        .cfg_frames(cfg_frames),
        .cfg_ahead({FRAME_W{1'b0}}),
        .cfg_search(2'd2),
        // far, near, tie, model, default, full, tier, slots
        .cfg_tiers({{TIME_W{1'b0}}, {TIME_W{1'b0}}, 1'b0, 1'b1, 1'b0, 1'b0, cfg_tier, 2'd2}),
        .now({TIME_W{1'b0}}),
        .next({TIME_W{1'b0}}),
        .epoch_ends(1'b0),
        .makes_fresh(1'b0),
        .w9({W9_BITS{1'b0}}),
        .w9_class({CLASS_W{1'b0}}),
        .find_req(1'b0),
        .find_page({PAGE_BITS{1'b0}}),
        .find_take(1'b0),
        .decide_req(decide),
        .decide_take(decides),
        .age_fault(1'b0),
        .expire_take(1'b0),
        .s0_frame({FRAME_W{1'b0}}),
        .s0_slot(1'b0),
        .s1_slot_valid(1'b0),
        .s1_rise(1'b0),
        .s3_may_done(1'b0),
        .s3_may_swap(1'b0),
        .s1_slot(1'b0),
        .s2_page({PAGE_BITS{1'b0}}),
        .s3(s3),
        .age_index({FRAME_W+1{1'b0}}),
        .age_entry(1'b0),
        .held(held),
        .wanted(wanted),
        .no_search(no_search),
        .hand_takes(was_takes),
        .decide_have(decide_have),
        .decide_tired(decide_tired),
        .decide_fresh(1'b0),
        .decide_frame(decide_frame),
        .decide_priority(16'd0),
        .decide_room(decide_room),
        .f_take(f_take),
        .f_keep(f_keep),
        .decide_tier(decide_tier),
        .d_valid(d_valid),
        .d_ready(d_ready),
        .t_grant(t_grant),
        .cand2_came(1'b0),
        .looked({LOOKED_BITS{1'b0}}),
        .flush_begun(1'b0),
        .ends_arrived(1'b0)
    );
    (* hierconn *) wire \dut.tier_place.g_tiers.predict_idle , \dut.wanted , \dut.head_filled ;
    (* hierconn *) wire \dut.tier_place.g_tiers.op_taken , \dut.tier_place.g_tiers.r_valid , \dut.made , \dut.unmade , \dut.tier_place.g_tiers.placed ;
    (* hierconn *) wire [2:0] \dut.tier_place.g_tiers.op_kind , \dut.tier_place.g_tiers.r_kind ;
    (* hierconn *) wire [1:0] \dut.tier_place.g_tiers.r_pred ;
    (* hierconn *) wire [FRAME_W:0] \dut.resident ;
    (* hierconn *) wire \dut.to_plus , \dut.to_minus ; // to be counted yet
    (* hierconn *) wire [3:0] \dut.tier_place.g_tiers.stayed ;
    (* hierconn *) wire \dut.tier_place.g_tiers.look_owed , \dut.tier_place.g_tiers.look_sent ;
    wire       asked = \dut.tier_place.g_tiers.op_taken , told = \dut.tier_place.g_tiers.r_valid ;
    wire [2:0] kind = \dut.tier_place.g_tiers.r_kind ;

    // the cycle before
    reg        was_have, was_wanted, was_filled, was_drv, was_takes, was_decides, was_kept, was_evicts;
    reg  [2:0] was_tier;
    always @(posedge clk) begin
        {was_have, was_wanted, was_filled} <= {decide_have, \dut.wanted , \dut.head_filled };
        {was_drv, was_takes, was_decides, was_kept, was_evicts} <= rst ? 5'd0 : {s3_fill || s3_free || s3_cancel, takes, decides, decide_kept, evicts};
        was_tier <= decide_tier;
    end

    // the predictor: up to three operations under way
    reg  [1:0] ops;
    reg  [8:0] kinds; // the oldest lowest
    always @(posedge clk) begin
        ops <= rst ? 2'd0 : ops + asked - told;
        if (told)
            kinds <= kinds >> 3;
        if (asked)
            kinds[(ops - told)*3 +: 3] <= \dut.tier_place.g_tiers.op_kind ;
    end
    always @* begin
        assume (!told || (ops != 0 && kind == kinds[2:0]));
        assume (!asked || ops != 2'd3);
        assume (!\dut.tier_place.g_tiers.predict_idle || ops == 0);
        // a side action is one
        assume ({2'd0, s3_fill} + s3_free + s3_cancel + s3_rise + s3_place + s3_age_entry + takes + decides <= 3'd1);
        // what is decided on is the candidate, and stood in the cycle before; a frame that may be taken is resident
        assume (!decides || (decide_have == standing && \dut.wanted ));
        assume (!decides || (was_have == standing && was_wanted && was_filled == \dut.head_filled ));
        // none of the driver's in the cycle before DECIDE and in the one behind, where its outcome comes; nor does the search go on before
        assume (!(decides && (was_drv || was_takes || was_decides)));
        assume (!(was_decides && (s3_fill || s3_free || s3_cancel || takes)));
        assume (!f_taken || (f_valid && !f_leaving));
        assume (!(s3_cancel && f_leaving) || f_valid);
    end

    reg  [3:0] kept;     // in this search
    reg        looked;   // the candidate's page: asked for, and not told yet
    reg        foretold; // for Tier 1
    reg  [FRAME_W:0] resident;
    wire       evicts = decides && decide_tier == TIER_2;
    wire       leaves = (s3_fill || s3_free) && f_valid && !f_leaving;
    always @(posedge clk) begin
        if (decides && !no_search)
            standing <= 1'b0;
        if (decides && (decide_tier != TIER_RETRY || decide_kept))
            foretold <= 1'b0;
        if (told && kind == TP_LOOK)
            {looked, foretold} <= {1'b0, \dut.tier_place.g_tiers.r_pred == 2'd1};
        if (takes) begin
            standing <= 1'b1;
            foretold <= 1'b0;
        end
        if (was_takes)
            looked <= cfg_tier == PLACE_REUSE && kept != 4'd8;
        kept     <= was_decides && was_tier != TIER_RETRY ? 4'd0 : kept + was_kept;
        resident <= resident + (s3_fill || (s3_cancel && f_leaving)) - (leaves || was_evicts);
        if (rst) begin
            {standing, looked, foretold, kept} <= 0;
            resident <= 0;
        end
    end

    always @* if (!rst) begin
        // At most 8 RETRYs of a search are because a page is kept.
        kept_at_most_8: assert (kept <= 4'd8);
        // No DECIDE while the predictor is asked about the candidate.
        decide_waits: assert (!looked || !decide_room);
        // The candidate is kept just if the predictor foretold its page for Tier 1.
        kept_as_foretold: assert (!(decides && standing) || f_keep == foretold);
        // What is kept is not evicted: no decision is made, the frame stays resident, the search goes on.
        kept_not_evicted: assert (!(decides && f_take && foretold) || (decide_tier == TIER_RETRY && decide_kept == f_taken));
        credit_same: assert (\dut.resident + \dut.to_plus - \dut.to_minus == resident);
        // What is not kept and may still leave does.
        else_evicted: assert (!(decides && f_take && !foretold) || (decide_tier == (f_taken ? TIER_2 : TIER_RETRY) && !decide_kept));
        // what makes the count right
        made_same: assert (\dut.made != \dut.unmade );
        count_same: assert (\dut.tier_place.g_tiers.stayed == kept);
        looked_same: assert (looked == (\dut.tier_place.g_tiers.look_owed || \dut.tier_place.g_tiers.look_sent ));
        none_at_8: assert (kept != 4'd8 || (!f_keep && !looked));
    end

endmodule
`default_nettype wire
