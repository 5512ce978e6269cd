// SPDX-License-Identifier: Apache-2.0
// arguments.c: see arguments.h.
#include "cli/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "policy/plugin.h"

const char trace_expected[] = "a file, or - for standard input";

static bool load_plugin(const char *path, gmmu_error *err) {
    gmmu_error why = {""};
    if (gmmu_plugin_load(path, &why)) {
        return true;
    }
    (void)snprintf(err->text, sizeof err->text, "--plugin: %.490s", why.text);
    return false;
}

// The policies of --policy, or those to begin with.
static bool take_policies(shared_arguments *a, gmmu_error *err) {
    if (a->policy_list == NULL) {
        return true;
    }
    gmmu_choices_free(a->policies, a->policy_count);
    return gmmu_parse_policies(a->policy_list, &a->policies, &a->policy_count, err);
}

error_t parse_shared(int key, char *arg, struct argp_state *state) {
    shared_arguments *a = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGUMENT_POLICY:
            a->policy_list = arg;
            break;
        case ARGUMENT_PLUGIN:
            good = load_plugin(arg, &err);
            break;
        case ARGUMENT_FRAMES:
            free(a->sizes);
            good = gmmu_parse_sizes(arg, &a->sizes, &a->size_count, &err);
            break;
        case ARGUMENT_FORMAT:
            good = parse_format(arg, a->formats, &a->format, &err);
            break;
        case ARGUMENT_THREADS:
            good = parse_upto("--threads", arg, 1, MOST_THREADS, &a->threads, &err);
            break;
        case ARGP_KEY_ARG:
            if (a->expected == NULL) {
                return ARGP_ERR_UNKNOWN;
            }
            if (a->trace != NULL) {
                argp_failure(state, 2, 0, "found a second trace \"%s\", expected one", arg);
            }
            a->trace = arg;
            break;
        case ARGP_KEY_END:
            good = take_policies(a, &err);
            if (good && a->expected != NULL && a->trace == NULL) {
                argp_failure(state, 2, 0, "found no trace, expected %s", a->expected);
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

void shared_free(shared_arguments *a) {
    gmmu_choices_free(a->policies, a->policy_count);
    free(a->sizes);
}

bool parse_options(const struct argp *argp, int argc, char **argv, void *options) {
    error_t bad = argp_parse(argp, argc, argv, 0, NULL, options);
    if (bad != 0) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], strerror(bad));
    }
    return bad == 0;
}

bool parse_options_from(const struct argp *argp, int argc, char **argv, void *options,
                        gmmu_source_form *from) {
    gmmu_error err = {""};
    if (source_options(&argc, argv, from, &err)) {
        return parse_options(argp, argc, argv, options);
    }
    (void)fprintf(stderr, "%s: %s\n", argv[0], err.text);
    return false;
}

bool parse_shared_options(const struct argp *argp, int argc, char **argv, void *options,
                          shared_arguments *a, const char *policies, const char *sizes) {
    gmmu_error err = {""};
    bool good =
        (policies == NULL || gmmu_parse_policies(policies, &a->policies, &a->policy_count, &err)) &&
        (sizes == NULL || gmmu_parse_sizes(sizes, &a->sizes, &a->size_count, &err));
    if (!good) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], err.text);
    }
    good = good && parse_options_from(argp, argc, argv, options, &a->from);
    if (!good) {
        shared_free(a);
    }
    return good;
}
