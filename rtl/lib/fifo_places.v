// SPDX-License-Identifier: Apache-2.0
// fifo_places: counts the places of a queue whose words keep their places until they are done with, after their pop.
//
// `take` takes a place, when a word comes or is on its way to the queue; `done` gives back that of a word that was popped.
// A take without room is the caller's mistake: the caller drops the word and counts it.
// `room`, `last` and `empty` tell the places at the start of the cycle.
//
// The count heals: a word is done with at most 14 cycles after its pop. Places that are taken for longer without a word in the
// queue were lost, as a bit of the count turned over, and are free again.
`default_nettype none
module fifo_places #(
    // places, a power of two, at least 2
    parameter DEPTH = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire take,    // A place is taken.
    input  wire done,    // A place is given back.
    input  wire drained, // The queue has no word.
    output wire room,    // A place is free.
    output wire last,    // One place is free, no more.
    output wire empty    // All places are free.
);

    localparam A = $clog2(DEPTH);

    reg  [A:0] count; // The places that are taken.
    reg  [3:0] calm;  // The cycles, to 15, since places were last known to be rightly taken.
    wire       lost;  // Places are taken, and there is nothing to give them back.
    assign room  = !count[A];
    assign last  = &count[A-1:0];
    assign empty = count == 0;
    assign lost  = calm == 4'd15;
    always @(posedge clk) begin
        calm  <= rst || take || done || !drained || empty ? 4'd0 : calm + {3'd0, !lost};
        count <= rst || lost ? {A+1{1'b0}} : count + {{A{1'b0}}, take} - {{A{1'b0}}, done};
    end

endmodule
`default_nettype wire
