// SPDX-License-Identifier: Apache-2.0
// heartwall.c: follows points of a heart's wall through the frames of an ultrasound video,
// Rodinia's heartwall (Szafaryn, Skadron, Saucerman 2009): a block a point, a grid a frame.
//
//   frame 0:  template = 51 x 51 pixels around the point
//   then      window = 81 x 81 pixels around the point's place
//             full convolution of both, 131 x 131; sums of the window and of its squares under each
//             place of the template, from cumulative sums down, then across, of the padded window
//             correlation = (convolution - sum * mean(template)) /
//                           (sqrt(squares - sum^2 / 2601) * sqrt(2600) * deviation(template))
//             place = where |correlation| is greatest, within a mask of 10 x 10 around the last one
//   every second frame: the window's place follows the point,
//             template = 0.87 template + 0.13 pixels around the new place
//
// All of the source's kernel is here, with its arrays in global memory: a set for each point, one
// array of each kind, each point's part at a multiple of 256 bytes as cudaMalloc gives it. Images
// are column by column, places count from 1, and the mask reaches 5 back and 4 forth, as there.
// Differences: FRAMES is 4, unless chosen, and the template follows every UPDATE frames, in the
// suite it is 10 of up to 104; inner and outer wall are one set of points; what lies in constant
// memory counts as parameters, not as memory; one barrier that the source lacks keeps two warps
// from racing in the second cumulative sum. The host reads no video but makes one: a speckle
// pattern that moves to and fro, with noise. Pixels are integers up to 50, so that window sums are
// exact in float.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    FRAMES = 4,  // unless chosen
    MOVES = 4,   // after which the pattern is back
    UPDATE = 2,
    REACH = 25,   // of a template around its point
    SEARCH = 40,  // of a window
    MASK = 10,
    IN = 2 * REACH + 1,
    IN_ALL = IN * IN,
    WINDOW = 2 * SEARCH + 1,
    WINDOW_ALL = WINDOW * WINDOW,
    CONV = IN + WINDOW - 1,
    CONV_ALL = CONV * CONV,
    PAD = WINDOW + 2 * IN,
    PAD_ALL = PAD * PAD,
    STRIP_ALL = CONV * PAD,     // PAD columns of CONV rows
    CENTER = SEARCH + REACH,    // of the convolution: the template over the window's center
    MASK_BACK = (MASK + 1) / 2  // rows before the last place that are within the mask
};
static const float alpha = 0.87F;

// A point's arrays.
enum {
    BUFFER_WINDOW,
    BUFFER_CONV,
    BUFFER_PAD,
    BUFFER_PAD_PART,  // of the padded window's sums, behind the template's rows
    BUFFER_STRIP,
    BUFFER_STRIP_PART,
    BUFFER_SUM,
    BUFFER_SQUARE,
    BUFFER_SQUARE_SUM,  // becomes the correlation
    BUFFER_IN_SQUARE,
    BUFFER_MASK,
    BUFFER_MASKED,
    BUFFERS
};

typedef struct {
    uint64_t n;
    uint64_t seed;
    uint64_t side;  // of a frame, in pixels
    unsigned threads;
    unsigned frames;
    unsigned frame;  // of the grid that runs, plus one
    uint64_t done;   // points, over all frames
    const gmmu_array *image, *templates, *row, *column, *rows, *columns;
    const gmmu_array *buffer[BUFFERS];
} heartwall;

// Of the two rounds of cumulative sums, for the window and for its squares.
enum {
    PAD_LOAD,
    PAD_STORE,
    PAD_ZERO,
    DOWN_LOAD,
    DOWN_STORE,
    DOWN_AGAIN,
    PART_LOAD,
    PART_STORE,
    STRIP_LOAD,
    STRIP_STORE,
    STRIP_PART,
    STRIP_AGAIN,
    STRIP_DIFFERENCE,
    ACROSS_LOAD,
    ACROSS_STORE,
    ACROSS_AGAIN,
    STRIP_PART_LOAD,
    STRIP_PART_STORE,
    SUM_LOAD,
    SUM_STORE,
    SUM_PART,
    SUM_AGAIN,
    SUM_DIFFERENCE,
    ROUND_SITES
};

