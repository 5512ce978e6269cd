// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_met: is the record that range_dir_engine reads met by the operation's range, and what is it then (docs/blocks/range_dir.md)?
//
// Records come in ascending order from the first that the range may meet; so a record is met if its address space is the
// operation's and it begins before the range ends. The answer (q_) comes a cycle after the record is in registers (p_).
`default_nettype none
module gmmu_range_dir_met #(
    // bits of an address, of an address space, of a place
    parameter ADDR_W  = 32,
    parameter ASID_W  = 2,
    parameter PLACE_W = 5
) (
    input  wire               clk,
    // the operation
    input  wire               checks,   // The engine is in CHECK.
    input  wire               young,    // CHECK is in one of its first two cycles: no record is in registers yet.
    input  wire [ASID_W-1:0]  asid,     // The operation's address space.
    input  wire [ADDR_W-1:0]  o_last,   // The last byte of the operation's range.
    input  wire               reads,    // The operation is READ_CPU: a pinned record in S does not hinder it.
    // the record in registers
    input  wire               p_here,   // There is one.
    input  wire [PLACE_W-1:0] p_at,     // Its place.
    input  wire [ASID_W-1:0]  p_asid,   // Its address space.
    input  wire [ADDR_W-1:0]  p_start,  // Its first byte.
    input  wire [ADDR_W-1:0]  p_last,   // Its last byte.
    input  wire [7:0]         p_hits,   // Its hits.
    input  wire               p_pinned, // It has pins.
    input  wire               p_new,    // It is in G.
    // the same record, a cycle later
    output reg                q_read,   // The following are of a place that CHECK looks at.
    output reg                q_met,    // A record is there, and the range meets it.
    output reg                q_pinned, // It is pinned, and the operation would change it.
    output reg                q_beyond, // It ends behind the range.
    output reg  [PLACE_W-1:0] q_at,     // Its place.
    output reg  [7:0]         q_hits,   // Its hits.
    output reg  [ADDR_W-1:0]  q_last    // Its last byte.
);

    reg p_read; // The record in registers is of a place that the step looks at.

    // behind the comparison carries, two of half the length, so it comes last (`keep`: a mapper puts it before what is early)
    localparam HALF = ADDR_W / 2;
    (* keep *) wire q_may, q_begins; // The record is of this address space; it begins before the range ends.
    assign q_may    = checks && !young && p_here && p_asid == asid;
    assign q_begins = p_start[ADDR_W-1:HALF] < o_last[ADDR_W-1:HALF] ||
                      (p_start[ADDR_W-1:HALF] == o_last[ADDR_W-1:HALF] && p_start[HALF-1:0] <= o_last[HALF-1:0]);

    always @(posedge clk) begin
        p_read   <= !young;
        q_read   <= checks && p_read && !young;
        q_met    <= q_may && q_begins;
        q_pinned <= p_pinned && (!reads || p_new);
        q_beyond <= p_last > o_last;
        q_at     <= p_at;
        q_hits   <= p_hits;
        q_last   <= p_last;
    end

endmodule
`default_nettype wire
