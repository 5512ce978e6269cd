// SPDX-License-Identifier: Apache-2.0
// gmmu_log_bin: the log-spaced bin of an interval, four bins an octave; latency four cycles, one interval a cycle.
//
// bin(x): x < 8 -> x; else 8 + 4 * (floor(log2 x) - 3) + the two bits after the leading one. The last of BINS bins
// also takes all larger x (docs/reference/formats.md, "Bins"). Example: x = 22 = 10110b: octave 4, next bits 01 -> 8 + 4 + 1 = 13.
//
// A binary normaliser shifts the leading one to the top. Each test is registered before the test selects, so a stage is
// a few LUTs deep.
`default_nettype none
module gmmu_log_bin #(
    // bits of an interval, at most 32
    parameter X_W   = 24,
    parameter BINS  = 72,
    parameter BIN_W = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire             clk,
    input  wire [X_W-1:0]   x,   // the interval
    output reg  [BIN_W-1:0] bin  // bin of the interval of four cycles ago
);

    // the smallest interval of the last bin
    localparam [31:0] LAST = BINS - 1;
    localparam [63:0] LAST_LOW = LAST < 8 ? {32'd0, LAST} : {61'd0, 1'b1, LAST[1:0]} << (LAST[31:2] - 1);

    wire [31:0] x0 = {{32 - X_W{1'b0}}, x}; // the interval, in 32 bits

    // stage 1: which bits at the top are zero
    reg [31:0] x1;      // the interval at stage 1
    reg        high1;   // bits 31 to 16 are zero
    reg        top1;    // bits 31 to 24 are zero
    reg        second1; // bits 15 to 8 are zero
    always @(posedge clk) begin
        x1      <= x0;
        high1   <= x0[31:16] == 0;
        top1    <= x0[31:24] == 0;
        second1 <= x0[15:8] == 0;
    end

    // stage 2: shift by 16 and 8; later stages need only the ten bits at the top
    reg [9:0] y2;     // the ten bits from the leading octet on
    reg [1:0] z2;     // octave bits found so far: shifted by 16, by 8
    reg [2:0] low2;   // the lowest three bits of the interval
    reg [2:0] low3;   // the lowest three bits of the interval, at stage 3
    reg       small2; // the interval is below 8: the interval is its bin
    reg       small3; // the interval is below 8, at stage 3
    reg       last2;  // the interval is in the last bin
    reg       last3;  // the interval is in the last bin, at stage 3
    always @(posedge clk) begin
        y2     <= high1 ? (second1 ? {x1[7:0], 2'd0} : x1[15:6]) : (top1 ? x1[23:14] : x1[31:22]);
        z2     <= {high1, high1 ? second1 : top1};
        low2   <= x1[2:0];
        small2 <= high1 && second1 && x1[7:3] == 0;
        last2  <= {32'd0, x1} >= LAST_LOW;
    end

    // stage 3: shift by 4; the upper three bits of the octave, and these bits less one
    reg  [5:0] y3;                // the six bits from the leading group of four on
    reg  [2:0] high3;             // upper three bits of the octave
    reg  [2:0] less3;             // upper three bits of the octave, less one
    wire       z4 = y2[9:6] == 0; // the upper four bits of y2 are zero: shift by 4
    always @(posedge clk) begin
        y3     <= z4 ? y2[5:0] : y2[9:4];
        high3  <= ~{z2, z4};
        less3  <= ~{z2, z4} - 3'd1;
        low3   <= low2;
        small3 <= small2;
        last3  <= last2;
    end

    // stage 4: shift by 2 and 1; the bin is 8 + 4 * (octave - 3) + next = 4 * (octave - 1) + next
    // bin of an interval of 8 or more
    wire [6:0]  wide = y3[5] ? {high3, 2'd2, y3[4:3]} :
                       y3[4] ? {high3, 2'd1, y3[3:2]} :
                       y3[3] ? {high3, 2'd0, y3[2:1]} : {less3, 2'd3, y3[1:0]};
    wire [6:0] free = small3 ? {4'd0, low3} : wide; // bin before the last bin takes the rest
    wire [6:0] clip = last3 ? LAST[6:0] : free;     // the bin
    wire unused_clip = &{1'b0, clip};
    always @(posedge clk)
        bin <= clip[BIN_W-1:0];

endmodule
`default_nettype wire
