// SPDX-License-Identifier: Apache-2.0
// kmeans.c: clustering, the two grids of Rodinia's kmeans.
//
//   grid 1, thread p, once:       for f:  inverted[f*n + p] = input[p*features + f]
//   grid 2, thread p, repeated:   for c, f:  distance of inverted[f*n + p] and clusters[c][f]
//                                 membership[p] = nearest
//
// Rodinia reads the features through the texture unit and the clusters from constant memory; both
// are translated. Between two grids the host moves the clusters to the middle of their members.
// Distances are summed in the order of the CPU's code, so that memberships must be equal.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 4, FEATURES = 16, MOST = 256, CLUSTERS = 5 };

// Memory instructions, in order.
enum { LOAD_INPUT, STORE_INVERTED, LOAD_FEATURE, LOAD_CLUSTER, STORE_MEMBERSHIP };

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned features;  // of a point
    unsigned launches;  // assignments
    unsigned grids;     // launched so far
    uint64_t done;      // points
    const gmmu_array *input, *inverted, *clusters, *membership;
} kmeans;

typedef struct {
    WARP_STATE;
    unsigned cluster, feature;
    int32_t nearest[GMMU_WARP];
    float value[GMMU_WARP], middle[GMMU_WARP], distance[GMMU_WARP], least[GMMU_WARP];
} regs;

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
    s->features = p->features;
    s->launches = p->launches;
    if ((s->input = gmmu_space_alloc(space, "input", n * s->features, sizeof(float), err)) ==
            NULL ||
        (s->inverted = gmmu_space_alloc(space, "inverted", n * s->features, sizeof(float), err)) ==
            NULL ||
        (s->clusters = gmmu_space_alloc(space, "clusters", (uint64_t)CLUSTERS * s->features,
                                        sizeof(float), err)) == NULL ||
        (s->membership = gmmu_space_alloc(space, "membership", n, sizeof(int32_t), err)) == NULL) {
        free(s);
        return NULL;
    }
    float *input = s->input->data;
    for (uint64_t i = 0; i < n * s->features; i++) input[i] = lanes_random(&random);
    return s;
}

// The host's part: the first points as clusters, later the middle of each cluster's members.
static void move_clusters(kmeans *s, bool first) {
    const float *input = s->input->data;
    const int32_t *membership = s->membership->data;
    float *clusters = s->clusters->data;
    uint64_t members[CLUSTERS] = {0};
    double sum[CLUSTERS * MOST] = {0};
    if (first) {
        for (uint64_t c = 0; c < CLUSTERS; c++)
            memcpy(clusters + c * s->features, input + c % s->n * s->features,
                   s->features * sizeof *clusters);
        return;
    }
    for (uint64_t p = 0; p < s->n; p++) {
        members[membership[p]]++;
        for (unsigned f = 0; f < s->features; f++)
            sum[(unsigned)membership[p] * s->features + f] += (double)input[p * s->features + f];
    }
    for (unsigned c = 0; c < CLUSTERS; c++)
        for (unsigned i = c * s->features; members[c] > 0 && i < (c + 1) * s->features; i++)
            clusters[i] = (float)(sum[i] / (double)members[c]);
}

static bool kmeans_launch(void *self, gmmu_simt_grid *grid) {
    kmeans *s = self;
    *grid = lanes_grid(s->n, s->block);
    if (s->grids > 0 && s->grids <= s->launches)
        move_clusters(s, s->grids == 1);
    return s->grids++ < 1 + s->launches;
}

static gmmu_simt_event invert(kmeans *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        for (r->feature = 0; r->feature < s->features; r->feature++) {
            LD(LOAD_INPUT, s->input, GID * s->features + r->feature, r->value);
            ST(STORE_INVERTED, s->inverted, float, r->feature * s->n + GID, r->value[lane]);
        }
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event assign(kmeans *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        for (r->cluster = 0; r->cluster < CLUSTERS; r->cluster++) {
            EACH r->distance[lane] = 0;
            for (r->feature = 0; r->feature < s->features; r->feature++) {
                LD(LOAD_FEATURE, s->inverted, r->feature * s->n + GID, r->value);
                LD(LOAD_CLUSTER, s->clusters, r->cluster * s->features + r->feature, r->middle);
                EACH {
                    float diff = r->value[lane] - r->middle[lane];
                    r->distance[lane] += lanes_product(diff, diff);
                }
            }
            EACH if (r->cluster == 0 || r->distance[lane] < r->least[lane]) {
                r->least[lane] = r->distance[lane];
                r->nearest[lane] = (int32_t)r->cluster;
            }
        }
        ST(STORE_MEMBERSHIP, s->membership, int32_t, GID, r->nearest[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event kmeans_step(void *self, const gmmu_simt_warp *w, void *registers,
                                   gmmu_simt_op *op) {
    kmeans *s = self;
    return s->grids == 1 ? invert(s, w, registers, op) : assign(s, w, registers, op);
}

static double kmeans_progress(const void *self) {
    const kmeans *s = self;
    return (double)s->done / ((1.0 + s->launches) * (double)s->n);
}

// Distance of two points, in the order of their features.
static float apart(const kmeans *s, const float *a, const float *b) {
    float sum = 0;
    for (unsigned f = 0; f < s->features; f++) {
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
    float middle[CLUSTERS][MOST];
    int rc = GMMU_OK;
    for (unsigned c = 0; c < CLUSTERS; c++)
        memcpy(middle[c], input + c % s->n * s->features, s->features * sizeof **middle);
    for (unsigned t = 0; t < s->launches; t++) {
        double sum[CLUSTERS][MOST] = {{0}};
        uint64_t members[CLUSTERS] = {0};
        for (uint64_t p = 0; p < s->n; p++) {
            const float *point = input + p * s->features;
            unsigned nearest = 0;
            for (unsigned c = 1; c < CLUSTERS; c++)
                if (apart(s, point, middle[c]) < apart(s, point, middle[nearest]))
                    nearest = c;
            members[nearest]++;
            for (unsigned f = 0; f < s->features; f++) sum[nearest][f] += (double)point[f];
            if (rc == GMMU_OK && t == s->launches - 1 && found[p] != (int32_t)nearest) {
                snprintf(err->text, sizeof err->text,
                         "kmeans: membership[%" PRIu64 "]: found %" PRId32 ", expected %u", p,
                         found[p], nearest);
                rc = GMMU_BAD;
            }
        }
        for (unsigned c = 0; c < CLUSTERS; c++)
            for (unsigned f = 0; members[c] > 0 && f < s->features; f++)
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
                                           .destroy = free,
                                           .launch = kmeans_launch,
                                           .step = kmeans_step,
                                           .progress = kmeans_progress,
                                           .check = kmeans_check,
                                           .result = kmeans_result,
                                           .launches = {ITERATIONS, 500},
                                           .features = {FEATURES, MOST}};
