// SPDX-License-Identifier: Apache-2.0
// Proofs about ring_writer: beside it the entry that is on its way to the bus, and one entry, any one that `follow` marks, until its
// answer. Entries have up to four beats of four bits here. Memory takes at any time, and answers in order when it has an entry.
//: inductive
//: pdr 120 s
//: find 1413 1414:ready_right
`default_nettype none
module formal_ring_writer #(
    parameter CHANNELS = 3,
    parameter BYTES    = 2,
    parameter WRITES   = 3,
    parameter ADDR_W   = 23,
    parameter DATA_W   = 4
) (
    input wire                clk,
    input wire                reset, aw_takes, w_takes, b_comes, follow,
    input wire [CHANNELS-1:0] any_load,
    input wire [8*BYTES-1:0]  entry,
    input wire [ADDR_W-1:0]   base,
    input wire [21:0]         place,
    input wire [1:0]          last_beat,
    input wire [1:0]          bresp
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // An entry of one channel is loaded when the writer is ready for it.
    wire ready, rests, done_ok, awvalid, wlast, wvalid;
    wire [CHANNELS-1:0] done;
    wire [ADDR_W-1:0]   awaddr;
    wire [3:0]          awlen;
    wire [DATA_W-1:0]   wdata;
    wire [CHANNELS-1:0] load = ready && (any_load & (any_load - 1'b1)) == 0 ? any_load : {CHANNELS{1'b0}};
    wire loads = load != 0;
    // addresses, entries that memory has taken and not answered
    reg  [1:0] aw_n, w_n;
    wire takes_aw = awvalid && aw_takes, takes_w = wvalid && w_takes;
    wire bvalid = b_comes && aw_n != 0 && w_n != 0;
    gmmu_ring_writer #(.CHANNELS(CHANNELS), .BYTES(BYTES), .WRITES(WRITES), .ADDR_W(ADDR_W), .DATA_W(DATA_W)) dut (
        .clk(clk), .rst(rst), .ready(ready), .rests(rests), .load(load), .entry(entry), .base(base), .place(place), .last_beat({2'd0, last_beat}),
        .done(done), .done_ok(done_ok), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awvalid(awvalid), .m_axi_awready(aw_takes),
        .m_axi_wdata(wdata), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready(w_takes), .m_axi_bresp(bresp), .m_axi_bvalid(bvalid)
    );
    (* hierconn *) wire \dut.fresh , \dut.open , \dut.b_valid ;
    (* hierconn *) wire [3:0] \dut.left ;
    (* hierconn *) wire [WRITES-1:0] \dut.full ;
    (* hierconn *) wire [8*BYTES-1:0] \dut.shift ;
    (* hierconn *) wire [ADDR_W-1:0] \dut.from ;
    (* hierconn *) wire [21:0] \dut.by ;
    (* hierconn *) wire [CHANNELS*WRITES-1:0] \dut.order.words ;
    wire [CHANNELS*WRITES-1:0] from_followed = \dut.order.words >> (CHANNELS * ahead);
    wire [CHANNELS-1:0] word0 = \dut.order.words [0 +: CHANNELS], word1 = \dut.order.words [CHANNELS +: CHANNELS];
    wire [CHANNELS-1:0] word2 = \dut.order.words [2*CHANNELS +: CHANNELS];

    // ---- the entry on its way: what of it has not gone
    reg                aw_left, w_left;
    reg  [8*BYTES-1:0] data;
    reg  [ADDR_W-1:0]  address;
    reg  [1:0]         last, beat;
    reg                just;            // loaded in the cycle before
    // ---- entries that have no answer, and that are not done
    reg  [2:0]         under_way;
    reg                answered, was_ok;
    // ---- the entry that is followed
    reg                has;
    reg  [1:0]         ahead;
    reg  [CHANNELS-1:0] channel;
    // ---- offered in the cycle before and not taken
    reg                aw_waited, w_waited;
    reg  [ADDR_W+3:0]  aw_was;
    reg  [DATA_W:0]    w_was;
    wire               is_done = done != 0;
    always @(posedge clk) begin
        if (takes_aw)
            aw_left <= 1'b0;
        if (takes_w) begin
            beat   <= beat + 2'd1;
            w_left <= beat != last;
        end
        if (loads) begin
            {aw_left, w_left} <= 2'b11;
            {data, address, last, beat} <= {entry, base + {{ADDR_W-22{1'b0}}, place}, last_beat, 2'd0};
        end
        just      <= loads;
        aw_n      <= aw_n + {1'b0, takes_aw} - {1'b0, bvalid};
        w_n       <= w_n + {1'b0, takes_w && beat == last} - {1'b0, bvalid};
        under_way <= under_way + {2'd0, loads} - {2'd0, is_done};
        answered  <= bvalid;
        was_ok    <= bresp == 0;
        if (!has && loads && follow)
            {has, ahead, channel} <= {1'b1, under_way[1:0] - {1'b0, is_done}, load};
        else if (has && is_done)
            {has, ahead} <= {ahead != 0, ahead - 2'd1};
        aw_waited <= awvalid && !aw_takes;
        w_waited  <= wvalid && !w_takes;
        aw_was    <= {awaddr, awlen};
        w_was     <= {wdata, wlast};
        if (rst) begin
            {aw_left, w_left, just, answered, has, aw_waited, w_waited} <= 7'd0;
            {aw_n, w_n, under_way} <= 7'd0;
        end
    end
    wire [8*BYTES-1:0] rest = data >> (DATA_W * beat);

    always @* if (!first) begin
        // What is offered stays as it is until memory takes it.
        aw_stands: assert (rst || !aw_waited || (awvalid && {awaddr, awlen} == aw_was));
        w_stands: assert (rst || !w_waited || (wvalid && {wdata, wlast} == w_was));
        // An address is offered once for each entry, from two cycles behind its load: of its place, with its length.
        aw_right: assert (awvalid == (aw_left && !just) && (!awvalid || (awaddr == address && awlen == {2'd0, last})));
        // Data are offered once for each entry, from two cycles behind its load: beat by beat, with WLAST at the last.
        w_right: assert (wvalid == (w_left && !just) && (!wvalid || (wdata == rest[DATA_W-1:0] && wlast == (beat == last))));
        // No more entries than RING_WRITES are under way. The writer is ready just when there may be one more, and none is on its way.
        ready_right: assert (under_way <= WRITES && (ready == (under_way < WRITES && !aw_left && !w_left)));
        // The writer rests just when no entry is under way.
        rests_right: assert (rests == (under_way == 0));
        // An entry is done a cycle after its answer, and only then; with an error if the answer was one.
        done_right: assert (is_done == answered && (!is_done || done_ok == was_ok));
        // Entries are done in order: each one is told to its own channel.
        done_in_order: assert (!(is_done && has && ahead == 0) || done == channel);
        // One channel at a time.
        done_once: assert ((done & (done - 1'b1)) == 0);
        // The writer as its golden model.
        model: assert (\dut.fresh == just && \dut.open == (aw_left || w_left) && \dut.b_valid == answered && (!just || (aw_left && w_left && beat == 0)) &&
                       (!w_left || (\dut.left == {2'd0, last - beat} && beat <= last && \dut.shift == rest)) &&
                       (!just || address == \dut.from + {{ADDR_W-22{1'b0}}, \dut.by }));
        count_right: assert ({1'b0, aw_n} + {2'd0, aw_left} + {2'd0, answered} == under_way && {1'b0, w_n} + {2'd0, w_left} + {2'd0, answered} == under_way);
        full_right: assert (\dut.full == (under_way == 0 ? 3'd0 : under_way == 1 ? 3'd1 : under_way == 2 ? 3'd3 : 3'd7));
        follows: assert (!has || ({1'b0, ahead} < under_way && from_followed[CHANNELS-1:0] == channel));
        one_channel: assert ((under_way < 1 || (word0 != 0 && (word0 & (word0 - 1'b1)) == 0)) &&
                             (under_way < 2 || (word1 != 0 && (word1 & (word1 - 1'b1)) == 0)) &&
                             (under_way < 3 || (word2 != 0 && (word2 & (word2 - 1'b1)) == 0)));
    end

endmodule
`default_nettype wire
