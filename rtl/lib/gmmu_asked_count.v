// SPDX-License-Identifier: Apache-2.0
// gmmu_asked_count: what is asked of a count after its next change, told without an adder or a comparison behind the change.
//
// The change is -1, 0, 1 or 2 and is known late. What is asked of the count now is in registers of the caller; so the change
// only selects. Each column is an output, each cell what the count is before the change:
//
//   change | n_negative | n_zero | n_one | n_minus1 | n_minus2
//   -------|------------|--------|-------|----------|---------
//     -1   |    < 1     |   1    |   2   |     0    |    -1
//      0   |    < 0     |   0    |   1   |    -1    |    -2
//     +1   |    < -1    |  -1    |   0   |    -2    |    -3
//     +2   |    < -2    |  -2    |  -1   |    -3    |    -4
//
// The register of the count itself, and those of what is asked, are the caller's: it may have several changes to select from.
`default_nettype none
module gmmu_asked_count #(
    // bits of the count, which has a sign
    parameter WIDTH = 8
) (
    // the count before the change
    input  wire [WIDTH-1:0] count,      // The count: early in the cycle.
    input  wire             negative,   // The count is below 0.
    input  wire             zero,       // The count is 0.
    input  wire             one,        // The count is 1.
    input  wire             minus1,     // The count is -1.
    input  wire             minus2,     // The count is -2.
    // its change, 0 if it is none of these
    input  wire             by_2,       // The count grows by 2.
    input  wire             by_m1,      // The count falls by 1, if it does not grow by 2.
    input  wire             by_1,       // The count grows by 1, if it is neither of these.
    // the count after the change
    output wire             n_negative, // The count is below 0.
    output wire             n_zero,     // The count is 0.
    output wire             n_one,      // The count is 1.
    output wire             n_minus1,   // The count is -1.
    output wire             n_minus2    // The count is -2.
);

    localparam [WIDTH-1:0] IS_2 = 2, IS_M3 = {WIDTH{1'b1}} - IS_2, IS_M4 = IS_M3 - 1'b1;
    wire two    = count == IS_2;  // The count is 2.
    wire minus3 = count == IS_M3; // The count is -3.
    wire minus4 = count == IS_M4; // The count is -4.

    assign n_negative = by_2 ? negative && !minus1 && !minus2 : by_m1 ? negative || zero : by_1 ? negative && !minus1 : negative;
    assign n_zero     = by_2 ? minus2                         : by_m1 ? one              : by_1 ? minus1              : zero;
    assign n_one      = by_2 ? minus1                         : by_m1 ? two              : by_1 ? zero                : one;
    assign n_minus1   = by_2 ? minus3                         : by_m1 ? zero             : by_1 ? minus2              : minus1;
    assign n_minus2   = by_2 ? minus4                         : by_m1 ? minus1           : by_1 ? minus3              : minus2;

endmodule
`default_nettype wire
