// SPDX-License-Identifier: Apache-2.0
// gmmu_parity_log: words in RAM that turned bad: how many uses of them there were, and where the last one was.
//
// Each place turns its wire over once for each use, on whatever clock it has: what turns while this one looks elsewhere, or
// before the other one rests, is not lost, unless the place turns twice until its turn has come.
`default_nettype none
module gmmu_parity_log #(
    // places, at most 255; the first two tell a number beside, and one more
    parameter PLACES = 2,
    parameter MORE   = 0,
    // bits of that, at most 24
    parameter AT_W   = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [PLACES-1:0] turned,
    input  wire [AT_W-1:0]   at0, at1, at_more,
    output reg  [31:0]       stat_parity,
    output reg  [31:0]       stat_parity_last // {place, from 1; number}
);

    // (a cycle later: the places are far apart; and what it is, another one later)
    reg  [PLACES-1:0] is_turned, seen;
    reg  [AT_W-1:0]   is_at0, is_at1, is_at_more, was_at;
    wire [PLACES-1:0] come = seen ^ is_turned;
    reg  [PLACES-1:0] first, counts; // of those, the lowest; counts: it is counted now
    reg  [7:0]        place;
    integer i;
    always @* begin
        place = 8'd0;
        for (i = 0; i < PLACES; i = i + 1) begin
            first[i] = come[i] && (come & ~({PLACES{1'b1}} << i)) == 0;
            if (counts[i])
                place = place | (i[7:0] + 8'd1);
        end
    end
    always @(posedge clk) begin
        {is_turned, is_at0, is_at1, is_at_more} <= {rst ? {PLACES{1'b0}} : turned, at0, at1, at_more};
        seen <= seen ^ first;
        counts <= rst ? {PLACES{1'b0}} : first;
        was_at <= come[0] ? is_at0 : come[1] ? is_at1 : first[MORE] ? is_at_more : {AT_W{1'b0}};
        if (counts != 0) begin
            stat_parity      <= stat_parity + 32'd1;
            stat_parity_last <= {place, {24-AT_W{1'b0}}, was_at};
        end
        if (rst) begin
            seen             <= {PLACES{1'b0}};
            stat_parity      <= 32'd0;
            stat_parity_last <= 32'd0;
        end
    end

endmodule
`default_nettype wire
