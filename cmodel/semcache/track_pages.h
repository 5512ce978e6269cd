// SPDX-License-Identifier: Apache-2.0
// track_pages.h: the pages that track.c has armed: which bytes of each, how changes are seen, and
// copies of those that are compared. Memory is the system's, in pools: never malloc's.
#ifndef GMMU_SEM_TRACK_PAGES_H
#define GMMU_SEM_TRACK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "semcache/track_kinds.h"

// Pages of a leaf: 2 MiB on most machines.
enum { GMMU_LEAF = 512 };

enum {
    GMMU_PAGE_ARMED = 1,
    GMMU_PAGE_WATCH = 2,  // the system sees writes to it
    GMMU_PAGE_STALE = 4,  // has a copy, which may be old: to be compared
    GMMU_PAGE_DIRTY = 8,  // changed: all that is armed of it
    GMMU_PAGE_WANT = 16,  // to be watched, or watched again, by the operation under way
    GMMU_PAGE_READ = 32,  // mprotect: touched so
    GMMU_PAGE_WRITE = 64,
    GMMU_PAGE_SHUT = 128,   // mprotect: protected, …
    GMMU_PAGE_NONE = 256,   // … against reads, too
    GMMU_PAGE_FRESH = 512,  // armed by the operation under way
};

typedef struct {
    uint64_t read, write;
} gmmu_page_code;

typedef struct {
    uint64_t base;  // its first byte's address
    uint32_t armed;
    uint16_t flags[GMMU_LEAF];
    uint8_t open[GMMU_LEAF];    // calls that are at it
    uint8_t *copy[GMMU_LEAF];   // NULL: it is not compared
    uint64_t *mask[GMMU_LEAF];  // its armed bytes, a bit each; NULL: all
    gmmu_page_code *code;       // mprotect: one a page
} gmmu_leaf;

// Things of one size.
typedef struct {
    size_t bytes;
    void *free, *chunks;
} gmmu_pool;

typedef struct {
    uint64_t page;  // bytes
    gmmu_leaf **leaf;
    size_t leaves, room;  // by ascending base
    gmmu_pool of_leaf, of_code, of_copy, of_mask;
} gmmu_pages;

typedef struct {
    gmmu_track_change *change;
    size_t used, room;
} gmmu_changes;

void gmmu_pages_init(gmmu_pages *p);
void gmmu_pages_free(gmmu_pages *p);

// The leaf of AT; the first one that ends behind it. MAKE: it is made where there is none; NULL: no
// memory.
gmmu_leaf *gmmu_leaf_at(const gmmu_pages *p, uint64_t at);
gmmu_leaf *gmmu_leaf_make(gmmu_pages *p, uint64_t at);
size_t gmmu_leaf_from(const gmmu_pages *p, uint64_t at);
// Those with nothing armed within [start, last] go.
void gmmu_leaf_trim(gmmu_pages *p, uint64_t start, uint64_t last);
// It gets room for code addresses. False: no memory.
bool gmmu_leaf_code(gmmu_pages *p, gmmu_leaf *l);

// The armed bytes of page I of a leaf become those that are, or with SET false less [first, last],
// offsets in the page. False: no memory.
bool gmmu_page_cover(gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                     bool set);
// It is not armed any more.
void gmmu_page_clear(gmmu_pages *p, gmmu_leaf *l, unsigned i);
// It gets a copy of what it holds, if it has none. False: no memory.
bool gmmu_page_keep(gmmu_pages *p, gmmu_leaf *l, unsigned i);
void gmmu_page_forget(gmmu_pages *p, gmmu_leaf *l, unsigned i);
// [first, last] of it are copied again; with NEW alone only what is not armed yet.
void gmmu_page_copy(const gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                    bool only_new);
bool gmmu_page_has(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, uint64_t first,
                   uint64_t last);
// Its armed bytes that differ from the copy, to OUT unless it is NULL, and to the copy; whether
// there are any.
bool gmmu_page_compare(const gmmu_pages *p, gmmu_leaf *l, unsigned i, gmmu_changes *out);
// All its armed bytes, to OUT.
void gmmu_page_tell(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, gmmu_track_change how,
                    gmmu_changes *out);

// Room for one at least. False: no memory.
bool gmmu_changes_room(gmmu_changes *c);
void gmmu_changes_free(gmmu_changes *c);

#endif
