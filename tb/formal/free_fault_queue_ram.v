// SPDX-License-Identifier: Apache-2.0
// fault_queue_ram for proofs of what is around it: each read finds any word, corrupt or not.
`default_nettype none
module gmmu_fault_queue_ram #(
    parameter WIDTH  = 8,
    parameter DEPTH  = 16,
    parameter PARITY = 1,
    parameter PARTS  = 1,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire              re,
    input  wire [ADDR_W-1:0] raddr,
    output reg  [WIDTH-1:0]  rdata,
    output reg  [PARTS-1:0]  odd
);

    (* anyseq *) wire [WIDTH-1:0] any_word;
    (* anyseq *) wire [PARTS-1:0] any_odd;
    always @(posedge clk)
        if (re)
            {rdata, odd} <= {any_word, any_odd};

endmodule
`default_nettype wire
