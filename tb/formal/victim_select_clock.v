// SPDX-License-Identifier: Apache-2.0
// Proofs about victim_select, search `clock`: the order of the HANDs that have an effect is CLOCK's.
//: pdr 120 s
//: bmc3 40 frames 20 s
//: find 246:in_turn 247:in_turn 248:tired_after_two 249:tired_after_two 251:decided_on 94:tired_after_two
//: find 338:kept_goes_on,retries_bounded 256:fresh_by_force 1986:passed_told
`default_nettype none
module formal_victim_select_clock #(
    parameter FRAMES  = 3,
    parameter POOL    = 2,
    parameter TIME_W  = 2,
    parameter FRAME_W = 2
) (
    input wire              clk,
    input wire              reset, wanted, no_search, cand_grant, answer, hand_eligible, hand_recent, hand_fresh, forces,
    input wire              decide_grant, decide_done, decide_retry, decide_kept,
    input wire              ans_valid, ans_eligible, ans_fresh, // of others: they mean nothing
    input wire              which,                   // 2 and 3 are the same search
    input wire [TIME_W-1:0] hand_last
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    (* anyconst *) wire [FRAME_W:0] cfg_frames;
    localparam MOST = 3;             // HANDs that are under way
    wire               cand_req, cand_hand, hand_void, decide_req, decide_have, decide_tired, decide_searched, decide_fresh, forced, idle, hand_takes;
    wire [FRAME_W-1:0] cand_frame, decide_frame;
    wire [TIME_W-1:0]  decide_last;
    wire [15:0]        decide_priority;
    reg  [1:0]         open;         // granted and not answered
    reg  [FRAME_W-1:0] asked [0:MOST-1]; // their frames, the oldest first
    reg                deciding, was_wanted;
    wire               hand_valid = answer && open != 0;
    gmmu_victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(1), .FRAME_W(FRAME_W), .PARITY(0)) dut (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_search({1'b1, which}), .wanted(wanted), .no_search(no_search), .slow(1'b1), .idle(idle),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant), .ans_valid(ans_valid), .ans_eligible(ans_eligible), .ans_fresh(ans_fresh),
        .ans_guarded(1'b0), .ans_priority(16'd0), .ans_last(hand_last), .ans_frame(asked[0]), .cand_hand(cand_hand),
        .hand_valid(hand_valid), .hand_eligible(hand_eligible), .hand_recent(hand_recent), .hand_fresh(hand_fresh), .forces(forces),
        .forced(forced), .hand_last(hand_last),
        .hand_frame(asked[0]), .hand_void(hand_void), .decide_req(decide_req), .decide_have(decide_have),
        .decide_tired(decide_tired), .decide_searched(decide_searched), .decide_fresh(decide_fresh), .decide_frame(decide_frame), .decide_last(decide_last),
        .decide_priority(decide_priority), .decide_grant(decide_grant),
        .decide_done(decide_done), .decide_retry(decide_retry), .decide_kept(decide_kept), .decide_taken(decide_done && !decide_retry && standing),
        .hand_takes(hand_takes)
    );
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < MOST - 1; i = i + 1)
            if (hand_valid)
                asked[i] <= asked[i + 1];
        if (cand_grant)
            asked[open - {1'b0, hand_valid}] <= cand_frame;
        open       <= rst ? 2'd0 : open + {1'b0, cand_grant} - {1'b0, hand_valid};
        deciding   <= !rst && (decide_grant || (deciding && !decide_done));
        was_wanted <= !rst && wanted && !(decide_done && !decide_retry);
    end
    always @* begin
        assume (cfg_frames != 0 && cfg_frames <= FRAMES);
        assume (!cand_grant || (cand_req && open < MOST));
        assume (!decide_grant || decide_req);
        assume (!decide_done || deciding);
        assume (!decide_kept || (decide_done && decide_retry && decide_have)); // the candidate is to stay
        assume (!was_wanted || wanted);
        assume (!(hand_valid && hand_eligible && hand_fresh) || forced); // the frames: a fresh one may be a victim in a forced search alone
    end

    (* hierconn *) wire [1:0] \dut.state ;

    // CLOCK as it is written: one frame after the other, until one is taken
    wire effect = hand_valid && !hand_void;
    wire takes  = effect && hand_eligible && !hand_recent;
    reg  [FRAME_W-1:0] hand;     // the frame whose turn it is
    reg  [FRAME_W+1:0] turns;    // of this search
    reg                standing; // there is a candidate
    reg  [FRAMES-1:0]  used;     // frames that could be victims at a HAND of this search, and were not fresh
    reg                passed;   // the second round of this search passed over a fresh frame
    reg                begun;    // the search began as a forced one
    wire               at_rest = \dut.state == 2'd0;
    reg  [FRAME_W-1:0] frame;
    reg  [TIME_W-1:0]  last;
    reg  [2:0]         stuck;
    reg                turned;   // the hand has moved since a candidate was refused last
    reg                kept;     // one was kept, and the hand has not come to it again
    reg  [FRAME_W-1:0] kept_frame;
    reg                took;     // a HAND of the cycle before did
    always @(posedge clk) begin
        if (effect) begin
            hand  <= {1'b0, hand} + 1'b1 == cfg_frames ? {FRAME_W{1'b0}} : hand + 1'b1;
            turns <= turns + 1'b1;
        end
        if (takes)
            {standing, frame, last} <= {1'b1, asked[0], hand_last};
        if (rst || (decide_done && !decide_retry))
            used <= {FRAMES{1'b0}};
        else if (effect && hand_eligible && !hand_fresh)
            used <= used | ({{FRAMES-1{1'b0}}, 1'b1} << asked[0]);
        if (at_rest)
            begun <= forces;
        if (effect && hand_fresh && !hand_eligible && turns >= {1'b0, cfg_frames})
            passed <= 1'b1;
        if (rst || (decide_done && !decide_retry))
            passed <= 1'b0;
        if (decide_done)
            standing <= 1'b0;
        took   <= takes && !rst;
        turned <= effect || (turned && !decide_done);
        if (effect && asked[0] == kept_frame)
            kept <= 1'b0;
        if (decide_done && decide_kept)
            {kept, kept_frame} <= {1'b1, frame};
        if (rst || (decide_done && (!decide_retry || decide_kept)))
            turns <= 0;
        stuck <= wanted && open == 0 && !cand_req && !decide_req && !deciding ? stuck + 1'b1 : 3'd0;
        if (rst) begin
            hand     <= 0;
            standing <= 1'b0;
            kept     <= 1'b0;
            stuck    <= 3'd0;
        end
    end

    always @* if (!rst) begin
        // A HAND that has an effect is the one whose turn it is.
        in_turn: assert (!effect || asked[0] == hand);
        // The one that takes is told, a cycle later.
        takes_told: assert (hand_takes == took);
        // None has an effect behind the one that took.
        none_behind: assert (!(effect && standing));
        // All that are asked for are HANDs.
        all_hands: assert (!cand_req || cand_hand);
        // What was taken is decided on, with the last access that was seen and priority 0.
        decided_on: assert (!decide_req || decide_have == standing);
        decided_is: assert (!(decide_req && standing) || (decide_frame == frame && decide_last == last && decide_priority == 0));
        // A search is forced if it began so; only such a one names a frame whose page was fresh at its HAND.
        forced_same: assert (at_rest || forced == begun);
        fresh_by_force: assert (!(decide_req && decide_have) || begun || used[decide_frame]);
        // Whether the second round passed over a fresh frame is told.
        passed_told: assert (!decide_req || decide_fresh == passed);
        // It is no search by priority: no step of the protected segment.
        no_scores: assert (!decide_req || !decide_searched);
        // The search is tired after two rounds of all frames, not before; it asks for no more. A page that is kept gives it two anew.
        tired_after_two: assert (!decide_req || decide_tired == (turns == {cfg_frames, 1'b0}));
        two_rounds: assert (turns <= {cfg_frames, 1'b0});
        // A RETRY of a candidate costs a turn, and turns are bounded: so are RETRYs.
        retries_bounded: assert (!(decide_done && decide_have) || turned);
        // A page that was kept is not decided on before the hand comes to it again.
        kept_goes_on: assert (!(decide_req && decide_have && kept) || decide_frame != kept_frame);
        // With nothing under way the next request comes within four cycles.
        next_request: assert (stuck <= 3'd4);
    end

endmodule
`default_nettype wire
