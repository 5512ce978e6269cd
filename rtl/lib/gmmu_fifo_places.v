// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_places: counts the places of a queue whose words keep their places until they are done with, after their pop.
//
// `take` takes a place, when a word comes or is on its way to the queue; `done` gives back that of a word that was popped.
// A take without room is the caller's mistake: the caller drops the word and counts it.
// `room`, `last` and `empty` tell the places at the start of the cycle.
`default_nettype none
module gmmu_fifo_places #(
    // places, a power of two, at least 2
    parameter DEPTH = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire take,  // A place is taken.
    input  wire done,  // A place is given back.
    input  wire lost,  // All places are free, whatever the count says (fifo_heal).
    output wire room,  // A place is free.
    output wire last,  // One place is free, no more.
    output wire empty  // All places are free.
);

    localparam A = $clog2(DEPTH);

    reg [A:0] count; // The places that are taken.
    assign room  = !count[A];
    assign last  = &count[A-1:0];
    assign empty = count == 0;
    always @(posedge clk)
        count <= rst || lost ? {A+1{1'b0}} : count + {{A{1'b0}}, take} - {{A{1'b0}}, done};

endmodule
`default_nettype wire
