// SPDX-License-Identifier: Apache-2.0
// bfs_frontier.c: breadth-first search by levels with a list of each level's vertices, a warp a
// vertex: BaM's kernel_frontier_coalesce_pc.
//
//   grid k, warp w:  v = now[w]
//                    for i = first[v] rounded down to 16, plus lane; i < first[v + 1]; i += 32:
//                      if i >= first[v]: u = edges[i]
//                        if label[u] is none, and an exchange of label[u] by k + 1 finds none:
//                          next[found++] = u      // one addition for all lanes that are here
//
// The host goes on with `next` as `now` while vertices are found. The exchange gives each vertex to
// one lane, so the order of warps changes the order of the list and not the levels.
//
// The graph is that of graph.h; the search starts at the last vertex that has an edge, as that of
// bfs does.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EDGE_FACTOR = 2, MOST = 64, ALIGN = 16 };
enum {
    LOAD_VERTEX,
    LOAD_FIRST,
    LOAD_END,
    LOAD_EDGE,
    LOAD_LABEL,
    EXCHANGE_LABEL,
    ADD_FOUND,
    STORE_NEXT
};

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned now;    // which of the two lists is this level's
    uint64_t front;  // vertices in it
    int32_t depth;   // of this level; -1 before the first grid
    uint32_t source;
    uint64_t expanded, reachable;  // vertices
    int32_t *level;                // the CPU's answer
    const gmmu_array *first, *edges, *label, *list[2], *found;
} frontier;

typedef struct {
    WARP_STATE;
    uint32_t vertex[GMMU_WARP], begin[GMMU_WARP], end[GMMU_WARP], i[GMMU_WARP], u[GMMU_WARP];
    int32_t label[GMMU_WARP];
    uint32_t place, takers;
} regs;

static void frontier_destroy(void *self) {
    frontier *s = self;
    free(s->level);
    free(s);
}

static bool make_graph(frontier *s, unsigned factor, uint64_t seed) {
    uint32_t *first = s->first->data;
    s->level = malloc(s->n * sizeof *s->level);
    if (s->level == NULL || !gmmu_graph_make(s->n, factor, seed, first, s->edges->data, NULL))
        return false;
    for (uint64_t v = 0; v < s->n; v++) {
        if (first[v + 1] > first[v])
            s->source = (uint32_t)v;
    }
    s->reachable = gmmu_graph_levels(s->n, first, s->edges->data, s->source, s->level);
    return s->reachable != 0;
}

static void *frontier_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    frontier *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "bfs_frontier: no memory");
        return NULL;
    }
    s->n = n;
    s->block = (p->block + GMMU_WARP - 1) / GMMU_WARP * GMMU_WARP;  // whole warps
    s->depth = -1;
    s->front = 1;
    if ((s->first = gmmu_space_alloc(space, "first", n + 1, sizeof(uint32_t), err)) == NULL ||
        (s->edges = gmmu_space_alloc(space, "edges", gmmu_graph_entries(n, p->features),
                                     sizeof(uint32_t), err)) == NULL ||
        (s->label = gmmu_space_alloc(space, "label", n, sizeof(int32_t), err)) == NULL ||
        (s->list[0] = gmmu_space_alloc(space, "list0", n, sizeof(uint32_t), err)) == NULL ||
        (s->list[1] = gmmu_space_alloc(space, "list1", n, sizeof(uint32_t), err)) == NULL ||
        (s->found = gmmu_space_alloc(space, "found", 1, sizeof(uint32_t), err)) == NULL) {
        free(s);
        return NULL;
    }
    if (!make_graph(s, p->features, p->seed)) {
        snprintf(err->text, sizeof err->text, "bfs_frontier: no memory for %" PRIu64 " vertices",
                 n);
        frontier_destroy(s);
        return NULL;
    }
    int32_t *label = s->label->data;
    for (uint64_t v = 0; v < n; v++) label[v] = -1;
    label[s->source] = 0;
    *(uint32_t *)s->list[0]->data = s->source;
    return s;
}

static bool frontier_launch(void *self, gmmu_simt_grid *grid) {
    frontier *s = self;
    uint32_t *found = s->found->data;
    if (s->depth >= 0) {
        s->front = *found;
        s->now ^= 1;
    }
    if (s->front == 0)
        return false;
    *found = 0;
    s->depth++;
    *grid = lanes_grid(s->front * GMMU_WARP, s->block);
    return true;
}

static gmmu_simt_event frontier_step(void *self, const gmmu_simt_warp *w, void *registers,
                                     gmmu_simt_op *op) {
    frontier *s = self;
    regs *r = registers;
    WARP_BEGIN;
    IF(GID / GMMU_WARP < s->front) {
        LD(LOAD_VERTEX, s->list[s->now], GID / GMMU_WARP, r->vertex);
        LD(LOAD_FIRST, s->first, r->vertex[lane], r->begin);
        LD(LOAD_END, s->first, r->vertex[lane] + 1, r->end);
        EACH r->i[lane] = r->begin[lane] / ALIGN * ALIGN + lane;
        s->expanded++;
        WHILE(r->i[lane] < r->end[lane]) {
            IF(r->i[lane] >= r->begin[lane]) {
                LD(LOAD_EDGE, s->edges, r->i[lane], r->u);
                LD(LOAD_LABEL, s->label, r->u[lane], r->label);
                IF(r->label[lane] < 0) {
                    ATOMIC(EXCHANGE_LABEL, s->label, int32_t, r->u[lane],
                           (r->label[lane] = *item, *item = s->depth + 1));
                    IF(r->label[lane] < 0) {
                        r->takers = r->warp.mask;
                        IF((r->takers & (r->takers - 1) & UINT32_C(1) << lane) == 0) {
                            ATOMIC(ADD_FOUND, s->found, uint32_t, 0,
                                   (r->place = *item, *item += lanes_count(r->takers)));
                        }
                        ENDIF;
                        ST(STORE_NEXT, s->list[s->now ^ 1], uint32_t,
                           r->place + lanes_count(r->takers & ((UINT32_C(1) << lane) - 1)),
                           r->u[lane]);
                    }
                    ENDIF;
                }
                ENDIF;
            }
            ENDIF;
            EACH r->i[lane] += GMMU_WARP;
        }
        ENDWHILE;
    }
    ENDIF;
    WARP_END;
}

static double frontier_progress(const void *self) {
    const frontier *s = self;
    return (double)s->expanded / (double)s->reachable;
}

static int frontier_check(const void *self, gmmu_error *err) {
    const frontier *s = self;
    const int32_t *label = s->label->data;
    for (uint64_t v = 0; v < s->n; v++) {
        if (label[v] != s->level[v]) {
            snprintf(err->text, sizeof err->text,
                     "bfs_frontier: label[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32, v,
                     label[v], s->level[v]);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

static const gmmu_array *frontier_result(const void *self) {
    return ((const frontier *)self)->label;
}

const gmmu_simt_kernel gmmu_simt_bfs_frontier = {.name = "bfs_frontier",
                                                 .size_text = "vertices of the graph",
                                                 .default_size = 450000,
                                                 .max_size = 1 << 26,
                                                 .regs = sizeof(regs),
                                                 .create = frontier_create,
                                                 .destroy = frontier_destroy,
                                                 .launch = frontier_launch,
                                                 .step = frontier_step,
                                                 .progress = frontier_progress,
                                                 .check = frontier_check,
                                                 .result = frontier_result,
                                                 .features = {EDGE_FACTOR, MOST}};
