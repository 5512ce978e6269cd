// SPDX-License-Identifier: Apache-2.0
// sad.c: sums of absolute differences for H.264's motion search, the three grids of Parboil's sad.
//
//   grid 1, a block for 4 x 4 pixels of the frame: their SADs at 33 x 33 places of the reference,
//           18 places a thread, three side by side at once; gathered in shared memory, stored 8
//           bytes a thread
//   grid 2, a block for a macroblock of 16 x 16 pixels: SADs of 8 x 4, 4 x 8 and 8 x 8 pixels from
//           those of 4 x 4, two 16-bit sums in a word
//   grid 3, likewise: 16 x 8, 8 x 16 and 16 x 16 pixels from those of 8 x 8
//
// The reference, a texture in Parboil, is an array of rows here; places outside of it have its
// nearest pixel. The result of 1096 SADs (1089 and padding) for each of 41 parts of a macroblock is
// by far the largest array. Its order: part types from the largest, then macroblocks, then the
// parts of one row by row.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    RANGE = 16,  // pixels that the search goes to each side
    SIDE = 2 * RANGE + 1,
    PLACES = SIDE * SIDE,
    PADDED = 1096,  // places of one part in memory
    PER_THREAD = 18,
    THREADS = (PLACES + PER_THREAD - 1) / PER_THREAD,
    PARTS = 41,
    WORDS = (PLACES + 1) / 2,  // of two places each
    ROW_WORDS = PADDED / 2
};
enum {
    LOAD_FRAME,
    LOAD_REFERENCE,  // six, side by side
    STORE_4X4 = LOAD_REFERENCE + 6,
    LOAD_4X4,                 // four
    STORE_8 = LOAD_4X4 + 4,   // five
    LOAD_8X8 = STORE_8 + 5,   // four
    STORE_16 = LOAD_8X8 + 4,  // five
};

// Types of parts: blocks of 4 x 4 pixels that they span, and where they begin in the array, in
// parts for one macroblock.
static const struct {
    unsigned wide, high, first;
} types[] = {{4, 4, 0}, {4, 2, 1}, {2, 4, 3}, {2, 2, 5}, {2, 1, 9}, {1, 2, 17}, {1, 1, 25}};
enum { TYPES = sizeof types / sizeof *types };

typedef struct {
    uint64_t across;  // macroblocks of a row, and rows of them
    unsigned grids;   // launched so far
    uint64_t done;    // blocks of 4 x 4 pixels
    uint16_t *expected;
    const gmmu_array *frame, *reference, *sads;
    gmmu_array words, quads;  // sads, 4 and 8 bytes at once
} sad;

typedef struct {
    uint16_t pixel[16];
    uint16_t sad[PADDED];
} block_memory;

typedef struct {
    uint16_t sad[4];
} quad;

typedef struct {
    WARP_STATE;
    unsigned x, y, i;
    unsigned place[GMMU_WARP], end[GMMU_WARP];
    uint16_t pixel[GMMU_WARP], sum[3][GMMU_WARP];
    uint32_t in[4][GMMU_WARP];
} regs;

// The SADs of part PART of type TYPE of macroblock BLOCK.
static uint64_t part_at(const sad *s, unsigned type, uint64_t block, uint64_t part) {
    uint64_t parts = 16 / (types[type].wide * types[type].high);
    return (types[type].first * s->across * s->across + parts * block + part) * PADDED;
}

static uint64_t clamped(int64_t x, uint64_t size) {
    return x < 0 ? 0 : (uint64_t)x < size ? (uint64_t)x : size - 1;
}

// ---------------------------------------------------------------- the CPU's answer

// SADs of the 4 x 4 blocks of macroblock (MX, MY) at one place, from their definition.
static void sads_4x4(const sad *s, uint64_t mx, uint64_t my, int dx, int dy, unsigned sum[4][4]) {
    uint64_t width = 16 * s->across;
    const uint16_t *frame = s->frame->data;
    const uint16_t *reference = s->reference->data;
    for (unsigned y = 0; y < 16; y++) {
        const uint16_t *row = reference + clamped((int64_t)(16 * my + y) + dy, width) * width;
        for (unsigned x = 0; x < 16; x++) {
            int a = frame[(16 * my + y) * width + 16 * mx + x];
            int b = row[clamped((int64_t)(16 * mx + x) + dx, width)];
            sum[y / 4][x / 4] += (unsigned)abs(a - b);
        }
    }
}

