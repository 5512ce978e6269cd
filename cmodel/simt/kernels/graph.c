// SPDX-License-Identifier: Apache-2.0
// graph.c: random power-law graphs, as compressed rows, for the graph kernels.
#include "simt/kernels/graph.h"

#include <stdlib.h>

#include "simt/simt.h"

// One edge, its ends not yet renamed. Of the four quadrants of the adjacency matrix take one with
// probability 57, 19, 19, 5 %, then of its quadrants, and so on.
static void rmat_edge(uint64_t n, uint64_t *random, uint32_t *from, uint32_t *to) {
    do {
        *from = *to = 0;
        for (uint64_t span = 1; span < n; span *= 2) {
            uint64_t r = gmmu_simt_random(random) % 100;
            *from = *from << 1 | (r >= 76);
            *to = *to << 1 | ((r >= 57 && r < 76) || r >= 95);
        }
    } while (*from >= n || *to >= n || *from == *to);
}

uint64_t gmmu_graph_entries(uint64_t n, unsigned factor) {
    return n == 1 ? 0 : 2 * n * factor;
}

bool gmmu_graph_make(uint64_t n, unsigned factor, uint64_t seed, uint32_t *first, uint32_t *to,
                     uint32_t *weight) {
    uint64_t pairs = gmmu_graph_entries(n, factor) / 2;
    uint64_t random = seed;
    uint32_t *name = malloc(n * sizeof *name);
    uint32_t *ends = malloc((2 * pairs + 1) * sizeof *ends);  // of edge k: ends[2k], ends[2k + 1]
    if (name == NULL || ends == NULL) {
        free(name);
        free(ends);
        return false;
    }
    for (uint64_t v = 0; v < n; v++) {
        uint64_t other = gmmu_simt_random(&random) % (v + 1);
        name[v] = (uint32_t)v;
        name[v] = name[other];
        name[other] = (uint32_t)v;
        first[v + 1] = 0;
    }
    for (uint64_t k = 0; k < pairs; k++) {
        rmat_edge(n, &random, &ends[2 * k], &ends[2 * k + 1]);
        for (uint64_t i = 2 * k; i <= 2 * k + 1; i++) {
            ends[i] = name[ends[i]];
            first[ends[i] + 1]++;
        }
    }
    uint32_t *next = name;  // where a vertex' next edge goes; all are renamed
    first[0] = 0;
    for (uint64_t v = 0; v < n; v++) {
        next[v] = first[v];
        first[v + 1] += first[v];
    }
    for (uint64_t k = 0; k < pairs; k++) {
        uint32_t a = next[ends[2 * k]]++;
        uint32_t b = next[ends[2 * k + 1]]++;
        to[a] = ends[2 * k + 1];
        to[b] = ends[2 * k];
        if (weight != NULL)
            weight[a] = weight[b] =
                1 + (uint32_t)(gmmu_simt_random(&random) % GMMU_GRAPH_MOST_WEIGHT);
    }
    free(name);
    free(ends);
    return true;
}

uint64_t gmmu_graph_levels(uint64_t n, const uint32_t *first, const uint32_t *to, uint32_t source,
                           int32_t *level) {
    uint32_t *queue = malloc(n * sizeof *queue);
    if (queue == NULL)
        return 0;
    for (uint64_t v = 0; v < n; v++) level[v] = -1;
    level[source] = 0;
    queue[0] = source;
    uint64_t reached = 1;
    for (uint64_t head = 0; head < reached; head++) {
        uint32_t v = queue[head];
        for (const uint32_t *u = to + first[v]; u < to + first[v + 1]; u++) {
            if (level[*u] < 0) {
                level[*u] = level[v] + 1;
                queue[reached++] = *u;
            }
        }
    }
    free(queue);
    return reached;
}

uint32_t gmmu_graph_hub(uint64_t n, const uint32_t *first) {
    uint32_t hub = 0;
    for (uint64_t v = 1; v < n; v++)
        if (first[v + 1] - first[v] > first[hub + 1] - first[hub])
            hub = (uint32_t)v;
    return hub;
}
