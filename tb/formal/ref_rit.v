// SPDX-License-Identifier: Apache-2.0
// Proofs about ref_rit: the directory's ways, row 0, saturation of the counts.
`default_nettype none
module formal_ref_rit #(
    parameter CLASSES = 4,
    parameter WAYS    = 2,
    parameter ASID_W  = 1,
    parameter REF_W   = 2,
    parameter TIME_W  = 4,
    parameter BINS    = 4,
    parameter CNT_W   = 2,
    parameter EXEC_W  = 2,
    parameter GEN_W   = 1,
    parameter ROW_W   = 2,
    parameter BIN_W   = 2
) (
    input wire              clk,
    input wire              x1_in, x5_tick, rec0_in, rec1_in, refresh_ready, refresh_hurry, refresh_calm,
    input wire [ASID_W-1:0] x1_asid,
    input wire [REF_W-1:0]  x1_ref,
    input wire [ROW_W+GEN_W+TIME_W:0] rec0, rec1
);

    // reset, clearing until the block says so, then eight cycles of rest
    reg       first = 1'b1;
    reg       clearing;
    reg [2:0] settle;
    wire      cleared;
    wire      rst = first;
    always @(posedge clk) begin
        first <= 1'b0;
        if (rst) begin
            clearing <= 1'b1;
            settle   <= 3'd0;
        end else if (clearing && cleared) begin
            settle   <= settle + 1'b1;
            clearing <= settle != 3'd7;
        end
    end
    wire run = !rst && !clearing;

    wire [ROW_W-1:0] x5_row;
    wire [GEN_W-1:0] x5_gen;
    wire             x5_alloc, learnt_valid, tvi_applied, tvi_valid;
    wire [1:0]       tvi_kind;
    wire [CNT_W-1:0] learnt_count, learnt_gcount;
    ref_rit #(
        .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS),
        .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W)
    ) dut (
        .clk(clk), .rst(rst), .clear(clearing), .cleared(cleared), .x1_valid(x1_in && run),
        .x1_asid(x1_asid), .x1_ref(x1_ref), .x5_row(x5_row), .x5_gen(x5_gen), .x5_alloc(x5_alloc),
        .x5_tick(x5_tick && run), .qa_row({ROW_W{1'b0}}), .qa_gen({GEN_W{1'b0}}), .qb_row({ROW_W{1'b0}}),
        .qb_gen({GEN_W{1'b0}}), .rec0_valid(rec0_in && run), .rec1_valid(rec1_in && run), .rec0(rec0),
        .rec1(rec1), .refresh_ready(refresh_ready), .refresh_hurry(refresh_hurry), .refresh_calm(refresh_calm),
        .learnt_valid(learnt_valid), .learnt_count(learnt_count), .learnt_gcount(learnt_gcount),
        .tvi_valid(tvi_valid), .tvi_kind(tvi_kind), .tvi_applied(tvi_applied)
    );
    localparam WAY_W = 1 + ASID_W + REF_W + GEN_W + EXEC_W;
    (* hierconn *) wire [WAYS*WAY_W-1:0] \dut.x4_q ;
    (* hierconn *) wire                  \dut.x4_valid ;
    (* hierconn *) wire [ASID_W-1:0]     \dut.x4_asid ;
    (* hierconn *) wire [REF_W-1:0]      \dut.x4_ref ;
    (* hierconn *) wire [0:0]            \dut.x4_set ;
    (* hierconn *) wire                  \dut.x5_valid ;
    wire [WAYS*WAY_W-1:0] q = \dut.x4_q ;

    reg [WAYS-1:0] match;
    reg            run_out;
    integer i;
    always @* begin
        run_out = 1'b0;
        for (i = 0; i < WAYS; i = i + 1) begin
            match[i] = q[i*WAY_W + WAY_W - 1] &&
                       q[i*WAY_W + EXEC_W + GEN_W +: ASID_W + REF_W] == {\dut.x4_asid , \dut.x4_ref };
            run_out = run_out || (q[i*WAY_W + WAY_W - 1] && match[i] && q[i*WAY_W +: EXEC_W] == 0);
        end
    end

    // does the record that is learnt now count in its row
    reg [6:1] applied;
    always @(posedge clk)
        applied <= {applied[5:1], tvi_applied && tvi_valid && tvi_kind == 0};

    always @* if (run) begin
        // At most one way of a set holds a reference.
        one_way: assert (!\dut.x4_valid || (match & (match - 1'b1)) == 0);
        // Row 0, way 0 of set 0, is never given away: the way is never valid, and no walk gets the row.
        row0_stays: assert (!(\dut.x4_valid && \dut.x4_set == 0) || !q[WAY_W-1]);
        row0_no_class: assert (!\dut.x5_valid || x5_row != 0);
        // A count that was just counted up is never 0: counts saturate, they do not wrap.
        saturate_row: assert (!(learnt_valid && applied[6]) || learnt_count != 0);
        saturate_global: assert (!learnt_valid || learnt_gcount != 0);
    end

endmodule
`default_nettype wire
