// SPDX-License-Identifier: Apache-2.0
// unknown: breaks the rules about unknown bits, and some others, in a four-state simulator: checkers of a stream, of the memory port, of
// the bus and of the AXI4 master, whose ports this bench drives.
//
//   vvp unknown +case=N      prints what the checkers say; case 0 breaks nothing
`timescale 1ns / 1ns
`default_nettype none
module unknown;
    reg        clk = 1'b0;
    reg        rst = 1'b1;
    always #5 clk = !clk;
    integer    which;

    // a stream to the unit and a stream from the unit; the memory port; the bus; the AXI4 master
    reg        valid, ready, given, takes;
    reg  [7:0] data, gift;
    reg        ar_valid, ar_ready, r_valid, w_valid, w_ready, b_valid;
    reg  [2:0] ar_addr, w_addr;
    reg  [7:0] r_data, w_data;
    reg        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    reg [11:0] awaddr, araddr;
    reg [31:0] wdata, rdata;
    reg  [1:0] bresp, rresp;
    reg        x_awvalid, x_awready, x_wvalid, x_wready, x_wlast, x_bvalid, x_bready, x_arvalid, x_arready, x_rvalid, x_rready, x_rlast, x_bid, x_rid;
    reg [31:0] x_awaddr, x_araddr, x_wdata;
    reg  [7:0] x_awlen, x_arlen;
    reg  [1:0] x_bresp, x_rresp;
    gmmu_check_stream #(.W(8), .USED(8), .STREAM("to"), .WHO("the walker")) to (
        .clk(clk), .rst(rst), .valid(valid), .ready(ready), .last(1'b1), .data(data));
    gmmu_check_stream #(.W(8), .USED(8), .UNIT(1), .STREAM("from"), .WHO("the driver")) from (
        .clk(clk), .rst(rst), .valid(given), .ready(takes), .last(1'b1), .data(gift));
    gmmu_check_memory #(.FRAMES(8), .FRAME_W(3), .WORD_W(8), .LINES(4)) memory (
        .clk(clk), .rst(rst), .frames(4'd8), .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_addr(ar_addr), .r_valid(r_valid), .r_data(r_data),
        .w_valid(w_valid), .w_ready(w_ready), .w_addr(w_addr), .w_data(w_data), .b_valid(b_valid));
    gmmu_check_axil bus (
        .clk(clk), .rst(rst), .awaddr(awaddr), .awprot(3'd0), .awvalid(awvalid), .awready(awready), .wdata(wdata), .wstrb(4'hF), .wvalid(wvalid),
        .wready(wready), .bresp(bresp), .bvalid(bvalid), .bready(bready), .araddr(araddr), .arprot(3'd0), .arvalid(arvalid), .arready(arready),
        .rdata(rdata), .rresp(rresp), .rvalid(rvalid), .rready(rready));

    gmmu_check_axi #(.ADDR_W(32), .DATA_W(32)) axi (
        .clk(clk), .rst(rst), .awid(1'b0), .awaddr(x_awaddr), .awlen(x_awlen), .awsize(3'd2), .awburst(2'd1), .awlock(1'b0), .awcache(4'd3), .awprot(3'd2),
        .awqos(4'd0), .awvalid(x_awvalid), .awready(x_awready), .wdata(x_wdata), .wstrb(4'hF), .wlast(x_wlast), .wvalid(x_wvalid), .wready(x_wready),
        .bid(x_bid), .bresp(x_bresp), .bvalid(x_bvalid), .bready(x_bready), .arid(1'b0), .araddr(x_araddr), .arlen(x_arlen), .arsize(3'd2), .arburst(2'd1),
        .arlock(1'b0), .arcache(4'd3), .arprot(3'd2), .arqos(4'd0), .arvalid(x_arvalid), .arready(x_arready), .rid(x_rid), .rresp(x_rresp), .rlast(x_rlast),
        .rvalid(x_rvalid), .rready(x_rready));

    task cycle;
        begin
            @(posedge clk);
            #1;
        end
    endtask
    initial begin
        if (!$value$plusargs("case=%d", which)) which = 0;
        {valid, ready, given, takes, ar_valid, ar_ready, r_valid, w_valid, w_ready, b_valid} = 0;
        {awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready} = 0;
        {x_awvalid, x_awready, x_wvalid, x_wready, x_bvalid, x_bready, x_arvalid, x_arready, x_rvalid, x_rready} = 0;
        // what means nothing is unknown
        {data, gift, ar_addr, w_addr, r_data, w_data, awaddr, araddr, wdata, rdata, bresp, rresp} = {150{1'bx}};
        {x_awaddr, x_awlen, x_wdata, x_wlast, x_bid, x_bresp, x_araddr, x_arlen, x_rid, x_rresp, x_rlast} = {120{1'bx}};
        repeat (3) cycle;
        rst = 1'b0;
        cycle;
        {ready, takes, ar_ready, w_ready, awready, wready, bready, arready, rready} = 9'h1FF;
        {x_awready, x_wready, x_bready, x_arready, x_rready} = 5'h1F;
        // by the rules: a beat each way, a write and a read of the memory, of the bus, and by the master
        {x_awvalid, x_awaddr, x_awlen, x_wvalid, x_wdata, x_wlast} = {1'b1, 32'd8, 8'd0, 1'b1, 32'd1, 1'b1};
        {x_arvalid, x_araddr, x_arlen} = {1'b1, 32'd8, 8'd0};
        {valid, data, given, gift} = {1'b1, 8'd1, 1'b1, 8'd2};
        {w_valid, w_addr, w_data} = {1'b1, 3'd1, 8'd7};
        {awvalid, awaddr, wvalid, wdata} = {1'b1, 12'd8, 1'b1, 32'd1};
        {arvalid, araddr} = {1'b1, 12'd8};
        cycle;
        {valid, given, w_valid, awvalid, wvalid, arvalid} = 6'd0;
        {x_awvalid, x_wvalid, x_arvalid} = 3'd0;
        {x_bvalid, x_bid, x_bresp, x_rvalid, x_rid, x_rresp, x_rlast} = {1'b1, 1'b0, 2'd0, 1'b1, 1'b0, 2'd0, 1'b1};
        {b_valid, bvalid, bresp, rvalid, rresp, rdata} = {1'b1, 1'b1, 2'd0, 1'b1, 2'd0, 32'd1};
        cycle;
        {b_valid, bvalid, rvalid, x_bvalid, x_rvalid} = 5'd0;
        {ar_valid, ar_addr} = {1'b1, 3'd1};
        cycle;
        ar_valid = 1'b0;
        {r_valid, r_data} = {1'b1, 8'd7};
        cycle;
        r_valid = 1'b0;
        cycle;
        // then a rule is broken for a cycle
        case (which)
            1: valid = 1'bx;
            2: ready = 1'bx;
            3: {valid, data} = {1'b1, 8'b1x};
            4: given = 1'bx;
            5: takes = 1'bx;
            6: {given, gift} = {1'b1, 8'bx1};
            7: {w_valid, w_addr, w_data} = {1'b1, 3'd2, 8'b1x};
            8: ar_valid = 1'bx;
            9: w_ready = 1'bx;
            10: {ar_valid, ar_addr} = {1'b1, 3'd2}; // not written before
            11: bvalid = 1'bx;
            12: {arvalid, araddr} = {1'b1, 12'd8};
            13: awvalid = 1'bx;
            14: {wvalid, wdata} = {1'b1, 32'hx};
            15: x_arvalid = 1'bx;
            16: {x_wvalid, x_wdata, x_wlast} = {1'b1, 32'hx, 1'b1};
            17: x_awready = 1'bx;
            18: {x_arvalid, x_araddr, x_arlen} = {1'b1, 32'd8, 8'd0};
            default: ;
        endcase
        cycle;
        {ready, takes, ar_ready, w_ready, awready, wready, bready, arready, rready} = 9'h1FF;
        {valid, given, w_valid, ar_valid, awvalid, wvalid, arvalid, bvalid} = 8'd0;
        {x_awready, x_awvalid, x_wvalid, x_arvalid} = 4'b1000;
        if (which == 10) {r_valid, r_data} = {1'b1, 8'bx};
        if (which == 18) {x_rvalid, x_rid, x_rlast, x_rresp} = {1'b1, 1'b0, 1'b1, 2'bx};
        if (which == 12) {rvalid, rresp, rdata} = {1'b1, 2'd0, 32'bx};
        cycle;
        $finish;
    end
endmodule
`default_nettype wire
