// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_snapshot: a row's histogram beside that of row 0, and whether the row is cold (docs/blocks/ppuc.md).
//
// A bin is written a cycle after it came, so that its parity is made of a register.
`default_nettype none
module gmmu_ppuc_snapshot #(
    parameter CNT_W = 11,
    parameter BIN_W = 7,
    // bits of a row's observations
    parameter N_W   = 19,
    // 1: a word that turned bad is told
    parameter PARITY = 1
) (
    input  wire               clk,
    input  wire               rst,
    // one bin a cycle, with or without gaps
    input  wire               start,
    input  wire               snap_valid,
    input  wire               snap_last,
    input  wire [BIN_W-1:0]   snap_bin,
    input  wire [4*CNT_W-1:0] snap_counts, // {censored, reuse} of row 0, then of the row
    input  wire               snap_bad,    // PARITY: those of the cycle before had turned bad: so they are kept
    output wire               loaded,      // the last cycle
    // from the second cycle after it on
    input  wire               may_be_cold,
    output reg                cold,        // few observations of its own, and some of row 0
    output reg  [N_W-1:0]     n_global,    // observations of row 0
    // one cycle later the counts of
    input  wire [BIN_W-1:0]   bin,
    output wire [4*CNT_W-1:0] counts,
    input  wire               take,        // they are used now
    output reg                bad          // PARITY: two cycles later: they had turned bad
);

    localparam KEPT_W = 4 * CNT_W + (PARITY != 0 ? 1 : 0); // in the RAM: all of it together are even
    wire [KEPT_W-1:0]  kept, word;
    reg                put;
    reg  [BIN_W-1:0]   put_bin;
    reg  [4*CNT_W-1:0] put_counts;
    generate
        if (PARITY != 0) begin : g_parity
            reg [KEPT_W-1:0] taken;
            reg              took;
            always @(posedge clk) begin
                taken <= word;
                took  <= take && !rst;
                bad   <= took && ^taken && !rst;
            end
            assign kept = {^put_counts ^ snap_bad, put_counts};
        end else begin : g_bare
            always @(posedge clk)
                bad <= 1'b0;
            assign kept = put_counts;
            wire unused_take = &{1'b0, take, snap_bad};
        end
    endgenerate
    gmmu_ram_sdp #(
        .WIDTH(KEPT_W),
        .DEPTH(1 << BIN_W)
    ) ram (
        .clk(clk),
        .we(put),
        .waddr(put_bin),
        .wdata(kept),
        .re(1'b1),
        .raddr(bin),
        .rdata(word)
    );
    assign counts = word[4*CNT_W-1:0];

    wire [CNT_W-1:0] reuse, censored, greuse, gcensored;
    assign {gcensored, greuse, censored, reuse} = snap_counts;
    reg            loading, summing;
    reg            few, observed;
    reg            add, add_last;       // the bin before is added
    reg  [CNT_W:0] add_row, add_global; // its observations, of the row and of row 0
    reg  [N_W-1:0] n_row;
    assign loaded = summing && !add_last;

    always @(posedge clk) begin
        put        <= snap_valid;
        put_bin    <= snap_bin;
        put_counts <= snap_counts;
        loading    <= !rst && (start || (loading && !(snap_valid && snap_last)));
        summing    <= !rst && ((loading && snap_valid && snap_last) || (summing && add_last));
        add        <= loading && snap_valid;
        add_last   <= loading && snap_valid && snap_last;
        add_row    <= {1'b0, reuse} + {1'b0, censored};
        add_global <= {1'b0, greuse} + {1'b0, gcensored};
        if (add) begin
            n_row    <= n_row + {{N_W-CNT_W-1{1'b0}}, add_row};
            n_global <= n_global + {{N_W-CNT_W-1{1'b0}}, add_global};
        end
        if (start) begin
            n_row    <= 0;
            n_global <= 0;
        end
        few      <= n_row[N_W-1:3] == 0;
        observed <= n_global != 0;
        cold     <= may_be_cold && few && observed;
    end

endmodule
`default_nettype wire
