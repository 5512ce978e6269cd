// SPDX-License-Identifier: Apache-2.0
// ref_rit.h: twin of rtl/ref_rit/gmmu_ref_rit.v: the Ref RIT, reference -> histogram of its reuse
// intervals.
//
// Source: LEU §3.3 (Ref RIT, fixed size), §4.1 (the least executed reference is replaced). Row 0 is
// the histogram of all references and has no owner. A record is a reuse (reference, reuse
// interval), or a page that left without a reuse, censored at its age.
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
    uint16_t gen;   // number of owners of the row so far, modulo 2^GEN_W
    uint16_t exec;  // executions; before a count would overflow, all counts of the set are halved
    bool valid;
} gmmu_rit_way;

typedef struct {
    gmmu_class cls;
    uint32_t interval;  // reuse interval, or age of a censored record, in walks
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
    unsigned turn;  // the row after the row refreshed last
    bool owing,
        waiting;  // some row may owe a CLEAR or HALVE; some row may be pending; saves a look at all
    bool joining;  // no REFRESH since a tick: a row that learns is pending at once
} gmmu_ref_rit;

// The row of an access's reference.
typedef struct {
    gmmu_class cls;
    bool allocated;  // the reference got the row with this access
} gmmu_rit_place;

// The result of LEARN.
typedef struct {
    bool applied;  // the record counts in its row too (always in row 0)
    unsigned bin;
    uint16_t row_count, global_count;  // the counts after LEARN
} gmmu_rit_learnt;

// Makes RIT, which is all 0 before, for the sizes CFG: no row has an owner. Not 0: ARENA is too
// small.
int gmmu_ref_rit_init(gmmu_ref_rit *rit, const gmmu_config *cfg, gmmu_arena *arena);

// (ASID, REF), which has no row, gets a row of set S: a free row, else the least executed row (LEU
// §4.1). If the set has row 0 alone: row 0, not allocated.
gmmu_rit_place gmmu_ref_rit_allocate(gmmu_ref_rit *rit, unsigned s, uint32_t asid, uint64_t ref);
// An execution of (ASID, REF): the row of the reference. A reference without a row gets a row.
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
// A look: the row of (ASID, REF) without an execution; the directory stays as it is. A reference
// without a row: row 0, generation 0.
static inline gmmu_class gmmu_ref_rit_look(const gmmu_ref_rit *rit, uint32_t asid, uint64_t ref) {
    const gmmu_config *c = &rit->cfg;
    const unsigned s = gmmu_hash(asid, c->asid_w, ref, c->ref_w) & (rit->sets - 1);
    const gmmu_rit_way *set = &rit->way[(size_t)s * c->ways];
    for (unsigned w = s == 0; w < c->ways; w++)
        if (set[w].valid && set[w].asid == asid && set[w].ref == ref)
            return (gmmu_class){(uint16_t)(s * c->ways + w), set[w].gen};
    return (gmmu_class){0, 0};
}
// FLUSH, one for each row, the lowest first: if the owner of ROW is of ASID, ROW loses its owner,
// and the owner's records count in row 0 alone. True: the owner was of ASID. An execution or a look
// whose turn a FLUSH took gets row 0.
bool gmmu_ref_rit_flush(gmmu_ref_rit *rit, unsigned row, uint32_t asid);
// Is the generation of CLS the present generation of the row?
static inline bool gmmu_ref_rit_current(const gmmu_ref_rit *rit, gmmu_class cls) {
    return rit->way[cls.row].gen == cls.gen;
}
// LEARN: counts one record; gmmu_ref_rit_count: in a bin that the caller chose.
gmmu_rit_learnt gmmu_ref_rit_learn(gmmu_ref_rit *rit, gmmu_rit_record rec);
gmmu_rit_learnt gmmu_ref_rit_count(gmmu_ref_rit *rit, gmmu_rit_record rec, unsigned bin);
// CLEAR and HALVE (rounded up) of all counts of ROW.
void gmmu_ref_rit_clear(gmmu_ref_rit *rit, unsigned row);
void gmmu_ref_rit_halve(gmmu_ref_rit *rit, unsigned row);
// A refresh tick: dirty rows become pending, and so do rows that learn before the next REFRESH.
void gmmu_ref_rit_tick(gmmu_ref_rit *rit);
// The pending row that is next: the first behind the row refreshed last, going round; -1: none.
int gmmu_ref_rit_due(const gmmu_ref_rit *rit);
// REFRESH of ROW, which is then neither dirty nor pending. Returns ROW with its counts as they are.
const gmmu_rit_row *gmmu_ref_rit_refresh(gmmu_ref_rit *rit, unsigned row);

#ifdef __cplusplus
}
#endif
#endif
