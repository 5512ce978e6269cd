// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_least: which record leaves, of those that range_dir_engine reads in VICTIM and ROOM (docs/blocks/range_dir.md).
//
// VICTIM, a record leaves the table: the unpinned one that is least in (state is not C, hits). ROOM, a record leaves the GPU:
// the unpinned one in G or S that has the least hits. Of equals the first leaves.
`default_nettype none
module gmmu_range_dir_least #(
    // bits of a place
    parameter PLACE_W = 5
) (
    input  wire               clk,
    input  wire               again,    // No record has been looked at yet: the next search begins.
    // the record whose words come, and the step
    input  wire               stall,    // No words come in this cycle.
    input  wire               comes,    // There is such a record.
    input  wire               victim,   // The engine is in VICTIM.
    input  wire               make_room,// The engine is in ROOM.
    // the record in registers, a cycle later
    input  wire [PLACE_W-1:0] p_at,     // Its place.
    input  wire [7:0]         p_hits,   // Its hits.
    input  wire               p_gpu,    // It is in G or S.
    input  wire               p_pinned, // It has pins.
    // the result
    output reg                found,    // A record may leave.
    output reg  [PLACE_W-1:0] least_at  // The place of the one that is to.
);

    reg        p_victim; // The record in registers is looked at in VICTIM.
    reg        p_room;   // The record in registers is looked at in ROOM.
    reg  [8:0] least;    // The worth of the least record so far.
    wire [8:0] worth  = {p_gpu && victim, p_hits};                        // The worth of the record in registers.
    wire       p_may  = !p_pinned && (p_victim || (p_room && p_gpu));     // It may leave.
    wire       better = p_may && (!found || worth < least);               // It is less than all before it.

    always @(posedge clk) begin
        if (!stall) begin
            p_victim <= comes && victim;
            p_room   <= comes && make_room;
        end
        // (nothing is found in steps in which none may leave)
        found <= (found || p_may) && !again;
        if (better) begin
            least    <= worth;
            least_at <= p_at;
        end
    end

endmodule
`default_nettype wire
