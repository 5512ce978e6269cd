// SPDX-License-Identifier: Apache-2.0
// pool.c: see pool.h. Between two runs the threads wait at a barrier; in a run each takes the next
// task until none is left.
#include "pool/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct gmmu_pool {
    unsigned others;  // threads beside the caller's
    pthread_t *threads;
    pthread_mutex_t gate;  // held until it is known how many there are
    pthread_barrier_t begin, end;
    bool quit;
    // the run
    void (*task)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next;
};

static void take_tasks(gmmu_pool *p) {
    size_t i = atomic_fetch_add(&p->next, 1);
    for (; i < p->count; i = atomic_fetch_add(&p->next, 1)) {
        p->task(p->context, i);
    }
}

static void *work(void *context) {
    gmmu_pool *p = context;
    (void)pthread_mutex_lock(&p->gate);
    (void)pthread_mutex_unlock(&p->gate);
    for (;;) {
        (void)pthread_barrier_wait(&p->begin);
        if (p->quit) {
            return NULL;
        }
        take_tasks(p);
        (void)pthread_barrier_wait(&p->end);
    }
}

gmmu_pool *gmmu_pool_create(unsigned threads) {
    gmmu_pool *p = threads < 2 ? NULL : calloc(1, sizeof *p);
    pthread_t *all = p == NULL ? NULL : calloc(threads - 1, sizeof *all);
    if (all == NULL) {
        free(p);
        return NULL;
    }
    p->threads = all;
    (void)pthread_mutex_init(&p->gate, NULL);
    (void)pthread_mutex_lock(&p->gate);
    // A thread that cannot be had is work for the others: the barriers wait for those that there
    // are. (With default attributes nothing else here can fail.)
    while (p->others + 1 < threads && pthread_create(&all[p->others], NULL, work, p) == 0) {
        p->others++;
    }
    (void)pthread_barrier_init(&p->begin, NULL, p->others + 1);
    (void)pthread_barrier_init(&p->end, NULL, p->others + 1);
    (void)pthread_mutex_unlock(&p->gate);
    return p;
}

unsigned gmmu_pool_threads(const gmmu_pool *p) {
    return p == NULL ? 1 : p->others + 1;
}

void gmmu_pool_run(gmmu_pool *p, void (*task)(void *context, size_t i), void *context,
                   size_t count) {
    if (p == NULL) {
        for (size_t i = 0; i < count; i++) {
            task(context, i);
        }
        return;
    }
    p->task = task;
    p->context = context;
    p->count = count;
    atomic_store(&p->next, 0);
    (void)pthread_barrier_wait(&p->begin);
    take_tasks(p);
    (void)pthread_barrier_wait(&p->end);
}

void gmmu_pool_destroy(gmmu_pool *p) {
    if (p == NULL) {
        return;
    }
    p->quit = true;
    (void)pthread_barrier_wait(&p->begin);
    for (unsigned i = 0; i < p->others; i++) {
        (void)pthread_join(p->threads[i], NULL);
    }
    (void)pthread_barrier_destroy(&p->begin);
    (void)pthread_barrier_destroy(&p->end);
    (void)pthread_mutex_destroy(&p->gate);
    free(p->threads);
    free(p);
}
