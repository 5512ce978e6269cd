// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_effect: the effect of an operation on its frame's word (docs/reference/blocks/frame_mem.md).
//
// The word is {pinned, kind, dirty, class, last, asid, vpn}; the kinds are those of frame_table.
//
// Late select: stage 2 compares and subtracts, for the word as read and for each word that the operation at stage 3 may write.
// Stage 3 selects.
`default_nettype none
module gmmu_frame_mem_effect #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 16,
    parameter TIME_W  = 32,
    parameter CLASS_W = 11,
    // derived, not to be set
    parameter T_W     = 2 + TIME_W + CLASS_W + ASID_W + VPN_W, // bits of a walk hit's data
    parameter WORD_W  = 4 + CLASS_W + TIME_W + ASID_W + VPN_W
) (
    input  wire               clk,
    input  wire               lost,         // a walk hit that writes was dropped: every page counts as dirty
    // stage 2
    input  wire               s2_valid,     // an operation is at stage 2
    input  wire               s2_touch,     // the operation at stage 2 is a walk hit or a replay
    input  wire [T_W-1:0]     s2_what,      // data of the walk hit at stage 2
    input  wire [WORD_W-1:0]  s2_word,      // word of the frame at stage 2, without the effect of the operation at stage 3
    input  wire [TIME_W-1:0]  s2_time,      // time at stage 3
    input  wire [TIME_W-1:0]  s2_expect,    // TAKE: the last access that the search saw
    // stage 3
    input  wire               s3_valid,     // an operation is at stage 3
    input  wire               s3_touch,     // the operation at stage 3 is a walk hit or a replay
    output wire               s3_replay,    // the walk hit at stage 3 is a replay
    input  wire               s3_none,      // the operation at stage 3 needs no frame
    input  wire               s3_same,      // the line of the operation at stage 3 is that of the operation before
    input  wire [T_W-1:0]     s3_what,      // data of the walk hit at stage 3
    input  wire [WORD_W-1:0]  s3_word,      // word of the frame at stage 3
    input  wire               s3_fill,      // the side operation is FILL
    input  wire               s3_free,      // the side operation is FREE
    input  wire               s3_pin,       // the side operation is PIN
    input  wire               s3_unpin,     // the side operation is UNPIN
    input  wire               s3_unleave,   // the side operation is UNLEAVE
    input  wire               s3_age,       // the side operation is AGE
    input  wire               s3_expire,    // the side operation is EXPIRE
    input  wire               s3_take,      // the side operation is TAKE
    input  wire               s3_force,     // for the side operation a fresh frame is eligible as any other
    input  wire [ASID_W-1:0]  s3_asid,      // FILL: address space of the new page
    input  wire [VPN_W-1:0]   s3_vpn,       // FILL: virtual page number of the new page
    input  wire [CLASS_W-1:0] s3_class,     // FILL: class of the page's last access
    input  wire [TIME_W-1:0]  s3_last,      // FILL: time of the page's last access
    input  wire               s3_dirty,     // FILL: the page differs from its copy below
    input  wire               s3_new,       // FILL: the page is fresh
    output wire               s3_match,     // walk hit: the frame holds the page; but for a replay, with no later access
    output wire               s3_fresh,     // not pinned; the page came as fresh, and no walk hit, EXPIRE or TAKE came since
    output wire               s3_is_valid,  // the frame holds a page
    output wire               s3_leaving,   // the page is leaving
    output wire               s3_eligible,  // the page is valid, not pinned, not leaving and not fresh
    output wire               s3_taken,     // TAKE succeeds: the page is eligible and has s2_expect as last access
    output wire               s3_clamped,   // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    output wire               s3_is_dirty,  // the page was written, or a walk hit that writes was dropped
    output wire [ASID_W-1:0]  s3_was_asid,  // address space of the page
    output wire [VPN_W-1:0]   s3_was_vpn,   // virtual page number of the page
    output wire [CLASS_W-1:0] s3_was_class, // class of the last access
    output wire [TIME_W-1:0]  s3_was_last,  // time of the last access
    output wire [TIME_W-1:0]  s3_interval,  // walks from the last access to now; walk hit: to the walk
    output wire               s3_we,        // the operation at stage 3 changes the word
    output wire [WORD_W-1:0]  s3_next       // word after the operation at stage 3
);

    localparam NAME_W = ASID_W + VPN_W;
    localparam [1:0] EMPTY = 2'd0, PAGE = 2'd1, LEAVING = 2'd2, FRESH = 2'd3;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // age that AGE clamps to

    wire               s2_replay;  // the walk hit at stage 2 is a replay
    wire               s2_write;   // the walk at stage 2 writes
    wire               s3_write;   // the walk at stage 3 writes
    wire [TIME_W-1:0]  s2_t;       // time of the walk at stage 2
    wire [TIME_W-1:0]  s3_t_time;  // time of the walk at stage 3
    wire [CLASS_W-1:0] s2_class;   // class of the walk at stage 2
    wire [CLASS_W-1:0] s3_t_class; // class of the walk at stage 3
    wire [NAME_W-1:0]  s2_name;    // page of the walk at stage 2
    wire [NAME_W-1:0]  s3_t_name;  // page of the walk at stage 3
    assign {s2_replay, s2_write, s2_t, s2_class, s2_name} = s2_what;
    assign {s3_replay, s3_write, s3_t_time, s3_t_class, s3_t_name} = s3_what;
    wire unused = &{1'b0, s2_replay, s2_write, s2_class, s3_t_name, s3_t_time, s2_word};
    wire [TIME_W-1:0] s2_last    = s2_word[NAME_W +: TIME_W];
    wire [TIME_W-1:0] s2_now     = s2_touch ? s2_t : s2_time;
    reg  [TIME_W-1:0] s3_renew; // last access that a walk hit or AGE writes
    wire [TIME_W-1:0] s3_newlast = s3_fill ? s3_last : s3_renew;
    reg               w_filled;   // the operation before was a FILL
    reg               w_renewed;  // the operation before changed the last access
    reg  [TIME_W-1:0] s3_ago;     // interval by the word as read
    reg  [TIME_W-1:0] s3_ago_w;   // interval by the effect of the operation before
    reg               s3_eq;      // the last access of the word as read is s2_expect
    reg               s3_eq_w;    // the last access that the operation before wrote is s2_expect
    reg               s3_named;   // the word as read has the walk's page
    reg               s3_named_w; // the page that the operation before filled is the walk's page
    wire              s3_access = s3_match && !s3_replay; // a walk hit of the frame's page
    always @(posedge clk) begin
        if (s2_valid) begin
            s3_renew   <= s2_touch ? s2_t : s2_time - OLD;
            s3_ago     <= s2_now - s2_last;
            s3_ago_w   <= s2_now - s3_newlast;
            s3_eq      <= s2_expect == s2_last;
            s3_eq_w    <= s2_expect == s3_newlast;
            s3_named   <= s2_name == s2_word[NAME_W-1:0];
            s3_named_w <= s2_name == {s3_asid, s3_vpn};
        end
        w_filled  <= s3_fill;
        w_renewed <= s3_fill || s3_access || s3_clamped;
    end

    wire       is_pinned; // the page is pinned
    wire [1:0] is_kind;   // kind of the frame
    wire       is_dirty;  // the page was written
    assign {is_pinned, is_kind, is_dirty, s3_was_class, s3_was_last, s3_was_asid, s3_was_vpn} = s3_word;
    wire s3_expected = s3_same && w_renewed ? s3_eq_w : s3_eq;
    wire s3_its_page = s3_same && w_filled ? s3_named_w : s3_named;
    assign s3_is_valid = is_kind != EMPTY;
    assign s3_leaving  = is_kind == LEAVING;
    wire   is_fresh    = is_kind == FRESH;
    assign s3_fresh    = is_fresh && !is_pinned;
    assign s3_eligible = (is_kind == PAGE && !is_pinned) || (s3_fresh && s3_force);
    assign s3_is_dirty = is_dirty || lost;
    assign s3_interval = s3_same && w_renewed ? s3_ago_w : s3_ago;
    assign s3_taken    = s3_take && s3_eligible && s3_expected;
    assign s3_clamped  = s3_age && s3_is_valid && s3_interval[TIME_W-1 -: 2] != 0; // >= OLD
    assign s3_match    = s3_touch && s3_is_valid && s3_its_page && (s3_replay || !s3_interval[TIME_W-1]);
    assign s3_we = s3_valid && !s3_none && (s3_match || s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_expire ||
                                s3_taken || s3_clamped);

    wire n_pinned  = !s3_fill && !s3_free && !s3_unpin && (s3_pin ? s3_is_valid : is_pinned);
    wire n_dirty   = s3_fill ? s3_dirty : is_dirty || (s3_match && s3_write);
    reg  [1:0] n_kind;
    always @* begin
        n_kind = is_kind;
        if (s3_taken)
            n_kind = LEAVING;
        if ((s3_unleave && s3_leaving) || ((s3_expire || s3_match) && is_fresh))
            n_kind = PAGE;
        if (s3_free)
            n_kind = EMPTY;
        if (s3_fill)
            n_kind = s3_new ? FRESH : PAGE;
    end
    assign s3_next = {n_pinned, n_kind, n_dirty,
                      s3_fill ? s3_class : s3_access ? s3_t_class : s3_was_class,
                      s3_fill ? s3_last : s3_access || s3_clamped ? s3_renew : s3_was_last,
                      s3_fill ? {s3_asid, s3_vpn} : {s3_was_asid, s3_was_vpn}};

endmodule
`default_nettype wire
