// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_table: per frame the page, its last access and its state (docs/blocks/frame_table.md).
//
// Two ports, one operation each a cycle, four cycles from address to effect (stages w5 to w9 of a walk),
// three for the side port (s0 to s3):
//   walk  a walk hit: does the frame hold the page; the previous access; the new one is noted
//   side  FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, TAKE, KEEP, PASS, READ
// Within a cycle the side operation comes first and the walk sees its effect. Three RAMs, so that
// neither port ever waits for a write of the other:
//   state {valid, pinned, leaving, mark, stamp, dirty}  written by the side port
//   page  {class, last, asid, vpn}                      by its FILL and AGE
//   use   {mark, stamp, dirty, class, last}             by walk hits
// Those of `state` and `use` are there twice, one for each port to read. The wide one, `page`, is there once: the side
// port writes it four cycles after the address of a FILL or an AGE, and reads nothing then.
// `use` is newer than `page` if the stamp bits agree: a FILL or AGE makes them differ, a hit
// makes them agree. The marks agree alike if there was a hit, or KEEP, since FILL or PASS.
// Source: LEU 3.1, 3.2 (last access of a page and the reference that made it).
//
// PARITY: a bad word of `state` or `page` makes its frame no candidate, and no walk hits it, until FILL or FREE; beside a bad
// word of `use` a page counts as dirty, until its next hit.
//
// What is compared or subtracted is so at w8 and s2, once for the word and once for each operation
// at w9 and s3, which may be about to change it; the last stage only chooses.
`default_nettype none
module gmmu_frame_table #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    // 1: a word in a RAM that turned bad is told
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // clearing after reset: one frame a cycle, through both ports
    input  wire               clear,
    input  wire [FRAME_W-1:0] clear_frame,
    // walk port: frame, then the page and the time, then the rest
    input  wire [FRAME_W-1:0] w5_frame,
    input  wire [ASID_W-1:0]  w8_asid,
    input  wire [VPN_W-1:0]   w8_vpn,
    input  wire [TIME_W-1:0]  w8_time,
    input  wire               w9_hit,      // a walk hit stands at w9
    input  wire [CLASS_W-1:0] w9_class,
    input  wire               w9_write,
    output wire               w9_match,    // the frame holds the page
    output wire [CLASS_W-1:0] w10_was_class, // a cycle later: class of the access before,
    output wire [TIME_W-1:0]  w10_interval,  // reuse interval, walks
    // side port
    input  wire [FRAME_W-1:0] s0_frame,    // of no operation in the fourth cycle after that of a FILL or an AGE
    input  wire [ASID_W-1:0]  s2_asid,     // FILL: the page
    input  wire [VPN_W-1:0]   s2_vpn,
    input  wire [TIME_W-1:0]  s2_time,     // time at stage s3
    input  wire [TIME_W-1:0]  s2_expect,   // TAKE: the last access that it is to have
    input  wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_unleave, s3_age, s3_take, s3_pass, // no TAKE, no AGE right behind a FILL or an AGE
    input  wire               s3_look,     // another one that looks at the frame
    input  wire               s3_keep,     // TAKE of a candidate that is kept: it counts as hit
    input  wire [CLASS_W-1:0] s3_class,    // FILL: class, last access, dirty
    input  wire [TIME_W-1:0]  s3_last,
    input  wire               s3_dirty,
    output wire               s3_valid,
    output wire               s3_leaving,
    output wire               s3_eligible, // valid, not pinned, not leaving
    output wire               s3_recent,   // hit since FILL or PASS; PASS of an eligible one: from now on not
    output wire               s3_taken,    // TAKE: eligible, last as expected; now leaving, or kept
    output wire               s3_clamped,  // AGE
    output wire               s3_is_dirty,
    output wire [ASID_W-1:0]  s3_was_asid,
    output wire [VPN_W-1:0]   s3_was_vpn,
    output wire [CLASS_W-1:0] s3_was_class,
    output wire [TIME_W-1:0]  s3_was_last,
    output wire [TIME_W-1:0]  s3_interval, // age (TESLA), walks
    output reg  [TIME_W-1:0]  s4_newlast,  // FILL: last access, a cycle later
    output wire               w9_bad, s3_bad, // PARITY: the walk, or the side operation, met a bad word
    output wire               s3_odd          // what is said of the side's frame is of one, but for its use
);

    localparam STATE_W = 6;
    localparam NAME_W  = ASID_W + VPN_W;
    localparam PAGE_W  = CLASS_W + TIME_W + NAME_W;
    localparam USE_W   = 3 + CLASS_W + TIME_W;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // age that AGE clamps to

    // side and walk port, the last two stages; at the first of these without what was written in the cycle before, which is *_w
    wire [STATE_W-1:0] ss2, ss3, ws8, ws9, state_w;
    wire [PAGE_W-1:0]  sp2, sp3, wp8, wp9, page_w;
    wire [USE_W-1:0]   su2, su3, wu8, wu9, use_w;
    wire               ss2_fwd, ws8_fwd, sp2_fwd, wp8_fwd, su2_fwd, wu8_fwd; // it is that
    wire               ss3_fwd, ws9_fwd, sp3_fwd, wp9_fwd, su3_fwd, wu9_fwd;
    wire               ss3_bad, ws9_bad, sp3_bad, wp9_bad, su3_bad, wu9_bad;
    reg                state_we;
    reg  [STATE_W-1:0] state_d;
    wire               spoils; // a write that the frame's bad word hides: its use is to be bad, that is dirty
    wire               page_we;
    wire [PAGE_W-1:0]  page_d;
    wire               use_we;
    wire [USE_W-1:0]   use_d;

    wire [FRAME_W-1:0] a_side = clear ? clear_frame : s0_frame;
    wire [FRAME_W-1:0] a_walk = clear ? clear_frame : w5_frame;
    reg  [FRAME_W-1:0] a_side1, a_walk6, a_walk7;
    reg  clear1, clear2, clear3, clear4;
    reg  clash2, clash3; // both ports at one frame
    always @(posedge clk) begin
        clear1 <= clear && !rst;
        clear2 <= clear1 && !rst;
        clear3 <= clear2 && !rst;
        clear4 <= clear3 && !rst;
        a_walk6 <= a_walk;
        a_side1 <= a_side;
        a_walk7 <= a_walk6;
        clash2 <= a_side1 == a_walk7;
        clash3 <= clash2;
    end

    gmmu_ram_rmw3 #(
        .WIDTH(STATE_W),
        .B_EARLY(1),
        .DEPTH(FRAMES),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY)
    ) state_ram (
        .clk(clk),
        .rst(rst),
        .a3_poison(ss3_bad && !s3_fill && !s3_free && !clear3),
        .a3_bad(ss3_bad),
        .b3_bad(ws9_bad),
        .a0_addr(a_side),
        .a2_q(ss2),
        .a2_fwd(ss2_fwd),
        .w_q(state_w),
        .a3_q(ss3),
        .a3_fwd(ss3_fwd),
        .a3_we(state_we),
        .a3_d(state_d),
        .b0_addr(a_walk),
        .b2_q(ws8),
        .b2_fwd(ws8_fwd),
        .b3_q(ws9),
        .b3_fwd(ws9_fwd)
    );
    gmmu_ram_rmw3 #(
        .WIDTH(PAGE_W),
        .DEPTH(FRAMES),
        .SHARED(1),
        .B_EARLY(1),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY)
    ) page_ram (
        .clk(clk),
        .rst(rst),
        .a3_poison(1'b0),
        .a3_bad(sp3_bad),
        .b3_bad(wp9_bad),
        .a0_addr(s0_frame),
        .a2_q(sp2),
        .a2_fwd(sp2_fwd),
        .w_q(page_w),
        .a3_q(sp3),
        .a3_fwd(sp3_fwd),
        .a3_we(page_we),
        .a3_d(page_d),
        .b0_addr(w5_frame),
        .b2_q(wp8),
        .b2_fwd(wp8_fwd),
        .b3_q(wp9),
        .b3_fwd(wp9_fwd)
    );
    gmmu_ram_rmw3 #(
        .WIDTH(USE_W),
        .A_EARLY(1),
        .DEPTH(FRAMES),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY)
    ) use_ram (
        .clk(clk),
        .rst(rst),
        .a3_poison(spoils),
        .a3_bad(wu9_bad),
        .b3_bad(su3_bad),
        .a0_addr(a_walk),
        .a2_q(wu8),
        .a2_fwd(wu8_fwd),
        .w_q(use_w),
        .a3_q(wu9),
        .a3_fwd(wu9_fwd),
        .a3_we(use_we),
        .a3_d(use_d),
        .b0_addr(a_side),
        .b2_q(su2),
        .b2_fwd(su2_fwd),
        .b3_q(su3),
        .b3_fwd(su3_fwd)
    );

    // ---- w8 and s2, for the word and for what the operations of the last stages may make of it
    wire [TIME_W-1:0] sp2_last = sp2[NAME_W +: TIME_W], wp8_last = wp8[NAME_W +: TIME_W], page_w_last = page_w[NAME_W +: TIME_W];
    wire [TIME_W-1:0] su2_last = su2[TIME_W-1:0], wu8_last = wu8[TIME_W-1:0], use_w_last = use_w[TIME_W-1:0];
    wire unused_2 = &{1'b0, ss2, ws8, sp2, wp8, su2, wu8, state_w, page_w, use_w};
    localparam STAMP_S = 1, STAMP_U = USE_W - 2; // in `state`, in `use`

    reg  [NAME_W-1:0] s3_name;            // the side operation's page
    reg  [TIME_W-1:0] s3_old, s3_time, w9_time; // last access that AGE clamps to; time of the side operation, of the walk
    reg               filled;             // the side operation before was a FILL
    wire [TIME_W-1:0] s3_newlast = s3_fill ? s3_last : s3_old;

    // age and TAKE's comparison by page, by use, by the side operation before, by the walk before
    // the stamps agree: so were the words; a hit in the cycle before made them agree, or else what renewed the page differ
    reg               s3_agreed, w9_agreed;
    // the same by the stamp that the side operation before found: that is good, and left as it is, where it wrote the word; what is read may be bad
    reg               s3_agreed_s, w9_agreed_s;
    reg  [TIME_W-1:0] s3_age_p, s3_age_u, s3_age_w;
    reg               s3_eq_p, s3_eq_u, s3_eq_w;
    reg  [TIME_W-1:0] w9_age_p, w9_age_u, w9_age_w, w9_age_old; // old: by an AGE of this cycle
    wire [TIME_W-1:0] s3_age_s = s3_time - s4_newlast, w9_age_s = w9_time - s4_newlast;
    reg               w9_name_p, w9_name_s, w9_name_now; // the page's name; now: of this cycle's FILL
    wire [NAME_W-1:0] w8_name = {w8_asid, w8_vpn};
    always @(posedge clk) begin
        s3_name  <= {s2_asid, s2_vpn};
        s3_old   <= s2_time - OLD;
        s3_time  <= s2_time;
        s4_newlast <= s3_newlast;
        w9_time  <= w8_time;
        filled   <= s3_fill;
        s3_agreed <= (su2_fwd ? use_w[STAMP_U] : su2[STAMP_U]) == (ss2_fwd ? state_w[STAMP_S] : ss2[STAMP_S]);
        s3_agreed_s <= (su2_fwd ? use_w[STAMP_U] : su2[STAMP_U]) == ss3[STAMP_S];
        w9_agreed_s <= (wu8_fwd ? use_w[STAMP_U] : wu8[STAMP_U]) == ss3[STAMP_S];
        w9_agreed <= (wu8_fwd ? use_w[STAMP_U] : wu8[STAMP_U]) == (ws8_fwd ? state_w[STAMP_S] : ws8[STAMP_S]);
        s3_age_p <= sp2_fwd ? s2_time - page_w_last : s2_time - sp2_last;
        s3_age_u <= su2_fwd ? s2_time - use_w_last : s2_time - su2_last;
        s3_age_w <= s2_time - w9_time;
        s3_eq_p  <= sp2_fwd ? s2_expect == page_w_last : s2_expect == sp2_last;
        s3_eq_u  <= su2_fwd ? s2_expect == use_w_last : s2_expect == su2_last;
        s3_eq_w  <= s2_expect == w9_time;
        w9_age_p <= wp8_fwd ? w8_time - page_w_last : w8_time - wp8_last;
        w9_age_u <= wu8_fwd ? w8_time - use_w_last : w8_time - wu8_last;
        w9_age_w <= w8_time - w9_time;
        w9_age_old <= w8_time + OLD - s2_time;
        w9_name_p   <= wp8_fwd ? w8_name == page_w[NAME_W-1:0] : w8_name == wp8[NAME_W-1:0];
        w9_name_s   <= w8_name == s3_name;
        w9_name_now <= w8_name == {s2_asid, s2_vpn};
    end

    // ---- s3, side port
    wire               ss_valid, ss_pinned, ss_leaving, ss_mark, ss_stamp, ss_dirty;
    wire [CLASS_W-1:0] sp_class;
    wire [TIME_W-1:0]  sp_last;
    wire               su_mark, su_stamp, su_dirty;
    wire [CLASS_W-1:0] su_class;
    wire [TIME_W-1:0]  su_last;
    assign {ss_valid, ss_pinned, ss_leaving, ss_mark, ss_stamp, ss_dirty} = ss3;
    assign {sp_class, sp_last, s3_was_asid, s3_was_vpn} = sp3;
    assign {su_mark, su_stamp, su_dirty, su_class, su_last} = su3;

    wire s3_agrees = ss3_fwd ? s3_agreed_s : s3_agreed;
    wire s3_used = su3_fwd || (s3_agrees && !sp3_fwd); // there was a hit since FILL or AGE; these write the page
    assign s3_valid     = ss_valid;
    assign s3_leaving   = ss_leaving;
    assign s3_odd       = ss3_bad || sp3_bad;
    wire   s3_sound     = !s3_odd;
    assign s3_eligible  = ss_valid && !ss_pinned && !ss_leaving && s3_sound;
    assign s3_recent    = su_mark == ss_mark;
    wire   s3_passed    = s3_pass && s3_eligible && s3_recent;
    assign s3_was_class = s3_used ? su_class : sp_class;
    assign s3_was_last  = s3_used ? su_last : sp_last;
    assign s3_is_dirty  = ss_dirty || (s3_used && su_dirty) || su3_bad;
    assign s3_interval  = su3_fwd ? s3_age_w : sp3_fwd ? s3_age_s : s3_agrees ? s3_age_u : s3_age_p;
    wire   s3_expected  = s3_used ? (su3_fwd ? s3_eq_w : s3_eq_u) : s3_eq_p;
    assign s3_taken     = s3_take && s3_eligible && s3_expected;
    wire   s3_kept      = s3_taken && s3_keep;
    function is_old(input [TIME_W-1:0] age); // >= OLD
        reg [TIME_W-1:0] unused_age;
        begin
            is_old = age[TIME_W-1 -: 2] != 0;
            unused_age = age;
        end
    endfunction
    wire   s3_is_old    = su3_fwd ? is_old(s3_age_w) : s3_agrees ? is_old(s3_age_u) : is_old(s3_age_p); // AGE: nothing was written right before
    assign s3_clamped   = s3_age && ss_valid && s3_sound && !su3_bad && s3_is_old;

    wire   s3_any       = s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_age || s3_take || s3_pass || s3_look;
    assign s3_bad       = s3_any && (ss3_bad || (ss_valid && sp3_bad) || ((ss_valid || s3_fill) && su3_bad)); // FILL takes its stamps

    assign page_we = s3_clamped || s3_fill;
    assign page_d  = {s3_fill ? s3_class : s3_was_class, s3_newlast, s3_fill ? s3_name : {s3_was_asid, s3_was_vpn}};
    always @* begin
        state_we = clear3 || s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_taken || s3_passed || s3_clamped;
        state_d  = ss3;
        if (s3_taken && !s3_keep)
            state_d[STATE_W-3] = 1'b1;
        if (s3_kept)
            state_d[STATE_W-4] = su_mark;
        if (s3_unleave)
            state_d[STATE_W-3] = 1'b0;
        if (s3_pin)
            state_d[STATE_W-2] = ss_valid;
        if (s3_unpin)
            state_d[STATE_W-2] = 1'b0;
        if (s3_pass)
            state_d[STATE_W-4] = !su_mark;
        if (s3_age) // written only if it clamps
            state_d = {ss3[STATE_W-1 -: 4], !su_stamp, s3_is_dirty};
        if (s3_fill)
            state_d = {3'b100, !su_mark, !su_stamp, s3_dirty};
        if (clear3 || s3_free)
            state_d[STATE_W-1 -: 3] = 3'b000;
    end

    // ---- w9, walk port: the page as the side operation of this cycle leaves it
    wire               ws_valid, ws_pinned, ws_leaving, ws_mark, ws_stamp, ws_dirty;
    wire [CLASS_W-1:0] wp_class;
    wire [TIME_W-1:0]  wp_last;
    wire [NAME_W-1:0]  wp_name;
    wire               wu_mark, wu_stamp, wu_dirty;
    wire [CLASS_W-1:0] wu_class;
    wire [TIME_W-1:0]  wu_last;
    assign {ws_valid, ws_pinned, ws_leaving, ws_mark, ws_stamp, ws_dirty} = ws9;
    assign {wp_class, wp_last, wp_name} = wp9;
    assign {wu_mark, wu_stamp, wu_dirty, wu_class, wu_last} = wu9;
    // a hit does not depend on them; ages, names and stamps were compared before
    wire unused_w = &{1'b0, ss_stamp, ws_pinned, ws_leaving, ws_dirty, wp_last, wp_name, wu_last, wu_mark, wu_stamp};

    wire now_filled  = clash3 && s3_fill;
    wire now_freed   = clash3 && s3_free;
    wire now_unused  = clash3 && (s3_fill || s3_passed);
    wire now_kept    = clash3 && s3_kept;
    wire now_renewed = clash3 && (s3_fill || s3_clamped);
    wire w9_agrees   = ws9_fwd ? w9_agreed_s : w9_agreed;
    wire was_used    = wu9_fwd || (w9_agrees && !wp9_fwd); // before the side operation of this cycle
    wire w9_named    = wp9_fwd && filled ? w9_name_s : w9_name_p;
    assign w9_match     = w9_hit && (now_filled ? w9_name_now : !now_freed && ws_valid && w9_named && !ws9_bad && !wp9_bad);
    assign w9_bad       = w9_hit && (ws9_bad || (ws_valid && wp9_bad) || ((ws_valid || now_filled) && wu9_bad));
    assign spoils       = w9_hit && w9_write && ws9_bad && !now_filled;
    // (what the side operation of this cycle does to it is known late, and has its part a cycle later)
    reg  [TIME_W-1:0] w10_found, w10_age_old, w10_time;
    reg               w10_filled, w10_renewed;
    reg  [CLASS_W-1:0] w10_class, s4_class; // AGE takes over the class that it finds
    always @(posedge clk) begin
        w10_found   <= wu9_fwd ? w9_age_w : wp9_fwd ? w9_age_s : w9_agrees ? w9_age_u : w9_age_p;
        w10_age_old <= w9_age_old;
        w10_time    <= w9_time;
        w10_filled  <= now_filled;
        w10_class   <= was_used ? wu_class : wp_class;
        s4_class    <= s3_class;
        w10_renewed <= now_renewed;
    end
    assign w10_was_class = w10_filled ? s4_class : w10_class;
    assign w10_interval = w10_filled ? w10_time - s4_newlast : w10_renewed ? w10_age_old : w10_found;

    assign use_we = w9_match || clear4 || spoils;
    // (mark and stamp from the side port's copy, as it makes those of the state: one of the copies may be bad)
    assign use_d  = clear4 ? {USE_W{1'b0}}
                           : {now_unused ? !su_mark : now_kept ? su_mark : ws_mark, now_renewed ? !su_stamp : ws_stamp,
                              w9_write || (!now_renewed && was_used && wu_dirty) || wu9_bad, w9_class, w9_time};

endmodule
`default_nettype wire
