// SPDX-License-Identifier: Apache-2.0
// rams: simulated annealing of rams.py's objects, block RAMs on their sites and parts of the logic
// in squares of the chip.
//
//   rams SEED MOVES < in > out        MOVES a step of temperature; each tenth step is told on
//   stderr
//
// What is made small is half the way about all nets, and beside it, as VPR does it (A. Marquardt,
// V. Betz, J. Rose, "Timing-driven placement for FPGAs", FPGA 2000), the sum of all connections'
// ways, each weighed by how long the longest path through it is: with each step of temperature all
// paths are worked out anew, with the ways as they are then.
//
// in, integers: RAMs, objects (RAMs first), nets, bits, ends
//   each object: its size, LUTs
//   each net: how many, objects
//   each bit, after all that it depends on: the object of its cell; ps from the clock, or -1;
//   inputs; of each the bit, ps in the
//     cell, 1 if a wire goes there, 0 if it is within the cells
//   each end of paths: bit, object
// out: for each object x and y, tiles, doubled; for RAMs the
// site's number
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// An ECP5-85F: x of the RAMs in a row, y of the rows; the logic is between, in squares of BIN
// tiles.
static const int column_x[] = {4,  6,  8,  10,  13,  15,  17,  19,  22,  24,  26,  28,  31,
                               33, 35, 37, 40,  42,  44,  46,  49,  51,  53,  55,  58,  60,
                               62, 64, 69, 71,  73,  75,  78,  80,  82,  84,  87,  89,  91,
                               93, 96, 98, 100, 102, 105, 107, 109, 111, 114, 116, 118, 120};
static const int row_y[] = {22, 46, 70, 82};
enum {
    COLUMNS = sizeof column_x / sizeof *column_x,
    ROWS = sizeof row_y / sizeof *row_y,
    SITES = COLUMNS * ROWS,
    BIN = 4,
    ACROSS = 32,
    DOWN = 24,
    BINS = ACROSS * DOWN,
    STEPS = 200,  // at most
};
static const double full = 0.70 * 8 * BIN * BIN;  // LUTs, or flip-flops, that a square takes
static const double crowded = 48.0;               // what one more costs, tiles
static const double of_paths = 0.5;               // of the cost, the part of the connections
static const double wire_ns = 0.7, tile_ns = 0.06,
                    setup_ns = 0.1;  // a routed wire of an ECP5, speed 6

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
} end_of;
typedef struct {
    int a, b;
    double weight, cost;
} pair_of;
typedef struct {
    int *first, *list;  // of object o: list[first[o]] to list[first[o + 1] - 1]
} lists;

static int rams, objects, nets, bits, ends, arcs, pairs, max_arcs, max_pairs;
static int *size, *place, *stands, *net_first, *net_object;
static double *x, *y, *net_cost, fill[BINS], *at, *rest;
static bit_of *bit;
static arc *arc_of;
static end_of *end;
static pair_of *pair;
static lists nets_of, pairs_of;
static double wire_sum, pair_sum;  // as they were when the step began
static uint64_t state;

static void fail(const char *what) {
    fprintf(stderr, "rams: %s\n", what);
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
    pair[pairs] = (pair_of){low, high, 0.0, 0.0};
    return table[h] = pairs++;
}

static void read_all(void) {
    rams = number();
    objects = number();
    nets = number();
    bits = number();
    ends = number();
    max_arcs = number();
    if (rams < 1 || rams > SITES || objects < rams || nets < 0 || bits < 0 || ends < 0 ||
        max_arcs < 0)
        fail("found sizes that cannot be");
    size = room((size_t)objects, sizeof *size);
    for (int o = 0; o < objects; o++) size[o] = number();
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
        end[e].pair = pair_between(bit[end[e].bit].object, end[e].object);
    }
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

// ---- ways
static double apart(int a, int b) {
    return fabs(x[a] - x[b]) + fabs(y[a] - y[b]);
}
static double half_the_way(int net) {
    const int *o = net_object + net_first[net], *last = net_object + net_first[net + 1];
    double left = x[*o], right = left, low = y[*o], high = low;
    for (o++; o < last; o++) {
        const double ox = x[*o], oy = y[*o];
        left = ox < left ? ox : left;
        right = ox > right ? ox : right;
        low = oy < low ? oy : low;
        high = oy > high ? oy : high;
    }
    return right - left + high - low;
}
static double wire(int from, int to) {
    return wire_ns + tile_ns * apart(from, to);
}

