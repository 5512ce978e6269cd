// SPDX-License-Identifier: Apache-2.0
// gmmu_csr_reg: one register behind the bus (docs/blocks/csr.md).
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
    input  wire                rst,      // The register takes the value RESET.
    input  wire                write,    // A word is written in this cycle.
    input  wire [9:0]          word,     // The number of that word says which register is meant.
    input  wire [31:0]         data,     // The word holds these bits.
    input  wire [31:0]         mask,     // Bits of strobed bytes are 1; the other bits of the word keep their values.
    input  wire                was_calm, // Nothing was under way in the unit a cycle ago, and nothing came.
    output wire [32*WORDS-1:0] read,     // The bus reads the register as it is written, in force or not.
    output wire [WIDTH-1:0]    value,    // The unit sees the value in force.
    output wire                pending   // The written value differs from the value in force.
);
    wire [31:0] reset_word = RESET;
    wire [63:0] at_reset = {32'd0, reset_word}; // The value after a reset, of as many bits as a register has at most.

    // ======== as written
    reg  [WIDTH-1:0]    written;
    wire [32*WORDS-1:0] next; // The register holds these bits once its lower word is written.
    wire [31:0]         lower = (read[31:0] & ~mask) | (data & mask);
    assign read = {{32*WORDS-WIDTH{1'b0}}, written};
    always @(posedge clk)
        if (rst) written <= at_reset[WIDTH-1:0];
        else if (write && word == WORD[9:0]) written <= next[WIDTH-1:0];

    generate
        if (WORDS == 1) begin : g_one_word
            assign next = lower;
        end else begin : g_two_words
            reg [31:0] upper; // This is the upper word of the next write.
            always @(posedge clk)
                if (rst) upper <= 32'd0;
                else if (write && word == WORD[9:0] + 10'd1) upper <= (upper & ~mask) | (data & mask);
            assign next = {upper, lower};
        end
    endgenerate

    // ======== in force. `quiet` comes late, so a register that waits chooses a cycle later between two values that were
    // kept, which gives the same value in every cycle
    generate
        if (WAITS == 0) begin : g_at_once
            assign value = written;
        end else begin : g_waits
            reg [WIDTH-1:0] written_before;
            reg [WIDTH-1:0] value_before;
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
