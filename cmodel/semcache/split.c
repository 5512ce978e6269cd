// SPDX-License-Identifier: Apache-2.0
// split.c: see split.h.
//
// A record is a range of CPU memory and its place on the GPU, which has the range's layout, gaps
// included: an operand inside is where the kernel expects it, whatever its leading dimension. Where
// a record begins and ends decides nothing but how much GPU memory it takes. Records are disjoint.
#include "semcache/split.h"

#include <stdlib.h>
#include <string.h>

#include "semcache/worth.h"

enum { SITE_BITS = 24, MOST_HITS = 255, SAMPLE = 64, MANY = 1024, OPEN = 8, FEW = 16 };

// GPU memory that was allocated at once, for a record that has FIRST at BASE.
typedef struct {
    uint64_t base, bytes;
    uint64_t first;
} place;

typedef struct {
    gmmu_valid is;  // its range
    place *place;
    uint64_t base;  // of its first byte
    uint64_t note;  // when it was looked up, and by whom
    uint64_t call;  // the last one that used it
    uint32_t hits;
} record;

typedef struct {
    place *place;
    uint64_t at;
    uint64_t note;
    uint32_t hits, held;
} result;

struct gmmu_split {
    gmmu_sem_config cfg;
    gmmu_sem_gpu gpu;
    gmmu_sem_counts *counts;
    void (*left)(void *context, uint64_t at);
    void *context;
    record *record;  // by address
    size_t used, room;
    result *result;
    size_t results, result_room;
    gmmu_valid_pool pool;
    gmmu_worth worth;
    uint64_t in_use;  // bytes of GPU memory
    uint64_t now, call;
    bool calling;
    bool running;  // the call's kernel has its addresses
    size_t hand;
    bool up;                // the next transfer's direction,
    gmmu_sem_piece *piece;  // and its pieces
    size_t pieces, piece_room;
};

// ---- the host's memory

static bool no_memory(const gmmu_split *s) {
    s->counts->no_memory++;
    return false;
}

static bool reserve(gmmu_split *s, size_t blocks) {
    return gmmu_valid_reserve(&s->pool, blocks) || no_memory(s);
}

static bool make(const gmmu_split *s, gmmu_valid *v, uint64_t first, uint64_t last) {
    return gmmu_valid_make(v, first, last) || no_memory(s);
}

// What is known of NOTE's site: something of BYTES that was looked up then is looked up again, or
// is lost.
static void learn(gmmu_split *s, uint64_t note, uint64_t bytes, bool again) {
    const uint32_t site = (uint32_t)note & ((1u << SITE_BITS) - 1);
    if (s->cfg.evict == GMMU_SEM_LEU &&
        !(again ? gmmu_worth_learn(&s->worth, site, s->now - (note >> SITE_BITS), bytes)
                : gmmu_worth_lost(&s->worth, site, bytes)))
        (void)no_memory(s);
}

// ---- transfers

// The pieces go, as one transfer.
static void flush(gmmu_split *s) {
    void (*const one)(void *, uint64_t, uint64_t, uint64_t) = s->up ? s->gpu.up : s->gpu.down;
    if (s->pieces == 0)
        return;
    (*(s->up ? &s->counts->ups : &s->counts->downs))++;
    s->counts->pieces += s->pieces;
    for (size_t k = 0; k < s->pieces; k++) {
        const gmmu_sem_piece *p = &s->piece[k];
        *(s->up ? &s->counts->up_bytes : &s->counts->down_bytes) += p->run * p->count;
        for (uint64_t i = 0; i < p->count && one != NULL && s->gpu.gather == NULL; i++)
            one(s->gpu.context, p->start + i * p->stride, p->base + i * p->stride, p->run);
    }
    if (s->gpu.gather != NULL)
        s->gpu.gather(s->gpu.context, s->up, s->piece, s->pieces);
    s->pieces = 0;
}

