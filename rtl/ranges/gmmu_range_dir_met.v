// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_met: compares the record that range_dir_engine reads with the operation's range (docs/reference/blocks/range_dir.md).
//
// Records come in ascending order, from the first record that the range may meet. So a record is met if the record is of the
// operation's address space and begins before the range ends. The result (q_) comes a cycle after the record is in registers (p_).
`default_nettype none
module gmmu_range_dir_met #(
    // bits of an address, of an address space, and of a place
    parameter ADDR_W  = 32,
    parameter ASID_W  = 2,
    parameter PLACE_W = 5
) (
    input  wire               clk,
    // the operation
    input  wire               checks,   // the engine is in CHECK
    input  wire               young,    // CHECK is in its first or second cycle: no record is in registers yet
    input  wire [ASID_W-1:0]  asid,     // address space of the operation
    input  wire [ADDR_W-1:0]  o_last,   // last byte of the range
    input  wire               reads,    // the operation is READ_CPU: a pinned record in S does not prevent READ_CPU
    // the record in registers
    input  wire               p_here,   // a record is in registers
    input  wire [PLACE_W-1:0] p_at,     // place of the record in registers
    input  wire [ASID_W-1:0]  p_asid,   // address space of the record in registers
    input  wire [ADDR_W-1:0]  p_start,  // first byte of the record in registers
    input  wire [ADDR_W-1:0]  p_last,   // last byte of the record in registers
    input  wire [7:0]         p_hits,   // hits of the record in registers
    input  wire               p_pinned, // the record in registers is pinned
    input  wire               p_new,    // the record in registers is in G
    // the record of p_at, a cycle later
    output reg                q_read,   // CHECK compares the place q_at
    output reg                q_met,    // a record is at q_at, and the range meets the record
    output reg                q_pinned, // the record at q_at is pinned, and the operation would change the record
    output reg                q_beyond, // the record at q_at ends behind the range
    output reg  [PLACE_W-1:0] q_at,     // place that CHECK compares
    output reg  [7:0]         q_hits    // hits of the record at q_at
);

    reg p_read; // the step compares the place in registers

    // late select: q_begins has two carries of half the length, and arrives last (`keep`: a mapper would put q_begins first)
    localparam HALF = ADDR_W / 2;
    (* keep *) wire q_may;    // the record is of the operation's address space
    (* keep *) wire q_begins; // the record begins before the range ends
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
    end

endmodule
`default_nettype wire
