// SPDX-License-Identifier: Apache-2.0
// schedule.h: the standard schedule (docs/guide/schedule.md): what the unit does by itself after a
// WALK or a DRV, action by action, until nothing is left.
#ifndef GMMU_SCHEDULE_H
#define GMMU_SCHEDULE_H

#include "blocks/gmmu_tier.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes a decision, which is valid in the call.
typedef void gmmu_tier_sink(void *ctx, const gmmu_tier_decision *d);
// Does all that is owed, in the order of the schedule, until nothing is left. SINK is called with
// CTX for each decision; it may be NULL where no fault waits for one and none is made ahead.
void gmmu_tier_settle(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx);
// Is nothing left? After most walks on resident pages it is so.
static inline bool gmmu_tier_settled(const gmmu_tier *u) {
    return u->frames.mem.n == 0 && u->regs.rit_batch == 0 && !u->side.age_owed &&
           u->faults.queue.noted == 0 && u->faults.queue.undecided == 0 &&
           !gmmu_tier_ahead_owed(u) && gmmu_fault_queue_keeps(&u->faults.queue) &&
           u->place.owed == 0 && !u->rit.owing && !u->rit.waiting && !u->ppuc.engine.busy &&
           gmmu_record_feed_next(&u->feed) < 0 && !gmmu_trace_sampler_thresh_owed(&u->sampler) &&
           !gmmu_tier_scrub_due(u);
}

// The same order with some of the actions done otherwise, for studies of the arithmetic.
typedef struct {
    void (*round)(gmmu_tier *u, void *ctx);  // CAND of every frame of a round
    void (*learn)(gmmu_tier *u, unsigned queue, void *ctx);
    void (*refresh)(gmmu_tier *u, unsigned row, void *ctx);
    bool (*install)(gmmu_tier *u, void *ctx);  // false: the engine is not ready
} gmmu_schedule_actions;
// gmmu_tier_settle by the actions BY, of which none is NULL; CTX is for these and for SINK.
void gmmu_tier_settle_by(gmmu_tier *u, const gmmu_schedule_actions *by, gmmu_tier_sink *sink,
                         void *ctx);

#ifdef __cplusplus
}
#endif
#endif
