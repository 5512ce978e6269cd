// SPDX-License-Identifier: Apache-2.0
// crew.c: the replays of `gmmu replay`. The calling thread reads a batch of walks; then all threads
// take replays, each of them over the whole batch, until none is left.
#include "cli/crew.h"

#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"

// Walks that threads share: many, since a meeting of threads takes as long as hundreds of walks.
enum { SHARED = 16 * SOURCE_BATCH };

struct crew {
    replay_run *runs;
    size_t count;
    bool page_only;
    // The batch. Alone, the walks stay where the reader decoded them.
    const gmmu_walk *walks;
    const uint32_t *index;
    size_t walk_count;
    gmmu_walk *own_walks;
    uint32_t *own_index;
    // The hints that stand among these walks, of which FIRST is the first one's number.
    gmmu_hint *hints;
    size_t hint_count, hint_room;
    uint64_t first;
    gmmu_pool *pool;
    size_t most;            // walks of a batch; 0 before the first
    struct timespec begun;  // when the last batch was asked for
};

bool replay_run_create(replay_run *run, const policy_choice *choice, gmmu_policy_config config,
                       gmmu_error *err) {
    run->policy = choice->policy;
    run->label = choice->label;
    if (!choice_enlarge(choice, config.frames, &run->own_label)) {
        return gmmu_policy_no_memory("policies", err) == GMMU_OK;
    }
    run->label = run->own_label != NULL ? run->own_label : run->label;
    const char *colon = strchr(run->label, ':');
    config.options = colon == NULL ? NULL : colon + 1;
    run->sim = gmmu_sim_create(choice->policy, &config, err);
    return run->sim != NULL;
}

void replay_run_free(replay_run *run) {
    gmmu_sim_destroy(run->sim);
    free(run->own_label);
    *run = (replay_run){0};
}

static void replay_one(void *context, size_t i) {
    crew *c = context;
    replay_run *r = &c->runs[i];
    if (!r->lost) {
        int status = gmmu_sim_replay_hinted(r->sim, c->index, c->walks, c->walk_count, c->first,
                                            c->hints, c->hint_count, &r->err);
        r->lost = status == GMMU_END;
        r->failed = status == GMMU_BAD;
    }
}

static bool replay_batch(crew *c, gmmu_error *err) {
    gmmu_pool_run(c->pool, replay_one, c, c->count);
    size_t lost = 0;
    for (size_t i = 0; i < c->count; i++) {
        lost += c->runs[i].lost ? 1 : 0;
        if (c->runs[i].failed || lost == c->count) {
            *err = c->runs[i].err;
            return false;
        }
    }
    return true;
}

crew *crew_create(replay_run *runs, size_t count, unsigned threads, gmmu_error *err) {
    crew *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->runs = runs;
        c->count = count;
        c->page_only = true;
        for (size_t i = 0; i < count; i++) {
            c->page_only &= runs[i].policy->page_only;
        }
        c->own_walks = calloc(SHARED, sizeof *c->own_walks);
        c->own_index = calloc(SHARED, sizeof *c->own_index);
        if (c->own_walks != NULL && c->own_index != NULL) {
            c->pool = gmmu_pool_create(threads);
            return c;
        }
        crew_destroy(c);
    }
    (void)snprintf(err->text, sizeof err->text, "found no memory for %zu replays", count);
    return NULL;
}

void crew_destroy(crew *c) {
    if (c != NULL) {
        gmmu_pool_destroy(c->pool);
        free(c->own_walks);
        free(c->own_index);
        free(c->hints);
        free(c);
    }
}

// How many walks the threads share next: more and more, unless a batch takes long, as of a slow
// policy with much memory. Progress is shown between batches.
static size_t batch_size(crew *c) {
    static const double long_seconds = 0.1;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds =
        (double)(now.tv_sec - c->begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - c->begun.tv_nsec);
    if (c->most == 0 || seconds > long_seconds) {
        c->most = SOURCE_BATCH;
    } else if (c->most < SHARED && gmmu_pool_threads(c->pool) != 1) {
        c->most *= 2;
    }
    c->begun = now;
    return c->most;
}

// The next walks out of FUTURE: their pages, and whether they write.
static int from_future(crew *c, trace_source *source, const gmmu_future *future) {
    size_t most = batch_size(c);
    uint64_t left = future->count - source->walks;
    c->walk_count = left < most ? (size_t)left : most;
    c->index = future->pages + source->walks;
    for (size_t i = 0; i < c->walk_count; i++) {
        c->own_walks[i].write = future->writes[source->walks + i] != 0;
    }
    c->walks = c->own_walks;
    source_advance(source, c->walk_count);
    return c->walk_count == 0 ? GMMU_END : GMMU_OK;
}

// Copies the hints that stand among the walks read last. False and *err: no memory.
static bool take_hints(crew *c, const trace_source *source, gmmu_error *err) {
    size_t count = 0;
    const gmmu_hint *hints = source_hints(source, &count);
    if (c->hint_count + count > c->hint_room) {
        size_t room = 2 * (c->hint_count + count);
        gmmu_hint *bigger = gmmu_grow(c->hints, c->hint_room, room, sizeof *bigger, 0);
        if (bigger == NULL) {
            return gmmu_policy_no_memory("hints", err) == GMMU_OK;
        }
        c->hints = bigger;
        c->hint_room = room;
    }
    if (count != 0) {
        memcpy(c->hints + c->hint_count, hints, count * sizeof *hints);
    }
    c->hint_count += count;
    return true;
}

// The next walks that SOURCE has at hand, with their hints.
static int read_some(crew *c, trace_source *source, gmmu_error *err) {
    int status = source_batch(source, &c->walks, &c->walk_count, err);
    return status == GMMU_BAD || take_hints(c, source, err) ? status : GMMU_BAD;
}

// The next walks out of SOURCE.
static int from_source(crew *c, trace_source *source, gmmu_pages *pages, gmmu_error *err) {
    c->first = source->walks;
    c->hint_count = 0;
    int status = read_some(c, source, err);
    if (gmmu_pool_threads(c->pool) != 1) {
        size_t count = 0;
        const size_t most = batch_size(c);
        while (status == GMMU_OK && count + 2 * (size_t)SOURCE_BATCH <= most) {
            memcpy(c->own_walks + count, c->walks, c->walk_count * sizeof *c->walks);
            count += c->walk_count;
            status = read_some(c, source, err);
        }
        memcpy(c->own_walks + count, c->walks, c->walk_count * sizeof *c->walks);
        c->walk_count += count;
        c->walks = c->own_walks;
    }
    c->index = c->own_index;
    if (status != GMMU_BAD &&
        source_index(pages, c->walks, c->walk_count, c->own_index, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    return status;
}

bool crew_replay(crew *c, trace_source *source, gmmu_pages *pages, const gmmu_future *future,
                 gmmu_error *err) {
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        status = c->page_only && future->pages != NULL ? from_future(c, source, future)
                                                       : from_source(c, source, pages, err);
        if (status == GMMU_BAD || !replay_batch(c, err)) {
            source_hush(source);
            return false;
        }
    }
    source_hush(source);
    return true;
}
