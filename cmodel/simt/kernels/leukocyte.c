// SPDX-License-Identifier: Apache-2.0
// leukocyte.c: finds white blood cells in a video frame and follows them into the next one,
// Rodinia's leukocyte (Boyer, Tarjan, Acton, Skadron 2009): three grids.
//
//   GICOV    thread (column, row): for 7 circles around the pixel, 150 points each: the gradient
//            across the circle; score = greatest mean^2 / variance
//   dilate   thread p: greatest score under a disk of radius 12 around the pixel
//   IMGVF    block c: the gradient vector flow of the 41 x 81 pixels around cell c, in shared
//            memory: until it hardly changes, 500 times at most, each pixel moves towards the eight
//            around it that lie uphill, and towards the edge map
//
// A cell is where a pixel's score is the greatest under the disk. Host: the video (bright disks on
// a noisy ground, which move a little), gradients, choosing the cells, edge maps. Images are column
// by column. Constants and textures are memory as all other.
//
// Left out: the host's fitting of ellipses, which would choose among the cells, and the evolution
// of their contours; a single frame is followed. Differences: blocks of GICOV are at most --block
// threads of a column, in the suite a whole column; those of dilate --block threads, 176 there,
// and all pixels have one; those of IMGVF are 320 as there. Heaviside's function is a step, as the
// source proposes, not an arc tangent, and sines are a series summed here: iterations and addresses
// do not depend on a mathematical library. One barrier more in each part of an iteration keeps
// warps from reading what others have written: new values wait for the next iteration.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    POINTS = 150,
    CIRCLES = 7,
    SMALLEST = 8,  // radius; each further one is 2 more
    MARGIN = 22,   // of the image, where no score is computed
    DISK = 12,     // radius
    DISK_SIDE = 2 * DISK + 1,
    SPACING = 64,  // of the cells, in pixels
    ROWS = 41,     // around a cell
    COLUMNS = 81,
    FLOW_THREADS = 320,
    FLOW_POWER = 256,  // the greatest power of 2 below
    ITERATIONS = 500
};
static const float cutoff = 0.00001F;

enum { GICOV = 1, DILATE, FLOW };

typedef struct {
    uint64_t n;
    uint64_t seed;
    uint64_t side;  // of the image, with its margins
    unsigned block;
    unsigned grid;   // that runs
    uint64_t cells;  // at most
    uint64_t found;
    uint64_t done;  // pixels of the first two grids, and cells
    const gmmu_array *gradient_x, *gradient_y, *score, *dilated;
    const gmmu_array *sine, *cosine, *circle_x, *circle_y, *disk;
    const gmmu_array *edges, *flow, *edges_at, *flow_at, *rows, *columns;
} leukocyte;

enum {
    CIRCLE_Y,
    CIRCLE_X,
    GRADIENT_X,
    COSINE,
    GRADIENT_Y,
    SINE,
    STORE_SCORE,
    LOAD_DISK,
    LOAD_SCORE,
    STORE_DILATED,
    FLOW_AT,
    EDGES_AT,
    LOAD_ROWS,
    LOAD_COLUMNS,
    LOAD_FLOW,
    LOAD_EDGE,
    STORE_FLOW
};

typedef struct {
    WARP_STATE;
    unsigned circle, point, i, j, part, iteration;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    int32_t dx[GMMU_WARP], dy[GMMU_WARP];
    float x[GMMU_WARP], y[GMMU_WARP], cosine[GMMU_WARP], sine[GMMU_WARP];
    uint64_t at[GMMU_WARP];
    float sum[GMMU_WARP], squares[GMMU_WARP], mean[GMMU_WARP], best[GMMU_WARP];
    int64_t flow_at[GMMU_WARP], edges_at[GMMU_WARP];
    int32_t rows[GMMU_WARP], columns[GMMU_WARP];
    unsigned e[GMMU_WARP];  // pixel
    float fresh[GMMU_WARP], change[GMMU_WARP];
} regs;

