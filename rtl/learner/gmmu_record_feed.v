// SPDX-License-Identifier: Apache-2.0
// gmmu_record_feed: the records that the Ref RIT is to learn (docs/blocks/record_feed.md).
//
// A record is a class and a reuse interval, or, censored, an age without reuse. cfg_feed says where they come
// from: from the trace sampler's accesses and SCRUBs, or from walk hits and pages that leave. Two queues, since
// one of each may come in a cycle; a full queue drops and counts. A record stands in a register for a cycle before it is queued:
// it is known last of all. The same records go to rit_export.
//
//   access of the sampler, walk hit ─► walk queue (RECQ)  ─► ref_rit   (LEARN)
//   SCRUB, page that leaves ─────────► side queue (SIDEQ) ─┘
`default_nettype none
module gmmu_record_feed #(
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter RECQ    = 128,
    parameter SIDEQ   = 16,
    // 1: a record in a queue that turned bad is told
    parameter PARITY  = 1,
    parameter REC_W   = CLASS_W + TIME_W + 1
) (
    input  wire               clk,
    input  wire               clk_queue,  // the queues'
    input  wire               rst,
    input  wire               cfg_feed,   // 0 sampler, 1 resident pages
    input  wire               cfg_censor, // censored records are wanted
    // resident pages: a walk hit or TOUCH, a page that left
    input  wire               hit_match,
    input  wire               hit_touch,  // it is a TOUCH's
    input  wire [CLASS_W-1:0] hit1_class,    // a cycle later
    input  wire [TIME_W-1:0]  hit1_interval,
    input  wire               left,
    input  wire [CLASS_W-1:0] left_class,
    input  wire [TIME_W-1:0]  left_age,
    // sampler: an ACCESS, a SCRUB
    input  wire               samp_valid,
    input  wire [CLASS_W-1:0] samp_class,
    input  wire [TIME_W-1:0]  samp_interval,
    input  wire               samp_censored,
    input  wire               scrub_valid,
    input  wire [CLASS_W-1:0] scrub_class,
    input  wire [TIME_W-1:0]  scrub_age,
    // the records of this cycle, queued or not, for rit_export
    output wire               walk_valid,
    output wire [CLASS_W-1:0] walk1_class,   // a cycle later
    output wire [TIME_W-1:0]  walk1_interval,
    output wire               walk_censored,
    output wire               side_valid,
    output wire [CLASS_W-1:0] side_class,
    output wire [TIME_W-1:0]  side_age,
    output wire [1:0]         walk_record, left_record, scrub_record, // of the cycle before: REC_*
    // to ref_rit: {class, interval, censored}; `done` gives the place back
    output wire               rec0_valid, rec1_valid,
    output wire [REC_W-1:0]   rec0, rec1,
    output wire               rec0_bad, rec1_bad, // it turned bad
    input  wire               rec0_pop, rec1_pop, rec0_done, rec1_done,
    output wire               busy,       // a record waits
    output wire               wake,
    output reg  [31:0]        stat_rec_drops
);

`include "gmmu_codes.vh"

    wire room0, room1, empty0, empty1;
    wire resident = cfg_feed == FEED_RESIDENT;
    assign walk_valid    = resident ? hit_match : samp_valid && (cfg_censor || !samp_censored);
    assign walk_censored = !resident && samp_censored;

    wire left_new  = left && cfg_censor && resident;
    wire scrub_new = scrub_valid && cfg_censor && !resident;
    assign side_valid = left_new || scrub_new;
    assign side_class = resident ? left_class : scrub_class;
    assign side_age   = resident ? left_age : scrub_age;

    // ---- a cycle later, as the queues were then: a record learnt in the same cycle as it came makes room for it where it comes
    // after it, as a walk and a SCRUB do, TOUCH and a page that leaves not
    reg               new0, new1, first0, was_done0, was_done1; // first: it came before what was learnt
    reg               of_left, of_scrub;
    reg [REC_W-1:0]   word1;
    reg               censored0;
    reg [CLASS_W-1:0] samp1_class;
    reg [TIME_W-1:0]  samp1_interval;
    reg              was_resident;
    assign walk1_class    = was_resident ? hit1_class : samp1_class;
    assign walk1_interval = was_resident ? hit1_interval : samp1_interval;
    wire              last0, last1; // room for one
    always @(posedge clk_queue) begin
        {new0, of_left, of_scrub}  <= rst ? 3'd0 : {walk_valid, left_new, scrub_new};
        {was_done0, was_done1}     <= {rec0_done, rec1_done};
        {new1, first0} <= {!rst && side_valid, hit_touch && resident};
        censored0 <= walk_censored;
        {samp1_class, samp1_interval} <= {samp_class, samp_interval};
        was_resident   <= resident;
        word1 <= {side_class, side_age, 1'b1};
    end
    wire put0 = new0 && room0 && !(first0 && was_done0 && last0);
    wire put1 = new1 && room1 && !(of_left && was_done1 && last1);

    // ---- the queues: a record keeps its place until it is learnt (`done`), after its pop. A walk's record is known late in its
    // cycle: it takes its place in that cycle, and comes into the RAM in the next one
    reg              came0;    // A walk's record took its place in the cycle before.
    reg  [REC_W-1:0] word0;    // That record.
    wire             drained0; // No walk's record is in the queue.
    wire             drained1; // No side record is in the queue.
    wire             lost_places0; // Places of walks' records were lost.
    wire             lost_places1; // Places of side records were lost.
    wire             room0_ram; // There is room in the RAM, as each record has its place.
    wire             room1_ram; // There is room in the RAM, as each record has its place.
    wire             unused_room = room0_ram || room1_ram;
    always @(posedge clk_queue) begin
        came0 <= put0 && !rst;
        word0 <= {walk1_class, walk1_interval, censored0};
    end
    gmmu_fifo_places #(.DEPTH(RECQ)) walk_places (
        .clk(clk_queue),
        .rst(rst),
        .take(put0),
        .done(rec0_done),
        .lost(lost_places0),
        .room(room0),
        .last(last0),
        .empty(empty0)
    );
    gmmu_fifo_heal walk_heal (
        .clk(clk_queue),
        .rst(rst),
        .take(put0),
        .done(rec0_done),
        .drained(drained0),
        .empty(empty0),
        .lost(lost_places0)
    );
    gmmu_fifo_parity #(
        .WIDTH(REC_W),
        .DEPTH(RECQ),
        .PARITY(PARITY)
    ) walk_records (
        .clk(clk_queue),
        .rst(rst),
        .push(came0),
        .wdata(word0),
        .room(room0_ram),
        .pop(rec0_pop),
        .valid(rec0_valid),
        .rdata(rec0),
        .bad(rec0_bad),
        .empty(drained0)
    );
    gmmu_fifo_places #(.DEPTH(SIDEQ)) side_places (
        .clk(clk_queue),
        .rst(rst),
        .take(put1),
        .done(rec1_done),
        .lost(lost_places1),
        .room(room1),
        .last(last1),
        .empty(empty1)
    );
    gmmu_fifo_heal side_heal (
        .clk(clk_queue),
        .rst(rst),
        .take(put1),
        .done(rec1_done),
        .drained(drained1),
        .empty(empty1),
        .lost(lost_places1)
    );
    gmmu_fifo_parity #(
        .WIDTH(REC_W),
        .DEPTH(SIDEQ),
        .PARITY(PARITY)
    ) side_records (
        .clk(clk_queue),
        .rst(rst),
        .push(put1),
        .wdata(word1),
        .room(room1_ram),
        .pop(rec1_pop),
        .valid(rec1_valid),
        .rdata(rec1),
        .bad(rec1_bad),
        .empty(drained1)
    );

    assign walk_record  = !new0 ? REC_NONE : put0 ? REC_QUEUED : REC_DROPPED;
    assign left_record  = !of_left ? REC_NONE : put1 ? REC_QUEUED : REC_DROPPED;
    assign scrub_record = !of_scrub ? REC_NONE : put1 ? REC_QUEUED : REC_DROPPED;
    assign busy = !empty0 || !empty1 || new0 || new1;
    assign wake = busy || walk_valid || side_valid;

    reg lost0, lost1; // counted a cycle later
    always @(posedge clk) begin
        {lost0, lost1} <= rst ? 2'd0 : {new0 && !put0, new1 && !put1};
        stat_rec_drops <= rst ? 32'd0 : stat_rec_drops + {30'd0, lost0 && lost1, lost0 != lost1};
    end

endmodule
`default_nettype wire
