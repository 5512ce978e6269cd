// SPDX-License-Identifier: Apache-2.0
// victim_select: the search for the page that leaves (docs/blocks/victim_select.md).
//
// Search `scan`: every enabled frame is a candidate once, one a cycle. Search `sample`: first the
// frames that the search before kept (its best losers, rescored), then K frames from a rotating
// hand. The POOL best stay in a sorted list, so that one that is used or pinned before the decision
// does not cost a second round.
// Order: not guarded, then lower priority, then older last access, then lower frame. Source: LEU 3.1.
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
    input  wire               ans_guarded,     // it leaves after all that are not
    input  wire [15:0]        ans_priority,
    input  wire [TIME_W-1:0]  ans_last,
    input  wire [FRAME_W-1:0] ans_frame,
    // decision: one at a time
    output wire               decide_req,
    output wire               decide_have,     // there is a best candidate
    output wire               decide_tired,    // two rounds are done
    output wire               decide_searched, // one is, at least
    output wire [FRAME_W-1:0] decide_frame,
    output wire [TIME_W-1:0]  decide_last,
    output wire [15:0]        decide_priority,
    input  wire               decide_grant,
    input  wire               decide_done,     // the outcome of the one granted last
    input  wire               decide_retry,    // it was no longer good
    input  wire               decide_taken     // it is the victim
);

    localparam P_W = 1 + 16;                     // {guarded, priority}
    localparam E_W = 1 + P_W + TIME_W + FRAME_W; // {valid, guarded, priority, last, frame}

    localparam IDLE = 2'd0, SCAN = 2'd1, WAIT = 2'd2, DECIDE = 2'd3;
    reg [1:0]         state;
    reg               issued;    // the decision is on its way
    reg [1:0]         rounds;    // rounds begun
    reg [FRAME_W-1:0] hand;      // the frame whose turn it is, after the kept ones
    reg [FRAME_W:0]   left;      // turns of the hand that are left in this round
    reg [FRAME_W:0]   answers;   // answers still to come

    // ---- the sorted list. A candidate takes three cycles: its parts are compared with those of all
    // entries (x); the order and `listed` follow from that (x1); it is inserted (x2). Where an entry
    // moves, what the two candidates behind x2 know of it moves along, and so does x2 with what they
    // know of it.
    // Entries, x1 and x2 are held as complements: a comparison is then a sum without an inverter.
    localparam [E_W-1:0] COMPLEMENT = {1'b0, {E_W-1{1'b1}}};
    wire                x_valid = ans_valid && ans_eligible;
    wire [E_W-1:0]      x = {1'b1, ans_guarded, ans_priority, ans_last, ans_frame};
    reg  [E_W-1:0]      x1, x2;
    reg                 x1_valid, x2_valid;
    wire [POOL-1:0]     x2_ahead;   // x2 goes before entry i
    wire [POOL-1:0]     gets   = x2_valid ? x2_ahead : {POOL{1'b0}}; // entry i is replaced
    wire [POOL-1:0]     moves  = gets << 1;                          // by entry i - 1, else by x2

    // Of candidate c to entry e, a complement: {priority is higher, its halves are the same, last access
    // is older or the same, its halves are the same, frame is higher, is the same}
    localparam PARTS = 8;
    localparam HALF  = TIME_W / 2;
    function [PARTS-1:0] parts(input [E_W-2:0] c, input [E_W-2:0] e);
        reg [P_W:0]      priority_sum; // c + ~e: c - e - 1
        reg [TIME_W-1:0] last_sum;     // a small negative number where c is older
        reg [FRAME_W:0]  frame_sum;
        reg              unused_sums;
        begin
            priority_sum = {1'b0, c[FRAME_W + TIME_W +: P_W]} + {1'b0, e[FRAME_W + TIME_W +: P_W]};
            last_sum     = c[FRAME_W +: TIME_W] + e[FRAME_W +: TIME_W];
            frame_sum    = {1'b0, c[0 +: FRAME_W]} + {1'b0, e[0 +: FRAME_W]};
            parts = {priority_sum[P_W],
                     c[FRAME_W + TIME_W +: 8] == ~e[FRAME_W + TIME_W +: 8],
                     c[FRAME_W + TIME_W + 8 +: P_W - 8] == ~e[FRAME_W + TIME_W + 8 +: P_W - 8],
                     last_sum[TIME_W-1],
                     c[FRAME_W +: HALF] == ~e[FRAME_W +: HALF],
                     c[FRAME_W + HALF +: TIME_W - HALF] == ~e[FRAME_W + HALF +: TIME_W - HALF],
                     frame_sum[FRAME_W], c[0 +: FRAME_W] == ~e[0 +: FRAME_W]};
            unused_sums = &{1'b0, priority_sum, last_sum, frame_sum};
        end
    endfunction

    function precedes(input [PARTS-2:0] p); // but for the last part
        precedes = p[5] && p[4] ? (p[2] && p[1] ? !p[0] : p[3]) : !p[6];
    endfunction

    // What no candidate asks for is left undefined: a simulator need not work it out.
    reg  [PARTS-1:0] x_to_x2, x1_to_x2;
    always @*
        if (x_valid)
            x_to_x2 = parts(x[E_W-2:0], x2[E_W-2:0]);
        else
            x_to_x2 = {PARTS{1'bx}};

    // x1 is there already: it was kept, and then met by the hand
    wire [POOL-1:0] same;
    wire listed = same != 0 || (gets[POOL-1] && x1_to_x2[0]);
    wire offer  = x1_valid && !listed;

    always @(posedge clk) begin
        x1_valid <= x_valid && !rst;
        if (x_valid) begin
            x1       <= x ^ COMPLEMENT;
            x1_to_x2 <= parts(x[E_W-2:0], x1[E_W-2:0]);
        end
        x2_valid <= offer && !rst;
        if (x1_valid)
            x2 <= x1;
    end

    wire clear = state == IDLE;
    wire drop  = state == DECIDE && decide_done && decide_retry;
    // what `sample` keeps for the next search: the list without the victim. The kept ones come in the
    // first round, which leaves none for the second one.
    wire keep  = state == DECIDE && decide_done && !decide_retry && cfg_search && decide_searched;
    wire kept_more = g_entry[0].kept_valid;
    wire next_kept = cand_grant && kept_more;
    genvar i;
    generate
        for (i = 0; i < POOL; i = i + 1) begin : g_entry
            reg  [E_W-1:0]     held;
            wire [E_W-1:0]     entry = held ^ COMPLEMENT;
            wire               full  = entry[E_W-1];
            reg                kept_valid;
            reg  [FRAME_W-1:0] kept;
            // of x and of x1 to this entry
            reg  [PARTS-1:0]   x_parts, x1_parts;
            reg                ahead;
            // the entries before and behind
            wire [E_W-1:0]     held_before, held_behind;
            wire [PARTS-1:0]   x_before;
            wire [PARTS-2:0]   x1_before;
            wire               kept_valid_behind;
            wire [FRAME_W-1:0] kept_behind;
            if (i > 0) begin : g_before
                assign held_before = g_entry[i - 1].held;
                assign x_before    = g_entry[i - 1].x_parts;
                assign x1_before   = g_entry[i - 1].x1_parts[PARTS-1:1];
            end else begin : g_first
                assign held_before = x2;
                assign x_before    = x_to_x2;
                assign x1_before   = x1_to_x2[PARTS-1:1];
            end
            if (i + 1 < POOL) begin : g_behind
                assign held_behind       = g_entry[i + 1].held;
                assign kept_valid_behind = g_entry[i + 1].kept_valid;
                assign kept_behind       = g_entry[i + 1].kept;
            end else begin : g_last
                assign held_behind       = {E_W{1'b0}};
                assign kept_valid_behind = 1'b0;
                assign kept_behind       = {FRAME_W{1'b0}};
            end
            always @*
                if (x_valid)
                    x_parts = parts(x[E_W-2:0], held[E_W-2:0]);
                else
                    x_parts = {PARTS{1'bx}};
            assign same[i]     = full && x1_parts[0] && !(i == POOL - 1 && gets[i]);
            assign x2_ahead[i] = ahead;
            always @(posedge clk) begin
                if (x_valid)
                    x1_parts <= !gets[i] ? x_parts : moves[i] ? x_before : x_to_x2;
                if (x1_valid) begin
                    if (!gets[i])
                        ahead <= !full || precedes(x1_parts[PARTS-1:1]);
                    else if (moves[i])
                        ahead <= !held_before[E_W-1] || precedes(x1_before);
                    else
                        ahead <= precedes(x1_to_x2[PARTS-1:1]);
                end
                if (rst || clear)
                    held[E_W-1] <= 1'b0;
                else if (drop)
                    held <= held_behind;
                else if (gets[i])
                    held <= moves[i] ? held_before : x2;
                if (rst) begin
                    kept_valid <= 1'b0;
                end else if (keep && !decide_taken) begin
                    kept_valid <= full;
                    kept       <= entry[0 +: FRAME_W];
                end else if (keep) begin
                    kept_valid <= held_behind[E_W-1];
                    kept       <= ~held_behind[0 +: FRAME_W];
                end else if (next_kept) begin
                    kept_valid <= kept_valid_behind;
                    kept       <= kept_behind;
                end
            end
        end
    endgenerate

    wire unused_guarded;
    assign {decide_have, unused_guarded, decide_priority, decide_last, decide_frame} = g_entry[0].entry;

    // ---- the search
    wire [31:0] frames = {{31 - FRAME_W{1'b0}}, cfg_frames};
    wire        few    = frames <= K; // not more frames than a sample would take
    wire [FRAME_W:0] turns = cfg_search && !few ? K[FRAME_W:0] : cfg_frames;
    assign idle         = state == IDLE && !wanted;
    assign decide_tired = rounds == 2'd2;
    assign decide_searched = rounds != 2'd0;
    assign cand_req     = state == SCAN;
    assign cand_frame   = kept_more ? g_entry[0].kept : hand;
    assign decide_req   = state == DECIDE && !issued;

    always @(posedge clk) begin
        answers <= answers + {{FRAME_W{1'b0}}, cand_grant} - {{FRAME_W{1'b0}}, ans_valid};
        case (state)
            IDLE: begin
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
                if (cand_grant && !kept_more) begin
                    hand <= {1'b0, hand} + 1'b1 == cfg_frames ? {FRAME_W{1'b0}} : hand + 1'b1;
                    left <= left - 1'b1;
                    if (left == 1)
                        state <= WAIT;
                end
            WAIT: // an empty list means one more round
                if (answers == 0 && !x1_valid && !x2_valid) begin
                    left <= turns;
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
