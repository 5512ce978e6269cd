// SPDX-License-Identifier: Apache-2.0
// leu2.c: policy `leu2`: LEU's priority, corrected by what is learnt of the pages' remaining time.
//
// Source: the priority is that of Chen et al., "Statistical Caching for Near Memory Management"
// (MEMSYS '19), in the unit's arithmetic (cmodel/blocks). The correction is this project's own: a
// regression over hashed tables of "remaining time > C/2, 2C, 8C, 32C walks" (C: frames), trained
// on sampled frames, as perceptron predictors of caches are. docs/reference/leu2.md has the rules
// in full, the memories in bits, and what was found.
//
// The whole unit runs as in `leu:search=sample`, on the standard schedule; only the key that
// victim_select gets is another one. It is
//     65535 - distance - 6 * sum over the thresholds of P(base + weights) - P(base),
// with distance the log2 of the time that the priority stands for, in 1/1024. A page about which
// LEU knows nothing (priority 0, or less than 16 times 32C says) gets a distance beyond all others:
// the younger, the farther, and a dirty one 2 octaves nearer.
//
// Parameters: candidates and pool of the unit (K = 64, P = 16), 6 samples a fault, 6 tables of 1024
// words of four 10-bit weights, 4 queues of 1024 samples, a page history of 4096 lines of 8 pages.
// With samples=0:unknown=0 every key is the unit's priority: `leu:search=sample`, victim by victim.
#include <stdio.h>
#include <stdlib.h>

#include "blocks/crc32c.h"
#include "blocks/schedule.h"
#include "policy/leu2_arith.h"
#include "policy/leu_config.h"
#include "policy/leu_fetch.h"
#include "policy/leu_walk.h"
#include "policy/octave_bin.h"
#include "policy/option.h"
#include "policy/page_history.h"

enum {
    NO_FRAME = UINT32_MAX,
    THRESHOLDS = 4,
    FEATURES = 6,
    LINE = GMMU_HISTORY_LINE,
    PC_BITS = 10,
    UNIT = 64,            // of a logit: weights and log2 of times count in 1/64
    BASE_MAX = 4 * UNIT,  // of the base of a logit
    FAR_AT = 4 * 1024,    // beyond the last threshold: LEU knows nothing
    DIRTY = 2 * 1024,
    MOST_SAMPLES = 64,                // a fault
    NEARS = 65536 * UNIT / 1024 + 1,  // distances in 1/UNIT
    MOST_AT = 127,                    // of the table of probabilities
};

// What the features of a page are made of.
typedef struct {
    uint16_t pc;
    uint16_t near;     // log2 of its distance, in 1/64
    uint8_t age;       // log2 of its age, in 1/2
    uint8_t order[4];  // against the pages 1 before, 1 after, 8 before, 8 after
} page_view;

// A frame's page, remembered until it is known whether it was accessed in time.
typedef struct {
    uint64_t vpn;
    uint32_t asid, time;
    page_view view;
} sample;

typedef struct {
    sample *slot;
    uint32_t head, n;
} sample_queue;

// The weights for each threshold, side by side: sums of them are made all at once.
typedef int16_t weights __attribute__((vector_size(2 * THRESHOLDS)));

typedef struct {
    weights weight;
    uint8_t trained;
} table_word;

typedef struct {
    gmmu_tier unit;
    void *memory;
    uint32_t *page_of;   // of each frame
    uint32_t *frame_of;  // of each page
    uint32_t page_cap, filled;
    uint32_t samples, ring, table, limit, lfsr;
    uint32_t jump[4][256];  // what each byte of the LFSR does in 32 steps
    int rate[64];           // of learning
    int far;                // distances beyond are those of pages about which LEU knows nothing
    uint32_t known;         // the priority from which on something is known
    gmmu_lookahead *soon;
    bool unknown;
    uint32_t threshold[THRESHOLDS];  // walks
    int log_threshold[THRESHOLDS];   // log2, in 1/64
    int16_t most_more[NEARS];        // of each distance the most that a correction can be
    uint8_t chance[2 * MOST_AT + 1];
    table_word *words;  // FEATURES tables one after the other
    gmmu_page_history history;
    sample_queue queue[THRESHOLDS];  // samples that wait for this threshold, oldest first
    uint64_t labels, lost, dropped;
} leu2;

static void leu2_destroy(void *state) {
    leu2 *s = state;
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        free(s->queue[i].slot);
    }
    free(s->words);
    gmmu_page_history_free(&s->history);
    free(s->memory);
    free(s->page_of);
    free(s->soon);
    free(s->frame_of);
    free(s);
}

