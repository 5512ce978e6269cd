// SPDX-License-Identifier: Apache-2.0
// record_feed.h: twin of rtl/learner/gmmu_record_feed.v: which records the Ref RIT learns from, the
// queues in which they wait, and the same records for the host.
//
// Records come from the trace sampler, or with cfg_feed 1 from resident pages: walk hits, and pages
// that leave. Those of walks wait in one queue, all others, which are censored, in another.
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

// What became of a record.
typedef struct {
    unsigned record;    // GMMU_REC_*, in the queue
    unsigned exported;  // GMMU_RIT_*, for the host
} gmmu_fed;

int gmmu_record_feed_init(gmmu_record_feed *f, const gmmu_config *cfg, gmmu_arena *arena);

// A record goes into a queue; a full one drops it.
static inline unsigned gmmu_record_enqueue(gmmu_record_queue *q, gmmu_rit_record rec) {
    if (q->n == q->size)
        return GMMU_REC_DROPPED;
    q->slot[(q->head + q->n++) % q->size] = rec;
    return GMMU_REC_QUEUED;
}
// A walk and its record REC (NULL: none), for the host. What became of it.
unsigned gmmu_record_feed_export(gmmu_rit_export *x, const gmmu_rit_event *walk,
                                 const gmmu_rit_record *rec);
// A walk: WALK for the host, NULL if it gets nothing; SAMPLED what the sampler said to it; REUSE of
// a hit.
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
// TOUCH, with the REUSE of its page.
gmmu_fed gmmu_record_feed_touch(gmmu_record_feed *f, const gmmu_regs *regs, gmmu_reuse reuse);
// A censored record beside the walks.
gmmu_fed gmmu_record_feed_side(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                               gmmu_rit_record rec, uint32_t time);
// The page WAS left its frame at TIME; SCRUBBED an entry of the sampler.
static inline gmmu_fed gmmu_record_feed_left(gmmu_record_feed *f, gmmu_rit_export *x,
                                             const gmmu_regs *regs, gmmu_reuse was, uint32_t time) {
    if (!was.valid || regs->feed != GMMU_FEED_RESIDENT)
        return (gmmu_fed){GMMU_REC_NONE, GMMU_RIT_NONE};
    return gmmu_record_feed_side(f, x, regs, (gmmu_rit_record){was.cls, was.interval, true}, time);
}
gmmu_fed gmmu_record_feed_scrubbed(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                                   const gmmu_scrubbed *scrubbed, uint32_t time);

// The queue that LEARN takes from: walk records first; -1: both are empty.
static inline int gmmu_record_feed_next(const gmmu_record_feed *f) {
    for (int q = 0; q < GMMU_QUEUES; q++)
        if (f->queue[q].n > 0)
            return q;
    return -1;
}
// The oldest record of QUEUE, which leaves it.
gmmu_rit_record gmmu_record_feed_take(gmmu_record_feed *f, unsigned queue);

#ifdef __cplusplus
}
#endif
#endif
