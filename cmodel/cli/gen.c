// SPDX-License-Identifier: Apache-2.0
// gen.c: `gmmu gen`: writes a synthetic walk trace, of any length, into a file or a pipe.
#include "gen/gen.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/parse.h"
#include "trace/pages.h"

enum { OPT_TO = 0x100, OPT_PAGE_SHIFT, OPT_SKEW, BLOCK = 4096 };

typedef struct {
    const char *kind;
    const char *output;
    gmmu_form form;
    uint64_t accesses, page_shift;
    bool skew_given;
    gmmu_gen_settings is;  // 0: as usual
    bool seed_given;
} options;

static bool parse_seed(const char *text, uint64_t *seed, gmmu_error *err) {
    bool good = parse_number(text, seed);
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "--seed: found \"%.60s\", expected a whole number below 2^64", text);
    }
    return good;
}

static bool parse_skew(const char *text, double *skew, gmmu_error *err) {
    char *end = NULL;
    *skew = strtod(text, &end);
    bool good = *text >= '0' && *text <= '9' && *end == '\0' && *skew <= 10;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "--skew: found \"%.60s\", expected a number from 0 to 10", text);
    }
    return good;
}

static bool find_kind(options *o) {
    o->is.kind = GMMU_GEN_ZIPF;
    while (o->is.kind < GMMU_GEN_KINDS && strcmp(o->kind, gmmu_gen_name(o->is.kind)) != 0) {
        o->is.kind++;
    }
    return o->is.kind < GMMU_GEN_KINDS;
}

enum { QUOTED = 64 };

static const char *quoted(const char *text, char shown[QUOTED]) {
    (void)snprintf(shown, QUOTED, "\"%.60s\"", text);
    return shown;
}

