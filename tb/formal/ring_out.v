// SPDX-License-Identifier: Apache-2.0
// Proofs about ring_out, as a channel whose stream waits and as one that drops packets. The writer is promised: a turn at any time, but not
// in the cycle behind an entry; answers in order, at any time. One entry, any one that `follow` marks, is followed until memory has answered.
// A ring has at most 15 entries here.
//: inductive
//: pdr 240 s
//: find 1400 1401 1402 1403 1404 1405 1406
`default_nettype none
module formal_ring_out #(
    parameter BITS   = 24,
    parameter N_W    = 8,
    parameter ADDR_W = 32
) (
    input wire            clk,
    input wire            reset, wants_stop, stop_ends, others_rest, with_regs,
    input wire            sel, write,
    input wire [5:0]      at,
    input wire [31:0]     data,
    input wire [3:0]      strb,
    input wire [1:0]      comes, any_last, turns, answers, answers_ok, follow,
    input wire [BITS-1:0] beat0, beat1
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // a reset by a register: nothing begins from `stops` on; at rest the reset begins
    reg  stops, begun, keeps;
    wire [1:0] works;
    wire resets = stops && (begun || (works == 0 && others_rest));
    always @(posedge clk) begin
        begun <= resets && !stop_ends;
        stops <= stops ? !(resets && stop_ends) : wants_stop;
        if (!stops)
            keeps <= !with_regs;
        if (rst)
            {stops, begun, keeps} <= 3'd0;
    end
    channel #(.DROPS(0), .BITS(BITS), .N_W(N_W), .ADDR_W(ADDR_W)) waits (
        .clk(clk), .first(first), .rst(rst), .stops(stops), .clear(resets), .keeps(keeps), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .comes(comes[0]), .any_last(any_last[0]), .any_beat(beat0), .turns(turns[0]), .answers(answers[0]), .answer_ok(answers_ok[0]), .follow(follow[0]),
        .works(works[0])
    );
    channel #(.DROPS(1), .BITS(BITS), .N_W(N_W), .ADDR_W(ADDR_W)) packets (
        .clk(clk), .first(first), .rst(rst), .stops(stops), .clear(resets), .keeps(keeps), .sel(sel), .write(write), .at(at), .data(data), .strb(strb),
        .comes(comes[1]), .any_last(any_last[1]), .any_beat(beat1), .turns(turns[1]), .answers(answers[1]), .answer_ok(answers_ok[1]), .follow(follow[1]),
        .works(works[1])
    );
    always @* if (!first) begin
        stops_right: assert (!begun || (stops && works == 0));
    end

endmodule

module channel #(
    parameter DROPS  = 0,
    parameter BITS   = 24,
    parameter N_W    = 8,
    parameter ADDR_W = 32
) (
    input wire            clk, first, rst, stops, clear, keeps, sel, write,
    input wire [5:0]      at,
    input wire [31:0]     data,
    input wire [3:0]      strb,
    input wire            comes, any_last,
    input wire [BITS-1:0] any_beat,
    input wire            turns, answers, answer_ok, follow,
    output wire           works // entries of the channel are under way
);

    // ---- the stream: what is offered stands. DROPS: packets are a header with the number of records, at least 1, and so many records
    reg             stands, last_was;
    reg  [BITS-1:0] beat_was;
    reg  [N_W-1:0]  to_come;   // records that are to come; 0: a header comes next
    wire            unit_rst = rst || clear, all_rst = rst || (clear && !keeps);
    wire            valid = (comes || stands) && !unit_rst;
    wire [BITS-1:0] beat = stands ? beat_was : any_beat;
    wire            header = DROPS != 0 && to_come == 0;
    wire [N_W-1:0]  n_records = beat[8 +: N_W];
    wire            last = DROPS != 0 ? to_come == 1 : stands ? last_was : any_last;
    wire            ready, wants, takes, bad, irq;
    wire            taken = valid && ready;
    always @* begin
        assume (!(valid && header) || n_records != 0);
        assume (\dut.size < 16);
    end

    // ---- the writer
    reg  [5:0]      under_way; // entries without an answer: at most 4 here
    reg             was_takes;
    wire            turn = turns && !was_takes && !stops && under_way != 4;
    wire            done = answers && under_way != 0;
    wire [31:0]     read;
    wire [127:0]    entry;
    wire [ADDR_W-1:0] base;
    wire [15:0]     put;
    assign works = under_way != 0;
    gmmu_ring_out #(.PACKETS(1), .DROPS(DROPS), .BITS(BITS), .K(4), .N_O(8), .N_W(N_W), .ADDR_W(ADDR_W)) dut (
        .clk(clk), .rst(all_rst), .clear(unit_rst), .stops(stops), .sel(sel), .write(write && !stops), .at(at), .data(data), .strb(strb),
        .mask({{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}}), .read(read), .bad(bad), .irq(irq),
        .s_tdata(beat), .s_tlast(last), .s_tvalid(valid), .s_tready(ready), .wants(wants), .turn(turn), .takes(takes), .entry(entry),
        .base(base), .put(put), .done(done), .done_ok(answer_ok)
    );
    (* hierconn *) wire \dut.enabled , \dut.mode , \dut.error , \dut.resets , \dut.puts , \dut.goes , \dut.drops , \dut.packet , \dut.phase ;
    (* hierconn *) wire [15:0] \dut.head , \dut.unused_tail , \dut.size , \dut.to , \dut.behind ;
    (* hierconn *) wire [5:0]  \dut.count ;
    (* hierconn *) wire [1:0]  \dut.regs.op ;
    (* hierconn *) wire [15:0] \dut.g_drops.room ;                       // DROPS
    (* hierconn *) wire \dut.g_drops.amid , \dut.g_drops.discards ;      // DROPS
    (* hierconn *) wire \dut.g_waits.room ;                              // else
    wire        enabled = \dut.enabled , mode = \dut.mode , error = \dut.error , resets = \dut.resets ;
    wire [15:0] head = \dut.head , tail = \dut.unused_tail , size = \dut.size ;
    wire        ring = !mode && size >= 2;

    // ---- the ring: entries that software has, and those between TAIL and the next one to be written
    wire [16:0] fill = {1'b0, tail} - {1'b0, head} + (tail < head ? {1'b0, size} : 17'd0);
    wire [16:0] used = {1'b0, put} - {1'b0, head} + (put < head ? {1'b0, size} : 17'd0);
    wire [16:0] reach = {1'b0, tail} + {11'd0, under_way};
    wire [16:0] room = {1'b0, size} - 17'd1 - used;                      // entries that may be written
    wire        was_size = size != size_was;
    wire [15:0] plus = put + 16'd1 == size ? 16'd0 : put + 16'd1;
    // ---- a packet: it is taken, or it is not
    reg         amid, whole, phase, was_taken, was_done, was_resets;
    reg  [15:0] put_was, tail_was, size_was; // SIZE changes at rest: the room of the cycle behind is of the old one
    // ---- the entry that is followed: its place, and how many are in front
    reg         has, lost;
    reg  [5:0]  ahead;
    reg  [15:0] place;
    wire [16:0] place_reach = {1'b0, tail} + {11'd0, ahead};
    wire [15:0] place_plus = place + 16'd1 == size ? 16'd0 : place + 16'd1;
    reg         came;         // its answer came in the cycle before, OKAY
    reg  [15:0] came_plus;    // the place behind it
    always @(posedge clk) begin
        stands    <= valid && !ready;
        beat_was  <= beat;
        last_was  <= last;
        was_takes <= takes && !all_rst;
        if (taken)
            to_come <= header ? n_records : to_come - 1'b1;
        under_way <= under_way + {5'd0, takes} - {5'd0, done};
        if (taken && DROPS != 0) begin
            amid  <= !last;
            whole <= !last && (header ? takes : whole);
        end
        if (done && !answer_ok)
            whole <= 1'b0;
        if (takes && plus == 0)
            phase <= !phase;
        size_was   <= size;
        put_was    <= put;
        tail_was   <= tail;
        was_taken  <= takes;
        was_done   <= done && answer_ok && !error;
        was_resets <= resets || all_rst;
        if (has && done)
            {has, ahead} <= {ahead != 0, ahead - 6'd1};
        else if (!has && takes && follow)
            {has, ahead, place} <= {1'b1, under_way - {5'd0, done}, put};
        came      <= has && done && ahead == 0 && answer_ok && !error;
        came_plus <= place_plus;
        if (resets || all_rst)
            phase <= 1'b1;
        if (unit_rst)
            {stands, amid, whole, to_come} <= 0;
        if (unit_rst)
            {has, came} <= 2'b00;
        if (all_rst)
            under_way <= 6'd0;
    end

    always @* if (!first) begin
        // An entry is written only with a beat that is taken from the stream, and it is that beat, with its last byte.
        entry_right: assert (!takes || (valid && ready && entry == {phase, 6'd0, last, {120-BITS{1'b0}}, beat}));
        // A beat is taken as an entry, or by the bus; a packet's also to be dropped. The stream is not ready without a place.
        taken_once: assert (DROPS != 0 || (taken == (takes || \dut.goes ) && !(takes && \dut.goes )));
        // An entry has a place that software has freed, behind all that are under way: it never overwrites HEAD.
        has_room: assert (!takes || (ring && room >= 1 && plus != head));
        // Nothing is taken in a stop, nor as a new packet while the channel is disabled.
        takes_enabled: assert (!takes || (!stops && (enabled || (DROPS != 0 && !header))));
        // Entries are written at consecutive places.
        consecutive: assert (was_resets || !was_taken || (put == (put_was + 16'd1 == size ? 16'd0 : put_was + 16'd1)));
        put_stays: assert (was_resets || was_taken || put == put_was);
        // TAIL goes on by one entry with an answer that is OKAY, and not behind an error; it is the oldest entry without an answer.
        tail_steps: assert (was_resets || tail == (!was_done ? tail_was : tail_was + 16'd1 == size ? 16'd0 : tail_was + 16'd1));
        tail_right: assert (error || {1'b0, put} == (reach >= {1'b0, size} && ring ? reach - {1'b0, size} : reach));
        // An entry, followed: TAIL comes to its place with the answers to those in front, and passes it with its own.
        followed: assert (!has || error || ({1'b0, place} == (place_reach >= {1'b0, size} ? place_reach - {1'b0, size} : place_reach) && ahead < under_way));
        published: assert (!came || tail == came_plus);
        // Behind an error nothing is published, and nothing is written.
        error_stops: assert (!error || (!takes && !enabled && !\dut.packet ));
        // A packet is written whole or not at all, but for an error: what was begun has a beat for each of its entries.
        whole_or_not: assert (DROPS == 0 || header || !taken || takes == whole);
        // A packet is begun just when all of it has room; else it is dropped, and counted.
        drops_right: assert (DROPS == 0 || !(taken && header && enabled) || (takes == ({9'd0, n_records} < room) && \dut.drops == !takes));
        drops_once: assert (!\dut.drops || (DROPS != 0 && taken && header && enabled));
        // A packet that was begun always has room for its rest.
        rest_has_room: assert (!(DROPS != 0 && whole) || {9'd0, to_come} <= room);
        // An operation in progress ends only when no entry is under way and no packet is begun.
        op_waits: assert (enabled || \dut.regs.op != 0 || (under_way == 0 && !\dut.packet ));
        // ---- the channel as its golden model
        count_right: assert (\dut.count == under_way && under_way <= 4);
        packet_right: assert (DROPS == 0 || (\dut.g_drops.amid == amid && amid == (to_come != 0) && (!whole || amid) && \dut.packet == whole &&
                                             (!amid || \dut.g_drops.discards == !whole)));
        phase_right: assert (\dut.phase == phase);
        in_ring: assert (ring ? head < size && tail < size : head == 0 && tail == 0);
        used_right: assert (error || !ring || (put < size && used == fill + {11'd0, under_way} && used < {1'b0, size}));
        no_ring: assert (ring || (!error && under_way == 0 && put == 0 && !whole) || error);
        behind_right: assert (error || (ring ? \dut.behind == plus : \dut.behind == 1 && put == 0));
        enabled_right: assert ((!enabled || (\dut.regs.op == 0 && !error && (mode || size >= 2))) && size != 1 && \dut.regs.op != 1);
        window_right: assert ((DROPS == 0 || !mode) && (!mode || under_way == 0));
        room_right: assert (was_takes || was_resets || was_size || error || !ring || (DROPS != 0 ? {1'b0, \dut.g_drops.room } == room :
                            \dut.g_waits.room == (room != 0)));
        stale: assert (!(was_resets || was_size) || (!enabled && !whole && !was_takes));
        follows: assert (!has || (ahead < under_way && place < 16));
        small: assert (head < 16 && tail < 16 && put < 16 && \dut.behind < 16 && (was_resets || (put_was < 16 && tail_was < 16)) && (!came || came_plus < 16));
    end

endmodule
`default_nettype wire
