// SPDX-License-Identifier: Apache-2.0
// rdgc.c: the physical model: blocks on SMs, lists of warps, L1, what goes on to L2.
// docs/guide/rdgc.md, "Physical model".
//
// The SMs run one after the other, each some steps ahead; what they send on lies in a buffer each
// until L2 takes it, step by step over all SMs. So no trace of L2 is ever stored whole.
#include "rdgc/rdgc.h"

#include <stdlib.h>
#include <string.h>

#include "rdgc/random.h"
#include "rdgc/warps.h"

enum { QUAD = 4 };       // lanes of a quad
enum { WINDOW = 1024 };  // steps that an SM runs ahead of L2, and the list beyond

// An access on its way to L2.
typedef struct {
    uint64_t step;  // of the grid
    uint64_t block;
    bool write;
} departure;

typedef struct {
    gmmu_rdgc_cache *l1;
    uint64_t start;    // the cache's step at which the grid began
    uint32_t *blocks;  // of the grid, ascending
    uint32_t bsm;      // their number
    uint32_t cb, nitr;
    uint32_t iteration;      // i
    uint32_t number;         // j; beyond the last one at the end of an iteration
    uint32_t inflight;       // blocks of this iteration
    uint32_t k;              // of them, whose turn it is
    uint32_t *at, *last;     // [inflight] record that comes next, and where the block ends
    gmmu_rdgc_warps *warps;  // NULL: lists
    gmmu_rdgc_queue queue;   // of its blocks
    departure *out;
    size_t out_from, out_to, out_room;
} sm_state;

struct gmmu_rdgc {
    gmmu_rdgc_config config;  // with L1's as it is run
    gmmu_rdgc_cache *l2;
    sm_state *sms;
    unsigned l1_shift, l2_shift;
    gmmu_rdgc_access *list;  // of an SM
    gmmu_rdgc_sent *sent;
    uint64_t *due;     // [place in the list]; NULL: lists
    uint32_t *picked;  // [scheduler] records
    gmmu_rdgc_access *l2_access;
    gmmu_rdgc_sent *l2_sent;
    size_t l2_room;
    gmmu_rdgc_l2_list l2_list;
    void *l2_ctx;
    gmmu_rdgc_result result;
    // of the grid
    const gmmu_rdgc_grid *grid;
    uint32_t *mapping;      // SM of each block
    uint32_t *taken;        // [blocks] those of all SMs, SM by SM
    uint32_t *all;          // [blocks] 0, 1 …
    uint32_t *cursors;      // room for the SMs' at and last
    gmmu_rdgc_queue queue;  // DEMAND: of all blocks
};

static unsigned log2_of(uint32_t power) {
    return (unsigned)__builtin_ctz(power);
}

// ---------------------------------------------------------------- pieces of Algorithms 1 to 3

void gmmu_rdgc_concurrent_blocks(const gmmu_rdgc_config *c, uint32_t warps_per_block,
                                 uint32_t blocks_sm, uint32_t *cb, uint32_t *nitr) {
    uint32_t n = blocks_sm < c->max_blocks ? blocks_sm : c->max_blocks;
    if ((uint64_t)warps_per_block * n > c->max_warps) {
        n = c->max_warps / warps_per_block;
        n = n > 0 ? n : 1;
    }
    *cb = n;
    *nitr = n > 0 ? (blocks_sm - 1) / n + 1 : 0;
}

void gmmu_rdgc_map_blocks(const gmmu_rdgc_config *c, uint64_t number, uint32_t blocks,
                          uint32_t *sm) {
    uint64_t state = c->seed + (number << 32);
    uint32_t part = c->mapping == GMMU_RDGC_BPART1 ? 4 : c->mapping == GMMU_RDGC_BPART2 ? 8 : 1;
    for (uint32_t b = 0; b < blocks; b++)
        sm[b] = c->mapping == GMMU_RDGC_RAND ? gmmu_rdgc_random(&state, c->sms) : b / part % c->sms;
}

