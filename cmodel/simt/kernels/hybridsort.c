// SPDX-License-Identifier: Apache-2.0
// hybridsort.c: sorts floats by buckets, then each bucket by merging vectors of four: Rodinia's
// hybridsort, after Sintorn and Assarsson 2008.
//
//   histogram   1024 bins of the input, counted in shared memory by 64 blocks
//   count       of each element its bucket, by binary search among the pivots that the host took
//               from the histogram, and its place among the block's elements there
//   prefix      thread b: where each block's elements of bucket b begin, and how many there are
//   scatter     elements to their buckets, each of which begins at a whole vector: zeros before its
//               first element, which sort to its front
//   first       sorts each vector
//   pass        a thread merges two runs of a bucket, of 1, 2, 4, ... vectors, until one is left
//   pack        leaves out the zeros
//
// Blocks are as large as the source's: 96, 32, 128, 32, and 208 threads for a pass; --block is that
// of first and pack, 256 there. A pass reads the vector behind a run before it knows that the run
// has ended, as the source does. Counting in shared memory gives places in the order of lanes,
// where the source leaves it to the hardware. Input and output change roles from pass to pass.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    BINS = 1024,
    BUCKETS = 1024,
    LOG_BUCKETS = 10,
    HISTOGRAM_BLOCKS = 64,
    HISTOGRAM_WARPS = 3,
    HISTOGRAM_THREADS = HISTOGRAM_WARPS * GMMU_WARP,
    COUNT_THREADS = 32,
    BAND = 128,  // elements of a thread
    PREFIX_THREADS = 128,
    PASS_THREADS = 208,
    PASS_BLOCKS = 8  // at least
};

typedef enum { START, HISTOGRAM, COUNT, PREFIX, SCATTER, FIRST, PASS, PACK, DONE } stages;

typedef struct {
    float v[4];
} vector;

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned block;
    stages stage;
    uint64_t blocks;    // of count and scatter
    float low, high;    // of the input
    uint64_t vectors;   // with the zeros
    uint64_t largest;   // bucket, in vectors
    uint64_t run;       // vectors that a thread writes in this pass, or a bucket's rest
    uint64_t per;       // threads for a bucket
    unsigned from, to;  // of the two lists, for this grid
    uint64_t done;      // elements, over all grids
    const gmmu_array *list[2];
    gmmu_array wide[2];  // the lists as vectors
    gmmu_array sorted;   // what the host copies back
    const gmmu_array *histogram, *pivot, *indices, *prefix, *size, *start;
    const gmmu_array *vector_start, *final_start, *zeros;
} sorter;

enum {
    HISTOGRAM_LOAD,
    HISTOGRAM_ADD,
    COUNT_LOAD,
    COUNT_PIVOT,
    COUNT_NEXT_PIVOT,
    COUNT_STORE,
    COUNT_STORE_SIZE,
    PREFIX_LOAD,
    PREFIX_STORE,
    PREFIX_STORE_SIZE,
    SCATTER_START,
    SCATTER_PREFIX,
    SCATTER_LOAD,
    SCATTER_INDEX,
    SCATTER_STORE,
    FIRST_LOAD,
    FIRST_STORE,
    PASS_START,
    PASS_END,
    PASS_END_B,
    PASS_END_COPY,
    PASS_LOAD_COPY,
    PASS_STORE_COPY,
    PASS_LOAD_A,
    PASS_LOAD_B,
    PASS_NEXT_A,
    PASS_NEXT_B,
    PASS_STORE,
    PASS_END_NEXT,
    PASS_STORE_LAST,
    PACK_FINAL,
    PACK_FINAL_END,
    PACK_START,
    PACK_ZEROS,
    PACK_LOAD,
    PACK_FINAL_STORE,
    PACK_STORE
};

typedef struct {
    WARP_STATE;
    unsigned jump;
    uint64_t k;
    uint64_t at[GMMU_WARP];
    float x[GMMU_WARP], pivot[GMMU_WARP];
    uint32_t index[GMMU_WARP], count[GMMU_WARP], sum[GMMU_WARP];
    // of a pass
    uint64_t bucket[GMMU_WARP], out[GMMU_WARP];
    uint64_t a_at[GMMU_WARP], a_end[GMMU_WARP], b_at[GMMU_WARP], b_end[GMMU_WARP];
    uint32_t start[GMMU_WARP], end[GMMU_WARP];
    bool left_a[GMMU_WARP], left_b[GMMU_WARP];
    vector a[GMMU_WARP], b[GMMU_WARP], next_a[GMMU_WARP], next_b[GMMU_WARP];
} regs;

