// SPDX-License-Identifier: Apache-2.0
#include "anneal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000000 };  // of anything in a file

// ---- connections between two objects: a hash table of pairs, while the graph is read
typedef struct {
    int *slot;  // pair, or -1
    size_t size;
} pair_table;

static int pair_between(anneal *a, pair_table *table, int one, int other) {
    if (one == other)
        return -1;
    const int low = one < other ? one : other, high = one < other ? other : one;
    size_t h = ((size_t)low * 2654435761u ^ (size_t)high * 40503u) % table->size;
    for (; table->slot[h] >= 0; h = (h + 1) % table->size) {
        const anneal_pair *p = &a->pair[table->slot[h]];
        if (p->a == low && p->b == high)
            return table->slot[h];
    }
    a->pair[a->pairs] = (anneal_pair){low, high, 0.0, 0.0, 0.0};
    return table->slot[h] = a->pairs++;
}

// ---- reading
void anneal_read_counts(anneal *a, input *in) {
    input_record(in, "counts", -1);
    a->objects = input_number(in, "objects", 1, MOST);
    a->nets = input_number(in, "nets", 0, MOST);
    a->bits = input_number(in, "bits", 0, MOST);
    a->ends = input_number(in, "ends", 0, MOST);
    a->arcs = input_number(in, "arcs", 0, MOST);
    a->x = allocate((size_t)a->objects, sizeof *a->x);
    a->y = allocate((size_t)a->objects, sizeof *a->y);
    a->from_x = allocate((size_t)a->objects, sizeof *a->from_x);
    a->from_y = allocate((size_t)a->objects, sizeof *a->from_y);
}

static void read_nets(anneal *a, input *in) {
    size_t held = 1 << 16;
    a->net_first = allocate((size_t)a->nets + 1, sizeof *a->net_first);
    a->net_object = allocate(held, sizeof *a->net_object);
    for (int n = 0; n < a->nets; n++) {
        input_record(in, "net", n);
        const int count = input_number(in, "objects", 1, a->objects);
        if (a->net_first[n] > INT_MAX - count)
            input_fail(in, "found more than %d objects of all nets", INT_MAX);
        a->net_first[n + 1] = a->net_first[n] + count;
        while ((size_t)a->net_first[n + 1] > held) {
            int *more = realloc(a->net_object, 2 * held * sizeof *more);
            if (!more)
                input_fail(in, "found no memory for %zu objects of nets", 2 * held);
            a->net_object = more;
            held *= 2;
        }
        for (int i = a->net_first[n]; i < a->net_first[n + 1]; i++)
            a->net_object[i] = input_number(in, "object", 0, a->objects - 1);
    }
}

static void read_bits(anneal *a, input *in, pair_table *table) {
    int arcs = 0;
    for (int b = 0; b < a->bits; b++) {
        input_record(in, "bit", b);
        anneal_bit *bit = &a->bit[b];
        bit->object = input_number(in, "object", 0, a->objects - 1);
        const int start = input_number(in, "ps from the clock", -1, INT_MAX);
        bit->start = start < 0 ? -1.0 : start / 1000.0;
        bit->first = arcs;
        bit->count = input_number(in, "arcs", 0, b ? a->arcs - arcs : 0);
        for (int i = 0; i < bit->count; i++, arcs++) {
            anneal_arc *arc = &a->arc[arcs];
            arc->bit = input_number(in, "bit before", 0, b - 1);
            arc->ns = input_number(in, "ps", 0, INT_MAX) / 1000.0;
            arc->wired = input_number(in, "wire", 0, 1) != 0;
            const int before = a->bit[arc->bit].object;
            arc->pair = arc->wired ? pair_between(a, table, before, bit->object) : -1;
        }
    }
    if (arcs != a->arcs)
        input_fail(in, "found %d arcs of all bits, expected %d", arcs, a->arcs);
}

static void read_ends(anneal *a, input *in, pair_table *table) {
    for (int e = 0; e < a->ends; e++) {
        input_record(in, "end", e);
        anneal_end *end = &a->end[e];
        end->bit = input_number(in, "bit", 0, a->bits - 1);
        end->object = input_number(in, "object", 0, a->objects - 1);
        end->wired = input_number(in, "wire", 0, 1) != 0;
        end->ns = input_number(in, "ps", 0, INT_MAX) / 1000.0;
        const int before = a->bit[end->bit].object;
        end->pair = end->wired ? pair_between(a, table, before, end->object) : -1;
    }
}

