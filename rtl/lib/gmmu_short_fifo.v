// SPDX-License-Identifier: Apache-2.0
// gmmu_short_fifo: first-in first-out queue of a few words in registers. A word may be popped in the cycle
// after its push; the oldest one and what tells how many there are stand in registers.
//
// A push without room is the caller's mistake. Places that hold no word follow wdata.
`default_nettype none
module gmmu_short_fifo #(
    // bits of a word
    parameter WIDTH = 8,
    // words, at least 2
    parameter DEPTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] wdata,
    input  wire             pop,   // only with full[0]
    output reg  [DEPTH-1:0] full,  // bit i: there are more than i words
    output wire [WIDTH-1:0] head
);

    reg [WIDTH*DEPTH-1:0] words; // oldest first
    assign head = words[WIDTH-1:0];
    wire [DEPTH-1:0] one_more = {full[DEPTH-2:0], 1'b1};
    wire [DEPTH-1:0] one_less = {1'b0, full[DEPTH-1:1]};
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
