// SPDX-License-Identifier: Apache-2.0
// logical.c: the logical model: collects warps' accesses and orders them. docs/guide/rdgc.md.
#include "rdgc/logical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A grid while it grows, and after.
typedef struct {
    gmmu_rdgc_grid out;  // filled by `order`
    gmmu_rdgc_record *records;
    uint64_t *pool;
    size_t count, room, pooled, pool_room;
    uint32_t *numbers;  // [block][warp] of the next access that is issued
    uint32_t *first;
    bool ordered;
} grid;

struct gmmu_rdgc_trace {
    grid *grids;
    size_t count, room;
};

static int no_memory(const char *what, uint64_t n, gmmu_error *err) {
    snprintf(err->text, sizeof err->text, "rdgc: no memory for %" PRIu64 " %s", n, what);
    return GMMU_BAD;
}

gmmu_rdgc_trace *gmmu_rdgc_trace_create(gmmu_error *err) {
    gmmu_rdgc_trace *t = calloc(1, sizeof *t);
    if (t == NULL)
        (void)no_memory("trace", 1, err);
    return t;
}

void gmmu_rdgc_trace_destroy(gmmu_rdgc_trace *t) {
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->count; i++) {
        free(t->grids[i].records);
        free(t->grids[i].pool);
        free(t->grids[i].numbers);
        free(t->grids[i].first);
    }
    free(t->grids);
    free(t);
}

static bool in_range(const char *name, uint64_t value, uint64_t low, uint64_t high,
                     gmmu_error *err) {
    if (value >= low && value <= high)
        return true;
    snprintf(err->text, sizeof err->text, "%s: found %" PRIu64 ", expected %" PRIu64 " to %" PRIu64,
             name, value, low, high);
    return false;
}

int gmmu_rdgc_trace_begin(gmmu_rdgc_trace *t, uint64_t blocks, uint64_t threads, gmmu_error *err) {
    if (!in_range("blocks", blocks, 1, GMMU_RDGC_MAX_BLOCKS, err) ||
        !in_range("threads", threads, 1, GMMU_RDGC_MAX_THREADS, err))
        return GMMU_BAD;
    if (t->count == t->room) {
        size_t room = t->room > 0 ? 2 * t->room : 8;
        grid *grids = realloc(t->grids, room * sizeof *grids);
        if (grids == NULL)
            return no_memory("grids", room, err);
        t->grids = grids;
        t->room = room;
    }
    // In the grid before no more is issued.
    if (t->count > 0) {
        free(t->grids[t->count - 1].numbers);
        t->grids[t->count - 1].numbers = NULL;
    }
    uint32_t warps = (uint32_t)((threads + GMMU_WARP - 1) / GMMU_WARP);
    t->grids[t->count++] =
        (grid){.out = {.blocks = (uint32_t)blocks, .threads = (uint32_t)threads, .warps = warps}};
    return GMMU_OK;
}

// A record of the active lanes' addresses (at least one lane), scattered ones in g->pool.
static int make_record(grid *g, uint32_t mask, const uint64_t addr[GMMU_WARP], gmmu_rdgc_record *r,
                       gmmu_error *err) {
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint32_t rest = mask & (mask - 1);
    int64_t stride = 0;
    bool affine = true;
    if (rest != 0) {
        unsigned second = (unsigned)__builtin_ctz(rest);
        stride = (int64_t)(addr[second] - addr[first]) / (int64_t)(second - first);
        affine = stride >= INT32_MIN && stride <= INT32_MAX;
    }
    uint64_t base = addr[first] - (uint64_t)stride * first;
    for (; affine && rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        affine = addr[lane] == base + (uint64_t)stride * lane;
    }
    r->mask = mask;
    r->scattered = !affine;
    if (affine) {
        r->address = base;
        r->stride = (int32_t)stride;
        return GMMU_OK;
    }
    if (g->pool_room - g->pooled < GMMU_WARP) {
        size_t room = g->pool_room > 0 ? 2 * g->pool_room : 1024;
        uint64_t *pool = realloc(g->pool, room * sizeof *pool);
        if (pool == NULL)
            return no_memory("addresses", room, err);
        g->pool = pool;
        g->pool_room = room;
    }
    r->address = g->pooled;
    r->stride = 0;
    for (rest = mask; rest != 0; rest &= rest - 1) g->pool[g->pooled++] = addr[__builtin_ctz(rest)];
    return GMMU_OK;
}

