// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo_places: counts the places of a queue whose words keep their places for some time after their pop.
//
// `take` takes a place, for a word that comes or is on its way to the queue. `done` releases the place of a popped word.
// A take without room is an error of the caller: the caller drops the word and counts the drop.
// `room`, `last` and `empty` describe the places at the start of the cycle.
`default_nettype none
module gmmu_fifo_places #(
    // places, a power of two, at least 2
    parameter DEPTH = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire take,  // a place is taken
    input  wire done,  // a place is released
    input  wire lost,  // all places are free, whatever the count is (fifo_heal)
    output wire room,  // at least one place is free
    output wire last,  // exactly one place is free
    output wire empty  // all places are free
);

    localparam A = $clog2(DEPTH);

    reg [A:0] count; // number of taken places
    assign room  = !count[A];
    assign last  = &count[A-1:0];
    assign empty = count == 0;
    always @(posedge clk)
        count <= rst || lost ? {A+1{1'b0}} : count + {{A{1'b0}}, take} - {{A{1'b0}}, done};

endmodule
`default_nettype wire
