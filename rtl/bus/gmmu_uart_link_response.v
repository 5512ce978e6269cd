// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_response: writes the bytes of the response into the buffer (docs/reference/blocks/uart_link.md).
//
//   HELLO    head of 4 bytes | greeting
//   RUN      head of 4 bytes | status, operations done | records
//            written last ───────────────────────────┘
//
// Bytes of a record or of the greeting are appended. The head, which has the length, goes to the front.
`default_nettype none
module gmmu_uart_link_response #(
    parameter ADDR_W    = 9,  // log2 of the bytes of a response
    parameter GREETINGS = 15  // bytes of the greeting
) (
    input  wire                   clk,
    input  wire                   greets,      // a response to HELLO begins
    input  wire                   runs,        // a response to RUN begins
    // the greeting, a byte in each cycle
    input  wire                   greet,       // a byte of the greeting is written
    output wire                   greeted,     // the byte is the last byte of the greeting
    input  wire [8*GREETINGS-1:0] greeting,    // the greeting, the first byte lowest
    // a record, a byte in each cycle
    input  wire                   records,     // a byte of a record is written
    input  wire [7:0]             record,      // the byte of the record
    input  wire [6:0]             beat_bytes,  // bytes of the next beat
    output wire                   beat_fits,   // the response has room for the beat's record
    output wire                   answer_fits, // the response has room for the answer of an access
    // the head, a byte in each cycle
    input  wire                   head,        // a byte of the head is written
    output wire                   headed,      // the byte is the last byte of the head
    input  wire [7:0]             seq,         // sequence number of the request
    input  wire [7:0]             kind,        // kind of the request
    input  wire [1:0]             status,      // reason why the operations ended
    input  wire [15:0]            done,        // number of operations done
    // the buffer
    output wire                   we,          // a byte is written into the buffer
    output wire [ADDR_W-1:0]      waddr,       // place of the byte
    output wire [7:0]             wdata,       // the byte
    output reg  [ADDR_W:0]        wp           // bytes of the response
);
    localparam [7:0] HELLO_KIND = 8'd0;
    localparam ROOM = 1 << ADDR_W;
    localparam [ADDR_W:0] HELLO_HEAD = 4; // bytes of the head of HELLO's response
    localparam [ADDR_W:0] RUN_HEAD = 7;   // bytes of the head of RUN's response, with status and number
    localparam [ADDR_W:0] OF_READ = 6;    // bytes of the longest record of an access

    // ======== the place of the next byte, and the room that is left
    always @(posedge clk)
        if (greets) wp <= HELLO_HEAD;
        else if (runs) wp <= RUN_HEAD;
        else if (greet || records) wp <= wp + 1'b1;
    wire [ADDR_W:0] room = ROOM[ADDR_W:0] - wp; // bytes of room
    assign beat_fits   = room > {{ADDR_W-6{1'b0}}, beat_bytes}; // (a record has a tag, too)
    assign answer_fits = room >= OF_READ;

    // ======== the greeting
    reg [3:0] greet_at; // number of the greeting's byte
    always @(posedge clk)
        if (!greet) greet_at <= 4'd0;
        else greet_at <= greet_at + 4'd1;
    assign greeted = greet_at == GREETINGS[3:0] - 4'd1;

    // ======== the head
    reg [2:0] head_at; // number of the head's byte
    always @(posedge clk)
        if (!head) head_at <= 3'd0;
        else head_at <= head_at + 3'd1;
    assign headed = head && head_at == (kind == HELLO_KIND ? 3'd3 : 3'd6);

    wire [ADDR_W:0] length = wp - HELLO_HEAD; // bytes behind the head of four bytes
    wire [63:0]     head_bytes = {
        8'd0,
        done,
        6'd0, status,
        {{15-ADDR_W{1'b0}}, length},
        kind | 8'h80,
        seq
    };

    // ======== a byte of head, greeting or record is written
    assign we    = greet || records || head;
    assign waddr = head ? {{ADDR_W-3{1'b0}}, head_at} : wp[ADDR_W-1:0];
    assign wdata = head ? head_bytes[8*head_at +: 8] : greet ? greeting[8*greet_at +: 8] : record;
endmodule
`default_nettype wire
