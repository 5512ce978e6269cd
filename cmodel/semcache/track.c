// SPDX-License-Identifier: Apache-2.0
// track.c: see track.h and docs/guide/semcache.md.
//
// Memory is armed a page at a time. A page that is armed whole is watched by the system; what is
// written there is told as a page. One in which an operand begins or ends is compared with a copy
// as well, so that what its neighbours write is not told; without a system that watches all pages
// are. Order matters: first a page is watched, then it is copied, so that a write of another thread
// is in the copy, or is seen, or both.
#include "semcache/track.h"

#include "semcache/track_protect.h"

enum { REGIONS = 64 };

static bool is_wanted(const gmmu_leaf *l, unsigned i) {
    return (l->flags[i] & GMMU_PAGE_WANT) != 0;
}

static uint64_t address(const gmmu_track *t, const gmmu_leaf *l, unsigned i) {
    return l->base + i * t->pages.page;
}

static bool is_shut(const gmmu_leaf *l, unsigned i) {
    return gmmu_track_level(l, i) != 0;
}

static bool is_none(const gmmu_leaf *l, unsigned i) {
    return gmmu_track_level(l, i) == 2;
}

static void open_run(gmmu_track *t, uint64_t start, uint64_t end) {
    (void)gmmu_track_protect(t, start, end, 0);
}

static void open_to_read(gmmu_track *t, uint64_t start, uint64_t end) {
    (void)gmmu_track_protect(t, start, end, 1);
}

// ---- pages that are compared

// Is there something to be read at all? What vanished without a word is not armed any more.
static bool readable(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    const uint64_t at = address(t, l, i);
    if (t->good <= at && at + t->pages.page <= t->good_end)
        return true;
    gmmu_os_mapping m;
    if (gmmu_os_mapping_at(at, &m) && m.readable) {
        t->good = m.start;
        t->good_end = m.end;
        return true;
    }
    if (gmmu_os_readable(at, at + t->pages.page))
        return true;
    gmmu_page_clear(&t->pages, l, i);
    return false;
}

static void compare_only(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    l->flags[i] &= (uint16_t) ~(GMMU_PAGE_WATCH | GMMU_PAGE_WANT);
    if (readable(t, l, i) && !gmmu_page_keep(&t->pages, l, i))
        gmmu_page_clear(&t->pages, l, i);
}

static bool is_watched(const gmmu_leaf *l, unsigned i) {
    return (l->flags[i] & GMMU_PAGE_WATCH) != 0 && l->open[i] == 0;
}

static void mark_written(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    (void)t;
    if (is_watched(l, i))
        l->flags[i] |= l->copy[i] != NULL ? GMMU_PAGE_STALE : GMMU_PAGE_DIRTY;
}

// False: what begins at *start is other memory than was registered.
static bool scan(gmmu_track *t, uint64_t *start, uint64_t end) {
    gmmu_os_region r[REGIONS];
    while (*start < end) {
        uint64_t next = *start;
        const int n = gmmu_os_uffd_scan(&t->uffd, &next, end, r, REGIONS);
        for (int k = 0; k < n; k++) gmmu_track_each(t, r[k].start, r[k].end, mark_written);
        if (n < 0 || next <= *start)
            return false;
        *start = next;
    }
    return true;
}

static void scan_run(gmmu_track *t, uint64_t start, uint64_t end) {
    if (scan(t, &start, end))
        return;
    gmmu_track_each(t, start, end, mark_written);
    if (!gmmu_os_uffd_watch(&t->uffd, start, end))
        gmmu_track_each(t, start, end, compare_only);
}

// A run with gaps: one system call for many small operands. Pages in the gaps are watched, too. A
// scan that fails has forgotten what it saw: only within one mapping it does so before it saw any.
static void scan_near(gmmu_track *t, uint64_t start, uint64_t end) {
    gmmu_os_mapping m;
    if (!t->gaps)
        scan_run(t, start, end);
    else if (!gmmu_os_mapping_at(start, &m) || m.end < end || !scan(t, &start, end))
        gmmu_track_runs(t, start, end - 1, is_watched, scan_run);
}

