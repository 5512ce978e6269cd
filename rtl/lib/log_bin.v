// SPDX-License-Identifier: Apache-2.0
// log_bin: the log-spaced bin of an interval, four bins an octave; three cycles, one a cycle.
//
// bin(x): x < 8 -> x; else 8 + 4 * (floor(log2 x) - 3) + the two bits after the leading one; the
// last of BINS bins also takes all larger x (docs/formats.md, "Bins"). x = 22 = 10110b: octave 4,
// next bits 01 -> 8 + 4 + 1 = 13. A binary normaliser shifts the leading one to the top.
`default_nettype none
module log_bin #(
    // bits of an interval, at most 32
    parameter X_W   = 24,
    parameter BINS  = 72,
    parameter BIN_W = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire             clk,
    input  wire [X_W-1:0]   x,
    output reg  [BIN_W-1:0] bin // of the x three cycles ago
);

    wire [31:0] x0 = {{32 - X_W{1'b0}}, x};

    // stage 1: leading zeros by 16 and 8
    wire [31:0] y16 = x0[31:16] == 0 ? {x0[15:0], 16'd0} : x0;
    wire [31:0] y8  = y16[31:24] == 0 ? {y16[23:0], 8'd0} : y16;
    reg  [31:0] y1;
    reg  [1:0]  z1;
    reg  [2:0]  low1, low2;
    reg         small1, small2;
    always @(posedge clk) begin
        y1     <= y8;
        z1     <= {x0[31:16] == 0, y16[31:24] == 0};
        low1   <= x0[2:0];
        small1 <= x0[31:3] == 0;
    end

    // stage 2: by 4 and 2
    wire [31:0] y4 = y1[31:28] == 0 ? {y1[27:0], 4'd0} : y1;
    wire [31:0] y2 = y4[31:30] == 0 ? {y4[29:0], 2'd0} : y4;
    reg  [3:0]  top2;
    reg  [3:0]  z2;
    wire unused_y2 = &{1'b0, y2[27:0]}; // only the leading one and the two bits after it matter
    always @(posedge clk) begin
        top2   <= y2[31:28];
        z2     <= {z1, y1[31:28] == 0, y4[31:30] == 0};
        low2   <= low1;
        small2 <= small1;
    end

    // stage 3: by 1, and the bin: 8 + 4 * (octave - 3) + next = 4 * octave + next - 4
    wire       z0     = !top2[3];
    wire [1:0] next   = z0 ? top2[1:0] : top2[2:1];
    wire [4:0] octave = ~{z2, z0}; // 31 minus the leading zeros
    wire [7:0] wide   = small2 ? {5'd0, low2} : {1'b0, octave, next} - 8'd4;
    always @(posedge clk)
        bin <= wide >= BINS[7:0] ? BINS[BIN_W-1:0] - 1'b1 : wide[BIN_W-1:0];

endmodule
`default_nettype wire
