// SPDX-License-Identifier: Apache-2.0
// pagerank.c: PageRank by pulling, the two loops an iteration of GAP's pr, a thread a vertex.
//
//   grid 1, thread v:  contribution[v] = score[v] / (first[v + 1] - first[v])
//   grid 2, thread v:  sum = 0;  for e = first[v] to first[v + 1]:  sum += contribution[from[e]]
//                      score[v] = (1 - d) / n + d sum
//
// The graph is that of graph.h with GAP's number of edges. It is undirected, so that the rows of
// incoming edges are those of the outgoing ones. GAP ends when the scores hardly change; here the
// iterations are a fixed number. A row is summed in its order, so that scores must be equal to the
// CPU's bit for bit.
#include <stdlib.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EDGE_FACTOR = 16, ITERATIONS = 6, MOST = 1 << 16 };
enum {
    LOAD_SCORE,
    LOAD_ROW,
    LOAD_ROW_END,
    STORE_CONTRIBUTION,
    LOAD_FIRST,
    LOAD_END,
    LOAD_FROM,
    LOAD_CONTRIBUTION,
    STORE_SCORE
};

static const float damping = 0.85F;

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned iterations;
    unsigned grids;  // launched so far
    uint64_t done;   // vertices
    const gmmu_array *first, *from, *score, *contribution;
} pagerank;

typedef struct {
    WARP_STATE;
    uint32_t edge[GMMU_WARP], end[GMMU_WARP], from[GMMU_WARP];
    float score[GMMU_WARP], contribution[GMMU_WARP], sum[GMMU_WARP];
} regs;

static float share(float score, uint32_t degree) {
    return degree == 0 ? 0 : score / (float)degree;  // nobody reads that of degree 0
}

static float ranked(const pagerank *s, float sum) {
    return (1 - damping) / (float)s->n + damping * sum;
}

static void *pagerank_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    pagerank *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "pagerank: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
    s->iterations = p->launches;
    if ((s->first = gmmu_space_alloc(space, "first", n + 1, sizeof(uint32_t), err)) == NULL ||
        (s->from = gmmu_space_alloc(space, "from", gmmu_graph_entries(n, EDGE_FACTOR),
                                    sizeof(uint32_t), err)) == NULL ||
        (s->score = gmmu_space_alloc(space, "score", n, sizeof(float), err)) == NULL ||
        (s->contribution = gmmu_space_alloc(space, "contribution", n, sizeof(float), err)) ==
            NULL) {
        free(s);
        return NULL;
    }
    if (!gmmu_graph_make(n, EDGE_FACTOR, p->seed, s->first->data, s->from->data, NULL)) {
        snprintf(err->text, sizeof err->text, "pagerank: no memory for %" PRIu64 " vertices", n);
        free(s);
        return NULL;
    }
    for (uint64_t v = 0; v < n; v++) ((float *)s->score->data)[v] = 1 / (float)n;
    return s;
}

static bool pagerank_launch(void *self, gmmu_simt_grid *grid) {
    pagerank *s = self;
    *grid = lanes_grid(s->n, s->block);
    return s->grids++ < 2 * s->iterations;
}

static gmmu_simt_event contribute(pagerank *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_SCORE, s->score, GID, r->score);
        LD(LOAD_ROW, s->first, GID, r->edge);
        LD(LOAD_ROW_END, s->first, GID + 1, r->end);
        ST(STORE_CONTRIBUTION, s->contribution, float, GID,
           share(r->score[lane], r->end[lane] - r->edge[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event gather(pagerank *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_FIRST, s->first, GID, r->edge);
        LD(LOAD_END, s->first, GID + 1, r->end);
        WHILE(r->edge[lane] < r->end[lane]) {
            LD(LOAD_FROM, s->from, r->edge[lane], r->from);
            LD(LOAD_CONTRIBUTION, s->contribution, r->from[lane], r->contribution);
            EACH {
                r->sum[lane] += r->contribution[lane];
                r->edge[lane]++;
            }
        }
        ENDWHILE;
        ST(STORE_SCORE, s->score, float, GID, ranked(s, r->sum[lane]));
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event pagerank_step(void *self, const gmmu_simt_warp *w, void *registers,
                                     gmmu_simt_op *op) {
    pagerank *s = self;
    return s->grids % 2 == 1 ? contribute(s, w, registers, op) : gather(s, w, registers, op);
}

static double pagerank_progress(const void *self) {
    const pagerank *s = self;
    return (double)s->done / ((double)s->iterations * (double)s->n);
}

// Iteration after iteration, from one array of scores to another.
static int pagerank_check(const void *self, gmmu_error *err) {
    const pagerank *s = self;
    const uint32_t *first = s->first->data;
    const uint32_t *from = s->from->data;
    float *old = malloc(s->n * sizeof *old);
    float *new = malloc(s->n * sizeof *new);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (old != NULL && new != NULL) {
        for (uint64_t v = 0; v < s->n; v++) new[v] = 1 / (float)s->n;
        for (unsigned t = 0; t < s->iterations; t++) {
            float *swap = old;
            old = new;
            new = swap;
            for (uint64_t v = 0; v < s->n; v++) {
                float sum = 0;
                for (uint32_t e = first[v]; e < first[v + 1]; e++)
                    sum += old[from[e]] / (float)(first[from[e] + 1] - first[from[e]]);
                new[v] = ranked(s, sum);
            }
        }
        rc = lanes_compare("pagerank", "score", s->score->data, new, s->n, err);
    } else {
        snprintf(err->text, sizeof err->text, "pagerank: no memory for the check");
    }
    free(old);
    free(new);
    return rc;
}

static const gmmu_array *pagerank_result(const void *self) {
    return ((const pagerank *)self)->score;
}

const gmmu_simt_kernel gmmu_simt_pagerank = {.name = "pagerank",
                                             .size_text = "vertices of the graph",
                                             .default_size = 100000,
                                             .max_size = 1 << 26,
                                             .regs = sizeof(regs),
                                             .create = pagerank_create,
                                             .destroy = free,
                                             .launch = pagerank_launch,
                                             .step = pagerank_step,
                                             .progress = pagerank_progress,
                                             .check = pagerank_check,
                                             .result = pagerank_result,
                                             .launches = {ITERATIONS, MOST}};
