// SPDX-License-Identifier: Apache-2.0
// Proofs about lib/gmmu_axil_port: a scoreboard follows one write and one read, any ones that `pick` marks, among
// others, whose addresses, data and responses come and are taken in any order.
//: pdr 120 s
//: bmc3 40 frames 60 s
//: find 901 902 903 904 905
`default_nettype none
module formal_axil_port #(
    parameter ADDR_W = 4
) (
    input wire        clk,
    input wire        reset, pick_aw, pick_w, pick_ar, answer, ans_bad,
    input wire        awvalid, wvalid, arvalid, bready, rready,
    input wire [ADDR_W-1:0] awaddr, araddr,
    input wire [31:0] wdata, ans_data,
    input wire [3:0]  wstrb
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire awready, wready, arready, bvalid, rvalid, req_valid, req_write;
    wire [1:0] bresp, rresp;
    wire [ADDR_W-3:0] req_word;
    wire [31:0] rdata, req_data;
    wire [3:0] req_strb;
    reg asked; // a request has no answer yet
    wire ans_valid = asked && answer;
    gmmu_axil_port #(.ADDR_W(ADDR_W)) dut (
        .clk(clk), .rst(rst), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
        .req_valid(req_valid), .req_write(req_write), .req_word(req_word), .req_data(req_data), .req_strb(req_strb),
        .ans_valid(ans_valid), .ans_bad(ans_bad), .ans_data(ans_data)
    );

    // accepted and not asked for; asked for; answered and not taken
    reg [1:0] aws, ws, ars;
    reg       asked_write;
    reg       b_waits, r_waits;
    reg [1:0] b_resp, r_resp;
    reg [31:0] r_data;
    // the picked ones: how many are before it; what it is
    reg       have_aw, have_w, have_ar;
    reg [1:0] aw_ahead, w_ahead, ar_ahead;
    reg [ADDR_W-3:0] aw_word, ar_word;
    reg [3:0] strb;
    reg [3:0] stuck_write, stuck_read;
    wire take_aw = awvalid && awready, take_w = wvalid && wready, take_ar = arvalid && arready;
    wire asks_write = req_valid && req_write, asks_read = req_valid && !req_write;
    wire stalled = (bvalid && !bready) || (rvalid && !rready) || (asked && !answer);

    always @(posedge clk) begin
        asked <= req_valid || (asked && !answer);
        if (req_valid) asked_write <= req_write;
        aws <= aws + {1'b0, take_aw} - {1'b0, asks_write};
        ws  <= ws + {1'b0, take_w} - {1'b0, asks_write};
        ars <= ars + {1'b0, take_ar} - {1'b0, asks_read};
        b_waits <= (ans_valid && asked_write) || (b_waits && !bready);
        r_waits <= (ans_valid && !asked_write) || (r_waits && !rready);
        if (ans_valid && asked_write) b_resp <= ans_bad ? 2'd2 : 2'd0;
        if (ans_valid && !asked_write) {r_resp, r_data} <= {ans_bad ? 2'd2 : 2'd0, ans_data};
        if (have_aw && asks_write) {have_aw, aw_ahead} <= {aw_ahead != 0, aw_ahead - 2'd1};
        if (!have_aw && take_aw && pick_aw) {have_aw, aw_ahead, aw_word} <= {1'b1, aws - {1'b0, asks_write}, awaddr[ADDR_W-1:2]};
        if (have_w && asks_write) {have_w, w_ahead} <= {w_ahead != 0, w_ahead - 2'd1};
        if (!have_w && take_w && pick_w) {have_w, w_ahead, strb} <= {1'b1, ws - {1'b0, asks_write}, wstrb};
        if (have_ar && asks_read) {have_ar, ar_ahead} <= {ar_ahead != 0, ar_ahead - 2'd1};
        if (!have_ar && take_ar && pick_ar) {have_ar, ar_ahead, ar_word} <= {1'b1, ars - {1'b0, asks_read}, araddr[ADDR_W-1:2]};
        stuck_write <= aws == 0 || ws == 0 || asks_write ? 4'd0 : stalled ? stuck_write : stuck_write + 4'd1;
        stuck_read  <= ars == 0 || asks_read ? 4'd0 : stalled ? stuck_read : stuck_read + 4'd1;
        if (rst) begin
            {aws, ws, ars, asked, b_waits, r_waits, have_aw, have_w, have_ar} <= 12'd0;
            {stuck_write, stuck_read} <= 8'd0;
        end
    end

    always @* if (!rst) begin
        // A response is there from its answer until it is taken, and stays as it is; there is no other one.
        response_to_write: assert (bvalid == b_waits && (!bvalid || bresp == b_resp));
        response_to_read: assert (rvalid == r_waits && (!rvalid || (rresp == r_resp && rdata == r_data)));
        // A request comes when the one before has its answer and the response before is taken.
        one_at_a_time: assert (!req_valid || (!asked && !(req_write ? b_waits : r_waits)));
        // A write is asked for once, when address and data have come; a read, when its address has.
        nothing_made_up: assert (!(asks_write && (aws == 0 || ws == 0)) && !(asks_read && ars == 0));
        // Nothing that was accepted is lost or changed.
        right_address: assert (!(asks_write && have_aw && aw_ahead == 0) || req_word == aw_word);
        right_data: assert (!(asks_write && have_w && w_ahead == 0) || req_strb == strb);
        right_read: assert (!(asks_read && have_ar && ar_ahead == 0) || req_word == ar_word);
        // An access is asked for before long, however many there are of the other kind.
        no_write_stuck: assert (stuck_write <= 4'd6);
        no_read_stuck: assert (stuck_read <= 4'd6);
    end

endmodule
`default_nettype wire
