// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_sum: a sum of two numbers and a carry, with two carry chains of half the length (docs/reference/blocks/range_dir.md).
//
// The carry between the halves arrives last: it inverts the bits of the high half up to the first one that does not pass a carry on.
`default_nettype none
module gmmu_range_dir_sum #(
    // bits of a number
    parameter WIDTH = 16
) (
    input  wire [WIDTH-1:0] a,      // first number
    input  wire [WIDTH-1:0] b,      // second number
    input  wire             plus_1, // the sum is one more
    output wire [WIDTH:0]   sum     // the sum
);

    localparam LOW = WIDTH / 2; // bits of the low half
    localparam HIGH = WIDTH - LOW;
    wire           carry;  // carry of the low half
    wire [HIGH:0]  high;   // sum of the high halves
    wire [HIGH-1:0] passes; // bits of the high half that pass a carry on
    assign high   = {1'b0, a[WIDTH-1:LOW]} + {1'b0, b[WIDTH-1:LOW]};
    assign passes = a[WIDTH-1:LOW] ^ b[WIDTH-1:LOW];
    genvar i;
    generate
        if (LOW > 0) begin : g_low
            wire [LOW+1:0] low; // sum of the low halves; bit 0 is there for its carry
            wire           unused_0 = low[0];
            assign low   = {1'b0, a[LOW-1:0], 1'b1} + {1'b0, b[LOW-1:0], plus_1};
            assign carry = low[LOW+1];
            assign sum[LOW-1:0] = low[LOW:1];
        end else begin : g_bit
            assign carry = plus_1;
        end
        assign sum[LOW] = high[0] ^ carry;
        for (i = 1; i <= HIGH; i = i + 1) begin : g_high
            assign sum[LOW+i] = high[i] ^ (carry && &passes[i-1:0]);
        end
    endgenerate

endmodule
`default_nettype wire