// A part of a page that was armed whole is handled apart: from now on it is compared. What is known
// of it stays known. False: no memory.
static bool divide(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    if (l->copy[i] != NULL)
        return true;
    if (t->cfg.backend == GMMU_TRACK_UFFD && l->open[i] == 0)
        scan_run(t, address(t, l, i), address(t, l, i) + t->pages.page);
    return !readable(t, l, i) || gmmu_page_keep(&t->pages, l, i);
}

// ---- arm

static bool covers(const gmmu_track *t, uint64_t at, uint64_t start, uint64_t last, uint64_t *first,
                   uint64_t *end) {
    *first = start > at ? start - at : 0;
    *end = last - at < t->pages.page - 1 ? last - at : t->pages.page - 1;
    return *first == 0 && *end == t->pages.page - 1;
}

static unsigned shut_to(const gmmu_track *t) {
    return t->cfg.mode == GMMU_SEM_FULL ? 2 : 1;
}

static bool counts_open(const gmmu_track *t, bool writes) {
    return writes || t->cfg.backend == GMMU_TRACK_MPROTECT;
}

static bool arm_new(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last) {
    const uint64_t at = address(t, l, i);
    const bool whole = first == 0 && last == t->pages.page - 1;
    if (!gmmu_page_cover(&t->pages, l, i, first, last, true))
        return false;
    l->flags[i] |= GMMU_PAGE_FRESH;
    if (t->cfg.backend == GMMU_TRACK_UFFD ||
        (t->cfg.backend == GMMU_TRACK_MPROTECT &&
         (whole ||
          (t->cfg.alone != NULL && t->cfg.alone(t->cfg.context, at, at + t->pages.page - 1)))))
        l->flags[i] |= GMMU_PAGE_WANT;
    return true;
}

// Before it is watched again: mprotect's pages can be read now.
static bool arm_again(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                      bool writes) {
    const bool whole = first == 0 && last == t->pages.page - 1;
    if (l->open[i] != 0 && counts_open(t, writes))
        l->open[i]--;
    const bool watched = (l->flags[i] & GMMU_PAGE_WATCH) != 0;
    if (t->cfg.backend == GMMU_TRACK_UFFD && watched && !whole && !divide(t, l, i))
        return false;
    if (t->cfg.backend == GMMU_TRACK_MPROTECT && watched && l->copy[i] != NULL) {
        gmmu_page_copy(&t->pages, l, i, first, last, !writes);
        if (l->open[i] == 0) {
            if (gmmu_page_compare(&t->pages, l, i, NULL))
                gmmu_track_note(l, i, true, 0);
            gmmu_page_forget(&t->pages, l, i);
        }
    }
    const bool again =
        t->cfg.backend == GMMU_TRACK_MPROTECT ? gmmu_track_level(l, i) < shut_to(t) : writes;
    if (watched && l->open[i] == 0 && again)
        l->flags[i] |= GMMU_PAGE_WANT;
    return true;
}

static void count_crowded(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    t->crowded++;
    compare_only(t, l, i);
}

static void open_crowded(gmmu_track *t, uint64_t start, uint64_t end) {
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        gmmu_track_runs(t, start, end - 1, is_shut, open_run);
    gmmu_track_each(t, start, end,
                    t->cfg.backend == GMMU_TRACK_MPROTECT ? count_crowded : compare_only);
}

static void set_watched(gmmu_track *t, gmmu_leaf *l, unsigned i) {
    (void)t;
    l->flags[i] = (uint16_t)((l->flags[i] & ~GMMU_PAGE_WANT) | GMMU_PAGE_WATCH);
}

static bool is_new(const gmmu_leaf *l, unsigned i) {
    return (l->flags[i] & (GMMU_PAGE_WANT | GMMU_PAGE_WATCH)) == GMMU_PAGE_WANT;
}

static void check_run(gmmu_track *t, uint64_t start, uint64_t end) {
    if (!gmmu_track_can_protect(start, end))
        gmmu_track_each(t, start, end, compare_only);
}

