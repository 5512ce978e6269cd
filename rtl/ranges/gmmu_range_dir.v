// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir: ranges of memory, where the newest bytes of each are, and what has to be transferred (docs/blocks/range_dir.md).
//
// Records stand in a table, in order of (asid, start). An operation waits in a queue, its range is searched for, and then
// it is answered at once, if the answer is one beat and no other record changes; else the engine does it, all operations behind it
// stay in the queue, and their ranges are searched for again.
//
//   s_ ──► queue ──► search ──► x0, x1 read ──► x2, x3 compare ──► x4 decide ──► x5 write ──► beats ──► m_
//            ▲                   table                                              │   ▲
//            └── again ◄──────────────▲─────────────────────────────────────────────┤   │
//                                     └─────────────────────── engine: all else ◄───┘───┘
`default_nettype none
module gmmu_range_dir #(
    parameter ASID_W = 2,
    // bits of an address, at least 2
    parameter ADDR_W = 32,
    // records, 2 to 1024
    parameter RANGES = 16,
    // log2 of the operations that wait, and of the beats; 5 and 6 are as many as are under way at an operation a cycle
    parameter Q      = RANGES > 256 ? 6 : 5,
    // 1: words in RAM have a parity bit; an operation that needs one that turned bad is answered BADWORD
    parameter PARITY = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] cfg_range_bytes, // GPU memory for records in G and S; read when room is made
    // operations
    input  wire              s_valid,
    output wire              s_ready,
    input  wire [3:0]        s_op,    // 0 LOOKUP, 1 READ_GPU, 2 WRITE_GPU, 3 READ_CPU, 4 WRITE_CPU, 5 RELEASE, 6 to 11: below, TO_GPU … BASE
    input  wire [7:0]        s_tag,   // comes back with the answer
    input  wire [ASID_W-1:0] s_asid,
    input  wire [ADDR_W-1:0] s_start, s_last,
    input  wire              s_whole, // WRITE_GPU, WRITE_CPU: every byte will be written
    input  wire              s_pin,   // READ_GPU, WRITE_GPU
    // transfers and answers: a packet an operation
    output wire              m_valid,
    input  wire              m_ready,
    output wire              m_tlast, // an answer
    output wire [1:0]        m_kind,  // 0 UP, 1 DOWN, 2 DROP, 3 ANSWER
    output wire [2:0]        m_code,  // ANSWER: 0 OK, 1 MISS, 2 BUSY, 3 FULL, 4 NOSPACE, 5 BAD, 6 BADWORD
    output wire [7:0]        m_tag,
    output wire [1:0]        m_state, // ANSWER: 0 C, 1 G, 2 S
    output wire              m_hit,
    output wire [ASID_W-1:0] m_asid,
    output wire [ADDR_W-1:0] m_start, m_last, m_base,
    output wire              m_base_ok,
    output reg               turned,  // PARITY: over with each operation for which a word had turned bad
    output wire              idle     // nothing waits and nothing is under way
);

    localparam PLACE_W = $clog2(RANGES + 1);
    localparam A       = RANGES > 1 ? $clog2(RANGES) : 1;
    localparam KEY_W   = ASID_W + ADDR_W;
    localparam FIX_W   = KEY_W + ADDR_W;          // {asid, start, last}
    localparam USE_W   = 15 + ADDR_W;             // {state, hits, pins, base_ok, base}
    localparam OP_W    = 14 + FIX_W;              // {whole, pin, op, tag, asid, start, last}
    localparam BEAT_W  = 17 + FIX_W + ADDR_W;     // {kind, code, tag, state, hit, base_ok, asid, start, last, base}
    localparam P       = PARITY != 0 ? 1 : 0;     // its bit, above a word's others in a RAM
    localparam [Q:0] FULL = 1 << Q;
    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;
    localparam [1:0] ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, MISS = 3'd1, BUSY = 3'd2, BAD = 3'd5, BADWORD = 3'd6;
    localparam [3:0] READ_GPU = 4'd1, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4, RELEASE = 4'd5,
                     TO_GPU = 4'd6, TO_CPU = 4'd7, INV_GPU = 4'd8, INV_CPU = 4'd9, UNPIN = 4'd10, BASE = 4'd11;

    generate
        if (RANGES < 2 || RANGES > 1024 || ADDR_W < 2) begin : g_bad
            RANGES_must_be_2_to_1024_and_ADDR_W_at_least_2 stop_here();
        end
    endgenerate

    // ======== queue: `put` operations were taken, `sent` to the search, `came` out of it, `done` answered
    reg  [Q:0] put, sent, came, done;
    wire       issue, slow, again;   // again: from the operation after `done` on
    wire       take = s_valid && s_ready;
    wire [OP_W-1:0]  s_word = {s_whole, s_pin, s_op, s_tag, s_asid, s_start, s_last};
    wire [OP_W+P-1:0]  x1_op, s_kept;
    wire [KEY_W+P-1:0] i_start, s_begin;
    reg        i_valid;
    wire       x0_valid;
    wire [Q:0] waiting = put - done;
    assign s_ready = !waiting[Q];
    gmmu_ram_sdp #(
        .WIDTH(OP_W + P),
        .DEPTH(1 << Q)
    ) op_ram (
        .clk(clk),
        .we(take),
        .waddr(put[Q-1:0]),
        .wdata(s_kept),
        .re(x0_valid),
        .raddr(came[Q-1:0]),
        .rdata(x1_op)
    );
    gmmu_ram_sdp #(
        .WIDTH(KEY_W + P),
        .DEPTH(1 << Q)
    ) start_ram (
        .clk(clk),
        .we(take),
        .waddr(put[Q-1:0]),
        .wdata(s_begin),
        .re(issue),
        .raddr(sent[Q-1:0]),
        .rdata(i_start)
    );

    // a beat of room goes with each operation that is sent; the engine takes more for its transfers
    reg  [Q:0] credit;
    wire       engine_busy, engine_push, engine_last;
    wire       push, pop;
    assign issue = sent != put && credit != 0 && !engine_busy && !slow;

    // ======== search
    reg  [PLACE_W-1:0] used;
    wire [PLACE_W-1:0] x0_place;
    wire               fix_we, use_we, x0_bad;
    wire [PLACE_W-1:0] w_place, e_w_place;  // e_w_place: the engine's, whose all is but a touch
    wire [FIX_W-1:0]   fix_w;
    // PARITY: a record has a bit for each of its copies, {of asid and last, of asid and start}; one that moves keeps them
    wire               e_moved, e_use_par, e_use_bad;
    wire [1:0]         e_fix_par;
    wire [KEY_W-1:0]   w_last = {fix_w[FIX_W-1 -: ASID_W], fix_w[ADDR_W-1:0]};
    gmmu_range_dir_search #(
        .RANGES(RANGES),
        .ADDR_W(ADDR_W),
        .ASID_W(ASID_W),
        .PARITY(PARITY)
    ) search (
        .clk(clk),
        .flush(slow || rst),
        .used(used),
        .we(fix_we),
        .w_place(e_w_place),
        .w_last(w_last),
        .w_par(PARITY != 0 && e_fix_par[1]),
        .in_valid(i_valid),
        .in_start(i_start[KEY_W-1:0]),
        .in_bad(PARITY != 0 && ^i_start),
        .out_valid(x0_valid),
        .out_bad(x0_bad),
        .out_place(x0_place)
    );

    // ======== x0: read the record, and where the next one starts
    wire [PLACE_W-1:0] e_place;             // the engine reads, when it is busy
    wire               e_stall;
    wire [PLACE_W-1:0] x0_next = x0_place + 1'b1;
    wire [PLACE_W-1:0] r_place = engine_busy ? e_place : x0_place;
    wire [FIX_W+2*P-1:0] fix, fix_kept;
    wire [KEY_W+P-1:0] next, next_kept;
    gmmu_ram_sdp #(
        .WIDTH(FIX_W + 2 * P),
        .DEPTH(RANGES)
    ) fix_ram (
        .clk(clk),
        .we(fix_we),
        .waddr(e_w_place[A-1:0]),
        .wdata(fix_kept),
        .re(!e_stall),
        .raddr(r_place[A-1:0]),
        .rdata(fix)
    );
    gmmu_ram_sdp #(
        .WIDTH(KEY_W + P),
        .DEPTH(RANGES)
    ) next_ram (
        .clk(clk),
        .we(fix_we),
        .waddr(e_w_place[A-1:0]),
        .wdata(next_kept),
        .re(1'b1),
        .raddr(x0_next[A-1:0]),
        .rdata(next)
    );

    // ======== x1: is there such a record, and one behind it?
    reg                x1_valid, x1_bad;
    reg  [PLACE_W-1:0] x1_place, x1_next;

    // ======== x2: how the range and the record lie, in two halves
    localparam HALF = ADDR_W / 2;
    reg                x2_valid, x2_bad, x2_is, x2_next_is;
    reg  [PLACE_W-1:0] x2_place;
    reg  [OP_W+P-1:0]  x2_op;
    reg  [FIX_W+2*P-1:0] x2_fix;
    reg  [KEY_W+P-1:0] x2_next;
    wire [ADDR_W-1:0]  o_last  = x2_op[ADDR_W-1:0];
    wire [ADDR_W-1:0]  o_start = x2_op[2*ADDR_W-1:ADDR_W];
    wire [ASID_W-1:0]  o_asid  = x2_op[FIX_W-1 -: ASID_W];
    wire [3:0]         x2_code = x2_op[FIX_W+8 +: 4];
    wire [ADDR_W-1:0]  r_last  = x2_fix[ADDR_W-1:0];
    wire [ADDR_W-1:0]  r_start = x2_fix[2*ADDR_W-1:ADDR_W];
    wire [ASID_W-1:0]  r_asid  = x2_fix[FIX_W-1 -: ASID_W];
    wire               x2_odd  = ^{x2_fix[FIX_W+2*P-1], r_asid, r_last} || ^{x2_fix[FIX_W+P-1], r_asid, r_start};
    wire [ADDR_W-1:0]  n_start = x2_next[ADDR_W-1:0];
    wire [PLACE_W-1:0] e_use_place = engine_busy ? e_place : x2_place;
    wire [USE_W-1:0]   use_w;
    wire [USE_W+P-1:0] use_q, use_kept;
    gmmu_ram_sdp #(
        .WIDTH(USE_W + P),
        .DEPTH(RANGES)
    ) use_ram (
        .clk(clk),
        .we(use_we),
        .waddr(w_place[A-1:0]),
        .wdata(use_kept),
        .re(!e_stall),
        .raddr(e_use_place[A-1:0]),
        .rdata(use_q)
    );
    generate
        if (PLACE_W > A) begin : g_places // a power of two of records: the place behind the last is read as the first
            wire unused_places = &{1'b0, r_place[PLACE_W-1:A], w_place[PLACE_W-1:A], e_use_place[PLACE_W-1:A]};
        end
    endgenerate

    // ======== x3: the halves together; what the operation asks about its record; the record as operations before it leave it
    reg                x3_valid, x3_lost, here, more_here; // lost: a word so far had turned bad
    reg  [1:0]         reach_less, start_less, end_less, more_less, up_less;  // {high, low}: o_last < r_start, r_start < o_start,
    reg  [1:0]         start_same, end_same;                                  // r_last < o_last, o_last < n_start, o_last < o_start
    reg                reach_same, more_same, up_same;
    wire               reaches    = !(reach_less[1] || (reach_same && reach_less[0]));
    wire               starts_out = !(start_less[1] || (start_same[1] && start_less[0]));
    wire               starts_in  = start_less[1] || (start_same[1] && (start_less[0] || start_same[0]));
    wire               ends_in    = !(end_less[1] || (end_same[1] && end_less[0]));
    wire               ends_out   = end_less[1] || (end_same[1] && (end_less[0] || end_same[0]));
    wire               upside     = up_less[1] || (up_same && up_less[0]);
    wire               met        = here && reaches && !x3_lost;
    wire               more       = more_here && !(more_less[1] || (more_same && more_less[0]));
    wire               begun      = here && starts_in && !x3_lost; // the record has the range's first byte
    wire               contained  = begun && ends_in;
    reg                o_bad, o_base, o_finds, o_gpu, o_touches, o_releases, o_one, o_pin;
    reg  [PLACE_W-1:0] x3_place;
    reg  [OP_W-1:0]    x3_op;
    reg  [FIX_W-1:0]   x3_fix;
    wire [3:0]         x3_code = x3_op[FIX_W+8 +: 4];
    wire               alone   = o_touches && met && !more && !o_releases && !upside;
    wire               for_one = o_one && contained && !upside;
    reg                same1, same2, same3;   // the record of the operation before, of the one before that, of a third: the RAM may not have it

    // ======== x4: decide
    reg                x4_valid, x4_lost, x4_uses, x4_met, x4_contained, x4_covered, x4_early;
    reg                k_bad, k_miss, k_slow, k_base, k_look, k_gpu, k_pin, k_new, k_read, k_write, k_up, k_down, k_invg, k_invc, k_unpin;
    reg  [PLACE_W-1:0] x4_place;
    reg  [OP_W-1:0]    x4_op;
    reg  [FIX_W-1:0]   x4_fix;
    reg  [USE_W-1:0]   now;
    reg                now_par, n_same1, n_same2, n_same3; // where it comes from; if from the RAM, its bit
    reg                x5_odd, x6_odd, x7_odd;
    wire               odd   = n_same1 ? x5_odd : n_same2 ? x6_odd : n_same3 ? x7_odd : PARITY != 0 && ^{now_par, now};
    wire [1:0]         state = now[USE_W-1 -: 2];
    wire [7:0]         hits  = now[ADDR_W+5 +: 8];
    wire [3:0]         pins  = now[ADDR_W+1 +: 4];
    wire               on_gpu = state != C;
    wire               newer  = state == G;
    wire               pinned = pins != 4'd0;
    wire               most   = k_pin && pins == 4'd15;
    // the answer, if it is the engine's not: a code, about the record or not
    wire               engine = k_slow || (k_gpu && !most && !on_gpu) ||
                                (!pinned && ((k_read && newer) || (k_write && on_gpu) || (k_up && !newer) || (k_down && on_gpu) || (k_invg && state == S)));
    wire               bad    = k_bad || ((k_up || k_invg) && newer) || ((k_down || k_invc) && !on_gpu) || (k_unpin && !pinned);
    wire               busy   = most || (pinned && ((k_read && newer) || k_write || ((k_up || k_invg) && !newer) || (k_down && on_gpu)));
    wire               miss   = k_miss || (k_base && !on_gpu);
    wire               about  = k_look || (k_gpu && !most) || ((k_base || k_invc) && on_gpu) || (k_unpin && pinned) || (k_invg && !on_gpu);
    wire               hit    = about || (k_read && !newer) || (k_write && !on_gpu);
    // what the record becomes; as it was, if the answer is not about it
    wire [1:0]         state_n = on_gpu && (k_invc || (k_new && !most)) ? G : state;
    wire [7:0]         hits_n  = hits + {7'd0, (k_look || (k_gpu && !most)) && hits != 8'hff};
    wire [3:0]         pins_n  = k_pin && !most ? pins + 1'b1 : k_unpin && pinned ? pins - 1'b1 : pins;
    wire               based   = k_base && on_gpu;
    wire [USE_W-1:0]   then    = {state_n, hits_n, pins_n, based || now[ADDR_W], based ? x4_op[ADDR_W-1:0] : now[ADDR_W-1:0]};

    // ======== x5: write; the answer, or to the engine
    reg                x5_fast, x5_slow, x5_lost, x5_bad, x5_writes, x5_met, x5_contained, x5_covered, x5_early, x5_about, x5_hit;
    reg  [2:0]         x5_code;
    reg  [PLACE_W-1:0] x5_place;
    reg  [OP_W-1:0]    x5_op;
    reg  [FIX_W-1:0]   x5_fix;
    reg  [USE_W-1:0]   x5_use, x6_use;
    reg  [1:0]         x5_state;        // as it was
    // bad: the record's use had turned bad, and the operation, whatever it was to be, is answered
    assign             slow = x5_slow && !x5_bad;
    wire               fast = x5_fast || (x5_slow && x5_bad);
    wire               told = x5_about && !x5_bad;
    wire [BEAT_W-1:0]  x5_beat = {ANSWER, x5_bad ? BADWORD : x5_code, x5_op[FIX_W +: 8], told ? x5_use[USE_W-1 -: 2] : C, x5_hit && !x5_bad,
                                  told && x5_use[ADDR_W], told ? x5_fix : x5_op[FIX_W-1:0], told ? x5_use[ADDR_W-1:0] : {ADDR_W{1'b0}}};

    // ======== the engine
    wire [PLACE_W-1:0] used_n;
    wire               e_fix_we, e_use_we, e_done, e_bad, e_odd;
    wire [USE_W-1:0]   e_use_w;
    wire [BEAT_W-1:0]  e_beat;
    reg                room;                // There is room for a beat, and for another beat that the engine may just send.
    gmmu_range_dir_engine #(
        .RANGES(RANGES),
        .ADDR_W(ADDR_W),
        .ASID_W(ASID_W),
        .PARITY(PARITY)
    ) the_engine (
        .clk(clk),
        .rst(rst),
        .cfg_range_bytes(cfg_range_bytes),
        .start(slow),
        .op_in(x5_op),
        .place_in(x5_place),
        .met_in(x5_met),
        .contained_in(x5_contained),
        .covered_in(x5_covered),
        .early(x5_early),
        .range_in(x5_fix[2*ADDR_W-1:0]),
        .use_in({x5_state, x5_use[ADDR_W+12:ADDR_W+5], x5_use[ADDR_W:0]}),
        .used(used),
        .used_n(used_n),
        .busy(engine_busy),
        .done(e_done),
        .r_place(e_place),
        .stall(e_stall),
        .fix(fix[FIX_W-1:0]),
        .fix_was(x2_fix[FIX_W-1:0]),
        .use_q(use_q[USE_W-1:0]),
        .fix_par({fix[FIX_W+2*P-1], fix[FIX_W+P-1]}),
        .fix_was_par({x2_fix[FIX_W+2*P-1], x2_fix[FIX_W+P-1]}),
        .use_par(use_q[USE_W+P-1]),
        .as_read(e_moved),
        .fix_w_par(e_fix_par),
        .as_use_par(e_use_par),
        .use_bad(e_use_bad),
        .bad(e_bad),
        .fix_we(e_fix_we),
        .use_we(e_use_we),
        .w_place(e_w_place),
        .fix_w(fix_w),
        .use_w(e_use_w),
        .room(room),
        .push(engine_push),
        .push_last(engine_last),
        .odd(e_odd),
        .beat(e_beat)
    );
    assign fix_we  = e_fix_we;
    assign use_we  = e_use_we || (x5_writes && !x5_bad);
    assign w_place = e_use_we ? e_w_place : x5_place;
    assign use_w   = e_use_we ? e_use_w : x5_use;
    assign again   = slow;
    generate
        if (PARITY != 0) begin : g_parity
            assign s_kept    = {^s_word, s_word};
            assign s_begin   = {^{s_asid, s_start}, s_asid, s_start};
            assign fix_kept  = {e_fix_par, fix_w};
            assign next_kept = {e_fix_par[0], fix_w[FIX_W-1:ADDR_W]};
            assign use_kept  = {!e_use_we ? ^x5_use : e_moved ? e_use_par : ^e_use_w ^ e_use_bad, use_w};
        end else begin : g_bare
            wire unused_bits = &{1'b0, e_moved, e_fix_par, e_use_par, e_use_bad};
            assign s_kept    = s_word;
            assign s_begin   = {s_asid, s_start};
            assign fix_kept  = fix_w;
            assign next_kept = fix_w[FIX_W-1:ADDR_W];
            assign use_kept  = use_w;
        end
    endgenerate

    // ======== beats
    reg                e_push, e_void; // void: not sent after all
    reg  [BEAT_W-1:0]  e_beat_r;
    assign push = fast || e_push;
    wire [BEAT_W-1:0] m_beat;
    assign pop = m_valid && m_ready;
    wire unused_room;  // There is room, as each beat has its credit.
    wire unused_empty; // The credits tell that.
    gmmu_fifo #(
        .WIDTH(BEAT_W),
        .DEPTH(1 << Q)
    ) beats (
        .clk(clk),
        .rst(rst),
        .push(push),
        .wdata(fast ? x5_beat : e_beat_r),
        .room(unused_room),
        .pop(pop),
        .valid(m_valid),
        .rdata(m_beat),
        .empty(unused_empty)
    );
    assign {m_kind, m_code, m_tag, m_state, m_hit, m_base_ok, m_asid, m_start, m_last, m_base} = m_beat;
    assign m_tlast = m_valid && m_kind == ANSWER;
    assign idle   = put == done && !m_valid && credit == FULL;

    // what is under way behind a slow operation gives its beat back, a cycle later: it is sent again
    wire [Q:0] squashed = sent - done - 1'b1;
    reg  [Q:0] back;
    wire [Q:0] gained   = credit + {{Q{1'b0}}, pop} + back; // whether one goes is known late

    always @(posedge clk) begin
        if (take)
            put <= put + 1'b1;
        sent    <= again ? done + 1'b1 : sent + {{Q{1'b0}}, issue};
        came    <= again ? done + 1'b1 : came + {{Q{1'b0}}, x0_valid};
        done    <= done + {{Q{1'b0}}, fast || e_done};
        back    <= again ? squashed : {{Q{1'b0}}, e_void};
        credit  <= issue || (engine_push && !engine_last) ? gained - 1'b1 : gained;
        used    <= used_n;
        i_valid  <= issue;
        x1_valid <= x0_valid && !slow;
        x1_place <= x0_place;
        x1_bad   <= x0_bad;
        x1_next  <= x0_next;
        x2_valid <= x1_valid && !slow;
        x2_place <= x1_place;
        x2_bad   <= x1_bad;
        x2_is      <= x1_place < used;
        x2_next_is <= x1_next < used && x1_place < used;
        x2_op    <= x1_op;
        if (!e_stall)
            x2_fix <= fix;
        x2_next  <= next;
        x3_valid <= x2_valid && !slow;
        x3_place <= x2_place;
        x3_op    <= x2_op[OP_W-1:0];
        x3_fix   <= x2_fix[FIX_W-1:0];
        x3_lost  <= PARITY != 0 && (x2_bad || ^x2_op || (x2_is && x2_odd) || (x2_next_is && ^x2_next));
        here       <= x2_is && r_asid == o_asid;
        more_here  <= x2_next_is && x2_next[KEY_W-1 -: ASID_W] == o_asid;
        reach_less <= {o_last[ADDR_W-1:HALF] < r_start[ADDR_W-1:HALF], o_last[HALF-1:0] < r_start[HALF-1:0]};
        reach_same <= o_last[ADDR_W-1:HALF] == r_start[ADDR_W-1:HALF];
        start_less <= {r_start[ADDR_W-1:HALF] < o_start[ADDR_W-1:HALF], r_start[HALF-1:0] < o_start[HALF-1:0]};
        start_same <= {r_start[ADDR_W-1:HALF] == o_start[ADDR_W-1:HALF], r_start[HALF-1:0] == o_start[HALF-1:0]};
        end_less   <= {r_last[ADDR_W-1:HALF] < o_last[ADDR_W-1:HALF], r_last[HALF-1:0] < o_last[HALF-1:0]};
        end_same   <= {r_last[ADDR_W-1:HALF] == o_last[ADDR_W-1:HALF], r_last[HALF-1:0] == o_last[HALF-1:0]};
        more_less  <= {o_last[ADDR_W-1:HALF] < n_start[ADDR_W-1:HALF], o_last[HALF-1:0] < n_start[HALF-1:0]};
        more_same  <= o_last[ADDR_W-1:HALF] == n_start[ADDR_W-1:HALF];
        up_less    <= {o_last[ADDR_W-1:HALF] < o_start[ADDR_W-1:HALF], o_last[HALF-1:0] < o_start[HALF-1:0]};
        up_same    <= o_last[ADDR_W-1:HALF] == o_start[ADDR_W-1:HALF];
        o_bad      <= x2_code > BASE;
        o_base     <= x2_code == BASE;
        o_finds    <= x2_code <= WRITE_GPU;
        o_gpu      <= x2_code == READ_GPU || x2_code == WRITE_GPU;
        o_touches  <= x2_code > WRITE_GPU && x2_code <= RELEASE;
        o_releases <= x2_code == RELEASE;
        o_one      <= x2_code > RELEASE && x2_code < BASE;
        o_pin      <= x2_op[FIX_W+12];
        same1      <= x2_place == x3_place && x3_valid;
        same2      <= x2_place == x4_place && x4_valid;
        same3      <= x2_place == x5_place && x5_writes;
        x4_valid <= x3_valid && !slow;
        x4_place <= x3_place;
        x4_op    <= x3_op;
        x4_fix   <= x3_fix;
        x4_lost      <= x3_lost;
        x4_uses      <= met || begun;
        {n_same1, n_same2, n_same3} <= {same1, same2, same3};
        now_par      <= use_q[USE_W+P-1];
        x4_met       <= met;
        x4_contained <= contained;
        x4_covered   <= here && starts_out && ends_out;
        x4_early     <= !starts_out;
        k_bad   <= o_bad || (upside && !o_base);
        k_miss  <= (o_base && !begun) || (!upside && ((o_touches && !met) || (o_one && !contained)));
        k_slow  <= !upside && !x3_lost && ((o_finds && !contained) || (o_touches && met && (more || o_releases)));
        k_base  <= o_base && begun;
        k_look  <= o_finds && !o_gpu && contained && !upside;
        k_gpu   <= o_gpu && contained && !upside;
        k_pin   <= o_gpu && contained && !upside && o_pin;
        k_new   <= o_gpu && contained && !upside && x3_code == WRITE_GPU;
        k_read  <= alone && x3_code == READ_CPU;
        k_write <= alone && x3_code == WRITE_CPU;
        k_up    <= for_one && x3_code == TO_GPU;
        k_down  <= for_one && x3_code == TO_CPU;
        k_invg  <= for_one && x3_code == INV_GPU;
        k_invc  <= for_one && x3_code == INV_CPU;
        k_unpin <= for_one && x3_code == UNPIN;
        now     <= same1 ? then : same2 ? x5_use : same3 ? x6_use : use_q[USE_W-1:0];
        x5_fast  <= x4_valid && !slow && !engine;
        x5_slow  <= x4_valid && !slow && engine;
        x5_writes <= x4_valid && !slow && !engine && about;
        x5_place <= x4_place;
        x5_op    <= x4_op;
        x5_fix   <= x4_fix;
        {x5_met, x5_contained, x5_covered, x5_early} <= {x4_met, x4_contained, x4_covered, x4_early};
        {x5_about, x5_hit, x5_code} <= {about, hit, x4_lost ? BADWORD : bad ? BAD : busy ? BUSY : miss ? MISS : OK};
        x5_lost  <= x4_lost;
        x5_bad   <= PARITY != 0 && x4_uses && odd;
        {x5_odd, x6_odd, x7_odd} <= {odd, x5_odd, x6_odd};
        x5_use   <= then;
        x5_state <= state;
        x6_use   <= x5_use;
        {e_push, e_void} <= {engine_push && !e_odd, engine_push && e_odd};
        turned   <= !rst && turned != ((fast && (x5_bad || x5_lost)) || (e_done && e_bad));
        room     <= credit[Q:1] != 0;
        e_beat_r <= e_beat;
        if (rst) begin
            put      <= 0;
            sent     <= 0;
            came     <= 0;
            done     <= 0;
            credit   <= FULL;
            back     <= 0;
            used     <= 0;
            i_valid  <= 1'b0;
            x1_valid <= 1'b0;
            x2_valid <= 1'b0;
            x3_valid <= 1'b0;
            x4_valid <= 1'b0;
            x5_fast  <= 1'b0;
            x5_slow  <= 1'b0;
            x5_writes <= 1'b0;
            {e_push, e_void} <= 2'd0;
        end
    end

endmodule
`default_nettype wire
