// SPDX-License-Identifier: Apache-2.0
// record_feed.h: twin of rtl/learner/gmmu_record_feed.v: the records that the Ref RIT learns, the
// queues in which the records wait, and the same records for the host.
//
// Records come from the trace sampler, or with cfg_feed 1 from resident pages: walk hits, and pages
// that leave. Records of walks wait in one queue, all other records, which are censored, in
// another. Source: LEU §3.3.
#ifndef GMMU_RECORD_FEED_H
#define GMMU_RECORD_FEED_H

#include "blocks/rit_export.h"
#include "blocks/trace_sampler.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_rit_record *slot;
    unsigned size, head, n;
} gmmu_record_queue;

enum { GMMU_QUEUE_WALK, GMMU_QUEUE_SIDE, GMMU_QUEUES };

typedef struct {
    gmmu_record_queue queue[GMMU_QUEUES];
} gmmu_record_feed;

// The outcome of a record.
typedef struct {
    unsigned record;    // GMMU_REC_*, in the queue
    unsigned exported;  // GMMU_RIT_*, for the host
} gmmu_fed;

// Makes F for the sizes CFG. Not 0: ARENA is too small.
int gmmu_record_feed_init(gmmu_record_feed *f, const gmmu_config *cfg, gmmu_arena *arena);

// Puts REC into Q; a full queue drops the record. Returns GMMU_REC_*.
static inline unsigned gmmu_record_enqueue(gmmu_record_queue *q, gmmu_rit_record rec) {
    if (q->n == q->size)
        return GMMU_REC_DROPPED;
    q->slot[(q->head + q->n++) % q->size] = rec;
    return GMMU_REC_QUEUED;
}
// Exports a walk with its record REC (NULL: no record) to the host. Returns GMMU_RIT_*.
unsigned gmmu_record_feed_export(gmmu_rit_export *x, const gmmu_rit_event *walk,
                                 const gmmu_rit_record *rec);
// The record of a walk. WALK is the walk for the host, NULL: nothing is exported. SAMPLED is the
// sampler's result, REUSE that of a hit.
static inline gmmu_fed gmmu_record_feed_walk(gmmu_record_feed *f, gmmu_rit_export *x,
                                             const gmmu_regs *regs, const gmmu_rit_event *walk,
                                             const gmmu_sampled *sampled, gmmu_reuse reuse) {
    const bool sampling = regs->feed == GMMU_FEED_SAMPLER;
    const bool censored = sampling && sampled->rec.censored;
    const bool fresh = (sampling ? sampled->record : reuse.valid) && (!censored || regs->censor);
    gmmu_fed out = {};
    if (!fresh && (walk == NULL || !walk->fault))
        return out;
    const gmmu_rit_record rec =
        sampling ? sampled->rec : (gmmu_rit_record){reuse.cls, reuse.interval, false};
    if (fresh)
        out.record = gmmu_record_enqueue(&f->queue[GMMU_QUEUE_WALK], rec);
    if (walk != NULL)
        out.exported = gmmu_record_feed_export(x, walk, fresh ? &rec : NULL);
    return out;
}
// The record of a TOUCH, with the REUSE of its page, with cfg_feed 1. Nothing is exported.
gmmu_fed gmmu_record_feed_touch(gmmu_record_feed *f, const gmmu_regs *regs, gmmu_reuse reuse);
// The censored record REC beside the walks, at TIME; with cfg_censor 0 none.
gmmu_fed gmmu_record_feed_side(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                               gmmu_rit_record rec, uint32_t time);
// The record of the page WAS, which left its frame at TIME, with cfg_feed 1.
static inline gmmu_fed gmmu_record_feed_left(gmmu_record_feed *f, gmmu_rit_export *x,
                                             const gmmu_regs *regs, gmmu_reuse was, uint32_t time) {
    if (!was.valid || regs->feed != GMMU_FEED_RESIDENT)
        return (gmmu_fed){GMMU_REC_NONE, GMMU_RIT_NONE};
    return gmmu_record_feed_side(f, x, regs, (gmmu_rit_record){was.cls, was.interval, true}, time);
}
// The record of an entry that a SCRUB removed at TIME, with cfg_feed 0; without such an entry none.
gmmu_fed gmmu_record_feed_scrubbed(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                                   const gmmu_scrubbed *scrubbed, uint32_t time);

// Returns the queue of the next LEARN, walk records first; -1: both queues are empty.
static inline int gmmu_record_feed_next(const gmmu_record_feed *f) {
    for (int q = 0; q < GMMU_QUEUES; q++)
        if (f->queue[q].n > 0)
            return q;
    return -1;
}
// Takes the oldest record from QUEUE, which must have a record.
gmmu_rit_record gmmu_record_feed_take(gmmu_record_feed *f, unsigned queue);

#ifdef __cplusplus
}
#endif
#endif
