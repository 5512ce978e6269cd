// SPDX-License-Identifier: Apache-2.0
// mrc.c: `gmmu mrc`: miss-ratio curves of policies, from one reading of the trace.
#include "mrc/mrc.h"

#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/output.h"
#include "policy/option.h"
#include "policy/replay.h"

enum {
    BLOCK = 256,  // walks read at a time
    AHEAD = 8,    // walks from the fetch of what a stack has of a page to its use
    MAX_THREADS = 1024
};

enum { OPTION_LOG = 256, OPTION_THREADS, OPTION_CHECK };

typedef struct {
    const char *trace;
    policy_choice *policies;
    size_t policy_count;
    memory_size *sizes;  // NULL: `points` of them
    size_t size_count;
    uint64_t points;  // 0: every size
    bool log;
    double rate;    // of a sample; 0: none of a fixed rate
    uint64_t most;  // pages of a sample; 0: none of a fixed size
    bool check;
    uint64_t threads;
    output_format format;
} options;

// One policy's curve.
typedef struct {
    const policy_choice *choice;
    const gmmu_stack *kind;  // NULL: run at each size
    void *exact, *sampled;   // stacks, NULL where none is wanted
    gmmu_curve curve;
    gmmu_estimate estimate;
} curve;

// An access that was in the sample when it was read.
typedef struct {
    gmmu_touch touch;
    uint32_t hash;
} kept_touch;

// Walks and the numbers of their pages.
typedef struct {
    gmmu_walk walks[BLOCK];
    uint32_t page[BLOCK], hash[BLOCK];
    size_t count;
} block;

typedef struct {
    const options *o;
    trace_source source;
    gmmu_pages *pages;
    curve *curves;
    bool sampling;
    bool number_all;  // pages outside the sample too
    bool runs;        // some policy is run at each size
    gmmu_kept_trace kept;
    gmmu_sample_set set;
    kept_touch *touches;  // for stacks that cannot forget a page, of a sample of fixed size
    size_t touch_count, touch_cap;
    uint64_t accesses;
    uint32_t met;  // pages numbered so far
    uint32_t *frames;
    uint32_t frame_count;
} state;

typedef struct {
    const char *policy;
    uint64_t frames, accesses, distinct, faults, cold, evictions;
    double miss_ratio, std_error, exact;
} row;

static bool parse_sample(const char *text, options *o, gmmu_error *err) {
    o->rate = 0;
    o->most = 0;
    if (strncmp(text, "size=", 5) == 0) {
        return parse_count("--sample size", text + 5, &o->most, err) &&
               (o->most <= GMMU_MAX_PAGES ||
                (snprintf(err->text, sizeof err->text,
                          "--sample size: found \"%.60s\", expected no more than %u", text + 5,
                          GMMU_MAX_PAGES),
                 false));
    }
    char *end = NULL;
    bool digit =
        strncmp(text, "rate=", 5) == 0 && ((text[5] >= '0' && text[5] <= '9') || text[5] == '.');
    double rate = digit ? strtod(text + 5, &end) : 0;
    if (digit && *end == '%') {
        rate /= 100;
        end++;
    }
    if (!digit || *end != '\0' || !(rate >= 1e-9 && rate <= 1)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--sample: found \"%.60s\", expected rate=R, R from 1e-9 to 1 or a "
                       "percentage, or size=PAGES",
                       text);
        return false;
    }
    o->rate = rate;
    return true;
}

static bool parse_points(const char *text, uint64_t *points, gmmu_error *err) {
    if (strcmp(text, "all") == 0) {
        *points = 0;
        return true;
    }
    return parse_count("--points", text, points, err) &&
           (*points <= 1000000 ||
            (snprintf(err->text, sizeof err->text,
                      "--points: found \"%.60s\", expected 1 to 1000000, or all", text),
             false));
}

static bool parse_threads(const char *text, uint64_t *threads, gmmu_error *err) {
    return parse_count("--threads", text, threads, err) &&
           (*threads <= MAX_THREADS ||
            (snprintf(err->text, sizeof err->text, "--threads: found \"%.60s\", expected 1 to %d",
                      text, MAX_THREADS),
             false));
}

