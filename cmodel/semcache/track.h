// SPDX-License-Identifier: Apache-2.0
// track.h: which bytes a program's own code changes, or touches, between a library's calls.
//
// Linux. Memory is armed after a call, and before the next one what became of it since is
// collected. Three back ends: userfaultfd's asynchronous write-protection (writes, a page at a
// time), copies that are compared (writes that change something), mprotect with a handler of
// SIGSEGV (writes; reads too; with the code that touched). All functions may be called by several
// threads at once. A child of fork starts with nothing armed. No function calls malloc.
#ifndef GMMU_SEM_TRACK_H
#define GMMU_SEM_TRACK_H

#include "gmmu/trace.h"
#include "semcache/track_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

// NULL and *err: no memory, a back end that is not to be had here or cannot do MODE.
gmmu_track *gmmu_track_create(const gmmu_track_config *config, gmmu_error *err);
void gmmu_track_destroy(gmmu_track *t);
const char *gmmu_track_backend_name(const gmmu_track *t);
// Does it close pages, so that system calls on them fail?
bool gmmu_track_closes(const gmmu_track *t);
// "auto", "uffd", "compare", "mprotect"; false: none of them.
bool gmmu_track_backend_by_name(const char *name, gmmu_track_backend *backend);

// A call is about to read [start, last], or to write there: what it does is not the program's.
void gmmu_track_open(gmmu_track *t, uint64_t start, uint64_t last, bool writes);
// After it, for each range of gmmu_track_open, or without: from now on changes are seen. Writes
// that were seen before are forgotten, if the call WRITES here. False: no memory; it may not all be
// armed.
bool gmmu_track_arm(gmmu_track *t, uint64_t start, uint64_t last, bool writes);
// What changed since it was armed, or collected, by ascending address, clipped to what is armed and
// not open. EACH may call other functions of T. False: no memory; it is all told the next time.
bool gmmu_track_collect(gmmu_track *t, void (*each)(void *context, const gmmu_track_change *change),
                        void *context);
// Memory goes: nothing in [start, last] is armed any more.
void gmmu_track_drop(gmmu_track *t, uint64_t start, uint64_t last);
// A system call is about to access [start, last], and would get EFAULT: mprotect's pages there
// count as touched.
void gmmu_track_touch(gmmu_track *t, uint64_t start, uint64_t last, bool writes, uint64_t code);
// Is a byte of [start, last] armed? Cheap; wrong only while another thread changes it.
bool gmmu_track_has(gmmu_track *t, uint64_t start, uint64_t last);

gmmu_track_counts gmmu_track_counted(gmmu_track *t);

#ifdef __cplusplus
}
#endif
#endif
