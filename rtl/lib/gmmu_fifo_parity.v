// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_parity: a fifo whose words carry a parity bit: `bad` reports that the oldest word is corrupt.
//
// The protocol is the protocol of fifo. The caller counts words: with the oldest there are at most DEPTH.
`default_nettype none
module gmmu_fifo_parity #(
    // bits of a word, without its parity bit
    parameter WIDTH  = 8,
    // words, a power of two, at least 4
    parameter DEPTH  = 16,
    // 0: words have no parity bit, and `bad` is 0
    parameter PARITY = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // the word `wdata` is pushed
    input  wire [WIDTH-1:0] wdata, // the word that is pushed
    output wire             room,  // the RAM has space for a word
    input  wire             pop,   // the word `rdata` is popped
    output wire             valid, // `rdata` is the oldest word
    output wire [WIDTH-1:0] rdata, // the oldest word
    output wire             bad,   // the oldest word is corrupt
    output wire             empty  // the queue has no word
);

    localparam P = PARITY != 0 ? 1 : 0;

    wire [WIDTH+P-1:0] kept;   // the pushed word, with its parity bit
    wire [WIDTH+P-1:0] oldest; // the oldest word, with its parity bit
    assign rdata = oldest[WIDTH-1:0];
    gmmu_fifo #(
        .WIDTH(WIDTH + P),
        .DEPTH(DEPTH),
        .FLIPS(P),
        .COUNTED(1)
    ) words (
        .clk(clk),
        .rst(rst),
        .push(push),
        .wdata(kept),
        .room(room),
        .pop(pop),
        .valid(valid),
        .rdata(oldest),
        .empty(empty)
    );
    generate
        if (PARITY != 0) begin : g_parity
            assign kept = {^wdata, wdata};
            assign bad  = ^oldest;
        end else begin : g_bare
            assign kept = wdata;
            assign bad  = 1'b0;
        end
    endgenerate

endmodule
`default_nettype wire
