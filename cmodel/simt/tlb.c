// SPDX-License-Identifier: Apache-2.0
// tlb.c: a set-associative TLB with LRU replacement.
#include "simt/tlb.h"

#include <stdlib.h>
#include <string.h>

bool gmmu_tlb_init(gmmu_tlb *t, unsigned entries, unsigned ways) {
    *t = (gmmu_tlb){0};
    if (entries == 0)
        return true;
    if (ways == 0 || entries % ways != 0)
        return false;
    t->sets = entries / ways;
    t->ways = ways;
    t->used = calloc(t->sets, sizeof *t->used);
    t->pages = calloc(entries, sizeof *t->pages);
    if (t->used == NULL || t->pages == NULL) {
        gmmu_tlb_free(t);
        return false;
    }
    return true;
}

void gmmu_tlb_free(gmmu_tlb *t) {
    free(t->used);
    free(t->pages);
    *t = (gmmu_tlb){0};
}

bool gmmu_tlb_access(gmmu_tlb *t, uint64_t vpn) {
    if (t->sets == 0)
        return false;
    // A row in order of use: a GPU's accesses hit near its front, so that the search is short.
    unsigned set = (unsigned)(vpn % t->sets);
    uint64_t *row = t->pages + (size_t)set * t->ways;
    unsigned at = 0;
    while (at < t->used[set] && row[at] != vpn) at++;
    bool hit = at < t->used[set];
    if (!hit && t->used[set] < t->ways)
        t->used[set]++;
    else if (!hit)
        at--;  // the last one, the least recently used, is overwritten
    memmove(row + 1, row, at * sizeof *row);
    row[0] = vpn;
    return hit;
}

bool gmmu_tlb_remove(gmmu_tlb *t, uint64_t vpn) {
    if (t->sets == 0)
        return false;
    unsigned set = (unsigned)(vpn % t->sets);
    uint64_t *row = t->pages + (size_t)set * t->ways;
    unsigned at = 0;
    while (at < t->used[set] && row[at] != vpn) at++;
    if (at == t->used[set])
        return false;
    t->used[set]--;
    memmove(row + at, row + at + 1, (t->used[set] - at) * sizeof *row);
    return true;
}
