// SPDX-License-Identifier: Apache-2.0
// gmt_history.h: GMT-Reuse's history of a page: the time at which the page left near memory, the
// class that was right the last time, and how often each class followed each. A class is
// GMMU_GMT_SHORT, MEDIUM or LONG. Source: GMT (Chang et al., ASPLOS '24) §2.1.3 and Fig. 5.
#ifndef GMMU_POLICY_GMT_HISTORY_H
#define GMMU_POLICY_GMT_HISTORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_GMT_CLASSES = 3, GMMU_GMT_UNKNOWN = 3 };

typedef struct {
    uint64_t left;  // number of the access at which the page last left near memory; 0: never
    uint32_t weight[GMMU_GMT_CLASSES][GMMU_GMT_CLASSES];  // [from][to]
    uint8_t known;                                        // 1 + the last right class; 0: none
    uint8_t foretold;  // 1 + the class predicted when the page left; 0: none
} gmmu_gmt_page;

// Returns the expected class: the class with the largest weight after the last class; of equal
// weights the last class itself, else the nearest tier's. GMMU_GMT_UNKNOWN: there is no last class.
static inline unsigned gmmu_gmt_expect(const gmmu_gmt_page *p) {
    if (p->known == 0) {
        return GMMU_GMT_UNKNOWN;
    }
    const unsigned last = p->known - 1U;
    const uint32_t *row = p->weight[last];
    unsigned best = last;
    for (unsigned c = 0; c < GMMU_GMT_CLASSES; c++) {
        best = row[c] > row[best] ? c : best;
    }
    return best;
}

// Learns that class RIGHT was right. FULL is the largest weight: before a full weight grows, its
// row is halved.
static inline void gmmu_gmt_learn(gmmu_gmt_page *p, unsigned right, uint32_t full) {
    if (p->known != 0) {
        uint32_t *row = p->weight[p->known - 1];
        if (row[right] == full) {
            for (unsigned c = 0; c < GMMU_GMT_CLASSES; c++) {
                row[c] /= 2;
            }
        }
        row[right]++;
    }
    p->known = (uint8_t)(1 + right);
}

#ifdef __cplusplus
}
#endif
#endif
