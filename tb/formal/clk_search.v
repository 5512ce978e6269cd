// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of victim_select may rest: one whose clock rests (rtl/lib/gmmu_clk_gate.v) says in every cycle what one says
// whose clock always runs. It is woken as in gmmu_tier, or for no reason; its cfg_ inputs change a cycle after they wake it.
//: gated
//: pdr 120 s
//: bmc3 40 frames 30 s
//: find 330:idle_same
`default_nettype none
module formal_clk_search #(
    parameter FRAMES  = 2,
    parameter POOL    = 2,
    parameter K       = 1,
    parameter TIME_W  = 2,
    parameter HOLD    = 1,
    parameter FRAME_W = 1
) (
    input wire               clk,
    input wire               reset, also, wanted, no_search, slow, go, answer, ans_eligible, prio,
    input wire               decide_go, decide_done, decide_retry, decide_kept, decide_taken, hand_recent, ans_fresh, forces,
    input wire [1:0]         cfg_search,
    input wire [FRAME_W:0]   cfg_frames,
    input wire [TIME_W-1:0]  ans_last
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    reg [FRAME_W:0] r_frames;
    reg [1:0]       r_search;
    always @(posedge clk)
        {r_search, r_frames} <= {cfg_search, cfg_frames};
    wire new_cfg = {r_search, r_frames} != {cfg_search, cfg_frames};
    wire rests, idle;
    gmmu_clk_gate #(.HOLD(HOLD)) gate (.clk(clk), .rst(rst), .test_en(1'b0), .wake(new_cfg || !idle || ans_valid || decide_done || also), .gated(rests));

    // The callers' protocol: answers come to what was asked for, in order; an outcome to a decision that was granted; a request
    // stands until its decision is final.
    localparam MOST = 3; // answers that are outstanding: what the block can count at these sizes
    reg [FRAME_W-1:0] asked [0:MOST-1];
    reg [1:0]         open;
    reg               deciding, was_wanted;
    wire              ans_valid = answer && open != 0;
    wire [FRAME_W-1:0] ans_frame = asked[0];
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < MOST - 1; i = i + 1)
            if (ans_valid)
                asked[i] <= asked[i + 1];
        if (cand_grant)
            asked[open - {1'b0, ans_valid}] <= g_one[1].cand_frame;
        open       <= rst ? 2'd0 : open + {1'b0, cand_grant} - {1'b0, ans_valid};
        deciding   <= !rst && (decide_grant || (deciding && !decide_done));
        was_wanted <= !rst && wanted && !(decide_done && !decide_retry);
    end
    always @* begin
        assume (!decide_done || deciding);
        assume (!decide_kept || (decide_done && decide_retry && g_one[1].cand_hand));
        assume (!was_wanted || wanted);
        assume (open < MOST || !go);
        assume (cfg_frames != 0 && cfg_frames <= FRAMES);
    end

    // 0: its clock runs; 1: it rests
    wire cand_grant, decide_grant;
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_one
            wire               cand_hand, hand_void, idle, cand_req, decide_req, decide_have, decide_tired, decide_fresh, forced;
            wire [FRAME_W-1:0] cand_frame, decide_frame;
            wire [TIME_W-1:0]  decide_last;
            wire [15:0]        decide_priority;
            gmmu_victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(K), .FRAME_W(FRAME_W), .PARITY(0)) dut (
                .clk(g == 1 ? rests : clk), .rst(rst), .cfg_frames(r_frames), .cfg_search(r_search), .wanted(wanted),
                .no_search(no_search), .slow(slow), .idle(idle), .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant),
                .ans_valid(ans_valid), .ans_eligible(ans_eligible), .ans_fresh(ans_fresh), .ans_guarded(prio), .ans_priority({15'd0, !prio}),
                .ans_last(ans_last),
                .ans_frame(ans_frame), .cand_hand(cand_hand), .hand_valid(ans_valid), .hand_eligible(ans_eligible),
                .hand_recent(hand_recent), .hand_fresh(ans_fresh), .forces(forces), .forced(forced), .decide_fresh(decide_fresh),
                .hand_last(ans_last), .hand_frame(ans_frame), .hand_void(hand_void),
                .decide_req(decide_req), .decide_have(decide_have), .decide_tired(decide_tired),
                .decide_frame(decide_frame), .decide_last(decide_last), .decide_priority(decide_priority),
                .decide_grant(decide_grant), .decide_done(decide_done), .decide_retry(decide_retry), .decide_kept(decide_kept), .decide_taken(decide_taken)
            );
            wire [15+TIME_W+FRAME_W:0] best = {decide_frame, decide_last, decide_priority};
        end
    endgenerate
    assign idle         = g_one[1].idle;
    assign cand_grant   = go && g_one[1].cand_req;
    assign decide_grant = decide_go && g_one[1].decide_req;

    always @* if (!rst) begin
        // At work in the same cycles.
        idle_same: assert (g_one[0].idle == g_one[1].idle);
        // The same candidates.
        candidates_same: assert (g_one[0].cand_req == g_one[1].cand_req &&
                                 (!g_one[0].cand_req || {g_one[0].cand_frame, g_one[0].cand_hand} == {g_one[1].cand_frame, g_one[1].cand_hand}));
        // The same HANDs are void.
        void_same: assert (!ans_valid || g_one[0].hand_void == g_one[1].hand_void);
        // The same decisions, and the same best one from the first answer on.
        decision_same: assert (g_one[0].decide_req == g_one[1].decide_req && g_one[0].decide_tired == g_one[1].decide_tired);
        // From the first candidate on both are forced or none, and of both the second round passed over a fresh frame, or of none.
        fresh_same: assert (!(g_one[1].cand_req || g_one[1].decide_req)
            || (g_one[0].forced == g_one[1].forced && g_one[0].decide_fresh == g_one[1].decide_fresh));
        best_same: assert (idle || (g_one[0].decide_have == g_one[1].decide_have &&
                                    (!g_one[0].decide_have || g_one[0].best == g_one[1].best)));
    end

endmodule
`default_nettype wire
