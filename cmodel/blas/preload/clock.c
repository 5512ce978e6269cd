// SPDX-License-Identifier: Apache-2.0
// clock.c: the clock of calls that are timed, in ns.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // clock_gettime
#endif
#include <time.h>

#include "blas/preload/preload.h"

uint64_t gmmu_blas_clock(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
