// SPDX-License-Identifier: Apache-2.0
// Proofs about segment: golden bits of all frames, under any walks, side actions and registers. Whether an interval is below T is
// left open: what follows from it is right whatever T is. The RAMs are what the proofs of ram_rmw3 say.
//: pdr 180 s
//: bmc3 60 frames 30 s
//: free ram_rmw3
//: cut s6_below w13_below
//: find 12 13 14 15 18:t_in_range 37:filling_right 38 39 50
`default_nettype none
module formal_segment #(
    parameter FRAMES  = 3,
    parameter FRAME_W = 2,
    parameter TIME_W  = 8
) (
    input wire               clk,
    input wire               reset,
    input wire [FRAME_W:0]   cfg_frames,
    input wire [7:0]         cfg_protect,
    input wire               s3_fill, s3_free, s3_cand, s3_taken, s3_searched, s3_returns, w9_match,
    input wire [FRAME_W-1:0] s3_frame, w9_frame,
    input wire [TIME_W-1:0]  s3_last, s3_was, s3_age, w10_interval
);

    localparam T_W = TIME_W + 7;
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire               cleared, s9_guarded, busy, tvi_allow, tvi_filling;
    wire [FRAME_W:0]   tvi_limit, tvi_count;
    wire [T_W-1:0]     tvi_t;
    reg was_taken, was_searched; // a cycle ago
    reg [TIME_W-1:0] was_last;
    always @(posedge clk)
        {was_taken, was_searched, was_last} <= {s3_taken, s3_searched, s3_last};
    gmmu_segment #(.TIME_W(TIME_W), .FRAMES(FRAMES), .FRAME_W(FRAME_W), .PARITY(0)) dut (
        .clk(clk), .rst(rst), .clear(!rst), .cleared(cleared), .cfg_frames(cfg_frames), .cfg_protect(cfg_protect),
        .s3_fill(s3_fill), .s3_free(s3_free), .s3_cand(s3_cand), .s4_taken(was_taken), .s4_searched(was_searched),
        .s3_frame(s3_frame), .s4_last(was_last), .s3_returns(s3_returns), .s3_was(s3_was), .s3_age(s3_age),
        .w9_match(w9_match), .w9_frame(w9_frame), .w10_interval(w10_interval), .s9_guarded(s9_guarded), .busy(busy),
        .tvi_allow(tvi_allow), .tvi_limit(tvi_limit), .tvi_count(tvi_count), .tvi_t(tvi_t), .tvi_filling(tvi_filling)
    );
    (* hierconn *) wire \dut.s6_below , \dut.w13_below ;
    wire s6_below = \dut.s6_below , w13_below = \dut.w13_below ;
    (* hierconn *) wire [FRAME_W+1:0] \dut.above ;
    (* hierconn *) wire \dut.negative , \dut.zero , \dut.one , \dut.minus1 , \dut.minus2 ;
    wire [4:0] asked = {\dut.negative , \dut.zero , \dut.one , \dut.minus1 , \dut.minus2 };

    // What the unit promises: nothing before all is cleared and for four cycles after; one side action at a time; decisions that were searched
    // for are four cycles apart or more.
    reg [2:0] rest;
    always @(posedge clk)
        rest <= rst || !cleared ? 3'd0 : rest + {2'd0, rest != 3'd4};
    wire run = !rst && rest == 3'd4;
    reg [1:0] since; // cycles since a decision that was searched for, at most 3
    always @(posedge clk)
        since <= s3_searched ? 2'd0 : since + {1'd0, since != 2'd3};
    always @* begin
        assume (!s3_searched || since == 2'd3);
        assume ({2'd0, s3_fill} + {2'd0, s3_free} + {2'd0, s3_cand} + {2'd0, s3_taken} <= 3'd1);
        assume (run || !(s3_fill || s3_free || s3_cand || s3_taken || s3_searched || w9_match));
        assume (cfg_frames <= FRAMES);
        assume (!(s3_fill || s3_free || s3_cand || s3_taken) || s3_frame < FRAMES);
        assume (!w9_match || w9_frame < FRAMES);
    end

    // Side actions and ALLOW take effect three cycles later, walks four: just then, whatever else there is.
    reg [5:0]         s4, s5, s6;
    reg [FRAME_W-1:0] f4, f5, f6, g10, g11, g12, g13;
    reg               w10, w11, w12, w13, a4, a5, a6;
    reg [FRAME_W:0]   l4, l5, l6;
    always @(posedge clk) begin
        s4 <= {s3_fill, s3_free, s3_cand, s3_taken, s3_fill && s3_returns, 1'b0};
        s5 <= s4;
        s6 <= s5;
        {f6, f5, f4} <= {f5, f4, s3_frame};
        {w13, w12, w11, w10} <= {w12, w11, w10, w9_match};
        {g13, g12, g11, g10} <= {g12, g11, g10, w9_frame};
        {a6, a5, a4} <= {a5, a4, tvi_allow};
        {l6, l5, l4} <= {l5, l4, tvi_limit};
        if (rst) begin
            s4 <= 6'd0;
            s5 <= 6'd0;
            s6 <= 6'd0;
            {w13, w12, w11, w10} <= 4'd0;
            {a6, a5, a4} <= 3'd0;
        end
    end
    wire e_fill = s6[5], e_free = s6[4], e_cand = s6[3], e_taken = s6[2], e_returns = s6[1];

    function [FRAME_W:0] number(input [FRAMES-1:0] b);
        integer i;
        begin
            number = 0;
            for (i = 0; i < FRAMES; i = i + 1)
                number = number + {{FRAME_W{1'b0}}, b[i]};
        end
    endfunction

    // The golden segment, as cmodel/blocks/segment.c: walk, side action, ALLOW.
    reg  [FRAMES-1:0] is, walked, sided;
    reg  [FRAME_W:0]  limit, most;
    reg               filling, fills, lets_go, answer, ends, quick;
    reg               a7, a8, a9;
    always @* begin
        walked = is;
        fills  = filling;
        quick  = 1'b0;
        if (w13 && !is[g13] && (filling || (limit != 0 && w13_below))) begin
            walked[g13] = 1'b1;
            quick = !filling;
            fills = filling && number(walked) < limit;
        end
        sided   = walked;
        lets_go = e_cand && walked[f6] && number(walked) > limit && !s6_below;
        answer  = e_cand && walked[f6] && !lets_go && limit != 0;
        if (e_fill || e_free || e_taken || lets_go)
            sided[f6] = 1'b0;
        if (e_fill && (fills || (e_returns && limit != 0 && s6_below))) begin
            sided[f6] = 1'b1;
            quick = quick || !fills;
        end
        ends = fills && number(sided) < limit;
    end
    reg [4:0] stable;  // cycles since the registers were others
    reg [FRAME_W+8:0] cfg;
    always @(posedge clk) begin
        is      <= sided;
        filling <= ends;
        if (a6) begin
            limit   <= l6;
            filling <= l6 > limit && l6 > number(sided);
        end
        // the count may be as high as the limit, or as high as another limit found it; unless intervals below T made it higher
        if (quick || a6)
            most <= number(sided) > (a6 ? l6 : limit) ? number(sided) : a6 ? l6 : limit;
        {a9, a8, a7} <= {a8, a7, answer};
        cfg    <= {cfg_frames, cfg_protect};
        stable <= rst || cfg != {cfg_frames, cfg_protect} ? 5'd0 : stable + {4'd0, stable != 5'd31};
        if (rst) begin
            is      <= {FRAMES{1'b0}};
            limit   <= 0;
            most    <= 0;
            filling <= 1'b0;
            {a9, a8, a7} <= 3'd0;
        end
    end
    wire [FRAME_W+8:0] wanted = cfg_frames * cfg_protect;

    always @* if (!rst) begin
        // The count is the number of frames that are protected: after every walk and every side action, at once.
        count_exact: assert (tvi_count == number(is));
        // What stands beside the count, less the limit, is what would be asked of it.
        asked_right: assert (asked == {\dut.above [FRAME_W+1], \dut.above == 0, \dut.above == 1, &\dut.above ,
                                                  \dut.above == ~{{FRAME_W+1{1'b0}}, 1'b1}});
        // It is above the limit only by pages that were used again within T, or because the limit fell.
        within_limit: assert (tvi_count <= most);
        // Filling ends before the limit is passed.
        filling_right: assert (tvi_filling == filling && (!filling || tvi_count < limit));
        // A candidate's answer, six cycles later: to be left alone exactly if it is protected, and was not let go by this CAND.
        answer_right: assert (!run || s9_guarded == a9);
        // The limit is that of the registers whenever nothing is worked out, and so 27 cycles after they changed last.
        limit_right: assert (busy || limit == wanted[FRAME_W+8:8]);
        limit_soon: assert (stable < 5'd26 || cfg != {cfg_frames, cfg_protect} || !busy);
        // T is at least 16 walks, at most 2^(TIME_W-2).
        t_in_range: assert (tvi_t >= 16 << 8 && tvi_t <= 1 << (TIME_W + 6));
    end

endmodule
`default_nettype wire
