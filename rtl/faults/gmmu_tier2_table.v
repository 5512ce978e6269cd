// SPDX-License-Identifier: Apache-2.0
// gmmu_tier2_table: the content and the state of the slots of Tier 2 (docs/reference/blocks/tier2_table.md).
//
// One operation a cycle, together with the frame's (side_port):
//
//   s0  the slot is read          s2  the word is in a register and is compared
//   s3  the slot changes          s4  the word is written
//
// With GMMU_ASIC_RAM the slot is read at s1, and the word at the RAM's output is compared.
// For four cycles behind an operation that may write, side_port grants no operation with a slot (`held`, reserved turn): no word is
// read that is about to change. Operations that only read come in every cycle.
// PARITY: a slot with a corrupt word is neither held, rising nor leaving until PUT or EMPTY.
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
    // 1: corrupt words are reported
    parameter PARITY   = 1,
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,       // the reset sequence is under way
    output wire               cleared,     // all slots are free
    input  wire [T2_W-1:0]    s0_slot,     // slot of the operation at s0
    input  wire               s1_valid,    // an operation with a slot is at s1
    input  wire [T2_W:0]      cfg_slots,   // number of enabled slots
    input  wire [ASID_W-1:0]  s2_asid,     // address space of the page that the slot is compared with, for the operation at s2
    input  wire [VPN_W-1:0]   s2_vpn,      // virtual page number of the page that the slot is compared with, for the operation at s2
    input  wire [TIME_W-1:0]  s2_time,     // time at s3, for the operation at s2
    input  wire [TIME_W-1:0]  s2_expect,   // the last access that the slot is compared with, for the operation at s2
    input  wire [T2_W-1:0]    s3_slot,     // slot of the operation at s3
    input  wire               s3_put,      // PUT: the page of put_* is held in the slot from now on
    input  wire [ASID_W-1:0]  put_asid,    // PUT: address space of the page
    input  wire [VPN_W-1:0]   put_vpn,     // PUT: virtual page number of the page
    input  wire [CLASS_W-1:0] put_class,   // PUT: class of the page's last access
    input  wire [TIME_W-1:0]  put_last,    // PUT: time of the page's last access
    input  wire               put_dirty,   // PUT: the page was written
    input  wire               put_bad,     // PUT, PARITY: the page comes from a corrupt word: the slot's word is corrupt from the beginning
    input  wire               s3_empty,    // EMPTY: the slot becomes free
    input  wire               s3_rise,     // RISE: the slot's page goes up to Tier 1
    input  wire               s3_leave,    // LEAVE: the slot's page goes down to Tier 3
    input  wire               s3_stay,     // STAY: the slot's page is held again
    input  wire               s3_age,      // AGE: the last access, if old, moves to an age of 2^(TIME_W-2)
    output reg                s3_enabled,  // the slot at s3 is enabled
    output wire               s3_held,     // the slot holds a page
    output wire               s3_rising,   // the slot's page goes up
    output wire               s3_leaving,  // the slot's page goes down
    output wire               s3_counts,   // the slot was counted as held, whether or not its word is corrupt
    output wire               s3_bad,      // PARITY: the slot's word is corrupt
    output wire               s3_mine,     // the slot's page is that of s2_asid and s2_vpn
    output reg                s3_expected, // the slot's last access is s2_expect
    output wire               s3_clamped,  // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    output wire               s3_dirty,    // the slot's page was written
    output wire [ASID_W-1:0]  s3_asid,     // address space of the slot's page
    output wire [VPN_W-1:0]   s3_vpn,      // virtual page number of the slot's page
    output wire [CLASS_W-1:0] s3_class,    // class of the last access
    output wire [TIME_W-1:0]  s3_last,     // time of the last access
    output reg  [TIME_W-1:0]  s3_interval, // age of the slot's page, in walks
    output reg                turned,      // PARITY: toggles with each operation on an enabled slot that met a corrupt word
    output reg  [T2_W-1:0]    bad_slot     // PARITY: slot of the last corrupt word
);

    localparam FREE = 2'd0, HELD = 2'd1, RISING = 2'd2, LEAVING = 2'd3;
`ifdef GMMU_ASIC_RAM
    localparam EARLY = 1; // RAMs are near, and their outputs are early: no registers in front of the write port, and the register behind a RAM is in front
`else
    localparam EARLY = 0;
