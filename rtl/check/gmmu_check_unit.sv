// SPDX-License-Identifier: Apache-2.0
// gmmu_check_unit: all checkers of gmmu_tier, which gmmu_bind.sv binds to it.
//
// GMMU_CHECK_NO_ORDER leaves out the rules of order. GMMU_CHECK_PATIENCE: cycles within which the driver answers a decision.
`default_nettype none
`ifndef GMMU_CHECK_PATIENCE
`define GMMU_CHECK_PATIENCE 0
`endif
/* verilator lint_off UNUSED */ // a checker uses some sizes, and some fields of a beat
`include "gmmu_config.vh"
`include "gmmu_check.svh"
module gmmu_check_unit #(
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
    // bits of the ports' tdata
    , parameter WALK_PORT = 8
    , parameter DRV_PORT = 8
    , parameter DEC_PORT = 8
    , parameter RIT_PORT = 8
    , parameter HIR_PORT = 8
    , parameter RANGE_PORT = 8
    , parameter XFER_PORT = 8
) (
    input wire                  clk,
    input wire                  rst,
    input wire [FRAME_W:0]      cfg_frames,
    input wire [T2_W:0]         cfg_t2_slots,
    input wire [2:0]            cfg_tier,
    input wire [ASID_W:0]       cfg_flush,
    input wire [31:0]           stat_walks,
    input wire                  quiet,
    input wire                  s_axis_walk_tvalid,
    input wire                  s_axis_walk_tready,
    input wire [WALK_PORT-1:0]  s_axis_walk_tdata,
    input wire                  s_axis_drv_tvalid,
    input wire                  s_axis_drv_tready,
    input wire [DRV_PORT-1:0]   s_axis_drv_tdata,
    input wire                  m_axis_decision_tvalid,
    input wire                  m_axis_decision_tready,
    input wire [DEC_PORT-1:0]   m_axis_decision_tdata,
    input wire                  m_frame_ar_valid,
    input wire                  m_frame_ar_ready,
    input wire [FRAME_W-1:0]    m_frame_ar_addr,
    input wire                  m_frame_r_valid,
    input wire [WORD_BITS-1:0]  m_frame_r_data,
    input wire                  m_frame_w_valid,
    input wire                  m_frame_w_ready,
    input wire [FRAME_W-1:0]    m_frame_w_addr,
    input wire [WORD_BITS-1:0]  m_frame_w_data,
    input wire                  m_frame_b_valid,
    input wire                  m_axis_rit_tvalid,
    input wire                  m_axis_rit_tready,
    input wire                  m_axis_rit_tlast,
    input wire [RIT_PORT-1:0]   m_axis_rit_tdata,
    input wire                  m_axis_hir_tvalid,
    input wire                  m_axis_hir_tready,
    input wire                  m_axis_hir_tlast,
    input wire [HIR_PORT-1:0]   m_axis_hir_tdata,
    input wire                  s_axis_range_tvalid,
    input wire                  s_axis_range_tready,
    input wire [RANGE_PORT-1:0] s_axis_range_tdata,
    input wire                  m_axis_xfer_tvalid,
    input wire                  m_axis_xfer_tready,
    input wire                  m_axis_xfer_tlast,
    input wire [XFER_PORT-1:0]  m_axis_xfer_tdata
);
`include "gmmu_streams.vh"
    localparam RIT_USED = RIT_TW > RIT_HEAD_TW ? RIT_TW : RIT_HEAD_TW, HIR_USED = HIR_TW > HIR_HEAD_TW ? HIR_TW : HIR_HEAD_TW;
    wire rit_record; // the beat of m_axis_rit is a record
    wire unused_record; // the beat of m_axis_hir is a record

    // ======== handshakes
    gmmu_check_stream #(.W(WALK_PORT), .USED(WALK_TW), .STREAM("s_axis_walk"), .WHO("the walker")) walk (
        .clk(clk), .rst(rst), .valid(s_axis_walk_tvalid), .ready(s_axis_walk_tready), .last(1'b1), .data(s_axis_walk_tdata));
    gmmu_check_stream #(.W(DRV_PORT), .USED(DRV_TW), .STREAM("s_axis_drv"), .WHO("the driver")) drv (
        .clk(clk), .rst(rst), .valid(s_axis_drv_tvalid), .ready(s_axis_drv_tready), .last(1'b1), .data(s_axis_drv_tdata));
    gmmu_check_stream #(.W(DEC_PORT), .USED(DECISION_TW), .UNIT(1), .STREAM("m_axis_decision"), .WHO("the driver")) decision (
        .clk(clk), .rst(rst), .valid(m_axis_decision_tvalid), .ready(m_axis_decision_tready), .last(1'b1), .data(m_axis_decision_tdata));
    gmmu_check_stream #(.W(RIT_PORT), .USED(RIT_USED), .UNIT(1), .STREAM("m_axis_rit"), .WHO("the consumer of m_axis_rit")) rit (
        .clk(clk), .rst(rst), .valid(m_axis_rit_tvalid), .ready(m_axis_rit_tready), .last(m_axis_rit_tlast), .data(m_axis_rit_tdata));
    gmmu_check_stream #(.W(HIR_PORT), .USED(HIR_USED), .UNIT(1), .STREAM("m_axis_hir"), .WHO("the consumer of m_axis_hir")) hir (
        .clk(clk), .rst(rst), .valid(m_axis_hir_tvalid), .ready(m_axis_hir_tready), .last(m_axis_hir_tlast), .data(m_axis_hir_tdata));
    gmmu_check_stream #(.W(RANGE_PORT), .USED(RANGE_TW), .WAITS(0), .STREAM("s_axis_range"), .WHO("the library that offloads")) range (
        .clk(clk), .rst(rst), .valid(s_axis_range_tvalid), .ready(s_axis_range_tready), .last(1'b1), .data(s_axis_range_tdata));
    gmmu_check_stream #(.W(XFER_PORT), .USED(XFER_TW), .UNIT(1), .STREAM("m_axis_xfer"), .WHO("the library that offloads")) xfer (
        .clk(clk), .rst(rst), .valid(m_axis_xfer_tvalid), .ready(m_axis_xfer_tready), .last(m_axis_xfer_tlast), .data(m_axis_xfer_tdata));
    // a walk is taken in every cycle from the end of the reset sequence on
    reg walks; // a walk could be taken in the cycle before
    initial {walks} = 0;
    always @(posedge clk) walks <= !rst && s_axis_walk_tready;
    `GMMU_UNIT(walk_never_waits, walks, s_axis_walk_tready, "s_axis_walk: tready fell after the reset sequence",
        "docs/guide/integration.md#ports-and-clocks")

    // ======== packets
    gmmu_check_packets #(.W(RIT_PORT), .SEQ_O(RIT_HEAD_SEQ_O), .SEQ_W(RIT_HEAD_SEQ_W), .N_O(RIT_HEAD_N_O), .N_W(RIT_HEAD_N_W),
                         .HEAD(RIT_HEAD_TW), .RECORD(RIT_TW), .LEAST(1), .STREAM("m_axis_rit")) rit_packets (
        .clk(clk), .rst(rst), .valid(m_axis_rit_tvalid), .ready(m_axis_rit_tready), .last(m_axis_rit_tlast), .data(m_axis_rit_tdata), .record(rit_record));
    gmmu_check_packets #(.W(HIR_PORT), .SEQ_O(HIR_HEAD_SEQ_O), .SEQ_W(HIR_HEAD_SEQ_W), .N_O(HIR_HEAD_N_O), .N_W(HIR_HEAD_N_W),
                         .HEAD(HIR_HEAD_TW), .RECORD(HIR_TW), .STREAM("m_axis_hir")) hir_packets (
        .clk(clk), .rst(rst), .valid(m_axis_hir_tvalid), .ready(m_axis_hir_tready), .last(m_axis_hir_tlast), .data(m_axis_hir_tdata), .record(unused_record));
    gmmu_check_ranges #(.W(XFER_PORT), .TAG_W(RANGE_TAG_W), .CODE_O(XFER_CODE_O), .TAG_O(XFER_TAG_O), .STATE_O(XFER_STATE_O), .OK_O(XFER_BASE_OK_O),
                        .BASE_O(XFER_BASE_O), .BASE_W(XFER_BASE_W), .START_O(XFER_START_O), .LAST_O(XFER_LAST_O)) ranges (
        .clk(clk), .rst(rst), .taken(s_axis_range_tvalid && s_axis_range_tready), .tag(s_axis_range_tdata[RANGE_TAG_O +: RANGE_TAG_W]),
        .valid(m_axis_xfer_tvalid), .ready(m_axis_xfer_tready), .last(m_axis_xfer_tlast), .data(m_axis_xfer_tdata));

    // ======== the memory of the frames
    generate
        if (FRAME_MEM != 0) begin : g_memory
            gmmu_check_memory #(.FRAMES(FRAMES), .FRAME_W(FRAME_W), .WORD_W(WORD_BITS), .LINES(LINES)) memory (
                .clk(clk), .rst(rst), .frames(cfg_frames), .ar_valid(m_frame_ar_valid), .ar_ready(m_frame_ar_ready), .ar_addr(m_frame_ar_addr),
                .r_valid(m_frame_r_valid), .r_data(m_frame_r_data), .w_valid(m_frame_w_valid), .w_ready(m_frame_w_ready),
                .w_addr(m_frame_w_addr), .w_data(m_frame_w_data), .b_valid(m_frame_b_valid));
        end
    endgenerate

    // ======== fields, order
    gmmu_check_fields #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASSES(CLASSES), .SEQ_W(SEQ_W),
        .GEN_W(GEN_W), .T2_SLOTS(T2_SLOTS), .FRAME_MEM(FRAME_MEM), .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W),
        .WALK_PORT(WALK_PORT), .DRV_PORT(DRV_PORT), .DEC_PORT(DEC_PORT), .RIT_PORT(RIT_PORT), .RANGE_PORT(RANGE_PORT)
    ) fields (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_t2_slots(cfg_t2_slots), .cfg_tier(cfg_tier), .stat_walks(stat_walks),
        .walk_valid(s_axis_walk_tvalid), .walk(s_axis_walk_tdata), .drv_valid(s_axis_drv_tvalid), .drv(s_axis_drv_tdata),
        .dec_valid(m_axis_decision_tvalid), .dec(m_axis_decision_tdata), .rit_record(rit_record), .rit_valid(m_axis_rit_tvalid),
        .rit(m_axis_rit_tdata), .range_valid(s_axis_range_tvalid), .range(s_axis_range_tdata));
`ifndef GMMU_CHECK_NO_ORDER
    gmmu_check_order #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASSES(CLASSES), .SEQ_W(SEQ_W),
        .GEN_W(GEN_W), .FAULTS(FAULTS), .LATE(LATE), .T2_SLOTS(T2_SLOTS), .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W),
        .PATIENCE(`GMMU_CHECK_PATIENCE), .WALK_PORT(WALK_PORT), .DRV_PORT(DRV_PORT), .DEC_PORT(DEC_PORT)
    ) order (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_t2_slots(cfg_t2_slots), .cfg_tier(cfg_tier), .cfg_flush(cfg_flush), .quiet(quiet),
        .walk_valid(s_axis_walk_tvalid && s_axis_walk_tready), .walk(s_axis_walk_tdata),
        .drv_offered(s_axis_drv_tvalid), .drv_valid(s_axis_drv_tvalid && s_axis_drv_tready), .drv(s_axis_drv_tdata),
        .dec_valid(m_axis_decision_tvalid && m_axis_decision_tready), .dec(m_axis_decision_tdata));
`endif
endmodule
/* verilator lint_on UNUSED */
`default_nettype wire
