// SPDX-License-Identifier: Apache-2.0
// sweep.c: `gmmu sweep`: the replays of many traces, policies, memory sizes and configurations,
// each kept in a folder that processes and machines share.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/sweep_cost.h"
#include "cli/sweep_plan.h"
#include "cli/sweep_run.h"
#include "cli/sweep_table.h"
#include "sweep/sha256.h"

enum {
    OPT_STORE = 0x100,
    OPT_SHARD,
    OPT_LIST,
    OPT_COLLECT,
    OPT_PARTIAL,
    OPT_RETRY,
    OPT_LEASE,
    OPT_PROGRAM,
    OPT_TIER2,
    OPT_AS_OPT,
    OPT_CONFIG,
    MOST_SHARDS = 100000,
    MOST_LEASE = 86400
};

static bool is_plan(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

// A plan, or one more trace.
static bool add_argument(sweep_request *o, const char *path, gmmu_error *err) {
    if (strcmp(path, "-") == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "found -, expected a file: jobs read a trace again");
        return false;
    }
    if (is_plan(path)) {
        if (o->plan != NULL) {
            (void)snprintf(err->text, sizeof err->text, "found a second plan %.200s, expected one",
                           path);
            return false;
        }
        o->plan = path;
        return true;
    }
    const char **more =
        gmmu_grow(o->traces, o->trace_count, o->trace_count + 1, sizeof *o->traces, 0);
    if (more == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
        return false;
    }
    o->traces = more;
    o->traces[o->trace_count++] = path;
    return true;
}

static bool parse_shard(const char *text, sweep_request *o, gmmu_error *err) {
    const char *p = text;
    bool good = gmmu_parse_digits(&p, &o->shard) && *p++ == '/';
    good = good && gmmu_parse_digits(&p, &o->shards) && *p == '\0' && o->shard >= 1 &&
           o->shard <= o->shards && o->shards <= MOST_SHARDS;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "--shard: found \"%.60s\", expected I/N with I from 1 to N, at most %d",
                       text, MOST_SHARDS);
    }
    return good;
}

// The command line as a whole.
static void check(const sweep_request *o, const struct argp_state *state) {
    if (o->plan == NULL && o->trace_count == 0) {
        argp_failure(state, 2, 0, "found no plan and no trace, expected PLAN.json or a file");
    }
    if (o->store == NULL) {
        argp_failure(state, 2, 0, "found no --store, expected the folder of the results");
    }
    if (o->action == SWEEP_RUN && o->output != NULL) {
        argp_failure(state, 2, 0, "found --output, expected it with --collect or --list");
    }
    if (o->action != SWEEP_RUN && o->retry) {
        argp_failure(state, 2, 0, "found --retry, expected it without --collect and --list");
    }
    if (o->no_header && o->a.format != FORMAT_CSV) {
        argp_failure(state, 2, 0, "found --no-header, expected it with --format csv");
    }
    if (o->action != SWEEP_COLLECT && (o->partial || o->ratios || o->notes)) {
        argp_failure(state, 2, 0, "found %s, expected it with --collect",
                     o->partial  ? "--partial"
                     : o->ratios ? "--ratios"
                                 : "--notes");
    }
}

static bool choose_action(sweep_request *o, sweep_action action, gmmu_error *err) {
    const bool good = o->action == SWEEP_RUN || o->action == action;
    o->action = action;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "found --collect and --list, expected one of them");
    }
    return good;
}

