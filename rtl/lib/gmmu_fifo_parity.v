// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_parity: a fifo whose words have one more bit: `bad` says that the oldest word is corrupt.
//
// All else is as with fifo.
`default_nettype none
module gmmu_fifo_parity #(
    // bits of a word, without its parity bit
    parameter WIDTH  = 8,
    // words, a power of two, at least 4
    parameter DEPTH  = 16,
    // 0: words have no parity bit, and are never bad
    parameter PARITY = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // The word `wdata` comes.
    input  wire [WIDTH-1:0] wdata, // The word that comes.
    output wire             room,  // There is room for a word.
    input  wire             pop,   // The word `rdata` leaves.
    output wire             valid, // The oldest word is in `rdata`.
    output wire [WIDTH-1:0] rdata, // The oldest word.
    output wire             bad,   // The word in `rdata` is corrupt.
    output wire             empty  // There is no word.
);

    localparam P = PARITY != 0 ? 1 : 0;

    wire [WIDTH+P-1:0] kept;   // The word that comes, with its parity bit.
    wire [WIDTH+P-1:0] oldest; // The oldest word, with its parity bit.
    assign rdata = oldest[WIDTH-1:0];
    gmmu_fifo #(
        .WIDTH(WIDTH + P),
        .DEPTH(DEPTH),
        .FLIPS(P)
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
