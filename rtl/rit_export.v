// SPDX-License-Identifier: Apache-2.0
// rit_export: batches of records for the RIMM host (docs/blocks/rit_export.md).
//
// Takes, in each cycle, a side record and the walk's event, in this order; a word of the queue holds
// what came in one cycle, and `waiting` counts records. SEND closes a batch: its records belong to
// the packet at once and leave while the next ones gather. A full queue drops and counts.
//
//   stage e0: count, read the names     e1: names, push     queue: 2 * RITQ words     beats
//
//   packet: {seq, n, dropped, time}, n records, the last one with m_tlast
`default_nettype none
module rit_export #(
    parameter VPN_W   = 20,
    parameter ASID_W  = 2,
    parameter REF_W   = 16,
    parameter TIME_W  = 20,
    parameter CLASSES = 8,
    parameter GEN_W   = 4,
    // records that wait; a power of two, 4 to 128
    parameter RITQ    = 32,
    // derived, not to be set
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter CLASS_W = ROW_W + GEN_W,
    parameter REC_BITS  = 3 + ASID_W + REF_W + TIME_W, // record part of a beat
    parameter BEAT_BITS = REC_BITS + 2 + ASID_W + VPN_W + REF_W + TIME_W,
    parameter HEAD_BITS = 40 + TIME_W,
    parameter RIT_BITS  = BEAT_BITS > HEAD_BITS ? BEAT_BITS : HEAD_BITS
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [7:0]         cfg_batch, // 0: nothing is taken
    input  wire               cfg_fault,
    input  wire [3:0]         cfg_wait,
    input  wire [TIME_W-1:0]  now,       // time before this cycle's walk
    // a record of the side port or of a SCRUB: censored
    input  wire               side_valid,
    input  wire [CLASS_W-1:0] side_class,
    input  wire [TIME_W-1:0]  side_age,
    // the walk of this cycle, and its record
    input  wire               walk_valid, walk_fault,
    input  wire [ASID_W-1:0]  walk_asid,
    input  wire [VPN_W-1:0]   walk_vpn,
    input  wire [REF_W-1:0]   walk_ref,
    input  wire               walk_alloc, // its reference was given a row
    input  wire [CLASS_W-1:0] walk_class,
    input  wire               rec_valid,  // only with walk_valid
    input  wire [CLASS_W-1:0] rec_class,
    input  wire [TIME_W-1:0]  rec_interval,
    input  wire               rec_censored,
    // packets
    output wire [RIT_BITS-1:0] m_tdata,
    output wire               m_tvalid,
    output wire               m_tlast,
    input  wire               m_tready,
    output wire               idle,       // no batch is due or leaving
    output reg  [31:0]        stat_drops,
    // of this cycle, in the order SEND, side, walk; 0 none, 1 queued, 2 dropped
    output wire               tvi_send,
    output wire [1:0]         tvi_side, tvi_walk
);

    localparam A      = $clog2(RITQ);
    localparam NAME_W = GEN_W + ASID_W + REF_W;
    localparam SIDE_W = 1 + ASID_W + REF_W + TIME_W;          // known, asid, ref, age
    localparam WALK_W = REC_BITS + 1 + ASID_W + VPN_W + REF_W;
    localparam WORD_W = 2 + TIME_W + SIDE_W + WALK_W;
    localparam WAIT_W = 16;

    generate
        if (RITQ < 4 || RITQ > 128 || (RITQ & (RITQ - 1)) != 0) begin : g_bad
            RITQ_must_be_a_power_of_two_from_4_to_128 stop_here();
        end
    endgenerate

    // ======== e0: what is taken, and what is dropped
    reg  [A:0] waiting;   // records in no batch yet
    reg        flush;     // a fault is among them
    reg        busy;      // a packet is leaving
    reg  [WAIT_W-1:0] waited; // cycles since records wait, or since the last SEND
    wire       on    = cfg_batch != 0;
    wire [A:0] batch = on && cfg_batch <= RITQ[7:0] ? cfg_batch[A:0] : RITQ[A:0];
    wire       some  = waiting != 0;
    wire       full  = waiting >= batch;
    wire       due   = some && (full || flush || (waited >> cfg_wait) != 0);
    wire       send  = due && !busy;
    wire [A:0] n     = full ? batch : waiting;
    wire [A:0] left  = send ? waiting - n : waiting;

    wire side_new  = on && side_valid;
    wire fault_new = walk_fault && cfg_fault;
    wire walk_new  = on && walk_valid && (rec_valid || fault_new);
    wire side_put  = side_new && !left[A];
    wire [A:0] then_left = left + {{A{1'b0}}, side_put};
    wire walk_put  = walk_new && !then_left[A];
    wire [1:0] lost = {1'b0, side_new && !side_put} + {1'b0, walk_new && !walk_put};

    reg  [15:0] dropped; // since the last SEND
    wire [15:0] dropped_before = send ? 16'd0 : dropped;
    wire [16:0] dropped_now    = {1'b0, dropped_before} + {15'd0, lost};
    always @(posedge clk) begin
        waiting    <= then_left + {{A{1'b0}}, walk_put};
        flush      <= (flush && left != 0) || (walk_put && fault_new);
        waited     <= send || !some ? {WAIT_W{1'b0}} : &waited ? waited : waited + 1'b1;
        dropped    <= dropped_now[16] ? 16'hFFFF : dropped_now[15:0];
        stat_drops <= stat_drops + {30'd0, lost};
        if (rst) begin
            waiting    <= 0;
            flush      <= 1'b0;
            waited     <= 0;
            dropped    <= 16'd0;
            stat_drops <= 32'd0;
        end
    end

    // ---- names of the rows. An allocation is written a cycle late: the side record of its cycle
    // still sees the row as it was, the walk's record the new one.
    reg                p_valid;
    reg  [ROW_W-1:0]   p_row;
    reg  [NAME_W-1:0]  p_name;
    wire [ROW_W-1:0]   side_row = side_class[GEN_W +: ROW_W];
    wire [ROW_W-1:0]   rec_row  = rec_class[GEN_W +: ROW_W];
    wire [ROW_W-1:0]   walk_row = walk_class[GEN_W +: ROW_W];
    wire [NAME_W-1:0]  new_name = {walk_class[GEN_W-1:0], walk_asid, walk_ref};
    wire               alloc    = walk_valid && walk_alloc;
    wire [NAME_W-1:0]  side_ram, rec_ram;
    ram_sdp #(.WIDTH(NAME_W), .DEPTH(CLASSES)) side_names (
        .clk(clk), .we(p_valid), .waddr(p_row), .wdata(p_name), .re(1'b1), .raddr(side_row), .rdata(side_ram)
    );
    ram_sdp #(.WIDTH(NAME_W), .DEPTH(CLASSES)) rec_names (
        .clk(clk), .we(p_valid), .waddr(p_row), .wdata(p_name), .re(1'b1), .raddr(rec_row), .rdata(rec_ram)
    );

    // ======== e1: the records with their names
    reg               e_side, e_walk, e_rec, e_censored, e_fault, e_side_by, e_rec_by;
    reg [CLASS_W-1:0] e_side_class, e_rec_class;
    reg [TIME_W-1:0]  e_age, e_interval, e_now;
    reg [ASID_W-1:0]  e_asid;
    reg [VPN_W-1:0]   e_vpn;
    reg [REF_W-1:0]   e_ref;
    reg [NAME_W-1:0]  e_side_name, e_rec_name;
    always @(posedge clk) begin
        p_valid      <= alloc && !rst;
        p_row        <= walk_row;
        p_name       <= new_name;
        e_side       <= side_put && !rst;
        e_walk       <= walk_put && !rst;
        e_rec        <= rec_valid;
        e_censored   <= rec_censored;
        e_fault      <= fault_new;
        e_side_class <= side_class;
        e_rec_class  <= rec_class;
        e_age        <= side_age;
        e_interval   <= rec_interval;
        e_now        <= now;
        e_asid       <= walk_asid;
        e_vpn        <= walk_vpn;
        e_ref        <= walk_ref;
        e_side_by    <= p_valid && p_row == side_row;
        e_side_name  <= p_name;
        e_rec_by     <= (alloc && walk_row == rec_row) || (p_valid && p_row == rec_row);
        e_rec_name   <= alloc && walk_row == rec_row ? new_name : p_name;
    end
    wire [NAME_W-1:0] side_name = e_side_by ? e_side_name : side_ram;
    wire [NAME_W-1:0] rec_name  = e_rec_by ? e_rec_name : rec_ram;
    wire side_known = e_side_class[GEN_W +: ROW_W] != 0 &&
                      side_name[REF_W+ASID_W +: GEN_W] == e_side_class[GEN_W-1:0];
    wire rec_known  = e_rec && e_rec_class[GEN_W +: ROW_W] != 0 &&
                      rec_name[REF_W+ASID_W +: GEN_W] == e_rec_class[GEN_W-1:0];
    wire [ASID_W+REF_W-1:0] side_id = side_known ? side_name[ASID_W+REF_W-1:0] : {ASID_W+REF_W{1'b0}};
    wire [ASID_W+REF_W-1:0] rec_id  = rec_known ? rec_name[ASID_W+REF_W-1:0] : {ASID_W+REF_W{1'b0}};
    wire [SIDE_W-1:0] side_part = {e_age, side_id[REF_W-1:0], side_id[REF_W +: ASID_W], side_known};
    wire [WALK_W-1:0] walk_part = {e_ref, e_vpn, e_asid, e_fault,
                                   e_rec ? e_interval : {TIME_W{1'b0}}, rec_id[REF_W-1:0],
                                   rec_id[REF_W +: ASID_W], rec_known, e_rec && e_censored, e_rec};

    // ======== queue: what waits (at most RITQ records) and what is leaving (at most RITQ)
    wire              word_valid, pop;
    wire [WORD_W-1:0] word;
    wire              unused_room, unused_empty;
    fifo #(.WIDTH(WORD_W), .DEPTH(2 * RITQ)) queue (
        .clk(clk), .rst(rst), .push(e_side || e_walk), .wdata({walk_part, side_part, e_now, e_walk, e_side}),
        .room(unused_room), .pop(pop), .done(pop), .valid(word_valid), .rdata(word), .empty(unused_empty)
    );
    wire unused_fifo = &{1'b0, unused_room, unused_empty};

    // ======== packets
    reg  [A:0]        to_go;     // records of the packet that have not left
    reg               heading;   // its header has not left
    reg               half;      // the side record of the word has left
    reg  [15:0]       seq;
    reg  [HEAD_BITS-1:0] head;
    wire              at_side = word[0] && !half;
    wire              more    = at_side && word[1]; // the word's second record is still to come
    wire [TIME_W-1:0] w_time  = word[2 +: TIME_W];
    wire [SIDE_W-1:0] w_side  = word[2+TIME_W +: SIDE_W];
    wire [WALK_W-1:0] w_walk  = word[2+TIME_W+SIDE_W +: WALK_W];
    wire [TIME_W-1:0] w_walk_time = w_time + 1'b1;
    wire [BEAT_BITS-1:0] side_beat = {w_time, {REF_W+VPN_W+ASID_W+2{1'b0}}, w_side, 2'b11};
    wire [BEAT_BITS-1:0] walk_beat = {w_walk_time, w_walk[WALK_W-1:REC_BITS], 1'b1, w_walk[REC_BITS-1:0]};
    wire [BEAT_BITS-1:0] beat = at_side ? side_beat : walk_beat;
    wire              taken = m_tvalid && m_tready;

    generate
        if (BEAT_BITS > HEAD_BITS) begin : g_wide
            assign m_tdata = heading ? {{BEAT_BITS-HEAD_BITS{1'b0}}, head} : beat;
        end else if (BEAT_BITS < HEAD_BITS) begin : g_narrow
            assign m_tdata = heading ? head : {{HEAD_BITS-BEAT_BITS{1'b0}}, beat};
        end else begin : g_even
            assign m_tdata = heading ? head : beat;
        end
    endgenerate
    assign m_tvalid = busy && (heading || word_valid);
    assign m_tlast  = !heading && to_go == 1;
    assign pop      = taken && !heading && !more;

    always @(posedge clk) begin
        if (taken) begin
            heading <= 1'b0;
            busy    <= !m_tlast;
            if (!heading) begin // a packet may end between the two records of a word
                half  <= more;
                to_go <= to_go - 1'b1;
            end
        end
        if (send) begin
            busy    <= 1'b1;
            heading <= 1'b1;
            to_go   <= n;
            head    <= {now, dropped, {{7-A{1'b0}}, n}, seq};
            seq     <= seq + 1'b1;
        end
        if (rst) begin
            busy    <= 1'b0;
            heading <= 1'b0;
            half    <= 1'b0;
            seq     <= 16'd0;
        end
    end

    assign idle     = !busy && !due;
    assign tvi_send = send;
    assign tvi_side = {side_new && !side_put, side_put};
    assign tvi_walk = {walk_new && !walk_put, walk_put};

endmodule
`default_nettype wire
