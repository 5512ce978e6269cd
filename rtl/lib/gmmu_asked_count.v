// SPDX-License-Identifier: Apache-2.0
// gmmu_asked_count: answers to questions about the next value of a count, without an adder or a comparison behind the change.
//
// The change is -1, 0, 1 or 2 and arrives late (docs/guide/timing_patterns.md, asked count). The answers about the present count
// are registers of the caller, so the change only selects. Each column is an output; each cell is the value of the count
// before the change for which the output is 1:
//
//   change | n_negative | n_zero | n_one | n_minus1 | n_minus2
//   -------|------------|--------|-------|----------|---------
//     -1   |    < 1     |   1    |   2   |     0    |    -1
//      0   |    < 0     |   0    |   1   |    -1    |    -2
//     +1   |    < -1    |  -1    |   0   |    -2    |    -3
//     +2   |    < -2    |  -2    |  -1   |    -3    |    -4
//
// The caller keeps the registers of the count and of the answers: the caller may have several changes to select from.
`default_nettype none
module gmmu_asked_count #(
    // bits of the count, which has a sign
    parameter WIDTH = 8
) (
    // the count before the change
    input  wire [WIDTH-1:0] count,      // the count; valid early in the cycle
    input  wire             negative,   // the count is below 0
    input  wire             zero,       // the count is 0
    input  wire             one,        // the count is 1
    input  wire             minus1,     // the count is -1
    input  wire             minus2,     // the count is -2
    // the change of the count; 0 without any of these
    input  wire             by_2,       // the count grows by 2
    input  wire             by_m1,      // the count falls by 1, unless by_2
    input  wire             by_1,       // the count grows by 1, unless by_2 or by_m1
    // the count after the change
    output wire             n_negative, // the next count is below 0
    output wire             n_zero,     // the next count is 0
    output wire             n_one,      // the next count is 1
    output wire             n_minus1,   // the next count is -1
    output wire             n_minus2    // the next count is -2
);

    localparam [WIDTH-1:0] IS_2 = 2, IS_M3 = {WIDTH{1'b1}} - IS_2, IS_M4 = IS_M3 - 1'b1;
    wire two    = count == IS_2;  // the count is 2
    wire minus3 = count == IS_M3; // the count is -3
    wire minus4 = count == IS_M4; // the count is -4

    assign n_negative = by_2 ? negative && !minus1 && !minus2 : by_m1 ? negative || zero : by_1 ? negative && !minus1 : negative;
    assign n_zero     = by_2 ? minus2                         : by_m1 ? one              : by_1 ? minus1              : zero;
    assign n_one      = by_2 ? minus1                         : by_m1 ? two              : by_1 ? zero                : one;
    assign n_minus1   = by_2 ? minus3                         : by_m1 ? zero             : by_1 ? minus2              : minus1;
    assign n_minus2   = by_2 ? minus4                         : by_m1 ? minus1           : by_1 ? minus3              : minus2;

endmodule
`default_nettype wire
