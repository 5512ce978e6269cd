// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_reader: reads the records of the table in turn for range_dir_engine (docs/reference/blocks/range_dir.md).
//
// In the first cycle of a step the step names its first place. From then on a place is read in each cycle:
//
//   next_at: the read is made     at, here: the words come     p_at, p_here, p_use: the words are in registers
//
// A step whose records have beats stops at each record until the beats are sent (`stall`), and goes on after `move`.
`default_nettype none
module gmmu_range_dir_reader #(
    // bits of a place, and of a word of uses
    parameter PLACE_W = 5,
    parameter USE_W   = 47
) (
    input  wire               clk,
    input  wire               rst,
    // the step
    input  wire               first,     // the step is in its first cycle
    input  wire               young,     // the step is in its first or second cycle: no words of the step come
    input  wire [PLACE_W-1:0] begins_at, // first place that the step reads
    input  wire               downwards, // the step goes down to place 0, not up to the last record
    input  wire               has_beats, // the step sends the beats of each record
    input  wire [PLACE_W-1:0] used,      // number of records in the table
    input  wire [PLACE_W-1:0] end_at,    // first place behind the records of the step
    // the words that come, of place `at`
    input  wire [USE_W-1:0]   use_q,     // uses that come
    input  wire               use_par,   // parity bit of use_q
    input  wire               want_down, // the record that comes is to be copied to the CPU (DOWN)
    input  wire               want_drop, // the record that comes is to leave the GPU (DROP)
    // beats
    input  wire               beat_room, // the queue of beats has room for a transfer
    // progress of the reader
    output reg  [PLACE_W-1:0] next_at,   // place that is read in this cycle
    output reg  [PLACE_W-1:0] at,        // place whose words come in this cycle
    output reg                here,      // a record is at `at`
    output reg  [PLACE_W-1:0] p_at,      // place whose words are in registers
    output reg                p_here,    // a record is at `p_at`
    output reg  [USE_W-1:0]   p_use,     // uses of the record in registers
    output reg                p_use_par, // parity bit of p_use
    output reg                p_ends,    // the record in registers is the last record of the step
    output reg                p_downs,   // the DOWN of the record in registers is still to be sent
    output reg                p_drops,   // the DROP of the record in registers is still to be sent
    output wire               stall,     // no read: the words that came last are held
    output reg                move       // all beats of the record are sent; the next record follows
);

    assign stall = has_beats && p_here && !first && !move;
    wire sent_all = (!p_downs && !p_drops) || (beat_room && !(p_downs && p_drops)); // no beat is left after this cycle

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
