// SPDX-License-Identifier: Apache-2.0
// guard.h: SemCache's two ways to learn what the CPU accesses (AlSaber and Kulkarni, ICS '13,
// §4.5), before a runtime: guards in the program, and protection of pages.
//
// Instrumented (§4.5.1): the program says what it will read and write. To say it too early, too
// widely or twice costs transfers, and is never wrong. Pages (§4.5.2): memory of gmmu_sem_malloc is
// protected by the state of its ranges; what is touched is brought whole, a range a fault. Linux;
// not for several threads at once. In page mode the runtime runs within a handler of SIGSEGV, at
// accesses to memory of gmmu_sem_malloc only: no call of malloc is interrupted by it.
#ifndef GMMU_SEM_GUARD_H
#define GMMU_SEM_GUARD_H

#include "semcache/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GMMU_GUARD_INSTRUMENTED, GMMU_GUARD_PAGES } gmmu_guard_mode;

typedef struct gmmu_guard gmmu_guard;

// A runtime behind guards. NULL: no memory, a configuration that is wrong, no handler of SIGSEGV.
gmmu_guard *gmmu_guard_create(gmmu_guard_mode mode, const gmmu_sem_config *config,
                              const gmmu_sem_gpu *gpu);
void gmmu_guard_destroy(gmmu_guard *g);  // with all memory of gmmu_sem_malloc
gmmu_sem *gmmu_guard_runtime(gmmu_guard *g);

// Zeroed memory that begins with a page and has its pages for itself. NULL: none. Other memory may
// be an operand, too; in page mode its accesses are told by guards.
void *gmmu_sem_malloc(gmmu_guard *g, size_t bytes);
void gmmu_sem_give(gmmu_guard *g, void *p);

// Before the CPU reads, or writes, N bytes from P.
void gmmu_sem_read_cpu(gmmu_guard *g, const void *p, size_t n);
void gmmu_sem_write_cpu(gmmu_guard *g, void *p, size_t n);

// As gmmu_sem_begin, gmmu_sem_end, gmmu_sem_computed.
bool gmmu_guard_begin(gmmu_guard *g, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base);
void gmmu_guard_end(gmmu_guard *g, const gmmu_sem_operand *operand, uint32_t n);
bool gmmu_guard_computed(gmmu_guard *g, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                         uint64_t bytes, uint64_t *base, uint64_t *from);

// The runtime is at work, maybe within the handler.
bool gmmu_guard_busy(const gmmu_guard *g);
uint64_t gmmu_guard_faults(const gmmu_guard *g);

#ifdef __cplusplus
}
#endif
#endif
