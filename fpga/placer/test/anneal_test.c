// SPDX-License-Identifier: Apache-2.0
// anneal_test: the annealing's incremental costs beside costs that are computed anew, naively.
//
//   anneal_test FILE SEED    FILE: written here, then read by the annealing
//
// Each round makes a graph of some objects in a corner of the chip, with nets of 1 to 9 objects and
// bits that depend on bits before. It moves one to three objects at a time. After each move, taken
// or undone, all boxes, squares and connections are compared, and the change that was reported.
#include "../anneal.h"

#include <stdlib.h>

enum { OBJECTS = 40, NETS = 60, BITS = 80, ENDS = 30, ROUNDS = 6, MOVES = 200 };
static const double CLOSE = 1e-6;

typedef struct {
    anneal a;
    random_source random;  // the test's own
    int taken, undone;
} test;

static double wire_ns(double across, double down) {
    return across + down > 0.0 ? 0.5 + 0.06 * across + 0.05 * down : 0.1;
}
static double way(const anneal *a, int from, int to) {
    return wire_ns(fabs(a->x[from] - a->x[to]), fabs(a->y[from] - a->y[to]));
}
static double pair_cost(const void *user, int pair) {
    const anneal *a = &((const test *)user)->a;
    const anneal_pair *p = &a->pair[pair];
    const double ns = p->longest + way(a, p->a, p->b) - p->then;
    return ns * ns;
}
static double cost(const void *user, double by_wire, double by_pairs) {
    (void)user;
    return by_wire + by_pairs;
}
static const anneal_model MODEL = {
    .wire_ns = wire_ns, .pair_cost = pair_cost, .cost = cost, .takes = 20.0, .crowded = 3.0};

static void same(const char *what, int index, double found, double expected) {
    if (fabs(found - expected) > CLOSE * fmax(1.0, fabs(expected)))
        fail("%s %d: found %.9f, expected %.9f", what, index, found, expected);
}

// ---- the graph
static int below(test *t, int n) {
    return random_below(&t->random, n);
}
static void write_graph(test *t, const char *path) {
    FILE *f = output_open(path);
    int arcs[BITS], all = 0;
    for (int b = 0; b < BITS; b++) all += arcs[b] = b < 8 ? 0 : below(t, 4);
    fprintf(f, "%d %d %d %d %d\n", OBJECTS, NETS, BITS, ENDS, all);
    for (int n = 0; n < NETS; n++) {
        const int count = 1 + below(t, 9);
        fprintf(f, "%d", count);
        for (int i = 0; i < count; i++) fprintf(f, " %d", below(t, OBJECTS));
        fprintf(f, "\n");
    }
    for (int b = 0; b < BITS; b++) {
        fprintf(f, "%d %d %d", below(t, OBJECTS), arcs[b] ? -1 : below(t, 900), arcs[b]);
        for (int i = 0; i < arcs[b]; i++)
            fprintf(f, " %d %d %d", below(t, b), below(t, 700), below(t, 4) > 0);
        fprintf(f, "\n");
    }
    for (int e = 0; e < ENDS; e++)
        fprintf(f, "%d %d %d %d\n", below(t, BITS), below(t, OBJECTS), below(t, 4) > 0,
                below(t, 400));
    output_close(f, path);
}

// ---- all of it anew
static double wires_over(double wires) {
    const double more = wires - MODEL.takes;
    return more > 0.0 ? MODEL.crowded * more * more / MODEL.takes : 0.0;
}
// The wires of a net in one square: the part of the net's box that lies in the square
static double overlap(double low, double high, int square) {
    const double from = fmax(low, square * SQUARE);
    return fmax(0.0, fmin(high + 1.0, (square + 1) * SQUARE) - from);
}
static double cost_anew(const anneal *a, bool compare) {
    static double demand[SQUARES];  // large; all of it is set here
    double sum = 0.0;
    for (int s = 0; s < SQUARES; s++) demand[s] = 0.0;
    for (int n = 0; n < a->nets; n++) {
        anneal_box b = {1e9, -1e9, 1e9, -1e9};
        const int count = a->net_first[n + 1] - a->net_first[n];
        for (int i = a->net_first[n]; i < a->net_first[n + 1]; i++) {
            const int o = a->net_object[i];
            b = (anneal_box){fmin(b.left, a->x[o]), fmax(b.right, a->x[o]), fmin(b.low, a->y[o]),
                             fmax(b.high, a->y[o])};
        }
        if (compare) {
            same("left of net", n, a->box[n].left, b.left);
            same("right of net", n, a->box[n].right, b.right);
            same("low of net", n, a->box[n].low, b.low);
            same("high of net", n, a->box[n].high, b.high);
        }
        sum += b.right - b.left + b.high - b.low;
        const double wide = b.right - b.left + 1.0, tall = b.high - b.low + 1.0;
        const double wires = fmax(1.0, 0.38 * sqrt(count)) * (wide + tall) / (wide * tall);
        for (int s = 0; s < SQUARES; s++)
            demand[s] += wires * overlap(b.left, b.right, s % SQUARES_ACROSS) *
                         overlap(b.low, b.high, s / SQUARES_ACROSS);
    }
    for (int s = 0; s < SQUARES; s++) {
        if (compare)
            same("wires of square", s, a->demand[s], demand[s]);
        sum += wires_over(demand[s]);
    }
    for (int p = 0; p < a->pairs; p++) {
        const double ns = pair_cost(a->user, p);
        if (compare)
            same("cost of connection", p, a->pair[p].cost, ns);
        sum += ns;
    }
    return sum;
}

