// SPDX-License-Identifier: Apache-2.0
// counter.h: a counter for all threads that costs one of them next to nothing.
#ifndef GMMU_BLAS_COUNTER_H
#define GMMU_BLAS_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A counter for all threads: the first thread that counts owns it, and pays no more than a store.
// Of the owner's calls one in GMMU_BLAS_SAMPLED may be timed. The owner has counted ROUNDS ×
// GMMU_BLAS_SAMPLED − LEFT.
enum { GMMU_BLAS_SAMPLED = 509 };  // a prime: no loop of a program has this period
typedef struct {
    uint64_t left, rounds, others;
    const void *owner;
    uint64_t samples, ns;  // calls that were timed, and their time
} gmmu_blas_counter;

// Counts for most calls. False: nothing was counted, and gmmu_blas_count is to count. SELF is an
// address that no other living thread has.
static inline bool gmmu_blas_count_fast(gmmu_blas_counter *c, const void *self) {
    const void *owner = __atomic_load_n(&c->owner, __ATOMIC_RELAXED);
    if (owner != self) {
        if (owner != NULL)
            (void)__atomic_fetch_add(&c->others, 1, __ATOMIC_RELAXED);
        return owner != NULL;
    }
    const uint64_t left = __atomic_load_n(&c->left, __ATOMIC_RELAXED);
    if (left == 0)
        return false;
    __atomic_store_n(&c->left, left - 1, __ATOMIC_RELAXED);
    return true;
}

// Counts. True: the call is one of those that are timed.
static inline bool gmmu_blas_count(gmmu_blas_counter *c, const void *self) {
    const void *none = NULL;
    if (gmmu_blas_count_fast(c, self))
        return false;
    if (__atomic_load_n(&c->owner, __ATOMIC_RELAXED) != self &&
        !__atomic_compare_exchange_n(&c->owner, &none, self, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED)) {
        (void)__atomic_fetch_add(&c->others, 1, __ATOMIC_RELAXED);
        return false;
    }
    const uint64_t rounds = __atomic_load_n(&c->rounds, __ATOMIC_RELAXED);
    __atomic_store_n(&c->left, GMMU_BLAS_SAMPLED - 1, __ATOMIC_RELAXED);
    __atomic_store_n(&c->rounds, rounds + 1, __ATOMIC_RELAXED);
    return rounds != 0;  // the first call binds names, and fills caches
}

static inline uint64_t gmmu_blas_counted(const gmmu_blas_counter *c) {
    const uint64_t rounds = __atomic_load_n(&c->rounds, __ATOMIC_RELAXED);
    return rounds * GMMU_BLAS_SAMPLED - __atomic_load_n(&c->left, __ATOMIC_RELAXED) +
           __atomic_load_n(&c->others, __ATOMIC_RELAXED);
}

// The owner's call took NS.
static inline void gmmu_blas_count_ns(gmmu_blas_counter *c, uint64_t ns) {
    __atomic_store_n(&c->samples, __atomic_load_n(&c->samples, __ATOMIC_RELAXED) + 1,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&c->ns, __atomic_load_n(&c->ns, __ATOMIC_RELAXED) + ns, __ATOMIC_RELAXED);
}

// The time of all calls, estimated from those that were timed; 0: none was.
static inline double gmmu_blas_counted_ns(const gmmu_blas_counter *c) {
    const uint64_t samples = __atomic_load_n(&c->samples, __ATOMIC_RELAXED);
    return samples == 0 ? 0
                        : (double)gmmu_blas_counted(c) *
                              (double)__atomic_load_n(&c->ns, __ATOMIC_RELAXED) / (double)samples;
}

#endif
