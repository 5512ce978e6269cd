// SPDX-License-Identifier: Apache-2.0
// fair_pins.c: see fair_pins.h and docs/guide/fair_pins.md.
#include "driver/fair_pins.h"

#include "gmmu/arena.h"

enum { MOST_SMS = 65536 };

gmmu_fair_pins_config gmmu_fair_pins_default(uint32_t frames, uint32_t sms) {
    return (gmmu_fair_pins_config){.frames = frames,
                                   .sms = sms,
                                   .behind = sms / 4,
                                   .most = frames / 2,
                                   .spare = (frames / 2 + 31) / 32,
                                   .fades = 2 * (uint64_t)frames};
}

static int init(gmmu_fair_pins *f, const gmmu_fair_pins_config *cfg, gmmu_arena *arena) {
    *f = (gmmu_fair_pins){.cfg = *cfg};
    f->sm = gmmu_take(arena, cfg->sms, sizeof *f->sm);
    f->frame = gmmu_take(arena, cfg->frames, sizeof *f->frame);
    f->order = gmmu_take(arena, cfg->sms, sizeof *f->order);
    return f->order == NULL;
}

size_t gmmu_fair_pins_bytes(const gmmu_fair_pins_config *cfg) {
    gmmu_fair_pins f;
    gmmu_arena count = {0};
    (void)init(&f, cfg, &count);
    return count.used;
}

int gmmu_fair_pins_init(gmmu_fair_pins *f, const gmmu_fair_pins_config *cfg, void *mem,
                        size_t size) {
    gmmu_arena arena = {mem, size, 0};
    if (cfg->frames == GMMU_FAIR_NONE || cfg->sms > MOST_SMS || cfg->behind >= cfg->sms ||
        cfg->most >= cfg->frames || cfg->spare > cfg->most || init(f, cfg, &arena) != 0)
        return 1;
    for (uint32_t i = 0; i < cfg->sms; i++) {
        f->sm[i].pinned = f->sm[i].loose = GMMU_FAIR_NONE;
        f->order[i] = i;
    }
    f->oldest = f->newest = GMMU_FAIR_NONE;
    for (uint32_t i = 0; i < cfg->frames; i++) f->frame[i].sm = GMMU_FAIR_NONE;
    return 0;
}

void gmmu_fair_pins_refault(gmmu_fair_pins *f, uint32_t sm) {
    f->sm[sm].refaults++;
    if (++f->counted != f->cfg.fades)
        return;
    f->counted = 0;
    for (uint32_t i = 0; i < f->cfg.sms; i++) f->sm[i].refaults /= 2;
}

// Has SM A more refaults than SM B? Of equal counts the lower number goes first.
static bool before(const gmmu_fair_pins *f, uint32_t a, uint32_t b) {
    const uint64_t of_a = f->sm[a].refaults, of_b = f->sm[b].refaults;
    return of_a != of_b ? of_a > of_b : a < b;
}

uint32_t gmmu_fair_pins_for(const gmmu_fair_pins *f, uint32_t a, uint32_t b) {
    return before(f, b, a) ? b : a;
}

static uint32_t *list_of(gmmu_fair_pins *f, const gmmu_fair_frame *at) {
    return at->pinned ? &f->sm[at->sm].pinned : &f->sm[at->sm].loose;
}

// Where the pin after FRAME's is noted, in the order of the pins. Without FRAME: the oldest pin.
static uint32_t *newer_of(gmmu_fair_pins *f, uint32_t frame) {
    return frame == GMMU_FAIR_NONE ? &f->oldest : &f->frame[frame].newer;
}

static uint32_t *older_of(gmmu_fair_pins *f, uint32_t frame) {
    return frame == GMMU_FAIR_NONE ? &f->newest : &f->frame[frame].older;
}

static void put(gmmu_fair_pins *f, uint32_t frame, uint32_t sm, bool pinned) {
    gmmu_fair_frame *at = &f->frame[frame];
    *at = (gmmu_fair_frame){.sm = sm, .before = GMMU_FAIR_NONE, .pinned = pinned};
    uint32_t *first = list_of(f, at);
    at->next = *first;
    if (*first != GMMU_FAIR_NONE)
        f->frame[*first].before = frame;
    *first = frame;
    if (!pinned)
        return;
    f->pinned++;
    at->older = f->newest;
    at->newer = GMMU_FAIR_NONE;
    *newer_of(f, at->older) = frame;
    f->newest = frame;
}

void gmmu_fair_pins_left(gmmu_fair_pins *f, uint32_t frame) {
    gmmu_fair_frame *at = &f->frame[frame];
    if (at->sm == GMMU_FAIR_NONE)
        return;
    if (at->before == GMMU_FAIR_NONE)
        *list_of(f, at) = at->next;
    else
        f->frame[at->before].next = at->next;
    if (at->next != GMMU_FAIR_NONE)
        f->frame[at->next].before = at->before;
    at->sm = GMMU_FAIR_NONE;
    if (!at->pinned)
        return;
    f->pinned--;
    *newer_of(f, at->older) = at->newer;
    *older_of(f, at->newer) = at->older;
}

static bool pins(const gmmu_fair_pins *f, uint32_t sm) {
    return f->sm[sm].behind && f->pinned < f->cfg.most;
}

bool gmmu_fair_pins_filled(gmmu_fair_pins *f, uint32_t frame, uint32_t sm) {
    gmmu_fair_pins_left(f, frame);
    const bool pin = pins(f, sm);
    put(f, frame, sm, pin);
    return pin;
}

// The other list gets the frame.
static void move(gmmu_fair_pins *f, uint32_t frame, gmmu_fair_op op, void *ctx) {
    const gmmu_fair_frame was = f->frame[frame];
    gmmu_fair_pins_left(f, frame);
    put(f, frame, was.sm, !was.pinned);
    op(ctx, frame, !was.pinned);
}

// Most refaults first. From one batch to the next few SMs change places.
static uint32_t sort(gmmu_fair_pins *f) {
    uint32_t with_refaults = 0;
    for (uint32_t i = 0; i < f->cfg.sms; i++) {
        const uint32_t sm = f->order[i];
        uint32_t to = i;
        for (; to > 0 && before(f, sm, f->order[to - 1]); to--) f->order[to] = f->order[to - 1];
        f->order[to] = sm;
        with_refaults += f->sm[sm].refaults != 0;
    }
    return with_refaults;
}

void gmmu_fair_pins_rank(gmmu_fair_pins *f, gmmu_fair_op op, void *ctx) {
    // of the SMs that refault at all the same share
    const uint64_t behind = (uint64_t)sort(f) * f->cfg.behind / f->cfg.sms;
    for (uint32_t i = 0; i < f->cfg.sms; i++) {
        gmmu_fair_sm *s = &f->sm[f->order[i]];
        s->behind = i < behind;
        while (!s->behind && s->pinned != GMMU_FAIR_NONE) move(f, s->pinned, op, ctx);
    }
    while (f->pinned > f->cfg.most - f->cfg.spare) {  // and no such page is pinned once more
        const uint32_t frame = f->oldest;
        gmmu_fair_pins_left(f, frame);
        op(ctx, frame, false);
    }
    for (uint32_t i = 0; i < behind; i++) {
        const gmmu_fair_sm *s = &f->sm[f->order[i]];
        while (pins(f, f->order[i]) && s->loose != GMMU_FAIR_NONE) move(f, s->loose, op, ctx);
    }
}
