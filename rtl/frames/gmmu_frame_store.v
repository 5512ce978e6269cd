// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_store: the frames, in RAM or in memory, behind one port (docs/blocks/frame_store.md).
//
// FRAME_MEM 0: frame_table. Side actions take effect at s3, a walk hit at w9.
// FRAME_MEM 1: frame_mem. Side actions but INSTALL go in at s0 and come out at s3 in their turn (m3_*); a walk hit
// is noted at w9 and comes out as TOUCH. Frames that are not enabled are not read then.
// What the action at s3, or TOUCH, finds in its frame stands at f_*.
`default_nettype none
module gmmu_frame_store #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    parameter FRAME_MEM = 0,
    parameter LINES   = 16,
    parameter TOUCHQ  = 16,
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter WORD_BITS = 4 + CLASS_W + TIME_W + ASID_W + VPN_W,
    parameter T_W     = TIME_W + 7
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 clear,       // reset sequence
    output wire                 cleared,
    input  wire [FRAME_W:0]     cfg_frames,
    output wire [FRAME_W:0]     frames,      // that can be read
    input  wire [TIME_W-1:0]    next,        // time at s3
    // walk
    input  wire [FRAME_W-1:0]   w5_frame,
    input  wire [ASID_W-1:0]    w8_asid,
    input  wire [VPN_W-1:0]     w8_vpn,
    input  wire [TIME_W-1:0]    w8_time,
    input  wire                 w9_valid, w9_fault, w9_write,
    input  wire [FRAME_W-1:0]   w9_frame,
    input  wire [ASID_W-1:0]    w9_asid,
    input  wire [VPN_W-1:0]     w9_vpn,
    input  wire [CLASS_W-1:0]   w9_class,
    input  wire [TIME_W-1:0]    w9_time,
    output wire [1:0]           w9_touch,    // FRAME_MEM: REC_* of a hit
    output wire                 hit_match,   // of the walk at w9, or of TOUCH: the frame holds its page,
    output wire [CLASS_W-1:0]   hit1_class,  // a cycle later: whose access before was of this class,
    output wire [TIME_W-1:0]    hit1_interval, // so many walks ago
    // side
    input  wire                 s0_valid, s0_bad, s0_none, s0_after,
    output wire                 s0_ready,
    input  wire [3:0]           s0_kind,
    input  wire [FRAME_W-1:0]   s0_frame,
    input  wire [3:0]           s0_op,
    input  wire [ASID_W-1:0]    s0_asid, s2_asid,
    input  wire [VPN_W-1:0]     s0_vpn, s2_vpn,
    input  wire                 s0_dirty,
    input  wire                 hold,        // nothing is to come out three cycles later
    input  wire [TIME_W-1:0]    expect_last, // DECIDE: the last access that the search saw
    output wire                 m2_valid,    // FRAME_MEM: something comes out in the next cycle; its page, if it has one
    output wire [ASID_W-1:0]    m2_asid,
    output wire [VPN_W-1:0]     m2_vpn,
    output wire                 m3_valid, m3_touch, m3_bad,
    output wire [3:0]           m3_kind,
    output wire [3:0]           m3_op,
    output wire [FRAME_W-1:0]   m3_frame,
    output wire [ASID_W-1:0]    m3_asid,
    output wire [VPN_W-1:0]     m3_vpn,
    output wire                 m3_dirty,
    input  wire                 s3_fill, s3_free, s3_pin, s3_unpin, s3_cancel, s3_age, s3_take, s3_keep,
    input  wire [ASID_W-1:0]    s3_asid,     // FILL: page, class, last access, dirty
    input  wire [VPN_W-1:0]     s3_vpn,
    input  wire [CLASS_W-1:0]   fill_class,
    input  wire [TIME_W-1:0]    fill_last,
    input  wire                 fill_dirty,
    output wire                 f_valid, f_leaving, f_eligible, f_recent, f_taken, f_clamped, f_dirty, f_bad,
    output wire [ASID_W-1:0]    f_asid,
    output wire [VPN_W-1:0]     f_vpn,
    output wire [CLASS_W-1:0]   f_class,
    output wire [TIME_W-1:0]    f_last, f_age,
    // FRAME_MEM: the memory
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
    output wire                 busy,        // FRAME_MEM: an action or a hit is under way
    output wire                 wake,        // or a word on its way to the memory
    // the protected segment; FRAME_MEM: nothing is protected
    input  wire [7:0]           cfg_protect,
    input  wire [FRAME_W-1:0]   s3_frame,
    input  wire                 s3_cand, s3_hand, s3_returns,
    input  wire                 s4_taken, s4_searched, // a cycle later: a page leaves; a decision for which frames were searched
    input  wire [TIME_W-1:0]    s3_was,
    output wire                 looked_guarded, // of the candidate six cycles before
    output wire                 limit_busy,
    output wire                 tvi_allow, tvi_filling,
    output wire [FRAME_W:0]     tvi_limit, tvi_count,
    output wire [T_W-1:0]       tvi_t,
    // PARITY: it turns over with each bad word that {a walk, a side action} met, of this frame
    output reg  [1:0]           turned,
    output wire                 segment_turned, // with each cycle that met a bit of segment that had turned over
    output reg  [FRAME_W-1:0]   walk_bad_frame, side_bad_frame,
    output reg  [31:0]          stat_stale_hits, stat_touch_drops
);

`include "gmmu_codes.vh"

    wire room, w9_bad, s3_bad;
    wire w9_hit = w9_valid && !w9_fault && {1'b0, w9_frame} < frames;
    generate
        if (FRAME_MEM != 0) begin : g_mem
            assign frames = cfg_frames;
            wire idle;
            wire [9:0] m2_what;
            assign busy = !idle;
            gmmu_frame_mem #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W),
                .LINES(LINES), .TOUCHQ(TOUCHQ), .TAG_W(10 + ASID_W + VPN_W)
            ) frame_mem (
                .clk(clk), .rst(rst), .clear(clear), .clear_frames(cfg_frames), .cleared(cleared),
                .w_hit(w9_hit), .w_frame(w9_frame), .w_asid(w9_asid), .w_vpn(w9_vpn), .w_class(w9_class),
                .w_time(w9_time), .w_write(w9_write), .w_room(room),
                .q_valid(s0_valid), .q_ready(s0_ready), .q_none(s0_none), .q_after(s0_after), .q_frame(s0_frame),
                .q_tag({s0_kind, s0_bad, s0_op, s0_dirty, s0_asid, s0_vpn}), .hold(hold), .idle(idle), .wake(wake),
                .s2_time(next), .s2_expect(expect_last),
                .m2_valid(m2_valid), .m2_tag({m2_what, m2_asid, m2_vpn}), .s3_valid(m3_valid), .s3_touch(m3_touch), .s3_tag({m3_kind, m3_bad, m3_op,
                m3_dirty, m3_asid, m3_vpn}),
                .s3_frame(m3_frame),
                .s3_fill(s3_fill), .s3_free(s3_free), .s3_pin(s3_pin), .s3_unpin(s3_unpin), .s3_unleave(s3_cancel),
                .s3_age(s3_age), .s3_take(s3_take), .s3_asid(s3_asid), .s3_vpn(s3_vpn),
                .s3_class(fill_class), .s3_last(fill_last), .s3_dirty(fill_dirty),
                .s3_match(hit_match), .s3_is_valid(f_valid), .s3_leaving(f_leaving), .s3_eligible(f_eligible),
                .s3_taken(f_taken), .s3_clamped(f_clamped), .s3_is_dirty(f_dirty), .s3_was_asid(f_asid), .s3_was_vpn(f_vpn),
                .s3_was_class(f_class), .s3_was_last(f_last), .s3_interval(f_age),
                .m_frame_ar_valid(m_frame_ar_valid), .m_frame_ar_ready(m_frame_ar_ready),
                .m_frame_ar_addr(m_frame_ar_addr), .m_frame_r_valid(m_frame_r_valid), .m_frame_r_data(m_frame_r_data),
                .m_frame_w_valid(m_frame_w_valid), .m_frame_w_ready(m_frame_w_ready),
                .m_frame_w_addr(m_frame_w_addr), .m_frame_w_data(m_frame_w_data), .m_frame_b_valid(m_frame_b_valid)
            );
            assign f_recent     = 1'b0;
            reg [TIME_W-1:0]  was_age;
            reg [CLASS_W-1:0] was_class;
            always @(posedge clk)
                {was_class, was_age} <= {f_class, f_age};
            assign {hit1_class, hit1_interval} = {was_class, was_age};
            assign {segment_turned, looked_guarded, limit_busy, tvi_allow, tvi_filling, tvi_limit, tvi_count, tvi_t, w9_bad, s3_bad, f_bad} = 0;
            wire unused = &{1'b0, m2_what, w5_frame, w8_asid, w8_vpn, w8_time, s2_asid, s2_vpn, cfg_protect, s3_cand, s3_hand,
                            s4_taken, s4_searched, s3_returns, s3_was, s3_keep};
        end else begin : g_table
            assign frames   = FRAMES[FRAME_W:0];
            assign s0_ready = 1'b1;
            assign busy     = 1'b0;
            assign wake     = 1'b0;
            assign room     = 1'b1;
            assign {m2_valid, m2_asid, m2_vpn, m3_valid, m3_touch, m3_bad, m3_kind, m3_op, m3_frame, m3_asid, m3_vpn, m3_dirty} = 0;
            assign {m_frame_ar_valid, m_frame_ar_addr, m_frame_w_valid, m_frame_w_addr, m_frame_w_data} = 0;
            wire unused = &{1'b0, s0_valid, s0_bad, s0_none, s0_after, s0_kind, s0_op, s0_asid, s0_vpn, s0_dirty, hold,
                            w9_asid, w9_vpn, w9_time, s3_asid, s3_vpn,
                            m_frame_ar_ready, m_frame_r_valid, m_frame_r_data, m_frame_w_ready, m_frame_b_valid};
            reg [FRAME_W:0] clear_frame;
            reg  table_cleared;
            wire segment_cleared;
            wire [TIME_W-1:0] fill4_last;
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
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W), .PARITY(PARITY)
            ) frame_table (
                .clk(clk), .rst(rst), .clear(clear && !table_cleared), .clear_frame(clear_frame[FRAME_W-1:0]),
                .w5_frame(w5_frame), .w8_asid(w8_asid), .w8_vpn(w8_vpn), .w8_time(w8_time),
                .w9_hit(w9_hit), .w9_class(w9_class), .w9_write(w9_write),
                .w9_match(hit_match), .w10_was_class(hit1_class), .w10_interval(hit1_interval),
                .s0_frame(s0_frame), .s2_asid(s2_asid), .s2_vpn(s2_vpn), .s2_time(next), .s2_expect(expect_last),
                .s3_fill(s3_fill), .s3_free(s3_free), .s3_pin(s3_pin), .s3_unpin(s3_unpin), .s3_unleave(s3_cancel),
                .s3_age(s3_age), .s3_take(s3_take), .s3_keep(s3_keep), .s3_pass(s3_hand), .s3_look(s3_cand),
                .s3_class(fill_class), .s3_last(fill_last), .s3_dirty(fill_dirty),
                .s3_valid(f_valid), .s3_leaving(f_leaving), .s3_eligible(f_eligible), .s3_recent(f_recent), .s3_taken(f_taken),
                .s3_clamped(f_clamped), .s3_is_dirty(f_dirty), .s3_was_asid(f_asid), .s3_was_vpn(f_vpn),
                .s3_was_class(f_class), .s3_was_last(f_last), .s4_newlast(fill4_last), .s3_interval(f_age), .w9_bad(w9_bad), .s3_bad(s3_bad), .s3_odd(f_bad)
            );
            gmmu_segment #(.TIME_W(TIME_W), .FRAMES(FRAMES), .PARITY(PARITY)) segment (
                .turned(segment_turned), .clk(clk), .rst(rst), .clear(clear), .cleared(segment_cleared), .cfg_frames(cfg_frames), .cfg_protect(cfg_protect),
                .s3_fill(s3_fill), .s3_free(s3_free), .s3_cand(s3_cand), .s4_taken(s4_taken), .s4_searched(s4_searched),
                .s3_frame(s3_frame), .s4_last(fill4_last), .s3_returns(s3_returns), .s3_was(s3_was), .s3_age(f_age),
                .w9_match(hit_match), .w9_frame(w9_frame), .w10_interval(hit1_interval), .s9_guarded(looked_guarded),
                .busy(limit_busy), .tvi_allow(tvi_allow), .tvi_limit(tvi_limit), .tvi_count(tvi_count), .tvi_t(tvi_t),
                .tvi_filling(tvi_filling)
            );
        end
    endgenerate

    assign w9_touch = FRAME_MEM == 0 || !w9_hit ? REC_NONE : room ? REC_QUEUED : REC_DROPPED;
    // a hit whose frame does not hold its page, known at w9 or with TOUCH
    wire stale_walk  = w9_valid && !w9_fault && !(FRAME_MEM != 0 ? w9_hit : hit_match);
    wire stale_touch = m3_touch && !hit_match;
    reg  was_stale, touch_stale, dropped; // counted a cycle later
    always @(posedge clk) begin
        {was_stale, touch_stale, dropped} <= rst ? 3'd0 : {stale_walk, stale_touch, w9_hit && !room};
        stat_stale_hits  <= stat_stale_hits + {30'd0, was_stale && touch_stale, was_stale != touch_stale};
        stat_touch_drops <= stat_touch_drops + {31'd0, dropped};
        turned           <= turned ^ {w9_bad, s3_bad};
        if (w9_bad)
            walk_bad_frame <= w9_frame;
        if (s3_bad)
            side_bad_frame <= s3_frame;
        if (rst) begin
            turned           <= 2'b00;
            stat_stale_hits  <= 0;
            stat_touch_drops <= 0;
        end
    end

endmodule
`default_nettype wire
