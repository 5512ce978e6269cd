// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_writes: what the memory is to write (docs/blocks/frame_mem.md).
//
// In reset nothing. After reset an empty word for every frame, one a cycle; then the words that the cleaner sends, in a short queue. A
// line's frame is read from a copy of the tags while its word is read.
`default_nettype none
module gmmu_frame_mem_writes #(
    parameter FRAME_W = 20,
    parameter WORD_W  = 115,
    parameter LINES   = 128,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,
    input  wire [FRAME_W:0]   clear_frames,
    output wire               cleared,
    // the line of a new frame
    input  wire               c3_take,
    input  wire [L_W-1:0]     c3_line,
    input  wire [FRAME_W-1:0] c3_frame,
    // the cleaner: a line goes out, if there is room; its word a cycle later
    output wire               w_free,
    input  wire               wipe,
    input  wire [L_W-1:0]     l3_line,
    input  wire [WORD_W-1:0]  clean_word,
    output wire               m_frame_w_valid,
    input  wire               m_frame_w_ready,
    output wire [FRAME_W-1:0] m_frame_w_addr,
    output wire [WORD_W-1:0]  m_frame_w_data,
    input  wire               m_frame_b_valid,
    output wire               owes      // a word that the cleaner sent is not in the memory yet
);

    localparam WQ = 16; // words on their way out

    reg  [FRAME_W:0] clear_at, clear_done;
    wire to_clear = clear_at < clear_frames;
    wire clear_b  = clear && m_frame_b_valid && clear_done != clear_at; // what nobody asked for is no answer
    assign cleared = !to_clear && clear_done == clear_at;
    always @(posedge clk)
        if (rst) begin
            clear_at   <= 0;
            clear_done <= 0;
        end else begin
            if (clear && to_clear && m_frame_w_ready)
                clear_at <= clear_at + 1'b1;
            if (clear_b)
                clear_done <= clear_done + 1'b1;
        end

    reg                o_valid;
    wire [FRAME_W-1:0] o_frame;
    reg  [4:0]         leaving; // words between the cleaner and the memory
    reg  [L_W:0]       owed;    // and those that it has not done: of each line one at most
    wire               out_valid, out_room, out_empty;
    wire [FRAME_W-1:0] out_frame;
    wire [WORD_W-1:0]  out_word;
    wire               out_pop = out_valid && m_frame_w_ready && !clear;
    assign w_free = leaving != WQ[4:0];
    always @(posedge clk) begin
        o_valid <= wipe && !rst;
        leaving <= rst ? 5'd0 : leaving + {4'd0, wipe} - {4'd0, out_pop};
        owed    <= rst ? {L_W+1{1'b0}} : owed + {{L_W{1'b0}}, wipe} - {{L_W{1'b0}}, m_frame_b_valid && !clear};
    end
    gmmu_ram_sdp #(
        .WIDTH(FRAME_W),
        .DEPTH(LINES)
    ) frames (
        .clk(clk),
        .we(c3_take),
        .waddr(c3_line),
        .wdata(c3_frame),
        .re(1'b1),
        .raddr(l3_line),
        .rdata(o_frame)
    );
    gmmu_fifo #(
        .WIDTH(FRAME_W + WORD_W),
        .DEPTH(WQ)
    ) out (
        .clk(clk),
        .rst(rst),
        .push(o_valid),
        .wdata({o_frame, clean_word}),
        .room(out_room),
        .pop(out_pop),
        .valid(out_valid),
        .rdata({out_frame, out_word}),
        .empty(out_empty)
    );
    wire unused_out = out_room || out_empty; // There is room, while leaving <= WQ.
    assign owes            = owed != 0;
    assign m_frame_w_valid = !rst && (clear ? to_clear : out_valid);
    assign m_frame_w_addr  = clear ? clear_at[FRAME_W-1:0] : out_frame;
    assign m_frame_w_data  = clear ? {WORD_W{1'b0}} : out_word;

endmodule
`default_nettype wire
