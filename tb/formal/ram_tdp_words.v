// SPDX-License-Identifier: Apache-2.0
// A stand-in for ram_tdp, for proofs about the content of a RAM: as tb/formal/ram_tdp.v, with all words side by side in `words`.
`default_nettype none
module gmmu_ram_tdp #(
    parameter WIDTH  = 8,
    parameter DEPTH  = 16,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              a_we,
    input  wire [ADDR_W-1:0] a_addr,
    input  wire [WIDTH-1:0]  a_d,
    output reg  [WIDTH-1:0]  a_q,
    input  wire [ADDR_W-1:0] b_addr,
    output reg  [WIDTH-1:0]  b_q
);

    (* anyseq *) wire [2*WIDTH-1:0] noise;
    wire [WIDTH*DEPTH-1:0] words;
    always @(posedge clk) begin
        a_q <= a_we ? noise[0 +: WIDTH] : words[a_addr*WIDTH +: WIDTH];
        b_q <= a_we && a_addr == b_addr ? noise[WIDTH +: WIDTH] : words[b_addr*WIDTH +: WIDTH];
    end
    genvar g;
    generate
        for (g = 0; g < DEPTH; g = g + 1) begin : g_word
            reg [WIDTH-1:0] word;
            always @(posedge clk)
                if (a_we && a_addr == g)
                    word <= a_d;
            assign words[g*WIDTH +: WIDTH] = word;
        end
    endgenerate

endmodule
`default_nettype wire
