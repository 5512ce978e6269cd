// SPDX-License-Identifier: Apache-2.0
// sweep_watch.h: a thread beside the jobs: renews the claims, shows the progress, and ends the
// program at a signal, with nothing half done in the store.
#ifndef GMMU_CLI_SWEEP_WATCH_H
#define GMMU_CLI_SWEEP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "gmmu/trace.h"
#include "run/listener.h"
#include "sweep/store.h"

typedef struct sweep_watch sweep_watch;

// Before other threads begin. COUNT jobs of COST seconds are to be made. NULL and *err on failure.
sweep_watch *sweep_watch_start(gmmu_store *store, unsigned lease, size_t count, double cost,
                               gmmu_error *err);
// For the readings of the present batch.
gmmu_listener sweep_watch_listener(sweep_watch *w);
// A batch of COST seconds begins, which takes WALKS walks in all.
void sweep_watch_batch(sweep_watch *w, double cost, uint64_t walks);
// COUNT jobs of COST seconds are there: of the batch, or (BATCH false) others.
void sweep_watch_done(sweep_watch *w, size_t count, double cost, bool batch);
// Takes the line of progress away, for a message; it comes again. W may be NULL.
void sweep_watch_hush(sweep_watch *w);
void sweep_watch_stop(sweep_watch *w);

#endif
