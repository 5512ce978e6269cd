// SPDX-License-Identifier: Apache-2.0
// runtime.c: see runtime.h and docs/guide/semcache.md.
//
// The directory is the block's twin, which grows here. Results that are kept are records of it too,
// in an address space of their own, so that they have their share of GPU memory and leave it by the
// same rule; what they hold is never copied to the CPU.
#include "semcache/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "semcache/split.h"
#include "semcache/worth.h"

enum { DATA, RESULTS };                             // asid
enum { SITE_BITS = 24, FEW = 64, MOST = 1 << 28 };  // records: at first, at most
enum { SAMPLE = 64 };  // those that are looked at where one of many has to leave

// A result that is kept: COMPUTATION's of [start, last]; it is the record of its own range.
typedef struct {
    uint32_t computation;
    uint64_t start, last;  // it is of
    uint64_t at, bytes;    // where it is, in the results' address space
} memo;

struct gmmu_sem {
    gmmu_sem_config cfg;
    gmmu_sem_gpu gpu;
    gmmu_split *split;  // in place of DIR
    gmmu_range_dir dir;
    gmmu_range_beat *beats;
    uint64_t now;  // lookups
    gmmu_worth worth;
    memo *memos;
    size_t memo_count, memo_room;
    uint64_t next_result;
    uint64_t in_use;  // bytes of GPU memory
    gmmu_sem_counts counts;
    bool emptied;                           // a result has left its record
    bool running;                           // a call is under way
    uint64_t held[GMMU_SEM_MOST_OPERANDS];  // results that it was given, pinned
    uint32_t held_count;
};

// ---- what a record is worth

static uint64_t note_of(const gmmu_sem *s, uint32_t site) {
    return s->now << SITE_BITS | (site & ((1u << SITE_BITS) - 1));
}

static uint64_t worth_by_time(const void *context, const gmmu_range *r) {
    (void)context;
    return r->note >> SITE_BITS;
}

static uint64_t worth_by_leu(const void *context, const gmmu_range *r) {
    const gmmu_sem *s = context;
    return gmmu_worth_of(&s->worth, (uint32_t)r->note & ((1u << SITE_BITS) - 1),
                         s->now - (r->note >> SITE_BITS));
}

static uint64_t size_of(uint64_t start, uint64_t last) {
    return last - start + 1;
}

static void release(const gmmu_sem *s, uint32_t asid, uint64_t start, uint64_t base,
                    uint64_t bytes) {
    if (s->gpu.release != NULL)
        s->gpu.release(s->gpu.context, asid == DATA ? start : UINT64_MAX, base, bytes);
}

// ---- make and free

// Room for N records, and for the packet of one operation on them.
static bool grow(gmmu_sem *s, uint32_t n) {
    gmmu_range *range = realloc(s->dir.range, (size_t)n * sizeof *range);
    if (range == NULL)
        return false;
    s->dir.range = range;
    gmmu_range_beat *beats = realloc(s->beats, (2 * (size_t)n + 2) * sizeof *beats);
    if (beats == NULL)
        return false;
    s->beats = beats;
    s->dir.ranges = n;
    return true;
}

static void split_result_left(void *context, uint64_t at);

gmmu_sem *gmmu_sem_create(const gmmu_sem_config *config, const gmmu_sem_gpu *gpu) {
    if ((config->page & (config->page - 1)) != 0 || (config->grain & (config->grain - 1)) != 0 ||
        (config->split && config->page != 0))
        return NULL;
    gmmu_sem *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->cfg = *config;
    s->gpu = *gpu;
    if (config->split) {
        s->split = gmmu_split_create(config, gpu, &s->counts, split_result_left, s);
        if (s->split != NULL)
            return s;
        free(s);
        return NULL;
    }
    s->dir.limit = config->limit;
    s->dir.context = s;
    s->dir.sample = config->ranges == 0 ? SAMPLE : 0;
    s->dir.worth = config->evict == GMMU_SEM_LRU   ? worth_by_time
                   : config->evict == GMMU_SEM_LEU ? worth_by_leu
                                                   : NULL;
    if (!grow(s, config->ranges != 0 ? config->ranges : FEW)) {
        gmmu_sem_destroy(s);
        return NULL;
    }
    return s;
}