static error_t parse(int key, char *arg, struct argp_state *argp) {
    options *o = argp->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case 'p':
            free_policies(o->policies, o->policy_count);
            good = parse_policies(arg, &o->policies, &o->policy_count, &err);
            break;
        case 'f':
            free(o->sizes);
            good = parse_sizes(arg, &o->sizes, &o->size_count, &err);
            break;
        case 'n':
            good = parse_points(arg, &o->points, &err);
            break;
        case OPTION_LOG:
            o->log = true;
            break;
        case 's':
            good = parse_sample(arg, o, &err);
            break;
        case OPTION_CHECK:
            o->check = true;
            break;
        case OPTION_THREADS:
            good = parse_threads(arg, &o->threads, &err);
            break;
        case 'F':
            good = parse_format(arg, FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, &o->format, &err);
            break;
        case ARGP_KEY_ARG:
            if (o->trace != NULL) {
                argp_failure(argp, 2, 0, "found a second trace \"%s\", expected one", arg);
            }
            o->trace = arg;
            break;
        case ARGP_KEY_END:
            if (o->trace == NULL) {
                argp_failure(argp, 2, 0,
                             "found no trace, expected a file, or - for standard input");
            }
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(argp, 2, 0, "%s", err.text);
    }
    return 0;
}

static bool no_memory(const char *what, gmmu_error *err) {
    (void)gmmu_policy_no_memory(what, err);
    return false;
}

// The stacks that are wanted, and what must be kept for the rest.
static bool create_curves(state *s, gmmu_error *err) {
    const options *o = s->o;
    s->sampling = o->rate != 0 || o->most != 0;
    s->number_all = !s->sampling || o->check;
    if (o->check && !s->sampling) {
        (void)snprintf(err->text, sizeof err->text,
                       "--check: found no --sample, expected one to compare with the exact curve");
        return false;
    }
    for (size_t i = 0; i < o->policy_count; i++) {
        curve *c = &s->curves[i];
        c->choice = &o->policies[i];
        const char *name = c->choice->policy->name;
        c->kind = gmmu_stack_find(name, strlen(name));
        gmmu_policy_config config = {.options = c->choice->options};
        if (c->kind != NULL && !gmmu_policy_no_options(name, &config, err)) {
            return false;
        }
        if (c->kind == NULL && s->sampling) {
            (void)snprintf(err->text, sizeof err->text,
                           "--sample: found the policy %s, expected lru, opt or leu-exact", name);
            return false;
        }
        s->runs |= c->kind == NULL;
        bool exact = c->kind != NULL && s->number_all;
        bool sampled = c->kind != NULL && s->sampling;
        c->exact = exact ? c->kind->create() : NULL;
        c->sampled = sampled ? c->kind->create() : NULL;
        if ((exact && c->exact == NULL) || (sampled && c->sampled == NULL)) {
            return no_memory(name, err);
        }
    }
    double threshold = o->rate != 0 ? rint(o->rate * (double)GMMU_SAMPLE_ALL) : 0x1p32;
    gmmu_sample_set_init(&s->set, o->most != 0 ? (uint32_t)o->most : GMMU_MAX_PAGES,
                         (uint64_t)threshold);
    return true;
}

static bool sample_access(state *s, curve *c, const gmmu_touch *touch, uint32_t hash,
                          gmmu_error *err) {
    uint32_t distance = 0;
    if (c->kind->access(c->sampled, touch, &distance, err) != GMMU_OK) {
        return false;
    }
    if (gmmu_estimate_add(&c->estimate, distance, hash, s->set.threshold) != GMMU_OK) {
        return no_memory(c->kind->policy, err);
    }
    return true;
}

// One access to a page of the sample; IS_NEW: the page's first.
static bool take_sample(state *s, const gmmu_touch *touch, uint32_t hash, bool is_new,
                        gmmu_error *err) {
    bool bounded = s->o->most != 0;
    if (bounded && is_new && gmmu_sample_set_add(&s->set, hash, touch->page) != GMMU_OK) {
        return no_memory("sample", err);
    }
    uint32_t out = 0;
    while (bounded && is_new && gmmu_sample_set_shrink(&s->set, &out)) {
        for (size_t i = 0; i < s->o->policy_count; i++) {
            if (s->curves[i].kind->forget != NULL) {
                s->curves[i].kind->forget(s->curves[i].sampled, out);
            }
        }
    }
    if (hash >= s->set.threshold) {
        return true;  // it was the page that left
    }
    bool keep = false;
    for (size_t i = 0; i < s->o->policy_count; i++) {
        curve *c = &s->curves[i];
        if (bounded && c->kind->forget == NULL) {
            keep = true;
        } else if (!sample_access(s, c, touch, hash, err)) {
            return false;
        }
    }
    if (keep && s->touch_count == s->touch_cap) {
        size_t cap = s->touch_cap == 0 ? 4096 : s->touch_cap * 2;
        kept_touch *touches = gmmu_grow(s->touches, s->touch_cap, cap, sizeof *touches, 0);
        if (touches == NULL) {
            return no_memory("sample", err);
        }
        s->touches = touches;
        s->touch_cap = cap;
    }
    if (keep) {
        s->touches[s->touch_count++] = (kept_touch){.touch = *touch, .hash = hash};
    }
    return true;
}

