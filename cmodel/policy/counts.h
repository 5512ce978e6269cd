// SPDX-License-Identifier: Apache-2.0
// counts.h: the counters of a replay.
#ifndef GMMU_POLICY_COUNTS_H
#define GMMU_POLICY_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The counters, in the order of the output:
//   faults      faults, cold faults included
//   cold        first touches
//   evictions   pages that left near memory
//   writebacks  evictions of pages written since their last fault; no final flush. From Tier 2 a
//   page
//               comes back as dirty as it went
#define GMMU_COUNTS(COUNT) \
    COUNT(accesses) COUNT(faults) COUNT(cold) COUNT(evictions) COUNT(writebacks)

#define GMMU_COUNT_MEMBER(name) uint64_t name;
typedef struct {
    GMMU_COUNTS(GMMU_COUNT_MEMBER)
} gmmu_counts;

// Further counters of three tiers: near memory, the host's memory, storage.
//   tier1_hits      accesses to pages in near memory
//   tier2_hits      faults of pages that were in Tier 2
//   tier3_reads     all other faults, cold faults included, and pages raised from storage
//   tier3_writes    dirty pages that reached Tier 3, from Tier 1 or 2; no final flush
//   wasted_lookups  Tier-3 reads before which Tier 2 was asked in vain
//   tier2_puts      pages that left near memory for Tier 2
// A policy without tiers asks no Tier 2: its faults and raised pages are Tier-3 reads, its
// write-backs Tier-3 writes.
#define GMMU_TIER_COUNTS(COUNT) \
    COUNT(tier1_hits)           \
    COUNT(tier2_hits) COUNT(tier3_reads) COUNT(tier3_writes) COUNT(wasted_lookups) COUNT(tier2_puts)

typedef struct {
    GMMU_TIER_COUNTS(GMMU_COUNT_MEMBER)
    uint64_t raised;  // pages that came to near memory ahead of an access
} gmmu_tier_counts;
#undef GMMU_COUNT_MEMBER

// A column of a table of counts: the name, and the offset in a gmmu_counts or gmmu_tier_counts.
typedef struct {
    const char *name;
    size_t offset;
} gmmu_count_column;

extern const gmmu_count_column gmmu_count_columns[];       // ended by a name NULL
extern const gmmu_count_column gmmu_tier_count_columns[];  // the same

// Returns the count of COLUMN from COUNTS, a gmmu_counts or gmmu_tier_counts as COLUMN demands.
static inline uint64_t gmmu_count(const void *counts, const gmmu_count_column *column) {
    return *(const uint64_t *)((const char *)counts + column->offset);
}

#ifdef __cplusplus
}
#endif
#endif
