// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue: a golden fault of one page, any one, beside the queue, and the frames that the page is in.
//
// The unit's protocol is promised: an operation, DECIDE and EXPIRE take effect after their grant, at any time. Of the page that a
// frame held the unit says the truth, as far as the golden page is concerned. The parts have harnesses of their own.
//: pdr 1 s
//: bmc3 39 frames 200 s
//: at_once
//: find 231:found_until_end 234:found_until_end 237:age_clamps 1806:notes_right 1807:late_right 1816:waiting_right 374:late_right 375:head_right
`default_nettype none
module formal_fault_queue #(
    parameter FAULTS   = 2,
    parameter NOTES    = 2,
    parameter LATE     = 2,
    parameter IDX_W    = 1,
    parameter VPN_W    = 2,
    parameter ASID_W   = 1,
    parameter TIME_W   = 3,
    parameter CLASS_W  = 1,
    parameter SEQ_W    = 2,
    parameter FRAME_W  = 1,
    parameter T2_SLOTS = 2,
    parameter T2_W     = 1
) (
    input wire               clk,
    input wire               flush, epoch_ends,
    input wire               w_fault, w_write, w_t2, w_replay,
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
    input wire               decide_req, d_comes, d_claims, d_give_up, d_takes,
    input wire               e_comes, ages,
    input wire [IDX_W-1:0]   any_entry
);

    localparam P_W = ASID_W + VPN_W;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;

    // ---- the protocol
    reg              offered, granted, deciding, expiring, aging;
    reg  [P_W-1:0]   find;
    reg  [IDX_W-1:0] age_entry;
    (* anyconst *) wire [FRAME_W:0] cfg_frames;
    wire              cleared, w_full, enter_valid, find_ready, decide_ok, expire_req, age_done, age_clamped, forgot, turned, waiting, busy;
    wire [2:0]        enter_outcome;
    wire [IDX_W-1:0]  enter_entry, s_entry, head_entry;
    wire              s_hit, s_decided, s_full, s_late, s_dirty, head_valid, head_filled, head_t2, head_lost, head_force, s_named;
    wire [CLASS_W-1:0] s_class;
    wire [TIME_W-1:0] s_last;
    wire [FRAME_W-1:0] expire_frame;
    wire [ASID_W-1:0] head_asid;
    wire [VPN_W-1:0]  head_vpn;
    wire [SEQ_W-1:0]  head_seq;
    wire [T2_W-1:0]   head_slot;
    wire effect   = granted && acts;
    wire s_fill   = effect && fill, s_free = effect && free, s_cancel = effect && cancel, s_ask = effect && ask;
    wire s_refused = effect && !fill && !free && !cancel && !ask;
    wire find_take = find_ready && grants, decide_take = decide_ok && grants, expire_take = expire_req && grants;
    wire d_done   = deciding && d_comes, s_expire = expiring && e_comes;
    wire claims   = d_done && d_claims, gives_up = d_done && d_give_up;
    always @(posedge clk) begin
        if (!offered && !granted && offers)
            {offered, find} <= {1'b1, any_asid, any_vpn};
        if (find_take)
            {offered, granted} <= 2'b01;
        if (effect)
            granted <= 1'b0;
        deciding <= decide_take || (deciding && !d_done);
        expiring <= expire_take || (expiring && !s_expire);
        aging    <= aging ? !age_done : ages;
        if (!aging)
            age_entry <= any_entry;
        if (rst)
            {offered, granted, deciding, expiring, aging} <= 5'd0;
    end
    gmmu_fault_queue #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE),
        .FRAME_W(FRAME_W), .T2_SLOTS(T2_SLOTS), .T2_W(T2_W), .PARITY(1), .IDX_W(IDX_W)
    ) dut (
        .clk(clk), .rst(rst), .clear(1'b0), .cleared(cleared), .cfg_frames(cfg_frames), .epoch_ends(epoch_ends), .flush(flush),
        .w_fault(w_fault), .w_asid(w_asid), .w_vpn(w_vpn), .w_class(w_class), .w_time(w_time), .w_write(w_write), .w_t2(w_t2), .w_slot(w_slot),
        .w_replay(w_replay), .w_full(w_full), .enter_valid(enter_valid), .enter_outcome(enter_outcome), .enter_entry(enter_entry),
        .find_req(offered), .find_asid(find[P_W-1 -: ASID_W]), .find_vpn(find[VPN_W-1:0]), .find_ready(find_ready), .find_take(find_take),
        .s_fill(s_fill), .s_free(s_free), .s_cancel(s_cancel), .s_ask(s_ask), .s_refused(s_refused), .s_frame(s_frame), .s_time(s_time),
        .s_t2(s_t2), .s_slot(s_slot), .s_force(s_force), .s_fresh(s_fresh), .s_else_class(s_else_class), .s_else_last(s_else_last),
        .s_left(s_left), .s_left_asid(s_left_asid), .s_left_vpn(s_left_vpn), .s_hit(s_hit), .s_decided(s_decided), .s_entry(s_entry),
        .s_full(s_full), .s_late(s_late), .s_class(s_class), .s_last(s_last), .s_dirty(s_dirty),
        .decide_req(decide_req), .decide_ok(decide_ok), .decide_take(decide_take), .d_done(d_done), .d_claims(d_claims), .d_give_up(d_give_up),
        .d_takes(d_takes), .d_frame(d_frame), .d_asid(d_asid), .d_vpn(d_vpn),
        .expire_req(expire_req), .expire_frame(expire_frame), .expire_take(expire_take), .s_expire(s_expire),
        .age_req(aging), .age_entry(age_entry), .age_time(age_time), .age_done(age_done), .age_clamped(age_clamped),
        .head_valid(head_valid), .head_entry(head_entry), .head_filled(head_filled), .head_asid(head_asid), .head_vpn(head_vpn),
        .head_seq(head_seq), .head_t2(head_t2), .head_slot(head_slot), .head_lost(head_lost), .head_force(head_force), .waiting(waiting), .busy(busy),
        .n_slot(n_slot), .s_named(s_named), .turned(turned), .forgot(forgot)
    );

    // ---- the golden page
    (* anyconst *) wire [P_W-1:0] page;
    reg  [1:0] holds;                    // the page is in frame 0, 1
    reg  [1:0] stays, counted;           // and arrived there, and did not leave; counted: no flush since
    reg  [1:0] age0, age1;               // FILLs since
    wire [P_W-1:0] left_page = {s_left_asid, s_left_vpn}, victim = {d_asid, d_vpn};
    wire here = find == page;
    always @* begin
        assume ({2'd0, fill} + cancel + ask <= 3'd1 && !(free && (cancel || ask)));
        assume (cfg_frames == 1 || cfg_frames == 2);
        assume (!(s_fill || s_free) || (s_left && left_page == page) == holds[s_frame]);
        assume (!(d_give_up && (d_claims || d_takes)));
        assume (!d_done || (waits == 0 ? !(d_claims || d_give_up) : d_claims || !d_takes)); // ahead of need there is but the victim
        assume (!(d_done && d_takes) || (victim == page) == holds[d_frame]);
        assume (!rst || !(flush || w_fault));
        assume (cleared || !(w_fault || offers || decide_req || ages)); // the unit is closed until then
        assume (!age_done || age_entry < FAULTS);
    end
    wire [1:0] filling = {s_frame, !s_frame} & {2{s_fill}};
    wire [1:0] emptied = {s_frame, !s_frame} & {2{s_fill || s_free}};
    wire [1:0] taken   = {d_frame, !d_frame} & {2{d_done && d_takes}};
    always @(posedge clk) begin
        holds   <= (holds & ~emptied) | (filling & {2{here}});
        stays   <= (stays & ~emptied & ~taken) | (filling & {2{here}});
        counted <= ((counted & ~emptied) | (filling & {2{here}})) & {2{!flush}};
        if (s_fill) begin
            age0 <= filling[0] ? 2'd0 : age0 == 2'd3 ? 2'd3 : age0 + 1'b1;
            age1 <= filling[1] ? 2'd0 : age1 == 2'd3 ? 2'd3 : age1 + 1'b1;
        end
        if (rst)
            {holds, stays, counted} <= 6'd0;
    end
    wire late = (stays[0] && counted[0] && age0 < LATE) || (stays[1] && counted[1] && age1 < LATE && cfg_frames == 2);

    // ---- the notes: which are of the page
    reg  [1:0] n;            // notes
    reg        is0, is1;     // the oldest, the next one is of the page
    reg  [1:0] what0, what1; // {replay, write}
    reg  [CLASS_W+TIME_W-1:0] acc0, acc1;
    wire       w_here = {w_asid, w_vpn} == page;
    wire       comes = w_fault && !w_full;
    wire [1:0] rest = n - enter_valid;
    always @(posedge clk) begin
        n <= rest + comes;
        if (enter_valid)
            {is0, what0, acc0} <= {is1, what1, acc1};
        if (comes && rest == 0)
            {is0, what0, acc0} <= {w_here, w_replay, w_write, w_class, w_time};
        if (comes && rest == 1)
            {is1, what1, acc1} <= {w_here, w_replay, w_write, w_class, w_time};
        if (rst)
            n <= 2'd0;
    end

    // ---- the fault of the page
    reg              has, decided, filled, dirty, forced, lost;
    reg  [IDX_W-1:0] at;
    reg  [CLASS_W+TIME_W-1:0] access;
    reg  [1:0]       used, waits, ahead; // faults, undecided ones, of these before it
    reg  [SEQ_W-1:0] number, numbers;
    wire new_enter = enter_valid && (enter_outcome == 3'd1 || enter_outcome == 3'd5);
    wire new_ask   = s_ask && !s_hit && !s_late && !s_full;
    wire begins    = (new_enter && is0) || (new_ask && here);
    wire h_here    = {head_asid, head_vpn} == page;
    wire pop       = claims || gives_up;
    wire ends      = (s_fill || s_cancel) && s_hit && s_decided;
    wire [TIME_W-1:0] its_age = age_time - access[TIME_W-1:0];
    always @(posedge clk) begin
        if (begins) begin
            has     <= 1'b1;
            decided <= 1'b0;
            filled  <= 1'b0;
            forced  <= s_ask && s_force;
            dirty   <= !s_ask && what0[0];
            lost    <= !s_ask && what0[1];
            at      <= s_ask ? s_entry : enter_entry;
            access  <= s_ask ? {s_else_class, s_else_last} : acc0;
            ahead   <= waits;
            number  <= numbers;
        end else begin
            if ((ends && here) || (gives_up && ahead == 0 && !decided))
                has <= 1'b0;
            if (claims && ahead == 0)
                decided <= 1'b1;
            if (pop)
                ahead <= ahead - 1'b1;
            if (s_fill && here)
                filled <= 1'b1;
            if (s_ask && here && s_force)
                forced <= 1'b1;
            if (enter_valid && is0 && has) begin
                dirty <= dirty || what0[0];
                if (!what0[1])
                    access <= acc0;
            end
            if (age_done && has && age_entry == at && its_age >= OLD)
                access[TIME_W-1:0] <= age_time - OLD;
        end
        used    <= used + (new_enter || new_ask) - (ends || gives_up);
        waits   <= waits + (new_enter || new_ask) - pop;
        numbers <= numbers + (new_enter || new_ask);
        if (rst) begin
            has     <= 1'b0;
            used    <= 2'd0;
            waits   <= 2'd0;
            numbers <= 0;
        end
    end
    wire undecided = has && !decided;

    reg here_since; // the answers are of the golden page, as the operation is
    always @*
        here_since = here && (granted || find_ready);
    always @* if (!rst) begin
        // The engine waits for one thing at a time, and only for what was asked of it.
        waits_for_one: assert ({2'd0, find_ready} + decide_ok + expire_req + age_done <= 3'd1 && (!find_ready || offered) && (!age_done || aging));
        // While it waits for an effect, nothing else takes place.
        alone: assert (!(granted || deciding || expiring) || !(enter_valid || find_ready || decide_ok || expire_req || age_done));
        // No word is corrupt, and no chain is broken.
        never_forgets: assert (!forgot);
        // From its begin to its end the page's fault is found, and at no other time; decided and dirty as golden, at its entry.
        found_until_end: assert (!here_since || (s_hit == has && s_decided == (has && decided) && s_dirty == (has && dirty) && (!has || s_entry == at)));
        // Its last access, or what is given instead.
        last_access: assert (!here_since || {s_class, s_last} == (has ? access : {{CLASS_W{1'b0}}, s_time}));
        // The page is late exactly while it arrived in an enabled frame and did not leave.
        late_right: assert (!here_since || s_late == (late && !has));
        // Full exactly when all entries are in use.
        full_right: assert (!(granted || find_ready) || s_full == (used == FAULTS));
        // A fault of the page joins its fault, and nothing else.
        joins: assert (!(enter_valid && is0) || (enter_outcome == 3'd2 || enter_outcome == 3'd4) == has);
        joins_its_entry: assert (!(enter_valid && is0 && has) || enter_entry == at);
        // A fault of a page that no enabled frame holds always gets a decision, if there is an entry.
        decided_if_away: assert (!(enter_valid && is0 && enter_outcome == 3'd6) || holds[0] || (holds[1] && cfg_frames == 2));
        late_enters: assert (!(enter_valid && is0) || (enter_outcome == 3'd6) == (late && !has));
        dropped_when_full: assert (!enter_valid || enter_outcome != 3'd3 || used == FAULTS);
        // Replays have outcomes of their own.
        replays: assert (!(enter_valid && is0) || what0[1] == (enter_outcome == 3'd4 || enter_outcome == 3'd5) || enter_outcome == 3'd3 ||
                         enter_outcome == 3'd6);
        // No more notes than places, and none from nothing.
        notes_right: assert (w_full == (rest == NOTES) && (!enter_valid || n != 0));
        // First in, first out, and numbered so.
        first_in_first_out: assert (!head_valid || h_here == (undecided && ahead == 0));
        numbered: assert (!(head_valid && h_here) || (head_seq == number && head_entry == at));
        head_right: assert (!(decide_ok && head_valid && h_here) || (head_filled == filled && head_force == forced && head_lost == lost));
        // DECIDE is of the oldest undecided fault, and ahead of need only without one.
        decides_right: assert (!decide_ok || head_valid == (waits != 0));
        waiting_right: assert (waiting == (n != 0 || waits != 0));
        // AGE clamps exactly what is so old.
        age_clamps: assert (!(age_done && has && age_entry == at) || age_clamped == (its_age >= OLD));
    end

endmodule
`default_nettype wire
