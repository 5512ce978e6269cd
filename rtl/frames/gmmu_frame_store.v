// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_store: the frames, in RAM or in memory, behind one port (docs/reference/blocks/frame_store.md).
//
// FRAME_MEM 0: frame_table. Side actions take effect at s3, walk hits at w9.
// FRAME_MEM 1: frame_mem. A side action other than INSTALL goes to frame_mem when it is granted, and comes back at s3 (m3). The
// order of the actions is kept. A walk hit or a replay is queued at w9 and comes back as TOUCH. Only enabled frames are read.
// `held` is the content of the frame of the action at s3, before the action.
`default_nettype none
module gmmu_frame_store #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // bits of a slot of Tier 2
    parameter T2_W    = 1,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    parameter FRAME_MEM = 0,
    parameter LINES   = 16,
    parameter TOUCHQ  = 16,
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter WORD_BITS = 4 + CLASS_W + TIME_W + ASID_W + VPN_W
`include "gmmu_beat_drv.vh"
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_asked.vh"
`include "gmmu_m3.vh"
`include "gmmu_store_tvi.vh"
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  clear,            // the reset sequence is under way
    output wire                  cleared,          // all frames are empty
    input  wire [FRAME_W:0]      cfg_frames,       // number of enabled frames
    output wire [FRAME_W:0]      frames,           // number of frames that can be read
    input  wire [TIME_W-1:0]     next,             // time at s3
    // walk
    input  wire [FRAME_W-1:0]    w5_frame,         // frame of the walk hit at w5
    input  wire [PAGE_BITS-1:0]  w8_page,          // page of the walk at w8
    input  wire [TIME_W-1:0]     w8_time,          // time of the walk at w8
    input  wire [W9_BITS-1:0]    w9,               // the walk that takes effect
    input  wire [CLASS_W-1:0]    w9_class,         // class of the reference of the walk at w9
    output wire [1:0]            w9_touch,         // FRAME_MEM: outcome of the walk hit or replay at w9, REC_*
    output wire                  hit_match,        // the frame of the walk at w9, or of TOUCH, holds its page; 0 for a replay
    output wire                  hit_found,        // the same, a replay's too
    output wire [CLASS_W-1:0]    hit1_class,       // a cycle later: class of the access before
    output wire [TIME_W-1:0]     hit1_interval,    // a cycle later: walks since the access before
    // side actions on their way to s3
    input  wire [FRAME_W-1:0]    s0_frame,         // frame of the action at s0; FRAME_MEM: of the action that is granted
    input  wire                  s0_valid,         // FRAME_MEM: an action is granted
    output wire                  s0_ready,         // FRAME_MEM: an action is taken
    input  wire [ASKED_BITS-1:0] asked,            // FRAME_MEM: the granted action
    input  wire [DRV_BITS-1:0]   drv,              // FRAME_MEM: the driver's operation, if the granted action is the driver's
    input  wire                  install_coming,   // FRAME_MEM: nothing may come back three cycles later
    input  wire [PAGE_BITS-1:0]  s2_page,          // page that the driver names, of the action at s2
    input  wire [TIME_W-1:0]     expect_last,      // DECIDE: the last access that the search saw
    output wire [M3_BITS-1:0]    m3,               // FRAME_MEM: the action that comes back now
    // the side action that takes effect, and its frame
    input  wire [S3_BITS-1:0]    s3,               // the action
    output wire [HELD_BITS-1:0]  held,             // content of the frame of the action at s3, before the action
    input  wire [CLASS_W-1:0]    fill_class,       // FILL: class of the page's last access
    input  wire [TIME_W-1:0]     fill_last,        // FILL: time of the page's last access
    input  wire                  fill_dirty,       // FILL: the page differs from its copy below
    input  wire                  f_take,           // DECIDE: the frame's page leaves or is kept, if the page still may leave
    input  wire                  f_keep,           // DECIDE: the frame's page is kept
    input  wire                  fill_fresh,       // FILL: the page is fresh
    input  wire                  s3_force,         // for the action at s3 a fresh frame is eligible as any other
    // FRAME_MEM: the memory port (docs/reference/blocks/frame_mem.md)
    output wire                  m_frame_ar_valid, // a read is offered
    input  wire                  m_frame_ar_ready, // the memory takes the read
    output wire [FRAME_W-1:0]    m_frame_ar_addr,  // frame of the read
    input  wire                  m_frame_r_valid,  // the oldest read is answered
    input  wire [WORD_BITS-1:0]  m_frame_r_data,   // word of the oldest read
    output wire                  m_frame_w_valid,  // a write is offered
    input  wire                  m_frame_w_ready,  // the memory takes the write
    output wire [FRAME_W-1:0]    m_frame_w_addr,   // frame of the write
    output wire [WORD_BITS-1:0]  m_frame_w_data,   // word of the write
    input  wire                  m_frame_b_valid,  // the oldest write is done
    output wire                  busy,             // FRAME_MEM: an action or a hit is under way
    output wire                  wake,             // FRAME_MEM: an action, a hit or a word to the memory is under way
    // the protected segment; FRAME_MEM: nothing is protected
    input  wire [7:0]            cfg_protect,      // share of the frames that may be protected, in 1/256
    input  wire                  s4_taken,         // a cycle after DECIDE: a page leaves
    input  wire                  s4_searched,      // a cycle after DECIDE: frames were searched for the decision
    output wire                  looked_guarded,   // the candidate of six cycles before is protected
    output wire                  limit_busy,       // the number of frames that may be protected changes
    // PARITY
    output reg  [1:0]            turned,           // each bit toggles with a corrupt word: {met by a walk, met by a side action}
    output wire                  segment_turned,   // toggles with each cycle that meets a corrupt bit of segment
    output reg  [FRAME_W-1:0]    walk_bad_frame,   // frame of the last corrupt word that a walk met
    output reg  [FRAME_W-1:0]    side_bad_frame,   // frame of the last corrupt word that a side action met
    output reg  [31:0]           stat_stale_hits,  // number of walk hits and replays whose frame did not hold the page
    output reg  [31:0]           stat_touch_drops, // FRAME_MEM: number of walk hits and replays that were dropped
    output wire [STVI_BITS-1:0]  tvi               // signals for the tier verification interface
);

