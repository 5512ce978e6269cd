// SPDX-License-Identifier: Apache-2.0
// tier_predict.c: see tier_predict.h and docs/reference/blocks/tier_predict.md.
#include "blocks/tier_predict.h"

#include "blocks/crc32c.h"

enum { LFSR_POLY = 0x80200003 };

int gmmu_tier_predict_init(gmmu_tier_predict *p, const gmmu_config *cfg, gmmu_arena *arena) {
    *p = (gmmu_tier_predict){.sets = cfg->tp_sets,
                             .ways = cfg->tp_ways,
                             .set_w = gmmu_log2(cfg->tp_sets),
                             .tag_w = cfg->tp_tag_w,
                             .asid_w = cfg->asid_w,
                             .vpn_w = cfg->vpn_w,
                             .time_mask = (uint32_t)((1ull << cfg->time_w) - 1),
                             .limit = 1u << (cfg->time_w - 2),
                             .most = (1u << cfg->tp_cnt_w) - 1,
                             .lfsr = 1};
    p->entry = gmmu_take(arena, (size_t)cfg->tp_sets * cfg->tp_ways, sizeof *p->entry);
    return p->entry == NULL;
}

typedef struct {
    uint32_t set, tag;
} place;

static place place_of(const gmmu_tier_predict *p, uint32_t asid, uint64_t vpn) {
    const uint64_t hash = gmmu_hash(asid, p->asid_w, vpn, p->vpn_w);
    return (place){(uint32_t)(hash & (p->sets - 1)),
                   (uint32_t)(hash >> p->set_w & ((1ull << p->tag_w) - 1))};
}

// Returns the page's entry, or NULL.
static gmmu_tp_entry *entry_of(const gmmu_tier_predict *p, place at) {
    for (unsigned w = 0; w < p->ways; w++) {
        gmmu_tp_entry *e = &p->entry[at.set * p->ways + w];
        if (e->valid && e->tag == at.tag)
            return e;
    }
    return NULL;
}

// Returns the tier with the largest weight after E's last tier. Among equal weights the last tier
// wins, else the lower tier.
static unsigned foretold(const gmmu_tp_regs *r, const gmmu_tp_entry *e) {
    if (e == NULL || e->last == 0 || !r->model)
        return 0;
    const uint8_t *weight = e->weight[e->last - 1];
    unsigned best = e->last;
    for (unsigned t = 1; t <= GMMU_TP_TIERS; t++)
        if (weight[t - 1] > weight[best - 1] ||
            (weight[t - 1] == weight[best - 1] && best != e->last && t < best))
            best = t;
    return best;
}

gmmu_tp_answer gmmu_tier_predict_look(const gmmu_tier_predict *p, const gmmu_tp_regs *r,
                                      uint32_t asid, uint64_t vpn) {
    const gmmu_tp_entry *e = entry_of(p, place_of(p, asid, vpn));
    return (gmmu_tp_answer){.found = e != NULL, .pred = foretold(r, e)};
}

// Counts that tier RIGHT followed E's last tier.
static void learn(const gmmu_tier_predict *p, gmmu_tp_entry *e, unsigned right) {
    if (e->last != 0) {
        uint8_t *weight = e->weight[e->last - 1];
        if (weight[right - 1] == p->most)
            for (unsigned t = 0; t < GMMU_TP_TIERS; t++) weight[t] /= 2;
        weight[right - 1]++;
    }
    e->last = (uint8_t)right;
}

gmmu_tp_answer gmmu_tier_predict_return(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                        uint64_t vpn, uint32_t time) {
    gmmu_tp_entry *e = entry_of(p, place_of(p, asid, vpn));
    gmmu_tp_answer a = {.found = e != NULL, .pred = foretold(r, e)};
    if (e != NULL && e->away && r->model) {
        const uint32_t distance = (time - e->left) & p->time_mask;
        a.right = distance < r->near ? 1 : distance < r->far ? 2 : 3;
        learn(p, e, a.right);
    }
    if (e != NULL)
        e->away = 0;
    return a;
}

// Returns the entry for a page without an entry: a free entry, else any.
static gmmu_tp_entry *entry_for(const gmmu_tier_predict *p, uint32_t set) {
    for (unsigned w = 0; w < p->ways; w++)
        if (!p->entry[set * p->ways + w].valid)
            return &p->entry[set * p->ways + w];
    return &p->entry[set * p->ways + (p->lfsr >> 8 & (p->ways - 1))];
}

gmmu_tp_answer gmmu_tier_predict_leave(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                       uint64_t vpn, uint32_t time) {
    const place at = place_of(p, asid, vpn);
    gmmu_tp_entry *e = entry_of(p, at);
    gmmu_tp_answer a = {.found = e != NULL, .pred = foretold(r, e)};
    const unsigned chance = (p->lfsr & 1) != 0 ? 2 : 3;
    a.tier = 2;
    if (r->policy == GMMU_PLACE_RANDOM)
        a.tier = chance;
    if (r->policy == GMMU_PLACE_REUSE) {
        const bool many = p->in_window > GMMU_TP_MOST;
        a.forced = a.pred == 3 && many;
        a.tier = a.pred == 0 ? (r->random ? chance : 2) : a.pred == 3 && !many ? 3 : 2;
    }
    p->in_window += (a.pred == 3 ? 1u : 0u) - (unsigned)(p->window >> (GMMU_TP_WINDOW - 1));
    p->window = p->window << 1 | (a.pred == 3);
    if (e == NULL && !p->forgetting) {
        e = entry_for(p, at.set);
        *e = (gmmu_tp_entry){.tag = at.tag, .valid = 1};
    }
    if (e != NULL) {
        e->away = 1;
        e->left = time;
    }
    p->lfsr = p->lfsr >> 1 ^ ((p->lfsr & 1) != 0 ? (uint32_t)LFSR_POLY : 0);
    return a;
}

gmmu_tp_answer gmmu_tier_predict_stay(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                      uint64_t vpn) {
    gmmu_tp_entry *e = entry_of(p, place_of(p, asid, vpn));
    if (e != NULL)
        e->away = 0;
    return (gmmu_tp_answer){.found = e != NULL, .pred = foretold(r, e)};
}

gmmu_tp_answer gmmu_tier_predict_age(gmmu_tier_predict *p, uint32_t index, uint32_t time) {
    gmmu_tp_entry *e = &p->entry[index % p->sets * p->ways + index / p->sets];
    gmmu_tp_answer a = {.clamped =
                            e->valid && e->away && ((time - e->left) & p->time_mask) >= p->limit};
    if (a.clamped)
        e->left = (time - p->limit) & p->time_mask;
    return a;
}

void gmmu_tier_predict_forget(gmmu_tier_predict *p, bool going) {
    for (unsigned i = 0; going && i < p->sets * p->ways; i++) p->entry[i].valid = 0;
    p->forgetting = going;
}
