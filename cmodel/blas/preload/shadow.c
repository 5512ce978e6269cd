// SPDX-License-Identifier: Apache-2.0
// shadow.c: see shadow.h. The CPU's bytes of what a call writes on the GPU are made 0xFF when it
// begins, GPU memory when it is given out: whoever reads bytes that are old sees it.
#include "blas/preload/shadow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "semcache/guard.h"

enum { LEAST = 4096, POISON = 0xff };

typedef struct {
    uintptr_t start;
    size_t bytes;
} block;

static struct {
    gmmu_guard *guard;
    gmmu_blas_heap heap;
    block *blocks;  // in order
    size_t used, room;
    uintptr_t page;
    bool busy;
    bool threads;  // there are several threads, or were before we began
    bool said;     // that there are
    bool in_call;  // a call runs on the GPU's copies
    bool ended;    // all bytes are the program's; BLOCKS do not change any more
    uint64_t on_gpu, on_cpu;
} shadow;

// ---- the GPU's memory

static bool allocate(void *context, uint64_t bytes, uint64_t *base) {
    (void)context;
    void *p = shadow.heap.malloc(bytes);
    if (p == NULL)
        return false;
    memset(p, POISON, bytes);
    *base = (uintptr_t)p;
    return true;
}

static void release(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)context;
    (void)start;
    (void)bytes;
    shadow.heap.free((void *)(uintptr_t)base);
}

static void up(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)context;
    memcpy((void *)(uintptr_t)base, (const void *)(uintptr_t)start, bytes);
}

static void down(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)context;
    memcpy((void *)(uintptr_t)start, (const void *)(uintptr_t)base, bytes);
}

bool gmmu_blas_shadow_begin(uint64_t mib, gmmu_blas_heap heap) {
    const gmmu_sem_config config = {.limit = mib << 20, .evict = GMMU_SEM_LRU};
    const gmmu_sem_gpu gpu = {.allocate = allocate, .release = release, .up = up, .down = down};
    shadow.heap = heap;
    shadow.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    shadow.guard = gmmu_guard_create(GMMU_GUARD_PAGES, &config, &gpu);
    struct stat tasks;  // a folder a thread, besides "." and ".."
    if (shadow.guard != NULL &&
        (shadow.threads || (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3)))
        gmmu_blas_shadow_thread();
    return shadow.guard != NULL;
}

// What the GPU has newer comes back, and stays.
static void bring_home(void) {
    shadow.busy = true;
    for (size_t i = 0; i < shadow.used; i++) {
        gmmu_sem_read_cpu(shadow.guard, (void *)shadow.blocks[i].start, shadow.blocks[i].bytes);
        gmmu_sem_write_cpu(shadow.guard, (void *)shadow.blocks[i].start, shadow.blocks[i].bytes);
    }
    shadow.busy = false;
    shadow.ended = true;
}

void gmmu_blas_shadow_thread(void) {
    shadow.threads = true;
    if (shadow.guard == NULL || shadow.said)
        return;
    shadow.said = true;  // before there is a second thread
    if (!shadow.in_call)
        bring_home();
    (void)dprintf(STDERR_FILENO,
                  "gmmu_blas: GMMU_SHADOW: found a second thread, expected a program of one "
                  "(OPENBLAS_NUM_THREADS=1, OMP_NUM_THREADS=1); calls run on the CPU from here\n");
}

void gmmu_blas_shadow_end(void) {
    if (shadow.guard == NULL || shadow.on_gpu + shadow.on_cpu == 0)
        return;
    const gmmu_sem_counts n = gmmu_sem_counted(gmmu_guard_runtime(shadow.guard));
    (void)dprintf(STDERR_FILENO,
                  "gmmu_blas: shadow execution: %" PRIu64 " calls on the GPU, %" PRIu64
                  " on the CPU; %" PRIu64 " transfers up, %" PRIu64 " down, %" PRIu64
                  " evictions, %" PRIu64 " faults\n",
                  shadow.on_gpu, shadow.on_cpu, n.ups, n.downs, n.evictions,
                  gmmu_guard_faults(shadow.guard));
}

bool gmmu_blas_shadow_busy(void) {
    return shadow.guard != NULL && (shadow.busy || gmmu_guard_busy(shadow.guard));
}

bool gmmu_blas_shadow_wants(size_t bytes) {
    return shadow.guard != NULL && bytes >= LEAST && !shadow.ended && !gmmu_blas_shadow_busy();
}

// ---- the program's memory

