// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_ring: the unit whose driver has registers and rings in memory (docs/reference/blocks/gmmu_tier_ring.md).
//
//   s_axil_ ─► axil_port ─┬─► tier_csr (csr, gmmu_tier) ◄─ walks
//                         │     ▼ ▲ decisions, transfers, batches, hit records; operations
//                         └─► ring ◄─► m_axi_
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier_ring #(
    parameter RING_ADDR_W = `GMMU_RING_ADDR_W, // bits of an address in memory, 32 to 64
    parameter RING_DATA_W = `GMMU_RING_DATA_W, // bits of the data of m_axi_: 32, 64 or 128
    parameter RING_WRITES = `GMMU_RING_WRITES, // entries on their way to memory, at most 1 to 32
    parameter RING_OPS    = `GMMU_RING_OPS,    // operations that are fetched ahead, a power of two from 2 to 16
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // sizes that follow from these
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  test_en,                // scan test: all clocks run; 0 in use
    // registers of the unit at 0x0000 (docs/reference/registers.md, "Behind the bus"), of the rings at 0x1000 (docs/reference/blocks/ring.md)
    input  wire [12:0]           s_axil_awaddr,          // write address, in bytes
    input  wire [12:0]           s_axil_araddr,          // read address, in bytes
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
    output wire                  irq,                    // an enabled interrupt of the unit or of a ring has happened and was not cleared
    output wire                  quiet,                  // nothing is under way or pending in the unit and in the rings
    output wire                  unit_rst,               // the unit and the rings are in reset, by `rst` or by a register
    // walks, and the memory port of the frame table, as of gmmu_tier
    input  wire [WALK_TDATA-1:0] s_axis_walk_tdata,      // a walk, a beat of s_axis_walk
    input  wire                  s_axis_walk_tvalid,     // a walk is offered
    output wire                  s_axis_walk_tready,     // the unit accepts a walk
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
    // memory with the rings: AXI4
    output wire                     m_axi_awid,           // ID of a write: 0
    output wire [RING_ADDR_W-1:0]   m_axi_awaddr,         // address of a write, of an entry
    output wire [7:0]               m_axi_awlen,          // beats of the write, less one
    output wire [2:0]               m_axi_awsize,         // bytes of a beat, as a power of two: the full width
    output wire [1:0]               m_axi_awburst,        // INCR
    output wire                     m_axi_awlock,         // 0: no exclusive access
    output wire [3:0]               m_axi_awcache,        // 3: normal memory, bufferable
    output wire [2:0]               m_axi_awprot,         // 2: not secure, not privileged, data
    output wire [3:0]               m_axi_awqos,          // 0
    output wire                     m_axi_awvalid,        // the address of a write is offered
    input  wire                     m_axi_awready,        // the memory accepts the address of a write
    output wire [RING_DATA_W-1:0]   m_axi_wdata,          // data of a write
    output wire [RING_DATA_W/8-1:0] m_axi_wstrb,          // byte strobes: all 1
    output wire                     m_axi_wlast,          // the last beat of a write
    output wire                     m_axi_wvalid,         // data of a write are offered
    input  wire                     m_axi_wready,         // the memory accepts data of a write
    input  wire                     m_axi_bid,            // ID of a write's answer; ignored
    input  wire [1:0]               m_axi_bresp,          // answer of a write, OKAY or an error
    input  wire                     m_axi_bvalid,         // a write is answered
    output wire                     m_axi_bready,         // 1: an answer is taken at once
    output wire                     m_axi_arid,           // ID of a read: 0
    output wire [RING_ADDR_W-1:0]   m_axi_araddr,         // address of a read, of entries
    output wire [7:0]               m_axi_arlen,          // beats of the read, less one
    output wire [2:0]               m_axi_arsize,         // bytes of a beat, as a power of two: the full width
    output wire [1:0]               m_axi_arburst,        // INCR
    output wire                     m_axi_arlock,         // 0: no exclusive access
    output wire [3:0]               m_axi_arcache,        // 3: normal memory, bufferable
    output wire [2:0]               m_axi_arprot,         // 2: not secure, not privileged, data
    output wire [3:0]               m_axi_arqos,          // 0
    output wire                     m_axi_arvalid,        // the address of a read is offered
    input  wire                     m_axi_arready,        // the memory accepts the address of a read
    input  wire                     m_axi_rid,            // ID of read data; ignored
    input  wire [RING_DATA_W-1:0]   m_axi_rdata,          // data of a read
    input  wire [1:0]               m_axi_rresp,          // answer of a read, OKAY or an error
    input  wire                     m_axi_rlast,          // the last beat of a read
    input  wire                     m_axi_rvalid,         // data of a read come
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    output wire                     m_axi_rready          // 1: data are taken at once
);

    // ======== the bus: bit 12 of an address selects the rings
    wire        req_valid; // a register request is made
    wire        req_write; // the request is a write
    wire [10:0] req_word;  // word number of the request
    wire [31:0] req_data;  // data of a write request
    wire [3:0]  req_strb;  // byte strobes of a write request
    wire        csr_valid; // the answer of csr comes
    wire        csr_bad;   // the access to csr failed
    wire [31:0] csr_data;  // data of csr's answer to a read
    wire        ring_valid; // the answer of the rings comes
    wire        ring_bad;   // the access to the rings failed
    wire [31:0] ring_data;  // data of the rings' answer to a read
    gmmu_axil_port #(.ADDR_W(13)) port (
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
        .ans_valid(csr_valid || ring_valid),
        .ans_bad(ring_valid ? ring_bad : csr_bad),
        .ans_data(ring_valid ? ring_data : csr_data)
    );

    // ======== the driver's streams, between the unit and the rings
    wire [DEC_TDATA-1:0]   decision_tdata;  // a decision
    wire                   decision_tvalid; // a decision is offered
    wire                   decision_tready; // the rings take the decision
    wire [DRV_TDATA-1:0]   drv_tdata;       // a driver operation
    wire                   drv_tvalid;      // a driver operation is offered
    wire                   drv_tready;      // the unit takes the operation
    wire [RIT_TDATA-1:0]   rit_tdata;       // a beat of records
    wire                   rit_tvalid;      // a beat of records is offered
    wire                   rit_tready;      // the rings take the beat
    wire                   rit_tlast;       // the beat is the last of its packet
    wire [HIR_TDATA-1:0]   hir_tdata;       // a beat of hit records
    wire                   hir_tvalid;      // a beat of hit records is offered
    wire                   hir_tready;      // the rings take the beat
    wire                   hir_tlast;       // the beat is the last of its packet
    wire [RANGE_TDATA-1:0] range_tdata;     // a range operation
    wire                   range_tvalid;    // a range operation is offered
    wire                   range_tready;    // the unit takes the operation
    wire [XFER_TDATA-1:0]  xfer_tdata;      // a transfer or an answer
    wire                   xfer_tvalid;     // a transfer or an answer is offered
    wire                   xfer_tready;     // the rings take the beat
    wire                   xfer_tlast;      // the beat is the last of its packet
    wire                   unit_irq;        // the unit asks for an interrupt
    wire                   unit_quiet;      // nothing is under way or pending in the unit
    wire                   ring_irq;        // a ring asks for an interrupt
    wire                   ring_idle;       // nothing is under way or held in the rings
    wire                   stops;           // a reset by a register waits for the rings, or is under way
    wire                   ring_rests;      // nothing of the rings is under way in memory
    wire                   regs_rst;        // the registers take their reset values
    assign irq = unit_irq || ring_irq;
    assign quiet = unit_quiet && ring_idle;

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
        .req_valid(req_valid && !req_word[10]),
        .req_write(req_write),
        .req_word(req_word[9:0]),
        .req_data(req_data),
        .req_strb(req_strb),
        .ans_valid(csr_valid),
        .ans_bad(csr_bad),
        .ans_data(csr_data),
        .stops(stops),
        .other_rests(ring_rests),
        .regs_rst(regs_rst),
        .irq(unit_irq),
        .quiet(unit_quiet),
        .unit_rst(unit_rst),
        .s_axis_walk_tdata(s_axis_walk_tdata),
        .s_axis_drv_tdata(drv_tdata),
        .m_axis_decision_tdata(decision_tdata),
        .s_axis_walk_tvalid(s_axis_walk_tvalid),
        .s_axis_drv_tvalid(drv_tvalid),
        .m_axis_decision_tready(decision_tready),
        .s_axis_walk_tready(s_axis_walk_tready),
        .s_axis_drv_tready(drv_tready),
        .m_axis_decision_tvalid(decision_tvalid),
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
        .m_axis_rit_tdata(rit_tdata),
        .m_axis_hir_tdata(hir_tdata),
        .m_axis_rit_tvalid(rit_tvalid),
        .m_axis_rit_tlast(rit_tlast),
        .m_axis_hir_tvalid(hir_tvalid),
        .m_axis_hir_tlast(hir_tlast),
        .m_axis_rit_tready(rit_tready),
        .m_axis_hir_tready(hir_tready),
        .s_axis_range_tdata(range_tdata),
        .m_axis_xfer_tdata(xfer_tdata),
        .s_axis_range_tvalid(range_tvalid),
        .m_axis_xfer_tready(xfer_tready),
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       .name(name),
`define GMMU_SHOW(range, name, shows) .name(name),
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
        .s_axis_range_tready(range_tready),
        .m_axis_xfer_tvalid(xfer_tvalid),
        .m_axis_xfer_tlast(xfer_tlast)
    );

    gmmu_ring #(
        .RING_ADDR_W(RING_ADDR_W),
        .RING_DATA_W(RING_DATA_W),
        .RING_WRITES(RING_WRITES),
        .RING_OPS(RING_OPS),
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
    ) ring (
        .clk(clk),
        .rst(rst),
        .unit_rst(unit_rst),
        .regs_rst(regs_rst),
        .stops(stops),
        .rests(ring_rests),
        .req_valid(req_valid && req_word[10]),
        .req_write(req_write),
        .req_word(req_word[9:0]),
        .req_data(req_data),
        .req_strb(req_strb),
        .ans_valid(ring_valid),
        .ans_bad(ring_bad),
        .ans_data(ring_data),
        .irq(ring_irq),
        .idle(ring_idle),
        .s_axis_decision_tdata(decision_tdata),
        .s_axis_decision_tvalid(decision_tvalid),
        .s_axis_decision_tready(decision_tready),
        .s_axis_xfer_tdata(xfer_tdata),
        .s_axis_xfer_tvalid(xfer_tvalid),
        .s_axis_xfer_tready(xfer_tready),
        .s_axis_xfer_tlast(xfer_tlast),
        .s_axis_rit_tdata(rit_tdata),
        .s_axis_rit_tvalid(rit_tvalid),
        .s_axis_rit_tready(rit_tready),
        .s_axis_rit_tlast(rit_tlast),
        .s_axis_hir_tdata(hir_tdata),
        .s_axis_hir_tvalid(hir_tvalid),
        .s_axis_hir_tready(hir_tready),
        .s_axis_hir_tlast(hir_tlast),
        .m_axis_drv_tdata(drv_tdata),
        .m_axis_drv_tvalid(drv_tvalid),
        .m_axis_drv_tready(drv_tready),
        .m_axis_range_tdata(range_tdata),
        .m_axis_range_tvalid(range_tvalid),
        .m_axis_range_tready(range_tready),
        .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr),
        .m_axi_awlen(m_axi_awlen),
        .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst),
        .m_axi_awlock(m_axi_awlock),
        .m_axi_awcache(m_axi_awcache),
        .m_axi_awprot(m_axi_awprot),
        .m_axi_awqos(m_axi_awqos),
        .m_axi_awvalid(m_axi_awvalid),
        .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata),
        .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid),
        .m_axi_wready(m_axi_wready),
        .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp),
        .m_axi_bvalid(m_axi_bvalid),
        .m_axi_bready(m_axi_bready),
        .m_axi_arid(m_axi_arid),
        .m_axi_araddr(m_axi_araddr),
        .m_axi_arlen(m_axi_arlen),
        .m_axi_arsize(m_axi_arsize),
        .m_axi_arburst(m_axi_arburst),
        .m_axi_arlock(m_axi_arlock),
        .m_axi_arcache(m_axi_arcache),
        .m_axi_arprot(m_axi_arprot),
        .m_axi_arqos(m_axi_arqos),
        .m_axi_arvalid(m_axi_arvalid),
        .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid),
        .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid),
        .m_axi_rready(m_axi_rready)
    );
endmodule
`default_nettype wire
