// SPDX-License-Identifier: Apache-2.0
// histo.c: histogram with many bins and counts that stop at 255, the four grids of Parboil's histo.
//
//   grid 1, prescan:        average and deviation of an eighth of the pixels; from them, the ranges
//                           of 24576 bins that most pixels fall into
//   grid 2, intermediates:  of each pixel: its range, and where its bin is in shared memory
//   grid 3, main:           14 blocks for each of those ranges go through all pixels; those of the
//                           range are counted in shared memory, in bytes, whose overflows go to
//                           `overflow`; the first blocks count pixels outside of all these ranges
//                           in `outside`; at the end, shared memory is added to `sums`
//   grid 4, final:          bytes from outside, sums and overflow, which are cleared
//
// A byte that overflows carries into the bytes above it in its word; each is put right by
// `overflow`, as in Parboil, whose final grid loads it, clears it and leaves it out. The image has
// 996 pixels a row, as Parboil's; sizes of blocks are Parboil's too. Pixels are normally
// distributed around the middle, one in 512 is anywhere, and every fourth row is flat, four
// neighbouring bins in turn. Counts are integers, and the ranges come from sums in a fixed order:
// nothing depends on the order of warps.
#include <math.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    WIDTH = 996,         // pixels of a row
    ITERATIONS = 3,      // unless chosen
    MOST = 255,          // of a count
    KIB = 24,            // of shared memory, a byte a bin
    RANGE = KIB * 1024,  // bins
    RANGES = 170,        // at most, near to Parboil's 4096 x 1024 bins
    ROWS_A_RANGE = 8,    // the histogram grows with the image
    PRESCAN_BLOCKS = 64,
    PRESCAN_THREADS = 512,
    SAMPLED = 8,  // one pixel of so many
    UNROLL = 16,
    MAIN_BLOCKS = 14,  // for a range
    MAIN_THREADS = 768,
    FINAL_BLOCKS = 3 * MAIN_BLOCKS,
    FINAL_THREADS = 512
};
enum { PRESCAN = 1, INTERMEDIATES, MAIN, FINAL };
enum {
    LOAD_PIXEL,
    LOAD_PIXEL_AGAIN,
    MIN_RANGE,
    MAX_RANGE,
    LOAD_PAIR,
    STORE_BIN,
    STORE_BIN_2,
    LOAD_BIN,
    ADD_OVERFLOW,  // of the bin and the three behind it
    LOAD_OUTSIDE = ADD_OVERFLOW + 4,
    ADD_OUTSIDE,
    ADD_SUM,  // of four bins
    LOAD_LOW = ADD_SUM + 4,
    CLEAR_LOW,
    STORE_LOW,
    LOAD_OVERFLOW,
    CLEAR_OVERFLOW,
    LOAD_SUM,  // of four bins
    STORE_MIDDLE = LOAD_SUM + 4,
    LOAD_HIGH,
    CLEAR_HIGH,
    STORE_HIGH
};

typedef struct {
    uint32_t first, second;
} pixel_pair;
typedef struct {
    uint8_t range, high, low, shift;  // the bin's byte is in word [high][low], `shift` bits up
} place;
typedef struct {
    uint8_t of[4];
} four_bytes;
typedef struct {
    uint16_t of[4];
} four_shorts;
typedef struct {
    uint32_t of[4];
} four_words;

typedef struct {
    uint64_t rows, pixels, bins;
    unsigned launches;
    unsigned iteration;
    unsigned grid;         // PRESCAN to FINAL while it runs, 0 before
    uint32_t first, last;  // ranges that are counted in shared memory
    uint64_t done;         // of the final grids, four bins each
    const gmmu_array *input, *ranges, *places, *sums, *outside, *overflow, *counts;
    gmmu_array pairs, outside_words, outside_fours, overflow_fours, count_fours;
} histo;

typedef struct {
    float average[PRESCAN_THREADS], deviation[PRESCAN_THREADS];
} prescan_memory;

