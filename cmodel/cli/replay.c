// SPDX-License-Identifier: Apache-2.0
// replay.c: `gmmu replay`: faults, evictions and write-backs of policies at several memory sizes.
#include "policy/replay.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/crew.h"
#include "cli/output.h"

typedef struct {
    const char *trace;
    policy_choice *policies;
    size_t policy_count;
    memory_size *sizes;
    size_t size_count;
    output_format format;
    bool notes;
    bool ideal;  // --hpe-ideal
    uint64_t seed;
    uint64_t threads;  // 0: as many as there are cores
} options;

enum { HPE_IDEAL = 256 };  // no short option

static const char columns[] =
    "trace,policy,frames,accesses,distinct,faults,cold,evictions,writebacks";

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
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
        case 'F':
            good = parse_format(arg, FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, &o->format, &err);
            break;
        case 'n':
            o->notes = true;
            break;
        case HPE_IDEAL:
            o->ideal = true;
            break;
        case 't':
            good = parse_count("--threads", arg, &o->threads, &err);
            break;
        case 's':
            good = parse_count("--seed", arg, &o->seed, &err);
            break;
        case ARGP_KEY_ARG:
            if (o->trace != NULL) {
                argp_failure(state, 2, 0, "found a second trace \"%s\", expected one", arg);
            }
            o->trace = arg;
            break;
        case ARGP_KEY_END:
            if (o->trace == NULL) {
                argp_failure(state, 2, 0,
                             "found no trace, expected a file, or - for standard input");
            }
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static void print(const options *o, const replay_run *runs, size_t count, uint32_t distinct) {
    static const char *const keys[] = {"frames", "accesses",  "distinct",  "faults",
                                       "cold",   "evictions", "writebacks"};
    enum { NUMBERS = sizeof keys / sizeof keys[0] };
    json_t *rows = o->format == FORMAT_JSON ? json_array() : NULL;
    if (o->format == FORMAT_CSV) {
        (void)printf("%s\n", columns);
    } else if (o->format == FORMAT_TABLE) {
        (void)printf("trace: %s\n%-16s", o->trace, "policy");
        for (size_t k = 0; k < NUMBERS; k++) {
            (void)printf(" %12s", keys[k]);
        }
        (void)printf("\n");
    }
    for (size_t i = 0; i < count; i++) {
        gmmu_counts n = gmmu_sim_counts(runs[i].sim);
        uint64_t value[NUMBERS] = {gmmu_sim_frames(runs[i].sim),
                                   n.accesses,
                                   distinct,
                                   n.faults,
                                   n.cold,
                                   n.evictions,
                                   n.writebacks};
        json_t *row = rows == NULL ? NULL : json_object();
        if (row != NULL) {
            (void)json_object_set_new(row, "trace", output_text(o->trace));
            (void)json_object_set_new(row, "policy", output_text(runs[i].label));
        } else if (o->format == FORMAT_CSV) {
            output_csv(o->trace);
            (void)putchar(',');
            output_csv(runs[i].label);
        } else {
            (void)printf("%-16s", runs[i].label);
        }
        for (size_t k = 0; k < NUMBERS; k++) {
            if (row != NULL) {
                output_number(row, keys[k], value[k]);
            } else {
                (void)printf(o->format == FORMAT_CSV ? ",%" PRIu64 : " %12" PRIu64, value[k]);
            }
        }
        if (row != NULL) {
            (void)json_array_append_new(rows, row);
        } else {
            (void)putchar('\n');
        }
    }
    if (rows != NULL) {
        output_json(rows);
    }
}

