// SPDX-License-Identifier: Apache-2.0
// side_port: who changes frames and faults beside the walks, one action a cycle (docs/blocks/side_port.md).
//
// Masters: AGE and INSTALL are rare and go first; the driver and the search take turns. An action is granted at
// s0 and takes effect at s3, before the walk that is at w9 then:
//
//   AGE ─────────┐
//   INSTALL ─────┤
//   driver ─┐    ├─► s0 ── s1 ── s2 ── s3: effect          frames in RAM
//   search ─┴────┘   └──► frame_store ──┘                  frames in memory: all but INSTALL come back when
//          turns                                           their word is there, TOUCH among them
//
// AGE visits each frame and each fault once in at most 2^(TIME_W-2) walks (docs/schedule.md).
`default_nettype none
module side_port #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    parameter FAULTS  = 8,
    parameter FRAME_MEM = 0,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [FRAME_W:0]   cfg_frames,
    input  wire               open,        // the unit is ready
    input  wire [FRAME_W:0]   age_frames,  // frames that can be read
    input  wire               age_due,
    input  wire               install_req,
    // the driver: op as in gmmu_codes.vh
    input  wire               drv_valid,
    output wire               drv_ready,
    input  wire [3:0]         drv_op,
    input  wire [FRAME_W-1:0] drv_frame,
    input  wire [ASID_W-1:0]  drv_asid,
    input  wire [VPN_W-1:0]   drv_vpn,
    input  wire               drv_dirty, drv_returns,
    input  wire [TIME_W-1:0]  drv_was,
    // the search
    input  wire               cand_req,
    input  wire [FRAME_W-1:0] cand_frame,
    output wire               cand_grant,
    input  wire               decide_req,  // there is room for its decision
    input  wire               decide_have,
    input  wire [FRAME_W-1:0] decide_frame,
    output wire               decide_grant,
    // to frame_store
    output wire               s0_valid,    // not INSTALL
    input  wire               s0_ready,
    output wire [2:0]         s0_kind,
    output wire               s0_bad,      // the driver's operation is refused
    output wire               s0_none,     // the action has no frame,
    output wire               s0_after,    // DECIDE
    output wire [FRAME_W-1:0] s0_frame,
    output wire               hold,        // INSTALL may come to s3 three cycles later
    output wire [ASID_W-1:0]  s2_asid,     // the driver's page
    output wire [VPN_W-1:0]   s2_vpn,
    // FRAME_MEM: what comes back
    input  wire               m3_valid,
    input  wire               m3_touch,
    input  wire [2:0]         m3_kind,
    input  wire               m3_bad,
    input  wire [3:0]         m3_op,
    input  wire [FRAME_W-1:0] m3_frame,
    input  wire [ASID_W-1:0]  m3_asid,
    input  wire [VPN_W-1:0]   m3_vpn,
    input  wire               m3_dirty,
    // the action that takes effect
    output wire               s3_valid,
    output wire [2:0]         s3_kind,
    output wire [FRAME_W-1:0] s3_frame,
    output wire [ASID_W-1:0]  s3_asid,
    output wire [VPN_W-1:0]   s3_vpn,
    output wire               s3_dirty,
    output wire               s3_returns,  // FRAME_MEM: not told
    output wire [TIME_W-1:0]  s3_was,
    output wire               s3_fill, s3_free, s3_pin, s3_unpin, s3_cancel, s3_ask,
    output wire               s3_install, s3_cand, s3_decide, s3_touch,
    output wire               s3_age_frame, s3_age_fault, // what AGE visits
    output reg  [FRAME_W:0]   age_index,   // a frame, or FRAMES and a fault's entry
    input  wire               s3_had,      // CANCEL: there is something to cancel
    output wire               s3_refused,
    output wire               busy,        // an action is owed or under way
    output wire               wake,
    output reg  [31:0]        stat_drv_errors
);

`include "gmmu_codes.vh"

    localparam STAMPS = FRAMES + FAULTS;
    localparam [FRAME_W:0] LAST_STAMP = STAMPS[FRAME_W:0] - 1'b1;

    // ======== s0: who
    reg  age_owed, age_sent, install_sent;
    wire age_go     = age_owed && !age_sent && s0_ready;
    wire install_go = install_req && !install_sent && !age_go;
    wire search_go, drv_go, search_ready;
    turns #(.N(2)) turns (
        .clk(clk), .enable(open && !age_go && !install_go && s0_ready),
        .request({drv_valid, cand_req || decide_req}), .ready({drv_ready, search_ready}), .grant({drv_go, search_go})
    );
    wire unused_ready = &{1'b0, search_ready};
    assign cand_grant   = search_go && cand_req;
    assign decide_grant = search_go && decide_req;

    assign s0_valid = age_go || drv_go || search_go;
    assign s0_kind  = age_go ? SIDE_AGE : install_go ? SIDE_INSTALL : drv_go ? SIDE_DRV : cand_grant ? SIDE_CAND : SIDE_DECIDE;
    assign s0_bad   = drv_op == 0 || drv_op > OP_ASK || (drv_op != OP_ASK && {1'b0, drv_frame} >= cfg_frames);
    assign s0_frame = age_go ? age_index[FRAME_W-1:0] : drv_go ? drv_frame : cand_grant ? cand_frame : decide_frame;
    assign s0_none  = age_go ? age_index >= age_frames : drv_go ? s0_bad || drv_op == OP_ASK : !cand_grant && !decide_have;
    assign s0_after = decide_grant;
    assign hold     = install_req && !install_sent;

    // ======== s1 to s3
    localparam PAGE_W = 1 + 4 + 1 + ASID_W + VPN_W; // {bad, op, dirty, asid, vpn}
    reg                s1_valid, s2_valid, r3_valid;
    reg  [2:0]         s1_kind, s2_kind, r3_kind;
    reg  [FRAME_W-1:0] s1_frame, s2_frame, r3_frame;
    reg  [PAGE_W-1:0]  s1_drv, s2_drv, r3_drv;
    reg  [TIME_W:0]    s1_was, s2_was, r3_was; // {returns, was}
    always @(posedge clk) begin
        s1_valid <= !rst && (install_go || (FRAME_MEM == 0 && s0_valid));
        s1_kind  <= s0_kind;
        s1_frame <= s0_frame;
        if (drv_go) begin
            s1_drv <= {s0_bad, drv_op, drv_dirty, drv_asid, drv_vpn};
            s1_was <= {drv_returns, drv_was};
        end
        s2_valid <= s1_valid && !rst;
        if (s1_valid) begin
            s2_kind  <= s1_kind;
            s2_frame <= s1_frame;
            s2_drv   <= s1_drv;
            s2_was   <= s1_was;
        end
        r3_valid <= s2_valid && !rst;
        if (s2_valid) begin
            r3_kind  <= s2_kind;
            r3_frame <= s2_frame;
            r3_drv   <= s2_drv;
            r3_was   <= s2_was;
        end
    end
    assign {s2_asid, s2_vpn} = s2_drv[ASID_W+VPN_W-1:0];

    // ======== s3: what
    wire       bad;
    wire [3:0] op;
    assign {bad, op, s3_dirty, s3_asid, s3_vpn} = m3_valid ? {m3_bad, m3_op, m3_dirty, m3_asid, m3_vpn} : r3_drv;
    assign {s3_returns, s3_was} = r3_was;
    assign s3_valid = m3_valid || r3_valid;
    assign s3_touch = m3_touch;
    assign s3_kind  = m3_touch ? SIDE_TOUCH : m3_valid ? m3_kind : r3_kind;
    assign s3_frame = m3_valid ? m3_frame : r3_frame;

    wire   drv_ok     = s3_valid && s3_kind == SIDE_DRV && !bad;
    assign s3_fill    = drv_ok && op == OP_FILL;
    assign s3_free    = drv_ok && op == OP_FREE;
    assign s3_pin     = drv_ok && op == OP_PIN;
    assign s3_unpin   = drv_ok && op == OP_UNPIN;
    assign s3_cancel  = drv_ok && op == OP_CANCEL;
    assign s3_ask     = drv_ok && op == OP_ASK;
    wire   s3_age     = s3_valid && s3_kind == SIDE_AGE;
    assign s3_install = s3_valid && s3_kind == SIDE_INSTALL;
    assign s3_cand    = s3_valid && s3_kind == SIDE_CAND;
    assign s3_decide  = s3_valid && s3_kind == SIDE_DECIDE;
    assign s3_age_frame = s3_age && age_index < age_frames;
    assign s3_age_fault = s3_age && age_index >= FRAMES[FRAME_W:0];
    assign s3_refused = s3_valid && s3_kind == SIDE_DRV && (bad || (s3_cancel && !s3_had));

    always @(posedge clk) begin
        if (age_go)
            age_sent <= 1'b1;
        if (s3_age) begin
            age_sent  <= 1'b0;
            age_owed  <= 1'b0;
            age_index <= age_index == LAST_STAMP ? {FRAME_W+1{1'b0}} : age_index + 1'b1;
        end
        if (age_due)
            age_owed <= 1'b1;
        if (install_go)
            install_sent <= 1'b1;
        if (s3_install)
            install_sent <= 1'b0;
        stat_drv_errors <= stat_drv_errors + {31'd0, s3_refused};
        if (rst) begin
            age_sent  <= 1'b0;
            age_owed  <= 1'b0;
            age_index <= 0;
            install_sent    <= 1'b0;
            stat_drv_errors <= 0;
        end
    end

    assign busy = s1_valid || s2_valid || s3_valid || age_owed;
    assign wake = busy || drv_valid || install_req;

endmodule
`default_nettype wire
