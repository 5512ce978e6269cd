// SPDX-License-Identifier: Apache-2.0
// mrc.c: `gmmu mrc`: miss-ratio curves of policies, from one reading of the trace.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/mrc_options.h"
#include "cli/parse.h"

enum { OPTION_LOG = 256, OPTION_CHECK };

static bool parse_sample(const char *text, mrc_options *o, gmmu_error *err) {
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

static error_t parse(int key, char *arg, struct argp_state *state) {
    mrc_options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case 'n':
            o->points_given = true;
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
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

int cmd_mrc(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"policy", ARGUMENT_POLICY, "LIST", 0, "policies, comma-separated (lru,opt)", 0},
        ARGUMENT_PLUGIN_OPTION,
        {"frames", ARGUMENT_FRAMES, "LIST", 0,
         "memory sizes in place of --points, comma-separated: pages, bytes with a unit (512MiB, "
         "4GiB), or a percentage of the distinct pages",
         0},
        {"threads", ARGUMENT_THREADS, "N", 0,
         "threads for policies that take a run for each size (one a core)", 0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 0},
        {0}};
    static const struct argp_option list[] = {
        {"points", 'n', "N", 0,
         "number of memory sizes, spread evenly up to the distinct pages, or all (32)", 0},
        {"log", OPTION_LOG, NULL, 0, "spread the sizes evenly on a logarithmic scale from 1", 0},
        {"sample", 's', "HOW", 0,
         "estimate lru, opt and leu-exact from a sample of the pages: rate=R (0.01, 1%) or "
         "size=PAGES",
         0},
        {"check", OPTION_CHECK, NULL, 0, "with --sample: print the exact curve and the error, too",
         0},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .children = children,
        .args_doc = "TRACE",
        .doc =
            "Miss-ratio curves: the counts of policies at every memory size. lru, opt and "
            "leu-exact take one pass over the trace; other policies take a run for each size.\v",
        .help_filter = policies_help};
    gmmu_error err = {""};
    mrc_options o = {.a = {.expected = trace_expected,
                           .formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON,
                           .format = FORMAT_TABLE,
                           .threads = core_count(MOST_THREADS)},
                     .points = 32};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, "lru,opt", NULL)) {
        return 2;
    }
    if (o.a.sizes != NULL && (o.log || o.points_given)) {
        (void)fprintf(stderr, "gmmu mrc: found --frames with %s, expected one of them\n",
                      o.log ? "--log" : "--points");
        shared_free(&o.a);
        return 2;
    }
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    gmmu_curves s = {.policies = o.a.policies,
                     .policy_count = o.a.policy_count,
                     .sizes = o.a.sizes,
                     .size_count = o.a.size_count,
                     .points = o.points,
                     .log = o.log,
                     .rate = o.rate,
                     .most = o.most,
                     .check = o.check,
                     .threads = o.a.threads};
    gmmu_source source = {0};
    const bool good = gmmu_curves_begin(&s, &err) &&
                      source_open(&source, "gmmu mrc", o.a.trace, &o.a.from, false, &err) &&
                      gmmu_curves_run(&s, &source, &err);
    if (good) {
        mrc_print(&o, &s, seconds_since(&start));
    } else {
        (void)fprintf(stderr, "gmmu mrc: %s\n", err.text);
    }
    gmmu_curves_free(&s);
    gmmu_source_close(&source);
    shared_free(&o.a);
    return good ? 0 : 2;
}
