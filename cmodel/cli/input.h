// SPDX-License-Identifier: Apache-2.0
// input.h: what the subcommands share: reading a trace once or twice, and the lists of policies,
// memory sizes and formats on the command line.
#ifndef GMMU_CLI_INPUT_H
#define GMMU_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "gmmu/trace.h"
#include "policy/policy.h"

enum { SOURCE_BATCH = 1024 };  // walks

// A trace that can be read again. What is not a regular file is then kept in memory.
typedef struct {
    const char *command;  // for messages, e.g. "gmmu replay"
    const char *path;
    gmmu_reader *reader;  // NULL: the walks come from memory
    gmmu_walk *kept;
    size_t count, room, at;
    bool keep;
    bool progress;          // standard error is a terminal
    struct timespec start;  // of this reading
    unsigned page_shift;
    uint64_t walks;  // read since the source was opened or rewound
    gmmu_walk batch[SOURCE_BATCH];
    bool reported;  // what an imported trace holds beside walks has been said
} trace_source;

// Reads the command line by ARGP, which itself says what is wrong in it and ends the program. False
// when there was no memory; that is said too.
struct argp;
bool parse_options(const struct argp *argp, int argc, char **argv, void *options);

// Takes --from FORMAT and --page-shift N, which every command that reads a trace has, out of the
// command line; source_open follows them. False and *err on bad input.
bool source_options(int *argc, char **argv, gmmu_error *err);

// TWICE: source_rewind will be called. False and *err on failure; source_close is always allowed.
bool source_open(trace_source *s, const char *command, const char *path, bool twice,
                 gmmu_error *err);
// As gmmu_reader_next. Shows the progress when standard error is a terminal.
int source_next(trace_source *s, gmmu_walk *walk, gmmu_error *err);
// As gmmu_reader_batch, of at most SOURCE_BATCH walks.
int source_batch(trace_source *s, const gmmu_walk **walks, size_t *count, gmmu_error *err);
// The pages of COUNT walks. GMMU_BAD and *err: no memory.
int source_index(gmmu_pages *pages, const gmmu_walk *walks, size_t count, uint32_t *index,
                 gmmu_error *err);
bool source_rewind(trace_source *s, gmmu_error *err);
void source_close(trace_source *s);
// Reads the whole trace and rewinds it: numbers its pages, counts the walks and, if KEEP, builds
// the future (gmmu_future_free in any case).
bool source_look_ahead(trace_source *s, gmmu_pages *pages, gmmu_future *future, bool keep,
                       gmmu_error *err);

// A memory size: pages, or a part of the distinct pages.
typedef struct {
    bool relative;
    uint64_t pages;     // when not relative
    uint64_t num, den;  // when relative
} memory_size;

// The number of frames; a relative size is rounded down, to no less than 1.
uint32_t size_frames(memory_size size, uint32_t distinct);

// A policy as asked for: "name" or "name:key=value:key=value".
typedef struct {
    const gmmu_policy *policy;
    char *label;          // as given
    const char *options;  // its part after the first ':', or NULL
} policy_choice;

// Parse comma-separated lists; *items is allocated. False and *err on bad input.
bool parse_sizes(const char *list, memory_size **items, size_t *count, gmmu_error *err);
bool parse_policies(const char *list, policy_choice **items, size_t *count, gmmu_error *err);
void free_policies(policy_choice *items, size_t count);
// help_filter of argp for commands that take policies: tells them and their options, allocated.
char *policies_help(int key, const char *text, void *input);

typedef enum { FORMAT_TABLE = 1, FORMAT_CSV = 2, FORMAT_JSON = 4 } output_format;

// One of the formats in the mask ALLOWED, in which table and json are.
bool parse_format(const char *name, unsigned allowed, output_format *format, gmmu_error *err);
// A whole number from 1 on.
bool parse_count(const char *option, const char *text, uint64_t *value, gmmu_error *err);

#endif
