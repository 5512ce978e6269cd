// SPDX-License-Identifier: Apache-2.0
// gmt.c: see gmt.h. Nothing is kept that can be found again in what was fed.
#include "exact/gmt.h"

#include <stdlib.h>

__extension__ typedef __int128 i128;

enum { SHORT, MEDIUM, LONG, UNKNOWN };
enum { WINDOW = 64, PERCENT = 80 };

typedef struct {
    uint32_t page;
    size_t at;     // the access
    bool is_long;  // its predicted reuse
    int correct;   // the class that would have been right, known when it comes back; else UNKNOWN
    bool returned;
} eviction;

struct gmmu_exact_gmt {
    gmmu_exact_gmt_config c;
    uint32_t *access;  // page of each, from 1
    size_t now;
    size_t all;        // accesses there will be
    uint32_t *frame;   // page in each frame of Tier 1
    bool *referenced;  // of each frame
    uint32_t frames;   // in use
    uint32_t hand;
    uint32_t *second;  // pages in Tier 2, oldest first
    uint32_t seconds;
    eviction *evicted;
    size_t evictions;
    uint64_t *vtd, *rd;  // pairs
    size_t pairs;
    i128 slope, offset, scale;  // of the last regression; scale 0: none yet
    uint8_t *mark;              // of each page, for counting
};

gmmu_exact_gmt *gmmu_exact_gmt_create(const gmmu_exact_gmt_config *config, uint32_t pages,
                                      size_t accesses) {
    gmmu_exact_gmt *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->c = *config;
    m->all = accesses;
    m->access = calloc(accesses + 1, sizeof *m->access);
    m->frame = calloc(config->tier1, sizeof *m->frame);
    m->referenced = calloc(config->tier1, sizeof *m->referenced);
    m->second = calloc(config->tier2, sizeof *m->second);
    m->evicted = calloc(accesses + 1, sizeof *m->evicted);
    m->vtd = calloc(accesses + 1, sizeof *m->vtd);
    m->rd = calloc(accesses + 1, sizeof *m->rd);
    m->mark = calloc((size_t)pages + 1, 1);
    if (m->access == NULL || m->frame == NULL || m->referenced == NULL || m->second == NULL ||
        m->evicted == NULL || m->vtd == NULL || m->rd == NULL || m->mark == NULL) {
        gmmu_exact_gmt_destroy(m);
        return NULL;
    }
    return m;
}

void gmmu_exact_gmt_destroy(gmmu_exact_gmt *m) {
    free(m->access);
    free(m->frame);
    free(m->referenced);
    free(m->second);
    free(m->evicted);
    free(m->vtd);
    free(m->rd);
    free(m->mark);
    free(m);
}

// The index of PAGE among COUNT pages, or COUNT.
static uint32_t find(const uint32_t *pages, uint32_t count, uint32_t page) {
    uint32_t i = 0;
    while (i < count && pages[i] != page) {
        i++;
    }
    return i;
}

unsigned gmmu_exact_gmt_tier(const gmmu_exact_gmt *m, uint32_t page) {
    return find(m->frame, m->frames, page) < m->frames      ? 1
           : find(m->second, m->seconds, page) < m->seconds ? 2
                                                            : 3;
}

// Ordinary least squares over all pairs (Eq. 2).
static void regress(gmmu_exact_gmt *m) {
    const i128 n = (i128)m->pairs;
    i128 x = 0;
    i128 y = 0;
    i128 xx = 0;
    i128 xy = 0;
    for (size_t i = 0; i < m->pairs; i++) {
        x += m->vtd[i];
        y += m->rd[i];
        xx += (i128)m->vtd[i] * m->vtd[i];
        xy += (i128)m->vtd[i] * m->rd[i];
    }
    if (n * xx == x * x) {
        return;  // one VTD only: no line
    }
    m->scale = n * xx - x * x;
    m->slope = n * xy - x * y;
    m->offset = y * xx - x * xy;
}

static bool heard_of(const gmmu_exact_gmt *m, uint32_t page) {
    return m->c.sample == 0 || m->c.in_sample(m->c.context, page);
}

// The pair of the present access, if the page was accessed before.
static void sample(gmmu_exact_gmt *m) {
    const uint32_t page = m->access[m->now];
    size_t before = m->now - 1;
    while (before > 0 && m->access[before] != page) {
        before--;
    }
    if (before == 0 || m->pairs == m->c.pairs || !heard_of(m, page)) {
        return;
    }
    uint64_t distinct = 0;
    for (size_t i = before + 1; i < m->now; i++) {
        distinct += m->mark[m->access[i]] == 0 && heard_of(m, m->access[i]) ? 1 : 0;
        m->mark[m->access[i]] = 1;
    }
    for (size_t i = before + 1; i < m->now; i++) {
        m->mark[m->access[i]] = 0;
    }
    m->vtd[m->pairs] = m->now - before;
    m->rd[m->pairs++] = distinct << m->c.sample;
    if (m->pairs % m->c.every == 0) {
        regress(m);
    }
}

// Eq. 1 of RRD = m RVTD + b (Eq. 3), m below 0 taken for 0.
static int class_of(const gmmu_exact_gmt *m, uint64_t rvtd) {
    const i128 slope = m->slope > 0 ? m->slope : 0;
    const i128 rrd = slope * (i128)rvtd + m->offset;  // times the scale
    const i128 one = m->c.tier1;
    const i128 two = m->c.limit_both ? one + m->c.tier2 : m->c.tier2;
    return rrd < one * m->scale ? SHORT : rrd < two * m->scale ? MEDIUM : LONG;
}

