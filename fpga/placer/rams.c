// SPDX-License-Identifier: Apache-2.0
// rams: simulated annealing of the objects of rams.py: block RAMs on their sites, and parts of the
// logic in squares of the chip, an ECP5-85F.
//
//   rams SEED MOVES IN OUT    MOVES: how many a step of temperature. Each tenth step is reported on
//                             standard error.
//
// IN:  how many of the objects are RAMs; the RAMs are the first objects. Then, as anneal.h says,
//      counts, objects and graph. Each object: its size, LUTs.
// OUT: for each object x and y, tiles, doubled; and the number of the RAM's site, -1 for a part.
#include <stdlib.h>

#include "anneal.h"
#include "ecp5.h"

enum { STEPS = 200, TRIED = 2000 };  // at most; moves from which the first heat is taken

// Logic lies between the RAMs, in the squares.
static const double FULL = 0.70 * 8 * SQUARE * SQUARE;  // LUTs, or flip-flops, of a square
static const double CROWDED = 48.0;                     // what one more costs, tiles
static const double OF_PATHS = 0.3;                     // the paths' part of the cost

typedef struct {
    anneal a;
    int rams;
    int *size, *place;      // of objects; the place is a site or a square
    int stands[RAM_SITES];  // object, or -1
    double fill[SQUARES];
    double *weight;  // of connections
} rams;

// ---- costs
static double wire_ns(double across, double down) {  // speed 6
    return 0.7 + 0.06 * (across + down);
}
static double pair_cost(const void *user, int pair) {
    const rams *r = user;
    const anneal_pair *p = &r->a.pair[pair];
    const double ns = wire_ns(fabs(r->a.x[p->a] - r->a.x[p->b]), fabs(r->a.y[p->a] - r->a.y[p->b]));
    return r->weight[pair] * (ns - wire_ns(0.0, 0.0));
}
static double part_of(double of, double change, double sum) {
    return sum > 0.0 ? of * change / sum : 0.0;
}
static double cost(const void *user, double by_wire, double by_pairs) {
    const anneal *a = &((const rams *)user)->a;
    return part_of(1.0 - OF_PATHS, by_wire, a->wire_sum) + part_of(OF_PATHS, by_pairs, a->pair_sum);
}
static const anneal_model MODEL = {
    .wire_ns = wire_ns, .pair_cost = pair_cost, .cost = cost, .takes = 1.0, .crowded = 0.0};

// Each connection weighs as the longest path through it, of WORST, to the power of EXPONENT, and
// for each bit of its own.
static void weigh(rams *r, double exponent, double worst) {
    const anneal *a = &r->a;
    for (int p = 0; p < a->pairs; p++) r->weight[p] = 0.0;
    for (int b = 0; b < a->bits; b++) {
        const int last = a->rest[b] >= 0.0 ? a->bit[b].first + a->bit[b].count : 0;
        for (int i = a->bit[b].first; i < last; i++)
            if (a->arc[i].pair >= 0)
                r->weight[a->arc[i].pair] += pow(anneal_through(a, b, i) / worst, exponent);
    }
    for (int e = 0; e < a->ends; e++)
        if (a->end[e].pair >= 0)
            r->weight[a->end[e].pair] += pow(anneal_to_end(a, e) / worst, exponent);
}

// ---- moves
static void stand_on(rams *r, int o, int site) {
    r->place[o] = site;
    r->stands[site] = o;
    anneal_go(&r->a, o, ram_x(site), ram_y(site));
}
static void lie_in(rams *r, int o, int square) {
    const int row = square / SQUARES_ACROSS;
    r->place[o] = square;
    anneal_go(&r->a, o, (square % SQUARES_ACROSS + 0.5) * SQUARE, (row + 0.5) * SQUARE);
}
// A number of 0 to ALL - 1, at most REACH of ALL away from HERE
static int near(rams *r, int here, double reach, int all) {
    const int far = reach * all > 1.0 ? (int)(reach * all) : 1;
    const int there = here + random_below(&r->a.random, 2 * far + 1) - far;
    return there < 0 ? 0 : there >= all ? all - 1 : there;
}
static bool move_ram(rams *r, int o, double reach, double heat, double *change) {
    const int here = r->place[o];
    int row = here / RAM_COLUMNS;
    if (random_chance(&r->a.random) < 0.3 + 0.4 * reach)
        row = reach >= 0.5 ? random_below(&r->a.random, RAM_ROWS) : near(r, row, 0.0, RAM_ROWS);
    const int there = row * RAM_COLUMNS + near(r, here % RAM_COLUMNS, reach, RAM_COLUMNS);
    const int other = r->stands[there];
    if (there == here)
        return false;
    r->stands[here] = -1;
    if (other >= 0)
        stand_on(r, other, here);
    stand_on(r, o, there);
    const int moved[] = {o, other};
    if (anneal_try(&r->a, moved, other < 0 ? 1 : 2, 0.0, heat, change))
        return true;
    r->stands[there] = -1;
    if (other >= 0)
        stand_on(r, other, there);
    stand_on(r, o, here);
    return false;
}
static double above(double luts) {
    return luts > FULL ? luts - FULL : 0.0;
}
static bool move_part(rams *r, int o, double reach, double heat, double *change) {
    const int here = r->place[o], row = near(r, here / SQUARES_ACROSS, reach, SQUARES_DOWN);
    const int there = row * SQUARES_ACROSS + near(r, here % SQUARES_ACROSS, reach, SQUARES_ACROSS);
    if (there == here)
        return false;
    const double s = r->size[o];
    double *from = &r->fill[here], *to = &r->fill[there];
    const double more = above(*to + s) - above(*to) + above(*from - s) - above(*from);
    lie_in(r, o, there);
    if (!anneal_try(&r->a, &o, 1, CROWDED * more, heat, change)) {
        lie_in(r, o, here);
        return false;
    }
    *from -= s;
    *to += s;
    return true;
}
static bool move(rams *r, double reach, double heat, double *change) {
    random_source *random = &r->a.random;
    const bool any = random_chance(random) < 0.8;
    const int o = random_below(random, any ? r->a.objects : r->rams);
    *change = 0.0;
    return o < r->rams ? move_ram(r, o, reach, heat, change) : move_part(r, o, reach, heat, change);
}

