// SPDX-License-Identifier: Apache-2.0
// page_walker: a small page table, and the walks of it that gmmu_tier is told of.
//
// In a cycle the driver changes an entry, or a parked access is answered as its page has come, or an access is taken. Its page
// is there: it is answered in the same cycle, and the unit hears of a walk hit; else it is parked, and the unit hears of a fault.
// A faulted access is not walked again. The unit takes a walk in every cycle, so nothing waits for it once it is ready.
`default_nettype none
module page_walker #(
    parameter PAGE_W  = 10, // the table has 2^PAGE_W pages
    parameter FRAME_W = 8,
    parameter PARK_W  = 2   // 2^PARK_W accesses are parked at most: of no more pages than the unit's FAULTS
) (
    input  wire               clk, rst,
    // accesses, and their answers, in any order
    input  wire               req_valid,
    output wire               req_ready,
    input  wire [PAGE_W-1:0]  req_page,
    output wire               rsp_valid, rsp_parked, // it was parked
    output wire [PAGE_W-1:0]  rsp_page,
    output wire [FRAME_W-1:0] rsp_frame,
    // the driver: a page comes, or goes
    input  wire               map_valid, map_comes,
    input  wire [PAGE_W-1:0]  map_page,
    input  wire [FRAME_W-1:0] map_frame,
    // the driver looks a page up
    input  wire [PAGE_W-1:0]  look_page,
    output wire               resident,
    // the unit: a walk of the page that is taken
    output wire               walk_valid, walk_fault,
    input  wire               walk_ready,
    output wire [FRAME_W-1:0] walk_frame
);

    reg [FRAME_W:0]   entry [0:(1 << PAGE_W) - 1]; // {present, frame}
    reg [PAGE_W-1:0]  parked [0:(1 << PARK_W) - 1];
    reg [(1 << PARK_W)-1:0] waits;
    reg [PARK_W-1:0]  at, put;

    wire [FRAME_W:0]  of_parked = entry[parked[at]];
    wire [FRAME_W:0]  of_req    = entry[req_page];
    wire [FRAME_W:0]  of_look   = entry[look_page];
    wire unused_look = &{1'b0, of_look};
    wire wakes = waits[at] && of_parked[FRAME_W] && !map_valid;
    assign req_ready  = walk_ready && !map_valid && !wakes && !waits[put];
    wire take = req_valid && req_ready;
    assign walk_valid = take;
    assign walk_fault = !of_req[FRAME_W];
    assign walk_frame = of_req[FRAME_W-1:0];
    assign rsp_valid  = wakes || (take && of_req[FRAME_W]);
    assign rsp_parked = wakes;
    assign resident   = of_look[FRAME_W];
    assign rsp_page   = wakes ? parked[at] : req_page;
    assign rsp_frame  = wakes ? of_parked[FRAME_W-1:0] : of_req[FRAME_W-1:0];

    integer i;
    always @(posedge clk) begin
        at <= at + 1'b1;
        if (map_valid)
            entry[map_page] <= {map_comes, map_frame};
        if (wakes)
            waits[at] <= 1'b0;
        if (take && walk_fault) begin
            waits[put]  <= 1'b1;
            parked[put] <= req_page;
            put         <= put + 1'b1;
        end
        if (rst) begin
            waits <= 0;
            at    <= 0;
            put   <= 0;
            for (i = 0; i < 1 << PAGE_W; i = i + 1)
                entry[i] <= 0;
        end
    end

endmodule
`default_nettype wire
