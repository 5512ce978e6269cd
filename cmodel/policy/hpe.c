// SPDX-License-Identifier: Apache-2.0
// hpe.c: policy `hpe`: the device records hits, the driver's page set chain decides.
//
// Paper: Yu et al., "HPE: Hierarchical Page Eviction Policy for Unified Memory in GPUs" (TCAD
// 2020), §IV. Hits go to the HIR cache (cmodel/blocks/hir_cache); every `transfer` faults its
// packet travels as beats of m_axis_hir, packed and unpacked, to the page set chain
// (cmodel/driver/page_set_chain), whose victim leaves. The driver answers before the next walk, so
// that the other bank is always free. What the paper leaves open is docs/papers/hpe.md, E1 to E15;
// each has its option.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks/hir_cache.h"
#include "driver/page_set_chain.h"
#include "policy/option.h"
#include "policy/policy.h"

enum { FIRST, FAULT_FIRST, LAST };  // E15: when a packet reaches the chain

enum { VPN_W = 64, ASID_W = 16 };  // any trace's; the widths of a beat decide nothing

// Not given: follows from another option.
#define FOLLOWS UINT64_MAX

typedef struct {
    uint64_t packets, entries, most_entries;  // transferred
    uint64_t hits, most_hits;                 // walk hits before a transfer, dropped ones included
} traffic;

typedef struct {
    gmmu_psc chain;
    gmmu_hir_cache hir;
    void *chain_memory, *hir_memory;
    const gmmu_pages *pages;
    uint8_t *resident;  // of each page
    uint32_t cap;
    uint32_t transfer, records;
    bool ideal;
    bool failed;    // the chain contradicts what is resident
    uint64_t hits;  // since the last transfer
    traffic sent;
    gmmu_eligible eligible;
    gmmu_psc_strategy by;  // that chose the last victim
} hpe;

typedef struct {
    uint64_t set, interval, transfer, sets, ways, bits, ideal, records;
    uint64_t trigger, fifo, jump, jumps, large, ratio, saturate, divide, history, total, category;
    uint64_t counted, mruc, brief, untried, tie, afresh, again, window, second;
} settings;

static bool read_options(const gmmu_policy_config *config, settings *o, gmmu_error *err) {
    const gmmu_option options[] = {
        GMMU_NUMBER("set", &o->set, 1, GMMU_PSC_MAX_PAGES),
        GMMU_NUMBER("interval", &o->interval, 1, UINT16_MAX),
        GMMU_NUMBER("transfer", &o->transfer, 0, UINT16_MAX),
        GMMU_NUMBER("sets", &o->sets, 1, GMMU_HIR_ENTRIES),
        GMMU_NUMBER("ways", &o->ways, 1, GMMU_HIR_ENTRIES),
        GMMU_NUMBER("bits", &o->bits, 1, 8),
        GMMU_NUMBER("ideal", &o->ideal, 0, 1),
        GMMU_NUMBER("records", &o->records, FIRST, LAST),
        GMMU_NUMBER("trigger", &o->trigger, 0, UINT16_MAX),
        GMMU_NUMBER("fifo", &o->fifo, 0, UINT16_MAX),
        GMMU_NUMBER("jump", &o->jump, 0, UINT16_MAX),
        GMMU_NUMBER("jumps", &o->jumps, 0, UINT32_MAX),
        GMMU_NUMBER("large", &o->large, 0, UINT32_MAX),
        GMMU_NUMBER("ratio", &o->ratio, 0, UINT32_MAX),
        GMMU_NUMBER("saturate", &o->saturate, 1, UINT16_MAX),
        GMMU_NUMBER("divide", &o->divide, 0, UINT16_MAX),
        GMMU_NUMBER("history", &o->history, 0, UINT32_MAX / 4),
        GMMU_NUMBER("total", &o->total, 0, 1),
        GMMU_NUMBER("category", &o->category, GMMU_PSC_OPEN, GMMU_PSC_IRREGULAR_2),
        GMMU_NUMBER("counted", &o->counted, GMMU_PSC_COUNT_ALL, GMMU_PSC_COUNT_OLD),
        GMMU_NUMBER("mruc", &o->mruc, GMMU_PSC_BY_SIZE, GMMU_PSC_ANY_COUNT),
        GMMU_NUMBER("brief", &o->brief, 0, 1),
        GMMU_NUMBER("untried", &o->untried, 0, 1),
        GMMU_NUMBER("tie", &o->tie, 0, 1),
        GMMU_NUMBER("afresh", &o->afresh, 0, 1),
        GMMU_NUMBER("again", &o->again, 0, 1),
        GMMU_NUMBER("window", &o->window, 0, 1),
        GMMU_NUMBER("second", &o->second, 0, 1),
    };
    return gmmu_options_read("hpe", config, options, sizeof options / sizeof options[0], err);
}

