// SPDX-License-Identifier: Apache-2.0
// gmt_host.h: the host's part of GMT: makes pairs of virtual time distance and reuse distance from
// accesses, fits a line through the pairs, and says to which tier a page belongs.
//
// VTD, virtual time distance: number of accesses from a page's access to its next access, the next
// access included. RD, reuse distance: number of distinct pages accessed in between. The line
// RD = m VTD + b is the exact least-squares fit over all pairs so far: m = slope / scale, b =
// offset / scale. A page that was away for v accesses belongs to Tier 1 if m v + b is below Tier
// 1's size, else to Tier 2 if m v + b is below the limit, else to Tier 3. Since m v + b grows with
// v, these are two thresholds for v: ceil((size - b) / m). A slope below 0 counts as 0.
//
// Source: GMT (Chang et al., ASPLOS '24) §2.1.3.
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
    uint32_t *last;   // for each page: 1 + its place; 0: never accessed
    uint64_t *time;   // for each page: time of its last access
    uint32_t *owner;  // for each place: its page
    uint64_t *taken;  // a bit for each place: the place is its page's last access
    uint32_t *tree;   // Fenwick tree, from index 1: number of taken places in each word of `taken`
    uint32_t pages;   // capacity, in pages
    uint32_t places;  // capacity, in places
    uint32_t used;    // number of places given to accesses
    uint32_t live;    // number of places that are a page's last access
} gmmu_rd_tree;

// An access to PAGE (below 3/4 of 2^32) at TIME, which must be later than all earlier times. Sets
// *vtd and *rd; *vtd is 0 at the page's first access. False: no memory, and nothing has changed. A
// tree of zeroes is empty.
bool gmmu_rd_tree_access(gmmu_rd_tree *t, uint32_t page, uint64_t time, uint64_t *vtd,
                         uint64_t *rd);
void gmmu_rd_tree_free(gmmu_rd_tree *t);

// ---- the line

enum {
    GMMU_GMT_MOST_PAIRS = 1 << 19,  // most pairs: all sums are exact in 128 bits
    GMMU_GMT_MOST_VTD = 1 << 27,    // bound of VTD and RD: pairs at or above are refused
};

typedef struct {
    bool known;
    gmmu_i128 slope, offset, scale;  // scale > 0; m = slope / scale, b = offset / scale
} gmmu_gmt_line;

typedef struct {
    uint64_t n, x, y;  // number of pairs; sum of VTD; sum of RD
    gmmu_i128 xx, xy;
} gmmu_gmt_sums;

// Adds a pair. False, and nothing is added: the pair is out of range, or there are
// GMMU_GMT_MOST_PAIRS.
bool gmmu_gmt_add(gmmu_gmt_sums *s, uint64_t vtd, uint64_t rd);
// Returns the line through the pairs. The line is not `known` if all pairs have the same VTD.
gmmu_gmt_line gmmu_gmt_fit(const gmmu_gmt_sums *s);

enum { GMMU_GMT_SHORT, GMMU_GMT_MEDIUM, GMMU_GMT_LONG };

#define GMMU_GMT_NEVER UINT64_MAX

// Returns the least v, in accesses, for which m v + b is SIZE or more, or GMMU_GMT_NEVER if no v
// below 2^64 - 1 is. SIZE, in pages, must be below 2^32.
uint64_t gmmu_gmt_threshold(const gmmu_gmt_line *line, uint64_t size);

// ---- the host: tree, sums, line and thresholds

typedef struct {
    gmmu_rd_tree tree;
    gmmu_gmt_sums sums;
    gmmu_gmt_line line;
    uint64_t most;   // number of pairs after which no more are made; at most GMMU_GMT_MOST_PAIRS
    uint64_t every;  // number of pairs from one fit to the next: 10000
    uint64_t tier1;  // size of Tier 1, in pages
    uint64_t limit;  // reuse distance, in pages, from which on a page belongs to Tier 3
    uint64_t near, far;  // thresholds of v, in accesses; near <= far
    uint64_t refused;    // number of refused pairs
    uint64_t lines;      // number of fitted lines
} gmmu_gmt_host;

// Makes H for a Tier 1 of TIER1 pages and for LIMIT, each below 2^32. A LIMIT below TIER1 counts as
// TIER1.
void gmmu_gmt_host_init(gmmu_gmt_host *h, uint64_t tier1, uint64_t limit);
// An access to PAGE at TIME, which must be later than all earlier times. Makes a pair, until there
// are `most` pairs. With a sample of one page in 2^SHIFT, as on m_axis_rit, a pair's RD is 2^SHIFT
// times the RD among the pages of the sample. False: no memory.
bool gmmu_gmt_host_access(gmmu_gmt_host *h, uint32_t page, uint64_t time, unsigned shift);
// Adds a pair from elsewhere.
void gmmu_gmt_host_pair(gmmu_gmt_host *h, uint64_t vtd, uint64_t rd);
void gmmu_gmt_host_free(gmmu_gmt_host *h);

// Returns the class (GMMU_GMT_SHORT …) of a page that was away for V accesses. The line must be
// known.
static inline unsigned gmmu_gmt_host_class(const gmmu_gmt_host *h, uint64_t v) {
    return v < h->near ? GMMU_GMT_SHORT : v < h->far ? GMMU_GMT_MEDIUM : GMMU_GMT_LONG;
}

#ifdef __cplusplus
}
#endif
#endif
