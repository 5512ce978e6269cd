// SPDX-License-Identifier: Apache-2.0
// between.v: a block between shift registers, so that pins limit nothing and all paths count, those from and to its ports
// too. fpga/flow.py puts sizes, name and ports in place of the comments.
module fpga_wrap(input clk, input si, input load, output so);
    reg [/*IN_BITS*/-1:0] in;
    wire [/*OUT_BITS*/-1:0] out;
    reg [/*OUT_BITS*/-1:0] q, sr;
    reg l;
    assign so = sr[0];
    always @(posedge clk) begin
        in <= {in, si};
        l  <= load;
        q  <= out;
        sr <= l ? q : sr >> 1;
    end
    /*BLOCK*/ #(/*PARAMETERS*/) dut (
        /*PORTS*/);
endmodule
