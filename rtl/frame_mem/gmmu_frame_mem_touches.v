// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_touches: the walk hits that wait for their turn (docs/blocks/frame_mem.md).
//
// A hit keeps its place until it is done. The last quarter of the places is for hits that write; one without room is
// dropped. The queue ends in two registers that are filled in turns: whether one is filled does not depend on whether the
// other is left in this cycle.
`default_nettype none
module gmmu_frame_mem_touches #(
    // bits of a hit
    parameter WIDTH  = 130,
    // places, a power of two, at least 4
    parameter TOUCHQ = 128
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             w_hit,
    input  wire             w_write,
    input  wire [WIDTH-1:0] w_data,
    output wire             w_room,
    input  wire             hit_done, // its place is free
    input  wire             pop,
    output wire             valid,
    output wire [WIDTH-1:0] head,
    output wire             empty,
    output reg              pressed,  // half of the places are taken (a cycle late)
    output reg              lost      // a hit that writes was dropped: nobody knows what is clean
);

    localparam C_W = $clog2(TOUCHQ) + 1;
    localparam [C_W-1:0] MOST = TOUCHQ[C_W-1:0] - TOUCHQ[C_W-1:0] / 4; // places for hits that do not write

    reg  [C_W-1:0]   touches; // not yet done
    wire             push = w_hit && w_room;
    wire             f_valid, f_empty, f_pop, f_room;
    wire [WIDTH-1:0] f_hit;
    // the one that is done leaves its place in this cycle
    assign w_room = w_write ? !touches[C_W-1] || hit_done : touches < MOST || (hit_done && touches == MOST);
    gmmu_fifo #(
        .WIDTH(WIDTH),
        .DEPTH(TOUCHQ)
    ) waiting (
        .clk(clk),
        .rst(rst),
        .push(push),
        .wdata(w_data),
        .room(f_room),
        .pop(f_pop),
        .valid(f_valid),
        .rdata(f_hit),
        .empty(f_empty)
    );
    wire unused = f_room; // There is room, while touches <= TOUCHQ.

    reg  [WIDTH-1:0] hit0, hit1;
    reg  [1:0]       hits;
    reg              hit_in, hit_out;
    wire [1:0]       into = {f_pop && hit_in, f_pop && !hit_in}, out_of = {pop && hit_out, pop && !hit_out};
    assign f_pop = f_valid && !(hit_in ? hits[1] : hits[0]);
    assign valid = hit_out ? hits[1] : hits[0];
    assign head  = hit_out ? hit1 : hit0;
    assign empty = f_empty && hits == 2'd0;
    always @(posedge clk) begin
        if (into[0])
            hit0 <= f_hit;
        if (into[1])
            hit1 <= f_hit;
        hits    <= (hits & ~out_of) | into;
        hit_in  <= hit_in ^ f_pop;
        hit_out <= hit_out ^ pop;
        touches <= touches - {{C_W-1{1'b0}}, hit_done} + {{C_W-1{1'b0}}, push};
        pressed <= touches[C_W-1] || touches[C_W-2];
        if (w_hit && w_write && !w_room)
            lost <= 1'b1;
        if (rst) begin
            hits    <= 2'd0;
            hit_in  <= 1'b0;
            hit_out <= 1'b0;
            touches <= 0;
            lost    <= 1'b0;
        end
    end

endmodule
`default_nettype wire
