// SPDX-License-Identifier: Apache-2.0
// unit_memory.c: see unit_memory.h.
#include "driver/unit_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks/crc32c.h"
#include "blocks/schedule.h"
#include "driver/gmt_model.h"
#include "driver/unit_regs.h"
#include "trace/pages.h"

enum { NOWHERE = UINT32_MAX, NEVER = UINT32_MAX };

// What the page table has of a page.
typedef struct {
    uint32_t frame, slot;  // NOWHERE: in none
    uint32_t left;         // walk of the last access of its last stay in Tier 1; NEVER: none
    bool seen;
} entry;

// Empty frames, or empty slots: the last one is taken first.
typedef struct {
    uint32_t *number, n;
} pool;

struct gmmu_unit_memory {
    gmmu_tier unit;
    void *memory;
    gmmu_pages *pages;
    entry *table;  // of each page
    uint32_t pages_cap;
    uint32_t *page_in_frame, *page_in_slot;
    pool frames, slots;
    bool learns;                  // cfg_tier 3: the driver's model of reuse takes all accesses
    gmmu_gmt_host line;           // this model
    gmmu_tier_decision decision;  // the last one
    unsigned decisions;
    gmmu_unit_memory_counts counts;
};

void gmmu_unit_memory_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t frames, uint32_t slots,
                            unsigned place) {
    cfg->frames = cfg->frames < frames ? frames : cfg->frames;
    cfg->t2_slots = slots;
    *regs = gmmu_regs_default(cfg);
    regs->frames = frames;
    if (cfg->frame_mem != 0)
        regs->search = GMMU_SEARCH_SAMPLE;
    // of the predictor as policy `tier` has it; else nothing is foretold
    const gmmu_config *onchip = gmmu_config_find("onchip");
    const bool foretold = slots != 0 && place != GMMU_PLACE_PRIORITY;
    cfg->tp_sets = foretold ? onchip->tp_sets : 1;
    cfg->tp_ways = foretold ? onchip->tp_ways : 1;
    const unsigned most = 32 - gmmu_log2(cfg->tp_sets);
    cfg->tp_tag_w = cfg->tp_tag_w < most ? cfg->tp_tag_w : most;
    if (slots == 0)
        return;
    regs->tier = place;
    regs->search = place == GMMU_PLACE_PRIORITY ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_CLOCK;
    regs->t2_full = place == GMMU_PLACE_REUSE;
}

static bool fill_pool(pool *p, uint32_t n) {
    p->number = malloc(n * sizeof *p->number);
    if (p->number == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) p->number[i] = n - 1 - i;
    p->n = n;
    return true;
}

static gmmu_unit_memory *no_memory(gmmu_unit_memory *m, gmmu_error *err) {
    gmmu_unit_memory_destroy(m);
    (void)snprintf(err->text, sizeof err->text, "memory: out of memory");
    return NULL;
}

gmmu_unit_memory *gmmu_unit_memory_create(const gmmu_config *cfg, const gmmu_regs *regs,
                                          gmmu_error *err) {
    const char *bad = gmmu_config_error(cfg);
    if (bad != NULL) {
        (void)snprintf(err->text, sizeof err->text, "configuration %s with %" PRIu32 " frames: %s",
                       cfg->name, cfg->frames, bad);
        return NULL;
    }
    if (!gmmu_unit_regs_legal(cfg, regs, err))
        return NULL;
    if (regs->ahead != 0 || regs->fresh != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "cfg_%s: found %" PRIu32 ", expected 0: accesses come one at a time",
                       regs->ahead != 0 ? "ahead" : "fresh",
                       regs->ahead != 0 ? regs->ahead : regs->fresh);
        return NULL;
    }
    gmmu_unit_memory *m = calloc(1, sizeof *m);
    if (m == NULL)
        return no_memory(m, err);
    const size_t bytes = gmmu_tier_bytes(cfg);
    const uint32_t slots = regs->tier != GMMU_PLACE_NONE ? regs->t2_slots : 0;
    m->memory = gmmu_grow(NULL, 0, bytes, 1, 0);
    m->pages = gmmu_pages_create();
    m->page_in_frame = malloc(regs->frames * sizeof *m->page_in_frame);
    m->page_in_slot = malloc((slots + 1ul) * sizeof *m->page_in_slot);
    m->learns = slots != 0 && regs->tier == GMMU_PLACE_REUSE;
    gmmu_gmt_host_init(&m->line, regs->frames, slots);
    if (m->memory == NULL || m->pages == NULL || m->page_in_frame == NULL ||
        m->page_in_slot == NULL || !fill_pool(&m->frames, regs->frames) ||
        (slots != 0 && !fill_pool(&m->slots, slots)) ||
        gmmu_tier_init(&m->unit, cfg, regs, m->memory, bytes) != 0)
        return no_memory(m, err);
    m->unit.hir_unheard = true;
    return m;
}

