// SPDX-License-Identifier: Apache-2.0
// cache_life.c: a cache's making and end, its parameters and counters.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rdgc/cache_place.h"
#include "rdgc/cache_row.h"

gmmu_rdgc_place gmmu_rdgc_cache_place(const gmmu_rdgc_cache *c, uint64_t block) {
    place p = place_of(c, block);
    return (gmmu_rdgc_place){.partition = p.partition,
                             .bank = p.bank - p.partition * c->config.banks,
                             .set = p.set,
                             .mshr_set = p.partition / c->partitions_an_mshr_set};
}

void gmmu_rdgc_cache_scale(gmmu_rdgc_cache *c, uint32_t numerator, uint32_t denominator) {
    const gmmu_rdgc_cache_config *f = &c->config;
    for (uint64_t busy = 0; busy <= f->mshrs; busy++) {
        uint64_t n = ((uint64_t)f->k1 * denominator + f->k2 * busy * numerator +
                      UINT64_C(500) * denominator) /
                     (UINT64_C(1000) * denominator);
        c->latency[busy] = !f->adaptive ? f->latency : n > 0 ? n : 1;
    }
}

uint64_t gmmu_rdgc_cache_step(const gmmu_rdgc_cache *c) {
    return c->step;
}

void gmmu_rdgc_cache_flush(gmmu_rdgc_cache *c) {
    size_t rows = (size_t)c->sets * c->config.partitions * c->config.banks;
    for (size_t i = 0; i < rows; i++) {
        unsigned char *row = c->rows + i * c->row_size;
        *row_used(row) = 0;
        if (c->config.replacement != GMMU_RDGC_NRU)
            continue;
        // Its ways have numbers that tell who leaves.
        memset(row_counts(c, row), 0, c->config.ways * sizeof(uint64_t));
        for (uint32_t way = 0; way < c->config.ways; way++) row_ways(c, row)[way] = (uint16_t)way;
    }
    memset(c->busy, 0, c->config.mshr_sets * sizeof *c->busy);
    c->head = c->tail = 0;
    c->ordered = true;
    c->due = UINT64_MAX;
}

void gmmu_rdgc_cache_watch(gmmu_rdgc_cache *c, const gmmu_rdgc_watch *watch) {
    c->watch = watch;
}

const gmmu_rdgc_counts *gmmu_rdgc_cache_counts(const gmmu_rdgc_cache *c) {
    return &c->counts;
}

void gmmu_rdgc_cache_clear_counts(gmmu_rdgc_cache *c) {
    gmmu_rdgc_counts *k = &c->counts;
    memset(k->r, 0, (k->ways + 1) * sizeof *k->r);
    memset(k->w, 0, (k->ways + 1) * sizeof *k->w);
    *k = (gmmu_rdgc_counts){.ways = k->ways, .r = k->r, .w = k->w};
}

void gmmu_rdgc_cache_other_counts(gmmu_rdgc_cache *c) {
    gmmu_rdgc_counts now = c->counts;
    c->counts = c->other;
    c->other = now;
}

int gmmu_rdgc_cache_reserve(gmmu_rdgc_cache *c, size_t n, gmmu_error *err) {
    if (n <= c->reserved)
        return GMMU_OK;
    free(c->items);
    free(c->keys);
    free(c->keys2);
    free(c->changes);
    c->reserved = 0;
    c->items = malloc(n * sizeof *c->items);
    c->keys = malloc(n * sizeof *c->keys);
    c->keys2 = malloc(n * sizeof *c->keys2);
    c->changes = malloc(n * sizeof *c->changes);
    if (c->items == NULL || c->keys == NULL || c->keys2 == NULL || c->changes == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a list of %zu accesses", n);
        return GMMU_BAD;
    }
    c->reserved = n;
    return GMMU_OK;
}

void gmmu_rdgc_cache_destroy(gmmu_rdgc_cache *c) {
    if (c == NULL)
        return;
    free(c->counts.r);
    free(c->counts.w);
    free(c->other.r);
    free(c->other.w);
    free(c->rows);
    free(c->out_hash);
    free(c->out_merges);
    free(c->out_set);
    free(c->out_block);
    free(c->out_row);
    free(c->out_due);
    free(c->busy);
    free(c->latency);
    free(c->items);
    free(c->keys);
    free(c->keys2);
    free(c->changes);
    free(c->banks);
    free(c);
}