unsigned gmmu_rdgc_coalesce(const uint64_t addr[GMMU_WARP], uint32_t mask, unsigned shift,
                            unsigned sector_shift, uint64_t block[GMMU_WARP],
                            uint32_t sectors[GMMU_WARP]) {
    unsigned n = 0;
    uint64_t within = (UINT64_C(1) << shift) - 1;
    for (; mask != 0; mask &= mask - 1) {
        uint64_t a = addr[__builtin_ctz(mask)];
        uint64_t b = a >> shift;
        uint32_t sector = UINT32_C(1) << ((a & within) >> sector_shift);
        // From the back: neighbouring lanes mostly share their block.
        unsigned k = n;
        while (k > 0 && block[k - 1] != b) k--;
        if (k == 0) {
            block[n] = b;
            sectors[n++] = sector;
        } else {
            sectors[k - 1] |= sector;
        }
    }
    return n;
}

// ---------------------------------------------------------------- an SM

static int no_memory(gmmu_error *err) {
    snprintf(err->text, sizeof err->text, "rdgc: no memory for the model");
    return GMMU_BAD;
}

// Neighbouring lanes no further apart than a block, or in the one block: the blocks are a row, up
// or down.
static size_t put_row(const gmmu_rdgc *m, const gmmu_rdgc_record *r, gmmu_rdgc_access *list) {
    int lane = __builtin_ctz(r->mask);
    int end = 31 - __builtin_clz(r->mask);
    uint64_t first = r->address + (uint64_t)((int64_t)r->stride * lane);
    uint64_t last = r->address + (uint64_t)((int64_t)r->stride * end);
    uint64_t block = first >> m->l1_shift;
    uint64_t step = r->stride < 0 ? UINT64_MAX : 1;
    size_t n = 0;
    for (;; block = (block + step) & (UINT64_MAX >> m->l1_shift)) {
        list[n++] =
            (gmmu_rdgc_access){.block = block, .sectors = 1, .warp = r->warp, .write = r->write};
        if (block == last >> m->l1_shift)
            return n;
    }
}

// Adds the record to the requests of R24.
static void count_quads(gmmu_rdgc *m, const gmmu_rdgc_record *r) {
    uint64_t addr[GMMU_WARP];
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    (void)gmmu_rdgc_record_addresses(m->grid, r, addr);
    if (r->write) {
        m->result.quad_writes +=
            gmmu_rdgc_coalesce(addr, r->mask, m->l1_shift, m->l1_shift, block, sectors);
        return;
    }
    for (unsigned lane = 0; lane < GMMU_WARP; lane += QUAD) {
        uint32_t mask = r->mask & (UINT32_C(15) << lane);
        m->result.quad_reads +=
            gmmu_rdgc_coalesce(addr, mask, m->l1_shift, m->l1_shift, block, sectors);
    }
}

// An access of a warp, coalesced: its blocks into LIST. Returns their number.
static inline size_t put_record(gmmu_rdgc *m, const gmmu_rdgc_record *r, gmmu_rdgc_access *list) {
    bool past = r->atomic && m->config.atomics == GMMU_RDGC_PAST_L1;
    if (m->config.quads && !past)
        count_quads(m, r);
    uint32_t lanes = r->mask >> __builtin_ctz(r->mask);
    int64_t apart = r->stride < 0 ? -(int64_t)r->stride : r->stride;
    if (!past && !r->scattered && m->l1_shift <= m->l2_shift && (lanes & (lanes + 1)) == 0 &&
        apart <= (int64_t)1 << m->l1_shift)
        return put_row(m, r, list);
    uint64_t addr[GMMU_WARP];
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    (void)gmmu_rdgc_record_addresses(m->grid, r, addr);
    unsigned n = gmmu_rdgc_coalesce(addr, r->mask, m->l1_shift, m->l2_shift, block, sectors);
    for (unsigned i = 0; i < n; i++)
        list[i] = (gmmu_rdgc_access){.block = block[i],
                                     .sectors = sectors[i],
                                     .warp = r->warp,
                                     .write = r->write,
                                     .past = past};
    m->result.atomics += past ? n : 0;
    return n;
}

