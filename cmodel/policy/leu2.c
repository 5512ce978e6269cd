// SPDX-License-Identifier: Apache-2.0
// leu2.c: policy `leu2`: LEU's priority, corrected by what is learnt of the pages' remaining time.
//
// Source: the priority is that of Chen et al., "Statistical Caching for Near Memory Management"
// (MEMSYS '19), in the unit's arithmetic (cmodel/blocks). The correction is this project's own: a
// regression over hashed tables of "remaining time > C/2, 2C, 8C, 32C walks" (C: frames), trained
// on sampled frames, as perceptron predictors of caches are. docs/leu2.md has the rules in full,
// the memories in bits, and what was found.
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
#include "policy/leu_config.h"
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

typedef struct {
    int16_t weight[THRESHOLDS];
    uint8_t trained;
} table_word;

typedef struct {
    gmmu_tier unit;
    void *memory;
    uint32_t *page_of;   // of each frame
    uint32_t *frame_of;  // of each page
    uint32_t page_cap, filled;
    uint32_t samples, ring, table, limit, lfsr;
    bool unknown;
    uint32_t threshold[THRESHOLDS];  // walks
    int log_threshold[THRESHOLDS];   // log2, in 1/64
    int16_t most_more[NEARS];
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
    return gmmu_options_take("leu2", config, options, sizeof options / sizeof options[0],
                             "one of those in gmmu replay --help", err);
}

// ---- arithmetic

static int clamp(int x, int least, int most) {
    return x < least ? least : x > most ? most : x;
}

// log2 of X, at least 1, in 1/2^BITS, linear within an octave.
static unsigned log2_of(uint32_t x, unsigned bits) {
    const unsigned octave = 31U - (unsigned)__builtin_clz(x);
    return (octave << bits) + (unsigned)((((uint64_t)x << bits) >> octave) & ((1U << bits) - 1));
}

// 255 / (1 + exp(-LOGIT)), from a table of 128 bytes.
static int probability(int logit) {
    static const uint8_t half[128] = {
        128, 131, 135, 139, 143, 147, 151, 155, 159, 162, 166, 170, 173, 177, 180, 183,  //
        186, 190, 193, 195, 198, 201, 204, 206, 208, 211, 213, 215, 217, 219, 221, 223,  //
        225, 226, 228, 229, 231, 232, 233, 235, 236, 237, 238, 239, 240, 241, 241, 242,  //
        243, 244, 244, 245, 245, 246, 247, 247, 248, 248, 248, 249, 249, 249, 250, 250,  //
        250, 251, 251, 251, 251, 252, 252, 252, 252, 252, 253, 253, 253, 253, 253, 253,  //
        253, 253, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254,  //
        254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,  //
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const int at = clamp(logit >> 2, -127, 127);
    return at >= 0 ? half[at] : 255 - half[-at];
}

// 32 steps of the Galois LFSR, as one word: in hardware a network of XORs.
static uint32_t draw(leu2 *s) {
    for (unsigned i = 0; i < 32; i++) {
        s->lfsr = (s->lfsr >> 1) ^ ((s->lfsr & 1) != 0 ? 0x80200003U : 0);
    }
    return s->lfsr;
}

static uint32_t draw_below(leu2 *s, uint32_t n) {
    return (uint32_t)(((uint64_t)draw(s) * n) >> 32);
}

static uint32_t since(const leu2 *s, uint32_t time) {
    return (s->unit.walk.time - time) & s->unit.walk.time_mask;
}

// ---- what is known of a page

// log2 of the remaining time that LEU's priority stands for, in 1/1024.
static int distance(const leu2 *s, uint32_t frame) {
    const gmmu_tier *u = &s->unit;
    const gmmu_class cls = gmmu_frame_table_class(&u->frames.table, frame);
    const uint32_t age = since(s, u->frames.table.seen[frame].last);
    const unsigned row = gmmu_ppuc_serving_row(&u->ppuc, cls, gmmu_ref_rit_current(&u->rit, cls));
    const int code = gmmu_ppuc_priority(&u->ppuc, row, age);
    const int most = s->log_threshold[THRESHOLDS - 1] * (1024 / UNIT) + FAR_AT;
    if (!s->unknown || (code != 0 && 65535 - code <= most)) {
        return 65535 - code;
    }
    // Nothing is known. A sweep comes back to its oldest page first; what was written will be read.
    const int youth = (int)(u->cfg.time_w * UNIT) - (int)log2_of(age, 6);
    return most + youth - (u->frames.table.page[frame].dirty ? DIRTY : 0);
}

// Was the page accessed before (12 + n) or after (1 + n) this one, by 4^n walks; 0: unknown.
static uint8_t order_of(const leu2 *s, const gmmu_page_record *page,
                        const gmmu_page_record *other) {
    if (other == NULL) {
        return 0;
    }
    const uint32_t mine = since(s, page->last), its = since(s, other->last);
    const unsigned n = log2_of(its < mine ? mine - its : its - mine, 0) / 2;
    return (uint8_t)((its < mine ? 1 : 12) + (n > 10 ? 10 : n));
}

// The view of PAGE, last accessed as P tells, which LINE holds.
static page_view view_of(const leu2 *s, const gmmu_frame_page *page, const gmmu_page_record *line,
                         const gmmu_page_record *p, int dist) {
    static const int away[4] = {-1, 1, -LINE, LINE};
    const uint64_t mask = UINT64_MAX >> (64 - s->unit.cfg.vpn_w);
    page_view v = {.pc = p->pc,
                   .near = (uint16_t)(dist / (1024 / UNIT)),
                   .age = (uint8_t)gmmu_bin_of(since(s, p->last), 63, 1)};
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t vpn = (page->vpn + (uint64_t)away[i]) & mask;
        const gmmu_page_record *there = vpn / LINE == page->vpn / LINE
                                            ? line
                                            : gmmu_page_history_line(&s->history, page->asid, vpn);
        v.order[i] = order_of(s, p, gmmu_page_history_in(there, vpn));
    }
    return v;
}