static uint32_t largest_prime(uint32_t n) {
    for (; n > 2; n--) {
        bool prime = n % 2 != 0;
        for (uint32_t d = 3; prime && (uint64_t)d * d <= n; d += 2) prime = n % d != 0;
        if (prime)
            break;
    }
    return n;
}

static void geometry(gmmu_rdgc_cache *c) {
    const gmmu_rdgc_cache_config *f = &c->config;
    c->sets = (uint32_t)(f->capacity / ((uint64_t)f->block * f->ways * f->partitions * f->banks));
    while ((UINT32_C(1) << c->index_bits) < c->sets) c->index_bits++;
    c->by_partition_chunk = divider_of(f->partition_chunk);
    c->by_partitions = divider_of(f->partitions);
    c->by_bank_chunk = divider_of(f->bank_chunk);
    c->by_banks = divider_of(f->banks);
    c->by_modulus = divider_of(f->index == GMMU_RDGC_PRI ? largest_prime(c->sets) : c->sets);
    c->partitions_an_mshr_set = (f->partitions + f->mshr_sets - 1) / f->mshr_sets;
    c->ways_at = sizeof(uint64_t) + ((size_t)f->ways + PAD - 1) / PAD * PAD * sizeof(uint16_t);
    c->tags_at = (c->ways_at + f->ways * sizeof(uint16_t) + 7) / 8 * 8;
    c->counts_at = c->tags_at + f->ways * sizeof(uint64_t);
    bool counted = f->replacement == GMMU_RDGC_LFU || f->replacement == GMMU_RDGC_NRU;
    c->row_size = c->counts_at + (counted ? f->ways * sizeof(uint64_t) : 0);
}

gmmu_rdgc_cache *gmmu_rdgc_cache_create(const gmmu_rdgc_cache_config *f, uint64_t seed,
                                        gmmu_error *err) {
    if (gmmu_rdgc_cache_check(f, "", err) != GMMU_OK)
        return NULL;
    gmmu_rdgc_cache *c = calloc(1, sizeof *c);
    if (c == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a cache");
        return NULL;
    }
    c->config = *f;
    c->random = seed;
    geometry(c);
    size_t banks = (size_t)f->partitions * f->banks;
    size_t mshrs = (size_t)f->mshrs * f->mshr_sets;
    c->room = (uint32_t)(2 * mshrs);
    c->counts.ways = f->ways;
    c->counts.r = calloc(f->ways + 1, sizeof *c->counts.r);
    c->counts.w = calloc(f->ways + 1, sizeof *c->counts.w);
    c->other.ways = f->ways;
    c->other.r = calloc(f->ways + 1, sizeof *c->other.r);
    c->other.w = calloc(f->ways + 1, sizeof *c->other.w);
    c->rows = calloc(banks * c->sets, c->row_size);
    c->out_hash = calloc(c->room + PAD, sizeof *c->out_hash);
    c->out_merges = calloc(c->room, sizeof *c->out_merges);
    c->out_set = calloc(c->room, sizeof *c->out_set);
    c->out_block = calloc(c->room, sizeof *c->out_block);
    c->out_row = calloc(c->room, sizeof *c->out_row);
    c->out_due = calloc(c->room, sizeof *c->out_due);
    c->busy = calloc(f->mshr_sets, sizeof *c->busy);
    c->latency = calloc(f->mshrs + 1, sizeof *c->latency);
    c->banks = calloc(banks, sizeof *c->banks);
    if (c->counts.r == NULL || c->counts.w == NULL || c->other.r == NULL || c->other.w == NULL ||
        c->rows == NULL || c->out_hash == NULL || c->out_merges == NULL || c->out_set == NULL ||
        c->out_block == NULL || c->out_row == NULL || c->out_due == NULL || c->busy == NULL ||
        c->latency == NULL || c->banks == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a cache of %" PRIu64 " bytes",
                 f->capacity);
        gmmu_rdgc_cache_destroy(c);
        return NULL;
    }
    for (uint32_t i = 0; i < banks; i++) {
        c->banks[i].stamp = UINT64_MAX;
        c->banks[i].mshr_set = i / f->banks / c->partitions_an_mshr_set;
    }
    for (size_t i = 0; i < banks * c->sets; i++)
        for (uint32_t way = 0; way < f->ways; way++)
            row_ways(c, c->rows + i * c->row_size)[way] = (uint16_t)way;
    gmmu_rdgc_cache_scale(c, 1, 1);
    gmmu_rdgc_cache_flush(c);
    return c;
}