// Begins iteration I: the in-flight blocks' cursors.
static void begin_iteration(const gmmu_rdgc *m, sm_state *s) {
    uint32_t first = s->iteration * s->cb;
    s->inflight = s->bsm - first < s->cb ? s->bsm - first : s->cb;
    for (uint32_t k = 0; k < s->inflight; k++) {
        s->at[k] = m->grid->first[s->blocks[first + k]];
        s->last[k] = m->grid->first[s->blocks[first + k] + 1];
    }
}

// The smallest AN that comes next in a block of the iteration; UINT32_MAX if none is left.
static uint32_t next_number(const gmmu_rdgc *m, const sm_state *s) {
    uint32_t next = UINT32_MAX;
    for (uint32_t k = 0; k < s->inflight; k++)
        if (s->at[k] < s->last[k] && m->grid->records[s->at[k]].number < next)
            next = m->grid->records[s->at[k]].number;
    return next;
}

// The SM's next list (create_access_list) into m->list: its length, 0 at the end of the grid.
static size_t next_list(gmmu_rdgc *m, sm_state *s) {
    for (;;) {
        for (; s->k < s->inflight; s->k++) {
            uint32_t at = s->at[s->k];
            uint32_t end = s->last[s->k];
            const gmmu_rdgc_record *r = &m->grid->records[at];
            if (at == end || r->number != s->number)
                continue;
            // The warps of one turn of the schedulers.
            uint32_t turn = r->warp / m->config.schedulers;
            size_t n = 0;
            for (; at < end && r->number == s->number && r->warp / m->config.schedulers == turn;
                 r = &m->grid->records[++at]) {
                n += put_record(m, r, m->list + n);
                m->result.instructions++;
            }
            s->at[s->k] = at;
            return n;
        }
        s->k = 0;
        s->number = next_number(m, s);
        if (s->number != UINT32_MAX)
            continue;
        if (s->iteration + 1 >= s->nitr) {
            s->inflight = 0;
            return 0;
        }
        s->iteration++;
        begin_iteration(m, s);
        s->number = next_number(m, s);
    }
}

static int make_room(sm_state *s, size_t n, gmmu_error *err) {
    if (s->out_room - s->out_to >= n)
        return GMMU_OK;
    size_t room = 2 * s->out_room + n;
    departure *out = realloc(s->out, room * sizeof *out);
    if (out == NULL)
        return no_memory(err);
    s->out = out;
    s->out_room = room;
    return GMMU_OK;
}

// What list LIST sends on, SENTS of m->sent, goes to the SM's departures.
static int depart(gmmu_rdgc *m, sm_state *s, size_t sents, gmmu_error *err) {
    // L2 blocks of an L1 block, or 1
    uint32_t parts = m->l1_shift > m->l2_shift ? UINT32_C(1) << (m->l1_shift - m->l2_shift) : 1;
    uint32_t all = parts == 32 ? UINT32_MAX : (UINT32_C(1) << parts) - 1;
    if (make_room(s, sents * parts, err) != GMMU_OK)
        return GMMU_BAD;
    for (size_t i = 0; i < sents; i++) {
        const gmmu_rdgc_access *a = &m->list[m->sent[i].access];
        departure d = {.step = m->sent[i].step - s->start, .write = a->write};
        if (parts == 1) {
            d.block = a->block << m->l1_shift >> m->l2_shift;
            s->out[s->out_to++] = d;
            continue;
        }
        // A miss fetches the whole block; a write, which is bypassed here, what it touches.
        bool whole = !a->past && (!a->write || m->config.l1.bypass == GMMU_RDGC_OFF);
        for (uint32_t rest = whole ? all : a->sectors; rest != 0; rest &= rest - 1) {
            d.block = a->block * parts + (uint32_t)__builtin_ctz(rest);
            s->out[s->out_to++] = d;
        }
    }
    return GMMU_OK;
}