void gmmu_unit_memory_destroy(gmmu_unit_memory *m) {
    if (m == NULL)
        return;
    gmmu_gmt_host_free(&m->line);
    gmmu_pages_destroy(m->pages);
    free(m->memory);
    free(m->table);
    free(m->page_in_frame);
    free(m->page_in_slot);
    free(m->frames.number);
    free(m->slots.number);
    free(m);
}

// ---- the page table

// The page of the walk, with room for it in the table; GMMU_NO_PAGE: no memory.
static uint32_t page_of(gmmu_unit_memory *m, const gmmu_walk *walk) {
    const uint32_t page = gmmu_pages_index(m->pages, walk->asid, walk->vpn);
    if (page == GMMU_NO_PAGE || page < m->pages_cap)
        return page;
    const uint32_t cap = page < 1024 ? 2048 : page + page / 2;
    entry *table = gmmu_grow(m->table, m->pages_cap, cap, sizeof *table, 0xff);
    if (table == NULL)
        return GMMU_NO_PAGE;
    for (uint32_t p = m->pages_cap; p < cap; p++) table[p].seen = false;
    m->table = table;
    m->pages_cap = cap;
    return page;
}

// The entry of a page that was accessed, or NULL.
static entry *find(const gmmu_unit_memory *m, uint32_t asid, uint64_t vpn) {
    const uint32_t page = gmmu_pages_find(m->pages, asid, vpn);
    return page < m->pages_cap ? &m->table[page] : NULL;
}

unsigned gmmu_unit_memory_find(const gmmu_unit_memory *m, uint32_t asid, uint64_t vpn,
                               uint32_t *where) {
    const entry *e = find(m, asid, vpn);
    if (e == NULL || (e->frame == NOWHERE && e->slot == NOWHERE))
        return 0;
    if (where != NULL)
        *where = e->frame != NOWHERE ? e->frame : e->slot;
    return e->frame != NOWHERE ? 1 : 2;
}

// ---- the unit

static void on_decision(void *ctx, const gmmu_tier_decision *d) {
    gmmu_unit_memory *m = ctx;
    m->decision = *d;
    m->decisions++;
}

static inline void settle(gmmu_unit_memory *m) {
    if (!gmmu_tier_settled(&m->unit))
        gmmu_tier_settle(&m->unit, on_decision, m);
}

static inline void tell(gmmu_unit_memory *m, const gmmu_tier_drv_in *in) {
    (void)gmmu_tier_drv_inline(&m->unit, in);
    settle(m);
}

// cfg_tier 3: the model of reuse learns, and sets the unit's registers. False: no memory.
static bool learn(gmmu_unit_memory *m, uint32_t page) {
    gmmu_tier *u = &m->unit;
    const uint64_t lines = m->line.lines;
    if (!gmmu_gmt_host_access(&m->line, page, u->stats.walks + 1, 0))
        return false;
    if (m->line.lines != lines) {
        const gmmu_gmt_registers r = gmmu_gmt_registers_of(&m->line, u->cfg.time_w);
        gmmu_tier_foresee(u, r.model, r.near, r.far);
    }
    return true;
}

// ---- the driver's side of a decision