// ---- paths: the longest one, ns; each connection weighs as the longest path through it to the
// power of EXPONENT
static double work_out(double exponent) {
    for (int b = 0; b < bits; b++) {
        at[b] = bit[b].start > 0.0 ? bit[b].start : 0.0;
        rest[b] = -1.0;
        for (int i = bit[b].first; i < bit[b].first + bit[b].count; i++) {
            const arc *a = &arc_of[i];
            const double ns =
                at[a->bit] + a->ns + (a->wired ? wire(bit[a->bit].object, bit[b].object) : 0.0);
            at[b] = ns > at[b] ? ns : at[b];
        }
    }
    double worst = 0.0;
    for (int e = 0; e < ends; e++) {
        const double ns = wire(bit[end[e].bit].object, end[e].object) + setup_ns;
        rest[end[e].bit] = ns > rest[end[e].bit] ? ns : rest[end[e].bit];
    }
    for (int b = bits; b-- > 0;) {
        if (rest[b] < 0.0)
            continue;
        worst = at[b] + rest[b] > worst ? at[b] + rest[b] : worst;
        for (int i = bit[b].first; i < bit[b].first + bit[b].count; i++) {
            const arc *a = &arc_of[i];
            const double ns =
                rest[b] + a->ns + (a->wired ? wire(bit[a->bit].object, bit[b].object) : 0.0);
            rest[a->bit] = ns > rest[a->bit] ? ns : rest[a->bit];
        }
    }
    for (int p = 0; p < pairs; p++) pair[p].weight = 0.0;
    for (int b = 0; b < bits; b++)
        for (int i = bit[b].first; i < bit[b].first + bit[b].count && rest[b] >= 0.0; i++) {
            const arc *a = &arc_of[i];
            if (a->pair >= 0)
                pair[a->pair].weight +=
                    pow((at[a->bit] + a->ns + wire(bit[a->bit].object, bit[b].object) + rest[b]) /
                            worst,
                        exponent);
        }
    for (int e = 0; e < ends; e++)
        if (end[e].pair >= 0)
            pair[end[e].pair].weight += pow(
                (at[end[e].bit] + wire(bit[end[e].bit].object, end[e].object) + setup_ns) / worst,
                exponent);
    return worst;
}
static int later_than(double ns) {
    int n = 0;
    for (int e = 0; e < ends; e++)
        n += at[end[e].bit] + wire(bit[end[e].bit].object, end[e].object) + setup_ns > ns;
    return n;
}
static void sum_up(void) {
    wire_sum = pair_sum = 0.0;
    for (int n = 0; n < nets; n++) wire_sum += net_cost[n] = half_the_way(n);
    for (int p = 0; p < pairs; p++)
        pair_sum += pair[p].cost = pair[p].weight * apart(pair[p].a, pair[p].b);
}

