// SPDX-License-Identifier: Apache-2.0
// gmmu_crc32c: CRC-32C (Castagnoli) of a word, least significant bit first, as a hash; combinational.
//
// CRC is linear: each bit of the hash is the sum of some bits of the word, and a constant. Stated as sums, the hash
// takes half the gates and a third of the depth that synthesis finds in the loop of the shift register.
// Without `valid` the hash is undefined, so a simulator need not compute the hash.
`default_nettype none
module gmmu_crc32c #(
    parameter WIDTH = 32,
    // bits of the hash: the lowest of the 32 bits of the CRC
    parameter BITS  = 32
) (
    input  wire             valid, // the word is valid, and the hash is needed
    input  wire [WIDTH-1:0] data,  // the word
    output reg  [BITS-1:0]  hash   // the hash of the word; undefined without `valid`
);

    // the CRC register after WIDTH bits, from INIT; only the bit at AT is 1
    function [31:0] crc(input [31:0] init, input integer at);
        integer n;
        begin
            crc = init;
            for (n = 0; n < WIDTH; n = n + 1)
                crc = {1'b0, crc[31:1]} ^ (crc[0] ^ (n == at) ? 32'h82F6_3B78 : 32'd0);
        end
    endfunction

    localparam [31:0] NONE = ~crc(32'hFFFF_FFFF, -1);
    wire [WIDTH*BITS-1:0] masks; // bit h * WIDTH + g: bit g of the word adds to bit h of the hash
    genvar g, h;
    generate
        for (g = 0; g < WIDTH; g = g + 1) begin : g_bit
            localparam [31:0] COLUMN = crc(32'd0, g);
            for (h = 0; h < BITS; h = h + 1) begin : g_row
                assign masks[h*WIDTH + g] = COLUMN[h];
            end
        end
    endgenerate
    integer i;
    always @* begin
        i = 0;
        hash = {BITS{1'bx}};
        if (valid)
            for (i = 0; i < BITS; i = i + 1)
                hash[i] = ^(data & masks[i*WIDTH +: WIDTH]) ^ NONE[i];
    end

endmodule
`default_nettype wire