enum {
    FIRST_ROW,
    FIRST_STORE_ROW,
    FIRST_COLUMN,
    FIRST_STORE_COLUMN,
    CREATE_ROW,
    CREATE_COLUMN,
    CREATE_PIXEL,
    CREATE_STORE,
    SELECT_ROW,
    SELECT_COLUMN,
    SELECT_PIXEL,
    SELECT_STORE,
    ROTATE_LOAD,
    CONV_LOAD,
    CONV_STORE,
    ROUND,
    SQUARE_LOAD = ROUND + 2 * ROUND_SITES,
    SQUARE_STORE,
    DENOMINATOR_SUM,
    DENOMINATOR_SQUARES,
    DENOMINATOR_STORE,
    IN_SQUARE_LOAD,
    IN_SQUARE_STORE,
    IN_LOAD,
    IN_SQUARE_AGAIN,
    SCALE_LOAD,
    SCALE_STORE,
    NUMERATOR_CONV,
    NUMERATOR_SUM,
    NUMERATOR_STORE,
    CORRELATION_CONV,
    CORRELATION_LOAD,
    CORRELATION_STORE,
    MASK_LAST_ROW,
    MASK_ROW,
    MASK_LAST_COLUMN,
    MASK_COLUMN,
    MASK_STORE,
    MASK_LOAD,
    MASKED_LOAD,
    MASKED_STORE,
    SEARCH_LOAD,
    FOUND_ROW,
    FOUND_STORE_ROW,
    FOUND_COLUMN,
    FOUND_STORE_COLUMN,
    MOVE_ROW,
    MOVE_STORE_ROW,
    MOVE_COLUMN,
    MOVE_STORE_COLUMN,
    UPDATE_ROW,
    UPDATE_COLUMN,
    UPDATE_LOAD,
    UPDATE_PIXEL,
    UPDATE_STORE
};

typedef struct {
    WARP_STATE;
    unsigned round, i;
    unsigned e[GMMU_WARP];  // element, column or row that the lane works on
    unsigned u[GMMU_WARP], u_first[GMMU_WARP], u_last[GMMU_WARP];
    unsigned v[GMMU_WARP], v_last[GMMU_WARP];
    unsigned corner[GMMU_WARP];  // of the window's part under the template
    unsigned best_at[GMMU_WARP];
    int32_t row[GMMU_WARP], column[GMMU_WARP], last_row[GMMU_WARP], last_column[GMMU_WARP];
    float x[GMMU_WARP], y[GMMU_WARP], sum[GMMU_WARP], best[GMMU_WARP];
} regs;

typedef struct {
    float rotated[IN_ALL];
    float sum[IN], square_sum[IN];  // of the template's columns, of its squares' rows
    float all, square_all, scale;
    float best[CONV];
    unsigned best_at[CONV];
} shared;

// ---------------------------------------------------------------- the video

// How far the pattern has moved until a frame. A step is at most MASK_BACK - 1.
static const int moved_down[MOVES] = {0, 3, -1, 2};
static const int moved_right[MOVES] = {0, -2, 2, 4};

static unsigned pick(uint64_t seed, unsigned frame, uint64_t row, uint64_t column) {
    uint64_t state = seed ^ (uint64_t)frame << 56 ^ row << 28 ^ column;
    return (unsigned)(gmmu_simt_random(&state) >> 33);
}

static void make_frame(float *image, uint64_t side, uint64_t seed, unsigned frame) {
    for (uint64_t column = 0; column < side; column++) {
        for (uint64_t row = 0; row < side; row++) {
            // 8 keeps both above 0
            uint64_t r = row + 8 - (uint64_t)moved_down[frame % MOVES];
            uint64_t c = column + 8 - (uint64_t)moved_right[frame % MOVES];
            unsigned speckle = pick(seed, 0, r, c) % 43;
            image[column * side + row] = (float)(speckle + pick(seed, frame + 1, row, column) % 8);
        }
    }
}

// Point I of N lies on one of two rings around the frame's center, in turn. A rational
// parametrisation of the circle: no address depends on a sine.
static void place_point(const heartwall *s, uint64_t i, int32_t *row, int32_t *column) {
    uint64_t turn = 4 * i;
    double t = (double)(turn % s->n) / (double)s->n;  // 0 to 1 in each quarter
    double along = (double)s->side * (i % 2 == 0 ? 0.18 : 0.24) / (1 + t * t);
    double x = (1 - t * t) * along;
    double y = 2 * t * along;
    double middle = (double)s->side / 2;
    switch (turn / s->n) {
        case 0:
            break;
        case 1: {
            double z = x;
            x = -y;
            y = z;
            break;
        }
        case 2:
            x = -x;
            y = -y;
            break;
        default: {
            double z = x;
            x = y;
            y = -z;
            break;
        }
    }
    *row = (int32_t)(middle + y);
    *column = (int32_t)(middle + x);
}

