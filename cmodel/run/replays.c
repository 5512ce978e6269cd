// SPDX-License-Identifier: Apache-2.0
// replays.c: see replays.h.
#include "run/replays.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "policy/opt_faults.h"

// The pages of which sizes are percentages.
static uint32_t distinct_pages(const gmmu_replays *r) {
    return r->distinct != 0 ? (uint32_t)r->distinct : gmmu_pages_count(r->pages);
}

static bool create_run(const gmmu_replays *r, gmmu_replay_run *run, const gmmu_choice *choice,
                       gmmu_size size, gmmu_error *err) {
    const uint32_t distinct = distinct_pages(r);
    const uint32_t frames = gmmu_size_frames(size, distinct);
    const gmmu_policy_config config = {
        .frames = frames,
        .tier2 = r->tiers ? gmmu_size_tier2(r->tier2_pages, distinct, frames) : 0,
        .pages = r->pages,
        .future = choice->policy->needs_future ? &r->future : NULL,
        .seed = r->seed,
        .page_shift = r->page_shift,
    };
    return gmmu_replay_run_create(run, choice, config, err);
}

// A simulation for each policy and size, in the order given.
static bool create_runs(gmmu_replays *r, const gmmu_source *source, gmmu_error *err) {
    for (size_t i = 0; i < r->count; i++) {
        if (gmmu_source_stopped(source, err) ||
            !create_run(r, &r->runs[i], &r->policies[i / r->size_count],
                        r->size_pages[i % r->size_count], err)) {
            return false;
        }
    }
    return true;
}

// OPT's faults at each size, for the runs of that size.
static bool look_beside(gmmu_replays *r, const gmmu_source *source, gmmu_error *err) {
    for (size_t j = 0; r->as_opt && j < r->size_count; j++) {
        if (gmmu_source_stopped(source, err)) {
            return false;
        }
        r->beside[j] =
            gmmu_opt_faults(&r->future, gmmu_size_frames(r->size_pages[j], distinct_pages(r)), err);
        if (r->beside[j] == NULL) {
            return false;
        }
        for (size_t i = 0; i < r->policy_count; i++) {
            gmmu_sim_beside_opt(r->runs[i * r->size_count + j].sim, r->beside[j]);
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
static unsigned thread_count(const gmmu_replays *r) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t n = r->threads != 0 ? r->threads : cores < 1 ? 1 : (uint64_t)cores;
    n = n < r->count ? n : r->count;
    return (unsigned)(n < UINT_MAX ? n : UINT_MAX);
}

// The whole trace must be known to some policy, or for as_opt.
static bool keeps_future(const gmmu_replays *r) {
    bool keep = r->as_opt;
    for (size_t i = 0; i < r->policy_count; i++) {
        keep |= r->policies[i].policy->needs_future;
    }
    return keep;
}

bool gmmu_replays_twice(const gmmu_replays *r) {
    bool relative = r->tier2.relative;
    for (size_t j = 0; j < r->size_count; j++) {
        relative |= r->sizes[j].relative;
    }
    return keeps_future(r) || (relative && r->distinct == 0);
}

static bool no_memory(const char *what, gmmu_error *err) {
    (void)gmmu_policy_no_memory(what, err);
    return false;
}

// What the runs need: arrays, sizes in pages, the trace ahead.
static bool prepare(gmmu_replays *r, gmmu_source *source, gmmu_error *err) {
    r->count = r->policy_count * r->size_count;
    r->page_shift = source->page_shift;
    r->pages = gmmu_pages_create();
    r->size_pages = calloc(r->size_count, sizeof *r->size_pages);
    r->beside = calloc(r->size_count, sizeof *r->beside);
    r->runs = calloc(r->count, sizeof *r->runs);
    if (r->pages == NULL || r->size_pages == NULL || r->runs == NULL || r->beside == NULL) {
        return no_memory("page map", err);
    }
    for (size_t j = 0; j < r->size_count; j++) {
        r->size_pages[j] = r->sizes[j];
        if (!gmmu_size_in_pages(&r->size_pages[j], "--frames", r->page_shift, err)) {
            return false;
        }
    }
    r->tier2_pages = r->tier2;
    return gmmu_size_in_pages(&r->tier2_pages, "--tier2", r->page_shift, err) &&
           (!gmmu_replays_twice(r) ||
            gmmu_source_look_ahead(source, r->pages, &r->future, keeps_future(r), err));
}

bool gmmu_replays_run(gmmu_replays *r, gmmu_source *source, gmmu_error *err) {
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    if (!prepare(r, source, err) || !create_runs(r, source, err) || !look_beside(r, source, err)) {
        return false;
    }
    gmmu_crew *all = gmmu_crew_create(r->runs, r->count, thread_count(r), err);
    bool good = all != NULL && gmmu_crew_replay(all, source, r->pages, &r->future, err);
    gmmu_crew_destroy(all);
    if (good && r->distinct != 0 && r->distinct != gmmu_pages_count(r->pages)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--distinct: found %" PRIu64 ", expected %" PRIu32
                       ", the pages of the trace",
                       r->distinct, gmmu_pages_count(r->pages));
        return false;
    }
    r->walks = source->walks;
    r->seconds = seconds_since(&start);
    return good;
}

void gmmu_replays_free(gmmu_replays *r) {
    for (size_t i = 0; r->runs != NULL && i < r->count; i++) {
        gmmu_replay_run_free(&r->runs[i]);
    }
    for (size_t j = 0; r->beside != NULL && j < r->size_count; j++) {
        free(r->beside[j]);
    }
    free(r->beside);
    free(r->runs);
    free(r->size_pages);
    gmmu_future_free(&r->future);
    gmmu_pages_destroy(r->pages);
    r->beside = NULL;
    r->runs = NULL;
    r->size_pages = NULL;
    r->pages = NULL;
}
