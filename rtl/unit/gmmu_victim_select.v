// SPDX-License-Identifier: Apache-2.0
// gmmu_victim_select: the search for the page that leaves (docs/blocks/victim_select.md).
//
// Search `scan`: every enabled frame is a candidate once, one a cycle. Search `sample`: first the
// frames that the search before kept (what was in its slots, rescored), then K frames from a rotating
// hand. Candidates meet in POOL slots, a frame in slot frame mod POOL: the first of those that met
// there stays, so that one that is used or pinned before the decision does not cost a second round.
// Order: not guarded, then lower priority, then older last access, then lower frame. Source: LEU 3.1.
// Search `clock`, without priorities: from the hand on the first frame that was not hit since it was
// filled or since the hand passed it (HAND). Those asked for behind it are void, and the hand goes
// back to rest behind it; after a RETRY it goes on from there.
//
// An answer, an outcome comes within 63 cycles, of which those with `slow` do not count. Behind them none is under way: what is
// waited for was lost, or counted wrongly, as a bit turned over (docs/signoff/flips.md), and is waited for no longer.
//
// PARITY: a slot whose word turned bad is no candidate when it is read after a RETRY.
//
//   x: the answer; its slot is read     x1: compared with what was read, with x2, with the best
//   x2: goes to its slot, becomes the best     x3: what x1 meets, if its read was too early for it
`default_nettype none
module gmmu_victim_select #(
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // slots: a power of two
    parameter POOL    = 16,
    // candidates from the hand in a sampled search
    parameter K       = 64,
    // 1: a slot that turned bad is told
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [FRAME_W:0]   cfg_frames,
    input  wire [1:0]         cfg_search,      // 0 scan, 1 sample, 2 and 3 clock
    // the oldest undecided fault, if any, and whether it needs no victim
    input  wire               wanted,
    input  wire               no_search,
    input  wire               slow,            // answers may take any time
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
    // clock: the candidates are HANDs, which answer so
    output reg                cand_hand,
    input  wire               hand_valid,
    input  wire               hand_eligible,
    input  wire               hand_recent,     // hit since it was filled or passed
    input  wire [TIME_W-1:0]  hand_last,
    input  wire [FRAME_W-1:0] hand_frame,
    output reg                hand_void,       // it is none: one before it is the candidate
    // decision: one at a time
    output wire               decide_req,
    output wire               decide_have,     // there is a best candidate
    output wire               decide_tired,    // two rounds are done
    output wire               decide_searched, // one is begun, at least, and no clock
    output wire [FRAME_W-1:0] decide_frame,
    output wire [TIME_W-1:0]  decide_last,
    output wire [15:0]        decide_priority,
    input  wire               decide_grant,
    input  wire               decide_done,     // the outcome of the one granted last
    input  wire               decide_retry,    // it was no longer good, or is kept:
    input  wire               decide_kept,     // the clock goes on from it, two rounds before it
    input  wire               decide_taken,    // it is the victim
    output wire               hand_takes,      // the HAND of the cycle before found the candidate
    output reg                turned           // PARITY: over with each slot that was read and had turned bad
);

    localparam P_W  = 1 + 16;                              // {guarded, priority}
    localparam LOG  = $clog2(POOL);
    localparam S_W  = LOG > 0 ? LOG : 1;                   // a slot
    localparam H_W  = FRAME_W > LOG ? FRAME_W - LOG : 1;   // what else there is of a frame
    localparam F_W  = H_W + S_W;                           // a frame as these two: PAD bits of 0 below
    localparam PAD  = S_W - LOG;
    localparam C_W  = P_W + TIME_W + F_W;                  // {guarded, priority, last, frame}
    generate
        if (POOL < 1 || (POOL & (POOL - 1)) != 0) begin : g_bad
            POOL_must_be_a_power_of_two stop_here();
        end
    endgenerate

    localparam IDLE = 2'd0, SCAN = 2'd1, WAIT = 2'd2, DECIDE = 2'd3;
    reg [1:0]         state;
    reg               issued;    // the decision is on its way
    reg [1:0]         rounds;    // rounds begun
    reg [FRAME_W-1:0] hand;      // the frame whose turn it is, after the kept ones
    reg [FRAME_W:0]   left;      // turns of the hand that are left in this round
    reg [FRAME_W:0]   answers;   // answers still to come

    // ---- slots: what they hold lies in a RAM, {guarded, priority, last, frame without the slot}
    reg  [POOL-1:0] valid;      // there is a candidate of this search
    reg  [POOL-1:0] kept;       // its frame is still to be asked for, or after a RETRY to be read
    reg             ask_valid;  // one of those was read
    reg  [S_W-1:0]  ask_slot;
    wire            again = state == WAIT && rounds != 2'd0; // the slots are read after a RETRY
    wire            read  = again && ask_valid;
    wire            kept_more = kept != 0;
    wire            fetch = !ask_valid || cand_grant || again; // the next, if one is kept
    reg  [S_W-1:0]  next_slot;  // the lowest that is kept; 0 if none is
    integer j;
    always @* begin
        next_slot = 0;
        for (j = POOL - 1; j >= 0; j = j - 1)
            if (kept[j])
                next_slot = j[S_W-1:0];
    end

    // ---- candidates. x2, x3, the slots and the best are held as complements: a comparison is then a
    // sum without an inverter.
    // Whether a HAND finds the candidate is known late: those behind it are void in the next cycle, and all else follows then.
    wire               takes = cand_hand && hand_valid && hand_eligible && !hand_recent && !hand_void;
    reg                took;
    reg  [FRAME_W-1:0] took_frame;
    reg  [TIME_W-1:0]  took_last;
    assign hand_takes = took;
    wire [F_W-1:0]     ans_id = {{F_W - FRAME_W{1'b0}}, cand_hand ? took_frame : ans_frame} << PAD;
    wire [S_W-1:0]     x_slot = ans_id[S_W-1:0];
    // (a frame that was kept may be none that is enabled, any more or as its word turned bad)
    wire               x_valid = cand_hand ? took : ans_valid && ans_eligible && {1'b0, ans_frame} < cfg_frames;
    localparam KEPT_W = C_W - S_W + (PARITY != 0 ? 1 : 0); // in the RAM: all of it together are even
    wire [KEPT_W-1:0]  word, x2_kept;
    wire [C_W-S_W-1:0] rdata = word[C_W-S_W-1:0];
    wire               odd = PARITY != 0 && ^word;
    reg  [C_W-1:0]     x1, x2;
    reg  [C_W-S_W-1:0] x3;
    reg                x1_valid, x2_valid;
    reg                x1_new, x2_new;    // an answer, not read from a slot
    reg                x1_full;           // there is a candidate in its slot
    reg                x1_bad;            // what x1 was read from had turned bad
    reg                asked, asked_bad;  // a frame that was kept was asked for; its slot
    reg                x1_after_x3;       // x3 went to the slot while x1 read it
    reg                x2_after_x3;       // x3 is of the same slot, and was there a cycle before
    reg                x3_put, x3_taken;  // it went to its slot, became the best
    reg  [C_W-1:0]     best;
    reg                best_valid;

    // Of candidate c to e, a complement: {priority is not higher, is the same, last and frame are lower
    // or the same}. Ages are less than half of what TIME_W bits tell apart: a difference that is
    // negative means older, or as old and of a lower frame.
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
    function precedes(input [2:0] p); // or is the same
        precedes = p[1] ? p[0] : p[2];
    endfunction
    wire [C_W-S_W-1:0] held = x1_after_x3 ? x3 : rdata;
    reg  [2:0]         to_slot;           // of x2 to what is in its slot
    reg                to_best, to_next;  // x2 goes before the best, x3
    wire put   = x2_valid && x2_new && (x2_after_x3 && x3_put ? to_next : precedes(to_slot));
    wire taken = x2_valid && (!best_valid || (x3_taken ? to_next : to_best));

    // Frames that are kept have a slot each, which holds nothing else yet: no answer is in the way.
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
    wire forgets = rst || (at_rest && cfg_search[1]); // a clock keeps nothing
    wire over    = state == DECIDE && decide_done;
    localparam [POOL-1:0] ONE = 1;
    // the slots without the victim, or the one that was no longer good
    wire [POOL-1:0] rest = decide_retry || decide_taken ? valid & ~(ONE << ~best[S_W-1:0]) : valid;

    always @(posedge clk) begin
        if (fetch)
            ask_slot <= next_slot;
        ask_valid <= !forgets && (kept_more || !fetch);
        // `sample` keeps what is there for the next search
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
                  {ans_guarded, ans_priority, ans_last, ans_id};
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
    reg  [5:0] waited;
    reg        lost;
    wire              answer = cand_hand ? hand_valid : ans_valid;
    wire       owed = (state == WAIT && answers != 0) || (state == DECIDE && issued);
    always @(posedge clk) begin
        waited <= rst || !owed || answer || lost ? 6'd0 : waited + {5'd0, !slow};
        lost   <= !rst && owed && !answer && !lost && !slow && &waited;
    end

    // ---- the search
    wire [31:0] frames = {{31 - FRAME_W{1'b0}}, cfg_frames};
    wire        few    = frames <= K; // not more frames than a sample would take
    wire [FRAME_W:0] turns = sample && !few ? K[FRAME_W:0] : cfg_frames;
    assign idle         = at_rest && !wanted;
    reg         left_none; // of the cycle before: the turns that are left stand still for one before they are asked about
    wire        tired = rounds == 2'd2 && (!cand_hand || left_none);
    reg         was_tired; // in the cycle before: a decision takes some
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
            WAIT: // no candidate means one more round
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
                    state  <= decide_retry ? WAIT : IDLE; // after a RETRY the next best is looked for
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
        if (took) begin // those behind it are void: their turns are to come yet
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
