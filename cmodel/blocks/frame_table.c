// SPDX-License-Identifier: Apache-2.0
// frame_table.c: see frame_table.h and docs/blocks/frame_table.md.
#include "blocks/frame_table.h"

_Static_assert(sizeof(gmmu_frame_seen) == 8, "eight frames a cache line");

int gmmu_frame_table_init(gmmu_frame_table *ft, const gmmu_config *cfg, gmmu_arena *arena) {
    ft->frames = cfg->frames;
    ft->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    ft->seen = gmmu_take(arena, cfg->frames, sizeof *ft->seen);
    ft->page = gmmu_take(arena, cfg->frames, sizeof *ft->page);
    return ft->page == NULL;
}

gmmu_frame gmmu_frame_table_get(const gmmu_frame_table *ft, uint32_t frame) {
    const gmmu_frame_seen s = ft->seen[frame];
    const gmmu_frame_page p = ft->page[frame];
    return (gmmu_frame){.vpn = p.vpn,
                        .asid = p.asid,
                        .last = s.last,
                        .cls = {s.row, s.gen},
                        .valid = s.valid,
                        .pinned = s.pinned,
                        .leaving = s.leaving,
                        .dirty = p.dirty,
                        .guarded = s.guarded};
}

void gmmu_frame_table_put(gmmu_frame_table *ft, uint32_t frame, gmmu_frame is) {
    ft->page[frame] = (gmmu_frame_page){is.vpn, is.asid, is.dirty};
    ft->seen[frame] = (gmmu_frame_seen){.last = is.last,
                                        .gen = is.cls.gen,
                                        .row = is.cls.row & (GMMU_MOST_ROWS - 1),
                                        .valid = is.valid,
                                        .pinned = is.pinned,
                                        .leaving = is.leaving,
                                        .guarded = is.guarded};
}

// What the page in a frame tells about its last access.
static gmmu_reuse told(const gmmu_frame_table *ft, gmmu_frame_seen s, uint32_t time) {
    return (gmmu_reuse){.valid = true,
                        .was_leaving = s.leaving,
                        .was_guarded = s.guarded,
                        .cls = {s.row, s.gen},
                        .interval = (time - s.last) & ft->time_mask};
}

gmmu_reuse gmmu_frame_table_hit(gmmu_frame_table *ft, uint32_t frame, uint32_t asid, uint64_t vpn,
                                gmmu_class cls, bool write, uint32_t time) {
    if (frame >= ft->frames)
        return (gmmu_reuse){0};
    gmmu_frame_seen *s = &ft->seen[frame];
    gmmu_frame_page *p = &ft->page[frame];
    if (!s->valid || p->asid != asid || p->vpn != vpn)
        return (gmmu_reuse){0};
    gmmu_reuse was = told(ft, *s, time);
    was.was_leaving = was.was_guarded = false;
    s->row = cls.row & (GMMU_MOST_ROWS - 1);
    s->gen = cls.gen;
    s->last = time;
    p->dirty |= write;
    return was;
}

gmmu_reuse gmmu_frame_table_free(gmmu_frame_table *ft, uint32_t frame, uint32_t time) {
    const gmmu_frame_seen s = ft->seen[frame];
    gmmu_frame_table_put(ft, frame, (gmmu_frame){0});
    return s.valid ? told(ft, s, time) : (gmmu_reuse){0};
}

gmmu_reuse gmmu_frame_table_fill(gmmu_frame_table *ft, uint32_t frame, gmmu_frame page,
                                 uint32_t time) {
    const gmmu_reuse was = gmmu_frame_table_free(ft, frame, time);
    page.valid = true;
    page.pinned = false;
    page.leaving = false;
    gmmu_frame_table_put(ft, frame, page);
    return was;
}

bool gmmu_frame_table_age(gmmu_frame_table *ft, uint32_t frame, uint32_t time, uint32_t limit) {
    gmmu_frame_seen *s = &ft->seen[frame];
    if (!s->valid || ((time - s->last) & ft->time_mask) < limit)
        return false;
    s->last = (time - limit) & ft->time_mask;
    return true;
}
