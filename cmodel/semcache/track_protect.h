// SPDX-License-Identifier: Apache-2.0
// track_protect.h: the back end mprotect, and its part of the handler of SIGSEGV.
#ifndef GMMU_SEM_TRACK_PROTECT_H
#define GMMU_SEM_TRACK_PROTECT_H

#include "semcache/segv.h"
#include "semcache/track_in.h"

// mprotect: how much a page is protected. 2: not accessible; 1: not writable; 0: open.
unsigned gmmu_track_level(const gmmu_leaf *l, unsigned i);
// False: there would be too many mappings, or the system refuses.
bool gmmu_track_protect(gmmu_track *t, uint64_t start, uint64_t end, unsigned to);
// Memory that may be protected: it is one's own, and no stack, on which the handler could not run.
bool gmmu_track_can_protect(uint64_t start, uint64_t end);
void gmmu_track_note(gmmu_leaf *l, unsigned i, bool writes, uint64_t code);
// The page is opened for an access; if there cannot be so many mappings, so are its neighbours.
bool gmmu_track_open_for(gmmu_track *t, gmmu_leaf *l, unsigned i, bool writes, uint64_t code);
// The handler's part.
bool gmmu_track_fault(void *context, uint64_t at, gmmu_segv_access access, uint64_t code);

#endif
