// SPDX-License-Identifier: Apache-2.0
// ram_sdp for proofs that compare two copies of a part: same ports as rtl/lib/gmmu_ram_sdp.v; a read of the address that is written
// in the same cycle returns 0, in both.
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

    reg [WIDTH-1:0] mem [0:DEPTH-1];
    always @(posedge clk) begin
        if (we)
            mem[waddr] <= wdata;
        if (re)
            rdata <= we && waddr == raddr ? {WIDTH{1'b0}} : mem[raddr];
    end

endmodule
`default_nettype wire
