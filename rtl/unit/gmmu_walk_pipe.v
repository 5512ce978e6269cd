// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_pipe: the walk's way through the unit, and time (docs/blocks/walk_pipe.md).
//
// A walk is taken in every cycle in which one is offered, and takes effect nine cycles later, in order. What a
// block needs of it, it takes from the stage that is as far ahead of the effect as the block is long:
//
//   in ─► w1 ─ w2 ───── w3 ───── w4 ─────── w5 ─ w6 ───── w7 ─ w8 ───── w9: effect, time
//              ref_rit  sampler  hir_cache  frame                frame's
//                                           number               page
//
// Time is the number of walks, 1 at the first one's effect, modulo 2^TIME_W (docs/schedule.md).
`default_nettype none
module gmmu_walk_pipe #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter FRAME_W = 14,
    // bits of a slot of Tier 2
    parameter T2_W    = 1,
    // bits of AGE's index: frames, faults, and what else has a time stamp
    parameter AGE_W   = FRAME_W + 1,
    parameter TIME_W  = 24,
    // bits of an entry of the trace sampler
    parameter SAMP_W  = 10
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [4:0]         cfg_refresh, // log2 of the walks between two refresh ticks
    input  wire               open,        // walks are taken
    input  wire               in_valid,
    input  wire               in_fault,
    input  wire               in_write,
    input  wire [ASID_W-1:0]  in_asid,
    input  wire [VPN_W-1:0]   in_vpn,
    input  wire [REF_W-1:0]   in_ref,
    input  wire [FRAME_W-1:0] in_frame,
    input  wire               in_t2,       // a fault's page is in in_slot
    input  wire [T2_W-1:0]    in_slot,
    // what stands at a stage; without a valid bit of its own, whatever was there last
    output wire               w2_valid,
    output wire [ASID_W-1:0]  w2_asid,
    output wire [REF_W-1:0]   w2_ref,
    output wire               w3_valid,
    output wire [ASID_W-1:0]  w3_asid,
    output wire [VPN_W-1:0]   w3_vpn,
    output wire               w4_valid,
    output wire               w4_fault,
    output wire [ASID_W-1:0]  w4_asid,
    output wire [VPN_W-1:0]   w4_vpn,
    output wire [FRAME_W-1:0] w5_frame,
    output wire               w7_fault,    // a walk stands at w7, and it is a fault
    output wire [ASID_W-1:0]  w7_asid,
    output wire [VPN_W-1:0]   w7_vpn,
    output wire [ASID_W-1:0]  w8_asid,
    output wire [VPN_W-1:0]   w8_vpn,
    output wire [TIME_W-1:0]  w8_time,
    output wire [T2_W-1:0]    w8_slot,
    output wire               w9_valid,
    output wire               w9_fault,    // a walk stands at w9, and it is a fault
    output wire               w9_write,
    output wire [ASID_W-1:0]  w9_asid,
    output wire [VPN_W-1:0]   w9_vpn,
    output wire [REF_W-1:0]   w9_ref,
    output wire [FRAME_W-1:0] w9_frame,
    output wire               w9_t2,
    output wire [T2_W-1:0]    w9_slot,
    output reg  [TIME_W-1:0]  w9_time,
    output wire               w9_tick,     // a refresh tick falls on it
    output reg  [TIME_W-1:0]  now,         // walks before the one at w9
    output wire [TIME_W-1:0]  next,        // and with it
    output wire               age_due,     // an AGE, a SCRUB is owed from here on
    output wire               scrub_due,
    output wire               busy,        // a walk is under way
    output wire               wake,
    output reg  [31:0]        stat_walks
);

    // Walks between two AGEs: a round over all that has a stamp takes at most 2^(TIME_W-2); between two SCRUBs: a
    // round over the sampler's entries takes at most 2^(TIME_W-3).
    localparam AGE_LOG = TIME_W - 2 - AGE_W, SCRUB_LOG = TIME_W - 3 - SAMP_W;
    generate
        // an AGE may take 8 cycles, a SCRUB 261: they must not come more often
        if (TIME_W > 32 || AGE_W + 5 > TIME_W || SAMP_W + 12 > TIME_W) begin : g_bad
            TIME_W_FRAMES_or_SAMPLER_out_of_range stop_here();
        end
    endgenerate

    localparam PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W; // a hit's frame, or a fault's slot
    localparam BEAT_W = VPN_W + ASID_W + REF_W + PLACE_W + 3;
    wire [PLACE_W-1:0] in_place = in_fault ? {{PLACE_W - T2_W{1'b0}}, in_slot} : {{PLACE_W - FRAME_W{1'b0}}, in_frame};

    reg [9:1]        valid;
    reg [BEAT_W-1:0] w1, w2, w3, w4, w5, w6, w7, w8, w9;
    always @(posedge clk) begin
        valid <= rst ? 9'd0 : {valid[8:1], in_valid && open};
        if (in_valid)
            w1 <= {in_t2 && in_fault, in_fault, in_write, in_place, in_ref, in_asid, in_vpn};
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
            w9 <= w8;
    end

    localparam ASID_O = VPN_W, REF_O = ASID_O + ASID_W, FRAME_O = REF_O + REF_W, WRITE_O = FRAME_O + PLACE_W,
               FAULT_O = WRITE_O + 1;
    assign w2_valid = valid[2];
    assign w2_asid  = w2[ASID_O +: ASID_W];
    assign w2_ref   = w2[REF_O +: REF_W];
    assign w3_valid = valid[3];
    assign w3_asid  = w3[ASID_O +: ASID_W];
    assign w3_vpn   = w3[VPN_W-1:0];
    assign w4_valid = valid[4];
    assign w4_fault = w4[FAULT_O];
    assign w4_asid  = w4[ASID_O +: ASID_W];
    assign w4_vpn   = w4[VPN_W-1:0];
    assign w5_frame = w5[FRAME_O +: FRAME_W];
    assign w7_fault = valid[7] && w7[FAULT_O];
    assign w7_asid  = w7[ASID_O +: ASID_W];
    assign w7_vpn   = w7[VPN_W-1:0];
    assign w8_asid  = w8[ASID_O +: ASID_W];
    assign w8_vpn   = w8[VPN_W-1:0];
    assign w8_slot  = w8[FRAME_O +: T2_W];
    assign w9_valid = valid[9];
    assign w9_fault = valid[9] && w9[FAULT_O];
    assign w9_write = w9[WRITE_O];
    assign w9_asid  = w9[ASID_O +: ASID_W];
    assign w9_vpn   = w9[VPN_W-1:0];
    assign w9_ref   = w9[REF_O +: REF_W];
    assign w9_frame = w9[FRAME_O +: FRAME_W];
    assign w9_slot  = w9[FRAME_O +: T2_W];
    assign w9_t2    = w9[FAULT_O + 1];

    // time of the walk at w8, where there is none of the last one before; a cycle later at w9
    reg [TIME_W-1:0] time8;
    reg              tick; // of the time at w9
    assign w8_time = time8;
    assign next    = w9_valid ? w9_time : now;
    always @(posedge clk) begin
        if (valid[7])
            time8 <= time8 + 1'b1;
        w9_time <= time8;
        now     <= next;
        tick       <= (time8 & ~({TIME_W{1'b1}} << cfg_refresh)) == 0;
        stat_walks <= stat_walks + {31'd0, w9_valid};
        if (rst) begin
            time8 <= 0;
            now   <= 0;
            stat_walks <= 0;
        end
    end
    assign w9_tick   = w9_valid && tick;
    assign age_due   = w9_valid && w9_time[AGE_LOG-1:0] == 0;
    assign scrub_due = w9_valid && w9_time[SCRUB_LOG-1:0] == 0;

    assign busy = valid != 0;
    assign wake = busy || in_valid;

endmodule
`default_nettype wire
