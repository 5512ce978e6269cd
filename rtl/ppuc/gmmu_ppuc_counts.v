// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_counts: what a bin's counts are worth, and the sums over it and the bins above (docs/blocks/ppuc.md).
//
// A cold row's counts are multiplied by row 0's number of observations, bit by bit, and get 8 observations more,
// distributed as row 0. First the reuses, then the censored records.
`default_nettype none
module gmmu_ppuc_counts #(
    parameter CNT_W = 11,
    parameter N_W   = 19,
    parameter SUM_W = 23
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,    // of the sums, before the last bin
    input  wire               take,     // the next lower bin's counts, {censored, reuse} of row 0, then of the row
    input  wire [4*CNT_W-1:0] counts,
    input  wire               cold,
    input  wire [N_W-1:0]     n_global,
    output wire               done,     // in this cycle at_risk gets its last part
    input  wire               next,     // this bin is done with: beyond
    // effective counts:
    output reg  [SUM_W-1:0]   mass,     // reuses in the bin
    output reg                massless, // none
    output reg  [SUM_W-1:0]   beyond,   // reuses in bins above
    output reg  [SUM_W-1:0]   from,     // reuses in it and bins above
    output reg  [SUM_W-1:0]   at_risk   // reuses and censored records in it and bins above
);

    localparam REST = 3'd0, PARTS = 3'd1, MASS = 3'd2, TOTAL = 3'd3, RISK = 3'd4;
    reg  [2:0]       state;
    reg  [CNT_W-1:0] count, common, next_count, next_common; // reuses, then censored records
    reg              second;    // it is about the censored records
    reg  [1:0]       turn;      // of the three bits of a cold row's count
    reg  [SUM_W-1:0] effective, add_part;
    reg  [SUM_W-1:0] counted;   // effective of the cycle before
    wire [CNT_W:0]   low3 = {1'b0, count}; // a count has two bits or more
    wire             unused_low3 = &{1'b0, low3[CNT_W:2]};
    assign done = state == RISK;

    function [SUM_W-1:0] part(input [2:0] bits, input [N_W-1:0] n, input [1:0] at);
        part = bits[at] ? {{SUM_W-N_W{1'b0}}, n} << at : {SUM_W{1'b0}};
    endfunction

    always @(posedge clk) begin
        counted <= effective;
        case (state)
            PARTS: begin // a warm row's count, or 8 of row 0 and three parts
                turn      <= turn + 1'b1;
                add_part  <= part(low3[2:0], n_global, turn);
                effective <= turn != 0 ? effective + add_part :
                             cold ? {{SUM_W-CNT_W-3{1'b0}}, common, 3'd0} : {{SUM_W-CNT_W{1'b0}}, count};
                if (second && turn == 0)
                    at_risk <= at_risk + counted; // the reuses
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
            default: begin // REST: loaded in every cycle, as `take` is known late
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
        if (rst || clear) // what a row that was given up left
            state <= REST;
    end

endmodule
`default_nettype wire