// Fills in what is usual for the kind.
static void complete(options *o, struct argp_state *state) {
    char shown[QUOTED];
    if (o->kind == NULL || !find_kind(o)) {
        argp_failure(state, 2, 0, "found %s, expected zipf, cyc, uniform or scan",
                     o->kind == NULL ? "no kind of trace" : quoted(o->kind, shown));
    }
    gmmu_gen_settings usual = gmmu_gen_usual(o->is.kind);
    o->is.pages = o->is.pages == 0 ? usual.pages : o->is.pages;
    o->is.seed = o->seed_given ? o->is.seed : usual.seed;
    o->is.skew = o->skew_given ? o->is.skew : usual.skew;
    if (o->skew_given && o->is.kind != GMMU_GEN_ZIPF) {
        argp_failure(state, 2, 0, "found --skew, expected it with zipf");
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case 'n':
            good = parse_count("--accesses", arg, &o->accesses, &err);
            break;
        case 'p':
            good = parse_upto("--pages", arg, 2, GMMU_MAX_PAGES, &o->is.pages, &err);
            break;
        case 's':
            o->seed_given = true;
            good = parse_seed(arg, &o->is.seed, &err);
            break;
        case OPT_SKEW:
            o->skew_given = true;
            good = parse_skew(arg, &o->is.skew, &err);
            break;
        case OPT_PAGE_SHIFT:
            good = parse_upto("--page-shift", arg, 9, 30, &o->page_shift, &err);
            break;
        case 'o':
            o->output = arg;
            break;
        case OPT_TO:
            o->form = gmmu_form_find(arg);
            good = o->form == GMMU_FORM_TEXT || o->form == GMMU_FORM_GWT;
            (void)snprintf(err.text, sizeof err.text, "--to: found \"%.60s\", expected text or gwt",
                           arg);
            break;
        case ARGP_KEY_ARG:
            if (o->kind != NULL) {
                argp_failure(state, 2, 0, "found a second kind \"%.60s\", expected one", arg);
            }
            o->kind = arg;
            break;
        case ARGP_KEY_END:
            complete(o, state);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static int write_walks(const options *o, gmmu_gen *g, gmmu_writer *w, gmmu_error *err) {
    static uint64_t pages[BLOCK];
    gmmu_walk walk = {0};
    int status = GMMU_OK;
    for (uint64_t left = o->accesses; left > 0 && status == GMMU_OK;) {
        uint32_t n = left < BLOCK ? (uint32_t)left : BLOCK;
        gmmu_gen_next(g, pages, n);
        for (uint32_t i = 0; i < n && status == GMMU_OK; i++) {
            walk.vpn = pages[i];
            status = gmmu_writer_put(w, &walk, err);
        }
        left -= n;
    }
    return status;
}

static bool run(const options *o, gmmu_error *err) {
    const char *path = o->output == NULL ? "-" : o->output;
    char comment[160];
    int used = snprintf(comment, sizeof comment,
                        "gmmu gen %s --accesses %" PRIu64 " --pages %" PRIu64 " --seed %" PRIu64,
                        o->kind, o->accesses, o->is.pages, o->is.seed);
    if (o->is.kind == GMMU_GEN_ZIPF) {
        char skew[32];
        int digits = 6;  // and as many more as give the same number again
        do {
            (void)snprintf(skew, sizeof skew, "%.*g", digits, o->is.skew);
        } while (strtod(skew, NULL) != o->is.skew && digits++ < 17);
        (void)snprintf(comment + used, sizeof comment - (size_t)used, " --skew %s", skew);
    }
    gmmu_gen *g = gmmu_gen_create(&o->is);
    if (g == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory for %" PRIu64 " pages",
                       o->is.pages);
        return false;
    }
    // in a pipe the header cannot name the pages, and counting them would cost more than the rest
    gmmu_about about = {.page_shift = (unsigned)o->page_shift,
                        .pages = strcmp(path, "-") == 0 ? GMMU_UNKNOWN : 0,
                        .comment = comment};
    gmmu_writer *w = gmmu_writer_open_as(path, o->form, &about, err);
    int status = w == NULL ? GMMU_BAD : write_walks(o, g, w, err);
    gmmu_error ignored;
    if (w != NULL && gmmu_writer_close(w, status == GMMU_OK ? err : &ignored) != GMMU_OK) {
        status = GMMU_BAD;
    }
    gmmu_gen_destroy(g);
    return status == GMMU_OK;
}

int cmd_gen(int argc, char **argv) {
    static const struct argp_option list[] = {
        {"accesses", 'n', "N", 0, "number of walks (10000000)", 0},
        {"pages", 'p', "N", 0, "number of pages (1000000; cyc: 500000)", 0},
        {"seed", 's', "N", 0, "seed of the random numbers (zipf: 12345, cyc: 777, uniform: 1)", 0},
        {"skew", OPT_SKEW, "A", 0, "zipf: the page of rank k has the weight k^-A (1)", 0},
        {"output", 'o', "OUT", 0, "the trace to write (standard output)", 1},
        {"to", OPT_TO, "FORM", 0, "form of OUT: text or gwt (by the ending .gwt of OUT)", 1},
        {"page-shift", OPT_PAGE_SHIFT, "N", 0, "log2 of the page size that the header states (12)",
         1},
        {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "zipf|cyc|uniform|scan",
        .doc =
            "Write a synthetic walk trace.\vzipf: Zipf's law over pages in random order. cyc: "
            "every other access goes to a random page of the first tenth; the other accesses go "
            "round the remaining pages in turn. uniform: any page. scan: page after page, round "
            "and round. All walks are reads, with ref 0. The same seed gives the same trace. The "
            "default zipf and cyc are the traces of docs/reference/reference_traces.md. `gmmu gen "
            "uniform -n 1000000000 --to gwt | gmmu replay -` stores nothing."};
    gmmu_error err = {""};
    options o = {.accesses = 10000000, .page_shift = 12};
    if (!parse_options(&argp, argc, argv, &o)) {
        return 2;
    }
    if (!run(&o, &err)) {
        (void)fprintf(stderr, "gmmu gen: %s\n", err.text);
        return 2;
    }
    return 0;
}
