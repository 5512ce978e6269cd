// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_heal: says that places of a queue were lost, as a bit of their count turned over.
//
// Words are done with at most 14 cycles after their pop. Places that are taken for longer, while there is no word in the
// queue to give them back, were lost (fifo_places).
`default_nettype none
module gmmu_fifo_heal (
    input  wire clk,
    input  wire rst,
    input  wire take,    // A place is taken.
    input  wire done,    // A place is given back.
    input  wire drained, // The queue has no word.
    input  wire empty,   // The count says that no place is taken.
    output wire lost     // The places that it says are taken were lost.
);

    reg [3:0] calm; // The cycles, to 15, since the places were last known to be rightly taken.
    assign lost = calm == 4'd15;
    always @(posedge clk)
        calm <= rst || take || done || !drained || empty ? 4'd0 : calm + {3'd0, !lost};

endmodule
`default_nettype wire
