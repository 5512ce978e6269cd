// SPDX-License-Identifier: Apache-2.0
// sweep_run.c: see sweep_run.h: which jobs come next, and which are another process's.
#include "cli/sweep_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/sweep_cost.h"
#include "cli/sweep_result.h"

// The grain: jobs of one trace for one reading. Enough that the reading costs a tenth of them at
// most, and otherwise no more than some seconds' work, since a result appears when its batch ends.
enum { MOST_JOBS = 64 };
static const double batch_seconds = 10;  // for each thread
static const double read_share = 9;

// The jobs of this request, in order; those of one trace together.
typedef struct {
    sweep_run *r;
    sweep_job **jobs;
    size_t count;
    size_t elsewhere;  // another process is at them
    sweep_job *batch[MOST_JOBS];
} order;

static int by_trace(const void *a, const void *b) {
    const sweep_job *x = *(sweep_job *const *)a;
    const sweep_job *y = *(sweep_job *const *)b;
    if (x->trace != y->trace) {
        return x->trace > y->trace ? 1 : -1;
    }
    if (x->cost != y->cost) {
        return x->cost < y->cost ? 1 : -1;  // the longest first
    }
    return (x > y) - (x < y);
}

// Looks whether the store has JOB's result.
static void look(const sweep_run *r, sweep_job *job) {
    sweep_result result;
    gmmu_error err;
    const gmmu_store_state state = sweep_result_get(&result, r->store, job->key, &err);
    if (state == GMMU_STORE_THERE && !(result.failed && r->o->retry)) {
        job->state = result.failed ? SWEEP_ERROR : SWEEP_DONE;
    } else if (state == GMMU_STORE_CORRUPT) {
        sweep_watch_hush(r->watch);
        (void)fprintf(stderr, "gmmu sweep: %s: made again\n", err.text);
    }
    sweep_result_free(&result);
}

// Looks for JOB, and claims it if it is missing. 1: it is claimed; 0: it is there, or another
// process is at it; -1 and *err: the store cannot be written.
static int claim(order *o, sweep_job *job, gmmu_error *err) {
    const gmmu_claim got = gmmu_store_claim(o->r->store, job->key, err);
    if (got == GMMU_CLAIM_BAD) {
        return -1;
    }
    if (got == GMMU_CLAIM_OTHER) {
        o->elsewhere++;
        return 0;
    }
    look(o->r, job);  // it may have come meanwhile
    if (job->state != SWEEP_MISSING) {
        gmmu_store_release(o->r->store, job->key);
        sweep_watch_done(o->r->watch, 1, job->cost, false);
        return 0;
    }
    return 1;
}

// Claims the next batch from job *AT on. Its jobs; 0: none are left. False and *err: the store
// cannot be written.
static bool next_batch(order *o, size_t *at, size_t *count, double *cost, gmmu_error *err) {
    *count = 0;
    *cost = 0;
    double most = 0;
    for (; *at < o->count; ++*at) {
        sweep_job *job = o->jobs[*at];
        if (job->state != SWEEP_MISSING) {
            continue;
        }
        if (*count != 0 && (job->trace != o->batch[0]->trace || *count == MOST_JOBS ||
                            (*count >= o->r->threads && *cost + job->cost > most))) {
            return true;
        }
        const int claimed = claim(o, job, err);
        if (claimed < 0) {
            return false;
        }
        if (claimed == 0) {
            continue;
        }
        if (*count == 0) {
            const double least = read_share * sweep_read_cost(job->trace);
            most = batch_seconds * o->r->threads;
            most = most < least ? least : most;
        }
        o->batch[(*count)++] = job;
        *cost += job->cost;
    }
    return true;
}

static bool run_batch(order *o, size_t count, double cost, gmmu_error *err) {
    const sweep_run *r = o->r;
    sweep_job *jobs[MOST_JOBS];
    memcpy(jobs, o->batch, count * sizeof(sweep_job *));
    bool keep = false;
    for (size_t i = 0; i < count; i++) {
        keep |= jobs[i]->as_opt || jobs[i]->choice->policy->needs_future;
    }
    sweep_watch_batch(r->watch, cost, jobs[0]->trace->walks * (keep ? 2 : 1));
    const bool good = sweep_batch(r, jobs, count, err);
    for (size_t i = 0; i < count; i++) {
        gmmu_store_release(r->store, o->batch[i]->key);
    }
    sweep_watch_done(r->watch, count, cost, true);
    return good;
}

// One way through the jobs.
static bool run_through(order *o, bool *any, gmmu_error *err) {
    size_t at = 0;
    size_t count = 0;
    double cost = 0;
    o->elsewhere = 0;
    *any = false;
    do {
        if (!next_batch(o, &at, &count, &cost, err) ||
            (count != 0 && !run_batch(o, count, cost, err))) {
            return false;
        }
        *any |= count != 0;
    } while (count != 0);
    return true;
}

bool sweep_run_all(sweep_run *r, gmmu_error *err) {
    const struct timespec pause = {.tv_nsec = 500000000};
    order o = {.r = r, .jobs = calloc(r->jobs->job_count + 1, sizeof(sweep_job *))};
    if (o.jobs == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
        return false;
    }
    double cost = 0;
    for (size_t i = 0; i < r->jobs->job_count; i++) {
        sweep_job *job = &r->jobs->jobs[i];
        if (job->shard == r->o->shard) {
            look(r, job);
        }
        if (job->shard == r->o->shard && job->state == SWEEP_MISSING) {
            o.jobs[o.count++] = job;
            cost += job->cost;
        }
    }
    qsort(o.jobs, o.count, sizeof(sweep_job *), by_trace);
    r->watch = sweep_watch_start(r->store, (unsigned)r->o->lease, o.count, cost, err);
    bool good = r->watch != NULL;
    bool any = false;
    do {
        good = good && run_through(&o, &any, err);
        if (good && o.elsewhere != 0 && !any) {
            (void)nanosleep(&pause, NULL);
        }
    } while (good && o.elsewhere != 0);
    sweep_watch_stop(r->watch);
    r->watch = NULL;
    free(o.jobs);
    return good;
}
