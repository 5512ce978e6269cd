// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_heal: detects places of a queue that were lost because a bit of their count flipped.
//
// Each word is done at most 14 cycles after its pop. A queue without words whose places are still taken after that time
// has lost these places (fifo_places).
`default_nettype none
module gmmu_fifo_heal (
    input  wire clk,
    input  wire rst,
    input  wire take,    // a place is taken
    input  wire done,    // a place is released
    input  wire drained, // the queue has no word
    input  wire empty,   // no place is taken, by the count
    output wire lost     // the taken places are lost: the count must be cleared
);

    reg [3:0] calm; // cycles, at most 15, since the count of taken places was last plausible
    assign lost = calm == 4'd15;
    always @(posedge clk)
        calm <= rst || take || done || !drained || empty ? 4'd0 : calm + {3'd0, !lost};

endmodule
`default_nettype wire
