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
#include "semcache/runtime_kinds.h"
#include "semcache/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_sem gmmu_sem;

// Creates a runtime; CONFIG and GPU are copied. NULL: no memory, a page or a grain that is no power
// of two, or a page with `split`.
gmmu_sem *gmmu_sem_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu);
// Frees S (NULL: nothing), and releases its GPU memory. Nothing comes down before.
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

// Returns the counts since the creation.
gmmu_sem_counts gmmu_sem_counted(const gmmu_sem *s);
// Returns what the directory of records that split has now; without `split` all 0.
gmmu_split_census gmmu_sem_census(const gmmu_sem *s);
// Does one operation of range_dir with its transfers, and returns the answer. The operation is on a
// range, not on pages. Not with `split`.
gmmu_range_beat gmmu_sem_operate(gmmu_sem *s, gmmu_range_op op);
// Returns the records, in order of (asid, start), valid until the next operation. Kept results have
// asid 1. With `split`: none.
const gmmu_range_dir *gmmu_sem_ranges(const gmmu_sem *s);
// With `split`: GMMU_RANGE_G if the newest content of some byte of [start, last] is on the GPU
// alone, else GMMU_RANGE_S if some byte is on both, else GMMU_RANGE_C.
uint8_t gmmu_sem_state(const gmmu_sem *s, uint64_t start, uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
