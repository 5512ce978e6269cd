// SPDX-License-Identifier: Apache-2.0
// arguments.h: what the subcommands share of their command lines: the trace, policies, memory
// sizes, the format, threads.
#ifndef GMMU_CLI_ARGUMENTS_H
#define GMMU_CLI_ARGUMENTS_H

#include <argp.h>

#include "cli/source_options.h"
#include "cli/table.h"
#include "run/choice.h"

// Keys of the shared options; the long ones have no short form.
enum {
    ARGUMENT_POLICY = 'p',
    ARGUMENT_FRAMES = 'f',
    ARGUMENT_FORMAT = 'F',
    ARGUMENT_THREADS = 0x1000,
    ARGUMENT_PLUGIN
};

// The option of commands that take policies.
#define ARGUMENT_PLUGIN_OPTION                                                                 \
    {                                                                                          \
        "plugin", ARGUMENT_PLUGIN, "FILE", 0,                                                  \
            "a shared object with policies of one's own, for --policy (several times; before " \
            "--help: the list of policies has them)",                                          \
            0                                                                                  \
    }

enum { MOST_THREADS = 1024 };

typedef struct {
    const char *expected;  // instead of no trace; NULL: the command reads its arguments itself
    unsigned formats;      // a mask of output_format
    const char *trace;
    gmmu_source_form from;
    const char *policy_list;  // --policy; read once all plugins are there
    gmmu_choice *policies;
    size_t policy_count;
    gmmu_size *sizes;
    size_t size_count;
    output_format format;
    uint64_t threads;
} shared_arguments;

extern const char trace_expected[];  // the usual EXPECTED

// The parser of a child of a command's argp, whose options have keys from above; its input is a
// shared_arguments.
error_t parse_shared(int key, char *arg, struct argp_state *state);
void shared_free(shared_arguments *a);

// help_filter of argp for commands that take policies: tells them and their options, allocated.
char *policies_help(int key, const char *text, void *input);

// Reads the command line by ARGP, which itself says what is wrong in it and ends the program. False
// when there was no memory; that is said too.
bool parse_options(const struct argp *argp, int argc, char **argv, void *options);
// The same of a command that reads a trace: first takes out how the trace is read (source_options).
// False also for bad input there.
bool parse_options_from(const struct argp *argp, int argc, char **argv, void *options,
                        gmmu_source_form *from);
// The same into OPTIONS, of which A is a part, with POLICIES and SIZES to begin with; each may be
// NULL. False: what was wrong has been said, and A is free.
bool parse_shared_options(const struct argp *argp, int argc, char **argv, void *options,
                          shared_arguments *a, const char *policies, const char *sizes);

#endif
