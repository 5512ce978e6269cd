// SPDX-License-Identifier: Apache-2.0
// steps.c: see steps.h. The order is that of schedule.c.
#include "blocks/steps.h"

const char *gmmu_step_name(gmmu_step_kind kind) {
#define NAME(name) #name,
    static const char *const names[] = {NULL, GMMU_STEP_TABLE(NAME)};
#undef NAME
    return kind < GMMU_STEPS ? names[kind] : NULL;
}

// FORETELL of KIND, if owed.
static bool foretold(gmmu_tier *u, unsigned kind) {
    if (u->place.owed == 0 || !gmmu_tier_foretell_owed(u, kind))
        return false;
    (void)gmmu_tier_foretell(u, kind);
    return true;
}

static gmmu_step_kind touch(gmmu_tier *u) {
    if (u->frames.mem.n == 0)
        return GMMU_STEP_NONE;
    (void)gmmu_tier_touch(u, NULL);
    return GMMU_STEP_TOUCH;
}

static gmmu_step_kind enter(gmmu_tier *u) {
    if (u->faults.queue.noted == 0)
        return GMMU_STEP_NONE;
    (void)gmmu_tier_enter(u);
    return GMMU_STEP_ENTER;
}

static gmmu_step_kind expire(gmmu_tier *u) {
    const int64_t frame = gmmu_tier_expire_due(u);
    if (frame < 0)
        return GMMU_STEP_NONE;
    gmmu_tier_expire(u, (uint32_t)frame);
    return GMMU_STEP_EXPIRE;
}

static gmmu_step_kind send(gmmu_tier *u) {
    if (u->regs.rit_batch == 0 || !gmmu_rit_export_due(&u->rit_export, u->regs.rit_batch))
        return GMMU_STEP_NONE;
    gmmu_rit_packet packet;
    gmmu_tier_send(u, &packet);
    if (u->rit_sink != NULL)
        u->rit_sink(u->rit_ctx, &packet);
    return GMMU_STEP_SEND;
}

static gmmu_step_kind stay(gmmu_tier *u) {
    return foretold(u, GMMU_TP_STAY) ? GMMU_STEP_FORETELL : GMMU_STEP_NONE;
}

static gmmu_step_kind age(gmmu_tier *u) {
    uint32_t index;
    if (!u->side.age_owed)
        return foretold(u, GMMU_TP_AGE) ? GMMU_STEP_FORETELL : GMMU_STEP_NONE;
    (void)gmmu_tier_age(u, &index);
    return GMMU_STEP_AGE;
}

// The decision under way gets its place.
static gmmu_step_kind place(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx) {
    if (foretold(u, GMMU_TP_RETURN) || foretold(u, GMMU_TP_LEAVE))
        return GMMU_STEP_FORETELL;
    if (gmmu_tier_rise_owed(u)) {
        (void)gmmu_tier_rise(u, u->place.slot);
        return GMMU_STEP_RISE;
    }
    if (u->place.d.tier != GMMU_TIER_FREE && gmmu_tier_needs_cand2(u)) {
        gmmu_tier_round2(u);
        return GMMU_STEP_ROUND2;
    }
    const gmmu_tier_decision d = gmmu_tier_placed(u);
    if (d.tier != GMMU_TIER_RETRY)
        sink(ctx, &d);
    return GMMU_STEP_PLACE;
}

// The oldest undecided fault, or a victim ahead of need.
static gmmu_step_kind decide(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx) {
    const gmmu_victim_select *v = &u->select;
    if (gmmu_tier_placing(u))
        return place(u, sink, ctx);
    const int entry = gmmu_fault_queue_head(&u->faults.queue);
    if (entry < 0 && !gmmu_tier_ahead_owed(u))
        return GMMU_STEP_NONE;
    if (!(entry >= 0 && gmmu_tier_needs_no_search(u, (unsigned)entry)) &&
        gmmu_victim_select_best(v) == NULL && v->rounds < GMMU_SEARCH_ROUNDS) {
        gmmu_tier_round_best(u);
        return GMMU_STEP_ROUND;
    }
    if (foretold(u, GMMU_TP_LOOK))
        return GMMU_STEP_FORETELL;
    const gmmu_tier_decision d = gmmu_tier_decide(u);
    const bool none_ahead = entry < 0 && d.tier == GMMU_TIER_NONE;
    if (d.tier != GMMU_TIER_RETRY && !none_ahead && !gmmu_tier_placing(u))
        sink(ctx, &d);
    return GMMU_STEP_DECIDE;
}

// A row that owes a CLEAR, else a row that owes a HALVE, else the oldest record.
static gmmu_step_kind learn(gmmu_tier *u) {
    for (unsigned r = 0; u->rit.owing && r < u->cfg.classes; r++)
        if (u->rit.row[r].clear_owed) {
            gmmu_tier_clear(u, r);
            return GMMU_STEP_CLEAR;
        }
    for (unsigned r = 0; u->rit.owing && r < u->cfg.classes; r++)
        if (u->rit.row[r].halve_owed) {
            gmmu_tier_halve(u, r);
            return GMMU_STEP_HALVE;
        }
    u->rit.owing = false;
    const int queue = gmmu_record_feed_next(&u->feed);
    if (queue < 0)
        return GMMU_STEP_NONE;
    (void)gmmu_tier_learn(u, (unsigned)queue);
    return GMMU_STEP_LEARN;
}

static gmmu_step_kind thresh(gmmu_tier *u) {
    if (!gmmu_trace_sampler_thresh_owed(&u->sampler))
        return GMMU_STEP_NONE;
    (void)gmmu_tier_thresh(u);
    return GMMU_STEP_THRESH;
}

// SCRUB, before that what the SCRUB before made due.
static gmmu_step_kind scrub(gmmu_tier *u) {
    gmmu_step_kind did = send(u);
    if (did == GMMU_STEP_NONE)
        did = learn(u);
    if (did != GMMU_STEP_NONE || !gmmu_tier_scrub_due(u))
        return did;
    (void)gmmu_tier_scrub(u, NULL, NULL);
    return GMMU_STEP_SCRUB;
}

static gmmu_step_kind refresh(gmmu_tier *u) {
    if (u->ppuc.engine.busy) {
        (void)gmmu_tier_install(u);
        return GMMU_STEP_INSTALL;
    }
    const int row = u->rit.waiting ? gmmu_ref_rit_due(&u->rit) : -1;
    u->rit.waiting = row >= 0;
    if (row < 0)
        return GMMU_STEP_NONE;
    gmmu_tier_refresh(u, (unsigned)row);
    return GMMU_STEP_REFRESH;
}

gmmu_step_kind gmmu_tier_step(gmmu_tier *u, gmmu_tier_steps *s, gmmu_tier_sink *sink, void *ctx) {
    static gmmu_step_kind (*const before[])(gmmu_tier *) = {touch, enter, expire, send, stay, age};
    static gmmu_step_kind (*const after[])(gmmu_tier *) = {learn, thresh, scrub, refresh};
    enum { BEFORE = sizeof before / sizeof before[0], AFTER = sizeof after / sizeof after[0] };
    for (; s->phase <= BEFORE + AFTER; s->phase++) {
        const gmmu_step_kind did = s->phase < BEFORE    ? before[s->phase](u)
                                   : s->phase == BEFORE ? decide(u, sink, ctx)
                                                        : after[s->phase - BEFORE - 1](u);
        if (did != GMMU_STEP_NONE)
            return did;
    }
    s->phase = 0;
    return GMMU_STEP_NONE;
}
