// SPDX-License-Identifier: Apache-2.0
// leu_show.c: see leu_show.h.
#include "policy/leu_show.h"

enum { FRACTION = 256, WHOLE_SHARE = 256 };  // of T and of counts; of memory

size_t gmmu_leu_facts(const gmmu_tier *u, const gmmu_share_duel *d,
                      gmmu_fact facts[GMMU_MOST_FACTS]) {
    const gmmu_segment *s = &u->frames.segment;
    size_t n = 0;
    if (s->limit == 0 && d == NULL)
        return 0;
    facts[n++] = (gmmu_fact){"protected", s->count, 1};
    facts[n++] = (gmmu_fact){"limit", s->limit, 1};
    facts[n++] = (gmmu_fact){"T", s->t, FRACTION};
    facts[n++] = (gmmu_fact){"filling", s->filling, 1};
    if (d == NULL)
        return n;
    facts[n++] = (gmmu_fact){"share", gmmu_share_duel_protect(d), WHOLE_SHARE};
    facts[n++] = (gmmu_fact){"changes", d->changes, 1};
    facts[n++] = (gmmu_fact){"shadow_frames", d->frames, 1};
    facts[n++] = (gmmu_fact){"plain_alone", d->shadow[GMMU_SHARE_PLAIN].alone, FRACTION};
    facts[n++] = (gmmu_fact){"guarded_alone", d->shadow[GMMU_SHARE_GUARDED].alone, FRACTION};
    facts[n++] = (gmmu_fact){"shadow_protected", d->segment.count, 1};
    facts[n++] = (gmmu_fact){"shadow_limit", d->segment.limit, 1};
    facts[n++] = (gmmu_fact){"shadow_T", d->segment.t, FRACTION};
    return n;
}

static bool is_kept(const gmmu_victim_select *v, uint32_t frame) {
    const unsigned at = frame & (v->pool - 1);
    return (v->kept >> at & 1) != 0 && v->frame[at] == frame;
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
    return s->limit != 0 ? GMMU_GUARD_KEPT : GMMU_GUARD_UNHEEDED;
}

void gmmu_leu_foresee(const gmmu_tier *u, void (*see)(void *ctx, gmmu_leu_met met), void *ctx) {
    const gmmu_victim_select *v = &u->select;
    const uint32_t frames = u->regs.frames;
    const uint32_t turns = v->sample && v->k < frames ? v->k : frames;
    const uint32_t hand = (v->sample || v->clock) && v->hand < frames ? v->hand : 0;
    gmmu_segment s = u->frames.segment;
    for (uint64_t left = v->kept; left != 0; left &= left - 1) {
        const uint32_t frame = v->frame[__builtin_ctzll(left)];
        see(ctx, (gmmu_leu_met){.frame = frame, .guard = guard_of(u, &s, frame, false)});
    }
    for (uint32_t i = 0; i < frames; i++) {
        const uint32_t frame = i < frames - hand ? hand + i : i - (frames - hand);
        const bool unseen = i >= turns;
        if (!is_kept(v, frame))
            see(ctx, (gmmu_leu_met){frame, guard_of(u, &s, frame, unseen), unseen});
    }
}
