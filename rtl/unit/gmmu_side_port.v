// SPDX-License-Identifier: Apache-2.0
// gmmu_side_port: the side actions, which change frames and faults beside the walks, one a cycle (docs/reference/blocks/side_port.md).
//
// Masters: AGE and INSTALL are rare and go first; the driver and the search alternate. The granted action waits in registers at
// s0, from which RAMs all over a chip are read. The action takes effect at s3, before the walk that is at w9 then:
//
//   AGE ─────────┐
//   INSTALL ─────┤
//   driver ─┐    ├─► grant ── s0 ── s1 ── s2 ── s3: effect   frames in RAM
//   search ─┴────┘            ├──► frame_store ──┤           frames in memory: granted at s0; all but INSTALL come
//          turns              └──► tier_place ───┘           back with their word, TOUCH among them
//
// A cycle in which an action may be granted is a turn. The search's turns are first fault_queue's
// (EXPIRE), then tier_place's, then victim_select's.
// An operation of the driver that concerns an outstanding fault, or a page that arrived, waits until fault_queue has found its page; a
// DECIDE waits for fault_queue, too: the table of fault_queue has one user at a time.
// Reserved turns (docs/guide/timing_patterns.md): until a slot of Tier 2 that an action may change is written, no action that reads a
// slot and no operation of the driver is granted. In the fourth turn behind a FILL, or behind an AGE of a frame, frame_table
// writes the page.
// AGE visits each frame, fault, slot and entry of the predictor once in at most 2^(TIME_W-2) walks (docs/guide/schedule.md). The AGE of a
// fault is fault_queue's and takes no turn.
`default_nettype none
module gmmu_side_port #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter FRAMES  = 16384,
    parameter FAULTS  = 8,
    parameter FRAME_MEM = 0,
    // slots of Tier 2
    parameter T2_SLOTS = 0,
    // entries of the predictor
    parameter TP_ENTRIES = 0,
    parameter AGE_W   = FRAMES > 1 ? $clog2(FRAMES) + 1 : 2,
    parameter T2_W    = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    parameter TP_W    = TP_ENTRIES > 1 ? $clog2(TP_ENTRIES) : 1,
    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1
`include "gmmu_beat_drv.vh"
`include "gmmu_page.vh"
`include "gmmu_asked.vh"
`include "gmmu_m3.vh"
`include "gmmu_s3.vh"
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [FRAME_W:0]      cfg_frames,     // number of enabled frames
    input  wire                  open,           // the unit is ready: the reset sequence is over
    // AGE, INSTALL
    input  wire [FRAME_W:0]      age_frames,     // number of frames that AGE can read
    input  wire                  age_due,        // an AGE is due from this cycle on
    output reg  [AGE_W-1:0]      age_index,      // index that AGE visits: frames, then faults, slots, entries of the predictor
    output reg  [TP_W-1:0]       age_entry,      // AGE of an entry of the predictor: the entry
    input  wire                  install_req,    // ppuc asks for an INSTALL
    // fault_queue
    output wire                  find_req,       // the driver offers an operation whose page fault_queue is to find
    input  wire                  find_ready,     // fault_queue has found the page: the operation may be granted
    output wire                  find_take,      // that operation is granted
    input  wire                  decide_ok,      // a DECIDE may be granted
    output wire                  age_fault,      // an AGE of the outstanding fault age_index - FRAMES is due
    input  wire                  age_fault_done, // that AGE takes effect
    input  wire                  expire_req,     // fault_queue asks for an EXPIRE
    input  wire [FRAME_W-1:0]    expire_frame,   // frame of the asked EXPIRE
    output wire                  expire_grant,   // the EXPIRE is granted
    // the driver
    input  wire                  drv_valid,      // an operation is offered
    output wire                  drv_ready,      // the operation is granted
    input  wire [DRV_BITS-1:0]   drv,            // the driver's operation, a beat of s_axis_drv
    // the search in Tier 1
    input  wire                  cand_req,       // the search asks for a CAND or a HAND
    input  wire                  cand_hand,      // the search asks for a HAND
    input  wire [FRAME_W-1:0]    cand_frame,     // frame of the asked CAND or HAND
    output wire                  cand_grant,     // the CAND or HAND is granted
    input  wire                  hand_void,      // the HAND at s3 is void
    output wire                  hand_came,      // a HAND is at s3, void or not
    input  wire                  decide_req,     // the search asks for a DECIDE, and there is room for its decision
    input  wire                  decide_have,    // the DECIDE has a candidate
    input  wire [FRAME_W-1:0]    decide_frame,   // frame of the DECIDE's candidate
    output wire                  decide_grant,   // the DECIDE is granted
    // tier_place
    input  wire                  t_req,          // tier_place asks for an action
    input  wire [3:0]            t_kind,         // kind of tier_place's action, SIDE_*
    input  wire [T2_W-1:0]       t_slot,         // slot of tier_place's action
    input  wire [FRAME_W-1:0]    t_frame,        // frame of tier_place's action: the victim's
    output wire                  t_grant,        // tier_place's action is granted
    input  wire                  t_void,         // the CAND2 at s3 is void
    output wire                  cand2_came,     // a CAND2 is at s3, void or not
    input  wire                  stays,          // a STAY is pending: CANCEL must wait
    output reg                   s1_slot_valid,  // the action at s1 reads a slot
    output wire                  s1_rise,        // the action at s1 is RISE
    output reg  [T2_W-1:0]       s0_slot,        // slot of the action at s0
    output reg  [T2_W-1:0]       s1_slot,        // slot of the action at s1
    output reg                   s3_may_done,    // T2_FILL_DONE comes to s3 in the next cycle; frame and slot are valid in this cycle
    output reg                   s3_may_swap,    // T2_SWAP comes to s3 in the next cycle; frame and slot are valid in this cycle
    input  wire                  may_be,         // the T2_FILL_DONE or T2_SWAP of s3_may_done, s3_may_swap is allowed
    input  wire                  done_ok,        // the T2_FILL_DONE or T2_SWAP at s3 is allowed
    input  wire                  t2_refused,     // the T2_FREE or T2_CANCEL at s3 is refused
    // frame_store
    output wire [FRAME_W-1:0]    s0_frame,       // frame of the action at s0; FRAME_MEM: of the action that is granted
    output wire                  s0_valid,       // FRAME_MEM: an action other than INSTALL is granted
    input  wire                  s0_ready,       // FRAME_MEM: frame_store takes an action
    output wire [ASKED_BITS-1:0] asked,          // FRAME_MEM: the granted action, for frame_store
    output wire                  install_coming, // an INSTALL may come to s3 three cycles later: nothing comes back then
    output wire [PAGE_BITS-1:0]  s2_page,        // page that the driver names, of the action at s2
    input  wire [M3_BITS-1:0]    m3,             // FRAME_MEM: the action that comes back now
    // the action that takes effect
    output wire [S3_BITS-1:0]    s3,             // the side action at its effect
    input  wire                  s3_had,         // CANCEL: there is something to cancel
    input  wire                  spare,          // a frame is free and not promised: a CANCEL of a decision ahead may be done
    output wire                  s3_refused,     // the driver's operation at s3 is refused
    output wire                  busy,           // an action is pending or under way
    output wire                  wake,           // the clock is needed
    output reg  [31:0]           stat_drv_errors // number of refused operations
);

