// SPDX-License-Identifier: Apache-2.0
// track_protect.c: see track_protect.h.
#include "semcache/track_protect.h"

#include <sys/mman.h>

enum { SPURIOUS = 64 };  // faults in a row on a page that is open already

unsigned gmmu_track_level(const gmmu_leaf *l, unsigned i) {
    return (l->flags[i] & GMMU_PAGE_NONE) != 0 ? 2 : (l->flags[i] & GMMU_PAGE_SHUT) != 0 ? 1 : 0;
}

static unsigned level_at(const gmmu_track *t, uint64_t at) {
    const gmmu_leaf *l = gmmu_leaf_at(&t->pages, at);
    return l == NULL ? 0 : gmmu_track_level(l, (unsigned)((at - l->base) / t->pages.page));
}

// The borders in and around [start, end).
static uint64_t borders(const gmmu_track *t, uint64_t start, uint64_t end) {
    unsigned before = level_at(t, start - t->pages.page);
    uint64_t n = 0;
    for (uint64_t at = start; at <= end; at += t->pages.page) {
        const unsigned is = level_at(t, at);
        n += is != before;
        before = is;
    }
    return n;
}

static void set_level(gmmu_track *t, uint64_t start, uint64_t end, unsigned to) {
    for (uint64_t at = start; at < end; at += t->pages.page) {
        gmmu_leaf *l = gmmu_leaf_at(&t->pages, at);
        if (l == NULL)
            continue;
        uint16_t *f = &l->flags[(at - l->base) / t->pages.page];
        *f = (uint16_t)((*f & ~(GMMU_PAGE_SHUT | GMMU_PAGE_NONE)) | (to == 0 ? 0 : GMMU_PAGE_SHUT) |
                        (to == 2 ? GMMU_PAGE_NONE : 0));
    }
}

bool gmmu_track_protect(gmmu_track *t, uint64_t start, uint64_t end, unsigned to) {
    static const int protection[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
    const uint64_t left = t->steps - borders(t, start, end);
    if (to != 0 && left + 2 > t->most_steps)
        return false;
    if (!gmmu_os_protect(start, end, protection[to]))
        return false;
    set_level(t, start, end, to);
    t->steps = left + borders(t, start, end);
    return true;
}

void gmmu_track_note(gmmu_leaf *l, unsigned i, bool writes, uint64_t code) {
    const unsigned bit = writes ? GMMU_PAGE_WRITE : GMMU_PAGE_READ;
    if ((l->flags[i] & bit) != 0)
        return;
    l->flags[i] |= (uint16_t)bit;
    if (l->code != NULL && writes)
        l->code[i].write = code;
    else if (l->code != NULL)
        l->code[i].read = code;
}

bool gmmu_track_open_for(gmmu_track *t, gmmu_leaf *l, unsigned i, bool writes, uint64_t code) {
    const uint64_t at = l->base + i * t->pages.page, page = t->pages.page;
    const unsigned was = gmmu_track_level(l, i), to = writes ? 0 : 1;
    gmmu_track_note(l, i, writes, code);
    if (was <= to)
        return true;
    if ((t->steps + 2 <= t->most_steps) && gmmu_track_protect(t, at, at + page, to))
        return true;
    uint64_t start = at, end = at + page;
    while (level_at(t, start - page) == was) start -= page;
    while (level_at(t, end) == was) end += page;
    for (uint64_t a = start; a < end; a += page) {
        gmmu_leaf *its = gmmu_leaf_at(&t->pages, a);
        gmmu_track_note(its, (unsigned)((a - its->base) / page), true, code);
        gmmu_track_note(its, (unsigned)((a - its->base) / page), false, code);
    }
    return gmmu_track_protect(t, start, end, 0);
}

bool gmmu_track_fault(void *context, uint64_t at, gmmu_segv_access access, uint64_t code) {
    static __thread uint64_t last_at __attribute__((tls_model("initial-exec")));
    static __thread unsigned again __attribute__((tls_model("initial-exec")));
    gmmu_track *t = context;
    gmmu_track_spin(&t->lock);
    gmmu_leaf *l = gmmu_leaf_at(&t->pages, at);
    const unsigned i = l == NULL ? 0 : (unsigned)((at - l->base) / t->pages.page);
    const unsigned is = l == NULL ? 0 : gmmu_track_level(l, i);
    bool done = l != NULL && (l->flags[i] & GMMU_PAGE_WATCH) != 0;
    if (done) {
        const bool writes = access == GMMU_SEGV_WRITE || (access == GMMU_SEGV_EITHER && is == 1);
        if (is > (writes ? 0 : 1)) {
            t->faults++;
            again = 0;
            done = gmmu_track_open_for(t, l, i, writes, code);
        } else {  // another thread was first, or the program has protected it itself
            again = at == last_at ? again + 1 : 0;
            done = again < SPURIOUS;
        }
        last_at = at;
    }
    __atomic_clear(&t->lock, __ATOMIC_RELEASE);
    return done;
}

bool gmmu_track_can_protect(uint64_t start, uint64_t end) {
    while (start < end) {
        gmmu_os_mapping m;
        if (!gmmu_os_mapping_at(start, &m) || !m.readable || !m.writable || m.executable ||
            m.shared || gmmu_os_is_stack(&m))
            return false;
        start = m.end;
    }
    return true;
}
