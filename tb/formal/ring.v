// SPDX-License-Identifier: Apache-2.0
// Proofs about ring at its ports: the bus writes any words, memory takes and answers at any time and in order, streams come at any
// time. Entries have 16 bytes, those of xfer 32. The parts have harnesses of their own, which are promised what is asserted here.
//: inductive
//: pdr 240 s
//: find 1423 1424 1425
`default_nettype none
module formal_ring #(
    parameter VPN_W       = 25, // a beat of xfer takes 32 bytes, all others take 16
    parameter ASID_W      = 1,
    parameter REF_W       = 1,
    parameter TIME_W      = 2,
    parameter FRAMES      = 2,
    parameter T2_SLOTS    = 2,
    parameter SEQ_W       = 1,
    parameter HIR_PAGES   = 1,
    parameter HIR_CNT_W   = 1,
    parameter RANGES      = 2,
    parameter RING_ADDR_W = 32,
    parameter RING_DATA_W = 64,
    parameter RING_WRITES = 2,
    parameter RING_OPS    = 2
) (
    input wire         clk,
    input wire         reset, wants_stop, with_regs, others_rest, stop_ends,
    input wire         asks, req_write,
    input wire [9:0]   req_word,
    input wire [31:0]  req_data,
    input wire [3:0]   req_strb,
    input wire         decision_comes, xfer_comes, rit_comes, hir_comes, drv_ready, range_ready,
    input wire [111:0] any_decision,
    input wire [135:0] any_xfer,
    input wire [47:0]  any_rit,
    input wire [47:0]  any_hir,
    input wire         any_xfer_last,
    input wire         aw_takes, w_takes, b_comes, ar_takes, r_comes,
    input wire [1:0]   any_bresp, any_rresp,
    input wire [63:0]  any_rdata
);

    localparam DEC_BITS = 112, XFER_BITS = 136, RIT_BITS = 48, HIR_BITS = 48, DRV_BITS = 40, RANGE_BITS = 96;
    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // ---- resets by a register, as csr does them: `stops` until the end of the reset, which begins at rest
    reg  stops, begun, keeps;
    wire rests;
    wire resets = stops && (begun || (rests && others_rest));
    wire unit_rst = rst || resets, regs_rst = rst || (resets && !keeps);
    always @(posedge clk) begin
        begun <= resets && !stop_ends;
        stops <= stops ? !(resets && stop_ends) : wants_stop;
        if (!stops)
            keeps <= !with_regs;
        if (rst)
            {stops, begun, keeps} <= 3'd0;
    end

    // ---- the bus: a request when the one before has its answer
    wire        ans_valid, ans_bad, irq, idle;
    wire [31:0] ans_data;
    reg  [1:0]  asked; // a request came one, two cycles ago
    wire        req_valid = asks && asked == 0 && !rst;
    always @(posedge clk)
        asked <= rst ? 2'd0 : {asked[0], req_valid};

    // ---- streams: what is offered stands until it is taken, or the unit's reset
    wire decision_ready, xfer_ready, rit_ready, hir_ready, drv_valid, range_valid;
    wire [DRV_BITS-1:0] drv;
    wire [RANGE_BITS-1:0] range;
    reg  decision_stands, xfer_stands, rit_stands, hir_stands, xfer_last_was;
    reg  [DEC_BITS-1:0] decision_was;
    reg  [XFER_BITS-1:0] xfer_was;
    reg  [RIT_BITS-1:0] rit_was;
    reg  [HIR_BITS-1:0] hir_was;
    wire decision_valid = (decision_comes || decision_stands) && !unit_rst, xfer_valid = (xfer_comes || xfer_stands) && !unit_rst;
    wire rit_valid = (rit_comes || rit_stands) && !unit_rst, hir_valid = (hir_comes || hir_stands) && !unit_rst;
    wire [DEC_BITS-1:0] decision = decision_stands ? decision_was : any_decision;
    wire [XFER_BITS-1:0] xfer = xfer_stands ? xfer_was : any_xfer;
    wire xfer_last = xfer_stands ? xfer_last_was : any_xfer_last;
    wire [RIT_BITS-1:0] rit = rit_stands ? rit_was : any_rit;
    wire [HIR_BITS-1:0] hir = hir_stands ? hir_was : any_hir;
    // packets: a header says how many records follow, at least 1
    reg  [7:0]  rit_left;
    reg  [15:0] hir_left;
    wire rit_last = rit_left == 1, hir_last = hir_left == 1;
    wire rit_takes = rit_valid && rit_ready, hir_takes = hir_valid && hir_ready;
    always @(posedge clk) begin
        decision_stands <= decision_valid && !decision_ready;
        xfer_stands     <= xfer_valid && !xfer_ready;
        rit_stands      <= rit_valid && !rit_ready;
        hir_stands      <= hir_valid && !hir_ready;
        {decision_was, xfer_was, xfer_last_was, rit_was, hir_was} <= {decision, xfer, xfer_last, rit, hir};
        if (rit_takes)
            rit_left <= rit_left == 0 ? rit[23:16] : rit_left - 8'd1;
        if (hir_takes)
            hir_left <= hir_left == 0 ? hir[31:16] : hir_left - 16'd1;
        if (unit_rst)
            {rit_left, hir_left} <= 24'd0;
    end
    always @* begin
        assume (!rit_valid || rit_left != 0 || rit[23:16] != 0);
        assume (!hir_valid || hir_left != 0 || hir[31:16] != 0);
    end

    // ---- memory: writes are answered in order, when address and data have come; one read at a time
    wire [31:0] awaddr, araddr;
    wire [7:0]  awlen, arlen;
    wire [2:0]  awsize, arsize, awprot, arprot;
    wire [1:0]  awburst, arburst;
    wire [3:0]  awcache, awqos, arcache, arqos;
    wire [63:0] wdata;
    wire [7:0]  wstrb;
    wire        awid, awlock, awvalid, wlast, wvalid, bready, arid, arlock, arvalid, rready;
    reg  [1:0]  aw_n, w_n;         // addresses, bursts of data that came and have no answer
    reg         read;              // a read is under way,
    reg  [7:0]  beats;             // with so many beats to come, less one
    wire takes_aw = awvalid && aw_takes, takes_w = wvalid && w_takes, takes_ar = arvalid && ar_takes;
    wire bvalid = b_comes && aw_n != 0 && w_n != 0, rvalid = r_comes && read, rlast = beats == 0;
    always @(posedge clk) begin
        aw_n <= aw_n + {1'b0, takes_aw} - {1'b0, bvalid};
        w_n  <= w_n + {1'b0, takes_w && wlast} - {1'b0, bvalid};
        read <= takes_ar || (read && !(rvalid && rlast));
        if (takes_ar)
            beats <= arlen;
        else if (rvalid)
            beats <= beats - 8'd1;
        if (rst)
            {aw_n, w_n, read} <= 5'd0;
    end

    gmmu_ring #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .T2_SLOTS(T2_SLOTS), .SEQ_W(SEQ_W),
        .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W), .RANGES(RANGES),
        .RING_ADDR_W(RING_ADDR_W), .RING_DATA_W(RING_DATA_W), .RING_WRITES(RING_WRITES), .RING_OPS(RING_OPS)
    ) dut (
        .clk(clk), .rst(rst), .unit_rst(unit_rst), .regs_rst(regs_rst), .stops(stops), .rests(rests),
        .req_valid(req_valid), .req_write(req_write), .req_word(req_word), .req_data(req_data), .req_strb(req_strb),
        .ans_valid(ans_valid), .ans_bad(ans_bad), .ans_data(ans_data), .irq(irq), .idle(idle),
        .s_axis_decision_tdata(decision), .s_axis_decision_tvalid(decision_valid), .s_axis_decision_tready(decision_ready),
        .s_axis_xfer_tdata(xfer), .s_axis_xfer_tlast(xfer_last), .s_axis_xfer_tvalid(xfer_valid), .s_axis_xfer_tready(xfer_ready),
        .s_axis_rit_tdata(rit), .s_axis_rit_tlast(rit_last), .s_axis_rit_tvalid(rit_valid), .s_axis_rit_tready(rit_ready),
        .s_axis_hir_tdata(hir), .s_axis_hir_tlast(hir_last), .s_axis_hir_tvalid(hir_valid), .s_axis_hir_tready(hir_ready),
        .m_axis_drv_tdata(drv), .m_axis_drv_tvalid(drv_valid), .m_axis_drv_tready(drv_ready),
        .m_axis_range_tdata(range), .m_axis_range_tvalid(range_valid), .m_axis_range_tready(range_ready),
        .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(awlock),
        .m_axi_awcache(awcache), .m_axi_awprot(awprot), .m_axi_awqos(awqos), .m_axi_awvalid(awvalid), .m_axi_awready(aw_takes),
        .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready(w_takes),
        .m_axi_bid(1'b0), .m_axi_bresp(any_bresp), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
        .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(arlock),
        .m_axi_arcache(arcache), .m_axi_arprot(arprot), .m_axi_arqos(arqos), .m_axi_arvalid(arvalid), .m_axi_arready(ar_takes),
        .m_axi_rid(1'b0), .m_axi_rdata(any_rdata), .m_axi_rresp(any_rresp), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid), .m_axi_rready(rready)
    );

    (* hierconn *) wire [3:0] \dut.takes , \dut.wants , \dut.done ;
    (* hierconn *) wire \dut.turn , \dut.write , \dut.r_valid , \dut.r_write ;
    (* hierconn *) wire \dut.decision.phase , \dut.g_xfer.xfer.phase , \dut.rit.phase , \dut.hir.phase ;
    (* hierconn *) wire [31:0] \dut.decision_base , \dut.xfer_base , \dut.rit_base , \dut.hir_base ;
    (* hierconn *) wire [15:0] \dut.decision_put , \dut.xfer_put , \dut.rit_put , \dut.hir_put ;
    (* hierconn *) wire [5:0]  \dut.decision.count , \dut.g_xfer.xfer.count , \dut.rit.count , \dut.hir.count ;
    (* hierconn *) wire \dut.writer.fresh , \dut.writer.open , \dut.writer.b_valid ;
    (* hierconn *) wire [3:0]   \dut.writer.left ;
    (* hierconn *) wire [1:0]   \dut.writer.full ;
    (* hierconn *) wire [255:0] \dut.writer.shift ;
    (* hierconn *) wire [31:0]  \dut.writer.from ;
    (* hierconn *) wire [21:0]  \dut.writer.by ;
    (* hierconn *) wire [7:0]   \dut.writer.order.words ;
    (* hierconn *) wire \dut.fetcher.busy , \dut.fetcher.asked , \dut.fetcher.p1 , \dut.fetcher.p2 , \dut.fetcher.p3 ;
    (* hierconn *) wire \dut.fetcher.r_valid , \dut.fetcher.r_last , \dut.pick_drv , \dut.pick_range , \dut.drv.reading , \dut.g_range.range.reading ;
    (* hierconn *) wire [1:0]   \dut.holds ;

    // ---- the entry on its way, as it was taken from its stream: what of it has not gone
    wire [3:0]   takes = \dut.takes ;
    wire [127:0] decision_entry = {\dut.decision.phase , 7'd1, {120-DEC_BITS{1'b0}}, decision};
    wire [255:0] xfer_entry = {\dut.g_xfer.xfer.phase , 6'd0, xfer_last, {248-XFER_BITS{1'b0}}, xfer};
    wire [127:0] rit_entry = {\dut.rit.phase , 6'd0, rit_last, {120-RIT_BITS{1'b0}}, rit};
    wire [127:0] hir_entry = {\dut.hir.phase , 6'd0, hir_last, {120-HIR_BITS{1'b0}}, hir};
    reg          aw_left, w_left, just, answered;
    reg  [255:0] data;
    reg  [31:0]  address;
    reg  [1:0]   last, beat;
    wire [255:0] rest = data >> {beat, 6'd0};
    reg  [1:0]   under_way;
    wire [3:0]   word0 = \dut.writer.order.words [3:0], word1 = \dut.writer.order.words [7:4];
    wire [3:0]   is0 = under_way >= 1 ? word0 : 4'd0, is1 = under_way >= 2 ? word1 : 4'd0; // the channels of the entries under way
    // ---- cycles of a stop; what was offered in the cycle before and not taken
    reg  [2:0]   stopped;
    reg          aw_waited, w_waited, ar_waited, was_write, req_write_was;
    reg  [39:0]  aw_was, ar_was;
    reg  [64:0]  w_was;
    always @(posedge clk) begin
        if (takes_aw)
            aw_left <= 1'b0;
        if (takes_w) begin
            beat   <= beat + 2'd1;
            w_left <= beat != last;
        end
        if (takes != 0) begin
            {aw_left, w_left, beat} <= 4'b1100;
            data    <= takes[0] ? {128'd0, decision_entry} : takes[1] ? xfer_entry : takes[2] ? {128'd0, rit_entry} : {128'd0, hir_entry};
            last    <= takes[1] ? 2'd3 : 2'd1;
            address <= takes[0] ? \dut.decision_base + {12'd0, \dut.decision_put , 4'd0} : takes[1] ? \dut.xfer_base + {11'd0, \dut.xfer_put , 5'd0} :
                       takes[2] ? \dut.rit_base + {12'd0, \dut.rit_put , 4'd0} : \dut.hir_base + {12'd0, \dut.hir_put , 4'd0};
        end
        just      <= takes != 0;
        answered  <= bvalid;
        under_way <= under_way + {1'b0, takes != 0} - {1'b0, answered};
        stopped   <= !stops ? 3'd0 : stopped + {2'd0, stopped != 7};
        aw_waited <= awvalid && !aw_takes;
        w_waited  <= wvalid && !w_takes;
        ar_waited <= arvalid && !ar_takes;
        aw_was <= {awaddr, awlen};
        ar_was <= {araddr, arlen};
        w_was  <= {wdata, wlast};
        was_write <= asked[0] && req_write_was && stops;
        req_write_was <= req_write;
        if (rst) begin
            {aw_left, w_left, just, answered, under_way, aw_waited, w_waited, ar_waited} <= 9'd0;
            stopped <= 3'd0;
        end
    end
    wire [12:0]  aw_end = {1'b0, awaddr[11:0]} + {2'd0, awlen, 3'd0} + 13'd8;

    always @* if (!first) begin
        // An address or a beat that is offered stays as it is until memory has taken it.
        aw_stands: assert (rst || !aw_waited || (awvalid && {awaddr, awlen} == aw_was));
        w_stands: assert (rst || !w_waited || (wvalid && {wdata, wlast} == w_was));
        ar_stands: assert (rst || !ar_waited || (arvalid && {araddr, arlen} == ar_was));
        // What does not change.
        plain_write: assert (!awid && awsize == 3 && awburst == 1 && !awlock && awcache == 3 && awprot == 2 && awqos == 0 && wstrb == 8'hff && bready);
        plain_read: assert (!arid && arsize == 3 && arburst == 1 && !arlock && arcache == 3 && arprot == 2 && arqos == 0 && rready);
        // An entry is a beat that the stream hands over in this cycle; of one channel: decision before xfer before hir before rit.
        from_stream: assert ((!takes[0] || (decision_valid && decision_ready)) && (!takes[1] || (xfer_valid && xfer_ready)) &&
                             (!takes[2] || rit_takes) && (!takes[3] || hir_takes) && (takes & (takes - 4'd1)) == 0);
        in_turn: assert ((!takes[1] || !\dut.wants [0]) && (!takes[3] || \dut.wants [1:0] == 0) &&
                         (!takes[2] || {\dut.wants [3], \dut.wants [1:0]} == 0));
        // Its address is offered once: BASE and its place in the ring of its channel.
        aw_right: assert (awvalid == (aw_left && !just) && (!awvalid || (awaddr == address && awlen == {6'd0, last})));
        // So are its beats: the stream's beat and the last byte, with WLAST at the last.
        w_right: assert (wvalid == (w_left && !just) && (!wvalid || (wdata == rest[63:0] && wlast == (beat == last))));
        // No entry crosses a border of 4 KiB.
        write_in_4k: assert (!awvalid || aw_end <= 13'd4096);
        // No more entries under way than RING_WRITES; one read at a time.
        few_writes: assert (under_way <= RING_WRITES && aw_n <= under_way && w_n <= under_way);
        one_read: assert (!(read && arvalid));
        // Each request has its answer two cycles later, and there is no other answer.
        answer_right: assert (ans_valid == asked[1] && \dut.r_valid == asked[0]);
        // From the beginning of a stop on no register is written, no entry begins, and three cycles later no burst.
        stop_writes: assert (!(stops && (\dut.write || takes != 0 || \dut.pick_drv || \dut.pick_range )));
        stop_bad: assert (!(ans_valid && was_write) || ans_bad);
        stop_quiet: assert (stopped < 3 || ((!awvalid || aw_waited) && (!arvalid || ar_waited)));
        // At rest nothing is under way in memory, and nothing is offered to it.
        rests_right: assert (!rests || (aw_n == 0 && w_n == 0 && !w_left && !aw_left && !read && !awvalid && !wvalid && !arvalid ));
        // `idle`: the same, and no operation waits for the unit.
        idle_right: assert (!idle || (rests && \dut.holds == 0));
        // ---- what the parts are promised
        // The writer's turn comes only when the entry before has gone; answers are those to entries of the channel.
        turn_right: assert (!\dut.turn || (!just && !aw_left && !w_left && under_way < RING_WRITES));
        channels_right: assert (\dut.done == (answered ? word0 : 4'd0) &&
                                \dut.decision.count == {5'd0, is0[0]} + {5'd0, is1[0]} && \dut.g_xfer.xfer.count == {5'd0, is0[1]} + {5'd0, is1[1]} &&
                                \dut.rit.count == {5'd0, is0[2]} + {5'd0, is1[2]} && \dut.hir.count == {5'd0, is0[3]} + {5'd0, is1[3]});
        one_channel: assert ((is0 & (is0 - 4'd1)) == 0 && (is1 & (is1 - 4'd1)) == 0 && (under_way < 1 || is0 != 0) && (under_way < 2 || is1 != 0));
        // A reset by a register begins, and ends, at rest.
        begun_right: assert (!begun || (stops && rests));
        // The burst under way is of one channel in.
        one_burst: assert (\dut.fetcher.busy == (\dut.drv.reading || \dut.g_range.range.reading ) && !(\dut.drv.reading && \dut.g_range.range.reading ));
        // ---- the golden model
        stop_model: assert ((stopped < 1 || (!just && !\dut.fetcher.p1 )) && (stopped < 2 || !\dut.fetcher.p2 ));
        model: assert (\dut.writer.fresh == just && \dut.writer.open == (aw_left || w_left) && \dut.writer.b_valid == answered &&
                       \dut.writer.full == (under_way == 0 ? 2'd0 : under_way == 1 ? 2'd1 : 2'd3) && (!just || (aw_left && w_left && beat == 0)));
        entry_model: assert ((!w_left || (\dut.writer.left == {2'd0, last - beat} && beat <= last && \dut.writer.shift == rest)) &&
                             (!just || address == \dut.writer.from + {10'd0, \dut.writer.by }) && (last == 1 || last == 3 || !aw_left) &&
                             (!aw_left || (address[3:0] == 0 && (last == 1 || address[4] == 0))));
        counts: assert ({1'b0, aw_n} + {2'd0, aw_left} + {2'd0, answered} == {1'b0, under_way} &&
                        {1'b0, w_n} + {2'd0, w_left} + {2'd0, answered} == {1'b0, under_way});
        read_model: assert (read == (\dut.fetcher.asked && \dut.fetcher.busy && !(\dut.fetcher.r_valid && \dut.fetcher.r_last )) &&
                            (!\dut.fetcher.asked || \dut.fetcher.busy ) &&
                            (!\dut.fetcher.r_valid || \dut.fetcher.asked ) && (!arvalid || (\dut.fetcher.busy && !\dut.fetcher.asked )) &&
                            {2'd0, \dut.fetcher.p1 } + {2'd0, \dut.fetcher.p2 } + {2'd0, arvalid} + {2'd0, \dut.fetcher.asked } == {2'd0, \dut.fetcher.busy });
    end

endmodule
`default_nettype wire