// ---------------------------------------------------------------- the host's part

static uint64_t stride_of(unsigned buffer) {
    static const unsigned elements[BUFFERS] = {WINDOW_ALL, CONV_ALL, PAD_ALL,  STRIP_ALL,
                                               STRIP_ALL,  CONV_ALL, CONV_ALL, WINDOW_ALL,
                                               CONV_ALL,   IN_ALL,   CONV_ALL, CONV_ALL};
    return (uint64_t)(elements[buffer] + 63) / 64 * 64;
}

static void *heartwall_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    static const char *const names[BUFFERS] = {"window",     "conv",       "pad",  "pad_part",
                                               "strip",      "strip_part", "sum",  "square",
                                               "square_sum", "in_square",  "mask", "masked"};
    heartwall *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "heartwall: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    s->frames = p->launches;
    s->threads = p->block;
    s->side = 256 + 7 * s->n;
    const struct {
        const gmmu_array **array;
        const char *name;
        uint64_t count;
    } arrays[] = {{&s->image, "image", s->side * s->side},
                  {&s->row, "row", s->n},
                  {&s->column, "column", s->n},
                  {&s->rows, "rows", s->n * s->frames},
                  {&s->columns, "columns", s->n * s->frames},
                  {&s->templates, "templates", s->n * IN_ALL}};
    bool ok = true;
    for (unsigned i = 0; ok && i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].array =
            gmmu_space_alloc(space, arrays[i].name, arrays[i].count, sizeof(float), err);
        ok = *arrays[i].array != NULL;
    }
    for (unsigned i = 0; ok && i < BUFFERS; i++) {
        s->buffer[i] = gmmu_space_alloc(space, names[i], s->n * stride_of(i), sizeof(float), err);
        ok = s->buffer[i] != NULL;
    }
    if (!ok) {
        free(s);
        return NULL;
    }
    for (uint64_t i = 0; i < s->n; i++)
        place_point(s, i, (int32_t *)s->row->data + i, (int32_t *)s->column->data + i);
    return s;
}

static bool heartwall_launch(void *self, gmmu_simt_grid *grid) {
    heartwall *s = self;
    // One kernel, whose branch on the frame's number comes before its first instruction.
    *grid = (gmmu_simt_grid){.blocks = s->n,
                             .threads = s->threads,
                             .shared = sizeof(shared),
                             .code = gmmu_simt_ref(FIRST_ROW)};
    if (s->frame == s->frames)
        return false;
    make_frame(s->image->data, s->side, s->seed, s->frame++);
    return true;
}

// ---------------------------------------------------------------- the grids

// Element E of the block's part of a buffer.
static uint64_t at(const gmmu_simt_warp *w, unsigned buffer, uint64_t e) {
    return w->block * stride_of(buffer) + e;
}

// Of the image, for element E of a square of SIDE around (ROW, COLUMN), which count from 1.
static uint64_t pixel(const heartwall *s, int32_t row, int32_t column, unsigned e, unsigned side) {
    uint64_t r = (uint64_t)row - side / 2 - 1 + e % side;
    uint64_t c = (uint64_t)column - side / 2 - 1 + e / side;
    return c * s->side + r;
}

// The overlap of two lines of LENGTH and OTHER elements in place I of their convolution: the first
// and the last element of the one of LENGTH.
static unsigned first_of(unsigned i, unsigned other) {
    return i + 1 > other ? i + 1 - other : 0;
}

static unsigned last_of(unsigned i, unsigned length) {
    return i < length ? i : length - 1;
}

// Of the round that runs: instruction SITE; what is summed up; to where.
static unsigned in_round(const regs *r, unsigned site) {
    return ROUND + r->round * ROUND_SITES + site;
}

static unsigned source(const regs *r) {
    return r->round == 0 ? BUFFER_WINDOW : BUFFER_SQUARE;
}

static unsigned total(const regs *r) {
    return r->round == 0 ? BUFFER_SUM : BUFFER_SQUARE_SUM;
}