// ---------------------------------------------------------------- the host's part

static float lesser(float a, float b) {
    return a < b ? a : b;
}

static float greater(float a, float b) {
    return a < b ? b : a;
}

static void fill(float *list, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n; i++) list[i] = lanes_random(&seed);
}

static void *hybridsort_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    sorter *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "hybridsort: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    s->block = p->block;
    s->blocks = (s->n - 1) / ((uint64_t)COUNT_THREADS * BAND) + 1;
    uint64_t room = (s->n + 4 * (uint64_t)BUCKETS + 3) / 4 * 4;
    const struct {
        const gmmu_array **array;
        const char *name;
        uint64_t count;
    } arrays[] = {{&s->list[0], "input", room},
                  {&s->list[1], "output", room},
                  {&s->indices, "indices", s->n},
                  {&s->prefix, "prefix", s->blocks * BUCKETS},
                  {&s->histogram, "histogram", BINS},
                  {&s->pivot, "pivot", BUCKETS},
                  {&s->size, "size", BUCKETS},
                  {&s->start, "start", BUCKETS},
                  {&s->vector_start, "vector_start", BUCKETS + 1},
                  {&s->final_start, "final_start", BUCKETS + 1},
                  {&s->zeros, "zeros", BUCKETS}};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].array =
            gmmu_space_alloc(space, arrays[i].name, arrays[i].count, sizeof(float), err);
        if (*arrays[i].array == NULL) {
            free(s);
            return NULL;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        s->wide[i] = *s->list[i];
        s->wide[i].count = room / 4;
        s->wide[i].element = sizeof(vector);
    }
    const float *input = s->list[0]->data;
    fill(s->list[0]->data, s->n, s->seed);
    s->low = s->high = input[0];
    for (uint64_t i = 1; i < s->n; i++) {
        s->low = input[i] < s->low ? input[i] : s->low;
        s->high = input[i] > s->high ? input[i] : s->high;
    }
    return s;
}

// Pivots that cut the input into buckets of one size, as far as the bins tell: each bin's elements
// count as spread evenly over it.
static void choose_pivots(const sorter *s) {
    const uint32_t *bin = s->histogram->data;
    float *pivot = s->pivot->data;
    float width = (s->high - s->low) / BINS;
    float share = (float)s->n / BUCKETS;
    float needed = share;
    float before = s->low;
    unsigned known = 0;
    for (unsigned i = 0; i < BINS; i++) {
        float left = (float)bin[i];
        float at = s->low + (float)i * width;
        for (; left > needed && known < BUCKETS; known++) {
            at += needed / left * (s->low + (float)(i + 1) * width - at);
            // rounding must not bring a pivot before the one in front of it
            before = pivot[known] = greater(at, before);
            left -= needed;
            needed = share;
        }
        needed -= left;
    }
    for (; known < BUCKETS; known++) pivot[known] = s->high;
}

// Sizes of the buckets to their beginnings, in vectors and, without zeros, in elements.
static void place_buckets(sorter *s) {
    const uint32_t *size = s->size->data;
    uint32_t *start = s->start->data;
    uint32_t *vector_start = s->vector_start->data;
    uint32_t *final_start = s->final_start->data;
    for (unsigned i = 0; i < BUCKETS; i++) {
        uint32_t vectors = (size[i] + 3) / 4;
        start[i] = 4 * vector_start[i];
        vector_start[i + 1] = vector_start[i] + vectors;
        final_start[i + 1] = final_start[i] + size[i];
        ((uint32_t *)s->zeros->data)[i] = 4 * vectors - size[i];
        s->largest = vectors > s->largest ? vectors : s->largest;
    }
    s->vectors = vector_start[BUCKETS];
}

static uint64_t parts(uint64_t n, uint64_t part) {
    return (n + part - 1) / part;
}

static gmmu_simt_grid grid_of(const sorter *s) {
    uint64_t needed = s->per * BUCKETS;
    switch (s->stage) {
        case HISTOGRAM:
            return (gmmu_simt_grid){.blocks = HISTOGRAM_BLOCKS,
                                    .threads = HISTOGRAM_THREADS,
                                    .shared = sizeof(uint32_t) * HISTOGRAM_WARPS * BINS};
        case PREFIX:
            return (gmmu_simt_grid){.blocks = BUCKETS / PREFIX_THREADS, .threads = PREFIX_THREADS};
        case FIRST:
            return (gmmu_simt_grid){.blocks = parts(s->vectors, s->block), .threads = s->block};
        case PASS:
            if (parts(needed, PASS_THREADS) >= PASS_BLOCKS)
                return (gmmu_simt_grid){.blocks = parts(needed, PASS_THREADS),
                                        .threads = PASS_THREADS};
            return (gmmu_simt_grid){.blocks = PASS_BLOCKS,
                                    .threads = (unsigned)parts(needed, PASS_BLOCKS)};
        case PACK:
            return (gmmu_simt_grid){.blocks = parts(4 * s->largest, s->block) * BUCKETS,
                                    .threads = s->block};
        default:  // COUNT, SCATTER
            return (gmmu_simt_grid){.blocks = s->blocks,
                                    .threads = COUNT_THREADS,
                                    .shared = BUCKETS * sizeof(uint32_t)};
    }
}

