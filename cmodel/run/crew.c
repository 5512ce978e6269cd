// SPDX-License-Identifier: Apache-2.0
// crew.c: replays side by side. The calling thread reads a batch of walks; then all threads
// take replays, each of them over the whole batch, until none is left.
#include "run/crew.h"

#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"

// Walks that threads share: many, since a meeting of threads takes as long as hundreds of walks.
enum { SHARED = 16 * GMMU_SOURCE_BATCH };
// Most walks of a batch that was read before: the longer a replay runs, the more of its memory it
// finds in the cache.
enum { FORESEEN = 1 << 18 };
// Whether to stop is asked of each replay after some milliseconds, but no more often than after
// PIECE walks: at the end of a part of a batch no walk is fetched ahead.
enum { PIECE = 32 };
static const double part_seconds = 0.005;

struct gmmu_crew {
    gmmu_replay_run *runs;
    size_t count;
    bool page_only;
    // The batch. Alone, the walks stay where the reader decoded them.
    const gmmu_walk *walks;  // NULL: of each walk it is known whether it writes
    const uint8_t *writes;
    const uint32_t *index;
    size_t walk_count;
    gmmu_walk *own_walks;
    uint32_t *own_index;
    // The hints that stand among these walks, of which FIRST is the first one's number.
    gmmu_hint *hints;
    size_t hint_count, hint_room;
    uint64_t first;
    gmmu_pool *pool;
    size_t most;    // walks of a batch; 0 before the first
    size_t part;    // walks from one question whether to stop to the next
    size_t done;    // walks of the last batch
    size_t pooled;  // the runs that any thread may take: the first ones of ORDER
    size_t *order;  // these, then those of the calling thread
    const gmmu_listener *listener;
    struct timespec begun;  // when the last batch was asked for
};

bool gmmu_replay_run_create(gmmu_replay_run *run, const gmmu_choice *choice,
                            gmmu_policy_config config, gmmu_error *err) {
    config.context = choice->context;
    run->policy = choice->policy;
    run->label = choice->label;
    run->alone = choice->alone;
    if (!gmmu_choice_enlarge(choice, config.frames, &run->own_label)) {
        return gmmu_policy_no_memory("policies", err) == GMMU_OK;
    }
    run->label = run->own_label != NULL ? run->own_label : run->label;
    const char *colon = strchr(run->label, ':');
    config.options = colon == NULL ? NULL : colon + 1;
    run->sim = gmmu_sim_create(choice->policy, &config, err);
    return run->sim != NULL;
}

void gmmu_replay_run_free(gmmu_replay_run *run) {
    gmmu_sim_destroy(run->sim);
    free(run->own_label);
    *run = (gmmu_replay_run){0};
}

// Walks FROM to TO of the batch, with their hints.
static int replay_part(gmmu_crew *c, gmmu_replay_run *r, size_t from, size_t to) {
    if (c->walks == NULL) {
        return gmmu_sim_replay_pages(r->sim, c->index + from, c->writes + from, to - from, &r->err);
    }
    size_t first = 0;
    while (from != 0 && first < c->hint_count && c->hints[first].walk < c->first + from) {
        first++;
    }
    size_t last = c->hint_count;
    while (to != c->walk_count && last > first && c->hints[last - 1].walk >= c->first + to) {
        last--;
    }
    return gmmu_sim_replay_hinted(r->sim, c->index + from, c->walks + from, to - from,
                                  c->first + from, last == first ? NULL : c->hints + first,
                                  last - first, &r->err);
}

static bool stopped(const gmmu_crew *c) {
    return c->listener->stop != NULL && c->listener->stop(c->listener->context);
}

static void replay_one(void *context, size_t i) {
    gmmu_crew *c = context;
    gmmu_replay_run *r = &c->runs[c->order[i]];
    const size_t part = c->listener->stop != NULL ? c->part : c->walk_count;
    int status = GMMU_OK;
    size_t from = 0;
    while (!stopped(c)) {
        const size_t to = c->walk_count - from > part ? from + part : c->walk_count;
        status = r->lost ? GMMU_OK : replay_part(c, r, from, to);
        r->lost |= status == GMMU_END;
        r->failed = status == GMMU_BAD;
        from = to;
        if (from == c->walk_count || status != GMMU_OK) {
            break;
        }
    }
}

static bool replay_batch(gmmu_crew *c, const gmmu_source *source, gmmu_error *err) {
    gmmu_pool_run(c->pool, replay_one, c, c->pooled);
    c->done = c->walk_count;
    if (c->pooled != c->count) {
        if (c->listener->enter != NULL) {
            c->listener->enter(c->listener->context);
        }
        for (size_t i = c->pooled; i < c->count; i++) {
            replay_one(c, i);
        }
        if (c->listener->leave != NULL) {
            c->listener->leave(c->listener->context);
        }
    }
    size_t lost = 0;
    for (size_t i = 0; i < c->count; i++) {
        lost += c->runs[i].lost ? 1 : 0;
        if (c->runs[i].failed || lost == c->count) {
            *err = c->runs[i].err;
            return false;
        }
    }
    return !gmmu_source_stopped(source, err);
}

