// SPDX-License-Identifier: Apache-2.0
// gmmu_reset_sequence: after `rst` all tables are cleared; seven cycles after the last one said so, the unit is open.
`default_nettype none
module gmmu_reset_sequence (
    input  wire clk,
    input  wire rst,
    input  wire cleared, // all tables are
    output reg  clearing
);

    reg [2:0] settle;
    always @(posedge clk)
        if (rst) begin
            clearing <= 1'b1;
            settle   <= 3'd0;
        end else if (clearing) begin
            if (cleared)
                settle <= settle + 1'b1;
            clearing <= settle != 3'd7;
        end

endmodule
`default_nettype wire
