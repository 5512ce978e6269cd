// SPDX-License-Identifier: Apache-2.0
// gmmu_csr_reg: one register behind the bus (docs/reference/blocks/csr.md).
//
//   in force at once:   data ─► written ─► whole ──────────────────────────► value
//   WAITS for quiet:    data ─► written ─► whole ─► whole_before ─┐
//                                                                 ├──► value
//                                        value ─► value_before ───┘
//
// A register of two words has its lower word at WORD and its upper word at WORD + 1, and takes both in either order: the
// word that is written first waits for the other, so that no value is half old and half new. If the other word does not
// come within 2^PATIENCE_W cycles, the first comes into force alone.
`default_nettype none
module gmmu_csr_reg #(
    parameter        WORD  = 128,     // number of the word of 32 bits on the bus; even
    parameter        WIDTH = 16,      // bits of the register: at most 32 times WORDS (gmmu_csr checks it)
    parameter [31:0] RESET = 0,       // value after a reset
    parameter        WAITS = 0,       // 1: the register comes into force only while the unit is quiet
    parameter        WORDS = 1,       // words on the bus, 1 or 2
    parameter        PATIENCE_W = 12  // two words: log2 of the cycles for which a word waits for the other
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
    localparam W = WIDTH > 32 * WORDS ? 32 * WORDS : WIDTH; // what is above has stopped the compilation in gmmu_csr
    wire [31:0] reset_word = RESET;               // value after a reset
    wire [63:0] at_reset   = {32'd0, reset_word}; // value after a reset, in 64 bits

    // ======== as written
    reg  [W-1:0]        written; // the register as written
    wire [WORDS-1:0]    writes;  // {upper, lower}: that word is written in this cycle
    wire [32*WORDS-1:0] next;    // the register as written, behind this cycle
    genvar i;
    generate
        for (i = 0; i < WORDS; i = i + 1) begin : g_word
            localparam [9:0] NUMBER = WORD[9:0] + i[9:0]; // number of the word
            assign writes[i] = write && word == NUMBER;
            assign next[32*i +: 32] = writes[i] ? (read[32*i +: 32] & ~mask) | (data & mask) : read[32*i +: 32];
        end
    endgenerate
    assign read = {{32*WORDS-W{1'b0}}, written};
    always @(posedge clk)
        if (rst) written <= at_reset[W-1:0];
        else if (writes != 0) written <= next[W-1:0];

    // ======== as written, with both words
    wire [W-1:0] whole; // the register as written, but for a word that waits for the other
    generate
        if (WORDS == 1) begin : g_one_word
            assign whole = written;
        end else begin : g_two_words
            reg  [W-1:0]          kept;  // the register as it was before a word of it waited
            reg  [1:0]            waits; // {upper, lower}: that word is written and waits for the other
            reg  [PATIENCE_W-1:0] left;  // cycles for which it waits
            wire [1:0]            puts = mask != 32'd0 ? writes : 2'b00;           // a byte of that word is written
            wire                  both = (puts[0] && waits[1]) || (puts[1] && waits[0]); // the other word comes
            wire                  late = left == 0 && puts == 2'b00;               // the other word has not come
            always @(posedge clk) begin
                left <= rst || puts != 2'b00 ? {PATIENCE_W{1'b1}} : left - 1'b1;
                if (rst || both || late) waits <= 2'b00;
                else waits <= waits | puts;
                if (rst) kept <= at_reset[W-1:0];
                else if (both || (late && waits != 2'b00)) kept <= next[W-1:0];
            end
            assign whole = kept;
        end
    endgenerate

    // ======== in force. as-if register: `quiet` arrives late, so a register that waits selects a cycle later between two
    // registered values; the value is the same in every cycle
    generate
        if (WAITS == 0) begin : g_at_once
            assign value = whole;
        end else begin : g_waits
            reg [W-1:0] whole_before; // the register as written, a cycle ago
            reg [W-1:0] value_before; // the value in force, a cycle ago
            always @(posedge clk) whole_before <= whole;
            always @(posedge clk)
                if (rst) value_before <= at_reset[W-1:0];
                else value_before <= value;
            assign value = was_calm ? whole_before : value_before;
        end
    endgenerate
    assign pending = value != written;

    wire unused_csr_reg = &{1'b0, was_calm, next, at_reset};
endmodule
`default_nettype wire