// [first, last] of R goes UP, or down: in one of the last pieces, which it continues, or as a new
// one.
static void send(gmmu_split *s, const record *r, bool up, uint64_t first, uint64_t last) {
    const uint64_t run = last - first + 1, base = r->base + (first - r->is.first);
    if (up != s->up)
        flush(s);
    s->up = up;
    for (size_t i = s->pieces > OPEN ? s->pieces - OPEN : 0; i < s->pieces; i++) {
        gmmu_sem_piece *p = &s->piece[i];
        const uint64_t step = first - p->start;
        const bool next = p->count == 1 ? step > run : step == p->stride * p->count;
        if (first <= p->start || p->run != run || base - p->base != step || !next)
            continue;
        p->stride = p->count == 1 ? step : p->stride;
        p->count++;
        return;
    }
    if (s->pieces == s->piece_room) {
        const size_t room = s->piece_room < FEW ? FEW : 2 * s->piece_room;
        gmmu_sem_piece *more = realloc(s->piece, room * sizeof *more);
        if (more == NULL) {
            (void)no_memory(s);
            flush(s);
        } else {
            s->piece = more;
            s->piece_room = room;
        }
    }
    s->piece[s->pieces++] = (gmmu_sem_piece){first, base, run, 0, 1};
}

// What of [first, last] is old on the GPU goes up, or what is old on the CPU comes down.
static void refresh(gmmu_split *s, record *r, bool up, uint64_t first, uint64_t last) {
    const unsigned old = up ? GMMU_VALID_IN_C : GMMU_VALID_IN_G;
    for (uint64_t at = first, from, to; gmmu_valid_run(&r->is, at, last, old, &from, &to);
         at = to + 1) {
        send(s, r, up, from, to);
        gmmu_valid_set(&r->is, &s->pool, from, to, GMMU_VALID_S);
        if (to == last)
            return;
    }
}

// All that is newest on the GPU comes down; it needs no memory.
static void bring_home(gmmu_split *s, record *r) {
    for (uint64_t at = r->is.first, from, to;
         gmmu_valid_run(&r->is, at, r->is.last, GMMU_VALID_IN_G, &from, &to); at = to + 1) {
        send(s, r, false, from, to);
        if (to == r->is.last)
            break;
    }
    flush(s);
}

// ---- GPU memory

static void release(gmmu_split *s, place *p, uint64_t start) {
    if (s->gpu.release != NULL)
        s->gpu.release(s->gpu.context, start, p->base, p->bytes);
    s->in_use -= p->bytes;
    free(p);
}

static void forget(gmmu_split *s, size_t i) {
    record *r = &s->record[i];
    release(s, r->place, r->is.first);
    gmmu_valid_free(&r->is, &s->pool);
    memmove(r, r + 1, (s->used - i - 1) * sizeof *r);
    s->used--;
}

static uint64_t worth_of(const gmmu_split *s, uint64_t note, uint32_t hits) {
    const uint32_t site = (uint32_t)note & ((1u << SITE_BITS) - 1);
    switch (s->cfg.evict) {
        case GMMU_SEM_LRU:
            return note >> SITE_BITS;
        case GMMU_SEM_LEU:
            return gmmu_worth_of(&s->worth, site, s->now - (note >> SITE_BITS));
        default:
            return hits;
    }
}

static void drop_result(gmmu_split *s, size_t i) {
    release(s, s->result[i].place, UINT64_MAX);
    s->result[i] = s->result[--s->results];
}

// The record or result of the least worth leaves, of those that no call uses. Of many, some are
// looked at, from a hand that goes round. False: all are in use.
static bool evict(gmmu_split *s, bool records_only) {
    const size_t all = s->used + (records_only ? 0 : s->results);
    const size_t look = all > MANY ? SAMPLE : all;
    size_t worst = SIZE_MAX, looked = 0;
    uint64_t least = 0;
    for (size_t k = 0; k < all && looked < look; k++) {
        const size_t i = (s->hand + k) % all;
        uint64_t worth;
        if (i < s->used) {
            const record *r = &s->record[i];
            if (s->calling && r->call == s->call)
                continue;
            worth = worth_of(s, r->note, r->hits);
        } else {
            const result *m = &s->result[i - s->used];
            if (m->held != 0)
                continue;
            worth = worth_of(s, m->note, m->hits);
        }
        looked++;
        if (worst != SIZE_MAX && worth >= least)
            continue;
        worst = i;
        least = worth;
    }
    if (worst == SIZE_MAX)
        return false;
    if (look < all)
        s->hand = (worst + 1) % all;
    s->counts->evictions++;
    if (worst < s->used) {
        bring_home(s, &s->record[worst]);
        forget(s, worst);
    } else {
        const uint64_t at = s->result[worst - s->used].at;
        drop_result(s, worst - s->used);
        s->left(s->context, at);
    }
    return true;
}

