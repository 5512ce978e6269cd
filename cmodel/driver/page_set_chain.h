// SPDX-License-Identifier: Apache-2.0
// page_set_chain.h: the driver's side of HPE: names the page that leaves, from faults and from
// drained hit records.
//
// No memory is taken after init. The cost of each call is in docs/guide/page_set_chain.md. Not
// thread-safe. Only gmmu/arena.h is needed besides.
//
// Source: HPE (hierarchical page eviction) §IV.C (page set chain), §IV.D (classification, MRU-C,
// LRU), §IV.E (Algorithm 1), parameters §V.A. Questions that the paper leaves open:
// docs/papers/hpe.md, E1 to E16.
#ifndef GMMU_PAGE_SET_CHAIN_H
#define GMMU_PAGE_SET_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_PSC_MAX_PAGES = 32 };  // most pages of a page set

typedef enum { GMMU_PSC_LRU, GMMU_PSC_MRU_C } gmmu_psc_strategy;

// Category of the workload (§IV.D). OPEN: memory was not full yet.
typedef enum {
    GMMU_PSC_OPEN,
    GMMU_PSC_REGULAR,
    GMMU_PSC_IRREGULAR_1,
    GMMU_PSC_IRREGULAR_2
} gmmu_psc_category;

// The set that MRU-C takes if no counter equals the page set size.
typedef enum {
    GMMU_PSC_BY_SIZE,   // E3: the least counter above the page set size; else the greatest
    GMMU_PSC_LEAST,     // the least counter of all
    GMMU_PSC_ANY_COUNT  // whatever the counters: the set nearest the MRU end
} gmmu_psc_mruc;

// The sets that the statistics at the first full memory count.
typedef enum {
    GMMU_PSC_COUNT_ALL,      // E2: all sets
    GMMU_PSC_COUNT_NOT_NEW,  // all but the sets of the new partition
    GMMU_PSC_COUNT_OLD       // the sets of the old partition
} gmmu_psc_counted;

typedef struct {
    uint32_t frames;     // size of memory, at least 1: memory is full with so many resident pages
    uint32_t waiting;    // further page sets, of pages that faulted and are not filled yet
    uint32_t history;    // divisions that can be remembered; 0: no set is ever divided
    uint32_t set_pages;  // pages of a page set: a power of two, 1 to 32
    uint32_t interval;   // length of an interval in faults, at least 1
    uint32_t fifo;       // remembered evictions, for each strategy; 0: none is found wrong
    uint32_t trigger;    // wrong evictions in an interval that cause an adjustment; 0: never
    uint32_t jump;       // page sets by which an adjustment moves the search point
    uint32_t count_max;  // largest value of a set's counter, 1 to 65535
    uint32_t ratio_num, ratio_den;  // threshold of ratio1, as a fraction; ratio_den at least 1
    uint32_t divide;                // number of touches after which a set may be divided; 0: never
    uint32_t large;  // at least so many page sets in the old partition at first full memory: jumps
    uint32_t jumps;  // most jumps
    // Open questions of the paper: 0 is the project's answer, any other value an alternative to
    // measure.
    bool total;  // E6: longer_interval compares all intervals of a strategy, not its last stay
    gmmu_psc_category force;   // not OPEN: this category is used, whatever the statistics are
    gmmu_psc_counted counted;  // E2
    gmmu_psc_mruc mruc;        // E3
    bool brief;                // E4: a jump ends with its interval
    bool untried;              // E5: a strategy that never ran counts as 0 intervals long
    bool tie;                  // E5: at a tie of intervals the strategy changes
    bool afresh;               // E7: every victim is searched for anew
    bool again;                // E8: every multiple of the trigger causes an adjustment
    bool window;               // E9: an eviction is forgotten after two intervals
    bool second;               // E14: hits of one record touch the secondary first
} gmmu_psc_config;

// Returns the parameters of the paper, which has SET_PAGES 16: interval 64, FIFO 128, trigger
// SET_PAGES, jump 16, saturation and division at 4 * SET_PAGES, threshold 3/10, large 4 *
// SET_PAGES, any number of jumps. History is FRAMES, waiting 1; open questions have the project's
// answers.
gmmu_psc_config gmmu_psc_paper(uint32_t frames, uint32_t set_pages);

