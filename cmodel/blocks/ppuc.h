// SPDX-License-Identifier: Apache-2.0
// ppuc.h: twin of rtl/ppuc/gmmu_ppuc.v: the priority of a page, from its reference's row and its
// TESLA.
//
// Source: LEU §3.1, Eq. 1 and 2: priority(r, tau) = max over l > tau of
//   PPUC(r, tau, l) = (C_r(l) - C_r(tau)) / ((N_r - C_r(tau)) * (l - tau)).
// Here over binned histograms: tau is the low end of its bin, the mass of its own bin lies beyond
// it, l runs over the bins' edges (at least tau + 1), and N_r - C_r(tau) is the number at risk:
// reuses and censored records from tau's bin on (Kaplan-Meier). The value is the exact rational,
// rounded down to a 16-bit minifloat (docs/reference/formats.md, "Priority"); 0 is dead.
#ifndef GMMU_PPUC_H
#define GMMU_PPUC_H

#include "blocks/log_bin.h"
#include "blocks/ref_rit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint16_t *priority;  // [row][bin(tau)], and one more, so that two can be read anywhere
    uint32_t *ready;     // 0, or the row has priorities of its present reference: generation + 1
    uint32_t *installs;  // of each row
    struct {             // between REFRESH and INSTALL
        bool busy;
        gmmu_class cls;
        uint16_t *priority;  // [bin]
    } engine;
    unsigned bins;
} gmmu_ppuc;

enum { GMMU_PPUC_COLD = 8 };  // observations that a row needs; pseudo-observations if it has fewer
enum { GMMU_PPUC_BINS = 256 };  // most BINS that the twin takes

int gmmu_ppuc_init(gmmu_ppuc *p, const gmmu_config *cfg, gmmu_arena *arena);

// num/den, 0 <= num <= den < 2^63, as minifloat, rounded down; 0 if num is 0.
uint16_t gmmu_minifloat(uint64_t num, uint64_t den);
// The value of a minifloat.
double gmmu_minifloat_value(uint16_t code);

// Priorities of all BINS values of bin(tau), from a histogram of reuses and censored records.
void gmmu_ppuc_row(const uint64_t *reuse, const uint64_t *censored, unsigned bins,
                   uint16_t *priority);
// The same where bin b is from LOW[b] to LOW[b + 1] - 1; LOW has BINS + 1 entries.
void gmmu_ppuc_row_of(const uint64_t *low, const uint64_t *reuse, const uint64_t *censored,
                      unsigned bins, uint16_t *priority);
// The histogram that stands for ROW. With fewer than COLD observations it gets COLD more,
// distributed as GLOBAL's (exact: everything times N_global).
void gmmu_ppuc_warm(const gmmu_rit_row *row, const gmmu_rit_row *global, unsigned bins,
                    unsigned cold, uint64_t *reuse, uint64_t *censored);

// REFRESH: computes from a snapshot of the row and of the global one. PSEUDO: a row that is cold
// gets pseudo-observations.
void gmmu_ppuc_refresh(gmmu_ppuc *p, gmmu_class cls, const gmmu_rit_row *row,
                       const gmmu_rit_row *global, bool pseudo);
// INSTALL: makes them visible if CLS is still CURRENT. Returns what it was given.
bool gmmu_ppuc_install(gmmu_ppuc *p, bool current);
// The row was given to another reference.
void gmmu_ppuc_forget(gmmu_ppuc *p, unsigned row);
// The row that serves a page of class CLS (row 0 when the class is stale or not ready).
static inline unsigned gmmu_ppuc_serving_row(const gmmu_ppuc *p, gmmu_class cls, bool current) {
    return current && p->ready[cls.row] != 0 ? cls.row : 0;
}
// Priority of a page at TESLA tau, or in the bin of it; 0 while even row 0 is not ready.
static inline uint16_t gmmu_ppuc_priority_in(const gmmu_ppuc *p, unsigned serving_row,
                                             unsigned bin) {
    return p->ready[serving_row] != 0 ? p->priority[(size_t)serving_row * p->bins + bin] : 0;
}
static inline uint16_t gmmu_ppuc_priority(const gmmu_ppuc *p, unsigned serving_row, uint32_t tau) {
    return gmmu_ppuc_priority_in(p, serving_row, gmmu_bin(tau, p->bins));
}
// The same of a page of class CLS, in few steps: a row that is ready belongs to its present
// reference, and the priorities of row 0 are 0 until it is ready.
static inline uint16_t gmmu_ppuc_priority_of(const gmmu_ppuc *p, gmmu_class cls, uint32_t tau) {
    const size_t row = p->ready[cls.row] == cls.gen + 1u ? cls.row : 0;
    return p->priority[row * p->bins + gmmu_bin_short(tau, p->bins)];
}

#ifdef __cplusplus
}
#endif
#endif
