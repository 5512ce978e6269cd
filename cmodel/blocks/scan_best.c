// SPDX-License-Identifier: Apache-2.0
// scan_best.c: see scan_best.h.
#include "blocks/scan_best.h"

// A frame takes its place in the time of so many looks.
enum { LOOKS = 8 };

int gmmu_scan_best_init(gmmu_scan_best *s, const gmmu_config *cfg, gmmu_arena *arena) {
    s->sorted = gmmu_take(arena, cfg->classes, sizeof *s->sorted);
    s->bin = gmmu_take(arena, (size_t)cfg->classes * cfg->bins, sizeof *s->bin);
    if (s->bin == NULL)
        return 1;
    for (unsigned i = 0; i < cfg->classes * cfg->bins; i++)  // all priorities are 0
        s->bin[i] = (uint8_t)(cfg->bins - 1 - i % cfg->bins);
    return 0;
}

// ROW's bins by their priorities. From one INSTALL to the next few of them change places.
static const uint8_t *bins_of(gmmu_scan_best *s, const gmmu_ppuc *p, unsigned row) {
    uint8_t *bin = &s->bin[(size_t)row * p->bins];
    const uint16_t *priority = &p->priority[(size_t)row * p->bins];
    if (s->sorted[row] == p->installs[row])
        return bin;
    s->sorted[row] = p->installs[row];
    for (unsigned i = 1; i < p->bins; i++) {
        const uint8_t b = bin[i];
        unsigned at = i;
        for (; at > 0; at--) {
            const uint8_t c = bin[at - 1];
            if (priority[c] < priority[b] || (priority[c] == priority[b] && c > b))
                break;
            bin[at] = c;
        }
        bin[at] = b;
    }
    return bin;
}

// The first frame of list L goes to *BEST, if it goes before that.
static void first_of(gmmu_scan_best *s, const gmmu_searched *u, unsigned l, uint32_t *age,
                     gmmu_victim_cand *best) {
    gmmu_frame_ages *a = &u->frames->ages;
    const gmmu_frame_table *ft = &u->frames->table;
    const gmmu_ppuc *p = u->now.ppuc;
    const unsigned of = l >> a->gen_w, gen = l & ((1u << a->gen_w) - 1);
    const unsigned row = p->ready[of] == gen + 1 ? of : 0;
    const uint8_t *bin = bins_of(s, p, row);
    const uint32_t mask = u->now.time_mask;
    const unsigned last =
        gmmu_bin_short((u->now.time - ft->seen[a->list[l].oldest].last) & mask, p->bins);
    const unsigned first =
        gmmu_bin_short((u->now.time - ft->seen[a->list[l].newest].last) & mask, p->bins);
    for (unsigned i = 0; i < p->bins; i++) {
        const uint32_t priority = p->priority[(size_t)row * p->bins + bin[i]];
        if (priority > best->priority)
            return;
        if (bin[i] > last || bin[i] < first)
            continue;
        const int32_t f = gmmu_frame_ages_oldest(a, ft, l, bin[i], u->now.time);
        if (f == GMMU_NO_FRAME)
            continue;
        const gmmu_victim_cand c = {(uint32_t)f, ft->seen[f].last, priority};
        const uint32_t its = (u->now.time - c.last) & mask;
        if (priority < best->priority || its > *age || (its == *age && c.frame < best->frame)) {
            *best = c;
            *age = its;
        }
        return;
    }
}

bool gmmu_scan_best_round(gmmu_scan_best *s, const gmmu_searched *u) {
    gmmu_victim_select *v = u->select;
    gmmu_frame_ages *a = &u->frames->ages;
    if (v->sample || v->clock || v->active || a->lists == 0 || u->frames->segment.count != 0)
        return false;
    if (a->frames == 0)
        gmmu_frame_ages_keep(a, u->enabled);
    s->looks += u->enabled;
    if (s->looks < (uint64_t)a->n_late * LOOKS)
        return false;
    s->looks = 0;
    gmmu_frame_ages_settle(a, &u->frames->table, u->now.time);
    gmmu_victim_select_begin(v, u->enabled);
    uint32_t age = 0;
    for (unsigned i = 0; i <= a->lists / 64; i++)
        for (uint64_t left = a->some[i]; left != 0; left &= left - 1)
            first_of(s, u, i * 64 + (unsigned)__builtin_ctzll(left), &age, &v->best);
    if (gmmu_victim_select_best(v) != NULL)
        gmmu_victim_select_put(v, v->best);
    __builtin_prefetch(&u->frames->table.page[v->best.frame], 1);  // the decision reads it
    v->kept = 0;
    v->left = 0;
    v->active = false;
    v->rounds++;
    return true;
}
