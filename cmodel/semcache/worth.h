// SPDX-License-Identifier: Apache-2.0
// worth.h: what a range in GPU memory is worth, by LEU (Chen et al., MEMSYS '19, §3) with the call
// site as the reference.
//
// Times are lookups. Of each site it is counted after how many lookups a range that it looked up
// was looked up again, and how often that never came; a range counts by its bytes. A range's worth
// is the largest of (hits expected until l) / (time it stays until then), over all l beyond its
// age.
#ifndef GMMU_SEM_WORTH_H
#define GMMU_SEM_WORTH_H

#include <stdbool.h>
#include <stdint.h>

enum { GMMU_WORTH_BINS = 96 };  // four an octave: 2^24 lookups and more

typedef struct {
    uint64_t weight[GMMU_WORTH_BINS];  // KiB that came back after so long
    uint64_t never;                    // KiB that did not
} gmmu_worth_site;

typedef struct {
    gmmu_worth_site *site;
    uint32_t sites;       // room
    gmmu_worth_site all;  // of all sites, for one that has none yet
} gmmu_worth;

void gmmu_worth_free(gmmu_worth *w);
// A range of BYTES that SITE looked up came back after INTERVAL lookups; or never. False: no
// memory, and nothing was learnt.
bool gmmu_worth_learn(gmmu_worth *w, uint32_t site, uint64_t interval, uint64_t bytes);
bool gmmu_worth_lost(gmmu_worth *w, uint32_t site, uint64_t bytes);
// Of a range that SITE looked up AGE lookups ago: hits a lookup, times 2^40.
uint64_t gmmu_worth_of(const gmmu_worth *w, uint32_t site, uint64_t age);

#endif
