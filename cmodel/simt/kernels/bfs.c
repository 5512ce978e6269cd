// SPDX-License-Identifier: Apache-2.0
// bfs.c: breadth-first search by levels, the two grids a level of Rodinia's bfs.
//
//   grid 1, thread v:  if mask[v]: mask[v] = 0
//                        for each edge v -> u: if !visited[u]: cost[u] = cost[v] + 1, updating[u] =
//                        1
//   grid 2, thread v:  if updating[v]: mask[v] = visited[v] = 1, over = 1, updating[v] = 0
//
// The host clears `over` before grid 1 and goes on while it is set. All writers of one cost[u] are
// of one level and write one value, so that the order of warps cannot change the result.
//
// The graph is that of graph.h; the search starts at the last vertex that has an edge.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EDGE_FACTOR = 2, MOST = 64 };  // undirected edges for each vertex, unless chosen
enum { EXPAND = 1, UPDATE = 2 };
enum {
    LOAD_MASK,
    CLEAR_MASK,
    LOAD_FIRST,
    LOAD_COUNT,
    LOAD_EDGE,
    LOAD_VISITED,
    LOAD_COST,
    STORE_COST,
    STORE_UPDATING,
    LOAD_UPDATING,
    SET_MASK,
    SET_VISITED,
    SET_OVER,
    CLEAR_UPDATING
};

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned factor;  // undirected edges for each vertex
    unsigned grid;    // EXPAND or UPDATE while it runs, 0 before
    uint32_t source;
    uint64_t expanded;  // vertices
    uint64_t reachable;
    int32_t *level;  // the CPU's answer
    // nodes: {first edge, number of edges} of each vertex
    const gmmu_array *nodes, *edges, *mask, *updating, *visited, *cost, *over;
} bfs;

typedef struct {
    WARP_STATE;
    uint32_t edge[GMMU_WARP], end[GMMU_WARP];
    uint32_t u[GMMU_WARP];
    int32_t cost[GMMU_WARP];
    uint8_t flag[GMMU_WARP];
} regs;

// Fills nodes and edges, picks the source and searches.
static bool make_graph(bfs *s, uint64_t seed) {
    uint32_t *node = s->nodes->data;
    uint32_t *first = malloc((s->n + 1) * sizeof *first);
    s->level = malloc(s->n * sizeof *s->level);
    bool ok = first != NULL && s->level != NULL &&
              gmmu_graph_make(s->n, s->factor, seed, first, s->edges->data, NULL);
    if (ok) {
        for (uint64_t v = 0; v < s->n; v++) {
            node[2 * v] = first[v];
            node[2 * v + 1] = first[v + 1] - first[v];
            if (node[2 * v + 1] > 0)
                s->source = (uint32_t)v;
        }
        s->reachable = gmmu_graph_levels(s->n, first, s->edges->data, s->source, s->level);
        ok = s->reachable != 0;
    }
    free(first);
    return ok;
}

static void bfs_destroy(void *self) {
    bfs *s = self;
    free(s->level);
    free(s);
}

static void *bfs_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t edges = gmmu_graph_entries(n, p->features);
    bfs *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "bfs: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
    s->factor = p->features;
    if ((s->nodes = gmmu_space_alloc(space, "nodes", 2 * n, sizeof(uint32_t), err)) == NULL ||
        (s->edges = gmmu_space_alloc(space, "edges", edges, sizeof(uint32_t), err)) == NULL ||
        (s->mask = gmmu_space_alloc(space, "mask", n, 1, err)) == NULL ||
        (s->updating = gmmu_space_alloc(space, "updating", n, 1, err)) == NULL ||
        (s->visited = gmmu_space_alloc(space, "visited", n, 1, err)) == NULL ||
        (s->cost = gmmu_space_alloc(space, "cost", n, sizeof(int32_t), err)) == NULL ||
        (s->over = gmmu_space_alloc(space, "over", 1, 1, err)) == NULL) {
        free(s);
        return NULL;
    }
    if (!make_graph(s, p->seed)) {
        snprintf(err->text, sizeof err->text, "bfs: no memory for %" PRIu64 " vertices", n);
        bfs_destroy(s);
        return NULL;
    }
    int32_t *cost = s->cost->data;
    for (uint64_t v = 0; v < n; v++) cost[v] = -1;
    cost[s->source] = 0;
    ((uint8_t *)s->mask->data)[s->source] = 1;
    ((uint8_t *)s->visited->data)[s->source] = 1;
    return s;
}

