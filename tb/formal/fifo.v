// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_fifo, by itself and with lib/gmmu_fifo_places and lib/gmmu_fifo_heal: a scoreboard follows one word, any one that `pick` marks.
//: pdr 60 s
//: bmc3 60 frames 30 s
//: find 301 302
`default_nettype none
module formal_fifo #(
    parameter WIDTH = 2,
    parameter DEPTH = 4
) (
    input wire             clk,
    input wire             reset, push, pop, pick, at_once_push, at_once_pop, at_once_done, at_once_pick,
    input wire             late_push, late_pop, late_done, late_pick, early_push, early_pop, early_done, early_pick,
    input wire [WIDTH-1:0] wdata, at_once_wdata, late_wdata, early_wdata
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    // a word gives its place back with its pop
    wire room, valid, empty;
    wire [WIDTH-1:0] rdata;
    wire [$clog2(DEPTH + 3):0] n, taken, places;
    gmmu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
        .clk(clk), .rst(rst), .push(push), .wdata(wdata), .room(room), .pop(pop), .valid(valid), .rdata(rdata), .empty(empty)
    );
    scoreboard #(.WIDTH(WIDTH), .DEPTH(DEPTH), .MOST(DEPTH + 2)) alone (
        .clk(clk), .rst(rst), .push(push), .pop(pop), .done(pop), .pick(pick), .wdata(wdata), .may_push(room),
        .valid(valid), .rdata(rdata), .empty(empty), .n(n), .taken(taken), .places(places)
    );
    always @* if (!rst) begin
        // There is no room only while as many words wait as the RAM has.
        room_right: assert (room || n >= DEPTH);
    end
    // a word keeps its place until it is done with
    placed #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(0)) at_once (
        .clk(clk), .rst(rst), .push(at_once_push), .pop(at_once_pop), .done(at_once_done), .pick(at_once_pick), .wdata(at_once_wdata)
    );
    placed #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(1)) late (
        .clk(clk), .rst(rst), .push(late_push), .pop(late_pop), .done(late_done), .pick(late_pick), .wdata(late_wdata)
    );
    // the oldest word is at the RAM's output
    placed #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(1), .EARLY(1)) early (
        .clk(clk), .rst(rst), .push(early_push), .pop(early_pop), .done(early_done), .pick(early_pick), .wdata(early_wdata)
    );

endmodule

// A queue and its places; LATE: a word comes into the queue a cycle after it took its place.
module placed #(
    parameter WIDTH = 2,
    parameter DEPTH = 4,
    parameter LATE  = 0,
    parameter EARLY = 0
) (
    input wire             clk,
    input wire             rst, push, pop, done, pick,
    input wire [WIDTH-1:0] wdata
);

    wire room, last, valid, empty, queue_room, drained, lost;
    wire [WIDTH-1:0] rdata;
    wire [$clog2(DEPTH + 1):0] n, taken, places;
    reg              was_push;
    reg  [WIDTH-1:0] was_wdata;
    always @(posedge clk) begin
        was_push  <= push && !rst;
        was_wdata <= wdata;
    end
    gmmu_fifo_places #(.DEPTH(DEPTH)) count (
        .clk(clk), .rst(rst), .take(push), .done(done), .lost(1'b0), .room(room), .last(last), .empty(empty)
    );
    gmmu_fifo_heal heal (
        .clk(clk), .rst(rst), .take(push), .done(done), .drained(drained), .empty(empty), .lost(lost)
    );
    gmmu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .COUNTED(1), .EARLY(EARLY)) queue (
        .clk(clk), .rst(rst), .push(LATE != 0 ? was_push : push), .wdata(LATE != 0 ? was_wdata : wdata),
        .room(queue_room), .pop(pop), .valid(valid), .rdata(rdata), .empty(drained)
    );
    scoreboard #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATE(LATE), .MOST(DEPTH)) words (
        .clk(clk), .rst(rst), .push(push), .pop(pop), .done(done), .pick(pick), .wdata(wdata), .may_push(room || done),
        .valid(valid), .rdata(rdata), .empty(empty), .n(n), .taken(taken), .places(places)
    );
    // a word is done with at most 14 cycles after its pop
    reg [3:0] owes;
    always @(posedge clk)
        owes <= rst || pop || done || taken == 0 ? 4'd0 : owes + 1'b1;
    always @* assume (owes < 4'd14 || done);
    always @* if (!rst) begin
        // No place is taken for lost that a word will give back.
        nothing_lost: assert (!lost);
        // `room` and `last` tell the true number of places taken.
        places_right: assert (room == (places < DEPTH) && last == (places == DEPTH - 1));
    end

endmodule

module scoreboard #(
    parameter WIDTH = 2,
    parameter DEPTH = 4,
    parameter LATE  = 0,
    parameter MOST  = 4,
    parameter N_W   = $clog2(MOST + 1) + 1
) (
    input wire             clk,
    input wire             rst, push, pop, done, pick, may_push, valid, empty,
    input wire [WIDTH-1:0] wdata, rdata,
    output reg  [N_W-1:0]  n,         // words to be popped
    output reg  [N_W-1:0]  taken,     // words that were popped and still have their places
    output wire [N_W-1:0]  places
);

    reg [N_W-1:0]   ahead;     // words before the picked one
    assign places = n + taken;

    // a pop only of a valid word; a popped word is done with once, in its cycle or later; a push only
    // with room or a word done with in its cycle
    always @* begin
        assume (!pop || valid);
        assume (!done || pop || taken != 0);
        assume (!push || may_push);
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
        // `empty` tells the truth about the places taken, and there are never more than there may be.
        count_right: assert (empty == (places == 0) && places <= MOST);
        // Nothing can be popped from an empty queue.
        no_pop_of_nothing: assert (!valid || n != 0);
        // A word is poppable at most three cycles after its push (four with LATE), or after the pop before it.
        no_word_stuck: assert (waiting <= 2 + LATE);
    end

endmodule
`default_nettype wire
