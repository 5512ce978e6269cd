// SPDX-License-Identifier: Apache-2.0
// gmmu_event_count: counts events modulo 2^32; the count lags a plain counter by one cycle (late count).
//
// The counter has two halves, so that no carry is longer than 16 bits. The upper half lags the lower half by a cycle;
// the lower half is therefore reported a cycle later.
`default_nettype none
module gmmu_event_count (
    input  wire        clk,
    input  wire        rst,
    input  wire        happens, // an event happens in this cycle
    output wire [31:0] count    // number of events; late by a cycle
);

    reg [15:0] low;      // lower half of the count
    reg [15:0] low_told; // lower half of the count, a cycle later
    reg [15:0] high;     // upper half of the count; late by a cycle
    reg        carry;    // the lower half has wrapped
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
