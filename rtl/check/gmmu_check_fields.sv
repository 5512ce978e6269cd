// SPDX-License-Identifier: Apache-2.0
// gmmu_check_fields: the fields of valid beats: known codes, frames and slots that are enabled, fields that are 0 where they mean nothing.
`default_nettype none
/* verilator lint_off UNUSED */ // a checker uses some sizes, and some fields of a beat
`include "gmmu_config.vh"
`include "gmmu_check.svh"
module gmmu_check_fields #(
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
    , parameter WALK_PORT = 8 // bits of the ports' tdata
    , parameter DRV_PORT = 8
    , parameter DEC_PORT = 8
    , parameter RIT_PORT = 8
    , parameter RANGE_PORT = 8
) (
    input wire                  clk,
    input wire                  rst,
    input wire [FRAME_W:0]      cfg_frames,
    input wire [T2_W:0]         cfg_t2_slots,
    input wire [2:0]            cfg_tier,
    input wire [31:0]           stat_walks,
    input wire                  walk_valid,
    input wire [WALK_PORT-1:0]  walk,
    input wire                  drv_valid,
    input wire [DRV_PORT-1:0]   drv,
    input wire                  dec_valid,
    input wire [DEC_PORT-1:0]   dec,
    input wire                  rit_record, // the beat of m_axis_rit is a record
    input wire                  rit_valid,
    input wire [RIT_PORT-1:0]   rit,
    input wire                  range_valid,
    input wire [RANGE_PORT-1:0] range
);
`include "gmmu_streams.vh"
`include "gmmu_codes.vh"
    localparam WALKER = "the walker", DRIVER = "the driver", LIBRARY = "the library that offloads";
    localparam STREAMS = "docs/reference/formats.md#streams", CODES = "docs/reference/formats.md#codes";
    localparam DRIVING = "docs/guide/integration.md#the-driver", TIERS = "docs/guide/integration.md#three-tiers";
    localparam AHEAD = "docs/guide/integration.md#frames-ahead-of-need";
    wire tiers = T2_SLOTS != 0 && cfg_tier != PLACE_NONE; // there is a Tier 2

    // ======== s_axis_walk
    wire               walk_hit   = walk_valid && !walk[WALK_FAULT_O];
    wire [FRAME_W-1:0] walk_frame = walk[WALK_FRAME_O +: FRAME_W];
    wire [T2_W-1:0]    walk_slot  = walk[WALK_SLOT_O +: T2_W];
    `GMMU_USER(walk_frame_enabled, walk_hit, {1'b0, walk_frame} < cfg_frames, WALKER, "s_axis_walk: a hit of a frame that is not below cfg_frames",
        STREAMS)
    `GMMU_USER(walk_slot_enabled, walk_valid && tiers && walk[WALK_FAULT_O] && walk[WALK_T2_O], {1'b0, walk_slot} < cfg_t2_slots, WALKER,
        "s_axis_walk: a fault names a slot that is not below cfg_t2_slots", STREAMS)

    // ======== s_axis_drv
    wire [3:0]         op        = drv[DRV_OP_O +: 4];
    wire [FRAME_W-1:0] drv_frame = drv[DRV_FRAME_O +: FRAME_W];
    wire [T2_W-1:0]    drv_slot  = drv[DRV_SLOT_O +: T2_W];
    wire               of_slots  = op >= OP_T2_FILL_DONE && op <= OP_T2_SWAP;
    wire               of_frame  = op >= OP_FILL && op <= OP_T2_SWAP && op != OP_ASK && op != OP_T2_FREE && op != OP_T2_CANCEL;
    wire               with_slot = of_slots || ((op == OP_FILL || op == OP_ASK || op == OP_CANCEL) && drv[DRV_T2_O]);
    wire [TIME_W-1:0]  age       = stat_walks[TIME_W-1:0] - drv[DRV_WAS_O +: TIME_W]; // walks since the page's last access in Tier 1
    `GMMU_USER(drv_op_known, drv_valid, op >= OP_FILL && op <= OP_T2_SWAP, DRIVER, "s_axis_drv: an operation with a code without a meaning", CODES)
    `GMMU_USER(drv_frame_enabled, drv_valid && of_frame, {1'b0, drv_frame} < cfg_frames, DRIVER,
        "s_axis_drv: an operation on a frame that is not below cfg_frames", DRIVING)
    `GMMU_USER(drv_tiers, drv_valid && of_slots, tiers, DRIVER, "s_axis_drv: an operation on a slot, and there is no Tier 2", TIERS)
    `GMMU_USER(drv_slot_enabled, drv_valid && with_slot && tiers, {1'b0, drv_slot} < cfg_t2_slots, DRIVER,
        "s_axis_drv: an operation on a slot that is not below cfg_t2_slots", TIERS)
    `GMMU_USER(drv_was_recent, drv_valid && op == OP_FILL && drv[DRV_RETURNS_O] && FRAME_MEM == 0, age[TIME_W-1 -: 2] == 2'd0, DRIVER,
        "s_axis_drv: FILL with a time `was` of 2^(TIME_W-2) walks ago or more", "docs/guide/integration.md#optional-uses")

    // ======== m_axis_decision
    wire [1:0]         tier   = dec[DECISION_TIER_O +: 2];
    wire               victim = tier == TIER_2[1:0] || tier == TIER_3[1:0];
    wire               ahead  = dec[DECISION_AHEAD_O];
    `GMMU_UNIT(dec_frame_enabled, dec_valid && victim, {1'b0, dec[DECISION_FRAME_O +: FRAME_W]} < cfg_frames,
        "m_axis_decision: a victim in a frame that is not below cfg_frames", STREAMS)
    `GMMU_UNIT(dec_tier_3, dec_valid && tier == TIER_3[1:0], tiers, "m_axis_decision: a victim for Tier 3, and there is no Tier 2", CODES)
    `GMMU_UNIT(dec_ahead, dec_valid && ahead,
        victim && dec[DECISION_ASID_O +: ASID_W] == 0 && dec[DECISION_VPN_O +: VPN_W] == 0 && !dec[DECISION_LOST_O]
        && !dec[DECISION_RISE_O] && !dec[DECISION_SWAP_O],
        "m_axis_decision: a decision ahead without a victim, or with a page that comes", AHEAD)
    `GMMU_UNIT(dec_fresh, dec_valid && dec[DECISION_FRESH_O], tier == TIER_NONE[1:0], "m_axis_decision: fresh in a decision that is not NONE",
        "docs/guide/integration.md#more-faults-than-frames")
    `GMMU_UNIT(dec_no_tiers, dec_valid && !tiers,
        {dec[DECISION_RISE_O], dec[DECISION_SWAP_O], dec[DECISION_FORCED_O], dec[DECISION_T2_VALID_O], dec[DECISION_PRED_O +: 2]} == 6'd0,
        "m_axis_decision: a field of tiers is not 0, and there is no Tier 2", STREAMS)
    `GMMU_UNIT(dec_swap, dec_valid && dec[DECISION_SWAP_O], dec[DECISION_RISE_O] && tier == TIER_2[1:0],
        "m_axis_decision: swap without rise, or without a victim for Tier 2", TIERS)
    `GMMU_UNIT(dec_slot_enabled, dec_valid && dec[DECISION_T2_VALID_O], tier == TIER_2[1:0] && {1'b0, dec[DECISION_T2_SLOT_O +: T2_W]} < cfg_t2_slots,
        "m_axis_decision: a page leaves a slot that is not below cfg_t2_slots, or leaves for no victim", TIERS)

    // ======== m_axis_rit
    `GMMU_UNIT(rit_rec_zero, rit_valid && rit_record && !rit[RIT_REC_O], rit[RIT_CENSORED_O +: RIT_ACCESS_O - RIT_CENSORED_O] == 0,
        "m_axis_rit: a field of the interval is not 0 without rec", STREAMS)
    `GMMU_UNIT(rit_access_zero, rit_valid && rit_record && !rit[RIT_ACCESS_O], rit[RIT_FAULT_O +: RIT_TIME_O - RIT_FAULT_O] == 0,
        "m_axis_rit: a field of the access is not 0 without access", STREAMS)

    // ======== s_axis_range
    wire [3:0] range_op = range[RANGE_OP_O +: 4];
    `GMMU_USER(range_op_known, range_valid, range_op <= RANGE_BASE, LIBRARY, "s_axis_range: an operation with a code without a meaning", CODES)
    `GMMU_USER(range_ends, range_valid && range_op < RANGE_BASE, range[RANGE_START_O +: RANGE_START_W] <= range[RANGE_LAST_O +: RANGE_LAST_W],
        LIBRARY, "s_axis_range: a range ends before it begins", CODES)
endmodule
/* verilator lint_on UNUSED */
`default_nettype wire
