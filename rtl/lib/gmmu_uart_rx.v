// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_rx: receives bytes from an asynchronous serial line, 8N1: start bit 0, eight bits, the lowest first, stop bit 1.
//
// Each bit is sampled in its middle. A byte whose stop bit is 0 is dropped. A start bit that is 1 in its middle is ignored.
`default_nettype none
module gmmu_uart_rx #(
    parameter DIV = 20 // clock cycles a bit, at least 4
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,   // the serial line
    output reg        valid, // a byte was received; 1 for one cycle
    output reg  [7:0] data   // the byte
);
    localparam CNT_W = $clog2(DIV);
    localparam [CNT_W-1:0] WHOLE = DIV[CNT_W-1:0] - 1'b1, HALF = DIV[CNT_W:1] - 1'b1;
    generate
        if (DIV < 4) begin : g_bad
            DIV_must_be_at_least_4 stop_here();
        end
    endgenerate

    (* ASYNC_REG = "TRUE" *)
    reg  [1:0]       meta;           // synchroniser of the line, which has another clock
    reg              busy;           // a byte is being received
    reg  [CNT_W-1:0] left;           // cycles to the middle of the next bit
    reg  [3:0]       bits;           // number of the next bit: 0 the start bit, 9 the stop bit
    wire             line = meta[1]; // the line, synchronised

    always @(posedge clk) begin
        meta  <= {meta[0], rxd};
        valid <= 1'b0;
        if (!busy) begin
            left <= HALF;
            bits <= 4'd0;
            busy <= !line;
        end else if (left != 0) begin
            left <= left - 1'b1;
        end else begin
            left <= WHOLE;
            bits <= bits + 1'b1;
            data <= {line, data[7:1]};
            if (bits == 4'd0)
                busy <= !line;
            if (bits == 4'd9) begin
                // the stop bit is no data: data keeps its value
                data  <= data;
                valid <= line;
                busy  <= 1'b0;
            end
        end
        if (rst) begin
            meta  <= 2'b11;
            busy  <= 1'b0;
            valid <= 1'b0;
        end
    end
endmodule
`default_nettype wire
