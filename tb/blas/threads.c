// SPDX-License-Identifier: Apache-2.0
// threads.c: the recorder from four threads at once, for ThreadSanitizer: calls, sites, memory that
// is freed, factorisations whose contents are kept, and the report while others go on. Arguments: a
// trace, and if the program's own accesses are to be found, GMMU_TRACK and the back end.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/recorder.h"

static gmmu_blas_recorder *recorder;

static void *calls(void *given) {
    const int which = *(const int *)given;
    for (int i = 0; i < 1000; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "thread%d+%d", which % 2, i % 10);
        gmmu_blas_site *site = gmmu_blas_recorder_site(recorder, name, "dgemm_");
        const size_t bytes = 8192;
        double *memory = malloc(bytes);
        if (site == NULL || memory == NULL)
            abort();
        gmmu_blas_recorder_came(recorder, (uint64_t)(uintptr_t)memory,
                                (uint64_t)(uintptr_t)memory + bytes - 1);
        memory[i % 192] = i;
        const gmmu_blas_call call = {.family = GMMU_BLAS_GEMM,
                                     .type = 'd',
                                     .trans = 'N',
                                     .trans_b = 'N',
                                     .m = 8,
                                     .n = 8,
                                     .k = 8,
                                     .lda = 8,
                                     .ldb = 8,
                                     .ldc = 8,
                                     .a = memory,
                                     .b = memory + 64,
                                     .c = memory + 128};
        gmmu_blas_call small = call;
        small.m = 1;
        gmmu_blas_record record;
        gmmu_blas_recorder_begin(recorder, site, &small, &record);
        gmmu_blas_recorder_end(recorder, &record);
        gmmu_blas_recorder_begin(recorder, site, &call, &record);
        gmmu_blas_recorder_end(recorder, &record);
        // a content of ten, which the factorisation overwrites
        for (int k = 0; k < 64; k++) memory[k] = i % 10 + k;
        const gmmu_blas_call factors = {.family = GMMU_BLAS_GETRF,
                                        .type = 'd',
                                        .integer = 4,
                                        .m = 8,
                                        .n = 8,
                                        .lda = 8,
                                        .a = memory,
                                        .pivots = memory + 64};
        gmmu_blas_recorder_begin(recorder, site, &factors, &record);
        memory[i % 64] = which;
        gmmu_blas_recorder_end(recorder, &record);
        gmmu_blas_recorder_freed(recorder, (uint64_t)(uintptr_t)memory,
                                 (uint64_t)(uintptr_t)memory + bytes - 1);
        free(memory);
    }
    return NULL;
}

int main(int argc, char **argv) {
    gmmu_blas_settings s = {
        .trace = argc > 1 ? argv[1] : NULL, .report = "/dev/null", .memo = 1, .least = 5};
    if (argc > 3) {
        s.track = strcmp(argv[2], "full") == 0 ? GMMU_SEM_FULL : GMMU_SEM_WRITES;
        if (!gmmu_track_backend_by_name(argv[3], &s.backend))
            return 2;
    }
    recorder = gmmu_blas_recorder_create(&s);
    pthread_t thread[4];
    int which[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, calls, &which[i]) != 0)
            abort();
    for (int i = 0; i < 4; i++) (void)pthread_join(thread[i], NULL);
    gmmu_blas_recorder_finish(recorder);
    gmmu_blas_recorder_destroy(recorder);
    gmmu_error err;
    gmmu_sem_event e;
    unsigned count = 0;
    gmmu_sem_reader *r = gmmu_sem_open(argv[1], &err);
    while (r != NULL && gmmu_sem_next(r, &e, &err) == GMMU_OK) count += e.kind == GMMU_SEM_CALL;
    gmmu_sem_close(r);
    printf("%u calls recorded\n", count);
    return 0;
}