static error_t parse_key(int key, char *arg, struct argp_state *state) {
    sweep_request *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case 'o':
            o->output = arg;
            break;
        case 'H':
            o->no_header = true;
            break;
        case 'r':
            o->ratios = true;
            break;
        case 'n':
            o->notes = true;
            break;
        case 't':
            good = parse_upto("--threads", arg, 1, MOST_THREADS, &o->a.threads, &err);
            break;
        case 's':
            good = parse_count("--seed", arg, &o->base.seed, &err);
            break;
        case OPT_AS_OPT:
            o->base.as_opt = true;
            break;
        case OPT_TIER2:
            o->base.tiers = true;
            good = gmmu_parse_tier2(arg, &o->base.tier2, &err);
            break;
        case OPT_CONFIG:
            o->configurations = arg;
            break;
        case OPT_STORE:
            o->store = arg;
            break;
        case OPT_SHARD:
            good = parse_shard(arg, o, &err);
            break;
        case OPT_LIST:
            good = choose_action(o, SWEEP_LIST, &err);
            break;
        case OPT_COLLECT:
            good = choose_action(o, SWEEP_COLLECT, &err);
            break;
        case OPT_PARTIAL:
            o->partial = true;
            break;
        case OPT_RETRY:
            o->retry = true;
            break;
        case OPT_LEASE:
            good = parse_upto("--lease", arg, 1, MOST_LEASE, &o->lease, &err);
            break;
        case OPT_PROGRAM:
            o->program = arg;
            break;
        case ARGP_KEY_ARG:
            good = add_argument(o, arg, &err);
            break;
        case ARGP_KEY_END:
            check(o, state);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static void say(const char *text) {
    (void)fprintf(stderr, "gmmu sweep: %s\n", text);
}

// What the lines of the plan have come to. 0: all are there; 1: not so.
static int conclude(const sweep_request *o, const sweep_tally *tally) {
    (void)fprintf(stderr, "gmmu sweep: %zu of %zu rows are there", tally->done, tally->all);
    if (tally->failed != 0 || tally->missing != 0) {
        (void)fprintf(stderr, ", %zu failed, %zu missing", tally->failed, tally->missing);
    }
    (void)fprintf(stderr, " (%s)\n", o->store);
    return tally->done == tally->all ? 0 : 1;
}

// Each problem once: of a trace that cannot be read all lines say the same.
static void say_problems(const sweep_jobs *jobs) {
    const char *last = "";
    for (size_t i = 0; i < jobs->line_count; i++) {
        const char *problem = jobs->lines[i].problem;
        if (problem != NULL && strcmp(problem, last) != 0) {
            const char *name = jobs->lines[i].name;
            const bool named = strstr(problem, name) != NULL;
            (void)fprintf(stderr, "gmmu sweep: %s%s%s\n", named ? "" : name, named ? "" : ": ",
                          problem);
            last = problem;
        }
    }
}

// Standard output becomes the file of -o, which is neither the plan nor one of its traces.
static bool open_output(const sweep_request *o, const sweep_jobs *jobs, gmmu_error *err) {
    const char **inputs = output_room(jobs->trace_count + 1, sizeof *inputs);
    for (size_t i = 0; i < jobs->trace_count; i++) {
        inputs[i] = jobs->traces[i].path;
    }
    inputs[jobs->trace_count] = o->plan;
    const bool good = output_to(o->output, inputs, jobs->trace_count + 1, err);
    free((void *)inputs);
    return good;
}

static int print(const sweep_request *o, sweep_jobs *jobs, const sweep_plan *plan,
                 const gmmu_store *store) {
    gmmu_error err = {""};
    const sweep_tally tally = sweep_look(o, jobs, store);
    const bool whole = tally.done == tally.all;
    if (o->action == SWEEP_COLLECT && !whole && !o->partial) {
        (void)fprintf(stderr,
                      "gmmu sweep: found %zu of %zu rows (%zu failed, %zu missing), expected all; "
                      "--partial prints what is there\n",
                      tally.done, tally.all, tally.failed, tally.missing);
        return 1;
    }
    if (o->output != NULL && !open_output(o, jobs, &err)) {
        say(err.text);
        return 2;
    }
    if (o->action == SWEEP_LIST) {
        sweep_print_list(o, jobs, store);
    } else if (!sweep_print_results(o, jobs, plan, store, &err)) {
        say(err.text);
        output_discard();
        return 1;
    }
    return o->action == SWEEP_LIST || !whole ? conclude(o, &tally) && o->action == SWEEP_LIST : 0;
}

static int run(const sweep_request *o, sweep_jobs *jobs, gmmu_store *store, const char *identity,
               unsigned threads) {
    gmmu_error err = {""};
    sweep_run r = {.o = o, .jobs = jobs, .store = store, .identity = identity, .threads = threads};
    const bool good = sweep_run_all(&r, &err);
    if (!good) {
        say(err.text);
    }
    const sweep_tally tally = sweep_look(o, jobs, store);
    return conclude(o, &tally) != 0 || !good ? 1 : 0;
}

// A store to read alone is enough where results are only collected, or the folder cannot be
// written.
static gmmu_store *open_store(const sweep_request *o, gmmu_error *err) {
    gmmu_store *store =
        o->action == SWEEP_COLLECT ? NULL : gmmu_store_join(o->store, (unsigned)o->lease, err);
    return store != NULL || o->action == SWEEP_RUN ? store : gmmu_store_look(o->store, err);
}

static int sweep(const sweep_request *o, const sweep_plan *plan) {
    char digest[GMMU_SHA256_HEX];
    gmmu_error err = {""};
    const char *identity = o->program == NULL ? digest : o->program;
    gmmu_store *store = o->program != NULL || gmmu_sha256_file("/proc/self/exe", digest, &err)
                            ? open_store(o, &err)
                            : NULL;
    if (store == NULL) {
        say(err.text);
        return 2;
    }
    const unsigned threads = o->a.threads == 0 ? core_count(MOST_THREADS) : (unsigned)o->a.threads;
    sweep_jobs jobs;
    int status = 2;
    if (sweep_jobs_make(&jobs, plan, threads, store, identity, &err) &&
        sweep_shards(&jobs, (unsigned)o->shards, &err)) {
        say_problems(&jobs);
        status = o->action == SWEEP_RUN ? run(o, &jobs, store, identity, threads)
                                        : print(o, &jobs, plan, store);
    } else {
        say(err.text);
    }
    sweep_jobs_free(&jobs);
    gmmu_store_leave(store);
    gmmu_store_free(store);
    return status;
}

int cmd_sweep(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"policy", ARGUMENT_POLICY, "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        ARGUMENT_PLUGIN_OPTION,
        {"frames", ARGUMENT_FRAMES, "LIST", 0,
         "memory sizes, comma-separated, as of gmmu replay (50%,75%)", 0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0,
         "of --collect and --list: table, csv or json (table)", 0},
        {0}};
    static const struct argp_option list[] = {
        {"store", OPT_STORE, "DIR", 0,
         "the folder of the results, which processes and machines may share; made if it is not "
         "there",
         0},
        {"config", OPT_CONFIG, "LIST", 0,
         "configurations of the unit, comma-separated: policies with the option config are "
         "replayed "
         "with each of them, the others once",
         0},
        {"tier2", OPT_TIER2, "SIZE", 0, "size of Tier 2, as of gmmu replay", 0},
        {"seed", 's', "N", 0, "seed of the random choices of policies (1)", 0},
        {"as-opt", OPT_AS_OPT, NULL, 0,
         "also count the evictions that opt makes too, for the column as_opt", 0},
        {"threads", 't', "N", 0, "threads (one a core); no result depends on their number", 0},
        {"shard", OPT_SHARD, "I/N", 0,
         "only part I of N of the jobs, from 1; the parts take about the same time, and depend on "
         "the plan and the traces alone",
         0},
        {"list", OPT_LIST, NULL, 0,
         "print the jobs with key, state (done, error, running, missing, unreadable) and about how "
         "many seconds of a core they take; the traces that are not known yet are read",
         0},
        {"collect", OPT_COLLECT, NULL, 0,
         "print the results, in the order of the plan, with the columns of gmmu replay", 0},
        {"partial", OPT_PARTIAL, NULL, 0,
         "with --collect: also where results are missing, with exit status 0", 0},
        {"ratios", 'r', NULL, 0, "with --collect: the columns of gmmu replay --ratios", 0},
        {"notes", 'n', NULL, 0,
         "with --collect: the column note, the state of each policy at the end", 0},
        {"output", 'o', "FILE", 0,
         "with --collect or --list: write to FILE, - for standard output (-)", 0},
        {"no-header", 'H', NULL, 0, "with --format csv: without the line of names", 0},
        {"retry", OPT_RETRY, NULL, 0, "make the jobs again that have failed", 0},
        {"lease", OPT_LEASE, "SECONDS", 0,
         "a job that another machine has begun is taken over when that machine was silent so long "
         "(60)",
         0},
        {"program", OPT_PROGRAM, "TEXT", 0,
         "what stands for the program in the keys, in the place of the digest of its file: results "
         "of programs with the same TEXT count as equal",
         0},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse_key,
        .args_doc = "[PLAN.json] [TRACE...]",
        .doc =
            "Replay traces through policies at memory sizes in configurations, a job each, and "
            "keep "
            "each result in a folder under a key of all that it depends on. Results that are there "
            "are not made again. What a matrix of PLAN.json does not say comes from the command "
            "line (docs/guide/sweeps.md). Exit status: 0 all rows are there, 1 some are missing or "
            "failed, 2 wrong usage or bad input.\v",
        .children = children,
        .help_filter = policies_help};
    sweep_request o = {
        .a = {.formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, .format = FORMAT_TABLE},
        .base = {.seed = 1},
        .shard = 1,
        .shards = 1,
        .lease = 60};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, "lru,opt", "50%,75%")) {
        free(o.traces);
        return 2;
    }
    o.base.from = o.a.from;
    (void)signal(SIGXFSZ, SIG_IGN);  // a limit is then a message, as a full disk
    sweep_plan plan;
    gmmu_error err = {""};
    int status = 2;
    if (sweep_plan_make(&plan, &o, &err)) {
        status = sweep(&o, &plan);
    } else {
        say(err.text);
    }
    sweep_plan_free(&plan);
    free(o.traces);
    shared_free(&o.a);
    return status;
}
