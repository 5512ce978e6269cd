// SPDX-License-Identifier: Apache-2.0
// Proofs about ref_rit: the directory's ways, row 0, looks that change nothing, saturation of the counts.
//: pdr 300 s
//: bmc3 60 frames 25 s
//: hash crc32c
//: find 21 25 309 1961:look_changes_nothing 1962:look_changes_nothing 1963:look_is_valid
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
    input wire              w2_in, look_in, w9_tick, rec0_in, rec1_in, refresh_ready, refresh_hurry, refresh_calm,
    input wire [ASID_W-1:0] w2_asid,
    input wire [ASID_W:0]   flush,
    input wire [REF_W-1:0]  w2_ref,
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
    wire w2_look = look_in && !w2_in && run; // an execution or a look

    wire [ROW_W-1:0] w9_row, given_row;
    wire [GEN_W-1:0] w9_gen;
    wire             w9_alloc, w9_flush, given, learnt_valid, tvi_applied, tvi_valid;
    wire [1:0]       tvi_kind;
    wire [CNT_W-1:0] learnt_count, learnt_gcount;
    gmmu_ref_rit #(
        .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS),
        .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .clear(clearing), .cleared(cleared), .w2_valid(w2_in && run), .w2_look(w2_look), .cfg_flush(flush),
        .w9_flush(w9_flush), .given(given), .given_row(given_row),
        .w2_asid(w2_asid), .w2_ref(w2_ref), .w9_row(w9_row), .w9_gen(w9_gen), .w9_alloc(w9_alloc),
        .w9_tick(w9_tick && run), .qa_row({ROW_W{1'b0}}), .qa_gen({GEN_W{1'b0}}), .qb_row({ROW_W{1'b0}}),
        .qb_gen({GEN_W{1'b0}}), .rec0_valid(rec0_in && run), .rec1_valid(rec1_in && run), .rec0(rec0), .rec0_bad(1'b0), .rec1_bad(1'b0),
        .rec1(rec1), .refresh_ready(refresh_ready), .refresh_hurry(refresh_hurry), .refresh_calm(refresh_calm),
        .learnt_valid(learnt_valid), .learnt_count(learnt_count), .learnt_gcount(learnt_gcount),
        .tvi_valid(tvi_valid), .tvi_kind(tvi_kind), .tvi_applied(tvi_applied)
    );
    (* hierconn *) wire              \dut.directory.w6_valid ;
    (* hierconn *) wire [WAYS-1:0]   \dut.directory.w6_match ;    // the key's RAM holds the reference, and
    (* hierconn *) wire [WAYS-1:0]   \dut.directory.w6_held ;     // it is valid; both as of the
    (* hierconn *) wire [2:1]        \dut.directory.w6_same_set ; // executions before those in w7 and w8
    (* hierconn *) wire              \dut.directory.w7_valid ;
    (* hierconn *) wire [WAYS-1:0]   \dut.directory.w7_hit ;
    (* hierconn *) wire [WAYS-1:0]   \dut.directory.w7_held ;
    (* hierconn *) wire [0:0]        \dut.directory.w7_set ;
    // the set at w7 before and after; what the look at w8 found
    (* hierconn *) wire [8:3]             \dut.directory.look ;
    (* hierconn *) wire [WAYS*GEN_W-1:0]  \dut.directory.w7_gen ;
    (* hierconn *) wire [WAYS*EXEC_W-1:0] \dut.directory.w7_exec ;
    (* hierconn *) wire [0:0]             \dut.directory.w7_first ;
    (* hierconn *) wire [WAYS-1:0]        \dut.directory.held_after ;
    (* hierconn *) wire [WAYS*GEN_W-1:0]  \dut.directory.gen_after ;
    (* hierconn *) wire [WAYS*EXEC_W-1:0] \dut.directory.exec_after ;
    (* hierconn *) wire [0:0]             \dut.directory.first_after ;
    (* hierconn *) wire [WAYS-1:0]        \dut.directory.w8_op ;
    (* hierconn *) wire [WAYS-1:0]        \dut.directory.w8_held ;
    (* hierconn *) wire [WAYS-1:0]        \dut.directory.w8_new ;
    (* hierconn *) wire                   \dut.directory.w8_none ;
    wire [WAYS-1:0] seen  = \dut.directory.w8_op ;
    wire [WAYS-1:0] match = \dut.directory.w6_match & \dut.directory.w6_held ;
    wire [WAYS-1:0] hit   = \dut.directory.w7_hit ;

    reg [9:3] execution; // in stage k
    reg [9:3] looked;    // a look in stage k
    always @(posedge clk) begin
        execution <= rst ? 7'd0 : {execution[8:3], w2_in && run};
        looked    <= rst ? 7'd0 : {looked[8:3], w2_look};
    end

    // does the record that is learnt now count in its row
    reg [6:1] applied;
    always @(posedge clk)
        applied <= {applied[5:1], tvi_applied && tvi_valid && tvi_kind == 0};

    always @* if (run) begin
        // At most one way of a set holds a reference.
        one_way: assert (!\dut.directory.w6_valid || \dut.directory.w6_same_set != 0 || (match & (match - 1'b1)) == 0);
        one_hit: assert (!\dut.directory.w7_valid || (hit & (hit - 1'b1)) == 0);
        // Row 0, way 0 of set 0, is never given away: the way is never valid, and no walk gets the row.
        row0_stays: assert (!(\dut.directory.w7_valid && \dut.directory.w7_set == 0) || !\dut.directory.w7_held [0]);
        row0_no_class: assert (!execution[9] || w9_flush || w9_row != 0);
        row0_not_given: assert (!given || given_row != 0);
        // A look leaves the ways of its set, their order and their keys as they are, and gives no row away.
        look_changes_nothing: assert (!\dut.directory.look [7] ||
            ({\dut.directory.held_after , \dut.directory.gen_after , \dut.directory.exec_after , \dut.directory.first_after } ==
             {\dut.directory.w7_held , \dut.directory.w7_gen , \dut.directory.w7_exec , \dut.directory.w7_first }));
        look_leaves_no_key: assert (!\dut.directory.look [8] || \dut.directory.w8_new == 0);
        look_gives_none: assert (!looked[9] || (!w9_alloc && (!given || w9_flush)));
        // What a look found is valid, and one way at most; a look that found none gets no row.
        look_is_valid: assert (!\dut.directory.look [8] ||
            ((seen & ~\dut.directory.w8_held ) == 0 && (seen != 0 || \dut.directory.w8_none )));
        one_seen: assert (!\dut.directory.look [8] || (seen & (seen - 1'b1)) == 0);
        // An execution or a look whose slot a flush took has row 0, and gives none away.
        no_row: assert (!((execution[9] || looked[9]) && w9_flush) || (w9_row == 0 && w9_gen == 0 && !w9_alloc));
        // A count that was just counted up is never 0: counts saturate, they do not wrap.
        saturate_row: assert (!(learnt_valid && applied[6]) || learnt_count != 0);
        saturate_global: assert (!learnt_valid || learnt_gcount != 0);
    end

endmodule
`default_nettype wire
