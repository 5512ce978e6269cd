// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_space: does a record fit into GPU memory, beside what is there (docs/blocks/range_dir.md)?
//
// From `cfg_range_bytes` the size of each record in G and S that range_dir_engine reads in ROOM is taken away, and apart from
// that the size of each pinned one. Sizes and sums are made in halves, the high one (h_) a cycle after the low one (r_):
//
//   record in registers (p_) ─► r_: size, low half ─► h_: high half; low half of the sums ─► high half of the sums ─► compared
//
// `roomy` and `possible` are right four cycles after the last record was in registers.
`default_nettype none
module gmmu_range_dir_space #(
    // bits of an address
    parameter ADDR_W = 32
) (
    input  wire              clk,
    input  wire [ADDR_W-1:0] cfg_range_bytes, // The bytes of GPU memory for records.
    input  wire              again,    // No record has been counted yet: the sums begin.
    // the record in registers
    input  wire              counts,   // It is in G or S and is to be counted.
    input  wire              p_pinned, // It has pins.
    input  wire [ADDR_W-1:0] p_start,  // Its first byte.
    input  wire [ADDR_W-1:0] p_last,   // Its last byte.
    // the record that is to fit
    input  wire [ADDR_W-1:0] c_start,  // Its first byte.
    input  wire [ADDR_W-1:0] c_last,   // Its last byte.
    output reg               roomy,    // It fits beside all that are in GPU memory.
    output reg               possible  // It fits beside the pinned ones.
);

    localparam HALF = ADDR_W / 2;

    // ---- sizes less one of the records that are read
    reg  [HALF-1:0]        r_size;    // The low half of the size.
    reg                    r_less;    // The borrow of the low half.
    reg  [ADDR_W-HALF-1:0] r_last;    // The high half of the last byte.
    reg  [ADDR_W-HALF-1:0] r_start;   // The high half of the first byte.
    reg                    r_valid;   // The record is to be counted.
    reg                    r_stays;   // The record is to be counted, and is pinned.
    reg  [ADDR_W-HALF-1:0] h_size;    // The high half of the size.
    reg                    h_valid;   // As r_valid, a cycle later.
    reg                    h_stays;   // As r_stays, a cycle later.
    always @(posedge clk) begin
        {r_less, r_size}  <= {1'b0, p_last[HALF-1:0]} - {1'b0, p_start[HALF-1:0]};
        {r_last, r_start} <= {p_last[ADDR_W-1:HALF], p_start[ADDR_W-1:HALF]};
        r_valid <= counts;
        r_stays <= counts && p_pinned;
        h_size  <= r_last - r_start - {{ADDR_W-HALF-1{1'b0}}, r_less};
        h_valid <= r_valid;
        h_stays <= r_stays;
    end

    // ---- what is left: left - size - 1 for each record
    reg  [ADDR_W-1:0]      left_all;   // The bytes that all records in G and S leave.
    reg  [ADDR_W-1:0]      left_stays; // The bytes that the pinned ones leave.
    reg                    h_all;      // The carry of the low half of left_all.
    reg                    h_kept;     // The carry of the low half of left_stays.
    reg                    fits_all;   // There are as many bytes as all records have.
    reg                    fits_stays; // There are as many bytes as the pinned ones have.
    always @(posedge clk) begin
        if (r_valid)
            {h_all, left_all[HALF-1:0]} <= {1'b0, left_all[HALF-1:0]} + {1'b0, ~r_size};
        if (r_stays)
            {h_kept, left_stays[HALF-1:0]} <= {1'b0, left_stays[HALF-1:0]} + {1'b0, ~r_size};
        if (h_valid)
            {fits_all, left_all[ADDR_W-1:HALF]} <= ({1'b0, left_all[ADDR_W-1:HALF]} + {1'b0, ~h_size} + {{ADDR_W-HALF{1'b0}}, h_all})
                                                   & {fits_all, {ADDR_W-HALF{1'b1}}};
        if (h_stays)
            {fits_stays, left_stays[ADDR_W-1:HALF]} <= ({1'b0, left_stays[ADDR_W-1:HALF]} + {1'b0, ~h_size} + {{ADDR_W-HALF{1'b0}}, h_kept})
                                                       & {fits_stays, {ADDR_W-HALF{1'b1}}};
        if (again) begin
            {fits_all, left_all}     <= {1'b1, cfg_range_bytes};
            {fits_stays, left_stays} <= {1'b1, cfg_range_bytes};
        end
    end

    // ---- the record that is to fit
    reg  [ADDR_W-1:0]      size;      // Its size less one.
    reg                    less;      // The borrow of the low half of its size.
    reg                    low_all;   // The low half of its size fits beside all records.
    reg                    low_stays; // The low half of its size fits beside the pinned ones.
    always @(posedge clk) begin
        {less, size[HALF-1:0]} <= {1'b0, c_last[HALF-1:0]} - {1'b0, c_start[HALF-1:0]};
        size[ADDR_W-1:HALF]    <= c_last[ADDR_W-1:HALF] - c_start[ADDR_W-1:HALF] - {{ADDR_W-HALF-1{1'b0}}, less};
        low_all    <= size[HALF-1:0] < left_all[HALF-1:0];
        low_stays  <= size[HALF-1:0] < left_stays[HALF-1:0];
        roomy      <= fits_all && {size[ADDR_W-1:HALF], 1'b0} < {left_all[ADDR_W-1:HALF], low_all};
        possible   <= fits_stays && {size[ADDR_W-1:HALF], 1'b0} < {left_stays[ADDR_W-1:HALF], low_stays};
    end

endmodule
`default_nettype wire
