// SPDX-License-Identifier: Apache-2.0
// track_in.h: the state of a tracker, for the files track*.c: lock, and runs of pages.
#ifndef GMMU_SEM_TRACK_IN_H
#define GMMU_SEM_TRACK_IN_H

#include "semcache/track_kinds.h"
#include "semcache/track_os.h"
#include "semcache/track_pages.h"

struct gmmu_track {
    gmmu_track_config cfg;  // its back end is never AUTO
    gmmu_pages pages;
    gmmu_os_uffd uffd;
    uint64_t low, high;          // all memory that was ever armed lies between them
    uint64_t good, good_end;     // memory that is known to be readable, in this operation
    uint64_t steps, most_steps;  // mprotect: borders of protection between pages, and their limit
    uint64_t faults, crowded;
    gmmu_changes spare;  // memory of an earlier collection, for the next one
    bool gaps;           // the run under way has gaps
    char lock;
    gmmu_track *next;  // list of all trackers
};

// gmmu_track_spin waits for LOCK, and takes it. gmmu_track_hold takes T's lock and returns the
// signal mask before; gmmu_track_release gives T's lock back, with that MASK. While a thread holds
// T's lock, no signal arrives (with mprotect) and no protected memory is touched.
void gmmu_track_spin(char *lock);
uint64_t gmmu_track_hold(gmmu_track *t);
void gmmu_track_release(gmmu_track *t, uint64_t mask);

typedef bool (*gmmu_track_test)(const gmmu_leaf *l, unsigned i);
typedef void (*gmmu_track_run)(gmmu_track *t, uint64_t start, uint64_t end);
typedef void (*gmmu_track_page)(gmmu_track *t, gmmu_leaf *l, unsigned i);

// Calls ACT for each run [start, end) of pages in [start, last] for which IS holds. ACT must not
// make or free leaves.
void gmmu_track_runs(gmmu_track *t, uint64_t start, uint64_t last, gmmu_track_test is,
                     gmmu_track_run act);
// The same as gmmu_track_runs for all pages; gaps of a few pages are closed.
void gmmu_track_near_runs(gmmu_track *t, gmmu_track_test is, gmmu_track_run act);
// Calls EACH for each page of [start, end) that has a leaf, armed or not. START is the first byte
// of a page.
void gmmu_track_each(gmmu_track *t, uint64_t start, uint64_t end, gmmu_track_page each);

#endif
