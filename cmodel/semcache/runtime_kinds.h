// SPDX-License-Identifier: Apache-2.0
// runtime_kinds.h: the configuration, the user's functions and the counts of the runtime
// (runtime.h).
#ifndef GMMU_SEM_RUNTIME_KINDS_H
#define GMMU_SEM_RUNTIME_KINDS_H

#include <stddef.h>

#include "blocks/range_dir.h"

#ifdef __cplusplus
extern "C" {
#endif

// The range that leaves GPU memory, or a full directory. LEAST_HIT: the range with the fewest hits.
// LRU: the range that was looked up longest ago. LEU: the range of the lowest priority by LEU, with
// the call site as the reference and ranges counted by their bytes (worth.h).
typedef enum { GMMU_SEM_LEAST_HIT, GMMU_SEM_LRU, GMMU_SEM_LEU, GMMU_SEM_EVICTS } gmmu_sem_evict;

typedef struct {
    uint64_t limit;   // bytes of GPU memory, for ranges and results; at least 1
    uint32_t ranges;  // number of records at most; 0: any number
    gmmu_sem_evict evict;
    uint64_t page;       // 0, or a power of two: records are pages of this many bytes (Fig. 16)
    bool write_through;  // results come back after each call (Fig. 11)
    bool split;          // records split: split.h's directory in place of range_dir's; no pages
    // With `split`: 0, or a power of two. If the CPU needs something, all that is newest on the GPU
    // in the same blocks of so many bytes comes down with it.
    uint64_t grain;
} gmmu_sem_config;

// COUNT runs of RUN bytes, each STRIDE bytes behind the one before, on both sides.
typedef struct {
    uint64_t start, base, run, stride, count;
} gmmu_sem_piece;

// Functions of the user. A NULL function does nothing, and is always successful. Bases are
// addresses of the GPU.
typedef struct {
    bool (*allocate)(void *context, uint64_t bytes, uint64_t *base);  // false: there is no room
    // START is UINT64_MAX for a kept result.
    void (*release)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    void (*up)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    void (*down)(void *context, uint64_t start, uint64_t base, uint64_t bytes);
    // With `split`: one transfer, UP or down, of N pieces. NULL: `up` or `down` is called for each
    // run.
    void (*gather)(void *context, bool up, const gmmu_sem_piece *piece, size_t n);
    // With `split`: a copy within GPU memory.
    void (*copy)(void *context, uint64_t from, uint64_t to, uint64_t bytes);
    // With `split`: the content of these bytes of GPU memory is old from here on.
    void (*outdated)(void *context, uint64_t base, uint64_t bytes);
    // Without: the record [start, last] comes of an operand of SITE and of records that OTHER
    // looked up last.
    void (*merged)(void *context, uint64_t start, uint64_t last, uint32_t site, uint32_t other);
    // Called with an operation of the directory and its packet, before the transfers of the packet.
    void (*operation)(void *context, const gmmu_range_op *op, const gmmu_range_beat *beat,
                      uint32_t beats);
    void *context;
} gmmu_sem_gpu;

// Counts since the creation.
typedef struct {
    uint64_t lookups, hits;  // lookups of operands, or of pages if records are pages
    uint64_t calls,
        on_cpu;  // all calls; calls that ran on the CPU because their operands did not fit
    uint64_t ups, downs, up_bytes, down_bytes;
    uint64_t evictions;      // ranges that left GPU memory for others
    uint64_t memos, elided;  // results that were asked for; results that had been kept
    uint64_t most_bytes;     // largest use of GPU memory
    uint64_t most_ranges;    // largest number of records
    uint64_t merges;         // lookups that made one record of others and the operand
    uint64_t no_memory;      // times that the host had none: what was done then costs more
    // with `split`; pieces: of all transfers; copies: within GPU memory
    uint64_t pieces, splits, copies, copy_bytes;
} gmmu_sem_counts;

// What a directory of the records' states has: records, runs of bytes of one state, S or G, in all
// records, and pages of 4096 bytes, within a record, with several states.
typedef struct {
    uint64_t records, runs, mixed;
} gmmu_split_census;

#ifdef __cplusplus
}
#endif
#endif