`include "gmmu_codes.vh"

    generate
        if (FRAME_MEM != 0 && T2_SLOTS != 0) begin : g_bad
            FRAME_MEM_needs_T2_SLOTS_0 stop_here();
        end
    endgenerate
    // the driver's operation
    wire [3:0]         drv_op    = drv[DRV_OP_O +: 4];
    wire [FRAME_W-1:0] drv_frame = drv[DRV_FRAME_O +: FRAME_W];
    wire               drv_t2    = drv[DRV_T2_O];

    localparam TO_SLOTS = FRAMES + FAULTS, TO_ENTRIES = TO_SLOTS + T2_SLOTS;
    localparam STAMPS = TO_ENTRIES + (T2_SLOTS != 0 ? TP_ENTRIES : 0);
    localparam [AGE_W-1:0] LAST_STAMP = STAMPS[AGE_W-1:0] - 1'b1;
    wire [31:0] age_at = {{32 - AGE_W{1'b0}}, age_index};
    wire age_of_frame = age_at < {{31 - FRAME_W{1'b0}}, age_frames};
    wire age_of_slot  = T2_SLOTS != 0 && age_at >= TO_SLOTS && age_at < TO_ENTRIES;
    reg  [T2_W-1:0] age_slot; // AGE of a slot: that slot
    reg  [3:0]      age_of;   // the kind of age_index of the cycle before, one-hot: {entry, slot, fault, frame}

    // ======== the grant (stages of earlier actions are named as with frames in RAM)
    reg  age_owed;                                     // an AGE is pending
    reg  age_sent;                                     // that AGE is under way
    reg  install_sent;                                 // an INSTALL is under way
    reg  s0_ages, s1_ages, s2_ages;                    // the action at s0, s1, s2 is AGE
    reg  s0_writes, s1_writes, s2_writes;              // the action at s0, s1, s2 may change a slot
    reg  s0_cancels, s1_cancels, s2_cancels;           // the action at s0, s1, s2 is CANCEL
    reg  s0_drives, s1_drives, s2_drives;              // the action at s0, s1, s2 is the driver's: PLACE, which needs the count of slots, waits
    reg  later_writes;                                 // an action at s1 to s3 may change a slot
    reg  later_drives;                                 // an action at s1 to s3 is the driver's
    reg  later_waits;                                  // a CANCEL is at s1 to s3, or a PLACE was asked for in the cycle before
    wire places     = t_req && t_kind == SIDE_PLACE;
    wire held       = T2_SLOTS != 0 && (s0_writes || later_writes); // reserved turn: a slot is not written yet
    // T2_FILL_DONE and T2_SWAP need two turns in a row: in the first turn frame and slot are read, so that the outcome is known early
    // in the second turn. The operation is taken with the second turn.
    wire two_slots  = T2_SLOTS != 0 && (drv_op == OP_T2_FILL_DONE || drv_op == OP_T2_SWAP); // the operation needs two turns
    reg  s0_looks, s1_looks, s2_looks;                 // the first turn of such an operation is at s0, s1, s2
    reg  s0_decides;                                   // the action at s0 is DECIDE; reserved turn: no operation of the driver comes behind DECIDE
    reg  s0_renews, s1_renews, s2_renews, s3_renews;   // the action is FILL or AGE of a frame; reserved turn: frame_table writes in the fourth behind
    wire decide_waits = FRAME_MEM == 0 && decide_req && decide_ok && s0_drives;
    wire finds      = drv_op == OP_FILL || drv_op == OP_FREE || drv_op == OP_CANCEL || drv_op == OP_ASK ||
                      (T2_SLOTS != 0 && (drv_op == OP_T2_FILL_DONE || drv_op == OP_T2_SWAP)); // fault_queue finds the operation's page first
    assign find_req = drv_valid && finds && open;
    wire drv_waits  = (finds && !find_ready) || s0_decides || decide_waits || (T2_SLOTS != 0 && !s0_looks && (held || stays || s0_cancels
        || later_waits || (two_slots && s2_renews)));
    wire written    = FRAME_MEM == 0 && s3_renews;
    reg  age_wants;                                    // an AGE is to be granted, and age_of is valid
    // AGE of a frame does not come right behind a FILL or an AGE of a frame either: the age is then known a cycle before
    wire age_here   = age_wants && !age_of[1];         // an AGE needs a turn
    assign age_fault = age_wants && age_of[1];
    wire age_go     = age_here && !s0_looks && !(held && age_of[2]) && s0_ready && !written && !(FRAME_MEM == 0 && s0_renews && age_of[0]);
    wire age_first  = age_here && !s0_looks;           // no other master comes before the AGE: the master is known early
    reg  install_wants;                                 // ppuc asked for an INSTALL in the cycle before
    // (an INSTALL that waits holds frame_mem's exit, and does not wait for an AGE that waits for frame_mem)
    wire install_go = install_wants && !(FRAME_MEM != 0 ? age_go : age_first) && !s0_looks;
    // reserved turn: DECIDE does not come right behind an operation of the driver, or behind a FILL or an AGE of a frame
    wire decide_may   = decide_req && decide_ok && !(FRAME_MEM == 0 && (s0_drives || s0_renews));
    wire search_go;    // the search is granted
    wire drv_has;      // the driver is granted
    wire search_ready; // no request comes before the search's, and the turn may be granted
    wire drv_ready_x;  // no request comes before the driver's, and the turn may be granted
    wire drv_turn;     // the turn of this cycle is the driver's, whether or not the turn may be granted
    wire search_turn;  // the turn of this cycle is the search's, whether or not the turn may be granted
    wire t_asks     = T2_SLOTS != 0 && t_req && !held && !(places && (s0_drives || later_drives));
    gmmu_turns #(.N(2)) turns (
        .clk(clk),
        .rst(rst),
        .enable(open && !age_first && !install_go && !written && s0_ready),
        .request({drv_valid && !drv_waits, (expire_req || cand_req || decide_may || t_asks) && !s0_looks}),
        .ready({drv_ready_x, search_ready}),
        .turn({drv_turn, search_turn}),
        .grant({drv_has, search_go})
    );
    wire drv_looks = drv_has && two_slots && !s0_looks, drv_go = drv_has && !drv_looks;
    wire unused_ready = &{1'b0, search_ready, search_turn};
    assign drv_ready    = drv_ready_x && !drv_waits && (!two_slots || s0_looks);
    assign find_take    = drv_go && finds;
    assign expire_grant = search_go && expire_req;
    assign t_grant      = search_go && !expire_req && t_asks;
    assign cand_grant   = search_go && !expire_req && !t_asks && cand_req;
    assign decide_grant = search_go && !expire_req && !t_asks && decide_may;

    wire   framed   = drv_op < OP_ASK || drv_op == OP_T2_FILL_DONE || drv_op == OP_T2_SWAP; // the operation has a frame
    assign s0_valid = age_go || drv_go || search_go;
    wire [3:0] s0_kind = age_go ? SIDE_AGE : install_go ? SIDE_INSTALL : drv_go ? SIDE_DRV : expire_grant ? SIDE_EXPIRE : t_grant ? t_kind :
                      cand_grant ? (cand_hand ? SIDE_HAND : SIDE_CAND) : SIDE_DECIDE;
    wire   s0_bad   = drv_op == 0 || drv_op > (T2_SLOTS != 0 ? OP_T2_SWAP : OP_ASK) || (framed && {1'b0, drv_frame} >= cfg_frames);
    // late select: the frame of the master that may go, whether or not it goes
    wire [FRAME_W-1:0] g_frame = age_first ? age_index[FRAME_W-1:0] : drv_turn ? drv_frame : expire_req ? expire_frame : t_asks ? t_frame
        : cand_req ? cand_frame : decide_frame;
    wire   s0_none  = age_first ? !age_of[0] : drv_go ? s0_bad || !framed : !expire_grant && !t_grant && !cand_grant && !decide_have;
    wire   drv_slots = drv_op >= OP_T2_FILL_DONE || drv_t2;          // the driver's operation has a slot
    wire   g_slots   = age_go ? age_of[2] : drv_has ? drv_slots : t_grant;
    assign asked    = {decide_grant, s0_none, s0_bad, s0_kind}; // after, none, bad, kind
    assign install_coming = install_wants;

    // ======== s0 to s3
    localparam OP_BITS = 1 + 1 + 1 + 1 + 4 + 1 + PAGE_BITS; // {ahead, force, t2, bad, op, dirty, page}
    // the action at the stages: valid, kind, frame, the driver's operation, and {returns, was}. r0: s0 with frames in RAM; r3: s3, but
    // for an action that comes back from memory
    reg                r0_valid, s1_valid, s2_valid, r3_valid;
    reg  [3:0]         r0_kind, s1_kind, s2_kind, r3_kind;
    reg  [T2_W-1:0]    s2_slot;      // slot of the action at s2
    reg  [T2_W-1:0]    s3_slot;      // slot of the action at s3
    reg                s0_ages_slot; // the action at s0 is AGE of a slot
    reg                s0_asks_slot; // the action at s0 is tier_place's
    reg                s0_has_slot;  // the driver's operation at s0 has a slot
    assign s1_rise       = s1_kind == SIDE_RISE;
    reg  [FRAME_W-1:0] r0_frame, s1_frame, s2_frame, r3_frame;
    reg  [OP_BITS-1:0]  r0_drv, s1_drv, s2_drv, r3_drv;
    reg  [TIME_W:0]    r0_was, s1_was, s2_was, r3_was;
    wire [3:0] s2_op; // the driver's operation at s2, OP_*
    assign s0_frame = FRAME_MEM != 0 ? g_frame : r0_frame;
    always @(posedge clk) begin
        r0_valid <= !rst && FRAME_MEM == 0 && (install_go || s0_valid);
        r0_kind  <= s0_kind;
        r0_frame <= g_frame;
        s1_valid <= !rst && (FRAME_MEM != 0 ? install_go : r0_valid);
        s1_kind  <= FRAME_MEM != 0 ? s0_kind : r0_kind;
        s1_frame <= s0_frame;
        {s0_looks, s1_looks, s2_looks} <= rst ? 3'd0 : {drv_looks, s0_looks, s1_looks};
        {s3_may_done, s3_may_swap} <= rst ? 2'd0 : {2{s2_looks}} & {s2_op == OP_T2_FILL_DONE, s2_op == OP_T2_SWAP};
        if (drv_valid) begin // (the grant arrives late, and is not awaited)
            r0_drv <= {drv[DRV_AHEAD_O], drv[DRV_FORCE_O], (drv_t2 || drv_op == OP_T2_SWAP) && T2_SLOTS != 0, s0_bad, drv_op, drv[DRV_DIRTY_O],
                       drv[DRV_ASID_O +: ASID_W], drv[DRV_VPN_O +: VPN_W]};
            r0_was <= {drv[DRV_RETURNS_O], drv[DRV_WAS_O +: TIME_W]};
        end
        s1_drv   <= r0_drv;
        s1_was   <= r0_was;
        s0_slot  <= age_first ? age_slot : drv_turn ? drv[DRV_SLOT_O +: T2_W] : t_slot;
        s1_slot  <= s0_slot;
        {s0_ages_slot, s0_asks_slot} <= rst ? 2'd0 : {age_go && age_of[2], t_grant};
        s0_has_slot   <= T2_SLOTS != 0 && drv_slots;
        s1_slot_valid <= !rst && (s0_ages_slot || s0_asks_slot || ((s0_drives || s0_looks) && s0_has_slot));
        s2_slot  <= s1_slot;
        s3_slot  <= s2_slot;
        {s0_writes, s1_writes, s2_writes} <= {g_slots && !drv_looks && (age_go || drv_has || t_kind != SIDE_CAND2), s0_writes, s1_writes};
        s0_decides <= FRAME_MEM == 0 && decide_grant;
        {s0_drives, s1_drives, s2_drives} <= {drv_go, s0_drives, s1_drives};
        {s0_cancels, s1_cancels, s2_cancels} <= {drv_go && drv_op == OP_CANCEL, s0_cancels, s1_cancels};
        later_writes <= s0_writes || s1_writes || s2_writes;
        later_drives <= s0_drives || s1_drives || s2_drives;
        later_waits  <= s0_cancels || s1_cancels || s2_cancels || places;
        s0_renews <= (age_go && age_of[0]) || (drv_go && !s0_bad && (drv_op == OP_FILL || drv_op == OP_T2_SWAP));
        {s1_renews, s2_renews, s3_renews} <= {s0_renews, s1_renews, s2_renews};
        s2_valid <= s1_valid && !rst;
        if (s1_valid || s1_looks) begin
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
    assign s2_page  = s2_drv[PAGE_BITS-1:0];
    // the action is decoded a cycle before s3; an action that comes back from memory is decoded at s3
    wire       s2_bad; // the driver's operation at s2 is refused
    assign {s2_bad, s2_op} = s2_drv[PAGE_BITS+1 +: 5];
    wire       s2_drives_op = s2_valid && s2_kind == SIDE_DRV && !s2_bad;
    reg        r3_fill; // FILL, or T2_SWAP that is allowed
    reg        r3_free; // FREE, or T2_FILL_DONE that is allowed
    reg         r3_finds; // an operation of the driver whose page fault_queue found, refused or not
    reg  [18:0] r3_is;  // one-hot: kind (EXPIRE, AGE, CAND, HAND, DECIDE, CAND2, RISE, PLACE), operation of the driver, refused operation
    function [7:0] kinds(input valid, input [3:0] kind);
        kinds = valid ? {kind == SIDE_EXPIRE, kind == SIDE_AGE, kind == SIDE_CAND, kind == SIDE_HAND, kind == SIDE_DECIDE, kind == SIDE_CAND2,
                         kind == SIDE_RISE, kind == SIDE_PLACE} : 8'd0;
    endfunction
    function found(input valid, input [3:0] kind, input [3:0] op_is); // an operation with find_req
        found = valid && kind == SIDE_DRV &&
                (op_is == OP_FILL || op_is == OP_FREE || op_is == OP_CANCEL || op_is == OP_ASK ||
                 (T2_SLOTS != 0 && (op_is == OP_T2_FILL_DONE || op_is == OP_T2_SWAP)));
    endfunction
    function [9:0] ops(input valid, input [3:0] kind, input unknown, input [3:0] op_is);
        ops = valid && kind == SIDE_DRV && !unknown ?
              {op_is == OP_FILL, op_is == OP_FREE, op_is == OP_PIN, op_is == OP_UNPIN, op_is == OP_CANCEL, op_is == OP_ASK,
               T2_SLOTS != 0 && op_is == OP_T2_FILL_DONE, T2_SLOTS != 0 && op_is == OP_T2_FREE, T2_SLOTS != 0 && op_is == OP_T2_CANCEL,
               T2_SLOTS != 0 && op_is == OP_T2_SWAP} : 10'd0;
    endfunction
    always @(posedge clk) begin
        r3_fill <= !rst && s2_drives_op && (s2_op == OP_FILL || (T2_SLOTS != 0 && s2_op == OP_T2_SWAP && may_be));
        r3_free <= !rst && s2_drives_op && (s2_op == OP_FREE || (T2_SLOTS != 0 && s2_op == OP_T2_FILL_DONE && may_be));
        r3_finds <= !rst && found(s2_valid, s2_kind, s2_op);
        r3_is  <= rst ? 19'd0 : {kinds(s2_valid, s2_kind), ops(s2_valid, s2_kind, s2_bad, s2_op), s2_valid && s2_kind == SIDE_DRV && s2_bad};
        age_of <= {T2_SLOTS != 0 && age_at >= TO_ENTRIES, age_of_slot, age_at >= FRAMES && age_at < TO_SLOTS, age_of_frame};
    end

    // ======== s3: the action
    wire m3_valid = m3[M3_VALID_O];
    wire m3_touch = m3[M3_TOUCH_O];
    wire s3_t2;                   // the driver's operation names a slot
    wire s3_force;                // ASK: the decision may take a fresh frame
    wire s3_ahead;                // CANCEL of a decision ahead
    wire bad;                     // the driver's operation is refused
    wire s3_dirty;                // FILL: the page differs from its copy below
    wire [3:0] op;                // the driver's operation, OP_*
    wire [PAGE_BITS-1:0] s3_page; // page of the driver's operation
    assign {s3_ahead, s3_force, s3_t2, bad, op, s3_dirty, s3_page} = m3_valid ? {m3[M3_AHEAD_O], m3[M3_FORCE_O], 1'b0, m3[M3_BAD_O],
        m3[M3_OP_O +: 4], m3[M3_DIRTY_O], m3[M3_VPN_O +: PAGE_BITS]} : r3_drv;
    assign hand_came  = r3_valid && r3_kind == SIDE_HAND;
    assign cand2_came = r3_valid && r3_kind == SIDE_CAND2;
    wire s3_valid = m3_valid || (r3_valid && !(hand_came && hand_void) && !(cand2_came && t_void));
    wire [3:0] s3_kind = m3_touch ? SIDE_TOUCH : m3_valid ? m3[M3_KIND_O +: 4] : r3_kind;
    wire [FRAME_W-1:0] s3_frame = m3_valid ? m3[M3_FRAME_O +: FRAME_W] : r3_frame;

    // The fields of s3 have names for waves and proofs. A HAND or a CAND2 may be void; TOUCH has a kind of its own.
    wire is_age, is_hand, is_cand2, is_fill, is_free, is_cancel, is_bad;
    wire s3_pin, s3_unpin, s3_ask, s3_fill_done, s3_t2_free, s3_t2_cancel, s3_swap;
    wire s3_expire, s3_cand, s3_decide, s3_rise, s3_place;
    assign {s3_expire, is_age, s3_cand, is_hand, s3_decide, is_cand2, s3_rise, s3_place,
            is_fill, is_free, s3_pin, s3_unpin, is_cancel, s3_ask, s3_fill_done, s3_t2_free, s3_t2_cancel, s3_swap, is_bad} =
        FRAME_MEM != 0 ? {kinds(s3_valid, s3_kind), ops(s3_valid, s3_kind, bad, op), s3_valid && s3_kind == SIDE_DRV && bad} : r3_is;
    wire s3_fill      = FRAME_MEM != 0 ? is_fill : r3_fill;
    wire s3_free      = FRAME_MEM != 0 ? is_free : r3_free;
    wire s3_cancel    = is_cancel && (!s3_ahead || spare);
    wire s3_install   = r3_valid && r3_kind == SIDE_INSTALL && !m3_valid;
    wire s3_hand      = is_hand && !hand_void;
    wire s3_touch     = m3_touch;
    wire s3_cand2     = is_cand2 && !t_void;
    wire s3_age_frame = is_age && (FRAME_MEM != 0 ? age_of_frame : age_of[0]);
    wire s3_tables    = FRAME_MEM != 0 ? found(s3_valid, s3_kind, op) : r3_finds;
    wire s3_age_slot  = is_age && age_of[2];
    wire s3_age_entry = is_age && age_of[3];
    wire s3_returns;
    wire [TIME_W-1:0] s3_was;
    wire [ASID_W-1:0] s3_asid;
    wire [VPN_W-1:0]  s3_vpn;
    assign {s3_returns, s3_was} = r3_was;
    assign {s3_asid, s3_vpn}    = s3_page;
    assign s3 = {
        s3_asid, s3_vpn, s3_was, s3_slot, s3_frame, s3_ahead, s3_force, s3_t2, s3_returns, s3_dirty,
        s3_age_entry, s3_age_slot, s3_tables, s3_expire, s3_age_frame,
        s3_place, s3_rise, s3_cand2, s3_touch, s3_decide, s3_hand, s3_cand, s3_install,
        s3_swap, s3_t2_cancel, s3_t2_free, s3_fill_done, s3_ask, s3_cancel, s3_unpin, s3_pin, s3_free, s3_fill,
        s3_kind, s3_valid
    };
    assign s3_refused = is_bad || (is_cancel && !(s3_cancel && s3_had)) || ((s3_fill_done || s3_swap) && !done_ok) || t2_refused;
    reg  refused; // late count: an operation was refused in the cycle before

    always @(posedge clk) begin
        age_wants <= (age_due || age_owed) && !age_sent && !age_go && !age_fault_done && !rst;
        // an action is under way while a stage holds it: an action that was lost on the way is sent again
        {s0_ages, s1_ages, s2_ages} <= rst ? 3'd0 : {age_go, s0_ages, s1_ages};
        age_sent     <= !rst && (age_go || (FRAME_MEM != 0 ? age_sent && !is_age : s0_ages || s1_ages || s2_ages));
        install_wants <= !rst && install_req && !install_sent && !install_go;
        install_sent <= !rst && (install_go || (r0_valid && r0_kind == SIDE_INSTALL) || (s1_valid && s1_kind == SIDE_INSTALL) ||
                                 (s2_valid && s2_kind == SIDE_INSTALL));
        if (is_age || age_fault_done) begin
            age_owed  <= 1'b0;
            age_index <= age_index == LAST_STAMP ? {AGE_W{1'b0}} : age_index + 1'b1;
            age_slot  <= is_age && age_of_slot ? age_slot + 1'b1 : {T2_W{1'b0}};
            age_entry <= s3_age_entry ? age_entry + 1'b1 : {TP_W{1'b0}};
        end
        if (age_due)
            age_owed <= 1'b1;
        refused         <= s3_refused && !rst;
        stat_drv_errors <= stat_drv_errors + {31'd0, refused};
        if (rst) begin
            age_owed  <= 1'b0;
            age_index <= 0;
            age_slot  <= 0;
            age_entry <= 0;
            stat_drv_errors <= 0;
        end
    end

    assign busy = r0_valid || s1_valid || s2_valid || s3_valid || age_owed;
    assign wake = busy || drv_valid || install_req;

endmodule
`default_nettype wire
