// SPDX-License-Identifier: Apache-2.0
// hpe_times.c: how long the driver's part of HPE takes on this machine (HPE §V.C): classification,
// comparisons of a search, records of one transfer. For `make hpe`.
//
// Prints a line a figure, "NAME SIZE NANOSECONDS": the median of RUNS, each from the same state.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks/hir_cache.h"
#include "driver/page_set_chain.h"

enum { RUNS = 2001, PAGES = 16 };

static uint64_t now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void *memory(size_t bytes) {
    void *p = malloc(bytes);
    if (p == NULL)
        exit(2);
    return p;
}

// A chain of SETS page sets, all pages in memory, each page touched TOUCHES times, and the new and
// the middle partition of one set each.
static size_t chain(gmmu_psc *c, uint32_t sets, unsigned touches, void **mem) {
    gmmu_psc_config cfg = gmmu_psc_paper((sets + 2) * PAGES + 1, PAGES);  // never full
    cfg.interval = PAGES;
    const size_t bytes = gmmu_psc_bytes(&cfg);
    *mem = memory(bytes);
    if (gmmu_psc_init(c, &cfg, *mem, bytes) != 0)
        exit(2);
    for (uint64_t vpn = 0; vpn < (sets + 2) * (uint64_t)PAGES; vpn++) {
        gmmu_psc_record hit = {.set = vpn / PAGES};
        hit.count[vpn % PAGES] = (uint8_t)(touches - 1);
        if (gmmu_psc_fault(c, 0, vpn) != 0 || gmmu_psc_filled(c, 0, vpn) != 0)
            exit(2);
        gmmu_psc_hits(c, &hit);
    }
    return bytes;
}

static void median(const char *name, uint64_t size, uint64_t *took) {
    qsort(took, RUNS, sizeof *took, by_size);
    printf("%s %" PRIu64 " %" PRIu64 "\n", name, size, took[RUNS / 2]);
}

// The first victim classifies; with equal counters of twice the set size it searches the old
// partition for one of the set size too, and that is what COMPARE is: CATEGORY says which of both.
static void victim(const char *name, uint32_t sets, gmmu_psc_category category) {
    gmmu_psc c;
    void *mem;
    (void)chain(&c, sets, 2, &mem);
    c.category =
        category;  // OPEN: classifies, and is told to take the LRU set, the first looked at
    c.strategy = category == GMMU_PSC_REGULAR ? GMMU_PSC_MRU_C : GMMU_PSC_LRU;
    c.cfg.force = category == GMMU_PSC_OPEN ? GMMU_PSC_IRREGULAR_1 : GMMU_PSC_OPEN;
    const gmmu_psc before = c;
    static uint64_t took[RUNS];
    uint64_t size = 0;
    for (unsigned i = 0; i < RUNS; i++) {
        c = before;
        const uint64_t start = now();
        const gmmu_psc_page page = gmmu_psc_victim(&c);
        took[i] = now() - start;
        size = category == GMMU_PSC_OPEN ? c.census.length : c.stats.mruc_compared;
        if (!page.found)
            exit(2);
    }
    median(name, size, took);
    free(mem);
}

// RECORDS of one transfer, to a chain of SETS sets: each moves its set to the new partition.
// UNPACK: from beats.
static void update(const char *name, uint32_t sets, unsigned records, bool unpack) {
    const gmmu_hir_config hir = {128, 8, PAGES, 2, 52, 8};
    gmmu_psc c;
    void *mem;
    const size_t bytes = chain(&c, sets, 1, &mem);
    const gmmu_psc before = c;
    void *image = memory(bytes);
    memcpy(image, mem, bytes);
    uint32_t(*beat)[GMMU_HIR_WORDS] = memory(records * sizeof *beat);
    for (unsigned i = 0; i < records; i++) {
        const gmmu_hir_record r = {.set = i, .counters = 0x55555555};
        gmmu_hir_pack_record(&hir, &r, beat[i]);
    }
    static uint64_t took[RUNS];
    for (unsigned i = 0; i < RUNS; i++) {
        memcpy(mem, image, bytes);
        c = before;
        const uint64_t start = now();
        for (unsigned k = 0; k < records; k++) {
            const gmmu_hir_record r = unpack ? gmmu_hir_unpack_record(&hir, beat[k])
                                             : (gmmu_hir_record){0, k, 0x55555555};
            gmmu_psc_record p = {.asid = r.asid, .set = r.set};
            for (unsigned j = 0; j < PAGES; j++) p.count[j] = (uint8_t)(r.counters >> 2 * j & 3);
            gmmu_psc_hits(&c, &p);
        }
        took[i] = now() - start;
    }
    median(name, records, took);
    free(beat);
    free(image);
    free(mem);
}

int main(void) {
    for (const uint32_t *sets = (const uint32_t[]){60, 200, 1560, 6080, 0}; *sets != 0; sets++)
        victim("classify", *sets, GMMU_PSC_OPEN);
    victim("compare", 50, GMMU_PSC_REGULAR);
    victim("compare", 300, GMMU_PSC_REGULAR);
    update("update", 200, 10, false);
    update("update", 200, 150, false);
    update("unpack-update", 200, 150, true);
    return 0;
}