typedef struct {
    WARP_STATE;
    unsigned i;
    uint64_t at[GMMU_WARP];
    uint32_t value[GMMU_WARP];
    float average[GMMU_WARP], deviation[GMMU_WARP];
    pixel_pair pair[GMMU_WARP];
    place place[GMMU_WARP];
    unsigned char carries[GMMU_WARP];  // bytes that were 255, from the bin's own on
    uint32_t in[4][GMMU_WARP];
    four_shorts shorts[GMMU_WARP];
    four_words words[GMMU_WARP];
} regs;

static uint32_t pixel(const histo *s, uint64_t i, uint64_t *random) {
    uint64_t r = gmmu_simt_random(random);
    uint64_t middle = s->bins / 2;
    if (i / WIDTH % 4 == 3)
        return (uint32_t)(middle + s->bins / 64 + i % WIDTH / 2 % 4);
    if (r % 512 == 0)
        return (uint32_t)((r >> 16) % s->bins);
    // Four numbers of 16 bits, each of variance 2^32 / 12: a deviation of a 256th of all bins.
    uint64_t sum = 0;
    for (r = gmmu_simt_random(random); r != 0; r >>= 16) sum += r & 0xffff;
    return (uint32_t)(middle + s->bins * sum / 9686330 - s->bins * 131070 / 9686330);
}

static void *histo_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t random = p->seed;
    histo *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "histo: no memory");
        return NULL;
    }
    s->rows = p->size;
    s->launches = p->launches;
    s->pixels = s->rows * WIDTH;
    uint64_t ranges = 1 + s->rows / ROWS_A_RANGE;
    s->bins = (uint64_t)RANGE * (ranges < RANGES ? ranges : RANGES);
    if ((s->input = gmmu_space_alloc(space, "input", s->pixels, sizeof(uint32_t), err)) == NULL ||
        (s->ranges = gmmu_space_alloc(space, "ranges", 2, sizeof(uint32_t), err)) == NULL ||
        (s->places = gmmu_space_alloc(space, "places", s->pixels, sizeof(place), err)) == NULL ||
        (s->sums = gmmu_space_alloc(space, "sums", s->bins, sizeof(uint32_t), err)) == NULL ||
        (s->outside = gmmu_space_alloc(space, "outside", s->bins, sizeof(uint16_t), err)) == NULL ||
        (s->overflow = gmmu_space_alloc(space, "overflow", s->bins, sizeof(uint32_t), err)) ==
            NULL ||
        (s->counts = gmmu_space_alloc(space, "counts", s->bins, sizeof(uint8_t), err)) == NULL) {
        free(s);
        return NULL;
    }
    s->pairs = lanes_view(s->input, sizeof(pixel_pair));
    s->outside_words = lanes_view(s->outside, sizeof(uint32_t));
    s->outside_fours = lanes_view(s->outside, sizeof(four_shorts));
    s->overflow_fours = lanes_view(s->overflow, sizeof(four_words));
    s->count_fours = lanes_view(s->counts, sizeof(four_bytes));
    for (uint64_t i = 0; i < s->pixels; i++) ((uint32_t *)s->input->data)[i] = pixel(s, i, &random);
    return s;
}

static bool histo_launch(void *self, gmmu_simt_grid *grid) {
    histo *s = self;
    uint32_t *range = s->ranges->data;
    s->grid = s->grid % FINAL + 1;
    switch (s->grid) {
        case PRESCAN:
            range[0] = UINT32_MAX;
            range[1] = 0;
            *grid = (gmmu_simt_grid){.blocks = PRESCAN_BLOCKS,
                                     .threads = PRESCAN_THREADS,
                                     .shared = sizeof(prescan_memory)};
            return s->iteration++ < s->launches;
        case INTERMEDIATES:
            memset(s->sums->data, 0, s->bins * sizeof(uint32_t));
            *grid =
                (gmmu_simt_grid){.blocks = (s->rows + UNROLL - 1) / UNROLL, .threads = WIDTH / 2};
            return true;
        case MAIN:
            s->first = range[0];
            s->last = range[1];
            *grid = (gmmu_simt_grid){.blocks = (uint64_t)MAIN_BLOCKS * (s->last - s->first + 1),
                                     .threads = MAIN_THREADS,
                                     .shared = RANGE};
            return true;
        default:
            *grid = (gmmu_simt_grid){.blocks = FINAL_BLOCKS, .threads = FINAL_THREADS};
            return true;
    }
}

