// SPDX-License-Identifier: Apache-2.0
// range_dir: ranges of memory, where the newest bytes of each are, and what has to be transferred (docs/blocks/range_dir.md).
//
// Records stand in a table, in order of (asid, start). An operation waits in a queue, its range is searched for, and then
// it is answered at once, if the answer is one beat and no other record changes; else the engine does it, all operations behind it
// stay in the queue, and their ranges are searched for again.
//
//   s_ ──► queue ──► search ──► x0, x1 read ──► x2 compare ──► x3 decide ──► x4 write ──► beats ──► m_
//            ▲                   table                                          │   ▲
//            └── again ◄──────────────▲─────────────────────────────────────────┤   │
//                                     └─────────────────── engine: all else ◄───┘───┘
`default_nettype none
module range_dir #(
    parameter ASID_W = 2,
    // bits of an address, at least 2
    parameter ADDR_W = 32,
    // records, 2 to 1024
    parameter RANGES = 16,
    // log2 of the operations that wait, and of the beats; 5 and 6 are as many as are under way at an operation a cycle
    parameter Q      = RANGES > 511 ? 6 : 5
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
    output wire [2:0]        m_code,  // ANSWER: 0 OK, 1 MISS, 2 BUSY, 3 FULL, 4 NOSPACE, 5 BAD
    output wire [7:0]        m_tag,
    output wire [1:0]        m_state, // ANSWER: 0 C, 1 G, 2 S
    output wire              m_hit,
    output wire [ASID_W-1:0] m_asid,
    output wire [ADDR_W-1:0] m_start, m_last, m_base,
    output wire              m_base_ok,
    output wire              idle     // nothing waits and nothing is under way
);

    localparam PLACE_W = $clog2(RANGES + 1);
    localparam A       = RANGES > 1 ? $clog2(RANGES) : 1;
    localparam KEY_W   = ASID_W + ADDR_W;
    localparam FIX_W   = KEY_W + ADDR_W;          // {asid, start, last}
    localparam USE_W   = 15 + ADDR_W;             // {state, hits, pins, base_ok, base}
    localparam OP_W    = 14 + FIX_W;              // {whole, pin, op, tag, asid, start, last}
    localparam BEAT_W  = 17 + FIX_W + ADDR_W;     // {kind, code, tag, state, hit, base_ok, asid, start, last, base}
    localparam [Q:0] FULL = 1 << Q;
    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;
    localparam [1:0] ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, MISS = 3'd1, BUSY = 3'd2, BAD = 3'd5;
    localparam [3:0] LOOKUP = 4'd0, READ_GPU = 4'd1, WRITE_GPU = 4'd2, WRITE_CPU = 4'd4, RELEASE = 4'd5,
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
    wire [OP_W-1:0]  x1_op;
    wire [KEY_W-1:0] i_start;
    reg        i_valid;
    wire       x0_valid;
    wire [Q:0] waiting = put - done;
    assign s_ready = !waiting[Q];
    ram_sdp #(.WIDTH(OP_W), .DEPTH(1 << Q)) op_ram (
        .clk(clk), .we(take), .waddr(put[Q-1:0]), .wdata({s_whole, s_pin, s_op, s_tag, s_asid, s_start, s_last}),
        .re(x0_valid), .raddr(came[Q-1:0]), .rdata(x1_op)
    );
    ram_sdp #(.WIDTH(KEY_W), .DEPTH(1 << Q)) start_ram (
        .clk(clk), .we(take), .waddr(put[Q-1:0]), .wdata({s_asid, s_start}),
        .re(issue), .raddr(sent[Q-1:0]), .rdata(i_start)
    );

    // a beat of room goes with each operation that is sent; the engine takes more for its transfers
    reg  [Q:0] credit;
    wire       engine_busy, engine_push, engine_last;
    wire       push, pop;
    assign issue = sent != put && credit != 0 && !engine_busy && !slow;

    // ======== search
    reg  [PLACE_W-1:0] used;
    wire [PLACE_W-1:0] x0_place;
    wire               fix_we, use_we;
    wire [PLACE_W-1:0] w_place;
    wire [FIX_W-1:0]   fix_w;
    range_dir_search #(.RANGES(RANGES), .ADDR_W(ADDR_W), .ASID_W(ASID_W)) search (
        .clk(clk), .flush(slow || rst), .used(used),
        .we(fix_we), .w_place(w_place), .w_last({fix_w[FIX_W-1 -: ASID_W], fix_w[ADDR_W-1:0]}),
        .in_valid(i_valid), .in_start(i_start), .out_valid(x0_valid), .out_place(x0_place)
    );

    // ======== x0: read the record, and where the next one starts
    wire [PLACE_W-1:0] e_place;             // the engine reads, when it is busy
    wire               e_stall;
    wire [PLACE_W-1:0] x0_next = x0_place + 1'b1;
    wire [PLACE_W-1:0] r_place = engine_busy ? e_place : x0_place;
    wire [FIX_W-1:0]   fix;
    wire [KEY_W-1:0]   next;
    ram_sdp #(.WIDTH(FIX_W), .DEPTH(RANGES)) fix_ram (
        .clk(clk), .we(fix_we), .waddr(w_place[A-1:0]), .wdata(fix_w), .re(!e_stall), .raddr(r_place[A-1:0]), .rdata(fix)
    );
    ram_sdp #(.WIDTH(KEY_W), .DEPTH(RANGES)) next_ram (
        .clk(clk), .we(fix_we), .waddr(w_place[A-1:0]), .wdata(fix_w[FIX_W-1:ADDR_W]),
        .re(1'b1), .raddr(x0_next[A-1:0]), .rdata(next)
    );
    generate
        if (PLACE_W > A) begin : g_places // a power of two of records: the place behind the last is read as the first
            wire unused_places = &{1'b0, r_place[PLACE_W-1:A], x0_next[PLACE_W-1:A], w_place[PLACE_W-1:A], e_use_place[PLACE_W-1:A]};
        end
    endgenerate

    // ======== x2: how the range and the record lie
    reg                x1_valid, x1_is, x1_next_is, x2_valid, x2_is, x2_next_is;
    reg  [PLACE_W-1:0] x1_place, x2_place;
    reg  [OP_W-1:0]    x2_op;
    reg  [FIX_W-1:0]   x2_fix;
    reg  [KEY_W-1:0]   x2_next;
    wire [ADDR_W-1:0]  o_last  = x2_op[ADDR_W-1:0];
    wire [ADDR_W-1:0]  o_start = x2_op[2*ADDR_W-1:ADDR_W];
    wire [ASID_W-1:0]  o_asid  = x2_op[FIX_W-1 -: ASID_W];
    wire [ADDR_W-1:0]  r_last  = x2_fix[ADDR_W-1:0];
    wire [ADDR_W-1:0]  r_start = x2_fix[2*ADDR_W-1:ADDR_W];
    wire [PLACE_W-1:0] e_use_place = engine_busy ? e_place : x2_place;
    wire [USE_W-1:0]   use_q, use_w;
    ram_sdp #(.WIDTH(USE_W), .DEPTH(RANGES)) use_ram (
        .clk(clk), .we(use_we), .waddr(w_place[A-1:0]), .wdata(use_w), .re(!e_stall), .raddr(e_use_place[A-1:0]), .rdata(use_q)
    );

    // ======== x3: decide
    reg                x3_valid, here, starts_in, starts_out, ends_in, ends_out, reaches, more_here, more_reaches, upside;
    reg                same1, same2;    // the record of the operation before, and of the one before that
    wire               met       = here && reaches;
    wire               more      = more_here && more_reaches;
    wire               begun     = here && starts_in;    // the record has the range's first byte
    wire               contained = begun && ends_in;
    wire               covered   = here && starts_out && ends_out;
    reg  [PLACE_W-1:0] x3_place;
    reg  [OP_W-1:0]    x3_op;
    reg  [FIX_W-1:0]   x3_fix;
    reg                x4_fast, x4_slow, x4_writes, x5_writes;
    reg  [USE_W-1:0]   x4_use, x5_use;  // what they wrote, which the RAM may not have returned
    wire [USE_W-1:0]   now   = same1 && x4_writes ? x4_use : same2 && x5_writes ? x5_use : use_q;
    wire [1:0]         state = now[USE_W-1 -: 2];
    wire [7:0]         hits  = now[ADDR_W+5 +: 8];
    wire [3:0]         pins  = now[ADDR_W+1 +: 4];
    wire               based = now[ADDR_W];
    wire [ADDR_W-1:0]  base  = now[ADDR_W-1:0];
    wire [3:0]         op    = x3_op[FIX_W+8 +: 4];
    wire               finds = op <= WRITE_GPU;
    wire               pin   = x3_op[FIX_W+12] && (op == READ_GPU || op == WRITE_GPU);
    wire               on_gpu = state != C;
    wire               pinned = pins != 4'd0;
    // the answer, if it is the engine's not: a code, about the record or not, and what the record becomes
    reg                engine, hit, about;
    reg  [2:0]         code;
    reg  [1:0]         state_n;
    always @* begin
        engine  = 1'b0;
        code    = OK;
        about   = 1'b0;
        hit     = 1'b0;
        state_n = state;
        if (op > BASE || (op != BASE && upside)) begin
            code = BAD;
        end else if (op == BASE) begin
            if (begun && on_gpu)
                about = 1'b1;
            else
                code = MISS;
        end else if (finds) begin
            if (!contained)
                engine = 1'b1;
            else if (pin && pins == 4'd15)
                code = BUSY;
            else if (op != LOOKUP && !on_gpu)
                engine = 1'b1;
            else
                about = 1'b1;
            if (op == WRITE_GPU)
                state_n = G;
        end else if (op <= RELEASE) begin
            if (!met)
                code = MISS;
            else if (more || op == RELEASE)
                engine = 1'b1;
            else if (pinned && (op == WRITE_CPU || state == G))
                code = BUSY;
            else if (op == WRITE_CPU ? on_gpu : state == G)
                engine = 1'b1;
            else
                hit = 1'b1;
        end else if (!contained) begin
            code = MISS;
        end else begin
            about = 1'b1;
            case (op)
                TO_GPU:  code = state == G ? BAD : pinned ? BUSY : OK;
                TO_CPU:  code = !on_gpu ? BAD : pinned ? BUSY : OK;
                INV_GPU: code = state == G ? BAD : pinned ? BUSY : OK;
                INV_CPU: code = on_gpu ? OK : BAD;
                default: code = pinned ? OK : BAD; // UNPIN
            endcase
            if (op == INV_CPU)
                state_n = G;
            engine = code == OK && (op == TO_GPU || op == TO_CPU || (op == INV_GPU && state == S));
            about  = code == OK;
        end
        if (about)
            hit = 1'b1;
    end
    wire [7:0]         hits_n = finds && hits != 8'hff ? hits + 1'b1 : hits;
    wire [3:0]         pins_n = op == UNPIN ? pins - 1'b1 : pin ? pins + 1'b1 : pins;
    wire               based_n = op == BASE || based;
    wire [ADDR_W-1:0]  base_n  = op == BASE ? x3_op[ADDR_W-1:0] : base;

    // ======== x4: write; the answer, or to the engine
    reg                x4_met, x4_contained, x4_covered, x4_early, x4_about, x4_hit;
    reg  [2:0]         x4_code;
    reg  [PLACE_W-1:0] x4_place;
    reg  [OP_W-1:0]    x4_op;
    reg  [FIX_W-1:0]   x4_fix;
    reg  [USE_W-1:0]   x4_was;          // with the hit counted, the state as it was
    assign             slow = x4_slow;
    wire [BEAT_W-1:0]  x4_beat = {ANSWER, x4_code, x4_op[FIX_W +: 8], x4_about ? x4_use[USE_W-1 -: 2] : C, x4_hit, x4_about && x4_use[ADDR_W],
                                  x4_about ? x4_fix : x4_op[FIX_W-1:0], x4_about ? x4_use[ADDR_W-1:0] : {ADDR_W{1'b0}}};

    // ======== the engine
    wire [PLACE_W-1:0] used_n;
    wire               e_fix_we, e_use_we, e_done;
    wire [PLACE_W-1:0] e_w_place;
    wire [USE_W-1:0]   e_use_w;
    wire [BEAT_W-1:0]  e_beat;
    range_dir_engine #(.RANGES(RANGES), .ADDR_W(ADDR_W), .ASID_W(ASID_W)) the_engine (
        .clk(clk), .rst(rst), .cfg_range_bytes(cfg_range_bytes),
        .start(slow), .op_in(x4_op), .place_in(x4_place), .met_in(x4_met), .contained_in(x4_contained), .covered_in(x4_covered), .early(x4_early),
        .range_in(x4_fix[2*ADDR_W-1:0]), .use_in(x4_was),
        .used(used), .used_n(used_n), .busy(engine_busy), .done(e_done),
        .r_place(e_place), .stall(e_stall), .fix(fix), .fix_was(x2_fix), .use_q(use_q),
        .fix_we(e_fix_we), .use_we(e_use_we), .w_place(e_w_place), .fix_w(fix_w), .use_w(e_use_w),
        .room(room), .push(engine_push), .push_last(engine_last), .beat(e_beat)
    );
    assign fix_we  = e_fix_we;
    assign use_we  = e_use_we || x4_writes;
    assign w_place = e_use_we ? e_w_place : x4_place;
    assign use_w   = e_use_we ? e_use_w : x4_use;
    assign again   = slow;

    // ======== beats
    reg                e_push, room;    // room: a beat, and another that the engine may just send
    reg  [BEAT_W-1:0]  e_beat_r;
    assign push = x4_fast || e_push;
    wire [BEAT_W-1:0] m_beat;
    assign pop = m_valid && m_ready;
    wire unused_room, unused_empty;
    fifo #(.WIDTH(BEAT_W), .DEPTH(1 << Q)) beats (
        .clk(clk), .rst(rst), .push(push), .wdata(x4_fast ? x4_beat : e_beat_r), .room(unused_room),
        .pop(pop), .done(pop), .valid(m_valid), .rdata(m_beat), .empty(unused_empty)
    );
    assign {m_kind, m_code, m_tag, m_state, m_hit, m_base_ok, m_asid, m_start, m_last, m_base} = m_beat;
    assign m_tlast = m_kind == ANSWER;
    assign idle   = put == done && !m_valid && credit == FULL;

    // what is under way behind a slow operation gives its beat back: it is sent again
    wire [Q:0] squashed = sent - done - 1'b1;

    always @(posedge clk) begin
        if (take)
            put <= put + 1'b1;
        sent    <= again ? done + 1'b1 : sent + {{Q{1'b0}}, issue};
        came    <= again ? done + 1'b1 : came + {{Q{1'b0}}, x0_valid};
        done    <= done + {{Q{1'b0}}, x4_fast || e_done};
        credit  <= credit + {{Q{1'b0}}, pop} - {{Q{1'b0}}, issue || (engine_push && !engine_last)} + (again ? squashed : {Q+1{1'b0}});
        used    <= used_n;
        i_valid  <= issue;
        x1_valid <= x0_valid && !slow;
        x1_place <= x0_place;
        x1_is      <= x0_place < used;
        x1_next_is <= x0_next < used && x0_place < used;
        x2_valid <= x1_valid && !slow;
        x2_place <= x1_place;
        x2_is      <= x1_is;
        x2_next_is <= x1_next_is;
        x2_op    <= x1_op;
        if (!e_stall)
            x2_fix <= fix;
        x2_next  <= next;
        x3_valid <= x2_valid && !slow;
        x3_place <= x2_place;
        x3_op    <= x2_op;
        x3_fix   <= x2_fix;
        here       <= x2_is && x2_fix[FIX_W-1 -: ASID_W] == o_asid;
        reaches    <= r_start <= o_last;
        starts_in  <= r_start <= o_start;
        starts_out <= o_start <= r_start;
        ends_in    <= o_last <= r_last;
        ends_out   <= r_last <= o_last;
        more_here  <= x2_next_is && x2_next[KEY_W-1 -: ASID_W] == o_asid;
        more_reaches <= x2_next[ADDR_W-1:0] <= o_last;
        upside     <= o_start > o_last;
        same1     <= x2_place == x3_place;
        same2     <= x2_place == x4_place;
        x4_fast  <= x3_valid && !slow && !engine;
        x4_slow  <= x3_valid && !slow && engine;
        x4_writes <= x3_valid && !slow && !engine && about;
        x4_place <= x3_place;
        x4_op    <= x3_op;
        x4_fix   <= x3_fix;
        {x4_met, x4_contained, x4_covered, x4_early, x4_about, x4_hit, x4_code} <= {met, contained, covered, !starts_out, about, hit, code};
        x4_use   <= {state_n, hits_n, pins_n, based_n, base_n};
        x4_was   <= {state, hits_n, now[ADDR_W+4:0]};
        x5_writes <= x4_writes;
        x5_use   <= x4_use;
        e_push   <= engine_push;
        room     <= credit[Q:1] != 0;
        e_beat_r <= e_beat;
        if (rst) begin
            put      <= 0;
            sent     <= 0;
            came     <= 0;
            done     <= 0;
            credit   <= FULL;
            used     <= 0;
            i_valid  <= 1'b0;
            x1_valid <= 1'b0;
            x2_valid <= 1'b0;
            x3_valid <= 1'b0;
            x4_fast  <= 1'b0;
            x4_slow  <= 1'b0;
            x4_writes <= 1'b0;
            x5_writes <= 1'b0;
            e_push   <= 1'b0;
        end
    end

endmodule
`default_nettype wire
