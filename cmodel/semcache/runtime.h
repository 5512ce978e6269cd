// SPDX-License-Identifier: Apache-2.0
// runtime.h: SemCache's runtime: the rules of range_dir for any number of ranges, calls of a
// library on ranges, and kept results. Source: AlSaber and Kulkarni, ICS '13, §4 and §5.
//
// The runtime knows no library: a call is a list of operands, and an operand is a range of bytes.
// Functions of the user execute the transfers: on a GPU, on a second heap (shadow execution), or
// nowhere, if only the counts matter. The runtime is not for several threads at once.
#ifndef GMMU_SEM_RUNTIME_H
#define GMMU_SEM_RUNTIME_H

#include "blocks/range_dir.h"
#include "semcache/trace.h"

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
    // with `split`; pieces: of all transfers; copies: within GPU memory
    uint64_t pieces, splits, copies, copy_bytes;
} gmmu_sem_counts;

typedef struct gmmu_sem gmmu_sem;

// Returns NULL: no memory, or a page or a grain that is no power of two.
gmmu_sem *gmmu_sem_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu);
void gmmu_sem_destroy(gmmu_sem *s);

// Begins a call from SITE: its N operands are looked up, brought up and pinned. True: the kernel
// runs on the GPU, with operand i at base[i] (unless BASE is NULL, or records are pages). False:
// the operands do not fit together; the CPU's copies are valid, and the call runs on the CPU.
bool gmmu_sem_begin(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                    uint64_t *base);
// Ends a call for which gmmu_sem_begin returned true: the kernel is done, and the pins are
// released.
void gmmu_sem_end(gmmu_sem *s, const gmmu_sem_operand *operand, uint32_t n);
// gmmu_sem_cpu: the CPU is about to access O. gmmu_sem_free: the memory from O's start to O's last
// byte is about to be freed.
void gmmu_sem_cpu(gmmu_sem *s, gmmu_sem_operand o);
void gmmu_sem_free(gmmu_sem *s, gmmu_sem_operand o);
// Looks for the result of COMPUTATION on the bytes of O, BYTES long, in GPU memory at *base. True:
// the result had been kept, and O has not changed since. False: the result must be made now, from O
// at *from; if *base is UINT64_MAX, there is no room for the result or for O. A result is kept
// until O is written or freed, or until its place is needed. A result that is asked for between a
// call's begin and end stays until the end.
bool gmmu_sem_computed(gmmu_sem *s, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                       uint64_t bytes, uint64_t *base, uint64_t *from);

// Returns in *from the operand of kept result number I. False: there are fewer results.
bool gmmu_sem_kept(const gmmu_sem *s, size_t i, gmmu_sem_operand *from);

gmmu_sem_counts gmmu_sem_counted(const gmmu_sem *s);
// Does one operation of range_dir with its transfers, and returns the answer. The operation is on a
// range, not on pages. Not with `split`.
gmmu_range_beat gmmu_sem_operate(gmmu_sem *s, gmmu_range_op op);
// Returns the records, in order of (asid, start). Kept results have asid 1. With `split`: none.
const gmmu_range_dir *gmmu_sem_ranges(const gmmu_sem *s);
// With `split`: returns the first and the last byte, and the GPU's address of the first, of record
// number I, by address. False: there are fewer records.
bool gmmu_sem_record(const gmmu_sem *s, size_t i, uint64_t *first, uint64_t *last, uint64_t *base);

#ifdef __cplusplus
}
#endif
#endif
