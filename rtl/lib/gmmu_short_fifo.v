// SPDX-License-Identifier: Apache-2.0
// gmmu_short_fifo: first-in first-out queue of a few words in registers.
//
// A word may be popped in the cycle after its push. The oldest word and the number of words are registers. A push without
// room is an error of the caller. Entries without a word follow wdata.
`default_nettype none
module gmmu_short_fifo #(
    // bits of a word
    parameter WIDTH = 8,
    // words, at least 2
    parameter DEPTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // the word `wdata` is pushed
    input  wire [WIDTH-1:0] wdata, // the word that is pushed
    input  wire             pop,   // the word `head` is popped; only with full[0]
    output reg  [DEPTH-1:0] full,  // bit i: the queue has more than i words
    output wire [WIDTH-1:0] head   // the oldest word; valid with full[0]
);

    reg [WIDTH*DEPTH-1:0] words; // the words, the oldest lowest
    assign head = words[WIDTH-1:0];
    wire [DEPTH-1:0] one_more = {full[DEPTH-2:0], 1'b1}; // `full` after a push
    wire [DEPTH-1:0] one_less = {1'b0, full[DEPTH-1:1]}; // `full` after a pop
    integer i;
    always @(posedge clk) begin
        if (push != pop)
            full <= push ? one_more : one_less;
        if (rst)
            full <= 0;
        for (i = 0; i < DEPTH; i = i + 1)
            if (pop || !full[i])
                words[i*WIDTH +: WIDTH] <= one_less[i] ? words[((i + 1) % DEPTH)*WIDTH +: WIDTH] : wdata;
    end

endmodule
`default_nettype wire
