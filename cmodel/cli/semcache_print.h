// SPDX-License-Identifier: Apache-2.0
// semcache_print.h: what `gmmu semcache` is asked for, and how it is printed.
#ifndef GMMU_CLI_SEMCACHE_PRINT_H
#define GMMU_CLI_SEMCACHE_PRINT_H

#include <stdio.h>

#include "cli/arguments.h"
#include "semcache/play.h"

enum { SEMCACHE_PROTOCOLS = 16, SEMCACHE_TOP = 20 };

typedef struct {
    char name[16];
    gmmu_sem_protocol is;
} semcache_choice;

typedef enum { SEMCACHE_TOTALS, SEMCACHE_SITES, SEMCACHE_PAIRS, SEMCACHE_MERGES } semcache_show;

typedef struct {
    const char *trace;         // the last of FILES
    const char *const *files;  // COUNT of them; more than one of --sum alone
    size_t count;
    bool sum;
    uint64_t top;  // --sum: sites; 0: all
    semcache_choice protocol[SEMCACHE_PROTOCOLS];
    size_t protocols;
    gmmu_sem_config runtime;
    gmmu_sem_link link;
    const char *link_file;  // NULL: the usual link
    uint64_t least;
    bool sweep;
    const char *perfetto;
    semcache_show show;
    output_format format;
    bool top_given;
    const char *play_option;  // the last of those that --sum does not have; NULL: none was given
} semcache_options;

// A trace under one protocol.
typedef struct {
    const semcache_choice *of;
    const char *bound;  // "", "least", "most"
    bool most;
    uint64_t least;  // --min
    gmmu_sem_play *play;
} semcache_play;

// The time line of the first protocol, a JSON array of trace events, one for each piece of time
// (Chrome's trace event format, which Perfetto reads), written as it is played.
typedef struct {
    FILE *to;
    const gmmu_sem_reader *names;
    uint64_t slices;
    bool bad;  // it could not be written
} semcache_line;
void semcache_slice(void *context, gmmu_sem_work work, uint32_t site, double start_ns, double ns,
                    uint64_t bytes);
// False: it could not be written.
bool semcache_line_end(semcache_line *line);

void semcache_print(const semcache_options *o, const gmmu_sem_reader *r, const semcache_play *all,
                    size_t count);

#endif
