// SPDX-License-Identifier: Apache-2.0
// backprop.c: training of a network with one hidden layer, the two grids of Rodinia's backprop.
//
//   grid 1:  weights[k][j] * input[k] of 16 x 16 weights, summed over k -> partial[block][j]
//   grid 2:  weights[k][j] += ETA * delta[j] * input[k] + MOMENTUM * previous[k][j]
//            previous[k][j] = the same sum
//
// Blocks are of 16 x 16 threads whatever --block says: 16 inputs, 16 hidden units. Row and column 0
// of the weights are the threshold's; the first 16 threads of grid 2 adjust that row too, and so
// have 16 accesses, the L of RDGC's Table 4. Grid 1 leaves its sums in the weights, as the source
// does; the host, which keeps a copy, writes them anew, and computes all behind the hidden layer.
// The order of operations is that of the check's plain code, so that both must be equal bit for
// bit.
#include <math.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EPOCHS = 4, MOST = 1 << 16, SIDE = 16, HIDDEN = SIDE, PITCH = HIDDEN + 1 };
static const double eta = 0.3;
static const double momentum = 0.3;
static const float target = 0.1F;

// Memory instructions, in order.
enum {
    LOAD_INPUT,
    LOAD_WEIGHT,
    STORE_SUM,
    STORE_PARTIAL,
    LOAD_DELTA,
    LOAD_UNIT,
    LOAD_PREVIOUS,
    LOAD_OLD,
    STORE_WEIGHT,
    LOAD_DELTA_AGAIN,
    LOAD_UNIT_AGAIN,
    LOAD_PREVIOUS_AGAIN,
    STORE_PREVIOUS,
    ROW_0,  // the same of the threshold's row, without a unit
    ROW_0_DELTA = ROW_0,
    ROW_0_PREVIOUS,
    ROW_0_OLD,
    ROW_0_WEIGHT,
    ROW_0_DELTA_AGAIN,
    ROW_0_PREVIOUS_AGAIN,
    ROW_0_STORE_PREVIOUS
};

// Behind the hidden layer: one output.
typedef struct {
    float weight[PITCH], previous[PITCH];
} output_layer;

typedef struct {
    uint64_t n;
    uint64_t seed;
    uint64_t blocks;
    unsigned epochs;
    unsigned grids;  // launched so far
    uint64_t done;   // weights
    float *kept;     // the host's copy of the weights
    output_layer out;
    const gmmu_array *input, *weights, *partial, *delta, *previous;
} backprop;

typedef struct {
    WARP_STATE;
    unsigned i;
    float weight[GMMU_WARP], delta[GMMU_WARP], unit[GMMU_WARP], previous[GMMU_WARP];
} regs;

typedef struct {
    float node[SIDE];
    float matrix[SIDE][SIDE];
} tile;

// Inputs, weights and the outputs' weights. Weights shrink with the number of inputs, so that the
// hidden units are not all saturated.
static void fill(float *input, float *weights, output_layer *out, uint64_t n, uint64_t seed) {
    const float scale = 4.0F / sqrtf((float)n);
    input[0] = 1;
    for (uint64_t k = 1; k <= n; k++) input[k] = lanes_random(&seed);
    for (uint64_t i = 0; i < (n + 1) * PITCH; i++)
        weights[i] = scale * (lanes_random(&seed) - 0.5F);
    *out = (output_layer){.weight = {0}};
    for (unsigned j = 0; j < PITCH; j++) out->weight[j] = lanes_random(&seed) - 0.5F;
}

static float squash(float x) {
    return (float)(1.0 / (1.0 + exp(-(double)x)));
}

static void backprop_destroy(void *self) {
    backprop *s = self;
    free(s->kept);
    free(s);
}

static void *backprop_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t weights = (n + 1) * PITCH;
    backprop *s = calloc(1, sizeof *s);
    if (s == NULL || (s->kept = malloc(weights * sizeof *s->kept)) == NULL) {
        snprintf(err->text, sizeof err->text, "backprop: no memory");
        free(s);
        return NULL;
    }
    s->n = n;
    s->seed = p->seed;
    s->epochs = p->launches;
    s->blocks = (n + SIDE - 1) / SIDE;
    if ((s->input = gmmu_space_alloc(space, "input", n + 1, sizeof(float), err)) == NULL ||
        (s->weights = gmmu_space_alloc(space, "weights", weights, sizeof(float), err)) == NULL ||
        (s->partial = gmmu_space_alloc(space, "partial", s->blocks * HIDDEN, sizeof(float), err)) ==
            NULL ||
        (s->delta = gmmu_space_alloc(space, "delta", PITCH, sizeof(float), err)) == NULL ||
        (s->previous = gmmu_space_alloc(space, "previous", weights, sizeof(float), err)) == NULL) {
        backprop_destroy(s);
        return NULL;
    }
    fill(s->input->data, s->weights->data, &s->out, n, s->seed);
    return s;
}

