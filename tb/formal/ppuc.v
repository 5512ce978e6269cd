// SPDX-License-Identifier: Apache-2.0
// Proofs about ppuc: the lookups, and the order of the engine's steps, whatever the engine computes.
//
// One cell of the table, any cell, is followed. Of each RAM one word is kept, and the other words return anything (tb/formal/ram_one.v).
// The results of the engine's arithmetic are left open: counts, products and quotients are anything, products within their time. That
// time is proved in ppuc_product.v; that a division ends is proved in ppuc_divide.v.
//: pdr 60 s
//: bmc3 200 frames 60 s
//: deep
//: ram ram_one
//: free ppuc_counts ppuc_product ppuc_divide
`default_nettype none
module formal_ppuc #(
    parameter TIME_W  = 5,
    parameter CLASSES = 2,
    parameter BINS    = 16,
    parameter CNT_W   = 3,
    parameter GEN_W   = 1,
    parameter TAG_W   = 2,
    parameter ROW_W   = 1,
    parameter BIN_W   = 4
) (
    input wire              clk,
    input wire              reset, cfg_pseudo, snap_go, snap_gap, install_go, install_current, forget, l0_go, l0_current,
    input wire [ROW_W-1:0]  snap_row, forget_row, l0_row,
    input wire [GEN_W-1:0]  snap_gen,
    input wire [CNT_W-1:0]  snap_reuse, snap_censored, snap_greuse, snap_gcensored,
    input wire [TIME_W-1:0] l0_tau,
    input wire [TAG_W-1:0]  l0_tag
);

    localparam IDLE = 5'd0, LOAD = 5'd1, COUNT = 5'd4, TAU_MUL = 5'd7, OWN_MUL = 5'd9, RISK_MUL = 5'd12, DIVIDE = 5'd13,
               EDGE_MUL = 5'd17, PUSH = 5'd18, DONE = 5'd20, POP2 = 5'd22;
    localparam X_W = (BINS - 9) / 4 + 4;

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // ---- the protocol: snapshots of all bins in turn, with or without gaps; INSTALL when asked for, no lookup with it
    reg              loading;
    reg  [BIN_W-1:0] at;
    wire             idle, install_req;
    (* hierconn *) wire [4:0] \dut.engine.state ;
    wire [4:0]       state = \dut.engine.state ;
    wire             snap_start = snap_go && state == IDLE && !rst;
    wire             snap_valid = loading && !snap_gap && !rst;
    wire             snap_last  = snap_valid && at == BINS - 1;
    wire             install    = install_go && install_req && !rst;
    wire             l0_valid   = l0_go && !install && !rst;
    always @(posedge clk) begin
        loading <= (loading || snap_start) && !snap_last && !rst;
        at      <= snap_start ? {BIN_W{1'b0}} : at + {{BIN_W-1{1'b0}}, snap_valid};
    end

    reg              l1_current;
    always @(posedge clk)
        l1_current <= l0_current;
    wire [ROW_W-1:0] install_row, tvi_serving;
    wire [GEN_W-1:0] install_gen;
    wire             l6_valid, prio_valid;
    wire [15:0]      l6_priority, prio;
    wire [TAG_W-1:0] l6_tag;
    wire [BIN_W-1:0] prio_bin;
    gmmu_ppuc #(
        .TIME_W(TIME_W), .CLASSES(CLASSES), .BINS(BINS), .CNT_W(CNT_W), .GEN_W(GEN_W), .TAG_W(TAG_W),
        .PARITY(0) // words that were never written are anything here
    ) dut (
        .clk(clk), .rst(rst), .cfg_pseudo(cfg_pseudo),
        .snap_start(snap_start), .snap_row(snap_row), .snap_gen(snap_gen), .snap_valid(snap_valid), .snap_last(snap_last),
        .snap_bin(at), .snap_reuse(snap_reuse), .snap_censored(snap_censored), .snap_greuse(snap_greuse),
        .snap_gcensored(snap_gcensored), .snap_bad(1'b0), .idle(idle),
        .install_req(install_req), .install_row(install_row), .install_gen(install_gen), .install(install),
        .install_current(install_current), .forget(forget), .forget_row(forget_row),
        .l0_valid(l0_valid), .l0_row(l0_row), .l0_current(l0_current), .l0_tau(l0_tau), .l0_tag(l0_tag),
        .tvi_serving(tvi_serving), .l1_current(l1_current), .l6_valid(l6_valid), .l6_priority(l6_priority), .l6_tag(l6_tag),
        .l6_counts(1'b1),
        .tvi_prio_valid(prio_valid), .tvi_prio_bin(prio_bin), .tvi_prio(prio)
    );
    // ---- the lookup lane: row `here_row`, bin `here_bin`
    (* anyconst *) wire [ROW_W-1:0] here_row;
    (* anyconst *) wire [BIN_W-1:0] here_bin;
    (* anyconst *) wire [3:0]       here_bit;   // of the 16
    // a cell of each bank: {bank, row, bin}
    (* anyconst *) wire             here_bank;
    (* hierconn *) wire [31:0] \dut.table_ram.g_one.g_main[0].ram.track ;
    (* hierconn *) wire [31:0] \dut.engine.snapshot.ram.track ;
    (* hierconn *) wire [31:0] \dut.engine.hull.ram.track ;
    assign \dut.table_ram.g_one.g_main[0].ram.track  = {26'd0, here_bank, here_row, here_bin};
    assign \dut.engine.snapshot.ram.track   = {28'd0, here_bin};
    assign \dut.engine.hull.ram.track       = {28'd0, here_bin};
    (* hierconn *) wire [CLASSES-1:0] \dut.bank ;
    wire             bank_now = \dut.bank >> here_row;
    reg              shown;              // the row has priorities, since INSTALL and not forgotten
    reg              fresh, now_bit;     // the engine wrote the bin of its row; what it wrote
    reg              new_here, old_bit;  // visible
    wire [BIN_W-1:0] l0_bin;
    // the bins, written a second time: exact below 8, then four an octave
    assign l0_bin = l0_tau < 8 ? l0_tau[3:0] : l0_tau < 10 ? 4'd8 : l0_tau < 12 ? 4'd9 : l0_tau < 14 ? 4'd10 :
                    l0_tau < 16 ? 4'd11 : l0_tau < 20 ? 4'd12 : l0_tau < 24 ? 4'd13 : l0_tau < 28 ? 4'd14 : 4'd15;
    reg  [ROW_W-1:0] engine_row;
    reg              zero_shown;         // row 0 likewise
    wire [ROW_W-1:0] served = l0_current && (l0_row == here_row ? shown : l0_row == 0 ? zero_shown : l0_row_shown)
                              ? l0_row : {ROW_W{1'b0}};
    reg  [CLASSES-1:0] shows;            // all rows; `shown` is its bit here_row
    wire             l0_row_shown = shows >> l0_row;
    always @* begin
        zero_shown = shows[0];
        shown      = shows >> here_row;
    end
    always @(posedge clk) begin
        if (snap_start)
            engine_row <= snap_row;
        if (prio_valid && engine_row == here_row && prio_bin == here_bin)
            now_bit <= prio >> here_bit;
        if (install && install_current) begin
            shows[engine_row] <= 1'b1;
            if (engine_row == here_row)
                old_bit <= now_bit;
        end
        if (forget)
            shows[forget_row] <= 1'b0;
        if (rst)
            shows <= 0;
    end
    // what a lookup must return, six cycles later
    reg  [6:1] g_valid, g_here, g_dead, g_bit;
    reg  [6*TAG_W-1:0] g_tag;
    always @(posedge clk) begin
        g_valid <= rst ? 6'd0 : {g_valid[5:1], l0_valid};
        g_here  <= {g_here[5:1], served == here_row && l0_bin == here_bin && bank_now == here_bank};
        g_dead  <= {g_dead[5:1], !(shows >> served)};
        g_bit   <= {g_bit[5:1], old_bit};
        g_tag   <= {g_tag[5*TAG_W-1:0], l0_tag};
    end
    // INSTALL needs every bin of the row to be written since its header
    reg  [BIN_W:0] written;
    always @(posedge clk)
        written <= rst || snap_start ? 0 : written + {{BIN_W{1'b0}}, prio_valid};

    // ---- the engine's steps
    (* hierconn *) wire [BIN_W:0] \dut.engine.hull.points ;
    (* hierconn *) wire [BIN_W-1:0] \dut.engine.bin ;
    (* hierconn *) wire \dut.engine.mul.load , \dut.engine.mul.done , \dut.engine.snapshot.summing ;
    reg            was_rst;
    wire product = state == TAU_MUL || state == OWN_MUL || state == RISK_MUL || state == EDGE_MUL;
    reg  [4:0]     was_state;
    reg  [5:0]     stayed;
    wire [5:0]     held = state != was_state ? 6'd0 : stayed == 63 ? stayed : stayed + 1'b1; // cycles before this one
    reg  [BIN_W:0] pushes, pops;
    reg  [1:0]     summed;  // cycles of adding up before this one
    always @(posedge clk) begin
        was_state <= state;
        was_rst   <= rst;
        stayed    <= held;
        summed    <= !\dut.engine.snapshot.summing || rst ? 0 : summed == 3 ? 3 : summed + 1'b1;
        pushes    <= rst || snap_start ? 0 : pushes + {{BIN_W{1'b0}}, state == PUSH};
        pops      <= rst || snap_start ? 0 : pops + {{BIN_W{1'b0}}, state == POP2};
    end
    wire working = state != IDLE && state != LOAD && state != DONE;
    wire [BIN_W:0] bins_done = BINS - 1 - \dut.engine.bin ;

    always @* if (!rst) begin
        // Every lookup is answered exactly once, six cycles later, in order, with its tag.
        answered_once: assert (l6_valid == g_valid[6]);
        tag_returns: assert (!l6_valid || l6_tag == g_tag[6*TAG_W-1 -: TAG_W]);
        // The row that serves is the page's own if it is current and its priorities stand, else row 0.
        serving_row: assert (!l0_valid || tvi_serving == served);
        // The answer is the priority that the engine wrote for this row and bin before the INSTALL that was the last
        // one at the lookup; nothing that it writes later shows.
        table_entry: assert (!(g_valid[6] && g_here[6] && !g_dead[6]) || ((l6_priority >> here_bit) & 1) == g_bit[6]);
        // Rows without priorities: 0.
        dead_is_zero: assert (!(g_valid[6] && g_dead[6]) || l6_priority == 0);
        // Each row gets one priority a bin, from the last to the first, before it asks for INSTALL.
        bins_in_turn: assert (!prio_valid || (prio_bin == BINS - 1 - written && written < BINS));
        all_bins: assert (!install_req || (written == BINS && install_row == engine_row));
        // The stack holds what was pushed and not popped; one push a bin at most, so at most one pop a bin.
        stack_counts: assert (!working || (\dut.engine.hull.points == pushes - pops && pops <= pushes && pushes <= bins_done + 1'b1));
        // What is loaded to be waited for is loaded in the first cycle of the wait, and no product before it ends it (one that
        // nobody waits for may still be added up: after a worthless bin); a product takes X_W + 4 cycles.
        load_first: assert (!(\dut.engine.mul.load && product) || was_rst || (held == 0 && !\dut.engine.mul.done ));
        product_ends: assert (!product || held < X_W + 4);
        // Other steps take one cycle, but for counts and division; adding up takes two.
        others_end: assert (!working || product || state == COUNT || state == DIVIDE || held == 0);
        adding_ends: assert (!\dut.engine.snapshot.summing || was_rst || summed <= 1);
    end

endmodule
`default_nettype wire
