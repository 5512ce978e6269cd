// SPDX-License-Identifier: Apache-2.0
// frame_table: per frame the page, its last access and its state (docs/blocks/frame_table.md).
//
// Two ports, one operation each a cycle, both two cycles from address to effect:
//   walk  a walk hit: does the frame hold the page; the previous access; the new one is noted
//   side  FILL, FREE, PIN, UNPIN, UNLEAVE, AGE, TAKE, READ
// Within a cycle the side operation comes first and the walk sees its effect. Two RAMs, so that
// neither port ever waits for a write of the other:
//   page  {valid, pinned, leaving, stamp, dirty, class, last, asid, vpn}  written by the side port
//   use   {stamp, dirty, class, last}                                    written by walk hits
// `use` is newer than `page` if their stamp bits agree: a FILL or AGE makes them differ, a hit
// makes them agree. Source: LEU 3.1, 3.2 (last access of a page and the reference that made it).
`default_nettype none
module frame_table #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // clearing after reset: one frame a cycle, through both ports
    input  wire               clear,
    input  wire [FRAME_W-1:0] clear_frame,
    // walk port
    input  wire [FRAME_W-1:0] w0_frame,
    input  wire               w2_hit,      // a walk hit stands at stage 2
    input  wire [ASID_W-1:0]  w2_asid,
    input  wire [VPN_W-1:0]   w2_vpn,
    input  wire [CLASS_W-1:0] w2_class,
    input  wire               w2_write,
    input  wire [TIME_W-1:0]  w2_time,
    output wire               w2_match,    // the frame holds the page
    output wire [CLASS_W-1:0] w2_was_class,
    output wire [TIME_W-1:0]  w2_interval, // reuse interval, walks
    // side port
    input  wire [FRAME_W-1:0] s0_frame,
    input  wire               s2_fill, s2_free, s2_pin, s2_unpin, s2_unleave, s2_age, s2_take,
    input  wire [ASID_W-1:0]  s2_asid,     // FILL: the page
    input  wire [VPN_W-1:0]   s2_vpn,
    input  wire [CLASS_W-1:0] s2_class,
    input  wire [TIME_W-1:0]  s2_last,     // FILL: its last access; TAKE: the one expected
    input  wire               s2_dirty,
    input  wire [TIME_W-1:0]  s2_time,
    output wire               s2_valid,
    output wire               s2_leaving,
    output wire               s2_eligible, // valid, not pinned, not leaving
    output wire               s2_taken,    // TAKE: eligible, last as expected; now leaving
    output wire               s2_clamped,  // AGE
    output wire               s2_is_dirty,
    output wire [ASID_W-1:0]  s2_was_asid,
    output wire [VPN_W-1:0]   s2_was_vpn,
    output wire [CLASS_W-1:0] s2_was_class,
    output wire [TIME_W-1:0]  s2_was_last,
    output wire [TIME_W-1:0]  s2_interval  // age (TESLA), walks
);

    localparam USE_W  = 1 + 1 + CLASS_W + TIME_W;
    localparam PAGE_W = 3 + USE_W + ASID_W + VPN_W;
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}}; // age that AGE clamps to

    wire [PAGE_W-1:0] s2_page, w2_page_ram;
    wire [USE_W-1:0]  w2_use, s2_use;
    reg               page_we;
    reg  [PAGE_W-1:0] page_d;
    wire              use_we;
    wire [USE_W-1:0]  use_d;

    wire [FRAME_W-1:0] a_side = clear ? clear_frame : s0_frame;
    wire [FRAME_W-1:0] a_walk = clear ? clear_frame : w0_frame;
    reg  clear1, clear2;
    reg  clash1, clash2; // both ports at one frame
    always @(posedge clk) begin
        clear1 <= clear && !rst;
        clear2 <= clear1 && !rst;
        clash1 <= a_side == a_walk;
        clash2 <= clash1;
    end

    ram_rmw #(.WIDTH(PAGE_W), .DEPTH(FRAMES), .PORT_B(1), .ADDR_W(FRAME_W)) page_ram (
        .clk(clk), .rst(rst),
        .a0_addr(a_side), .a2_q(s2_page), .a2_we(page_we), .a2_d(page_d),
        .b0_addr(a_walk), .b2_q(w2_page_ram)
    );
    ram_rmw #(.WIDTH(USE_W), .DEPTH(FRAMES), .PORT_B(1), .ADDR_W(FRAME_W)) use_ram (
        .clk(clk), .rst(rst),
        .a0_addr(a_walk), .a2_q(w2_use), .a2_we(use_we), .a2_d(use_d),
        .b0_addr(a_side), .b2_q(s2_use)
    );

    // ---- side port
    wire               sp_valid, sp_pinned, sp_leaving, sp_stamp, sp_dirty;
    wire [CLASS_W-1:0] sp_class;
    wire [TIME_W-1:0]  sp_last;
    wire               su_stamp, su_dirty;
    wire [CLASS_W-1:0] su_class;
    wire [TIME_W-1:0]  su_last;
    assign {sp_valid, sp_pinned, sp_leaving, sp_stamp, sp_dirty, sp_class, sp_last, s2_was_asid,
            s2_was_vpn} = s2_page;
    assign {su_stamp, su_dirty, su_class, su_last} = s2_use;

    wire s2_used = su_stamp == sp_stamp; // there was a hit since FILL or AGE
    assign s2_valid     = sp_valid;
    assign s2_leaving   = sp_leaving;
    assign s2_eligible  = sp_valid && !sp_pinned && !sp_leaving;
    assign s2_was_class = s2_used ? su_class : sp_class;
    assign s2_was_last  = s2_used ? su_last : sp_last;
    assign s2_is_dirty  = sp_dirty || (s2_used && su_dirty);
    assign s2_interval  = s2_time - s2_was_last;
    assign s2_taken     = s2_take && s2_eligible && s2_was_last == s2_last;
    assign s2_clamped   = s2_age && sp_valid && s2_interval >= OLD;

    always @* begin
        page_we = clear2 || s2_fill || s2_free || s2_pin || s2_unpin || s2_unleave || s2_taken ||
                  s2_clamped;
        page_d  = s2_page;
        if (s2_taken)
            page_d[PAGE_W-3] = 1'b1;
        if (s2_unleave)
            page_d[PAGE_W-3] = 1'b0;
        if (s2_pin)
            page_d[PAGE_W-2] = sp_valid;
        if (s2_unpin)
            page_d[PAGE_W-2] = 1'b0;
        if (s2_clamped)
            page_d = {sp_valid, sp_pinned, sp_leaving, !su_stamp, s2_is_dirty, s2_was_class,
                      s2_time - OLD, s2_was_asid, s2_was_vpn};
        if (s2_fill)
            page_d = {3'b100, !su_stamp, s2_dirty, s2_class, s2_last, s2_asid, s2_vpn};
        if (clear2 || s2_free)
            page_d[PAGE_W-1 -: 3] = 3'b000;
    end

    // ---- walk port: the page as the side operation of this cycle leaves it
    wire [PAGE_W-1:0]  w2_page = clash2 && page_we ? page_d : w2_page_ram;
    wire               wp_valid, wp_pinned, wp_leaving, wp_stamp, wp_dirty;
    wire [CLASS_W-1:0] wp_class;
    wire [TIME_W-1:0]  wp_last;
    wire [ASID_W-1:0]  wp_asid;
    wire [VPN_W-1:0]   wp_vpn;
    wire               wu_stamp, wu_dirty;
    wire [CLASS_W-1:0] wu_class;
    wire [TIME_W-1:0]  wu_last;
    assign {wp_valid, wp_pinned, wp_leaving, wp_stamp, wp_dirty, wp_class, wp_last, wp_asid,
            wp_vpn} = w2_page;
    assign {wu_stamp, wu_dirty, wu_class, wu_last} = w2_use;
    wire unused_w = &{1'b0, wp_pinned, wp_leaving, wp_dirty}; // a hit does not depend on them

    wire w2_used = wu_stamp == wp_stamp;
    assign w2_match     = w2_hit && wp_valid && wp_vpn == w2_vpn && wp_asid == w2_asid;
    assign w2_was_class = w2_used ? wu_class : wp_class;
    assign w2_interval  = w2_time - (w2_used ? wu_last : wp_last);

    assign use_we = w2_match || clear2;
    assign use_d  = clear2 ? {USE_W{1'b0}}
                           : {wp_stamp, w2_write || (w2_used && wu_dirty), w2_class, w2_time};

endmodule
`default_nettype wire
