// SPDX-License-Identifier: Apache-2.0
// semcache.h: SemCache to the letter: the directory of §4.2, the protocol of Fig. 5, the
// computation caches of Fig. 8, the matrix multiply of Fig. 11, and the two baselines (§3, Fig. 9).
// Source: AlSaber and Kulkarni, ICS '13.
//
// The model has the faults of the paper, which docs/papers/semcache.md lists and `semcache_test`
// shows: the model does what the paper says. The right rules are in
// docs/reference/blocks/range_dir.md. Where the paper is silent, a comment says so, and the model
// has the reading that is best for the paper.
#ifndef GMMU_EXACT_SEMCACHE_H
#define GMMU_EXACT_SEMCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The value of an address that is not in GPU memory.
#define GMMU_EXACT_SEM_NOWHERE UINT64_MAX

typedef enum { GMMU_EXACT_SEM_C, GMMU_EXACT_SEM_G, GMMU_EXACT_SEM_S } gmmu_exact_sem_status;

// A translation record of the bytes [cpu_s, cpu_e). CPU_E of 0 would be the end of the address
// space: the paper's ranges cannot reach that end.
typedef struct {
    uint64_t cpu_s, cpu_e;
    uint64_t gpu_s;  // valid in S and G only
    uint64_t hits;
    gmmu_exact_sem_status status;
} gmmu_exact_sem_record;

// A call of DGEMM, column-major; addresses are those of the CPU.
typedef struct {
    char transa, transb;  // 'N', 'T'
    uint64_t m, n, k;
    double alpha, beta;
    uint64_t a, lda, b, ldb, c, ldc;
} gmmu_exact_sem_gemm;

// Functions of the user: the GPU and the transfers.
typedef struct {
    uint64_t (*allocate)(void *context, uint64_t bytes);  // GMMU_EXACT_SEM_NOWHERE: no room
    void (*release)(void *context, uint64_t gpu);
    void (*up)(void *context, uint64_t cpu, uint64_t gpu, uint64_t bytes);
    void (*down)(void *context, uint64_t cpu, uint64_t gpu, uint64_t bytes);
    // The kernel; a, b, c are addresses of the GPU.
    void (*gemm)(void *context, const gmmu_exact_sem_gemm *call, uint64_t a, uint64_t b,
                 uint64_t c);
    void *context;
} gmmu_exact_sem_gpu;

typedef struct gmmu_exact_sem gmmu_exact_sem;

// Functions of this file return NULL, or false: no memory.
gmmu_exact_sem *gmmu_exact_sem_create(const gmmu_exact_sem_gpu *gpu);
void gmmu_exact_sem_destroy(gmmu_exact_sem *m);

// Return the records, in order of their start, and the number of calls of lookup().
const gmmu_exact_sem_record *gmmu_exact_sem_records(const gmmu_exact_sem *m, size_t *n);
uint64_t gmmu_exact_sem_lookups(const gmmu_exact_sem *m);

// The operations of §4.2. lookup() returns a record, which is valid until the next call of any of
// these functions.
gmmu_exact_sem_record *gmmu_exact_sem_lookup(gmmu_exact_sem *m, uint64_t s, uint64_t e);
void gmmu_exact_sem_to_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_to_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_invalidate_on_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);
void gmmu_exact_sem_invalidate_on_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry);

// The operations of Fig. 5. *ENTRY is the record after the operation.
bool gmmu_exact_sem_write_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_read_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_write_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry);
bool gmmu_exact_sem_read_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry);

// Returns in *result the GPU's address of the result of COMPUTATION for [s, e) (§5, Fig. 8).
// COMPUTE makes the result if there is none. *elided: there was a result.
bool gmmu_exact_sem_computed(gmmu_exact_sem *m, unsigned computation, uint64_t s, uint64_t e,
                             uint64_t (*compute)(void *context, uint64_t s, uint64_t e),
                             uint64_t *result, bool *elided);

// The multiply of Fig. 11, with or without WRITEBACK.
bool gmmu_exact_sem_dgemm(gmmu_exact_sem *m, bool writeback, const gmmu_exact_sem_gemm *call);

// The same multiply without a cache, by itself. §3, (i) to (iv), sends A and B; Fig. 9 sends C,
// too.
void gmmu_exact_sem_alone(const gmmu_exact_sem_gpu *gpu, bool fig9,
                          const gmmu_exact_sem_gemm *call);

#ifdef __cplusplus
}
#endif
#endif
