// SPDX-License-Identifier: Apache-2.0
// crc32c: CRC-32C (Castagnoli) of a word, least significant bit first, as a hash; combinational.
//
// CRC is linear: each bit of the hash is a sum of some bits of the word, and a constant. Stated so, it
// takes half the gates and a third of the depth that synthesis finds in the shift register's loop.
`default_nettype none
module crc32c #(
    parameter WIDTH = 32
) (
    input  wire [WIDTH-1:0] data,
    output wire [31:0]      hash
);

    // the register after WIDTH bits that are 0 but for the one at AT, from INIT
    function [31:0] crc(input [31:0] init, input integer at);
        integer i;
        begin
            crc = init;
            for (i = 0; i < WIDTH; i = i + 1)
                crc = {1'b0, crc[31:1]} ^ (crc[0] ^ (i == at) ? 32'h82F6_3B78 : 32'd0);
        end
    endfunction

    localparam [31:0] NONE = ~crc(32'hFFFF_FFFF, -1);
    wire [WIDTH*32-1:0] terms; // bit h * WIDTH + g: what bit g adds to bit h of the hash
    genvar g, h;
    generate
        for (g = 0; g < WIDTH; g = g + 1) begin : g_bit
            localparam [31:0] COLUMN = crc(32'd0, g);
            for (h = 0; h < 32; h = h + 1) begin : g_row
                assign terms[h*WIDTH + g] = COLUMN[h] && data[g];
            end
        end
        for (h = 0; h < 32; h = h + 1) begin : g_sum
            assign hash[h] = ^terms[h*WIDTH +: WIDTH] ^ NONE[h];
        end
    endgenerate

endmodule
`default_nettype wire
