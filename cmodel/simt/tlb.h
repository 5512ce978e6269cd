// SPDX-License-Identifier: Apache-2.0
// tlb.h: a set-associative TLB with LRU replacement; one set makes it fully associative.
#ifndef GMMU_TLB_H
#define GMMU_TLB_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    unsigned sets, ways;
    unsigned *used;   // [set] entries in use
    uint64_t *pages;  // [set][way], most recently used first
} gmmu_tlb;

// ENTRIES in sets of WAYS; a page's set is its number modulo the number of sets. ENTRIES = 0 is a
// TLB that always misses. False: WAYS is 0 or does not divide ENTRIES, or no memory.
bool gmmu_tlb_init(gmmu_tlb *t, unsigned entries, unsigned ways);
void gmmu_tlb_free(gmmu_tlb *t);

// Looks page VPN up. True: a hit. On a miss it is filled at once, in the place of the set's least
// recently used page. Either way it is now the most recently used.
bool gmmu_tlb_access(gmmu_tlb *t, uint64_t vpn);
// Forgets page VPN. True: it was there.
bool gmmu_tlb_remove(gmmu_tlb *t, uint64_t vpn);

#ifdef __cplusplus
}
#endif
#endif
