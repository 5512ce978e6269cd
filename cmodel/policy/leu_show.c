// SPDX-License-Identifier: Apache-2.0
// leu_show.c: see leu_show.h.
#include "policy/leu_show.h"

enum { T_FRACTION = 256, MISS_FRACTION = 256, WHOLE_SHARE = 256 };

size_t gmmu_leu_facts(const gmmu_tier *u, const gmmu_duel *d, gmmu_fact facts[GMMU_MOST_FACTS]) {
    // of each shadow: a share of 0 protects nothing
    static const char *const names[GMMU_DUEL_SHADOWS][4] = {
        {"misses_0", NULL, NULL, NULL},
        {"misses_217", "protected_217", "limit_217", "T_217"},
        {"misses_248", "protected_248", "limit_248", "T_248"}};
    const gmmu_segment *s = &u->frames.segment;
    size_t n = 0;
    if (s->limit == 0)
        return 0;
    facts[n++] = (gmmu_fact){"protected", s->count, 1};
    facts[n++] = (gmmu_fact){"limit", s->limit, 1};
    facts[n++] = (gmmu_fact){"T", s->t, T_FRACTION};
    facts[n++] = (gmmu_fact){"filling", s->filling, 1};
    if (d == NULL)
        return n;
    facts[n++] = (gmmu_fact){"heeded", !s->unheeded, 1};
    facts[n++] = (gmmu_fact){"share", gmmu_duel_share(d->chosen), WHOLE_SHARE};
    facts[n++] = (gmmu_fact){"changes", d->changes, 1};
    facts[n++] = (gmmu_fact){"shadow_frames", d->frames, 1};
    for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++) {
        const gmmu_duel_shadow *shadow = &d->shadow[i];
        facts[n++] = (gmmu_fact){names[i][0], shadow->misses, MISS_FRACTION};
        if (names[i][1] == NULL)
            continue;
        facts[n++] = (gmmu_fact){names[i][1], shadow->segment.count, 1};
        facts[n++] = (gmmu_fact){names[i][2], shadow->segment.limit, 1};
        facts[n++] = (gmmu_fact){names[i][3], shadow->segment.t, T_FRACTION};
    }
    return n;
}

static bool is_kept(const gmmu_victim_select *v, uint32_t frame) {
    for (unsigned i = 0; i < v->n_kept; i++)
        if (v->kept[i] == frame)
            return true;
    return false;
}

// What the search finds of FRAME; S is its account of the segment.
static gmmu_guard guard_of(const gmmu_tier *u, gmmu_segment *s, uint32_t frame, bool unseen) {
    const gmmu_frame_seen f = u->frames.table.seen[frame];
    if (!f.guarded)
        return GMMU_GUARD_NONE;
    if (!unseen && gmmu_segment_lets_go(s, (u->walk.time - f.last) & u->walk.time_mask)) {
        gmmu_segment_count(s, false);
        return GMMU_GUARD_LET_GO;
    }
    return s->unheeded ? GMMU_GUARD_UNHEEDED : GMMU_GUARD_KEPT;
}

void gmmu_leu_foresee(const gmmu_tier *u, void (*see)(void *ctx, gmmu_leu_met met), void *ctx) {
    const gmmu_victim_select *v = &u->select;
    const uint32_t frames = u->regs.frames;
    const uint32_t turns = v->sample && v->k < frames ? v->k : frames;
    const uint32_t hand = v->sample && v->hand < frames ? v->hand : 0;
    gmmu_segment s = u->frames.segment;
    for (unsigned i = 0; i < v->n_kept; i++) {
        const uint32_t frame = v->kept[i];
        see(ctx, (gmmu_leu_met){.frame = frame, .guard = guard_of(u, &s, frame, false)});
    }
    for (uint32_t i = 0; i < frames; i++) {
        const uint32_t frame = i < frames - hand ? hand + i : i - (frames - hand);
        const bool unseen = i >= turns;
        if (!is_kept(v, frame))
            see(ctx, (gmmu_leu_met){frame, guard_of(u, &s, frame, unseen), unseen});
    }
}
