// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_fifo: a scoreboard follows one word, any one that `pick` marks.
//: pdr 60 s
//: bmc3 60 frames 30 s
//: find 301 302
`default_nettype none
module formal_fifo #(
    parameter WIDTH = 2,
    parameter DEPTH = 4
) (
    input wire             clk,
    input wire             reset, push, pop, done, pick, late_push, late_pop, late_done, late_pick,
    input wire [WIDTH-1:0] wdata, late_wdata
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    scoreboard #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(0)) at_once (
        .clk(clk), .rst(rst), .push(push), .pop(pop), .done(done), .pick(pick), .wdata(wdata)
    );
    scoreboard #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(1)) late (
        .clk(clk), .rst(rst), .push(late_push), .pop(late_pop), .done(late_done), .pick(late_pick), .wdata(late_wdata)
    );

endmodule

module scoreboard #(
    parameter WIDTH = 2,
    parameter DEPTH = 4,
    parameter LATE  = 0
) (
    input wire             clk,
    input wire             rst, push, pop, done, pick,
    input wire [WIDTH-1:0] wdata
);

    wire room, last, valid, empty;
    wire [WIDTH-1:0] rdata;
    gmmu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(LATE)) dut (
        .clk(clk), .rst(rst), .push(push), .wdata(wdata), .room(room),
        .pop(pop), .done(done), .valid(valid), .rdata(rdata), .bad(), .empty(empty), .last(last)
    );

    localparam N_W = $clog2(DEPTH) + 1;
    reg [N_W-1:0]   n, ahead;  // words to be popped; words before the picked one
    reg [N_W-1:0]   taken;     // words that were popped and still have their places
    wire [N_W-1:0]  places = n + taken;

    // a pop only of a valid word; a popped word is done with once, in its cycle or later; a push only
    // with room or a word done with in its cycle
    always @* begin
        assume (!pop || valid);
        assume (!done || pop || taken != 0);
        assume (!push || room || done);
    end

    reg             picked;
    reg [WIDTH-1:0] value;
    reg [2:0]       waiting;   // cycles in which there was a word and no valid
    always @(posedge clk) begin
        n <= n + {{N_W-1{1'b0}}, push} - {{N_W-1{1'b0}}, pop};
        taken <= taken + {{N_W-1{1'b0}}, pop} - {{N_W-1{1'b0}}, done};
        if (picked && pop) begin
            ahead  <= ahead - 1'b1;
            picked <= ahead != 0;
        end
        if (!picked && push && pick) begin
            picked <= 1'b1;
            value  <= wdata;
            ahead  <= n - {{N_W-1{1'b0}}, pop};
        end
        waiting <= n != 0 && !valid ? waiting + 1'b1 : 3'd0;
        if (rst) begin
            n       <= 0;
            taken   <= 0;
            picked  <= 1'b0;
            waiting <= 3'd0;
        end
    end

    always @* if (!rst) begin
        // Every word comes out once, unchanged, after exactly those that were pushed before it.
        word_in_order: assert (!(picked && ahead == 0 && valid) || rdata == value);
        // `room` and `empty` tell the true number of places taken.
        count_right: assert (room == (places < DEPTH) && empty == (places == 0));
        // Nothing can be popped from an empty queue.
        no_pop_of_nothing: assert (!valid || n != 0);
        // A word is poppable at most three cycles after its push (four with LATE), or after the pop before it.
        no_word_stuck: assert (waiting <= 2 + LATE);
    end

endmodule
`default_nettype wire
