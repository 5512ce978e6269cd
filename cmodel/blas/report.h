// SPDX-License-Identifier: Apache-2.0
// report.h: sums up a process's calls while they are made, and writes the report at the end.
#ifndef GMMU_BLAS_REPORT_H
#define GMMU_BLAS_REPORT_H

#include <stdatomic.h>

#include "blas/memo.h"
#include "blas/settings.h"
#include "semcache/play.h"

struct gmmu_blas_site {
    char *name, *routine;
    uint32_t number;
    atomic_uint_fast64_t below, empty;  // number of calls that are not in the trace
    uint64_t calls, flops, ns;  // counts of the calls in the trace; under the recorder's lock
};

typedef struct {
    gmmu_sem_track track;
    gmmu_sem_play *naive, *least, *most;    // `most` is NULL if all CPU accesses are known
    gmmu_sem_play *kept_least, *kept_most;  // with kept results; NULL: results are not kept
} gmmu_blas_plays;

// Creates the plays. False: no memory.
bool gmmu_blas_plays_create(gmmu_blas_plays *p, gmmu_sem_track track, bool kept);
void gmmu_blas_plays_destroy(gmmu_blas_plays *p);
bool gmmu_blas_plays_event(gmmu_blas_plays *p, const gmmu_sem_event *e);
// Plays CALL; where results are kept, MEMO and REST in place of CALL.
bool gmmu_blas_plays_memo(gmmu_blas_plays *p, const gmmu_sem_event *call,
                          const gmmu_sem_event *memo, const gmmu_sem_event *rest);

// Writes the report. BACK_END observes the accesses of the CPU; NULL: nothing does. M is NULL if no
// results are kept.
void gmmu_blas_report_write(FILE *to, const gmmu_blas_settings *s, const char *back_end,
                            const gmmu_blas_plays *p, const gmmu_blas_memos *m,
                            struct gmmu_blas_site *const *sites, uint32_t count, uint64_t ns);

#endif
