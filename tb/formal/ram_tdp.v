// SPDX-License-Identifier: Apache-2.0
// ram_tdp for the proofs: same ports as rtl/lib/gmmu_ram_tdp.v; what port A reads while it writes, and port B at the address
// that is written, is any value at all, and so is a word that was never written.
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
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    always @(posedge clk) begin
        if (a_we)
            mem[a_addr] <= a_d;
        a_q <= a_we ? noise[0 +: WIDTH] : mem[a_addr];
        b_q <= a_we && a_addr == b_addr ? noise[WIDTH +: WIDTH] : mem[b_addr];
    end

endmodule
`default_nettype wire
