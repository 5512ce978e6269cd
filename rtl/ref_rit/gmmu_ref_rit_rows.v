// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_rows: what is known of each row: its generation, and what it owes (docs/blocks/ref_rit.md).
//
// In a cycle the background action takes effect first, then the walk's allocation and tick.
`default_nettype none
module gmmu_ref_rit_rows #(
    parameter CLASSES = 64,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // the walk: row given_row is given to another reference, its generation is given_gen; a refresh tick
    input  wire               given,
    input  wire [ROW_W-1:0]   given_row,
    input  wire [GEN_W-1:0]   given_gen,
    input  wire               w9_tick,
    // LEARN in row l3_row: counted there too, beside row 0
    input  wire               learn,
    input  wire               l3_applied,
    input  wire [ROW_W-1:0]   l3_row,
    // a count of it is full
    input  wire               l9_full, l9_gfull,
    input  wire [ROW_W-1:0]   l9_row,
    // a row operation begins
    input  wire               start,
    input  wire [1:0]         next_op,
    input  wire [ROW_W-1:0]   next_row,
    output wire [GEN_W-1:0]   next_gen,
    // is this generation still the row's? two questions: the first combinational, its answer also a cycle later, as it was; the
    // second the same as in the cycle before
    input  wire [ROW_W-1:0]   qa_row, qb_row,
    input  wire [GEN_W-1:0]   qa_gen, qb_gen,
    output wire               qa_current, qb_current, qa1_current,
    // a record's row: its generation, and whether its counts are still another reference's
    input  wire [ROW_W-1:0]   l1_row,
    output wire [GEN_W-1:0]   l1_now,
    output wire               l1_owed,
    // rows that owe a CLEAR, a HALVE, a REFRESH; of the latter those that go before the others
    output reg  [CLASSES-1:0] clear_owed, halve_owed, pend, later,
    output wire               pending  // some row waits for its REFRESH
);

`include "gmmu_codes.vh"
    reg [GEN_W*CLASSES-1:0] row_gen;
    reg [CLASSES-1:0]       dirty;
    reg                     joining; // since a tick no REFRESH was done: what is learnt now is pending at once

    reg [GEN_W*CLASSES-1:0] was_gen;
    reg [ROW_W-1:0]         qa1_row;
    reg [GEN_W-1:0]         qa1_gen;
    always @(posedge clk)
        {was_gen, qa1_row, qa1_gen} <= {row_gen, qa_row, qa_gen};
    assign qa1_current = was_gen[qa1_row*GEN_W +: GEN_W] == qa1_gen;
    assign qa_current = row_gen[qa_row*GEN_W +: GEN_W] == qa_gen;
    // the second question was the same in the cycle before
    reg                     qb_was, qb_given, qb_given_is;
    always @(posedge clk) begin
        qb_was      <= row_gen[qb_row*GEN_W +: GEN_W] == qb_gen;
        qb_given    <= given && given_row == qb_row && !rst;
        qb_given_is <= given_gen == qb_gen;
    end
    assign qb_current = qb_given ? qb_given_is : qb_was;
    assign next_gen   = row_gen[next_row*GEN_W +: GEN_W];
    assign l1_now     = row_gen[l1_row*GEN_W +: GEN_W];
    assign l1_owed    = clear_owed[l1_row];

    localparam [CLASSES-1:0] ROW0 = 1;
    function [CLASSES-1:0] only(input [ROW_W-1:0] row, input yes);
        integer i;
        begin
            only = {CLASSES{1'b0}};
            for (i = 0; i < CLASSES; i = i + 1)
                only[i] = yes && row == i[ROW_W-1:0];
        end
    endfunction
    wire [CLASSES-1:0] learnt_rows = only(l3_row, learn && l3_applied) | (learn ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] full_rows   = only(l9_row, l9_full) | (l9_gfull ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] begun       = only(next_row, start);
    // (what an operation makes of dirty and pending is known late, and written a cycle later: until it ends nobody else's is begun,
    // and nothing learnt)
    reg                was_start, was_halve, was_tick;
    reg  [ROW_W-1:0]   was_row;
    wire [CLASSES-1:0] began       = only(was_row, was_start);
    assign pending = (pend & ~(was_halve ? {CLASSES{1'b0}} : began)) != {CLASSES{1'b0}} || (was_start && was_halve && was_tick);
    wire [CLASSES-1:0] none        = {CLASSES{1'b0}};
    wire [CLASSES-1:0] dirties     = dirty | learnt_rows;
    wire [CLASSES-1:0] pends       = pend | (w9_tick ? dirties : none), joins = joining ? learnt_rows : none;
    wire [CLASSES-1:0] if_begun    = joins | (was_halve ? pends | {CLASSES{w9_tick || was_tick}} : none);
    always @(posedge clk) begin
        was_start <= start && !rst;
        was_halve <= next_op == BG_HALVE;
        was_tick  <= w9_tick;
        was_row   <= next_row;
        if (rst) begin
            dirty      <= 0;
            pend       <= 0;
            clear_owed <= 0;
            halve_owed <= 0;
            joining    <= 1'b0;
            row_gen    <= 0;
            later      <= {CLASSES{1'b1}};
        end else begin
            if (start && next_op == BG_REFRESH)
                later <= ({CLASSES{1'b1}} << next_row) << 1;
            dirty      <= (began & {CLASSES{was_halve}}) | (~began & dirties);
            pend       <= (began & if_begun) | (~began & (pends | joins));
            clear_owed <= (clear_owed & (next_op == BG_CLEAR ? ~begun : ~none)) | only(given_row, given);
            halve_owed <= (halve_owed & (next_op == BG_REFRESH ? ~none : ~begun)) | full_rows;
            joining    <= w9_tick || (joining && !(start && next_op == BG_REFRESH));
            if (given)
                row_gen[given_row*GEN_W +: GEN_W] <= given_gen;
        end
    end

endmodule
`default_nettype wire
