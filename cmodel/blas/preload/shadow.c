// SPDX-License-Identifier: Apache-2.0
// shadow.c: see shadow.h. The CPU's bytes of what a call writes on the GPU are made 0xFF when it
// begins, GPU memory when it is given out and where the CPU's bytes become newer: whoever reads
// bytes that are old sees it.
#include "blas/preload/shadow.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blas/routines.h"
#include "semcache/guard.h"
#include "semcache/segv.h"

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
    pthread_t thread;  // whose memory it is
    uint64_t created;  // other threads, so far
    uint64_t idle;     // so many of them touch nothing
    bool threads;      // there are more
    bool said;         // that there are
    bool in_call;      // a call runs on the GPU's copies, of these operands
    gmmu_sem_operand operand[GMMU_BLAS_MOST_OPERANDS];
    unsigned operands;
    bool ended;    // all bytes are the program's; BLOCKS do not change any more
    long process;  // whose calls are counted
    uint64_t on_gpu, on_cpu;
    uint64_t gaps;  // operands with gaps, of calls on the GPU
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

static void copy(void *context, uint64_t from, uint64_t to, uint64_t bytes) {
    (void)context;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
}

static void outdated(void *context, uint64_t base, uint64_t bytes) {
    (void)context;
    memset((void *)(uintptr_t)base, POISON, bytes);
}

static void down(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)context;
    memcpy((void *)(uintptr_t)start, (const void *)(uintptr_t)base, bytes);
}

static bool is_ours(const gmmu_sem_operand *o);
static void bring_home(void);

static bool on_our_thread(void) {
    return pthread_equal(pthread_self(), shadow.thread) != 0;
}

// Behind the guard, which knows of no other thread: says why the program ends.
static bool on_other_thread(void *context, uint64_t at, gmmu_segv_access access, uint64_t code) {
    (void)context;
    (void)access;
    (void)code;
    const gmmu_sem_operand o = {.start = at, .last = at};
    if (!on_our_thread() && is_ours(&o))
        (void)dprintf(STDERR_FILENO,
                      "gmmu_blas: GMMU_SHADOW_THREADS: found a thread that touches the memory of "
                      "another, expected none\n");
    return false;
}

static void refuse_threads(void) {
    if (shadow.said)
        return;
    shadow.threads = shadow.said = true;
    if (!shadow.in_call && on_our_thread())
        bring_home();
    (void)dprintf(STDERR_FILENO,
                  "gmmu_blas: GMMU_SHADOW: found a second thread, expected a program of one "
                  "(OPENBLAS_NUM_THREADS=1, OMP_NUM_THREADS=1); calls run on the CPU from here\n");
}

bool gmmu_blas_shadow_begin(uint64_t mib, uint64_t idle, gmmu_blas_heap heap) {
    shadow.heap = heap;
    shadow.process = (long)getpid();
    shadow.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    shadow.thread = pthread_self();
    shadow.idle = idle;
    const gmmu_sem_config config = {
        .limit = mib << 20, .evict = GMMU_SEM_LRU, .split = true, .grain = shadow.page};
    const gmmu_sem_gpu gpu = {.allocate = allocate,
                              .release = release,
                              .up = up,
                              .down = down,
                              .copy = copy,
                              .outdated = outdated};
    shadow.guard = gmmu_guard_create(GMMU_GUARD_PAGES, &config, &gpu);
    struct stat tasks;  // a folder a thread, besides "." and ".."
    if (shadow.guard == NULL)
        return false;
    if (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3 &&
        tasks.st_nlink - 3 > shadow.created)
        shadow.created = tasks.st_nlink - 3;
    if (shadow.created > idle)
        refuse_threads();
    return gmmu_segv_add(on_other_thread, NULL);
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
    const uint64_t n = __atomic_add_fetch(&shadow.created, 1, __ATOMIC_RELAXED);
    if (shadow.guard != NULL && n > shadow.idle)
        refuse_threads();
}

void gmmu_blas_shadow_forked(void) {
    shadow.process = (long)getpid();
    shadow.on_gpu = shadow.on_cpu = shadow.gaps = 0;
}

void gmmu_blas_shadow_end(void) {
    if (shadow.guard == NULL || shadow.process != (long)getpid() ||
        shadow.on_gpu + shadow.on_cpu == 0)
        return;
    const gmmu_sem_counts n = gmmu_sem_counted(gmmu_guard_runtime(shadow.guard));
    (void)dprintf(STDERR_FILENO,
                  "gmmu_blas: shadow execution: %" PRIu64 " calls on the GPU, %" PRIu64
                  " on the CPU; %" PRIu64 " transfers up, %" PRIu64 " down, %" PRIu64
                  " evictions, %" PRIu64 " faults; %" PRIu64
                  " operands with gaps; records: %" PRIu64 " grew, %" PRIu64 " were split\n",
                  shadow.on_gpu, shadow.on_cpu, n.ups, n.downs, n.evictions,
                  gmmu_guard_faults(shadow.guard), shadow.gaps, n.merges, n.splits);
}

bool gmmu_blas_shadow_busy(void) {
    return shadow.guard != NULL && (shadow.busy || gmmu_guard_busy(shadow.guard));
}

bool gmmu_blas_shadow_wants(size_t bytes) {
    return shadow.guard != NULL && bytes >= LEAST && !shadow.ended && on_our_thread() &&
           !gmmu_blas_shadow_busy();
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
    if (shadow.ended || !on_our_thread())  // the block is lost
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
    return shadow.guard != NULL && !shadow.ended && on_our_thread() && is_ours(o);
}

void gmmu_blas_shadow_touch(const void *p, size_t n, bool writes) {
    const gmmu_sem_operand o = {.start = (uintptr_t)p, .last = (uintptr_t)p + (n - 1)};
    if (shadow.guard == NULL || shadow.ended || !on_our_thread() || gmmu_blas_shadow_busy() ||
        !is_ours(&o))
        return;
    shadow.busy = true;
    gmmu_sem_read_cpu(shadow.guard, p, n);
    if (writes)
        gmmu_sem_write_cpu(shadow.guard, (void *)(uintptr_t)p, n);
    shadow.busy = false;
}

bool gmmu_blas_shadow_call(const gmmu_sem_operand *operand, unsigned n, uint64_t *base) {
    if (shadow.guard == NULL || n == 0)
        return false;
    if (shadow.in_call && on_our_thread())  // it was left by longjmp, or by an exception
        gmmu_blas_shadow_called(shadow.operand, shadow.operands);
    if (shadow.threads || !on_our_thread()) {
        if (!shadow.ended && on_our_thread())
            bring_home();
        (void)__atomic_fetch_add(&shadow.on_cpu, 1, __ATOMIC_RELAXED);
        return false;
    }
    bool on_gpu = true;
    for (unsigned i = 0; i < n; i++) on_gpu = on_gpu && is_ours(&operand[i]);
    shadow.busy = true;
    on_gpu = on_gpu && gmmu_guard_begin(shadow.guard, 0, operand, n, base);
    for (unsigned i = 0; i < n && on_gpu; i++) {
        shadow.gaps += operand[i].run != 0;
        if (operand[i].writes)
            gmmu_guard_overwrite(shadow.guard, &operand[i], POISON);
    }
    shadow.busy = false;
    shadow.in_call = on_gpu;
    shadow.operands = on_gpu ? n : 0;
    memcpy(shadow.operand, operand, shadow.operands * sizeof *operand);
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
