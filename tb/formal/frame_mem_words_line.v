// SPDX-License-Identifier: Apache-2.0
// Proof that frame_mem_words brings each operation the word of its line: a golden word of one line, any line.
//
// The queue of operations is cut off: any operation that may come goes at s0. tb/formal/frame_mem_words.v proves that the operations at
// s0 are the operations of c3, in order. tb/formal/frame_mem_lines.v proves that a line is taken only at rest.
//: pdr 240 s
//: bmc3 30 frames 60 s
//: cut ops_valid h_touch h_none h_take h_line h_frame h_what
//: find 171:word_right 184:early_right 326:word_right 327:word_right 328:clean_right
`default_nettype none
module formal_frame_mem_words_line #(
    parameter WORD_W  = 1,
    parameter FRAME_W = 1,
    parameter LINES   = 2,
    parameter OPS     = 4,
    parameter P_W     = 1,
    parameter L_W     = 1
) (
    input wire              clk,
    input wire              reset, hold, r_valid, s3_we,
    input wire [L_W-1:0]    clean_line,
    input wire [WORD_W-1:0] r_data, s3_new
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire               idle, s1_valid, s2_valid, s2_touch, s3_valid, s3_touch, s3_none, s3_same, w_valid, w_changed;
    wire [FRAME_W-1:0] s3_frame;
    wire [P_W-1:0]     s2_what, s3_what;
    wire [WORD_W-1:0]  s2_word, s3_word, clean_word;
    wire [L_W-1:0]     w_line;
    wire               changes = s3_we && s3_valid && !s3_none;
    wire [WORD_W-1:0]  s3_next = changes ? s3_new : s3_word; // an operation that changes nothing gives back its word
    gmmu_frame_mem_words #(.WORD_W(WORD_W), .FRAME_W(FRAME_W), .LINES(LINES), .OPS(OPS), .P_W(P_W)) dut (
        .clk(clk), .rst(rst), .c3_valid(1'b0), .c3_touch(1'b0), .c3_none(1'b0), .c3_take(1'b0),
        .c3_line({L_W{1'b0}}), .c3_frame({FRAME_W{1'b0}}), .c3_what({P_W{1'b0}}), .hold(hold), .r_valid(r_valid), .r_data(r_data),
        .idle(idle), .s1_valid(s1_valid), .s2_valid(s2_valid), .s2_touch(s2_touch), .s2_what(s2_what),
        .s2_word(s2_word), .s3_valid(s3_valid), .s3_touch(s3_touch), .s3_none(s3_none), .s3_frame(s3_frame),
        .s3_what(s3_what), .s3_same(s3_same), .s3_word(s3_word), .s3_we(changes), .s3_next(s3_next),
        .w_valid(w_valid), .w_changed(w_changed), .w_line(w_line), .clean_line(clean_line), .clean_word(clean_word)
    );
    (* hierconn *) wire [L_W-1:0] \dut.s3_line , \dut.s2_line , \dut.h_line ;
    (* hierconn *) wire           \dut.ops_pop , \dut.h_take , \dut.h_none , \dut.s2_none ;
    wire pop  = \dut.ops_pop ;
    wire take = pop && \dut.h_take ;

    (* anyconst *) wire [L_W-1:0] line;
    wire here  = s3_valid && !s3_none && \dut.s3_line == line;
    wire comes = pop && !\dut.h_none && \dut.h_line == line;

    reg [1:0]               on_line; // operations on it from s1 on
    reg                     known;   // it has a word:
    reg [WORD_W-1:0]        word;
    reg [L_W:0]             waiting; // answers without an operation,
    reg [WORD_W*LINES-1:0]  answer;  // the oldest one first
    reg                     came;    // an operation on it, which did not take it, went in the cycle before
    reg                     ended;   // and one was at stage 3
    reg                     looked;  // in the cycle before the cleaner read the line, with no other operation under way on it
    wire [L_W:0]            left = waiting - take;
    wire [WORD_W*LINES-1:0] rest_of = take ? answer >> WORD_W : answer;
    integer i;
    always @(posedge clk) begin
        on_line <= on_line + comes - here;
        waiting <= left + r_valid;
        for (i = 0; i < LINES; i = i + 1)
            answer[i*WORD_W +: WORD_W] <= r_valid && left == i ? r_data : rest_of[i*WORD_W +: WORD_W];
        if (here)
            word <= s3_next;
        if (comes && \dut.h_take ) begin
            known <= 1'b1;
            word  <= answer[WORD_W-1:0];
        end
        came   <= comes && !\dut.h_take ;
        ended  <= here;
        looked <= known && clean_line == line && on_line == came && !ended && !(comes && \dut.h_take );
        if (rst) begin
            on_line <= 0;
            waiting <= 0;
            known   <= 1'b0;
            came    <= 1'b0;
            looked  <= 1'b0;
        end
    end

    always @* begin
        assume (!take || !\dut.h_none );
        assume (!r_valid || waiting < LINES);           // lines are taken at rest, each by one
        assume (!comes || \dut.h_take || known);        // a line that is found was taken,
        assume (!comes || !\dut.h_take || on_line == 0); // and is taken at rest
    end

    always @* if (!rst) begin
        // An operation sees its line's word as the answer or the operation before left it: no update is lost.
        word_right: assert (!here || s3_word == word);
        // At stage 2 as the operations before the one at stage 3 left it.
        early_right: assert (!(s2_valid && !\dut.s2_none && \dut.s2_line == line) || s2_word == word);
        // An operation that takes its line goes only when a word has come.
        word_there: assert (!take || waiting != 0);
        // The cleaner reads that word from a line at rest, or to which an operation has just come.
        clean_right: assert (!looked || clean_word == word);
    end

endmodule
`default_nettype wire
