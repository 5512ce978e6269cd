// SPDX-License-Identifier: Apache-2.0
// range_dir.c: see range_dir.h and docs/reference/blocks/range_dir.md.
#include "blocks/range_dir.h"

#include <stddef.h>
#include <string.h>

int gmmu_range_dir_init(gmmu_range_dir *d, uint32_t ranges, uint64_t limit, gmmu_arena *arena) {
    *d = (gmmu_range_dir){.ranges = ranges, .limit = limit};
    d->range = gmmu_take(arena, ranges, sizeof *d->range);
    return d->range == NULL;
}

// An operation under way: the records that its range meets, and the beats that were sent.
typedef struct {
    gmmu_range_dir *d;
    gmmu_range_op op;
    gmmu_range *first;  // the first met record; without a met record: the place of a new record
    uint32_t met;
    gmmu_range_beat *beat;
    uint32_t beats;
} action;

static gmmu_range *end(const gmmu_range_dir *d) {
    return d->range + d->used;
}

static bool on_gpu(const gmmu_range *r) {
    return r->state != GMMU_RANGE_C;
}

// The bytes of R, which is in GPU memory or fits there: at most a limit that was set.
static uint64_t bytes_of(const gmmu_range *r) {
    return r->last - r->start + 1;
}

static void set_state(gmmu_range_dir *d, gmmu_range *r, unsigned state) {
    if (on_gpu(r))
        d->gpu_bytes -= bytes_of(r);
    r->state = (uint8_t)state;
    if (on_gpu(r))
        d->gpu_bytes += bytes_of(r);
}

static void set_pins(gmmu_range_dir *d, gmmu_range *r, unsigned pins) {
    if (r->pins != 0)
        d->pinned_bytes -= bytes_of(r);
    r->pins = (uint8_t)pins;
    if (r->pins != 0)
        d->pinned_bytes += bytes_of(r);
}

// ---- search

// The first record that ends at or after START; binary search.
static gmmu_range *find_from(const gmmu_range_dir *d, uint32_t asid, uint64_t start) {
    uint32_t low = 0, high = d->used;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        const gmmu_range *r = &d->range[mid];
        if (r->asid < asid || (r->asid == asid && r->last < start))
            low = mid + 1;
        else
            high = mid;
    }
    return d->range + low;
}

const gmmu_range *gmmu_range_dir_at(const gmmu_range_dir *d, uint32_t asid, uint64_t at) {
    const gmmu_range *r = find_from(d, asid, at);
    return r < end(d) && r->asid == asid && r->start <= at ? r : NULL;
}

static void meet(action *a) {
    a->first = find_from(a->d, a->op.asid, a->op.start);
    const gmmu_range *r = a->first;
    while (r < end(a->d) && r->asid == a->op.asid && r->start <= a->op.last) r++;
    a->met = (uint32_t)(r - a->first);
}

// Does the one record that is met contain the range? Does the range cover R?
static bool contained(const action *a) {
    return a->met == 1 && a->first->start <= a->op.start && a->op.last <= a->first->last;
}
static bool covers(const action *a, const gmmu_range *r) {
    return a->op.start <= r->start && r->last <= a->op.last;
}

// ---- beats, and their effects on the table

static void transfer(action *a, unsigned kind, const gmmu_range *r) {
    a->beat[a->beats++] = (gmmu_range_beat){.kind = (uint8_t)kind,
                                            .asid = r->asid,
                                            .start = r->start,
                                            .last = r->last,
                                            .base = r->base,
                                            .base_ok = r->base_ok};
}

// R goes to state C: DOWN, if the GPU has the newest bytes and not all are rewritten; DROP.
static void leave_gpu(action *a, gmmu_range *r, bool rewritten) {
    if (r->state == GMMU_RANGE_G && !rewritten)
        transfer(a, GMMU_RANGE_DOWN, r);
    if (on_gpu(r))
        transfer(a, GMMU_RANGE_DROP, r);
    set_state(a->d, r, GMMU_RANGE_C);
    r->base_ok = false;
    r->base = 0;
}

