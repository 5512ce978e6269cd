// SPDX-License-Identifier: Apache-2.0
// anneal.h: what the simulated annealings of rams.c and cells.c have in common: objects that lie
// somewhere, the nets between them, and the paths through them.
//
// What is made small is half the way about all nets, and beside it, after VPR (A. Marquardt, V.
// Betz, J. Rose, "Timing-driven placement for FPGAs", FPGA 2000), what all connections cost, by how
// long the longest path through each is: with each step of temperature all paths are worked out
// anew, with the ways as they are then.
//
// in, integers: objects, nets, bits, ends, arcs
//   each object: what the one who includes this reads
//   each net: how many, objects
//   each bit, after all that it depends on: the object of its cell; ps from the clock, or -1;
//   inputs; of each the bit, ps in the
//     cell, 1 if a wire goes there, 0 if it is within the cells
//   each end of paths: bit, object; 1 if a wire goes there; ps before the clock that it is there
#ifndef GMMU_FPGA_ANNEAL_H
#define GMMU_FPGA_ANNEAL_H

// The one who includes this has before: wire_ns(across, down), what a routed wire takes that goes
// so many tiles; TAKES, tiles of wire that a square takes, and CROWDED, what more costs, tiles (0:
// nothing). And behind it what a connection costs, and what both come to.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int bit, pair;  // pair: -1 within one object, or no wire
    double ns;
    bool wired;
} arc;
typedef struct {
    int object, first, count;  // its arcs
    double start;              // from the clock; below 0: none
} bit_of;
typedef struct {
    int bit, object, pair;
    bool wired;
    double ns;
} end_of;
typedef struct {
    int a, b;
    double cost;
    double longest, then;  // of its paths, and it itself, as all were worked out, ns
} pair_of;
typedef struct {
    double left, right, low, high;
} box;
typedef struct {
    int *first, *list;  // of object o: list[first[o]] to list[first[o + 1] - 1]
} lists;

static int objects, nets, bits, ends, arcs, pairs, max_arcs, max_pairs;
static int *net_first, *net_object;
static double *x, *y, *from_x, *from_y, *at, *rest, *more_wire;
enum { SQUARE = 4, SQUARES_ACROSS = 32, SQUARES = 32 * 24 };
static double demand[SQUARES];
static box *boxes;
static bit_of *bit;
static arc *arc_of;
static end_of *end;
static pair_of *pair;
static lists nets_of, pairs_of;
static double wire_sum, pair_sum;  // as they were when the step began
static double pair_cost(int p);
static double cost(double by_wire, double by_pairs);
static uint64_t state;

static void fail(const char *what) {
    fprintf(stderr, "ERROR: %s\n", what);
    exit(1);
}
static void *room(size_t count, size_t each) {
    void *p = calloc(count ? count : 1, each);
    if (!p)
        fail("no memory");
    return p;
}
static int number(void) {
    int n = 0;
    if (scanf("%d", &n) != 1)
        fail("found the end of the input, expected a number");
    return n;
}
static int number_below(int limit) {
    const int n = number();
    if (n < 0 || n >= limit)
        fail("found a number that is out of range");
    return n;
}
static uint32_t random_bits(void) {  // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}
static int below(int n) {
    return (int)((uint64_t)random_bits() * (uint64_t)n >> 32);
}
static double chance(void) {
    return random_bits() / 4294967296.0;
}

// An ECP5-85F: x of the block RAMs in a row, y of the rows
static const int column_x[] = {4,  6,  8,  10,  13,  15,  17,  19,  22,  24,  26,  28,  31,
                               33, 35, 37, 40,  42,  44,  46,  49,  51,  53,  55,  58,  60,
                               62, 64, 69, 71,  73,  75,  78,  80,  82,  84,  87,  89,  91,
                               93, 96, 98, 100, 102, 105, 107, 109, 111, 114, 116, 118, 120};
static const int row_y[] = {22, 46, 70, 82};
enum {
    COLUMNS = sizeof column_x / sizeof *column_x,
    ROWS = sizeof row_y / sizeof *row_y,
    SITES = COLUMNS * ROWS
};

// ---- connections between two objects: one for all that go between them
static int *table;
static size_t table_size = 1;
static int pair_between(int a, int b) {
    if (a == b)
        return -1;
    const int low = a < b ? a : b, high = a < b ? b : a;
    const size_t length = table_size | 1;  // which it is
    size_t h = ((size_t)low * 2654435761u ^ (size_t)high * 40503u) % length;
    for (; table[h] >= 0; h = (h + 1) % length)
        if (pair[table[h]].a == low && pair[table[h]].b == high)
            return table[h];
    if (pairs == max_pairs)
        fail("more connections than there are arcs");
    pair[pairs] = (pair_of){low, high, 0.0, 0.0, 0.0};
    return table[h] = pairs++;
}

static void read_counts(void) {
    objects = number();
    nets = number();
    bits = number();
    ends = number();
    max_arcs = number();
    if (objects < 1 || nets < 0 || bits < 0 || ends < 0 || max_arcs < 0)
        fail("found sizes that cannot be");
}

static lists listed(int count, const int *first, const int *list) {
    lists l = {room((size_t)objects + 1, sizeof(int)),
               room((size_t)(first ? first[count] : 2 * count), sizeof(int))};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const int ends_here = first ? first[i + 1] - first[i] : 2;
            for (int k = 0; k < ends_here; k++) {
                const int o = first ? list[first[i] + k] : k ? pair[i].b : pair[i].a;
                if (pass)
                    l.list[--l.first[o]] = i;
                else
                    l.first[o]++;
            }
        }
        for (int o = 0; !pass && o < objects; o++) l.first[o + 1] += l.first[o];
    }
    return l;
}

