// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of fault_queue may rest: one whose clock rests (rtl/lib/gmmu_clk_gate.v) says in every cycle what one says
// whose clock always runs. It is woken by what it is asked, or for no reason; that gmmu_tier wakes it for all of that is proved
// in tb/formal/clk_wakes.v.
//: gated
//: ram ram_zero
//: pdr 5 s
//: bmc3 40 frames 60 s
//: at_once
//: find 330:head_same,busy_same
`default_nettype none
module formal_clk_faults #(
    parameter FAULTS   = 2,
    parameter NOTES    = 2,
    parameter LATE     = 2,
    parameter IDX_W    = 1,
    parameter VPN_W    = 1,
    parameter ASID_W   = 1,
    parameter TIME_W   = 3,
    parameter CLASS_W  = 1,
    parameter SEQ_W    = 1,
    parameter FRAME_W  = 1,
    parameter T2_SLOTS = 2,
    parameter T2_W     = 1
) (
    input wire               clk,
    input wire               reset, also, flush, epoch_ends,
    input wire               w_goes, w_write, w_t2, w_replay, // w_goes: in the cycle after the next one
    input wire [ASID_W-1:0]  w_asid,
    input wire [VPN_W-1:0]   w_vpn,
    input wire [CLASS_W-1:0] w_class, s_else_class,
    input wire [TIME_W-1:0]  w_time, s_time, s_else_last, age_time,
    input wire [T2_W-1:0]    w_slot, s_slot, n_slot,
    input wire               offers, grants, acts, fill, free, cancel, ask,
    input wire [ASID_W-1:0]  any_asid, s_left_asid, d_asid,
    input wire [VPN_W-1:0]   any_vpn, s_left_vpn, d_vpn,
    input wire [FRAME_W-1:0] s_frame, d_frame,
    input wire               s_t2, s_force, s_fresh, s_left,
    input wire               wants, d_comes, d_claims, d_give_up, d_takes,
    input wire               e_comes, ages,
    input wire [IDX_W-1:0]   any_entry
);

    localparam P_W = ASID_W + VPN_W;
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    (* anyconst *) wire [FRAME_W:0] cfg_frames;

    // The protocol: an operation is offered until it is granted, and takes effect at any time; so do DECIDE and EXPIRE.
    reg              offered, granted, deciding, expiring, aging, w_go, w_fault;
    reg  [P_W-1:0]   find;
    reg  [IDX_W-1:0] age_entry;
    reg  [2:0]       steady; // an action is under way, in the cycle before, in the one before that
    wire effect   = granted && acts;
    wire s_fill   = effect && fill, s_free = effect && free, s_cancel = effect && cancel, s_ask = effect && ask;
    wire s_refused = effect && !fill && !free && !cancel && !ask;
    wire find_take = g_one[1].find_ready && grants, decide_take = g_one[1].decide_ok && grants, expire_take = g_one[1].expire_req && grants;
    wire d_done   = deciding && d_comes, s_expire = expiring && e_comes;
    wire decide_req = wants && g_one[1].open;
    always @(posedge clk) begin
        if (!offered && !granted && offers)
            {offered, find} <= {1'b1, any_asid, any_vpn};
        if (find_take)
            {offered, granted} <= 2'b01;
        if (effect)
            granted <= 1'b0;
        deciding <= decide_take || (deciding && !d_done);
        expiring <= expire_take || (expiring && !s_expire);
        aging    <= aging ? !g_one[1].age_done : ages;
        if (!aging)
            age_entry <= any_entry;
        {w_go, w_fault} <= {w_goes, w_go};
        steady <= {steady[1:0], granted};
        if (rst)
            {offered, granted, deciding, expiring, aging, steady, w_go, w_fault} <= 10'd0;
    end
    always @* begin
        assume ({2'd0, fill} + cancel + ask <= 3'd1 && !(free && (cancel || ask)));
        assume (cfg_frames == 1 || cfg_frames == 2);
        assume (!(d_claims && d_give_up));
        assume (!rst || !(flush || epoch_ends));
        assume (g_one[1].cleared || !(w_goes || offers || wants || ages || flush)); // the unit is closed until then
    end

    // woken as in gmmu_tier, whose search runs while a fault waits or a DECIDE is wanted
    wire rests;
    gmmu_clk_gate #(.HOLD(4)) gate (
        .clk(clk), .rst(rst), .gated(rests),
        .wake(w_goes || w_fault || offered || granted || aging || wants || deciding || g_one[1].waiting || g_one[1].busy || flush || epoch_ends || also)
    );

    // 0: its clock runs; 1: it rests
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_one
            wire               cleared, w_full, enter_valid, find_ready, decide_ok, expire_req, age_done, age_clamped, waiting, busy;
            wire [2:0]         enter_outcome;
            wire [IDX_W-1:0]   enter_entry, s_entry, head_entry;
            wire               s_hit, s_decided, s_full, s_late, s_dirty, head_valid, head_filled, head_t2, head_lost, head_force, s_named;
            wire [CLASS_W-1:0] s_class;
            wire [TIME_W-1:0]  s_last;
            wire [FRAME_W-1:0] expire_frame;
            wire [ASID_W-1:0]  head_asid;
            wire [VPN_W-1:0]   head_vpn;
            wire [SEQ_W-1:0]   head_seq;
            wire [T2_W-1:0]    head_slot;
            gmmu_fault_queue #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE),
                .FRAME_W(FRAME_W), .T2_SLOTS(T2_SLOTS), .T2_W(T2_W), .PARITY(0), .IDX_W(IDX_W)
            ) dut (
                .clk(g == 1 ? rests : clk), .rst(rst), .clear(1'b0), .cleared(cleared), .cfg_frames(cfg_frames), .epoch_ends(epoch_ends), .flush(flush),
                .w_fault(w_fault), .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write), .w_t2(w_t2),
                .w_slot(w_slot), .w_replay(w_replay), .w_full(w_full), .enter_valid(enter_valid), .enter_outcome(enter_outcome),
                .enter_entry(enter_entry), .find_req(offered), .find_asid(find[P_W-1 -: ASID_W]), .find_vpn(find[VPN_W-1:0]),
                .find_ready(find_ready), .find_take(find_take), .s_fill(s_fill), .s_free(s_free), .s_cancel(s_cancel), .s_ask(s_ask),
                .s_refused(s_refused), .s_frame(s_frame), .s_time(s_time), .s_t2(s_t2), .s_slot(s_slot), .s_force(s_force), .s_fresh(s_fresh),
                .s_else_class(s_else_class), .s_else_last(s_else_last), .s_left(s_left), .s_left_asid(s_left_asid), .s_left_vpn(s_left_vpn),
                .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry), .s_full(s_full), .s_late(s_late), .s_class(s_class), .s_last(s_last),
                .s_dirty(s_dirty), .decide_req(decide_req), .decide_ok(decide_ok), .decide_take(decide_take), .d_done(d_done),
                .d_claims(d_claims), .d_give_up(d_give_up), .d_takes(d_takes), .d_frame(d_frame), .d_asid(d_asid), .d_vpn(d_vpn),
                .expire_req(expire_req), .expire_frame(expire_frame), .expire_take(expire_take), .s_expire(s_expire),
                .age_req(aging), .age_entry(age_entry), .age_time(age_time), .age_done(age_done), .age_clamped(age_clamped),
                .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled), .head_asid(head_asid), .head_vpn(head_vpn),
                .head_seq(head_seq), .head_t2(head_t2), .head_slot(head_slot), .head_lost(head_lost), .head_force(head_force),
                .waiting(waiting), .busy(busy), .n_slot(n_slot), .s_named(s_named)
            );
            wire open = cleared;
            wire [IDX_W+CLASS_W+TIME_W+4:0] side = {s_hit, s_decided, s_full, s_late, s_dirty, s_entry, s_class, s_last};
            wire [IDX_W+ASID_W+VPN_W+T2_W+3:0] head = {head_filled, head_lost, head_force, head_entry, head_asid, head_vpn, head_t2, head_slot};
        end
    endgenerate

    always @* if (!rst) begin
        // The operation's page: when it is found, and what is said of it.
        ready_same: assert (g_one[0].find_ready == g_one[1].find_ready);
        side_same: assert (!effect || g_one[0].side == g_one[1].side);
        // DECIDE and EXPIRE may come in the same cycles.
        may_same: assert (g_one[0].decide_ok == g_one[1].decide_ok && g_one[0].expire_req == g_one[1].expire_req &&
                          (!g_one[0].expire_req || g_one[0].expire_frame == g_one[1].expire_frame));
        // An entry's AGE.
        age_same: assert (g_one[0].age_done == g_one[1].age_done && (!g_one[0].age_done || g_one[0].age_clamped == g_one[1].age_clamped));
        // A slot that a fault names, if an action names it.
        named_same: assert (steady != 3'b111 || !granted || g_one[0].s_named == g_one[1].s_named);
        // The oldest undecided fault.
        head_same: assert (g_one[0].head_valid == g_one[1].head_valid && (!g_one[0].head_valid || g_one[0].head == g_one[1].head));
        // At work in the same cycles.
        waiting_same: assert (g_one[0].waiting == g_one[1].waiting);
        busy_same: assert (g_one[0].busy == g_one[1].busy && g_one[0].cleared == g_one[1].cleared);
        // Whether a walk's fault has room, and its ENTER.
        walk_same: assert (!w_fault || g_one[0].w_full == g_one[1].w_full);
        enter_same: assert (g_one[0].enter_valid == g_one[1].enter_valid &&
                            (!g_one[0].enter_valid || {g_one[0].enter_outcome, g_one[0].enter_entry} == {g_one[1].enter_outcome, g_one[1].enter_entry}));
    end

endmodule
`default_nettype wire
