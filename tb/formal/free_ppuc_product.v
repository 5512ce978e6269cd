// SPDX-License-Identifier: Apache-2.0
// ppuc_product for proofs of what is around it: any results, in the time that tb/formal/ppuc_product.v proves; at any time before the
// first start.
`default_nettype none
module gmmu_ppuc_product #(
    parameter SUM_W = 23,
    parameter X_W   = 19
) (
    input  wire                 clk,
    input  wire                 start,
    input  wire [SUM_W-1:0]     in_a, in_b,
    input  wire [X_W-1:0]       in_da, in_db,
    output wire                 done,
    output wire                 above,
    output wire [SUM_W+X_W-1:0] product
);

    (* anyseq *) wire                 any_done, any_above;
    (* anyseq *) wire [SUM_W+X_W-1:0] any_product;
    reg       started = 1'b0;
    reg       load;  // the factors come
    reg [5:0] since; // cycles since then
    always @(posedge clk) begin
        load    <= start;
        started <= started || start;
        since   <= start ? 6'd0 : since == 63 ? since : since + 1'b1;
    end
    assign done    = started ? since >= X_W + 3 : any_done;
    assign above   = any_above;
    assign product = any_product;

endmodule
`default_nettype wire
