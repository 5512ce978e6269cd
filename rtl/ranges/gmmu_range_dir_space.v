// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_space: decides whether a record fits into GPU memory, beside the records there (docs/reference/blocks/range_dir.md).
//
// Two sums start at `cfg_range_bytes`, and both lose the size of the record that is to fit. Then one sum loses the size of each
// record in G and S that range_dir_engine reads in ROOM; the other loses the size of each pinned record. Sizes and sums are computed
// in halves, the high half (h_) a cycle after the low half (r_):
//
//   record in registers (p_) ─► r_: size, low half ─► h_: high half; low half of the sums ─► high half of the sums
//
// `roomy` and `possible` are right three cycles after the last record was in registers.
`default_nettype none
module gmmu_range_dir_space #(
    // bits of an address
    parameter ADDR_W = 32,
    // derived, not to be set: bits of its low half
    parameter HALF   = ADDR_W / 2
) (
    input  wire              clk,
    input  wire [ADDR_W-1:0] cfg_range_bytes, // bytes of GPU memory for records
    input  wire              again,           // the sums start again: no record was counted yet
    // the record that is to fit
    input  wire              begins,          // the record that is to fit is counted
    input  wire              young,           // no record in registers is to be counted; set with `begins`
    input  wire [ADDR_W-1:0] c_start,         // first byte of the record that is to fit
    input  wire [ADDR_W-1:0] c_last,          // last byte of the record that is to fit
    // the record in registers
    input  wire              counts,          // the record in registers is in G or S, and is to be counted; never with `begins`
    input  wire              p_pinned,        // the record in registers is pinned
    input  wire [HALF-1:0]   p_start,         // first byte of the record in registers, low half
    input  wire [HALF-1:0]   p_last,          // last byte of the record in registers, low half
    input  wire [ADDR_W-1:HALF] was_start,    // first byte of the record, high half, a cycle later
    input  wire [ADDR_W-1:HALF] was_last,     // last byte of the record, high half, a cycle later
    output wire              roomy,           // the record fits beside all records in GPU memory
    output wire              possible         // the record fits beside the pinned records
);

    // ---- sizes less one of the records
    wire [HALF-1:0]        low_last;   // low half of the last byte
    wire [HALF-1:0]        low_start;  // low half of the first byte
    reg  [HALF-1:0]        r_size;     // low half of the size
    reg                    r_less;     // borrow of the low half
    reg                    r_begins;   // the record is the record that is to fit
    reg                    r_valid;    // the record is to be counted
    reg                    r_stays;    // the record is to be counted, and stays in any case
    wire [ADDR_W-HALF-1:0] high_last;  // high half of the last byte
    wire [ADDR_W-HALF-1:0] high_start; // high half of the first byte
    reg  [ADDR_W-HALF-1:0] h_size;     // high half of the size
    reg                    h_valid;    // the record is to be counted
    reg                    h_stays;    // the record is to be counted, and stays in any case
    wire [HALF:0]          low_size;   // low half of the size, and no borrow
    wire [ADDR_W-HALF:0]   high_size;  // high half of the size
    assign low_last   = young ? c_last[HALF-1:0] : p_last;
    assign low_start  = young ? c_start[HALF-1:0] : p_start;
    assign high_last  = r_begins ? c_last[ADDR_W-1:HALF] : was_last;
    assign high_start = r_begins ? c_start[ADDR_W-1:HALF] : was_start;
    gmmu_range_dir_sum #(.WIDTH(HALF)) low_sum (
        .a(low_last),
        .b(~low_start),
        .plus_1(1'b1),
        .sum(low_size)
    );
    gmmu_range_dir_sum #(.WIDTH(ADDR_W - HALF)) high_sum (
        .a(high_last),
        .b(~high_start),
        .plus_1(!r_less),
        .sum(high_size)
    );
    wire unused_carry = &{1'b0, high_size[ADDR_W-HALF]};
    always @(posedge clk) begin
        {r_less, r_size} <= {!low_size[HALF], low_size[HALF-1:0]};
        r_begins <= begins;
        r_valid  <= begins || counts;
        r_stays  <= begins || (counts && p_pinned);
        h_size   <= high_size[ADDR_W-HALF-1:0];
        h_valid  <= r_valid;
        h_stays  <= r_stays;
    end

    // ---- bytes that are left: left - size - 1 for each record
    reg [ADDR_W-1:0] left_all;   // bytes that all records in G and S leave
    reg [ADDR_W-1:0] left_stays; // bytes that the pinned records leave
    reg              h_all;      // carry of the low half of left_all
    reg              h_kept;     // carry of the low half of left_stays
    reg              fits_all;   // left_all is not negative
    reg              fits_stays; // left_stays is not negative
    wire [ADDR_W-HALF+1:0] high_all;   // high half of left_all less the size, and its carry; bit 0 is there for the carry of the low half
    wire [ADDR_W-HALF+1:0] high_stays; // likewise of left_stays
    assign high_all   = {1'b0, left_all[ADDR_W-1:HALF], 1'b1} + {1'b0, ~h_size, h_all};
    assign high_stays = {1'b0, left_stays[ADDR_W-1:HALF], 1'b1} + {1'b0, ~h_size, h_kept};
    wire unused_low = &{1'b0, high_all[0], high_stays[0]};
    assign roomy    = fits_all;
    assign possible = fits_stays;
    always @(posedge clk) begin
        if (r_valid)
            {h_all, left_all[HALF-1:0]} <= {1'b0, left_all[HALF-1:0]} + {1'b0, ~r_size};
        if (r_stays)
            {h_kept, left_stays[HALF-1:0]} <= {1'b0, left_stays[HALF-1:0]} + {1'b0, ~r_size};
        if (h_valid)
            {fits_all, left_all[ADDR_W-1:HALF]} <= high_all[ADDR_W-HALF+1:1] & {fits_all, {ADDR_W-HALF{1'b1}}};
        if (h_stays)
            {fits_stays, left_stays[ADDR_W-1:HALF]} <= high_stays[ADDR_W-HALF+1:1] & {fits_stays, {ADDR_W-HALF{1'b1}}};
        if (again) begin
            {fits_all, left_all}     <= {1'b1, cfg_range_bytes};
            {fits_stays, left_stays} <= {1'b1, cfg_range_bytes};
        end
    end

endmodule
`default_nettype wire