// ---- options

typedef struct {
    uint32_t k, pool, sample, refresh, samples, ring, table, history, unknown, seed;
    gmmu_config cfg;
} settings;

static bool read_options(const gmmu_policy_config *config, settings *to, gmmu_error *err) {
    const gmmu_option options[] = {
        GMMU_WORD("config", &to->cfg, gmmu_leu_config),
        GMMU_NUMBER("k", &to->k, 1, 1 << 20),
        GMMU_NUMBER("pool", &to->pool, 1, 1 << 20),
        GMMU_NUMBER("sample", &to->sample, 0, 8),
        GMMU_NUMBER("refresh", &to->refresh, 0, 20),
        GMMU_NUMBER("samples", &to->samples, 0, MOST_SAMPLES),
        GMMU_NUMBER("ring", &to->ring, 1, 1 << 20),
        GMMU_POWER("table", &to->table, 2, 1 << 16),
        GMMU_POWER("history", &to->history, 4, 1 << 20),
        GMMU_NUMBER("unknown", &to->unknown, 0, 1),
        GMMU_NUMBER("seed", &to->seed, 1, UINT32_MAX),
    };
    return gmmu_options_list("leu2", config, options, sizeof options / sizeof options[0],
                             "config=" GMMU_LEU_CONFIGS, err);
}

// ---- arithmetic

static inline int probability(const leu2 *s, int logit) {
    return s->chance[gmmu_clamp(logit >> 2, -MOST_AT, MOST_AT) + MOST_AT];
}

// 32 steps of the Galois LFSR, as one word: in hardware a network of XORs.
static uint32_t draw(leu2 *s) {
    s->lfsr = s->jump[0][s->lfsr & 255] ^ s->jump[1][s->lfsr >> 8 & 255] ^
              s->jump[2][s->lfsr >> 16 & 255] ^ s->jump[3][s->lfsr >> 24];
    return s->lfsr;
}

static void fill_tables(leu2 *s) {
    for (uint32_t i = 0; i < 1024; i++) {
        s->jump[i / 256][i % 256] = gmmu_lfsr_steps(i % 256 << (i / 256 * 8));
    }
    for (int i = 0; i < 64; i++) {
        s->rate[i] = 5 + 77 / (i + 2);
    }
    for (int i = -MOST_AT; i <= MOST_AT; i++) {
        s->chance[i + MOST_AT] = gmmu_probability_at(i);
    }
}

static uint32_t draw_below(leu2 *s, uint32_t n) {
    return (uint32_t)(((uint64_t)draw(s) * n) >> 32);
}

static uint32_t since(const leu2 *s, uint32_t time) {
    return (s->unit.walk.time - time) & s->unit.walk.time_mask;
}

// ---- what is known of a page

// log2 of the remaining time that LEU's priority CODE stands for, in 1/1024; of FRAME, AGE walks
// after its last access.
static inline int distance_of(const leu2 *s, uint32_t frame, int code, uint32_t age) {
    if ((uint32_t)code >= s->known) {
        return 65535 - code;
    }
    // Nothing is known. A sweep comes back to its oldest page first; what was written will be read.
    const gmmu_tier *u = &s->unit;
    const int youth = (int)(u->cfg.time_w * UNIT) - (int)gmmu_log2_of(age, 6);
    return s->far + youth - (u->frames.table.page[frame].dirty ? DIRTY : 0);
}

static int distance(const leu2 *s, uint32_t frame) {
    const gmmu_tier *u = &s->unit;
    const gmmu_class cls = gmmu_frame_table_class(&u->frames.table, frame);
    const uint32_t age = since(s, u->frames.table.seen[frame].last);
    return distance_of(s, frame, gmmu_ppuc_priority_of(&u->ppuc, cls, age), age);
}

// Was the page accessed before (12 + n) or after (1 + n) this one, by 4^n walks; 0: unknown.
static uint8_t order_of(const leu2 *s, const gmmu_page_record *page,
                        const gmmu_page_record *other) {
    if (other == NULL) {
        return 0;
    }
    const uint32_t mine = since(s, page->last), its = since(s, other->last);
    const unsigned n = gmmu_log2_of(its < mine ? mine - its : its - mine, 0) / 2;
    return (uint8_t)((its < mine ? 1 : 12) + (n > 10 ? 10 : n));
}