// Each policy that has an ideal gets its option. False: no memory.
static bool idealize(options *o) {
    for (size_t i = 0; i < o->policy_count; i++) {
        policy_choice *p = &o->policies[i];
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

// A simulation for each policy and size, in the order given.
static bool create_runs(const options *o, replay_run *runs, const gmmu_pages *pages,
                        const gmmu_future *future, gmmu_error *err) {
    for (size_t i = 0; i < o->policy_count; i++) {
        for (size_t j = 0; j < o->size_count; j++) {
            replay_run *r = &runs[i * o->size_count + j];
            gmmu_policy_config config = {
                .frames = size_frames(o->sizes[j], gmmu_pages_count(pages)),
                .pages = pages,
                .future = o->policies[i].policy->needs_future ? future : NULL,
                .options = o->policies[i].options,
                .seed = o->seed,
            };
            r->policy = o->policies[i].policy;
            r->label = o->policies[i].label;
            r->sim = gmmu_sim_create(o->policies[i].policy, &config, err);
            if (r->sim == NULL) {
                return false;
            }
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
    uint64_t n = o->threads;
    if (n == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        n = cores > 1 ? (uint64_t)cores : 1;
    }
    return (unsigned)(n < replays ? n : replays);
}

static bool replay_all(const options *o, trace_source *source, gmmu_pages *pages,
                       gmmu_future *future, replay_run *runs, gmmu_error *err) {
    bool twice = false;
    bool keep = false;
    for (size_t i = 0; i < o->policy_count; i++) {
        keep |= o->policies[i].policy->needs_future;
    }
    for (size_t j = 0; j < o->size_count; j++) {
        twice |= o->sizes[j].relative;
    }
    twice |= keep;
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    size_t count = o->policy_count * o->size_count;
    if (!source_open(source, "gmmu replay", o->trace, twice, err) ||
        (twice && !source_look_ahead(source, pages, future, keep, err)) ||
        !create_runs(o, runs, pages, future, err)) {
        return false;
    }
    crew *all = crew_create(runs, count, thread_count(o, count), err);
    bool good = all != NULL && crew_replay(all, source, pages, future, err);
    crew_destroy(all);
    if (!good) {
        return false;
    }
    double seconds = seconds_since(&start);
    (void)fprintf(stderr,
                  "gmmu replay: %" PRIu64 " walks, %zu replays, %.3f s, %.2f M accesses/s\n",
                  source->walks, count, seconds,
                  (double)source->walks * (double)count / (seconds + 1e-9) * 1e-6);
    for (size_t i = 0; o->notes && i < count; i++) {
        char text[1024];
        if (gmmu_sim_note(runs[i].sim, text, sizeof text)) {
            (void)fprintf(stderr, "note: %s frames=%u %s\n", runs[i].label,
                          gmmu_sim_frames(runs[i].sim), text);
        }
    }
    print(o, runs, count, gmmu_pages_count(pages));
    return true;
}

int cmd_replay(int argc, char **argv) {
    static const struct argp_option list[] = {
        {"policy", 'p', "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        {"frames", 'f', "LIST", 0,
         "memory sizes, comma-separated: pages, or a percentage of the distinct pages (50%,75%)",
         0},
        {"format", 'F', "FORMAT", 0, "table, csv or json (table)", 0},
        {"threads", 't', "N", 0, "cores to use (all); changes no result", 0},
        {"seed", 's', "N", 0, "of what policies do by chance (1)", 0},
        {"notes", 'n', NULL, 0, "what policies say of their state at the end, to standard error",
         0},
        {"hpe-ideal", HPE_IDEAL, NULL, 0,
         "policy hpe learns of every hit at once, without HIR: each hpe as hpe:ideal=1", 0},
        {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "TRACE",
        .doc = "Replay a walk trace: faults, evictions and write-backs.\v",
        .help_filter = policies_help};
    gmmu_error err = {""};
    options o = {.format = FORMAT_TABLE, .seed = 1};
    if (!parse_policies("lru,opt", &o.policies, &o.policy_count, &err) ||
        !parse_sizes("50%,75%", &o.sizes, &o.size_count, &err)) {
        (void)fprintf(stderr, "gmmu replay: %s\n", err.text);
        free_policies(o.policies, o.policy_count);
        return 2;
    }
    if (!parse_options(&argp, argc, argv, &o)) {
        free_policies(o.policies, o.policy_count);
        free(o.sizes);
        return 2;
    }
    size_t count = o.policy_count * o.size_count;
    trace_source source = {0};
    gmmu_future future = {0};
    gmmu_pages *pages = gmmu_pages_create();
    replay_run *runs = calloc(count, sizeof *runs);
    bool good = pages != NULL && runs != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("page map", &err);
    } else if (o.ideal && !idealize(&o)) {
        good = false;
        (void)gmmu_policy_no_memory("policies", &err);
    }
    good = good && replay_all(&o, &source, pages, &future, runs, &err);
    if (!good) {
        (void)fprintf(stderr, "gmmu replay: %s\n", err.text);
    }
    for (size_t i = 0; runs != NULL && i < count; i++) {
        gmmu_sim_destroy(runs[i].sim);
    }
    free(runs);
    gmmu_future_free(&future);
    gmmu_pages_destroy(pages);
    source_close(&source);
    free_policies(o.policies, o.policy_count);
    free(o.sizes);
    return good ? 0 : 2;
}