// Which of COUNT things each object is in. Of thing i: LIST[FIRST[i]] to LIST[FIRST[i + 1] - 1]
static anneal_lists lists_of(const anneal *a, int count, const int *first, const int *list) {
    anneal_lists l = {allocate((size_t)a->objects + 1, sizeof(int)),
                      allocate((size_t)first[count], sizeof(int))};
    for (int k = 0; k < first[count]; k++) l.first[list[k]]++;
    for (int o = 0; o < a->objects; o++) l.first[o + 1] += l.first[o];
    for (int i = 0; i < count; i++)
        for (int k = first[i]; k < first[i + 1]; k++) l.list[--l.first[list[k]]] = i;
    return l;
}

static anneal_lists pairs_of_objects(const anneal *a) {
    int *first = allocate((size_t)a->pairs + 1, sizeof *first);
    int *list = allocate(2 * (size_t)a->pairs, sizeof *list);
    for (int p = 0; p < a->pairs; p++) {
        first[p + 1] = 2 * (p + 1);
        list[first[p]] = a->pair[p].a;
        list[first[p] + 1] = a->pair[p].b;
    }
    const anneal_lists l = lists_of(a, a->pairs, first, list);
    free(first);
    free(list);
    return l;
}

void anneal_read_graph(anneal *a, input *in) {
    read_nets(a, in);
    const size_t most_pairs = (size_t)a->arcs + (size_t)a->ends;
    pair_table table = {NULL, 2 * most_pairs + 1};
    table.slot = allocate(table.size, sizeof *table.slot);
    memset(table.slot, 0xff, table.size * sizeof *table.slot);  // -1
    a->pair = allocate(most_pairs, sizeof *a->pair);
    a->arc = allocate((size_t)a->arcs, sizeof *a->arc);
    a->bit = allocate((size_t)a->bits, sizeof *a->bit);
    a->end = allocate((size_t)a->ends, sizeof *a->end);
    read_bits(a, in, &table);
    read_ends(a, in, &table);
    free(table.slot);
    a->nets_of = lists_of(a, a->nets, a->net_first, a->net_object);
    a->pairs_of = pairs_of_objects(a);
    a->net_factor = allocate((size_t)a->nets, sizeof *a->net_factor);
    for (int n = 0; n < a->nets; n++)
        a->net_factor[n] = fmax(1.0, 0.38 * sqrt(a->net_first[n + 1] - a->net_first[n]));
    a->box = allocate((size_t)a->nets, sizeof *a->box);
    a->at = allocate((size_t)a->bits, sizeof *a->at);
    a->rest = allocate((size_t)a->bits, sizeof *a->rest);
    a->undo_net = allocate((size_t)a->nets, sizeof *a->undo_net);
    a->undo_pair = allocate((size_t)a->pairs, sizeof *a->undo_pair);
    a->seen_net = allocate((size_t)a->nets, sizeof *a->seen_net);
    a->seen_pair = allocate((size_t)a->pairs, sizeof *a->seen_pair);
}

