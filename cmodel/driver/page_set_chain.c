// SPDX-License-Identifier: Apache-2.0
// page_set_chain.c: see page_set_chain.h and docs/guide/page_set_chain.md.
//
// The chain is one list from the LRU to the MRU end: old, middle, new partition. Sets come to the
// new partition at its end alone, so that the partitions stay in one piece each and the LRU choice
// of "old, else middle, else new" is the first of the list that has a page to give.
#include "driver/page_set_chain.h"

#include <string.h>

#include "gmmu/arena.h"

#define NIL UINT32_MAX

struct gmmu_psc_set {
    uint64_t set, placed;  // placed: the interval in which it came to the new partition
    uint32_t asid;
    uint32_t bits;            // pages that faulted (only faults set them)
    uint32_t here, awaited;   // pages in memory; pages that faulted and are not yet
    uint32_t older, younger;  // in the chain
    uint32_t chained;         // next of its hash bucket, or of the free list
    uint16_t count;           // touches, saturating
    bool secondary;
};

// The first division of a page set: kept for good.
struct gmmu_psc_division {
    uint64_t set;
    uint32_t asid, primary, chained;
};

struct gmmu_psc_eviction {
    uint64_t vpn, interval;
    uint32_t asid;
    bool valid;
};

gmmu_psc_config gmmu_psc_paper(uint32_t frames, uint32_t set_pages) {
    return (gmmu_psc_config){.frames = frames,
                             .waiting = 1,
                             .history = frames,
                             .set_pages = set_pages,
                             .interval = 64,
                             .fifo = 128,
                             .trigger = set_pages,
                             .jump = 16,
                             .count_max = 4 * set_pages,
                             .ratio_num = 3,
                             .ratio_den = 10,
                             .divide = 4 * set_pages,
                             .large = 4 * set_pages,
                             .jumps = UINT32_MAX};
}

static uint32_t power_of_two(uint32_t at_least) {
    uint32_t n = 1;
    while (n < at_least) n *= 2;
    return n;
}

static bool in_range(const gmmu_psc_config *c) {
    return c->frames > 0 && c->frames <= NIL / 4 && c->waiting <= NIL / 4 &&
           c->history <= NIL / 4 && c->set_pages > 0 && c->set_pages <= GMMU_PSC_MAX_PAGES &&
           (c->set_pages & (c->set_pages - 1)) == 0 && c->interval > 0 && c->fifo < NIL &&
           c->count_max > 0 && c->count_max <= UINT16_MAX && c->ratio_den > 0;
}

// Nonzero: no memory, or not enough.
static int lay_out(gmmu_psc *c, gmmu_arena *arena) {
    c->sets = c->cfg.frames + c->cfg.waiting;
    c->buckets = power_of_two(c->sets);
    c->division_buckets = power_of_two(c->cfg.history);
    c->set = gmmu_take(arena, c->sets, sizeof *c->set);
    c->bucket = gmmu_take(arena, c->buckets, sizeof *c->bucket);
    c->division = gmmu_take(arena, c->cfg.history, sizeof *c->division);
    c->division_bucket = gmmu_take(arena, c->division_buckets, sizeof *c->division_bucket);
    c->evicted[0] = gmmu_take(arena, c->cfg.fifo, sizeof *c->evicted[0]);
    c->evicted[1] = gmmu_take(arena, c->cfg.fifo, sizeof *c->evicted[1]);
    return c->evicted[1] == NULL;
}

size_t gmmu_psc_bytes(const gmmu_psc_config *cfg) {
    gmmu_psc c = {.cfg = *cfg};
    gmmu_arena count = {0};
    if (!in_range(cfg))
        return 0;
    (void)lay_out(&c, &count);
    return count.used;
}

int gmmu_psc_init(gmmu_psc *c, const gmmu_psc_config *cfg, void *mem, size_t size) {
    gmmu_arena arena = {mem, size, 0};
    *c = (gmmu_psc){.cfg = *cfg};
    if (!in_range(cfg) || lay_out(c, &arena) != 0)
        return 1;
    while (UINT32_C(1) << c->shift < cfg->set_pages) c->shift++;
    c->oldest = c->youngest = c->middle = c->fresh = c->chosen = NIL;
    memset(c->bucket, 0xFF, c->buckets * sizeof *c->bucket);
    memset(c->division_bucket, 0xFF, c->division_buckets * sizeof *c->division_bucket);
    for (uint32_t i = 0; i < c->sets; i++) c->set[i].chained = i + 1 < c->sets ? i + 1 : NIL;
    return 0;
}