// One round of the SM's schedulers: the list of what they issue through L1, or a wait. *sents: of
// m->sent. False: the SM has ended the grid.
static bool issue(gmmu_rdgc *m, sm_state *s, size_t *sents) {
    uint64_t now = gmmu_rdgc_cache_step(s->l1);
    uint32_t picks = gmmu_rdgc_warps_pick(s->warps, now, m->picked);
    *sents = 0;
    if (picks == 0) {
        uint64_t wake = gmmu_rdgc_warps_wake(s->warps);
        if (wake == UINT64_MAX)
            return false;
        gmmu_rdgc_cache_idle(s->l1, wake);
        return true;
    }
    size_t n = 0;
    for (uint32_t i = 0; i < picks; i++) {
        size_t from = n;
        n += put_record(m, &m->grid->records[m->picked[i]], m->list + n);
        for (; from < n; from++) m->list[from].warp = (uint16_t)i;
    }
    m->result.instructions += picks;
    m->result.coalesced += n;
    *sents = gmmu_rdgc_cache_profile(s->l1, m->list, n, m->sent);
    size_t at = 0;
    for (uint32_t i = 0; i < picks; i++) {
        uint64_t due = 0;
        for (; at < n && m->list[at].warp == i; at++) due = m->due[at] > due ? m->due[at] : due;
        gmmu_rdgc_warps_issued(s->warps, i, now, due);
    }
    return true;
}

// One list of the SM through L1.
static int run_round(gmmu_rdgc *m, sm_state *s, gmmu_error *err) {
    size_t sents = 0;
    if (s->warps != NULL) {
        if (!issue(m, s, &sents))
            s->inflight = 0;
    } else {
        size_t n = next_list(m, s);
        m->result.coalesced += n;
        sents = gmmu_rdgc_cache_profile(s->l1, m->list, n, m->sent);
    }
    return depart(m, s, sents, err);
}

// Has the SM a list for a step up to UNTIL?
static bool is_due(const sm_state *s, uint64_t until) {
    return s->inflight > 0 && gmmu_rdgc_cache_step(s->l1) - s->start <= until;
}

// Departures that L2 took leave the buffer.
static void shift_departures(sm_state *s) {
    if (s->out_from > 0) {
        s->out_to -= s->out_from;
        memmove(s->out, s->out + s->out_from, s->out_to * sizeof *s->out);
        s->out_from = 0;
    }
}

// Runs the SM until its cache has done more than UNTIL steps of the grid, or it has ended.
static int run_sm(gmmu_rdgc *m, sm_state *s, uint64_t until, gmmu_error *err) {
    while (is_due(s, until))
        if (run_round(m, s, err) != GMMU_OK)
            return GMMU_BAD;
    return GMMU_OK;
}

// The same for all SMs, which take blocks from one queue: always the one that is furthest behind.
static int run_together(gmmu_rdgc *m, uint64_t until, gmmu_error *err) {
    for (;;) {
        sm_state *next = NULL;
        uint64_t first = UINT64_MAX;
        for (uint32_t i = 0; i < m->config.sms; i++) {
            sm_state *s = &m->sms[i];
            uint64_t step = gmmu_rdgc_cache_step(s->l1) - s->start;
            if (is_due(s, until) && step < first) {
                first = step;
                next = s;
            }
        }
        if (next == NULL)
            return GMMU_OK;
        if (run_round(m, next, err) != GMMU_OK)
            return GMMU_BAD;
    }
}

// ---------------------------------------------------------------- L2

// Room for a list of N accesses.
static int l2_room(gmmu_rdgc *m, size_t n, gmmu_error *err) {
    if (n <= m->l2_room)
        return GMMU_OK;
    size_t room = 2 * n;
    gmmu_rdgc_access *list = realloc(m->l2_access, room * sizeof *list);
    if (list == NULL)
        return no_memory(err);
    m->l2_access = list;
    gmmu_rdgc_sent *sent = realloc(m->l2_sent, room * sizeof *sent);
    if (sent == NULL)
        return no_memory(err);
    m->l2_sent = sent;
    if (gmmu_rdgc_cache_reserve(m->l2, room, err) != GMMU_OK)
        return GMMU_BAD;
    m->l2_room = room;
    return GMMU_OK;
}

