// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_notes: faults of walks that wait for their ENTER, first in, first out.
//
// A word takes three cycles from `push` to `valid`. The place of a popped note is free from the cycle of `pop` on.
`default_nettype none
module gmmu_fault_queue_notes #(
    // bits of a note
    parameter WIDTH  = 8,
    // notes, a power of two, at least 2
    parameter NOTES  = 4,
    // 1: a note has a parity bit
    parameter PARITY = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // `wdata` is noted, if there is room
    input  wire [WIDTH-1:0] wdata, // the note
    output reg              full,  // there is no room
    output wire             some,  // there is a note
    input  wire             hold,  // the oldest note, or the one popped last, stays at `rdata`
    input  wire             pop,   // the oldest note goes at the end of this cycle
    output reg              valid, // `rdata` is the oldest note
    output wire [WIDTH-1:0] rdata, // the oldest note
    output wire             bad    // the oldest note is corrupt
);

    localparam A_W = $clog2(NOTES);

    reg  [A_W:0]   count; // notes
    reg  [A_W-1:0] first; // place of the oldest note
    reg  [A_W-1:0] last;  // place of the next note
    reg            came;   // `rdata` is the oldest note, and `bad` will be right
    localparam PARTS = 8;
    wire [PARTS-1:0] odd;  // parities, which arrive late
    reg  [PARTS-1:0] odds;
    assign bad = ^odds;
    wire takes = push && !full;
    wire reads = count != 0 && !came && !valid && !hold;
    wire [A_W:0] after = count + {{A_W{1'b0}}, takes} - {{A_W{1'b0}}, pop};
    assign some = count != 0;
    always @(posedge clk) begin
        count <= rst ? {A_W+1{1'b0}} : after;
        full  <= !rst && after == NOTES[A_W:0];
        first <= rst ? {A_W{1'b0}} : pop ? first + 1'b1 : first;
        last  <= rst ? {A_W{1'b0}} : takes ? last + 1'b1 : last;
        came  <= !rst && reads;
        valid <= !rst && !pop && (valid || came);
        if (came)
            odds <= odd;
    end
    gmmu_fault_queue_ram #(
        .WIDTH(WIDTH),
        .DEPTH(NOTES),
        .PARITY(PARITY),
        .PARTS(PARTS),
        .ADDR_W(A_W)
    ) notes (
        .clk(clk),
        .we(takes),
        .waddr(last),
        .wdata(wdata),
        .re(reads),
        .raddr(first),
        .rdata(rdata),
        .odd(odd)
    );

endmodule
`default_nettype wire
