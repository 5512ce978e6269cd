// SPDX-License-Identifier: Apache-2.0
// ram_sdp for the proofs: same ports as rtl/lib/gmmu_ram_sdp.v; a read of the address that is written in
// the same cycle returns any value at all, and so does a word that was never written.
`default_nettype none
module gmmu_ram_sdp #(
    parameter WIDTH  = 8,
    parameter DEPTH  = 16,
    parameter FLIPS  = 1,
    parameter ONCE   = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire              re,
    input  wire [ADDR_W-1:0] raddr,
    output reg  [WIDTH-1:0]  rdata
);

    (* anyseq *) wire [WIDTH-1:0] noise;
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    always @(posedge clk) begin
        if (we)
            mem[waddr] <= wdata;
        if (re)
            rdata <= we && waddr == raddr ? noise : mem[raddr];
    end

endmodule
`default_nettype wire
