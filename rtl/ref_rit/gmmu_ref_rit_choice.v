// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_choice: which row operation is next (docs/blocks/ref_rit.md).
//
// CLEAR before HALVE before REFRESH, the lowest row first; of pending rows the first above the last one refreshed. Two
// cycles from the rows' flags to `next_valid`.
`default_nettype none
module gmmu_ref_rit_choice #(
    parameter CLASSES = 64,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [CLASSES-1:0] clear_owed, halve_owed, pend, later,
    input  wire               refresh_ready, // the engine is idle
    input  wire               refresh_hurry, // do not wait for the queues or the search: before CLEAR and HALVE
    input  wire               refresh_calm,  // queues empty, no search under way
    input  wire               given,         // row given_row is given to another reference
    input  wire [ROW_W-1:0]   given_row,
    output wire               owed,          // a CLEAR or a HALVE was owed in the cycle before
    output reg                next_valid,
    output reg                next_stale,    // its row was given away meanwhile: not this one
    output reg  [1:0]         next_op,
    output reg  [ROW_W-1:0]   next_row
);

`include "gmmu_codes.vh"
    // the lowest one of some: the first group of rows with a one, and the first in it
    localparam IN_W = ROW_W / 2, IN = 1 << IN_W, GROUPS = 1 << (ROW_W - IN_W);
    function [ROW_W-1:0] lowest(input [CLASSES-1:0] rows);
        reg [IN*GROUPS-1:0] all;
        reg                 found;
        reg [ROW_W-1:0]     at, of_group;
        integer s, i;
        begin
            all = 0;
            all[CLASSES-1:0] = rows;
            at = 0;
            found = 1'b0;
            for (s = 0; s < GROUPS; s = s + 1) begin // each group's own first one, whether it counts or not
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

    reg              c1_any, h1_any, f1_any, f1_later, f1_may, f1_hurry;
    reg [ROW_W-1:0]  c1_row, h1_row, f1_low, f1_high;
    reg              given1;
    reg [ROW_W-1:0]  given1_row;
    wire [CLASSES-1:0] h0 = halve_owed & ~clear_owed;
    wire [CLASSES-1:0] f0 = pend & ~clear_owed;
    wire [ROW_W-1:0] f1_row = f1_later ? f1_high : f1_low;
    wire f1_refresh = f1_any && f1_may;
    wire f1_hurried = f1_any && f1_hurry; // goes before a flood of new references
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
        // its counts are those of the reference that had the row
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
