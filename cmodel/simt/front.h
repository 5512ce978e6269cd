// SPDX-License-Identifier: Apache-2.0
// front.h: data caches in front of the TLBs: they decide which pages of a warp's access need a
// translation.
//
// The caches are RDGC's (cmodel/rdgc/cache.h) without time: one access after the other, in the
// order of issue; a miss fills at once. The caches hold virtual addresses, so a hit needs no
// translation.
//
//   32 addresses -> distinct L1 blocks -> L1 of the SM -> missed and bypassed ones
//                                             | GMMU_FRONT_L1: their pages go to the TLBs
//                                             v
//                                            L2 -> missed ones
//                                             | GMMU_FRONT_L2: their pages go to the TLBs
#ifndef GMMU_FRONT_H
#define GMMU_FRONT_H

#include "rdgc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// The data caches that an access goes through before its translation.
typedef enum { GMMU_FRONT_OFF, GMMU_FRONT_L1, GMMU_FRONT_L2 } gmmu_front_level;

typedef struct gmmu_front gmmu_front;

typedef struct {
    uint64_t accesses;     // distinct L1 blocks of all instructions
    uint64_t l1_hits;      // of them
    uint64_t l2_accesses;  // accesses that went on to L2, in L2 blocks
    uint64_t l2_hits;      // of them
} gmmu_front_counts;

// Creates caches as described by C, with an L1 for each of SMS. UP_TO is not GMMU_FRONT_OFF. NULL
// and *err: a block is larger than a page, gmmu_rdgc_cache_check refuses a cache, or no memory.
gmmu_front *gmmu_front_create(const gmmu_rdgc_config *c, unsigned sms, gmmu_front_level up_to,
                              unsigned page_shift, gmmu_error *err);
void gmmu_front_destroy(gmmu_front *f);
// Does the access of the active lanes MASK of a warp on SM. Writes to vpn[] the distinct pages that
// the caches let through, in order of the first L1 block that misses in each page. ATOMIC: the
// instruction is, and passes L1 without a look if the caches say so. Returns the
// number of pages.
unsigned gmmu_front_access(gmmu_front *f, unsigned sm, const uint64_t addr[GMMU_WARP],
                           uint32_t mask, bool write, bool atomic, uint64_t vpn[GMMU_WARP]);
// Page VPN leaves memory: its blocks leave the caches.
void gmmu_front_remove(gmmu_front *f, uint64_t vpn);
gmmu_front_counts gmmu_front_counted(const gmmu_front *f);

#ifdef __cplusplus
}
#endif
#endif