// The range of a bin, which may be beyond the histogram at either end.
static uint32_t range_of(const histo *s, float bin) {
    uint64_t last = s->bins / RANGE - 1;
    return (uint32_t)fminf(fmaxf(bin / RANGE, 0), (float)last);
}

// Every thread's average and deviation, then the threads' averages of both. A thread without
// pixels, of which Parboil's averages are 0 / 0, counts for nothing.
static gmmu_simt_event prescan(const histo *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const uint64_t stride = s->pixels / PRESCAN_BLOCKS;
    const uint64_t sampled = stride / SAMPLED;
    const uint64_t threads = sampled < PRESCAN_THREADS ? sampled : PRESCAN_THREADS;
    prescan_memory *m = w->shared;
    WARP_BEGIN;
    EACH r->at[lane] = TID;
    WHILE(r->at[lane] < sampled) {
        LD(LOAD_PIXEL, s->input, BID * stride + r->at[lane], r->value);
        EACH {
            r->average[lane] += (float)r->value[lane];
            r->at[lane] += PRESCAN_THREADS;
        }
    }
    ENDWHILE;
    IF(TID < threads) {
        EACH {
            uint64_t n = r->at[lane] / PRESCAN_THREADS;
            r->average[lane] /= (float)n;
            r->at[lane] = TID;
        }
        WHILE(r->at[lane] < sampled) {
            LD(LOAD_PIXEL_AGAIN, s->input, BID * stride + r->at[lane], r->value);
            EACH {
                float off = (float)r->value[lane] - r->average[lane];
                r->deviation[lane] += off * off;
                r->at[lane] += PRESCAN_THREADS;
            }
        }
        ENDWHILE;
        EACH {
            m->average[TID] = r->average[lane];
            uint64_t n = r->at[lane] / PRESCAN_THREADS;
            m->deviation[TID] = sqrtf(r->deviation[lane] / (float)n);
        }
    }
    ENDIF;
    for (r->i = PRESCAN_THREADS / 2; r->i > 0; r->i /= 2) {
        SYNC;
        EACH {
            if (TID < r->i) {
                m->average[TID] += m->average[TID + r->i];
                m->deviation[TID] += m->deviation[TID + r->i];
            }
        }
    }
    IF(TID == 0) {
        EACH {
            r->average[lane] = m->average[0] / (float)threads;
            r->deviation[lane] = m->deviation[0] / (float)threads;
            r->in[0][lane] = range_of(s, r->average[lane] - 10 * r->deviation[lane]);
            r->in[1][lane] = range_of(s, r->average[lane] + 10 * r->deviation[lane]);
        }
        ATOMIC(MIN_RANGE, s->ranges, uint32_t, 0,
               *item = *item < r->in[0][lane] ? *item : r->in[0][lane]);
        ATOMIC(MAX_RANGE, s->ranges, uint32_t, 1,
               *item = *item > r->in[1][lane] ? *item : r->in[1][lane]);
    }
    ENDIF;
    WARP_END;
}

static place place_of(uint32_t bin) {
    return (place){.range = (uint8_t)(bin / RANGE),
                   .high = (uint8_t)(bin / 1024 % KIB),
                   .low = (uint8_t)(bin / 4 % 256),
                   .shift = (uint8_t)(bin % 4 * 8)};
}

static uint32_t bin_of(place p) {
    return p.range * (uint32_t)RANGE + p.high * 1024U + p.low * 4U + p.shift / 8U;
}

static gmmu_simt_event intermediates(const histo *s, const gmmu_simt_warp *w, regs *r,
                                     gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->i = 0; r->i < UNROLL && BID * UNROLL + r->i < s->rows; r->i++) {
        LD(LOAD_PAIR, &s->pairs, (BID * UNROLL + r->i) * (WIDTH / 2) + TID, r->pair);
        ST(STORE_BIN, s->places, place, (BID * UNROLL + r->i) * WIDTH + TID,
           place_of(r->pair[lane].first));
        ST(STORE_BIN_2, s->places, place, (BID * UNROLL + r->i) * WIDTH + WIDTH / 2 + TID,
           place_of(r->pair[lane].second));
    }
    WARP_END;
}