static void watch_run(gmmu_track *t, uint64_t start, uint64_t end) {
    const bool good = t->cfg.backend == GMMU_TRACK_UFFD
                          ? gmmu_os_uffd_watch(&t->uffd, start, end)
                          : gmmu_track_protect(t, start, end, shut_to(t));
    if (good)
        gmmu_track_each(t, start, end, set_watched);
    else
        open_crowded(t, start, end);
}

// After it is watched.
static bool arm_copy(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                     bool writes) {
    const bool whole = first == 0 && last == t->pages.page - 1;
    const bool watched = (l->flags[i] & GMMU_PAGE_WATCH) != 0;
    const bool fresh = (l->flags[i] & GMMU_PAGE_FRESH) != 0;
    l->flags[i] &= (uint16_t)~GMMU_PAGE_FRESH;
    if (fresh && (!watched || (!whole && t->cfg.backend == GMMU_TRACK_UFFD)))
        return !readable(t, l, i) || gmmu_page_keep(&t->pages, l, i);
    if (fresh)
        return true;
    if (l->copy[i] != NULL && !(watched && t->cfg.backend == GMMU_TRACK_MPROTECT)) {
        if (!readable(t, l, i))
            return true;
        gmmu_page_copy(&t->pages, l, i, first, last, !writes);
        l->flags[i] |= writes && watched ? GMMU_PAGE_STALE : 0;
    }
    if (writes && whole)
        l->flags[i] &= (uint16_t) ~(GMMU_PAGE_STALE | GMMU_PAGE_DIRTY | GMMU_PAGE_WRITE);
    return gmmu_page_cover(&t->pages, l, i, first, last, true);
}

// A child of fork has a userfaultfd of its own, or none.
static void afresh(gmmu_track *t) {
    if (t->cfg.backend == GMMU_TRACK_UFFD && t->uffd.fd < 0 && !gmmu_os_uffd_open(&t->uffd))
        t->cfg.backend = GMMU_TRACK_COMPARE;
}

static bool arm(gmmu_track *t, uint64_t start, uint64_t last, bool writes) {
    gmmu_pages *p = &t->pages;
    const uint64_t begin = start & ~(p->page - 1), span = last - begin;
    bool good = true;
    for (uint64_t off = 0; off <= span && good; off += p->page) {
        uint64_t first, end;
        gmmu_leaf *l = gmmu_leaf_make(p, begin + off);
        if (l == NULL)
            return false;
        const unsigned i = (unsigned)((begin + off - l->base) / p->page);
        (void)covers(t, begin + off, start, last, &first, &end);
        if (t->cfg.backend == GMMU_TRACK_MPROTECT && !gmmu_leaf_code(p, l))
            return false;
        good = (l->flags[i] & GMMU_PAGE_ARMED) == 0 ? arm_new(t, l, i, first, end)
                                                    : arm_again(t, l, i, first, end, writes);
    }
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        gmmu_track_runs(t, begin, last, is_new, check_run);
    gmmu_track_runs(t, begin, last, is_wanted, watch_run);
    for (uint64_t off = 0; off <= span; off += p->page) {
        uint64_t first, end;
        gmmu_leaf *l = gmmu_leaf_at(p, begin + off);
        if (l == NULL)
            continue;
        const unsigned i = (unsigned)((begin + off - l->base) / p->page);
        (void)covers(t, begin + off, start, last, &first, &end);
        if ((l->flags[i] & GMMU_PAGE_ARMED) != 0)
            good = arm_copy(t, l, i, first, end, writes) && good;
    }
    return good;
}

bool gmmu_track_arm(gmmu_track *t, uint64_t start, uint64_t last, bool writes) {
    if (t->cfg.mode == GMMU_SEM_CALLS || start > last)
        return true;
    const uint64_t mask = gmmu_track_hold(t);
    afresh(t);
    if (start < t->low)
        __atomic_store_n(&t->low, start, __ATOMIC_RELAXED);
    if (last > t->high)
        __atomic_store_n(&t->high, last, __ATOMIC_RELAXED);
    const bool good = arm(t, start, last, writes);
    gmmu_track_release(t, mask);
    return good;
}

