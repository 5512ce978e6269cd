// SPDX-License-Identifier: Apache-2.0
// crew.h: replays of several policies and sizes side by side, on several cores, over one reading of
// the trace.
//
// What each replay does depends on its own walks alone, so the number of threads changes no result.
#ifndef GMMU_CLI_CREW_H
#define GMMU_CLI_CREW_H

#include "cli/choice.h"
#include "cli/source.h"
#include "policy/replay.h"

// One replay.
typedef struct {
    gmmu_sim *sim;
    const gmmu_policy *policy;
    const char *label;
    char *own_label;  // the label, if an option was added for the size of the memory
    gmmu_error err;
    bool failed;  // the whole command fails
    bool lost;    // the policy could not go on: no row
} replay_run;

typedef struct crew crew;

// A replay by CHOICE, which must outlive RUN, with CONFIG, whose options do not count. False and
// *err on failure. replay_run_free in any case.
bool replay_run_create(replay_run *run, const policy_choice *choice, gmmu_policy_config config,
                       gmmu_error *err);
void replay_run_free(replay_run *run);

// COUNT replays, RUNS' order kept, on THREADS threads, the caller's included; the caller keeps
// RUNS. NULL and *err on failure.
crew *crew_create(replay_run *runs, size_t count, unsigned threads, gmmu_error *err);
void crew_destroy(crew *c);
// Replays the whole of SOURCE; PAGES grows. FUTURE: of source_look_ahead, or empty. A replay whose
// policy cannot go on is lost, and says so in its err. False and *err on failure, and if all
// replays are lost.
bool crew_replay(crew *c, trace_source *source, gmmu_pages *pages, const gmmu_future *future,
                 gmmu_error *err);

#endif
