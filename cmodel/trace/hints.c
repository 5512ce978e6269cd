// SPDX-License-Identifier: Apache-2.0
// hints.c: see hints.h.
#include "trace/hints.h"

#include <stdlib.h>
#include <string.h>

bool gmmu_hint_sound(const gmmu_hint *hint, const char **wrong) {
    *wrong = NULL;
    if ((unsigned)hint->kind >= GMMU_HINT_KINDS) {
        *wrong = "a launch, an allocation or a free";
    } else if (hint->kind != GMMU_HINT_LAUNCH && hint->pages == 0) {
        *wrong = "pages, at least 1";
    } else if (hint->kind != GMMU_HINT_LAUNCH && hint->pages - 1 > UINT64_MAX - hint->first) {
        *wrong = "pages, no more than there are from the first one on";
    }
    return *wrong == NULL;
}

// False: *HINT is of no whole coarse page.
static bool coarsen(gmmu_hint *hint, unsigned bits) {
    if (hint->kind == GMMU_HINT_LAUNCH || bits == 0) {
        return true;
    }
    const uint64_t part = (UINT64_C(1) << bits) - 1;
    const uint64_t last = hint->first + (hint->pages - 1);
    const bool whole = hint->kind == GMMU_HINT_FREE;
    const uint64_t from = (hint->first >> bits) + (whole && (hint->first & part) != 0 ? 1 : 0);
    const uint64_t end = (last >> bits) + (whole && (last & part) != part ? 0 : 1);
    hint->first = from;
    hint->pages = end - from;
    return end > from;
}

bool gmmu_hint_queue_add(gmmu_hint_queue *q, const gmmu_hint *hint) {
    if (q->launches_only && hint->kind != GMMU_HINT_LAUNCH) {
        return true;
    }
    if (q->at + q->count == q->room && q->at > q->room / 2) {
        memmove(q->items, q->items + q->at, q->count * sizeof *q->items);
        q->at = 0;
    }
    if (q->at + q->count == q->room) {
        size_t room = q->room == 0 ? 64 : 2 * q->room;
        gmmu_hint *bigger = realloc(q->items, room * sizeof *bigger);
        if (bigger == NULL) {
            return false;
        }
        q->items = bigger;
        q->room = room;
    }
    gmmu_hint *added = &q->items[q->at + q->count];
    *added = *hint;
    q->count += coarsen(added, q->coarser) ? 1 : 0;
    return true;
}

void gmmu_hint_queue_coarsen(gmmu_hint_queue *q, unsigned bits) {
    size_t kept = 0;
    for (size_t i = 0; i < q->count; i++) {
        gmmu_hint hint = q->items[q->at + i];
        if (coarsen(&hint, bits)) {
            q->items[q->at + kept++] = hint;
        }
    }
    q->count = kept;
    q->coarser += bits;
}

void gmmu_hint_queue_drop(gmmu_hint_queue *q, size_t count) {
    q->count -= count;
    q->at = q->count == 0 ? 0 : q->at + count;
}

size_t gmmu_hint_queue_before(const gmmu_hint_queue *q, uint64_t walks) {
    size_t count = 0;
    while (count < q->count && q->items[q->at + count].walk < walks) {
        count++;
    }
    return count;
}

void gmmu_hint_queue_free(gmmu_hint_queue *q) {
    free(q->items);
    *q = (gmmu_hint_queue){0};
}