gmmu_crew *gmmu_crew_create(gmmu_replay_run *runs, size_t count, unsigned threads,
                            gmmu_error *err) {
    gmmu_crew *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->runs = runs;
        c->count = count;
        c->page_only = true;
        c->part = PIECE;
        c->order = calloc(count, sizeof *c->order);
        for (size_t i = 0; i < count; i++) {
            c->page_only &= runs[i].policy->page_only;
            c->pooled += runs[i].alone ? 0 : 1;
        }
        size_t pooled = 0;
        size_t others = c->pooled;
        for (size_t i = 0; c->order != NULL && i < count; i++) {
            c->order[runs[i].alone ? others++ : pooled++] = i;
        }
        c->own_walks = calloc(SHARED, sizeof *c->own_walks);
        c->own_index = calloc(SHARED, sizeof *c->own_index);
        if (c->own_walks != NULL && c->own_index != NULL && c->order != NULL) {
            c->pool = gmmu_pool_create(threads);
            return c;
        }
        gmmu_crew_destroy(c);
    }
    (void)snprintf(err->text, sizeof err->text, "found no memory for %zu replays", count);
    return NULL;
}

void gmmu_crew_destroy(gmmu_crew *c) {
    if (c != NULL) {
        gmmu_pool_destroy(c->pool);
        free(c->own_walks);
        free(c->own_index);
        free(c->hints);
        free(c->order);
        free(c);
    }
}

// How many walks come next: more and more up to LIMIT, unless a batch takes long, as of a slow
// policy with much memory. Progress is shown between batches.
static size_t batch_size(gmmu_crew *c, size_t limit) {
    static const double long_seconds = 0.1;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds =
        (double)(now.tv_sec - c->begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - c->begun.tv_nsec);
    // of one replay; the threads share the replays
    const unsigned threads = gmmu_pool_threads(c->pool);
    const size_t rounds = (c->count + threads - 1) / threads;
    const double walk = seconds / (double)rounds / (double)(c->done + 1);
    const double part = c->most == 0 ? 0 : part_seconds / (walk + 1e-12);
    c->part = part < PIECE ? PIECE : part < (double)SHARED ? (size_t)part : SHARED;
    if (c->most == 0 || seconds > long_seconds) {
        c->most = GMMU_SOURCE_BATCH;
    } else if (c->most < limit) {
        c->most *= 2;
    }
    c->begun = now;
    return c->most;
}

// The next walks out of FUTURE: their pages, and whether they write.
static int from_future(gmmu_crew *c, gmmu_source *source, const gmmu_future *future) {
    size_t most = batch_size(c, FORESEEN);
    uint64_t left = future->count - source->walks;
    c->walk_count = left < most ? (size_t)left : most;
    c->index = future->pages + source->walks;
    c->writes = future->writes + source->walks;
    c->walks = NULL;
    gmmu_source_advance(source, c->walk_count);
    return c->walk_count == 0 ? GMMU_END : GMMU_OK;
}

// Copies the hints that stand among the walks read last. False and *err: no memory.
static bool take_hints(gmmu_crew *c, const gmmu_source *source, gmmu_error *err) {
    size_t count = 0;
    const gmmu_hint *hints = gmmu_source_hints(source, &count);
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
static int read_some(gmmu_crew *c, gmmu_source *source, gmmu_error *err) {
    int status = gmmu_source_batch(source, &c->walks, &c->walk_count, err);
    return status == GMMU_BAD || take_hints(c, source, err) ? status : GMMU_BAD;
}

// The next walks out of SOURCE.
static int from_source(gmmu_crew *c, gmmu_source *source, gmmu_pages *pages, gmmu_error *err) {
    c->first = source->walks;
    c->hint_count = 0;
    int status = read_some(c, source, err);
    const size_t most = batch_size(c, gmmu_pool_threads(c->pool) != 1 ? SHARED : GMMU_SOURCE_BATCH);
    if (gmmu_pool_threads(c->pool) != 1) {
        size_t count = 0;
        while (status == GMMU_OK && count + 2 * (size_t)GMMU_SOURCE_BATCH <= most) {
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
        gmmu_source_index(pages, c->walks, c->walk_count, c->own_index, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    return status;
}

bool gmmu_crew_replay(gmmu_crew *c, gmmu_source *source, gmmu_pages *pages,
                      const gmmu_future *future, gmmu_error *err) {
    int status = GMMU_OK;
    c->listener = &source->listener;
    while (status == GMMU_OK) {
        status = c->page_only && future->pages != NULL ? from_future(c, source, future)
                                                       : from_source(c, source, pages, err);
        if (status == GMMU_BAD || !replay_batch(c, source, err)) {
            gmmu_source_hush(source);
            return false;
        }
    }
    gmmu_source_hush(source);
    return true;
}
