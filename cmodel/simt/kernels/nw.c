// SPDX-License-Identifier: Apache-2.0
// nw.c: Needleman-Wunsch alignment of two sequences, the two grids of Rodinia's nw.
//
//   score[i][j] = max(score[i-1][j-1] + similar[i][j], score[i][j-1] - gap, score[i-1][j] - gap)
//
// A block is a square of SIDE x SIDE scores: it loads the square's similarities and the scores
// above and to the left into shared memory, computes one diagonal after the other, with a barrier
// behind each, and stores the square. A launch is a diagonal of blocks: kernel 1 those up to the
// longest one, kernel 2 the others. SIDE is --block, at most 64: with 64, a thread makes 3 + 2 * 64
// accesses at most in a launch, and 64 * 131 = 8384 in kernel 1's launches for a matrix of 4096,
// the L of RDGC's Table 4. Rodinia's own default is 16.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { MOST = 64, LETTERS = 20, GAP = 10 };

// Memory instructions, in order.
enum {
    LOAD_CORNER,
    LOAD_SIMILAR,
    LOAD_WEST,
    LOAD_NORTH,
    STORE,
    KERNEL_2,
    LOAD_SIMILAR_2 = KERNEL_2,
    LOAD_CORNER_2,
    LOAD_WEST_2,
    LOAD_NORTH_2,
    STORE_2
};

typedef struct {
    uint64_t n;
    uint64_t pitch;  // of the matrices, with a row and a column 0
    uint64_t seed;
    unsigned side;    // of a block
    uint64_t blocks;  // side by side
    uint64_t launches;
    uint64_t done;  // scores
    const gmmu_array *similar, *score;
} nw;

typedef struct {
    WARP_STATE;
    unsigned k;  // row or diagonal of the block
    int32_t value[GMMU_WARP];
} regs;

// Where a block lies, and how much of it is in the matrix.
typedef struct {
    uint64_t first;  // its upper left score's element
    unsigned width, height;
} place;

// Similarities of letters: symmetric, and equal letters are similar.
static void make_table(int32_t table[LETTERS][LETTERS], uint64_t *random) {
    for (unsigned a = 0; a < LETTERS; a++) {
        for (unsigned b = 0; b < a; b++)
            table[a][b] = table[b][a] = (int32_t)(gmmu_simt_random(random) % 8) - 4;
        table[a][a] = (int32_t)(gmmu_simt_random(random) % 6) + 4;
    }
}

static unsigned letter(uint64_t *random) {
    return (unsigned)(gmmu_simt_random(random) % LETTERS);
}

static void *nw_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t pitch = n + 1;
    uint64_t random = p->seed;
    nw *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "nw: no memory");
        return NULL;
    }
    s->n = n;
    s->pitch = pitch;
    s->seed = p->seed;
    s->side = p->block < MOST ? p->block : MOST;
    s->blocks = (n + s->side - 1) / s->side;
    unsigned *across = malloc(pitch * sizeof *across);
    if (across == NULL)
        snprintf(err->text, sizeof err->text, "nw: no memory");
    if (across == NULL ||
        (s->similar = gmmu_space_alloc(space, "similar", pitch * pitch, sizeof(int32_t), err)) ==
            NULL ||
        (s->score = gmmu_space_alloc(space, "score", pitch * pitch, sizeof(int32_t), err)) ==
            NULL) {
        free(across);
        free(s);
        return NULL;
    }
    int32_t table[LETTERS][LETTERS];
    int32_t *similar = s->similar->data;
    int32_t *score = s->score->data;
    make_table(table, &random);
    for (uint64_t j = 1; j <= n; j++) across[j] = letter(&random);
    for (uint64_t i = 1; i <= n; i++) {
        unsigned down = letter(&random);
        for (uint64_t j = 1; j <= n; j++) similar[i * pitch + j] = table[down][across[j]];
        score[i] = score[i * pitch] = -GAP * (int32_t)i;
    }
    free(across);
    return s;
}

static bool nw_launch(void *self, gmmu_simt_grid *grid) {
    nw *s = self;
    uint64_t launch = ++s->launches;
    *grid = (gmmu_simt_grid){
        .blocks = launch <= s->blocks ? launch : 2 * s->blocks - launch,
        .threads = s->side,
        .shared = ((s->side + 1) * (s->side + 1) + s->side * s->side) * sizeof(int32_t)};
    return launch < 2 * s->blocks;
}

static place place_of(const nw *s, uint64_t block) {
    bool first = s->launches <= s->blocks;
    uint64_t x = first ? block : block + s->launches - s->blocks;
    uint64_t y = first ? s->launches - 1 - block : s->blocks - 1 - block;
    uint64_t right = s->n - x * s->side;
    uint64_t down = s->n - y * s->side;
    return (place){.first = (y * s->side + 1) * s->pitch + x * s->side + 1,
                   .width = right < s->side ? (unsigned)right : s->side,
                   .height = down < s->side ? (unsigned)down : s->side};
}

