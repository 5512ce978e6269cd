// SPDX-License-Identifier: Apache-2.0
// gmmu_changed: compares a word with the word of the cycle before.
`default_nettype none
module gmmu_changed #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] word, // the word
    output wire             yes   // the word differs from the word of the cycle before
);

    reg [WIDTH-1:0] was; // the word of the cycle before
    always @(posedge clk)
        was <= word;
    assign yes = word != was;

endmodule
`default_nettype wire
