// SPDX-License-Identifier: Apache-2.0
// gmmu_overdue: something waits for calm; it waits no longer when 2^WAIT_W - 1 cycles or four events have passed it by.
`default_nettype none
module gmmu_overdue #(
    parameter WAIT_W = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire waits,
    input  wire passed, // an event went before it
    output wire hurry   // stays until `waits` ends
);

    // Whether it waits comes late: what was counted before counts no longer, and goes a cycle later.
    reg [WAIT_W-1:0] cycles;
    reg [2:0]        events;
    reg              idle;
    assign hurry = !idle && (&cycles || events[2]);
    always @(posedge clk) begin
        idle <= rst || !waits;
        if (idle) begin
            cycles <= {{WAIT_W-1{1'b0}}, 1'b1};
            events <= {2'd0, passed};
        end else if (!hurry) begin
            cycles <= cycles + 1'b1;
            events <= events + {2'd0, passed};
        end
    end

endmodule
`default_nettype wire
