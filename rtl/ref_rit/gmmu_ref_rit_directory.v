// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_directory: {asid, ref} -> row; the least executed way of a set is replaced (docs/blocks/ref_rit.md).
//
// State of a set: WAYS times {valid, gen, exec}, read at w3 and written at w8. What a read cannot see of the executions
// before it comes from w8 and w9, stage by stage; only the decision about the very last one, in w7,
// is made in the cycle that needs it. So that it is short, w7 has what it may need ready: exec,
// exec + 1, and for each pair of ways which of the two would be given away first.
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
    // 1: words that turned bad are told, and their ways are free
    parameter PARITY = 1,
    parameter ROW_W  = SETS * WAYS > 1 ? $clog2(SETS * WAYS) : 1,
    parameter SET_W  = SETS > 1 ? $clog2(SETS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              clear,    // no executions
    input  wire              clearing, // set clear_at, if there is one
    input  wire [AT_W-1:0]   clear_at,
    input  wire              w2_valid,
    input  wire [ASID_W-1:0] w2_asid,
    input  wire [REF_W-1:0]  w2_ref,
    // flush of a row, in place of an execution, which gets row 0 then
    input  wire              w2_flush,
    input  wire [ASID_W-1:0] w2_flush_asid,
    input  wire [SET_W-1:0]  w2_flush_set,
    input  wire [WAYS-1:0]   w2_flush_way,
    output wire              flush_under_way, // in w3 to w9
    output reg  [ROW_W-1:0]  w9_row,
    output reg  [GEN_W-1:0]  w9_gen,
    output reg               w9_alloc,
    output reg               w9_flush,
    output reg               bad,      // a state or a key that an execution or a flush met had turned bad
    // in this cycle a row is given to another reference, or by a flush to nobody; without, the row of the flush
    output reg               given,
    output reg  [ROW_W-1:0]  given_row,
    output reg  [GEN_W-1:0]  given_gen
);

    localparam KEY_W   = ASID_W + REF_W;
    localparam MORE_W  = EXEC_W + 1;
    localparam PAIRS   = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1;
    localparam STATE_W = WAYS * (1 + GEN_W + EXEC_W); // {valid of all ways, gens, execs}
    localparam [EXEC_W-1:0] ONCE = 1;

    // ---- w2: set; w3: keys and state are read
    wire [SET_W-1:0] w2_hash;
    wire [KEY_W-1:0] w2_key = {w2_flush ? w2_flush_asid : w2_asid, w2_ref};
    gmmu_crc32c #(
        .WIDTH(KEY_W),
        .BITS(SET_W)
    ) set_hash (
        .valid(w2_valid),
        .data({w2_asid, w2_ref}),
        .hash(w2_hash)
    );

    reg              w3_valid, w4_valid, w5_valid, w6_valid, w7_valid, w8_valid;
    reg [8:3]        flush; // in stage k is one
    reg [WAYS-1:0]   w3_away, w4_away, w5_away, w6_away, w7_away; // its way
    reg              w3_clear, w4_clear, w5_clear, w6_clear, w7_clear, w8_clear;
    reg [SET_W-1:0]  w3_set, w4_set, w5_set, w6_set, w7_set, w8_set;
    reg [5:1]        w4_same_set; // is the set that of the execution k cycles before?
    reg [3:1]        w5_same_set;
    reg [2:1]        w6_same_set;
    // An execution, a flush, or a set that is cleared: a stage takes nothing else in.
    wire w2_live = w2_valid || clear || w2_flush;
    wire w3_live = w3_valid || w3_clear || flush[3];
    wire w4_live = w4_valid || w4_clear || flush[4];
    wire w5_live = w5_valid || w5_clear || flush[5];
    wire w6_live = w6_valid || w6_clear || flush[6];
    wire w7_live = w7_valid || w7_clear || flush[7];
    wire w8_live = w8_valid || w8_clear || flush[8];
    always @(posedge clk) begin
        w3_valid <= w2_valid && !w2_flush && !rst;
        w4_valid <= w3_valid && !rst;
        w5_valid <= w4_valid && !rst;
        w6_valid <= w5_valid && !rst;
        w7_valid <= w6_valid && !rst;
        w8_valid <= w7_valid && !rst;
        flush    <= rst ? 6'd0 : {flush[7:3], w2_flush};
        w9_flush <= flush[8] && !rst;
        {w7_away, w6_away, w5_away, w4_away, w3_away} <= {w6_away, w5_away, w4_away, w3_away, w2_flush_way};
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
    wire [KEPT_W-1:0]  w4_ram, w8_kept;
    reg  [STATE_W-1:0] w5_state, w6_state, w8_state, w9_state;
    reg                w5_par, w5_given;           // the word's bit, if it is the RAM's
    wire               w5_odd = PARITY != 0 && !w5_given && ^{w5_par, w5_state};
    wire [WAYS-1:0]    w6_bad;
    reg                w6_odd;
    generate
        if (PARITY != 0) begin : g_parity
            assign w8_kept = {^w8_state, w8_state};
        end else begin : g_bare
            assign w8_kept = w8_state;
        end
    endgenerate
    // with it go, per way, exec + 1, and for each pair of ways i < j, at bit j*(j-1)/2 + i, whether
    // i is given away before j
    reg  [WAYS*MORE_W-1:0] w6_more, w7_more, w8_more;
    reg  [PAIRS-1:0]   w6_first, w7_first, w8_first;
    reg  [WAYS-1:0]    w8_op, w8_new, w9_new; // the way; the way, if it was given to the key, or to nobody
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

    wire [WAYS-1:0] w6_match;
    wire [2:1]      w6_same_key;
    gmmu_ref_rit_keys #(
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .WAYS(WAYS),
        .SETS(SETS),
        .PARITY(PARITY)
    ) keys (
        .clk(clk),
        .live({w7_live, w6_live, w5_live, w4_live, w3_live, w2_live}),
        .w2_key(w2_key),
        .w3_set(w3_set),
        .w8_set(w8_set),
        .w4_valid(w4_valid || flush[4]),
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

    // Free ways first, then the least executed, the lowest of equals.
    function goes_first(input v_i, input [EXEC_W-1:0] e_i, input v_j, input [EXEC_W-1:0] e_j);
        goes_first = {v_i, e_i} <= {v_j, e_j};
    endfunction
    wire [WAYS-1:0]        w5_held = w5_state[STATE_W-1 -: WAYS];
    wire [WAYS*EXEC_W-1:0] w5_exec = w5_state[WAYS*EXEC_W-1:0];
    wire                   w5_row0 = w5_set == 0; // way 0 of set 0 is row 0: never given away
    reg  [WAYS*MORE_W-1:0] w5_more;
    reg  [PAIRS-1:0]       w5_first, w5_fresh;
    // of a word that turned bad all ways are free, never executed: each is given away again, with another generation and counts of 0;
    // the highest bit of a generation turns over with it, for one more than a generation of which one bit turned may be what it was
    localparam [GEN_W-1:0] NEAR = 1, FAR = NEAR << (GEN_W - 1);
    wire [STATE_W-1:0]     w5_sound = w5_odd ? {{WAYS{1'b0}}, w5_state[WAYS*EXEC_W +: WAYS*GEN_W] ^ {WAYS{FAR}}, {WAYS*EXEC_W{1'b0}}} : w5_state;
    integer a, b;
    always @* begin
        {a, b} = 0;
        w5_fresh = {PAIRS{1'bx}};
        w5_first = {PAIRS{1'bx}}; // undefined where no execution asks: not worked out in simulation
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
            w6_odd   <= (w5_valid || flush[5]) && !w5_same_set[3] && w5_odd;
            w6_more  <= w5_same_set[3] ? w8_more : w5_odd ? {WAYS{{1'b0, ONCE}}} : w5_more;
            w6_first <= w5_same_set[3] ? w8_first : w5_odd ? w5_fresh : w5_first;
        end

    // ---- w6 to w7: what is known but for the execution in w7
    reg                    w6_row0, w7_row0;
    reg  [WAYS-1:0]        w7_held;  // valid
    wire                   last_w8 = w6_same_set[2]; // its set's last one is in w8
    wire                   again   = w6_same_set[1]; // it is in w7
    wire [WAYS-1:0]        w6_held, w8_held, past_held;
    wire [WAYS-1:0]        w6_gone = w6_held & w6_bad; // its key turned bad: it is free
    wire [WAYS*GEN_W-1:0]  w6_gen, w8_gen, past_gen;
    wire [WAYS*EXEC_W-1:0] w6_exec, w8_exec, past_exec;
    assign {w6_held, w6_gen, w6_exec} = w6_state;
    assign {w8_held, w8_gen, w8_exec} = w8_state;
    assign past_held = last_w8 ? w8_held : w6_held & ~w6_gone;
    assign past_gen  = last_w8 ? w8_gen : w6_gen;
    reg  [WAYS*EXEC_W-1:0] freed_exec;
    reg  [WAYS*MORE_W-1:0] freed_more;
    reg  [PAIRS-1:0]       freed_first;
    assign past_exec = last_w8 ? w8_exec : freed_exec;
    wire [WAYS*MORE_W-1:0] past_more  = last_w8 ? w8_more : freed_more;
    wire [PAIRS-1:0]       past_first = last_w8 ? w8_first : freed_first;
    // where the RAM's word turned bad, as the last one of the set has it, but for what it was given
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
    reg [WAYS-1:0]        w7_hit;   // holds the key
    reg                   w7_none;  // no way does
    reg [WAYS-1:0]        w7_may;   // may be given away, in this cycle
    reg [WAYS-1:0]        w7_gone;  // a flush: it goes
    reg [WAYS*GEN_W-1:0]  w7_gen;
    reg [WAYS*EXEC_W-1:0] w7_exec;

    reg  [WAYS-1:0] w7_full, w7_least;
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
    wire [WAYS-1:0] w7_new  = w7_none ? w7_least : {WAYS{1'b0}};
    wire [WAYS-1:0] w7_op   = w7_none ? w7_least : w7_hit;
    wire            w7_wrap = |(w7_hit & w7_full); // all ways halve when one would overflow
    wire [WAYS-1:0] now_op  = again ? w7_op : {WAYS{1'b0}};
    wire [WAYS-1:0] now_new = again ? w7_new : {WAYS{1'b0}};
    wire [WAYS-1:0] now_gone = w7_gone & {WAYS{again}};

    // ---- its set after it, and what the next one finds
    wire [WAYS-1:0]        held_after, n_held;
    wire [WAYS*GEN_W-1:0]  gen_after, n_gen;
    wire [WAYS*EXEC_W-1:0] exec_after, n_exec;
    wire [WAYS*MORE_W-1:0] more_after, n_more;
    wire [PAIRS-1:0]       first_after, n_first;
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
    reg [WAYS-1:0] n_hit, n_may, n_knows; // knows: holds the key, for a flush the address space
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
        w8_new <= rst ? {WAYS{1'b0}} : w7_valid ? w7_new : w7_gone;
        w9_new <= w8_new;
        bad    <= PARITY != 0 && !rst && (w6_valid || flush[6]) && !w6_same_set[1] && !last_w8 && (w6_odd || w6_gone != 0);
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
            w8_op    <= flush[7] ? w7_away : w7_op;
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
    reg [31:0]      w8_way;
    reg [GEN_W-1:0] w8_of;
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
            w9_row    <= flush[8] ? {ROW_W{1'b0}} : w8_row[ROW_W-1:0];
            w9_gen    <= flush[8] ? {GEN_W{1'b0}} : w8_of;
            given_row <= w8_row[ROW_W-1:0];
            given_gen <= w8_of;
        end
        w9_alloc <= w8_new != 0 && !flush[8] && !rst;
        given    <= w8_new != 0 && !rst;
    end
    assign flush_under_way = flush != 0 || w9_flush;

endmodule
`default_nettype wire
