# SPDX-License-Identifier: Apache-2.0
# gmmu_tier.sdc: timing constraints of gmmu_tier, gmmu_tier_axil, gmmu_tier_ring and gmmu_tier_uart, whichever is the top (docs/reference/asic.md).
# May be set before: gmmu_period, of the clock, in the library's unit of time (else 2.0); gmmu_outside, share of the period
# that is spent outside at each port (else 0.3).
if {![info exists gmmu_period]} { set gmmu_period 2.0 }
if {![info exists gmmu_outside]} { set gmmu_outside 0.3 }
set gmmu_delay [expr {$gmmu_period * $gmmu_outside}]

# one clock; the clocks behind the gates (lib/gmmu_clk_gate) follow from the library's cell
create_clock -name clk -period $gmmu_period [get_ports clk]

# all ports but clk, rxd, txd and test_en belong to clk. The reset is synchronous, and all registers must leave the reset in the
# same cycle: rst is no false path and no multicycle path. Registers in front of rst only delay the reset
set gmmu_inputs {
    rst cfg_*
    s_axil_awaddr* s_axil_awprot* s_axil_awvalid s_axil_wdata* s_axil_wstrb* s_axil_wvalid s_axil_bready
    s_axil_araddr* s_axil_arprot* s_axil_arvalid s_axil_rready
    s_axis_*_tdata* s_axis_*_tvalid m_axis_*_tready
    m_frame_ar_ready m_frame_r_valid m_frame_r_data* m_frame_w_ready m_frame_b_valid
    m_axi_awready m_axi_wready m_axi_bid m_axi_bresp* m_axi_bvalid m_axi_arready m_axi_rid m_axi_rdata* m_axi_rresp* m_axi_rlast m_axi_rvalid
}
set gmmu_outputs {
    irq quiet active unit_rst stat_*
    s_axil_awready s_axil_wready s_axil_bresp* s_axil_bvalid s_axil_arready s_axil_rdata* s_axil_rresp* s_axil_rvalid
    s_axis_*_tready m_axis_*_tdata* m_axis_*_tvalid m_axis_*_tlast
    m_frame_ar_valid m_frame_ar_addr* m_frame_w_valid m_frame_w_addr* m_frame_w_data*
    m_axi_awid m_axi_awaddr* m_axi_awlen* m_axi_awsize* m_axi_awburst* m_axi_awlock m_axi_awcache* m_axi_awprot* m_axi_awqos* m_axi_awvalid
    m_axi_wdata* m_axi_wstrb* m_axi_wlast m_axi_wvalid m_axi_bready
    m_axi_arid m_axi_araddr* m_axi_arlen* m_axi_arsize* m_axi_arburst* m_axi_arlock m_axi_arcache* m_axi_arprot* m_axi_arqos* m_axi_arvalid m_axi_rready
}
set_input_delay $gmmu_delay -clock clk [get_ports -quiet $gmmu_inputs]
set_output_delay $gmmu_delay -clock clk [get_ports -quiet $gmmu_outputs]

# the serial line has no clock: rxd goes to the first register of the synchroniser (lib/gmmu_uart_rx), txd comes from a register
if {[get_ports -quiet rxd] ne ""} {
    set_false_path -from [get_ports rxd]
    set_false_path -to [get_ports txd]
}

# in use; the scan test has constraints of its own
if {[get_ports -quiet test_en] ne ""} {
    set_case_analysis 0 [get_ports test_en]
}