// The host's part between the grids: from the partial sums to the hidden units' deltas.
static void train_output(backprop *s) {
    const float *partial = s->partial->data;
    float *delta = s->delta->data;
    float hidden[PITCH] = {1};
    float sum = 0;
    for (unsigned j = 1; j <= HIDDEN; j++) {
        float total = 0;
        for (uint64_t b = 0; b < s->blocks; b++) total += partial[b * HIDDEN + j - 1];
        total += s->kept[j];
        hidden[j] = squash(total);
    }
    for (unsigned j = 0; j <= HIDDEN; j++) sum += s->out.weight[j] * hidden[j];
    float output = squash(sum);
    float error = output * (1.0F - output) * (target - output);
    for (unsigned j = 1; j <= HIDDEN; j++)
        delta[j] = hidden[j] * (1.0F - hidden[j]) * (error * s->out.weight[j]);
    for (unsigned j = 0; j <= HIDDEN; j++) {
        float change = (float)(eta * (double)error * (double)hidden[j] +
                               momentum * (double)s->out.previous[j]);
        s->out.weight[j] += change;
        s->out.previous[j] = change;
    }
}

static bool backprop_launch(void *self, gmmu_simt_grid *grid) {
    backprop *s = self;
    size_t bytes = s->weights->count * sizeof *s->kept;
    *grid = (gmmu_simt_grid){.blocks = s->blocks, .threads = SIDE * SIDE, .shared = sizeof(tile)};
    if (s->grids % 2 == 0) {
        memcpy(s->kept, s->weights->data, bytes);
    } else {
        train_output(s);
        memcpy(s->weights->data, s->kept, bytes);
    }
    return s->grids++ < 2 * s->epochs;
}

// The thread's column and row in its block, and the input of that row.
static unsigned across(const gmmu_simt_warp *w, unsigned lane) {
    return TID % SIDE;
}

static unsigned down(const gmmu_simt_warp *w, unsigned lane) {
    return TID / SIDE;
}

static uint64_t unit(const gmmu_simt_warp *w, unsigned lane) {
    return BID * SIDE + down(w, lane) + 1;
}

static uint64_t element(const gmmu_simt_warp *w, unsigned lane) {
    return unit(w, lane) * PITCH + across(w, lane) + 1;
}

