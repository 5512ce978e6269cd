// SPDX-License-Identifier: Apache-2.0
// replay.c: `gmmu replay`: faults, evictions and write-backs of policies at several memory sizes,
// for each of the traces.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/replay_trace.h"

enum { HPE_IDEAL = 256, AS_OPT, TIER2, DISTINCT };

// One more trace. False and *err: no memory, or standard input a second time.
static bool add_trace(replay_request *o, const char *path, gmmu_error *err) {
    for (size_t i = 0; i < o->trace_count; i++) {
        if (strcmp(path, "-") == 0 && strcmp(o->traces[i], "-") == 0) {
            (void)snprintf(err->text, sizeof err->text, "found - twice, expected it once");
            return false;
        }
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

// The command line as a whole.
static void check(const replay_request *o, const struct argp_state *state) {
    if (o->trace_count == 0) {
        argp_failure(state, 2, 0, "found no trace, expected %s", trace_expected);
    }
    if (o->no_header && o->a.format != FORMAT_CSV) {
        argp_failure(state, 2, 0, "found --no-header, expected it with --format csv");
    }
    if (o->distinct != 0 && o->trace_count > 1) {
        argp_failure(state, 2, 0, "found --distinct and %zu traces, expected one trace",
                     o->trace_count);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    replay_request *o = state->input;
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
        case HPE_IDEAL:
            o->ideal = true;
            break;
        case AS_OPT:
            o->as_opt = true;
            break;
        case TIER2:
            o->tiers = true;
            good = gmmu_parse_tier2(arg, &o->tier2, &err);
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
        case ARGP_KEY_ARG:
            good = add_trace(o, arg, &err);
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

// Each policy that has an ideal gets its option. False: no memory.
static bool idealize(replay_request *o) {
    for (size_t i = 0; i < o->a.policy_count; i++) {
        gmmu_choice *p = &o->a.policies[i];
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

// A message of a reader names the trace already.
static void say_failure(const replay_request *o, const char *trace, const char *text) {
    const bool named = o->trace_count == 1 || strstr(text, trace) != NULL;
    (void)fprintf(stderr, "gmmu replay: %s%s%s\n", named ? "" : trace, named ? "" : ": ", text);
}

// Replays the traces one after the other. What one trace cannot give costs its own rows.
static int replay_traces(const replay_request *o) {
    replay_rows rows = {.o = o};
    gmmu_error err = {""};
    if (o->output != NULL && !output_to(o->output, o->traces, o->trace_count, &err)) {
        (void)fprintf(stderr, "gmmu replay: %s\n", err.text);
        return 2;
    }
    gmmu_error last = {""};
    bool lost = false;
    size_t without = 0;  // traces without rows
    for (size_t i = 0; i < o->trace_count; i++) {
        if (!replay_trace(o, o->traces[i], &rows, &lost, &err)) {
            lost = true;
            without++;
            if (strcmp(err.text, last.text) != 0) {  // of wrong options each trace says the same
                say_failure(o, o->traces[i], err.text);
            }
            last = err;
        }
    }
    replay_rows_end(&rows);
    if (without != 0 && rows.begun) {
        (void)fprintf(stderr, "gmmu replay: %zu of %zu traces have no rows\n", without,
                      o->trace_count);
    }
    if (!rows.begun) {
        output_discard();
    }
    return lost ? 2 : 0;
}

int cmd_replay(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"policy", ARGUMENT_POLICY, "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        ARGUMENT_PLUGIN_OPTION,
        {"frames", ARGUMENT_FRAMES, "LIST", 0,
         "memory sizes, comma-separated: pages, bytes with a unit (512MiB, 4GiB: a whole number of "
         "pages), or a percentage of the distinct pages (50%,75%)",
         0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 0},
        {0}};
    static const struct argp_option list[] = {
        {"output", 'o', "FILE", 0, "write the rows to FILE, - for standard output (-)", 0},
        {"no-header", 'H', NULL, 0,
         "with --format csv: without the line of names, to append rows to a file. With --from "
         "table "
         "only -H has this meaning",
         0},
        {"ratios", 'r', NULL, 0,
         "add the columns size (as given), percent (of the distinct pages), miss_ratio and, with "
         "opt among the policies, faults_to_opt and evictions_to_opt: times as many as OPT's",
         0},
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
         "(4x), pages, bytes with a unit, or a percentage of the distinct pages. All rows get the "
         "columns tier1_hits, "
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
        .args_doc = "TRACE...",
        .doc =
            "Replay walk traces: count faults, evictions and write-backs, and with --tier2 the "
            "hits, reads and writes of three tiers. A trace that cannot be read costs its own rows "
            "alone; the exit status is then 2.\v",
        .children = children,
        .help_filter = policies_help};
    replay_request o = {
        .a = {.formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, .format = FORMAT_TABLE},
        .seed = 1};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, "lru,opt", "50%,75%")) {
        free(o.traces);
        return 2;
    }
    int status = 2;
    gmmu_error err = {""};
    if (o.ideal && !idealize(&o)) {
        (void)gmmu_policy_no_memory("policies", &err);
        (void)fprintf(stderr, "gmmu replay: %s\n", err.text);
    } else {
        status = replay_traces(&o);
    }
    free(o.traces);
    shared_free(&o.a);
    return status;
}
