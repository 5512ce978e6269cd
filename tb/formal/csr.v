// SPDX-License-Identifier: Apache-2.0
// Proofs about csr: beside it a golden bit `at` of one register of each kind (in force at once, one that waits, one of two
// words), of two counters, and all interrupts. All registers are instances of one module, csr_reg.
//: pdr 120 s
//: bmc3 24 frames 60 s
//: find 254 255 355:answered 370 1993 1994 1995 1996 1997 1998 1000 1001 1002 1003 1004 1005 1006 1007 1008 1010 1011
`default_nettype none
module formal_csr #(
    parameter VPN_W    = 22,
    parameter ASID_W   = 1,
    parameter TIME_W   = 3,
    parameter FRAMES   = 4,
    parameter T2_SLOTS = 2,
    parameter PATIENCE_W = 2
) (
    input wire        clk,
    input wire        reset, valid, write, quiet, comes, rests, event_rit, event_hir, event_xfer, event_decision,
    input wire [9:0]  word,
    input wire [31:0] data,
    input wire [3:0]  strb,
    input wire [31:0] walks, watchdog_last,
    input wire [1:0]  more_errors, more_drops // counters count at most three a cycle
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    (* anyconst *) wire [4:0] at;

    wire        ans_valid, ans_bad, irq, unit_rst, regs_rst, stops;
    wire [31:0] ans_data;
    wire [2:0]  cfg_frames;
    wire [15:0] cfg_transfer;
    wire [33:0] cfg_range_bytes;
    reg  [31:0] errors, drops, errors_were, drops_were;
    gmmu_csr #(.VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .T2_SLOTS(T2_SLOTS), .PATIENCE_W(PATIENCE_W)) dut (
        .clk(clk), .rst(rst), .req_valid(valid), .req_write(write), .req_word(word), .req_data(data), .req_strb(strb),
        .ans_valid(ans_valid), .ans_bad(ans_bad), .ans_data(ans_data), .irq(irq), .unit_rst(unit_rst), .regs_rst(regs_rst), .stops(stops),
        .rests(rests), .quiet(quiet), .comes(comes),
        .event_rit(event_rit), .event_hir(event_hir), .event_xfer(event_xfer), .event_decision(event_decision),
        .cfg_frames(cfg_frames), .cfg_transfer(cfg_transfer), .cfg_range_bytes(cfg_range_bytes),
        .stat_walks(walks), .stat_stale_hits(32'd0), .stat_merged(32'd0), .stat_fault_drops(drops), .stat_rec_drops(32'd0),
        .stat_drv_errors(errors), .stat_none(32'd0), .stat_touch_drops(32'd0), .stat_rit_drops(32'd0), .stat_hir_drops(32'd0),
        .stat_hir_skipped(32'd0), .stat_stolen(32'd0), .stat_t2_stale(32'd0), .stat_t2_none(32'd0), .stat_parity(32'd0),
        .stat_parity_last(32'd0), .stat_flushes(32'd0), .stat_watchdog(32'd0), .stat_watchdog_last(watchdog_last),
        .stat_replays(32'd0), .stat_again(32'd0), .stat_lost(32'd0), .stat_late(32'd0), .stat_none_fresh(32'd0), .stat_ahead(32'd0)
    );

    // ---- resets by a register
    reg  [3:0] left;
    reg        keep;
    wire hold = left != 0, resets = hold && (left != 8 || rests), all_rst = rst || (resets && !keep);
    wire puts = valid && write && !hold; // a write that does something, if its word is one
    wire control = puts && word == 2 && strb[0];
    wire sets = puts && strb[at[4:3]];   // its byte has `at`

    // ---- registers, as DESIGN and docs/reference/registers.md say: word 148 is 16 bits, 16 at reset; 128 waits, FRAMES at reset;
    // 168 and 169 are one: the second of the two that is written puts both in force, or the first does when its time is over
    localparam [31:0] TRANSFER = 16, ALL = FRAMES;
    reg  transfer, frames_new, frames, low_new, high_new, low, high;
    reg  [1:0] half;            // {upper, lower}: written, and the other not
    reg  [PATIENCE_W-1:0] left_half;
    wire [1:0] put_half = {word == 169, word == 168} & {2{puts && strb != 0}};
    wire whole = put_half != 0 ? (half | put_half) == 3 : half != 0 && left_half == 0;
    wire low_next = word == 168 && sets ? data[at] : low_new, high_next = word == 169 && sets ? data[at] && at < 2 : high_new;
    reg  [2:0] frames_were;
    reg  calm, was_reset;
    // ---- counters of one moment; interrupts {error, drop, decision, xfer, hir, rit}
    reg  walks_then, last_then;
    reg  [5:0] happened, enabled;
    reg        wants;
    wire [5:0] events = {errors != errors_were && !hold, drops != drops_were && !hold, event_decision, event_xfer, event_hir, event_rit};
    // ---- answers: which words there are, as docs/reference/registers.md lists them
    wire readable = word < 6 || (word >= 64 && word < 101) || (word >= 128 && word < 178 && (!word[0] || word == 169)) ||
                    (word >= 192 && word < 217);
    wire writable = word == 2 || word == 4 || word == 5 || (word >= 128 && word < 178 && (!word[0] || word == 169));
    reg  v1, v2, bad1, bad2, blank1, blank2, known1, known2, bit1, bit2;
    localparam [31:0] ID = 32'h554D4D47;
    wire [31:0] status = {30'd0, hold, quiet}, is_happened = {26'd0, happened}, is_enabled = {26'd0, enabled};
    always @(posedge clk) begin
        errors      <= unit_rst ? 0 : errors + {30'd0, more_errors};
        drops       <= unit_rst ? 0 : drops + {30'd0, more_drops};
        errors_were <= unit_rst ? 0 : errors;
        drops_were  <= unit_rst ? 0 : drops;
        if (control && (data[0] || data[2]))
            {left, keep} <= {4'd8, !data[0]};
        else if (resets)
            left <= left - 1'b1;
        if (word == 148 && sets && at < 16)
            transfer <= data[at];
        if (word == 128 && sets && at < 3)
            frames_new <= data[at];
        if ((quiet && !comes) || resets)
            frames <= frames_new;
        low_new   <= low_next;
        high_new  <= high_next;
        half      <= whole ? 2'd0 : half | put_half;
        left_half <= put_half != 0 ? {PATIENCE_W{1'b1}} : left_half - 1'b1;
        if (whole)
            {low, high} <= {low_next, high_next};
        if (control && data[1])
            {walks_then, last_then} <= {walks[at], watchdog_last[at]};
        happened <= (happened & ~(puts && word == 4 && strb[0] ? data[5:0] : 6'd0)) | events;
        if (puts && word == 5 && strb[0])
            enabled <= data[5:0];
        wants <= (happened & enabled) != 0;

        frames_were <= cfg_frames;
        calm        <= quiet && !comes;
        was_reset   <= rst || unit_rst;

        v1     <= valid && !rst;
        bad1   <= write ? !writable || hold : !readable;
        blank1 <= write || !readable;
        known1 <= word == 0 || (word == 3 && at != 2) || word == 4 || word == 5 || word == 128 || word == 148 || word == 168 || word == 169 ||
                  word == 192 || word == 210;
        bit1   <= word == 0 ? ID[at] : word == 3 ? status[at] : word == 4 ? is_happened[at] : word == 5 ? is_enabled[at] : word == 128 ? frames_new :
                  word == 148 ? transfer : word == 168 ? low_new : word == 169 ? high_new : word == 192 ? walks_then : last_then;
        {v2, bad2, blank2, known2, bit2} <= {v1 && !rst, bad1, blank1, known1, bit1};
        if (all_rst) begin
            {transfer, frames_new, frames} <= {TRANSFER[at], ALL[at], ALL[at]};
            {low, high, low_new, high_new, half, walks_then, last_then, happened, enabled, wants} <= 21'd0;
        end
        if (rst)
            {left, keep} <= 5'd0;
    end

    always @* if (!rst) begin
        // Every request has one answer, two cycles later, and no other answer comes.
        answered: assert (ans_valid == v2);
        // It is bad just if the word cannot be read, or written, or is written in a reset.
        bad_right: assert (!v2 || ans_bad == bad2);
        // A write's answer and a bad one say nothing.
        nothing_told: assert (!(v2 && blank2) || ans_data == 0);
        // A read tells what was written, also before it is in force; counters as they were at one snapshot; what happened and is enabled.
        read_right: assert (!(v2 && known2 && !blank2) || ans_data[at] == bit2);
        // A register of the first kind is in force at once, and so only by bytes that were written; as at power-up after a soft reset.
        in_force: assert (at >= 16 || cfg_transfer[at] == transfer);
        // One that waits is in force when nothing is under way and nothing comes.
        waits_right: assert (at >= 3 || cfg_frames[at] == frames);
        stands: assert (calm || was_reset || cfg_frames == frames_were);
        // Both words of one that has two are in force at once, whichever was written first; a word alone after its time.
        both_words: assert (cfg_range_bytes[at] == low && (at >= 2 || cfg_range_bytes[{1'b1, at}] == high));
        // A reset by register is eight cycles long, from the first in which the memory port rests.
        reset_right: assert (unit_rst == resets && regs_rst == all_rst && stops == hold);
        // An interrupt is there while something that is enabled has happened and was not taken off, a cycle later.
        irq_right: assert (irq == wants);
    end

endmodule
`default_nettype wire
