// SPDX-License-Identifier: Apache-2.0
// soc: gmmu_tier, with its registers on a bus, beside a page-table walker and a driver in hardware.
//
//   accesses ─► page_walker ── walks ──► gmmu_tier_axil ── decisions ──► page_driver
//                   ▲                          ▲ ◄── FILL, ASK, CANCEL ──────┤
//                   └──────────────────────── pages come and go ─────────────┘
`default_nettype none
`include "gmmu_config.vh"
module soc #(
    parameter PAGE_W = 10, // 2^PAGE_W pages
    parameter COPY   = 20, // cycles that a page takes
`include "gmmu_parameters.vh" // the unit's sizes, of which FRAMES, T2_SLOTS and RANGES are handed on
`include "gmmu_derived.vh" // what follows from them
) (
    input  wire               clk, rst,
    input  wire               req_valid, req_write,
    output wire               req_ready,
    input  wire [PAGE_W-1:0]  req_page,
    input  wire [REF_W-1:0]   req_ref,  // the instruction that makes the access
    output wire               rsp_valid, rsp_parked,
    output wire [PAGE_W-1:0]  rsp_page,
    output wire [FRAME_W-1:0] rsp_frame,
    // what becomes of the page table, to look on
    output wire               map_valid, map_comes,
    output wire [PAGE_W-1:0]  map_page,
    output wire [FRAME_W-1:0] map_frame,
    output wire [31:0]        faults, evictions,
    // the unit's registers
    input  wire [11:0]        s_axil_awaddr, s_axil_araddr,
    input  wire               s_axil_awvalid, s_axil_wvalid, s_axil_arvalid, s_axil_bready, s_axil_rready,
    output wire               s_axil_awready, s_axil_wready, s_axil_arready, s_axil_bvalid, s_axil_rvalid,
    input  wire [31:0]        s_axil_wdata,
    output wire [31:0]        s_axil_rdata,
    output wire [1:0]         s_axil_bresp, s_axil_rresp,
    output wire               irq
);

`include "gmmu_streams.vh"
`include "gmmu_codes.vh"

    wire                   walk_valid, walk_fault, walk_ready, op_valid, op_ask, op_cancel, op_ready, decision_valid, decision_ready, resident;
    wire [FRAME_W-1:0]     walk_frame;
    wire [PAGE_W-1:0]      page;
    wire [DEC_TDATA-1:0]   decision;
    page_walker #(
        .PAGE_W(PAGE_W),
        .FRAME_W(FRAME_W)
    ) walker (
        .clk(clk),
        .rst(rst),
        .req_valid(req_valid),
        .req_ready(req_ready),
        .req_page(req_page),
        .rsp_valid(rsp_valid),
        .rsp_parked(rsp_parked),
        .rsp_page(rsp_page),
        .rsp_frame(rsp_frame),
        .map_valid(map_valid),
        .map_comes(map_comes),
        .map_page(map_page),
        .map_frame(map_frame),
        .look_page(decision[DECISION_VPN_O +: PAGE_W]),
        .resident(resident),
        .walk_valid(walk_valid),
        .walk_fault(walk_fault),
        .walk_ready(walk_ready),
        .walk_frame(walk_frame)
    );
    page_driver #(
        .PAGE_W(PAGE_W),
        .FRAME_W(FRAME_W),
        .COPY(COPY)
    ) driver (
        .clk(clk),
        .rst(rst),
        .decision_valid(decision_valid),
        .decision_ready(decision_ready),
        .decision_tier(decision[DECISION_TIER_O +: DECISION_TIER_W]),
        .decision_page(decision[DECISION_VPN_O +: PAGE_W]),
        .victim_page(decision[DECISION_V_VPN_O +: PAGE_W]),
        .victim_frame(decision[DECISION_FRAME_O +: FRAME_W]),
        .decision_resident(resident),
        .op_valid(op_valid),
        .op_ask(op_ask),
        .op_cancel(op_cancel),
        .op_ready(op_ready),
        .page(page),
        .frame(map_frame),
        .map_valid(map_valid),
        .map_comes(map_comes),
        .map_page(map_page),
        .faults(faults),
        .evictions(evictions)
    );

    // a beat: every field at its place, all other bits 0
    reg [WALK_TDATA-1:0] walk;
    reg [DRV_TDATA-1:0]  op;
    always @* begin
        walk = 0;
        walk[WALK_VPN_O +: PAGE_W]    = req_page;
        walk[WALK_REF_O +: REF_W]     = req_ref;
        walk[WALK_WRITE_O]            = req_write;
        walk[WALK_FAULT_O]            = walk_fault;
        walk[WALK_FRAME_O +: FRAME_W] = walk_frame;
        op = 0;
        op[DRV_OP_O +: DRV_OP_W]      = op_ask ? OP_ASK : op_cancel ? OP_CANCEL : OP_FILL;
        op[DRV_FRAME_O +: FRAME_W]    = map_frame;
        op[DRV_VPN_O +: PAGE_W]       = page;
    end
    gmmu_tier_axil #(
        .FRAMES(FRAMES),
        .T2_SLOTS(T2_SLOTS),
        .RANGES(RANGES)
    ) unit (
        .clk(clk),
        .rst(rst),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_awprot(3'd0),
        .s_axil_arprot(3'd0),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wready(s_axil_wready),
        .s_axil_arready(s_axil_arready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(4'hF),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata),
        .irq(irq),
        .quiet(),
        .unit_rst(),
        .s_axis_walk_tdata(walk),
        .s_axis_walk_tvalid(walk_valid),
        .s_axis_walk_tready(walk_ready),
        .s_axis_drv_tdata(op),
        .s_axis_drv_tvalid(op_valid),
        .s_axis_drv_tready(op_ready),
        .m_axis_decision_tdata(decision),
        .m_axis_decision_tvalid(decision_valid),
        .m_axis_decision_tready(decision_ready),
        // not used: the memory port, records for a host, hits for a driver's policy, ranges
        .m_frame_ar_valid(),
        .m_frame_w_valid(),
        .m_frame_ar_addr(),
        .m_frame_w_addr(),
        .m_frame_w_data(),
        .m_frame_ar_ready(1'b0),
        .m_frame_w_ready(1'b0),
        .m_frame_r_valid(1'b0),
        .m_frame_b_valid(1'b0),
        .m_frame_r_data({WORD_BITS{1'b0}}),
        .m_axis_rit_tdata(),
        .m_axis_hir_tdata(),
        .m_axis_rit_tvalid(),
        .m_axis_rit_tlast(),
        .m_axis_hir_tvalid(),
        .m_axis_hir_tlast(),
        .m_axis_rit_tready(1'b1),
        .m_axis_hir_tready(1'b1),
        .s_axis_range_tdata({RANGE_TDATA{1'b0}}),
        .s_axis_range_tvalid(1'b0),
        .s_axis_range_tready(),
        .m_axis_xfer_tdata(),
        .m_axis_xfer_tvalid(),
        .m_axis_xfer_tlast(),
        .m_axis_xfer_tready(1'b1)
    );

endmodule
`default_nettype wire
