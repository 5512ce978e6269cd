// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_sdp: the RAM template of all blocks: one writer, one reader, one clock, registered output.
//
// No block relies on a read at the address that is written in the same cycle (no_rw_check), or on the content after power-up.
// With GMMU_SIM the plusarg +ram=garbage makes such a read return noise, and +ram=new makes it return the new data; else
// the read returns the old data. +flip=n: about every n-th word is written with one flipped bit.
// 4097 to 16384 words are cut into slices of one or two bits, each as deep as a RAM block. With wider slices several blocks
// would lie behind each other, and a multiplexer behind the slow output of each block.
`default_nettype none
module gmmu_ram_sdp #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 0: +flip does not corrupt this RAM
    parameter FLIPS  = 1,
    // 1: +flip does not flip words of odd parity: these are corrupt already
    parameter ONCE   = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              we,    // the word `wdata` is written
    input  wire [ADDR_W-1:0] waddr, // place of the write
    input  wire [WIDTH-1:0]  wdata, // the word that is written
    input  wire              re,    // a word is read
    input  wire [ADDR_W-1:0] raddr, // place of the read
    output reg  [WIDTH-1:0]  rdata  // the word, from the cycle after `re` until the next `re`
);

`ifdef GMMU_SIM
    reg [WIDTH-1:0] mem [0:DEPTH-1]; // the words
    localparam [WIDTH-1:0] ONE = 1;
    reg [31:0] flip; // plusarg flip
    initial
        if (!$value$plusargs("flip=%d", flip))
            flip = 32'd0;
    always @(posedge clk)
        if (we) begin
            mem[waddr] <= wdata;
            if (FLIPS != 0 && (ONCE == 0 || !(^wdata)) && flip != 32'd0)
                if ({$random} % flip == 32'd0)
                    mem[waddr] <= wdata ^ ONE << ({$random} % WIDTH);
        end

    localparam NOISE_W = 32 * ((WIDTH + 31) / 32);
    reg [8*8-1:0]     model; // plusarg ram
    reg               odd;   // a read that collides with a write does not return the old data
    reg               fresh; // a read that collides returns the new data
    reg [NOISE_W-1:0] noise; // random bits of a read that collides with a write
    wire unused_noise = &{1'b0, noise};
    initial begin
        if (!$value$plusargs("ram=%s", model))
            model = "old";
        fresh = model == "new";
        odd   = fresh || model == "garbage";
    end
    // this order of conditions is fast in a simulator
    always @(posedge clk)
        if (re) begin
            rdata <= mem[raddr];
            if (odd && we && waddr == raddr) begin
                noise <= {NOISE_W / 32 {$random}};
                rdata <= fresh ? wdata : ~mem[raddr] ^ noise[WIDTH-1:0];
            end
        end
`else
    wire unused_flips = FLIPS != 0 || ONCE != 0;
    localparam SLICE = DEPTH <= 4096 || DEPTH > 16384 ? WIDTH : DEPTH > 8192 ? 1 : 2;
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + SLICE) begin : g_slice
            localparam BITS = WIDTH - i < SLICE ? WIDTH - i : SLICE;
            (* no_rw_check *) reg [BITS-1:0] mem [0:DEPTH-1]; // the words
            always @(posedge clk) begin
                if (we)
                    mem[waddr] <= wdata[i +: BITS];
                if (re)
                    rdata[i +: BITS] <= mem[raddr];
            end
        end
    endgenerate
`endif

endmodule
`default_nettype wire