// Reads up to BLOCK walks and numbers their pages; those outside the sample are GMMU_NO_PAGE where
// that is all that is wanted. GMMU_END once fewer than BLOCK were left.
static int read_block(state *s, block *b, gmmu_error *err) {
    int status = GMMU_OK;
    for (b->count = 0; b->count < BLOCK; b->count++) {
        gmmu_walk *w = &b->walks[b->count];
        status = source_next(&s->source, w, err);
        if (status != GMMU_OK) {
            break;
        }
        gmmu_pages_prefetch(s->pages, w->asid, w->vpn);
    }
    for (size_t i = 0; status != GMMU_BAD && i < b->count; i++) {
        const gmmu_walk *w = &b->walks[i];
        if (s->sampling) {
            b->hash[i] = (uint32_t)gmmu_sample_hash(w->asid, w->vpn);
        }
        b->page[i] = GMMU_NO_PAGE;
        if (s->number_all || b->hash[i] < s->set.threshold) {
            b->page[i] = gmmu_pages_index(s->pages, w->asid, w->vpn);
            if (b->page[i] == GMMU_NO_PAGE) {
                return gmmu_policy_no_memory("page map", err);
            }
        }
    }
    return status;
}

static gmmu_touch touch_of(const state *s, const block *b, size_t i) {
    const gmmu_walk *w = &b->walks[i];
    return (gmmu_touch){
        .page = b->page[i], .asid = w->asid, .ref = w->ref, .time = s->accesses + i + 1};
}

static bool take_exact(const state *s, curve *c, const block *b, gmmu_error *err) {
    for (size_t i = 0; i < b->count; i++) {
        if (c->kind->prefetch != NULL && i + AHEAD < b->count) {
            c->kind->prefetch(c->exact, b->page[i + AHEAD]);
        }
        gmmu_touch touch = touch_of(s, b, i);
        uint32_t distance = 0;
        if (c->kind->access(c->exact, &touch, &distance, err) != GMMU_OK) {
            return false;
        }
        if (gmmu_curve_add(&c->curve, distance) != GMMU_OK) {
            return no_memory(c->kind->policy, err);
        }
    }
    return true;
}

static bool take_block(state *s, const block *b, gmmu_error *err) {
    for (size_t i = 0; i < s->o->policy_count; i++) {
        if (s->curves[i].exact != NULL && !take_exact(s, &s->curves[i], b, err)) {
            return false;
        }
    }
    for (size_t i = 0; s->runs && i < b->count; i++) {
        if (gmmu_kept_add(&s->kept, b->page[i], &b->walks[i]) != GMMU_OK) {
            return no_memory("trace", err);
        }
    }
    for (size_t i = 0; s->sampling && i < b->count; i++) {
        gmmu_touch touch = touch_of(s, b, i);
        bool is_new = b->page[i] == s->met;  // pages are numbered in order of appearance
        s->met += is_new ? 1 : 0;
        if (b->hash[i] < s->set.threshold && !take_sample(s, &touch, b->hash[i], is_new, err)) {
            return false;
        }
    }
    s->accesses += b->count;
    return true;
}

static bool read_trace(state *s, gmmu_error *err) {
    static block b;
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        status = read_block(s, &b, err);
        if (status == GMMU_BAD || !take_block(s, &b, err)) {
            return false;
        }
    }
    // Stacks that cannot forget a page: now the sample is known.
    for (size_t i = 0; i < s->touch_count; i++) {
        const kept_touch *k = &s->touches[i];
        for (size_t j = 0; k->hash < s->set.threshold && j < s->o->policy_count; j++) {
            curve *c = &s->curves[j];
            if (c->kind->forget == NULL && !sample_access(s, c, &k->touch, k->hash, err)) {
                return false;
            }
        }
    }
    return true;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The memory sizes: those given, in their order, or points over 1 … DISTINCT, ascending.