// Thread T's score on diagonal K of the block: in shared memory, as the block's row.
static void compute(const nw *s, const place *b, int32_t *score, const int32_t *similar, unsigned t,
                    unsigned k) {
    if (t > k || k - t >= b->height || t >= b->width)
        return;
    unsigned pitch = s->side + 1;
    int32_t *at = score + (size_t)(k - t + 1) * pitch + t + 1;
    int32_t best = at[-(ptrdiff_t)pitch - 1] + similar[(size_t)(k - t) * s->side + t];
    int32_t gap = (at[-1] > at[-(ptrdiff_t)pitch] ? at[-1] : at[-(ptrdiff_t)pitch]) - GAP;
    *at = gap > best ? gap : best;
}

static gmmu_simt_event nw_step(void *self, const gmmu_simt_warp *w, void *registers,
                               gmmu_simt_op *op) {
    nw *s = self;
    regs *r = registers;
    const place b = place_of(s, w->block);
    const bool first = s->launches <= s->blocks;
    const unsigned side = s->side;
    int32_t *score = w->shared;  // a row and a column more than the square
    int32_t *similar = score + (size_t)(side + 1) * (side + 1);
    WARP_BEGIN;
    if (first) {
        IF(TID == 0) {
            LD(LOAD_CORNER, s->score, b.first - s->pitch - 1, r->value);
            EACH score[0] = r->value[lane];
        }
        ENDIF;
    }
    IF(TID < b.width) {
        for (r->k = 0; r->k < b.height; r->k++) {
            LD(first ? LOAD_SIMILAR : LOAD_SIMILAR_2, s->similar, b.first + r->k * s->pitch + TID,
               r->value);
            EACH similar[r->k * side + TID] = r->value[lane];
        }
    }
    ENDIF;
    SYNC;
    if (!first) {
        IF(TID == 0) {
            LD(LOAD_CORNER_2, s->score, b.first - s->pitch - 1, r->value);
            EACH score[0] = r->value[lane];
        }
        ENDIF;
    }
    IF(TID < b.height) {
        LD(first ? LOAD_WEST : LOAD_WEST_2, s->score, b.first + TID * s->pitch - 1, r->value);
        EACH score[(size_t)(TID + 1) * (side + 1)] = r->value[lane];
    }
    ENDIF;
    SYNC;
    IF(TID < b.width) {
        LD(first ? LOAD_NORTH : LOAD_NORTH_2, s->score, b.first - s->pitch + TID, r->value);
        EACH score[TID + 1] = r->value[lane];
    }
    ENDIF;
    SYNC;
    for (r->k = 0; r->k < 2 * side - 1; r->k++) {
        EACH compute(s, &b, score, similar, TID, r->k);
        SYNC;
    }
    IF(TID < b.width) {
        for (r->k = 0; r->k < b.height; r->k++) {
            ST(first ? STORE : STORE_2, s->score, int32_t, b.first + r->k * s->pitch + TID,
               score[(r->k + 1) * (side + 1) + TID + 1]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

static double nw_progress(const void *self) {
    const nw *s = self;
    return (double)s->done / ((double)s->n * (double)s->n);
}

// The plain implementation: row by row, the sequences made again.
static int nw_check(const void *self, gmmu_error *err) {
    const nw *s = self;
    const int32_t *found = s->score->data;
    uint64_t n = s->n;
    uint64_t random = s->seed;
    int32_t table[LETTERS][LETTERS];
    int rc = GMMU_OK;
    int32_t *row = calloc(s->pitch, sizeof *row);
    unsigned *across = calloc(s->pitch, sizeof *across);
    if (row == NULL || across == NULL) {
        snprintf(err->text, sizeof err->text, "nw: no memory for the check");
        rc = GMMU_SIMT_NO_MEMORY;
        goto done;
    }
    make_table(table, &random);
    for (uint64_t j = 1; j <= n; j++) across[j] = letter(&random);
    for (uint64_t i = 0; i <= n; i++) {
        unsigned down = i > 0 ? letter(&random) : 0;
        int32_t corner = row[0];
        row[0] = -GAP * (int32_t)i;
        for (uint64_t j = 1; j <= n; j++) {
            int32_t above = row[j];
            if (i == 0) {
                row[j] = -GAP * (int32_t)j;
                continue;
            }
            row[j] = corner + table[down][across[j]];
            if (row[j] < row[j - 1] - GAP)
                row[j] = row[j - 1] - GAP;
            if (row[j] < above - GAP)
                row[j] = above - GAP;
            corner = above;
        }
        for (uint64_t j = 0; j <= n; j++) {
            if (found[i * s->pitch + j] != row[j]) {
                snprintf(err->text, sizeof err->text,
                         "nw: score[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32,
                         i * s->pitch + j, found[i * s->pitch + j], row[j]);
                rc = GMMU_BAD;
                goto done;
            }
        }
    }
done:
    free(row);
    free(across);
    return rc;
}

static const gmmu_array *nw_result(const void *self) {
    return ((const nw *)self)->score;
}

const gmmu_simt_kernel gmmu_simt_nw = {.name = "nw",
                                       .size_text = "letters of each of the two sequences",
                                       .default_size = 1500,
                                       .max_size = 32768,
                                       .regs = sizeof(regs),
                                       .create = nw_create,
                                       .destroy = free,
                                       .launch = nw_launch,
                                       .step = nw_step,
                                       .progress = nw_progress,
                                       .check = nw_check,
                                       .result = nw_result,
                                       .folds = true};
