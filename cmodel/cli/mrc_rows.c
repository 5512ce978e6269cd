// SPDX-License-Identifier: Apache-2.0
// mrc_rows.c: what `gmmu mrc` prints of its curves, and of the policies that it runs at each size.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "cli/mrc_state.h"
#include "cli/table.h"

typedef struct {
    const char *policy;
    uint64_t frames, accesses, distinct, faults, cold, evictions;
    double miss_ratio, std_error, exact;
} row;

static bool no_memory(const char *what, gmmu_error *err) {
    (void)gmmu_policy_no_memory(what, err);
    return false;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The memory sizes: those given, in their order, or points over 1 … DISTINCT, ascending.
static bool choose_frames(mrc_state *s, uint32_t distinct, gmmu_error *err) {
    const mrc_options *o = s->o;
    uint32_t most = distinct == 0 ? 1 : distinct;
    uint64_t count = o->a.sizes != NULL                   ? o->a.size_count
                     : o->points == 0 || o->points > most ? most
                                                          : o->points;
    s->frames = calloc(count, sizeof *s->frames);
    if (s->frames == NULL) {
        return no_memory("sizes", err);
    }
    s->frame_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        if (o->a.sizes != NULL) {
            gmmu_size size = o->a.sizes[i];
            if (!gmmu_size_in_pages(&size, "--frames", s->source.page_shift, err)) {
                return false;
            }
            s->frames[i] = gmmu_size_frames(size, distinct);
        } else if (o->log && count > 1) {
            double part = (double)i / (double)(count - 1);
            s->frames[i] = (uint32_t)rint(pow(most, part));
        } else {
            s->frames[i] = (uint32_t)((i + 1) * most / count);
        }
    }
    if (o->a.sizes == NULL) {
        qsort(s->frames, s->frame_count, sizeof *s->frames, ascending);
        uint32_t kept = 1;
        for (uint32_t i = 1; i < s->frame_count; i++) {
            if (s->frames[i] != s->frames[kept - 1]) {
                s->frames[kept++] = s->frames[i];
            }
        }
        s->frame_count = kept;
    }
    return true;
}

static void count_row(row *r, gmmu_counts n, uint32_t distinct) {
    r->accesses = n.accesses;
    r->distinct = distinct;
    r->faults = n.faults;
    r->cold = n.cold;
    r->evictions = n.evictions;
    r->miss_ratio = n.accesses == 0 ? 0 : (double)n.faults / (double)n.accesses;
}

static void estimate_row(mrc_state *s, row *r, mrc_curve *c) {
    gmmu_estimate_point p =
        gmmu_estimate_at(&c->estimate, (uint32_t)r->frames, s->accesses, s->set.threshold);
    r->accesses = s->accesses;
    r->distinct = r->cold = (uint64_t)rint(p.distinct);
    r->faults = (uint64_t)rint(p.miss_ratio * (double)s->accesses);
    uint64_t filled = r->frames < r->cold ? r->frames : r->cold;
    r->evictions = r->faults > filled ? r->faults - filled : 0;
    r->miss_ratio = p.miss_ratio;
    r->std_error = p.std_error;
    if (c->exact != NULL) {
        gmmu_counts n = gmmu_curve_at(&c->curve, (uint32_t)r->frames);
        r->exact = n.accesses == 0 ? 0 : (double)n.faults / (double)n.accesses;
    }
}

// How far a sampled curve is, or may be, from the exact one: to standard error.
static void report_error(const mrc_state *s, const mrc_curve *c, const row *rows) {
    double sum = 0;
    double most = 0;
    uint64_t at = 0;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        double off = s->o->check ? fabs(rows[i].miss_ratio - rows[i].exact) : rows[i].std_error;
        sum += off;
        if (i == 0 || off > most) {
            most = off;
            at = rows[i].frames;
        }
    }
    (void)fprintf(stderr,
                  "gmmu mrc: %s: sample of %" PRIu64
                  " accesses, rate %.6f at the end; %s %.6f, "
                  "largest %.6f at %" PRIu64 " frames\n",
                  c->choice->label, c->estimate.sampled,
                  (double)s->set.threshold / (double)GMMU_SAMPLE_ALL,
                  s->o->check ? "mean absolute error" : "mean standard error", sum / s->frame_count,
                  most, at);
}

