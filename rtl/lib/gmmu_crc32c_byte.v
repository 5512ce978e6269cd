// SPDX-License-Identifier: Apache-2.0
// gmmu_crc32c_byte: one step of the reflected CRC-32C register (Castagnoli) by a byte, as gmmu_crc32c_bits; combinational.
`default_nettype none
module gmmu_crc32c_byte (
    input  wire [31:0] crc,  // the CRC register before the byte
    input  wire [7:0]  data, // the byte
    output reg  [31:0] next  // the CRC register after the byte
);
    integer i;
    always @* begin
        next = crc ^ {24'd0, data};
        for (i = 0; i < 8; i = i + 1)
            next = {1'b0, next[31:1]} ^ (next[0] ? 32'h82F6_3B78 : 32'd0);
    end
endmodule
`default_nettype wire