// Takes all departures of steps up to UNTIL through L2, step by step, in each SM by SM.
static int drain_departures(gmmu_rdgc *m, uint64_t until, gmmu_error *err) {
    for (uint64_t step = 0; step <= until;) {
        size_t n = 0;
        uint64_t next = UINT64_MAX;
        for (uint32_t i = 0; i < m->config.sms; i++) {
            sm_state *s = &m->sms[i];
            size_t from = s->out_from;
            size_t to = from;
            while (to < s->out_to && s->out[to].step == step) to++;
            if (l2_room(m, n + (to - from), err) != GMMU_OK)
                return GMMU_BAD;
            for (; from < to; from++)
                m->l2_access[n++] = (gmmu_rdgc_access){
                    .block = s->out[from].block, .warp = (uint16_t)i, .write = s->out[from].write};
            s->out_from = to;
            if (to < s->out_to && s->out[to].step < next)
                next = s->out[to].step;
        }
        if (n > 0 && m->l2_list != NULL)
            m->l2_list(m->l2_ctx, m->l2_access, n);
        (void)gmmu_rdgc_cache_profile(m->l2, m->l2_access, n, m->l2_sent);
        step = next;
    }
    return GMMU_OK;
}

// ---------------------------------------------------------------- a grid

// Line 1 of Algorithm 2 and Algorithm 3 for all SMs.
static int place_blocks(gmmu_rdgc *m, gmmu_error *err) {
    const gmmu_rdgc_grid *g = m->grid;
    uint32_t sms = m->config.sms;
    uint32_t active = 0;
    size_t cursors = 0;
    m->mapping = malloc(g->blocks * sizeof *m->mapping);
    m->taken = malloc(g->blocks * sizeof *m->taken);
    m->all = malloc(g->blocks * sizeof *m->all);
    if (m->mapping == NULL || m->taken == NULL || m->all == NULL)
        return no_memory(err);
    for (uint32_t b = 0; b < g->blocks; b++) m->all[b] = b;
    gmmu_rdgc_map_blocks(&m->config, m->result.grids, g->blocks, m->mapping);
    m->queue = (gmmu_rdgc_queue){.blocks = m->all, .count = g->blocks};
    for (uint32_t i = 0; i < sms; i++) m->sms[i].bsm = 0;
    for (uint32_t b = 0; b < g->blocks; b++) m->sms[m->mapping[b]].bsm++;
    uint32_t *taken = m->taken;
    for (uint32_t i = 0; i < sms; i++) {
        sm_state *s = &m->sms[i];
        s->blocks = taken;
        taken += s->bsm;
        gmmu_rdgc_concurrent_blocks(&m->config, g->warps, s->bsm, &s->cb, &s->nitr);
        active += s->bsm > 0;
        cursors += s->cb;
        s->bsm = 0;
    }
    for (uint32_t b = 0; b < g->blocks; b++) {
        sm_state *s = &m->sms[m->mapping[b]];
        s->blocks[s->bsm++] = b;
    }
    m->cursors = malloc((2 * cursors + 1) * sizeof *m->cursors);
    if (m->cursors == NULL)
        return no_memory(err);
    uint32_t *at = m->cursors;
    for (uint32_t i = 0; i < sms; i++) {
        sm_state *s = &m->sms[i];
        s->at = at;
        s->last = at + s->cb;
        at += 2 * (size_t)s->cb;
        s->iteration = 0;
        s->number = UINT32_MAX;
        s->inflight = s->k = 0;
        s->out_from = s->out_to = 0;
        s->start = gmmu_rdgc_cache_step(s->l1);
        if (s->bsm > 0 && s->warps != NULL) {
            s->inflight = s->cb;
            s->queue = (gmmu_rdgc_queue){.blocks = s->blocks, .count = s->bsm};
            gmmu_rdgc_queue *q = m->config.mapping == GMMU_RDGC_DEMAND ? &m->queue : &s->queue;
            if (!gmmu_rdgc_warps_begin(s->warps, g, q, s->cb))
                return no_memory(err);
        } else if (s->bsm > 0) {
            begin_iteration(m, s);
            s->number = next_number(m, s);
        }
        gmmu_rdgc_cache_scale(s->l1, active, m->config.l2.partitions * m->config.l2.banks);
    }
    // Breadth first: every SM gets a block before any gets its second.
    for (uint32_t slot = 0, left = sms; left > 0; slot++) {
        left = 0;
        for (uint32_t i = 0; i < sms && m->sms[i].warps != NULL; i++) {
            left += slot + 1 < m->sms[i].cb;
            if (slot < m->sms[i].cb)
                gmmu_rdgc_warps_start(m->sms[i].warps, slot, m->sms[i].start);
        }
    }
    return GMMU_OK;
}

