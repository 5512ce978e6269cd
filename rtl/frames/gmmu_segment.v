// SPDX-License-Identifier: Apache-2.0
// gmmu_segment: the protected frames, which a search leaves alone while the search finds others (docs/reference/blocks/segment.md).
//
//   side action s3 ─► s4: last - was ─► s5: below T? ─► s6 ─┐ effects of a cycle: the walk, then the side action,
//   walk w9 ─► w10 ──────────► w12: below T? ──────────► w13 ┘ then the new limit
//   CAND's answer ◄── s9 ◄──────────────────────────────┘
//
// A frame is protected if its two bits differ: side actions write the one, walks the other, each in a RAM of its own.
// PARITY: a RAM holds each bit three times, and the majority counts: a lost bit would let the count drift for good.
// Source: LIRS (Jiang and Zhang, SIGMETRICS 2002), by time stamps instead of stacks.
`default_nettype none
module gmmu_segment #(
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // 1: corrupt bits are reported
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1,
    // derived, not to be set: bits of T, in 1/256 walks
    parameter T_W     = TIME_W + 7
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,        // the reset sequence is under way; nothing else comes meanwhile
    output wire               cleared,      // no frame is protected
    input  wire [FRAME_W:0]   cfg_frames,   // number of enabled frames
    input  wire [7:0]         cfg_protect,  // share of the frames that may be protected, in 1/256
    // side action: at most one of s3_fill, s3_free, s3_cand and the DECIDE behind s4_taken
    input  wire               s3_fill,      // FILL takes effect
    input  wire               s3_free,      // FREE takes effect
    input  wire               s3_cand,      // CAND takes effect
    input  wire               s4_taken,     // a cycle after DECIDE: the frame's page leaves
    input  wire               s4_searched,  // a cycle after DECIDE: frames were searched for the decision; the next comes four cycles later or more
    input  wire [FRAME_W-1:0] s3_frame,     // frame of the action at s3
    input  wire [TIME_W-1:0]  s4_last,      // a cycle after FILL: time of the page's last access
    input  wire               s3_returns,   // FILL: the page returns, and s3_was is valid
    input  wire [TIME_W-1:0]  s3_was,       // FILL of a page that returns: time of the last access before the page left
    input  wire [TIME_W-1:0]  s3_age,       // CAND: age of the page, in walks
    // walk
    input  wire               w9_match,     // the frame of the walk at w9 holds the walk's page
    input  wire [FRAME_W-1:0] w9_frame,     // frame of the walk at w9
    input  wire [TIME_W-1:0]  w10_interval, // reuse interval of the walk at w10, in walks
    output reg                s9_guarded,   // the candidate of the CAND six cycles before is protected: the search leaves the frame alone
    output wire               busy,         // a new limit is being computed
    output reg                turned,       // PARITY: toggles with each cycle that used a word with a corrupt bit
    // tvi
    output wire               tvi_allow,    // tvi_limit is the limit from this cycle on: after the side action, before the walk
    output wire [FRAME_W:0]   tvi_limit,    // the new limit
    output wire [FRAME_W:0]   tvi_count,    // number of protected frames, after the side action and the ALLOW of four cycles before
    output wire [T_W-1:0]     tvi_t,        // T, in 1/256 walks, after the side action of four cycles before
    output wire               tvi_filling   // the protected segment fills, after the side action of four cycles before
);

    localparam [FRAME_W:0] LAST_FRAME = FRAMES[FRAME_W:0] - 1'b1;
    localparam D_W = FRAME_W > 1 ? FRAME_W + 2 : 4;                // bits of a signed number of frames, not below those of a change
    localparam [T_W-1:0] LEAST = 4096, MOST = {1'b1, {T_W-1{1'b0}}}; // 16 walks; 2^(TIME_W-2)

    // ======== the limit is a product, computed when cfg_frames or cfg_protect changes
    //   steps 1 to 8 | multiply
    //   step 9       | compares with the limit
    //   step 10      | ALLOW, if the limit changes
    //   step 13      | ALLOW takes effect, as the side action of step 10 does
    reg  [3:0]       at;        // step of the computation; 0: none
    reg  [FRAME_W:0] of_frames; // cfg_frames of the computation
    reg  [FRAME_W:0] product;   // the product, from step 9 on
    reg  [FRAME_W:0] limit;     // number of frames that may be protected
    reg  [7:0]       of_share;  // cfg_protect of the computation
    reg  [7:0]       factor;    // bits of of_share that are not multiplied yet
    reg  [D_W-1:0]   less;      // limit - product
    reg              raised;    // the product is above the limit
    reg              some;      // the product is not 0
    reg              limited;   // the limit is not 0
    wire               other = {cfg_frames, cfg_protect} != {of_frames, of_share};
    wire [FRAME_W:0]   sum   = product + (factor[0] ? of_frames : {FRAME_W+1{1'b0}}); // the product is below of_frames
    reg                allow;                                      // step 13: the new limit takes effect
    reg                begins;                                     // step 13: the limit was 0, so that T begins
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
        less   <= {1'b0, limit} - {1'b0, product};
        raised <= product > limit;
        some   <= product != 0;
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

    // ======== T
    // T makes a step with each decision, down if too many frames are protected. The next two values of T are sums in two halves, and valid
    // three cycles after T. A T that begins is in the low half's sums a cycle before, as a step may come with the limit.
    // as-if register: the direction of a step, `fell`, arrives last. So T is t_fall or t_rise in the cycle after the step.
    localparam LOW = T_W / 2; // bits of the low half
    // the least T + T / 128 that is not below MOST, and the least T - T / 32 that is not below LEAST, solved for T
    localparam [T_W-1:0] TO_MOST = MOST - MOST / 129, TO_LEAST = LEAST + LEAST / 31;
    wire           steps;     // T makes a step
    reg            stepped;   // T made a step in the cycle before
    reg            fell;      // the last step went down
    reg  [T_W-1:0] t_kept;    // T, unless T made a step in the cycle before
    reg  [T_W-1:0] t_rise;    // T after a step up; the high half a cycle later
    reg  [T_W-1:0] t_fall;    // T after a step down; the high half a cycle later
    reg            carry;     // carry of the low half of t_rise
    reg            borrow;    // borrow of the low half of t_fall
    reg            to_most;   // is_most, a cycle later
    reg            to_least;  // is_least, a cycle later
    wire [T_W-1:0] t_if_fell; // T, if the step of this cycle goes down
    wire [T_W-1:8] t_if_rose; // T in walks, if the step of this cycle goes up
    wire [FRAME_W+T_W:0] walks = {{T_W-8{1'b0}}, product, 8'd0}; // the product as walks, in 1/256
    wire [T_W-1:0] t_first   = walks < {{FRAME_W+1{1'b0}}, LEAST} ? LEAST : walks > {{FRAME_W+1{1'b0}}, MOST} ? MOST : walks[T_W-1:0]; // T that begins
    wire [T_W-1:0] t_early   = begins_n ? t_first : t_kept; // T of the sums' low half
    wire           is_most   = t_early >= TO_MOST;          // a step up ends at MOST
    wire           is_least  = t_early < TO_LEAST;          // a step down ends at LEAST
    wire [LOW:0]   rise_low  = {1'b0, t_early[LOW-1:0]} + {1'b0, t_early[LOW+6:7]}; // low half of T after a step up, and its carry
    wire [LOW:0]   fall_low  = {1'b0, t_early[LOW-1:0]} - {1'b0, t_early[LOW+4:5]}; // low half of T after a step down, and its borrow
    wire [T_W-1:0] step_up   = t_kept >> 7;                 // what a step up adds
    wire [T_W-1:0] step_down = t_kept >> 5;                 // what a step down takes
    // (bit 0 of each is there for the carry of the low half)
    wire [T_W-LOW:0] rise_high = {t_kept[T_W-1:LOW], 1'b1} + {step_up[T_W-1:LOW], carry};      // high half of T after a step up
    wire [T_W-LOW:0] fall_high = {t_kept[T_W-1:LOW], 1'b1} + {~step_down[T_W-1:LOW], !borrow}; // high half of T after a step down
    wire           unused_step = &{1'b0, step_up[LOW-1:0], step_down[LOW-1:0], rise_high[0], fall_high[0]};
    assign t_if_fell = steps || (stepped && fell) ? t_fall : stepped ? t_rise : t_kept;
    assign t_if_rose = steps || (stepped && !fell) ? t_rise[T_W-1:8] : stepped ? t_fall[T_W-1:8] : t_kept[T_W-1:8];
    always @(posedge clk) begin
        stepped  <= steps && !begins_n && !rst;
        to_most  <= is_most;
        to_least <= is_least;
        carry    <= rise_low[LOW];
        borrow   <= fall_low[LOW];
        t_rise   <= {to_most ? MOST[T_W-1:LOW] : rise_high[T_W-LOW:1],
                     is_most ? MOST[LOW-1:0] : rise_low[LOW-1:0]};
        t_fall   <= {to_least ? LEAST[T_W-1:LOW] : fall_high[T_W-LOW:1],
                     is_least ? LEAST[LOW-1:0] : fall_low[LOW-1:0]};
        t_kept   <= rst ? LEAST : begins_n ? t_first : t_if_fell;
    end

    // ======== stages up to the effect
    wire too_many;           // this step goes down: more frames are protected than the limit allows
    // the side action and the walk at the stages named in front
    reg s4_fill, s4_free, s4_cand, s4_returns;
    reg s5_fill, s5_free, s5_cand, s5_taken, s5_searched, s5_returns;
    reg s6_fill, s6_free, s6_cand, s6_taken, s6_searched, s6_returns;
    reg w10_match, w11_match, w12_match, w13_match;
    reg [FRAME_W-1:0] w10_frame;
    reg [TIME_W-1:0]  s4_time;              // FILL: time of the access that the page's interval begins with. CAND: age of the page
    reg [TIME_W-1:0]  s5_walks;             // interval (FILL) or age (CAND) that is compared with T
    reg [TIME_W-1:0]  w11_walks, w12_walks; // interval of the walk
    reg clear4, clear5, clear6;             // the reset sequence clears a frame
    reg clash4, clash5, clash6;             // the side action and the walk are at one frame
    // (a T that begins is valid with ALLOW, a cycle before the limit: without a limit T means nothing)
    assign steps = s6_searched && !begins;
    // as-if register: an interval is compared with each value that T may have; `fell` selects in the next cycle
    function below(input [TIME_W-1:0] i, input [T_W-1:8] of);
        below = {1'b0, i} < {2'b0, of};
    endfunction
    reg  s6_if_fell, s6_if_rose, w13_if_fell, w13_if_rose;
    wire s6_below  = fell ? s6_if_fell : s6_if_rose;    // the side action's interval is below T
    wire w13_below = fell ? w13_if_fell : w13_if_rose;  // the walk's interval is below T
    wire w13_takes = limited && w13_below;              // the walk protects its frame
    reg [FRAME_W:0] clear_frame; // the frame that the reset sequence clears next
    reg             all_clear;   // all frames are cleared
    assign cleared = all_clear;
    wire clearing  = clear && !cleared;
    wire [FRAME_W-1:0] a_side = clearing ? clear_frame[FRAME_W-1:0] : s3_frame;
    wire [FRAME_W-1:0] a_walk = clearing ? clear_frame[FRAME_W-1:0] : w10_frame;
    always @(posedge clk) begin
        {s4_fill, s4_free, s4_cand} <= rst ? 3'd0 : {s3_fill, s3_free, s3_cand};
        {s5_fill, s5_free, s5_cand, s5_taken, s5_searched} <= rst ? 5'd0 : {s4_fill, s4_free, s4_cand, s4_taken, s4_searched};
        {s6_fill, s6_free, s6_cand, s6_taken, s6_searched} <= rst ? 5'd0 : {s5_fill, s5_free, s5_cand, s5_taken, s5_searched};
        {s6_returns, s5_returns, s4_returns} <= {s5_returns, s4_returns, s3_returns};
        s4_time   <= s3_fill ? s3_was : s3_age;
        s5_walks  <= s4_fill ? s4_last - s4_time : s4_time;
        fell      <= too_many;
        {s6_if_fell, s6_if_rose}   <= {below(s5_walks, t_if_fell[T_W-1:8]), below(s5_walks, t_if_rose)};
        {w13_if_fell, w13_if_rose} <= {below(w12_walks, t_if_fell[T_W-1:8]), below(w12_walks, t_if_rose)};
        {w13_match, w12_match, w11_match, w10_match} <= rst ? 4'd0 : {w12_match, w11_match, w10_match, w9_match};
        w10_frame <= w9_frame;
        {w12_walks, w11_walks} <= {w11_walks, w10_interval};
        {clear6, clear5, clear4} <= rst ? 3'd0 : {clear5, clear4, clearing};
        {clash6, clash5, clash4} <= {clash5, clash4, a_side == a_walk};
        all_clear   <= !rst && (all_clear || (clearing && clear_frame == LAST_FRAME));
        clear_frame <= rst ? {FRAME_W+1{1'b0}} : clear_frame + {{FRAME_W{1'b0}}, clearing};
    end

    // ======== effect: the walk, then the side action
    wire        s_a;      // the side bit of the side action's frame
    wire        s_b;      // the walk bit of the side action's frame
    wire        w_a;      // the side bit of the walk's frame
    wire        w_b;      // the walk bit of the walk's frame
    wire        w_we;     // the walk writes its bit
    wire        s_we;     // the side action writes its bit
    wire        s_d;      // the bit that the side action writes
    wire [13:0] unused_q; // outputs of the stages before, and the forwarding flags
    wire        s_a_bad;  // s_a is corrupt
    wire        s_b_bad;  // s_b is corrupt
    wire        w_a_bad;  // w_a is corrupt
    wire        w_b_bad;  // w_b is corrupt
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

    // asked count: the number of protected frames less the limit. The sum and the answers about the sum exist for a change of -1, 0,
    // 1 and 2; the change arrives last and selects.
    reg  [D_W-1:0] above;      // protected frames less the limit
    reg  [D_W-1:0] was_other;  // `above` with the new limit, without the last change
    reg  [D_W-1:0] was_change; // the last change
    wire [D_W-1:0] above_other = was_other + was_change;          // valid from step 11 on, the answers from step 12 on
    reg            negative, zero, one, minus1, minus2;           // answers about `above`: below 0, 0, 1, -1, -2
    reg            o_negative, o_zero, o_one, o_minus1, o_minus2; // the same answers about above_other
    reg            filling;                      // the limit was raised and not reached since
    wire positive = !negative && !zero;
    wire w_set    = w13_match && w_a == w_b && (filling || w13_takes); // the walk protects a frame that is not protected
    assign w_we   = clear6 || w_set;

    localparam [D_W-1:0] IS_1 = 1, IS_M1 = {D_W{1'b1}}, IS_M2 = IS_M1 - 1'b1;
    // With a new limit, the last change and this change are one sum: `by` holds the last change, and the last change with -1, 1
    // and 2 added. Without a new limit the last change in `by` is 0.
    reg  [15:0]    by;
    wire [D_W-1:0] base_of = allow ? was_other : above;
    wire [D_W-1:0] base   = base_of + {{D_W-4{by[15]}}, by[15:12]}, base_m1 = base_of + {{D_W-4{by[11]}}, by[11:8]};
    wire [D_W-1:0] base_1 = base_of + {{D_W-4{by[7]}}, by[7:4]},    base_2  = base_of + {{D_W-4{by[3]}}, by[3:0]};
    localparam [15:0] BY_M1 = 16'hfe01, BY_0 = 16'h0f12, BY_1 = 16'h1023, BY_2 = 16'h2134;
    wire [31:0]    if_by; // the change, in the form of `by`
    // answers about the count before this change (asked count): below 0, 0, 1, -1, -2
    wire [4:0] asked = allow ? {o_negative, o_zero, o_one, o_minus1, o_minus2} : {negative, zero, one, minus1, minus2};
    // late select: w_set arrives last. Bit 0 of each if_ is for a walk that protects no frame, bit 1 for a walk that protects one.
    wire [1:0]       if_sets;    // the side action's bit toggles
    wire [1:0]       if_clears;  // the side action ends the protection
    wire [1:0]       if_guards;  // CAND: the search leaves the frame alone
    wire [1:0]       if_many;    // more frames are protected than the limit allows
    wire [1:0]       if_negative, if_zero, if_one, if_minus1, if_minus2;             // answers about `above` of the next cycle
    wire [1:0]       if_filling; // the protected segment fills
    wire [1:0]       if_o_negative, if_o_zero, if_o_one, if_o_minus1, if_o_minus2;   // answers about above_other of the next cycle
    wire [2*D_W-1:0] if_change;  // the change
    wire [2*D_W-1:0] if_above;   // `above` of the next cycle
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
            assign if_sets[v]   = s_set ^ here;
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

    assign too_many = if_many[w_set];
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
        {s9_guarded, s8_guarded, s7_guarded} <= {s8_guarded, s7_guarded, if_guards[w_set]};
        if (rst) begin
            above   <= 0;
            {negative, zero, one, minus1, minus2} <= 5'b01000;
            filling <= 1'b0;
        end
    end
    wire [D_W-1:0] count = above + {1'b0, limit};
    assign tvi_count   = count[FRAME_W:0];
    assign tvi_t       = stepped ? (fell ? t_fall : t_rise) : t_kept;
    assign tvi_filling = filling;
    wire unused_count = &{1'b0, count};

endmodule
`default_nettype wire
