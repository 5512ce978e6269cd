// SPDX-License-Identifier: Apache-2.0
// dwt2d.c: wavelet transform of a picture, the grids of Rodinia's dwt2d (reversible 5/3, integers).
//
//   copy:       red, green and blue bytes -> three planes of integers, less 128
//   transform:  of a plane, LEVELS times, each time of the quarter that the last one left:
//               columns, then rows; odd points: less the mean of the two neighbours, rounded; even
//               points: plus a quarter of the two neighbours then, rounded
//
// A block of the transform is a strip of the plane: a thread loads its column, HEIGHT points at a
// time, into shared memory (three threads load the three columns beside the strip, too), transforms
// them, keeps the last three for the next window, and, after a barrier, the block transforms the
// window's rows and stores them: the four bands lie one behind the other. At the plane's border
// points are mirrored. The blocks' widths (64, 128, 192) and heights are the source's, whatever
// --block says; the host copies the quarter between two levels.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { PLANES = 3, LEVELS = 3, HEIGHT = 8, ROWS = HEIGHT + 3, MOST = 15 * HEIGHT, COPY = 256 };
enum { WORDS = COPY * PLANES / 4 };  // of the bytes that a block copies
enum { BESIDE = 2 };  // columns in shared memory left of the strip; right of it there is one

// Memory instructions, in order.
enum {
    COPY_LOAD,
    COPY_STORE,
    LOAD_FIRST = COPY_STORE + PLANES,
    LOAD_FIRST_BESIDE,
    LOAD_NEXT,
    LOAD_NEXT_BESIDE,
    STORE_LOW,
    STORE_HIGH
};

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    uint64_t all;
    // this grid's
    unsigned plane;
    uint64_t width, height;  // of what it transforms
    int64_t strip;           // width of a block
    uint64_t across;         // blocks side by side
    uint64_t windows;  // of a block: so many that there are 15 blocks or less below each other
    const gmmu_array *bytes, *in[PLANES], *out[PLANES];
} dwt2d;

typedef struct {
    WARP_STATE;
    int i;
    int64_t y;                                 // of the window
    uint64_t x[GMMU_WARP], beside[GMMU_WARP];  // columns to load
    int64_t column[GMMU_WARP];                 // of the strip, to transform and store
    int32_t kept[3][GMMU_WARP], kept_beside[3][GMMU_WARP];
    int32_t value[GMMU_WARP];
    uint32_t word[GMMU_WARP];
} regs;

static unsigned byte(uint64_t *random) {
    return (unsigned)(gmmu_simt_random(random) >> 56);
}

static void *dwt2d_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    static const char *const in[PLANES] = {"red", "green", "blue"};
    static const char *const out[PLANES] = {"red_bands", "green_bands", "blue_bands"};
    uint64_t points = p->size * p->size;
    uint64_t random = p->seed;
    uint64_t words = (points + COPY - 1) / COPY * WORDS;
    dwt2d *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "dwt2d: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    for (uint64_t side = s->n, level = 0; level < LEVELS; level++, side = (side + 1) / 2)
        s->all += PLANES * side * side;
    bool ok = (s->bytes = gmmu_space_alloc(space, "bytes", words, sizeof(uint32_t), err)) != NULL;
    for (unsigned i = 0; ok && i < PLANES; i++)
        ok = (s->in[i] = gmmu_space_alloc(space, in[i], points, sizeof(int32_t), err)) != NULL &&
             (s->out[i] = gmmu_space_alloc(space, out[i], points, sizeof(int32_t), err)) != NULL;
    if (!ok) {
        free(s);
        return NULL;
    }
    uint32_t *word = s->bytes->data;
    for (uint64_t i = 0; i < points * PLANES; i++) word[i / 4] |= byte(&random) << i % 4 * 8;
    return s;
}

