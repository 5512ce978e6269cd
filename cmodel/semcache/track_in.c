// SPDX-License-Identifier: Apache-2.0
// track_in.c: see track_in.h.
#include "semcache/track_in.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GAP = 16 };  // pages

void gmmu_track_spin(char *lock) {
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) (void)sched_yield();
}

uint64_t gmmu_track_hold(gmmu_track *t) {
    const uint64_t every = ~(uint64_t)0;
    uint64_t mask = 0;
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, &every, &mask, sizeof mask);
    gmmu_track_spin(&t->lock);
    t->good_end = 0;
    return mask;
}

void gmmu_track_release(gmmu_track *t, uint64_t mask) {
    __atomic_clear(&t->lock, __ATOMIC_RELEASE);
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}

// ---- runs of pages

static void runs(gmmu_track *t, uint64_t start, uint64_t last, uint64_t gap, gmmu_track_test is,
                 gmmu_track_run act) {
    const gmmu_pages *p = &t->pages;
    uint64_t from = 0, to = 0;
    for (size_t n = gmmu_leaf_from(p, start); n < p->leaves && p->leaf[n]->base <= last; n++) {
        const gmmu_leaf *l = p->leaf[n];
        unsigned i = l->base < start ? (unsigned)((start - l->base) / p->page) : 0;
        for (; i < GMMU_LEAF && l->base + i * p->page <= last; i++) {
            if (!is(l, i))
                continue;
            const uint64_t at = l->base + i * p->page;
            const bool joins = to != from && at - to <= gap;
            if (!joins && to != from)
                act(t, from, to);
            t->gaps = joins && (t->gaps || at != to);
            from = joins ? from : at;
            to = at + p->page;
        }
    }
    if (to != from)
        act(t, from, to);
}

void gmmu_track_runs(gmmu_track *t, uint64_t start, uint64_t last, gmmu_track_test is,
                     gmmu_track_run act) {
    runs(t, start, last, 0, is, act);
}

void gmmu_track_near_runs(gmmu_track *t, gmmu_track_test is, gmmu_track_run act) {
    runs(t, 0, UINT64_MAX, GAP * t->pages.page, is, act);
}

void gmmu_track_each(gmmu_track *t, uint64_t start, uint64_t end, gmmu_track_page each) {
    const gmmu_pages *p = &t->pages;
    for (uint64_t at = start; at < end; at += p->page) {
        gmmu_leaf *l = gmmu_leaf_at(p, at);
        if (l != NULL)
            each(t, l, (unsigned)((at - l->base) / p->page));
    }
}
