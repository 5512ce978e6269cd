// SPDX-License-Identifier: Apache-2.0
// replay_trace.c: see replay_trace.h.
#include "cli/replay_trace.h"

#include <inttypes.h>

#include "run/replays.h"

// What has no row, and the notes of what has one.
static void say(const replay_request *o, const gmmu_replays *r, bool *lost) {
    for (size_t i = 0; i < r->count; i++) {
        const gmmu_replay_run *run = &r->runs[i];
        if (run->lost) {
            (void)fprintf(stderr, "gmmu replay: %s with %u frames has no row: %s\n", run->label,
                          gmmu_sim_frames(run->sim), run->err.text);
            *lost = true;
        }
    }
    for (size_t i = 0; o->notes && i < r->count; i++) {
        const gmmu_replay_run *run = &r->runs[i];
        char text[1024];
        if (!run->lost && gmmu_sim_note(run->sim, text, sizeof text)) {
            (void)fprintf(stderr, "note: %s frames=%u %s\n", run->label, gmmu_sim_frames(run->sim),
                          text);
        }
    }
}

bool replay_trace(const replay_request *o, const char *path, replay_rows *rows, bool *lost,
                  gmmu_error *err) {
    gmmu_replays r = {.policies = o->a.policies,
                      .policy_count = o->a.policy_count,
                      .sizes = o->a.sizes,
                      .size_count = o->a.size_count,
                      .as_opt = o->as_opt,
                      .tiers = o->tiers,
                      .tier2 = o->tier2,
                      .seed = o->seed,
                      .distinct = o->distinct,
                      .threads = o->a.threads};
    gmmu_source source = {0};
    const bool good =
        source_open(&source, "gmmu replay", path, &o->a.from, gmmu_replays_twice(&r), err) &&
        gmmu_replays_run(&r, &source, err);
    if (good) {
        const bool several = o->trace_count > 1;
        (void)fprintf(
            stderr, "gmmu replay: %s%s%" PRIu64 " walks, %zu replays, %.3f s, %.2f M accesses/s\n",
            several ? path : "", several ? ": " : "", r.walks, r.count, r.seconds,
            (double)r.walks * (double)r.count / (r.seconds + 1e-9) * 1e-6);
        say(o, &r, lost);
        replay_rows_print(rows, path, r.runs, gmmu_pages_count(r.pages));
    }
    gmmu_replays_free(&r);
    gmmu_source_close(&source);
    return good;
}