// Counts a pixel in a word of four bytes. Returns how many bytes overflowed: its own, and those
// that carries went through.
static unsigned char count_pixel(uint32_t *word, unsigned shift) {
    uint32_t before = *word;
    unsigned char carries = 0;
    *word += UINT32_C(1) << shift;
    for (; shift < 32 && (before >> shift & 0xff) == 0xff; shift += 8) carries++;
    return carries;
}

static gmmu_simt_event count(const histo *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const uint32_t mine = s->first + (uint32_t)(BID / MAIN_BLOCKS);
    uint32_t(*words)[256] = w->shared;
    WARP_BEGIN;
    EACH r->at[lane] = BID % MAIN_BLOCKS * MAIN_THREADS + TID;
    WHILE(r->at[lane] < s->pixels) {
        LD(LOAD_BIN, s->places, r->at[lane], r->place);
        EACH {
            place p = r->place[lane];
            r->at[lane] += (uint64_t)MAIN_BLOCKS * MAIN_THREADS;
            r->carries[lane] = 0;
            if (p.range == mine) {
                r->carries[lane] = count_pixel(&words[p.high][p.low], p.shift);
            }
        }
        // The bin lost 256. The byte above it has one too many, or lost 256 and has one too many.
        IF(r->carries[lane] > 0) {
            ATOMIC(ADD_OVERFLOW, s->overflow, uint32_t, bin_of(r->place[lane]), *item += 256);
            for (r->i = 1; r->i < 4; r->i++) {
                IF(r->carries[lane] >= r->i && r->place[lane].shift / 8 + r->i < 4) {
                    ATOMIC(ADD_OVERFLOW + r->i, s->overflow, uint32_t,
                           bin_of(r->place[lane]) + r->i,
                           *item += r->carries[lane] > r->i ? 255 : UINT32_MAX);
                }
                ENDIF;
            }
        }
        ENDIF;
        if (mine == s->first) {
            IF(r->place[lane].range < s->first || r->place[lane].range > s->last) {
                LD(LOAD_OUTSIDE, &s->outside_words, bin_of(r->place[lane]) / 2, r->value);
                IF((r->value[lane] >> r->place[lane].shift % 16 * 2 & 0xffff) < MOST) {
                    ATOMIC(ADD_OUTSIDE, &s->outside_words, uint32_t, bin_of(r->place[lane]) / 2,
                           *item += UINT32_C(1) << r->place[lane].shift % 16 * 2);
                }
                ENDIF;
            }
            ENDIF;
        }
    }
    ENDWHILE;
    SYNC;
    EACH r->at[lane] = TID;
    WHILE(r->at[lane] < RANGE / 4) {
        for (r->i = 0; r->i < 4; r->i++) {
            ATOMIC(ADD_SUM + r->i, s->sums, uint32_t,
                   (uint64_t)mine * RANGE + 4 * r->at[lane] + r->i,
                   *item += (&words[0][0])[r->at[lane]] >> 8 * r->i & 0xff);
        }
        EACH r->at[lane] += MAIN_THREADS;
    }
    ENDWHILE;
    WARP_END;
}

static uint8_t byte_of(uint32_t n) {
    return n < MOST ? (uint8_t)n : MOST;
}

static four_bytes bytes_of(const four_shorts *n) {
    return (four_bytes){
        {byte_of(n->of[0]), byte_of(n->of[1]), byte_of(n->of[2]), byte_of(n->of[3])}};
}

