// SPDX-License-Identifier: Apache-2.0
// Proofs about ring_regs, as the registers of a channel that may drop packets, of an out channel with a window, and of an in channel. One
// entry, any one, is followed: who holds the entry, software or the unit. Pointers have all their 16 bits, so the assertions are inductive.
//: inductive
//: pdr 120 s
//: find 1407 1408 1411 1412
`default_nettype none
module formal_ring_regs #(
    parameter BITS   = 33,
    parameter ADDR_W = 33
) (
    input wire            clk,
    input wire            reset, reset_some, clear,
    input wire            sel, write,
    input wire [5:0]      at,
    input wire [31:0]     data,
    input wire [3:0]      strb,
    input wire [2:0]      moves, fails, drops, busy, shown, shown_last,
    input wire [BITS-1:0] beat
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    channel #(.IN(0), .DROPS(0), .BITS(BITS), .ADDR_W(ADDR_W)) window (
        .clk(clk), .first(first), .rst(rst), .some(reset_some), .clear(clear), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .wants_move(moves[0]), .wants_fail(fails[0]), .drops(drops[0]), .works(busy[0]), .shown(shown[0]), .shown_last(shown_last[0]), .beat(beat)
    );
    channel #(.IN(0), .DROPS(1), .BITS(BITS), .ADDR_W(ADDR_W)) packets (
        .clk(clk), .first(first), .rst(rst), .some(reset_some), .clear(clear), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .wants_move(moves[1]), .wants_fail(fails[1]), .drops(drops[1]), .works(busy[1]), .shown(shown[1]), .shown_last(shown_last[1]), .beat(beat)
    );
    channel #(.IN(1), .DROPS(0), .BITS(BITS), .ADDR_W(ADDR_W)) operations (
        .clk(clk), .first(first), .rst(rst), .some(reset_some), .clear(clear), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .wants_move(moves[2]), .wants_fail(fails[2]), .drops(drops[2]), .works(busy[2]), .shown(shown[2]), .shown_last(shown_last[2]), .beat(beat)
    );

endmodule

module channel #(
    parameter IN     = 0,
    parameter DROPS  = 0,
    parameter BITS   = 33,
    parameter ADDR_W = 33
) (
    input wire            clk,
    input wire            first, rst, some, clear, sel, write,
    input wire [5:0]      at,
    input wire [31:0]     data,
    input wire [3:0]      strb,
    input wire            wants_move, wants_fail, drops, works, shown, shown_last,
    input wire [BITS-1:0] beat
);

    wire [31:0] read;
    wire        bad, puts, goes, fills, irq, enabled, mode, error, resets;
    wire [15:0] to, head, tail, size;
    wire [ADDR_W-1:0] base;
    // The channel works only while it is enabled, or until an operation in progress ends. It moves its pointer while it works, from an entry
    // that it holds.
    (* hierconn *) wire [1:0] \dut.op ;
    (* hierconn *) wire [15:0] \dut.g_status.fill ; // not of an in channel
    wire [1:0]  op   = \dut.op ;
    wire [16:0] fill = {1'b0, tail} - {1'b0, head} + (tail < head ? {1'b0, size} : 17'd0);
    wire        busy = works && (enabled || op != 0);
    wire        moves = wants_move && busy && !mode && (IN != 0 ? fill != 0 : fill + 17'd1 < {1'b0, size});
    wire        fails = wants_fail && busy && !mode && !moves;
    wire        all_rst = rst || (clear && some); // the registers are reset together with the unit
    gmmu_ring_regs #(.IN(IN), .PACKETS(DROPS), .DROPS(DROPS), .BITS(BITS), .K(4), .ADDR_W(ADDR_W)) dut (
        .clk(clk), .rst(all_rst), .clear(clear || rst), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .mask({{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}}), .read(read), .bad(bad), .puts(puts), .to(to), .goes(goes), .fills(fills),
        .irq(irq), .moves(moves), .fails(fails), .drops(drops), .busy(busy), .shown(shown), .shown_last(shown_last), .beat(beat),
        .enabled(enabled), .mode(mode), .error(error), .resets(resets), .head(head), .tail(tail), .size(size), .base(base)
    );

    // ---- entries between HEAD and TAIL: as they were in the cycle before
    (* anyconst *) wire [15:0] entry;
    function between(input [15:0] low, high, p);
        between = low <= high ? low <= p && p < high : low <= p || p < high;
    endfunction
    wire        held = entry < size && between(head, tail, entry);
    wire        pointers = sel && write && at == 6'h1a;
    wire [1:0]  both = IN != 0 ? strb[3:2] : strb[1:0];
    wire [15:0] new_pointer = IN != 0 ? data[31:16] : data[15:0];
    // entries that software has with the new pointer: of an out ring those that stay, of an in ring all
    wire [16:0] left = IN != 0 ? {1'b0, new_pointer} - {1'b0, head} + (new_pointer < head ? {1'b0, size} : 17'd0) :
                                 {1'b0, tail} - {1'b0, new_pointer} + (tail < new_pointer ? {1'b0, size} : 17'd0);
    wire        legal = new_pointer < size && (IN != 0 ? left >= fill : left <= fill);
    wire        ring  = !mode && size >= 2;
    reg         was_held, was_moved, was_put, was_resets, was_bad, was_rest, was_enabled, was_error, was_fails, was_busy;
    reg  [1:0]  op_was;
    reg  [15:0] unit_was, software_was, to_was, size_was;
    reg  [ADDR_W-1:0] base_was;
    reg         mode_was, was_puts, was_conf0, was_all_rst;
    wire [15:0] unit = IN != 0 ? head : tail, software = IN != 0 ? tail : head;
    always @(posedge clk) begin
        was_held  <= held;
        was_moved <= moves;
        was_put   <= pointers && !bad && both == 2'b11;
        was_puts  <= puts;
        was_resets <= resets || all_rst;
        was_all_rst <= all_rst;
        was_bad   <= sel && write && bad;
        was_rest  <= !enabled && op == 0 && head == tail;
        was_enabled <= enabled;
        was_error <= error;
        was_fails <= fails;
        was_busy  <= busy;
        was_conf0 <= sel && write && at == 6'h10;
        op_was    <= op;
        {unit_was, software_was, to_was, size_was} <= {unit, software, new_pointer, size};
        {base_was, mode_was} <= {base, mode};
    end
    wire [15:0] unit_plus = unit_was + 16'd1 == size_was ? 16'd0 : unit_was + 16'd1;

    always @* if (!first) begin
        // HEAD and TAIL are entries of the ring; without a ring both are 0.
        in_ring: assert (ring ? head < size && tail < size : head == 0 && tail == 0);
        // A ring has no or at least two entries.
        two_entries: assert (size != 1);
        // A channel that is enabled has a window or a ring, no error, and no operation in progress.
        enabled_right: assert (!enabled || (op == 0 && !error && (mode || size >= 2)));
        // Codes of operations in progress. A channel with an error is in no window.
        op_right: assert (op != 1);
        // The unit's pointer goes on by one entry, and only with an entry that is done; or becomes 0 with a reset.
        unit_steps: assert (was_resets ? unit == 0 : unit == (was_moved ? unit_plus : unit_was));
        // Software's pointer changes only by a write that had a good answer, to what was written; or becomes 0 with a reset.
        software_steps: assert (was_resets ? software == 0 : software == (was_put ? to_was : software_was));
        puts_right: assert (was_puts == was_put);
        // No entry changes its holder but by its owner's action: an entry comes between HEAD and TAIL by the pointer TAIL, and goes by HEAD.
        comes_by_tail: assert (was_resets || was_held || !held || (IN != 0 ? was_put : was_moved && entry == unit_was));
        goes_by_head: assert (was_resets || !was_held || held || (IN != 0 ? was_moved && entry == unit_was : was_put));
        // A write of HEAD and TAIL is good just in a ring with both strobes of software's pointer, or none, and a pointer within its part.
        pointers_right: assert (!pointers || bad == !(ring && (both == 0 || (both == 3 && legal))));
        // BASE, SIZE and MODE change only while the channel is at rest with an empty ring, or with the registers' reset.
        place_stays: assert (was_all_rst || was_rest || {base, size, mode} == {base_was, size_was, mode_was});
        // A channel that drops packets has no window.
        no_window: assert (DROPS == 0 || (!mode && !goes));
        // A bad write changes nothing.
        bad_is_nothing: assert (!was_bad || was_resets || was_fails ||
                                ({base, size, mode, enabled} == {base_was, size_was, mode_was, was_enabled} && software == software_was &&
                                 (op == op_was || (op == 0 && !was_busy))));
        // The channel is stopped by an error, and begins anew only behind a reset.
        error_stops: assert (was_resets || !(was_error || was_fails) || (error && !enabled));
        // An operation in progress ends exactly when nothing is under way; until then the channel cannot be enabled.
        op_ends: assert (was_resets || op_was == 0 || (!was_fails && (op == 0) == !was_busy && !enabled) || (was_fails && op != 0 && !enabled));
        // The channel's own reset ends, and clears its pointers, only when nothing is under way.
        reset_waits: assert (!resets || clear || rst || (op == 3 && !busy));
        // Disabled with nothing in progress, or with an operation: only a write enables.
        enable_by_write: assert (!enabled || was_enabled || (was_conf0 && !was_bad && op_was == 0));
        // What was enabled and no longer is has an operation in progress: no channel is disabled while something of it is under way.
        disable_waits: assert (!was_enabled || enabled || was_resets || op != 0);
        // The register of the fill is TAIL - HEAD.
        fill_right: assert (IN != 0 || {1'b0, \dut.g_status.fill } == fill);
    end

endmodule
`default_nettype wire
