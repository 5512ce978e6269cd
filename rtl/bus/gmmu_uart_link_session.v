// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_session: controls a request from its packet to the last byte of its response (docs/reference/blocks/uart_link.md).
//
//   state     what happens                                       next state
//   REST      The session waits for a packet.
//               HELLO                                            GREET
//               RUN with the next sequence number                RUN
//               RUN with the last sequence number                SEND: the buffer still holds the response
//               any other packet                                 TAKE: no response
//   GREET     The response describes the unit.                   HEAD
//   RUN       The operations of the request are done.            HEAD
//   HEAD      The response's head is written.                    SEND
//   SEND      packet_tx begins with the response.                SENDING
//   SENDING   The response leaves, byte by byte.                 TAKE
//   TAKE      packet_rx may receive the next packet.             REST
`default_nettype none
module gmmu_uart_link_session (
    input  wire       clk,
    input  wire       rst,
    input  wire       have,    // a packet waits in the request's buffer
    input  wire [7:0] kind,    // kind of the packet
    input  wire [7:0] seq,     // sequence number of the packet
    output wire       take,    // the packet is done
    output wire       greets,  // HELLO begins in this cycle
    output wire       greet,   // the answer to HELLO is written, a byte a cycle
    input  wire       greeted, // the last byte of the answer is written
    output wire       fresh,   // no request was executed since the reset
    output wire       runs,    // a request begins; its operations are done from the next cycle on
    output wire       run,     // the operations of a request are done
    input  wire       over,    // the operations end with this cycle
    output wire       head,    // the head of the response is written, a byte a cycle
    input  wire       headed,  // the last byte of the head is written
    output wire       send,    // the response begins to leave
    input  wire       sending, // the response has bytes that have not left
    input  wire       leaving, // the last byte of the response waits for the line
    output wire       active   // a request is executed or answered
);
    localparam [7:0] HELLO_KIND = 8'd0;
    localparam [7:0] RUN_KIND = 8'd1;
    localparam [2:0] REST = 3'd0;
    localparam [2:0] GREET = 3'd1;
    localparam [2:0] RUN = 3'd2;
    localparam [2:0] HEAD = 3'd3;
    localparam [2:0] SEND = 3'd4;
    localparam [2:0] SENDING = 3'd5;
    localparam [2:0] TAKE = 3'd6;
    reg  [2:0] state;                                // state, as above
    reg  [2:0] next;                                 // next state
    reg        known;                                // a request was executed since the reset
    reg  [7:0] last;                                 // sequence number of the last executed request
    wire       asks_run = kind == RUN_KIND && known; // the packet is a RUN, in a session

    always @* begin
        next = state;
        case (state)
            REST:
                if (have) begin
                    next = TAKE;
                    if (kind == HELLO_KIND) next = GREET;
                    if (asks_run && seq == last) next = SEND;
                    if (asks_run && seq == last + 8'd1) next = RUN;
                end
            GREET:   if (greeted) next = HEAD;
            RUN:     if (over) next = HEAD;
            HEAD:    if (headed) next = SEND;
            SEND:    next = SENDING;
            SENDING: if (!sending && !leaving) next = TAKE;
            default: next = REST;
        endcase
    end

    always @(posedge clk)
        if (rst) state <= REST;
        else state <= next;

    always @(posedge clk)
        if (headed) last <= seq;

    always @(posedge clk)
        if (rst) known <= 1'b0;
        else if (headed) known <= 1'b1;

    assign fresh  = !known;
    assign greets = state == REST && next == GREET;
    assign runs   = state == REST && next == RUN;
    assign greet  = state == GREET;
    assign run    = state == RUN;
    assign head   = state == HEAD;
    assign send   = state == SEND;
    assign take   = state == TAKE;
    assign active = state != REST;
endmodule
`default_nettype wire
