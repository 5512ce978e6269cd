// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_unit with its fault_queue: every noted fault gets its ENTER. DECIDEs, operations that are offered and AGEs compete for
// the table; operations are granted, or not, and are refused when they take effect.
//: pdr 10 s
//: bmc3 60 frames 30 s
//: deep
//: find 263:enters_soon
`default_nettype none
module formal_fault_enters #(
    parameter FRAMES  = 2,
    parameter FRAME_W = 1,
    parameter FAULTS  = 2,
    parameter NOTES   = 2,
    parameter IDX_W   = 1,
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter REF_W   = 1,
    parameter TIME_W  = 5,
    parameter CLASS_W = 1,
    parameter SEQ_W   = 2,
    parameter T2_W    = 1,
    parameter PLACE_W = 1
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_cfg_tiers.vh"
) (
    input wire                 clk,
    input wire                 fault, back, offers, takes, acts,
    input wire [PAGE_BITS-1:0] page, drv_page,
    input wire [TIME_W-1:0]    now
);

`include "gmmu_codes.vh"

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;

    wire [2:0] w9_outcome, enter_outcome;
    wire enter_valid, find_ready, waiting, queue_busy, cleared;
    reg  offered, granted;
    reg  [PAGE_BITS-1:0] find;
    wire find_take = find_ready && offered && takes, effect = granted && acts;
    wire comes = (fault || back) && ready;
    reg  ready; // the unit takes walks when the tables are empty
    gmmu_fault_unit #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .SEQ_W(SEQ_W), .FRAMES(FRAMES), .FAULTS(FAULTS),
        .NOTES(NOTES), .LATE(2), .POOL(1), .K(1), .TP_SETS(1), .TP_WAYS(1), .TP_TAG_W(2), .TP_CNT_W(1), .PARITY(0)
    ) dut (
        .clk(clk), .clk_queue(clk), .rst(rst), .clear(!ready), .cleared(cleared), .cfg_frames(2'd2), .cfg_ahead(1'b0), .cfg_search(2'd0),
        .cfg_tiers({CFGT_BITS{1'b0}}), .now(now), .next(now), .epoch_ends(1'b0), .makes_fresh(1'b1),
        .w9({{W9_BITS-1{1'b0}}, ready && fault && !back} << W9_VALID_O | {{W9_BITS-1{1'b0}}, ready && fault && !back} << W9_FAULT_O |
            {{W9_BITS-1{1'b0}}, ready && back} << W9_REPLAY_O | {{W9_BITS-1{1'b0}}, ready && back} << W9_BACK_O |
            {{W9_BITS-PAGE_BITS{1'b0}}, page} << W9_VPN_O | {{W9_BITS-TIME_W{1'b0}}, now} << W9_TIME_O),
        .w9_class({CLASS_W{1'b0}}), .w9_outcome(w9_outcome), .enter_valid(enter_valid), .enter_outcome(enter_outcome),
        .find_req(offered), .find_page(find), .find_ready(find_ready), .find_take(find_take), .decide_req(1'b0), .decide_take(1'b0),
        .age_fault(1'b0), .expire_take(1'b0), .s0_frame({FRAME_W{1'b0}}), .s0_slot(1'b0), .s1_slot_valid(1'b0), .s1_rise(1'b0), .s1_slot(1'b0),
        .s2_page({PAGE_BITS{1'b0}}), .s3_may_done(1'b0), .s3_may_swap(1'b0), .s3({{S3_BITS-1{1'b0}}, effect} << S3_TABLES_O),
        .age_index({FRAME_W+1{1'b0}}), .age_entry(1'b0), .held({HELD_BITS{1'b0}}), .waiting(waiting), .queue_busy(queue_busy), .hand_takes(1'b0),
        .decide_have(1'b0), .decide_tired(1'b0), .decide_fresh(1'b0), .decide_frame({FRAME_W{1'b0}}), .decide_priority(16'd0), .d_ready(1'b1),
        .t_grant(1'b0), .cand2_came(1'b0), .looked({LOOKED_BITS{1'b0}}), .flush_begun(1'b0), .ends_arrived(1'b0)
    );

    reg  [2:0] n;     // noted faults
    reg  [5:0] waits; // cycles since the last ENTER in which a fault was noted and no operation was granted
    always @(posedge clk) begin
        ready <= !rst && (ready || cleared);
        if (!offered && !granted && offers && ready)
            {offered, find} <= {1'b1, drv_page};
        if (find_take)
            {offered, granted} <= 2'b01;
        if (effect)
            granted <= 1'b0;
        n     <= n + (w9_outcome == FAULT_QUEUED) - enter_valid;
        waits <= n == 0 || enter_valid || find_ready || granted ? 6'd0 : waits + (waits != 6'd63);
        if (rst) begin
            {offered, granted} <= 2'b00;
            n     <= 3'd0;
            waits <= 6'd0;
        end
    end

    always @* if (!rst) begin
        // An ENTER is of a noted fault, and none is lost: a fault is dropped only when NOTES faults wait, without that of its cycle's ENTER.
        of_a_note: assert (!enter_valid || n != 0);
        dropped_when_full: assert (!comes || w9_outcome == (n - enter_valid >= NOTES ? FAULT_DROPPED : FAULT_QUEUED));
        // The unit is at work while a fault is noted.
        at_work: assert (n == 0 || waiting);
        // Without an operation that waits for its grant or effect, an ENTER comes within 32 cycles.
        enters_soon: assert (waits <= 6'd32);
    end

endmodule
`default_nettype wire
