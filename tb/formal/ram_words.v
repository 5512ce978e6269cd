// SPDX-License-Identifier: Apache-2.0
// ram_sdp for proofs that speak of what a RAM holds: as tb/formal/ram_sdp.v, its words side by side in `words`.
`default_nettype none
module ram_sdp #(
    parameter WIDTH  = 8,
    parameter DEPTH  = 16,
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
    (* keep *) reg [WIDTH*DEPTH-1:0] words;
    integer i;
    always @(posedge clk) begin
        if (re)
            rdata <= noise;
        for (i = 0; i < DEPTH; i = i + 1) begin
            if (we && waddr == i)
                words[i*WIDTH +: WIDTH] <= wdata;
            if (re && raddr == i && !(we && waddr == i))
                rdata <= words[i*WIDTH +: WIDTH];
        end
    end

endmodule
`default_nettype wire