// Removes N records from R on; makes room for a record at R.
static void take_out(gmmu_range_dir *d, gmmu_range *r, uint32_t n) {
    memmove(r, r + n, (size_t)(end(d) - (r + n)) * sizeof *r);
    d->used -= n;
}
static void put_in(gmmu_range_dir *d, gmmu_range *r) {
    memmove(r + 1, r, (size_t)(end(d) - r) * sizeof *r);
    d->used++;
}

// The answer is about record R, or about no record (NULL).
static void answer(action *a, unsigned code, bool hit, const gmmu_range *r) {
    gmmu_range_beat b = {.kind = GMMU_RANGE_ANSWER,
                         .code = (uint8_t)code,
                         .tag = a->op.tag,
                         .hit = hit,
                         .asid = a->op.asid,
                         .start = a->op.start,
                         .last = a->op.last};
    if (r != NULL) {
        b.start = r->start;
        b.last = r->last;
        b.state = r->state;
        b.base = r->base;
        b.base_ok = r->base_ok;
    }
    a->beat[a->beats++] = b;
}

static void refuse(action *a, unsigned code) {
    answer(a, code, false, NULL);
}

// ---- FIND

static uint64_t worth(const gmmu_range_dir *d, const gmmu_range *r) {
    return d->worth == NULL ? r->hits : d->worth(d->context, r);
}

// The unpinned record that is least in (worth, asid, start), of the records in GPU memory (IN_GPU)
// or of the others. NULL: there is no such record.
static gmmu_range *least_of(gmmu_range_dir *d, bool in_gpu) {
    const bool all = d->sample == 0 || d->used / 16 < d->sample;
    uint32_t looked = 0;
    gmmu_range *least = NULL;
    uint64_t its = 0;
    for (uint32_t i = 0; i < d->used && (all || looked < d->sample); i++) {
        if (!all)
            d->hand = d->hand + 1 < d->used ? d->hand + 1 : 0;
        gmmu_range *r = &d->range[all ? i : d->hand];
        if (r->pins != 0 || on_gpu(r) != in_gpu)
            continue;
        looked++;
        const uint64_t w = worth(d, r);
        if (least == NULL || w < its) {
            least = r;
            its = w;
        }
    }
    return least;
}

// The record that leaves a full table: of the records outside GPU memory, if there is one.
static gmmu_range *worth_least(gmmu_range_dir *d) {
    gmmu_range *r = least_of(d, false);
    return r != NULL ? r : least_of(d, true);
}

static bool any_pinned(const action *a) {
    for (uint32_t i = 0; i < a->met; i++)
        if (a->first[i].pins != 0)
            return true;
    return false;
}

// The code that refuses FIND, or the pin after FIND; OK: neither is refused.
static unsigned find_refused(const action *a, bool pin) {
    if (a->met == 0)
        return a->d->used == a->d->ranges && worth_least(a->d) == NULL ? GMMU_RANGE_FULL
                                                                       : GMMU_RANGE_OK;
    if (contained(a))
        return pin && a->first->pins == GMMU_RANGE_MOST_PINS ? GMMU_RANGE_BUSY : GMMU_RANGE_OK;
    return any_pinned(a) ? GMMU_RANGE_BUSY : GMMU_RANGE_OK;
}

// The met records become one record: the hull of these records and the range.
static void merge(action *a) {
    const gmmu_range *last = a->first + a->met - 1;
    gmmu_range hull = {.asid = a->op.asid,
                       .start = a->first->start < a->op.start ? a->first->start : a->op.start,
                       .last = last->last > a->op.last ? last->last : a->op.last};
    unsigned hits = 0;
    for (uint32_t i = 0; i < a->met; i++) {
        hits += a->first[i].hits;
        leave_gpu(a, &a->first[i], false);
    }
    hull.hits = (uint8_t)(hits > GMMU_RANGE_MOST_HITS ? GMMU_RANGE_MOST_HITS : hits);
    take_out(a->d, a->first, a->met - 1);
    *a->first = hull;
}

