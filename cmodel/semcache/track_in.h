// SPDX-License-Identifier: Apache-2.0
// track_in.h: a tracker from within: its lock, runs of its pages.
#ifndef GMMU_SEM_TRACK_IN_H
#define GMMU_SEM_TRACK_IN_H

#include "semcache/track_kinds.h"
#include "semcache/track_os.h"
#include "semcache/track_pages.h"

struct gmmu_track {
    gmmu_track_config cfg;  // backend: never AUTO
    gmmu_pages pages;
    gmmu_os_uffd uffd;
    uint64_t low, high;          // what was ever armed lies within
    uint64_t good, good_end;     // known to be readable, in this operation
    uint64_t steps, most_steps;  // mprotect: borders between pages that are protected otherwise
    uint64_t faults, crowded;
    gmmu_changes spare;  // the memory of an earlier collection
    bool gaps;           // in the run under way
    char lock;
    gmmu_track *next;  // of all
};

// No signal comes, and nothing that is protected is touched, while the lock is held.
void gmmu_track_spin(char *lock);
uint64_t gmmu_track_hold(gmmu_track *t);
void gmmu_track_release(gmmu_track *t, uint64_t mask);

typedef bool (*gmmu_track_test)(const gmmu_leaf *l, unsigned i);
typedef void (*gmmu_track_run)(gmmu_track *t, uint64_t start, uint64_t end);
typedef void (*gmmu_track_page)(gmmu_track *t, gmmu_leaf *l, unsigned i);

// DO for each run of pages in [start, last] of which IS holds; for each page of [start, end).
void gmmu_track_runs(gmmu_track *t, uint64_t start, uint64_t last, gmmu_track_test is,
                     gmmu_track_run act);
// The same for all pages, with gaps of a few pages closed.
void gmmu_track_near_runs(gmmu_track *t, gmmu_track_test is, gmmu_track_run act);
void gmmu_track_each(gmmu_track *t, uint64_t start, uint64_t end, gmmu_track_page each);

#endif
