// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc_snapshot: a row's histogram beside that of row 0, and whether the row is cold (docs/reference/blocks/ppuc.md).
//
// A bin is written a cycle after its arrival, so that its parity is made of a register.
`default_nettype none
module gmmu_ppuc_snapshot #(
    parameter CNT_W = 11,
    parameter BIN_W = 7,
    // bits of a row's observations
    parameter N_W   = 19,
    // 1: a corrupt word is reported
    parameter PARITY = 1
) (
    input  wire               clk,
    input  wire               rst,
    // snapshot: all bins, one bin a cycle, with or without gaps
    input  wire               start,       // a snapshot begins
    input  wire               snap_valid,  // the counts of a bin are here
    input  wire               snap_last,   // the bin is the row's last
    input  wire [BIN_W-1:0]   snap_bin,    // number of the bin
    input  wire [4*CNT_W-1:0] snap_counts, // counts of the bin: {censored, reuse} of row 0, then of the row
    input  wire               snap_bad,    // PARITY: the counts of the cycle before are corrupt, and written as corrupt
    output wire               loaded,      // the last bin is counted: cold is valid two cycles later
    // cold rows
    input  wire               may_be_cold, // the row is treated as cold if it has few observations
    output reg                cold,        // the row has fewer than 8 observations, and row 0 has some
    output reg  [N_W-1:0]     n_global,    // number of observations of row 0
    // counts of a bin
    input  wire [BIN_W-1:0]   bin,         // bin that is read
    output wire [4*CNT_W-1:0] counts,      // counts of the bin of the cycle before
    input  wire               take,        // the counts are used in this cycle
    output reg                bad          // PARITY: the counts that were taken two cycles before are corrupt
);

    localparam KEPT_W = 4 * CNT_W + (PARITY != 0 ? 1 : 0); // bits of a word in the RAM, with even parity
    wire [KEPT_W-1:0]  kept;       // word that the RAM writes
    wire [KEPT_W-1:0]  word;       // word that the RAM reads
    reg                put;        // snap_valid, a cycle later
    reg  [BIN_W-1:0]   put_bin;    // snap_bin, a cycle later
    reg  [4*CNT_W-1:0] put_counts; // snap_counts, a cycle later
    generate
        if (PARITY != 0) begin : g_parity
            reg took;  // take, a cycle later
            wire odd;  // the word of the cycle before is corrupt
`ifdef GMMU_ASIC_RAM
            reg was_odd;
            always @(posedge clk)
                was_odd <= ^word; // (outputs of RAMs are early)
            assign odd = was_odd;
`else
            reg [KEPT_W-1:0] taken; // word, a cycle later
            always @(posedge clk)
                taken <= word;
            assign odd = ^taken;
`endif
            always @(posedge clk) begin
                took <= take && !rst;
                bad  <= took && odd && !rst;
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

    wire [CNT_W-1:0] reuse;     // number of reuses of the row in the bin
    wire [CNT_W-1:0] censored;  // number of censored records of the row in the bin
    wire [CNT_W-1:0] greuse;    // number of reuses of row 0 in the bin
    wire [CNT_W-1:0] gcensored; // number of censored records of row 0 in the bin
    assign {gcensored, greuse, censored, reuse} = snap_counts;
    reg           loading;    // bins are still to come
    reg           summing;    // the last bin is here, and not counted
    reg           few;        // the row has fewer than 8 observations
    reg           observed;   // row 0 has observations
    reg           add;        // late count: the bin of the cycle before is counted
    reg           add_last;   // the bin that is counted is the row's last
    reg [CNT_W:0] add_row;    // number of observations of the row in the bin that is counted
    reg [CNT_W:0] add_global; // number of observations of row 0 in the bin that is counted
    reg [N_W-1:0] n_row;      // number of observations of the row
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
