// SPDX-License-Identifier: Apache-2.0
// gmmu_packet_rx: receives packets from bytes of a lossy serial line (docs/reference/formats.md, Packets on a serial line).
//
// The byte 7E starts and ends a packet. Within a packet, 7D followed by a byte XOR 20 stands for 7D or 7E. A packet is:
// sequence, kind, length (two bytes, the lower first), `length` bytes, and the CRC-32C of all these bytes. Any other byte
// sequence is dropped silently. One packet is kept; all bytes are ignored until the packet is taken.
`default_nettype none
module gmmu_packet_rx #(
    parameter BYTES  = 512, // bytes of the buffer: the longest packet without its CRC; a power of two, at least 16
    parameter ADDR_W = $clog2(BYTES)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              in_valid, // a byte comes from the line
    input  wire [7:0]        in_data,  // the byte from the line
    // the buffer
    output wire              we,       // a byte is written into the buffer
    output wire [ADDR_W-1:0] waddr,    // place of the byte in the buffer
    output wire [7:0]        wdata,    // the byte for the buffer
    // the packet in the buffer, until the packet is taken
    output reg               have,     // the buffer holds a whole packet
    input  wire              take,     // the packet is taken
    output reg  [7:0]        seq,      // sequence number of the packet
    output reg  [7:0]        kind,     // kind of the packet
    output wire [ADDR_W:0]   size      // bytes of the packet, with its head of four bytes
);
    localparam [7:0] FLAG = 8'h7E, ESCAPE = 8'h7D;
    localparam [31:0] RESIDUE = 32'hB798_B438; // CRC register behind a packet and its CRC

    reg             hunting;                                          // bytes are ignored up to the next flag
    reg             escaped;                                          // the byte before was an escape
    reg             bad;                                              // the packet is corrupt or too long
    reg  [ADDR_W:0] count;                                            // bytes of the packet so far, at most BYTES + 4
    reg  [31:0]     crc;                                              // CRC register of the packet so far
    reg  [15:0]     length;                                           // length field of the packet
    wire [31:0]     crc_next;                                         // CRC register with this byte
    wire [7:0]      data       = escaped ? in_data ^ 8'h20 : in_data; // the byte, unescaped
    wire            hears      = in_valid && !have && !hunting;       // a byte comes, and is part of a packet
    wire            flag       = in_data == FLAG;                     // the byte is a flag
    wire            byte_comes = hears && !flag && !(in_data == ESCAPE && !escaped); // a byte of the packet comes, unescaped
    wire            whole      = crc == RESIDUE && !bad && !escaped && {{15-ADDR_W{1'b0}}, count} == length + 16'd8; // the packet is complete and correct
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
            // corrupt: an escape of any other byte, and a packet that is too long
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
        // bytes that come meanwhile may be the middle of a packet
        if (take) {have, hunting} <= 2'b01;
        if (rst) {have, hunting} <= 2'b01;
    end
endmodule
`default_nettype wire