// The first block that begins behind AT.
static size_t behind(uintptr_t at) {
    size_t low = 0, high = shadow.used;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (shadow.blocks[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool grow(void) {
    if (shadow.used < shadow.room)
        return true;
    const size_t room = shadow.room == 0 ? 256 : 2 * shadow.room;
    block *more = shadow.heap.malloc(room * sizeof *more);
    if (more == NULL)
        return false;
    if (shadow.used != 0)
        memcpy(more, shadow.blocks, shadow.used * sizeof *more);
    shadow.heap.free(shadow.blocks);
    shadow.blocks = more;
    shadow.room = room;
    return true;
}

void *gmmu_blas_shadow_malloc(size_t bytes) {
    shadow.busy = true;
    void *p = bytes <= SIZE_MAX / 2 && grow() ? gmmu_sem_malloc(shadow.guard, bytes) : NULL;
    if (p != NULL) {
        const size_t at = behind((uintptr_t)p);
        memmove(&shadow.blocks[at + 1], &shadow.blocks[at],
                (shadow.used - at) * sizeof *shadow.blocks);
        shadow.blocks[at] = (block){(uintptr_t)p, bytes};
        shadow.used++;
    }
    shadow.busy = false;
    return p;
}

size_t gmmu_blas_shadow_size(const void *p) {
    if (shadow.guard == NULL || p == NULL || (uintptr_t)p % shadow.page != 0)
        return 0;
    const size_t at = behind((uintptr_t)p);
    return at != 0 && shadow.blocks[at - 1].start == (uintptr_t)p ? shadow.blocks[at - 1].bytes : 0;
}

void gmmu_blas_shadow_free(void *p) {
    if (shadow.ended)  // by any thread: the block is lost
        return;
    const size_t at = behind((uintptr_t)p) - 1;
    shadow.busy = true;
    gmmu_sem_give(shadow.guard, p);
    shadow.used--;
    memmove(&shadow.blocks[at], &shadow.blocks[at + 1], (shadow.used - at) * sizeof(block));
    shadow.busy = false;
}

// ---- calls

static bool is_ours(const gmmu_sem_operand *o) {
    const size_t at = behind(o->start);
    return at != 0 && o->last - shadow.blocks[at - 1].start < shadow.blocks[at - 1].bytes;
}

bool gmmu_blas_shadow_has(const gmmu_sem_operand *o) {
    return shadow.guard != NULL && !shadow.ended && is_ours(o);
}

void gmmu_blas_shadow_touch(const void *p, size_t n, bool writes) {
    const gmmu_sem_operand o = {.start = (uintptr_t)p, .last = (uintptr_t)p + (n - 1)};
    if (shadow.guard == NULL || shadow.ended || gmmu_blas_shadow_busy() || !is_ours(&o))
        return;
    shadow.busy = true;
    gmmu_sem_read_cpu(shadow.guard, p, n);
    if (writes)
        gmmu_sem_write_cpu(shadow.guard, (void *)(uintptr_t)p, n);
    shadow.busy = false;
}

// The GPU's copy is the newest, and so the pages here are closed: behind them nothing is left.
static void poison(const gmmu_sem_operand *o) {
    const uintptr_t from = o->start / shadow.page * shadow.page;
    const size_t bytes = o->last - from + 1;
    if (mprotect((void *)from, bytes, PROT_READ | PROT_WRITE) != 0)
        return;
    memset((void *)(uintptr_t)o->start, POISON, o->last - o->start + 1);
    (void)mprotect((void *)from, bytes, PROT_NONE);
}

bool gmmu_blas_shadow_call(const gmmu_sem_operand *operand, unsigned n, uint64_t *base) {
    if (shadow.guard == NULL || n == 0)
        return false;
    if (shadow.threads) {
        (void)__atomic_fetch_add(&shadow.on_cpu, 1, __ATOMIC_RELAXED);
        return false;
    }
    bool on_gpu = true;
    for (unsigned i = 0; i < n; i++) on_gpu = on_gpu && is_ours(&operand[i]);
    shadow.busy = true;
    on_gpu = on_gpu && gmmu_guard_begin(shadow.guard, 0, operand, n, base);
    for (unsigned i = 0; i < n && on_gpu; i++)
        if (operand[i].writes)
            poison(&operand[i]);
    shadow.busy = false;
    shadow.in_call = on_gpu;
    (*(on_gpu ? &shadow.on_gpu : &shadow.on_cpu))++;
    return on_gpu;
}

void gmmu_blas_shadow_called(const gmmu_sem_operand *operand, unsigned n) {
    shadow.busy = true;
    gmmu_guard_end(shadow.guard, operand, n);
    shadow.busy = false;
    shadow.in_call = false;
    if (shadow.threads)
        bring_home();
}