// PAGE comes back to Tier 1: where should it have been?
static void look_back(gmmu_exact_gmt *m, uint32_t page) {
    for (size_t i = m->evictions; i-- > 0;) {
        eviction *e = &m->evicted[i];
        if (e->page == page && !e->returned) {
            e->returned = true;
            e->correct = m->scale != 0 ? class_of(m, m->now - e->at) : UNKNOWN;
            return;
        }
    }
}

// Fig. 5: the weights of the transitions between PAGE's correct tiers, the largest out of the last.
// Of equal ones the last tier itself, else the nearest.
static int predict(const gmmu_exact_gmt *m, uint32_t page) {
    uint64_t weight[3][3] = {{0}};
    const uint64_t full = m->c.bits == 0 ? UINT64_MAX : (UINT64_C(1) << m->c.bits) - 1;
    int last = UNKNOWN;
    for (size_t i = 0; i < m->evictions; i++) {
        const eviction *e = &m->evicted[i];
        if (e->page != page || !e->returned || e->correct == UNKNOWN) {
            continue;
        }
        if (last != UNKNOWN) {
            uint64_t *row = weight[last];
            if (row[e->correct] == full) {
                for (int j = 0; j < 3; j++) {
                    row[j] /= 2;
                }
            }
            row[e->correct]++;
        }
        last = e->correct;
    }
    if (last == UNKNOWN) {
        return UNKNOWN;
    }
    int best = last;
    for (int j = 0; j < 3; j++) {
        best = weight[last][j] > weight[last][best] ? j : best;
    }
    return best;
}

// The class of PAGE's next access, if a line says which class times have.
static int foretell(const gmmu_exact_gmt *m, uint32_t page) {
    size_t next = m->now + 1;
    while (next <= m->all && m->c.trace[next - 1] != page) {
        next++;
    }
    return m->scale == 0 ? UNKNOWN : next > m->all ? LONG : class_of(m, next - m->now);
}

// Over 80 % of the last 64 evictions were predicted a long reuse.
static bool mostly_long(const gmmu_exact_gmt *m) {
    unsigned count = 0;
    for (size_t i = m->evictions; i-- > 0 && i + WINDOW >= m->evictions;) {
        count += m->evicted[i].is_long ? 1U : 0U;
    }
    return count * 100 > WINDOW * PERCENT;
}

// The frame whose page leaves, and the class foretold of it.
static uint32_t search(gmmu_exact_gmt *m, int *foretold) {
    uint32_t kept = 0;
    for (uint32_t f = m->hand;; f = f + 1 < m->c.tier1 ? f + 1 : 0) {
        if (m->referenced[f]) {
            m->referenced[f] = false;
            continue;
        }
        *foretold = m->c.kind == GMMU_EXACT_GMT_REUSE      ? predict(m, m->frame[f])
                    : m->c.kind == GMMU_EXACT_GMT_FORETOLD ? foretell(m, m->frame[f])
                                                           : UNKNOWN;
        if (*foretold != SHORT || kept == m->c.keep) {
            return f;
        }
        kept++;
        m->referenced[f] = true;
    }
}

// Shall a page of which the class is FORETOLD go to Tier 2?
static bool wants_second(const gmmu_exact_gmt *m, int foretold) {
    if (m->c.kind == GMMU_EXACT_GMT_TIERORDER) {
        return true;
    }
    if (m->c.kind == GMMU_EXACT_GMT_RANDOM || (foretold == UNKNOWN && m->c.default_random)) {
        return m->c.draw(m->c.context) == 1;
    }
    return foretold != LONG || mostly_long(m);
}

static void take_second(gmmu_exact_gmt *m, uint32_t i) {
    m->seconds--;
    for (; i < m->seconds; i++) {
        m->second[i] = m->second[i + 1];
    }
}

size_t gmmu_exact_gmt_access(gmmu_exact_gmt *m, uint32_t page, gmmu_exact_gmt_move moves[3]) {
    m->access[++m->now] = page;
    sample(m);
    const unsigned from = gmmu_exact_gmt_tier(m, page);
    if (from == 1) {
        m->referenced[find(m->frame, m->frames, page)] = true;
        return 0;
    }
    size_t count = 0;
    moves[count++] = (gmmu_exact_gmt_move){page, from, 1};
    look_back(m, page);
    if (from == 2) {
        take_second(m, find(m->second, m->seconds, page));
    }
    uint32_t f = m->frames;
    if (f < m->c.tier1) {
        m->frames++;
    } else {
        int foretold = UNKNOWN;
        f = search(m, &foretold);
        const uint32_t victim = m->frame[f];
        bool second = wants_second(m, foretold);
        m->evicted[m->evictions++] = (eviction){victim, m->now, foretold == LONG, UNKNOWN, false};
        if (second && m->seconds == m->c.tier2) {
            if (m->c.full_evicts) {
                moves[count++] = (gmmu_exact_gmt_move){m->second[0], 2, 3};
                take_second(m, 0);
            } else {
                second = false;
            }
        }
        moves[count++] = (gmmu_exact_gmt_move){victim, 1, second ? 2 : 3};
        if (second) {
            m->second[m->seconds++] = victim;
        }
    }
    m->frame[f] = page;
    m->referenced[f] = false;
    m->hand = f + 1 < m->c.tier1 ? f + 1 : 0;
    return count;
}
