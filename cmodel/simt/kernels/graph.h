// SPDX-License-Identifier: Apache-2.0
// graph.h: random power-law graphs, as compressed rows, for the graph kernels.
//
// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the probabilities of Graph500's and GAP's
// Kronecker graphs (57, 19, 19, 5 %): undirected, without self-loops, repeated edges kept, vertices
// renamed at random. Any number of vertices: edges with an end beyond it are drawn again.
#ifndef GMMU_SIMT_GRAPH_H
#define GMMU_SIMT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_GRAPH_MOST_WEIGHT = 255 };  // the least is 1, as in GAP

// Entries of the rows of N vertices with FACTOR undirected edges for each: each edge is in two
// rows. A single vertex has none. At most 2^31 where rows have 32-bit indices.
uint64_t gmmu_graph_entries(uint64_t n, unsigned factor);
// Fills first[n + 1], to[entries] and, unless NULL, weight[entries]: the neighbours of v and the
// weights of the edges to them are those from first[v] on, before first[v + 1]. Both entries of an
// edge have one weight. The edges do not depend on whether weights are wanted. False: no memory.
bool gmmu_graph_make(uint64_t n, unsigned factor, uint64_t seed, uint32_t *first, uint32_t *to,
                     uint32_t *weight);
// Breadth-first search with a queue from SOURCE: LEVEL of each vertex, -1 where it does not come.
// How many vertices it comes to; 0: no memory.
uint64_t gmmu_graph_levels(uint64_t n, const uint32_t *first, const uint32_t *to, uint32_t source,
                           int32_t *level);
// The first vertex of the highest degree.
uint32_t gmmu_graph_hub(uint64_t n, const uint32_t *first);

#ifdef __cplusplus
}
#endif
#endif
