// SPDX-License-Identifier: Apache-2.0
// replay.c: `gmmu replay`: faults, evictions and write-backs of policies at several memory sizes.
#include "policy/replay.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/crew.h"
#include "cli/parse.h"
#include "policy/opt_faults.h"

typedef struct {
    shared_arguments a;
    bool notes;
    bool ideal;   // --hpe-ideal
    bool as_opt;  // --as-opt
    bool tiers;   // --tier2
    memory_size tier2;
    uint64_t seed;
    uint64_t distinct;  // --distinct; 0: the trace is read twice for a percentage
} options;

enum { HPE_IDEAL = 256, AS_OPT, TIER2, DISTINCT, MOST_COLUMNS = 20 };

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case 'n':
            o->notes = true;
            break;
        case HPE_IDEAL:
            o->ideal = true;
            break;
        case AS_OPT:
            o->as_opt = true;
            break;
        case TIER2:
            o->tiers = true;
            good = parse_tier2(arg, &o->tier2, &err);
            break;
        case DISTINCT:
            good = parse_upto("--distinct", arg, 1, GMMU_MAX_PAGES, &o->distinct, &err);
            break;
        case 't':
            good = parse_count("--threads", arg, &o->a.threads, &err);
            break;
        case 's':
            good = parse_count("--seed", arg, &o->seed, &err);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

// A row: trace, policy, frames, then the counts, with the distinct pages behind the accesses, and
// those of three tiers.
static size_t row_of(const options *o, const replay_run *run, uint32_t distinct,
                     table_column columns[MOST_COLUMNS], table_value values[MOST_COLUMNS]) {
    enum { WIDTH = 12, NAME = -16 };
    const gmmu_counts counts = gmmu_sim_counts(run->sim);
    size_t n = 0;
    columns[n] = (table_column){"trace", 0};
    values[n++] = value_text(o->a.trace);
    columns[n] = (table_column){"policy", NAME};
    values[n++] = value_text(run->label);
    columns[n] = (table_column){"frames", WIDTH};
    values[n++] = value_number(gmmu_sim_frames(run->sim));
    for (const gmmu_count_column *c = gmmu_count_columns; c->name != NULL; c++) {
        columns[n] = (table_column){c->name, WIDTH};
        values[n++] = value_number(gmmu_count(&counts, c));
        if (c == gmmu_count_columns) {
            columns[n] = (table_column){"distinct", WIDTH};
            values[n++] = value_number(distinct);
        }
    }
    const gmmu_tier_counts tiers = gmmu_sim_tier_counts(run->sim);
    for (const gmmu_count_column *c = gmmu_tier_count_columns; o->tiers && c->name != NULL; c++) {
        columns[n] = (table_column){c->name, WIDTH + 3};
        values[n++] = value_number(gmmu_count(&tiers, c));
    }
    if (o->as_opt) {
        columns[n] = (table_column){"as_opt", WIDTH};
        values[n++] = value_number(gmmu_sim_as_opt(run->sim));
    }
    return n;
}

static void print(const options *o, const replay_run *runs, size_t count, uint32_t distinct) {
    table_column columns[MOST_COLUMNS];
    table_value values[MOST_COLUMNS];
    table t;
    if (o->a.format == FORMAT_TABLE) {
        (void)printf("trace: %s\n", o->a.trace);
    }
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        if (runs[i].lost) {
            continue;
        }
        size_t n = row_of(o, &runs[i], distinct, columns, values);
        if (!begun) {
            table_begin(&t, o->a.format, columns, n);
            begun = true;
        }
        table_row(&t, values, NULL);
    }
    table_end(&t);
}

// Each policy that has an ideal gets its option. False: no memory.
static bool idealize(options *o) {
    for (size_t i = 0; i < o->a.policy_count; i++) {
        policy_choice *p = &o->a.policies[i];
        if (p->policy->ideal == NULL) {
            continue;
        }
        const size_t length = strlen(p->label);
        const char *colon = p->label[length - 1] == ':' ? "" : ":";
        const size_t size = strlen(colon) + strlen(p->policy->ideal) + 1;
        char *label = gmmu_grow(p->label, length, length + size, 1, 0);
        if (label == NULL) {
            return false;
        }
        (void)snprintf(label + length, size, "%s%s", colon, p->policy->ideal);
        p->label = label;
        p->options = strchr(label, ':') + 1;
    }
    return true;
}

