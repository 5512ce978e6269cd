// SPDX-License-Identifier: Apache-2.0
// runs.c: a trace in memory, and runs of policies over it in threads.
#include <stdio.h>
#include <stdlib.h>

#include "mrc/mrc.h"
#include "pool/pool.h"

typedef struct gmmu_kept_walk kept_walk;

int gmmu_kept_add(gmmu_kept_trace *kept, uint32_t page, const gmmu_walk *walk) {
    if (kept->refs == NULL) {
        kept->refs = gmmu_pages_create();
    }
    if (kept->count == kept->cap) {
        uint64_t cap = kept->cap == 0 ? 4096 : kept->cap * 2;
        kept_walk *walks = gmmu_grow(kept->walks, kept->cap, cap, sizeof *walks, 0);
        if (walks == NULL) {
            return GMMU_BAD;
        }
        kept->walks = walks;
        kept->cap = cap;
    }
    uint32_t ref = kept->refs == NULL ? GMMU_NO_PAGE : gmmu_pages_index(kept->refs, 0, walk->ref);
    if (ref == GMMU_NO_PAGE) {
        return GMMU_BAD;
    }
    kept->walks[kept->count++] = (kept_walk){.vpn = walk->vpn,
                                             .page = page,
                                             .ref = ref,
                                             .asid = walk->asid,
                                             .sm = walk->sm,
                                             .write = walk->write};
    return GMMU_OK;
}

void gmmu_kept_free(gmmu_kept_trace *kept) {
    free(kept->walks);
    gmmu_pages_destroy(kept->refs);
    *kept = (gmmu_kept_trace){0};
}

static void run_one(const gmmu_kept_trace *kept, gmmu_run *run) {
    gmmu_sim *sim = gmmu_sim_create(run->policy, &run->config, &run->err);
    run->status = sim == NULL ? GMMU_BAD : GMMU_OK;
    enum { PART = 64 };
    for (uint64_t i = 0; i < kept->count && run->status == GMMU_OK; i++) {
        if (i % PART == 0 && run->stop != NULL && run->stop(run->context)) {
            (void)snprintf(run->err.text, sizeof run->err.text, "stopped");
            run->status = GMMU_BAD;
            break;
        }
        const kept_walk *k = &kept->walks[i];
        gmmu_walk walk = {.vpn = k->vpn,
                          .ref = gmmu_pages_number(kept->refs, k->ref),
                          .asid = k->asid,
                          .sm = k->sm,
                          .write = k->write};
        gmmu_outcome out;
        run->status = gmmu_sim_access(sim, k->page, &walk, &out, &run->err);
    }
    if (run->status == GMMU_OK) {
        run->counts = gmmu_sim_counts(sim);
    }
    gmmu_sim_destroy(sim);
}

typedef struct {
    const gmmu_kept_trace *kept;
    gmmu_run *runs;
} work;

static void task(void *context, size_t i) {
    const work *w = context;
    run_one(w->kept, &w->runs[i]);
}

int gmmu_runs(const gmmu_kept_trace *kept, gmmu_run *runs, size_t count, unsigned threads,
              gmmu_error *err) {
    work w = {.kept = kept, .runs = runs};
    gmmu_pool *pool = gmmu_pool_create(count < threads ? (unsigned)count : threads);
    gmmu_pool_run(pool, task, &w, count);
    gmmu_pool_destroy(pool);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].status != GMMU_OK) {
            *err = runs[i].err;
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}
