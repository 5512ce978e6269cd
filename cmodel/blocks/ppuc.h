// SPDX-License-Identifier: Apache-2.0
// ppuc.h: twin of rtl/ppuc/gmmu_ppuc.v: the priority of a page, from its reference's row and its
// TESLA.
//
// Source: LEU §3.1, Eq. 1 and 2: priority(r, tau) = max over l > tau of
//   PPUC(r, tau, l) = (C_r(l) - C_r(tau)) / ((N_r - C_r(tau)) * (l - tau)).
// The histograms have bins: tau is the low end of its bin, the mass of its own bin lies beyond tau,
// l runs over the bins' edges (at least tau + 1), and N_r - C_r(tau) is the number at risk: reuses
// and censored records from tau's bin on (Kaplan-Meier). The value is the exact rational, rounded
// down to a 16-bit minifloat (docs/reference/formats.md, "Priority"); 0 is dead.
#ifndef GMMU_PPUC_H
#define GMMU_PPUC_H

#include "blocks/log_bin.h"
#include "blocks/ref_rit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Elements behind the priorities: from each row's first on, this many can be read at once.
enum { GMMU_PPUC_BEHIND = 128 };

typedef struct {
    uint16_t *priority;  // [row][bin(tau)], and BEHIND more elements
    uint32_t *ready;     // generation + 1 if the row has priorities of its present owner, else 0
    uint32_t *installs;  // number of INSTALLs of each row
    struct {             // the row between REFRESH and INSTALL
        bool busy;
        gmmu_class cls;
        uint16_t *priority;  // [bin]
    } engine;
    unsigned bins;
    uint64_t *low;  // the smallest interval of each bin, and of the bin behind the last
} gmmu_ppuc;

enum { GMMU_PPUC_COLD = 8 };  // a row with fewer observations is cold; pseudo-observations it gets
enum { GMMU_PPUC_BINS = 256 };  // most BINS that the twin takes

// Makes P for the sizes CFG, with no row ready. Not 0: ARENA is too small, or BINS above
// GMMU_PPUC_BINS.
int gmmu_ppuc_init(gmmu_ppuc *p, const gmmu_config *cfg, gmmu_arena *arena);

// num/den as minifloat, rounded down; 0 if num is 0. 0 <= num <= den < 2^63.
uint16_t gmmu_minifloat(uint64_t num, uint64_t den);
// The value of a minifloat, at most 2 - 2^-10; 0 of code 0.
double gmmu_minifloat_value(uint16_t code);

// Priorities, by Eq. 1 and 2, of all BINS (at most GMMU_PPUC_BINS) values of bin(tau), from a
// histogram of reuses and censored records. The number of records times the largest edge is below
// 2^63.
void gmmu_ppuc_row(const uint64_t *reuse, const uint64_t *censored, unsigned bins,
                   uint16_t *priority);
// gmmu_ppuc_row with bins from LOW[b] to LOW[b + 1] - 1; LOW has BINS + 1 elements.
void gmmu_ppuc_row_of(const uint64_t *low, const uint64_t *reuse, const uint64_t *censored,
                      unsigned bins, uint16_t *priority);
// The effective counts of ROW. A row with fewer than COLD observations gets COLD more, distributed
// as GLOBAL's (exact: all counts times the number of observations of GLOBAL).
void gmmu_ppuc_warm(const gmmu_rit_row *row, const gmmu_rit_row *global, unsigned bins,
                    unsigned cold, uint64_t *reuse, uint64_t *censored);

// REFRESH: computes the priorities of ROW from a snapshot of ROW and of row 0 (GLOBAL). PSEUDO: a
// cold row gets pseudo-observations.
void gmmu_ppuc_refresh(gmmu_ppuc *p, gmmu_class cls, const gmmu_rit_row *row,
                       const gmmu_rit_row *global, bool pseudo);
// INSTALL: makes the priorities visible if the row's generation is still CURRENT. Returns CURRENT.
bool gmmu_ppuc_install(gmmu_ppuc *p, bool current);
// FORGET: the row goes to another reference.
void gmmu_ppuc_forget(gmmu_ppuc *p, unsigned row);
// The row that serves a page of class CLS: row 0 if the class is stale, or the row is not ready.
static inline unsigned gmmu_ppuc_serving_row(const gmmu_ppuc *p, gmmu_class cls, bool current) {
    return current && p->ready[cls.row] != 0 ? cls.row : 0;
}
// Priority of a page in BIN; 0 while row 0 serves and is not ready.
static inline uint16_t gmmu_ppuc_priority_in(const gmmu_ppuc *p, unsigned serving_row,
                                             unsigned bin) {
    return p->ready[serving_row] != 0 ? p->priority[(size_t)serving_row * p->bins + bin] : 0;
}
// The same at TESLA tau, in walks.
static inline uint16_t gmmu_ppuc_priority(const gmmu_ppuc *p, unsigned serving_row, uint32_t tau) {
    return gmmu_ppuc_priority_in(p, serving_row, gmmu_bin(tau, p->bins));
}
// The priority of a page of class CLS at TESLA tau, in few steps: a row that is ready has
// priorities of its present owner, and the priorities of row 0 are 0 until row 0 is ready.
static inline uint16_t gmmu_ppuc_priority_of(const gmmu_ppuc *p, gmmu_class cls, uint32_t tau) {
    const size_t row = p->ready[cls.row] == cls.gen + 1u ? cls.row : 0;
    return p->priority[row * p->bins + gmmu_bin_short(tau, p->bins)];
}

#ifdef __cplusplus
}
#endif
#endif
