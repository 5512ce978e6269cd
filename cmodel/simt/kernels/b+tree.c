// SPDX-License-Identifier: Apache-2.0
// b+tree.c: look-ups in a B+ tree, Rodinia's findK and findRangeK: a block a query, a thread a key
// of the node.
//
//   grid 1, block b, thread t:  for each level above the leaves:
//                                 if keys[t] <= query[b] < keys[t + 1] of node current[b]:
//                                   offset[b] = its child t
//                                 thread 0: current[b] = offset[b]
//                               if keys[t] == query[b] of leaf current[b]: answer[b] = its record
//   grid 2: the same for both ends of a range: its first record and the number of records.
//
// As in the suite the order of the tree is the number of threads of a block, a node lies in memory
// as {location, indices[order + 1], keys[order + 1], leaf, number of keys}, 32 bits each, by levels
// from the root on, and its keys stand between a lowest and a highest one. The tree is built whole,
// each node two thirds full. The guard that the source has around offset[b] = ... is always open
// in a tree that is right; its loads are kept.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/warp.h"

enum { MIN_ORDER = 3, LEVELS = 32 };
enum { FIND = 1, RANGE = 2 };

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned order;
    unsigned grid;    // FIND or RANGE while it runs, 0 before
    unsigned height;  // levels above the leaves
    uint64_t finds, ranges;
    uint64_t done;  // queries
    const gmmu_array *nodes, *records;
    const gmmu_array *current, *offset, *query, *answer;
    const gmmu_array *node[2], *next[2], *bound[2];  // of both ends of a range
    const gmmu_array *first, *length;
} btree;

// Instructions of grid 1. LOW and HIGH are the two comparisons, GUARD is the source's guard.
enum {
    CURRENT_LOW,
    KEY_LOW,
    QUERY_LOW,
    CURRENT_HIGH,
    KEY_HIGH,
    QUERY_HIGH,
    OFFSET_GUARD,
    CHILD_GUARD,
    OFFSET,
    CHILD,
    STORE_OFFSET,
    NEXT,
    STORE_CURRENT,
    CURRENT_LEAF,
    KEY_LEAF,
    QUERY_LEAF,
    CURRENT_RECORD,
    INDEX,
    RECORD,
    STORE_ANSWER
};

// Instructions of grid 2: of one end, then of the other.
enum {
    END_CURRENT_LOW = STORE_ANSWER + 1,
    END_KEY_LOW,
    END_QUERY_LOW,
    END_CURRENT_HIGH,
    END_KEY_HIGH,
    END_QUERY_HIGH,
    END_CURRENT_GUARD,
    END_CHILD_GUARD,
    END_CURRENT,
    END_CHILD,
    END_STORE_OFFSET,
    END_SITES = END_STORE_OFFSET + 1 - END_CURRENT_LOW,
    NEXT_FROM = END_CURRENT_LOW + 2 * END_SITES,
    STORE_FROM,
    NEXT_TO,
    STORE_TO,
    FROM_LEAF,
    START_KEY,
    START,
    FROM_INDEX,
    START_INDEX,
    STORE_FIRST,
    TO_LEAF,
    END_KEY,
    END,
    TO_INDEX,
    END_INDEX,
    FIRST,
    STORE_LENGTH
};

typedef struct {
    WARP_STATE;
    unsigned level, end;  // end 1: the range's last key
    int64_t node[GMMU_WARP];
    int32_t key[GMMU_WARP], query[GMMU_WARP], index[GMMU_WARP], value[GMMU_WARP];
} regs;

// ---------------------------------------------------------------- a node's words

static uint64_t stride_of(unsigned order) {
    return 2 * (uint64_t)order + 5;
}

static uint64_t index_at(const btree *s, int64_t node, uint64_t k) {
    return (uint64_t)node * stride_of(s->order) + 1 + k;
}

static uint64_t key_at(const btree *s, int64_t node, uint64_t k) {
    return index_at(s, node, k) + s->order + 1;
}

// ---------------------------------------------------------------- the data

// The keys in their order: gaps of 1 or 2.
static int32_t next_key(int32_t key, uint64_t *random) {
    return key + 1 + (int32_t)(gmmu_simt_random(random) >> 63);
}

// Nodes by levels, the leaves' first: each takes its share of what is below. Returns the number of
// levels above the leaves.
static unsigned count_nodes(uint64_t n, unsigned order, uint64_t count[LEVELS]) {
    uint64_t keys = (2 * (uint64_t)order - 2) / 3;
    uint64_t children = 2 * (uint64_t)order / 3;
    unsigned level = 0;
    for (count[0] = (n + keys - 1) / keys; count[level] > 1; level++)
        count[level + 1] = (count[level] + children - 1) / children;
    return level;
}

