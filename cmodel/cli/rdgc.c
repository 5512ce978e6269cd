// SPDX-License-Identifier: Apache-2.0
// rdgc.c: `gmmu rdgc`: what a kernel's accesses do in the caches of a GPU.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/rdgc_request.h"
#include "simt/kernels/kernels.h"

enum {
    OPT_SIZE = 0x100,
    OPT_SEED,
    OPT_BLOCK,
    OPT_L1,
    OPT_PROFILE,
    OPT_SHOW,
    OPT_INJECT_FAULT,
    OPT_STOP,
    OPT_WITHOUT,
    OPT_TWICE,
    OPT_DEPTH,
    OPT_LAUNCHES,
    OPT_WAYS,
    OPT_MORE,
    OPT_AMAT,
    OPT_FROM,
    MAX_SETS = 64,
    MOST_CYCLES = 1000000  // of --amat
};

typedef struct {
    rdgc_request r;
    shared_arguments a;
    const char *gpu;
    const char *set[MAX_SETS];  // in their order, for after the GPU is known
    size_t sets;
    bool size_given, seed_given, block_given;
    uint64_t size, seed, block, depth, launches;
    bool show;
} options;

static bool parse_option(const char *option, const char *text, uint64_t *value, gmmu_error *err) {
    bool good = parse_number(text, value);
    if (!good) {
        (void)snprintf(err->text, sizeof err->text, "%s: found \"%.60s\", expected a number",
                       option, text);
    }
    return good;
}

static bool parse_l1(const char *text, rdgc_request *r, gmmu_error *err) {
    r->l1 = strcmp(text, "on") == 0     ? RDGC_L1_ON
            : strcmp(text, "off") == 0  ? RDGC_L1_OFF
            : strcmp(text, "both") == 0 ? RDGC_L1_ON | RDGC_L1_OFF
                                        : 0;
    if (r->l1 == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "--l1: found \"%.60s\", expected on, off or both", text);
    }
    return r->l1 != 0;
}

static bool add_set(options *o, const char *text, gmmu_error *err) {
    if (o->sets == MAX_SETS || strchr(text, '=') == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "--set: found \"%.60s\", expected KEY=VALUE, at most %d of them", text,
                       MAX_SETS);
        return false;
    }
    o->set[o->sets++] = text;
    return true;
}

// What can only be judged together.
static bool complete(options *o, gmmu_error *err) {
    rdgc_request *r = &o->r;
    if (o->show) {
        return true;
    }
    if (r->source == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "found no source, expected a kernel of gmmu record, a file of threads' "
                       "accesses or of kernels, or - for standard input");
        return false;
    }
    r->kernel = r->traced ? NULL : gmmu_simt_find(r->source);
    if (r->kernel == NULL) {
        r->traced = r->traced || rdgc_is_traced(r->source, &r->form);
        const char *option = o->size_given                     ? "--size"
                             : o->seed_given                   ? "--seed"
                             : o->block_given                  ? "--block"
                             : r->inject_fault                 ? "--inject-fault"
                             : r->output != NULL && !r->traced ? "-o"
                             : o->depth != 0                   ? "--depth"
                             : o->launches != 0                ? "--launches"
                             : r->stop                         ? "--stop"
                             : r->without != NULL              ? "--without"
                                                               : NULL;
        if (option != NULL) {
            (void)snprintf(err->text, sizeof err->text,
                           "found %s with \"%.60s\", expected it with a kernel of gmmu record",
                           option, r->source);
        }
        return option == NULL;
    }
    r->params = gmmu_simt_defaults(r->kernel);
    r->params.size = o->size_given ? o->size : r->params.size;
    r->params.seed = o->seed_given ? o->seed : r->params.seed;
    // what does not fit is left to the front end, which says what does
    r->params.block = !o->block_given         ? r->params.block
                      : o->block > UINT32_MAX ? UINT32_MAX
                                              : (unsigned)o->block;
    r->params.depth = o->depth > UINT32_MAX ? UINT32_MAX : (unsigned)o->depth;
    r->params.launches = o->launches > UINT32_MAX ? UINT32_MAX : (unsigned)o->launches;
    return true;
}