static void leave_slot(gmmu_unit_memory *m, uint32_t slot) {
    m->table[m->page_in_slot[slot]].slot = NOWHERE;
    m->slots.number[m->slots.n++] = slot;
}

// The faulting page leaves its slot, if the decision says so.
static void rise(gmmu_unit_memory *m, const entry *e, gmmu_tier_drv_in *fill,
                 gmmu_unit_access *out) {
    if (!m->decision.rise || e->slot == NOWHERE)
        return;
    out->from = 2;
    fill->t2 = true;
    fill->slot = e->slot;
    if (m->decision.swap)
        fill->op = GMMU_T2_SWAP;
    leave_slot(m, e->slot);
}

// With a Tier 2: the victim PAGE goes where the decision says.
static void place(gmmu_unit_memory *m, uint32_t page, gmmu_unit_access *out) {
    const gmmu_tier_decision *d = &m->decision;
    if (d->tier == GMMU_TIER_3) {
        m->counts.tier3_writes += d->victim_dirty;
        return;
    }
    if (d->t2_valid) {
        out->t2_left = true;
        out->t2_asid = d->t2_asid;
        out->t2_vpn = d->t2_vpn;
        out->t2_dirty = d->t2_dirty;
        m->counts.tier3_writes += d->t2_dirty;
        leave_slot(m, d->t2_slot);
    }
    out->slot = m->slots.number[--m->slots.n];
    const gmmu_tier_drv_in done = {.op = GMMU_T2_FILL_DONE, .frame = d->frame, .slot = out->slot};
    if (!d->swap)
        (void)gmmu_tier_drv_inline(&m->unit, &done);
    m->page_in_slot[out->slot] = page;
    m->table[page].slot = out->slot;
    m->counts.tier2_puts++;
}

// The decision's victim leaves its frame.
static void evict(gmmu_unit_memory *m, gmmu_unit_access *out) {
    const gmmu_tier *u = &m->unit;
    const gmmu_tier_decision *d = &m->decision;
    const uint32_t page = m->page_in_frame[d->frame];
    // cfg_tier without slots: the unit says Tier 3
    out->victim_to = m->slots.number != NULL ? (uint8_t)d->tier : 2;
    out->victim_asid = d->victim_asid;
    out->victim_vpn = d->victim_vpn;
    out->victim_dirty = d->victim_dirty;
    out->priority = d->priority;
    m->counts.evictions++;
    m->counts.writebacks += d->victim_dirty;
    if (m->slots.number != NULL)
        place(m, page, out);
    m->table[page].frame = NOWHERE;
    m->table[page].left = u->stats.walks - ((u->walk.time - d->victim_last) & u->walk.time_mask);
}

// The fault of PAGE is decided: the driver follows. False: no page may leave.
static bool follow(gmmu_unit_memory *m, uint32_t page, const gmmu_walk *walk,
                   gmmu_unit_access *out) {
    gmmu_tier *u = &m->unit;
    const gmmu_tier_decision *d = &m->decision;
    entry *e = &m->table[page];
    if (m->decisions != 1 || d->tier == GMMU_TIER_NONE)
        return false;
    gmmu_tier_drv_in fill = {.op = GMMU_FILL, .vpn = walk->vpn, .asid = walk->asid};
    rise(m, e, &fill, out);
    if (d->tier == GMMU_TIER_FREE) {
        fill.frame = m->frames.number[--m->frames.n];
    } else {
        fill.frame = d->frame;
        evict(m, out);
    }
    fill.returns = e->left != NEVER && u->stats.walks - e->left < u->frames.age_limit;
    fill.was = e->left & u->walk.time_mask;
    tell(m, &fill);
    e->frame = fill.frame;
    m->page_in_frame[fill.frame] = page;
    return true;
}

static int beyond(const gmmu_config *cfg, const gmmu_walk *walk, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text,
                   "memory: found page 0x%" PRIx64 " of address space %" PRIu32
                   ", expected at most %u and %u bits (configuration %s)",
                   walk->vpn, walk->asid, cfg->vpn_w, cfg->asid_w, cfg->name);
    return GMMU_BAD;
}

