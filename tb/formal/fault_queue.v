// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue: a golden fault of one page, any one, beside the queue.
//: pdr 45 s
//: bmc3 40 frames 20 s
//: find 230 231 232 233 238 239
`default_nettype none
module formal_fault_queue #(
    parameter FAULTS  = 3,
    parameter IDX_W   = 2,
    parameter VPN_W   = 2,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 2,
    parameter T2_W    = 1
) (
    input wire               clk,
    input wire               reset,
    input wire               s_fill, s_cancel, s_ask, s_age, s_decide, s_give_up,
    input wire [ASID_W-1:0]  s_asid, w_asid,
    input wire [VPN_W-1:0]   s_vpn, w_vpn,
    input wire [TIME_W-1:0]  s_time, w_time,
    input wire [IDX_W-1:0]   s_age_entry,
    input wire               w_fault, w_write,
    input wire [CLASS_W-1:0] w_class, s_else_class,
    input wire [TIME_W-1:0]  s_else_last,
    input wire               s_t2, w_t2,
    input wire [T2_W-1:0]    s_slot, w_slot
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire               s_hit, s_decided, s_full, s_dirty, s_clamped, head_valid, head_filled, w_joined, w_full;
    wire [IDX_W-1:0]   s_entry, head_entry, w_entry;
    wire [CLASS_W-1:0] s_class;
    wire [TIME_W-1:0]  s_last;
    wire [ASID_W-1:0]  head_asid;
    wire [VPN_W-1:0]   head_vpn;
    wire [SEQ_W-1:0]   head_seq;
    wire               s_named, head_t2;
    wire [T2_W-1:0]    head_slot;
    fault_queue #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS),
        .T2_W(T2_W), .IDX_W(IDX_W)
    ) dut (
        .clk(clk), .rst(rst), .s_fill(s_fill), .s_cancel(s_cancel), .s_ask(s_ask), .s_asid(s_asid),
        .s_vpn(s_vpn), .s_time(s_time), .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry),
        .s_full(s_full), .s_class(s_class), .s_last(s_last), .s_dirty(s_dirty), .s_age(s_age),
        .s_age_entry(s_age_entry), .s_clamped(s_clamped), .s_decide(s_decide), .s_give_up(s_give_up),
        .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled),
        .head_asid(head_asid), .head_vpn(head_vpn), .head_seq(head_seq), .w_fault(w_fault),
        .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write),
        .w_joined(w_joined), .w_full(w_full), .w_entry(w_entry), .s_t2(s_t2), .s_slot(s_slot), .s_else_class(s_else_class),
        .s_else_last(s_else_last), .s_named(s_named), .head_t2(head_t2), .head_slot(head_slot), .w_t2(w_t2), .w_slot(w_slot)
    );
    (* hierconn *) wire [FAULTS-1:0] \dut.s_match , \dut.s_names , \dut.valid ;
    (* hierconn *) wire [IDX_W:0]    \dut.waiting ;
    wire [FAULTS-1:0] match = \dut.s_match ;

    // one side operation a cycle; a decision only of a head
    always @* begin
        assume ({2'd0, s_fill} + s_cancel + s_ask + s_age + s_decide + s_give_up <= 3'd1);
        assume (head_valid || !(s_decide || s_give_up));
        assume (s_age_entry < FAULTS);
    end

    (* anyconst *) wire [ASID_W-1:0] asid;
    (* anyconst *) wire [VPN_W-1:0]  vpn;
    wire s_here = s_asid == asid && s_vpn == vpn;
    wire w_here = w_asid == asid && w_vpn == vpn;
    wire h_here = head_asid == asid && head_vpn == vpn && head_valid;

    reg           has, decided, filled, dirty;  // the page's fault
    reg           t2;                           // it names a slot
    reg [T2_W-1:0] slot;
    reg [IDX_W-1:0] at;                         // its entry
    reg [IDX_W:0] ahead;                        // undecided faults before it
    reg [IDX_W:0] waiting, used;                // undecided faults; faults
    wire s_new  = s_ask && !s_hit && !s_full;
    wire w_new  = w_fault && !w_joined && !w_full;
    wire pop    = s_decide || s_give_up;
    wire s_ends = (s_fill || s_cancel) && s_decided;
    // after the side operation
    wire has1 = (has && !(s_ends && s_here) && !(s_give_up && h_here)) || (s_new && s_here);
    wire [IDX_W:0] kept = waiting - pop;
    always @(posedge clk) begin
        has <= has1 || (w_new && w_here);
        if (pop)
            ahead <= ahead - 1'b1;
        if (s_decide && h_here)
            decided <= 1'b1;
        if (s_fill && s_here && has && !decided)
            filled <= 1'b1;
        if ((s_new && s_here) || (w_new && w_here && !has1)) begin
            decided <= 1'b0;
            filled  <= 1'b0;
            {t2, slot, at} <= s_new && s_here ? {s_t2, s_slot, s_entry} : {w_t2, w_slot, w_entry};
            ahead   <= kept + (w_new && w_here && !has1 && s_new);
        end
        if (s_new && s_here)
            dirty <= w_fault && w_here && w_write;
        else if (w_fault && w_here && (has1 || w_new))
            dirty <= w_write || (has1 && dirty);
        waiting <= kept + s_new + w_new;
        used    <= used + s_new + w_new - s_ends - s_give_up;
        if (rst) begin
            has     <= 1'b0;
            waiting <= 0;
            used    <= 0;
        end
    end

    always @* if (!rst) begin
        // A page has at most one entry (for every page: s_asid and s_vpn are free).
        one_entry: assert ((match & (match - 1'b1)) == 0);
        // From the fault until its end the page is found by the side port, and at no other time; decided, dirty as golden.
        found_until_end: assert (!s_here || (s_hit == has && s_decided == (has && decided) &&
                                             s_dirty == (has && dirty)));
        // A fault of the walk joins exactly where the page has a fault after the side operation.
        joins_its_page: assert (!(w_fault && w_here) || w_joined == has1);
        // The page is at the head exactly when no older undecided fault is left: first in, first out.
        first_in_first_out: assert (h_here == (has && !decided && ahead == 0));
        // It names the slot that came with it, until it ends; a fault that joins changes nothing of that.
        names_its_slot: assert (!has || \dut.s_names [at] == (t2 && slot == s_slot));
        // No slot is named but by a fault.
        names_no_other: assert ((\dut.s_names & ~\dut.valid ) == 0 && s_named == (\dut.s_names != 0));
        head_names: assert (!h_here || (head_t2 == t2 && (!t2 || head_slot == slot)));
        // Filled while it waited is what the head says.
        filled_noted: assert (!h_here || head_filled == filled);
        // The number of undecided faults is right.
        waiting_right: assert (\dut.waiting == waiting && head_valid == (waiting != 0));
        // Full exactly when all entries are in use.
        full_right: assert (s_full == (used == FAULTS));
    end

endmodule
`default_nettype wire
