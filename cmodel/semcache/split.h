// SPDX-License-Identifier: Apache-2.0
// split.h: the directory of write-back with records that split (`split`), in place of range_dir's
// rules: for each byte of a record it is known where its newest content is, so that a transfer has
// exactly the bytes that were asked for and are old (docs/guide/semcache.md, "Records that split").
//
// runtime.h uses it if its configuration says so. An operation never fails halfway: what has no
// memory or no room on the GPU leaves the CPU's copies valid.
#ifndef GMMU_SEM_SPLIT_H
#define GMMU_SEM_SPLIT_H

#include "semcache/runtime_kinds.h"
#include "semcache/trace.h"
#include "semcache/valid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_split gmmu_split;

// COUNTS stays the caller's; CONFIG and GPU are copied. LEFT is called when a kept result leaves
// GPU memory for others. NULL: no memory.
gmmu_split *gmmu_split_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu,
                              gmmu_sem_counts *counts, void (*left)(void *context, uint64_t at),
                              void *context);
// Frees S (NULL: nothing), and releases its GPU memory. Nothing comes down before.
void gmmu_split_destroy(gmmu_split *s);

// As gmmu_sem_begin. True: the operands are on the GPU and stay until gmmu_split_end. False:
// nothing was brought; the CPU has to access the operands by gmmu_split_cpu.
bool gmmu_split_begin(gmmu_split *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base);
// Ends a call for which gmmu_split_begin returned true: its operands may leave the GPU again.
void gmmu_split_end(gmmu_split *s);
// Brings up O, from which a result is made, to *base. Within a call O stays until the call ends,
// else until gmmu_split_end.
bool gmmu_split_source(gmmu_split *s, uint32_t site, const gmmu_sem_operand *o, uint64_t *base);
// The CPU is about to read O, or to write O. Records of a running call stay as they are.
void gmmu_split_cpu(gmmu_split *s, const gmmu_sem_operand *o, bool writes);
// The memory of O is about to be freed.
void gmmu_split_free(gmmu_split *s, const gmmu_sem_operand *o);

// Kept results, each named by a number AT of the caller's.
// Makes room for a result of BYTES, at *base. HOLD: the result stays until
// gmmu_split_result_let_go. False: there is no room.
bool gmmu_split_result_make(gmmu_split *s, uint32_t site, uint64_t at, uint64_t bytes, bool hold,
                            uint64_t *base);
// Looks up a result that was made, at *base. HOLD: one more let_go is needed. False: the result has
// left.
bool gmmu_split_result_use(gmmu_split *s, uint32_t site, uint64_t at, bool hold, uint64_t *base);
// Takes back one HOLD of the result, if the result is there.
void gmmu_split_result_let_go(gmmu_split *s, uint64_t at);
// Releases the GPU memory of the result, held or not; LEFT is not called.
void gmmu_split_result_drop(gmmu_split *s, uint64_t at);

// G: the newest content of some byte of [first, last] is on the GPU alone; S: no such byte is
// there, but one that is on both; C: all bytes are on the CPU alone.
gmmu_valid_state gmmu_split_state(const gmmu_split *s, uint64_t first, uint64_t last);

// Returns what the directory has now. The cost grows with the pages of all records.
gmmu_split_census gmmu_split_count(const gmmu_split *s);

#ifdef __cplusplus
}
#endif
#endif
