// SPDX-License-Identifier: Apache-2.0
// gmmu_overdue: limits how long a request waits for calm: to 2^WAIT_W - 1 cycles, or four events that went first.
`default_nettype none
module gmmu_overdue #(
    parameter WAIT_W = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire waits,  // the request waits
    input  wire passed, // an event went before the request
    output wire hurry   // the request has waited long enough; 1 until `waits` ends
);

    // late count: `waits` arrives late; the counters are cleared a cycle after the end of `waits`
    reg [WAIT_W-1:0] cycles; // cycles of the wait
    reg [2:0]        events; // events that went before the request
    reg              idle;   // nothing waited in the cycle before
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
