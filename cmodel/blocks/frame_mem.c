// SPDX-License-Identifier: Apache-2.0
// frame_mem.c: see frame_mem.h and docs/reference/blocks/frame_mem.md.
#include "blocks/frame_mem.h"

int gmmu_frame_mem_init(gmmu_frame_mem *fm, const gmmu_config *cfg, gmmu_arena *arena) {
    *fm = (gmmu_frame_mem){.size = cfg->touchq};
    fm->slot = gmmu_take(arena, cfg->touchq, sizeof *fm->slot);
    return fm->slot == NULL;
}

bool gmmu_frame_mem_note(gmmu_frame_mem *fm, gmmu_mem_touch t) {
    if (fm->n >= (t.write ? fm->size : fm->size - fm->size / 4)) {
        fm->lost |= t.write;
        return false;
    }
    fm->slot[(fm->head + fm->n++) % fm->size] = t;
    return true;
}

bool gmmu_frame_mem_touch(gmmu_frame_mem *fm, gmmu_frame_table *ft, gmmu_reuse *was) {
    const gmmu_mem_touch t = fm->slot[fm->head];
    fm->head = (fm->head + 1) % fm->size;
    fm->n--;
    *was = (gmmu_reuse){0};
    if (t.replay)
        return gmmu_frame_table_replay(ft, t.frame, t.asid, t.vpn, t.write);
    if (((t.time - ft->seen[t.frame].last) & ft->time_mask) <= ft->time_mask / 2)
        *was = gmmu_frame_table_hit(ft, t.frame, t.asid, t.vpn, t.cls, t.write, t.time);
    return was->valid;
}