// The view of the page that has the record RECORD, at distance DIST.
static page_view view_of(const leu2 *s, uint32_t record, int dist) {
    const gmmu_page_record *p = &s->history.page[record], *line = p - record % LINE;
    const gmmu_page_name page = gmmu_page_history_name(&s->history, record);
    const uint64_t mask = UINT64_MAX >> (64 - s->unit.cfg.vpn_w), vpn = page.vpn;
    const uint64_t there[4] = {vpn - 1, vpn + 1, vpn - LINE, vpn + LINE};
    const gmmu_page_record *before =
        gmmu_page_history_line(&s->history, page.asid, there[2] & mask);
    const gmmu_page_record *after = gmmu_page_history_line(&s->history, page.asid, there[3] & mask);
    const gmmu_page_record *in[4] = {vpn % LINE != 0 ? line : before,
                                     vpn % LINE != LINE - 1 ? line : after, before, after};
    page_view v = {.pc = p->pc,
                   .near = (uint16_t)((unsigned)dist / (1024 / UNIT)),
                   .age = (uint8_t)gmmu_bin_of(since(s, p->last), 63, 1)};
    for (unsigned i = 0; i < 4; i++) {
        v.order[i] = order_of(s, p, gmmu_page_history_in(in[i], there[i]));
    }
    return v;
}

// The words of all features, each in its table.
static void words_of(const leu2 *s, const page_view *v, table_word *word[FEATURES]) {
    const uint32_t what[FEATURES] = {0,
                                     v->age,
                                     v->near / 32U,
                                     v->near / 32U,
                                     v->order[0] | (uint32_t)v->order[1] << 5,
                                     v->order[2] | (uint32_t)v->order[3] << 5};
#pragma GCC unroll 6
    for (unsigned k = 0; k < FEATURES; k++) {
        const uint32_t pc = k == 2 ? 0 : v->pc;  // that one is shared by all instructions
        const uint32_t key = pc | what[k] << PC_BITS | k << 24;
        const uint32_t hash = gmmu_crc32c_bits(0xFFFFFFFFU, key, 32);
        word[k] = &s->words[k * s->table + ((hash ^ hash >> 11) & (s->table - 1))];
    }
}

static weights sum_of(table_word *const word[FEATURES]) {
    weights sum = word[0]->weight;
    for (unsigned k = 1; k < FEATURES; k++) {
        sum += word[k]->weight;
    }
    return sum;
}

static int base_of(const leu2 *s, int near, unsigned i) {
    return gmmu_clamp(near - s->log_threshold[i], -BASE_MAX, BASE_MAX);
}

// The key that a distance and a correction make.
static uint16_t key_from(int dist, int more) {
    return (uint16_t)gmmu_clamp(65535 - dist - 6 * more, 0, 65535);
}

// The correction that is learnt for the page that has the record RECORD, at distance DIST.
static __attribute__((noinline)) int correction(const leu2 *s, uint32_t record, int dist) {
    const page_view v = view_of(s, record, dist);
    table_word *word[FEATURES];
    words_of(s, &v, word);
    const weights sum = sum_of(word);
    int more = s->most_more[v.near] - THRESHOLDS * 255;  // the sum of -P(base)
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        more += probability(s, base_of(s, v.near, i) + sum[i]);
    }
    return more;
}

// The frames whose key is not the priority: LEU knows nothing of them, or something is learnt.
static inline __attribute__((always_inline)) uint64_t others(void *ctx, uint32_t first,
                                                             const uint32_t *at, uint32_t n,
                                                             const uint64_t *rank) {
    const leu2 *s = ctx;
    uint64_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t record = s->history.record_of[at != NULL ? at[i] : first + i];
        const uint32_t code = (uint32_t)(rank[i] >> 32);
        found |= (uint64_t)((code < s->known) | ((record != GMMU_NO_RECORD) & (code < GMMU_STAYS)))
                 << i;
    }
    return found;
}

// The rank of a frame, its key above its age: the lowest key leaves. One that is above WORST in any
// case is not worked out: it gets some rank above.
static inline __attribute__((always_inline)) uint64_t rank_of(void *ctx, uint32_t frame,
                                                              uint64_t rank, uint64_t worst) {
    const leu2 *s = ctx;
    const uint32_t record = s->history.record_of[frame], code = (uint32_t)(rank >> 32);
    const bool learnt = record != GMMU_NO_RECORD && s->samples != 0;
    if (!learnt && code >= s->known) {
        return rank;  // the key of a distance alone is the priority
    }
    const int dist = distance_of(s, frame, (int)code, ~(uint32_t)rank);
    int more = learnt ? s->most_more[(unsigned)dist / (1024 / UNIT)] : 0;
    if (learnt && key_from(dist, more) <= worst >> 32) {
        more = correction(s, record, dist);
    }
    return (uint64_t)key_from(dist, more) << 32 | (uint32_t)rank;
}

