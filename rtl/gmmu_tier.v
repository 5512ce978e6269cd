// SPDX-License-Identifier: Apache-2.0
// gmmu_tier: the memory-tiering unit (docs/architecture.md, docs/schedule.md).
//
// Walk pipeline: a walk is taken in every cycle and takes effect nine cycles later (stage w9), in
// order. Side port: one of DRV, AGE, INSTALL, CAND, DECIDE a cycle, effect three cycles after its
// grant (stages s0 to s3), before the walk of the same cycle. Background: ref_rit's own actions.
//
//   s_axis_walk ─► w1 … w4 ─ w5 … w8 ─ w9 ─► record queue ─► ref_rit ─► ppuc
//                  hash      directory │ frame_table, fault_queue
//   s_axis_drv ──► s0 ─ s1 ─ s2 ─ s3 ──┘
//   victim_select ─┘     └─► ppuc lookup ─► victim_select ─► m_axis_decision
//
// Beats: docs/formats.md. Registers cfg_* and counters stat_*: docs/registers.md.
`default_nettype none
`include "gmmu_config.vh"
module gmmu_tier #(
    parameter VPN_W   = `GMMU_VPN_W,
    parameter ASID_W  = `GMMU_ASID_W,
    parameter REF_W   = `GMMU_REF_W,
    parameter SM_W    = `GMMU_SM_W,
    parameter TIME_W  = `GMMU_TIME_W,
    parameter FRAMES  = `GMMU_FRAMES,
    parameter CLASSES = `GMMU_CLASSES,
    parameter WAYS    = `GMMU_WAYS,
    parameter BINS    = `GMMU_BINS,
    parameter CNT_W   = `GMMU_CNT_W,
    parameter EXEC_W  = `GMMU_EXEC_W,
    parameter GEN_W   = `GMMU_GEN_W,
    parameter FAULTS  = `GMMU_FAULTS,
    parameter SEQ_W   = `GMMU_SEQ_W,
    parameter POOL    = `GMMU_POOL,
    parameter K       = `GMMU_K,
    parameter SAMPLER = `GMMU_SAMPLER,
    parameter SWAYS   = `GMMU_SWAYS,
    parameter RECQ    = `GMMU_RECQ,
    parameter SIDEQ   = `GMMU_SIDEQ,
    parameter FRAME_MEM = `GMMU_FRAME_MEM,
    parameter TOUCHQ  = `GMMU_TOUCHQ,
    parameter LINES   = `GMMU_LINES,
    parameter RITQ    = `GMMU_RITQ,
    parameter HIR_SETS  = `GMMU_HIR_SETS,
    parameter HIR_WAYS  = `GMMU_HIR_WAYS,
    parameter HIR_PAGES = `GMMU_HIR_PAGES,
    parameter HIR_CNT_W = `GMMU_HIR_CNT_W,
    // derived, not to be set
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = $clog2(BINS),
    parameter SAMP_W  = $clog2(SAMPLER),
    parameter IDX_W   = FAULTS > 1 ? $clog2(FAULTS) : 1,
    parameter WALK_BITS = VPN_W + REF_W + ASID_W + SM_W + 2 + FRAME_W,
    parameter DRV_BITS  = 4 + FRAME_W + ASID_W + VPN_W + 1,
    parameter DEC_BITS  = SEQ_W + 2 * (ASID_W + VPN_W) + 2 + FRAME_W + 1 + 16,
    parameter WORD_BITS = 4 + ROW_W + GEN_W + TIME_W + ASID_W + VPN_W,
    parameter RIT_REC_BITS  = 5 + 2 * (ASID_W + REF_W + TIME_W) + VPN_W,
    parameter RIT_HEAD_BITS = 40 + TIME_W,
    parameter RIT_BITS  = RIT_REC_BITS > RIT_HEAD_BITS ? RIT_REC_BITS : RIT_HEAD_BITS,
    parameter HIR_REC_BITS = ASID_W + VPN_W - $clog2(HIR_PAGES) + HIR_PAGES * HIR_CNT_W,
    parameter HIR_BITS  = HIR_REC_BITS > 48 ? HIR_REC_BITS : 48
) (
    input  wire                 clk,
    input  wire                 rst,
    // registers
    input  wire [FRAME_W:0]     cfg_frames,
    input  wire                 cfg_pseudo,
    input  wire                 cfg_search,
    input  wire                 cfg_feed,
    input  wire [3:0]           cfg_sample,
    input  wire                 cfg_censor,
    input  wire [4:0]           cfg_refresh,
    input  wire [7:0]           cfg_rit_batch,
    input  wire                 cfg_rit_fault,
    input  wire [3:0]           cfg_rit_wait,
    input  wire [15:0]          cfg_transfer,
    // walks: ready in every cycle from the end of the reset sequence on
    input  wire [WALK_BITS-1:0] s_axis_walk_tdata,
    input  wire                 s_axis_walk_tvalid,
    output wire                 s_axis_walk_tready,
    // driver
    input  wire [DRV_BITS-1:0]  s_axis_drv_tdata,
    input  wire                 s_axis_drv_tvalid,
    output wire                 s_axis_drv_tready,
    // decisions
    output wire [DEC_BITS-1:0]  m_axis_decision_tdata,
    output reg                  m_axis_decision_tvalid,
    input  wire                 m_axis_decision_tready,
    // FRAME_MEM: the memory of the frame table (docs/blocks/frame_mem.md)
    output wire                 m_frame_ar_valid,
    input  wire                 m_frame_ar_ready,
    output wire [FRAME_W-1:0]   m_frame_ar_addr,
    input  wire                 m_frame_r_valid,
    input  wire [WORD_BITS-1:0] m_frame_r_data,
    output wire                 m_frame_w_valid,
    input  wire                 m_frame_w_ready,
    output wire [FRAME_W-1:0]   m_frame_w_addr,
    output wire [WORD_BITS-1:0] m_frame_w_data,
    input  wire                 m_frame_b_valid,
    // records for the host: a header beat, then its records, the last one with tlast
    output wire [RIT_BITS-1:0]  m_axis_rit_tdata,
    output wire                 m_axis_rit_tvalid,
    output wire                 m_axis_rit_tlast,
    input  wire                 m_axis_rit_tready,
    // walk hits of the interval, for the driver: a header beat, then its records, the last one with tlast
    output wire [HIR_BITS-1:0]  m_axis_hir_tdata,
    output wire                 m_axis_hir_tvalid,
    output wire                 m_axis_hir_tlast,
    input  wire                 m_axis_hir_tready,
    // nothing is under way or owed, all decisions are taken
    output wire                 quiet,
    // counters
    output reg  [31:0]          stat_walks, stat_stale_hits, stat_merged, stat_fault_drops,
    output reg  [31:0]          stat_rec_drops, stat_drv_errors, stat_none, stat_touch_drops,
    output wire [31:0]          stat_stolen, stat_rit_drops, stat_hir_drops, stat_hir_skipped,
    // tvi: the actions of this cycle and their results, in the order SEND, side, background, walk
    output wire                 tvi_send,
    output wire [1:0]           tvi_rit_side, tvi_rit_walk, // export: 0 none, 1 queued, 2 dropped
    output wire                 tvi_side_valid,
    output wire [2:0]           tvi_side_kind,     // 0 DRV, 1 AGE, 2 INSTALL, 3 CAND, 4 DECIDE, 5 TOUCH
    output wire [FRAME_W-1:0]   tvi_side_frame,
    output wire                 tvi_drv_refused, tvi_drv_left, tvi_drv_hit,
    output wire [1:0]           tvi_drv_record,    // 0 none, 1 queued, 2 dropped
    output wire [TIME_W-1:0]    tvi_drv_age,
    output wire [1:0]           tvi_drv_fault,     // 0 none, 1 queued, 2 joined, 3 dropped
    output wire [IDX_W-1:0]     tvi_drv_entry,
    output wire                 tvi_fill_dirty,    // FILL: what goes into the frame
    output wire [TIME_W-1:0]    tvi_fill_last,
    output wire [ROW_W-1:0]     tvi_fill_row,
    output wire [GEN_W-1:0]     tvi_fill_gen,
    output wire [FRAME_W:0]     tvi_age_index,
    output wire                 tvi_age_clamped,
    output wire                 tvi_install_current,
    output wire [ROW_W-1:0]     tvi_row,           // INSTALL: the row; CAND: the serving row
    output wire                 tvi_cand_eligible,
    output wire [TIME_W-1:0]    tvi_cand_last,
    output wire [2:0]           tvi_dec_tier,      // as on m_axis_decision; 4 RETRY
    output wire [IDX_W-1:0]     tvi_dec_entry,
    output wire [15:0]          tvi_dec_priority,
    output wire                 tvi_pending,       // some row is pending, before this cycle's actions
    output wire                 tvi_bg_valid,
    output wire [1:0]           tvi_bg_kind,       // 0 LEARN, 1 CLEAR, 2 HALVE, 3 REFRESH
    output wire [ROW_W-1:0]     tvi_bg_row,
    output wire                 tvi_bg_queue,
    output wire                 tvi_bg_applied,
    output wire                 tvi_thresh_valid,
    output wire [16:0]          tvi_thresh,
    output wire                 tvi_scrub_valid, tvi_scrub_removed,
    output wire [SAMP_W-1:0]    tvi_scrub_index,
    output wire [TIME_W-1:0]    tvi_scrub_age,
    output wire [ROW_W-1:0]     tvi_scrub_row,
    output wire [GEN_W-1:0]     tvi_scrub_gen,
    output wire [1:0]           tvi_scrub_record,
    output wire                 tvi_sampled_selected, tvi_sampled_stolen, // of the WALK
    output wire                 tvi_sampled_hit, tvi_sampled_record,
    output wire [TIME_W-1:0]    tvi_sampled_interval,
    output wire [ROW_W-1:0]     tvi_sampled_row,
    output wire [GEN_W-1:0]     tvi_sampled_gen,
    output wire                 tvi_walk_valid,
    output wire [TIME_W-1:0]    tvi_walk_time,
    output wire [ROW_W-1:0]     tvi_walk_row,
    output wire [GEN_W-1:0]     tvi_walk_gen,
    output wire                 tvi_walk_alloc, tvi_walk_tick,
    output wire [1:0]           tvi_walk_touch,    // 0 none, 1 queued, 2 dropped
    output wire                 tvi_walk_match,    // FRAME_MEM: this and the next three are TOUCH's
    output wire [ROW_W-1:0]     tvi_walk_was_row,
    output wire [GEN_W-1:0]     tvi_walk_was_gen,
    output wire [TIME_W-1:0]    tvi_walk_ri,
    output wire [1:0]           tvi_walk_record,
    output wire [1:0]           tvi_walk_fault,
    output wire [IDX_W-1:0]     tvi_walk_entry,
    output wire [1:0]           tvi_walk_hir,      // walk hit: 0 counted, 1 first touch, 2 dropped
    output wire                 tvi_walk_due,      // fault: DRAIN_SWAP was due,
    output wire                 tvi_walk_swap,     // and closed a packet
    // tvi: results that come later, each in the order of its actions
    output wire                 tvi_learnt_valid,  // LEARN
    output wire [BIN_W-1:0]     tvi_learnt_bin,
    output wire [CNT_W-1:0]     tvi_learnt_count, tvi_learnt_gcount,
    output wire                 tvi_snap_valid,    // REFRESH: the counts, a bin a cycle
    output wire [BIN_W-1:0]     tvi_snap_bin,
    output wire [CNT_W-1:0]     tvi_snap_reuse, tvi_snap_censored, tvi_snap_greuse, tvi_snap_gcensored,
    output wire                 tvi_prio_valid,    // REFRESH: the priorities, from the last bin down
    output wire [BIN_W-1:0]     tvi_prio_bin,
    output wire [15:0]          tvi_prio,
    output wire                 tvi_looked_valid,  // CAND: its priority
    output wire [FRAME_W-1:0]   tvi_looked_frame,
    output wire [15:0]          tvi_looked_priority
);

