// SPDX-License-Identifier: Apache-2.0
// ram_given: ram_sdp for proofs that begin with any content: `given`, which stands until a word is written; in the first
// cycle, that of reset, none is. A read of the address that is written in the same cycle returns any value at all.
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

    (* anyconst *) wire [DEPTH*WIDTH-1:0] given;
    (* anyseq *) wire [WIDTH-1:0] noise;
    reg [DEPTH*WIDTH-1:0] content;
    reg [DEPTH-1:0]       written;
    reg begun = 1'b0;
    always @(posedge clk)
        begun <= 1'b1;
    wire [DEPTH*WIDTH-1:0] now;
    genvar i;
    generate
        for (i = 0; i < DEPTH; i = i + 1) begin : g_word
            assign now[i*WIDTH +: WIDTH] = written[i] ? content[i*WIDTH +: WIDTH] : given[i*WIDTH +: WIDTH];
            always @(posedge clk)
                if (we && begun && waddr == i)
                    content[i*WIDTH +: WIDTH] <= wdata;
            always @(posedge clk)
                written[i] <= begun && (written[i] || (we && waddr == i));
        end
    endgenerate
    wire [WIDTH-1:0] read = now >> (raddr * WIDTH);
    always @(posedge clk)
        if (re)
            rdata <= (we && waddr == raddr) || raddr >= DEPTH ? noise : read;

endmodule
`default_nettype wire
