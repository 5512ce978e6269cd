// SPDX-License-Identifier: Apache-2.0
// schedule.c: see schedule.h.
#include "blocks/schedule.h"

// The batches that are due: after each action that may make one so.
static void send_batches(gmmu_tier *u) {
    gmmu_rit_packet packet;
    while (gmmu_rit_export_due(&u->rit_export, u->regs.rit_batch)) {
        gmmu_tier_send(u, &packet);
        if (u->rit_sink != NULL)
            u->rit_sink(u->rit_ctx, &packet);
    }
}
static inline void send_due(gmmu_tier *u) {
    if (u->regs.rit_batch != 0)
        send_batches(u);
}

// A settling: the unit, how some actions are done, and whom to tell.
typedef struct {
    gmmu_tier *u;
    const gmmu_schedule_actions *by;
    void *ctx;
} settling;

static inline void foretell_owed(gmmu_tier *u, unsigned kind) {
    if (u->place.owed != 0 && gmmu_tier_foretell_owed(u, kind))
        (void)gmmu_tier_foretell(u, kind);
}

// Where the victim of the decision under way goes.
static gmmu_tier_decision place_one(gmmu_tier *u) {
    foretell_owed(u, GMMU_TP_RETURN);
    foretell_owed(u, GMMU_TP_LEAVE);
    if (gmmu_tier_rise_owed(u))
        (void)gmmu_tier_rise(u, u->place.slot);
    if (u->place.d.tier == GMMU_TIER_FREE)
        return gmmu_tier_unplaced(u);
    gmmu_tier_decision d;
    do {
        while (gmmu_tier_needs_cand2(u)) gmmu_tier_round2(u);
        d = gmmu_tier_placed(u);
    } while (d.tier == GMMU_TIER_RETRY);
    return d;
}

// Decides the oldest undecided fault, or with ENTRY -1 ahead of need: step 2.
static inline gmmu_tier_decision decide_one(settling s, int entry) {
    gmmu_tier *u = s.u;
    const gmmu_victim_select *v = &u->select;
    gmmu_tier_decision d;
    do {
        while (!(entry >= 0 && gmmu_tier_needs_no_search(u, (unsigned)entry)) &&
               gmmu_victim_select_best(v) == NULL && v->rounds < GMMU_SEARCH_ROUNDS)
            s.by->round(u, s.ctx);
        foretell_owed(u, GMMU_TP_LOOK);
        d = gmmu_tier_decide(u);
    } while (d.tier == GMMU_TIER_RETRY);
    return gmmu_tier_placing(u) ? place_one(u) : d;
}

// Rows that owe a CLEAR or a HALVE.
static void clear_and_halve(gmmu_tier *u) {
    for (unsigned r = 0; r < u->cfg.classes && u->rit.owing; r++)
        if (u->rit.row[r].clear_owed)
            gmmu_tier_clear(u, r);
    for (unsigned r = 0; r < u->cfg.classes && u->rit.owing; r++)
        if (u->rit.row[r].halve_owed)
            gmmu_tier_halve(u, r);
    u->rit.owing = false;
}

// All records, with what they make owed: step 3.
static inline void learn_all(settling s) {
    gmmu_tier *u = s.u;
    if (u->rit.owing)
        clear_and_halve(u);
    for (int q = gmmu_record_feed_next(&u->feed); q >= 0; q = gmmu_record_feed_next(&u->feed)) {
        s.by->learn(u, (unsigned)q, s.ctx);
        if (u->rit.owing)
            clear_and_halve(u);
    }
}

// Pending rows in turn: step 5.
static inline void refresh_all(settling s) {
    gmmu_tier *u = s.u;
    int row;
    do {
        if (u->ppuc.engine.busy && !s.by->install(u, s.ctx))
            return;
        row = u->rit.waiting ? gmmu_ref_rit_due(&u->rit) : -1;
        u->rit.waiting = row >= 0;
        if (row >= 0)
            s.by->refresh(u, (unsigned)row, s.ctx);
    } while (row >= 0);
}

static inline void settle(settling s, gmmu_tier_sink *sink) {
    gmmu_tier *u = s.u;
    uint32_t index;
    while (u->frames.mem.n > 0) (void)gmmu_tier_touch(u, NULL);
    while (u->faults.queue.noted > 0) (void)gmmu_tier_enter(u);
    for (int64_t frame = gmmu_tier_expire_due(u); frame >= 0; frame = gmmu_tier_expire_due(u))
        gmmu_tier_expire(u, (uint32_t)frame);
    send_due(u);
    foretell_owed(u, GMMU_TP_STAY);
    if (u->side.age_owed)
        (void)gmmu_tier_age(u, &index);
    foretell_owed(u, GMMU_TP_AGE);
    for (int i = gmmu_fault_queue_head(&u->faults.queue); i >= 0;
         i = gmmu_fault_queue_head(&u->faults.queue)) {
        const gmmu_tier_decision d = decide_one(s, i);
        sink(s.ctx, &d);
    }
    while (gmmu_tier_ahead_owed(u)) {
        const gmmu_tier_decision d = decide_one(s, -1);
        if (d.tier != GMMU_TIER_NONE)
            sink(s.ctx, &d);
    }
    learn_all(s);
    if (gmmu_trace_sampler_thresh_owed(&u->sampler))
        (void)gmmu_tier_thresh(u);
    while (gmmu_tier_scrub_due(u)) {
        (void)gmmu_tier_scrub(u, NULL, NULL);
        send_due(u);
        learn_all(s);
    }
    refresh_all(s);
}

void gmmu_tier_settle_by(gmmu_tier *u, const gmmu_schedule_actions *by, gmmu_tier_sink *sink,
                         void *ctx) {
    settle((settling){u, by, ctx}, sink);
}

static void search_round(gmmu_tier *u, void *ctx) {
    (void)ctx;
    gmmu_tier_round_best(u);
}

static void learn(gmmu_tier *u, unsigned queue, void *ctx) {
    (void)ctx;
    (void)gmmu_tier_learn(u, queue);
}

static void refresh(gmmu_tier *u, unsigned row, void *ctx) {
    (void)ctx;
    gmmu_tier_refresh(u, row);
}

static bool install(gmmu_tier *u, void *ctx) {
    (void)ctx;
    (void)gmmu_tier_install(u);
    return true;
}

void gmmu_tier_settle(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx) {
    static const gmmu_schedule_actions standard = {search_round, learn, refresh, install};
    settle((settling){u, &standard, ctx}, sink);
}
