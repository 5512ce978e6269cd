// SPDX-License-Identifier: Apache-2.0
// page_set_chain.h: the driver side of HPE: which page leaves, from faults and from drained hit
// records.
//
// Source: HPE (hierarchical page eviction) §IV.C (page set chain), §IV.D (classification, MRU-C,
// LRU), §IV.E (Algorithm 1), parameters §V.A. What the paper leaves open: docs/papers/hpe.md, E1 to
// E16. Self-contained but for gmmu/arena.h: no memory is taken after init, the work a call may cost
// is in docs/guide/page_set_chain.md. Not thread-safe.
#ifndef GMMU_PAGE_SET_CHAIN_H
#define GMMU_PAGE_SET_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_PSC_MAX_PAGES = 32 };  // of a page set

typedef enum { GMMU_PSC_LRU, GMMU_PSC_MRU_C } gmmu_psc_strategy;

// OPEN: memory was not full yet.
typedef enum {
    GMMU_PSC_OPEN,
    GMMU_PSC_REGULAR,
    GMMU_PSC_IRREGULAR_1,
    GMMU_PSC_IRREGULAR_2
} gmmu_psc_category;

// Which set MRU-C takes where no counter equals the page set size.
typedef enum {
    GMMU_PSC_BY_SIZE,   // E3: the least above it; else the greatest
    GMMU_PSC_LEAST,     // the least of all
    GMMU_PSC_ANY_COUNT  // counters do not matter: always the one nearest the MRU end
} gmmu_psc_mruc;

// Which sets the statistics at the first full memory count.
typedef enum {
    GMMU_PSC_COUNT_ALL,      // E2
    GMMU_PSC_COUNT_NOT_NEW,  // not those of the new partition
    GMMU_PSC_COUNT_OLD       // those of the old partition alone
} gmmu_psc_counted;

typedef struct {
    uint32_t frames;     // of memory, at least 1: memory is full with as many resident pages
    uint32_t waiting;    // page sets beyond that, of pages that faulted and are not filled yet
    uint32_t history;    // first divisions that can be remembered; 0: no set is ever divided
    uint32_t set_pages;  // of a page set: a power of two, 1 to 32
    uint32_t interval;   // faults, at least 1
    uint32_t fifo;       // evictions that are remembered, for each strategy; 0: none is found wrong
    uint32_t trigger;    // wrong evictions in an interval that adjust; 0: never
    uint32_t jump;       // page sets by which an adjustment moves the search point
    uint32_t count_max;  // where the counter of a set saturates, 1 to 65535
    uint32_t ratio_num, ratio_den;  // the threshold of ratio1; ratio_den at least 1
    uint32_t divide;  // touches at which it is decided whether a set is divided; 0: never
    uint32_t large;   // page sets in the old partition at first full memory, from which it jumps
    uint32_t jumps;   // at most so many jumps
    // What the paper leaves open; 0 is the decision, another value an alternative to measure.
    bool total;  // E6: longer_interval compares all intervals of a strategy, not the last stay's
    gmmu_psc_category force;   // not OPEN: this category, whatever the statistics say
    gmmu_psc_counted counted;  // E2
    gmmu_psc_mruc mruc;        // E3
    bool brief;                // E4: a jump ends with its interval
    bool untried;              // E5: a strategy that never ran lasted 0 intervals
    bool tie;                  // E5: at a tie of intervals the other strategy comes
    bool afresh;               // E7: every page is searched for anew
    bool again;                // E8: every multiple of the trigger adjusts
    bool window;               // E9: an eviction is forgotten after two intervals
    bool second;               // E14: hits of one record touch the secondary first
} gmmu_psc_config;

// The paper's parameters, for SET_PAGES 16 exactly its: interval 64, FIFO 128, trigger SET_PAGES,
// jump 16, saturation and division at 4 * SET_PAGES, threshold 3/10, large 4 * SET_PAGES, any
// number of jumps; history FRAMES, waiting 1; the decisions.
gmmu_psc_config gmmu_psc_paper(uint32_t frames, uint32_t set_pages);

