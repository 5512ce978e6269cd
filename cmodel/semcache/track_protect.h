// SPDX-License-Identifier: Apache-2.0
// track_protect.h: the back end mprotect, with its part of the handler of SIGSEGV.
#ifndef GMMU_SEM_TRACK_PROTECT_H
#define GMMU_SEM_TRACK_PROTECT_H

#include "semcache/segv.h"
#include "semcache/track_in.h"

// Returns the protection of a page. 2: not accessible; 1: not writable; 0: open.
unsigned gmmu_track_level(const gmmu_leaf *l, unsigned i);
// Protects [start, end) at level TO. False: there would be too many mappings, or the system
// refuses.
bool gmmu_track_protect(gmmu_track *t, uint64_t start, uint64_t end, unsigned to);
// True: the memory may be protected. The memory must be private and no stack, because the handler
// could not run on a closed stack.
bool gmmu_track_can_protect(uint64_t start, uint64_t end);
// Notes a read of page I, or a WRITE, by the instruction at CODE (0: not known). Of each kind the
// first since the last collection counts.
void gmmu_track_note(gmmu_leaf *l, unsigned i, bool writes, uint64_t code);
// Opens the page for an access. If there are too many mappings, neighbours of the page are opened,
// too.
bool gmmu_track_open_for(gmmu_track *t, gmmu_leaf *l, unsigned i, bool writes, uint64_t code);
// The back end's part of the handler (segv.h).
bool gmmu_track_fault(void *context, uint64_t at, gmmu_segv_access access, uint64_t code);

#endif
