// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_hand: finds lines for new frames (docs/blocks/frame_mem.md).
//
// It goes round behind the cleaner, two lines at a time, which may leave it in one cycle if one of them stays in use. A
// line that was found again since the last visit is passed by (CLOCK); another one it gives up, once its last write is
// done. Writes are done in order, so they are counted only.
`default_nettype none
module gmmu_frame_mem_hand #(
    parameter LINES = 128,
    parameter L_W   = $clog2(LINES)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINES-1:0] again,      // found again since it was here
    input  wire [LINES-1:0] wiped,      // written back, when the cleaner was here last
    input  wire [L_W:1]     seen,       // the cleaner has passed all lines before these two
    input  wire             done,       // the oldest write is done
    input  wire             room,       // for two more spare lines
    output reg  [LINES-1:0] away,       // the line that leaves the hand,
    input  wire             given,      // and gives up its frame:
    output wire             pick,       // a cycle later it is spare
    output reg  [L_W-1:0]   pick_line,
    output reg  [L_W:1]     left        // lines before these two have left the hand
);

    reg  [L_W:1]   hand;      // the next two; bit L_W: the round
    reg  [L_W-1:1] here;      // the two that it looks at
    reg            v0, v1;    // they are still here,
    reg            a0, a1;    // were found again when it came,
    reg            w0, w1;    // and have a write that may not be done
    reg  [L_W:0]   written;   // writes done of which it does not know
    reg  [1:0]     acks;      // and of which it does
    reg            fin1;
    reg  [L_W-1:0] away_line;
    reg            picked;
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
