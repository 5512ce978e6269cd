// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir: ranges of memory, the place of their newest bytes, and the transfers that accesses need (docs/reference/blocks/range_dir.md).
//
// Records are kept in a table, in order of (asid, start). An operation waits in a queue until its range is
// searched. The operation is answered at once if the answer is one beat and no other record changes. Otherwise
// the engine does the operation. Meanwhile all later operations stay in the queue, and their ranges are searched
// again.
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
    // log2 of the operations that wait, and of the beats; 5 and 6 cover all operations under way at one operation a cycle
    parameter Q      = RANGES > 256 ? 6 : 5,
    // 1: words in RAM have a parity bit; an operation that needs a corrupt word is answered BADWORD
    parameter PARITY = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] cfg_range_bytes, // bytes of GPU memory for records in G and S; read when room is made
    // operations
    input  wire              s_valid,         // an operation is offered
    output wire              s_ready,         // the operation is accepted
    input  wire [3:0]        s_op,            // operation: 0 LOOKUP, 1 READ_GPU, 2 WRITE_GPU, 3 READ_CPU, 4 WRITE_CPU, 5 RELEASE, 6 to 11 TO_GPU … BASE
    input  wire [7:0]        s_tag,           // tag of the operation; the answer has the same tag
    input  wire [ASID_W-1:0] s_asid,          // address space of the range
    input  wire [ADDR_W-1:0] s_start,         // first byte of the range
    input  wire [ADDR_W-1:0] s_last,          // last byte of the range
    input  wire              s_whole,         // WRITE_GPU, WRITE_CPU: every byte will be written
    input  wire              s_pin,           // READ_GPU, WRITE_GPU: the record is pinned
    // transfers and answers: a packet an operation
    output wire              m_valid,         // a beat is offered
    input  wire              m_ready,         // the consumer takes the beat
    output wire              m_tlast,         // the beat is an answer: the last beat of its packet
    output wire [1:0]        m_kind,          // kind of the beat: 0 UP, 1 DOWN, 2 DROP, 3 ANSWER
    output wire [2:0]        m_code,          // ANSWER: 0 OK, 1 MISS, 2 BUSY, 3 FULL, 4 NOSPACE, 5 BAD, 6 BADWORD
    output wire [7:0]        m_tag,           // ANSWER: tag of the operation
    output wire [1:0]        m_state,         // ANSWER: state of the record: 0 C, 1 G, 2 S
    output wire              m_hit,           // ANSWER: a record contained the range, or was met by the range
    output wire [ASID_W-1:0] m_asid,          // address space of the record
    output wire [ADDR_W-1:0] m_start,         // first byte of the record
    output wire [ADDR_W-1:0] m_last,          // last byte of the record
    output wire [ADDR_W-1:0] m_base,          // base of the record in GPU memory
    output wire              m_base_ok,       // m_base is valid
    output reg               turned,          // PARITY: toggles with each operation that met a corrupt word
    output wire              idle             // no operation waits or is under way, and no beat waits
);

    localparam PLACE_W = $clog2(RANGES + 1);
    localparam A       = RANGES > 1 ? $clog2(RANGES) : 1;
    localparam KEY_W   = ASID_W + ADDR_W;
    localparam FIX_W   = KEY_W + ADDR_W;          // {asid, start, last}
    localparam USE_W   = 15 + ADDR_W;             // {state, hits, pins, base_ok, base}
    localparam OP_W    = 14 + FIX_W;              // {whole, pin, op, tag, asid, start, last}
    localparam BEAT_W  = 17 + FIX_W + ADDR_W;     // {kind, code, tag, state, hit, base_ok, asid, start, last, base}
    localparam P       = PARITY != 0 ? 1 : 0;     // parity bits of a word; the parity bit is the uppermost
`ifdef GMMU_ASIC_RAM
    localparam EARLY   = 1; // RAM outputs are early: a level of the search takes one cycle
`else
    localparam EARLY   = 0;
