// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_turns: which operation goes on (docs/blocks/frame_mem.md).
//
// A side operation waits in a register of its own, so that its port does not depend on the walk hits. It goes first,
// unless half of the places of walk hits are taken; then both take turns. Nothing goes without *credit*: a spare line, a
// place in the queue of operations and one in that of reads; what a cycle adds or takes counts one cycle later.
`default_nettype none
module gmmu_frame_mem_turns #(
    parameter FRAME_W = 20,
    // bits of what a walk hit says; of what goes along with a side operation
    parameter T_W     = 110,
    parameter TAG_W   = 97,
    parameter TOUCHQ  = 128,
    // operations between here and the queue's end
    parameter OPS     = 128,
    parameter P_W     = (T_W > TAG_W ? T_W : TAG_W) + 1
) (
    input  wire               clk,
    input  wire               rst,
    // the oldest walk hit
    input  wire               t_valid,
    input  wire               t_empty,  // none waits
    output wire               t_pop,
    input  wire [FRAME_W-1:0] t_frame,
    input  wire [T_W-1:0]     t_what,
    input  wire               pressed,  // half of their places are taken
    // side operations
    input  wire               q_valid,
    output wire               q_ready,
    input  wire               q_none,
    input  wire               q_after,
    input  wire [FRAME_W-1:0] q_frame,
    input  wire [TAG_W-1:0]   q_tag,
    output reg                side_valid,
    // what makes credit
    input  wire               pick,     // a line has become a spare one
    input  wire               spared,   // an operation went on without taking one
    input  wire               s1_valid, // an operation has left its queue
    input  wire               reads_3,  // the memory has not taken four reads yet
    // the one that goes on
    output wire               a_go,
    output wire               a_any,    // there is one, whether it goes or not
    output wire               a_touch,
    output wire               a_none,
    output wire [FRAME_W-1:0] a_frame,
    output wire [P_W-1:0]     a_what
);

    localparam C_W = $clog2(TOUCHQ) + 1;
    localparam Q_W = $clog2(OPS);

    reg               side_none, side_after;
    reg               side_goes;  // and no walk hit has to go before it any more
    reg [FRAME_W-1:0] side_frame;
    reg [TAG_W-1:0]   side_tag;
    reg [C_W-1:0]     went;       // walk hits that went before a side operation that lets them
    reg               credit, turn, t_was_last;
    wire a_side = credit && side_goes && !(t_valid && turn);
    assign a_touch = t_valid && (!side_goes || turn);
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
        if (q_ready)
            went <= 0;
        else if (t_pop && side_after)
            went <= went + 1'b1;
        if (rst) begin
            side_valid <= 1'b0;
            side_goes  <= 1'b0;
        end
    end

    reg  [3:0]   free;     // spare lines that no operation under way to one may need
    reg  [Q_W:0] queued;   // operations from here until they leave their queue
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
