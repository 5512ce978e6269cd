// SPDX-License-Identifier: Apache-2.0
// Proofs about gmmu_tier: a part whose clock rests is awake in every cycle in which it is asked something, and when a register
// has changed. The parts are left out: what they say is anything. That a part with such a clock does what it does with one that
// always runs, is proved in tb/formal/clk_faults.v, clk_search.v and clk_export.v.
//: gated
//: without trace_sampler ref_rit ppuc frame_store rit_export victim_select hir_cache fault_queue g_tiers.tier2_table g_tiers.tier_predict g_tiers.victim_select
//: pdr 60 s
//: bmc3 60 frames 30 s
//: plain
//: find 221:main_awake 222:learn_awake 223:export_awake 224:ppuc_awake 225:search_awake 226:faults_hears
//: find 228:refresh_heard 229:cfg_heard
`default_nettype none
module formal_clk_wakes #(
    parameter VPN_W   = 2,
    parameter ASID_W  = 1,
    parameter REF_W   = 2,
    parameter SM_W    = 1,
    parameter TIME_W  = 14, // the least for its checks
    parameter FRAMES  = 2,
    parameter CLASSES = 2,
    parameter WAYS    = 2,
    parameter BINS    = 16,
    parameter CNT_W   = 4,
    parameter EXEC_W  = 2,
    parameter GEN_W   = 1,
    parameter FAULTS  = 2,
    parameter NOTES   = 2,
    parameter LATE    = 2,
    parameter SEQ_W   = 2,
    parameter POOL    = 1,
    parameter SAMPLER = 4,
    parameter SWAYS   = 2,
    parameter RECQ    = 4,
    parameter SIDEQ   = 4,
    parameter RITQ    = 4,
    parameter T2_SLOTS = 2,
    parameter TP_SETS = 1,
    parameter TP_WAYS = 1,
    parameter T2_W    = 1,
    parameter FRAME_W = 1,
    parameter WALK_BITS = VPN_W + REF_W + ASID_W + SM_W + 4 + FRAME_W + T2_W,
    parameter DRV_BITS  = 4 + FRAME_W + ASID_W + VPN_W + 5 + TIME_W + T2_W,
    parameter WALK_TDATA = (WALK_BITS + 7) / 8 * 8,
    parameter DRV_TDATA  = (DRV_BITS + 7) / 8 * 8
) (
    input wire                 clk,
    input wire                 reset,
    input wire [WALK_TDATA-1:0] walk,
    input wire [DRV_TDATA-1:0] drv,
    input wire                 walk_valid, drv_valid, decision_ready, rit_ready, hir_ready,
    input wire [FRAME_W:0]     cfg_frames,
    input wire                 cfg_pseudo, cfg_feed, cfg_censor, cfg_rit_fault,
    input wire [1:0]           cfg_search,
    input wire [3:0]           cfg_sample, cfg_rit_wait,
    input wire [4:0]           cfg_refresh, cfg_fresh,
    input wire [FRAME_W-1:0]   cfg_ahead,
    input wire [7:0]           cfg_rit_batch,
    input wire [15:0]          cfg_transfer,
    input wire [7:0]           cfg_protect,
    input wire [T2_W:0]        cfg_t2_slots,
    input wire [2:0]           cfg_tier,
    input wire                 cfg_t2_full, cfg_tier_default, cfg_tier_model, cfg_tie,
    input wire [TIME_W-1:0]    cfg_tier_near, cfg_tier_far,
    input wire [ASID_W:0]      cfg_flush
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire decision_valid;
    gmmu_tier #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES),
        .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS), .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W),
        .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE), .SEQ_W(SEQ_W), .POOL(POOL), .SAMPLER(SAMPLER), .SWAYS(SWAYS), .RECQ(RECQ), .SIDEQ(SIDEQ), .RITQ(RITQ),
        .RANGES(0), .T2_SLOTS(T2_SLOTS), .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .HIR_SETS(1), .HIR_WAYS(1), .HIR_PAGES(1), .HIR_CNT_W(1)
    ) dut (
        .clk(clk), .rst(rst), .cfg_frames(cfg_frames), .cfg_search(cfg_search), .cfg_pseudo(cfg_pseudo), .cfg_feed(cfg_feed),
        .cfg_sample(cfg_sample), .cfg_censor(cfg_censor), .cfg_refresh(cfg_refresh),
        .cfg_rit_batch(cfg_rit_batch), .cfg_rit_fault(cfg_rit_fault), .cfg_rit_wait(cfg_rit_wait), .m_axis_rit_tready(rit_ready),
        .cfg_transfer(cfg_transfer), .cfg_protect(cfg_protect), .cfg_flush(cfg_flush), .cfg_watchdog(4'd0), .cfg_fresh(cfg_fresh),
        .cfg_ahead(cfg_ahead), .m_axis_hir_tready(hir_ready),
        .cfg_t2_slots(cfg_t2_slots), .cfg_tier(cfg_tier), .cfg_t2_full(cfg_t2_full), .cfg_tier_default(cfg_tier_default),
        .cfg_tier_model(cfg_tier_model), .cfg_tie(cfg_tie), .cfg_tier_near(cfg_tier_near), .cfg_tier_far(cfg_tier_far),
        .s_axis_walk_tdata(walk), .s_axis_walk_tvalid(walk_valid),
        .s_axis_drv_tdata(drv), .s_axis_drv_tvalid(drv_valid),
        .m_axis_decision_tready(decision_ready), .m_axis_decision_tvalid(decision_valid)
    );
    // the clocks, as enables
    (* hierconn *) wire \dut.clk_main , \dut.clk_learn , \dut.clk_export , \dut.clk_faults , \dut.clk_search , \dut.clk_ppuc ;
    // what the parts are asked
    (* hierconn *) wire \dut.side_port.s3_tables , \dut.side_port.s3_expire , \dut.find_req , \dut.find_take , \dut.age_fault ;
    (* hierconn *) wire \dut.outcome_came , \dut.walk_pipe.w9_fault , \dut.walk_pipe.w9_back , \dut.walk_pipe.w9_replay , \dut.epoch_ends ;
    (* hierconn *) wire \dut.may_decide , \dut.decide_grant , \dut.expire_grant , \dut.queue_busy , \dut.ends_arrived ;
    (* hierconn *) wire \dut.limit_busy , \dut.placing , \dut.fault_unit.made , \dut.fault_unit.place_busy ;
    (* hierconn *) wire \dut.search_idle , \dut.learner.l6_valid , \dut.learner.l6_t2 , \dut.store_wake , \dut.learner.pending ;
    (* hierconn *) wire \dut.walk_pipe.w9_valid , \dut.given , \dut.walk_rec , \dut.side_rec , \dut.export_rests ;
    (* hierconn *) wire \dut.learner.snap_valid , \dut.install_req , \dut.side_port.s3_install , \dut.side_port.s3_cand ;
    (* hierconn *) wire \dut.learner.ppuc_idle , \dut.w2_valid , \dut.w2_look , \dut.w3_valid , \dut.w4_valid , \dut.scrub_due , \dut.hir_idle ;
    (* hierconn *) wire \dut.learner.rit_resting , \dut.learner.samp_idle , \dut.learner.feed_busy , \dut.walk_busy ;

    localparam CFG_W = FRAME_W + 2 + 4 + 4 + 5 + 8 + 1 + 4 + 16 + 8 + T2_W + 8 + 2 * TIME_W + ASID_W + 1 + 5 + FRAME_W;
    wire [CFG_W-1:0] cfg = {cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor, cfg_sample, cfg_refresh, cfg_rit_batch,
                            cfg_rit_fault, cfg_rit_wait, cfg_transfer, cfg_protect, cfg_t2_slots, cfg_tier, cfg_t2_full,
                            cfg_tier_default, cfg_tier_model, cfg_tie, cfg_tier_near, cfg_tier_far, cfg_flush, cfg_fresh, cfg_ahead};
    reg  [CFG_W-1:0] cfg_was;
    reg              since; // a change in the cycle before, too
    wire             new_cfg = cfg != cfg_was;
    always @(posedge clk) begin
        cfg_was <= cfg;
        since   <= new_cfg && !rst;
    end
    // in the cycle before, and in the one before that: clk_faults ran
    reg  was_awake, awake_before, told, told_before;
    always @(posedge clk)
        {awake_before, was_awake, told_before, told} <= {was_awake, \dut.clk_faults , told, !first};
    wire all = \dut.clk_main && \dut.clk_learn && \dut.clk_export && \dut.clk_faults && \dut.clk_search && \dut.clk_ppuc ;
    wire [2:0] owes = {\dut.learner.feed_busy , !\dut.learner.samp_idle , !\dut.learner.rit_resting };

    // the parts that are left out: the search asks while it is not idle, and fault_queue for an EXPIRE while it is busy
    (* hierconn *) wire \dut.select_idle , \dut.decide_req , \dut.cand_req , \dut.expire_req ;
    always @* begin
        assume (!(\dut.decide_req || \dut.cand_req ) || !\dut.select_idle );
        assume (!\dut.expire_req || \dut.queue_busy );
    end

    always @* begin
        // In reset, when a register changes, and in the cycle after, in which some parts see it.
        cfg_heard: assert (!(rst || (!first && new_cfg) || since) || all);
        if (!rst) begin
            // fault_queue: a fault, also in the two cycles before; the end of an epoch, a flush; an operation that is offered, granted or
            // that takes effect; a DECIDE, its outcome; an EXPIRE; an AGE; while the engine works.
            faults_told_walk: assert (!told_before || !(\dut.walk_pipe.w9_fault || \dut.walk_pipe.w9_back ) || (was_awake && awake_before));
            faults_hears: assert (!(\dut.walk_pipe.w9_fault || \dut.walk_pipe.w9_back || \dut.epoch_ends || \dut.ends_arrived ) || \dut.clk_faults );
            faults_asked: assert (!(\dut.find_req || \dut.find_take || \dut.side_port.s3_tables || \dut.may_decide || \dut.decide_grant ||
                                    \dut.outcome_came || \dut.expire_grant || \dut.side_port.s3_expire || \dut.age_fault ) || \dut.clk_faults );
            faults_awake: assert (!\dut.queue_busy || \dut.clk_faults );
            // victim_select: an answer, an outcome; while a fault waits or it searches.
            search_hears: assert (!((\dut.learner.l6_valid && !\dut.learner.l6_t2 ) || \dut.outcome_came ) || \dut.clk_search );
            search_awake: assert (\dut.search_idle || \dut.clk_search );
            // rit_export: walk or record while records are taken, a reference's row; while any waits.
            export_hears: assert (!((cfg_rit_batch != 0 && (\dut.walk_pipe.w9_valid || \dut.walk_rec || \dut.side_rec )) ||
                                    \dut.given ) || \dut.clk_export );
            export_awake: assert (\dut.export_rests || \dut.clk_export );
            // ppuc: a snapshot's bin, INSTALL, lookup, a row given away; while the engine works or is to begin.
            ppuc_hears: assert (!(\dut.learner.snap_valid || \dut.install_req || \dut.side_port.s3_install || \dut.side_port.s3_cand ||
                                  \dut.given ) || \dut.clk_ppuc );
            ppuc_awake: assert (\dut.learner.ppuc_idle || \dut.clk_ppuc );
            // hir_cache, trace_sampler, ref_rit, record queues: a walk, a record, a SCRUB; while anything but a refresh is owed;
            // when a refresh may begin.
            learn_hears: assert (!(\dut.w2_valid || \dut.w3_valid || \dut.w4_valid || \dut.walk_pipe.w9_valid || \dut.walk_rec || \dut.side_rec ||
                                   \dut.w2_look || \dut.scrub_due ) || \dut.clk_learn );
            refresh_heard: assert (!(\dut.learner.pending && \dut.learner.ppuc_idle && \dut.search_idle && !\dut.placing ) || \dut.clk_learn );
            learn_awake: assert (!(owes != 0 || !\dut.hir_idle || \dut.learner.snap_valid ) || \dut.clk_learn );
            // All else: a walk or an operation is offered or under way; a search, a record, a decision; another limit;
            // a victim has no place yet, or the predictor is owed something.
            main_hears: assert (!(walk_valid || drv_valid || \dut.install_req ) || \dut.clk_main );
            main_awake: assert (!(\dut.walk_busy || \dut.store_wake || !\dut.search_idle || owes != 0 || decision_valid ||
                                  \dut.limit_busy || \dut.fault_unit.made || \dut.fault_unit.place_busy ) || \dut.clk_main );
        end
    end

endmodule
`default_nettype wire
