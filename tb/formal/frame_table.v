// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_table: a golden frame, any one, under any operations on both ports.
//: pdr 180 s
//: bmc3 30 frames 20 s
//: find 1 2 3 4 5 6 7 8 9 10 242 243 244 245 92:kept_stays 93:kept_stays 336:kept_stays
`default_nettype none
module formal_frame_table #(
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1
) (
    input wire               clk,
    input wire [FRAME_W-1:0] w5_frame, s0_frame,
    input wire               w9_hit, w9_write,
    input wire [ASID_W-1:0]  w8_asid, s2_asid,
    input wire [VPN_W-1:0]   w8_vpn, s2_vpn,
    input wire [CLASS_W-1:0] w9_class, s3_class,
    input wire [TIME_W-1:0]  w8_time, s2_time, s2_expect, s3_last,
    input wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_unleave, s3_age, s3_take, s3_keep, s3_pass, s3_look, s3_dirty
);

    // reset, then one clearing cycle a frame, then four cycles of rest
    reg [3:0] at = 4'd0;
    localparam START = 1 + FRAMES + 4;
    always @(posedge clk)
        if (at != START)
            at <= at + 1'b1;
    wire rst   = at == 0;
    wire clear = at >= 1 && at <= FRAMES;
    wire run   = at == START;
    wire [FRAME_W-1:0] clear_frame = at - 1'b1;

    wire               w9_bad, s3_bad, w9_match, s3_valid, s3_leaving, s3_eligible, s3_recent, s3_taken, s3_clamped, s3_is_dirty;
    wire [CLASS_W-1:0] w10_was_class, s3_was_class;
    wire [TIME_W-1:0]  w10_interval, s3_interval, s3_was_last, s4_newlast;
    wire [ASID_W-1:0]  s3_was_asid;
    wire [VPN_W-1:0]   s3_was_vpn;
    frame_table #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W), .FRAME_W(FRAME_W)
    ) dut (
        .clk(clk), .rst(rst), .clear(clear), .clear_frame(clear_frame), .w5_frame(w5_frame),
        .w9_hit(w9_hit), .w8_asid(w8_asid), .w8_vpn(w8_vpn), .w9_class(w9_class), .w9_write(w9_write),
        .w8_time(w8_time), .w9_match(w9_match), .w10_was_class(w10_was_class), .w10_interval(w10_interval),
        .s0_frame(s0_frame), .s3_fill(s3_fill), .s3_free(s3_free), .s3_pin(s3_pin), .s3_unpin(s3_unpin),
        .s3_unleave(s3_unleave), .s3_age(s3_age), .s3_take(s3_take), .s3_keep(s3_keep), .s3_pass(s3_pass), .s3_recent(s3_recent),
        .s3_look(s3_look), .s3_bad(s3_bad), .w9_bad(w9_bad),
        .s2_asid(s2_asid), .s2_vpn(s2_vpn),
        .s3_class(s3_class), .s3_last(s3_last), .s3_dirty(s3_dirty), .s2_time(s2_time), .s2_expect(s2_expect),
        .s3_valid(s3_valid), .s3_leaving(s3_leaving), .s3_eligible(s3_eligible), .s3_taken(s3_taken),
        .s3_clamped(s3_clamped), .s3_is_dirty(s3_is_dirty), .s3_was_asid(s3_was_asid),
        .s3_was_vpn(s3_was_vpn), .s3_was_class(s3_was_class), .s3_was_last(s3_was_last),
        .s3_interval(s3_interval), .s4_newlast(s4_newlast)
    );

    wire any = s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_age || s3_take || s3_pass;
    always @* begin
        assume ({3'd0, s3_fill} + s3_free + s3_pin + s3_unpin + s3_unleave + s3_age + s3_take + s3_pass <= 4'd1);
        assume (run || !(any || s3_look || w9_hit));
    end

    // in the fourth cycle after the address of a FILL or an AGE is none of another operation
    reg [3:0] lost = 4'd0; // FILL or AGE stood at s3 one to four cycles ago
    always @(posedge clk)
        lost <= {lost[2:0], s3_fill || s3_age};
    always @* assume (!(lost[3] && (any || s3_look)) && !(lost[0] && (s3_take || s3_age))); // and no TAKE, no AGE right behind

    (* anyconst *) wire [FRAME_W-1:0] here;
    reg s1_here, s2_here, s3_here, w6_here, w7_here, w8_here, w9_here;
    // what came at stage 2
    reg [ASID_W-1:0]  s3_asid, w9_asid;
    reg [VPN_W-1:0]   s3_vpn, w9_vpn;
    reg [TIME_W-1:0]  s3_time, s3_expect, w9_time;
    always @(posedge clk) begin
        s1_here <= s0_frame == here;
        s2_here <= s1_here;
        s3_here <= s2_here;
        w6_here <= w5_frame == here;
        w7_here <= w6_here;
        w8_here <= w7_here;
        w9_here <= w8_here;
        {s3_asid, s3_vpn, s3_time, s3_expect} <= {s2_asid, s2_vpn, s2_time, s2_expect};
        {w9_asid, w9_vpn, w9_time} <= {w8_asid, w8_vpn, w8_time};
    end

    // the golden frame; `n_`: after the side operation of this cycle
    reg               valid, pinned, leaving, dirty, n_valid, n_pinned, n_leaving, n_dirty;
    reg               recent, n_recent; // hit, or kept, since it was filled or passed
    reg [CLASS_W-1:0] class, n_class;
    reg [TIME_W-1:0]  last, n_last;
    reg [ASID_W-1:0]  asid, n_asid;
    reg [VPN_W-1:0]   vpn, n_vpn;
    localparam [TIME_W-1:0] OLD = 1 << (TIME_W - 2);
    wire [TIME_W-1:0] s_age = s3_time - last;
    wire [TIME_W-1:0] w_age = w9_time - n_last;
    wire eligible = valid && !pinned && !leaving;
    wire clamped  = s3_age && valid && s_age >= OLD;
    wire taken    = s3_take && eligible && last == s3_expect;
    wire match    = w9_hit && n_valid && n_asid == w9_asid && n_vpn == w9_vpn;
    always @* begin
        {n_valid, n_pinned, n_leaving, n_dirty} = {valid, pinned, leaving, dirty};
        {n_class, n_last, n_asid, n_vpn} = {class, last, asid, vpn};
        n_recent = recent && !(s3_here && (s3_fill || (s3_pass && eligible)));
        if (s3_here) begin
            if (s3_fill) begin
                {n_valid, n_pinned, n_leaving, n_dirty} = {3'b100, s3_dirty};
                {n_class, n_last, n_asid, n_vpn} = {s3_class, s3_last, s3_asid, s3_vpn};
            end
            if (s3_free)
                {n_valid, n_pinned, n_leaving} = 3'b000;
            if (s3_pin)
                n_pinned = valid;
            if (s3_unpin)
                n_pinned = 1'b0;
            if (s3_unleave)
                n_leaving = 1'b0;
            if (taken && !s3_keep)
                n_leaving = 1'b1;
            if (taken && s3_keep)
                n_recent = 1'b1;
            if (clamped)
                n_last = s3_time - OLD;
        end
    end
    always @(posedge clk) begin
        {valid, pinned, leaving, dirty} <= {n_valid, n_pinned, n_leaving, n_dirty};
        {class, last, asid, vpn} <= {n_class, n_last, n_asid, n_vpn};
        recent <= n_recent || (w9_here && match);
        if (w9_here && match) begin
            class <= w9_class;
            last  <= w9_time;
            dirty <= n_dirty || w9_write;
        end
        if (!run)
            {valid, pinned, leaving} <= 3'b000;
    end

    // it was kept, and nothing but walks and AGE came to it since
    reg kept;
    always @(posedge clk)
        kept <= run && ((s3_here && taken && s3_keep) || (kept && !(s3_here && any && !s3_age && !(s3_take && !taken))));

    wire s = run && s3_here;
    wire w = run && w9_here;
    reg              w10_told = 1'b0;
    reg [TIME_W-1:0] w10_age;
    reg [CLASS_W-1:0] w10_class;
    always @(posedge clk)
        {w10_told, w10_age, w10_class} <= {w && match, w_age, n_class};
    always @* begin
        // TAKE only of a frame that is valid, not pinned, not leaving and not accessed since.
        take_only_eligible: assert (!s || s3_taken == taken);
        // The side port sees valid, leaving and eligible as golden.
        side_state: assert (!s || (s3_valid == valid && s3_leaving == leaving && (lost[3] || s3_eligible == eligible)));
        // No word of the frame is said to be bad.
        no_alarm: assert (!(s && s3_bad) && !(w && w9_bad));
        // The side port sees the page of a valid frame, its class, last access and dirty bit as golden.
        side_page: assert (!(s && valid) || lost[3] || (s3_was_asid == asid && s3_was_vpn == vpn && s3_was_class == class &&
                                             s3_was_last == last && s3_is_dirty == dirty));
        // A valid frame was hit, or kept, since it was filled or passed exactly if the marks say so, whatever AGE does.
        side_recent: assert (!(s && valid) || s3_recent == recent);
        // A page that was kept is there, may leave another time, and counts as hit.
        kept_stays: assert (!(s && kept) || (s3_valid && !s3_leaving && (lost[3] || s3_eligible) && s3_recent));
        // AGE clamps exactly the ages of a quarter of the range and more.
        age_clamps: assert (!s || s3_clamped == clamped);
        // A walk hit matches exactly where the frame holds the page after the side operation of its cycle.
        walk_match: assert (!w || w9_match == match);
        // Then, a cycle later, class and interval are those of the access before.
        walk_class: assert (!w10_told || w10_was_class == w10_class);
        walk_interval: assert (!w10_told || w10_interval == w10_age);
    end

endmodule
`default_nettype wire
