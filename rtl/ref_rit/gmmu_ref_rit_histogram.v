// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_histogram: the counts of all rows, and what an action makes of a bin's (docs/blocks/ref_rit.md).
//
// Words {censored, reuse}, BINS a row; row 0 has a RAM of its own, so that a record counts in both in one cycle. An address
// in h6, the word in h8, where it is changed and written; lib/gmmu_ram_rmw forwards.
`default_nettype none
module gmmu_ref_rit_histogram #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    // 1: counts that turned bad are told, and become 0
    parameter PARITY  = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clearing,
    input  wire [ROW_W-1:0]   clear_row,
    input  wire [BIN_W-1:0]   clear_bin,
    // a record: row and bin; then whether it is there, counts in its row, and in which count
    input  wire [ROW_W-1:0]   l5_row,
    input  wire [BIN_W-1:0]   l5_bin,
    input  wire               l7_valid, l7_applied, l7_censored,
    input  wire               l9_censored,
    output wire [CNT_W-1:0]   h9_count, g9_count, // as they are now, of its row and of row 0
    output wire               h9_full, g9_full,   // the greatest
    // a row operation: a bin, three cycles before its words; then whether it is there
    input  wire               running,
    input  wire [1:0]         op,
    input  wire [ROW_W-1:0]   op_row,
    input  wire [BIN_W-1:0]   op_bin,
    input  wire               o2_valid,
    output wire [2*CNT_W-1:0] o3_word, o3_gword,  // of its row and of row 0
    output wire               bad                 // counts that were used two cycles ago, or one, had turned bad
);

`include "gmmu_codes.vh"
    reg  [ROW_W-1:0] h6_row;
    reg  [BIN_W-1:0] h6_bin;
    always @(posedge clk) begin
        h6_row <= clearing ? clear_row : running ? op_row : l5_row;
        h6_bin <= clearing ? clear_bin : running ? op_bin : l5_bin;
    end

    wire [2*CNT_W-1:0] h8_q, g8_q, h8_d, g8_d;
    reg                h8_we, g8_we, learn8, halve8, reuse8, censored8, h8_used, g8_used;
    wire               h9_bad, g9_bad;
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

    wire op_global = op_row == 0;
    wire op_writes = o2_valid && op != BG_REFRESH;
    reg  hclear1, hclear2;
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

    // one more, at most all ones
    function [CNT_W-1:0] plus(input [CNT_W-1:0] n, input more);
        reg [CNT_W:0] sum;
        begin
            sum  = {1'b0, n} + {{CNT_W{1'b0}}, more};
            plus = sum[CNT_W-1:0] | {CNT_W{sum[CNT_W]}};
        end
    endfunction

    // LEARN: one more of those that it counts. HALVE: half, rounded up, by the same adder. CLEAR: 0
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

    // with one more it is full
    function nearly_full(input [CNT_W-1:0] n);
        reg unused;
        begin
            unused = n[0];
            nearly_full = &n[CNT_W-1:1];
        end
    endfunction
    reg  [2*CNT_W-1:0] h9_word, g9_word;
    reg                h9_near, g9_near;
    always @(posedge clk) begin
        h9_word <= h8_d;
        g9_word <= g8_d;
        h9_near <= nearly_full(censored8 ? h8_q[2*CNT_W-1:CNT_W] : h8_q[CNT_W-1:0]);
        g9_near <= nearly_full(censored8 ? g8_q[2*CNT_W-1:CNT_W] : g8_q[CNT_W-1:0]);
    end
    // (of a word that turned bad it says nothing: that is 0 then)
    assign h9_full  = h9_near && !h9_bad;
    assign g9_full  = g9_near && !g9_bad;
    assign h9_count = l9_censored ? h9_word[2*CNT_W-1:CNT_W] : h9_word[CNT_W-1:0];
    assign g9_count = l9_censored ? g9_word[2*CNT_W-1:CNT_W] : g9_word[CNT_W-1:0];

endmodule
`default_nettype wire