void gmmu_sem_destroy(gmmu_sem *s) {
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->dir.used; i++) {
        const gmmu_range *r = &s->dir.range[i];
        if (r->base_ok)
            release(s, r->asid, r->start, r->base, size_of(r->start, r->last));
    }
    gmmu_split_destroy(s->split);
    gmmu_worth_free(&s->worth);
    free(s->dir.range);
    free(s->beats);
    free(s->memos);
    free(s);
}

// ---- results that are kept

static void forget_at(gmmu_sem *s, size_t i) {
    s->memos[i] = s->memos[--s->memo_count];
}

// The record of the result at AT is gone.
static void result_left(gmmu_sem *s, uint64_t at) {
    for (size_t i = 0; i < s->memo_count; i++)
        if (s->memos[i].at == at) {
            forget_at(s, i);
            return;
        }
}

static void split_result_left(void *context, uint64_t at) {
    result_left(context, at);
}

// The bytes [start, last] change: results that were made from them fall.
static void outdate(gmmu_sem *s, uint64_t start, uint64_t last) {
    for (size_t i = 0; i < s->memo_count;) {
        const memo m = s->memos[i];
        if (m.start > last || start > m.last) {
            i++;
            continue;
        }
        forget_at(s, i);
        if (s->split != NULL)
            gmmu_split_result_drop(s->split, m.at);
        else
            (void)gmmu_sem_operate(s, (gmmu_range_op){.op = GMMU_RANGE_RELEASE,
                                                      .asid = RESULTS,
                                                      .start = m.at,
                                                      .last = m.at + (m.bytes - 1)});
    }
}

// ---- an operation of the directory

// Its packet, in s->beats.
static uint32_t ask(gmmu_sem *s, gmmu_range_op op) {
    const uint32_t n = gmmu_range_dir_op(&s->dir, op, s->beats);
    if (s->gpu.operation != NULL)
        s->gpu.operation(s->gpu.context, &op, s->beats, n);
    return n;
}

// The transfers of a packet; *fresh is where what came up without a base has come to. False: no
// place for it was found, and it was not copied.
static bool transfer(gmmu_sem *s, const gmmu_range_beat *b, uint64_t *fresh, bool *placed) {
    const uint64_t bytes = size_of(b->start, b->last);
    gmmu_sem_counts *n = &s->counts;
    switch (b->kind) {
        case GMMU_RANGE_UP:
            if (!b->base_ok && s->gpu.allocate != NULL &&
                !s->gpu.allocate(s->gpu.context, bytes, fresh))
                return false;
            *placed = !b->base_ok;
            if (s->gpu.up != NULL)
                s->gpu.up(s->gpu.context, b->start, b->base_ok ? b->base : *fresh, bytes);
            n->ups++;
            n->up_bytes += bytes;
            return true;
        case GMMU_RANGE_DOWN:
            if (b->asid == RESULTS)
                return true;  // it can be made again
            if (s->gpu.down != NULL)
                s->gpu.down(s->gpu.context, b->start, b->base, bytes);
            n->downs++;
            n->down_bytes += bytes;
            return true;
        default:
            if (b->base_ok)
                release(s, b->asid, b->start, b->base, bytes);
            s->in_use -= bytes;
            if (b->asid == RESULTS) {
                result_left(s, b->start);
                s->emptied = true;
            }
            return true;
    }
}

// The record of A is taken back: it holds nothing yet that the CPU has not.
static void take_back(gmmu_sem *s, gmmu_range_op op, const gmmu_range_beat *a) {
    gmmu_range_op undo = {.asid = op.asid, .start = a->start, .last = a->last};
    if (op.pin) {
        undo.op = GMMU_RANGE_UNPIN;
        (void)ask(s, undo);
    }
    undo.op = GMMU_RANGE_RELEASE;
    (void)ask(s, undo);
}