// Appends *r, complete but for its addresses.
static int append(grid *g, gmmu_rdgc_record *r, uint32_t mask, const uint64_t addr[GMMU_WARP],
                  gmmu_error *err) {
    if (g->count == g->room) {
        if (g->room >= GMMU_RDGC_MAX_ACCESSES) {
            snprintf(err->text, sizeof err->text,
                     "rdgc: found more than %u warp accesses in a grid, expected at most so many",
                     GMMU_RDGC_MAX_ACCESSES);
            return GMMU_BAD;
        }
        size_t room = g->room > 0 ? 2 * g->room : 1024;
        room = room < GMMU_RDGC_MAX_ACCESSES ? room : GMMU_RDGC_MAX_ACCESSES;
        gmmu_rdgc_record *records = realloc(g->records, room * sizeof *records);
        if (records == NULL)
            return no_memory("warp accesses", room, err);
        g->records = records;
        g->room = room;
    }
    int rc = make_record(g, mask, addr, r, err);
    if (rc == GMMU_OK)
        g->records[g->count++] = *r;
    g->ordered = false;
    return rc;
}

// The grid that grows, with ISSUED begun for accesses as issued, or NULL and *err.
static grid *current(gmmu_rdgc_trace *t, bool issued, gmmu_error *err) {
    if (t->count > 0 && (!issued || t->grids[t->count - 1].numbers != NULL))
        return &t->grids[t->count - 1];
    snprintf(err->text, sizeof err->text, "rdgc: found an access, expected a grid before it");
    return NULL;
}

int gmmu_rdgc_trace_add(gmmu_rdgc_trace *t, uint64_t block, uint64_t warp, uint64_t number,
                        unsigned kind, uint32_t mask, const uint64_t addr[GMMU_WARP],
                        gmmu_error *err) {
    grid *g = current(t, false, err);
    if (g == NULL || !in_range("block", block, 0, g->out.blocks - 1, err) ||
        !in_range("warp", warp, 0, g->out.warps - 1, err) ||
        !in_range("access number", number, 0, GMMU_RDGC_MAX_NUMBER, err))
        return GMMU_BAD;
    uint64_t rest = g->out.threads - warp * GMMU_WARP;
    uint32_t lanes = rest >= GMMU_WARP ? UINT32_MAX : (UINT32_C(1) << rest) - 1;
    if (mask == 0 || (mask & ~lanes) != 0) {
        snprintf(err->text, sizeof err->text,
                 "lanes of warp %" PRIu64 ": found mask 0x%08" PRIx32
                 ", expected some of 0x%08" PRIx32,
                 warp, mask, lanes);
        return GMMU_BAD;
    }
    gmmu_rdgc_record r = {.block = (uint32_t)block,
                          .number = (uint32_t)number,
                          .warp = (uint16_t)warp,
                          .write = kind != GMMU_RDGC_READ,
                          .atomic = kind == GMMU_RDGC_ATOMIC};
    return append(g, &r, mask, addr, err);
}

int gmmu_rdgc_trace_begin_issue(gmmu_rdgc_trace *t, uint64_t blocks, uint64_t threads,
                                gmmu_error *err) {
    if (gmmu_rdgc_trace_begin(t, blocks, threads, err) != GMMU_OK)
        return GMMU_BAD;
    grid *now = &t->grids[t->count - 1];
    size_t warps = (size_t)now->out.blocks * now->out.warps;
    now->numbers = calloc(warps, sizeof *now->numbers);
    return now->numbers != NULL ? GMMU_OK : no_memory("warps", warps, err);
}

