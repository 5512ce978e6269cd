// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_table: one golden frame, any frame, under any operations on both ports.
//
// The proof is plain induction. The other properties state: the present content of the frame's words (a write that has not reached
// the RAM counts), that each stage of both ports of the three RAMs has this content, the results of the early comparisons, and how
// the words belong to the golden frame.
//: ram ram_words
//: tdp ram_tdp_words
//: inductive
//: pdr 180 s
//: bmc3 30 frames 20 s
//: find 1 2 3 4 5 6 7 8 9 10 242 243 244 245 92:kept_stays 93:kept_stays 336:kept_stays
//: find 1110 1111 1112 1113 1114 1115 1116 1117 1118 1119 1120
`default_nettype none
module formal_frame_table #(
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1
) (
    input wire               clk,
    input wire [FRAME_W-1:0] w5_frame, s0_frame,
    input wire               w9_hit, w9_replay, w9_write,
    input wire [ASID_W-1:0]  w8_asid, s2_asid,
    input wire [VPN_W-1:0]   w8_vpn, s2_vpn,
    input wire [CLASS_W-1:0] w9_class, s3_class,
    input wire [TIME_W-1:0]  w8_time, s2_time, s2_expect, s3_last,
    input wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_unleave, s3_age, s3_expire, s3_take, s3_keep, s3_pass, s3_look, s3_dirty, s3_new,
                             s3_force
);

    // reset, then one clearing cycle a frame, then four cycles of rest
    reg [3:0] at = 4'd0;
    localparam START = 1 + FRAMES + 4;
    always @(posedge clk)
        if (at != START)
            at <= at + 1'b1;
    wire rst   = at == 0;
    wire clear = at >= 1 && at <= FRAMES;
    wire run   = at == START;
    wire [FRAME_W-1:0] clear_frame = at - 1'b1;

    wire               w9_bad, s3_bad, w9_match, s3_valid, s3_leaving, s3_fresh, s3_eligible, s3_recent, s3_taken, s3_clamped, s3_is_dirty;
    wire [CLASS_W-1:0] w10_was_class, s3_was_class;
    wire [TIME_W-1:0]  w10_interval, s3_interval, s3_was_last, s4_newlast;
    wire [ASID_W-1:0]  s3_was_asid;
    wire [VPN_W-1:0]   s3_was_vpn;
    gmmu_frame_table #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASS_W(CLASS_W), .FRAME_W(FRAME_W)
    ) dut (
        .clk(clk), .rst(rst), .clear(clear), .clear_frame(clear_frame), .w5_frame(w5_frame),
        .w9_hit(w9_hit), .w9_replay(w9_replay), .w8_asid(w8_asid), .w8_vpn(w8_vpn), .w9_class(w9_class), .w9_write(w9_write),
        .w8_time(w8_time), .w9_match(w9_match), .w10_was_class(w10_was_class), .w10_interval(w10_interval),
        .s0_frame(s0_frame), .s3_fill(s3_fill), .s3_free(s3_free), .s3_pin(s3_pin), .s3_unpin(s3_unpin),
        .s3_unleave(s3_unleave), .s3_age(s3_age), .s3_take(s3_take), .s3_keep(s3_keep), .s3_pass(s3_pass), .s3_recent(s3_recent),
        .s3_expire(s3_expire), .s3_force(s3_force), .s3_new(s3_new), .s3_fresh(s3_fresh), .s3_look(s3_look), .s3_bad(s3_bad), .w9_bad(w9_bad),
        .s2_asid(s2_asid), .s2_vpn(s2_vpn),
        .s3_class(s3_class), .s3_last(s3_last), .s3_dirty(s3_dirty), .s2_time(s2_time), .s2_expect(s2_expect),
        .s3_valid(s3_valid), .s3_leaving(s3_leaving), .s3_eligible(s3_eligible), .s3_taken(s3_taken),
        .s3_clamped(s3_clamped), .s3_is_dirty(s3_is_dirty), .s3_was_asid(s3_was_asid),
        .s3_was_vpn(s3_was_vpn), .s3_was_class(s3_was_class), .s3_was_last(s3_was_last),
        .s3_interval(s3_interval), .s4_newlast(s4_newlast)
    );

    wire any = s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_age || s3_expire || s3_take || s3_pass;
    always @* begin
        assume ({3'd0, s3_fill} + s3_free + s3_pin + s3_unpin + s3_unleave + s3_age + s3_expire + s3_take + s3_pass <= 4'd1);
        assume (run || !(any || s3_look || w9_hit));
    end

    // in the fourth cycle after the address of a FILL or an AGE is none of another operation
    reg [3:0] lost = 4'd0; // FILL or AGE stood at s3 one to four cycles ago
    always @(posedge clk)
        lost <= {lost[2:0], s3_fill || s3_age};
    always @* assume (!(lost[3] && (any || s3_look)) && !(lost[0] && (s3_take || s3_age))); // and no TAKE, no AGE right behind

    (* anyconst *) wire [FRAME_W-1:0] here;
    reg s1_here, s2_here, s3_here, w6_here, w7_here, w8_here, w9_here;
    // what came at stage 2
    reg [ASID_W-1:0]  s3_asid, w9_asid;
    reg [VPN_W-1:0]   s3_vpn, w9_vpn;
    reg [TIME_W-1:0]  s3_time, s3_expect, w9_time;
    always @(posedge clk) begin
        s1_here <= s0_frame == here;
        s2_here <= s1_here;
        s3_here <= s2_here;
        w6_here <= w5_frame == here;
        w7_here <= w6_here;
        w8_here <= w7_here;
        w9_here <= w8_here;
        {s3_asid, s3_vpn, s3_time, s3_expect} <= {s2_asid, s2_vpn, s2_time, s2_expect};
        {w9_asid, w9_vpn, w9_time} <= {w8_asid, w8_vpn, w8_time};
    end

    // the golden frame; `n_`: after the side operation of this cycle
    reg               valid, pinned, leaving, dirty, n_valid, n_pinned, n_leaving, n_dirty;
    reg               fresh, n_fresh;
    reg               recent, n_recent; // hit, or kept, since it was filled or passed
    reg [CLASS_W-1:0] class, n_class;
    reg [TIME_W-1:0]  last, n_last;
    reg [ASID_W-1:0]  asid, n_asid;
    reg [VPN_W-1:0]   vpn, n_vpn;
    localparam [TIME_W-1:0] OLD = 1 << (TIME_W - 2);
    wire [TIME_W-1:0] s_age = s3_time - last;
    wire [TIME_W-1:0] w_age = w9_time - n_last;
    wire eligible = valid && !pinned && !leaving && (!fresh || s3_force);
    wire clamped  = s3_age && valid && s_age >= OLD;
    wire taken    = s3_take && eligible && last == s3_expect;
    wire match    = w9_hit && n_valid && n_asid == w9_asid && n_vpn == w9_vpn;
    always @* begin
        {n_valid, n_pinned, n_leaving, n_dirty} = {valid, pinned, leaving, dirty};
        {n_class, n_last, n_asid, n_vpn} = {class, last, asid, vpn};
        n_fresh  = fresh && !(s3_here && (s3_free || s3_expire || (taken && !s3_keep)));
        n_recent = recent && !(s3_here && (s3_fill || (s3_pass && eligible)));
        if (s3_here) begin
            if (s3_fill) begin
                {n_valid, n_pinned, n_leaving, n_dirty} = {3'b100, s3_dirty};
                {n_class, n_last, n_asid, n_vpn} = {s3_class, s3_last, s3_asid, s3_vpn};
                n_fresh = s3_new;
            end
            if (s3_free)
                {n_valid, n_pinned, n_leaving} = 3'b000;
            if (s3_pin)
                n_pinned = valid;
            if (s3_unpin)
                n_pinned = 1'b0;
            if (s3_unleave)
                n_leaving = 1'b0;
            if (taken && !s3_keep)
                n_leaving = 1'b1;
            if (taken && s3_keep)
                n_recent = 1'b1;
            if (clamped)
                n_last = s3_time - OLD;
        end
    end
    always @(posedge clk) begin
        {valid, pinned, leaving, dirty} <= {n_valid, n_pinned, n_leaving, n_dirty};
        {class, last, asid, vpn} <= {n_class, n_last, n_asid, n_vpn};
        recent <= n_recent || (w9_here && match && !w9_replay);
        fresh  <= n_fresh && !(w9_here && match);
        if (w9_here && match)
            dirty <= n_dirty || w9_write;
        if (w9_here && match && !w9_replay) begin
            class <= w9_class;
            last  <= w9_time;
        end
        if (!run)
            {valid, pinned, leaving, fresh} <= 4'b0000;
    end

    // it was kept, and nothing but walks and AGE came to it since
    reg kept;
    always @(posedge clk)
        kept <= run && ((s3_here && taken && s3_keep) || (kept && !(s3_here && any && !s3_age && !(s3_take && !taken))));

    wire s = run && s3_here;
    wire w = run && w9_here;
    reg              w10_told = 1'b0;
    reg [TIME_W-1:0] w10_age;
    reg [CLASS_W-1:0] w10_class;
    always @(posedge clk)
        {w10_told, w10_age, w10_class} <= {w && match && !w9_replay, w_age, n_class};
    always @* begin
        // TAKE only of a frame that is valid, not pinned, not leaving and not accessed since.
        take_only_eligible: assert (!s || s3_taken == taken);
        // A fresh frame is taken or kept by force alone.
        fresh_stays: assert (!(s && fresh && !s3_force) || !s3_taken);
        // The side port sees valid, leaving, eligible, and fresh while it is not pinned, as golden.
        side_state: assert (!s || (s3_valid == valid && s3_leaving == leaving && (lost[3] || (s3_eligible == eligible && s3_fresh == (fresh && !pinned)))));
        // No word of the frame is said to be bad.
        no_alarm: assert (!(s && s3_bad) && !(w && w9_bad));
        // The side port sees the page of a valid frame, its class, last access and dirty bit as golden.
        side_page: assert (!(s && valid) || lost[3] || (s3_was_asid == asid && s3_was_vpn == vpn && s3_was_class == class &&
                                             s3_was_last == last && s3_is_dirty == dirty));
        // A valid frame was hit, or kept, since it was filled or passed exactly if the marks say so, whatever AGE does.
        side_recent: assert (!(s && valid) || s3_recent == recent);
        // A page that was kept is there, may leave another time, by force if it is still fresh, and counts as hit.
        kept_stays: assert (!(s && kept) || (s3_valid && !s3_leaving && (lost[3] || s3_eligible || s3_fresh) && s3_recent));
        // AGE clamps exactly the ages of a quarter of the range and more.
        age_clamps: assert (!s || s3_clamped == clamped);
        // A walk hit or a replay matches exactly where the frame holds the page after the side operation of its cycle.
        walk_match: assert (!w || w9_match == match);
        // Then, a cycle later, of a walk hit, class and interval are those of the access before.
        walk_class: assert (!w10_told || w10_was_class == w10_class);
        walk_interval: assert (!w10_told || w10_interval == w10_age);
    end

    // ======== the words
    localparam NAME_W = ASID_W + VPN_W, STATE_W = 7, PAGE_W = CLASS_W + TIME_W + NAME_W, USE_W = 1 + CLASS_W + TIME_W, SEEN_W = 3;
    (* hierconn *) wire               \dut.state_ram.w_we , \dut.state_ram.v_we , \dut.state_ram.u_we , \dut.state_ram.w_poison , \dut.state_ram.v_poison ,
        \dut.state_ram.u_poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.state_ram.w_addr , \dut.state_ram.v_addr , \dut.state_ram.a3_addr ;
    (* hierconn *) wire [STATE_W-1:0] \dut.state_ram.w_d , \dut.state_ram.v_d , \dut.state_ram.u_d , \dut.state_ram.genblk1.g_parity.w_other ;
    (* hierconn *) wire [STATE_W:0]   \dut.state_ram.a_ram , \dut.state_ram.b_ram , \dut.state_ram.port_a.ram , \dut.state_ram.port_b.ram ;
    (* hierconn *) wire [(STATE_W+1)*FRAMES-1:0] \dut.state_ram.g_own.ram_a.words , \dut.state_ram.g_own.ram_b.words ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.state_ram.port_a.p1_addr , \dut.state_ram.port_a.q2_addr ;
    (* hierconn *) wire [STATE_W-1:0] \dut.state_ram.port_a.p3_word , \dut.state_ram.port_a.g_late.write ;
    (* hierconn *) wire               \dut.state_ram.port_a.p3_odd , \dut.state_ram.port_a.same_2 , \dut.state_ram.port_a.same_3 ,
        \dut.state_ram.port_a.g_late.given , \dut.state_ram.port_a.g_late.poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.state_ram.port_b.p1_addr , \dut.state_ram.port_b.q2_addr , \dut.state_ram.port_b.g_early.addr ;
    (* hierconn *) wire [STATE_W-1:0] \dut.state_ram.port_b.p3_word , \dut.state_ram.port_b.g_early.word ;
    (* hierconn *) wire               \dut.state_ram.port_b.p3_odd , \dut.state_ram.port_b.same_2 , \dut.state_ram.port_b.same_3 ,
        \dut.state_ram.port_b.g_early.same_w , \dut.state_ram.port_b.g_early.same_v , \dut.state_ram.port_b.g_early.same_u ,
        \dut.state_ram.port_b.g_early.odd ;
    (* hierconn *) wire               \dut.page_ram.w_we , \dut.page_ram.v_we , \dut.page_ram.u_we , \dut.page_ram.w_poison , \dut.page_ram.v_poison ,
        \dut.page_ram.u_poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.page_ram.w_addr , \dut.page_ram.v_addr , \dut.page_ram.a3_addr ;
    (* hierconn *) wire [PAGE_W-1:0] \dut.page_ram.w_d , \dut.page_ram.v_d , \dut.page_ram.u_d , \dut.page_ram.genblk1.g_parity.w_other ;
    (* hierconn *) wire [PAGE_W:0]   \dut.page_ram.a_ram , \dut.page_ram.b_ram , \dut.page_ram.port_a.ram , \dut.page_ram.port_b.ram ;
    (* hierconn *) wire [(PAGE_W+1)*FRAMES-1:0] \dut.page_ram.g_shared.ram.words ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.page_ram.port_a.p1_addr , \dut.page_ram.port_a.q2_addr ;
    (* hierconn *) wire [PAGE_W-1:0] \dut.page_ram.port_a.p3_word , \dut.page_ram.port_a.g_late.write ;
    (* hierconn *) wire               \dut.page_ram.port_a.p3_odd , \dut.page_ram.port_a.same_2 , \dut.page_ram.port_a.same_3 ,
        \dut.page_ram.port_a.g_late.given , \dut.page_ram.port_a.g_late.poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.page_ram.port_b.p1_addr , \dut.page_ram.port_b.q2_addr , \dut.page_ram.port_b.g_early.addr ;
    (* hierconn *) wire [PAGE_W-1:0] \dut.page_ram.port_b.p3_word , \dut.page_ram.port_b.g_early.word ;
    (* hierconn *) wire               \dut.page_ram.port_b.p3_odd , \dut.page_ram.port_b.same_2 , \dut.page_ram.port_b.same_3 ,
        \dut.page_ram.port_b.g_early.same_w , \dut.page_ram.port_b.g_early.same_v , \dut.page_ram.port_b.g_early.same_u , \dut.page_ram.port_b.g_early.odd ;
    (* hierconn *) wire               \dut.use_ram.w_we , \dut.use_ram.v_we , \dut.use_ram.u_we , \dut.use_ram.w_poison , \dut.use_ram.v_poison ,
        \dut.use_ram.u_poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.use_ram.w_addr , \dut.use_ram.v_addr , \dut.use_ram.a3_addr ;
    (* hierconn *) wire [USE_W-1:0] \dut.use_ram.w_d , \dut.use_ram.v_d , \dut.use_ram.u_d , \dut.use_ram.genblk1.g_parity.w_other ;
    (* hierconn *) wire [USE_W:0]   \dut.use_ram.a_ram , \dut.use_ram.b_ram , \dut.use_ram.port_a.ram , \dut.use_ram.port_b.ram ;
    (* hierconn *) wire [(USE_W+1)*FRAMES-1:0] \dut.use_ram.g_own.ram_a.words , \dut.use_ram.g_own.ram_b.words ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.use_ram.port_a.p1_addr , \dut.use_ram.port_a.q2_addr , \dut.use_ram.port_a.g_early.addr ;
    (* hierconn *) wire [USE_W-1:0] \dut.use_ram.port_a.p3_word , \dut.use_ram.port_a.g_early.word ;
    (* hierconn *) wire               \dut.use_ram.port_a.p3_odd , \dut.use_ram.port_a.same_2 , \dut.use_ram.port_a.same_3 ,
        \dut.use_ram.port_a.g_early.same_w , \dut.use_ram.port_a.g_early.same_v , \dut.use_ram.port_a.g_early.same_u , \dut.use_ram.port_a.g_early.odd ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.use_ram.port_b.p1_addr , \dut.use_ram.port_b.q2_addr ;
    (* hierconn *) wire [USE_W-1:0] \dut.use_ram.port_b.p3_word , \dut.use_ram.port_b.g_late.write ;
    (* hierconn *) wire               \dut.use_ram.port_b.p3_odd , \dut.use_ram.port_b.same_2 , \dut.use_ram.port_b.same_3 ,
        \dut.use_ram.port_b.g_late.given , \dut.use_ram.port_b.g_late.poison ;
    (* hierconn *) wire               \dut.seen_ram.w_we , \dut.seen_ram.v_we , \dut.seen_ram.u_we , \dut.seen_ram.w_poison , \dut.seen_ram.v_poison ,
        \dut.seen_ram.u_poison ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.seen_ram.w_addr , \dut.seen_ram.v_addr , \dut.seen_ram.a3_addr ;
    (* hierconn *) wire [SEEN_W-1:0] \dut.seen_ram.w_d , \dut.seen_ram.v_d , \dut.seen_ram.u_d , \dut.seen_ram.genblk1.g_parity.w_other ;
    (* hierconn *) wire [SEEN_W:0]   \dut.seen_ram.a_ram , \dut.seen_ram.b_ram , \dut.seen_ram.port_a.ram , \dut.seen_ram.port_b.ram ;
    (* hierconn *) wire [(SEEN_W+1)*FRAMES-1:0] \dut.seen_ram.g_own.ram_a.words , \dut.seen_ram.g_own.ram_b.words ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.seen_ram.port_a.p1_addr , \dut.seen_ram.port_a.q2_addr , \dut.seen_ram.port_a.g_early.addr ;
    (* hierconn *) wire [SEEN_W-1:0] \dut.seen_ram.port_a.p3_word , \dut.seen_ram.port_a.g_early.word ;
    (* hierconn *) wire               \dut.seen_ram.port_a.p3_odd , \dut.seen_ram.port_a.same_2 , \dut.seen_ram.port_a.same_3 ,
        \dut.seen_ram.port_a.g_early.same_w , \dut.seen_ram.port_a.g_early.same_v , \dut.seen_ram.port_a.g_early.same_u , \dut.seen_ram.port_a.g_early.odd ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.seen_ram.port_b.p1_addr , \dut.seen_ram.port_b.q2_addr ;
    (* hierconn *) wire [SEEN_W-1:0] \dut.seen_ram.port_b.p3_word , \dut.seen_ram.port_b.g_late.write ;
    (* hierconn *) wire               \dut.seen_ram.port_b.p3_odd , \dut.seen_ram.port_b.same_2 , \dut.seen_ram.port_b.same_3 ,
        \dut.seen_ram.port_b.g_late.given , \dut.seen_ram.port_b.g_late.poison ;
    reg  [FRAME_W-1:0] state_u, state_b3; // addresses: of the write before v, of port B's stage 3
    always @(posedge clk)
        {state_u, state_b3} <= {\dut.state_ram.v_addr , \dut.state_ram.port_b.q2_addr };
    wire [STATE_W:0] state_a, state_a_kept = \dut.state_ram.g_own.ram_a.words [here*(STATE_W+1) +: STATE_W+1]; // {whether it turned bad, word}
    assign state_a = \dut.state_ram.w_we && \dut.state_ram.w_addr == here ? {\dut.state_ram.w_poison , \dut.state_ram.w_d } : {^state_a_kept,
        state_a_kept[STATE_W-1:0]};
    wire state_a_ok;
    formal_frame_table_port #(.WIDTH(STATE_W), .FRAME_W(FRAME_W), .EARLY(0)) state_a_stages (
        .at(at), .here(here), .now(state_a), .w_we(\dut.state_ram.w_we ), .v_we(\dut.state_ram.v_we ), .u_we(\dut.state_ram.u_we ),
            .w({\dut.state_ram.w_poison , \dut.state_ram.w_d }), .v({\dut.state_ram.v_poison , \dut.state_ram.v_d }),
        .u({\dut.state_ram.u_poison , \dut.state_ram.u_d }), .w_addr(\dut.state_ram.w_addr ), .v_addr(\dut.state_ram.v_addr ), .u_addr(state_u),
            .in_ram(\dut.state_ram.a_ram ), .ram(\dut.state_ram.port_a.ram ),
        .addr(here), .p1_addr(\dut.state_ram.port_a.p1_addr ), .p2_addr(\dut.state_ram.port_a.q2_addr ), .p3_addr(\dut.state_ram.a3_addr ), .same(3'd0),
            .same_2(\dut.state_ram.port_a.same_2 ), .same_3(\dut.state_ram.port_a.same_3 ),
        .given(\dut.state_ram.port_a.g_late.given ), .word({\dut.state_ram.port_a.g_late.poison , \dut.state_ram.port_a.g_late.write }),
            .p3_word({\dut.state_ram.port_a.p3_odd , \dut.state_ram.port_a.p3_word }), .lost(3'd0), .ok(state_a_ok)
    );
    wire [STATE_W:0] state_b, state_b_kept = \dut.state_ram.g_own.ram_b.words [here*(STATE_W+1) +: STATE_W+1]; // {whether it turned bad, word}
    assign state_b = \dut.state_ram.w_we && \dut.state_ram.w_addr == here ? {\dut.state_ram.w_poison , \dut.state_ram.w_d } : {^state_b_kept,
        state_b_kept[STATE_W-1:0]};
    wire state_b_ok;
    formal_frame_table_port #(.WIDTH(STATE_W), .FRAME_W(FRAME_W), .EARLY(1)) state_b_stages (
        .at(at), .here(here), .now(state_b), .w_we(\dut.state_ram.w_we ), .v_we(\dut.state_ram.v_we ), .u_we(\dut.state_ram.u_we ),
            .w({\dut.state_ram.w_poison , \dut.state_ram.w_d }), .v({\dut.state_ram.v_poison , \dut.state_ram.v_d }),
        .u({\dut.state_ram.u_poison , \dut.state_ram.u_d }), .w_addr(\dut.state_ram.w_addr ), .v_addr(\dut.state_ram.v_addr ), .u_addr(state_u),
            .in_ram(\dut.state_ram.b_ram ), .ram(\dut.state_ram.port_b.ram ),
        .addr(\dut.state_ram.port_b.g_early.addr ), .p1_addr(\dut.state_ram.port_b.p1_addr ), .p2_addr(\dut.state_ram.port_b.q2_addr ),
            .p3_addr(state_b3), .same({\dut.state_ram.port_b.g_early.same_w , \dut.state_ram.port_b.g_early.same_v ,
            \dut.state_ram.port_b.g_early.same_u }), .same_2(\dut.state_ram.port_b.same_2 ), .same_3(\dut.state_ram.port_b.same_3 ),
        .given(1'b0), .word({\dut.state_ram.port_b.g_early.odd , \dut.state_ram.port_b.g_early.word }),
            .p3_word({\dut.state_ram.port_b.p3_odd , \dut.state_ram.port_b.p3_word }), .lost(3'd0), .ok(state_b_ok)
    );
    reg  [FRAME_W-1:0] page_u, page_b3; // addresses: of the write before v, of port B's stage 3
    always @(posedge clk)
        {page_u, page_b3} <= {\dut.page_ram.v_addr , \dut.page_ram.port_b.q2_addr };
    reg  page_x; // so long ago it was written that what was read in that cycle is at stage 3
    always @(posedge clk)
        page_x <= \dut.page_ram.u_we ;
    wire [PAGE_W:0] page_a, page_a_kept = \dut.page_ram.g_shared.ram.words [here*(PAGE_W+1) +: PAGE_W+1]; // {whether it turned bad, word}
    assign page_a = \dut.page_ram.w_we && \dut.page_ram.w_addr == here ? {\dut.page_ram.w_poison , \dut.page_ram.w_d } : {^page_a_kept,
        page_a_kept[PAGE_W-1:0]};
    wire page_a_ok;
    formal_frame_table_port #(.WIDTH(PAGE_W), .FRAME_W(FRAME_W), .EARLY(0)) page_a_stages (
        .at(at), .here(here), .now(page_a), .w_we(\dut.page_ram.w_we ), .v_we(\dut.page_ram.v_we ), .u_we(\dut.page_ram.u_we ),
            .w({\dut.page_ram.w_poison , \dut.page_ram.w_d }), .v({\dut.page_ram.v_poison , \dut.page_ram.v_d }),
        .u({\dut.page_ram.u_poison , \dut.page_ram.u_d }), .w_addr(\dut.page_ram.w_addr ), .v_addr(\dut.page_ram.v_addr ), .u_addr(page_u),
            .in_ram(\dut.page_ram.a_ram ), .ram(\dut.page_ram.port_a.ram ),
        .addr(here), .p1_addr(\dut.page_ram.port_a.p1_addr ), .p2_addr(\dut.page_ram.port_a.q2_addr ), .p3_addr(\dut.page_ram.a3_addr ), .same(3'd0),
            .same_2(\dut.page_ram.port_a.same_2 ), .same_3(\dut.page_ram.port_a.same_3 ),
        .given(\dut.page_ram.port_a.g_late.given ), .word({\dut.page_ram.port_a.g_late.poison , \dut.page_ram.port_a.g_late.write }),
            .p3_word({\dut.page_ram.port_a.p3_odd , \dut.page_ram.port_a.p3_word }), .lost({\dut.page_ram.v_we , \dut.page_ram.u_we , page_x}), .ok(page_a_ok)
    );
    wire [PAGE_W:0] page_b, page_b_kept = \dut.page_ram.g_shared.ram.words [here*(PAGE_W+1) +: PAGE_W+1]; // {whether it turned bad, word}
    assign page_b = \dut.page_ram.w_we && \dut.page_ram.w_addr == here ? {\dut.page_ram.w_poison , \dut.page_ram.w_d } : {^page_b_kept,
        page_b_kept[PAGE_W-1:0]};
    wire page_b_ok;
    formal_frame_table_port #(.WIDTH(PAGE_W), .FRAME_W(FRAME_W), .EARLY(1)) page_b_stages (
        .at(at), .here(here), .now(page_b), .w_we(\dut.page_ram.w_we ), .v_we(\dut.page_ram.v_we ), .u_we(\dut.page_ram.u_we ),
            .w({\dut.page_ram.w_poison , \dut.page_ram.w_d }), .v({\dut.page_ram.v_poison , \dut.page_ram.v_d }),
        .u({\dut.page_ram.u_poison , \dut.page_ram.u_d }), .w_addr(\dut.page_ram.w_addr ), .v_addr(\dut.page_ram.v_addr ), .u_addr(page_u),
            .in_ram(\dut.page_ram.b_ram ), .ram(\dut.page_ram.port_b.ram ),
        .addr(\dut.page_ram.port_b.g_early.addr ), .p1_addr(\dut.page_ram.port_b.p1_addr ), .p2_addr(\dut.page_ram.port_b.q2_addr ), .p3_addr(page_b3),
            .same({\dut.page_ram.port_b.g_early.same_w , \dut.page_ram.port_b.g_early.same_v , \dut.page_ram.port_b.g_early.same_u }),
            .same_2(\dut.page_ram.port_b.same_2 ), .same_3(\dut.page_ram.port_b.same_3 ),
        .given(1'b0), .word({\dut.page_ram.port_b.g_early.odd , \dut.page_ram.port_b.g_early.word }),
            .p3_word({\dut.page_ram.port_b.p3_odd , \dut.page_ram.port_b.p3_word }), .lost(3'd0), .ok(page_b_ok)
    );
    reg  [FRAME_W-1:0] use_u, use_b3; // addresses: of the write before v, of port B's stage 3
    always @(posedge clk)
        {use_u, use_b3} <= {\dut.use_ram.v_addr , \dut.use_ram.port_b.q2_addr };
    wire [USE_W:0] use_a, use_a_kept = \dut.use_ram.g_own.ram_a.words [here*(USE_W+1) +: USE_W+1]; // {whether it turned bad, word}
    assign use_a = \dut.use_ram.w_we && \dut.use_ram.w_addr == here ? {\dut.use_ram.w_poison , \dut.use_ram.w_d } : {^use_a_kept, use_a_kept[USE_W-1:0]};
    wire use_a_ok;
    formal_frame_table_port #(.WIDTH(USE_W), .FRAME_W(FRAME_W), .EARLY(1)) use_a_stages (
        .at(at), .here(here), .now(use_a), .w_we(\dut.use_ram.w_we ), .v_we(\dut.use_ram.v_we ), .u_we(\dut.use_ram.u_we ),
            .w({\dut.use_ram.w_poison , \dut.use_ram.w_d }), .v({\dut.use_ram.v_poison , \dut.use_ram.v_d }),
        .u({\dut.use_ram.u_poison , \dut.use_ram.u_d }), .w_addr(\dut.use_ram.w_addr ), .v_addr(\dut.use_ram.v_addr ), .u_addr(use_u),
            .in_ram(\dut.use_ram.a_ram ), .ram(\dut.use_ram.port_a.ram ),
        .addr(\dut.use_ram.port_a.g_early.addr ), .p1_addr(\dut.use_ram.port_a.p1_addr ), .p2_addr(\dut.use_ram.port_a.q2_addr ),
            .p3_addr(\dut.use_ram.a3_addr ),
            .same({\dut.use_ram.port_a.g_early.same_w , \dut.use_ram.port_a.g_early.same_v , \dut.use_ram.port_a.g_early.same_u }),
            .same_2(\dut.use_ram.port_a.same_2 ), .same_3(\dut.use_ram.port_a.same_3 ),
        .given(1'b0), .word({\dut.use_ram.port_a.g_early.odd , \dut.use_ram.port_a.g_early.word }),
            .p3_word({\dut.use_ram.port_a.p3_odd , \dut.use_ram.port_a.p3_word }), .lost(3'd0), .ok(use_a_ok)
    );
    wire [USE_W:0] use_b, use_b_kept = \dut.use_ram.g_own.ram_b.words [here*(USE_W+1) +: USE_W+1]; // {whether it turned bad, word}
    assign use_b = \dut.use_ram.w_we && \dut.use_ram.w_addr == here ? {\dut.use_ram.w_poison , \dut.use_ram.w_d } : {^use_b_kept, use_b_kept[USE_W-1:0]};
    wire use_b_ok;
    formal_frame_table_port #(.WIDTH(USE_W), .FRAME_W(FRAME_W), .EARLY(0)) use_b_stages (
        .at(at), .here(here), .now(use_b), .w_we(\dut.use_ram.w_we ), .v_we(\dut.use_ram.v_we ), .u_we(\dut.use_ram.u_we ),
            .w({\dut.use_ram.w_poison , \dut.use_ram.w_d }), .v({\dut.use_ram.v_poison , \dut.use_ram.v_d }),
        .u({\dut.use_ram.u_poison , \dut.use_ram.u_d }), .w_addr(\dut.use_ram.w_addr ), .v_addr(\dut.use_ram.v_addr ), .u_addr(use_u),
            .in_ram(\dut.use_ram.b_ram ), .ram(\dut.use_ram.port_b.ram ),
        .addr(here), .p1_addr(\dut.use_ram.port_b.p1_addr ), .p2_addr(\dut.use_ram.port_b.q2_addr ), .p3_addr(use_b3), .same(3'd0),
            .same_2(\dut.use_ram.port_b.same_2 ), .same_3(\dut.use_ram.port_b.same_3 ),
        .given(\dut.use_ram.port_b.g_late.given ), .word({\dut.use_ram.port_b.g_late.poison , \dut.use_ram.port_b.g_late.write }),
            .p3_word({\dut.use_ram.port_b.p3_odd , \dut.use_ram.port_b.p3_word }), .lost(3'd0), .ok(use_b_ok)
    );
    reg  [FRAME_W-1:0] seen_u, seen_b3; // addresses: of the write before v, of port B's stage 3
    always @(posedge clk)
        {seen_u, seen_b3} <= {\dut.seen_ram.v_addr , \dut.seen_ram.port_b.q2_addr };
    wire [SEEN_W:0] seen_a, seen_a_kept = \dut.seen_ram.g_own.ram_a.words [here*(SEEN_W+1) +: SEEN_W+1]; // {whether it turned bad, word}
    assign seen_a = \dut.seen_ram.w_we && \dut.seen_ram.w_addr == here ? {\dut.seen_ram.w_poison , \dut.seen_ram.w_d } : {^seen_a_kept,
        seen_a_kept[SEEN_W-1:0]};
    wire seen_a_ok;
    formal_frame_table_port #(.WIDTH(SEEN_W), .FRAME_W(FRAME_W), .EARLY(1)) seen_a_stages (
        .at(at), .here(here), .now(seen_a), .w_we(\dut.seen_ram.w_we ), .v_we(\dut.seen_ram.v_we ), .u_we(\dut.seen_ram.u_we ),
            .w({\dut.seen_ram.w_poison , \dut.seen_ram.w_d }), .v({\dut.seen_ram.v_poison , \dut.seen_ram.v_d }),
        .u({\dut.seen_ram.u_poison , \dut.seen_ram.u_d }), .w_addr(\dut.seen_ram.w_addr ), .v_addr(\dut.seen_ram.v_addr ), .u_addr(seen_u),
            .in_ram(\dut.seen_ram.a_ram ), .ram(\dut.seen_ram.port_a.ram ),
        .addr(\dut.seen_ram.port_a.g_early.addr ), .p1_addr(\dut.seen_ram.port_a.p1_addr ), .p2_addr(\dut.seen_ram.port_a.q2_addr ),
            .p3_addr(\dut.seen_ram.a3_addr ),
            .same({\dut.seen_ram.port_a.g_early.same_w , \dut.seen_ram.port_a.g_early.same_v , \dut.seen_ram.port_a.g_early.same_u }),
            .same_2(\dut.seen_ram.port_a.same_2 ), .same_3(\dut.seen_ram.port_a.same_3 ),
        .given(1'b0), .word({\dut.seen_ram.port_a.g_early.odd , \dut.seen_ram.port_a.g_early.word }),
            .p3_word({\dut.seen_ram.port_a.p3_odd , \dut.seen_ram.port_a.p3_word }), .lost(3'd0), .ok(seen_a_ok)
    );
    wire [SEEN_W:0] seen_b, seen_b_kept = \dut.seen_ram.g_own.ram_b.words [here*(SEEN_W+1) +: SEEN_W+1]; // {whether it turned bad, word}
    assign seen_b = \dut.seen_ram.w_we && \dut.seen_ram.w_addr == here ? {\dut.seen_ram.w_poison , \dut.seen_ram.w_d } : {^seen_b_kept,
        seen_b_kept[SEEN_W-1:0]};
    wire seen_b_ok;
    formal_frame_table_port #(.WIDTH(SEEN_W), .FRAME_W(FRAME_W), .EARLY(0)) seen_b_stages (
        .at(at), .here(here), .now(seen_b), .w_we(\dut.seen_ram.w_we ), .v_we(\dut.seen_ram.v_we ), .u_we(\dut.seen_ram.u_we ),
            .w({\dut.seen_ram.w_poison , \dut.seen_ram.w_d }), .v({\dut.seen_ram.v_poison , \dut.seen_ram.v_d }),
        .u({\dut.seen_ram.u_poison , \dut.seen_ram.u_d }), .w_addr(\dut.seen_ram.w_addr ), .v_addr(\dut.seen_ram.v_addr ), .u_addr(seen_u),
            .in_ram(\dut.seen_ram.b_ram ), .ram(\dut.seen_ram.port_b.ram ),
        .addr(here), .p1_addr(\dut.seen_ram.port_b.p1_addr ), .p2_addr(\dut.seen_ram.port_b.q2_addr ), .p3_addr(seen_b3), .same(3'd0),
            .same_2(\dut.seen_ram.port_b.same_2 ), .same_3(\dut.seen_ram.port_b.same_3 ),
        .given(\dut.seen_ram.port_b.g_late.given ), .word({\dut.seen_ram.port_b.g_late.poison , \dut.seen_ram.port_b.g_late.write }),
            .p3_word({\dut.seen_ram.port_b.p3_odd , \dut.seen_ram.port_b.p3_word }), .lost(3'd0), .ok(seen_b_ok)
    );

    wire [STATE_W:0]   gs = state_a;
    wire [PAGE_W:0]    gp = page_a;
    wire [USE_W:0]     gu = use_a;
    wire [SEEN_W:0]    gn = seen_a;
    wire               used = gu[USE_W-1] == gs[2]; // the stamps agree
    wire               met  = gn[2] == gs[1];       // the bits `seen` agree
    wire [TIME_W-1:0]  use_last = gu[TIME_W-1:0], page_last = gp[NAME_W +: TIME_W], its_last = used ? use_last : page_last;
    wire [CLASS_W-1:0] its_class = used ? gu[TIME_W +: CLASS_W] : gp[NAME_W + TIME_W +: CLASS_W];

    // ======== addresses, and clearing
    reg  [FRAME_W-1:0] s1f, s2f, s3f, w6f, w7f, w8f, w9f;
    always @(posedge clk) begin
        {s1f, s2f, s3f} <= {s0_frame, s1f, s2f};
        {w6f, w7f, w8f, w9f} <= {w5_frame, w6f, w7f, w8f};
    end
    (* hierconn *) wire \dut.clear1 , \dut.clear2 , \dut.clear3 , \dut.clear4 , \dut.clash2 , \dut.clash3 , \dut.filled ;
    (* hierconn *) wire [FRAME_W-1:0] \dut.a_side1 , \dut.a_walk6 , \dut.a_walk7 ;
    wire [FRAME_W-1:0] c2 = at - 2, c3 = at - 3, c4 = at - 4, c5 = at - 5; // what is cleared at these stages
    // ======== compared ahead
    (* hierconn *) wire \dut.w9_agrees , \dut.s3_eq_p , \dut.s3_eq_u , \dut.s3_eq_w , \dut.w9_name_now , \dut.s3_used , \dut.s3_is_old ,
                        \dut.s3_expected , \dut.was_used , \dut.w9_named , \dut.su3_fwd , \dut.sp3_fwd , \dut.wu9_fwd , \dut.wp9_fwd , \dut.w9_name_s ;
    (* hierconn *) wire [TIME_W-1:0] \dut.s3_old , \dut.s3_time , \dut.w9_time , \dut.w9_age_old , \dut.s3_age_w , \dut.s3_age_u , \dut.s3_age_p ,
                        \dut.w9_age_w , \dut.w9_age_u , \dut.w9_age_p , \dut.w9_age_s ;
    (* hierconn *) wire [NAME_W-1:0] \dut.s3_name ;
    wire [TIME_W-1:0] w9_found = \dut.wu9_fwd ? \dut.w9_age_w : \dut.wp9_fwd ? \dut.w9_age_s : \dut.w9_agrees ? \dut.w9_age_u : \dut.w9_age_p ;
    wire [TIME_W-1:0] s3_its_age = s3_time - its_last;
    always @* begin
        in_time: assert (at <= START);
        stages_state: assert (state_a_ok && state_b_ok);
        stages_page: assert (page_a_ok && page_b_ok);
        stages_use: assert (use_a_ok && use_b_ok);
        stages_seen: assert (seen_a_ok && seen_b_ok);
        others: assert (at == 0 || (\dut.state_ram.genblk1.g_parity.w_other == ~\dut.state_ram.w_d &&
            \dut.page_ram.genblk1.g_parity.w_other == ~\dut.page_ram.w_d &&
                                    \dut.use_ram.genblk1.g_parity.w_other == ~\dut.use_ram.w_d &&
                                    \dut.seen_ram.genblk1.g_parity.w_other == ~\dut.seen_ram.w_d ));
        // Which frame is where, of the side port and of the walk's; while all are cleared it is theirs.
        cleared_when: assert (at == 0 || {\dut.clear1 , \dut.clear2 , \dut.clear3 , \dut.clear4 } == {at >= 2 && at <= FRAMES + 1, at >= 3 &&
            at <= FRAMES + 2,
                                                                             at >= 4 && at <= FRAMES + 3, at >= 5 && at <= FRAMES + 4});
        side_1: assert (at < 2 || \dut.state_ram.port_a.p1_addr == (at <= FRAMES + 1 ? c2 : s1f));
        side_2: assert (at < 3 || \dut.state_ram.port_a.q2_addr == (at <= FRAMES + 2 ? c3 : s2f));
        side_3: assert (at < 4 || \dut.state_ram.a3_addr == (at <= FRAMES + 3 ? c4 : s3f));
        walk_0: assert (at < 2 || \dut.use_ram.port_a.g_early.addr == (at <= FRAMES + 1 ? c2 : w6f));
        walk_1: assert (at < 3 || \dut.use_ram.port_a.p1_addr == (at <= FRAMES + 2 ? c3 : w7f));
        walk_2: assert (at < 4 || \dut.use_ram.port_a.q2_addr == (at <= FRAMES + 3 ? c4 : w8f));
        walk_3: assert (at < 5 || \dut.use_ram.a3_addr == (at <= FRAMES + 4 ? c5 : w9f));
        // (nothing is known of what stood there before reset)
        stage_0: assert (at < 1 || (\dut.state_ram.port_b.g_early.addr == \dut.use_ram.port_a.g_early.addr && \dut.page_ram.port_b.g_early.addr == w6f &&
                                    \dut.use_ram.port_b.p1_addr == \dut.state_ram.port_a.p1_addr && \dut.page_ram.port_a.p1_addr == s1f &&
                                    \dut.a_side1 == \dut.state_ram.port_a.p1_addr && \dut.a_walk6 == \dut.use_ram.port_a.g_early.addr &&
                                    s1_here == (s1f == here) && w6_here == (w6f == here)));
        stage_1: assert (at < 2 || (\dut.state_ram.port_b.p1_addr == \dut.use_ram.port_a.p1_addr && \dut.page_ram.port_b.p1_addr == w7f &&
                                    \dut.use_ram.port_b.q2_addr == \dut.state_ram.port_a.q2_addr && \dut.page_ram.port_a.q2_addr == s2f &&
                                    \dut.a_walk7 == \dut.use_ram.port_a.p1_addr && s2_here == (s2f == here) && w7_here == (w7f == here)));
        stage_2: assert (at < 3 || (\dut.state_ram.port_b.q2_addr == \dut.use_ram.port_a.q2_addr && \dut.page_ram.port_b.q2_addr == w8f &&
                                    use_b3 == \dut.state_ram.a3_addr && \dut.page_ram.a3_addr == s3f && s3_here == (s3f == here) &&
                                        w8_here == (w8f == here) &&
                                    \dut.clash2 == (\dut.state_ram.port_a.q2_addr == \dut.use_ram.port_a.q2_addr )));
        stage_3: assert (at < 4 || (state_b3 == \dut.use_ram.a3_addr && page_b3 == w9f && w9_here == (w9f == here) &&
                                    \dut.clash3 == (\dut.state_ram.a3_addr == \dut.use_ram.a3_addr )));
        // Then no frame is valid, and of two RAMs of one content both have it.
        none_valid: assert (at <= here + 4 || at == START || gs[STATE_W:STATE_W-3] == 0);
        state_same: assert (at <= here + 4 || state_a == state_b);
        use_same: assert (at <= here + 5 || (use_a == use_b && !gu[USE_W]));
        seen_same: assert (at <= here + 5 || (seen_a == seen_b && !gn[SEEN_W]));
        not_yet: assert (run || at == 0 || ({valid, pinned, leaving, fresh} == 0));
        // What the words say of the frame.
        golden_state: assert (!run || {gs[STATE_W:STATE_W-1], gs[5:4] != 0, gs[5:4] == 2} == {1'b0, pinned, valid, leaving});
        golden_pinned: assert (!run || !pinned || valid);
        golden_fresh: assert (!run || (gs[5:4] == 3 && !met) == fresh);
        golden_page: assert (!(run && valid) || {gp[PAGE_W], gp[NAME_W-1:0]} == {1'b0, asid, vpn});
        golden_access: assert (!(run && valid) || ({its_class, its_last} == {class, last} && (gs[0] || (met && gn[0])) == dirty));
        golden_recent: assert (!(run && valid) || (gn[1] == gs[3]) == recent);
        golden_kept: assert (!(run && kept) || (valid && !pinned && !leaving && recent));
        // What came a cycle before, and was compared then.
        came: assert (at == 0 || (\dut.s3_time == s3_time && \dut.w9_time == w9_time && \dut.s3_name == {s3_asid, s3_vpn} && \dut.s3_old == s3_time - OLD &&
                                  \dut.w9_age_old == w9_time - s3_time + OLD && \dut.w9_name_now == ({w9_asid, w9_vpn} == {s3_asid, s3_vpn})));
        fills: assert (at == 0 || ((!\dut.filled || lost[0]) && (!\dut.page_ram.w_we || lost[0]) && (!\dut.page_ram.v_we || lost[1]) &&
                                   (!\dut.page_ram.u_we || lost[2]) && (at == 1 || !page_x || lost[3])));
        newlast: assert (at == 0 || \dut.page_ram.w_d [NAME_W +: TIME_W] == s4_newlast);
        side_used: assert (!(s && valid) || \dut.s3_used == used);
        side_age: assert (!(s && valid) || lost[0] || page_x || \dut.s3_is_old == (s3_its_age >= OLD));
        side_expects: assert (!(s && valid) || lost[0] || page_x || \dut.s3_expected == (s3_expect == its_last));
        walk_used: assert (!(w && valid) || \dut.was_used == used);
        walk_named: assert (!(w && valid) || \dut.w9_named == (gp[NAME_W-1:0] == {w9_asid, w9_vpn}));
        walk_found: assert (!(w && valid) || w9_found == w9_time - its_last);
    end

endmodule

// What a port's stages have is the word as it is now: at stage 0 (EARLY) to 3, when the pipeline is full.
module formal_frame_table_port #(
    parameter WIDTH   = 8,
    parameter FRAME_W = 1,
    parameter EARLY   = 0
) (
    input  wire [3:0]         at,
    input  wire [FRAME_W-1:0] here, w_addr, v_addr, u_addr, addr, p1_addr, p2_addr, p3_addr,
    input  wire [WIDTH:0]     now, w, v, u, in_ram, ram, word, p3_word, // {turned bad, word}; in_ram, ram: with parity
    input  wire               w_we, v_we, u_we, same_2, same_3, given,
    input  wire [2:0]         same, lost,  // lost: at stages 1, 2, 3
    output wire               ok
);
    wire [WIDTH:0] in_told = {^in_ram, in_ram[WIDTH-1:0]}, told = {^ram, ram[WIDTH-1:0]};
    wire [WIDTH:0] came = w_we && w_addr == here ? w : v_we && v_addr == here ? v : in_told;
    wire [WIDTH:0] at_2 = same_2 && w_we ? w : EARLY != 0 || given ? word : told, at_3 = same_3 && w_we ? w : p3_word;
    wire [WIDTH:0] at_1 = EARLY == 0 ? came : same[2] && w_we ? w : same[1] && v_we ? v : same[0] && u_we ? u : told;
    wire ok_0 = EARLY == 0 || at < 2 || addr != here || came == now;
    wire ok_1 = at < 2 + EARLY || p1_addr != here || lost[2] || at_1 == now;
    wire ok_2 = at < 3 + EARLY || p2_addr != here || lost[1] || at_2 == now;
    wire ok_3 = at < 4 + EARLY || p3_addr != here || lost[0] || at_3 == now;
    wire as_said = at < 2 || ((EARLY == 0 || same == {p1_addr == w_addr, p1_addr == v_addr, p1_addr == u_addr}) &&
                              same_2 == (p2_addr == w_addr) && same_3 == (p3_addr == w_addr));
    assign ok = ok_0 && ok_1 && ok_2 && ok_3 && as_said;
endmodule
`default_nettype wire
