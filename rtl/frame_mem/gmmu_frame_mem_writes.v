// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_writes: the writes to the memory (docs/reference/blocks/frame_mem.md).
//
// In reset nothing is written. The reset sequence writes an empty word for every frame, one a cycle. Then the words of the cleaner
// are written, through a short queue. A copy of the tags gives the line's frame while the line's word is read.
`default_nettype none
module gmmu_frame_mem_writes #(
    parameter FRAME_W = 20,
    parameter WORD_W  = 115,
    parameter LINES   = 128,
    parameter L_W     = $clog2(LINES)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,           // the reset sequence is under way
    input  wire [FRAME_W:0]   clear_frames,    // number of words that the reset sequence sets to 0
    output wire               cleared,         // the words 0 to clear_frames - 1 are 0
    // the line of a new frame
    input  wire               c3_take,         // an operation takes a new line
    input  wire [L_W-1:0]     c3_line,         // the new line of the operation at c3
    input  wire [FRAME_W-1:0] c3_frame,        // frame of the operation at c3
    // the cleaner
    output wire               w_free,          // there is room for a word to be written back
    input  wire               wipe,            // a line is written back
    input  wire [L_W-1:0]     l3_line,         // the line that is written back
    input  wire [WORD_W-1:0]  clean_word,      // word of l3_line, a cycle later
    output wire               m_frame_w_valid, // a write is offered
    input  wire               m_frame_w_ready, // the memory takes the write
    output wire [FRAME_W-1:0] m_frame_w_addr,  // frame of the write
    output wire [WORD_W-1:0]  m_frame_w_data,  // word of the write
    input  wire               m_frame_b_valid, // the oldest write is done
    output wire               owes             // a word of the cleaner is on its way to the memory
);

    localparam WQ = 16; // words between the cleaner and the memory

    reg  [FRAME_W:0] clear_at;   // number of words that the memory has taken in the reset sequence
    reg  [FRAME_W:0] clear_done; // number of these words that are written
    wire to_clear = clear_at < clear_frames;
    wire clear_b  = clear && m_frame_b_valid && clear_done != clear_at; // an answer without a write does not count
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

    reg                o_valid;   // a word of the cleaner comes to the queue
    wire [FRAME_W-1:0] o_frame;   // frame of the word that comes to the queue
    reg  [4:0]         leaving;   // words between the cleaner and the memory
    reg  [L_W:0]       owed;      // words of the cleaner that the memory has not written; of each line one at most
    wire               out_valid; // a word waits for the memory
    wire               out_room;  // the queue has room
    wire               out_empty; // the queue is empty
    wire [FRAME_W-1:0] out_frame; // frame of the oldest word
    wire [WORD_W-1:0]  out_word;  // the oldest word
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