typedef struct {
    uint64_t faults, intervals;  // numbers of faults and of ended intervals
    uint64_t records, stale;     // hit records; parts of records whose page set is not on the chain
    uint64_t searches;           // number of searches
    uint64_t compared, most_compared;       // page sets looked at, in all and most in one search
    uint64_t mruc_searches, mruc_compared;  // the same of MRU-C alone
    uint64_t divided, undivided;       // page sets divided; not divided, as the history was full
    uint64_t evicted, wrong[2];        // evicted pages; wrong evictions, by strategy
    uint64_t jumps, switches;          // adjustments
    uint64_t lasted[2], gone[2];       // by strategy: ended intervals; evicted pages
    uint64_t length_sum, most_length;  // length of the chain at the ends of intervals: sum, most
} gmmu_psc_stats;

// The statistics at the first full memory (§IV.D).
typedef struct {
    uint32_t regular, irregular, small, large;  // numbers of page sets, by counter
    uint32_t old, length;  // numbers of page sets: in the old partition, on the chain
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
    uint32_t middle, fresh;     // P1, P2: first set of the middle and of the new partition
    uint32_t unused;            // list of free sets
    uint32_t length;            // page sets on the chain
    uint32_t chosen;            // the page set whose pages leave at present
    uint32_t faults_of_interval;
    uint32_t ring[2];   // for each ring: place of the next eviction
    uint32_t wrong[2];  // wrong evictions in this interval, by strategy
    uint64_t resident;  // number of resident pages
    gmmu_psc_category category;
    gmmu_psc_strategy strategy;
    gmmu_psc_census census;
    uint64_t skip;       // page sets between the MRU end of the old partition and the search point
    uint64_t lasted[2];  // by strategy: intervals of the present or last stay, or of all stays
    bool tried;          // both strategies ran
    gmmu_psc_stats stats;
    // Set by the caller after init. Asked whether a page in memory may leave now; NULL: each page
    // may.
    bool (*may_leave)(const void *context, uint32_t asid, uint64_t vpn);
    const void *context;
} gmmu_psc;

// Returns the bytes that init needs.
size_t gmmu_psc_bytes(const gmmu_psc_config *cfg);
// Makes C in the SIZE bytes at MEM, which is aligned as malloc's. Nonzero: a parameter is out of
// range, or SIZE is too small.
int gmmu_psc_init(gmmu_psc *c, const gmmu_psc_config *cfg, void *mem, size_t size);

// A page faulted. Its set is touched and comes to the new partition. The page is no candidate
// before gmmu_psc_filled. Nonzero, and nothing changed: there would be more sets than frames +
// waiting.
int gmmu_psc_fault(gmmu_psc *c, uint32_t asid, uint64_t vpn);
// The page is in memory from now on. Nonzero: the page had not faulted.
int gmmu_psc_filled(gmmu_psc *c, uint32_t asid, uint64_t vpn);

typedef struct {
    uint32_t asid;
    uint64_t set;                       // vpn / set_pages
    uint8_t count[GMMU_PSC_MAX_PAGES];  // number of walk hits of page i of the set
} gmmu_psc_record;
// Takes one record of the HIR cache. Records must come in first-touch order.
void gmmu_psc_hits(gmmu_psc *c, const gmmu_psc_record *r);

typedef struct {
    bool found;  // false: no page is resident, or no resident page may leave
    uint32_t asid;
    uint64_t vpn;
} gmmu_psc_page;
// Returns the page that leaves next. A second call before gmmu_psc_evicted returns the same page,
// unless the page's set was touched meanwhile, or the page may not leave any more. A page set
// without a page that may leave is passed over.
gmmu_psc_page gmmu_psc_victim(gmmu_psc *c);
// Returns whether a page in memory may leave.
bool gmmu_psc_some_may_leave(const gmmu_psc *c);
// A page left memory to make room; any page, not only the page of gmmu_psc_victim. Nonzero: the
// page was not resident.
int gmmu_psc_evicted(gmmu_psc *c, uint32_t asid, uint64_t vpn);
// A page was given back, or its fault came to nothing: no eviction. Nonzero: the page was neither
// resident nor waiting to be filled.
int gmmu_psc_freed(gmmu_psc *c, uint32_t asid, uint64_t vpn);

#ifdef __cplusplus
}
#endif
#endif