// NULL: there is no room, whoever leaves.
static place *allocate(gmmu_split *s, uint64_t bytes) {
    if (bytes == 0 || bytes > s->cfg.limit)
        return NULL;
    while (bytes > s->cfg.limit - s->in_use)
        if (!evict(s, false))
            return NULL;
    place *p = malloc(sizeof *p);
    if (p == NULL) {
        (void)no_memory(s);
        return NULL;
    }
    *p = (place){.bytes = bytes};
    if (s->gpu.allocate != NULL && !s->gpu.allocate(s->gpu.context, bytes, &p->base)) {
        free(p);
        return NULL;
    }
    s->in_use += bytes;
    if (s->in_use > s->counts->most_bytes)
        s->counts->most_bytes = s->in_use;
    return p;
}

// ---- records

// The number of the first record that ends at AT or behind.
static size_t at_or_behind(const gmmu_split *s, uint64_t at) {
    size_t low = 0, high = s->used;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (s->record[mid].is.last < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool meets(const gmmu_split *s, size_t i, uint64_t first, uint64_t last) {
    return i < s->used && s->record[i].is.first <= last && first <= s->record[i].is.last;
}

static bool in_call(const gmmu_split *s, const record *r) {
    return s->calling && r->call == s->call;
}

// From the first byte of R that is on the GPU to the last. False: there is none.
static bool live(const record *r, uint64_t *first, uint64_t *last) {
    uint64_t end;
    return gmmu_valid_run(&r->is, r->is.first, r->is.last, GMMU_VALID_ON_GPU, first, &end) &&
           gmmu_valid_last(&r->is, r->is.first, r->is.last, GMMU_VALID_ON_GPU, last);
}

static bool room_for_record(gmmu_split *s) {
    if (s->used < s->room)
        return true;
    const size_t room = s->room == 0 ? 64 : 2 * s->room;
    record *more = realloc(s->record, room * sizeof *more);
    if (more == NULL)
        return no_memory(s);
    s->record = more;
    s->room = room;
    return true;
}

static void insert(gmmu_split *s, const record *r) {
    const size_t i = at_or_behind(s, r->is.first);
    memmove(&s->record[i + 1], &s->record[i], (s->used - i) * sizeof *r);
    s->record[i] = *r;
    s->used++;
    if (s->used > s->counts->most_ranges)
        s->counts->most_ranges = s->used;
}

// ---- the runs of an operand

// The part of run K of O in [first, last]. False: there is none.
static bool run_of(const gmmu_sem_operand *o, uint64_t k, uint64_t first, uint64_t last,
                   uint64_t *from, uint64_t *to) {
    *from = o->run == 0 ? o->start : o->start + k * o->stride;
    *to = o->run == 0 ? o->last : *from + (o->run - 1);
    if (*from > last || *to < first)
        return false;
    *from = *from < first ? first : *from;
    *to = *to > last ? last : *to;
    return true;
}

// The runs of O that may meet R: numbers *k to *end − 1.
static void runs_in(const gmmu_sem_operand *o, const record *r, uint64_t *k, uint64_t *end) {
    const uint64_t runs = gmmu_sem_runs(o);
    *k = 0;
    *end = runs;
    if (o->run == 0)
        return;
    if (r->is.first > o->start)
        *k = (r->is.first - o->start) / o->stride;
    if (r->is.last < o->last)
        *end = r->is.last < o->start ? 0 : (r->is.last - o->start) / o->stride + 1;
}

// The blocks that a change of all runs of O takes at most: one for a page of a record that changes
// in part. However many runs O has, what no record has takes nothing.
static size_t blocks_for(const gmmu_split *s, const gmmu_sem_operand *o) {
    size_t n = 0;
    for (size_t i = at_or_behind(s, o->start); meets(s, i, o->start, o->last); i++) {
        const gmmu_valid *is = &s->record[i].is;
        const uint64_t first = is->first > o->start ? is->first : o->start;
        const uint64_t pages = (is->last < o->last ? is->last : o->last) / 4096 - first / 4096 + 1;
        uint64_t k, end;
        runs_in(o, &s->record[i], &k, &end);
        n += (size_t)(end - k < pages / 2 ? 2 * (end - k) : pages) + 2;
    }
    return n;
}

// Record I becomes [first, last], a part that has all that is on the GPU. False: no memory.
static bool shrink(gmmu_split *s, size_t i, uint64_t first, uint64_t last) {
    record *r = &s->record[i];
    gmmu_valid part;
    if (r->is.first == first && r->is.last == last)
        return true;
    if (!reserve(s, 4) || !make(s, &part, first, last))
        return false;
    gmmu_valid_move(&part, &r->is, &s->pool, first, last);
    gmmu_valid_free(&r->is, &s->pool);
    r->base += first - r->is.first;
    r->is = part;
    return true;
}

// Record I gives up a range in which it has nothing on the GPU, at one of its ends: what is left
// stays, from the first byte that is on the GPU to the last. (The range is never in the middle:
// look_up finds a record that has all of the range.) False: no memory.
static bool cut(gmmu_split *s, size_t i) {
    uint64_t from, to;
    if (!live(&s->record[i], &from, &to)) {
        forget(s, i);
        return true;
    }
    s->counts->splits++;
    return shrink(s, i, from, to);
}

static uint64_t note_of(const gmmu_split *s, uint32_t site) {
    return s->now << SITE_BITS | (site & ((1u << SITE_BITS) - 1));
}

// Takes from record I what is on the GPU, into R, which has all of it: a copy within the GPU.
static void absorb(gmmu_split *s, record *r, size_t i) {
    record *old = &s->record[i];
    uint64_t first, last;
    if (live(old, &first, &last)) {
        const uint64_t from = old->base + (first - old->is.first);
        const uint64_t to = r->base + (first - r->is.first);
        if (s->gpu.copy != NULL)
            s->gpu.copy(s->gpu.context, from, to, last - first + 1);
        s->counts->copies++;
        s->counts->copy_bytes += last - first + 1;
        gmmu_valid_move(&r->is, &old->is, &s->pool, first, last);
    }
    r->hits = r->hits + old->hits < MOST_HITS ? r->hits + old->hits : MOST_HITS;
    forget(s, i);
}

// What a record that has [*first, *last] must have too, as other records have it on the GPU.
// Records with nothing there are cut. False: no memory.
static bool hull_of(gmmu_split *s, uint64_t *first, uint64_t *last) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = at_or_behind(s, *first); meets(s, i, *first, *last); i++) {
            const record *r = &s->record[i];
            const uint64_t a = r->is.first > *first ? r->is.first : *first;
            const uint64_t b = r->is.last < *last ? r->is.last : *last;
            uint64_t from = r->is.first, to = r->is.last, x, y;
            if (!in_call(s, r) && !gmmu_valid_run(&r->is, a, b, GMMU_VALID_ON_GPU, &x, &y))
                continue;
            if (!in_call(s, r))
                (void)live(r, &from, &to);
            again = again || from < *first || to > *last;
            *first = from < *first ? from : *first;
            *last = to > *last ? to : *last;
        }
    }
    for (size_t i = at_or_behind(s, *first); meets(s, i, *first, *last);) {
        const record *r = &s->record[i];
        uint64_t from, to;
        if ((r->is.first >= *first && r->is.last <= *last) ||
            (live(r, &from, &to) && from >= *first && to <= *last)) {
            i++;
            continue;
        }
        if (!cut(s, i))
            return false;
        i = at_or_behind(s, *first);
    }
    return true;
}

