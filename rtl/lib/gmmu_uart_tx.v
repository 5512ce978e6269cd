// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_tx: sends bytes on an asynchronous serial line, 8N1: start bit 0, eight bits, the lowest first, stop bit 1.
`default_nettype none
module gmmu_uart_tx #(
    parameter DIV = 20 // clock cycles a bit, at least 2
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       valid, // a byte is offered
    output wire       ready, // the byte is accepted
    input  wire [7:0] data,  // the byte
    output reg        txd    // the serial line
);
    localparam CNT_W = $clog2(DIV);
    localparam [CNT_W-1:0] WHOLE = DIV[CNT_W-1:0] - 1'b1;
    generate
        if (DIV < 2) begin : g_bad
            DIV_must_be_at_least_2 stop_here();
        end
    endgenerate

    reg [8:0]       rest; // bits still to send, the stop bit last
    reg [3:0]       bits; // number of bits in `rest`
    reg [CNT_W-1:0] left; // cycles left of the present bit
    assign ready = bits == 0 && left == 0;

    always @(posedge clk) begin
        if (left != 0)
            left <= left - 1'b1;
        else if (bits != 0) begin
            {rest, txd} <= {1'b1, rest};
            bits <= bits - 1'b1;
            left <= WHOLE;
        end else begin
            txd <= !valid;
            if (valid) begin
                rest <= {1'b1, data};
                bits <= 4'd9;
                left <= WHOLE;
            end
        end
        if (rst) begin
            txd  <= 1'b1;
            bits <= 4'd0;
            left <= {CNT_W{1'b0}};
        end
    end
endmodule
`default_nettype wire
