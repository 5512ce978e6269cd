// SPDX-License-Identifier: Apache-2.0
// gmmu_check_axi: an AXI4 master port (ARM IHI 0022) as that of gmmu_tier_ring: bursts INCR of full width and one ID. Duties of the unit, the
// master, and of the memory, the subordinate.
//
// Data of a write may come before the address. Addresses and bursts of data are paired in their order: lengths of addresses that wait for
// their data, or of data that wait for their address, are in one queue, as only one of both can wait.
`default_nettype none
`include "gmmu_check.svh"
module gmmu_check_axi #(
    parameter ADDR_W = 64,
    parameter DATA_W = 64,
    parameter WRITES = 32, // writes under way, at most; a power of two or less, up to 64
    parameter READS  = 1   // reads under way, at most, up to 64
) (
    input wire                clk,
    input wire                rst,
    input wire                awid,
    input wire [ADDR_W-1:0]   awaddr,
    input wire [7:0]          awlen,
    input wire [2:0]          awsize,
    input wire [1:0]          awburst,
    input wire                awlock,
    input wire [3:0]          awcache,
    input wire [2:0]          awprot,
    input wire [3:0]          awqos,
    input wire                awvalid,
    input wire                awready,
    input wire [DATA_W-1:0]   wdata,
    input wire [DATA_W/8-1:0] wstrb,
    input wire                wlast,
    input wire                wvalid,
    input wire                wready,
    input wire                bid,
    input wire [1:0]          bresp,
    input wire                bvalid,
    input wire                bready,
    input wire                arid,
    input wire [ADDR_W-1:0]   araddr,
    input wire [7:0]          arlen,
    input wire [2:0]          arsize,
    input wire [1:0]          arburst,
    input wire                arlock,
    input wire [3:0]          arcache,
    input wire [2:0]          arprot,
    input wire [3:0]          arqos,
    input wire                arvalid,
    input wire                arready,
    input wire                rid,
    input wire [1:0]          rresp,
    input wire                rlast,
    input wire                rvalid,
    input wire                rready
);
    localparam SIZE = $clog2(DATA_W / 8); // of a beat: 2^SIZE bytes
    localparam FORM = 15;                 // bits of what is the same in each address
    localparam [FORM-1:0] ALWAYS = {1'b0, SIZE[2:0], 2'b01, 1'b0, 4'b0011, 3'b010, 1'b0};
    wire [FORM-1:0] aw_form = {awid, awsize, awburst, awlock, awcache, awprot, |awqos};
    wire [FORM-1:0] ar_form = {arid, arsize, arburst, arlock, arcache, arprot, |arqos};
    // the bytes of a burst are in one page of 4 KiB
    wire            aw_fits = {1'b0, awaddr[11:0]} + (({5'd0, awlen} + 13'd1) << SIZE) <= 13'd4096;
    wire            ar_fits = {1'b0, araddr[11:0]} + (({5'd0, arlen} + 13'd1) << SIZE) <= 13'd4096;
    // a channel that waits, as of the cycle before
    reg                   aw_waits;
    reg                   w_waits;
    reg                   ar_waits;
    reg                   resets;    // `rst` was 1 in the cycle before, too
    reg  [ADDR_W+FORM+7:0] was_aw;
    reg  [ADDR_W+FORM+7:0] was_ar;
    reg  [DATA_W+DATA_W/8:0] was_w;
    // writes: lengths in a ring, of addresses before their data, or of data before their address
    reg  [7:0]            length [0:127];
    reg  [6:0]            put;
    reg  [6:0]            get;
    reg                   of_data;   // the lengths are those of data
    reg  [8:0]            beats;     // of the burst of data that has begun
    reg  [7:0]            addressed; // addresses without a response
    reg  [7:0]            written;   // whole bursts of data without a response
    wire                  aw = awvalid && awready;
    wire                  w = wvalid && wready;
    wire                  w_ends = w && wlast;
    wire                  b = bvalid && bready;
    wire                  ahead = put != get && of_data;      // data are ahead of their address
    wire                  owed = put != get && !of_data;      // an address is ahead of its data
    wire                  meets = aw && put == get;           // the address and its data may come in one cycle
    wire [7:0]            oldest = length[get];
    wire [7:0]            due = owed ? oldest : awlen;        // beats of the data that come, less one
    // reads
    reg  [7:0]            reading [0:127]; // lengths of the bursts under way
    reg  [6:0]            r_put;
    reg  [6:0]            r_get;
    reg  [7:0]            r_beats;
    wire [6:0]            under_way = r_put - r_get;
    wire [7:0]            r_due = reading[r_get];
    wire                  ar = arvalid && arready;
    wire                  r = rvalid && rready;
    initial {aw_waits, w_waits, ar_waits, resets, put, get, of_data, beats, addressed, written, r_put, r_get, r_beats} = 0;
    always @(posedge clk) begin
        aw_waits <= !rst && awvalid && !awready;
        w_waits  <= !rst && wvalid && !wready;
        ar_waits <= !rst && arvalid && !arready;
        resets   <= rst;
        was_aw   <= {awaddr, awlen, aw_form};
        was_ar   <= {araddr, arlen, ar_form};
        was_w    <= {wdata, wstrb, wlast};
        if (aw && w_ends) begin
            // one each: the number that waits stays
            if (put != get) begin
                length[put] <= of_data ? beats[7:0] : awlen;
                put         <= put + 1'b1;
                get         <= get + 1'b1;
            end
        end else if (aw) begin
            if (ahead) get <= get + 1'b1;
            else begin
                {length[put], of_data} <= {awlen, 1'b0};
                put                    <= put + 1'b1;
            end
        end else if (w_ends) begin
            if (owed) get <= get + 1'b1;
            else begin
                {length[put], of_data} <= {beats[7:0], 1'b1};
                put                    <= put + 1'b1;
            end
        end
        if (w) beats <= wlast ? 9'd0 : beats + 9'd1;
        addressed <= addressed + {7'd0, aw} - {7'd0, b && addressed != 0};
        written   <= written + {7'd0, w_ends} - {7'd0, b && written != 0};
        if (ar) begin
            reading[r_put] <= arlen;
            r_put          <= r_put + 1'b1;
        end
        if (r && under_way != 0) begin
            r_beats <= rlast ? 8'd0 : r_beats + 8'd1;
            if (rlast) r_get <= r_get + 1'b1;
        end
        if (rst) {put, get, of_data, beats, addressed, written, r_put, r_get, r_beats} <= 0;
    end

    localparam SEE = "ARM IHI 0022; docs/reference/blocks/ring.md";
    `GMMU_UNIT(axi_aw_stays, aw_waits, awvalid && {awaddr, awlen, aw_form} == was_aw,
        "an offered write address changed, or was taken back, before AWREADY", SEE)
    `GMMU_UNIT(axi_w_stays, w_waits, wvalid && {wdata, wstrb, wlast} == was_w, "offered write data changed, or were taken back, before WREADY", SEE)
    `GMMU_UNIT(axi_ar_stays, ar_waits, arvalid && {araddr, arlen, ar_form} == was_ar,
        "an offered read address changed, or was taken back, before ARREADY", SEE)
    `GMMU_UNIT(axi_aw_form, awvalid, aw_form == ALWAYS && awaddr[SIZE-1:0] == 0,
        "a write is not INCR of full width with ID 0, aligned, and with the fixed cache, prot, lock and qos", SEE)
    `GMMU_UNIT(axi_ar_form, arvalid, ar_form == ALWAYS && araddr[SIZE-1:0] == 0,
        "a read is not INCR of full width with ID 0, aligned, and with the fixed cache, prot, lock and qos", SEE)
    `GMMU_UNIT(axi_aw_page, awvalid && aw_form == ALWAYS, aw_fits, "a write crosses a border of 4 KiB", SEE)
    `GMMU_UNIT(axi_ar_page, arvalid && ar_form == ALWAYS, ar_fits, "a read crosses a border of 4 KiB", SEE)
    `GMMU_UNIT(axi_w_strobes, wvalid, &wstrb, "a byte of a write has no strobe", SEE)
    `GMMU_UNIT(axi_w_last, w && (owed || meets), wlast == (beats == {1'b0, due}), "WLAST is not at the last beat of its address", SEE)
    `GMMU_UNIT(axi_aw_length, aw && ahead, awlen == oldest, "the data before the address were of another length", SEE)
    `GMMU_UNIT(axi_w_length, w && !owed && !meets, beats < 9'd255 || wlast, "data have no WLAST in 256 beats", SEE)
    `GMMU_UNIT(axi_writes_bounded, aw, {24'd0, addressed} < WRITES || b, "more writes are under way than the unit may have", SEE)
    `GMMU_UNIT(axi_reads_bounded, ar, {25'd0, under_way} < READS, "more reads are under way than the unit may have", SEE)
    `GMMU_UNIT(axi_takes, bvalid || rvalid, bready && rready, "BREADY or RREADY is 0, while a response comes", SEE)
    `GMMU_UNIT_EVER(axi_silent, rst && resets, !awvalid && !wvalid && !arvalid, "a valid in reset", SEE)
    `GMMU_UNIT(axi_known, 1'b1,
        (^{awvalid, wvalid, arvalid, bready, rready}) !== 1'bx && (!awvalid || (^{awaddr, awlen, aw_form}) !== 1'bx)
        && (!wvalid || (^{wdata, wstrb, wlast}) !== 1'bx) && (!arvalid || (^{araddr, arlen, ar_form}) !== 1'bx),
        "a valid, a ready, or a bit of an address or of data is unknown", SEE)
    // GMMU_CHECK_ANY_MEMORY: a memory that breaks the rules on purpose; how often they applied is counted all the same
`ifdef GMMU_CHECK_ANY_MEMORY
`define GMMU_MEMORY(NAME, WHEN, THEN, SAYS) NAME``_applies: cover property (@(posedge clk) disable iff (rst) (WHEN));
    wire unused_answers = &{1'b0, bid, bresp, rid, rresp, r_due};
`else
`define GMMU_MEMORY(NAME, WHEN, THEN, SAYS) `GMMU_USER(NAME, WHEN, THEN, "the memory", SAYS, SEE)
`endif
    `GMMU_MEMORY(axi_b_asked, bvalid, addressed != 0 && written != 0, "a write response without an address and all its data")
    `GMMU_MEMORY(axi_r_asked, rvalid, under_way != 0, "read data without an address")
    `GMMU_MEMORY(axi_r_last, rvalid && under_way != 0, rlast == (r_beats == r_due), "RLAST is not at the last beat of its address")
    `GMMU_MEMORY(axi_b_id, bvalid, !bid, "a write response has an ID that was not sent")
    `GMMU_MEMORY(axi_r_id, rvalid, !rid, "read data have an ID that was not sent")
    `GMMU_MEMORY(axi_memory_known, 1'b1,
        (^{awready, wready, arready, bvalid, rvalid}) !== 1'bx && (!bvalid || (^{bid, bresp}) !== 1'bx)
        && (!rvalid || (^{rid, rresp, rlast}) !== 1'bx),
        "a ready, a valid, or a bit of a response but read data is unknown")
`undef GMMU_MEMORY
endmodule
`default_nettype wire
