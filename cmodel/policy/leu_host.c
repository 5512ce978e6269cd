// SPDX-License-Identifier: Apache-2.0
// leu_host.c: policy `leu-host`: the device samples and exports, the RIMM host decides.
//
// Paper: Chen et al., "Statistical Caching for Near Memory Management" (MEMSYS '19), §3.3, Fig. 4.
// Every record travels as beats of m_axis_rit (cmodel/blocks/rit_export, packed and unpacked) to
// the host library (cmodel/driver/rimm_host), whose victim leaves. The unit decides too; where the
// host chooses another frame the driver fills that one and cancels the unit's.
#include <stdio.h>
#include <stdlib.h>

#include "blocks/schedule.h"
#include "driver/rimm_host.h"
#include "policy/leu_config.h"
#include "policy/leu_walk.h"
#include "policy/option.h"

enum { NO_FRAME = UINT32_MAX };

typedef struct {
    gmmu_config cfg;
    gmmu_regs regs;
    uint32_t touch, sampler;
} settings;

typedef struct {
    gmmu_tier unit;
    gmmu_rimm_host host;
    void *unit_memory, *host_memory;
    uint32_t *page_of;   // of each frame
    uint32_t *frame_of;  // of each page
    uint32_t page_cap, filled;
    gmmu_tier_decision decision;
    unsigned decisions;
    gmmu_rimm_fault fault;  // the last one that the stream brought
    unsigned faults;
    uint64_t walks;
    bool lost;
} leu_host;

static void destroy(void *state) {
    leu_host *s = state;
    if (s == NULL)
        return;
    free(s->unit_memory);
    free(s->host_memory);
    free(s->page_of);
    free(s->frame_of);
    free(s);
}

static bool read_options(const gmmu_policy_config *config, settings *o, gmmu_error *err) {
    const gmmu_option options[] = {
        GMMU_WORD("config", &o->cfg, gmmu_leu_config),
        GMMU_NUMBER("batch", &o->regs.rit_batch, 1, GMMU_RIT_BATCH),
        GMMU_NUMBER("flush", &o->regs.rit_fault, 0, 1),
        GMMU_NUMBER("touch", &o->touch, 0, 1),
        GMMU_NUMBER("feed", &o->regs.feed, 0, 1),
        GMMU_NUMBER("sample", &o->regs.sample, 0, 8),
        GMMU_NUMBER("sampler", &o->sampler, 0, 1 << 20),
        GMMU_NUMBER("pseudo", &o->regs.pseudo, 0, 1),
        GMMU_NUMBER("censor", &o->regs.censor, 0, 1),
        GMMU_NUMBER("refresh", &o->regs.refresh, 0, 20),
    };
    return gmmu_options_take("leu-host", config, options, sizeof options / sizeof options[0],
                             "config=" GMMU_LEU_CONFIGS
                             ", batch=1..128, flush=0|1, "
                             "touch=0|1, feed=0|1, sample=0..8, "
                             "sampler=N, pseudo=0|1, censor=0|1 or refresh=0..20",
                             err);
}

static void on_fault(void *ctx, const gmmu_rimm_fault *f) {
    leu_host *s = ctx;
    s->fault = *f;
    s->faults++;
}

// The wire: each beat as bits.
static void on_beat(void *ctx, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    leu_host *s = ctx;
    s->lost |= gmmu_rimm_host_beat(&s->host, words, last) != GMMU_RIMM_OK;
}

static void on_packet(void *ctx, const gmmu_rit_packet *p) {
    leu_host *s = ctx;
    gmmu_rit_beats(&s->unit.cfg, p, on_beat, s);
}

static void on_decision(void *ctx, const gmmu_tier_decision *d) {
    leu_host *s = ctx;
    s->decision = *d;
    s->decisions++;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    settings o = {.cfg = *gmmu_config_find("default"), .touch = 1, .sampler = UINT32_MAX};
    o.regs = gmmu_regs_default(&o.cfg);
    o.regs.sample = 0;  // the host hears of the accesses to sampled pages only
    o.regs.rit_batch = 64;
    o.regs.search = GMMU_SEARCH_SAMPLE;  // its victims are not used
    if (!read_options(config, &o, err))
        return NULL;
    if (o.sampler != UINT32_MAX)  // wherever the option `config` stands
        o.cfg.sampler = o.sampler;
    o.cfg.t2_slots = o.regs.t2_slots = 0;  // without tiers
    if (o.cfg.frames < config->frames)
        o.cfg.frames = config->frames;
    o.regs.frames = config->frames;
    const char *bad = gmmu_config_error(&o.cfg);
    if (bad == NULL && o.regs.rit_batch > o.cfg.ritq)
        bad = "batch must not exceed RITQ";
    if (bad != NULL) {
        snprintf(err->text, sizeof err->text, "leu-host: configuration %s with %u frames: %s",
                 o.cfg.name, o.cfg.frames, bad);
        return NULL;
    }
    const gmmu_rimm_config hc = {.unit = o.cfg,
                                 .frames = config->frames,
                                 .pseudo = o.regs.pseudo != 0,
                                 .refresh = o.regs.refresh,
                                 .touch = o.touch};
    const size_t unit_bytes = gmmu_tier_bytes(&o.cfg), host_bytes = gmmu_rimm_host_bytes(&hc);
    leu_host *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->unit_memory = malloc(unit_bytes);
        s->host_memory = malloc(host_bytes);
        s->page_of = malloc(config->frames * sizeof *s->page_of);
    }
    if (s == NULL || s->unit_memory == NULL || s->host_memory == NULL || s->page_of == NULL ||
        gmmu_tier_init(&s->unit, &o.cfg, &o.regs, s->unit_memory, unit_bytes) != 0 ||
        gmmu_rimm_host_init(&s->host, &hc, s->host_memory, host_bytes) != 0) {
        destroy(s);
        (void)gmmu_policy_no_memory("leu-host", err);
        return NULL;
    }
    s->unit.rit_sink = on_packet;
    s->unit.rit_ctx = s;
    s->host.on_fault = on_fault;
    s->host.ctx = s;
    return s;
}

