// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_uart: the unit behind a serial line, for boards (docs/guide/boards.md).
//
//   rxd ─► uart_rx ─► uart_link ─► gmmu_tier_axil
//   txd ◄─ uart_tx ◄─────┘ ▲───────────┘
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier_uart #(
    parameter CLK_HZ = 60000000, // clock rate of clk, in Hz
    parameter DIV    = 20,       // clock cycles a bit on the line
    parameter BYTES  = 512,      // bytes of a packet
    parameter PATIENCE_W = 24,   // log2 of the cycles after which an operation is aborted
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // sizes that follow from these
) (
    input  wire clk,
    input  wire rst,
    input  wire rxd,    // serial line from the computer
    output wire txd,    // serial line to the computer
    output wire active, // 1 while the link executes or answers a request
    output wire quiet,  // the unit rests
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       output wire name,
`define GMMU_SHOW(range, name, shows) output wire range name,
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
    output wire irq     // an enabled interrupt has happened and was not cleared
);
    generate
        if (FRAME_MEM != 0) begin : g_bad
            FRAME_MEM_must_be_0_as_no_memory_is_there stop_here();
        end
    endgenerate

    wire       rx_valid; // a byte comes from the line
    wire       tx_valid; // a byte is offered to the line
    wire       tx_ready; // the line accepts the byte
    wire [7:0] rx_data;  // the byte from the line
    wire [7:0] tx_data;  // the byte for the line
    gmmu_uart_rx #(.DIV(DIV)) uart_rx (
        .clk(clk),
        .rst(rst),
        .rxd(rxd),
        .valid(rx_valid),
        .data(rx_data)
    );
    gmmu_uart_tx #(.DIV(DIV)) uart_tx (
        .clk(clk),
        .rst(rst),
        .valid(tx_valid),
        .ready(tx_ready),
        .data(tx_data),
        .txd(txd)
    );

    wire [11:0]           awaddr;         // write address, in bytes
    wire [11:0]           araddr;         // read address, in bytes
    wire [31:0]           wdata;          // write data
    wire [31:0]           rdata;          // read data
    wire                  awvalid;        // a write address is offered
    wire                  wvalid;         // write data are offered
    wire                  arvalid;        // a read address is offered
    wire                  awready;        // the write address is accepted
    wire                  wready;         // write data are accepted
    wire                  arready;        // the read address is accepted
    wire                  bvalid;         // a write response is offered
    wire                  rvalid;         // read data are offered
    wire                  bready;         // the write response is taken
    wire                  rready;         // read data are taken
    wire [1:0]            bresp;          // response of the write, OKAY or SLVERR
    wire [1:0]            rresp;          // response of the read, OKAY or SLVERR
    wire [WALK_TDATA-1:0] walk_data;      // a walk, a beat of s_axis_walk
    wire [DRV_TDATA-1:0]  drv_data;       // a driver operation, a beat of s_axis_drv
    wire [RANGE_TDATA-1:0] range_data;    // a range operation, a beat of s_axis_range
    wire [DEC_TDATA-1:0]  decision_data;  // a decision, a beat of m_axis_decision
    wire [RIT_TDATA-1:0]  rit_data;       // a beat of records, a beat of m_axis_rit
    wire [HIR_TDATA-1:0]  hir_data;       // a beat of hit records, a beat of m_axis_hir
    wire [XFER_TDATA-1:0] xfer_data;      // a transfer or an answer, a beat of m_axis_xfer
    wire                  walk_valid;     // a walk is offered
    wire                  drv_valid;      // a driver operation is offered
    wire                  range_valid;    // a range operation is offered
    wire                  decision_valid; // a decision is offered
    wire                  rit_valid;      // a beat of records is offered
    wire                  hir_valid;      // a beat of hit records is offered
    wire                  xfer_valid;     // a transfer or an answer is offered
    wire                  rit_last;       // the beat of m_axis_rit is the last of its packet
    wire                  hir_last;       // the beat of m_axis_hir is the last of its packet
    wire                  xfer_last;      // the beat of m_axis_xfer is the last of its packet
    wire                  walk_ready;     // the unit accepts a walk
    wire                  drv_ready;      // the unit accepts a driver operation
    wire                  range_ready;    // the unit accepts a range operation
    wire                  decision_ready; // the link takes a decision
    wire                  rit_ready;      // the link takes a beat of records
    wire                  hir_ready;      // the link takes a beat of hit records
    wire                  xfer_ready;     // the link takes a transfer or an answer
    gmmu_uart_link #(
        .WALK_BITS(WALK_TDATA),
        .DRV_BITS(DRV_TDATA),
        .RANGE_BITS(RANGE_TDATA),
        .DEC_BITS(DEC_TDATA),
        .RIT_BITS(RIT_TDATA),
        .HIR_BITS(HIR_TDATA),
        .XFER_BITS(XFER_TDATA),
        .BYTES(BYTES),
        .PATIENCE_W(PATIENCE_W),
        .CLK_HZ(CLK_HZ)
    ) uart_link (
        .clk(clk),
        .rst(rst),
        .in_valid(rx_valid),
        .in_data(rx_data),
        .out_valid(tx_valid),
        .out_ready(tx_ready),
        .out_data(tx_data),
        .m_axil_awaddr(awaddr),
        .m_axil_araddr(araddr),
        .m_axil_wdata(wdata),
        .m_axil_awvalid(awvalid),
        .m_axil_wvalid(wvalid),
        .m_axil_arvalid(arvalid),
        .m_axil_awready(awready),
        .m_axil_wready(wready),
        .m_axil_arready(arready),
        .m_axil_bvalid(bvalid),
        .m_axil_rvalid(rvalid),
        .m_axil_bresp(bresp),
        .m_axil_rresp(rresp),
        .m_axil_bready(bready),
        .m_axil_rready(rready),
        .m_axil_rdata(rdata),
        .m_axis_walk_tdata(walk_data),
        .m_axis_drv_tdata(drv_data),
        .m_axis_range_tdata(range_data),
        .m_axis_walk_tvalid(walk_valid),
        .m_axis_drv_tvalid(drv_valid),
        .m_axis_range_tvalid(range_valid),
        .m_axis_walk_tready(walk_ready),
        .m_axis_drv_tready(drv_ready),
        .m_axis_range_tready(range_ready),
        .s_axis_decision_tdata(decision_data),
        .s_axis_rit_tdata(rit_data),
        .s_axis_hir_tdata(hir_data),
        .s_axis_xfer_tdata(xfer_data),
        .s_axis_decision_tvalid(decision_valid),
        .s_axis_rit_tvalid(rit_valid),
        .s_axis_hir_tvalid(hir_valid),
        .s_axis_xfer_tvalid(xfer_valid),
        .s_axis_rit_tlast(rit_last),
        .s_axis_hir_tlast(hir_last),
        .s_axis_xfer_tlast(xfer_last),
        .s_axis_decision_tready(decision_ready),
        .s_axis_rit_tready(rit_ready),
        .s_axis_hir_tready(hir_ready),
        .s_axis_xfer_tready(xfer_ready),
        .quiet(quiet),
        .active(active)
    );

    wire                 ar_valid; // a read that no memory takes
    wire                 w_valid;  // a write that no memory takes
    wire                 unit_rst; // the unit is in reset, by `rst` or by a register
    wire [FRAME_W-1:0]   ar_addr;  // frame of ar_valid
    wire [FRAME_W-1:0]   w_addr;   // frame of w_valid
    wire [WORD_BITS-1:0] w_data;   // word of w_valid
    wire unused_memory = &{1'b0, unit_rst, ar_valid, w_valid, ar_addr, w_addr, w_data};
    gmmu_tier_axil #(
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
    ) unit (
        .clk(clk),
        .rst(rst),
        .s_axil_awaddr(awaddr),
        .s_axil_araddr(araddr),
        .s_axil_awprot(3'd0),
        .s_axil_arprot(3'd0),
        .s_axil_awvalid(awvalid),
        .s_axil_wvalid(wvalid),
        .s_axil_arvalid(arvalid),
        .s_axil_awready(awready),
        .s_axil_wready(wready),
        .s_axil_arready(arready),
        .s_axil_wdata(wdata),
        .s_axil_wstrb(4'hF),
        .s_axil_bresp(bresp),
        .s_axil_rresp(rresp),
        .s_axil_bvalid(bvalid),
        .s_axil_rvalid(rvalid),
        .s_axil_bready(bready),
        .s_axil_rready(rready),
        .s_axil_rdata(rdata),
        .irq(irq),
        .quiet(quiet),
        .unit_rst(unit_rst),
        .s_axis_walk_tdata(walk_data),
        .s_axis_drv_tdata(drv_data),
        .m_axis_decision_tdata(decision_data),
        .s_axis_walk_tvalid(walk_valid),
        .s_axis_drv_tvalid(drv_valid),
        .m_axis_decision_tready(decision_ready),
        .s_axis_walk_tready(walk_ready),
        .s_axis_drv_tready(drv_ready),
        .m_axis_decision_tvalid(decision_valid),
        .m_frame_ar_valid(ar_valid),
        .m_frame_w_valid(w_valid),
        .m_frame_ar_ready(1'b1),
        .m_frame_w_ready(1'b1),
        .m_frame_r_valid(1'b0),
        .m_frame_b_valid(1'b0),
        .m_frame_ar_addr(ar_addr),
        .m_frame_w_addr(w_addr),
        .m_frame_r_data({WORD_BITS{1'b0}}),
        .m_frame_w_data(w_data),
        .m_axis_rit_tdata(rit_data),
        .m_axis_hir_tdata(hir_data),
        .m_axis_rit_tvalid(rit_valid),
        .m_axis_rit_tlast(rit_last),
        .m_axis_hir_tvalid(hir_valid),
        .m_axis_hir_tlast(hir_last),
        .m_axis_rit_tready(rit_ready),
        .m_axis_hir_tready(hir_ready),
        .s_axis_range_tdata(range_data),
        .m_axis_xfer_tdata(xfer_data),
        .s_axis_range_tvalid(range_valid),
        .m_axis_xfer_tready(xfer_ready),
`ifdef GMMU_TVI
`define GMMU_SHOW1(name, shows)       .name(name),
`define GMMU_SHOW(range, name, shows) .name(name),
`include "gmmu_tvi.vh"
`undef GMMU_SHOW1
`undef GMMU_SHOW
`endif
        .s_axis_range_tready(range_ready),
        .m_axis_xfer_tvalid(xfer_valid),
        .m_axis_xfer_tlast(xfer_last)
    );
endmodule
`default_nettype wire