static struct {
    int item;
    box was;
} * undo_net;
static struct {
    int item;
    double was;
} * undo_pair;
static int undo_nets, undo_pairs, *seen_net, *seen_pair, stamp;

static void read_graph(void) {
    net_first = room((size_t)nets + 1, sizeof *net_first);
    size_t held = 1 << 16;
    net_object = room(held, sizeof *net_object);
    for (int n = 0; n < nets; n++) {
        const int count = number();
        net_first[n + 1] = net_first[n] + count;
        while ((size_t)net_first[n + 1] > held) {
            held *= 2;
            net_object = realloc(net_object, held * sizeof *net_object);
            if (!net_object)
                fail("no memory");
        }
        for (int i = net_first[n]; i < net_first[n + 1]; i++) net_object[i] = number_below(objects);
    }
    max_pairs = max_arcs + ends;
    table_size = (size_t)max_pairs * 2 + 1;
    table = room(table_size, sizeof *table);
    for (size_t i = 0; i < table_size; i++) table[i] = -1;
    pair = room((size_t)max_pairs, sizeof *pair);
    arc_of = room((size_t)max_arcs, sizeof *arc_of);
    bit = room((size_t)bits, sizeof *bit);
    for (int b = 0; b < bits; b++) {
        bit[b].object = number_below(objects);
        const int start = number();
        bit[b].start = start < 0 ? -1.0 : start / 1000.0;
        bit[b].first = arcs;
        bit[b].count = number();
        if (bit[b].count < 0 || bit[b].count > max_arcs - arcs)
            fail("found more arcs than were told");
        for (int i = 0; i < bit[b].count; i++, arcs++) {
            arc *a = &arc_of[arcs];
            a->bit = number_below(b);
            a->ns = number() / 1000.0;
            a->wired = number() != 0;
            a->pair = a->wired ? pair_between(bit[a->bit].object, bit[b].object) : -1;
        }
    }
    end = room((size_t)ends, sizeof *end);
    for (int e = 0; e < ends; e++) {
        end[e].bit = number_below(bits);
        end[e].object = number_below(objects);
        end[e].wired = number() != 0;
        end[e].ns = number() / 1000.0;
        end[e].pair = end[e].wired ? pair_between(bit[end[e].bit].object, end[e].object) : -1;
    }
    free(table);
    nets_of = listed(nets, net_first, net_object);
    pairs_of = listed(pairs, NULL, NULL);
    x = room((size_t)objects, sizeof *x);
    y = room((size_t)objects, sizeof *y);
    from_x = room((size_t)objects, sizeof *from_x);
    from_y = room((size_t)objects, sizeof *from_y);
    more_wire = room((size_t)nets, sizeof *more_wire);
    for (int n = 0; n < nets; n++)
        more_wire[n] = fmax(1.0, 0.38 * sqrt(net_first[n + 1] - net_first[n]));
    boxes = room((size_t)nets, sizeof *boxes);
    at = room((size_t)bits, sizeof *at);
    rest = room((size_t)bits, sizeof *rest);
    undo_net = room((size_t)nets, sizeof *undo_net);
    undo_pair = room((size_t)pairs, sizeof *undo_pair);
    seen_net = room((size_t)nets, sizeof *seen_net);
    seen_pair = room((size_t)pairs, sizeof *seen_pair);
}

