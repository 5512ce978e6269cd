// SPDX-License-Identifier: Apache-2.0
// share_duel.c: see share_duel.h and docs/guide/share_duel.md.
#include "driver/share_duel.h"

#include "blocks/crc32c.h"
#include "blocks/victim_select.h"

enum {
    PAGES = 4,  // entries for each frame of a shadow
    ONE = 256,  // of a count
};

gmmu_share_duel_config gmmu_share_duel_default(const gmmu_config *unit, const gmmu_regs *regs) {
    return (gmmu_share_duel_config){.unit = *unit,
                                    .frames = regs->frames,
                                    .sample = regs->sample,
                                    .refresh = regs->refresh,
                                    .pseudo = regs->pseudo != 0,
                                    .share = 248,
                                    .shadow_frames = 1024,
                                    .decay = 4,
                                    .deviations = 2,
                                    .back = 32};
}

static void on_access(void *ctx, const gmmu_rimm_fault *a) {
    gmmu_share_duel *d = ctx;
    gmmu_share_duel_access(d, &d->host.ppuc, a->asid, a->vpn, a->cls, a->time);
}

static int init(gmmu_share_duel *d, const gmmu_share_duel_config *cfg, gmmu_arena *arena) {
    const gmmu_rimm_config hc = {
        .unit = cfg->unit, .frames = 1, .pseudo = cfg->pseudo, .refresh = cfg->refresh};
    const size_t host_bytes = gmmu_rimm_host_bytes(&hc);
    unsigned rate = cfg->sample;  // log2 of the pages for one in the sample
    while (cfg->frames >> rate >= cfg->shadow_frames) rate++;
    *d = (gmmu_share_duel){.cfg = *cfg,
                           .frames = cfg->frames >> rate,
                           .threshold = (UINT64_C(1) << 32) >> rate,
                           .chosen = GMMU_SHARE_GUARDED};
    if (d->frames == 0)
        d->frames = 1;
    d->sets = 1;
    while (d->sets * GMMU_SHARE_WAYS < d->frames * PAGES) d->sets *= 2;
    gmmu_segment_init(&d->segment, &cfg->unit);
    gmmu_segment_allow(&d->segment, d->frames * cfg->share >> 8);
    d->page = gmmu_take(arena, (size_t)d->sets * GMMU_SHARE_WAYS, sizeof *d->page);
    void *host = gmmu_take(arena, 1, host_bytes);
    if (d->page == NULL || host == NULL ||
        gmmu_rimm_host_init(&d->host, &hc, host, host_bytes) != 0)
        return 1;
    d->host.on_access = on_access;
    d->host.ctx = d;
    return 0;
}

static bool out_of_range(const gmmu_share_duel_config *cfg) {
    return cfg->frames == 0 || cfg->sample > 15 || cfg->refresh > 63 || cfg->share > 255 ||
           cfg->shadow_frames < 2 || cfg->shadow_frames > 1 << 20 || cfg->decay > 31 ||
           cfg->deviations > 255 || cfg->back > 255;
}

size_t gmmu_share_duel_bytes(const gmmu_share_duel_config *cfg) {
    gmmu_share_duel d;
    gmmu_arena count = {0};
    if (!out_of_range(cfg))
        (void)init(&d, cfg, &count);
    return count.used;
}

int gmmu_share_duel_init(gmmu_share_duel *d, const gmmu_share_duel_config *cfg, void *mem,
                         size_t size) {
    gmmu_arena arena = {mem, size, 0};
    return out_of_range(cfg) || init(d, cfg, &arena) != 0;
}

int gmmu_share_duel_beat(gmmu_share_duel *d, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    return gmmu_rimm_host_beat(&d->host, words, last);
}

static uint32_t age_of(const gmmu_share_page *p, uint64_t time) {
    const uint64_t age = time - p->last;
    return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

static void guard(gmmu_share_duel *d, gmmu_share_page *p, bool guarded) {
    if (p->guarded != guarded)
        gmmu_segment_count(&d->segment, guarded);
    p->guarded = guarded;
}

static bool is_in(const gmmu_share_page *p, unsigned shadow) {
    return (p->resident >> shadow & 1) != 0;
}

static void leave(gmmu_share_duel *d, gmmu_share_page *p, unsigned shadow) {
    if (shadow == GMMU_SHARE_GUARDED)
        guard(d, p, false);
    p->resident &= (uint8_t) ~(1u << shadow);
    d->shadow[shadow].resident--;
}

static void forget(gmmu_share_duel *d, gmmu_share_page *p) {
    for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++)
        if (is_in(p, i))
            leave(d, p, i);
    p->valid = false;
}

// Is entry A rather than B to go for a new page? A free one, else one in no shadow, else the
// oldest.
static bool freer(const gmmu_share_page *a, const gmmu_share_page *b) {
    if (!a->valid || !b->valid)
        return b->valid;
    if ((a->resident == 0) != (b->resident == 0))
        return a->resident == 0;
    return a->last < b->last;
}

