// SPDX-License-Identifier: Apache-2.0
// leu.h: the LEU paper to the letter: a slow, rational model, the oracle of the tests. Source: Chen
// et al., MEMSYS '19.
//
// Times are counted in walks; the first walk has time 1. The cost of a query is proportional to the
// number of walks so far.
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

// A fraction in lowest terms; 0/1: none.
typedef struct {
    uint64_t num, den;
} gmmu_exact_ratio;

typedef struct gmmu_exact_leu gmmu_exact_leu;

// Creates a model without walks. NULL: no memory.
gmmu_exact_leu *gmmu_exact_leu_create(void);
void gmmu_exact_leu_destroy(gmmu_exact_leu *m);
// Adds one access to PAGE by reference REF of the same address space. False: no memory, or 2^31 - 1
// walks were added already (the limit keeps denominators within 64 bits).
bool gmmu_exact_leu_walk(gmmu_exact_leu *m, gmmu_exact_page page, uint64_t ref);
// Returns the number of walks so far.
uint64_t gmmu_exact_leu_time(const gmmu_exact_leu *m);
// Returns P(ri <= l | ref) as a fraction of the observed reuses (section 3.1); 0 if there are none.
gmmu_exact_ratio gmmu_exact_leu_cdf(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                    uint64_t l);
// Return hr(ref, tesla, l) of Eq. 1 and PPUC(ref, tesla, l) of Eq. 2. The result is 0 for l <=
// tesla, and where Eq. 1 is 0/0 because no mass is left beyond tesla.
gmmu_exact_ratio gmmu_exact_leu_hit_ratio(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                          uint64_t tesla, uint64_t l);
gmmu_exact_ratio gmmu_exact_leu_ppuc(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                     uint64_t tesla, uint64_t l);
// Returns the largest PPUC over every l > tesla that is a reuse interval of REF.
gmmu_exact_ratio gmmu_exact_leu_ref_priority(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                             uint64_t tesla);
// Returns the TESLA of PAGE at time T in *tesla. False: PAGE was never accessed, or was accessed
// after T.
bool gmmu_exact_leu_tesla(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                          uint64_t *tesla);
// Returns priority(page, tesla) at time T, with the present histograms. False: as
// gmmu_exact_leu_tesla.
bool gmmu_exact_leu_priority(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                             gmmu_exact_ratio *priority);
// Returns the index of the victim among PAGES, each named once, at time T: the page of lowest
// priority, at equal priorities the page of larger TESLA. A page that was never accessed by T is no
// candidate. COUNT: there is no candidate.
size_t gmmu_exact_leu_victim(const gmmu_exact_leu *m, const gmmu_exact_page *pages, size_t count,
                             uint64_t t);

#ifdef __cplusplus
}
#endif
#endif
