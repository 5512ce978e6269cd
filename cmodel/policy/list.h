// SPDX-License-Identifier: Apache-2.0
// list.h: queues and stacks of a policy: doubly linked lists of pages in one array. A page is on at
// most one list. Every operation is O(1); memory is 16 bytes for each page that appeared.
#ifndef GMMU_POLICY_LIST_H
#define GMMU_POLICY_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

enum {
    GMMU_LISTS = 4,       // number of lists in a set
    GMMU_NO_LIST = 0xff,  // no list: the page is on none
};

typedef struct {
    uint32_t prev, next;  // node numbers
    uint32_t list;
    uint32_t mark;  // for the policy: a bit, a counter
} gmmu_list_node;

// Nodes 0 to GMMU_LISTS - 1 are the heads; page p is node p + GMMU_LISTS. A list's front is its
// youngest end.
typedef struct gmmu_lists {
    gmmu_list_node *nodes;
    uint32_t cap;  // capacity, in pages
    uint32_t length[GMMU_LISTS];
} gmmu_lists;

// Makes empty lists, with room for EXPECTED pages. False: no memory.
static inline bool gmmu_lists_create_for(gmmu_lists *l, uint32_t expected) {
    const size_t count = (size_t)expected + GMMU_LISTS;
    memset(l, 0, sizeof *l);
    l->nodes = (gmmu_list_node *)gmmu_grow(NULL, 0, count, sizeof *l->nodes, 0xff);
    l->cap = expected;
    for (uint32_t i = 0; l->nodes != NULL && i < GMMU_LISTS; i++) {
        memset(&l->nodes[i], 0, sizeof l->nodes[i]);
        l->nodes[i].prev = l->nodes[i].next = i;
    }
    return l->nodes != NULL;
}

// Makes empty lists. False: no memory.
static inline bool gmmu_lists_create(gmmu_lists *l) {
    return gmmu_lists_create_for(l, 0);
}

static inline void gmmu_lists_destroy(gmmu_lists *l) {
    free(l->nodes);
}

// A policy's new state: SIZE bytes that begin with gmmu_lists, which have room for the pages that
// are known; all else is 0. NULL and *err: no memory.
static inline void *gmmu_lists_state(const char *policy, size_t size,
                                     const gmmu_policy_config *config, gmmu_error *err) {
    gmmu_lists *l = (gmmu_lists *)calloc(1, size);
    if (l == NULL || !gmmu_lists_create_for(l, gmmu_policy_expected(config, UINT32_MAX))) {
        free(l);
        (void)gmmu_policy_no_memory(policy, err);
        return NULL;
    }
    return l;
}

static inline void gmmu_lists_state_destroy(void *state) {
    gmmu_lists_destroy((gmmu_lists *)state);
    free(state);
}

// Makes room for PAGE. False: no memory.
static inline bool gmmu_lists_reserve(gmmu_lists *l, uint32_t page) {
    if (page < l->cap) {
        return true;
    }
    uint32_t cap = gmmu_policy_capacity(l->cap, page);
    gmmu_list_node *nodes = (gmmu_list_node *)gmmu_grow(
        l->nodes, (size_t)l->cap + GMMU_LISTS, (size_t)cap + GMMU_LISTS, sizeof *nodes, 0xff);
    if (nodes == NULL) {
        return false;
    }
    l->nodes = nodes;
    l->cap = cap;
    return true;
}

static inline void gmmu_lists_prefetch(const gmmu_lists *l, uint32_t page) {
    if (page < l->cap) {
        __builtin_prefetch(&l->nodes[page + GMMU_LISTS], 1);
    }
}

static inline gmmu_list_node *gmmu_list_node_of(gmmu_lists *l, uint32_t page) {
    return &l->nodes[page + GMMU_LISTS];
}

// Returns the list of PAGE, or GMMU_NO_LIST.
static inline uint32_t gmmu_list_of(const gmmu_lists *l, uint32_t page) {
    return l->nodes[page + GMMU_LISTS].list & GMMU_NO_LIST;
}

// Puts PAGE, which is on no list, at the front of LIST.
static inline void gmmu_list_push(gmmu_lists *l, uint32_t list, uint32_t page) {
    gmmu_list_node *n = l->nodes;
    uint32_t i = page + GMMU_LISTS;
    n[i].prev = list;
    n[i].next = n[list].next;
    n[i].list = list;
    n[n[list].next].prev = i;
    n[list].next = i;
    l->length[list]++;
}

// Takes PAGE off its list.
static inline void gmmu_list_remove(gmmu_lists *l, uint32_t page) {
    gmmu_list_node *n = l->nodes;
    uint32_t i = page + GMMU_LISTS;
    n[n[i].prev].next = n[i].next;
    n[n[i].next].prev = n[i].prev;
    l->length[n[i].list]--;
    n[i].list = UINT32_MAX;
}

// Returns the next page from PAGE towards the front, or GMMU_NO_PAGE.
static inline uint32_t gmmu_list_younger(const gmmu_lists *l, uint32_t page) {
    uint32_t i = l->nodes[page + GMMU_LISTS].prev;
    return i < GMMU_LISTS ? GMMU_NO_PAGE : i - GMMU_LISTS;
}

// Returns the oldest page of LIST, or GMMU_NO_PAGE.
static inline uint32_t gmmu_list_oldest(const gmmu_lists *l, uint32_t list) {
    uint32_t i = l->nodes[list].prev;
    return i < GMMU_LISTS ? GMMU_NO_PAGE : i - GMMU_LISTS;
}

// Returns the oldest page of LIST that may leave by E, or GMMU_NO_PAGE.
static inline uint32_t gmmu_list_oldest_of(const gmmu_lists *l, uint32_t list,
                                           const gmmu_eligible *e) {
    uint32_t page = gmmu_list_oldest(l, list);
    while (page != GMMU_NO_PAGE && !gmmu_may_leave(e, page)) {
        page = gmmu_list_younger(l, page);
    }
    return page;
}

// Returns the next page from PAGE towards the back, or GMMU_NO_PAGE.
static inline uint32_t gmmu_list_older(const gmmu_lists *l, uint32_t page) {
    uint32_t i = l->nodes[page + GMMU_LISTS].next;
    return i < GMMU_LISTS ? GMMU_NO_PAGE : i - GMMU_LISTS;
}

// Returns the youngest page of LIST that may leave by E, or GMMU_NO_PAGE.
static inline uint32_t gmmu_list_youngest_of(const gmmu_lists *l, uint32_t list,
                                             const gmmu_eligible *e) {
    uint32_t page =
        l->nodes[list].next < GMMU_LISTS ? GMMU_NO_PAGE : l->nodes[list].next - GMMU_LISTS;
    while (page != GMMU_NO_PAGE && !gmmu_may_leave(e, page)) {
        page = gmmu_list_older(l, page);
    }
    return page;
}

// Takes the oldest page off LIST, which must not be empty.
static inline uint32_t gmmu_list_pop(gmmu_lists *l, uint32_t list) {
    uint32_t page = gmmu_list_oldest(l, list);
    gmmu_list_remove(l, page);
    return page;
}

#endif