static bool looks(unsigned op) {
    return op <= GMMU_RANGE_WRITE_GPU;
}

// Records of results that have no GPU memory are no use.
static void sweep(gmmu_sem *s) {
    for (uint32_t i = s->dir.used; i != 0 && s->dir.range[i - 1].asid == RESULTS; i--) {
        const gmmu_range *r = &s->dir.range[i - 1];
        if (r->state == GMMU_RANGE_C)
            (void)ask(
                s,
                (gmmu_range_op){
                    .op = GMMU_RANGE_RELEASE, .asid = RESULTS, .start = r->start, .last = r->last});
    }
    s->emptied = false;
}

static gmmu_range_beat operate(gmmu_sem *s, gmmu_range_op op) {
    gmmu_range_beat full = {.kind = GMMU_RANGE_ANSWER, .code = GMMU_RANGE_FULL};
    const bool grows = s->cfg.ranges == 0 && s->dir.used == s->dir.ranges;
    const bool more = grows && s->dir.ranges < MOST && grow(s, 2 * s->dir.ranges);
    if (grows && !more && looks(op.op)) {
        s->counts.no_memory++;
        return full;  // nothing was done
    }
    const uint32_t n = ask(s, op);
    gmmu_range_beat answer = s->beats[n - 1];
    uint64_t fresh = 0;
    bool placed = false;
    bool good = true;
    for (uint32_t i = 0; i + 1 < n && good; i++) {
        const gmmu_range_beat b = s->beats[i];  // an answer to RELEASE of a result writes there too
        s->counts.evictions += b.kind == GMMU_RANGE_DROP && looks(op.op) &&
                               (b.asid != op.asid || b.start > op.last || op.start > b.last);
        good = transfer(s, &b, &fresh, &placed);
    }
    const bool on_gpu = answer.code == GMMU_RANGE_OK && answer.state != GMMU_RANGE_C &&
                        (looks(op.op) || op.op == GMMU_RANGE_TO_GPU);
    if (good && on_gpu && !answer.base_ok && !placed)
        good = s->gpu.allocate == NULL ||
               s->gpu.allocate(s->gpu.context, size_of(answer.start, answer.last), &fresh);
    if (!good) {
        take_back(s, op, &answer);
        answer.code = GMMU_RANGE_NOSPACE;
        return answer;
    }
    if (on_gpu && !answer.base_ok) {
        const gmmu_range_op base = {
            .op = GMMU_RANGE_BASE, .asid = op.asid, .start = answer.start, .last = fresh};
        (void)ask(s, base);
        answer.base = fresh;
        answer.base_ok = true;
        s->in_use += size_of(answer.start, answer.last);
    }
    if (s->in_use > s->counts.most_bytes)
        s->counts.most_bytes = s->in_use;
    if (s->dir.used > s->counts.most_ranges)
        s->counts.most_ranges = s->dir.used;
    return answer;
}

gmmu_range_beat gmmu_sem_operate(gmmu_sem *s, gmmu_range_op op) {
    const gmmu_range_beat answer = operate(s, op);
    if (s->emptied || (op.asid == RESULTS && answer.code != GMMU_RANGE_OK))
        sweep(s);
    return answer;
}

// ---- pieces of an operand: all of it, or its pages

static uint64_t first_page(const gmmu_sem *s, const gmmu_sem_operand *o) {
    return s->cfg.page == 0 ? o->start : o->start & ~(s->cfg.page - 1);
}

// The piece that begins at START, the last one before the end of O's last page; whether there is
// another behind it.
static gmmu_sem_operand piece(const gmmu_sem *s, const gmmu_sem_operand *o, uint64_t start,
                              bool *more) {
    gmmu_sem_operand p = *o;
    *more = false;
    if (s->cfg.page == 0)
        return p;
    p.start = start;
    p.last = start | (s->cfg.page - 1);
    p.whole = o->whole && o->start <= p.start && p.last <= o->last;
    *more = p.last < o->last;
    return p;
}

