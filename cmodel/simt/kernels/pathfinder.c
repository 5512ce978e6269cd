// SPDX-License-Identifier: Apache-2.0
// pathfinder.c: cheapest paths down a wall of numbers, the grid of Rodinia's pathfinder.
//
//   cost[row + 1][x] = wall[row][x] + min(cost[row][x - 1], cost[row][x], cost[row][x + 1])
//
// A grid goes down `height` rows: a block loads its columns' costs and as many columns more at each
// side as it goes rows down (ghost zones), keeps the costs in shared memory, and has a column less
// at each side to compute in every row, until just its own are left, which it stores.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ROWS = 100, HEIGHT = 20, MOST = 1 << 16 };  // rows, those of a grid, unless chosen
enum { LOAD_COST, LOAD_WALL, STORE_COST };

typedef struct {
    uint64_t columns;
    uint64_t seed;
    unsigned block;
    unsigned depth;   // rows of the wall, with that of the first costs
    unsigned height;  // rows that a grid goes down; the last one perhaps less
    unsigned row;     // where this grid begins
    unsigned rows;    // that it goes down
    unsigned grids;   // launched so far
    uint64_t done;    // costs
    const gmmu_array *wall, *cost[2];
} pathfinder;

typedef struct {
    WARP_STATE;
    unsigned i;
    bool on[GMMU_WARP];  // the column is one of the wall's
    uint64_t column[GMMU_WARP];
    int32_t value[GMMU_WARP];
} regs;

static int32_t number(uint64_t *random) {
    return (int32_t)(gmmu_simt_random(random) % 10);
}

static void *pathfinder_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t random = p->seed;
    pathfinder *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "pathfinder: no memory");
        return NULL;
    }
    s->columns = n;
    s->seed = p->seed;
    s->block = p->block < 3 ? 3 : p->block;
    s->depth = p->depth;
    unsigned height = HEIGHT;
    if (p->launches != 0)
        height = (s->depth - 1 + p->launches - 1) / p->launches;
    s->height = s->block > 2 * height ? height : (s->block - 1) / 2;
    if ((s->wall = gmmu_space_alloc(space, "wall", n * (s->depth - 1), sizeof(int32_t), err)) ==
            NULL ||
        (s->cost[0] = gmmu_space_alloc(space, "cost0", n, sizeof(int32_t), err)) == NULL ||
        (s->cost[1] = gmmu_space_alloc(space, "cost1", n, sizeof(int32_t), err)) == NULL) {
        free(s);
        return NULL;
    }
    int32_t *cost = s->cost[0]->data;
    int32_t *wall = s->wall->data;
    for (uint64_t i = 0; i < n; i++) cost[i] = number(&random);
    for (uint64_t i = 0; i < n * (s->depth - 1); i++) wall[i] = number(&random);
    return s;
}

static bool pathfinder_launch(void *self, gmmu_simt_grid *grid) {
    pathfinder *s = self;
    unsigned own = s->block - 2 * s->height;
    s->row += s->rows;
    unsigned left = s->depth - 1 - s->row;
    s->rows = left < s->height ? left : s->height;
    *grid = (gmmu_simt_grid){.blocks = (s->columns + own - 1) / own,
                             .threads = s->block,
                             .shared = sizeof(int32_t) * 2 * s->block};
    s->grids += left > 0;
    return left > 0;
}

// Whether thread T of its block, in LANE, computes a cost in this row.
static bool computes(const pathfinder *s, const regs *r, unsigned lane, unsigned t) {
    return r->on[lane] && t > r->i && t + r->i + 1 < s->block;
}

static gmmu_simt_event pathfinder_step(void *self, const gmmu_simt_warp *w, void *registers,
                                       gmmu_simt_op *op) {
    pathfinder *s = self;
    regs *r = registers;
    const gmmu_array *from = s->cost[(s->grids - 1) % 2];
    const gmmu_array *to = s->cost[s->grids % 2];
    int32_t *prev = w->shared;
    int32_t *result = prev + s->block;
    WARP_BEGIN;
    EACH {
        // The source's: a grid of fewer rows computes more columns a block, of which the last
        // blocks then have none; the first block begins HEIGHT columns before the wall.
        uint64_t thread = BID * (s->block - 2 * s->rows) + TID;
        r->column[lane] = thread - s->height;
        r->on[lane] = thread >= s->height && r->column[lane] < s->columns;
    }
    IF(r->on[lane]) {
        LD(LOAD_COST, from, r->column[lane], r->value);
        EACH prev[TID] = r->value[lane];
    }
    ENDIF;
    SYNC;
    for (r->i = 0;; r->i++) {
        IF(computes(s, r, lane, TID)) {
            LD(LOAD_WALL, s->wall, (s->row + r->i) * s->columns + r->column[lane], r->value);
            EACH {
                int32_t least = prev[TID];
                int32_t west = prev[TID - (r->column[lane] > 0)];
                int32_t east = prev[TID + (r->column[lane] < s->columns - 1)];
                least = west < least ? west : least;
                least = east < least ? east : least;
                result[TID] = r->value[lane] + least;
            }
        }
        ENDIF;
        SYNC;
        if (r->i == s->rows - 1)
            break;
        IF(computes(s, r, lane, TID)) {
            EACH prev[TID] = result[TID];
        }
        ENDIF;
        SYNC;
    }
    IF(computes(s, r, lane, TID)) {
        ST(STORE_COST, to, int32_t, r->column[lane], result[TID]);
        s->done += (uint64_t)s->rows * lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static double pathfinder_progress(const void *self) {
    const pathfinder *s = self;
    return (double)s->done / ((s->depth - 1.0) * (double)s->columns);
}

// The plain implementation: row by row, the numbers made again.
static int pathfinder_check(const void *self, gmmu_error *err) {
    const pathfinder *s = self;
    const int32_t *found = s->cost[s->grids % 2]->data;
    uint64_t n = s->columns;
    uint64_t random = s->seed;
    int rc = GMMU_OK;
    int32_t *cost = malloc(n * sizeof *cost);
    if (cost == NULL) {
        snprintf(err->text, sizeof err->text, "pathfinder: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t x = 0; x < n; x++) cost[x] = number(&random);
    for (unsigned row = 1; row < s->depth; row++) {
        int32_t west = cost[0];  // as it was before this row
        for (uint64_t x = 0; x < n; x++) {
            int32_t here = cost[x];
            int32_t least = west < here ? west : here;
            if (x + 1 < n && cost[x + 1] < least)
                least = cost[x + 1];
            cost[x] = least + number(&random);
            west = here;
        }
    }
    for (uint64_t x = 0; rc == GMMU_OK && x < n; x++) {
        if (found[x] != cost[x]) {
            snprintf(err->text, sizeof err->text,
                     "pathfinder: cost[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32, x,
                     found[x], cost[x]);
            rc = GMMU_BAD;
        }
    }
    free(cost);
    return rc;
}

static const gmmu_array *pathfinder_result(const void *self) {
    const pathfinder *s = self;
    return s->cost[s->grids % 2];
}

const gmmu_simt_kernel gmmu_simt_pathfinder = {.name = "pathfinder",
                                               .size_text = "columns of the wall, of 100 rows",
                                               .default_size = 20000,
                                               .max_size = 1 << 24,
                                               .regs = sizeof(regs),
                                               .create = pathfinder_create,
                                               .destroy = free,
                                               .launch = pathfinder_launch,
                                               .step = pathfinder_step,
                                               .progress = pathfinder_progress,
                                               .check = pathfinder_check,
                                               .result = pathfinder_result,
                                               .launches = {0, MOST},
                                               .depth = {ROWS, MOST}};