int gmmu_rdgc_trace_issue(gmmu_rdgc_trace *t, uint64_t block, uint64_t warp, unsigned kind,
                          uint32_t mask, const uint64_t addr[GMMU_WARP], gmmu_error *err) {
    grid *g = current(t, true, err);
    if (g == NULL)
        return GMMU_BAD;
    // No larger than the number of records, which is checked.
    uint32_t *number = &g->numbers[block * g->out.warps + warp];
    gmmu_rdgc_record r = {.block = (uint32_t)block,
                          .number = (*number)++,
                          .warp = (uint16_t)warp,
                          .write = kind != GMMU_RDGC_READ,
                          .atomic = kind == GMMU_RDGC_ATOMIC};
    return append(g, &r, mask, addr, err);
}

// ---------------------------------------------------------------- order

static uint64_t key_of(const gmmu_rdgc_record *r) {
    return (uint64_t)r->number << 18 | (uint64_t)r->warp << 2 | r->atomic << 1 | r->write;
}

// The records of one block, by key. They come in order of each warp, interleaved: runs are long,
// and merging neighbouring runs is quick.
static void sort_block(gmmu_rdgc_record *records, size_t n, gmmu_rdgc_record *spare) {
    for (bool sorted = false; !sorted;) {
        sorted = true;
        for (size_t low = 0; low < n;) {
            size_t mid = low + 1;
            while (mid < n && key_of(&records[mid - 1]) <= key_of(&records[mid])) mid++;
            if (mid == n)
                break;
            size_t end = mid + 1;
            while (end < n && key_of(&records[end - 1]) <= key_of(&records[end])) end++;
            memcpy(spare, records + low, (mid - low) * sizeof *spare);
            size_t a = 0;
            size_t b = mid;
            for (size_t to = low; a < mid - low; to++)
                records[to] = b == end || key_of(&spare[a]) <= key_of(&records[b]) ? spare[a++]
                                                                                   : records[b++];
            sorted &= low == 0 && end == n;
            low = end;
        }
    }
}

static unsigned lanes_of(uint32_t mask) {
    return (unsigned)__builtin_popcount(mask);
}

unsigned gmmu_rdgc_record_addresses(const gmmu_rdgc_grid *g, const gmmu_rdgc_record *r,
                                    uint64_t addr[GMMU_WARP]) {
    const uint64_t *from = r->scattered ? g->pool + r->address : NULL;
    for (uint32_t rest = r->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        addr[lane] = from != NULL ? *from++ : r->address + (uint64_t)(int64_t)r->stride * lane;
    }
    return lanes_of(r->mask);
}

// Two records of one AN, block, warp and S: what was added in parts.
static int join(grid *g, gmmu_rdgc_record *r, const gmmu_rdgc_record *more, gmmu_error *err) {
    uint32_t twice = r->mask & more->mask;
    if (twice != 0) {
        snprintf(err->text, sizeof err->text,
                 "block %" PRIu32 ", thread %d: found two %s with access number %" PRIu32
                 ", expected at most one",
                 r->block, r->warp * GMMU_WARP + __builtin_ctz(twice),
                 r->atomic  ? "atomics"
                 : r->write ? "writes"
                            : "reads",
                 r->number);
        return GMMU_BAD;
    }
    uint64_t addr[GMMU_WARP];
    g->out.pool = g->pool;
    (void)gmmu_rdgc_record_addresses(&g->out, r, addr);
    (void)gmmu_rdgc_record_addresses(&g->out, more, addr);
    return make_record(g, r->mask | more->mask, addr, r, err);
}

