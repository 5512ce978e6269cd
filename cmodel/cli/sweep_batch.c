// SPDX-License-Identifier: Apache-2.0
// sweep_batch.c: see sweep_batch.h.
#include "cli/sweep_batch.h"

#include <stdlib.h>
#include <string.h>

#include "cli/sweep_result.h"
#include "policy/opt_faults.h"
#include "run/crew.h"

// OPT's faults with so many frames.
typedef struct {
    uint32_t frames;
    uint8_t *faults;
} beside;

typedef struct {
    const sweep_run *r;
    sweep_job **jobs;  // those that go on
    size_t count;
    gmmu_source source;
    gmmu_source_digest digest;
    gmmu_pages *pages;
    gmmu_future future;
    gmmu_replay_run *runs;
    beside *besides;
    size_t beside_count;
    bool keep;  // the trace ahead is needed
} batch;

static bool is_same(const batch *b, const sweep_trace *t, gmmu_error *err) {
    const bool same = sweep_trace_same(t, &b->digest, b->r->store, b->r->identity);
    if (!same) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.300s: found other walks than at the first reading, expected a trace that "
                       "does not change",
                       t->path);
    }
    return same;
}

static bool create_run(const batch *b, gmmu_replay_run *run, const sweep_job *job,
                       gmmu_error *err) {
    const gmmu_policy_config config = {
        .frames = job->frames,
        .tier2 = job->tier2,
        .pages = b->pages,
        .future = job->choice->policy->needs_future ? &b->future : NULL,
        .seed = job->seed,
        .page_shift = b->source.page_shift,
    };
    return gmmu_replay_run_create(run, job->choice, config, err);
}

// Counts what OPT evicts too, for a run that asks.
static bool look_beside(batch *b, const gmmu_replay_run *run, const sweep_job *job,
                        gmmu_error *err) {
    if (!job->as_opt) {
        return true;
    }
    size_t i = 0;
    while (i < b->beside_count && b->besides[i].frames != job->frames) {
        i++;
    }
    if (i == b->beside_count) {
        b->besides[i] = (beside){job->frames, gmmu_opt_faults(&b->future, job->frames, err)};
        if (b->besides[i].faults == NULL) {
            return false;
        }
        b->beside_count++;
    }
    gmmu_sim_beside_opt(run->sim, b->besides[i].faults);
    return true;
}

static bool put(const batch *b, sweep_job *job, const gmmu_replay_run *run, const char *error,
                gmmu_error *err) {
    json_t *result = sweep_result_make(job, b->r->identity, run, error);
    const bool good = gmmu_store_put(b->r->store, "rows", job->key, result, err);
    json_decref(result);
    job->state = error == NULL ? SWEEP_DONE : SWEEP_ERROR;
    if (error != NULL) {
        sweep_watch_hush(b->r->watch);
        (void)fprintf(stderr, "gmmu sweep: %s: %s with %u frames: %s\n", job->trace->path,
                      job->choice->label, job->frames, error);
    }
    return good;
}

// A simulation for each job; what has none has failed, and is in the batch no more. False and *err:
// the store cannot be written.
static bool create_runs(batch *b, gmmu_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        gmmu_error why = {""};
        gmmu_replay_run run = {0};
        const bool good =
            create_run(b, &run, b->jobs[i], &why) && look_beside(b, &run, b->jobs[i], &why);
        if (good) {
            b->runs[kept] = run;
            b->jobs[kept++] = b->jobs[i];
            continue;
        }
        gmmu_replay_run_free(&run);
        if (!put(b, b->jobs[i], NULL, why.text, err)) {
            b->count = kept;
            return false;
        }
    }
    b->count = kept;
    return true;
}

// All jobs of the batch that go on cannot be had: the trace cannot be read, or there is no memory.
static void lose(batch *b, const char *why) {
    sweep_watch_hush(b->r->watch);
    (void)fprintf(stderr, "gmmu sweep: %s\n", why);
    for (size_t i = 0; i < b->count; i++) {
        b->jobs[i]->state = SWEEP_LOST;
    }
}

