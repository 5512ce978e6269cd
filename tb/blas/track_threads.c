// SPDX-License-Identifier: Apache-2.0
// track_threads.c: a tracker from four threads at once, for ThreadSanitizer: each has memory that
// it computes with and memory that it shares a page with its neighbours'; one forks. Arguments:
// writes or full, the back end.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "semcache/track.h"

enum { THREADS = 4, BYTES = 7 * 4096 + 200, TIMES = 200 };

static gmmu_track *track;
static unsigned char *memory;
static unsigned seen[THREADS];

static void each(void *context, const gmmu_track_change *c) {
    const uint64_t base = (uintptr_t)memory;
    (void)context;
    // the byte that each thread writes after its call
    for (unsigned k = 0; k < THREADS; k++)
        if (c->writes && c->start <= base + k * BYTES + 9000 && base + k * BYTES + 9000 <= c->last)
            (void)__atomic_fetch_add(&seen[k], 1, __ATOMIC_RELAXED);
}

static void *work(void *given) {
    const unsigned k = *(const unsigned *)given;
    unsigned char *m = memory + k * BYTES;
    const uint64_t start = (uintptr_t)m, last = start + BYTES - 1;
    for (int i = 0; i < TIMES; i++) {
        gmmu_track_open(track, start, last, true);
        memset(m, i, BYTES);
        if (!gmmu_track_arm(track, start, last, true))
            abort();
        m[9000] = (unsigned char)(i + 1);
        if (!gmmu_track_collect(track, each, NULL))
            abort();
        gmmu_track_touch(track, start, last, false, 1);
        if (i % 50 == 49)
            gmmu_track_drop(track, start, last);
        if (i % 70 == 69 && k == 0) {
            const pid_t child = fork();
            if (child == 0) {
                m[5] = 1;
                _exit(gmmu_track_has(track, start, last) ||
                      !gmmu_track_arm(track, start, last, true));
            }
            int status = 1;
            if (waitpid(child, &status, 0) != child || status != 0)
                abort();
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    gmmu_track_config c = {.mode = argc > 1 && strcmp(argv[1], "full") == 0 ? GMMU_SEM_FULL
                                                                            : GMMU_SEM_WRITES};
    gmmu_error err;
    if (argc < 3 || !gmmu_track_backend_by_name(argv[2], &c.backend))
        return 2;
    track = gmmu_track_create(&c, &err);
    memory =
        mmap(NULL, THREADS * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (track == NULL || memory == MAP_FAILED)
        return 2;
    pthread_t thread[THREADS];
    unsigned which[THREADS];
    for (unsigned k = 0; k < THREADS; k++) {
        which[k] = k;
        if (pthread_create(&thread[k], NULL, work, &which[k]) != 0)
            abort();
    }
    for (unsigned k = 0; k < THREADS; k++) (void)pthread_join(thread[k], NULL);
    gmmu_track_drop(track, 0, UINT64_MAX);
    gmmu_track_destroy(track);
    // each store is seen by whoever collects first; twice, if that was between a fault and its
    // store
    for (unsigned k = 0; k < THREADS; k++)
        if (seen[k] < TIMES)
            printf("thread %u: %u of %d stores seen\n", k, seen[k], TIMES);
    printf("done\n");
    return 0;
}