// The one record that meets [first, last] becomes [first, last], if its place has room for that.
static bool widen(gmmu_split *s, uint32_t site, size_t i, uint64_t first, uint64_t last) {
    record *r = &s->record[i];
    const place *p = r->place;
    gmmu_valid is;
    if (first < p->first || last - p->first >= p->bytes || !reserve(s, 4) ||
        !make(s, &is, first, last))
        return false;
    const uint64_t from = r->is.first > first ? r->is.first : first;
    const uint64_t to = r->is.last < last ? r->is.last : last;
    gmmu_valid_move(&is, &r->is, &s->pool, from, to);
    gmmu_valid_free(&r->is, &s->pool);
    r->is = is;
    r->base = p->base + (first - p->first);
    r->note = note_of(s, site);
    r->call = s->call;
    s->counts->merges++;
    return true;
}

// A place for [first, last], with room beyond the end at which OLD, which goes into it, was
// outgrown: rows of a matrix come one after the other, each a bit behind the one before. The room
// takes no place that others have.
static place *place_for(gmmu_split *s, uint64_t first, uint64_t last, const record *old) {
    const uint64_t bytes = last - first + 1;
    uint64_t before = 0, behind = 0;
    place *p = NULL;
    if (old != NULL && old->is.last < last)
        behind = bytes / 2 < UINT64_MAX - last ? bytes / 2 : UINT64_MAX - last;
    else if (old != NULL)
        before = bytes / 2 < first ? bytes / 2 : first;
    const uint64_t more = before + behind;
    if (more != 0 && bytes <= s->cfg.limit / 4 && bytes + more <= s->cfg.limit - s->in_use)
        p = allocate(s, bytes + more);
    if (p != NULL) {
        p->first = first - before;
        return p;
    }
    p = allocate(s, bytes);
    if (p != NULL)
        p->first = first;
    return p;
}

