// SPDX-License-Identifier: Apache-2.0
// crc32c for the proofs of trace_sampler and ref_rit: of three bits the real one reaches only one
// set and no low rank. Here the highest bit is the rank, the others, of which the set is one, stay
// as they are.
`default_nettype none
module gmmu_crc32c #(
    parameter WIDTH = 3,
    parameter BITS  = 32
) (
    input  wire             valid,
    input  wire [WIDTH-1:0] data,
    output wire [BITS-1:0]  hash
);

    wire [31:0] all = {15'd0, data[WIDTH-1], {17-WIDTH{1'b0}}, data[WIDTH-2:0]};
    assign hash = valid ? all[BITS-1:0] : {BITS{1'bx}};

endmodule
`default_nettype wire
