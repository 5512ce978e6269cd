// SPDX-License-Identifier: Apache-2.0
// Proofs about gmmu_tier: readiness, no walk lost. Its first decision comes 80 cycles after the reset: what is about decisions is proved of
// its parts, the credit for example in fault_unit.v.
//: pdr 120 s
//: bmc3 80 frames 150 s
//: deep
//: plain
//: find 262
`default_nettype none
module formal_gmmu_tier #(
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
    parameter T2_SLOTS = 0, // of tiers: tb/formal/tier_place.v
    parameter T2_W    = 1,
    parameter FRAME_W = 1,
    parameter WALK_BITS = VPN_W + REF_W + ASID_W + SM_W + 4 + FRAME_W + T2_W,
    parameter PIPE_W    = VPN_W + ASID_W + REF_W + FRAME_W + 4, // a walk in walk_pipe: a hit's frame or a fault's slot
    parameter DRV_BITS  = 4 + FRAME_W + ASID_W + VPN_W + 5 + TIME_W + T2_W,
    parameter WALK_TDATA = (WALK_BITS + 7) / 8 * 8,
    parameter DRV_TDATA  = (DRV_BITS + 7) / 8 * 8
) (
    input wire                 clk,
    input wire [WALK_TDATA-1:0] walk,
    input wire [DRV_TDATA-1:0] drv,
    input wire                 walk_valid, drv_valid, decision_ready, rit_ready, hir_ready
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;

    (* anyconst *) wire [FRAME_W:0] cfg_frames;
    (* anyconst *) wire       cfg_pseudo, cfg_feed, cfg_censor;
    (* anyconst *) wire [1:0] cfg_search;
    (* anyconst *) wire [3:0] cfg_sample;
    (* anyconst *) wire [4:0] cfg_refresh;
    (* anyconst *) wire [7:0] cfg_rit_batch;
    (* anyconst *) wire       cfg_rit_fault;
    (* anyconst *) wire [3:0] cfg_rit_wait;
    (* anyconst *) wire [15:0] cfg_transfer;
    (* anyconst *) wire [7:0] cfg_protect;
    (* anyconst *) wire [ASID_W:0] cfg_flush;
    (* anyconst *) wire [4:0] cfg_fresh;
    (* anyconst *) wire [FRAME_W-1:0] cfg_ahead;
    wire walk_ready, drv_ready, tvi_walk_valid, tvi_replay_valid;
    gmmu_tier #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES),
        .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS), .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W),
        .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE), .SEQ_W(SEQ_W), .POOL(POOL), .SAMPLER(SAMPLER), .SWAYS(SWAYS), .RECQ(RECQ), .SIDEQ(SIDEQ), .RITQ(RITQ),
        .RANGES(0), .T2_SLOTS(T2_SLOTS), .HIR_SETS(1), .HIR_WAYS(1), .HIR_PAGES(1), .HIR_CNT_W(1) // no property is about what it records
    ) dut (
        .clk(clk), .rst(rst), .test_en(1'b0), .cfg_frames(cfg_frames), .cfg_search(cfg_search), .cfg_pseudo(cfg_pseudo), .cfg_feed(cfg_feed),
        .cfg_sample(cfg_sample), .cfg_censor(cfg_censor), .cfg_refresh(cfg_refresh),
        .cfg_rit_batch(cfg_rit_batch), .cfg_rit_fault(cfg_rit_fault), .cfg_rit_wait(cfg_rit_wait), .m_axis_rit_tready(rit_ready),
        .cfg_transfer(cfg_transfer), .cfg_protect(cfg_protect), .cfg_flush(cfg_flush), .cfg_watchdog(4'd0), .cfg_fresh(cfg_fresh),
        .cfg_ahead(cfg_ahead), .m_axis_hir_tready(hir_ready),
        .s_axis_walk_tdata(walk), .s_axis_walk_tvalid(walk_valid), .s_axis_walk_tready(walk_ready),
        .s_axis_drv_tdata(drv), .s_axis_drv_tvalid(drv_valid), .s_axis_drv_tready(drv_ready),
        .m_axis_decision_tready(decision_ready), .tvi_walk_valid(tvi_walk_valid), .tvi_replay_valid(tvi_replay_valid)
    );
    (* hierconn *) wire [PIPE_W-1:0]    \dut.walk_pipe.at9 ;
    (* hierconn *) wire [TIME_W-1:0]    \dut.now ;
    always @*
        assume (cfg_frames != 0 && cfg_frames <= FRAMES);

    reg                 risen;
    reg [8:0]           took;
    reg [WALK_BITS-1:0] w1, w2, w3, w4, w5, w6, w7, w8, w9;
    reg [TIME_W-1:0]    walks;  // that took effect, without replays
    always @(posedge clk) begin
        risen <= !rst && (risen || walk_ready);
        took  <= rst ? 9'd0 : {took[7:0], walk_valid && walk_ready};
        w1 <= walk[WALK_BITS-1:0];
        w2 <= w1;
        w3 <= w2;
        w4 <= w3;
        w5 <= w4;
        w6 <= w5;
        w7 <= w6;
        w8 <= w7;
        w9 <= w8;
        walks <= rst ? {TIME_W{1'b0}} : walks + (took[8] && !w9[WALK_BITS-1]);
    end

    // vpn, ref, asid, sm, write, fault, frame, t2, slot, replay
    localparam WRITE_O = VPN_W + REF_W + ASID_W + SM_W, FAULT_O = WRITE_O + 1, FRAME_O = FAULT_O + 1, T2_O = FRAME_O + FRAME_W;
    wire [PIPE_W-1:0] as_was = {w9[WALK_BITS-1], w9[T2_O] && w9[FAULT_O], w9[FAULT_O], w9[WRITE_O],
                                w9[FAULT_O] ? w9[T2_O+1 +: T2_W] : w9[FRAME_O +: FRAME_W],
                                w9[VPN_W +: REF_W], w9[VPN_W+REF_W +: ASID_W], w9[VPN_W-1:0]};

    always @* if (!rst) begin
        // After the first cycle in which walks are taken they are taken in every cycle.
        always_ready: assert (!risen || walk_ready);
        // A walk takes effect exactly nine cycles after its beat, as it was, access or replay; time counts the accesses.
        walk_after_nine: assert (tvi_walk_valid == (took[8] && !w9[WALK_BITS-1]) && tvi_replay_valid == (took[8] && w9[WALK_BITS-1]) &&
                                 (!took[8] || \dut.walk_pipe.at9 == as_was) && \dut.now == walks);
    end

endmodule
`default_nettype wire