// A record for [first, last], which no record has alone. False: no memory or no room.
static bool make_record(gmmu_split *s, uint32_t site, uint64_t first, uint64_t last) {
    uint64_t from = first, to = last;
    record r = {.note = note_of(s, site), .call = s->call};
    if (!hull_of(s, &from, &to))
        return false;
    for (size_t i = at_or_behind(s, from); s->running && meets(s, i, from, to); i++)
        if (in_call(s, &s->record[i]))
            return false;  // the kernel has its address
    const size_t one = at_or_behind(s, from);
    const bool alone = meets(s, one, from, to) && !meets(s, one + 1, from, to);
    if (alone && widen(s, site, one, from, to))
        return true;
    while (s->cfg.ranges != 0 && s->used >= s->cfg.ranges)
        if (!evict(s, true))
            return false;
    const size_t at = at_or_behind(s, from);
    r.place = place_for(s, from, to, meets(s, at, from, to) ? &s->record[at] : NULL);
    if (r.place == NULL) {
        // there is no room for the whole beside its parts: those that no call uses go home
        for (size_t i = at_or_behind(s, first); meets(s, i, first, last);) {
            if (in_call(s, &s->record[i]))
                return false;
            s->counts->evictions++;
            bring_home(s, &s->record[i]);
            forget(s, i);
        }
        from = first;
        to = last;
        r.place = place_for(s, from, to, NULL);
    }
    if (r.place == NULL)
        return false;
    r.base = r.place->base + (from - r.place->first);
    size_t parts = 0;
    while (meets(s, at_or_behind(s, from) + parts, from, to)) parts++;
    if (!room_for_record(s) || !reserve(s, 4 * parts) || !make(s, &r.is, from, to)) {
        release(s, r.place, from);
        return false;
    }
    for (size_t i = at_or_behind(s, from); meets(s, i, from, to);) absorb(s, &r, i);
    s->counts->merges += parts > 1 || (parts == 1 && (from != first || to != last));
    insert(s, &r);
    return true;
}

