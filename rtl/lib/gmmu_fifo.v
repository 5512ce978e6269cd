// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo: first-in first-out queue in RAM, one push and one pop a cycle, first word falls through.
//
// `room` and `count` tell the true occupancy (words pushed and not done with) at the start of a
// cycle; a word becomes poppable up to three cycles after its push. A push without room is the caller's
// mistake: it must drop and count. LATE 1: the RAM is written a cycle after the push, and the word is poppable a cycle later.
// SOON 1: a place that is not given back in time was lost, as a bit turned over, and is free.
// PARITY 1: a word has one more bit in the RAM, and `bad` says with it that it turned bad.
`default_nettype none
module gmmu_fifo #(
    // bits of a word
    parameter WIDTH = 8,
    // words, a power of two, at least 4
    parameter DEPTH = 16,
    // 1: a word that turned bad is told
    parameter PARITY = 0,
    // 1: `done` comes within 14 cycles of `pop`
    parameter SOON = 0,
    // 1: wdata comes late in its cycle
    parameter LATE = 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] wdata,
    output wire             room,  // occupancy < DEPTH
    output wire             last,  // occupancy = DEPTH - 1
    input  wire             pop,   // only with valid
    input  wire             done,  // a word popped now or before gives its place back
    output wire             valid,
    output wire [WIDTH-1:0] rdata,
    output wire             bad,   // of rdata
    output wire             empty  // occupancy = 0
);

    localparam A = $clog2(DEPTH);

    generate
        if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad
            DEPTH_must_be_a_power_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    reg [A:0] count;
    reg [A:0] wp, rp;     // one bit more than the address: equal means nothing to read
    reg       busy;       // a word comes out of the RAM in this cycle
    reg       one, two;   // there is one word in the output registers, there are two
    localparam KEPT_W = WIDTH + (PARITY != 0 ? 1 : 0); // in the RAM
    reg [WIDTH-1:0] head, spare;
    reg             head_bad, spare_bad;
    wire [KEPT_W-1:0] ram_q, kept;

    assign room  = !count[A];
    assign last  = &count[A-1:0];
    assign empty = count == 0;
    assign valid = one;
    assign rdata = head;
    assign bad   = head_bad;
    wire             put; // into the RAM
    wire [WIDTH-1:0] word;
    generate
        if (LATE != 0) begin : g_late
            reg             was_push;
            reg [WIDTH-1:0] was_wdata;
            always @(posedge clk) begin
                was_push  <= push && !rst;
                was_wdata <= wdata;
            end
            assign {put, word} = {was_push, was_wdata};
        end else begin : g_at_once
            assign {put, word} = {push, wdata};
        end
        if (PARITY != 0) begin : g_parity
            assign kept = {^word, word};
        end else begin : g_bare
            assign kept = word;
        end
    endgenerate

    wire lost; // occupied, and nothing is there
    generate
        if (SOON != 0) begin : g_soon
            reg [3:0] calm;
            always @(posedge clk)
                calm <= rst || push || done || rp != wp || busy || valid || empty ? 4'd0 : calm + {3'd0, calm != 4'd15};
            assign lost = calm == 4'd15;
        end else begin : g_any
            assign lost = 1'b0;
        end
    endgenerate

    // Read ahead while the output registers can take what is under way.
    wire left_one = pop ? two : one, left_two = two && !pop;
    wire fetch    = rp != wp && (pop ? !(two && busy) : !(two || (one && busy)));

    gmmu_ram_sdp #(.WIDTH(KEPT_W), .DEPTH(DEPTH), .FLIPS(PARITY)) ram (
        .clk(clk), .we(put), .waddr(wp[A-1:0]), .wdata(kept),
        .re(fetch), .raddr(rp[A-1:0]), .rdata(ram_q)
    );

    always @(posedge clk) begin
        count <= count + {{A{1'b0}}, push} - {{A{1'b0}}, done};
        wp    <= wp + {{A{1'b0}}, put};
        if (fetch)
            rp <= rp + 1'b1;
        busy  <= fetch;
        one   <= left_one || busy;
        two   <= left_one && (left_two || busy);
        if (pop)
            {head_bad, head} <= {spare_bad, spare};
        if (busy && !left_one)
            {head_bad, head} <= {PARITY != 0 && ^ram_q, ram_q[WIDTH-1:0]};
        if (busy && left_one && !left_two)
            {spare_bad, spare} <= {PARITY != 0 && ^ram_q, ram_q[WIDTH-1:0]};
        if (lost)
            count <= 0;
        if (rst) begin
            count <= 0;
            wp    <= 0;
            rp    <= 0;
            busy  <= 1'b0;
            one   <= 1'b0;
            two   <= 1'b0;
        end
    end

endmodule
`default_nettype wire
