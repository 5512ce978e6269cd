// SPDX-License-Identifier: Apache-2.0
// Proofs about ring_in. The fetcher is promised: a burst is one of at least one entry, of no more than lie in a row or have places, and
// memory gives its entries at any time. One operation, any one that `follow` marks, is followed from memory to the unit. A ring has at most
// 15 entries here.
//: inductive
//: pdr 240 s
//: find 1419:offers_right 1420 1421
//: ram ram_words
`default_nettype none
module formal_ring_in #(
    parameter BITS   = 4,
    parameter OPS    = 2,
    parameter ADDR_W = 32
) (
    input wire            clk,
    input wire            reset, wants_stop, stop_ends, others_rest, with_regs,
    input wire            sel, write,
    input wire [5:0]      at,
    input wire [31:0]     data,
    input wire [3:0]      strb,
    input wire            ready, picks, counts, gives, ends_ok, follow,
    input wire [4:0]      any_entries, before,
    input wire [BITS-1:0] word
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // ---- a reset by a register: nothing begins from `stops` on; at rest the reset begins
    reg  stops, begun, keeps, reading;
    wire clear = stops && (begun || (!reading && others_rest));
    wire unit_rst = rst || clear, all_rst = rst || (clear && !keeps);
    always @(posedge clk) begin
        begun <= clear && !stop_ends;
        stops <= stops ? !(clear && stop_ends) : wants_stop;
        if (!stops)
            keeps <= !with_regs;
        if (rst)
            {stops, begun, keeps} <= 3'd0;
    end

    // ---- the fetcher: a burst, its number of entries, then each of them
    reg        known;         // the number of entries is known
    reg  [4:0] n, n_given;    // entries of the burst; those that came
    wire       wants, bad, irq, holds, valid;
    wire [BITS-1:0]   tdata;
    wire [31:0]       read;
    wire [ADDR_W-1:0] base;
    wire [15:0]       from, tail, size;
    wire [4:0]        places;
    wire        pick    = picks && wants && !reading && !stops && !rst;
    wire        counted = reading && !known && counts;
    wire        push    = reading && known && gives;
    wire        ends    = push && n_given + 5'd1 == n;
    wire [4:0]  entries = reading && (known || counted) ? n : before; // before the count: what the burst before had, or anything
    gmmu_ring_in #(.BITS(BITS), .K(4), .OPS(OPS), .ADDR_W(ADDR_W)) dut (
        .clk(clk), .rst(all_rst), .clear(unit_rst), .sel(sel), .write(write && !stops), .at(at), .data(data), .strb(strb),
        .mask({{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}}), .read(read), .bad(bad), .irq(irq), .holds(holds),
        .m_tdata(tdata), .m_tvalid(valid), .m_tready(ready), .wants(wants), .pick(pick), .base(base), .from(from), .tail(tail), .size(size),
        .places(places), .counted(counted), .entries(entries), .push(push), .word(word), .ends(ends), .ends_ok(ends_ok)
    );
    (* hierconn *) wire \dut.enabled , \dut.mode , \dut.unused_error , \dut.resets , \dut.goes , \dut.reading , \dut.offered , \dut.valid ;
    (* hierconn *) wire [15:0] \dut.unused_head ;
    (* hierconn *) wire [4:0]  \dut.count ;
    (* hierconn *) wire [1:0]  \dut.regs.op ;
    (* hierconn *) wire [1:0]  \dut.put , \dut.known , \dut.get ;
    (* hierconn *) wire [BITS-1:0] \dut.queued , \dut.window ;
    (* hierconn *) wire [BITS*OPS-1:0] \dut.queue.words ;
    wire        enabled = \dut.enabled , mode = \dut.mode , error = \dut.unused_error , resets = \dut.resets ;
    wire [15:0] head = \dut.unused_head ;
    wire        ring = !mode && size >= 2;

    // ---- the ring: entries that software has given, and those of them that were read
    wire [16:0] fill  = {1'b0, tail} - {1'b0, head} + (tail < head ? {1'b0, size} : 17'd0);
    wire [16:0] used  = {1'b0, from} - {1'b0, head} + (from < head ? {1'b0, size} : 17'd0);
    wire [15:0] in_row = tail >= from ? tail - from : size - from;
    // ---- operations that the unit may have; the one that is followed, and how many are in front
    reg  [4:0]  queued, ahead;
    reg         has, offered;     // offered: by a write of GO
    reg  [BITS-1:0] value;
    reg  [15:0] place, head_was, from_of;
    wire        taken = valid && ready, moves = taken && !mode;
    wire        comes = ends && ends_ok, fails = ends && !ends_ok;
    reg         was_valid, was_moved, was_resets, was_taken;
    reg  [BITS-1:0] tdata_was;
    wire [16:0] place_at = {1'b0, head} + {12'd0, ahead};
    wire [16:0] next_at  = {1'b0, from_of} + {12'd0, n_given};
    wire [16:0] from_at  = {1'b0, from_of} + {12'd0, n};
    wire [1:0]  word_at  = \dut.get + ahead[1:0] - {1'b0, \dut.valid };
    wire [BITS-1:0] in_queue = word_at[0] ? \dut.queue.words [BITS +: BITS] : \dut.queue.words [0 +: BITS];
    wire in_queue_right = \dut.valid && ahead == 0 ? \dut.queued == value : in_queue == value;
    wire place_right = {1'b0, place} == (place_at >= {1'b0, size} ? place_at - {1'b0, size} : place_at);
    always @* begin
        assume (size < 16);
        assume (!pick || (any_entries >= 1 && any_entries <= places && {11'd0, any_entries} <= in_row));
    end
    always @(posedge clk) begin
        if (counted)
            known <= 1'b1;
        if (push)
            n_given <= n_given + 5'd1;
        if (ends)
            reading <= 1'b0;
        if (pick)
            {reading, known, n, n_given, from_of} <= {2'b10, any_entries, 5'd0, from};
        queued  <= queued + (comes ? n : 5'd0) - {4'd0, moves};
        offered <= \dut.goes || (offered && !ready);
        if (has && moves)
            {has, ahead} <= {ahead != 0, ahead - 5'd1};
        else if (!has && push && follow)
            {has, ahead, value, place} <= {1'b1, queued + n_given - {4'd0, moves}, word, next_at >= {1'b0, size} ? next_at[15:0] - size : next_at[15:0]};
        if (fails && (has ? ahead >= queued : 1'b1))
            has <= 1'b0;
        was_valid  <= valid;
        was_taken  <= taken;
        was_moved  <= moves;
        was_resets <= resets || unit_rst;
        tdata_was  <= tdata;
        head_was   <= head;
        if (unit_rst)
            {queued, offered, has} <= 7'd0;
        if (unit_rst)
            reading <= 1'b0;
    end

    always @* if (!first) begin
        // An operation that is offered stays as it is until the unit has taken it.
        stands: assert (was_resets || !was_valid || was_taken || (valid && tdata == tdata_was));
        // What is offered is an operation that was read without an error, or that of the window.
        offers_right: assert (!valid || (mode ? offered : queued != 0));
        // The followed operation is offered when those in front are taken, as memory gave it, while HEAD is its place.
        in_order: assert (!(has && valid && !mode && ahead == 0) || (tdata == value && head == place));
        // HEAD goes on by one entry with an operation that the unit takes, and only then.
        head_steps: assert (was_resets || head == (!was_moved ? head_was : head_was + 16'd1 == size ? 16'd0 : head_was + 16'd1));
        // HEAD never passes what the unit took, nor reading TAIL.
        head_right: assert (!ring || error || used == {12'd0, queued} + (reading && !(known) ? 17'd0 : reading ? {12'd0, n} : 17'd0));
        not_beyond_tail: assert (!ring || error || (used <= fill && (!(reading && !known) || used + {12'd0, n} <= fill)));
        // There are places for all that is under way.
        has_places: assert (queued + (reading ? n : 5'd0) <= OPS && places == OPS - queued);
        // Operations are read only while the channel is enabled, from a ring that has some.
        wants_right: assert (!wants || (enabled && ring && used < fill));
        // The fetcher is promised entries of the ring, some to read, and places for some.
        promised: assert (!wants || (from < size && tail < size && from != tail && places >= 1 && places <= 16 && base[5:0] == 0));
        // Disabled with no operation in progress, nothing is under way: what was read was taken.
        op_waits: assert (enabled || \dut.regs.op != 0 || (!reading && queued == 0 && !offered));
        // Behind an error nothing is read.
        error_stops: assert (!error || (!enabled && !wants));
        // A channel holds what waits for the unit.
        holds_right: assert (holds == (offered || queued != 0));
        // ---- the channel as its golden model
        follows: assert (!has || (ahead < queued + (reading ? n_given : 5'd0) && in_queue_right && place_right));
        count_right: assert (\dut.count == queued && \dut.reading == reading && \dut.offered == offered && !(offered && \dut.valid ));
        pointers_right: assert (\dut.known - \dut.get == queued[1:0] - {1'b0, \dut.valid } && (!\dut.valid || queued != 0) &&
                                \dut.put - \dut.known == (reading ? n_given[1:0] : 2'd0));
        burst_right: assert (!reading || (n >= 1 && n <= OPS && n_given < n && (known || n_given == 0) && ring && from_of < size && !error));
        from_right: assert (!reading || from == (!known ? from_of : from_at >= {1'b0, size} ? from_at[15:0] - size : from_at[15:0]));
        in_ring: assert (ring ? head < size && tail < size && (error || from < size) : head == 0 && tail == 0);
        no_ring: assert (ring || ((error || from == 0) && queued == 0 && !reading));
        enabled_right: assert ((!enabled || (\dut.regs.op == 0 && !error && (mode || size >= 2))) && size != 1 && \dut.regs.op != 1);
        row_right: assert (!reading || {1'b0, from_of} + {12'd0, n} <= {1'b0, size});
        mode_right: assert (mode ? queued == 0 && !\dut.valid : !offered);
        stop_right: assert (!begun || (stops && !reading));
        error_right: assert (!(error && ring) || {12'd0, queued} <= fill);
        small: assert (head < 16 && tail < 16 && from < 16 && (!has || place < 16) && (was_resets || head_was < 16) && (!reading || from_of < 16));
    end

endmodule
`default_nettype wire
