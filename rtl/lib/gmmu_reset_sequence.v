// SPDX-License-Identifier: Apache-2.0
// gmmu_reset_sequence: keeps the unit closed after `rst` until seven cycles after all tables are cleared.
`default_nettype none
module gmmu_reset_sequence (
    input  wire clk,
    input  wire rst,
    input  wire cleared,  // all tables are cleared
    output reg  clearing  // the tables are being cleared: the unit is closed
);

    reg [2:0] settle; // cycles since `cleared`
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
