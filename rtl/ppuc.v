// SPDX-License-Identifier: Apache-2.0
// ppuc: the priority of a page from its reference's row and its TESLA (docs/blocks/ppuc.md).
//
//   priority(r, tau) = max over l > tau of (C(l) - C(tau)) / (at_risk(tau) * (l - tau))
//
// Lookup lane: table [row][bin(tau)] -> 16-bit minifloat, one page a cycle, six cycles.
// Engine: makes a row of that table from a snapshot of its histogram, from the last bin down, with
// the upper convex hull of the points (edge, C): what a lower tau sees behind a hull point can
// never win again, so a row costs at most three slope comparisons a bin. All comparisons are exact (serial
// cross-multiplication); the one division is rounded down. Rows have two banks: a new row shows at once, at INSTALL.
// Source: LEU 3.1, Eq. 1 and 2; Kaplan-Meier number at risk; docs/decisions.md.
`default_nettype none
module ppuc #(
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter GEN_W   = 4,
    // bits that travel along with a lookup
    parameter TAG_W   = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              cfg_pseudo,
    // snapshot of a row
    input  wire              snap_start,
    input  wire [ROW_W-1:0]  snap_row,
    input  wire [GEN_W-1:0]  snap_gen,
    input  wire              snap_valid,
    input  wire              snap_last,
    input  wire [BIN_W-1:0]  snap_bin,
    input  wire [CNT_W-1:0]  snap_reuse, snap_censored, snap_greuse, snap_gcensored,
    output wire              idle,
    // INSTALL
    output wire              install_req,
    output wire [ROW_W-1:0]  install_row,
    output wire [GEN_W-1:0]  install_gen,
    input  wire              install,         // now
    input  wire              install_current, // the generation is still the row's
    // the row was given to another reference
    input  wire              forget,
    input  wire [ROW_W-1:0]  forget_row,
    // lookups
    input  wire              l0_valid,
    input  wire [ROW_W-1:0]  l0_row,
    input  wire              l0_current,      // the page's class is not stale
    input  wire [TIME_W-1:0] l0_tau,
    input  wire [TAG_W-1:0]  l0_tag,
    output wire [ROW_W-1:0]  l0_serving,      // row that serves it, combinational
    output wire              l6_valid,
    output wire [15:0]       l6_priority,
    output wire [TAG_W-1:0]  l6_tag,
    // tvi: each priority as the engine writes it
    output wire              tvi_prio_valid,
    output wire [BIN_W-1:0]  tvi_prio_bin,
    output wire [15:0]       tvi_prio
);

    localparam SUM_W  = CNT_W + BIN_W + 5;     // effective counts, summed; see N_W
    localparam N_W    = CNT_W + BIN_W + 1;     // observations of a row
    localparam X_W    = (BINS - 9) / 4 + 4;    // bits of the last edge
    localparam P_W    = SUM_W + X_W;
    localparam CELLS  = 2 * CLASSES * BINS;
    localparam CELL_W = $clog2(CELLS);
    localparam STEP_W = $clog2(X_W);
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;
    // exponent of the quotient of two normalised numbers, of which the upper was shifted by X_W before
    localparam UNSHIFTED = 63 - X_W;
    localparam H_W = P_W / 2;
    localparam [H_W:0] ONE = 1;
    localparam LAST_STEP = X_W - 1;

    generate
        if (P_W > 62 || BINS < 16) begin : g_bad
            BINS_must_be_at_least_16_and_products_at_most_62_bits stop_here();
        end
    endgenerate

    // Bin BINS - 1 (docs/formats.md, "Bins"): its width, and the smallest interval above it modulo 2^X_W.
    localparam [X_W-1:0] LAST_WIDTH = {{X_W-1{1'b0}}, 1'b1} << ((BINS - 9) / 4 + 1);
    localparam [X_W-1:0] ABOVE_LAST = {{X_W-3{1'b0}}, 1'b1, BINS[1:0]} << (BINS / 4 - 1);

    // ======== table and lookup lane
    reg [CLASSES-1:0] ready, bank;

    wire l0_own = l0_current && ready[l0_row];
    assign l0_serving = l0_own ? l0_row : {ROW_W{1'b0}};

    reg  [5:1]        l_valid, l_dead;
    reg               l6_valid_q, l6_dead;
    reg  [ROW_W:0]    l1_row; // {bank, row}
    reg  [CELL_W-1:0] l2_base, l3_base, l4_base;
    reg  [TAG_W-1:0]  l1_tag, l2_tag, l3_tag, l4_tag, l5_tag, l6_tag_q;
    wire [BIN_W-1:0]  l4_bin;
    wire [15:0]       l5_word;
    reg  [15:0]       l6_word;
    log_bin #(.X_W(TIME_W), .BINS(BINS), .BIN_W(BIN_W)) binner (.clk(clk), .x(l0_tau), .bin(l4_bin));

    wire [31:0] l1_bank = l1_row[ROW_W] ? CLASSES : 0;
    wire [31:0] l1_base = (l1_bank + {{32 - ROW_W{1'b0}}, l1_row[ROW_W-1:0]}) * BINS;
    wire [CELL_W-1:0] l4_cell = l4_base + {{CELL_W - BIN_W{1'b0}}, l4_bin};
    wire unused_cell = &{1'b0, l1_base[31:CELL_W]};

    always @(posedge clk) begin
        l_valid <= rst ? 5'd0 : {l_valid[4:1], l0_valid};
        l_dead  <= {l_dead[4:1], !l0_own && !ready[0]};
        l1_row  <= l0_own ? {bank[l0_row], l0_row} : {bank[0], {ROW_W{1'b0}}};
        l2_base <= l1_base[CELL_W-1:0];
        l3_base <= l2_base;
        l4_base <= l3_base;
        l1_tag  <= l0_tag;
        l2_tag  <= l1_tag;
        l3_tag  <= l2_tag;
        l4_tag  <= l3_tag;
        l5_tag  <= l4_tag;
        l6_tag_q <= l5_tag;
        l6_word <= l5_word;
        l6_dead <= l_dead[5];
        l6_valid_q <= l_valid[5] && !rst;
    end
    assign l6_valid    = l6_valid_q;
    assign l6_tag      = l6_tag_q;
    assign l6_priority = l6_dead ? 16'd0 : l6_word;

    // ======== engine
    // One step a cycle, each with at most one sum as wide as SUM_W or P_W between registers.

    // ---- snapshot
    reg  [ROW_W-1:0]   row;
    reg  [GEN_W-1:0]   gen;
    reg  [N_W-1:0]     n_row, n_global;
    reg  [CNT_W:0]     add_row, add_global; // the bin before, of the row and of row 0
    reg                add, add_last;
    reg  [BIN_W-1:0]   b;
    wire [4*CNT_W-1:0] snap_q;
    ram_sdp #(.WIDTH(4 * CNT_W), .DEPTH(1 << BIN_W)) snapshot (
        .clk(clk), .we(snap_valid), .waddr(snap_bin),
        .wdata({snap_gcensored, snap_greuse, snap_censored, snap_reuse}),
        .re(1'b1), .raddr(b), .rdata(snap_q)
    );

    // A cold row's counts, times N_global, plus 8 pseudo-observations of the global histogram.
    function [SUM_W-1:0] part(input [2:0] count, input [N_W-1:0] n, input [1:0] at);
        part = count[at] ? {{SUM_W-N_W{1'b0}}, n} << at : {SUM_W{1'b0}};
    endfunction

    reg              few, observed, cold; // of the sums: not before READ
    reg [CNT_W-1:0]  count, global, next_count, next_global; // reuses, then censored records, of bin b
    wire [CNT_W:0]   low3 = {1'b0, count}; // a count has two bits or more
    wire unused_low3 = &{1'b0, low3[CNT_W:2]};
    reg              second;    // it is about the censored records
    reg [1:0]        turn;      // of the three bits of a cold row's count
    reg [SUM_W-1:0]  effective, add_part;
    reg [SUM_W-1:0]  mass;      // effective reuses of bin b
    reg              massless;  // mass is 0
    reg [SUM_W-1:0]  beyond;    // reuses in bins > b
    reg [SUM_W-1:0]  from;      // reuses in bins >= b
    reg [SUM_W-1:0]  at_risk;   // reuses and censored records in bins >= b

    // ---- bin b: from tau to edge_b; the widths halve from octave to octave
    reg [X_W-1:0]    tau, edge_b, width, own_cost;

    // ---- hull: points of bins with reuses, the nearest on top; {edge, reuses beyond it}
    localparam PT_W = X_W + SUM_W;
    reg  [BIN_W:0]     points;
    reg                some, several; // points > 0, points > 1: one cycle later
    reg  [X_W-1:0]     top_x, under_x;
    reg  [SUM_W-1:0]   top_beyond, under_beyond;
    localparam [BIN_W:0] THREE = 3;
    wire [BIN_W:0]     third = points - THREE; // stack index of the point under `under`
    wire [PT_W-1:0]    third_q;
    reg                push;
    wire unused_third = &{1'b0, third[BIN_W]};
    ram_sdp #(.WIDTH(PT_W), .DEPTH(1 << BIN_W)) hull (
        .clk(clk), .we(push), .waddr(points[BIN_W-1:0]), .wdata({edge_b, beyond}),
        .re(1'b1), .raddr(third[BIN_W-1:0]), .rdata(third_q)
    );

    // ---- the viewpoint, and how far right and up of it the two nearest points are: one cycle later
    reg  [X_W-1:0]     view_x, top_dx, under_dx;
    reg  [SUM_W-1:0]   view_beyond, top_dy, under_dy;

    localparam IDLE = 5'd0, LOAD = 5'd1, SUM = 5'd2, READ = 5'd3, READ2 = 5'd4, PARTS = 5'd5,
               MASS = 5'd6, TOTAL = 5'd7, COUNT = 5'd8, AVIEW = 5'd9, ATOP = 5'd10, AMUL = 5'd11,
               OWN = 5'd12, OMUL = 5'd13, BEST = 5'd14, BEST2 = 5'd15, PMUL = 5'd16, NORM = 5'd17,
               LESS = 5'd18, DIV = 5'd19, WRITE = 5'd20, QVIEW = 5'd21, QTOP = 5'd22, QMUL = 5'd23,
               PUSH = 5'd24, NEXT = 5'd25, DONE = 5'd26, POP = 5'd27, POP2 = 5'd28;
    reg [4:0] state;

    // ---- two serial multipliers, least significant bit first: a * da and bb * db, X_W + 4 cycles
    reg  [SUM_W-1:0]   a, bb, step_a, step_b; // step: what this bit of da or db adds
    reg  [X_W-1:0]     da, db;
    reg  [SUM_W-1:0]   pa, pb;                // upper bits of the products
    reg  [X_W-1:0]     pa_low;                // lower bits of the first; of both the order is enough:
    reg                low_above;             // those of a * da exceed those of bb * db
    reg  [STEP_W-1:0]  steps;
    reg                stepping, adding, mul_done;
    reg                above;                 // a * da > bb * db, with mul_done
    wire               at_most = !above;
    reg                load, load_own, load_best; // in the cycle after ATOP, OWN, BEST2, QTOP
    wire [SUM_W:0]     sum_a = {1'b0, pa} + {1'b0, step_a};
    // the sign of a difference shares its cell with the register, that of a comparison does not
    wire [SUM_W+1:0]   order = {1'b0, pb, !low_above} - {1'b0, pa, 1'b1};
    wire               unused_order = &{1'b0, order[SUM_W:0]};
    wire [SUM_W:0]     sum_b = {1'b0, pb} + {1'b0, step_b};

    // ---- division: rest / divisor, both shifted up to bit P_W - 1; two cycles a bit
    reg  [SUM_W-1:0]   best;       // mass of the best lease
    reg  [X_W-1:0]     best_cost;  // its l - tau
    reg                worthless;  // best is 0
    reg  [P_W:0]       rest;
    reg  [P_W-1:0]     divider;    // the divisor's complement, which spares the subtraction a LUT
    reg  [H_W:0]       less_low;   // rest - divisor: lower half, and carry into the upper one,
    reg  [P_W+1-H_W:0] less_high[0:1]; // which is there for both
    reg  [5:0]         exponent;
    reg                up, down;   // one to add to the exponent, or to take off
    reg                first;      // bit of the quotient
    reg  [9:0]         mantissa;   // bits so far: the first is a one
    wire [P_W+1:0]     less = {less_high[less_low[H_W]], less_low[H_W-1:0]};
    wire               fits = !less[P_W+1];
    wire               unused_less = &{1'b0, less[P_W]};

    reg       at_q;             // POP returns to QVIEW, else to AVIEW
    reg [15:0] prio;

    assign idle        = state == IDLE && !snap_start;
    assign install_req = state == DONE;
    assign install_row = row;
    assign install_gen = gen;

    wire [31:0] wr_bank = bank[row] ? 0 : CLASSES;
    wire [31:0] wr_row  = (wr_bank + {{32 - ROW_W{1'b0}}, row}) * BINS;
    reg  [CELL_W-1:0] wr_base, wr_cell;
    wire unused_wr = &{1'b0, wr_row[31:CELL_W]};
    ram_sdp #(.WIDTH(16), .DEPTH(CELLS)) table_ram (
        .clk(clk), .we(state == WRITE), .waddr(wr_cell), .wdata(prio),
        .re(1'b1), .raddr(l4_cell), .rdata(l5_word)
    );
    assign tvi_prio_valid = state == WRITE;
    assign tvi_prio_bin   = b;
    assign tvi_prio       = prio;

    always @(posedge clk) begin
        push <= 1'b0;
        add_row    <= {1'b0, snap_reuse} + {1'b0, snap_censored};
        add_global <= {1'b0, snap_greuse} + {1'b0, snap_gcensored};
        add        <= state == LOAD && snap_valid;
        add_last   <= state == LOAD && snap_valid && snap_last;
        if (add) begin
            n_row    <= n_row + {{N_W-CNT_W-1{1'b0}}, add_row};
            n_global <= n_global + {{N_W-CNT_W-1{1'b0}}, add_global};
        end
        few      <= n_row[N_W-1:3] == 0;
        observed <= n_global != 0;
        cold     <= cfg_pseudo && row != 0 && few && observed;
        wr_base  <= wr_row[CELL_W-1:0];
        wr_cell  <= wr_base + {{CELL_W-BIN_W{1'b0}}, b};
        some     <= points != 0;
        several  <= points[BIN_W:1] != 0;
        top_dx   <= top_x - view_x;
        under_dx <= under_x - view_x;
        top_dy   <= view_beyond - top_beyond;
        under_dy <= view_beyond - under_beyond;

        // multipliers run whenever they have something to do
        if (stepping) begin
            step_a   <= da[0] ? a : {SUM_W{1'b0}};
            step_b   <= db[0] ? bb : {SUM_W{1'b0}};
            da       <= da >> 1;
            db       <= db >> 1;
            steps    <= steps - 1'b1;
            stepping <= steps != 0;
        end
        adding <= stepping && !load;
        if (adding) begin
            pa     <= sum_a[SUM_W:1];
            pb     <= sum_b[SUM_W:1];
            pa_low <= {sum_a[0], pa_low[X_W-1:1]};
            if (sum_a[0] != sum_b[0])
                low_above <= sum_a[0];
        end
        above    <= order[SUM_W+1];
        mul_done <= !stepping && !adding && !load;
        if (state == ATOP || state == OWN || state == BEST2 || state == QTOP)
            mul_done <= 1'b0;
        load      <= state == ATOP || state == OWN || state == BEST2 || state == QTOP;
        load_own  <= state == OWN;
        load_best <= state == BEST2;
        if (load) begin
            a    <= load_best ? at_risk : top_dy;
            bb   <= load_own ? mass : under_dy;
            da   <= load_best ? best_cost : !load_own ? under_dx : some ? own_cost : {X_W{1'b0}};
            db   <= top_dx;
            pa   <= 0;
            pb   <= 0;
            low_above <= 1'b0;
            steps     <= LAST_STEP[STEP_W-1:0];
            stepping  <= 1'b1;
        end

        less_low     <= {1'b0, rest[H_W-1:0]} + {1'b0, divider[H_W-1:0]} + ONE;
        less_high[0] <= {1'b0, rest[P_W:H_W]} + {2'b11, divider[P_W-1:H_W]};
        less_high[1] <= {1'b0, rest[P_W:H_W]} + {2'b11, divider[P_W-1:H_W]} + 1'b1;
        up   <= state == NORM && divider[P_W-1] && rest[P_W-1];
        down <= (state == NORM && !divider[P_W-1] && !rest[P_W-1]) || (state == DIV && first && !fits);
        if (up)
            exponent <= exponent + 1'b1;
        if (down)
            exponent <= exponent - 1'b1;

        case (state)
            IDLE:
                if (snap_start) begin
                    row      <= snap_row;
                    gen      <= snap_gen;
                    n_row    <= 0;
                    n_global <= 0;
                    b        <= LAST_BIN;
                    tau      <= ABOVE_LAST;
                    width    <= LAST_WIDTH;
                    beyond   <= 0;
                    at_risk  <= 0;
                    points   <= 0;
                    state    <= LOAD;
                end
            LOAD:
                if (snap_valid && snap_last)
                    state <= SUM;
            SUM:
                if (!add_last) // the last bin has been added
                    state <= READ;
            READ: begin
                edge_b <= tau - 1'b1;
                tau    <= tau - width;
                state  <= READ2;
            end
            READ2: begin // the snapshot's word stands at the RAM's output
                {next_global, global, next_count, count} <= snap_q;
                own_cost <= width[0] ? width : width - 1'b1;
                second   <= 1'b0;
                turn     <= 2'd0;
                state    <= PARTS;
            end
            PARTS: begin // a warm row's count, or 8 of row 0 and three parts
                turn      <= turn + 1'b1;
                add_part  <= part(low3[2:0], n_global, turn);
                effective <= turn != 0 ? effective + add_part :
                             cold ? {{SUM_W-CNT_W-3{1'b0}}, global, 3'd0} : {{SUM_W-CNT_W{1'b0}}, count};
                if (!cold || turn == 2'd3)
                    state <= second ? TOTAL : MASS;
            end
            MASS: begin
                mass   <= effective;
                count  <= next_count;
                global <= next_global;
                second <= 1'b1;
                turn   <= 2'd0;
                state  <= PARTS;
            end
            TOTAL: begin
                from     <= beyond + mass;
                at_risk  <= at_risk + mass;
                massless <= mass == 0;
                state    <= COUNT;
            end
            COUNT: begin // the censored records are at risk too
                at_risk     <= at_risk + effective;
                view_x      <= tau;
                view_beyond <= from;
                state       <= AVIEW;
            end

            // From (tau, C of the bin before): a point that the one behind it beats is gone for good.
            AVIEW:
                state <= ATOP;
            ATOP:
                state <= several ? AMUL : OWN;
            AMUL:
                if (mul_done) begin
                    at_q  <= 1'b0;
                    state <= at_most ? POP : OWN;
                end

            // The bin's own mass, against the best behind it.
            OWN:
                state <= OMUL;
            OMUL:
                if (mul_done) begin
                    best      <= at_most ? mass : top_dy;
                    best_cost <= at_most ? own_cost : top_dx;
                    state     <= BEST;
                end
            BEST: begin
                worthless <= best == 0;
                prio      <= 16'd0;
                state     <= BEST2;
            end
            BEST2:
                state <= worthless ? WRITE : PMUL;
            PMUL:
                if (mul_done) begin
                    divider  <= ~{pa, pa_low};
                    rest     <= {1'b0, best, {X_W{1'b0}}};
                    exponent <= UNSHIFTED[5:0];
                    mantissa <= 10'd0;
                    state    <= NORM;
                end
            NORM: begin
                if (divider[P_W-1])
                    divider <= {divider[P_W-2:0], 1'b1};
                if (!rest[P_W-1])
                    rest <= rest << 1;
                first <= 1'b1;
                if (!divider[P_W-1] && rest[P_W-1])
                    state <= LESS;
            end
            LESS:
                state <= DIV;
            DIV: begin // a one, after at most one zero, and ten bits of mantissa
                rest     <= {fits ? less[P_W-1:0] : rest[P_W-1:0], 1'b0};
                mantissa <= {mantissa[8:0], fits};
                first    <= 1'b0;
                prio     <= {exponent, mantissa[8:0], fits};
                state    <= mantissa[9] ? WRITE : LESS;
            end
            WRITE: begin
                view_x      <= edge_b;
                view_beyond <= beyond;
                state       <= massless ? NEXT : QVIEW;
            end

            // From (edge, C of this bin): what its own point hides from all lower tau goes.
            QVIEW:
                state <= QTOP;
            QTOP: begin
                push  <= !several;
                state <= several ? QMUL : PUSH;
            end
            QMUL:
                if (mul_done) begin
                    at_q  <= 1'b1;
                    push  <= !at_most;
                    state <= at_most ? POP : PUSH;
                end
            PUSH: begin // the RAM is written in this cycle
                under_x      <= top_x;
                under_beyond <= top_beyond;
                top_x        <= edge_b;
                top_beyond   <= beyond;
                points       <= points + 1'b1;
                state        <= NEXT;
            end
            NEXT: begin
                beyond <= from;
                b      <= b - 1'b1;
                if (b[1:0] == 2'd0 && !width[0])
                    width <= width >> 1;
                state  <= b == 0 ? DONE : READ;
            end

            POP: // third is read
                state <= POP2;
            POP2: begin
                top_x      <= under_x;
                top_beyond <= under_beyond;
                {under_x, under_beyond} <= third_q;
                points     <= points - 1'b1;
                state      <= at_q ? QVIEW : AVIEW;
            end
            default: // DONE
                if (install)
                    state <= IDLE;
        endcase

        if (rst)
            state <= IDLE;
    end

    // ---- visible rows
    always @(posedge clk)
        if (rst) begin
            ready <= 0;
            bank  <= 0;
        end else begin
            if (install && install_current) begin
                ready[row] <= 1'b1;
                bank[row]  <= !bank[row];
            end
            if (forget)
                ready[forget_row] <= 1'b0;
        end

endmodule
`default_nettype wire
