// SPDX-License-Identifier: Apache-2.0
// gmmu_check_ranges: s_axis_range and m_axis_xfer together: each operation has one packet, in the operations' order, which ends with the
// operation's answer.
`default_nettype none
`include "gmmu_check.svh"
module gmmu_check_ranges #(
    parameter W       = 64, // bits of m_axis_xfer_tdata
    parameter TAG_W   = 8,
    parameter CODE_O  = 2,
    parameter TAG_O   = 5,
    parameter STATE_O = 13,
    parameter OK_O    = 16, // field base_ok
    parameter BASE_O  = 100,
    parameter BASE_W  = 32,
    parameter START_O = 20, // fields start and last, of the same number of bits
    parameter LAST_O  = 52
) (
    input wire             clk,
    input wire             rst,
    input wire             taken,     // an operation is taken
    input wire [TAG_W-1:0] tag,       // its tag
    input wire             valid,     // a beat of m_axis_xfer is offered
    input wire             ready,
    input wire             last,
    input wire [W-1:0]     data
);
    localparam PLACES = 1 << TAG_W; // as many operations as there are tags
    reg  [TAG_W-1:0] tags [0:PLACES-1]; // tags of the operations without an answer, in their order
    reg  [TAG_W:0]   put; // operations that were taken
    reg  [TAG_W:0]   got; // answers that were given
    wire [TAG_W-1:0] oldest = tags[got[TAG_W-1:0]]; // tag of the oldest operation without an answer
    wire             answer = valid && data[1:0] == 2'd3; // the beat is an ANSWER
    initial {put, got} = 0;
    always @(posedge clk) begin
        if (taken) tags[put[TAG_W-1:0]] <= tag;
        if (rst) begin
            put <= 0;
            got <= 0;
        end else begin
            put <= put + {{TAG_W{1'b0}}, taken};
            got <= got + {{TAG_W{1'b0}}, answer && ready};
        end
    end

    localparam RANGES = "docs/reference/blocks/range_dir.md#streams", SEE = "docs/reference/formats.md#streams";
    `GMMU_UNIT(xfer_asked, valid, put != got, "m_axis_xfer: a beat without an operation that waits for its answer", RANGES)
    `GMMU_UNIT(xfer_answer, answer && put != got, data[TAG_O +: TAG_W] == oldest, "m_axis_xfer: an answer has not the tag of the oldest operation",
        RANGES)
    `GMMU_UNIT(xfer_last, valid, last == answer, "m_axis_xfer: tlast is not at the answer", RANGES)
    `GMMU_UNIT(xfer_code, answer, data[CODE_O +: 3] <= 3'd6, "m_axis_xfer: an answer has a code without a meaning", SEE)
    `GMMU_UNIT(xfer_state, answer, data[STATE_O +: 2] != 2'd3, "m_axis_xfer: an answer has a state without a meaning", SEE)
    `GMMU_UNIT(xfer_base, valid && !data[OK_O], data[BASE_O +: BASE_W] == 0, "m_axis_xfer: a base without base_ok is not 0", SEE)
    `GMMU_UNIT(xfer_range, valid && !answer, data[START_O +: BASE_W] <= data[LAST_O +: BASE_W], "m_axis_xfer: a transfer ends before it begins",
        RANGES)
endmodule
`default_nettype wire
