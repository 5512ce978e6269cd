// SPDX-License-Identifier: Apache-2.0
// semcache.h: SemCache (AlSaber and Kulkarni, ICS '13) to the letter: the directory of §4.2, the
// protocol of Fig. 5, the computation caches of Fig. 8, the matrix multiply of Fig. 11, and what it
// is compared with (§3, Fig. 9).
//
// With their faults, which docs/papers/semcache.md lists and `semcache_test` shows: what the paper
// says, not what is right. docs/reference/blocks/range_dir.md is. Where the paper is silent stands
// the reading that is best for it, and a comment.
#ifndef GMMU_EXACT_SEMCACHE_H
#define GMMU_EXACT_SEMCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// No address in GPU memory.
#define GMMU_EXACT_SEM_NOWHERE UINT64_MAX

typedef enum { GMMU_EXACT_SEM_C, GMMU_EXACT_SEM_G, GMMU_EXACT_SEM_S } gmmu_exact_sem_status;

// A translation record; [cpu_s, cpu_e). CPU_E of 0 would be the end of the address space: the
// paper's ranges cannot reach it.
typedef struct {
    uint64_t cpu_s, cpu_e;
    uint64_t gpu_s;  // putative: valid in S and G
    uint64_t hits;
    gmmu_exact_sem_status status;
} gmmu_exact_sem_record;

// A call of DGEMM, column-major; addresses are the CPU's.
typedef struct {
    char transa, transb;  // 'N', 'T'
    uint64_t m, n, k;
    double alpha, beta;
    uint64_t a, lda, b, ldb, c, ldc;
} gmmu_exact_sem_gemm;

// The GPU, and the transfers.
typedef struct {
    uint64_t (*allocate)(void *context, uint64_t bytes);  // NOWHERE: there is no room
    void (*release)(void *context, uint64_t gpu);
    void (*up)(void *context, uint64_t cpu, uint64_t gpu, uint64_t bytes);
    void (*down)(void *context, uint64_t cpu, uint64_t gpu, uint64_t bytes);
    // the kernel; a, b, c are the GPU's
    void (*gemm)(void *context, const gmmu_exact_sem_gemm *call, uint64_t a, uint64_t b,
                 uint64_t c);
    void *context;
} gmmu_exact_sem_gpu;

typedef struct gmmu_exact_sem gmmu_exact_sem;

// NULL, or false, when there is no memory.
gmmu_exact_sem *gmmu_exact_sem_create(const gmmu_exact_sem_gpu *gpu);
void gmmu_exact_sem_destroy(gmmu_exact_sem *m);

// The records, in order of their start; how often lookup() was called.
const gmmu_exact_sem_record *gmmu_exact_sem_records(const gmmu_exact_sem *m, size_t *n);
uint64_t gmmu_exact_sem_lookups(const gmmu_exact_sem *m);

// §4.2. lookup() gives the record's place; the next call of any of these ends its life.
gmmu_exact_sem_record *gmmu_exact_sem_lookup(gmmu_exact_sem *m, uint64_t s, uint64_t e);
void gmmu_exact_sem_to_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_to_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_invalidate_on_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_invalidate_on_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);

// Fig. 5; *ENTRY is the record, as it is then.
bool gmmu_exact_sem_write_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_read_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_write_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_read_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry);

// §5, Fig. 8: the GPU's address of COMPUTATION's result for [s, e), which COMPUTE makes if there is
// none; *elided: there was one.
bool gmmu_exact_sem_computed(gmmu_exact_sem *m, unsigned computation, uint64_t s, uint64_t e,
                             uint64_t (*compute)(void *context, uint64_t s, uint64_t e),
                             uint64_t *result, bool *elided);

// Fig. 11, with or without WRITEBACK.
bool gmmu_exact_sem_dgemm(gmmu_exact_sem *m, bool writeback, const gmmu_exact_sem_gemm *call);

// The same multiply without a cache, in isolation: §3, (i) to (iv), sends A and B; Fig. 9 sends C
// too.
void gmmu_exact_sem_alone(const gmmu_exact_sem_gpu *gpu, bool fig9,
                          const gmmu_exact_sem_gemm *call);

#ifdef __cplusplus
}
#endif
#endif
