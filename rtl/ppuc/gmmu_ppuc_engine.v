// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_engine: the priorities of a row, from the last bin down (docs/blocks/ppuc.md).
//
// Per bin b, tau its low end: the counts; from (tau, C below b) the hull's points that the one behind them beats go;
// the best of the bin's own mass and the hull's top, divided by (at_risk * cost); then the bin's own point, from
// which likewise points go, is pushed. One step a cycle; each has at most one sum as wide as SUM_W or P_W between
// two registers, and what it decides on stands in one.
// PARITY: where counts or a point turned bad the row is given up: `done` at once, `spoilt`, so that INSTALL shows nothing.
`default_nettype none
module gmmu_ppuc_engine #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter GEN_W   = 4,
    // 1: words in RAM that turned bad are told
    parameter PARITY  = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               cfg_pseudo,
    // snapshot of a row
    input  wire               snap_start,
    input  wire [ROW_W-1:0]   snap_row,
    input  wire [GEN_W-1:0]   snap_gen,
    input  wire               snap_valid,
    input  wire               snap_last,
    input  wire [BIN_W-1:0]   snap_bin,
    input  wire [4*CNT_W-1:0] snap_counts, // {censored, reuse} of row 0, then of the row
    input  wire               snap_bad,    // those of the cycle before had turned bad
    output wire               idle,
    // its row, and the bin that it is at
    output reg  [ROW_W-1:0]   row,
    output reg  [GEN_W-1:0]   gen,
    output reg  [BIN_W-1:0]   bin,
    // the bin's priority; row and bin stand for two cycles before
    output wire               prio_valid,
    output wire [15:0]        prio,
    // all bins are done: stands until `install`
    output wire               done,
    output reg                spoilt, // with it: not all bins are
    input  wire               install
);

    localparam N_W   = CNT_W + BIN_W + 1;  // observations of a row
    localparam SUM_W = CNT_W + BIN_W + 5;  // effective counts, summed: at most 16 times as many
    localparam X_W   = (BINS - 9) / 4 + 4; // bits of the last edge
    localparam P_W   = SUM_W + X_W;
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;

    generate
        if (P_W > 62 || BINS < 16) begin : g_bad
            BINS_must_be_at_least_16_and_products_at_most_62_bits stop_here();
        end
    endgenerate

    // Bin BINS - 1 (docs/formats.md, "Bins"): its width, and the smallest interval above it modulo 2^X_W.
    localparam [X_W-1:0] LAST_WIDTH = {{X_W-1{1'b0}}, 1'b1} << ((BINS - 9) / 4 + 1);
    localparam [X_W-1:0] ABOVE_LAST = {{X_W-3{1'b0}}, 1'b1, BINS[1:0]} << (BINS / 4 - 1);

    localparam IDLE = 5'd0, LOAD = 5'd1, EDGE = 5'd2, COST = 5'd3, COUNT = 5'd4,
               TAU_VIEW = 5'd5, TAU_TOP = 5'd6, TAU_MUL = 5'd7,
               OWN = 5'd8, OWN_MUL = 5'd9, BEST = 5'd10, RISK = 5'd11, RISK_MUL = 5'd12, DIVIDE = 5'd13, WRITE = 5'd14,
               EDGE_VIEW = 5'd15, EDGE_TOP = 5'd16, EDGE_MUL = 5'd17, PUSH = 5'd18, NEXT = 5'd19, DONE = 5'd20,
               POP = 5'd21, POP2 = 5'd22;
    reg  [4:0] state;
    wire       start = state == IDLE && snap_start;
    assign idle       = state == IDLE && !snap_start;
    assign done       = state == DONE;
    assign prio_valid = state == WRITE;

    // ---- the bin: from tau to edge_b; the widths halve from octave to octave
    reg [X_W-1:0] tau, edge_b, width, own_cost;

    reg pseudo; // of a REFRESH: as it began
    always @(posedge clk)
        if (start)
            pseudo <= cfg_pseudo;

    // ---- its counts
    wire               loaded, cold, counted, massless;
    wire [N_W-1:0]     n_global;
    wire [4*CNT_W-1:0] counts;
    wire [SUM_W-1:0]   mass, beyond, from, at_risk;
    wire               counts_bad, point_bad;
    gmmu_ppuc_snapshot #(
        .CNT_W(CNT_W),
        .BIN_W(BIN_W),
        .N_W(N_W),
        .PARITY(PARITY)
    ) snapshot (
        .take(state == COST),
        .bad(counts_bad),
        .clk(clk),
        .rst(rst),
        .start(start),
        .snap_valid(snap_valid),
        .snap_last(snap_last),
        .snap_bin(snap_bin),
        .snap_counts(snap_counts),
        .snap_bad(snap_bad),
        .loaded(loaded),
        .may_be_cold(pseudo && row != 0),
        .cold(cold),
        .n_global(n_global),
        .bin(bin),
        .counts(counts)
    );
    gmmu_ppuc_counts #(
        .CNT_W(CNT_W),
        .N_W(N_W),
        .SUM_W(SUM_W)
    ) sums (
        .clk(clk),
        .rst(rst),
        .clear(start),
        .take(state == COST),
        .counts(counts),
        .cold(cold),
        .n_global(n_global),
        .done(counted),
        .next(state == NEXT),
        .mass(mass),
        .massless(massless),
        .beyond(beyond),
        .from(from),
        .at_risk(at_risk)
    );

    // ---- points of bins with reuses, seen from tau, then from the bin's edge
    reg              write;   // the point that is pushed: in PUSH
    reg              at_edge; // POP returns to EDGE_VIEW, else to TAU_VIEW
    wire             some, several;
    wire [X_W-1:0]   top_dx, under_dx;
    wire [SUM_W-1:0] top_dy, under_dy;
    gmmu_ppuc_hull #(
        .BIN_W(BIN_W),
        .X_W(X_W),
        .SUM_W(SUM_W),
        .PARITY(PARITY)
    ) hull (
        .bad(point_bad),
        .clk(clk),
        .clear(start),
        .push(state == PUSH),
        .write(write),
        .push_x(edge_b),
        .push_beyond(beyond),
        .pop(state == POP2),
        .view(counted || state == WRITE),
        .view_x(state == WRITE ? edge_b : tau),
        .view_beyond(state == WRITE ? beyond : from),
        .some(some),
        .several(several),
        .top_dx(top_dx),
        .under_dx(under_dx),
        .top_dy(top_dy),
        .under_dy(under_dy)
    );

    // ---- products: is the top's slope above that of the point under it, or of the own mass; at_risk times cost
    reg              of_own, of_best;
    reg  [SUM_W-1:0] best;      // mass of the best lease
    reg  [X_W-1:0]   best_cost; // its l - tau
    reg              worthless; // best is 0
    wire             mul_done, above;
    wire             at_most = !above;
    wire [P_W-1:0]   product;
    gmmu_ppuc_product #(
        .SUM_W(SUM_W),
        .X_W(X_W)
    ) mul (
        .clk(clk),
        .start(state == TAU_TOP || state == OWN || state == RISK || state == EDGE_TOP),
        .in_a(of_best ? at_risk : top_dy),
        .in_da(of_best ? best_cost : !of_own ? under_dx : some ? own_cost : {X_W{1'b0}}),
        .in_b(of_own ? mass : under_dy),
        .in_db(top_dx),
        .done(mul_done),
        .above(above),
        .product(product)
    );

    wire divided;
    gmmu_ppuc_divide #(
        .SUM_W(SUM_W),
        .X_W(X_W)
    ) divide (
        .clk(clk),
        .rst(rst),
        .zero(state == BEST),
        .start(state == RISK_MUL && mul_done),
        .best(best),
        .divisor(product),
        .done(divided),
        .quotient(prio)
    );

    always @(posedge clk) begin
        write   <= 1'b0;
        of_own  <= state == OWN;
        of_best <= state == RISK;

        case (state)
            IDLE:
                if (snap_start) begin
                    row   <= snap_row;
                    gen   <= snap_gen;
                    bin   <= LAST_BIN;
                    tau   <= ABOVE_LAST;
                    width <= LAST_WIDTH;
                    state <= LOAD;
                end
            LOAD:
                if (loaded)
                    state <= EDGE;
            EDGE: begin
                edge_b <= tau - 1'b1;
                tau    <= tau - width;
                state  <= COST;
            end
            COST: begin
                own_cost <= width[0] ? width : width - 1'b1;
                state    <= COUNT;
            end
            COUNT:
                if (counted)
                    state <= TAU_VIEW;

            // From (tau, C of the bin before): a point that the one behind it beats is gone for good.
            TAU_VIEW:
                state <= TAU_TOP;
            TAU_TOP:
                state <= several ? TAU_MUL : OWN;
            TAU_MUL:
                if (mul_done) begin
                    at_edge <= 1'b0;
                    state   <= at_most ? POP : OWN;
                end

            // The bin's own mass, against the best behind it.
            OWN:
                state <= OWN_MUL;
            OWN_MUL:
                if (mul_done) begin
                    best      <= at_most ? mass : top_dy;
                    best_cost <= at_most ? own_cost : top_dx;
                    state     <= BEST;
                end
            BEST: begin
                worthless <= best == 0;
                state     <= RISK;
            end
            RISK:
                state <= worthless ? WRITE : RISK_MUL;
            RISK_MUL:
                if (mul_done)
                    state <= DIVIDE;
            DIVIDE:
                if (divided)
                    state <= WRITE;
            WRITE:
                state <= massless ? NEXT : EDGE_VIEW;

            // From (edge, C of this bin): what its own point hides from all lower tau goes.
            EDGE_VIEW:
                state <= EDGE_TOP;
            EDGE_TOP: begin
                write <= !several;
                state <= several ? EDGE_MUL : PUSH;
            end
            EDGE_MUL:
                if (mul_done) begin
                    at_edge <= 1'b1;
                    write   <= !at_most;
                    state   <= at_most ? POP : PUSH;
                end
            PUSH:
                state <= NEXT;
            NEXT: begin
                bin   <= bin - 1'b1;
                if (bin[1:0] == 2'd0 && !width[0])
                    width <= width >> 1;
                state <= bin == 0 ? DONE : EDGE;
            end

            POP: // the hull reads the point that follows
                state <= POP2;
            POP2:
                state <= at_edge ? EDGE_VIEW : TAU_VIEW;
            default: // DONE
                if (install)
                    state <= IDLE;
        endcase

        if ((counts_bad || point_bad) && state != IDLE) begin // (a reset may have come between)
            state  <= DONE;
            spoilt <= 1'b1;
        end
        if (start)
            spoilt <= 1'b0;
        if (rst)
            state <= IDLE;
    end

endmodule
`default_nettype wire
