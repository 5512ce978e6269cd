// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_operation: CLEAR, HALVE and REFRESH walk through a row, one bin a cycle, while records wait (docs/blocks/ref_rit.md).
//
// One begins when the records under way are counted. After it up to 16 waiting records go first: neither side starves
// the other. `running` gives the bins out; their address is in o1, their counts in o3.
`default_nettype none
module gmmu_ref_rit_operation #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              clear,
    // the operation that is next
    input  wire              next_valid,
    input  wire              next_stale,
    input  wire [1:0]        next_op,
    input  wire [ROW_W-1:0]  next_row,
    input  wire [GEN_W-1:0]  next_gen,
    output wire              start,     // it begins
    // records: some wait; one is taken, was taken the cycle before, is on its way; they may be taken
    input  wire              waiting,
    input  wire              pop, popped, under_way,
    output wire              open,
    // its bins, and where they are
    output reg               running,
    output reg  [1:0]        op,
    output reg  [ROW_W-1:0]  op_row,
    output reg  [BIN_W-1:0]  op_bin,
    output reg               o2_valid, o3_valid, o3_last,
    output reg  [BIN_W-1:0]  o3_bin,
    output wire              resting,   // no bin is given out or under way
    // the row's header goes to the engine before its first bin
    output reg               snap_start,
    output reg  [ROW_W-1:0]  snap_row,
    output reg  [GEN_W-1:0]  snap_gen
);

`include "gmmu_codes.vh"
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;
    reg             o1_valid, o1_last, o2_last;
    reg [BIN_W-1:0] o1_bin, o2_bin;
    reg             still; // nothing was under way in the cycle before
    reg [4:0]       turn;  // one less than the records left
    wire want = next_valid && (turn[4] || !waiting);
    assign start   = want && still && !popped && !running && !next_stale;
    assign open    = !running && !want && !clear;
    assign resting = !running && !o1_valid && !o2_valid && !o3_valid;

    wire op_last = op_bin == LAST_BIN;
    always @(posedge clk) begin
        o1_valid <= running && !rst;
        o1_last  <= op_last;
        o1_bin   <= op_bin;
        o2_valid <= o1_valid && !rst;
        o2_last  <= o1_last;
        o2_bin   <= o1_bin;
        o3_valid <= o2_valid && !rst;
        o3_last  <= o2_last;
        o3_bin   <= o2_bin;
        still    <= !under_way && resting && !clear && !rst;
        if (running)
            turn <= 5'd15;
        else if (pop && !turn[4])
            turn <= turn - 1'b1;
        if (rst)
            turn <= 5'd31;
        if (rst) begin
            running <= 1'b0;
            op      <= BG_LEARN;
        end else if (start) begin
            running <= 1'b1;
            op      <= next_op;
            op_row  <= next_row;
        end else if (running) begin
            running <= !op_last;
        end
        op_bin  <= running ? op_bin + 1'b1 : {BIN_W{1'b0}};
        snap_start <= start && next_op == BG_REFRESH;
        snap_row   <= next_row;
        snap_gen   <= next_gen;
    end

endmodule
`default_nettype wire
