// SPDX-License-Identifier: Apache-2.0
// record.c: `gmmu record`: executes a GPU kernel and writes its walk trace.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf, isatty
#endif
#include "simt/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/parse.h"
#include "policy/shootdown.h"
#include "simt/kernels/kernels.h"

enum {
    OPT_SIZE = 0x100,
    OPT_SEED,
    OPT_SMS,
    OPT_BLOCKS_PER_SM,
    OPT_BLOCK,
    OPT_PAGE_SHIFT,
    OPT_L1_TLB,
    OPT_L2_TLB,
    OPT_L2_WAYS,
    OPT_THREADS_PER_SM,
    OPT_STALL,
    OPT_LAUNCHES,
    OPT_FEATURES,
    OPT_DEPTH,
    OPT_COUNT_END,  // options before this one take a number
    OPT_WITH_TIME,
    OPT_HINTS,
    OPT_FOLD,
    OPT_TO,
    OPT_INJECT_FAULT,
    OPT_CACHES,
    OPT_SET,
    OPT_SHOOTDOWN,
    OPT_FRAMES,
    OPT_ARRAYS,
    OPT_ELEMENT
};

enum { NUMBERS = OPT_COUNT_END - OPT_SIZE };

// First those that take a number, in the order of their keys.
static const struct argp_option options[] = {
    {"size", OPT_SIZE, "N", 0, "size of the problem, as named below", 0},
    {"seed", OPT_SEED, "N", 0, "seed of random input data (1)", 0},
    {"sms", OPT_SMS, "N", 0, "streaming multiprocessors (16)", 1},
    {"blocks-per-sm", OPT_BLOCKS_PER_SM, "N", 0, "thread blocks resident on an SM (8)", 1},
    {"block", OPT_BLOCK, "N", 0, "threads of a block (256)", 1},
    {"page-shift", OPT_PAGE_SHIFT, "N", 0, "log2 of the page size in bytes (12)", 1},
    {"l1-tlb", OPT_L1_TLB, "N", 0, "entries of each SM's L1 TLB, fully associative (128; 0: none)",
     1},
    {"l2-tlb", OPT_L2_TLB, "N", 0, "entries of the shared L2 TLB (512; 0: none)", 1},
    {"l2-ways", OPT_L2_WAYS, "N", 0, "ways of the L2 TLB (16)", 1},
    {"threads-per-sm", OPT_THREADS_PER_SM, "N", 0,
     "most threads of the blocks resident on an SM (0: no limit)", 1},
    {"stall", OPT_STALL, "N", 0,
     "turns that the fault of an absent page takes: who needs the page waits, and faults are "
     "served "
     "one after the other (0: none)",
     1},
    {"launches", OPT_LAUNCHES, "N", 0,
     "rounds of grids: steps, iterations, epochs, frames, products (0: the kernel's own)", 0},
    {"features", OPT_FEATURES, "N", 0,
     "numbers of a point, edges of a vertex, elements of a row (0: the kernel's own)", 0},
    {"depth", OPT_DEPTH, "N", 0, "layers, rows, or points of a round (0: the kernel's own)", 0},
    {"output", 'o', "F", 0,
     "the trace to write, binary if F ends in .gwt; - is standard output. The trace is written "
     "only if the result is right",
     0},
    {"to", OPT_TO, "FORM", 0, "form of the trace: text or gwt (by the ending .gwt of F)", 0},
    {"caches", OPT_CACHES, "WHICH", 0,
     "data caches before the translation of an access: off, l1, or l2, which is both (off)", 1},
    {"set", OPT_SET, "KEY=VALUE", 0,
     "a parameter of the caches, such as l1.size=24K (docs/guide/rdgc.md)", 1},
    {"shootdown", OPT_SHOOTDOWN, "POLICY", 0,
     "replay the walks by POLICY as they come; TLBs and caches forget a page that leaves", 1},
    {"frames", OPT_FRAMES, "N", 0,
     "memory of --shootdown: pages, bytes with a unit (16MiB), or a percentage of the distinct "
     "pages "
     "(50%)",
     1},
    {"element", OPT_ELEMENT, "TYPE", 0, "type of the elements: float or double (the kernel's own)",
     0},
    {"arrays", OPT_ARRAYS, "NAMES", 0,
     "the arrays that are paged; all others are in the GPU's memory and never walk (all)", 1},
    {"with-time", OPT_WITH_TIME, NULL, 0, "also write the issue time of each walk", 2},
    {"hints", OPT_HINTS, NULL, 0,
     "also write launches of kernels, allocations and frees (docs/reference/formats.md, Hints)", 2},
    {"fold", OPT_FOLD, NULL, 0,
     "arrays share a few MiB of memory: the same walks at any size, with no result to check; for "
     "kernels whose data decide no address",
     2},
    {"inject-fault", OPT_INJECT_FAULT, NULL, 0,
     "flip one bit of the result, which the check must find", 2},
    {0}};

