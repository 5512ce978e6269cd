// SPDX-License-Identifier: Apache-2.0
// split_states.c: split_states TRACE...: what a directory of the states of `split` would have to
// hold, for docs/reference/blocks/range_dir.md. A row for each .sem trace, which is played as by
// `gmmu semcache --protocol split` and looked at every 97 events; the largest numbers.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "semcache/play.h"
#include "semcache/runtime.h"
#include "semcache/trace.h"

enum { EVERY = 97 };

static uint64_t most(uint64_t x, uint64_t y) {
    return x > y ? x : y;
}

static void play(gmmu_sem *s, const gmmu_sem_event *e) {
    switch (e->kind) {
        case GMMU_SEM_CALL:
            if (gmmu_sem_begin(s, e->site, e->operand, e->operands, NULL))
                gmmu_sem_end(s, e->operand, e->operands);
            break;
        case GMMU_SEM_CPU:
            for (uint32_t i = 0; i < e->operands; i++) gmmu_sem_cpu(s, e->operand[i]);
            break;
        case GMMU_SEM_MEMO:  // (a recording of GMMU_MEMO; results are no records)
            break;
        default:
            gmmu_sem_free(s, e->operand[0]);
            break;
    }
}

static void look_at(const char *path) {
    gmmu_error err = {""};
    gmmu_sem_protocol split;
    gmmu_sem_config config = {.limit = UINT64_C(16) << 30, .split = true};
    const gmmu_sem_gpu nobody = {0};
    gmmu_split_census is, largest = {0};
    uint64_t events = 0, calls = 0, runs = 0;
    gmmu_sem_event e;
    int status;
    gmmu_sem_reader *r = gmmu_sem_open(path, &err);
    if (r != NULL && gmmu_sem_protocol_of("split", &split))
        config.grain = split.page;
    gmmu_sem *s = r == NULL ? NULL : gmmu_sem_create(&config, &nobody);
    while (s != NULL && (status = gmmu_sem_next(r, &e, &err)) == GMMU_OK) {
        play(s, &e);
        calls += e.kind == GMMU_SEM_CALL;
        for (uint32_t i = 0; i < e.operands && e.kind == GMMU_SEM_CALL; i++)
            runs = most(runs, gmmu_sem_runs(&e.operand[i]));
        if (++events % EVERY != 0)
            continue;
        is = gmmu_sem_census(s);
        largest.runs = most(largest.runs, is.runs);
        largest.records = most(largest.records, is.records);
        largest.mixed = most(largest.mixed, is.mixed);
    }
    if (s == NULL || status != GMMU_END) {
        (void)fprintf(stderr, "split_states: %s\n",
                      err.text[0] == 0 ? "found no memory" : err.text);
        exit(2);
    }
    (void)printf("| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n",
                 path, calls, largest.runs, largest.records, largest.mixed, runs);
    gmmu_sem_destroy(s);
    gmmu_sem_close(r);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fprintf(stderr, "split_states: found no trace, expected files of .sem\n");
        return 2;
    }
    (void)printf(
        "| trace | calls | runs | places | pages of several states | runs of an operand |\n"
        "|---|---|---|---|---|---|\n");
    for (int i = 1; i < argc; i++) look_at(argv[i]);
    return 0;
}
