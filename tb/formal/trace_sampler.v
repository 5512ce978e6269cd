// SPDX-License-Identifier: Apache-2.0
// Proofs about trace_sampler: the number of entries, the ways, the threshold.
`default_nettype none
module formal_trace_sampler #(
    parameter ENTRIES = 4,
    parameter WAYS    = 2,
    parameter VPN_W   = 2,
    parameter ASID_W  = 1,
    parameter TIME_W  = 4,
    parameter CLASS_W = 1,
    parameter WAIT_W  = 2,
    parameter INDEX_W = 2
) (
    input wire               clk,
    input wire               x1_in, scrub_in, scrub_calm,
    input wire [ASID_W-1:0]  x1_asid,
    input wire [VPN_W-1:0]   x1_vpn,
    input wire [CLASS_W-1:0] x5_class
);

    localparam SETS = ENTRIES / WAYS;
    (* anyconst *) wire [3:0] cfg_sample;

    // reset, clearing until the block says so, then four cycles of rest
    reg       first = 1'b1;
    reg       clearing;
    reg [1:0] settle;
    wire      cleared;
    wire      rst = first;
    always @(posedge clk) begin
        first <= 1'b0;
        if (rst) begin
            clearing <= 1'b1;
            settle   <= 2'd0;
        end else if (clearing && cleared) begin
            settle   <= settle + 1'b1;
            clearing <= settle != 2'd3;
        end
    end
    wire run = !rst && !clearing;

    // time is the number of walks at x5
    reg [4:1]        walk;
    reg [TIME_W-1:0] now;
    wire [TIME_W-1:0] x5_time = now + 1'b1;
    always @(posedge clk) begin
        walk <= rst ? 4'd0 : {walk[3:1], x1_in && run};
        now  <= rst ? {TIME_W{1'b0}} : now + walk[4];
    end

    wire tvi_scrub_valid, tvi_scrub_removed, tvi_hit;
    wire [16:0] tvi_thresh;
    trace_sampler #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .ENTRIES(ENTRIES), .WAYS(WAYS),
        .WAIT_W(WAIT_W)
    ) dut (
        .clk(clk), .rst(rst), .cfg_sample(cfg_sample), .clear(clearing), .cleared(cleared),
        .x1_valid(x1_in && run), .x1_asid(x1_asid), .x1_vpn(x1_vpn), .x5_class(x5_class), .x5_time(x5_time),
        .now(now), .scrub_owed(scrub_in && run), .scrub_calm(scrub_calm),
        .tvi_thresh(tvi_thresh), .tvi_scrub_valid(tvi_scrub_valid), .tvi_scrub_removed(tvi_scrub_removed),
        .tvi_hit(tvi_hit)
    );
    localparam NAME_W = 32;
    localparam E_W = 1 + NAME_W - 1 + CLASS_W + TIME_W;  // one bit of the hash is the set
    (* hierconn *) wire [WAYS*E_W-1:0] \dut.x5_d ;
    (* hierconn *) wire                \dut.x3_set ;
    (* hierconn *) wire [WAYS-1:0]     \dut.match ;
    (* hierconn *) wire                \dut.x5_clear ;
    (* hierconn *) wire                \dut.x5_lookup ;
    (* hierconn *) wire [2:0]          \dut.occupied ;
    (* hierconn *) wire [16:0]         \dut.x2_threshold ;
    (* hierconn *) wire [16:0]         \dut.threshold ;

    // which entries are valid, from the writes of the table
    wire [WAYS*E_W-1:0] d = \dut.x5_d ;
    wire [WAYS-1:0]     match = \dut.match ;
    reg  [ENTRIES-1:0]  shadow;
    reg                 set4, set5;
    integer i;
    always @(posedge clk) begin
        set4 <= \dut.x3_set ;
        set5 <= set4;
        if (\dut.x5_clear || \dut.x5_lookup || tvi_scrub_removed)
            for (i = 0; i < WAYS; i = i + 1)
                shadow[set5*WAYS + i] <= d[i*E_W + E_W - 1];
    end

    always @* if (run) begin
        // `occupied` is the number of valid entries.
        occupied_right: assert (\dut.occupied == {2'd0, shadow[0]} + shadow[1] + shadow[2] + shadow[3]);
        // At most one way of a set holds a page.
        one_way: assert (!\dut.x5_lookup || (match & (match - 1'b1)) == 0);
        // The threshold is never 0 nor above 65536, at either of its two places.
        threshold_range: assert (\dut.threshold != 0 && \dut.threshold <= 17'd65536 &&
                                 \dut.x2_threshold != 0 && \dut.x2_threshold <= 17'd65536);
    end

endmodule
`default_nettype wire
