// SPDX-License-Identifier: Apache-2.0
// gmmu_event_count: counts events modulo 2^32; the count lags a plain counter by one cycle (late count).
//
// The counter has two halves, so that no carry is longer than 16 bits: a register says ahead whether the lower half is at its end.
`default_nettype none
module gmmu_event_count (
    input  wire        clk,
    input  wire        rst,
    input  wire        happens, // an event happens in this cycle
    output wire [31:0] count    // number of events; late by a cycle
);

    reg        happened; // an event happened in the cycle before
    reg [15:0] low;      // lower half of the count
    reg [15:0] high;     // upper half of the count
    reg        full;     // the lower half is all ones
    assign count = {high, low};
    always @(posedge clk) begin
        happened <= happens && !rst;
        low      <= low + {15'd0, happened};
        full     <= &low[15:1] && low[0] != happened;
        high     <= high + {15'd0, happened && full};
        if (rst) begin
            low  <= 16'd0;
            full <= 1'b0;
            high <= 16'd0;
        end
    end

endmodule
`default_nettype wire
