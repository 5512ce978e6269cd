// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rows: a RAM of rows of BINS words, addressed {row, bin}, with little selection between an FPGA's RAMs and rdata.
//
// The bins up to the greatest power of two are one RAM, and the bins above another RAM. So no row is padded to the next power
// of two, and no address needs a multiplication. Each of the two RAMs is cut into slices of bits. A slice is as wide as a
// block RAM of 16 Kbit is at this depth, so blocks lie side by side rather than one behind the other. With GMMU_ASIC_RAM the
// two RAMs are not cut: a memory compiler makes a RAM of any width, and many narrow RAMs cost more. Ports, collisions and
// `re` are as in gmmu_ram_sdp. +flip flips bits of the first slice only, so a word has at most one flipped bit.
`default_nettype none
module gmmu_ram_rows #(
    // bits of a word
    parameter WIDTH  = 8,
    parameter ROWS   = 1,
    // words of a row, at least 2
    parameter BINS   = 16,
    parameter ADDR_W = (ROWS > 1 ? $clog2(ROWS) : 0) + $clog2(BINS)
) (
    input  wire              clk,
    input  wire              we,    // the word is written
    input  wire [ADDR_W-1:0] waddr, // place of the write, {row, bin}
    input  wire [WIDTH-1:0]  wdata, // the word that is written
    input  wire              re,    // a word is read
    input  wire [ADDR_W-1:0] raddr, // place of the read, {row, bin}
    output wire [WIDTH-1:0]  rdata  // the word, from the cycle after `re` until the next `re`
);

    localparam BIN_W  = $clog2(BINS);
    localparam LOW_W  = 1 << BIN_W == BINS ? BIN_W : BIN_W - 1;
    localparam REST   = BINS - (1 << LOW_W);           // bins of the second RAM
    localparam REST_W = REST > 2 ? $clog2(REST) : 1;
    localparam MAIN_DEPTH = ROWS << LOW_W, REST_DEPTH = ROWS << REST_W;

`ifdef GMMU_ASIC_RAM
    localparam MAIN_S = WIDTH, REST_S = WIDTH;
`else
    // width of a block RAM of this depth
    function integer across(input integer depth);
        across = depth <= 512 ? 36 : depth <= 1024 ? 18 : depth <= 2048 ? 9 : depth <= 4096 ? 4 : depth <= 8192 ? 2 : 1;
    endfunction
    localparam MAIN_S = across(MAIN_DEPTH), REST_S = across(REST_DEPTH);
`endif

    wire [WIDTH-1:0] main_q; // word of the first RAM
    genvar m, r;
    generate
        if (REST == 0) begin : g_one
            for (m = 0; m < WIDTH; m = m + MAIN_S) begin : g_main
                localparam W = WIDTH - m < MAIN_S ? WIDTH - m : MAIN_S;
                gmmu_ram_sdp #(
                    .WIDTH(W),
                    .DEPTH(MAIN_DEPTH),
                    .FLIPS(m == 0),
                    .ADDR_W(ADDR_W)
                ) ram (
                    .clk(clk),
                    .we(we),
                    .waddr(waddr),
                    .wdata(wdata[m +: W]),
                    .re(re),
                    .raddr(raddr),
                    .rdata(main_q[m +: W])
                );
            end
            assign rdata = main_q;
        end else begin : g_two
            localparam MAIN_A = ADDR_W - 1, REST_A = ADDR_W - BIN_W + REST_W;
            wire [WIDTH-1:0]  rest_q;  // word of the second RAM
            wire [MAIN_A-1:0] main_wa; // write address in the first RAM
            wire [MAIN_A-1:0] main_ra; // read address in the first RAM
            wire [REST_A-1:0] rest_wa; // write address in the second RAM
            wire [REST_A-1:0] rest_ra; // read address in the second RAM
            if (ADDR_W > BIN_W) begin : g_rows
                assign main_wa = {waddr[ADDR_W-1:BIN_W], waddr[LOW_W-1:0]};
                assign main_ra = {raddr[ADDR_W-1:BIN_W], raddr[LOW_W-1:0]};
                assign rest_wa = {waddr[ADDR_W-1:BIN_W], waddr[REST_W-1:0]};
                assign rest_ra = {raddr[ADDR_W-1:BIN_W], raddr[REST_W-1:0]};
            end else begin : g_row
                assign {main_wa, main_ra} = {waddr[LOW_W-1:0], raddr[LOW_W-1:0]};
                assign {rest_wa, rest_ra} = {waddr[REST_W-1:0], raddr[REST_W-1:0]};
            end
            reg in_rest; // the word was read from the second RAM
            always @(posedge clk)
                if (re)
                    in_rest <= raddr[LOW_W];
            for (m = 0; m < WIDTH; m = m + MAIN_S) begin : g_main
                localparam W = WIDTH - m < MAIN_S ? WIDTH - m : MAIN_S;
                gmmu_ram_sdp #(
                    .WIDTH(W),
                    .DEPTH(MAIN_DEPTH),
                    .FLIPS(m == 0),
                    .ADDR_W(MAIN_A)
                ) ram (
                    .clk(clk),
                    .we(we && !waddr[LOW_W]),
                    .waddr(main_wa),
                    .wdata(wdata[m +: W]),
                    .re(re),
                    .raddr(main_ra),
                    .rdata(main_q[m +: W])
                );
            end
            for (r = 0; r < WIDTH; r = r + REST_S) begin : g_rest
                localparam W = WIDTH - r < REST_S ? WIDTH - r : REST_S;
                gmmu_ram_sdp #(
                    .WIDTH(W),
                    .DEPTH(REST_DEPTH),
                    .FLIPS(r == 0),
                    .ADDR_W(REST_A)
                ) ram (
                    .clk(clk),
                    .we(we && waddr[LOW_W]),
                    .waddr(rest_wa),
                    .wdata(wdata[r +: W]),
                    .re(re),
                    .raddr(rest_ra),
                    .rdata(rest_q[r +: W])
                );
            end
            assign rdata = in_rest ? rest_q : main_q;
        end
    endgenerate

endmodule
`default_nettype wire