static bool bfs_launch(void *self, gmmu_simt_grid *grid) {
    bfs *s = self;
    uint8_t *over = s->over->data;
    *grid = lanes_grid(s->n, s->block);
    if (s->grid == UPDATE && !*over)
        return false;
    s->grid = s->grid == EXPAND ? UPDATE : EXPAND;
    if (s->grid == EXPAND)
        *over = 0;
    return true;
}

static gmmu_simt_event expand(bfs *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_MASK, s->mask, GID, r->flag);
        IF(r->flag[lane]) {
            ST(CLEAR_MASK, s->mask, uint8_t, GID, 0);
            LD(LOAD_FIRST, s->nodes, 2 * GID, r->edge);
            LD(LOAD_COUNT, s->nodes, 2 * GID + 1, r->end);
            EACH r->end[lane] += r->edge[lane];
            s->expanded += lanes_count(r->warp.mask);
            WHILE(r->edge[lane] < r->end[lane]) {
                LD(LOAD_EDGE, s->edges, r->edge[lane], r->u);
                EACH r->edge[lane]++;
                LD(LOAD_VISITED, s->visited, r->u[lane], r->flag);
                IF(!r->flag[lane]) {
                    LD(LOAD_COST, s->cost, GID, r->cost);
                    ST(STORE_COST, s->cost, int32_t, r->u[lane], r->cost[lane] + 1);
                    ST(STORE_UPDATING, s->updating, uint8_t, r->u[lane], 1);
                }
                ENDIF;
            }
            ENDWHILE;
        }
        ENDIF;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event update(bfs *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_UPDATING, s->updating, GID, r->flag);
        IF(r->flag[lane]) {
            ST(SET_MASK, s->mask, uint8_t, GID, 1);
            ST(SET_VISITED, s->visited, uint8_t, GID, 1);
            ST(SET_OVER, s->over, uint8_t, 0, 1);
            ST(CLEAR_UPDATING, s->updating, uint8_t, GID, 0);
        }
        ENDIF;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event bfs_step(void *self, const gmmu_simt_warp *w, void *registers,
                                gmmu_simt_op *op) {
    bfs *s = self;
    return s->grid == EXPAND ? expand(s, w, registers, op) : update(s, w, registers, op);
}

static double bfs_progress(const void *self) {
    const bfs *s = self;
    return (double)s->expanded / (double)s->reachable;
}

static int bfs_check(const void *self, gmmu_error *err) {
    const bfs *s = self;
    const int32_t *cost = s->cost->data;
    for (uint64_t v = 0; v < s->n; v++) {
        if (cost[v] != s->level[v]) {
            snprintf(err->text, sizeof err->text,
                     "bfs: cost[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32, v, cost[v],
                     s->level[v]);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

static const gmmu_array *bfs_result(const void *self) {
    return ((const bfs *)self)->cost;
}

const gmmu_simt_kernel gmmu_simt_bfs = {.name = "bfs",
                                        .size_text = "vertices of the graph",
                                        .default_size = 450000,
                                        .max_size = 1 << 26,
                                        .regs = sizeof(regs),
                                        .create = bfs_create,
                                        .destroy = bfs_destroy,
                                        .launch = bfs_launch,
                                        .step = bfs_step,
                                        .progress = bfs_progress,
                                        .check = bfs_check,
                                        .result = bfs_result,
                                        .features = {EDGE_FACTOR, MOST}};
