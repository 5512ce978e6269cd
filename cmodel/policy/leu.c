// SPDX-License-Identifier: Apache-2.0
// leu.c: policy `leu`: the unit's own arithmetic (cmodel/blocks), on the standard schedule.
//
// Paper: Chen et al., "Statistical Caching for Near Memory Management" (MEMSYS '19). Departs from
// it as the hardware does: binned and censored histograms in a fixed-size table, learnt from a
// sample of the pages, priorities refreshed every 2^refresh walks (docs/papers/leu.md). Some
// options have no counterpart in the hardware (leu_study.h). The frame table is made as large as
// the memory; all else has the sizes of the configuration.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/at_once.h"
#include "driver/share_duel.h"
#include "policy/leu_config.h"
#include "policy/leu_fetch.h"
#include "policy/leu_show.h"
#include "policy/leu_study.h"
#include "policy/leu_tier2.h"
#include "policy/leu_walk.h"
#include "policy/option.h"

enum { NO_FRAME = UINT32_MAX, NEVER = UINT32_MAX, AS_CONFIGURED = UINT32_MAX };
enum { RIT_BATCH = 64 };  // records of a batch, with a duel

typedef struct {
    const char *name;  // of the policy, in errors
    gmmu_tier unit;
    gmmu_share_duel duel;
    void *duel_memory;  // NULL: no duel
    bool studied;
    gmmu_leu_studying study;
    gmmu_leu_tier2 *tier2;  // NULL: policy `leu`
    bool by_walk;           // each walk by AT_ONCE
    gmmu_at_once at_once;
    void *memory;
    const gmmu_pages *pages;
    uint32_t *page_of;   // of each frame
    uint32_t *frame_of;  // of each page
    // Of each page: walk of the last access of its last stay, NEVER: none, or too long ago. NULL
    // with BY_WALK: nothing is protected.
    uint32_t *left;
    bool watched;
    uint64_t *ref;      // of each page: of its last walk, for those who watch
    uint64_t ref_mask;  // 0: the walks carry no reference
    uint32_t merge;     // walks during which a walk stays under way; 0: no walks are merged
    uint64_t *begun;    // of each page: walks before its last walk that was not merged
    gmmu_lookahead *soon;
    uint32_t page_cap, filled;
    gmmu_tier_decision decision;  // the last one
    unsigned decisions;
    const gmmu_watch *watch;
} leu;

static void leu_destroy(void *state) {
    leu *s = state;
    if (s == NULL)
        return;
    free(s->memory);
    free(s->page_of);
    free(s->frame_of);
    free(s->left);
    free(s->ref);
    free(s->begun);
    free(s->soon);
    free(s->duel_memory);
    gmmu_leu_tier2_destroy(s->tier2);
    free(s);
}

// What the options set.
typedef struct {
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_leu_study study;
    const char *search;  // that is none of the large unit, if asked for
    bool searches;       // asked for
    bool named;          // the configuration was read
    gmmu_leu_place place;
    uint32_t ahead;
    uint32_t protect, duel;
    uint32_t ref_bits, merge;
    gmmu_share_duel_config driver;  // its duel
} settings;

// The sizes of a configuration, which other options then change, wherever they stand.
static bool set_config(void *value, const char *text, size_t length) {
    settings *to = value;
    return to->named || gmmu_leu_config(&to->cfg, text, length);
}

static bool set_search(void *value, const char *text, size_t length) {
    settings *to = value;
    static const char *const names[] = {"scan", "sample", "clock"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && memcmp(text, names[i], length) == 0) {
            to->regs.search = i;
            to->searches = true;
            to->search = i == GMMU_SEARCH_SAMPLE ? to->search : names[i];
            return true;
        }
    return false;
}

