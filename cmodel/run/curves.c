// SPDX-License-Identifier: Apache-2.0
// curves.c: the rows of curves, and the policies that are run at each size.
#include "run/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
static bool choose_frames(gmmu_curves *s, uint32_t distinct, gmmu_error *err) {
    uint32_t most = distinct == 0 ? 1 : distinct;
    uint64_t count = s->sizes != NULL                     ? s->size_count
                     : s->points == 0 || s->points > most ? most
                                                          : s->points;
    s->frames = calloc(count, sizeof *s->frames);
    if (s->frames == NULL) {
        return no_memory("sizes", err);
    }
    s->frame_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        if (s->sizes != NULL) {
            gmmu_size size = s->sizes[i];
            if (!gmmu_size_in_pages(&size, "--frames", s->source->page_shift, err)) {
                return false;
            }
            s->frames[i] = gmmu_size_frames(size, distinct);
        } else if (s->log && count > 1) {
            double part = (double)i / (double)(count - 1);
            s->frames[i] = (uint32_t)rint(pow(most, part));
        } else {
            s->frames[i] = (uint32_t)((i + 1) * most / count);
        }
    }
    if (s->sizes == NULL) {
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

static void count_row(gmmu_curve_row *r, gmmu_counts n, uint32_t distinct) {
    r->accesses = n.accesses;
    r->distinct = distinct;
    r->faults = n.faults;
    r->cold = n.cold;
    r->evictions = n.evictions;
    r->miss_ratio = n.accesses == 0 ? 0 : (double)n.faults / (double)n.accesses;
}

static void estimate_row(gmmu_curves *s, gmmu_curve_row *r, gmmu_policy_curve *c) {
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

// The rows of the policies that are run once per size.
static bool run_rest(gmmu_curves *s, gmmu_curve_row *rows, gmmu_error *err) {
    if (!s->runs) {
        return true;
    }
    size_t count = s->policy_count * s->frame_count;
    gmmu_run *runs = calloc(count + 1, sizeof *runs);
    size_t *rows_of = calloc(count + 1, sizeof *rows_of);
    gmmu_future future = {.count = s->kept.count};
    bool ahead = false;
    size_t n = 0;
    for (size_t i = 0; runs != NULL && rows_of != NULL && i < count; i++) {
        const gmmu_policy_curve *c = &s->curves[i / s->frame_count];
        if (c->kind == NULL) {
            const gmmu_policy *policy = c->choice->policy;
            ahead |= policy->needs_future;
            runs[n] = (gmmu_run){.policy = policy,
                                 .stop = s->source->listener.stop,
                                 .context = s->source->listener.context,
                                 .config = {.frames = (uint32_t)rows[i].frames,
                                            .pages = s->pages,
                                            .future = policy->needs_future ? &future : NULL,
                                            .options = c->choice->options,
                                            .seed = 1,
                                            .page_shift = s->source->page_shift}};
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
    good = good && gmmu_runs(&s->kept, runs, n, (unsigned)s->threads, err) == GMMU_OK;
    for (size_t i = 0; good && i < n; i++) {
        count_row(&rows[rows_of[i]], runs[i].counts, gmmu_pages_count(s->pages));
    }
    gmmu_future_free(&future);
    free(rows_of);
    free(runs);
    return good;
}

// Pages in all, estimated if only a sample was numbered.
static uint32_t distinct_pages(gmmu_curves *s) {
    if (s->number_all) {
        return gmmu_pages_count(s->pages);
    }
    double most = GMMU_MAX_PAGES;
    double distinct =
        gmmu_estimate_at(&s->curves[0].estimate, 1, s->accesses, s->set.threshold).distinct;
    return (uint32_t)rint(distinct < most ? distinct : most);
}

bool gmmu_curves_run(gmmu_curves *s, gmmu_source *source, gmmu_error *err) {
    s->source = source;
    if (!gmmu_curves_read(s, err)) {
        return false;
    }
    if (s->sampling && s->accesses != 0 && s->curves[0].estimate.sampled == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "--sample: found no page of the trace in the sample, expected a higher rate "
                       "or size=PAGES");
        return false;
    }
    if (!choose_frames(s, distinct_pages(s), err)) {
        return false;
    }
    const size_t count = s->policy_count * s->frame_count;
    s->rows = calloc(count + 1, sizeof *s->rows);
    if (s->rows == NULL) {
        return no_memory("rows", err);
    }
    for (size_t i = 0; i < count; i++) {
        gmmu_policy_curve *c = &s->curves[i / s->frame_count];
        gmmu_curve_row *r = &s->rows[i];
        r->policy = c->choice->label;
        r->frames = s->frames[i % s->frame_count];
        if (s->sampling) {
            estimate_row(s, r, c);
        } else if (c->kind != NULL) {
            count_row(r, gmmu_curve_at(&c->curve, (uint32_t)r->frames), gmmu_pages_count(s->pages));
        }
    }
    return run_rest(s, s->rows, err);
}

void gmmu_curves_free(gmmu_curves *s) {
    for (size_t i = 0; s->curves != NULL && i < s->policy_count; i++) {
        gmmu_policy_curve *c = &s->curves[i];
        if (c->exact != NULL) {
            c->kind->destroy(c->exact);
        }
        if (c->sampled != NULL) {
            c->kind->destroy(c->sampled);
        }
        gmmu_curve_free(&c->curve);
        gmmu_estimate_free(&c->estimate);
    }
    free(s->curves);
    free(s->rows);
    free(s->frames);
    free(s->touches);
    gmmu_kept_free(&s->kept);
    gmmu_sample_set_free(&s->set);
    gmmu_pages_destroy(s->pages);
}