static bool hybridsort_launch(void *self, gmmu_simt_grid *grid) {
    sorter *s = self;
    if (s->stage != PASS || s->per == 1)
        s->stage++;
    switch (s->stage) {
        case COUNT:
            choose_pivots(s);
            break;
        case SCATTER:
            place_buckets(s);
            break;
        case FIRST:
            s->from = 1;
            break;
        case PASS:
        case PACK:
            s->from = s->to;
            s->run = s->run == 0 ? 2 : 2 * s->run;
            s->per = parts(s->largest, s->run);
            break;
        case DONE:
            s->sorted = *s->list[s->to];
            s->sorted.count = s->n;
            return false;
        default:  // HISTOGRAM, PREFIX
            break;
    }
    s->to = 1 - s->from;
    *grid = grid_of(s);
    return true;
}

// ---------------------------------------------------------------- vectors

// A network of five comparators.
static vector sort_vector(vector r) {
    float x = lesser(r.v[0], r.v[1]);
    float y = greater(r.v[0], r.v[1]);
    float z = lesser(r.v[2], r.v[3]);
    float w = greater(r.v[2], r.v[3]);
    float middle_a = greater(x, z);
    float middle_b = lesser(y, w);
    return (vector){
        {lesser(x, z), lesser(middle_a, middle_b), greater(middle_a, middle_b), greater(y, w)}};
}

// Of two sorted vectors: the four lowest to A, the others to B, both sorted.
static void merge_vectors(vector *a, vector *b) {
    vector low;
    vector high;
    for (unsigned i = 0; i < 4; i++) {
        low.v[i] = lesser(a->v[i], b->v[3 - i]);
        high.v[i] = greater(a->v[3 - i], b->v[i]);
    }
    *a = sort_vector(low);
    *b = sort_vector(high);
}

// ---------------------------------------------------------------- the grids

static gmmu_simt_event histogram(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint32_t *bin = w->shared;
    float range = s->high > s->low ? s->high - s->low : 1;
    WARP_BEGIN;
    EACH r->at[lane] = GID;
    WHILE(r->at[lane] < s->n) {
        LD(HISTOGRAM_LOAD, s->list[0], r->at[lane], r->x);
        EACH {
            unsigned b = (unsigned)((r->x[lane] - s->low) / range * BINS);
            bin[w->index * BINS + (b < BINS ? b : BINS - 1)]++;
            r->at[lane] += (uint64_t)HISTOGRAM_BLOCKS * HISTOGRAM_THREADS;
        }
        s->done += lanes_count(r->warp.mask);
    }
    ENDWHILE;
    SYNC;
    EACH r->at[lane] = TID;
    WHILE(r->at[lane] < BINS) {
        EACH {
            r->sum[lane] = 0;
            for (unsigned i = 0; i < HISTOGRAM_WARPS; i++)
                r->sum[lane] += bin[r->at[lane] + (uint64_t)i * BINS];
        }
        ATOMIC(HISTOGRAM_ADD, s->histogram, uint32_t, r->at[lane], *item += r->sum[lane]);
        EACH r->at[lane] += HISTOGRAM_THREADS;
    }
    ENDWHILE;
    WARP_END;
}

