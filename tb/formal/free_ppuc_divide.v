// SPDX-License-Identifier: Apache-2.0
// ppuc_divide for proofs of what is around it: any quotient, in any time. That it ends is proved in tb/formal/ppuc_divide.v.
`default_nettype none
module gmmu_ppuc_divide #(
    parameter SUM_W = 23,
    parameter X_W   = 19
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 zero,
    input  wire                 start,
    input  wire [SUM_W-1:0]     best,
    input  wire [SUM_W+X_W-1:0] divisor,
    output wire                 done,
    output wire [15:0]          quotient
);

    (* anyseq *) wire        any_done;
    (* anyseq *) wire [15:0] any_quotient;
    assign done     = any_done;
    assign quotient = any_quotient;

endmodule
`default_nettype wire
