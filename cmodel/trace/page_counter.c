// SPDX-License-Identifier: Apache-2.0
// page_counter.c: see page_counter.h.
#include "trace/page_counter.h"

#include <stdlib.h>

// Pages are counted up to MOST, for which the set takes 128 MiB.
enum { FIRST_ROOM = 1 << 12, MOST = 1 << 22 };

bool gmmu_page_counter_start(gmmu_page_counter *c, bool counted) {
    *c = (gmmu_page_counter){.room = FIRST_ROOM, .count = counted ? 0 : GMMU_UNKNOWN};
    c->slots = counted ? calloc(FIRST_ROOM, sizeof *c->slots) : NULL;
    return !counted || c->slots != NULL;
}

void gmmu_page_counter_free(gmmu_page_counter *c) {
    free(c->slots);
}

static gmmu_page_slot *find(gmmu_page_slot *slots, uint64_t room, const gmmu_page_slot *page) {
    uint64_t hash = (page->vpn ^ (uint64_t)page->asid << 40) * 0x9E3779B97F4A7C15U;
    uint64_t at = (hash ^ hash >> 32) & (room - 1);
    while (slots[at].used != 0 && (slots[at].vpn != page->vpn || slots[at].asid != page->asid)) {
        at = (at + 1) & (room - 1);
    }
    return &slots[at];
}

static void grow(gmmu_page_counter *c) {
    uint64_t room = 2 * c->room;
    gmmu_page_slot *bigger = c->count < MOST ? calloc(room, sizeof *bigger) : NULL;
    for (uint64_t i = 0; bigger != NULL && i < c->room; i++) {
        if (c->slots[i].used != 0) {
            *find(bigger, room, &c->slots[i]) = c->slots[i];
        }
    }
    free(c->slots);
    c->slots = bigger;
    c->room = room;
    c->count = bigger == NULL ? GMMU_UNKNOWN : c->count;
}

void gmmu_page_counter_add(gmmu_page_counter *c, const gmmu_walk *walk) {
    if (c->slots == NULL ||
        (c->last.used != 0 && c->last.vpn == walk->vpn && c->last.asid == walk->asid)) {
        return;
    }
    c->last = (gmmu_page_slot){.vpn = walk->vpn, .asid = walk->asid, .used = 1};
    gmmu_page_slot *slot = find(c->slots, c->room, &c->last);
    if (slot->used == 0) {
        *slot = c->last;
        c->count++;
        if (c->count * 2 >= c->room) {
            grow(c);
        }
    }
}