// ---- open

static void let_run(gmmu_track *t, uint64_t start, uint64_t end) {
    gmmu_os_uffd_let(&t->uffd, start, end);
    for (uint64_t at = start; at < end; at += t->pages.page) {
        gmmu_leaf *l = gmmu_leaf_at(&t->pages, at);
        l->flags[(at - l->base) / t->pages.page] &= (uint16_t)~GMMU_PAGE_WANT;
    }
}

// Each armed page of [start, last], with the part of it.
static void for_parts(gmmu_track *t, uint64_t start, uint64_t last,
                      void (*each)(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first,
                                   uint64_t end)) {
    const gmmu_pages *p = &t->pages;
    for (size_t n = gmmu_leaf_from(p, start); n < p->leaves && p->leaf[n]->base <= last; n++) {
        gmmu_leaf *l = p->leaf[n];
        unsigned i = l->base < start ? (unsigned)((start - l->base) / p->page) : 0;
        for (; i < GMMU_LEAF && address(t, l, i) <= last; i++) {
            uint64_t first, end;
            if ((l->flags[i] & GMMU_PAGE_ARMED) == 0)
                continue;
            (void)covers(t, address(t, l, i), start, last, &first, &end);
            each(t, l, i, first, end);
        }
    }
}

static void open_part(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last) {
    const bool whole = first == 0 && last == t->pages.page - 1;
    if (!whole && (l->flags[i] & GMMU_PAGE_WATCH) != 0)
        (void)divide(t, l, i);
    l->open[i] += l->open[i] != UINT8_MAX;
    if (t->cfg.backend == GMMU_TRACK_UFFD && (l->flags[i] & GMMU_PAGE_WATCH) != 0)
        l->flags[i] |= GMMU_PAGE_WANT;
}

static void open_part_to_read(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first,
                              uint64_t last) {
    (void)t, (void)first, (void)last;
    l->open[i] += l->open[i] != UINT8_MAX;
}

void gmmu_track_open(gmmu_track *t, uint64_t start, uint64_t last, bool writes) {
    if (t->cfg.mode == GMMU_SEM_CALLS || start > last || !counts_open(t, writes))
        return;
    const uint64_t mask = gmmu_track_hold(t);
    if (t->cfg.backend == GMMU_TRACK_MPROTECT) {
        const uint64_t page = t->pages.page, begin = start & ~(page - 1);
        gmmu_track_runs(t, begin, last, is_none, open_to_read);
        gmmu_track_runs(t, begin, last, is_none, open_run);  // too many mappings
    }
    for_parts(t, start, last, writes ? open_part : open_part_to_read);
    if (t->cfg.backend == GMMU_TRACK_MPROTECT && writes)
        gmmu_track_runs(t, start & ~(t->pages.page - 1), last, is_shut, open_run);
    if (t->cfg.backend == GMMU_TRACK_UFFD)
        gmmu_track_runs(t, start & ~(t->pages.page - 1), last, is_wanted, let_run);
    gmmu_track_release(t, mask);
}

// ---- collect

static void tell_page(gmmu_track *t, gmmu_leaf *l, unsigned i, gmmu_changes *out) {
    const gmmu_pages *p = &t->pages;
    const uint16_t f = l->flags[i];
    const gmmu_page_code code = l->code != NULL ? l->code[i] : (gmmu_page_code){0, 0};
    if ((f & GMMU_PAGE_READ) != 0)
        gmmu_page_tell(p, l, i, (gmmu_track_change){.reads = true, .code = code.read}, out);
    if ((f & GMMU_PAGE_WRITE) != 0)
        gmmu_page_tell(p, l, i, (gmmu_track_change){.writes = true, .code = code.write}, out);
    else if ((f & GMMU_PAGE_DIRTY) != 0)
        gmmu_page_tell(p, l, i, (gmmu_track_change){.writes = true}, out);
    l->flags[i] &=
        (uint16_t) ~(GMMU_PAGE_READ | GMMU_PAGE_WRITE | GMMU_PAGE_DIRTY | GMMU_PAGE_STALE);
    const bool watched = (f & GMMU_PAGE_WATCH) != 0;
    if (l->copy[i] != NULL && (!watched || (f & GMMU_PAGE_STALE) != 0) && readable(t, l, i))
        (void)gmmu_page_compare(p, l, i, (f & GMMU_PAGE_DIRTY) != 0 ? NULL : out);
}

