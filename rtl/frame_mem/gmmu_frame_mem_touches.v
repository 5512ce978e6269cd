// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_touches: the queue of walk hits (docs/reference/blocks/frame_mem.md).
//
// A hit keeps its entry until the hit is done. The last quarter of the entries is for hits that write. A hit without a free
// entry is dropped. The queue ends in two registers that are filled alternately: filling one register does not depend on
// whether the other register is left in this cycle.
`default_nettype none
module gmmu_frame_mem_touches #(
    // bits of a hit
    parameter WIDTH  = 130,
    // entries, a power of two, at least 4
    parameter TOUCHQ = 128
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             w_hit,    // a walk hits
    input  wire             w_write,  // the walk writes
    input  wire [WIDTH-1:0] w_data,   // frame and data of the hit
    output wire             w_room,   // the hit is queued; without room the hit is dropped
    input  wire             hit_done, // a hit is done and leaves its entry
    input  wire             pop,      // the oldest hit goes on
    output wire             valid,    // a hit may go on
    output wire [WIDTH-1:0] head,     // the oldest hit
    output wire             empty,    // no hit waits
    output reg              pressed,  // half of the entries are in use, a cycle later
    output reg              lost      // a hit that writes was dropped: every page counts as dirty
);

    localparam C_W = $clog2(TOUCHQ) + 1;
    localparam [C_W-1:0] MOST = TOUCHQ[C_W-1:0] - TOUCHQ[C_W-1:0] / 4; // entries for hits that do not write

    reg  [C_W-1:0] touches; // hits that are not done
    wire             push = w_hit && w_room;
    wire             f_valid; // the FIFO has a hit
    wire             f_empty; // the FIFO is empty
    wire             f_pop;   // a hit goes from the FIFO to one of the two registers
    wire             f_room;  // the FIFO has room
    wire [WIDTH-1:0] f_hit;   // the FIFO's oldest hit
    // the hit that is done leaves its entry in this cycle
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

    reg  [WIDTH-1:0] hit0;    // one of the two registers at the end of the queue
    reg  [WIDTH-1:0] hit1;    // one of the two registers at the end of the queue
    reg  [1:0]       hits;    // per register: the register holds a hit
    reg              hit_in;  // the register that is filled next
    reg              hit_out; // the register that is left next
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
