// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_product: two products, a * da and b * db, and which of them is larger (docs/blocks/ppuc.md).
//
// Serial, least significant bit of da and db first: a bit a cycle. Of b * db only the order is kept.
`default_nettype none
module gmmu_ppuc_product #(
    // bits of a and b
    parameter SUM_W = 23,
    // bits of da and db
    parameter X_W   = 19
) (
    input  wire                 clk,
    input  wire                 start,  // the factors come in the next cycle; what was under way is forgotten
    input  wire [SUM_W-1:0]     in_a, in_b,
    input  wire [X_W-1:0]       in_da, in_db,
    output reg                  done,   // X_W + 3 cycles after the factors, until the next start
    output reg                  above,  // with done: a * da > b * db
    output wire [SUM_W+X_W-1:0] product // with done: a * da
);

    localparam STEP_W = $clog2(X_W);
    localparam LAST_STEP = X_W - 1;

    reg  [SUM_W-1:0]  a, b, step_a, step_b; // step: what this bit of da or db adds
    reg  [X_W-1:0]    da, db;
    reg  [SUM_W-1:0]  pa, pb;               // upper bits of the products
    reg  [X_W-1:0]    pa_low;               // lower bits of the first; of both the order is enough:
    reg               low_above;            // those of a * da exceed those of b * db
    reg  [STEP_W-1:0] steps;
    reg               load, stepping, adding;
    wire [SUM_W:0]    sum_a = {1'b0, pa} + {1'b0, step_a};
    wire [SUM_W:0]    sum_b = {1'b0, pb} + {1'b0, step_b};
    // the sign of a difference shares its cell with the register, that of a comparison does not
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
