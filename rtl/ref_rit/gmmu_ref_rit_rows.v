// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_rows: the state of each row: generation, and pending operations (docs/reference/blocks/ref_rit.md).
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
    // the walk
    input  wire               given,       // the row given_row goes to another reference, or to none
    input  wire [ROW_W-1:0]   given_row,   // row that changes its owner
    input  wire [GEN_W-1:0]   given_gen,   // generation of given_row from now on
    input  wire               w9_tick,     // refresh tick: dirty rows become pending
    // LEARN
    input  wire               learn,       // LEARN: the record at l3 counts in row 0
    input  wire               l3_applied,  // the record at l3 counts in its row too
    input  wire [ROW_W-1:0]   l3_row,      // row of the record at l3
    input  wire               l9_full,     // LEARN made a count of the row l9_row full
    input  wire               l9_gfull,    // LEARN made a count of row 0 full
    input  wire [ROW_W-1:0]   l9_row,      // row of the record at l9
    // the next row operation
    input  wire               start,       // the operation begins
    input  wire [1:0]         next_op,     // the operation, BG_*
    input  wire [ROW_W-1:0]   next_row,    // row of the operation
    output wire [GEN_W-1:0]   next_gen,    // generation of the row next_row
    // questions: is a generation its row's still?
    input  wire [ROW_W-1:0]   qa_row,      // first question: the row
    input  wire [ROW_W-1:0]   qb_row,      // second question: the row
    input  wire [GEN_W-1:0]   qa_gen,      // first question: the generation
    input  wire [GEN_W-1:0]   qb_gen,      // second question: the generation
    output wire               qa_current,  // answer to the first question, combinational
    output wire               qb_current,  // answer to the second question, if the cycle before asked the same
    output reg                qa1_current, // qa_current of the cycle before
    // the row of a record
    input  wire [ROW_W-1:0]   l1_row,      // row of the record at l1
    output wire [GEN_W-1:0]   l1_now,      // generation of the row l1_row
    output wire               l1_owed,     // the row l1_row waits for its CLEAR: its counts are another reference's
    // operations that rows wait for
    output reg  [CLASSES-1:0] clear_owed,  // the rows that wait for a CLEAR
    output reg  [CLASSES-1:0] halve_owed,  // the rows that wait for a HALVE
    output reg  [CLASSES-1:0] pend,        // the rows that wait for a REFRESH
    output reg  [CLASSES-1:0] later,       // the rows above the last refreshed row
    output wire               pending      // some row waits for its REFRESH
);

`include "gmmu_codes.vh"
    reg [GEN_W*CLASSES-1:0] row_gen; // generation of each row
    reg [CLASSES-1:0]       dirty;   // the rows whose counts changed after their last REFRESH
    reg                     joining; // no REFRESH was done since the last tick: a row that learns is pending at once

    assign qa_current = row_gen[qa_row*GEN_W +: GEN_W] == qa_gen;
    always @(posedge clk)
        qa1_current <= qa_current;
    // late select: the second question was the same in the cycle before, and only the row given then may have changed the answer
    reg qb_was;      // answer of the cycle before
    reg qb_given;    // the row of the question changed its owner in the cycle before
    reg qb_given_is; // the generation given in the cycle before is the question's
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
    // the rows in which a record is learnt, whose count became full, whose operation begins
    wire [CLASSES-1:0] learnt_rows = only(l3_row, learn && l3_applied) | (learn ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] full_rows   = only(l9_row, l9_full) | (l9_gfull ? ROW0 : {CLASSES{1'b0}});
    wire [CLASSES-1:0] begun       = only(next_row, start);
    // late count: the effect of an operation on dirty and pend is written a cycle later; until the operation ends no other begins, and
    // no record is learnt
    reg                was_start; // an operation began in the cycle before
    reg                was_halve; // the next operation of the cycle before was a HALVE
    reg                was_tick;  // the cycle before had a tick
    reg  [ROW_W-1:0]   was_row;   // row of the next operation of the cycle before
    wire [CLASSES-1:0] began       = only(was_row, was_start); // the row whose operation began in the cycle before
    assign pending = (pend & ~(was_halve ? {CLASSES{1'b0}} : began)) != {CLASSES{1'b0}} || (was_start && was_halve && was_tick);
    wire [CLASSES-1:0] none        = {CLASSES{1'b0}};
    // the rows that are dirty, pending, and become pending at once, but for the operation that began
    wire [CLASSES-1:0] dirties     = dirty | learnt_rows;
    wire [CLASSES-1:0] pends       = pend | (w9_tick ? dirties : none);
    wire [CLASSES-1:0] joins       = joining ? learnt_rows : none;
    // pend of the row whose operation began: a HALVE keeps the row pending
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
