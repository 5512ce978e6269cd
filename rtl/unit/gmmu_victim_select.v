// SPDX-License-Identifier: Apache-2.0
// gmmu_victim_select: the search for the page that leaves (docs/reference/blocks/victim_select.md).
//
//   search  candidates
//   scan    every enabled frame once, one a cycle
//   sample  the frames that the search before kept (in its places, rescored), then K frames from a rotating hand
//   clock   from the hand on, the first frame without a hit since its FILL or since the hand passed the frame (HAND)
//
// scan, sample: candidates meet in POOL places, a frame in place frame mod POOL. The first candidate in the order stays in the
// place: a candidate that is used or pinned before the decision costs no second round. Order: not guarded, then lower priority,
// then older last access, then lower frame. Source: LEU 3.1.
// clock: no priorities. The HANDs behind the candidate are void, and the hand goes back to rest behind the candidate. After a
// RETRY the hand goes on from there.
//
// An answer or an outcome comes within 63 cycles, without the cycles with `slow`. After 63 cycles the answer was lost or counted
// wrongly, after a corrupt bit (docs/reference/signoff/flips.md), and the search waits no longer.
//
// PARITY: a place with a corrupt word is no candidate when the place is read after a RETRY.
//
//   stage  step
//   x      the answer comes; its place is read
//   x1     the answer is compared with the candidate in the place, with x2, and with the best
//   x2     the candidate goes to its place, or becomes the best
//   x3     the candidate of the cycle before x2, which x1 compares with if the read of x1 was too early
`default_nettype none
module gmmu_victim_select #(
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // places, a power of two
    parameter POOL    = 16,
    // candidates from the hand in a sampled search
    parameter K       = 64,
    // 1: corrupt words are reported
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [FRAME_W:0]   cfg_frames,      // number of enabled frames
    input  wire [1:0]         cfg_search,      // the search: 0 scan, 1 sample, 2 and 3 clock
    // the oldest undecided fault
    input  wire               wanted,          // a fault is undecided: a search may begin
    input  wire               no_search,       // the oldest undecided fault needs no victim
    input  wire               slow,            // answers may take any time
    output wire               idle,            // no search is under way or wanted
    // candidates: requests to side_port; the answers come in order
    output wire               cand_req,        // a CAND or a HAND is asked for
    output wire [FRAME_W-1:0] cand_frame,      // frame of the asked CAND or HAND
    input  wire               cand_grant,      // the asked CAND or HAND is granted
    input  wire               ans_valid,       // the oldest CAND is answered
    input  wire               ans_eligible,    // the frame may be a victim
    input  wire               ans_fresh,       // its page is fresh: eligible in a forced search alone, and then behind all others
    input  wire               ans_guarded,     // the frame is protected: the frame leaves after all frames that are not protected
    input  wire [15:0]        ans_priority,    // priority of the page
    input  wire [TIME_W-1:0]  ans_last,        // time of the page's last access
    input  wire [FRAME_W-1:0] ans_frame,       // frame of the answered CAND
    // clock: the candidates are HANDs
    output reg                cand_hand,       // the search is clock: a HAND is asked for
    input  wire               hand_valid,      // the oldest HAND is answered
    input  wire               hand_eligible,   // the frame may be a victim
    input  wire               hand_recent,     // the page was hit since its FILL or the hand's pass
    input  wire               hand_fresh,      // its page is fresh
    input  wire [TIME_W-1:0]  hand_last,       // time of the page's last access
    input  wire [FRAME_W-1:0] hand_frame,      // frame of the answered HAND
    output reg                hand_void,       // the oldest HAND is void: an earlier HAND found the candidate
    // the decision: one DECIDE at a time
    output wire               decide_req,      // a DECIDE is asked for
    output wire               decide_have,     // there is a candidate
    output wire               decide_tired,    // two rounds are done: the search gives up if there is no candidate
    input  wire               forces,          // the search that begins may take fresh frames
    output reg                forced,          // the search that is under way may take fresh frames
    output reg                decide_fresh,    // the second round passed over a fresh frame
    output wire               decide_searched, // scan, sample: a round was begun for the decision
    output wire [FRAME_W-1:0] decide_frame,    // frame of the candidate
    output wire [TIME_W-1:0]  decide_last,     // time of the candidate's last access
    output wire [15:0]        decide_priority, // priority of the candidate
    input  wire               decide_grant,    // the DECIDE is granted
    input  wire               decide_done,     // the outcome of the DECIDE comes
    input  wire               decide_retry,    // outcome: the candidate is not good any more, or is kept
    input  wire               decide_kept,     // outcome: the candidate is kept, and the clock goes on behind the candidate for up to two more rounds
    input  wire               decide_taken,    // outcome: the candidate is the victim
    output wire               hand_takes,      // the HAND of the cycle before found the candidate
    output reg                turned           // PARITY: toggles with each place that was read with a corrupt word
);

    localparam P_W  = 1 + 16;                              // {guarded, priority}
    localparam LOG  = $clog2(POOL);
    localparam S_W  = LOG > 0 ? LOG : 1;                   // bits of a place
    localparam H_W  = FRAME_W > LOG ? FRAME_W - LOG : 1;   // bits of a frame above the place
    localparam F_W  = H_W + S_W;                           // bits of {frame above the place, place}
    localparam PAD  = S_W - LOG;                           // bits of 0 below the frame
    localparam C_W  = P_W + TIME_W + F_W;                  // {guarded, priority, last, frame}
    generate
        if (POOL < 1 || (POOL & (POOL - 1)) != 0) begin : g_bad
            POOL_must_be_a_power_of_two stop_here();
        end
    endgenerate

    localparam IDLE = 2'd0, SCAN = 2'd1, WAIT = 2'd2, DECIDE = 2'd3;
    reg [1:0]         state;
    reg               issued;    // the DECIDE is under way
    reg [1:0]         rounds;    // number of rounds begun
    reg [FRAME_W-1:0] hand;      // the frame of the next turn, after the kept frames
    reg [FRAME_W:0]   left;      // turns of the hand that are left in this round
    reg [FRAME_W:0]   answers;   // answers that have not come

    // ---- places: their content lies in a RAM, {guarded, priority, last, frame above the place}
    reg  [POOL-1:0] valid;      // per place: the place has a candidate of this search
    reg  [POOL-1:0] kept;       // per place: its frame is still to be asked for; after a RETRY: the place is still to be read
    reg             ask_valid;  // a kept place was read
    reg  [S_W-1:0]  ask_slot;   // that place
    wire            again = state == WAIT && rounds != 2'd0; // the places are read after a RETRY
    wire            read  = again && ask_valid;
    wire            kept_more = kept != 0;
    wire            fetch = !ask_valid || cand_grant || again; // the next kept place is read
    reg  [S_W-1:0]  next_slot;  // the lowest kept place; 0 without a kept place
    integer j;
    always @* begin
        next_slot = 0;
        for (j = POOL - 1; j >= 0; j = j - 1)
            if (kept[j])
                next_slot = j[S_W-1:0];
    end

    // ---- candidates. complement: x2, x3, the places and the best are held inverted, so that a comparison is a sum without an inverter.
    // late count: `takes` arrives last. The HANDs behind are void in the next cycle, and all else follows in that cycle.
    wire               takes = cand_hand && hand_valid && hand_eligible && !hand_recent && !hand_void; // the HAND finds the candidate
    reg                took;       // the HAND of the cycle before found the candidate
    reg  [FRAME_W-1:0] took_frame; // frame of that candidate
    reg  [TIME_W-1:0]  took_last;  // last access of that candidate
    assign hand_takes = took;
    wire [F_W-1:0]     ans_id = {{F_W - FRAME_W{1'b0}}, cand_hand ? took_frame : ans_frame} << PAD;
    wire [S_W-1:0]     x_slot = ans_id[S_W-1:0];
    // (a kept frame may be disabled by now, or beyond the enabled frames after a corrupt word)
    wire               x_valid = cand_hand ? took : ans_valid && ans_eligible && {1'b0, ans_frame} < cfg_frames;
    wire               last_resort = ans_fresh && ans_eligible; // a forced search may take a fresh frame, behind all others
    wire               over_fresh  = cand_hand ? hand_valid && !hand_void && hand_fresh && !hand_eligible
                                               : ans_valid && ans_fresh && !ans_eligible;
    localparam KEPT_W = C_W - S_W + (PARITY != 0 ? 1 : 0); // bits of a word in the RAM: word and parity together are even
    wire [KEPT_W-1:0]  word;              // the word as read
    wire [KEPT_W-1:0]  x2_kept;           // the word as written
    wire [C_W-S_W-1:0] rdata = word[C_W-S_W-1:0];
    wire               odd = PARITY != 0 && ^word;
    reg  [C_W-1:0]     x1, x2;            // the candidate at x1; the complement of the candidate at x2
    reg  [C_W-S_W-1:0] x3;                // the complement of the candidate at x3
    reg                x1_valid, x2_valid;
    reg                x1_new, x2_new;    // the candidate is an answer, not read from a place
    reg                x1_full;           // the place of x1 has a candidate
    reg                x1_bad;            // x1 was read from a corrupt word
    reg                asked;             // a kept frame was asked for
    reg                asked_bad;         // the word of that frame's place is corrupt
    reg                x1_after_x3;       // x3 went to the place while x1 read the place
    reg                x2_after_x3;       // x3 is of the place of x2, and came a cycle before x2
    reg                x3_put;            // x3 went to its place
    reg                x3_taken;          // x3 became the best
    reg  [C_W-1:0]     best;              // complement of the best candidate
    reg                best_valid;        // there is a best candidate

    // Comparison of candidate c with e, a complement: {the priority of c is lower, is the same, last and frame of c are lower or the
    // same}. Ages are below half the range of TIME_W bits: a negative difference means older, or as old with a lower frame.
    function [2:0] parts(input [C_W-1:0] c, input [C_W-1:0] e);
        reg [P_W:0]          high; // c + ~e: c - e - 1
        reg [TIME_W+F_W-1:0] low;
        reg                  unused_sums;
        begin
            high  = {1'b0, c[TIME_W+F_W +: P_W]} + {1'b0, e[TIME_W+F_W +: P_W]};
            low   = c[TIME_W+F_W-1:0] + e[TIME_W+F_W-1:0];
            parts = {!high[P_W], c[TIME_W+F_W +: P_W] == ~e[TIME_W+F_W +: P_W], low[TIME_W+F_W-1]};
            unused_sums = &{1'b0, high, low};
        end
    endfunction
    function precedes(input [2:0] p); // c comes before e, or is the same
        precedes = p[1] ? p[0] : p[2];
    endfunction
    wire [C_W-S_W-1:0] held = x1_after_x3 ? x3 : rdata;
    reg  [2:0]         to_slot;           // comparison of x2 with the candidate in its place
    reg                to_best;           // x2 comes before the best
    reg                to_next;           // x2 comes before x3
    wire put   = x2_valid && x2_new && (x2_after_x3 && x3_put ? to_next : precedes(to_slot));
    wire taken = x2_valid && (!best_valid || (x3_taken ? to_next : to_best));

    // Each kept frame has a place of its own, which holds no other candidate yet: no answer is in the way.
    generate
        if (PARITY != 0) begin : g_parity
            assign x2_kept = {^x2[C_W-1:S_W], x2[C_W-1:S_W]};
        end else begin : g_bare
            assign x2_kept = x2[C_W-1:S_W];
        end
    endgenerate
    gmmu_ram_sdp #(
        .WIDTH(KEPT_W),
        .DEPTH(1 << S_W)
    ) slots (
        .clk(clk),
        .we(put),
        .waddr(~x2[S_W-1:0]),
        .wdata(x2_kept),
        .re(fetch),
        .raddr(kept_more ? next_slot : x_slot),
        .rdata(word)
    );

    wire at_rest = state == IDLE;
    wire sample  = cfg_search == 2'd1 && (at_rest || !cand_hand);
    wire forgets = rst || (at_rest && cfg_search[1]); // search `clock` keeps no frame
    wire over    = state == DECIDE && decide_done;
    localparam [POOL-1:0] ONE = 1;
    // the places without the victim, or without the candidate that is not good any more
    wire [POOL-1:0] rest = decide_retry || decide_taken ? valid & ~(ONE << ~best[S_W-1:0]) : valid;

    always @(posedge clk) begin
        if (fetch)
            ask_slot <= next_slot;
        ask_valid <= !forgets && (kept_more || !fetch);
        // `sample` keeps the candidates for the next search
        if (forgets)
            kept <= 0;
        else if (over && decide_searched && (decide_retry || sample))
            kept <= rest;
        else if (fetch)
            kept[next_slot] <= 1'b0;

        x1_valid    <= !rst && !at_rest && (x_valid || read);
        x1_new      <= x_valid;
        x1_full     <= valid[x_slot];
        x1_after_x3 <= put && ~x2[S_W-1:0] == x_slot;
        x1 <= read ? ~{rdata, ~ask_slot} : cand_hand ? {{P_W{1'b0}}, took_last, ans_id} :
                  {ans_guarded || last_resort, ans_priority | {16{last_resort}}, ans_last, ans_id};
        x2_valid    <= !rst && !at_rest && x1_valid && !x1_bad;
        x1_bad      <= read && odd;
        asked       <= ask_valid && cand_grant && !again && !rst;
        asked_bad   <= odd;
        turned      <= !rst && turned != ((x1_valid && x1_bad) || (asked && asked_bad));
        x2_new      <= x1_new;
        x2_after_x3 <= x2_valid && ~x2[S_W-1:0] == x1[S_W-1:0];
        if (x1_valid) begin
            x2      <= ~x1;
            to_slot <= x1_full ? parts({x1[C_W-1:S_W], {S_W{1'b0}}}, {held, {S_W{1'b1}}}) : 3'b100;
            to_best <= precedes(parts(x1, best));
            to_next <= precedes(parts(x1, x2));
        end
        x3_put   <= put;
        x3_taken <= taken;
        if (x2_valid)
            x3 <= x2[C_W-1:S_W];

        if (at_rest || rst)
            valid <= 0;
        else if (over)
            valid <= rest;
        else if (x_valid)
            valid[x_slot] <= 1'b1;
        best_valid <= !at_rest && !(over && decide_retry) && (best_valid || x2_valid);
        if (taken)
            best <= x2;
    end

    wire [F_W-1:0] kept_id = {~rdata[H_W-1:0], ask_slot} >> PAD;
    wire [F_W-1:0] best_id = ~best[F_W-1:0] >> PAD;
    wire unused_id = &{1'b0, kept_id, best_id, best[C_W-1]};
    assign decide_have     = best_valid;
    assign decide_priority = ~best[TIME_W + F_W +: 16];
    assign decide_last     = ~best[F_W +: TIME_W];
    assign decide_frame    = best_id[FRAME_W-1:0];

    // ---- patience
    reg  [5:0] waited; // cycles since the last answer, without those with `slow`
    reg        lost;   // the pending answer is lost
    wire              answer = cand_hand ? hand_valid : ans_valid;
    wire       owed = (state == WAIT && answers != 0) || (state == DECIDE && issued); // an answer is pending
    always @(posedge clk) begin
        waited <= rst || !owed || answer || lost ? 6'd0 : waited + {5'd0, !slow};
        lost   <= !rst && owed && !answer && !lost && !slow && &waited;
    end

    // ---- the search
    wire [31:0] frames = {{31 - FRAME_W{1'b0}}, cfg_frames};
    wire        few    = frames <= K; // a sample would take all frames
    wire [FRAME_W:0] turns = sample && !few ? K[FRAME_W:0] : cfg_frames;
    assign idle         = at_rest && !wanted;
    reg         left_none; // no turn was left in the cycle before (`left` is stable for a cycle before left_none is used)
    wire        tired = rounds == 2'd2 && (!cand_hand || left_none);
    reg         was_tired; // `tired` of the cycle before: a decision takes some cycles
    wire        new_round = !cand_hand || left_none || rounds == 2'd0;
    assign decide_tired = was_tired;
    assign decide_searched = rounds != 2'd0 && !cand_hand;
    assign cand_req     = state == SCAN;
    assign cand_frame   = ask_valid ? kept_id[FRAME_W-1:0] : hand;
    assign decide_req   = state == DECIDE && !issued;

    function [FRAME_W-1:0] after(input [FRAME_W-1:0] frame);
        after = {1'b0, frame} + 1'b1 == cfg_frames ? {FRAME_W{1'b0}} : frame + 1'b1;
    endfunction
    always @(posedge clk) begin
        answers   <= answers + {{FRAME_W{1'b0}}, cand_grant} - {{FRAME_W{1'b0}}, answer};
        was_tired <= tired && !at_rest;
        decide_fresh <= !rst && !at_rest && (decide_fresh || (rounds == 2'd2 && over_fresh));
        left_none <= left == 0 && !(decide_done && decide_kept);
        took       <= takes && !rst;
        {took_frame, took_last} <= {hand_frame, hand_last};
        hand_void <= !rst && (takes || took || (hand_void && state == WAIT));
        case (state)
            IDLE: begin
                left    <= turns;
                rounds  <= {1'b0, !no_search};
                answers <= 0;
                issued  <= 1'b0;
                cand_hand <= cfg_search[1];
                forced    <= forces;
                if (cfg_search == 2'd0 || {1'b0, hand} >= cfg_frames)
                    hand <= 0;
                if (wanted)
                    state <= no_search ? DECIDE : SCAN;
            end
            SCAN:
                if (cand_grant && !ask_valid) begin
                    hand <= after(hand);
                    left <= left - 1'b1;
                    if (left == 1)
                        state <= WAIT;
                end
            WAIT: // without a candidate one more round begins
                if ((answers == 0) && !took && !x1_valid && (rounds == 2'd0 || (!kept_more && !ask_valid))) begin
                    if (!cand_hand)
                        left <= turns;
                    if (decide_have || x2_valid || tired || no_search) begin
                        state <= DECIDE;
                    end else begin
                        state <= SCAN;
                        if (new_round) begin
                            left   <= turns;
                            rounds <= rounds + 1'b1;
                        end
                    end
                end
            default: begin // DECIDE
                if (decide_grant)
                    issued <= 1'b1;
                if (decide_done) begin
                    issued <= 1'b0;
                    state  <= decide_retry ? WAIT : IDLE; // after a RETRY the search looks for the next best
                    if (decide_kept) begin
                        left   <= cfg_frames;
                        rounds <= 2'd1;
                    end
                end
            end
        endcase
        if (lost) begin
            answers <= 0;
            issued  <= 1'b0;
        end
        if (took) begin // the HANDs behind the candidate are void: their frames have their turns later
            state <= WAIT;
            hand  <= after(took_frame);
            left  <= left + answers;
        end
        if (rst) begin
            state <= IDLE;
            hand  <= 0;
        end
    end

endmodule
`default_nettype wire
