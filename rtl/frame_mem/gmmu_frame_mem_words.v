// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_words: brings each operation and the word of its line to stage 3, in order (docs/reference/blocks/frame_mem.md).
//
//   s0  the oldest operation goes; an operation that took a new line waits for an answer of the memory
//   s1  the word comes from fill RAM if the operation took a new line, else from work RAM or from a later stage
//   s3  the operation takes effect; the word is written to work RAM a cycle later
//
// The memory answers in order, so that answers are counted, without a tag. The operation that took a line writes the word to work
// RAM even if the word is unchanged. s1 to s3 never wait.
`default_nettype none
module gmmu_frame_mem_words #(
    parameter WORD_W  = 115,
    parameter FRAME_W = 20,
    parameter LINES   = 128,
    // operations that wait
    parameter OPS     = 128,
    // bits of an operation's data
    parameter P_W     = 111,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               c3_valid,   // an operation comes
    input  wire               c3_touch,   // the operation at c3 is a walk hit
    input  wire               c3_none,    // the operation at c3 needs no frame
    input  wire               c3_take,    // the operation at c3 takes a new line: the word comes from memory
    input  wire [L_W-1:0]     c3_line,    // line of the operation at c3
    input  wire [FRAME_W-1:0] c3_frame,   // frame of the operation at c3
    input  wire [P_W-1:0]     c3_what,    // data of the operation at c3
    input  wire               hold,       // no operation leaves s0
    input  wire               r_valid,    // the memory answers the oldest read
    input  wire [WORD_W-1:0]  r_data,     // word of the oldest read
    output wire               idle,       // no operation is under way
    output reg                s1_valid,   // an operation is at s1
    output reg                s2_valid,   // an operation is at stage 2
    output reg                s2_touch,   // the operation at stage 2 is a walk hit
    output reg  [P_W-1:0]     s2_what,    // data of the operation at stage 2
    output wire [WORD_W-1:0]  s2_word,    // word of the frame at stage 2, without the effect of the operation at stage 3
    output reg                s3_valid,   // an operation is at stage 3
    output reg                s3_touch,   // the operation at stage 3 is a walk hit
    output reg                s3_none,    // the operation at stage 3 needs no frame
    output reg  [FRAME_W-1:0] s3_frame,   // frame of the operation at stage 3
    output reg  [P_W-1:0]     s3_what,    // data of the operation at stage 3
    output reg                s3_same,    // the line of the operation at stage 3 is that of the operation before
    output wire [WORD_W-1:0]  s3_word,    // word of the frame at stage 3
    input  wire               s3_we,      // the operation at stage 3 changes the word
    input  wire [WORD_W-1:0]  s3_next,    // word after the operation at stage 3
    // after stage 3
    output reg                w_valid,    // a cycle after stage 3: there was an operation
    output reg                w_changed,  // a cycle after stage 3: the operation changed its word
    output reg  [L_W-1:0]     w_line,     // a cycle after stage 3: line of the operation
    // the cleaner's reads
    input  wire [L_W-1:0]     clean_line, // line whose word the cleaner reads
    output wire [WORD_W-1:0]  clean_word  // word of clean_line, a cycle later
);

    localparam OP_W = 3 + L_W + FRAME_W + P_W;

    wire               ops_room;  // the queue has room
    wire               ops_valid; // an operation is at s0
    wire               ops_empty; // the queue is empty
    wire               ops_pop;   // the operation at s0 goes
    wire               h_touch;   // the operation at s0 is a walk hit
    wire               h_none;    // the operation at s0 needs no frame
    wire               h_take;    // the operation at s0 took a new line
    wire [L_W-1:0]     h_line;    // line of the operation at s0
    wire [FRAME_W-1:0] h_frame;   // frame of the operation at s0
    wire [P_W-1:0]     h_what;    // data of the operation at s0
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
    reg  [L_W:0]   answers;  // words in fill RAM that wait for their operation
    reg  [L_W-1:0] r_in;     // fill RAM: entry of the next word that comes
    reg  [L_W-1:0] r_out;    // fill RAM: entry of the next word that is used
    reg            answered; // answers is not 0
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

    // w_*: the write of the operation that left stage 3, at the RAMs now; v_*: the write before w
    reg                s1_take, s2_take, s3_new, s1_none, s2_none, s1_touch;
    reg                w_we, v_we;
    reg  [L_W-1:0]     s1_line, s2_line, s3_line;
    reg  [FRAME_W-1:0] s1_frame, s2_frame;
    reg  [P_W-1:0]     s1_what;
    reg  [WORD_W-1:0]  s2_q, s3_q, w_d, v_d;
    reg                s1_like;   // the line is that of the operation before, which took the line as a new line
    reg                s1_same_w; // the line at s1 is that of w
    reg                s1_same_v; // the line at s1 is that of v
    reg                s2_same;   // the line at s2 is that of w
    wire [WORD_W-1:0] fill_q; // word read from fill RAM
    wire [WORD_W-1:0] work_q; // word read from work RAM
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
