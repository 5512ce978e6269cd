// SPDX-License-Identifier: Apache-2.0
// crew.h: replays of several policies and sizes side by side, on several cores, over one reading of
// the trace.
//
// What each replay does depends on its own walks alone, so the number of threads changes no result.
#ifndef GMMU_RUN_CREW_H
#define GMMU_RUN_CREW_H

#include "policy/replay.h"
#include "run/choice.h"
#include "run/source.h"

#ifdef __cplusplus
extern "C" {
#endif

// One replay.
typedef struct {
    gmmu_sim *sim;
    const gmmu_policy *policy;
    const char *label;
    char *own_label;  // the label, if an option was added for the size of the memory
    gmmu_error err;
    bool alone;   // on the calling thread alone
    bool failed;  // the whole command fails
    bool lost;    // the policy could not go on: no row
} gmmu_replay_run;

// A replay by CHOICE, which must outlive RUN, with CONFIG; its options and context are CHOICE's.
// False and *err on failure. gmmu_replay_run_free in any case.
bool gmmu_replay_run_create(gmmu_replay_run *run, const gmmu_choice *choice,
                            gmmu_policy_config config, gmmu_error *err);
void gmmu_replay_run_free(gmmu_replay_run *run);

typedef struct gmmu_crew gmmu_crew;

// COUNT replays, RUNS' order kept, on THREADS threads, the caller's included; the caller keeps
// RUNS. NULL and *err on failure.
gmmu_crew *gmmu_crew_create(gmmu_replay_run *runs, size_t count, unsigned threads, gmmu_error *err);
void gmmu_crew_destroy(gmmu_crew *c);
// Replays the whole of SOURCE; PAGES grows. FUTURE: of gmmu_source_look_ahead, or empty. A replay
// whose policy cannot go on is lost, and says so in its err. False and *err on failure, if all
// replays are lost, and if SOURCE's listener wants the call to end.
bool gmmu_crew_replay(gmmu_crew *c, gmmu_source *source, gmmu_pages *pages,
                      const gmmu_future *future, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
