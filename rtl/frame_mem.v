// SPDX-License-Identifier: Apache-2.0
// frame_mem: the frame table in a memory of any latency (docs/blocks/frame_mem.md).
//
// Does what frame_table does, in one order: walk hits become TOUCH operations in a queue, and they
// and the side operations pass one after the other. Words that are in use stand in LINES lines, a
// write-back cache, so an operation on a frame that is under way needs no read of its own.
//
//   walk hit ─► touches ─┐  c1: tags  c2: line  c3: take one      wait for the word    stage 3
//   side op ─► q ────────┴─► compare ─► found ─► if none ─► operations ─► s0 ─ s1 ─ s2 ─ s3: effect ─► work RAM
//                                                   │ miss                 ▲                             │
//                                                   └─► ar ─► memory ─► r ─┘             w ◄─ cleaner ───┘
//
// Stages c1 to c3 and s1 to s3 never wait: what goes into c1 has a spare line and a place in the
// queues of operations and of reads. Two hands go round the lines: `hand` takes lines for new frames,
// two at a time; `cleaner` goes before it and writes back what changed. A line that was found again
// since the last visit is passed by (CLOCK).
// Reads and writes are answered in order, and an operation that took a line is where the read was
// asked for, so answers are counted only. No read of a word is asked for while a write of it is under way.
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
    input  wire               hold,      // nothing may stand at stage 3 three cycles later
    output wire               idle,
    // stage 2, a cycle before stage 3
    input  wire [TIME_W-1:0]  s2_time,   // time at stage 3
    input  wire [TIME_W-1:0]  s2_expect, // TAKE: the last access that it is to have
    // stage 3: the operation whose turn it is, and its frame before it
    output reg                s3_valid,
    output reg                s3_touch,  // a walk hit; else q_tag, with what it does:
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
    localparam OP_W = 3 + L_W + FRAME_W + P_W;
    localparam OPS  = LINES < 16 ? 16 : LINES;                     // operations between c1 and s0
    localparam Q_W  = $clog2(OPS);
    localparam N_W  = Q_W + 2;                                     // numbers of operations
    // spare lines in store; more than operations at c1 to c3, so that one found again costs no cycle
    localparam ENOUGH = LINES < 64 ? 7 : 12;
    localparam C_W  = $clog2(TOUCHQ) + 1;
    localparam WQ   = 16;                                          // words on their way out
    localparam [C_W-1:0] MOST = TOUCHQ[C_W-1:0] - TOUCHQ[C_W-1:0] / 4; // places for hits that do not write
    localparam NAME_W = ASID_W + VPN_W;
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
    reg            pressed; // half of the places are taken (a cycle late)
    reg            lost;    // a hit that writes was dropped: nobody knows what is clean
    wire           t_push   = w_hit && w_room;
    wire           f_valid, f_empty, f_pop, t_pop, t_room;
    wire [FRAME_W+T_W-1:0] f_hit;
    // the one at stage 3 leaves its place in this cycle
    assign w_room = w_write ? !touches[C_W-1] || s3_touch : touches < MOST || (s3_touch && touches == MOST);
    fifo #(.WIDTH(FRAME_W + T_W), .DEPTH(TOUCHQ)) waiting (
        .clk(clk), .rst(rst), .push(t_push), .wdata({w_frame, w_write, w_time, w_class, w_asid, w_vpn}),
        .room(t_room), .pop(f_pop), .done(f_pop), .valid(f_valid), .rdata(f_hit), .empty(f_empty)
    );
    // two in turns: whether a place is taken does not depend on whether the other is left in this cycle
    reg  [FRAME_W+T_W-1:0] hit0, hit1;
    reg  [1:0]     hits;
    reg            hit_in, hit_out;
    wire [1:0]     into = {f_pop && hit_in, f_pop && !hit_in}, out_of = {t_pop && hit_out, t_pop && !hit_out};
    assign f_pop = f_valid && !(hit_in ? hits[1] : hits[0]);
    wire   t_valid = hit_out ? hits[1] : hits[0];
    wire   t_empty = f_empty && hits == 2'd0;
    wire [FRAME_W-1:0] t_frame;
    wire [T_W-1:0]     t_what;
    assign {t_frame, t_what} = hit_out ? hit1 : hit0;
    always @(posedge clk) begin
        if (into[0])
            hit0 <= f_hit;
        if (into[1])
            hit1 <= f_hit;
        hits    <= (hits & ~out_of) | into;
        hit_in  <= hit_in ^ f_pop;
        hit_out <= hit_out ^ t_pop;
        if (rst) begin
            hits    <= 2'd0;
            hit_in  <= 1'b0;
            hit_out <= 1'b0;
        end
    end
    wire unused_room = &{1'b0, t_room}; // there is, while touches <= TOUCHQ
    always @(posedge clk) begin
        touches <= touches - {{C_W-1{1'b0}}, s3_touch} + {{C_W-1{1'b0}}, t_push};
        pressed <= touches[C_W-1] || touches[C_W-2];
        if (w_hit && w_write && !w_room)
            lost <= 1'b1;
        if (rst) begin
            touches <= 0;
            lost    <= 1'b0;
        end
    end

    // ======== a side operation waits here, so that its port does not depend on the walk hits
    reg               side_valid, side_none, side_after;
    reg               side_goes;  // and no walk hit has to go before it any more
    reg [FRAME_W-1:0] side_frame;
    reg [TAG_W-1:0]   side_tag;
    reg [C_W-1:0]     went;       // walk hits that went before a side operation that lets them
    reg               credit, turn;
    wire a_touch = t_valid && (!side_goes || turn);
    wire a_side  = credit && side_goes && !(t_valid && turn);
    wire a_go    = credit && (t_valid || side_goes);
    assign t_pop   = credit && a_touch;
    assign q_ready = !side_valid || a_side;
    always @(posedge clk) begin
        if (q_ready) begin
            side_valid <= q_valid;
            side_goes  <= q_valid && !q_after;
        end else if (t_empty || went[C_W-1])
            side_goes  <= 1'b1;
        if (q_ready && q_valid) begin
            side_none  <= q_none;
            side_after <= q_after;
            side_frame <= q_frame;
            side_tag   <= q_tag;
        end
        if (q_ready)
            went <= 0;
        else if (t_pop && side_after)
            went <= went + 1'b1;
        if (rst) begin
            side_valid <= 1'b0;
            side_goes  <= 1'b0;
        end
    end

    // ======== whose turn: the side's, unless half of the places are taken; then both take turns.
    // Nothing goes on without all that it may need. What a cycle adds or takes counts one cycle later
    reg  [3:0]     free;     // spare lines that no operation in c1 to c3 may need
    reg  [Q_W:0]   queued;   // operations from c1 until they leave their queue
    reg            t_was_last, s1_valid;
    wire [7:0]     reads;    // bit i: there are more than i that the memory has not taken yet
    wire pick;
    reg  c3_valid, c3_take;
    wire [3:0] more_free = free + {3'd0, pick} + {3'd0, c3_valid && !c3_take};
    always @(posedge clk) begin
        free   <= a_go ? more_free - 4'd1 : more_free;
        queued <= a_go && !s1_valid ? queued + 1'b1 : !a_go && s1_valid ? queued - 1'b1 : queued;
        credit <= (a_go ? more_free > 4'd1 : more_free != 0) && queued < OPS[Q_W:0] - 1'b1 && !reads[3] && !rst;
        turn   <= pressed && !(a_go ? a_touch : t_was_last);
        if (a_go)
            t_was_last <= a_touch;
        if (rst) begin
            free       <= 0;
            queued     <= 0;
            t_was_last <= 1'b0;
        end
    end

    // ======== lines
    reg  [LINES-1:0]   used;    // it has a frame
    reg  [LINES-1:0]   again;   // found since the hand was here
    reg  [LINES-1:0]   changed; // and not written back
    reg  [LINES-1:0]   wiped;   // written back, when the cleaner was here last
    reg  [FRAME_W-1:0] tag [0:LINES-1];
    integer i;

    // ---- c1: its frame, with all tags and with those of the two operations before
    reg                c1_valid, c1_touch, c1_none, c2_valid, c2_touch, c2_none, c3_touch, c3_none;
    reg  [FRAME_W-1:0] c1_frame, c2_frame, c3_frame;
    reg  [P_W-1:0]     c1_what, c2_what, c3_what;
    reg  [LINES-1:0]   c2_tag;             // lines that had its frame
    reg                c2_same1, c2_same2; // it has the frame of the operation before, of the one before that
    // ---- c2: the line, if it still has the frame
    wire [LINES-1:0]   match = c2_tag & used;
    reg  [L_W-1:0]     found, c3_found, was_line;
    reg                c3_same1;
    always @* begin
        found = c2_same2 ? was_line : {L_W{1'b0}};
        for (i = 0; i < LINES; i = i + 1)
            if (match[i])
                found = found | i[L_W-1:0];
    end
    // ---- c3: an operation without a line takes one
    wire [ENOUGH+1:0]  spares;             // lines that the hand found for new frames; bit i: there are more than i
    wire [L_W-1:0]     spare;
    wire [L_W-1:0] c3_line = c3_take ? spare : c3_same1 ? was_line : c3_found;
    always @(posedge clk) begin
        c1_valid <= a_go && !rst;
        if (t_valid || side_valid) begin
            c1_touch <= a_touch;
            c1_none  <= !a_touch && side_none;
            c1_frame <= a_touch ? t_frame : side_frame;
            c1_what  <= a_touch ? {{P_W-T_W{1'b0}}, t_what} : {{P_W-TAG_W{1'b0}}, side_tag};
        end
        c2_valid <= c1_valid && !rst;
        c2_tag   <= 0;
        if (c1_valid) begin
            for (i = 0; i < LINES; i = i + 1)
                c2_tag[i] <= used[i] && !c1_none && tag[i] == c1_frame;
            c2_same1 <= c2_valid && !c2_none && !c1_none && c2_frame == c1_frame;
            c2_same2 <= c3_valid && !c3_none && !c1_none && c3_frame == c1_frame;
            c2_touch <= c1_touch;
            c2_none  <= c1_none;
            c2_frame <= c1_frame;
            c2_what  <= c1_what;
        end
        c3_valid <= c2_valid && !rst;
        c3_take  <= c2_valid && !c2_none && match == 0 && !c2_same1 && !c2_same2 && !rst;
        if (c2_valid) begin
            c3_same1 <= c2_same1;
            c3_found <= found;
            c3_touch <= c2_touch;
            c3_none  <= c2_none;
            c3_frame <= c2_frame;
            c3_what  <= c2_what;
        end
        was_line <= c3_line;
        if (c3_take)
            tag[spare] <= c3_frame;
    end

    // ---- reads that the memory has not taken yet
    short_fifo #(.WIDTH(FRAME_W), .DEPTH(8)) ar (
        .clk(clk), .rst(rst), .push(c3_take), .wdata(c3_frame), .pop(m_frame_ar_valid && m_frame_ar_ready),
        .full(reads), .head(m_frame_ar_addr)
    );
    assign m_frame_ar_valid = reads[0];
    wire unused_counts = &{1'b0, reads, spares};

    // ======== the hand: it looks at two lines at a time, which may leave it in one cycle if one of them stays in use
    reg  [L_W:1]     hand;      // the next two; bit L_W: the round
    reg  [L_W-1:1]   here;      // the two that it looks at
    reg              v0, v1;    // they are still here,
    reg              a0, a1;    // were found again when it came,
    reg              w0, w1;    // and have a write that may not be done
    reg  [L_W:0]     written;   // writes done of which it does not know
    reg  [1:0]       acks;      // and of which it does
    reg  [L_W:0]     cleaner;   // all lines up to here, a round before the hand after reset, are seen and clean
    wire more_acks = written != 0 && acks != 2'd3;
    wire room = !spares[ENOUGH-1]; // two more may be on their way
    wire do0  = v0 && (a0 || room) && (!w0 || acks != 0);
    wire do1  = v1 && (!v0 || (do0 && (a0 || a1))) && (a1 || room) && (!w1 || (v0 && w0 ? acks[1] : acks != 0));
    wire fin  = (do0 || !v0) && (do1 || !v1);
    wire load = fin && cleaner[L_W:1] != hand;
    // away: a line that leaves the hand. Found again, it stays in use; so it does if it is found in this cycle
    reg  [LINES-1:0] away;
    reg  [L_W-1:0]   away_line, pick_line;
    reg              picked;
    wire [LINES-1:0] close = away & ~again & ~c2_tag;
    assign pick = picked;
    short_fifo #(.WIDTH(L_W), .DEPTH(ENOUGH + 2)) spare_lines (
        .clk(clk), .rst(rst), .push(picked), .wdata(pick_line), .pop(c3_take), .full(spares), .head(spare)
    );

    // ======== the cleaner: looks at a line (l0), whether its last operation is done (l1, l2), and decides (l3)
    reg  [N_W-1:0]   issued, done, under_way; // operations that came to c3, that are done, and the difference
    reg  [L_W:0]     look;                    // the line at l0
    reg  [L_W:1]     left;                    // lines before this one have left the hand
    reg              fin1;
    reg              l1_valid, l2_valid, l3_valid;
    reg  [L_W-1:0]   l1_line;
    reg              l1_used, l2_used, l2_again, l2_changed, l3_used, l3_again, l3_changed;
    reg              l1_now, l2_now;          // an operation on it came to c3 at l0
    wire [N_W-1:0]   l1_number;               // its last operation
    reg  [N_W-1:0]   l2_since, l2_under_way;
    reg              l3_busy;                 // an operation on it is under way
    wire may    = l3_used && (l3_again || !l3_busy);
    wire to_w   = l3_changed && !l3_again;
    wire w_free;
    wire seen   = l3_valid && may && (!to_w || w_free);
    wire wipe   = seen && to_w;
    wire back   = l3_valid && !seen;          // it looks at the line again
    wire [L_W-1:0] l3_line = cleaner[L_W-1:0];
    ram_sdp #(.WIDTH(N_W), .DEPTH(LINES)) numbers (
        .clk(clk), .we(c3_valid && !c3_none), .waddr(c3_line), .wdata(issued), .re(1'b1), .raddr(look[L_W-1:0]),
        .rdata(l1_number)
    );

    reg            w_valid, w_changed;        // the operation that stood at stage 3 in the cycle before
    reg  [L_W-1:0] w_line;
    always @(posedge clk) begin
        for (i = 0; i < LINES; i = i + 1) begin
            used[i]  <= (used[i] && !close[i]) || (c3_take && spare == i[L_W-1:0]);
            again[i] <= (again[i] && !away[i]) || match[i];
            away[i]  <= here == i[L_W-1:1] && (i % 2 == 0 ? do0 : do1);
        end
        away_line <= {here, !v0 || (do0 && a0)};
        pick_line <= away_line;
        picked    <= close != 0;
        if (load) begin
            hand <= hand + 1'b1;
            here <= hand[L_W-1:1];
            a0   <= again[{hand[L_W-1:1], 1'b0}];
            a1   <= again[{hand[L_W-1:1], 1'b1}];
            w0   <= wiped[{hand[L_W-1:1], 1'b0}];
            w1   <= wiped[{hand[L_W-1:1], 1'b1}];
        end
        v0 <= load || (v0 && !do0);
        v1 <= load || (v1 && !do1);
        acks    <= acks + {1'b0, more_acks} - {1'b0, do0 && w0} - {1'b0, do1 && w1};
        written <= written + {{L_W{1'b0}}, m_frame_b_valid && !clear} - {{L_W{1'b0}}, more_acks};

        fin1 <= fin && (v0 || v1);
        left <= left + {{L_W-1{1'b0}}, fin1};
        issued    <= issued + {{N_W-1{1'b0}}, c3_valid};
        done      <= done + {{N_W-1{1'b0}}, w_valid};
        under_way <= under_way + {{N_W-1{1'b0}}, c3_valid} - {{N_W-1{1'b0}}, w_valid};
        look     <= back ? cleaner : look + {{L_W{1'b0}}, look != {left, 1'b0}};
        l1_valid <= look != {left, 1'b0} && !back;
        l1_line  <= look[L_W-1:0];
        l1_used  <= used[look[L_W-1:0]];
        l1_now   <= c3_valid && !c3_none && c3_line == look[L_W-1:0];
        l2_now   <= l1_now;
        l2_valid <= l1_valid && !back;
        l2_used  <= l1_used;
        l2_again <= again[l1_line];
        l2_changed   <= changed[l1_line];
        l2_since     <= l1_number - done;
        l2_under_way <= under_way;
        l3_valid   <= l2_valid && !back;
        l3_used    <= l2_used;
        l3_again   <= l2_again;
        l3_changed <= l2_changed;
        l3_busy    <= l2_now || l2_since < l2_under_way;
        if (seen) begin
            cleaner <= cleaner + 1'b1;
            wiped[l3_line] <= wipe;
        end
        if (wipe)
            changed[l3_line] <= 1'b0;
        if (w_changed)
            changed[w_line] <= 1'b1;
        if (rst) begin
            used      <= 0;
            again     <= 0;
            changed   <= 0;
            wiped     <= 0;
            away      <= 0;
            picked    <= 1'b0;
            v0        <= 1'b0;
            v1        <= 1'b0;
            hand      <= 0;
            acks      <= 2'd0;
            written   <= 0;
            fin1      <= 1'b0;
            left      <= {1'b1, {L_W-1{1'b0}}};
            cleaner   <= {1'b1, {L_W{1'b0}}};
            look      <= {1'b1, {L_W{1'b0}}};
            l1_valid  <= 1'b0;
            l2_valid  <= 1'b0;
            l3_valid  <= 1'b0;
            issued    <= 0;
            done      <= 0;
            under_way <= 0;
        end
    end

    // ======== operations, in order; one that took a line goes when its word has come
    wire               ops_room, ops_valid, ops_empty, ops_pop, h_touch, h_none, h_take;
    wire [L_W-1:0]     h_line;
    wire [FRAME_W-1:0] h_frame;
    wire [P_W-1:0]     h_what;
    fifo #(.WIDTH(OP_W), .DEPTH(OPS)) operations (
        .clk(clk), .rst(rst), .push(c3_valid), .wdata({c3_touch, c3_none, c3_take, c3_line, c3_frame, c3_what}),
        .room(ops_room), .pop(ops_pop), .done(ops_pop), .valid(ops_valid),
        .rdata({h_touch, h_none, h_take, h_line, h_frame, h_what}), .empty(ops_empty)
    );
    wire unused_ops = &{1'b0, ops_room}; // there is, while queued <= OPS
    reg  [L_W:0]   answers;              // words that came and wait for their operation
    reg  [L_W-1:0] r_in, r_out;
    reg                  answered;       // answers != 0
    assign ops_pop = ops_valid && !hold && (!h_take || answered);
    wire taken = ops_pop && h_take;
    always @(posedge clk) begin
        answers <= answers + {{L_W{1'b0}}, m_frame_r_valid} - {{L_W{1'b0}}, taken};
        answered <= m_frame_r_valid || answers > 1 || (answers == 1 && !taken);
        r_in    <= r_in + {{L_W-1{1'b0}}, m_frame_r_valid};
        r_out   <= r_out + {{L_W-1{1'b0}}, taken};
        if (rst) begin
            answers <= 0;
            answered <= 1'b0;
            r_in    <= 0;
            r_out   <= 0;
        end
    end

    // ======== words. Each is written to work RAM by the operation that took its line, if by nothing else.
    // w: the write that stood at stage 3 in the cycle before, presented to the RAMs now; v: the one before
    reg                s2_valid, s1_take, s2_take, s3_new, s1_none, s2_none, s3_none, s1_touch, s2_touch;
    reg                w_we, v_we;
    reg  [L_W-1:0]     s1_line, s2_line, s3_line;
    reg  [FRAME_W-1:0] s1_frame, s2_frame, s3_frame_q;
    reg  [P_W-1:0]     s1_what, s2_what, s3_what;
    reg  [WORD_W-1:0]  s2_q, s3_q, w_d, v_d;
    reg                s1_like, s1_same_w, s1_same_v, s2_same, s3_same; // its line is that of: the operation before,
    wire [WORD_W-1:0]  fill_q, work_q, clean_q, s2_word, word, word_d;  // which took it; w; v
    wire               s3_we;
    assign s2_word = s2_same && w_we ? w_d : s2_q;
    assign word    = s3_same && w_we ? w_d : s3_q;
    ram_sdp #(.WIDTH(WORD_W), .DEPTH(LINES)) fill_ram (
        .clk(clk), .we(m_frame_r_valid), .waddr(r_in), .wdata(m_frame_r_data), .re(1'b1), .raddr(r_out), .rdata(fill_q)
    );
    ram_sdp #(.WIDTH(WORD_W), .DEPTH(LINES)) work_ram (
        .clk(clk), .we(w_we), .waddr(w_line), .wdata(w_d), .re(1'b1), .raddr(h_line), .rdata(work_q)
    );
    ram_sdp #(.WIDTH(WORD_W), .DEPTH(LINES)) clean_ram (
        .clk(clk), .we(w_we), .waddr(w_line), .wdata(w_d), .re(1'b1), .raddr(l3_line), .rdata(clean_q)
    );
    always @(posedge clk) begin
        s1_valid <= ops_pop && !rst;
        if (ops_valid) begin
            s1_touch  <= h_touch;
            s1_none   <= h_none;
            s1_take   <= h_take;
            s1_line   <= h_line;
            s1_frame  <= h_frame;
            s1_what   <= h_what;
            s1_same_w <= h_line == s3_line;
            s1_same_v <= h_line == w_line;
            s1_like   <= h_line == s1_line && s1_take && s1_valid;
        end
        s2_valid <= s1_valid && !rst;
        if (s1_valid) begin
            s2_touch <= s1_touch;
            s2_none  <= s1_none;
            s2_take  <= s1_take;
            s2_line  <= s1_line;
            s2_frame <= s1_frame;
            s2_what  <= s1_what;
            s2_same  <= s1_line == s3_line;
            s2_q     <= s1_take ? fill_q : s1_like ? s2_q : s1_same_w && w_we ? w_d : s1_same_v && v_we ? v_d : work_q;
        end
        s3_valid <= s2_valid && !rst;
        s3_touch <= s2_valid && s2_touch && !rst;
        s3_new   <= s2_valid && s2_take && !rst;
        if (s2_valid) begin
            s3_none    <= s2_none;
            s3_line    <= s2_line;
            s3_frame_q <= s2_frame;
            s3_what    <= s2_what;
            s3_same    <= s2_line == s3_line;
            s3_q       <= s2_word;
        end
        w_valid   <= s3_valid && !rst;
        w_changed <= s3_we && !rst;
        w_we      <= (s3_we || s3_new) && !rst;
        v_we      <= w_we && !rst;
        if (s3_valid) begin
            w_line <= s3_line;
            w_d    <= word_d;
        end
        if (w_valid)
            v_d <= w_d;
    end
    assign s3_tag   = s3_what[TAG_W-1:0];
    assign s3_frame = s3_frame_q;
    wire unused_pad = &{1'b0, s3_what};

    // ======== stage 2: what is compared or subtracted, for the word and for what the operation at
    // stage 3 may make of it
    wire               s2_write, s3_write;
    wire [TIME_W-1:0]  s2_t, s3_t_time;
    wire [CLASS_W-1:0] s2_class, s3_t_class;
    wire [NAME_W-1:0]  s2_name, s3_t_name;
    assign {s2_write, s2_t, s2_class, s2_name} = s2_what[T_W-1:0];
    assign {s3_write, s3_t_time, s3_t_class, s3_t_name} = s3_what[T_W-1:0];
    wire unused_2 = &{1'b0, s2_write, s2_class, s3_t_name, s3_t_time, s2_word};
    wire [TIME_W-1:0] s2_last   = s2_word[NAME_W +: TIME_W];
    wire [TIME_W-1:0] s2_now    = s2_touch ? s2_t : s2_time;
    reg  [TIME_W-1:0] s3_renew;           // last access that a walk hit or AGE makes
    wire [TIME_W-1:0] s3_newlast = s3_fill ? s3_last : s3_renew;
    reg               w_filled, w_renewed; // the operation before was a FILL; made the last access another
    reg  [TIME_W-1:0] s3_ago, s3_ago_w;   // by the word; by the operation before
    reg               s3_eq, s3_eq_w, s3_named, s3_named_w;
    always @(posedge clk) begin
        if (s2_valid) begin
            s3_renew   <= s2_touch ? s2_t : s2_time - OLD;
            s3_ago     <= s2_now - s2_last;
            s3_ago_w   <= s2_now - s3_newlast;
            s3_eq      <= s2_expect == s2_last;
            s3_eq_w    <= s2_expect == s3_newlast;
            s3_named   <= s2_name == s2_word[NAME_W-1:0];
            s3_named_w <= s2_name == {s3_asid, s3_vpn};
        end
        w_filled  <= s3_fill;
        w_renewed <= s3_fill || s3_match || s3_clamped;
    end

    // ======== stage 3: chooses
    wire is_pinned, is_dirty;
    assign {s3_is_valid, is_pinned, s3_leaving, is_dirty, s3_was_class, s3_was_last, s3_was_asid,
            s3_was_vpn} = word;
    wire s3_expected = s3_same && w_renewed ? s3_eq_w : s3_eq;
    wire s3_its_page = s3_same && w_filled ? s3_named_w : s3_named;
    assign s3_eligible = s3_is_valid && !is_pinned && !s3_leaving;
    assign s3_is_dirty = is_dirty || lost;
    assign s3_interval = s3_same && w_renewed ? s3_ago_w : s3_ago;
    assign s3_taken    = s3_take && s3_eligible && s3_expected;
    assign s3_clamped  = s3_age && s3_is_valid && s3_interval[TIME_W-1 -: 2] != 0; // >= OLD
    assign s3_match    = s3_touch && s3_is_valid && s3_its_page && !s3_interval[TIME_W-1];
    assign s3_we = s3_valid && !s3_none && (s3_match || s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave ||
                                s3_taken || s3_clamped);

    wire n_valid   = s3_fill || (s3_is_valid && !s3_free);
    wire n_pinned  = !s3_fill && !s3_free && !s3_unpin && (s3_pin ? s3_is_valid : is_pinned);
    wire n_leaving = !s3_fill && !s3_free && !s3_unleave && (s3_taken || s3_leaving);
    wire n_dirty   = s3_fill ? s3_dirty : is_dirty || (s3_match && s3_write);
    assign word_d = {n_valid, n_pinned, n_leaving, n_dirty,
                     s3_fill ? s3_class : s3_match ? s3_t_class : s3_was_class,
                     s3_fill ? s3_last : s3_match || s3_clamped ? s3_renew : s3_was_last,
                     s3_fill ? {s3_asid, s3_vpn} : {s3_was_asid, s3_was_vpn}};

    // ======== words on their way out
    reg                o_valid;
    wire [FRAME_W-1:0] o_frame;
    reg  [4:0]         leaving; // words between the cleaner and the memory
    wire               out_valid, out_room, out_empty;
    wire [FRAME_W-1:0] out_frame;
    wire [WORD_W-1:0]  out_word;
    wire               out_pop = out_valid && m_frame_w_ready && !clear;
    assign w_free = leaving != WQ[4:0];
    always @(posedge clk) begin
        o_valid <= wipe && !rst;
        leaving <= rst ? 5'd0 : leaving + {4'd0, wipe} - {4'd0, out_pop};
    end
    // the tags once more, for the cleaner
    ram_sdp #(.WIDTH(FRAME_W), .DEPTH(LINES)) frames (
        .clk(clk), .we(c3_take), .waddr(spare), .wdata(c3_frame), .re(1'b1), .raddr(l3_line), .rdata(o_frame)
    );
    fifo #(.WIDTH(FRAME_W + WORD_W), .DEPTH(WQ)) out (
        .clk(clk), .rst(rst), .push(o_valid), .wdata({o_frame, clean_q}),
        .room(out_room), .pop(out_pop), .done(out_pop), .valid(out_valid), .rdata({out_frame, out_word}), .empty(out_empty)
    );
    wire unused_out = &{1'b0, out_room, out_empty}; // there is room, while leaving <= WQ
    assign m_frame_w_valid = clear ? clear_w : out_valid;
    assign m_frame_w_addr = clear ? clear_at[FRAME_W-1:0] : out_frame;
    assign m_frame_w_data  = clear ? {WORD_W{1'b0}} : out_word;

    // what changed may stay in its line: nobody else reads the memory
    assign idle = t_empty && !side_valid && !c1_valid && !c2_valid && !c3_valid && ops_empty &&
                  !s1_valid && !s2_valid && !s3_valid;

endmodule
`default_nettype wire
