// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_parity_log: each turn of a place is counted once, and the last one is told with its number.
//: pdr 30 s
//: bmc3 40 frames 20 s
//: find 950:each_counted 951:last_told
`default_nettype none
module formal_parity_log #(
    parameter PLACES = 4,
    parameter MORE   = 2,
    parameter AT_W   = 2
) (
    input wire              clk,
    input wire              reset,
    input wire [PLACES-1:0] turns, // places that turn over
    input wire [AT_W-1:0]   at0, at1, at_more
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // a place turns again when its turn before was counted; all begin at 0
    reg  [PLACES-1:0] turned, turned1, pending; // pending: and it was a cycle ago
    reg  [3:0]        turn;   // places that turned
    always @* assume ((turns & (pending | (turned ^ turned1))) == 0);
    wire [PLACES-1:0] one = pending & (~pending + 1'b1);
    reg  [7:0]        place;  // the lowest that is pending, as of the cycle before; from 1
    reg  [AT_W-1:0]   number, was_at0, was_at1, was_at_more;
    wire [PLACES-1:0] came = turned ^ turned1;
    reg               goes, told;                // one is on its way to the counter; it was counted
    reg  [7:0]        next_place;
    reg  [AT_W-1:0]   next_number;
    always @(posedge clk) begin
        turned  <= rst ? {PLACES{1'b0}} : turned ^ turns;
        turned1 <= rst ? {PLACES{1'b0}} : turned;
        pending <= rst ? {PLACES{1'b0}} : (pending & ~one) | (turned ^ turned1);
        turn    <= rst ? 4'd0 : turn + came[0] + came[1] + came[2] + came[3];
        goes    <= !rst && pending != 0;
        told    <= !rst && goes;
        {place, number} <= {next_place, next_number};
        next_place <= one[0] ? 8'd1 : one[1] ? 8'd2 : one[2] ? 8'd3 : 8'd4;
        {was_at0, was_at1, was_at_more} <= {at0, at1, at_more};
        next_number <= one[0] ? was_at0 : one[1] ? was_at1 : one[2] ? was_at_more : {AT_W{1'b0}};
    end

    wire [31:0] stat_parity, stat_parity_last;
    gmmu_parity_log #(.PLACES(PLACES), .MORE(MORE), .AT_W(AT_W)) dut (
        .clk(clk), .rst(rst), .turned(turned), .at0(at0), .at1(at1), .at_more(at_more), .stat_parity(stat_parity),
        .stat_parity_last(stat_parity_last)
    );

    wire [2:0] waiting = {2'd0, pending[0]} + pending[1] + pending[2] + pending[3];
    always @* if (!first) begin
        // What turned is counted, but for what waits or is on its way.
        each_counted: assert (stat_parity[3:0] == turn - waiting - goes);
        // The last one counted: where, and its number, if it has one.
        last_told: assert (!told || stat_parity_last == {place, {24-AT_W{1'b0}}, number});
    end

endmodule
`default_nettype wire
