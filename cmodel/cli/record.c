// SPDX-License-Identifier: Apache-2.0
// record.c: `gmmu record`: executes a GPU kernel and writes its walk trace.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf, isatty
#endif
#include "simt/record.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/input.h"
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
    OPT_COUNT_END,  // options before this one take a number
    OPT_WITH_TIME,
    OPT_INJECT_FAULT
};

enum { NUMBERS = OPT_COUNT_END - OPT_SIZE };

// First those that take a number, in the order of their keys.
static const struct argp_option options[] = {
    {"size", OPT_SIZE, "N", 0, "size of the problem, see below", 0},
    {"seed", OPT_SEED, "N", 0, "seed of random input data (1)", 0},
    {"sms", OPT_SMS, "N", 0, "streaming multiprocessors (16)", 1},
    {"blocks-per-sm", OPT_BLOCKS_PER_SM, "N", 0, "thread blocks resident on an SM (8)", 1},
    {"block", OPT_BLOCK, "N", 0, "threads of a block (256)", 1},
    {"page-shift", OPT_PAGE_SHIFT, "N", 0, "log2 of the page size in bytes (12)", 1},
    {"l1-tlb", OPT_L1_TLB, "N", 0, "entries of each SM's L1 TLB, fully associative (128; 0: none)",
     1},
    {"l2-tlb", OPT_L2_TLB, "N", 0, "entries of the shared L2 TLB (512; 0: none)", 1},
    {"l2-ways", OPT_L2_WAYS, "N", 0, "ways of the L2 TLB (16)", 1},
    {"output", 'o', "F", 0, "the trace, binary if F ends in .gwt (- is standard output); written only if the result is "
     "right",
     0},
    {"with-time", OPT_WITH_TIME, NULL, 0, "also write each walk's issue time", 2},
    {"inject-fault", OPT_INJECT_FAULT, NULL, 0,
     "flip one bit of the result, to see that the check finds it", 2},
    {0}};

typedef struct {
    const gmmu_simt_kernel *kernel;
    const char *output;
    bool given[NUMBERS];
    uint64_t number[NUMBERS];
    bool with_time;
    bool inject_fault;
} request;

static bool parse_number(const char *text, uint64_t *value) {
    char *end = NULL;
    if (*text < '0' || *text > '9')
        return false;  // strtoull would take a sign or blanks
    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0';
}

// The kernels' names and the meaning of their sizes; to be freed.
static char *kernel_list(const char *separator, bool long_form) {
    char *list = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&list, &length);
    if (f == NULL)
        return NULL;
    for (unsigned i = 0; gmmu_simt_kernels[i] != NULL; i++) {
        const gmmu_simt_kernel *k = gmmu_simt_kernels[i];
        fprintf(f, "%s%s", i == 0 ? "" : separator, k->name);
        if (long_form)
            fprintf(f, "   --size: %s (%" PRIu64 ")", k->size_text, k->default_size);
    }
    fclose(f);
    return list;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    request *r = state->input;
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
        case OPT_WITH_TIME:
            r->with_time = true;
            return 0;
        case OPT_INJECT_FAULT:
            r->inject_fault = true;
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
                argp_failure(state, 2, 0, "expected a kernel");
            if (r->output == NULL)
                argp_failure(state, 2, 0, "expected -o F");
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
            default:  // OPT_L2_WAYS
                p.l2_ways = narrow(v);
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

static void summary(const gmmu_simt_kernel *k, uint64_t size, const gmmu_simt_stats *s) {
    fprintf(stderr,
            "record: %s %" PRIu64 ": %" PRIu64 " grids, %" PRIu64 " warp instructions, %" PRIu64
            " page accesses, L1 TLB hits %.1f %%, L2 TLB hits %.1f %%, %" PRIu64 " walks, %" PRIu64
            " distinct pages, result check passed\n",
            k->name, size, s->grids, s->instructions, s->accesses,
            percent_of(s->l1_hits, s->accesses), percent_of(s->l2_hits, s->accesses - s->l1_hits),
            s->walks, s->distinct);
}

int cmd_record(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "KERNEL -o F",
        .doc =
            "Executes a GPU kernel on a model of its SMs and TLBs, compares its result with the "
            "CPU's, and writes the page walks.\v ",
        .help_filter = help_filter};
    request r = {0};
    gmmu_error err = {{0}};
    argp_err_exit_status = 2;
    if (!parse_options(&argp, argc, argv, &r))
        return 2;
    int shown = -1;
    bool terminal = isatty(STDERR_FILENO);
    gmmu_simt_request order = {.kernel = r.kernel,
                               .params = params_of(&r),
                               .output = r.output,
                               .with_time = r.with_time,
                               .inject_fault = r.inject_fault,
                               .progress = terminal ? show_progress : NULL,
                               .ctx = &shown};
    gmmu_simt_stats stats;
    int status = gmmu_simt_record(&order, &stats, &err);
    if (shown >= 0)
        fprintf(stderr, "\r     \r");
    if (status == GMMU_RECORD_OK)
        summary(r.kernel, order.params.size, &stats);
    else
        fprintf(stderr, "record: %s\n", err.text);
    return status;
}