static gmmu_range_beat operate_on(gmmu_sem *s, unsigned kind, const gmmu_sem_operand *p, bool pin,
                                  uint64_t note) {
    return gmmu_sem_operate(s, (gmmu_range_op){.op = (uint8_t)kind,
                                               .asid = DATA,
                                               .start = p->start,
                                               .last = p->last,
                                               .whole = p->whole,
                                               .pin = pin,
                                               .note = note});
}

// One of the operations without a note on all pieces of O.
static void on_each(gmmu_sem *s, unsigned kind, const gmmu_sem_operand *o) {
    bool more = true;
    for (uint64_t at = first_page(s, o); more; at += s->cfg.page) {
        const gmmu_sem_operand p = piece(s, o, at, &more);
        (void)operate_on(s, kind, &p, false, 0);
    }
}

// ---- lookups

// What is known of the record that has P, before it is looked up again.
static void learn(gmmu_sem *s, uint32_t asid, uint64_t at) {
    const gmmu_range *r =
        s->cfg.evict == GMMU_SEM_LEU ? gmmu_range_dir_at(&s->dir, asid, at) : NULL;
    if (r != NULL && !gmmu_worth_learn(&s->worth, (uint32_t)r->note & ((1u << SITE_BITS) - 1),
                                       s->now - (r->note >> SITE_BITS), size_of(r->start, r->last)))
        s->counts.no_memory++;  // nothing is learnt, and the worth of others is used
}

// The lookup of P by SITE makes one record of P and of those that P meets, if there are any and
// none has all of P.
static void tell_merge(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *p) {
    const gmmu_range_dir *d = &s->dir;
    uint32_t low = 0, high = d->used;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (d->range[mid].asid == DATA && d->range[mid].last < p->start)
            low = mid + 1;
        else
            high = mid;
    }
    const gmmu_range *most = NULL, *r = &d->range[low], *end = &d->range[d->used];
    uint64_t start = p->start, last = p->last;
    if (r == end || r->asid != DATA || (r->start <= p->start && p->last <= r->last))
        return;
    for (; r != end && r->asid == DATA && r->start <= p->last; r++) {
        start = r->start < start ? r->start : start;
        last = r->last > last ? r->last : last;
        if (most == NULL || r->last - r->start > most->last - most->start)
            most = r;
    }
    if (most == NULL)
        return;
    s->counts.merges++;
    s->gpu.merged(s->gpu.context, start, last, site,
                  (uint32_t)most->note & ((1u << SITE_BITS) - 1));
}

// LOOKUP of each piece of O. False: one was refused.
static bool look_up(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *o) {
    bool more = true, good = true;
    for (uint64_t at = first_page(s, o); more && good; at += s->cfg.page) {
        const gmmu_sem_operand p = piece(s, o, at, &more);
        s->now++;
        learn(s, DATA, p.start);
        if (s->gpu.merged != NULL && s->cfg.page == 0)
            tell_merge(s, site, &p);
        const gmmu_range_beat a = operate_on(s, GMMU_RANGE_LOOKUP, &p, false, note_of(s, site));
        s->counts.lookups++;
        s->counts.hits += a.hit;
        good = a.code == GMMU_RANGE_OK;
    }
    return good;
}

// Each piece of O is brought up and pinned. False: *done pieces were, the next one was refused.
static bool bring(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *o, uint64_t *done,
                  uint64_t *base) {
    bool more = true, good = true;
    for (uint64_t at = first_page(s, o); more && good; at += s->cfg.page) {
        const gmmu_sem_operand p = piece(s, o, at, &more);
        const unsigned kind = o->writes ? GMMU_RANGE_WRITE_GPU : GMMU_RANGE_READ_GPU;
        gmmu_range_beat a = operate_on(s, kind, &p, true, note_of(s, site));
        if (a.code == GMMU_RANGE_BUSY)  // this call's other operands have pinned it often enough
            a = operate_on(s, kind, &p, false, note_of(s, site));
        good = a.code == GMMU_RANGE_OK;
        *done += good;
        if (good && base != NULL && s->cfg.page == 0)
            *base = a.base + (o->start - a.start);
    }
    return good;
}

