// SPDX-License-Identifier: Apache-2.0
// crc32c: CRC-32C (Castagnoli) of a word, least significant bit first, as a hash; combinational.
`default_nettype none
module crc32c #(
    parameter WIDTH = 32
) (
    input  wire [WIDTH-1:0] data,
    output wire [31:0]      hash
);

    function [31:0] crc(input [WIDTH-1:0] d);
        integer i;
        begin
            crc = 32'hFFFF_FFFF;
            for (i = 0; i < WIDTH; i = i + 1)
                crc = {1'b0, crc[31:1]} ^ (crc[0] ^ d[i] ? 32'h82F6_3B78 : 32'd0);
            crc = ~crc;
        end
    endfunction

    assign hash = crc(data);

endmodule
`default_nettype wire
