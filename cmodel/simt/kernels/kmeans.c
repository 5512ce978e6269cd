// SPDX-License-Identifier: Apache-2.0
// kmeans.c: clustering, the two grids of Rodinia's kmeans.
//
//   grid 1, thread p, once:       for f:  inverted[f*n + p] = input[p*FEATURES + f]
//   grid 2, thread p, repeated:   for c, f:  distance of inverted[f*n + p] and clusters[c][f]
//                                 membership[p] = nearest
//
// Rodinia reads the features through the texture unit and the clusters from constant memory; both
// are translated. Between two grids the host moves the clusters to the middle of their members.
// Distances are summed in the order of the CPU's code, so that memberships must be equal.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"

enum { ITERATIONS = 4, FEATURES = 16, CLUSTERS = 5 };

// Memory instructions, in order.
enum { LOAD_INPUT, STORE_INVERTED, GRID_2, LOAD_FEATURE = GRID_2, LOAD_CLUSTER, STORE_MEMBERSHIP };

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    const gmmu_array *input, *inverted, *clusters, *membership;
} kmeans;

typedef struct {
    unsigned pc;
    unsigned cluster, feature;
    int32_t nearest[GMMU_WARP];
    float feature_value[GMMU_WARP], distance[GMMU_WARP], least[GMMU_WARP];
} regs;

static void kmeans_destroy(void *self) {
    free(self);
}

static void *kmeans_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t random = p->seed;
    kmeans *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "kmeans: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
    if ((s->input = gmmu_space_alloc(space, "input", n * FEATURES, sizeof(float), err)) == NULL ||
        (s->inverted = gmmu_space_alloc(space, "inverted", n * FEATURES, sizeof(float), err)) ==
            NULL ||
        (s->clusters = gmmu_space_alloc(space, "clusters", (uint64_t)CLUSTERS * FEATURES,
                                        sizeof(float), err)) == NULL ||
        (s->membership = gmmu_space_alloc(space, "membership", n, sizeof(int32_t), err)) == NULL) {
        kmeans_destroy(s);
        return NULL;
    }
    float *input = s->input->data;
    for (uint64_t i = 0; i < n * FEATURES; i++) input[i] = lanes_random(&random);
    return s;
}

// The host's part: the first points as clusters, later the middle of each cluster's members.
static void move_clusters(kmeans *s, bool first) {
    const float *input = s->input->data;
    const int32_t *membership = s->membership->data;
    float *clusters = s->clusters->data;
    uint64_t members[CLUSTERS] = {0};
    double sum[CLUSTERS * FEATURES] = {0};
    if (first) {
        for (uint64_t c = 0; c < CLUSTERS; c++)
            memcpy(clusters + c * FEATURES, input + c % s->n * FEATURES,
                   FEATURES * sizeof *clusters);
        return;
    }
    for (uint64_t p = 0; p < s->n; p++) {
        members[membership[p]]++;
        for (unsigned f = 0; f < FEATURES; f++)
            sum[membership[p] * FEATURES + (int)f] += (double)input[p * FEATURES + f];
    }
    for (unsigned c = 0; c < CLUSTERS; c++)
        for (unsigned i = c * FEATURES; members[c] > 0 && i < (c + 1) * FEATURES; i++)
            clusters[i] = (float)(sum[i] / (double)members[c]);
}

static bool kmeans_launch(void *self, gmmu_simt_grid *grid) {
    kmeans *s = self;
    *grid = (gmmu_simt_grid){.blocks = (s->n + s->block - 1) / s->block, .threads = s->block};
    if (s->grids > 0 && s->grids <= ITERATIONS)
        move_clusters(s, s->grids == 1);
    return s->grids++ < 1 + ITERATIONS;
}

static gmmu_simt_event invert(kmeans *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op,
                              uint32_t mask) {
    if (r->feature == FEATURES)
        return GMMU_SIMT_EXIT;
    bool store = r->pc == STORE_INVERTED;
    lanes_access(op, r->pc, store ? s->inverted : s->input, store, mask);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        uint64_t point = w->thread + lane;
        op->index[lane] = store ? r->feature * s->n + point : point * FEATURES + r->feature;
    }
    if (store) {
        lanes_store(op, r->feature_value);
        r->feature++;
        s->done += r->feature == FEATURES ? lanes_count(mask) : 0;
    } else {
        lanes_load(op, r->feature_value);
    }
    r->pc = store ? LOAD_INPUT : STORE_INVERTED;
    return GMMU_SIMT_MEM;
}

// After the last feature: is this cluster nearer than those before?
static void end_cluster(regs *r) {
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (r->cluster == 0 || r->distance[lane] < r->least[lane]) {
            r->least[lane] = r->distance[lane];
            r->nearest[lane] = (int32_t)r->cluster;
        }
        r->distance[lane] = 0;
    }
    r->feature = 0;
    r->cluster++;
}

