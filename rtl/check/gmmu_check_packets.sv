// SPDX-License-Identifier: Apache-2.0
// gmmu_check_packets: packets of m_axis_rit or m_axis_hir: a header with the packet's number and the number of its records, then so
// many records, the last beat with tlast.
`default_nettype none
/* verilator lint_off UNUSED */ // of a record no field is looked at
`include "gmmu_check.svh"
module gmmu_check_packets #(
    parameter W      = 64, // bits of tdata
    parameter SEQ_O  = 0,  // the header's field seq
    parameter SEQ_W  = 16,
    parameter N_O    = 16, // the header's field n
    parameter N_W    = 16,
    parameter HEAD   = 48, // bits of a header
    parameter RECORD = 64, // bits of a record
    parameter LEAST  = 0,  // 1: a packet has a record; 0: a packet may be a header alone
    parameter STREAM = "a stream"
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         valid,
    input  wire         ready,
    input  wire         last,
    input  wire [W-1:0] data,
    output wire         record // the beat that is offered is a record
);
    reg  [N_W-1:0]   left;    // records of the packet that are still to come
    reg              begun;  // a packet has begun and not ended
    reg  [SEQ_W-1:0] next;    // number of the next packet
    wire [N_W-1:0]   n      = data[N_O +: N_W];
    assign record = begun;
    initial {left, begun, next} = 0;
    always @(posedge clk) begin
        if (rst) begin
            {left, begun, next} <= 0;
        end else if (valid && ready) begin
            left   <= begun ? left - 1'b1 : n;
            begun <= !last;
            if (!begun) next <= data[SEQ_O +: SEQ_W] + 1'b1;
        end
    end

    localparam SEE = "docs/reference/formats.md#streams";
    `GMMU_UNIT(packet_number, valid && !begun, data[SEQ_O +: SEQ_W] == next, {STREAM, ": a header's seq does not follow the one before"}, SEE)
    `GMMU_UNIT(packet_records, valid && !begun, LEAST == 0 || n != 0, {STREAM, ": a header announces too few records"}, SEE)
    `GMMU_UNIT(packet_last, valid, last == (begun ? left == 1 : n == 0), {STREAM, ": tlast does not fit the header's number of records"}, SEE)
    generate
        if (W > HEAD) begin : g_head
            `GMMU_UNIT(header_zero, valid && !begun, data[W-1:HEAD] == 0, {STREAM, ": an unused bit of a header is not 0"}, SEE)
        end
        if (W > RECORD) begin : g_record
            `GMMU_UNIT(record_zero, valid && begun, data[W-1:RECORD] == 0, {STREAM, ": an unused bit of a record is not 0"}, SEE)
        end
    endgenerate
endmodule
/* verilator lint_on UNUSED */
`default_nettype wire
