// SPDX-License-Identifier: Apache-2.0
// gmmu_packet_tx: sends the packet in a buffer, with its head, as bytes for a serial line; gmmu_packet_rx describes the format.
`default_nettype none
module gmmu_packet_tx #(
    parameter BYTES  = 512, // bytes of the buffer
    parameter ADDR_W = $clog2(BYTES)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              send,      // the packet is to be sent; not while busy
    input  wire [ADDR_W:0]   size,      // bytes of the packet, with its head of four bytes; stable while busy
    output reg               busy,      // the packet is on its way
    // the buffer
    output wire              re,        // a byte of the buffer is read
    output wire [ADDR_W-1:0] raddr,     // place of the byte in the buffer
    input  wire [7:0]        rdata,     // the byte, a cycle after `re`
    output reg               out_valid, // a byte is offered to the line
    input  wire              out_ready, // the line takes the byte
    output reg  [7:0]        out_data   // the byte for the line
);
    localparam [7:0] FLAG = 8'h7E, ESCAPE = 8'h7D;
    localparam [2:0] OPEN = 3'd0, READ = 3'd1, BYTE = 3'd2, ESCAPED = 3'd3, CHECK = 3'd4, CLOSE = 3'd5;

    reg  [2:0]      state;                                    // the next item: flag, byte of the packet, second byte of an escape, CRC, flag
    reg  [ADDR_W:0] count;                                    // bytes read so far
    reg  [1:0]      checks;                                   // bytes of the CRC sent so far
    reg  [31:0]     crc;                                      // CRC register; behind the last byte its complement, the next byte lowest
    reg  [7:0]      kept;                                     // second byte of an escape
    reg             of_check;                                 // the byte on its way belongs to the CRC
    wire [31:0]     crc_next;                                 // CRC register with this byte
    wire [7:0]      next  = of_check ? crc[7:0] : rdata;      // the byte, before escaping
    wire            odd   = next == FLAG || next == ESCAPE;   // the byte needs an escape
    wire            moves = !out_valid || out_ready;          // the output register can take a byte
    wire            last  = of_check ? checks == 2'd3 : 1'b0; // the byte is the last byte of the CRC
    assign re    = state == READ;
    assign raddr = count[ADDR_W-1:0];
    gmmu_crc32c_byte crc32c_byte (
        .crc(crc),
        .data(rdata),
        .next(crc_next)
    );

    always @(posedge clk) begin
        if (out_ready)
            out_valid <= 1'b0;
        if (busy && moves)
            case (state)
                OPEN: begin
                    out_valid <= 1'b1;
                    out_data  <= FLAG;
                    state     <= READ;
                end
                READ: begin
                    state <= count == size ? CHECK : BYTE;
                    if (count == size) begin
                        of_check <= 1'b1;
                        crc      <= ~crc;
                    end
                end
                BYTE, CHECK: begin
                    out_valid <= 1'b1;
                    out_data  <= odd ? ESCAPE : next;
                    kept      <= next ^ 8'h20;
                    if (of_check) begin
                        crc    <= {8'd0, crc[31:8]};
                        checks <= checks + 1'b1;
                    end else begin
                        crc   <= crc_next;
                        count <= count + 1'b1;
                    end
                    state <= odd ? ESCAPED : last ? CLOSE : of_check ? CHECK : READ;
                end
                ESCAPED: begin
                    out_valid <= 1'b1;
                    out_data  <= kept;
                    state     <= !of_check ? READ : checks == 2'd0 ? CLOSE : CHECK;
                end
                default: begin
                    out_valid <= 1'b1;
                    out_data  <= FLAG;
                    busy      <= 1'b0;
                end
            endcase
        if (send) begin
            busy     <= 1'b1;
            state    <= OPEN;
            count    <= {ADDR_W+1{1'b0}};
            checks   <= 2'd0;
            crc      <= 32'hFFFF_FFFF;
            of_check <= 1'b0;
        end
        if (rst) begin
            busy      <= 1'b0;
            out_valid <= 1'b0;
        end
    end
endmodule
`default_nettype wire
