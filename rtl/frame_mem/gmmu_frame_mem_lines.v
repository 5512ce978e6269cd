// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_lines: which line holds an operation's frame (docs/blocks/frame_mem.md).
//
// c1: its frame against all tags and those of the two operations before, whose lines may have no tag yet; c2: the line, if
// it still has the frame; it is marked *found again*; c3: an operation without a line takes the oldest spare one. An
// operation never waits here: who lets it in keeps a spare line for it. A line that the hand gives up becomes a spare one
// unless it was found in the meantime.
`default_nettype none
module gmmu_frame_mem_lines #(
    parameter FRAME_W = 20,
    parameter LINES   = 128,
    // spare lines in store, at most two more
    parameter ENOUGH  = 12,
    // bits of what an operation says
    parameter P_W     = 111,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               a_go,      // an operation comes
    input  wire               a_any,     // what stands at a_* may come
    input  wire               a_touch,
    input  wire               a_none,    // it needs no frame
    input  wire [FRAME_W-1:0] a_frame,
    input  wire [P_W-1:0]     a_what,
    // c3: it goes on, with its line
    output reg                c3_valid,
    output reg                c3_touch,
    output reg                c3_none,
    output reg                c3_take,   // the line is new: its word has to be read
    output wire [L_W-1:0]     c3_line,
    output reg  [FRAME_W-1:0] c3_frame,
    output reg  [P_W-1:0]     c3_what,
    output wire               idle,
    // the hand
    output reg  [LINES-1:0]   used,      // it has a frame
    output reg  [LINES-1:0]   again,     // found since the hand was here
    input  wire [LINES-1:0]   away,      // the line that leaves the hand
    output wire               given,     // it gives up its frame, and is stored two cycles later:
    input  wire               pick,
    input  wire [L_W-1:0]     pick_line,
    output wire               room       // two more may be on their way
);

    reg  [FRAME_W-1:0] tag [0:LINES-1];
    reg                c1_valid, c1_touch, c1_none, c2_valid, c2_touch, c2_none;
    reg  [FRAME_W-1:0] c1_frame, c2_frame;
    reg  [P_W-1:0]     c1_what, c2_what;
    reg  [LINES-1:0]   c2_tag;             // lines that had its frame
    reg                c2_same1, c2_same2; // it has the frame of the operation before, of the one before that
    wire [LINES-1:0]   match = c2_tag & used;
    reg  [L_W-1:0]     found, c3_found, was_line;
    reg                c3_same1;
    integer i, l;
    always @* begin
        found = c2_same2 ? was_line : {L_W{1'b0}};
        for (l = 0; l < LINES; l = l + 1)
            if (match[l])
                found = found | l[L_W-1:0];
    end

    wire [ENOUGH+1:0]  spares;             // bit i: there are more than i
    wire [L_W-1:0]     spare;
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
