// SPDX-License-Identifier: Apache-2.0
// gmmu_segment: which frames are protected: a search leaves them alone while it finds others (docs/blocks/segment.md).
//
//   side action s3 ─► s4: last - was ─► s5: below T? ─► s6 ─┐ effect, a cycle: first the walk, then the side action,
//   walk w9 ─► w10 ──────────► w12: below T? ──────────► w13 ┘ then another limit
//   CAND's answer ◄── s9 ◄──────────────────────────────┘
//
// The bit of a frame is two bits that differ: one written by side actions, one by walks, each in a RAM of its own.
// PARITY: each of them stands in its RAM three times, and two of them count: a bit that is lost would let the count drift for good.
// Source: LIRS (Jiang and Zhang, SIGMETRICS 2002), by time stamps instead of stacks.
`default_nettype none
module gmmu_segment #(
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // 1: a bit that turned over is told
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    // derived, not to be set: bits of T, in 1/256 walks
    parameter T_W     = TIME_W + 7
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,       // after reset: no frame is protected; nothing else meanwhile
    output wire               cleared,
    input  wire [FRAME_W:0]   cfg_frames,
    input  wire [7:0]         cfg_protect, // 1/256 of the frames that may be protected
    // side action: at most one of the first four
    input  wire               s3_fill, s3_free, s3_cand,
    input  wire               s4_taken,    // a cycle later: the frame's page leaves
    input  wire               s4_searched, // a decision for which frames were searched; the next one four cycles later or more
    input  wire [FRAME_W-1:0] s3_frame,
    input  wire [TIME_W-1:0]  s4_last,     // FILL: last access, a cycle later
    input  wire               s3_returns,  // and the one before it, if the page was here before
    input  wire [TIME_W-1:0]  s3_was,
    input  wire [TIME_W-1:0]  s3_age,      // CAND
    // walk
    input  wire               w9_match,    // it found its page in the frame
    input  wire [FRAME_W-1:0] w9_frame,
    input  wire [TIME_W-1:0]  w10_interval, // a cycle later
    output reg                s9_guarded,  // CAND, six cycles before: it is to be left alone
    output wire               busy,        // another limit is worked out
    output reg                turned,      // PARITY: over with each cycle that used a word of which a bit had turned over
    // tvi
    output wire               tvi_allow,   // the limit is this one from now on: after the side action, before the walk
    output wire [FRAME_W:0]   tvi_limit,
    output wire [FRAME_W:0]   tvi_count,   // this and the next two: after the side action and ALLOW of four cycles before
    output wire [T_W-1:0]     tvi_t,
    output wire               tvi_filling
);

    localparam [FRAME_W:0] LAST_FRAME = FRAMES[FRAME_W:0] - 1'b1;
    localparam D_W = FRAME_W + 2;                                  // frames, with a sign
    localparam [T_W-1:0] LEAST = 4096, MOST = {1'b1, {T_W-1{1'b0}}}; // 16 walks; 2^(TIME_W-2)

    // ======== the limit: a multiplication, when a register is another. Steps: 1 to 8 multiply, 9 compares, ALLOW at 10
    // takes effect at 13 as the side action of its cycle does
    reg  [3:0]         at;
    reg  [FRAME_W:0]   of_frames, product, limit;
    reg  [7:0]         of_share, factor;
    reg  [D_W-1:0]     less;                                       // limit - product
    reg  [T_W-1:0]     first_t, first_high, first_low, first_rise, first_fall; // T, as many walks as frames, and the next ones
    reg                raised, some, limited;                      // the product is above the limit; is not 0; limit != 0
    wire               other = {cfg_frames, cfg_protect} != {of_frames, of_share};
    wire [FRAME_W:0]   sum   = product + (factor[0] ? of_frames : {FRAME_W+1{1'b0}}); // the product is below of_frames
    wire [FRAME_W+T_W:0] walks = {{T_W-8{1'b0}}, product, 8'd0};   // in 1/256
    reg                allow, begins;                              // step 13; the limit was 0
    wire               begins_n = at == 4'd12 && !limited;
    assign tvi_allow = at == 4'd10 && less != 0;
    assign tvi_limit = product;
    assign busy      = at != 0 || other;
    always @(posedge clk) begin
        allow  <= at == 4'd12 && !rst;
        begins <= begins_n && !rst;
        if (at == 0 ? other : 1'b1)
            at <= at == 4'd13 || (at == 4'd10 && less == 0) ? 4'd0 : at + 1'b1;
        if (at == 0) begin
            of_frames <= cfg_frames;
            of_share  <= cfg_protect;
            factor    <= cfg_protect;
            product   <= 0;
        end else if (at < 4'd9) begin
            factor  <= factor >> 1;
            product <= {1'b0, sum[FRAME_W:1]};
        end
        less    <= {1'b0, limit} - {1'b0, product};
        raised  <= product > limit;
        some    <= product != 0;
        first_t <= walks < {{FRAME_W+1{1'b0}}, LEAST} ? LEAST : walks > {{FRAME_W+1{1'b0}}, MOST} ? MOST : walks[T_W-1:0];
        if (allow) begin
            limit   <= product;
            limited <= some;
        end
        if (rst) begin
            at        <= 4'd0;
            of_frames <= 0;
            of_share  <= 8'd0;
            limit     <= 0;
            limited   <= 1'b0;
        end
    end

    // ======== stages up to the effect
    reg fell; // the last step
    // T: what it is, if the last step went down, and if up, and which of them it did (known late)
    reg [T_W-1:0] t_if_fell, t_if_rose, t_high, t_low, t_rise, t_fall;
    wire [T_W-1:0] t = fell ? t_if_fell : t_if_rose;
    wire too_many;
    reg s4_fill, s4_free, s4_cand, s4_returns;
    reg s5_fill, s5_free, s5_cand, s5_taken, s5_searched, s5_returns;
    reg s6_fill, s6_free, s6_cand, s6_taken, s6_searched, s6_returns;
    reg w10_match, w11_match, w12_match, w13_match;
    reg [FRAME_W-1:0] w10_frame;
    reg [TIME_W-1:0]  s4_age, s4_old, s5_walks, w11_walks, w12_walks;
    reg clear4, clear5, clear6, clash4, clash5, clash6;
    // (a T that begins is there with ALLOW, a cycle before the limit: without a limit T means nothing)
    wire steps  = s6_searched && !begins;
    // An interval below it: for each that it may be. Which one it is, is known last: it selects in the next cycle.
    function below(input [TIME_W-1:0] i, input [T_W-1:8] of);
        below = {1'b0, i} < {2'b0, of};
    endfunction
    wire s_same = below(s5_walks, t[T_W-1:8]), w_same = below(w12_walks, t[T_W-1:8]);
    wire s_rise = below(s5_walks, t_rise[T_W-1:8]), w_rise = below(w12_walks, t_rise[T_W-1:8]);
    wire s_fall = below(s5_walks, t_fall[T_W-1:8]), w_fall = below(w12_walks, t_fall[T_W-1:8]);
    reg  s6_if_fell, s6_if_rose, w13_if_fell, w13_if_rose;
    wire s6_below  = fell ? s6_if_fell : s6_if_rose;
    wire w13_below = fell ? w13_if_fell : w13_if_rose;
    wire w13_takes = limited && w13_below;
    reg [FRAME_W:0] clear_frame;
    reg             all_clear;
    assign cleared = all_clear;
    wire clearing  = clear && !cleared;
    wire [FRAME_W-1:0] a_side = clearing ? clear_frame[FRAME_W-1:0] : s3_frame;
    wire [FRAME_W-1:0] a_walk = clearing ? clear_frame[FRAME_W-1:0] : w10_frame;
    always @(posedge clk) begin
        {s4_fill, s4_free, s4_cand} <= rst ? 3'd0 : {s3_fill, s3_free, s3_cand};
        {s5_fill, s5_free, s5_cand, s5_taken, s5_searched} <= rst ? 5'd0 : {s4_fill, s4_free, s4_cand, s4_taken, s4_searched};
        {s6_fill, s6_free, s6_cand, s6_taken, s6_searched} <= rst ? 5'd0 : {s5_fill, s5_free, s5_cand, s5_taken, s5_searched};
        {s6_returns, s5_returns, s4_returns} <= {s5_returns, s4_returns, s3_returns};
        s4_age    <= s3_age;
        s4_old    <= s3_fill ? s3_was : {TIME_W{1'b0}};
        s5_walks  <= (s4_fill ? s4_last : s4_age) - s4_old;
        fell      <= too_many;
        {s6_if_fell, s6_if_rose}   <= steps ? {s_fall, s_rise} : {s_same, s_same};
        {w13_if_fell, w13_if_rose} <= steps ? {w_fall, w_rise} : {w_same, w_same};
        {w13_match, w12_match, w11_match, w10_match} <= rst ? 4'd0 : {w12_match, w11_match, w10_match, w9_match};
        w10_frame <= w9_frame;
        {w12_walks, w11_walks} <= {w11_walks, w10_interval};
        {clear6, clear5, clear4} <= rst ? 3'd0 : {clear5, clear4, clearing};
        {clash6, clash5, clash4} <= {clash5, clash4, a_side == a_walk};
        all_clear   <= !rst && (all_clear || (clearing && clear_frame == LAST_FRAME));
        clear_frame <= rst ? {FRAME_W+1{1'b0}} : clear_frame + {{FRAME_W{1'b0}}, clearing};
    end

    // ======== effect: the walk, then the side action
    wire s_a, s_b, w_a, w_b, w_we, s_we, s_d;
    wire [13:0] unused_q; // of the stages before, and what was forwarded
    wire s_a_bad, s_b_bad, w_a_bad, w_b_bad;
    gmmu_ram_rmw3 #(
        .WIDTH(1),
        .DEPTH(FRAMES),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY != 0 ? 2 : 0)
    ) side_ram (
        .clk(clk),
        .rst(rst),
        .a0_addr(a_side),
        .a2_q(unused_q[0]),
        .a2_fwd(unused_q[8]),
        .a3_q(s_a),
        .a3_fwd(unused_q[1]),
        .a3_we(s_we),
        .a3_d(s_d),
        .a3_poison(1'b0),
        .a3_bad(s_a_bad),
        .b3_bad(w_a_bad),
        .b0_addr(a_walk),
        .b2_q(unused_q[2]),
        .b2_fwd(unused_q[9]),
        .w_q(unused_q[10]),
        .b3_q(w_a),
        .b3_fwd(unused_q[3])
    );
    gmmu_ram_rmw3 #(
        .WIDTH(1),
        .DEPTH(FRAMES),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY != 0 ? 2 : 0)
    ) walk_ram (
        .clk(clk),
        .rst(rst),
        .a0_addr(a_walk),
        .a2_q(unused_q[4]),
        .a2_fwd(unused_q[11]),
        .a3_q(w_b),
        .a3_fwd(unused_q[5]),
        .a3_we(w_we),
        .a3_d(!clear6 && !w_b),
        .b0_addr(a_side),
        .b2_q(unused_q[6]),
        .b2_fwd(unused_q[12]),
        .w_q(unused_q[13]),
        .b3_q(s_b),
        .b3_fwd(unused_q[7]),
        .a3_poison(1'b0),
        .a3_bad(w_b_bad),
        .b3_bad(s_b_bad)
    );
    wire unused = &{1'b0, unused_q, sum[0]};

    // The count less the limit, and beside it what is asked of it: each of them as if the change were -1, 0, 1 or 2, and the
    // change selects.
    reg  [D_W-1:0] above, was_other, was_change; // was_other: with another limit, without the last change
    wire [D_W-1:0] above_other = was_other + was_change; // right from step 11 on, and what is asked of it from 12 on
    reg            negative, zero, one, minus1, minus2;
    reg            o_negative, o_zero, o_one, o_minus1, o_minus2;
    reg            filling;                      // the limit was raised and not reached since
    wire positive = !negative && !zero;
    wire w_set    = w13_match && w_a == w_b && (filling || w13_takes);
    assign w_we   = clear6 || w_set;

    localparam [D_W-1:0] IS_1 = 1, IS_M1 = {D_W{1'b1}}, IS_M2 = IS_M1 - 1'b1;
    // (with another limit the last change and this one are one sum: by = {the last, -1, 1, 2 more}, or without it)
    reg  [15:0]    by;
    wire [D_W-1:0] base_of = allow ? was_other : above;
    wire [D_W-1:0] base   = base_of + {{D_W-4{by[15]}}, by[15:12]}, base_m1 = base_of + {{D_W-4{by[11]}}, by[11:8]};
    wire [D_W-1:0] base_1 = base_of + {{D_W-4{by[7]}}, by[7:4]},    base_2  = base_of + {{D_W-4{by[3]}}, by[3:0]};
    localparam [15:0] BY_M1 = 16'hfe01, BY_0 = 16'h0f12, BY_1 = 16'h1023, BY_2 = 16'h2134;
    wire [31:0]    if_by; // the change as `by` has it
    // what is asked of the count before this change (asked_count): negative, 0, 1, -1, -2
    wire [4:0] asked = allow ? {o_negative, o_zero, o_one, o_minus1, o_minus2} : {negative, zero, one, minus1, minus2};
    // Whether the walk's frame becomes protected is the last to be known: all that follows is there as if it did not and as if it did.
    wire [1:0] if_sets, if_clears, if_guards, if_many, if_negative, if_zero, if_one, if_minus1, if_minus2, if_filling;
    wire [1:0] if_o_negative, if_o_zero, if_o_one, if_o_minus1, if_o_minus2;
    wire [2*D_W-1:0] if_change, if_above;
    genvar v;
    generate
        for (v = 0; v < 2; v = v + 1) begin : g_if
            wire walk      = v != 0;
            wire here      = clash6 && walk;                       // the walk's frame is the side action's
            wire s_is      = s_a != s_b || here;
            wire fills     = filling && !(walk && minus1);
            wire over      = positive || (zero && walk);
            wire lets_go   = s6_cand && s_is && over && !s6_below;
            wire s_set     = s6_fill && (fills || (s6_returns && limited && s6_below));
            wire minus     = if_clears[v] && s_is;
            wire down      = minus && !walk && !s_set;
            wire up2       = walk && s_set && !minus;
            wire odd       = walk ^ s_set ^ minus;
            assign if_clears[v] = s6_fill || s6_free || s6_taken || lets_go;
            assign if_sets[v]   = s_set ^ here;                    // of the side action's bit: it turns over
            assign if_guards[v] = s6_cand && s_is && !lets_go && limited;
            assign if_many[v]   = s6_taken && s_is ? (positive && (!one || walk)) : over;
            assign if_by[v*16 +: 16]       = down ? BY_M1 : up2 ? BY_2 : odd ? BY_1 : BY_0;
            assign if_change[v*D_W +: D_W] = {{D_W-2{down}}, down || up2, odd};
            assign if_above[v*D_W +: D_W]  = up2 ? base_2 : down ? base_m1 : odd ? base_1 : base;
            gmmu_asked_count #(.WIDTH(D_W)) after (
                .count(base),
                .negative(asked[4]),
                .zero(asked[3]),
                .one(asked[2]),
                .minus1(asked[1]),
                .minus2(asked[0]),
                .by_2(up2),
                .by_m1(down),
                .by_1(odd),
                .n_negative(if_negative[v]),
                .n_zero(if_zero[v]),
                .n_one(if_one[v]),
                .n_minus1(if_minus1[v]),
                .n_minus2(if_minus2[v])
            );
            assign if_filling[v]  = (allow ? raised : fills) && if_negative[v];
            gmmu_asked_count #(.WIDTH(D_W)) other_after (
                .count(above_other),
                .negative(above_other[D_W-1]),
                .zero(above_other == 0),
                .one(above_other == IS_1),
                .minus1(above_other == IS_M1),
                .minus2(above_other == IS_M2),
                .by_2(up2),
                .by_m1(down),
                .by_1(odd),
                .n_negative(if_o_negative[v]),
                .n_zero(if_o_zero[v]),
                .n_one(if_o_one[v]),
                .n_minus1(if_o_minus1[v]),
                .n_minus2(if_o_minus2[v])
            );
        end
    endgenerate
    assign s_we    = clear6 || if_clears[w_set];
    assign s_d     = !clear6 && (s_b ^ if_sets[w_set]);

    // T: a step with a decision, as the count is then. The next two values it may have are there three cycles later.
    assign too_many = if_many[w_set];
    function [T_W-1:0] at_most(input [T_W-1:0] higher);
        at_most = higher[T_W-1] ? MOST : higher;
    endfunction
    function [T_W-1:0] at_least(input [T_W-1:0] lower);
        at_least = lower[T_W-1:12] == 0 ? LEAST : lower;
    endfunction

    wire s6_acts = s6_fill || s6_free || s6_cand || s6_taken;
    reg s7_guarded, s8_guarded;
    always @(posedge clk) begin
        turned      <= !rst && turned != ((s6_acts && (s_a_bad || s_b_bad)) || (w13_match && (w_a_bad || w_b_bad)));
        above       <= w_set ? if_above[D_W +: D_W] : if_above[0 +: D_W];
        was_other   <= above + less;
        by          <= at != 4'd12 || rst ? BY_0 : w_set ? if_by[31:16] : if_by[15:0];
        was_change  <= w_set ? if_change[D_W +: D_W] : if_change[0 +: D_W];
        {negative, zero, one, minus1, minus2} <= {if_negative[w_set], if_zero[w_set], if_one[w_set], if_minus1[w_set], if_minus2[w_set]};
        {o_negative, o_zero, o_one, o_minus1, o_minus2} <= {if_o_negative[w_set], if_o_zero[w_set], if_o_one[w_set], if_o_minus1[w_set],
                                                            if_o_minus2[w_set]};
        filling     <= if_filling[w_set];
        first_high <= first_t + (first_t >> 7);
        first_low  <= first_t - (first_t >> 5);
        first_rise <= at_most(first_high);
        first_fall <= at_least(first_low);
        t_if_fell  <= begins_n ? first_t : steps ? t_fall : t;
        t_if_rose  <= begins_n ? first_t : steps ? t_rise : t;
        t_high     <= t + (t >> 7);
        t_low      <= t - (t >> 5);
        t_rise     <= begins ? first_rise : at_most(t_high);
        t_fall     <= begins ? first_fall : at_least(t_low);
        {s9_guarded, s8_guarded, s7_guarded} <= {s8_guarded, s7_guarded, if_guards[w_set]};
        if (rst) begin
            above   <= 0;
            {negative, zero, one, minus1, minus2} <= 5'b01000;
            filling <= 1'b0;
            t_if_fell <= LEAST;
            t_if_rose <= LEAST;
            t_high  <= LEAST + (LEAST >> 7);
            t_low   <= LEAST;
            t_rise  <= LEAST + (LEAST >> 7);
            t_fall  <= LEAST;
        end
    end
    wire [D_W-1:0] count = above + {1'b0, limit};
    assign tvi_count   = count[FRAME_W:0];
    assign tvi_t       = t;
    assign tvi_filling = filling;
    wire unused_count = &{1'b0, count};

endmodule
`default_nettype wire