static bool open_trace(batch *b, gmmu_error *err) {
    const sweep_trace *t = b->jobs[0]->trace;
    b->keep = false;
    for (size_t i = 0; i < b->count; i++) {
        b->keep |= b->jobs[i]->as_opt || b->jobs[i]->choice->policy->needs_future;
    }
    const gmmu_listener listener = sweep_watch_listener(b->r->watch);
    if (!gmmu_source_open(&b->source, t->path, &t->from, b->keep, &listener, err)) {
        return false;
    }
    gmmu_source_digest_to(&b->source, &b->digest);
    return !b->keep || (gmmu_source_look_ahead(&b->source, b->pages, &b->future, true, err) &&
                        is_same(b, t, err));
}

// Puts what each run has come to. False and *err: the store cannot be written.
static bool put_all(const batch *b, gmmu_error *err) {
    for (size_t i = 0; i < b->count; i++) {
        const gmmu_replay_run *run = &b->runs[i];
        if (!put(b, b->jobs[i], run, run->lost ? run->err.text : NULL, err)) {
            return false;
        }
    }
    return true;
}

// After a replay that ended early: puts the runs that are to blame, and keeps the others' jobs for
// another. 0: no run is to blame. -1 and *err: the store cannot be written.
static int put_failed(batch *b, gmmu_error *err) {
    size_t kept = 0;
    int failed = 0;
    for (size_t i = 0; i < b->count; i++) {
        const gmmu_replay_run *run = &b->runs[i];
        if (!run->failed && !run->lost) {
            b->jobs[kept++] = b->jobs[i];
        } else if (put(b, b->jobs[i], NULL, run->err.text, err)) {
            failed++;
        } else {
            return -1;
        }
    }
    b->count = kept;
    return failed;
}

static void close_batch(batch *b, size_t created) {
    for (size_t i = 0; i < created; i++) {
        gmmu_replay_run_free(&b->runs[i]);
    }
    for (size_t i = 0; i < b->beside_count; i++) {
        free(b->besides[i].faults);
    }
    b->beside_count = 0;
    gmmu_future_free(&b->future);
    gmmu_pages_destroy(b->pages);
    gmmu_source_close(&b->source);
}

// One reading. False and *err: the store cannot be written. *AGAIN: jobs are left, for another.
static bool read_once(batch *b, bool *again, gmmu_error *err) {
    gmmu_error why = {""};
    *again = false;
    b->source = (gmmu_source){0};
    b->future = (gmmu_future){0};
    b->pages = gmmu_pages_create();
    if (b->pages == NULL) {
        (void)gmmu_policy_no_memory("page map", &why);
        lose(b, why.text);
        return true;
    }
    if (!open_trace(b, &why)) {
        lose(b, why.text);
        close_batch(b, 0);
        return true;
    }
    bool good = create_runs(b, err);
    const size_t created = b->count;
    if (good && created != 0) {
        const unsigned threads = b->r->threads < created ? b->r->threads : (unsigned)created;
        gmmu_crew *all = gmmu_crew_create(b->runs, created, threads, &why);
        bool whole = all != NULL && gmmu_crew_replay(all, &b->source, b->pages, &b->future, &why);
        gmmu_crew_destroy(all);
        if (whole && !b->keep) {
            whole = is_same(b, b->jobs[0]->trace, &why);
            if (!whole) {
                lose(b, why.text);
                close_batch(b, created);
                return true;
            }
        }
        if (whole) {
            good = put_all(b, err);
        } else {
            const int failed = all == NULL ? 0 : put_failed(b, err);
            good = failed >= 0;
            *again = failed > 0 && b->count != 0;
            if (failed == 0) {
                lose(b, why.text);
            }
        }
    }
    close_batch(b, created);
    return good;
}

bool sweep_batch(const sweep_run *r, sweep_job **jobs, size_t count, gmmu_error *err) {
    batch b = {.r = r,
               .jobs = jobs,
               .count = count,
               .runs = calloc(count, sizeof *b.runs),
               .besides = calloc(count, sizeof *b.besides)};
    bool good = true;
    if (b.runs == NULL || b.besides == NULL) {
        lose(&b, "out of memory");
    } else {
        bool again = true;
        while (good && again) {
            good = read_once(&b, &again, err);
        }
    }
    free(b.runs);
    free(b.besides);
    return good;
}
