// SPDX-License-Identifier: Apache-2.0
// gen.h: synthetic page references, for measurements and for comparisons with other simulators.
//
// With their default sizes and seeds ZIPF and CYC are the reference traces of
// docs/reference/reference_traces.md. Each access takes constant time and memory. ZIPF has tables
// of 16 bytes a page.
#ifndef GMMU_GEN_GEN_H
#define GMMU_GEN_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GMMU_GEN_ZIPF,  // the page of rank k has a probability ~ k^-skew; ranks lie at random pages
    // Every other access goes to a random page of the first tenth, the others round the rest.
    GMMU_GEN_CYC,
    GMMU_GEN_UNIFORM,  // any page
    GMMU_GEN_SCAN,     // page after page, round and round
    GMMU_GEN_KINDS
} gmmu_gen_kind;

typedef struct {
    gmmu_gen_kind kind;
    uint64_t pages;  // 2 to 2^32 - 2
    uint64_t seed;   // seed of splitmix64
    double skew;     // exponent of ZIPF
} gmmu_gen_settings;

typedef struct gmmu_gen gmmu_gen;

// Return the name of the kind, and its default settings.
const char *gmmu_gen_name(gmmu_gen_kind kind);
gmmu_gen_settings gmmu_gen_usual(gmmu_gen_kind kind);

// Creates a generator. NULL: no memory.
gmmu_gen *gmmu_gen_create(const gmmu_gen_settings *settings);
// Writes the pages of the next COUNT accesses to PAGES.
void gmmu_gen_next(gmmu_gen *g, uint64_t *pages, uint32_t count);
void gmmu_gen_destroy(gmmu_gen *g);

#ifdef __cplusplus
}
#endif
#endif
