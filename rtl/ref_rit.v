// SPDX-License-Identifier: Apache-2.0
// ref_rit: the Ref RIT, reference -> histogram of its reuse intervals (docs/blocks/ref_rit.md).
//
// Directory: {asid, ref} -> row; set-associative, the least executed way is replaced. One
// execution a cycle, four cycles from x1 to x5.
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
    // executions; x5 results are registered
    input  wire                x1_valid,
    input  wire [ASID_W-1:0]   x1_asid,
    input  wire [REF_W-1:0]    x1_ref,
    output reg  [ROW_W-1:0]    x5_row,
    output reg  [GEN_W-1:0]    x5_gen,
    output reg                 x5_alloc,
    input  wire                x5_tick,    // refresh tick: dirty rows become pending
    // is this generation still the row's? two questions, combinational
    input  wire [ROW_W-1:0]    qa_row, qb_row,
    input  wire [GEN_W-1:0]    qa_gen, qb_gen,
    output wire                qa_current, qb_current,
    // records, walk queue and side queue: {row, gen, interval, censored}
    input  wire                rec0_valid, rec1_valid,
    output wire                rec0_pop, rec1_pop,
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
    localparam WAY_W = 1 + ASID_W + REF_W + GEN_W + EXEC_W;
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;
    localparam [EXEC_W-1:0] ONCE = 1;
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
    wire [31:0] x1_hash;
    crc32c #(.WIDTH(ASID_W + REF_W)) set_hash (.data({x1_asid, x1_ref}), .hash(x1_hash));
    wire unused_hash = &{1'b0, x1_hash[31:SET_W]};

    reg              x2_valid, x3_valid, x4_valid;
    reg [SET_W-1:0]  x2_set, x3_set, x4_set;
    reg [ASID_W-1:0] x2_asid, x3_asid, x4_asid;
    reg [REF_W-1:0]  x2_ref, x3_ref, x4_ref;
    reg              dclear2, dclear3, dclear4;
    always @(posedge clk) begin
        x2_valid <= x1_valid && !rst;
        x3_valid <= x2_valid && !rst;
        x4_valid <= x3_valid && !rst;
        x2_set   <= clearing ? clear_at[SET_W-1:0] : SETS > 1 ? x1_hash[SET_W-1:0] : {SET_W{1'b0}};
        x3_set   <= x2_set;
        x4_set   <= x3_set;
        x2_asid  <= x1_asid;
        x3_asid  <= x2_asid;
        x4_asid  <= x3_asid;
        x2_ref   <= x1_ref;
        x3_ref   <= x2_ref;
        x4_ref   <= x3_ref;
        dclear2  <= clearing && clear_at < SETS[CELL_W:0] && !rst;
        dclear3  <= dclear2;
        dclear4  <= dclear3;
    end

    // a set: WAYS times {valid, asid, ref, gen, exec}, way 0 lowest
    wire [WAYS*WAY_W-1:0] x4_q, dir_b;
    reg  [WAYS*WAY_W-1:0] x4_d;
    ram_rmw #(.WIDTH(WAYS * WAY_W), .DEPTH(SETS)) directory (
        .clk(clk), .rst(rst),
        .a0_addr(x2_set), .a2_q(x4_q), .a2_we(x4_valid || dclear4), .a2_d(x4_d),
        .b0_addr({SET_W{1'b0}}), .b2_q(dir_b)
    );

    reg              x4_hit, x4_free, x4_give, x4_wrap;
    reg              v_valid;
    reg [ASID_W+REF_W-1:0] v_page; // {asid, ref}
    reg [GEN_W-1:0]  v_gen, x4_gen;
    reg [EXEC_W-1:0] v_exec, least;
    reg [31:0]       x4_way; // hit way, else the way to give
    integer w;
    always @* begin
        x4_hit  = 1'b0;
        x4_free = 1'b0;
        x4_give = 1'b0;
        x4_wrap = 1'b0;
        x4_way  = 0;
        x4_gen  = 0;
        least   = 0;
        v_valid = 1'b0;
        v_gen   = 0;
        v_exec  = 0;
        v_page  = 0;
        for (w = 0; w < WAYS; w = w + 1) begin
            v_valid = x4_q[w*WAY_W + WAY_W - 1];
            v_page  = x4_q[w*WAY_W + EXEC_W + GEN_W +: ASID_W + REF_W];
            v_gen   = x4_q[w*WAY_W + EXEC_W +: GEN_W];
            v_exec  = x4_q[w*WAY_W +: EXEC_W];
            if (w != 0 || x4_set != 0) begin // way 0 of set 0 is row 0
                if (v_valid && v_page == {x4_asid, x4_ref}) begin
                    x4_hit  = 1'b1;
                    x4_way  = w;
                    x4_gen  = v_gen;
                    x4_wrap = &v_exec;
                end else if (!x4_hit && !x4_free && (!v_valid || !x4_give || v_exec < least)) begin
                    x4_free = !v_valid;
                    x4_give = 1'b1;
                    x4_way  = w;
                    x4_gen  = v_gen + 1'b1;
                    least   = v_exec;
                end
            end
        end
        x4_d = x4_q;
        for (w = 0; w < WAYS; w = w + 1) begin
            if (x4_hit) begin // all ways halve when one would overflow
                x4_d[w*WAY_W +: EXEC_W] = (x4_q[w*WAY_W +: EXEC_W] >> x4_wrap) +
                                          (w == x4_way ? ONCE : {EXEC_W{1'b0}});
            end else if (x4_give && w == x4_way) begin
                x4_d[w*WAY_W +: WAY_W] = {1'b1, x4_asid, x4_ref, x4_gen, ONCE};
            end
        end
        if (dclear4)
            x4_d = 0;
    end

    wire [31:0] x4_row = x4_set * WAYS + x4_way;
    reg         x5_valid;
    wire unused_row = &{1'b0, x4_row[31:ROW_W]};
    always @(posedge clk) begin
        x5_valid <= x4_valid && !rst;
        x5_row   <= x4_hit || x4_give ? x4_row[ROW_W-1:0] : {ROW_W{1'b0}};
        x5_gen   <= x4_hit || x4_give ? x4_gen : {GEN_W{1'b0}};
        x5_alloc <= x4_valid && !x4_hit && x4_give;
    end

    // ======== state of the rows
    reg [GEN_W*CLASSES-1:0] row_gen;
    reg [CLASSES-1:0] clear_owed, halve_owed, dirty, pend;
    reg [CLASSES-1:0] later; // rows above the last one refreshed: they go before the others
    reg joining; // since a tick no REFRESH was done: what is learnt now is pending at once

    assign qa_current = row_gen[qa_row*GEN_W +: GEN_W] == qa_gen;
    assign qb_current = row_gen[qb_row*GEN_W +: GEN_W] == qb_gen;

    // ======== background: LEARN, or one of CLEAR, HALVE, REFRESH
    localparam LEARN = 2'd0, CLEAR = 2'd1, HALVE = 2'd2, REFRESH = 2'd3;

    function [ROW_W-1:0] lowest(input [CLASSES-1:0] v);
        integer i;
        begin
            lowest = 0;
            for (i = CLASSES - 1; i >= 0; i = i - 1)
                if (v[i])
                    lowest = i[ROW_W-1:0];
        end
    endfunction

    wire [CLASSES-1:0] halve_now   = halve_owed & ~clear_owed;
    wire [CLASSES-1:0] refresh_now = pend & ~clear_owed;
    wire want_clear   = |clear_owed;
    wire want_halve   = |halve_now;
    wire want_refresh = |refresh_now && refresh_ready && (refresh_calm || refresh_hurry);
    wire hurried      = want_refresh && refresh_hurry; // goes before a flood of new references
    // After a row operation up to 16 waiting records go first: neither side starves the other.
    reg  [4:0] turn;
    wire want         = (want_clear || want_halve || want_refresh) && (turn == 0 || !(rec0_valid || rec1_valid));

    reg              running;    // a row operation issues its bins
    reg [1:0]        op;
    reg [ROW_W-1:0]  op_row;
    reg [BIN_W-1:0]  op_bin;
    wire             learning;   // records on their way to the counts
    // row operation: o0 address, o2 counts
    reg             o1_valid, o2_valid, o1_last, o2_last;
    reg [BIN_W-1:0] o1_bin, o2_bin;
    wire start = !running && !o1_valid && !o2_valid && want && !learning && !clearing && !rst;

    wire [1:0]       start_op  = hurried ? REFRESH : want_clear ? CLEAR : want_halve ? HALVE : REFRESH;
    wire [CLASSES-1:0] refresh_turn = |(refresh_now & later) ? refresh_now & later : refresh_now;
    wire [ROW_W-1:0] start_row = lowest(start_op == CLEAR ? clear_owed :
                                        start_op == HALVE ? halve_now : refresh_turn);

    assign rec0_pop = rec0_valid && !running && !want && !clearing;
    assign rec1_pop = rec1_valid && !rec0_valid && !running && !want && !clearing;
    wire   pop      = rec0_pop || rec1_pop;

    wire [ROW_W-1:0]  r_row;
    wire [GEN_W-1:0]  r_gen;
    wire [TIME_W-1:0] r_interval;
    wire              r_censored;
    assign {r_row, r_gen, r_interval, r_censored} = rec0_pop ? rec0 : rec1;
    wire r_applied = r_row != 0 && row_gen[r_row*GEN_W +: GEN_W] == r_gen && !clear_owed[r_row];

    // record: l0 popped, l0..l3 bin, l4 histogram read, l6 counted
    wire [BIN_W-1:0] l4_bin;
    log_bin #(.X_W(TIME_W), .BINS(BINS), .BIN_W(BIN_W)) binner (.clk(clk), .x(r_interval), .bin(l4_bin));

    reg [6:1]       l_valid;
    reg [6:1]       l_applied, l_censored;
    reg [ROW_W-1:0] l1_row, l2_row, l3_row, l4_row, l5_row, l6_row;
    reg [BIN_W-1:0] l5_bin, l6_bin;
    assign learning = |l_valid;
    always @(posedge clk) begin
        l_valid     <= rst ? 6'd0 : {l_valid[5:1], pop};
        l_applied   <= {l_applied[5:1], r_applied};
        l_censored  <= {l_censored[5:1], r_censored};
        l1_row <= r_row;
        l2_row <= l1_row;
        l3_row <= l2_row;
        l4_row <= l3_row;
        l5_row <= l4_row;
        l6_row <= l5_row;
        l5_bin <= l4_bin;
        l6_bin <= l5_bin;
    end

    reg             hclear1, hclear2;
    wire op_last = op_bin == LAST_BIN;
    always @(posedge clk) begin
        o1_valid <= running && !rst;
        o1_last  <= op_last;
        o1_bin   <= op_bin;
        o2_valid <= o1_valid && !rst;
        o2_last  <= o1_last;
        o2_bin   <= o1_bin;
        hclear1  <= clearing && !rst;
        hclear2  <= hclear1;
        if (rst || running)
            turn <= rst ? 5'd0 : 5'd16;
        else if (turn != 0 && pop)
            turn <= turn - 1'b1;
        if (rst) begin
            running <= 1'b0;
            op      <= LEARN;
        end else if (start) begin
            running <= 1'b1;
            op      <= start_op;
            op_row  <= start_row;
            op_bin  <= 0;
        end else if (running) begin
            op_bin  <= op_bin + 1'b1;
            running <= !op_last;
        end
        // the row's header goes to the engine before its first bin
        snap_start <= start && start_op == REFRESH;
        snap_row   <= start_row;
        snap_gen   <= row_gen[start_row*GEN_W +: GEN_W];
    end

    // ---- histogram RAMs, words {censored, reuse}
    wire [31:0] cell_op    = op_row * BINS + {{32 - BIN_W{1'b0}}, op_bin};
    wire [31:0] cell_learn = l4_row * BINS + {{32 - BIN_W{1'b0}}, l4_bin};
    wire [CELL_W-1:0] h0_addr = clearing ? clear_at[CELL_W-1:0] :
                                running  ? cell_op[CELL_W-1:0] : cell_learn[CELL_W-1:0];
    wire [BIN_W-1:0]  g0_addr = clearing ? clear_at[BIN_W-1:0] : running ? op_bin : l4_bin;
    wire unused_cell = &{1'b0, cell_op[31:CELL_W], cell_learn[31:CELL_W]};

    wire [2*CNT_W-1:0] h2_q, g2_q, h_b, g_b;
    reg  [2*CNT_W-1:0] h2_d, g2_d;
    reg                h2_we, g2_we;
    ram_rmw #(.WIDTH(2 * CNT_W), .DEPTH(CELLS)) histograms (
        .clk(clk), .rst(rst),
        .a0_addr(h0_addr), .a2_q(h2_q), .a2_we(h2_we), .a2_d(h2_d),
        .b0_addr({CELL_W{1'b0}}), .b2_q(h_b)
    );
    ram_rmw #(.WIDTH(2 * CNT_W), .DEPTH(1 << BIN_W)) global_histogram (
        .clk(clk), .rst(rst),
        .a0_addr(g0_addr), .a2_q(g2_q), .a2_we(g2_we), .a2_d(g2_d),
        .b0_addr({BIN_W{1'b0}}), .b2_q(g_b)
    );

    function [2*CNT_W-1:0] counted(input [2*CNT_W-1:0] word, input censored);
        reg [CNT_W-1:0] c, r;
        begin
            {c, r} = word;
            if (censored && c != FULL)
                c = c + 1'b1;
            if (!censored && r != FULL)
                r = r + 1'b1;
            counted = {c, r};
        end
    endfunction

    function [2*CNT_W-1:0] halved(input [2*CNT_W-1:0] word);
        halved = (word >> 1) & {1'b0, {CNT_W-1{1'b1}}, 1'b0, {CNT_W-1{1'b1}}};
    endfunction

    wire op_global = op_row == 0;
    always @* begin
        h2_we = hclear2 || (l_valid[6] && l_applied[6]);
        g2_we = hclear2 || l_valid[6];
        h2_d  = counted(h2_q, l_censored[6]);
        g2_d  = counted(g2_q, l_censored[6]);
        if (o2_valid && op != REFRESH) begin
            h2_we = !op_global;
            g2_we = op_global;
            h2_d  = op == CLEAR ? {2*CNT_W{1'b0}} : halved(h2_q);
            g2_d  = halved(g2_q);
        end
        if (hclear2) begin
            h2_d = 0;
            g2_d = 0;
        end
    end

    wire [CNT_W-1:0] h2_count = l_censored[6] ? h2_d[2*CNT_W-1:CNT_W] : h2_d[CNT_W-1:0];
    wire [CNT_W-1:0] g2_count = l_censored[6] ? g2_d[2*CNT_W-1:CNT_W] : g2_d[CNT_W-1:0];

    assign snap_valid = o2_valid && op == REFRESH;
    assign snap_last  = o2_last;
    assign snap_bin   = o2_bin;
    assign {snap_gcensored, snap_greuse} = g2_q;
    assign {snap_censored, snap_reuse}   = op_global ? g2_q : h2_q;

    // ---- flags of the rows: background first, then the walk's allocation and tick
    reg [CLASSES-1:0] dirty_n, pend_n, clear_n, halve_n;
    always @* begin
        dirty_n = dirty;
        pend_n  = pend;
        clear_n = clear_owed;
        halve_n = halve_owed;
        if (l_valid[6] && l_applied[6] && h2_count == FULL)
            halve_n[l6_row] = 1'b1;
        if (l_valid[6] && g2_count == FULL)
            halve_n[0] = 1'b1;
        if (pop) begin
            dirty_n[0] = 1'b1;
            pend_n[0]  = pend[0] || joining;
            if (r_applied) begin
                dirty_n[r_row] = 1'b1;
                pend_n[r_row]  = pend[r_row] || joining;
            end
        end
        if (start) begin
            pend_n[start_row] = start_op == HALVE ? pend[start_row] : 1'b0;
            dirty_n[start_row] = start_op == HALVE;
            if (start_op == CLEAR)
                clear_n[start_row] = 1'b0;
            if (start_op != REFRESH)
                halve_n[start_row] = 1'b0;
        end
        if (x5_tick)
            pend_n = pend_n | dirty_n;
        if (x5_valid && x5_alloc)
            clear_n[x5_row] = 1'b1;
    end
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
            if (start && start_op == REFRESH)
                later <= ({CLASSES{1'b1}} << start_row) << 1;
            dirty      <= dirty_n;
            pend       <= pend_n;
            clear_owed <= clear_n;
            halve_owed <= halve_n;
            joining    <= x5_tick || (joining && !(start && start_op == REFRESH));
            if (x5_valid && x5_alloc)
                row_gen[x5_row*GEN_W +: GEN_W] <= x5_gen;
        end

    assign pending = |pend;
    assign resting = !running && !learning && !o1_valid && !o2_valid && !want_clear && !want_halve;
    assign idle    = resting && !pending;

    assign tvi_valid    = pop || start;
    assign tvi_kind     = pop ? LEARN : start_op;
    assign tvi_row      = pop ? r_row : start_row;
    assign tvi_queue    = rec1_pop;
    assign tvi_applied  = r_applied;
    assign learnt_valid = l_valid[6];
    assign learnt_bin   = l6_bin;
    assign learnt_count  = l_applied[6] ? h2_count : {CNT_W{1'b0}};
    assign learnt_gcount = g2_count;

    wire unused_ok = &{1'b0, dir_b, h_b, g_b}; // read ports that nobody uses

endmodule
`default_nettype wire