static uint32_t either(uint64_t given, uint32_t otherwise) {
    return given == FOLLOWS ? otherwise : (uint32_t)given;
}

static gmmu_psc_config chain_config(const settings *o, uint32_t frames) {
    gmmu_psc_config c = gmmu_psc_paper(frames, (uint32_t)o->set);
    c.interval = (uint32_t)o->interval;
    c.trigger = either(o->trigger, c.set_pages);
    c.fifo = either(o->fifo, 2 * c.interval);
    c.jump = (uint32_t)o->jump;
    c.jumps = (uint32_t)o->jumps;
    c.large = either(o->large, c.large);
    c.ratio_num = (uint32_t)o->ratio;
    c.ratio_den = 100;
    c.count_max = either(o->saturate, c.count_max);
    c.divide = either(o->divide, c.count_max);
    c.history = either(o->history, c.history);
    c.total = o->total != 0;
    c.force = (gmmu_psc_category)o->category;
    c.counted = (gmmu_psc_counted)o->counted;
    c.mruc = (gmmu_psc_mruc)o->mruc;
    c.brief = o->brief != 0;
    c.untried = o->untried != 0;
    c.tie = o->tie != 0;
    c.afresh = o->afresh != 0;
    c.again = o->again != 0;
    c.window = o->window != 0;
    c.second = o->second != 0;
    return c;
}

static void destroy(void *state) {
    hpe *s = state;
    if (s == NULL)
        return;
    free(s->chain_memory);
    free(s->hir_memory);
    free(s->resident);
    free(s);
}

// Both parts from memory of their own; false: there is none.
static bool build(hpe *s, const gmmu_psc_config *cc, const gmmu_hir_config *hc) {
    const size_t bytes = gmmu_psc_bytes(cc);
    gmmu_arena arena = {0};
    (void)gmmu_hir_cache_init(&s->hir, hc, &arena);  // counts
    arena = (gmmu_arena){.base = malloc(arena.used), .size = arena.used};
    s->hir_memory = arena.base;
    s->chain_memory = malloc(bytes);
    return gmmu_hir_cache_init(&s->hir, hc, &arena) == 0 && s->chain_memory != NULL &&
           gmmu_psc_init(&s->chain, cc, s->chain_memory, bytes) == 0;
}

static bool may_leave(const void *context, uint32_t asid, uint64_t vpn) {
    const hpe *s = context;
    return gmmu_may_leave(&s->eligible, gmmu_pages_find(s->pages, asid, vpn));
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    settings o = {.set = 16,
                  .interval = 64,
                  .transfer = 16,
                  .sets = 128,
                  .ways = 8,
                  .bits = 2,
                  .records = FAULT_FIRST,
                  .trigger = FOLLOWS,
                  .fifo = FOLLOWS,
                  .jump = 16,
                  .jumps = UINT32_MAX,
                  .large = FOLLOWS,
                  .ratio = 30,
                  .saturate = FOLLOWS,
                  .divide = FOLLOWS,
                  .history = FOLLOWS};
    if (!read_options(config, &o, err))
        return NULL;
    const gmmu_hir_config hc = {.sets = (unsigned)o.sets,
                                .ways = (unsigned)o.ways,
                                .pages = (unsigned)o.set,
                                .cnt_w = (unsigned)o.bits,
                                .vpn_w = VPN_W,
                                .asid_w = ASID_W};
    const gmmu_psc_config cc = chain_config(&o, config->frames);
    const char *bad = gmmu_hir_config_error(&hc);
    if (bad == NULL && gmmu_psc_bytes(&cc) == 0)
        bad = "too many frames";
    if (bad != NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy hpe: sets=%u:ways=%u:set=%u:bits=%u, %" PRIu32 " frames: %s",
                       hc.sets, hc.ways, hc.pages, hc.cnt_w, config->frames, bad);
        return NULL;
    }
    hpe *s = calloc(1, sizeof *s);
    if (s == NULL || !build(s, &cc, &hc)) {
        destroy(s);
        (void)gmmu_policy_no_memory("hpe", err);
        return NULL;
    }
    s->pages = config->pages;
    s->eligible = config->eligible;
    if (s->eligible.may_leave != NULL) {
        s->chain.may_leave = may_leave;
        s->chain.context = s;
    }
    s->transfer = (uint32_t)o.transfer;
    s->records = (uint32_t)o.records;
    s->ideal = o.ideal != 0;
    return s;
}

