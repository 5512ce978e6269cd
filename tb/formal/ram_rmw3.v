// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_ram_rmw3: a golden word at one address, any address, under any operations.
//: pdr 60 s
//: bmc3 60 frames 30 s
//: find 7 8
`default_nettype none
module formal_ram_rmw3 #(
    parameter WIDTH  = 2,
    parameter DEPTH  = 4,
    parameter ADDR_W = 2
) (
    input wire              clk,
    input wire              reset, a3_we, a3_poison,
    input wire [ADDR_W-1:0] a0_addr, b0_addr,
    input wire [WIDTH-1:0]  a3_d
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire [WIDTH-1:0] a2_x, a3_q, b2_x, b3_q, w_q;
    wire             a2_fwd, b2_fwd;
    wire [WIDTH-1:0] a2_q = a2_fwd ? w_q : a2_x, b2_q = b2_fwd ? w_q : b2_x;
    wire             a3_fwd, b3_fwd, a3_bad, b3_bad;
    gmmu_ram_rmw3 #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .PARITY(1)) dut (
        .clk(clk), .rst(rst), .a0_addr(a0_addr), .a2_q(a2_x), .a2_fwd(a2_fwd), .w_q(w_q), .a3_q(a3_q), .a3_fwd(a3_fwd),
        .a3_we(a3_we), .a3_poison(a3_poison), .a3_bad(a3_bad), .b3_bad(b3_bad), .a3_d(a3_d),
        .b0_addr(b0_addr), .b2_q(b2_x), .b2_fwd(b2_fwd), .b3_q(b3_q), .b3_fwd(b3_fwd)
    );

    // no write before the address pipeline holds what the block was given
    reg [2:0] age = 3'd0;
    always @(posedge clk)
        if (age != 3'd4)
            age <= age + 1'b1;
    always @* assume (age == 3'd4 || !a3_we);

    (* anyconst *) wire [ADDR_W-1:0] here;
    reg             a1, a2, a3, b1, b2, b3;  // the operation at this stage is about `here`
    reg             written, fresh, poison;          // fresh: in the cycle before
    reg [WIDTH-1:0] golden, a3_before, b3_before;
    always @(posedge clk) begin
        a1 <= a0_addr == here;
        a2 <= a1;
        a3 <= a2;
        b1 <= b0_addr == here;
        b2 <= b1;
        b3 <= b2;
        a3_before <= a2_q;
        b3_before <= b2_q;
        fresh     <= a3_we && a3;
        if (a3_we && a3) begin
            golden  <= a3_d;
            poison  <= a3_poison;
            written <= 1'b1;
        end
        if (rst) begin
            written <= 1'b0;
            fresh   <= 1'b0;
        end
    end

    always @* if (!rst) begin
        // Port A returns the last value written in an earlier cycle.
        port_a_last_written: assert (!(written && a3) || a3_q == golden);
        // Port B returns the last value written in an earlier cycle.
        port_b_last_written: assert (!(written && b3) || b3_q == golden);
        // A word is bad exactly if it was written so.
        bad_if_poisoned: assert (!(written && a3) || a3_bad == poison);
        bad_if_poisoned_b: assert (!(written && b3) || b3_bad == poison);
        // Each stage 2 returns it too, a cycle earlier.
        stage_2_last_written: assert (!written || ((!a2 || a2_q == golden) && (!b2 || b2_q == golden)));
        // A word that differs from that at stage 2 was forwarded, and a forward is one of a write to this word.
        forward_is_told: assert ((!a3 || a3_fwd == fresh) && (!b3 || b3_fwd == fresh));
        stays_if_not_told: assert ((a3_fwd || a3_q == a3_before) && (b3_fwd || b3_q == b3_before));
    end

endmodule
`default_nettype wire