// NAME is "leu" or "tier", which has the last options too.
static bool read_options(const char *name, const gmmu_policy_config *config, settings *to,
                         gmmu_error *err) {
    const gmmu_option options[] = {
        GMMU_WORD("config", to, set_config),
        GMMU_WORD("search", to, set_search),
        GMMU_NUMBER("k", &to->cfg.k, 1, 1 << 20),
        GMMU_NUMBER("pool", &to->cfg.pool, 1, 1 << 20),
        GMMU_NUMBER("classes", &to->cfg.classes, 1, 4096),
        GMMU_NUMBER("count", &to->cfg.cnt_w, 2, 16),
        GMMU_NUMBER("sampler", &to->cfg.sampler, 8, 1 << 20),
        GMMU_NUMBER("ref", &to->ref_bits, 0, 64),
        GMMU_NUMBER("pseudo", &to->regs.pseudo, 0, 1),
        GMMU_NUMBER("censor", &to->regs.censor, 0, 1),
        GMMU_NUMBER("feed", &to->regs.feed, 0, 1),
        GMMU_NUMBER("sample", &to->regs.sample, 0, 8),
        GMMU_NUMBER("refresh", &to->regs.refresh, 0, 20),
        GMMU_NUMBER("protect", &to->protect, 0, 256),
        GMMU_NUMBER("duel", &to->duel, 0, 1),
        GMMU_NUMBER("share", &to->driver.share, 1, 255),
        GMMU_NUMBER("shadow", &to->driver.shadow_frames, 2, 1 << 20),
        GMMU_NUMBER("decay", &to->driver.decay, 1, 16),
        GMMU_NUMBER("deviations", &to->driver.deviations, 1, 16),
        GMMU_NUMBER("back", &to->driver.back, 0, 64),
        GMMU_NUMBER("octave", &to->study.octave, 1, 8),
        GMMU_NUMBER("drop", &to->study.drop, 0, 10),
        GMMU_NUMBER("keep", &to->study.keep, 0, 1),
        GMMU_NUMBER("prior", &to->study.prior, 1, 1024),
        GMMU_NUMBER("early", &to->study.early, 1, 20),
        GMMU_NUMBER("engine", &to->study.engine, 0, 1 << 20),
        GMMU_NUMBER("merge", &to->merge, 0, 1 << 20),
        GMMU_WORD("tie", &to->place, gmmu_leu_tie_word),
        GMMU_NUMBER("ahead", &to->ahead, 0, GMMU_MOST_AHEAD),
        GMMU_WORD("place", &to->place, gmmu_leu_place_word),
        GMMU_WORD("full", &to->place, gmmu_leu_full_word),
        GMMU_WORD("default", &to->place, gmmu_leu_default_word),
        GMMU_WORD("limit", &to->place, gmmu_leu_limit_word),
        GMMU_NUMBER("sets", &to->place.sets, 1, 1 << 16),
        GMMU_NUMBER("ways", &to->place.ways, 1, 16),
    };
    enum { OF_TIER = 8 };
    const size_t count = sizeof options / sizeof options[0] - (name[0] == 't' ? 0 : OF_TIER);
    static const char words[] = "config=" GMMU_LEU_CONFIGS
                                ":search=scan|sample|clock:tie=older|younger"
                                ":place=priority|order|random|reuse:full=evict|drop"
                                ":default=tierorder|random:limit=tier2|both";
    for (unsigned pass = 0; pass < 2; pass++) {  // the second for what stands before `config`
        to->named = pass == 1;
        if (!gmmu_options_list(name, config, options, count, words, err))
            return false;
    }
    if ((to->study.octave & (to->study.octave - 1)) != 0) {
        snprintf(err->text, sizeof err->text, "%s: found octave=%u, expected 1, 2, 4 or 8", name,
                 to->study.octave);
        return false;
    }
    const uint32_t sets = to->place.sets, ways = to->place.ways;
    if ((sets & (sets - 1)) != 0 || (ways & (ways - 1)) != 0) {
        snprintf(err->text, sizeof err->text,
                 "tier: found sets=%u, ways=%u, expected powers of two", sets, ways);
        return false;
    }
    return true;
}

// The driver's duel hears the unit's records beat by beat.
static void on_beat(void *ctx, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    (void)gmmu_share_duel_beat(ctx, words, last);
}

static void on_packet(void *ctx, const gmmu_rit_packet *p) {
    leu *s = ctx;
    gmmu_rit_beats(&s->unit.cfg, p, on_beat, &s->duel);
}

// The driver writes cfg_protect, if it shall be another.
static void follow_duel(leu *s) {
    const unsigned share = gmmu_share_duel_protect(&s->duel);
    if (share != s->unit.regs.protect)
        gmmu_tier_protect(&s->unit, share);
}