// The wire: each beat as bits.
static void deliver(hpe *s) {
    gmmu_hir_packet p;
    uint32_t words[GMMU_HIR_WORDS];
    (void)gmmu_hir_cache_drain_swap(&s->hir, true, &p);
    gmmu_hir_pack_head(&p.head, words);
    const gmmu_hir_head head = gmmu_hir_unpack_head(words);
    const unsigned bits = s->hir.cfg.cnt_w;
    for (uint32_t i = 0; i < head.n; i++) {
        gmmu_hir_pack_record(&s->hir.cfg, &p.record[i], words);
        const gmmu_hir_record r = gmmu_hir_unpack_record(&s->hir.cfg, words);
        gmmu_psc_record record = {.asid = r.asid, .set = r.set};
        for (unsigned k = 0; k < s->hir.cfg.pages; k++)
            record.count[k] = (uint8_t)(r.counters >> k * bits & (UINT64_MAX >> (64 - bits)));
        gmmu_psc_hits(&s->chain, &record);
    }
    traffic *t = &s->sent;
    t->packets++;
    t->entries += head.n;
    t->most_entries = head.n > t->most_entries ? head.n : t->most_entries;
    t->hits += s->hits;
    t->most_hits = s->hits > t->most_hits ? s->hits : t->most_hits;
    s->hits = 0;
}

static void hit(hpe *s, const gmmu_walk *walk) {
    s->hits++;
    if (!s->ideal) {
        (void)gmmu_hir_cache_hit(&s->hir, walk->asid, walk->vpn);
        return;
    }
    gmmu_psc_record one = {.asid = walk->asid, .set = walk->vpn / s->chain.cfg.set_pages};
    one.count[walk->vpn % s->chain.cfg.set_pages] = 1;
    gmmu_psc_hits(&s->chain, &one);
}

static void evict(hpe *s, gmmu_outcome *out) {
    const gmmu_psc_page v = gmmu_psc_victim(&s->chain);
    s->by = s->chain.strategy;
    s->failed |= !v.found || gmmu_psc_evicted(&s->chain, v.asid, v.vpn) != 0;
    if (s->failed)
        return;
    const uint32_t page = gmmu_pages_find(s->pages, v.asid, v.vpn);
    s->resident[page] = 0;
    gmmu_outcome_evict(out, page);
}

static int verdict(const hpe *s, gmmu_error *err) {
    if (s->failed) {
        (void)snprintf(err->text, sizeof err->text, "hpe: the page set chain lost a page");
        return GMMU_BAD;
    }
    return GMMU_OK;
}