// The pages of which sizes are percentages.
static uint32_t distinct_pages(const options *o, const gmmu_pages *pages) {
    return o->distinct != 0 ? (uint32_t)o->distinct : gmmu_pages_count(pages);
}

// A simulation for each policy and size, in the order given.
static bool create_runs(const options *o, replay_run *runs, const gmmu_pages *pages,
                        const gmmu_future *future, unsigned page_shift, gmmu_error *err) {
    for (size_t i = 0; i < o->a.policy_count; i++) {
        for (size_t j = 0; j < o->a.size_count; j++) {
            replay_run *r = &runs[i * o->a.size_count + j];
            const uint32_t distinct = distinct_pages(o, pages);
            const uint32_t frames = size_frames(o->a.sizes[j], distinct);
            gmmu_policy_config config = {
                .frames = frames,
                .tier2 = o->tiers ? size_tier2(o->tier2, distinct, frames) : 0,
                .pages = pages,
                .future = o->a.policies[i].policy->needs_future ? future : NULL,
                .seed = o->seed,
                .page_shift = page_shift,
            };
            r->policy = o->a.policies[i].policy;
            r->label = o->a.policies[i].label;
            if (!choice_enlarge(&o->a.policies[i], frames, &r->own_label)) {
                return gmmu_policy_no_memory("policies", err) == GMMU_OK;
            }
            r->label = r->own_label != NULL ? r->own_label : r->label;
            const char *colon = strchr(r->label, ':');
            config.options = colon == NULL ? NULL : colon + 1;
            r->sim = gmmu_sim_create(o->a.policies[i].policy, &config, err);
            if (r->sim == NULL) {
                return false;
            }
        }
    }
    return true;
}

// OPT's faults at each size, in BESIDE, for the runs of that size.
static bool look_beside(const options *o, replay_run *runs, const gmmu_pages *pages,
                        const gmmu_future *future, uint8_t **beside, gmmu_error *err) {
    for (size_t j = 0; o->as_opt && j < o->a.size_count; j++) {
        const uint32_t frames = size_frames(o->a.sizes[j], distinct_pages(o, pages));
        beside[j] = gmmu_opt_faults(future, frames, err);
        if (beside[j] == NULL) {
            return false;
        }
        for (size_t i = 0; i < o->a.policy_count; i++) {
            gmmu_sim_beside_opt(runs[i * o->a.size_count + j].sim, beside[j]);
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
static unsigned thread_count(const options *o, size_t replays) {
    uint64_t n = o->a.threads == 0 ? core_count(UINT_MAX) : o->a.threads;
    return (unsigned)(n < replays ? n : replays);
}

static bool replay_all(const options *o, trace_source *source, gmmu_pages *pages,
                       gmmu_future *future, replay_run *runs, uint8_t **beside, bool *lost,
                       gmmu_error *err) {
    bool twice = false;
    bool keep = o->as_opt;
    for (size_t i = 0; i < o->a.policy_count; i++) {
        keep |= o->a.policies[i].policy->needs_future;
    }
    for (size_t j = 0; j < o->a.size_count; j++) {
        twice |= o->a.sizes[j].relative;
    }
    twice = keep || ((twice || o->tier2.relative) && o->distinct == 0);
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    size_t count = o->a.policy_count * o->a.size_count;
    if (!source_open(source, "gmmu replay", o->a.trace, &o->a.from, twice, err) ||
        (twice && !source_look_ahead(source, pages, future, keep, err)) ||
        !create_runs(o, runs, pages, future, source->page_shift, err) ||
        !look_beside(o, runs, pages, future, beside, err)) {
        return false;
    }
    crew *all = crew_create(runs, count, thread_count(o, count), err);
    bool good = all != NULL && crew_replay(all, source, pages, future, err);
    crew_destroy(all);
    if (!good) {
        return false;
    }
    if (o->distinct != 0 && o->distinct != gmmu_pages_count(pages)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--distinct: found %" PRIu64 ", expected %" PRIu32
                       ", the pages of the trace",
                       o->distinct, gmmu_pages_count(pages));
        return false;
    }
    double seconds = seconds_since(&start);
    (void)fprintf(stderr,
                  "gmmu replay: %" PRIu64 " walks, %zu replays, %.3f s, %.2f M accesses/s\n",
                  source->walks, count, seconds,
                  (double)source->walks * (double)count / (seconds + 1e-9) * 1e-6);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].lost) {
            (void)fprintf(stderr, "gmmu replay: %s with %u frames has no row: %s\n", runs[i].label,
                          gmmu_sim_frames(runs[i].sim), runs[i].err.text);
            *lost = true;
        }
    }
    for (size_t i = 0; o->notes && i < count; i++) {
        char text[1024];
        if (!runs[i].lost && gmmu_sim_note(runs[i].sim, text, sizeof text)) {
            (void)fprintf(stderr, "note: %s frames=%u %s\n", runs[i].label,
                          gmmu_sim_frames(runs[i].sim), text);
        }
    }
    print(o, runs, count, gmmu_pages_count(pages));
    return true;
}

