// SPDX-License-Identifier: Apache-2.0
// victim_select: the search for the page that leaves (docs/blocks/victim_select.md).
//
// Search `scan`: every enabled frame is a candidate once, one a cycle. Search `sample`: first the
// frames that the search before kept (its best losers, rescored), then K frames from a rotating
// hand. The POOL best stay in a sorted list, so that one that is used or pinned before the decision
// does not cost a second round.
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
    // candidates from the hand in a sampled search
    parameter K       = 64,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [FRAME_W:0]   cfg_frames,
    input  wire               cfg_search,      // 0 scan, 1 sample
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
    output wire               decide_tired,    // two rounds are done
    output wire [FRAME_W-1:0] decide_frame,
    output wire [TIME_W-1:0]  decide_last,
    output wire [15:0]        decide_priority,
    input  wire               decide_grant,
    input  wire               decide_done,     // the outcome of the one granted last
    input  wire               decide_retry,    // it was no longer good
    input  wire               decide_taken     // it is the victim
);

    localparam POOL_W = POOL > 1 ? $clog2(POOL) : 1;
    localparam E_W = 1 + 16 + TIME_W + FRAME_W; // {valid, priority, last, frame}

    localparam IDLE = 2'd0, SCAN = 2'd1, WAIT = 2'd2, DECIDE = 2'd3;
    reg [1:0]         state;
    reg               issued;    // the decision is on its way
    reg [1:0]         rounds;    // rounds begun
    reg [FRAME_W-1:0] hand;      // the frame whose turn it is, after the kept ones
    reg [FRAME_W:0]   left;      // turns of the hand that are left in this round
    reg [FRAME_W:0]   answers;   // answers still to come

    // ---- the sorted list
    reg  [E_W*POOL-1:0] list;
    wire [E_W-1:0]      x = {1'b1, ans_priority, ans_last, ans_frame};
    wire                offer = ans_valid && ans_eligible && !listed;
    reg  [POOL-1:0]     ahead;  // x goes before entry i
    reg                 listed; // x is there already: it was kept, and then met by the hand
    reg  [15:0]         e_priority;
    reg  [TIME_W-1:0]   e_last, newer;
    reg  [FRAME_W-1:0]  e_frame;
    reg                 e_valid;
    integer i;
    always @* begin
        ahead  = 0;
        listed = 1'b0;
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
            listed   = listed || (e_valid && e_frame == ans_frame);
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

    // ---- what `sample` keeps for the next search: the list without the victim
    reg [POOL-1:0]         kept_valid;
    reg [FRAME_W*POOL-1:0] kept;
    reg [POOL_W:0]         kept_at;
    wire kept_more = kept_at < POOL[POOL_W:0] && kept_valid[kept_at[POOL_W-1:0]];
    wire keep      = state == DECIDE && decide_done && !decide_retry && cfg_search && rounds != 0;
    always @(posedge clk)
        if (rst)
            kept_valid <= 0;
        else if (keep)
            for (i = 0; i < POOL; i = i + 1)
                if (!decide_taken) begin
                    kept_valid[i]               <= list[i*E_W + E_W - 1];
                    kept[i*FRAME_W +: FRAME_W]  <= list[i*E_W +: FRAME_W];
                end else begin
                    kept_valid[i]               <= i + 1 < POOL && list[((i + 1) % POOL)*E_W + E_W - 1];
                    kept[i*FRAME_W +: FRAME_W]  <= list[((i + 1) % POOL)*E_W +: FRAME_W];
                end

    // ---- the search
    wire [31:0] frames = {{31 - FRAME_W{1'b0}}, cfg_frames};
    wire        few    = frames <= K; // not more frames than a sample would take
    wire [FRAME_W:0] turns = cfg_search && !few ? K[FRAME_W:0] : cfg_frames;
    assign idle         = state == IDLE && !wanted;
    assign decide_tired = rounds == 2'd2;
    assign cand_req     = state == SCAN;
    assign cand_frame   = kept_more ? kept[kept_at[POOL_W-1:0]*FRAME_W +: FRAME_W] : hand;
    assign decide_req   = state == DECIDE && !issued;

    always @(posedge clk) begin
        answers <= answers + {{FRAME_W{1'b0}}, cand_grant} - {{FRAME_W{1'b0}}, ans_valid};
        case (state)
            IDLE: begin
                kept_at <= 0;
                left    <= turns;
                rounds  <= {1'b0, !no_search};
                answers <= 0;
                issued  <= 1'b0;
                if (!cfg_search || {1'b0, hand} >= cfg_frames)
                    hand <= 0;
                if (wanted)
                    state <= no_search ? DECIDE : SCAN;
            end
            SCAN:
                if (cand_grant && kept_more) begin
                    kept_at <= kept_at + 1'b1;
                end else if (cand_grant) begin
                    hand <= {1'b0, hand} + 1'b1 == cfg_frames ? {FRAME_W{1'b0}} : hand + 1'b1;
                    left <= left - 1'b1;
                    if (left == 1)
                        state <= WAIT;
                end
            WAIT: // an empty list means one more round
                if (answers == 0) begin
                    left <= turns;
                    if (decide_have || decide_tired || no_search) begin
                        state <= DECIDE;
                    end else begin
                        if (rounds != 0)
                            kept_at <= POOL[POOL_W:0]; // the kept ones come in the first round only
                        state  <= SCAN;
                        rounds <= rounds + 1'b1;
                    end
                end
            default: begin // DECIDE
                if (decide_grant)
                    issued <= 1'b1;
                if (decide_done) begin
                    issued <= 1'b0;
                    state  <= decide_retry ? WAIT : IDLE; // after a RETRY the list may be empty
                end
            end
        endcase
        if (rst) begin
            state <= IDLE;
            hand  <= 0;
        end
    end

endmodule
`default_nettype wire
