// SPDX-License-Identifier: Apache-2.0
// gen.c: synthetic page references.
#include "gen/gen.h"

#include <math.h>
#include <stdlib.h>

enum { AHEAD = 16 };  // draws from the fetch of a table's entry to its use

struct gmmu_gen {
    gmmu_gen_settings is;
    uint64_t state;      // of splitmix64
    uint64_t hot, next;  // CYC: random pages; SCAN, CYC: the next in turn
    // ZIPF
    double sum, scale;
    double *upto;     // of each rank: the sum of its weight and those before
    uint32_t *page;   // of each rank
    uint32_t *guide;  // of each slice of the sum: the first rank that can be in it
    uint64_t slices;
};

static const char *const names[GMMU_GEN_KINDS] = {"zipf", "cyc", "uniform", "scan"};

const char *gmmu_gen_name(gmmu_gen_kind kind) {
    return names[kind];
}

gmmu_gen_settings gmmu_gen_usual(gmmu_gen_kind kind) {
    gmmu_gen_settings usual = {.kind = kind, .pages = 1000000, .seed = 1, .skew = 1.0};
    if (kind == GMMU_GEN_ZIPF) {
        usual.seed = 12345;
    } else if (kind == GMMU_GEN_CYC) {
        usual.seed = 777;
        usual.pages = 500000;
    }
    return usual;
}

static inline uint64_t draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// The slice of the sum that POINT lies in; it does not fall when POINT rises, whatever the
// rounding.
static inline uint64_t slice(const gmmu_gen *g, double point) {
    uint64_t i = (uint64_t)(point * g->scale);
    return i < g->slices ? i : g->slices - 1;
}

static bool create_zipf(gmmu_gen *g) {
    uint64_t n = g->is.pages;
    g->slices = n;
    g->upto = malloc(n * sizeof *g->upto);
    g->page = malloc(n * sizeof *g->page);
    g->guide = malloc(n * sizeof *g->guide);
    if (g->upto == NULL || g->page == NULL || g->guide == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        g->sum += pow((double)(i + 1), -g->is.skew);
        g->upto[i] = g->sum;
        g->page[i] = (uint32_t)i;
    }
    for (uint64_t i = n - 1; i > 0; i--) {
        uint64_t j = draw(&g->state) % (i + 1);
        uint32_t x = g->page[i];
        g->page[i] = g->page[j];
        g->page[j] = x;
    }
    g->scale = (double)n / g->sum;
    uint64_t s = 0;  // the whole sum lies in the last slice: n / sum * sum is above n - 1
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t last = slice(g, g->upto[i]); s <= last; s++) {
            g->guide[s] = (uint32_t)i;
        }
    }
    return true;
}

gmmu_gen *gmmu_gen_create(const gmmu_gen_settings *settings) {
    gmmu_gen *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->is = *settings;
    g->state = settings->seed;
    g->hot = settings->pages < 20 ? 1 : settings->pages / 10;
    if (settings->kind == GMMU_GEN_ZIPF && !create_zipf(g)) {
        gmmu_gen_destroy(g);
        return NULL;
    }
    return g;
}

void gmmu_gen_destroy(gmmu_gen *g) {
    if (g != NULL) {
        free(g->upto);
        free(g->page);
        free(g->guide);
        free(g);
    }
}

// The first rank up to which the sum reaches the point; the last one if none does.
static inline uint64_t rank_of(const gmmu_gen *g, double point) {
    uint64_t i = g->guide[slice(g, point)];
    while (i < g->is.pages - 1 && g->upto[i] < point) {
        i++;
    }
    return i;
}

static void next_zipf(gmmu_gen *g, uint64_t *pages, uint32_t count) {
    double point[AHEAD];
    for (uint32_t done = 0; done < count;) {
        uint32_t n = count - done < AHEAD ? count - done : AHEAD;
        for (uint32_t i = 0; i < n; i++) {
            point[i] = (double)(draw(&g->state) >> 11) * (1.0 / 9007199254740992.0) * g->sum;
            __builtin_prefetch(&g->guide[slice(g, point[i])]);
        }
        for (uint32_t i = 0; i < n; i++) {
            __builtin_prefetch(&g->upto[g->guide[slice(g, point[i])]]);
        }
        for (uint32_t i = 0; i < n; i++) {
            pages[done + i] = rank_of(g, point[i]);
            __builtin_prefetch(&g->page[pages[done + i]]);
        }
        for (uint32_t i = 0; i < n; i++, done++) {
            pages[done] = g->page[pages[done]];
        }
    }
}

static uint64_t in_turn(gmmu_gen *g, uint64_t pages) {
    uint64_t page = g->next;
    g->next = page + 1 == pages ? 0 : page + 1;
    return page;
}

void gmmu_gen_next(gmmu_gen *g, uint64_t *pages, uint32_t count) {
    if (g->is.kind == GMMU_GEN_ZIPF) {
        next_zipf(g, pages, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (g->is.kind == GMMU_GEN_UNIFORM) {
            pages[i] = draw(&g->state) % g->is.pages;
        } else if (g->is.kind == GMMU_GEN_SCAN) {
            pages[i] = in_turn(g, g->is.pages);
        } else if ((draw(&g->state) & 1) != 0) {
            pages[i] = draw(&g->state) % g->hot;
        } else {
            pages[i] = g->hot + in_turn(g, g->is.pages - g->hot);
        }
    }
}
