// SPDX-License-Identifier: Apache-2.0
// magic.h: files that are told by their first bytes and are no trace of the form asked for.
#ifndef GMMU_TRACE_MAGIC_H
#define GMMU_TRACE_MAGIC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;  // of the form
    const char *way;   // how such a file is read nevertheless; NULL: no way
    bool own;          // a walk trace of the form gwt
    bool weak;         // too few bytes: a binary trace may begin with them by chance
} gmmu_magic;

// Returns what begins with the SIZE bytes at AT; NULL: nothing that is known.
const gmmu_magic *gmmu_magic_find(const char *at, size_t size);

#endif
