// SPDX-License-Identifier: Apache-2.0
// gmmu_watchdog: of several things that may be owed, which one has been for long (docs/blocks/gmmu_tier.md, Watchdog).
//
// While anything is owed time runs, in steps of 2^(16 + cfg) cycles. What is owed all through a step, beginning and end
// included, is told at its end, and again at the end of each further step.
`default_nettype none
module gmmu_watchdog #(
    // things that may be owed, at most 32
    parameter ITEMS = 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [3:0]       cfg,  // 0: off
    input  wire [ITEMS-1:0] owes, // by the unit, not by those around it
    output reg  [31:0]      stat_watchdog,
    output reg  [31:0]      stat_watchdog_last // a bit each: which were told last
);

    reg  [ITEMS-1:0] owed, since;
    reg  [31:0]      count;
    reg              step;
    wire [ITEMS-1:0] told = step ? owed & since : {ITEMS{1'b0}};
    wire [31:0]      told_32 = {{32-ITEMS{1'b0}}, told};
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
