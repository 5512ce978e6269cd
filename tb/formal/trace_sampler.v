// SPDX-License-Identifier: Apache-2.0
// Proofs about trace_sampler: the number of entries, the ways, the threshold.
//: pdr 60 s
//: bmc3 40 frames 25 s
//: hash crc32c
//: find 307 308
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
    input wire               w3_in, scrub_in, scrub_calm,
    input wire [ASID_W-1:0]  w3_asid,
    input wire [VPN_W-1:0]   w3_vpn,
    input wire [CLASS_W-1:0] w9_class
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

    // time is the number of walks at w9
    reg [6:1]        walk;
    reg [TIME_W-1:0] now;
    wire [TIME_W-1:0] w9_time  = now + walk[6];
    always @(posedge clk) begin
        walk <= rst ? 6'd0 : {walk[5:1], w3_in && run};
        now  <= rst ? {TIME_W{1'b0}} : w9_time;
    end

    wire tvi_scrub_valid, tvi_scrub_removed, tvi_hit;
    wire [16:0] tvi_thresh;
    gmmu_trace_sampler #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .ENTRIES(ENTRIES), .WAYS(WAYS),
        .WAIT_W(WAIT_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .cfg_sample(cfg_sample), .clear(clearing), .cleared(cleared),
        .w3_valid(w3_in && run), .w3_asid(w3_asid), .w3_vpn(w3_vpn), .w9_class(w9_class), .w9_time(w9_time),
        .now(now), .scrub_owed(scrub_in && run), .scrub_calm(scrub_calm),
        .tvi_thresh(tvi_thresh), .tvi_scrub_valid(tvi_scrub_valid), .tvi_scrub_removed(tvi_scrub_removed),
        .tvi_hit(tvi_hit)
    );
    (* hierconn *) wire                \dut.w9_set ;
    (* hierconn *) wire [WAYS-1:0]     \dut.match ;
    (* hierconn *) wire [WAYS-1:0]     \dut.w9_put ;
    (* hierconn *) wire [WAYS-1:0]     \dut.w9_gone ;
    (* hierconn *) wire                \dut.w9_clear ;
    (* hierconn *) wire                \dut.w8_lookup ;
    (* hierconn *) wire                \dut.w9_lookup ;
    (* hierconn *) wire [2:0]          \dut.occupied ;
    (* hierconn *) wire [16:0]         \dut.w4_threshold ;
    (* hierconn *) wire [16:0]         \dut.threshold ;

    // which entries are valid, from the writes of the table
    wire [WAYS-1:0]     match = \dut.match ;
    wire [WAYS-1:0]     put   = \dut.w9_put ;
    reg  [ENTRIES-1:0]  shadow;
    integer i;
    always @(posedge clk)
        for (i = 0; i < WAYS; i = i + 1)
            if (\dut.w9_clear || put[i] || \dut.w9_gone [i])
                shadow[\dut.w9_set *WAYS + i] <= put[i];

    always @* if (run) begin
        // `occupied` is the number of valid entries.
        occupied_right: assert (\dut.occupied == {2'd0, shadow[0]} + shadow[1] + shadow[2] + shadow[3]);
        // At most one way of a set holds a page.
        one_way: assert (!\dut.w8_lookup || (match & (match - 1'b1)) == 0);
        // An access writes one way.
        one_put: assert (!\dut.w9_lookup || (put != 0 && (put & (put - 1'b1)) == 0));
        // The threshold is never 0 nor above 65536, at either of its two places.
        threshold_range: assert (\dut.threshold != 0 && \dut.threshold <= 17'd65536 &&
                                 \dut.w4_threshold != 0 && \dut.w4_threshold <= 17'd65536);
    end

endmodule
`default_nettype wire
