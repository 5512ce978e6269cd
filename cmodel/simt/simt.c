// SPDX-License-Identifier: Apache-2.0
// simt.c: SIMT front end: block dispatch, warp scheduling, coalescing, TLBs.
#include "simt/simt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "simt/tlb.h"

enum { PROGRESS_EVERY = 1 << 15 };  // warp instructions between two progress reports
enum { SEEN = 1, UNPAGED = 2 };  // what is known of a page: walked; of an array that is not paged

typedef enum { EMPTY, READY, WAITING } warp_state;

typedef struct {
    gmmu_simt_warp id;
    warp_state state;
    uint64_t wake;  // turn from which on a ready warp may issue
} warp;

// Room for one resident block.
typedef struct {
    unsigned live;     // warps that have not ended
    unsigned waiting;  // of them, at the barrier
} slot;

typedef struct {
    gmmu_tlb l1;
    slot *slots;    // [blocks_per_sm]
    warp *warps;    // [blocks_per_sm][warps of a block]
    char *regs;     // as warps
    char *shared;   // [blocks_per_sm][bytes of a block]
    unsigned next;  // warp whose turn it is
    unsigned live;  // resident blocks
    uint64_t wake;  // turn from which on one of its warps may issue; UINT64_MAX: none will
} sm_state;

struct gmmu_simt {
    const gmmu_simt_kernel *kernel;
    void *self;
    gmmu_simt_params params;
    gmmu_space space;
    gmmu_tlb l2;
    gmmu_front *front;  // NULL: no caches
    sm_state *sms;
    unsigned char *seen;  // [page of the space]: SEEN, UNPAGED
    uint64_t *ready;      // [page of the space]: turn of its arrival, 0: absent; NULL: no stall
    uint64_t now;         // this turn; all SMs have it at once
    uint64_t served;      // turn in which the last fault so far has been served
    gmmu_simt_grid grid;
    unsigned resident;     // blocks of this grid that an SM holds
    unsigned block_warps;  // warps of one block of this grid
    uint64_t next_block;
    gmmu_simt_stats stats;
};

gmmu_simt_params gmmu_simt_defaults(const gmmu_simt_kernel *k) {
    return (gmmu_simt_params){.size = k->default_size,
                              .seed = 1,
                              .sms = 16,
                              .blocks_per_sm = 8,
                              .block = 256,
                              .page_shift = 12,
                              .l1_entries = 128,
                              .l2_entries = 512,
                              .l2_ways = 16,
                              .caches = GMMU_FRONT_OFF,
                              .cache = gmmu_rdgc_defaults()};
}

uint64_t gmmu_simt_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

unsigned gmmu_simt_coalesce(const uint64_t addr[GMMU_WARP], uint32_t mask, unsigned page_shift,
                            uint64_t vpn[GMMU_WARP]) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t page = addr[lane] >> page_shift;
        // From the back: neighbouring lanes mostly share their page.
        unsigned k = n;
        while (k > 0 && vpn[k - 1] != page) k--;
        if (k == 0)
            vpn[n++] = page;
    }
    return n;
}

static bool in_range(const char *name, uint64_t value, uint64_t low, uint64_t high,
                     gmmu_error *err) {
    if (value >= low && value <= high)
        return true;
    snprintf(err->text, sizeof err->text, "%s: found %" PRIu64 ", expected %" PRIu64 " to %" PRIu64,
             name, value, low, high);
    return false;
}

// The number chosen under NAME for kernel K.
static bool choice_valid(const gmmu_simt_kernel *k, const char *name, gmmu_simt_choice choice,
                         unsigned value, gmmu_error *err) {
    if (value == 0 || value == choice.own)
        return true;
    if (choice.most != 0)
        return in_range(name, value, 1, choice.most, err);
    snprintf(err->text, sizeof err->text,
             "%s: found kernel %s, which has no such choice, expected none", name, k->name);
    return false;
}

static void take_own(unsigned *value, gmmu_simt_choice choice) {
    *value = *value == 0 ? choice.own : *value;
}

static bool choices_valid(const gmmu_simt_kernel *k, const gmmu_simt_params *p, gmmu_error *err) {
    if (!choice_valid(k, "launches", k->launches, p->launches, err) ||
        !choice_valid(k, "features", k->features, p->features, err) ||
        !choice_valid(k, "depth", k->depth, p->depth, err) ||
        !choice_valid(k, "element", k->element, p->element, err))
        return false;
    if (p->element == 0 || p->element == sizeof(float) || p->element == sizeof(double))
        return true;
    snprintf(err->text, sizeof err->text, "element: found %u bytes, expected 4 or 8", p->element);
    return false;
}