static bool parse_from(const char *text, rdgc_request *r, gmmu_error *err) {
    r->form = gmmu_form_find(text);
    r->traced = r->form == GMMU_FORM_ACCELSIM || r->form == GMMU_FORM_ACCELSIM_LIST;
    if (!r->traced) {
        (void)snprintf(err->text, sizeof err->text,
                       "--from: found \"%.60s\", expected accelsim or accelsim-list", text);
    }
    return r->traced;
}

// --amat: three times, in cycles.
static bool parse_amat(const char *text, rdgc_request *r, gmmu_error *err) {
    const char *at = text;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t v = 0;
        bool good = gmmu_parse_digits(&at, &v) && v >= 1 && v <= MOST_CYCLES;
        if (!good || *at++ != (i < 2 ? ',' : '\0')) {
            (void)snprintf(
                err->text, sizeof err->text,
                "--amat: found \"%.60s\", expected three numbers of cycles from 1 to %d, "
                "comma-separated",
                text, MOST_CYCLES);
            return false;
        }
        r->time[i] = (uint32_t)v;
    }
    return true;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case OPT_SIZE:
            o->size_given = true;
            good = parse_option("--size", arg, &o->size, &err);
            break;
        case OPT_SEED:
            o->seed_given = true;
            good = parse_option("--seed", arg, &o->seed, &err);
            break;
        case OPT_BLOCK:
            o->block_given = true;
            good = parse_option("--block", arg, &o->block, &err);
            break;
        case 'g':
            good = rdgc_parse_grids(arg, &o->r, &err);
            break;
        case 'G':
            o->gpu = arg;
            break;
        case 's':
            good = add_set(o, arg, &err);
            break;
        case 'v':
            good = rdgc_parse_variation(arg, &o->r, &err);
            break;
        case OPT_L1:
            good = parse_l1(arg, &o->r, &err);
            break;
        case OPT_PROFILE:
            o->r.profile = true;
            break;
        case OPT_STOP:
            o->r.stop = true;
            break;
        case OPT_TWICE:
            o->r.twice = true;
            break;
        case OPT_WITHOUT:
            o->r.without = arg;
            break;
        case OPT_DEPTH:
            good = parse_option("--depth", arg, &o->depth, &err);
            break;
        case OPT_LAUNCHES:
            good = parse_option("--launches", arg, &o->launches, &err);
            break;
        case OPT_WAYS:
            o->r.ways = true;
            break;
        case OPT_MORE:
            o->r.more = true;
            break;
        case OPT_AMAT:
            good = parse_amat(arg, &o->r, &err);
            break;
        case OPT_FROM:
            good = parse_from(arg, &o->r, &err);
            break;
        case OPT_SHOW:
            o->show = true;
            break;
        case OPT_INJECT_FAULT:
            o->r.inject_fault = true;
            break;
        case 'o':
            o->r.output = arg;
            break;
        case ARGP_KEY_ARG:
            if (o->r.source != NULL) {
                argp_failure(state, 2, 0, "found a second source \"%.60s\", expected one", arg);
            }
            o->r.source = arg;
            break;
        case ARGP_KEY_END:
            good = complete(o, &err);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static char *help_filter(int key, const char *text, void *input) {
    (void)input;
    char *list = NULL;
    size_t length = 0;
    FILE *f = key == ARGP_KEY_HELP_POST_DOC ? open_memstream(&list, &length) : NULL;
    if (f == NULL) {
        return (char *)text;  // argp's convention: the text itself means "as it is"
    }
    (void)fprintf(f, "%s\n\nGPUs:", text);
    for (const gmmu_gpu_file *g = gmmu_gpu_files; g->name != NULL; g++) {
        gmmu_gpu gpu;
        gmmu_error err;
        (void)gmmu_gpu_parse(&gpu, g->text, g->name, &err);
        (void)fprintf(f, "\n  %-10s %s", g->name, gpu.name);
    }
    return fclose(f) == 0 ? list : (free(list), (char *)text);
}

