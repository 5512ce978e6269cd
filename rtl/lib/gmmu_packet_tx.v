// SPDX-License-Identifier: Apache-2.0
// gmmu_packet_tx: the packet that is in a buffer, head and all, as bytes for a serial line; packet_rx says how.
`default_nettype none
module gmmu_packet_tx #(
    parameter BYTES  = 512, // of the buffer
    parameter ADDR_W = $clog2(BYTES)
) (
    input  wire              clk, rst,
    input  wire              send,  // not while busy
    input  wire [ADDR_W:0]   size,  // bytes, its head of four among them; stays while busy
    output reg               busy,
    // the buffer: rdata a cycle after re
    output wire              re,
    output wire [ADDR_W-1:0] raddr,
    input  wire [7:0]        rdata,
    output reg               out_valid,
    input  wire              out_ready,
    output reg  [7:0]        out_data
);
    localparam [7:0] FLAG = 8'h7E, ESCAPE = 8'h7D;
    localparam [2:0] OPEN = 3'd0, READ = 3'd1, BYTE = 3'd2, ESCAPED = 3'd3, CHECK = 3'd4, CLOSE = 3'd5;

    reg  [2:0]      state;
    reg  [ADDR_W:0] count;    // bytes that have been read
    reg  [1:0]      checks;   // bytes of the CRC that have gone
    reg  [31:0]     crc;      // until the last byte; then its complement, the next byte lowest
    reg  [7:0]      kept;     // of an escape
    reg             of_check; // the byte on its way is the CRC's
    wire [31:0]     crc_next;
    wire [7:0]      next  = of_check ? crc[7:0] : rdata;
    wire            odd   = next == FLAG || next == ESCAPE;
    wire            moves = !out_valid || out_ready, last = of_check ? checks == 2'd3 : 1'b0;
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
