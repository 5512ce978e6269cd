// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of rit_export may rest: one whose clock rests (rtl/lib/gmmu_clk_gate.v) says in every cycle what one says
// whose clock always runs. It is woken as in gmmu_tier, or for no reason.
//: gated
//: ram ram_zero
//: pdr 120 s
//: bmc3 40 frames 30 s
//: find 330:taken_same
`default_nettype none
module formal_clk_export #(
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter REF_W   = 1,
    parameter TIME_W  = 1,
    parameter CLASSES = 2,
    parameter GEN_W   = 1,
    parameter RITQ    = 4,
    parameter HOLD    = 2,
    parameter CLASS_W = 2,
    parameter RIT_BITS  = 40 + TIME_W
) (
    input wire               clk,
    input wire               reset, also, ready,
    input wire [7:0]         cfg_batch,
    input wire               cfg_fault,
    input wire [3:0]         cfg_wait,
    input wire [TIME_W-1:0]  now,
    input wire               side_valid, walk_valid, walk_fault, walk_alloc, walk_gone, rec_valid, rec_censored,
    input wire [CLASS_W-1:0] side_class, walk_class, rec_class,
    input wire [TIME_W-1:0]  side_age, rec1_interval,
    input wire [ASID_W-1:0]  walk_asid,
    input wire [VPN_W-1:0]   walk_vpn,
    input wire [REF_W-1:0]   walk_ref
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    reg [12:0] cfg_was;
    always @(posedge clk)
        cfg_was <= {cfg_batch, cfg_fault, cfg_wait};
    wire new_cfg = {cfg_batch, cfg_fault, cfg_wait} != cfg_was;
    wire rests, at_rest;
    gmmu_clk_gate #(.HOLD(HOLD)) gate (
        .clk(clk), .rst(rst), .test_en(1'b0), .gated(rests),
        .wake(new_cfg || (cfg_batch != 0 && (walk_valid || rec_valid || side_valid)) || (walk_valid && walk_alloc) || walk_gone || !at_rest || also)
    );

    // 0: its clock runs; 1: it rests
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_one
            wire [RIT_BITS-1:0] data;
            wire                valid, last, send, idle, at_rest;
            wire [1:0]          side_is, walk_is;
            wire [31:0]         drops;
            gmmu_rit_export #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .GEN_W(GEN_W), .RITQ(RITQ)
            ) dut (
                .clk(g == 1 ? rests : clk), .rst(rst), .cfg_batch(cfg_batch), .cfg_fault(cfg_fault), .cfg_wait(cfg_wait), .now(now),
                .side_valid(side_valid), .side_class(side_class), .side_age(side_age),
                .walk_valid(walk_valid), .walk_fault(walk_fault), .walk_asid(walk_asid), .walk_vpn(walk_vpn),
                .walk_ref(walk_ref), .walk_alloc(walk_alloc), .walk_gone(walk_gone), .walk_class(walk_class),
                .rec_valid(rec_valid), .rec1_class(rec_class), .rec1_interval(rec1_interval), .rec_censored(rec_censored),
                .m_tdata(data), .m_tvalid(valid), .m_tlast(last), .m_tready(ready), .idle(idle), .rests(at_rest),
                .stat_drops(drops), .tvi_send(send), .tvi_side(side_is), .tvi_walk(walk_is)
            );
            wire [RIT_BITS:0] beat = {last, data};
        end
    endgenerate
    assign at_rest = g_one[1].at_rest;

    always @* if (!rst) begin
        // At work in the same cycles.
        rest_same: assert (g_one[0].idle == g_one[1].idle && g_one[0].at_rest == g_one[1].at_rest);
        // The same records are taken or dropped, in the same cycles; batches are closed in the same.
        taken_same: assert (g_one[0].send == g_one[1].send && g_one[0].side_is == g_one[1].side_is && g_one[0].walk_is == g_one[1].walk_is);
        drops_same: assert (g_one[0].drops == g_one[1].drops);
        // The same beats.
        beat_same: assert (g_one[0].valid == g_one[1].valid && (!g_one[0].valid || g_one[0].beat == g_one[1].beat));
    end

endmodule
`default_nettype wire
