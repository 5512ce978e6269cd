// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link: what a computer says over a serial line, done: accesses of registers, beats of streams (docs/blocks/uart_link.md).
//
//   in_ ─► packet_rx ─► request ─► uart_link_run ─► uart_link_master ─► m_axil_, m_axis_walk, m_axis_drv, m_axis_range
//               │                        ▲                  │ answers
//        uart_link_session ──────────────┤                  ▼
//               ▼                        ▼
//   out_ ◄─ packet_tx ◄─ response ◄─ uart_link_response ◄─ uart_link_records ◄─ s_axis_decision, s_axis_rit, s_axis_hir, s_axis_xfer
//
// A request is done once: the same one again, by its sequence number, has the same response again.
//
//   the session's state    who works                                 what happens
//   REST                   packet_rx                                 A packet is awaited.
//   GREET                  uart_link_response                        HELLO: the response says what is there.
//   RUN                    uart_link_run and all that it tells to    RUN: the operations are done, their records written.
//   HEAD                   uart_link_response                        The response's head is written.
//   SEND, SENDING          packet_tx                                 The response leaves.
//   TAKE                                                             The line is heard again.
`default_nettype none
module gmmu_uart_link #(
    parameter WALK_BITS  = 67,
    parameter DRV_BITS   = 67,
    parameter RANGE_BITS = 80,
    parameter DEC_BITS   = 200,
    parameter RIT_BITS   = 100,
    parameter HIR_BITS   = 54,
    parameter XFER_BITS  = 115,
    // of a request and of a response, heads of four among them; a power of two, at least 256
    parameter BYTES      = 512,
    // log2 of the cycles without progress after which an operation is given up
    parameter PATIENCE_W = 24,
    parameter CLK_HZ     = 60000000
) (
    input  wire                  clk,
    input  wire                  rst,
    // The serial line's bytes.
    input  wire                  in_valid,  // A byte comes from the line,
    input  wire [7:0]            in_data,   // this one.
    output wire                  out_valid, // A byte is offered to the line,
    input  wire                  out_ready, // which takes the byte.
    output wire [7:0]            out_data,  // The byte is this one.
    // The registers, by AXI4-Lite; the module is the manager.
    output wire [11:0]           m_axil_awaddr,
    output wire                  m_axil_awvalid,
    input  wire                  m_axil_awready,
    output wire [31:0]           m_axil_wdata,
    output wire                  m_axil_wvalid,
    input  wire                  m_axil_wready,
    input  wire [1:0]            m_axil_bresp,
    input  wire                  m_axil_bvalid,
    output wire                  m_axil_bready,
    output wire [11:0]           m_axil_araddr,
    output wire                  m_axil_arvalid,
    input  wire                  m_axil_arready,
    input  wire [31:0]           m_axil_rdata,
    input  wire [1:0]            m_axil_rresp,
    input  wire                  m_axil_rvalid,
    output wire                  m_axil_rready,
    // The streams to the unit; an operation gives a beat.
    output wire [WALK_BITS-1:0]  m_axis_walk_tdata,
    output wire                  m_axis_walk_tvalid,
    input  wire                  m_axis_walk_tready,
    output wire [DRV_BITS-1:0]   m_axis_drv_tdata,
    output wire                  m_axis_drv_tvalid,
    input  wire                  m_axis_drv_tready,
    output wire [RANGE_BITS-1:0] m_axis_range_tdata,
    output wire                  m_axis_range_tvalid,
    input  wire                  m_axis_range_tready,
    // The streams from the unit; a beat becomes a record in the response.
    input  wire [DEC_BITS-1:0]   s_axis_decision_tdata,
    input  wire                  s_axis_decision_tvalid,
    output wire                  s_axis_decision_tready,
    input  wire [RIT_BITS-1:0]   s_axis_rit_tdata,
    input  wire                  s_axis_rit_tvalid,
    input  wire                  s_axis_rit_tlast,
    output wire                  s_axis_rit_tready,
    input  wire [HIR_BITS-1:0]   s_axis_hir_tdata,
    input  wire                  s_axis_hir_tvalid,
    input  wire                  s_axis_hir_tlast,
    output wire                  s_axis_hir_tready,
    input  wire [XFER_BITS-1:0]  s_axis_xfer_tdata,
    input  wire                  s_axis_xfer_tvalid,
    input  wire                  s_axis_xfer_tlast,
    output wire                  s_axis_xfer_tready,
    // The state of the unit and of the link.
    input  wire                  quiet,     // The unit rests.
    output wire                  active     // A request is done or answered.
);
    localparam ADDR_W = $clog2(BYTES);
    localparam WALK_N = (WALK_BITS + 7) / 8;
    localparam DRV_N = (DRV_BITS + 7) / 8;
    localparam RANGE_N = (RANGE_BITS + 7) / 8;
    localparam DEC_N = (DEC_BITS + 7) / 8;
    localparam RIT_N = (RIT_BITS + 7) / 8;
    localparam HIR_N = (HIR_BITS + 7) / 8;
    localparam XFER_N = (XFER_BITS + 7) / 8;
    generate
        if (BYTES < 256 || BYTES != 1 << ADDR_W || DEC_N > 120 || RIT_N > 120 || HIR_N > 120 || XFER_N > 120 || WALK_N > 120 || DRV_N > 120 ||
            RANGE_N > 120) begin : g_bad
            BYTES_must_be_a_power_of_two_and_a_beat_at_most_half_of_256_bytes stop_here();
        end
    endgenerate

    // ======== the request: packet_rx writes the buffer, uart_link_run reads it
    wire              have;     // A packet waits in the buffer.
    wire              take;     // The packet is done with.
    wire [7:0]        seq;      // The packet's sequence number,
    wire [7:0]        kind;     // its kind,
    wire [ADDR_W:0]   size;     // and the address where it ends.
    wire              rx_we;    // A byte of a packet is written,
    wire [ADDR_W-1:0] rx_waddr; // to this address,
    wire [7:0]        rx_wdata; // with this value.
    wire              rx_re;    // A byte is read,
    wire [ADDR_W-1:0] rx_raddr; // from this address,
    wire [7:0]        byte_in;  // which is this one in the next cycle.
    gmmu_packet_rx #(
        .BYTES(BYTES)
    ) packet_rx (
        .clk(clk),
        .rst(rst),
        .in_valid(in_valid),
        .in_data(in_data),
        .we(rx_we),
        .waddr(rx_waddr),
        .wdata(rx_wdata),
        .have(have),
        .take(take),
        .seq(seq),
        .kind(kind),
        .size(size)
    );
    gmmu_ram_sdp #(
        .WIDTH(8),
        .DEPTH(BYTES)
    ) request (
        .clk(clk),
        .we(rx_we),
        .waddr(rx_waddr),
        .wdata(rx_wdata),
        .re(rx_re),
        .raddr(rx_raddr),
        .rdata(byte_in)
    );

    // ======== the session: what becomes of a packet
    wire greets;  // HELLO begins.
    wire greet;   // The answer to HELLO is written.
    wire greeted; // The answer's last byte is written.
    wire fresh;   // No request was done since the reset.
    wire runs;    // A request begins.
    wire run;     // The request's operations are done.
    wire over;    // The operations end.
    wire head;    // The response's head is written.
    wire headed;  // The head's last byte is written.
    wire send;    // The response begins to leave.
    wire sending; // The response has not left yet.
    gmmu_uart_link_session session (
        .clk(clk),
        .rst(rst),
        .have(have),
        .kind(kind),
        .seq(seq),
        .take(take),
        .greets(greets),
        .greet(greet),
        .greeted(greeted),
        .fresh(fresh),
        .runs(runs),
        .run(run),
        .over(over),
        .head(head),
        .headed(headed),
        .send(send),
        .sending(sending),
        .leaving(out_valid),
        .active(active)
    );

    // ======== the operations, one after the other
    wire [1:0]  status;      // The reason for which the operations ended.
    wire [15:0] done;        // This number of operations was done.
    wire [2:0]  op;          // The operation's code.
    wire [6:0]  needs;       // The operation has this number of bytes of arguments.
    wire        accesses;    // The operation is an access of a register.
    wire        loads;       // The arguments are loaded.
    wire        keep;        // A byte of them has come.
    wire        loaded;      // The byte is the last one.
    wire        act;         // The operation is done in this cycle.
    wire        access;      // The access waits for its answer.
    wire        answered;    // The access has its answer.
    wire        under_way;   // A beat was not taken yet.
    wire        moves;       // A beat is taken in this cycle.
    wire        comes;       // A beat comes from the unit.
    wire        beat_fits;   // The response has room for the beat.
    wire        answer_fits; // The response has room for an answer.
    wire        records;     // A record is written,
    wire        of_access;   // of an access, else of a beat.
    wire        recorded;    // The record's last byte is written.
    gmmu_uart_link_run #(
        .ADDR_W(ADDR_W),
        .PATIENCE_W(PATIENCE_W)
    ) operations (
        .clk(clk),
        .rst(rst),
        .runs(runs),
        .run(run),
        .over(over),
        .status(status),
        .done(done),
        .size(size),
        .re(rx_re),
        .raddr(rx_raddr),
        .byte_in(byte_in),
        .op(op),
        .needs(needs),
        .accesses(accesses),
        .loads(loads),
        .keep(keep),
        .loaded(loaded),
        .act(act),
        .access(access),
        .answered(answered),
        .under_way(under_way),
        .moves(moves),
        .comes(comes),
        .beat_fits(beat_fits),
        .answer_fits(answer_fits),
        .records(records),
        .of_access(of_access),
        .recorded(recorded),
        .quiet(quiet)
    );

    wire        wrote;   // The access wrote.
    wire        refused; // The access was an error.
    wire [31:0] word;    // The word that was read.
    wire [2:0]  listen;  // The streams that are listened to.
    gmmu_uart_link_master #(
        .WALK_BITS(WALK_BITS),
        .DRV_BITS(DRV_BITS),
        .RANGE_BITS(RANGE_BITS)
    ) master (
        .clk(clk),
        .rst(rst),
        .op(op),
        .needs(needs),
        .accesses(accesses),
        .loads(loads),
        .keep(keep),
        .byte_in(byte_in),
        .loaded(loaded),
        .act(act),
        .access(access),
        .answered(answered),
        .wrote(wrote),
        .refused(refused),
        .word(word),
        .under_way(under_way),
        .moves(moves),
        .greets(greets),
        .listen(listen),
        .m_axil_awaddr(m_axil_awaddr),
        .m_axil_awvalid(m_axil_awvalid),
        .m_axil_awready(m_axil_awready),
        .m_axil_wdata(m_axil_wdata),
        .m_axil_wvalid(m_axil_wvalid),
        .m_axil_wready(m_axil_wready),
        .m_axil_bresp(m_axil_bresp),
        .m_axil_bvalid(m_axil_bvalid),
        .m_axil_bready(m_axil_bready),
        .m_axil_araddr(m_axil_araddr),
        .m_axil_arvalid(m_axil_arvalid),
        .m_axil_arready(m_axil_arready),
        .m_axil_rdata(m_axil_rdata),
        .m_axil_rresp(m_axil_rresp),
        .m_axil_rvalid(m_axil_rvalid),
        .m_axil_rready(m_axil_rready),
        .m_axis_walk_tdata(m_axis_walk_tdata),
        .m_axis_walk_tvalid(m_axis_walk_tvalid),
        .m_axis_walk_tready(m_axis_walk_tready),
        .m_axis_drv_tdata(m_axis_drv_tdata),
        .m_axis_drv_tvalid(m_axis_drv_tvalid),
        .m_axis_drv_tready(m_axis_drv_tready),
        .m_axis_range_tdata(m_axis_range_tdata),
        .m_axis_range_tvalid(m_axis_range_tvalid),
        .m_axis_range_tready(m_axis_range_tready)
    );

    // ======== records: beats of the unit, and answers of registers
    wire [6:0] beat_bytes; // The beat that comes has this number of bytes.
    wire [7:0] byte_out;   // This byte of the record is written.
    gmmu_uart_link_records #(
        .DEC_BITS(DEC_BITS),
        .RIT_BITS(RIT_BITS),
        .HIR_BITS(HIR_BITS),
        .XFER_BITS(XFER_BITS)
    ) beats (
        .clk(clk),
        .listen(listen),
        .comes(comes),
        .beat_bytes(beat_bytes),
        .of_access(of_access),
        .wrote(wrote),
        .refused(refused),
        .word(word),
        .records(records),
        .byte_out(byte_out),
        .recorded(recorded),
        .s_axis_decision_tdata(s_axis_decision_tdata),
        .s_axis_decision_tvalid(s_axis_decision_tvalid),
        .s_axis_decision_tready(s_axis_decision_tready),
        .s_axis_rit_tdata(s_axis_rit_tdata),
        .s_axis_rit_tvalid(s_axis_rit_tvalid),
        .s_axis_rit_tlast(s_axis_rit_tlast),
        .s_axis_rit_tready(s_axis_rit_tready),
        .s_axis_hir_tdata(s_axis_hir_tdata),
        .s_axis_hir_tvalid(s_axis_hir_tvalid),
        .s_axis_hir_tlast(s_axis_hir_tlast),
        .s_axis_hir_tready(s_axis_hir_tready),
        .s_axis_xfer_tdata(s_axis_xfer_tdata),
        .s_axis_xfer_tvalid(s_axis_xfer_tvalid),
        .s_axis_xfer_tlast(s_axis_xfer_tlast),
        .s_axis_xfer_tready(s_axis_xfer_tready)
    );

    // ======== the answer to HELLO, its first byte last here
    localparam GREETINGS = 15;
    wire [7:0]  version = 8'd1;    // This is the version of all that uart_link.md says.
    wire [15:0] packet = BYTES[15:0];
    wire [31:0] clock = CLK_HZ;
    wire [8*GREETINGS-1:0] greeting = {
        XFER_N[7:0],
        HIR_N[7:0],
        RIT_N[7:0],
        DEC_N[7:0],
        RANGE_N[7:0],
        DRV_N[7:0],
        WALK_N[7:0],
        clock,
        packet,
        7'd0, fresh,
        version
    };

    // ======== the response: uart_link_response writes the buffer, packet_tx reads it
    wire              tx_we;    // A byte of the response is written,
    wire [ADDR_W-1:0] tx_waddr; // to this address,
    wire [7:0]        tx_wdata; // with this value.
    wire [ADDR_W:0]   wp;       // The response ends before this address.
    wire              tx_re;    // A byte is read,
    wire [ADDR_W-1:0] tx_raddr; // from this address,
    wire [7:0]        tx_rdata; // which is this one in the next cycle.
    gmmu_uart_link_response #(
        .ADDR_W(ADDR_W),
        .GREETINGS(GREETINGS)
    ) writer (
        .clk(clk),
        .greets(greets),
        .runs(runs),
        .greet(greet),
        .greeted(greeted),
        .greeting(greeting),
        .records(records),
        .record(byte_out),
        .beat_bytes(beat_bytes),
        .beat_fits(beat_fits),
        .answer_fits(answer_fits),
        .head(head),
        .headed(headed),
        .seq(seq),
        .kind(kind),
        .status(status),
        .done(done),
        .we(tx_we),
        .waddr(tx_waddr),
        .wdata(tx_wdata),
        .wp(wp)
    );
    gmmu_ram_sdp #(
        .WIDTH(8),
        .DEPTH(BYTES)
    ) response (
        .clk(clk),
        .we(tx_we),
        .waddr(tx_waddr),
        .wdata(tx_wdata),
        .re(tx_re),
        .raddr(tx_raddr),
        .rdata(tx_rdata)
    );
    gmmu_packet_tx #(
        .BYTES(BYTES)
    ) packet_tx (
        .clk(clk),
        .rst(rst),
        .send(send),
        .size(wp),
        .busy(sending),
        .re(tx_re),
        .raddr(tx_raddr),
        .rdata(tx_rdata),
        .out_valid(out_valid),
        .out_ready(out_ready),
        .out_data(out_data)
    );
endmodule
`default_nettype wire
