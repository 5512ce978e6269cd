// SPDX-License-Identifier: Apache-2.0
// gmmu_learner: from walks to priorities (docs/reference/blocks/learner.md).
//
// The module holds the parts that learn, the wires between them, and the conditions under which their clocks rest.
//
//   walk ─► trace_sampler ─► record_feed ─► ref_rit ─► ppuc ─► priority of a candidate
//             hits, pages that left ─┘ └─► records for rit_export
//
// A refresh hands the counts of a row from ref_rit to ppuc. A refresh waits until queues, sampler and search rest, but
// less than 2^HURRY_W cycles (lib/gmmu_overdue).
// Clocks: docs/reference/blocks/gmmu_tier.md. Source: LEU 3.1, 3.3.
`default_nettype none
module gmmu_learner #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter REF_W   = 32,
    parameter TIME_W  = 24,
    parameter CLASSES = 64,
    parameter WAYS    = 4,
    parameter BINS    = 72,
    parameter CNT_W   = 11,
    parameter EXEC_W  = 8,
    parameter GEN_W   = 4,
    parameter SAMPLER = 1024,
    parameter SWAYS   = 4,
    parameter RECQ    = 128,
    parameter SIDEQ   = 16,
    parameter PARITY  = 1,
    // bits of a frame number, of a slot number
    parameter FRAME_W = 14,
    parameter T2_W    = 1,
    // a refresh waits less than 2^HURRY_W cycles
    parameter HURRY_W = 16,
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter BIN_W   = BINS > 1 ? $clog2(BINS) : 1,
    parameter SAMP_W  = $clog2(SAMPLER),
    parameter CLASS_W = ROW_W + GEN_W,
    parameter PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W
`include "gmmu_page.vh"
`include "gmmu_w9.vh"
`include "gmmu_s3.vh"
`include "gmmu_held.vh"
`include "gmmu_slot_held.vh"
`include "gmmu_looked.vh"
`include "gmmu_learner_tvi.vh"
) (
    input  wire                   clk,
    input  wire                   clk_learn,      // clock of the sampler, the queues and the Ref RIT
    input  wire                   clk_ppuc,       // clock of ppuc
    input  wire                   rst,
    input  wire                   cfg_pseudo,     // register pseudo: rows with few observations get pseudo-counts
    input  wire                   cfg_feed,       // register feed: source of the records, FEED_*
    input  wire                   cfg_censor,     // register censor: ages without reuse are learnt
    input  wire [3:0]             cfg_sample,     // register sample: the sampler's first threshold is 65536 >> cfg_sample
    input  wire [ASID_W:0]        cfg_flush,      // register flush: {address space, go}; each rise of go is an order
    input  wire                   clear,          // the reset sequence is under way
    output wire                   cleared,        // the sampler and the Ref RIT are empty
    // walks
    input  wire                   w2_valid,       // a walk is at w2
    input  wire                   w2_look,        // a look is at w2: asks for the row of a reference, and is no walk; never with w2_valid
    input  wire [ASID_W-1:0]      w2_asid,        // address space of the walk or look at w2
    input  wire [REF_W-1:0]       w2_ref,         // memory instruction of the walk or look at w2
    input  wire [6*REF_W-1:0]     refs,           // memory instruction of the last walk at w8, w7, w6, w5, w4, w3
    input  wire                   w3_valid,       // a walk is at w3
    input  wire [PAGE_BITS-1:0]   w3_page,        // page of the walk at w3
    input  wire [W9_BITS-1:0]     w9,             // the walk that takes effect
    input  wire [TIME_W-1:0]      now,            // number of walks before the walk at w9
    input  wire                   scrub_due,      // a SCRUB is due from this cycle on
    output wire [CLASS_W-1:0]     w9_class,       // class of the walk at w9: row and generation of its reference
    output wire                   w9_alloc,       // the row of w9_class is given to the reference with this walk
    output wire                   w9_flush,       // a FLUSH looks at the row of given_class; a walk at w9 has row 0 then
    output wire                   given,          // the row of given_class gets another owner, or by a FLUSH none
    output wire [CLASS_W-1:0]     given_class,    // with given or w9_flush: that row, and the row's generation from now on
    // pages: hits, and pages that leave
    input  wire                   hit_match,      // the walk at w9, or TOUCH, finds its page in its frame
    input  wire [CLASS_W-1:0]     hit1_class,     // class of the page's access before, a cycle after hit_match
    input  wire [TIME_W-1:0]      hit1_interval,  // number of walks since that access, a cycle after hit_match
    input  wire                   left,           // the page of the frame at s3 leaves
    // the side action that takes effect
    input  wire [S3_BITS-1:0]     s3,             // the side action at its effect
    input  wire [HELD_BITS-1:0]   held,           // what the frame of the action at s3 holds
    input  wire [SLOT_BITS-1:0]   slot_held,      // what the slot of the action at s3 holds
    output wire                   install_req,    // an INSTALL is wanted
    output wire [LOOKED_BITS-1:0] looked,         // the answer to the CAND or CAND2 of six cycles before
    // records of this cycle, for rit_export
    output wire                   walk_rec,       // the walk at w9 gives a record
    output wire                   walk_censored,  // the walk's record is an age without reuse
    output wire [CLASS_W-1:0]     walk1_class,    // class of the walk's record, a cycle after walk_rec
    output wire [TIME_W-1:0]      walk1_interval, // interval of the walk's record, a cycle after walk_rec
    output wire                   side_rec,       // a page that leaves, or a SCRUB, gives a record
    output wire [CLASS_W-1:0]     side_class,     // class of the record of side_rec
    output wire [TIME_W-1:0]      side_age,       // age of the record of side_rec
    // rest
    input  wire                   others_calm,    // no search, no placing, and no access is under way in frame_store
    input  wire                   search_calm,    // no search and no placing is under way
    output wire                   busy,           // something is pending or under way
    output wire                   wake,           // clk is needed
    output wire                   learn_wake,     // clk_learn is needed
    output wire                   ppuc_wake,      // clk_ppuc is needed
    // reports
    // PARITY: bits of turned, from bit 5: a row that ppuc abandons, an entry of the sampler, a word of the directory, a priority, a record, counts
    output wire [5:0]             turned,         // each bit toggles with each use of a corrupt word
    output wire [31:0]            stat_rec_drops, // number of records that found their queue full
    output wire [31:0]            stat_stolen,    // number of sampled accesses whose cycle went to a SCRUB
    output wire [31:0]            stat_flushes,   // number of flushes that are done
    output wire                   flush_begun,    // bit that toggles with each flush that begins
    output wire [LTVI_BITS-1:0]   tvi             // what the tier verification interface shows
);

    localparam REC_W = CLASS_W + TIME_W + 1;
    localparam TAG_W = 3 + TIME_W + PLACE_W;

    // ======== the sampler and its records
    wire               samp_cleared;  // the sampler is empty
    wire               samp_idle;     // nothing is under way in the sampler
    wire               scrubbing;     // a SCRUB is under way
    wire               samp_valid;    // the walk at w9 gives a record
    wire               samp_censored; // the walk's record is an age without reuse
    wire [CLASS_W-1:0] samp_class;    // class of the walk's record
    wire [TIME_W-1:0]  samp_interval; // interval of the walk's record
    wire               scrub_rec;     // a SCRUB gives a record
    wire [CLASS_W-1:0] scrub_class;   // class of SCRUB's record
    wire [TIME_W-1:0]  scrub_age;     // age of SCRUB's record
    // ======== the queues
    wire             feed_busy;  // a record waits or is under way
    wire             feed_wake;  // the queues need their clock
    wire             rec0_valid; // a record waits in queue 0, the walk queue
    wire             rec0_pop;   // the first record of queue 0 is taken
    wire             rec0_done;  // a place of queue 0 is given back
    wire             rec0_bad;   // the first record of queue 0 is corrupt
    wire [REC_W-1:0] rec0;       // the first record of queue 0
    wire             rec1_valid; // a record waits in queue 1, the side queue
    wire             rec1_pop;   // the first record of queue 1 is taken
    wire             rec1_done;  // a place of queue 1 is given back
    wire             rec1_bad;   // the first record of queue 1 is corrupt
    wire [REC_W-1:0] rec1;       // the first record of queue 1
    // ======== the Ref RIT
    wire             rit_cleared;    // the Ref RIT is empty
    wire             rit_idle;       // nothing is under way in the Ref RIT
    wire             rit_resting;    // nothing happens in the Ref RIT without an input
    wire             pending;        // some row is pending: the row's priorities are older than its counts
    wire             hurry;          // the refresh has waited for long enough
    wire             flushing;       // a FLUSH is under way
    wire             snap_start;     // a refresh begins: the counts follow, a bin a cycle
    wire [ROW_W-1:0] snap_row;       // row of the refresh
    wire [GEN_W-1:0] snap_gen;       // generation of the row of the refresh
    wire             snap_valid;     // a bin's counts are here
    wire             snap_last;      // the bin is the row's last
    wire             snap_bad;       // the counts of the cycle before are corrupt
    wire [BIN_W-1:0] snap_bin;       // number of the bin
    wire [CNT_W-1:0] snap_reuse;     // the row's reuse intervals in the bin
    wire [CNT_W-1:0] snap_censored;  // the row's censored ages in the bin
    wire [CNT_W-1:0] snap_greuse;    // row 0's reuse intervals in the bin
    wire [CNT_W-1:0] snap_gcensored; // row 0's censored ages in the bin
    // ======== ppuc
    wire             ppuc_idle;       // no refresh is under way
    wire [ROW_W-1:0] install_row;     // row of the wanted INSTALL
    wire [GEN_W-1:0] install_gen;     // generation of install_row when its refresh began
    wire             install_current; // install_gen is the row's generation still
    // ======== the candidate at s3: the page of a frame (CAND) or of a slot (CAND2)
    wire               cand2     = s3[S3_CAND2_O];          // the action at s3 is CAND2
    wire               cand      = s3[S3_CAND_O] || cand2;  // the action at s3 is CAND or CAND2
    // class and age of the candidate
    wire [CLASS_W-1:0] q_class   = cand2 ? slot_held[SLOT_CLASS_O +: CLASS_W] : held[HELD_CLASS_O +: CLASS_W];
    wire [TIME_W-1:0]  q_age     = cand2 ? slot_held[SLOT_AGE_O +: TIME_W] : held[HELD_AGE_O +: TIME_W];
    wire               q_current;   // the generation of q_class is its row's
    wire               q1_current;  // q_current, a cycle later
    wire               l6_valid;    // the answer to the candidate of six cycles before is here
    wire [15:0]        l6_priority; // priority of that candidate, minifloat
    wire [TAG_W-1:0]   l6_tag;      // what went along with that candidate: l0_tag of six cycles before
    // what goes along with the candidate: {slot or frame, its page is fresh, its page may leave, last access, number of the slot or frame}
    wire [TAG_W-1:0]   l0_tag    = cand2 ?
        {2'b10, slot_held[SLOT_ELIGIBLE_O], slot_held[SLOT_LAST_O +: TIME_W], {PLACE_W - T2_W{1'b0}}, s3[S3_SLOT_O +: T2_W]} :
        {1'b0, held[HELD_FRESH_O], held[HELD_ELIGIBLE_O], held[HELD_LAST_O +: TIME_W], {PLACE_W - FRAME_W{1'b0}}, s3[S3_FRAME_O +: FRAME_W]};
    wire               l6_t2;       // that candidate is in a slot
    wire               l6_fresh;    // that candidate's page is fresh
    wire               l6_eligible; // that candidate may leave
    wire [TIME_W-1:0]  l6_last;     // time of that candidate's last access
    wire [PLACE_W-1:0] l6_place;    // frame of that candidate, or its slot
    assign {l6_t2, l6_fresh, l6_eligible, l6_last, l6_place} = l6_tag;
    assign looked = {l6_place, l6_last, l6_priority, l6_fresh, l6_eligible, l6_t2, l6_valid};
    // ======== what tvi shows beside these
    wire [1:0]        walk_record;   // what became of the walk's record of the cycle before, REC_*
    wire [1:0]        left_record;   // what became of the left page's record of the cycle before, REC_*
    wire [1:0]        scrub_record;  // what became of SCRUB's record of the cycle before, REC_*
    wire              bg_valid;      // a background action takes effect
    wire [1:0]        bg_kind;       // kind of the background action, BG_*
    wire [ROW_W-1:0]  bg_row;        // row of the background action
    wire              bg_queue;      // LEARN: the queue that the record comes from
    wire              bg_applied;    // LEARN: the record is counted
    wire [ROW_W-1:0]  serving;       // CAND: the row that serves the candidate
    wire              thresh_valid;  // the sampler's threshold changes
    wire [16:0]       thresh;        // the sampler's threshold
    wire              scrub_valid;   // a SCRUB takes effect
    wire              scrub_removed; // SCRUB: the entry is removed
    wire [SAMP_W-1:0] scrub_index;   // SCRUB: the entry
    wire              samp_selected; // the walk's page is sampled
    wire              samp_stolen;   // the turn of the walk's access went to a SCRUB
    wire              samp_hit;      // the walk's page has an entry
    wire              learnt_valid;  // LEARN: the counts follow
    wire [BIN_W-1:0]  learnt_bin;    // LEARN: the bin
    wire [CNT_W-1:0]  learnt_count;  // LEARN: the row's count in this bin
    wire [CNT_W-1:0]  learnt_gcount; // LEARN: the global count in this bin
    wire              prio_valid;    // REFRESH: a bin's priority is known
    wire [BIN_W-1:0]  prio_bin;      // REFRESH: number of the bin
    wire [15:0]       prio;          // REFRESH: priority of the bin, minifloat
    assign tvi = {
        prio, prio_bin, prio_valid,
        snap_gcensored, snap_greuse, snap_censored, snap_reuse, snap_bin, snap_valid,
        learnt_gcount, learnt_count, learnt_bin, learnt_valid,
        samp_class, samp_interval, samp_hit, samp_stolen, samp_selected, samp_valid,
        scrub_class, scrub_age, scrub_index, scrub_removed, scrub_valid, thresh, thresh_valid,
        install_row, serving, bg_row, scrub_record, left_record, walk_record, bg_kind, bg_applied, bg_queue, bg_valid,
        install_current, pending, flushing
    };
    wire unused_bits = &{1'b0, w9, s3, held, slot_held}; // of each word some fields are used

    reg calm; // late count: queues and Ref RIT rested in the cycle before, and no SCRUB was under way
    always @(posedge clk)
        calm <= !feed_busy && rit_resting && !scrubbing;
    gmmu_trace_sampler #(
        .VPN_W(VPN_W),
        .ASID_W(ASID_W),
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .ENTRIES(SAMPLER),
        .WAYS(SWAYS),
        .WAIT_W(8),
        .PARITY(PARITY)
    ) trace_sampler (
        .turned(turned[4]),
        .clk(clk_learn),
        .rst(rst),
        .cfg_sample(cfg_sample),
        .clear(clear),
        .cleared(samp_cleared),
        .w3_valid(w3_valid),
        .w3_asid(w3_page[PAGE_ASID_O +: ASID_W]),
        .w3_vpn(w3_page[PAGE_VPN_O +: VPN_W]),
        .w9_class(w9_class),
        .w9_time(w9[W9_TIME_O +: TIME_W]),
        .now(now),
        .scrub_owed(scrub_due),
        .scrub_calm(calm && !scrubbing), // a SCRUB's record is learnt before the next SCRUB
        .scrubbing(scrubbing),
        .rec_valid(samp_valid),
        .rec_class(samp_class),
        .rec_interval(samp_interval),
        .rec_censored(samp_censored),
        .srec_valid(scrub_rec),
        .srec_class(scrub_class),
        .srec_interval(scrub_age),
        .idle(samp_idle),
        .stat_stolen(stat_stolen),
        .tvi_thresh_valid(thresh_valid),
        .tvi_thresh(thresh),
        .tvi_scrub_valid(scrub_valid),
        .tvi_scrub_index(scrub_index),
        .tvi_scrub_removed(scrub_removed),
        .tvi_selected(samp_selected),
        .tvi_stolen(samp_stolen),
        .tvi_hit(samp_hit)
    );

    gmmu_record_feed #(
        .TIME_W(TIME_W),
        .CLASS_W(CLASS_W),
        .RECQ(RECQ),
        .SIDEQ(SIDEQ),
        .PARITY(PARITY)
    ) record_feed (
        .clk(clk),
        .clk_queue(clk_learn),
        .rst(rst),
        .cfg_feed(cfg_feed),
        .cfg_censor(cfg_censor),
        .hit_match(hit_match),
        .hit_touch(s3[S3_TOUCH_O]),
        .hit1_class(hit1_class),
        .hit1_interval(hit1_interval),
        .left(left),
        .left_class(held[HELD_CLASS_O +: CLASS_W]),
        .left_age(held[HELD_AGE_O +: TIME_W]),
        .samp_valid(samp_valid),
        .samp_class(samp_class),
        .samp_interval(samp_interval),
        .samp_censored(samp_censored),
        .scrub_valid(scrub_rec),
        .scrub_class(scrub_class),
        .scrub_age(scrub_age),
        .walk_valid(walk_rec),
        .walk1_class(walk1_class),
        .walk1_interval(walk1_interval),
        .walk_censored(walk_censored),
        .side_valid(side_rec),
        .side_class(side_class),
        .side_age(side_age),
        .walk_record(walk_record),
        .left_record(left_record),
        .scrub_record(scrub_record),
        .rec0_valid(rec0_valid),
        .rec1_valid(rec1_valid),
        .rec0(rec0),
        .rec1(rec1),
        .rec0_pop(rec0_pop),
        .rec1_pop(rec1_pop),
        .rec0_bad(rec0_bad),
        .rec1_bad(rec1_bad),
        .rec0_done(rec0_done),
        .rec1_done(rec1_done),
        .busy(feed_busy),
        .wake(feed_wake),
        .stat_rec_drops(stat_rec_drops)
    );

    gmmu_overdue #(.WAIT_W(HURRY_W)) overdue (
        .clk(clk),
        .rst(rst),
        .waits(pending && ppuc_idle),
        .passed(w9[W9_VALID_O]),
        .hurry(hurry)
    );
    gmmu_ref_rit #(
        .ASID_W(ASID_W),
        .REF_W(REF_W),
        .TIME_W(TIME_W),
        .CLASSES(CLASSES),
        .WAYS(WAYS),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .EXEC_W(EXEC_W),
        .GEN_W(GEN_W),
        .PARITY(PARITY),
        .REFS_COME(1)
    ) ref_rit (
        .rec0_bad(rec0_bad),
        .rec1_bad(rec1_bad),
        .turned({turned[3], turned[1:0]}),
        .clk(clk_learn),
        .rst(rst),
        .clear(clear),
        .cleared(rit_cleared),
        .cfg_flush(cfg_flush),
        .flushing(flushing),
        .stat_flushes(stat_flushes),
        .flush_begun(flush_begun),
        .w9_flush(w9_flush),
        .given(given),
        .given_row(given_class[GEN_W +: ROW_W]),
        .given_gen(given_class[GEN_W-1:0]),
        .w2_valid(w2_valid),
        .w2_look(w2_look),
        .w2_asid(w2_asid),
        .w2_ref(w2_ref),
        .refs(refs),
        .w9_row(w9_class[GEN_W +: ROW_W]),
        .w9_gen(w9_class[GEN_W-1:0]),
        .w9_alloc(w9_alloc),
        .w9_tick(w9[W9_TICK_O]),
        .qa_row(q_class[GEN_W +: ROW_W]),
        .qa_gen(q_class[GEN_W-1:0]),
        .qa_current(q_current),
        .qa1_current(q1_current),
        .qb_row(install_row),
        .qb_gen(install_gen),
        .qb_current(install_current),
        .rec0_valid(rec0_valid),
        .rec1_valid(rec1_valid),
        .rec0_pop(rec0_pop),
        .rec1_pop(rec1_pop),
        .rec0_done(rec0_done),
        .rec1_done(rec1_done),
        .rec0(rec0),
        .rec1(rec1),
        .refresh_ready(ppuc_idle),
        .refresh_hurry(hurry),
        .refresh_calm(!feed_busy && samp_idle && others_calm),
        .snap_start(snap_start),
        .snap_row(snap_row),
        .snap_gen(snap_gen),
        .snap_valid(snap_valid),
        .snap_last(snap_last),
        .snap_bin(snap_bin),
        .snap_reuse(snap_reuse),
        .snap_censored(snap_censored),
        .snap_greuse(snap_greuse),
        .snap_gcensored(snap_gcensored),
        .snap_bad(snap_bad),
        .pending(pending),
        .resting(rit_resting),
        .idle(rit_idle),
        .tvi_valid(bg_valid),
        .tvi_kind(bg_kind),
        .tvi_row(bg_row),
        .tvi_queue(bg_queue),
        .tvi_applied(bg_applied),
        .learnt_valid(learnt_valid),
        .learnt_bin(learnt_bin),
        .learnt_count(learnt_count),
        .learnt_gcount(learnt_gcount)
    );
    gmmu_ppuc #(
        .TIME_W(TIME_W),
        .CLASSES(CLASSES),
        .BINS(BINS),
        .CNT_W(CNT_W),
        .GEN_W(GEN_W),
        .PARITY(PARITY),
        .TAG_W(TAG_W)
    ) ppuc (
        .turned({turned[5], turned[2]}),
        .clk(clk_ppuc),
        .rst(rst),
        .cfg_pseudo(cfg_pseudo),
        .snap_start(snap_start),
        .snap_row(snap_row),
        .snap_gen(snap_gen),
        .snap_valid(snap_valid),
        .snap_last(snap_last),
        .snap_bin(snap_bin),
        .snap_reuse(snap_reuse),
        .snap_censored(snap_censored),
        .snap_greuse(snap_greuse),
        .snap_gcensored(snap_gcensored),
        .snap_bad(snap_bad),
        .idle(ppuc_idle),
        .install_req(install_req),
        .install_row(install_row),
        .install_gen(install_gen),
        .install(s3[S3_INSTALL_O]),
        .install_current(install_current),
        .forget(given),
        .forget_row(given_class[GEN_W +: ROW_W]),
        .l0_valid(cand),
        .l0_row(q_class[GEN_W +: ROW_W]),
        .l0_current(q_current),
        .l0_tau(q_age),
        .l0_tag(l0_tag),
        .tvi_serving(serving),
        .l1_current(q1_current),
        .l6_valid(l6_valid),
        .l6_priority(l6_priority),
        .l6_tag(l6_tag),
        .l6_counts(l6_eligible),
        .tvi_prio_valid(prio_valid),
        .tvi_prio_bin(prio_bin),
        .tvi_prio(prio)
    );

    assign cleared = samp_cleared && rit_cleared;
    assign busy    = feed_busy || !rit_idle || !ppuc_idle || !samp_idle;
    wire   may_refresh = pending && ppuc_idle; // a refresh begins as soon as all is calm, or is in a hurry
    // the parts on clk_learn have something to do, but for a refresh that waits
    wire   learning    = feed_wake || !rit_resting || snap_valid || !samp_idle;
    assign wake        = learning || may_refresh;
    assign learn_wake  = learning || cand || // ref_rit looks at the candidate's class a cycle later
                          (may_refresh && (search_calm || hurry));
    assign ppuc_wake   = !ppuc_idle || snap_valid || install_req || cand || s3[S3_INSTALL_O] || given;

endmodule
`default_nettype wire
