// SPDX-License-Identifier: Apache-2.0
// gmmu_packet_rx: whole packets out of bytes from a line that loses and damages some (docs/formats.md, Packets on a serial line).
//
// 7E starts and ends a packet; within, 7D and the byte XOR 20 stand for 7D and 7E. The packet: sequence, kind, length (two
// bytes, the lower first), so many bytes, and the CRC-32C of all that. What is not so is dropped without a word. One packet
// is kept, and nothing is heard until it is taken.
`default_nettype none
module gmmu_packet_rx #(
    parameter BYTES  = 512, // of the buffer: a packet's most without its CRC; a power of two, at least 16
    parameter ADDR_W = $clog2(BYTES)
) (
    input  wire              clk, rst,
    input  wire              in_valid,
    input  wire [7:0]        in_data,
    // the buffer
    output wire              we,
    output wire [ADDR_W-1:0] waddr,
    output wire [7:0]        wdata,
    // the packet that is in it, until it is taken
    output reg               have,
    input  wire              take,
    output reg  [7:0]        seq, kind,
    output wire [ADDR_W:0]   size // bytes, its head of four among them
);
    localparam [7:0] FLAG = 8'h7E, ESCAPE = 8'h7D;
    localparam [31:0] RESIDUE = 32'hB798_B438; // of a packet with its CRC

    reg              hunting, escaped, bad;
    reg  [ADDR_W:0]  count;        // bytes, up to BYTES + 4
    reg  [31:0]      crc;
    reg  [15:0]      length;
    wire [31:0]      crc_next;
    wire [7:0]       data = escaped ? in_data ^ 8'h20 : in_data;
    wire             hears = in_valid && !have && !hunting, flag = in_data == FLAG;
    wire             byte_comes = hears && !flag && !(in_data == ESCAPE && !escaped);
    wire             whole = crc == RESIDUE && !bad && !escaped && {{15-ADDR_W{1'b0}}, count} == length + 16'd8;
    assign size  = length[ADDR_W:0] + {{ADDR_W-2{1'b0}}, 3'd4};
    assign we    = byte_comes && !count[ADDR_W];
    assign waddr = count[ADDR_W-1:0];
    assign wdata = data;
    gmmu_crc32c_byte crc32c_byte (
        .crc(crc),
        .data(data),
        .next(crc_next)
    );

    always @(posedge clk) begin
        if (in_valid && !have && flag) begin
            hunting <= 1'b0;
            have    <= !hunting && whole;
        end
        if (hears && !flag)
            escaped <= in_data == ESCAPE && !escaped;
        if (byte_comes) begin
            crc   <= crc_next;
            count <= count + 1'b1;
            // an escape that stands for another byte, and a packet that is too long
            bad   <= bad || (escaped && data != FLAG && data != ESCAPE) || (count[ADDR_W] && count[2]);
            if (count == 0) seq <= data;
            if (count == 1) kind <= data;
            if (count == 2) length[7:0] <= data;
            if (count == 3) length[15:8] <= data;
        end
        if (rst || (in_valid && !have && flag)) begin
            escaped <= 1'b0;
            bad     <= 1'b0;
            count   <= {ADDR_W+1{1'b0}};
            crc     <= 32'hFFFF_FFFF;
        end
        // what comes meanwhile may be the middle of a packet
        if (take) {have, hunting} <= 2'b01;
        if (rst) {have, hunting} <= 2'b01;
    end
endmodule
`default_nettype wire