`include "gmmu_streams.vh"

    localparam CLASS_W = ROW_W + GEN_W;
    localparam REC_W   = CLASS_W + TIME_W + 1;
    // Walks between two AGE actions: a round over frames and faults takes at most 2^(TIME_W-2).
    localparam AGE_LOG = TIME_W - 3 - FRAME_W;
    localparam STAMPS = FRAMES + FAULTS;
    // Walks between two SCRUBs of the sampler: a round over its entries takes at most 2^(TIME_W-3).
    localparam SCRUB_LOG = TIME_W - 3 - SAMP_W;
    localparam [FRAME_W:0] LAST_STAMP = STAMPS[FRAME_W:0] - 1'b1;
    // A refresh does not wait longer than this for the queues and the search to rest.
    localparam HURRY_W = FRAME_MEM != 0 ? 12 : FRAME_W + 2;
    // Registers that much hangs on, taken a cycle later.
    reg [FRAME_W:0] r_frames;
    reg             r_pseudo, r_search, r_feed, r_censor;
    always @(posedge clk)
        {r_frames, r_pseudo, r_search, r_feed, r_censor} <= {cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor};
    // Frames that can be read.
    wire [FRAME_W:0] frames = FRAME_MEM != 0 ? r_frames : FRAMES[FRAME_W:0];

    generate
        if (WALK_TW != WALK_BITS || DRV_TW != DRV_BITS || DECISION_TW != DEC_BITS ||
            RIT_TW != RIT_REC_BITS || RIT_HEAD_TW != RIT_HEAD_BITS) begin : g_bad_streams
            stream_layouts_do_not_match stop_here();
        end
        // an AGE may take 8 cycles, a SCRUB 258: they must not come more often
        if (TIME_W > 32 || FRAME_W + 6 > TIME_W || (FAULTS > FRAMES && FAULTS > 1) || SAMP_W + 12 > TIME_W ||
            (FAULTS >> SEQ_W) != 0) begin : g_bad_sizes
            TIME_W_FRAMES_FAULTS_SEQ_W_or_SAMPLER_out_of_range stop_here();
        end
    endgenerate

    // ======== clocks that rest (clk_gate; docs/blocks/gmmu_tier.md)
    wire clk_main, clk_learn, clk_export, clk_faults, clk_search, clk_ppuc;

    // ======== reset sequence: frames and histograms are cleared, one address a cycle
    reg                clearing;
    reg  [FRAME_W:0]   clear_frame;
    reg  [2:0]         settle;
    wire               rit_cleared, sampler_cleared, hir_cleared;
    wire               frames_cleared;
    always @(posedge clk_main)
        if (rst) begin
            clearing    <= 1'b1;
            clear_frame <= 0;
            settle      <= 3'd0;
        end else if (clearing) begin
            if (!frames_cleared)
                clear_frame <= clear_frame + 1'b1;
            if (frames_cleared && rit_cleared && sampler_cleared && hir_cleared)
                settle <= settle + 1'b1;
            clearing <= settle != 3'd7;
        end
    assign s_axis_walk_tready = !clearing && !rst;

    // ======== walk pipeline
    reg  [TIME_W-1:0]  now; // time: walks so far
    reg  [9:1]         w_valid;
    reg  [WALK_TW-1:0] w1, w2, w3, w4, w5, w6, w7, w8, w9;
    wire               w9_valid = w_valid[9];
    always @(posedge clk_main) begin
        w_valid <= rst ? 9'd0 : {w_valid[8:1], s_axis_walk_tvalid && s_axis_walk_tready};
        if (s_axis_walk_tvalid)
            w1 <= s_axis_walk_tdata;
        if (w_valid[1])
            w2 <= w1;
        if (w_valid[2])
            w3 <= w2;
        if (w_valid[3])
            w4 <= w3;
        if (w_valid[4])
            w5 <= w4;
        if (w_valid[5])
            w6 <= w5;
        if (w_valid[6])
            w7 <= w6;
        if (w_valid[7])
            w8 <= w7;
        if (w_valid[8])
            w9 <= w8;
    end

    // The time of the walk at w8 (where there is none, of the last one before) and at w9
    reg  [TIME_W-1:0]  w8_time, w9_time;
    always @(posedge clk_main) begin
        if (w_valid[7])
            w8_time <= w8_time + 1'b1;
        w9_time <= w8_time;
        if (rst)
            w8_time <= 0;
    end
    wire [VPN_W-1:0]   w9_vpn   = w9[WALK_VPN_O +: WALK_VPN_W];
    wire [ASID_W-1:0]  w9_asid  = w9[WALK_ASID_O +: WALK_ASID_W];
    wire [FRAME_W-1:0] w9_frame = w9[WALK_FRAME_O +: WALK_FRAME_W];
    wire               w9_write = w9[WALK_WRITE_O];
    wire               w9_fault = w9_valid && w9[WALK_FAULT_O];
    wire               w9_hit   = w9_valid && !w9[WALK_FAULT_O] && {1'b0, w9_frame} < frames;
    wire [REF_W-1:0]   w9_ref   = w9[WALK_REF_O +: WALK_REF_W];
    wire unused_w9 = &{1'b0, w9[WALK_SM_O +: WALK_SM_W]};
    wire [ROW_W-1:0]   w9_row;
    wire [GEN_W-1:0]   w9_gen;
    wire               w9_alloc;

    reg [TIME_W-1:0] tick_mask;
    always @(posedge clk_main)
        tick_mask <= ~({TIME_W{1'b1}} << cfg_refresh);
    wire w9_tick = w9_valid && (w9_time & tick_mask) == 0;

    wire               w9_match;
    wire [CLASS_W-1:0] w9_was_class;
    wire [TIME_W-1:0]  w9_ri;
    wire               fq_joined, fq_full;
    wire [IDX_W-1:0]   fq_w_entry;

    // ======== side port
    localparam DRV = 3'd0, AGE = 3'd1, INSTALL = 3'd2, CAND = 3'd3, DECIDE = 3'd4, TOUCH = 3'd5;
    localparam FILL = 4'd1, FREE = 4'd2, PIN = 4'd3, UNPIN = 4'd4, CANCEL = 4'd5, ASK = 4'd6;

    reg                age_owed, age_sent, install_sent;
    reg  [FRAME_W:0]   age_next;
    wire               install_req, cand_req, cand_grant, decide_req, decide_grant;
    wire [FRAME_W-1:0] cand_frame, decide_frame;
    wire [TIME_W-1:0]  decide_last;
    wire [15:0]        decide_priority;
    wire               decide_have, decide_tired;

    // AGE and INSTALL are rare and go first; the driver and the search take turns.
    // FRAME_MEM: all but INSTALL go into frame_mem and come back to stage s2 in their turn.
    reg  drv_was_last;
    wire side_ready;
    wire age_go     = age_owed && !age_sent && side_ready;
    wire install_go = install_req && !install_sent && !age_go;
    wire others     = !age_go && !install_go && !clearing && side_ready;
    wire decide_go  = decide_req && !m_axis_decision_tvalid; // there is room for its decision
    wire search_go  = cand_req || decide_go;
    wire drv_go     = others && s_axis_drv_tvalid && !(search_go && drv_was_last);
    assign s_axis_drv_tready = others && !(search_go && drv_was_last);
    assign cand_grant   = others && !drv_go && cand_req;
    assign decide_grant = others && !drv_go && decide_go;

    wire [3:0]         d_op    = s_axis_drv_tdata[DRV_OP_O +: DRV_OP_W];
    wire [FRAME_W-1:0] d_frame = s_axis_drv_tdata[DRV_FRAME_O +: DRV_FRAME_W];
    wire               d_bad   = d_op == 0 || d_op > ASK || (d_op != ASK && {1'b0, d_frame} >= r_frames);

    wire [FRAME_W-1:0] s0_frame = age_go ? age_next[FRAME_W-1:0] : drv_go ? d_frame :
                                  cand_grant ? cand_frame : decide_frame;
    wire [2:0]         s0_kind = age_go ? AGE : install_go ? INSTALL : drv_go ? DRV : cand_grant ? CAND : DECIDE;
    reg                s1_valid, s2_valid, r3_valid;
    reg  [2:0]         s1_kind, s2_kind, r3_kind;
    reg                s1_bad, s2_bad, r3_bad;
    reg  [FRAME_W-1:0] s1_frame, s2_frame, r3_frame;
    reg  [DRV_TW-1:0]  s1_drv, s2_drv, r3_drv;
    always @(posedge clk_main) begin
        s1_valid <= !rst && (install_go || (FRAME_MEM == 0 && (age_go || drv_go || cand_grant || decide_grant)));
        s1_kind  <= s0_kind;
        s1_frame <= s0_frame;
        if (drv_go) begin
            s1_bad <= d_bad;
            s1_drv <= s_axis_drv_tdata;
        end
        s2_valid <= s1_valid && !rst;
        if (s1_valid) begin
            s2_kind  <= s1_kind;
            s2_bad   <= s1_bad;
            s2_frame <= s1_frame;
            s2_drv   <= s1_drv;
        end
        r3_valid <= s2_valid && !rst;
        if (s2_valid) begin
            r3_kind  <= s2_kind;
            r3_bad   <= s2_bad;
            r3_frame <= s2_frame;
            r3_drv   <= s2_drv;
        end
        if (drv_go || cand_grant || decide_grant)
            drv_was_last <= drv_go;
    end

    wire               m3_valid, m3_bad, s3_touch, frames_idle, touch_room;
    wire [2:0]         m3_kind;
    wire [FRAME_W-1:0] m3_frame;
    wire [DRV_TW-1:0]  m3_drv;
    wire               s3_valid = m3_valid || r3_valid;
    wire [2:0]         s3_kind  = s3_touch ? TOUCH : m3_valid ? m3_kind : r3_kind;
    wire               s3_bad   = m3_valid ? m3_bad : r3_bad;
    wire [FRAME_W-1:0] s3_frame = m3_valid ? m3_frame : r3_frame;
    wire [DRV_TW-1:0]  s3_drv   = m3_valid ? m3_drv : r3_drv;

    wire s3_drv_ok = s3_valid && s3_kind == DRV && !s3_bad;
    wire [3:0]         s3_op    = s3_drv[DRV_OP_O +: DRV_OP_W];
    wire [ASID_W-1:0]  s3_asid  = s3_drv[DRV_ASID_O +: DRV_ASID_W];
    wire [VPN_W-1:0]   s3_vpn   = s3_drv[DRV_VPN_O +: DRV_VPN_W];
    wire               s3_dirty = s3_drv[DRV_DIRTY_O];
    wire unused_s3 = &{1'b0, s3_drv[DRV_FRAME_O +: DRV_FRAME_W]};
    wire s3_fill    = s3_drv_ok && s3_op == FILL;
    wire s3_free    = s3_drv_ok && s3_op == FREE;
    wire s3_cancel  = s3_drv_ok && s3_op == CANCEL;
    wire s3_ask     = s3_drv_ok && s3_op == ASK;
    wire s3_age     = s3_valid && s3_kind == AGE;
    wire s3_install = s3_valid && s3_kind == INSTALL;
    wire s3_cand    = s3_valid && s3_kind == CAND;
    wire s3_decide  = s3_valid && s3_kind == DECIDE;
    wire s3_age_frame = s3_age && age_next < frames;

    wire               ft_valid, ft_leaving, ft_eligible, ft_taken, ft_clamped, ft_dirty;
    wire [ASID_W-1:0]  ft_asid;
    wire [VPN_W-1:0]   ft_vpn;
    wire [CLASS_W-1:0] ft_class;
    wire [TIME_W-1:0]  ft_last, ft_age;

    wire               fq_hit, fq_decided, fq_s_full, fq_dirty, fq_clamped;
    wire [IDX_W-1:0]   fq_s_entry;
    wire [CLASS_W-1:0] fq_class;
    wire [TIME_W-1:0]  fq_last;
    wire               head_valid, head_filled;
    wire [IDX_W-1:0]   head_entry;
    wire [ASID_W-1:0]  head_asid;
    wire [VPN_W-1:0]   head_vpn;
    wire [SEQ_W-1:0]   head_seq;

    // ---- credit
    reg  [FRAME_W:0]   resident;  // valid and not leaving
    reg  [IDX_W:0]     claims;    // decided faults that wait for their FILL
    wire [FRAME_W+IDX_W+1:0] in_use = {{IDX_W+1{1'b0}}, resident} + {{FRAME_W+1{1'b0}}, claims};
    wire               credit = {{IDX_W+1{1'b0}}, r_frames} > in_use;

    // ---- DECIDE
    localparam NONE = 3'd0, GRANT = 3'd1, VICTIM = 3'd2, RETRY = 3'd4;
    wire       s3_want = s3_decide && !head_filled && !credit; // it takes a victim
    wire [2:0] s3_tier = head_filled ? NONE : credit ? GRANT :
                         decide_have ? (ft_taken ? VICTIM : RETRY) : decide_tired ? NONE : RETRY;
    wire s3_final   = s3_decide && s3_tier != RETRY;
    wire s3_claims  = s3_final && s3_tier != NONE;
    wire s3_give_up = s3_final && s3_tier == NONE;

    wire fill_dirty = s3_dirty || fq_dirty;
    generate
        if (FRAME_MEM != 0) begin : g_mem
            wire q_ready;
            assign side_ready = q_ready;
            frame_mem #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W),
                .LINES(LINES), .TOUCHQ(TOUCHQ), .TAG_W(4 + DRV_TW)
            ) frame_mem (
                .clk(clk_main), .rst(rst), .clear(clearing), .clear_frames(r_frames), .cleared(frames_cleared),
                .w_hit(w9_hit), .w_frame(w9_frame), .w_asid(w9_asid), .w_vpn(w9_vpn), .w_class({w9_row, w9_gen}),
                .w_time(w9_time), .w_write(w9_write), .w_room(touch_room),
                .q_valid(age_go || drv_go || cand_grant || decide_grant), .q_ready(q_ready),
                .q_none(age_go ? age_next >= frames : drv_go ? d_bad || d_op == ASK : !cand_grant && !decide_have),
                .q_after(decide_grant), .q_frame(s0_frame), .q_tag({s0_kind, d_bad, s_axis_drv_tdata}),
                .hold(install_req && !install_sent), .idle(frames_idle), // INSTALL may stand at stage s2 three cycles later
                .s2_time(w9_valid ? w9_time : now), .s2_expect(decide_last),
                .s3_valid(m3_valid), .s3_touch(s3_touch), .s3_tag({m3_kind, m3_bad, m3_drv}), .s3_frame(m3_frame),
                .s3_fill(s3_fill), .s3_free(s3_free),
                .s3_pin(s3_drv_ok && s3_op == PIN), .s3_unpin(s3_drv_ok && s3_op == UNPIN),
                .s3_unleave(s3_cancel), .s3_age(s3_age_frame), .s3_take(s3_want && decide_have),
                .s3_asid(s3_asid), .s3_vpn(s3_vpn), .s3_class(fq_class), .s3_last(fq_last), .s3_dirty(fill_dirty),
                .s3_match(w9_match), .s3_is_valid(ft_valid), .s3_leaving(ft_leaving), .s3_eligible(ft_eligible),
                .s3_taken(ft_taken), .s3_clamped(ft_clamped), .s3_is_dirty(ft_dirty),
                .s3_was_asid(ft_asid), .s3_was_vpn(ft_vpn), .s3_was_class(ft_class),
                .s3_was_last(ft_last), .s3_interval(ft_age),
                .m_frame_ar_valid(m_frame_ar_valid), .m_frame_ar_ready(m_frame_ar_ready),
                .m_frame_ar_addr(m_frame_ar_addr), .m_frame_r_valid(m_frame_r_valid), .m_frame_r_data(m_frame_r_data),
                .m_frame_w_valid(m_frame_w_valid), .m_frame_w_ready(m_frame_w_ready),
                .m_frame_w_addr(m_frame_w_addr), .m_frame_w_data(m_frame_w_data), .m_frame_b_valid(m_frame_b_valid)
            );
            assign w9_was_class = ft_class;
            assign w9_ri        = ft_age;
        end else begin : g_table
            assign frames_cleared = clear_frame == FRAMES[FRAME_W:0];
            assign side_ready  = 1'b1;
            assign frames_idle = 1'b1;
            assign touch_room  = 1'b1;
            assign s3_touch    = 1'b0;
            assign {m3_valid, m3_kind, m3_bad, m3_frame, m3_drv} = 0;
            assign {m_frame_ar_valid, m_frame_ar_addr, m_frame_w_valid, m_frame_w_addr, m_frame_w_data} = 0;
            wire unused_mem = &{1'b0, m_frame_ar_ready, m_frame_r_valid, m_frame_r_data, m_frame_w_ready, m_frame_b_valid};
            frame_table #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W)
            ) frame_table (
                .clk(clk_main), .rst(rst),
                .clear(clearing && !frames_cleared), .clear_frame(clear_frame[FRAME_W-1:0]),
                .w6_frame(w6[WALK_FRAME_O +: WALK_FRAME_W]),
                .w8_asid(w8[WALK_ASID_O +: WALK_ASID_W]), .w8_vpn(w8[WALK_VPN_O +: WALK_VPN_W]), .w8_time(w8_time),
                .w9_hit(w9_hit), .w9_class({w9_row, w9_gen}), .w9_write(w9_write),
                .w9_match(w9_match), .w9_was_class(w9_was_class), .w9_interval(w9_ri),
                .s0_frame(s0_frame), .s2_asid(s2_drv[DRV_ASID_O +: DRV_ASID_W]), .s2_vpn(s2_drv[DRV_VPN_O +: DRV_VPN_W]),
                .s2_time(w9_valid ? w9_time : now), .s2_expect(decide_last),
                .s3_fill(s3_fill), .s3_free(s3_free),
                .s3_pin(s3_drv_ok && s3_op == PIN), .s3_unpin(s3_drv_ok && s3_op == UNPIN),
                .s3_unleave(s3_cancel), .s3_age(s3_age_frame), .s3_take(s3_want && decide_have),
                .s3_class(fq_class), .s3_last(fq_last), .s3_dirty(fill_dirty),
                .s3_valid(ft_valid), .s3_leaving(ft_leaving), .s3_eligible(ft_eligible),
                .s3_taken(ft_taken), .s3_clamped(ft_clamped), .s3_is_dirty(ft_dirty),
                .s3_was_asid(ft_asid), .s3_was_vpn(ft_vpn), .s3_was_class(ft_class),
                .s3_was_last(ft_last), .s3_interval(ft_age)
            );
        end
    endgenerate

    fault_queue #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W),
        .FAULTS(FAULTS)
    ) fault_queue (
        .clk(clk_faults), .rst(rst),
        .s_fill(s3_fill), .s_cancel(s3_cancel), .s_ask(s3_ask),
        .s_asid(s3_asid), .s_vpn(s3_vpn), .s_time(now),
        .s_hit(fq_hit), .s_decided(fq_decided), .s_entry(fq_s_entry), .s_full(fq_s_full),
        .s_class(fq_class), .s_last(fq_last), .s_dirty(fq_dirty),
        .s_age(s3_age && age_next >= FRAMES[FRAME_W:0]), .s_age_entry(age_entry[IDX_W-1:0]), .s_clamped(fq_clamped),
        .s_decide(s3_claims), .s_give_up(s3_give_up),
        .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled),
        .head_asid(head_asid), .head_vpn(head_vpn), .head_seq(head_seq),
        .w_fault(w9_fault), .w_asid(w9_asid), .w_vpn(w9_vpn), .w_class({w9_row, w9_gen}),
        .w_time(w9_time), .w_write(w9_write),
        .w_joined(fq_joined), .w_full(fq_full), .w_entry(fq_w_entry)
    );
    wire [FRAME_W:0] age_entry = age_next - FRAMES[FRAME_W:0];
    wire unused_age = &{1'b0, age_entry[FRAME_W:IDX_W]};

    wire s3_left   = (s3_fill || s3_free) && ft_valid;           // a page left
    wire s3_plus   = s3_fill || (s3_cancel && ft_leaving);       // resident + 1
    wire s3_minus  = (s3_left && !ft_leaving) || (s3_want && ft_taken);
    wire s3_unclaim = (s3_fill || s3_cancel) && fq_decided;
    wire s3_refused = s3_valid && s3_kind == DRV &&
                      (s3_bad || (s3_cancel && !ft_leaving && !fq_decided));

    always @(posedge clk_main) begin
        resident <= resident + {{FRAME_W{1'b0}}, s3_plus} - {{FRAME_W{1'b0}}, s3_minus};
        claims   <= claims + {{IDX_W{1'b0}}, s3_claims} - {{IDX_W{1'b0}}, s3_unclaim};
        if (w9_valid)
            now <= w9_time;

        if (age_go)
            age_sent <= 1'b1;
        if (s3_age) begin
            age_sent <= 1'b0;
            age_owed <= 1'b0;
            age_next <= age_next == LAST_STAMP ? {FRAME_W+1{1'b0}} : age_next + 1'b1;
        end
        if (w9_valid && w9_time[AGE_LOG-1:0] == 0)
            age_owed <= 1'b1;
        if (install_go)
            install_sent <= 1'b1;
        if (s3_install)
            install_sent <= 1'b0;

        if (rst) begin
            resident <= 0;
            claims   <= 0;
            now      <= 0;
            age_sent <= 1'b0;
            age_owed <= 1'b0;
            age_next <= 0;
            install_sent <= 1'b0;
        end
    end

    // ======== trace sampler
    wire               samp_rec, samp_censored, samp_srec, samp_idle, samp_calm, scrubbing;
    wire [CLASS_W-1:0] samp_class, samp_sclass;
    wire [TIME_W-1:0]  samp_interval, samp_sinterval;
    wire               scrub_owed = w9_valid && (w9_time & ~({TIME_W{1'b1}} << SCRUB_LOG)) == 0;
    trace_sampler #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .ENTRIES(SAMPLER), .WAYS(SWAYS),
        .WAIT_W(8)
    ) trace_sampler (
        .clk(clk_learn), .rst(rst), .cfg_sample(cfg_sample), .clear(clearing), .cleared(sampler_cleared),
        .w4_valid(w_valid[4]), .w4_asid(w4[WALK_ASID_O +: WALK_ASID_W]), .w4_vpn(w4[WALK_VPN_O +: WALK_VPN_W]),
        .w9_class({w9_row, w9_gen}), .w9_time(w9_time), .now(now),
        .scrub_owed(scrub_owed), .scrub_calm(samp_calm), .scrubbing(scrubbing),
        .rec_valid(samp_rec), .rec_class(samp_class), .rec_interval(samp_interval), .rec_censored(samp_censored),
        .srec_valid(samp_srec), .srec_class(samp_sclass), .srec_interval(samp_sinterval),
        .idle(samp_idle), .stat_stolen(stat_stolen),
        .tvi_thresh_valid(tvi_thresh_valid), .tvi_thresh(tvi_thresh),
        .tvi_scrub_valid(tvi_scrub_valid), .tvi_scrub_index(tvi_scrub_index), .tvi_scrub_removed(tvi_scrub_removed),
        .tvi_selected(tvi_sampled_selected), .tvi_stolen(tvi_sampled_stolen), .tvi_hit(tvi_sampled_hit)
    );

    // ======== records, from the sampler; cfg_feed 1: from walk hits and pages that left
    wire [REC_W-1:0] rec0, rec1;
    wire             rec0_valid, rec1_valid, rec0_pop, rec1_pop, rec0_done, rec1_done, rec0_room, rec1_room,
                     rec0_empty, rec1_empty;
    wire             rec0_new = r_feed ? w9_match : samp_rec && (r_censor || !samp_censored);
    wire [CLASS_W-1:0] rec0_class = r_feed ? w9_was_class : samp_class;
    wire [TIME_W-1:0]  rec0_interval = r_feed ? w9_ri : samp_interval;
    wire               rec0_censored = !r_feed && samp_censored;
    wire [CLASS_W-1:0] rec1_class = r_feed ? ft_class : samp_sclass;
    wire [TIME_W-1:0]  rec1_age   = r_feed ? ft_age : samp_sinterval;
    // a record learnt in this cycle makes room for what comes after it, as a walk does and TOUCH not
    wire             rec0_put = rec0_new && (rec0_room || rec0_done) && (rec0_room || !(s3_touch && r_feed));
    wire             s3_censored    = s3_left && r_censor && r_feed;
    wire             scrub_censored = samp_srec && r_censor && !r_feed;
    wire             rec1_put = (s3_censored && rec1_room) || (scrub_censored && (rec1_room || rec1_done));
    fifo #(.WIDTH(REC_W), .DEPTH(RECQ)) walk_records (
        .clk(clk_learn), .rst(rst), .push(rec0_put),
        .wdata({rec0_class, rec0_interval, rec0_censored}),
        .room(rec0_room), .pop(rec0_pop), .done(rec0_done), .valid(rec0_valid), .rdata(rec0), .empty(rec0_empty)
    );
    fifo #(.WIDTH(REC_W), .DEPTH(SIDEQ)) side_records (
        .clk(clk_learn), .rst(rst), .push(rec1_put),
        .wdata({rec1_class, rec1_age, 1'b1}),
        .room(rec1_room), .pop(rec1_pop), .done(rec1_done), .valid(rec1_valid), .rdata(rec1), .empty(rec1_empty)
    );

    // ======== the same records for the host
    wire               rit_export_idle, rit_export_rests;
    rit_export #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .GEN_W(GEN_W), .RITQ(RITQ)
    ) rit_export (
        .clk(clk_export), .rst(rst), .cfg_batch(cfg_rit_batch), .cfg_fault(cfg_rit_fault), .cfg_wait(cfg_rit_wait),
        .now(now), .side_valid(s3_censored || scrub_censored), .side_class(rec1_class), .side_age(rec1_age),
        .walk_valid(w9_valid), .walk_fault(w9_fault), .walk_asid(w9_asid), .walk_vpn(w9_vpn), .walk_ref(w9_ref),
        .walk_alloc(w9_alloc), .walk_class({w9_row, w9_gen}),
        .rec_valid(rec0_new && !(FRAME_MEM != 0 && r_feed)), // not those of TOUCH: no walk goes with them
        .rec_class(rec0_class), .rec_interval(rec0_interval), .rec_censored(rec0_censored),
        .m_tdata(m_axis_rit_tdata), .m_tvalid(m_axis_rit_tvalid), .m_tlast(m_axis_rit_tlast),
        .m_tready(m_axis_rit_tready), .idle(rit_export_idle), .rests(rit_export_rests), .stat_drops(stat_rit_drops),
        .tvi_send(tvi_send), .tvi_side(tvi_rit_side), .tvi_walk(tvi_rit_walk)
    );

    // ======== walk hits for a policy of the driver's
    wire               hir_idle, hir_hit, hir_fault;
    wire unused_hir = &{1'b0, hir_hit, hir_fault}; // as w9_valid and its walk: five cycles after w4
    hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W)
    ) hir_cache (
        .clk(clk_learn), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clearing), .cleared(hir_cleared),
        .walk_valid(w_valid[4]), .walk_fault(w4[WALK_FAULT_O]),
        .walk_asid(w4[WALK_ASID_O +: WALK_ASID_W]), .walk_vpn(w4[WALK_VPN_O +: WALK_VPN_W]),
        .m_tdata(m_axis_hir_tdata), .m_tvalid(m_axis_hir_tvalid), .m_tlast(m_axis_hir_tlast),
        .m_tready(m_axis_hir_tready), .idle(hir_idle), .stat_drops(stat_hir_drops), .stat_skipped(stat_hir_skipped),
        .tvi_hit(hir_hit), .tvi_outcome(tvi_walk_hir), .tvi_fault(hir_fault), .tvi_due(tvi_walk_due), .tvi_swap(tvi_walk_swap)
    );

    // ======== Ref RIT and priorities
    wire [ROW_W-1:0] snap_row, install_row;
    wire [GEN_W-1:0] snap_gen, install_gen;
    wire snap_start, snap_valid, snap_last, rit_pending, rit_resting, rit_idle, ppuc_idle, install_current, ft_current;
    wire [BIN_W-1:0] snap_bin;
    wire [CNT_W-1:0] snap_reuse, snap_censored, snap_greuse, snap_gcensored;
    wire search_idle;
    // a SCRUB's record is learnt before the next SCRUB, as in the standard schedule
    assign samp_calm = rec0_empty && rec1_empty && rit_resting && !scrubbing;

    // A refresh that four walks overtook waits no longer: when walks are dense, calm may never come.
    reg [HURRY_W-1:0] hurry_count;
    reg [2:0]         overtaken;
    wire refresh_hurry = &hurry_count || overtaken[2];
    always @(posedge clk_main)
        if (rst || !rit_pending || !ppuc_idle) begin
            hurry_count <= 0;
            overtaken   <= 0;
        end else if (!refresh_hurry) begin
            hurry_count <= hurry_count + 1'b1;
            overtaken   <= overtaken + {2'd0, w9_valid};
        end

    ref_rit #(
        .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .WAYS(WAYS),
        .BINS(BINS), .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W)
    ) ref_rit (
        .clk(clk_learn), .rst(rst), .clear(clearing), .cleared(rit_cleared),
        .w2_valid(w_valid[2]), .w2_asid(w2[WALK_ASID_O +: WALK_ASID_W]), .w2_ref(w2[WALK_REF_O +: WALK_REF_W]),
        .w9_row(w9_row), .w9_gen(w9_gen), .w9_alloc(w9_alloc), .w9_tick(w9_tick),
        .qa_row(ft_class[GEN_W +: ROW_W]), .qa_gen(ft_class[GEN_W-1:0]), .qa_current(ft_current),
        .qb_row(install_row), .qb_gen(install_gen), .qb_current(install_current),
        .rec0_valid(rec0_valid), .rec1_valid(rec1_valid), .rec0_pop(rec0_pop), .rec1_pop(rec1_pop),
        .rec0_done(rec0_done), .rec1_done(rec1_done),
        .rec0(rec0), .rec1(rec1),
        .refresh_ready(ppuc_idle), .refresh_hurry(refresh_hurry),
        .refresh_calm(rec0_empty && rec1_empty && search_idle && samp_idle && frames_idle),
        .snap_start(snap_start), .snap_row(snap_row), .snap_gen(snap_gen),
        .snap_valid(snap_valid), .snap_last(snap_last), .snap_bin(snap_bin),
        .snap_reuse(snap_reuse), .snap_censored(snap_censored),
        .snap_greuse(snap_greuse), .snap_gcensored(snap_gcensored),
        .pending(rit_pending), .resting(rit_resting), .idle(rit_idle),
        .tvi_valid(tvi_bg_valid), .tvi_kind(tvi_bg_kind), .tvi_row(tvi_bg_row),
        .tvi_queue(tvi_bg_queue), .tvi_applied(tvi_bg_applied),
        .learnt_valid(tvi_learnt_valid), .learnt_bin(tvi_learnt_bin),
        .learnt_count(tvi_learnt_count), .learnt_gcount(tvi_learnt_gcount)
    );

    localparam TAG_W = 1 + TIME_W + FRAME_W; // {eligible, last, frame}
    wire             looked_valid;
    wire [15:0]      looked_priority;
    wire [TAG_W-1:0] looked_tag;
    wire [ROW_W-1:0] serving;
    ppuc #(
        .TIME_W(TIME_W), .CLASSES(CLASSES), .BINS(BINS), .CNT_W(CNT_W), .GEN_W(GEN_W), .TAG_W(TAG_W)
    ) ppuc (
        .clk(clk_ppuc), .rst(rst), .cfg_pseudo(r_pseudo),
        .snap_start(snap_start), .snap_row(snap_row), .snap_gen(snap_gen),
        .snap_valid(snap_valid), .snap_last(snap_last), .snap_bin(snap_bin),
        .snap_reuse(snap_reuse), .snap_censored(snap_censored),
        .snap_greuse(snap_greuse), .snap_gcensored(snap_gcensored),
        .idle(ppuc_idle), .install_req(install_req), .install_row(install_row), .install_gen(install_gen),
        .install(s3_install), .install_current(install_current),
        .forget(w9_valid && w9_alloc), .forget_row(w9_row),
        .l0_valid(s3_cand), .l0_row(ft_class[GEN_W +: ROW_W]), .l0_current(ft_current),
        .l0_tau(ft_age), .l0_tag({ft_eligible, ft_last, s3_frame}), .l0_serving(serving),
        .l6_valid(looked_valid), .l6_priority(looked_priority), .l6_tag(looked_tag),
        .tvi_prio_valid(tvi_prio_valid), .tvi_prio_bin(tvi_prio_bin), .tvi_prio(tvi_prio)
    );

    victim_select #(.TIME_W(TIME_W), .FRAMES(FRAMES), .POOL(POOL), .K(K)) victim_select (
        .clk(clk_search), .rst(rst), .cfg_frames(r_frames), .cfg_search(r_search || FRAME_MEM != 0),
        .wanted(head_valid), .no_search(head_filled || credit), .idle(search_idle),
        .cand_req(cand_req), .cand_frame(cand_frame), .cand_grant(cand_grant),
        .ans_valid(looked_valid), .ans_eligible(looked_tag[TAG_W-1]), .ans_priority(looked_priority),
        .ans_last(looked_tag[FRAME_W +: TIME_W]), .ans_frame(looked_tag[FRAME_W-1:0]),
        .decide_req(decide_req), .decide_have(decide_have), .decide_tired(decide_tired),
        .decide_frame(decide_frame), .decide_last(decide_last), .decide_priority(decide_priority),
        .decide_grant(decide_grant), .decide_done(s3_decide), .decide_retry(s3_tier == RETRY),
        .decide_taken(s3_tier == VICTIM)
    );

    // ======== decisions
    reg [DECISION_TW-1:0] decision;
    wire                  s3_victim = s3_tier == VICTIM;
    assign m_axis_decision_tdata = decision;
    always @(posedge clk_main) begin
        if (m_axis_decision_tready)
            m_axis_decision_tvalid <= 1'b0;
        if (s3_final) begin
            m_axis_decision_tvalid <= 1'b1;
            decision[DECISION_SEQ_O +: DECISION_SEQ_W]         <= head_seq;
            decision[DECISION_ASID_O +: DECISION_ASID_W]       <= head_asid;
            decision[DECISION_VPN_O +: DECISION_VPN_W]         <= head_vpn;
            decision[DECISION_TIER_O +: DECISION_TIER_W]       <= s3_tier[1:0];
            decision[DECISION_FRAME_O +: DECISION_FRAME_W]     <= s3_victim ? decide_frame : {FRAME_W{1'b0}};
            decision[DECISION_V_ASID_O +: DECISION_V_ASID_W]   <= s3_victim ? ft_asid : {ASID_W{1'b0}};
            decision[DECISION_V_VPN_O +: DECISION_V_VPN_W]     <= s3_victim ? ft_vpn : {VPN_W{1'b0}};
            decision[DECISION_V_DIRTY_O +: DECISION_V_DIRTY_W] <= s3_victim && ft_dirty;
            decision[DECISION_PRIO_O +: DECISION_PRIO_W]       <= s3_victim ? decide_priority : 16'd0;
        end
        if (rst)
            m_axis_decision_tvalid <= 1'b0;
    end

    assign quiet = !clearing && w_valid == 0 && !s1_valid && !s2_valid && !s3_valid && !age_owed &&
                   search_idle && rec0_empty && rec1_empty && rit_idle && ppuc_idle && samp_idle && frames_idle &&
                   rit_export_idle && hir_idle && !m_axis_decision_tvalid;

    // ======== who is awake
    localparam CFG_W = FRAME_W + 1 + 4 + 4 + 5 + 8 + 1 + 4 + 16;
    wire [CFG_W-1:0] cfg = {cfg_frames, cfg_pseudo, cfg_search, cfg_feed, cfg_censor, cfg_sample, cfg_refresh,
                            cfg_rit_batch, cfg_rit_fault, cfg_rit_wait, cfg_transfer};
    reg  [CFG_W-1:0] cfg_was;
    always @(posedge clk)
        cfg_was <= cfg;
    wire all         = clearing || cfg != cfg_was;
    wire records     = rec0_new || s3_censored || scrub_censored;
    wire may_refresh = rit_pending && ppuc_idle;
    wire walk_side   = w_valid != 0 || !rit_resting || records || !rec0_empty || !rec1_empty || snap_valid;
    wire main_wakes   = all || walk_side || may_refresh || s_axis_walk_tvalid || s_axis_drv_tvalid || s1_valid || s2_valid ||
                        s3_valid || age_owed || install_req || !search_idle || !samp_idle || !frames_idle || m_axis_decision_tvalid;
    wire learn_wakes  = all || walk_side || (may_refresh && (search_idle || refresh_hurry)) || !samp_idle || !hir_idle;
    wire export_wakes = all || (cfg_rit_batch != 0 && (w9_valid || records)) || (w9_valid && w9_alloc) || !rit_export_rests;
    wire faults_wakes = all || w9_fault || (s3_valid && s3_kind != CAND);
    wire search_wakes = all || !search_idle || looked_valid || s3_decide;
    wire ppuc_wakes   = all || !ppuc_idle || snap_valid || install_req || s3_cand || s3_install || (w9_valid && w9_alloc);
    clk_gate main_gate   (.clk(clk), .rst(rst), .wake(main_wakes),   .gated(clk_main));
    clk_gate learn_gate  (.clk(clk), .rst(rst), .wake(learn_wakes),  .gated(clk_learn));
    clk_gate export_gate (.clk(clk), .rst(rst), .wake(export_wakes), .gated(clk_export));
    clk_gate faults_gate (.clk(clk), .rst(rst), .wake(faults_wakes), .gated(clk_faults));
    clk_gate search_gate (.clk(clk), .rst(rst), .wake(search_wakes), .gated(clk_search));
    clk_gate ppuc_gate   (.clk(clk), .rst(rst), .wake(ppuc_wakes),   .gated(clk_ppuc));

    // ======== counters
    function [31:0] plus(input [31:0] n, input yes);
        plus = n + {31'd0, yes};
    endfunction
    wire drop0 = rec0_new && !rec0_put;
    wire drop1 = (s3_censored || scrub_censored) && !rec1_put;
    wire stale0 = w9_valid && !w9_fault && !(FRAME_MEM != 0 ? w9_hit : w9_match);
    wire stale1 = s3_touch && !w9_match;
    wire touch_drop = w9_hit && !touch_room;
    wire fdrop0 = w9_fault && !fq_joined && fq_full;
    wire fdrop1 = s3_ask && !fq_hit && fq_s_full;
    always @(posedge clk_main) begin
        stat_walks       <= plus(stat_walks, w9_valid);
        stat_stale_hits  <= plus(plus(stat_stale_hits, stale0), stale1);
        stat_touch_drops <= plus(stat_touch_drops, touch_drop);
        stat_merged      <= plus(stat_merged, fq_joined);
        stat_fault_drops <= plus(plus(stat_fault_drops, fdrop0), fdrop1);
        stat_rec_drops   <= plus(plus(stat_rec_drops, drop0), drop1);
        stat_drv_errors  <= plus(stat_drv_errors, s3_refused);
        stat_none        <= plus(stat_none, s3_give_up && !head_filled);
        if (rst) begin
            stat_walks       <= 0;
            stat_stale_hits  <= 0;
            stat_merged      <= 0;
            stat_fault_drops <= 0;
            stat_rec_drops   <= 0;
            stat_drv_errors  <= 0;
            stat_none        <= 0;
            stat_touch_drops <= 0;
        end
    end

    // ======== tvi
    assign tvi_side_valid  = s3_valid;
    assign tvi_side_kind   = s3_kind;
    assign tvi_side_frame  = s3_frame;
    assign tvi_drv_refused = s3_refused;
    assign tvi_drv_left    = s3_left;
    assign tvi_drv_hit     = (s3_fill && fq_hit) || (s3_cancel && fq_decided);
    assign tvi_drv_record  = !s3_censored ? 2'd0 : rec1_room ? 2'd1 : 2'd2;
    assign tvi_scrub_record = !scrub_censored ? 2'd0 : rec1_put ? 2'd1 : 2'd2;
    assign tvi_scrub_age   = samp_sinterval;
    assign {tvi_scrub_row, tvi_scrub_gen} = samp_sclass;
    assign tvi_sampled_record   = samp_rec;
    assign tvi_sampled_interval = samp_interval;
    assign {tvi_sampled_row, tvi_sampled_gen} = samp_class;
    assign tvi_drv_age     = s3_left ? ft_age : {TIME_W{1'b0}};
    assign tvi_drv_fault   = !s3_ask ? 2'd0 : fq_hit ? 2'd2 : fq_s_full ? 2'd3 : 2'd1;
    assign tvi_drv_entry   = fq_s_entry;
    assign tvi_fill_dirty  = fill_dirty;
    assign tvi_fill_last   = fq_last;
    assign {tvi_fill_row, tvi_fill_gen} = fq_class;
    assign tvi_pending     = rit_pending;
    assign tvi_walk_tick   = w9_tick;
    assign tvi_age_index   = age_next;
    assign tvi_age_clamped = ft_clamped || fq_clamped;
    assign tvi_install_current = install_current;
    assign tvi_row         = s3_kind == INSTALL ? install_row : serving;
    assign tvi_cand_eligible = ft_eligible;
    assign tvi_cand_last   = ft_last;
    assign tvi_dec_tier    = s3_tier;
    assign tvi_dec_entry   = head_entry;
    assign tvi_dec_priority = decide_priority;
    assign tvi_walk_valid  = w9_valid;
    assign tvi_walk_time   = w9_time;
    assign tvi_walk_row    = w9_row;
    assign tvi_walk_gen    = w9_gen;
    assign tvi_walk_alloc  = w9_alloc;
    assign tvi_walk_touch  = FRAME_MEM == 0 || !w9_hit ? 2'd0 : touch_room ? 2'd1 : 2'd2;
    assign tvi_walk_match  = w9_match;
    assign {tvi_walk_was_row, tvi_walk_was_gen} = w9_was_class;
    assign tvi_walk_ri     = w9_ri;
    assign tvi_walk_record = !rec0_new ? 2'd0 : rec0_put ? 2'd1 : 2'd2;
    assign tvi_walk_fault  = !w9_fault ? 2'd0 : fq_joined ? 2'd2 : fq_full ? 2'd3 : 2'd1;
    assign tvi_walk_entry  = fq_w_entry;
    assign tvi_snap_valid  = snap_valid;
    assign tvi_snap_bin    = snap_bin;
    assign tvi_snap_reuse  = snap_reuse;
    assign tvi_snap_censored  = snap_censored;
    assign tvi_snap_greuse    = snap_greuse;
    assign tvi_snap_gcensored = snap_gcensored;
    assign tvi_looked_valid    = looked_valid;
    assign tvi_looked_frame    = looked_tag[FRAME_W-1:0];
    assign tvi_looked_priority = looked_priority;

endmodule
`default_nettype wire
