// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_counts: the effective counts of a bin, and the sums over the bin and the bins above (docs/reference/blocks/ppuc.md).
//
// A warm row's effective counts are its counts. A cold row's counts are multiplied by row 0's number of observations, bit by
// bit, and get 8 observations more, distributed as row 0. The reuses are first, then the censored records.
//
//   REST ─ take ─► PARTS (reuses) ─► MASS ─► PARTS (censored) ─► TOTAL ─► RISK ─► REST
`default_nettype none
module gmmu_ppuc_counts #(
    parameter CNT_W = 11,
    parameter N_W   = 19,
    parameter SUM_W = 23
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,    // the sums are cleared, before the last bin
    input  wire               take,     // the counts of the next lower bin are here
    input  wire [4*CNT_W-1:0] counts,   // counts of the bin: {censored, reuse} of row 0, then of the row
    input  wire               cold,     // the row is cold
    input  wire [N_W-1:0]     n_global, // number of observations of row 0
    output wire               done,     // at_risk gets its last part in this cycle
    input  wire               next,     // the bin is done: its reuses are beyond from now on
    // sums of effective counts
    output reg  [SUM_W-1:0]   mass,     // number of reuses in the bin
    output reg                massless, // the bin has no reuses
    output reg  [SUM_W-1:0]   beyond,   // number of reuses in the bins above
    output reg  [SUM_W-1:0]   from,     // number of reuses in the bin and the bins above
    output reg  [SUM_W-1:0]   at_risk   // number of reuses and censored records in the bin and the bins above
);

    localparam REST = 3'd0, PARTS = 3'd1, MASS = 3'd2, TOTAL = 3'd3, RISK = 3'd4;
    reg  [2:0]       state;
    reg  [CNT_W-1:0] count;       // count of the row: reuses, then censored records
    reg  [CNT_W-1:0] common;      // count of row 0: reuses, then censored records
    reg  [CNT_W-1:0] next_count;  // number of censored records of the row
    reg  [CNT_W-1:0] next_common; // number of censored records of row 0
    reg              second;      // the censored records are counted, and not the reuses
    reg  [1:0]       turn;        // number of the parts that were taken: one for each of the three bits of a cold row's count
    reg  [SUM_W-1:0] effective;   // effective count, as far as its parts are added
    reg  [SUM_W-1:0] add_part;    // the part that is added next
    reg  [SUM_W-1:0] counted;     // effective, a cycle later
    wire [CNT_W:0]   low3 = {1'b0, count}; // a count has two bits or more
    wire             unused_low3 = &{1'b0, low3[CNT_W:2]};
    assign done = state == RISK;

    function [SUM_W-1:0] part(input [2:0] bits, input [N_W-1:0] n, input [1:0] at);
        part = bits[at] ? {{SUM_W-N_W{1'b0}}, n} << at : {SUM_W{1'b0}};
    endfunction

    always @(posedge clk) begin
        counted <= effective;
        case (state)
            PARTS: begin // the effective count: a warm row's count, or 8 times row 0's count and three parts
                turn      <= turn + 1'b1;
                add_part  <= part(low3[2:0], n_global, turn);
                effective <= turn != 0 ? effective + add_part :
                             cold ? {{SUM_W-CNT_W-3{1'b0}}, common, 3'd0} : {{SUM_W-CNT_W{1'b0}}, count};
                if (second && turn == 0)
                    at_risk <= at_risk + counted; // the reuses are at risk
                if (!cold || turn == 2'd3)
                    state <= second ? TOTAL : MASS;
            end
            MASS: begin
                mass   <= effective;
                count  <= next_count;
                common <= next_common;
                second <= 1'b1;
                turn   <= 2'd0;
                state  <= PARTS;
            end
            TOTAL: begin
                from     <= beyond + mass;
                massless <= mass == 0;
                state    <= RISK;
            end
            RISK: begin
                at_risk <= at_risk + counted; // the censored records are at risk too
                state   <= REST;
            end
            default: begin // REST; late select: take arrives last, so the counts are loaded in every cycle
                {next_common, common, next_count, count} <= counts;
                second <= 1'b0;
                turn   <= 2'd0;
                if (take)
                    state <= PARTS;
            end
        endcase
        if (next)
            beyond <= from;
        if (clear) begin
            beyond  <= 0;
            at_risk <= 0;
        end
        if (rst || clear) // clear: a row that was given up may have left another state
            state <= REST;
    end

endmodule
`default_nettype wire
