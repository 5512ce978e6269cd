// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_reader: reads the records of the table in turn for range_dir_engine (docs/blocks/range_dir.md).
//
// In the first cycle of a step the step names the place where it begins; then a place is read in each cycle:
//
//   next_at: it is asked for     at, here: its words come     p_at, p_here, p_use: they are in registers
//
// A step whose records have beats stops at each of them until the beats are sent (`stall`), and goes on after `move`.
`default_nettype none
module gmmu_range_dir_reader #(
    // bits of a place, and of a word of uses
    parameter PLACE_W = 5,
    parameter USE_W   = 47
) (
    input  wire               clk,
    input  wire               rst,
    // the step
    input  wire               first,     // The step is in its first cycle.
    input  wire               young,     // The step is in one of its first two cycles, in which no words of its records come.
    input  wire [PLACE_W-1:0] begins_at, // The first place that the step reads.
    input  wire               downwards, // The step goes down to place 0, not up to the last record.
    input  wire               has_beats, // The step sends the beats of each record.
    input  wire [PLACE_W-1:0] used,      // The number of records in the table.
    input  wire [PLACE_W-1:0] end_at,    // The first place behind the records of the step.
    // the words that come, those of place `at`
    input  wire [USE_W-1:0]   use_q,     // The word of uses.
    input  wire               use_par,   // The parity bit of that word.
    input  wire               want_down, // Its record is to be transferred to the CPU (DOWN).
    input  wire               want_drop, // Its record is to leave the GPU (DROP).
    // beats
    input  wire               beat_room, // The queue of beats has room for a transfer.
    // where the reader is
    output reg  [PLACE_W-1:0] next_at,   // The place that is read in this cycle.
    output reg  [PLACE_W-1:0] at,        // The place whose words come in this cycle.
    output reg                here,      // There is a record at `at`.
    output reg  [PLACE_W-1:0] p_at,      // The place whose words are in registers.
    output reg                p_here,    // There is a record at `p_at`.
    output reg  [USE_W-1:0]   p_use,     // Its word of uses.
    output reg                p_use_par, // The parity bit of that word.
    output reg                p_ends,    // It is the last record of the step.
    output reg                p_downs,   // Its DOWN is still to be sent.
    output reg                p_drops,   // Its DROP is still to be sent.
    output wire               stall,     // Nothing is read: what came last stays.
    output reg                move       // All beats of the record are sent; the next record follows.
);

    assign stall = has_beats && p_here && !first && !move;
    wire sent_all = (!p_downs && !p_drops) || (beat_room && !(p_downs && p_drops)); // No beat is left after this cycle.

    always @(posedge clk) begin
        move <= !rst && stall && sent_all;
        if (stall && beat_room) begin // DOWN goes before DROP
            p_downs <= 1'b0;
            p_drops <= p_downs && p_drops;
        end
        if (!stall) begin
            next_at   <= first ? begins_at : downwards ? next_at - 1'b1 : next_at + 1'b1;
            at        <= next_at;
            here      <= !first && (young || here) && next_at < used;
            p_at      <= at;
            p_here    <= here && !first;
            p_use     <= use_q;
            p_use_par <= use_par;
            p_ends    <= at + 1'b1 == end_at;
            p_downs   <= want_down;
            p_drops   <= want_drop;
        end
    end

endmodule
`default_nettype wire