// ---- paths: each path by itself, from its end back
static double longest_of[OBJECTS][OBJECTS], longest_path;
static void walk_back(const anneal *a, int bit, double behind, int pairs, const int *pair) {
    if (a->bit[bit].start >= 0.0 || a->bit[bit].count == 0) {
        const double ns = behind + fmax(0.0, a->bit[bit].start);
        longest_path = fmax(longest_path, ns);
        for (int i = 0; i < pairs; i++) {
            double *longest = &longest_of[a->pair[pair[i]].a][a->pair[pair[i]].b];
            *longest = fmax(*longest, ns);
        }
        if (a->bit[bit].count == 0)
            return;
    }
    int with[BITS + 1];
    for (int i = 0; i < pairs; i++) with[i] = pair[i];
    for (int i = a->bit[bit].first; i < a->bit[bit].first + a->bit[bit].count; i++) {
        const anneal_arc *arc = &a->arc[i];
        with[pairs] = arc->pair;
        walk_back(a, arc->bit,
                  behind + arc->ns +
                      (arc->wired ? way(a, a->bit[arc->bit].object, a->bit[bit].object) : 0.0),
                  pairs + (arc->pair >= 0), with);
    }
}
static void compare_paths(anneal *a) {
    const double worst = anneal_work_out(a);
    int late = 0;
    longest_path = 0.0;
    for (int o = 0; o < OBJECTS; o++)
        for (int p = 0; p < OBJECTS; p++) longest_of[o][p] = 0.0;
    for (int e = 0; e < a->ends; e++) {
        const double before = longest_path;
        longest_path = 0.0;
        const anneal_end *end = &a->end[e];
        walk_back(a, end->bit,
                  end->ns + (end->wired ? way(a, a->bit[end->bit].object, end->object) : 0.0),
                  end->pair >= 0, &end->pair);
        same("longest path to end", e, anneal_to_end(a, e), longest_path);
        late += longest_path > 3.0;
        longest_path = fmax(before, longest_path);
    }
    same("longest path", 0, worst, longest_path);
    same("ends later than 3 ns", 0, anneal_later_than(a, 3.0), late);
    for (int p = 0; p < a->pairs; p++) {
        same("longest path of connection", p, a->pair[p].longest,
             longest_of[a->pair[p].a][a->pair[p].b]);
        same("way of connection", p, a->pair[p].then, way(a, a->pair[p].a, a->pair[p].b));
    }
}

// ---- moves
static void move(test *t, double heat) {
    const double before = cost_anew(&t->a, false);
    const int count = 1 + below(t, 3), first = below(t, OBJECTS);
    int moved[3];
    double from_x[3], from_y[3], change = 0.0;
    for (int i = 0; i < count; i++) {
        moved[i] = (first + 7 * i) % OBJECTS;
        from_x[i] = t->a.x[moved[i]];
        from_y[i] = t->a.y[moved[i]];
        anneal_go(&t->a, moved[i], below(t, 24), below(t, 17));
    }
    const double more = below(t, 3);
    const double expected = cost_anew(&t->a, false) - before + more;
    const bool taken = anneal_try(&t->a, moved, count, more, heat, &change);
    same("change", t->taken + t->undone, change, expected);
    if (change <= -CLOSE && !taken)
        fail("found a move undone that costs %g, expected it taken", change);
    for (int i = 0; i < count && !taken; i++) anneal_go(&t->a, moved[i], from_x[i], from_y[i]);
    t->taken += taken;
    t->undone += !taken;
    cost_anew(&t->a, true);
}

int main(int argc, char **argv) {
    if (argc != 3)
        fail("usage: anneal_test FILE SEED");
    test *t = allocate(1, sizeof *t);
    t->random.state = argument(argv[2], "seed", 0, 1000000);
    for (int round = 0; round < ROUNDS; round++) {
        t->a = (anneal){.model = &MODEL, .user = t, .random = {(uint64_t)round}};
        write_graph(t, argv[1]);
        input in = input_open(argv[1]);
        anneal_read_counts(&t->a, &in);
        anneal_read_graph(&t->a, &in);
        input_close(&in);
        for (int o = 0; o < OBJECTS; o++) anneal_go(&t->a, o, below(t, 24), below(t, 17));
        for (int i = 0; i < MOVES; i++) {
            if (i % 50 == 0) {
                compare_paths(&t->a);
                anneal_sum_up(&t->a);
            }
            move(t, i % 100 < 50 ? 1e9 : 1e-9);  // hot: all are taken; cold: only better ones
        }
        anneal_free(&t->a);
    }
    printf("%d moves taken, %d undone\n", t->taken, t->undone);
    const bool both = t->taken > ROUNDS * MOVES / 4 && t->undone > ROUNDS * MOVES / 4;
    free(t);
    return both ? 0 : 1;
}