// Node number NODE of all, with USED entries behind the lowest key, in an inner node also one
// there; the caller fills them in.
static int32_t *start_node(const btree *s, uint64_t node, uint64_t used, bool leaf) {
    int32_t *word = (int32_t *)s->nodes->data + node * stride_of(s->order);
    int32_t *index = word + 1;
    int32_t *key = index + s->order + 1;
    word[0] = (int32_t)node;
    key[0] = INT32_MIN;
    for (uint64_t k = used + 1; k <= s->order; k++) key[k] = INT32_MAX;
    index[used + 1] = (int32_t)node + 1;
    key[s->order + 1] = leaf;
    key[s->order + 2] = (int32_t)used + 2;
    return index;
}

// Returns the highest key.
static int32_t make_tree(const btree *s, const uint64_t count[LEVELS]) {
    uint64_t stride = stride_of(s->order);
    uint64_t random = s->seed;
    int32_t *record = s->records->data;
    uint64_t below = 0;  // number of the first node of the level below
    for (unsigned level = 1; level <= s->height; level++) below += count[level];
    int32_t key = -1;
    for (uint64_t i = 0; i < count[0]; i++) {
        uint64_t first = i * s->n / count[0];
        uint64_t used = (i + 1) * s->n / count[0] - first;
        int32_t *index = start_node(s, below + i, used, true);
        for (uint64_t k = 1; k <= used; k++) {
            key = next_key(key, &random);
            index[s->order + 1 + k] = key;
            index[k] = (int32_t)(first + k - 1);
            record[first + k - 1] = (int32_t)(gmmu_simt_random(&random) >> 33);
        }
    }
    for (unsigned level = 1; level <= s->height; level++) {
        uint64_t here = below - count[level];
        for (uint64_t i = 0; i < count[level]; i++) {
            uint64_t first = i * count[level - 1] / count[level];
            uint64_t used = (i + 1) * count[level - 1] / count[level] - first - 1;
            int32_t *index = start_node(s, here + i, used, false);
            for (uint64_t k = 0; k <= used; k++) {
                // the key of child k is the lowest one of its leaves
                uint64_t child = below + first + k;
                index[k] = (int32_t)child;
                const int32_t *leaf = (const int32_t *)s->nodes->data + child * stride;
                for (unsigned down = level - 1; down > 0; down--)
                    leaf = (const int32_t *)s->nodes->data + (uint64_t)leaf[1] * stride;
                if (k > 0)
                    index[s->order + 1 + k] = leaf[1 + s->order + 1 + 1];
            }
        }
        below = here;
    }
    return key;
}

// Rodinia's ratios: 10000 keys and 6000 ranges of 3000 keys for a million.
static void make_queries(const btree *s, uint64_t top) {
    uint64_t random = ~s->seed;
    for (uint64_t i = 0; i < s->finds; i++) {
        ((int32_t *)s->query->data)[i] = (int32_t)(gmmu_simt_random(&random) % (top + 1));
        ((int32_t *)s->answer->data)[i] = -1;
    }
    uint64_t wide = 3 * top / 1000;
    for (uint64_t i = 0; i < s->ranges; i++) {
        uint64_t start = gmmu_simt_random(&random) % (top + 1);
        if (start + wide > top)
            start = top - wide;
        ((int32_t *)s->bound[0]->data)[i] = (int32_t)start;
        ((int32_t *)s->bound[1]->data)[i] = (int32_t)(start + wide);
    }
}

static void *btree_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    btree *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "b+tree: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    s->order = p->block < MIN_ORDER ? MIN_ORDER : p->block;
    s->finds = (s->n + 99) / 100;
    s->ranges = (6 * s->n + 999) / 1000;
    uint64_t count[LEVELS];
    uint64_t words = 0;
    s->height = count_nodes(s->n, s->order, count);
    for (unsigned level = 0; level <= s->height; level++)
        words += count[level] * stride_of(s->order);
    const struct {
        const gmmu_array **array;
        const char *name;
        uint64_t count;
        size_t element;
    } arrays[] = {{&s->records, "records", s->n, 4},     {&s->nodes, "nodes", words, 4},
                  {&s->current, "current", s->finds, 8}, {&s->offset, "offset", s->finds, 8},
                  {&s->query, "query", s->finds, 4},     {&s->answer, "answer", s->finds, 4},
                  {&s->node[0], "from", s->ranges, 8},   {&s->next[0], "from_offset", s->ranges, 8},
                  {&s->node[1], "to", s->ranges, 8},     {&s->next[1], "to_offset", s->ranges, 8},
                  {&s->bound[0], "start", s->ranges, 4}, {&s->bound[1], "end", s->ranges, 4},
                  {&s->first, "first", s->ranges, 4},    {&s->length, "length", s->ranges, 4}};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].array =
            gmmu_space_alloc(space, arrays[i].name, arrays[i].count, arrays[i].element, err);
        if (*arrays[i].array == NULL) {
            free(s);
            return NULL;
        }
    }
    make_queries(s, (uint64_t)make_tree(s, count));
    return s;
}

