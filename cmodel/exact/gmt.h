// SPDX-License-Identifier: Apache-2.0
// gmt.h: GMT's placement policies (ASPLOS 2024, sections 2.1 and 2.2) to the letter: slow, the
// oracle of the tests. What the paper leaves open is a parameter or stands in docs/papers/gmt.md.
//
// Times are in accesses, 1 for the first. Every access costs time in proportion to all that was
// fed.
#ifndef GMMU_EXACT_GMT_H
#define GMMU_EXACT_GMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GMMU_EXACT_GMT_TIERORDER,
    GMMU_EXACT_GMT_RANDOM,
    GMMU_EXACT_GMT_REUSE,
    GMMU_EXACT_GMT_FORETOLD  // Reuse that is told when a page comes back
} gmmu_exact_gmt_kind;

// Sums are exact up to here.
enum { GMMU_EXACT_GMT_MOST_PAIRS = 1 << 19 };

typedef struct {
    gmmu_exact_gmt_kind kind;
    uint32_t tier1, tier2;  // pages
    bool full_evicts;  // a full Tier 2 lets its oldest page go (2.2); else the page goes on (2.1.3)
    bool limit_both;   // long reuse from both sizes on (Fig. 7); else from Tier 2's (Eq. 1)
    bool default_random;    // without a prediction: GMT-Random, else GMT-TierOrder
    uint32_t keep;          // pages kept for short reuse in one search, at most
    unsigned bits;          // of a transition weight: a full one halves its row first; 0: unbounded
    uint64_t pairs, every;  // samples in all; from one regression to the next
    unsigned sample;        // pairs are of one page in 2^sample, those for which IN_SAMPLE says so
    bool (*in_sample)(void *context, uint32_t page);
    const uint32_t *trace;            // Foretold: the page of each access
    unsigned (*draw)(void *context);  // 0 or 1, each with the same chance
    void *context;
} gmmu_exact_gmt_config;

// PAGE moves between tiers 1, 2, 3.
typedef struct {
    uint32_t page;
    unsigned from, to;
} gmmu_exact_gmt_move;

typedef struct gmmu_exact_gmt gmmu_exact_gmt;

// For at most ACCESSES accesses to pages below PAGES; NULL when there is no memory.
gmmu_exact_gmt *gmmu_exact_gmt_create(const gmmu_exact_gmt_config *config, uint32_t pages,
                                      size_t accesses);
void gmmu_exact_gmt_destroy(gmmu_exact_gmt *m);
// One access: the moves that it makes, the page's own first; none is a hit in Tier 1.
size_t gmmu_exact_gmt_access(gmmu_exact_gmt *m, uint32_t page, gmmu_exact_gmt_move moves[3]);
// The tier of PAGE.
unsigned gmmu_exact_gmt_tier(const gmmu_exact_gmt *m, uint32_t page);

#ifdef __cplusplus
}
#endif
#endif
