// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_engine: the operations of range_dir that take more than a beat, or more than a record (docs/blocks/range_dir.md).
//
// It reads a record a cycle, or one in two where it waits for beats; what is read at a place comes in the next one (`at`, `here`).
// Checks first, then transfers, then the records move:
//
//   IDLE ─► BEGIN ─► FIND, none met: [VICTIM ─► V_BEATS ─► CLOSE] ─► [OPEN] ─► PUT ─► ROOM
//                    FIND, merged:   CHECK ─► RECORDS ─► PUT ─► [CLOSE] ─► ROOM
//                    READ_CPU, WRITE_CPU, RELEASE: CHECK ─► RECORDS ─► [CLOSE] ─► ANSWER
//                    the record is to go to the GPU: ROOM ─► SUMS ─► CHOOSE ─► [R_BEATS ─► ROOM …] ─► UP ─► ANSWER
//                    TO_CPU, INV_GPU: ONE ─► ANSWER
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
    input  wire [ADDR_W-1:0]  cfg_range_bytes,
    // an operation, the place of its range and the record there, with the hit counted
    input  wire               start,
    input  wire [OP_W-1:0]    op_in,        // {whole, pin, op, tag, asid, start, last}
    input  wire [PLACE_W-1:0] place_in,
    input  wire               met_in, contained_in, covered_in,
    input  wire               early,        // the record begins before the range
    input  wire [2*ADDR_W-1:0] range_in,    // {start, last}
    input  wire [10+ADDR_W:0] use_in,       // {state, hits, base_ok, base}: it has no pins
    input  wire [PLACE_W-1:0] used,
    output wire [PLACE_W-1:0] used_n,
    output wire               busy,
    output wire               done,         // with the answer
    // the table: reads, which come in the next cycle, and writes, a cycle late
    output wire [PLACE_W-1:0] r_place,
    output wire               stall,        // reads nothing: what came last stays
    input  wire [FIX_W-1:0]   fix,
    input  wire [FIX_W-1:0]   fix_was,      // what came in the cycle before
    input  wire [USE_W-1:0]   use_q,
    input  wire [1:0]         fix_par, fix_was_par, // PARITY: their bits, of {asid, last} and {asid, start}
    input  wire               use_par,
    output reg                fix_we, use_we,
    output reg                as_read,      // PARITY: both are as they were read, with these bits
    output reg                as_use_par,
    output reg  [1:0]         fix_w_par,    // PARITY: fix_w's bits
    output reg                use_bad,      // use_w is of a word that turned bad
    output wire               bad,          // with done: a word that the operation needed had turned bad
    output reg  [PLACE_W-1:0] w_place,
    output reg  [FIX_W-1:0]   fix_w,
    output reg  [USE_W-1:0]   use_w,
    // beats
    input  wire               room,         // for a transfer; for the answer there always is
    output wire               push, push_last,
    output wire               odd,          // the record of the beat had turned bad: it is not to be sent
    output wire [BEAT_W-1:0]  beat          // {kind, code, tag, state, hit, base_ok, asid, start, last, base}
);

    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;
    localparam [1:0] K_UP = 2'd0, K_DOWN = 2'd1, K_DROP = 2'd2, K_ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, BUSY = 3'd2, FULL = 3'd3, NOSPACE = 3'd4, BADWORD = 3'd6;
    localparam [3:0] LOOKUP = 4'd0, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4,
                     RELEASE = 4'd5, TO_GPU = 4'd6, TO_CPU = 4'd7, INV_GPU = 4'd8;
    localparam IDLE = 0, BEGIN = 1, CHECK = 2, RECORDS = 3, CLOSE = 4, VICTIM = 5, V_BEATS = 6, OPEN = 7, PUT = 8,
               ROOM = 9, SUMS = 10, CHOOSE = 11, R_BEATS = 12, UP = 13, ONE = 14, ANSWER = 15;

    reg  [15:0]        on;           // the step: its bit alone
    wire [15:0]        over, to;     // it ends; the next one
    reg  [FIX_W+11:0]  op_r;
    wire [3:0]         op      = op_r[FIX_W+8 +: 4];
    reg                finds, frees, reads, touches, makes, pin, whole;  // what it is
    reg                merged;       // FIND met records
    reg                full, at_end; // no record more; the range is behind all
    wire [ASID_W-1:0]  asid    = op_r[FIX_W-1 -: ASID_W];
    wire [ADDR_W-1:0]  o_last  = op_r[ADDR_W-1:0];

    // ======== the record that the answer is about, and its place
    reg  [PLACE_W-1:0] place;
    reg  [ADDR_W-1:0]  c_start, c_last, c_base;
    reg  [1:0]         c_state;
    reg  [7:0]         c_hits;
    reg                c_pin;        // pins, or none: where the engine changes one of them
    reg                c_based, c_hit, covered;
    reg  [2:0]         code;
    reg                about;

    // ======== the record that was read, and, a cycle later, in registers
    reg  [PLACE_W-1:0] next_at;      // read in this cycle
    reg  [PLACE_W-1:0] at, p_at, q_at;
    reg                here, p_here; // it was, and there is such a record
    reg                first, young; // the first cycle of a step, which says where it reads; the first two, in which nothing was read yet
    reg  [USE_W-1:0]   p_use;
    reg                p_use_par, spoilt;  // spoilt: a word that was looked at had turned bad
    // a word is looked at (`keep`: whether it is odd is known late, a mapper puts that before what is early)
    (* keep *) wire    looks;
    wire [ASID_W-1:0]  p_asid  = fix_was[FIX_W-1 -: ASID_W];
    wire [ADDR_W-1:0]  p_start = fix_was[2*ADDR_W-1:ADDR_W];
    wire [ADDR_W-1:0]  p_last  = fix_was[ADDR_W-1:0];
    wire               p_use_odd = PARITY != 0 && ^{p_use_par, p_use};
    wire               p_odd     = p_use_odd || (PARITY != 0 && (^{fix_was_par[1], p_asid, p_last} || ^{fix_was_par[0], p_asid, p_start}));
    wire [7:0]         p_hits  = p_use[ADDR_W+5 +: 8];
    wire               p_pinned = p_use[ADDR_W+1 +: 4] != 4'd0;
    wire               p_gpu   = p_use[USE_W-1 -: 2] != C;
    wire               p_new   = p_use[USE_W-2];  // G
    // CHECK: what is met
    reg                p_read, q_read, q_met, q_pinned, q_beyond;
    reg  [7:0]         q_hits;
    reg  [ADDR_W-1:0]  q_last;
    reg  [PLACE_W-1:0] end_at;       // the first that is not met
    // of records that are met the first and the last alone may have bytes that the range has not
    reg                first_in, last_in, p_ends;

    // the record begins before the range ends: behind carries, two of half the length, so last (`keep`: a mapper puts it before what is early)
    localparam HALF = ADDR_W / 2;
    (* keep *) wire q_may, q_begins;
    assign q_may    = on[CHECK] && !young && p_here && p_asid == asid;
    assign q_begins = p_start[ADDR_W-1:HALF] < o_last[ADDR_W-1:HALF] ||
                      (p_start[ADDR_W-1:HALF] == o_last[ADDR_W-1:HALF] && p_start[HALF-1:0] <= o_last[HALF-1:0]);

    // ======== steps that wait for a record's beats: DOWN, DROP
    reg                p_downs, p_drops; // it wants them, and they are not sent
    reg                move;             // all of them are: on to the next record
    wire               leaves  = on[V_BEATS] || on[R_BEATS];  // the GPU, whatever the operation
    wire               of_read = leaves || on[RECORDS];
    assign stall = of_read && p_here && !first && !move;
    assign looks = p_here && !first && ((!young && (on[CHECK] || on[VICTIM] || on[ROOM])) || of_read);
    wire               beats   = stall && (p_downs || p_drops);
    // ======== and for others
    wire               one     = on[ONE];
    wire               up      = on[UP] && !(op == WRITE_GPU && whole && covered);
    wire               ups     = !up || room;
    wire               answers = on[ANSWER];
    wire               of_c    = about || !answers;
    assign push      = ((beats || one || up) && room) || answers;
    assign push_last = answers;
    assign done      = answers;
    assign bad       = spoilt;
    assign odd       = of_read && p_odd;
    assign busy      = !on[IDLE];
    wire [1:0]         kind    = answers ? K_ANSWER : up ? K_UP : (one ? op == TO_CPU : p_downs) ? K_DOWN : K_DROP;
    wire [13:0]        told    = answers ? {spoilt ? BADWORD : code, op_r[FIX_W +: 8], about ? c_state : C, c_hit} : 14'd0;
    assign beat = of_read ? {kind, told, p_use[ADDR_W], fix_was, p_use[ADDR_W-1:0]}
                          : {kind, told, of_c && c_based, of_c ? {asid, c_start, c_last} : op_r[FIX_W-1:0], of_c ? c_base : {ADDR_W{1'b0}}};

    // ======== reads and writes
    reg  [PLACE_W-1:0] gap;          // CLOSE: places that records go down; so many end
    reg  [PLACE_W-1:0] least_at;     // the record that leaves, as far as was looked
    wire [PLACE_W-1:0] last_at = used - 1'b1;
    wire [PLACE_W-1:0] starts  = on[CHECK] || on[RECORDS] ? place : on[CLOSE] ? end_at : on[OPEN] ? last_at : leaves ? least_at : {PLACE_W{1'b0}};
    assign r_place = next_at;
    wire               ends    = !young && !here;       // a step that streams upwards
    wire               closes  = on[CLOSE] && here && !first;
    wire               opens   = on[OPEN] && here && !first;
    wire               changes = on[RECORDS] && move && !finds && !frees && p_gpu;
    wire               fix_n   = closes || opens || on[PUT];
    assign used_n = used - (on[CLOSE] && ends ? gap : {PLACE_W{1'b0}}) + {{PLACE_W-1{1'b0}}, on[PUT] && !merged};

    // ======== which record leaves: unpinned, least (state is not C, hits), the first of equals; ROOM: of those in G and S
    reg                found;
    reg  [8:0]         least;
    wire [8:0]         worth  = {p_gpu && on[VICTIM], p_hits};
    reg                p_victim, p_room; // it is looked at in such a step
    wire               p_may  = !p_pinned && (p_victim || (p_room && p_gpu));
    wire               better = p_may && (!found || worth < least);

    // ======== room: bytes that all records in G and S leave, and those that are pinned; fits: as many as they have there are
    reg  [ADDR_W-1:0]  size, left_all, left_stays;
    reg  [HALF-1:0]    r_size;
    reg  [ADDR_W-HALF-1:0] r_last, r_start, h_size;
    reg                less, r_less, r_valid, r_stays, h_valid, h_stays, h_all, h_kept, fits_all, fits_stays, low_all, low_stays, roomy, possible;
    reg  [1:0]         sums;         // cycles of SUMS
    wire [8:0]         hits_sum = {1'b0, c_hits} + {1'b0, q_hits};
    wire [3:0]         op_n     = op_in[FIX_W+8 +: 4];

    // ======== which step ends, and what follows
    wire               moved   = merged && gap != {PLACE_W{1'b0}};      // PUT, and records behind it go down
    wire               closed  = on[CLOSE] && ends && !frees;
    wire               put     = (on[PUT] && !moved) || (closed && merged);
    wire               makes_1 = on[BEGIN] && makes && !merged;
    wire               else_1  = on[BEGIN] && !makes && !touches;
    wire               begins  = first_in || !merged;                   // the range, before what it meets
    wire               refuse  = code == BUSY || spoilt;
    wire               sends_1 = op == TO_CPU || op == INV_GPU;
    wire               up_1    = op == TO_GPU && c_state == S;
    assign over[IDLE]    = start;
    assign over[BEGIN]   = 1'b1;
    assign over[CHECK]   = q_read && !q_met;
    assign over[RECORDS] = move && p_ends;
    assign over[CLOSE]   = ends;
    assign over[VICTIM]  = ends && !p_here;
    assign over[V_BEATS] = move;
    assign over[OPEN]    = here && !first && at == place;
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
    assign to[CHECK]   = on[BEGIN] && (makes ? merged : touches);
    assign to[RECORDS] = on[CHECK] && over[CHECK] && !refuse;
    assign to[CLOSE]   = (on[RECORDS] && over[RECORDS] && frees) || (on[V_BEATS] && move) || (on[PUT] && moved);
    assign to[VICTIM]  = makes_1 && full;
    assign to[V_BEATS] = on[VICTIM] && over[VICTIM] && found && !spoilt;
    assign to[OPEN]    = (makes_1 && !full && !at_end) || (closed && !merged && last_at != place);
    assign to[PUT]     = (makes_1 && !full && at_end) || (closed && !merged && last_at == place) || (on[OPEN] && over[OPEN]) ||
                         (on[RECORDS] && over[RECORDS] && finds);
    assign to[ROOM]    = (put && op != LOOKUP) || (else_1 && !sends_1 && !up_1) || (on[R_BEATS] && move);
    assign to[SUMS]    = on[ROOM] && ends;
    assign to[CHOOSE]  = on[SUMS] && sums[1];
    assign to[R_BEATS] = on[CHOOSE] && possible && !roomy && !spoilt;
    assign to[UP]      = (on[CHOOSE] && possible && roomy && !spoilt) || (else_1 && up_1);
    assign to[ONE]     = else_1 && sends_1;
    assign to[ANSWER]  = (put && op == LOOKUP) || (on[CHECK] && over[CHECK] && refuse) || (on[RECORDS] && over[RECORDS] && !finds && !frees) ||
                         (on[VICTIM] && over[VICTIM] && (!found || spoilt)) || (on[CLOSE] && ends && frees) || (on[CHOOSE] && (!possible || spoilt)) ||
                         (on[UP] && ups) || (on[ONE] && room);

    always @(posedge clk) begin
        fix_we  <= !rst && fix_n;
        use_we  <= !rst && (fix_n || (answers && about) || changes || (on[R_BEATS] && stall));
        as_read <= closes || opens;
        as_use_par <= use_par;
        fix_w_par  <= closes || opens ? fix_par : {^{asid, c_last}, ^{asid, c_start}};
        use_bad <= of_read && p_use_odd;
        w_place <= closes ? at - gap : opens ? at + 1'b1 : of_read ? p_at : place;
        fix_w   <= closes || opens ? fix : {asid, c_start, c_last};
        use_w   <= closes || opens              ? use_q
                   : of_read && !leaves && reads ? {S, p_use[USE_W-3:0]}
                   : of_read                    ? {C, p_use[USE_W-3 -: 12], {ADDR_W+1{1'b0}}}
                                                : {c_state, c_hits, 3'd0, c_pin, c_based, c_base};
        on      <= rst ? 16'd1 : to | (on & ~over);
        first   <= (on & over) != 16'd0;
        young   <= (on & over) != 16'd0 || first;
        move    <= !rst && stall && ((!p_downs && !p_drops) || (room && !(p_downs && p_drops)));
        sums    <= {sums[0], on[SUMS] && first};
        if (stall && room) begin
            p_downs <= 1'b0;
            p_drops <= p_downs && p_drops;
        end
        if (!stall) begin
            next_at <= first ? starts : on[OPEN] ? next_at - 1'b1 : next_at + 1'b1;
            at      <= next_at;
            p_at    <= at;
            p_use   <= use_q;
            p_use_par <= use_par;
            // what is newest on the GPU is kept, but where all of it is written
            p_downs <= use_q[USE_W-2] && (leaves || finds || reads || !whole || !((at != place || first_in) && (at + 1'b1 != end_at || last_in)));
            p_drops <= use_q[USE_W-1 -: 2] != C && (leaves || !reads);
            p_ends  <= at + 1'b1 == end_at;
            here    <= !first && (young || here) && next_at < used;
            p_here  <= here && !first;
            p_victim <= here && !first && on[VICTIM];
            p_room   <= here && !first && on[ROOM];
        end
        // (nothing is found in steps in which none may leave)
        found <= (found || p_may) && !(on[BEGIN] || on[R_BEATS] || on[PUT] || on[CLOSE]);
        if (better) begin
            least    <= worth;
            least_at <= p_at;
        end
        p_read   <= !young;
        q_read   <= on[CHECK] && p_read && !young;
        q_met    <= q_may && q_begins;
        q_pinned <= p_pinned && (!reads || p_new);
        q_beyond <= p_last > o_last;
        q_at     <= p_at;
        q_hits   <= p_hits;
        q_last   <= p_last;
        // sizes and sums are made in halves, the high one (h) a cycle after the low one
        {r_less, r_size} <= {1'b0, p_last[HALF-1:0]} - {1'b0, p_start[HALF-1:0]};
        {r_last, r_start} <= {p_last[ADDR_W-1:HALF], p_start[ADDR_W-1:HALF]};
        r_valid  <= on[ROOM] && !young && p_here && p_gpu;
        r_stays  <= on[ROOM] && !young && p_here && p_gpu && p_pinned;
        h_size   <= r_last - r_start - {{ADDR_W-HALF-1{1'b0}}, r_less};
        h_valid  <= r_valid;
        h_stays  <= r_stays;
        // left - size - 1
        if (r_valid)
            {h_all, left_all[HALF-1:0]} <= {1'b0, left_all[HALF-1:0]} + {1'b0, ~r_size};
        if (r_stays)
            {h_kept, left_stays[HALF-1:0]} <= {1'b0, left_stays[HALF-1:0]} + {1'b0, ~r_size};
        if (h_valid)
            {fits_all, left_all[ADDR_W-1:HALF]} <= ({1'b0, left_all[ADDR_W-1:HALF]} + {1'b0, ~h_size} + {{ADDR_W-HALF{1'b0}}, h_all})
                                                   & {fits_all, {ADDR_W-HALF{1'b1}}};
        if (h_stays)
            {fits_stays, left_stays[ADDR_W-1:HALF]} <= ({1'b0, left_stays[ADDR_W-1:HALF]} + {1'b0, ~h_size} + {{ADDR_W-HALF{1'b0}}, h_kept})
                                                       & {fits_stays, {ADDR_W-HALF{1'b1}}};
        {less, size[HALF-1:0]} <= {1'b0, c_last[HALF-1:0]} - {1'b0, c_start[HALF-1:0]};
        size[ADDR_W-1:HALF]    <= c_last[ADDR_W-1:HALF] - c_start[ADDR_W-1:HALF] - {{ADDR_W-HALF-1{1'b0}}, less};
        low_all    <= size[HALF-1:0] < left_all[HALF-1:0];
        low_stays  <= size[HALF-1:0] < left_stays[HALF-1:0];
        roomy      <= fits_all && {size[ADDR_W-1:HALF], 1'b0} < {left_all[ADDR_W-1:HALF], low_all};
        possible   <= fits_stays && {size[ADDR_W-1:HALF], 1'b0} < {left_stays[ADDR_W-1:HALF], low_stays};

        if (on[IDLE]) begin
            op_r     <= op_in[FIX_W+11:0];
            finds    <= op_n <= WRITE_GPU;
            frees    <= op_n == RELEASE;
            reads    <= op_n == READ_CPU;
            touches  <= op_n == READ_CPU || op_n == WRITE_CPU || op_n == RELEASE;
            makes    <= op_n <= WRITE_GPU && !contained_in;  // a record, of the range or a hull
            pin      <= op_in[FIX_W+12] && op_n <= WRITE_GPU;
            whole    <= op_in[FIX_W+13] || op_n == RELEASE;
            merged   <= met_in;
            full     <= used == RANGES[PLACE_W-1:0];
            at_end   <= used == place_in;
            place    <= place_in;
            first_in <= !early;
            covered  <= covered_in;
            {c_start, c_last} <= range_in;
            {c_state, c_hits, c_based, c_base} <= use_in;
            c_pin    <= 1'b0;
            c_hit    <= 1'b1;
            code     <= OK;
        end
        if (on[BEGIN]) begin
            about    <= !touches;
            if (makes) begin
                if (begins)
                    c_start <= op_r[2*ADDR_W-1:ADDR_W];
                c_last  <= o_last;
                covered <= begins;
                {c_state, c_hits, c_based, c_base} <= {11+ADDR_W{1'b0}};
                c_hit   <= 1'b0;
            end
        end
        if (on[CHECK] && q_met) begin
            c_hits  <= hits_sum[8] ? 8'hff : hits_sum[7:0];
            last_in <= !q_beyond;
            if (finds && q_beyond) begin
                c_last  <= q_last;
                covered <= 1'b0;
            end
            if (q_pinned)
                code <= BUSY;
        end
        if (on[CHECK] && q_read && !q_met) begin
            end_at  <= q_at;
            if (refuse) begin
                about <= 1'b0;
                c_hit <= 1'b0;
            end
        end
        if (on[RECORDS])
            gap <= end_at - place - {{PLACE_W-1{1'b0}}, finds};
        spoilt <= (spoilt && !on[IDLE]) || (looks && p_odd);
        if (on[VICTIM] && ends && !p_here && (!found || spoilt)) begin
            code  <= FULL;
            about <= 1'b0;
        end
        if (on[V_BEATS]) begin
            gap    <= {{PLACE_W-1{1'b0}}, 1'b1};
            end_at <= least_at + 1'b1;
            if (first)
                place <= place - {{PLACE_W-1{1'b0}}, least_at < place};
        end
        if (on[CHOOSE] && !possible)
            code <= NOSPACE;
        if (on[UP] && ups) begin
            c_state <= op == WRITE_GPU ? G : S;
            c_pin   <= pin;
        end
        if (one && room) begin
            c_state <= op == TO_CPU ? S : C;
            if (op != TO_CPU)
                {c_based, c_base} <= {ADDR_W+1{1'b0}};
        end
        // ROOM: nothing is summed yet
        if (on[BEGIN] || on[R_BEATS] || on[PUT] || on[CLOSE]) begin
            {fits_all, left_all}     <= {1'b1, cfg_range_bytes};
            {fits_stays, left_stays} <= {1'b1, cfg_range_bytes};
        end
    end

endmodule
`default_nettype wire