static void compute_expected(sad *s) {
    for (uint64_t block = 0; block < s->across * s->across; block++) {
        for (unsigned place = 0; place < PLACES; place++) {
            unsigned sum[4][4] = {{0}};
            sads_4x4(s, block % s->across, block / s->across, (int)(place % SIDE) - RANGE,
                     (int)(place / SIDE) - RANGE, sum);
            for (unsigned type = 0; type < TYPES; type++) {
                unsigned wide = types[type].wide;
                unsigned high = types[type].high;
                for (unsigned y = 0; y < 4; y++)
                    for (unsigned x = 0; x < 4; x++)
                        s->expected[part_at(s, type, block, y / high * (4 / wide) + x / wide) +
                                    place] += (uint16_t)sum[y][x];
            }
        }
    }
}

// ---------------------------------------------------------------- the kernel

static void sad_destroy(void *self) {
    sad *s = self;
    free(s->expected);
    free(s);
}

static void *sad_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t across = (p->size + 15) / 16;
    uint64_t pixels = 256 * across * across;
    uint64_t results = UINT64_C(1) * PARTS * PADDED * across * across;
    uint64_t random = p->seed;
    sad *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "sad: no memory");
        return NULL;
    }
    s->across = across;
    if ((s->frame = gmmu_space_alloc(space, "frame", pixels, sizeof(uint16_t), err)) == NULL ||
        (s->reference = gmmu_space_alloc(space, "reference", pixels, sizeof(uint16_t), err)) ==
            NULL ||
        (s->sads = gmmu_space_alloc(space, "sads", results, sizeof(uint16_t), err)) == NULL) {
        sad_destroy(s);
        return NULL;
    }
    s->expected = calloc(results, sizeof(uint16_t));
    if (s->expected == NULL) {
        snprintf(err->text, sizeof err->text, "sad: no memory for %" PRIu64 " macroblocks",
                 across * across);
        sad_destroy(s);
        return NULL;
    }
    s->words = lanes_view(s->sads, sizeof(uint32_t));
    s->quads = lanes_view(s->sads, sizeof(quad));
    for (uint64_t i = 0; i < pixels; i++) {
        uint64_t r = gmmu_simt_random(&random);
        ((uint16_t *)s->frame->data)[i] = r & 0xff;
        ((uint16_t *)s->reference->data)[i] = r >> 8 & 0xff;
    }
    compute_expected(s);
    return s;
}

static bool sad_launch(void *self, gmmu_simt_grid *grid) {
    sad *s = self;
    uint64_t blocks = s->across * s->across;
    switch (++s->grids) {
        case 1:
            *grid = (gmmu_simt_grid){
                .blocks = 16 * blocks, .threads = THREADS, .shared = sizeof(block_memory)};
            return true;
        case 2:
            *grid = (gmmu_simt_grid){.blocks = blocks, .threads = 4 * GMMU_WARP};
            return true;
        case 3:
            *grid = (gmmu_simt_grid){.blocks = blocks, .threads = GMMU_WARP};
            return true;
        default:
            return false;
    }
}

// Adds a pixel of the reference to the SADs of three places side by side; it is column X and row Y
// as the first of them counts.
static void add_pixel(const uint16_t *pixel, unsigned x, unsigned y, int reference, uint16_t *first,
                      uint16_t *second, uint16_t *third) {
    uint16_t *const sum[3] = {first, second, third};
    for (unsigned i = 0; i < 3; i++)
        if (x >= i && x - i < 4)
            *sum[i] = (uint16_t)(*sum[i] + abs(reference - pixel[4 * y + x - i]));
}

static gmmu_simt_event small_parts(sad *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const uint64_t width = 16 * s->across;
    const uint64_t left = BID % (4 * s->across) * 4;
    const uint64_t top = BID / (4 * s->across) * 4;
    block_memory *m = w->shared;
    WARP_BEGIN;
    IF(TID < 16) {
        LD(LOAD_FRAME, s->frame, (top + TID / 4) * width + left + TID % 4, r->pixel);
        EACH m->pixel[TID] = r->pixel[lane];
    }
    ENDIF;
    SYNC;
    EACH {
        r->place[lane] = TID * PER_THREAD;
        r->end[lane] = (TID + 1) * PER_THREAD < PLACES ? (TID + 1) * PER_THREAD : PLACES;
    }
    WHILE(r->place[lane] < r->end[lane]) {
        EACH r->sum[0][lane] = r->sum[1][lane] = r->sum[2][lane] = 0;
        for (r->y = 0; r->y < 4; r->y++) {
            for (r->x = 0; r->x < 6; r->x++) {
                LD(LOAD_REFERENCE + r->x, s->reference,
                   clamped((int64_t)(top + r->y + r->place[lane] / SIDE) - RANGE, width) * width +
                       clamped((int64_t)(left + r->x + r->place[lane] % SIDE) - RANGE, width),
                   r->pixel);
                EACH add_pixel(m->pixel, r->x, r->y, r->pixel[lane], &r->sum[0][lane],
                               &r->sum[1][lane], &r->sum[2][lane]);
            }
        }
        EACH {
            for (unsigned i = 0; i < 3; i++) m->sad[r->place[lane] + i] = r->sum[i][lane];
            r->place[lane] += 3;
        }
    }
    ENDWHILE;
    SYNC;
    IF(TID < GMMU_WARP) {
        EACH r->place[lane] = TID;
        WHILE(r->place[lane] < PADDED / 4) {
            ST(STORE_4X4, &s->quads, quad,
               part_at(s, TYPES - 1, top / 16 * s->across + left / 16, top % 16 + left % 16 / 4) /
                       4 +
                   r->place[lane],
               ((const quad *)m->sad)[r->place[lane]]);
            EACH r->place[lane] += GMMU_WARP;
        }
        ENDWHILE;
        s->done++;
    }
    ENDIF;
    WARP_END;
}

