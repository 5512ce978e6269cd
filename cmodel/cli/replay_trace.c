// SPDX-License-Identifier: Apache-2.0
// replay_trace.c: see replay_trace.h.
#include "cli/replay_trace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/crew.h"
#include "cli/parse.h"
#include "policy/opt_faults.h"

typedef struct {
    const replay_request *o;
    const char *path;
    trace_source source;
    gmmu_pages *pages;
    gmmu_future future;
    memory_size *sizes;  // none is in bytes
    memory_size tier2;
    replay_run *runs;  // policy by policy, of each all sizes
    size_t count;
    uint8_t **beside;  // OPT's faults at each size
} replay;

// The pages of which sizes are percentages.
static uint32_t distinct_pages(const replay *r) {
    return r->o->distinct != 0 ? (uint32_t)r->o->distinct : gmmu_pages_count(r->pages);
}

static bool create_run(const replay *r, replay_run *run, const policy_choice *choice,
                       memory_size size, gmmu_error *err) {
    const uint32_t distinct = distinct_pages(r);
    const uint32_t frames = size_frames(size, distinct);
    const gmmu_policy_config config = {
        .frames = frames,
        .tier2 = r->o->tiers ? size_tier2(r->tier2, distinct, frames) : 0,
        .pages = r->pages,
        .future = choice->policy->needs_future ? &r->future : NULL,
        .seed = r->o->seed,
        .page_shift = r->source.page_shift,
    };
    return replay_run_create(run, choice, config, err);
}

// A simulation for each policy and size, in the order given.
static bool create_runs(replay *r, gmmu_error *err) {
    const shared_arguments *a = &r->o->a;
    for (size_t i = 0; i < r->count; i++) {
        if (!create_run(r, &r->runs[i], &a->policies[i / a->size_count],
                        r->sizes[i % a->size_count], err)) {
            return false;
        }
    }
    return true;
}

// OPT's faults at each size, for the runs of that size.
static bool look_beside(replay *r, gmmu_error *err) {
    const shared_arguments *a = &r->o->a;
    for (size_t j = 0; r->o->as_opt && j < a->size_count; j++) {
        r->beside[j] =
            gmmu_opt_faults(&r->future, size_frames(r->sizes[j], distinct_pages(r)), err);
        if (r->beside[j] == NULL) {
            return false;
        }
        for (size_t i = 0; i < a->policy_count; i++) {
            gmmu_sim_beside_opt(r->runs[i * a->size_count + j].sim, r->beside[j]);
        }
    }
    return true;
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

// As many threads as were asked for, or as there are cores; no more than replays.
static unsigned thread_count(const replay *r) {
    uint64_t n = r->o->a.threads == 0 ? core_count(UINT_MAX) : r->o->a.threads;
    return (unsigned)(n < r->count ? n : r->count);
}

static bool open_trace(replay *r, gmmu_error *err) {
    const replay_request *o = r->o;
    bool keep = o->as_opt;
    for (size_t i = 0; i < o->a.policy_count; i++) {
        keep |= o->a.policies[i].policy->needs_future;
    }
    bool relative = o->tier2.relative;
    for (size_t j = 0; j < o->a.size_count; j++) {
        relative |= o->a.sizes[j].relative;
    }
    const bool twice = keep || (relative && o->distinct == 0);
    if (!source_open(&r->source, "gmmu replay", r->path, &o->a.from, twice, err)) {
        return false;
    }
    for (size_t j = 0; j < o->a.size_count; j++) {
        r->sizes[j] = o->a.sizes[j];
        if (!size_in_pages(&r->sizes[j], "--frames", r->source.page_shift, err)) {
            return false;
        }
    }
    r->tier2 = o->tier2;
    return size_in_pages(&r->tier2, "--tier2", r->source.page_shift, err) &&
           (!twice || source_look_ahead(&r->source, r->pages, &r->future, keep, err));
}

static bool run_all(replay *r, gmmu_error *err) {
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    if (!open_trace(r, err) || !create_runs(r, err) || !look_beside(r, err)) {
        return false;
    }
    crew *all = crew_create(r->runs, r->count, thread_count(r), err);
    bool good = all != NULL && crew_replay(all, &r->source, r->pages, &r->future, err);
    crew_destroy(all);
    if (good && r->o->distinct != 0 && r->o->distinct != gmmu_pages_count(r->pages)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--distinct: found %" PRIu64 ", expected %" PRIu32
                       ", the pages of the trace",
                       r->o->distinct, gmmu_pages_count(r->pages));
        return false;
    }
    double seconds = seconds_since(&start);
    if (good) {
        const bool several = r->o->trace_count > 1;
        (void)fprintf(
            stderr, "gmmu replay: %s%s%" PRIu64 " walks, %zu replays, %.3f s, %.2f M accesses/s\n",
            several ? r->path : "", several ? ": " : "", r->source.walks, r->count, seconds,
            (double)r->source.walks * (double)r->count / (seconds + 1e-9) * 1e-6);
    }
    return good;
}

// What has no row, and the notes of what has one.
static void say(const replay *r, bool *lost) {
    for (size_t i = 0; i < r->count; i++) {
        const replay_run *run = &r->runs[i];
        if (run->lost) {
            (void)fprintf(stderr, "gmmu replay: %s with %u frames has no row: %s\n", run->label,
                          gmmu_sim_frames(run->sim), run->err.text);
            *lost = true;
        }
    }
    for (size_t i = 0; r->o->notes && i < r->count; i++) {
        const replay_run *run = &r->runs[i];
        char text[1024];
        if (!run->lost && gmmu_sim_note(run->sim, text, sizeof text)) {
            (void)fprintf(stderr, "note: %s frames=%u %s\n", run->label, gmmu_sim_frames(run->sim),
                          text);
        }
    }
}

bool replay_trace(const replay_request *o, const char *path, replay_rows *rows, bool *lost,
                  gmmu_error *err) {
    replay r = {.o = o,
                .path = path,
                .pages = gmmu_pages_create(),
                .count = o->a.policy_count * o->a.size_count,
                .sizes = calloc(o->a.size_count, sizeof *r.sizes),
                .beside = calloc(o->a.size_count, sizeof *r.beside)};
    r.runs = calloc(r.count, sizeof *r.runs);
    bool good = r.pages != NULL && r.sizes != NULL && r.runs != NULL && r.beside != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("page map", err);
    }
    good = good && run_all(&r, err);
    if (good) {
        say(&r, lost);
        replay_rows_print(rows, path, r.runs, gmmu_pages_count(r.pages));
    }
    for (size_t i = 0; r.runs != NULL && i < r.count; i++) {
        replay_run_free(&r.runs[i]);
    }
    for (size_t j = 0; r.beside != NULL && j < o->a.size_count; j++) {
        free(r.beside[j]);
    }
    free(r.beside);
    free(r.runs);
    free(r.sizes);
    gmmu_future_free(&r.future);
    gmmu_pages_destroy(r.pages);
    source_close(&r.source);
    return good;
}
