// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue: a golden fault of one page, any one, beside the queue.
//
// Plain induction: behind what is promised stands what entries hold as it is now (what is written a cycle later counts), how that
// belongs to the golden fault and its number, that the order is one, and what each register that was compared ahead says.
//: inductive
//: pdr 120 s
//: bmc3 40 frames 20 s
//: find 230 231 233 238 239 1800 1801 1802 1803 1804 1805 1822 1823
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
    input wire [ASID_W-1:0]  b_s_asid, b_w_asid,
    input wire [VPN_W-1:0]   b_s_vpn, b_w_vpn,
    input wire [IDX_W-1:0]   s_age_entry,
    input wire               w_fault, w_write,
    input wire [CLASS_W-1:0] w_class, s_else_class,
    input wire [TIME_W-1:0]  s_else_last,
    input wire               s_t2, w_t2,
    input wire [T2_W-1:0]    b_s_slot, a_w_slot
);

    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};
    reg [1:0] first = 2'b11; // two cycles: of the first one's pages nobody told
    always @(posedge clk)
        first <= first << 1;
    wire rst = first[1] || reset;

    // what stood ahead is what stands here; time is the number of the walks
    reg  [ASID_W-1:0] a_s_asid, a_w_asid, s_asid, w_asid;
    reg  [VPN_W-1:0]  a_s_vpn, a_w_vpn, s_vpn, w_vpn;
    reg  [TIME_W-1:0] s_time;
    reg  [T2_W-1:0]   a_s_slot, s_slot, w_slot;
    wire [TIME_W-1:0] w_time = s_time + 1'b1, a_time = w_fault ? w_time : s_time;
    reg  [IDX_W-1:0]  was_entry;
    reg               was_age;
    always @(posedge clk) begin
        {a_s_asid, a_s_vpn, a_w_asid, a_w_vpn, a_s_slot} <= {b_s_asid, b_s_vpn, b_w_asid, b_w_vpn, b_s_slot};
        {s_asid, s_vpn, w_asid, w_vpn, s_slot, w_slot} <= {a_s_asid, a_s_vpn, a_w_asid, a_w_vpn, a_s_slot, a_w_slot};
        s_time <= a_time;
        {was_age, was_entry} <= {s_age, s_age_entry};
    end

    wire               s_hit, s_decided, s_full, s_dirty, s_clamped, waits, head_valid, head_filled, w_joined, w_full;
    wire [IDX_W-1:0]   s_entry, head_entry, w_entry;
    wire [CLASS_W-1:0] s_class;
    wire [TIME_W-1:0]  s_last;
    wire [ASID_W-1:0]  head_asid;
    wire [VPN_W-1:0]   head_vpn;
    wire [SEQ_W-1:0]   head_seq;
    wire               s_named, head_t2;
    wire [T2_W-1:0]    head_slot;
    gmmu_fault_queue #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS),
        .T2_W(T2_W), .IDX_W(IDX_W)
    ) dut (
        .clk(clk), .rst(rst), .b_s_asid(b_s_asid), .b_w_asid(b_w_asid), .b_s_vpn(b_s_vpn), .b_w_vpn(b_w_vpn), .b_s_slot(b_s_slot),
        .a_w_slot(a_w_slot), .a_s_asid(a_s_asid), .a_w_asid(a_w_asid), .a_s_vpn(a_s_vpn), .a_w_vpn(a_w_vpn), .a_time(a_time),
        .s_fill(s_fill), .s_cancel(s_cancel), .s_ask(s_ask), .s_asid(s_asid),
        .s_vpn(s_vpn), .s_time(s_time), .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry),
        .s_full(s_full), .s_class(s_class), .s_last(s_last), .s_dirty(s_dirty), .s_age(s_age),
        .s_age_entry(s_age_entry), .s_clamped(s_clamped), .s_decide(s_decide), .s_give_up(s_give_up), .waiting(waits),
        .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled),
        .head_asid(head_asid), .head_vpn(head_vpn), .head_seq(head_seq), .w_fault(w_fault),
        .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write),
        .w_joined(w_joined), .w_full(w_full), .w_entry(w_entry), .s_t2(s_t2), .a_s_slot(a_s_slot), .s_slot(s_slot), .s_else_class(s_else_class),
        .s_else_last(s_else_last), .s_named(s_named), .head_t2(head_t2), .head_slot(head_slot), .w_t2(w_t2), .w_slot(w_slot)
    );
    (* hierconn *) wire [FAULTS-1:0] \dut.s_eq , \dut.n_eq , \dut.free , \dut.waits , \dut.decided , \dut.s_differs , \dut.in_use ;
    // registers, of entries 0 to 2 (the harness has no other size)
    localparam P_W = ASID_W + VPN_W, H_W = P_W + T2_W + 1, L_W = CLASS_W + TIME_W;
    (* hierconn *) wire [P_W-1:0]    \dut.g_entry[0].its_page , \dut.g_entry[1].its_page , \dut.g_entry[2].its_page ;
    (* hierconn *) wire [T2_W:0]     \dut.g_entry[0].its_place , \dut.g_entry[1].its_place , \dut.g_entry[2].its_place ;
    (* hierconn *) wire [TIME_W-1:0] \dut.g_entry[0].its_last , \dut.g_entry[1].its_last , \dut.g_entry[2].its_last ;
    (* hierconn *) wire [FAULTS-1:0] \dut.w_eq , \dut.filled , \dut.head , \dut.oldest , \dut.is_dirty , \dut.was_new , \dut.was_may , \dut.was_put ,
                                     \dut.was_set , \dut.was_asked , \dut.was_ages , \dut.were_old ;
    (* hierconn *) wire [H_W-1:0]    \dut.was_s_at , \dut.was_w_at ;
    (* hierconn *) wire [FAULTS*L_W-1:0] \dut.accessed ;
    (* hierconn *) wire [TIME_W-1:0] \dut.was_time , \dut.was_else ;
    (* hierconn *) wire [L_W-1:0]    \dut.was_s , \dut.was_w ;
    (* hierconn *) wire [11:0]       \dut.g_ahead.as ;
    (* hierconn *) wire [1:0]        \dut.g_ahead.alike ;
    (* hierconn *) wire              \dut.popped , \dut.is_filled , \dut.old_w , \dut.old_s , \dut.by_w , \dut.by_s , \dut.order.none ;
    (* hierconn *) wire              \dut.order.g_entry[1].g_pair[0].first , \dut.order.g_entry[2].g_pair[0].first , \dut.order.g_entry[2].g_pair[1].first ;
    wire [FAULTS-1:0] on = ~\dut.free , open = \dut.waits ;
    wire              o01 = \dut.order.g_entry[1].g_pair[0].first , o02 = \dut.order.g_entry[2].g_pair[0].first ;
    wire              o12 = \dut.order.g_entry[2].g_pair[1].first ;
    // what entry g holds now: page, place, last access
    wire [FAULTS*H_W-1:0] held = {\dut.g_entry[2].its_page , \dut.g_entry[2].its_place , \dut.g_entry[1].its_page , \dut.g_entry[1].its_place ,
                                  \dut.g_entry[0].its_page , \dut.g_entry[0].its_place };
    wire [H_W-1:0]    now [0:3];
    wire [L_W-1:0]    access [0:3];
    wire [FAULTS-1:0] before [0:3]; // entries before entry g
    assign now[3] = {H_W{1'b0}}, access[3] = {L_W{1'b0}}, before[3] = {FAULTS{1'b0}};
    assign before[0] = {!o02, !o01, 1'b0}, before[1] = {!o12, 1'b0, o01}, before[2] = {1'b0, o12, o02};
    genvar g;
    generate
        for (g = 0; g < FAULTS; g = g + 1) begin : g_now
            assign now[g]    = !\dut.was_new [g] ? held[g*H_W +: H_W] : \dut.was_may [g] ? \dut.was_s_at : \dut.was_w_at ;
            assign access[g] = \dut.accessed [g*L_W +: L_W];
        end
    endgenerate
    reg               stood; // the head, in the cycle before
    always @(posedge clk)
        stood <= head_valid && !rst;
    wire [FAULTS-1:0] match = \dut.s_eq & ~\dut.free ;

    // one side operation a cycle; a decision only of a head
    always @* begin
        assume ({2'd0, s_fill} + s_cancel + s_ask + s_age + s_give_up <= 3'd1);
        assume (!s_decide || !(s_fill || s_cancel || s_ask || s_give_up)); // it comes a cycle after DECIDE: an AGE may be beside it
        assume ((head_valid && stood) || !(s_decide || s_give_up));
        assume (s_age_entry < FAULTS);
        // AGE's entry stood there before, and no AGE then
        assume (!s_age || (s_age_entry == was_entry && !was_age));
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
    reg           known, stands;                // some waited in the cycle before, and none was decided; so it was then, too
    reg [SEQ_W-1:0] number, numbers;            // its number, the next one
    reg [CLASS_W-1:0] cls;                      // its class and last access
    reg [TIME_W-1:0] last;
    wire [TIME_W-1:0] aged = s_time - last;
    wire ages = has && s_age && s_age_entry == at;
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
        known   <= waiting != 0 && !pop;
        stands  <= known && !pop;
        numbers <= numbers + s_new + w_new;
        if ((s_new && s_here) || (w_new && w_here && !has1))
            number <= numbers + (w_new && w_here && !has1 && s_new);
        if (w_fault && w_here && (has1 || w_new))
            {cls, last} <= {w_class, w_time};
        else if (s_new && s_here)
            {cls, last} <= {s_else_class, s_else_last};
        else if (ages && aged >= OLD)
            last <= s_time - OLD;
        used    <= used + s_new + w_new - s_ends - s_give_up;
        if (rst) begin
            has     <= 1'b0;
            known   <= 1'b0;
            stands  <= 1'b0;
            numbers <= 0;
            waiting <= 0;
            used    <= 0;
        end
    end

    always @* if (!rst) begin
        // A page has at most one entry (for every page: s_asid and s_vpn are free).
        one_entry: assert ((match & (match - 1'b1)) == 0);
        // From the fault until its end the page is found by the side port, and at no other time; decided, dirty as golden.
        found_until_end: assert (!s_here || (s_hit == has && s_decided == (has && decided) &&
                                             s_dirty == (has && dirty) && (!has || s_entry == at)));
        // Its last access, or what is given instead.
        last_access: assert (!s_here || {s_class, s_last} == (has ? {cls, last} : {{CLASS_W{1'b0}}, s_time}));
        // AGE clamps exactly what is so old.
        age_clamps: assert (s_clamped == (s_clamped && s_age) && (!ages || s_clamped == (aged >= OLD)));
        // A fault of the walk joins exactly where the page has a fault after the side operation.
        joins_its_page: assert (!(w_fault && w_here) || w_joined == has1);
        joins_its_entry: assert (!(w_fault && w_here && has && has1) || w_entry == at);
        // If not, it is dropped exactly when after the side operation all entries are in use.
        dropped_when_full: assert (!w_fault || w_joined || w_full == (used + s_new - s_ends - s_give_up == FAULTS));
        // What stands twice is the same.
        copies_same: assert (\dut.in_use == ~\dut.free && \dut.s_differs == ~\dut.s_eq );
        // An entry is free, waits or is decided.
        one_state: assert ((\dut.free ^ \dut.waits ^ \dut.decided ) == {FAULTS{1'b1}} && (\dut.free & \dut.waits ) == 0);
        // The page is at the head exactly when no older undecided fault is left: first in, first out.
        first_in_first_out: assert (!head_valid || h_here == (has && !decided && ahead == 0));
        numbered: assert (!h_here || (head_seq == number && head_entry == at));
        // It names the slot that came with it, until it ends; a fault that joins changes nothing of that.
        names_its_slot: assert (!has || (\dut.n_eq [at] && !\dut.free [at]) == (t2 && slot == s_slot));
        // No slot is named but by a fault.
        names_no_other: assert (s_named == ((\dut.n_eq & ~\dut.free ) != 0));
        head_names: assert (!h_here || (head_t2 == t2 && (!t2 || head_slot == slot)));
        // Filled while it waited is what the head says.
        filled_noted: assert (!h_here || head_filled == filled);
        // The number of undecided faults is right.
        waiting_right: assert (waits == (waiting != 0) && head_valid == stands);
        // Full exactly when all entries are in use.
        full_right: assert (s_full == (used == FAULTS));
    end

    // ---- behind these
    wire [P_W-1:0] page = {asid, vpn}, s_page = {s_asid, s_vpn}, w_page = {w_asid, w_vpn}, a_s_page = {a_s_asid, a_s_vpn}, a_w_page = {a_w_asid, a_w_vpn};
    wire [P_W-1:0] was_s_page = \dut.was_s_at [H_W-1 -: P_W], was_w_page = \dut.was_w_at [H_W-1 -: P_W];
    wire [FAULTS-1:0] first_in = open & before[at];
    wire [TIME_W-1:0] its_last = was_entry == 0 ? \dut.g_entry[0].its_last : was_entry == 1 ? \dut.g_entry[1].its_last : \dut.g_entry[2].its_last ;
    wire [TIME_W-1:0] its_age = s_time - its_last, asked_age = \dut.was_time - \dut.was_else ;
    wire              its_old = \dut.by_w ? \dut.old_w : \dut.by_s ? \dut.old_s : \dut.were_old [was_entry];
    wire [SEQ_W-1:0]  gone = head_seq + \dut.popped , its_number = gone + ahead, next_number = gone + waiting;
    wire [FAULTS-1:0] is_compared, is_own, is_golden, is_written;
    generate
        for (g = 0; g < FAULTS; g = g + 1) begin : g_holds
            wire [P_W-1:0] its_page = now[g][H_W-1 -: P_W];
            localparam NEXT = (g + 1) % FAULTS;
            assign is_compared[g] = {\dut.s_eq [g], \dut.w_eq [g], \dut.n_eq [g]} == {its_page == s_page, its_page == w_page, now[g][T2_W:0] == {1'b1, s_slot}};
            assign is_own[g]     = !on[NEXT] || its_page != now[NEXT][H_W-1 -: P_W];
            assign is_golden[g]  = (its_page == page) == (has && at == g);
            assign is_written[g] = (!\dut.was_new [g] || \dut.was_put [g]) && \dut.was_put [g] == (\dut.was_set [g] || \dut.was_asked [g]);
        end
    endgenerate
    // (whatever the state before was)
    always @* pages_alike: assert ((first == 2'b11 || \dut.g_ahead.alike [0] == (a_s_page == a_w_page)) &&
                                   (first[1] || \dut.g_ahead.alike [1] == (s_page == w_page)));
    always @* put_if_set: assert (first == 2'b11 || (\dut.was_set & ~\dut.was_put ) == 0);
    always @* if (!rst) begin
        // Of entries in use: what one was compared with is what it holds.
        compared: assert ((~is_compared & on) == 0);
        // No other entry has its page; the golden fault's is the one that has its page.
        its_own: assert ((~is_own & on) == 0);
        golden_here: assert ((~is_golden & on) == 0);
        // What an entry that just began is written with is the walk's or ASK's, and an access is the walk's.
        written: assert ((~is_written & on) == 0);
    end
    always @* if (!rst) begin
        // The golden fault's entry: its state, what it holds, how many wait before it.
        golden_state: assert (!has || (at < FAULTS && on[at] && open[at] == !decided));
        golden_holds: assert (!has || (now[at] == {page, t2, slot} && access[at] == {cls, last} && \dut.is_dirty [at] == dirty));
        golden_filled: assert (!has || decided || \dut.filled [at] == filled);
        golden_turn: assert (!has || decided || ahead == {2'd0, first_in[0]} + first_in[1] + first_in[2]);
        golden_number: assert (!has || decided || number == its_number);
        // So many are in use, wait, were numbered.
        counts: assert (used == {2'd0, on[0]} + on[1] + on[2] && waiting == {2'd0, open[0]} + open[1] + open[2]);
        numbers_told: assert (numbers == next_number);
        // The order is one, so there is a first of all that are.
        ordered: assert (!(o01 && o12 && !o02) && !(!o01 && !o12 && o02) && !\dut.order.none );
        // The head, but in the cycle after it went, is the one that waits longest, and holds what it holds.
        head_first: assert (\dut.popped || \dut.head == 0 || (\dut.head == \dut.oldest && (\dut.head & \dut.was_new ) == 0));
        head_known: assert (known == (\dut.head != 0 && !\dut.popped ) && (!head_valid || known));
        head_filling: assert (!head_valid || \dut.is_filled == ((\dut.head & \dut.filled ) != 0));
        // What was compared ahead.
        pages_ahead: assert (\dut.g_ahead.as [11:4] == {a_s_page == s_page, a_s_page == w_page, a_w_page == s_page, a_w_page == w_page,
            a_s_page == was_s_page, a_s_page == was_w_page, a_w_page == was_s_page, a_w_page == was_w_page});
        slots_ahead: assert (\dut.g_ahead.as [3:0] == {a_s_slot == s_slot, a_s_slot == w_slot,
            \dut.was_s_at [T2_W:0] == {1'b1, a_s_slot}, \dut.was_w_at [T2_W:0] == {1'b1, a_s_slot}});
        // AGE: how old its entry was, whoever wrote it then; what ASK alone wrote just now.
        age_known: assert (its_old == (its_age[TIME_W-1 -: 2] != 0));
        age_once: assert (\dut.was_ages == (was_age ? 3'd1 << was_entry : 3'd0));
        age_of_asked: assert (was_age || (\dut.was_time == s_time && \dut.was_else == \dut.was_s [TIME_W-1:0]));
        access_now: assert (\dut.was_w [TIME_W-1:0] == s_time || \dut.was_set == 0);
    end

endmodule
`default_nettype wire