// False: no memory.
static bool begin_duel(leu *s, const gmmu_share_duel_config *asked) {
    const gmmu_tier *u = &s->unit;
    gmmu_share_duel_config cfg = gmmu_share_duel_default(&u->cfg, &u->regs);
    cfg.share = asked->share;
    cfg.shadow_frames = asked->shadow_frames;
    cfg.decay = asked->decay;
    cfg.deviations = asked->deviations;
    cfg.back = asked->back;
    const size_t bytes = gmmu_share_duel_bytes(&cfg);
    s->duel_memory = malloc(bytes);
    if (s->duel_memory == NULL || gmmu_share_duel_init(&s->duel, &cfg, s->duel_memory, bytes) != 0)
        return false;
    s->unit.rit_sink = on_packet;
    s->unit.rit_ctx = s;
    follow_duel(s);
    return true;
}

static void *create(const char *name, const gmmu_policy_config *config, gmmu_error *err) {
    const bool tiers = name[0] == 't';
    settings set = {.cfg = *gmmu_config_find("default")};
    set.regs = gmmu_regs_default(&set.cfg);
    if (tiers) {
        const gmmu_config *onchip = gmmu_config_find("onchip");
        set.regs.search = GMMU_SEARCH_SAMPLE;
        set.place = (gmmu_leu_place){.tier = GMMU_PLACE_PRIORITY,
                                     .full = GMMU_LEU_FULL_OF_KIND,
                                     .young = true,
                                     .sets = onchip->tp_sets,
                                     .ways = onchip->tp_ways};
    }
    set.driver = gmmu_share_duel_default(&set.cfg, &set.regs);
    set.ref_bits = AS_CONFIGURED;
    if (!read_options(name, config, &set, err))
        return NULL;
    gmmu_config *cfg = &set.cfg;
    if (set.ref_bits != AS_CONFIGURED)
        cfg->ref_w = set.ref_bits != 0 ? set.ref_bits : 1;
    if (tiers && set.merge != 0) {
        snprintf(err->text, sizeof err->text, "tier: found merge=%u, expected policy leu",
                 set.merge);
        return NULL;
    }
    if (tiers && set.place.tier != GMMU_PLACE_PRIORITY && !set.searches)
        set.regs.search = GMMU_SEARCH_CLOCK;
    if (set.search != NULL && cfg->frame_mem) {
        snprintf(err->text, sizeof err->text,
                 "%s: found search=%s with config=%s, expected search=sample: its frame table "
                 "lies in memory",
                 name, set.search, cfg->name);
        return NULL;
    }
    if (cfg->frames < config->frames)
        cfg->frames = config->frames;
    cfg->late = 0;  // no fault is late: a page has left before a walk on the page faults
    set.regs.frames = config->frames;
    if (set.duel != 0)
        set.regs.rit_batch = cfg->ritq < RIT_BATCH ? cfg->ritq : RIT_BATCH;
    gmmu_leu_tier2_sizes(cfg, &set.regs, tiers ? config->tier2 : 0, &set.place);
    const gmmu_leu_studying study = gmmu_leu_study_begin(&set.study, cfg);
    const char *bad = gmmu_leu_study_error(&set.study, cfg);
    if (bad != NULL) {
        snprintf(err->text, sizeof err->text, "%s: configuration %s with %u frames: %s", name,
                 cfg->name, cfg->frames, bad);
        return NULL;
    }
    leu *s = calloc(1, sizeof *s);
    const size_t bytes = gmmu_tier_bytes(cfg);
    if (s != NULL) {
        s->pages = config->pages;
        s->watched = config->watched;
        s->ref_mask = set.ref_bits != 0 ? UINT64_MAX : 0;
        s->merge = set.merge;
        s->study = study;
        s->studied = gmmu_leu_study_asked(&set.study);
        s->memory = gmmu_grow(NULL, 0, bytes, 1, 0);
        s->page_of = malloc(config->frames * sizeof *s->page_of);
        s->soon = calloc(1, sizeof *s->soon);
        if (tiers)
            s->tier2 = gmmu_leu_tier2_create(cfg, &set.regs, &set.place, set.ahead);
    }
    if (s == NULL || (tiers && s->tier2 == NULL) || s->memory == NULL || s->page_of == NULL ||
        s->soon == NULL || gmmu_tier_init_beyond(&s->unit, cfg, &set.regs, s->memory, bytes) != 0 ||
        (set.duel != 0 && !begin_duel(s, &set.driver))) {
        leu_destroy(s);
        (void)gmmu_policy_no_memory(name, err);
        return NULL;
    }
    s->name = name;
    s->unit.hir_unheard = true;
    if (set.duel == 0)
        gmmu_tier_protect(&s->unit, set.protect);
    s->by_walk = gmmu_at_once_begin(&s->at_once, &s->unit) && s->tier2 == NULL && !s->studied &&
                 !s->watched && s->duel_memory == NULL && s->merge == 0;
    return s;
}

