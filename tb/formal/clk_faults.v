// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of fault_queue may rest: one whose clock rests (rtl/lib/gmmu_clk_gate.v) says in every cycle what one says
// whose clock always runs. It is woken by its own work, by what it is asked, by a flush and by the end of an epoch, or for no reason.
//: gated
//: pdr 5 s
//: bmc3 24 frames 60 s
//: at_once
//: find 330
`default_nettype none
module formal_clk_faults #(
    parameter FAULTS  = 2,
    parameter NOTES   = 2,
    parameter LATE    = 2,
    parameter IDX_W   = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 1,
    parameter FRAME_W = 1
) (
    input wire               clk,
    input wire               also, flush, w_fault, w_write, w_replay, w_t2, w_slot, named, n_slot,
    input wire               offers, grants, acts, fill, free, cancel, ask, decide_req, d_comes, d_claims, d_give_up, d_takes, e_comes, ages,
    input wire               epoch_ends,
    input wire [ASID_W-1:0]  w_asid, any_asid, s_left_asid, d_asid,
    input wire [VPN_W-1:0]   w_vpn, any_vpn, s_left_vpn, d_vpn,
    input wire [CLASS_W-1:0] w_class, s_else_class,
    input wire [TIME_W-1:0]  w_time, s_time, s_else_last, age_time,
    input wire [FRAME_W-1:0] s_frame, d_frame,
    input wire               s_t2, s_slot, s_force, s_fresh, s_left,
    input wire [IDX_W-1:0]   any_entry
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;

    // ---- the unit's protocol, by what the one says whose clock runs
    reg               offered, granted, deciding, expiring, aging;
    reg  [1:0]        was_named; // a slot was looked up one, two cycles before
    reg  [ASID_W-1:0] find_asid;
    reg  [VPN_W-1:0]  find_vpn;
    reg  [IDX_W-1:0]  age_entry;
    wire effect = granted && acts;
    wire find_take = g_one[0].find_ready && grants, decide_take = g_one[0].decide_ok && grants, expire_take = g_one[0].expire_req && grants;
    wire d_done = deciding && d_comes, s_expire = expiring && e_comes;
    always @(posedge clk) begin
        if (!offered && !granted && offers)
            {offered, find_asid, find_vpn} <= {1'b1, any_asid, any_vpn};
        if (find_take)
            {offered, granted} <= 2'b01;
        if (effect)
            granted <= 1'b0;
        deciding  <= decide_take || (deciding && !d_done);
        expiring  <= expire_take || (expiring && !s_expire);
        aging     <= aging ? !g_one[0].age_done : ages;
        was_named <= {was_named[0], named};
        if (!aging)
            age_entry <= any_entry;
        if (rst)
            {offered, granted, deciding, expiring, aging, was_named} <= 7'd0;
    end
    wire rests;
    wire wakes = g_one[0].busy || offered || decide_req || aging || w_fault || flush || epoch_ends || named || also;
    gmmu_clk_gate #(.HOLD(4)) gate (.clk(clk), .rst(rst), .test_en(1'b0), .wake(wakes), .gated(rests));

    // 0: its clock runs; 1: it rests
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_one
            wire               cleared, w_full, enter_valid, find_ready, s_hit, s_decided, s_full, s_late, s_dirty, decide_ok, expire_req, age_done;
            wire               age_clamped, head_valid, head_filled, head_t2, head_slot, head_lost, head_force, waiting, busy, s_named, turned, forgot;
            wire [2:0]         enter_outcome;
            wire [IDX_W-1:0]   enter_entry, s_entry, head_entry;
            wire [CLASS_W-1:0] s_class;
            wire [TIME_W-1:0]  s_last;
            wire [FRAME_W-1:0] expire_frame;
            wire [ASID_W-1:0]  head_asid;
            wire [VPN_W-1:0]   head_vpn;
            wire [SEQ_W-1:0]   head_seq;
            gmmu_fault_queue #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE),
                .FRAME_W(FRAME_W), .T2_SLOTS(2), .T2_W(1), .PARITY(1), .IDX_W(IDX_W)
            ) dut (
                .clk(g == 1 ? rests : clk), .rst(rst), .clear(1'b0), .cleared(cleared), .cfg_frames(2'd2), .epoch_ends(epoch_ends), .flush(flush),
                .w_fault(w_fault), .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write), .w_t2(w_t2),
                .w_slot(w_slot), .w_replay(w_replay), .w_full(w_full), .enter_valid(enter_valid), .enter_outcome(enter_outcome),
                .enter_entry(enter_entry), .find_req(offered), .find_asid(find_asid), .find_vpn(find_vpn), .find_ready(find_ready),
                .find_take(find_take), .s_fill(effect && fill), .s_free(effect && free), .s_cancel(effect && cancel), .s_ask(effect && ask),
                .s_refused(effect && !fill && !free && !cancel && !ask), .s_frame(s_frame), .s_time(s_time), .s_t2(s_t2), .s_slot(s_slot),
                .s_force(s_force), .s_fresh(s_fresh), .s_else_class(s_else_class), .s_else_last(s_else_last), .s_left(s_left),
                .s_left_asid(s_left_asid), .s_left_vpn(s_left_vpn), .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry), .s_full(s_full),
                .s_late(s_late), .s_class(s_class), .s_last(s_last), .s_dirty(s_dirty), .decide_req(decide_req), .decide_ok(decide_ok),
                .decide_take(decide_take), .d_done(d_done), .d_claims(d_claims), .d_give_up(d_give_up), .d_takes(d_takes), .d_frame(d_frame),
                .d_asid(d_asid), .d_vpn(d_vpn), .expire_req(expire_req), .expire_frame(expire_frame), .expire_take(expire_take),
                .s_expire(s_expire), .age_req(aging), .age_entry(age_entry), .age_time(age_time), .age_done(age_done), .age_clamped(age_clamped),
                .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled), .head_asid(head_asid), .head_vpn(head_vpn),
                .head_seq(head_seq), .head_t2(head_t2), .head_slot(head_slot), .head_lost(head_lost), .head_force(head_force), .waiting(waiting), .busy(busy),
                .n_slot(n_slot), .s_named(s_named), .turned(turned), .forgot(forgot)
            );
            wire [IDX_W+CLASS_W+TIME_W+4:0] side = {s_hit, s_decided, s_full, s_late, s_dirty, s_entry, s_class, s_last};
            wire [IDX_W+ASID_W+VPN_W+SEQ_W+4:0] head = {head_filled, head_entry, head_asid, head_vpn, head_seq, head_t2, head_slot, head_lost, head_force};
            wire [4:0] waits = {find_ready, decide_ok, expire_req, age_done, age_clamped};
        end
    endgenerate

    always @* begin
        assume ({2'd0, fill} + cancel + ask <= 3'd1 && !(free && (cancel || ask)));
        assume (!(d_claims && d_give_up) && (g_one[0].head_valid || !(d_claims || d_give_up))); // ahead of need nothing is claimed
        assume (!rst || !(flush || epoch_ends || w_fault || ages || offers || decide_req));
        assume (g_one[0].cleared || !(w_fault || ages || offers || decide_req || named));
    end

    always @* if (!rst) begin
        // What the engine waits for, and what it says of a page.
        find_same: assert (g_one[0].waits == g_one[1].waits && (!(granted || g_one[0].find_ready) || g_one[0].side == g_one[1].side));
        // ENTER, and room for a note.
        enter_same: assert (g_one[0].w_full == g_one[1].w_full && g_one[0].enter_valid == g_one[1].enter_valid &&
                            (!g_one[0].enter_valid || {g_one[0].enter_outcome, g_one[0].enter_entry} == {g_one[1].enter_outcome, g_one[1].enter_entry}));
        expire_same: assert (!g_one[0].expire_req || g_one[0].expire_frame == g_one[1].expire_frame);
        // Whether there is work.
        busy_same: assert (g_one[0].waiting == g_one[1].waiting && g_one[0].busy == g_one[1].busy && g_one[0].cleared == g_one[1].cleared);
        // A slot that was looked up.
        named_same: assert (!was_named[1] || g_one[0].s_named == g_one[1].s_named);
        // The oldest undecided fault.
        head_same: assert (g_one[0].head_valid == g_one[1].head_valid && (!g_one[0].head_valid || g_one[0].head == g_one[1].head));
    end

endmodule
`default_nettype wire
