// SPDX-License-Identifier: Apache-2.0
// gmmu_axil_port: an AXI4-Lite subordinate (ARM IHI 0022): accesses one after the other, as requests to registers.
//
// Addresses and data of a write may come in any order, and together with those of a read. An access is
// taken when the one before has its answer; where a read and a write wait the write is first, and then the
// read, as the next write waits until its response is taken. A response is held until then. awprot and arprot
// mean nothing here.
`default_nettype none
module gmmu_axil_port #(
    parameter ADDR_W = 12 // bits of a byte's address
) (
    input  wire              clk, rst,
    input  wire [ADDR_W-1:0] s_axil_awaddr, s_axil_araddr,
    input  wire [2:0]        s_axil_awprot, s_axil_arprot,
    input  wire              s_axil_awvalid, s_axil_wvalid, s_axil_arvalid,
    output wire              s_axil_awready, s_axil_wready, s_axil_arready,
    input  wire [31:0]       s_axil_wdata,
    input  wire [3:0]        s_axil_wstrb,
    output reg  [1:0]        s_axil_bresp, s_axil_rresp,
    output reg               s_axil_bvalid, s_axil_rvalid,
    input  wire              s_axil_bready, s_axil_rready,
    output reg  [31:0]       s_axil_rdata,
    // a request, for one cycle; no other one comes before its answer
    output reg               req_valid, req_write,
    output reg  [ADDR_W-3:0] req_word, // number of the word of 32 bits
    output reg  [31:0]       req_data,
    output reg  [3:0]        req_strb,
    input  wire              ans_valid, ans_bad,
    input  wire [31:0]       ans_data
);
    localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;

    reg have_aw, have_w, have_ar; // what has come and is not asked for yet
    reg [ADDR_W-3:0] aw, ar;
    reg [31:0] w;
    reg [3:0]  strb;
    reg busy;                     // a request is under way
    wire can_write = have_aw && have_w && !s_axil_bvalid, can_read = have_ar && !s_axil_rvalid;
    wire ask_write = !busy && can_write, ask_read = !busy && can_read && !ask_write;

    assign s_axil_awready = !have_aw;
    assign s_axil_wready  = !have_w;
    assign s_axil_arready = !have_ar;

    always @(posedge clk) begin
        req_valid <= ask_write || ask_read;
        if (ask_write || ask_read) begin
            req_write <= ask_write;
            req_word  <= ask_write ? aw : ar;
            req_data  <= w;
            req_strb  <= strb;
            busy      <= 1'b1;
        end
        if (ask_write) {have_aw, have_w} <= 2'b00;
        if (ask_read) have_ar <= 1'b0;
        if (s_axil_awvalid && s_axil_awready) {have_aw, aw} <= {1'b1, s_axil_awaddr[ADDR_W-1:2]};
        if (s_axil_wvalid && s_axil_wready) {have_w, w, strb} <= {1'b1, s_axil_wdata, s_axil_wstrb};
        if (s_axil_arvalid && s_axil_arready) {have_ar, ar} <= {1'b1, s_axil_araddr[ADDR_W-1:2]};
        if (s_axil_bready) s_axil_bvalid <= 1'b0;
        if (s_axil_rready) s_axil_rvalid <= 1'b0;
        if (ans_valid && busy) begin
            busy <= 1'b0;
            if (req_write) {s_axil_bvalid, s_axil_bresp} <= {1'b1, ans_bad ? SLVERR : OKAY};
            else {s_axil_rvalid, s_axil_rresp, s_axil_rdata} <= {1'b1, ans_bad ? SLVERR : OKAY, ans_data};
        end
        if (rst) begin
            {have_aw, have_w, have_ar, busy, req_valid} <= 5'd0;
            {s_axil_bvalid, s_axil_rvalid} <= 2'b00;
        end
    end

    wire unused_axil = &{1'b0, s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};
endmodule
`default_nettype wire
