// SPDX-License-Identifier: Apache-2.0
// guard.h: SemCache's two ways to learn the accesses of the CPU, before a runtime: guards in the
// program, and protection of pages. Source: AlSaber and Kulkarni, ICS '13, §4.5.
//
// Instrumented (§4.5.1): the program reports its reads and writes before they happen. A report that
// is too early, too wide or made twice costs transfers, and is never wrong.
//
// Pages (§4.5.2): memory of gmmu_sem_malloc is protected by the state of its ranges. A touched
// range is brought whole, one fault a range. Of records that split a touched page is brought, with
// what else is on the same grain.
//
// The guards need Linux, and are for the thread that created them. In page mode the runtime runs
// within a handler of SIGSEGV, at accesses to memory of gmmu_sem_malloc only. So the handler
// interrupts no call of malloc. Faults of other threads are not the guard's.
#ifndef GMMU_SEM_GUARD_H
#define GMMU_SEM_GUARD_H

#include "semcache/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GMMU_GUARD_INSTRUMENTED, GMMU_GUARD_PAGES } gmmu_guard_mode;

typedef struct gmmu_guard gmmu_guard;

// Creates a runtime behind guards; CONFIG and GPU are copied. NULL: no memory, a wrong
// configuration, or no handler of SIGSEGV.
gmmu_guard *gmmu_guard_create(gmmu_guard_mode mode, const gmmu_sem_config *config,
                              const gmmu_sem_gpu *gpu);
// Frees G (NULL: nothing), the runtime and all memory of gmmu_sem_malloc. Content that is newest on
// the GPU is lost.
void gmmu_guard_destroy(gmmu_guard *g);
// Returns the runtime, which is G's. In page mode calls that move bytes go through G alone.
gmmu_sem *gmmu_guard_runtime(gmmu_guard *g);

// Returns zeroed memory that begins at a page and shares no page with other memory; NULL: none.
// Other memory may be an operand, too; in page mode guards report the accesses to other memory.
void *gmmu_sem_malloc(gmmu_guard *g, size_t bytes);
// Frees memory of gmmu_sem_malloc, from its first byte P, and its ranges. Any other P does nothing.
void gmmu_sem_give(gmmu_guard *g, void *p);

// Reports that the CPU is about to read, or write, N bytes from P. In page mode the CPU may then do
// so, also by a system call.
void gmmu_sem_read_cpu(gmmu_guard *g, const void *p, size_t n);
void gmmu_sem_write_cpu(gmmu_guard *g, void *p, size_t n);

// These functions do what gmmu_sem_begin, gmmu_sem_end, gmmu_sem_computed do (runtime.h).
bool gmmu_guard_begin(gmmu_guard *g, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base);
void gmmu_guard_end(gmmu_guard *g, const gmmu_sem_operand *operand, uint32_t n);
bool gmmu_guard_computed(gmmu_guard *g, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                         uint64_t bytes, uint64_t *base, uint64_t *from);

// For tests, in a call: makes BYTE of the CPU's copy of what the call writes to O.
void gmmu_guard_overwrite(gmmu_guard *g, const gmmu_sem_operand *o, int byte);
// True: the runtime is at work, maybe within the handler.
bool gmmu_guard_busy(const gmmu_guard *g);
// Returns the number of faults that the guards have taken; 0 in instrumented mode.
uint64_t gmmu_guard_faults(const gmmu_guard *g);

#ifdef __cplusplus
}
#endif
#endif