static bool params_valid(const gmmu_simt_kernel *k, const gmmu_simt_params *p, gmmu_error *err) {
    if (!in_range("size", p->size, 1, k->max_size, err) || !in_range("sms", p->sms, 1, 256, err) ||
        !in_range("blocks-per-sm", p->blocks_per_sm, 1, 64, err) ||
        !in_range("block", p->block, 1, 1024, err) ||
        !in_range("page-shift", p->page_shift, 9, 30, err) ||
        !in_range("l1-tlb", p->l1_entries, 0, 1 << 20, err) ||
        !in_range("l2-tlb", p->l2_entries, 0, 1 << 20, err) ||
        !in_range("l2-ways", p->l2_ways, 1, 1 << 20, err) ||
        !in_range("threads-per-sm", p->threads_per_sm, 0, 1 << 16, err) ||
        !in_range("stall", p->stall, 0, 1 << 30, err) || !choices_valid(k, p, err))
        return false;
    if (p->l2_entries % p->l2_ways != 0) {
        snprintf(err->text, sizeof err->text,
                 "l2-tlb: found %u, expected a multiple of l2-ways = %u", p->l2_entries,
                 p->l2_ways);
        return false;
    }
    if (p->fold && !k->folds) {
        snprintf(err->text, sizeof err->text,
                 "fold: found kernel %s, whose data decide addresses, expected no fold with it",
                 k->name);
        return false;
    }
    return true;
}

void gmmu_simt_destroy(gmmu_simt *m) {
    if (m == NULL)
        return;
    for (unsigned i = 0; m->sms != NULL && i < m->params.sms; i++) {
        gmmu_tlb_free(&m->sms[i].l1);
        free(m->sms[i].slots);
    }
    free(m->sms);
    gmmu_tlb_free(&m->l2);
    gmmu_front_destroy(m->front);
    if (m->self != NULL)
        m->kernel->destroy(m->self);
    gmmu_space_free(&m->space);
    free(m->seen);
    free(m->ready);
    free(m);
}

static void set_pages(gmmu_simt *m, const gmmu_array *a, unsigned char what) {
    memset(m->seen + ((a->base >> m->space.page_shift) - GMMU_SPACE_FIRST_PAGE), what,
           gmmu_space_array_pages(&m->space, a));
}

// Finds the arrays of params.arrays; all others are not paged.
static bool choose_arrays(gmmu_simt *m, gmmu_error *err) {
    const char *name = m->params.arrays;
    if (name == NULL)
        return true;
    memset(m->seen, UNPAGED, m->space.pages);
    for (;; name++) {
        size_t length = strcspn(name, ",");
        unsigned i = 0;
        while (i < m->space.arrays && (strncmp(m->space.array[i].name, name, length) != 0 ||
                                       m->space.array[i].name[length] != '\0'))
            i++;
        if (i == m->space.arrays) {
            snprintf(err->text, sizeof err->text,
                     "arrays: found '%.*s', expected one of kernel %s's",
                     (int)(length > 40 ? 40 : length), name, m->kernel->name);
            return false;
        }
        set_pages(m, &m->space.array[i], 0);
        name += length;
        if (*name == '\0')
            return true;
    }
}

