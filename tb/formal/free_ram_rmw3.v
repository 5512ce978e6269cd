// SPDX-License-Identifier: Apache-2.0
// A stand-in for ram_rmw3 with the properties that tb/formal/ram_rmw3.v proves, for proofs of blocks that use ram_rmw3: both ports
// return the last value written in an earlier cycle. A word that was never written may be anything; the forwarded words are left open.
`default_nettype none
module gmmu_ram_rmw3 #(
    parameter WIDTH  = 8,
    parameter DEPTH  = 16,
    parameter SHARED = 0, A_EARLY = 0, B_EARLY = 0, PARITY = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,
    output wire [WIDTH-1:0]  a2_q,
    output wire              a2_fwd,
    output wire [WIDTH-1:0]  a3_q,
    output wire              a3_fwd,
    output wire              a3_bad,
    input  wire              a3_we,
    input  wire              a3_poison,
    input  wire [WIDTH-1:0]  a3_d,
    input  wire [ADDR_W-1:0] b0_addr,
    output wire [WIDTH-1:0]  b2_q,
    output wire              b2_fwd,
    output wire [WIDTH-1:0]  b3_q,
    output wire              b3_fwd,
    output wire              b3_bad,
    output wire [WIDTH-1:0]  w_q
);

    (* anyseq *) wire [3*WIDTH+5:0] any;
    assign {a2_q, b2_q, w_q, a2_fwd, b2_fwd, a3_fwd, b3_fwd, a3_bad, b3_bad} = any;
    reg [WIDTH-1:0]  mem [0:DEPTH-1];
    reg [ADDR_W-1:0] a1, a2, a3, b1, b2, b3;
    always @(posedge clk) begin
        {a3, a2, a1} <= {a2, a1, a0_addr};
        {b3, b2, b1} <= {b2, b1, b0_addr};
        if (a3_we && !rst)
            mem[a3] <= a3_d;
    end
    assign a3_q = mem[a3];
    assign b3_q = mem[b3];

endmodule
`default_nettype wire
