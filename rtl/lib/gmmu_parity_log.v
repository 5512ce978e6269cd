// SPDX-License-Identifier: Apache-2.0
// gmmu_parity_log: counts the uses of corrupt words in RAM, and keeps the place of the last use.
//
// Each place toggles its wire for each use, on the clock of the place. A use while the log serves another place, or while
// clocks rest, is not lost, unless the place toggles twice before the log serves the place.
`default_nettype none
module gmmu_parity_log #(
    // places, at most 255; the first two, and the place MORE, report a number with each use
    parameter PLACES = 2,
    parameter MORE   = 0,
    // bits of that number, at most 24
    parameter AT_W   = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [PLACES-1:0] turned,           // one bit for each place: toggles with each use of a corrupt word
    input  wire [AT_W-1:0]   at0,              // number that goes with place 0
    input  wire [AT_W-1:0]   at1,              // number that goes with place 1
    input  wire [AT_W-1:0]   at_more,          // number that goes with place MORE
    output reg  [31:0]       stat_parity,      // number of uses of corrupt words
    output reg  [31:0]       stat_parity_last  // the last use: {place, from 1; number}
);

    // inputs are registered, as the places are far apart on the die; the count follows a cycle later
    reg  [PLACES-1:0] is_turned;               // `turned`, registered
    reg  [PLACES-1:0] seen;                    // `turned` as counted so far
    reg  [AT_W-1:0]   is_at0;                  // at0, registered
    reg  [AT_W-1:0]   is_at1;                  // at1, registered
    reg  [AT_W-1:0]   is_at_more;              // at_more, registered
    reg  [AT_W-1:0]   was_at;                  // number of the use that is counted
    wire [PLACES-1:0] come = seen ^ is_turned; // places with a use that is not counted yet
    reg  [PLACES-1:0] first;                   // the lowest place of `come`
    reg  [PLACES-1:0] counts;                  // the place that is counted in this cycle
    reg  [7:0]        place;                   // number of the counted place, from 1
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
