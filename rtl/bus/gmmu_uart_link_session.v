// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_session: a request from its packet to its response's last byte (docs/blocks/uart_link.md).
//
//   state     what happens                                       next state
//   REST      A packet is awaited.
//               HELLO                                            GREET
//               RUN with the next sequence number                RUN
//               RUN with the last sequence number                SEND: the response stands in its buffer
//               any other packet                                 TAKE: no response
//   GREET     The response says what is there.                   HEAD
//   RUN       The request's operations are done.                 HEAD
//   HEAD      The response's head is written.                    SEND
//   SEND      packet_tx begins with the response.                SENDING
//   SENDING   The response leaves, byte by byte.                 TAKE
//   TAKE      packet_rx may hear the next packet.                REST
`default_nettype none
module gmmu_uart_link_session (
    input  wire       clk,
    input  wire       rst,
    input  wire       have,    // A packet waits in the request's buffer.
    input  wire [7:0] kind,    // The packet is of this kind,
    input  wire [7:0] seq,     // and has this sequence number.
    output wire       take,    // The packet is done with.
    output wire       greets,  // HELLO begins in this cycle.
    output wire       greet,   // The answer to HELLO is written, a byte a cycle.
    input  wire       greeted, // The answer's last byte is written.
    output wire       fresh,   // No request was done since the reset.
    output wire       runs,    // A request begins, whose operations are done from the next cycle on.
    output wire       run,     // The request's operations are done.
    input  wire       over,    // The operations end with this cycle.
    output wire       head,    // The response's head is written, a byte a cycle.
    input  wire       headed,  // The head's last byte is written.
    output wire       send,    // The response begins to leave.
    input  wire       sending, // The response has bytes that have not left,
    input  wire       leaving, // or the last byte waits for the line.
    output wire       active   // A request is done or answered.
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
    reg  [2:0] state;
    reg  [2:0] next;
    reg        known; // A request was done since the reset.
    reg  [7:0] last;  // The last request that was done has this sequence number.
    wire       asks_run = kind == RUN_KIND && known; // Operations are asked for, in a session.

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