`include "gmmu_codes.vh"

    wire room;   // FRAME_MEM: a hit can be noted
    wire found;  // the frame of the walk at w9, or of TOUCH, holds its page
    wire fresh;  // the frame of the action at s3 is fresh and not pinned
    wire w9_bad; // the walk at w9 meets a corrupt word
    wire s3_bad; // the side action at s3 meets a corrupt word
    wire w9_replay   = w9[W9_REPLAY_O];
    wire w9_walk_hit = (w9[W9_VALID_O] && !w9[W9_FAULT_O]) || (w9_replay && !w9[W9_BACK_O]);
    wire w9_hit      = w9_walk_hit && {1'b0, w9[W9_FRAME_O +: FRAME_W]} < frames;
    generate
        if (FRAME_MEM != 0) begin : g_mem
            // the tag that goes with an action to the memory and back: ahead, force, kind, refused, operation, dirty, page
            localparam TAG_W = 1 + 1 + 4 + 1 + 4 + 1 + PAGE_BITS;
            wire [TAG_W-1:0] s0_tag = {
                drv[DRV_AHEAD_O],
                drv[DRV_FORCE_O],
                asked[ASKED_KIND_O +: 4],
                asked[ASKED_BAD_O],
                drv[DRV_OP_O +: 4],
                drv[DRV_DIRTY_O],
                drv[DRV_ASID_O +: ASID_W],
                drv[DRV_VPN_O +: VPN_W]
            };
            wire               unused_m2;  // an action comes back in the next cycle
            wire [TAG_W-1:0]   m2_tag;     // the tag of the action that comes back in the next cycle
            wire [TAG_W-1:0]   m3_tag;     // the tag of the action that comes back now
            wire               m3_valid;   // an action comes back now
            wire               m3_touch;   // the action that comes back now is TOUCH
            wire               m3_replay;  // the TOUCH is a replay
            wire [FRAME_W-1:0] m3_frame;   // frame of the action that comes back now
            wire               idle;       // nothing is under way in frame_mem
            wire               is_valid;   // the frame holds a page
            wire               is_leaving; // the page is leaving
            wire               eligible;   // the page may be a victim
            wire               taken;      // the page may be DECIDE's victim
            wire               clamped;    // AGE moves the last access
            wire               is_dirty;   // the page was written
            wire [ASID_W-1:0]  was_asid;   // address space of the page
            wire [VPN_W-1:0]   was_vpn;    // virtual page number of the page
            wire [CLASS_W-1:0] was_class;  // class of the last access
            wire [TIME_W-1:0]  was_last;   // time of the last access
            wire [TIME_W-1:0]  interval;   // walks since the last access
            gmmu_frame_mem #(
                .VPN_W(VPN_W),
                .ASID_W(ASID_W),
                .TIME_W(TIME_W),
                .FRAMES(FRAMES),
                .CLASS_W(CLASS_W),
                .LINES(LINES),
                .TOUCHQ(TOUCHQ),
                .TAG_W(TAG_W)
            ) frame_mem (
                .clk(clk),
                .rst(rst),
                .clear(clear),
                .clear_frames(cfg_frames),
                .cleared(cleared),
                .w_hit(w9_hit),
                .w_frame(w9[W9_FRAME_O +: FRAME_W]),
                .w_asid(w9[W9_ASID_O +: ASID_W]),
                .w_vpn(w9[W9_VPN_O +: VPN_W]),
                .w_class(w9_class),
                .w_time(w9[W9_TIME_O +: TIME_W]),
                .w_write(w9[W9_WRITE_O]),
                .w_replay(w9_replay),
                .w_room(room),
                .q_valid(s0_valid),
                .q_ready(s0_ready),
                .q_none(asked[ASKED_NONE_O]),
                .q_after(asked[ASKED_AFTER_O]),
                .q_frame(s0_frame),
                .q_tag(s0_tag),
                .hold(install_coming),
                .idle(idle),
                .wake(wake),
                .s2_time(next),
                .s2_expect(expect_last),
                .m2_valid(unused_m2),
                .m2_tag(m2_tag),
                .s3_valid(m3_valid),
                .s3_touch(m3_touch),
                .s3_replay(m3_replay),
                .s3_tag(m3_tag),
                .s3_frame(m3_frame),
                .s3_fill(s3[S3_FILL_O]),
                .s3_free(s3[S3_FREE_O]),
                .s3_pin(s3[S3_PIN_O]),
                .s3_unpin(s3[S3_UNPIN_O]),
                .s3_unleave(s3[S3_CANCEL_O]),
                .s3_age(s3[S3_AGE_FRAME_O]),
                .s3_expire(s3[S3_EXPIRE_O]),
                .s3_take(f_take),
                .s3_force(s3_force),
                .s3_asid(s3[S3_ASID_O +: ASID_W]),
                .s3_vpn(s3[S3_VPN_O +: VPN_W]),
                .s3_class(fill_class),
                .s3_last(fill_last),
                .s3_dirty(fill_dirty),
                .s3_new(fill_fresh),
                .s3_match(found),
                .s3_fresh(fresh),
                .s3_is_valid(is_valid),
                .s3_leaving(is_leaving),
                .s3_eligible(eligible),
                .s3_taken(taken),
                .s3_clamped(clamped),
                .s3_is_dirty(is_dirty),
                .s3_was_asid(was_asid),
                .s3_was_vpn(was_vpn),
                .s3_was_class(was_class),
                .s3_was_last(was_last),
                .s3_interval(interval),
                .m_frame_ar_valid(m_frame_ar_valid),
                .m_frame_ar_ready(m_frame_ar_ready),
                .m_frame_ar_addr(m_frame_ar_addr),
                .m_frame_r_valid(m_frame_r_valid),
                .m_frame_r_data(m_frame_r_data),
                .m_frame_w_valid(m_frame_w_valid),
                .m_frame_w_ready(m_frame_w_ready),
                .m_frame_w_addr(m_frame_w_addr),
                .m_frame_w_data(m_frame_w_data),
                .m_frame_b_valid(m_frame_b_valid)
            );
            assign busy    = !idle;
            // page, frame, ahead, force, dirty, operation, kind, refused, touch, valid
            assign m3      = {m3_tag[PAGE_BITS-1:0], m3_frame, m3_tag[PAGE_BITS+10 +: 2], m3_tag[PAGE_BITS], m3_tag[PAGE_BITS+1 +: 4], m3_tag[PAGE_BITS+6 +: 4],
                              m3_tag[PAGE_BITS+5], m3_touch, m3_valid};
            // page, class, last, age, bad, dirty, clamped, taken, fresh, recent, eligible, leaving, valid
            assign held    = {was_asid, was_vpn, was_class, was_last, interval, 1'b0, is_dirty, clamped, taken, fresh, 1'b0, eligible, is_leaving, is_valid};
            reg [TIME_W-1:0]  hit1_age;   // interval of the cycle before
            reg [CLASS_W-1:0] hit1_was;   // class of the cycle before
            always @(posedge clk)
                {hit1_was, hit1_age} <= {was_class, interval};
            assign hit_match     = found && !m3_replay;
            assign hit1_class    = hit1_was;
            assign hit1_interval = hit1_age;
            assign frames        = cfg_frames;
            assign {segment_turned, looked_guarded, limit_busy, tvi, w9_bad, s3_bad} = 0;
            wire unused = &{1'b0, m2_tag, unused_m2, w5_frame, w8_page, w8_time, s2_page, cfg_protect, s4_taken, s4_searched, f_keep};
        end else begin : g_table
            reg  [FRAME_W:0]   clear_frame;     // the frame that the reset sequence clears next
            reg                table_cleared;   // all frames are empty
            wire               segment_cleared; // no frame is protected
            wire               is_valid;        // the frame holds a page
            wire               is_leaving;      // the page is leaving
            wire               eligible;        // the page may be a victim
            wire               recent;          // the page was hit since its FILL or the hand's pass
            wire               taken;           // the page may be DECIDE's victim
            wire               clamped;         // AGE moves the last access
            wire               is_dirty;        // the page was written
            wire               odd;             // the frame's word is corrupt
            wire [ASID_W-1:0]  was_asid;        // address space of the page
            wire [VPN_W-1:0]   was_vpn;         // virtual page number of the page
            wire [CLASS_W-1:0] was_class;       // class of the last access
            wire [TIME_W-1:0]  was_last;        // time of the last access
            wire [TIME_W-1:0]  interval;        // walks since the last access
            wire [TIME_W-1:0]  fill4_last;      // a cycle after FILL: time of the page's last access
            wire               allow;           // the limit changes
            wire               filling;         // the protected segment fills
            wire [FRAME_W:0]   limit;           // the number of frames that may be protected
            wire [FRAME_W:0]   count;           // frames that are protected
            wire [TIME_W+6:0]  horizon;         // T, in 1/256 walks
            assign cleared = table_cleared && segment_cleared;
            always @(posedge clk)
                if (rst) begin
                    clear_frame   <= 0;
                    table_cleared <= 1'b0;
                end else if (clear && !table_cleared) begin
                    clear_frame   <= clear_frame + 1'b1;
                    table_cleared <= clear_frame == FRAMES[FRAME_W:0] - 1'b1;
                end
            gmmu_frame_table #(
                .VPN_W(VPN_W),
                .ASID_W(ASID_W),
                .TIME_W(TIME_W),
                .FRAMES(FRAMES),
                .CLASS_W(CLASS_W),
                .PARITY(PARITY)
            ) frame_table (
                .clk(clk),
                .rst(rst),
                .clear(clear && !table_cleared),
                .clear_frame(clear_frame[FRAME_W-1:0]),
                .w5_frame(w5_frame),
                .w8_asid(w8_page[PAGE_ASID_O +: ASID_W]),
                .w8_vpn(w8_page[PAGE_VPN_O +: VPN_W]),
                .w8_time(w8_time),
                .w9_hit(w9_hit),
                .w9_replay(w9_replay),
                .w9_class(w9_class),
                .w9_write(w9[W9_WRITE_O]),
                .w9_match(found),
                .w9_bad(w9_bad),
                .w10_was_class(hit1_class),
                .w10_interval(hit1_interval),
                .s0_frame(s0_frame),
                .s2_asid(s2_page[PAGE_ASID_O +: ASID_W]),
                .s2_vpn(s2_page[PAGE_VPN_O +: VPN_W]),
                .s2_time(next),
                .s2_expect(expect_last),
                .s3_fill(s3[S3_FILL_O]),
                .s3_free(s3[S3_FREE_O]),
                .s3_pin(s3[S3_PIN_O]),
                .s3_unpin(s3[S3_UNPIN_O]),
                .s3_unleave(s3[S3_CANCEL_O]),
                .s3_age(s3[S3_AGE_FRAME_O]),
                .s3_expire(s3[S3_EXPIRE_O]),
                .s3_take(f_take),
                .s3_keep(f_keep),
                .s3_force(s3_force),
                .s3_pass(s3[S3_HAND_O]),
                .s3_look(s3[S3_CAND_O]),
                .s3_class(fill_class),
                .s3_last(fill_last),
                .s3_dirty(fill_dirty),
                .s3_new(fill_fresh),
                .s3_fresh(fresh),
                .s3_valid(is_valid),
                .s3_leaving(is_leaving),
                .s3_eligible(eligible),
                .s3_recent(recent),
                .s3_taken(taken),
                .s3_clamped(clamped),
                .s3_is_dirty(is_dirty),
                .s3_was_asid(was_asid),
                .s3_was_vpn(was_vpn),
                .s3_was_class(was_class),
                .s3_was_last(was_last),
                .s4_newlast(fill4_last),
                .s3_interval(interval),
                .s3_bad(s3_bad),
                .s3_odd(odd)
            );
            gmmu_segment #(
                .TIME_W(TIME_W),
                .FRAMES(FRAMES),
                .PARITY(PARITY)
            ) segment (
                .clk(clk),
                .rst(rst),
                .clear(clear),
                .cleared(segment_cleared),
                .cfg_frames(cfg_frames),
                .cfg_protect(cfg_protect),
                .s3_fill(s3[S3_FILL_O]),
                .s3_free(s3[S3_FREE_O]),
                .s3_cand(s3[S3_CAND_O]),
                .s3_frame(s3[S3_FRAME_O +: FRAME_W]),
                .s3_returns(s3[S3_RETURNS_O]),
                .s3_was(s3[S3_WAS_O +: TIME_W]),
                .s3_age(interval),
                .s4_taken(s4_taken),
                .s4_searched(s4_searched),
                .s4_last(fill4_last),
                .w9_match(hit_match),
                .w9_frame(w9[W9_FRAME_O +: FRAME_W]),
                .w10_interval(hit1_interval),
                .s9_guarded(looked_guarded),
                .busy(limit_busy),
                .turned(segment_turned),
                .tvi_allow(allow),
                .tvi_limit(limit),
                .tvi_count(count),
                .tvi_t(horizon),
                .tvi_filling(filling)
            );
            // page, class, last, age, bad, dirty, clamped, taken, fresh, recent, eligible, leaving, valid
            assign held     = {was_asid, was_vpn, was_class, was_last, interval, odd, is_dirty, clamped, taken, fresh, recent, eligible, is_leaving, is_valid};
            assign hit_match = found && !w9_replay;
            assign tvi      = {horizon, count, limit, filling, allow};
            assign frames   = FRAMES[FRAME_W:0];
            assign s0_ready = 1'b1;
            assign busy     = 1'b0;
            assign wake     = 1'b0;
            assign room     = 1'b1;
            assign m3 = 0;
            assign {m_frame_ar_valid, m_frame_ar_addr, m_frame_w_valid, m_frame_w_addr, m_frame_w_data} = 0;
            wire unused = &{1'b0, s0_valid, asked, drv, install_coming, m_frame_ar_ready, m_frame_r_valid, m_frame_r_data, m_frame_w_ready, m_frame_b_valid};
        end
    endgenerate
    wire unused_bits = &{1'b0, w9, s3, drv, asked}; // of each word some fields are used

    assign hit_found = found;
    assign w9_touch = FRAME_MEM == 0 || !w9_hit ? REC_NONE : room ? REC_QUEUED : REC_DROPPED;
    // a hit or a replay whose frame does not hold its page, known at w9 or with TOUCH
    wire stale_walk  = w9_walk_hit && !(FRAME_MEM != 0 ? w9_hit : found);
    wire stale_touch = m3[M3_TOUCH_O] && !found;
    reg  was_stale;   // late count: stale_walk of the cycle before
    reg  touch_stale; // late count: stale_touch of the cycle before
    reg  dropped;     // late count: a hit without room in the cycle before
    always @(posedge clk) begin
        {was_stale, touch_stale, dropped} <= rst ? 3'd0 : {stale_walk, stale_touch, w9_hit && !room};
        stat_stale_hits  <= stat_stale_hits + {30'd0, was_stale && touch_stale, was_stale != touch_stale};
        stat_touch_drops <= stat_touch_drops + {31'd0, dropped};
        turned           <= turned ^ {w9_bad, s3_bad};
        if (w9_bad)
            walk_bad_frame <= w9[W9_FRAME_O +: FRAME_W];
        if (s3_bad)
            side_bad_frame <= s3[S3_FRAME_O +: FRAME_W];
        if (rst) begin
            turned           <= 2'b00;
            stat_stale_hits  <= 0;
            stat_touch_drops <= 0;
        end
    end

endmodule
`default_nettype wire