// For each distance the most that a correction can be.
static void bound_corrections(leu2 *s) {
    for (unsigned near = 0; near < NEARS; near++) {
        int most = 0;
        for (unsigned i = 0; i < THRESHOLDS; i++) {
            most += 255 - probability(s, base_of(s, (int)near, i));
        }
        s->most_more[near] = (int16_t)most;
    }
}

// ---- learning

// One label: was the sampled page still not accessed after threshold I?
static void train(leu2 *s, const page_view *v, unsigned i, bool waits) {
    enum { WEIGHT_MAX = 511 };
    table_word *word[FEATURES];
    words_of(s, v, word);
    const int error = (waits ? 255 : 0) - probability(s, base_of(s, v->near, i) + sum_of(word)[i]);
    const uint32_t bits = draw(s);
    s->labels++;
    for (unsigned k = 0; k < FEATURES; k++) {
        const int rate = s->rate[word[k]->trained / 4];
        const int chance = (int)(bits >> (3 * k) & 0xFFFF);  // what is lost below, on average
        const int step = (error * rate * UNIT + chance) >> 16;
        word[k]->weight[i] =
            (int16_t)gmmu_clamp(word[k]->weight[i] + step, -WEIGHT_MAX, WEIGHT_MAX);
        word[k]->trained += word[k]->trained < 255 ? 1 : 0;
    }
}

static void put_sample(leu2 *s, unsigned i, const sample *p) {
    sample_queue *q = &s->queue[i];
    if (q->n == s->ring) {
        s->dropped++;
        return;
    }
    const uint32_t at = q->head + q->n++;
    q->slot[at < s->ring ? at : at - s->ring] = *p;
}

// The samples whose next threshold has come.
static void label_samples(leu2 *s) {
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        sample_queue *q = &s->queue[i];
        while (q->n > 0 && since(s, q->slot[q->head].time) >= s->threshold[i]) {
            const sample p = q->slot[q->head];
            const gmmu_page_record *now =
                gmmu_page_history_in(gmmu_page_history_line(&s->history, p.asid, p.vpn), p.vpn);
            q->head = q->head + 1 == s->ring ? 0 : q->head + 1;
            q->n--;
            if (now == NULL) {
                s->lost++;
            } else if (since(s, now->last) < since(s, p.time)) {
                for (unsigned j = i; j < THRESHOLDS; j++) {
                    train(s, &p.view, j, false);
                }
            } else {
                train(s, &p.view, i, true);
                if (i + 1 < THRESHOLDS) {
                    put_sample(s, i + 1, &p);
                }
            }
        }
    }
}

static void take_sample(leu2 *s, uint32_t frame) {
    const uint32_t record = s->history.record_of[frame];
    if (record == GMMU_NO_RECORD) {
        s->lost++;
        return;
    }
    const gmmu_page_name page = gmmu_page_history_name(&s->history, record);
    const sample taken = {.vpn = page.vpn,
                          .asid = page.asid,
                          .time = s->unit.walk.time,
                          .view = view_of(s, record, distance(s, frame))};
    put_sample(s, 0, &taken);
}

// ---- the policy

static bool allocate(leu2 *s, const gmmu_config *cfg, const gmmu_regs *regs, uint32_t history) {
    const size_t bytes = gmmu_tier_bytes(cfg);
    s->memory = gmmu_grow(NULL, 0, bytes, 1, 0);
    s->page_of = malloc(regs->frames * sizeof *s->page_of);
    s->soon = calloc(1, sizeof *s->soon);
    s->words = calloc((size_t)FEATURES * s->table, sizeof *s->words);
    bool done = s->memory != NULL && s->page_of != NULL && s->words != NULL && s->soon != NULL &&
                gmmu_page_history_init(&s->history, cfg, history, s->limit, regs->frames);
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        s->queue[i].slot = malloc(s->ring * sizeof *s->queue[i].slot);
        done = done && s->queue[i].slot != NULL;
    }
    return done && gmmu_tier_init(&s->unit, cfg, regs, s->memory, bytes) == 0;
}