static int access_page(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                       gmmu_error *err) {
    hpe *s = state;
    if (page >= s->cap) {
        const uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint8_t *resident = gmmu_grow(s->resident, s->cap, cap, 1, 0);
        if (resident == NULL)
            return gmmu_policy_no_memory("hpe", err);
        s->resident = resident;
        s->cap = cap;
    }
    if (walk->asid >> ASID_W != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "hpe: found address space %" PRIu32 ", expected at most %d", walk->asid,
                       (1 << ASID_W) - 1);
        return GMMU_END;
    }
    gmmu_outcome_begin(out, page, s->resident[page] == 0);
    if (!out->fault) {
        hit(s, walk);
        return GMMU_OK;
    }
    if (s->eligible.may_leave != NULL && s->chain.resident == s->chain.cfg.frames &&
        !gmmu_psc_some_may_leave(&s->chain)) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    const bool due = !s->ideal && gmmu_hir_cache_fault(&s->hir, s->transfer);
    if (due && s->records == FIRST)
        deliver(s);
    s->failed |= gmmu_psc_fault(&s->chain, walk->asid, walk->vpn) != 0;
    if (due && s->records == FAULT_FIRST)
        deliver(s);
    if (s->chain.resident == s->chain.cfg.frames)
        evict(s, out);
    if (due && s->records == LAST)
        deliver(s);
    s->failed |= gmmu_psc_filled(&s->chain, walk->asid, walk->vpn) != 0;
    s->resident[page] = 1;
    return verdict(s, err);
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    hpe *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    if (!gmmu_psc_some_may_leave(&s->chain)) {
        gmmu_outcome_stuck(out);
    } else {
        evict(s, out);
    }
    return verdict(s, err);
}

static void note(const void *state, char *text, size_t size) {
    static const char *const category[] = {"open", "regular", "irregular1", "irregular2"};
    const hpe *s = state;
    const gmmu_psc_stats *n = &s->chain.stats;
    const gmmu_psc_census *c = &s->chain.census;
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {
        {"regular", c->regular},
        {"irregular", c->irregular},
        {"small", c->small},
        {"large", c->large},
        {"old", c->old},
        {"length", c->length},
        {"intervals", n->intervals},
        {"length_sum", n->length_sum},
        {"most_length", n->most_length},
        {"lru_intervals", n->lasted[GMMU_PSC_LRU]},
        {"mruc_intervals", n->lasted[GMMU_PSC_MRU_C]},
        {"lru_gone", n->gone[GMMU_PSC_LRU]},
        {"mruc_gone", n->gone[GMMU_PSC_MRU_C]},
        {"lru_wrong", n->wrong[GMMU_PSC_LRU]},
        {"mruc_wrong", n->wrong[GMMU_PSC_MRU_C]},
        {"jumps", n->jumps},
        {"switches", n->switches},
        {"searches", n->searches},
        {"compared", n->compared},
        {"most_compared", n->most_compared},
        {"mruc_searches", n->mruc_searches},
        {"mruc_compared", n->mruc_compared},
        {"divided", n->divided},
        {"undivided", n->undivided},
        {"records", n->records},
        {"stale", n->stale},
        {"packets", s->sent.packets},
        {"entries", s->sent.entries},
        {"most_entries", s->sent.most_entries},
        {"hits", s->sent.hits},
        {"most_hits", s->sent.most_hits},
        {"dropped", s->hir.drops},
    };
    size_t at = (size_t)snprintf(text, size, "category=%s", category[s->chain.category]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, " %s=%" PRIu64, numbers[i].key,
                               numbers[i].value);
}

static void why(const void *state, char *text, size_t size) {
    const hpe *s = state;
    (void)snprintf(text, size,
                   "the lowest page of the page set that leaves at present; strategy %s",
                   s->by == GMMU_PSC_LRU ? "LRU" : "MRU-C");
}

const gmmu_policy gmmu_policy_hpe = {
    .name = "hpe",
    .help = "HPE: hits through the HIR cache, page set chain in the driver",
    .options =
        "set=1..32 (16): pages of a page set\n"
        "interval=N (64), transfer=N (16): faults\n"
        "sets=N (128), ways=N (8), bits=1..8 (2): the HIR cache\n"
        "ideal=0|1 (0: hits through HIR)\n"
        "category=0..3 (0: by statistics)\n"
        "trigger= fifo= jump= jumps= large= ratio= saturate= divide=\n"
        "history= records= total= counted= mruc= brief= untried= tie=\n"
        "afresh= again= window= second= (docs/reference/policies.md)",
    .why = why,
    .ideal = "ideal=1",
    .tie_rule = "nearer to the MRU end (MRU-C), to the LRU end (LRU); then the lower page",
    .obeys = true,
    .create = create,
    .access = access_page,
    .evict = evict_ahead,
    .note = note,
    .destroy = destroy,
};
