// SPDX-License-Identifier: Apache-2.0
// gmmu_ppuc: the priority of a page from its reference's row and its TESLA (docs/reference/blocks/ppuc.md).
//
//   priority(r, tau) = max over l > tau of (C(l) - C(tau)) / (at_risk(tau) * (l - tau))
//
// A table [row][bin(tau)] holds the priorities as 16-bit minifloats, in two banks for each row. Lookups read the visible bank, one
// page a cycle, in six cycles. ppuc_engine writes a row of the other bank from a snapshot of the row's histogram. INSTALL
// swaps the banks of the row.
// Source: LEU 3.1, Eq. 1 and 2; Kaplan-Meier number at risk; docs/papers/leu.md.
`default_nettype none
module gmmu_ppuc #(
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter GEN_W   = 4,
    // 1: a corrupt priority in the table is reported, and its row has no priorities until its next INSTALL; a row whose counts
    // are corrupt while the engine is at the row is given up
    parameter PARITY  = 1,
    // bits that travel along with a lookup
    parameter TAG_W   = 1,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              cfg_pseudo,      // register pseudo: cold rows get pseudo-counts; taken with snap_start
    // REFRESH: a snapshot of a row, all bins, ascending
    input  wire              snap_start,      // a REFRESH begins; only while idle
    input  wire [ROW_W-1:0]  snap_row,        // with snap_start: the row
    input  wire [GEN_W-1:0]  snap_gen,        // with snap_start: generation of the row
    input  wire              snap_valid,      // the counts of a bin are here
    input  wire              snap_last,       // the bin is the row's last
    input  wire [BIN_W-1:0]  snap_bin,        // number of the bin
    input  wire [CNT_W-1:0]  snap_reuse,      // number of reuses of the row in the bin
    input  wire [CNT_W-1:0]  snap_censored,   // number of censored records of the row in the bin
    input  wire [CNT_W-1:0]  snap_greuse,     // number of reuses of row 0 in the bin
    input  wire [CNT_W-1:0]  snap_gcensored,  // number of censored records of row 0 in the bin
    input  wire              snap_bad,        // PARITY: the counts of the cycle before are corrupt: the row is given up
    output wire              idle,            // no REFRESH is under way
    // INSTALL
    output wire              install_req,     // an INSTALL is wanted, until `install`
    output wire [ROW_W-1:0]  install_row,     // row of the wanted INSTALL
    output wire [GEN_W-1:0]  install_gen,     // generation of install_row at its REFRESH
    input  wire              install,         // INSTALL takes effect
    input  wire              install_current, // install_gen is still the generation of install_row
    // a row that changes its owner has no priorities
    input  wire              forget,          // the row forget_row goes to another reference, or to none
    input  wire [ROW_W-1:0]  forget_row,      // row that changes its owner; an INSTALL of the same cycle goes first
    // lookups
    input  wire              l0_valid,        // a page is looked up
    input  wire [ROW_W-1:0]  l0_row,          // row of the page's class
    input  wire              l0_current,      // the page's class is not stale; for tvi_serving alone
    input  wire [TIME_W-1:0] l0_tau,          // TESLA of the page, in walks
    input  wire [TAG_W-1:0]  l0_tag,          // bits that travel along with the lookup
    output wire [ROW_W-1:0]  tvi_serving,     // tvi: row that serves the page at l0, combinational
    input  wire              l1_current,      // l0_current, a cycle later
    output wire              l6_valid,        // the priority of the page looked up six cycles before is here
    output wire [15:0]       l6_priority,     // priority of the page at l6, minifloat; 0 while row 0 would serve, and is not ready
    output wire [TAG_W-1:0]  l6_tag,          // l0_tag of the page at l6
    input  wire              l6_counts,       // the priority at l6 is used; a frame that never held a page may look up any word
    // PARITY: bits of turned: {row that was given up, priority}
    output reg  [1:0]        turned,          // each bit toggles with each use of a corrupt word
    // tvi: each priority as the engine writes the priority
    output wire              tvi_prio_valid,  // a bin's priority is written
    output wire [BIN_W-1:0]  tvi_prio_bin,    // number of the bin
    output wire [15:0]       tvi_prio         // priority of the bin, minifloat
);

    localparam CELL_W = 1 + ROW_W + BIN_W; // {bank, row, bin}

    // ---- state of the rows. A frame that never held a page may name a row beyond CLASSES: such a row has no priorities.
    localparam ROWS = 1 << ROW_W;
    reg [ROWS-1:0] was_ready; // the rows that have priorities, as in the cycle before
    reg [ROWS-1:0] was_bank;  // the visible bank of each row, as in the cycle before

    // ---- lookup lane
    // The row that serves the page is known at l2, by the state of l0. The bin is known at l4.
    reg [ROW_W-1:0] l1_asks; // row of the page at l1

    reg  [5:1]       l_valid;    // bit k: a page is at lk
    reg  [5:3]       l_dead;     // bit k: no row serves the page at lk
    reg              l2_current; // the class of the page at l2 is not stale
    reg              l2_ready;   // the row of the page at l2 has priorities
    reg              l2_none;    // row 0 has no priorities
    wire             l2_own = l2_current && l2_ready; // the page's own row serves; else row 0
    reg              l2_bank;    // visible bank of the row of the page at l2
    reg              l2_bank0;   // visible bank of row 0
    reg  [ROW_W-1:0] l2_asks;    // row of the page at l2
    reg              l6_valid_q; // a page is at l6
    reg              l6_dead;    // no row serves the page at l6
    localparam KEPT_W = 16 + (PARITY != 0 ? 1 : 0);
    reg  [ROW_W-1:0]  l5_of;    // row that serves the page at l5, and so on
    reg  [ROW_W-1:0]  l6_of;
    reg  [ROW_W-1:0]  l7_of;
    reg               l7_bad;   // late count: the priority that was at l6 is corrupt
    reg  [ROW_W:0]    l3_row;   // {bank, row} that serves the page at l3
    reg  [ROW_W:0]    l4_row;   // {bank, row} that serves the page at l4
    reg  [TAG_W-1:0]  l1_tag;   // tag of the page at l1, and so on
    reg  [TAG_W-1:0]  l2_tag;
    reg  [TAG_W-1:0]  l3_tag;
    reg  [TAG_W-1:0]  l4_tag;
    reg  [TAG_W-1:0]  l5_tag;
    reg  [TAG_W-1:0]  l6_tag_q;
    wire [BIN_W-1:0]  l4_bin;   // bin of the TESLA of the page at l4
    wire [KEPT_W-1:0] l5_word;  // word that the table reads
    wire [KEPT_W-1:0] kept;     // word that the table writes
    reg  [KEPT_W-1:0] l6_word;  // l5_word, a cycle later
    wire              spoilt;   // the row of the wanted INSTALL was given up
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
        l7_bad  <= PARITY != 0 && l6_valid_q && l6_counts && !l6_dead && ^l6_word && !rst;
        turned  <= rst ? 2'd0 : turned ^ {install && spoilt, l7_bad};
    end
    assign l6_valid    = l6_valid_q;
    assign l6_tag      = l6_tag_q;
    assign l6_priority = l6_dead ? 16'd0 : l6_word[15:0];

    // ---- the engine, and the table: the engine writes the bank that is not visible
    wire [BIN_W-1:0] bin;        // bin that the engine is at
    wire             prio_valid; // the priority of the bin is written
    wire [15:0]      prio;       // priority of the bin
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

    reg [ROW_W:0]    wr_row;  // {bank, row} that the engine writes
    reg [CELL_W-1:0] wr_cell; // {bank, row, bin} that the engine writes
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

    // ---- late count: INSTALL, FORGET, and rows with a corrupt priority change the state of the rows a cycle later
    function [ROWS-1:0] only(input [ROW_W-1:0] of, input yes);
        integer i;
        begin
            only = {ROWS{1'b0}};
            for (i = 0; i < CLASSES; i = i + 1)
                only[i] = yes && of == i[ROW_W-1:0];
        end
    endfunction
    reg                was_installed; // an INSTALL made a row visible in the cycle before
    reg                was_forgotten; // a row changed its owner in the cycle before
    reg                was_bad;       // a corrupt priority came out two cycles before
    reg  [ROW_W-1:0]   installed_row; // row of that INSTALL
    reg  [ROW_W-1:0]   forgotten_row; // row that changed its owner
    reg  [ROW_W-1:0]   bad_row;       // row of the corrupt priority
    // the row that became visible; visible bank of each row; the rows that have priorities
    wire [ROWS-1:0] installed = only(installed_row, was_installed);
    wire [ROWS-1:0] bank  = was_bank ^ installed;
    wire [ROWS-1:0] ready = ((was_ready & ~only(bad_row, was_bad)) | installed) & ~only(forgotten_row, was_forgotten);
    assign tvi_serving = l0_current && ready[l0_row] ? l0_row : {ROW_W{1'b0}};
    always @(posedge clk) begin
        {was_installed, was_forgotten, was_bad} <= rst ? 3'd0 : {install && install_current && !spoilt, forget, l7_bad};
        {installed_row, forgotten_row, bad_row} <= {install_row, forget_row, l7_of};
        was_ready <= rst ? {ROWS{1'b0}} : ready;
        was_bank  <= rst ? {ROWS{1'b0}} : bank;
    end

endmodule
`default_nettype wire
