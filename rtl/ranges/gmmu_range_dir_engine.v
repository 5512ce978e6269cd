// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_engine: the operations of range_dir that take more than a beat, or more than a record (docs/reference/blocks/range_dir.md).
//
// Checks come first, then transfers, then the records move. The engine is in one step at a time:
//
//   step    | what happens                                                     | next
//   --------|------------------------------------------------------------------|-------------------------------------------------------
//   IDLE    | The operation comes, with the record at its place.               | BEGIN
//   BEGIN   | A FIND whose range no record contains makes a new record.        | Records are met: CHECK. A new record: table full VICTIM,
//           |                                                                  | behind all PUT, else OPEN. An existing record:
//           |                                                                  | TO_CPU and INV_GPU ONE, TO_GPU of S UP, else ROOM.
//   CHECK   | The met records are read: is one of them pinned?                 | One is pinned: ANSWER (BUSY). None: RECORDS.
//           | Hits are summed, FIND's record becomes the hull.                 |
//   RECORDS | The met records are read again. The beats of each record are     | FIND: PUT. RELEASE: CLOSE. READ_CPU, WRITE_CPU: ANSWER.
//           | sent, and the record's state is written.                         |
//   VICTIM  | All records are read: which record leaves the table?             | V_BEATS. All are pinned: ANSWER (FULL).
//   V_BEATS | The beats of the leaving record are sent.                        | CLOSE
//   CLOSE   | Records from `end_at` on go down by `gap` places.                | RELEASE: ANSWER. A victim left: OPEN or PUT. A merge: as
//           |                                                                  | behind PUT.
//   OPEN    | Records from the last down to `place` go up by a place.          | PUT
//   PUT     | The record is written to `place`.                                | Several merged: CLOSE. LOOKUP: ANSWER. Else: ROOM.
//   ROOM    | All records are read: their bytes in GPU memory are summed. The  | SUMS
//           | least record is found.                                           |
//   SUMS    | The sums become ready.                                           | CHOOSE
//   CHOOSE  | Does the record fit?                                             | Yes: UP. When another leaves: R_BEATS. Never: ANSWER (NOSPACE).
//   R_BEATS | The least record's beats are sent; the record is written as C.     | ROOM
//   UP      | The record's UP is sent, unless the GPU writes every byte.       | ANSWER
//   ONE     | The record's DOWN or DROP is sent.                               | ANSWER
//   ANSWER  | The answer is sent, and the record's uses are written.           | IDLE
//
// A corrupt word in CHECK or VICTIM makes ANSWER the next step. A corrupt word in ROOM or before makes ANSWER
// follow CHOOSE.
//
// range_dir_reader reads one record a cycle; its words are in registers (p_) two cycles later. In CHECK
// range_dir_met compares the record with the range (q_). range_dir_least finds the record that leaves, and
// range_dir_space says whether there is room. range_dir_record keeps the record that the answer is about (c_).
//
// The operation (op_r) and its record (c_) are the registers of x5. Every operation comes there. The
// engine holds what came last from `start` until the answer. Words of beats and writes are taken from p_ or c_ a
// cycle after their step: these registers still hold the same record then.
`default_nettype none
module gmmu_range_dir_engine #(
    parameter RANGES = 16,
    parameter ADDR_W = 32,
    parameter ASID_W = 2,
    // 1: words of the table have a parity bit
    parameter PARITY = 1,
    // derived, not to be set
    parameter PLACE_W = $clog2(RANGES + 1),
    parameter FIX_W   = ASID_W + 2 * ADDR_W,
    parameter USE_W   = 15 + ADDR_W,
    parameter OP_W    = 14 + FIX_W
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [ADDR_W-1:0]   cfg_range_bytes, // bytes of GPU memory for records in G and S
    // x4: the operation that comes to x5, with the place of its range, and the record at that place
    input  wire [OP_W-1:0]     op_in,           // the operation: {whole, pin, op, tag, asid, start, last}
    input  wire [PLACE_W-1:0]  place_in,        // place of the operation's range
    input  wire                met_in,          // the range meets the record at place_in
    input  wire                contained_in,    // the record at place_in contains the range
    input  wire                covered_in,      // the range covers the record at place_in
    input  wire                early,           // the record at place_in begins before the range
    input  wire [2*ADDR_W-1:0] range_in,        // {start, last} of the record at place_in
    input  wire [USE_W-1:0]    use_in,          // next uses of the record at place_in; the hits count the operation
    // x5: the operation and its record
    input  wire                start,           // the operation of x5 is for the engine; taken if the engine is not busy
    output reg  [FIX_W+7:0]    op_r,            // {tag, asid, start, last} of the operation
    output reg  [PLACE_W-1:0]  place,           // place of the record
    output wire [2*ADDR_W-1:0] c_range,         // {start, last} of the record
    output wire [USE_W-1:0]    c_use,           // uses of the record
    input  wire [PLACE_W-1:0]  used,            // number of records in the table
    output wire [PLACE_W-1:0]  used_n,          // number of records in the next cycle
    output wire                busy,            // an operation is under way
    output wire                done,            // the operation is done; the answer is pushed in the same cycle
    // the table: words come a cycle after their read
    output wire [PLACE_W-1:0]  r_place,         // place that is read
    output wire                stall,           // no read: the words that came last are held
    input  wire [FIX_W-1:0]    fix_was,         // the record {asid, start, last} that came in the cycle before
    input  wire [ADDR_W-1:ADDR_W/2] start_before, // first byte of `fix_was`, high half, a cycle later
    input  wire [ADDR_W-1:0]   last_before,     // last byte of `fix_was`, a cycle later
    input  wire [USE_W-1:0]    use_q,           // the uses {state, hits, pins, base_ok, base} that come
    input  wire [1:0]          fix_was_par,     // PARITY: parity bits of `fix_was`: of {asid, last} and of {asid, start}
    input  wire                use_par,         // PARITY: parity bit of `use_q`
    output reg                 fix_we,          // the record `fix_w` is written
    output wire                use_we,          // the uses `use_w` are written
    output wire [1:0]          fix_w_par,       // PARITY: parity bits of `fix_w`
    output wire                use_w_par,       // PARITY: parity bit of `use_w`; uses from a corrupt word stay corrupt
    output wire                bad,             // PARITY, with `done`: the operation needed a corrupt word
    output wire [PLACE_W-1:0]  w_place,         // place that is written; the place of x5 while the engine does not write
    output wire [FIX_W-1:0]    fix_w,           // the record {asid, start, last} that is written
    output wire [USE_W-1:0]    use_w,           // the uses that are written; the uses of x5 while the engine does not write
    // beats
    input  wire                room,            // the queue has room for a transfer; for the answer there is always room
    output wire                push,            // a beat is sent
    output wire                push_last,       // the beat is the answer
    output wire                odd,             // the beat is void: its record is corrupt
    // the beat, a cycle after `push`
    output reg  [1:0]          kind,            // kind of the beat; ANSWER while the engine sends no beat
    output reg                 b_read,          // the beat is about the record p_ that was read, not about the record of x5 or the range
    output wire                b_told,          // the beat is about the record of x5, not about the range alone
    output wire [2:0]          b_code,          // code of the answer
    output wire                b_hit,           // `hit` of the answer
    output wire [ADDR_W:0]     b_base           // {base_ok, base} of the record p_; its {asid, start, last} are `fix_was`
);

    localparam HALF = ADDR_W / 2;
    localparam [1:0] C = 2'd0, S = 2'd2;
    localparam [1:0] K_UP = 2'd0, K_DOWN = 2'd1, K_DROP = 2'd2, K_ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, BUSY = 3'd2, FULL = 3'd3, NOSPACE = 3'd4, BADWORD = 3'd6;
    localparam [3:0] LOOKUP = 4'd0, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4,
                     RELEASE = 4'd5, TO_GPU = 4'd6, TO_CPU = 4'd7, INV_GPU = 4'd8;
    localparam IDLE = 0, BEGIN = 1, CHECK = 2, RECORDS = 3, CLOSE = 4, VICTIM = 5, V_BEATS = 6, OPEN = 7, PUT = 8,
               ROOM = 9, SUMS = 10, CHOOSE = 11, R_BEATS = 12, UP = 13, ONE = 14, ANSWER = 15;

    // ======== registers that the parts below share
    reg  [15:0]        on;      // the step, one bit each
    reg                first;   // the step is in its first cycle, and begins to read
    reg                young;   // the step is in its first or second cycle: no words of the step have come
    reg                spoilt;  // the operation met a corrupt word
    reg  [2:0]         code;    // code of the answer
    reg  [PLACE_W-1:0] end_at;  // first place behind the records that are met, or that leave
    reg  [PLACE_W-1:0] gap;     // number of places by which CLOSE moves records
    wire [PLACE_W-1:0] last_at; // place of the last record
    assign last_at = used - 1'b1;
    wire [ADDR_W-1:0] c_start; // first byte of the answer's record
    wire [ADDR_W-1:0] c_last;  // last byte of the answer's record
    wire [1:0]        c_state; // state of the answer's record
    wire              covered; // the range covers the answer's record

    // ======== the operation
    wire              takes;   // an operation and its record come to x5
    reg               finds;   // the operation has a FIND: LOOKUP, READ_GPU, WRITE_GPU
    reg               frees;   // the operation is RELEASE
    reg               reads;   // the operation is READ_CPU
    reg               touches; // the operation is READ_CPU, WRITE_CPU or RELEASE, and is about all met records
    reg               makes;   // the operation is a FIND whose range no record contains, and makes a record
    reg               pin;     // the operation pins its record
    reg               whole;   // every byte of the range will be written, or is released
    reg               merged;  // the range meets a record
    reg               full;    // the table has no room for another record
    reg               at_end;  // the range is behind all records
    reg  [3:0]        op;      // number of the operation
    wire [ASID_W-1:0] asid;    // address space of the operation
    wire [ADDR_W-1:0] o_start; // first byte of the range
    wire [ADDR_W-1:0] o_last;  // last byte of the range
    wire [3:0]        op_n;    // number of the operation that comes
    assign {asid, o_start, o_last} = op_r[FIX_W-1:0];
    assign op_n = op_in[FIX_W+8 +: 4];
    assign takes = on[IDLE] && !start;
    always @(posedge clk)
        if (takes) begin
            {op, op_r} <= op_in[FIX_W+11:0];
            finds   <= op_n <= WRITE_GPU;
            frees   <= op_n == RELEASE;
            reads   <= op_n == READ_CPU;
            touches <= op_n == READ_CPU || op_n == WRITE_CPU || op_n == RELEASE;
            makes   <= op_n <= WRITE_GPU && !contained_in;
            pin     <= op_in[FIX_W+12] && op_n <= WRITE_GPU;
            whole   <= op_in[FIX_W+13] || op_n == RELEASE;
            merged  <= met_in;
            full    <= used == RANGES[PLACE_W-1:0];
            at_end  <= used == place_in;
        end

    // ======== the record that is read
    wire [PLACE_W-1:0] begins_at; // first place that the step reads
    wire [PLACE_W-1:0] least_at;  // place of the record that is to leave
    wire               leaves;    // the step's record leaves the GPU, whatever the operation is
    wire               of_read;   // the step sends the beats of each record that is read
    wire               want_down; // the record that comes is to be copied to the CPU
    wire               want_drop; // the record that comes is to leave the GPU
    wire [PLACE_W-1:0] at;        // place whose words come
    wire               here;      // a record is at `at`
    wire [PLACE_W-1:0] p_at;      // place whose words are in registers
    wire               p_here;    // a record is at `p_at`
    wire [USE_W-1:0]   p_use;     // uses of the record in registers
    wire               p_use_par; // parity bit of p_use
    wire               p_ends;    // the record in registers is the last record of the step
    wire               p_downs;   // the DOWN of the record in registers is still to be sent
    wire               p_drops;   // the DROP of the record in registers is still to be sent
    wire               move;      // all beats of the record in registers are sent
    wire               ends;      // the step has come to the end of the table
    reg                first_in;  // the range covers the first met record; the range covers all met records between first and last
    reg                last_in;   // the range covers the last met record
    assign leaves    = on[V_BEATS] || on[R_BEATS];
    assign of_read   = leaves || on[RECORDS];
    assign begins_at = on[CHECK] || on[RECORDS] ? place : on[CLOSE] ? end_at : on[OPEN] ? last_at : leaves ? least_at : {PLACE_W{1'b0}};
    assign ends      = !young && !here;
    // the newest bytes on the GPU are copied to the CPU, except in a record of which every byte is written
    assign want_down = use_q[USE_W-2] && (leaves || finds || reads || !whole || !((at != place || first_in) && (at + 1'b1 != end_at || last_in)));
    assign want_drop = use_q[USE_W-1 -: 2] != C && (leaves || !reads);
    gmmu_range_dir_reader #(
        .PLACE_W(PLACE_W),
        .USE_W(USE_W)
    ) reader (
        .clk(clk),
        .rst(rst),
        .first(first),
        .young(young),
        .begins_at(begins_at),
        .downwards(on[OPEN]),
        .has_beats(of_read),
        .used(used),
        .end_at(end_at),
        .use_q(use_q),
        .use_par(use_par),
        .want_down(want_down),
        .want_drop(want_drop),
        .beat_room(room),
        .next_at(r_place),
        .at(at),
        .here(here),
        .p_at(p_at),
        .p_here(p_here),
        .p_use(p_use),
        .p_use_par(p_use_par),
        .p_ends(p_ends),
        .p_downs(p_downs),
        .p_drops(p_drops),
        .stall(stall),
        .move(move)
    );
    wire [ASID_W-1:0] p_asid;   // address space of the record in registers
    wire [ADDR_W-1:0] p_start;  // first byte of the record in registers
    wire [ADDR_W-1:0] p_last;   // last byte of the record in registers
    wire [7:0]        p_hits;   // hits of the record in registers
    wire              p_pinned; // the record in registers is pinned
    wire              p_gpu;    // the record in registers is in G or S
    wire              p_new;    // the record in registers is in G
    assign {p_asid, p_start, p_last} = fix_was;
    assign p_hits   = p_use[ADDR_W+5 +: 8];
    assign p_pinned = p_use[ADDR_W+1 +: 4] != 4'd0;
    assign p_gpu    = p_use[USE_W-1 -: 2] != C;
    assign p_new    = p_use[USE_W-2];

    // ---- corrupt words
    wire p_odd;     // the record in registers, or its uses, are corrupt
    // (`keep`: p_odd arrives late, and a mapper would put p_odd before the early signals)
    (* keep *) wire looks; // the operation uses the record in registers
    assign looks     = p_here && !first && ((!young && (on[CHECK] || on[VICTIM] || on[ROOM])) || of_read);
    assign p_odd     = PARITY != 0 && (^{p_use_par, p_use} || ^{fix_was_par[1], p_asid, p_last} || ^{fix_was_par[0], p_asid, p_start});
    assign bad       = spoilt;
    always @(posedge clk)
        spoilt <= (spoilt && !on[IDLE]) || (looks && p_odd);

    // ======== CHECK: the records that are met
    wire               q_read;   // CHECK compares the place q_at
    wire               q_met;    // a record is at q_at, and the range meets the record
    wire               q_pinned; // the record at q_at is pinned, and the operation would change the record
    wire               q_beyond; // the record at q_at ends behind the range
    wire [PLACE_W-1:0] q_at;     // place that CHECK compares
    wire [7:0]         q_hits;   // hits of the record at q_at
    wire [ADDR_W-1:0]  q_last;   // last byte of the record at q_at
    assign q_last = last_before;
    gmmu_range_dir_met #(
        .ADDR_W(ADDR_W),
        .ASID_W(ASID_W),
        .PLACE_W(PLACE_W)
    ) met (
        .clk(clk),
        .checks(on[CHECK]),
        .young(young),
        .asid(asid),
        .o_last(o_last),
        .reads(reads),
        .p_here(p_here),
        .p_at(p_at),
        .p_asid(p_asid),
        .p_start(p_start),
        .p_last(p_last),
        .p_hits(p_hits),
        .p_pinned(p_pinned),
        .p_new(p_new),
        .q_read(q_read),
        .q_met(q_met),
        .q_pinned(q_pinned),
        .q_beyond(q_beyond),
        .q_at(q_at),
        .q_hits(q_hits)
    );

    // ======== VICTIM, ROOM: the record that leaves, and whether there is room
    wire again;    // the search and the sums start again
    wire found;    // a record may leave
    wire roomy;    // the record fits beside all records in GPU memory
    wire possible; // the record fits beside the pinned records
    assign again = on[BEGIN] || on[R_BEATS] || on[PUT] || on[CLOSE];
    gmmu_range_dir_least #(.PLACE_W(PLACE_W)) choice (
        .clk(clk),
        .again(again),
        .stall(stall),
        .comes(here && !first),
        .victim(on[VICTIM]),
        .make_room(on[ROOM]),
        .p_at(p_at),
        .p_hits(p_hits),
        .p_gpu(p_gpu),
        .p_pinned(p_pinned),
        .found(found),
        .least_at(least_at)
    );
    gmmu_range_dir_space #(.ADDR_W(ADDR_W)) space (
        .clk(clk),
        .cfg_range_bytes(cfg_range_bytes),
        .again(again),
        .begins(on[ROOM] && first),
        .young(young),
        .counts(on[ROOM] && !young && p_here && p_gpu),
        .p_pinned(p_pinned),
        .p_start(p_start[HALF-1:0]),
        .p_last(p_last[HALF-1:0]),
        .was_start(start_before),
        .was_last(last_before[ADDR_W-1:HALF]),
        .c_start(c_start),
        .c_last(c_last),
        .roomy(roomy),
        .possible(possible)
    );

    // ======== the steps: the end of each step, and the next step (the table above)
    wire [15:0] over; // end condition of each step
    wire [15:0] to;   // the step that begins in the next cycle

    // ---- BEGIN takes a cycle
    wire new_record   = on[BEGIN] && makes && !merged;           // a FIND meets no record
    wire old_record   = on[BEGIN] && !makes && !touches;         // the record exists
    wire sends_one    = op == TO_CPU || op == INV_GPU;           // the operation has one transfer, from the GPU
    wire is_shared    = op == TO_GPU && c_state == S;            // the operation's record is in GPU memory already
    wire begin_check  = on[BEGIN] && (makes ? merged : touches); // CHECK follows
    wire begin_victim = new_record && full;                      // VICTIM follows
    wire begin_open   = new_record && !full && !at_end;          // OPEN follows
    wire begin_put    = new_record && !full && at_end;           // PUT follows
    wire begin_one    = old_record && sends_one;                 // ONE follows
    wire begin_up     = old_record && is_shared;                 // UP follows
    wire begin_room   = old_record && !sends_one && !is_shared;  // ROOM follows

    // ---- CHECK ends with the first record that is not met
    wire check_over    = q_read && !q_met;                   // CHECK ends
    wire refuse        = code == BUSY || spoilt;             // no part of the operation is done
    wire check_answer  = on[CHECK] && check_over && refuse;  // ANSWER follows
    wire check_records = on[CHECK] && check_over && !refuse; // RECORDS follows

    // ---- RECORDS ends with the beats of the last record that is met
    wire records_over   = on[RECORDS] && move && p_ends;    // RECORDS ends
    wire records_put    = records_over && finds;            // PUT follows
    wire records_close  = records_over && frees;            // CLOSE follows
    wire records_answer = records_over && !finds && !frees; // ANSWER follows

    // ---- VICTIM ends when the last record of the table was checked
    wire victim_over  = ends && !p_here;                                 // VICTIM ends
    wire no_victim    = on[VICTIM] && victim_over && (!found || spoilt); // ANSWER follows
    wire victim_beats = on[VICTIM] && victim_over && found && !spoilt;   // V_BEATS follows

    // ---- V_BEATS ends with the beats of the record
    wire v_beats_close = on[V_BEATS] && move; // CLOSE follows

    // ---- CLOSE ends with the last record of the table; the new record is written behind CLOSE, or was written before
    wire closed       = on[CLOSE] && ends && !frees;           // CLOSE ends, of a victim or of a merge
    wire close_open   = closed && !merged && last_at != place; // OPEN follows
    wire close_put    = closed && !merged && last_at == place; // PUT follows
    wire close_answer = on[CLOSE] && ends && frees;            // ANSWER follows

    // ---- OPEN ends when the record at `place` has gone up
    wire open_over = here && !first && at == place; // OPEN ends

    // ---- PUT takes a cycle; several records merged leave places free
    wire moved     = merged && gap != {PLACE_W{1'b0}};          // records behind the merged records must move
    wire put_close = on[PUT] && moved;                          // CLOSE follows
    wire is_put    = (on[PUT] && !moved) || (closed && merged); // FIND is done, behind PUT or CLOSE

    // ---- ROOM ends with the last record of the table, SUMS when the sums are ready
    reg  [1:0] sums;                              // cycles of SUMS that are over
    wire       room_sums   = on[ROOM] && ends;    // SUMS follows
    wire       sums_choose = on[SUMS] && sums[1]; // CHOOSE follows

    // ---- CHOOSE takes a cycle
    wire choose_up     = on[CHOOSE] && possible && roomy && !spoilt;  // UP follows
    wire choose_beats  = on[CHOOSE] && possible && !roomy && !spoilt; // R_BEATS follows
    wire choose_answer = on[CHOOSE] && (!possible || spoilt);         // ANSWER follows

    // ---- R_BEATS ends with the beats of the record
    wire r_beats_room = on[R_BEATS] && move; // ROOM follows

    // ---- UP ends with its beat, if a beat is needed; ONE ends with its beat
    wire up         = on[UP] && !(op == WRITE_GPU && whole && covered); // UP sends a beat
    wire ups        = !up || room;                                      // UP ends
    wire up_answer  = on[UP] && ups;                                    // ANSWER follows
    wire one_answer = on[ONE] && room;                                  // ANSWER follows

    assign over[IDLE]    = start;
    assign over[BEGIN]   = 1'b1;
    assign over[CHECK]   = check_over;
    assign over[RECORDS] = move && p_ends;
    assign over[CLOSE]   = ends;
    assign over[VICTIM]  = victim_over;
    assign over[V_BEATS] = move;
    assign over[OPEN]    = open_over;
    assign over[PUT]     = 1'b1;
    assign over[ROOM]    = ends;
    assign over[SUMS]    = sums[1];
    assign over[CHOOSE]  = 1'b1;
    assign over[R_BEATS] = move;
    assign over[UP]      = ups;
    assign over[ONE]     = room;
    assign over[ANSWER]  = 1'b1;

    assign to[IDLE]    = on[ANSWER];
    assign to[BEGIN]   = on[IDLE] && start;
    assign to[CHECK]   = begin_check;
    assign to[RECORDS] = check_records;
    assign to[CLOSE]   = records_close || v_beats_close || put_close;
    assign to[VICTIM]  = begin_victim;
    assign to[V_BEATS] = victim_beats;
    assign to[OPEN]    = begin_open || close_open;
    assign to[PUT]     = begin_put || close_put || (on[OPEN] && open_over) || records_put;
    assign to[ROOM]    = begin_room || (is_put && op != LOOKUP) || r_beats_room;
    assign to[SUMS]    = room_sums;
    assign to[CHOOSE]  = sums_choose;
    assign to[R_BEATS] = choose_beats;
    assign to[UP]      = begin_up || choose_up;
    assign to[ONE]     = begin_one;
    assign to[ANSWER]  = check_answer || records_answer || no_victim || close_answer || (is_put && op == LOOKUP) || choose_answer ||
                         up_answer || one_answer;

    wire changes_step = (on & over) != 16'd0; // another step begins in the next cycle
    always @(posedge clk) begin
        on    <= rst ? 16'd1 : to | (on & ~over);
        first <= changes_step;
        young <= changes_step || first;
        sums  <= {sums[0], on[SUMS] && first};
    end
    assign busy = !on[IDLE];
    assign done = on[ANSWER];

    // ======== the record that the answer is about
    wire begins; // the range begins before its first record
    assign begins  = first_in || !merged;
    assign c_range = {c_start, c_last};
    gmmu_range_dir_record #(.ADDR_W(ADDR_W)) record (
        .clk(clk),
        .takes(takes),
        .in_start(range_in[2*ADDR_W-1:ADDR_W]),
        .in_last(range_in[ADDR_W-1:0]),
        .in_use(use_in),
        .in_covered(covered_in),
        .unpins(on[IDLE] && start),
        .makes(on[BEGIN] && makes),
        .begins(begins),
        .o_start(o_start),
        .o_last(o_last),
        .meets(on[CHECK] && q_met),
        .merges(finds),
        .q_beyond(q_beyond),
        .q_hits(q_hits),
        .q_last(q_last),
        .arrives(up_answer),
        .writes(op == WRITE_GPU),
        .pin(pin),
        .returns(on[ANSWER] && sends_one),
        .stays(op == TO_CPU),
        .c_start(c_start),
        .c_last(c_last),
        .c_use(c_use),
        .covered(covered)
    );
    assign c_state = c_use[USE_W-1 -: 2];

    // ---- places of the record, and of records that are met or leave
    always @(posedge clk) begin
        if (takes) begin
            place    <= place_in;
            first_in <= !early;
        end
        if (on[CHECK] && q_met)
            last_in <= !q_beyond;
        if (on[CHECK] && check_over)
            end_at <= q_at;
        if (on[RECORDS])
            gap <= end_at - place - {{PLACE_W-1{1'b0}}, finds};
        if (on[V_BEATS]) begin
            gap    <= {{PLACE_W-1{1'b0}}, 1'b1};
            end_at <= least_at + 1'b1;
            if (first)
                place <= place - {{PLACE_W-1{1'b0}}, least_at < place};
        end
    end

    // ---- the answer's code, and whether the answer is about a record
    reg about; // the answer is about a record, not about the range alone
    reg c_hit; // `hit` of the answer
    always @(posedge clk) begin
        if (on[IDLE]) begin
            code  <= OK;
            c_hit <= 1'b1;
        end
        if (on[BEGIN]) begin
            about <= !touches;
            if (makes)
                c_hit <= 1'b0;
        end
        if (on[CHECK] && q_met && q_pinned)
            code <= BUSY;
        if (check_answer) begin
            about <= 1'b0;
            c_hit <= 1'b0;
        end
        if (no_victim) begin
            code  <= FULL;
            about <= 1'b0;
        end
        if (on[CHOOSE] && !possible)
            code <= NOSPACE;
    end

    // ======== beats of the record in registers, or of the record that the answer is about
    wire answers; // the beat is the answer
    wire beats;   // the record in registers has a beat to send
    assign answers   = on[ANSWER];
    assign beats     = stall && (p_downs || p_drops);
    assign push      = ((beats || on[ONE] || up) && room) || answers;
    assign push_last = answers;
    assign odd       = of_read && p_odd;
    assign b_told    = about || kind != K_ANSWER;
    assign b_code    = spoilt ? BADWORD : code;
    assign b_hit     = c_hit;
    assign b_base    = p_use[ADDR_W:0];
    always @(posedge clk) begin
        kind   <= on[UP] ? K_UP : on[ONE] ? (op == TO_CPU ? K_DOWN : K_DROP) : of_read ? (p_downs ? K_DOWN : K_DROP) : K_ANSWER;
        b_read <= of_read;
    end

    // ======== writes: a record that moves, or the record of the answer, a cycle late; the uses of the record in registers, at once
    wire               closes;   // the record that comes goes down by `gap` places
    wire               opens;    // the record that comes goes up by a place
    wire               fix_n;    // a whole record is written in the next cycle
    reg                moves;    // the record in registers moves
    reg  [PLACE_W-1:0] to_place; // place to which the record in registers moves
    reg                c_we;     // the uses of the answer's record, or of a record that moves, are written
    reg  [1:0]         c_par;    // parity bits of the answer's record
    wire               shares;   // the record in registers becomes S, not C
    assign closes = on[CLOSE] && here && !first;
    assign opens  = on[OPEN] && here && !first;
    assign fix_n  = closes || opens || on[PUT];
    assign used_n = used - (on[CLOSE] && ends ? gap : {PLACE_W{1'b0}}) + {{PLACE_W-1{1'b0}}, on[PUT] && !merged};
    always @(posedge clk) begin
        fix_we   <= !rst && fix_n;
        c_we     <= !rst && (fix_n || (answers && about));
        moves    <= closes || opens;
        to_place <= closes ? at - gap : at + 1'b1;
        c_par    <= {^{asid, c_last}, ^{asid, c_start}};
    end
    // RECORDS changes the record in registers if the record stays in the table (with `move`), R_BEATS in any case
    assign shares    = reads && !leaves;
    assign use_we    = c_we || (on[RECORDS] && move && !finds && !frees && p_gpu) || (on[R_BEATS] && stall);
    assign w_place   = moves ? to_place : of_read ? p_at : place;
    assign fix_w     = moves ? fix_was : {asid, c_start, c_last};
    assign fix_w_par = moves ? fix_was_par : c_par;
    assign use_w     = !moves && !of_read ? c_use :
                       {of_read ? (shares ? S : C) : p_use[USE_W-1 -: 2], p_use[USE_W-3 -: 12], of_read && !shares ? {ADDR_W+1{1'b0}} : p_use[ADDR_W:0]};
    // the parity bit of p_use changes with the bits of the uses that change
    assign use_w_par = !moves && !of_read ? ^c_use :
                       p_use_par ^ (of_read && ^(p_use[USE_W-1 -: 2] ^ (shares ? S : C))) ^ (of_read && !shares && ^p_use[ADDR_W:0]);

endmodule
`default_nettype wire
