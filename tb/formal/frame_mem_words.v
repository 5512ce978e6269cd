// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_mem_words: one operation, any operation, is followed from c3 to stage 3. The word that the operation finds at
// stage 3 is proved in tb/formal/frame_mem_words_line.v.
//: pdr 240 s
//: bmc3 30 frames 60 s
//: find 178:held_back 331:idle_right
`default_nettype none
module formal_frame_mem_words #(
    parameter WORD_W  = 1,
    parameter FRAME_W = 1,
    parameter LINES   = 2,
    parameter OPS     = 4,
    parameter P_W     = 1,
    parameter L_W     = 1
) (
    input wire               clk,
    input wire               reset,
    input wire               c3_valid, c3_touch, c3_none, c3_take, hold, r_valid, s3_we, follow,
    input wire [L_W-1:0]     c3_line,
    input wire [FRAME_W-1:0] c3_frame,
    input wire [P_W-1:0]     c3_what,
    input wire [WORD_W-1:0]  r_data, s3_next
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
    gmmu_frame_mem_words #(.WORD_W(WORD_W), .FRAME_W(FRAME_W), .LINES(LINES), .OPS(OPS), .P_W(P_W)) dut (
        .clk(clk), .rst(rst), .c3_valid(c3_valid), .c3_touch(c3_touch), .c3_none(c3_none), .c3_take(c3_take),
        .c3_line(c3_line), .c3_frame(c3_frame), .c3_what(c3_what), .hold(hold), .r_valid(r_valid), .r_data(r_data),
        .idle(idle), .s1_valid(s1_valid), .s2_valid(s2_valid), .s2_touch(s2_touch), .s2_what(s2_what),
        .s2_word(s2_word), .s3_valid(s3_valid), .s3_touch(s3_touch), .s3_none(s3_none), .s3_frame(s3_frame),
        .s3_what(s3_what), .s3_same(s3_same), .s3_word(s3_word), .s3_we(s3_we), .s3_next(s3_next),
        .w_valid(w_valid), .w_changed(w_changed), .w_line(w_line), .clean_line(c3_line), .clean_word(clean_word)
    );
    (* hierconn *) wire [L_W-1:0] \dut.s3_line ;
    (* hierconn *) wire           \dut.s3_new , \dut.ops_room ;

    localparam WHAT_W = 3 + L_W + FRAME_W + P_W;
    reg [3:0]        under_way;  // operations
    reg [2:0]        asked;      // words that were asked for and have not come
    reg              has;        // the operation that is followed is under way, behind `ahead` others
    reg [3:0]        ahead;
    reg [WHAT_W-1:0] what;
    reg [2:0]        age;        // cycles since it came, at most 7
    reg [2:0]        held;
    always @(posedge clk) begin
        under_way <= under_way + c3_valid - s3_valid;
        asked     <= asked + (c3_valid && c3_take) - r_valid;
        if (!has && c3_valid && follow) begin
            has   <= 1'b1;
            age   <= 3'd1;
            ahead <= under_way - s3_valid;
            what  <= {c3_touch, c3_none, c3_take, c3_line, c3_frame, c3_what};
        end else begin
            age <= age == 3'd7 ? age : age + 1'b1;
            if (has && s3_valid) begin
                has   <= ahead != 0;
                ahead <= ahead - 1'b1;
            end
        end
        held <= {held[1:0], hold};
        if (rst) begin
            under_way <= 0;
            asked     <= 0;
            has       <= 1'b0;
            held      <= 3'd0;
        end
    end

    always @* begin
        assume (!c3_valid || under_way < OPS);          // who lets them in counts them
        assume (!c3_take || (c3_valid && !c3_none));
        assume (!c3_take || asked < LINES);             // lines are taken at rest, each by one
        assume (!r_valid || asked != 0);
    end

    always @* if (!rst) begin
        // Every operation comes to stage 3 once, unchanged, in order.
        in_order: assert (!(has && s3_valid && ahead == 0) ||
                          {s3_touch, s3_none, \dut.s3_new , \dut.s3_line , s3_frame, s3_what} == what);
        // It is at stage 3 five cycles later at the earliest.
        not_before: assert (!(has && s3_valid && ahead == 0) || age >= 3'd5);
        // Nothing else comes.
        nothing_else: assert (!s3_valid || under_way != 0);
        // Nothing stands at stage 3 three cycles after hold.
        held_back: assert (!held[2] || !s3_valid);
        // The queue never overflows.
        room: assert (!c3_valid || \dut.ops_room );
        // Idle exactly when nothing is under way.
        idle_right: assert (idle == (under_way == 0));
    end

endmodule
`default_nettype wire
