// SPDX-License-Identifier: Apache-2.0
// trace_cmd.c: `gmmu trace`: its command line; the actions are in trace_info.c and trace_copy.c.
#include <string.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/parse.h"
#include "cli/trace_copy.h"
#include "cli/trace_filter.h"
#include "cli/trace_info.h"

typedef struct {
    const char *action;
    const char *trace;
    shared_arguments a;
    copy_request copy;
} options;

enum {
    OPT_WALKS = 0x100,
    OPT_KEEP_GOING,
    OPT_TO,
    OPT_SOURCE,
    OPT_LICENCE,
    OPT_COMMENT,
    OPT_L1_TLB,
    OPT_L2_TLB
};

// What an action takes.
static const struct {
    const char *name;
    bool writes;  // to -o OUT
    bool needs_output;
    int needs;  // an option
    const char *form;
} actions[] = {{"info", false, false, 0, "info TRACE"},
               {"convert", true, true, 0, "convert TRACE -o OUT"},
               {"cut", true, false, OPT_WALKS, "cut --walks A:B TRACE [-o OUT]"},
               {"head", true, false, 'n', "head -n N TRACE [-o OUT]"},
               {"digest", false, false, 0, "digest TRACE"}};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static size_t find_action(const char *name) {
    size_t i = 0;
    while (i < ACTIONS && strcmp(name, actions[i].name) != 0) {
        i++;
    }
    return i;
}

// Compares the options with the action.
static void check_options(const options *o, struct argp_state *state) {
    if (o->trace == NULL) {
        argp_failure(state, 2, 0, "found %s, expected %s",
                     o->action == NULL ? "no action" : "no trace",
                     o->action == NULL ? "info, convert, cut, head or digest"
                                       : actions[find_action(o->action)].form);
        return;
    }
    size_t i = find_action(o->action);
    const char *wrong = NULL;
    if (actions[i].needs_output && o->copy.output == NULL) {
        wrong = "no -o OUT";
    } else if (!actions[i].writes && o->copy.output != NULL) {
        wrong = "-o OUT";
    } else if (actions[i].needs == OPT_WALKS && !o->copy.walks_given) {
        wrong = "no --walks A:B";
    } else if (actions[i].needs != OPT_WALKS && o->copy.walks_given) {
        wrong = "--walks";
    } else if (actions[i].needs == 'n' && !o->copy.head_given) {
        wrong = "no -n N";
    } else if (actions[i].needs != 'n' && o->copy.head_given) {
        wrong = "-n";
    }
    if (wrong == NULL && o->copy.filtered && strcmp(o->action, "convert") != 0) {
        argp_failure(state, 2, 0, "found --l1-tlb or --l2-tlb, expected them with convert");
        return;
    }
    if (wrong != NULL) {
        argp_failure(state, 2, 0, "found %s, expected %s", wrong, actions[i].form);
    }
}

static bool parse_argument(options *o, char *arg, unsigned number, gmmu_error *err) {
    const char *expected = NULL;
    if (number == 0 && find_action(arg) == ACTIONS) {
        expected = "the action info, convert, cut, head or digest";
    } else if (number > 1) {
        expected = "one trace";
    }
    if (expected != NULL) {
        (void)snprintf(err->text, sizeof err->text, "found \"%.60s\", expected %s", arg, expected);
        return false;
    }
    *(number == 0 ? &o->action : &o->trace) = arg;
    return true;
}

