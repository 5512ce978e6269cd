// SPDX-License-Identifier: Apache-2.0
// frame_mem: the frame table in a memory of any latency (docs/blocks/frame_mem.md).
//
// Does what frame_table does, in one order: walk hits become TOUCH operations in a queue, and they
// and the side operations pass one after the other. Words that are in use stand in LINES lines, a
// write-back cache, so an operation on a frame that is under way needs no read of its own.
//
//   walk hit ─► touches ─┐    find or take a line           wait for the line     stage 2
//   side op ─► q ────────┴─► tags ───► operations ────────────► s0 ─ s1 ─ s2: effect ─► work RAM
//                             │ miss                             ▲                        │
//                             └─► ar ───► memory ───► r ──► fill RAM        w ◄─ cleaner ┘
//
// Two hands go round the lines: `hand` takes lines for new frames, `cleaner` goes before it and
// writes back what changed. A line that was found again since the last visit is passed by (CLOCK).
// No read of a word is asked for while a write of it is under way.
`default_nettype none
module frame_mem #(
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
    input  wire               hold,      // nothing may stand at stage 2 two cycles later
    output wire               idle,
    // stage 2: the operation whose turn it is, and its frame before it
    output wire               s2_valid,
    output wire               s2_touch,  // a walk hit; else q_tag, with what it does:
    output wire [TAG_W-1:0]   s2_tag,
    output wire [FRAME_W-1:0] s2_frame,
    input  wire               s2_fill, s2_free, s2_pin, s2_unpin, s2_unleave, s2_age, s2_take,
    input  wire [ASID_W-1:0]  s2_asid,
    input  wire [VPN_W-1:0]   s2_vpn,
    input  wire [CLASS_W-1:0] s2_class,
    input  wire [TIME_W-1:0]  s2_last,
    input  wire               s2_dirty,
    input  wire [TIME_W-1:0]  s2_time,
    output wire               s2_match,  // walk hit: the frame holds the page, not accessed later
    output wire               s2_is_valid,
    output wire               s2_leaving,
    output wire               s2_eligible,
    output wire               s2_taken,
    output wire               s2_clamped,
    output wire               s2_is_dirty, // or a walk hit that writes was dropped
    output wire [ASID_W-1:0]  s2_was_asid,
    output wire [VPN_W-1:0]   s2_was_vpn,
    output wire [CLASS_W-1:0] s2_was_class,
    output wire [TIME_W-1:0]  s2_was_last,
    output wire [TIME_W-1:0]  s2_interval, // walks since the last access, of a walk hit up to it
    // memory: reads, answered in order; writes, done in order
    output reg                m_frame_ar_valid,
    input  wire               m_frame_ar_ready,
    output reg  [FRAME_W-1:0] m_frame_ar_addr,
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
    localparam OP_W = 2 + L_W + FRAME_W + P_W;
    localparam N_W  = L_W + 2;                                     // numbers of operations
    localparam C_W  = $clog2(TOUCHQ) + 1;
    localparam WQ   = 16;                                          // words on their way out
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};       // age that AGE clamps to

    generate
        if (LINES < 4 || (LINES & (LINES - 1)) != 0 || TOUCHQ < 4 || (TOUCHQ & (TOUCHQ - 1)) != 0) begin : g_bad
            LINES_and_TOUCHQ_must_be_powers_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    // ======== clearing: one word a cycle
    reg  [FRAME_W:0] clear_at, clear_done;
    wire clear_w = clear && clear_at != clear_frames;
    assign cleared = clear_done == clear_frames;
    always @(posedge clk)
        if (rst) begin
            clear_at   <= 0;
            clear_done <= 0;
        end else begin
            if (clear_w && m_frame_w_ready)
                clear_at <= clear_at + 1'b1;
            if (clear && m_frame_b_valid)
                clear_done <= clear_done + 1'b1;
        end

    // ======== walk hits wait; the last quarter of the places is for those that write
    reg  [C_W-1:0] touches; // not yet done
    reg            lost;    // a hit that writes was dropped: nobody knows what is clean
    wire [C_W-1:0] after_s2 = touches - {{C_W-1{1'b0}}, s2_touch};
    wire [31:0]    places   = w_write ? TOUCHQ : TOUCHQ - TOUCHQ / 4;
    wire           t_push   = w_hit && w_room;
    wire           t_valid, t_empty, t_pop, t_room;
    wire [FRAME_W-1:0] t_frame;
    wire [T_W-1:0]     t_what;
    assign w_room = {{32-C_W{1'b0}}, after_s2} < places;
    fifo #(.WIDTH(FRAME_W + T_W), .DEPTH(TOUCHQ)) waiting (
        .clk(clk), .rst(rst), .push(t_push), .wdata({w_frame, w_write, w_time, w_class, w_asid, w_vpn}),
        .room(t_room), .pop(t_pop), .done(t_pop), .valid(t_valid), .rdata({t_frame, t_what}), .empty(t_empty)
    );
    wire unused_room = &{1'b0, t_room}; // there is, while touches <= TOUCHQ
    always @(posedge clk) begin
        touches <= after_s2 + {{C_W-1{1'b0}}, t_push};
        if (w_hit && w_write && !w_room)
            lost <= 1'b1;
        if (rst) begin
            touches <= 0;
            lost    <= 1'b0;
        end
    end

    // ======== a side operation waits here, so that its port does not depend on the tags
    reg               side_valid, side_none, side_after;
    reg [FRAME_W-1:0] side_frame;
    reg [TAG_W-1:0]   side_tag;
    wire              a_go, a_touch;
    assign q_ready = !side_valid || (a_go && !a_touch);
    always @(posedge clk) begin
        if (q_ready) begin
            side_valid <= q_valid;
            side_none  <= q_none;
            side_after <= q_after;
            side_frame <= q_frame;
            side_tag   <= q_tag;
        end
        if (rst)
            side_valid <= 1'b0;
    end

    // ======== whose turn: the side's, unless half of the places are taken; then both take turns
    reg  [C_W-1:0] went;     // walk hits that went before a side operation that lets them
    reg            t_was_last;
    wire side_wants = side_valid && !(side_after && !t_empty && !went[C_W-1]);
    wire pressed    = touches >= TOUCHQ[C_W-1:0] >> 1;
    wire a_none;
    wire [FRAME_W-1:0] a_frame;
    assign a_touch = t_valid && (!side_wants || (pressed && !t_was_last));
    assign a_none  = !a_touch && side_none;
    assign a_frame = a_touch ? t_frame : side_frame;
    wire   a_valid = a_touch || side_wants;
    assign t_pop   = a_go && a_touch;
    always @(posedge clk)
        if (rst) begin
            went       <= 0;
            t_was_last <= 1'b0;
        end else begin
            if (!side_valid || q_ready)
                went <= 0;
            else if (t_pop && side_after)
                went <= went + 1'b1;
            if (a_go)
                t_was_last <= a_touch;
        end

    // ======== lines
    reg  [LINES-1:0]   used;    // it has a frame
    reg  [LINES-1:0]   again;   // found since the hand was here
    reg  [LINES-1:0]   filled;  // the word has come
    reg  [LINES-1:0]   fresh;   // and was not changed since
    reg  [LINES-1:0]   changed; // and not written back
    reg  [LINES-1:0]   writing;
    reg  [FRAME_W-1:0] tag [0:LINES-1];
    reg  [N_W-1:0]     number [0:LINES-1]; // its last operation
    reg  [N_W-1:0]     issued, done;       // operations so far
    reg  [L_W-1:0]     hand;
    reg  [L_W:0]       clean;              // lines before the hand that the cleaner has seen
    reg  [4*L_W-1:0]   spare;              // lines that the hand found for new frames, oldest first
    reg  [2:0]         spares;

    wire [LINES-1:0]   match;
    reg  [L_W-1:0]     found;
    integer i;
    genvar g;
    generate
        for (g = 0; g < LINES; g = g + 1) begin : g_match
            assign match[g] = used[g] && tag[g] == a_frame;
        end
    endgenerate
    always @* begin
        found = 0;
        for (i = 0; i < LINES; i = i + 1)
            if (match[i])
                found = found | i[L_W-1:0];
    end

    wire ops_room, ops_valid, ops_empty, ops_pop;
    wire hit  = match != 0;
    assign a_go = a_valid && ops_room && (a_none || hit || (spares != 0 && (!m_frame_ar_valid || m_frame_ar_ready)));
    wire take = a_go && !a_none && !hit;
    wire [L_W-1:0] a_line = hit ? found : spare[L_W-1:0];

    // The hand has some lines in store and passes a line by on its way to the next, so that lines
    // which were found again cost new frames no cycle.
    wire [L_W-1:0] second = hand + 1'b1;
    wire want = clean != 0 && spares != 3'd4 && !(a_go && !a_none && hit && (found == hand || found == second));
    wire pass = want && again[hand];
    wire pick = want && (!pass ? !writing[hand] : clean != 1 && !again[second] && !writing[second]);
    wire [L_W-1:0] picked = pass ? second : hand;
    wire [1:0] steps = {1'b0, pass} + {1'b0, pick};
    wire [2:0] left = spares - {2'd0, take};

    wire [L_W-1:0] cleaner = hand + clean[L_W-1:0];
    wire busy   = number[cleaner] - done < issued - done; // an operation on it is under way
    wire may    = !clean[L_W] && used[cleaner] && (again[cleaner] || !busy);
    wire to_w   = may && changed[cleaner] && !again[cleaner];
    wire w_free;
    wire wipe   = to_w && w_free && !writing[cleaner];
    wire seen   = may && (!to_w || wipe);

    // lines whose words were asked for, and whose writes were, oldest first
    reg  [L_W-1:0] reading [0:LINES-1], written [0:LINES-1];
    reg  [L_W-1:0] r_in, r_out, b_in, b_out;
    wire [L_W-1:0] r_line = reading[r_out];
    wire [L_W-1:0] b_line = written[b_out];

    wire           s2_none, s2_we;
    wire [L_W-1:0] s2_line;
    always @(posedge clk) begin
        issued <= issued + {{N_W-1{1'b0}}, a_go};
        done   <= done + {{N_W-1{1'b0}}, s2_valid};
        hand   <= hand + {{L_W-2{1'b0}}, steps};
        clean  <= clean - {{L_W-1{1'b0}}, steps} + {{L_W{1'b0}}, seen};
        if (a_go && !a_none) begin
            number[a_line] <= issued;
            if (hit)
                again[found] <= 1'b1;
        end
        if (pass)
            again[hand] <= 1'b0;
        if (pick)
            used[picked] <= 1'b0;
        spares <= left + {2'd0, pick};
        for (i = 0; i < 4; i = i + 1)
            if (pick && i[2:0] == left)
                spare[i*L_W +: L_W] <= picked;
            else if (take)
                spare[i*L_W +: L_W] <= spare[((i + 1) % 4)*L_W +: L_W];
        if (m_frame_ar_ready)
            m_frame_ar_valid <= 1'b0;
        if (take) begin
            m_frame_ar_valid <= 1'b1;
            m_frame_ar_addr  <= a_frame;
            reading[r_in]  <= a_line;
            r_in           <= r_in + 1'b1;
            tag[a_line]    <= a_frame;
            used[a_line]   <= 1'b1;
            filled[a_line] <= 1'b0;
            fresh[a_line]  <= 1'b1;
        end
        if (m_frame_r_valid) begin
            filled[r_line] <= 1'b1;
            r_out          <= r_out + 1'b1;
        end
        if (wipe) begin
            changed[cleaner] <= 1'b0;
            writing[cleaner] <= 1'b1;
            written[b_in]    <= cleaner;
            b_in             <= b_in + 1'b1;
        end
        if (m_frame_b_valid && !clear) begin
            writing[b_line] <= 1'b0;
            b_out           <= b_out + 1'b1;
        end
        if (s2_we) begin
            changed[s2_line] <= 1'b1;
            fresh[s2_line]   <= 1'b0;
        end
        if (rst) begin
            used    <= 0;
            again   <= 0;
            changed <= 0;
            writing <= 0;
            issued  <= 0;
            done    <= 0;
            hand    <= 0;
            clean   <= LINES[L_W:0];
            spares  <= 3'd0;
            r_in    <= 0;
            r_out   <= 0;
            b_in    <= 0;
            b_out   <= 0;
            m_frame_ar_valid <= 1'b0;
        end
    end

    // ======== operations, in order; one goes when its line is filled
    wire [P_W-1:0] a_what = a_touch ? {{P_W-T_W{1'b0}}, t_what} : {{P_W-TAG_W{1'b0}}, side_tag};
    wire               h_touch, h_none;
    wire [L_W-1:0]     h_line;
    wire [FRAME_W-1:0] h_frame;
    wire [P_W-1:0]     h_what;
    fifo #(.WIDTH(OP_W), .DEPTH(LINES)) operations (
        .clk(clk), .rst(rst), .push(a_go), .wdata({a_touch, a_none, a_line, a_frame, a_what}),
        .room(ops_room), .pop(ops_pop), .done(ops_pop), .valid(ops_valid), .rdata({h_touch, h_none, h_line, h_frame, h_what}),
        .empty(ops_empty)
    );
    assign ops_pop = ops_valid && !hold && (h_none || filled[h_line]);

    reg            s1_valid, op_valid;
    reg [OP_W-1:0] s1_op, op;
    wire           op_touch;
    wire [P_W-1:0] op_what;
    always @(posedge clk) begin
        s1_valid <= ops_pop && !rst;
        s1_op    <= {h_touch, h_none, h_line, h_frame, h_what};
        op_valid <= s1_valid && !rst;
        op       <= s1_op;
    end
    assign {op_touch, s2_none, s2_line, s2_frame, op_what} = op;
    assign s2_valid = op_valid;
    assign s2_touch = op_valid && op_touch;
    assign s2_tag   = op_what[TAG_W-1:0];
    wire unused_pad = &{1'b0, op_what};

    // ======== words: as they came, and as they were changed
    wire [WORD_W-1:0] fill_q, work_q, clean_q;
    reg  [WORD_W-1:0] fill_s2;
    wire [WORD_W-1:0] word_d;
    ram_sdp #(.WIDTH(WORD_W), .DEPTH(LINES)) fill_ram (
        .clk(clk), .we(m_frame_r_valid), .waddr(r_line), .wdata(m_frame_r_data), .re(1'b1), .raddr(h_line), .rdata(fill_q)
    );
    ram_rmw #(.WIDTH(WORD_W), .DEPTH(LINES), .PORT_B(1)) work_ram (
        .clk(clk), .rst(rst), .a0_addr(h_line), .a2_q(work_q), .a2_we(s2_we), .a2_d(word_d),
        .b0_addr(cleaner), .b2_q(clean_q)
    );
    always @(posedge clk)
        fill_s2 <= fill_q;

    // ======== stage 2
    wire [WORD_W-1:0] word = fresh[s2_line] ? fill_s2 : work_q;
    wire is_pinned, is_dirty;
    assign {s2_is_valid, is_pinned, s2_leaving, is_dirty, s2_was_class, s2_was_last, s2_was_asid,
            s2_was_vpn} = word;
    wire               t_write;
    wire [TIME_W-1:0]  t_time;
    wire [CLASS_W-1:0] t_class;
    wire [ASID_W-1:0]  t_asid;
    wire [VPN_W-1:0]   t_vpn;
    assign {t_write, t_time, t_class, t_asid, t_vpn} = op_what[T_W-1:0];

    assign s2_eligible = s2_is_valid && !is_pinned && !s2_leaving;
    assign s2_is_dirty = is_dirty || lost;
    assign s2_interval = (s2_touch ? t_time : s2_time) - s2_was_last;
    assign s2_taken    = s2_take && s2_eligible && s2_was_last == s2_last;
    assign s2_clamped  = s2_age && s2_is_valid && s2_interval >= OLD;
    assign s2_match    = s2_touch && s2_is_valid && s2_was_vpn == t_vpn && s2_was_asid == t_asid &&
                         !s2_interval[TIME_W-1];
    assign s2_we = op_valid && !s2_none && (s2_match || s2_fill || s2_free || s2_pin || s2_unpin || s2_unleave ||
                                s2_taken || s2_clamped);

    wire n_valid   = s2_fill || (s2_is_valid && !s2_free);
    wire n_pinned  = !s2_fill && !s2_free && !s2_unpin && (s2_pin ? s2_is_valid : is_pinned);
    wire n_leaving = !s2_fill && !s2_free && !s2_unleave && (s2_taken || s2_leaving);
    wire n_dirty   = s2_fill ? s2_dirty : is_dirty || (s2_match && t_write);
    assign word_d = {n_valid, n_pinned, n_leaving, n_dirty,
                     s2_fill ? s2_class : s2_match ? t_class : s2_was_class,
                     s2_fill ? s2_last : s2_match ? t_time : s2_clamped ? s2_time - OLD : s2_was_last,
                     s2_fill ? s2_asid : s2_was_asid, s2_fill ? s2_vpn : s2_was_vpn};

    // ======== words on their way out
    reg                w1_valid, w2_valid;
    reg  [FRAME_W-1:0] w1_frame, w2_frame;
    reg  [4:0]         leaving; // words between the cleaner and the memory
    wire               out_valid, out_room, out_empty;
    wire [FRAME_W-1:0] out_frame;
    wire [WORD_W-1:0]  out_word;
    wire               out_pop = out_valid && m_frame_w_ready && !clear;
    assign w_free = leaving != WQ[4:0];
    always @(posedge clk) begin
        w1_valid <= wipe && !rst;
        w1_frame <= tag[cleaner];
        w2_valid <= w1_valid && !rst;
        w2_frame <= w1_frame;
        leaving  <= rst ? 5'd0 : leaving + {4'd0, wipe} - {4'd0, out_pop};
    end
    fifo #(.WIDTH(FRAME_W + WORD_W), .DEPTH(WQ)) out (
        .clk(clk), .rst(rst), .push(w2_valid), .wdata({w2_frame, clean_q}),
        .room(out_room), .pop(out_pop), .done(out_pop), .valid(out_valid), .rdata({out_frame, out_word}), .empty(out_empty)
    );
    wire unused_out = &{1'b0, out_room, out_empty}; // there is room, while leaving <= WQ
    assign m_frame_w_valid = clear ? clear_w : out_valid;
    assign m_frame_w_addr = clear ? clear_at[FRAME_W-1:0] : out_frame;
    assign m_frame_w_data  = clear ? {WORD_W{1'b0}} : out_word;

    // what changed may stay in its line: nobody else reads the memory
    assign idle = touches == 0 && t_empty && !side_valid && ops_empty && !s1_valid && !op_valid;

endmodule
`default_nettype wire
