// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_tdp: a RAM of two ports. Port A reads or writes, port B reads. One clock, registered outputs.
//
// Where a RAM block has two ports (ECP5, Artix-7), words are stored once; elsewhere Yosys makes two copies. No block relies
// on the output of port A after a write, or on the output of port B at the address that port A writes in the same cycle.
// GMMU_SIM as in gmmu_ram_sdp.
`default_nettype none
module gmmu_ram_tdp #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              a_we,   // port A writes instead of reading
    input  wire [ADDR_W-1:0] a_addr, // place of port A
    input  wire [WIDTH-1:0]  a_d,    // the word that port A writes
    output reg  [WIDTH-1:0]  a_q,    // the word of port A, a cycle after the address
    input  wire [ADDR_W-1:0] b_addr, // place of port B
    output reg  [WIDTH-1:0]  b_q     // the word of port B, a cycle after the address
);

`ifdef GMMU_SIM
    reg [WIDTH-1:0] mem [0:DEPTH-1]; // the words
    localparam [WIDTH-1:0] ONE = 1;
    reg [31:0] flip; // plusarg flip
    initial
        if (!$value$plusargs("flip=%d", flip))
            flip = 32'd0;
    always @(posedge clk)
        if (a_we) begin
            mem[a_addr] <= a_d;
            if (flip != 32'd0)
                if ({$random} % flip == 32'd0)
                    mem[a_addr] <= a_d ^ ONE << ({$random} % WIDTH);
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
    always @(posedge clk) begin
        a_q <= mem[a_addr];
        b_q <= mem[b_addr];
        if (odd && a_we) begin
            noise <= {NOISE_W / 32 {$random}};
            a_q <= fresh ? a_d : ~mem[a_addr] ^ noise[WIDTH-1:0];
            if (b_addr == a_addr)
                b_q <= fresh ? a_d : ~mem[b_addr] ^ noise[WIDTH-1:0];
        end
    end
`else
    localparam SLICE = DEPTH <= 4096 || DEPTH > 16384 ? WIDTH : DEPTH > 8192 ? 1 : 2; // as in gmmu_ram_sdp
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + SLICE) begin : g_slice
            localparam BITS = WIDTH - i < SLICE ? WIDTH - i : SLICE;
            (* no_rw_check *) reg [BITS-1:0] mem [0:DEPTH-1]; // the words
            always @(posedge clk) begin
                if (a_we)
                    mem[a_addr] <= a_d[i +: BITS];
                else
                    a_q[i +: BITS] <= mem[a_addr];
                b_q[i +: BITS] <= mem[b_addr];
            end
        end
    endgenerate
`endif

endmodule
`default_nettype wire
