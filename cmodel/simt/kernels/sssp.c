// SPDX-License-Identifier: Apache-2.0
// sssp.c: shortest paths from one vertex, the two grids a round of BaM's sssp (which GMT runs), a
// thread a vertex.
//
//   grid 1, thread v:  if label[v]:
//                        cost = near[v]
//                        for e = first[v] to first[v + 1]:
//                          if near[v] != cost: break
//                          if near[to[e]] > cost + weight[e]:
//                            atomicMin(near[to[e]], cost + weight[e])
//                        label[v] = 0
//   grid 2, thread v:  if near[v] < distance[v]:
//                        distance[v] = near[v], label[v] = 1, changed = 1
//
// The host clears `changed` before grid 1 and goes on while it is set: Bellman-Ford with flags.
// Whatever the order of warps, it ends with the shortest distances. The graph is that of graph.h
// with GAP's number of edges and weights; paths start at the vertex with the most edges.
#include <stdlib.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EDGE_FACTOR = 16 };
enum { RELAX = 1, UPDATE = 2 };
enum {
    LOAD_LABEL,
    LOAD_FIRST,
    LOAD_END,
    LOAD_COST,
    LOAD_COST_AGAIN,
    LOAD_TO,
    LOAD_WEIGHT,
    LOAD_NEAR,
    MIN_NEAR,
    CLEAR_LABEL,
    LOAD_NEW,
    LOAD_OLD,
    STORE_DISTANCE,
    SET_LABEL,
    SET_CHANGED
};

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grid;                // RELAX or UPDATE while it runs, 0 before
    uint64_t settled, reachable;  // vertices
    uint32_t *shortest;           // the CPU's answer
    const gmmu_array *first, *to, *weight, *label, *near, *distance, *changed;
} sssp;

typedef struct {
    WARP_STATE;
    uint32_t edge[GMMU_WARP], end[GMMU_WARP], to[GMMU_WARP];
    uint32_t cost[GMMU_WARP], now[GMMU_WARP], weight[GMMU_WARP], near[GMMU_WARP];
    uint8_t label[GMMU_WARP];
} regs;

// ---------------------------------------------------------------- Dijkstra, with a binary heap

typedef struct {
    uint32_t distance, vertex;
} entry;

typedef struct {
    uint64_t count;
    entry *at;  // at[i] is not farther than at[2 i + 1] and at[2 i + 2]
} heap;

