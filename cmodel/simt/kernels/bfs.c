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
#include <string.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"

enum { EDGE_FACTOR = 2 };  // undirected edges for each vertex
enum { EXPAND = 1, UPDATE = 2 };

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grid;  // EXPAND or UPDATE while it runs, 0 before
    uint32_t source;
    uint64_t expanded;  // vertices
    uint64_t reachable;
    int32_t *level;  // the CPU's answer
    // nodes: {first edge, number of edges} of each vertex
    const gmmu_array *nodes, *edges, *mask, *updating, *visited, *cost, *over;
} bfs;

// A warp's registers; the lanes of `alive` still have work, those of `active` take the branch.
typedef struct {
    unsigned pc;
    uint32_t alive, active;
    uint32_t edge[GMMU_WARP], end[GMMU_WARP];
    uint32_t u[GMMU_WARP];
    int32_t cost[GMMU_WARP];
} regs;

static bool is_on(uint32_t mask, unsigned lane) {
    return mask >> lane & 1;
}

// Queue-based search: levels into s->level, -1 where it does not come.
static bool search(bfs *s) {
    const uint32_t *node = s->nodes->data;
    const uint32_t *edge = s->edges->data;
    uint32_t *queue = malloc(s->n * sizeof *queue);
    s->level = malloc(s->n * sizeof *s->level);
    if (queue == NULL || s->level == NULL) {
        free(queue);
        return false;
    }
    for (uint64_t v = 0; v < s->n; v++) s->level[v] = -1;
    s->level[s->source] = 0;
    queue[0] = s->source;
    s->reachable = 1;
    for (uint64_t head = 0; head < s->reachable; head++) {
        uint32_t v = queue[head];
        const uint32_t *first = edge + node[2 * (uint64_t)v];
        for (const uint32_t *u = first; u < first + node[2 * (uint64_t)v + 1]; u++) {
            if (s->level[*u] < 0) {
                s->level[*u] = s->level[v] + 1;
                queue[s->reachable++] = *u;
            }
        }
    }
    free(queue);
    return true;
}

