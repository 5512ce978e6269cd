// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_engine: the operations of range_dir that take more than a beat, or more than a record (docs/blocks/range_dir.md).
//
// Checks come first, then transfers, then the records move. The engine is in one step at a time:
//
//   step    | what happens                                                     | next
//   --------|------------------------------------------------------------------|-------------------------------------------------------
//   IDLE    | The operation comes, with the record at its place.               | BEGIN
//   BEGIN   | FIND that no record contains makes a new one of the range.       | Records are met: CHECK. A new record: table full VICTIM,
//           |                                                                  | behind all PUT, else OPEN. A record that is there:
//           |                                                                  | TO_CPU and INV_GPU ONE, TO_GPU of S UP, else ROOM.
//   CHECK   | The records that are met are read: is one of them pinned?        | One is: ANSWER (BUSY). None: RECORDS.
//           | Hits are summed, FIND's record becomes the hull.                 |
//   RECORDS | They are read again. The beats of each are sent, its state is    | FIND: PUT. RELEASE: CLOSE. READ_CPU, WRITE_CPU: ANSWER.
//           | written.                                                         |
//   VICTIM  | All records are read: which one leaves the table?                | V_BEATS. All are pinned: ANSWER (FULL).
//   V_BEATS | Its beats are sent.                                              | CLOSE
//   CLOSE   | Records from `end_at` on go down by `gap` places.                | RELEASE: ANSWER. A victim left: OPEN or PUT. A merge: as
//           |                                                                  | behind PUT.
//   OPEN    | Records from the last down to `place` go up by a place.          | PUT
//   PUT     | The record is written to `place`.                                | Several merged: CLOSE. LOOKUP: ANSWER. Else: ROOM.
//   ROOM    | All records are read: their bytes in GPU memory are summed. The  | SUMS
//           | least one is found.                                              |
//   SUMS    | The sums become ready.                                           | CHOOSE
//   CHOOSE  | Does the record fit?                                             | Yes: UP. When another leaves: R_BEATS. Never: ANSWER (NOSPACE).
//   R_BEATS | The least record's beats are sent, and it is written as C.       | ROOM
//   UP      | The record's UP is sent, unless the GPU writes all of it.        | ANSWER
//   ONE     | The record's DOWN or DROP is sent.                               | ANSWER
//   ANSWER  | The answer is sent, and the record's uses are written.           | IDLE
//
// After a corrupt word in CHECK or VICTIM, ANSWER follows them; after one in ROOM or before, ANSWER follows CHOOSE.
//
// The parts: range_dir_reader reads records, one a cycle. What it read stands in registers (p_) two cycles later; range_dir_met
// says in CHECK what it is to the range (q_), range_dir_least which record leaves, range_dir_space whether there is room.
// range_dir_record has the record that the answer is about (c_).
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
    parameter OP_W    = 14 + FIX_W,
    parameter BEAT_W  = 17 + FIX_W + ADDR_W
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [ADDR_W-1:0]  cfg_range_bytes, // The bytes of GPU memory for records in G and S.
    // an operation, the place of its range and the record there, with the hit counted
    input  wire               start,        // An operation comes, if the engine is not busy.
    input  wire [OP_W-1:0]    op_in,        // The operation: {whole, pin, op, tag, asid, start, last}.
    input  wire [PLACE_W-1:0] place_in,     // The place of its range.
    input  wire               met_in,       // The range meets the record there.
    input  wire               contained_in, // That record has every byte of the range.
    input  wire               covered_in,   // The range has every byte of that record.
    input  wire               early,        // The record begins before the range.
    input  wire [2*ADDR_W-1:0] range_in,    // The record's {start, last}.
    input  wire [10+ADDR_W:0] use_in,       // The record's {state, hits, base_ok, base}: it has no pins.
    input  wire [PLACE_W-1:0] used,         // The number of records in the table.
    output wire [PLACE_W-1:0] used_n,       // That number in the next cycle.
    output wire               busy,         // An operation is under way.
    output wire               done,         // The operation is done; the answer is pushed in the same cycle.
    // the table: reads, whose words come in the next cycle, and writes, a cycle late
    output wire [PLACE_W-1:0] r_place,      // The place that is read.
    output wire               stall,        // Nothing is read: the words that came last stay.
    input  wire [FIX_W-1:0]   fix,          // The record {asid, start, last} that comes.
    input  wire [FIX_W-1:0]   fix_was,      // The record that came in the cycle before.
    input  wire [USE_W-1:0]   use_q,        // The uses {state, hits, pins, base_ok, base} that come.
    input  wire [1:0]         fix_par,      // PARITY: the bits of `fix`, of {asid, last} and of {asid, start}.
    input  wire [1:0]         fix_was_par,  // PARITY: the bits of `fix_was`.
    input  wire               use_par,      // PARITY: the bit of `use_q`.
    output reg                fix_we,       // The record `fix_w` is written.
    output reg                use_we,       // The uses `use_w` are written.
    output reg                as_read,      // PARITY: both are as they were read, with these bits.
    output reg                as_use_par,   // PARITY: the bit of `use_w`, where it is as it was read.
    output reg  [1:0]         fix_w_par,    // PARITY: the bits of `fix_w`.
    output reg                use_bad,      // PARITY: `use_w` is made of a corrupt word.
    output wire               bad,          // PARITY, with `done`: a word that the operation needed was corrupt.
    output reg  [PLACE_W-1:0] w_place,      // The place that is written.
    output reg  [FIX_W-1:0]   fix_w,        // The record {asid, start, last} that is written.
    output reg  [USE_W-1:0]   use_w,        // The uses that are written.
    // beats
    input  wire               room,         // There is room for a transfer; for the answer there always is.
    output wire               push,         // A beat is sent.
    output wire               push_last,    // It is the answer.
    output wire               odd,          // The beat's record is corrupt: the beat is not to be sent.
    output wire [BEAT_W-1:0]  beat          // The beat: {kind, code, tag, state, hit, base_ok, asid, start, last, base}.
);

    localparam [1:0] C = 2'd0, S = 2'd2;
    localparam [1:0] K_UP = 2'd0, K_DOWN = 2'd1, K_DROP = 2'd2, K_ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, BUSY = 3'd2, FULL = 3'd3, NOSPACE = 3'd4, BADWORD = 3'd6;
    localparam [3:0] LOOKUP = 4'd0, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4,
                     RELEASE = 4'd5, TO_GPU = 4'd6, TO_CPU = 4'd7, INV_GPU = 4'd8;
    localparam IDLE = 0, BEGIN = 1, CHECK = 2, RECORDS = 3, CLOSE = 4, VICTIM = 5, V_BEATS = 6, OPEN = 7, PUT = 8,
               ROOM = 9, SUMS = 10, CHOOSE = 11, R_BEATS = 12, UP = 13, ONE = 14, ANSWER = 15;

    // ======== what the parts below share
    reg  [15:0]        on;        // The step: its bit alone is 1.
    reg                first;     // The step is in its first cycle, in which it says where it reads.
    reg                young;     // The step is in one of its first two cycles: nothing has been read yet.
    reg                spoilt;    // A word that the operation looked at was corrupt.
    reg  [2:0]         code;      // The code of the answer.
    reg  [PLACE_W-1:0] place;     // The place of the record that the answer is about.
    reg  [PLACE_W-1:0] end_at;    // The first place behind the records that are met, or that leave.
    reg  [PLACE_W-1:0] gap;       // The number of places by which CLOSE moves records.
    wire [PLACE_W-1:0] last_at;   // The place of the last record.
    assign last_at = used - 1'b1;
    wire [ADDR_W-1:0]  c_start;   // The first byte of the record that the answer is about.
    wire [ADDR_W-1:0]  c_last;    // Its last byte.
    wire [1:0]         c_state;   // Its state.
    wire               covered;   // The range has every byte of it.

    // ======== the operation
    reg  [FIX_W+11:0]  op_r;      // The operation: {op, tag, asid, start, last}.
    reg                finds;     // It has a FIND: LOOKUP, READ_GPU, WRITE_GPU.
    reg                frees;     // It is RELEASE.
    reg                reads;     // It is READ_CPU.
    reg                touches;   // It is READ_CPU, WRITE_CPU or RELEASE: it is about all records that are met.
    reg                makes;     // It is a FIND that no record contains: it makes one, of the range or of a hull.
    reg                pin;       // It pins its record.
    reg                whole;     // Every byte of the range will be written, or is no more.
    reg                merged;    // The range meets a record.
    reg                full;      // The table has no room for another record.
    reg                at_end;    // The range is behind all records.
    wire [3:0]         op;        // Its number.
    wire [ASID_W-1:0]  asid;      // Its address space.
    wire [ADDR_W-1:0]  o_start;   // The first byte of its range.
    wire [ADDR_W-1:0]  o_last;    // The last byte of its range.
    wire [3:0]         op_n;      // The number of the operation that comes.
    assign {op, asid, o_start, o_last} = {op_r[FIX_W+8 +: 4], op_r[FIX_W-1:0]};
    assign op_n = op_in[FIX_W+8 +: 4];
    always @(posedge clk)
        if (on[IDLE]) begin
            op_r    <= op_in[FIX_W+11:0];
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
    wire [PLACE_W-1:0] begins_at; // The first place that the step reads.
    wire [PLACE_W-1:0] least_at;  // The place of the record that is to leave.
    wire               leaves;    // The step's record leaves the GPU, whatever the operation is.
    wire               of_read;   // The step sends the beats of each record that is read.
    wire               want_down; // The record that comes is to be transferred to the CPU.
    wire               want_drop; // The record that comes is to leave the GPU.
    wire [PLACE_W-1:0] at;        // The place whose words come.
    wire               here;      // There is a record at `at`.
    wire [PLACE_W-1:0] p_at;      // The place whose words are in registers.
    wire               p_here;    // There is a record at `p_at`.
    wire [USE_W-1:0]   p_use;     // Its uses.
    wire               p_use_par; // The parity bit of its uses.
    wire               p_ends;    // It is the last record of the step.
    wire               p_downs;   // Its DOWN is still to be sent.
    wire               p_drops;   // Its DROP is still to be sent.
    wire               move;      // All beats of the record are sent.
    wire               ends;      // The step has come to the end of the table.
    reg                first_in;  // The range has every byte of the first record that is met; it has those of all between.
    reg                last_in;   // The range has every byte of the last record that is met.
    assign leaves    = on[V_BEATS] || on[R_BEATS];
    assign of_read   = leaves || on[RECORDS];
    assign begins_at = on[CHECK] || on[RECORDS] ? place : on[CLOSE] ? end_at : on[OPEN] ? last_at : leaves ? least_at : {PLACE_W{1'b0}};
    assign ends      = !young && !here;
    // what is newest on the GPU is kept, but where all of it is written
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
    wire [ASID_W-1:0]  p_asid;    // The address space of the record in registers.
    wire [ADDR_W-1:0]  p_start;   // Its first byte.
    wire [ADDR_W-1:0]  p_last;    // Its last byte.
    wire [7:0]         p_hits;    // Its hits.
    wire               p_pinned;  // It has pins.
    wire               p_gpu;     // It is in G or S.
    wire               p_new;     // It is in G.
    assign {p_asid, p_start, p_last} = fix_was;
    assign p_hits   = p_use[ADDR_W+5 +: 8];
    assign p_pinned = p_use[ADDR_W+1 +: 4] != 4'd0;
    assign p_gpu    = p_use[USE_W-1 -: 2] != C;
    assign p_new    = p_use[USE_W-2];

    // ---- corrupt words
    wire               p_use_odd; // The uses of the record in registers are corrupt.
    wire               p_odd;     // The record in registers, or its uses, are corrupt.
    // (`keep`: whether it is odd is known late, a mapper puts that before what is early)
    (* keep *) wire    looks;     // The operation looks at the record in registers.
    assign looks     = p_here && !first && ((!young && (on[CHECK] || on[VICTIM] || on[ROOM])) || of_read);
    assign p_use_odd = PARITY != 0 && ^{p_use_par, p_use};
    assign p_odd     = p_use_odd || (PARITY != 0 && (^{fix_was_par[1], p_asid, p_last} || ^{fix_was_par[0], p_asid, p_start}));
    assign bad       = spoilt;
    always @(posedge clk)
        spoilt <= (spoilt && !on[IDLE]) || (looks && p_odd);

    // ======== CHECK: the records that are met
    wire               q_read;    // The following are of a place that CHECK looks at.
    wire               q_met;     // A record is there, and the range meets it.
    wire               q_pinned;  // It is pinned, and the operation would change it.
    wire               q_beyond;  // It ends behind the range.
    wire [PLACE_W-1:0] q_at;      // Its place.
    wire [7:0]         q_hits;    // Its hits.
    wire [ADDR_W-1:0]  q_last;    // Its last byte.
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
        .q_hits(q_hits),
        .q_last(q_last)
    );

    // ======== VICTIM, ROOM: which record leaves, and is there room
    wire               again;     // Neither has begun.
    wire               found;     // A record may leave.
    wire               roomy;     // The record fits beside all that are in GPU memory.
    wire               possible;  // The record fits beside the pinned ones.
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
        .counts(on[ROOM] && !young && p_here && p_gpu),
        .p_pinned(p_pinned),
        .p_start(p_start),
        .p_last(p_last),
        .c_start(c_start),
        .c_last(c_last),
        .roomy(roomy),
        .possible(possible)
    );

    // ======== the steps: each one's end, and what follows (the table above)
    wire [15:0]        over;      // A step would end in this cycle, if the engine is in it.
    wire [15:0]        to;        // The step that begins in the next cycle.

    // ---- BEGIN takes a cycle
    wire new_record   = on[BEGIN] && makes && !merged;            // FIND that meets no record
    wire old_record   = on[BEGIN] && !makes && !touches;          // the record is there
    wire sends_one    = op == TO_CPU || op == INV_GPU;            // the operation has one transfer, from the GPU
    wire is_shared    = op == TO_GPU && c_state == S;             // the operation's record is in GPU memory already
    wire begin_check  = on[BEGIN] && (makes ? merged : touches);
    wire begin_victim = new_record && full;
    wire begin_open   = new_record && !full && !at_end;
    wire begin_put    = new_record && !full && at_end;
    wire begin_one    = old_record && sends_one;
    wire begin_up     = old_record && is_shared;
    wire begin_room   = old_record && !sends_one && !is_shared;

    // ---- CHECK ends with the first record that is not met
    wire check_over    = q_read && !q_met;
    wire refuse        = code == BUSY || spoilt;                  // none of the operation is done
    wire check_answer  = on[CHECK] && check_over && refuse;
    wire check_records = on[CHECK] && check_over && !refuse;

    // ---- RECORDS ends with the beats of the last record that is met
    wire records_over   = on[RECORDS] && move && p_ends;
    wire records_put    = records_over && finds;
    wire records_close  = records_over && frees;
    wire records_answer = records_over && !finds && !frees;

    // ---- VICTIM ends when the last record of the table was looked at
    wire victim_over   = ends && !p_here;
    wire no_victim     = on[VICTIM] && victim_over && (!found || spoilt);
    wire victim_beats  = on[VICTIM] && victim_over && found && !spoilt;

    // ---- V_BEATS ends with the beats of the record
    wire v_beats_close = on[V_BEATS] && move;

    // ---- CLOSE ends with the last record of the table; the record is written behind it, or was before
    wire closed       = on[CLOSE] && ends && !frees;
    wire close_open   = closed && !merged && last_at != place;
    wire close_put    = closed && !merged && last_at == place;
    wire close_answer = on[CLOSE] && ends && frees;

    // ---- OPEN ends when the record at `place` has gone up
    wire open_over = here && !first && at == place;

    // ---- PUT takes a cycle; several records merged leave places free
    wire moved     = merged && gap != {PLACE_W{1'b0}};
    wire put_close = on[PUT] && moved;
    wire is_put    = (on[PUT] && !moved) || (closed && merged);   // FIND is done, behind PUT or CLOSE

    // ---- ROOM ends with the last record of the table, SUMS when the sums are ready
    reg  [1:0] sums;                                              // Cycles of SUMS that are over.
    wire room_sums   = on[ROOM] && ends;
    wire sums_choose = on[SUMS] && sums[1];

    // ---- CHOOSE takes a cycle
    wire choose_up     = on[CHOOSE] && possible && roomy && !spoilt;
    wire choose_beats  = on[CHOOSE] && possible && !roomy && !spoilt;
    wire choose_answer = on[CHOOSE] && (!possible || spoilt);

    // ---- R_BEATS ends with the beats of the record
    wire r_beats_room = on[R_BEATS] && move;

    // ---- UP ends with its beat, if it has one; ONE ends with its beat
    wire up         = on[UP] && !(op == WRITE_GPU && whole && covered);
    wire ups        = !up || room;
    wire up_answer  = on[UP] && ups;
    wire one_answer = on[ONE] && room;

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

    wire changes_step = (on & over) != 16'd0; // Another step begins in the next cycle.
    always @(posedge clk) begin
        on    <= rst ? 16'd1 : to | (on & ~over);
        first <= changes_step;
        young <= changes_step || first;
        sums  <= {sums[0], on[SUMS] && first};
    end
    assign busy = !on[IDLE];
    assign done = on[ANSWER];

    // ======== the record that the answer is about
    wire [7:0]         c_hits;    // Its hits.
    wire               c_pin;     // Its pins, one or none.
    wire               c_based;   // It has a base.
    wire [ADDR_W-1:0]  c_base;    // Its base.
    wire               begins;    // The range begins before the record that it meets.
    assign begins = first_in || !merged;
    gmmu_range_dir_record #(.ADDR_W(ADDR_W)) record (
        .clk(clk),
        .takes(on[IDLE]),
        .in_start(range_in[2*ADDR_W-1:ADDR_W]),
        .in_last(range_in[ADDR_W-1:0]),
        .in_use(use_in),
        .in_covered(covered_in),
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
        .returns(one_answer),
        .stays(op == TO_CPU),
        .c_start(c_start),
        .c_last(c_last),
        .c_state(c_state),
        .c_hits(c_hits),
        .c_pin(c_pin),
        .c_based(c_based),
        .c_base(c_base),
        .covered(covered)
    );

    // ---- places: the record's, and of those that are met or leave
    always @(posedge clk) begin
        if (on[IDLE]) begin
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

    // ---- the answer's code, and whether it is about a record
    reg                about;     // It is about a record, not about the range alone.
    reg                c_hit;     // It says `hit`.
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

    // ======== beats: of the record in registers, or of the one that the answer is about
    wire               answers;   // The beat is the answer.
    wire               beats;     // The record in registers has a beat to send.
    wire               of_c;      // The beat is about the record of the answer, not about the range alone.
    wire [1:0]         kind;      // The beat's kind.
    wire [13:0]        about_op;  // The beat's {code, tag, state, hit}: an answer has them.
    assign answers   = on[ANSWER];
    assign beats     = stall && (p_downs || p_drops);
    assign of_c      = about || !answers;
    assign push      = ((beats || on[ONE] || up) && room) || answers;
    assign push_last = answers;
    assign odd       = of_read && p_odd;
    assign kind      = answers ? K_ANSWER : up ? K_UP : (on[ONE] ? op == TO_CPU : p_downs) ? K_DOWN : K_DROP;
    assign about_op  = answers ? {spoilt ? BADWORD : code, op_r[FIX_W +: 8], about ? c_state : C, c_hit} : 14'd0;
    assign beat      = of_read ? {kind, about_op, p_use[ADDR_W], fix_was, p_use[ADDR_W-1:0]}
                               : {kind, about_op, of_c && c_based, of_c ? {asid, c_start, c_last} : op_r[FIX_W-1:0], of_c ? c_base : {ADDR_W{1'b0}}};

    // ======== writes: a record that moves, the record of the answer, or the uses of the record in registers
    wire               closes;    // The record that comes goes down by `gap` places.
    wire               opens;     // The record that comes goes up by a place.
    wire               changes;   // RECORDS changes the record in registers, which stays.
    wire               fix_n;     // A whole record is written.
    assign closes  = on[CLOSE] && here && !first;
    assign opens   = on[OPEN] && here && !first;
    assign changes = on[RECORDS] && move && !finds && !frees && p_gpu;
    assign fix_n   = closes || opens || on[PUT];
    assign used_n  = used - (on[CLOSE] && ends ? gap : {PLACE_W{1'b0}}) + {{PLACE_W-1{1'b0}}, on[PUT] && !merged};
    always @(posedge clk) begin
        fix_we     <= !rst && fix_n;
        use_we     <= !rst && (fix_n || (answers && about) || changes || (on[R_BEATS] && stall));
        as_read    <= closes || opens;
        as_use_par <= use_par;
        fix_w_par  <= closes || opens ? fix_par : {^{asid, c_last}, ^{asid, c_start}};
        use_bad    <= of_read && p_use_odd;
        w_place    <= closes ? at - gap : opens ? at + 1'b1 : of_read ? p_at : place;
        fix_w      <= closes || opens ? fix : {asid, c_start, c_last};
        use_w      <= closes || opens              ? use_q
                      : of_read && !leaves && reads ? {S, p_use[USE_W-3:0]}
                      : of_read                    ? {C, p_use[USE_W-3 -: 12], {ADDR_W+1{1'b0}}}
                                                   : {c_state, c_hits, 3'd0, c_pin, c_based, c_base};
    end

endmodule
`default_nettype wire