// The entries of a TLB, 0 or a multiple of WAYS.
static bool parse_entries(const char *option, const char *text, unsigned ways, uint64_t *entries,
                          gmmu_error *err) {
    *entries = 0;
    if (strcmp(text, "0") == 0) {
        return true;
    }
    if (!parse_upto(option, text, 1, FILTER_ENTRIES, entries, err)) {
        return false;
    }
    if (*entries % ways != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected a multiple of %u", option, text, ways);
    }
    return *entries % ways == 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case 'o':
            o->copy.output = arg;
            break;
        case 'n':
            o->copy.head_given = true;
            good = parse_count("-n", arg, &o->copy.last, &err);
            break;
        case OPT_WALKS:
            o->copy.walks_given = true;
            good = parse_range(arg, &o->copy.first, &o->copy.last, &err);
            break;
        case OPT_L1_TLB:
            o->copy.filtered = true;
            good = parse_entries("--l1-tlb", arg, 1, &o->copy.l1_tlb, &err);
            break;
        case OPT_L2_TLB:
            o->copy.filtered = true;
            good = parse_entries("--l2-tlb", arg, FILTER_L2_WAYS, &o->copy.l2_tlb, &err);
            break;
        case OPT_KEEP_GOING:
            o->copy.keep_going = true;
            break;
        case OPT_TO:
            o->copy.form = gmmu_form_find(arg);
            good = gmmu_form_writes(o->copy.form);
            (void)snprintf(err.text, sizeof err.text,
                           "--to: found \"%.60s\", expected text, gwt, ramulator, ramulator2 or "
                           "dramsim3",
                           arg);
            break;
        case OPT_SOURCE:
            o->copy.about.source = arg;
            break;
        case OPT_LICENCE:
            o->copy.about.licence = arg;
            break;
        case OPT_COMMENT:
            o->copy.about.comment = arg;
            break;
        case ARGP_KEY_ARG:
            good = parse_argument(o, arg, state->arg_num, &err);
            break;
        case ARGP_KEY_END:
            check_options(o, state);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

int cmd_trace(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "info: table or json (table)", 0}, {0}};
    static const struct argp_option list[] = {
        {"output", 'o', "OUT", 0, "the trace to write (cut, head: standard output)", 0},
        {"to", OPT_TO, "FORM", 0,
         "form of OUT: text or gwt (by the ending .gwt of OUT), ramulator, ramulator2 or dramsim3",
         0},
        {"walks", OPT_WALKS, "A:B", 0,
         "cut: walks A to B - 1, counted from 0; A or B may be left out", 0},
        {"number", 'n', "N", 0, "head: the first N walks", 0},
        {"keep-going", OPT_KEEP_GOING, NULL, 0,
         "skip bad lines and blocks, report the loss, and end with status 2", 0},
        {"l1-tlb", OPT_L1_TLB, "N", 0,
         "convert: a TLB of N entries for each SM; what hits there is no walk (0: none)", 0},
        {"l2-tlb", OPT_L2_TLB, "N", 0, "convert: a TLB of N entries behind these, for all SMs (0)",
         0},
        {"source", OPT_SOURCE, "TEXT", 0, "who made the trace (as in TRACE)", 1},
        {"licence", OPT_LICENCE, "TEXT", 0, "licence of the trace (as in TRACE)", 1},
        {"comment", OPT_COMMENT, "TEXT", 0, "any other remark (as in TRACE)", 1},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .children = children,
        .args_doc =
            "info TRACE\nconvert TRACE -o OUT\ncut --walks A:B TRACE [-o OUT]\n"
            "head -n N TRACE [-o OUT]\ndigest TRACE",
        .doc =
            "Print the content of a walk trace, or copy the trace.\vTRACE is a walk trace, or - "
            "for standard input. With --from FORMAT the trace is that of another tool (gmmu "
            "--help). Reuse intervals are counted in walks; quantiles are nearest-rank. The digest "
            "covers page_shift and walks, so a text and its .gwt have the same digest."};
    options o = {.a = {.formats = FORMAT_TABLE | FORMAT_JSON, .format = FORMAT_TABLE}};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, NULL, NULL)) {
        return 2;
    }
    if (strcmp(o.action, "info") == 0) {
        return trace_info(o.trace, &o.a.from, o.a.format);
    }
    o.copy.trace = o.trace;
    o.copy.from = o.a.from;
    return strcmp(o.action, "digest") == 0 ? trace_digest(&o.copy) : trace_copy(&o.copy);
}
