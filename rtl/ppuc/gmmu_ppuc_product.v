// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_product: two products, a * da and b * db, and which product is larger (docs/reference/blocks/ppuc.md).
//
// The multiplication is serial: a bit of da and of db a cycle, least significant bit first. Of b * db only the order is kept.
`default_nettype none
module gmmu_ppuc_product #(
    // bits of a and b
    parameter SUM_W = 23,
    // bits of da and db
    parameter X_W   = 19
) (
    input  wire                 clk,
    input  wire                 start,  // the factors come in the next cycle; a multiplication that is under way is dropped
    input  wire [SUM_W-1:0]     in_a,   // factor a
    input  wire [SUM_W-1:0]     in_b,   // factor b
    input  wire [X_W-1:0]       in_da,  // factor da
    input  wire [X_W-1:0]       in_db,  // factor db
    output reg                  done,   // the products are valid: X_W + 3 cycles after the factors, until the next start
    output reg                  above,  // with done: a * da > b * db
    output wire [SUM_W+X_W-1:0] product // with done: a * da
);

    localparam STEP_W = $clog2(X_W);
    localparam LAST_STEP = X_W - 1;

    reg  [SUM_W-1:0]  a;         // factor a
    reg  [SUM_W-1:0]  b;         // factor b
    reg  [SUM_W-1:0]  step_a;    // summand of a * da for this bit of da
    reg  [SUM_W-1:0]  step_b;    // summand of b * db for this bit of db
    reg  [X_W-1:0]    da;        // bits of factor da that are still to come
    reg  [X_W-1:0]    db;        // bits of factor db that are still to come
    reg  [SUM_W-1:0]  pa;        // upper bits of a * da
    reg  [SUM_W-1:0]  pb;        // upper bits of b * db
    reg  [X_W-1:0]    pa_low;    // lower bits of a * da
    reg               low_above; // the lower bits of a * da exceed the lower bits of b * db
    reg  [STEP_W-1:0] steps;     // number of bits that are still to come, less one
    reg               load;      // the factors are here
    reg               stepping;  // a bit of da and of db is taken
    reg               adding;    // the summands are added
    // the sums of this cycle: their lowest bits are final
    wire [SUM_W:0]    sum_a = {1'b0, pa} + {1'b0, step_a};
    wire [SUM_W:0]    sum_b = {1'b0, pb} + {1'b0, step_b};
    // the sign of a difference shares its cell with the register; the result of a comparison does not
    wire [SUM_W+1:0]  order = {1'b0, pb, !low_above} - {1'b0, pa, 1'b1};
    wire              unused_order = &{1'b0, order[SUM_W:0]};
    assign product = {pa, pa_low};

    always @(posedge clk) begin
        load   <= start;
        adding <= stepping && !load;
        done   <= !start && !load && !stepping && !adding;
        above  <= order[SUM_W+1];
        if (stepping) begin
            step_a   <= da[0] ? a : {SUM_W{1'b0}};
            step_b   <= db[0] ? b : {SUM_W{1'b0}};
            da       <= da >> 1;
            db       <= db >> 1;
            steps    <= steps - 1'b1;
            stepping <= steps != 0;
        end
        if (adding) begin
            pa     <= sum_a[SUM_W:1];
            pb     <= sum_b[SUM_W:1];
            pa_low <= {sum_a[0], pa_low[X_W-1:1]};
            if (sum_a[0] != sum_b[0])
                low_above <= sum_a[0];
        end
        if (load) begin
            a         <= in_a;
            b         <= in_b;
            da        <= in_da;
            db        <= in_db;
            pa        <= 0;
            pb        <= 0;
            low_above <= 1'b0;
            steps     <= LAST_STEP[STEP_W-1:0];
            stepping  <= 1'b1;
        end
    end

endmodule
`default_nettype wire
