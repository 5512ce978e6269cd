// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_record: the record at x5 of range_dir, as the operation leaves the record (docs/reference/blocks/range_dir.md).
//
// A record comes with each operation. An operation of range_dir_engine changes the record further. A FIND whose range no record
// contains makes a new record of the range and of all met records:
//
//   takes ─► unpins ─► [makes ─► meets …] ─► [arrives | returns]
`default_nettype none
module gmmu_range_dir_record #(
    // bits of an address
    parameter ADDR_W = 32
) (
    input  wire               clk,
    // takes: a record comes with the operation
    input  wire               takes,      // a record comes in this cycle
    input  wire [ADDR_W-1:0]  in_start,   // first byte of the record that comes
    input  wire [ADDR_W-1:0]  in_last,    // last byte of the record that comes
    input  wire [14+ADDR_W:0] in_use,     // {state, hits, pins, base_ok, base} of the record that comes
    input  wire               in_covered, // the range covers the record that comes
    // unpins: the operation is for the engine, and its pin does not count before the record arrives
    input  wire               unpins,     // the record has no pins from the next cycle on
    // makes: a new record is made of the range, or a hull is begun
    input  wire               makes,      // a new record is made in this cycle
    input  wire               begins,     // the range begins before the record that came, and the new record begins with the range
    input  wire [ADDR_W-1:0]  o_start,    // first byte of the range
    input  wire [ADDR_W-1:0]  o_last,     // last byte of the range
    // meets: the hits of a met record are added, and FIND merges the met record
    input  wire               meets,      // a record is met in this cycle
    input  wire               merges,     // the operation is a FIND
    input  wire               q_beyond,   // the met record ends behind the range
    input  wire [7:0]         q_hits,     // hits of the met record
    input  wire [ADDR_W-1:0]  q_last,     // last byte of the met record
    // arrives: the record is on the GPU
    input  wire               arrives,    // the record arrives on the GPU in this cycle
    input  wire               writes,     // the operation is WRITE_GPU: the newest bytes are on the GPU alone
    input  wire               pin,        // the operation pins the record
    // returns: the record is on the CPU
    input  wire               returns,    // DOWN or DROP is sent in this cycle
    input  wire               stays,      // DOWN is sent: the record stays on the GPU, too
    // the record
    output reg  [ADDR_W-1:0]  c_start,    // first byte of the record
    output reg  [ADDR_W-1:0]  c_last,     // last byte of the record
    output wire [14+ADDR_W:0] c_use,      // uses {state, hits, pins, base_ok, base} of the record
    output reg                covered     // the range covers the record
);

    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;

    reg  [1:0]        c_state; // state of the record
    reg  [7:0]        c_hits;  // hits of the record
    reg  [3:0]        c_pins;  // pins of the record
    reg               c_based; // the record has a base
    reg  [ADDR_W-1:0] c_base;  // base of the record
    assign c_use = {c_state, c_hits, c_pins, c_based, c_base};
    wire [8:0] hits_sum = {1'b0, c_hits} + {1'b0, q_hits}; // hits of both records

    always @(posedge clk) begin
        if (takes) begin
            {c_start, c_last} <= {in_start, in_last};
            {c_state, c_hits, c_pins, c_based, c_base} <= in_use;
            covered <= in_covered;
        end
        if (unpins)
            c_pins <= 4'd0;
        if (makes) begin
            if (begins)
                c_start <= o_start;
            c_last  <= o_last;
            covered <= begins;
            {c_state, c_hits, c_based, c_base} <= {11+ADDR_W{1'b0}};
        end
        if (meets) begin
            c_hits <= hits_sum[8] ? 8'hff : hits_sum[7:0];
            if (merges && q_beyond) begin
                c_last  <= q_last;
                covered <= 1'b0;
            end
        end
        if (arrives) begin
            c_state <= writes ? G : S;
            c_pins  <= {3'd0, pin};
        end
        if (returns) begin
            c_state <= stays ? S : C;
            if (!stays)
                {c_based, c_base} <= {ADDR_W+1{1'b0}};
        end
    end

endmodule
`default_nettype wire