// Fills nodes and edges and picks the source.
static bool make_graph(bfs *s, uint64_t seed) {
    uint32_t *node = s->nodes->data;
    uint32_t *first = malloc((s->n + 1) * sizeof *first);
    bool ok =
        first != NULL && gmmu_graph_make(s->n, EDGE_FACTOR, seed, first, s->edges->data, NULL);
    if (ok) {
        for (uint64_t v = 0; v < s->n; v++) {
            node[2 * v] = first[v];
            node[2 * v + 1] = first[v + 1] - first[v];
            if (node[2 * v + 1] > 0)
                s->source = (uint32_t)v;
        }
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
    uint64_t edges = gmmu_graph_entries(n, EDGE_FACTOR);
    bfs *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "bfs: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
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
    if (!make_graph(s, p->seed) || !search(s)) {
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
    *grid = (gmmu_simt_grid){.blocks = (s->n + s->block - 1) / s->block, .threads = s->block};
    if (s->grid == UPDATE && !*over)
        return false;
    s->grid = s->grid == EXPAND ? UPDATE : EXPAND;
    if (s->grid == EXPAND)
        *over = 0;
    return true;
}

// Sets *op, without the indices, as instruction K of the two grids.
static void access(gmmu_simt_op *op, unsigned k, const gmmu_array *array, bool write,
                   uint32_t mask) {
    op->ref = gmmu_simt_ref(k);
    op->array = array;
    op->write = write;
    op->mask = mask;
}

static void index_own(gmmu_simt_op *op, uint64_t thread, unsigned scale, unsigned offset) {
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        op->index[lane] = (thread + lane) * scale + offset;
}

// Own flags: array[v] of the lanes in MASK; a store writes VALUE, a load returns the lanes set.
static uint32_t flags(gmmu_simt_op *op, unsigned k, const gmmu_array *array, uint64_t thread,
                      uint32_t mask, int value) {
    uint8_t *flag = array->data;
    uint32_t set = 0;
    access(op, k, array, value >= 0, mask);
    index_own(op, thread, 1, 0);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (!is_on(mask, lane))
            continue;
        if (value >= 0)
            flag[thread + lane] = (uint8_t)value;
        else if (flag[thread + lane])
            set |= UINT32_C(1) << lane;
    }
    return set;
}

static uint32_t guard(const bfs *s, const gmmu_simt_warp *w) {
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (is_on(w->lanes, lane) && w->thread + lane < s->n)
            mask |= UINT32_C(1) << lane;
    return mask;
}

enum {
    LOAD_MASK,
    CLEAR_MASK,
    LOAD_FIRST,
    LOAD_COUNT,
    LOAD_EDGE,
    LOAD_VISITED,
    LOAD_COST,
    STORE_COST,
    STORE_UPDATING
};

static gmmu_simt_event expand(bfs *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t v = w->thread;
    const uint32_t *node = s->nodes->data;
    if (r->pc == LOAD_EDGE) {
        // The loop's condition: lanes whose edges are done wait for the others.
        for (unsigned lane = 0; lane < GMMU_WARP; lane++)
            if (is_on(r->alive, lane) && r->edge[lane] == r->end[lane])
                r->alive &= ~(UINT32_C(1) << lane);
    }
    uint32_t mask = r->pc == LOAD_MASK ? guard(s, w) : r->pc <= LOAD_VISITED ? r->alive : r->active;
    if (mask == 0)
        return GMMU_SIMT_EXIT;  // an empty `active` never comes here

    switch (r->pc) {
        case LOAD_MASK:
            r->alive = flags(op, r->pc, s->mask, v, mask, -1);
            break;
        case CLEAR_MASK:
            flags(op, r->pc, s->mask, v, mask, 0);
            break;
        case LOAD_FIRST:
        case LOAD_COUNT:
            access(op, r->pc, s->nodes, false, mask);
            index_own(op, v, 2, r->pc == LOAD_COUNT);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                if (!is_on(mask, lane))
                    continue;
                if (r->pc == LOAD_FIRST)
                    r->edge[lane] = node[op->index[lane]];
                else
                    r->end[lane] = r->edge[lane] + node[op->index[lane]];
                s->expanded += r->pc == LOAD_COUNT;
            }
            break;
        case LOAD_EDGE:
            access(op, r->pc, s->edges, false, mask);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                if (!is_on(mask, lane))
                    continue;
                op->index[lane] = r->edge[lane]++;
                r->u[lane] = ((const uint32_t *)s->edges->data)[op->index[lane]];
            }
            break;
        case LOAD_VISITED:
            access(op, r->pc, s->visited, false, mask);
            r->active = 0;
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                if (!is_on(mask, lane))
                    continue;
                op->index[lane] = r->u[lane];
                if (!((const uint8_t *)s->visited->data)[r->u[lane]])
                    r->active |= UINT32_C(1) << lane;
            }
            r->pc = r->active == 0 ? LOAD_EDGE : LOAD_COST;
            return GMMU_SIMT_MEM;
        case LOAD_COST:
            access(op, r->pc, s->cost, false, mask);
            index_own(op, v, 1, 0);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                if (is_on(mask, lane))
                    r->cost[lane] = ((const int32_t *)s->cost->data)[v + lane];
            break;
        case STORE_COST:
            access(op, r->pc, s->cost, true, mask);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                if (!is_on(mask, lane))
                    continue;
                op->index[lane] = r->u[lane];
                ((int32_t *)s->cost->data)[r->u[lane]] = r->cost[lane] + 1;
            }
            break;
        default:  // STORE_UPDATING
            access(op, r->pc, s->updating, true, mask);
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                if (!is_on(mask, lane))
                    continue;
                op->index[lane] = r->u[lane];
                ((uint8_t *)s->updating->data)[r->u[lane]] = 1;
            }
            r->pc = LOAD_EDGE;
            return GMMU_SIMT_MEM;
    }
    r->pc++;
    return GMMU_SIMT_MEM;
}

static gmmu_simt_event update(bfs *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const unsigned first = STORE_UPDATING + 1;
    uint64_t v = w->thread;
    uint32_t mask = r->pc == 0 ? guard(s, w) : r->alive;
    if (mask == 0)
        return GMMU_SIMT_EXIT;
    switch (r->pc) {
        case 0:
            r->alive = flags(op, first, s->updating, v, mask, -1);
            break;
        case 1:
            flags(op, first + 1, s->mask, v, mask, 1);
            break;
        case 2:
            flags(op, first + 2, s->visited, v, mask, 1);
            break;
        case 3:
            access(op, first + 3, s->over, true, mask);
            memset(op->index, 0, sizeof op->index);
            *(uint8_t *)s->over->data = 1;
            break;
        case 4:
            flags(op, first + 4, s->updating, v, mask, 0);
            break;
        default:
            return GMMU_SIMT_EXIT;
    }
    r->pc++;
    return GMMU_SIMT_MEM;
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
                                        .result = bfs_result};
