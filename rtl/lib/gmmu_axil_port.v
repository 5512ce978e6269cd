// SPDX-License-Identifier: Apache-2.0
// gmmu_axil_port: an AXI4-Lite subordinate (ARM IHI 0022) that turns accesses into register requests, one at a time.
//
// Address and data of a write may come in any order, and together with the address of a read. The next request starts
// when the request before has its answer. If a read and a write wait, the write goes first. The read goes next, because
// the next write waits until the response is taken. A response is held until the host takes the response. awprot and
// arprot are ignored.
`default_nettype none
module gmmu_axil_port #(
    parameter ADDR_W = 12 // bits of a byte address
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ADDR_W-1:0] s_axil_awaddr,  // write address, in bytes
    input  wire [ADDR_W-1:0] s_axil_araddr,  // read address, in bytes
    input  wire [2:0]        s_axil_awprot,  // protection of the write; ignored
    input  wire [2:0]        s_axil_arprot,  // protection of the read; ignored
    input  wire              s_axil_awvalid, // a write address is offered
    input  wire              s_axil_wvalid,  // write data are offered
    input  wire              s_axil_arvalid, // a read address is offered
    output wire              s_axil_awready, // a write address is accepted
    output wire              s_axil_wready,  // write data are accepted
    output wire              s_axil_arready, // a read address is accepted
    input  wire [31:0]       s_axil_wdata,   // write data
    input  wire [3:0]        s_axil_wstrb,   // byte strobes of the write
    output reg  [1:0]        s_axil_bresp,   // response of the write, OKAY or SLVERR
    output reg  [1:0]        s_axil_rresp,   // response of the read, OKAY or SLVERR
    output reg               s_axil_bvalid,  // a write response is offered
    output reg               s_axil_rvalid,  // read data and their response are offered
    input  wire              s_axil_bready,  // the host takes the write response
    input  wire              s_axil_rready,  // the host takes the read data
    output reg  [31:0]       s_axil_rdata,   // read data
    // a register request; the next request comes only after the answer
    output reg               req_valid,      // a request is made; 1 for one cycle
    output reg               req_write,      // the request is a write
    output reg  [ADDR_W-3:0] req_word,       // the request's 32-bit word number
    output reg  [31:0]       req_data,       // the word that is written
    output reg  [3:0]        req_strb,       // byte strobes of the write
    input  wire              ans_valid,      // the answer to the request comes
    input  wire              ans_bad,        // the access failed: SLVERR
    input  wire [31:0]       ans_data        // the word that was read
);
    localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;

    reg               have_aw;                                         // a write address is held and not yet requested
    reg               have_w;                                          // write data are held and not yet requested
    reg               have_ar;                                         // a read address is held and not yet requested
    reg  [ADDR_W-3:0] aw;                                              // word number of the held write
    reg  [ADDR_W-3:0] ar;                                              // word number of the held read
    reg  [31:0]       w;                                               // held write data
    reg  [3:0]        strb;                                            // held byte strobes
    reg               busy;                                            // a request waits for its answer
    wire              can_write = have_aw && have_w && !s_axil_bvalid; // a whole write is held, and the response register is free
    wire              can_read  = have_ar && !s_axil_rvalid;           // a read is held, and the response register is free
    wire              ask_write = !busy && can_write;                  // the write becomes the request
    wire              ask_read  = !busy && can_read && !ask_write;     // the read becomes the request

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