`endif
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

    wire [WORD_W-1:0] s1_word;             // the slot's word as read, at s1; with EARLY at s2
    wire              s2_par;              // parity of the word, which is read a cycle after the word
    reg  [2:0]        s3_odds;             // {s2_par, parity of all but the page, parity of the page}
    wire              s3_odd = ^s3_odds;   // the word at s3 is corrupt
    wire [3:0]        s3_mines;            // s3_mine for each quarter of the page: the bits come from all over a chip
    localparam PART = (NAME_W + 3) / 4;
    wire [WORD_W-1:0] s2_word;             // the slot's word at s2
    reg  [WORD_W-1:0] s3_word;             // the slot's word at s3
    reg  [WORD_W-1:0] new_word;            // the word after the operation at s3
    wire [1:0] state = s3_word[WORD_W-1 -: 2];
    wire [1:0] sound = s3_odd ? FREE : state;
    wire write = s3_put || s3_empty || s3_rise || s3_leave || s3_stay || s3_clamped;
    reg [T2_W-1:0]   s1_slot;
    // (registers between s3 and the RAMs, which may be anywhere on a chip; with EARLY the word is written at s3)
    wire              s3_write = (clearing || write) && !rst;
    wire [T2_W-1:0]   s3_at    = clearing ? clear_slot[T2_W-1:0] : s3_slot;
    wire [WORD_W-1:0] s3_kept  = clearing ? {WORD_W{1'b0}} : new_word;
    wire              s4_write;
    wire [T2_W-1:0]   s4_slot;
    wire [WORD_W-1:0] s4_word;
    generate
        if (EARLY != 0) begin : g_at_s3
            assign {s4_write, s4_slot, s4_word} = {s3_write, s3_at, s3_kept};
        end else begin : g_at_s4
            reg              writes;
            reg [T2_W-1:0]   slot;
            reg [WORD_W-1:0] word;
            always @(posedge clk)
                {writes, slot, word} <= {s3_write, s3_at, s3_kept};
            assign {s4_write, s4_slot, s4_word} = {writes, slot, word};
        end
    endgenerate
    generate
        if (PARITY != 0) begin : g_parity
            // A word and its parity together are even. The parity is that of the complement, which has registers of its own. The parity
            // is written and read a cycle later than the word, as the parity arrives last.
            localparam ODD = WORD_W & 1;
            wire              s3_spoils = s3_put && put_bad && !clearing;
            wire [WORD_W-1:0] s4_other;
            wire              s4_bad;
            reg               s5_write, s5_par;
            if (EARLY != 0) begin : g_other_at_s3
                assign {s4_bad, s4_other} = {s3_spoils, ~s3_kept};
            end else begin : g_other_at_s4
                reg              bad;
                reg [WORD_W-1:0] other;
                always @(posedge clk)
                    {bad, other} <= {s3_spoils, ~s3_kept};
                assign {s4_bad, s4_other} = {bad, other};
            end
            reg [T2_W-1:0]   s5_slot;
            always @(posedge clk) begin
                s5_write <= s4_write && !rst;
                s5_slot  <= s4_slot;
                s5_par   <= ^{s4_other, ODD[0]} ^ s4_bad;
            end
            // (+flip flips a bit of the word, not of both RAMs)
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
    // A slot is read in every cycle, as the operation is known late. A read without an operation may collide with a write; nobody uses the word.
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
        .raddr(EARLY != 0 ? s1_slot : s0_slot),
        .rdata(s1_word)
    );
    // (no slot is written while an operation on a slot is under way, so a later read gives the same word)
    generate
        if (EARLY != 0) begin : g_early
            assign s2_word = s1_word;
        end else begin : g_late
            reg [WORD_W-1:0] was_word;
            always @(posedge clk)
                was_word <= s1_word;
            assign s2_word = was_word;
        end
    endgenerate

    reg              s2_enabled;
    wire [NAME_W-1:0] s2_name = {s2_asid, s2_vpn};
    reg [TIME_W-1:0] s3_old;
    reg              s2_valid, s3_valid;
    always @(posedge clk) begin
        {s2_valid, s3_valid} <= rst ? 2'd0 : {s1_valid, s2_valid};
        s1_slot     <= s0_slot;
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
    (* keep *) wire name_same; // (`keep`: the signal arrives late and has a LUT of its own)
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
