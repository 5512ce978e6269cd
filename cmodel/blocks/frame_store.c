// SPDX-License-Identifier: Apache-2.0
// frame_store.c: see frame_store.h, docs/blocks/frame_table.md and docs/blocks/frame_mem.md.
#include "blocks/frame_store.h"

int gmmu_frame_store_init(gmmu_frame_store *s, const gmmu_config *cfg, gmmu_arena *arena) {
    int bad = gmmu_frame_table_init(&s->table, cfg, arena);
    bad |= gmmu_frame_mem_init(&s->mem, cfg, arena);
    gmmu_segment_init(&s->segment, cfg);
    s->behind = cfg->frame_mem != 0;
    s->age_limit = 1u << (cfg->time_w - 2);
    return bad;
}

void gmmu_frame_store_guard(gmmu_frame_store *s, uint32_t frame, bool guarded) {
    s->table.seen[frame].guarded = guarded;
    gmmu_segment_count(&s->segment, guarded);
}

// The page of FRAME was accessed, as REUSE tells.
static void reused(gmmu_frame_store *s, uint32_t frame, gmmu_reuse reuse) {
    if (reuse.valid && !s->table.seen[frame].guarded &&
        gmmu_segment_takes(&s->segment, reuse.interval))
        gmmu_frame_store_guard(s, frame, true);
}

gmmu_stored_hit gmmu_frame_store_hit(gmmu_frame_store *s, const gmmu_mem_touch *hit,
                                     uint32_t frames) {
    gmmu_stored_hit out = {0};
    if (!s->behind) {
        out.reuse = gmmu_frame_table_hit(&s->table, hit->frame, hit->asid, hit->vpn, hit->cls,
                                         hit->write, hit->time);
        out.stale = !out.reuse.valid;
        reused(s, hit->frame, out.reuse);
    } else if (hit->frame >= frames) {
        out.stale = true;
    } else {
        out.waits = gmmu_frame_mem_note(&s->mem, *hit) ? GMMU_REC_QUEUED : GMMU_REC_DROPPED;
    }
    return out;
}

gmmu_reuse gmmu_frame_store_touch(gmmu_frame_store *s) {
    const uint32_t frame = s->mem.slot[s->mem.head].frame;
    const gmmu_reuse was = gmmu_frame_mem_touch(&s->mem, &s->table);
    reused(s, frame, was);
    return was;
}

gmmu_reuse gmmu_frame_store_fill(gmmu_frame_store *s, uint32_t frame, gmmu_frame page, bool returns,
                                 uint32_t was, uint32_t time) {
    const gmmu_reuse left = gmmu_frame_table_fill(&s->table, frame, page, time);
    if (left.was_guarded)
        gmmu_segment_count(&s->segment, false);
    const uint32_t interval = (page.last - was) & s->table.time_mask;
    if (returns ? gmmu_segment_takes(&s->segment, interval) : gmmu_segment_takes_new(&s->segment))
        gmmu_frame_store_guard(s, frame, true);
    return left;
}

gmmu_reuse gmmu_frame_store_free(gmmu_frame_store *s, uint32_t frame, uint32_t time) {
    const gmmu_reuse left = gmmu_frame_table_free(&s->table, frame, time);
    if (left.was_guarded)
        gmmu_segment_count(&s->segment, false);
    return left;
}

void gmmu_frame_store_pin(gmmu_frame_store *s, uint32_t frame, bool pinned) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    f->pinned = pinned && f->valid;
}

bool gmmu_frame_store_stay(gmmu_frame_store *s, uint32_t frame) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    const bool was = f->leaving;
    f->leaving = false;
    return was;
}

bool gmmu_frame_store_age(gmmu_frame_store *s, uint32_t frame, uint32_t time) {
    return gmmu_frame_table_age(&s->table, frame, time, s->age_limit);
}

bool gmmu_frame_store_take(gmmu_frame_store *s, uint32_t frame, uint32_t last, gmmu_frame *was) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    if (!gmmu_frame_table_eligible(&s->table, frame) || f->last != last)
        return false;
    *was = gmmu_frame_table_get(&s->table, frame);
    was->dirty |= s->mem.lost;
    f->leaving = true;
    if (f->guarded)
        gmmu_frame_store_guard(s, frame, false);
    return true;
}