gmmu_simt *gmmu_simt_create(const gmmu_simt_kernel *k, const gmmu_simt_params *p, gmmu_error *err) {
    if (!params_valid(k, p, err))
        return NULL;
    gmmu_simt *m = calloc(1, sizeof *m);
    if (m == NULL) {
        snprintf(err->text, sizeof err->text, "no memory");
        return NULL;
    }
    m->kernel = k;
    m->params = *p;
    take_own(&m->params.launches, k->launches);
    take_own(&m->params.features, k->features);
    take_own(&m->params.depth, k->depth);
    take_own(&m->params.element, k->element);
    gmmu_space_init(&m->space, p->page_shift);
    m->space.fold = p->fold;
    m->self = k->create(&m->params, &m->space, err);
    if (m->self == NULL) {
        gmmu_simt_destroy(m);
        return NULL;
    }
    m->sms = calloc(p->sms, sizeof *m->sms);
    m->seen = calloc(m->space.pages, 1);
    m->ready = p->stall == 0 ? NULL : calloc(m->space.pages, sizeof *m->ready);
    bool ok = m->sms != NULL && m->seen != NULL && (p->stall == 0 || m->ready != NULL) &&
              gmmu_tlb_init(&m->l2, p->l2_entries, p->l2_ways);
    for (unsigned i = 0; ok && i < p->sms; i++) {
        m->sms[i].slots = calloc(p->blocks_per_sm, sizeof *m->sms[i].slots);
        ok = m->sms[i].slots != NULL && gmmu_tlb_init(&m->sms[i].l1, p->l1_entries, p->l1_entries);
    }
    if (!ok) {
        snprintf(err->text, sizeof err->text, "no memory for %u SMs", p->sms);
        gmmu_simt_destroy(m);
        return NULL;
    }
    if (!choose_arrays(m, err)) {
        gmmu_simt_destroy(m);
        return NULL;
    }
    if (p->caches != GMMU_FRONT_OFF) {
        m->front = gmmu_front_create(&p->cache, p->sms, p->caches, p->page_shift, err);
        if (m->front == NULL) {
            gmmu_simt_destroy(m);
            return NULL;
        }
    }
    return m;
}

// The grid's next block takes SLOT of SM, if there is one.
static void start_block(gmmu_simt *m, sm_state *sm, unsigned slot_index) {
    slot *s = &sm->slots[slot_index];
    *s = (slot){0};
    if (m->next_block == m->grid.blocks)
        return;
    uint64_t block = m->next_block++;
    s->live = m->block_warps;
    sm->live++;
    char *shared = sm->shared == NULL ? NULL : sm->shared + slot_index * m->grid.shared;
    if (shared != NULL)
        memset(shared, 0, m->grid.shared);
    for (unsigned i = 0; i < m->block_warps; i++) {
        unsigned at = slot_index * m->block_warps + i;
        unsigned rest = m->grid.threads - i * GMMU_WARP;
        sm->warps[at].state = READY;
        sm->warps[at].wake = 0;
        sm->warps[at].id =
            (gmmu_simt_warp){.block = block,
                             .index = i,
                             .thread = block * m->grid.threads + (uint64_t)i * GMMU_WARP,
                             .lanes = rest >= GMMU_WARP ? UINT32_MAX : (UINT32_C(1) << rest) - 1,
                             .shared = shared};
        memset(sm->regs + (size_t)at * m->kernel->regs, 0, m->kernel->regs);
    }
}

// Lets the block's warps pass once all that live are at the barrier.
static void try_release(gmmu_simt *m, sm_state *sm, unsigned slot_index) {
    slot *s = &sm->slots[slot_index];
    if (s->waiting != s->live)
        return;
    s->waiting = 0;
    for (unsigned i = 0; i < m->block_warps; i++) {
        warp *w = &sm->warps[slot_index * m->block_warps + i];
        if (w->state == WAITING)
            w->state = READY;
    }
}

// Returns the turn in which page VPN is in memory. Faults are served one after the other, in the
// order of their first accesses; whoever needs the page meanwhile waits for the same turn.
static uint64_t arrival(gmmu_simt *m, uint64_t vpn) {
    uint64_t *ready = &m->ready[vpn - GMMU_SPACE_FIRST_PAGE];
    if (*ready == 0) {
        m->stats.faults++;
        m->served = (m->served > m->now ? m->served : m->now) + m->params.stall;
        *ready = m->served;
    }
    return *ready;
}

