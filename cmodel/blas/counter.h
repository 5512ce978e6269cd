// SPDX-License-Identifier: Apache-2.0
// counter.h: a counter for all threads that costs one of them next to nothing.
#ifndef GMMU_BLAS_COUNTER_H
#define GMMU_BLAS_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A counter for all threads: the first thread that counts owns it, and pays no more than a store.
typedef struct {
    uint64_t mine, others;
    const void *owner;
} gmmu_blas_counter;

// SELF is an address that no other living thread has.
static inline void gmmu_blas_count(gmmu_blas_counter *c, const void *self) {
    const void *owner = __atomic_load_n(&c->owner, __ATOMIC_RELAXED);
    if (owner == NULL && __atomic_compare_exchange_n(&c->owner, &owner, self, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        owner = self;
    if (owner == self)
        __atomic_store_n(&c->mine, __atomic_load_n(&c->mine, __ATOMIC_RELAXED) + 1,
                         __ATOMIC_RELAXED);
    else
        (void)__atomic_fetch_add(&c->others, 1, __ATOMIC_RELAXED);
}

static inline uint64_t gmmu_blas_counted(const gmmu_blas_counter *c) {
    return __atomic_load_n(&c->mine, __ATOMIC_RELAXED) +
           __atomic_load_n(&c->others, __ATOMIC_RELAXED);
}

#endif
