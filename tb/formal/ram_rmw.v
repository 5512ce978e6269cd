// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_ram_rmw: a golden word at one address, any address, under any operations.
//: pdr 60 s
//: bmc3 60 frames 30 s
`default_nettype none
module formal_ram_rmw #(
    parameter WIDTH  = 2,
    parameter ROWS   = 2,
    parameter BINS   = 3, // of which one is in the other RAM of ram_rows
    parameter ADDR_W = 3
) (
    input wire              clk,
    input wire              reset, a2_we, a2_used,
    input wire [ADDR_W-1:0] a0_addr,
    input wire [WIDTH-1:0]  a2_d
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire [WIDTH-1:0] a2_q;
    wire             a3_bad;
    gmmu_ram_rmw #(.WIDTH(WIDTH), .ROWS(ROWS), .BINS(BINS), .ADDR_W(ADDR_W), .PARITY(1)) dut (
        .clk(clk), .rst(rst), .a0_addr(a0_addr), .a2_q(a2_q), .a2_we(a2_we), .a2_d(a2_d), .a2_used(a2_used), .a3_bad(a3_bad)
    );
    always @* assume (a0_addr[1:0] < BINS); // there is no such bin

    // no write before the address pipeline holds what the block was given
    reg [1:0] age = 2'd0;
    always @(posedge clk)
        if (age != 2'd3)
            age <= age + 1'b1;
    always @* assume (age == 2'd3 || !a2_we);

    (* anyconst *) wire [ADDR_W-1:0] here;
    reg             a1, a2;  // the operation at this stage is about `here`
    reg             written, a3_told; // told: its word was used, in the cycle before
    always @* assume (!(a2_used && a2 && !written)); // only words that were written
    reg [WIDTH-1:0] golden;
    always @(posedge clk) begin
        a1 <= a0_addr == here;
        a2 <= a1;
        a3_told <= a2 && a2_used && !rst;
        if (a2_we && a2) begin
            golden  <= a2_d;
            written <= 1'b1;
        end
        if (rst)
            written <= 1'b0;
    end

    always @* if (!rst) begin
        // What is read is the last value written in an earlier cycle.
        last_written: assert (!(written && a2) || a2_q == golden);
        // A word that is as it was written is never said to have turned bad.
        no_alarm: assert (!(a3_told && a3_bad));
    end

endmodule
`default_nettype wire
