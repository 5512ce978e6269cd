// SPDX-License-Identifier: Apache-2.0
// frame_store.c: see frame_store.h, docs/reference/blocks/frame_table.md and
// docs/reference/blocks/frame_mem.md.
#include "blocks/frame_store.h"

int gmmu_frame_store_init(gmmu_frame_store *s, const gmmu_config *cfg, gmmu_arena *arena) {
    int bad = gmmu_frame_table_init(&s->table, cfg, arena);
    bad |= gmmu_frame_mem_init(&s->mem, cfg, arena);
    gmmu_segment_init(&s->segment, cfg);
    s->behind = cfg->frame_mem != 0;
    s->age_limit = 1u << (cfg->time_w - 2);
    return bad;
}

gmmu_stored_hit gmmu_frame_store_replay(gmmu_frame_store *s, const gmmu_mem_touch *hit,
                                        uint32_t frames) {
    gmmu_stored_hit out = {0};
    if (!s->behind) {
        out.stale =
            !gmmu_frame_table_replay(&s->table, hit->frame, hit->asid, hit->vpn, hit->write);
        gmmu_frame_ages_note(&s->ages, hit->frame);
    } else if (hit->frame >= frames) {
        out.stale = true;
    } else {
        gmmu_mem_touch t = *hit;
        t.replay = true;
        out.waits = gmmu_frame_mem_note(&s->mem, t) ? GMMU_REC_QUEUED : GMMU_REC_DROPPED;
    }
    return out;
}

gmmu_stored_hit gmmu_frame_store_touch(gmmu_frame_store *s) {
    const uint32_t frame = s->mem.slot[s->mem.head].frame;
    gmmu_stored_hit out = {0};
    out.stale = !gmmu_frame_mem_touch(&s->mem, &s->table, &out.reuse);
    gmmu_frame_ages_note(&s->ages, frame);
    gmmu_frame_store_reused(s, frame, out.reuse);
    return out;
}

gmmu_reuse gmmu_frame_store_free(gmmu_frame_store *s, uint32_t frame, uint32_t time) {
    const gmmu_reuse left = gmmu_frame_table_free(&s->table, frame, time);
    gmmu_frame_ages_note(&s->ages, frame);
    if (left.was_guarded)
        gmmu_segment_count(&s->segment, false);
    return left;
}

void gmmu_frame_store_pin(gmmu_frame_store *s, uint32_t frame, bool pinned) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    f->pinned = pinned && f->valid;
    gmmu_frame_ages_note(&s->ages, frame);
}

bool gmmu_frame_store_stay(gmmu_frame_store *s, uint32_t frame) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    const bool was = f->leaving;
    f->leaving = false;
    gmmu_frame_ages_note(&s->ages, frame);
    if (was)
        gmmu_frame_store_promise(s, frame, false);
    return was;
}

void gmmu_frame_store_expire(gmmu_frame_store *s, uint32_t frame) {
    s->table.seen[frame].fresh = 0;
    gmmu_frame_ages_note(&s->ages, frame);
}

bool gmmu_frame_store_age(gmmu_frame_store *s, uint32_t frame, uint32_t time) {
    const bool clamped = gmmu_frame_table_age(&s->table, frame, time, s->age_limit);
    if (clamped)
        gmmu_frame_ages_note(&s->ages, frame);
    return clamped;
}