// A record that has all of O. False: no memory or no room.
static bool look_up(gmmu_split *s, uint32_t site, const gmmu_sem_operand *o) {
    const size_t i = at_or_behind(s, o->start);
    s->now++;
    s->counts->lookups++;
    if (!meets(s, i, o->start, o->last) || s->record[i].is.first > o->start ||
        s->record[i].is.last < o->last)
        return make_record(s, site, o->start, o->last);
    record *r = &s->record[i];
    learn(s, r->note, r->is.last - r->is.first + 1, true);
    s->counts->hits++;
    r->hits += r->hits < MOST_HITS;
    r->note = note_of(s, site);
    r->call = s->call;
    return true;
}

typedef enum { UP, TO_G, TO_C } change;

// What the GPU has of [first, last] is old from here on.
static void outdate(const gmmu_split *s, const record *r, uint64_t first, uint64_t last) {
    for (uint64_t at = first, from, to;
         s->gpu.outdated != NULL && gmmu_valid_run(&r->is, at, last, GMMU_VALID_ON_GPU, &from, &to);
         at = to + 1) {
        s->gpu.outdated(s->gpu.context, r->base + (from - r->is.first), to - from + 1);
        if (to == last)
            return;
    }
}

static void change_runs(gmmu_split *s, record *r, const gmmu_sem_operand *o, change what) {
    uint64_t k, end, from, to;
    for (runs_in(o, r, &k, &end); k < end; k++) {
        if (!run_of(o, k, r->is.first, r->is.last, &from, &to))
            continue;
        if (what == TO_C)
            outdate(s, r, from, to);
        if (what == UP)
            refresh(s, r, true, from, to);
        else
            gmmu_valid_set(&r->is, &s->pool, from, to, what == TO_G ? GMMU_VALID_G : GMMU_VALID_C);
    }
}

// ---- what the program does

// Records that the operands of a call met, or that it had made, and that have nothing on the GPU.
static void sweep(gmmu_split *s, const gmmu_sem_operand *operand, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        for (size_t i = at_or_behind(s, operand[k].start);
             meets(s, i, operand[k].start, operand[k].last);)
            if (s->record[i].is.on_gpu == 0)
                forget(s, i);
            else
                i++;
}

// Do the operands fit in GPU memory at once, each byte between their ends once?
static bool can_fit(const gmmu_split *s, const gmmu_sem_operand *operand, uint32_t n) {
    uint64_t left = s->cfg.limit, beyond = 0;
    for (bool more = true; more;) {  // by ascending address
        uint64_t first = 0, last = 0;
        more = false;
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t from = operand[i].start < beyond ? beyond : operand[i].start;
            if (operand[i].last < from)
                continue;
            if (!more || from < first || (from == first && operand[i].last > last)) {
                first = from;
                last = operand[i].last;
                more = true;
            }
        }
        if (more && last - first >= left)
            return false;
        if (more)
            left -= last - first + 1;
        if (more && last == UINT64_MAX)
            return true;
        beyond = last + 1;
    }
    return true;
}

bool gmmu_split_begin(gmmu_split *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base) {
    size_t blocks = 0;
    s->call++;
    s->calling = true;
    bool good = can_fit(s, operand, n);
    for (uint32_t i = 0; i < n && good; i++) good = look_up(s, site, &operand[i]);
    for (uint32_t i = 0; i < n && good; i++) blocks += 2 * blocks_for(s, &operand[i]);
    if (!good || !reserve(s, blocks)) {
        s->calling = false;
        sweep(s, operand, n);
        return false;
    }
    // the record of an operand may have gone into that of a later one
    for (uint32_t i = 0; i < n; i++) {
        if (operand[i].reads || !operand[i].whole)
            change_runs(s, &s->record[at_or_behind(s, operand[i].start)], &operand[i], UP);
        flush(s);
    }
    for (uint32_t i = 0; i < n; i++) {
        record *r = &s->record[at_or_behind(s, operand[i].start)];
        if (base != NULL)
            base[i] = r->base + (operand[i].start - r->is.first);
        if (operand[i].writes)
            change_runs(s, r, &operand[i], TO_G);
    }
    s->running = true;
    return true;
}