// The GPU with --set.
static bool describe_gpu(options *o, gmmu_error *err) {
    if (gmmu_gpu_find(&o->r.gpu, o->gpu, err) != GMMU_OK) {
        return false;
    }
    for (size_t i = 0; i < o->sets; i++) {
        const char *value = strchr(o->set[i], '=');
        char key[64];
        (void)snprintf(key, sizeof key, "%.*s", (int)(value - o->set[i]), o->set[i]);
        if (gmmu_gpu_set(&o->r.gpu, key, value + 1, err) != GMMU_OK) {
            return false;
        }
    }
    return o->sets == 0 || gmmu_gpu_check(&o->r.gpu, err) == GMMU_OK;
}

static void show_gpu(const gmmu_gpu *g) {
    const char *key = NULL;
    for (size_t i = 0; (key = gmmu_gpu_key(i)) != NULL; i++) {
        char value[GMMU_GPU_NAME];
        gmmu_gpu_get(g, i, value, sizeof value);
        (void)printf("%s = %s\n", key, value);
    }
}

static void summary(const rdgc_request *r, const rdgc_totals *t, size_t cases) {
    (void)fprintf(stderr,
                  "gmmu rdgc: %s: %" PRIu64 " grids%s; %zu cases, %" PRIu64
                  " coalesced accesses in %.3f s, %.2f M/s\n",
                  r->source, t->grids,
                  r->kernel == NULL ? ""
                  : t->stopped      ? ", stopped, result not checked"
                                    : ", result check passed",
                  cases, t->models_accesses, t->models_seconds,
                  (double)t->models_accesses / (t->models_seconds + 1e-9) * 1e-6);
}

static int execute(options *o, gmmu_error *err) {
    rdgc_request *r = &o->r;
    if (!describe_gpu(o, err)) {
        return 2;
    }
    if (o->show) {
        show_gpu(&r->gpu);
        return 0;
    }
    bool metrics = r->output == NULL || strcmp(r->output, "-") != 0;
    r->l1 = metrics ? r->l1 : 0;
    size_t count = 0;
    rdgc_case *cases = rdgc_make_cases(r, &count, err);
    if (cases == NULL) {
        return 2;
    }
    rdgc_totals totals;
    const char *inputs[] = {r->kernel == NULL ? r->source : NULL, o->gpu};
    const bool good = r->output == NULL || output_is_new("--output", r->output, inputs, 2, err);
    int code = good ? rdgc_run(r, cases, count, &totals, err) : 2;
    if (code == 0 && metrics) {
        summary(r, &totals, count);
        rdgc_print(r, cases, count, &totals);
    }
    rdgc_free_cases(cases, count);
    return code;
}

