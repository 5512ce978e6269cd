// SPDX-License-Identifier: Apache-2.0
// track_make.c: track.h's functions that make trackers, end them, and tell of them.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "semcache/track.h"
#include "semcache/track_protect.h"

static const char *const names[GMMU_TRACK_BACKENDS] = {"auto", "uffd", "compare", "mprotect"};

static struct {
    char lock;
    bool forks;  // pthread_atfork was called
    gmmu_track *first;
    uint64_t mask;  // of the thread that forks
} all;

// ---- fork: the child has none of it

static uint64_t block(void) {
    const uint64_t every = ~(uint64_t)0;
    uint64_t mask = 0;
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, &every, &mask, sizeof mask);
    return mask;
}

static void before_fork(void) {
    const uint64_t mask = block();
    gmmu_track_spin(&all.lock);
    all.mask = mask;
    for (gmmu_track *t = all.first; t != NULL; t = t->next) gmmu_track_spin(&t->lock);
}

static void after_fork(void) {
    const uint64_t mask = all.mask;
    for (gmmu_track *t = all.first; t != NULL; t = t->next)
        __atomic_clear(&t->lock, __ATOMIC_RELEASE);
    __atomic_clear(&all.lock, __ATOMIC_RELEASE);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}

static bool is_shut(const gmmu_leaf *l, unsigned i) {
    return gmmu_track_level(l, i) != 0;
}

static void open_run(gmmu_track *t, uint64_t start, uint64_t end) {
    (void)gmmu_track_protect(t, start, end, 0);
}

static void in_child(void) {
    gmmu_os_forked();
    for (gmmu_track *t = all.first; t != NULL; t = t->next) {
        gmmu_track_runs(t, 0, UINT64_MAX, is_shut, open_run);
        gmmu_pages_free(&t->pages);
        gmmu_os_uffd_close(&t->uffd);
        t->faults = t->crowded = 0;
    }
    after_fork();
}

// ---- make and end

static bool fail(gmmu_error *err, const char *what) {
    (void)snprintf(err->text, sizeof err->text, "%s", what);
    return false;
}

static bool start(gmmu_track *t, gmmu_error *err) {
    const bool chooses = t->cfg.backend == GMMU_TRACK_AUTO, full = t->cfg.mode == GMMU_SEM_FULL;
    if (full && chooses)
        t->cfg.backend = GMMU_TRACK_MPROTECT;
    if (full && t->cfg.backend != GMMU_TRACK_MPROTECT)
        return fail(err, "found a back end that sees no reads, expected mprotect");
    if (chooses && !full)
        t->cfg.backend = gmmu_os_uffd_open(&t->uffd) ? GMMU_TRACK_UFFD : GMMU_TRACK_COMPARE;
    else if (t->cfg.backend == GMMU_TRACK_UFFD && !gmmu_os_uffd_open(&t->uffd))
        return fail(err, "found no userfaultfd with asynchronous write-protection (Linux 6.7)");
    if (t->cfg.backend == GMMU_TRACK_MPROTECT && !gmmu_segv_add(gmmu_track_fault, t))
        return fail(err, "found no way to handle SIGSEGV");
    t->most_steps = gmmu_os_most_mappings() / 2;
    return true;
}

gmmu_track *gmmu_track_create(const gmmu_track_config *config, gmmu_error *err) {
    gmmu_track *t = gmmu_os_map(sizeof *t);
    if (t == NULL) {
        (void)fail(err, "found no memory");
        return NULL;
    }
    t->cfg = *config;
    t->uffd = (gmmu_os_uffd){-1, -1};
    t->low = UINT64_MAX;
    gmmu_pages_init(&t->pages);
    if (t->cfg.mode != GMMU_SEM_CALLS && !start(t, err)) {
        gmmu_os_unmap(t, sizeof *t);
        return NULL;
    }
    const uint64_t mask = block();
    gmmu_track_spin(&all.lock);
    t->next = all.first;
    all.first = t;
    const bool forks = all.forks;
    all.forks = true;
    __atomic_clear(&all.lock, __ATOMIC_RELEASE);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
    if (!forks)
        (void)pthread_atfork(before_fork, after_fork, in_child);
    return t;
}

void gmmu_track_destroy(gmmu_track *t) {
    if (t == NULL)
        return;
    const uint64_t mask = block();
    gmmu_track_spin(&all.lock);
    gmmu_track **at = &all.first;
    while (*at != t) at = &(*at)->next;
    *at = t->next;
    __atomic_clear(&all.lock, __ATOMIC_RELEASE);
    gmmu_track_spin(&t->lock);
    gmmu_track_runs(t, 0, UINT64_MAX, is_shut, open_run);
    __atomic_clear(&t->lock, __ATOMIC_RELEASE);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
    if (t->cfg.backend == GMMU_TRACK_MPROTECT)
        gmmu_segv_remove(gmmu_track_fault, t);
    gmmu_os_uffd_close(&t->uffd);
    gmmu_pages_free(&t->pages);
    gmmu_changes_free(&t->spare);
    gmmu_os_unmap(t, sizeof *t);
}

// ---- what it is

const char *gmmu_track_backend_name(const gmmu_track *t) {
    return t->cfg.mode == GMMU_SEM_CALLS ? "none" : names[t->cfg.backend];
}

bool gmmu_track_closes(const gmmu_track *t) {
    return t->cfg.mode != GMMU_SEM_CALLS && t->cfg.backend == GMMU_TRACK_MPROTECT;
}

bool gmmu_track_backend_by_name(const char *name, gmmu_track_backend *backend) {
    for (int i = 0; i < GMMU_TRACK_BACKENDS; i++)
        if (strcmp(name, names[i]) == 0) {
            *backend = (gmmu_track_backend)i;
            return true;
        }
    return false;
}

gmmu_track_counts gmmu_track_counted(gmmu_track *t) {
    const uint64_t mask = gmmu_track_hold(t);
    gmmu_track_counts n = {.faults = t->faults, .crowded = t->crowded};
    for (size_t k = 0; k < t->pages.leaves; k++) {
        const gmmu_leaf *l = t->pages.leaf[k];
        for (unsigned i = 0; i < GMMU_LEAF; i++) {
            n.watched += (l->flags[i] & GMMU_PAGE_WATCH) != 0;
            n.compared += l->copy[i] != NULL;
        }
    }
    gmmu_track_release(t, mask);
    return n;
}
