// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_unit behind side_port: free frames, and victims that leave ahead of need.
//
// The harness plays the frames, the search, the driver and fault_queue. The table of fault_queue has one user at a time, and its answers
// are any that the promises (`assume`) allow; fault_queue.v proves these for the table itself. The driver keeps to its protocol: a
// FILL answers a decision or replaces a page that stays; a CANCEL of a page that leaves ends a decided fault, or says `ahead`.
//: without fault_queue
//: pdr 100 s
//: bmc3 40 frames 20 s
//: find 80:within 1979:ahead_claims_none 1978:ahead_when_short 1981:cancel_ahead_free,within 258:ahead_alone 1980:cancel_ahead_ends_none 260:ahead_leaves
`default_nettype none
module formal_fault_unit #(
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter FAULTS  = 2,
    parameter IDX_W   = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter REF_W   = 1,
    parameter TIME_W  = 5,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 2,
    parameter T2_W    = 1,
    parameter PLACE_W = 1,
    parameter AGE_W   = 2
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_m3.vh"
`include "gmmu_cfg_tiers.vh"
`include "gmmu_beat_drv.vh"
) (
    input wire                clk,
    input wire                drv_valid, decide_go, decide_have, decide_tired, may_take, d_ready, age_due, walk, replay,
    input wire [DRV_BITS-1:0] drv,
    input wire [FRAME_W-1:0]  decide_frame
);

`include "gmmu_codes.vh"

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;
    (* anyconst *) wire [FRAME_W:0]   cfg_frames;
    (* anyconst *) wire [FRAME_W-1:0] cfg_ahead;

    wire [S3_BITS-1:0] s3;
    wire [HELD_BITS-1:0] held;
    wire [2:0] decide_tier;
    wire find_req, find_ready, find_take, decide_ok, decide_grant, decide_room, f_take, decide_ahead, outcome_came, had, spare, age_fault, expire_req;
    wire expire_grant, age_fault_done;
    wire [FRAME_W-1:0] expire_frame;
    wire [2:0] outcome;
    wire s3_fill = s3[S3_FILL_O], s3_free = s3[S3_FREE_O], s3_cancel = s3[S3_CANCEL_O], s3_decide = s3[S3_DECIDE_O], s3_ahead = s3[S3_AHEAD_O];
    wire [FRAME_W-1:0] s3_frame = s3[S3_FRAME_O +: FRAME_W];
    reg  deciding; // a DECIDE is on its way
    gmmu_side_port #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .FAULTS(FAULTS), .AGE_W(AGE_W)
    ) side_port (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .open(!first), .age_frames(cfg_frames), .age_due(age_due), .install_req(1'b0),
        .find_req(find_req), .find_ready(find_ready), .find_take(find_take), .decide_ok(decide_ok), .age_fault(age_fault),
        .age_fault_done(age_fault_done), .expire_req(expire_req), .expire_frame(expire_frame), .expire_grant(expire_grant),
        .drv_valid(drv_valid), .drv(drv), .cand_req(1'b0), .cand_hand(1'b0), .cand_frame({FRAME_W{1'b0}}), .hand_void(1'b0),
        .decide_req(decide_go && decide_room && !deciding), .decide_have(decide_have), .decide_frame(decide_frame), .decide_grant(decide_grant),
        .t_req(1'b0), .t_kind(4'd0), .t_slot(1'b0), .t_frame({FRAME_W{1'b0}}), .t_void(1'b0), .stays(1'b0), .may_be(1'b0), .done_ok(1'b0),
        .t2_refused(1'b0), .s0_ready(1'b1), .m3({M3_BITS{1'b0}}), .s3(s3), .s3_had(had), .spare(spare)
    );
    gmmu_fault_unit #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FRAMES(FRAMES), .FAULTS(FAULTS),
        .NOTES(2), .LATE(2), .POOL(1), .K(1), .TP_SETS(1), .TP_WAYS(1), .TP_TAG_W(2), .TP_CNT_W(1), .PARITY(0)
    ) dut (
        .clk(clk), .clk_queue(clk), .rst(rst), .clear(1'b0), .cfg_frames(cfg_frames), .cfg_ahead(cfg_ahead), .cfg_search(2'd0),
        .cfg_tiers({CFGT_BITS{1'b0}}), .now({TIME_W{1'b0}}), .next({TIME_W{1'b0}}), .epoch_ends(1'b0), .makes_fresh(1'b1),
        .w9({{W9_BITS-1{1'b0}}, walk && !replay} << W9_VALID_O | {{W9_BITS-1{1'b0}}, walk && replay} << W9_REPLAY_O), .w9_class({CLASS_W{1'b0}}),
        .find_req(find_req), .find_page({PAGE_BITS{1'b0}}), .find_ready(find_ready), .find_take(find_take), .decide_req(decide_go),
        .decide_ok(decide_ok), .decide_take(decide_grant), .age_fault(age_fault), .age_fault_done(age_fault_done), .expire_req(expire_req),
        .expire_frame(expire_frame), .expire_take(expire_grant), .s0_frame({FRAME_W{1'b0}}), .s0_slot(1'b0), .s1_slot_valid(1'b0),
        .s1_rise(1'b0), .s1_slot(1'b0), .s2_page({PAGE_BITS{1'b0}}), .s3_may_done(1'b0), .s3_may_swap(1'b0), .s3(s3),
        .age_index({FRAME_W+1{1'b0}}), .age_entry(1'b0), .held(held), .s3_had(had), .spare(spare), .hand_takes(1'b0),
        .decide_have(decide_have), .decide_tired(decide_tired), .decide_fresh(1'b0), .decide_frame(decide_frame), .decide_priority(16'd0),
        .decide_room(decide_room), .f_take(f_take), .decide_tier(decide_tier), .decide_ahead(decide_ahead), .outcome_came(outcome_came),
        .outcome(outcome), .d_ready(d_ready), .t_grant(1'b0), .cand2_came(1'b0), .looked({LOOKED_BITS{1'b0}}), .flush_begun(1'b0),
        .ends_arrived(1'b0)
    );
    (* hierconn *) wire \dut.head_here , \dut.head_filled , \dut.q_hit , \dut.q_decided , \dut.claims , \dut.named_ahead , \dut.unclaim ;
    (* hierconn *) wire \dut.to_plus , \dut.to_minus , \dut.to_claim , \dut.to_unclaim , \dut.waiting ;
    (* hierconn *) wire [FRAME_W:0] \dut.resident ;
    (* hierconn *) wire [IDX_W:0]   \dut.claimed ;

    // ---- the frames
    reg  [FRAMES-1:0] valid, leaving;
    wire f_valid = valid[s3_frame], f_leaving = valid[s3_frame] && leaving[s3_frame];
    wire f_taken = may_take && f_valid && !f_leaving;
    wire leaves  = f_take && f_taken;
    // asid, vpn, class, last, age, bad, dirty, clamped, taken, fresh, recent, eligible, leaving, valid
    assign held = {{ASID_W+VPN_W+CLASS_W+2*TIME_W+3{1'b0}}, f_taken, 3'b000, f_leaving, f_valid};
    always @(posedge clk) begin
        if (s3_fill || s3_free) begin
            valid[s3_frame]   <= s3_fill;
            leaving[s3_frame] <= 1'b0;
        end
        if (s3_cancel)
            leaving[s3_frame] <= 1'b0;
        if (leaves)
            leaving[s3_frame] <= 1'b1;
        if (rst)
            {valid, leaving} <= 0;
    end
    wire [FRAME_W:0] stay = {{FRAME_W{1'b0}}, valid[0] && !leaving[0]} + (valid[1] && !leaving[1]);

    // ---- fault_queue: one user of the table at a time; an entry for each decided fault and the oldest undecided one
    reg              was_here, was_filled, was_have, was_tired, was_ok, finding, expiring, was_leaves;
    reg  [IDX_W:0]   decided; // faults that wait for their FILL
    reg  [FRAME_W-1:0] was_frame;
    reg  [DRV_BITS-1:0] was_drv;
    reg              stands, was_ready;
    always @(posedge clk) begin
        {was_here, was_filled, was_have, was_tired, was_frame} <= {\dut.head_here , \dut.head_filled , decide_have, decide_tired, decide_frame};
        was_ok    <= decide_ok && !decide_grant;
        deciding  <= !rst && (decide_grant || (deciding && !outcome_came));
        finding   <= !rst && (find_take || (finding && !s3[S3_TABLES_O]));
        expiring  <= !rst && (expire_grant || (expiring && !s3[S3_EXPIRE_O]));
        decided   <= rst ? {IDX_W+1{1'b0}} : decided + \dut.claims - \dut.unclaim ;
        was_leaves <= leaves && !rst;
        stands    <= drv_valid && !find_take && !rst; // an offer stays until it is taken
        was_drv   <= drv;
    end
    always @* begin
        assume (cfg_frames != 0 && cfg_frames <= FRAMES);
        assume (!stands || drv == was_drv);
        assume ({1'b0, find_ready} + decide_ok + expire_req <= 2'd1);
        assume (!(find_ready || decide_ok || expire_req) || !(deciding || finding || expiring));
        assume (!(was_ok || deciding) || {\dut.head_here , \dut.head_filled } == {was_here, was_filled});
        assume (!\dut.head_here || \dut.waiting );
        assume (!deciding || {decide_have, decide_tired, decide_frame} == {was_have, was_tired, was_frame});
        assume (!\dut.q_decided || (\dut.q_hit && decided != 0));
        assume (decided + \dut.head_here <= FAULTS);
        // the driver
        assume (!s3_fill || \dut.q_decided || (f_valid && !f_leaving));
        assume (!(s3_cancel && f_leaving) || \dut.q_decided || s3_ahead);
    end

    wire [FRAME_W+2:0] in_use = {2'd0, stay} + decided;
    always @* if (!rst) begin
        // Pages that stay and frames that decisions promised are at most cfg_frames.
        within: assert (in_use + \dut.claims <= cfg_frames);
        // What is counted is so, when the events of the last two cycles are counted.
        counted: assert ({1'b0, \dut.resident } + \dut.to_plus - \dut.to_minus == {1'b0, stay} + was_leaves &&
                         {1'b0, \dut.claimed } + \dut.to_claim - \dut.to_unclaim == {1'b0, decided});
        // A decision ahead of need promises no frame,
        ahead_claims_none: assert (!\dut.named_ahead || (outcome_came && !\dut.claims ));
        // takes the page of the candidate's frame,
        ahead_leaves: assert (\dut.named_ahead == (was_leaves && was_alone));
        // comes only if fewer frames than cfg_ahead are free,
        ahead_when_short: assert (!(s3_decide && decide_ahead && leaves) || in_use + cfg_ahead > cfg_frames);
        // and not while a fault is undecided.
        ahead_alone: assert (!(s3_decide && decide_ahead && leaves) || !\dut.head_here );
        // A page for which a frame is free or promised does not leave for a fault.
        free_first: assert (!(s3_decide && !decide_ahead && leaves) || in_use == cfg_frames);
        // A CANCEL of a decision ahead comes to effect with a free frame only, and ends no fault.
        cancel_ahead_free: assert (!(s3_cancel && s3_ahead && f_leaving) || in_use < cfg_frames);
        cancel_ahead_ends_none: assert (!(s3_cancel && s3_ahead) || !\dut.unclaim );
    end
    reg was_alone; // DECIDE without an undecided fault
    always @(posedge clk)
        was_alone <= s3_decide && !\dut.head_here ;

endmodule
`default_nettype wire
