// SPDX-License-Identifier: Apache-2.0
// lirs.c: LIRS (Jiang and Zhang, "LIRS: An Efficient Low Inter-reference Recency Set Replacement
// Policy", SIGMETRICS 2002, section 3).
//
// Stack S orders pages by recency: all LIR pages, and those HIR pages, resident or not, that were
// accessed since the LIR page at its bottom. Queue Q holds the resident HIR pages; its front leaves
// at a fault.
//
// Parameter: hir = Lhirs, the resident HIR pages, percent of memory, at least one (1). Departures:
// none; pages that are remembered in S are bounded only by the distinct pages, as in the paper.
// With one frame, or hir = 100, there is no LIR page, S is empty, and Q is an LRU stack.
#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { STACK = 0, QUEUE = 0 };  // each in a set of lists of its own: a HIR page can be in both
enum { HIR = 0, LIR = 1 };      // marks of nodes of the stack's set; of no meaning elsewhere

typedef struct {
    gmmu_lists s, q;
    uint32_t frames, lirs;  // lirs: Llirs, the LIR pages that there may be
    uint32_t lir_count;
    gmmu_eligible eligible;
} lirs;

static void destroy(void *state) {
    lirs *s = state;
    gmmu_lists_destroy(&s->s);
    gmmu_lists_destroy(&s->q);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t percent = 1;
    const gmmu_option options[] = {GMMU_NUMBER("hir", &percent, 0, 100)};
    if (!gmmu_options_read("lirs", config, options, 1, err)) {
        return NULL;
    }
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    lirs *s = calloc(1, sizeof *s);
    if (s == NULL || !gmmu_lists_create_for(&s->s, pages) || !gmmu_lists_create_for(&s->q, pages)) {
        if (s != NULL) {
            destroy(s);
        }
        (void)gmmu_policy_no_memory("lirs", err);
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->lirs = s->frames - gmmu_percent(s->frames, percent);
    return s;
}

static bool in_stack(const lirs *s, uint32_t page) {
    return gmmu_list_of(&s->s, page) != GMMU_NO_LIST;
}

static bool is_lir(lirs *s, uint32_t page) {
    return in_stack(s, page) && gmmu_list_node_of(&s->s, page)->mark == LIR;
}

static bool in_queue(const lirs *s, uint32_t page) {
    return gmmu_list_of(&s->q, page) != GMMU_NO_LIST;
}

// "Stack pruning": the bottom of S is an LIR page again, or S is empty.
static void prune(lirs *s) {
    uint32_t bottom = gmmu_list_oldest(&s->s, STACK);
    while (bottom != GMMU_NO_PAGE && gmmu_list_node_of(&s->s, bottom)->mark != LIR) {
        gmmu_list_remove(&s->s, bottom);
        bottom = gmmu_list_oldest(&s->s, STACK);
    }
}

static void to_top(lirs *s, uint32_t page, uint32_t kind) {
    if (in_stack(s, page)) {
        gmmu_list_remove(&s->s, page);
    }
    gmmu_list_push(&s->s, STACK, page);
    gmmu_list_node_of(&s->s, page)->mark = kind;
}

// PAGE, a HIR page found in S, becomes LIR; the LIR page at the bottom becomes a resident HIR page,
// if there are as many LIR pages as there may be.
static void promote(lirs *s, uint32_t page) {
    to_top(s, page, LIR);
    if (s->lir_count < s->lirs) {
        s->lir_count++;
    } else {
        gmmu_list_push(&s->q, QUEUE, gmmu_list_pop(&s->s, STACK));
    }
    prune(s);
}

// The page that leaves, or GMMU_NO_PAGE: no page may. If no resident HIR page may, it is the LIR
// page nearest the bottom of S that may; it stays in S as a HIR page, above the lowest LIR page.
static uint32_t evict(lirs *s) {
    uint32_t page = gmmu_list_oldest_of(&s->q, QUEUE, &s->eligible);
    if (page != GMMU_NO_PAGE) {
        gmmu_list_remove(&s->q, page);
        return page;
    }
    page = gmmu_list_oldest(&s->s, STACK);
    while (page != GMMU_NO_PAGE &&
           (gmmu_list_node_of(&s->s, page)->mark != LIR || !gmmu_may_leave(&s->eligible, page))) {
        page = gmmu_list_younger(&s->s, page);
    }
    if (page != GMMU_NO_PAGE) {
        gmmu_list_node_of(&s->s, page)->mark = HIR;
        s->lir_count--;
        prune(s);
    }
    return page;
}

// PAGE, which is not resident, comes in. False: no page may leave for it.
static bool fault(lirs *s, uint32_t page, gmmu_outcome *out) {
    if (s->lir_count + s->q.length[QUEUE] == s->frames && !gmmu_outcome_leave(out, evict(s))) {
        return false;
    }
    if (s->lir_count < s->lirs) {
        s->lir_count++;
        to_top(s, page, LIR);
        prune(s);
    } else if (in_stack(s, page)) {
        promote(s, page);
    } else {
        if (s->lirs != 0) {
            to_top(s, page, HIR);
        }
        gmmu_list_push(&s->q, QUEUE, page);
    }
    return true;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    lirs *s = state;
    if (!gmmu_lists_reserve(&s->s, page) || !gmmu_lists_reserve(&s->q, page)) {
        return gmmu_policy_no_memory("lirs", err);
    }
    bool lir = is_lir(s, page);
    gmmu_outcome_begin(out, page, !lir && !in_queue(s, page));
    if (lir) {
        to_top(s, page, LIR);
        prune(s);
    } else if (out->fault) {
        (void)fault(s, page, out);
    } else {
        gmmu_list_remove(&s->q, page);
        if (in_stack(s, page)) {
            promote(s, page);
        } else {
            if (s->lirs != 0) {
                to_top(s, page, HIR);
                prune(s);  // pages left ahead of need: there may be no LIR page
            }
            gmmu_list_push(&s->q, QUEUE, page);
        }
    }
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    lirs *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const lirs *)state)->s, page);
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_lirs = {
    .name = "lirs",
    .help = "LIRS: low inter-reference recency set",
    .options = "hir=N (1): memory for HIR pages, in per cent",
    .rule = "at the front of queue Q: of the resident HIR pages, longest in Q",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = destroy,
    .replay = replay,
};