static gmmu_simt_event assign(kmeans *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op,
                              uint32_t mask) {
    if (r->pc == 0)
        r->pc = LOAD_FEATURE;
    if (r->pc > STORE_MEMBERSHIP)
        return GMMU_SIMT_EXIT;
    const gmmu_array *const array[] = {s->inverted, s->clusters, s->membership};
    lanes_access(op, r->pc, array[r->pc - GRID_2], r->pc == STORE_MEMBERSHIP, mask);
    switch (r->pc) {
        case LOAD_FEATURE:
            for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                op->index[lane] = r->feature * s->n + w->thread + lane;
            lanes_load(op, r->feature_value);
            r->pc = LOAD_CLUSTER;
            break;
        case LOAD_CLUSTER:
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                uint64_t at = op->index[lane] = (uint64_t)r->cluster * FEATURES + r->feature;
                float diff = r->feature_value[lane] - ((const float *)s->clusters->data)[at];
                r->distance[lane] += lanes_product(diff, diff);
            }
            if (++r->feature == FEATURES)
                end_cluster(r);
            r->pc = r->cluster == CLUSTERS ? STORE_MEMBERSHIP : LOAD_FEATURE;
            break;
        default:  // STORE_MEMBERSHIP
            lanes_own(op, w);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                if (lanes_on(mask, lane))
                    ((int32_t *)s->membership->data)[op->index[lane]] = r->nearest[lane];
            s->done += lanes_count(mask);
            r->pc++;
            break;
    }
    return GMMU_SIMT_MEM;
}

static gmmu_simt_event kmeans_step(void *self, const gmmu_simt_warp *w, void *registers,
                                   gmmu_simt_op *op) {
    kmeans *s = self;
    uint32_t mask = lanes_below(w, s->n);
    if (mask == 0)
        return GMMU_SIMT_EXIT;
    return s->grids == 1 ? invert(s, w, registers, op, mask) : assign(s, w, registers, op, mask);
}

static double kmeans_progress(const void *self) {
    const kmeans *s = self;
    return (double)s->done / ((1.0 + ITERATIONS) * (double)s->n);
}

// Distance of two points, in the order of their features.
static float apart(const float *a, const float *b) {
    float sum = 0;
    for (unsigned f = 0; f < FEATURES; f++) {
        volatile float square = (a[f] - b[f]) * (a[f] - b[f]);
        sum += square;
    }
    return sum;
}

// A plain clustering, point after point, on the input alone.
static int kmeans_check(const void *self, gmmu_error *err) {
    const kmeans *s = self;
    const float *input = s->input->data;
    const int32_t *found = s->membership->data;
    float middle[CLUSTERS][FEATURES];
    int rc = GMMU_OK;
    for (unsigned c = 0; c < CLUSTERS; c++)
        memcpy(middle[c], input + c % s->n * FEATURES, sizeof middle[c]);
    for (unsigned t = 0; t < ITERATIONS; t++) {
        double sum[CLUSTERS][FEATURES] = {{0}};
        uint64_t members[CLUSTERS] = {0};
        for (uint64_t p = 0; p < s->n; p++) {
            const float *point = input + p * FEATURES;
            unsigned nearest = 0;
            for (unsigned c = 1; c < CLUSTERS; c++)
                if (apart(point, middle[c]) < apart(point, middle[nearest]))
                    nearest = c;
            members[nearest]++;
            for (unsigned f = 0; f < FEATURES; f++) sum[nearest][f] += (double)point[f];
            if (rc == GMMU_OK && t == ITERATIONS - 1 && found[p] != (int32_t)nearest) {
                snprintf(err->text, sizeof err->text,
                         "kmeans: membership[%" PRIu64 "]: found %" PRId32 ", expected %u", p,
                         found[p], nearest);
                rc = GMMU_BAD;
            }
        }
        for (unsigned c = 0; c < CLUSTERS; c++)
            for (unsigned f = 0; members[c] > 0 && f < FEATURES; f++)
                middle[c][f] = (float)(sum[c][f] / (double)members[c]);
    }
    return rc;
}

static const gmmu_array *kmeans_result(const void *self) {
    return ((const kmeans *)self)->membership;
}

const gmmu_simt_kernel gmmu_simt_kmeans = {.name = "kmeans",
                                           .size_text = "points of 16 features each",
                                           .default_size = 40000,
                                           .max_size = 1 << 24,
                                           .regs = sizeof(regs),
                                           .create = kmeans_create,
                                           .destroy = kmeans_destroy,
                                           .launch = kmeans_launch,
                                           .step = kmeans_step,
                                           .progress = kmeans_progress,
                                           .check = kmeans_check,
                                           .result = kmeans_result};
