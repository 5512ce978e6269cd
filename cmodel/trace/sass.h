// SPDX-License-Identifier: Apache-2.0
// sass.h: what an instruction of an NVIDIA GPU does to memory, by its opcode.
#ifndef GMMU_TRACE_SASS_H
#define GMMU_TRACE_SASS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { GMMU_SASS_NO_WALK, GMMU_SASS_LOAD, GMMU_SASS_STORE } gmmu_sass;

// Returns the kind of access to device memory, by the opcode up to its first dot. *GENERIC: the
// access may be to shared or local memory, too.
gmmu_sass gmmu_sass_kind(const char *opcode, size_t length, bool *generic);
// True: the opcode accesses shared, local or constant memory, and no other.
bool gmmu_sass_inside(const char *opcode, size_t length);

#endif