static bool btree_launch(void *self, gmmu_simt_grid *grid) {
    btree *s = self;
    s->grid++;
    *grid = (gmmu_simt_grid){.blocks = s->grid == FIND ? s->finds : s->ranges, .threads = s->order};
    return s->grid <= RANGE;
}

// ---------------------------------------------------------------- the grids

static gmmu_simt_event find(btree *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->level = 0; r->level < s->height; r->level++) {
        LD(CURRENT_LOW, s->current, BID, r->node);
        LD(KEY_LOW, s->nodes, key_at(s, r->node[lane], TID), r->key);
        LD(QUERY_LOW, s->query, BID, r->query);
        IF(r->key[lane] <= r->query[lane]) {
            LD(CURRENT_HIGH, s->current, BID, r->node);
            LD(KEY_HIGH, s->nodes, key_at(s, r->node[lane], TID + 1), r->key);
            LD(QUERY_HIGH, s->query, BID, r->query);
            IF(r->key[lane] > r->query[lane]) {
                LD(OFFSET_GUARD, s->offset, BID, r->node);
                LD(CHILD_GUARD, s->nodes, index_at(s, r->node[lane], TID), r->index);
                LD(OFFSET, s->offset, BID, r->node);
                LD(CHILD, s->nodes, index_at(s, r->node[lane], TID), r->index);
                ST(STORE_OFFSET, s->offset, int64_t, BID, r->index[lane]);
            }
            ENDIF;
        }
        ENDIF;
        SYNC;
        IF(TID == 0) {
            LD(NEXT, s->offset, BID, r->node);
            ST(STORE_CURRENT, s->current, int64_t, BID, r->node[lane]);
        }
        ENDIF;
        SYNC;
    }
    LD(CURRENT_LEAF, s->current, BID, r->node);
    LD(KEY_LEAF, s->nodes, key_at(s, r->node[lane], TID), r->key);
    LD(QUERY_LEAF, s->query, BID, r->query);
    IF(r->key[lane] == r->query[lane]) {
        LD(CURRENT_RECORD, s->current, BID, r->node);
        LD(INDEX, s->nodes, index_at(s, r->node[lane], TID), r->index);
        LD(RECORD, s->records, (uint64_t)r->index[lane], r->value);
        ST(STORE_ANSWER, s->answer, int32_t, BID, r->value[lane]);
    }
    ENDIF;
    s->done += w->index == 0;
    WARP_END;
}

// The K-th instruction of the comparisons for one end of the range.
static unsigned of_end(const regs *r, unsigned site) {
    return site + r->end * END_SITES;
}

