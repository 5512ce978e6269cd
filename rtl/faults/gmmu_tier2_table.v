// SPDX-License-Identifier: Apache-2.0
// gmmu_tier2_table: the slots of Tier 2: what each holds, and what becomes of it (docs/blocks/tier2_table.md).
//
// One operation a cycle, beside the frame's (side_port): its slot is read at s0, in a register at s2 and compared, changed
// at s3 and written a cycle later. An operation that may write is not followed by another one for four cycles (`held` of
// side_port), so that no read is of what is about to change; those that only read come in every cycle.
// PARITY: a slot whose word turned bad is neither held, rising nor leaving until PUT or EMPTY.
// Source: GMT 2.1; LEU 3.1 for class and last access.
`default_nettype none
module gmmu_tier2_table #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W  = 10,
    // slots, at least 1
    parameter T2_SLOTS = 65536,
    // 1: a word that turned bad is told
    parameter PARITY   = 1,
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,       // after reset: all slots become free
    output wire               cleared,
    input  wire [T2_W-1:0]    s0_slot,
    input  wire               s1_valid,    // an operation with a slot, a cycle later
    input  wire [T2_W:0]      cfg_slots,   // enabled ones
    input  wire [ASID_W-1:0]  s2_asid,     // the page that the slot is compared with
    input  wire [VPN_W-1:0]   s2_vpn,
    input  wire [TIME_W-1:0]  s2_time,     // time at s3
    input  wire [TIME_W-1:0]  s2_expect,   // the last access that it is compared with
    input  wire [T2_W-1:0]    s3_slot,
    input  wire               s3_put,      // this page is held there now
    input  wire [ASID_W-1:0]  put_asid,
    input  wire [VPN_W-1:0]   put_vpn,
    input  wire [CLASS_W-1:0] put_class,
    input  wire [TIME_W-1:0]  put_last,
    input  wire               put_dirty,
    input  wire               put_bad,     // PARITY: what is put is of a word that turned bad: so is the slot's from the beginning
    input  wire               s3_empty,    // it is free now
    input  wire               s3_rise, s3_leave, s3_stay, // its page goes up, goes down, is held
    input  wire               s3_age,      // its time stamp is made younger, if old
    output reg                s3_enabled,
    output wire               s3_held, s3_rising, s3_leaving,
    output wire               s3_counts,   // held, as far as it was counted: whether its word turned bad or not
    output wire               s3_bad,      // PARITY: its word turned bad
    output wire               s3_mine,     // it is of the page at s2
    output reg                s3_expected, // last accessed when expected
    output wire               s3_clamped,
    output wire               s3_dirty,
    output wire [ASID_W-1:0]  s3_asid,
    output wire [VPN_W-1:0]   s3_vpn,
    output wire [CLASS_W-1:0] s3_class,
    output wire [TIME_W-1:0]  s3_last,
    output reg  [TIME_W-1:0]  s3_interval, // its age, walks
    output reg                turned,      // PARITY: over with each operation on an enabled slot that met a bad word, of this slot
    output reg  [T2_W-1:0]    bad_slot
);

    localparam FREE = 2'd0, HELD = 2'd1, RISING = 2'd2, LEAVING = 2'd3;
    localparam NAME_W = ASID_W + VPN_W;
    localparam WORD_W = 2 + 1 + CLASS_W + TIME_W + NAME_W; // {state, dirty, class, last, asid, vpn}
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // the age that AGE clamps to

    reg  [T2_W:0] clear_slot;
    assign cleared = clear_slot == T2_SLOTS[T2_W:0];
    wire clearing = clear && !cleared;
    always @(posedge clk)
        if (rst)
            clear_slot <= 0;
        else if (clearing)
            clear_slot <= clear_slot + 1'b1;

    wire [WORD_W-1:0] s1_word;
    wire              s2_par;              // the word's parity in the RAM, which is read a cycle later
    reg  [2:0]        s3_odds;             // it; that of the page; of all else
    wire              s3_odd = ^s3_odds;
    wire [3:0]        s3_mines;            // of quarters: the bits come from all over a chip
    localparam PART = (NAME_W + 3) / 4;
    reg  [WORD_W-1:0] s2_word, s3_word, new_word;
    wire [1:0] state = s3_word[WORD_W-1 -: 2];
    wire [1:0] sound = s3_odd ? FREE : state;
    wire write = s3_put || s3_empty || s3_rise || s3_leave || s3_stay || s3_clamped;
    reg [T2_W-1:0]   s1_slot;
    // (a register of its own before the RAMs, which may be anywhere on a chip)
    reg               s4_write;
    reg  [T2_W-1:0]   s4_slot;
    reg  [WORD_W-1:0] s4_word;
    always @(posedge clk) begin
        s4_write <= (clearing || write) && !rst;
        s4_slot  <= clearing ? clear_slot[T2_W-1:0] : s3_slot;
        s4_word  <= clearing ? {WORD_W{1'b0}} : new_word;
    end
    generate
        if (PARITY != 0) begin : g_parity
            // All of a word and its parity together are even. The parity is of the complement, to be registers of their own, and is written
            // and read a cycle later than the word: what it becomes is known last.
            localparam ODD = WORD_W & 1;
            reg [WORD_W-1:0] s4_other;
            reg              s5_write, s5_par, s4_bad;
            reg [T2_W-1:0]   s5_slot;
            always @(posedge clk) begin
                s4_bad   <= s3_put && put_bad && !clearing;
                s4_other <= clearing ? {WORD_W{1'b1}} : ~new_word;
                s5_write <= s4_write && !rst;
                s5_slot  <= s4_slot;
                s5_par   <= ^{s4_other, ODD[0]} ^ s4_bad;
            end
            // (+flip turns a bit of the word over, not of both)
            gmmu_ram_sdp #(
                .WIDTH(1),
                .DEPTH(T2_SLOTS),
                .FLIPS(0),
                .ADDR_W(T2_W)
            ) parities (
                .clk(clk),
                .we(s5_write),
                .waddr(s5_slot),
                .wdata(s5_par),
                .re(1'b1),
                .raddr(s1_slot),
                .rdata(s2_par)
            );
        end else begin : g_bare
            assign s2_par = 1'b0;
            wire unused_bad = put_bad;
        end
    endgenerate
    // read in every cycle, as who asks is known late: what is no operation's read may collide, and nobody looks at it
    gmmu_ram_sdp #(
        .WIDTH(WORD_W),
        .DEPTH(T2_SLOTS),
        .ADDR_W(T2_W)
    ) slots (
        .clk(clk),
        .we(s4_write),
        .waddr(s4_slot),
        .wdata(s4_word),
        .re(1'b1),
        .raddr(s0_slot),
        .rdata(s1_word)
    );

    reg              s2_enabled;
    wire [NAME_W-1:0] s2_name = {s2_asid, s2_vpn};
    reg [TIME_W-1:0] s3_old;
    reg              s2_valid, s3_valid;
    always @(posedge clk) begin
        {s2_valid, s3_valid} <= rst ? 2'd0 : {s1_valid, s2_valid};
        s1_slot     <= s0_slot;
        s2_word     <= s1_word;
        s3_odds     <= PARITY != 0 ? {s2_par, ^s2_word[WORD_W-1:NAME_W], ^s2_word[NAME_W-1:0]} : 3'd0;
        turned      <= !rst && turned != (s3_valid && s3_bad && s3_enabled);
        if (s3_valid && s3_bad)
            bad_slot <= s3_slot;
        s2_enabled  <= {1'b0, s1_slot} < cfg_slots;
        s3_enabled  <= s2_enabled;
        s3_word     <= s2_word;
        s3_expected <= s2_word[NAME_W +: TIME_W] == s2_expect;
        s3_interval <= s2_time - s2_word[NAME_W +: TIME_W];
        s3_old      <= s2_time - OLD;
    end
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : g_mine
            localparam LOW = i * PART, HIGH = LOW + PART < NAME_W ? LOW + PART : NAME_W;
            if (LOW < NAME_W) begin : g_part
                reg mine;
                always @(posedge clk)
                    mine <= s2_word[HIGH-1:LOW] == s2_name[HIGH-1:LOW];
                assign s3_mines[i] = mine;
            end else begin : g_none
                assign s3_mines[i] = 1'b1;
            end
        end
    endgenerate
    assign s3_bad     = s3_odd;
    (* keep *) wire name_same; // (`keep`: what is made of it is known late, and has a table of its own)
    assign name_same  = &s3_mines;
    assign s3_mine    = name_same;
    assign s3_counts  = state == HELD;
    assign s3_held    = sound == HELD;
    assign s3_rising  = sound == RISING;
    assign s3_leaving = sound == LEAVING;
    assign {s3_dirty, s3_class, s3_last, s3_asid, s3_vpn} = s3_word[WORD_W-3:0];
    assign s3_clamped = s3_age && sound != FREE && s3_interval[TIME_W-1 -: 2] != 0; // >= OLD

    always @* begin
        new_word = s3_word;
        if (s3_clamped)
            new_word[NAME_W +: TIME_W] = s3_old;
        if (s3_put)
            new_word = {HELD, put_dirty, put_class, put_last, put_asid, put_vpn};
        if (s3_rise)
            new_word[WORD_W-1 -: 2] = RISING;
        if (s3_leave)
            new_word[WORD_W-1 -: 2] = LEAVING;
        if (s3_stay)
            new_word[WORD_W-1 -: 2] = HELD;
        if (s3_empty)
            new_word[WORD_W-1 -: 2] = FREE;
    end

endmodule
`default_nettype wire
