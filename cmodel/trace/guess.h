// SPDX-License-Identifier: Apache-2.0
// guess.h: which forms of other tools the first bytes of a file fit.
#ifndef GMMU_TRACE_GUESS_H
#define GMMU_TRACE_GUESS_H

#include "trace/form.h"

// Sets r->kind of the input, whose first bytes are in the buffer, to the one form that fits; NULL:
// none does. False and *err: several do, or one that many a file fits; or no memory.
bool gmmu_guess(gmmu_reader *r, gmmu_error *err);

#endif
