// SPDX-License-Identifier: Apache-2.0
// report.h: what a process's calls came to, as they are made, and in words at its end.
#ifndef GMMU_BLAS_REPORT_H
#define GMMU_BLAS_REPORT_H

#include <stdatomic.h>

#include "blas/memo.h"
#include "blas/settings.h"
#include "semcache/play.h"

struct gmmu_blas_site {
    char *name, *routine;
    uint32_t number;
    atomic_uint_fast64_t below, empty;  // calls that are not in the trace
    uint64_t calls, flops, ns;          // of those that are; under the recorder's lock
};

typedef struct {
    gmmu_sem_track track;
    gmmu_sem_play *naive, *least, *most;    // MOST: NULL if all CPU accesses are known
    gmmu_sem_play *kept_least, *kept_most;  // with results that are kept, or NULL
} gmmu_blas_plays;

// False: no memory.
bool gmmu_blas_plays_create(gmmu_blas_plays *p, gmmu_sem_track track, bool kept);
void gmmu_blas_plays_destroy(gmmu_blas_plays *p);
bool gmmu_blas_plays_event(gmmu_blas_plays *p, const gmmu_sem_event *e);
// CALL, which is MEMO and REST where results are kept.
bool gmmu_blas_plays_memo(gmmu_blas_plays *p, const gmmu_sem_event *call,
                          const gmmu_sem_event *memo, const gmmu_sem_event *rest);

// What the CPU touches is known by BACK_END; NULL: it is not. M: NULL if no results are kept.
void gmmu_blas_report_write(FILE *to, const gmmu_blas_settings *s, const char *back_end,
                            const gmmu_blas_plays *p, const gmmu_blas_memos *m,
                            struct gmmu_blas_site *const *sites, uint32_t count, uint64_t ns);

#endif
