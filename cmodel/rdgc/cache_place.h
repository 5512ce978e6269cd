// SPDX-License-Identifier: Apache-2.0
// cache_place.h: the place of a block: partition, bank, set (docs/guide/rdgc.md, R3 and R4). Part
// of cache.c.
#ifndef GMMU_RDGC_CACHE_PLACE_H
#define GMMU_RDGC_CACHE_PLACE_H

#include "rdgc/cache_state.h"

static inline divider divider_of(uint32_t by) {
    return (divider){.by = by, .inverse = UINT64_MAX / by + 1};
}

static inline uint64_t divide(const divider *d, uint64_t x) {
    if (d->by == 1)
        return x;
    return x <= UINT32_MAX ? (uint64_t)((unsigned __int128)d->inverse * x >> 64) : x / d->by;
}

static inline uint64_t modulo(const divider *d, uint64_t x) {
    return x - divide(d, x) * d->by;
}

// Block bits 0 to 4, and 5 for 64 sets, with bits 6, 7, 8, 10 and 12 over the first five.
static inline uint64_t fermi_hash(uint64_t block) {
    uint64_t upper = (block >> 6 & 7) | (block >> 10 & 1) << 3 | (block >> 12 & 1) << 4;
    return (block & 63) ^ upper;
}

static inline place place_of(const gmmu_rdgc_cache *c, uint64_t block) {
    const gmmu_rdgc_cache_config *f = &c->config;
    place p = {0};
    uint64_t i = block;
    if (f->partitions > 1) {
        uint64_t chunk = divide(&c->by_partition_chunk, i);
        uint64_t round = divide(&c->by_partitions, chunk);
        p.partition = (uint32_t)(chunk - round * f->partitions);
        i = round * f->partition_chunk + (i - chunk * f->partition_chunk);
    }
    p.bank = p.partition;
    if (f->banks > 1) {
        uint64_t chunk = divide(&c->by_bank_chunk, i);
        uint64_t round = divide(&c->by_banks, chunk);
        p.bank = p.partition * f->banks + (uint32_t)(chunk - round * f->banks);
        i = round * f->bank_chunk + (i - chunk * f->bank_chunk);
    }
    if (f->index == GMMU_RDGC_SMOD)
        i >>= f->shift;
    else if (f->index == GMMU_RDGC_XOR)
        i = (i ^ i >> c->index_bits) & ((UINT64_C(1) << c->index_bits) - 1);
    else if (f->index == GMMU_RDGC_FERMI)
        i = fermi_hash(i);
    p.set = (uint32_t)modulo(&c->by_modulus, i);
    return p;
}

static inline unsigned char *row_of(const gmmu_rdgc_cache *c, const place *p) {
    return c->rows + ((size_t)p->bank * c->sets + p->set) * c->row_size;
}

#endif
