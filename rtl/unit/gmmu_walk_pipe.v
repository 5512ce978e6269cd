// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_pipe: the stages of a walk, and time (docs/reference/blocks/walk_pipe.md).
//
// A walk is taken in every cycle in which a walk is offered, and takes effect nine cycles later, in order. A block takes its part of
// the walk from the stage that is as far ahead of the effect as the block is long:
//
//   in ─► w1 ─ w2 ───── w3 ───── w4 ─────── w5 ─ w6 ───── w7 ─ w8 ───── w9: effect, time
//              ref_rit  sampler  hir_cache  frame                frame's
//                                           number               page
//
// Time is the number of walks, 1 at the first one's effect, modulo 2^TIME_W (docs/guide/schedule.md).
`default_nettype none
module gmmu_walk_pipe #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter SM_W    = 8,
    parameter FRAME_W = 14,
    // bits of a slot of Tier 2
    parameter T2_W    = 1,
    // bits of AGE's index: frames, faults, slots, entries of the predictor
    parameter AGE_W   = FRAME_W + 1,
    parameter TIME_W  = 24,
    // bits of an entry of the trace sampler
    parameter SAMP_W  = 10
`include "gmmu_beat_walk.vh"
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [4:0]           cfg_refresh, // log2 of the walks between two refresh ticks
    input  wire [4:0]           cfg_fresh,   // log2 of the walks and replays of an epoch
    input  wire                 open,        // walks are taken
    input  wire                 in_valid,    // a walk is offered
    input  wire [WALK_BITS-1:0] in_walk,     // the offered walk, a beat of s_axis_walk
    // early bits: the walk at a stage before its effect; without a valid bit of its own, the last walk that was there
    output wire                 w2_valid,    // an access is at w2
    output wire                 w2_look,     // a replay that faults is at w2
    output wire [ASID_W-1:0]    w2_asid,     // address space of the walk at w2
    output wire [REF_W-1:0]     w2_ref,      // memory instruction of the walk at w2
    output wire [6*REF_W-1:0]   refs,        // memory instruction of the last walk at w8, w7, w6, w5, w4, w3
    output wire                 w3_valid,    // an access is at w3
    output wire [PAGE_BITS-1:0] w3_page,     // page of the walk at w3
    output wire                 w4_valid,    // an access is at w4
    output wire                 w4_fault,    // the last walk at w4 is a fault
    output wire [PAGE_BITS-1:0] w4_page,     // page of the last walk at w4
    output wire [FRAME_W-1:0]   w5_frame,    // frame of the walk hit at w5
    output wire                 w7_fault,    // a walk is at w7, and the walk is a fault
    output wire [PAGE_BITS-1:0] w8_page,     // page of the walk at w8
    output wire [5*PAGE_BITS-1:0] pages,     // page of the last walk at w9, w8, w7, w6, w5
    output wire [TIME_W-1:0]    w8_time,     // time of the walk at w8; without a walk the time of the last one
    // the walk at its effect, and time
    output wire [W9_BITS-1:0]   w9,          // the walk at w9
    output reg  [TIME_W-1:0]    now,         // number of accesses before the walk at w9
    output wire [TIME_W-1:0]    next,        // number of accesses with the walk at w9
    output wire                 epoch_ends,  // an epoch of fresh frames ends with the walk at w9, access or replay
    output wire                 age_due,     // an AGE is due from this cycle on
    output wire                 scrub_due,   // a SCRUB is due from this cycle on
    output wire                 busy,        // a walk is between w1 and w9
    output wire                 wake,        // the clock is needed: a walk is under way or offered
    output reg  [31:0]          stat_walks,  // number of accesses since reset
    output reg  [31:0]          stat_replays // number of replays since reset
);

    // Walks between two AGEs: a round over all time stamps takes at most 2^(TIME_W-2) walks. Walks between two SCRUBs: a round over
    // the sampler's entries takes at most 2^(TIME_W-3) walks.
    localparam AGE_LOG = TIME_W - 2 - AGE_W, SCRUB_LOG = TIME_W - 3 - SAMP_W;
    generate
        // an AGE may take 8 cycles, a SCRUB 261: AGEs and SCRUBs must not come more often
        if (TIME_W > 32) begin : g_bad_time
            TIME_W_must_be_at_most_32 stop_here();
        end
        if (AGE_W + 5 > TIME_W) begin : g_bad_age
            AGE_W_must_be_at_most_TIME_W_minus_5 stop_here();
        end
        if (SAMP_W + 12 > TIME_W) begin : g_bad_samp
            SAMP_W_must_be_at_most_TIME_W_minus_12 stop_here();
        end
    endgenerate

    localparam PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W; // a hit's frame, or a fault's slot
    localparam BEAT_W = PAGE_BITS + REF_W + PLACE_W + 4;
    wire in_fault = in_walk[WALK_FAULT_O];
    wire [PLACE_W-1:0] in_place = in_fault ? {{PLACE_W - T2_W{1'b0}}, in_walk[WALK_SLOT_O +: T2_W]}
                                           : {{PLACE_W - FRAME_W{1'b0}}, in_walk[WALK_FRAME_O +: FRAME_W]};
    wire unused_sm = &{1'b0, in_walk[WALK_SM_O +: SM_W]};

    reg [9:1]        valid;                               // bit i: a walk is at w<i>
    reg [BEAT_W-1:0] w1, w2, w3, w4, w5, w6, w7, w8, at9; // the walk at each stage: {replay, t2, fault, write, frame or slot, ref, page}
    always @(posedge clk) begin
        valid <= rst ? 9'd0 : {valid[8:1], in_valid && open};
        if (in_valid)
            w1 <= {in_walk[WALK_REPLAY_O], in_walk[WALK_T2_O] && in_fault, in_fault, in_walk[WALK_WRITE_O], in_place, in_walk[WALK_REF_O +: REF_W],
                   in_walk[WALK_ASID_O +: ASID_W], in_walk[WALK_VPN_O +: VPN_W]};
        if (valid[1])
            w2 <= w1;
        if (valid[2])
            w3 <= w2;
        if (valid[3])
            w4 <= w3;
        if (valid[4])
            w5 <= w4;
        if (valid[5])
            w6 <= w5;
        if (valid[6])
            w7 <= w6;
        if (valid[7])
            w8 <= w7;
        if (valid[8])
            at9 <= w8;
    end

    localparam REF_O = PAGE_BITS, PLACE_O = REF_O + REF_W, WRITE_O = PLACE_O + PLACE_W, FAULT_O = WRITE_O + 1, T2_O = FAULT_O + 1, REPLAY_O = T2_O + 1;
    // a replay is no access: it has no time, and of the stages before w9 only those of the frames and of the faults see it
    assign w2_valid = valid[2] && !w2[REPLAY_O];
    assign w2_look  = valid[2] && w2[REPLAY_O] && w2[FAULT_O];
    assign w2_asid  = w2[PAGE_ASID_O +: ASID_W];
    assign w2_ref   = w2[REF_O +: REF_W];
    assign refs     = {w8[REF_O +: REF_W], w7[REF_O +: REF_W], w6[REF_O +: REF_W], w5[REF_O +: REF_W], w4[REF_O +: REF_W], w3[REF_O +: REF_W]};
    assign w3_valid = valid[3] && !w3[REPLAY_O];
    assign w3_page  = w3[PAGE_BITS-1:0];
    assign w4_valid = valid[4] && !w4[REPLAY_O];
    assign w4_fault = w4[FAULT_O];
    assign w4_page  = w4[PAGE_BITS-1:0];
    assign w5_frame = w5[PLACE_O +: FRAME_W];
    assign w7_fault = valid[7] && w7[FAULT_O];
    assign w8_page  = w8[PAGE_BITS-1:0];
    assign pages    = {at9[PAGE_BITS-1:0], w8[PAGE_BITS-1:0], w7[PAGE_BITS-1:0], w6[PAGE_BITS-1:0], w5[PAGE_BITS-1:0]};
    reg [TIME_W-1:0] w9_time; // time of the walk at w9
    reg [TIME_W-1:0] time8;   // time of the walk at w8, or of the last walk before
    reg              tick;    // a refresh tick falls on w9_time
    // the fields of w9, by name for waves and proofs
    wire               w9_valid  = valid[9] && !at9[REPLAY_O];
    wire               w9_fault  = w9_valid && at9[FAULT_O];
    wire               w9_replay = valid[9] && at9[REPLAY_O];
    wire               w9_back   = w9_replay && at9[FAULT_O];
    wire               w9_write = at9[WRITE_O];
    wire               w9_tick  = w9_valid && tick;
    wire               w9_t2    = at9[T2_O];
    wire [T2_W-1:0]    w9_slot  = at9[PLACE_O +: T2_W];
    wire [FRAME_W-1:0] w9_frame = at9[PLACE_O +: FRAME_W];
    wire [REF_W-1:0]   w9_ref   = at9[REF_O +: REF_W];
    wire [VPN_W-1:0]   w9_vpn   = at9[PAGE_VPN_O +: VPN_W];
    wire [ASID_W-1:0]  w9_asid  = at9[PAGE_ASID_O +: ASID_W];
    assign w9 = {w9_asid, w9_vpn, w9_ref, w9_time, w9_frame, w9_slot, w9_t2, w9_tick, w9_write, w9_back, w9_replay, w9_fault, w9_valid};

    // time of the walk at w8, or of the last walk before; a cycle later at w9
    assign w8_time = time8;
    assign next    = w9_valid ? w9_time : now;
    always @(posedge clk) begin
        if (valid[7] && !w7[REPLAY_O])
            time8 <= time8 + 1'b1;
        w9_time <= time8;
        now     <= next;
        tick       <= (time8 & ~({TIME_W{1'b1}} << cfg_refresh)) == 0;
        stat_walks   <= stat_walks + {31'd0, w9_valid};
        stat_replays <= stat_replays + {31'd0, w9_replay};
        if (rst) begin
            time8 <= 0;
            now   <= 0;
            stat_walks   <= 0;
            stat_replays <= 0;
        end
    end

    // an epoch has 2^cfg_fresh walks, replays among them
    reg  [31:0] went;  // walks up to that at w8
    reg         ends;  // of the walk at w9: an epoch ends
    wire [31:0] goes = went + 1'b1;
    assign epoch_ends = valid[9] && ends;
    always @(posedge clk) begin
        ends <= (goes & ~(32'hFFFFFFFF << cfg_fresh)) == 0;
        if (valid[8])
            went <= goes;
        if (rst)
            went <= 32'd0;
    end
    assign age_due   = w9_valid && w9_time[AGE_LOG-1:0] == 0;
    assign scrub_due = w9_valid && w9_time[SCRUB_LOG-1:0] == 0;

    assign busy = valid != 0;
    assign wake = busy || in_valid;

endmodule
`default_nettype wire