void gmmu_split_end(gmmu_split *s) {
    s->calling = s->running = false;
}

bool gmmu_split_source(gmmu_split *s, uint32_t site, const gmmu_sem_operand *o, uint64_t *base) {
    if (!s->calling)
        return gmmu_split_begin(s, site, o, 1, base);
    const bool good =
        o->last - o->start < s->cfg.limit && look_up(s, site, o) && reserve(s, blocks_for(s, o));
    if (!good)
        return false;
    record *r = &s->record[at_or_behind(s, o->start)];
    change_runs(s, r, o, UP);
    flush(s);
    *base = r->base + (o->start - r->is.first);
    return true;
}

static bool is_running(const gmmu_split *s, const record *r) {
    return s->running && in_call(s, r);  // its kernel may not have run yet
}

// What is newest on the GPU in [first, last] comes down.
static void come_down(gmmu_split *s, uint64_t first, uint64_t last) {
    for (size_t i = at_or_behind(s, first); meets(s, i, first, last); i++) {
        record *r = &s->record[i];
        const uint64_t from = r->is.first > first ? r->is.first : first;
        const uint64_t to = r->is.last < last ? r->is.last : last;
        if (!is_running(s, r))
            refresh(s, r, false, from, to);
    }
}

static bool wants(const gmmu_split *s, uint64_t first, uint64_t last) {
    for (size_t i = at_or_behind(s, first); meets(s, i, first, last); i++) {
        const record *r = &s->record[i];
        const uint64_t from = r->is.first > first ? r->is.first : first;
        const uint64_t to = r->is.last < last ? r->is.last : last;
        uint64_t a, b;
        if (!is_running(s, r) && gmmu_valid_run(&r->is, from, to, GMMU_VALID_IN_G, &a, &b))
            return true;
    }
    return false;
}

// What the CPU needs of O comes down, and what is on the same grains, in one transfer.
static void bring_down(gmmu_split *s, const gmmu_sem_operand *o) {
    const uint64_t mask = s->cfg.grain > 1 ? s->cfg.grain - 1 : 0;
    uint64_t k, end, from, to, at = o->start;
    for (size_t i = at_or_behind(s, at); meets(s, i, at, o->last); i = at_or_behind(s, at)) {
        const uint64_t last = s->record[i].is.last;
        for (runs_in(o, &s->record[i], &k, &end); k < end; k++)  // whole runs: records may go
            if (run_of(o, k, o->start, o->last, &from, &to) && wants(s, from, to))
                come_down(s, from & ~mask, to | mask);
        if (last >= o->last)
            break;
        at = last + 1;
    }
    flush(s);
}

void gmmu_split_cpu(gmmu_split *s, const gmmu_sem_operand *o, bool writes) {
    const bool good = reserve(s, 2 * blocks_for(s, o));
    if (good && meets(s, at_or_behind(s, o->start), o->start, o->last) && (!writes || !o->whole))
        bring_down(s, o);
    for (size_t i = at_or_behind(s, o->start); meets(s, i, o->start, o->last);) {
        record *r = &s->record[i];
        if (is_running(s, r) || (good && !writes)) {
            i++;
            continue;
        }
        if (!good)  // no memory to tell bytes apart: all of it goes home
            bring_home(s, r);
        else
            change_runs(s, r, o, TO_C);
        if (!good || r->is.on_gpu == 0)
            forget(s, i);
        else
            i++;
    }
}

void gmmu_split_free(gmmu_split *s, const gmmu_sem_operand *o) {
    const bool good = reserve(s, blocks_for(s, o));
    for (size_t i = at_or_behind(s, o->start); meets(s, i, o->start, o->last);) {
        uint64_t first, last;
        record *r = &s->record[i];
        learn(s, r->note, r->is.last - r->is.first + 1, false);
        if (!good) {
            bring_home(s, r);
            forget(s, i);
            continue;
        }
        change_runs(s, r, o, TO_C);
        if (!live(r, &first, &last)) {
            forget(s, i);
            continue;
        }
        (void)shrink(s, i, first, last);
        i++;
    }
}