// The rows of the policies that are run once per size.
static bool run_rest(mrc_state *s, row *rows, gmmu_error *err) {
    if (!s->runs) {
        return true;
    }
    size_t count = s->o->a.policy_count * s->frame_count;
    gmmu_run *runs = calloc(count + 1, sizeof *runs);
    size_t *rows_of = calloc(count + 1, sizeof *rows_of);
    gmmu_future future = {.count = s->kept.count};
    bool ahead = false;
    size_t n = 0;
    for (size_t i = 0; runs != NULL && rows_of != NULL && i < count; i++) {
        const mrc_curve *c = &s->curves[i / s->frame_count];
        if (c->kind == NULL) {
            const gmmu_policy *policy = c->choice->policy;
            ahead |= policy->needs_future;
            runs[n] = (gmmu_run){.policy = policy,
                                 .config = {.frames = (uint32_t)rows[i].frames,
                                            .pages = s->pages,
                                            .future = policy->needs_future ? &future : NULL,
                                            .options = c->choice->options,
                                            .seed = 1,
                                            .page_shift = s->source.page_shift}};
            rows_of[n++] = i;
        }
    }
    bool good = n != 0;
    if (good && ahead) {
        future.pages = calloc(future.count + 1, sizeof *future.pages);
        for (uint64_t i = 0; future.pages != NULL && i < future.count; i++) {
            future.pages[i] = s->kept.walks[i].page;
        }
        good = future.pages != NULL &&
               gmmu_future_build(&future, gmmu_pages_count(s->pages)) == GMMU_OK;
    }
    if (!good) {
        (void)gmmu_policy_no_memory("runs", err);
    }
    good = good && gmmu_runs(&s->kept, runs, n, (unsigned)s->o->a.threads, err) == GMMU_OK;
    for (size_t i = 0; good && i < n; i++) {
        count_row(&rows[rows_of[i]], runs[i].counts, gmmu_pages_count(s->pages));
    }
    gmmu_future_free(&future);
    free(rows_of);
    free(runs);
    return good;
}

static void print(const mrc_state *s, const row *rows) {
    const mrc_options *o = s->o;
    static const table_column columns[] = {
        {"trace", 0},      {"policy", -16},         {"frames", 12},
        {"accesses", 12},  {"distinct", 12},        {"faults", 12},
        {"cold", 12},      {"evictions", 12},       {"miss_ratio", 16},
        {"std_error", 16}, {"exact_miss_ratio", 16}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const size_t count = !s->sampling ? COLUMNS - 2 : o->check ? COLUMNS : COLUMNS - 1;
    table t;
    if (o->a.format == FORMAT_TABLE) {
        (void)printf("trace: %s\n", o->a.trace);
    }
    table_begin(&t, o->a.format, columns, count);
    for (size_t i = 0; i < o->a.policy_count * s->frame_count; i++) {
        const row *r = &rows[i];
        const table_value values[COLUMNS] = {
            value_text(o->a.trace),    value_text(r->policy),      value_number(r->frames),
            value_number(r->accesses), value_number(r->distinct),  value_number(r->faults),
            value_number(r->cold),     value_number(r->evictions), value_ratio(r->miss_ratio),
            value_ratio(r->std_error), value_ratio(r->exact)};
        table_row(&t, values, NULL);
    }
    table_end(&t);
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

// Pages in all, estimated if only a sample was numbered.
static uint32_t distinct_pages(mrc_state *s) {
    if (s->number_all) {
        return gmmu_pages_count(s->pages);
    }
    double most = GMMU_MAX_PAGES;
    double distinct =
        gmmu_estimate_at(&s->curves[0].estimate, 1, s->accesses, s->set.threshold).distinct;
    return (uint32_t)rint(distinct < most ? distinct : most);
}

bool mrc_print(mrc_state *s, const struct timespec *start, gmmu_error *err) {
    if (s->sampling && s->accesses != 0 && s->curves[0].estimate.sampled == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "--sample: found no page of the trace in the sample, expected a higher rate "
                       "or size=PAGES");
        return false;
    }
    if (!choose_frames(s, distinct_pages(s), err)) {
        return false;
    }
    size_t count = s->o->a.policy_count * s->frame_count;
    row *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) {
        return no_memory("rows", err);
    }
    for (size_t i = 0; i < count; i++) {
        mrc_curve *c = &s->curves[i / s->frame_count];
        row *r = &rows[i];
        r->policy = c->choice->label;
        r->frames = s->frames[i % s->frame_count];
        if (s->sampling) {
            estimate_row(s, r, c);
        } else if (c->kind != NULL) {
            count_row(r, gmmu_curve_at(&c->curve, (uint32_t)r->frames), gmmu_pages_count(s->pages));
        }
    }
    bool good = run_rest(s, rows, err);
    if (good) {
        double seconds = seconds_since(start);
        (void)fprintf(stderr,
                      "gmmu mrc: %" PRIu64 " walks, %zu curves of %" PRIu32
                      " sizes, %.3f s, "
                      "%.2f M accesses/s\n",
                      s->accesses, s->o->a.policy_count, s->frame_count, seconds,
                      (double)s->accesses / (seconds + 1e-9) * 1e-6);
        for (size_t i = 0; s->sampling && i < s->o->a.policy_count; i++) {
            report_error(s, &s->curves[i], &rows[i * s->frame_count]);
        }
        print(s, rows);
    }
    free(rows);
    return good;
}