static void *leu_create(const gmmu_policy_config *config, gmmu_error *err) {
    return create("leu", config, err);
}

static void *tier_create(const gmmu_policy_config *config, gmmu_error *err) {
    return create("tier", config, err);
}

static bool grow(leu *s, uint32_t page) {
    const uint32_t cap = gmmu_policy_capacity(s->page_cap, page);
    uint32_t *frame_of = gmmu_grow(s->frame_of, s->page_cap, cap, sizeof *frame_of, 0xff);
    if (frame_of == NULL)
        return false;
    s->frame_of = frame_of;
    if (!s->by_walk) {
        uint32_t *left = gmmu_grow(s->left, s->page_cap, cap, sizeof *left, 0xff);
        if (left == NULL)
            return false;
        s->left = left;
    }
    if (s->watched) {
        uint64_t *ref = gmmu_grow(s->ref, s->page_cap, cap, sizeof *ref, 0);
        if (ref == NULL)
            return false;
        s->ref = ref;
    }
    if (s->merge != 0) {
        uint64_t *begun = gmmu_grow(s->begun, s->page_cap, cap, sizeof *begun, 0);
        if (begun == NULL)
            return false;
        s->begun = begun;
    }
    s->page_cap = cap;
    return true;
}

static void on_decision(void *ctx, const gmmu_tier_decision *d) {
    leu *s = ctx;
    s->decision = *d;
    s->decisions++;
}

static size_t leu_facts(const void *state, gmmu_fact facts[GMMU_MOST_FACTS]) {
    const leu *s = state;
    return gmmu_leu_facts(&s->unit, s->duel_memory != NULL ? &s->duel : NULL, facts);
}

// A minifloat as profit / (left * cost): (1024 + M) / 2^(73 - E).
static void show(void *ctx, gmmu_leu_met met) {
    const leu *s = ctx;
    const gmmu_tier *u = &s->unit;
    const uint32_t f = met.frame;
    const gmmu_class cls = gmmu_frame_table_class(&u->frames.table, f);
    const uint32_t tau = (u->walk.time - u->frames.table.seen[f].last) & u->walk.time_mask;
    const unsigned row = gmmu_ppuc_serving_row(&u->ppuc, cls, gmmu_ref_rit_current(&u->rit, cls));
    const uint16_t code = gmmu_leu_study_priority(&s->study, u, row, tau);
    gmmu_candidate c = {.page = s->page_of[f],
                        .ref = s->watched ? s->ref[s->page_of[f]] : 0,
                        .tau = tau,
                        .guard = met.guard,
                        .unseen = met.unseen};
    if (code != 0) {
        const unsigned shift = 73u - (code >> 10);
        c.profit = 1024u + (code & 1023u);
        c.left = 1ull << (shift / 2);
        c.cost = 1ull << (shift - shift / 2);
    }
    s->watch->candidate(s->watch->context, &c);
}

// The decision that is due, for who watches.
static void show_decision(leu *s) {
    gmmu_fact facts[GMMU_MOST_FACTS];
    const size_t count = leu_facts(s, facts);
    if (count != 0 && s->watch->facts != NULL)
        s->watch->facts(s->watch->context, facts, count);
    gmmu_leu_foresee(&s->unit, show, s);
}

static void settle(leu *s) {
    if (s->studied)
        gmmu_leu_study_settle(&s->study, &s->unit, on_decision, s);
    else if (!gmmu_tier_settled(&s->unit))
        gmmu_tier_settle(&s->unit, on_decision, s);
}

