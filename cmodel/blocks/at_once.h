// SPDX-License-Identifier: Apache-2.0
// at_once.h: a walk with all that follows in one go, for a driver that answers each fault before
// the next walk.
//
// The effect is that of WALK and the standard schedule (schedule.h); after a fault, with FILL of
// the frame that the decision names and the schedule again. At most one fault is outstanding, and
// nobody sees the unit between its steps. So the fault is not written into the queue, and its
// victim is not marked as leaving. A walk after which nothing is due ends without a look at what
// may be.
#ifndef GMMU_AT_ONCE_H
#define GMMU_AT_ONCE_H

#include "blocks/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is kept between walks.
typedef struct {
    gmmu_hash_form page_hash;
    unsigned row;        // the row of the reference of the walk before
    unsigned most_exec;  // the most executions that a row counts
    uint32_t due_mask;   // nothing is due by the clock while time & DUE_MASK is not 0
} gmmu_at_once;

// Begins with U, which has had no walk. False: U is not of the kind for which the short form is
// made, or its driver is not. That is a unit with its frames on the chip, without a `clock`, tiers,
// protected or fresh frames, decisions ahead, notes of late faults, records of resident pages, and
// streams to the host.
bool gmmu_at_once_begin(gmmu_at_once *a, const gmmu_tier *u);

// What a walk makes due.
typedef struct {
    unsigned row, gen;  // class of the walk's reference
    bool age;
    bool other;  // something behind the decision
} gmmu_at_once_due;

#define GMMU_AT_ONCE static inline __attribute__((always_inline))

// gmmu_ref_rit_execute for a reference that is not in row A->row, and what a new row asks for.
gmmu_rit_place gmmu_at_once_execute(gmmu_at_once *a, gmmu_tier *u, uint32_t asid, uint64_t ref);
// A walk of class CLS, on a page in the sample with hash HASH, in the trace sampler.
void gmmu_at_once_sample(gmmu_tier *u, uint32_t asid, uint64_t vpn, gmmu_class cls, uint32_t hash);
// What is due by the clock at this time. A refresh tick takes effect, and a SCRUB becomes owed; an
// AGE is the caller's.
gmmu_walk_due gmmu_at_once_tick(gmmu_tier *u);

// Row and generation of the walk's reference.
GMMU_AT_ONCE gmmu_class gmmu_at_once_class(const gmmu_at_once_due *due) {
    return (gmmu_class){(uint16_t)due->row, (uint16_t)due->gen};
}

// The part of WALK that hits and faults share. Returns the walk's class and what is due, none of
// which is done yet.
GMMU_AT_ONCE gmmu_at_once_due gmmu_at_once_walk(gmmu_at_once *a, gmmu_tier *u,
                                                const gmmu_tier_walk_in *in) {
    gmmu_at_once_due due = {};
    u->stats.walks++;
    u->walk.went++;
    u->walk.time = (u->walk.time + 1) & u->walk.time_mask;
    // A reference has one row at most: the row of the walk before is looked at first.
    gmmu_rit_way *way = &u->rit.way[a->row];
    if (way->valid && way->ref == in->ref && way->asid == in->asid && way->exec != a->most_exec) {
        way->exec++;
        due.row = a->row;
        due.gen = way->gen;
    } else {
        const gmmu_rit_place place = gmmu_at_once_execute(a, u, in->asid, in->ref);
        due.row = place.cls.row;
        due.gen = place.cls.gen;
        due.other = place.allocated;
    }
    const uint32_t hash = gmmu_hash_by(&a->page_hash, in->asid, in->vpn);
    if (gmmu_trace_sampler_selects(&u->sampler, hash)) {
        gmmu_at_once_sample(u, in->asid, in->vpn, gmmu_at_once_class(&due), hash);
        due.other = true;
    }
    if ((u->walk.time & a->due_mask) == 0) {
        const gmmu_walk_due by_time = gmmu_at_once_tick(u);
        due.age = by_time.age;
        due.other |= by_time.scrub || by_time.refresh;
    }
    return due;
}

// A walk IN that hits.
GMMU_AT_ONCE void gmmu_at_once_hit(gmmu_at_once *a, gmmu_tier *u, const gmmu_tier_walk_in *in) {
    const gmmu_at_once_due due = gmmu_at_once_walk(a, u, in);
    const bool holds = gmmu_frame_table_hit(&u->frames.table, in->frame, in->asid, in->vpn,
                                            gmmu_at_once_class(&due), in->write, u->walk.time)
                           .valid;
    u->stats.stale_hits += !holds;
    gmmu_frame_ages_note(&u->frames.ages, in->frame);
    uint32_t index;
    if (due.age)
        (void)gmmu_tier_age(u, &index);
    if (due.other)
        gmmu_tier_settle(u, NULL, NULL);
}

// The search for a victim, and its end. False: no page may leave.
GMMU_AT_ONCE bool gmmu_at_once_search(gmmu_tier *u, uint32_t *frame) {
    gmmu_victim_select *v = &u->select;
    do
        if (v->sample)
            gmmu_tier_round(u);
        else
            gmmu_tier_round_best(u);
    while (gmmu_victim_select_best(v) == NULL && v->rounds < GMMU_SEARCH_ROUNDS);
    if (gmmu_victim_select_best(v) == NULL)
        return false;
    *frame = v->best.frame;
    gmmu_victim_select_taken(v);
    gmmu_segment_searched(&u->frames.segment);
    gmmu_victim_select_end(v);
    return true;
}

// A walk IN that faults. *FRAME is a free frame before, if there is one, and after it the frame
// that has the page. *LEFT: a page left that frame. False: no page may leave, and the fault is
// noted; only the schedule goes on with U.
GMMU_AT_ONCE bool gmmu_at_once_fault(gmmu_at_once *a, gmmu_tier *u, const gmmu_tier_walk_in *in,
                                     uint32_t *frame, bool *left) {
    const gmmu_at_once_due due = gmmu_at_once_walk(a, u, in);
    uint32_t index;
    if (due.age)
        (void)gmmu_tier_age(u, &index);
    *left = !gmmu_fault_unit_credit(&u->faults, u->regs.frames);
    if (*left && !gmmu_at_once_search(u, frame)) {
        const gmmu_tier_walk_in it = *in;
        (void)gmmu_tier_note(u, &it, gmmu_at_once_class(&due));
        return false;
    }
    gmmu_fault_unit_pass(&u->faults, *left);
    if (due.other)
        gmmu_tier_settle(u, NULL, NULL);
    gmmu_frame_table_answer(&u->frames.table, *frame, in->asid, in->vpn, gmmu_at_once_class(&due),
                            in->write, u->walk.time);
    gmmu_frame_ages_note(&u->frames.ages, *frame);
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
