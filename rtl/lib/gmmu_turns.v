// SPDX-License-Identifier: Apache-2.0
// gmmu_turns: who of N is served in this cycle; the one that was served last comes last.
//
// `ready` of one does not depend on its own request, as ready/valid asks for: it says that nobody who comes
// before it asks. At most one bit of `grant` is 1. Any beginning is fair: a reset makes it the
// same one each time.
`default_nettype none
module gmmu_turns #(
    // at least 2
    parameter N = 2
) (
    input  wire         clk, rst,
    input  wire         enable, // somebody may be served
    input  wire [N-1:0] request,
    output wire [N-1:0] ready,
    output wire [N-1:0] turn,   // whose it is, enabled or not
    output wire [N-1:0] grant
);

    generate
        if (N < 2) begin : g_bad
            N_must_be_at_least_2 stop_here();
        end
    endgenerate

    reg [N-1:0] last; // the one that was served last, a bit each; any other value is an order, too
    genvar i, j;
    generate
        for (i = 0; i < N; i = i + 1) begin : g_one
            wire [N-1:0] ahead; // who comes before i, from the one behind `last` upwards and round
            for (j = 0; j < N; j = j + 1) begin : g_other
                // [from lower to higher): with `last` in there, the higher of the two comes first
                localparam [N-1:0] SPAN = ({{N-1{1'b0}}, 1'b1} << (i > j ? i : j)) - ({{N-1{1'b0}}, 1'b1} << (i > j ? j : i));
                assign ahead[j] = i != j && ((last & SPAN) != 0) == (j > i);
            end
            assign turn[i]  = request[i] && (request & ahead) == 0;
            assign ready[i] = enable && (request & ahead) == 0;
        end
    endgenerate
    assign grant = turn & {N{enable}};

    always @(posedge clk)
        if (rst)
            last <= {{N-1{1'b0}}, 1'b1};
        else if (grant != 0)
            last <= grant;

endmodule
`default_nettype wire
