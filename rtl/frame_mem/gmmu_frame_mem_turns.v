// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_turns: the choice of the operation that goes on (docs/reference/blocks/frame_mem.md).
//
// A side operation waits in a register of its own, so that its port does not depend on the walk hits. The side operation goes
// first, unless half of the entries for walk hits are in use; then both take turns. A walk hit that came after the side operation
// never goes before the side operation (of a FILL the hit may need the page); DECIDE (q_after) excepted. No operation goes without *credit*: a spare
// line, an entry in the queue of operations and an entry in the queue of reads. Late count: changes of a cycle count one cycle later.
`default_nettype none
module gmmu_frame_mem_turns #(
    parameter FRAME_W = 20,
    // bits of a walk hit's data; of a side operation's tag
    parameter T_W     = 110,
    parameter TAG_W   = 97,
    parameter TOUCHQ  = 128,
    // operations between here and the end of their queue
    parameter OPS     = 128,
    parameter P_W     = (T_W > TAG_W ? T_W : TAG_W) + 1
) (
    input  wire               clk,
    input  wire               rst,
    // the oldest walk hit
    input  wire               t_valid,    // a walk hit waits
    input  wire               t_empty,    // no walk hit is in the queue
    input  wire               t_push,     // a walk hit comes
    output wire               t_pop,      // the oldest walk hit goes on
    input  wire [FRAME_W-1:0] t_frame,    // frame of the oldest walk hit
    input  wire [T_W-1:0]     t_what,     // data of the oldest walk hit
    input  wire               pressed,    // half of the entries for walk hits are in use
    // side operations
    input  wire               q_valid,    // a side operation is offered
    output wire               q_ready,    // a side operation is taken
    input  wire               q_none,     // the offered operation needs no frame
    input  wire               q_after,    // walk hits that wait go before the offered operation
    input  wire [FRAME_W-1:0] q_frame,    // frame of the offered operation
    input  wire [TAG_W-1:0]   q_tag,      // tag of the offered operation
    output reg                side_valid, // a side operation waits
    // events that change the credit
    input  wire               pick,       // a line has become a spare line
    input  wire               spared,     // an operation went on without taking a line
    input  wire               s1_valid,   // an operation has left the queue of operations
    input  wire               reads_3,    // four reads wait for the memory
    // the operation that goes on
    output wire               a_go,       // the operation at a_* goes on
    output wire               a_any,      // an operation is at a_*, whether or not the operation goes on
    output wire               a_touch,    // the operation at a_* is a walk hit
    output wire               a_none,     // the operation at a_* needs no frame
    output wire [FRAME_W-1:0] a_frame,    // frame of the operation at a_*
    output wire [P_W-1:0]     a_what      // data of the operation at a_*
);

    localparam C_W = $clog2(TOUCHQ) + 1;
    localparam Q_W = $clog2(OPS);

    reg                side_none;  // the side operation needs no frame
    reg                side_after; // walk hits that wait go before the side operation
    reg                side_goes;  // the side operation may go: no walk hit has to go before it
    reg  [FRAME_W-1:0] side_frame; // frame of the side operation
    reg  [TAG_W-1:0]   side_tag;   // tag of the side operation
    reg  [C_W-1:0]     went;       // walk hits that went before the side operation
    reg                credit;     // an operation may go
    reg                turn;       // the walk hits have the next turn
    reg                t_was_last; // the operation before was a walk hit
    reg  [C_W-1:0]     came;       // number of walk hits that came
    reg  [C_W-1:0]     gone;       // number of walk hits that went on
    reg  [C_W-1:0]     came_first; // `came` when the side operation came
    reg                t_older;    // the oldest walk hit came before the side operation; 0 in the cycle behind t_pop
    wire a_side = credit && side_goes && !(t_valid && turn && t_older);
    assign a_touch = t_valid && (!side_goes || (turn && t_older));
    assign a_go    = credit && (t_valid || side_goes);
    assign a_any   = t_valid || side_valid;
    assign a_none  = !a_touch && side_none;
    assign a_frame = a_touch ? t_frame : side_frame;
    assign a_what  = a_touch ? {{P_W-T_W{1'b0}}, t_what} : {{P_W-TAG_W{1'b0}}, side_tag};
    assign t_pop   = credit && a_touch;
    assign q_ready = !side_valid || a_side;
    always @(posedge clk) begin
        if (q_ready) begin
            side_valid <= q_valid;
            side_goes  <= q_valid && !q_after;
        end else if (t_empty || went[C_W-1])
            side_goes  <= 1'b1;
        if (q_ready && q_valid) begin
            side_none  <= q_none;
            side_after <= q_after;
            side_frame <= q_frame;
            side_tag   <= q_tag;
        end
        came    <= came + {{C_W-1{1'b0}}, t_push};
        gone    <= gone + {{C_W-1{1'b0}}, t_pop};
        t_older <= !t_pop && gone != (q_ready ? came : came_first);
        if (q_ready)
            came_first <= came;
        if (q_ready)
            went <= 0;
        else if (t_pop && side_after)
            went <= went + 1'b1;
        if (rst) begin
            side_valid <= 1'b0;
            side_goes  <= 1'b0;
            came       <= 0;
            gone       <= 0;
        end
    end

    reg  [3:0]   free;   // spare lines beyond those that operations under way may need
    reg  [Q_W:0] queued; // operations from here until they leave their queue
    wire [3:0]   more_free = free + {3'd0, pick} + {3'd0, spared};
    always @(posedge clk) begin
        free   <= a_go ? more_free - 4'd1 : more_free;
        queued <= a_go && !s1_valid ? queued + 1'b1 : !a_go && s1_valid ? queued - 1'b1 : queued;
        credit <= (a_go ? more_free > 4'd1 : more_free != 0) && queued < OPS[Q_W:0] - 1'b1 && !reads_3 && !rst;
        turn   <= pressed && !(a_go ? a_touch : t_was_last);
        if (a_go)
            t_was_last <= a_touch;
        if (rst) begin
            free       <= 0;
            queued     <= 0;
            t_was_last <= 1'b0;
        end
    end

endmodule
`default_nettype wire
