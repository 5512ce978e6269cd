// SPDX-License-Identifier: Apache-2.0
// frame_table.c: see frame_table.h and docs/reference/blocks/frame_table.md.
#include "blocks/frame_table.h"

_Static_assert(sizeof(gmmu_frame_seen) == 8, "eight frames a cache line");

int gmmu_frame_table_init(gmmu_frame_table *ft, const gmmu_config *cfg, gmmu_arena *arena) {
    ft->frames = cfg->frames;
    ft->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    ft->seen = gmmu_take(arena, cfg->frames, sizeof *ft->seen);
    ft->page = gmmu_take(arena, cfg->frames, sizeof *ft->page);
    return ft->page == NULL;
}

bool gmmu_frame_table_age(gmmu_frame_table *ft, uint32_t frame, uint32_t time, uint32_t limit) {
    gmmu_frame_seen *s = &ft->seen[frame];
    if (!s->valid || ((time - s->last) & ft->time_mask) < limit)
        return false;
    s->last = (time - limit) & ft->time_mask;
    return true;
}
