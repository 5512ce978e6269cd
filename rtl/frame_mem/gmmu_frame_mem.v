// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem: the frame table in a memory of any latency (docs/blocks/frame_mem.md).
//
// Does what frame_table does, in one order: walk hits become TOUCH operations in a queue, and they
// and the side operations pass one after the other. Words that are in use stand in LINES lines, a
// write-back cache, so an operation on a frame that is under way needs no read of its own.
//
//   walk hit ─► touches ─┐         lines                                words                  effect
//   side op ──► turns ───┴─► c1 ─── c2 ─── c3 ──► operations ─► s0 ─ s1 ─ s2 ─ s3 ─► work RAM
//                               ▲ spare     │ miss                ▲                     │
//                             hand          └─► ar ─► memory ─► r ┘     w ◄─ writes ◄─ cleaner
//
// Reads and writes are answered in order, and an operation that took a line is where the read was
// asked for, so answers are counted only. No read of a word is asked for while a write of it is under way.
`default_nettype none
module gmmu_frame_mem #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 16,
    parameter TIME_W  = 32,
    parameter FRAMES  = 1048576,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 11,
    // words held, a power of two, at least 4
    parameter LINES   = 128,
    // walk hits that wait, a power of two, at least 4
    parameter TOUCHQ  = 128,
    // what goes along with a side operation
    parameter TAG_W   = 97,
    // derived, not to be set
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter WORD_W  = 4 + CLASS_W + TIME_W + ASID_W + VPN_W
) (
    input  wire               clk,
    input  wire               rst,
    // after reset: words 0 .. clear_frames - 1 become 0
    input  wire               clear,
    input  wire [FRAME_W:0]   clear_frames,
    output wire               cleared,
    // a walk hit on an enabled frame; without room it is dropped
    input  wire               w_hit,
    input  wire [FRAME_W-1:0] w_frame,
    input  wire [ASID_W-1:0]  w_asid,
    input  wire [VPN_W-1:0]   w_vpn,
    input  wire [CLASS_W-1:0] w_class,
    input  wire [TIME_W-1:0]  w_time,
    input  wire               w_write,
    output wire               w_room,
    // side operations
    input  wire               q_valid,
    output wire               q_ready,
    input  wire               q_none,    // it needs no frame
    input  wire               q_after,   // walk hits that wait go first
    input  wire [FRAME_W-1:0] q_frame,
    input  wire [TAG_W-1:0]   q_tag,
    input  wire               hold,      // nothing may stand at stage 3 three cycles later
    output wire               idle,
    output wire               wake,   // it needs its clock: beside that, while a word is on its way to the memory
    // stage 2, a cycle before stage 3
    input  wire [TIME_W-1:0]  s2_time,   // time at stage 3
    input  wire [TIME_W-1:0]  s2_expect, // TAKE: the last access that it is to have
    // stage 2: a side operation, or a walk hit, comes to stage 3 next; its q_tag
    output wire               m2_valid,
    output wire [TAG_W-1:0]   m2_tag,
    // stage 3: the operation whose turn it is, and its frame before it
    output wire               s3_valid,
    output wire               s3_touch,  // a walk hit; else q_tag, with what it does:
    output wire [TAG_W-1:0]   s3_tag,
    output wire [FRAME_W-1:0] s3_frame,
    input  wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_unleave, s3_age, s3_take,
    input  wire [ASID_W-1:0]  s3_asid,   // FILL: of the new page
    input  wire [VPN_W-1:0]   s3_vpn,
    input  wire [CLASS_W-1:0] s3_class,
    input  wire [TIME_W-1:0]  s3_last,
    input  wire               s3_dirty,
    output wire               s3_match,  // walk hit: the frame holds the page, not accessed later
    output wire               s3_is_valid,
    output wire               s3_leaving,
    output wire               s3_eligible,
    output wire               s3_taken,
    output wire               s3_clamped,
    output wire               s3_is_dirty, // or a walk hit that writes was dropped
    output wire [ASID_W-1:0]  s3_was_asid,
    output wire [VPN_W-1:0]   s3_was_vpn,
    output wire [CLASS_W-1:0] s3_was_class,
    output wire [TIME_W-1:0]  s3_was_last,
    output wire [TIME_W-1:0]  s3_interval, // walks since the last access, of a walk hit up to it
    // memory: reads, answered in order; writes, done in order
    output wire               m_frame_ar_valid,
    input  wire               m_frame_ar_ready,
    output wire [FRAME_W-1:0] m_frame_ar_addr,
    input  wire               m_frame_r_valid,
    input  wire [WORD_W-1:0]  m_frame_r_data,
    output wire               m_frame_w_valid,
    input  wire               m_frame_w_ready,
    output wire [FRAME_W-1:0] m_frame_w_addr,
    output wire [WORD_W-1:0]  m_frame_w_data,
    input  wire               m_frame_b_valid  // the oldest write is done
);

    localparam L_W  = $clog2(LINES);
    localparam T_W  = 1 + TIME_W + CLASS_W + ASID_W + VPN_W;       // what a walk hit says
    localparam P_W  = (T_W > TAG_W ? T_W : TAG_W) + 1;             // and a side operation, in one
    localparam OPS  = LINES < 16 ? 16 : LINES;                     // operations between c1 and s0
    localparam N_W  = $clog2(OPS) + 2;                             // numbers of operations
    // spare lines in store; more than operations at c1 to c3, so that one found again costs no cycle
    localparam ENOUGH = LINES < 64 ? 7 : 12;

    generate
        if (LINES < 4 || (LINES & (LINES - 1)) != 0 || TOUCHQ < 4 || (TOUCHQ & (TOUCHQ - 1)) != 0) begin : g_bad
            LINES_and_TOUCHQ_must_be_powers_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    // ======== which operation goes on
    wire               t_valid, t_empty, t_pop, pressed, lost, side_valid;
    wire [FRAME_W-1:0] t_frame;
    wire [T_W-1:0]     t_what;
    gmmu_frame_mem_touches #(
        .WIDTH(FRAME_W + T_W),
        .TOUCHQ(TOUCHQ)
    ) walk_hits (
        .clk(clk),
        .rst(rst),
        .w_hit(w_hit),
        .w_write(w_write),
        .w_data({w_frame, w_write, w_time, w_class, w_asid, w_vpn}),
        .w_room(w_room),
        .hit_done(s3_touch),
        .pop(t_pop),
        .valid(t_valid),
        .head({t_frame, t_what}),
        .empty(t_empty),
        .pressed(pressed),
        .lost(lost)
    );
    wire               a_go, a_any, a_touch, a_none, pick, s1_valid;
    wire [FRAME_W-1:0] a_frame;
    wire [P_W-1:0]     a_what;
    wire               c3_valid, c3_touch, c3_none, c3_take, c_idle;
    wire [L_W-1:0]     c3_line;
    wire [FRAME_W-1:0] c3_frame;
    wire [P_W-1:0]     c3_what;
    wire [7:0]         reads; // bit i: there are more than i that the memory has not taken yet
    gmmu_frame_mem_turns #(
        .FRAME_W(FRAME_W),
        .T_W(T_W),
        .TAG_W(TAG_W),
        .TOUCHQ(TOUCHQ),
        .OPS(OPS)
    ) turns (
        .clk(clk),
        .rst(rst),
        .t_valid(t_valid),
        .t_empty(t_empty),
        .t_pop(t_pop),
        .t_frame(t_frame),
        .t_what(t_what),
        .pressed(pressed),
        .q_valid(q_valid),
        .q_ready(q_ready),
        .q_none(q_none),
        .q_after(q_after),
        .q_frame(q_frame),
        .q_tag(q_tag),
        .side_valid(side_valid),
        .pick(pick),
        .spared(c3_valid && !c3_take),
        .s1_valid(s1_valid),
        .reads_3(reads[3]),
        .a_go(a_go),
        .a_any(a_any),
        .a_touch(a_touch),
        .a_none(a_none),
        .a_frame(a_frame),
        .a_what(a_what)
    );

    // ======== its line
    wire [LINES-1:0]   used, again, away, wiped;
    wire               given, room;
    wire [L_W-1:0]     pick_line;
    gmmu_frame_mem_lines #(
        .FRAME_W(FRAME_W),
        .LINES(LINES),
        .ENOUGH(ENOUGH),
        .P_W(P_W)
    ) lines (
        .clk(clk),
        .rst(rst),
        .a_go(a_go),
        .a_any(a_any),
        .a_touch(a_touch),
        .a_none(a_none),
        .a_frame(a_frame),
        .a_what(a_what),
        .c3_valid(c3_valid),
        .c3_touch(c3_touch),
        .c3_none(c3_none),
        .c3_take(c3_take),
        .c3_line(c3_line),
        .c3_frame(c3_frame),
        .c3_what(c3_what),
        .idle(c_idle),
        .used(used),
        .again(again),
        .away(away),
        .given(given),
        .pick(pick),
        .pick_line(pick_line),
        .room(room)
    );
    gmmu_short_fifo #(
        .WIDTH(FRAME_W),
        .DEPTH(8)
    ) ar (
        .clk(clk),
        .rst(rst),
        .push(c3_take),
        .wdata(c3_frame),
        .pop(m_frame_ar_valid && m_frame_ar_ready),
        .full(reads),
        .head(m_frame_ar_addr)
    );
    assign m_frame_ar_valid = reads[0] && !rst; // (in the first cycle of a reset some may wait)
    wire unused_reads = &{1'b0, reads};

    // ======== lines for new frames
    wire [L_W:1]       seen, left;
    wire               w_valid, w_changed, w_free, wipe;
    wire [L_W-1:0]     w_line, l3_line;
    gmmu_frame_mem_hand #(.LINES(LINES)) hands (
        .clk(clk),
        .rst(rst),
        .again(again),
        .wiped(wiped),
        .seen(seen),
        .done(m_frame_b_valid && !clear),
        .room(room),
        .away(away),
        .given(given),
        .pick(pick),
        .pick_line(pick_line),
        .left(left)
    );
    gmmu_frame_mem_cleaner #(
        .LINES(LINES),
        .N_W(N_W)
    ) cleans (
        .clk(clk),
        .rst(rst),
        .used(used),
        .again(again),
        .left(left),
        .seen(seen),
        .wiped(wiped),
        .c3_valid(c3_valid),
        .c3_none(c3_none),
        .c3_line(c3_line),
        .w_valid(w_valid),
        .w_changed(w_changed),
        .w_line(w_line),
        .w_free(w_free),
        .wipe(wipe),
        .l3_line(l3_line)
    );
    wire [WORD_W-1:0]  clean_word;
    wire               owes;
    gmmu_frame_mem_writes #(
        .FRAME_W(FRAME_W),
        .WORD_W(WORD_W),
        .LINES(LINES)
    ) writes (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .clear_frames(clear_frames),
        .cleared(cleared),
        .c3_take(c3_take),
        .c3_line(c3_line),
        .c3_frame(c3_frame),
        .w_free(w_free),
        .wipe(wipe),
        .l3_line(l3_line),
        .clean_word(clean_word),
        .m_frame_w_valid(m_frame_w_valid),
        .m_frame_w_ready(m_frame_w_ready),
        .m_frame_w_addr(m_frame_w_addr),
        .m_frame_w_data(m_frame_w_data),
        .m_frame_b_valid(m_frame_b_valid),
        .owes(owes)
    );

    // ======== its word, and what it makes of it
    wire               s2_valid, s2_touch, s3_none, s3_same, s3_we, s_idle;
    wire [P_W-1:0]     s2_what, s3_what;
    wire [WORD_W-1:0]  s2_word, s3_word, s3_next;
    gmmu_frame_mem_words #(
        .WORD_W(WORD_W),
        .FRAME_W(FRAME_W),
        .LINES(LINES),
        .OPS(OPS),
        .P_W(P_W)
    ) words (
        .clk(clk),
        .rst(rst),
        .c3_valid(c3_valid),
        .c3_touch(c3_touch),
        .c3_none(c3_none),
        .c3_take(c3_take),
        .c3_line(c3_line),
        .c3_frame(c3_frame),
        .c3_what(c3_what),
        .hold(hold),
        .r_valid(m_frame_r_valid),
        .r_data(m_frame_r_data),
        .idle(s_idle),
        .s1_valid(s1_valid),
        .s2_valid(s2_valid),
        .s2_touch(s2_touch),
        .s2_what(s2_what),
        .s2_word(s2_word),
        .s3_valid(s3_valid),
        .s3_touch(s3_touch),
        .s3_none(s3_none),
        .s3_frame(s3_frame),
        .s3_what(s3_what),
        .s3_same(s3_same),
        .s3_word(s3_word),
        .s3_we(s3_we),
        .s3_next(s3_next),
        .w_valid(w_valid),
        .w_changed(w_changed),
        .w_line(w_line),
        .clean_line(l3_line),
        .clean_word(clean_word)
    );
    assign s3_tag   = s3_what[TAG_W-1:0];
    assign m2_tag   = s2_what[TAG_W-1:0];
    assign m2_valid = s2_valid;
    wire unused_pad = &{1'b0, s2_what, s3_what};
    gmmu_frame_mem_effect #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W)
    ) effect (
        .clk(clk),
        .lost(lost),
        .s2_valid(s2_valid),
        .s2_touch(s2_touch),
        .s2_what(s2_what[T_W-1:0]),
        .s2_word(s2_word),
        .s2_time(s2_time),
        .s2_expect(s2_expect),
        .s3_valid(s3_valid),
        .s3_touch(s3_touch),
        .s3_none(s3_none),
        .s3_same(s3_same),
        .s3_what(s3_what[T_W-1:0]),
        .s3_word(s3_word),
        .s3_fill(s3_fill),
        .s3_free(s3_free),
        .s3_pin(s3_pin),
        .s3_unpin(s3_unpin),
        .s3_unleave(s3_unleave),
        .s3_age(s3_age),
        .s3_take(s3_take),
        .s3_asid(s3_asid),
        .s3_vpn(s3_vpn),
        .s3_class(s3_class),
        .s3_last(s3_last),
        .s3_dirty(s3_dirty),
        .s3_match(s3_match),
        .s3_is_valid(s3_is_valid),
        .s3_leaving(s3_leaving),
        .s3_eligible(s3_eligible),
        .s3_taken(s3_taken),
        .s3_clamped(s3_clamped),
        .s3_is_dirty(s3_is_dirty),
        .s3_was_asid(s3_was_asid),
        .s3_was_vpn(s3_was_vpn),
        .s3_was_class(s3_was_class),
        .s3_was_last(s3_was_last),
        .s3_interval(s3_interval),
        .s3_we(s3_we),
        .s3_next(s3_next)
    );

    // what changed may stay in its line: nobody else reads the memory
    assign idle = t_empty && !side_valid && c_idle && s_idle;
    assign wake = !idle || owes;

endmodule
`default_nettype wire
