// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc: the priority of a page from its reference's row and its TESLA (docs/blocks/ppuc.md).
//
//   priority(r, tau) = max over l > tau of (C(l) - C(tau)) / (at_risk(tau) * (l - tau))
//
// A table [row][bin(tau)] of 16-bit minifloats, in two banks: lookups read the one that shows, one page a cycle, six
// cycles; ppuc_engine writes a row of the other one from a snapshot of the row's histogram, and INSTALL swaps them.
// Source: LEU 3.1, Eq. 1 and 2; Kaplan-Meier number at risk; docs/decisions.md.
`default_nettype none
module gmmu_ppuc #(
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter GEN_W   = 4,
    // 1: a priority in the table that turned bad is told, and its row dropped until its next INSTALL; a row whose counts turned
    // bad while the engine is at it is given up
    parameter PARITY  = 1,
    // bits that travel along with a lookup
    parameter TAG_W   = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              cfg_pseudo,
    // snapshot of a row
    input  wire              snap_start,
    input  wire [ROW_W-1:0]  snap_row,
    input  wire [GEN_W-1:0]  snap_gen,
    input  wire              snap_valid,
    input  wire              snap_last,
    input  wire [BIN_W-1:0]  snap_bin,
    input  wire [CNT_W-1:0]  snap_reuse, snap_censored, snap_greuse, snap_gcensored,
    input  wire              snap_bad,        // PARITY: those of the cycle before had turned bad: the row is given up
    output wire              idle,
    // INSTALL
    output wire              install_req,
    output wire [ROW_W-1:0]  install_row,
    output wire [GEN_W-1:0]  install_gen,
    input  wire              install,         // now
    input  wire              install_current, // the generation is still the row's
    // the row was given to another reference
    input  wire              forget,
    input  wire [ROW_W-1:0]  forget_row,
    // lookups
    input  wire              l0_valid,
    input  wire [ROW_W-1:0]  l0_row,
    input  wire              l0_current,      // the page's class is not stale: for tvi_serving alone
    input  wire [TIME_W-1:0] l0_tau,
    input  wire [TAG_W-1:0]  l0_tag,
    output wire [ROW_W-1:0]  tvi_serving,     // row that serves it, combinational
    input  wire              l1_current,      // l0_current, a cycle later
    output wire              l6_valid,
    output wire [15:0]       l6_priority,
    output wire [TAG_W-1:0]  l6_tag,
    output reg  [1:0]        turned,          // PARITY: over with each {row that was given up, priority} that turned bad
    // tvi: each priority as the engine writes it
    output wire              tvi_prio_valid,
    output wire [BIN_W-1:0]  tvi_prio_bin,
    output wire [15:0]       tvi_prio
);

    localparam CELL_W = 1 + ROW_W + BIN_W; // {bank, row, bin}

    // ---- of each row: it has priorities, and in which bank; as in the cycle before
    reg [CLASSES-1:0] was_ready, was_bank;

    // ---- lookup lane
    // At l1 it is found out what serves the row, by what was so at l0: the bin takes until l4.
    reg  [ROW_W-1:0]   l1_asks;

    reg  [5:1]        l_valid;
    reg  [5:3]        l_dead;
    reg               l2_current, l2_ready, l2_none; // its class is its row's, its row has priorities, row 0 has none
    wire              l2_own = l2_current && l2_ready;
    reg               l2_bank, l2_bank0;
    reg  [ROW_W-1:0]  l2_asks;
    reg               l6_valid_q, l6_dead;
    localparam KEPT_W = 16 + (PARITY != 0 ? 1 : 0);
    reg  [ROW_W-1:0]  l5_of, l6_of, l7_of; // the row
    reg               l7_bad;
    reg  [ROW_W:0]    l3_row, l4_row;        // {bank, row}
    reg  [TAG_W-1:0]  l1_tag, l2_tag, l3_tag, l4_tag, l5_tag, l6_tag_q;
    wire [BIN_W-1:0]  l4_bin;
    wire [KEPT_W-1:0] l5_word, kept;
    reg  [KEPT_W-1:0] l6_word;
    wire             spoilt;
    gmmu_log_bin #(
        .X_W(TIME_W),
        .BINS(BINS),
        .BIN_W(BIN_W)
    ) binner (
        .clk(clk),
        .x(l0_tau),
        .bin(l4_bin)
    );

    always @(posedge clk) begin
        l_valid <= rst ? 5'd0 : {l_valid[4:1], l0_valid};
        l1_asks <= l0_row;
        {l2_current, l2_ready, l2_none} <= {l1_current, was_ready[l1_asks], !was_ready[0]};
        {l2_bank, l2_bank0, l2_asks} <= {was_bank[l1_asks], was_bank[0], l1_asks};
        l_dead  <= {l_dead[4:3], !l2_own && l2_none};
        l3_row  <= l2_own ? {l2_bank, l2_asks} : {l2_bank0, {ROW_W{1'b0}}};
        l4_row  <= l3_row;
        l1_tag  <= l0_tag;
        l2_tag  <= l1_tag;
        l3_tag  <= l2_tag;
        l4_tag  <= l3_tag;
        l5_tag  <= l4_tag;
        l6_tag_q <= l5_tag;
        l6_word <= l5_word;
        l6_dead <= l_dead[5];
        l6_valid_q <= l_valid[5] && !rst;
        {l7_of, l6_of, l5_of} <= {l6_of, l5_of, l4_row[ROW_W-1:0]};
        l7_bad  <= PARITY != 0 && l6_valid_q && !l6_dead && ^l6_word && !rst;
        turned  <= rst ? 2'd0 : turned ^ {install && spoilt, l7_bad};
    end
    assign l6_valid    = l6_valid_q;
    assign l6_tag      = l6_tag_q;
    assign l6_priority = l6_dead ? 16'd0 : l6_word[15:0];

    // ---- the engine, and the table: it writes the bank that does not show
    wire [BIN_W-1:0] bin;
    wire             prio_valid;
    wire [15:0]      prio;
    gmmu_ppuc_engine #(
        .CLASSES(CLASSES),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .GEN_W(GEN_W),
        .PARITY(PARITY)
    ) engine (
        .clk(clk),
        .rst(rst),
        .cfg_pseudo(cfg_pseudo),
        .snap_start(snap_start),
        .snap_row(snap_row),
        .snap_gen(snap_gen),
        .snap_valid(snap_valid),
        .snap_last(snap_last),
        .snap_bin(snap_bin),
        .snap_counts({snap_gcensored, snap_greuse, snap_censored, snap_reuse}),
        .snap_bad(snap_bad),
        .idle(idle),
        .row(install_row),
        .gen(install_gen),
        .bin(bin),
        .prio_valid(prio_valid),
        .prio(prio),
        .done(install_req),
        .spoilt(spoilt),
        .install(install)
    );

    reg  [ROW_W:0]    wr_row;
    reg  [CELL_W-1:0] wr_cell;
    always @(posedge clk) begin
        wr_row  <= {!was_bank[install_row], install_row};
        wr_cell <= {wr_row, bin};
    end
    generate
        if (PARITY != 0) begin : g_parity
            assign kept = {^prio, prio};
        end else begin : g_bare
            assign kept = prio;
        end
    endgenerate
    gmmu_ram_rows #(
        .WIDTH(KEPT_W),
        .ROWS(2 << ROW_W),
        .BINS(BINS),
        .ADDR_W(CELL_W)
    ) table_ram (
        .clk(clk),
        .we(prio_valid),
        .waddr(wr_cell),
        .wdata(kept),
        .re(1'b1),
        .raddr({l4_row, l4_bin}),
        .rdata(l5_word)
    );

    assign tvi_prio_valid = prio_valid;
    assign tvi_prio_bin   = bin;
    assign tvi_prio       = prio;

    // ---- INSTALL, FORGET, and rows of which a priority turned bad: written a cycle later
    function [CLASSES-1:0] only(input [ROW_W-1:0] of, input yes);
        integer i;
        begin
            only = {CLASSES{1'b0}};
            for (i = 0; i < CLASSES; i = i + 1)
                only[i] = yes && of == i[ROW_W-1:0];
        end
    endfunction
    reg              was_installed, was_forgotten, was_bad;
    reg  [ROW_W-1:0] installed_row, forgotten_row, bad_row;
    wire [CLASSES-1:0] installed = only(installed_row, was_installed);
    wire [CLASSES-1:0] bank  = was_bank ^ installed;
    wire [CLASSES-1:0] ready = ((was_ready & ~only(bad_row, was_bad)) | installed) & ~only(forgotten_row, was_forgotten);
    assign tvi_serving = l0_current && ready[l0_row] ? l0_row : {ROW_W{1'b0}};
    always @(posedge clk) begin
        {was_installed, was_forgotten, was_bad} <= rst ? 3'd0 : {install && install_current && !spoilt, forget, l7_bad};
        {installed_row, forgotten_row, bad_row} <= {install_row, forget_row, l7_of};
        was_ready <= rst ? {CLASSES{1'b0}} : ready;
        was_bank  <= rst ? {CLASSES{1'b0}} : bank;
    end

endmodule
`default_nettype wire
