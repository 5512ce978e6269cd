// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_hull: the points of the upper hull, the nearest on top, as seen from a viewpoint (docs/blocks/ppuc.md).
//
// A point is {edge of a bin, reuses beyond it}. The two nearest are in registers, the others in a RAM. How far
// right and up of the viewpoint the two are, and how many there are, shows one cycle after a change.
`default_nettype none
module gmmu_ppuc_hull #(
    parameter BIN_W = 7,
    parameter X_W   = 19,
    parameter SUM_W = 23,
    // 1: a word that turned bad is told
    parameter PARITY = 1
) (
    input  wire             clk,
    input  wire             clear,
    input  wire             push,          // the point {push_x, push_beyond} becomes the top
    input  wire             write,         // and goes into the RAM: with push, but from a register
    input  wire [X_W-1:0]   push_x,
    input  wire [SUM_W-1:0] push_beyond,
    input  wire             pop,           // not in the cycle after a push or pop
    input  wire             view,          // the viewpoint from now on
    input  wire [X_W-1:0]   view_x,
    input  wire [SUM_W-1:0] view_beyond,
    output reg              some, several, // one point or more, two or more
    output reg  [X_W-1:0]   top_dx, under_dx,
    output reg  [SUM_W-1:0] top_dy, under_dy,
    output reg              bad            // PARITY: two cycles after a pop: the point that came from the RAM had turned bad
);

    reg  [BIN_W:0]         points;
    reg  [X_W-1:0]         top_x, under_x, from_x;
    reg  [SUM_W-1:0]       top_beyond, under_beyond, from_beyond;
    localparam [BIN_W:0]   THREE = 3;
    wire [BIN_W:0]         third = points - THREE; // stack index of the point under `under`
    localparam KEPT_W = X_W + SUM_W + (PARITY != 0 ? 1 : 0); // in the RAM: all of it together are even
    wire [KEPT_W-1:0]      third_q, kept;
    wire                   unused_third = &{1'b0, third[BIN_W]};
    generate
        if (PARITY != 0) begin : g_parity
            reg popped, par; // `under` came from the RAM; its parity
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
            // no point stands there: what is computed from both decides nothing, and is a number
            {top_x, top_beyond}     <= 0;
            {under_x, under_beyond} <= 0;
        end
    end

endmodule
`default_nettype wire
