// SPDX-License-Identifier: Apache-2.0
// kit: the scenes of docs/guide/integration.md, one after the other, on gmmu_tier_axil with four frames and four slots of Tier 2.
// Each is between its $display lines "begin NAME TIME" and "end NAME TIME"; scripts/wave_pictures.py draws them. Checks what it
// shows: ends with PASS, or with FAIL and what was found (SystemVerilog for $fatal alone).
`default_nettype none
`timescale 1ns / 1ns
`include "gmmu_config.vh"
module kit #(
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
) ();
`include "gmmu_streams.vh"
    reg clk = 1'b0, rst = 1'b1;
    always #5 clk = !clk;

    reg  [WALK_TDATA-1:0]  walk = 0;
    reg  [DRV_TDATA-1:0]   op = 0;
    reg                    walk_valid = 1'b0, op_valid = 1'b0, decision_ready = 1'b0;
    wire                   walk_ready, op_ready, decision_valid, quiet, irq;
    wire [DEC_TDATA-1:0]   decision;
    reg  [11:0]            awaddr = 0, araddr = 0;
    reg                    awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
    reg  [31:0]            wdata = 0;
    wire [31:0]            rdata;
    wire                   awready, wready, arready, bvalid, rvalid;
    wire [1:0]             bresp, rresp;
    gmmu_tier_axil #(.FRAMES(FRAMES), .FAULTS(FRAMES), .T2_SLOTS(T2_SLOTS), .RANGES(RANGES)) unit (
        .clk(clk), .rst(rst), .s_axil_awaddr(awaddr), .s_axil_araddr(araddr), .s_axil_awprot(3'd0), .s_axil_arprot(3'd0),
        .s_axil_awvalid(awvalid), .s_axil_wvalid(wvalid), .s_axil_arvalid(arvalid), .s_axil_awready(awready),
        .s_axil_wready(wready), .s_axil_arready(arready), .s_axil_wdata(wdata), .s_axil_wstrb(4'hF),
        .s_axil_bresp(bresp), .s_axil_rresp(rresp), .s_axil_bvalid(bvalid), .s_axil_rvalid(rvalid),
        .s_axil_bready(1'b1), .s_axil_rready(1'b1), .s_axil_rdata(rdata), .irq(irq), .quiet(quiet), .unit_rst(),
        .s_axis_walk_tdata(walk), .s_axis_walk_tvalid(walk_valid), .s_axis_walk_tready(walk_ready),
        .s_axis_drv_tdata(op), .s_axis_drv_tvalid(op_valid), .s_axis_drv_tready(op_ready),
        .m_axis_decision_tdata(decision), .m_axis_decision_tvalid(decision_valid), .m_axis_decision_tready(decision_ready),
        .m_frame_ar_valid(), .m_frame_w_valid(), .m_frame_ar_addr(), .m_frame_w_addr(), .m_frame_w_data(), .m_frame_ar_ready(1'b0),
        .m_frame_w_ready(1'b0), .m_frame_r_valid(1'b0), .m_frame_b_valid(1'b0), .m_frame_r_data({WORD_BITS{1'b0}}),
        .m_axis_rit_tdata(), .m_axis_hir_tdata(), .m_axis_rit_tvalid(), .m_axis_rit_tlast(), .m_axis_hir_tvalid(), .m_axis_hir_tlast(),
        .m_axis_rit_tready(1'b1), .m_axis_hir_tready(1'b1), .s_axis_range_tdata({RANGE_TDATA{1'b0}}), .s_axis_range_tvalid(1'b0),
        .s_axis_range_tready(), .m_axis_xfer_tdata(), .m_axis_xfer_tvalid(), .m_axis_xfer_tlast(), .m_axis_xfer_tready(1'b1)
    );

    // beats, field by field
    wire [VPN_W-1:0]   walk_page  = walk[WALK_VPN_O +: VPN_W];
    wire               walk_fault = walk[WALK_FAULT_O];
    wire               walk_replay = walk[WALK_REPLAY_O];
    wire [FRAME_W-1:0] walk_frame = walk[WALK_FRAME_O +: FRAME_W];
    wire [3:0]         op_code    = op[DRV_OP_O +: DRV_OP_W];
    wire [FRAME_W-1:0] op_frame   = op[DRV_FRAME_O +: FRAME_W];
    wire [VPN_W-1:0]   op_page    = op[DRV_VPN_O +: VPN_W];
    wire [T2_W-1:0]    op_slot    = op[DRV_SLOT_O +: T2_W];
    wire [1:0]         tier       = decision[DECISION_TIER_O +: DECISION_TIER_W];
    wire [VPN_W-1:0]   page       = decision[DECISION_VPN_O +: VPN_W];
    wire [FRAME_W-1:0] frame      = decision[DECISION_FRAME_O +: FRAME_W];
    wire [VPN_W-1:0]   victim     = decision[DECISION_V_VPN_O +: VPN_W];
    wire               dirty      = decision[DECISION_V_DIRTY_O];
    wire               ahead      = decision[DECISION_AHEAD_O];

    integer i;
    reg [FRAME_W-1:0] left;
    task send_walk(input [VPN_W-1:0] vpn, input fault, input [FRAME_W-1:0] at);
        send(vpn, fault, at, 1'b0);
    endtask
    task send_replay(input [VPN_W-1:0] vpn, input [FRAME_W-1:0] at); // of a page that is there
        send(vpn, 1'b0, at, 1'b1);
    endtask
    task send(input [VPN_W-1:0] vpn, input fault, input [FRAME_W-1:0] at, input replay);
        begin
            walk = 0;
            walk[WALK_REPLAY_O]           = replay;
            walk[WALK_VPN_O +: VPN_W]     = vpn;
            walk[WALK_REF_O +: REF_W]     = 16;
            walk[WALK_WRITE_O]            = vpn[0];
            walk[WALK_FAULT_O]            = fault;
            walk[WALK_FRAME_O +: FRAME_W] = at;
            walk_valid = 1'b1;
            @(negedge clk) walk_valid = 1'b0;
        end
    endtask
    task send_op(input [3:0] code, input [FRAME_W-1:0] at, input [VPN_W-1:0] vpn, input [T2_W-1:0] slot);
        begin
            op = 0;
            op[DRV_OP_O +: DRV_OP_W]   = code;
            op[DRV_FRAME_O +: FRAME_W] = at;
            op[DRV_VPN_O +: VPN_W]     = vpn;
            op[DRV_SLOT_O +: T2_W]     = slot;
            op_valid = 1'b1;
            #1 while (!op_ready) @(negedge clk) #1;
            @(negedge clk) op_valid = 1'b0;
        end
    endtask
    // waits for a decision of TIER for VPN, and takes it a cycle later
    task expect_decision(input [1:0] of_tier, input [VPN_W-1:0] vpn);
        begin
            while (!decision_valid) @(negedge clk);
            if (tier != of_tier || page != vpn)
                $fatal(1, "FAIL: found a decision of tier %0d for page %h, expected tier %0d for page %h", tier, page, of_tier, vpn);
            @(negedge clk) decision_ready = 1'b1;
            @(negedge clk) decision_ready = 1'b0;
        end
    endtask
    task write(input [11:0] at, input [31:0] data);
        begin
            awaddr = at; wdata = data; awvalid = 1'b1; wvalid = 1'b1;
            while (awvalid || wvalid) begin
                #1 if (awready && wready) begin
                    @(negedge clk) awvalid = 1'b0;
                    wvalid = 1'b0;
                end else @(negedge clk);
            end
            while (!bvalid) @(negedge clk);
            if (bresp != 0)
                $fatal(1, "FAIL: found response %0d to a write of %h, expected 0", bresp, at);
            @(negedge clk);
        end
    endtask
    task read(input [11:0] at, input [31:0] expected);
        begin
            araddr = at; arvalid = 1'b1;
            #1 while (!arready) @(negedge clk) #1;
            @(negedge clk) arvalid = 1'b0;
            while (!rvalid) @(negedge clk);
            if (rresp != 0 || rdata != expected)
                $fatal(1, "FAIL: found %h at %h (response %0d), expected %h", rdata, at, rresp, expected);
            @(negedge clk);
        end
    endtask

    task fill_all; // four faults while there are free frames
        for (i = 0; i < 4; i = i + 1) begin
            send_walk(20'h12 + i, 1'b1, 0);
            expect_decision(2'd1, 20'h12 + i);
            send_op(4'd1, i, 20'h12 + i, 0);
        end
    endtask

    initial begin
        $dumpfile("kit.vcd");
        $dumpvars(1, kit);
        $display("begin reset %0d", $time);
        repeat (3) @(negedge clk);
        rst = 1'b0;
        #1;
        while (!walk_ready) @(negedge clk) #1;
        repeat (2) @(negedge clk);
        $display("end reset %0d", $time);

        repeat (4) @(negedge clk);
        $display("begin bus %0d", $time);
        @(negedge clk);
        write(12'h200, 4); // cfg_frames
        read(12'h200, 4);
        $display("end bus %0d", $time);
        write(12'h260, 4); // cfg_t2_slots
        write(12'h268, 0); // cfg_tier: off
        repeat (8) @(negedge clk);

        $display("begin free %0d", $time);
        @(negedge clk) send_walk(20'h12, 1'b1, 0);
        expect_decision(2'd1, 20'h12);
        repeat (2) @(negedge clk); // the driver brings the page
        send_op(4'd1, 0, 20'h12, 0);
        repeat (3) @(negedge clk);
        send_walk(20'h12, 1'b0, 0);
        repeat (2) @(negedge clk);
        $display("end free %0d", $time);

        for (i = 1; i < 4; i = i + 1) begin
            send_walk(20'h12 + i, 1'b1, 0);
            expect_decision(2'd1, 20'h12 + i);
            send_op(4'd1, i, 20'h12 + i, 0);
        end
        repeat (80) @(negedge clk);
        if (quiet !== 1'b1)
            $fatal(1, "FAIL: found quiet %b at rest, expected 1", quiet);
        $display("begin full %0d", $time);
        @(negedge clk) send_walk(20'h20, 1'b1, 0);
        expect_decision(2'd2, 20'h20);
        left = frame;
        repeat (3) @(negedge clk); // the driver unmaps the victim, copies it out, brings the page
        send_op(4'd1, left, 20'h20, 0);
        repeat (3) @(negedge clk);
        $display("end full %0d", $time);

        write(12'h268, 1); // cfg_tier: every victim to Tier 2
        write(12'h008, 4); // reset of the unit alone: what was written is in force, and the tables are empty
        @(negedge clk);
        #1 while (!walk_ready) @(negedge clk) #1;
        @(negedge clk);
        fill_all;
        repeat (80) @(negedge clk);
        $display("begin tiers %0d", $time);
        @(negedge clk) send_walk(20'h21, 1'b1, 0);
        expect_decision(2'd2, 20'h21);
        left = frame;
        repeat (2) @(negedge clk);
        send_op(4'd7, left, 0, 3); // the victim is in slot 3
        repeat (2) @(negedge clk);
        send_op(4'd1, left, 20'h21, 0);
        repeat (3) @(negedge clk);
        $display("end tiers %0d", $time);
        repeat (80) @(negedge clk);
        write(12'h008, 2); // snapshot
        read(12'h300, 5);  // walks since then
        read(12'h314, 0);  // no operation was refused

        write(12'h268, 0);  // cfg_tier: off
        write(12'h2B8, 10); // cfg_fresh
        write(12'h008, 4);
        @(negedge clk);
        #1 while (!walk_ready) @(negedge clk) #1;
        @(negedge clk);
        fill_all;
        for (i = 0; i < 4; i = i + 1) send_replay(20'h12 + i, i);
        repeat (80) @(negedge clk);
        $display("begin late %0d", $time);
        @(negedge clk) send_walk(20'h22, 1'b1, 0);
        expect_decision(2'd2, 20'h22);
        left = frame;
        repeat (2) @(negedge clk);
        send_op(4'd1, left, 20'h22, 0);
        send_walk(20'h22, 1'b1, 0); // of another TLB, that missed before the page was mapped
        repeat (40) @(negedge clk);
        if (decision_valid !== 1'b0)
            $fatal(1, "FAIL: found a decision for the late fault of page %h, expected none", page);
        send_replay(20'h22, left);
        send_replay(20'h22, left);
        repeat (2) @(negedge clk);
        $display("end late %0d", $time);
        repeat (80) @(negedge clk);
        write(12'h008, 2);
        read(12'h34C, 6); // replays
        read(12'h358, 1); // late faults
        $display("begin ahead %0d", $time);
        write(12'h2C0, 1); // cfg_ahead
        while (!decision_valid) @(negedge clk);
        if (ahead !== 1'b1)
            $fatal(1, "FAIL: found a decision for page %h, expected one ahead of need", page);
        @(negedge clk) decision_ready = 1'b1;
        left = frame;
        @(negedge clk) decision_ready = 1'b0;
        repeat (3) @(negedge clk); // the driver unmaps the victim, and copies it out
        send_op(4'd2, left, 0, 0);
        repeat (40) @(negedge clk);
        send_walk(20'h23, 1'b1, 0);
        expect_decision(2'd1, 20'h23);
        repeat (2) @(negedge clk);
        send_op(4'd1, left, 20'h23, 0);
        repeat (3) @(negedge clk);
        $display("end ahead %0d", $time);
        $display("PASS");
        $finish;
    end
    initial #400000 $fatal(1, "FAIL: not done after 40000 cycles");
endmodule
`default_nettype wire
