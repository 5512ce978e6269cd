// SPDX-License-Identifier: Apache-2.0
// counting.h: the counts around one access of a policy without tiers, and the loop over accesses. A
// policy that reads nothing of a walk but the page may have the loop compiled with its functions in
// it (GMMU_POLICY_REPLAY): a hit then is some ten instructions, without a call.
#ifndef GMMU_POLICY_COUNTING_H
#define GMMU_POLICY_COUNTING_H

#include "policy/counts.h"
#include "policy/policy.h"
#include "policy/tiers.h"

#ifdef __cplusplus
extern "C" {
#endif

// The page is in near memory, of a policy without tiers.
enum { GMMU_PAGE_IN = GMMU_NEAR * GMMU_PAGE_PLACE };
enum { GMMU_AHEAD = 16 };  // accesses from the fetch of a page's data to their use

struct gmmu_sim {
    const gmmu_policy *policy;
    void *state;
    gmmu_counts counts;
    const uint8_t *opt_faults;  // NULL: nobody asks
    uint64_t with_opt;          // pages that came back where OPT's memory has them not either
    uint64_t untouched_in, untouched_out;  // pages that came and that left before any access
    uint8_t *flags;                        // of each page
    uint32_t cap;
    uint32_t frames;
    // Of a policy without tiers: pages in near memory, those of them that no access touched, most
    // pages.
    uint64_t resident, untouched, most;
    bool may_stick;    // some pages may not leave: an access may be stuck
    gmmu_tiers tiers;  // of a policy that has them; of others, the pages raised
};

typedef int gmmu_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                        gmmu_error *err);
typedef void gmmu_prefetch(const void *state, uint32_t page);

extern const gmmu_walk gmmu_no_walk;  // for a policy that reads nothing of a walk

// The flags of PAGE come into the cache. A page that the trace has not had yet may have none.
static inline void gmmu_sim_fetch_flags(const gmmu_sim *sim, uint32_t page) {
    if (page < sim->cap) {
        __builtin_prefetch(&sim->flags[page], 1);
    }
}

// ---- what is rare, in replay.c
// Room for the flags of PAGE; false when there is no memory.
bool gmmu_sim_grow(gmmu_sim *sim, uint32_t page);
// The STATUS of a call of the policy that is not GMMU_OK, with the policy's message in *err.
int gmmu_sim_not_ok(const gmmu_sim *sim, int status, gmmu_error *err);
// An access with other moves than the usual: many pages move, or the policy breaks a rule.
int gmmu_sim_unusual(gmmu_sim *sim, uint32_t page, bool write, const gmmu_outcome *out,
                     gmmu_error *err);

// A fault of PAGE: does OPT have it, if it comes back?
static inline void gmmu_sim_look_at_opt(gmmu_sim *sim, uint32_t page) {
    if ((sim->flags[page] & GMMU_PAGE_SEEN) != 0 && sim->opt_faults != NULL) {
        const uint64_t t = sim->counts.accesses;
        sim->with_opt += sim->opt_faults[t / 8] >> (t % 8) & 1U;
    }
}

// The moves *OUT of page PAGE's access are the usual: nothing at a hit; at a fault a page comes,
// and one leaves if memory is full.
static inline bool gmmu_sim_is_usual(const gmmu_sim *sim, uint32_t page, const gmmu_outcome *out) {
    const bool in = (sim->flags[page] & GMMU_PAGE_IN) != 0;
    if ((out->after_count | out->untouched_in | out->untouched_out) != 0) {
        return false;
    }
    if (!out->fault) {
        return in && out->count == 0;
    }
    if (out->stuck || in || out->move[0].page != page || out->move[0].from != GMMU_FAR ||
        out->move[0].to != GMMU_NEAR) {
        return false;
    }
    if (sim->resident < sim->most) {
        return out->count == 1;
    }
    const gmmu_move *m = &out->move[1];
    return out->count == 2 && m->from == GMMU_NEAR && m->to == GMMU_FAR && m->page < sim->cap &&
           (sim->flags[m->page] & GMMU_PAGE_IN) != 0;
}

