// SPDX-License-Identifier: Apache-2.0
// gmmu_watchdog: reports items that are pending for too long (docs/reference/blocks/gmmu_tier.md, Watchdog).
//
// While any item is pending, time runs in steps of 2^(16 + cfg) cycles. An item that is pending for a whole step, from its
// first to its last cycle, is reported at the end of the step, and again at the end of each further step.
`default_nettype none
module gmmu_watchdog #(
    // items that may be pending, at most 32
    parameter ITEMS = 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [3:0]       cfg,                // log2 of the cycles of a step, less 16; 0: the watchdog is off
    input  wire [ITEMS-1:0] owes,               // one bit for each item: the unit, not its environment, must act
    output reg  [31:0]      stat_watchdog,      // number of reports
    output reg  [31:0]      stat_watchdog_last  // the items of the last report, one bit each
);

    reg  [ITEMS-1:0] owed;                                          // pending items
    reg  [ITEMS-1:0] since;                                         // items pending since the start of the step
    reg  [31:0]      count;                                         // cycles of the step
    reg              step;                                          // the step ends
    wire [ITEMS-1:0] told    = step ? owed & since : {ITEMS{1'b0}}; // items that are reported in this cycle
    wire [31:0]      told_32 = {{32-ITEMS{1'b0}}, told};            // reported items, in 32 bits
    always @(posedge clk) begin
        owed  <= cfg != 0 && !rst ? owes : {ITEMS{1'b0}};
        count <= owed == 0 || step ? 32'd0 : count + 32'd1;
        step  <= owed != 0 && !step && count[5'd16 + {1'b0, cfg}];
        since <= owed & (since | {ITEMS{step}});
        if (told != 0) begin
            stat_watchdog      <= stat_watchdog + 32'd1;
            stat_watchdog_last <= told_32;
        end
        if (rst) begin
            count              <= 32'd0;
            step               <= 1'b0;
            since              <= {ITEMS{1'b0}};
            stat_watchdog      <= 32'd0;
            stat_watchdog_last <= 32'd0;
        end
    end

endmodule
`default_nettype wire
