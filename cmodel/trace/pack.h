// SPDX-License-Identifier: Apache-2.0
// pack.h: compresses an output as the ending of its name asks for: .gz, .xz or .zst.
#ifndef GMMU_TRACE_PACK_H
#define GMMU_TRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gmmu_pack gmmu_pack;

// Returns the length of the ending of PATH that asks for compression; 0: no such ending.
size_t gmmu_pack_ending(const char *path);
// Begins to compress for PATH, which has such an ending. NULL: no memory.
gmmu_pack *gmmu_pack_create(const char *path);
// Compresses from *AT, of *LEFT bytes, to the ROOM bytes at TO, moves *AT and *LEFT behind what was
// taken, and sets *MADE to the number of bytes at TO. END: nothing follows; *DONE then says that
// all is at TO. False: no memory.
bool gmmu_pack_step(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                    size_t *made, bool *done);
// Frees P (NULL: nothing). Bytes that no step has returned are lost.
void gmmu_pack_free(gmmu_pack *p);

#endif
