// SPDX-License-Identifier: Apache-2.0
// ram_sdp for proofs about large RAMs: one word, at the address `track` that the harness drives, is as in
// tb/formal/ram_sdp.v; every other read returns anything. What is proved with it holds for the whole RAM.
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

    wire [31:0] track;
    (* anyseq *) wire [WIDTH-1:0] noise;
    reg [WIDTH-1:0] word;
    always @(posedge clk) begin
        if (we && waddr == track[ADDR_W-1:0])
            word <= wdata;
        if (re)
            rdata <= raddr != track[ADDR_W-1:0] || (we && waddr == raddr) ? noise : word;
    end

endmodule
`default_nettype wire
