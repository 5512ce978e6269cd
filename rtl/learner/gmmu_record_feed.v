// SPDX-License-Identifier: Apache-2.0
// gmmu_record_feed: the records that the Ref RIT is to learn (docs/reference/blocks/record_feed.md).
//
// A record is a class and a reuse interval, or a class and the age of a page without reuse (censored). cfg_feed names the
// source of the records: the trace sampler's ACCESS and SCRUB, or walk hits and pages that leave. A cycle may bring one record
// of each kind, so there are two queues. A full queue drops the record, and the drop is counted. A record's class and interval
// are known last in their cycle: a register holds the record for a cycle before a queue takes the record (late count). The
// records of a cycle go to rit_export too.
//
//   access of the sampler, walk hit ─► walk queue (RECQ)  ─► ref_rit   (LEARN)
//   SCRUB, page that leaves ─────────► side queue (SIDEQ) ─┘
`default_nettype none
module gmmu_record_feed #(
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter RECQ    = 128,
    parameter SIDEQ   = 16,
    // 1: a corrupt record in a queue is reported
    parameter PARITY  = 1,
    parameter REC_W   = CLASS_W + TIME_W + 1
) (
    input  wire               clk,
    input  wire               clk_queue,      // clock of the queues
    input  wire               rst,
    input  wire               cfg_feed,       // source of the records: 0 sampler, 1 resident pages
    input  wire               cfg_censor,     // censored records are wanted
    // resident pages: a walk hit or TOUCH, a page that leaves
    input  wire               hit_match,      // the walk at w9, or TOUCH, finds its page in its frame
    input  wire               hit_touch,      // the hit is a TOUCH's
    input  wire [CLASS_W-1:0] hit1_class,     // class of the page's access before, a cycle after hit_match
    input  wire [TIME_W-1:0]  hit1_interval,  // number of walks since that access, a cycle after hit_match
    input  wire               left,           // a page leaves its frame
    input  wire [CLASS_W-1:0] left_class,     // class of the leaving page's last access
    input  wire [TIME_W-1:0]  left_age,       // number of walks since the leaving page's last access
    // sampler: an ACCESS, a SCRUB
    input  wire               samp_valid,     // an ACCESS gives a record
    input  wire [CLASS_W-1:0] samp_class,     // class of ACCESS's record
    input  wire [TIME_W-1:0]  samp_interval,  // interval of ACCESS's record
    input  wire               samp_censored,  // ACCESS's record is an age without reuse
    input  wire               scrub_valid,    // a SCRUB gives a record: an age without reuse
    input  wire [CLASS_W-1:0] scrub_class,    // class of SCRUB's record
    input  wire [TIME_W-1:0]  scrub_age,      // age of SCRUB's record
    // the records of this cycle, queued or not, for rit_export
    output wire               walk_valid,     // the walk at w9, or TOUCH, gives a record
    output wire [CLASS_W-1:0] walk1_class,    // class of the walk's record, a cycle after walk_valid
    output wire [TIME_W-1:0]  walk1_interval, // interval of the walk's record, a cycle after walk_valid
    output wire               walk_censored,  // the walk's record is an age without reuse
    output wire               side_valid,     // a page that leaves, or a SCRUB, gives a record
    output wire [CLASS_W-1:0] side_class,     // class of the side record
    output wire [TIME_W-1:0]  side_age,       // age of the side record
    output wire [1:0]         walk_record,    // what became of the walk's record of the cycle before, REC_*
    output wire [1:0]         left_record,    // what became of the leaving page's record of the cycle before, REC_*
    output wire [1:0]         scrub_record,   // what became of SCRUB's record of the cycle before, REC_*
    // to ref_rit: records {class, interval, censored}
    output wire               rec0_valid,     // a record waits in the walk queue
    output wire               rec1_valid,     // a record waits in the side queue
    output wire [REC_W-1:0]   rec0,           // the first record of the walk queue
    output wire [REC_W-1:0]   rec1,           // the first record of the side queue
    output wire               rec0_bad,       // PARITY: the first record of the walk queue is corrupt
    output wire               rec1_bad,       // PARITY: the first record of the side queue is corrupt
    input  wire               rec0_pop,       // the first record of the walk queue is taken
    input  wire               rec1_pop,       // the first record of the side queue is taken
    input  wire               rec0_done,      // a record of the walk queue is learnt: its place is free
    input  wire               rec1_done,      // a record of the side queue is learnt: its place is free
    output wire               busy,           // a record waits or is under way
    output wire               wake,           // clk_queue is needed
    output reg  [31:0]        stat_rec_drops  // number of records that found their queue full
);

`include "gmmu_codes.vh"

    wire room0;  // the walk queue has a free place
    wire room1;  // the side queue has a free place
    wire empty0; // no place of the walk queue is taken
    wire empty1; // no place of the side queue is taken
    wire resident = cfg_feed == FEED_RESIDENT; // records come from resident pages
    assign walk_valid    = resident ? hit_match : samp_valid && (cfg_censor || !samp_censored);
    assign walk_censored = !resident && samp_censored;

    // the side record of this cycle: a leaving page's, SCRUB's
    wire left_new  = left && cfg_censor && resident;
    wire scrub_new = scrub_valid && cfg_censor && !resident;
    assign side_valid = left_new || scrub_new;
    assign side_class = resident ? left_class : scrub_class;
    assign side_age   = resident ? left_age : scrub_age;

    // ---- late count: a record takes its place a cycle later, as the queues were when the record came
    // A walk or a SCRUB follows the LEARN of its cycle, and so finds the place that the LEARN frees. A TOUCH or a page that leaves
    // precedes the LEARN of its cycle, and does not find that place.
    reg               new0;           // the cycle before brought a walk's record
    reg               new1;           // the cycle before brought a side record
    reg               first0;         // the record of new0 precedes the LEARN of its cycle: a TOUCH
    reg               was_done0;      // rec0_done, a cycle later
    reg               was_done1;      // rec1_done, a cycle later
    reg               of_left;        // the record of new1 is a leaving page's
    reg               of_scrub;       // the record of new1 is SCRUB's
    reg [REC_W-1:0]   word1;          // the record of new1
    reg               censored0;      // the record of new0 is an age without reuse
    reg [CLASS_W-1:0] samp1_class;    // samp_class, a cycle later
    reg [TIME_W-1:0]  samp1_interval; // samp_interval, a cycle later
    reg               was_resident;   // resident, a cycle later
    assign walk1_class    = was_resident ? hit1_class : samp1_class;
    assign walk1_interval = was_resident ? hit1_interval : samp1_interval;
    wire last0; // the walk queue has one free place
    wire last1; // the side queue has one free place
    always @(posedge clk_queue) begin
        {new0, of_left, of_scrub}  <= rst ? 3'd0 : {walk_valid, left_new, scrub_new};
        {was_done0, was_done1}     <= {rec0_done, rec1_done};
        {new1, first0} <= {!rst && side_valid, hit_touch && resident};
        censored0 <= walk_censored;
        {samp1_class, samp1_interval} <= {samp_class, samp_interval};
        was_resident   <= resident;
        word1 <= {side_class, side_age, 1'b1};
    end
    // the record of new0, of new1 takes a place
    wire put0 = new0 && room0 && !(first0 && was_done0 && last0);
    wire put1 = new1 && room1 && !(of_left && was_done1 && last1);

    // ---- the queues: a record keeps its place beyond its pop, until the record is learnt (`done`)
    // A walk's record is known late in its cycle: the record takes its place in that cycle, and is written to the RAM in the next.
    reg              came0;        // the record of a walk took its place in the cycle before
    reg  [REC_W-1:0] word0;        // the record of came0
    wire             drained0;     // the RAM of the walk queue is empty
    wire             drained1;     // the RAM of the side queue is empty
    wire             lost_places0; // a flipped bit of the count took places of the walk queue away
    wire             lost_places1; // a flipped bit of the count took places of the side queue away
    wire             room0_ram;    // the RAM of the walk queue has room: always, as each record has its place
    wire             room1_ram;    // the RAM of the side queue has room: always, as each record has its place
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

    reg lost0; // late count: a walk's record was dropped
    reg lost1; // late count: a side record was dropped
    always @(posedge clk) begin
        {lost0, lost1} <= rst ? 2'd0 : {new0 && !put0, new1 && !put1};
        stat_rec_drops <= rst ? 32'd0 : stat_rec_drops + {30'd0, lost0 && lost1, lost0 != lost1};
    end

endmodule
`default_nettype wire
