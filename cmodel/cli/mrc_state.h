// SPDX-License-Identifier: Apache-2.0
// mrc_state.h: what the files of `gmmu mrc` share.
//
//   command line -> mrc_options -> one reading of the trace (mrc_read.c) -> curves -> rows
//   (mrc_rows.c)
#ifndef GMMU_CLI_MRC_STATE_H
#define GMMU_CLI_MRC_STATE_H

#include "cli/arguments.h"
#include "cli/source_options.h"
#include "mrc/mrc.h"

typedef struct {
    shared_arguments a;  // without sizes: POINTS of them
    uint64_t points;     // 0: every size
    bool log;
    double rate;    // of a sample; 0: none of a fixed rate
    uint64_t most;  // pages of a sample; 0: none of a fixed size
    bool check;
} mrc_options;

// One policy's curve.
typedef struct {
    const gmmu_choice *choice;
    const gmmu_stack *kind;  // NULL: run at each size
    void *exact, *sampled;   // stacks, NULL where none is wanted
    gmmu_curve curve;
    gmmu_estimate estimate;
} mrc_curve;

// An access that was in the sample when it was read.
typedef struct {
    gmmu_touch touch;
    uint32_t hash;
} mrc_touch;

typedef struct {
    const mrc_options *o;
    gmmu_source source;
    gmmu_pages *pages;
    mrc_curve *curves;
    bool sampling;
    bool number_all;  // pages outside the sample too
    bool runs;        // some policy is run at each size
    gmmu_kept_trace kept;
    gmmu_sample_set set;
    mrc_touch *touches;  // for stacks that cannot forget a page, of a sample of fixed size
    size_t touch_count, touch_cap;
    uint64_t accesses;
    uint32_t met;  // pages numbered so far
    uint32_t *frames;
    uint32_t frame_count;
} mrc_state;

// Makes the stacks that are wanted and reads the trace once. False and *err on failure.
bool mrc_read(mrc_state *s, gmmu_error *err);
// Computes and prints the curves. False and *err on failure.
bool mrc_print(mrc_state *s, const struct timespec *start, gmmu_error *err);

#endif
