// SPDX-License-Identifier: Apache-2.0
// track_kinds.h: what track.h's functions are told, and tell.
#ifndef GMMU_SEM_TRACK_KINDS_H
#define GMMU_SEM_TRACK_KINDS_H

#include "semcache/trace.h"

typedef enum {
    GMMU_TRACK_AUTO,  // userfaultfd where it works, else copies; reads: mprotect
    GMMU_TRACK_UFFD,
    GMMU_TRACK_COMPARE,
    GMMU_TRACK_MPROTECT,
    GMMU_TRACK_BACKENDS
} gmmu_track_backend;

typedef struct {
    gmmu_sem_track mode;  // CALLS: nothing is tracked
    gmmu_track_backend backend;
    // mprotect alone: does nothing but an operand lie in the page [start, last]? Pages of which it
    // is not so are compared: their neighbours may be what a system call, or a handler, needs.
    // NULL: it is so of none that is armed in part.
    bool (*alone)(void *context, uint64_t start, uint64_t last);
    void *context;
} gmmu_track_config;

// Bytes that were written, or read. CODE: the instruction that did it first, 0 if it is not known.
typedef struct {
    uint64_t start, last;
    bool reads, writes;
    uint64_t code;
} gmmu_track_change;

typedef struct {
    uint64_t watched, compared;  // pages now
    uint64_t faults;             // that mprotect's handler took
    uint64_t crowded;            // pages compared, as mprotect would have needed too many mappings
} gmmu_track_counts;

typedef struct gmmu_track gmmu_track;

#endif
