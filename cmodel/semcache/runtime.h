// SPDX-License-Identifier: Apache-2.0
// runtime.h: SemCache's runtime (AlSaber and Kulkarni, ICS '13, §4 and §5): range_dir's rules for
// any number of ranges, calls of a library on them, and results that are kept.
//
// Library-neutral: a call is its operands, each a range of bytes. Who executes the transfers is
// told by functions: a GPU, a second heap (shadow execution), or nobody, where only the counts
// matter. Not for several threads at once.
#ifndef GMMU_SEM_RUNTIME_H
#define GMMU_SEM_RUNTIME_H

#include "blocks/range_dir.h"
#include "semcache/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// Who leaves GPU memory, or a full directory: the range with the fewest hits; looked up longest
// ago; by LEU's priority: the call site is the reference, a range counts by its bytes.
typedef enum { GMMU_SEM_LEAST_HIT, GMMU_SEM_LRU, GMMU_SEM_LEU, GMMU_SEM_EVICTS } gmmu_sem_evict;

typedef struct {
    uint64_t limit;   // bytes of GPU memory, for ranges and results; at least 1
    uint32_t ranges;  // records at most; 0: any number
    gmmu_sem_evict evict;
    uint64_t page;       // 0, or a power of two: records are pages of so many bytes (Fig. 16)
    bool write_through;  // results come back after each call (Fig. 11)
} gmmu_sem_config;

// Each may be NULL: not done, and always successful. Bases are the GPU's addresses.
typedef struct {
    bool (*allocate)(void *context, uint64_t bytes, uint64_t *base);  // false: there is no room
    // of a result that was kept START is UINT64_MAX
    void (*release)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    void (*up)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    void (*down)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    // an operation of the directory and its packet, before its transfers are executed
    void (*operation)(void *context, const gmmu_range_op *op, const gmmu_range_beat *beat,
                      uint32_t beats);
    void *context;
} gmmu_sem_gpu;

// What was done so far.
typedef struct {
    uint64_t lookups, hits;  // of operands; pages, where records are pages
    uint64_t calls, on_cpu;  // all; those that ran on the CPU, as they did not fit
    uint64_t ups, downs, up_bytes, down_bytes;
    uint64_t evictions;      // ranges that left GPU memory for others
    uint64_t memos, elided;  // results asked for; those that had been kept
    uint64_t most_bytes;     // GPU memory in use, at most
    uint64_t most_ranges;    // records, at most
} gmmu_sem_counts;

typedef struct gmmu_sem gmmu_sem;

// NULL: no memory, or a page that is no power of two.
gmmu_sem *gmmu_sem_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu);
void gmmu_sem_destroy(gmmu_sem *s);

// A call from SITE begins: its operands, N of them, are looked up, brought up and pinned. True: its
// kernel runs on the GPU, operand i at base[i] (unless BASE is NULL, or records are pages). False:
// they do not fit; the CPU's copies are in order, and it runs there.
bool gmmu_sem_begin(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                    uint64_t *base);
// The kernel of a call that began so is done.
void gmmu_sem_end(gmmu_sem *s, const gmmu_sem_operand *operand, uint32_t n);
// Before the CPU accesses O; before memory from O's start to its last byte is freed.
void gmmu_sem_cpu(gmmu_sem *s, gmmu_sem_operand o);
void gmmu_sem_free(gmmu_sem *s, gmmu_sem_operand o);
// COMPUTATION's result for the bytes of O, BYTES long, in GPU memory at *base. True: it had been
// kept, and O did not change since. False: it is to be made now, from O at *from, unless *base is
// UINT64_MAX: there is no room for it, or for O. A result is kept until O is written or freed, or
// its place is wanted; one that is asked for between a call's begin and its end stays until then.
bool gmmu_sem_computed(gmmu_sem *s, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                       uint64_t bytes, uint64_t *base, uint64_t *from);

// What the I-th of the results that are kept was made from. False: there are not so many.
bool gmmu_sem_kept(const gmmu_sem *s, size_t i, gmmu_sem_operand *from);

gmmu_sem_counts gmmu_sem_counted(const gmmu_sem *s);
// One operation of range_dir, with its transfers executed; its answer. (Of a range, not of pages.)
gmmu_range_beat gmmu_sem_operate(gmmu_sem *s, gmmu_range_op op);
// The records, in order of (asid, start); results that are kept are in asid 1.
const gmmu_range_dir *gmmu_sem_ranges(const gmmu_sem *s);

#ifdef __cplusplus
}
#endif
#endif
