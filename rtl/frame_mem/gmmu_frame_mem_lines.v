// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_lines: the line that holds an operation's frame (docs/reference/blocks/frame_mem.md).
//
//   c1  compares the frame with all tags, and with the frames of the two operations before, whose lines may have no tag yet
//   c2  has the line, if the line still has the frame, and marks the line as *found again*
//   c3  gives the oldest spare line to an operation without a line
//
// An operation never waits here: `turns` keeps a spare line for each operation. A line that the hand gives up becomes a spare
// line, unless the line was found in the meantime.
`default_nettype none
module gmmu_frame_mem_lines #(
    parameter FRAME_W = 20,
    parameter LINES   = 128,
    // spare lines in store; two more may be on their way
    parameter ENOUGH  = 12,
    // bits of an operation's data
    parameter P_W     = 111,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               a_go,      // an operation comes
    input  wire               a_any,     // an operation is at a_* and may come
    input  wire               a_touch,   // the operation at a_* is a walk hit
    input  wire               a_none,    // the operation at a_* needs no frame
    input  wire [FRAME_W-1:0] a_frame,   // frame of the operation at a_*
    input  wire [P_W-1:0]     a_what,    // data of the operation at a_*
    // c3: the operation goes on, with its line
    output reg                c3_valid,  // an operation is at c3
    output reg                c3_touch,  // the operation at c3 is a walk hit
    output reg                c3_none,   // the operation at c3 needs no frame
    output reg                c3_take,   // the operation at c3 takes a new line: the word has to be read
    output wire [L_W-1:0]     c3_line,   // line of the operation at c3
    output reg  [FRAME_W-1:0] c3_frame,  // frame of the operation at c3
    output reg  [P_W-1:0]     c3_what,   // data of the operation at c3
    output wire               idle,      // no operation is at c1 to c3
    // the hand
    output reg  [LINES-1:0]   used,      // per line: the line has a frame
    output reg  [LINES-1:0]   again,     // per line: the line was found since the hand's visit
    input  wire [LINES-1:0]   away,      // per line: the line leaves the hand
    output wire               given,     // the line that leaves the hand gives up its frame, and is a spare line two cycles later
    input  wire               pick,      // a line becomes a spare line
    input  wire [L_W-1:0]     pick_line, // the line that becomes a spare line
    output wire               room       // two more spare lines may be on their way
);

    reg  [FRAME_W-1:0] tag [0:LINES-1];
    reg                c1_valid, c1_touch, c1_none, c2_valid, c2_touch, c2_none;
    reg  [FRAME_W-1:0] c1_frame, c2_frame;
    reg  [P_W-1:0]     c1_what, c2_what;
    reg  [LINES-1:0] c2_tag;   // lines whose tag was the frame
    reg              c2_same1; // the frame is that of the operation before
    reg              c2_same2; // the frame is that of the operation two before
    wire [LINES-1:0]   match = c2_tag & used;
    reg  [L_W-1:0] found;    // the line that the tags name
    reg  [L_W-1:0] c3_found; // found, for the operation at c3
    reg  [L_W-1:0] was_line; // line of the operation before
    reg            c3_same1; // c2_same1, for the operation at c3
    integer i, l;
    always @* begin
        found = c2_same2 ? was_line : {L_W{1'b0}};
        for (l = 0; l < LINES; l = l + 1)
            if (match[l])
                found = found | l[L_W-1:0];
    end

    wire [ENOUGH+1:0] spares; // bit i: there are more than i spare lines
    wire [L_W-1:0]    spare;  // the oldest spare line
    gmmu_short_fifo #(
        .WIDTH(L_W),
        .DEPTH(ENOUGH + 2)
    ) spare_lines (
        .clk(clk),
        .rst(rst),
        .push(pick),
        .wdata(pick_line),
        .pop(c3_take),
        .full(spares),
        .head(spare)
    );
    assign room = !spares[ENOUGH-1];
    wire unused_counts = &{1'b0, spares};
    assign c3_line = c3_take ? spare : c3_same1 ? was_line : c3_found;

    wire [LINES-1:0] close = away & ~again & ~c2_tag;
    assign given = close != 0;
    assign idle  = !c1_valid && !c2_valid && !c3_valid;
    always @(posedge clk) begin
        c1_valid <= a_go && !rst;
        if (a_any) begin
            c1_touch <= a_touch;
            c1_none  <= a_none;
            c1_frame <= a_frame;
            c1_what  <= a_what;
        end
        c2_valid <= c1_valid && !rst;
        c2_tag   <= 0;
        if (c1_valid) begin
            for (i = 0; i < LINES; i = i + 1)
                c2_tag[i] <= used[i] && !c1_none && tag[i] == c1_frame;
            c2_same1 <= c2_valid && !c2_none && !c1_none && c2_frame == c1_frame;
            c2_same2 <= c3_valid && !c3_none && !c1_none && c3_frame == c1_frame;
            c2_touch <= c1_touch;
            c2_none  <= c1_none;
            c2_frame <= c1_frame;
            c2_what  <= c1_what;
        end
        c3_valid <= c2_valid && !rst;
        c3_take  <= c2_valid && !c2_none && match == 0 && !c2_same1 && !c2_same2 && !rst;
        if (c2_valid) begin
            c3_same1 <= c2_same1;
            c3_found <= found;
            c3_touch <= c2_touch;
            c3_none  <= c2_none;
            c3_frame <= c2_frame;
            c3_what  <= c2_what;
        end
        was_line <= c3_line;
        if (c3_take)
            tag[spare] <= c3_frame;
        for (i = 0; i < LINES; i = i + 1) begin
            used[i]  <= (used[i] && !close[i]) || (c3_take && spare == i[L_W-1:0]);
            again[i] <= (again[i] && !away[i]) || match[i];
        end
        if (rst) begin
            used  <= 0;
            again <= 0;
        end
    end

endmodule
`default_nettype wire
