// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_order: which of two ways of a set is given away first, after the execution in w7 (docs/reference/blocks/ref_rit.md).
//
// Free ways go first, then the least executed way, the lowest of equals. Row 0, which is way 0 of set 0, is never given away. A
// bit for each pair of ways i < j, at j*(j-1)/2 + i, says that way i goes before way j. Late select: three outcomes of each bit are
// ready, for i as the execution's way, for j, and for neither; the decision selects. The outcomes follow from the order so
// far and from equalities. The module is combinational.
`default_nettype none
module gmmu_ref_rit_order #(
    parameter WAYS   = 4,
    parameter EXEC_W = 8,
    parameter PAIRS  = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1
) (
    input  wire                       live,        // an execution or a set is there; else the outputs are undefined, to save simulation time
    input  wire                       row0,        // the set is set 0
    // the set before the execution
    input  wire [WAYS-1:0]            held,        // the ways that are valid
    input  wire [WAYS*EXEC_W-1:0]     exec,        // number of executions of each way
    input  wire [WAYS*(EXEC_W+1)-1:0] more,        // exec + 1 of each way
    input  wire [PAIRS-1:0]           first,       // order of the ways before the execution
    // the decision
    input  wire [WAYS-1:0]            op,          // the way of the execution
    input  wire                       none,        // no way held the key
    input  wire                       wrap,        // the numbers of executions of all ways halve
    input  wire [WAYS-1:0]            gone,        // the way that a FLUSH takes away; then there is no other decision
    output reg  [PAIRS-1:0]           first_after, // order of the ways after the execution
    // the order that the execution behind finds
    input  wire                       again,       // the execution behind is of this set
    input  wire [WAYS-1:0]            now_op,      // op if again, else 0
    input  wire [PAIRS-1:0]           past_first,  // order that the execution behind finds if not again
    output reg  [PAIRS-1:0]           next_first   // order that the execution behind finds
);

    localparam MORE_W = EXEC_W + 1;
    localparam [EXEC_W-1:0] ONCE = 1;

    reg [EXEC_W-1:0] e;     // executions of way j
    reg [EXEC_W-1:0] e_i;   // executions of way i
    reg [MORE_W-1:0] m;     // executions of way j, plus one
    reg              f_was; // way i went before way j
    reg              f_i;   // way i goes before way j, if way i is the execution's
    reg              f_j;   // way i goes before way j, if way j is the execution's
    reg              f_not; // way i goes before way j, if neither is the execution's
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
