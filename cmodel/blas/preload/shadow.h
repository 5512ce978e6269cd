// SPDX-License-Identifier: Apache-2.0
// shadow.h: shadow execution (GMMU_SHADOW): large blocks of the program's memory are the runtime's,
// and calls on them run on copies in a second heap, as on a GPU. What the program then touches is
// brought back page by page. For a program of one thread: with a second one it ends, unless the
// user knows that the thread touches nothing.
#ifndef GMMU_BLAS_SHADOW_H
#define GMMU_BLAS_SHADOW_H

#include "semcache/trace.h"

// The allocator behind this.
typedef struct {
    void *(*malloc)(size_t);
    void (*free)(void *);
} gmmu_blas_heap;

// With MIB of GPU memory, for the thread that calls this. IDLE threads besides may be created: they
// touch no memory of this one and call nothing of the table. False: no memory, or no handler of
// SIGSEGV.
bool gmmu_blas_shadow_begin(uint64_t mib, uint64_t idle, gmmu_blas_heap heap);
// Says on standard error what was done, if a call was seen.
void gmmu_blas_shadow_end(void);
// In a child of fork: its own calls count.
void gmmu_blas_shadow_forked(void);
// The program is about to have another thread, whose system calls and accesses nobody follows: if
// more than IDLE are there, all bytes come back, and further calls run on the CPU. Says so once.
// Before gmmu_blas_shadow_begin the thread is remembered.
void gmmu_blas_shadow_thread(void);
// Whether memory is to be taken from here now, and of this size.
bool gmmu_blas_shadow_wants(size_t bytes);
// The runtime is at work: what it asks for is not the program's.
bool gmmu_blas_shadow_busy(void);

// NULL: no memory.
void *gmmu_blas_shadow_malloc(size_t bytes);
// The bytes of the block at P; 0: it is none of these.
size_t gmmu_blas_shadow_size(const void *p);
void gmmu_blas_shadow_free(void *p);

// A system call is about to read N bytes from P, or to write there.
void gmmu_blas_shadow_touch(const void *p, size_t n, bool writes);

// Whether memory lies in a block of the runtime's.
bool gmmu_blas_shadow_has(const gmmu_sem_operand *o);
// The N operands of a call. True: it runs on the GPU, operand i at base[i]; END follows. False: it
// runs on the CPU.
bool gmmu_blas_shadow_call(const gmmu_sem_operand *operand, unsigned n, uint64_t *base);
void gmmu_blas_shadow_called(const gmmu_sem_operand *operand, unsigned n);

#endif