static void push(heap *h, entry e) {
    uint64_t i = h->count++;
    for (; i > 0 && h->at[(i - 1) / 2].distance > e.distance; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = e;
}

static entry pop(heap *h) {
    entry top = h->at[0];
    entry last = h->at[--h->count];
    uint64_t i = 0;
    for (uint64_t child = 1; child < h->count; child = 2 * i + 1) {
        if (child + 1 < h->count && h->at[child + 1].distance < h->at[child].distance)
            child++;
        if (h->at[child].distance >= last.distance)
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = last;
    return top;
}

// Distances into s->shortest, UINT32_MAX where no path leads. False: no memory.
static bool search(sssp *s, uint32_t source) {
    const uint32_t *first = s->first->data;
    const uint32_t *to = s->to->data;
    const uint32_t *weight = s->weight->data;
    heap h = {.at = malloc((s->to->count + 1) * sizeof *h.at)};  // each edge enters once at most
    s->shortest = malloc(s->n * sizeof *s->shortest);
    if (h.at == NULL || s->shortest == NULL) {
        free(h.at);
        return false;
    }
    memset(s->shortest, 0xff, s->n * sizeof *s->shortest);
    s->shortest[source] = 0;
    push(&h, (entry){0, source});
    while (h.count > 0) {
        entry e = pop(&h);
        if (e.distance > s->shortest[e.vertex])
            continue;  // was reached on a shorter way meanwhile
        s->reachable++;
        for (uint32_t k = first[e.vertex]; k < first[e.vertex + 1]; k++) {
            if (s->shortest[to[k]] > e.distance + weight[k]) {
                s->shortest[to[k]] = e.distance + weight[k];
                push(&h, (entry){e.distance + weight[k], to[k]});
            }
        }
    }
    free(h.at);
    return true;
}

// ---------------------------------------------------------------- the kernel

static void sssp_destroy(void *self) {
    sssp *s = self;
    free(s->shortest);
    free(s);
}

static void *sssp_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t edges = gmmu_graph_entries(n, EDGE_FACTOR);
    sssp *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "sssp: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
    if ((s->first = gmmu_space_alloc(space, "first", n + 1, sizeof(uint32_t), err)) == NULL ||
        (s->to = gmmu_space_alloc(space, "to", edges, sizeof(uint32_t), err)) == NULL ||
        (s->weight = gmmu_space_alloc(space, "weight", edges, sizeof(uint32_t), err)) == NULL ||
        (s->label = gmmu_space_alloc(space, "label", n, 1, err)) == NULL ||
        (s->near = gmmu_space_alloc(space, "near", n, sizeof(uint32_t), err)) == NULL ||
        (s->distance = gmmu_space_alloc(space, "distance", n, sizeof(uint32_t), err)) == NULL ||
        (s->changed = gmmu_space_alloc(space, "changed", 1, 1, err)) == NULL) {
        sssp_destroy(s);
        return NULL;
    }
    uint32_t source = 0;
    bool ok =
        gmmu_graph_make(n, EDGE_FACTOR, p->seed, s->first->data, s->to->data, s->weight->data);
    if (ok) {
        source = gmmu_graph_hub(n, s->first->data);
        ok = search(s, source);
    }
    if (!ok) {
        snprintf(err->text, sizeof err->text, "sssp: no memory for %" PRIu64 " vertices", n);
        sssp_destroy(s);
        return NULL;
    }
    memset(s->near->data, 0xff, n * sizeof(uint32_t));
    memset(s->distance->data, 0xff, n * sizeof(uint32_t));
    ((uint32_t *)s->near->data)[source] = 0;
    ((uint32_t *)s->distance->data)[source] = 0;
    ((uint8_t *)s->label->data)[source] = 1;
    s->settled = 1;
    return s;
}

static bool sssp_launch(void *self, gmmu_simt_grid *grid) {
    sssp *s = self;
    uint8_t *changed = s->changed->data;
    *grid = lanes_grid(s->n, s->block);
    if (s->grid == UPDATE && !*changed)
        return false;
    s->grid = s->grid == RELAX ? UPDATE : RELAX;
    if (s->grid == RELAX)
        *changed = 0;
    return true;
}

static gmmu_simt_event relax(sssp *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_LABEL, s->label, GID, r->label);
        IF(r->label[lane]) {
            LD(LOAD_FIRST, s->first, GID, r->edge);
            LD(LOAD_END, s->first, GID + 1, r->end);
            LD(LOAD_COST, s->near, GID, r->cost);
            WHILE(r->edge[lane] < r->end[lane]) {
                LD(LOAD_COST_AGAIN, s->near, GID, r->now);
                LEAVE(r->now[lane] != r->cost[lane]);
                LD(LOAD_TO, s->to, r->edge[lane], r->to);
                LD(LOAD_WEIGHT, s->weight, r->edge[lane], r->weight);
                EACH r->weight[lane] += r->cost[lane];
                LD(LOAD_NEAR, s->near, r->to[lane], r->near);
                IF(r->near[lane] > r->weight[lane]) {
                    ATOMIC(MIN_NEAR, s->near, uint32_t, r->to[lane],
                           *item = *item < r->weight[lane] ? *item : r->weight[lane]);
                }
                ENDIF;
                EACH r->edge[lane]++;
            }
            ENDWHILE;
            ST(CLEAR_LABEL, s->label, uint8_t, GID, 0);
        }
        ENDIF;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event update(sssp *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_NEW, s->near, GID, r->near);
        LD(LOAD_OLD, s->distance, GID, r->now);
        IF(r->near[lane] < r->now[lane]) {
            ST(STORE_DISTANCE, s->distance, uint32_t, GID, r->near[lane]);
            EACH s->settled += r->near[lane] == s->shortest[GID];
            ST(SET_LABEL, s->label, uint8_t, GID, 1);
            ST(SET_CHANGED, s->changed, uint8_t, 0, 1);
        }
        ENDIF;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event sssp_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    sssp *s = self;
    return s->grid == RELAX ? relax(s, w, registers, op) : update(s, w, registers, op);
}

static double sssp_progress(const void *self) {
    const sssp *s = self;
    return (double)s->settled / (double)s->reachable;
}

static int sssp_check(const void *self, gmmu_error *err) {
    const sssp *s = self;
    const uint32_t *found = s->distance->data;
    for (uint64_t v = 0; v < s->n; v++) {
        if (found[v] != s->shortest[v]) {
            snprintf(err->text, sizeof err->text,
                     "sssp: distance[%" PRIu64 "]: found %" PRIu32 ", expected %" PRIu32, v,
                     found[v], s->shortest[v]);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

static const gmmu_array *sssp_result(const void *self) {
    return ((const sssp *)self)->distance;
}

const gmmu_simt_kernel gmmu_simt_sssp = {.name = "sssp",
                                         .size_text = "vertices of the graph",
                                         .default_size = 60000,
                                         .max_size = 1 << 26,
                                         .regs = sizeof(regs),
                                         .create = sssp_create,
                                         .destroy = sssp_destroy,
                                         .launch = sssp_launch,
                                         .step = sssp_step,
                                         .progress = sssp_progress,
                                         .check = sssp_check,
                                         .result = sssp_result};
