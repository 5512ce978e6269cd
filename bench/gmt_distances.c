// SPDX-License-Identifier: Apache-2.0
// gmt_distances.c: gmt_distances TRACE TIER1 TIER2: the distances behind GMT's figures 4 and 7,
// exactly.
//
// Prints "name value" lines. Of all accesses: pairs of VTD and RD, their line and how well it fits
// (r2). Of the pages that `bam` with TIER1 frames evicts and that come back: their remaining reuse
// distance, pages accessed between eviction and return, below TIER1 (short), below TIER2, below
// both, beyond; how many have the class (limit TIER2) that the line of all accesses gives their
// remaining time, and how many the class of the page's eviction before, of those that have one.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gmmu/trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"

typedef struct {
    uint32_t *page;  // of each walk
    size_t count, room;
    uint32_t distinct;
} walks;

static void fail(const char *text) {
    (void)fprintf(stderr, "gmt_distances: %s\n", text);
    exit(2);
}

static void *must(void *memory) {
    if (memory == NULL) {
        fail("found no memory");
    }
    return memory;
}

static walks read_all(const char *path) {
    gmmu_error err = {""};
    gmmu_reader *r = gmmu_reader_open(path, &err);
    gmmu_pages *pages = must(gmmu_pages_create());
    walks w = {0};
    gmmu_walk walk;
    int status = GMMU_BAD;
    while (r != NULL && (status = gmmu_reader_next(r, &walk, &err)) == GMMU_OK) {
        if (w.count == w.room) {
            w.room = 2 * w.room + 4096;
            w.page = must(realloc(w.page, w.room * sizeof *w.page));
        }
        w.page[w.count++] = gmmu_pages_index(pages, walk.asid, walk.vpn);
    }
    if (r == NULL || status == GMMU_BAD) {
        fail(err.text);
    }
    w.distinct = gmmu_pages_count(pages);
    gmmu_reader_close(r);
    gmmu_pages_destroy(pages);
    return w;
}

// Fenwick's tree over times 1 to SIZE: 1 where a page was last accessed.
typedef struct {
    uint32_t *sum;
    size_t size;
} tree;

static void add(const tree *t, size_t i, uint32_t change) {
    for (; i <= t->size; i += i & (~i + 1)) {
        t->sum[i] += change;
    }
}

static uint32_t upto(const tree *t, size_t i) {
    uint32_t n = 0;
    for (; i > 0; i -= i & (~i + 1)) {
        n += t->sum[i];
    }
    return n;
}

typedef struct {
    size_t left;  // when the page was evicted; 0: it is not away
    uint8_t was;  // 1 + the class of the eviction before
} page_state;

typedef struct {
    uint64_t remaining, distance;  // from eviction to return: accesses, pages
    uint32_t page;
} comeback;

int main(int argc, char **argv) {
    if (argc != 4) {
        fail("expected TRACE TIER1 TIER2");
    }
    const walks w = read_all(argv[1]);
    const uint64_t tier1 = strtoull(argv[2], NULL, 10);
    const uint64_t tier2 = strtoull(argv[3], NULL, 10);
    const gmmu_policy_config config = {.frames = (uint32_t)tier1};
    gmmu_error err = {""};
    gmmu_sim *bam = gmmu_sim_create(&gmmu_policy_bam, &config, &err);
    if (bam == NULL || tier2 == 0) {
        fail(bam == NULL ? err.text : "found no Tier 2");
    }
    const tree t = {must(calloc(w.count + 1, sizeof(uint32_t))), w.count};
    size_t *last = must(calloc((size_t)w.distinct + 1, sizeof *last));
    page_state *state = must(calloc((size_t)w.distinct + 1, sizeof *state));
    comeback *back = must(calloc(w.count + 1, sizeof *back));
    size_t returns = 0;
    uint32_t live = 0;
    long double n = 0;
    long double x = 0;
    long double y = 0;
    long double xx = 0;
    long double xy = 0;
    long double yy = 0;
    for (size_t now = 1; now <= w.count; now++) {
        const uint32_t p = w.page[now - 1];
        if (last[p] != 0) {
            const long double vtd = (long double)(now - last[p]);
            const long double rd = (long double)(live - upto(&t, last[p]));
            n += 1;
            x += vtd;
            y += rd;
            xx += vtd * vtd;
            xy += vtd * rd;
            yy += rd * rd;
        }
        if (state[p].left != 0) {
            // its own last access is before it left
            back[returns++] = (comeback){now - state[p].left, live - upto(&t, state[p].left), p};
            state[p].left = 0;
        }
        gmmu_outcome out;
        const gmmu_walk walk = {0};
        if (gmmu_sim_access(bam, p, &walk, &out, &err) != GMMU_OK) {
            fail(err.text);
        }
        const uint32_t victim = gmmu_outcome_victim(&out);
        if (victim != GMMU_NO_PAGE) {
            state[victim].left = now;
        }
        if (last[p] != 0) {
            add(&t, last[p], UINT32_MAX);
        } else {
            live++;
        }
        last[p] = now;
        add(&t, now, 1);
    }
    const long double spread = n * xx - x * x;
    const long double m = spread > 0 ? (n * xy - x * y) / spread : 0;
    const long double b = n > 0 ? (y - m * x) / n : 0;
    const long double both = spread * (n * yy - y * y);
    const long double cross = n * xy - x * y;
    uint64_t counts[4] = {0};
    uint64_t by_line = 0;
    uint64_t same = 0;
    uint64_t again = 0;
    for (size_t i = 0; i < returns; i++) {
        const comeback *c = &back[i];
        const long double guess = m * (long double)c->remaining + b;
        const int class = c->distance < tier1 ? 0 : c->distance < tier2 ? 1 : 2;
        const int guessed = guess < (long double)tier1 ? 0 : guess < (long double)tier2 ? 1 : 2;
        counts[class == 2 && c->distance >= tier1 + tier2 ? 3 : class]++;
        by_line += class == guessed ? 1U : 0U;
        if (state[c->page].was != 0) {
            again++;
            same += state[c->page].was == 1 + class ? 1U : 0U;
        }
        state[c->page].was = (uint8_t)(1 + class);
    }
    (void)printf("pairs %.0Lf\nr2 %.6Lf\nm %.6Lf\nb %.3Lf\nreturns %zu\n", n,
                 both > 0 ? cross * cross / both : 0, m, b, returns);
    (void)printf("short %" PRIu64 "\nmedium %" PRIu64 "\nbetween %" PRIu64 "\nlong %" PRIu64 "\n",
                 counts[0], counts[1], counts[2], counts[3]);
    (void)printf("by_line %" PRIu64 "\nagain %" PRIu64 "\nsame %" PRIu64 "\n", by_line, again,
                 same);
    gmmu_sim_destroy(bam);
    free(back);
    free(state);
    free(last);
    free(t.sum);
    free(w.page);
    return 0;
}
