// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_ways: a set's ways after the execution in w7, and what the execution behind it finds (docs/blocks/ref_rit.md).
//
// Combinational. What way j holds if it is the execution's, and if it is not, is ready before the decision selects one. The
// execution behind finds `past` if it is of another set.
`default_nettype none
module gmmu_ref_rit_ways #(
    parameter WAYS   = 4,
    parameter GEN_W  = 4,
    parameter EXEC_W = 8
) (
    input  wire                       live, // else undefined: not worked out in simulation
    // the set before the execution: valid, generation, executions, the same and one more
    input  wire [WAYS-1:0]            held,
    input  wire [WAYS*GEN_W-1:0]      gen,
    input  wire [WAYS*EXEC_W-1:0]     exec,
    input  wire [WAYS*(EXEC_W+1)-1:0] more,
    // the decision: its way, and if it was given to the key; no way held the key; all counts halve
    input  wire [WAYS-1:0]            op, fresh,
    input  wire                       none,
    input  wire                       wrap,
    input  wire [WAYS-1:0]            gone, // taken away: then there is no other decision
    output reg  [WAYS-1:0]            held_after,
    output reg  [WAYS*GEN_W-1:0]      gen_after,
    output reg  [WAYS*EXEC_W-1:0]     exec_after,
    output reg  [WAYS*(EXEC_W+1)-1:0] more_after,
    // for the next one: of this set? the ways as above if so, else 0; the set without this execution
    input  wire                       again,
    input  wire [WAYS-1:0]            now_op, now_fresh,
    input  wire [WAYS-1:0]            past_held,
    input  wire [WAYS*GEN_W-1:0]      past_gen,
    input  wire [WAYS*EXEC_W-1:0]     past_exec,
    input  wire [WAYS*(EXEC_W+1)-1:0] past_more,
    output reg  [WAYS-1:0]            next_held,
    output reg  [WAYS*GEN_W-1:0]      next_gen,
    output reg  [WAYS*EXEC_W-1:0]     next_exec,
    output reg  [WAYS*(EXEC_W+1)-1:0] next_more
);

    localparam MORE_W = EXEC_W + 1;
    localparam [EXEC_W-1:0] ONCE = 1;
    localparam [EXEC_W:0]   TOO_MANY = {1'b1, {EXEC_W{1'b0}}};
    localparam [EXEC_W-1:0] HALF = TOO_MANY[EXEC_W:1];

    reg [EXEC_W-1:0] e, e_if_op, e_if_not;
    reg [MORE_W-1:0] m, m2, m_if_op, m_if_not;
    reg [GEN_W-1:0]  g_up, g_is, g_if_not;
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