// The part of leaf L that lies in [start, last]: *first to *end − 1.
static void leaf_part(const gmmu_track *t, const gmmu_leaf *l, uint64_t start, uint64_t last,
                      unsigned *first, unsigned *end) {
    const uint64_t page = t->pages.page, behind = (last - l->base) / page;
    *first = l->base < start ? (unsigned)((start - l->base) / page) : 0;
    *end = l->armed == 0 ? 0 : behind < GMMU_LEAF ? (unsigned)behind + 1 : GMMU_LEAF;
}

// Pages of [start, last] that were touched are protected again.
static void shut_touched(gmmu_track *t, uint64_t start, uint64_t last) {
    const gmmu_pages *p = &t->pages;
    for (size_t n = gmmu_leaf_from(p, start); n < p->leaves && p->leaf[n]->base <= last; n++) {
        gmmu_leaf *l = p->leaf[n];
        unsigned i, end;
        for (leaf_part(t, l, start, last, &i, &end); i < end; i++)
            if (is_watched(l, i) && gmmu_track_level(l, i) < shut_to(t))
                l->flags[i] |= GMMU_PAGE_WANT;
    }
    gmmu_track_runs(t, start, last, is_wanted, watch_run);
}

// ARMED: nothing to say of the page before it is looked at in detail.
static bool is_quiet(const gmmu_leaf *l, unsigned i) {
    const uint16_t f = l->flags[i];
    const unsigned news =
        GMMU_PAGE_STALE | GMMU_PAGE_DIRTY | GMMU_PAGE_READ | GMMU_PAGE_WRITE | GMMU_PAGE_WATCH;
    return (f & GMMU_PAGE_ARMED) == 0 || (f & news) == GMMU_PAGE_WATCH || l->open[i] != 0;
}

bool gmmu_track_collect(gmmu_track *t, void (*each)(void *context, const gmmu_track_change *change),
                        void *context) {
    return gmmu_track_collect_in(t, 0, UINT64_MAX, each, context);
}

bool gmmu_track_collect_in(gmmu_track *t, uint64_t start, uint64_t last,
                           void (*each)(void *context, const gmmu_track_change *change),
                           void *context) {
    const gmmu_pages *p = &t->pages;
    if (t->cfg.mode == GMMU_SEM_CALLS || start > last)
        return true;
    uint64_t mask = gmmu_track_hold(t);
    start &= ~(p->page - 1);
    gmmu_changes out = t->spare;
    t->spare = (gmmu_changes){NULL, 0, 0};
    out.used = 0;
    if (!gmmu_changes_room(&out)) {
        gmmu_track_release(t, mask);
        return false;
    }
    if (t->cfg.backend == GMMU_TRACK_UFFD && t->uffd.fd >= 0) {
        if (start == 0 && last == UINT64_MAX)
            gmmu_track_near_runs(t, is_watched, scan_near);
        else
            gmmu_track_runs(t, start, last, is_watched, scan_run);
    }
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        shut_touched(t, start, last);
    for (size_t n = gmmu_leaf_from(p, start); n < p->leaves && p->leaf[n]->base <= last; n++) {
        gmmu_leaf *l = p->leaf[n];
        unsigned i, end;
        for (leaf_part(t, l, start, last, &i, &end); i < end; i++)
            if (!is_quiet(l, i))
                tell_page(t, l, i, &out);
    }
    gmmu_track_release(t, mask);
    for (size_t k = 0; k < out.used; k++) each(context, &out.change[k]);
    mask = gmmu_track_hold(t);
    if (t->spare.change == NULL) {
        t->spare = out;
        out = (gmmu_changes){NULL, 0, 0};
    }
    gmmu_track_release(t, mask);
    gmmu_changes_free(&out);
    return true;
}