typedef struct {
    const gmmu_simt_kernel *kernel;
    const char *output;
    const char *arrays;
    unsigned element;  // bytes; 0: not given
    bool given[NUMBERS];
    uint64_t number[NUMBERS];
    bool with_time;
    bool hints;
    bool fold;
    bool inject_fault;
    gmmu_form form;
    gmmu_front_level caches;
    gmmu_rdgc_config cache;
    gmmu_choice *shootdown;  // one, or none
    size_t shootdowns;
    gmmu_size *frames;  // one
    size_t sizes;
} request;

// The kernels' names and the meaning of their sizes; to be freed.
static char *kernel_list(const char *separator, bool long_form) {
    char *list = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&list, &length);
    if (f == NULL)
        return NULL;
    for (unsigned i = 0; gmmu_simt_kernels[i] != NULL; i++) {
        const gmmu_simt_kernel *k = gmmu_simt_kernels[i];
        fprintf(f, "%s%-*s", i == 0 ? "" : separator, long_form ? 14 : 0, k->name);
        if (long_form)
            fprintf(f, " --size: %s (%" PRIu64 ")", k->size_text, k->default_size);
    }
    fclose(f);
    return list;
}

static bool parse_caches(const char *text, gmmu_front_level *level) {
    static const char *const names[] = {"off", "l1", "l2"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *level = (gmmu_front_level)i;
            return true;
        }
    }
    return false;
}

static bool set_cache(request *r, const char *text, gmmu_error *err) {
    char key[64];
    size_t length = strcspn(text, "=");
    if (text[length] == '\0' || length >= sizeof key) {
        (void)snprintf(err->text, sizeof err->text, "found '%.100s', expected KEY=VALUE", text);
        return false;
    }
    memcpy(key, text, length);
    key[length] = '\0';
    return gmmu_rdgc_config_set(&r->cache, key, text + length + 1, err) == GMMU_OK;
}

static bool parse_shootdown(request *r, const char *text, gmmu_error *err) {
    gmmu_choices_free(r->shootdown, r->shootdowns);
    r->shootdown = NULL;
    r->shootdowns = 0;
    if (!gmmu_parse_policies(text, &r->shootdown, &r->shootdowns, err))
        return false;
    if (r->shootdowns == 1 && !r->shootdown[0].policy->needs_future)
        return true;
    (void)snprintf(err->text, sizeof err->text,
                   "found '%.100s', expected one policy that needs no future", text);
    return false;
}

