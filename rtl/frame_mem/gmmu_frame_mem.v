// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem: the frame table in a memory of any latency (docs/reference/blocks/frame_mem.md).
//
// frame_mem does what frame_table does, one operation after the other. Walk hits and replays become TOUCH operations in a queue,
// and take turns with side operations. Words in use lie in LINES lines, a write-back cache: an operation on a frame that is under way
// needs no read.
//
//   walk hit ─► touches ─┐         lines                                words                  effect
//   side op ──► turns ───┴─► c1 ─── c2 ─── c3 ──► operations ─► s0 ─ s1 ─ s2 ─ s3 ─► work RAM
//                               ▲ spare     │ miss                ▲                     │
//                             hand          └─► ar ─► memory ─► r ┘     w ◄─ writes ◄─ cleaner
//
// The memory answers reads and writes in order, and operations with a read keep that order: answers are counted, without a tag.
// No word is read while a write of the word is under way.
`default_nettype none
module gmmu_frame_mem #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 16,
    parameter TIME_W  = 32,
    parameter FRAMES  = 1048576,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 11,
    // lines, a power of two, at least 4
    parameter LINES   = 128,
    // entries of the queue of walk hits, a power of two, at least 4
    parameter TOUCHQ  = 128,
    // bits of the tag of a side operation
    parameter TAG_W   = 97,
    // derived, not to be set
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    parameter WORD_W  = 4 + CLASS_W + TIME_W + ASID_W + VPN_W
) (
    input  wire               clk,
    input  wire               rst,
    // clearing after reset
    input  wire               clear,            // the reset sequence is under way
    input  wire [FRAME_W:0]   clear_frames,     // number of words that the reset sequence sets to 0, from word 0 on
    output wire               cleared,          // the words 0 to clear_frames - 1 are 0
    // walk hits and replays on enabled frames; below, a walk hit is either
    input  wire               w_hit,            // a walk or a replay hits an enabled frame
    input  wire [FRAME_W-1:0] w_frame,          // frame of the walk
    input  wire [ASID_W-1:0]  w_asid,           // address space of the walk
    input  wire [VPN_W-1:0]   w_vpn,            // virtual page number of the walk
    input  wire [CLASS_W-1:0] w_class,          // class of the walk's reference
    input  wire [TIME_W-1:0]  w_time,           // time of the walk
    input  wire               w_write,          // the walk or replay writes
    input  wire               w_replay,         // it is a replay: no access
    output wire               w_room,           // a hit is queued; without room the hit is dropped
    // side operations
    input  wire               q_valid,          // a side operation is offered
    output wire               q_ready,          // a side operation is taken
    input  wire               q_none,           // the offered operation needs no frame
    input  wire               q_after,          // walk hits that wait go before the offered operation
    input  wire [FRAME_W-1:0] q_frame,          // frame of the offered operation
    input  wire [TAG_W-1:0]   q_tag,            // tag of the offered operation
    input  wire               hold,             // no operation may be at stage 3 three cycles later
    output wire               idle,             // no operation and no walk hit is under way
    output wire               wake,             // the clock is needed: an operation, a walk hit or a word to the memory is under way
    // stage 2
    input  wire [TIME_W-1:0]  s2_time,          // time at stage 3
    input  wire [TIME_W-1:0]  s2_expect,        // TAKE: the last access that the search saw
    // the operation at stage 2, which comes to stage 3 in the next cycle
    output wire               m2_valid,         // a side operation or a walk hit comes to stage 3 in the next cycle
    output wire [TAG_W-1:0]   m2_tag,           // tag of the operation at stage 2
    // stage 3: the operation that takes effect, and its frame before the effect
    output wire               s3_valid,         // an operation is at stage 3
    output wire               s3_touch,         // the operation at stage 3 is a walk hit
    output wire               s3_replay,        // the walk hit at stage 3 is a replay
    output wire [TAG_W-1:0]   s3_tag,           // tag of the side operation at stage 3
    output wire [FRAME_W-1:0] s3_frame,         // frame of the operation at stage 3
    input  wire               s3_fill,          // the side operation is FILL
    input  wire               s3_free,          // the side operation is FREE
    input  wire               s3_pin,           // the side operation is PIN
    input  wire               s3_unpin,         // the side operation is UNPIN
    input  wire               s3_unleave,       // the side operation is UNLEAVE
    input  wire               s3_age,           // the side operation is AGE
    input  wire               s3_expire,        // the side operation is EXPIRE
    input  wire               s3_take,          // the side operation is TAKE
    input  wire               s3_force,         // for the side operation a fresh frame is eligible as any other
    input  wire [ASID_W-1:0]  s3_asid,          // FILL: address space of the new page
    input  wire [VPN_W-1:0]   s3_vpn,           // FILL: virtual page number of the new page
    input  wire [CLASS_W-1:0] s3_class,         // FILL: class of the page's last access
    input  wire [TIME_W-1:0]  s3_last,          // FILL: time of the page's last access
    input  wire               s3_dirty,         // FILL: the page differs from its copy below
    input  wire               s3_new,           // FILL: the page is fresh
    output wire               s3_match,         // walk hit: the frame holds the page; but for a replay, with no later access
    output wire               s3_fresh,         // not pinned; the page came as fresh, and no walk hit, EXPIRE or TAKE came since
    output wire               s3_is_valid,      // the frame holds a page
    output wire               s3_leaving,       // the page is leaving
    output wire               s3_eligible,      // the page is valid, not pinned, not leaving and not fresh
    output wire               s3_taken,         // TAKE succeeds: the page is eligible and has s2_expect as last access
    output wire               s3_clamped,       // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    output wire               s3_is_dirty,      // the page was written, or a walk hit that writes was dropped
    output wire [ASID_W-1:0]  s3_was_asid,      // address space of the page
    output wire [VPN_W-1:0]   s3_was_vpn,       // virtual page number of the page
    output wire [CLASS_W-1:0] s3_was_class,     // class of the last access
    output wire [TIME_W-1:0]  s3_was_last,      // time of the last access
    output wire [TIME_W-1:0]  s3_interval,      // walks from the last access to now; walk hit: to the walk
    // memory: answers reads in order, does writes in order
    output wire               m_frame_ar_valid, // a read is offered
    input  wire               m_frame_ar_ready, // the memory takes the read
    output wire [FRAME_W-1:0] m_frame_ar_addr,  // frame of the read
    input  wire               m_frame_r_valid,  // the oldest read is answered
    input  wire [WORD_W-1:0]  m_frame_r_data,   // word of the oldest read
    output wire               m_frame_w_valid,  // a write is offered
    input  wire               m_frame_w_ready,  // the memory takes the write
    output wire [FRAME_W-1:0] m_frame_w_addr,   // frame of the write
    output wire [WORD_W-1:0]  m_frame_w_data,   // word of the write
    input  wire               m_frame_b_valid   // the oldest write is done
);

    localparam L_W  = $clog2(LINES);
    localparam T_W  = 2 + TIME_W + CLASS_W + ASID_W + VPN_W;       // bits of a walk hit's data
    localparam P_W  = (T_W > TAG_W ? T_W : TAG_W) + 1;             // bits of an operation's data: a walk hit's, or a tag
    localparam OPS  = LINES < 16 ? 16 : LINES;                     // operations between c1 and s0
    localparam N_W  = $clog2(OPS) + 2;                             // bits of an operation's number
    // spare lines in store: more than the operations at c1 to c3, so that a line that is found again costs no cycle
    localparam ENOUGH = LINES < 64 ? 7 : 12;

    generate
        if (LINES < 4 || (LINES & (LINES - 1)) != 0 || TOUCHQ < 4 || (TOUCHQ & (TOUCHQ - 1)) != 0) begin : g_bad
            LINES_and_TOUCHQ_must_be_powers_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    // ======== the operation that goes on
    wire               t_valid;    // a walk hit waits
    wire               t_empty;    // no walk hit is in the queue
    wire               t_pop;      // the oldest walk hit goes on
    wire               pressed;    // half of the entries for walk hits are in use
    wire               lost;       // a walk hit that writes was dropped
    wire               side_valid; // a side operation waits
    wire [FRAME_W-1:0] t_frame;    // frame of the oldest walk hit
    wire [T_W-1:0]     t_what;     // data of the oldest walk hit: {replay, write, time, class, asid, vpn}
    gmmu_frame_mem_touches #(
        .WIDTH(FRAME_W + T_W),
        .TOUCHQ(TOUCHQ)
    ) walk_hits (
        .clk(clk),
        .rst(rst),
        .w_hit(w_hit),
        .w_write(w_write),
        .w_data({w_frame, w_replay, w_write, w_time, w_class, w_asid, w_vpn}),
        .w_room(w_room),
        .hit_done(s3_touch),
        .pop(t_pop),
        .valid(t_valid),
        .head({t_frame, t_what}),
        .empty(t_empty),
        .pressed(pressed),
        .lost(lost)
    );
    wire               a_go;     // an operation goes to c1
    wire               a_any;    // an operation waits for c1
    wire               a_touch;  // the operation that waits for c1 is a walk hit
    wire               a_none;   // the operation that waits for c1 needs no frame
    wire               pick;     // a line becomes a spare line
    wire               s1_valid; // an operation is at s1
    wire [FRAME_W-1:0] a_frame;  // frame of the operation that waits for c1
    wire [P_W-1:0]     a_what;   // data of the operation that waits for c1
    wire               c3_valid; // an operation is at c3, with its line
    wire               c3_touch; // the operation at c3 is a walk hit
    wire               c3_none;  // the operation at c3 needs no frame
    wire               c3_take;  // the line of the operation at c3 is new: the word has to be read
    wire               c_idle;   // no operation is at c1 to c3
    wire [L_W-1:0]     c3_line;  // line of the operation at c3
    wire [FRAME_W-1:0] c3_frame; // frame of the operation at c3
    wire [P_W-1:0]     c3_what;  // data of the operation at c3
    wire [7:0]         reads;    // bit i: more than i reads wait for the memory
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
        .t_push(w_hit && w_room),
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

    // ======== the line of the operation
    wire [LINES-1:0] used;      // per line: the line has a frame
    wire [LINES-1:0] again;     // per line: the line was found since the hand's visit
    wire [LINES-1:0] away;      // per line: the line leaves the hand
    wire [LINES-1:0] wiped;     // per line: the line was written back at the cleaner's last visit
    wire             given;     // the line that leaves the hand gives up its frame
    wire             room;      // two more spare lines may be on their way
    wire [L_W-1:0]   pick_line; // the line that becomes a spare line
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
    wire [L_W:1]   seen;      // the cleaner has passed all lines before this pair
    wire [L_W:1]   left;      // all lines before this pair have left the hand
    wire           w_valid;   // a cycle after stage 3: there was an operation
    wire           w_changed; // a cycle after stage 3: the operation changed its word
    wire           w_free;    // there is room for a word to be written back
    wire           wipe;      // a line is written back
    wire [L_W-1:0] w_line;    // a cycle after stage 3: line of the operation
    wire [L_W-1:0] l3_line;   // the line at the cleaner's last stage
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
    wire [WORD_W-1:0] clean_word; // word of l3_line, a cycle later
    wire              owes;       // a word of the cleaner is on its way to the memory
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

    // ======== the word of the operation's frame, and the effect on the word
    wire              s2_valid; // an operation is at stage 2
    wire              s2_touch; // the operation at stage 2 is a walk hit
    wire              s3_none;  // the operation at stage 3 needs no frame
    wire              s3_same;  // the line of the operation at stage 3 is that of the operation before
    wire              s3_we;    // the operation at stage 3 changes its word
    wire              s_idle;   // no operation is between c3 and stage 3
    wire [P_W-1:0]    s2_what;  // data of the operation at stage 2
    wire [P_W-1:0]    s3_what;  // data of the operation at stage 3
    wire [WORD_W-1:0] s2_word;  // word of the frame at stage 2, without the effect of the operation at stage 3
    wire [WORD_W-1:0] s3_word;  // word of the frame at stage 3
    wire [WORD_W-1:0] s3_next;  // word after the operation at stage 3
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
        .s3_replay(s3_replay),
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
        .s3_expire(s3_expire),
        .s3_take(s3_take),
        .s3_force(s3_force),
        .s3_asid(s3_asid),
        .s3_vpn(s3_vpn),
        .s3_class(s3_class),
        .s3_last(s3_last),
        .s3_dirty(s3_dirty),
        .s3_new(s3_new),
        .s3_match(s3_match),
        .s3_fresh(s3_fresh),
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

    // changed words may stay in their lines: no other part reads the memory
    assign idle = t_empty && !side_valid && c_idle && s_idle;
    assign wake = !idle || owes;

endmodule
`default_nettype wire