// ---- the run
static void read_in(rams *r, const char *path) {
    input in = input_open(path);
    input_record(&in, "counts", -1);
    r->rams = input_number(&in, "RAMs", 1, RAM_SITES);
    anneal_read_counts(&r->a, &in);
    if (r->a.objects < r->rams)
        input_fail(&in, "found %d objects, expected the %d RAMs at least", r->a.objects, r->rams);
    r->size = allocate((size_t)r->a.objects, sizeof *r->size);
    for (int o = 0; o < r->a.objects; o++) {
        input_record(&in, "object", o);
        r->size[o] = input_number(&in, "size", 0, 1000000);
    }
    anneal_read_graph(&r->a, &in);
    input_close(&in);
    r->weight = allocate((size_t)r->a.pairs, sizeof *r->weight);
    r->place = allocate((size_t)r->a.objects, sizeof *r->place);
}
static void start_anywhere(rams *r) {
    int order[RAM_SITES] = {0};
    for (int s = 0; s < RAM_SITES; s++) {
        const int k = random_below(&r->a.random, s + 1);
        order[s] = order[k];
        order[k] = s;
        r->stands[s] = -1;
    }
    for (int o = 0; o < r->a.objects; o++) {
        if (o < r->rams) {
            stand_on(r, o, order[o]);
        } else {
            lie_in(r, o, random_below(&r->a.random, SQUARES));
            r->fill[r->place[o]] += r->size[o];
        }
    }
}
static double first_heat(rams *r) {
    double change = 0.0, sum = 0.0;
    weigh(r, 1.0, anneal_work_out(&r->a));
    anneal_sum_up(&r->a);
    for (int i = 0; i < TRIED; i++) {
        move(r, 1.0, 1e30, &change);
        sum += fabs(change);
    }
    return 10.0 * sum / TRIED;
}
static void run(rams *r, long moves) {
    double heat = first_heat(r), reach = 1.0, part = 1.0, change = 0.0;
    for (int step = 0; step < STEPS && part > 0.01; step++) {
        const double worst = anneal_work_out(&r->a);
        weigh(r, 1.0 + 7.0 * (1.0 - reach), worst);
        anneal_sum_up(&r->a);
        long taken = 0;
        for (long i = 0; i < moves; i++) taken += move(r, reach, heat, &change);
        part = (double)taken / (double)moves;
        heat *= part > 0.5 ? 0.9 : part > 0.08 ? 0.96 : 0.85;
        reach = fmin(1.0, fmax(0.02, reach * (0.56 + part)));
        if (step % 10 == 9)
            fprintf(stderr,
                    "step %d: %.0f %% of moves taken; %.0f tiles, longest path %.1f ns, %d ends "
                    "later than 10 ns\n",
                    step + 1, 100.0 * part, r->a.wire_sum, worst, anneal_later_than(&r->a, 10.0));
    }
}
static void write_out(const rams *r, const char *path) {
    FILE *out = output_open(path);
    for (int o = 0; o < r->a.objects; o++)
        fprintf(out, "%.0f %.0f %d\n", 2 * r->a.x[o], 2 * r->a.y[o],
                o < r->rams ? r->place[o] : -1);
    output_close(out, path);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: rams SEED MOVES IN OUT\n");
        return 2;
    }
    rams *r = allocate(1, sizeof *r);
    r->a.model = &MODEL;
    r->a.user = r;
    r->a.random.state = argument(argv[1], "seed", 0, UINT64_MAX);
    const long moves = (long)argument(argv[2], "moves", 1, MOST_MOVES);
    read_in(r, argv[3]);
    start_anywhere(r);
    run(r, moves);
    write_out(r, argv[4]);
    anneal_free(&r->a);
    free(r->size);
    free(r->weight);
    free(r->place);
    free(r);
    return 0;
}
