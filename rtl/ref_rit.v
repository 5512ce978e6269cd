// SPDX-License-Identifier: Apache-2.0
// ref_rit: the Ref RIT, reference -> histogram of its reuse intervals (docs/blocks/ref_rit.md).
//
// Directory: {asid, ref} -> row; set-associative, the least executed way is replaced. One
// execution a cycle, seven cycles from w2 to w9; stages as in gmmu_tier.
// Histograms: per row BINS counts of reuses and of censored records; row 0 is the global one. One
// record a cycle; CLEAR, HALVE and REFRESH walk through a row, one bin a cycle, while records wait.
// Source: LEU 3.3 (Ref RIT, fixed size), 4.1 (replaces the least executed reference).
`default_nettype none
module ref_rit #(
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    // rows, WAYS times a power of two
    parameter CLASSES = 64,
    parameter WAYS    = 4,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter EXEC_W  = 8,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire                clk,
    input  wire                rst,
    // clearing after reset: one address a cycle until `cleared`
    input  wire                clear,
    output wire                cleared,
    // executions; w9 results are registered
    input  wire                w2_valid,
    input  wire [ASID_W-1:0]   w2_asid,
    input  wire [REF_W-1:0]    w2_ref,
    output reg  [ROW_W-1:0]    w9_row,
    output reg  [GEN_W-1:0]    w9_gen,
    output reg                 w9_alloc,
    input  wire                w9_tick,    // refresh tick: dirty rows become pending
    // is this generation still the row's? two questions, combinational
    input  wire [ROW_W-1:0]    qa_row, qb_row,
    input  wire [GEN_W-1:0]    qa_gen, qb_gen,
    output wire                qa_current, qb_current,
    // records, walk queue and side queue: {row, gen, interval, censored}; LEARN is done three
    // cycles after the pop, until then the record is still in its queue
    input  wire                rec0_valid, rec1_valid,
    output wire                rec0_pop, rec1_pop,
    output wire                rec0_done, rec1_done,
    input  wire [ROW_W+GEN_W+TIME_W:0] rec0, rec1,
    // snapshots for ppuc
    input  wire                refresh_ready, // the engine is idle
    input  wire                refresh_hurry, // do not wait for the queues or the search
    input  wire                refresh_calm,  // queues empty, no search under way
    output reg                 snap_start,
    output reg  [ROW_W-1:0]    snap_row,
    output reg  [GEN_W-1:0]    snap_gen,
    output wire                snap_valid,    // one bin, ascending
    output wire                snap_last,
    output wire [BIN_W-1:0]    snap_bin,
    output wire [CNT_W-1:0]    snap_reuse, snap_censored, snap_greuse, snap_gcensored,
    output wire                pending,       // some row waits for its refresh
    output wire                resting,       // no record and no row operation under way or owed, but for REFRESH
    output wire                idle,          // and no REFRESH owed
    // tvi: the background action of this cycle, and results of LEARN in order
    output wire                tvi_valid,
    output wire [1:0]          tvi_kind,      // 0 LEARN, 1 CLEAR, 2 HALVE, 3 REFRESH
    output wire [ROW_W-1:0]    tvi_row,
    output wire                tvi_queue,
    output wire                tvi_applied,
    output wire                learnt_valid,
    output wire [BIN_W-1:0]    learnt_bin,
    output wire [CNT_W-1:0]    learnt_count, learnt_gcount // 0 where not applied
);

    localparam SETS  = CLASSES / WAYS;
    localparam SET_W = SETS > 1 ? $clog2(SETS) : 1;
    localparam KEY_W = ASID_W + REF_W;
    localparam MORE_W = EXEC_W + 1;
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;
    localparam CELLS = CLASSES * BINS;
    localparam CELL_W = $clog2(CELLS);
    localparam [CNT_W-1:0] FULL = {CNT_W{1'b1}};

    generate
        if (SETS * WAYS != CLASSES || (SETS & (SETS - 1)) != 0) begin : g_bad_classes
            CLASSES_must_be_WAYS_times_a_power_of_two stop_here();
        end
    endgenerate

    // ---- clearing after reset
    reg [CELL_W:0] clear_at;
    assign cleared = clear_at == CELLS[CELL_W:0];
    wire clearing = clear && !cleared;
    always @(posedge clk)
        if (rst)
            clear_at <= 0;
        else if (clearing)
            clear_at <= clear_at + 1'b1;

    // ======== directory
    // State of a set: WAYS times {valid, gen, exec}. Keys: a RAM a way, written by an allocation. Both
    // are read at w3 and written at w8. What a read cannot see of the executions before
    // it comes from w8 and w9, stage by stage; only the decision about the very last one, in w7,
    // is made in the cycle that needs it. So that it is short, w7 has what it may need ready: exec,
    // exec + 1, and for each pair of ways which of the two would be given away first.

    // ---- w2: set; w3: keys and state are read
    wire [SET_W-1:0] w2_hash;
    wire [KEY_W-1:0] w2_key = {w2_asid, w2_ref};
    crc32c #(.WIDTH(KEY_W), .BITS(SET_W)) set_hash (.valid(w2_valid), .data(w2_key), .hash(w2_hash));

    localparam PARTS = (KEY_W + 7) / 8; // keys are compared by eights of bits, then in whole
    function [PARTS-1:0] same_parts(input [KEY_W-1:0] a, input [KEY_W-1:0] b);
        reg [8*PARTS-1:0] x;
        integer i;
        begin
            x = 0;
            x[KEY_W-1:0] = a ^ b;
            for (i = 0; i < PARTS; i = i + 1)
                same_parts[i] = x[8*i +: 8] == 0;
        end
    endfunction

    reg              w3_valid, w4_valid, w5_valid, w6_valid, w7_valid, w8_valid, w9_valid;
    reg              w3_clear, w4_clear, w5_clear, w6_clear, w7_clear, w8_clear;
    reg [SET_W-1:0]  w3_set, w4_set, w5_set, w6_set, w7_set, w8_set;
    reg [KEY_W-1:0]  w3_key, w4_key, w5_key, w6_key, w7_key, w8_key;
    // is the set, the key that of the execution k cycles before?
    reg [PARTS-1:0]  w3_parts1, w3_parts2, w3_parts3, w3_parts4, w3_parts5;
    reg [5:1]        w4_same_key, w4_same_set;
    reg [3:1]        w5_same_key;
    reg [3:1]        w5_same_set;
    reg [2:1]        w6_same_key, w6_same_set;
    // An execution, or a set that is cleared: a stage takes nothing else in.
    wire w2_live = w2_valid || clear;
    wire w3_live = w3_valid || w3_clear;
    wire w4_live = w4_valid || w4_clear;
    wire w5_live = w5_valid || w5_clear;
    wire w6_live = w6_valid || w6_clear;
    wire w7_live = w7_valid || w7_clear;
    wire w8_live = w8_valid || w8_clear;
    always @(posedge clk) begin
        w3_valid <= w2_valid && !rst;
        w4_valid <= w3_valid && !rst;
        w5_valid <= w4_valid && !rst;
        w6_valid <= w5_valid && !rst;
        w7_valid <= w6_valid && !rst;
        w8_valid <= w7_valid && !rst;
        w9_valid <= w8_valid && !rst;
        w3_clear <= clearing && clear_at < SETS[CELL_W:0] && !rst;
        w4_clear <= w3_clear;
        w5_clear <= w4_clear;
        w6_clear <= w5_clear;
        w7_clear <= w6_clear;
        w8_clear <= w7_clear;
        if (w2_live) begin
            w3_set <= clearing ? clear_at[SET_W-1:0] : SETS > 1 ? w2_hash : {SET_W{1'b0}};
            w3_key <= w2_key;
            w3_parts1 <= same_parts(w2_key, w3_key);
            w3_parts2 <= same_parts(w2_key, w4_key);
            w3_parts3 <= same_parts(w2_key, w5_key);
            w3_parts4 <= same_parts(w2_key, w6_key);
            w3_parts5 <= same_parts(w2_key, w7_key);
        end
        if (w3_live) begin
            w4_set <= w3_set;
            w4_key <= w3_key;
            w4_same_key <= {&w3_parts5, &w3_parts4, &w3_parts3, &w3_parts2, &w3_parts1};
            w4_same_set <= {w3_set == w8_set && w8_live, w3_set == w7_set && w7_live, w3_set == w6_set && w6_live,
                            w3_set == w5_set && w5_live, w3_set == w4_set && w4_live};
        end
        if (w4_live) begin
            w5_set <= w4_set;
            w5_key <= w4_key;
            w5_same_key <= w4_same_key[3:1];
            w5_same_set <= w4_same_set[3:1];
        end
        if (w5_live) begin
            w6_set <= w5_set;
            w6_key <= w5_key;
            w6_same_key <= w5_same_key[2:1];
            w6_same_set <= w5_same_set[2:1];
        end
        if (w6_live) begin
            w7_set <= w6_set;
            w7_key <= w6_key;
        end
        if (w7_live) begin
            w8_set <= w7_set;
            w8_key <= w7_key;
        end
    end

    // Free ways first, then the least executed, the lowest of equals.
    function goes_first(input v_i, input [EXEC_W-1:0] e_i, input v_j, input [EXEC_W-1:0] e_j);
        goes_first = {v_i, e_i} <= {v_j, e_j};
    endfunction

    // ---- w4: keys and state come; w6: the ways that hold the key
    localparam PAIRS = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1;
    localparam STATE_W = WAYS * (1 + GEN_W + EXEC_W); // {valid of all ways, gens, execs}
    wire [STATE_W-1:0] w4_ram;
    reg  [STATE_W-1:0] w5_state, w6_state, w8_state, w9_state;
    // with it go, per way, exec + 1, and for each pair of ways i < j, at bit j*(j-1)/2 + i, whether
    // i is given away before j
    reg  [WAYS*MORE_W-1:0] w6_more, w7_more, w8_more;
    reg  [PAIRS-1:0]   w6_first, w7_first, w8_first;
    reg  [WAYS-1:0]    w8_op, w8_new, w9_new; // the way; the way, if it was given to the key
    ram_sdp #(.WIDTH(STATE_W), .DEPTH(SETS)) state_ram (
        .clk(clk), .we(w8_valid || w8_clear), .waddr(w8_set), .wdata(w8_state),
        .re(1'b1), .raddr(w3_set), .rdata(w4_ram)
    );

    wire [WAYS*PARTS-1:0] w4_parts;
    reg  [WAYS*PARTS-1:0] w5_parts;
    reg  [WAYS-1:0]       w5_over, w5_over_is; // the way's key was replaced since, by this one's or not
    reg  [WAYS-1:0]       w6_match;
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_key
            wire [KEY_W-1:0] q;
            ram_sdp #(.WIDTH(KEY_W), .DEPTH(SETS)) ram (
                .clk(clk), .we(w8_new[g]), .waddr(w8_set), .wdata(w8_key),
                .re(1'b1), .raddr(w3_set), .rdata(q)
            );
            reg [PARTS-1:0] parts;
            always @*
                if (w4_valid)
                    parts = same_parts(q, w4_key);
                else
                    parts = {PARTS{1'bx}};
            assign w4_parts[g*PARTS +: PARTS] = parts;
        end
    endgenerate
    integer k;
    always @(posedge clk) begin
        if (w4_live) begin
            w5_parts <= w4_parts;
            for (k = 0; k < WAYS; k = k + 1) begin
                w5_over[k]    <= (w8_new[k] && w4_same_set[4]) || (w9_new[k] && w4_same_set[5]);
                w5_over_is[k] <= w8_new[k] && w4_same_set[4] ? w4_same_key[4] : w4_same_key[5];
            end
            w5_state <= w4_same_set[4] ? w8_state : w4_same_set[5] ? w9_state : w4_ram;
        end
        if (w5_live) begin
            for (k = 0; k < WAYS; k = k + 1)
                w6_match[k] <= w8_new[k] && w5_same_set[3] ? w5_same_key[3] :
                               w5_over[k] ? w5_over_is[k] : &w5_parts[k*PARTS +: PARTS];
            w6_state <= w5_same_set[3] ? w8_state : w5_state;
            w6_more  <= w5_same_set[3] ? w8_more : w5_more;
            w6_first <= w5_same_set[3] ? w8_first : w5_first;
        end
    end
    wire [WAYS-1:0]        w5_held = w5_state[STATE_W-1 -: WAYS];
    wire [WAYS*EXEC_W-1:0] w5_exec = w5_state[WAYS*EXEC_W-1:0];
    wire                   w5_row0 = w5_set == 0; // way 0 of set 0 is row 0: never given away
    reg  [WAYS*MORE_W-1:0] w5_more;
    reg  [PAIRS-1:0]       w5_first;
    integer a, b;
    always @* begin
        w5_first = {PAIRS{1'bx}}; // undefined where no execution asks: not worked out in simulation
        w5_more  = {WAYS*MORE_W{1'bx}};
        if (w5_live)
            for (b = 0; b < WAYS; b = b + 1) begin
                w5_more[b*MORE_W +: MORE_W] = {1'b0, w5_exec[b*EXEC_W +: EXEC_W]} + 1'b1;
                for (a = 0; a < b; a = a + 1)
                    w5_first[b*(b-1)/2 + a] = (a != 0 || !w5_row0) &&
                        goes_first(w5_held[a], w5_exec[a*EXEC_W +: EXEC_W], w5_held[b], w5_exec[b*EXEC_W +: EXEC_W]);
            end
    end

    // ---- w6 to w7: what is known but for the execution in w7
    wire                   last_w8 = w6_same_set[2]; // its set's last one is in w8
    wire [WAYS-1:0]        w6_held, w8_held, past_held;
    wire [WAYS*GEN_W-1:0]  w6_gen, w8_gen, past_gen;
    wire [WAYS*EXEC_W-1:0] w6_exec, w8_exec, past_exec;
    assign {w6_held, w6_gen, w6_exec} = w6_state;
    assign {w8_held, w8_gen, w8_exec} = w8_state;
    assign past_held = last_w8 ? w8_held : w6_held;
    assign past_gen  = last_w8 ? w8_gen : w6_gen;
    assign past_exec = last_w8 ? w8_exec : w6_exec;
    wire [WAYS*MORE_W-1:0] past_more  = last_w8 ? w8_more : w6_more;
    wire [PAIRS-1:0]       past_first = last_w8 ? w8_first : w6_first;
    reg                    w6_row0, w7_row0;

    // ---- w7: the decision
    localparam [EXEC_W-1:0] ONCE = 1;
    localparam [EXEC_W:0]   TOO_MANY = {1'b1, {EXEC_W{1'b0}}};
    localparam [EXEC_W-1:0] HALF = TOO_MANY[EXEC_W:1];
    reg [WAYS-1:0]        w7_held;  // valid
    reg [WAYS-1:0]        w7_hit;   // holds the key
    reg                   w7_none;  // no way does
    reg [WAYS-1:0]        w7_may;   // may be given away, in this cycle
    reg [WAYS*GEN_W-1:0]  w7_gen;
    reg [WAYS*EXEC_W-1:0] w7_exec;

    reg  [WAYS-1:0] w7_full, w7_least;
    integer c, d;
    always @* begin
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
    wire            again   = w6_same_set[1];      // the next one is of this set
    wire [WAYS-1:0] now_op  = again ? w7_op : {WAYS{1'b0}};
    wire [WAYS-1:0] now_new = again ? w7_new : {WAYS{1'b0}};

    // its state and flags after this execution: if_op and if_not are ready before the decision
    reg [WAYS-1:0]        held_after, n_held, n_hit, n_may;
    reg [WAYS*GEN_W-1:0]  gen_after, n_gen;
    reg [WAYS*EXEC_W-1:0] exec_after, n_exec;
    reg [WAYS*MORE_W-1:0] more_after, n_more;
    reg [PAIRS-1:0]       first_after, n_first;
    reg [EXEC_W-1:0]      e, e_i, e_if_op, e_if_not;
    reg [MORE_W-1:0]      m, m2, m_if_op, m_if_not;
    reg [GEN_W-1:0]       g_up, g_is;
    reg                   f_was, f_i, f_j, f_not;
    integer i, j, v, w;
    always @* begin
        {held_after, gen_after, exec_after, more_after} = {WAYS*(1+GEN_W+EXEC_W+MORE_W){1'bx}};
        {n_held, n_gen, n_exec, n_more} = {WAYS*(1+GEN_W+EXEC_W+MORE_W){1'bx}};
        {first_after, n_first} = {2*PAIRS{1'bx}};
        n_may = 0;
        n_hit = 0;
        e = 0;
        e_i = 0;
        e_if_op = 0;
        e_if_not = 0;
        m = 0;
        m2 = 0;
        m_if_op = 0;
        m_if_not = 0;
        g_up = 0;
        g_is = 0;
        f_was = 1'b0;
        f_i = 1'b0;
        f_j = 1'b0;
        f_not = 1'b0;
        if (w6_live || w7_live)
            for (j = 0; j < WAYS; j = j + 1) begin
                e  = w7_exec[j*EXEC_W +: EXEC_W];
                m  = w7_more[j*MORE_W +: MORE_W];
                m2 = m + 1'b1;
                e_if_op  = w7_none ? ONCE : w7_wrap ? HALF : m[EXEC_W-1:0];
                m_if_op  = w7_none ? {1'b0, ONCE} + 1'b1 : w7_wrap ? {1'b0, HALF} + 1'b1 : m2;
                e_if_not = w7_wrap ? e >> 1 : e;
                m_if_not = w7_wrap ? m2 >> 1 : m;
                g_is     = w7_gen[j*GEN_W +: GEN_W];
                g_up     = g_is + 1'b1;
                held_after[j] = w7_held[j] || w7_op[j];
                gen_after[j*GEN_W +: GEN_W]    = w7_new[j] ? g_up : g_is;
                exec_after[j*EXEC_W +: EXEC_W] = w7_op[j] ? e_if_op : e_if_not;
                more_after[j*MORE_W +: MORE_W] = w7_op[j] ? m_if_op : m_if_not;

                n_held[j] = now_op[j] || (again ? w7_held[j] : past_held[j]);
                n_gen[j*GEN_W +: GEN_W]    = now_new[j] ? g_up : again ? g_is : past_gen[j*GEN_W +: GEN_W];
                n_exec[j*EXEC_W +: EXEC_W] = now_op[j] ? e_if_op : again ? e_if_not : past_exec[j*EXEC_W +: EXEC_W];
                n_more[j*MORE_W +: MORE_W] = now_op[j] ? m_if_op : again ? m_if_not : past_more[j*MORE_W +: MORE_W];
                n_may[j] = w6_valid && (j != 0 || !w6_row0);
                n_hit[j] = w6_valid && (now_new[j] ? w6_same_key[1] :
                                        w8_new[j] && last_w8 ? w6_same_key[2] : w6_match[j] && w6_held[j]);

                // i before j, if i is the way, if j is, if neither; from the order so far and equalities
                for (i = 0; i < j; i = i + 1) begin
                    e_i   = w7_exec[i*EXEC_W +: EXEC_W];
                    f_was = w7_first[j*(j-1)/2 + i];
                    f_i   = w7_none ? w7_held[j] && e != 0 : f_was && e_i != e;
                    f_j   = w7_none ? (i != 0 || !w7_row0) && (!w7_held[i] || e_i <= ONCE) : f_was || {1'b0, e_i} == m;
                    f_not = f_was || (w7_wrap && w7_held[i] && w7_held[j] && e_i >> 1 == e >> 1);
                    first_after[j*(j-1)/2 + i] =
                        (w7_op[i] && f_i) || (w7_op[j] && f_j) || (!w7_op[i] && !w7_op[j] && f_not);
                    n_first[j*(j-1)/2 + i] =
                        (now_op[i] && f_i) || (now_op[j] && f_j) ||
                        (!now_op[i] && !now_op[j] &&
                         (again ? f_not : past_first[j*(j-1)/2 + i]));
                end
            end
    end
    always @(posedge clk) begin
        w7_may <= rst ? {WAYS{1'b0}} : n_may;
        w7_hit <= rst ? {WAYS{1'b0}} : n_hit;
        w8_new <= rst || !w7_valid ? {WAYS{1'b0}} : w7_new;
        w9_new <= w8_new;
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
            w8_op    <= w7_op;
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
                w8_way = w8_way | u;
                w8_of  = w8_of | w8_gen[u*GEN_W +: GEN_W];
            end
    end
    wire [31:0] w8_row = {{32 - SET_W{1'b0}}, w8_set} * WAYS + w8_way;
    wire unused_row = &{1'b0, w8_row[31:ROW_W]};
    always @(posedge clk) begin
        if (w8_live) begin
            w9_row <= w8_row[ROW_W-1:0];
            w9_gen <= w8_of;
        end
        w9_alloc <= w8_new != 0 && !rst;
    end
    wire given = w9_valid && w9_alloc; // in this cycle a row is given to another reference

    // ======== state of the rows
    reg [GEN_W*CLASSES-1:0] row_gen;
    reg [CLASSES-1:0] clear_owed, halve_owed, dirty, pend;
    reg [CLASSES-1:0] later; // rows above the last one refreshed: they go before the others
    reg joining; // since a tick no REFRESH was done: what is learnt now is pending at once

    assign qa_current = row_gen[qa_row*GEN_W +: GEN_W] == qa_gen;
    assign qb_current = row_gen[qb_row*GEN_W +: GEN_W] == qb_gen;

    // ======== background: LEARN, or one of CLEAR, HALVE, REFRESH
    localparam LEARN = 2'd0, CLEAR = 2'd1, HALVE = 2'd2, REFRESH = 2'd3;

    // the lowest one of some: the first group of rows with a one, and the first in it
    localparam IN_W = ROW_W / 2, IN = 1 << IN_W, GROUPS = 1 << (ROW_W - IN_W);
    function [ROW_W-1:0] lowest(input [CLASSES-1:0] rows);
        reg [IN*GROUPS-1:0] all;
        reg [GROUPS-1:0]    some;
        reg [IN-1:0]        one;
        reg [ROW_W-1:0]     first, at;
        integer s;
        begin
            all = 0;
            all[CLASSES-1:0] = rows;
            for (s = 0; s < GROUPS; s = s + 1)
                some[s] = all[s*IN +: IN] != 0;
            s = GROUPS - 1;
            first = s[ROW_W-1:0] << IN_W;
            one = all[s*IN +: IN];
            for (s = GROUPS - 2; s >= 0; s = s - 1)
                if (some[s]) begin
                    first = s[ROW_W-1:0] << IN_W;
                    one = all[s*IN +: IN];
                end
            s = IN - 1;
            at = s[ROW_W-1:0];
            for (s = IN - 2; s >= 0; s = s - 1)
                if (one[s])
                    at = s[ROW_W-1:0];
            lowest = first | at;
        end
    endfunction

    // ---- which row operation, if any: two cycles from the flags to `next`
    reg              c1_any, h1_any, f1_any, f1_later, f1_may, f1_hurry;
    reg [ROW_W-1:0]  c1_row, h1_row, f1_low, f1_high;
    reg              given1;
    reg [ROW_W-1:0]  given1_row;
    reg              next_valid, next_stale;
    reg [1:0]        next_op;
    reg [ROW_W-1:0]  next_row;
    wire [CLASSES-1:0] h0 = halve_owed & ~clear_owed;
    wire [CLASSES-1:0] f0 = pend & ~clear_owed;
    wire [ROW_W-1:0] f1_row = f1_later ? f1_high : f1_low;
    wire f1_refresh = f1_any && f1_may;
    wire f1_hurried = f1_any && f1_hurry; // goes before a flood of new references
    wire [1:0] choice = f1_hurried ? REFRESH : c1_any ? CLEAR : h1_any ? HALVE : REFRESH;
    always @(posedge clk) begin
        c1_any   <= clear_owed != 0;
        h1_any   <= h0 != 0;
        f1_any   <= f0 != 0;
        f1_later <= (f0 & later) != 0;
        if (clear_owed != 0)
            c1_row <= lowest(clear_owed);
        if (h0 != 0)
            h1_row <= lowest(h0);
        if (f0 != 0) begin
            f1_low  <= lowest(f0);
            f1_high <= lowest(f0 & later);
        end
        f1_may     <= refresh_ready && (refresh_calm || refresh_hurry);
        f1_hurry   <= refresh_ready && refresh_hurry;
        given1     <= given;
        given1_row <= w9_row;
        next_valid <= c1_any || h1_any || f1_refresh;
        next_op    <= choice;
        next_row   <= choice == CLEAR ? c1_row : choice == HALVE ? h1_row : f1_row;
        // its counts are those of the reference that had the row
        next_stale <= choice == REFRESH && ((given1 && given1_row == f1_row) || (given && w9_row == f1_row));
        if (rst) begin
            c1_any <= 1'b0;
            h1_any <= 1'b0;
            f1_any <= 1'b0;
            next_valid <= 1'b0;
        end
    end

    reg              running;    // a row operation issues its bins
    // After a row operation up to 16 waiting records go first: neither side starves the other.
    reg  [4:0] turn; // one less than the records left
    wire       want = next_valid && (turn[4] || !(rec0_valid || rec1_valid));
    assign rec0_pop = rec0_valid && !running && !want && !clear;
    assign rec1_pop = rec1_valid && !rec0_valid && !running && !want && !clear;
    wire   pop      = rec0_pop || rec1_pop;

    reg [1:0]        op;
    reg [ROW_W-1:0]  op_row;
    reg [BIN_W-1:0]  op_bin;
    reg [CELL_W-1:0] op_cell;
    reg [11:1]       l_valid;    // records on their way to the counts, and for as long as a choice takes
    // row operation: running, o1 address, o3 counts
    reg              o1_valid, o2_valid, o3_valid, o1_last, o2_last, o3_last;
    reg [BIN_W-1:0]  o1_bin, o2_bin, o3_bin;
    reg              still;      // nothing was under way in the cycle before
    wire start = want && still && !l_valid[1] && !running && !next_stale;

    // ---- records: l0 popped, l1 and l2 is its row still its own, l3 LEARN, l1..l5 bin, l6 histogram
    // read, l8 counted, l9 result
    reg [ROW_W-1:0]  l1_row, l2_row, l3_row, l4_row, l5_row, l6_row, l7_row, l8_row, l9_row;
    reg [GEN_W-1:0]  l1_gen, l2_gen, l2_now;
    reg [TIME_W-1:0] l1_interval;
    reg              l1_side, l2_side, l3_side;
    reg              l2_owed, l2_given;
    reg [9:3]        l_applied;
    reg [9:1]        l_censored;
    wire [BIN_W-1:0] l5_bin;
    reg  [BIN_W-1:0] l6_bin, l7_bin, l8_bin, l9_bin;
    log_bin #(.X_W(TIME_W), .BINS(BINS), .BIN_W(BIN_W)) binner (.clk(clk), .x(l1_interval), .bin(l5_bin));

    wire [ROW_W-1:0]  rec_row;
    wire [GEN_W-1:0]  rec_gen;
    wire [TIME_W-1:0] rec_interval;
    wire              rec_censored;
    assign {rec_row, rec_gen, rec_interval, rec_censored} = rec0_valid ? rec0 : rec1;
    wire l2_applied = l2_row != 0 && l2_now == l2_gen && !l2_owed && !l2_given && !(given && w9_row == l2_row);
    always @(posedge clk) begin
        l_valid     <= rst ? 11'd0 : {l_valid[10:1], pop};
        l_applied   <= {l_applied[8:3], l2_applied};
        l_censored  <= {l_censored[8:1], rec_censored};
        if (pop) begin
            l1_side     <= !rec0_valid;
            l1_row      <= rec_row;
            l1_gen      <= rec_gen;
            l1_interval <= rec_interval;
        end
        if (l_valid[1]) begin
            l2_side  <= l1_side;
            l2_row   <= l1_row;
            l2_gen   <= l1_gen;
            l2_now   <= row_gen[l1_row*GEN_W +: GEN_W];
            l2_owed  <= clear_owed[l1_row];
            l2_given <= given && w9_row == l1_row;
        end
        if (l_valid[2]) begin
            l3_side <= l2_side;
            l3_row  <= l2_row;
        end
        if (l_valid[3])
            l4_row <= l3_row;
        if (l_valid[4])
            l5_row <= l4_row;
        if (l_valid[5]) begin
            l6_row <= l5_row;
            l6_bin <= l5_bin;
        end
        if (l_valid[6]) begin
            l7_row <= l6_row;
            l7_bin <= l6_bin;
        end
        if (l_valid[7]) begin
            l8_row <= l7_row;
            l8_bin <= l7_bin;
        end
        if (l_valid[8]) begin
            l9_row <= l8_row;
            l9_bin <= l8_bin;
        end
    end
    wire learn = l_valid[3];
    wire l3_applied = l_applied[3];
    assign rec0_done = learn && !l3_side;
    assign rec1_done = learn && l3_side;

    // ---- row operation
    wire op_last = op_bin == LAST_BIN;
    wire [31:0] next_cell = {{32 - ROW_W{1'b0}}, next_row} * BINS;
    wire unused_next = &{1'b0, next_cell[31:CELL_W]};
    reg  hclear1, hclear2;
    always @(posedge clk) begin
        o1_valid <= running && !rst;
        o1_last  <= op_last;
        o1_bin   <= op_bin;
        o2_valid <= o1_valid && !rst;
        o2_last  <= o1_last;
        o2_bin   <= o1_bin;
        o3_valid <= o2_valid && !rst;
        o3_last  <= o2_last;
        o3_bin   <= o2_bin;
        hclear1  <= clearing && !rst;
        hclear2  <= hclear1;
        still    <= l_valid[10:1] == 0 && !running && !o1_valid && !o2_valid && !o3_valid && !clear && !rst;
        if (running)
            turn <= 5'd15;
        else if (pop && !turn[4])
            turn <= turn - 1'b1;
        if (rst)
            turn <= 5'd31;
        if (rst) begin
            running <= 1'b0;
            op      <= LEARN;
        end else if (start) begin
            running <= 1'b1;
            op      <= next_op;
            op_row  <= next_row;
        end else if (running) begin
            running <= !op_last;
        end
        op_bin  <= running ? op_bin + 1'b1 : {BIN_W{1'b0}};
        op_cell <= running ? op_cell + 1'b1 : next_cell[CELL_W-1:0];
        // the row's header goes to the engine before its first bin
        snap_start <= start && next_op == REFRESH;
        snap_row   <= next_row;
        snap_gen   <= row_gen[next_row*GEN_W +: GEN_W];
    end

    // ---- histogram RAMs, words {censored, reuse}
    wire [31:0]        l3_cell = {{32 - ROW_W{1'b0}}, l3_row} * BINS;
    reg  [CELL_W-1:0]  l4_cell, l5_cell, h6_addr;
    reg  [BIN_W-1:0]   g6_addr;
    wire [CELL_W-1:0]  l5_at = l5_cell + {{CELL_W - BIN_W{1'b0}}, l5_bin};
    wire unused_cell = &{1'b0, l3_cell[31:CELL_W]};
    always @(posedge clk) begin
        l4_cell <= l3_cell[CELL_W-1:0];
        l5_cell <= l4_cell;
        h6_addr <= clearing ? clear_at[CELL_W-1:0] : running ? op_cell : l5_at;
        g6_addr <= clearing ? clear_at[BIN_W-1:0] : running ? op_bin : l5_bin;
    end

    wire [2*CNT_W-1:0] h8_q, g8_q, h_b, g_b;
    wire [2*CNT_W-1:0] h8_d, g8_d;
    reg                h8_we, g8_we, learn8, halve8, reuse8, censored8;
    ram_rmw #(.WIDTH(2 * CNT_W), .DEPTH(CELLS)) histograms (
        .clk(clk), .rst(rst),
        .a0_addr(h6_addr), .a2_q(h8_q), .a2_we(h8_we), .a2_d(h8_d),
        .b0_addr({CELL_W{1'b0}}), .b2_q(h_b)
    );
    ram_rmw #(.WIDTH(2 * CNT_W), .DEPTH(1 << BIN_W)) global_histogram (
        .clk(clk), .rst(rst),
        .a0_addr(g6_addr), .a2_q(g8_q), .a2_we(g8_we), .a2_d(g8_d),
        .b0_addr({BIN_W{1'b0}}), .b2_q(g_b)
    );

    wire op_global = op_row == 0;
    wire op_writes = o2_valid && op != REFRESH;
    always @(posedge clk) begin
        h8_we     <= hclear2 || (l_valid[7] && l_applied[7]) || (op_writes && !op_global);
        g8_we     <= hclear2 || l_valid[7] || (op_writes && op_global);
        learn8    <= l_valid[7];
        reuse8    <= !l_censored[7];
        censored8 <= l_censored[7];
        halve8    <= o2_valid && op == HALVE;
    end

    // one more, at most all ones
    function [CNT_W-1:0] plus(input [CNT_W-1:0] n, input more);
        reg [CNT_W:0] sum;
        begin
            sum  = {1'b0, n} + {{CNT_W{1'b0}}, more};
            plus = sum[CNT_W-1:0] | {CNT_W{sum[CNT_W]}};
        end
    endfunction

    function [2*CNT_W-1:0] halved(input [2*CNT_W-1:0] word);
        halved = (word >> 1) & {1'b0, {CNT_W-1{1'b1}}, 1'b0, {CNT_W-1{1'b1}}};
    endfunction

    function [2*CNT_W-1:0] changed(input [2*CNT_W-1:0] word, input counts, input reuse, input censored, input halves);
        changed = counts ? {plus(word[2*CNT_W-1:CNT_W], censored), plus(word[CNT_W-1:0], reuse)} :
                  halves ? halved(word) : {2*CNT_W{1'b0}}; // CLEAR
    endfunction
    assign h8_d = changed(h8_q, learn8, reuse8, censored8, halve8);
    assign g8_d = changed(g8_q, learn8, reuse8, censored8, halve8);

    assign snap_valid = o3_valid && op == REFRESH;
    assign snap_last  = o3_last;
    assign snap_bin   = o3_bin;
    assign {snap_gcensored, snap_greuse} = g8_q;
    assign {snap_censored, snap_reuse}   = op_global ? g8_q : h8_q;

    reg  [2*CNT_W-1:0] h9_word, g9_word;
    always @(posedge clk) begin
        h9_word <= h8_d;
        g9_word <= g8_d;
    end
    wire [CNT_W-1:0] h9_count = l_censored[9] ? h9_word[2*CNT_W-1:CNT_W] : h9_word[CNT_W-1:0];
    wire [CNT_W-1:0] g9_count = l_censored[9] ? g9_word[2*CNT_W-1:CNT_W] : g9_word[CNT_W-1:0];

    // ---- flags of the rows: background first, then the walk's allocation and tick
    localparam [CLASSES-1:0] ROW0 = 1;
    function [CLASSES-1:0] only(input [ROW_W-1:0] row, input yes);
        only = {{CLASSES-1{1'b0}}, yes} << row;
    endfunction
    wire [CLASSES-1:0] learnt_rows = only(l3_row, learn && l3_applied) | (learn ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] full_rows   = only(l9_row, l_valid[9] && l_applied[9] && h9_count == FULL) |
                                     (l_valid[9] && g9_count == FULL ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] begun       = only(next_row, start);
    wire [CLASSES-1:0] none        = {CLASSES{1'b0}};
    wire [CLASSES-1:0] dirty_n     = ((dirty | learnt_rows) & ~begun) | (next_op == HALVE ? begun : none);
    always @(posedge clk)
        if (rst) begin
            dirty      <= 0;
            pend       <= 0;
            clear_owed <= 0;
            halve_owed <= 0;
            joining    <= 1'b0;
            row_gen    <= 0;
            later      <= {CLASSES{1'b1}};
        end else begin
            if (start && next_op == REFRESH)
                later <= ({CLASSES{1'b1}} << next_row) << 1;
            dirty      <= dirty_n;
            pend       <= (pend & (next_op == HALVE ? ~none : ~begun)) | (joining ? learnt_rows : none) |
                          (w9_tick ? dirty_n : none);
            clear_owed <= (clear_owed & (next_op == CLEAR ? ~begun : ~none)) | only(w9_row, given);
            halve_owed <= (halve_owed & (next_op == REFRESH ? ~none : ~begun)) | full_rows;
            joining    <= w9_tick || (joining && !(start && next_op == REFRESH));
            if (given)
                row_gen[w9_row*GEN_W +: GEN_W] <= w9_gen;
        end

    assign pending = |pend;
    assign resting = !running && l_valid == 0 && !o1_valid && !o2_valid && !o3_valid && clear_owed == 0 &&
                     halve_owed == 0;
    assign idle    = resting && !pending;

    assign tvi_valid    = learn || start;
    assign tvi_kind     = learn ? LEARN : next_op;
    assign tvi_row      = learn ? l3_row : next_row;
    assign tvi_queue    = l3_side;
    assign tvi_applied  = l3_applied;
    assign learnt_valid = l_valid[9];
    assign learnt_bin   = l9_bin;
    assign learnt_count  = l_applied[9] ? h9_count : {CNT_W{1'b0}};
    assign learnt_gcount = g9_count;

    wire unused_ok = &{1'b0, h_b, g_b}; // read ports that nobody uses

endmodule
`default_nettype wire
