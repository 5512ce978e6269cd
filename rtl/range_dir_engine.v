// SPDX-License-Identifier: Apache-2.0
// range_dir_engine: the operations of range_dir that take more than a beat, or more than a record (docs/blocks/range_dir.md).
//
// It reads a record a cycle; what is read at a place comes in the next one (`at`, `here`). Checks first, then
// transfers, then the records move:
//
//   FIND, none met: [VICTIM ─► V_BEATS ─► CLOSE] ─► [OPEN] ─► PUT ─► ROOM
//   FIND, merged:   CHECK ─► RECORDS ─► PUT ─► [CLOSE] ─► ROOM
//   READ_CPU, WRITE_CPU, RELEASE: CHECK ─► RECORDS ─► [CLOSE] ─► ANSWER
//   the record is to go to the GPU: ROOM ─► LAST ─► SUMS ─► CHOOSE ─► [R_BEATS ─► ROOM …] ─► UP ─► ANSWER
//   TO_CPU, INV_GPU: ONE ─► ANSWER
`default_nettype none
module range_dir_engine #(
    parameter RANGES = 16,
    parameter ADDR_W = 32,
    parameter ASID_W = 2,
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
    input  wire [USE_W-1:0]   use_in,       // {state, hits, pins, base_ok, base}
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
    output reg                fix_we, use_we,
    output reg  [PLACE_W-1:0] w_place,
    output reg  [FIX_W-1:0]   fix_w,
    output reg  [USE_W-1:0]   use_w,
    // beats
    input  wire               room,         // for a transfer; for the answer there always is
    output wire               push, push_last,
    output wire [BEAT_W-1:0]  beat          // {kind, code, tag, state, hit, base_ok, asid, start, last, base}
);

    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;
    localparam [1:0] K_UP = 2'd0, K_DOWN = 2'd1, K_DROP = 2'd2, K_ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, BUSY = 3'd2, FULL = 3'd3, NOSPACE = 3'd4;
    localparam [3:0] LOOKUP = 4'd0, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4,
                     RELEASE = 4'd5, TO_GPU = 4'd6, TO_CPU = 4'd7, INV_GPU = 4'd8;
    localparam [3:0] IDLE = 4'd0, CHECK = 4'd1, RECORDS = 4'd2, CLOSE = 4'd3, VICTIM = 4'd4, V_BEATS = 4'd5, OPEN = 4'd6, PUT = 4'd7,
                     ROOM = 4'd8, SUMS = 4'd9, CHOOSE = 4'd10, R_BEATS = 4'd11, UP = 4'd12, ONE = 4'd13, ANSWER = 4'd14, LAST = 4'd15;

    reg  [3:0]         step, next;
    reg  [15:0]        on;           // its bit alone
    wire               go;           // to the next
    reg  [FIX_W+11:0]  op_r;
    wire [3:0]         op      = op_r[FIX_W+8 +: 4];
    reg                finds, frees, reads, pin, whole;  // what it is
    wire [ASID_W-1:0]  asid    = op_r[FIX_W-1 -: ASID_W];
    wire [ADDR_W-1:0]  o_last  = op_r[ADDR_W-1:0];

    // ======== the record that the answer is about, and its place
    reg  [PLACE_W-1:0] place;
    reg  [ADDR_W-1:0]  c_start, c_last, c_base;
    reg  [1:0]         c_state;
    reg  [7:0]         c_hits;
    reg  [3:0]         c_pins;
    reg                c_based, c_hit, covered;
    reg  [2:0]         code;
    reg                about;

    // ======== the record that was read, and, a cycle later, in registers
    reg  [PLACE_W-1:0] next_at;      // read in this cycle
    reg  [PLACE_W-1:0] at, p_at, q_at;
    reg                here, p_here; // it was, and there is such a record
    reg                first;        // the first cycle of a step, in which it has read nothing yet; ROOM has two, as it waits for a write
    reg                second;
    wire               waits = on[ROOM] && first && !second;
    wire               exists = next_at < used;  // it stops behind the last record
    reg  [USE_W-1:0]   p_use;
    wire [ADDR_W-1:0]  p_start = fix_was[2*ADDR_W-1:ADDR_W];
    wire [ADDR_W-1:0]  p_last  = fix_was[ADDR_W-1:0];
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
    reg                p_downs, p_drops; // steps that wait for beats: it wants a DOWN, a DROP

    // ======== steps that wait for a record's beats: DOWN, DROP
    reg                was_down;     // DOWN of it was sent
    wire               leaves  = on[V_BEATS] || on[R_BEATS];  // the GPU, whatever the operation
    wire               of_read = leaves || on[RECORDS];
    wire               down    = p_downs && !was_down;
    wire               drop    = p_drops;
    wire               sent    = (!down && !drop) || (room && !(down && drop));  // all of them are
    wire               beats   = of_read && p_here && (down || drop);
    wire               move    = of_read && p_here && sent;
    assign stall = of_read && p_here && !sent;
    // ======== and for others
    wire               one     = on[ONE];
    wire               up      = on[UP] && !(op == WRITE_GPU && whole && covered);
    wire               ups     = on[UP] && (!up || room);
    wire               answers = on[ANSWER];
    wire               of_c    = about || !answers;
    assign push      = ((beats || one || up) && room) || answers;
    assign push_last = answers;
    assign done      = answers;
    assign busy      = !on[IDLE];
    wire [1:0]         kind    = answers ? K_ANSWER : up ? K_UP : (one ? op == TO_CPU : down) ? K_DOWN : K_DROP;
    wire [13:0]        told    = answers ? {code, op_r[FIX_W +: 8], about ? c_state : C, c_hit} : 14'd0;
    assign beat = of_read ? {kind, told, p_use[ADDR_W], fix_was, p_use[ADDR_W-1:0]}
                          : {kind, told, of_c && c_based, of_c ? {asid, c_start, c_last} : op_r[FIX_W-1:0], of_c ? c_base : {ADDR_W{1'b0}}};

    // ======== reads and writes
    reg  [PLACE_W-1:0] gap;          // CLOSE: places that records go down; so many end
    wire [PLACE_W-1:0] last_at = used - 1'b1;
    assign r_place = next_at;
    wire               ends    = !first && !here;       // a step that streams upwards
    wire               closes  = on[CLOSE] && here;
    wire               opens   = on[OPEN] && here;
    wire               changes = on[RECORDS] && move && !finds && !frees && p_gpu;
    wire               fix_n   = closes || opens || on[PUT];
    assign used_n = used - (on[CLOSE] && ends ? gap : {PLACE_W{1'b0}}) + {{PLACE_W-1{1'b0}}, on[PUT] && !merged};

    // ======== which record leaves: unpinned, least (state is not C, hits), the first of equals; ROOM: of those in G and S
    reg                found;
    reg  [PLACE_W-1:0] least_at;
    reg  [8:0]         least;
    wire [8:0]         worth  = {p_gpu && on[VICTIM], p_hits};
    wire               better = p_here && !first && !p_pinned && (on[VICTIM] || (on[ROOM] && p_gpu)) && (!found || worth < least);

    // ======== room: bytes that all records in G and S leave, and those that are pinned; fits: as many as they have there are
    reg  [ADDR_W-1:0]  size, size_r, left_all, left_stays;
    reg                size_valid, size_stays, fits_all, fits_stays, roomy, possible;
    reg                merged;       // FIND met records
    wire [8:0]         hits_sum = {1'b0, c_hits} + {1'b0, q_hits};
    wire [3:0]         op_n     = op_in[FIX_W+8 +: 4];
    wire               makes    = op_n <= WRITE_GPU && !contained_in;  // a record, of the range or a hull
    wire               touches  = op_n == READ_CPU || op_n == WRITE_CPU || op_n == RELEASE;
    wire               full     = used == RANGES[PLACE_W-1:0];
    wire [3:0]         to_room  = op == LOOKUP ? ANSWER : ROOM;

    // does the step end, and which is the next one
    assign go = (on[IDLE] && start) || (on[CHECK] && q_read && !q_met) || (on[RECORDS] && move && p_ends) || (on[VICTIM] && ends && !p_here) ||
                (on[V_BEATS] && move) || (on[CLOSE] && ends) || (on[OPEN] && here && at == place) || on[PUT] || (on[ROOM] && ends) || on[LAST] ||
                on[SUMS] || on[CHOOSE] || (on[R_BEATS] && move) || (on[UP] && ups) || (on[ONE] && room) || on[ANSWER];
    always @*
        case (step)
            IDLE:    next = makes               ? (met_in ? CHECK : full ? VICTIM : used == place_in ? PUT : OPEN)
                            : touches           ? CHECK
                            : op_n == TO_CPU || op_n == INV_GPU ? ONE
                            : op_n == TO_GPU && use_in[USE_W-1 -: 2] == S ? UP : ROOM;
            CHECK:   next = code == BUSY ? ANSWER : RECORDS;
            RECORDS: next = finds ? PUT : frees ? CLOSE : ANSWER;
            VICTIM:  next = found ? V_BEATS : ANSWER;
            V_BEATS: next = CLOSE;
            CLOSE:   next = frees ? ANSWER : merged ? to_room : last_at == place ? PUT : OPEN;
            OPEN:    next = PUT;
            PUT:     next = merged && gap != {PLACE_W{1'b0}} ? CLOSE : to_room;
            ROOM:    next = LAST;
            LAST:    next = SUMS;
            SUMS:    next = CHOOSE;
            CHOOSE:  next = !possible ? ANSWER : roomy ? UP : R_BEATS;
            R_BEATS: next = ROOM;
            UP, ONE: next = ANSWER;
            default: next = IDLE;
        endcase

    always @(posedge clk) begin
        fix_we  <= !rst && fix_n;
        use_we  <= !rst && (fix_n || (answers && about) || changes || (on[R_BEATS] && move));
        w_place <= closes ? at - gap : opens ? at + 1'b1 : of_read ? p_at : place;
        fix_w   <= closes || opens ? fix : {asid, c_start, c_last};
        use_w   <= closes || opens              ? use_q
                   : of_read && !leaves && reads ? {S, p_use[USE_W-3:0]}
                   : of_read                    ? {C, p_use[USE_W-3 -: 12], {ADDR_W+1{1'b0}}}
                                                : {c_state, c_hits, c_pins, c_based, c_base};
        step    <= rst ? IDLE : go ? next : step;
        on      <= rst ? 16'd1 : go ? 16'd1 << next : on;
        first   <= go || waits;
        second  <= waits;
        if (!stall) begin
            next_at <= on[OPEN] ? next_at - 1'b1 : next_at + {{PLACE_W-1{1'b0}}, exists && !waits};
            at      <= next_at;
            p_at    <= at;
            p_use   <= use_q;
            // what is newest on the GPU is kept, but where all of it is written
            p_downs <= use_q[USE_W-2] && (leaves || finds || reads || !whole || !((at != place || first_in) && (at + 1'b1 != end_at || last_in)));
            p_drops <= use_q[USE_W-1 -: 2] != C && (leaves || !reads);
            p_ends  <= at + 1'b1 == end_at;
            here    <= !waits && (on[OPEN] || exists);
            p_here  <= here && !first;
        end
        if (go) begin
            here   <= 1'b0;
            p_here <= 1'b0;
        end
        was_down <= of_read && p_here && (was_down ? !move : down && drop && room);
        if (better) begin
            found    <= 1'b1;
            least    <= worth;
            least_at <= p_at;
        end
        p_read   <= !first;
        q_read   <= on[CHECK] && p_read && !first;
        q_met    <= on[CHECK] && !first && p_here && fix_was[FIX_W-1 -: ASID_W] == asid && p_start <= o_last;
        q_pinned <= p_pinned && (!reads || p_new);
        q_beyond <= p_last > o_last;
        q_at     <= p_at;
        q_hits   <= p_hits;
        q_last   <= p_last;
        size_r     <= p_last - p_start;
        size_valid <= (on[ROOM] || on[LAST]) && !first && p_here && p_gpu;
        size_stays <= p_pinned;
        if (size_valid) begin // left - size_r - 1
            {fits_all, left_all} <= {1'b0, left_all} + {1'b0, ~size_r} & {fits_all, {ADDR_W{1'b1}}};
            if (size_stays)
                {fits_stays, left_stays} <= {1'b0, left_stays} + {1'b0, ~size_r} & {fits_stays, {ADDR_W{1'b1}}};
        end
        size       <= c_last - c_start;
        roomy      <= fits_all && size < left_all;
        possible   <= fits_stays && size < left_stays;

        case (step)
            IDLE: begin
                op_r     <= op_in[FIX_W+11:0];
                finds    <= op_n <= WRITE_GPU;
                frees    <= op_n == RELEASE;
                reads    <= op_n == READ_CPU;
                pin      <= op_in[FIX_W+12] && op_n <= WRITE_GPU;
                whole    <= op_in[FIX_W+13] || op_n == RELEASE;
                place    <= place_in;
                next_at  <= makes && !met_in && !full ? last_at : makes && full && !met_in ? {PLACE_W{1'b0}}
                            : makes || touches ? place_in : {PLACE_W{1'b0}};
                c_start  <= makes && !(met_in && early) ? op_in[2*ADDR_W-1:ADDR_W] : range_in[2*ADDR_W-1:ADDR_W];
                c_last   <= makes ? op_in[ADDR_W-1:0] : range_in[ADDR_W-1:0];
                {c_state, c_hits, c_pins, c_based, c_base} <= makes ? {USE_W{1'b0}} : use_in;
                c_hit    <= !makes;
                covered  <= makes ? !(met_in && early) : covered_in;
                first_in <= !early;
                merged   <= met_in;
                about    <= makes || !touches;
                code     <= OK;
            end
            CHECK:
                if (q_met) begin
                    c_hits  <= hits_sum[8] ? 8'hff : hits_sum[7:0];
                    last_in <= !q_beyond;
                    if (finds && q_beyond) begin
                        c_last  <= q_last;
                        covered <= 1'b0;
                    end
                    if (q_pinned)
                        code <= BUSY;
                end else if (q_read) begin
                    end_at  <= q_at;
                    next_at <= place;
                    if (code == BUSY) begin
                        about <= 1'b0;
                        c_hit <= 1'b0;
                    end
                end
            RECORDS: begin
                gap <= end_at - place - {{PLACE_W-1{1'b0}}, finds};
                if (move && p_ends)
                    next_at <= end_at;
            end
            VICTIM:
                if (ends && !p_here) begin
                    next_at <= least_at;
                    if (!found) begin
                        code  <= FULL;
                        about <= 1'b0;
                    end
                end
            V_BEATS: begin
                gap <= {{PLACE_W-1{1'b0}}, 1'b1};
                if (move) begin
                    next_at <= p_at + 1'b1;
                    place   <= place - {{PLACE_W-1{1'b0}}, p_at < place};
                end
            end
            CLOSE:
                if (ends)
                    next_at <= merged ? {PLACE_W{1'b0}} : last_at - 1'b1;
            PUT:
                next_at <= merged && gap != {PLACE_W{1'b0}} ? end_at : {PLACE_W{1'b0}};
            CHOOSE: begin
                next_at <= least_at;
                if (!possible)
                    code <= NOSPACE;
            end
            R_BEATS:
                if (move)
                    next_at <= {PLACE_W{1'b0}};
            UP:
                if (ups) begin
                    c_state <= op == WRITE_GPU ? G : S;
                    c_pins  <= c_pins + {3'd0, pin};
                end
            ONE:
                if (room) begin
                    c_state <= op == TO_CPU ? S : C;
                    if (op != TO_CPU)
                        {c_based, c_base} <= {ADDR_W+1{1'b0}};
                end
            default: begin
            end
        endcase
        // ROOM: nothing is summed yet
        if (on[IDLE] || on[R_BEATS] || on[PUT] || on[CLOSE]) begin
            found <= 1'b0;
            {fits_all, left_all}     <= {1'b1, cfg_range_bytes};
            {fits_stays, left_stays} <= {1'b1, cfg_range_bytes};
        end
    end

endmodule
`default_nettype wire