int cmd_replay(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"policy", ARGUMENT_POLICY, "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        {"frames", ARGUMENT_FRAMES, "LIST", 0,
         "memory sizes, comma-separated: pages, or a percentage of the distinct pages (50%,75%)",
         0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 0},
        {0}};
    static const struct argp_option list[] = {
        {"threads", 't', "N", 0, "threads (one a core); no result depends on their number", 0},
        {"seed", 's', "N", 0, "seed of the random choices of policies (1)", 0},
        {"distinct", DISTINCT, "N", 0,
         "the trace has N distinct pages: a percentage then needs no second reading of the trace, "
         "which may be a pipe. Checked at the end",
         0},
        {"notes", 'n', NULL, 0, "print the state of each policy at the end, to standard error", 0},
        {"as-opt", AS_OPT, NULL, 0,
         "add the column as_opt: the evictions that opt makes too (docs/reference/policies.md)", 0},
        {"tier2", TIER2, "SIZE", 0,
         "size of Tier 2, host memory between the frames and storage: a multiple of the frames "
         "(4x), pages, or a percentage of the distinct pages. All rows get the columns tier1_hits, "
         "tier2_hits, tier3_reads, tier3_writes, wasted_lookups, tier2_puts. A policy without "
         "tiers does not use Tier 2: its faults are tier3_reads, its write-backs tier3_writes",
         0},
        {"hpe-ideal", HPE_IDEAL, NULL, 0,
         "run each policy hpe as hpe:ideal=1, which learns of every hit at once, without HIR", 0},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "TRACE",
        .doc =
            "Replay a walk trace: count faults, evictions and write-backs, and with --tier2 the "
            "hits, reads and writes of three tiers.\v",
        .children = children,
        .help_filter = policies_help};
    gmmu_error err = {""};
    options o = {.a = {.expected = trace_expected,
                       .formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON,
                       .format = FORMAT_TABLE},
                 .seed = 1};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, "lru,opt", "50%,75%")) {
        return 2;
    }
    size_t count = o.a.policy_count * o.a.size_count;
    trace_source source = {0};
    gmmu_future future = {0};
    gmmu_pages *pages = gmmu_pages_create();
    replay_run *runs = calloc(count, sizeof *runs);
    uint8_t **beside = calloc(o.a.size_count, sizeof *beside);
    bool lost = false;
    bool good = pages != NULL && runs != NULL && beside != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("page map", &err);
    } else if (o.ideal && !idealize(&o)) {
        good = false;
        (void)gmmu_policy_no_memory("policies", &err);
    }
    good = good && replay_all(&o, &source, pages, &future, runs, beside, &lost, &err);
    if (!good) {
        (void)fprintf(stderr, "gmmu replay: %s\n", err.text);
    }
    for (size_t i = 0; runs != NULL && i < count; i++) {
        gmmu_sim_destroy(runs[i].sim);
        free(runs[i].own_label);
    }
    for (size_t j = 0; beside != NULL && j < o.a.size_count; j++) {
        free(beside[j]);
    }
    free(beside);
    free(runs);
    gmmu_future_free(&future);
    gmmu_pages_destroy(pages);
    source_close(&source);
    shared_free(&o.a);
    return good && !lost ? 0 : 2;
}