static gmmu_simt_event range(btree *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->level = 0; r->level < s->height; r->level++) {
        for (r->end = 0; r->end < 2; r->end++) {
            LD(of_end(r, END_CURRENT_LOW), s->node[r->end], BID, r->node);
            LD(of_end(r, END_KEY_LOW), s->nodes, key_at(s, r->node[lane], TID), r->key);
            LD(of_end(r, END_QUERY_LOW), s->bound[r->end], BID, r->query);
            IF(r->key[lane] <= r->query[lane]) {
                LD(of_end(r, END_CURRENT_HIGH), s->node[r->end], BID, r->node);
                LD(of_end(r, END_KEY_HIGH), s->nodes, key_at(s, r->node[lane], TID + 1), r->key);
                LD(of_end(r, END_QUERY_HIGH), s->bound[r->end], BID, r->query);
                IF(r->key[lane] > r->query[lane]) {
                    LD(of_end(r, END_CURRENT_GUARD), s->node[r->end], BID, r->node);
                    LD(of_end(r, END_CHILD_GUARD), s->nodes, index_at(s, r->node[lane], TID),
                       r->index);
                    LD(of_end(r, END_CURRENT), s->node[r->end], BID, r->node);
                    LD(of_end(r, END_CHILD), s->nodes, index_at(s, r->node[lane], TID), r->index);
                    ST(of_end(r, END_STORE_OFFSET), s->next[r->end], int64_t, BID, r->index[lane]);
                }
                ENDIF;
            }
            ENDIF;
        }
        SYNC;
        IF(TID == 0) {
            LD(NEXT_FROM, s->next[0], BID, r->node);
            ST(STORE_FROM, s->node[0], int64_t, BID, r->node[lane]);
            LD(NEXT_TO, s->next[1], BID, r->node);
            ST(STORE_TO, s->node[1], int64_t, BID, r->node[lane]);
        }
        ENDIF;
        SYNC;
    }
    LD(FROM_LEAF, s->node[0], BID, r->node);
    LD(START_KEY, s->nodes, key_at(s, r->node[lane], TID), r->key);
    LD(START, s->bound[0], BID, r->query);
    IF(r->key[lane] == r->query[lane]) {
        LD(FROM_INDEX, s->node[0], BID, r->node);
        LD(START_INDEX, s->nodes, index_at(s, r->node[lane], TID), r->index);
        ST(STORE_FIRST, s->first, int32_t, BID, r->index[lane]);
    }
    ENDIF;
    SYNC;
    LD(TO_LEAF, s->node[1], BID, r->node);
    LD(END_KEY, s->nodes, key_at(s, r->node[lane], TID), r->key);
    LD(END, s->bound[1], BID, r->query);
    IF(r->key[lane] == r->query[lane]) {
        LD(TO_INDEX, s->node[1], BID, r->node);
        LD(END_INDEX, s->nodes, index_at(s, r->node[lane], TID), r->index);
        LD(FIRST, s->first, BID, r->value);
        ST(STORE_LENGTH, s->length, int32_t, BID, r->index[lane] - r->value[lane] + 1);
    }
    ENDIF;
    s->done += w->index == 0;
    WARP_END;
}

static gmmu_simt_event btree_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    btree *s = self;
    return s->grid == FIND ? find(s, w, registers, op) : range(s, w, registers, op);
}

static double btree_progress(const void *self) {
    const btree *s = self;
    return (double)s->done / (double)(s->finds + s->ranges);
}

// ---------------------------------------------------------------- the check

// Place of KEY among the N keys, -1 where it is not; it is none above the last.
static int32_t place(const int32_t *keys, uint64_t n, int32_t key) {
    uint64_t low = 0;
    uint64_t high = n - 1;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return keys[low] == key ? (int32_t)low : -1;
}

static bool differs(const gmmu_array *array, uint64_t i, int32_t expected, gmmu_error *err) {
    int32_t found = ((const int32_t *)array->data)[i];
    if (found == expected)
        return false;
    snprintf(err->text, sizeof err->text,
             "b+tree: %s[%" PRIu64 "]: found %" PRId32 ", expected %" PRId32, array->name, i, found,
             expected);
    return true;
}

// Binary search among the keys, drawn again in their order.
static int btree_check(const void *self, gmmu_error *err) {
    const btree *s = self;
    const int32_t *record = s->records->data;
    uint64_t random = s->seed;
    int32_t key = -1;
    int32_t *keys = malloc(s->n * sizeof *keys);
    if (keys == NULL) {
        snprintf(err->text, sizeof err->text, "b+tree: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t i = 0; i < s->n; i++) {
        keys[i] = key = next_key(key, &random);
        gmmu_simt_random(&random);  // the record
    }
    bool wrong = false;
    for (uint64_t i = 0; !wrong && i < s->finds; i++) {
        int32_t at = place(keys, s->n, ((const int32_t *)s->query->data)[i]);
        wrong = differs(s->answer, i, at < 0 ? -1 : record[at], err);
    }
    for (uint64_t i = 0; !wrong && i < s->ranges; i++) {
        int32_t from = place(keys, s->n, ((const int32_t *)s->bound[0]->data)[i]);
        int32_t to = place(keys, s->n, ((const int32_t *)s->bound[1]->data)[i]);
        int32_t first = from < 0 ? 0 : from;
        wrong = differs(s->first, i, first, err) ||
                differs(s->length, i, to < 0 ? 0 : to - first + 1, err);
    }
    free(keys);
    return wrong ? GMMU_BAD : GMMU_OK;
}

static const gmmu_array *btree_result(const void *self) {
    return ((const btree *)self)->answer;
}

const gmmu_simt_kernel gmmu_simt_btree = {.name = "b+tree",
                                          .size_text = "keys of the tree",
                                          .default_size = 1000000,
                                          .max_size = 1 << 28,
                                          .regs = sizeof(regs),
                                          .create = btree_create,
                                          .destroy = free,
                                          .launch = btree_launch,
                                          .step = btree_step,
                                          .progress = btree_progress,
                                          .check = btree_check,
                                          .result = btree_result};