static bool dwt2d_launch(void *self, gmmu_simt_grid *grid) {
    dwt2d *s = self;
    unsigned number = s->grids++;
    if (number == 0) {
        *grid = (gmmu_simt_grid){.blocks = (s->n * s->n + COPY - 1) / COPY,
                                 .threads = COPY,
                                 .shared = sizeof(uint32_t) * WORDS};
        return true;
    }
    if (number > PLANES * LEVELS)
        return false;
    s->plane = (number - 1) / LEVELS;
    if ((number - 1) % LEVELS == 0) {
        s->width = s->height = s->n;
    } else {
        s->width = (s->width + 1) / 2;
        s->height = (s->height + 1) / 2;
        memcpy(s->in[s->plane]->data, s->out[s->plane]->data,
               s->width * s->height * sizeof(int32_t));
    }
    s->strip = s->width >= 960 ? 192 : s->width >= 480 ? 128 : 64;
    s->across = (s->width + (uint64_t)s->strip - 1) / (uint64_t)s->strip;
    s->windows = (s->height + MOST - 1) / MOST;
    *grid = (gmmu_simt_grid){
        .blocks = s->across * ((s->height + s->windows * HEIGHT - 1) / (s->windows * HEIGHT)),
        .threads = (unsigned)s->strip,
        .shared = sizeof(int32_t) * ROWS * ((size_t)s->strip + BESIDE + 1)};
    return true;
}

static gmmu_simt_event copy(dwt2d *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint32_t *words = w->shared;
    WARP_BEGIN;
    IF(TID < WORDS) {
        LD(COPY_LOAD, s->bytes, BID * WORDS + TID, r->word);
        EACH words[TID] = r->word[lane];
    }
    ENDIF;
    SYNC;
    IF(GID < s->n * s->n) {
        for (r->i = 0; r->i < PLANES; r->i++) {
            EACH {
                unsigned at = TID * PLANES + (unsigned)r->i;
                r->value[lane] = (int32_t)(words[at / 4] >> at % 4 * 8 & 0xff) - 128;
            }
            ST(COPY_STORE + r->i, s->in[r->i], int32_t, GID, r->value[lane]);
        }
    }
    ENDIF;
    WARP_END;
}

// The point of a line of N points that is the mirror image of point AT.
static uint64_t mirror(int64_t at, uint64_t n) {
    if (n == 1)
        return 0;
    int64_t period = 2 * (int64_t)n - 2;
    at = (at % period + period) % period;
    return (uint64_t)(at < (int64_t)n ? at : period - at);
}

// Transforms a line of points STRIDE apart: the odd ones from point 1 to the last but one, the even
// ones between them.
static void lift_column(int32_t *at, int64_t stride) {
    for (int64_t i = 1; i < ROWS - 1; i += 2)
        at[i * stride] -= (at[(i - 1) * stride] + at[(i + 1) * stride]) / 2;
    for (int64_t i = 2; i < ROWS - 2; i += 2)
        at[i * stride] += (at[(i - 1) * stride] + at[(i + 1) * stride] + 2) / 4;
}

// The three points kept of a column, to its window's top.
static void begin_column(int32_t *at, int64_t stride, int32_t kept[3][GMMU_WARP], unsigned lane) {
    for (unsigned i = 0; i < 3; i++) at[i * stride] = kept[i][lane];
}

// Keeps the last three of a column and transforms it.
static void end_column(int32_t *at, int64_t stride, int32_t kept[3][GMMU_WARP], unsigned lane) {
    for (int64_t i = 0; i < 3; i++) kept[i][lane] = at[(HEIGHT + i) * stride];
    lift_column(at, stride);
}

// Where the coefficient of point (x, y) goes.
static uint64_t band(const dwt2d *s, uint64_t x, uint64_t y) {
    uint64_t low_x = (s->width + 1) / 2;
    uint64_t low_y = (s->height + 1) / 2;
    uint64_t at = y % 2 == 0 ? 0 : s->width * low_y;
    if (x % 2 == 0)
        return at + y / 2 * low_x + x / 2;
    at += low_x * (y % 2 == 0 ? low_y : s->height / 2);
    return at + y / 2 * (s->width / 2) + x / 2;
}

// The column of the strip that thread T takes beside its own.
static int64_t beside(const dwt2d *s, unsigned t) {
    return t == 0 ? s->strip : (int64_t)t - 3;
}

