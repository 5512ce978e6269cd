// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_directory: {asid, ref} -> row; the least executed way of a set is replaced (docs/reference/blocks/ref_rit.md).
//
// The state of a set is WAYS times {valid, gen, exec}, read at w3 and written at w8.
//
//   w2 ───► w3 ──────► w4 ────────► w5 ────────► w6 ─────────────► w7 ───────► w8 ──────────► w9
//   key,    keys and   words come   keys         ways that match,  decision    state is       row, generation
//   set     state are               compared     state but for w7              written
//           read
//
// A read does not see the executions that are at w3 to w8. Their effect is forwarded from w8 and w9, stage by stage. The
// decision about the execution right before, in w7, is made in the cycle that needs the decision (late select). For a short
// path w7 has all operands ready: exec, exec + 1, and for each pair of ways which way goes first.
//
// A look asks for the row of a key, and goes down the same stages. The look takes no way and counts nothing, so the set passes
// through unchanged. A corrupt word is freed and reported by a look as by an execution.
`default_nettype none
module gmmu_ref_rit_directory #(
    parameter ASID_W = 8,
    parameter REF_W  = 32,
    parameter SETS   = 16,
    parameter WAYS   = 4,
    parameter EXEC_W = 8,
    parameter GEN_W  = 4,
    // bits of the counter that clears
    parameter AT_W   = 14,
    // 1: corrupt words are reported, and their ways are free
    parameter PARITY = 1,
    // 1: refs has the references at w3 to w8; 0: they are kept
    parameter REFS_COME = 0,
    parameter ROW_W  = SETS * WAYS > 1 ? $clog2(SETS * WAYS) : 1,
    parameter SET_W  = SETS > 1 ? $clog2(SETS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              clear,           // the reset sequence is under way: no executions
    input  wire              clearing,        // the set clear_at is cleared, if there is such a set
    input  wire [AT_W-1:0]   clear_at,        // number of the set that is cleared
    // executions and looks at w2
    input  wire              w2_valid,        // an execution is at w2
    input  wire              w2_look,         // a look is at w2; never with w2_valid
    input  wire [ASID_W-1:0] w2_asid,         // address space of the execution or look at w2
    input  wire [REF_W-1:0]  w2_ref,          // memory instruction of the execution or look at w2
    input  wire [6*REF_W-1:0] refs,           // REFS_COME: memory instruction of the execution or look at w8, w7, w6, w5, w4, w3
    // FLUSH of a row, in place of an execution or a look, which then gets row 0
    input  wire              w2_flush,        // a FLUSH is at w2
    input  wire [ASID_W-1:0] w2_flush_asid,   // address space of the FLUSH at w2
    input  wire [SET_W-1:0]  w2_flush_set,    // set of the FLUSH at w2
    input  wire [WAYS-1:0]   w2_flush_way,    // way of the FLUSH at w2, one bit a way
    output wire              flush_under_way, // a FLUSH is at w3 to w9
    // results at w9
    output reg  [ROW_W-1:0]  w9_row,          // row of the execution or look at w9; 0 with w9_flush, or if a look found none
    output reg  [GEN_W-1:0]  w9_gen,          // generation of the row w9_row; 0 with w9_flush, or if a look found none
    output reg               w9_alloc,        // the row w9_row is given to its reference with this execution
    output reg               w9_flush,        // a FLUSH is at w9
    output reg               bad,             // late count: an execution, a look or a FLUSH met a corrupt state or key
    output reg               given,           // the row given_row goes to another reference, or by a FLUSH to none
    output reg  [ROW_W-1:0]  given_row,       // row of the execution or FLUSH at w9
    output reg  [GEN_W-1:0]  given_gen        // generation of given_row from now on
);

    localparam KEY_W   = ASID_W + REF_W;
    localparam MORE_W  = EXEC_W + 1;
    localparam PAIRS   = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1;
    localparam STATE_W = WAYS * (1 + GEN_W + EXEC_W); // {valid of all ways, gens, execs}
    localparam [EXEC_W-1:0] ONCE = 1;

    // ---- w2: set; w3: keys and state are read
    wire [SET_W-1:0] w2_hash; // set of the execution or look at w2
    // key of the execution or look at w2; of a FLUSH the address space counts
    wire [KEY_W-1:0] w2_key = {w2_flush ? w2_flush_asid : w2_asid, w2_ref};
    gmmu_crc32c #(
        .WIDTH(KEY_W),
        .BITS(SET_W)
    ) set_hash (
        .valid(w2_valid || w2_look),
        .data({w2_asid, w2_ref}),
        .hash(w2_hash)
    );

    reg              w3_valid;    // an execution is at w3, and so on
    reg              w4_valid;
    reg              w5_valid;
    reg              w6_valid;
    reg              w7_valid;
    reg              w8_valid;
    reg  [8:3]       flush;       // bit k: a FLUSH is at stage k
    reg  [8:3]       look;        // bit k: a look is at stage k
    reg  [WAYS-1:0]  w3_away;     // way of the FLUSH at w3, and so on
    reg  [WAYS-1:0]  w4_away;
    reg  [WAYS-1:0]  w5_away;
    reg  [WAYS-1:0]  w6_away;
    reg              w3_clear;    // a set that is cleared is at w3, and so on
    reg              w4_clear;
    reg              w5_clear;
    reg              w6_clear;
    reg              w7_clear;
    reg              w8_clear;
    reg  [SET_W-1:0] w3_set;      // set of the execution, look or FLUSH at w3; w4_set to w8_set likewise
    reg  [SET_W-1:0] w4_set;
    reg  [SET_W-1:0] w5_set;
    reg  [SET_W-1:0] w6_set;
    reg  [SET_W-1:0] w7_set;
    reg  [SET_W-1:0] w8_set;
    reg  [5:1]       w4_same_set; // early compare, bit k: the set at w4 is the set of the execution k cycles before
    reg  [3:1]       w5_same_set; // as w4_same_set, for the set at w5
    reg  [2:1]       w6_same_set; // as w4_same_set, for the set at w6
    // _live: an execution, a look, a FLUSH, or a set that is cleared is at the stage; a stage takes nothing else in
    wire             w2_live = w2_valid || w2_look || clear || w2_flush;
    wire             w3_live = w3_valid || w3_clear || flush[3] || look[3];
    wire             w4_live = w4_valid || w4_clear || flush[4] || look[4];
    wire             w5_live = w5_valid || w5_clear || flush[5] || look[5];
    wire             w6_live = w6_valid || w6_clear || flush[6] || look[6];
    wire             w7_live = w7_valid || w7_clear || flush[7] || look[7];
    wire             w8_live = w8_valid || w8_clear || flush[8] || look[8];
    always @(posedge clk) begin
        w3_valid <= w2_valid && !w2_flush && !rst;
        w4_valid <= w3_valid && !rst;
        w5_valid <= w4_valid && !rst;
        w6_valid <= w5_valid && !rst;
        w7_valid <= w6_valid && !rst;
        w8_valid <= w7_valid && !rst;
        flush    <= rst ? 6'd0 : {flush[7:3], w2_flush};
        look     <= rst ? 6'd0 : {look[7:3], w2_look && !w2_flush};
        w9_flush <= flush[8] && !rst;
        {w6_away, w5_away, w4_away, w3_away} <= {w5_away, w4_away, w3_away, w2_flush_way};
        w3_clear <= clearing && clear_at < SETS[AT_W-1:0] && !rst;
        w4_clear <= w3_clear;
        w5_clear <= w4_clear;
        w6_clear <= w5_clear;
        w7_clear <= w6_clear;
        w8_clear <= w7_clear;
        if (w2_live)
            w3_set <= clearing ? clear_at[SET_W-1:0] : w2_flush ? w2_flush_set : SETS > 1 ? w2_hash : {SET_W{1'b0}};
        if (w3_live) begin
            w4_set <= w3_set;
            w4_same_set <= {w3_set == w8_set && w8_live, w3_set == w7_set && w7_live, w3_set == w6_set && w6_live,
                            w3_set == w5_set && w5_live, w3_set == w4_set && w4_live};
        end
        if (w4_live) begin
            w5_set <= w4_set;
            w5_same_set <= w4_same_set[3:1];
        end
        if (w5_live) begin
            w6_set <= w5_set;
            w6_same_set <= w5_same_set[2:1];
        end
        if (w6_live)
            w7_set <= w6_set;
        if (w7_live)
            w8_set <= w7_set;
    end

    // ---- w4: keys and state come; w6: the ways that hold the key
    localparam KEPT_W = STATE_W + (PARITY != 0 ? 1 : 0);
    wire [KEPT_W-1:0]  w4_ram;   // word that the RAM reads
    wire [KEPT_W-1:0]  w8_kept;  // word that the RAM writes
    reg  [STATE_W-1:0] w5_state; // state of the set at w5, but for the executions at w6, w7, w8
    reg  [STATE_W-1:0] w6_state; // state of the set at w6, but for the executions at w7, w8
    reg  [STATE_W-1:0] w8_state; // state of the set at w8, after the execution at w8
    reg  [STATE_W-1:0] w9_state; // w8_state, a cycle later
    reg                w5_par;   // parity bit of the word as read
    reg                w5_given; // w5_state is forwarded, and not the RAM's
    // the state at w5 is corrupt
    wire               w5_odd = PARITY != 0 && !w5_given && ^{w5_par, w5_state};
    wire [WAYS-1:0]    w6_bad;   // the ways whose key is corrupt
    reg                w6_odd;   // the state at w6 was corrupt, and is replaced
    generate
        if (PARITY != 0) begin : g_parity
            assign w8_kept = {^w8_state, w8_state};
        end else begin : g_bare
            assign w8_kept = w8_state;
        end
    endgenerate
    // Beside the state travel _more, exec + 1 of each way, and _first: bit j*(j-1)/2 + i, i < j, says that way i goes before way j.
    reg [WAYS*MORE_W-1:0] w6_more;
    reg [WAYS*MORE_W-1:0] w7_more;
    reg [WAYS*MORE_W-1:0] w8_more;
    reg [PAIRS-1:0]       w6_first;
    reg [PAIRS-1:0]       w7_first;
    reg [PAIRS-1:0]       w8_first;
    reg [WAYS-1:0]        w8_op;    // the way of the execution or FLUSH at w8, or the way that the look at w8 found
    reg                   w8_none;  // nobody at w8 gets a row: a FLUSH, or a look that found none
    reg [WAYS-1:0]        w8_new;   // the way w8_op, if the way changes its owner
    reg [WAYS-1:0]        w9_new;   // w8_new, a cycle later
    gmmu_ram_sdp #(
        .WIDTH(KEPT_W),
        .DEPTH(SETS)
    ) state_ram (
        .clk(clk),
        .we(w8_live),
        .waddr(w8_set),
        .wdata(w8_kept),
        .re(1'b1),
        .raddr(w3_set),
        .rdata(w4_ram)
    );

    wire [WAYS-1:0] w6_match;    // the ways that hold the key, but for the executions at w7, w8
    wire [2:1]      w6_same_key; // early compare, bit k: the key at w6 is the key of the execution k cycles before
    gmmu_ref_rit_keys #(
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .WAYS(WAYS),
        .SETS(SETS),
        .PARITY(PARITY),
        .REFS_COME(REFS_COME)
    ) keys (
        .clk(clk),
        .live({w7_live, w6_live, w5_live, w4_live, w3_live, w2_live}),
        .w2_key(w2_key),
        .refs(refs),
        .w3_set(w3_set),
        .w8_set(w8_set),
        .w4_valid(w4_valid || flush[4] || look[4]),
        .w3_flush(flush[3]),
        .flush(flush[8:5]),
        .w4_same_set(w4_same_set[5:4]),
        .w5_same_set3(w5_same_set[3]),
        .w8_new(w8_new),
        .w9_new(w9_new),
        .w6_bad(w6_bad),
        .w6_match(w6_match),
        .w6_same_key(w6_same_key)
    );
    always @(posedge clk) begin
        if (w4_live) begin
            w5_state <= w4_same_set[4] ? w8_state : w4_same_set[5] ? w9_state : w4_ram[STATE_W-1:0];
            w5_given <= w4_same_set[4] || w4_same_set[5];
            w5_par   <= w4_ram[KEPT_W-1];
        end
    end

    // Free ways go first, then the least executed way, the lowest of equals.
    function goes_first(input v_i, input [EXEC_W-1:0] e_i, input v_j, input [EXEC_W-1:0] e_j);
        goes_first = {v_i, e_i} <= {v_j, e_j};
    endfunction
    // the ways that are valid; number of executions of each way
    wire [WAYS-1:0]        w5_held = w5_state[STATE_W-1 -: WAYS];
    wire [WAYS*EXEC_W-1:0] w5_exec = w5_state[WAYS*EXEC_W-1:0];
    wire                   w5_row0 = w5_set == 0; // way 0 of set 0 is row 0, which is never given away
    reg  [WAYS*MORE_W-1:0] w5_more;  // exec + 1 of each way
    reg  [PAIRS-1:0]       w5_first; // the order of the ways
    reg  [PAIRS-1:0]       w5_fresh; // the order of the ways if all are free
    // All ways of a corrupt word become free, with no executions. Each way is given away again, with another generation and counts of 0.
    // The highest bit of each generation is inverted: a generation with one flipped bit, plus one, may be the generation before the flip.
    localparam [GEN_W-1:0] NEAR = 1, FAR = NEAR << (GEN_W - 1);
    wire [STATE_W-1:0]     w5_sound = w5_odd ? {{WAYS{1'b0}}, w5_state[WAYS*EXEC_W +: WAYS*GEN_W] ^ {WAYS{FAR}}, {WAYS*EXEC_W{1'b0}}} : w5_state;
    integer a, b;
    always @* begin
        {a, b} = 0;
        w5_fresh = {PAIRS{1'bx}};
        w5_first = {PAIRS{1'bx}}; // undefined without an execution: saves simulation time
        w5_more  = {WAYS*MORE_W{1'bx}};
        if (w5_live)
            for (b = 0; b < WAYS; b = b + 1) begin
                w5_more[b*MORE_W +: MORE_W] = {1'b0, w5_exec[b*EXEC_W +: EXEC_W]} + 1'b1;
                for (a = 0; a < b; a = a + 1) begin
                    w5_fresh[b*(b-1)/2 + a] = a != 0 || !w5_row0;
                    w5_first[b*(b-1)/2 + a] = (a != 0 || !w5_row0) &&
                        goes_first(w5_held[a], w5_exec[a*EXEC_W +: EXEC_W], w5_held[b], w5_exec[b*EXEC_W +: EXEC_W]);
                end
            end
    end
    always @(posedge clk)
        if (w5_live) begin
            w6_state <= w5_same_set[3] ? w8_state : w5_sound;
            w6_odd   <= (w5_valid || flush[5] || look[5]) && !w5_same_set[3] && w5_odd;
            w6_more  <= w5_same_set[3] ? w8_more : w5_odd ? {WAYS{{1'b0, ONCE}}} : w5_more;
            w6_first <= w5_same_set[3] ? w8_first : w5_odd ? w5_fresh : w5_first;
        end

    // ---- w6 to w7: the set at w6, but for the execution at w7
    // _held: the ways that are valid; _gen, _exec: generation and executions of each way. past_: the set at w6, but for w7.
    reg                    w6_row0;   // the set at w6 is set 0, which has row 0
    reg                    w7_row0;   // the set at w7 is set 0
    reg  [WAYS-1:0]        w7_held;
    wire                   last_w8 = w6_same_set[2]; // the execution at w8 is of the set at w6
    wire                   again   = w6_same_set[1]; // the execution at w7 is of the set at w6
    wire [WAYS-1:0]        w6_held;
    wire [WAYS-1:0]        w8_held;
    wire [WAYS-1:0]        past_held;
    wire [WAYS-1:0]        w6_gone = w6_held & w6_bad; // the ways that become free, as their key is corrupt
    wire [WAYS*GEN_W-1:0]  w6_gen;
    wire [WAYS*GEN_W-1:0]  w8_gen;
    wire [WAYS*GEN_W-1:0]  past_gen;
    wire [WAYS*EXEC_W-1:0] w6_exec;
    wire [WAYS*EXEC_W-1:0] w8_exec;
    wire [WAYS*EXEC_W-1:0] past_exec;
    assign {w6_held, w6_gen, w6_exec} = w6_state;
    assign {w8_held, w8_gen, w8_exec} = w8_state;
    assign past_held = last_w8 ? w8_held : w6_held & ~w6_gone;
    assign past_gen  = last_w8 ? w8_gen : w6_gen;
    // freed_: the set at w6 after the ways w6_gone became free
    reg  [WAYS*EXEC_W-1:0] freed_exec;
    reg  [WAYS*MORE_W-1:0] freed_more;
    reg  [PAIRS-1:0]       freed_first;
    assign past_exec = last_w8 ? w8_exec : freed_exec;
    wire [WAYS*MORE_W-1:0] past_more  = last_w8 ? w8_more : freed_more;
    wire [PAIRS-1:0]       past_first = last_w8 ? w8_first : freed_first;
    // the valid ways whose key is the RAM's; of a corrupt state as the execution of this set at w7 or w8 found them
    wire [WAYS-1:0]        w6_holds = !w6_odd ? w6_held : again ? w7_held : last_w8 ? w8_held : {WAYS{1'b0}};
    integer e, f;
    always @* begin
        {e, f} = 0;
        freed_exec  = w6_exec;
        freed_more  = w6_more;
        freed_first = w6_first;
        if (PARITY != 0 && w6_live)
            for (f = 0; f < WAYS; f = f + 1) begin
                if (w6_gone[f]) begin
                    freed_exec[f*EXEC_W +: EXEC_W] = {EXEC_W{1'b0}};
                    freed_more[f*MORE_W +: MORE_W] = {1'b0, ONCE};
                end
                for (e = 0; e < f; e = e + 1)
                    if (w6_gone[e] || w6_gone[f])
                        freed_first[f*(f-1)/2 + e] = w6_gone[e] || (!w6_held[e] && (e != 0 || !w6_row0));
            end
    end

    // ---- w7: the decision
    reg [WAYS-1:0]        w7_hit;  // the way that holds the key
    reg                   w7_none; // no way holds the key
    reg [WAYS-1:0]        w7_may;  // the ways that may be given away
    reg [WAYS-1:0]        w7_gone; // the way that the FLUSH at w7 takes away
    reg [WAYS-1:0]        w7_seen; // the way of the FLUSH at w7, or the way that the look at w7 found
    reg [WAYS*GEN_W-1:0]  w7_gen;  // generation of each way
    reg [WAYS*EXEC_W-1:0] w7_exec; // number of executions of each way

    reg [WAYS-1:0] w7_full;  // the ways whose number of executions would overflow
    reg [WAYS-1:0] w7_least; // the way that is given away first
    integer c, d;
    always @* begin
        {c, d} = 0;
        w7_least = {WAYS{1'bx}};
        w7_full  = {WAYS{1'bx}};
        if (w7_live) begin
            w7_least = w7_may;
            for (d = 0; d < WAYS; d = d + 1) begin
                w7_full[d] = w7_more[d*MORE_W + EXEC_W];
                for (c = 0; c < d; c = c + 1) begin
                    w7_least[c] = w7_least[c] && w7_first[d*(d-1)/2 + c];
                    w7_least[d] = w7_least[d] && !w7_first[d*(d-1)/2 + c];
                end
            end
        end
    end
    // the way that is given to the key; the way of the execution
    wire [WAYS-1:0] w7_new  = w7_none ? w7_least : {WAYS{1'b0}};
    wire [WAYS-1:0] w7_op   = w7_none ? w7_least : w7_hit;
    wire            w7_wrap = |(w7_hit & w7_full); // one number of executions would overflow: all ways halve
    // as w4_same_set, for the set at w6: 0 if w7 is at another set
    wire [WAYS-1:0] now_op  = again ? w7_op : {WAYS{1'b0}};
    wire [WAYS-1:0] now_new = again ? w7_new : {WAYS{1'b0}};
    wire [WAYS-1:0] now_gone = w7_gone & {WAYS{again}};

    // ---- the set after the execution at w7 (_after), and the set that the execution at w6 finds (n_)
    wire [WAYS-1:0]        held_after;
    wire [WAYS-1:0]        n_held;
    wire [WAYS*GEN_W-1:0]  gen_after;
    wire [WAYS*GEN_W-1:0]  n_gen;
    wire [WAYS*EXEC_W-1:0] exec_after;
    wire [WAYS*EXEC_W-1:0] n_exec;
    wire [WAYS*MORE_W-1:0] more_after;
    wire [WAYS*MORE_W-1:0] n_more;
    wire [PAIRS-1:0]       first_after;
    wire [PAIRS-1:0]       n_first;
    gmmu_ref_rit_ways #(
        .WAYS(WAYS),
        .GEN_W(GEN_W),
        .EXEC_W(EXEC_W)
    ) ways (
        .live(w6_live || w7_live),
        .held(w7_held),
        .gen(w7_gen),
        .exec(w7_exec),
        .more(w7_more),
        .op(w7_op),
        .fresh(w7_new),
        .none(w7_none),
        .wrap(w7_wrap),
        .gone(w7_gone),
        .held_after(held_after),
        .gen_after(gen_after),
        .exec_after(exec_after),
        .more_after(more_after),
        .again(again),
        .now_op(now_op),
        .now_fresh(now_new),
        .past_held(past_held),
        .past_gen(past_gen),
        .past_exec(past_exec),
        .past_more(past_more),
        .next_held(n_held),
        .next_gen(n_gen),
        .next_exec(n_exec),
        .next_more(n_more)
    );
    gmmu_ref_rit_order #(
        .WAYS(WAYS),
        .EXEC_W(EXEC_W)
    ) order (
        .live(w6_live || w7_live),
        .row0(w7_row0),
        .held(w7_held),
        .exec(w7_exec),
        .more(w7_more),
        .first(w7_first),
        .op(w7_op),
        .none(w7_none),
        .wrap(w7_wrap),
        .gone(w7_gone),
        .first_after(first_after),
        .again(again),
        .now_op(now_op),
        .past_first(past_first),
        .next_first(n_first)
    );
    reg [WAYS-1:0] n_hit;   // the ways that hold the key of the execution at w6
    reg [WAYS-1:0] n_may;   // the ways that the execution at w6 may give away
    reg [WAYS-1:0] n_knows; // the ways that hold the key at w6; for a FLUSH, the address space
    integer j, v, w;
    always @* begin
        j = 0;
        n_may = 0;
        n_hit = 0;
        n_knows = 0;
        if (w6_live || w7_live)
            for (j = 0; j < WAYS; j = j + 1) begin
                n_may[j] = w6_valid && (j != 0 || !w6_row0);
                n_knows[j] = now_new[j] ? w6_same_key[1] :
                             !now_gone[j] && (w8_new[j] && last_w8 ? w6_same_key[2] : w6_match[j] && w6_holds[j]);
                n_hit[j] = w6_valid && n_knows[j];
            end
    end
    always @(posedge clk) begin
        w7_may <= rst ? {WAYS{1'b0}} : n_may;
        w7_hit <= rst ? {WAYS{1'b0}} : n_hit;
        w7_gone <= rst || !flush[6] ? {WAYS{1'b0}} : n_knows & w6_away;
        w7_seen <= flush[6] ? w6_away : look[6] ? n_knows : {WAYS{1'b0}};
        w8_new <= rst ? {WAYS{1'b0}} : w7_valid ? w7_new : w7_gone;
        w9_new <= w8_new;
        bad    <= PARITY != 0 && !rst && (w6_valid || flush[6] || look[6]) && !w6_same_set[1] && !last_w8 && (w6_odd || w6_gone != 0);
        if (w5_live)
            w6_row0 <= w5_row0;
        if (w6_live) begin
            w7_held  <= n_held;
            w7_gen   <= n_gen;
            w7_exec  <= n_exec;
            w7_more  <= n_more;
            w7_first <= n_first;
            w7_none  <= n_hit == 0;
            w7_row0  <= w6_row0;
        end
        if (w7_live) begin
            w8_op    <= w7_op | w7_seen;
            w8_none  <= flush[7] || (look[7] && w7_seen == 0);
            w8_state <= {held_after, gen_after, exec_after};
            w8_more  <= more_after;
            w8_first <= first_after;
        end
        if (w8_live)
            w9_state <= w8_state;
        if (w6_clear) begin
            w7_held  <= {WAYS{1'b0}};
            w7_gen   <= {WAYS*GEN_W{1'b0}};
            w7_exec  <= {WAYS*EXEC_W{1'b0}};
            w7_more  <= {WAYS{{1'b0, ONCE}}};
            for (w = 0; w < WAYS; w = w + 1)
                for (v = 0; v < w; v = v + 1)
                    w7_first[w*(w-1)/2 + v] <= v != 0 || !w6_row0;
        end
    end

    // ---- w8 to w9: row and generation
    reg [31:0]      w8_way; // number of the way w8_op
    reg [GEN_W-1:0] w8_of;  // generation of the way w8_op
    integer u;
    always @* begin
        w8_way = 0;
        w8_of  = 0;
        for (u = 0; u < WAYS; u = u + 1)
            if (w8_op[u]) begin
                w8_way = w8_way | u[31:0];
                w8_of  = w8_of | w8_gen[u*GEN_W +: GEN_W];
            end
    end
    wire [31:0] w8_row = {{32 - SET_W{1'b0}}, w8_set} * WAYS + w8_way;
    wire unused_row = &{1'b0, w8_row[31:ROW_W]};
    always @(posedge clk) begin
        if (w8_live) begin
            w9_row    <= w8_none ? {ROW_W{1'b0}} : w8_row[ROW_W-1:0];
            w9_gen    <= w8_none ? {GEN_W{1'b0}} : w8_of;
            given_row <= w8_row[ROW_W-1:0];
            given_gen <= w8_of;
        end
        w9_alloc <= w8_new != 0 && !flush[8] && !rst;
        given    <= w8_new != 0 && !rst;
    end
    assign flush_under_way = flush != 0 || w9_flush;

endmodule
`default_nettype wire
