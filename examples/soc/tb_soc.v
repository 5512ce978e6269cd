// SPDX-License-Identifier: Apache-2.0
// tb_soc: accesses to soc, checked against a page table of its own: a stream over many pages and a few pages that are used again
// and again. Ends with PASS or FAIL (SystemVerilog for $fatal alone).
`default_nettype none
`timescale 1ns / 1ps
module tb_soc;
    localparam PAGE_W = 10, REF_W = 16, FRAME_W = 4, ACCESSES = 2000, LIMIT = 500000;
    reg clk = 1'b0, rst = 1'b1;
    always #5 clk = !clk;

    reg  [PAGE_W-1:0]  req_page;
    reg  [REF_W-1:0]   req_ref;
    wire req_ready, rsp_valid, rsp_parked, map_valid, map_comes;
    wire [PAGE_W-1:0]  rsp_page, map_page;
    wire [FRAME_W-1:0] rsp_frame, map_frame;
    wire [31:0]        faults, evictions;
    reg                req_valid = 1'b0;
    soc #(
        .PAGE_W(PAGE_W),
        .FRAMES(1 << FRAME_W),
        .T2_SLOTS(0),
        .RANGES(0)
    ) dut (
        .clk(clk),
        .rst(rst),
        .req_valid(req_valid),
        .req_write(req_page[0]),
        .req_ready(req_ready),
        .req_page(req_page),
        .req_ref(req_ref),
        .rsp_valid(rsp_valid),
        .rsp_parked(rsp_parked),
        .rsp_page(rsp_page),
        .rsp_frame(rsp_frame),
        .map_valid(map_valid),
        .map_comes(map_comes),
        .map_page(map_page),
        .map_frame(map_frame),
        .faults(faults),
        .evictions(evictions),
        .s_axil_awaddr(12'd0),
        .s_axil_araddr(12'd0),
        .s_axil_awvalid(1'b0),
        .s_axil_wvalid(1'b0),
        .s_axil_arvalid(1'b0),
        .s_axil_bready(1'b1),
        .s_axil_rready(1'b1),
        .s_axil_wdata(32'd0),
        .s_axil_awready(),
        .s_axil_wready(),
        .s_axil_arready(),
        .s_axil_bvalid(),
        .s_axil_rvalid(),
        .s_axil_rdata(),
        .s_axil_bresp(),
        .s_axil_rresp(),
        .irq()
    );

    // which page each frame holds, and whether any
    reg [PAGE_W:0] holds [0:(1 << FRAME_W) - 1];
    integer asked = 0, answered = 0, hot_faults = 0, cycles = 0, i;
    wire hot = rsp_page >= 1000;
    initial
        for (i = 0; i < 1 << FRAME_W; i = i + 1)
            holds[i] = 0;
    always @(posedge clk) begin
        cycles <= cycles + 1;
        rst    <= cycles < 4;
        if (cycles == LIMIT)
            $fatal(1, "FAIL: %0d of %0d accesses were answered in %0d cycles", answered, ACCESSES, LIMIT);
        if (req_valid && req_ready)
            asked <= asked + 1;
        // three accesses of four by one instruction over 200 pages, one of four by another to 4 pages
        if (!req_valid || req_ready) begin
            req_valid <= !rst && asked + (req_valid && req_ready) < ACCESSES;
            if (asked % 4 == 3) begin
                req_page <= 1000 + asked / 4 % 4;
                req_ref  <= 16'h20;
            end else begin
                req_page <= asked % 200;
                req_ref  <= 16'h10;
            end
        end
        if (map_valid && map_comes && holds[map_frame][PAGE_W])
            $fatal(1, "FAIL: page %0d comes into frame %0d, which holds page %0d", map_page, map_frame, holds[map_frame][PAGE_W-1:0]);
        if (map_valid && !map_comes && holds[map_frame] != {1'b1, map_page})
            $fatal(1, "FAIL: page %0d leaves frame %0d, which does not hold it", map_page, map_frame);
        if (map_valid)
            holds[map_frame] <= {map_comes, map_page};
        if (rsp_valid) begin
            answered <= answered + 1;
            if (holds[rsp_frame] != {1'b1, rsp_page})
                $fatal(1, "FAIL: page %0d is said to be in frame %0d, which does not hold it", rsp_page, rsp_frame);
            if (rsp_parked && hot)
                hot_faults <= hot_faults + 1;
        end
        if (answered == ACCESSES) begin
            $display("%0d accesses, %0d cycles, %0d faults, %0d evictions; %0d accesses to the 4 pages in use waited for a fault",
                     ACCESSES, cycles, faults, evictions, hot_faults);
            $display("PASS");
            $finish;
        end
    end
endmodule
`default_nettype wire
