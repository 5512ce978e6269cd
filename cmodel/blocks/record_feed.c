// SPDX-License-Identifier: Apache-2.0
// record_feed.c: see record_feed.h and docs/guide/schedule.md.
#include "blocks/record_feed.h"

int gmmu_record_feed_init(gmmu_record_feed *f, const gmmu_config *cfg, gmmu_arena *arena) {
    const unsigned size[GMMU_QUEUES] = {cfg->recq, cfg->sideq};
    int bad = 0;
    for (unsigned i = 0; i < GMMU_QUEUES; i++) {
        gmmu_record_queue *q = &f->queue[i];
        *q = (gmmu_record_queue){.size = size[i]};
        q->slot = gmmu_take(arena, size[i], sizeof *q->slot);
        bad |= q->slot == NULL;
    }
    return bad;
}

unsigned gmmu_record_feed_export(gmmu_rit_export *x, const gmmu_rit_event *walk,
                                 const gmmu_rit_record *rec) {
    gmmu_rit_event ev = *walk;
    if (rec != NULL)
        gmmu_rit_export_record(x, *rec, &ev);
    return gmmu_rit_export_put(x, &ev);
}

gmmu_fed gmmu_record_feed_touch(gmmu_record_feed *f, const gmmu_regs *regs, gmmu_reuse reuse) {
    gmmu_fed out = {0};
    if (reuse.valid && regs->feed == GMMU_FEED_RESIDENT)
        out.record = gmmu_record_enqueue(&f->queue[GMMU_QUEUE_WALK],
                                         (gmmu_rit_record){reuse.cls, reuse.interval, false});
    return out;
}

gmmu_fed gmmu_record_feed_side(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                               gmmu_rit_record rec, uint32_t time) {
    gmmu_fed out = {0};
    if (!regs->censor)
        return out;
    out.record = gmmu_record_enqueue(&f->queue[GMMU_QUEUE_SIDE], rec);
    if (regs->rit_batch != 0) {
        gmmu_rit_event ev = {.time = time};
        gmmu_rit_export_record(x, rec, &ev);
        out.exported = gmmu_rit_export_put(x, &ev);
    }
    return out;
}

gmmu_fed gmmu_record_feed_scrubbed(gmmu_record_feed *f, gmmu_rit_export *x, const gmmu_regs *regs,
                                   const gmmu_scrubbed *scrubbed, uint32_t time) {
    if (!scrubbed->removed || regs->feed != GMMU_FEED_SAMPLER)
        return (gmmu_fed){0};
    return gmmu_record_feed_side(f, x, regs, scrubbed->rec, time);
}

gmmu_rit_record gmmu_record_feed_take(gmmu_record_feed *f, unsigned queue) {
    gmmu_record_queue *q = &f->queue[queue];
    const gmmu_rit_record rec = q->slot[q->head];
    q->head = (q->head + 1) % q->size;
    q->n--;
    return rec;
}
