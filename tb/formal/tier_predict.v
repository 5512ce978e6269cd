// SPDX-License-Identifier: Apache-2.0
// Proofs about tier_predict: the golden entry of one page, any one, as cmodel/blocks/tier_predict.c has it, beside the block.
// At these sizes the hash, tb/formal/crc32c.v, tells all four pages of an address space apart: two of each set.
//: hash crc32c
//: pdr 240 s
//: bmc3 60 frames 90 s
//: deep
//: find 135 136 138:right_is_so 139:pred_is_so 144:tier_is_so 145:window_counted 147:clamped_is_so 148:right_is_so 351:kind_is_so
`default_nettype none
module formal_tier_predict #(
    parameter VPN_W    = 2,
    parameter ASID_W   = 1,
    parameter TIME_W   = 4,
    parameter TP_SETS  = 2,
    parameter TP_WAYS  = 1,
    parameter TP_TAG_W = 1,
    parameter TP_CNT_W = 1,
    parameter TP_WINDOW = 2
) (
    input wire              clk,
    input wire              reset,
    input wire [2:0]        cfg_tier,
    input wire              cfg_tier_default, cfg_tier_model,
    input wire [TIME_W-1:0] cfg_tier_near, cfg_tier_far,
    input wire              op_valid,
    input wire [2:0]        op_kind,
    input wire [ASID_W-1:0] op_asid,
    input wire [VPN_W-1:0]  op_vpn,
    input wire [TIME_W-1:0] op_time,
    input wire [0:0]        op_index
);

`include "gmmu_codes.vh"
    localparam ROW_W = 3 * TP_CNT_W;
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire       cleared, op_ready, r_valid, r_found, r_forced, r_clamped, idle;
    wire [1:0] r_pred, r_right, r_tier;
    wire [2:0] r_kind;
    reg        clear; // the reset sequence: until it is cleared
    always @(posedge clk)
        clear <= rst || (clear && !cleared);
    gmmu_tier_predict #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .TP_TAG_W(TP_TAG_W), .TP_CNT_W(TP_CNT_W), .PARITY(0),
        .TP_WINDOW(TP_WINDOW)
    ) dut (
        .clk(clk), .rst(rst), .clear(clear), .cleared(cleared), .flushes(1'b0), .cfg_tier(cfg_tier), .cfg_tier_default(cfg_tier_default),
        .cfg_tier_model(cfg_tier_model), .cfg_tier_near(cfg_tier_near), .cfg_tier_far(cfg_tier_far), .op_valid(op_valid),
        .op_ready(op_ready), .op_kind(op_kind), .op_asid(op_asid), .op_vpn(op_vpn), .op_time(op_time), .op_index(op_index),
        .r_valid(r_valid), .r_kind(r_kind), .r_found(r_found), .r_pred(r_pred), .r_right(r_right), .r_tier(r_tier), .r_forced(r_forced),
        .r_clamped(r_clamped), .idle(idle)
    );
    (* hierconn *) wire \dut.go , \dut.move , \dut.wait1 , \dut.p10_we , \dut.p10_tag_we ;
    (* hierconn *) wire [10:0] \dut.valid ;
    (* hierconn *) wire [0:0] \dut.p1_set , \dut.its_set ;
    (* hierconn *) wire [31:0] \dut.p10_index ;
    (* hierconn *) wire [0:0] \dut.p5_index ;
    (* hierconn *) wire [TP_WINDOW-1:0] \dut.window ;
    (* hierconn *) wire [6:0] \dut.in_window ;
    wire [10:0] valid = \dut.valid ;

    always @* begin
        assume (op_asid == 0 && asid == 0); // tb/formal/crc32c.v: not in the low bits of the hash
        assume (op_kind <= TP_AGE);
        assume (cfg_tier <= PLACE_PRIORITY);
    end

    // ---- the operations under way, in order: p0 to p10, in their own copies
    (* anyconst *) wire [ASID_W-1:0] asid;
    (* anyconst *) wire [VPN_W-1:0]  vpn;
    wire [1:0] hash_of_it, hash_of_op;
    gmmu_crc32c #(.WIDTH(3), .BITS(2)) its_hash (.valid(1'b1), .data({asid, vpn}), .hash(hash_of_it));
    gmmu_crc32c #(.WIDTH(3), .BITS(2)) op_hash (.valid(1'b1), .data({op_asid, op_vpn}), .hash(hash_of_op));
    reg [4 + 2 * TIME_W:0] was_cfg; // in the cycle before
    always @(posedge clk)
        was_cfg <= {cfg_tier, cfg_tier_default, cfg_tier_model, cfg_tier_near, cfg_tier_far};
    // {kind, the page, its set, an entry of its set, time, registers}
    localparam W = 3 + 1 + 1 + 1 + TIME_W + 5 + 2 * TIME_W;
    wire [W-1:0] asked = {op_kind, {op_asid, op_vpn} == {asid, vpn}, hash_of_op[0] == hash_of_it[0], op_index == hash_of_it[0], op_time,
                          was_cfg};
    reg [W-1:0] q0, q1, q2, q3, q4, q5, q6, q7, q8, q9;
    wire take = op_valid && op_ready;
    always @(posedge clk) begin
        if (take)
            q0 <= asked;
        if (\dut.move )
            q1 <= q0;
        {q9, q8, q7, q6, q5, q4, q3, q2} <= {q8, q7, q6, q5, q4, q3, q2, q1};
    end

    // ---- the golden entry: changed by the operation that goes from p9 to p10
    wire [2:0]        kind, tier;
    wire              is_it, is_near_it, is_index, by_chance, model;
    wire [TIME_W-1:0] now, near, far;
    assign {kind, is_it, is_near_it, is_index, now, tier, by_chance, model, near, far} = q9;
    reg               has, away;
    reg  [TIME_W-1:0] left;
    reg  [1:0]        last;
    reg  [ROW_W-1:0]  after1, after2, after3; // weights of tiers 1, 2, 3 after the tier
    wire [ROW_W-1:0]  after = last == 2'd1 ? after1 : last == 2'd2 ? after2 : after3;
    wire [TP_CNT_W-1:0] a1 = after[0 +: TP_CNT_W], a2 = after[TP_CNT_W +: TP_CNT_W], a3 = after[2*TP_CNT_W +: TP_CNT_W];
    wire [TP_CNT_W-1:0] most12 = a1 > a2 ? a1 : a2, most = most12 > a3 ? most12 : a3;
    wire [TP_CNT_W-1:0] its = last == 2'd1 ? a1 : last == 2'd2 ? a2 : a3;
    wire [1:0] heaviest = its == most ? last : a1 == most ? 2'd1 : a2 == most ? 2'd2 : 2'd3;
    wire [1:0] pred     = has && last != 0 && model ? heaviest : 2'd0;
    wire [TIME_W-1:0] distance = now - left;
    wire [1:0] right    = distance < near ? 2'd1 : distance < far ? 2'd2 : 2'd3;
    wire       learns   = kind == TP_RETURN && has && away && model;
    wire [TP_CNT_W-1:0] old = right == 2'd1 ? a1 : right == 2'd2 ? a2 : a3;
    wire       halves   = old == {TP_CNT_W{1'b1}};
    wire [TP_CNT_W-1:0] n1 = (halves ? a1 >> 1 : a1) + (right == 2'd1), n2 = (halves ? a2 >> 1 : a2) + (right == 2'd2);
    wire [TP_CNT_W-1:0] n3 = (halves ? a3 >> 1 : a3) + (right == 2'd3);
    // AGE of its entry: with one way there is one of its set
    wire       clamps   = kind == TP_AGE && is_index && has && away && distance >= 1 << (TIME_W - 2);
    reg        e_valid, e_mine, e_leaves, e_age, e_clamps;
    reg  [1:0] e_pred, e_right;
    reg        e_found;
    reg  [2:0] e_tier, e_kind;
    reg        e_default;
    always @(posedge clk) begin
        e_valid  <= valid[9] && !rst;
        e_mine   <= is_it && kind != TP_AGE;
        e_leaves <= kind == TP_LEAVE;
        e_kind   <= kind;
        e_age    <= kind == TP_AGE && is_index && has;
        e_clamps <= clamps;
        e_found  <= has;
        e_pred   <= pred;
        e_right  <= learns ? right : 2'd0;
        e_tier   <= tier;
        e_default <= by_chance;
        if (valid[9]) begin
            if (is_it && kind == TP_LEAVE) begin
                has  <= 1'b1;
                away <= 1'b1;
                left <= now;
                if (!has) begin
                    last   <= 2'd0;
                    after1 <= 0;
                    after2 <= 0;
                    after3 <= 0;
                end
            end
            if (is_it && (kind == TP_RETURN || kind == TP_STAY))
                away <= 1'b0;
            if (is_it && learns) begin
                last <= right;
                if (last == 2'd1)
                    after1 <= {n3, n2, n1};
                if (last == 2'd2)
                    after2 <= {n3, n2, n1};
                if (last == 2'd3)
                    after3 <= {n3, n2, n1};
            end
            if (clamps)
                left <= now - (1 << (TIME_W - 2));
            // another page of its set leaves, and takes the one way
            if (!is_it && is_near_it && kind == TP_LEAVE)
                has <= 1'b0;
        end
        if (rst)
            has <= 1'b0;
    end

    // ---- how long an operation waits, with registers that stay
    reg [5:0]  waited;
    reg [W-1:0] before;
    localparam [W-1:0] CFG = (1 << (5 + 2 * TIME_W)) - 1;
    always @(posedge clk) begin
        before <= asked & CFG;
        waited <= rst || clear || take || !op_valid || (before != (asked & CFG)) ? 6'd0 : waited + {5'd0, waited != 6'd63};
    end

    integer i;
    reg [6:0] ones;
    always @* begin
        ones = 7'd0;
        for (i = 0; i < TP_WINDOW; i = i + 1)
            ones = ones + {6'd0, \dut.window [i]};
    end
    reg e_many; // before the page that leaves
    always @(posedge clk)
        e_many <= \dut.in_window > 7'd1;

    always @* if (!rst) begin
        // No RAM is read where it is written.
        tags_apart:    assert (!(\dut.go && \dut.p10_tag_we && \dut.p1_set == \dut.its_set ));
        entries_apart: assert (!(valid[5] && \dut.p10_we && \dut.p5_index == \dut.p10_index ));
        // An answer for each operation, in order: what stands in p10.
        answers: assert (r_valid == valid[10]);
        kind_is_so: assert (!r_valid || r_kind == e_kind);
        rests:   assert (idle == (valid == 0));
        // It waits 21 cycles at most once the registers rest: for those before it, each of which may wait for one that writes.
        soon:    assert (waited < 6'd22);
        // What is known and foretold of a page, and what is learnt when it returns.
        found_is_so: assert (!(e_valid && e_mine) || r_found == e_found);
        pred_is_so:  assert (!(e_valid && e_mine) || r_pred == e_pred);
        right_is_so: assert (!(e_valid && e_mine) || r_right == e_right);
        clamped_is_so: assert (!(e_valid && e_age) || r_clamped == e_clamps);
        // Where it goes.
        tier_is_so: assert (!(e_valid && e_leaves) || r_tier == 2'd2 ||
                            (r_tier == 2'd3 && (e_tier == PLACE_RANDOM || (e_tier == PLACE_REUSE &&
                             (r_pred == 2'd3 ? !e_many : r_pred == 2'd0 && e_default)))));
        forced_is_so: assert (!(e_valid && r_forced) || (e_leaves && r_pred == 2'd3 && e_many && r_tier == 2'd2));
        window_counted: assert (\dut.in_window == ones);
    end

endmodule
`default_nettype wire
