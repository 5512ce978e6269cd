// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_axil: the unit with its registers behind AXI4-Lite (docs/blocks/gmmu_tier_axil.md).
//
//   s_axil_ ─► axil_port ─► csr ─► cfg_ … stat_ ◄─ gmmu_tier ◄─► its streams
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier_axil #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // what follows from them
) (
    input  wire                 clk, rst,
    // registers (docs/registers.md, "Behind the bus")
    input  wire [11:0]          s_axil_awaddr, s_axil_araddr,
    input  wire [2:0]           s_axil_awprot, s_axil_arprot,
    input  wire                 s_axil_awvalid, s_axil_wvalid, s_axil_arvalid,
    output wire                 s_axil_awready, s_axil_wready, s_axil_arready,
    input  wire [31:0]          s_axil_wdata,
    input  wire [3:0]           s_axil_wstrb,
    output wire [1:0]           s_axil_bresp, s_axil_rresp,
    output wire                 s_axil_bvalid, s_axil_rvalid,
    input  wire                 s_axil_bready, s_axil_rready,
    output wire [31:0]          s_axil_rdata,
    output wire                 irq, quiet,
    // The unit is in reset, by `rst` or by a register: a memory behind m_frame_ may be held in reset with it.
    output wire                 unit_rst,
    // as gmmu_tier's
    input  wire [WALK_BITS-1:0] s_axis_walk_tdata,
    input  wire [DRV_BITS-1:0]  s_axis_drv_tdata,
    output wire [DEC_BITS-1:0]  m_axis_decision_tdata,
    input  wire                 s_axis_walk_tvalid, s_axis_drv_tvalid, m_axis_decision_tready,
    output wire                 s_axis_walk_tready, s_axis_drv_tready, m_axis_decision_tvalid,
    output wire                 m_frame_ar_valid, m_frame_w_valid,
    input  wire                 m_frame_ar_ready, m_frame_w_ready, m_frame_r_valid, m_frame_b_valid,
    output wire [FRAME_W-1:0]   m_frame_ar_addr, m_frame_w_addr,
    input  wire [WORD_BITS-1:0] m_frame_r_data,
    output wire [WORD_BITS-1:0] m_frame_w_data,
    output wire [RIT_BITS-1:0]  m_axis_rit_tdata,
    output wire [HIR_BITS-1:0]  m_axis_hir_tdata,
    output wire                 m_axis_rit_tvalid, m_axis_rit_tlast, m_axis_hir_tvalid, m_axis_hir_tlast,
    input  wire                 m_axis_rit_tready, m_axis_hir_tready,
    input  wire [RANGE_BITS-1:0] s_axis_range_tdata,
    output wire [XFER_BITS-1:0] m_axis_xfer_tdata,
    input  wire                 s_axis_range_tvalid, m_axis_xfer_tready,
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    output wire                 s_axis_range_tready, m_axis_xfer_tvalid, m_axis_xfer_tlast
);