static gmmu_simt_event transform(dwt2d *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const gmmu_array *in = s->in[s->plane];
    const gmmu_array *out = s->out[s->plane];
    const int64_t stride = s->strip + BESIDE + 1;
    const int64_t left = (int64_t)(w->block % s->across) * s->strip;
    const int64_t top = (int64_t)(w->block / s->across * s->windows * HEIGHT);
    int32_t *buffer = (int32_t *)w->shared + BESIDE;
    WARP_BEGIN;
    EACH r->x[lane] = mirror(left + TID, s->width);
    for (r->i = 0; r->i < 3; r->i++) {
        // The topmost blocks mirror these rows themselves: 0, 1, 2 for 0, -1, -2.
        LD(LOAD_FIRST, in,
           mirror(top > 0 ? top - 2 + r->i : r->i, s->height) * s->width + r->x[lane], r->value);
        EACH r->kept[top > 0 ? r->i : 2 - r->i][lane] = r->value[lane];
    }
    IF(TID < 3) {
        EACH r->beside[lane] = mirror(left + beside(s, TID), s->width);
        for (r->i = 0; r->i < 3; r->i++) {
            LD(LOAD_FIRST_BESIDE, in,
               mirror(top > 0 ? top - 2 + r->i : r->i, s->height) * s->width + r->beside[lane],
               r->value);
            EACH r->kept_beside[top > 0 ? r->i : 2 - r->i][lane] = r->value[lane];
        }
    }
    ENDIF;
    for (r->y = top; r->y < top + (int64_t)s->windows * HEIGHT; r->y += HEIGHT) {
        EACH begin_column(buffer + TID, stride, r->kept, lane);
        for (r->i = 0; r->i < HEIGHT; r->i++) {
            LD(LOAD_NEXT, in, mirror(r->y + 1 + r->i, s->height) * s->width + r->x[lane], r->value);
            EACH buffer[(r->i + 3) * stride + TID] = r->value[lane];
        }
        EACH end_column(buffer + TID, stride, r->kept, lane);
        IF(TID < 3) {
            EACH begin_column(buffer + beside(s, TID), stride, r->kept_beside, lane);
            for (r->i = 0; r->i < HEIGHT; r->i++) {
                LD(LOAD_NEXT_BESIDE, in,
                   mirror(r->y + 1 + r->i, s->height) * s->width + r->beside[lane], r->value);
                EACH buffer[(r->i + 3) * stride + beside(s, TID)] = r->value[lane];
            }
            EACH end_column(buffer + beside(s, TID), stride, r->kept_beside, lane);
        }
        ENDIF;
        SYNC;
        EACH r->column[lane] = 2 * (int64_t)TID;
        IF(r->column[lane] <= s->strip) {
            EACH {
                for (int64_t i = 2; i < 2 + HEIGHT; i++) {
                    int32_t *at = buffer + i * stride + r->column[lane] - 1;
                    at[0] -= (at[-1] + at[1]) / 2;
                }
            }
        }
        ENDIF;
        SYNC;
        IF(r->column[lane] < s->strip) {
            EACH {
                for (int64_t i = 2; i < 2 + HEIGHT; i++) {
                    int32_t *at = buffer + i * stride + r->column[lane];
                    at[0] += (at[-1] + at[1] + 2) / 4;
                }
            }
        }
        ELSE {
            EACH r->column[lane] -= s->strip - 1;  // odd columns, behind the even ones
        }
        ENDIF;
        SYNC;
        IF(left + r->column[lane] < (int64_t)s->width) {
            for (r->i = 0; r->i < HEIGHT && r->y + r->i < (int64_t)s->height; r->i++) {
                ST(r->i % 2 == 0 ? STORE_LOW : STORE_HIGH, out, int32_t,
                   band(s, (uint64_t)(left + r->column[lane]), (uint64_t)(r->y + r->i)),
                   buffer[(r->i + 2) * stride + r->column[lane]]);
                s->done += lanes_count(r->warp.mask);
            }
        }
        ENDIF;
        SYNC;
    }
    WARP_END;
}

