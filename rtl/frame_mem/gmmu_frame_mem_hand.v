// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_hand: the search for lines for new frames (docs/reference/blocks/frame_mem.md).
//
// The hand goes round behind the cleaner, two lines at a time. Both lines may leave the hand in one cycle if one of the two stays
// in use. The hand passes a line that was found again since the last visit (CLOCK). The hand gives up any other line, once the
// line's last write is done. The memory does writes in order, so that writes are counted, without a tag.
`default_nettype none
module gmmu_frame_mem_hand #(
    parameter LINES = 128,
    parameter L_W   = $clog2(LINES)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINES-1:0] again,     // per line: the line was found since the hand's visit
    input  wire [LINES-1:0] wiped,     // per line: the line was written back at the cleaner's last visit
    input  wire [L_W:1]     seen,      // the cleaner has passed all lines before this pair of lines
    input  wire             done,      // the oldest write is done
    input  wire             room,      // two more spare lines may be on their way
    output reg  [LINES-1:0] away,      // per line: the line leaves the hand
    input  wire             given,     // the line that leaves the hand gives up its frame
    output wire             pick,      // a line becomes a spare line, a cycle after given
    output reg  [L_W-1:0]   pick_line, // the line that becomes a spare line
    output reg  [L_W:1]     left       // all lines before this pair have left the hand
);

    reg  [L_W:1]   hand;      // the next pair; bit L_W is the round
    reg  [L_W-1:1] here;      // the pair that the hand looks at
    reg            v0;        // line 0 of the pair is still here
    reg            v1;        // line 1 of the pair is still here
    reg            a0;        // line 0 was found again when the hand came
    reg            a1;        // line 1 was found again when the hand came
    reg            w0;        // line 0 has a write that may not be done
    reg            w1;        // line 1 has a write that may not be done
    reg  [L_W:0]   written;   // writes done that are not in acks yet
    reg  [1:0]     acks;      // writes done, at most 3
    reg            fin1;      // the pair left the hand in the cycle before
    reg  [L_W-1:0] away_line; // the line that leaves the hand
    reg            picked;    // the line that left the hand has given up its frame
    wire more_acks = written != 0 && acks != 2'd3;
    wire do0  = v0 && (a0 || room) && (!w0 || acks != 0);
    wire do1  = v1 && (!v0 || (do0 && (a0 || a1))) && (a1 || room) && (!w1 || (v0 && w0 ? acks[1] : acks != 0));
    wire fin  = (do0 || !v0) && (do1 || !v1);
    wire load = fin && seen != hand;
    assign pick = picked;
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < LINES; i = i + 1)
            away[i] <= here == i[L_W-1:1] && (i % 2 == 0 ? do0 : do1);
        away_line <= {here, !v0 || (do0 && a0)};
        pick_line <= away_line;
        picked    <= given;
        if (load) begin
            hand <= hand + 1'b1;
            here <= hand[L_W-1:1];
            a0   <= again[{hand[L_W-1:1], 1'b0}];
            a1   <= again[{hand[L_W-1:1], 1'b1}];
            w0   <= wiped[{hand[L_W-1:1], 1'b0}];
            w1   <= wiped[{hand[L_W-1:1], 1'b1}];
        end
        v0 <= load || (v0 && !do0);
        v1 <= load || (v1 && !do1);
        acks    <= acks + {1'b0, more_acks} - {1'b0, do0 && w0} - {1'b0, do1 && w1};
        written <= written + {{L_W{1'b0}}, done} - {{L_W{1'b0}}, more_acks};
        fin1 <= fin && (v0 || v1);
        left <= left + {{L_W-1{1'b0}}, fin1};
        if (rst) begin
            away    <= 0;
            picked  <= 1'b0;
            v0      <= 1'b0;
            v1      <= 1'b0;
            hand    <= 0;
            acks    <= 2'd0;
            written <= 0;
            fin1    <= 1'b0;
            left    <= {1'b1, {L_W-1{1'b0}}};
        end
    end

endmodule
`default_nettype wire
