// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue_notes: a golden note, any one that `pick` marks.
//: pdr 60 s
//: bmc3 30 frames 20 s
//: find 1806
`default_nettype none
module formal_fault_queue_notes #(
    parameter WIDTH = 2,
    parameter NOTES = 4
) (
    input wire             clk,
    input wire             reset, push, pick, hold, pops,
    input wire [WIDTH-1:0] wdata
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    wire full, some, valid, bad;
    wire [WIDTH-1:0] rdata;
    wire pop = pops && valid;
    gmmu_fault_queue_notes #(.WIDTH(WIDTH), .NOTES(NOTES), .PARITY(1)) dut (
        .clk(clk), .rst(rst), .push(push), .wdata(wdata), .full(full), .some(some), .hold(hold), .pop(pop), .valid(valid), .rdata(rdata), .bad(bad)
    );
    localparam N_W = $clog2(NOTES + 1);
    reg [N_W-1:0]   n, ahead; // notes; those before the golden one
    reg             has;      // the golden note waits
    reg [WIDTH-1:0] golden;
    reg [3:0]       waits;    // cycles in which the oldest note could have come
    wire takes = push && !full;
    always @(posedge clk) begin
        n <= n + takes - pop;
        if (!has && takes && pick)
            {has, golden, ahead} <= {1'b1, wdata, n - {{N_W-1{1'b0}}, pop}};
        else if (pop && has)
            {has, ahead} <= {ahead != 0, ahead - 1'b1};
        waits <= valid || hold || n == 0 ? 4'd0 : waits + 1'b1;
        if (rst)
            {n, has, waits} <= 0;
    end
    always @* if (!rst) begin
        // No room is exactly when all places are taken.
        full_right: assert (full == (n == NOTES));
        some_right: assert (some == (n != 0) && (!valid || n != 0));
        // First in, first out, as it was pushed, and not corrupt.
        golden_first: assert (!(valid && has && ahead == 0) || (rdata == golden && !bad));
        // The oldest note comes at once, but for `hold`.
        comes: assert (waits <= 2);
    end

endmodule
`default_nettype wire