static void make(action *a) {
    if (a->d->used == a->d->ranges) {
        gmmu_range *leaves = worth_least(a->d);
        leave_gpu(a, leaves, false);
        take_out(a->d, leaves, 1);
        a->first -= leaves < a->first;
    }
    put_in(a->d, a->first);
    *a->first = (gmmu_range){.asid = a->op.asid, .start = a->op.start, .last = a->op.last};
}

// FIND: makes `first` the record of the range. True: a record contained the range.
static bool find(action *a) {
    if (a->met == 0) {
        make(a);
    } else if (contained(a)) {
        a->first->hits += a->first->hits < GMMU_RANGE_MOST_HITS;
        return true;
    } else {
        merge(a);
    }
    return false;
}

// ---- room in GPU memory

// Does R, which may have 2^64 bytes, fit beside IN_USE?
static bool fits(const gmmu_range_dir *d, const gmmu_range *r, uint64_t in_use) {
    return in_use <= d->limit && r->last - r->start < d->limit - in_use;
}

// Makes GPU memory for R, which is in state C. False: nothing was done.
static bool room(action *a, const gmmu_range *r) {
    if (!fits(a->d, r, a->d->pinned_bytes))
        return false;
    while (!fits(a->d, r, a->d->gpu_bytes)) leave_gpu(a, least_of(a->d, true), false);
    return true;
}

// ---- operations

// LOOKUP, READ_GPU, WRITE_GPU.
static void look(action *a) {
    const bool reads = a->op.op == GMMU_RANGE_READ_GPU, writes = a->op.op == GMMU_RANGE_WRITE_GPU;
    const bool pin = a->op.pin && (reads || writes);
    const unsigned refused = find_refused(a, pin);
    if (refused != GMMU_RANGE_OK) {
        refuse(a, refused);
        return;
    }
    const bool hit = find(a);
    gmmu_range *r = a->first;
    r->note = a->op.note;
    if ((reads || writes) && r->state == GMMU_RANGE_C) {
        if (!room(a, r)) {
            answer(a, GMMU_RANGE_NOSPACE, hit, r);
            return;
        }
        if (reads || !a->op.whole || !covers(a, r))
            transfer(a, GMMU_RANGE_UP, r);
        set_state(a->d, r, GMMU_RANGE_S);
    }
    if (writes)
        set_state(a->d, r, GMMU_RANGE_G);
    set_pins(a->d, r, r->pins + pin);
    answer(a, GMMU_RANGE_OK, hit, r);
}

// READ_CPU, WRITE_CPU, RELEASE: each met record, ascending.
static void touch(action *a) {
    const bool reads = a->op.op == GMMU_RANGE_READ_CPU, frees = a->op.op == GMMU_RANGE_RELEASE;
    const bool whole = frees || a->op.whole;
    for (uint32_t i = 0; i < a->met; i++) {
        const gmmu_range *r = &a->first[i];
        if (r->pins != 0 && (!reads || r->state == GMMU_RANGE_G)) {
            refuse(a, GMMU_RANGE_BUSY);
            return;
        }
    }
    for (uint32_t i = 0; i < a->met; i++) {
        gmmu_range *r = &a->first[i];
        if (!reads) {
            leave_gpu(a, r, whole && covers(a, r));
        } else if (r->state == GMMU_RANGE_G) {
            transfer(a, GMMU_RANGE_DOWN, r);
            set_state(a->d, r, GMMU_RANGE_S);
        }
    }
    answer(a, a->met != 0 ? GMMU_RANGE_OK : GMMU_RANGE_MISS, a->met != 0, NULL);
    if (frees)
        take_out(a->d, a->first, a->met);
}