static int run_all(gmmu_rdgc *m, gmmu_error *err) {
    bool busy = true;
    bool together = m->config.mapping == GMMU_RDGC_DEMAND;
    for (uint64_t until = WINDOW - 1; busy; until += WINDOW) {
        busy = false;
        for (uint32_t i = 0; i < m->config.sms; i++) shift_departures(&m->sms[i]);
        if (together && run_together(m, until, err) != GMMU_OK)
            return GMMU_BAD;
        for (uint32_t i = 0; i < m->config.sms; i++) {
            if (!together && run_sm(m, &m->sms[i], until, err) != GMMU_OK)
                return GMMU_BAD;
            busy |= m->sms[i].inflight > 0;
        }
        if (drain_departures(m, busy ? until : UINT64_MAX - 1, err) != GMMU_OK)
            return GMMU_BAD;
    }
    return GMMU_OK;
}

int gmmu_rdgc_run(gmmu_rdgc *m, const gmmu_rdgc_grid *grid, gmmu_error *err) {
    m->grid = grid;
    int rc = place_blocks(m, err);
    if (rc == GMMU_OK)
        rc = run_all(m, err);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < m->config.sms; i++) {
        sm_state *s = &m->sms[i];
        uint64_t steps = gmmu_rdgc_cache_step(s->l1) - s->start;
        longest = steps > longest ? steps : longest;
        gmmu_rdgc_cache_drain(s->l1);
        if (!m->config.keep_l1)
            gmmu_rdgc_cache_flush(s->l1);
    }
    gmmu_rdgc_cache_drain(m->l2);
    if (!m->config.keep_l2)
        gmmu_rdgc_cache_flush(m->l2);
    m->result.l1_steps_longest += longest;
    m->result.grids++;
    free(m->mapping);
    free(m->taken);
    free(m->all);
    free(m->cursors);
    m->mapping = m->taken = m->all = m->cursors = NULL;
    return rc;
}

// ---------------------------------------------------------------- life, results

static void add_counts(gmmu_rdgc_counts *sum, const gmmu_rdgc_counts *k) {
    for (uint32_t i = 0; i <= k->ways; i++) {
        sum->r[i] += k->r[i];
        sum->w[i] += k->w[i];
    }
    sum->merges += k->merges;
    sum->rf += k->rf;
    sum->steps += k->steps;
    sum->fills += k->fills;
    sum->evictions += k->evictions;
    sum->write_evictions += k->write_evictions;
    sum->bypassed += k->bypassed;
}

