// SPDX-License-Identifier: Apache-2.0
// gmmu_turns: arbiter of N requesters, round robin: the requester that was served last comes last.
//
// `ready` of a requester does not depend on its own request, as a ready/valid handshake demands: `ready` means that no
// requester ahead asks. At most one bit of `grant` is 1. Any initial order is fair; a reset makes the order reproducible.
`default_nettype none
module gmmu_turns #(
    // requesters, at least 2
    parameter N = 2
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         enable,  // a requester may be served in this cycle
    input  wire [N-1:0] request, // one bit for each requester: the requester asks
    output wire [N-1:0] ready,   // one bit for each requester: the requester would be served
    output wire [N-1:0] turn,    // the requester whose turn it is, enabled or not
    output wire [N-1:0] grant    // the requester that is served
);

    generate
        if (N < 2) begin : g_bad
            N_must_be_at_least_2 stop_here();
        end
    endgenerate

    reg [N-1:0] last; // the requester served last, one bit; any other value is an order, too
    genvar i, j;
    generate
        for (i = 0; i < N; i = i + 1) begin : g_one
            wire [N-1:0] ahead; // requesters that come before requester i: from the requester behind `last` upwards, cyclically
            for (j = 0; j < N; j = j + 1) begin : g_other
                // bits from the lower to below the higher: if `last` is one of these, the higher requester comes first
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
