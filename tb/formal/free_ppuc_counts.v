// SPDX-License-Identifier: Apache-2.0
// ppuc_counts for proofs of what is around it: any counts, in any time. That they end is proved in tb/formal/ppuc_counts.v.
`default_nettype none
module gmmu_ppuc_counts #(
    parameter CNT_W = 11,
    parameter N_W   = 19,
    parameter SUM_W = 23
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,
    input  wire               take,
    input  wire [4*CNT_W-1:0] counts,
    input  wire               cold,
    input  wire [N_W-1:0]     n_global,
    output wire               done,
    input  wire               next,
    output wire [SUM_W-1:0]   mass,
    output wire               massless,
    output wire [SUM_W-1:0]   beyond,
    output wire [SUM_W-1:0]   from,
    output wire [SUM_W-1:0]   at_risk
);

    (* anyseq *) wire             any_done, any_massless;
    (* anyseq *) wire [SUM_W-1:0] any_mass, any_beyond, any_from, any_at_risk;
    assign done     = any_done;
    assign mass     = any_mass;
    assign massless = any_massless;
    assign beyond   = any_beyond;
    assign from     = any_from;
    assign at_risk  = any_at_risk;

endmodule
`default_nettype wire
