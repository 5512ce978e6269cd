// SPDX-License-Identifier: Apache-2.0
// gmmu_changed: is a word another one than in the cycle before?
`default_nettype none
module gmmu_changed #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] word,
    output wire             yes
);

    reg [WIDTH-1:0] was;
    always @(posedge clk)
        was <= word;
    assign yes = word != was;

endmodule
`default_nettype wire
