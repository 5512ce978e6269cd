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
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;

    generate
        if (P_W > 62 || BINS < 16) begin : g_bad
            BINS_must_be_at_least_16_and_products_at_most_62_bits stop_here();
        end
    endgenerate

    // Smallest interval of bin b, modulo 2^X_W, and largest (docs/formats.md, "Bins").
    function [X_W-1:0] low_of(input [BIN_W:0] b);
        reg [BIN_W:0] m;
        begin
            m = b - 8;
            low_of = b < 8 ? {{X_W-BIN_W{1'b0}}, b[BIN_W-1:0]}
                           : {{X_W-3{1'b0}}, 1'b1, m[1:0]} << (m[BIN_W:2] + 1'b1);
        end
    endfunction

    function [X_W-1:0] edge_of(input [BIN_W-1:0] b);
        edge_of = low_of({1'b0, b} + 1'b1) - 1'b1;
    endfunction

    // ======== table and lookup lane
    reg [CLASSES-1:0] ready, bank;

    wire [ROW_W-1:0]  l0_row_used = l0_current && ready[l0_row] ? l0_row : {ROW_W{1'b0}};
    assign l0_serving = l0_row_used;

    reg  [5:1]        l_valid, l_dead;
    reg               l6_valid_q, l6_dead;
    reg  [ROW_W:0]    l1_row, l2_row, l3_row, l4_row; // {bank, row}
    reg  [TIME_W-1:0] l1_tau;
    reg  [TAG_W-1:0]  l1_tag, l2_tag, l3_tag, l4_tag, l5_tag, l6_tag_q;
    wire [BIN_W-1:0]  l4_bin;
    wire [15:0]       l5_word;
    reg  [15:0]       l6_word;
    log_bin #(.X_W(TIME_W), .BINS(BINS), .BIN_W(BIN_W)) binner (.clk(clk), .x(l1_tau), .bin(l4_bin));

    wire [31:0] l4_bank = l4_row[ROW_W] ? CLASSES : 0;
    wire [31:0] l4_cell = (l4_bank + {{32 - ROW_W{1'b0}}, l4_row[ROW_W-1:0]}) * BINS + {{32 - BIN_W{1'b0}}, l4_bin};
    wire unused_cell = &{1'b0, l4_cell[31:CELL_W]};

    always @(posedge clk) begin
        l_valid <= rst ? 5'd0 : {l_valid[4:1], l0_valid};
        l_dead  <= {l_dead[4:1], !ready[l0_row_used]};
        l1_row  <= {bank[l0_row_used], l0_row_used};
        l2_row  <= l1_row;
        l3_row  <= l2_row;
        l4_row  <= l3_row;
        l1_tau  <= l0_tau;
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
    // ---- snapshot
    reg  [ROW_W-1:0]   row;
    reg  [GEN_W-1:0]   gen;
    reg  [N_W-1:0]     n_row, n_global;
    reg  [BIN_W-1:0]   b;
    wire [4*CNT_W-1:0] snap_q;
    ram_sdp #(.WIDTH(4 * CNT_W), .DEPTH(1 << BIN_W)) snapshot (
        .clk(clk), .we(snap_valid), .waddr(snap_bin),
        .wdata({snap_gcensored, snap_greuse, snap_censored, snap_reuse}),
        .re(1'b1), .raddr(b), .rdata(snap_q)
    );
    wire [CNT_W-1:0] q_reuse, q_censored, q_greuse, q_gcensored;
    assign {q_gcensored, q_greuse, q_censored, q_reuse} = snap_q;

    // A cold row's counts, times N_global, plus 8 pseudo-observations of the global histogram.
    function [SUM_W-1:0] effective(input cold, input [CNT_W-1:0] count, input [CNT_W-1:0] global,
                                   input [N_W-1:0] n);
        reg [SUM_W-1:0] wide;
        begin
            wide = {{SUM_W-N_W{1'b0}}, n};
            effective = !cold ? {{SUM_W-CNT_W{1'b0}}, count}
                      : (count[0] ? wide : {SUM_W{1'b0}}) + (count[1] ? wide << 1 : {SUM_W{1'b0}}) +
                        (count[2] ? wide << 2 : {SUM_W{1'b0}}) +
                        {{SUM_W-CNT_W-3{1'b0}}, global, 3'd0};
        end
    endfunction

    reg             cold;
    reg [SUM_W-1:0] mass;      // effective reuses of bin b
    reg [SUM_W-1:0] left;      // effective censored records of bin b
    reg [SUM_W-1:0] beyond;    // reuses in bins > b
    reg [SUM_W-1:0] from;      // reuses in bins >= b
    reg [SUM_W-1:0] at_risk;   // reuses and censored records in bins >= b

    // ---- hull: points of bins with reuses, the nearest on top; {edge, reuses beyond it}
    localparam PT_W = X_W + SUM_W;
    reg  [BIN_W:0]     points;
    reg  [X_W-1:0]     top_x, under_x;
    reg  [SUM_W-1:0]   top_beyond, under_beyond;
    localparam [BIN_W:0] THREE = 3;
    wire [BIN_W:0]     third = points - THREE; // stack index of the point under `under`
    wire [PT_W-1:0]    third_q;
    reg                push;
    wire unused_third = &{1'b0, third[BIN_W], points[BIN_W]};
    ram_sdp #(.WIDTH(PT_W), .DEPTH(1 << BIN_W)) hull (
        .clk(clk), .we(push), .waddr(points[BIN_W-1:0]), .wdata({edge_of(b), beyond}),
        .re(1'b1), .raddr(third[BIN_W-1:0]), .rdata(third_q)
    );

    // ---- two serial multipliers: pa = sum of a where da has ones, pb alike
    reg [P_W-1:0] a, pa, bb, pb;
    reg [X_W-1:0] da, db;
    wire          mul_done = da == 0 && db == 0;

    // ---- division: rest / (at_risk * cost), one bit a cycle
    reg [SUM_W-1:0] best;       // mass of the best lease
    reg [X_W-1:0]   best_cost;  // its l - tau
    reg [P_W:0]     rest;
    reg [P_W-1:0]   divisor;
    reg [5:0]       exponent;
    reg [9:0]       mantissa;
    reg [3:0]       bits;
    wire            fits = rest >= {1'b0, divisor};

    localparam IDLE = 5'd0, LOAD = 5'd1, READ = 5'd2, READ2 = 5'd3, COUNT = 5'd4,
               ATOP = 5'd6, AMUL = 5'd7, OWN = 5'd8, OMUL = 5'd9, BEST = 5'd10, PMUL = 5'd11,
               NORM = 5'd12, DIV = 5'd13, WRITE = 5'd14, QTOP = 5'd15, QMUL = 5'd16, PUSH = 5'd17,
               NEXT = 5'd18, DONE = 5'd19, POP = 5'd20, POP2 = 5'd21;
    reg [4:0] state;
    reg       at_q;             // POP returns to QTOP, else to ATOP
    reg [15:0] prio;

    wire [X_W-1:0] tau     = low_of({1'b0, b});
    wire [X_W-1:0] edge_b  = edge_of(b);
    wire [X_W-1:0] own_cost = edge_b == tau ? {{X_W-1{1'b0}}, 1'b1} : edge_b - tau;

    assign idle        = state == IDLE && !snap_start;
    assign install_req = state == DONE;
    assign install_row = row;
    assign install_gen = gen;

    wire [31:0] wr_bank = bank[row] ? 0 : CLASSES;
    wire [31:0] wr_cell = (wr_bank + {{32 - ROW_W{1'b0}}, row}) * BINS + {{32 - BIN_W{1'b0}}, b};
    wire unused_wr = &{1'b0, wr_cell[31:CELL_W]};
    ram_sdp #(.WIDTH(16), .DEPTH(CELLS)) table_ram (
        .clk(clk), .we(state == WRITE), .waddr(wr_cell[CELL_W-1:0]), .wdata(prio),
        .re(1'b1), .raddr(l4_cell[CELL_W-1:0]), .rdata(l5_word)
    );
    assign tvi_prio_valid = state == WRITE;
    assign tvi_prio_bin   = b;
    assign tvi_prio       = prio;

    always @(posedge clk) begin
        push <= 1'b0;
        // multipliers run whenever they have something to do
        if (!mul_done) begin
            pa <= da[0] ? pa + a : pa;
            pb <= db[0] ? pb + bb : pb;
            a  <= a << 1;
            bb <= bb << 1;
            da <= da >> 1;
            db <= db >> 1;
        end

        case (state)
            IDLE:
                if (snap_start) begin
                    row      <= snap_row;
                    gen      <= snap_gen;
                    n_row    <= 0;
                    n_global <= 0;
                    b        <= LAST_BIN;
                    beyond   <= 0;
                    from     <= 0;
                    at_risk  <= 0;
                    points   <= 0;
                    state    <= LOAD;
                end
            LOAD:
                if (snap_valid) begin
                    n_row    <= n_row + {{N_W-CNT_W{1'b0}}, snap_reuse} + {{N_W-CNT_W{1'b0}}, snap_censored};
                    n_global <= n_global + {{N_W-CNT_W{1'b0}}, snap_greuse} + {{N_W-CNT_W{1'b0}}, snap_gcensored};
                    if (snap_last)
                        state <= READ;
                end
            READ: begin
                cold  <= cfg_pseudo && row != 0 && n_row < 8 && n_global != 0;
                state <= READ2;
            end
            READ2: begin // the snapshot's word stands at the RAM's output
                mass  <= effective(cold, q_reuse, q_greuse, n_global);
                left  <= effective(cold, q_censored, q_gcensored, n_global);
                state <= COUNT;
            end
            COUNT: begin
                from    <= beyond + mass;
                at_risk <= at_risk + mass + left;
                state   <= ATOP;
            end

            // From (tau, C of the bin before): a point that the one behind it beats is gone for good.
            ATOP:
                if (points < 2) begin
                    state <= OWN;
                end else begin
                    {a, da, pa} <= {{X_W{1'b0}}, from - top_beyond, under_x - tau, {P_W{1'b0}}};
                    {bb, db, pb} <= {{X_W{1'b0}}, from - under_beyond, top_x - tau, {P_W{1'b0}}};
                    state <= AMUL;
                end
            AMUL:
                if (mul_done) begin
                    at_q  <= 1'b0;
                    state <= pa <= pb ? POP : OWN;
                end

            // The bin's own mass, against the best behind it.
            OWN: begin
                {a, da, pa} <= {{X_W{1'b0}}, mass, points == 0 ? {X_W{1'b0}} : top_x - tau, {P_W{1'b0}}};
                {bb, db, pb} <= {{X_W{1'b0}}, from - top_beyond, points == 0 ? {X_W{1'b0}} : own_cost, {P_W{1'b0}}};
                state <= OMUL;
            end
            OMUL:
                if (mul_done) begin
                    if (points == 0 || pa >= pb) begin
                        best      <= mass;
                        best_cost <= own_cost;
                    end else begin
                        best      <= from - top_beyond;
                        best_cost <= top_x - tau;
                    end
                    state <= BEST;
                end
            BEST: begin
                {a, da, pa} <= {{X_W{1'b0}}, at_risk, best_cost, {P_W{1'b0}}};
                db    <= 0;
                prio  <= 16'd0;
                state <= best == 0 ? WRITE : PMUL;
            end
            PMUL:
                if (mul_done) begin
                    divisor  <= pa;
                    rest     <= {{X_W+1{1'b0}}, best};
                    exponent <= 6'd63;
                    state    <= NORM;
                end
            NORM: begin // to [1, 2): the exponent
                bits <= 4'd10;
                if (fits) begin
                    rest  <= (rest - {1'b0, divisor}) << 1;
                    state <= DIV;
                end else begin
                    rest     <= rest << 1;
                    exponent <= exponent - 1'b1;
                end
            end
            DIV: begin // ten bits of mantissa
                mantissa <= {mantissa[8:0], fits};
                rest     <= (fits ? rest - {1'b0, divisor} : rest) << 1;
                bits     <= bits - 1'b1;
                if (bits == 0) begin
                    prio  <= {exponent, mantissa};
                    state <= WRITE;
                end
            end
            WRITE:
                state <= mass == 0 ? NEXT : QTOP;

            // From (edge, C of this bin): what its own point hides from all lower tau goes.
            QTOP:
                if (points < 2) begin
                    push  <= 1'b1;
                    state <= PUSH;
                end else begin
                    {a, da, pa} <= {{X_W{1'b0}}, beyond - top_beyond, under_x - edge_b, {P_W{1'b0}}};
                    {bb, db, pb} <= {{X_W{1'b0}}, beyond - under_beyond, top_x - edge_b, {P_W{1'b0}}};
                    state <= QMUL;
                end
            QMUL:
                if (mul_done) begin
                    at_q <= 1'b1;
                    push <= pa > pb;
                    state <= pa <= pb ? POP : PUSH;
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
                state  <= b == 0 ? DONE : READ;
            end

            POP: // third is read
                state <= POP2;
            POP2: begin
                top_x      <= under_x;
                top_beyond <= under_beyond;
                {under_x, under_beyond} <= third_q;
                points     <= points - 1'b1;
                state      <= at_q ? QTOP : ATOP;
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
