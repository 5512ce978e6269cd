// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_least: finds the record that leaves, among the records read in VICTIM and ROOM (docs/reference/blocks/range_dir.md).
//
// VICTIM, a record leaves the table: the unpinned record that is least in (state is not C, hits). ROOM, a record leaves the GPU:
// the unpinned record in G or S with the least hits. Of equal records the first leaves.
`default_nettype none
module gmmu_range_dir_least #(
    // bits of a place
    parameter PLACE_W = 5
) (
    input  wire               clk,
    input  wire               again,     // the next search begins: no record was compared yet
    // the record whose words come, and the step
    input  wire               stall,     // no words come in this cycle
    input  wire               comes,     // the words of a record come
    input  wire               victim,    // the engine is in VICTIM
    input  wire               make_room, // the engine is in ROOM
    // the record in registers, a cycle later
    input  wire [PLACE_W-1:0] p_at,      // place of the record in registers
    input  wire [7:0]         p_hits,    // hits of the record in registers
    input  wire               p_gpu,     // the record in registers is in G or S
    input  wire               p_pinned,  // the record in registers is pinned
    // the result
    output reg                found,     // a record may leave
    output reg  [PLACE_W-1:0] least_at   // place of the record that is to leave
);

    reg        p_victim;                                              // the record in registers is compared in VICTIM
    reg        p_room;                                                // the record in registers is compared in ROOM
    reg  [8:0] least;                                                 // worth of the least record so far
    wire [8:0] worth  = {p_gpu && victim, p_hits};                    // worth of the record in registers
    wire       p_may  = !p_pinned && (p_victim || (p_room && p_gpu)); // the record in registers may leave
    wire       better = p_may && (!found || worth < least);           // the record in registers is less than all records before

    always @(posedge clk) begin
        if (!stall) begin
            p_victim <= comes && victim;
            p_room   <= comes && make_room;
        end
        // (`found` stays 0 in steps in which no record may leave)
        found <= (found || p_may) && !again;
        if (better) begin
            least    <= worth;
            least_at <= p_at;
        end
    end

endmodule
`default_nettype wire
