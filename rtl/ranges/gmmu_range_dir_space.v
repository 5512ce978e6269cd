// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_space: decides whether a record fits into GPU memory, beside the records there (docs/reference/blocks/range_dir.md).
//
// Two sums start at `cfg_range_bytes`. One loses the size of each record in G and S that range_dir_engine reads in ROOM; the other
// loses the size of each pinned record. Sizes and sums are computed in halves, the high half (h_) a cycle after the low half (r_):
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
    input  wire [ADDR_W-1:0] cfg_range_bytes, // bytes of GPU memory for records
    input  wire              again,           // the sums start again: no record was counted yet
    // the record in registers
    input  wire              counts,          // the record in registers is in G or S, and is to be counted
    input  wire              p_pinned,        // the record in registers is pinned
    input  wire [ADDR_W-1:0] p_start,         // first byte of the record in registers
    input  wire [ADDR_W-1:0] p_last,          // last byte of the record in registers
    // the record that is to fit
    input  wire [ADDR_W-1:0] c_start,         // first byte of the record that is to fit
    input  wire [ADDR_W-1:0] c_last,          // last byte of the record that is to fit
    output reg               roomy,           // the record fits beside all records in GPU memory
    output reg               possible         // the record fits beside the pinned records
);

    localparam HALF = ADDR_W / 2;

    // ---- sizes less one of the records that are read
    reg [HALF-1:0]        r_size;  // low half of the size
    reg                   r_less;  // borrow of the low half
    reg [ADDR_W-HALF-1:0] r_last;  // high half of the last byte
    reg [ADDR_W-HALF-1:0] r_start; // high half of the first byte
    reg                   r_valid; // the record is to be counted
    reg                   r_stays; // the record is to be counted, and is pinned
    reg [ADDR_W-HALF-1:0] h_size;  // high half of the size
    reg                   h_valid; // the record is to be counted
    reg                   h_stays; // the record is to be counted, and is pinned
    always @(posedge clk) begin
        {r_less, r_size}  <= {1'b0, p_last[HALF-1:0]} - {1'b0, p_start[HALF-1:0]};
        {r_last, r_start} <= {p_last[ADDR_W-1:HALF], p_start[ADDR_W-1:HALF]};
        r_valid <= counts;
        r_stays <= counts && p_pinned;
        h_size  <= r_last - r_start - {{ADDR_W-HALF-1{1'b0}}, r_less};
        h_valid <= r_valid;
        h_stays <= r_stays;
    end

    // ---- bytes that are left: left - size - 1 for each record
    reg [ADDR_W-1:0] left_all;   // bytes that all records in G and S leave
    reg [ADDR_W-1:0] left_stays; // bytes that the pinned records leave
    reg              h_all;      // carry of the low half of left_all
    reg              h_kept;     // carry of the low half of left_stays
    reg              fits_all;   // left_all is not negative
    reg              fits_stays; // left_stays is not negative
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
    reg [ADDR_W-1:0] size;      // size less one of the record that is to fit
    reg              less;      // borrow of the low half of `size`
    reg              low_all;   // the low half of the size fits beside all records
    reg              low_stays; // the low half of the size fits beside the pinned records
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
