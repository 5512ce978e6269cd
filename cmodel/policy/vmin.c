// SPDX-License-Identifier: Apache-2.0
// vmin.c: VMIN, the fewest faults for an average memory size (Prieve and Fabry, "VMIN: An Optimal
// Variable-Space Page Replacement Algorithm", CACM 19(5), 1976).
//
// Knows the trace. A page stays after an access exactly if its next one is at most τ walks ahead;
// else it leaves at once. A page takes one page of memory in every walk from its access to the
// next, or in that one walk. τ is the one that makes the average size the `frames` asked for:
// reuses of τ walks are kept, in trace order, as far as they fit; shorter ones all, longer ones
// never. No parameters.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/variable.h"

typedef struct {
    gmmu_variable all;
    uint64_t tau;     // reuse intervals below it are kept
    uint64_t at_tau;  // of those equal to it, how many more are kept
    uint8_t *in;      // of each page: resident
    uint32_t cap;
    gmmu_move left;          // after the last walk
    uint64_t left_interval;  // from there to the next use; GMMU_NEVER: there is none
} vmin;

static void destroy(void *state) {
    vmin *s = state;
    free(s->in);
    free(s);
}

// The longest reuse intervals that fit into FRAMES pages on average.
static bool choose_tau(void *state, uint32_t frames) {
    vmin *s = state;
    uint64_t n = s->all.future->count;
    uint32_t *count = calloc(n + 1, sizeof *count);
    if (count == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (s->all.future->next[i] != GMMU_NEVER) {
            count[s->all.future->next[i] - i]++;
        }
    }
    // Each access takes one page of its walk; a reuse that is kept takes interval - 1 more.
    uint64_t budget = (frames - UINT64_C(1)) * n;
    s->tau = 2;  // the next walk's page is kept anyway
    while (s->tau <= n && count[s->tau] * (s->tau - 1) <= budget) {
        budget -= count[s->tau] * (s->tau - 1);
        s->tau++;
    }
    s->at_tau = s->tau <= n ? budget / (s->tau - 1) : 0;
    free(count);
    return true;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    return gmmu_variable_create("vmin", config, sizeof(vmin), choose_tau, destroy, err);
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    vmin *s = state;
    if (!GMMU_ROOM(s->in, s->cap, page, 0)) {
        return gmmu_policy_no_memory("vmin", err);
    }
    if (!gmmu_future_agrees(s->all.future, s->all.now, page, "vmin", err)) {
        return GMMU_BAD;
    }
    gmmu_outcome_begin(out, page, s->in[page] == 0);
    s->all.resident += out->fault ? 1U : 0U;
    s->all.size_sum += s->all.resident;
    uint64_t next = s->all.future->next[s->all.now];
    uint64_t interval = next - s->all.now;
    bool kept = next != GMMU_NEVER && interval < s->tau;
    if (next != GMMU_NEVER && interval == s->tau && s->at_tau != 0) {
        s->at_tau--;
        kept = true;
    }
    s->in[page] = kept;
    if (!kept) {
        s->left_interval = next == GMMU_NEVER ? GMMU_NEVER : interval;
        s->all.resident--;
        s->left = (gmmu_move){.page = page, .from = GMMU_NEAR, .to = GMMU_FAR};
        out->after = &s->left;
        out->after_count = 1;
    }
    s->all.now++;
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    const vmin *s = state;
    if (s->left_interval == GMMU_NEVER) {
        (void)snprintf(text, size, "never used again");
    } else {
        (void)snprintf(text, size,
                       "its next use is %" PRIu64
                       " walks ahead: no more reuses of that length are kept, "
                       "tau is %" PRIu64,
                       s->left_interval, s->tau);
    }
}

const gmmu_policy gmmu_policy_vmin = {
    .name = "vmin",
    .help = "VMIN: fewest faults at a mean size, which is frames; a bound",
    .why = why,
    .needs_future = true,
    .page_only = true,
    .create = create,
    .access = touch,
    .size_sum = gmmu_variable_size_sum,
    .destroy = destroy,
};