// Operations on one record R, which exists; each returns its code.
static unsigned to_gpu(action *a, gmmu_range *r) {
    if (r->state == GMMU_RANGE_G)
        return GMMU_RANGE_BAD;
    if (r->pins != 0)
        return GMMU_RANGE_BUSY;
    if (r->state == GMMU_RANGE_C && !room(a, r))
        return GMMU_RANGE_NOSPACE;
    transfer(a, GMMU_RANGE_UP, r);
    set_state(a->d, r, GMMU_RANGE_S);
    return GMMU_RANGE_OK;
}
static unsigned to_cpu(action *a, gmmu_range *r) {
    if (r->state == GMMU_RANGE_C)
        return GMMU_RANGE_BAD;
    if (r->pins != 0)
        return GMMU_RANGE_BUSY;
    transfer(a, GMMU_RANGE_DOWN, r);
    set_state(a->d, r, GMMU_RANGE_S);
    return GMMU_RANGE_OK;
}
static unsigned invalidate_gpu(action *a, gmmu_range *r) {
    if (r->state == GMMU_RANGE_G)
        return GMMU_RANGE_BAD;
    if (r->pins != 0)
        return GMMU_RANGE_BUSY;
    leave_gpu(a, r, false);
    return GMMU_RANGE_OK;
}
static unsigned invalidate_cpu(action *a, gmmu_range *r) {
    if (r->state == GMMU_RANGE_C)
        return GMMU_RANGE_BAD;
    set_state(a->d, r, GMMU_RANGE_G);
    return GMMU_RANGE_OK;
}
static unsigned unpin(action *a, gmmu_range *r) {
    if (r->pins == 0)
        return GMMU_RANGE_BAD;
    set_pins(a->d, r, r->pins - 1u);
    return GMMU_RANGE_OK;
}

static void one_record(action *a) {
    static unsigned (*const by_op[GMMU_RANGE_OPS])(action *, gmmu_range *) = {
        [GMMU_RANGE_TO_GPU] = to_gpu,
        [GMMU_RANGE_TO_CPU] = to_cpu,
        [GMMU_RANGE_INV_GPU] = invalidate_gpu,
        [GMMU_RANGE_INV_CPU] = invalidate_cpu,
        [GMMU_RANGE_UNPIN] = unpin};
    if (!contained(a)) {
        refuse(a, GMMU_RANGE_MISS);
        return;
    }
    const unsigned code = by_op[a->op.op](a, a->first);
    if (code == GMMU_RANGE_OK || code == GMMU_RANGE_NOSPACE)
        answer(a, code, true, a->first);
    else
        refuse(a, code);
}

static void set_base(action *a) {
    gmmu_range *r = find_from(a->d, a->op.asid, a->op.start);
    if (r == end(a->d) || r->asid != a->op.asid || r->start > a->op.start || !on_gpu(r)) {
        refuse(a, GMMU_RANGE_MISS);
        return;
    }
    r->base = a->op.last;
    r->base_ok = true;
    answer(a, GMMU_RANGE_OK, true, r);
}

uint32_t gmmu_range_dir_op(gmmu_range_dir *d, gmmu_range_op op, gmmu_range_beat *beats) {
    action a = {.d = d, .op = op, .beat = beats};
    if (op.op >= GMMU_RANGE_OPS || (op.op != GMMU_RANGE_BASE && op.start > op.last)) {
        refuse(&a, GMMU_RANGE_BAD);
    } else if (op.op == GMMU_RANGE_BASE) {
        set_base(&a);
    } else {
        meet(&a);
        if (op.op <= GMMU_RANGE_WRITE_GPU)
            look(&a);
        else if (op.op <= GMMU_RANGE_RELEASE)
            touch(&a);
        else
            one_record(&a);
    }
    return a.beats;
}
