// SPDX-License-Identifier: Apache-2.0
// gmt.h: GMT's placement policies to the letter: a slow model, the oracle of the tests. Source:
// GMT, ASPLOS 2024, sections 2.1 and 2.2. Points that the paper leaves open are parameters, or are
// listed in docs/papers/gmt.md.
//
// Times are counted in accesses; the first access has time 1. The cost of an access is proportional
// to the number of accesses so far.
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
    GMMU_EXACT_GMT_FORETOLD  // Reuse with the future known: the model knows when a page comes back
} gmmu_exact_gmt_kind;

// Sums are exact up to this number of pairs.
enum { GMMU_EXACT_GMT_MOST_PAIRS = 1 << 19 };

typedef struct {
    gmmu_exact_gmt_kind kind;
    uint32_t tier1, tier2;  // pages
    // A full Tier 2 lets its oldest page go (2.2); false: the page goes on to Tier 3 (2.1.3).
    bool full_evicts;
    bool limit_both;      // reuse is long from both sizes on (Fig. 7); false: from Tier 2's (Eq. 1)
    bool default_random;  // without a prediction: true: as GMT-Random, false: as GMT-TierOrder
    uint32_t keep;        // number of pages kept for short reuse in one search, at most
    unsigned bits;  // bits of a transition weight; a full weight first halves its row; 0: no bound
    uint64_t pairs, every;  // number of pairs in all; pairs from one regression to the next
    unsigned sample;        // pairs are of one page in 2^sample, for which IN_SAMPLE returns true
    bool (*in_sample)(void *context, uint32_t page);
    const uint32_t *trace;            // Foretold: the page of each access
    unsigned (*draw)(void *context);  // 0 or 1, each with the same chance
    void *context;
} gmmu_exact_gmt_config;

// A move of PAGE between tiers 1, 2, 3.
typedef struct {
    uint32_t page;
    unsigned from, to;
} gmmu_exact_gmt_move;

typedef struct gmmu_exact_gmt gmmu_exact_gmt;

// Creates a model for at most ACCESSES accesses to pages below PAGES. NULL: no memory.
gmmu_exact_gmt *gmmu_exact_gmt_create(const gmmu_exact_gmt_config *config, uint32_t pages,
                                      size_t accesses);
void gmmu_exact_gmt_destroy(gmmu_exact_gmt *m);
// Does one access. Returns the number of moves, the move of the page itself first; no move: a hit
// in Tier 1.
size_t gmmu_exact_gmt_access(gmmu_exact_gmt *m, uint32_t page, gmmu_exact_gmt_move moves[3]);
// Returns the tier of PAGE.
unsigned gmmu_exact_gmt_tier(const gmmu_exact_gmt *m, uint32_t page);

#ifdef __cplusplus
}
#endif
#endif