typedef struct {
    float flow[ROWS * COLUMNS];
    float buffer[FLOW_THREADS];
    bool converged;
} shared;

// ---------------------------------------------------------------- the host's part

// Pixel of frame FRAME. Cells lie around the centers of squares of SPACING pixels, or of the one
// smaller square that there is; from frame to frame they move by a row and two columns.
static float pixel(const leukocyte *s, unsigned frame, uint64_t row, uint64_t column) {
    uint64_t spacing = s->n < SPACING ? s->n : SPACING;
    uint64_t state = s->seed ^ (uint64_t)frame << 56 ^ row << 28 ^ column;
    float value = 60 + (float)(gmmu_simt_random(&state) >> 60);
    int64_t y = (int64_t)row - MARGIN - frame;
    int64_t x = (int64_t)column - MARGIN - 2 * (int64_t)frame;
    int64_t end = (int64_t)(s->n / spacing * spacing);
    if (y < 0 || x < 0 || y >= end || x >= end)
        return value;
    y = y % (int64_t)spacing - (int64_t)spacing / 2;
    x = x % (int64_t)spacing - (int64_t)spacing / 2;
    return x * x + y * y < 100 ? value + 100 : value;
}

// Half the difference of the two pixels beside; of the image's outermost ones, to the inside.
static float gradient(const leukocyte *s, unsigned frame, uint64_t row, uint64_t column,
                      bool across) {
    uint64_t *moved = across ? &column : &row;
    uint64_t at = *moved;
    *moved = at + 1 < s->side ? at + 1 : at;
    float after = pixel(s, frame, row, column);
    *moved = at > 0 ? at - 1 : at;
    return (after - pixel(s, frame, row, column)) / 2;
}

// Sine and cosine of 2 pi N / POINTS, by their series around 0: the same bits everywhere.
static void angle(unsigned n, double *sine, double *cosine) {
    double x = 6.283185307179586 * n / POINTS;
    double term = 1;
    *sine = 0;
    *cosine = 0;
    for (unsigned k = 1; k < 60; k++) {
        double *sum = k % 2 == 1 ? cosine : sine;
        *sum += k % 4 == 1 || k % 4 == 2 ? term : -term;
        term *= x / k;
    }
}

// Towards 0; what is an integer but for rounding stays one.
static int32_t whole(double x) {
    return (int32_t)(x < 0 ? x - 1e-9 : x + 1e-9);
}

static void make_tables(const leukocyte *s) {
    for (unsigned n = 0; n < POINTS; n++) {
        double sine = 0;
        double cosine = 0;
        angle(n, &sine, &cosine);
        ((float *)s->sine->data)[n] = (float)sine;
        ((float *)s->cosine->data)[n] = (float)cosine;
        for (unsigned k = 0; k < CIRCLES; k++) {
            double radius = SMALLEST + 2 * k;
            ((int32_t *)s->circle_x->data)[k * POINTS + n] = whole(cosine * radius);
            ((int32_t *)s->circle_y->data)[k * POINTS + n] = whole(sine * radius);
        }
    }
    float *disk = s->disk->data;
    for (int i = 0; i < DISK_SIDE; i++) {
        for (int j = 0; j < DISK_SIDE; j++) {
            int square = (i - DISK) * (i - DISK) + (j - DISK) * (j - DISK);
            disk[i * DISK_SIDE + j] = square <= DISK * DISK ? 1 : 0;
        }
    }
}