static gmmu_simt_event dwt2d_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    dwt2d *s = self;
    return s->grids == 1 ? copy(s, w, registers, op) : transform(s, w, registers, op);
}

static double dwt2d_progress(const void *self) {
    const dwt2d *s = self;
    return (double)s->done / (double)s->all;
}

// The plain implementation: a line of N points at FROM, STRIDE apart, to the low half and the high
// half of TO.
static void plain_line(const int32_t *from, uint64_t n, uint64_t stride, int32_t *to) {
    uint64_t half = (n + 1) / 2;
    for (uint64_t i = 0; i < n / 2; i++) {
        int32_t left = from[2 * i * stride];
        int32_t right = 2 * i + 2 < n ? from[(2 * i + 2) * stride] : left;
        to[half + i] = from[(2 * i + 1) * stride] - (left + right) / 2;
    }
    for (uint64_t i = 0; i < half; i++) {
        int32_t left = n == 1 ? 0 : to[half + (i > 0 ? i - 1 : 0)];
        int32_t right = i < n / 2 ? to[half + i] : left;
        to[i] = from[2 * i * stride] + (left + right + 2) / 4;
    }
}

// One level of the plane in PLANE: a square of SIDE, all columns, then all rows, and then the four
// quarters one behind the other. LINE and SCRATCH have room for a column and for the plane.
static void plain_level(int32_t *plane, uint64_t side, int32_t *line, int32_t *scratch) {
    uint64_t half = (side + 1) / 2;
    int32_t *next = plane;
    for (uint64_t x = 0; x < side; x++) {
        plain_line(plane + x, side, side, line);
        for (uint64_t y = 0; y < side; y++) plane[y * side + x] = line[y];
    }
    for (uint64_t y = 0; y < side; y++) plain_line(plane + y * side, side, 1, scratch + y * side);
    for (unsigned quarter = 0; quarter < 4; quarter++)
        for (uint64_t y = quarter < 2 ? 0 : half; y < (quarter < 2 ? half : side); y++)
            for (uint64_t x = quarter % 2 == 0 ? 0 : half; x < (quarter % 2 == 0 ? half : side);
                 x++)
                *next++ = scratch[y * side + x];
}

static int dwt2d_check(const void *self, gmmu_error *err) {
    const dwt2d *s = self;
    uint64_t points = s->n * s->n;
    int rc = GMMU_OK;
    int32_t *all = calloc(2 * points + s->n, sizeof *all);
    if (all == NULL) {
        snprintf(err->text, sizeof err->text, "dwt2d: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (unsigned plane = 0; rc == GMMU_OK && plane < PLANES; plane++) {
        const int32_t *found = s->out[plane]->data;
        uint64_t random = s->seed;
        for (uint64_t i = 0; i < points * PLANES; i++) {
            int32_t value = (int32_t)byte(&random) - 128;
            if (i % PLANES == plane)
                all[i / PLANES] = value;
        }
        uint64_t side = s->n;
        for (unsigned level = 0; level < LEVELS; level++, side = (side + 1) / 2)
            plain_level(all, side, all + 2 * points, all + points);
        for (uint64_t i = 0; rc == GMMU_OK && i < points; i++) {
            if (found[i] != all[i]) {
                snprintf(err->text, sizeof err->text,
                         "dwt2d: %s[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32,
                         s->out[plane]->name, i, found[i], all[i]);
                rc = GMMU_BAD;
            }
        }
    }
    free(all);
    return rc;
}

static const gmmu_array *dwt2d_result(const void *self) {
    return ((const dwt2d *)self)->out[0];
}

const gmmu_simt_kernel gmmu_simt_dwt2d = {.name = "dwt2d",
                                          .size_text = "rows and columns of the picture",
                                          .default_size = 600,
                                          .max_size = 8192,
                                          .regs = sizeof(regs),
                                          .create = dwt2d_create,
                                          .destroy = free,
                                          .launch = dwt2d_launch,
                                          .step = dwt2d_step,
                                          .progress = dwt2d_progress,
                                          .check = dwt2d_check,
                                          .result = dwt2d_result};
