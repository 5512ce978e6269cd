// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_order: which of two ways of a set is given away first, after the execution in w7 (docs/blocks/ref_rit.md).
//
// Free ways first, then the least executed, the lowest of equals; row 0, way 0 of set 0, never. A bit for each pair of ways
// i < j, at j*(j-1)/2 + i: i goes before j. Combinational: the bit if i is the execution's way, if j is, and if neither, is
// ready before the decision selects one: from the order so far and equalities.
`default_nettype none
module gmmu_ref_rit_order #(
    parameter WAYS   = 4,
    parameter EXEC_W = 8,
    parameter PAIRS  = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1
) (
    input  wire                       live, // else undefined: not worked out in simulation
    input  wire                       row0, // it is set 0
    // the set before the execution: valid, executions, the same and one more
    input  wire [WAYS-1:0]            held,
    input  wire [WAYS*EXEC_W-1:0]     exec,
    input  wire [WAYS*(EXEC_W+1)-1:0] more,
    input  wire [PAIRS-1:0]           first,
    // the decision: its way; no way held the key; all counts halve
    input  wire [WAYS-1:0]            op,
    input  wire                       none,
    input  wire                       wrap,
    input  wire [WAYS-1:0]            gone, // taken away: then there is no other decision
    output reg  [PAIRS-1:0]           first_after,
    // for the next one: of this set? the way as above if so, else 0; the order without this execution
    input  wire                       again,
    input  wire [WAYS-1:0]            now_op,
    input  wire [PAIRS-1:0]           past_first,
    output reg  [PAIRS-1:0]           next_first
);

    localparam MORE_W = EXEC_W + 1;
    localparam [EXEC_W-1:0] ONCE = 1;

    reg [EXEC_W-1:0] e, e_i;
    reg [MORE_W-1:0] m;
    reg              f_was, f_i, f_j, f_not;
    integer i, j;
    always @* begin
        {i, j} = 0;
        {first_after, next_first} = {2*PAIRS{1'bx}};
        {e, e_i} = {2*EXEC_W{1'b0}};
        m = 0;
        {f_was, f_i, f_j, f_not} = 4'd0;
        if (live)
            for (j = 0; j < WAYS; j = j + 1) begin
                e = exec[j*EXEC_W +: EXEC_W];
                m = more[j*MORE_W +: MORE_W];
                for (i = 0; i < j; i = i + 1) begin
                    e_i   = exec[i*EXEC_W +: EXEC_W];
                    f_was = first[j*(j-1)/2 + i];
                    f_i   = none ? held[j] && e != 0 : f_was && e_i != e;
                    f_j   = none ? (i != 0 || !row0) && (!held[i] || e_i <= ONCE) : f_was || {1'b0, e_i} == m;
                    f_not = gone[i] || (gone[j] ? (i != 0 || !row0) && !held[i] : f_was || (wrap && held[i] && held[j] && e_i >> 1 == e >> 1));
                    first_after[j*(j-1)/2 + i] = (op[i] && f_i) || (op[j] && f_j) || (!op[i] && !op[j] && f_not);
                    next_first[j*(j-1)/2 + i] =
                        (now_op[i] && f_i) || (now_op[j] && f_j) ||
                        (!now_op[i] && !now_op[j] && (again ? f_not : past_first[j*(j-1)/2 + i]));
                end
            end
    end

endmodule
`default_nettype wire
