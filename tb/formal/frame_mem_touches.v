// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_mem_touches: a golden count of the hits that wait; one hit, any hit, is followed.
//: pdr 60 s
//: bmc3 40 frames 20 s
//: find 170:room_right 183:room_right 323:taken_in_order 324:lost_right
`default_nettype none
module formal_frame_mem_touches #(
    parameter WIDTH  = 2,
    parameter TOUCHQ = 4
) (
    input wire             clk,
    input wire             reset,
    input wire             w_hit, w_write,
    input wire [WIDTH-1:0] w_data,
    input wire             wants, hit_done, follow
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire             w_room, valid, empty, pressed, lost;
    wire [WIDTH-1:0] head;
    wire             pop = wants && valid;
    gmmu_frame_mem_touches #(.WIDTH(WIDTH), .TOUCHQ(TOUCHQ)) dut (
        .clk(clk), .rst(rst), .w_hit(w_hit), .w_write(w_write), .w_data(w_data), .w_room(w_room), .hit_done(hit_done),
        .pop(pop), .valid(valid), .head(head), .empty(empty), .pressed(pressed), .lost(lost)
    );

    reg [2:0]       waiting, out;   // hits that were not taken; that were taken and are not done
    reg             dropped;        // one that writes
    reg             has;            // the one that is followed waits,
    reg [2:0]       ahead;          // behind so many
    reg [WIDTH-1:0] data;
    wire [2:0]      places = waiting + out - {2'd0, hit_done};
    wire            push   = w_hit && w_room;
    reg  [2:0]      late;           // cycles in which hits waited and none was to be had
    always @(posedge clk) begin
        waiting <= waiting + push - pop;
        out     <= out + pop - hit_done;
        dropped <= dropped || (w_hit && w_write && !w_room);
        if (!has && push && follow) begin
            has   <= 1'b1;
            ahead <= waiting - pop;
            data  <= w_data;
        end else if (has && pop) begin
            has   <= ahead != 0;
            ahead <= ahead - 1'b1;
        end
        late <= waiting != 0 && !valid ? late + 1'b1 : 3'd0;
        if (rst) begin
            waiting <= 0;
            out     <= 0;
            dropped <= 1'b0;
            has     <= 1'b0;
            late    <= 0;
        end
    end

    // done is a hit that was taken
    always @*
        assume (!hit_done || out != 0);

    always @* if (!rst) begin
        // A hit is dropped only when there is no room: for one that writes none at all, for others no more than a quarter.
        room_right: assert (w_room == (w_write ? places < TOUCHQ : places < TOUCHQ - TOUCHQ / 4));
        // Never more hits than places.
        no_overflow: assert (waiting + out <= TOUCHQ);
        // Every hit comes out once, unchanged, in order.
        taken_in_order: assert (!(has && valid && ahead == 0) || head == data);
        // What is offered is there.
        nothing_else: assert (!valid || waiting != 0);
        // Empty exactly when none waits.
        empty_right: assert (empty == (waiting == 0));
        // A hit that waits is offered within four cycles.
        offered_soon: assert (late < 4);
        // A hit that writes was dropped: it is told from then on.
        lost_right: assert (lost == dropped);
    end

endmodule
`default_nettype wire