// The decision for PAGE, (ASID, VPN), is there: its victim leaves, as *OUT says, and the page
// comes.
static int bring(leu *s, uint32_t page, uint32_t asid, uint64_t vpn, gmmu_outcome *out,
                 gmmu_error *err) {
    gmmu_tier *u = &s->unit;
    const uint32_t left = s->left[page];
    gmmu_tier_drv_in fill = {.op = GMMU_FILL, .vpn = vpn, .asid = asid};
    const gmmu_tier_decision *d = &s->decision;
    const bool victim_leaves = d->tier == GMMU_TIER_2 || d->tier == GMMU_TIER_3;
    if (s->tier2 != NULL && s->decisions == 1)
        gmmu_leu_tier2_rise(s->tier2, page, d, &fill, out);
    if (s->decisions == 1 && d->tier == GMMU_TIER_FREE) {
        fill.frame = s->filled++;
    } else if (s->decisions == 1 && victim_leaves) {
        fill.frame = d->frame;
        if (s->tier2 != NULL)
            gmmu_leu_tier2_place(s->tier2, u, s->page_of[fill.frame], d, out);
        else
            gmmu_outcome_evict(out, s->page_of[fill.frame]);
        gmmu_fetch_next_victim(u, s->page_of);
        const uint32_t victim = s->page_of[fill.frame];
        s->frame_of[victim] = NO_FRAME;
        s->left[victim] = u->stats.walks - ((u->walk.time - d->victim_last) & u->walk.time_mask);
    } else {
        snprintf(err->text, sizeof err->text, "%s: no decision for a fault", s->name);
        return GMMU_BAD;
    }
    fill.returns = left != NEVER && u->stats.walks - left < u->frames.age_limit;
    fill.was = left & u->walk.time_mask;
    (void)gmmu_tier_drv_inline(u, &fill);
    settle(s);
    s->page_of[fill.frame] = page;
    s->frame_of[page] = fill.frame;
    return GMMU_OK;
}

// One of the pages behind a fault comes up, if it is in Tier 2.
static int raise_one(leu *s, uint32_t asid, uint64_t vpn, gmmu_outcome *out, gmmu_error *err) {
    gmmu_tier *u = &s->unit;
    gmmu_tier_drv_in ask = {.op = GMMU_ASK, .asid = asid, .vpn = vpn};
    const uint32_t page = gmmu_pages_find(s->pages, asid, vpn);
    ask.t2 = page != GMMU_NO_PAGE && gmmu_leu_tier2_holds(s->tier2, page, &ask.slot);
    if (!ask.t2)
        return GMMU_OK;
    (void)gmmu_tier_drv(u, ask);
    s->decisions = 0;
    settle(s);
    gmmu_outcome one = {};
    gmmu_outcome_move(&one, page, GMMU_HOST, GMMU_NEAR);
    if (bring(s, page, asid, vpn, &one, err) != GMMU_OK)
        return GMMU_BAD;
    gmmu_ahead_raised(&s->tier2->ahead, page, &one, out);
    return GMMU_OK;
}

// What the driver does at a fault of policy `tier` with option ahead: of the pages behind PAGE,
// those in Tier 2 come up. PAGE stays meanwhile: the access that waits for it is yet to come.
static int raise_next(leu *s, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                      gmmu_error *err) {
    gmmu_tier_drv_in pin = {.op = GMMU_PIN, .frame = s->frame_of[page]};
    (void)gmmu_tier_drv_inline(&s->unit, &pin);
    gmmu_ahead_begin(&s->tier2->ahead, out);
    int status = GMMU_OK;
    // behind the last page there is none; with one frame the pinned page has the only place
    const uint64_t behind = s->unit.regs.frames == 1 ? 0 : s->tier2->vpn_mask - walk->vpn;
    for (uint32_t i = 1; i <= s->tier2->ahead.depth && i <= behind && status == GMMU_OK; i++)
        status = raise_one(s, walk->asid, walk->vpn + i, out, err);
    pin.op = GMMU_UNPIN;
    (void)gmmu_tier_drv_inline(&s->unit, &pin);
    return status;
}