// ---- moves: what changed is worked out, and goes back to what it was if it is not taken
static struct {
    int item;
    double was;
} * undo_net, *undo_pair;
static int undo_nets, undo_pairs, *seen_net, *seen_pair, stamp;
static void touch(int o, double *by_wire, double *by_pairs) {
    for (int i = nets_of.first[o]; i < nets_of.first[o + 1]; i++) {
        const int n = nets_of.list[i];
        if (seen_net[n] == stamp)
            continue;
        seen_net[n] = stamp;
        const double now = half_the_way(n);
        undo_net[undo_nets].item = n;
        undo_net[undo_nets++].was = net_cost[n];
        *by_wire += now - net_cost[n];
        net_cost[n] = now;
    }
    for (int i = pairs_of.first[o]; i < pairs_of.first[o + 1]; i++) {
        const int p = pairs_of.list[i];
        if (seen_pair[p] == stamp)
            continue;
        seen_pair[p] = stamp;
        const double now = pair[p].weight * apart(pair[p].a, pair[p].b);
        undo_pair[undo_pairs].item = p;
        undo_pair[undo_pairs++].was = pair[p].cost;
        *by_pairs += now - pair[p].cost;
        pair[p].cost = now;
    }
}
// Objects a, and b if it is not below 0, stand elsewhere now, which makes squares fuller by MORE
// LUTs: is it to stay so?
static bool try_it(int a, int b, double more, double heat, double *change) {
    double by_wire = crowded * more, by_pairs = 0.0;
    stamp++;
    undo_nets = undo_pairs = 0;
    touch(a, &by_wire, &by_pairs);
    if (b >= 0)
        touch(b, &by_wire, &by_pairs);
    *change = (1.0 - of_paths) * by_wire / wire_sum + of_paths * by_pairs / pair_sum;
    if (*change <= 0.0 || chance() < exp(-*change / heat))
        return true;
    while (undo_nets-- > 0) net_cost[undo_net[undo_nets].item] = undo_net[undo_nets].was;
    while (undo_pairs-- > 0) pair[undo_pair[undo_pairs].item].cost = undo_pair[undo_pairs].was;
    return false;
}
static void stand_on(int o, int site) {
    place[o] = site;
    stands[site] = o;
    const int row = site / COLUMNS;
    x[o] = column_x[site % COLUMNS];
    y[o] = row_y[row];
}
static void lie_in(int o, int square) {
    place[o] = square;
    const int row = square / ACROSS;
    x[o] = (square % ACROSS + 0.5) * BIN;
    y[o] = (row + 0.5) * BIN;
}
static int near(int here, double reach, int all) {
    const int far = reach * all > 1.0 ? (int)(reach * all) : 1;
    const int there = here + below(2 * far + 1) - far;
    return there < 0 ? 0 : there >= all ? all - 1 : there;
}
static bool move_ram(int o, double reach, double heat, double *change) {
    const int here = place[o];
    int row = here / COLUMNS;
    if (chance() < 0.3 + 0.4 * reach)
        row = reach >= 0.5 ? below(ROWS) : near(row, 0.0, ROWS);
    const int there = row * COLUMNS + near(here % COLUMNS, reach, COLUMNS), other = stands[there];
    if (there == here)
        return false;
    stands[here] = -1;
    if (other >= 0)
        stand_on(other, here);
    stand_on(o, there);
    if (try_it(o, other, 0.0, heat, change))
        return true;
    stands[there] = -1;
    if (other >= 0)
        stand_on(other, there);
    stand_on(o, here);
    return false;
}
static double over(double luts) {
    return luts > full ? luts - full : 0.0;
}
static bool move_part(int o, double reach, double heat, double *change) {
    const int here = place[o], there = near(here / ACROSS, reach, DOWN) * ACROSS +
                                       near(here % ACROSS, reach, ACROSS);
    if (there == here)
        return false;
    const double s = size[o], more = over(fill[there] + s) - over(fill[there]) +
                                     over(fill[here] - s) - over(fill[here]);
    lie_in(o, there);
    if (!try_it(o, -1, more, heat, change)) {
        lie_in(o, here);
        return false;
    }
    fill[here] -= s;
    fill[there] += s;
    return true;
}
static bool move(double reach, double heat, double *change) {
    const int o = chance() < 0.8 ? below(objects) : below(rams);
    *change = 0.0;
    return o < rams ? move_ram(o, reach, heat, change) : move_part(o, reach, heat, change);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: rams SEED MOVES < in > out\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    const long moves = strtol(argv[2], NULL, 10);
    read_all();
    nets_of = listed(nets, net_first, net_object);
    pairs_of = listed(pairs, NULL, NULL);
    x = room((size_t)objects, sizeof *x);
    y = room((size_t)objects, sizeof *y);
    place = room((size_t)objects, sizeof *place);
    stands = room(SITES, sizeof *stands);
    net_cost = room((size_t)nets, sizeof *net_cost);
    at = room((size_t)bits, sizeof *at);
    rest = room((size_t)bits, sizeof *rest);
    undo_net = room((size_t)nets, sizeof *undo_net);
    undo_pair = room((size_t)pairs, sizeof *undo_pair);
    seen_net = room((size_t)nets, sizeof *seen_net);
    seen_pair = room((size_t)pairs, sizeof *seen_pair);
    int order[SITES];
    for (int s = 0; s < SITES; s++) {
        const int k = below(s + 1);
        order[s] = order[k];
        order[k] = s;
        stands[s] = -1;
    }
    for (int o = 0; o < objects; o++) {
        if (o < rams) {
            stand_on(o, order[o]);
        } else {
            lie_in(o, below(BINS));
            fill[place[o]] += size[o];
        }
    }
    double change, sum = 0.0, reach = 1.0;
    work_out(1.0);
    sum_up();
    for (int i = 0; i < 2000; i++) {
        move(1.0, 1e30, &change);
        sum += fabs(change);
    }
    double heat = 10.0 * sum / 2000, part = 1.0;
    for (int step = 0; step < STEPS && part > 0.01; step++) {
        const double worst = work_out(1.0 + 7.0 * (1.0 - reach));
        sum_up();
        long taken = 0;
        for (long i = 0; i < moves; i++) taken += move(reach, heat, &change);
        part = (double)taken / (double)moves;
        heat *= part > 0.5 ? 0.9 : part > 0.08 ? 0.96 : 0.85;
        reach = fmin(1.0, fmax(0.02, reach * (0.56 + part)));
        if (step % 10 == 9)
            fprintf(stderr,
                    "step %d: %.0f %% of moves taken; %.0f tiles, longest path %.1f ns, %d ends "
                    "later than 10 ns\n",
                    step + 1, 100.0 * part, wire_sum, worst, later_than(10.0));
    }
    for (int o = 0; o < objects; o++)
        printf("%.0f %.0f %d\n", 2 * x[o], 2 * y[o], o < rams ? place[o] : -1);
    return 0;
}