// The first DONE pieces of O are not needed any more.
static void let_go(gmmu_sem *s, const gmmu_sem_operand *o, uint64_t done) {
    bool more = true;
    for (uint64_t at = first_page(s, o); more && done != 0; at += s->cfg.page, done--) {
        const gmmu_sem_operand p = piece(s, o, at, &more);
        (void)operate_on(s, GMMU_RANGE_UNPIN, &p, false, 0);
    }
}

// An operation on the result at AT, without LOOKUP's learning where it is no use.
static gmmu_range_beat on_result(gmmu_sem *s, unsigned kind, uint32_t site, uint64_t at,
                                 uint64_t bytes, bool pin) {
    if (kind != GMMU_RANGE_UNPIN) {
        s->now++;
        learn(s, RESULTS, at);
    }
    return gmmu_sem_operate(s, (gmmu_range_op){.op = (uint8_t)kind,
                                               .asid = RESULTS,
                                               .start = at,
                                               .last = at + (bytes - 1),
                                               .whole = true,
                                               .pin = pin,
                                               .note = note_of(s, site)});
}

// A result for which on_result did with HOLD is not needed any more.
static void result_let_go(gmmu_sem *s, uint64_t at) {
    if (s->split != NULL)
        gmmu_split_result_let_go(s->split, at);
    else
        (void)on_result(s, GMMU_RANGE_UNPIN, 0, at, 1, false);
}

// Uses the result at AT, of BYTES, or makes it anew. False: that cannot be.
static bool result_at(gmmu_sem *s, bool anew, uint32_t site, uint64_t at, uint64_t bytes, bool hold,
                      uint64_t *base) {
    if (s->split != NULL)
        return anew ? gmmu_split_result_make(s->split, site, at, bytes, hold, base)
                    : gmmu_split_result_use(s->split, site, at, hold, base);
    const gmmu_range_beat a =
        on_result(s, anew ? GMMU_RANGE_WRITE_GPU : GMMU_RANGE_READ_GPU, site, at, bytes, hold);
    *base = a.code == GMMU_RANGE_OK ? a.base : UINT64_MAX;
    return a.code == GMMU_RANGE_OK;
}

// ---- calls

// Can all operands, which were looked up, be in GPU memory at once? Their records, or pages, are
// told by their first byte; two operands may have the same. One that has left a full directory for
// another operand will come back as itself.
static bool can_fit(const gmmu_sem *s, const gmmu_sem_operand *operand, uint32_t n) {
    uint64_t left = s->cfg.limit, beyond = 0;
    for (bool more = true; more;) {  // by ascending address
        more = false;
        uint64_t start = 0, last = 0;
        for (uint32_t i = 0; i < n; i++) {
            const gmmu_range *r = gmmu_range_dir_at(&s->dir, DATA, operand[i].start);
            const bool pages = s->cfg.page != 0;
            uint64_t its = pages || r == NULL ? first_page(s, &operand[i]) : r->start;
            const uint64_t end = pages       ? operand[i].last | (s->cfg.page - 1)
                                 : r == NULL ? operand[i].last
                                             : r->last;
            its = its < beyond ? beyond : its;  // the rest of it
            if (end < its)
                continue;
            if (!more || its < start || (its == start && end > last)) {
                start = its;
                last = end;
                more = true;
            }
        }
        if (more && last - start >= left)
            return false;
        if (more)
            left -= last - start + 1;
        if (more && last == UINT64_MAX)
            return true;
        beyond = last + 1;
    }
    return true;
}

static void changes(gmmu_sem *s, const gmmu_sem_operand *o) {
    if (s->memo_count != 0)
        outdate(s, o->start, o->last);
}

// The CPU is about to do what O says.
static void on_cpu(gmmu_sem *s, const gmmu_sem_operand *o) {
    const gmmu_sem_operand hull = gmmu_sem_hull(o);
    if (s->split != NULL && o->reads)
        gmmu_split_cpu(s->split, o, false);
    if (s->split != NULL && o->writes)
        gmmu_split_cpu(s->split, o, true);
    if (s->split == NULL && o->reads)
        on_each(s, GMMU_RANGE_READ_CPU, &hull);
    if (s->split == NULL && o->writes)
        on_each(s, GMMU_RANGE_WRITE_CPU, &hull);
    if (o->writes)
        changes(s, o);
}

