// SPDX-License-Identifier: Apache-2.0
// Proofs about ppuc_product, from the start with any factors to the end. In the first cycle the block is started; all other state is
// anything. So each property that holds within these cycles holds always.
//: steps 11
//: pdr 300 s
//: bmc3 40 frames 20 s
//: find 310 311
`default_nettype none
module formal_ppuc_product #(
    parameter SUM_W = 12,
    parameter X_W   = 5
) (
    input wire             clk,
    input wire             start,
    input wire [SUM_W-1:0] in_a, in_b,
    input wire [X_W-1:0]   in_da, in_db
);

    wire                 done;
    wire [SUM_W+X_W-1:0] product;
    gmmu_ppuc_product #(.SUM_W(SUM_W), .X_W(X_W)) dut (
        .clk(clk), .start(start), .in_a(in_a), .in_b(in_b), .in_da(in_da), .in_db(in_db),
        .done(done), .product(product)
    );

    // the order of two products, which is hard, at sizes where it is decided
    localparam A = 5, X = 4;
    wire             s_done, s_above;
    gmmu_ppuc_product #(.SUM_W(A), .X_W(X)) small (
        .clk(clk), .start(start), .in_a(in_a[A-1:0]), .in_b(in_b[A-1:0]), .in_da(in_da[X-1:0]), .in_db(in_db[X-1:0]),
        .done(s_done), .above(s_above)
    );

    reg  [3:0]           t = 0; // the factors come at 1
    reg  [SUM_W+X_W-1:0] a;     // the product
    reg  [A+X-1:0]       s_a, s_b;
    always @(posedge clk) begin
        t <= t == 15 ? t : t + 1'b1;
        if (t == 1) begin
            a   <= in_a * in_da;
            s_a <= in_a[A-1:0] * in_da[X-1:0];
            s_b <= in_b[A-1:0] * in_db[X-1:0];
        end
    end
    always @* assume (start == (t == 0));

    always @* begin
        // A product is there X_W + 3 cycles after its factors, not before.
        product_ends: assert (t == 0 || t > X_W + 4 || done == (t == X_W + 4));
        // It is the product of the factors that came.
        product_exact: assert (t != X_W + 4 || product == a);
        // Two products are compared exactly.
        order_exact: assert (t != X + 4 || (s_done && s_above == (s_a > s_b)));
    end

endmodule
`default_nettype wire