static bool grow(leu_host *s, uint32_t page) {
    const uint32_t cap = gmmu_policy_capacity(s->page_cap, page);
    uint32_t *frame_of = realloc(s->frame_of, cap * sizeof *frame_of);
    if (frame_of == NULL)
        return false;
    s->frame_of = frame_of;
    for (uint32_t p = s->page_cap; p < cap; p++) s->frame_of[p] = NO_FRAME;
    s->page_cap = cap;
    return true;
}

// The fault's page goes into the host's victim; the unit hears of it.
static int fill(leu_host *s, const gmmu_walk *walk, uint32_t page, gmmu_outcome *out) {
    gmmu_tier_drv_in op = {.op = GMMU_FILL, .vpn = walk->vpn, .asid = walk->asid};
    if (s->filled < s->unit.regs.frames) {
        op.frame = s->filled++;
    } else {
        const gmmu_rimm_victim v = gmmu_rimm_host_answer(&s->host, &s->fault);
        if (!v.found || s->decision.tier != GMMU_TIER_2)
            return GMMU_BAD;
        op.frame = v.frame;
        gmmu_outcome_evict(out, s->page_of[v.frame]);
        s->frame_of[s->page_of[v.frame]] = NO_FRAME;
    }
    s->page_of[op.frame] = page;
    s->frame_of[page] = op.frame;
    gmmu_rimm_host_fill(&s->host, op.frame, &s->fault);
    (void)gmmu_tier_drv(&s->unit, op);
    gmmu_tier_settle(&s->unit, on_decision, s);
    if (s->decision.tier == GMMU_TIER_2 && s->decision.frame != op.frame) {
        op.op = GMMU_CANCEL;  // that page stays
        op.frame = s->decision.frame;
        (void)gmmu_tier_drv(&s->unit, op);
        gmmu_tier_settle(&s->unit, on_decision, s);
    }
    return GMMU_OK;
}

static int access_page(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                       gmmu_error *err) {
    leu_host *s = state;
    gmmu_tier *u = &s->unit;
    if (page >= s->page_cap && !grow(s, page))
        return gmmu_policy_no_memory("leu-host", err);
    gmmu_tier_walk_in in;
    if (gmmu_leu_walk("leu-host", &u->cfg, walk, &in, err) != GMMU_OK)
        return GMMU_END;
    in.fault = s->frame_of[page] == NO_FRAME;
    in.frame = in.fault ? 0 : s->frame_of[page];
    gmmu_outcome_begin(out, page, in.fault);
    s->walks++;
    s->faults = s->decisions = 0;
    (void)gmmu_tier_walk(u, in);
    gmmu_tier_settle(u, on_decision, s);
    if (s->lost || u->rit_export.drops != 0) {
        snprintf(err->text, sizeof err->text, "leu-host: records were lost between unit and host");
        return GMMU_BAD;
    }
    if (!in.fault)
        return GMMU_OK;
    if (!u->regs.rit_fault) {  // the driver's own fault handler tells the host
        s->fault = gmmu_rimm_host_fault(&s->host, in.asid, in.vpn, in.ref, s->walks);
        s->faults = 1;
    }
    if (s->faults != 1 || s->decisions != 1 || fill(s, walk, page, out) != GMMU_OK) {
        snprintf(err->text, sizeof err->text, "leu-host: no decision for a fault");
        return GMMU_BAD;
    }
    return GMMU_OK;
}

const gmmu_policy gmmu_policy_leu_host = {
    .name = "leu-host",
    .help = "LEU's RIMM: the unit samples and exports, the host decides",
    .options =
        "config=tiny|default|onchip|large (default)\n"
        "batch=1..128 (64): records of a batch\n"
        "flush=0|1 (1: a fault ends the batch)\n"
        "touch=0|1 (1: records report accesses)\n"
        "feed=0|1 (0), sample=0..8 (0), sampler=ENTRIES\n"
        "pseudo=0|1 (1), censor=0|1 (1), refresh=0..20 (6)",
    .rule = "the lowest priority of all resident pages by what the host knows",
    .tie_rule = "older last access as far as the host knows, then lower frame",
    .larger = gmmu_leu_larger,
    .create = create,
    .access = access_page,
    .destroy = destroy,
};