// The operands are brought up and pinned. False: they do not fit; pins are released.
static bool bring_all(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                      uint64_t *base) {
    uint64_t done[GMMU_SEM_MOST_OPERANDS] = {0};
    gmmu_sem_operand hull[GMMU_SEM_MOST_OPERANDS];
    bool fits = true;
    for (uint32_t i = 0; i < n; i++) hull[i] = gmmu_sem_hull(&operand[i]);
    for (uint32_t i = 0; i < n && fits; i++) fits = look_up(s, site, &hull[i]);
    fits = fits && can_fit(s, hull, n);
    // what is read is there before what is written is changed: an operand may be named twice
    for (int writes = 0; writes < 2; writes++)
        for (uint32_t i = 0; i < n && fits; i++)
            if (hull[i].writes == (writes == 1))
                fits = bring(s, site, &hull[i], &done[i], base == NULL ? NULL : &base[i]);
    for (uint32_t i = 0; i < n && !fits; i++) let_go(s, &hull[i], done[i]);
    return fits;
}

bool gmmu_sem_begin(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *operand, uint32_t n,
                    uint64_t *base) {
    s->counts.calls++;
    const bool fits = s->split != NULL
                          ? gmmu_split_begin(s->split, site, operand, n, base)
                          : n <= GMMU_SEM_MOST_OPERANDS && bring_all(s, site, operand, n, base);
    if (fits) {
        for (uint32_t i = 0; i < n; i++)
            if (operand[i].writes)
                changes(s, &operand[i]);
        s->running = true;
        return true;
    }
    s->counts.on_cpu++;
    for (uint32_t i = 0; i < n; i++) {
        gmmu_sem_operand reads = operand[i];
        reads.writes = false;
        if (reads.reads)
            on_cpu(s, &reads);
    }
    for (uint32_t i = 0; i < n; i++)
        if (operand[i].writes)
            on_cpu(s, &operand[i]);
    return false;
}

void gmmu_sem_end(gmmu_sem *s, const gmmu_sem_operand *operand, uint32_t n) {
    while (s->held_count != 0) result_let_go(s, s->held[--s->held_count]);
    s->running = false;
    if (s->split != NULL)
        gmmu_split_end(s->split);
    for (uint32_t i = 0; i < n && s->split == NULL; i++) {
        const gmmu_sem_operand hull = gmmu_sem_hull(&operand[i]);
        let_go(s, &hull, UINT64_MAX);
    }
    for (uint32_t i = 0; i < n; i++)  // a result that the kernel asked for may be of what it wrote
        if (operand[i].writes)
            changes(s, &operand[i]);
    for (uint32_t i = 0; i < n && s->cfg.write_through; i++)
        if (operand[i].writes) {
            gmmu_sem_operand back = operand[i];
            back.reads = true;
            back.writes = back.whole = false;
            on_cpu(s, &back);
        }
}

void gmmu_sem_cpu(gmmu_sem *s, gmmu_sem_operand o) {
    on_cpu(s, &o);
}

void gmmu_sem_free(gmmu_sem *s, gmmu_sem_operand o) {
    if (s->split != NULL) {
        gmmu_split_free(s->split, &o);
        changes(s, &o);
        return;
    }
    const gmmu_range *r =
        s->cfg.evict == GMMU_SEM_LEU ? gmmu_range_dir_at(&s->dir, DATA, o.start) : NULL;
    if (r != NULL && !gmmu_worth_lost(&s->worth, (uint32_t)r->note & ((1u << SITE_BITS) - 1),
                                      size_of(r->start, r->last)))
        s->counts.no_memory++;
    if (s->cfg.page == 0) {
        on_each(s, GMMU_RANGE_RELEASE, &o);
    } else {  // a page may hold other memory too
        o.whole = true;
        on_each(s, GMMU_RANGE_WRITE_CPU, &o);
    }
    changes(s, &o);
}

