// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_histogram: the counts of all rows, and the effect of an action on a bin's counts (docs/reference/blocks/ref_rit.md).
//
// A word is {censored, reuse}; a row has BINS words. Row 0 has a RAM of its own, so that a record counts in both rows in one
// cycle. The address of a word is at h6; the word is at h8, where the word is changed and written. lib/gmmu_ram_rmw forwards.
`default_nettype none
module gmmu_ref_rit_histogram #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    // 1: corrupt counts are reported, and become 0
    parameter PARITY  = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clearing,    // reset sequence: the counts of clear_row, clear_bin are cleared
    input  wire [ROW_W-1:0]   clear_row,   // row that is cleared
    input  wire [BIN_W-1:0]   clear_bin,   // bin that is cleared
    // LEARN of a record
    input  wire [ROW_W-1:0]   l5_row,      // row of the record at l5
    input  wire [BIN_W-1:0]   l5_bin,      // bin of the record at l5
    input  wire               l7_valid,    // a record is at l7
    input  wire               l7_applied,  // the record at l7 counts in its row
    input  wire               l7_censored, // the record at l7 is censored
    input  wire               l9_censored, // the record at l9 is censored
    output wire [CNT_W-1:0]   h9_count,    // count of the row after LEARN of the record at l9
    output wire [CNT_W-1:0]   g9_count,    // count of row 0 after LEARN of the record at l9
    output wire               h9_full,     // h9_count is the greatest count
    output wire               g9_full,     // g9_count is the greatest count
    // a row operation: the words of a bin come three cycles after the bin
    input  wire               running,     // a row operation is at a bin
    input  wire [1:0]         op,          // the row operation, BG_*
    input  wire [ROW_W-1:0]   op_row,      // row of the operation
    input  wire [BIN_W-1:0]   op_bin,      // bin of the operation
    input  wire               o2_valid,    // two cycles after a row operation is at a bin
    output wire [2*CNT_W-1:0] o3_word,     // counts of the row in the bin of three cycles before
    output wire [2*CNT_W-1:0] o3_gword,    // counts of row 0 in the bin of three cycles before
    output wire               bad          // counts that were used one or two cycles before are corrupt
);

`include "gmmu_codes.vh"
    reg [ROW_W-1:0] h6_row; // row of the word at h6
    reg [BIN_W-1:0] h6_bin; // bin of the word at h6
    always @(posedge clk) begin
        h6_row <= clearing ? clear_row : running ? op_row : l5_row;
        h6_bin <= clearing ? clear_bin : running ? op_bin : l5_bin;
    end

    // h: the row's word; g: row 0's word
    wire [2*CNT_W-1:0] h8_q;      // word before the action at h8
    wire [2*CNT_W-1:0] g8_q;
    wire [2*CNT_W-1:0] h8_d;      // word after the action at h8
    wire [2*CNT_W-1:0] g8_d;
    reg                h8_we;     // the action at h8 writes the word
    reg                g8_we;
    reg                learn8;    // the action at h8 is LEARN
    reg                halve8;    // the action at h8 is HALVE
    reg                reuse8;    // LEARN: the record is a reuse
    reg                censored8; // LEARN: the record is censored
    reg                h8_used;   // the action at h8 uses the word: a corrupt word is reported
    reg                g8_used;
    wire               h9_bad;    // the word of h8_used was corrupt
    wire               g9_bad;
    assign bad = h9_bad || g9_bad;
    gmmu_ram_rmw #(
        .WIDTH(2 * CNT_W),
        .ROWS(1 << ROW_W),
        .BINS(BINS),
        .ADDR_W(ROW_W + BIN_W),
        .PARITY(PARITY)
    ) histograms (
        .clk(clk),
        .rst(rst),
        .a2_used(h8_used),
        .a3_bad(h9_bad),
        .a0_addr({h6_row, h6_bin}),
        .a2_q(h8_q),
        .a2_we(h8_we),
        .a2_d(h8_d)
    );
    gmmu_ram_rmw #(
        .WIDTH(2 * CNT_W),
        .BINS(1 << BIN_W),
        .PARITY(PARITY)
    ) global_histogram (
        .clk(clk),
        .rst(rst),
        .a2_used(g8_used),
        .a3_bad(g9_bad),
        .a0_addr(h6_bin),
        .a2_q(g8_q),
        .a2_we(g8_we),
        .a2_d(g8_d)
    );

    wire op_global = op_row == 0; // the row operation is row 0's
    wire op_writes = o2_valid && op != BG_REFRESH; // the row operation changes its words
    reg  hclear1; // clearing, a cycle later
    reg  hclear2; // clearing, two cycles later
    always @(posedge clk) begin
        hclear1   <= clearing && !rst;
        hclear2   <= hclear1;
        h8_we     <= hclear2 || (l7_valid && l7_applied) || (op_writes && !op_global);
        g8_we     <= hclear2 || l7_valid || (op_writes && op_global);
        learn8    <= l7_valid;
        reuse8    <= !l7_censored;
        censored8 <= l7_censored;
        halve8    <= o2_valid && op == BG_HALVE;
        h8_used   <= (l7_valid && l7_applied) || (o2_valid && op != BG_CLEAR && !op_global);
        g8_used   <= l7_valid || (o2_valid && (op == BG_REFRESH || (op != BG_CLEAR && op_global)));
    end

    // n + more, at most all ones
    function [CNT_W-1:0] plus(input [CNT_W-1:0] n, input more);
        reg [CNT_W:0] sum;
        begin
            sum  = {1'b0, n} + {{CNT_W{1'b0}}, more};
            plus = sum[CNT_W-1:0] | {CNT_W{sum[CNT_W]}};
        end
    endfunction

    // A count after LEARN: one more if the record counts here. After HALVE: half, rounded up, by the same adder. After CLEAR: 0.
    function [CNT_W-1:0] next(input [CNT_W-1:0] n, input counts, input more, input halves);
        next = counts || halves ? plus(halves ? n >> 1 : n, halves ? n[0] : more) : {CNT_W{1'b0}};
    endfunction
    function [2*CNT_W-1:0] changed(input [2*CNT_W-1:0] word, input counts, input reuse, input censored, input halves);
        changed = {next(word[2*CNT_W-1:CNT_W], counts, censored, halves), next(word[CNT_W-1:0], counts, reuse, halves)};
    endfunction
    assign h8_d = changed(h8_q, learn8, reuse8, censored8, halve8);
    assign g8_d = changed(g8_q, learn8, reuse8, censored8, halve8);
    assign o3_gword = g8_q;
    assign o3_word  = op_global ? g8_q : h8_q;

    // asked count: one more makes the count full
    function nearly_full(input [CNT_W-1:0] n);
        reg unused;
        begin
            unused = n[0];
            nearly_full = &n[CNT_W-1:1];
        end
    endfunction
    reg [2*CNT_W-1:0] h9_word; // h8_d, a cycle later
    reg [2*CNT_W-1:0] g9_word; // g8_d, a cycle later
    reg               h9_near; // LEARN made the row's count full
    reg               g9_near; // LEARN made row 0's count full
    always @(posedge clk) begin
        h9_word <= h8_d;
        g9_word <= g8_d;
        h9_near <= nearly_full(censored8 ? h8_q[2*CNT_W-1:CNT_W] : h8_q[CNT_W-1:0]);
        g9_near <= nearly_full(censored8 ? g8_q[2*CNT_W-1:CNT_W] : g8_q[CNT_W-1:0]);
    end
    // a corrupt word becomes 0: its count is not full
    assign h9_full  = h9_near && !h9_bad;
    assign g9_full  = g9_near && !g9_bad;
    assign h9_count = l9_censored ? h9_word[2*CNT_W-1:CNT_W] : h9_word[CNT_W-1:0];
    assign g9_count = l9_censored ? g9_word[2*CNT_W-1:CNT_W] : g9_word[CNT_W-1:0];

endmodule
`default_nettype wire
