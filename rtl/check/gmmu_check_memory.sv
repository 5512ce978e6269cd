// SPDX-License-Identifier: Apache-2.0
// gmmu_check_memory: the memory port m_frame_*: the rules of docs/reference/blocks/frame_mem.md#the-memory-port, for the unit and for the
// memory, which gives back what was written.
`default_nettype none
`include "gmmu_check.svh"
module gmmu_check_memory #(
    parameter FRAMES  = 256,
    parameter FRAME_W = 8,
    parameter WORD_W  = 64, // bits of a word
    parameter LINES   = 16  // reads without an answer, at most
) (
    input wire               clk,
    input wire               rst,
    input wire [FRAME_W:0]   frames, // cfg_frames
    input wire               ar_valid,
    input wire               ar_ready,
    input wire [FRAME_W-1:0] ar_addr,
    input wire               r_valid,
    input wire [WORD_W-1:0]  r_data,
    input wire               w_valid,
    input wire               w_ready,
    input wire [FRAME_W-1:0] w_addr,
    input wire [WORD_W-1:0]  w_data,
    input wire               b_valid
);
    localparam L_W = $clog2(LINES) + 1;
    reg  [WORD_W-1:0]  word [0:FRAMES-1];        // what was written, if `known`
    reg  [31:0]        known [0:FRAMES-1];         // `epoch` of the word's last write
    reg  [31:0]        being_read [0:FRAMES-1];    // `epoch`: a read of the word has no answer yet
    reg  [31:0]        being_written [0:FRAMES-1]; // `epoch`: a write of the word is not done yet
    reg  [31:0]        epoch;                      // number of the reset; what is of another one does not count
    reg  [FRAME_W-1:0] reads [0:2*LINES-1];        // addresses of the reads without an answer, in their order
    reg  [FRAME_W-1:0] writes [0:FRAMES-1];        // addresses of the writes that are not done, in their order
    reg  [L_W-1:0]     r_put;
    reg  [L_W-1:0]     r_get;
    reg  [FRAME_W-1:0] w_put;
    reg  [FRAME_W-1:0] w_get;
    reg  [FRAME_W:0]   writing;              // writes that are not done
    wire [L_W-1:0]     reading = r_put - r_get;  // reads without an answer
    wire [FRAME_W-1:0] r_addr  = reads[r_get];   // the oldest read's address
    reg                ar_waits;          // a read was offered in the cycle before, and not taken
    reg                w_waits;           // a write was offered in the cycle before, and not taken
    reg                resets;
    reg  [FRAME_W-1:0] was_ar;
    reg  [FRAME_W-1:0] was_w;
    reg  [WORD_W-1:0]  was_data;
    wire               ar = ar_valid && ar_ready; // a read is taken
    wire               w  = w_valid && w_ready;   // a write is taken
    wire               r  = r_valid && reading != 0;
    wire               b  = b_valid && writing != 0;
    wire [FRAME_W-1:0] b_addr = writes[w_get];    // the oldest write's address
    wire               ar_apart = being_written[ar_addr] != epoch || (b && b_addr == ar_addr); // no write of the read's word is under way
    wire               w_apart  = being_read[w_addr] != epoch || (r && r_addr == w_addr);      // no read of the write's word is under way
    wire               w_first  = being_written[w_addr] != epoch || (b && b_addr == w_addr);   // no other write of the word is under way
    wire               r_known  = known[r_addr] == epoch; // the word was written
    wire [WORD_W-1:0]  r_word   = word[r_addr];  // and this is the word
    function [FRAME_W-1:0] after(input [FRAME_W-1:0] place); // places of writes go round
        after = {1'b0, place} == FRAMES[FRAME_W:0] - 1'b1 ? {FRAME_W{1'b0}} : place + 1'b1;
    endfunction
    integer i;
    initial begin
        epoch = 0;
        for (i = 0; i < FRAMES; i = i + 1) begin
            known[i]         = 0;
            being_read[i]    = 0;
            being_written[i] = 0;
        end
    end
    initial {r_put, r_get, w_put, w_get, writing, ar_waits, w_waits, resets} = 0;
    always @(posedge clk) begin
        ar_waits <= !rst && ar_valid && !ar_ready;
        w_waits  <= !rst && w_valid && !w_ready;
        resets   <= rst;
        was_ar   <= ar_addr;
        was_w    <= w_addr;
        was_data <= w_data;
        if (r) begin
            r_get              <= r_get + 1'b1;
            being_read[r_addr] <= 32'd0;
        end
        if (b) begin
            w_get                 <= after(w_get);
            being_written[b_addr] <= 32'd0;
        end
        if (ar) begin
            reads[r_put]        <= ar_addr;
            r_put               <= r_put + 1'b1;
            being_read[ar_addr] <= epoch;
        end
        if (w) begin
            writes[w_put]         <= w_addr;
            w_put                 <= after(w_put);
            word[w_addr]          <= w_data;
            known[w_addr]         <= epoch;
            being_written[w_addr] <= epoch;
        end
        writing <= writing + {{FRAME_W{1'b0}}, w} - {{FRAME_W{1'b0}}, b};
        if (rst) begin
            {r_put, r_get, w_put, w_get, writing} <= 0;
            epoch <= resets ? epoch : epoch + 1'b1;
        end
    end

    localparam MEMORY = "the memory", PORT = "docs/reference/blocks/frame_mem.md#the-memory-port", RESETS = "docs/reference/blocks/frame_mem.md#resets";
    `GMMU_UNIT(read_stays, ar_waits, ar_valid && ar_addr == was_ar, "an offered read changed, or was taken back", PORT)
    `GMMU_UNIT(write_stays, w_waits, w_valid && w_addr == was_w && w_data == was_data, "an offered write changed, or was taken back", PORT)
    `GMMU_UNIT(memory_known, 1'b1,
        (^{ar_valid, w_valid}) !== 1'bx && (!ar_valid || (^ar_addr) !== 1'bx) && (!w_valid || (^{w_addr, w_data}) !== 1'bx),
        "a request has an unknown bit", PORT)
    `GMMU_UNIT(read_enabled, ar_valid, {1'b0, ar_addr} < frames, "a read of a word that is not below cfg_frames", PORT)
    `GMMU_UNIT(write_enabled, w_valid, {1'b0, w_addr} < frames, "a write of a word that is not below cfg_frames", PORT)
    `GMMU_UNIT(reads_bounded, ar, reading < LINES[L_W-1:0] || (reading == LINES[L_W-1:0] && r), "more than LINES reads are without an answer", PORT)
    `GMMU_UNIT(read_apart, ar, ar_apart, "a word is read while it is being written", PORT)
    `GMMU_UNIT(write_apart, w, w_apart, "a word is written while it is being read", PORT)
    `GMMU_UNIT(write_once, w, w_first, "a word is written while a write of it is not done", PORT)
    `GMMU_UNIT_EVER(memory_silent, rst && resets, !ar_valid && !w_valid, "a request is offered in reset", RESETS)
    `GMMU_USER(answers_known, 1'b1, (^{ar_ready, w_ready, r_valid, b_valid}) !== 1'bx && (!r_valid || (^r_data) !== 1'bx), MEMORY,
        "ready, an answer or the data of an answer is unknown", PORT)
    `GMMU_USER(answer_asked, r_valid, reading != 0, MEMORY,
        "an answer to no read: of before a reset, or in the cycle of its request, or one too many", RESETS)
    `GMMU_USER(done_asked, b_valid, writing != 0, MEMORY, "a done to no write: of before a reset, or in the cycle of its request, or one too many",
        RESETS)
    `GMMU_USER(answer_data, r && r_known, r_data == r_word, MEMORY,
        "an answer is not the word that was written: other data, or not in the order of the reads", PORT)
endmodule
`default_nettype wire
