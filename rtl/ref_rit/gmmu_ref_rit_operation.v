// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_operation: CLEAR, HALVE and REFRESH walk through a row, one bin a cycle, while records wait (docs/reference/blocks/ref_rit.md).
//
// An operation begins when the records under way are counted. Behind an operation up to 16 waiting records go first: neither
// side starves the other.
//
//   start ─► running: op_bin ─► o1: address ─► o2 ─► o3: counts are here
`default_nettype none
module gmmu_ref_rit_operation #(
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter GEN_W   = 4,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             clear,      // the reset sequence is under way: no operation begins
    // the operation that is next
    input  wire             next_valid, // a row operation may begin
    input  wire             next_stale, // the next REFRESH is void: its row changed its owner meanwhile
    input  wire [1:0]       next_op,    // the row operation that is next, BG_*
    input  wire [ROW_W-1:0] next_row,   // row of the operation that is next
    input  wire [GEN_W-1:0] next_gen,   // generation of the row next_row
    output wire             start,      // the next operation begins
    // records
    input  wire             waiting,    // a record waits in a queue
    input  wire             pop,        // a record is taken
    input  wire             popped,     // a cycle after a record is taken
    input  wire             under_way,  // a record is on its way to the counts
    output wire             open,       // a record may be taken
    // bins of the operation that is under way
    output reg              running,    // the operation is at the bin op_bin
    output reg  [1:0]       op,         // the operation, BG_*
    output reg  [ROW_W-1:0] op_row,     // row of the operation
    output reg  [BIN_W-1:0] op_bin,     // bin of the operation
    output reg              o2_valid,   // two cycles after the operation is at a bin
    output reg              o3_valid,   // three cycles after the operation is at a bin: the counts of the bin are here
    output reg              o3_last,    // the bin of three cycles before is the row's last
    output reg  [BIN_W-1:0] o3_bin,     // number of the bin of three cycles before
    output wire             resting,    // no bin is given out or under way
    // header of a snapshot, before its first bin
    output reg              snap_start, // a REFRESH began in the cycle before
    output reg  [ROW_W-1:0] snap_row,   // with snap_start: row of the REFRESH
    output reg  [GEN_W-1:0] snap_gen    // with snap_start: generation of the row
);

`include "gmmu_codes.vh"
    localparam [BIN_W-1:0] LAST_BIN = BINS[BIN_W-1:0] - 1'b1;
    reg              o1_valid; // a cycle after the operation is at a bin
    reg              o1_last;  // the bin of the cycle before is the row's last
    reg              o2_last;  // the bin of two cycles before is the row's last
    reg  [BIN_W-1:0] o1_bin;   // bin of the cycle before
    reg  [BIN_W-1:0] o2_bin;   // bin of two cycles before
    reg              still;    // late count: no record and no bin was under way in the cycle before
    reg  [4:0]       turn;     // number of records that may still go before the next operation, less one
    // an operation is to begin: no more records are taken
    wire             want = next_valid && (turn[4] || !waiting);
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
