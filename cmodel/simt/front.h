// SPDX-License-Identifier: Apache-2.0
// front.h: data caches in front of the TLBs: which pages of a warp's access still need a
// translation.
//
// The caches are RDGC's (cmodel/rdgc/cache.h) without time: one access after the other, in the
// order of issue, a miss fills at once. They hold virtual addresses: what hits needs no
// translation.
//
//   32 addresses -> distinct L1 blocks -> L1 of the SM -> missed and bypassed ones
//                                             | GMMU_FRONT_L1: their pages go to the TLBs
//                                             v
//                                            L2 -> missed ones
//                                             | GMMU_FRONT_L2: their pages go to the TLBs
#ifndef GMMU_FRONT_H
#define GMMU_FRONT_H

#include "rdgc/rdgc.h"
#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_front gmmu_front;

// Caches as C describes them, an L1 for each of SMS; UP_TO is not GMMU_FRONT_OFF. NULL: *err
// filled: a block larger than a page, what gmmu_rdgc_cache_check finds, no memory.
gmmu_front *gmmu_front_create(const gmmu_rdgc_config *c, unsigned sms, gmmu_front_level up_to,
                              unsigned page_shift, gmmu_error *err);
void gmmu_front_destroy(gmmu_front *f);
// The access of the active lanes MASK of a warp on SM. The distinct pages that the caches let
// through into vpn[], in order of the first L1 block that misses in each; returns their number.
unsigned gmmu_front_access(gmmu_front *f, unsigned sm, const uint64_t addr[GMMU_WARP],
                           uint32_t mask, bool write, uint64_t vpn[GMMU_WARP]);
// The page leaves memory: its blocks leave the caches.
void gmmu_front_remove(gmmu_front *f, uint64_t vpn);
// Adds what the caches counted to *stats.
void gmmu_front_stats(const gmmu_front *f, gmmu_simt_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