// Whether element E of the padded window is one of the window's.
static bool in_window(unsigned e) {
    return e % PAD >= IN && e % PAD < IN + WINDOW && e / PAD >= IN && e / PAD < IN + WINDOW;
}

static float updated(float old, float seen) {
    return (float)((double)(alpha * old) + (1.0 - (double)alpha) * (double)seen);
}

// Runs its body with e = thread, thread + threads, ... below COUNT.
#define ELEMENTS(count)    \
    EACH r->e[lane] = TID; \
    WHILE(r->e[lane] < (count))
#define NEXT_ELEMENTS EACH r->e[lane] += s->threads
// Loads and stores element E of the block's part of a buffer.
#define GET(site, which, e, dest) LD(site, s->buffer[which], at(w, which, e), dest)
#define PUT(site, which, e, value) ST(site, s->buffer[which], float, at(w, which, e), value)

static gmmu_simt_event create_templates(heartwall *s, const gmmu_simt_warp *w, regs *r,
                                        gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(TID == 0) {
        LD(FIRST_ROW, s->row, BID, r->row);
        ST(FIRST_STORE_ROW, s->rows, int32_t, BID * s->frames, r->row[lane]);
        LD(FIRST_COLUMN, s->column, BID, r->column);
        ST(FIRST_STORE_COLUMN, s->columns, int32_t, BID * s->frames, r->column[lane]);
    }
    ENDIF;
    ELEMENTS(IN_ALL) {
        LD(CREATE_ROW, s->row, BID, r->row);
        LD(CREATE_COLUMN, s->column, BID, r->column);
        LD(CREATE_PIXEL, s->image, pixel(s, r->row[lane], r->column[lane], r->e[lane], IN), r->x);
        ST(CREATE_STORE, s->templates, float, BID *IN_ALL + r->e[lane], r->x[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    s->done += w->index == 0;
    WARP_END;
}

static gmmu_simt_event track(heartwall *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    shared *m = w->shared;
    const uint64_t own = BID * IN_ALL;  // the template
    const uint64_t window = at(w, BUFFER_WINDOW, 0);
    const uint64_t now = BID * s->frames + s->frame - 1;
    WARP_BEGIN;
    // the window
    LD(SELECT_ROW, s->row, BID, r->row);
    LD(SELECT_COLUMN, s->column, BID, r->column);
    ELEMENTS(WINDOW_ALL) {
        LD(SELECT_PIXEL, s->image, pixel(s, r->row[lane], r->column[lane], r->e[lane], WINDOW),
           r->x);
        PUT(SELECT_STORE, BUFFER_WINDOW, r->e[lane], r->x[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    // the convolution
    ELEMENTS(IN_ALL) {
        LD(ROTATE_LOAD, s->templates, own + IN_ALL - 1 - r->e[lane], r->x);
        EACH m->rotated[r->e[lane]] = r->x[lane];
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(CONV_ALL) {
        EACH {
            r->sum[lane] = 0;
            r->v[lane] = first_of(r->e[lane] / CONV, WINDOW);
            r->v_last[lane] = last_of(r->e[lane] / CONV, IN);
            r->u_first[lane] = first_of(r->e[lane] % CONV, WINDOW);
            r->u_last[lane] = last_of(r->e[lane] % CONV, IN);
            r->corner[lane] = r->e[lane] / CONV * WINDOW + r->e[lane] % CONV;
        }
        WHILE(r->v[lane] <= r->v_last[lane]) {
            EACH r->u[lane] = r->u_first[lane];
            WHILE(r->u[lane] <= r->u_last[lane]) {
                LD(CONV_LOAD, s->buffer[BUFFER_WINDOW],
                   window + (r->corner[lane] - r->v[lane] * WINDOW - r->u[lane]), r->x);
                EACH {
                    r->sum[lane] += m->rotated[r->v[lane] * IN + r->u[lane]] * r->x[lane];
                    r->u[lane]++;
                }
            }
            ENDWHILE;
            EACH r->v[lane]++;
        }
        ENDWHILE;
        PUT(CONV_STORE, BUFFER_CONV, r->e[lane], r->sum[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    // sums of the window under each place of the template, then of its squares
    for (r->round = 0; r->round < 2; r->round++) {
        ELEMENTS(PAD_ALL) {
            IF(in_window(r->e[lane])) {
                GET(in_round(r, PAD_LOAD), source(r),
                    (r->e[lane] / PAD - IN) * WINDOW + r->e[lane] % PAD - IN, r->x);
                PUT(in_round(r, PAD_STORE), BUFFER_PAD, r->e[lane], r->x[lane]);
            }
            ELSE {
                PUT(in_round(r, PAD_ZERO), BUFFER_PAD, r->e[lane], 0);
            }
            ENDIF;
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(PAD) {
            EACH r->sum[lane] = 0;
            for (r->i = 0; r->i < PAD; r->i++) {
                GET(in_round(r, DOWN_LOAD), BUFFER_PAD, r->e[lane] * PAD + r->i, r->x);
                PUT(in_round(r, DOWN_STORE), BUFFER_PAD, r->e[lane] * PAD + r->i,
                    r->x[lane] + r->sum[lane]);
                GET(in_round(r, DOWN_AGAIN), BUFFER_PAD, r->e[lane] * PAD + r->i, r->sum);
            }
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(STRIP_ALL) {
            GET(in_round(r, PART_LOAD), BUFFER_PAD,
                r->e[lane] / CONV * PAD + r->e[lane] % CONV + IN, r->x);
            PUT(in_round(r, PART_STORE), BUFFER_PAD_PART, r->e[lane], r->x[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(STRIP_ALL) {
            GET(in_round(r, STRIP_LOAD), BUFFER_PAD, r->e[lane] / CONV * PAD + r->e[lane] % CONV,
                r->x);
            PUT(in_round(r, STRIP_STORE), BUFFER_STRIP, r->e[lane], r->x[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(STRIP_ALL) {
            GET(in_round(r, STRIP_PART), BUFFER_PAD_PART, r->e[lane], r->x);
            GET(in_round(r, STRIP_AGAIN), BUFFER_STRIP, r->e[lane], r->y);
            PUT(in_round(r, STRIP_DIFFERENCE), BUFFER_STRIP, r->e[lane], r->x[lane] - r->y[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(CONV) {
            EACH r->sum[lane] = 0;
            for (r->i = 0; r->i < PAD; r->i++) {
                GET(in_round(r, ACROSS_LOAD), BUFFER_STRIP, r->i * CONV + r->e[lane], r->x);
                PUT(in_round(r, ACROSS_STORE), BUFFER_STRIP, r->i * CONV + r->e[lane],
                    r->x[lane] + r->sum[lane]);
                GET(in_round(r, ACROSS_AGAIN), BUFFER_STRIP, r->i * CONV + r->e[lane], r->sum);
            }
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(CONV_ALL) {
            GET(in_round(r, STRIP_PART_LOAD), BUFFER_STRIP, IN * CONV + r->e[lane], r->x);
            PUT(in_round(r, STRIP_PART_STORE), BUFFER_STRIP_PART, r->e[lane], r->x[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(CONV_ALL) {
            GET(in_round(r, SUM_LOAD), BUFFER_STRIP, r->e[lane], r->x);
            PUT(in_round(r, SUM_STORE), total(r), r->e[lane], r->x[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        ELEMENTS(CONV_ALL) {
            GET(in_round(r, SUM_PART), BUFFER_STRIP_PART, r->e[lane], r->x);
            GET(in_round(r, SUM_AGAIN), total(r), r->e[lane], r->y);
            PUT(in_round(r, SUM_DIFFERENCE), total(r), r->e[lane], r->x[lane] - r->y[lane]);
            NEXT_ELEMENTS;
        }
        ENDWHILE;
        SYNC;
        if (r->round == 0) {
            ELEMENTS(WINDOW_ALL) {
                GET(SQUARE_LOAD, BUFFER_WINDOW, r->e[lane], r->x);
                PUT(SQUARE_STORE, BUFFER_SQUARE, r->e[lane], r->x[lane] * r->x[lane]);
                NEXT_ELEMENTS;
            }
            ENDWHILE;
            SYNC;
        }
    }
    // the correlation
    ELEMENTS(CONV_ALL) {
        GET(DENOMINATOR_SUM, BUFFER_SUM, r->e[lane], r->x);
        GET(DENOMINATOR_SQUARES, BUFFER_SQUARE_SUM, r->e[lane], r->y);
        EACH {
            float spread = r->y[lane] - r->x[lane] * r->x[lane] / IN_ALL;
            r->y[lane] = sqrtf(spread < 0 ? 0 : spread);
        }
        PUT(DENOMINATOR_STORE, BUFFER_SQUARE_SUM, r->e[lane], r->y[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(IN_ALL) {
        LD(IN_SQUARE_LOAD, s->templates, own + r->e[lane], r->x);
        PUT(IN_SQUARE_STORE, BUFFER_IN_SQUARE, r->e[lane], r->x[lane] * r->x[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(IN) {
        EACH r->sum[lane] = 0;
        for (r->i = 0; r->i < IN; r->i++) {
            LD(IN_LOAD, s->templates, own + (uint64_t)r->e[lane] * IN + r->i, r->x);
            EACH r->sum[lane] += r->x[lane];
        }
        EACH m->sum[r->e[lane]] = r->sum[lane];
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(IN) {
        EACH r->sum[lane] = 0;
        for (r->i = 0; r->i < IN; r->i++) {
            GET(IN_SQUARE_AGAIN, BUFFER_IN_SQUARE, r->i * IN + r->e[lane], r->x);
            EACH r->sum[lane] += r->x[lane];
        }
        EACH m->square_sum[r->e[lane]] = r->sum[lane];
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    if (w->index == 0) {  // thread 0
        m->all = m->square_all = 0;
        for (unsigned i = 0; i < IN; i++) {
            m->all += m->sum[i];
            m->square_all += m->square_sum[i];
        }
        float mean = m->all / IN_ALL;
        m->scale = sqrtf(IN_ALL - 1) * sqrtf(m->square_all / IN_ALL - mean * mean);
    }
    SYNC;
    ELEMENTS(CONV_ALL) {
        GET(SCALE_LOAD, BUFFER_SQUARE_SUM, r->e[lane], r->x);
        PUT(SCALE_STORE, BUFFER_SQUARE_SUM, r->e[lane], r->x[lane] * m->scale);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(CONV_ALL) {
        GET(NUMERATOR_CONV, BUFFER_CONV, r->e[lane], r->x);
        GET(NUMERATOR_SUM, BUFFER_SUM, r->e[lane], r->y);
        PUT(NUMERATOR_STORE, BUFFER_CONV, r->e[lane], r->x[lane] - r->y[lane] * m->all / IN_ALL);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(CONV_ALL) {
        GET(CORRELATION_CONV, BUFFER_CONV, r->e[lane], r->x);
        GET(CORRELATION_LOAD, BUFFER_SQUARE_SUM, r->e[lane], r->y);
        PUT(CORRELATION_STORE, BUFFER_SQUARE_SUM, r->e[lane], r->x[lane] / r->y[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    // the mask: a single 1 at the last place, spread over the mask's size
    LD(MASK_LAST_ROW, s->rows, now - 1, r->last_row);
    LD(MASK_ROW, s->row, BID, r->row);
    LD(MASK_LAST_COLUMN, s->columns, now - 1, r->last_column);
    LD(MASK_COLUMN, s->column, BID, r->column);
    ELEMENTS(CONV_ALL) {
        PUT(MASK_STORE, BUFFER_MASK, r->e[lane],
            (int32_t)r->e[lane] == (CENTER + r->last_column[lane] - r->column[lane]) * CONV +
                                       CENTER + r->last_row[lane] - r->row[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    ELEMENTS(CONV_ALL) {
        EACH {
            r->sum[lane] = 0;
            r->v[lane] = first_of(r->e[lane] / CONV + MASK_BACK, MASK);
            r->v_last[lane] = last_of(r->e[lane] / CONV + MASK_BACK, CONV);
            r->u_first[lane] = first_of(r->e[lane] % CONV + MASK_BACK, MASK);
            r->u_last[lane] = last_of(r->e[lane] % CONV + MASK_BACK, CONV);
        }
        WHILE(r->v[lane] <= r->v_last[lane]) {
            EACH r->u[lane] = r->u_first[lane];
            WHILE(r->u[lane] <= r->u_last[lane]) {
                GET(MASK_LOAD, BUFFER_MASK, r->v[lane] * CONV + r->u[lane], r->x);
                EACH {
                    r->sum[lane] += r->x[lane];
                    r->u[lane]++;
                }
            }
            ENDWHILE;
            EACH r->v[lane]++;
        }
        ENDWHILE;
        GET(MASKED_LOAD, BUFFER_SQUARE_SUM, r->e[lane], r->x);
        PUT(MASKED_STORE, BUFFER_MASKED, r->e[lane], r->x[lane] * r->sum[lane]);
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    // the greatest
    ELEMENTS(CONV) {
        for (r->i = 0; r->i < CONV; r->i++) {
            GET(SEARCH_LOAD, BUFFER_MASKED, r->e[lane] * CONV + r->i, r->x);
            EACH if (fabsf(r->x[lane]) > r->best[lane]) {
                r->best[lane] = fabsf(r->x[lane]);
                r->best_at[lane] = r->e[lane] * CONV + r->i;
            }
        }
        EACH {
            m->best[r->e[lane]] = r->best[lane];
            m->best_at[r->e[lane]] = r->best_at[lane];
        }
        NEXT_ELEMENTS;
    }
    ENDWHILE;
    SYNC;
    IF(TID == 0) {
        EACH {
            r->best[lane] = 0;
            r->best_at[lane] = 0;
            for (unsigned i = 0; i < CONV; i++) {
                if (m->best[i] > r->best[lane]) {
                    r->best[lane] = m->best[i];
                    r->best_at[lane] = m->best_at[i];
                }
            }
        }
        LD(FOUND_ROW, s->row, BID, r->row);
        ST(FOUND_STORE_ROW, s->rows, int32_t, now,
           r->row[lane] + (int32_t)(r->best_at[lane] % CONV) - CENTER);
        LD(FOUND_COLUMN, s->column, BID, r->column);
        ST(FOUND_STORE_COLUMN, s->columns, int32_t, now,
           r->column[lane] + (int32_t)(r->best_at[lane] / CONV) - CENTER);
    }
    ENDIF;
    SYNC;
    if ((s->frame - 1) % UPDATE == 0) {
        LD(MOVE_ROW, s->rows, now, r->row);
        ST(MOVE_STORE_ROW, s->row, int32_t, BID, r->row[lane]);
        LD(MOVE_COLUMN, s->columns, now, r->column);
        ST(MOVE_STORE_COLUMN, s->column, int32_t, BID, r->column[lane]);
        ELEMENTS(IN_ALL) {
            LD(UPDATE_ROW, s->row, BID, r->row);
            LD(UPDATE_COLUMN, s->column, BID, r->column);
            LD(UPDATE_LOAD, s->templates, own + r->e[lane], r->x);
            LD(UPDATE_PIXEL, s->image, pixel(s, r->row[lane], r->column[lane], r->e[lane], IN),
               r->y);
            ST(UPDATE_STORE, s->templates, float, own + r->e[lane],
               updated(r->x[lane], r->y[lane]));
            NEXT_ELEMENTS;
        }
        ENDWHILE;
    }
    s->done += w->index == 0;
    WARP_END;
}

static gmmu_simt_event heartwall_step(void *self, const gmmu_simt_warp *w, void *registers,
                                      gmmu_simt_op *op) {
    heartwall *s = self;
    return s->frame == 1 ? create_templates(s, w, registers, op) : track(s, w, registers, op);
}

static double heartwall_progress(const void *self) {
    const heartwall *s = self;
    return (double)s->done / ((double)s->frames * (double)s->n);
}

// ---------------------------------------------------------------- the check

// A template, with the sums that a correlation takes of it.
typedef struct {
    float pixel[IN_ALL];
    float all, scale;
} pattern;

static void sum_pattern(pattern *t) {
    float squares = 0;
    t->all = 0;
    for (unsigned i = 0; i < IN; i++) {
        float column = 0;
        float row = 0;
        for (unsigned k = 0; k < IN; k++) {
            float x = t->pixel[k * IN + i];
            column += t->pixel[i * IN + k];
            row += x * x;
        }
        t->all += column;
        squares += row;
    }
    float mean = t->all / IN_ALL;
    t->scale = sqrtf(IN_ALL - 1) * sqrtf(squares / IN_ALL - mean * mean);
}

// Of T with the pixels of IMAGE around (ROW, COLUMN). Pixels are integers: their sums are exact.
static float correlate(const heartwall *s, const float *image, const pattern *t, int32_t row,
                       int32_t column) {
    const float *corner = image + pixel(s, row, column, 0, IN);
    float product = 0;
    uint64_t sum = 0;
    uint64_t squares = 0;
    for (unsigned c = IN; c-- > 0;) {
        for (unsigned r = IN; r-- > 0;) {
            float x = corner[c * s->side + r];
            product += t->pixel[c * IN + r] * x;
            sum += (uint64_t)x;
            squares += (uint64_t)x * (uint64_t)x;
        }
    }
    float all = (float)sum;
    float spread = sqrtf((float)squares - all * all / IN_ALL) * t->scale;
    return (product - all * t->all / IN_ALL) / spread;
}

static bool differs(const gmmu_array *array, uint64_t i, int32_t expected, gmmu_error *err) {
    int32_t found = ((const int32_t *)array->data)[i];
    if (found == expected)
        return false;
    snprintf(err->text, sizeof err->text,
             "heartwall: %s[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32, array->name, i,
             found, expected);
    return true;
}

// Follows point I through the frames, trying all places within the mask. Of the last frame the
// correlations themselves are compared, too.
static int follow(const heartwall *s, const float *images, uint64_t i, gmmu_error *err) {
    pattern t;
    int32_t row = 0;
    int32_t column = 0;
    int rc = GMMU_OK;
    place_point(s, i, &row, &column);
    for (unsigned e = 0; e < IN_ALL; e++) t.pixel[e] = images[pixel(s, row, column, e, IN)];
    int32_t base_row = row;  // of the window
    int32_t base_column = column;
    for (unsigned frame = 0; rc == GMMU_OK && frame < s->frames; frame++) {
        const float *image = images + frame * s->side * s->side;
        const float *masked =
            (const float *)s->buffer[BUFFER_MASKED]->data + i * stride_of(BUFFER_MASKED);
        const int32_t last_row = row;
        const int32_t last_column = column;
        float best = 0;
        sum_pattern(&t);
        for (int32_t e = 0; frame > 0 && rc == GMMU_OK && e < MASK * MASK; e++) {
            int32_t r = last_row - MASK_BACK + e % MASK;
            int32_t c = last_column - MASK_BACK + e / MASK;
            float value = correlate(s, image, &t, r, c);
            if (fabsf(value) > best) {
                best = fabsf(value);
                row = r;
                column = c;
            }
            if (frame == s->frames - 1)
                rc = lanes_compare(
                    "heartwall", "correlation",
                    masked + (uint64_t)(c - base_column + CENTER) * CONV + (r - base_row + CENTER),
                    &value, 1, err);
        }
        if (frame > 0 && frame % UPDATE == 0) {
            base_row = row;
            base_column = column;
            for (unsigned e = 0; e < IN_ALL; e++)
                t.pixel[e] = updated(t.pixel[e], image[pixel(s, row, column, e, IN)]);
        }
        if (differs(s->rows, i * s->frames + frame, row, err) ||
            differs(s->columns, i * s->frames + frame, column, err))
            rc = GMMU_BAD;
    }
    if (rc == GMMU_OK &&
        (differs(s->row, i, base_row, err) || differs(s->column, i, base_column, err)))
        rc = GMMU_BAD;
    return rc != GMMU_OK ? rc
                         : lanes_compare("heartwall", "template",
                                         (const float *)s->templates->data + i * IN_ALL, t.pixel,
                                         IN_ALL, err);
}

static int heartwall_check(const void *self, gmmu_error *err) {
    const heartwall *s = self;
    float *images = malloc(s->frames * s->side * s->side * sizeof *images);
    int rc = GMMU_OK;
    if (images == NULL) {
        snprintf(err->text, sizeof err->text, "heartwall: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (unsigned frame = 0; frame < s->frames; frame++)
        make_frame(images + frame * s->side * s->side, s->side, s->seed, frame);
    for (uint64_t i = 0; rc == GMMU_OK && i < s->n; i++) rc = follow(s, images, i, err);
    free(images);
    return rc;
}

static const gmmu_array *heartwall_result(const void *self) {
    return ((const heartwall *)self)->rows;
}

const gmmu_simt_kernel gmmu_simt_heartwall = {.name = "heartwall",
                                              .size_text = "points that are followed",
                                              .default_size = 12,
                                              .max_size = 4096,
                                              .regs = sizeof(regs),
                                              .create = heartwall_create,
                                              .destroy = free,
                                              .launch = heartwall_launch,
                                              .step = heartwall_step,
                                              .progress = heartwall_progress,
                                              .check = heartwall_check,
                                              .result = heartwall_result,
                                              .launches = {FRAMES, 256}};