// ---- kept results

static result *result_at(gmmu_split *s, uint64_t at) {
    for (size_t i = 0; i < s->results; i++)
        if (s->result[i].at == at)
            return &s->result[i];
    return NULL;
}

bool gmmu_split_result_make(gmmu_split *s, uint32_t site, uint64_t at, uint64_t bytes, bool hold,
                            uint64_t *base) {
    s->now++;
    if (s->results == s->result_room) {
        const size_t room = s->result_room == 0 ? 16 : 2 * s->result_room;
        result *more = realloc(s->result, room * sizeof *more);
        if (more == NULL)
            return no_memory(s);
        s->result = more;
        s->result_room = room;
    }
    place *p = allocate(s, bytes);
    if (p == NULL)
        return false;
    s->result[s->results++] = (result){p, at, note_of(s, site), 0, hold};
    *base = p->base;
    return true;
}

bool gmmu_split_result_use(gmmu_split *s, uint32_t site, uint64_t at, bool hold, uint64_t *base) {
    result *m = result_at(s, at);
    s->now++;
    if (m == NULL)
        return false;
    learn(s, m->note, m->place->bytes, true);
    m->note = note_of(s, site);
    m->hits += m->hits < MOST_HITS;
    m->held += hold;
    *base = m->place->base;
    return true;
}

void gmmu_split_result_let_go(gmmu_split *s, uint64_t at) {
    result *m = result_at(s, at);
    if (m != NULL && m->held != 0)
        m->held--;
}

void gmmu_split_result_drop(gmmu_split *s, uint64_t at) {
    const result *m = result_at(s, at);
    if (m != NULL)
        drop_result(s, (size_t)(m - s->result));
}

// ---- make and free

gmmu_split *gmmu_split_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu,
                              gmmu_sem_counts *counts, void (*left)(void *context, uint64_t at),
                              void *context) {
    gmmu_split *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->cfg = *config;
    s->gpu = *gpu;
    s->counts = counts;
    s->left = left;
    s->context = context;
    s->piece_room = FEW;
    s->piece = calloc(FEW, sizeof *s->piece);
    if (s->piece != NULL)
        return s;
    free(s);
    return NULL;
}

void gmmu_split_destroy(gmmu_split *s) {
    if (s == NULL)
        return;
    while (s->used != 0) forget(s, s->used - 1);
    while (s->results != 0) drop_result(s, s->results - 1);
    gmmu_valid_pool_free(&s->pool);
    gmmu_worth_free(&s->worth);
    free(s->record);
    free(s->result);
    free(s->piece);
    free(s);
}

gmmu_valid_state gmmu_split_state(const gmmu_split *s, uint64_t first, uint64_t last) {
    gmmu_valid_state is = GMMU_VALID_C;
    for (size_t i = at_or_behind(s, first); meets(s, i, first, last); i++) {
        const record *r = &s->record[i];
        const uint64_t from = r->is.first > first ? r->is.first : first;
        const uint64_t to = r->is.last < last ? r->is.last : last;
        uint64_t a, b;
        if (gmmu_valid_run(&r->is, from, to, GMMU_VALID_IN_G, &a, &b))
            return GMMU_VALID_G;
        if (gmmu_valid_run(&r->is, from, to, GMMU_VALID_ON_GPU, &a, &b))
            is = GMMU_VALID_S;
    }
    return is;
}

gmmu_split_census gmmu_split_count(const gmmu_split *s) {
    static const unsigned states[] = {1U << GMMU_VALID_S, GMMU_VALID_IN_G};
    gmmu_split_census c = {.records = s->used};
    for (size_t i = 0; i < s->used; i++) {
        const gmmu_valid *is = &s->record[i].is;
        c.mixed += gmmu_valid_mixed(is);
        for (int k = 0; k < 2; k++)
            for (uint64_t at = is->first, from, to;
                 gmmu_valid_run(is, at, is->last, states[k], &from, &to); at = to + 1) {
                c.runs++;
                if (to == is->last)
                    break;
            }
    }
    return c;
}
