// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link: executes requests of a computer over a serial line: register accesses and stream beats (docs/reference/blocks/uart_link.md).
//
//   in_ ─► packet_rx ─► request ─► uart_link_run ─► uart_link_master ─► m_axil_, m_axis_walk, m_axis_drv, m_axis_range
//               │                        ▲                  │ answers
//        uart_link_session ──────────────┤                  ▼
//               ▼                        ▼
//   out_ ◄─ packet_tx ◄─ response ◄─ uart_link_response ◄─ uart_link_records ◄─ s_axis_decision, s_axis_rit, s_axis_hir, s_axis_xfer
//
// A request is executed once: a repeated request, by its sequence number, gets the same response again.
//
//   state of the session   active module                             what happens
//   REST                   packet_rx                                 The session waits for a packet.
//   GREET                  uart_link_response                        HELLO: the response describes the unit.
//   RUN                    uart_link_run and its parts               RUN: the operations are done, their records written.
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
    // bytes of a request and of a response, with the head of four bytes; a power of two, at least 256
    parameter BYTES      = 512,
    // log2 of the cycles without progress after which an operation is aborted
    parameter PATIENCE_W = 24,
    parameter CLK_HZ     = 60000000
) (
    input  wire                  clk,
    input  wire                  rst,
    // bytes of the serial line
    input  wire                  in_valid,               // a byte comes from the line
    input  wire [7:0]            in_data,                // the byte from the line
    output wire                  out_valid,              // a byte is offered to the line
    input  wire                  out_ready,              // the line takes the byte
    output wire [7:0]            out_data,               // the byte for the line
    // registers, by AXI4-Lite; the module is the manager
    output wire [11:0]           m_axil_awaddr,          // write address, in bytes
    output wire                  m_axil_awvalid,         // a write address is offered
    input  wire                  m_axil_awready,         // the write address is accepted
    output wire [31:0]           m_axil_wdata,           // write data
    output wire                  m_axil_wvalid,          // write data are offered
    input  wire                  m_axil_wready,          // write data are accepted
    input  wire [1:0]            m_axil_bresp,           // response of the write, OKAY or SLVERR
    input  wire                  m_axil_bvalid,          // a write response is offered
    output wire                  m_axil_bready,          // the write response is taken
    output wire [11:0]           m_axil_araddr,          // read address, in bytes
    output wire                  m_axil_arvalid,         // a read address is offered
    input  wire                  m_axil_arready,         // the read address is accepted
    input  wire [31:0]           m_axil_rdata,           // read data
    input  wire [1:0]            m_axil_rresp,           // response of the read, OKAY or SLVERR
    input  wire                  m_axil_rvalid,          // read data are offered
    output wire                  m_axil_rready,          // read data are taken
    // streams to the unit; an operation sends a beat
    output wire [WALK_BITS-1:0]  m_axis_walk_tdata,      // a walk, a beat of s_axis_walk
    output wire                  m_axis_walk_tvalid,     // a walk is offered
    input  wire                  m_axis_walk_tready,     // the unit accepts a walk
    output wire [DRV_BITS-1:0]   m_axis_drv_tdata,       // a driver operation, a beat of s_axis_drv
    output wire                  m_axis_drv_tvalid,      // a driver operation is offered
    input  wire                  m_axis_drv_tready,      // the unit accepts a driver operation
    output wire [RANGE_BITS-1:0] m_axis_range_tdata,     // a range operation, a beat of s_axis_range
    output wire                  m_axis_range_tvalid,    // a range operation is offered
    input  wire                  m_axis_range_tready,    // the unit accepts a range operation
    // streams from the unit; a beat becomes a record in the response
    input  wire [DEC_BITS-1:0]   s_axis_decision_tdata,  // a decision, a beat of m_axis_decision
    input  wire                  s_axis_decision_tvalid, // a decision is offered
    output wire                  s_axis_decision_tready, // the link takes a decision
    input  wire [RIT_BITS-1:0]   s_axis_rit_tdata,       // a beat of records, a beat of m_axis_rit
    input  wire                  s_axis_rit_tvalid,      // a beat of records is offered
    input  wire                  s_axis_rit_tlast,       // the beat of m_axis_rit is the last of its packet
    output wire                  s_axis_rit_tready,      // the link takes a beat of records
    input  wire [HIR_BITS-1:0]   s_axis_hir_tdata,       // a beat of hit records, a beat of m_axis_hir
    input  wire                  s_axis_hir_tvalid,      // a beat of hit records is offered
    input  wire                  s_axis_hir_tlast,       // the beat of m_axis_hir is the last of its packet
    output wire                  s_axis_hir_tready,      // the link takes a beat of hit records
    input  wire [XFER_BITS-1:0]  s_axis_xfer_tdata,      // a transfer or an answer, a beat of m_axis_xfer
    input  wire                  s_axis_xfer_tvalid,     // a transfer or an answer is offered
    input  wire                  s_axis_xfer_tlast,      // the beat of m_axis_xfer is the last of its packet
    output wire                  s_axis_xfer_tready,     // the link takes a transfer or an answer
    // state of the unit and of the link
    input  wire                  quiet,                  // the unit rests
    output wire                  active                  // a request is executed or answered
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
    wire              have;     // a packet waits in the buffer
    wire              take;     // the packet is done
    wire [7:0]        seq;      // sequence number of the packet
    wire [7:0]        kind;     // kind of the packet
    wire [ADDR_W:0]   size;     // bytes of the packet
    wire              rx_we;    // a byte of a packet is written into the buffer
    wire [ADDR_W-1:0] rx_waddr; // place of the written byte
    wire [7:0]        rx_wdata; // the written byte
    wire              rx_re;    // a byte of the buffer is read
    wire [ADDR_W-1:0] rx_raddr; // place of the read byte
    wire [7:0]        byte_in;  // the read byte, a cycle later
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

    // ======== the session: handles a packet from its arrival to its response
    wire greets;  // HELLO begins
    wire greet;   // the answer to HELLO is written
    wire greeted; // the last byte of the answer to HELLO is written
    wire fresh;   // no request was executed since the reset
    wire runs;    // a request begins
    wire run;     // the operations of a request are done
    wire over;    // the operations end
    wire head;    // the head of the response is written
    wire headed;  // the last byte of the head is written
    wire send;    // the response begins to leave
    wire sending; // the response is leaving
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
    wire [1:0]  status;      // reason why the operations ended
    wire [15:0] done;        // number of operations done
    wire [2:0]  op;          // code of the operation
    wire [6:0]  needs;       // bytes of the operation's arguments
    wire        accesses;    // the operation is a register access
    wire        loads;       // the arguments are loaded
    wire        keep;        // a byte of the arguments has come
    wire        loaded;      // the byte is the last byte of the arguments
    wire        act;         // the operation is done in this cycle
    wire        access;      // the access waits for its answer
    wire        answered;    // the access has its answer
    wire        under_way;   // a beat was not taken yet
    wire        moves;       // a beat is taken in this cycle
    wire        comes;       // a beat comes from the unit
    wire        beat_fits;   // the response has room for the beat
    wire        answer_fits; // the response has room for an answer
    wire        records;     // a record is written
    wire        of_access;   // the record is an access's answer; else a beat
    wire        recorded;    // the last byte of the record is written
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

    wire        wrote;   // the access wrote
    wire        refused; // the access was an error
    wire [31:0] word;    // the word that was read
    wire [2:0]  listen;  // streams that are listened to
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
    wire [6:0] beat_bytes; // bytes of the beat that comes
    wire [7:0] byte_out;   // byte of the record that is written
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
    wire [7:0]  version = 8'd1;        // version of the protocol in docs/reference/blocks/uart_link.md
    wire [15:0] packet  = BYTES[15:0]; // bytes of a packet
    wire [31:0] clock   = CLK_HZ;      // clock rate, in Hz
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
    wire              tx_we;    // a byte of the response is written into the buffer
    wire [ADDR_W-1:0] tx_waddr; // place of the written byte
    wire [7:0]        tx_wdata; // the written byte
    wire [ADDR_W:0]   wp;       // bytes of the response
    wire              tx_re;    // a byte of the response is read
    wire [ADDR_W-1:0] tx_raddr; // place of the read byte
    wire [7:0]        tx_rdata; // the read byte, a cycle later
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
