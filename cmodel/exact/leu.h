// SPDX-License-Identifier: Apache-2.0
// leu.h: the LEU paper (MEMSYS '19) to the letter: slow, rational, the oracle of the tests.
//
// Times are in walks, 1 for the first. Every query costs time in proportion to all that was fed.
#ifndef GMMU_EXACT_LEU_H
#define GMMU_EXACT_LEU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t asid;
    uint64_t vpn;
} gmmu_exact_page;

// A fraction in lowest terms; 0/1 for none.
typedef struct {
    uint64_t num, den;
} gmmu_exact_ratio;

typedef struct gmmu_exact_leu gmmu_exact_leu;

// No walks yet; NULL when there is no memory.
gmmu_exact_leu *gmmu_exact_leu_create(void);
void gmmu_exact_leu_destroy(gmmu_exact_leu *m);
// One access to PAGE by reference REF of the same address space. False when there is no memory or
// 2^31 - 1 walks were fed (so that a denominator fits in 64 bits).
bool gmmu_exact_leu_walk(gmmu_exact_leu *m, gmmu_exact_page page, uint64_t ref);
// Walks fed so far.
uint64_t gmmu_exact_leu_time(const gmmu_exact_leu *m);
// P(ri <= l | ref) as a fraction of the observed reuses (section 3.1), 0 if there are none.
gmmu_exact_ratio gmmu_exact_leu_cdf(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                    uint64_t l);
// hr(ref, tesla, l) of Eq. 1 and PPUC(ref, tesla, l) of Eq. 2; 0 for l <= tesla, or where Eq. 1
// is 0/0 because no mass is left beyond tesla.
gmmu_exact_ratio gmmu_exact_leu_hit_ratio(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                          uint64_t tesla, uint64_t l);
gmmu_exact_ratio gmmu_exact_leu_ppuc(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                     uint64_t tesla, uint64_t l);
// The largest PPUC over every l > tesla that is a reuse interval of REF.
gmmu_exact_ratio gmmu_exact_leu_ref_priority(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                             uint64_t tesla);
// TESLA of PAGE at time T, no earlier than its last access. False if it was never accessed, or
// was accessed after T.
bool gmmu_exact_leu_tesla(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                          uint64_t *tesla);
// priority(page, tesla) at time T, with the histograms as they are now. Same conditions.
bool gmmu_exact_leu_priority(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                             gmmu_exact_ratio *priority);
// The victim among PAGES, each named once, at time T: lowest priority, then larger TESLA.
// Pages never accessed by T are no candidates. Returns its index, or COUNT if there is none.
size_t gmmu_exact_leu_victim(const gmmu_exact_leu *m, const gmmu_exact_page *pages, size_t count,
                             uint64_t t);

#ifdef __cplusplus
}
#endif
#endif
