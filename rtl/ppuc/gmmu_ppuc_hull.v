// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_hull: the points of the upper hull, the nearest on top, as seen from a viewpoint (docs/reference/blocks/ppuc.md).
//
// A point is {edge of a bin, reuses beyond the edge}. The points are a stack: the two nearest are in registers, the others in a
// RAM. The number of points, and the distances of the two nearest from the viewpoint, are valid one cycle after a change.
`default_nettype none
module gmmu_ppuc_hull #(
    parameter BIN_W = 7,
    parameter X_W   = 19,
    parameter SUM_W = 23,
    // 1: a corrupt word is reported
    parameter PARITY = 1
) (
    input  wire             clk,
    input  wire             clear,       // all points go
    input  wire             push,        // the point {push_x, push_beyond} becomes the top
    input  wire             write,       // the RAM takes that point: same as push, but from a register
    input  wire [X_W-1:0]   push_x,      // edge of the point that is pushed
    input  wire [SUM_W-1:0] push_beyond, // number of reuses beyond that edge
    input  wire             pop,         // the top goes; not in the cycle after a push or a pop
    input  wire             view,        // {view_x, view_beyond} is the viewpoint from now on
    input  wire [X_W-1:0]   view_x,      // interval of the viewpoint
    input  wire [SUM_W-1:0] view_beyond, // number of reuses beyond the viewpoint
    output reg              some,        // the hull has a point
    output reg              several,     // the hull has two points or more
    output reg  [X_W-1:0]   top_dx,      // distance from the viewpoint to the top, in intervals
    output reg  [X_W-1:0]   under_dx,    // distance from the viewpoint to the point under the top, in intervals
    output reg  [SUM_W-1:0] top_dy,      // number of reuses between the viewpoint and the top
    output reg  [SUM_W-1:0] under_dy,    // number of reuses between the viewpoint and the point under the top
    output reg              bad          // PARITY: the point that the pop of two cycles before took from the RAM is corrupt
);

    reg [BIN_W:0]   points;       // number of points
    reg [X_W-1:0]   top_x;        // edge of the top
    reg [X_W-1:0]   under_x;      // edge of the point under the top
    reg [X_W-1:0]   from_x;       // interval of the viewpoint
    reg [SUM_W-1:0] top_beyond;   // number of reuses beyond the top
    reg [SUM_W-1:0] under_beyond; // number of reuses beyond the point under the top
    reg [SUM_W-1:0] from_beyond;  // number of reuses beyond the viewpoint
    localparam [BIN_W:0]   THREE = 3;
    wire [BIN_W:0]         third = points - THREE; // stack index of the third point
    localparam KEPT_W = X_W + SUM_W + (PARITY != 0 ? 1 : 0); // bits of a word in the RAM, with even parity
    wire [KEPT_W-1:0] third_q; // word that the RAM reads: the third point
    wire [KEPT_W-1:0] kept;    // word that the RAM writes
    wire              unused_third = &{1'b0, third[BIN_W]};
    generate
        if (PARITY != 0) begin : g_parity
            reg popped; // the point under the top came from the RAM in the cycle before
            reg par;    // parity bit of that point
            always @(posedge clk) begin
                popped <= pop && points >= THREE;
                if (pop)
                    par <= third_q[KEPT_W-1];
                bad <= popped && ^{par, under_x, under_beyond} && !clear;
            end
            assign kept = {^{push_x, push_beyond}, push_x, push_beyond};
        end else begin : g_bare
            always @(posedge clk)
                bad <= 1'b0;
            assign kept = {push_x, push_beyond};
        end
    endgenerate
    gmmu_ram_sdp #(
        .WIDTH(KEPT_W),
        .DEPTH(1 << BIN_W)
    ) ram (
        .clk(clk),
        .we(write),
        .waddr(points[BIN_W-1:0]),
        .wdata(kept),
        .re(1'b1),
        .raddr(third[BIN_W-1:0]),
        .rdata(third_q)
    );

    always @(posedge clk) begin
        some     <= points != 0;
        several  <= points[BIN_W:1] != 0;
        top_dx   <= top_x - from_x;
        under_dx <= under_x - from_x;
        top_dy   <= from_beyond - top_beyond;
        under_dy <= from_beyond - under_beyond;
        if (view) begin
            from_x      <= view_x;
            from_beyond <= view_beyond;
        end
        if (push) begin
            {top_x, top_beyond}     <= {push_x, push_beyond};
            {under_x, under_beyond} <= {top_x, top_beyond};
            points                  <= points + 1'b1;
        end
        if (pop) begin
            {top_x, top_beyond}     <= {under_x, under_beyond};
            {under_x, under_beyond} <= third_q[X_W+SUM_W-1:0];
            points                  <= points - 1'b1;
        end
        if (clear) begin
            points <= 0;
            // without points these values decide nothing; 0 keeps them defined
            {top_x, top_beyond}     <= 0;
            {under_x, under_beyond} <= 0;
        end
    end

endmodule
`default_nettype wire
