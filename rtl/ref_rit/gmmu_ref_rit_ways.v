// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_ways: a set's ways after the execution in w7, and the ways that the execution behind finds (docs/reference/blocks/ref_rit.md).
//
// Late select: the content of way j, as the execution's way and as another way, is ready before the decision selects. An
// execution of another set that is behind finds `past`. The module is combinational.
`default_nettype none
module gmmu_ref_rit_ways #(
    parameter WAYS   = 4,
    parameter GEN_W  = 4,
    parameter EXEC_W = 8
) (
    input  wire                       live,       // an execution or a set is there; else the outputs are undefined, to save simulation time
    // the set before the execution
    input  wire [WAYS-1:0]            held,       // the ways that are valid
    input  wire [WAYS*GEN_W-1:0]      gen,        // generation of each way
    input  wire [WAYS*EXEC_W-1:0]     exec,       // number of executions of each way
    input  wire [WAYS*(EXEC_W+1)-1:0] more,       // exec + 1 of each way
    // the decision
    input  wire [WAYS-1:0]            op,         // the way of the execution
    input  wire [WAYS-1:0]            fresh,      // the way of the execution, if the way is given to the key
    input  wire                       none,       // no way held the key
    input  wire                       wrap,       // the numbers of executions of all ways halve
    input  wire [WAYS-1:0]            gone,       // the way that a FLUSH takes away; then there is no other decision
    // the set after the execution
    output reg  [WAYS-1:0]            held_after, // the ways that are valid
    output reg  [WAYS*GEN_W-1:0]      gen_after,  // generation of each way
    output reg  [WAYS*EXEC_W-1:0]     exec_after, // number of executions of each way
    output reg  [WAYS*(EXEC_W+1)-1:0] more_after, // exec_after + 1 of each way
    // the set that the execution behind finds
    input  wire                       again,      // the execution behind is of this set
    input  wire [WAYS-1:0]            now_op,     // op if again, else 0
    input  wire [WAYS-1:0]            now_fresh,  // fresh if again, else 0
    input  wire [WAYS-1:0]            past_held,  // the ways that are valid, if not again
    input  wire [WAYS*GEN_W-1:0]      past_gen,   // generation of each way, if not again
    input  wire [WAYS*EXEC_W-1:0]     past_exec,  // number of executions of each way, if not again
    input  wire [WAYS*(EXEC_W+1)-1:0] past_more,  // past_exec + 1 of each way, if not again
    output reg  [WAYS-1:0]            next_held,  // the ways that are valid
    output reg  [WAYS*GEN_W-1:0]      next_gen,   // generation of each way
    output reg  [WAYS*EXEC_W-1:0]     next_exec,  // number of executions of each way
    output reg  [WAYS*(EXEC_W+1)-1:0] next_more   // next_exec + 1 of each way
);

    localparam MORE_W = EXEC_W + 1;
    localparam [EXEC_W-1:0] ONCE = 1;
    localparam [EXEC_W:0]   TOO_MANY = {1'b1, {EXEC_W{1'b0}}};
    localparam [EXEC_W-1:0] HALF = TOO_MANY[EXEC_W:1];

    reg [EXEC_W-1:0] e;        // executions of way j
    reg [EXEC_W-1:0] e_if_op;  // executions of way j afterwards, if way j is the execution's
    reg [EXEC_W-1:0] e_if_not; // executions of way j afterwards, if way j is not the execution's
    reg [MORE_W-1:0] m;        // e + 1
    reg [MORE_W-1:0] m2;       // e + 2
    reg [MORE_W-1:0] m_if_op;  // e_if_op + 1
    reg [MORE_W-1:0] m_if_not; // e_if_not + 1
    reg [GEN_W-1:0]  g_up;     // the next generation of way j
    reg [GEN_W-1:0]  g_is;     // the generation of way j
    reg [GEN_W-1:0]  g_if_not; // generation of way j afterwards, if way j is not given to the key
    integer j;
    always @* begin
        j = 0;
        {held_after, gen_after, exec_after, more_after} = {WAYS*(1+GEN_W+EXEC_W+MORE_W){1'bx}};
        {next_held, next_gen, next_exec, next_more}     = {WAYS*(1+GEN_W+EXEC_W+MORE_W){1'bx}};
        {e, e_if_op, e_if_not}     = {3*EXEC_W{1'b0}};
        {m, m2, m_if_op, m_if_not} = {4*MORE_W{1'b0}};
        {g_up, g_is, g_if_not}     = {3*GEN_W{1'b0}};
        if (live)
            for (j = 0; j < WAYS; j = j + 1) begin
                e  = exec[j*EXEC_W +: EXEC_W];
                m  = more[j*MORE_W +: MORE_W];
                m2 = m + 1'b1;
                e_if_op  = none ? ONCE : wrap ? HALF : m[EXEC_W-1:0];
                m_if_op  = none ? {1'b0, ONCE} + 1'b1 : wrap ? {1'b0, HALF} + 1'b1 : m2;
                e_if_not = gone[j] ? {EXEC_W{1'b0}} : wrap ? e >> 1 : e;
                m_if_not = gone[j] ? {1'b0, ONCE} : wrap ? m2 >> 1 : m;
                g_is     = gen[j*GEN_W +: GEN_W];
                g_up     = g_is + 1'b1;
                g_if_not = gone[j] ? g_up : g_is;
                held_after[j] = (held[j] && !gone[j]) || op[j];
                gen_after[j*GEN_W +: GEN_W]    = fresh[j] ? g_up : g_if_not;
                exec_after[j*EXEC_W +: EXEC_W] = op[j] ? e_if_op : e_if_not;
                more_after[j*MORE_W +: MORE_W] = op[j] ? m_if_op : m_if_not;

                next_held[j] = now_op[j] || (again ? held[j] && !gone[j] : past_held[j]);
                next_gen[j*GEN_W +: GEN_W]    = now_fresh[j] ? g_up : again ? g_if_not : past_gen[j*GEN_W +: GEN_W];
                next_exec[j*EXEC_W +: EXEC_W] = now_op[j] ? e_if_op : again ? e_if_not : past_exec[j*EXEC_W +: EXEC_W];
                next_more[j*MORE_W +: MORE_W] = now_op[j] ? m_if_op : again ? m_if_not : past_more[j*MORE_W +: MORE_W];
            end
    end

endmodule
`default_nettype wire
