// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_axil: the unit with its registers behind AXI4-Lite (docs/reference/blocks/gmmu_tier_axil.md).
//
//   s_axil_ ─► axil_port ─► tier_csr (csr, gmmu_tier) ◄─► streams
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier_axil #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // sizes that follow from these
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  test_en,                // scan test: all clocks run; 0 in use
    // registers (docs/reference/registers.md, "Behind the bus")
    input  wire [11:0]           s_axil_awaddr,          // write address, in bytes
    input  wire [11:0]           s_axil_araddr,          // read address, in bytes
    input  wire [2:0]            s_axil_awprot,          // protection of the write; ignored
    input  wire [2:0]            s_axil_arprot,          // protection of the read; ignored
    input  wire                  s_axil_awvalid,         // a write address is offered
    input  wire                  s_axil_wvalid,          // write data are offered
    input  wire                  s_axil_arvalid,         // a read address is offered
    output wire                  s_axil_awready,         // the write address is accepted
    output wire                  s_axil_wready,          // write data are accepted
    output wire                  s_axil_arready,         // the read address is accepted
    input  wire [31:0]           s_axil_wdata,           // write data
    input  wire [3:0]            s_axil_wstrb,           // byte strobes of the write
    output wire [1:0]            s_axil_bresp,           // response of the write, OKAY or SLVERR
    output wire [1:0]            s_axil_rresp,           // response of the read, OKAY or SLVERR
    output wire                  s_axil_bvalid,          // a write response is offered
    output wire                  s_axil_rvalid,          // read data are offered
    input  wire                  s_axil_bready,          // the write response is taken
    input  wire                  s_axil_rready,          // read data are taken
    output wire [31:0]           s_axil_rdata,           // read data
    output wire                  irq,                    // an enabled interrupt has happened and was not cleared
    output wire                  quiet,                  // nothing is under way or pending in the unit
    output wire                  unit_rst,               // the unit is in reset, by `rst` or by a register; a memory behind m_frame_ may be reset with the unit
    // streams and memory port, as of gmmu_tier
    input  wire [WALK_TDATA-1:0] s_axis_walk_tdata,      // a walk, a beat of s_axis_walk
    input  wire [DRV_TDATA-1:0]  s_axis_drv_tdata,       // a driver operation, a beat of s_axis_drv
    output wire [DEC_TDATA-1:0]  m_axis_decision_tdata,  // a decision, a beat of m_axis_decision
    input  wire                  s_axis_walk_tvalid,     // a walk is offered
    input  wire                  s_axis_drv_tvalid,      // a driver operation is offered
    input  wire                  m_axis_decision_tready, // the consumer takes a decision
    output wire                  s_axis_walk_tready,     // the unit accepts a walk
    output wire                  s_axis_drv_tready,      // the unit accepts a driver operation
    output wire                  m_axis_decision_tvalid, // a decision is offered
    output wire                  m_frame_ar_valid,       // FRAME_MEM: a read is offered to the memory
    output wire                  m_frame_w_valid,        // FRAME_MEM: a write is offered to the memory
    input  wire                  m_frame_ar_ready,       // FRAME_MEM: the memory accepts the read
    input  wire                  m_frame_w_ready,        // FRAME_MEM: the memory accepts the write
    input  wire                  m_frame_r_valid,        // FRAME_MEM: the memory answers a read
    input  wire                  m_frame_b_valid,        // FRAME_MEM: the memory reports a write as done
    output wire [FRAME_W-1:0]    m_frame_ar_addr,        // FRAME_MEM: frame of the read
    output wire [FRAME_W-1:0]    m_frame_w_addr,         // FRAME_MEM: frame of the write
    input  wire [WORD_BITS-1:0]  m_frame_r_data,         // FRAME_MEM: word of the answer
    output wire [WORD_BITS-1:0]  m_frame_w_data,         // FRAME_MEM: word of the write
    output wire [RIT_TDATA-1:0]  m_axis_rit_tdata,       // a beat of records, a beat of m_axis_rit
    output wire [HIR_TDATA-1:0]  m_axis_hir_tdata,       // a beat of hit records, a beat of m_axis_hir
    output wire                  m_axis_rit_tvalid,      // a beat of records is offered
    output wire                  m_axis_rit_tlast,       // the beat of m_axis_rit is the last of its packet
    output wire                  m_axis_hir_tvalid,      // a beat of hit records is offered
    output wire                  m_axis_hir_tlast,       // the beat of m_axis_hir is the last of its packet
    input  wire                  m_axis_rit_tready,      // the consumer takes a beat of records
    input  wire                  m_axis_hir_tready,      // the consumer takes a beat of hit records
    input  wire [RANGE_TDATA-1:0] s_axis_range_tdata,    // a range operation, a beat of s_axis_range
    output wire [XFER_TDATA-1:0] m_axis_xfer_tdata,      // a transfer or an answer, a beat of m_axis_xfer
    input  wire                  s_axis_range_tvalid,    // a range operation is offered
    input  wire                  m_axis_xfer_tready,     // the consumer takes a transfer or an answer
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    output wire                  s_axis_range_tready,    // the unit accepts a range operation
    output wire                  m_axis_xfer_tvalid,     // a transfer or an answer is offered
    output wire                  m_axis_xfer_tlast       // the beat of m_axis_xfer is the last of its packet
);

    wire        req_valid; // a register request is made
    wire        req_write; // the request is a write
    wire        ans_valid; // the answer to the request comes
    wire        ans_bad;   // the access failed
    wire        stops;     // a reset by a register is under way: no neighbour waits for it
    wire        regs_rst;  // the registers are reset
    wire        unused_neighbour = &{1'b0, stops, regs_rst};
    wire [9:0]  req_word;  // word number of the request
    wire [31:0] req_data;  // data of a write request
    wire [31:0] ans_data;  // data of a read answer
    wire [3:0]  req_strb;  // byte strobes of a write request

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

    gmmu_tier_csr #(
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
        .NOTES(NOTES),
        .LATE(LATE),
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
    ) tier_csr (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .req_valid(req_valid),
        .req_write(req_write),
        .req_word(req_word),
        .req_data(req_data),
        .req_strb(req_strb),
        .ans_valid(ans_valid),
        .ans_bad(ans_bad),
        .ans_data(ans_data),
        .stops(stops),
        .other_rests(1'b1),
        .regs_rst(regs_rst),
        .irq(irq),
        .quiet(quiet),
        .unit_rst(unit_rst),
        .s_axis_walk_tdata(s_axis_walk_tdata),
        .s_axis_drv_tdata(s_axis_drv_tdata),
        .m_axis_decision_tdata(m_axis_decision_tdata),
        .s_axis_walk_tvalid(s_axis_walk_tvalid),
        .s_axis_drv_tvalid(s_axis_drv_tvalid),
        .m_axis_decision_tready(m_axis_decision_tready),
        .s_axis_walk_tready(s_axis_walk_tready),
        .s_axis_drv_tready(s_axis_drv_tready),
        .m_axis_decision_tvalid(m_axis_decision_tvalid),
        .m_frame_ar_valid(m_frame_ar_valid),
        .m_frame_w_valid(m_frame_w_valid),
        .m_frame_ar_ready(m_frame_ar_ready),
        .m_frame_w_ready(m_frame_w_ready),
        .m_frame_r_valid(m_frame_r_valid),
        .m_frame_b_valid(m_frame_b_valid),
        .m_frame_ar_addr(m_frame_ar_addr),
        .m_frame_w_addr(m_frame_w_addr),
        .m_frame_r_data(m_frame_r_data),
        .m_frame_w_data(m_frame_w_data),
        .m_axis_rit_tdata(m_axis_rit_tdata),
        .m_axis_hir_tdata(m_axis_hir_tdata),
        .m_axis_rit_tvalid(m_axis_rit_tvalid),
        .m_axis_rit_tlast(m_axis_rit_tlast),
        .m_axis_hir_tvalid(m_axis_hir_tvalid),
        .m_axis_hir_tlast(m_axis_hir_tlast),
        .m_axis_rit_tready(m_axis_rit_tready),
        .m_axis_hir_tready(m_axis_hir_tready),
        .s_axis_range_tdata(s_axis_range_tdata),
        .m_axis_xfer_tdata(m_axis_xfer_tdata),
        .s_axis_range_tvalid(s_axis_range_tvalid),
        .m_axis_xfer_tready(m_axis_xfer_tready),
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       .name(name),
`define GMMU_SHOW(range, name, shows) .name(name),
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
        .s_axis_range_tready(s_axis_range_tready),
        .m_axis_xfer_tvalid(m_axis_xfer_tvalid),
        .m_axis_xfer_tlast(m_axis_xfer_tlast)
    );
endmodule
`default_nettype wire