static gmmu_simt_event count(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint32_t *found = w->shared;
    WARP_BEGIN;
    EACH r->at[lane] = GID;
    WHILE(r->at[lane] < s->n) {
        LD(COUNT_LOAD, s->list[0], r->at[lane], r->x);
        EACH r->index[lane] = BUCKETS / 2 - 1;
        LD(COUNT_PIVOT, s->pivot, r->index[lane], r->pivot);
        for (r->jump = BUCKETS / 4; r->jump >= 1; r->jump /= 2) {
            EACH {
                if (r->x[lane] < r->pivot[lane])
                    r->index[lane] -= r->jump;
                else
                    r->index[lane] += r->jump;
            }
            LD(COUNT_NEXT_PIVOT, s->pivot, r->index[lane], r->pivot);
        }
        EACH {
            r->index[lane] += r->x[lane] >= r->pivot[lane];
            r->count[lane] = found[r->index[lane]]++;
        }
        ST(COUNT_STORE, s->indices, uint32_t, r->at[lane],
           r->count[lane] << LOG_BUCKETS | r->index[lane]);
        EACH r->at[lane] += s->blocks * COUNT_THREADS;
        s->done += lanes_count(r->warp.mask);
    }
    ENDWHILE;
    SYNC;
    for (r->k = 0; r->k < BUCKETS; r->k += COUNT_THREADS) {
        ST(COUNT_STORE_SIZE, s->prefix, uint32_t, BID * BUCKETS + r->k + lane, found[r->k + lane]);
    }
    WARP_END;
}

static gmmu_simt_event prefix(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->k = 0; r->k < s->blocks; r->k++) {
        LD(PREFIX_LOAD, s->prefix, r->k * BUCKETS + GID, r->count);
        ST(PREFIX_STORE, s->prefix, uint32_t, r->k * BUCKETS + GID, r->sum[lane]);
        EACH r->sum[lane] += r->count[lane];
    }
    ST(PREFIX_STORE_SIZE, s->size, uint32_t, GID, r->sum[lane]);
    WARP_END;
}

static gmmu_simt_event scatter(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint32_t *place = w->shared;
    WARP_BEGIN;
    for (r->k = 0; r->k < BUCKETS; r->k += COUNT_THREADS) {
        LD(SCATTER_START, s->start, r->k + lane, r->start);
        LD(SCATTER_PREFIX, s->prefix, BID * BUCKETS + r->k + lane, r->count);
        EACH place[r->k + lane] = r->start[lane] + r->count[lane];
    }
    SYNC;
    EACH r->at[lane] = GID;
    WHILE(r->at[lane] < s->n) {
        LD(SCATTER_LOAD, s->list[0], r->at[lane], r->x);
        LD(SCATTER_INDEX, s->indices, r->at[lane], r->index);
        ST(SCATTER_STORE, s->list[1], float,
           place[r->index[lane] % BUCKETS] + (r->index[lane] >> LOG_BUCKETS), r->x[lane]);
        EACH r->at[lane] += s->blocks * COUNT_THREADS;
        s->done += lanes_count(r->warp.mask);
    }
    ENDWHILE;
    WARP_END;
}

