// SPDX-License-Identifier: Apache-2.0
// guard.c: see guard.h.
//
// A page is as closed as the strictest of the ranges, or with `split` of the bytes, on it: G: not
// accessible, S, or a result was made from it: not writable, C: open. Operations of the runtime say
// which bytes they were about; when one is done the pages there are protected anew. While it
// transfers, its pages are open. A page may stay too closed: its fault opens it.
#include "semcache/guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "semcache/segv.h"

enum { OPEN, READ_ONLY, CLOSED };

// Memory of gmmu_sem_malloc.
typedef struct {
    uint64_t start, pages;
    uint8_t *level;                   // of each page; behind them those that are wanted
    uint64_t dirty_first, dirty_end;  // pages to be protected anew
} block;

struct gmmu_guard {
    gmmu_guard_mode mode;
    pthread_t thread;
    bool split;
    bool failed;  // pages could not be closed, of a call that runs maybe
    gmmu_sem *sem;
    gmmu_sem_gpu gpu;
    uint64_t page;
    block *blocks;  // by ascending address
    size_t used, room;
    uint64_t faults;
    bool busy;  // the runtime is at work
};

// ---- blocks

// The first one that ends behind AT.
static size_t block_from(const gmmu_guard *g, uint64_t at) {
    size_t low = 0, high = g->used;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (g->blocks[mid].start + g->blocks[mid].pages * g->page <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint64_t last_of(const gmmu_guard *g, const block *b) {
    return b->start + b->pages * g->page - 1;
}

static bool protect(const gmmu_guard *g, block *b, uint64_t first, uint64_t end, uint8_t level) {
    static const int protection[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
    void *at = (void *)(uintptr_t)(b->start + first * g->page);
    if (mprotect(at, (end - first) * g->page, protection[level]) != 0)
        return false;
    memset(b->level + first, level, end - first);
    return true;
}

// Nothing has to be told apart within it: one mapping, which there is room for.
static void open_all(const gmmu_guard *g, block *b) {
    if (!protect(g, b, 0, b->pages, OPEN))
        abort();
}

// What the runtime was about, of all blocks.
static void mark(gmmu_guard *g, uint64_t start, uint64_t last) {
    for (size_t i = block_from(g, start); i < g->used && g->blocks[i].start <= last; i++) {
        block *b = &g->blocks[i];
        const uint64_t first = start > b->start ? (start - b->start) / g->page : 0;
        const uint64_t end = last < last_of(g, b) ? (last - b->start) / g->page + 1 : b->pages;
        const bool none = b->dirty_end == 0;
        b->dirty_first = none || first < b->dirty_first ? first : b->dirty_first;
        b->dirty_end = none || end > b->dirty_end ? end : b->dirty_end;
    }
}

// The runtime itself accesses [start, last].
static void open_range(gmmu_guard *g, uint64_t start, uint64_t last, bool writes) {
    mark(g, start, last);
    for (size_t i = block_from(g, start); i < g->used && g->blocks[i].start <= last; i++) {
        block *b = &g->blocks[i];
        const uint64_t first = start > b->start ? (start - b->start) / g->page : 0;
        const uint64_t end = last < last_of(g, b) ? (last - b->start) / g->page + 1 : b->pages;
        bool closed = false;
        for (uint64_t p = first; p < end; p++)
            closed = closed || b->level[p] > (writes ? OPEN : READ_ONLY);
        if (closed && !protect(g, b, first, end, OPEN)) {
            open_all(g, b);
            mark(g, b->start, last_of(g, b));
        }
    }
}

// ---- protection by state

// The first record of data that ends at AT or behind it.
static uint32_t record_from(const gmmu_range_dir *d, uint64_t at) {
    uint32_t low = 0, high = d->used;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (d->range[mid].asid == 0 && d->range[mid].last < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint8_t level_of(uint8_t state) {
    return state == GMMU_RANGE_G ? CLOSED : state == GMMU_RANGE_S ? READ_ONLY : OPEN;
}

// The page that begins at START, by its bytes.
static uint8_t level_by_bytes(const gmmu_guard *g, uint64_t start) {
    return level_of(gmmu_sem_state(g->sem, start, start + (g->page - 1)));
}

// The pages [first, end) of B as their ranges want them. False: so many mappings cannot be.
static bool settle_block(const gmmu_guard *g, block *b, uint64_t first, uint64_t end) {
    const gmmu_range_dir *d = gmmu_sem_ranges(g->sem);
    const uint64_t start = b->start + first * g->page, last = b->start + end * g->page - 1;
    uint8_t *want = b->level + b->pages;
    for (uint64_t p = first; p < end; p++)
        want[p] = g->split ? level_by_bytes(g, b->start + p * g->page) : OPEN;
    for (uint32_t i = record_from(d, start); i < d->used; i++) {
        const gmmu_range *r = &d->range[i];
        if (r->asid != 0 || r->start > last)
            break;
        const uint64_t from = r->start > start ? (r->start - b->start) / g->page : first;
        const uint64_t to = r->last < last ? (r->last - b->start) / g->page + 1 : end;
        for (uint64_t p = from; p < to; p++)
            if (level_of(r->state) > want[p])
                want[p] = level_of(r->state);
    }
    gmmu_sem_operand of;
    for (size_t i = 0; gmmu_sem_kept(g->sem, i, &of); i++)
        for (uint64_t p = first; p < end; p++)
            if (want[p] == OPEN && of.start <= b->start + p * g->page + (g->page - 1) &&
                of.last >= b->start + p * g->page)
                want[p] = READ_ONLY;
    for (uint64_t p = first; p < end;) {
        uint64_t to = p + 1;
        while (to < end && want[to] == want[p] && b->level[to] != want[to]) to++;
        if (b->level[p] == want[p])
            to = p + 1;
        else if (!protect(g, b, p, to, want[p]))
            return false;
        p = to;
    }
    return true;
}

static void settle(gmmu_guard *g) {
    for (size_t i = 0; i < g->used && g->mode == GMMU_GUARD_PAGES; i++) {
        block *b = &g->blocks[i];
        const uint64_t first = b->dirty_first, end = b->dirty_end;
        b->dirty_first = b->dirty_end = 0;
        if (end == 0 || settle_block(g, b, first, end))
            continue;
        // all of it comes to the CPU, and is open: no access goes unseen
        open_all(g, b);
        g->failed = true;
        gmmu_sem_cpu(g->sem,
                     (gmmu_sem_operand){
                         .start = b->start, .last = last_of(g, b), .reads = true, .writes = true});
        b->dirty_first = b->dirty_end = 0;
    }
    g->busy = false;
}

// ---- faults

// What forbids the access to the page that begins at START: a record, or a result that was made
// from bytes there.
static bool in_the_way(const gmmu_guard *g, uint64_t start, bool writes, gmmu_sem_operand *o) {
    const gmmu_range_dir *d = gmmu_sem_ranges(g->sem);
    for (uint32_t i = record_from(d, start); i < d->used; i++) {
        const gmmu_range *r = &d->range[i];
        if (r->asid != 0 || r->start > start + g->page - 1)
            break;
        if (level_of(r->state) > (writes ? OPEN : READ_ONLY)) {
            *o = (gmmu_sem_operand){
                .start = r->start, .last = r->last, .reads = !writes, .writes = writes};
            return true;
        }
    }
    for (size_t i = 0; writes && gmmu_sem_kept(g->sem, i, o); i++)
        if (o->start <= start + g->page - 1 && o->last >= start) {
            o->reads = false;
            o->writes = true;
            return true;
        }
    return false;
}

// What is in the way comes to the CPU. False: a call that runs has it.
static bool ranges_come(gmmu_guard *g, uint64_t start, bool writes) {
    uint64_t before = UINT64_MAX;
    for (gmmu_sem_operand o; in_the_way(g, start, writes, &o); before = o.start) {
        if (o.start == before)
            return false;
        gmmu_sem_cpu(g->sem, o);
    }
    return true;
}

// The same, of the page that begins at START.
static bool page_comes(gmmu_guard *g, uint64_t start, bool writes) {
    gmmu_sem_cpu(
        g->sem,
        (gmmu_sem_operand){
            .start = start, .last = start + (g->page - 1), .reads = !writes, .writes = writes});
    return level_by_bytes(g, start) <= (writes ? OPEN : READ_ONLY);
}

static bool on_fault(void *context, uint64_t at, gmmu_segv_access access, uint64_t code) {
    gmmu_guard *g = context;
    (void)code;
    if (g->busy || pthread_equal(pthread_self(), g->thread) == 0)
        return false;
    const size_t i = block_from(g, at);
    if (i == g->used || g->blocks[i].start > at)
        return false;
    const uint64_t page = (at - g->blocks[i].start) / g->page;
    const uint8_t level = g->blocks[i].level[page];
    const bool writes =
        access == GMMU_SEGV_WRITE || (access == GMMU_SEGV_EITHER && level == READ_ONLY);
    if (level <= (writes ? OPEN : READ_ONLY))
        return false;
    g->faults++;
    g->busy = true;
    const uint64_t start = g->blocks[i].start + page * g->page;
    const bool moved = g->split ? page_comes(g, start, writes) : ranges_come(g, start, writes);
    mark(g, start, start);
    settle(g);
    return moved;
}

// ---- the runtime's functions, with pages open

static bool allocate(void *context, uint64_t bytes, uint64_t *base) {
    const gmmu_guard *g = context;
    return g->gpu.allocate == NULL || g->gpu.allocate(g->gpu.context, bytes, base);
}

static void release(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    const gmmu_guard *g = context;
    if (g->gpu.release != NULL)
        g->gpu.release(g->gpu.context, start, base, bytes);
}

static void up(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    gmmu_guard *g = context;
    open_range(g, start, start + bytes - 1, false);
    if (g->gpu.up != NULL)
        g->gpu.up(g->gpu.context, start, base, bytes);
}

static void down(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    gmmu_guard *g = context;
    open_range(g, start, start + bytes - 1, true);
    if (g->gpu.down != NULL)
        g->gpu.down(g->gpu.context, start, base, bytes);
}

static void gather(void *context, bool ups, const gmmu_sem_piece *piece, size_t n) {
    gmmu_guard *g = context;
    for (size_t i = 0; i < n; i++) {
        const uint64_t end = piece[i].start + (piece[i].count - 1) * piece[i].stride;
        open_range(g, piece[i].start, end + (piece[i].run - 1), !ups);
    }
    g->gpu.gather(g->gpu.context, ups, piece, n);
}

static void copy(void *context, uint64_t from, uint64_t to, uint64_t bytes) {
    const gmmu_guard *g = context;
    g->gpu.copy(g->gpu.context, from, to, bytes);
}

static void outdated(void *context, uint64_t base, uint64_t bytes) {
    const gmmu_guard *g = context;
    g->gpu.outdated(g->gpu.context, base, bytes);
}

static void operation(void *context, const gmmu_range_op *op, const gmmu_range_beat *beat,
                      uint32_t beats) {
    gmmu_guard *g = context;
    if (op->asid == 0 && op->op != GMMU_RANGE_BASE)
        mark(g, op->start, op->last);
    for (uint32_t i = 0; i < beats; i++)
        if (beat[i].asid == 0)
            mark(g, beat[i].start, beat[i].last);
    if (g->gpu.operation != NULL)
        g->gpu.operation(g->gpu.context, op, beat, beats);
}

// ---- make and end

gmmu_guard *gmmu_guard_create(gmmu_guard_mode mode, const gmmu_sem_config *config,
                              const gmmu_sem_gpu *gpu) {
    const gmmu_sem_gpu between = {.allocate = gpu->allocate != NULL ? allocate : NULL,
                                  .release = release,
                                  .up = up,
                                  .down = down,
                                  .gather = gpu->gather != NULL ? gather : NULL,
                                  .copy = gpu->copy != NULL ? copy : NULL,
                                  .outdated = gpu->outdated != NULL ? outdated : NULL,
                                  .operation = operation};
    gmmu_guard *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    gmmu_sem_gpu its = mode == GMMU_GUARD_PAGES ? between : *gpu;
    if (mode == GMMU_GUARD_PAGES)
        its.context = g;
    g->mode = mode;
    g->thread = pthread_self();
    g->split = config->split;
    g->gpu = *gpu;
    g->page = (uint64_t)sysconf(_SC_PAGESIZE);
    g->sem = gmmu_sem_create(config, &its);
    if (g->sem == NULL || (mode == GMMU_GUARD_PAGES && !gmmu_segv_add(on_fault, g))) {
        gmmu_sem_destroy(g->sem);
        free(g);
        return NULL;
    }
    return g;
}

static void unmap(gmmu_guard *g, block *b) {
    (void)munmap((void *)(uintptr_t)b->start, b->pages * g->page);
    free(b->level);
}

void gmmu_guard_destroy(gmmu_guard *g) {
    if (g == NULL)
        return;
    gmmu_sem_destroy(g->sem);
    if (g->mode == GMMU_GUARD_PAGES)
        gmmu_segv_remove(on_fault, g);
    for (size_t i = 0; i < g->used; i++) unmap(g, &g->blocks[i]);
    free(g->blocks);
    free(g);
}

gmmu_sem *gmmu_guard_runtime(gmmu_guard *g) {
    return g->sem;
}

bool gmmu_guard_busy(const gmmu_guard *g) {
    return g->busy;
}

uint64_t gmmu_guard_faults(const gmmu_guard *g) {
    return g->faults;
}

// ---- memory

void *gmmu_sem_malloc(gmmu_guard *g, size_t bytes) {
    const uint64_t pages = bytes / g->page + (bytes % g->page != 0 || bytes == 0);
    if (g->used == g->room) {
        const size_t room = g->room == 0 ? 16 : 2 * g->room;
        block *blocks = realloc(g->blocks, room * sizeof *blocks);
        if (blocks == NULL)
            return NULL;
        g->blocks = blocks;
        g->room = room;
    }
    uint8_t *level = calloc(2, pages);
    void *p = level == NULL ? MAP_FAILED
                            : mmap(NULL, pages * g->page, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        free(level);
        return NULL;
    }
    const size_t i = block_from(g, (uintptr_t)p);
    memmove(&g->blocks[i + 1], &g->blocks[i], (g->used - i) * sizeof *g->blocks);
    g->blocks[i] = (block){(uintptr_t)p, pages, level, 0, 0};
    g->used++;
    return p;
}

void gmmu_sem_give(gmmu_guard *g, void *p) {
    const size_t i = block_from(g, (uintptr_t)p);
    if (p == NULL || i == g->used || g->blocks[i].start != (uintptr_t)p)
        return;
    block *b = &g->blocks[i];
    open_all(g, b);
    g->busy = true;
    gmmu_sem_free(g->sem, (gmmu_sem_operand){.start = b->start, .last = last_of(g, b)});
    unmap(g, b);
    memmove(&g->blocks[i], &g->blocks[i + 1], (g->used - i - 1) * sizeof *g->blocks);
    g->used--;
    settle(g);
}

// ---- guards and calls

// The directory says by itself which bytes it was about; records that split do not.
static void mark_all(gmmu_guard *g, const gmmu_sem_operand *o, uint32_t n) {
    for (uint32_t i = 0; i < n && g->split; i++) mark(g, o[i].start, o[i].last);
}

static void accesses(gmmu_guard *g, const void *p, size_t n, bool writes) {
    if (n == 0)
        return;
    // all that closes the pages
    const uint64_t mask = g->mode == GMMU_GUARD_PAGES ? g->page - 1 : 0;
    const gmmu_sem_operand o = {.start = (uintptr_t)p & ~mask,
                                .last = ((uintptr_t)p + n - 1) | mask,
                                .reads = !writes,
                                .writes = writes};
    g->busy = true;
    gmmu_sem_cpu(g->sem, o);
    mark_all(g, &o, 1);
    settle(g);
}

void gmmu_sem_read_cpu(gmmu_guard *g, const void *p, size_t n) {
    accesses(g, p, n, false);
}

void gmmu_sem_write_cpu(gmmu_guard *g, void *p, size_t n) {
    accesses(g, p, n, true);
}

bool gmmu_guard_begin(gmmu_guard *g, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base) {
    g->busy = true;
    g->failed = false;
    const bool on_gpu = gmmu_sem_begin(g->sem, site, operand, n, base);
    mark_all(g, operand, n);
    settle(g);
    return on_gpu;
}

void gmmu_guard_end(gmmu_guard *g, const gmmu_sem_operand *operand, uint32_t n) {
    g->busy = true;
    gmmu_sem_end(g->sem, operand, n);
    if (g->failed)
        mark_all(g, operand, n);
    settle(g);
}

void gmmu_guard_overwrite(gmmu_guard *g, const gmmu_sem_operand *o, int byte) {
    const uint64_t bytes = o->run == 0 ? o->last - o->start + 1 : o->run;
    g->busy = true;
    open_range(g, o->start, o->last, true);
    for (uint64_t k = 0; k < gmmu_sem_runs(o); k++)
        memset((void *)(uintptr_t)(o->start + k * o->stride), byte, bytes);
    settle(g);
}

bool gmmu_guard_computed(gmmu_guard *g, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                         uint64_t bytes, uint64_t *base, uint64_t *from) {
    g->busy = true;
    const bool kept = gmmu_sem_computed(g->sem, site, computation, o, bytes, base, from);
    mark_all(g, &o, 1);
    settle(g);
    return kept;
}
