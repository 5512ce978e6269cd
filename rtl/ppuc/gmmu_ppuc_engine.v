// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_engine: the priorities of a row, from the last bin down (docs/reference/blocks/ppuc.md).
//
// Each bin b, whose low end is tau, takes these steps:
//   1. The counts of the bin are read and summed.
//   2. Seen from (tau, C below b), a point of the hull goes if the point behind is at least as steep.
//   3. The better of the bin's own mass and the hull's top, divided by (at_risk * cost), is the priority.
//   4. Seen from the bin's own point, points go likewise; then the own point is pushed.
// The states are in docs/reference/blocks/ppuc.md. A step takes one cycle at least. Between two registers there is at most one sum as wide as
// SUM_W or P_W, and a step decides on registers only.
// PARITY: a row with corrupt counts or a corrupt point is given up: `done` at once, with `spoilt`, so that INSTALL changes nothing.
`default_nettype none
module gmmu_ppuc_engine #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter GEN_W   = 4,
    // 1: corrupt words in RAM are reported
    parameter PARITY  = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               cfg_pseudo,  // register pseudo: cold rows get pseudo-counts; taken with snap_start
    // REFRESH: a snapshot of a row, all bins, ascending
    input  wire               snap_start,  // a REFRESH begins
    input  wire [ROW_W-1:0]   snap_row,    // with snap_start: the row
    input  wire [GEN_W-1:0]   snap_gen,    // with snap_start: generation of the row
    input  wire               snap_valid,  // the counts of a bin are here
    input  wire               snap_last,   // the bin is the row's last
    input  wire [BIN_W-1:0]   snap_bin,    // number of the bin
    input  wire [4*CNT_W-1:0] snap_counts, // counts of the bin: {censored, reuse} of row 0, then of the row
    input  wire               snap_bad,    // PARITY: the counts of the cycle before are corrupt
    output wire               idle,        // no REFRESH is under way
    // position of the engine
    output reg  [ROW_W-1:0]   row,         // row that is refreshed
    output reg  [GEN_W-1:0]   gen,         // generation of the row at its REFRESH
    output reg  [BIN_W-1:0]   bin,         // bin that the engine is at
    // priorities
    output wire               prio_valid,  // the priority of the bin is here; row and bin did not change for two cycles
    output wire [15:0]        prio,        // priority of the bin, minifloat
    // end of the row
    output wire               done,        // the row is done, or given up: valid until `install`
    output reg                spoilt,      // with done: the row was given up
    input  wire               install      // INSTALL takes effect: the engine becomes idle
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

    // Bin BINS - 1 (docs/reference/formats.md, "Bins"): its width, and the smallest interval above it modulo 2^X_W.
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
    reg [X_W-1:0] tau;      // smallest interval of the bin
    reg [X_W-1:0] edge_b;   // greatest interval of the bin
    reg [X_W-1:0] width;    // number of intervals of the bin
    reg [X_W-1:0] own_cost; // cost of a lease up to edge_b: l - tau, at least 1

    reg pseudo; // cfg_pseudo when the REFRESH began
    always @(posedge clk)
        if (start)
            pseudo <= cfg_pseudo;

    // ---- the bin's counts
    wire               loaded;     // all bins of the snapshot are here
    wire               cold;       // the row is cold
    wire               counted;    // at_risk gets its last part in this cycle
    wire               massless;   // the bin has no reuses
    wire [N_W-1:0]     n_global;   // number of observations of row 0
    wire [4*CNT_W-1:0] counts;     // counts of the bin of the cycle before
    wire [SUM_W-1:0]   mass;       // number of reuses in the bin, effective
    wire [SUM_W-1:0]   beyond;     // number of reuses in the bins above, effective
    wire [SUM_W-1:0]   from;       // number of reuses in the bin and the bins above, effective
    wire [SUM_W-1:0]   at_risk;    // number of records in the bin and the bins above, effective
    wire               counts_bad; // PARITY: counts that were taken two cycles before are corrupt
    wire               point_bad;  // PARITY: the point that came from the hull's RAM two cycles before is corrupt
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
    reg              write;    // late count: the state is PUSH, from a register
    reg              at_edge;  // POP returns to EDGE_VIEW, else to TAU_VIEW
    wire             some;     // the hull has a point
    wire             several;  // the hull has two points or more
    wire [X_W-1:0]   top_dx;   // distance from the viewpoint to the top, in intervals
    wire [X_W-1:0]   under_dx; // distance from the viewpoint to the point under the top, in intervals
    wire [SUM_W-1:0] top_dy;   // number of reuses between the viewpoint and the top
    wire [SUM_W-1:0] under_dy; // number of reuses between the viewpoint and the point under the top
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

    // ---- products: is the top steeper than the point under the top, or than the own mass; at_risk times cost
    reg              of_own;    // the products compare the top and the own mass
    reg              of_best;   // the product is at_risk * best_cost
    reg  [SUM_W-1:0] best;      // mass of the best lease
    reg  [X_W-1:0]   best_cost; // cost of the best lease: l - tau
    reg              worthless; // the mass of the best lease is 0
    wire             mul_done;  // the products are here
    wire             above;     // the first product is greater than the second
    wire             at_most = !above;
    wire [P_W-1:0]   product;   // the first product
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

    wire divided; // the quotient is valid from the next cycle on
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

            // From (tau, C below the bin): a point goes for good if the point behind is at least as steep.
            TAU_VIEW:
                state <= TAU_TOP;
            TAU_TOP:
                state <= several ? TAU_MUL : OWN;
            TAU_MUL:
                if (mul_done) begin
                    at_edge <= 1'b0;
                    state   <= at_most ? POP : OWN;
                end

            // The bin's own mass against the hull's top.
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

            // From the bin's own point (edge, C of the bin): points go that the own point hides from all lower tau.
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

        if ((counts_bad || point_bad) && state != IDLE) begin // not IDLE: a reset may have come after the use
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
