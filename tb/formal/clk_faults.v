// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of fault_queue may rest: one whose clock rests (rtl/lib/gmmu_clk_gate.v) says in every cycle what one says
// whose clock always runs. It is woken by what it is asked, or for no reason; that gmmu_tier wakes it for all of that is proved
// in tb/formal/clk_wakes.v.
//: gated
//: pdr 120 s
//: bmc3 40 frames 30 s
//: find 330:head_same
`default_nettype none
module formal_clk_faults #(
    parameter FAULTS  = 2,
    parameter IDX_W   = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 1,
    parameter T2_W    = 1
) (
    input wire               clk,
    input wire               reset, also,
    input wire               s_goes, w_goes, // in the cycle after the next one
    input wire               do_fill, do_cancel, do_ask, do_age, do_decide, do_give_up,
    input wire [ASID_W-1:0]  b_s_asid, b_w_asid,
    input wire [VPN_W-1:0]   b_s_vpn, b_w_vpn,
    input wire [TIME_W-1:0]  a_time, w_time,
    input wire [IDX_W-1:0]   a_age_entry,
    input wire               w_write,
    input wire [CLASS_W-1:0] w_class, s_else_class,
    input wire [TIME_W-1:0]  s_else_last,
    input wire               s_t2, w_t2,
    input wire [T2_W-1:0]    b_s_slot, a_w_slot
);

    reg [1:0] first = 2'b11; // two cycles: of the first one's pages nobody told
    always @(posedge clk)
        first <= first << 1;
    wire rst = first[1] || reset;

    // what comes is told two cycles ahead
    reg               s_go, w_go, s_comes, w_comes;
    reg  [ASID_W-1:0] a_s_asid, a_w_asid, s_asid, w_asid;
    reg  [VPN_W-1:0]  a_s_vpn, a_w_vpn, s_vpn, w_vpn;
    reg  [TIME_W-1:0] s_time;
    reg  [T2_W-1:0]   a_s_slot, s_slot, w_slot;
    reg  [IDX_W-1:0]  s_age_entry;
    always @(posedge clk) begin
        {s_go, w_go, s_comes, w_comes} <= {s_goes, w_goes, s_go, w_go};
        {a_s_asid, a_s_vpn, a_w_asid, a_w_vpn, a_s_slot} <= {b_s_asid, b_s_vpn, b_w_asid, b_w_vpn, b_s_slot};
        w_slot <= a_w_slot;
        {s_asid, s_vpn, w_asid, w_vpn, s_time, s_slot} <= {a_s_asid, a_s_vpn, a_w_asid, a_w_vpn, a_time, a_s_slot};
        s_age_entry <= a_age_entry;
    end
    wire s_fill = s_comes && do_fill, s_cancel = s_comes && do_cancel, s_ask = s_comes && do_ask, s_age = s_comes && do_age;
    reg  s_came; // what comes of a DECIDE comes a cycle later
    always @(posedge clk)
        s_came <= s_comes;
    wire s_decide = s_came && do_decide, s_give_up = s_comes && do_give_up, w_fault = w_comes;

    wire rests;
    wire asks = s_fill || s_cancel || s_ask;
    gmmu_clk_gate #(.HOLD(4)) gate (.clk(clk), .rst(rst), .wake(s_goes || w_goes || s_comes || w_comes || also), .gated(rests));

    // 0: its clock runs; 1: it rests
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_one
            wire               s_hit, s_decided, s_full, s_dirty, s_clamped, waiting, head_valid, head_filled, w_joined, w_full;
            wire [IDX_W-1:0]   s_entry, head_entry, w_entry;
            wire [CLASS_W-1:0] s_class;
            wire [TIME_W-1:0]  s_last;
            wire [ASID_W-1:0]  head_asid;
            wire [VPN_W-1:0]   head_vpn;
            wire [SEQ_W-1:0]   head_seq;
            wire               s_named, head_t2;
            wire [T2_W-1:0]    head_slot;
            gmmu_fault_queue #(
                .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS), .T2_W(T2_W), .IDX_W(IDX_W)
            ) dut (
                .clk(g == 1 ? rests : clk), .rst(rst), .b_s_asid(b_s_asid), .b_w_asid(b_w_asid), .b_s_vpn(b_s_vpn),
                .b_w_vpn(b_w_vpn), .b_s_slot(b_s_slot), .a_w_slot(a_w_slot), .a_s_asid(a_s_asid), .a_w_asid(a_w_asid), .a_s_vpn(a_s_vpn), .a_w_vpn(a_w_vpn),
                .a_time(a_time), .waiting(waiting), .s_fill(s_fill), .s_cancel(s_cancel), .s_ask(s_ask), .s_asid(s_asid),
                .s_vpn(s_vpn), .s_time(s_time), .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry),
                .s_full(s_full), .s_class(s_class), .s_last(s_last), .s_dirty(s_dirty), .s_age(s_age),
                .s_age_entry(s_age_entry), .s_clamped(s_clamped), .s_decide(s_decide), .s_give_up(s_give_up),
                .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled),
                .head_asid(head_asid), .head_vpn(head_vpn), .head_seq(head_seq), .w_fault(w_fault),
                .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write),
                .w_joined(w_joined), .w_full(w_full), .w_entry(w_entry), .s_t2(s_t2), .a_s_slot(a_s_slot), .s_slot(s_slot), .s_else_class(s_else_class),
                .s_else_last(s_else_last), .s_named(s_named), .head_t2(head_t2), .head_slot(head_slot), .w_t2(w_t2), .w_slot(w_slot)
            );
            wire [IDX_W+CLASS_W+TIME_W+3:0] side = {s_hit, s_decided, s_dirty, s_clamped, s_entry, s_class, s_last};
            wire [IDX_W+ASID_W+VPN_W+SEQ_W+T2_W+1:0] head = {head_filled, head_entry, head_asid, head_vpn, head_seq, head_t2, head_slot};
        end
    endgenerate

    // one side operation a cycle; a decision only of a head; AGE's entry stands there before, too
    reg [IDX_W-1:0] was_entry;
    reg stood; // the head, in the cycle before
    always @(posedge clk) begin
        was_entry <= s_age_entry;
        stood     <= g_one[0].head_valid && !rst;
    end
    always @* begin
        assume ({2'd0, s_fill} + s_cancel + s_ask + s_age + s_give_up <= 3'd1);
        assume (!s_decide || !(s_fill || s_cancel || s_ask || s_give_up)); // it comes a cycle after DECIDE: an AGE may be beside it
        assume ((g_one[0].head_valid && stood) || !(s_decide || s_give_up));
        assume (!s_age || s_age_entry == was_entry);
    end

    always @* if (!rst) begin
        // What it says of a page, of an entry's age, of room.
        side_same: assert (!asks || g_one[0].side == g_one[1].side);
        age_same: assert (g_one[0].s_clamped == g_one[1].s_clamped);
        full_same: assert (g_one[0].s_full == g_one[1].s_full);
        // A slot that a fault names, if an action names it.
        waiting_same: assert (g_one[0].waiting == g_one[1].waiting);
        named_same: assert (!s_comes || g_one[0].s_named == g_one[1].s_named);
        // The oldest undecided fault.
        head_same: assert (g_one[0].head_valid == g_one[1].head_valid && (!g_one[0].head_valid || g_one[0].head == g_one[1].head));
        // What becomes of a walk's fault.
        walk_same: assert (!w_fault || (g_one[0].w_joined == g_one[1].w_joined && g_one[0].w_full == g_one[1].w_full &&
                                        (g_one[0].w_full && !g_one[0].w_joined || g_one[0].w_entry == g_one[1].w_entry)));
    end

endmodule
`default_nettype wire