// The page's entry, a new one, not valid, if it has none.
static gmmu_share_page *entry_of(gmmu_share_duel *d, uint32_t hash, uint32_t asid, uint64_t vpn) {
    gmmu_share_page *set = &d->page[(size_t)(hash & (d->sets - 1)) * GMMU_SHARE_WAYS], *to = set;
    for (gmmu_share_page *p = set; p < set + GMMU_SHARE_WAYS; p++) {
        if (p->valid && p->vpn == vpn && p->asid == asid)
            return p;
        if (freer(p, to))
            to = p;
    }
    if (to->valid)
        forget(d, to);
    *to = (gmmu_share_page){.vpn = vpn, .asid = asid};
    return to;
}

// Of the next K pages of shadow I that its hand finds, the one whose stay is worth least leaves.
static void evict(gmmu_share_duel *d, const gmmu_ppuc *ppuc, unsigned i, uint64_t time) {
    gmmu_share_shadow *s = &d->shadow[i];
    const uint32_t entries = d->sets * GMMU_SHARE_WAYS;
    gmmu_share_page *worst = NULL;
    uint32_t least = 0, oldest = 0;
    for (uint32_t turn = 0, met = 0; turn < entries && met < d->cfg.unit.k; turn++) {
        gmmu_share_page *p = &d->page[s->hand];
        s->hand = (s->hand + 1) & (entries - 1);
        if (!is_in(p, i))
            continue;
        met++;
        const uint32_t tau = age_of(p, time);
        bool guarded = i == GMMU_SHARE_GUARDED && p->guarded;
        if (guarded && gmmu_segment_lets_go(&d->segment, tau)) {
            guard(d, p, false);
            guarded = false;
        }
        const uint32_t priority =
            gmmu_ppuc_priority_of(ppuc, p->cls, tau) | (guarded ? GMMU_GUARDED : 0);
        if (worst == NULL || priority < least || (priority == least && tau > oldest)) {
            worst = p;
            least = priority;
            oldest = tau;
        }
    }
    if (i == GMMU_SHARE_GUARDED)
        gmmu_segment_searched(&d->segment);
    if (worst != NULL)  // one is: all of the shadow's frames are taken
        leave(d, worst, i);
}

// Page P comes to shadow I.
static void enter(gmmu_share_duel *d, const gmmu_ppuc *ppuc, gmmu_share_page *p, unsigned i,
                  uint64_t time) {
    if (d->shadow[i].resident == d->frames)
        evict(d, ppuc, i, time);
    p->resident |= (uint8_t)(1u << i);
    d->shadow[i].resident++;
}

static void decay(gmmu_share_duel *d, uint64_t time) {
    if (time < d->decayed)
        return;
    uint64_t times = (time - d->decayed) / d->cfg.frames;
    d->decayed += times * d->cfg.frames;
    for (; times > 0 && (d->shadow[0].alone | d->shadow[1].alone) >> d->cfg.decay != 0; times--)
        for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++)
            d->shadow[i].alone -= d->shadow[i].alone >> d->cfg.decay;
}

// Of n accesses that miss in one shadow only, n/2 ± sqrt(n)/2 do in either if both are equal: the
// difference has a standard deviation of sqrt(n). What protection would have kept is gone when it
// comes back in the middle: that is to pay first.
static void choose(gmmu_share_duel *d) {
    const unsigned other = GMMU_SHARE_SHADOWS - 1 - d->chosen;
    const uint64_t now = d->shadow[d->chosen].alone, then = d->shadow[other].alone;
    const uint64_t square = (uint64_t)d->cfg.deviations * d->cfg.deviations;
    if (now <= then || (now - then) * (now - then) < square * (now + then) * ONE)
        return;
    if (other == GMMU_SHARE_GUARDED && (now - then) * 64 < (uint64_t)d->frames * d->cfg.back * ONE)
        return;
    d->chosen = other;
    d->changes++;
}

void gmmu_share_duel_access(gmmu_share_duel *d, const gmmu_ppuc *ppuc, uint32_t asid, uint64_t vpn,
                            gmmu_class cls, uint64_t time) {
    decay(d, time);
    const uint32_t hash = gmmu_hash(asid, d->cfg.unit.asid_w, vpn, d->cfg.unit.vpn_w);
    if (hash >= d->threshold)
        return;
    gmmu_share_page *p = entry_of(d, hash, asid, vpn);
    const bool known = p->valid;
    if (known && time < p->last)
        return;
    const uint32_t interval = age_of(p, time);
    const unsigned was = p->resident;
    p->valid = true;
    p->cls = cls;
    p->last = time;
    for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++) {
        if (was >> i & 1)
            continue;
        if (was != 0)
            d->shadow[i].alone += ONE;
        enter(d, ppuc, p, i, time);
    }
    if (known ? gmmu_segment_takes(&d->segment, interval) : gmmu_segment_takes_new(&d->segment))
        guard(d, p, true);
    choose(d);
}