// Counts the usual moves *OUT of an access to PAGE.
static inline void gmmu_sim_count_usual(gmmu_sim *sim, uint32_t page, bool write,
                                        const gmmu_outcome *out) {
    gmmu_counts *n = &sim->counts;
    if (out->fault) {
        n->faults++;
        n->cold += (sim->flags[page] & GMMU_PAGE_SEEN) != 0 ? 0U : 1U;
        gmmu_sim_look_at_opt(sim, page);
        sim->flags[page] = GMMU_PAGE_SEEN | GMMU_PAGE_IN;  // clean as it comes in
        if (out->count == 1) {
            sim->resident++;
        } else {
            uint8_t *victim = &sim->flags[out->move[1].page];
            n->evictions++;
            n->writebacks += (*victim & GMMU_PAGE_DIRTY) != 0 ? 1U : 0U;
            *victim = GMMU_PAGE_SEEN;
        }
    }
    n->accesses++;
    if (write) {
        sim->flags[page] = GMMU_PAGE_SEEN | GMMU_PAGE_IN | GMMU_PAGE_DIRTY;
    }
}

// An access by ACCESS.
static inline int gmmu_sim_count(gmmu_sim *sim, gmmu_access *access, uint32_t page,
                                 const gmmu_walk *walk, bool write, gmmu_outcome *out,
                                 gmmu_error *err) {
    if (page >= sim->cap && !gmmu_sim_grow(sim, page)) {
        return gmmu_policy_no_memory(sim->policy->name, err);
    }
    const int status = access(sim->state, page, walk, out, err);
    if (status != GMMU_OK) {
        return gmmu_sim_not_ok(sim, status, err);
    }
    if (!gmmu_sim_is_usual(sim, page, out)) {
        return gmmu_sim_unusual(sim, page, write, out, err);
    }
    gmmu_sim_count_usual(sim, page, write, out);
    return GMMU_OK;
}

// COUNT accesses by ACCESS, after PREFETCH (may be NULL). Access i is WALKS[i * STEP] to page
// INDEX[i], and writes if WRITES[i * STRIDE] is not 0. What an access often needs of *SIM is in
// HERE, whose address nobody has: in registers, if the compiler sees ACCESS.
static inline __attribute__((always_inline)) int gmmu_sim_loop(gmmu_sim *sim, gmmu_access *access,
                                                               gmmu_prefetch *prefetch,
                                                               const uint32_t *index,
                                                               const gmmu_walk *walks, size_t step,
                                                               const uint8_t *writes, size_t stride,
                                                               size_t count, gmmu_error *err) {
    gmmu_sim here = *sim;
    int status = GMMU_OK;
    err->text[0] = '\0';
    for (size_t i = 0; i < count && status == GMMU_OK; i++) {
        const uint32_t page = index[i];
        const bool write = writes[i * stride] != 0;
        gmmu_outcome out = {0};
        if (prefetch != NULL && i + GMMU_AHEAD < count) {
            gmmu_sim_fetch_flags(&here, index[i + GMMU_AHEAD]);
            prefetch(here.state, index[i + GMMU_AHEAD]);
        }
        if (page >= here.cap) {
            *sim = here;
            if (!gmmu_sim_grow(sim, page)) {
                return gmmu_policy_no_memory(sim->policy->name, err);
            }
            here = *sim;
        }
        status = access(here.state, page, walks + i * step, &out, err);
        if (status == GMMU_OK && gmmu_sim_is_usual(&here, page, &out)) {
            gmmu_sim_count_usual(&here, page, write, &out);
            continue;
        }
        *sim = here;
        const gmmu_outcome rare = out;
        status = status != GMMU_OK ? gmmu_sim_not_ok(sim, status, err)
                                   : gmmu_sim_unusual(sim, page, write, &rare, err);
        here = *sim;
    }
    *sim = here;
    return status;
}

// Defines the function `replay` of a policy with ACCESS and PREFETCH (may be NULL).
#define GMMU_POLICY_REPLAY(access, prefetch)                                                       \
    static __attribute__((flatten)) int replay(gmmu_sim *sim, const uint32_t *index,               \
                                               const uint8_t *writes, size_t stride, size_t count, \
                                               gmmu_error *err) {                                  \
        return gmmu_sim_loop(sim, access, prefetch, index, &gmmu_no_walk, 0, writes, stride,       \
                             count, err);                                                          \
    }

#ifdef __cplusplus
}
#endif
#endif
