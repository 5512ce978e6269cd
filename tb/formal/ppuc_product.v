// SPDX-License-Identifier: Apache-2.0
// Proofs about ppuc: its two serial multipliers, from the load of any factors to the end. The first cycle
// is the load, all else of the state is anything at all: what holds within these cycles holds always.
// That a load is the first cycle of a wait, and mul_done 0 in it, is proved in ppuc.v.
//: steps 10
//: pdr 300 s
//: bmc3 40 frames 20 s
//: ram ram_one
//: find 310 311
`default_nettype none
module formal_ppuc_product #(
    parameter TIME_W  = 5,
    parameter CLASSES = 2,
    parameter BINS    = 16,
    parameter CNT_W   = 3,
    parameter GEN_W   = 1,
    parameter BIN_W   = 4
) (
    input wire              clk,
    input wire              reset, cfg_pseudo, snap_start, snap_row, snap_valid, snap_last, install,
    input wire [CNT_W-1:0]  snap_reuse, snap_censored, snap_greuse, snap_gcensored
);

    localparam SUM_W = CNT_W + BIN_W + 5, X_W = (BINS - 9) / 4 + 4, P_W = SUM_W + X_W;
    localparam AMUL = 5'd11, OMUL = 5'd13, PMUL = 5'd16, QMUL = 5'd23;

    ppuc #(.TIME_W(TIME_W), .CLASSES(CLASSES), .BINS(BINS), .CNT_W(CNT_W), .GEN_W(GEN_W), .TAG_W(1)) dut (
        .clk(clk), .rst(reset), .cfg_pseudo(cfg_pseudo), .snap_start(snap_start), .snap_row(snap_row), .snap_gen(1'b0),
        .snap_valid(snap_valid), .snap_last(snap_last), .snap_bin({BIN_W{1'b0}}), .snap_reuse(snap_reuse),
        .snap_censored(snap_censored), .snap_greuse(snap_greuse), .snap_gcensored(snap_gcensored),
        .install(install), .install_current(1'b0), .forget(1'b0), .forget_row(1'b0),
        .l0_valid(1'b0), .l0_row(1'b0), .l0_current(1'b0), .l0_tau({TIME_W{1'b0}}), .l0_tag(1'b0)
    );
    (* hierconn *) wire [31:0] \dut.table_ram.track , \dut.snapshot.track , \dut.hull.track ;
    assign \dut.table_ram.track = 0;
    assign \dut.snapshot.track = 0;
    assign \dut.hull.track = 0;
    (* hierconn *) wire [4:0] \dut.state ;
    (* hierconn *) wire \dut.load , \dut.adding , \dut.mul_done , \dut.above ;
    (* hierconn *) wire [SUM_W-1:0] \dut.pa , \dut.a , \dut.bb ;
    (* hierconn *) wire [X_W-1:0] \dut.pa_low , \dut.da , \dut.db ;
    wire [4:0] state = \dut.state ;

    reg  [3:0]     t = 0;
    reg  [P_W-1:0] a, b;  // the products
    always @(posedge clk) begin
        t <= t == 15 ? t : t + 1'b1;
        if (t == 1) begin
            a <= \dut.a * \dut.da ;
            b <= \dut.bb * \dut.db ;
        end
    end
    always @* begin
        // an input that is never 1, not a constant: Yosys would take the registers behind it for constants
        assume (!reset && !snap_start);
        assume (t != 0 || state == AMUL || state == OMUL || state == PMUL || state == QMUL);
        assume (t != 0 || (\dut.load && !\dut.mul_done ));
    end

    always @* begin
        // A product is there X_W + 3 cycles after its load, not before.
        product_ends: assert (t == 0 || t > X_W + 3 || \dut.mul_done == (t == X_W + 3));
        // It is the product of the factors that were loaded.
        product_exact: assert (t != X_W + 3 || {\dut.pa , \dut.pa_low } == a);
        // The two products are compared exactly.
        order_exact: assert (t != X_W + 3 || \dut.above == (a > b));
    end

endmodule
`default_nettype wire
