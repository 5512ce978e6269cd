// SPDX-License-Identifier: Apache-2.0
// gmmu_bind.sv: binds the checkers to gmmu_tier and gmmu_tier_axil; a compilation unit of its own beside the RTL, or one more file of it
// (docs/guide/checkers.md). GMMU_CHECK_NO_UNIT leaves out those of gmmu_tier.
`default_nettype none
`ifndef GMMU_CHECK_NO_UNIT
bind gmmu_tier gmmu_check_unit #(
    .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASSES(CLASSES), .GEN_W(GEN_W),
    .FAULTS(FAULTS), .LATE(LATE), .SEQ_W(SEQ_W), .FRAME_MEM(FRAME_MEM), .LINES(LINES), .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W),
    .T2_SLOTS(T2_SLOTS), .WALK_PORT($bits(s_axis_walk_tdata)), .DRV_PORT($bits(s_axis_drv_tdata)), .DEC_PORT($bits(m_axis_decision_tdata)),
    .RIT_PORT($bits(m_axis_rit_tdata)), .HIR_PORT($bits(m_axis_hir_tdata)), .RANGE_PORT($bits(s_axis_range_tdata)),
    .XFER_PORT($bits(m_axis_xfer_tdata))
) gmmu_check (
    .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_t2_slots(cfg_t2_slots), .cfg_tier(cfg_tier), .cfg_flush(cfg_flush),
    .stat_walks(stat_walks), .quiet(quiet),
    .s_axis_walk_tvalid(s_axis_walk_tvalid), .s_axis_walk_tready(s_axis_walk_tready), .s_axis_walk_tdata(s_axis_walk_tdata),
    .s_axis_drv_tvalid(s_axis_drv_tvalid), .s_axis_drv_tready(s_axis_drv_tready), .s_axis_drv_tdata(s_axis_drv_tdata),
    .m_axis_decision_tvalid(m_axis_decision_tvalid), .m_axis_decision_tready(m_axis_decision_tready), .m_axis_decision_tdata(m_axis_decision_tdata),
    .m_frame_ar_valid(m_frame_ar_valid), .m_frame_ar_ready(m_frame_ar_ready), .m_frame_ar_addr(m_frame_ar_addr),
    .m_frame_r_valid(m_frame_r_valid), .m_frame_r_data(m_frame_r_data), .m_frame_w_valid(m_frame_w_valid), .m_frame_w_ready(m_frame_w_ready),
    .m_frame_w_addr(m_frame_w_addr), .m_frame_w_data(m_frame_w_data), .m_frame_b_valid(m_frame_b_valid),
    .m_axis_rit_tvalid(m_axis_rit_tvalid), .m_axis_rit_tready(m_axis_rit_tready), .m_axis_rit_tlast(m_axis_rit_tlast), .m_axis_rit_tdata(m_axis_rit_tdata),
    .m_axis_hir_tvalid(m_axis_hir_tvalid), .m_axis_hir_tready(m_axis_hir_tready), .m_axis_hir_tlast(m_axis_hir_tlast), .m_axis_hir_tdata(m_axis_hir_tdata),
    .s_axis_range_tvalid(s_axis_range_tvalid), .s_axis_range_tready(s_axis_range_tready), .s_axis_range_tdata(s_axis_range_tdata),
    .m_axis_xfer_tvalid(m_axis_xfer_tvalid), .m_axis_xfer_tready(m_axis_xfer_tready), .m_axis_xfer_tlast(m_axis_xfer_tlast),
    .m_axis_xfer_tdata(m_axis_xfer_tdata)
);
`endif
bind gmmu_tier_axil gmmu_check_axil #(.ADDR_W($bits(s_axil_awaddr))) gmmu_check_bus (
    .clk(clk), .rst(rst), .awaddr(s_axil_awaddr), .awprot(s_axil_awprot), .awvalid(s_axil_awvalid), .awready(s_axil_awready),
    .wdata(s_axil_wdata), .wstrb(s_axil_wstrb), .wvalid(s_axil_wvalid), .wready(s_axil_wready), .bresp(s_axil_bresp), .bvalid(s_axil_bvalid),
    .bready(s_axil_bready), .araddr(s_axil_araddr), .arprot(s_axil_arprot), .arvalid(s_axil_arvalid), .arready(s_axil_arready),
    .rdata(s_axil_rdata), .rresp(s_axil_rresp), .rvalid(s_axil_rvalid), .rready(s_axil_rready)
);
`default_nettype wire
