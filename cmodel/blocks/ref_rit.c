// SPDX-License-Identifier: Apache-2.0
// ref_rit.c: see ref_rit.h and docs/reference/blocks/ref_rit.md.
#include "blocks/ref_rit.h"

#include "blocks/log_bin.h"

int gmmu_ref_rit_init(gmmu_ref_rit *rit, const gmmu_config *cfg, gmmu_arena *arena) {
    rit->cfg = *cfg;
    rit->sets = cfg->classes / cfg->ways;
    rit->joining = false;
    rit->turn = 0;
    rit->way = gmmu_take(arena, cfg->classes, sizeof *rit->way);
    rit->row = gmmu_take(arena, cfg->classes, sizeof *rit->row);
    uint16_t *counts = gmmu_take(arena, (size_t)cfg->classes * cfg->bins * 2, sizeof *counts);
    if (counts == NULL)
        return 1;
    for (unsigned r = 0; r < cfg->classes; r++) {
        rit->row[r].reuse = counts + (size_t)r * 2 * cfg->bins;
        rit->row[r].censored = rit->row[r].reuse + cfg->bins;
    }
    return 0;
}

// The way that a new reference takes: the first free way, else the least executed way (LEU §4.1),
// the lowest of equals. Row 0 is never given away. -1: the set has no other way.
static int replaced_way(const gmmu_rit_way *set, unsigned first, unsigned ways) {
    int least = -1;
    for (unsigned w = first; w < ways; w++) {
        if (!set[w].valid)
            return (int)w;
        if (least < 0 || set[w].exec < set[least].exec)
            least = (int)w;
    }
    return least;
}

gmmu_rit_place gmmu_ref_rit_allocate(gmmu_ref_rit *rit, unsigned s, uint32_t asid, uint64_t ref) {
    const gmmu_config *c = &rit->cfg;
    gmmu_rit_way *set = &rit->way[(size_t)s * c->ways];
    gmmu_rit_place at = {0};
    const int w = replaced_way(set, s == 0, c->ways);
    if (w < 0)
        return at;  // no row is available: row 0
    at.allocated = true;
    set[w].valid = true;
    set[w].asid = asid;
    set[w].ref = ref;
    set[w].gen = (uint16_t)((set[w].gen + 1) & ((1u << c->gen_w) - 1));
    set[w].exec = 1;
    rit->row[s * c->ways + (unsigned)w].clear_owed = true;
    rit->owing = true;
    at.cls.row = (uint16_t)(s * c->ways + (unsigned)w);
    at.cls.gen = set[w].gen;
    return at;
}

bool gmmu_ref_rit_flush(gmmu_ref_rit *rit, unsigned row, uint32_t asid) {
    gmmu_rit_way *way = &rit->way[row];
    if (!way->valid || way->asid != asid)
        return false;
    way->valid = false;
    way->exec = 0;
    way->gen = (uint16_t)((way->gen + 1) & ((1u << rit->cfg.gen_w) - 1));
    rit->row[row].clear_owed = rit->owing = true;
    return true;
}

// Adds one to a count, saturating; a full count makes a HALVE of its row pending.
static uint16_t count(gmmu_ref_rit *rit, gmmu_rit_row *row, uint16_t *n) {
    const unsigned max = (1u << rit->cfg.cnt_w) - 1;
    if (*n < max)
        ++*n;
    if (*n == max)
        row->halve_owed = rit->owing = true;
    row->dirty = true;
    row->pending |= rit->joining;
    rit->waiting |= rit->joining;
    return *n;
}

gmmu_rit_learnt gmmu_ref_rit_count(gmmu_ref_rit *rit, gmmu_rit_record rec, unsigned bin) {
    gmmu_rit_row *row = &rit->row[rec.cls.row];
    gmmu_rit_row *all = &rit->row[0];
    gmmu_rit_learnt done = {.bin = bin};
    done.applied = rec.cls.row != 0 && gmmu_ref_rit_current(rit, rec.cls) && !row->clear_owed;
    if (done.applied)
        done.row_count = count(rit, row, (rec.censored ? row->censored : row->reuse) + bin);
    done.global_count = count(rit, all, (rec.censored ? all->censored : all->reuse) + bin);
    return done;
}

gmmu_rit_learnt gmmu_ref_rit_learn(gmmu_ref_rit *rit, gmmu_rit_record rec) {
    return gmmu_ref_rit_count(rit, rec, gmmu_bin(rec.interval, rit->cfg.bins));
}

void gmmu_ref_rit_clear(gmmu_ref_rit *rit, unsigned row) {
    gmmu_rit_row *r = &rit->row[row];
    for (unsigned b = 0; b < rit->cfg.bins; b++) r->reuse[b] = r->censored[b] = 0;
    r->clear_owed = r->halve_owed = r->dirty = r->pending = false;
}

void gmmu_ref_rit_halve(gmmu_ref_rit *rit, unsigned row) {
    gmmu_rit_row *r = &rit->row[row];
    for (unsigned b = 0; b < rit->cfg.bins; b++) {
        r->reuse[b] = (uint16_t)((r->reuse[b] + 1u) >> 1);
        r->censored[b] = (uint16_t)((r->censored[b] + 1u) >> 1);
    }
    r->halve_owed = false;
    r->dirty = true;
}

void gmmu_ref_rit_tick(gmmu_ref_rit *rit) {
    for (unsigned r = 0; r < rit->cfg.classes; r++) rit->row[r].pending |= rit->row[r].dirty;
    rit->joining = rit->waiting = true;
}

int gmmu_ref_rit_due(const gmmu_ref_rit *rit) {
    for (unsigned i = 0; i < rit->cfg.classes; i++) {
        unsigned r = rit->turn + i;
        if (r >= rit->cfg.classes)
            r -= rit->cfg.classes;
        if (rit->row[r].pending)
            return (int)r;
    }
    return -1;
}

const gmmu_rit_row *gmmu_ref_rit_refresh(gmmu_ref_rit *rit, unsigned row) {
    rit->row[row].dirty = rit->row[row].pending = false;
    rit->joining = false;
    rit->turn = row + 1;
    return &rit->row[row];
}