// A walk that is made by AT_ONCE.
static int access_at_once(leu *s, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                          gmmu_error *err) {
    gmmu_tier *u = &s->unit;
    gmmu_tier_walk_in in;
    if (gmmu_leu_walk(s->name, &u->cfg, walk, &in, err) != GMMU_OK)
        return GMMU_END;
    in.ref &= s->ref_mask;
    in.frame = s->frame_of[page];
    in.fault = in.frame == NO_FRAME;
    gmmu_outcome_begin(out, page, in.fault);
    if (!in.fault) {
        gmmu_at_once_hit(&s->at_once, u, &in);
        return GMMU_OK;
    }
    if (u->select.kept != 0)
        __builtin_prefetch(&s->frame_of[s->page_of[u->select.likely]], 1);
    uint32_t frame = s->filled;
    bool left;
    if (!gmmu_at_once_fault(&s->at_once, u, &in, &frame, &left)) {
        (void)snprintf(err->text, sizeof err->text, "%s: no decision for a fault", s->name);
        return GMMU_BAD;
    }
    if (left) {
        const uint32_t victim = s->page_of[frame];
        gmmu_outcome_evict(out, victim);
        s->frame_of[victim] = NO_FRAME;
        gmmu_fetch_next_victim(u, s->page_of);
    } else {
        s->filled++;
    }
    s->page_of[frame] = page;
    s->frame_of[page] = frame;
    return GMMU_OK;
}

// True: an earlier walk of PAGE is still under way, and IN is answered with this walk. The unit
// does not see IN; a store makes the page dirty, as in the page table.
static bool merged(leu *s, uint32_t page, const gmmu_tier_walk_in *in) {
    gmmu_tier *u = &s->unit;
    if (!in->fault && u->stats.walks - s->begun[page] <= s->merge) {
        if (in->write)
            (void)gmmu_tier_replay(u, *in);
        return true;
    }
    s->begun[page] = u->stats.walks;
    return false;
}

// A walk that is made action by action.
static __attribute__((noinline)) int access_by_actions(leu *s, uint32_t page, const gmmu_walk *walk,
                                                       gmmu_outcome *out, gmmu_error *err) {
    gmmu_tier *u = &s->unit;
    gmmu_tier_walk_in in;
    if (gmmu_leu_walk(s->name, &u->cfg, walk, &in, err) != GMMU_OK)
        return GMMU_END;
    in.ref &= s->ref_mask;
    in.fault = s->frame_of[page] == NO_FRAME;
    in.frame = in.fault ? 0 : s->frame_of[page];
    gmmu_outcome_begin(out, page, in.fault);
    if (s->merge != 0 && merged(s, page, &in))
        return GMMU_OK;
    bool used_raised = false;
    if (s->tier2 != NULL) {
        if (!gmmu_leu_tier2_grow(s->tier2, page) || !gmmu_leu_tier2_hear(s->tier2, u, page))
            return gmmu_policy_no_memory("tier", err);
        in.t2 = in.fault && gmmu_leu_tier2_holds(s->tier2, page, &in.slot);
        if (in.t2)
            out->move[0].from = GMMU_HOST;
        used_raised = gmmu_leu_ahead_access(s->tier2, page, out);
    }
    if (s->watched)
        s->ref[page] = walk->ref;
    if (in.fault && u->select.kept != 0)
        __builtin_prefetch(&s->frame_of[s->page_of[u->select.likely]], 1);
    if (s->studied)
        (void)gmmu_leu_study_walk(&s->study, u, in);
    else
        (void)gmmu_tier_walk_inline(u, &in);
    if (in.fault && s->filled == u->regs.frames && s->watch != NULL)
        show_decision(s);
    s->decisions = 0;
    settle(s);
    if (s->duel_memory != NULL)
        follow_duel(s);
    if (!in.fault)
        return used_raised ? raise_next(s, page, walk, out, err) : GMMU_OK;
    if (bring(s, page, walk->asid, walk->vpn, out, err) != GMMU_OK)
        return GMMU_BAD;
    return s->tier2 != NULL && s->tier2->ahead.most != 0 ? raise_next(s, page, walk, out, err)
                                                         : GMMU_OK;
}

