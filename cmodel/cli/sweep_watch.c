// SPDX-License-Identifier: Apache-2.0
// sweep_watch.c: see sweep_watch.h.
#include "cli/sweep_watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct sweep_watch {
    gmmu_store *store;
    unsigned lease;
    pthread_t thread;
    sigset_t signals, before;
    bool terminal;
    bool shown;  // a line of progress stands there
    struct timespec start, beat;
    atomic_bool quit;
    pthread_mutex_t lock;  // of what follows
    uint64_t walks, read;  // of the present batch: of readings that have ended, and of this one
    size_t jobs, jobs_done;
    double cost, cost_done, cost_found, batch_cost;
    uint64_t batch_walks;
};

static double seconds_to(const struct timespec *from, const struct timespec *to) {
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

// With the lock.
static void show(sweep_watch *w, const struct timespec *now) {
    const uint64_t walks = w->walks + w->read;
    const double part =
        w->batch_walks == 0 ? 0 : (double)walks / (double)w->batch_walks * w->batch_cost;
    const double made = w->cost_done + (part < w->batch_cost ? part : w->batch_cost);
    const double left = w->cost - w->cost_found - made;
    const double seconds = seconds_to(&w->start, now);
    (void)fprintf(stderr, "\rgmmu sweep: %zu of %zu jobs", w->jobs_done, w->jobs);
    if (made > 0 && left >= 0) {
        (void)fprintf(stderr, ", %.0f s left", seconds * left / made);
    }
    (void)fputs("\033[K", stderr);
    w->shown = true;
}

static void end_by(sweep_watch *w, int number) {
    gmmu_store_leave(w->store);
    sweep_watch_hush(w);
    (void)pthread_mutex_lock(&w->lock);
    (void)fprintf(stderr, "gmmu sweep: ended by signal %d with %zu of %zu jobs\n", number,
                  w->jobs_done, w->jobs);
    (void)signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_SETMASK, &w->before, NULL);
    (void)kill(getpid(), number);
    _exit(1);  // where the signal was blocked before
}

// Wakes the thread; who else sends it means nothing by it.
enum { WAKE = SIGWINCH };

static void *watch(void *context) {
    sweep_watch *w = context;
    const struct timespec tick = {.tv_nsec = 200000000};
    while (!atomic_load(&w->quit)) {
        const int number = sigtimedwait(&w->signals, NULL, &tick);
        if (number > 0 && number != WAKE) {
            end_by(w, number);
        }
        struct timespec now;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        if (seconds_to(&w->beat, &now) > (double)w->lease / 4) {
            gmmu_store_beat(w->store);
            w->beat = now;
        }
        if (w->terminal) {
            (void)pthread_mutex_lock(&w->lock);
            show(w, &now);
            (void)pthread_mutex_unlock(&w->lock);
        }
    }
    return NULL;
}

sweep_watch *sweep_watch_start(gmmu_store *store, unsigned lease, size_t count, double cost,
                               gmmu_error *err) {
    sweep_watch *w = calloc(1, sizeof *w);
    if (w == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
        return NULL;
    }
    w->store = store;
    w->lease = lease;
    w->jobs = count;
    w->cost = cost;
    w->terminal = isatty(STDERR_FILENO) != 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &w->start);
    w->beat = w->start;
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)sigemptyset(&w->signals);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            (void)sigaddset(&w->signals, numbers[i]);  // nohup's stays ignored
        }
    }
    (void)sigaddset(&w->signals, WAKE);
    (void)pthread_sigmask(SIG_BLOCK, &w->signals, &w->before);
    const int why = pthread_create(&w->thread, NULL, watch, w);
    if (why != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "found no thread for the claims, expected memory and a thread more: %s",
                       strerror(why));
        (void)pthread_sigmask(SIG_SETMASK, &w->before, NULL);
        free(w);
        return NULL;
    }
    return w;
}

static void hear(void *context, const gmmu_progress *now) {
    sweep_watch *w = context;
    (void)pthread_mutex_lock(&w->lock);
    if (now == NULL || now->walks < w->read) {
        w->walks += w->read;
        w->read = 0;
    }
    w->read = now == NULL ? 0 : now->walks;
    (void)pthread_mutex_unlock(&w->lock);
}

gmmu_listener sweep_watch_listener(sweep_watch *w) {
    return (gmmu_listener){.context = w, .progress = hear};
}

void sweep_watch_batch(sweep_watch *w, double cost, uint64_t walks) {
    (void)pthread_mutex_lock(&w->lock);
    w->batch_cost = cost;
    w->batch_walks = walks;
    w->walks = w->read = 0;
    (void)pthread_mutex_unlock(&w->lock);
}

void sweep_watch_done(sweep_watch *w, size_t count, double cost, bool batch) {
    (void)pthread_mutex_lock(&w->lock);
    w->jobs_done += count;
    w->cost_done += batch ? cost : 0;
    w->cost_found += batch ? 0 : cost;
    w->batch_cost = 0;
    (void)pthread_mutex_unlock(&w->lock);
}

void sweep_watch_hush(sweep_watch *w) {
    if (w == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&w->lock);
    if (w->shown) {
        (void)fputs("\r\033[K", stderr);
    }
    w->shown = false;
    (void)pthread_mutex_unlock(&w->lock);
}

void sweep_watch_stop(sweep_watch *w) {
    if (w == NULL) {
        return;
    }
    atomic_store(&w->quit, true);
    (void)pthread_kill(w->thread, WAKE);
    (void)pthread_join(w->thread, NULL);
    sweep_watch_hush(w);
    (void)pthread_sigmask(SIG_SETMASK, &w->before, NULL);
    (void)pthread_mutex_destroy(&w->lock);
    free(w);
}