// One instruction of warp W on SM number SM: coalescing, TLBs, walks. *wake grows to the turn in
// which all of the instruction's pages are there.
static int memory(gmmu_simt *m, unsigned sm, const gmmu_simt_warp *w, const gmmu_simt_op *op,
                  const gmmu_simt_hooks *hooks, uint64_t *wake, gmmu_error *err) {
    uint64_t addr[GMMU_WARP] = {0};
    uint64_t vpn[GMMU_WARP] = {0};
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (!(op->mask >> lane & 1))
            continue;
        if (op->index[lane] >= op->array->count) {
            snprintf(err->text, sizeof err->text,
                     "%s: found an access to %s[%" PRIu64 "] by 0x%" PRIx64
                     ", expected an index below %" PRIu64,
                     m->kernel->name, op->array->name, op->index[lane], op->ref, op->array->count);
            return GMMU_BAD;
        }
        addr[lane] = op->array->base + op->index[lane] * op->array->element;
    }
    m->stats.instructions++;
    int heard = hooks->op != NULL ? hooks->op(hooks->ctx, w, sm, op, err) : GMMU_OK;
    if (heard != GMMU_OK)
        return heard;
    uint64_t first = (op->array->base >> m->params.page_shift) - GMMU_SPACE_FIRST_PAGE;
    if (m->seen[first] & UNPAGED)
        return GMMU_OK;
    unsigned n = m->front == NULL
                     ? gmmu_simt_coalesce(addr, op->mask, m->params.page_shift, vpn)
                     : gmmu_front_access(m->front, sm, addr, op->mask, op->write, op->atomic, vpn);
    for (unsigned i = 0; i < n; i++) {
        gmmu_walk a = {.vpn = vpn[i],
                       .ref = op->ref,
                       .time = m->stats.instructions,
                       .sm = sm,
                       .write = op->write};
        m->stats.accesses++;
        int rc = hooks->access != NULL ? hooks->access(hooks->ctx, &a, err) : GMMU_OK;
        if (rc != GMMU_OK)
            return rc;
        if (gmmu_tlb_access(&m->sms[sm].l1, a.vpn)) {
            m->stats.l1_hits++;
        } else if (gmmu_tlb_access(&m->l2, a.vpn)) {
            m->stats.l2_hits++;
        } else {
            m->stats.walks++;
            unsigned char *seen = &m->seen[a.vpn - GMMU_SPACE_FIRST_PAGE];
            m->stats.distinct += !*seen;
            *seen = SEEN;
            rc = hooks->walk != NULL ? hooks->walk(hooks->ctx, &a, err) : GMMU_OK;
            if (rc != GMMU_OK)
                return rc;
        }
        uint64_t ready = m->ready == NULL ? 0 : arrival(m, a.vpn);
        *wake = ready > *wake ? ready : *wake;
    }
    return GMMU_OK;
}

// Gives SM its turn: the next ready warp issues one memory instruction. Barriers and ends on the
// way take no turn. *issued is false when the SM has nothing that can run in this turn; sm->wake is
// the turn in which it has again.
static int turn(gmmu_simt *m, unsigned number, const gmmu_simt_hooks *hooks, bool *issued,
                gmmu_error *err) {
    sm_state *sm = &m->sms[number];
    unsigned warps = m->resident * m->block_warps;
    gmmu_simt_op op;
    *issued = false;
    if (sm->live == 0)
        sm->wake = UINT64_MAX;
    if (sm->wake > m->now)
        return GMMU_OK;
    sm->wake = UINT64_MAX;
    for (unsigned idle = 0; idle < warps;) {
        unsigned at = sm->next;
        unsigned slot_index = at / m->block_warps;
        slot *s = &sm->slots[slot_index];
        warp *w = &sm->warps[at];
        sm->next = at + 1 == warps ? 0 : at + 1;
        if (w->state != READY || w->wake > m->now) {
            if (w->state == READY && w->wake < sm->wake)
                sm->wake = w->wake;
            idle++;
            continue;
        }
        idle = 0;
        sm->wake = UINT64_MAX;
        switch (m->kernel->step(m->self, &w->id, sm->regs + (size_t)at * m->kernel->regs, &op)) {
            case GMMU_SIMT_MEM:
                *issued = true;
                sm->wake = m->now + 1;
                return memory(m, number, &w->id, &op, hooks, &w->wake, err);
            case GMMU_SIMT_BARRIER:
                w->state = WAITING;
                s->waiting++;
                try_release(m, sm, slot_index);
                break;
            case GMMU_SIMT_EXIT:
                w->state = EMPTY;
                s->live--;
                if (s->live == 0) {
                    sm->live--;
                    start_block(m, sm, slot_index);
                } else {
                    try_release(m, sm, slot_index);
                }
                break;
        }
    }
    return GMMU_OK;
}