static int leu_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                      gmmu_error *err) {
    leu *s = state;
    if (page >= s->page_cap && !grow(s, page))
        return gmmu_policy_no_memory(s->name, err);
    return s->by_walk ? access_at_once(s, page, walk, out, err)
                      : access_by_actions(s, page, walk, out, err);
}

static void leu_prefetch(const void *state, uint32_t page) {
    const leu *s = state;
    const uint32_t now = gmmu_lookahead_next(s->soon, page);
    const uint32_t frame = now < s->page_cap ? s->frame_of[now] : NO_FRAME;
    if (frame != NO_FRAME)
        gmmu_fetch_frame(&s->unit, frame);
    if (page < s->page_cap)
        __builtin_prefetch(&s->frame_of[page], 1);
}

static void leu_watch(void *state, const gmmu_watch *watch) {
    leu *s = state;
    s->watch = watch;
}

static void leu_note(const void *state, char *text, size_t size) {
    const gmmu_tier *u = &((const leu *)state)->unit;
    snprintf(text, size, "threshold=%u sampler=%u sampled=%u dropped=%u", u->sampler.threshold,
             u->sampler.entries, u->sampler.occupied, u->stats.rec_drops);
}

static void tier_note(const void *state, char *text, size_t size) {
    leu_note(state, text, size);
    gmmu_ahead_note(&((const leu *)state)->tier2->ahead, text, size);
}

const gmmu_policy gmmu_policy_leu = {
    .name = "leu",
    .help = "LEU in the unit's arithmetic: this project's hardware",
    .options =
        "config=tiny|default|onchip|large (default)\n"
        "search=scan|sample|clock (scan; large: sample)\n"
        "the unit's registers: pseudo=0|1 censor=0|1 feed=0|1 sample=0..8\n"
        "  refresh=0..20 (docs/reference/registers.md)\n"
        "protect=N (0): frames that may be protected, in 1/256\n"
        "duel=0|1 (0): the driver's duel of shadow memories sets protect\n"
        "  to share=N (248) or to 0; of the duel:\n"
        "  shadow=N (1024): frames of a shadow, decay=N (4),\n"
        "  deviations=N (2), back=N (32)\n"
        "the unit's sizes: k=N pool=N classes=N count=2..16 sampler=N\n"
        "  ref=0..64 (REF_W): bits of the reference; 0: walks carry none\n"
        "for studies, not in hardware:\n"
        "  octave=1|2|4|8 (4): bins an octave\n"
        "  drop=0..10 (0): mantissa bits cleared\n"
        "  keep=0|1 (0; 1: full counts saturate, and are not halved)\n"
        "  prior=N (8): pseudo-counts\n"
        "  early=1..20: refresh up to walk 8192\n"
        "  engine=N (0): walks during the refresh of a row\n"
        "  merge=N (0): a hit at most N walks behind its page's last walk\n"
        "    is merged into this walk, and the unit does not see the hit",
    .tie_rule = "older last access, then lower frame",
    .larger = gmmu_leu_larger,
    .create = leu_create,
    .access = leu_access,
    .prefetch = leu_prefetch,
    .watch = leu_watch,
    .facts = leu_facts,
    .note = leu_note,
    .destroy = leu_destroy,
};

const gmmu_policy gmmu_policy_tier = {
    .name = "tier",
    .help = "the unit in three tiers, by LEU's priority; needs --tier2",
    .options =
        "those of leu, with search=sample\n"
        "tie=older|younger (younger): leaves Tier 2 at equal priorities\n"
        "ahead=0..64 (0): pages behind a fault that come up from Tier 2\n"
        "place=priority|order|random|reuse (priority; the others: GMT's\n"
        "  TierOrder, Random and Reuse in the unit, with search=clock)\n"
        "of these: full=evict|drop (evict; reuse: drop),\n"
        "  default=tierorder|random, limit=tier2|both; sets=N (4096),\n"
        "  ways=N (4): the predictor",
    .tiers = true,
    .tie_rule = "older last access, then lower frame",
    .create = tier_create,
    .access = leu_access,
    .prefetch = leu_prefetch,
    .watch = leu_watch,
    .facts = leu_facts,
    .note = tier_note,
    .destroy = leu_destroy,
};
