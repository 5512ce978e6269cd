// SPDX-License-Identifier: Apache-2.0
// lfu.c: least frequently used, of resident pages, in O(1) (Shah, Mitra and Matani, "An O(1)
// algorithm for implementing the LFU cache eviction scheme", 2010).
//
// A page's frequency is the number of its accesses since it came in; it is forgotten when the page
// leaves. Of equal frequencies the page whose last access is oldest leaves (the paper leaves it
// open). No parameters.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/counting.h"
#include "policy/option.h"

enum { END = 0 };  // bucket 0: before the first and past the last

// The pages of one frequency; buckets in a circular list, rising.
typedef struct {
    uint64_t frequency;
    uint32_t prev, next;
    uint32_t young, old;  // ends of its pages' list, GMMU_NO_PAGE: no pages
} bucket;

typedef struct {
    uint32_t younger, older;  // on the list of its bucket; GMMU_NO_PAGE at the end
    uint32_t bucket;          // UINT32_MAX: not resident
} node;

typedef struct {
    bucket *buckets;
    uint32_t bucket_cap, bucket_count, free;  // free: first of a list through next, END: none
    node *nodes;
    uint32_t cap;
    uint32_t frames, used;
    uint64_t victim_frequency;  // of the last victim
    gmmu_eligible eligible;
} lfu;

static void destroy(void *state) {
    lfu *s = state;
    free(s->buckets);
    free(s->nodes);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("lfu", config, err)) {
        return NULL;
    }
    lfu *s = calloc(1, sizeof *s);
    bucket *buckets = calloc(1, sizeof *buckets);
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    if (s == NULL || buckets == NULL || !GMMU_EXPECT(s->nodes, s->cap, pages, 0xff)) {
        free(s);
        free(buckets);
        (void)gmmu_policy_no_memory("lfu", err);
        return NULL;
    }
    s->buckets = buckets;
    s->bucket_cap = s->bucket_count = 1;
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

// Room for PAGE, and for one more bucket.
static bool reserve(lfu *s, uint32_t page) {
    if (!GMMU_ROOM(s->nodes, s->cap, page, 0xff)) {
        return false;
    }
    if (s->free == END && s->bucket_count == s->bucket_cap) {
        uint32_t cap = gmmu_policy_capacity(s->bucket_cap, s->bucket_cap);
        bucket *buckets = gmmu_grow(s->buckets, s->bucket_cap, cap, sizeof *buckets, 0);
        if (buckets == NULL) {
            return false;
        }
        s->buckets = buckets;
        s->bucket_cap = cap;
    }
    return true;
}

// Takes PAGE out of its bucket, and the bucket away if no page is left in it.
static void take(lfu *s, uint32_t page) {
    node *n = &s->nodes[page];
    bucket *b = &s->buckets[n->bucket];
    if (n->younger != GMMU_NO_PAGE) {
        s->nodes[n->younger].older = n->older;
    } else {
        b->young = n->older;
    }
    if (n->older != GMMU_NO_PAGE) {
        s->nodes[n->older].younger = n->younger;
    } else {
        b->old = n->younger;
    }
    if (b->old == GMMU_NO_PAGE) {
        s->buckets[b->prev].next = b->next;
        s->buckets[b->next].prev = b->prev;
        b->next = s->free;
        s->free = n->bucket;
    }
    n->bucket = UINT32_MAX;
}

// Puts PAGE into the bucket of FREQUENCY, which comes right after the bucket AFTER.
static void put(lfu *s, uint32_t page, uint64_t frequency, uint32_t after) {
    uint32_t i = s->buckets[after].next;
    if (i == END || s->buckets[i].frequency != frequency) {
        i = s->free;
        if (i != END) {
            s->free = s->buckets[i].next;
        } else {
            i = s->bucket_count++;
        }
        uint32_t next = s->buckets[after].next;
        s->buckets[i] = (bucket){frequency, after, next, GMMU_NO_PAGE, GMMU_NO_PAGE};
        s->buckets[after].next = i;
        s->buckets[next].prev = i;
    }
    bucket *b = &s->buckets[i];
    s->nodes[page] = (node){.younger = GMMU_NO_PAGE, .older = b->young, .bucket = i};
    if (b->young != GMMU_NO_PAGE) {
        s->nodes[b->young].younger = page;
    } else {
        b->old = page;
    }
    b->young = page;
}

// The page that leaves, or GMMU_NO_PAGE: no page may.
static uint32_t evict(lfu *s) {
    for (uint32_t i = s->buckets[END].next; i != END; i = s->buckets[i].next) {
        for (uint32_t page = s->buckets[i].old; page != GMMU_NO_PAGE;
             page = s->nodes[page].younger) {
            if (gmmu_may_leave(&s->eligible, page)) {
                s->victim_frequency = s->buckets[i].frequency;
                take(s, page);
                return page;
            }
        }
    }
    return GMMU_NO_PAGE;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    lfu *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("lfu", err);
    }
    uint32_t i = s->nodes[page].bucket;
    gmmu_outcome_begin(out, page, i == UINT32_MAX);
    if (!out->fault) {
        // The bucket may go with its last page: the one before it tells the place.
        bucket b = s->buckets[i];
        take(s, page);
        put(s, page, b.frequency + 1, s->buckets[b.prev].next == i ? i : b.prev);
        return GMMU_OK;
    }
    if (s->used < s->frames) {
        s->used++;
    } else if (!gmmu_outcome_leave(out, evict(s))) {
        return GMMU_OK;
    }
    put(s, page, 1, END);
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    lfu *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    s->used -= gmmu_outcome_leave(out, evict(s)) ? 1U : 0U;
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    (void)snprintf(text, size,
                   "least uses since it came in, %" PRIu64 "; of such pages used longest ago",
                   ((const lfu *)state)->victim_frequency);
}

GMMU_POLICY_REPLAY(touch, NULL)

const gmmu_policy gmmu_policy_lfu = {
    .name = "lfu",
    .help = "least frequently used since it came in, then least recently",
    .why = why,
    .tie_rule = "the older last access",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .destroy = destroy,
    .replay = replay,
};
