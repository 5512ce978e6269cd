// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_sdp: the one RAM template: one writer, one reader, one clock, registered output.
//
// What a read returns while the same address is written is never relied on (no_rw_check), nor is
// the content after power-up. With GMMU_SIM the plusarg +ram=garbage makes such a read return noise
// and +ram=new the new data; else it returns the old data. +flip=n: about every n-th word is written with a bit turned over.
// 4097 to 16384 words are slices of one or two bits, each as deep as a RAM block is: of wider ones several would
// lie behind each other, and a multiplexer behind the slow output of each.
`default_nettype none
module gmmu_ram_sdp #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 0: +flip leaves it alone
    parameter FLIPS  = 1,
    // 1: it leaves words alone that are odd: they turned bad before
    parameter ONCE   = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire              re,    // rdata holds its value in the cycle after, until the next re
    input  wire [ADDR_W-1:0] raddr,
    output reg  [WIDTH-1:0]  rdata
);

`ifdef GMMU_SIM
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    localparam [WIDTH-1:0] ONE = 1;
    reg [31:0] flip;
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
    reg [8*8-1:0] model;
    reg odd, fresh;
    reg [NOISE_W-1:0] noise;
    wire unused_noise = &{1'b0, noise};
    initial begin
        if (!$value$plusargs("ram=%s", model))
            model = "old";
        fresh = model == "new";
        odd   = fresh || model == "garbage";
    end
    // in this order of conditions a simulator evaluates little of it
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
            (* no_rw_check *) reg [BITS-1:0] mem [0:DEPTH-1];
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
