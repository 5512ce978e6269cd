// SPDX-License-Identifier: Apache-2.0
// pages.c: the unit's C model in a program of one's own: memory of 16 pages, a loop over 200 pages
// beside 4 pages that are used again and again. Says how often the latter missed.
#include <stdio.h>
#include <stdlib.h>

#include "blocks/schedule.h"

enum { FRAMES = 16, PAGES = 1024 };
static unsigned frame_of[PAGES], used;  // 0: not in memory, else the frame + 1
static unsigned long evictions;

// A decision: the unit says that the page of a fault takes an empty frame, or that of a victim.
static void decided(void *unit, const gmmu_tier_decision *d) {
    gmmu_tier_drv_in op = {.op = GMMU_FILL, .vpn = d->vpn, .frame = d->frame};
    if (frame_of[d->vpn] != 0) {  // the page is resident: the decision is not followed
        op.op = GMMU_CANCEL;
    } else if (d->tier == GMMU_TIER_FREE) {
        op.frame = used++;
    } else {
        // here the victim would be unmapped, and copied out if the victim is dirty
        frame_of[d->victim_vpn] = 0;
        evictions++;
    }
    gmmu_tier_drv(unit, op);
    if (op.op == GMMU_FILL)
        frame_of[d->vpn] = op.frame + 1;
}

int main(void) {
    const gmmu_config *config = gmmu_config_find("tiny");
    gmmu_regs regs = gmmu_regs_default(config);
    regs.frames = FRAMES;
    gmmu_tier unit;
    void *memory = malloc(gmmu_tier_bytes(config));
    if (memory == NULL ||
        gmmu_tier_init(&unit, config, &regs, memory, gmmu_tier_bytes(config)) != 0)
        return 1;
    unsigned long misses = 0, hot_misses = 0;
    for (unsigned i = 0; i < 20000; i++) {
        const bool hot = i % 4 == 3;
        const unsigned page = hot ? 1000 + i / 4 % 4 : i % 200, frame = frame_of[page];
        misses += frame == 0;
        hot_misses += hot && frame == 0;
        gmmu_tier_walk(&unit, (gmmu_tier_walk_in){.vpn = page,
                                                  .ref = hot ? 0x20 : 0x10,
                                                  .fault = frame == 0,
                                                  .frame = frame - (frame != 0)});
        gmmu_tier_settle(&unit, decided, &unit);  // all that the unit does of itself after a walk
    }
    printf(
        "20000 accesses, %lu misses, %lu evictions; %lu of 5000 accesses to the 4 pages in use "
        "missed\n",
        misses, evictions, hot_misses);
    free(memory);
    return hot_misses > 100;
}
