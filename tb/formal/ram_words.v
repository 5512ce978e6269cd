// SPDX-License-Identifier: Apache-2.0
// A stand-in for ram_sdp, for proofs about the content of a RAM: as tb/formal/ram_sdp.v, with all words side by side in `words`.
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
    wire [WIDTH*DEPTH-1:0] words;
    always @(posedge clk)
        if (re)
            rdata <= we && waddr == raddr ? noise : words[raddr*WIDTH +: WIDTH];

    // (a loop over parts of one register takes Yosys long)
    genvar g;
    generate
        for (g = 0; g < DEPTH; g = g + 1) begin : g_word
            reg [WIDTH-1:0] word;
            always @(posedge clk)
                if (we && waddr == g)
                    word <= wdata;
            assign words[g*WIDTH +: WIDTH] = word;
        end
    endgenerate

endmodule
`default_nettype wire
