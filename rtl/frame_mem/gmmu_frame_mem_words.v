// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_words: brings each operation and the word of its line to stage 3, in order (docs/blocks/frame_mem.md).
//
// s0: the oldest operation goes; one that took its line, when a word has come. Reads are answered in order, so answers
// are counted only. s1: the word: from fill RAM if the operation took the line, else from work RAM or forwarded. s3: its
// effect, which is written a cycle later; each word is written to work RAM by the operation that took its line, if by
// nothing else. s1 to s3 never wait.
`default_nettype none
module gmmu_frame_mem_words #(
    parameter WORD_W  = 115,
    parameter FRAME_W = 20,
    parameter LINES   = 128,
    // operations that wait
    parameter OPS     = 128,
    // bits of what an operation says
    parameter P_W     = 111,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               c3_valid,  // an operation comes
    input  wire               c3_touch,
    input  wire               c3_none,
    input  wire               c3_take,   // its word comes from memory
    input  wire [L_W-1:0]     c3_line,
    input  wire [FRAME_W-1:0] c3_frame,
    input  wire [P_W-1:0]     c3_what,
    input  wire               hold,      // nothing goes
    input  wire               r_valid,   // an answer of the memory
    input  wire [WORD_W-1:0]  r_data,
    output wire               idle,
    output reg                s1_valid,
    output reg                s2_valid,
    output reg                s2_touch,
    output reg  [P_W-1:0]     s2_what,
    output wire [WORD_W-1:0]  s2_word,   // but for what the operation at stage 3 does
    output reg                s3_valid,
    output reg                s3_touch,
    output reg                s3_none,
    output reg  [FRAME_W-1:0] s3_frame,
    output reg  [P_W-1:0]     s3_what,
    output reg                s3_same,   // its line is that of the operation before it
    output wire [WORD_W-1:0]  s3_word,
    input  wire               s3_we,     // it makes another word
    input  wire [WORD_W-1:0]  s3_next,
    // the operation that stood at stage 3 in the cycle before
    output reg                w_valid,
    output reg                w_changed,
    output reg  [L_W-1:0]     w_line,
    // the cleaner's reads
    input  wire [L_W-1:0]     clean_line,
    output wire [WORD_W-1:0]  clean_word // a cycle later
);

    localparam OP_W = 3 + L_W + FRAME_W + P_W;

    wire               ops_room, ops_valid, ops_empty, ops_pop, h_touch, h_none, h_take;
    wire [L_W-1:0]     h_line;
    wire [FRAME_W-1:0] h_frame;
    wire [P_W-1:0]     h_what;
    gmmu_fifo #(
        .WIDTH(OP_W),
        .DEPTH(OPS)
    ) operations (
        .clk(clk),
        .rst(rst),
        .push(c3_valid),
        .wdata({c3_touch, c3_none, c3_take, c3_line, c3_frame, c3_what}),
        .room(ops_room),
        .pop(ops_pop),
        .valid(ops_valid),
        .rdata({h_touch, h_none, h_take, h_line, h_frame, h_what}),
        .empty(ops_empty)
    );
    wire unused_ops = ops_room; // There is room, while no more than OPS operations are let in.
    reg  [L_W:0]   answers;              // words that came and wait for their operation
    reg  [L_W-1:0] r_in, r_out;
    reg            answered;             // answers != 0
    assign ops_pop = ops_valid && !hold && (!h_take || answered);
    assign idle    = ops_empty && !s1_valid && !s2_valid && !s3_valid;
    wire taken = ops_pop && h_take;
    always @(posedge clk) begin
        answers <= answers + {{L_W{1'b0}}, r_valid} - {{L_W{1'b0}}, taken};
        answered <= r_valid || answers > 1 || (answers == 1 && !taken);
        r_in    <= r_in + {{L_W-1{1'b0}}, r_valid};
        r_out   <= r_out + {{L_W-1{1'b0}}, taken};
        if (rst) begin
            answers <= 0;
            answered <= 1'b0;
            r_in    <= 0;
            r_out   <= 0;
        end
    end

    // w: the write that stood at stage 3 in the cycle before, presented to the RAMs now; v: the one before
    reg                s1_take, s2_take, s3_new, s1_none, s2_none, s1_touch;
    reg                w_we, v_we;
    reg  [L_W-1:0]     s1_line, s2_line, s3_line;
    reg  [FRAME_W-1:0] s1_frame, s2_frame;
    reg  [P_W-1:0]     s1_what;
    reg  [WORD_W-1:0]  s2_q, s3_q, w_d, v_d;
    reg                s1_like, s1_same_w, s1_same_v, s2_same; // its line is that of: the operation before, which took it; w; v
    wire [WORD_W-1:0]  fill_q, work_q;
    assign s2_word = s2_same && w_we ? w_d : s2_q;
    assign s3_word = s3_same && w_we ? w_d : s3_q;
    gmmu_ram_sdp #(
        .WIDTH(WORD_W),
        .DEPTH(LINES)
    ) fill_ram (
        .clk(clk),
        .we(r_valid),
        .waddr(r_in),
        .wdata(r_data),
        .re(1'b1),
        .raddr(r_out),
        .rdata(fill_q)
    );
    gmmu_ram_sdp #(
        .WIDTH(WORD_W),
        .DEPTH(LINES)
    ) work_ram (
        .clk(clk),
        .we(w_we),
        .waddr(w_line),
        .wdata(w_d),
        .re(1'b1),
        .raddr(h_line),
        .rdata(work_q)
    );
    gmmu_ram_sdp #(
        .WIDTH(WORD_W),
        .DEPTH(LINES)
    ) clean_ram (
        .clk(clk),
        .we(w_we),
        .waddr(w_line),
        .wdata(w_d),
        .re(1'b1),
        .raddr(clean_line),
        .rdata(clean_word)
    );
    always @(posedge clk) begin
        s1_valid <= ops_pop && !rst;
        if (ops_valid) begin
            s1_touch  <= h_touch;
            s1_none   <= h_none;
            s1_take   <= h_take;
            s1_line   <= h_line;
            s1_frame  <= h_frame;
            s1_what   <= h_what;
            s1_same_w <= h_line == s3_line;
            s1_same_v <= h_line == w_line;
            s1_like   <= h_line == s1_line && s1_take && s1_valid;
        end
        s2_valid <= s1_valid && !rst;
        if (s1_valid) begin
            s2_touch <= s1_touch;
            s2_none  <= s1_none;
            s2_take  <= s1_take;
            s2_line  <= s1_line;
            s2_frame <= s1_frame;
            s2_what  <= s1_what;
            s2_same  <= s1_line == s3_line;
            s2_q     <= s1_take ? fill_q : s1_like ? s2_q : s1_same_w && w_we ? w_d : s1_same_v && v_we ? v_d : work_q;
        end
        s3_valid <= s2_valid && !rst;
        s3_touch <= s2_valid && s2_touch && !rst;
        s3_new   <= s2_valid && s2_take && !rst;
        if (s2_valid) begin
            s3_none  <= s2_none;
            s3_line  <= s2_line;
            s3_frame <= s2_frame;
            s3_what  <= s2_what;
            s3_same  <= s2_line == s3_line;
            s3_q     <= s2_word;
        end
        w_valid   <= s3_valid && !rst;
        w_changed <= s3_we && !rst;
        w_we      <= (s3_we || s3_new) && !rst;
        v_we      <= w_we && !rst;
        if (s3_valid) begin
            w_line <= s3_line;
            w_d    <= s3_next;
        end
        if (w_valid)
            v_d <= w_d;
    end

endmodule
`default_nettype wire
