// SPDX-License-Identifier: Apache-2.0
// leu_tier2.c: see leu_tier2.h.
#include "policy/leu_tier2.h"

#include <stdlib.h>
#include <string.h>

#include "driver/gmt_model.h"
#include "policy/policy.h"

enum { NO_SLOT = UINT32_MAX };

// ---- options

// Which of the COUNT words NAMES TEXT is; COUNT: none.
static unsigned which(const char *const names[], unsigned count, const char *text, size_t length) {
    unsigned i = 0;
    while (i < count && (strlen(names[i]) != length || memcmp(text, names[i], length) != 0)) i++;
    return i;
}

static bool one_of(bool *value, const char *no, const char *yes, const char *text, size_t length) {
    const char *const names[] = {no, yes};
    const unsigned i = which(names, 2, text, length);
    *value = i == 1;
    return i < 2;
}

bool gmmu_leu_place_word(void *value, const char *text, size_t length) {
    static const char *const names[] = {"order", "random", "reuse", "priority"};
    const unsigned i = which(names, 4, text, length);
    ((gmmu_leu_place *)value)->tier = GMMU_PLACE_ORDER + i;
    return i < 4;
}

bool gmmu_leu_full_word(void *value, const char *text, size_t length) {
    static const char *const names[] = {"evict", "drop"};
    const unsigned i = which(names, 2, text, length);
    ((gmmu_leu_place *)value)->full = i;
    return i < 2;
}

bool gmmu_leu_default_word(void *value, const char *text, size_t length) {
    return one_of(&((gmmu_leu_place *)value)->by_chance, "tierorder", "random", text, length);
}

bool gmmu_leu_limit_word(void *value, const char *text, size_t length) {
    return one_of(&((gmmu_leu_place *)value)->both, "tier2", "both", text, length);
}

bool gmmu_leu_tie_word(void *value, const char *text, size_t length) {
    return one_of(&((gmmu_leu_place *)value)->young, "older", "younger", text, length);
}

void gmmu_leu_tier2_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t slots,
                          const gmmu_leu_place *place) {
    const bool foretold = slots != 0 && place->tier != GMMU_PLACE_PRIORITY;
    cfg->t2_slots = slots;
    cfg->tp_sets = foretold ? place->sets : 1;
    cfg->tp_ways = foretold ? place->ways : 1;
    const unsigned most = 32 - gmmu_log2(cfg->tp_sets);  // bits of a page's hash that are left
    cfg->tp_tag_w = cfg->tp_tag_w < most ? cfg->tp_tag_w : most;
    regs->t2_slots = slots;
    regs->tier = slots != 0 ? place->tier : GMMU_PLACE_NONE;
    regs->tie = place->young;
    regs->t2_full =
        place->full == GMMU_LEU_FULL_OF_KIND ? place->tier == GMMU_PLACE_REUSE : place->full;
    regs->tier_default = place->by_chance;
    regs->tier_model = 0;
}

gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, const gmmu_regs *regs,
                                      const gmmu_leu_place *place, uint32_t ahead) {
    const uint32_t slots = cfg->t2_slots;
    gmmu_leu_tier2 *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->page_of = malloc(slots * sizeof *t->page_of);
    t->empty = malloc(slots * sizeof *t->empty);
    t->vpn_mask = (1ull << cfg->vpn_w) - 1;
    t->learns = regs->tier == GMMU_PLACE_REUSE;
    gmmu_gmt_host_init(&t->line, regs->frames,
                       place->both ? regs->frames + (uint64_t)slots : slots);
    if (!gmmu_ahead_init(&t->ahead, ahead, GMMU_HOST_NS) || t->page_of == NULL ||
        t->empty == NULL) {
        gmmu_leu_tier2_destroy(t);
        return NULL;
    }
    for (uint32_t i = 0; i < slots; i++) t->empty[i] = slots - 1 - i;
    t->empties = slots;
    return t;
}

void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t) {
    if (t == NULL)
        return;
    gmmu_ahead_free(&t->ahead);
    gmmu_gmt_host_free(&t->line);
    free(t->slot_of);
    free(t->page_of);
    free(t->empty);
    free(t);
}

bool gmmu_leu_tier2_grow(gmmu_leu_tier2 *t, uint32_t page) {
    if (page < t->page_cap)
        return true;
    const uint32_t cap = gmmu_policy_capacity(t->page_cap, page);
    uint32_t *slot_of = gmmu_grow(t->slot_of, t->page_cap, cap, sizeof *slot_of, 0xff);
    if (slot_of == NULL)
        return false;
    t->slot_of = slot_of;
    if (t->ahead.most != 0 && !gmmu_ahead_grow(&t->ahead, t->page_cap, cap))
        return false;
    t->page_cap = cap;
    return true;
}

bool gmmu_leu_tier2_hear(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page) {
    if (!t->learns)
        return true;
    const uint64_t lines = t->line.lines;
    if (!gmmu_gmt_host_access(&t->line, page, u->stats.walks + 1, 0))
        return false;
    if (t->line.lines != lines) {
        const gmmu_gmt_registers r = gmmu_gmt_registers_of(&t->line, u->cfg.time_w);
        gmmu_tier_foresee(u, r.model, r.near, r.far);
    }
    return true;
}

bool gmmu_leu_tier2_holds(const gmmu_leu_tier2 *t, uint32_t page, uint32_t *slot) {
    if (page >= t->page_cap || t->slot_of[page] == NO_SLOT)
        return false;
    *slot = t->slot_of[page];
    return true;
}

static void leave(gmmu_leu_tier2 *t, uint32_t slot) {
    t->slot_of[t->page_of[slot]] = NO_SLOT;
    t->empty[t->empties++] = slot;
}

void gmmu_leu_tier2_rise(gmmu_leu_tier2 *t, uint32_t page, const gmmu_tier_decision *d,
                         gmmu_tier_drv_in *fill, gmmu_outcome *out) {
    uint32_t slot;
    if (!d->rise || !gmmu_leu_tier2_holds(t, page, &slot))
        return;
    out->move[0].from = GMMU_HOST;
    leave(t, slot);
    fill->t2 = true;
    fill->slot = slot;
    if (d->swap)
        fill->op = GMMU_T2_SWAP;
}

void gmmu_leu_tier2_place(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page,
                          const gmmu_tier_decision *d, gmmu_outcome *out) {
    if (d->tier == GMMU_TIER_3) {
        gmmu_outcome_move(out, page, GMMU_NEAR, GMMU_FAR);
        return;
    }
    if (d->t2_valid) {
        gmmu_outcome_move(out, t->page_of[d->t2_slot], GMMU_HOST, GMMU_FAR);
        leave(t, d->t2_slot);
    }
    const uint32_t slot = t->empty[--t->empties];
    const gmmu_tier_drv_in done = {.op = GMMU_T2_FILL_DONE, .frame = d->frame, .slot = slot};
    if (!d->swap)
        (void)gmmu_tier_drv(u, done);
    t->page_of[slot] = page;
    t->slot_of[page] = slot;
    gmmu_outcome_move(out, page, GMMU_NEAR, GMMU_HOST);
}

// ---- pages raised ahead of their use

bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out) {
    gmmu_ahead *a = &t->ahead;
    if (a->most == 0)
        return false;
    if (out->fault) {
        gmmu_ahead_fault(
            a, GMMU_LOOKUP_NS + (out->move[0].from == GMMU_HOST ? GMMU_HOST_NS : GMMU_READ_NS));
    } else if (gmmu_ahead_is_raised(a, page)) {
        gmmu_ahead_used(a, page);
        return true;
    }
    return false;
}
