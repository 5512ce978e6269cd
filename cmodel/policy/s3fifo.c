// SPDX-License-Identifier: Apache-2.0
// s3fifo.c: S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023,
// Algorithm 1).
//
// New pages enter the small queue S; those accessed more than once while there go on to the main
// queue M, the others leave and are remembered in the ghost queue G. A page remembered in G enters
// M at once. M gives a page one more round for each access counted, at most 3.
//
// Parameters: small = percent of memory that S aims at (10); G remembers as many pages as M aims
// at. Departures: exactly one page leaves at a fault: where the paper's EVICTS has a page leave M
// because M has outgrown its aim, S is not asked for another; an access counter is cleared when its
// page goes from S to M (the paper's text, not in its listing).
#include <inttypes.h>
#include <stdio.h>

#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { SMALL, MAIN, GHOST };
enum { MOST = 3, TWICE = 2 };

typedef struct {
    gmmu_lists lists;  // a node's mark counts its accesses since it came in, at most MOST
    uint32_t frames, small, ghosts;
    bool victim_small;     // the last victim was in S
    uint32_t victim_hits;  // its counter
    gmmu_eligible eligible;
} s3fifo;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t percent = 10;
    const gmmu_option options[] = {GMMU_NUMBER("small", &percent, 0, 100)};
    if (!gmmu_options_read("s3fifo", config, options, 1, err)) {
        return NULL;
    }
    s3fifo *s = gmmu_lists_state("s3fifo", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->small = gmmu_percent(config->frames, percent);
    s->ghosts = s->frames - s->small;
    return s;
}

// The page that leaves M, or GMMU_NO_PAGE: no page of M may leave. A page that may not leave keeps
// its place and its counter.
static uint32_t evict_main(s3fifo *s) {
    gmmu_lists *l = &s->lists;
    for (;;) {
        const uint32_t page = gmmu_list_oldest_of(l, MAIN, &s->eligible);
        if (page == GMMU_NO_PAGE) {
            return page;
        }
        gmmu_list_remove(l, page);
        if (gmmu_list_node_of(l, page)->mark == 0) {
            return page;
        }
        gmmu_list_node_of(l, page)->mark--;
        gmmu_list_push(l, MAIN, page);
    }
}

static void remember(s3fifo *s, uint32_t page) {
    gmmu_lists *l = &s->lists;
    if (s->ghosts != 0) {
        if (l->length[GHOST] == s->ghosts) {
            (void)gmmu_list_pop(l, GHOST);
        }
        gmmu_list_push(l, GHOST, page);
    }
}

// The page that leaves, or GMMU_NO_PAGE: no page may. S is asked while it has its share, then M. If
// no page of M may leave, the oldest page of S that may does, whatever its counter.
static uint32_t evict(s3fifo *s) {
    gmmu_lists *l = &s->lists;
    uint32_t page = GMMU_NO_PAGE;
    while (l->length[SMALL] >= s->small &&
           (page = gmmu_list_oldest_of(l, SMALL, &s->eligible)) != GMMU_NO_PAGE) {
        gmmu_list_remove(l, page);
        if (gmmu_list_node_of(l, page)->mark < TWICE) {
            s->victim_small = true;
            s->victim_hits = gmmu_list_node_of(l, page)->mark;
            remember(s, page);
            return page;
        }
        gmmu_list_node_of(l, page)->mark = 0;
        gmmu_list_push(l, MAIN, page);
    }
    page = evict_main(s);
    s->victim_small = page == GMMU_NO_PAGE;
    if (page == GMMU_NO_PAGE &&
        (page = gmmu_list_oldest_of(l, SMALL, &s->eligible)) != GMMU_NO_PAGE) {
        s->victim_hits = gmmu_list_node_of(l, page)->mark;
        gmmu_list_remove(l, page);
        remember(s, page);
    }
    return page;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    s3fifo *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("s3fifo", err);
    }
    uint32_t list = gmmu_list_of(l, page);
    gmmu_outcome_begin(out, page, list == GMMU_NO_LIST || list == GHOST);
    gmmu_list_node *node = gmmu_list_node_of(l, page);
    if (!out->fault) {
        node->mark += node->mark < MOST ? 1U : 0U;
        return GMMU_OK;
    }
    if (l->length[SMALL] + l->length[MAIN] == s->frames) {
        if (!gmmu_outcome_leave(out, evict(s))) {
            return GMMU_OK;
        }
        list = gmmu_list_of(l, page);  // the ghost may have been forgotten just now
    }
    if (list == GHOST) {
        gmmu_list_remove(l, page);
    }
    gmmu_list_push(l, list == GHOST ? MAIN : SMALL, page);
    node->mark = 0;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    s3fifo *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const s3fifo *)state)->lists, page);
}

static void why(const void *state, char *text, size_t size) {
    const s3fifo *s = state;
    if (s->victim_small) {
        (void)snprintf(text, size,
                       "came first of the small queue; hits there %" PRIu32
                       ", and %d take a page to the main queue",
                       s->victim_hits, (int)TWICE);
    } else {
        (void)snprintf(text, size,
                       "at the end of the main queue, with no hit that earns it a further round");
    }
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_s3fifo = {
    .name = "s3fifo",
    .help = "S3-FIFO: small, main and ghost queue",
    .options = "small=N (10): memory for the small queue, in per cent",
    .why = why,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = gmmu_lists_state_destroy,
    .replay = replay,
};