static int run_grid(gmmu_simt *m, const gmmu_simt_hooks *hooks, gmmu_error *err) {
    // Breadth first: every SM gets a block before any gets its second.
    for (unsigned slot_index = 0; slot_index < m->resident; slot_index++)
        for (unsigned i = 0; i < m->params.sms; i++) start_block(m, &m->sms[i], slot_index);
    for (bool busy = true; busy;) {
        uint64_t wake = UINT64_MAX;  // the next turn in which an SM has a warp that can issue
        for (unsigned i = 0; i < m->params.sms; i++) {
            bool issued = false;
            int rc = turn(m, i, hooks, &issued, err);
            if (rc != GMMU_OK)
                return rc;
            if (m->sms[i].wake < wake)
                wake = m->sms[i].wake;
            if (issued && hooks->progress != NULL && m->stats.instructions % PROGRESS_EVERY == 0)
                hooks->progress(hooks->ctx, m->kernel->progress(m->self));
        }
        busy = wake != UINT64_MAX;
        if (busy)
            m->now = wake;
    }
    return GMMU_OK;
}

// Blocks of THREADS each that an SM holds at a time.
static unsigned resident_blocks(const gmmu_simt_params *p, unsigned threads) {
    unsigned fit = p->threads_per_sm == 0 ? p->blocks_per_sm : p->threads_per_sm / threads;
    if (fit == 0)
        return 1;
    return fit < p->blocks_per_sm ? fit : p->blocks_per_sm;
}

int gmmu_simt_run(gmmu_simt *m, const gmmu_simt_hooks *hooks, gmmu_error *err) {
    int rc = GMMU_OK;
    while (rc == GMMU_OK && m->kernel->launch(m->self, &m->grid)) {
        if (hooks->grid != NULL && (rc = hooks->grid(hooks->ctx, &m->grid, err)) != GMMU_OK)
            break;
        m->block_warps = (m->grid.threads + GMMU_WARP - 1) / GMMU_WARP;
        m->next_block = 0;
        m->stats.grids++;
        m->resident = resident_blocks(&m->params, m->grid.threads);
        size_t warps = (size_t)m->resident * m->block_warps;
        bool ok = true;
        for (unsigned i = 0; i < m->params.sms; i++) {
            sm_state *sm = &m->sms[i];
            sm->next = 0;
            sm->live = 0;
            sm->wake = 0;
            sm->warps = calloc(warps, sizeof *sm->warps);
            sm->regs = calloc(warps, m->kernel->regs);
            sm->shared = m->grid.shared == 0 ? NULL : calloc(m->resident, m->grid.shared);
            ok &= sm->warps != NULL && sm->regs != NULL &&
                  (m->grid.shared == 0 || sm->shared != NULL);
        }
        if (ok) {
            rc = run_grid(m, hooks, err);
        } else {
            snprintf(err->text, sizeof err->text, "no memory for %zu warps an SM", warps);
            rc = GMMU_BAD;
        }
        for (unsigned i = 0; i < m->params.sms; i++) {
            free(m->sms[i].warps);
            free(m->sms[i].regs);
            free(m->sms[i].shared);
        }
    }
    return rc;
}

int gmmu_simt_check(const gmmu_simt *m, gmmu_error *err) {
    return m->kernel->check(m->self, err);
}

const gmmu_array *gmmu_simt_result(const gmmu_simt *m) {
    return m->kernel->result(m->self);
}

const gmmu_space *gmmu_simt_space(const gmmu_simt *m) {
    return &m->space;
}

void gmmu_simt_shootdown(gmmu_simt *m, uint64_t vpn) {
    m->stats.evictions++;
    for (unsigned i = 0; i < m->params.sms; i++)
        m->stats.shootdowns += gmmu_tlb_remove(&m->sms[i].l1, vpn);
    if (m->ready != NULL)
        m->ready[vpn - GMMU_SPACE_FIRST_PAGE] = 0;
    m->stats.shootdowns += gmmu_tlb_remove(&m->l2, vpn);
    if (m->front != NULL)
        gmmu_front_remove(m->front, vpn);
}

gmmu_simt_stats gmmu_simt_get_stats(const gmmu_simt *m) {
    gmmu_simt_stats stats = m->stats;
    stats.turns = m->ready != NULL ? m->now : 0;
    if (m->front != NULL) {
        const gmmu_front_counts c = gmmu_front_counted(m->front);
        stats.cache_accesses = c.accesses;
        stats.cache_l1_hits = c.l1_hits;
        stats.cache_l2_accesses = c.l2_accesses;
        stats.cache_l2_hits = c.l2_hits;
    }
    return stats;
}
