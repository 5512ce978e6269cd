// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_flush: a pass of FLUSH over all rows, for the rows of an address space (docs/reference/blocks/ref_rit.md).
//
// A FLUSH of a row goes down the directory's stages in a turn without an execution or a look. After 2^WAIT_W - 1 executions and
// looks in a row the FLUSH takes the turn of the next one.
`default_nettype none
module gmmu_ref_rit_flush #(
    parameter ASID_W = 8,
    parameter SETS   = 16,
    parameter WAYS   = 4,
    parameter WAIT_W = 6,
    parameter SET_W  = SETS > 1 ? $clog2(SETS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              clear,       // the reset sequence is under way: no pass begins
    input  wire [ASID_W:0]   order,       // {address space, go}: one pass for each rise of go
    // FLUSH of a row at w2
    input  wire              w2_valid,    // an execution or a look wants the turn
    output wire              w2_flush,    // a FLUSH takes the turn
    output reg  [ASID_W-1:0] w2_asid,     // address space of the pass
    output reg  [SET_W-1:0]  w2_set,      // set of the row
    output reg  [WAYS-1:0]   w2_way,      // way of the row, one bit a way
    input  wire              under_way,   // a FLUSH is at w3 to w9
    output wire              flushing,    // the pass is under way
    output reg               begun,       // bit that toggles with each pass that begins
    output reg  [31:0]       stat_flushes // number of passes that are done
);

    localparam LAST_SET  = SETS - 1;
    localparam LAST_WAIT = (1 << WAIT_W) - 2;
    reg               run;     // rows of the pass are still to come
    reg               overdue; // the FLUSH takes the next turn
    reg               taken;   // the order's pass has begun: go must fall before the next order
    reg               under;   // late count: flushing, a cycle later
    reg               was;     // flushing, two cycles later
    reg  [WAIT_W-1:0] refused; // number of executions and looks in a row that took the turn
    // the row is the last of the pass
    wire              last = w2_way[WAYS-1] && w2_set == LAST_SET[SET_W-1:0];
    assign w2_flush = run && (!w2_valid || overdue);
    assign flushing = run || under_way;
    // a pass begins
    wire take = order[0] && !taken && !flushing && !clear;
    always @(posedge clk)
        if (rst) begin
            run     <= 1'b0;
            overdue <= 1'b0;
            taken   <= 1'b0;
            under   <= 1'b0;
            was     <= 1'b0;
            refused <= 0;
            begun   <= 1'b0;
            stat_flushes <= 32'd0;
        end else begin
            begun   <= begun ^ take;
            taken   <= order[0] && (taken || take);
            under   <= flushing;
            was     <= under;
            stat_flushes <= stat_flushes + {31'd0, was && !under};
            run     <= take || (run && !(w2_flush && last));
            overdue <= run && !w2_flush && refused == LAST_WAIT[WAIT_W-1:0];
            refused <= !run || w2_flush ? {WAIT_W{1'b0}} : refused + 1'b1;
            if (take) begin
                w2_asid <= order[ASID_W:1];
                w2_set  <= 0;
                w2_way  <= {{WAYS-1{1'b0}}, 1'b1};
            end else if (w2_flush) begin
                w2_way <= w2_way << 1 | {{WAYS-1{1'b0}}, w2_way[WAYS-1]};
                w2_set <= w2_set + {{SET_W-1{1'b0}}, w2_way[WAYS-1]};
            end
        end

endmodule
`default_nettype wire
