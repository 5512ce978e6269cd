// SPDX-License-Identifier: Apache-2.0
// victim_select: the search for the page that leaves (docs/blocks/victim_select.md).
//
// Search `scan`: every enabled frame is a candidate once, one a cycle; the POOL best stay in a
// sorted list, so that one that is used or pinned before the decision does not cost a new scan.
// Order: lower priority, then older last access, then lower frame. Source: LEU 3.1.
//
//   list, best first:   [0] [1] [2] ... [POOL-1]
//   a new candidate x:  goes before the first entry that it precedes; the rest moves down by one
`default_nettype none
module victim_select #(
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // candidates kept
    parameter POOL    = 16,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [FRAME_W:0]   cfg_frames,
    // the oldest undecided fault, if any, and whether it needs no victim
    input  wire               wanted,
    input  wire               no_search,
    output wire               idle,
    // candidates: request and grant of the frame table's side port, then the answer, in order
    output wire               cand_req,
    output wire [FRAME_W-1:0] cand_frame,
    input  wire               cand_grant,
    input  wire               ans_valid,
    input  wire               ans_eligible,
    input  wire [15:0]        ans_priority,
    input  wire [TIME_W-1:0]  ans_last,
    input  wire [FRAME_W-1:0] ans_frame,
    // decision: one at a time
    output wire               decide_req,
    output wire               decide_have,     // there is a best candidate
    output wire               decide_tired,    // two scans are done
    output wire [FRAME_W-1:0] decide_frame,
    output wire [TIME_W-1:0]  decide_last,
    output wire [15:0]        decide_priority,
    input  wire               decide_grant,
    input  wire               decide_done,     // the outcome of the one granted last
    input  wire               decide_retry     // it was no longer good
);

    localparam E_W = 1 + 16 + TIME_W + FRAME_W; // {valid, priority, last, frame}

    localparam IDLE = 2'd0, SCAN = 2'd1, WAIT = 2'd2, DECIDE = 2'd3;
    reg [1:0]         state;
    reg               issued;    // the decision is on its way
    reg [1:0]         rounds;    // scans begun
    reg [FRAME_W:0]   next;      // the frame whose turn it is
    reg [FRAME_W:0]   answers;   // answers still to come

    // ---- the sorted list
    reg  [E_W*POOL-1:0] list;
    wire [E_W-1:0]      x = {1'b1, ans_priority, ans_last, ans_frame};
    wire                offer = ans_valid && ans_eligible;
    reg  [POOL-1:0]     ahead; // x goes before entry i
    reg  [15:0]         e_priority;
    reg  [TIME_W-1:0]   e_last, newer;
    reg  [FRAME_W-1:0]  e_frame;
    reg                 e_valid;
    integer i;
    always @* begin
        ahead = 0;
        e_valid    = 1'b0;
        e_priority = 0;
        e_last     = 0;
        e_frame    = 0;
        newer      = 0;
        for (i = 0; i < POOL; i = i + 1) begin
            e_valid    = list[i*E_W + E_W - 1];
            e_priority = list[i*E_W + FRAME_W + TIME_W +: 16];
            e_last     = list[i*E_W + FRAME_W +: TIME_W];
            e_frame    = list[i*E_W +: FRAME_W];
            newer = e_last - ans_last; // a small positive number where x is older
            ahead[i] = !e_valid || ans_priority < e_priority ||
                        (ans_priority == e_priority &&
                         (ans_last == e_last ? ans_frame < e_frame : !newer[TIME_W-1]));
        end
    end

    wire clear = (state == IDLE) || (state == DECIDE && decide_done && !decide_retry);
    wire drop  = state == DECIDE && decide_done && decide_retry;
    always @(posedge clk)
        for (i = 0; i < POOL; i = i + 1)
            if (rst || clear)
                list[i*E_W + E_W - 1] <= 1'b0;
            else if (drop)
                list[i*E_W +: E_W] <= i + 1 < POOL ? list[((i + 1) % POOL)*E_W +: E_W] : {E_W{1'b0}};
            else if (offer && ahead[i])
                list[i*E_W +: E_W] <= i > 0 && ahead[(i + POOL - 1) % POOL]
                                      ? list[((i + POOL - 1) % POOL)*E_W +: E_W] : x;

    assign {decide_have, decide_priority, decide_last, decide_frame} = list[0 +: E_W];

    // ---- the search
    assign idle         = state == IDLE && !wanted;
    assign decide_tired = rounds == 2'd2;
    assign cand_req     = state == SCAN;
    assign cand_frame   = next[FRAME_W-1:0];
    assign decide_req   = state == DECIDE && !issued;

    always @(posedge clk) begin
        answers <= answers + {{FRAME_W{1'b0}}, cand_grant} - {{FRAME_W{1'b0}}, ans_valid};
        case (state)
            IDLE: begin
                next    <= 0;
                rounds  <= {1'b0, !no_search};
                answers <= 0;
                issued  <= 1'b0;
                if (wanted)
                    state <= no_search ? DECIDE : SCAN;
            end
            SCAN:
                if (cand_grant) begin
                    next <= next + 1'b1;
                    if (next + 1'b1 == cfg_frames)
                        state <= WAIT;
                end
            WAIT: // an empty list means one more scan
                if (answers == 0) begin
                    next <= 0;
                    if (decide_have || decide_tired || no_search) begin
                        state <= DECIDE;
                    end else begin
                        state  <= SCAN;
                        rounds <= rounds + 1'b1;
                    end
                end
            default: begin // DECIDE
                if (decide_grant)
                    issued <= 1'b1;
                if (decide_done) begin
                    issued <= 1'b0;
                    if (!decide_retry)
                        state <= IDLE;
                    else
                        state <= WAIT; // the list may be empty now
                end
            end
        endcase
        if (rst)
            state <= IDLE;
    end

endmodule
`default_nettype wire
