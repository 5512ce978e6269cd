// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_response: the response's bytes into its buffer (docs/blocks/uart_link.md).
//
//   HELLO    head of 4 bytes | greeting
//   RUN      head of 4 bytes | status, operations done | records
//            written last ───────────────────────────┘
//
// Bytes of a record or of the greeting go behind each other. The head, which has the length, goes to the front.
`default_nettype none
module gmmu_uart_link_response #(
    parameter ADDR_W    = 9,  // log2 of the bytes of a response
    parameter GREETINGS = 15  // bytes of the greeting
) (
    input  wire                   clk,
    input  wire                   greets,      // A response to HELLO begins.
    input  wire                   runs,        // A response to RUN begins.
    // The greeting, a byte in each cycle.
    input  wire                   greet,       // A byte of the greeting is written.
    output wire                   greeted,     // The byte is the last one.
    input  wire [8*GREETINGS-1:0] greeting,    // The greeting, its first byte lowest.
    // A record, a byte in each cycle.
    input  wire                   records,     // A byte of a record is written,
    input  wire [7:0]             record,      // this one.
    input  wire [6:0]             beat_bytes,  // The next beat has this number of bytes.
    output wire                   beat_fits,   // The response has room for the beat's record.
    output wire                   answer_fits, // The response has room for the answer of an access.
    // The head, a byte in each cycle.
    input  wire                   head,        // A byte of the head is written.
    output wire                   headed,      // The byte is the last one.
    input  wire [7:0]             seq,         // The request has this sequence number,
    input  wire [7:0]             kind,        // and is of this kind.
    input  wire [1:0]             status,      // The operations ended for this reason,
    input  wire [15:0]            done,        // and so many of them were done.
    // The buffer.
    output wire                   we,          // A byte is written,
    output wire [ADDR_W-1:0]      waddr,       // to this address,
    output wire [7:0]             wdata,       // with this value.
    output reg  [ADDR_W:0]        wp           // The response ends before this address.
);
    localparam [7:0] HELLO_KIND = 8'd0;
    localparam ROOM = 1 << ADDR_W;
    localparam [ADDR_W:0] HELLO_HEAD = 4; // Bytes of a head.
    localparam [ADDR_W:0] RUN_HEAD = 7;
    localparam [ADDR_W:0] OF_READ = 6;    // Bytes of the longest record of an access.

    // ======== where the next byte goes, and the room that is left
    always @(posedge clk)
        if (greets) wp <= HELLO_HEAD;
        else if (runs) wp <= RUN_HEAD;
        else if (greet || records) wp <= wp + 1'b1;
    wire [ADDR_W:0] room = ROOM[ADDR_W:0] - wp;
    assign beat_fits   = room > {{ADDR_W-6{1'b0}}, beat_bytes}; // A record has a tag, too.
    assign answer_fits = room >= OF_READ;

    // ======== the greeting
    reg [3:0] greet_at;
    always @(posedge clk)
        if (!greet) greet_at <= 4'd0;
        else greet_at <= greet_at + 4'd1;
    assign greeted = greet_at == GREETINGS[3:0] - 4'd1;

    // ======== the head
    reg  [2:0] head_at;
    always @(posedge clk)
        if (!head) head_at <= 3'd0;
        else head_at <= head_at + 3'd1;
    assign headed = head && head_at == (kind == HELLO_KIND ? 3'd3 : 3'd6);

    wire [ADDR_W:0] length = wp - HELLO_HEAD; // The head of four bytes does not count.
    wire [63:0]     head_bytes = {
        8'd0,
        done,
        6'd0, status,
        {{15-ADDR_W{1'b0}}, length},
        kind | 8'h80,
        seq
    };

    // ======== one of the three is written
    assign we    = greet || records || head;
    assign waddr = head ? {{ADDR_W-3{1'b0}}, head_at} : wp[ADDR_W-1:0];
    assign wdata = head ? head_bytes[8*head_at +: 8] : greet ? greeting[8*greet_at +: 8] : record;
endmodule
`default_nettype wire
