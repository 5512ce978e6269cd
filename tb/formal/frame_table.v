// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_table: a golden frame, any one, under any operations on both ports.
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
    input wire [FRAME_W-1:0] w0_frame, s0_frame,
    input wire               w2_hit, w2_write,
    input wire [ASID_W-1:0]  w2_asid, s2_asid,
    input wire [VPN_W-1:0]   w2_vpn, s2_vpn,
    input wire [CLASS_W-1:0] w2_class, s2_class,
    input wire [TIME_W-1:0]  w2_time, s2_time, s2_last,
    input wire               s2_fill, s2_free, s2_pin, s2_unpin, s2_unleave, s2_age, s2_take, s2_dirty
);

    // reset, then one clearing cycle a frame, then three cycles of rest
    reg [3:0] at = 4'd0;
    localparam START = 1 + FRAMES + 3;
    always @(posedge clk)
        if (at != START)
            at <= at + 1'b1;
    wire rst   = at == 0;
    wire clear = at >= 1 && at <= FRAMES;
    wire run   = at == START;
    wire [FRAME_W-1:0] clear_frame = at - 1'b1;

    wire               w2_match, s2_valid, s2_leaving, s2_eligible, s2_taken, s2_clamped, s2_is_dirty;
    wire [CLASS_W-1:0] w2_was_class, s2_was_class;
    wire [TIME_W-1:0]  w2_interval, s2_interval, s2_was_last;
    wire [ASID_W-1:0]  s2_was_asid;
    wire [VPN_W-1:0]   s2_was_vpn;
    frame_table #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W), .FRAME_W(FRAME_W)
    ) dut (
        .clk(clk), .rst(rst), .clear(clear), .clear_frame(clear_frame), .w0_frame(w0_frame),
        .w2_hit(w2_hit), .w2_asid(w2_asid), .w2_vpn(w2_vpn), .w2_class(w2_class), .w2_write(w2_write),
        .w2_time(w2_time), .w2_match(w2_match), .w2_was_class(w2_was_class), .w2_interval(w2_interval),
        .s0_frame(s0_frame), .s2_fill(s2_fill), .s2_free(s2_free), .s2_pin(s2_pin), .s2_unpin(s2_unpin),
        .s2_unleave(s2_unleave), .s2_age(s2_age), .s2_take(s2_take), .s2_asid(s2_asid), .s2_vpn(s2_vpn),
        .s2_class(s2_class), .s2_last(s2_last), .s2_dirty(s2_dirty), .s2_time(s2_time),
        .s2_valid(s2_valid), .s2_leaving(s2_leaving), .s2_eligible(s2_eligible), .s2_taken(s2_taken),
        .s2_clamped(s2_clamped), .s2_is_dirty(s2_is_dirty), .s2_was_asid(s2_was_asid),
        .s2_was_vpn(s2_was_vpn), .s2_was_class(s2_was_class), .s2_was_last(s2_was_last),
        .s2_interval(s2_interval)
    );

    wire any = s2_fill || s2_free || s2_pin || s2_unpin || s2_unleave || s2_age || s2_take;
    always @* begin
        assume ({3'd0, s2_fill} + s2_free + s2_pin + s2_unpin + s2_unleave + s2_age + s2_take <= 4'd1);
        assume (run || !(any || w2_hit));
    end

    (* anyconst *) wire [FRAME_W-1:0] here;
    reg s1_here, s2_here, w1_here, w2_here;
    always @(posedge clk) begin
        s1_here <= s0_frame == here;
        s2_here <= s1_here;
        w1_here <= w0_frame == here;
        w2_here <= w1_here;
    end

    // the golden frame; `n_`: after the side operation of this cycle
    reg               valid, pinned, leaving, dirty, n_valid, n_pinned, n_leaving, n_dirty;
    reg [CLASS_W-1:0] class, n_class;
    reg [TIME_W-1:0]  last, n_last;
    reg [ASID_W-1:0]  asid, n_asid;
    reg [VPN_W-1:0]   vpn, n_vpn;
    localparam [TIME_W-1:0] OLD = 1 << (TIME_W - 2);
    wire [TIME_W-1:0] s_age = s2_time - last;
    wire [TIME_W-1:0] w_age = w2_time - n_last;
    wire eligible = valid && !pinned && !leaving;
    wire clamped  = s2_age && valid && s_age >= OLD;
    wire taken    = s2_take && eligible && last == s2_last;
    wire match    = w2_hit && n_valid && n_asid == w2_asid && n_vpn == w2_vpn;
    always @* begin
        {n_valid, n_pinned, n_leaving, n_dirty} = {valid, pinned, leaving, dirty};
        {n_class, n_last, n_asid, n_vpn} = {class, last, asid, vpn};
        if (s2_here) begin
            if (s2_fill) begin
                {n_valid, n_pinned, n_leaving, n_dirty} = {3'b100, s2_dirty};
                {n_class, n_last, n_asid, n_vpn} = {s2_class, s2_last, s2_asid, s2_vpn};
            end
            if (s2_free)
                {n_valid, n_pinned, n_leaving} = 3'b000;
            if (s2_pin)
                n_pinned = valid;
            if (s2_unpin)
                n_pinned = 1'b0;
            if (s2_unleave)
                n_leaving = 1'b0;
            if (taken)
                n_leaving = 1'b1;
            if (clamped)
                n_last = s2_time - OLD;
        end
    end
    always @(posedge clk) begin
        {valid, pinned, leaving, dirty} <= {n_valid, n_pinned, n_leaving, n_dirty};
        {class, last, asid, vpn} <= {n_class, n_last, n_asid, n_vpn};
        if (w2_here && match) begin
            class <= w2_class;
            last  <= w2_time;
            dirty <= n_dirty || w2_write;
        end
        if (!run)
            {valid, pinned, leaving} <= 3'b000;
    end

    wire s = run && s2_here;
    wire w = run && w2_here;
    always @* begin
        // TAKE only of a frame that is valid, not pinned, not leaving and not accessed since.
        take_only_eligible: assert (!s || s2_taken == taken);
        // The side port sees valid, leaving and eligible as golden.
        side_state: assert (!s || (s2_valid == valid && s2_leaving == leaving && s2_eligible == eligible));
        // The side port sees the page of a valid frame, its class, last access and dirty bit as golden.
        side_page: assert (!(s && valid) || (s2_was_asid == asid && s2_was_vpn == vpn && s2_was_class == class &&
                                             s2_was_last == last && s2_is_dirty == dirty));
        // AGE clamps exactly the ages of a quarter of the range and more.
        age_clamps: assert (!s || s2_clamped == clamped);
        // A walk hit matches exactly where the frame holds the page after the side operation of its cycle.
        walk_match: assert (!w || w2_match == match);
        // Then class and interval are those of the access before.
        walk_interval: assert (!(w && match) || (w2_was_class == n_class && w2_interval == w_age));
    end

endmodule
`default_nettype wire