// Joins what belongs together; g->first follows.
static int join_all(grid *g, gmmu_error *err) {
    uint32_t to = 0;
    uint32_t from = 0;
    for (uint32_t block = 0; block < g->out.blocks; block++) {
        uint32_t start = to;
        for (; from < g->first[block + 1]; from++) {
            const gmmu_rdgc_record *r = &g->records[from];
            if (to == start || key_of(&g->records[to - 1]) != key_of(r))
                g->records[to++] = *r;
            else if (join(g, &g->records[to - 1], r, err) != GMMU_OK)
                return GMMU_BAD;
        }
        g->first[block] = start;
    }
    g->first[g->out.blocks] = to;
    g->count = to;
    return GMMU_OK;
}

// NB, L and so on of the ordered records.
static void summarise(grid *g) {
    gmmu_rdgc_grid *out = &g->out;
    out->records = g->records;
    out->count = (uint32_t)g->count;
    out->pool = g->pool;
    out->first = g->first;
    out->numbers = out->longest = 0;
    out->reads = out->writes = 0;
    for (uint32_t block = 0; block < out->blocks; block++) {
        uint32_t whole[GMMU_RDGC_MAX_THREADS / GMMU_WARP] = {
            0};                                      // accesses of all the warp's lanes
        uint32_t some[GMMU_RDGC_MAX_THREADS] = {0};  // further ones of a thread
        for (uint32_t i = g->first[block]; i < g->first[block + 1]; i++) {
            const gmmu_rdgc_record *r = &g->records[i];
            *(r->write ? &out->writes : &out->reads) += lanes_of(r->mask);
            out->numbers = r->number >= out->numbers ? r->number + 1 : out->numbers;
            whole[r->warp] += r->mask == UINT32_MAX;
            for (uint32_t rest = r->mask == UINT32_MAX ? 0 : r->mask; rest != 0; rest &= rest - 1)
                some[r->warp * GMMU_WARP + __builtin_ctz(rest)]++;
        }
        for (uint32_t thread = 0; thread < out->threads; thread++) {
            uint32_t n = whole[thread / GMMU_WARP] + some[thread];
            out->longest = n > out->longest ? n : out->longest;
        }
    }
}

static int order_grid(grid *g, gmmu_error *err) {
    size_t blocks = g->out.blocks;
    uint32_t *first = calloc(blocks + 2, sizeof *first);
    gmmu_rdgc_record *sorted = calloc(g->count > 0 ? g->count : 1, sizeof *sorted);
    if (first == NULL || sorted == NULL) {
        free(first);
        free(sorted);
        return no_memory("warp accesses in order", g->count, err);
    }
    // By block: the place of the next record of block b is first[b + 1].
    for (size_t i = 0; i < g->count; i++) first[g->records[i].block + 2]++;
    for (size_t b = 2; b < blocks + 2; b++) first[b] += first[b - 1];
    for (size_t i = 0; i < g->count; i++) sorted[first[g->records[i].block + 1]++] = g->records[i];
    gmmu_rdgc_record *spare = g->records;
    g->records = sorted;
    g->room = g->count > 0 ? g->count : 1;
    free(g->first);
    g->first = first;
    for (size_t b = 0; b < blocks; b++)
        sort_block(sorted + first[b], first[b + 1] - first[b], spare);
    free(spare);
    int rc = join_all(g, err);
    if (rc == GMMU_OK)
        summarise(g);
    g->ordered = rc == GMMU_OK;
    return rc;
}

int gmmu_rdgc_trace_order(gmmu_rdgc_trace *t, gmmu_error *err) {
    for (size_t i = 0; i < t->count; i++)
        if (!t->grids[i].ordered && order_grid(&t->grids[i], err) != GMMU_OK)
            return GMMU_BAD;
    return GMMU_OK;
}

size_t gmmu_rdgc_trace_grids(const gmmu_rdgc_trace *t) {
    return t->count;
}

const gmmu_rdgc_grid *gmmu_rdgc_trace_grid(const gmmu_rdgc_trace *t, size_t i) {
    return &t->grids[i].out;
}
