// SPDX-License-Identifier: Apache-2.0
// Proofs about ppuc_divide: divisions of any numbers, one after the other, reset at any time.
//: pdr 60 s
//: bmc3 60 frames 60 s
`default_nettype none
module formal_ppuc_divide #(
    parameter SUM_W = 12,
    parameter X_W   = 5
) (
    input wire                 clk,
    input wire                 reset, zero, go,
    input wire [SUM_W-1:0]     best,
    input wire [SUM_W+X_W-1:0] divisor
);

    localparam NORM = 2'd1, LESS = 2'd2, DIGIT = 2'd3;
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // ---- the protocol: not while a division is under way; neither number is 0
    reg         busy;
    wire        done, start = go && !busy && best != 0 && divisor != 0;
    wire [15:0] quotient;
    always @(posedge clk)
        busy <= !rst && (start || (busy && !done));
    gmmu_ppuc_divide #(.SUM_W(SUM_W), .X_W(X_W)) dut (
        .clk(clk), .rst(rst), .zero(zero && !busy && !start), .start(start), .best(best), .divisor(divisor),
        .done(done), .quotient(quotient)
    );

    (* hierconn *) wire [1:0] \dut.state ;
    (* hierconn *) wire       \dut.fits ;
    wire [1:0] state = \dut.state ;
    reg  [3:0] digits;    // from the first one on
    reg  [5:0] shifts;    // cycles in NORM
    reg        was_zero, was_idle;
    reg [15:0] stood;
    always @(posedge clk) begin
        if (start)
            {digits, shifts} <= 10'd0;
        if (state == NORM)
            shifts <= shifts + 1'b1;
        if (state == DIGIT && (digits != 0 || \dut.fits ))
            digits <= digits + 1'b1;
        was_zero  <= zero && !busy && !start && !rst;
        was_idle  <= !busy && !zero && !rst;
        stood     <= quotient;
    end

    always @* if (!rst) begin
        // A division ends ten bits after its first one.
        division_ends: assert (!(state == DIGIT || state == LESS) || digits <= 10);
        // It takes as many cycles to normalise as the products are long at most, and one more.
        norm_ends: assert (state != NORM || shifts <= SUM_W + X_W);
        // It is at work just from its start to its end.
        busy_right: assert ((state != 0) == busy);
        // The quotient of a zero is 0; the last one stands while nothing is divided.
        zero_is_zero: assert (!was_zero || quotient == 0);
        stands: assert (!was_idle || quotient == stood);
    end

endmodule
`default_nettype wire