static bool choose_frames(state *s, uint32_t distinct, gmmu_error *err) {
    const options *o = s->o;
    uint32_t most = distinct == 0 ? 1 : distinct;
    uint64_t count = o->sizes != NULL                     ? o->size_count
                     : o->points == 0 || o->points > most ? most
                                                          : o->points;
    s->frames = calloc(count, sizeof *s->frames);
    if (s->frames == NULL) {
        return no_memory("sizes", err);
    }
    s->frame_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        if (o->sizes != NULL) {
            s->frames[i] = size_frames(o->sizes[i], distinct);
        } else if (o->log && count > 1) {
            double part = (double)i / (double)(count - 1);
            s->frames[i] = (uint32_t)rint(pow(most, part));
        } else {
            s->frames[i] = (uint32_t)((i + 1) * most / count);
        }
    }
    if (o->sizes == NULL) {
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

static void estimate_row(state *s, row *r, curve *c) {
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
static void report_error(const state *s, const curve *c, const row *rows) {
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
static bool run_rest(state *s, row *rows, gmmu_error *err) {
    if (!s->runs) {
        return true;
    }
    size_t count = s->o->policy_count * s->frame_count;
    gmmu_run *runs = calloc(count + 1, sizeof *runs);
    size_t *rows_of = calloc(count + 1, sizeof *rows_of);
    gmmu_future future = {.count = s->kept.count};
    bool ahead = false;
    size_t n = 0;
    for (size_t i = 0; runs != NULL && rows_of != NULL && i < count; i++) {
        const curve *c = &s->curves[i / s->frame_count];
        if (c->kind == NULL) {
            const gmmu_policy *policy = c->choice->policy;
            ahead |= policy->needs_future;
            runs[n] = (gmmu_run){.policy = policy,
                                 .config = {.frames = (uint32_t)rows[i].frames,
                                            .pages = s->pages,
                                            .future = policy->needs_future ? &future : NULL,
                                            .options = c->choice->options,
                                            .seed = 1}};
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
    good = good && gmmu_runs(&s->kept, runs, n, (unsigned)s->o->threads, err) == GMMU_OK;
    for (size_t i = 0; good && i < n; i++) {
        count_row(&rows[rows_of[i]], runs[i].counts, gmmu_pages_count(s->pages));
    }
    gmmu_future_free(&future);
    free(rows_of);
    free(runs);
    return good;
}

static void print(const state *s, const row *rows) {
    static const char *const keys[] = {"frames", "accesses", "distinct",
                                       "faults", "cold",     "evictions"};
    static const char *const ratios[] = {"miss_ratio", "std_error", "exact_miss_ratio"};
    enum { NUMBERS = sizeof keys / sizeof keys[0] };
    const options *o = s->o;
    const int ratio_count = !s->sampling ? 1 : o->check ? 3 : 2;
    json_t *all = o->format == FORMAT_JSON ? json_array() : NULL;
    bool csv = o->format == FORMAT_CSV;
    if (all == NULL) {
        (void)printf(csv ? "trace,policy" : "trace: %s\n%-16s", o->trace, "policy");
        for (size_t k = 0; k < NUMBERS; k++) {
            (void)printf(csv ? ",%s" : " %12s", keys[k]);
        }
        for (int k = 0; k < ratio_count; k++) {
            (void)printf(csv ? ",%s" : " %16s", ratios[k]);
        }
        (void)putchar('\n');
    }
    for (size_t i = 0; i < o->policy_count * s->frame_count; i++) {
        const row *r = &rows[i];
        const uint64_t value[NUMBERS] = {r->frames, r->accesses, r->distinct,
                                         r->faults, r->cold,     r->evictions};
        const double ratio[] = {r->miss_ratio, r->std_error, r->exact};
        json_t *object = all == NULL ? NULL : json_object();
        if (object != NULL) {
            (void)json_object_set_new(object, "trace", output_text(o->trace));
            (void)json_object_set_new(object, "policy", output_text(r->policy));
        } else if (csv) {
            output_csv(o->trace);
            (void)putchar(',');
            output_csv(r->policy);
        } else {
            (void)printf("%-16s", r->policy);
        }
        for (size_t k = 0; k < NUMBERS; k++) {
            if (object != NULL) {
                output_number(object, keys[k], value[k]);
            } else {
                (void)printf(csv ? ",%" PRIu64 : " %12" PRIu64, value[k]);
            }
        }
        for (int k = 0; k < ratio_count; k++) {
            if (object != NULL) {
                (void)json_object_set_new(object, ratios[k], json_real(ratio[k]));
            } else {
                (void)printf(csv ? ",%.6f" : " %16.6f", ratio[k]);
            }
        }
        if (object != NULL) {
            (void)json_array_append_new(all, object);
        } else {
            (void)putchar('\n');
        }
    }
    if (all != NULL) {
        output_json(all);
    }
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

// Pages in all, estimated if only a sample was numbered.
static uint32_t distinct_pages(state *s) {
    if (s->number_all) {
        return gmmu_pages_count(s->pages);
    }
    double most = GMMU_MAX_PAGES;
    double distinct =
        gmmu_estimate_at(&s->curves[0].estimate, 1, s->accesses, s->set.threshold).distinct;
    return (uint32_t)rint(distinct < most ? distinct : most);
}

static bool make_curves(state *s, gmmu_error *err) {
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    if (!create_curves(s, err) || !source_open(&s->source, "gmmu mrc", s->o->trace, false, err) ||
        !read_trace(s, err) || !choose_frames(s, distinct_pages(s), err)) {
        return false;
    }
    size_t count = s->o->policy_count * s->frame_count;
    row *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) {
        return no_memory("rows", err);
    }
    for (size_t i = 0; i < count; i++) {
        curve *c = &s->curves[i / s->frame_count];
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
        double seconds = seconds_since(&start);
        (void)fprintf(stderr,
                      "gmmu mrc: %" PRIu64 " walks, %zu curves of %" PRIu32
                      " sizes, %.3f s, "
                      "%.2f M accesses/s\n",
                      s->accesses, s->o->policy_count, s->frame_count, seconds,
                      (double)s->accesses / (seconds + 1e-9) * 1e-6);
        for (size_t i = 0; s->sampling && i < s->o->policy_count; i++) {
            report_error(s, &s->curves[i], &rows[i * s->frame_count]);
        }
        print(s, rows);
    }
    free(rows);
    return good;
}

int cmd_mrc(int argc, char **argv) {
    static const struct argp_option list[] = {
        {"policy", 'p', "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        {"points", 'n', "N", 0,
         "how many memory sizes, spread evenly up to the distinct pages, or all (32)", 0},
        {"log", OPTION_LOG, NULL, 0, "spread the sizes evenly on a logarithmic scale from 1", 0},
        {"frames", 'f', "LIST", 0,
         "these memory sizes instead, comma-separated: pages, or a percentage of the distinct "
         "pages",
         0},
        {"sample", 's', "HOW", 0,
         "estimate lru, opt and leu-exact from a sample of the pages: rate=R (0.01, 1%) or "
         "size=PAGES",
         0},
        {"check", OPTION_CHECK, NULL, 0, "with --sample: the exact curve and the error beside it",
         0},
        {"threads", OPTION_THREADS, "N", 0,
         "threads for policies that are run at each size (one a core)", 0},
        {"format", 'F', "FORMAT", 0, "table, csv or json (table)", 0},
        {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "TRACE",
        .doc =
            "Miss-ratio curves: what policies count at every memory size. lru, opt and "
            "leu-exact take one pass over the trace, other policies a run per size.\v",
        .help_filter = policies_help};
    gmmu_error err = {""};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    options o = {.format = FORMAT_TABLE,
                 .points = 32,
                 .threads = cores < 1             ? 1
                            : cores > MAX_THREADS ? MAX_THREADS
                                                  : (uint64_t)cores};
    if (!parse_policies("lru,opt", &o.policies, &o.policy_count, &err)) {
        (void)fprintf(stderr, "gmmu mrc: %s\n", err.text);
        free_policies(o.policies, o.policy_count);
        return 2;
    }
    if (!parse_options(&argp, argc, argv, &o)) {
        free_policies(o.policies, o.policy_count);
        free(o.sizes);
        return 2;
    }
    state s = {.o = &o, .pages = gmmu_pages_create()};
    s.curves = calloc(o.policy_count, sizeof *s.curves);
    bool good = s.pages != NULL && s.curves != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("page map", &err);
    }
    good = good && make_curves(&s, &err);
    if (!good) {
        (void)fprintf(stderr, "gmmu mrc: %s\n", err.text);
    }
    for (size_t i = 0; s.curves != NULL && i < o.policy_count; i++) {
        curve *c = &s.curves[i];
        if (c->exact != NULL) {
            c->kind->destroy(c->exact);
        }
        if (c->sampled != NULL) {
            c->kind->destroy(c->sampled);
        }
        gmmu_curve_free(&c->curve);
        gmmu_estimate_free(&c->estimate);
    }
    free(s.curves);
    free(s.frames);
    free(s.touches);
    gmmu_kept_free(&s.kept);
    gmmu_sample_set_free(&s.set);
    gmmu_pages_destroy(s.pages);
    source_close(&s.source);
    free_policies(o.policies, o.policy_count);
    free(o.sizes);
    return good ? 0 : 2;
}
