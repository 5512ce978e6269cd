// SPDX-License-Identifier: Apache-2.0
// track_kinds.h: the types of track.h.
#ifndef GMMU_SEM_TRACK_KINDS_H
#define GMMU_SEM_TRACK_KINDS_H

#include "semcache/trace.h"

typedef enum {
    GMMU_TRACK_AUTO,  // userfaultfd where it works, else copies; if reads are wanted, mprotect
    GMMU_TRACK_UFFD,
    GMMU_TRACK_COMPARE,
    GMMU_TRACK_MPROTECT,
    GMMU_TRACK_BACKENDS
} gmmu_track_backend;

typedef struct {
    gmmu_sem_track mode;  // CALLS: nothing is tracked
    gmmu_track_backend backend;
    // For mprotect alone. True: only an operand lies in the page [start, last]. Other pages are
    // compared: a system call, or a handler, may need their neighbours. NULL: no page that is armed
    // in part is of an operand alone.
    bool (*alone)(void *context, uint64_t start, uint64_t last);
    void *context;
} gmmu_track_config;

// Bytes that were written, or read. CODE: the first instruction that did so, 0: not known.
typedef struct {
    uint64_t start, last;
    bool reads, writes;
    uint64_t code;
} gmmu_track_change;

typedef struct {
    uint64_t watched, compared;  // number of pages now
    uint64_t faults;             // faults that mprotect's handler took
    uint64_t crowded;  // pages that are compared because mprotect would need too many mappings
} gmmu_track_counts;

typedef struct gmmu_track gmmu_track;

#endif
