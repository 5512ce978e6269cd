// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_record: the record that an operation of range_dir_engine is about, as it will be (docs/blocks/range_dir.md).
//
// It comes with the operation; FIND that no record contains makes it anew of the range, and of each record that is met:
//
//   takes ─► [makes ─► meets …] ─► [arrives | returns]
`default_nettype none
module gmmu_range_dir_record #(
    // bits of an address
    parameter ADDR_W = 32
) (
    input  wire              clk,
    // takes: the record comes with the operation
    input  wire              takes,     // It comes in this cycle.
    input  wire [ADDR_W-1:0] in_start,  // Its first byte.
    input  wire [ADDR_W-1:0] in_last,   // Its last byte.
    input  wire [10+ADDR_W:0] in_use,   // Its {state, hits, base_ok, base}.
    input  wire              in_covered,// The range has every byte of it.
    // makes: a new record is made of the range, or a hull is begun
    input  wire              makes,     // It is made in this cycle.
    input  wire              begins,    // The range begins before the record that came: so does the new one.
    input  wire [ADDR_W-1:0] o_start,   // The first byte of the range.
    input  wire [ADDR_W-1:0] o_last,    // The last byte of the range.
    // meets: a record that the range meets is counted in, and merged by FIND
    input  wire              meets,     // A record is met in this cycle.
    input  wire              merges,    // The operation is a FIND.
    input  wire              q_beyond,  // The met record ends behind the range.
    input  wire [7:0]        q_hits,    // The hits of the met record.
    input  wire [ADDR_W-1:0] q_last,    // The last byte of the met record.
    // arrives: the record is on the GPU
    input  wire              arrives,   // It arrives in this cycle.
    input  wire              writes,    // The operation is WRITE_GPU: the newest bytes are on the GPU alone.
    input  wire              pin,       // The operation pins it.
    // returns: the record is on the CPU
    input  wire              returns,   // DOWN or DROP is sent in this cycle.
    input  wire              stays,     // It was DOWN: the record stays on the GPU too.
    // the record
    output reg  [ADDR_W-1:0] c_start,   // Its first byte.
    output reg  [ADDR_W-1:0] c_last,    // Its last byte.
    output reg  [1:0]        c_state,   // Its state.
    output reg  [7:0]        c_hits,    // Its hits.
    output reg               c_pin,     // Its pins: one or none, where the engine changes them.
    output reg               c_based,   // It has a base.
    output reg  [ADDR_W-1:0] c_base,    // Its base.
    output reg               covered    // The range has every byte of it.
);

    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;

    wire [8:0] hits_sum = {1'b0, c_hits} + {1'b0, q_hits}; // The hits of both records.

    always @(posedge clk) begin
        if (takes) begin
            {c_start, c_last} <= {in_start, in_last};
            {c_state, c_hits, c_based, c_base} <= in_use;
            c_pin   <= 1'b0;
            covered <= in_covered;
        end
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
            c_pin   <= pin;
        end
        if (returns) begin
            c_state <= stays ? S : C;
            if (!stays)
                {c_based, c_base} <= {ADDR_W+1{1'b0}};
        end
    end

endmodule
`default_nettype wire
