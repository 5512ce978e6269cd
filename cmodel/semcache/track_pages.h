// SPDX-License-Identifier: Apache-2.0
// track_pages.h: the pages that the tracker has armed: the armed bytes of each page, the way in
// which changes are seen, and copies of pages that are compared. The memory comes from the system,
// in pools, never from malloc.
#ifndef GMMU_SEM_TRACK_PAGES_H
#define GMMU_SEM_TRACK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "semcache/track_kinds.h"

// Number of pages of a leaf; a leaf has 2 MiB on most machines.
enum { GMMU_LEAF = 512 };

enum {
    GMMU_PAGE_ARMED = 1,
    GMMU_PAGE_WATCH = 2,  // the system sees writes to the page
    GMMU_PAGE_STALE = 4,  // the page has a copy, which may be old: the page must be compared
    GMMU_PAGE_DIRTY = 8,  // the page changed: all its armed bytes count as changed
    GMMU_PAGE_WANT = 16,  // the operation under way must watch the page, or watch it again
    GMMU_PAGE_READ = 32,  // mprotect: a read touched the page; the next flag: a write did
    GMMU_PAGE_WRITE = 64,
    GMMU_PAGE_SHUT = 128,   // mprotect: the page is protected
    GMMU_PAGE_NONE = 256,   // mprotect: the page is protected against reads, too
    GMMU_PAGE_FRESH = 512,  // the operation under way armed the page
};

typedef struct {
    uint64_t read, write;
} gmmu_page_code;

typedef struct {
    uint64_t base;  // address of the first byte
    uint32_t armed;
    uint16_t flags[GMMU_LEAF];
    uint8_t open[GMMU_LEAF];    // number of calls that use the page
    uint8_t *copy[GMMU_LEAF];   // NULL: the page is not compared
    uint64_t *mask[GMMU_LEAF];  // the armed bytes, a bit each; NULL: all bytes
    gmmu_page_code *code;       // mprotect: an entry for each page
} gmmu_leaf;

// A pool of objects of one size.
typedef struct {
    size_t bytes;
    void *free, *chunks;
} gmmu_pool;

typedef struct {
    uint64_t page;  // bytes of a page
    gmmu_leaf **leaf;
    size_t leaves, room;  // by ascending base
    gmmu_pool of_leaf, of_code, of_copy, of_mask;
} gmmu_pages;

typedef struct {
    gmmu_track_change *change;
    size_t used, room;
} gmmu_changes;

// gmmu_pages_init makes P, with pages of the system's size and no leaf. gmmu_pages_free gives all
// memory back, and leaves P as gmmu_pages_init does.
void gmmu_pages_init(gmmu_pages *p);
void gmmu_pages_free(gmmu_pages *p);

// gmmu_leaf_at returns the leaf that contains AT; gmmu_leaf_make makes the leaf if there is none.
// NULL: no leaf, or no memory. gmmu_leaf_from returns the index of the first leaf that ends behind
// AT.
gmmu_leaf *gmmu_leaf_at(const gmmu_pages *p, uint64_t at);
gmmu_leaf *gmmu_leaf_make(gmmu_pages *p, uint64_t at);
size_t gmmu_leaf_from(const gmmu_pages *p, uint64_t at);
// Frees the leaves in [start, last] of which nothing is armed.
void gmmu_leaf_trim(gmmu_pages *p, uint64_t start, uint64_t last);
// Gives the leaf room for code addresses. False: no memory.
bool gmmu_leaf_code(gmmu_pages *p, gmmu_leaf *l);

// Adds the bytes [first, last] (offsets in the page) to the armed bytes of page I, or with SET
// false takes them away. False: no memory.
bool gmmu_page_cover(gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                     bool set);
// The page is not armed any more.
void gmmu_page_clear(gmmu_pages *p, gmmu_leaf *l, unsigned i);
// Copies the content of the page, if the page has no copy. False: no memory. gmmu_page_forget drops
// the copy.
bool gmmu_page_keep(gmmu_pages *p, gmmu_leaf *l, unsigned i);
void gmmu_page_forget(gmmu_pages *p, gmmu_leaf *l, unsigned i);
// Copies [first, last] of the page again; with ONLY_NEW only the bytes that are not armed yet.
void gmmu_page_copy(const gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                    bool only_new);
// True: a byte of [first, last] (offsets in the page) of page I is armed.
bool gmmu_page_has(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, uint64_t first,
                   uint64_t last);
// Compares the armed bytes with the copy, which must be there. Different bytes go to OUT, unless
// OUT is NULL, and to the copy. True: some bytes differ.
bool gmmu_page_compare(const gmmu_pages *p, gmmu_leaf *l, unsigned i, gmmu_changes *out);
// Reports all armed bytes of the page to OUT, each change as HOW. Here and above OUT has room for
// one change (gmmu_changes_room); without memory for more the last change grows.
void gmmu_page_tell(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, gmmu_track_change how,
                    gmmu_changes *out);

// Makes room for one more change at least. False: no memory.
bool gmmu_changes_room(gmmu_changes *c);
// Gives the memory back; C is empty then.
void gmmu_changes_free(gmmu_changes *c);

#endif
