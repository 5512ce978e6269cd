// SPDX-License-Identifier: Apache-2.0
// frame_table.c: see frame_table.h and docs/blocks/frame_table.md.
#include "blocks/frame_table.h"

int gmmu_frame_table_init(gmmu_frame_table *ft, const gmmu_config *cfg, gmmu_arena *arena) {
    ft->frames = cfg->frames;
    ft->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    ft->frame = gmmu_take(arena, cfg->frames, sizeof *ft->frame);
    return ft->frame == NULL;
}

gmmu_reuse gmmu_frame_table_hit(gmmu_frame_table *ft, uint32_t frame, uint32_t asid, uint64_t vpn,
                                gmmu_class cls, bool write, uint32_t time) {
    gmmu_reuse was = {0};
    if (frame >= ft->frames)
        return was;
    gmmu_frame *f = &ft->frame[frame];
    if (!f->valid || f->asid != asid || f->vpn != vpn)
        return was;
    was.valid = true;
    was.cls = f->cls;
    was.interval = (time - f->last) & ft->time_mask;
    f->cls = cls;
    f->last = time;
    f->dirty |= write;
    return was;
}

gmmu_reuse gmmu_frame_table_free(gmmu_frame_table *ft, uint32_t frame, uint32_t time) {
    gmmu_frame *f = &ft->frame[frame];
    gmmu_reuse was = {0};
    if (f->valid) {
        was.valid = true;
        was.was_leaving = f->leaving;
        was.cls = f->cls;
        was.interval = (time - f->last) & ft->time_mask;
    }
    *f = (gmmu_frame){0};
    return was;
}

gmmu_reuse gmmu_frame_table_fill(gmmu_frame_table *ft, uint32_t frame, gmmu_frame page,
                                 uint32_t time) {
    const gmmu_reuse was = gmmu_frame_table_free(ft, frame, time);
    page.valid = true;
    page.pinned = false;
    page.leaving = false;
    ft->frame[frame] = page;
    return was;
}

bool gmmu_frame_table_age(gmmu_frame_table *ft, uint32_t frame, uint32_t time, uint32_t limit) {
    gmmu_frame *f = &ft->frame[frame];
    if (!f->valid || ((time - f->last) & ft->time_mask) < limit)
        return false;
    f->last = (time - limit) & ft->time_mask;
    return true;
}

bool gmmu_frame_table_eligible(const gmmu_frame_table *ft, uint32_t frame) {
    const gmmu_frame *f = &ft->frame[frame];
    return f->valid && !f->pinned && !f->leaving;
}