int gmmu_unit_memory_access(gmmu_unit_memory *m, const gmmu_walk *walk, gmmu_unit_access *out,
                            gmmu_error *err) {
    gmmu_tier *u = &m->unit;
    const gmmu_config *cfg = &u->cfg;
    if ((cfg->vpn_w < 64 && walk->vpn >> cfg->vpn_w != 0) ||
        (cfg->asid_w < 32 && walk->asid >> cfg->asid_w != 0))
        return beyond(cfg, walk, err);
    const uint32_t page = page_of(m, walk);
    if (page == GMMU_NO_PAGE || (m->learns && !learn(m, page))) {
        (void)no_memory(NULL, err);
        return GMMU_BAD;
    }
    entry *e = &m->table[page];
    const bool fault = e->frame == NOWHERE;
    const gmmu_tier_walk_in in = {.vpn = walk->vpn,
                                  .ref = gmmu_fold_ref(walk->ref, cfg->ref_w),
                                  .asid = walk->asid,
                                  .write = walk->write,
                                  .fault = fault,
                                  .frame = fault ? 0 : e->frame,
                                  .t2 = fault && e->slot != NOWHERE,
                                  .slot = fault && e->slot != NOWHERE ? e->slot : 0};
    *out = (gmmu_unit_access){.first = !e->seen, .from = !fault ? 1 : m->slots.number ? 3 : 2};
    (void)gmmu_tier_walk_inline(u, &in);
    m->decisions = 0;
    settle(m);
    m->counts.accesses++;
    m->counts.faults += fault;
    m->counts.cold += fault && !e->seen;
    e->seen = true;
    if (fault && !follow(m, page, walk, out)) {
        (void)snprintf(err->text, sizeof err->text,
                       "memory: found no page that may leave for page 0x%" PRIx64
                       " of address space %" PRIu32 ", expected one that is not pinned",
                       walk->vpn, walk->asid);
        return GMMU_BAD;
    }
    m->counts.tier2_hits += m->slots.number != NULL && out->from == 2;
    out->frame = e->frame;
    return GMMU_OK;
}

bool gmmu_unit_memory_pin(gmmu_unit_memory *m, uint32_t asid, uint64_t vpn, bool pin) {
    const entry *e = find(m, asid, vpn);
    if (e == NULL || e->frame == NOWHERE)
        return false;
    tell(m, &(gmmu_tier_drv_in){.op = pin ? GMMU_PIN : GMMU_UNPIN, .frame = e->frame});
    return true;
}

bool gmmu_unit_memory_free(gmmu_unit_memory *m, uint32_t asid, uint64_t vpn) {
    entry *e = find(m, asid, vpn);
    if (e == NULL || (e->frame == NOWHERE && e->slot == NOWHERE))
        return false;
    if (e->frame != NOWHERE) {
        tell(m, &(gmmu_tier_drv_in){.op = GMMU_FREE, .frame = e->frame});
        m->frames.number[m->frames.n++] = e->frame;
        e->frame = NOWHERE;
    } else {
        tell(m, &(gmmu_tier_drv_in){.op = GMMU_T2_FREE, .slot = e->slot});
        leave_slot(m, e->slot);
    }
    e->left = NEVER;
    return true;
}

void gmmu_unit_memory_flush(gmmu_unit_memory *m, uint32_t asid) {
    gmmu_tier_flush(&m->unit, asid);
    settle(m);
}

gmmu_unit_memory_counts gmmu_unit_memory_counted(const gmmu_unit_memory *m) {
    return m->counts;
}

gmmu_counters gmmu_unit_memory_counters(const gmmu_unit_memory *m) {
    return gmmu_tier_counters(&m->unit);
}

const gmmu_config *gmmu_unit_memory_config(const gmmu_unit_memory *m) {
    return &m->unit.cfg;
}

const gmmu_regs *gmmu_unit_memory_regs(const gmmu_unit_memory *m) {
    return &m->unit.regs;
}
