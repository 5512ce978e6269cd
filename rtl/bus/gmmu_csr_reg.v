// SPDX-License-Identifier: Apache-2.0
// gmmu_csr_reg: one register behind the bus (docs/reference/blocks/csr.md).
//
//   in force at once:   data ─► written ───────────────────────► value
//   WAITS for quiet:    data ─► written ─► written_before ─┐
//                                                          ├──► value
//                                 value ─► value_before ───┘
//
// A register of two words has its lower word at WORD and its upper word at WORD + 1. The upper word is kept until the
// lower word is written, which writes both.
`default_nettype none
module gmmu_csr_reg #(
    parameter        WORD  = 128, // number of the word of 32 bits on the bus; even
    parameter        WIDTH = 16,  // bits of the register: at most 32 times WORDS
    parameter [31:0] RESET = 0,   // value after a reset
    parameter        WAITS = 0,   // 1: the register comes into force only while the unit is quiet
    parameter        WORDS = 1    // words on the bus, 1 or 2
) (
    input  wire                clk,
    input  wire                rst,      // the register takes the value RESET
    input  wire                write,    // a word is written in this cycle
    input  wire [9:0]          word,     // number of the word that is written
    input  wire [31:0]         data,     // the word that is written
    input  wire [31:0]         mask,     // bits of strobed bytes are 1; the other bits of the word keep their values
    input  wire                was_calm, // a cycle ago the unit was quiet, and no walk and no operation was offered
    output wire [32*WORDS-1:0] read,     // the register as written, in force or not, for the bus
    output wire [WIDTH-1:0]    value,    // the value in force, for the unit
    output wire                pending   // the written value differs from the value in force
);
    wire [31:0] reset_word = RESET;               // value after a reset
    wire [63:0] at_reset   = {32'd0, reset_word}; // value after a reset, in 64 bits

    // ======== as written
    reg  [WIDTH-1:0]    written;                                      // the register as written
    wire [32*WORDS-1:0] next;                                         // the register as written, behind a write of the lower word
    wire [31:0]         lower = (read[31:0] & ~mask) | (data & mask); // the lower word behind the write
    assign read = {{32*WORDS-WIDTH{1'b0}}, written};
    always @(posedge clk)
        if (rst) written <= at_reset[WIDTH-1:0];
        else if (write && word == WORD[9:0]) written <= next[WIDTH-1:0];

    generate
        if (WORDS == 1) begin : g_one_word
            assign next = lower;
        end else begin : g_two_words
            reg [31:0] upper; // upper word of the next write
            always @(posedge clk)
                if (rst) upper <= 32'd0;
                else if (write && word == WORD[9:0] + 10'd1) upper <= (upper & ~mask) | (data & mask);
            assign next = {upper, lower};
        end
    endgenerate

    // ======== in force. as-if register: `quiet` arrives late, so a register that waits selects a cycle later between two
    // registered values; the value is the same in every cycle
    generate
        if (WAITS == 0) begin : g_at_once
            assign value = written;
        end else begin : g_waits
            reg [WIDTH-1:0] written_before; // the register as written, a cycle ago
            reg [WIDTH-1:0] value_before;   // the value in force, a cycle ago
            always @(posedge clk) written_before <= written;
            always @(posedge clk)
                if (rst) value_before <= at_reset[WIDTH-1:0];
                else value_before <= value;
            assign value = was_calm ? written_before : value_before;
        end
    endgenerate
    assign pending = value != written;

    wire unused_csr_reg = &{1'b0, was_calm, next, at_reset};
endmodule
`default_nettype wire
