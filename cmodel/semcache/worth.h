// SPDX-License-Identifier: Apache-2.0
// worth.h: the worth of a range in GPU memory by LEU, with the call site as the reference. Source:
// Chen et al., MEMSYS '19, §3.
//
// Times are counted in lookups. For each site the table counts after how many lookups a range of
// the site was looked up again, and how often a range was not looked up again. A range counts by
// its bytes. The worth of a range is the largest of (hits expected until l) / (time in memory until
// l), over all l beyond the age of the range.
#ifndef GMMU_SEM_WORTH_H
#define GMMU_SEM_WORTH_H

#include <stdbool.h>
#include <stdint.h>

enum { GMMU_WORTH_BINS = 96 };  // four bins an octave, for 2^24 lookups and more

typedef struct {
    uint64_t weight[GMMU_WORTH_BINS];  // KiB of ranges that came back after an interval of this bin
    uint64_t never;                    // KiB of ranges that did not come back
} gmmu_worth_site;

typedef struct {
    gmmu_worth_site *site;
    uint32_t sites;       // number of entries of `site`
    gmmu_worth_site all;  // the counts of all sites, for a site without counts
} gmmu_worth;

// Frees the table; W is all 0 then, as before its first use.
void gmmu_worth_free(gmmu_worth *w);
// gmmu_worth_learn: a range of BYTES that SITE looked up came back after INTERVAL lookups.
// gmmu_worth_lost: the range did not come back. False: no memory, and nothing was learnt.
bool gmmu_worth_learn(gmmu_worth *w, uint32_t site, uint64_t interval, uint64_t bytes);
bool gmmu_worth_lost(gmmu_worth *w, uint32_t site, uint64_t bytes);
// Returns the worth of a range that SITE looked up AGE lookups ago, in hits a lookup, times 2^40.
uint64_t gmmu_worth_of(const gmmu_worth *w, uint32_t site, uint64_t age);

#endif
