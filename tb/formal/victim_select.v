// SPDX-License-Identifier: Apache-2.0
// Proofs about victim_select: one frame, any one, is followed through the search.
//: pdr 90 s
//: bmc3 40 frames 20 s
//: find 60 61 62 63 64 65 66 67 68 75:unprotected_first
`default_nettype none
module formal_victim_select #(
    parameter FRAMES  = 4,
    parameter POOL    = 2,
    parameter TIME_W  = 3,
    parameter FRAME_W = 2,
    parameter PRIO_W  = 2
) (
    input wire              clk,
    input wire              reset, wanted, no_search, cand_grant, answer, ans_eligible,
    input wire              decide_grant, decide_done, decide_retry,
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
    reg  [FRAME_W:0]    turn;       // frame that is answered next
    reg                 deciding;   // a decision was granted, its outcome is to come
    wire                ans_valid = answer && open != 0;
    wire [FRAME_W-1:0]  ans_frame = turn[FRAME_W-1:0];
    victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .FRAME_W(FRAME_W)) dut (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_search(1'b0), .decide_taken(1'b0),
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

    reg                tracked;  // `here` was eligible in this scan and not yet refused
    reg                eligible; // its last answer in this search
    reg                retried;  // some best one was refused in this search
    reg [16:0]         p;
    reg                that_protected; // the last answer of `that`
    reg [TIME_W-1:0]   l;
    reg [2:0]          stuck;
    reg [FRAME_W+1:0]  granted;
    always @(posedge clk) begin
        open <= open + {{FRAME_W+1{1'b0}}, cand_grant} - {{FRAME_W+1{1'b0}}, ans_valid};
        if (ans_valid)
            turn <= turn + 1'b1 == cfg_frames ? {FRAME_W+1{1'b0}} : turn + 1'b1;
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
        if (ans_valid && ans_eligible && ans_frame == that)
            that_protected <= rank[16];
        if (ans_valid && ans_frame == here) begin
            eligible <= ans_eligible;
            if (ans_eligible) begin
                tracked <= 1'b1;
                p       <= rank;
                l       <= ans_last;
            end
        end
        if (cand_grant)
            granted <= granted + 1'b1;
        stuck <= wanted && open == 0 && !cand_req && !decide_req && !deciding ? stuck + 1'b1 : 3'd0;
        if (final_done || rst) begin
            tracked  <= 1'b0;
            eligible <= 1'b0;
            retried  <= 1'b0;
            granted  <= 0;
        end
        if (rst) begin
            open       <= 0;
            turn       <= 0;
            deciding   <= 1'b0;
            was_wanted <= 1'b0;
            stuck      <= 3'd0;
        end
    end

    reg sorted, only_eligible;
    integer i;
    always @* begin
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
            if (list[i*E_W + E_W - 1] && list[i*E_W +: FRAME_W] == here)
                only_eligible = only_eligible && eligible &&
                                list[i*E_W + FRAME_W + TIME_W +: 17] == p && list[i*E_W + FRAME_W +: TIME_W] == l;
        end
    end

    always @* if (!rst) begin
        // No candidate that answered and was not refused goes before the one that is decided on.
        minimum: assert (!(decide_req && decide_have && tracked) ||
                         !before(p, l, here, decide_rank, decide_last, decide_frame));
        // A frame that answered that it is protected is decided on only if none answered that is not, or each that did was refused.
        unprotected_first: assert (!(decide_req && decide_have && tracked && !p[16]) || decide_frame != that || !that_protected);
        // At a decision, while no best one was refused, an eligible candidate means that the list is not empty.
        none_forgotten: assert (!(decide_req && tracked && !retried) || decide_have);
        // The list is sorted, without gaps and without equals.
        list_sorted: assert (sorted);
        // A frame in the list was eligible at its last answer in this search, with this priority and last access.
        list_eligible: assert (only_eligible || was_final);
        // With nothing under way, the next request for a candidate or a decision comes within four cycles.
        next_request: assert (stuck <= 3);
        // A search asks for at most two scans.
        two_scans: assert (granted <= {cfg_frames, 1'b0});
        // A scan asks for every enabled frame, and the search is tired after two of them.
        whole_scans: assert (!decide_req || granted == 0 || granted == {1'b0, cfg_frames} || granted == {cfg_frames, 1'b0});
        tired_after_two: assert (!(decide_req && decide_tired) || granted == {cfg_frames, 1'b0});
        // Nobody is decided on that was refused before or did not answer in this search.
        not_refused: assert (!(decide_req && decide_have && decide_frame == here) || tracked);
    end

endmodule
`default_nettype wire
