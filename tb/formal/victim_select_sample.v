// SPDX-License-Identifier: Apache-2.0
// Proofs about victim_select, search `sample`: one frame, any one, and its slot are followed through the search.
//: ram ram_words
//: inductive
//: pdr 90 s
//: bmc3 40 frames 20 s
//: find 63 69 70 71 72 74 75 78 79 90 337:retries_bounded
//: find 257:fresh_by_force 1986:passed_told 1985:x1_same
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
    input wire              reset, wanted, no_search, cand_grant, answer, ans_eligible, ans_fresh, forces,
    input wire              decide_grant, decide_done, decide_retry, decide_taken,
    input wire [PRIO_W-1:0] prio,
    input wire [TIME_W-1:0] ans_last
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    (* anyconst *) wire [FRAME_W:0]   cfg_frames;
    (* anyconst *) wire [FRAME_W-1:0] here;
    (* anyconst *) wire [TIME_W-1:0]  now;  // ages are counted from any time, so that stamps wrap

    wire                cand_req, decide_req, decide_have, decide_tired, decide_fresh, forced, idle;
    wire [FRAME_W-1:0]  cand_frame, decide_frame;
    wire [TIME_W-1:0]   decide_last;
    wire [15:0]         decide_priority;
    wire [16:0]         told = {prio[PRIO_W-1], {17-PRIO_W{1'b0}}, prio[PRIO_W-2:0]}; // protected, priority
    wire [16:0]         rank = ans_fresh ? 17'h1ffff : told; // a fresh page goes behind all others
    reg  [FRAME_W+1:0]  open;       // candidates granted and not answered
    reg  [7:0]          order;      // frames granted and not answered, the oldest lowest
    reg                 deciding;   // a decision was granted, its outcome is to come
    wire                ans_valid = answer && open != 0;
    wire [FRAME_W-1:0]  ans_frame = order[FRAME_W-1:0];
    gmmu_victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(K), .FRAME_W(FRAME_W), .PARITY(0)) dut (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_search(2'd1), .hand_valid(1'b0), .hand_eligible(1'b0),
        .hand_recent(1'b0), .hand_fresh(1'b0), .hand_last({TIME_W{1'b0}}), .hand_frame({FRAME_W{1'b0}}), .decide_taken(decide_taken),
        .wanted(wanted), .no_search(no_search), .slow(1'b1), .idle(idle),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant),
        .ans_valid(ans_valid), .ans_eligible(ans_eligible), .ans_fresh(ans_fresh), .ans_guarded(told[16]), .ans_priority(told[15:0]),
        .ans_last(ans_last), .ans_frame(ans_frame),
        .decide_req(decide_req), .decide_have(decide_have), .decide_tired(decide_tired), .decide_fresh(decide_fresh), .forces(forces), .forced(forced),
        .decide_frame(decide_frame), .decide_last(decide_last), .decide_priority(decide_priority),
        .decide_grant(decide_grant), .decide_done(decide_done), .decide_retry(decide_retry), .decide_kept(1'b0)
    );
    wire                slot = here[0]; // of POOL = 2
    localparam E_W = 17 + TIME_W + FRAME_W - 1;
    // inside: complements, but for x1
    (* hierconn *) wire [E_W*POOL-1:0] \dut.slots.words ;
    (* hierconn *) wire [E_W-1:0]  \dut.slots.rdata ;
    (* hierconn *) wire [E_W:0]    \dut.best ;
    (* hierconn *) wire [E_W:0]    \dut.x1 ;
    (* hierconn *) wire [E_W:0]    \dut.x2 ;
    (* hierconn *) wire [E_W-1:0]  \dut.x3 ;
    (* hierconn *) wire [POOL-1:0] \dut.valid ;
    (* hierconn *) wire [POOL-1:0] \dut.kept ;
    (* hierconn *) wire [1:0]      \dut.state ;
    (* hierconn *) wire [1:0]      \dut.rounds ;
    (* hierconn *) wire [FRAME_W:0] \dut.left ;
    (* hierconn *) wire [FRAME_W:0] \dut.answers ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.hand ;
    (* hierconn *) wire            \dut.issued ;
    (* hierconn *) wire            \dut.again ;
    (* hierconn *) wire            \dut.at_rest ;
    (* hierconn *) wire            \dut.ask_valid ;
    (* hierconn *) wire            \dut.ask_slot ;
    (* hierconn *) wire            \dut.x1_valid ;
    (* hierconn *) wire            \dut.x1_new ;
    (* hierconn *) wire            \dut.x1_full ;
    (* hierconn *) wire            \dut.x1_after_x3 ;
    (* hierconn *) wire            \dut.x2_valid ;
    (* hierconn *) wire            \dut.x2_new ;
    (* hierconn *) wire            \dut.x2_after_x3 ;
    (* hierconn *) wire            \dut.x3_put ;
    (* hierconn *) wire            \dut.x3_taken ;
    (* hierconn *) wire [2:0]      \dut.to_slot ;
    (* hierconn *) wire            \dut.to_best ;
    (* hierconn *) wire            \dut.to_next ;
    wire [16:0]    decide_rank = {!\dut.best [E_W], decide_priority};
    wire [E_W-1:0] held = ~\dut.slots.words [slot*E_W +: E_W];

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
        assume (!(ans_valid && ans_eligible && ans_fresh) || forced); // the frames: a fresh one may be a victim in a forced search alone
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

    reg                used;     // `here` was, and its page was not fresh
    reg                begun;    // the search began as a forced one
    reg                passed;   // its second round passed over a fresh frame
    reg                eligible; // `here` was at some answer in this search, and was not refused since
    reg                retried;  // some best one was refused in this search
    reg  [2:0]         refused;  // so many were
    (* anyseq *) wire  pick;
    reg                plain;    // some candidate of this search is not protected
    reg [16:0]         p;        // an answer of `here`: any one
    reg [TIME_W-1:0]   l;
    // an answer one cycle later, and two, when it goes to its slot
    reg                  x1_valid, x2_valid;
    reg                  x1_fresh, x2_fresh;
    reg  [FRAME_W-1:0]   x1_frame, x2_frame;
    reg  [16:0]          x1_rank, x2_rank;
    reg  [TIME_W-1:0]    x1_last, x2_last;
    // what the slot holds
    reg                  full;
    reg  [1:0]           filled; // each of both holds one
    reg  [16:0]          slot_rank;
    reg  [TIME_W-1:0]    slot_last;
    reg  [FRAME_W-1:0]   slot_frame;
    reg [3:0]          stuck;
    reg [FRAME_W+1:0]  granted;
    wire best_slot = decide_frame[0] == slot;
    wire [FRAME_W+1:0] turns = cfg_frames <= K ? cfg_frames : K;
    wire in_second = granted - open >= kept_asked + turns; // the frame that answers is of the second round
    wire x2_goes   = !before(slot_rank, slot_last, slot_frame, x2_rank, x2_last, x2_frame); // before the slot's, or is the same
    // what the slot keeps for the next search, and was not asked for yet
    reg                  kept_full;
    reg  [FRAME_W-1:0]   kept_frame;
    reg                left_kept; // `here` was the last victim, and no search since ended
    reg                by_hand;   // the hand asked for `here` in this round
    reg                asked;     // any candidate in this search
    reg [POOL:0]       kept_asked;
    wire               kept_more = \dut.ask_valid ;
    wire               slot_asked = cand_grant && kept_more && cand_frame[0] == slot;
    always @(posedge clk) begin
        open <= open + {{FRAME_W+1{1'b0}}, cand_grant} - {{FRAME_W+1{1'b0}}, ans_valid};
        if (ans_valid)
            order <= order >> FRAME_W;
        if (cand_grant)
            order[(open - {{FRAME_W+1{1'b0}}, ans_valid})*FRAME_W +: FRAME_W] <= cand_frame;
        deciding   <= decide_grant || (deciding && !decide_done);
        was_wanted <= wanted && !final_done;
        was_final  <= final_done; // the list is emptied in this cycle
        x1_valid   <= !rst && ans_valid && ans_eligible;
        x1_frame   <= ans_frame;
        {x1_fresh, x2_fresh} <= {ans_fresh, x1_fresh};
        if (\dut.at_rest )
            begun <= forces;
        if (ans_valid && ans_fresh && !ans_eligible && in_second)
            passed <= 1'b1;
        x1_rank    <= rank;
        x1_last    <= ans_last;
        x2_valid   <= !rst && x1_valid;
        x2_frame   <= x1_frame;
        x2_rank    <= x1_rank;
        x2_last    <= x1_last;
        if (decide_done && decide_retry && decide_have) begin
            retried <= 1'b1;
            refused <= refused + 1'b1;
            if (decide_frame == here)
                {eligible, used} <= 2'b00;
            if (best_slot)
                full <= 1'b0;
            filled[decide_frame[0]] <= 1'b0;
        end
        if (x2_valid)
            filled[x2_frame[0]] <= 1'b1;
        if (x2_valid && !x2_rank[16])
            plain <= 1'b1;
        if (x2_valid && x2_frame == here) begin
            eligible <= 1'b1;
            if (!x2_fresh)
                used <= 1'b1;
            if (!eligible || pick) begin
                p <= x2_rank;
                l <= x2_last;
            end
        end
        if (x2_valid && x2_frame[0] == slot && (!full || x2_goes)) begin
            full       <= 1'b1;
            slot_rank  <= x2_rank;
            slot_last  <= x2_last;
            slot_frame <= x2_frame;
        end
        if (final_done && asked) begin
            kept_full  <= full && !(decide_taken && best_slot);
            kept_frame <= slot_frame;
        end else if (slot_asked) begin
            kept_full <= 1'b0;
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
        stuck <= wanted && open == 0 && !cand_req && !decide_req && !deciding ? stuck + 1'b1 : 4'd0;
        if (final_done || rst) begin
            full     <= 1'b0;
            filled   <= 2'd0;
            plain    <= 1'b0;
            {eligible, used, passed} <= 3'd0;
            retried  <= 1'b0;
            refused  <= 3'd0;
            granted  <= 0;
            asked    <= 1'b0;
            kept_asked <= 0;
        end
        if (rst) begin
            open       <= 0;
            left_kept  <= 1'b0;
            deciding   <= 1'b0;
            was_wanted <= 1'b0;
            stuck      <= 4'd0;
            kept_full  <= 1'b0;
        end
    end

    wire [FRAME_W+1:0] hand_asked = granted - kept_asked;

    // frames that were asked for and have not answered: the slots of them; kept frames that are still to be asked for
    integer i;
    reg [1:0] waiting;
    reg       order_enabled;
    always @* begin
        waiting       = 2'd0;
        order_enabled = 1'b1;
        for (i = 0; i < 4; i = i + 1)
            if (i < open) begin
                waiting[order[i*FRAME_W]] = 1'b1;
                order_enabled = order_enabled && {1'b0, order[i*FRAME_W +: FRAME_W]} < cfg_frames;
            end
    end
    wire [1:0] to_ask = \dut.kept | (\dut.ask_valid ? 2'd1 << \dut.ask_slot : 2'd0);
    // by how much the hand has passed `here`
    wire [FRAME_W:0] behind = {1'b0, \dut.hand } >= {1'b0, here} ? \dut.hand - here : \dut.hand + cfg_frames - here;

    // what the parts inside know, from one cycle to the next
    function goes(input [E_W:0] c, input [E_W:0] e); // c before e, or the same
        goes = !before(e[E_W -: 17], e[FRAME_W +: TIME_W], e[FRAME_W-1:0], c[E_W -: 17], c[FRAME_W +: TIME_W], c[FRAME_W-1:0]);
    endfunction
    function old(input [TIME_W-1:0] last); // not as AGE lets it be
        reg [TIME_W-1:0] its;
        begin
            its = now - last;
            old = its[TIME_W-1];
        end
    endfunction
    wire [E_W:0] x1_is = {x1_rank, x1_last, x1_frame}, x2_is = {x2_rank, x2_last, x2_frame};
    wire [E_W:0] slot_is = {slot_rank, slot_last, slot_frame};
    wire [E_W:0] best_is = ~\dut.best , in_x1 = \dut.x1 , in_x2 = ~\dut.x2 ;
    wire         reads   = !\dut.x1_new && \dut.x1_valid || !\dut.x2_new && \dut.x2_valid ;
    wire         to_slot = \dut.x2_after_x3 && \dut.x3_put ? \dut.to_next : \dut.to_slot [1] ? \dut.to_slot [0] : \dut.to_slot [2];
    wire         to_best = \dut.x3_taken ? \dut.to_next : \dut.to_best ;
    // the slot is still to be read after a RETRY, or what was read is under way
    wire         unread  = \dut.kept [slot] || (\dut.ask_valid && \dut.ask_slot == slot) ||
                           (\dut.x1_valid && !\dut.x1_new && in_x1[0] == slot) || (\dut.x2_valid && !\dut.x2_new && in_x2[0] == slot);
    wire         have    = decide_have && !\dut.at_rest ; // (after a reset it may stand a cycle longer)
    // the same of both slots; and what goes to one
    wire [1:0] unreads, coming;
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_slot
            assign unreads[g] = \dut.kept [g] || (\dut.ask_valid && \dut.ask_slot == g) ||
                                (\dut.x1_valid && !\dut.x1_new && in_x1[0] == g) || (\dut.x2_valid && !\dut.x2_new && in_x2[0] == g);
            assign coming[g]  = (\dut.x1_valid && \dut.x1_new && in_x1[0] == g) || (\dut.x2_valid && \dut.x2_new && in_x2[0] == g);
        end
    endgenerate
    wire [E_W-1:0] x1_met = ~(\dut.x1_after_x3 ? \dut.x3 : \dut.slots.rdata );

    always @* if (!rst) begin
        // No slot's candidate goes before the one that is decided on.
        minimum: assert (!(decide_req && decide_have && full) ||
                         !before(slot_rank, slot_last, slot_frame, decide_rank, decide_last, decide_frame));
        // It is the one of its slot.
        best_in_slot: assert (!(decide_req && decide_have && best_slot) ||
                              (full && slot_frame == decide_frame && slot_rank == decide_rank && slot_last == decide_last));
        // A slot holds the first of the candidates of that slot that answered since it was empty.
        slot_holds: assert (!full || (\dut.valid [slot] && held == slot_is[E_W:1]));
        slot_own: assert (!full || slot_frame[0] == slot);
        // While no best one was refused, no candidate that answered goes before the one that is decided on,
        minimum_of_all: assert (!(decide_req && decide_have && eligible && !retried) ||
                                !before(p, l, here, decide_rank, decide_last, decide_frame));
        // and a protected one is decided on only if no other one answered.
        unprotected_first: assert (!(decide_req && decide_have && best_slot && slot_rank[16]) || !plain || retried);
        // A protected one is never decided on while a slot holds another one.
        unprotected_held_first: assert (!(decide_req && decide_have && full && !slot_rank[16]) || !decide_rank[16]);
        // At a decision a candidate in a slot means that there is a best one; so does, while none was refused, any that answered.
        none_forgotten: assert (!(decide_req && (full || (eligible && !retried))) || decide_have);
        // A search is forced if it began so; only such a one names a frame whose page was fresh when the frame answered.
        forced_same: assert (\dut.at_rest || forced == begun);
        fresh_by_force: assert (!(decide_req && decide_have && decide_frame == here) || begun || used);
        // Whether the second round passed over a fresh frame is told.
        passed_told: assert (\dut.at_rest || decide_fresh == passed);
        // Nobody is decided on that was refused before or did not answer in this search.
        not_refused: assert (!(decide_req && decide_have && decide_frame == here) || eligible);
        // At most POOL RETRYs a round, as there are slots.
        retries_bounded: assert (refused <= 2 * POOL);
        retries_rounds: assert (\dut.at_rest ? refused == 0 : refused + \dut.valid [0] + \dut.valid [1] <= POOL * \dut.rounds );
        retries_scan: assert (\dut.at_rest || !(open != 0 || \dut.state == 2'd1) || refused <= POOL * (\dut.rounds - 1));
        // With nothing under way, the next request for a candidate or a decision comes within POOL + 3 cycles.
        next_request: assert (stuck <= POOL + 2);
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
        // What a slot kept is asked for in the next search, once, before the hand asks for anyone.
        kept_once: assert (!(cand_req && kept_more && cand_frame[0] == slot) || (kept_full && cand_frame == kept_frame));
        kept_first: assert (!(cand_req && !kept_more) || !kept_full);
        fresh_stages: assert (\dut.at_rest || begun || (!(x1_valid && x1_fresh) && !(x2_valid && x2_fresh) && eligible == used));
        rest_used: assert (!\dut.at_rest || (!passed && !used && !eligible));
        open_granted: assert (\dut.at_rest || open <= granted);
        second: assert (\dut.at_rest || \dut.rounds != 2'd2 || in_second);
        // What the stages hold is what answered, and what they found is so.
        x1_same: assert (x1_valid == (\dut.x1_valid && \dut.x1_new ) && (!x1_valid || in_x1 == x1_is));
        x2_same: assert (x2_valid == (\dut.x2_valid && \dut.x2_new ) && (!x2_valid || in_x2 == x2_is));
        ages: assert (!(x1_valid && old(x1_last)) && !(x2_valid && old(x2_last)) && !(full && old(slot_last)) &&
                      !(have && old(decide_last)));
        x1_meets: assert (!(x1_valid && filled[x1_frame[0]]) || x1_met == ~\dut.slots.words [x1_frame[0]*E_W +: E_W]);
        x2_slot: assert (!x2_valid || to_slot == (!filled[x2_frame[0]] ||
                         goes(in_x2, {~\dut.slots.words [x2_frame[0]*E_W +: E_W], x2_frame[0]})));
        x2_best: assert (!(\dut.x2_valid && have) || to_best == goes(in_x2, best_is));
        best_best: assert (!have || ((!filled[0] || unreads[0] || goes(best_is, {~\dut.slots.words [0 +: E_W], 1'b0})) &&
                                     (!filled[1] || unreads[1] || goes(best_is, {~\dut.slots.words [E_W +: E_W], 1'b1}))));
        best_own: assert (!(have && best_slot) || was_final || (full && slot_is == best_is));
        best_is_there: assert (!(full && !unread) || have || was_final);
        read_same: assert ((!(\dut.x1_valid && !\dut.x1_new && in_x1[0] == slot) || (full && in_x1 == slot_is)) &&
                           (!(\dut.x2_valid && !\dut.x2_new && in_x2[0] == slot) || (full && in_x2 == slot_is)));
        stages_rest: assert (!(decide_req || deciding || idle) || (!\dut.x1_valid && !\dut.x2_valid ));
        valid_same: assert (\dut.at_rest || \dut.valid [slot] == (full || (x1_valid && x1_frame[0] == slot) || (x2_valid && x2_frame[0] == slot)));
        valid_have: assert (\dut.at_rest || have || (filled & ~unreads) == 0);
        have_valid: assert (!have || filled[best_is[0]]);
        coming_valid: assert (\dut.at_rest || (coming & ~\dut.valid ) == 0);
        unread_valid: assert (!\dut.again || (unreads & ~\dut.valid ) == 0);
        read_once: assert (!\dut.again || !\dut.ask_valid || !\dut.kept [\dut.ask_slot ]);
        x1_fills: assert (!x1_valid || \dut.x1_full == (filled[x1_frame[0]] || (x2_valid && x2_frame[0] == x1_frame[0])));
        final_rests: assert (!was_final || \dut.at_rest );
        filled_same: assert (full == filled[slot]);
        filled_valid: assert (\dut.at_rest || (filled | coming) == \dut.valid );
        unread_filled: assert (!\dut.again || (unreads & ~filled) == 0);
        ages_in: assert (!(\dut.x1_valid && old(in_x1[FRAME_W +: TIME_W])) && !(\dut.x2_valid && old(in_x2[FRAME_W +: TIME_W])));
        ages_held: assert (!(filled[0] && old(~\dut.slots.words [FRAME_W-1 +: TIME_W])) &&
                           !(filled[1] && old(~\dut.slots.words [E_W + FRAME_W-1 +: TIME_W])));
        rdata_same: assert (!(\dut.again && \dut.ask_valid ) || \dut.slots.rdata == \dut.slots.words [\dut.ask_slot *E_W +: E_W]);
        x1_read: assert (!(\dut.x1_valid && !\dut.x1_new ) || in_x1[E_W:1] == ~\dut.slots.words [in_x1[0]*E_W +: E_W]);
        x2_read: assert (!(\dut.x2_valid && !\dut.x2_new ) || in_x2[E_W:1] == ~\dut.slots.words [in_x2[0]*E_W +: E_W]);
        read_apart: assert (!\dut.again || !(!\dut.kept [0] && !\dut.kept [1]) + \dut.ask_valid + (\dut.x1_valid && !\dut.x1_new ) +
                            (\dut.x2_valid && !\dut.x2_new ) <= 3'd1);
        best_held: assert (!have || best_is[E_W:1] == ~\dut.slots.words [best_is[0]*E_W +: E_W]);
        plain_best: assert (\dut.at_rest || !plain || retried || (have && !best_is[E_W]));
        x3_held: assert (!(\dut.x2_valid && \dut.x2_after_x3 && \dut.x3_put ) || \dut.x3 == \dut.slots.words [in_x2[0]*E_W +: E_W]);
        x3_best: assert (!(\dut.x3_taken && have) || \dut.x3 == \dut.best [E_W:1]);
        kinds_apart: assert (!(\dut.x1_valid && \dut.x2_valid ) || \dut.x1_new == \dut.x2_new );
        asked_for: assert (\dut.at_rest || was_wanted);
        issued_when: assert (!\dut.issued || \dut.state == 2'd3 || \dut.at_rest );
        // cycles that have passed
        stuck_rest: assert (!\dut.at_rest || stuck == 0);
        stuck_kept: assert (!\dut.again || \dut.kept == 0 || (stuck + !(!\dut.kept [0]) + !(!\dut.kept [1]) <= POOL - 1 && !\dut.ask_valid && !\dut.x1_valid ));
        stuck_ask: assert (!\dut.again || !\dut.ask_valid || stuck <= POOL - 1);
        stuck_x1: assert (!(\dut.state == 2'd2 && \dut.x1_valid ) || stuck <= POOL);
        stuck_wait: assert (\dut.state != 2'd2 || stuck <= POOL + 1);
        stuck_open: assert (open == 0 || stuck == 0);
        slot_eligible: assert (!(full && slot_frame == here) || eligible);
        here_in_slot: assert (!(eligible && !retried) || (full && !before(p, l, here, slot_rank, slot_last, slot_frame)));
        here_old: assert (!(eligible && old(l)));
        waits_same: assert (\dut.at_rest ? open == 0 : \dut.answers == open);
        waits_when: assert (!decide_req && !deciding || open == 0);
        deciding_same: assert (deciding == (\dut.issued && \dut.state == 2'd3) || \dut.at_rest );
        deciding_when: assert (!deciding || \dut.state == 2'd3);
        rest_empty: assert (!\dut.at_rest || (!full && filled == 0 && !plain && !x1_valid && !x2_valid && !retried && !deciding));
        again_when: assert (!\dut.again || (!\dut.kept [0] && !\dut.kept [1] && !\dut.ask_valid ) || (open == 0 && !x1_valid && !x2_valid && retried));
        reads_when: assert (!(\dut.x1_valid && !\dut.x1_new || \dut.x2_valid && !\dut.x2_new ) || (retried && open == 0 && \dut.state == 2'd2));
        read_is_full: assert (!(\dut.again && (\dut.kept [slot] || (\dut.ask_valid && \dut.ask_slot == slot))) || full);
        rounds_none: assert (\dut.at_rest || \dut.rounds != 2'd0 || (!full && !x1_valid && !x2_valid && open == 0 && !have && !retried));
        decide_kept: assert (!(\dut.state == 2'd3 && \dut.rounds != 2'd0) || (!\dut.kept [0] && !\dut.kept [1] && !\dut.ask_valid ));
        kept_same: assert (kept_full == (!\dut.again && to_ask[slot]));
        kept_held: assert (!kept_full || (kept_frame[0] == slot && held[0] == kept_frame[FRAME_W-1]));
        // of what is kept
        few_open: assert (open <= 4);
        left_same: assert (\dut.at_rest || hand_asked + (\dut.state == 2'd1 ? \dut.left : {FRAME_W+1{1'b0}}) ==
                           (\dut.rounds == 2'd0 ? {FRAME_W+2{1'b0}} : \dut.rounds == 2'd1 ? turns : {turns[FRAME_W:0], 1'b0}));
        rest_granted: assert (!\dut.at_rest || (granted == 0 && kept_asked == 0 && !asked));
        asked_when: assert (asked == (granted != 0) && granted >= kept_asked && (\dut.rounds != 2'd0 || \dut.at_rest || !asked));
        rounds_few: assert (\dut.rounds != 2'd3 || \dut.at_rest );
        scan_left: assert (\dut.state != 2'd1 || (\dut.left != 0 && \dut.left <= turns && \dut.rounds != 0));
        hand_in: assert (\dut.at_rest || \dut.hand < cfg_frames);
        to_ask_when: assert (\dut.again || to_ask == 0 || \dut.at_rest || \dut.rounds == 2'd0 ||
                             (\dut.state == 2'd1 && \dut.rounds == 2'd1 && \dut.left == turns));
        to_ask_once: assert (!\dut.ask_valid || !\dut.kept [\dut.ask_slot ]);
        to_ask_next: assert (\dut.state != 2'd1 || \dut.kept == 0 || \dut.ask_valid );
        to_ask_empty: assert (\dut.again || (to_ask & (filled | coming | waiting)) == 0);
        to_ask_few: assert (\dut.again || kept_asked + to_ask[0] + to_ask[1] <= POOL);
        to_ask_read: assert (!\dut.ask_valid || \dut.slots.rdata == \dut.slots.words [\dut.ask_slot *E_W +: E_W]);
        all_enabled: assert ((!(to_ask[0] || filled[0]) || {1'b0, ~\dut.slots.words [0], 1'b0} < cfg_frames) &&
                             (!(to_ask[1] || filled[1]) || {1'b0, ~\dut.slots.words [E_W], 1'b1} < cfg_frames) &&
                             (!x1_valid || {1'b0, x1_frame} < cfg_frames) && (!x2_valid || {1'b0, x2_frame} < cfg_frames));
        all_ask_enabled: assert (order_enabled);
        each_once: assert (\dut.state != 2'd1 || hand_asked != 0 || open + x1_valid + x2_valid + filled[0] + filled[1] <= granted);
        retried_when: assert (!retried || (\dut.state [1] && open == 0 && !x1_valid && !x2_valid) || \dut.rounds == 2'd2);
        by_hand_when: assert (!by_hand || \dut.state != 2'd1 || ({1'b0, here} < cfg_frames && behind != 0 && behind + \dut.left <= turns));
        left_not_kept: assert (!left_kept || !kept_full);
    end

endmodule
`default_nettype wire
