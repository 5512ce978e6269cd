// SPDX-License-Identifier: Apache-2.0
// gmmu_bind.sv: binds the checkers to gmmu_tier, gmmu_tier_axil, gmmu_tier_ring and its ring; a compilation unit of its own beside the
// RTL, or one more file of it (docs/guide/checkers.md). GMMU_CHECK_NO_UNIT leaves out those of gmmu_tier.
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
bind gmmu_tier_ring gmmu_check_axil #(.ADDR_W($bits(s_axil_awaddr))) gmmu_check_bus (
    .clk(clk), .rst(rst), .awaddr(s_axil_awaddr), .awprot(s_axil_awprot), .awvalid(s_axil_awvalid), .awready(s_axil_awready),
    .wdata(s_axil_wdata), .wstrb(s_axil_wstrb), .wvalid(s_axil_wvalid), .wready(s_axil_wready), .bresp(s_axil_bresp), .bvalid(s_axil_bvalid),
    .bready(s_axil_bready), .araddr(s_axil_araddr), .arprot(s_axil_arprot), .arvalid(s_axil_arvalid), .arready(s_axil_arready),
    .rdata(s_axil_rdata), .rresp(s_axil_rresp), .rvalid(s_axil_rvalid), .rready(s_axil_rready)
);
bind gmmu_ring gmmu_check_axi #(
    .ADDR_W($bits(m_axi_awaddr)), .DATA_W($bits(m_axi_wdata)), .WRITES(RING_WRITES)
) gmmu_check (
    .clk(clk), .rst(rst), .awid(m_axi_awid), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen), .awsize(m_axi_awsize), .awburst(m_axi_awburst),
    .awlock(m_axi_awlock), .awcache(m_axi_awcache), .awprot(m_axi_awprot), .awqos(m_axi_awqos), .awvalid(m_axi_awvalid), .awready(m_axi_awready),
    .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast), .wvalid(m_axi_wvalid), .wready(m_axi_wready), .bid(m_axi_bid),
    .bresp(m_axi_bresp), .bvalid(m_axi_bvalid), .bready(m_axi_bready), .arid(m_axi_arid), .araddr(m_axi_araddr), .arlen(m_axi_arlen),
    .arsize(m_axi_arsize), .arburst(m_axi_arburst), .arlock(m_axi_arlock), .arcache(m_axi_arcache), .arprot(m_axi_arprot), .arqos(m_axi_arqos),
    .arvalid(m_axi_arvalid), .arready(m_axi_arready), .rid(m_axi_rid), .rresp(m_axi_rresp), .rlast(m_axi_rlast), .rvalid(m_axi_rvalid),
    .rready(m_axi_rready)
);
`default_nettype wire
