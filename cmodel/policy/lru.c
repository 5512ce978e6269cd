// SPDX-License-Identifier: Apache-2.0
// lru.c: least recently used, as a circular list through an array indexed by page.
#include <stdlib.h>

#include "policy/policy.h"

// Node 0 is the list's head: next is the youngest page, prev the oldest. Page p is node p + 1.
typedef struct {
    uint32_t prev, next;
} node;

enum { ABSENT = 0xff };  // every byte of the node of a page that is not resident

typedef struct {
    node *nodes;
    uint32_t cap;  // pages that nodes has room for
    uint32_t frames, used;
} lru;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("lru", config, err)) {
        return NULL;
    }
    lru *s = calloc(1, sizeof *s);
    node *nodes = calloc(1, sizeof *nodes);
    if (s == NULL || nodes == NULL) {
        free(s);
        free(nodes);
        (void)gmmu_policy_no_memory("lru", err);
        return NULL;
    }
    s->nodes = nodes;
    s->frames = config->frames;
    return s;
}

static void unlink_node(node *n, uint32_t i) {
    n[n[i].prev].next = n[i].next;
    n[n[i].next].prev = n[i].prev;
}

static void push_young(node *n, uint32_t i) {
    n[i] = (node){.prev = 0, .next = n[0].next};
    n[n[0].next].prev = i;
    n[0].next = i;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    lru *s = state;
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        node *nodes =
            gmmu_grow(s->nodes, (size_t)s->cap + 1, (size_t)cap + 1, sizeof *nodes, ABSENT);
        if (nodes == NULL) {
            return gmmu_policy_no_memory("lru", err);
        }
        s->nodes = nodes;
        s->cap = cap;
    }
    node *n = s->nodes;
    uint32_t i = page + 1;
    *out = (gmmu_outcome){.fault = n[i].next == UINT32_MAX, .victim = GMMU_NO_PAGE};
    if (!out->fault) {
        unlink_node(n, i);
    } else if (s->used < s->frames) {
        s->used++;
    } else {
        uint32_t old = n[0].prev;
        unlink_node(n, old);
        n[old] = (node){UINT32_MAX, UINT32_MAX};
        out->victim = old - 1;
    }
    push_young(n, i);
    return GMMU_OK;
}

static void destroy(void *state) {
    lru *s = state;
    free(s->nodes);
    free(s);
}

const gmmu_policy gmmu_policy_lru = {
    .name = "lru",
    .help = "least recently used",
    .create = create,
    .access = touch,
    .destroy = destroy,
};
