// SPDX-License-Identifier: Apache-2.0
// curve.c: the histogram of stack distances, and what it says of each size of memory.
#include <stdlib.h>
#include <string.h>

#include "mrc/mrc.h"

const gmmu_stack *gmmu_stack_find(const char *policy, size_t length) {
    static const gmmu_stack *const stacks[] = {&gmmu_stack_lru, &gmmu_stack_opt,
                                               &gmmu_stack_leu_exact};
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        if (strlen(stacks[i]->policy) == length && memcmp(stacks[i]->policy, policy, length) == 0) {
            return stacks[i];
        }
    }
    return NULL;
}

int gmmu_curve_add(gmmu_curve *curve, uint32_t distance) {
    if (distance >= curve->cap) {
        uint32_t cap = gmmu_policy_capacity(curve->cap, distance);
        uint64_t *hits = gmmu_grow(curve->hits, curve->cap, cap, sizeof *hits, 0);
        if (hits == NULL) {
            return GMMU_BAD;
        }
        curve->hits = hits;
        curve->cap = cap;
    }
    curve->accesses++;
    if (distance == 0) {
        curve->cold++;
    } else {
        curve->hits[distance]++;
        curve->deepest = distance > curve->deepest ? distance : curve->deepest;
    }
    return GMMU_OK;
}

gmmu_counts gmmu_curve_at(gmmu_curve *curve, uint32_t frames) {
    for (uint32_t d = 1; d <= curve->deepest && !curve->summed; d++) {
        curve->hits[d] += curve->hits[d - 1];
    }
    curve->summed = true;
    uint32_t d = frames < curve->deepest ? frames : curve->deepest;
    gmmu_counts n = {.accesses = curve->accesses, .cold = curve->cold};
    n.faults = curve->accesses - (curve->cap == 0 ? 0 : curve->hits[d]);
    // The first faults fill the memory, and each one after them evicts a page.
    n.evictions = n.faults - (frames < curve->cold ? frames : curve->cold);
    return n;
}

void gmmu_curve_free(gmmu_curve *curve) {
    free(curve->hits);
    *curve = (gmmu_curve){0};
}
