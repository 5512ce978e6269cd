// SPDX-License-Identifier: Apache-2.0
// source.h: the trace that a subcommand reads, once or twice.
#ifndef GMMU_CLI_SOURCE_H
#define GMMU_CLI_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "gmmu/trace.h"
#include "policy/policy.h"

enum { SOURCE_BATCH = 1024 };  // walks

// How a trace is read.
typedef struct {
    gmmu_form form;
    gmmu_import_settings settings;  // of an imported one
    unsigned coarse_shift;          // log2 of the bytes of a coarser page; 0: the trace's pages
    bool quiet;                     // no progress, and no word on how the trace is read
} source_form;

// What a trace holds: two traces with equal digests are replayed alike.
typedef struct {
    gmmu_digest walks, hints;
} source_digest;

// A trace that can be read again. What is not a regular file is then kept in memory.
typedef struct {
    const char *command;  // for messages, e.g. "gmmu replay"
    const char *path;
    source_form from;
    gmmu_reader *reader;  // NULL: the walks come from memory
    gmmu_walk *kept;
    size_t count, room, at;
    gmmu_hint *kept_hints;
    size_t hint_count, hint_room;
    size_t hint_at, hint_end;  // those of the last call
    bool keep;
    bool progress;          // standard error is a terminal
    bool shown;             // a line of progress stands there
    struct timespec start;  // of this reading
    struct timespec last;   // when progress was shown, or the reading began
    uint64_t expected;      // walks of this reading; 0: not known
    unsigned page_shift;
    uint64_t walks;  // read since the source was opened or rewound
    gmmu_walk batch[SOURCE_BATCH];
    bool reported;  // what an imported trace holds beside walks has been said
    // Digests of the walks and hints of the first reading; not made if NULL.
    source_digest *digest;
    atomic_uint_fast64_t *passed;  // grows by the walks that are taken, for another thread; or NULL
} trace_source;

// Takes --from FORMAT, --page SIZE and the other options which every command that reads a trace has
// (gmmu --help) out of the command line into *FROM. False and *err on bad input.
bool source_options(int *argc, char **argv, source_form *from, gmmu_error *err);

// TWICE: source_rewind will be called. False and *err on failure; source_close is always allowed.
bool source_open(trace_source *s, const char *command, const char *path, const source_form *from,
                 bool twice, gmmu_error *err);
// As gmmu_reader_next. Shows the progress when standard error is a terminal.
int source_next(trace_source *s, gmmu_walk *walk, gmmu_error *err);
// As gmmu_reader_batch, of at most SOURCE_BATCH walks.
int source_batch(trace_source *s, const gmmu_walk **walks, size_t *count, gmmu_error *err);
// As gmmu_reader_hints.
const gmmu_hint *source_hints(const trace_source *s, size_t *count);
// The pages of COUNT walks. GMMU_BAD and *err: no memory.
int source_index(gmmu_pages *pages, const gmmu_walk *walks, size_t count, uint32_t *index,
                 gmmu_error *err);
// DIGEST becomes that of the first reading, of which no walk was read yet.
void source_digest_to(trace_source *s, source_digest *digest);
bool source_digest_equal(const source_digest *a, const source_digest *b);
bool source_rewind(trace_source *s, gmmu_error *err);
// COUNT more walks were taken that need no reading, as from a future.
void source_advance(trace_source *s, size_t count);
// Takes the line of progress away, if one stands there: the walks are done, or a message comes.
void source_hush(trace_source *s);
void source_close(trace_source *s);
// Reads the whole trace and rewinds it: numbers its pages, counts the walks and, if KEEP, builds
// the future (gmmu_future_free in any case).
bool source_look_ahead(trace_source *s, gmmu_pages *pages, gmmu_future *future, bool keep,
                       gmmu_error *err);

#endif