static void *leu2_create(const gmmu_policy_config *config, gmmu_error *err) {
    settings set = {.cfg = *gmmu_config_find("default"),
                    .samples = 6,
                    .ring = 1024,
                    .table = 1024,
                    .history = 4096,
                    .unknown = 1,
                    .seed = 1,
                    .sample = UINT32_MAX,
                    .refresh = UINT32_MAX};
    if (!read_options(config, &set, err)) {
        return NULL;
    }
    gmmu_config cfg = set.cfg;
    cfg.t2_slots = 0;  // without tiers
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.search = GMMU_SEARCH_SAMPLE;
    regs.frames = config->frames;
    regs.sample = set.sample != UINT32_MAX ? set.sample : regs.sample;
    regs.refresh = set.refresh != UINT32_MAX ? set.refresh : regs.refresh;
    cfg.k = set.k != 0 ? set.k : cfg.k;
    cfg.pool = set.pool != 0 ? set.pool : cfg.pool;
    cfg.frames = cfg.frames < config->frames ? config->frames : cfg.frames;
    cfg.frame_mem = 0;  // where the frame table lies changes no decision here
    const char *bad = gmmu_config_error(&cfg);
    if (bad == NULL && gmmu_index_bits(set.history) + 3 > cfg.time_w) {
        bad = "history must be at most 2^(TIME_W-3) lines";
    }
    if (bad != NULL) {
        (void)snprintf(err->text, sizeof err->text, "leu2: configuration %s with %u frames: %s",
                       cfg.name, cfg.frames, bad);
        return NULL;
    }
    leu2 *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("leu2", err);
        return NULL;
    }
    s->samples = set.samples;
    s->ring = set.ring;
    s->table = set.table;
    s->unknown = set.unknown != 0;
    s->lfsr = set.seed;
    s->limit = 1U << (cfg.time_w - 2);
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        const uint64_t walks = ((uint64_t)config->frames << (2 * i)) / 2 + (i == 0 ? 1 : 0);
        s->threshold[i] = walks < s->limit ? (uint32_t)walks : s->limit;
        s->log_threshold[i] = (int)gmmu_log2_of(s->threshold[i], 6);
    }
    s->far = s->log_threshold[THRESHOLDS - 1] * (1024 / UNIT) + FAR_AT;
    s->known = s->unknown ? (uint32_t)gmmu_clamp(65535 - s->far, 1, 65535) : 0;
    fill_tables(s);
    bound_corrections(s);
    if (!allocate(s, &cfg, &regs, set.history)) {
        leu2_destroy(s);
        (void)gmmu_policy_no_memory("leu2", err);
        return NULL;
    }
    s->unit.hir_unheard = true;
    return s;
}

static bool grow(leu2 *s, uint32_t page) {
    const uint32_t cap = gmmu_policy_capacity(s->page_cap, page);
    uint32_t *frame_of = gmmu_grow(s->frame_of, s->page_cap, cap, sizeof *frame_of, 0xff);
    if (frame_of == NULL) {
        return false;
    }
    s->frame_of = frame_of;
    s->page_cap = cap;
    return true;
}

static void settle(gmmu_tier *u) {
    if (!gmmu_tier_settled(u)) {
        gmmu_tier_settle(u, NULL, NULL);
    }
}

GMMU_FETCHER void fetch_record(const leu2 *s, uint32_t frame) {
    const uint32_t record = s->history.record_of[frame];
    if (record != GMMU_NO_RECORD) {
        __builtin_prefetch(&s->history.page[record]);
        __builtin_prefetch(&s->history.tag[record / LINE]);
        __builtin_prefetch(&s->unit.frames.table.seen[frame]);
    }
}

