// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_csr: the unit with its registers behind a request bus (docs/reference/blocks/gmmu_tier_axil.md, "Parts").
//
//   req_ ans_ ─► csr ─► cfg_ … stat_ ◄─ gmmu_tier ◄─► streams
//
// A neighbour is a block between the unit's streams and memory (ring). The neighbour comes to rest before a reset by a
// register begins, as the memory port does, and is reset together with the unit.
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier_csr #(
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
`include "gmmu_derived.vh" // sizes that follow from these
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  test_en,                // scan test: all clocks run; 0 in use
    // registers: a request has its answer two cycles later (docs/reference/registers.md, "Behind the bus")
    input  wire                  req_valid,              // a request comes in this cycle
    input  wire                  req_write,              // the request writes a word; else the request reads a word
    input  wire [9:0]            req_word,               // number of a word of 32 bits
    input  wire [31:0]           req_data,               // the word that is written
    input  wire [3:0]            req_strb,               // byte strobes of the write
    output wire                  ans_valid,              // an answer is given in this cycle
    output wire                  ans_bad,                // the access failed
    output wire [31:0]           ans_data,               // the word that is read
    // a neighbour
    output wire                  stops,                  // a reset by a register waits until all is at rest, or is under way
    input  wire                  other_rests,            // the neighbour is at rest: the reset may begin; 1 without a neighbour
    output wire                  regs_rst,               // the registers take their reset values, by `rst` or by a register
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

`include "gmmu_cfg_wires.vh"
    wire rests; // the memory port is at rest

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
        .rests(rests && other_rests),
        .regs_rst(regs_rst),
        .quiet(quiet),
`include "gmmu_cfg_ports.vh"
        .comes(s_axis_walk_tvalid || s_axis_drv_tvalid),
        .event_decision(m_axis_decision_tvalid),
        .event_rit(m_axis_rit_tvalid && m_axis_rit_tready && m_axis_rit_tlast),
        .event_hir(m_axis_hir_tvalid && m_axis_hir_tready && m_axis_hir_tlast),
        .event_xfer(m_axis_xfer_tvalid && m_axis_xfer_tready && m_axis_xfer_tlast)
    );

    // ======== the memory port, which comes to rest before a reset by a register begins
    wire ar_valid; // the unit offers a read to the memory
    wire ar_ready; // the unit's read is accepted
    wire w_valid;  // the unit offers a write to the memory
    wire w_ready;  // the unit's write is accepted
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
        .rst(unit_rst),
        .test_en(test_en),
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