// ---- drop

static bool is_armed(const gmmu_leaf *l, unsigned i) {
    return (l->flags[i] & GMMU_PAGE_ARMED) != 0;
}

static void drop_part(gmmu_track *t, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last) {
    const bool whole = first == 0 && last == t->pages.page - 1;
    const bool watched = (l->flags[i] & GMMU_PAGE_WATCH) != 0;
    if (!whole && watched && divide(t, l, i) && t->cfg.backend == GMMU_TRACK_MPROTECT)
        l->flags[i] &= (uint16_t)~GMMU_PAGE_WATCH;  // it may belong to others, too
    if (!gmmu_page_cover(&t->pages, l, i, first, last, false))
        gmmu_page_clear(&t->pages, l, i);
}

static void let_whole(gmmu_track *t, uint64_t start, uint64_t end) {
    gmmu_os_uffd_let(&t->uffd, start, end);
}

void gmmu_track_drop(gmmu_track *t, uint64_t start, uint64_t last) {
    if (start > last || last < __atomic_load_n(&t->low, __ATOMIC_RELAXED) ||
        start > __atomic_load_n(&t->high, __ATOMIC_RELAXED))
        return;
    const uint64_t mask = gmmu_track_hold(t), page = t->pages.page;
    const uint64_t begin = start & ~(page - 1);
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        gmmu_track_runs(t, begin, last, is_shut, open_run);
    const uint64_t whole = (start + page - 1) & ~(page - 1), end = (last + 1) & ~(page - 1);
    if (t->uffd.fd >= 0 && whole < end)
        gmmu_track_runs(t, whole, end - 1, is_armed, let_whole);
    for_parts(t, start, last, drop_part);
    gmmu_leaf_trim(&t->pages, begin, last);
    gmmu_track_release(t, mask);
}

static void touch_run(gmmu_track *t, uint64_t start, uint64_t end, bool writes, uint64_t code) {
    for (uint64_t at = start; at < end; at += t->pages.page) {
        gmmu_leaf *l = gmmu_leaf_at(&t->pages, at);
        const unsigned i = l == NULL ? 0 : (unsigned)((at - l->base) / t->pages.page);
        if (l != NULL && gmmu_track_level(l, i) > (writes ? 0 : 1))
            (void)gmmu_track_open_for(t, l, i, writes, code);
    }
}

void gmmu_track_touch(gmmu_track *t, uint64_t start, uint64_t last, bool writes, uint64_t code) {
    if (t->cfg.backend != GMMU_TRACK_MPROTECT || start > last ||
        last < __atomic_load_n(&t->low, __ATOMIC_RELAXED) ||
        start > __atomic_load_n(&t->high, __ATOMIC_RELAXED))
        return;
    const uint64_t mask = gmmu_track_hold(t);
    touch_run(t, start & ~(t->pages.page - 1), last | (t->pages.page - 1), writes, code);
    gmmu_track_release(t, mask);
}

bool gmmu_track_has(gmmu_track *t, uint64_t start, uint64_t last) {
    if (start > last || last < __atomic_load_n(&t->low, __ATOMIC_RELAXED) ||
        start > __atomic_load_n(&t->high, __ATOMIC_RELAXED))
        return false;
    const uint64_t mask = gmmu_track_hold(t);
    const gmmu_pages *p = &t->pages;
    bool has = false;
    for (size_t n = gmmu_leaf_from(p, start); n < p->leaves && p->leaf[n]->base <= last && !has;
         n++) {
        const gmmu_leaf *l = p->leaf[n];
        unsigned i = l->base < start ? (unsigned)((start - l->base) / p->page) : 0;
        for (; i < GMMU_LEAF && address(t, l, i) <= last && !has; i++) {
            uint64_t first, end;
            (void)covers(t, address(t, l, i), start, last, &first, &end);
            has = gmmu_page_has(p, l, i, first, end);
        }
    }
    gmmu_track_release(t, mask);
    return has;
}
