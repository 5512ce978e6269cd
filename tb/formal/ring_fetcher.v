// SPDX-License-Identifier: Apache-2.0
// Proofs about ring_fetcher: beside it the burst that is under way, with one bit of one entry, any ones. Memory takes and answers at any
// time. Entries have 16 or 32 bytes, and numbers and addresses within 4 KiB all their bits.
//: inductive
//: pdr 240 s
//: find 1416 1417:not_beyond 1418
`default_nettype none
module formal_ring_fetcher #(
    parameter BYTES  = 32,
    parameter ADDR_W = 23,
    parameter DATA_W = 64
) (
    input wire              clk,
    input wire              reset, picks, long, ar_takes, r_comes,
    input wire [ADDR_W-7:0] any_base,
    input wire [15:0]       any_from, any_tail, any_size,
    input wire [4:0]        any_places,
    input wire [DATA_W-1:0] rdata,
    input wire [1:0]        rresp
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // A burst begins when none is under way, for a ring that has entries to read and a channel that has places.
    wire ready, counted, push, ends, ends_ok, arvalid;
    wire [4:0]         entries;
    wire [8*BYTES-1:0] word;
    wire [ADDR_W-1:0]  araddr;
    wire [7:0]         arlen;
    wire pick = picks && ready && !rst && any_from < any_size && any_tail < any_size && any_from != any_tail && any_places >= 1 && any_places <= 16;
    // memory: a read is under way; beats that came
    reg        read;
    reg  [8:0] came;
    wire takes_ar = arvalid && ar_takes;
    wire rvalid = r_comes && read, rlast = came == {1'b0, arlen};
    gmmu_ring_fetcher #(.BYTES(BYTES), .ADDR_W(ADDR_W), .DATA_W(DATA_W)) dut (
        .clk(clk), .rst(rst), .ready(ready), .pick(pick), .pick_k(long ? 3'd5 : 3'd4), .base({any_base, 6'd0}), .from(any_from), .tail(any_tail),
        .size(any_size), .places(any_places), .counted(counted), .entries(entries), .push(push), .word(word), .ends(ends), .ends_ok(ends_ok),
        .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arvalid(arvalid), .m_axi_arready(ar_takes),
        .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid)
    );
    (* hierconn *) wire \dut.p1 , \dut.p2 , \dut.p3 , \dut.busy , \dut.asked , \dut.r_valid , \dut.r_last , \dut.r_bad , \dut.any_bad , \dut.folded ;
    (* hierconn *) wire [2:0]  \dut.k ;
    (* hierconn *) wire [3:0]  \dut.beat ;
    (* hierconn *) wire [4:0]  \dut.most ;
    (* hierconn *) wire [15:0] \dut.to_tail , \dut.to_end ;
    (* hierconn *) wire [21:0] \dut.by ;
    (* hierconn *) wire [ADDR_W-1:0]  \dut.start ;
    (* hierconn *) wire [DATA_W-1:0]  \dut.r_data ;
    (* hierconn *) wire [8*BYTES-1:0] \dut.words ;

    // ---- the burst under way, as it was picked
    reg  [2:0]        stage;         // 1 to 3: cycles since the pick; 4: more
    reg               busy;          // from the pick until its last beat was given on
    reg               is_long;
    reg  [ADDR_W-1:0] base;
    reg  [15:0]       from, tail, size;
    reg  [4:0]        places;
    reg               asked;         // its address was taken
    reg               bad;           // a beat that came was not OKAY
    reg               now, now_last; // a beat came in the cycle before; the last one
    reg  [8:0]        given;         // beats before it
    reg               waited;
    reg  [ADDR_W+7:0] was;
    // ---- the bit that is followed: of which entry of the burst; of which beat of it; which bit
    (* anyconst *) wire [4:0] entry;
    (* anyconst *) wire [1:0] of_beat;
    (* anyconst *) wire [5:0] at;
    wire [2:0] k = is_long ? 3'd5 : 3'd4;
    wire [8:0] per   = is_long ? 9'd4 : 9'd2;                       // beats of an entry
    wire [8:0] where = {4'd0, entry} * per + {7'd0, is_long ? of_beat : {1'b0, of_beat[0]}}; // the beat of the burst
    reg        value;
    always @(posedge clk) begin
        stage  <= pick ? 3'd1 : stage == 0 || stage == 4 ? stage : stage + 3'd1;
        now      <= rvalid;
        now_last <= rlast;
        if (rvalid) begin
            came <= came + 9'd1;
            bad  <= bad || rresp != 0;
            if (came == where)
                value <= rdata[at];
        end
        if (now)
            given <= given + 9'd1;
        read <= takes_ar || (read && !(rvalid && rlast));
        if (takes_ar)
            asked <= 1'b1;
        if (now && now_last)
            {busy, asked} <= 2'b00;
        if (pick) begin
            {busy, asked, bad, came, given} <= {3'b100, 18'd0};
            {is_long, base, from, tail, size, places} <= {long, any_base, 6'd0, any_from, any_tail, any_size, any_places};
        end
        waited <= arvalid && !ar_takes;
        was    <= {araddr, arlen};
        if (rst)
            {stage, busy, asked, now, read, waited} <= 8'd0;
    end
    // what the burst may have: entries in a row, and before the border of 4 KiB
    wire [15:0] in_row = tail > from ? tail - from : size - from;
    wire [12:0] length = {8'd0, entries} << k;
    wire [12:0] to_border = 13'd4096 - {1'b0, araddr[11:0]};
    wire [ADDR_W-1:0] address = base + ({{ADDR_W-16{1'b0}}, from} << k);
    wire [8:0]  shown = given & (per - 9'd1);                       // beats of the present entry that were given on
    wire [8:0]  past  = given - where;                              // beats since the followed one, with it
    wire [8*BYTES-1:0] kept = \dut.words >> (11'd256 - 11'd64 * past[4:0] + {5'd0, at});
    wire [8*BYTES-1:0] pushed = word >> ((is_long ? 9'd0 : 9'd128) + {1'b0, is_long ? of_beat : {1'b0, of_beat[0]}, at});

    always @* if (!first) begin
        // An address that is offered stays as it is until memory takes it.
        ar_stands: assert (rst || !waited || (arvalid && {araddr, arlen} == was));
        // An address is offered once for each burst, three cycles behind the pick.
        ar_once: assert (arvalid == (stage >= 3 && busy && !asked));
        // It is that of the entry, and the length that of the entries of the burst, at least one.
        ar_right: assert (!arvalid || (araddr == address && {1'b0, arlen} + 9'd1 == {4'd0, entries} * per && entries != 0));
        // The burst has no more entries than there are in a row before TAIL and the end of the ring, or before the border, or than places.
        not_beyond: assert (!arvalid || ({11'd0, entries} <= in_row && entries <= places && length <= to_border));
        // It has as many as it may have.
        as_many: assert (!arvalid || {11'd0, entries} == in_row || entries == places || length == to_border);
        // The number of entries is told once, before data come.
        counted_right: assert (counted == (stage == 3) && (!counted || came == 0));
        // No burst begins while one is under way.
        one_burst: assert (ready == !busy && (!read || busy));
        // Each entry is told once, a cycle behind its last beat; the burst is over with the last entry.
        push_right: assert (push == (now && shown == per - 9'd1));
        ends_right: assert (ends == (now && now_last) && (!ends || (push && given + 9'd1 == {4'd0, entries} * per)));
        // An error of one beat is one of the burst.
        bad_right: assert (!ends || ends_ok == !bad);
        // What memory has given for the entry is its word.
        word_right: assert (!(push && given == {4'd0, entry} * per + per - 9'd1) || pushed[0] == value);
        // The fetcher as its golden model.
        stages: assert (\dut.p1 == (stage == 1) && \dut.p2 == (stage == 2) && \dut.p3 == (stage == 3) && \dut.busy == busy && \dut.asked == (asked && busy) &&
                        stage <= 4 && (!busy || stage != 0) && (busy || (!asked && !read)) && (stage >= 3 || stage == 0 || !asked) &&
                        (stage == 0 || stage == 4 || busy));
        early: assert (!(stage == 1 || stage == 2) || (came == 0 && given == 0 && !now && !read && !asked));
        picked: assert (!busy || (\dut.k == k && from < size && tail < size && from != tail && places >= 1 && places <= 16 && base[5:0] == 0));
        first_stage: assert (stage != 1 || (\dut.start == base && \dut.by == {6'd0, from} << k && \dut.most == places));
        row: assert (!(stage == 1) || (\dut.folded == (tail < from) && \dut.to_tail == tail - from && \dut.to_end == size - from));
        second_stage: assert (stage != 2 || (araddr == address && \dut.most <= places && {11'd0, \dut.most } <= in_row && \dut.most != 0 &&
                                             (\dut.most == places || {11'd0, \dut.most } == in_row)));
        counts: assert (!busy || stage < 3 || ({1'b0, arlen} + 9'd1 == {4'd0, entries} * per && entries >= 1 && entries <= 16 &&
                                               came <= {4'd0, entries} * per && (came == 0 || asked) &&
                                               read == (asked && came != {4'd0, entries} * per)));
        given_right: assert (!busy || (came == given + {8'd0, now} && \dut.beat == shown[3:0] && (stage < 3 || given != {4'd0, entries} * per)));
        beats: assert (\dut.r_valid == now && (!now || (busy && stage >= 3)) && (!now || (\dut.r_last == now_last &&
                       now_last == (came == {4'd0, entries} * per))));
        bads: assert (!busy || bad == (\dut.any_bad || (now && \dut.r_bad )));
        held: assert (!(now && given == where) || \dut.r_data [at] == value);
        in_words: assert (!(busy && given > where && given < {4'd0, entry} * per + per) || kept[0] == value);
    end

endmodule
`default_nettype wire