// Feature K's word in its table.
static table_word *word_of(const leu2 *s, const page_view *v, unsigned k) {
    const uint32_t what[FEATURES] = {0,
                                     v->age,
                                     v->near / 32U,
                                     v->near / 32U,
                                     v->order[0] | (uint32_t)v->order[1] << 5,
                                     v->order[2] | (uint32_t)v->order[3] << 5};
    const uint32_t pc = k == 2 ? 0 : v->pc;  // that one is shared by all instructions
    const uint32_t key = pc | what[k] << PC_BITS | k << 24;
    const uint32_t hash = gmmu_crc32c_bits(0xFFFFFFFFU, key, 32);
    return &s->words[k * s->table + ((hash ^ hash >> 11) & (s->table - 1))];
}

static void words_of(const leu2 *s, const page_view *v, table_word *word[FEATURES]) {
    for (unsigned k = 0; k < FEATURES; k++) {
        word[k] = word_of(s, v, k);
    }
}

static int sum_of(table_word *const word[FEATURES], unsigned i) {
    int sum = 0;
    for (unsigned k = 0; k < FEATURES; k++) {
        sum += word[k]->weight[i];
    }
    return sum;
}

static int base_of(const leu2 *s, int near, unsigned i) {
    return clamp(near - s->log_threshold[i], -BASE_MAX, BASE_MAX);
}

// The key that a distance and a correction make.
static uint16_t key_from(int dist, int more) {
    return (uint16_t)clamp(65535 - dist - 6 * more, 0, 65535);
}

// The key of a frame: the lowest one leaves. One that is above WORST in any case is not worked out:
// it gets some key above.
static uint16_t key_of(const leu2 *s, uint32_t frame, uint16_t worst) {
    const gmmu_frame_page *f = &s->unit.frames.table.page[frame];
    const int dist = distance(s, frame);
    if (s->samples == 0) {
        return key_from(dist, 0);
    }
    const uint16_t least = key_from(dist, s->most_more[dist / (1024 / UNIT)]);
    if (least > worst) {
        return least;
    }
    const gmmu_page_record *line = gmmu_page_history_line(&s->history, f->asid, f->vpn);
    const gmmu_page_record *p = gmmu_page_history_in(line, f->vpn);
    int more = 0;
    if (p != NULL) {
        const page_view v = view_of(s, f, line, p, dist);
        table_word *word[FEATURES];
        words_of(s, &v, word);
        for (unsigned i = 0; i < THRESHOLDS; i++) {
            const int base = base_of(s, v.near, i);
            more += probability(base + sum_of(word, i)) - probability(base);
        }
    }
    return key_from(dist, more);
}

