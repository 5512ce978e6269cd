// SPDX-License-Identifier: Apache-2.0
// gmmu_event_count: how often something happened, modulo 2^32, told a cycle after a plain register would.
//
// In two halves: the upper one is a cycle behind, and so the lower one is told a cycle later. A carry of 32 bits was what ended
// blocks that are faster than it.
`default_nettype none
module gmmu_event_count (
    input  wire        clk,
    input  wire        rst,
    input  wire        happens,
    output wire [31:0] count
);

    reg [15:0] low, low_told, high;
    reg        carry;
    assign count = {high, low_told};
    always @(posedge clk) begin
        low      <= low + {15'd0, happens};
        carry    <= happens && (&low);
        low_told <= low;
        high     <= high + {15'd0, carry};
        if (rst) begin
            low      <= 16'd0;
            carry    <= 1'b0;
            low_told <= 16'd0;
            high     <= 16'd0;
        end
    end

endmodule
`default_nettype wire