static gmmu_simt_event first(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->vectors) {
        LD(FIRST_LOAD, &s->wide[s->from], GID, r->a);
        ST(FIRST_STORE, &s->wide[s->to], vector, GID, sort_vector(r->a[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event pass(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const gmmu_array *from = &s->wide[s->from];
    const gmmu_array *to = &s->wide[s->to];
    WARP_BEGIN;
    EACH r->bucket[lane] = GID / s->per;
    RETURN_IF(r->bucket[lane] >= BUCKETS);
    LD(PASS_START, s->vector_start, r->bucket[lane], r->start);
    LD(PASS_END, s->vector_start, r->bucket[lane] + 1, r->end);
    EACH {
        r->a_at[lane] = r->start[lane] + GID % s->per * s->run;
        r->a_end[lane] = r->b_at[lane] = r->a_at[lane] + s->run / 2;
        r->b_end[lane] = r->a_at[lane] + s->run;
        r->out[lane] = r->a_at[lane];
    }
    RETURN_IF(r->a_at[lane] >= r->end[lane]);
    LD(PASS_END_B, s->vector_start, r->bucket[lane] + 1, r->end);
    IF(r->b_at[lane] >= r->end[lane]) {
        WHILE(true) {
            LD(PASS_END_COPY, s->vector_start, r->bucket[lane] + 1, r->end);
            LEAVE(r->out[lane] >= r->end[lane]);
            LD(PASS_LOAD_COPY, from, r->out[lane], r->a);
            ST(PASS_STORE_COPY, to, vector, r->out[lane], r->a[lane]);
            EACH r->out[lane]++;
            s->done += UINT64_C(4) * lanes_count(r->warp.mask);
        }
        ENDWHILE;
    }
    ELSE {
        LD(PASS_LOAD_A, from, r->a_at[lane], r->a);
        LD(PASS_LOAD_B, from, r->b_at[lane], r->b);
        WHILE(true) {
            LD(PASS_NEXT_A, from, r->a_at[lane] + 1, r->next_a);
            LD(PASS_NEXT_B, from, r->b_at[lane] + 1, r->next_b);
            EACH merge_vectors(&r->a[lane], &r->b[lane]);
            ST(PASS_STORE, to, vector, r->out[lane], r->a[lane]);
            EACH {
                r->out[lane]++;
                r->left_a[lane] = r->a_at[lane] + 1 < r->a_end[lane];
                r->left_b[lane] = r->b_at[lane] + 1 < r->b_end[lane];
            }
            IF(r->left_b[lane]) {
                LD(PASS_END_NEXT, s->vector_start, r->bucket[lane] + 1, r->end);
                EACH r->left_b[lane] = r->b_at[lane] + 1 < r->end[lane];
            }
            ENDIF;
            s->done += UINT64_C(4) * lanes_count(r->warp.mask);
            LEAVE(!r->left_a[lane] && !r->left_b[lane]);
            EACH {
                if (r->left_a[lane] &&
                    (!r->left_b[lane] || r->next_a[lane].v[0] < r->next_b[lane].v[0])) {
                    r->a_at[lane]++;
                    r->a[lane] = r->next_a[lane];
                } else {
                    r->b_at[lane]++;
                    r->a[lane] = r->next_b[lane];
                }
            }
        }
        ENDWHILE;
        ST(PASS_STORE_LAST, to, vector, r->out[lane], r->b[lane]);
    }
    ENDIF;
    WARP_END;
}

// Block (x, bucket) of a grid as wide as the largest bucket.
static gmmu_simt_event pack(sorter *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t across = parts(4 * s->largest, s->block);
    uint64_t bucket = w->block / across;
    WARP_BEGIN;
    EACH r->at[lane] = w->block % across * s->block + TID;
    LD(PACK_FINAL, s->final_start, bucket, r->start);
    LD(PACK_FINAL_END, s->final_start, bucket + 1, r->end);
    RETURN_IF(r->start[lane] + r->at[lane] >= r->end[lane]);
    LD(PACK_START, s->vector_start, bucket, r->start);
    LD(PACK_ZEROS, s->zeros, bucket, r->count);
    LD(PACK_LOAD, s->list[s->from], 4 * (uint64_t)r->start[lane] + r->count[lane] + r->at[lane],
       r->x);
    LD(PACK_FINAL_STORE, s->final_start, bucket, r->start);
    ST(PACK_STORE, s->list[s->to], float, r->start[lane] + r->at[lane], r->x[lane]);
    s->done += lanes_count(r->warp.mask);
    WARP_END;
}

static gmmu_simt_event hybridsort_step(void *self, const gmmu_simt_warp *w, void *registers,
                                       gmmu_simt_op *op) {
    sorter *s = self;
    switch (s->stage) {
        case HISTOGRAM:
            return histogram(s, w, registers, op);
        case COUNT:
            return count(s, w, registers, op);
        case PREFIX:
            return prefix(s, w, registers, op);
        case SCATTER:
            return scatter(s, w, registers, op);
        case FIRST:
            return first(s, w, registers, op);
        case PASS:
            return pass(s, w, registers, op);
        default:
            return pack(s, w, registers, op);
    }
}

// Of the passes only as many are counted as buckets of one size would need.
static double hybridsort_progress(const void *self) {
    const sorter *s = self;
    unsigned grids = 5;
    for (uint64_t run = 4 * (uint64_t)BUCKETS; run < s->n; run *= 2) grids++;
    double done = (double)s->done / ((double)grids * (double)s->n);
    return done < 1 ? done : 1;
}

// ---------------------------------------------------------------- the check

static int compare(const void *a, const void *b) {
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x > y) - (x < y);
}

static int hybridsort_check(const void *self, gmmu_error *err) {
    const sorter *s = self;
    float *list = malloc(s->n * sizeof *list);
    if (list == NULL) {
        snprintf(err->text, sizeof err->text, "hybridsort: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    fill(list, s->n, s->seed);
    qsort(list, s->n, sizeof *list, compare);
    int rc = lanes_compare("hybridsort", "sorted", s->sorted.data, list, s->n, err);
    free(list);
    return rc;
}

static const gmmu_array *hybridsort_result(const void *self) {
    return &((const sorter *)self)->sorted;
}

const gmmu_simt_kernel gmmu_simt_hybridsort = {.name = "hybridsort",
                                               .size_text = "elements of the list",
                                               .default_size = 1 << 20,
                                               .max_size = 1 << 28,
                                               .regs = sizeof(regs),
                                               .create = hybridsort_create,
                                               .destroy = free,
                                               .launch = hybridsort_launch,
                                               .step = hybridsort_step,
                                               .progress = hybridsort_progress,
                                               .check = hybridsort_check,
                                               .result = hybridsort_result};
