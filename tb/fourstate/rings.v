// SPDX-License-Identifier: Apache-2.0
// through_rings: gmmu_tier_ring with software and memory around it, so that bench.v sees the ports of gmmu_tier_axil. A beat of an operation
// becomes an entry of a ring, an entry of a ring becomes a beat; the software sees registers and memory alone. Memory holds x where nothing
// was written. gmmu_check_axi looks at the AXI4 master. (SystemVerilog for $fatal and the checker alone.)
`default_nettype none
`timescale 1ns / 1ns
`include "gmmu_config.vh"
module through_rings #(
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   test_en,
    input  wire [11:0]            s_axil_awaddr,
    input  wire [11:0]            s_axil_araddr,
    input  wire [2:0]             s_axil_awprot,
    input  wire [2:0]             s_axil_arprot,
    input  wire                   s_axil_awvalid,
    input  wire                   s_axil_wvalid,
    input  wire                   s_axil_arvalid,
    output wire                   s_axil_awready,
    output wire                   s_axil_wready,
    output wire                   s_axil_arready,
    input  wire [31:0]            s_axil_wdata,
    input  wire [3:0]             s_axil_wstrb,
    output wire [1:0]             s_axil_bresp,
    output wire [1:0]             s_axil_rresp,
    output wire                   s_axil_bvalid,
    output wire                   s_axil_rvalid,
    input  wire                   s_axil_bready,
    input  wire                   s_axil_rready,
    output wire [31:0]            s_axil_rdata,
    output wire                   irq,
    output wire                   quiet,
    output wire                   unit_rst,
    input  wire [WALK_TDATA-1:0]  s_axis_walk_tdata,
    input  wire                   s_axis_walk_tvalid,
    output wire                   s_axis_walk_tready,
    input  wire [DRV_TDATA-1:0]   s_axis_drv_tdata,
    input  wire                   s_axis_drv_tvalid,
    output wire                   s_axis_drv_tready,
    output wire [DEC_TDATA-1:0]   m_axis_decision_tdata,
    output wire                   m_axis_decision_tvalid,
    input  wire                   m_axis_decision_tready,
    output wire                   m_frame_ar_valid,
    input  wire                   m_frame_ar_ready,
    output wire [FRAME_W-1:0]     m_frame_ar_addr,
    input  wire                   m_frame_r_valid,
    input  wire [WORD_BITS-1:0]   m_frame_r_data,
    output wire                   m_frame_w_valid,
    input  wire                   m_frame_w_ready,
    output wire [FRAME_W-1:0]     m_frame_w_addr,
    output wire [WORD_BITS-1:0]   m_frame_w_data,
    input  wire                   m_frame_b_valid,
    output wire [RIT_TDATA-1:0]   m_axis_rit_tdata,
    output wire                   m_axis_rit_tvalid,
    output wire                   m_axis_rit_tlast,
    input  wire                   m_axis_rit_tready,
    output wire [HIR_TDATA-1:0]   m_axis_hir_tdata,
    output wire                   m_axis_hir_tvalid,
    output wire                   m_axis_hir_tlast,
    input  wire                   m_axis_hir_tready,
    input  wire [RANGE_TDATA-1:0] s_axis_range_tdata,
    input  wire                   s_axis_range_tvalid,
    output wire                   s_axis_range_tready,
    output wire [XFER_TDATA-1:0]  m_axis_xfer_tdata,
    output wire                   m_axis_xfer_tvalid,
    output wire                   m_axis_xfer_tlast,
    input  wire                   m_axis_xfer_tready
);
    localparam ADDR_W = 32, DATA_W = 32, BYTES = DATA_W / 8, WRITES = 3;
    localparam DECISION = 0, XFER = 1, RIT = 2, HIR = 3, DRV = 4, RANGE = 5;

    // ======== the rings: entries, bytes of one, place in memory; a border of 4 KiB is in each
    function integer entry_of(input integer bits); // the power of two that holds a beat and a byte
        begin
            entry_of = 16;
            while (entry_of < bits / 8 + 1)
                entry_of = 2 * entry_of;
        end
    endfunction
    function integer beat_of(input integer c);
        beat_of = c == DECISION ? DEC_TDATA : c == XFER ? XFER_TDATA : c == RIT ? RIT_TDATA : c == HIR ? HIR_TDATA : c == DRV ? DRV_TDATA : RANGE_TDATA;
    endfunction
    function integer size_of(input integer c);
        size_of = c == DECISION ? 3 : c == XFER ? 4 : c == RIT ? 20 : c == HIR ? 40 : c == DRV ? 4 : 2;
    endfunction
    function integer base_of(input integer c);
        base_of = 32'h4000 * c + 32'h0FC0;
    endfunction

    // ======== the unit
    reg  [12:0]         awaddr;
    reg  [12:0]         araddr;
    reg  [31:0]         wdata;
    reg                 owned = 1'b0;   // the bus belongs to the software, else to the bench
    reg                 sends = 1'b0;   // of the software: address and data of a write are offered
    reg                 asks = 1'b0;    // of the software: the address of a read is offered
    wire                awready;
    wire                wready;
    wire                arready;
    wire                bvalid;
    wire                rvalid;
    wire                now;            // nothing is under way or pending in unit and rings
    wire [ADDR_W-1:0]   x_awaddr;
    wire [ADDR_W-1:0]   x_araddr;
    wire [7:0]          x_awlen;
    wire [7:0]          x_arlen;
    wire [2:0]          x_awsize;
    wire [2:0]          x_arsize;
    wire [1:0]          x_awburst;
    wire [1:0]          x_arburst;
    wire [3:0]          x_awcache;
    wire [3:0]          x_arcache;
    wire [2:0]          x_awprot;
    wire [2:0]          x_arprot;
    wire [3:0]          x_awqos;
    wire [3:0]          x_arqos;
    wire                x_awid;
    wire                x_arid;
    wire                x_awlock;
    wire                x_arlock;
    wire                x_awvalid;
    wire                x_arvalid;
    wire [DATA_W-1:0]   x_wdata;
    wire [BYTES-1:0]    x_wstrb;
    wire                x_wlast;
    wire                x_wvalid;
    wire                x_bready;
    wire                x_rready;
    reg                 x_awready = 1'b0;
    reg                 x_wready = 1'b0;
    reg                 x_arready = 1'b0;
    reg                 x_bvalid = 1'b0;
    reg                 x_rvalid = 1'b0;
    reg                 x_rlast;
    reg  [1:0]          x_bresp;
    reg  [1:0]          x_rresp;
    reg                 x_bid;
    reg                 x_rid;
    reg  [DATA_W-1:0]   x_rdata;
    gmmu_tier_ring #(
        .RING_ADDR_W(ADDR_W),
        .RING_DATA_W(DATA_W),
        .RING_WRITES(WRITES),
        .FRAMES(FRAMES),
        .FRAME_MEM(FRAME_MEM),
        .LINES(LINES),
        .BINS(BINS),
        .SAMPLER(SAMPLER),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .RANGES(RANGES),
        .PARITY(PARITY)
    ) dut (
        .clk(clk),
        .rst(rst),
        .test_en(test_en),
        .s_axil_awaddr(owned ? awaddr : {1'b0, s_axil_awaddr}),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(owned ? sends : s_axil_awvalid && !owned),
        .s_axil_awready(awready),
        .s_axil_wdata(owned ? wdata : s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(owned ? sends : s_axil_wvalid),
        .s_axil_wready(wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(bvalid),
        .s_axil_bready(owned || s_axil_bready),
        .s_axil_araddr(owned ? araddr : {1'b0, s_axil_araddr}),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(owned ? asks : s_axil_arvalid),
        .s_axil_arready(arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(rvalid),
        .s_axil_rready(owned || s_axil_rready),
        .irq(irq),
        .quiet(now),
        .unit_rst(unit_rst),
        .s_axis_walk_tdata(s_axis_walk_tdata),
        .s_axis_walk_tvalid(s_axis_walk_tvalid),
        .s_axis_walk_tready(s_axis_walk_tready),
        .m_frame_ar_valid(m_frame_ar_valid),
        .m_frame_ar_ready(m_frame_ar_ready),
        .m_frame_ar_addr(m_frame_ar_addr),
        .m_frame_r_valid(m_frame_r_valid),
        .m_frame_r_data(m_frame_r_data),
        .m_frame_w_valid(m_frame_w_valid),
        .m_frame_w_ready(m_frame_w_ready),
        .m_frame_w_addr(m_frame_w_addr),
        .m_frame_w_data(m_frame_w_data),
        .m_frame_b_valid(m_frame_b_valid),
        .m_axi_awid(x_awid),
        .m_axi_awaddr(x_awaddr),
        .m_axi_awlen(x_awlen),
        .m_axi_awsize(x_awsize),
        .m_axi_awburst(x_awburst),
        .m_axi_awlock(x_awlock),
        .m_axi_awcache(x_awcache),
        .m_axi_awprot(x_awprot),
        .m_axi_awqos(x_awqos),
        .m_axi_awvalid(x_awvalid),
        .m_axi_awready(x_awready),
        .m_axi_wdata(x_wdata),
        .m_axi_wstrb(x_wstrb),
        .m_axi_wlast(x_wlast),
        .m_axi_wvalid(x_wvalid),
        .m_axi_wready(x_wready),
        .m_axi_bid(x_bid),
        .m_axi_bresp(x_bresp),
        .m_axi_bvalid(x_bvalid),
        .m_axi_bready(x_bready),
        .m_axi_arid(x_arid),
        .m_axi_araddr(x_araddr),
        .m_axi_arlen(x_arlen),
        .m_axi_arsize(x_arsize),
        .m_axi_arburst(x_arburst),
        .m_axi_arlock(x_arlock),
        .m_axi_arcache(x_arcache),
        .m_axi_arprot(x_arprot),
        .m_axi_arqos(x_arqos),
        .m_axi_arvalid(x_arvalid),
        .m_axi_arready(x_arready),
        .m_axi_rid(x_rid),
        .m_axi_rdata(x_rdata),
        .m_axi_rresp(x_rresp),
        .m_axi_rlast(x_rlast),
        .m_axi_rvalid(x_rvalid),
        .m_axi_rready(x_rready)
    );
    gmmu_check_axi #(
        .ADDR_W(ADDR_W),
        .DATA_W(DATA_W),
        .WRITES(WRITES)
    ) check (
        .clk(clk),
        .rst(rst || !known),
        .awid(x_awid),
        .awaddr(x_awaddr),
        .awlen(x_awlen),
        .awsize(x_awsize),
        .awburst(x_awburst),
        .awlock(x_awlock),
        .awcache(x_awcache),
        .awprot(x_awprot),
        .awqos(x_awqos),
        .awvalid(x_awvalid && known),
        .awready(x_awready),
        .wdata(x_wdata),
        .wstrb(x_wstrb),
        .wlast(x_wlast),
        .wvalid(x_wvalid && known),
        .wready(x_wready),
        .bid(x_bid),
        .bresp(x_bresp),
        .bvalid(x_bvalid),
        .bready(x_bready),
        .arid(x_arid),
        .araddr(x_araddr),
        .arlen(x_arlen),
        .arsize(x_arsize),
        .arburst(x_arburst),
        .arlock(x_arlock),
        .arcache(x_arcache),
        .arprot(x_arprot),
        .arqos(x_arqos),
        .arvalid(x_arvalid && known),
        .arready(x_arready),
        .rid(x_rid),
        .rresp(x_rresp),
        .rlast(x_rlast),
        .rvalid(x_rvalid),
        .rready(x_rready)
    );
    reg     known = 1'b0; // a rising edge in reset has passed
    integer cycle = 0;
    integer seed = 7;
    always @(posedge clk) begin
        cycle = cycle + 1;
        if (rst) known <= 1'b1;
    end
    function chance(input integer permille);
        chance = $unsigned($random(seed)) % 1000 < permille;
    endfunction

    // ======== memory: bytes; a write is there beat by beat, and answered up to 40 cycles later
    reg [7:0]        mem [0:131071];
    reg [ADDR_W-1:0] aw_at [0:63];
    reg [7:0]        aw_len [0:63];
    reg [DATA_W:0]   w_of [0:255]; // WLAST, data
    integer          b_due [0:63];
    reg [ADDR_W-1:0] ar_at [0:63];
    reg [7:0]        ar_len [0:63];
    integer          aw_in = 0, aw_out = 0, w_in = 0, w_out = 0, w_beat = 0, b_in = 0, b_out = 0, ar_in = 0, ar_out = 0, r_beat = 0, bursts = 0;
    integer          m;
    reg [DATA_W:0]   w_now;
    always @(posedge clk) begin
        if (known && x_awvalid && x_awready) begin
            aw_at[aw_in % 64]  = x_awaddr;
            aw_len[aw_in % 64] = x_awlen;
            aw_in  = aw_in + 1;
            bursts = bursts + 1;
        end
        if (known && x_wvalid && x_wready) begin
            w_of[w_in % 256] = {x_wlast, x_wdata};
            w_in = w_in + 1;
        end
        if (known && x_arvalid && x_arready) begin
            ar_at[ar_in % 64]  = x_araddr;
            ar_len[ar_in % 64] = x_arlen;
            ar_in  = ar_in + 1;
            bursts = bursts + 1;
        end
        if (aw_in != aw_out && w_in != w_out) begin
            w_now = w_of[w_out % 256];
            for (m = 0; m < BYTES; m = m + 1)
                mem[aw_at[aw_out % 64] + BYTES * w_beat + m] = w_now[8 * m +: 8];
            w_out  = w_out + 1;
            w_beat = w_beat + 1;
            if (w_now[DATA_W]) begin
                aw_out = aw_out + 1;
                w_beat = 0;
                b_due[b_in % 64] = cycle + $unsigned($random(seed)) % 40;
                b_in = b_in + 1;
            end
        end
        {x_bvalid, x_bid, x_bresp} <= {1'b0, 3'bx};
        if (b_in != b_out && b_due[b_out % 64] <= cycle) begin
            {x_bvalid, x_bid, x_bresp} <= 4'b1000;
            b_out = b_out + 1;
        end
        {x_rvalid, x_rid, x_rresp, x_rlast, x_rdata} <= {1'b0, {DATA_W + 4{1'bx}}};
        if (ar_in != ar_out && chance(500)) begin
            {x_rvalid, x_rid, x_rresp, x_rlast} <= {4'b1000, r_beat == ar_len[ar_out % 64]};
            for (m = 0; m < BYTES; m = m + 1)
                x_rdata[8 * m +: 8] <= mem[ar_at[ar_out % 64] + BYTES * r_beat + m];
            r_beat = r_beat + 1;
            if (r_beat == ar_len[ar_out % 64] + 1) begin
                ar_out = ar_out + 1;
                r_beat = 0;
            end
        end
        x_awready <= chance(600);
        x_wready  <= chance(600);
        x_arready <= chance(600);
        if (unit_rst === 1'b1 && !rst && known && (aw_in != aw_out || w_in != w_out || b_in != b_out || ar_in != ar_out))
            $fatal(1, "FAIL rings: cycle %0d: a reset by a register begins amid bursts", cycle);
        if (rst) begin
            aw_out = aw_in;
            w_out  = w_in;
            b_out  = b_in;
            ar_out = ar_in;
            w_beat = 0;
            r_beat = 0;
            {x_awready, x_wready, x_arready, x_bvalid, x_rvalid} <= 5'd0;
        end
    end

    // ======== the bus: the bench's accesses, each until its answer is taken, and the software's between them
    reg was_busy = 1'b0; // an access of the bench is under way
    assign s_axil_awready = awready && !owned;
    assign s_axil_wready  = wready && !owned;
    assign s_axil_arready = arready && !owned;
    assign s_axil_bvalid  = bvalid && !owned;
    assign s_axil_rvalid  = rvalid && !owned;
    always @(posedge clk)
        was_busy <= !rst && known && !owned && ((was_busy && !(bvalid && s_axil_bready) && !(rvalid && s_axil_rready)) || s_axil_awvalid || s_axil_wvalid
                                                || s_axil_arvalid);

    // ======== the software
    reg              open = 1'b0;    // the rings are in use
    reg              anew = 1'b1;    // a reset has come since they were opened
    reg  [5:0]       gives = 6'd0;   // a beat of the out channel is offered to the bench
    reg  [511:0]     given [0:3];
    reg  [3:0]       lasts;
    reg  [511:0]     taken [4:5];    // a beat of the in channel, of the bench
    reg  [5:4]       holds = 2'd0;   // there is one
    reg              settled = 1'b0; // nothing was found in the rings since all was quiet
    reg              stirs = 1'b1;   // something was under way since the software began to look
    integer          head [0:5];
    integer          tail [0:5];
    integer          phase [0:3];
    integer          entries = 0;    // that came, or went
    integer          c;
    integer          i;
    integer          size;
    integer          waits;
    reg              cut = 1'b0;     // `rst` has come, so that an access of the bus has no answer
    reg  [31:0]      got;
    reg  [511:0]     entry;
    reg              found;
    assign {m_axis_decision_tvalid, m_axis_decision_tdata} = {gives[DECISION], given[DECISION][DEC_TDATA-1:0]};
    assign {m_axis_xfer_tvalid, m_axis_xfer_tlast, m_axis_xfer_tdata} = {gives[XFER], lasts[XFER], given[XFER][XFER_TDATA-1:0]};
    assign {m_axis_rit_tvalid, m_axis_rit_tlast, m_axis_rit_tdata} = {gives[RIT], lasts[RIT], given[RIT][RIT_TDATA-1:0]};
    assign {m_axis_hir_tvalid, m_axis_hir_tlast, m_axis_hir_tdata} = {gives[HIR], lasts[HIR], given[HIR][HIR_TDATA-1:0]};
    assign s_axis_drv_tready   = open && !anew && !holds[DRV];
    assign s_axis_range_tready = open && !anew && !holds[RANGE];
    assign quiet = now && settled;
    initial lasts = 4'd0;
    always @(posedge clk) begin
        if (m_axis_decision_tready) gives[DECISION] = 1'b0;
        if (m_axis_xfer_tready) gives[XFER] = 1'b0;
        if (m_axis_rit_tready) gives[RIT] = 1'b0;
        if (m_axis_hir_tready) gives[HIR] = 1'b0;
        if (s_axis_drv_tvalid && s_axis_drv_tready) {holds[DRV], taken[DRV]} = {1'b1, {512-DRV_TDATA{1'bx}}, s_axis_drv_tdata};
        if (s_axis_range_tvalid && s_axis_range_tready) {holds[RANGE], taken[RANGE]} = {1'b1, {512-RANGE_TDATA{1'bx}}, s_axis_range_tdata};
        if (!known || now !== 1'b1 || holds != 0 || s_axis_walk_tvalid !== 1'b0 || !open || anew || gives != 0) {stirs, settled} = 2'b10;
        if (rst) cut = 1'b1;
        if (rst || unit_rst !== 1'b0) begin
            anew  = 1'b1;
            holds = 2'd0;
            gives = 6'd0;
        end
    end
    task begin_access;
        begin
            while (!cut && (was_busy || s_axil_awvalid || s_axil_wvalid || s_axil_arvalid)) @(negedge clk);
            owned = 1'b1;
        end
    endtask
    task soft_write(input integer channel, input [11:0] word, input [31:0] value);
        begin
            begin_access;
            awaddr = 13'h1010 + 13'h100 * channel + word;
            wdata  = value;
            sends  = 1'b1;
            while (!cut && sends) begin
                #1;
                found = awready && wready;
                @(negedge clk);
                if (found) sends = 1'b0;
            end
            while (!cut && !bvalid) @(negedge clk);
            got = s_axil_bresp;
            @(negedge clk);
            {owned, sends} = 2'd0;
            // while a reset waits for the bursts under way, no register is written
            for (waits = 0; !cut && !anew && got != 32'd0; waits = waits + 1) begin
                if (waits == 3000)
                    $fatal(1, "FAIL rings: cycle %0d: a write of %h to word %h of channel %0d was bad", cycle, value, word, channel);
                @(negedge clk);
            end
        end
    endtask
    task soft_read(input integer channel, input [11:0] word);
        begin
            begin_access;
            araddr = 13'h1010 + 13'h100 * channel + word;
            asks   = 1'b1;
            while (!cut && asks) begin
                #1;
                found = arready;
                @(negedge clk);
                if (found) asks = 1'b0;
            end
            while (!cut && !rvalid) @(negedge clk);
            got = s_axil_rdata;
            if (!cut && (^got === 1'bx || s_axil_rresp != 2'd0))
                $fatal(1, "FAIL rings: cycle %0d: word %h of channel %0d is %h", cycle, word, channel, got);
            @(negedge clk);
            {owned, asks} = 2'd0;
        end
    endtask
    initial begin
        forever begin
            @(negedge clk);
            if (rst || !known || unit_rst !== 1'b0) open = 1'b0;
            else if (anew) begin
                open = 1'b0;
                anew = 1'b0;
                cut  = 1'b0;
                for (c = 0; c < 6 && !anew; c = c + 1)
                    if (RANGES != 0 || (c != XFER && c != RANGE)) begin
                        head[c] = 0;
                        tail[c] = 0;
                        if (c < 4) phase[c] = 1;
                        for (i = 0; c < 4 && i < size_of(c); i = i + 1) // software clears the phases
                            mem[base_of(c) + (i + 1) * entry_of(beat_of(c)) - 1] = 8'd0;
                        soft_write(c, 12'h070, base_of(c));
                        if (!anew) soft_write(c, 12'h074, 32'd0);
                        if (!anew) soft_write(c, 12'h078, size_of(c));
                        if (!anew) soft_write(c, 12'h040, 32'h10000);
                    end
                open = !anew;
            end else begin
                stirs = 1'b0;
                for (c = 0; c < 6 && !anew; c = c + 1)
                    if (RANGES != 0 || (c != XFER && c != RANGE)) begin
                        size = entry_of(beat_of(c));
                        if (c < 4) begin
                            soft_read(c, 12'h068);
                            tail[c] = got[31:16];
                            while (!anew && head[c] != tail[c]) begin
                                stirs = 1'b1;
                                for (i = 0; i < size; i = i + 1)
                                    entry[8 * i +: 8] = mem[base_of(c) + head[c] * size + i];
                                if (entry[8 * size - 1 -: 7] !== {phase[c][0], 6'd0} || entry[8 * size - 8] === 1'bx)
                                    $fatal(1, "FAIL rings: cycle %0d: the last byte of entry %0d of channel %0d is %b", cycle, head[c], c,
                                           entry[8 * size - 8 +: 8]);
                                given[c] = entry;
                                lasts[c] = entry[8 * size - 8];
                                gives[c] = !anew;
                                entries  = entries + 1;
                                while (gives[c]) @(negedge clk);
                                head[c] = head[c] + 1;
                                if (head[c] == size_of(c)) begin
                                    head[c]  = 0;
                                    phase[c] = 1 - phase[c];
                                end
                                if (!anew) soft_write(c, 12'h068, head[c]);
                            end
                        end else if (holds[c]) begin
                            stirs = 1'b1;
                            for (i = 0; i < size; i = i + 1)
                                mem[base_of(c) + tail[c] * size + i] = taken[c][8 * i +: 8];
                            tail[c] = (tail[c] + 1) % size_of(c);
                            entries = entries + 1;
                            soft_write(c, 12'h068, tail[c] << 16);
                            got = ~32'd0;
                            while (!anew && got[15:0] != tail[c]) soft_read(c, 12'h068);
                            holds[c] = 1'b0;
                        end
                    end
                if (!stirs && !anew) settled = 1'b1;
            end
        end
    end
endmodule
`default_nettype wire
