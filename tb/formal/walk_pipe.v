// SPDX-License-Identifier: Apache-2.0
// Proofs about walk_pipe: a replay is no access.
//: pdr 60 s
//: bmc3 40 frames 20 s
//: find 1970:time_counts 262:replay_no_time 1971:accesses_alone 1972:accesses_alone 1973:accesses_alone 1974:epochs
`default_nettype none
module formal_walk_pipe #(
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter REF_W   = 1,
    parameter SM_W    = 1,
    parameter FRAME_W = 1,
    parameter T2_W    = 1,
    parameter AGE_W   = 2,
    parameter TIME_W  = 14,
    parameter SAMP_W  = 2
`include "gmmu_beat_walk.vh"
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
) (
    input wire                 clk,
    input wire                 reset, open, in_valid,
    input wire [WALK_BITS-1:0] in_walk
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    (* anyconst *) wire [4:0] cfg_refresh;
    (* anyconst *) wire [4:0] cfg_fresh;
    (* hierconn *) wire [31:0] \dut.went ;

    wire w2_valid, w2_look, w3_valid, w4_valid, w7_fault, epoch_ends, age_due, scrub_due;
    wire [W9_BITS-1:0] w9;
    wire [TIME_W-1:0]  now, next;
    gmmu_walk_pipe #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .FRAME_W(FRAME_W), .T2_W(T2_W), .AGE_W(AGE_W), .TIME_W(TIME_W), .SAMP_W(SAMP_W)
    ) dut (
        .clk(clk), .rst(rst), .cfg_refresh(cfg_refresh), .cfg_fresh(cfg_fresh), .open(open), .in_valid(in_valid), .in_walk(in_walk),
        .w2_valid(w2_valid), .w2_look(w2_look), .w3_valid(w3_valid), .w4_valid(w4_valid), .w7_fault(w7_fault), .w9(w9), .now(now), .next(next),
        .epoch_ends(epoch_ends), .age_due(age_due), .scrub_due(scrub_due)
    );

    // the beats, cycle by cycle: {replay, fault}
    reg  [9:1] walks, replays, faults;
    reg  [TIME_W-1:0] accesses; // that took effect
    reg  [31:0] total;          // walks and replays that took effect
    wire effect = walks[9] || replays[9];
    wire takes = in_valid && open;
    wire [31:0] counted = total + 1'b1;
    wire ends  = (counted << 1 << ~cfg_fresh) == 0; // the lowest cfg_fresh bits are 0
    always @(posedge clk) begin
        walks    <= {walks[8:1], takes && !in_walk[WALK_REPLAY_O]};
        replays  <= {replays[8:1], takes && in_walk[WALK_REPLAY_O]};
        faults   <= {faults[8:1], in_walk[WALK_FAULT_O]};
        accesses <= accesses + walks[9];
        if (effect)
            total <= counted;
        if (rst) begin
            {walks, replays} <= 18'd0;
            accesses <= {TIME_W{1'b0}};
            total    <= 32'd0;
        end
    end

    always @* if (!rst) begin
        // A walk or a replay takes effect nine cycles after its beat, each as what it is.
        after_nine: assert ({w9[W9_VALID_O], w9[W9_FAULT_O], w9[W9_REPLAY_O], w9[W9_BACK_O]} ==
                            {walks[9], walks[9] && faults[9], replays[9], replays[9] && faults[9]});
        // Time is the number of accesses,
        time_counts: assert (now == accesses && next == accesses + walks[9] && (!walks[9] || w9[W9_TIME_O +: TIME_W] == next));
        // so a replay changes none, and no tick of a refresh, of AGE or of SCRUB falls on it.
        replay_no_time: assert (!replays[9] || (next == now && !w9[W9_TICK_O] && !age_due && !scrub_due));
        // The Ref RIT, the sampler and the HIR cache are shown accesses alone; of a replay a fault's reference is looked up.
        accesses_alone: assert (w2_valid == walks[2] && w3_valid == walks[3] && w4_valid == walks[4] && w2_look == (replays[2] && faults[2]));
        // fault_queue's clock is woken by each fault two cycles before.
        fault_ahead: assert (w7_fault == ((walks[7] || replays[7]) && faults[7]));
        // An epoch has 2^cfg_fresh walks and replays, which are counted at w8.
        epochs: assert (epoch_ends == (effect && ends) && \dut.went == (effect ? counted : total));
    end

endmodule
`default_nettype wire