void anneal_free(anneal *a) {
    void *all[] = {a->x,
                   a->y,
                   a->from_x,
                   a->from_y,
                   a->net_first,
                   a->net_object,
                   a->net_factor,
                   a->box,
                   a->bit,
                   a->arc,
                   a->end,
                   a->pair,
                   a->nets_of.first,
                   a->nets_of.list,
                   a->pairs_of.first,
                   a->pairs_of.list,
                   a->at,
                   a->rest,
                   a->undo_net,
                   a->undo_pair,
                   a->seen_net,
                   a->seen_pair};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

// ---- nets
static anneal_box around(const anneal *a, int net) {
    const int *o = a->net_object + a->net_first[net];
    const int *last = a->net_object + a->net_first[net + 1];
    const double *x = a->x, *y = a->y;
    anneal_box b = {x[*o], x[*o], y[*o], y[*o]};
    for (o++; o < last; o++) {
        const double ox = x[*o], oy = y[*o];
        b.left = ox < b.left ? ox : b.left;
        b.right = ox > b.right ? ox : b.right;
        b.low = oy < b.low ? oy : b.low;
        b.high = oy > b.high ? oy : b.high;
    }
    return b;
}
static double half_perimeter(const anneal_box *b) {
    return b->right - b->left + b->high - b->low;
}
static bool same_box(const anneal_box *b, const anneal_box *c) {
    return b->left == c->left && b->right == c->right && b->low == c->low && b->high == c->high;
}

// ---- wires in each square. The wires of a net lie evenly in the box around the net (P. Spindler,
// F. M. Johannes, "Fast and accurate routing demand estimation for efficient routability-driven
// placement", DATE 2007). A net of many cells takes more than half the perimeter.
static double over(const anneal_model *m, double wires) {
    return wires > m->takes ? m->crowded * (wires - m->takes) * (wires - m->takes) / m->takes : 0.0;
}
// SIGN 1.0: the net's wires come to box B; -1.0: they go. What that costs
static double lay(anneal *a, int net, const anneal_box *b, double sign) {
    const double wide = b->right - b->left + 1.0, tall = b->high - b->low + 1.0;
    const double each = sign * a->net_factor[net] * (wide + tall) / (wide * tall);
    double cost = 0.0;
    for (int row = (int)b->low / SQUARE; row <= (int)b->high / SQUARE; row++)
        for (int column = (int)b->left / SQUARE; column <= (int)b->right / SQUARE; column++) {
            const double across =
                fmin(b->right + 1.0, (column + 1) * SQUARE) - fmax(b->left, column * SQUARE);
            const double down =
                fmin(b->high + 1.0, (row + 1) * SQUARE) - fmax(b->low, row * SQUARE);
            double *d = &a->demand[row * SQUARES_ACROSS + column];
            cost -= over(a->model, *d);
            *d += each * across * down;
            cost += over(a->model, *d);
        }
    return cost;
}

// ---- paths
static double wire(const anneal *a, bool wired, int from, int to) {
    return wired ? a->model->wire_ns(fabs(a->x[from] - a->x[to]), fabs(a->y[from] - a->y[to]))
                 : 0.0;
}
double anneal_through(const anneal *a, int b, int i) {
    const anneal_arc *arc = &a->arc[i];
    const double way = wire(a, arc->wired, a->bit[arc->bit].object, a->bit[b].object);
    return a->at[arc->bit] + arc->ns + way + a->rest[b];
}
double anneal_to_end(const anneal *a, int e) {
    const anneal_end *end = &a->end[e];
    return a->at[end->bit] + wire(a, end->wired, a->bit[end->bit].object, end->object) + end->ns;
}

// When each bit is there
static void forwards(anneal *a) {
    for (int b = 0; b < a->bits; b++) {
        const anneal_bit *bit = &a->bit[b];
        a->at[b] = bit->start > 0.0 ? bit->start : 0.0;
        a->rest[b] = -1.0;
        for (int i = bit->first; i < bit->first + bit->count; i++) {
            const anneal_arc *arc = &a->arc[i];
            const double ns = a->at[arc->bit] + arc->ns +
                              wire(a, arc->wired, a->bit[arc->bit].object, bit->object);
            a->at[b] = ns > a->at[b] ? ns : a->at[b];
        }
    }
}
// How long the way from each bit is; the longest path
static double backwards(anneal *a) {
    double worst = 0.0;
    for (int e = 0; e < a->ends; e++) {
        const anneal_end *end = &a->end[e];
        const double ns = wire(a, end->wired, a->bit[end->bit].object, end->object) + end->ns;
        a->rest[end->bit] = ns > a->rest[end->bit] ? ns : a->rest[end->bit];
    }
    for (int b = a->bits; b-- > 0;) {
        const anneal_bit *bit = &a->bit[b];
        if (a->rest[b] < 0.0)
            continue;
        worst = a->at[b] + a->rest[b] > worst ? a->at[b] + a->rest[b] : worst;
        for (int i = bit->first; i < bit->first + bit->count; i++) {
            const anneal_arc *arc = &a->arc[i];
            const double ns =
                a->rest[b] + arc->ns + wire(a, arc->wired, a->bit[arc->bit].object, bit->object);
            a->rest[arc->bit] = ns > a->rest[arc->bit] ? ns : a->rest[arc->bit];
        }
    }
    return worst;
}
double anneal_work_out(anneal *a) {
    forwards(a);
    const double worst = backwards(a);
    for (int p = 0; p < a->pairs; p++) {
        a->pair[p].longest = 0.0;
        a->pair[p].then = wire(a, true, a->pair[p].a, a->pair[p].b);
    }
    for (int b = 0; b < a->bits; b++) {
        const int last = a->rest[b] >= 0.0 ? a->bit[b].first + a->bit[b].count : 0;
        for (int i = a->bit[b].first; i < last; i++)
            if (a->arc[i].pair >= 0) {
                anneal_pair *p = &a->pair[a->arc[i].pair];
                p->longest = fmax(p->longest, anneal_through(a, b, i));
            }
    }
    for (int e = 0; e < a->ends; e++)
        if (a->end[e].pair >= 0) {
            anneal_pair *p = &a->pair[a->end[e].pair];
            p->longest = fmax(p->longest, anneal_to_end(a, e));
        }
    return worst;
}
int anneal_later_than(const anneal *a, double ns) {
    int n = 0;
    for (int e = 0; e < a->ends; e++) n += anneal_to_end(a, e) > ns;
    return n;
}

void anneal_sum_up(anneal *a) {
    a->wire_sum = a->pair_sum = 0.0;
    for (int s = 0; s < SQUARES; s++) a->demand[s] = 0.0;
    for (int n = 0; n < a->nets; n++) {
        a->box[n] = around(a, n);
        a->wire_sum += half_perimeter(&a->box[n]);
        if (a->model->crowded > 0.0)
            lay(a, n, &a->box[n], 1.0);
    }
    for (int p = 0; p < a->pairs; p++)
        a->pair_sum += a->pair[p].cost = a->model->pair_cost(a->user, p);
}

// ---- moves: what changes is computed, and goes back to what it was if the move is not taken
static void touch_nets(anneal *a, int o, double *by_wire) {
    const double x = a->x[o], y = a->y[o], from_x = a->from_x[o], from_y = a->from_y[o];
    const uint32_t stamp = a->stamp;
    uint32_t *seen = a->seen_net;
    const int *net = a->nets_of.list + a->nets_of.first[o];
    const int *last = a->nets_of.list + a->nets_of.first[o + 1];
    for (; net < last; net++) {
        const int n = *net;
        if (seen[n] == stamp)
            continue;
        anneal_box *b = &a->box[n];
        if (from_x > b->left && from_x < b->right && from_y > b->low && from_y < b->high &&
            x >= b->left && x <= b->right && y >= b->low && y <= b->high)
            continue;  // the object was inside and stays in the box
        seen[n] = stamp;
        const anneal_box now = around(a, n);
        if (same_box(&now, b))
            continue;
        a->undo_net[a->undo_nets].net = n;
        a->undo_net[a->undo_nets++].was = *b;
        *by_wire += half_perimeter(&now) - half_perimeter(b);
        if (a->model->crowded > 0.0) {
            const double gone = lay(a, n, b, -1.0), come = lay(a, n, &now, 1.0);
            *by_wire += gone + come;
        }
        *b = now;
    }
}
static void touch_pairs(anneal *a, int o, double *by_pairs) {
    double (*const pair_cost)(const void *, int) = a->model->pair_cost;
    const void *user = a->user;
    const uint32_t stamp = a->stamp;
    uint32_t *seen = a->seen_pair;
    anneal_pair *pair = a->pair;
    double sum = *by_pairs;
    int undo_pairs = a->undo_pairs;
    const int *p = a->pairs_of.list + a->pairs_of.first[o];
    const int *last = a->pairs_of.list + a->pairs_of.first[o + 1];
    for (; p < last; p++) {
        if (seen[*p] == stamp)
            continue;
        seen[*p] = stamp;
        const double now = pair_cost(user, *p);
        a->undo_pair[undo_pairs].pair = *p;
        a->undo_pair[undo_pairs++].was = pair[*p].cost;
        sum += now - pair[*p].cost;
        pair[*p].cost = now;
    }
    a->undo_pairs = undo_pairs;
    *by_pairs = sum;
}
static void undo(anneal *a) {
    while (a->undo_nets-- > 0) {
        const int n = a->undo_net[a->undo_nets].net;
        const anneal_box *was = &a->undo_net[a->undo_nets].was;
        if (a->model->crowded > 0.0) {
            lay(a, n, &a->box[n], -1.0);
            lay(a, n, was, 1.0);
        }
        a->box[n] = *was;
    }
    while (a->undo_pairs-- > 0)
        a->pair[a->undo_pair[a->undo_pairs].pair].cost = a->undo_pair[a->undo_pairs].was;
}
bool anneal_try(anneal *a, const int *moved, int count, double more, double heat, double *change) {
    double by_wire = more, by_pairs = 0.0;
    a->stamp++;
    a->undo_nets = a->undo_pairs = 0;
    for (int i = 0; i < count; i++) {
        touch_nets(a, moved[i], &by_wire);
        touch_pairs(a, moved[i], &by_pairs);
    }
    *change = a->model->cost(a->user, by_wire, by_pairs);
    if (*change <= 0.0 || random_chance(&a->random) < exp(-*change / heat))
        return true;
    undo(a);
    return false;
}