static bool parse_frames(request *r, const char *text, gmmu_error *err) {
    free(r->frames);
    r->frames = NULL;
    if (!gmmu_parse_sizes(text, &r->frames, &r->sizes, err))
        return false;
    if (r->sizes == 1)
        return true;
    (void)snprintf(err->text, sizeof err->text, "found '%.100s', expected one size", text);
    return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    request *r = state->input;
    gmmu_error err = {""};
    if (key >= OPT_SIZE && key < OPT_COUNT_END) {
        unsigned i = (unsigned)(key - OPT_SIZE);
        r->given[i] = true;
        if (!parse_number(arg, &r->number[i]))
            argp_failure(state, 2, 0, "--%s: found '%s', expected a number", options[i].name, arg);
        return 0;
    }
    switch (key) {
        case 'o':
            r->output = arg;
            return 0;
        case OPT_ARRAYS:
            r->arrays = arg;
            return 0;
        case OPT_ELEMENT:
            r->element = strcmp(arg, "float") == 0    ? sizeof(float)
                         : strcmp(arg, "double") == 0 ? sizeof(double)
                                                      : 0;
            if (r->element == 0)
                argp_failure(state, 2, 0, "--element: found '%s', expected float or double", arg);
            return 0;
        case OPT_WITH_TIME:
            r->with_time = true;
            return 0;
        case OPT_HINTS:
            r->hints = true;
            return 0;
        case OPT_FOLD:
            r->fold = true;
            return 0;
        case OPT_TO:
            r->form = gmmu_form_find(arg);
            if (r->form != GMMU_FORM_TEXT && r->form != GMMU_FORM_GWT)
                argp_failure(state, 2, 0, "--to: found '%s', expected text or gwt", arg);
            return 0;
        case OPT_INJECT_FAULT:
            r->inject_fault = true;
            return 0;
        case OPT_CACHES:
            if (!parse_caches(arg, &r->caches))
                argp_failure(state, 2, 0, "--caches: found '%s', expected off, l1 or l2", arg);
            return 0;
        case OPT_SET:
            if (!set_cache(r, arg, &err))
                argp_failure(state, 2, 0, "--set: %s", err.text);
            return 0;
        case OPT_SHOOTDOWN:
            if (!parse_shootdown(r, arg, &err))
                argp_failure(state, 2, 0, "--shootdown: %s", err.text);
            return 0;
        case OPT_FRAMES:
            if (!parse_frames(r, arg, &err))
                argp_failure(state, 2, 0, "--frames: %s", err.text);
            return 0;
        case ARGP_KEY_ARG:
            if (state->arg_num > 0)
                argp_failure(state, 2, 0, "found a second kernel '%s', expected one", arg);
            r->kernel = gmmu_simt_find(arg);
            if (r->kernel == NULL) {
                char *list = kernel_list(" or ", false);
                argp_failure(state, 2, 0, "found kernel '%s', expected %s", arg,
                             list ? list : "another");
                free(list);
            }
            return 0;
        case ARGP_KEY_END:
            if (r->kernel == NULL)
                argp_failure(state, 2, 0,
                             "found no kernel, expected one of those in gmmu record --help");
            if (r->output == NULL)
                argp_failure(state, 2, 0,
                             "found no -o F, expected the trace to write, as -o F.walk");
            if (r->frames != NULL && r->shootdown == NULL)
                argp_failure(state, 2, 0, "found --frames, expected --shootdown with it");
            if (r->fold && r->inject_fault)
                argp_failure(state, 2, 0,
                             "found --inject-fault, expected no --fold with it: no result");
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static char *help_filter(int key, const char *text, void *input) {
    (void)input;
    if (key == ARGP_KEY_HELP_POST_DOC) {
        char *list = kernel_list("\n  ", true);
        char *all = NULL;
        if (list != NULL && asprintf(&all, "Kernels:\n  %s", list) < 0)
            all = NULL;
        free(list);
        if (all != NULL)
            return all;
    }
    return (char *)text;  // argp's convention: the text itself means "as it is"
}

// A number that does not fit is left to the front end's own range check, which says what fits.
static unsigned narrow(uint64_t value) {
    return value > UINT32_MAX ? UINT32_MAX : (unsigned)value;
}

static gmmu_simt_params params_of(const request *r) {
    gmmu_simt_params p = gmmu_simt_defaults(r->kernel);
    p.caches = r->caches;
    p.cache = r->cache;
    p.fold = r->fold;
    p.arrays = r->arrays;
    if (r->element != 0)
        p.element = r->element;
    for (int i = 0; i < NUMBERS; i++) {
        uint64_t v = r->number[i];
        if (!r->given[i])
            continue;
        switch (OPT_SIZE + i) {
            case OPT_SIZE:
                p.size = v;
                break;
            case OPT_SEED:
                p.seed = v;
                break;
            case OPT_SMS:
                p.sms = narrow(v);
                break;
            case OPT_BLOCKS_PER_SM:
                p.blocks_per_sm = narrow(v);
                break;
            case OPT_BLOCK:
                p.block = narrow(v);
                break;
            case OPT_PAGE_SHIFT:
                p.page_shift = narrow(v);
                break;
            case OPT_L1_TLB:
                p.l1_entries = narrow(v);
                break;
            case OPT_L2_TLB:
                p.l2_entries = narrow(v);
                break;
            case OPT_L2_WAYS:
                p.l2_ways = narrow(v);
                break;
            case OPT_THREADS_PER_SM:
                p.threads_per_sm = narrow(v);
                break;
            case OPT_STALL:
                p.stall = v;
                break;
            case OPT_LAUNCHES:
                p.launches = narrow(v);
                break;
            case OPT_FEATURES:
                p.features = narrow(v);
                break;
            default:  // OPT_DEPTH
                p.depth = narrow(v);
                break;
        }
    }
    return p;
}

static void show_progress(void *ctx, double done) {
    int *shown = ctx;
    int percent = (int)(done * 100.0);
    if (percent == *shown)
        return;
    *shown = percent;
    fprintf(stderr, "\r%3d %%", percent);
}

static double percent_of(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static void summary(const gmmu_simt_request *order, const gmmu_simt_stats *s) {
    fprintf(stderr,
            "gmmu record: %s %" PRIu64 ": %" PRIu64 " grids, %" PRIu64 " warp instructions, ",
            order->kernel->name, order->params.size, s->grids, s->instructions);
    if (order->params.caches != GMMU_FRONT_OFF)
        fprintf(stderr, "%" PRIu64 " cache accesses, L1 hits %.1f %%, ", s->cache_accesses,
                percent_of(s->cache_l1_hits, s->cache_accesses));
    if (order->params.caches == GMMU_FRONT_L2)
        fprintf(stderr, "L2 hits %.1f %%, ", percent_of(s->cache_l2_hits, s->cache_l2_accesses));
    fprintf(stderr,
            "%" PRIu64 " page accesses, L1 TLB hits %.1f %%, L2 TLB hits %.1f %%, %" PRIu64
            " walks, %" PRIu64 " distinct pages, ",
            s->accesses, percent_of(s->l1_hits, s->accesses),
            percent_of(s->l2_hits, s->accesses - s->l1_hits), s->walks, s->distinct);
    if (order->params.stall != 0)
        fprintf(stderr, "%" PRIu64 " faults, %" PRIu64 " turns, ", s->faults, s->turns);
    if (order->memory.walk != NULL)
        fprintf(stderr,
                "%" PRIu32 " frames, %" PRIu64 " evictions, %" PRIu64 " TLB entries shot down, ",
                order->memory.frames, s->evictions, s->shootdowns);
    fprintf(stderr, order->params.fold ? "no result: folded\n" : "result check passed\n");
}

// Fills the memory of a shootdown, and *s, which it is. False, *err: the size could not be found
// out, bad options, no memory.
static bool set_memory(const request *r, gmmu_simt_request *order, gmmu_shootdown **s,
                       gmmu_error *err) {
    static const gmmu_size half = {.relative = true, .num = 50, .den = 100};
    if (r->shootdown == NULL)
        return true;
    gmmu_size size = r->frames != NULL ? r->frames[0] : half;
    uint64_t distinct = 0;
    if (!gmmu_size_in_pages(&size, "--frames", order->params.page_shift, err))
        return false;
    if (size.relative && gmmu_simt_distinct(order, &distinct, err) != GMMU_OK)
        return false;
    const gmmu_policy *policy = r->shootdown[0].policy;
    const gmmu_policy_config config = {.frames = gmmu_size_frames(size, (uint32_t)distinct),
                                       .options = r->shootdown[0].options,
                                       .seed = 1,
                                       .page_shift = order->params.page_shift};
    *s = gmmu_shootdown_create(policy, &config, err);
    order->memory = (gmmu_simt_memory){.walk = gmmu_shootdown_walk,
                                       .ctx = *s,
                                       .policy = policy->name,
                                       .options = config.options,
                                       .frames = config.frames};
    return *s != NULL;
}

static void free_request(request *r) {
    gmmu_choices_free(r->shootdown, r->shootdowns);
    free(r->frames);
}

int cmd_record(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "KERNEL -o F",
        .doc =
            "Execute a GPU kernel on a model of a GPU's SMs and TLBs, compare the result with the "
            "CPU's, and write the page walks. A trace is large enough for studies of replacement "
            "if memory holds at least 8 times as many pages as the L2 TLB "
            "(docs/guide/record.md).\v ",
        .help_filter = help_filter};
    request r = {.cache = gmmu_rdgc_defaults()};
    gmmu_error err = {{0}};
    argp_err_exit_status = 2;
    if (!parse_options(&argp, argc, argv, &r)) {
        free_request(&r);
        return 2;
    }
    int shown = -1;
    bool terminal = isatty(STDERR_FILENO);
    gmmu_simt_request order = {.kernel = r.kernel,
                               .params = params_of(&r),
                               .output = r.output,
                               .form = r.form,
                               .with_time = r.with_time,
                               .hints = r.hints,
                               .inject_fault = r.inject_fault,
                               .progress = terminal ? show_progress : NULL,
                               .ctx = &shown};
    gmmu_simt_stats stats;
    gmmu_shootdown *shootdown = NULL;
    int status = GMMU_RECORD_BAD;
    if (set_memory(&r, &order, &shootdown, &err))
        status = gmmu_simt_record(&order, &stats, &err);
    if (shootdown != NULL && status == GMMU_RECORD_OK)
        stats.evictions = gmmu_shootdown_evictions(shootdown);
    gmmu_shootdown_destroy(shootdown);
    if (shown >= 0)
        fprintf(stderr, "\r     \r");
    if (status == GMMU_RECORD_OK)
        summary(&order, &stats);
    else
        fprintf(stderr, "gmmu record: %s\n", err.text);
    free_request(&r);
    return status;
}
