// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_ram: a RAM of fault_queue, whose words have a parity bit with PARITY.
`default_nettype none
module gmmu_fault_queue_ram #(
    // bits of a word, without its parity bit
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 0: words have no parity bit, and `odd` is 0
    parameter PARITY = 1,
    // parts of a word with a parity each, as the output of a RAM is late
    parameter PARTS  = 1,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              we,    // the word `wdata` is written
    input  wire [ADDR_W-1:0] waddr, // place of the write
    input  wire [WIDTH-1:0]  wdata, // the word that is written
    input  wire              re,    // a word is read
    input  wire [ADDR_W-1:0] raddr, // place of the read
    output wire [WIDTH-1:0]  rdata, // the word, from the cycle after `re` until the next `re`
    output wire [PARTS-1:0]  odd    // parities of the parts of the word: the word is corrupt if their sum is odd
);

    localparam P = PARITY != 0 ? 1 : 0;
    localparam PART = (WIDTH + P + PARTS - 1) / PARTS;

    wire [WIDTH+P-1:0] kept; // the written word, with its parity bit
    wire [WIDTH+P-1:0] word; // the word that was read, with its parity bit
    assign rdata = word[WIDTH-1:0];
    gmmu_ram_sdp #(
        .WIDTH(WIDTH + P),
        .DEPTH(DEPTH),
        .FLIPS(P),
        .ADDR_W(ADDR_W)
    ) words (
        .clk(clk),
        .we(we),
        .waddr(waddr),
        .wdata(kept),
        .re(re),
        .raddr(raddr),
        .rdata(word)
    );
    genvar i;
    generate
        if (PARITY != 0) begin : g_parity
            assign kept = {^wdata, wdata};
            for (i = 0; i < PARTS; i = i + 1) begin : g_part
                localparam LOW = i * PART, HIGH = LOW + PART < WIDTH + P ? LOW + PART : WIDTH + P;
                if (LOW < WIDTH + P) begin : g_some
                    assign odd[i] = ^word[HIGH-1:LOW];
                end else begin : g_none
                    assign odd[i] = 1'b0;
                end
            end
        end else begin : g_bare
            assign kept = wdata;
            assign odd  = {PARTS{1'b0}};
            wire unused_part = PART != 0;
        end
    endgenerate

endmodule
`default_nettype wire