`endif
    // EARLY: cycles that an operation waits in front of the search, so that its place comes in the same cycle: one for each level, and
    // one for each level of more than 16 records
    localparam HELD    = PLACE_W + (RANGES < 33 ? 0 : RANGES < 66 ? 1 : RANGES < 132 ? 2 : RANGES < 264 ? 3 : RANGES < 528 ? 4 : 5);
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

    // ======== queue: operations are taken (`put`), sent to the search (`sent`), leave the search (`came`) and are answered (`done`)
    reg  [Q:0]         put;                          // number of operations taken
    reg  [Q:0]         sent;                         // number of operations sent to the search
    reg  [Q:0]         came;                         // number of operations out of the search
    reg  [Q:0]         done;                         // number of operations answered
    wire               issue;                        // an operation is sent to the search
    wire               begins;                       // the operation's range is read for the search
    wire [Q-1:0]       begin_at;                     // place of this operation
    wire               slow;                         // an operation goes to the engine
    wire               again;                        // the operations behind `done` are sent again
    wire               take    = s_valid && s_ready; // an operation is taken
    wire [OP_W-1:0]    s_word  = {s_whole, s_pin, s_op, s_tag, s_asid, s_start, s_last}; // the operation, packed
    wire               x1_reads;                     // the operation that came is read
    wire [Q-1:0]       x1_at;                        // place of this operation
    wire [OP_W+P-1:0]  x1_op;                        // operation, as read
    wire [OP_W+P-1:0]  s_kept;                       // operation, as written
    wire [KEY_W+P-1:0] i_start;                      // {asid, start} for the search, as read
    wire [KEY_W+P-1:0] s_begin;                      // {asid, start} for the search, as written
    reg                i_valid;                      // a range goes to the search
    wire               x0_valid;                     // a range leaves the search
    wire [Q:0]         waiting = put - done;         // operations that wait or are under way
    assign s_ready = !waiting[Q];
    gmmu_ram_sdp #(
        .WIDTH(OP_W + P),
        .DEPTH(1 << Q)
    ) op_ram (
        .clk(clk),
        .we(take),
        .waddr(put[Q-1:0]),
        .wdata(s_kept),
        .re(x1_reads),
        .raddr(x1_at),
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
        .re(begins),
        .raddr(begin_at),
        .rdata(i_start)
    );

    // each operation takes a credit when sent: room for one beat. The engine takes more credits for its transfers
    reg  [Q:0] credit;      // beats that the queue has room for and that no operation has reserved
    wire       engine_busy; // the engine has an operation
    wire       engine_push; // the engine sends a beat
    wire       engine_last; // the beat is the engine's answer
    wire       push;        // a beat enters the queue
    wire       pop;         // a beat leaves the queue
    assign issue = sent != put && credit != 0 && !engine_busy && !slow;

    generate
        if (EARLY != 0) begin : g_held
            reg [HELD-1:0] held;  // bit i: an operation was sent i + 1 cycles before
            reg [Q-1:0]    begun; // number of operations whose range was read
            assign begins   = held[HELD-1];
            assign begin_at = begun;
            always @(posedge clk) begin
                held  <= again || rst ? {HELD{1'b0}} : {held[HELD-2:0], issue};
                begun <= rst ? {Q{1'b0}} : again ? done[Q-1:0] + 1'b1 : begun + {{Q-1{1'b0}}, begins};
            end
        end else begin : g_at_once
            assign begins   = issue;
            assign begin_at = sent[Q-1:0];
        end
    endgenerate

    // ======== search
    reg  [PLACE_W-1:0] used;      // number of records
    wire [PLACE_W-1:0] x0_place;  // place of the range at x0
    wire               fix_we;    // a record is written
    wire               use_we;    // the uses of a record are written
    wire               x0_bad;    // the search met a corrupt word
    wire [PLACE_W-1:0] w_place;   // place of the written record, or uses
    wire [FIX_W-1:0]   fix_w;     // the written record {asid, start, last}
    // PARITY: a record has two parity bits, {of asid and last, of asid and start}; a record that moves keeps its bits
    wire [1:0]       fix_w_par; // parity bits of the written record
    wire             use_w_par; // parity bit of the written uses
    wire [KEY_W-1:0] w_last = {fix_w[FIX_W-1 -: ASID_W], fix_w[ADDR_W-1:0]}; // end of the written record {asid, last}
    gmmu_range_dir_search #(
        .RANGES(RANGES),
        .ADDR_W(ADDR_W),
        .ASID_W(ASID_W),
        .PARITY(PARITY),
        .EARLY(EARLY)
    ) search (
        .clk(clk),
        .flush(slow || rst),
        .used(used),
        .we(fix_we),
        .w_place(w_place),
        .w_last(w_last),
        .w_par(PARITY != 0 && fix_w_par[1]),
        .in_valid(i_valid),
        .in_start(i_start[KEY_W-1:0]),
        .in_bad(PARITY != 0 && ^i_start),
        .out_valid(x0_valid),
        .out_bad(x0_bad),
        .out_place(x0_place)
    );

    // ======== x0: read the record, and the start of the next record
    wire [PLACE_W-1:0]   e_place;                                    // place that the engine reads, when busy
    wire                 e_stall;                                    // the engine holds the words that were read
    wire [PLACE_W-1:0]   r_place = engine_busy ? e_place : x0_place; // place that is read
    wire [FIX_W+2*P-1:0] fix;                                        // record, as read
    wire [FIX_W+2*P-1:0] fix_kept;                                   // record, as written
    wire [PLACE_W-1:0]   n_place;                                    // place whose start is read
    wire [KEY_W+P-1:0]   next;                                       // start of the next record {asid, start}, as read
    wire [KEY_W+P-1:0]   next_kept;                                  // start of a record {asid, start}, as written
    gmmu_ram_sdp #(
        .WIDTH(FIX_W + 2 * P),
        .DEPTH(RANGES)
    ) fix_ram (
        .clk(clk),
        .we(fix_we),
        .waddr(w_place[A-1:0]),
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
        .waddr(w_place[A-1:0]),
        .wdata(next_kept),
        .re(1'b1),
        .raddr(n_place[A-1:0]),
        .rdata(next)
    );

    // ======== x1: does the record exist, and a record behind it?
    reg               x1_valid; // an operation is at x1
    reg               x1_bad;   // the search met a corrupt word
    reg [PLACE_W-1:0] x1_place; // place of the range
    wire [PLACE_W-1:0] x1_next; // place of the next record
    assign x1_next = x1_place + 1'b1;

    // ======== x2: compare range and record, in two halves
    localparam HALF = ADDR_W / 2;
    reg                  x2_valid;                                       // an operation is at x2
    reg                  x2_bad;                                         // the search met a corrupt word
    reg                  x2_is;                                          // the record exists
    reg                  x2_next_is;                                     // the next record exists
    reg  [PLACE_W-1:0]   x2_place;                                       // place of the range
    wire [OP_W+P-1:0]    x2_op;                                          // the operation
    reg  [FIX_W+2*P-1:0] x2_fix;                                         // the record
    wire [KEY_W+P-1:0]   x2_next;                                        // start of the next record
    wire [ADDR_W-1:0]    o_last      = x2_op[ADDR_W-1:0];                // last byte of the range
    wire [ADDR_W-1:0]    o_start     = x2_op[2*ADDR_W-1:ADDR_W];         // first byte of the range
    wire [ASID_W-1:0]    o_asid      = x2_op[FIX_W-1 -: ASID_W];         // address space of the range
    wire [3:0]           x2_code     = x2_op[FIX_W+8 +: 4];              // number of the operation
    wire [ADDR_W-1:0]    r_last      = x2_fix[ADDR_W-1:0];               // last byte of the record
    wire [ADDR_W-1:0]    r_start     = x2_fix[2*ADDR_W-1:ADDR_W];        // first byte of the record
    wire [ASID_W-1:0]    r_asid      = x2_fix[FIX_W-1 -: ASID_W];        // address space of the record
    wire                 x2_odd      = ^{x2_fix[FIX_W+2*P-1], r_asid, r_last} || ^{x2_fix[FIX_W+P-1], r_asid, r_start}; // the record is corrupt
    wire [ADDR_W-1:0]    n_start     = x2_next[ADDR_W-1:0];              // first byte of the next record
    wire [PLACE_W-1:0]   e_use_place = engine_busy ? e_place : x2_place; // place whose uses are read
    wire [USE_W-1:0]     use_w;                                          // the written uses
    wire [USE_W+P-1:0]   use_q;                                          // uses, as read
    wire [USE_W+P-1:0]   use_kept;                                       // uses, as written
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
        if (PLACE_W > A) begin : g_places // RANGES is a power of two: the place behind the last is read as place 0
            wire unused_places = &{1'b0, r_place[PLACE_W-1:A], n_place[PLACE_W-1:A], w_place[PLACE_W-1:A], e_use_place[PLACE_W-1:A]};
        end
    endgenerate

    // EARLY: the operation and the start of the next record are read a cycle later, and compared as they come. Else they are in registers first
    generate
        if (EARLY != 0) begin : g_compared
            reg [Q-1:0] came_at; // place of the operation at x1
            assign x1_reads = x1_valid;
            assign x1_at    = came_at;
            assign n_place  = x1_next;
            assign x2_op    = x1_op;
            assign x2_next  = next;
            always @(posedge clk)
                came_at <= came[Q-1:0];
        end else begin : g_kept
            reg [OP_W+P-1:0]  op_kept;   // the operation
            reg [KEY_W+P-1:0] next_read; // start of the next record
            assign x1_reads = x0_valid;
            assign x1_at    = came[Q-1:0];
            assign n_place  = x0_place + 1'b1;
            assign x2_op    = op_kept;
            assign x2_next  = next_read;
            always @(posedge clk) begin
                op_kept   <= x1_op;
                next_read <= next;
            end
        end
    endgenerate

    // ======== x3: combine the halves; classify the operation; find the record as earlier operations leave it
    reg x3_valid;  // an operation is at x3
    reg x3_lost;   // a word that the operation needs is corrupt
    reg here;      // the record exists, in the address space of the range
    reg more_here; // the next record exists, in the address space of the range
    // results of comparisons: {high half, low half}, or of the high half alone
    reg  [1:0]         reach_less;                                         // o_last < r_start
    reg  [1:0]         start_less;                                         // r_start < o_start
    reg  [1:0]         end_less;                                           // r_last < o_last
    reg  [1:0]         more_less;                                          // o_last < n_start
    reg  [1:0]         up_less;                                            // o_last < o_start
    reg  [1:0]         start_same;                                         // r_start = o_start
    reg  [1:0]         end_same;                                           // r_last = o_last
    reg                reach_same;                                         // o_last = r_start
    reg                more_same;                                          // o_last = n_start
    reg                up_same;                                            // o_last = o_start
    wire               reaches    = !(reach_less[1] || (reach_same && reach_less[0])); // the range reaches the start of the record
    wire               starts_out = !(start_less[1] || (start_same[1] && start_less[0])); // the range starts at or before the record
    wire               starts_in  = start_less[1] || (start_same[1] && (start_less[0] || start_same[0])); // the range starts at or behind the record's start
    wire               ends_in    = !(end_less[1] || (end_same[1] && end_less[0])); // the range ends at or before the record's end
    wire               ends_out   = end_less[1] || (end_same[1] && (end_less[0] || end_same[0])); // the range ends at or behind the record's end
    wire               upside     = up_less[1] || (up_same && up_less[0]); // the range ends before its start
    wire               met        = here && reaches && !x3_lost;           // the range meets the record
    wire               more       = more_here && !(more_less[1] || (more_same && more_less[0])); // the range meets the next record, too
    wire               begun      = here && starts_in && !x3_lost;         // the record has the first byte of the range
    wire               contained  = begun && ends_in;                      // the record contains the range
    reg                o_bad;                                              // the operation does not exist
    reg                o_base;                                             // the operation is BASE
    reg                o_finds;                                            // the operation has a FIND
    reg                o_gpu;                                              // the operation is READ_GPU or WRITE_GPU
    reg                o_touches;                                          // the operation is READ_CPU, WRITE_CPU or RELEASE
    reg                o_releases;                                         // the operation is RELEASE
    reg                o_one;                                              // the operation is about the record that contains the range
    reg                o_pin;                                              // the operation pins
    reg  [PLACE_W-1:0] x3_place;                                           // place of the range
    reg  [OP_W-1:0]    x3_op;                                              // the operation
    reg  [2*ADDR_W-1:0] x3_range;                                          // {start, last} of the record
    wire [3:0]         x3_code    = x3_op[FIX_W+8 +: 4];                   // number of the operation
    wire               alone      = o_touches && met && !more && !o_releases && !upside; // READ_CPU or WRITE_CPU meets this record only
    wire               for_one    = o_one && contained && !upside;         // the operation on one record has its record
    // earlier operations on the same record: the RAM may not have their writes yet
    reg same1; // the operation before has the same record
    reg same2; // the second last operation has the same record
    reg same3; // the third last operation has the same record

    // ======== x4: decide
    reg                x4_valid;                        // an operation is at x4
    reg                x4_lost;                         // a word that the operation needs is corrupt
    reg                x4_uses;                         // the operation uses the record
    reg                x4_met;                          // the range meets the record
    reg                x4_contained;                    // the record contains the range
    reg                x4_covered;                      // the range covers the record
    reg                x4_early;                        // the record begins before the range
    reg                k_bad;                           // refused as BAD
    reg                k_miss;                          // refused as MISS
    reg                k_slow;                          // for the engine
    reg                k_base;                          // BASE of the record
    reg                k_look;                          // LOOKUP of the record
    reg                k_gpu;                           // READ_GPU or WRITE_GPU of the record
    reg                k_pin;                           // READ_GPU or WRITE_GPU that pins
    reg                k_new;                           // WRITE_GPU of the record
    reg                k_read;                          // READ_CPU of the record
    reg                k_write;                         // WRITE_CPU of the record
    reg                k_up;                            // TO_GPU of the record
    reg                k_down;                          // TO_CPU of the record
    reg                k_invg;                          // INV_GPU of the record
    reg                k_invc;                          // INV_CPU of the record
    reg                k_unpin;                         // UNPIN of the record
    reg  [PLACE_W-1:0] x4_place;                        // place of the range
    reg  [OP_W-1:0]    x4_op;                           // the operation
    reg  [2*ADDR_W-1:0] x4_range;                       // {start, last} of the record
    reg  [USE_W-1:0]   now;                             // uses of the record, as earlier operations leave them
    reg                now_par;                         // parity bit of the uses, if read from the RAM
    reg                n_same1;                         // the uses come from the operation before
    reg                n_same2;                         // the uses come from the second last operation
    reg                n_same3;                         // the uses come from the third last operation
    reg                x5_odd;                          // uses at x5 are corrupt
    reg                x6_odd;                          // uses at x6 are corrupt
    reg                x7_odd;                          // uses at x7 are corrupt
    wire               odd    = n_same1 ? x5_odd : n_same2 ? x6_odd : n_same3 ? x7_odd : PARITY != 0 && ^{now_par, now}; // the uses are corrupt
    wire [1:0]         state  = now[USE_W-1 -: 2];      // state of the record
    wire [7:0]         hits   = now[ADDR_W+5 +: 8];     // hits of the record
    wire [3:0]         pins   = now[ADDR_W+1 +: 4];     // pins of the record
    wire               on_gpu = state != C;             // the record is in S or G
    wire               newer  = state == G;             // the record is in G
    wire               pinned = pins != 4'd0;           // the record is pinned
    wire               most   = k_pin && pins == 4'd15; // the record has 15 pins and would get another pin
    // the answer, unless the operation is for the engine (`engine`): a code, about the record or about the range
    wire               engine = k_slow || (k_gpu && !most && !on_gpu) ||
                                (!pinned && ((k_read && newer) || (k_write && on_gpu) || (k_up && !newer) || (k_down && on_gpu) || (k_invg && state == S)));
    wire bad   = k_bad || ((k_up || k_invg) && newer) || ((k_down || k_invc) && !on_gpu) || (k_unpin && !pinned); // the answer is BAD
    wire busy  = most || (pinned && ((k_read && newer) || k_write || ((k_up || k_invg) && !newer) || (k_down && on_gpu))); // the answer is BUSY
    wire miss  = k_miss || (k_base && !on_gpu);                       // the answer is MISS
    wire about = k_look || (k_gpu && !most) || ((k_base || k_invc) && on_gpu) || (k_unpin && pinned) || (k_invg && !on_gpu); // the answer is about the record
    wire hit   = about || (k_read && !newer) || (k_write && !on_gpu); // `hit` of the answer
    // the record's next uses; unchanged if the answer is not about the record
    wire [1:0]       state_n = on_gpu && (k_invc || (k_new && !most)) ? G : state; // next state
    wire [7:0]       hits_n  = hits + {7'd0, (k_look || (k_gpu && !most)) && hits != 8'hff}; // next hits
    wire [3:0]       pins_n  = k_pin && !most ? pins + 1'b1 : k_unpin && pinned ? pins - 1'b1 : pins; // next pins
    wire             based   = k_base && on_gpu; // BASE gives the record a base
    wire [USE_W-1:0] then    = {state_n, hits_n, pins_n, based || now[ADDR_W], based ? x4_op[ADDR_W-1:0] : now[ADDR_W-1:0]}; // next uses

    // ======== x5: write; the answer, or to the engine
    reg               x5_fast;      // an answer is given
    reg               x5_slow;      // an operation is for the engine
    reg               x5_lost;      // a word that the operation needs is corrupt
    reg               x5_bad;       // the uses are corrupt
    reg               x5_writes;    // the uses are written
    reg               x5_about;     // the answer is about the record
    reg               x5_hit;       // `hit` of the answer
    reg [2:0]         x5_code;      // code of the answer
    reg [USE_W-1:0]   x6_use;       // next uses at x6
    // the operation and its record are in registers of the engine
    wire [PLACE_W-1:0]  x5_place; // place of the range
    wire [FIX_W+7:0]    x5_op;    // {tag, asid, start, last} of the operation
    wire [2*ADDR_W-1:0] x5_range; // {start, last} of the record
    wire [USE_W-1:0]    x5_use;   // next uses at x5
    // late select: x5_bad arrives late. The operation of a record with corrupt uses is answered at once, whatever the operation is
    assign             slow = x5_slow && !x5_bad;
    wire fast = x5_fast || (x5_slow && x5_bad); // an answer is given at x5

    // ======== the engine
    wire [PLACE_W-1:0] used_n;   // number of records in the next cycle
    wire               e_use_we; // the engine writes uses
    wire               e_done;   // the engine is done
    wire               e_bad;    // the engine met a corrupt word
    wire               e_odd;    // the engine's beat is void: its record is corrupt
    // beat of the engine, a cycle after engine_push
    wire [1:0]         e_kind;   // kind of the beat; ANSWER while the engine sends no beat
    wire               e_read;   // the beat is about the record that was read
    wire               e_told;   // the beat is about the record of x5
    wire [2:0]         e_code;   // code of the answer
    wire               e_hit;    // `hit` of the answer
    wire [ADDR_W:0]    e_base;   // {base_ok, base} of the record that was read
    reg                room;     // room for a beat, besides a beat that the engine may send in this cycle
    gmmu_range_dir_engine #(
        .RANGES(RANGES),
        .ADDR_W(ADDR_W),
        .ASID_W(ASID_W),
        .PARITY(PARITY)
    ) the_engine (
        .clk(clk),
        .rst(rst),
        .cfg_range_bytes(cfg_range_bytes),
        .op_in(x4_op),
        .place_in(x4_place),
        .met_in(x4_met),
        .contained_in(x4_contained),
        .covered_in(x4_covered),
        .early(x4_early),
        .range_in(x4_range),
        .use_in(then),
        .start(slow),
        .op_r(x5_op),
        .place(x5_place),
        .c_range(x5_range),
        .c_use(x5_use),
        .used(used),
        .used_n(used_n),
        .busy(engine_busy),
        .done(e_done),
        .r_place(e_place),
        .stall(e_stall),
        .fix_was(x2_fix[FIX_W-1:0]),
        .start_before(x3_range[2*ADDR_W-1:ADDR_W+HALF]),
        .last_before(x3_range[ADDR_W-1:0]),
        .use_q(use_q[USE_W-1:0]),
        .fix_was_par({x2_fix[FIX_W+2*P-1], x2_fix[FIX_W+P-1]}),
        .use_par(use_q[USE_W+P-1]),
        .fix_we(fix_we),
        .use_we(e_use_we),
        .fix_w_par(fix_w_par),
        .use_w_par(use_w_par),
        .bad(e_bad),
        .w_place(w_place),
        .fix_w(fix_w),
        .use_w(use_w),
        .room(room),
        .push(engine_push),
        .push_last(engine_last),
        .odd(e_odd),
        .kind(e_kind),
        .b_read(e_read),
        .b_told(e_told),
        .b_code(e_code),
        .b_hit(e_hit),
        .b_base(e_base)
    );
    assign use_we  = e_use_we || (x5_writes && !x5_bad);
    assign again   = slow;
    generate
        if (PARITY != 0) begin : g_parity
            assign s_kept    = {^s_word, s_word};
            assign s_begin   = {^{s_asid, s_start}, s_asid, s_start};
            assign fix_kept  = {fix_w_par, fix_w};
            assign next_kept = {fix_w_par[0], fix_w[FIX_W-1:ADDR_W]};
            assign use_kept  = {use_w_par, use_w};
        end else begin : g_bare
            wire unused_bits = &{1'b0, fix_w_par, use_w_par};
            assign s_kept    = s_word;
            assign s_begin   = {s_asid, s_start};
            assign fix_kept  = fix_w;
            assign next_kept = fix_w[FIX_W-1:ADDR_W];
            assign use_kept  = use_w;
        end
    endgenerate

    // ======== beats
    reg  e_push; // the engine's beat enters the queue
    reg  e_void; // the engine's beat is void: its credit comes back
    wire answer; // the beat is an answer
    wire told;   // the beat is about the record of x5, and the uses are not corrupt
    wire [BEAT_W-1:0] beat; // the beat that enters the queue
    assign push   = fast || e_push;
    assign answer = e_kind == ANSWER;
    assign told   = fast ? x5_about && !x5_bad : e_told;
    assign beat   = {e_kind, !answer ? OK : !fast ? e_code : x5_bad ? BADWORD : x5_code, answer ? x5_op[FIX_W +: 8] : 8'd0,
                     answer && told ? x5_use[USE_W-1 -: 2] : C, answer && (fast ? x5_hit && !x5_bad : e_hit),
                     e_read ? e_base[ADDR_W] : told && x5_use[ADDR_W],
                     e_read ? x2_fix[FIX_W-1:0] : {x5_op[FIX_W-1 -: ASID_W], told ? x5_range : x5_op[2*ADDR_W-1:0]},
                     e_read ? e_base[ADDR_W-1:0] : told ? x5_use[ADDR_W-1:0] : {ADDR_W{1'b0}}};
    wire [BEAT_W-1:0] m_beat; // the oldest beat
    assign pop = m_valid && m_ready;
    wire unused_room;  // the queue of beats has room: always, because of the credits
    wire unused_empty; // the queue of beats is empty: `credit` says so, too
    gmmu_fifo #(
        .WIDTH(BEAT_W),
        .DEPTH(1 << Q),
        .COUNTED(1)
    ) beats (
        .clk(clk),
        .rst(rst),
        .push(push),
        .wdata(beat),
        .room(unused_room),
        .pop(pop),
        .valid(m_valid),
        .rdata(m_beat),
        .empty(unused_empty)
    );
    assign {m_kind, m_code, m_tag, m_state, m_hit, m_base_ok, m_asid, m_start, m_last, m_base} = m_beat;
    assign m_tlast = m_valid && m_kind == ANSWER;
    assign idle   = put == done && !m_valid && credit == FULL;

    // late count: operations under way behind a slow operation return their credits a cycle later, and are sent again
    wire [Q:0] squashed = sent - done - 1'b1;               // operations sent and not answered, without the slow operation
    reg  [Q:0] back;                                        // credits that come back
    wire [Q:0] gained   = credit + {{Q{1'b0}}, pop} + back; // credits, with the credits that come back (late select: `issue` arrives last)

    always @(posedge clk) begin
        if (take)
            put <= put + 1'b1;
        sent    <= again ? done + 1'b1 : sent + {{Q{1'b0}}, issue};
        came    <= again ? done + 1'b1 : came + {{Q{1'b0}}, x0_valid};
        done    <= done + {{Q{1'b0}}, fast || e_done};
        back    <= again ? squashed : {{Q{1'b0}}, e_void};
        credit  <= issue || (engine_push && !engine_last) ? gained - 1'b1 : gained;
        used    <= used_n;
        i_valid  <= begins && !slow;
        x1_valid <= x0_valid && !slow;
        x1_place <= x0_place;
        x1_bad   <= x0_bad;
        x2_valid <= x1_valid && !slow;
        x2_place <= x1_place;
        x2_bad   <= x1_bad;
        x2_is      <= x1_place < used;
        x2_next_is <= x1_next < used && x1_place < used;
        if (!e_stall)
            x2_fix <= fix;
        x3_valid <= x2_valid && !slow;
        x3_place <= x2_place;
        x3_op    <= x2_op[OP_W-1:0];
        x3_range <= x2_fix[2*ADDR_W-1:0];
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
        x4_range <= x3_range;
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
        {x5_about, x5_hit, x5_code} <= {about, hit, x4_lost ? BADWORD : bad ? BAD : busy ? BUSY : miss ? MISS : OK};
        x5_lost  <= x4_lost;
        x5_bad   <= PARITY != 0 && x4_uses && odd;
        {x5_odd, x6_odd, x7_odd} <= {odd, x5_odd, x6_odd};
        x6_use   <= x5_use;
        {e_push, e_void} <= {engine_push && !e_odd, engine_push && e_odd};
        turned   <= !rst && turned != ((fast && (x5_bad || x5_lost)) || (e_done && e_bad));
        room     <= credit[Q:1] != 0;
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
