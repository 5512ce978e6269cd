// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_divide: best / divisor as a 16-bit minifloat, rounded down (docs/reference/formats.md, docs/reference/blocks/ppuc.md).
//
// NORM shifts both numbers up until their top bits are ones. LESS and DIGIT then give a bit of the quotient every two
// cycles: eleven bits, or twelve if the first is a zero.
`default_nettype none
module gmmu_ppuc_divide #(
    // bits of `best`
    parameter SUM_W = 23,
    // further bits of `divisor`
    parameter X_W   = 19
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 zero,    // the quotient becomes 0, without a division
    input  wire                 start,   // a division begins; neither number is 0
    input  wire [SUM_W-1:0]     best,    // dividend
    input  wire [SUM_W+X_W-1:0] divisor, // divisor
    output wire                 done,    // the quotient is valid from the next cycle on
    output reg  [15:0]          quotient // quotient, minifloat
);

    localparam P_W = SUM_W + X_W;
    localparam H_W = P_W / 2;
    // exponent of the quotient of two normalised numbers, of which the upper was shifted by X_W before
    localparam UNSHIFTED = 63 - X_W;
    localparam [H_W:0] ONE = 1;

    localparam REST = 2'd0, NORM = 2'd1, LESS = 2'd2, DIGIT = 2'd3;
    reg  [1:0]         state;
    reg  [P_W:0]       rest;           // rest of the dividend
    reg  [P_W-1:0]     divider;        // complement: the inverted divisor
    reg  [H_W:0]       less_low;       // lower half of rest - divisor, and the carry into the upper half
    reg  [P_W+1-H_W:0] less_high[0:1]; // late select: the upper half of rest - divisor for both carries
    reg  [5:0]         exponent;       // exponent of the quotient
    reg                up;             // late count: the exponent becomes one more
    reg                down;           // late count: the exponent becomes one less
    reg                first;          // the next bit of the quotient is the first
    reg  [9:0]         mantissa;       // bits of the quotient so far: the first is a one
    wire [P_W+1:0]     less = {less_high[less_low[H_W]], less_low[H_W-1:0]};
    wire               fits = !less[P_W+1];
    wire               unused_less = &{1'b0, less[P_W]};
    wire               last = mantissa[9];
    assign done = state == DIGIT && last;

    always @(posedge clk) begin
        less_low     <= {1'b0, rest[H_W-1:0]} + {1'b0, divider[H_W-1:0]} + ONE;
        less_high[0] <= {1'b0, rest[P_W:H_W]} + {2'b11, divider[P_W-1:H_W]};
        less_high[1] <= {1'b0, rest[P_W:H_W]} + {2'b11, divider[P_W-1:H_W]} + 1'b1;
        up   <= state == NORM && divider[P_W-1] && rest[P_W-1];
        down <= (state == NORM && !divider[P_W-1] && !rest[P_W-1]) || (state == DIGIT && first && !fits);
        if (up)
            exponent <= exponent + 1'b1;
        if (down)
            exponent <= exponent - 1'b1;

        case (state)
            NORM: begin
                if (divider[P_W-1])
                    divider <= {divider[P_W-2:0], 1'b1};
                if (!rest[P_W-1])
                    rest <= rest << 1;
                first <= 1'b1;
                if (!divider[P_W-1] && rest[P_W-1])
                    state <= LESS;
            end
            LESS:
                state <= DIGIT;
            DIGIT: begin
                rest     <= {fits ? less[P_W-1:0] : rest[P_W-1:0], 1'b0};
                mantissa <= {mantissa[8:0], fits};
                first    <= 1'b0;
                quotient <= {exponent, mantissa[8:0], fits};
                state    <= last ? REST : LESS;
            end
            default: begin // REST
                if (zero)
                    quotient <= 16'd0;
                // late select: start arrives last, so the numbers are loaded in every cycle
                divider  <= ~divisor;
                rest     <= {1'b0, best, {X_W{1'b0}}};
                exponent <= UNSHIFTED[5:0];
                mantissa <= 10'd0;
                if (start)
                    state <= NORM;
            end
        endcase

        if (rst)
            state <= REST;
    end

endmodule
`default_nettype wire
