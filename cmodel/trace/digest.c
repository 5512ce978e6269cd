// SPDX-License-Identifier: Apache-2.0
// digest.c: a digest of the walks of a trace (docs/reference/formats.md, "Digest").
#include "gmmu/trace.h"

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    uint64_t x = hash ^ (word * 0x9E3779B97F4A7C15U);
    x = x << 27 | x >> 37;
    return x * 0xC2B2AE3D27D4EB4FU + 0x165667B19E3779F9U;
}

gmmu_digest gmmu_digest_start(unsigned page_shift) {
    return (gmmu_digest){.hash = mix(0, page_shift)};
}

void gmmu_digest_add(gmmu_digest *d, const gmmu_walk *walk) {
    uint64_t h = mix(d->hash, walk->vpn);
    h = mix(h, walk->ref);
    h = mix(h, walk->time);
    h = mix(h, (uint64_t)walk->asid << 32 | walk->sm);
    d->hash = mix(h, walk->write ? 1 : 0);
    d->walks++;
}

uint64_t gmmu_digest_value(const gmmu_digest *d) {
    uint64_t h = mix(d->hash, d->walks);
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15U;
    return h ^ h >> 29;
}
