// SPDX-License-Identifier: Apache-2.0
// texts.h: a map from texts to numbers 0, 1, 2… in order of first appearance.
#ifndef GMMU_TRACE_TEXTS_H
#define GMMU_TRACE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gmmu_texts gmmu_texts;

// An empty map; NULL: no memory.
gmmu_texts *gmmu_texts_create(void);
// Sets *NUMBER of the SIZE bytes at TEXT, a new one at their first appearance. False: no memory.
bool gmmu_texts_number(gmmu_texts *t, const char *text, size_t size, uint32_t *number);
// Frees the map (NULL: nothing).
void gmmu_texts_free(gmmu_texts *t);
// Returns 64 bits that depend on HASH, 0 to begin with, and on the SIZE bytes at TEXT (FNV-1a).
uint64_t gmmu_text_hash(uint64_t hash, const char *text, size_t size);

#endif
