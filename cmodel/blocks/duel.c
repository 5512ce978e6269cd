// SPDX-License-Identifier: Apache-2.0
// duel.c: see duel.h and docs/blocks/duel.md.
#include "blocks/duel.h"

#include "blocks/crc32c.h"

enum {
    SHADOW_FRAMES = 512,  // fewer than so many in a shadow
    PAGES = 4,            // entries for each of them
    ONE = 256,            // of a count of misses
    TWO = 2 * ONE,
    DECAY = 4,  // a time constant is 2^DECAY times as many walks as frames
};

static const uint16_t shares[GMMU_DUEL_SHADOWS] = {0, 217, 248};

unsigned gmmu_duel_share(unsigned i) {
    return shares[i];
}

int gmmu_duel_init(gmmu_duel *d, const gmmu_config *cfg, uint32_t frames, gmmu_arena *arena) {
    unsigned rate = 0;  // log2 of the pages for one in the sample
    while (frames >> rate >= SHADOW_FRAMES) rate++;
    *d = (gmmu_duel){.frames = frames >> rate,
                     .threshold = 65536u >> rate,
                     .every = frames,
                     .decay = DECAY,
                     .asid_w = cfg->asid_w,
                     .vpn_w = cfg->vpn_w,
                     .time_mask = (uint32_t)((1ull << cfg->time_w) - 1),
                     .age_limit = 1u << (cfg->time_w - 2)};
    d->sets = 1;
    while (d->sets * GMMU_DUEL_WAYS < d->frames * PAGES) d->sets *= 2;
    for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++) {
        gmmu_segment_init(&d->shadow[i].segment, cfg);
        gmmu_segment_allow(&d->shadow[i].segment, d->frames * shares[i] >> 8);
    }
    d->page = gmmu_take(arena, (size_t)d->sets * GMMU_DUEL_WAYS, sizeof *d->page);
    return d->page == NULL;
}

static uint32_t age(const gmmu_duel *d, const gmmu_duel_page *p, uint32_t time) {
    return (time - p->last) & d->time_mask;
}

static void guard(gmmu_duel *d, gmmu_duel_page *p, unsigned i, bool guarded) {
    if ((p->guarded >> i & 1) == guarded)
        return;
    p->guarded ^= (uint8_t)(1u << i);
    gmmu_segment_count(&d->shadow[i].segment, guarded);
}

static void leave(gmmu_duel *d, gmmu_duel_page *p, unsigned i) {
    guard(d, p, i, false);
    p->resident &= (uint8_t) ~(1u << i);
    d->shadow[i].resident--;
}

static void forget(gmmu_duel *d, gmmu_duel_page *p) {
    for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++)
        if (p->resident >> i & 1)
            leave(d, p, i);
    p->valid = false;
}

// The page's entry, a new one if it has none: a free one, else the oldest that is in no shadow,
// else the oldest.
static gmmu_duel_page *entry_of(gmmu_duel *d, uint32_t hash, uint32_t asid, uint64_t vpn,
                                uint32_t time) {
    gmmu_duel_page *set = &d->page[(size_t)(hash & (d->sets - 1)) * GMMU_DUEL_WAYS], *to = set;
    for (gmmu_duel_page *p = set; p < set + GMMU_DUEL_WAYS; p++) {
        if (p->valid && p->vpn == vpn && p->asid == asid)
            return p;
        if (!to->valid)
            continue;
        const bool freer = (p->resident == 0) > (to->resident == 0);
        const bool as_free = (p->resident == 0) == (to->resident == 0);
        if (!p->valid || freer || (as_free && age(d, p, time) > age(d, to, time)))
            to = p;
    }
    if (to->valid)
        forget(d, to);
    *to = (gmmu_duel_page){.vpn = vpn, .asid = asid};
    return to;
}

// The page of shadow I whose stay is worth least leaves it.
static void evict(gmmu_duel *d, const gmmu_ppuc *ppuc, unsigned i, uint32_t time) {
    gmmu_duel_page *worst = NULL;
    uint32_t least = UINT32_MAX, oldest = 0;
    gmmu_segment *s = &d->shadow[i].segment;
    for (gmmu_duel_page *p = d->page; p < d->page + (size_t)d->sets * GMMU_DUEL_WAYS; p++) {
        if (!p->valid || !(p->resident >> i & 1))
            continue;
        const uint32_t tau = age(d, p, time);
        if ((p->guarded >> i & 1) && gmmu_segment_lets_go(s, tau))
            guard(d, p, i, false);
        const uint32_t priority =
            gmmu_ppuc_priority_of(ppuc, p->cls, tau) | (p->guarded >> i & 1 ? 1u << 16 : 0u);
        if (priority < least || (priority == least && tau > oldest)) {
            worst = p;
            least = priority;
            oldest = tau;
        }
    }
    gmmu_segment_searched(s);
    if (worst != NULL)
        leave(d, worst, i);
}

// An access in shadow I to page P; KNOWN: it was accessed INTERVAL walks ago.
static void access_in(gmmu_duel *d, const gmmu_ppuc *ppuc, gmmu_duel_page *p, unsigned i,
                      bool known, uint32_t interval, uint32_t time) {
    gmmu_duel_shadow *s = &d->shadow[i];
    if (!(p->resident >> i & 1)) {
        s->misses += ONE;
        if (s->resident == d->frames)
            evict(d, ppuc, i, time);
        p->resident |= (uint8_t)(1u << i);
        s->resident++;
    }
    if (known ? gmmu_segment_takes(&s->segment, interval) : gmmu_segment_takes_new(&s->segment))
        guard(d, p, i, true);
}

// Another share is taken if it misses a twentieth and two pages less.
static bool choose(gmmu_duel *d) {
    unsigned best = d->chosen;
    for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++)
        if (d->shadow[i].misses < d->shadow[best].misses)
            best = i;
    const uint64_t least = d->shadow[best].misses, now = d->shadow[d->chosen].misses;
    if (best == d->chosen || least * 20 >= now * 19 || least + TWO >= now)
        return false;
    d->chosen = best;
    d->changes++;
    return true;
}

bool gmmu_duel_walk(gmmu_duel *d, const gmmu_ppuc *ppuc, uint32_t asid, uint64_t vpn,
                    gmmu_class cls, uint32_t time) {
    if (++d->walks >= d->every) {
        d->walks = 0;
        for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++)
            d->shadow[i].misses -= d->shadow[i].misses >> d->decay;
    }
    const uint32_t hash = gmmu_hash(asid, d->asid_w, vpn, d->vpn_w);
    if (hash >> 16 >= d->threshold)
        return false;
    gmmu_duel_page *p = entry_of(d, hash, asid, vpn, time);
    const bool known = p->valid && age(d, p, time) < d->age_limit;
    const uint32_t interval = age(d, p, time);
    p->valid = true;
    p->cls = cls;
    p->last = time;
    for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++)
        access_in(d, ppuc, p, i, known, interval, time);
    return choose(d);
}