// Loads four parts of one type, that lie in two rows side by side, and stores the sums of columns,
// of rows and of all.
static gmmu_simt_event larger_parts(const sad *s, const gmmu_simt_warp *w, regs *r,
                                    gmmu_simt_op *op) {
    const bool eight = s->grids == 2;  // a warp for each quarter of a macroblock
    const uint64_t x = eight ? w->index % 2 : 0;
    const uint64_t y = eight ? w->index / 2 : 0;
    const unsigned load = eight ? LOAD_4X4 : LOAD_8X8;
    const unsigned store = eight ? STORE_8 : STORE_16;
    const uint64_t row = eight ? 4 : 2;  // parts in a row
    const uint64_t from = part_at(s, eight ? 6 : 3, BID, 2 * (y * row + x)) / 2;
    const uint64_t tall = part_at(s, eight ? 5 : 2, BID, y * row + 2 * x) / 2;
    const uint64_t flat = part_at(s, eight ? 4 : 1, BID, y * row + x) / 2;
    const uint64_t all = part_at(s, eight ? 3 : 0, BID, 2 * y + x) / 2;
    WARP_BEGIN;
    EACH r->place[lane] = lane;
    WHILE(r->place[lane] < WORDS) {
        for (r->i = 0; r->i < 4; r->i++) {
            LD(load + r->i, &s->words,
               from + (r->i / 2 * row + r->i % 2) * ROW_WORDS + r->place[lane], r->in[r->i]);
        }
        ST(store, &s->words, uint32_t, tall + r->place[lane], r->in[0][lane] + r->in[2][lane]);
        ST(store + 1, &s->words, uint32_t, tall + ROW_WORDS + r->place[lane],
           r->in[1][lane] + r->in[3][lane]);
        ST(store + 2, &s->words, uint32_t, flat + r->place[lane], r->in[0][lane] + r->in[1][lane]);
        ST(store + 3, &s->words, uint32_t, flat + row / 2 * ROW_WORDS + r->place[lane],
           r->in[2][lane] + r->in[3][lane]);
        ST(store + 4, &s->words, uint32_t, all + r->place[lane],
           r->in[0][lane] + r->in[1][lane] + r->in[2][lane] + r->in[3][lane]);
        EACH r->place[lane] += GMMU_WARP;
    }
    ENDWHILE;
    WARP_END;
}

static gmmu_simt_event sad_step(void *self, const gmmu_simt_warp *w, void *registers,
                                gmmu_simt_op *op) {
    sad *s = self;
    return s->grids == 1 ? small_parts(s, w, registers, op) : larger_parts(s, w, registers, op);
}

static double sad_progress(const void *self) {
    const sad *s = self;
    return (double)s->done / (16 * (double)s->across * (double)s->across);
}

static int sad_check(const void *self, gmmu_error *err) {
    const sad *s = self;
    const uint16_t *found = s->sads->data;
    uint64_t i = lanes_differ(found, s->expected, s->sads->count * sizeof *found) / sizeof *found;
    if (i == s->sads->count)
        return GMMU_OK;
    snprintf(err->text, sizeof err->text, "sad: sads[%" PRIu64 "]: found %u, expected %u", i,
             found[i], s->expected[i]);
    return GMMU_BAD;
}

static const gmmu_array *sad_result(const void *self) {
    return ((const sad *)self)->sads;
}

const gmmu_simt_kernel gmmu_simt_sad = {.name = "sad",
                                        .size_text = "pixels of the image's edge, rounded up to 16",
                                        .default_size = 160,
                                        .max_size = 8192,
                                        .regs = sizeof(regs),
                                        .create = sad_create,
                                        .destroy = sad_destroy,
                                        .launch = sad_launch,
                                        .step = sad_step,
                                        .progress = sad_progress,
                                        .check = sad_check,
                                        .result = sad_result};