// ---- ways
static void go(int o, double to_x, double to_y) {
    from_x[o] = x[o];
    from_y[o] = y[o];
    x[o] = to_x;
    y[o] = to_y;
}
static box around(int net) {
    const int *o = net_object + net_first[net], *last = net_object + net_first[net + 1];
    box b = {x[*o], x[*o], y[*o], y[*o]};
    for (o++; o < last; o++) {
        const double ox = x[*o], oy = y[*o];
        b.left = ox < b.left ? ox : b.left;
        b.right = ox > b.right ? ox : b.right;
        b.low = oy < b.low ? oy : b.low;
        b.high = oy > b.high ? oy : b.high;
    }
    return b;
}
static double half_the_way(const box *b) {
    return b->right - b->left + b->high - b->low;
}

// ---- wires in each square: those of a net lie evenly in the box around it (P. Spindler, F. M.
// Johannes, "Fast and accurate routing demand estimation for efficient routability-driven
// placement", DATE 2007); a net of many cells takes more than half the way about it
static double over(double wires) {
    return wires > TAKES ? CROWDED * (wires - TAKES) * (wires - TAKES) / TAKES : 0.0;
}
static double lay(int net, const box *b, double sign) {  // what it costs
    const double wide = b->right - b->left + 1.0, tall = b->high - b->low + 1.0;
    const double each = sign * more_wire[net] * (wide + tall) / (wide * tall);
    double cost = 0.0;
    for (int row = (int)b->low / SQUARE; row <= (int)b->high / SQUARE; row++)
        for (int column = (int)b->left / SQUARE; column <= (int)b->right / SQUARE; column++) {
            const double across =
                fmin(b->right + 1.0, (column + 1) * SQUARE) - fmax(b->left, column * SQUARE);
            const double down =
                fmin(b->high + 1.0, (row + 1) * SQUARE) - fmax(b->low, row * SQUARE);
            double *d = &demand[row * SQUARES_ACROSS + column];
            cost -= over(*d);
            *d += each * across * down;
            cost += over(*d);
        }
    return cost;
}
static double wire(bool wired, int from, int to) {
    return wired ? wire_ns(fabs(x[from] - x[to]), fabs(y[from] - y[to])) : 0.0;
}

