// SPDX-License-Identifier: Apache-2.0
// track.h: observes the bytes that a program's own code changes, or touches, between the calls of a
// library.
//
// Memory is armed after a call. Before the next call the changes of armed memory are collected.
// There are three back ends, all for Linux:
// - userfaultfd's asynchronous write-protection: writes, a page at a time.
// - copies that are compared: writes that change a byte.
// - mprotect with a handler of SIGSEGV: writes and reads, with the code of the access.
//
// Several threads may call all functions at once. A child of fork starts with nothing armed. No
// function calls malloc.
#ifndef GMMU_SEM_TRACK_H
#define GMMU_SEM_TRACK_H

#include "gmmu/trace.h"
#include "semcache/track_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns NULL and *err: no memory, or a back end that is not available here or does not support
// MODE.
gmmu_track *gmmu_track_create(const gmmu_track_config *config, gmmu_error *err);
// Opens all pages that are closed, and frees T (NULL: nothing). No other call on T may be under
// way.
void gmmu_track_destroy(gmmu_track *t);
// Returns the name of the back end in use, a constant text; "none" if nothing is tracked.
const char *gmmu_track_backend_name(const gmmu_track *t);
// True: the back end closes pages, so that system calls on these pages fail.
bool gmmu_track_closes(const gmmu_track *t);
// Finds a back end by its name: "auto", "uffd", "compare", "mprotect". False: unknown name.
bool gmmu_track_backend_by_name(const char *name, gmmu_track_backend *backend);

// Opens [start, last]: a call is about to read, or write, these bytes. The call's accesses are not
// the program's.
void gmmu_track_open(gmmu_track *t, uint64_t start, uint64_t last, bool writes);
// Arms [start, last]: changes are seen from now on. The function is called after a call, for each
// range of gmmu_track_open, or without gmmu_track_open. If the call WRITES the range, earlier
// writes there are forgotten. False: no memory, and some of the range may not be armed.
bool gmmu_track_arm(gmmu_track *t, uint64_t start, uint64_t last, bool writes);
// Calls EACH for all changes since the arming, or since the last collection. Changes come by
// ascending address, clipped to memory that is armed and not open. EACH may call other functions of
// T. False: no memory, and the next call reports all changes.
bool gmmu_track_collect(gmmu_track *t, void (*each)(void *context, const gmmu_track_change *change),
                        void *context);
// The same for the changes in pages of [start, last] alone: further changes stay to be collected.
// The cost depends on these pages, not on what else is armed.
bool gmmu_track_collect_in(gmmu_track *t, uint64_t start, uint64_t last,
                           void (*each)(void *context, const gmmu_track_change *change),
                           void *context);
// Memory is freed: nothing in [start, last] is armed any more.
void gmmu_track_drop(gmmu_track *t, uint64_t start, uint64_t last);
// A system call is about to access [start, last], and would fail with EFAULT: pages that mprotect
// closed there count as touched.
void gmmu_track_touch(gmmu_track *t, uint64_t start, uint64_t last, bool writes, uint64_t code);
// True: a byte of [start, last] is armed. The function is cheap; the result is wrong only while
// another thread changes it.
bool gmmu_track_has(gmmu_track *t, uint64_t start, uint64_t last);

// Returns the pages that are watched and compared now, and the counts since the creation, or since
// fork in a child. The cost grows with the armed pages.
gmmu_track_counts gmmu_track_counted(gmmu_track *t);

#ifdef __cplusplus
}
#endif
#endif
