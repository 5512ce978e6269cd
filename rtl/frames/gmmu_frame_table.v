// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_table: per frame the page, its last access and its state (docs/reference/blocks/frame_table.md).
//
// Two ports take one operation each a cycle. A walk takes four cycles from address to effect (stages w5 to w9), a side
// operation three (s0 to s3):
//
//   port  operation                                       what the port does
//   walk  a walk hit                                      compares the page, reads the last access, writes the new access
//         a replay                                        compares the page; the page may become dirty, and is not fresh
//   side  FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, EXPIRE,    changes or reads the frame
//         TAKE, KEEP, PASS, READ
//
// Within a cycle the side operation comes first, and the walk sees its effect. The state of a frame lies in four RAMs, so that
// neither port waits for a write of the other:
//
//   RAM    word                                            written by
//   state  {pinned, kind, mark, stamp, seen, dirty}        the side port
//   page   {class, last, asid, vpn}                        FILL and AGE
//   use    {stamp, class, last}                            walk hits
//   seen   {seen, mark, dirty}                             walk hits and replays
//
// `state`, `use` and `seen` exist twice, one copy for each port to read. `page` is wide and exists once: the side port writes
// `page` four cycles after the address of a FILL or an AGE, and reads nothing in that cycle (reserved turn).
// `use` is newer than `page` if the stamp bits agree: FILL and AGE make the stamps differ, a hit makes the stamps agree. The
// marks agree if a hit or a KEEP came since FILL or PASS. The bits `seen` agree if a hit or a replay came since FILL: until
// then a page that FILL brought as fresh is fresh, and from then on the dirty bit of `seen` counts.
// Source: LEU 3.1, 3.2 (last access of a page and the reference of that access).
//
// PARITY: a frame with a corrupt word of `state` or `page` is no candidate and has no hit until FILL or FREE. A page with a
// corrupt word of `seen` counts as dirty until its next hit or replay. A frame with a corrupt word of these three is not fresh.
//
// Late select: comparisons and subtractions take place at w8 and s2, once for the word and once for each operation at w9 and s3
// that may change the word. The last stage only selects.
`default_nettype none
module gmmu_frame_table #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    // 1: corrupt words in RAM are reported
    parameter PARITY  = 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // clearing after reset
    input  wire               clear,         // the reset sequence clears a frame in this cycle, through both ports
    input  wire [FRAME_W-1:0] clear_frame,   // the frame that the reset sequence clears
    // walk port
    input  wire [FRAME_W-1:0] w5_frame,      // frame of the walk hit at w5
    input  wire [ASID_W-1:0]  w8_asid,       // address space of the walk at w8
    input  wire [VPN_W-1:0]   w8_vpn,        // virtual page number of the walk at w8
    input  wire [TIME_W-1:0]  w8_time,       // time of the walk at w8
    input  wire               w9_hit,        // a walk hit or a replay is at w9
    input  wire               w9_replay,     // it is a replay: no access
    input  wire [CLASS_W-1:0] w9_class,      // class of the reference of the walk at w9
    input  wire               w9_write,      // the walk at w9 writes
    output wire               w9_match,      // the frame of the walk or replay at w9 holds its page
    output wire [CLASS_W-1:0] w10_was_class, // a cycle after a walk's w9_match: class of the access before
    output wire [TIME_W-1:0]  w10_interval,  // a cycle after a walk's w9_match: reuse interval, in walks
    // side port
    input  wire [FRAME_W-1:0] s0_frame,      // frame of the operation at s0; no operation is in the fourth cycle behind a FILL or an AGE
    input  wire [ASID_W-1:0]  s2_asid,       // FILL: address space of the page, for the operation at s2
    input  wire [VPN_W-1:0]   s2_vpn,        // FILL: virtual page number of the page, for the operation at s2
    input  wire [TIME_W-1:0]  s2_time,       // time at s3, for the operation at s2
    input  wire [TIME_W-1:0]  s2_expect,     // TAKE: the last access that the search saw, for the operation at s2
    input  wire               s3_fill,       // FILL takes effect
    input  wire               s3_free,       // FREE takes effect
    input  wire               s3_pin,        // PIN takes effect
    input  wire               s3_unpin,      // UNPIN takes effect
    input  wire               s3_unleave,    // UNLEAVE takes effect
    input  wire               s3_age,        // AGE takes effect, not right behind a FILL or an AGE
    input  wire               s3_expire,     // EXPIRE takes effect
    input  wire               s3_take,       // TAKE or KEEP takes effect, not right behind a FILL or an AGE
    input  wire               s3_pass,       // PASS takes effect
    input  wire               s3_look,       // READ: an operation that only reads the frame takes effect
    input  wire               s3_keep,       // s3_take is KEEP: the candidate is kept and counts as hit
    input  wire               s3_force,      // for the operation at s3 a fresh frame is eligible as any other
    input  wire [CLASS_W-1:0] s3_class,      // FILL: class of the page's last access
    input  wire [TIME_W-1:0]  s3_last,       // FILL: time of the page's last access
    input  wire               s3_dirty,      // FILL: the page differs from its copy below
    input  wire               s3_new,        // FILL: the page is fresh
    output wire               s3_valid,      // the frame at s3 holds a page
    output wire               s3_leaving,    // the page is leaving
    output wire               s3_fresh,      // not pinned; the page came as fresh, and no hit, replay, EXPIRE or TAKE came since
    output wire               s3_eligible,   // the frame is valid, not pinned, not leaving, not fresh, and has no corrupt word
    output wire               s3_recent,     // the page was hit since FILL or PASS; a PASS of an eligible frame ends the hit
    output wire               s3_taken,      // TAKE or KEEP succeeds: the frame is eligible and has s2_expect as last access
    output wire               s3_clamped,    // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    output wire               s3_is_dirty,   // the page was written
    output wire [ASID_W-1:0]  s3_was_asid,   // address space of the page
    output wire [VPN_W-1:0]   s3_was_vpn,    // virtual page number of the page
    output wire [CLASS_W-1:0] s3_was_class,  // class of the last access
    output wire [TIME_W-1:0]  s3_was_last,   // time of the last access
    output wire [TIME_W-1:0]  s3_interval,   // age of the page (TESLA), in walks
    output reg  [TIME_W-1:0]  s4_newlast,    // a cycle after FILL: time of the page's last access
    output wire               w9_bad,        // PARITY: the walk at w9 meets a corrupt word
    output wire               s3_bad,        // PARITY: the operation at s3 meets a corrupt word
    output wire               s3_odd         // PARITY: a word of `state` or `page` of the frame at s3 is corrupt
);

    localparam STATE_W = 7;
    localparam SEEN_W  = 3;
    localparam NAME_W  = ASID_W + VPN_W;
    localparam PAGE_W  = CLASS_W + TIME_W + NAME_W;
    localparam USE_W   = 1 + CLASS_W + TIME_W;
    // kinds of a frame, in `state`. FRESH: the page came as fresh, and is fresh until a hit or a replay makes the bits `seen` agree
    localparam [1:0] EMPTY = 2'd0, PAGE = 2'd1, LEAVING = 2'd2, FRESH = 2'd3;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // age that AGE clamps to

    // Words of the four RAMs: the first letter is the port (s side, w walk), the second the RAM (s state, p page, u use, n seen), the
    // number the stage. The words at s2 and w8 lack the write of the cycle before; *_w is that write.
    wire [STATE_W-1:0] ss2;      // `state` at s2
    wire [STATE_W-1:0] ss3;      // `state` at s3
    wire [STATE_W-1:0] ws8;      // `state` at w8
    wire [STATE_W-1:0] ws9;      // `state` at w9
    wire [STATE_W-1:0] state_w;  // `state` as written in the cycle before
    wire [PAGE_W-1:0]  sp2;      // `page` at s2
    wire [PAGE_W-1:0]  sp3;      // `page` at s3
    wire [PAGE_W-1:0]  wp8;      // `page` at w8
    wire [PAGE_W-1:0]  wp9;      // `page` at w9
    wire [PAGE_W-1:0]  page_w;   // `page` as written in the cycle before
    wire [USE_W-1:0]   su2;      // `use` at s2
    wire [USE_W-1:0]   su3;      // `use` at s3
    wire [USE_W-1:0]   wu8;      // `use` at w8
    wire [USE_W-1:0]   wu9;      // `use` at w9
    wire [USE_W-1:0]   use_w;    // `use` as written in the cycle before
    wire [SEEN_W-1:0]  sn3;      // `seen` at s3
    wire [SEEN_W-1:0]  wn9;      // `seen` at w9
    wire               ss2_fwd;  // state_w is the word of the frame at s2, and newer than ss2
    wire               ws8_fwd;  // state_w is the word of the frame at w8, and newer than ws8
    wire               sp2_fwd;  // page_w is the word of the frame at s2, and newer than sp2
    wire               wp8_fwd;  // page_w is the word of the frame at w8, and newer than wp8
    wire               su2_fwd;  // use_w is the word of the frame at s2, and newer than su2
    wire               wu8_fwd;  // use_w is the word of the frame at w8, and newer than wu8
    wire               ss3_fwd;  // ss3 was written in the cycle before
    wire               ws9_fwd;  // ws9 was written in the cycle before
    wire               sp3_fwd;  // sp3 was written in the cycle before
    wire               wp9_fwd;  // wp9 was written in the cycle before
    wire               su3_fwd;  // su3 was written in the cycle before
    wire               wu9_fwd;  // wu9 was written in the cycle before
    wire               ss3_bad;  // ss3 is corrupt
    wire               ws9_bad;  // ws9 is corrupt
    wire               sp3_bad;  // sp3 is corrupt
    wire               wp9_bad;  // wp9 is corrupt
    wire               su3_bad;  // su3 is corrupt
    wire               wu9_bad;  // wu9 is corrupt
    wire               sn3_bad;  // sn3 is corrupt
    wire               wn9_bad;  // wn9 is corrupt
    reg                state_we; // the operation at s3 writes `state`
    reg  [STATE_W-1:0] state_d;  // the word that the operation writes
    wire               spoils;   // a corrupt `state` hides a write: `seen` becomes corrupt too, so that the page counts as dirty
    wire               page_we;  // the operation at s3 writes `page`
    wire [PAGE_W-1:0]  page_d;   // the word that the operation writes
    wire               use_we;   // the walk at w9 writes `use`
    wire [USE_W-1:0]   use_d;    // the word that the walk writes
    wire               seen_we;  // the walk or replay at w9 writes `seen`
    wire [SEEN_W-1:0]  seen_d;   // the word that it writes

    wire [FRAME_W-1:0] a_side = clear ? clear_frame : s0_frame; // address of the side port
    wire [FRAME_W-1:0] a_walk = clear ? clear_frame : w5_frame; // address of the walk port
    reg  [FRAME_W-1:0] a_side1, a_walk6, a_walk7; // both addresses at later stages
    reg  clear1, clear2, clear3, clear4;          // `clear` at s1 to s4
    reg  clash2;                                  // both ports are at one frame, known at s2
    reg  clash3;                                  // both ports are at one frame, known at s3
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
        .a3_poison(1'b0),
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
    wire [SEEN_W-1:0] wn8, sn2, seen_w;
    wire wn8_fwd, sn2_fwd, wn9_fwd, sn3_fwd;
    wire unused_seen = &{1'b0, wn8, sn2, seen_w, wn8_fwd, sn2_fwd, wn9_fwd, sn3_fwd};
    gmmu_ram_rmw3 #(
        .WIDTH(SEEN_W),
        .A_EARLY(1),
        .DEPTH(FRAMES),
        .ADDR_W(FRAME_W),
        .PARITY(PARITY)
    ) seen_ram (
        .clk(clk),
        .rst(rst),
        .a3_poison(spoils),
        .a3_bad(wn9_bad),
        .b3_bad(sn3_bad),
        .a0_addr(a_walk),
        .a2_q(wn8),
        .a2_fwd(wn8_fwd),
        .w_q(seen_w),
        .a3_q(wn9),
        .a3_fwd(wn9_fwd),
        .a3_we(seen_we),
        .a3_d(seen_d),
        .b0_addr(a_side),
        .b2_q(sn2),
        .b2_fwd(sn2_fwd),
        .b3_q(sn3),
        .b3_fwd(sn3_fwd)
    );

    // ---- w8 and s2: late select, for the word and for each word that the operations of the last stages may write
    wire [TIME_W-1:0] sp2_last = sp2[NAME_W +: TIME_W], wp8_last = wp8[NAME_W +: TIME_W], page_w_last = page_w[NAME_W +: TIME_W];
    wire [TIME_W-1:0] su2_last = su2[TIME_W-1:0], wu8_last = wu8[TIME_W-1:0], use_w_last = use_w[TIME_W-1:0];
    wire unused_2 = &{1'b0, ss2, ws8, sp2, wp8, su2, wu8, state_w, page_w, use_w};
    localparam STAMP_S = 2, STAMP_U = USE_W - 1; // bit of the stamp in `state`, in `use`

    reg  [NAME_W-1:0] s3_name; // page of the operation at s3
    reg  [TIME_W-1:0] s3_old;  // last access that AGE clamps to
    reg  [TIME_W-1:0] s3_time; // time of the operation at s3
    reg  [TIME_W-1:0] w9_time; // time of the walk at w9
    reg               filled;  // the side operation of the cycle before was a FILL
    wire [TIME_W-1:0] s3_newlast = s3_fill ? s3_last : s3_old; // last access that FILL or AGE writes

    // Ages and TAKE's comparison exist once for each source of the last access: _p `page`, _u `use`, _s the side operation of the
    // cycle before, _w the walk of the cycle before.
    // *_agreed: the stamps agreed in the words as read. A hit in the cycle before makes the stamps agree, FILL or AGE makes them differ.
    reg               s3_agreed, w9_agreed;
    // *_agreed_s: *_agreed with the stamp that the side operation of the cycle before found. If that operation wrote the word,
    // its stamp is sound and unchanged, while the word as read may be corrupt.
    reg               s3_agreed_s, w9_agreed_s;
    reg  [TIME_W-1:0] s3_age_p, s3_age_u, s3_age_w;             // age of the page at s3
    reg               s3_eq_p, s3_eq_u, s3_eq_w;                // the last access is s2_expect
    reg  [TIME_W-1:0] w9_age_p, w9_age_u, w9_age_w, w9_age_old; // age of the page at w9; _old: if AGE takes effect in this cycle
    wire [TIME_W-1:0] s3_age_s = s3_time - s4_newlast, w9_age_s = w9_time - s4_newlast;
    reg               w9_name_p, w9_name_s, w9_name_now;        // the frame at w9 holds the walk's page; _now: if FILL takes effect in this cycle
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
    wire               ss_pinned, ss_mark, ss_stamp, ss_seen, ss_dirty;
    wire [1:0]         ss_kind;
    wire [CLASS_W-1:0] sp_class;
    wire [TIME_W-1:0]  sp_last;
    wire               su_stamp;
    wire [CLASS_W-1:0] su_class;
    wire [TIME_W-1:0]  su_last;
    wire               sn_seen, sn_mark, sn_dirty;
    assign {ss_pinned, ss_kind, ss_mark, ss_stamp, ss_seen, ss_dirty} = ss3;
    assign {sp_class, sp_last, s3_was_asid, s3_was_vpn} = sp3;
    assign {su_stamp, su_class, su_last} = su3;
    assign {sn_seen, sn_mark, sn_dirty} = sn3;

    wire s3_agrees = ss3_fwd ? s3_agreed_s : s3_agreed;
    wire s3_used = su3_fwd || (s3_agrees && !sp3_fwd); // a hit came since FILL or AGE, which write `page`
    wire   ss_valid     = ss_kind != EMPTY;
    wire   s3_was_seen  = sn_seen == ss_seen || sn3_bad; // a hit or a replay came since FILL, or `seen` cannot say
    assign s3_valid     = ss_valid;
    assign s3_leaving   = ss_kind == LEAVING;
    assign s3_odd       = ss3_bad || sp3_bad;
    wire   s3_sound     = !s3_odd;
    assign s3_fresh     = ss_kind == FRESH && !s3_was_seen && !ss_pinned && s3_sound;
    assign s3_eligible  = !ss_pinned && (ss_kind == PAGE || (ss_kind == FRESH && (s3_was_seen || s3_force))) && s3_sound;
    assign s3_recent    = sn_mark == ss_mark;
    wire   s3_passed    = s3_pass && s3_eligible && s3_recent;
    assign s3_was_class = s3_used ? su_class : sp_class;
    assign s3_was_last  = s3_used ? su_last : sp_last;
    assign s3_is_dirty  = ss_dirty || (sn_seen == ss_seen && sn_dirty) || sn3_bad;
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
    wire   s3_is_old    = su3_fwd ? is_old(s3_age_w) : s3_agrees ? is_old(s3_age_u) : is_old(s3_age_p); // no FILL or AGE is right before AGE
    assign s3_clamped   = s3_age && ss_valid && s3_sound && !su3_bad && s3_is_old;

    wire   s3_any       = s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_age || s3_expire || s3_take || s3_pass || s3_look;
    // FILL takes the bits of `use` and `seen`
    assign s3_bad       = s3_any && (ss3_bad || (ss_valid && sp3_bad) || ((ss_valid || s3_fill) && (su3_bad || sn3_bad)));

    assign page_we = s3_clamped || s3_fill;
    assign page_d  = {s3_fill ? s3_class : s3_was_class, s3_newlast, s3_fill ? s3_name : {s3_was_asid, s3_was_vpn}};
    reg       d_pinned, d_mark, d_stamp; // state_d without FILL
    reg [1:0] d_kind;
    always @* begin
        state_we = clear3 || s3_fill || s3_free || s3_pin || s3_unpin || s3_unleave || s3_expire || s3_taken || s3_passed || s3_clamped;
        {d_pinned, d_kind, d_mark, d_stamp} = {ss_pinned, ss_kind, ss_mark, ss_stamp};
        if (s3_taken && !s3_keep)
            d_kind = LEAVING;
        if (s3_kept)
            d_mark = sn_mark;
        if (s3_unleave && ss_kind == LEAVING)
            d_kind = PAGE;
        if (s3_expire && ss_kind == FRESH)
            d_kind = PAGE;
        if (s3_pin)
            d_pinned = ss_valid;
        if (s3_unpin)
            d_pinned = 1'b0;
        if (s3_pass)
            d_mark = !sn_mark;
        if (s3_age) // the word is written only if AGE clamps
            d_stamp = !su_stamp;
        if (clear3 || s3_free)
            {d_pinned, d_kind} = {1'b0, EMPTY};
        state_d = {d_pinned, d_kind, d_mark, d_stamp, ss_seen, ss_dirty};
        if (s3_fill)
            state_d = {1'b0, s3_new ? FRESH : PAGE, !sn_mark, !su_stamp, !sn_seen, s3_dirty};
    end

    // ---- w9, walk port: the frame as the side operation of this cycle leaves the frame
    wire               ws_pinned, ws_mark, ws_stamp, ws_seen, ws_dirty;
    wire [1:0]         ws_kind;
    wire [CLASS_W-1:0] wp_class;
    wire [TIME_W-1:0]  wp_last;
    wire [NAME_W-1:0]  wp_name;
    wire               wu_stamp;
    wire [CLASS_W-1:0] wu_class;
    wire [TIME_W-1:0]  wu_last;
    wire               wn_seen, wn_mark, wn_dirty;
    assign {ws_pinned, ws_kind, ws_mark, ws_stamp, ws_seen, ws_dirty} = ws9;
    assign {wp_class, wp_last, wp_name} = wp9;
    assign {wu_stamp, wu_class, wu_last} = wu9;
    assign {wn_seen, wn_mark, wn_dirty} = wn9;
    wire               ws_valid = ws_kind != EMPTY;
    // (a hit does not depend on these fields; ages, names and stamps were compared a stage before)
    wire unused_w = &{1'b0, ws_pinned, ws_dirty, wp_last, wp_name, wu_last, wu_stamp};

    wire now_filled  = clash3 && s3_fill;
    wire now_freed   = clash3 && s3_free;
    wire now_unused  = clash3 && (s3_fill || s3_passed);
    wire now_kept    = clash3 && s3_kept;
    wire now_renewed = clash3 && (s3_fill || s3_clamped);
    wire w9_agrees   = ws9_fwd ? w9_agreed_s : w9_agreed;
    wire was_used    = wu9_fwd || (w9_agrees && !wp9_fwd); // a hit came since FILL or AGE, before the side operation of this cycle
    wire w9_named    = wp9_fwd && filled ? w9_name_s : w9_name_p;
    assign w9_match     = w9_hit && (now_filled ? w9_name_now : !now_freed && ws_valid && w9_named && !ws9_bad && !wp9_bad);
    assign w9_bad       = w9_hit && (ws9_bad || (ws_valid && wp9_bad) || ((ws_valid || now_filled) && ((wu9_bad && !w9_replay) || wn9_bad)));
    assign spoils       = w9_hit && w9_write && ws9_bad && !now_filled;
    // as-if registers: the effect of this cycle's side operation arrives last, and selects in the next cycle
    reg  [TIME_W-1:0]  w10_found;   // age without a side operation
    reg  [TIME_W-1:0]  w10_age_old; // age if AGE clamped
    reg  [TIME_W-1:0]  w10_time;    // time of the walk
    reg                w10_filled;  // FILL came in the walk's cycle, to the walk's frame
    reg                w10_renewed; // FILL or a clamping AGE came in the walk's cycle, to the walk's frame
    reg  [CLASS_W-1:0] w10_class;   // class of the access before, without FILL (AGE keeps the class)
    reg  [CLASS_W-1:0] s4_class;    // class of the access before, if FILL came
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

    assign use_we  = (w9_match && !w9_replay) || clear4;
    assign seen_we = w9_match || clear4 || spoils;
    // (mark, stamp and seen come from the side port's copy, from which the side port makes those of `state`: one of the copies may be corrupt)
    assign use_d   = clear4 ? {USE_W{1'b0}} : {now_renewed ? !su_stamp : ws_stamp, w9_class, w9_time};
    wire   hit_mark = now_unused ? !sn_mark : now_kept ? sn_mark : ws_mark; // agrees with the mark of `state`; a replay keeps the mark
    assign seen_d  = clear4 ? {SEEN_W{1'b0}}
                            : {now_filled ? !sn_seen : ws_seen, w9_replay ? wn_mark : hit_mark,
                               w9_write || (!now_filled && wn_seen == ws_seen && wn_dirty) || wn9_bad};

endmodule
`default_nettype wire
