// SPDX-License-Identifier: Apache-2.0
// ahead.c: see ahead.h.
#include "policy/ahead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of so many raised pages is decided whether they were used before depth is another.
enum { JUDGED = 64 };

bool gmmu_ahead_init(gmmu_ahead *a, uint32_t most, uint32_t way_ns) {
    *a = (gmmu_ahead){.most = most, .depth = most, .way_ns = way_ns};
    a->move = malloc((size_t)(most + 1) * GMMU_MOVES * sizeof *a->move);
    return a->move != NULL;
}

void gmmu_ahead_free(gmmu_ahead *a) {
    free(a->move);
    free(a->raised);
}

bool gmmu_ahead_grow(gmmu_ahead *a, uint32_t old, uint32_t cap) {
    uint64_t *raised = gmmu_grow(a->raised, old, cap, sizeof *raised, 0);
    if (raised != NULL)
        a->raised = raised;
    return raised != NULL;
}

// The fate of a raised page is known: it was USED or not.
static void judge(gmmu_ahead *a, bool used) {
    a->good += used;
    *(used ? &a->used : &a->unused) += 1;
    if (a->used + a->unused < JUDGED)
        return;
    if (2 * a->used < JUDGED)
        a->depth = a->depth > 1 ? a->depth / 2 : 1;
    else if (4 * a->used > 3 * JUDGED)
        a->depth = 2 * a->depth < a->most ? 2 * a->depth : a->most;
    a->used = a->unused = 0;
}

// PAGE left near memory: if it was raised, in vain.
static void left(gmmu_ahead *a, uint32_t page) {
    if (a->raised[page] != 0)
        judge(a, false);
    a->raised[page] = 0;
}

void gmmu_ahead_used(gmmu_ahead *a, uint32_t page) {
    const uint64_t there = a->raised[page] + a->way_ns;
    if (there > a->now) {
        a->late++;
        a->late_ns += there - a->now;
        a->now = there;
    }
    judge(a, true);
    a->raised[page] = 0;
}

void gmmu_ahead_begin(gmmu_ahead *a, gmmu_outcome *out) {
    for (uint32_t i = 0; i < out->count; i++)
        if (out->move[i].from == GMMU_NEAR)
            left(a, out->move[i].page);
    out->after = a->move;
}

void gmmu_ahead_raised(gmmu_ahead *a, uint32_t page, const gmmu_outcome *one, gmmu_outcome *out) {
    // what leaves goes before what comes
    for (uint32_t i = one->count; i-- > 1;)
        if (one->move[i].from == GMMU_NEAR)
            left(a, one->move[i].page);
    for (uint32_t i = 0; i < one->count; i++) a->move[out->after_count++] = one->move[i];
    a->raised[page] = a->now > 0 ? a->now : 1;
    a->all++;
}

void gmmu_ahead_note(const gmmu_ahead *a, char *text, size_t size) {
    const size_t used = strlen(text);
    if (a->most != 0)
        snprintf(text + used, size - used,
                 "%sraised=%" PRIu64 " used=%" PRIu64 " late=%" PRIu64 " late_us=%" PRIu64
                 " depth=%u",
                 used != 0 ? " " : "", a->all, a->good, a->late, a->late_ns / 1000, a->depth);
}