// For each distance the most that a correction can be.
static void bound_corrections(leu2 *s) {
    for (unsigned near = 0; near < NEARS; near++) {
        int most = 0;
        for (unsigned i = 0; i < THRESHOLDS; i++) {
            most += 255 - probability(base_of(s, (int)near, i));
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
    const int error = (waits ? 255 : 0) - probability(base_of(s, v->near, i) + sum_of(word, i));
    const uint32_t bits = draw(s);
    s->labels++;
    for (unsigned k = 0; k < FEATURES; k++) {
        const int rate = 5 + 77 / (word[k]->trained / 4 + 2);  // a table of 64
        const int chance = (int)(bits >> (3 * k) & 0xFFFF);    // what is lost below, on average
        const int step = (error * rate * UNIT + chance) >> 16;
        word[k]->weight[i] = (int16_t)clamp(word[k]->weight[i] + step, -WEIGHT_MAX, WEIGHT_MAX);
        word[k]->trained += word[k]->trained < 255 ? 1 : 0;
    }
}

static void put_sample(leu2 *s, unsigned i, const sample *p) {
    sample_queue *q = &s->queue[i];
    if (q->n == s->ring) {
        s->dropped++;
        return;
    }
    q->slot[(q->head + q->n++) % s->ring] = *p;
}

// The samples whose next threshold has come.
static void label_samples(leu2 *s) {
    for (unsigned i = 0; i < THRESHOLDS; i++) {
        sample_queue *q = &s->queue[i];
        while (q->n > 0 && since(s, q->slot[q->head].time) >= s->threshold[i]) {
            const sample p = q->slot[q->head];
            const gmmu_page_record *now =
                gmmu_page_history_in(gmmu_page_history_line(&s->history, p.asid, p.vpn), p.vpn);
            q->head = (q->head + 1) % s->ring;
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
    const gmmu_frame_page *f = &s->unit.frames.table.page[frame];
    const gmmu_page_record *line = gmmu_page_history_line(&s->history, f->asid, f->vpn);
    const gmmu_page_record *p = gmmu_page_history_in(line, f->vpn);
    if (p == NULL) {
        s->lost++;
        return;
    }
    const sample taken = {.vpn = f->vpn,
                          .asid = f->asid,
                          .time = s->unit.walk.time,
                          .view = view_of(s, f, line, p, distance(s, frame))};
    put_sample(s, 0, &taken);
}

// ---- the policy

static bool allocate(leu2 *s, const gmmu_config *cfg, const gmmu_regs *regs, uint32_t history) {
    const size_t bytes = gmmu_tier_bytes(cfg);
    s->memory = malloc(bytes);
    s->page_of = malloc(regs->frames * sizeof *s->page_of);
    s->words = calloc((size_t)FEATURES * s->table, sizeof *s->words);
    bool done = s->memory != NULL && s->page_of != NULL && s->words != NULL &&
                gmmu_page_history_init(&s->history, cfg, history, s->limit);
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
        s->log_threshold[i] = (int)log2_of(s->threshold[i], 6);
    }
    bound_corrections(s);
    if (!allocate(s, &cfg, &regs, set.history)) {
        leu2_destroy(s);
        (void)gmmu_policy_no_memory("leu2", err);
        return NULL;
    }
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

// The candidates in the order of the search; the pool keeps the best.
static void search(leu2 *s) {
    gmmu_tier *u = &s->unit;
    gmmu_victim_select *v = &u->select;
    while (!gmmu_victim_select_searched(v)) {
        const uint32_t f = gmmu_victim_select_next(v, u->regs.frames);
        const uint16_t worst = v->n == v->pool ? v->list[v->n - 1].priority : UINT16_MAX;
        const gmmu_victim_cand c = {
            .frame = f, .last = u->frames.table.seen[f].last, .priority = key_of(s, f, worst)};
        gmmu_victim_select_offer(v, c, true, u->regs.frames);
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
        return GMMU_BAD;
    }
    in.fault = s->frame_of[page] == NO_FRAME;
    in.frame = in.fault ? 0 : s->frame_of[page];
    gmmu_outcome_begin(out, page, in.fault);
    (void)gmmu_tier_walk(u, in);
    const uint32_t pc = gmmu_hash(in.asid, u->cfg.asid_w, in.ref, u->cfg.ref_w);
    gmmu_page_history_note(&s->history, in.asid, in.vpn, (uint16_t)(pc & ((1U << PC_BITS) - 1)),
                           u->walk.time);
    gmmu_page_history_scrub(&s->history, u->walk.time);
    label_samples(s);
    gmmu_tier_drv_in fill = {.op = GMMU_FILL, .vpn = in.vpn, .asid = in.asid};
    if (in.fault) {
        const bool full = s->filled == u->regs.frames;
        uint32_t taken[MOST_SAMPLES];  // drawn before the search, to be there after it
        const uint32_t samples = s->filled > 0 ? s->samples : 0;
        for (unsigned i = 0; i < samples; i++) {
            taken[i] = draw_below(s, s->filled);
            __builtin_prefetch(&u->frames.table.page[taken[i]]);
            __builtin_prefetch(&u->frames.table.seen[taken[i]]);
        }
        if (full) {
            search(s);
        }
        for (unsigned i = 0; i < samples; i++) {
            take_sample(s, taken[i]);
        }
        const gmmu_tier_decision d = gmmu_tier_decide(u);
        if (full) {
            fill.frame = d.frame;
            gmmu_outcome_evict(out, s->page_of[fill.frame]);
            s->frame_of[s->page_of[fill.frame]] = NO_FRAME;
        } else {
            fill.frame = s->filled++;
        }
        s->page_of[fill.frame] = page;
        s->frame_of[page] = fill.frame;
    }
    gmmu_tier_settle(u, NULL, NULL);
    if (in.fault) {
        (void)gmmu_tier_drv(u, fill);
        gmmu_tier_settle(u, NULL, NULL);
    }
    return GMMU_OK;
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
    .help = "LEU corrected by a learnt remaining time (docs/leu2.md)",
    .options =
        "config=tiny|default|large (default); of the unit k=N, pool=N, sample=0..8, refresh=0..20; "
        "samples=0..64 (6; a fault), ring=N (1024; samples that wait for a threshold), table=N "
        "(1024; words of each of 6 tables), history=N (4096; lines of 8 pages), unknown=0|1 (1: "
        "pages "
        "beyond LEU's knowledge by age and writes), seed=N (1)",
    .tie_rule = "older last access, then lower frame",
    .create = leu2_create,
    .access = leu2_access,
    .note = leu2_note,
    .destroy = leu2_destroy,
};
