// SPDX-License-Identifier: Apache-2.0
// pages.h: a map from (asid, number) to a dense index 0, 1, 2… in order of first appearance.
//
// Page identity is (asid, vpn). All policies of one replay share one map, so that each keeps its
// state in plain arrays. The same map numbers references by (asid, ref).
#ifndef GMMU_TRACE_PAGES_H
#define GMMU_TRACE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// No page: the index that no page ever has.
#define GMMU_NO_PAGE UINT32_MAX
// More pages than this are refused: three quarters of 2^32 slots. Policies may use the indices
// above as marks.
#define GMMU_MAX_PAGES (UINT32_MAX / 4 * 3)

typedef struct gmmu_pages gmmu_pages;

// An empty map; NULL when there is no memory.
gmmu_pages *gmmu_pages_create(void);
// Frees the map (NULL: nothing).
void gmmu_pages_destroy(gmmu_pages *p);
// The index of (asid, number), a new one at its first appearance; GMMU_NO_PAGE when there is no
// memory or GMMU_MAX_PAGES are in use.
uint32_t gmmu_pages_index(gmmu_pages *p, uint32_t asid, uint64_t number);
// The indices of the pages of COUNT walks. Returns how many there are: fewer than COUNT where
// gmmu_pages_index would return GMMU_NO_PAGE.
size_t gmmu_pages_index_walks(gmmu_pages *p, const gmmu_walk *walks, size_t count, uint32_t *index);
// The index of (asid, number), or GMMU_NO_PAGE if it never appeared.
uint32_t gmmu_pages_find(const gmmu_pages *p, uint32_t asid, uint64_t number);
// Fetches into the cache what gmmu_pages_index will look at.
void gmmu_pages_prefetch(const gmmu_pages *p, uint32_t asid, uint64_t number);
// How many have appeared.
uint32_t gmmu_pages_count(const gmmu_pages *p);
// What an index below the count stands for.
uint32_t gmmu_pages_asid(const gmmu_pages *p, uint32_t index);
uint64_t gmmu_pages_number(const gmmu_pages *p, uint32_t index);

// Resizes ARRAY from OLD to COUNT elements of SIZE bytes and sets every byte of the new ones to
// FILL. NULL when there is no memory; ARRAY is then left as it was. Large arrays lie in huge pages
// where the system has them: they are read at random.
void *gmmu_grow(void *array, size_t old, size_t count, size_t size, int fill);

#ifdef __cplusplus
}
#endif
#endif