static void *leukocyte_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    leukocyte *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "leukocyte: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    s->block = p->block;
    s->side = s->n + UINT64_C(2) * MARGIN;
    s->cells = s->n < SPACING ? 1 : s->n / SPACING * (s->n / SPACING);
    uint64_t pixels = s->side * s->side;
    uint64_t around = s->cells * ROWS * COLUMNS;
    const struct {
        const gmmu_array **array;
        const char *name;
        uint64_t count;
        size_t element;
    } arrays[] = {{&s->gradient_x, "gradient_x", pixels, 4},
                  {&s->gradient_y, "gradient_y", pixels, 4},
                  {&s->score, "score", pixels, 4},
                  {&s->dilated, "dilated", pixels, 4},
                  {&s->sine, "sine", POINTS, 4},
                  {&s->cosine, "cosine", POINTS, 4},
                  {&s->circle_x, "circle_x", UINT64_C(1) * CIRCLES * POINTS, 4},
                  {&s->circle_y, "circle_y", UINT64_C(1) * CIRCLES * POINTS, 4},
                  {&s->disk, "disk", UINT64_C(1) * DISK_SIDE * DISK_SIDE, 4},
                  {&s->edges, "edges", around, 4},
                  {&s->flow, "flow", around, 4},
                  {&s->edges_at, "edges_at", s->cells, 8},
                  {&s->flow_at, "flow_at", s->cells, 8},
                  {&s->rows, "rows", s->cells, 4},
                  {&s->columns, "columns", s->cells, 4}};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].array =
            gmmu_space_alloc(space, arrays[i].name, arrays[i].count, arrays[i].element, err);
        if (*arrays[i].array == NULL) {
            free(s);
            return NULL;
        }
    }
    make_tables(s);
    for (uint64_t i = 0; i < pixels; i++) {
        ((float *)s->gradient_x->data)[i] = gradient(s, 0, i % s->side, i / s->side, true);
        ((float *)s->gradient_y->data)[i] = gradient(s, 0, i % s->side, i / s->side, false);
    }
    return s;
}

// The edge map of frame 1 around a pixel, scaled to 0 to 1, as matrix number s->found; it is the
// first flow, too. Returns its size.
static uint64_t add_cell(leukocyte *s, uint64_t row, uint64_t column, uint64_t used) {
    uint64_t top = row - ROWS / 2;  // the image's margin is wider
    uint64_t left = column < COLUMNS / 2 ? 0 : column - COLUMNS / 2;
    uint64_t right = column + COLUMNS / 2 < s->side ? column + COLUMNS / 2 + 1 : s->side;
    uint64_t size = ROWS * (right - left);
    float *edge = (float *)s->edges->data + used;
    float *next = edge;
    float low = 1e30F;
    float high = 0;
    for (uint64_t r = top; r < top + ROWS; r++) {
        for (uint64_t c = left; c < right; c++) {
            float x = gradient(s, 1, r, c, true);
            float y = gradient(s, 1, r, c, false);
            float length = sqrtf(x * x + y * y);
            low = length < low ? length : low;
            high = length > high ? length : high;
            *next++ = length;
        }
    }
    for (uint64_t i = 0; i < size; i++) edge[i] = (edge[i] - low) / (high - low);
    memcpy((float *)s->flow->data + used, edge, size * sizeof *edge);
    ((int64_t *)s->edges_at->data)[s->found] = (int64_t)used;
    ((int64_t *)s->flow_at->data)[s->found] = (int64_t)used;
    ((int32_t *)s->rows->data)[s->found] = ROWS;
    ((int32_t *)s->columns->data)[s->found] = (int32_t)(right - left);
    s->found++;
    return size;
}

// Cells are where the score is the greatest under the disk, and at least a quarter of the greatest
// of all; the first of them, as many as the video can have.
static void choose_cells(leukocyte *s) {
    const float *score = s->score->data;
    const float *dilated = s->dilated->data;
    float best = 0;
    uint64_t used = 0;
    for (uint64_t i = 0; i < s->side * s->side; i++) best = score[i] > best ? score[i] : best;
    for (uint64_t column = 0; column < s->side; column++) {
        for (uint64_t row = 0; row < s->side; row++) {
            float own = score[column * s->side + row];
            if (own > best / 4 && own == dilated[row * s->side + column] && s->found < s->cells)
                used += add_cell(s, row, column, used);
        }
    }
}

static uint64_t parts(uint64_t n, uint64_t part) {
    return (n + part - 1) / part;
}

// Threads of a block of the first grid.
static uint64_t column_threads(const leukocyte *s) {
    return s->n < s->block ? s->n : s->block;
}

