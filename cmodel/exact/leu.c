// SPDX-License-Identifier: Apache-2.0
// leu.c: the LEU paper to the letter, from the list of all walks, without any index.
#include "exact/leu.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

typedef struct {
    gmmu_exact_page page;
    uint64_t ref;
} walk_record;

// One observed reuse: attributed to the reference of the earlier access (section 2, forward RI).
typedef struct {
    uint32_t asid;
    uint64_t ref;
    uint64_t interval;
} reuse_record;

struct gmmu_exact_leu {
    walk_record *walks;  // walks[i] happened at time i + 1
    size_t walk_count, walk_room;
    reuse_record *reuses;
    size_t reuse_count, reuse_room;
};

gmmu_exact_leu *gmmu_exact_leu_create(void) {
    return calloc(1, sizeof(gmmu_exact_leu));
}

void gmmu_exact_leu_destroy(gmmu_exact_leu *m) {
    if (m != NULL) {
        free(m->walks);
        free(m->reuses);
        free(m);
    }
}

static bool same_page(gmmu_exact_page a, gmmu_exact_page b) {
    return a.asid == b.asid && a.vpn == b.vpn;
}

// Time of the last access to PAGE, 0 for none.
static uint64_t last_access(const gmmu_exact_leu *m, gmmu_exact_page page) {
    for (size_t i = m->walk_count; i > 0; i--) {
        if (same_page(m->walks[i - 1].page, page)) {
            return i;
        }
    }
    return 0;
}

bool gmmu_exact_leu_walk(gmmu_exact_leu *m, gmmu_exact_page page, uint64_t ref) {
    if (m->walk_count >= INT32_MAX) {
        return false;
    }
    if (m->walk_count == m->walk_room) {
        size_t room = m->walk_room * 2 + 64;
        walk_record *walks = realloc(m->walks, room * sizeof *walks);
        if (walks == NULL) {
            return false;
        }
        m->walks = walks;
        m->walk_room = room;
    }
    if (m->reuse_count == m->reuse_room) {
        size_t room = m->reuse_room * 2 + 64;
        reuse_record *reuses = realloc(m->reuses, room * sizeof *reuses);
        if (reuses == NULL) {
            return false;
        }
        m->reuses = reuses;
        m->reuse_room = room;
    }
    uint64_t before = last_access(m, page);
    m->walks[m->walk_count++] = (walk_record){page, ref};
    if (before != 0) {
        m->reuses[m->reuse_count++] =
            (reuse_record){page.asid, m->walks[before - 1].ref, m->walk_count - before};
    }
    return true;
}

uint64_t gmmu_exact_leu_time(const gmmu_exact_leu *m) {
    return m->walk_count;
}

static gmmu_exact_ratio lowest_terms(uint64_t num, uint64_t den) {
    if (num == 0) {
        return (gmmu_exact_ratio){0, 1};
    }
    uint64_t a = num;
    uint64_t b = den;
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (gmmu_exact_ratio){num / a, den / a};
}

// Reuses of the reference with an interval of at most L.
static uint64_t reuses_within(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref, uint64_t l) {
    uint64_t n = 0;
    for (size_t i = 0; i < m->reuse_count; i++) {
        const reuse_record *r = &m->reuses[i];
        n += (r->asid == asid && r->ref == ref && r->interval <= l) ? 1U : 0U;
    }
    return n;
}

gmmu_exact_ratio gmmu_exact_leu_cdf(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                    uint64_t l) {
    return lowest_terms(reuses_within(m, asid, ref, l), reuses_within(m, asid, ref, UINT64_MAX));
}

// Eq. 1 times N above and below the line, so that counts replace probabilities.
gmmu_exact_ratio gmmu_exact_leu_hit_ratio(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                          uint64_t tesla, uint64_t l) {
    uint64_t all = reuses_within(m, asid, ref, UINT64_MAX);
    uint64_t elapsed = reuses_within(m, asid, ref, tesla);
    if (l <= tesla || all == elapsed) {
        return (gmmu_exact_ratio){0, 1};
    }
    return lowest_terms(reuses_within(m, asid, ref, l) - elapsed, all - elapsed);
}

// Eq. 2.
gmmu_exact_ratio gmmu_exact_leu_ppuc(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                     uint64_t tesla, uint64_t l) {
    gmmu_exact_ratio hr = gmmu_exact_leu_hit_ratio(m, asid, ref, tesla, l);
    // A profit needs a reuse interval of more than tesla and at most l, so a large l is 0 or
    // yields to the support point below it; a cost above 2^31 never arises in the maximum.
    if (hr.num == 0 || l - tesla > UINT32_MAX) {
        return (gmmu_exact_ratio){0, 1};
    }
    return lowest_terms(hr.num, hr.den * (l - tesla));
}

static int compare(gmmu_exact_ratio a, gmmu_exact_ratio b) {
    u128 x = (u128)a.num * b.den;
    u128 y = (u128)b.num * a.den;
    return (x > y) - (x < y);
}

gmmu_exact_ratio gmmu_exact_leu_ref_priority(const gmmu_exact_leu *m, uint32_t asid, uint64_t ref,
                                             uint64_t tesla) {
    gmmu_exact_ratio most = {0, 1};
    for (size_t i = 0; i < m->reuse_count; i++) {
        const reuse_record *r = &m->reuses[i];
        if (r->asid == asid && r->ref == ref && r->interval > tesla) {
            gmmu_exact_ratio p = gmmu_exact_leu_ppuc(m, asid, ref, tesla, r->interval);
            if (compare(p, most) > 0) {
                most = p;
            }
        }
    }
    return most;
}

bool gmmu_exact_leu_tesla(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                          uint64_t *tesla) {
    uint64_t last = last_access(m, page);
    if (last == 0 || last > t) {
        return false;
    }
    *tesla = t - last;
    return true;
}

bool gmmu_exact_leu_priority(const gmmu_exact_leu *m, gmmu_exact_page page, uint64_t t,
                             gmmu_exact_ratio *priority) {
    uint64_t tesla = 0;
    if (!gmmu_exact_leu_tesla(m, page, t, &tesla)) {
        return false;
    }
    uint64_t ref = m->walks[last_access(m, page) - 1].ref;
    *priority = gmmu_exact_leu_ref_priority(m, page.asid, ref, tesla);
    return true;
}

size_t gmmu_exact_leu_victim(const gmmu_exact_leu *m, const gmmu_exact_page *pages, size_t count,
                             uint64_t t) {
    size_t victim = count;
    gmmu_exact_ratio least = {0, 1};
    uint64_t oldest = 0;
    for (size_t i = 0; i < count; i++) {
        gmmu_exact_ratio p = {0, 1};
        uint64_t tesla = 0;
        if (!gmmu_exact_leu_tesla(m, pages[i], t, &tesla)) {
            continue;
        }
        (void)gmmu_exact_leu_priority(m, pages[i], t, &p);
        int order = victim == count ? -1 : compare(p, least);
        // A walk has one page, so that two pages never share a TESLA.
        if (order < 0 || (order == 0 && tesla > oldest)) {
            victim = i;
            least = p;
            oldest = tesla;
        }
    }
    return victim;
}
