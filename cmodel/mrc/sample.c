// SPDX-License-Identifier: Apache-2.0
// sample.c: curves from a sample of the pages (SHARDS: Waldspurger et al., FAST '15).
//
// A page belongs to the sample if the hash of its identity is below a threshold; all its accesses
// do then. With a part R of the pages in it, a distance d in the sample stands for 1 + (d - 1) / R
// (the d - 1 pages between are sampled, the page itself is not left to chance), and an access for
// 1 / R of them. SHARDS-adj adds the difference between the trace's length and the sum of all
// weights to the shortest distance, which always hits: so misses are divided by the true length.
//
// Distances are counted in bins: exact below 2^14, then 2^13 a doubling.
//
// The standard error has two parts. Which pages are in the sample: the pages are in 16 groups by
// other bits of their hash, and the misses of each group estimate those of all. How many pages
// between were sampled: the standard deviation of a distance of C is √((C - 1) (1 - R) / R); half
// of what the curve falls over that on both sides.
#include <math.h>
#include <stdlib.h>

#include "mrc/mrc.h"

enum { GROUPS = GMMU_SAMPLE_GROUPS, EXACT_BITS = 14, FIRST_BINS = 1024 };

uint64_t gmmu_sample_hash(uint32_t asid, uint64_t vpn) {
    // splitmix64 of the page number, mixed again with the address space.
    uint64_t x = vpn + UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)asid + 1);
    for (int i = 0; i < 2; i++) {
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
    }
    return x >> 32;
}

static uint32_t bin_of(uint64_t d) {
    if (d >> EXACT_BITS == 0) {
        return (uint32_t)d;
    }
    unsigned shift = 64U - (unsigned)__builtin_clzll(d) - EXACT_BITS;
    return (shift << (EXACT_BITS - 1)) + (uint32_t)(d >> shift);
}

int gmmu_estimate_add(gmmu_estimate *e, uint32_t distance, uint64_t hash, uint64_t threshold) {
    double scale = (double)GMMU_SAMPLE_ALL / (double)threshold;
    uint32_t group = (uint32_t)hash % GROUPS;
    e->sampled++;
    if (distance == 0) {
        e->cold[group] += scale;
        return GMMU_OK;
    }
    uint32_t bin = bin_of((uint64_t)(1 + (distance - 1) * scale));
    if (bin >= e->bins) {
        uint32_t bins = e->bins * 2 > bin + 1 ? e->bins * 2 : bin + 1;
        bins = bins < FIRST_BINS ? FIRST_BINS : bins;
        double *weight = gmmu_grow(e->weight, (size_t)e->bins * GROUPS, (size_t)bins * GROUPS,
                                   sizeof *weight, 0);
        if (weight == NULL) {
            return GMMU_BAD;
        }
        e->weight = weight;
        e->bins = bins;
    }
    e->weight[(size_t)bin * GROUPS + group] += scale;
    return GMMU_OK;
}

// Misses of GROUP with FRAMES pages of memory.
static double group_misses(const gmmu_estimate *e, double frames, uint32_t group) {
    if (frames < 1) {
        frames = 0;
    }
    uint32_t bin = bin_of((uint64_t)frames) + 1;  // no lower end up to the size
    return e->cold[group] + (bin < e->bins ? e->weight[(size_t)bin * GROUPS + group] : 0);
}

static double misses(const gmmu_estimate *e, double frames) {
    double sum = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        sum += group_misses(e, frames, g);
    }
    return sum;
}

gmmu_estimate_point gmmu_estimate_at(gmmu_estimate *e, uint32_t frames, uint64_t accesses,
                                     uint64_t threshold) {
    for (size_t i = (size_t)e->bins * GROUPS; i > GROUPS && !e->summed; i--) {
        e->weight[i - 1 - GROUPS] += e->weight[i - 1];
    }
    e->summed = true;
    gmmu_estimate_point point = {0, 0, 0};
    if (accesses == 0 || threshold == 0) {
        return point;  // nothing is in the sample
    }
    double n = (double)accesses;
    double rate = (double)threshold / (double)GMMU_SAMPLE_ALL;
    double mean = misses(e, frames) / GROUPS;
    double squares = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        double off = group_misses(e, frames, g) - mean;
        squares += off * off;
        point.distinct += e->cold[g];
    }
    double chosen = sqrt(squares * GROUPS / (GROUPS - 1) * (1 - rate));
    double shift = sqrt(((double)frames - 1) * (1 - rate) / rate);
    double between = (misses(e, frames - shift) - misses(e, frames + shift)) / 2;
    point.miss_ratio = fmin(mean * GROUPS / n, 1);
    point.std_error = sqrt(chosen * chosen + between * between) / n;
    return point;
}

void gmmu_estimate_free(gmmu_estimate *e) {
    free(e->weight);
    *e = (gmmu_estimate){0};
}

typedef struct gmmu_sample_entry sample_entry;

void gmmu_sample_set_init(gmmu_sample_set *set, uint32_t most, uint64_t threshold) {
    *set = (gmmu_sample_set){.most = most, .threshold = threshold};
}

int gmmu_sample_set_add(gmmu_sample_set *set, uint64_t hash, uint32_t page) {
    if (set->count == set->cap) {
        uint32_t cap = gmmu_policy_capacity(set->cap, set->count);
        sample_entry *heap = gmmu_grow(set->heap, set->cap, cap, sizeof *heap, 0);
        if (heap == NULL) {
            return GMMU_BAD;
        }
        set->heap = heap;
        set->cap = cap;
    }
    uint32_t i = set->count++;
    for (; i != 0 && set->heap[(i - 1) / 2].hash < hash; i = (i - 1) / 2) {
        set->heap[i] = set->heap[(i - 1) / 2];
    }
    set->heap[i] = (sample_entry){.hash = (uint32_t)hash, .page = page};
    return GMMU_OK;
}

bool gmmu_sample_set_shrink(gmmu_sample_set *set, uint32_t *page) {
    // Those whose hash equals the threshold leave too.
    if (set->count == 0 || (set->count <= set->most && set->heap[0].hash < set->threshold)) {
        return false;
    }
    *page = set->heap[0].page;
    set->threshold = set->heap[0].hash;
    sample_entry last = set->heap[--set->count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < set->count; child = 2 * i + 1) {
        if (child + 1 < set->count && set->heap[child + 1].hash > set->heap[child].hash) {
            child++;
        }
        if (set->heap[child].hash <= last.hash) {
            break;
        }
        set->heap[i] = set->heap[child];
        i = child;
    }
    if (set->count != 0) {
        set->heap[i] = last;
    }
    return true;
}

void gmmu_sample_set_free(gmmu_sample_set *set) {
    free(set->heap);
    set->heap = NULL;
    set->count = set->cap = 0;
}