static int leu2_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                       gmmu_error *err) {
    leu2 *s = state;
    gmmu_tier *u = &s->unit;
    gmmu_tier_walk_in in;
    if (page >= s->page_cap && !grow(s, page)) {
        return gmmu_policy_no_memory("leu2", err);
    }
    if (gmmu_leu_walk("leu2", &u->cfg, walk, &in, err) != GMMU_OK) {
        return GMMU_END;
    }
    in.fault = s->frame_of[page] == NO_FRAME;
    in.frame = in.fault ? 0 : s->frame_of[page];
    gmmu_outcome_begin(out, page, in.fault);
    (void)gmmu_tier_walk_inline(u, &in);
    const uint32_t pc = gmmu_hash(in.asid, u->cfg.asid_w, in.ref, u->cfg.ref_w);
    const uint32_t record = gmmu_page_history_note(
        &s->history, in.asid, in.vpn, (uint16_t)(pc & ((1U << PC_BITS) - 1)), u->walk.time);
    if (!in.fault) {
        gmmu_page_history_hold(&s->history, record, in.frame);
    }
    gmmu_page_history_scrub(&s->history, u->walk.time);
    label_samples(s);
    gmmu_tier_drv_in fill = {.op = GMMU_FILL, .vpn = in.vpn, .asid = in.asid};
    if (in.fault) {
        (void)gmmu_tier_enter(u);
        const bool full = s->filled == u->regs.frames;
        uint32_t taken[MOST_SAMPLES];  // drawn before the search, to be there after it
        const uint32_t samples = s->filled > 0 ? s->samples : 0;
        if (u->select.kept != 0) {  // the victim, as likely as not
            __builtin_prefetch(&s->frame_of[s->page_of[u->select.likely]], 1);
        }
        for (unsigned i = 0; i < samples; i++) {
            taken[i] = draw_below(s, s->filled);
            __builtin_prefetch(&s->history.record_of[taken[i]]);
        }
        if (full) {
            const gmmu_searched all = gmmu_tier_searched(u);
            const gmmu_rerank by = {.which = others, .rank = rank_of, .ctx = s};
            gmmu_search_round(&all, &by);
        }
        for (unsigned i = 0; i < samples; i++) {
            fetch_record(s, taken[i]);
        }
        for (unsigned i = 0; i < samples; i++) {
            take_sample(s, taken[i]);
        }
        const gmmu_tier_decision d = gmmu_tier_decide(u);
        if (full) {
            fill.frame = d.frame;
            gmmu_outcome_evict(out, s->page_of[fill.frame]);
            s->frame_of[s->page_of[fill.frame]] = NO_FRAME;
            gmmu_fetch_next_victim(u, s->page_of);
            gmmu_fetch_next_victim(u, s->history.record_of);
        } else {
            fill.frame = s->filled++;
        }
        s->page_of[fill.frame] = page;
        s->frame_of[page] = fill.frame;
        gmmu_page_history_hold(&s->history, record, fill.frame);
    }
    settle(u);
    if (in.fault) {
        (void)gmmu_tier_drv_inline(u, &fill);
        settle(u);
    }
    return GMMU_OK;
}

static void leu2_prefetch(const void *state, uint32_t page) {
    const leu2 *s = state;
    const uint32_t now = gmmu_lookahead_next(s->soon, page);
    const uint32_t frame = now < s->page_cap ? s->frame_of[now] : NO_FRAME;
    if (frame != NO_FRAME) {
        gmmu_fetch_frame(&s->unit, frame);
        __builtin_prefetch(&s->history.record_of[frame], 1);
    }
    if (page < s->page_cap) {
        __builtin_prefetch(&s->frame_of[page], 1);
    }
}

static void leu2_note(const void *state, char *text, size_t size) {
    const leu2 *s = state;
    int most = 0;
    for (size_t i = 0; i < (size_t)FEATURES * s->table; i++) {
        for (unsigned t = 0; t < THRESHOLDS; t++) {
            const int w = abs(s->words[i].weight[t]);
            most = w > most ? w : most;
        }
    }
    (void)snprintf(text, size, "labels=%llu lost=%llu dropped=%llu heaviest=%d",
                   (unsigned long long)s->labels, (unsigned long long)s->lost,
                   (unsigned long long)s->dropped, most);
}

const gmmu_policy gmmu_policy_leu2 = {
    .name = "leu2",
    .help = "LEU with a learnt remaining time (docs/reference/leu2.md)",
    .options =
        "config=tiny|default|onchip|large (default)\n"
        "of the unit: k=N pool=N sample=0..8 refresh=0..20\n"
        "samples=0..64 (6): samples a fault\n"
        "ring=N (1024): samples that wait for a threshold\n"
        "table=N (1024): words of each of 6 tables\n"
        "history=N (4096): lines of 8 pages\n"
        "unknown=0|1 (1: pages that LEU does not know by age and writes)\n"
        "seed=N (1)",
    .rule = "expected latest by what is learnt, of the pages that the search met",
    .tie_rule = "older last access, then lower frame",
    .larger = gmmu_leu_larger,
    .create = leu2_create,
    .access = leu2_access,
    .prefetch = leu2_prefetch,
    .note = leu2_note,
    .destroy = leu2_destroy,
};
