// SPDX-License-Identifier: Apache-2.0
// gmt_host.h: the host's part of GMT (ASPLOS 2024, section 2.1.3): from accesses it makes pairs of
// virtual time distance and reuse distance, fits a line, and says which tier a page belongs to.
//
// VTD: accesses from a page's last one to the next, which counts. RD: pages accessed between, each
// once. The line RD = m VTD + b is that of least squares over all pairs so far, exactly: m = slope
// / scale, b = offset / scale. A page that was away for v accesses belongs to Tier 1 if m v + b is
// below Tier 1's size, else to Tier 2 if it is below the limit, else to Tier 3. Since m v + b grows
// with v that is two thresholds for v: ceil((size - b) / m). A slope below 0 counts as 0.
#ifndef GMMU_GMT_HOST_H
#define GMMU_GMT_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef __int128 gmmu_i128;

// ---- reuse distances: time stamps of the pages' last accesses, counted by a tree

typedef struct {
    uint32_t *last;   // of each page: 1 + its place; 0: never accessed
    uint64_t *time;   // of each page: its last access
    uint32_t *owner;  // of each place: its page
    uint64_t *taken;  // of each place a bit: it is its page's last access
    uint32_t *tree;   // Fenwick's, from 1: places taken in a word of them
    uint32_t pages;   // room for pages
    uint32_t places;  // room for places
    uint32_t used;    // places given away
    uint32_t live;    // places taken
} gmmu_rd_tree;

// Zeroes make an empty one. An access to PAGE, below 3/4 of 2^32, at TIME, later than all before:
// *vtd and *rd, or *vtd 0 at its first. False when there is no memory: nothing has happened.
bool gmmu_rd_tree_access(gmmu_rd_tree *t, uint32_t page, uint64_t time, uint64_t *vtd,
                         uint64_t *rd);
void gmmu_rd_tree_free(gmmu_rd_tree *t);

// ---- the line

enum {
    GMMU_GMT_MOST_PAIRS = 1 << 19,  // so that all sums are exact in 128 bits
    GMMU_GMT_MOST_VTD = 1 << 27,    // a pair's is below; others are not taken
};

typedef struct {
    bool known;
    gmmu_i128 slope, offset, scale;  // scale above 0
} gmmu_gmt_line;

typedef struct {
    uint64_t n, x, y;  // pairs; sums of VTD and of RD
    gmmu_i128 xx, xy;
} gmmu_gmt_sums;

// A pair is taken; false if it is out of range.
bool gmmu_gmt_add(gmmu_gmt_sums *s, uint64_t vtd, uint64_t rd);
// The line through the pairs; not known if all have one VTD.
gmmu_gmt_line gmmu_gmt_fit(const gmmu_gmt_sums *s);

enum { GMMU_GMT_SHORT, GMMU_GMT_MEDIUM, GMMU_GMT_LONG };

#define GMMU_GMT_NEVER UINT64_MAX

// The least number of accesses for which m v + b is SIZE or more; GMMU_GMT_NEVER if there is none
// below 2^64 - 1. SIZE is below 2^32.
uint64_t gmmu_gmt_threshold(const gmmu_gmt_line *line, uint64_t size);

// ---- all of it

typedef struct {
    gmmu_rd_tree tree;
    gmmu_gmt_sums sums;
    gmmu_gmt_line line;
    uint64_t most;       // pairs wanted: GMMU_GMT_MOST_PAIRS, or fewer
    uint64_t every;      // pairs from one line to the next: 10000
    uint64_t tier1;      // size of Tier 1
    uint64_t limit;      // from here on a page belongs to Tier 3
    uint64_t near, far;  // thresholds; near <= far
    uint64_t refused;    // pairs out of range
    uint64_t lines;      // that were fitted
} gmmu_gmt_host;

// *H for tiers of these sizes, each below 2^32. A limit below tier1 is tier1.
void gmmu_gmt_host_init(gmmu_gmt_host *h, uint64_t tier1, uint64_t limit);
// An access to PAGE at TIME, later than all before; pairs are made until there are enough. Of a
// sample of one page in 2^SHIFT, as m_axis_rit tells of them: a pair's RD is 2^SHIFT times that
// among the sample's pages. False: no memory.
bool gmmu_gmt_host_access(gmmu_gmt_host *h, uint32_t page, uint64_t time, unsigned shift);
// A pair that somebody else has made.
void gmmu_gmt_host_pair(gmmu_gmt_host *h, uint64_t vtd, uint64_t rd);
void gmmu_gmt_host_free(gmmu_gmt_host *h);

// The class of a page that was away for V accesses; the line must be known.
static inline unsigned gmmu_gmt_host_class(const gmmu_gmt_host *h, uint64_t v) {
    return v < h->near ? GMMU_GMT_SHORT : v < h->far ? GMMU_GMT_MEDIUM : GMMU_GMT_LONG;
}

#ifdef __cplusplus
}
#endif
#endif
