// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_learn: records on their way to the counts, one a cycle (docs/blocks/ref_rit.md).
//
// l0 popped, l1 and l2 is its row still its own, l3 LEARN; l1 to l5 its bin; l6 to l8 its counts are read and one more
// is written, l9 they are told.
`default_nettype none
module gmmu_ref_rit_learn #(
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    // two queues, the first goes first: {row, gen, interval, censored}
    input  wire              open,      // a record may be taken
    input  wire              rec0_valid, rec1_valid,
    output wire              rec0_pop, rec1_pop,
    output wire              rec0_done, rec1_done,
    input  wire [ROW_W+GEN_W+TIME_W:0] rec0, rec1,
    input  wire              rec0_bad, rec1_bad, // it turned bad: it is not learnt
    output wire              popped,    // one is in l1
    output wire              under_way, // one is in l1 to l10: as long as a choice takes after its counts
    output wire              empty,     // and none in l11
    // its row: generation and flag of l1_row; row given_row is given to another reference
    output reg  [ROW_W-1:0]  l1_row,
    input  wire [GEN_W-1:0]  l1_now,
    input  wire              l1_owed,
    input  wire              given,
    input  wire [ROW_W-1:0]  given_row,
    // LEARN
    output wire              learn,
    output wire              lost,       // a record that turned bad is not
    output wire              l3_applied, // counts in its row
    output reg               l3_side,
    output reg  [ROW_W-1:0]  l3_row, l5_row,
    output wire [BIN_W-1:0]  l5_bin,
    output wire              l7_valid, l7_applied, l7_censored,
    output wire              l9_valid, l9_applied, l9_censored,
    output reg  [ROW_W-1:0]  l9_row,
    output reg  [BIN_W-1:0]  l9_bin
);

    assign rec0_pop = rec0_valid && open;
    assign rec1_pop = rec1_valid && !rec0_valid && open;
    wire   pop      = rec0_pop || rec1_pop;

    reg [11:1]       l_valid;
    reg [ROW_W-1:0]  l2_row, l4_row, l6_row, l7_row, l8_row;
    reg [GEN_W-1:0]  l1_gen, l2_gen, l2_now;
    reg [TIME_W-1:0] l1_interval;
    reg              l1_side, l2_side;
    reg              l2_owed, l2_given;
    reg [9:3]        l_applied;
    reg [9:1]        l_censored;
    reg [3:1]        l_bad;
    reg [BIN_W-1:0]  l6_bin, l7_bin, l8_bin;
    gmmu_log_bin #(
        .X_W(TIME_W),
        .BINS(BINS),
        .BIN_W(BIN_W)
    ) binner (
        .clk(clk),
        .x(l1_interval),
        .bin(l5_bin)
    );

    wire [ROW_W-1:0]  rec_row;
    wire [GEN_W-1:0]  rec_gen;
    wire [TIME_W-1:0] rec_interval;
    wire              rec_censored;
    assign {rec_row, rec_gen, rec_interval, rec_censored} = rec0_valid ? rec0 : rec1;
    wire l2_applied = l2_row != 0 && l2_now == l2_gen && !l2_owed && !l2_given && !(given && given_row == l2_row);
    always @(posedge clk) begin
        l_valid     <= rst ? 11'd0 : {l_valid[10:4], learn, l_valid[2:1], pop};
        l_bad       <= {l_bad[2:1], rec0_valid ? rec0_bad : rec1_bad};
        l_applied   <= {l_applied[8:3], l2_applied};
        l_censored  <= {l_censored[8:1], rec_censored};
        if (pop) begin
            l1_side     <= !rec0_valid;
            l1_row      <= rec_row;
            l1_gen      <= rec_gen;
            l1_interval <= rec_interval;
        end
        if (l_valid[1]) begin
            l2_side  <= l1_side;
            l2_row   <= l1_row;
            l2_gen   <= l1_gen;
            l2_now   <= l1_now;
            l2_owed  <= l1_owed;
            l2_given <= given && given_row == l1_row;
        end
        if (l_valid[2]) begin
            l3_side <= l2_side;
            l3_row  <= l2_row;
        end
        if (l_valid[3])
            l4_row <= l3_row;
        if (l_valid[4])
            l5_row <= l4_row;
        if (l_valid[5]) begin
            l6_row <= l5_row;
            l6_bin <= l5_bin;
        end
        if (l_valid[6]) begin
            l7_row <= l6_row;
            l7_bin <= l6_bin;
        end
        if (l_valid[7]) begin
            l8_row <= l7_row;
            l8_bin <= l7_bin;
        end
        if (l_valid[8]) begin
            l9_row <= l8_row;
            l9_bin <= l8_bin;
        end
    end
    assign learn       = l_valid[3] && !l_bad[3];
    assign lost        = l_valid[3] && l_bad[3];
    assign l3_applied  = l_applied[3];
    assign rec0_done   = l_valid[3] && !l3_side;
    assign rec1_done   = l_valid[3] && l3_side;
    assign popped      = l_valid[1];
    assign under_way   = l_valid[10:1] != 0;
    assign empty       = l_valid == 0;
    assign l7_valid    = l_valid[7];
    assign l7_applied  = l_applied[7];
    assign l7_censored = l_censored[7];
    assign l9_valid    = l_valid[9];
    assign l9_applied  = l_applied[9];
    assign l9_censored = l_censored[9];

endmodule
`default_nettype wire
