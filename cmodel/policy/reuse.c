// SPDX-License-Identifier: Apache-2.0
// reuse.c: see reuse.h.
#include "policy/reuse.h"

#include <stdlib.h>

#include "policy/octave_bin.h"
#include "policy/policy.h"

// Counts are halved at FULL, so that a reference forgets; below COLD reuses it is like all others.
enum { FINE = 2, BINS = 168, FULL = 1 << 14, COLD = 8 };

typedef struct {
    uint32_t count[BINS];
    uint32_t total;
    uint32_t end;  // no bin at or above it has a count
} histogram;

struct gmmu_reuse {
    gmmu_pages *refs;  // (asid, ref) to a number
    histogram *of;     // of each reference
    uint32_t cap;
    histogram all;
};

gmmu_reuse *gmmu_reuse_create(void) {
    gmmu_reuse *r = calloc(1, sizeof *r);
    if (r != NULL && (r->refs = gmmu_pages_create()) == NULL) {
        free(r);
        r = NULL;
    }
    return r;
}

void gmmu_reuse_destroy(gmmu_reuse *r) {
    if (r != NULL) {
        gmmu_pages_destroy(r->refs);
        free(r->of);
        free(r);
    }
}

uint32_t gmmu_reuse_ref(gmmu_reuse *r, uint32_t asid, uint64_t ref) {
    uint32_t index = gmmu_pages_index(r->refs, asid, ref);
    const bool room = index != GMMU_NO_PAGE && GMMU_ROOM(r->of, r->cap, index, 0);
    return room ? index : UINT32_MAX;
}

static void add(histogram *h, unsigned bin) {
    h->count[bin]++;
    h->total++;
    h->end = bin >= h->end ? bin + 1 : h->end;
    if (h->total == FULL) {
        h->total = 0;
        for (unsigned b = 0; b < h->end; b++) {
            h->count[b] /= 2;
            h->total += h->count[b];
        }
    }
}

void gmmu_reuse_add(gmmu_reuse *r, uint32_t ref, uint64_t interval) {
    unsigned bin = gmmu_bin_of(interval, BINS, FINE);
    add(&r->of[ref], bin);
    add(&r->all, bin);
}

// The cheapest lease: of the LEFT reuses that may come later than AGE, HITS come in SPAN more
// walks.
static uint64_t cost(const histogram *h, uint64_t age) {
    unsigned bin = gmmu_bin_of(age, BINS, FINE);  // some of it may be over
    uint64_t left = 0;
    uint64_t hits = 0;
    uint64_t least = GMMU_REUSE_BEYOND;
    for (unsigned b = bin; b < h->end; b++) {
        left += h->count[b];
    }
    for (unsigned b = bin; b < h->end; b++) {
        if (h->count[b] != 0) {
            hits += h->count[b];
            uint64_t span = gmmu_bin_low_of(b + 1, FINE) - age;
            uint64_t walks = span / hits * left + span % hits * left / hits;
            least = walks < least ? walks : least;
        }
    }
    return least < GMMU_REUSE_BEYOND ? least : GMMU_REUSE_BEYOND;
}

uint64_t gmmu_reuse_cost(const gmmu_reuse *r, uint32_t ref, uint64_t age) {
    const histogram *h = &r->of[ref];
    return cost(h->total < COLD ? &r->all : h, age);
}