static gmmu_simt_event final(histo *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const uint64_t step = (uint64_t)FINAL_BLOCKS * FINAL_THREADS;
    const uint64_t middle = (uint64_t)s->first * RANGE / 4;
    const uint64_t high = ((uint64_t)s->last + 1) * RANGE / 4;
    WARP_BEGIN;
    EACH r->at[lane] = GID;
    WHILE(r->at[lane] < middle) {
        LD(LOAD_LOW, &s->outside_fours, r->at[lane], r->shorts);
        ST(CLEAR_LOW, &s->outside_fours, four_shorts, r->at[lane], (four_shorts){{0}});
        ST(STORE_LOW, &s->count_fours, four_bytes, r->at[lane], bytes_of(&r->shorts[lane]));
        EACH {
            r->at[lane] += step;
            s->done++;
        }
    }
    ENDWHILE;
    EACH r->at[lane] = middle + GID;
    WHILE(r->at[lane] < high) {
        LD(LOAD_OVERFLOW, &s->overflow_fours, r->at[lane], r->words);
        ST(CLEAR_OVERFLOW, &s->overflow_fours, four_words, r->at[lane], (four_words){{0}});
        for (r->i = 0; r->i < 4; r->i++) {
            LD(LOAD_SUM + r->i, s->sums, 4 * r->at[lane] + r->i, r->in[r->i]);
        }
        ST(STORE_MIDDLE, &s->count_fours, four_bytes, r->at[lane],
           ((four_bytes){{byte_of(r->words[lane].of[0] + r->in[0][lane]),
                          byte_of(r->words[lane].of[1] + r->in[1][lane]),
                          byte_of(r->words[lane].of[2] + r->in[2][lane]),
                          byte_of(r->words[lane].of[3] + r->in[3][lane])}}));
        EACH {
            r->at[lane] += step;
            s->done++;
        }
    }
    ENDWHILE;
    EACH r->at[lane] = high + GID;
    WHILE(r->at[lane] < s->bins / 4) {
        LD(LOAD_HIGH, &s->outside_fours, r->at[lane], r->shorts);
        ST(CLEAR_HIGH, &s->outside_fours, four_shorts, r->at[lane], (four_shorts){{0}});
        ST(STORE_HIGH, &s->count_fours, four_bytes, r->at[lane], bytes_of(&r->shorts[lane]));
        EACH {
            r->at[lane] += step;
            s->done++;
        }
    }
    ENDWHILE;
    WARP_END;
}

static gmmu_simt_event histo_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    histo *s = self;
    switch (s->grid) {
        case PRESCAN:
            return prescan(s, w, registers, op);
        case INTERMEDIATES:
            return intermediates(s, w, registers, op);
        case MAIN:
            return count(s, w, registers, op);
        default:
            return final(s, w, registers, op);
    }
}

static double histo_progress(const void *self) {
    const histo *s = self;
    return 4 * (double)s->done / ((double)s->launches * (double)s->bins);
}

static int histo_check(const void *self, gmmu_error *err) {
    const histo *s = self;
    const uint32_t *input = s->input->data;
    const uint8_t *found = s->counts->data;
    uint8_t *expected = calloc(s->bins, 1);
    int rc = GMMU_OK;
    if (expected == NULL) {
        snprintf(err->text, sizeof err->text, "histo: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t k = 0; k < s->pixels; k++)
        if (expected[input[k]] < MOST)
            expected[input[k]]++;
    uint64_t i = lanes_differ(found, expected, s->bins);
    if (i < s->bins) {
        snprintf(err->text, sizeof err->text, "histo: counts[%" PRIu64 "]: found %u, expected %u",
                 i, found[i], expected[i]);
        rc = GMMU_BAD;
    }
    free(expected);
    return rc;
}

static const gmmu_array *histo_result(const void *self) {
    return ((const histo *)self)->counts;
}

const gmmu_simt_kernel gmmu_simt_histo = {.name = "histo",
                                          .size_text = "rows of the image, of 996 pixels each",
                                          .default_size = 1040,
                                          .max_size = 1 << 21,
                                          .regs = sizeof(regs),
                                          .create = histo_create,
                                          .destroy = free,
                                          .launch = histo_launch,
                                          .step = histo_step,
                                          .progress = histo_progress,
                                          .check = histo_check,
                                          .result = histo_result,
                                          .launches = {ITERATIONS, 1 << 16}};