const gmmu_rdgc_result *gmmu_rdgc_get_result(gmmu_rdgc *m) {
    gmmu_rdgc_counts *sum = &m->result.l1;
    uint64_t *r = sum->r;
    uint64_t *w = sum->w;
    memset(r, 0, (sum->ways + 1) * sizeof *r);
    memset(w, 0, (sum->ways + 1) * sizeof *w);
    *sum = (gmmu_rdgc_counts){.ways = sum->ways, .r = r, .w = w};
    for (uint32_t i = 0; i < m->config.sms; i++)
        add_counts(sum, gmmu_rdgc_cache_counts(m->sms[i].l1));
    m->result.l2 = *gmmu_rdgc_cache_counts(m->l2);
    return &m->result;
}

static void other_counts(gmmu_rdgc *m) {
    for (uint32_t i = 0; i < m->config.sms; i++) gmmu_rdgc_cache_other_counts(m->sms[i].l1);
    gmmu_rdgc_cache_other_counts(m->l2);
}

int gmmu_rdgc_warm(gmmu_rdgc *m, const gmmu_rdgc_grid *grid, gmmu_error *err) {
    const gmmu_rdgc_result before = m->result;
    other_counts(m);
    int rc = gmmu_rdgc_run(m, grid, err);
    other_counts(m);
    m->result = before;
    return rc;
}

gmmu_rdgc_cache *gmmu_rdgc_l1(gmmu_rdgc *m, unsigned sm) {
    return m->sms[sm].l1;
}

gmmu_rdgc_cache *gmmu_rdgc_l2(gmmu_rdgc *m) {
    return m->l2;
}

void gmmu_rdgc_watch_l2(gmmu_rdgc *m, gmmu_rdgc_l2_list list, void *ctx) {
    m->l2_list = list;
    m->l2_ctx = ctx;
}

void gmmu_rdgc_destroy(gmmu_rdgc *m) {
    if (m == NULL)
        return;
    for (uint32_t i = 0; m->sms != NULL && i < m->config.sms; i++) {
        gmmu_rdgc_cache_destroy(m->sms[i].l1);
        gmmu_rdgc_warps_destroy(m->sms[i].warps);
        free(m->sms[i].out);
    }
    free(m->sms);
    gmmu_rdgc_cache_destroy(m->l2);
    free(m->list);
    free(m->sent);
    free(m->due);
    free(m->picked);
    free(m->l2_access);
    free(m->l2_sent);
    free(m->result.l1.r);
    free(m->result.l1.w);
    free(m);
}

gmmu_rdgc *gmmu_rdgc_create(const gmmu_rdgc_config *c, gmmu_error *err) {
    if (gmmu_rdgc_config_check(c, err) != GMMU_OK)
        return NULL;
    gmmu_rdgc *m = calloc(1, sizeof *m);
    if (m == NULL) {
        (void)no_memory(err);
        return NULL;
    }
    m->config = *c;
    gmmu_rdgc_cache_config *l1 = &m->config.l1;
    if (l1->bypass == GMMU_RDGC_RWON) {
        // No L1 block: accesses are coalesced in L2's, and no set is ever looked at.
        l1->block = c->l2.block;
        l1->index = GMMU_RDGC_MOD;
        l1->capacity = (uint64_t)l1->block * l1->ways * l1->partitions * l1->banks;
    }
    m->l1_shift = log2_of(l1->block);
    m->l2_shift = log2_of(c->l2.block);
    // A warp may have a read, a write and an atomic access of one AN.
    size_t longest = (size_t)3 * GMMU_WARP * c->schedulers;
    m->sms = calloc(c->sms, sizeof *m->sms);
    m->list = malloc(longest * sizeof *m->list);
    m->sent = malloc(longest * sizeof *m->sent);
    m->result.l1.ways = l1->ways;
    m->result.l1.r = calloc(l1->ways + 1, sizeof(uint64_t));
    m->result.l1.w = calloc(l1->ways + 1, sizeof(uint64_t));
    bool scheduled = c->schedule != GMMU_RDGC_LISTS;
    m->due = scheduled ? malloc(longest * sizeof *m->due) : NULL;
    m->picked = scheduled ? malloc(c->schedulers * sizeof *m->picked) : NULL;
    bool ok = m->sms != NULL && m->list != NULL && m->sent != NULL && m->result.l1.r != NULL &&
              m->result.l1.w != NULL && (!scheduled || (m->due != NULL && m->picked != NULL));
    if (!ok)
        (void)no_memory(err);
    for (uint32_t i = 0; ok && i < c->sms; i++) {
        m->sms[i].l1 = gmmu_rdgc_cache_create(l1, c->seed + 1 + i, err);
        ok = m->sms[i].l1 != NULL && gmmu_rdgc_cache_reserve(m->sms[i].l1, longest, err) == GMMU_OK;
        if (!ok || !scheduled)
            continue;
        gmmu_rdgc_cache_ask_due(m->sms[i].l1, m->due);
        m->sms[i].warps = gmmu_rdgc_warps_create(&m->config, c->seed + 1 + c->sms + 1 + i);
        ok = m->sms[i].warps != NULL || no_memory(err) == GMMU_OK;
    }
    m->l2 = ok ? gmmu_rdgc_cache_create(&c->l2, c->seed + 1 + c->sms, err) : NULL;
    if (m->l2 != NULL)
        return m;
    gmmu_rdgc_destroy(m);
    return NULL;
}

