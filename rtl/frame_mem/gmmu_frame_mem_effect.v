// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_effect: what an operation makes of its frame's word (docs/blocks/frame_mem.md).
//
// Stage 2 compares and subtracts, for the word and for what the operation at stage 3 may make of it; stage 3 chooses.
`default_nettype none
module gmmu_frame_mem_effect #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 16,
    parameter TIME_W  = 32,
    parameter CLASS_W = 11,
    // derived, not to be set
    parameter T_W     = 1 + TIME_W + CLASS_W + ASID_W + VPN_W, // what a walk hit says
    parameter WORD_W  = 4 + CLASS_W + TIME_W + ASID_W + VPN_W
) (
    input  wire               clk,
    input  wire               lost,      // nobody knows what is clean
    // stage 2
    input  wire               s2_valid,
    input  wire               s2_touch,
    input  wire [T_W-1:0]     s2_what,
    input  wire [WORD_W-1:0]  s2_word,
    input  wire [TIME_W-1:0]  s2_time,   // time at stage 3
    input  wire [TIME_W-1:0]  s2_expect, // TAKE: the last access that it is to have
    // stage 3
    input  wire               s3_valid,
    input  wire               s3_touch,
    input  wire               s3_none,
    input  wire               s3_same,   // its frame is that of the operation before it
    input  wire [T_W-1:0]     s3_what,
    input  wire [WORD_W-1:0]  s3_word,
    input  wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_unleave, s3_age, s3_take,
    input  wire [ASID_W-1:0]  s3_asid,   // FILL: of the new page
    input  wire [VPN_W-1:0]   s3_vpn,
    input  wire [CLASS_W-1:0] s3_class,
    input  wire [TIME_W-1:0]  s3_last,
    input  wire               s3_dirty,
    output wire               s3_match,  // walk hit: the frame holds the page, not accessed later
    output wire               s3_is_valid,
    output wire               s3_leaving,
    output wire               s3_eligible,
    output wire               s3_taken,
    output wire               s3_clamped,
    output wire               s3_is_dirty,
    output wire [ASID_W-1:0]  s3_was_asid,
    output wire [VPN_W-1:0]   s3_was_vpn,
    output wire [CLASS_W-1:0] s3_was_class,
    output wire [TIME_W-1:0]  s3_was_last,
    output wire [TIME_W-1:0]  s3_interval,
    output wire               s3_we,     // it makes another word:
    output wire [WORD_W-1:0]  s3_next
);

    localparam NAME_W = ASID_W + VPN_W;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // age that AGE clamps to

    wire               s2_write, s3_write;
    wire [TIME_W-1:0]  s2_t, s3_t_time;
    wire [CLASS_W-1:0] s2_class, s3_t_class;
    wire [NAME_W-1:0]  s2_name, s3_t_name;
    assign {s2_write, s2_t, s2_class, s2_name} = s2_what;
    assign {s3_write, s3_t_time, s3_t_class, s3_t_name} = s3_what;
    wire unused = &{1'b0, s2_write, s2_class, s3_t_name, s3_t_time, s2_word};
    wire [TIME_W-1:0] s2_last    = s2_word[NAME_W +: TIME_W];
    wire [TIME_W-1:0] s2_now     = s2_touch ? s2_t : s2_time;
    reg  [TIME_W-1:0] s3_renew;            // last access that a walk hit or AGE makes
    wire [TIME_W-1:0] s3_newlast = s3_fill ? s3_last : s3_renew;
    reg               w_filled, w_renewed; // the operation before was a FILL; made the last access another
    reg  [TIME_W-1:0] s3_ago, s3_ago_w;    // by the word; by the operation before
    reg               s3_eq, s3_eq_w, s3_named, s3_named_w;
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
        w_renewed <= s3_fill || s3_match || s3_clamped;
    end

    wire is_pinned, is_dirty;
    assign {s3_is_valid, is_pinned, s3_leaving, is_dirty, s3_was_class, s3_was_last, s3_was_asid,
            s3_was_vpn} = s3_word;
    wire s3_expected = s3_same && w_renewed ? s3_eq_w : s3_eq;
    wire s3_its_page = s3_same && w_filled ? s3_named_w : s3_named;
    assign s3_eligible = s3_is_valid && !is_pinned && !s3_leaving;
    assign s3_is_dirty = is_dirty || lost;
    assign s3_interval = s3_same && w_renewed ? s3_ago_w : s3_ago;
    assign s3_taken    = s3_take && s3_eligible && s3_expected;
    assign s3_clamped  = s3_age && s3_is_valid && s3_interval[TIME_W-1 -: 2] != 0; // >= OLD
    assign s3_match    = s3_touch && s3_is_valid && s3_its_page && !s3_interval[TIME_W-1];
    assign s3_we = s3_valid && !s3_none && (s3_match || s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave ||
                                s3_taken || s3_clamped);

    wire n_valid   = s3_fill || (s3_is_valid && !s3_free);
    wire n_pinned  = !s3_fill && !s3_free && !s3_unpin && (s3_pin ? s3_is_valid : is_pinned);
    wire n_leaving = !s3_fill && !s3_free && !s3_unleave && (s3_taken || s3_leaving);
    wire n_dirty   = s3_fill ? s3_dirty : is_dirty || (s3_match && s3_write);
    assign s3_next = {n_valid, n_pinned, n_leaving, n_dirty,
                      s3_fill ? s3_class : s3_match ? s3_t_class : s3_was_class,
                      s3_fill ? s3_last : s3_match || s3_clamped ? s3_renew : s3_was_last,
                      s3_fill ? {s3_asid, s3_vpn} : {s3_was_asid, s3_was_vpn}};

endmodule
`default_nettype wire
