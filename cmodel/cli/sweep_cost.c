// SPDX-License-Identifier: Apache-2.0
// sweep_cost.c: see sweep_cost.h.
#include "cli/sweep_cost.h"

#include <stdlib.h>
#include <string.h>

// What a walk takes, in nanoseconds, with memory for half of the pages: measured on recorded traces
// by scripts/sweep_weights.py. A policy that is not here counts as the last row.
static const struct {
    const char *name, *option;  // the option is among the policy's, or NULL
    double walk;
} weights[] = {
    {"leu", "duel=1", 300},     {"leu", NULL, 130},        {"leu2", NULL, 600},
    {"leu-host", NULL, 1100},   {"leu-exact", NULL, 3800}, {"tier", NULL, 120},
    {"hpe", NULL, 100},         {"hinted", NULL, 500},     {"hinted-known", NULL, 500},
    {"uvm", NULL, 1900},        {"osl", NULL, 70},         {"osl-rank", NULL, 800},
    {"hawkeye", NULL, 45},      {"mockingjay", NULL, 140}, {"gmt-reuse", NULL, 60},
    {"gmt-foretold", NULL, 45}, {NULL, NULL, 25},
};

// To decode a walk, number its page and, for policies that look ahead, keep it.
static const double read_ns = 40;

static double cost_of(const sweep_job *job) {
    const gmmu_choice *p = job->choice;
    size_t i = 0;
    while (weights[i].name != NULL &&
           (strcmp(weights[i].name, p->policy->name) != 0 ||
            (weights[i].option != NULL &&
             (p->options == NULL || strstr(p->options, weights[i].option) == NULL)))) {
        i++;
    }
    return (double)job->trace->walks * weights[i].walk * 1e-9;
}

double sweep_read_cost(const sweep_trace *t) {
    return (double)t->walks * read_ns * 1e-9;
}

// Jobs of one trace that stay together, since a shard reads the trace for them.
typedef struct {
    size_t first, count;  // among the jobs in order
    double cost;
} portion;

typedef struct {
    size_t job;
    const sweep_job *of;
} placed;

static int by_trace(const void *a, const void *b) {
    const placed *x = a;
    const placed *y = b;
    if (x->of->trace != y->of->trace) {
        return x->of->trace > y->of->trace ? 1 : -1;
    }
    if (x->of->cost != y->of->cost) {
        return x->of->cost < y->of->cost ? 1 : -1;
    }
    return strcmp(x->of->key, y->of->key);
}

static int by_cost(const void *a, const void *b) {
    const portion *x = a;
    const portion *y = b;
    if (x->cost != y->cost) {
        return x->cost < y->cost ? 1 : -1;
    }
    return (x->first > y->first) - (x->first < y->first);
}

// Cuts the ordered jobs into portions of about an eighth of a shard, none of two traces.
static size_t cut(const sweep_jobs *jobs, const placed *order, unsigned shards, portion *portions) {
    enum { EACH = 8 };
    double all = 0;
    for (size_t i = 0; i < jobs->job_count; i++) {
        all += jobs->jobs[i].cost;
    }
    const double most = all / ((double)shards * EACH);
    size_t count = 0;
    for (size_t i = 0; i < jobs->job_count; i++) {
        const sweep_job *job = order[i].of;
        portion *last = count == 0 ? NULL : &portions[count - 1];
        if (last == NULL || order[last->first].of->trace != job->trace ||
            last->cost + job->cost > most) {
            last = &portions[count++];
            *last = (portion){.first = i, .cost = sweep_read_cost(job->trace)};
        }
        last->count++;
        last->cost += job->cost;
    }
    return count;
}

bool sweep_shards(sweep_jobs *jobs, unsigned shards, gmmu_error *err) {
    placed *order = calloc(jobs->job_count + 1, sizeof *order);
    portion *portions = calloc(jobs->job_count + 1, sizeof *portions);
    double *load = calloc(shards, sizeof *load);
    const bool good = order != NULL && portions != NULL && load != NULL;
    if (good) {
        for (size_t i = 0; i < jobs->job_count; i++) {
            jobs->jobs[i].cost = cost_of(&jobs->jobs[i]);
            order[i] = (placed){i, &jobs->jobs[i]};
        }
        qsort(order, jobs->job_count, sizeof *order, by_trace);
        const size_t count = cut(jobs, order, shards, portions);
        qsort(portions, count, sizeof *portions, by_cost);
        for (size_t i = 0; i < count; i++) {  // the next largest goes where least is
            unsigned least = 0;
            for (unsigned s = 1; s < shards; s++) {
                least = load[s] < load[least] ? s : least;
            }
            load[least] += portions[i].cost;
            for (size_t k = 0; k < portions[i].count; k++) {
                jobs->jobs[order[portions[i].first + k].job].shard = least + 1;
            }
        }
    } else {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
    }
    free(order);
    free(portions);
    free(load);
    return good;
}
