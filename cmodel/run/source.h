// SPDX-License-Identifier: Apache-2.0
// source.h: the trace that a replay or a study reads, once or twice: a file, or walks in memory.
#ifndef GMMU_RUN_SOURCE_H
#define GMMU_RUN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "gmmu/trace.h"
#include "policy/policy.h"
#include "run/listener.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SOURCE_BATCH = 1024 };  // walks
// What is said of a text that does not end with a newline, whose name is the argument.
#define GMMU_SOURCE_CUT "%s: the last line has no newline: the file may be cut"

// How a trace is read.
typedef struct {
    gmmu_form form;
    gmmu_import_settings settings;  // of an imported one
    unsigned coarse_shift;          // log2 of the bytes of a coarser page; 0: the trace's pages
} gmmu_source_form;

// What a trace holds: two traces with equal digests are replayed alike.
typedef struct {
    gmmu_digest walks, hints;
} gmmu_source_digest;

// A trace that can be read again. What is not a regular file is then kept in memory.
typedef struct {
    const char *path;
    gmmu_source_form from;
    gmmu_listener listener;
    gmmu_reader *reader;     // NULL: the walks come from memory
    const gmmu_walk *given;  // the walks in memory: `kept`, or the caller's
    const gmmu_hint *given_hints;
    gmmu_walk *kept;
    size_t count, room, at;
    gmmu_hint *kept_hints;
    size_t hint_count, hint_room;
    size_t hint_at, hint_end;  // those of the last call
    bool keep;
    bool shown;             // the listener was told of progress
    struct timespec start;  // of this reading
    struct timespec last;   // when progress was shown, or the reading began
    uint64_t expected;      // walks of this reading; 0: not known
    unsigned page_shift;
    uint64_t walks;  // read since the source was opened or rewound
    gmmu_walk batch[GMMU_SOURCE_BATCH];
    bool reported;               // what an imported trace holds beside walks has been said
    gmmu_source_digest *digest;  // that of the first reading of a file; not made if NULL
} gmmu_source;

// TWICE: gmmu_source_rewind will be called. False and *err on failure; gmmu_source_close is always
// allowed.
bool gmmu_source_open(gmmu_source *s, const char *path, const gmmu_source_form *from, bool twice,
                      const gmmu_listener *listener, gmmu_error *err);
// COUNT walks in memory, with their hints, which the caller keeps.
void gmmu_source_open_walks(gmmu_source *s, const gmmu_walk *walks, size_t count,
                            const gmmu_hint *hints, size_t hint_count, unsigned page_shift,
                            const gmmu_listener *listener);
// DIGEST becomes that of the first reading, of which no walk was read yet.
void gmmu_source_digest_to(gmmu_source *s, gmmu_source_digest *digest);
// True and *err: the listener wants the call to end.
bool gmmu_source_stopped(const gmmu_source *s, gmmu_error *err);
// As gmmu_reader_next. The listener hears of the progress.
int gmmu_source_next(gmmu_source *s, gmmu_walk *walk, gmmu_error *err);
// As gmmu_reader_batch, of at most GMMU_SOURCE_BATCH walks.
int gmmu_source_batch(gmmu_source *s, const gmmu_walk **walks, size_t *count, gmmu_error *err);
// The same, of at most MOST walks, which is no more than GMMU_SOURCE_BATCH.
int gmmu_source_some(gmmu_source *s, size_t most, const gmmu_walk **walks, size_t *count,
                     gmmu_error *err);
// As gmmu_reader_hints.
const gmmu_hint *gmmu_source_hints(const gmmu_source *s, size_t *count);
// The pages of COUNT walks. GMMU_BAD and *err: no memory.
int gmmu_source_index(gmmu_pages *pages, const gmmu_walk *walks, size_t count, uint32_t *index,
                      gmmu_error *err);
bool gmmu_source_rewind(gmmu_source *s, gmmu_error *err);
// COUNT more walks were taken that need no reading, as from a future.
void gmmu_source_advance(gmmu_source *s, size_t count);
// The listener hears that the walks are done, or that a message comes, if it was told of progress.
void gmmu_source_hush(gmmu_source *s);
void gmmu_source_close(gmmu_source *s);
// Reads the whole trace and rewinds it: numbers its pages, counts the walks and, if KEEP, builds
// the future (gmmu_future_free in any case).
bool gmmu_source_look_ahead(gmmu_source *s, gmmu_pages *pages, gmmu_future *future, bool keep,
                            gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
