// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_mem_effect: a golden frame, on which operations come in any order and at any distance, with operations on
// other frames between them. Words come as frame_mem_words brings them: the word at stage 2 lacks the operation at stage 3, the word at
// stage 3 has the effects of all operations before.
//: pdr 120 s
//: bmc3 40 frames 30 s
//: find 173:word_right 174:match_right 175:match_right 179:dirty_right
//: find 180:clamped_right 187:interval_right 325:taken_right
//: find 1130:match_right 1131:word_right 1132:word_right 1133:word_right 1134:word_right 1135:taken_right 1136:taken_right 1137:word_right
//: find 1138:word_right 1139:word_right
`default_nettype none
module formal_frame_mem_effect #(
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1,
    parameter T_W     = 8,
    parameter WORD_W  = 10
) (
    input wire               clk,
    input wire               comes, comes_here, comes_touch, comes_none, lost, s3_dirty, s3_new, s3_force,
    input wire [T_W-1:0]     comes_what,
    input wire [3:0]         op,      // what a side operation at stage 3 does
    input wire [TIME_W-1:0]  s2_time, s2_expect, s3_last,
    input wire [ASID_W-1:0]  s3_asid,
    input wire [VPN_W-1:0]   s3_vpn,
    input wire [CLASS_W-1:0] s3_class,
    input wire [WORD_W-1:0]  noise2, noise3
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;

    // ======== the operations at stages 2 and 3, and whether they are on the frame
    reg           s2_valid, s2_here, s2_touch, s2_none, s3_valid, s3_here, s3_touch, s3_none, s3_same;
    reg [T_W-1:0] s2_what, s3_what;
    always @(posedge clk) begin
        s2_valid <= comes && !first;
        s2_here  <= comes_here;
        s2_touch <= comes_touch;
        s2_none  <= comes_none && !comes_touch;
        s2_what  <= comes_what;
        s3_valid <= s2_valid && !first;
        s3_touch <= s2_valid && s2_touch && !first;
        if (s2_valid) begin
            s3_here <= s2_here;
            s3_none <= s2_none;
            s3_what <= s2_what;
            s3_same <= s2_here == s3_here; // two frames are in play
        end
    end

    // ======== the golden frame
    reg               valid, pinned, leaving, fresh, dirty;
    reg [ASID_W-1:0]  asid;
    reg [VPN_W-1:0]   vpn;
    reg [CLASS_W-1:0] cls;
    reg [TIME_W-1:0]  last, now, expected;
    always @* assume (!first || !fresh || (valid && !leaving)); // at the start any frame, but no fresh one that holds no page or leaves
    wire [1:0]        kind = !valid ? 2'd0 : leaving ? 2'd2 : fresh ? 2'd3 : 2'd1;
    wire [WORD_W-1:0] golden = {pinned, kind, dirty, cls, last, asid, vpn};
    wire              t_replay, t_write;
    wire [TIME_W-1:0] t_time;
    wire [CLASS_W-1:0] t_class;
    wire [ASID_W-1:0] t_asid;
    wire [VPN_W-1:0]  t_vpn;
    assign {t_replay, t_write, t_time, t_class, t_asid, t_vpn} = s3_what;
    wire side    = s3_valid && !s3_touch && !s3_none;
    wire fill    = side && op == 4'd1, free = side && op == 4'd2, pin = side && op == 4'd3, unpin = side && op == 4'd4;
    wire unleave = side && op == 4'd5, age = side && op == 4'd6, take = side && op == 4'd7, expire = side && op == 4'd8;
    wire here    = s3_valid && s3_here && !s3_none;
    wire [TIME_W-1:0] ago = (s3_touch ? t_time : now) - last;
    wire eligible = valid && !pinned && !leaving && (!fresh || s3_force);
    wire match    = s3_touch && valid && asid == t_asid && vpn == t_vpn && (t_replay || !ago[TIME_W-1]);
    wire taken    = take && eligible && expected == last;
    wire clamped  = age && valid && ago >= {2'b01, {TIME_W-2{1'b0}}};
    always @(posedge clk) begin
        now      <= s2_time;
        expected <= s2_expect;
        if (here) begin
            if (fill)
                {valid, pinned, leaving, fresh, dirty, cls, last, asid, vpn} <= {3'b100, s3_new, s3_dirty, s3_class, s3_last, s3_asid, s3_vpn};
            if (free)
                {valid, pinned, leaving, fresh} <= 4'b0000;
            if (expire || taken || match)
                fresh <= 1'b0;
            if (pin)
                pinned <= valid;
            if (unpin)
                pinned <= 1'b0;
            if (unleave)
                leaving <= 1'b0;
            if (taken)
                leaving <= 1'b1;
            if (clamped)
                last <= now - {2'b01, {TIME_W-2{1'b0}}};
            if (match)
                dirty <= dirty || t_write;
            if (match && !t_replay) begin
                cls  <= t_class;
                last <= t_time;
            end
        end
    end

    wire              s3_replay, s3_match, s3_fresh, s3_is_valid, s3_leaving, s3_eligible, s3_taken, s3_clamped, s3_is_dirty, s3_we;
    wire [ASID_W-1:0] s3_was_asid;
    wire [VPN_W-1:0]  s3_was_vpn;
    wire [CLASS_W-1:0] s3_was_class;
    wire [TIME_W-1:0] s3_was_last, s3_interval;
    wire [WORD_W-1:0] s3_next;
    gmmu_frame_mem_effect #(.VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W)) dut (
        .clk(clk), .lost(lost), .s2_valid(s2_valid), .s2_touch(s2_touch), .s2_what(s2_what),
        .s2_word(s2_here ? golden : noise2), .s2_time(s2_time), .s2_expect(s2_expect), .s3_valid(s3_valid),
        .s3_touch(s3_touch), .s3_replay(s3_replay), .s3_none(s3_none), .s3_same(s3_same), .s3_what(s3_what),
        .s3_word(s3_here ? golden : noise3), .s3_fill(fill), .s3_free(free), .s3_pin(pin), .s3_unpin(unpin),
        .s3_unleave(unleave), .s3_age(age), .s3_expire(expire), .s3_take(take), .s3_force(s3_force), .s3_asid(s3_asid), .s3_vpn(s3_vpn), .s3_class(s3_class),
        .s3_last(s3_last), .s3_dirty(s3_dirty), .s3_new(s3_new), .s3_match(s3_match), .s3_fresh(s3_fresh), .s3_is_valid(s3_is_valid),
        .s3_leaving(s3_leaving), .s3_eligible(s3_eligible), .s3_taken(s3_taken), .s3_clamped(s3_clamped),
        .s3_is_dirty(s3_is_dirty), .s3_was_asid(s3_was_asid), .s3_was_vpn(s3_was_vpn), .s3_was_class(s3_was_class),
        .s3_was_last(s3_was_last), .s3_interval(s3_interval), .s3_we(s3_we), .s3_next(s3_next)
    );

    // what the word that the operation makes says, and the golden frame after it
    reg              did, was_we;
    reg [WORD_W-1:0] made, before;
    always @(posedge clk) begin
        did    <= here && !first;
        was_we <= s3_we;
        made   <= s3_next;
        before <= golden;
    end
    wire [WORD_W-1:0] kept = was_we ? made : before;

    always @* if (!first) begin
        // The word that an operation makes is the golden frame's; if it makes none, the frame stays (page, class and last
        // of an empty frame mean nothing).
        word_right: assert (!did || (kept[WORD_W-1 -: 3] == golden[WORD_W-1 -: 3] && (!valid || kept == golden)));
        // A walk hit matches exactly if the frame holds the page and was not accessed later; a replay, if the frame holds the page.
        match_right: assert (!here || (s3_match == match && (!s3_touch || s3_replay == t_replay)));
        // Walks since the last access, also if the operation right before changed it.
        interval_right: assert (!here || !valid || s3_interval == ago);
        // TAKE only of a page that may leave and was not accessed since, of a fresh page by force alone.
        taken_right: assert (!here || (s3_eligible == eligible && s3_taken == taken));
        // Fresh from its FILL to its first hit, replay, EXPIRE or TAKE, but for the time in which it is pinned.
        fresh_right: assert (!here || s3_fresh == (valid && fresh && !pinned));
        // AGE clamps exactly.
        clamped_right: assert (!here || s3_clamped == clamped);
        // Dirty once written since the FILL, or if a hit that writes was dropped.
        dirty_right: assert (!here || !valid || s3_is_dirty == (dirty || lost));
        // An operation without a frame writes nothing.
        none_writes_nothing: assert (!(s3_valid && s3_none) || !s3_we);
    end

endmodule
`default_nettype wire
