// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_choice: the row operation that is next (docs/reference/blocks/ref_rit.md).
//
// CLEAR goes before HALVE, HALVE before REFRESH, and the lowest row first. Of the rows that wait for a REFRESH the first above the
// last refreshed row is next. A REFRESH in a hurry goes before all. The choice takes two cycles from the rows' flags to `next_valid`.
`default_nettype none
module gmmu_ref_rit_choice #(
    parameter CLASSES = 64,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [CLASSES-1:0] clear_owed,    // the rows that wait for a CLEAR
    input  wire [CLASSES-1:0] halve_owed,    // the rows that wait for a HALVE
    input  wire [CLASSES-1:0] pend,          // the rows that wait for a REFRESH
    input  wire [CLASSES-1:0] later,         // the rows above the last refreshed row
    input  wire               refresh_ready, // ppuc's engine is idle
    input  wire               refresh_hurry, // a REFRESH waits neither for the queues nor for the search: before CLEAR and HALVE
    input  wire               refresh_calm,  // the queues are empty, and no search is under way
    input  wire               given,         // the row given_row goes to another reference, or to none
    input  wire [ROW_W-1:0]   given_row,     // row that changes its owner
    output wire               owed,          // a row waited for a CLEAR or a HALVE in the cycle before
    output reg                next_valid,    // a row operation may begin
    output reg                next_stale,    // the REFRESH is void: next_row changed its owner meanwhile
    output reg  [1:0]         next_op,       // the row operation that is next, BG_*
    output reg  [ROW_W-1:0]   next_row       // row of the operation that is next
);

`include "gmmu_codes.vh"
    // the lowest row of some: the first group with a row, and the first row of the group
    localparam IN_W = ROW_W / 2, IN = 1 << IN_W, GROUPS = 1 << (ROW_W - IN_W);
    function [ROW_W-1:0] lowest(input [CLASSES-1:0] rows);
        reg [IN*GROUPS-1:0] all;
        reg                 found;
        reg [ROW_W-1:0]     at;
        reg [ROW_W-1:0]     of_group;
        integer s, i;
        begin
            all = 0;
            all[CLASSES-1:0] = rows;
            at = 0;
            found = 1'b0;
            for (s = 0; s < GROUPS; s = s + 1) begin // late select: the first row of each group is ready; the first group with a row selects
                i = s * IN + IN - 1;
                of_group = i[ROW_W-1:0];
                for (i = s * IN + IN - 2; i >= s * IN; i = i - 1)
                    if (all[i])
                        of_group = i[ROW_W-1:0];
                at = at | (of_group & {ROW_W{!found && all[s*IN +: IN] != 0}});
                found = found || all[s*IN +: IN] != 0;
            end
            lowest = at;
        end
    endfunction

    // c: CLEAR, h: HALVE, f: REFRESH; the digit is the cycle
    reg                c1_any;     // some row waits for a CLEAR
    reg                h1_any;     // some row waits for a HALVE, and not for a CLEAR
    reg                f1_any;     // some row waits for a REFRESH, and not for a CLEAR
    reg                f1_later;   // such a row is above the last refreshed row
    reg                f1_may;     // a REFRESH may begin
    reg                f1_hurry;   // a REFRESH may begin, and is in a hurry
    reg  [ROW_W-1:0]   c1_row;     // the lowest row that waits for a CLEAR
    reg  [ROW_W-1:0]   h1_row;     // the lowest row for a HALVE
    reg  [ROW_W-1:0]   f1_low;     // the lowest row for a REFRESH
    reg  [ROW_W-1:0]   f1_high;    // the lowest row for a REFRESH above the last refreshed row
    reg                given1;     // given, a cycle later
    reg  [ROW_W-1:0]   given1_row; // given_row, a cycle later
    wire [CLASSES-1:0] h0 = halve_owed & ~clear_owed;
    wire [CLASSES-1:0] f0 = pend & ~clear_owed;
    wire [ROW_W-1:0]   f1_row = f1_later ? f1_high : f1_low;
    wire               f1_refresh = f1_any && f1_may;
    wire               f1_hurried = f1_any && f1_hurry; // this REFRESH goes before a flood of new references
    assign owed = c1_any || h1_any;
    wire [1:0] chosen = f1_hurried ? BG_REFRESH : c1_any ? BG_CLEAR : h1_any ? BG_HALVE : BG_REFRESH;
    always @(posedge clk) begin
        c1_any   <= clear_owed != 0;
        h1_any   <= h0 != 0;
        f1_any   <= f0 != 0;
        f1_later <= (f0 & later) != 0;
        c1_row   <= lowest(clear_owed);
        h1_row   <= lowest(h0);
        f1_low   <= lowest(f0);
        f1_high  <= lowest(f0 & later);
        f1_may     <= refresh_ready && (refresh_calm || refresh_hurry);
        f1_hurry   <= refresh_ready && refresh_hurry;
        given1     <= given;
        given1_row <= given_row;
        next_valid <= c1_any || h1_any || f1_refresh;
        next_op    <= chosen;
        next_row   <= chosen == BG_CLEAR ? c1_row : chosen == BG_HALVE ? h1_row : f1_row;
        // the counts of a row that changed its owner are still the owner's before
        next_stale <= chosen == BG_REFRESH && ((given1 && given1_row == f1_row) || (given && given_row == f1_row));
        if (rst) begin
            c1_any <= 1'b0;
            h1_any <= 1'b0;
            f1_any <= 1'b0;
            next_valid <= 1'b0;
        end
    end

endmodule
`default_nettype wire