`include "gmmu_cfg_wires.vh"
    wire        req_valid, req_write, ans_valid, ans_bad;
    // A reset by a register waits until the memory port is at rest.
    wire        stops;
    // The memory port is at rest: the reset begins.
    wire        rests;
    wire [9:0]  req_word;
    wire [31:0] req_data, ans_data;
    wire [3:0]  req_strb;

    gmmu_axil_port #(.ADDR_W(12)) port (
        .clk(clk),
        .rst(rst),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .req_valid(req_valid),
        .req_write(req_write),
        .req_word(req_word),
        .req_data(req_data),
        .req_strb(req_strb),
        .ans_valid(ans_valid),
        .ans_bad(ans_bad),
        .ans_data(ans_data)
    );

    gmmu_csr #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .SM_W(SM_W),
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .CLASSES(CLASSES),
        .WAYS(WAYS),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .EXEC_W(EXEC_W),
        .GEN_W(GEN_W),
        .FAULTS(FAULTS),
        .SEQ_W(SEQ_W),
        .POOL(POOL),
        .K(K),
        .SAMPLER(SAMPLER),
        .SWAYS(SWAYS),
        .RECQ(RECQ),
        .SIDEQ(SIDEQ),
        .FRAME_MEM(FRAME_MEM),
        .TOUCHQ(TOUCHQ),
        .LINES(LINES),
        .RITQ(RITQ),
        .HIR_SETS(HIR_SETS),
        .HIR_WAYS(HIR_WAYS),
        .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .TP_TAG_W(TP_TAG_W),
        .TP_CNT_W(TP_CNT_W),
        .RANGES(RANGES),
        .PARITY(PARITY)
    ) registers (
        .clk(clk),
        .rst(rst),
        .req_valid(req_valid),
        .req_write(req_write),
        .req_word(req_word),
        .req_data(req_data),
        .req_strb(req_strb),
        .ans_valid(ans_valid),
        .ans_bad(ans_bad),
        .ans_data(ans_data),
        .irq(irq),
        .unit_rst(unit_rst),
        .stops(stops),
        .rests(rests),
        .quiet(quiet),
`include "gmmu_cfg_ports.vh"
        .comes(s_axis_walk_tvalid || s_axis_drv_tvalid),
        .event_decision(m_axis_decision_tvalid),
        .event_rit(m_axis_rit_tvalid && m_axis_rit_tready && m_axis_rit_tlast),
        .event_hir(m_axis_hir_tvalid && m_axis_hir_tready && m_axis_hir_tlast),
        .event_xfer(m_axis_xfer_tvalid && m_axis_xfer_tready && m_axis_xfer_tlast)
    );

    // ======== the memory port, which comes to rest before a reset by a register begins
    // The unit asks for a read.
    wire        ar_valid;
    // The memory takes that read.
    wire        ar_ready;
    // The unit asks for a write.
    wire        w_valid;
    // The memory takes that write.
    wire        w_ready;
    generate
        if (FRAME_MEM != 0) begin : g_frame_port
            gmmu_frame_port #(
                .COUNT_W((FRAME_W > $clog2(LINES) ? FRAME_W : $clog2(LINES)) + 2)
            ) frame_port (
                .clk(clk),
                .rst(rst),
                .stop(stops),
                .rests(rests),
                .unit_ar_valid(ar_valid),
                .unit_ar_ready(ar_ready),
                .unit_w_valid(w_valid),
                .unit_w_ready(w_ready),
                .m_frame_ar_valid(m_frame_ar_valid),
                .m_frame_ar_ready(m_frame_ar_ready),
                .m_frame_r_valid(m_frame_r_valid),
                .m_frame_w_valid(m_frame_w_valid),
                .m_frame_w_ready(m_frame_w_ready),
                .m_frame_b_valid(m_frame_b_valid)
            );
        end else begin : g_no_frame_port
            assign {m_frame_ar_valid, m_frame_w_valid, ar_ready, w_ready} = {ar_valid, w_valid, m_frame_ar_ready, m_frame_w_ready};
            assign rests = 1'b1;
            wire unused_stops = stops;
        end
    endgenerate

    gmmu_tier #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .SM_W(SM_W),
        .TIME_W(TIME_W),
        .FRAMES(FRAMES),
        .CLASSES(CLASSES),
        .WAYS(WAYS),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .EXEC_W(EXEC_W),
        .GEN_W(GEN_W),
        .FAULTS(FAULTS),
        .SEQ_W(SEQ_W),
        .POOL(POOL),
        .K(K),
        .SAMPLER(SAMPLER),
        .SWAYS(SWAYS),
        .RECQ(RECQ),
        .SIDEQ(SIDEQ),
        .FRAME_MEM(FRAME_MEM),
        .TOUCHQ(TOUCHQ),
        .LINES(LINES),
        .RITQ(RITQ),
        .HIR_SETS(HIR_SETS),
        .HIR_WAYS(HIR_WAYS),
        .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .TP_TAG_W(TP_TAG_W),
        .TP_CNT_W(TP_CNT_W),
        .RANGES(RANGES),
        .PARITY(PARITY)
    ) unit (
        .clk(clk),
        .rst(unit_rst),
`include "gmmu_cfg_ports.vh"
        .s_axis_walk_tdata(s_axis_walk_tdata),
        .s_axis_walk_tvalid(s_axis_walk_tvalid),
        .s_axis_walk_tready(s_axis_walk_tready),
        .s_axis_drv_tdata(s_axis_drv_tdata),
        .s_axis_drv_tvalid(s_axis_drv_tvalid),
        .s_axis_drv_tready(s_axis_drv_tready),
        .m_axis_decision_tdata(m_axis_decision_tdata),
        .m_axis_decision_tvalid(m_axis_decision_tvalid),
        .m_axis_decision_tready(m_axis_decision_tready),
        .m_frame_ar_valid(ar_valid),
        .m_frame_ar_ready(ar_ready),
        .m_frame_ar_addr(m_frame_ar_addr),
        .m_frame_r_valid(m_frame_r_valid),
        .m_frame_r_data(m_frame_r_data),
        .m_frame_w_valid(w_valid),
        .m_frame_w_ready(w_ready),
        .m_frame_w_addr(m_frame_w_addr),
        .m_frame_w_data(m_frame_w_data),
        .m_frame_b_valid(m_frame_b_valid),
        .m_axis_rit_tdata(m_axis_rit_tdata),
        .m_axis_rit_tvalid(m_axis_rit_tvalid),
        .m_axis_rit_tlast(m_axis_rit_tlast),
        .m_axis_rit_tready(m_axis_rit_tready),
        .m_axis_hir_tdata(m_axis_hir_tdata),
        .m_axis_hir_tvalid(m_axis_hir_tvalid),
        .m_axis_hir_tlast(m_axis_hir_tlast),
        .m_axis_hir_tready(m_axis_hir_tready),
        .s_axis_range_tdata(s_axis_range_tdata),
        .s_axis_range_tvalid(s_axis_range_tvalid),
        .s_axis_range_tready(s_axis_range_tready),
        .m_axis_xfer_tdata(m_axis_xfer_tdata),
        .m_axis_xfer_tvalid(m_axis_xfer_tvalid),
        .m_axis_xfer_tlast(m_axis_xfer_tlast),
        .m_axis_xfer_tready(m_axis_xfer_tready),
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       .name(name),
`define GMMU_SHOW(range, name, shows) .name(name),
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
        .quiet(quiet)
    );
endmodule
`default_nettype wire