typedef struct {
    uint64_t faults, intervals;  // ended ones
    uint64_t records, stale;     // of hits; parts of records whose page set is not on the chain
    uint64_t searches, compared, most_compared;  // page sets looked at, in all and in one search
    uint64_t mruc_searches, mruc_compared;       // those of MRU-C alone
    uint64_t divided, undivided;                 // page sets; undivided: the history was full
    uint64_t evicted, wrong[2];                  // pages; wrong: by strategy
    uint64_t jumps, switches;                    // adjustments
    uint64_t lasted[2], gone[2];                 // by strategy: ended intervals; pages evicted
    uint64_t length_sum, most_length;            // page sets on the chain, at the ends of intervals
} gmmu_psc_stats;

// What the statistics at the first full memory were (§IV.D).
typedef struct {
    uint32_t regular, irregular, small, large;  // page sets by counter
    uint32_t old, length;                       // page sets of the old partition, of the chain
} gmmu_psc_census;

typedef struct gmmu_psc_set gmmu_psc_set;
typedef struct gmmu_psc_division gmmu_psc_division;
typedef struct gmmu_psc_eviction gmmu_psc_eviction;

typedef struct {
    gmmu_psc_config cfg;
    gmmu_psc_set *set;
    gmmu_psc_division *division;
    gmmu_psc_eviction *evicted[2];  // rings of cfg.fifo
    uint32_t *bucket, *division_bucket;
    uint32_t sets, buckets, divisions, division_buckets, shift;
    uint32_t oldest, youngest;  // ends of the chain: LRU, MRU
    uint32_t middle, fresh;  // P1, P2: the first set of the middle and of the new partition, if any
    uint32_t unused;         // list of free sets
    uint32_t length;         // page sets on the chain
    uint32_t chosen;         // the page set that leaves at present
    uint32_t faults_of_interval;
    uint32_t ring[2];   // where the next eviction is written
    uint32_t wrong[2];  // evictions, in this interval
    uint64_t resident;  // pages
    gmmu_psc_category category;
    gmmu_psc_strategy strategy;
    gmmu_psc_census census;
    uint64_t skip;       // page sets between the MRU end of the old partition and the search point
    uint64_t lasted[2];  // intervals of a strategy: its present or last stay, or all
    bool tried;          // both strategies ran
    gmmu_psc_stats stats;
} gmmu_psc;

// Bytes that init needs.
size_t gmmu_psc_bytes(const gmmu_psc_config *cfg);
// Nonzero: a parameter is out of range, or SIZE is too small. MEM is aligned as malloc's.
int gmmu_psc_init(gmmu_psc *c, const gmmu_psc_config *cfg, void *mem, size_t size);

// A page faulted: touches its set, which comes to the new partition; the page is no candidate
// before it is filled. Nonzero, nothing changed: more sets than frames + waiting.
int gmmu_psc_fault(gmmu_psc *c, uint32_t asid, uint64_t vpn);
// It is in memory now. Nonzero: it did not fault.
int gmmu_psc_filled(gmmu_psc *c, uint32_t asid, uint64_t vpn);

typedef struct {
    uint32_t asid;
    uint64_t set;                       // vpn / set_pages
    uint8_t count[GMMU_PSC_MAX_PAGES];  // walk hits of page i of the set
} gmmu_psc_record;
// One record of the HIR cache; records come in first-touch order.
void gmmu_psc_hits(gmmu_psc *c, const gmmu_psc_record *r);

typedef struct {
    bool found;  // false: no page is resident
    uint32_t asid;
    uint64_t vpn;
} gmmu_psc_page;
// The page that leaves next. Asked again before evicted(): the same page, unless its set was
// touched.
gmmu_psc_page gmmu_psc_victim(gmmu_psc *c);
// A page left memory for another one; it need not be what victim() said. Nonzero: it was not
// resident.
int gmmu_psc_evicted(gmmu_psc *c, uint32_t asid, uint64_t vpn);
// A page was given back, or its fault came to nothing: no eviction. Nonzero: neither resident nor
// waited for.
int gmmu_psc_freed(gmmu_psc *c, uint32_t asid, uint64_t vpn);

#ifdef __cplusplus
}
#endif
#endif