int cmd_rdgc(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 2},
        {"threads", ARGUMENT_THREADS, "N", 0, "threads for the cases (one a core)", 2},
        {0}};
    static const struct argp_option list[] = {
        {"size", OPT_SIZE, "N", 0, "size of the kernel's problem (gmmu record --help)", 0},
        {"seed", OPT_SEED, "N", 0, "seed of the kernel's random input data (1)", 0},
        {"block", OPT_BLOCK, "N", 0, "threads of the kernel's blocks (256)", 0},
        {"depth", OPT_DEPTH, "N", 0, "layers, rows, or points of a round (0: the kernel's own)", 0},
        {"launches", OPT_LAUNCHES, "N", 0, "rounds of grids (0: the kernel's own)", 0},
        {"without", OPT_WITHOUT, "ARRAY,...", 0,
         "leave out the accesses to these arrays, such as those that the GPU keeps in constant or "
         "texture memory",
         0},
        {"stop", OPT_STOP, NULL, 0,
         "end the kernel behind the last grid of --grid; its result is not checked then", 0},
        {"grid", 'g', "LIST", 0,
         "only these grids of the source, counted from 0 and comma-separated: K, A-B, or A- (to "
         "the last), each also with /STEP (all)",
         0},
        {"twice", OPT_TWICE, NULL, 0,
         "run each grid twice and count only the second time, as a profiler that replays kernels",
         1},
        {"from", OPT_FROM, "FORMAT", 0,
         "the source is a kernel trace: accelsim or accelsim-list (found by the first bytes of a "
         "file)",
         0},
        {"gpu", 'G', "NAME|FILE", 0,
         "a GPU of the list below, or a file with a description (gtx970)", 1},
        {"set", 's', "KEY=VALUE", 0, "another value in the GPU's description; may be repeated", 1},
        {"vary", 'v', "KEY=V,V...", 0,
         "run a case for each value. KEY+KEY=V:V,... sets several keys at once. With several "
         "--vary every combination is run",
         1},
        {"l1", OPT_L1, "on|off|both", 0,
         "run with L1 as described, with L1 bypassed, or both in turn (both)", 1},
        {"show", OPT_SHOW, NULL, 0, "print only the GPU's description", 1},
        {"profile", OPT_PROFILE, NULL, 0,
         "also print the counters of reuse distances C1R, C1W, C2R, C2W; CSV has these alone", 2},
        {"ways", OPT_WAYS, NULL, 0,
         "print only the hit ratios of caches with fewer ways and the same sets, from the counters "
         "of this one run (LRU)",
         2},
        {"more", OPT_MORE, NULL, 0,
         "further columns: hit ratio of L2's reads, atomics, and what the counter of a texture "
         "path "
         "shows (quads)",
         2},
        {"amat", OPT_AMAT, "L1,L2,M", 0,
         "further columns: mean cycles of a read, of the cycles of an L1 hit, an L2 hit and memory",
         2},
        {"output", 'o', "F", 0,
         "also write the accesses of all threads to F, in the form that this command reads; with - "
         "they go to standard output in place of the metrics",
         2},
        {"inject-fault", OPT_INJECT_FAULT, NULL, 0,
         "flip one bit of the kernel's result, which the check must find", 2},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .children = children,
        .args_doc = "KERNEL|FILE",
        .doc =
            "Hit ratios and transactions of a GPU's L1 and L2 caches, by the model RDGC "
            "(docs/guide/rdgc.md). A kernel of gmmu record is executed and its result is checked, "
            "or the accesses are read from a file: a thread's in each line, or a kernel trace of "
            "Accel-Sim.\vL1_R_Hit is the hit ratio of reads in "
            "L1. L2_Hit and L2_Hit_L1B are the hit ratios of L2, with L1 and with L1 bypassed. "
            "*_Trans are the accesses that these ratios count. L is the largest number of accesses "
            "of a thread. fails are accesses that found no MSHR.",
        .help_filter = help_filter};
    gmmu_error err = {""};
    options o = {.gpu = "gtx970",
                 .a = {.formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON,
                       .format = FORMAT_TABLE,
                       .threads = core_count(MOST_THREADS)},
                 .r = {.l1 = RDGC_L1_ON | RDGC_L1_OFF}};
    if (!parse_options(&argp, argc, argv, &o)) {
        rdgc_free_variations(&o.r);
        return 2;
    }
    o.r.threads = (unsigned)o.a.threads;
    o.r.format = o.a.format;
    int code = execute(&o, &err);
    if (code != 0) {
        (void)fprintf(stderr, "gmmu rdgc: %s\n", err.text);
    }
    rdgc_free_variations(&o.r);
    return code;
}
