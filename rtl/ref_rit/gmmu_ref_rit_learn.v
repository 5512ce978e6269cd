// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_learn: records on their way to the counts, one a cycle (docs/reference/blocks/ref_rit.md).
//
//   l0 ────► l1, l2 ─────────► l3 ───► l4, l5 ──► l6 to l8 ────────────► l9
//   popped   row still its     LEARN   bin is     counts are read, and   counts are
//            owner's?                  known      one more is written    reported
`default_nettype none
module gmmu_ref_rit_learn #(
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire                        clk,
    input  wire                        rst,
    // records {row, gen, interval, censored} of two queues; the walk queue goes first
    input  wire                        open,        // a record may be taken
    input  wire                        rec0_valid,  // a record waits in the walk queue
    input  wire                        rec1_valid,  // a record waits in the side queue
    output wire                        rec0_pop,    // the first record of the walk queue is taken
    output wire                        rec1_pop,    // the first record of the side queue is taken
    output wire                        rec0_done,   // the record at l3 is of the walk queue: its place is free
    output wire                        rec1_done,   // the record at l3 is of the side queue: its place is free
    input  wire [ROW_W+GEN_W+TIME_W:0] rec0,        // the first record of the walk queue
    input  wire [ROW_W+GEN_W+TIME_W:0] rec1,        // the first record of the side queue
    input  wire                        rec0_bad,    // the first record of the walk queue is corrupt: not learnt
    input  wire                        rec1_bad,    // the first record of the side queue is corrupt: not learnt
    output wire                        popped,      // a record is at l1
    output wire                        under_way,   // a record is at l1 to l10; behind l10 the choice of the next operation knows its counts
    output wire                        empty,       // no record is at l1 to l11
    // the row of a record
    output reg  [ROW_W-1:0]            l1_row,      // row of the record at l1
    input  wire [GEN_W-1:0]            l1_now,      // generation of the row l1_row
    input  wire                        l1_owed,     // the row l1_row waits for its CLEAR
    input  wire                        given,       // the row given_row goes to another reference, or to none
    input  wire [ROW_W-1:0]            given_row,   // row that changes its owner
    // LEARN
    output wire                        learn,       // LEARN: the record at l3 takes effect
    output wire                        lost,        // the record at l3 is corrupt: not learnt
    output wire                        l3_applied,  // the record at l3 counts in its row
    output reg                         l3_side,     // the record at l3 is of the side queue
    output reg  [ROW_W-1:0]            l3_row,      // row of the record at l3
    output reg  [ROW_W-1:0]            l5_row,      // row of the record at l5
    output wire [BIN_W-1:0]            l5_bin,      // bin of the record at l5
    output wire                        l7_valid,    // a record is at l7
    output wire                        l7_applied,  // the record at l7 counts in its row
    output wire                        l7_censored, // the record at l7 is censored
    output wire                        l9_valid,    // a record is at l9
    output wire                        l9_applied,  // the record at l9 counts in its row
    output wire                        l9_censored, // the record at l9 is censored
    output reg  [ROW_W-1:0]            l9_row,      // row of the record at l9
    output reg  [BIN_W-1:0]            l9_bin       // bin of the record at l9
);

    assign rec0_pop = rec0_valid && open;
    assign rec1_pop = rec1_valid && !rec0_valid && open;
    wire   pop      = rec0_pop || rec1_pop;

    reg [11:1]       l_valid;     // bit k: a record is at lk
    reg [ROW_W-1:0]  l2_row;      // row of the record at l2, and so on
    reg [ROW_W-1:0]  l4_row;
    reg [ROW_W-1:0]  l6_row;
    reg [ROW_W-1:0]  l7_row;
    reg [ROW_W-1:0]  l8_row;
    reg [GEN_W-1:0]  l1_gen;      // generation in the record at l1
    reg [GEN_W-1:0]  l2_gen;      // generation in the record at l2
    reg [GEN_W-1:0]  l2_now;      // l1_now, a cycle later
    reg [TIME_W-1:0] l1_interval; // interval of the record at l1
    reg              l1_side;     // the record at l1 is of the side queue
    reg              l2_side;     // the record at l2 is of the side queue
    reg              l2_owed;     // l1_owed, a cycle later
    reg              l2_given;    // the row l2_row changed its owner in the cycle before
    reg [9:3]        l_applied;   // bit k: the record at lk counts in its row
    reg [9:1]        l_censored;  // bit k: the record at lk is censored
    reg [3:1]        l_bad;       // bit k: the record at lk is corrupt
    reg [BIN_W-1:0]  l6_bin;      // bin of the record at l6, and so on
    reg [BIN_W-1:0]  l7_bin;
    reg [BIN_W-1:0]  l8_bin;
    gmmu_log_bin #(
        .X_W(TIME_W),
        .BINS(BINS),
        .BIN_W(BIN_W)
    ) binner (
        .clk(clk),
        .x(l1_interval),
        .bin(l5_bin)
    );

    wire [ROW_W-1:0]  rec_row;      // row of the record at l0
    wire [GEN_W-1:0]  rec_gen;      // generation in the record at l0
    wire [TIME_W-1:0] rec_interval; // interval of the record at l0
    wire              rec_censored; // the record at l0 is censored
    assign {rec_row, rec_gen, rec_interval, rec_censored} = rec0_valid ? rec0 : rec1;
    // the record counts in its row: the row is still its owner's, and the row's counts are too
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
