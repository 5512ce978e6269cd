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

// Creates a TLB of ENTRIES in sets of WAYS; the set of a page is its number modulo the number of
// sets. ENTRIES = 0 is a TLB that always misses. False: WAYS is 0 or does not divide ENTRIES, or no
// memory.
bool gmmu_tlb_init(gmmu_tlb *t, unsigned entries, unsigned ways);
void gmmu_tlb_free(gmmu_tlb *t);

// Looks up page VPN. True: a hit. A miss fills the page at once, in place of the set's least
// recently used page. In both cases the page is now the most recently used page of its set.
bool gmmu_tlb_access(gmmu_tlb *t, uint64_t vpn);
// Forgets page VPN. True: the page was there.
bool gmmu_tlb_remove(gmmu_tlb *t, uint64_t vpn);

#ifdef __cplusplus
}
#endif
#endif
