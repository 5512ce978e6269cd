// SPDX-License-Identifier: Apache-2.0
// scan_best.c: see scan_best.h.
#include "blocks/scan_best.h"

// Putting a frame into its list takes the time of this many looks at a frame.
enum { LOOKS = 8 };

// Puts the places of the bins in order.
static void place(gmmu_scan_row *r, unsigned bins) {
    uint8_t at[GMMU_SCAN_BINS] = {0};
    for (unsigned i = 0; i < bins; i++) at[r->bin[i]] = (uint8_t)i;
    r->below[0] = 0;
    for (unsigned b = 0; b < bins; b++) r->below[b + 1] = r->below[b] | (gmmu_bin_places)1 << at[b];
}

int gmmu_scan_best_init(gmmu_scan_best *s, const gmmu_config *cfg, gmmu_arena *arena) {
    *s = (gmmu_scan_best){0};
    if (cfg->bins > GMMU_SCAN_BINS)
        return 0;
    s->row = gmmu_take(arena, cfg->classes, sizeof *s->row);
    if (s->row == NULL)
        return 1;
    for (unsigned r = 0; r < cfg->classes; r++) {
        for (unsigned i = 0; i < cfg->bins; i++)  // all priorities are 0
            s->row[r].bin[i] = (uint8_t)(cfg->bins - 1 - i);
        place(&s->row[r], cfg->bins);
    }
    return 0;
}

// Puts row AT in the order of its priorities. From one INSTALL to the next few bins change places.
static const gmmu_scan_row *row_of(gmmu_scan_best *s, const gmmu_ppuc *p, unsigned at) {
    gmmu_scan_row *r = &s->row[at];
    const uint16_t *priority = &p->priority[(size_t)at * p->bins];
    if (r->installs == p->installs[at])
        return r;
    r->installs = p->installs[at];
    for (unsigned i = 1; i < p->bins; i++) {
        const uint8_t b = r->bin[i];
        unsigned to = i;
        for (; to > 0; to--) {
            const uint8_t c = r->bin[to - 1];
            if (priority[c] < priority[b] || (priority[c] == priority[b] && c > b))
                break;
            r->bin[to] = c;
        }
        r->bin[to] = b;
    }
    place(r, p->bins);
    return r;
}

static unsigned first_place(gmmu_bin_places places) {
    const uint64_t low = (uint64_t)places;
    return (unsigned)(low != 0 ? __builtin_ctzll(low)
                               : 64 + __builtin_ctzll((uint64_t)(places >> 64)));
}

static uint32_t age_of(const gmmu_searched *u, int32_t frame) {
    return (u->now.time - u->frames->table.seen[frame].last) & u->now.time_mask;
}

// The first frame of list L becomes *BEST, if the frame leaves before *BEST.
static void first_of(gmmu_scan_best *s, const gmmu_searched *u, unsigned l, uint32_t *age,
                     gmmu_victim_cand *best) {
    gmmu_frame_ages *a = &u->frames->ages;
    const gmmu_frame_table *ft = &u->frames->table;
    const gmmu_ppuc *p = u->now.ppuc;
    const unsigned of = l >> a->gen_w, gen = l & ((1u << a->gen_w) - 1);
    const unsigned row = p->ready[of] == gen + 1 ? of : 0;
    const gmmu_scan_row *r = row_of(s, p, row);
    const uint32_t oldest = age_of(u, a->list[l].oldest);
    gmmu_bin_places left = r->below[gmmu_bin_short(oldest, p->bins) + 1] &
                           ~r->below[gmmu_bin_short(age_of(u, a->list[l].newest), p->bins)];
    for (; left != 0; left &= left - 1) {
        const unsigned bin = r->bin[first_place(left)];
        const uint32_t priority = p->priority[(size_t)row * p->bins + bin];
        if (priority > best->priority || (priority == best->priority && oldest < *age))
            return;
        const int32_t f = gmmu_frame_ages_oldest(a, ft, l, bin, u->now.time);
        if (f == GMMU_NO_FRAME)
            continue;
        const gmmu_victim_cand c = {(uint32_t)f, ft->seen[f].last, priority};
        const uint32_t its = age_of(u, f);
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
    if (v->sample || v->clock || v->active || u->force || a->lists == 0 || s->row == NULL ||
        u->frames->segment.count != 0)
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