static gmmu_rdgc_share share_of(const gmmu_rdgc_counts *k, bool writes) {
    gmmu_rdgc_share s = {0};
    for (uint32_t i = 0; i <= k->ways; i++) {
        uint64_t n = k->r[i] + (writes ? k->w[i] : 0);
        s.accesses += n;
        s.hits += i < k->ways ? n : 0;
    }
    return s;
}

gmmu_rdgc_share gmmu_rdgc_l1_reads(const gmmu_rdgc_result *r) {
    return share_of(&r->l1, false);
}

gmmu_rdgc_share gmmu_rdgc_l2_reads(const gmmu_rdgc_result *r) {
    return share_of(&r->l2, false);
}

gmmu_rdgc_share gmmu_rdgc_l1_quads(const gmmu_rdgc_result *r) {
    uint64_t misses = r->l1.r[r->l1.ways];
    return (gmmu_rdgc_share){.hits = r->quad_reads - misses,
                             .accesses = r->quad_reads + r->quad_writes};
}

gmmu_rdgc_share gmmu_rdgc_with_ways(const gmmu_rdgc_counts *k, bool writes, uint32_t ways) {
    gmmu_rdgc_share s = share_of(k, writes);
    for (uint32_t i = ways; i < k->ways; i++) s.hits -= k->r[i] + (writes ? k->w[i] : 0);
    return s;
}

gmmu_rdgc_share gmmu_rdgc_l2_all(const gmmu_rdgc_result *r) {
    return share_of(&r->l2, true);
}

int gmmu_rdgc_measure(const gmmu_rdgc_config *c, const gmmu_rdgc_trace *t, size_t first,
                      size_t count, gmmu_rdgc_metrics *metrics, gmmu_error *err) {
    *metrics = (gmmu_rdgc_metrics){0};
    for (unsigned bypassed = 0; bypassed < 2; bypassed++) {
        gmmu_rdgc_config run = *c;
        if (bypassed)
            run.l1.bypass = GMMU_RDGC_RWON;
        gmmu_rdgc *m = gmmu_rdgc_create(&run, err);
        if (m == NULL)
            return GMMU_BAD;
        int rc = GMMU_OK;
        for (size_t i = 0; rc == GMMU_OK && i < count; i++)
            rc = gmmu_rdgc_run(m, gmmu_rdgc_trace_grid(t, first + i), err);
        const gmmu_rdgc_result *r = gmmu_rdgc_get_result(m);
        if (bypassed) {
            metrics->l2_l1b = gmmu_rdgc_l2_all(r);
        } else {
            metrics->l1_r = gmmu_rdgc_l1_reads(r);
            metrics->l2 = gmmu_rdgc_l2_all(r);
        }
        gmmu_rdgc_destroy(m);
        if (rc != GMMU_OK)
            return rc;
    }
    return GMMU_OK;
}