// ---- paths
static double through(int b, int i) {  // of arc I of bit B
    const arc *a = &arc_of[i];
    return at[a->bit] + a->ns + wire(a->wired, bit[a->bit].object, bit[b].object) + rest[b];
}
static double to_end(int e) {
    return at[end[e].bit] + wire(end[e].wired, bit[end[e].bit].object, end[e].object) + end[e].ns;
}
static double work_out(void) {  // the longest one, ns
    for (int b = 0; b < bits; b++) {
        at[b] = bit[b].start > 0.0 ? bit[b].start : 0.0;
        rest[b] = -1.0;
        for (int i = bit[b].first; i < bit[b].first + bit[b].count; i++) {
            const arc *a = &arc_of[i];
            const double ns =
                at[a->bit] + a->ns + wire(a->wired, bit[a->bit].object, bit[b].object);
            at[b] = ns > at[b] ? ns : at[b];
        }
    }
    double worst = 0.0;
    for (int e = 0; e < ends; e++) {
        const double ns = wire(end[e].wired, bit[end[e].bit].object, end[e].object) + end[e].ns;
        rest[end[e].bit] = ns > rest[end[e].bit] ? ns : rest[end[e].bit];
    }
    for (int b = bits; b-- > 0;) {
        if (rest[b] < 0.0)
            continue;
        worst = at[b] + rest[b] > worst ? at[b] + rest[b] : worst;
        for (int i = bit[b].first; i < bit[b].first + bit[b].count; i++) {
            const arc *a = &arc_of[i];
            const double ns = rest[b] + a->ns + wire(a->wired, bit[a->bit].object, bit[b].object);
            rest[a->bit] = ns > rest[a->bit] ? ns : rest[a->bit];
        }
    }
    for (int p = 0; p < pairs; p++) {
        pair[p].longest = 0.0;
        pair[p].then = wire(true, pair[p].a, pair[p].b);
    }
    for (int b = 0; b < bits; b++)
        for (int i = bit[b].first; i < bit[b].first + bit[b].count && rest[b] >= 0.0; i++)
            if (arc_of[i].pair >= 0) {
                pair_of *p = &pair[arc_of[i].pair];
                p->longest = fmax(p->longest, through(b, i));
            }
    for (int e = 0; e < ends; e++)
        if (end[e].pair >= 0) {
            pair_of *p = &pair[end[e].pair];
            p->longest = fmax(p->longest, to_end(e));
        }
    return worst;
}
static int later_than(double ns) {
    int n = 0;
    for (int e = 0; e < ends; e++) n += to_end(e) > ns;
    return n;
}
static void sum_up(void) {
    wire_sum = pair_sum = 0.0;
    for (int s = 0; s < SQUARES; s++) demand[s] = 0.0;
    for (int n = 0; n < nets; n++) {
        boxes[n] = around(n);
        wire_sum += half_the_way(&boxes[n]);
        if (CROWDED > 0.0)
            lay(n, &boxes[n], 1.0);
    }
    for (int p = 0; p < pairs; p++) pair_sum += pair[p].cost = pair_cost(p);
}

// ---- moves: what changed is worked out, and goes back to what it was if it is not taken
static void touch(int o, double *by_wire, double *by_pairs) {
    for (int i = nets_of.first[o]; i < nets_of.first[o + 1]; i++) {
        const int n = nets_of.list[i];
        if (seen_net[n] == stamp)
            continue;
        const box *b = &boxes[n];
        if (from_x[o] > b->left && from_x[o] < b->right && from_y[o] > b->low &&
            from_y[o] < b->high && x[o] >= b->left && x[o] <= b->right && y[o] >= b->low &&
            y[o] <= b->high)
            continue;  // the box does not change by this one
        seen_net[n] = stamp;
        const box now = around(n);
        if (now.left == boxes[n].left && now.right == boxes[n].right && now.low == boxes[n].low &&
            now.high == boxes[n].high)
            continue;
        undo_net[undo_nets].item = n;
        undo_net[undo_nets++].was = boxes[n];
        *by_wire += half_the_way(&now) - half_the_way(&boxes[n]);
        if (CROWDED > 0.0)
            *by_wire += lay(n, &boxes[n], -1.0) + lay(n, &now, 1.0);
        boxes[n] = now;
    }
    for (int i = pairs_of.first[o]; i < pairs_of.first[o + 1]; i++) {
        const int p = pairs_of.list[i];
        if (seen_pair[p] == stamp)
            continue;
        seen_pair[p] = stamp;
        const double now = pair_cost(p);
        undo_pair[undo_pairs].item = p;
        undo_pair[undo_pairs++].was = pair[p].cost;
        *by_pairs += now - pair[p].cost;
        pair[p].cost = now;
    }
}
// COUNT objects stand elsewhere now, which costs MORE tiles of wire besides: is it to stay so?
static bool try_it(const int *moved, int count, double more, double heat, double *change) {
    double by_wire = more, by_pairs = 0.0;
    stamp++;
    undo_nets = undo_pairs = 0;
    for (int i = 0; i < count; i++) touch(moved[i], &by_wire, &by_pairs);
    *change = cost(by_wire, by_pairs);
    if (*change <= 0.0 || chance() < exp(-*change / heat))
        return true;
    while (undo_nets-- > 0) {
        const int n = undo_net[undo_nets].item;
        if (CROWDED > 0.0) {
            lay(n, &boxes[n], -1.0);
            lay(n, &undo_net[undo_nets].was, 1.0);
        }
        boxes[n] = undo_net[undo_nets].was;
    }
    while (undo_pairs-- > 0) pair[undo_pair[undo_pairs].item].cost = undo_pair[undo_pairs].was;
    return false;
}

#endif
