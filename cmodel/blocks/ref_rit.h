// SPDX-License-Identifier: Apache-2.0
// ref_rit.h: twin of rtl/ref_rit/gmmu_ref_rit.v: the Ref RIT, reference -> histogram of its reuse
// intervals.
//
// Source: LEU §3.3 (Ref RIT, fixed size), §4.1 (the least executed reference is replaced). Row 0 is
// the global histogram and belongs to no reference. A record is a reuse (ref, RI) or a page that
// left without one, censored at its age.
#ifndef GMMU_REF_RIT_H
#define GMMU_REF_RIT_H

#include "blocks/crc32c.h"
#include "blocks/frame_table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t ref;
    uint32_t asid;
    uint16_t gen;   // counts the uses of the row, modulo 2^GEN_W
    uint16_t exec;  // executions; all ways of a set are halved when one would overflow
    bool valid;
} gmmu_rit_way;

typedef struct {
    gmmu_class cls;
    uint32_t interval;  // RI, or age when censored, in walks
    bool censored;
} gmmu_rit_record;

// One row: BINS counts of reuses and BINS counts of censored records.
typedef struct {
    uint16_t *reuse, *censored;
    bool clear_owed, halve_owed, dirty, pending;
} gmmu_rit_row;

typedef struct {
    gmmu_rit_way *way;  // way w of set s is row s * WAYS + w
    gmmu_rit_row *row;
    gmmu_config cfg;
    unsigned sets;
    unsigned turn;  // the row after the last one refreshed
    bool owing,
        waiting;   // no: no row owes a CLEAR or HALVE, none is pending; saves looking at all rows
    bool joining;  // since a tick no REFRESH was done: what is learnt now is pending at once
} gmmu_ref_rit;

// Where an access's reference stands.
typedef struct {
    gmmu_class cls;
    bool allocated;  // the row was given to this reference just now
} gmmu_rit_place;

// What LEARN did.
typedef struct {
    bool applied;  // counted in its row too (always in row 0)
    unsigned bin;
    uint16_t row_count, global_count;  // the counts after it
} gmmu_rit_learnt;

int gmmu_ref_rit_init(gmmu_ref_rit *rit, const gmmu_config *cfg, gmmu_arena *arena);

// (ASID, REF), which has none, gets a row of set S.
gmmu_rit_place gmmu_ref_rit_allocate(gmmu_ref_rit *rit, unsigned s, uint32_t asid, uint64_t ref);
// An execution of (ASID, REF): its row, allocated if it has none.
static inline gmmu_rit_place gmmu_ref_rit_execute(gmmu_ref_rit *rit, uint32_t asid, uint64_t ref) {
    const gmmu_config *c = &rit->cfg;
    const unsigned s = gmmu_hash(asid, c->asid_w, ref, c->ref_w) & (rit->sets - 1);
    gmmu_rit_way *set = &rit->way[(size_t)s * c->ways];
    for (unsigned w = s == 0; w < c->ways; w++) {  // way 0 of set 0 is row 0
        if (!set[w].valid || set[w].asid != asid || set[w].ref != ref)
            continue;
        if (set[w].exec == (1u << c->exec_w) - 1)
            for (unsigned i = 0; i < c->ways; i++) set[i].exec >>= 1;
        set[w].exec++;
        return (gmmu_rit_place){{(uint16_t)(s * c->ways + w), set[w].gen}, false};
    }
    return gmmu_ref_rit_allocate(rit, s, asid, ref);
}
// FLUSH, one for each row, the lowest first: ROW becomes nobody's if it is of ASID. True: it was.
// What its reference taught is in row 0 alone then. An execution whose slot a FLUSH took gets row
// 0.
bool gmmu_ref_rit_flush(gmmu_ref_rit *rit, unsigned row, uint32_t asid);
// Is CLS still this use of the row?
static inline bool gmmu_ref_rit_current(const gmmu_ref_rit *rit, gmmu_class cls) {
    return rit->way[cls.row].gen == cls.gen;
}
// LEARN: counts one record; the same in a bin that the caller chose.
gmmu_rit_learnt gmmu_ref_rit_learn(gmmu_ref_rit *rit, gmmu_rit_record rec);
gmmu_rit_learnt gmmu_ref_rit_count(gmmu_ref_rit *rit, gmmu_rit_record rec, unsigned bin);
// CLEAR, HALVE, rounded up: on all counts of ROW.
void gmmu_ref_rit_clear(gmmu_ref_rit *rit, unsigned row);
void gmmu_ref_rit_halve(gmmu_ref_rit *rit, unsigned row);
// A refresh tick: dirty rows become pending, and those that are learnt before the next REFRESH.
void gmmu_ref_rit_tick(gmmu_ref_rit *rit);
// The pending row whose turn it is: the next one from the last one refreshed on, going round; -1:
// none.
int gmmu_ref_rit_due(const gmmu_ref_rit *rit);
// The row of REFRESH: no longer dirty nor pending.
const gmmu_rit_row *gmmu_ref_rit_refresh(gmmu_ref_rit *rit, unsigned row);

#ifdef __cplusplus
}
#endif
#endif