static bool leukocyte_launch(void *self, gmmu_simt_grid *grid) {
    leukocyte *s = self;
    uint64_t threads = column_threads(s);
    switch (++s->grid) {
        case GICOV:
            *grid = (gmmu_simt_grid){.blocks = s->n * parts(s->n, threads),
                                     .threads = (unsigned)threads};
            return true;
        case DILATE:
            *grid =
                (gmmu_simt_grid){.blocks = parts(s->side * s->side, s->block), .threads = s->block};
            return true;
        case FLOW:
            choose_cells(s);
            *grid = (gmmu_simt_grid){
                .blocks = s->found, .threads = FLOW_THREADS, .shared = sizeof(shared)};
            return true;
        default:
            return false;
    }
}

// ---------------------------------------------------------------- the grids

static gmmu_simt_event gicov(leukocyte *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const uint64_t threads = column_threads(s);
    const uint64_t per = parts(s->n, threads);
    WARP_BEGIN;
    EACH {
        r->column[lane] = w->block / per + MARGIN;
        r->row[lane] = w->block % per * threads + TID + MARGIN;
    }
    IF(r->row[lane] < s->n + MARGIN) {
        for (r->circle = 0; r->circle < CIRCLES; r->circle++) {
            EACH r->sum[lane] = r->squares[lane] = r->mean[lane] = 0;
            for (r->point = 0; r->point < POINTS; r->point++) {
                LD(CIRCLE_Y, s->circle_y, (uint64_t)r->circle * POINTS + r->point, r->dy);
                LD(CIRCLE_X, s->circle_x, (uint64_t)r->circle * POINTS + r->point, r->dx);
                EACH r->at[lane] = (r->column[lane] + (uint64_t)(int64_t)r->dx[lane]) * s->side +
                                   r->row[lane] + (uint64_t)(int64_t)r->dy[lane];
                LD(GRADIENT_X, s->gradient_x, r->at[lane], r->x);
                LD(COSINE, s->cosine, r->point, r->cosine);
                LD(GRADIENT_Y, s->gradient_y, r->at[lane], r->y);
                LD(SINE, s->sine, r->point, r->sine);
                EACH {
                    float p = r->x[lane] * r->cosine[lane] + r->y[lane] * r->sine[lane];
                    float delta = p - r->mean[lane];
                    r->sum[lane] += p;
                    r->mean[lane] += delta / (float)(r->point + 1);
                    r->squares[lane] += delta * (p - r->mean[lane]);
                }
            }
            EACH {
                float mean = r->sum[lane] / POINTS;
                float score = mean * mean / (r->squares[lane] / (POINTS - 1));
                r->best[lane] = score > r->best[lane] ? score : r->best[lane];
            }
        }
        ST(STORE_SCORE, s->score, float, r->column[lane] * s->side + r->row[lane], r->best[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

// Whether the disk's line K, around pixel X of a line of the image, is inside the image.
static bool inside(const leukocyte *s, uint64_t x, unsigned k) {
    return x + k >= DISK && x + k - DISK < s->side;
}

static gmmu_simt_event dilate(leukocyte *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    EACH {
        r->row[lane] = GID % s->side;
        r->column[lane] = GID / s->side;
    }
    IF(r->column[lane] < s->side) {
        for (r->i = 0; r->i < DISK_SIDE; r->i++) {
            IF(inside(s, r->row[lane], r->i)) {
                for (r->j = 0; r->j < DISK_SIDE; r->j++) {
                    IF(inside(s, r->column[lane], r->j)) {
                        LD(LOAD_DISK, s->disk, (uint64_t)r->i * DISK_SIDE + r->j, r->x);
                        IF(r->x[lane] != 0) {
                            LD(LOAD_SCORE, s->score,
                               (r->column[lane] + r->j - DISK) * s->side + r->row[lane] + r->i -
                                   DISK,
                               r->y);
                            EACH if (r->y[lane] > r->best[lane]) r->best[lane] = r->y[lane];
                        }
                        ENDIF;
                    }
                    ENDIF;
                }
            }
            ENDIF;
        }
        ST(STORE_DILATED, s->dilated, float, r->row[lane] * s->side + r->column[lane],
           r->best[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

// How far uphill: a step from 0 to 1, or half of it.
static float heaviside(float x) {
    return x > 0.0001F ? 1 : x > -0.0001F ? 0.5F : 0;
}

// New value of element E of the flow, where the edge map has EDGE.
static float flowed(const float *flow, unsigned e, int32_t rows, int32_t columns, float edge) {
    int32_t row = (int32_t)e / columns;
    int32_t column = (int32_t)e % columns;
    int32_t up = row == 0 ? 0 : -columns;
    int32_t down = row == rows - 1 ? 0 : columns;
    int32_t left = column == 0 ? 0 : -1;
    int32_t right = column == columns - 1 ? 0 : 1;
    const float *at = flow + e;
    const float u = at[up] - *at;
    const float d = at[down] - *at;
    const float l = at[left] - *at;
    const float r = at[right] - *at;
    const float ur = at[up + right] - *at;
    const float dr = at[down + right] - *at;
    const float ul = at[up + left] - *at;
    const float dl = at[down + left] - *at;
    // the cells are taken to move right and down; against a step of 1e-10
    float sum = heaviside(u * -1e10F) * u + heaviside(d * 1e10F) * d + heaviside(l * -1e10F) * l +
                heaviside(r * 1e10F) * r + heaviside(0) * ur + heaviside(dr * 2e10F) * dr +
                heaviside(ul * -2e10F) * ul + heaviside(0) * dl;
    float value = *at + 0.1F * sum;
    return value - 0.2F * edge * (value - edge);
}

static gmmu_simt_event flow(leukocyte *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    shared *m = w->shared;
    // known from the first barrier on
    const unsigned pixels = (unsigned)r->rows[0] * (unsigned)r->columns[0];
    const unsigned count = (unsigned)parts(pixels, FLOW_THREADS);
    WARP_BEGIN;
    LD(FLOW_AT, s->flow_at, BID, r->flow_at);
    LD(EDGES_AT, s->edges_at, BID, r->edges_at);
    LD(LOAD_ROWS, s->rows, BID, r->rows);
    LD(LOAD_COLUMNS, s->columns, BID, r->columns);
    EACH r->e[lane] = TID;
    WHILE(r->e[lane] < pixels) {
        LD(LOAD_FLOW, s->flow, (uint64_t)r->flow_at[lane] + r->e[lane], r->x);
        EACH {
            m->flow[r->e[lane]] = r->x[lane];
            r->e[lane] += FLOW_THREADS;
        }
    }
    ENDWHILE;
    SYNC;
    while (!m->converged && r->iteration < ITERATIONS) {
        EACH r->change[lane] = 0;
        for (r->part = 0; r->part < count; r->part++) {
            EACH r->e[lane] = r->part * FLOW_THREADS + TID;
            IF(r->e[lane] < pixels) {
                LD(LOAD_EDGE, s->edges, (uint64_t)r->edges_at[lane] + r->e[lane], r->x);
                EACH {
                    r->fresh[lane] =
                        flowed(m->flow, r->e[lane], r->rows[0], r->columns[0], r->x[lane]);
                    r->change[lane] += fabsf(r->fresh[lane] - m->flow[r->e[lane]]);
                }
            }
            ENDIF;
            SYNC;
            // The part before is not looked at any more.
            if (r->part > 0) {
                EACH m->flow[r->e[lane] - FLOW_THREADS] = m->buffer[TID];
            }
            EACH m->buffer[TID] = r->fresh[lane];
            SYNC;
        }
        EACH if (r->e[lane] < pixels) m->flow[r->e[lane]] = m->buffer[TID];
        SYNC;
        EACH m->buffer[TID] = r->change[lane];
        SYNC;
        EACH if (TID >= FLOW_POWER) m->buffer[TID - FLOW_POWER] += m->buffer[TID];
        SYNC;
        for (r->j = FLOW_POWER / 2; r->j > 0; r->j /= 2) {
            EACH if (TID < r->j) m->buffer[TID] += m->buffer[TID + r->j];
            SYNC;
        }
        if (w->index == 0)
            m->converged = m->buffer[0] / (float)pixels < cutoff;
        SYNC;
        r->iteration++;
    }
    EACH r->e[lane] = TID;
    WHILE(r->e[lane] < pixels) {
        ST(STORE_FLOW, s->flow, float, (uint64_t)r->flow_at[lane] + r->e[lane],
           m->flow[r->e[lane]]);
        EACH r->e[lane] += FLOW_THREADS;
        s->done += lanes_count(r->warp.mask);
    }
    ENDWHILE;
    WARP_END;
}

static gmmu_simt_event leukocyte_step(void *self, const gmmu_simt_warp *w, void *registers,
                                      gmmu_simt_op *op) {
    leukocyte *s = self;
    switch (s->grid) {
        case GICOV:
            return gicov(s, w, registers, op);
        case DILATE:
            return dilate(s, w, registers, op);
        default:
            return flow(s, w, registers, op);
    }
}

static double leukocyte_progress(const void *self) {
    const leukocyte *s = self;
    return (double)s->done / (double)(s->n * s->n + s->side * s->side + s->cells * ROWS * COLUMNS);
}

// ---------------------------------------------------------------- the check

static float plain_score(const leukocyte *s, uint64_t row, uint64_t column) {
    const float *across = s->gradient_x->data;
    const float *down = s->gradient_y->data;
    float best = 0;
    for (unsigned k = 0; k < CIRCLES; k++) {
        const int32_t *dx = (const int32_t *)s->circle_x->data + (size_t)k * POINTS;
        const int32_t *dy = (const int32_t *)s->circle_y->data + (size_t)k * POINTS;
        float sum = 0;
        float mean = 0;
        float squares = 0;
        for (unsigned i = 0; i < POINTS; i++) {
            int64_t at = ((int64_t)column + dx[i]) * (int64_t)s->side + (int64_t)row + dy[i];
            float p = across[at] * ((const float *)s->cosine->data)[i] +
                      down[at] * ((const float *)s->sine->data)[i];
            float before = mean;
            sum += p;
            mean = before + (p - before) / (float)(i + 1);
            squares += (p - before) * (p - mean);
        }
        mean = sum / POINTS;
        float score = mean * mean / (squares / (POINTS - 1));
        if (score > best)
            best = score;
    }
    return best;
}

// The greatest score at most DISK away.
static float plain_dilated(const leukocyte *s, uint64_t row, uint64_t column) {
    const float *score = s->score->data;
    float best = 0;
    for (int64_t y = -DISK; y <= DISK; y++) {
        for (int64_t x = -DISK; x <= DISK; x++) {
            uint64_t r = row + (uint64_t)y;  // beyond 0 it is huge
            uint64_t c = column + (uint64_t)x;
            if (x * x + y * y <= INT64_C(1) * DISK * DISK && r < s->side && c < s->side &&
                score[c * s->side + r] > best)
                best = score[c * s->side + r];
        }
    }
    return best;
}

// A flow with a border of one pixel, which repeats the outermost ones.
typedef float framed[ROWS + 2][COLUMNS + 2];

static void frame_flow(framed f, int32_t rows, int32_t columns) {
    for (int32_t i = 1; i <= rows; i++) {
        f[i][0] = f[i][1];
        f[i][columns + 1] = f[i][columns];
    }
    memcpy(f[0], f[1], sizeof f[0]);
    memcpy(f[rows + 1], f[rows], sizeof f[0]);
}

// The sum of all changes in the order of 320 threads, which halve in turn.
static float sum_changes(float change[FLOW_THREADS]) {
    for (unsigned i = FLOW_POWER; i < FLOW_THREADS; i++) change[i - FLOW_POWER] += change[i];
    for (unsigned half = FLOW_POWER / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; i++) change[i] += change[i + half];
    return change[0];
}

// The flow around cell K, from the edge map.
static int check_flow(const leukocyte *s, uint64_t k, gmmu_error *err) {
    static const int beside[8][2] = {{-1, 0}, {1, 0}, {0, -1},  {0, 1},
                                     {-1, 1}, {1, 1}, {-1, -1}, {1, -1}};  // down, right
    const int32_t rows = ((const int32_t *)s->rows->data)[k];
    const int32_t columns = ((const int32_t *)s->columns->data)[k];
    const float *edge = (const float *)s->edges->data + ((const int64_t *)s->edges_at->data)[k];
    const float *found = (const float *)s->flow->data + ((const int64_t *)s->flow_at->data)[k];
    framed now = {0};
    framed next = {0};
    float mean = 1;
    for (int32_t e = 0; e < rows * columns; e++) next[e / columns + 1][e % columns + 1] = edge[e];
    for (unsigned i = 0; i < ITERATIONS && mean >= cutoff; i++) {
        float change[FLOW_THREADS] = {0};
        memcpy(now, next, sizeof now);
        frame_flow(now, rows, columns);
        for (int32_t e = 0; e < rows * columns; e++) {
            int32_t row = e / columns + 1;
            int32_t column = e % columns + 1;
            float sum = 0;
            for (unsigned b = 0; b < 8; b++) {
                int down = beside[b][0];
                int right = beside[b][1];
                float slope = now[row + down][column + right] - now[row][column];
                float uphill = slope * (float)(down + right) * 1e10F;
                float weight = uphill > 0.0001F ? 1 : 0;
                if (uphill <= 0.0001F && uphill > -0.0001F)
                    weight = 0.5F;
                sum += weight * slope;
            }
            float value = now[row][column] + 0.1F * sum;
            value -= 0.2F * edge[e] * (value - edge[e]);
            next[row][column] = value;
            change[e % FLOW_THREADS] += fabsf(value - now[row][column]);
        }
        mean = sum_changes(change) / (float)(rows * columns);
    }
    int rc = GMMU_OK;
    for (int32_t i = 0; rc == GMMU_OK && i < rows; i++)
        rc = lanes_compare("leukocyte", "flow", found + (size_t)i * (size_t)columns,
                           next[i + 1] + 1, (uint64_t)columns, err);
    return rc;
}

static int leukocyte_check(const void *self, gmmu_error *err) {
    const leukocyte *s = self;
    int rc = GMMU_OK;
    for (uint64_t i = 0; rc == GMMU_OK && i < s->side * s->side; i++) {
        uint64_t row = i % s->side;
        uint64_t column = i / s->side;
        bool inner =
            row >= MARGIN && row < s->n + MARGIN && column >= MARGIN && column < s->n + MARGIN;
        float expected = inner ? plain_score(s, row, column) : 0;
        rc = lanes_compare("leukocyte", "score", (const float *)s->score->data + i, &expected, 1,
                           err);
    }
    for (uint64_t i = 0; rc == GMMU_OK && i < s->side * s->side; i++) {
        float expected = plain_dilated(s, i / s->side, i % s->side);
        rc = lanes_compare("leukocyte", "dilated", (const float *)s->dilated->data + i, &expected,
                           1, err);
    }
    for (uint64_t k = 0; rc == GMMU_OK && k < s->found; k++) rc = check_flow(s, k, err);
    return rc;
}

static const gmmu_array *leukocyte_result(const void *self) {
    return ((const leukocyte *)self)->score;
}

const gmmu_simt_kernel gmmu_simt_leukocyte = {
    .name = "leukocyte",
    .size_text = "rows and columns inside the margins of 22",
    .default_size = 470,
    .max_size = 16384,
    .regs = sizeof(regs),
    .create = leukocyte_create,
    .destroy = free,
    .launch = leukocyte_launch,
    .step = leukocyte_step,
    .progress = leukocyte_progress,
    .check = leukocyte_check,
    .result = leukocyte_result};