static gmmu_simt_event forward(backprop *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    tile *t = w->shared;
    WARP_BEGIN;
    IF(across(w, lane) == 0 && unit(w, lane) <= s->n) {
        LD(LOAD_INPUT, s->input, unit(w, lane), r->unit);
        EACH t->node[down(w, lane)] = r->unit[lane];
    }
    ENDIF;
    SYNC;
    IF(unit(w, lane) <= s->n) {
        LD(LOAD_WEIGHT, s->weights, element(w, lane), r->weight);
        EACH t->matrix[down(w, lane)][across(w, lane)] = r->weight[lane];
    }
    ENDIF;
    SYNC;
    EACH t->matrix[down(w, lane)][across(w, lane)] *= t->node[down(w, lane)];
    SYNC;
    for (r->i = 1; r->i < SIDE; r->i *= 2) {
        IF(down(w, lane) % (2 * r->i) == 0) {
            EACH t->matrix[down(w, lane)][across(w, lane)] +=
                t->matrix[down(w, lane) + r->i][across(w, lane)];
        }
        ENDIF;
        SYNC;
    }
    IF(unit(w, lane) <= s->n) {
        ST(STORE_SUM, s->weights, float, element(w, lane),
           t->matrix[down(w, lane)][across(w, lane)]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    SYNC;
    IF(across(w, lane) == 0) {
        ST(STORE_PARTIAL, s->partial, float, BID *HIDDEN + down(w, lane),
           t->matrix[0][down(w, lane)]);
    }
    ENDIF;
    WARP_END;
}

static float change(const regs *r, unsigned lane) {
    return (float)(eta * (double)r->delta[lane] * (double)r->unit[lane] +
                   momentum * (double)r->previous[lane]);
}

static float adjusted(const regs *r, unsigned lane) {
    return (float)((double)r->weight[lane] + (eta * (double)r->delta[lane] * (double)r->unit[lane] +
                                              momentum * (double)r->previous[lane]));
}

static gmmu_simt_event adjust(backprop *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(unit(w, lane) <= s->n) {
        LD(LOAD_DELTA, s->delta, across(w, lane) + 1, r->delta);
        LD(LOAD_UNIT, s->input, unit(w, lane), r->unit);
        LD(LOAD_PREVIOUS, s->previous, element(w, lane), r->previous);
        LD(LOAD_OLD, s->weights, element(w, lane), r->weight);
        ST(STORE_WEIGHT, s->weights, float, element(w, lane), adjusted(r, lane));
        LD(LOAD_DELTA_AGAIN, s->delta, across(w, lane) + 1, r->delta);
        LD(LOAD_UNIT_AGAIN, s->input, unit(w, lane), r->unit);
        LD(LOAD_PREVIOUS_AGAIN, s->previous, element(w, lane), r->previous);
        ST(STORE_PREVIOUS, s->previous, float, element(w, lane), change(r, lane));
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    SYNC;
    IF(BID == 0 && down(w, lane) == 0) {
        EACH r->unit[lane] = 1;
        LD(ROW_0_DELTA, s->delta, across(w, lane) + 1, r->delta);
        LD(ROW_0_PREVIOUS, s->previous, across(w, lane) + 1, r->previous);
        LD(ROW_0_OLD, s->weights, across(w, lane) + 1, r->weight);
        ST(ROW_0_WEIGHT, s->weights, float, across(w, lane) + 1, adjusted(r, lane));
        LD(ROW_0_DELTA_AGAIN, s->delta, across(w, lane) + 1, r->delta);
        LD(ROW_0_PREVIOUS_AGAIN, s->previous, across(w, lane) + 1, r->previous);
        ST(ROW_0_STORE_PREVIOUS, s->previous, float, across(w, lane) + 1, change(r, lane));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event backprop_step(void *self, const gmmu_simt_warp *w, void *registers,
                                     gmmu_simt_op *op) {
    backprop *s = self;
    return s->grids % 2 == 1 ? forward(s, w, registers, op) : adjust(s, w, registers, op);
}

static double backprop_progress(const void *self) {
    const backprop *s = self;
    return (double)s->done / (2.0 * s->epochs * HIDDEN * (double)s->n);
}

// A hidden unit's sum over the inputs FIRST to FIRST + COUNT - 1: of both halves.
static float halves(const float *input, const float *column, uint64_t n, uint64_t first,
                    unsigned count) {
    if (count == 1)
        return first <= n ? column[first * PITCH] * input[first] : 0;
    return halves(input, column, n, first, count / 2) +
           halves(input, column, n, first + count / 2, count / 2);
}

// One pass of the plain implementation: unit by unit.
static void plain_pass(const float *input, float *weights, float *previous, output_layer *out,
                       uint64_t n) {
    float hidden[PITCH] = {1};
    float sum = 0;
    for (unsigned j = 1; j < PITCH; j++) {
        float total = 0;
        for (uint64_t k = 1; k <= n; k += SIDE) total += halves(input, weights + j, n, k, SIDE);
        hidden[j] = squash(total + weights[j]);
    }
    for (unsigned j = 0; j < PITCH; j++) sum += hidden[j] * out->weight[j];
    sum = squash(sum);
    float error = sum * (1.0F - sum) * (target - sum);
    for (unsigned j = 1; j < PITCH; j++) {
        double rate = eta * (double)(hidden[j] * (1.0F - hidden[j]) * (error * out->weight[j]));
        for (uint64_t k = 0; k <= n; k++) {
            double step = rate * (double)input[k] + momentum * (double)previous[k * PITCH + j];
            weights[k * PITCH + j] = (float)((double)weights[k * PITCH + j] + step);
            previous[k * PITCH + j] = (float)step;
        }
    }
    for (unsigned j = 0; j < PITCH; j++) {
        double step = eta * (double)error * (double)hidden[j] + momentum * (double)out->previous[j];
        out->previous[j] = (float)step;
        out->weight[j] += out->previous[j];
    }
}

static int backprop_check(const void *self, gmmu_error *err) {
    const backprop *s = self;
    uint64_t weights = s->weights->count;
    output_layer out;
    float *all = calloc(s->n + 1 + 2 * weights, sizeof *all);
    if (all == NULL) {
        snprintf(err->text, sizeof err->text, "backprop: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    float *previous = all + weights;
    float *input = previous + weights;
    fill(input, all, &out, s->n, s->seed);
    for (unsigned t = 0; t < s->epochs; t++) plain_pass(input, all, previous, &out, s->n);
    int rc = lanes_compare("backprop", "weights", s->weights->data, all, weights, err);
    if (rc == GMMU_OK)
        rc = lanes_compare("backprop", "previous", s->previous->data, previous, weights, err);
    free(all);
    return rc;
}

static const gmmu_array *backprop_result(const void *self) {
    return ((const backprop *)self)->weights;
}

const gmmu_simt_kernel gmmu_simt_backprop = {.name = "backprop",
                                             .size_text = "inputs of the network",
                                             .default_size = 60000,
                                             .max_size = 1 << 23,
                                             .regs = sizeof(regs),
                                             .create = backprop_create,
                                             .destroy = backprop_destroy,
                                             .launch = backprop_launch,
                                             .step = backprop_step,
                                             .progress = backprop_progress,
                                             .check = backprop_check,
                                             .result = backprop_result,
                                             .launches = {EPOCHS, MOST}};
