// SPDX-License-Identifier: Apache-2.0
// Proofs about victim_select, search `sample`: one frame, any one, is followed through the search.
//: pdr 90 s
//: bmc3 40 frames 20 s
//: find 63 69 70 75:unprotected_first
`default_nettype none
module formal_victim_select_sample #(
    parameter FRAMES  = 4,
    parameter POOL    = 2,
    parameter K       = 2,
    parameter TIME_W  = 3,
    parameter FRAME_W = 2,
    parameter PRIO_W  = 2
) (
    input wire              clk,
    input wire              reset, wanted, no_search, cand_grant, answer, ans_eligible,
    input wire              decide_grant, decide_done, decide_retry, decide_taken,
    input wire [PRIO_W-1:0] prio,
    input wire [TIME_W-1:0] ans_last
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    (* anyconst *) wire [FRAME_W:0]   cfg_frames;
    (* anyconst *) wire [FRAME_W-1:0] here, that;
    (* anyconst *) wire [TIME_W-1:0]  now;  // ages are counted from any time, so that stamps wrap

    wire                cand_req, decide_req, decide_have, decide_tired, idle;
    wire [FRAME_W-1:0]  cand_frame, decide_frame;
    wire [TIME_W-1:0]   decide_last;
    wire [15:0]         decide_priority;
    wire [16:0]         rank = {prio[PRIO_W-1], {17-PRIO_W{1'b0}}, prio[PRIO_W-2:0]}; // protected, priority
    reg  [FRAME_W+1:0]  open;       // candidates granted and not answered
    reg  [7:0]          order;      // frames granted and not answered, the oldest lowest
    reg                 deciding;   // a decision was granted, its outcome is to come
    wire                ans_valid = answer && open != 0;
    wire [FRAME_W-1:0]  ans_frame = order[FRAME_W-1:0];
    victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(K), .FRAME_W(FRAME_W)) dut (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_search(1'b1), .decide_taken(decide_taken),
        .wanted(wanted), .no_search(no_search), .idle(idle),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant),
        .ans_valid(ans_valid), .ans_eligible(ans_eligible), .ans_guarded(rank[16]), .ans_priority(rank[15:0]),
        .ans_last(ans_last), .ans_frame(ans_frame),
        .decide_req(decide_req), .decide_have(decide_have), .decide_tired(decide_tired),
        .decide_frame(decide_frame), .decide_last(decide_last), .decide_priority(decide_priority),
        .decide_grant(decide_grant), .decide_done(decide_done), .decide_retry(decide_retry)
    );
    localparam E_W = 1 + 17 + TIME_W + FRAME_W;
    // the names of POOL = 2
    (* hierconn *) wire [E_W-1:0] \dut.g_entry[0].entry ;
    (* hierconn *) wire [E_W-1:0] \dut.g_entry[1].entry ;
    wire [16:0] decide_rank = {\dut.g_entry[0].entry [FRAME_W + TIME_W + 16], decide_priority};
    wire [E_W*POOL-1:0] list = {\dut.g_entry[1].entry , \dut.g_entry[0].entry };

    // `was_wanted`: a request stands until its decision is final
    reg was_wanted, was_final;
    wire [TIME_W-1:0] age = now - ans_last;
    wire final_done = decide_done && !decide_retry;
    always @* begin
        assume (cfg_frames != 0 && cfg_frames <= FRAMES);
        assume (!cand_grant || cand_req);
        assume (!decide_grant || decide_req);
        assume (!decide_done || deciding);
        assume (!decide_taken || (decide_done && !decide_retry && decide_have));
        assume (!cand_grant || open != 4);
        assume (!was_wanted || wanted);
        assume (!age[TIME_W-1]);  // AGE keeps all ages below half of the range
    end

    // does the candidate x go before y: not protected, then lower priority, then older, then lower frame
    function before(input [16:0] xp, input [TIME_W-1:0] xl, input [FRAME_W-1:0] xf,
                    input [16:0] yp, input [TIME_W-1:0] yl, input [FRAME_W-1:0] yf);
        reg [TIME_W-1:0] xa, ya;
        begin
            xa = now - xl;
            ya = now - yl;
            before = xp != yp ? xp < yp : xa != ya ? xa > ya : xf < yf;
        end
    endfunction

    reg                sorted, only_eligible, in_list;
    reg                tracked;  // `here` was eligible in this scan and not yet refused
    reg                eligible; // its last answer in this search
    reg                retried;  // some best one was refused in this search
    reg [16:0]         p;
    reg                that_protected, that_listed; // the answer of `that` that counts
    reg [TIME_W-1:0]   l;
    reg [2:0]          stuck;
    // an answer two cycles later, when it is inserted and the list holds all before it
    reg  [1:0]           late_valid, late_eligible;
    reg  [2*FRAME_W-1:0] late_frame;
    reg  [33:0]          late_rank;
    reg  [2*TIME_W-1:0]  late_last;
    wire                 here_late = late_valid[1] && late_frame[FRAME_W +: FRAME_W] == here;
    reg                left_kept; // `here` was the last victim, and no search since ended
    reg                by_hand;   // the hand asked for `here` in this round
    reg                asked;     // any candidate in this search
    reg [POOL:0]       kept_asked;
    (* hierconn *) wire \dut.kept_more ;
    wire               kept_more = \dut.kept_more ;
    reg [FRAME_W+1:0]  granted;
    always @(posedge clk) begin
        open <= open + {{FRAME_W+1{1'b0}}, cand_grant} - {{FRAME_W+1{1'b0}}, ans_valid};
        if (ans_valid)
            order <= order >> FRAME_W;
        if (cand_grant)
            order[(open - {{FRAME_W+1{1'b0}}, ans_valid})*FRAME_W +: FRAME_W] <= cand_frame;
        deciding   <= decide_grant || (deciding && !decide_done);
        was_wanted <= wanted && !final_done;
        was_final  <= final_done; // the list is emptied in this cycle
        if (decide_done && decide_retry) begin
            retried <= 1'b1;
            if (decide_frame == here && tracked)
                tracked <= 1'b0;
        end
        if (retried && !decide_have) begin
            tracked <= 1'b0;
            retried <= 1'b0;
        end
        late_valid    <= rst ? 2'd0 : {late_valid[0], ans_valid};
        late_eligible <= {late_eligible[0], ans_eligible};
        late_frame    <= {late_frame[0 +: FRAME_W], ans_frame};
        late_rank     <= {late_rank[16:0], rank};
        late_last     <= {late_last[0 +: TIME_W], ans_last};
        if (late_valid[1] && late_eligible[1] && late_frame[FRAME_W +: FRAME_W] == that && !that_listed)
            that_protected <= late_rank[33];
        if (here_late && !in_list) begin // kept, and then met by the hand: the first answer counts
            eligible <= late_eligible[1];
            if (late_eligible[1]) begin
                tracked <= 1'b1;
                p       <= late_rank[33:17];
                l       <= late_last[TIME_W +: TIME_W];
            end
        end
        if (cand_grant)
            granted <= granted + 1'b1;
        if (cand_grant && kept_more)
            kept_asked <= kept_asked + 1'b1;
        if (cand_grant && !kept_more && cand_frame == here)
            by_hand <= 1'b1;
        if (!cand_req)
            by_hand <= 1'b0;
        asked <= asked || cand_grant;
        if (final_done && asked)
            left_kept <= decide_taken && decide_frame == here;
        stuck <= wanted && open == 0 && !cand_req && !decide_req && !deciding ? stuck + 1'b1 : 3'd0;
        if (final_done || rst) begin
            tracked  <= 1'b0;
            eligible <= 1'b0;
            retried  <= 1'b0;
            granted  <= 0;
            asked    <= 1'b0;
            kept_asked <= 0;
        end
        if (rst) begin
            open       <= 0;
            left_kept  <= 1'b0;
            deciding   <= 1'b0;
            was_wanted <= 1'b0;
            stuck      <= 3'd0;
        end
    end

    integer i;
    always @* begin
        in_list       = 1'b0;
        that_listed   = 1'b0;
        sorted        = 1'b1;
        only_eligible = 1'b1;
        for (i = 0; i < POOL; i = i + 1) begin
            if (i + 1 < POOL && list[((i + 1) % POOL)*E_W + E_W - 1])
                sorted = sorted && list[i*E_W + E_W - 1] &&
                         before(list[i*E_W + FRAME_W + TIME_W +: 17], list[i*E_W + FRAME_W +: TIME_W],
                                list[i*E_W +: FRAME_W],
                                list[((i + 1) % POOL)*E_W + FRAME_W + TIME_W +: 17],
                                list[((i + 1) % POOL)*E_W + FRAME_W +: TIME_W],
                                list[((i + 1) % POOL)*E_W +: FRAME_W]);
            in_list = in_list || (list[i*E_W + E_W - 1] && list[i*E_W +: FRAME_W] == here);
            that_listed = that_listed || (list[i*E_W + E_W - 1] && list[i*E_W +: FRAME_W] == that);
            if (list[i*E_W + E_W - 1] && list[i*E_W +: FRAME_W] == here)
                only_eligible = only_eligible && eligible &&
                                list[i*E_W + FRAME_W + TIME_W +: 17] == p && list[i*E_W + FRAME_W +: TIME_W] == l;
        end
    end

    wire [FRAME_W+1:0] turns = cfg_frames <= K ? cfg_frames : K;
    wire [FRAME_W+1:0] hand_asked = granted - kept_asked;

    always @* if (!rst) begin
        // No candidate that answered and was not refused goes before the one that is decided on.
        minimum: assert (!(decide_req && decide_have && tracked) ||
                         !before(p, l, here, decide_rank, decide_last, decide_frame));
        // A frame that answered that it is protected is decided on only if none answered that is not, or each that did was refused.
        unprotected_first: assert (!(decide_req && decide_have && tracked && !p[16]) || decide_frame != that || !that_protected);
        // While no best one was refused, an eligible candidate means that the list is not empty.
        none_forgotten: assert (!(tracked && !retried) || decide_have);
        // The list is sorted, without gaps and without equals.
        list_sorted: assert (sorted);
        // A frame in the list was eligible at its last answer in this search, with this priority and last access.
        list_eligible: assert (only_eligible || was_final);
        // With nothing under way, the next request for a candidate or a decision comes within four cycles.
        next_request: assert (stuck <= 3);
        // A round asks for K frames of the hand, or all if there are fewer, none of them twice; the first one also
        // for what was kept, at most POOL. A search ends after two rounds.
        turns_of_hand: assert (!decide_req || hand_asked == 0 || hand_asked == turns || hand_asked == {turns[FRAME_W:0], 1'b0});
        tired_after_two: assert (!(decide_req && decide_tired) || hand_asked == {turns[FRAME_W:0], 1'b0});
        not_twice: assert (!(cand_req && !kept_more && cand_frame == here) || !by_hand);
        few_kept: assert (kept_asked <= POOL);
        // Only enabled frames are asked for.
        enabled_only: assert (!cand_req || {1'b0, cand_frame} < cfg_frames);
        // The last victim is not among the kept ones.
        victim_not_kept: assert (!(cand_req && kept_more && cand_frame == here) || !left_kept);
        // Nobody is decided on that was refused before or did not answer in this search.
        not_refused: assert (!(decide_req && decide_have && decide_frame == here) || tracked);
    end

endmodule
`default_nettype wire