// ---- where a page set is
// The finaliser of splitmix64: every bit of the key reaches every bit of the hash.
static uint64_t hash(uint32_t asid, uint64_t set, bool secondary) {
    uint64_t x = set ^ ((uint64_t)asid << 33) ^ ((uint64_t)secondary << 32);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static uint32_t *bucket_of(const gmmu_psc *c, uint32_t asid, uint64_t set, bool secondary) {
    return &c->bucket[hash(asid, set, secondary) & (c->buckets - 1)];
}

static uint32_t find(const gmmu_psc *c, uint32_t asid, uint64_t set, bool secondary) {
    uint32_t i = *bucket_of(c, asid, set, secondary);
    while (i != NIL &&
           (c->set[i].set != set || c->set[i].asid != asid || c->set[i].secondary != secondary))
        i = c->set[i].chained;
    return i;
}

static uint32_t *division_bucket_of(const gmmu_psc *c, uint32_t asid, uint64_t set) {
    return &c->division_bucket[hash(asid, set, false) & (c->division_buckets - 1)];
}

static uint32_t all_pages(const gmmu_psc *c) {
    return (uint32_t)((UINT64_C(1) << c->cfg.set_pages) - 1);
}

// The pages that are in the primary: all, if the set was never divided.
static uint32_t primary_of(const gmmu_psc *c, uint32_t asid, uint64_t set) {
    uint32_t d = *division_bucket_of(c, asid, set);
    while (d != NIL && (c->division[d].set != set || c->division[d].asid != asid))
        d = c->division[d].chained;
    return d == NIL ? all_pages(c) : c->division[d].primary;
}

typedef struct {
    uint64_t set;
    uint32_t bit, at;  // at: the set's place or NIL
    bool secondary;
} place;

static place place_of(const gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    place p = {.set = vpn >> c->shift, .bit = UINT32_C(1) << (vpn & (c->cfg.set_pages - 1))};
    p.secondary = (primary_of(c, asid, p.set) & p.bit) == 0;
    p.at = find(c, asid, p.set, p.secondary);
    return p;
}

// ---- the chain
static void append(gmmu_psc *c, uint32_t i) {
    gmmu_psc_set *s = &c->set[i];
    s->older = c->youngest;
    s->younger = NIL;
    s->placed = c->stats.intervals;
    *(c->youngest == NIL ? &c->oldest : &c->set[c->youngest].younger) = i;
    c->youngest = i;
    c->length++;
    if (c->fresh == NIL)
        c->fresh = i;
}

static void take_out(gmmu_psc *c, uint32_t i) {
    const gmmu_psc_set *s = &c->set[i];
    // a boundary goes to the next set if that is of the same partition
    uint32_t *const at = i == c->middle ? &c->middle : i == c->fresh ? &c->fresh : NULL;
    if (at != NULL)
        *at = s->younger != NIL && c->set[s->younger].placed == s->placed ? s->younger : NIL;
    *(s->older == NIL ? &c->oldest : &c->set[s->older].younger) = s->younger;
    *(s->younger == NIL ? &c->youngest : &c->set[s->younger].older) = s->older;
    c->length--;
    if (c->chosen == i)
        c->chosen = NIL;
}

// The MRU end of the old partition.
static uint32_t youngest_old(const gmmu_psc *c) {
    const uint32_t behind = c->middle != NIL ? c->middle : c->fresh;
    return behind == NIL ? c->youngest : c->set[behind].older;
}

static uint32_t create(gmmu_psc *c, uint32_t asid, const place *p) {
    const uint32_t i = c->unused;
    uint32_t *bucket = bucket_of(c, asid, p->set, p->secondary);
    c->unused = c->set[i].chained;
    c->set[i] = (gmmu_psc_set){.set = p->set, .asid = asid, .secondary = p->secondary};
    c->set[i].chained = *bucket;
    *bucket = i;
    append(c, i);
    return i;
}

static void remove_if_empty(gmmu_psc *c, uint32_t i) {
    gmmu_psc_set *s = &c->set[i];
    if ((s->here | s->awaited) != 0)
        return;
    take_out(c, i);
    uint32_t *at = bucket_of(c, s->asid, s->set, s->secondary);
    while (*at != i) at = &c->set[*at].chained;
    *at = s->chained;
    s->chained = c->unused;
    c->unused = i;
}

// An undivided set was touched often: what did not fault by now will be its secondary.
static void divide(gmmu_psc *c, const gmmu_psc_set *s) {
    if (s->bits == all_pages(c) || primary_of(c, s->asid, s->set) != all_pages(c))
        return;
    if (c->divisions == c->cfg.history) {
        c->stats.undivided++;
        return;
    }
    uint32_t *bucket = division_bucket_of(c, s->asid, s->set);
    c->division[c->divisions] = (gmmu_psc_division){s->set, s->asid, s->bits, *bucket};
    *bucket = c->divisions++;
    c->stats.divided++;
}

static void touch(gmmu_psc *c, uint32_t i, uint32_t times) {
    gmmu_psc_set *s = &c->set[i];
    if (s->placed != c->stats.intervals) {
        take_out(c, i);
        append(c, i);
    }
    if (s->count == c->cfg.count_max)
        return;
    const uint32_t room = c->cfg.count_max - s->count, before = s->count;
    s->count = (uint16_t)(s->count + (times < room ? times : room));
    if (before < c->cfg.divide && s->count >= c->cfg.divide)
        divide(c, s);
}

// ---- intervals, wrong evictions, adjustment (Algorithm 1)
static void end_interval(gmmu_psc *c) {
    c->middle = c->fresh;
    c->fresh = NIL;
    c->wrong[0] = c->wrong[1] = 0;
    c->faults_of_interval = 0;
    c->stats.intervals++;
    c->lasted[c->strategy] += c->category != GMMU_PSC_OPEN;
    c->stats.lasted[c->strategy] += c->category != GMMU_PSC_OPEN;
    c->stats.length_sum += c->length;
    if (c->length > c->stats.most_length)
        c->stats.most_length = c->length;
    if (c->cfg.brief) {
        c->skip = 0;
        c->chosen = NIL;
    }
}

// For an irregular#2 application: who lasted longer; of equals the one in force.
static void longer_interval(gmmu_psc *c) {
    const gmmu_psc_strategy now = c->strategy;
    const gmmu_psc_strategy other = now == GMMU_PSC_LRU ? GMMU_PSC_MRU_C : GMMU_PSC_LRU;
    if ((!c->tried && !c->cfg.untried) || c->lasted[other] > c->lasted[now] ||
        (c->cfg.tie && c->lasted[other] == c->lasted[now])) {
        c->strategy = other;
        c->tried = true;
        c->stats.switches++;
        c->chosen = NIL;
        if (!c->cfg.total)
            c->lasted[other] = 0;
    }
}

static void adjust(gmmu_psc *c) {
    if (c->category == GMMU_PSC_IRREGULAR_2) {
        longer_interval(c);
    } else if (c->category == GMMU_PSC_REGULAR && c->census.old >= c->cfg.large &&
               c->stats.jumps < c->cfg.jumps) {
        c->skip += c->cfg.jump;
        c->stats.jumps++;
        c->chosen = NIL;
    }
}

static bool triggers(const gmmu_psc *c, uint32_t wrong) {
    if (c->cfg.again && c->cfg.trigger != 0)
        return wrong % c->cfg.trigger == 0;
    return wrong == c->cfg.trigger;
}

// Was the page evicted lately? It is forgotten then: each eviction is wrong at most once.
static void judge(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    for (unsigned by = 0; by < 2; by++)
        for (uint32_t i = 0; i < c->cfg.fifo; i++) {
            gmmu_psc_eviction *e = &c->evicted[by][i];
            if (!e->valid || e->vpn != vpn || e->asid != asid)
                continue;
            e->valid = false;
            if (c->cfg.window && c->stats.intervals - e->interval > 1)
                return;
            c->stats.wrong[by]++;
            if (triggers(c, ++c->wrong[by]) && by == c->strategy)
                adjust(c);
            return;
        }
}

static void remember(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    const gmmu_psc_strategy by = c->strategy;
    if (c->cfg.fifo == 0)
        return;
    c->evicted[by][c->ring[by]] = (gmmu_psc_eviction){vpn, c->stats.intervals, asid, true};
    c->ring[by] = (c->ring[by] + 1) % c->cfg.fifo;
}

// ---- classification (section IV.D, Table III)
static void classify(gmmu_psc *c) {
    gmmu_psc_census *n = &c->census;
    const uint32_t first_not_old = c->middle != NIL ? c->middle : c->fresh;
    const uint32_t end = c->cfg.counted == GMMU_PSC_COUNT_ALL       ? NIL
                         : c->cfg.counted == GMMU_PSC_COUNT_NOT_NEW ? c->fresh
                                                                    : first_not_old;
    bool old = true, counted = true;
    n->length = c->length;
    for (uint32_t i = c->oldest; i != NIL; i = c->set[i].younger) {
        const uint32_t size = c->cfg.set_pages, count = c->set[i].count;
        old = old && i != first_not_old;
        n->old += old;
        counted = counted && i != end;
        if (!counted)
            continue;
        n->irregular += count % size != 0;
        n->regular += count % size == 0;
        n->small += count == size || count == 2 * size;
        n->large += count == 3 * size || count == 4 * size;
    }
    if ((uint64_t)n->irregular * c->cfg.ratio_den > (uint64_t)n->regular * c->cfg.ratio_num)
        c->category = GMMU_PSC_IRREGULAR_2;
    else if (n->large > 0 && n->large >= 2 * (uint64_t)n->small)
        c->category = GMMU_PSC_IRREGULAR_1;
    else
        c->category = GMMU_PSC_REGULAR;
    if (c->cfg.force != GMMU_PSC_OPEN)
        c->category = c->cfg.force;
    c->strategy = c->category == GMMU_PSC_REGULAR ? GMMU_PSC_MRU_C : GMMU_PSC_LRU;
}

// ---- events
int gmmu_psc_fault(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    place p = place_of(c, asid, vpn);
    if (p.at == NIL && c->unused == NIL)
        return 1;
    if (c->faults_of_interval == c->cfg.interval)
        end_interval(c);
    c->faults_of_interval++;
    c->stats.faults++;
    judge(c, asid, vpn);
    if (p.at == NIL)
        p.at = create(c, asid, &p);
    c->set[p.at].bits |= p.bit;
    c->set[p.at].awaited |= p.bit & ~c->set[p.at].here;
    touch(c, p.at, 1);
    return 0;
}

int gmmu_psc_filled(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    const place p = place_of(c, asid, vpn);
    if (p.at == NIL || (c->set[p.at].awaited & p.bit) == 0)
        return 1;
    c->set[p.at].awaited &= ~p.bit;
    c->set[p.at].here |= p.bit;
    c->resident++;
    if (c->resident == c->cfg.frames && c->category == GMMU_PSC_OPEN)
        classify(c);
    return 0;
}

void gmmu_psc_hits(gmmu_psc *c, const gmmu_psc_record *r) {
    const uint32_t primary = primary_of(c, r->asid, r->set);
    uint32_t times[2] = {0, 0};
    for (uint32_t i = 0; i < c->cfg.set_pages; i++) times[(primary >> i & 1) == 0] += r->count[i];
    c->stats.records++;
    for (unsigned k = 0; k < 2; k++) {
        const unsigned part = k ^ c->cfg.second;
        const uint32_t at = times[part] == 0 ? NIL : find(c, r->asid, r->set, part == 1);
        c->stats.stale += times[part] > 0 && at == NIL;
        if (at != NIL)
            touch(c, at, times[part]);
    }
}

// ---- the choice
// The pages of set I that may leave: a bit each.
static uint32_t leavers(const gmmu_psc *c, uint32_t i) {
    const gmmu_psc_set *s = &c->set[i];
    if (c->may_leave == NULL)
        return s->here;
    uint32_t may = 0;
    for (uint32_t left = s->here; left != 0; left &= left - 1) {
        const unsigned at = (unsigned)__builtin_ctz(left);
        may |= (uint32_t)c->may_leave(c->context, s->asid, (s->set << c->shift) + at) << at;
    }
    return may;
}

bool gmmu_psc_some_may_leave(const gmmu_psc *c) {
    uint32_t i = c->oldest;
    while (i != NIL && leavers(c, i) == 0) i = c->set[i].younger;
    return i != NIL;
}

// The first of the whole chain that has a page to leave: old, else middle, else new partition.
static uint32_t search_lru(gmmu_psc *c, uint64_t *compared) {
    uint32_t i = c->oldest;
    while (i != NIL && (++*compared, leavers(c, i) == 0)) i = c->set[i].younger;
    return i;
}

// Does count A leave before count B, where none is the set size? By E3: the least above it; else
// the most.
static bool leaves_before(const gmmu_psc *c, uint32_t a, uint32_t b) {
    const uint32_t size = c->cfg.set_pages;
    if (c->cfg.mruc == GMMU_PSC_LEAST || (a >= size && b >= size))
        return a < b;
    return a > b;
}

// MRU-C over the old partition from the search point on; NIL: there is no page to
// leave.
static uint32_t search_mruc(gmmu_psc *c, uint64_t *compared) {
    const uint32_t size = c->cfg.set_pages;
    uint32_t i = youngest_old(c), best = NIL;
    for (uint64_t n = 0; n < c->skip && i != NIL && c->set[i].older != NIL; n++)
        i = c->set[i].older;
    for (; i != NIL; i = c->set[i].older) {
        const gmmu_psc_set *s = &c->set[i];
        ++*compared;
        if (leavers(c, i) == 0)
            continue;
        if (s->count == size || c->cfg.mruc == GMMU_PSC_ANY_COUNT)
            return i;
        if (best == NIL || leaves_before(c, s->count, c->set[best].count))
            best = i;
    }
    return best;
}

static void choose(gmmu_psc *c) {
    uint64_t compared = 0;
    if (c->strategy == GMMU_PSC_MRU_C) {
        c->chosen = search_mruc(c, &compared);
        c->stats.mruc_searches++;
        c->stats.mruc_compared += compared;
    }
    if (c->chosen == NIL)
        c->chosen = search_lru(c, &compared);
    c->stats.searches++;
    c->stats.compared += compared;
    if (compared > c->stats.most_compared)
        c->stats.most_compared = compared;
}

gmmu_psc_page gmmu_psc_victim(gmmu_psc *c) {
    if (c->category == GMMU_PSC_OPEN)
        classify(c);
    if (c->chosen != NIL && (c->cfg.afresh || leavers(c, c->chosen) == 0))
        c->chosen = NIL;  // only pages that are awaited or may not leave are left of it
    if (c->chosen == NIL)
        choose(c);
    if (c->chosen == NIL)
        return (gmmu_psc_page){.found = false};
    const gmmu_psc_set *s = &c->set[c->chosen];
    const unsigned first = (unsigned)__builtin_ctz(leavers(c, c->chosen));
    return (gmmu_psc_page){true, s->asid, (s->set << c->shift) + first};
}

int gmmu_psc_evicted(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    const place p = place_of(c, asid, vpn);
    if (p.at == NIL || (c->set[p.at].here & p.bit) == 0)
        return 1;
    c->set[p.at].here &= ~p.bit;
    c->resident--;
    c->stats.evicted++;
    c->stats.gone[c->strategy]++;
    remember(c, asid, vpn);
    remove_if_empty(c, p.at);
    return 0;
}

int gmmu_psc_freed(gmmu_psc *c, uint32_t asid, uint64_t vpn) {
    const place p = place_of(c, asid, vpn);
    if (p.at == NIL || ((c->set[p.at].here | c->set[p.at].awaited) & p.bit) == 0)
        return 1;
    c->resident -= (c->set[p.at].here & p.bit) != 0;
    c->set[p.at].here &= ~p.bit;
    c->set[p.at].awaited &= ~p.bit;
    remove_if_empty(c, p.at);
    return 0;
}
