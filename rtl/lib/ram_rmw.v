// SPDX-License-Identifier: Apache-2.0
// ram_rmw: a RAM for read-modify-write at one operation a cycle, with a second reader.
//
//   cycle      n            n+1          n+2                    n+3
//   port A   a0_addr ──► RAM out ──► a2_q, a2_we, a2_d ──► RAM write
//   port B   b0_addr ──► RAM out ──► b2_q
//
// a2_q and b2_q are the word as left by all writes that stood at a2 in earlier cycles, never by
// the one at a2 in the same cycle. The three writes that a RAM read issued at n cannot see (at a2
// in cycles n-1, n and n+1) are forwarded.
`default_nettype none
module ram_rmw #(
    // bits of a word
    parameter WIDTH  = 8,
    // words
    parameter DEPTH  = 16,
    // 1: there is a port B, with a copy of the RAM of its own
    parameter PORT_B = 0,
    parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] a0_addr,
    output wire [WIDTH-1:0]  a2_q,
    input  wire              a2_we,
    input  wire [WIDTH-1:0]  a2_d,
    input  wire [ADDR_W-1:0] b0_addr,
    output wire [WIDTH-1:0]  b2_q
);

    // the write of the previous a2, presented to the RAM now, and the one before it
    reg              w_we, w1_we;
    reg [ADDR_W-1:0] w_addr, w1_addr;
    reg [WIDTH-1:0]  w_d, w1_d;

    reg  [ADDR_W-1:0] a1_addr, a2_addr;
    reg               a2_again; // the write presented now is at a2's address, if it is one
    reg  [WIDTH-1:0]  a2_word;
    wire [WIDTH-1:0]  a1_ram;
    wire [WIDTH-1:0]  a1_word = w_we && w_addr == a1_addr   ? w_d  :
                                w1_we && w1_addr == a1_addr ? w1_d : a1_ram;

    assign a2_q = w_we && a2_again ? w_d : a2_word;

    ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) ram_a (
        .clk(clk), .we(w_we), .waddr(w_addr), .wdata(w_d),
        .re(1'b1), .raddr(a0_addr), .rdata(a1_ram)
    );

    always @(posedge clk) begin
        a1_addr <= a0_addr;
        a2_addr <= a1_addr;
        a2_word <= a1_word;
        a2_again <= a1_addr == a2_addr;
        w_addr  <= a2_addr;
        w_d     <= a2_d;
        w_we    <= a2_we && !rst;
        w1_addr <= w_addr;
        w1_d    <= w_d;
        w1_we   <= w_we && !rst;
    end

    generate
        if (PORT_B) begin : g_b
            reg  [ADDR_W-1:0] b1_addr;
            reg  [WIDTH-1:0]  b2_word;
            reg               b2_again;
            wire [WIDTH-1:0]  b1_ram;
            wire [WIDTH-1:0]  b1_word = w_we && w_addr == b1_addr   ? w_d  :
                                        w1_we && w1_addr == b1_addr ? w1_d : b1_ram;
            assign b2_q = w_we && b2_again ? w_d : b2_word;
            ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) ram_b (
                .clk(clk), .we(w_we), .waddr(w_addr), .wdata(w_d),
                .re(1'b1), .raddr(b0_addr), .rdata(b1_ram)
            );
            always @(posedge clk) begin
                b1_addr <= b0_addr;
                b2_word <= b1_word;
                b2_again <= b1_addr == a2_addr;
            end
        end else begin : g_no_b
            wire unused_b = &{1'b0, b0_addr};
            assign b2_q = {WIDTH{1'b0}};
        end
    endgenerate

endmodule
`default_nettype wire
