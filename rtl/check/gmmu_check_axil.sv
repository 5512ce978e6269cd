// SPDX-License-Identifier: Apache-2.0
// gmmu_check_axil: the AXI4-Lite port of gmmu_tier_axil (ARM IHI 0022): duties of the unit, the subordinate, and of the bus master.
`default_nettype none
`include "gmmu_check.svh"
module gmmu_check_axil #(
    parameter ADDR_W   = 12,
    parameter [15:0] PATIENCE = 64 // cycles from a whole request, with the response before taken, to its response, at most
) (
    input wire              clk,
    input wire              rst,
    input wire [ADDR_W-1:0] awaddr,
    input wire [2:0]        awprot,
    input wire              awvalid,
    input wire              awready,
    input wire [31:0]       wdata,
    input wire [3:0]        wstrb,
    input wire              wvalid,
    input wire              wready,
    input wire [1:0]        bresp,
    input wire              bvalid,
    input wire              bready,
    input wire [ADDR_W-1:0] araddr,
    input wire [2:0]        arprot,
    input wire              arvalid,
    input wire              arready,
    input wire [31:0]       rdata,
    input wire [1:0]        rresp,
    input wire              rvalid,
    input wire              rready
);
    // a channel that waits, as of the cycle before
    reg               aw_waits;
    reg               w_waits;
    reg               b_waits;
    reg               ar_waits;
    reg               r_waits;
    reg  [ADDR_W+2:0] was_aw;
    reg  [35:0]       was_w;
    reg  [1:0]        was_b;
    reg  [ADDR_W+2:0] was_ar;
    reg  [33:0]       was_r;
    // requests without a response
    reg  [7:0]        addresses; // of writes
    reg  [7:0]        datas;
    reg  [7:0]        reads;
    reg  [15:0]       b_owed;    // cycles for which a response to a write is owed
    reg  [15:0]       r_owed;
    wire              b = bvalid && bready;
    wire              r = rvalid && rready;
    initial {aw_waits, w_waits, b_waits, ar_waits, r_waits, addresses, datas, reads, b_owed, r_owed} = 0;
    always @(posedge clk) begin
        aw_waits  <= !rst && awvalid && !awready;
        w_waits   <= !rst && wvalid && !wready;
        b_waits   <= !rst && bvalid && !bready;
        ar_waits  <= !rst && arvalid && !arready;
        r_waits   <= !rst && rvalid && !rready;
        was_aw    <= {awaddr, awprot};
        was_w     <= {wdata, wstrb};
        was_b     <= bresp;
        was_ar    <= {araddr, arprot};
        was_r     <= {rdata, rresp};
        addresses <= addresses + {7'd0, awvalid && awready} - {7'd0, b && addresses != 0};
        datas     <= datas + {7'd0, wvalid && wready} - {7'd0, b && datas != 0};
        reads     <= reads + {7'd0, arvalid && arready} - {7'd0, r && reads != 0};
        b_owed    <= addresses != 0 && datas != 0 && !bvalid ? b_owed + 1'b1 : 16'd0;
        r_owed    <= reads != 0 && !rvalid ? r_owed + 1'b1 : 16'd0;
        if (rst) {addresses, datas, reads, b_owed, r_owed} <= 0;
    end

    localparam MASTER = "the bus master", SEE = "ARM IHI 0022, AXI4-Lite; docs/reference/blocks/gmmu_tier_axil.md";
    `GMMU_UNIT(axil_b_stays, b_waits, bvalid && bresp == was_b, "a write response changed, or was taken back, before BREADY", SEE)
    `GMMU_UNIT(axil_r_stays, r_waits, rvalid && {rdata, rresp} == was_r, "read data changed, or were taken back, before RREADY", SEE)
    `GMMU_UNIT(axil_b_asked, bvalid, addresses != 0 && datas != 0, "a write response without an address and data", SEE)
    `GMMU_UNIT(axil_r_asked, rvalid, reads != 0, "read data without an address", SEE)
    `GMMU_UNIT(axil_b_resp, bvalid, bresp == 2'd0 || bresp == 2'd2, "a write response is neither OKAY nor SLVERR", SEE)
    `GMMU_UNIT(axil_r_resp, rvalid, rresp == 2'd0 || rresp == 2'd2, "a read response is neither OKAY nor SLVERR", SEE)
    `GMMU_UNIT(axil_b_comes, addresses != 0 && datas != 0, b_owed < PATIENCE, "a write has no response", SEE)
    `GMMU_UNIT(axil_r_comes, reads != 0, r_owed < PATIENCE, "a read has no response", SEE)
    `GMMU_UNIT(axil_known, 1'b1,
        (^{awready, wready, arready, bvalid, rvalid}) !== 1'bx && (!bvalid || (^bresp) !== 1'bx) && (!rvalid || (^{rdata, rresp}) !== 1'bx),
        "a ready, a valid, or a bit of a response is unknown", SEE)
    `GMMU_USER(axil_aw_stays, aw_waits, awvalid && {awaddr, awprot} == was_aw, MASTER,
        "an offered write address changed, or was taken back, before AWREADY", SEE)
    `GMMU_USER(axil_w_stays, w_waits, wvalid && {wdata, wstrb} == was_w, MASTER, "offered write data changed, or were taken back, before WREADY", SEE)
    `GMMU_USER(axil_ar_stays, ar_waits, arvalid && {araddr, arprot} == was_ar, MASTER,
        "an offered read address changed, or was taken back, before ARREADY", SEE)
    `GMMU_USER(axil_master_known, 1'b1,
        (^{awvalid, wvalid, arvalid, bready, rready}) !== 1'bx && (!awvalid || (^awaddr) !== 1'bx)
        && (!wvalid || (^{wdata, wstrb}) !== 1'bx) && (!arvalid || (^araddr) !== 1'bx),
        MASTER, "a valid, a ready, or a bit of a request is unknown", SEE)
endmodule
`default_nettype wire