// ---- results

static memo *find_memo(const gmmu_sem *s, uint32_t computation, uint64_t bytes,
                       const gmmu_sem_operand *o) {
    for (size_t i = 0; i < s->memo_count; i++) {
        memo *m = &s->memos[i];
        if (m->computation == computation && m->bytes == bytes && m->start == o->start &&
            m->last == o->last)
            return m;
    }
    return NULL;
}

static bool memo_room(gmmu_sem *s) {
    if (s->held_count == GMMU_SEM_MOST_OPERANDS)
        return false;
    if (s->memo_count < s->memo_room)
        return true;
    const size_t room = s->memo_room == 0 ? 16 : 2 * s->memo_room;
    memo *more = realloc(s->memos, room * sizeof *more);
    if (more == NULL) {
        s->counts.no_memory++;
        return false;
    }
    s->memos = more;
    s->memo_room = room;
    return true;
}

// What a result is made from is brought up, and stays until the result has its place.
static bool source_on_gpu(gmmu_sem *s, uint32_t site, const gmmu_sem_operand *o, uint64_t *from) {
    uint64_t done = 0;
    if (s->split != NULL)
        return gmmu_split_source(s->split, site, o, from);
    if (look_up(s, site, o) && bring(s, site, o, &done, from))
        return true;
    let_go(s, o, done);
    return false;
}

static void source_let_go(gmmu_sem *s, const gmmu_sem_operand *o) {
    if (s->split == NULL)
        let_go(s, o, UINT64_MAX);
    else if (!s->running)
        gmmu_split_end(s->split);
}

bool gmmu_sem_computed(gmmu_sem *s, uint32_t site, uint32_t computation, gmmu_sem_operand o,
                       uint64_t bytes, uint64_t *base, uint64_t *from) {
    const memo *kept = find_memo(s, computation, bytes, &o);
    const bool hold = s->running;
    s->counts.memos++;
    *base = *from = UINT64_MAX;
    if (kept != NULL && s->held_count < GMMU_SEM_MOST_OPERANDS) {
        const uint64_t its = kept->at;
        if (!result_at(s, false, site, its, kept->bytes, hold, base))
            return false;  // it is held as often as can be
        s->counts.elided++;
        s->held[s->held_count] = its;
        s->held_count += hold;
        return true;
    }
    o.reads = true;
    o.writes = o.whole = false;
    if (!memo_room(s) || !source_on_gpu(s, site, &o, from)) {
        on_cpu(s, &o);
        return false;
    }
    const uint64_t at = s->next_result;
    const bool made = result_at(s, true, site, at, bytes, hold, base);
    source_let_go(s, &o);
    if (!made) {
        *base = UINT64_MAX;
        on_cpu(s, &o);
        return false;
    }
    s->held[s->held_count] = at;
    s->held_count += hold;
    s->next_result += bytes;
    s->memos[s->memo_count++] = (memo){computation, o.start, o.last, at, bytes};
    return false;
}

bool gmmu_sem_kept(const gmmu_sem *s, size_t i, gmmu_sem_operand *from) {
    if (i >= s->memo_count)
        return false;
    *from = (gmmu_sem_operand){.start = s->memos[i].start, .last = s->memos[i].last, .reads = true};
    return true;
}

gmmu_split_census gmmu_sem_census(const gmmu_sem *s) {
    return s->split == NULL ? (gmmu_split_census){0} : gmmu_split_count(s->split);
}

gmmu_sem_counts gmmu_sem_counted(const gmmu_sem *s) {
    return s->counts;
}

const gmmu_range_dir *gmmu_sem_ranges(const gmmu_sem *s) {
    return &s->dir;
}

uint8_t gmmu_sem_state(const gmmu_sem *s, uint64_t start, uint64_t last) {
    const gmmu_valid_state is = gmmu_split_state(s->split, start, last);
    return is == GMMU_VALID_G ? GMMU_RANGE_G : is == GMMU_VALID_S ? GMMU_RANGE_S : GMMU_RANGE_C;
}
