// SPDX-License-Identifier: Apache-2.0
// A stand-in for ram_sdp as tb/formal/ram_sdp.v: in each word that is read one bit, any bit, or no bit is flipped.
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

    (* anyseq *) wire [WIDTH-1:0] noise, turns;
    always @* assume ((turns & (turns - 1'b1)) == 0);
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    always @(posedge clk) begin
        if (we)
            mem[waddr] <= wdata;
        if (re)
            rdata <= we && waddr == raddr ? noise : mem[raddr] ^ turns;
    end

endmodule
`default_nettype wire
