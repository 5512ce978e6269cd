// SPDX-License-Identifier: Apache-2.0
// rams: simulated annealing of rams.py's objects, block RAMs on their sites and parts of the logic
// in squares of the chip.
//
//   rams SEED MOVES < in > out        MOVES a step of temperature; each tenth step is told on
//   stderr
//
// in: how many of the objects are RAMs, which are the first; then as anneal.h has it; each object:
// its size, LUTs out: for each object x and y, tiles, doubled; for RAMs the site's number
static double wire_ns(double across, double down) {  // an ECP5, speed 6
    return 0.7 + 0.06 * (across + down);
}
#define CROWDED 0.0
#define TAKES 1.0
#include "anneal.h"

// The logic is between the RAMs, in squares of BIN tiles.
enum {
    BIN = 4,
    ACROSS = 32,
    DOWN = 24,
    BINS = ACROSS * DOWN,
    STEPS = 200,  // at most
};
static const double full = 0.70 * 8 * BIN * BIN;  // LUTs, or flip-flops, that a square takes
static const double crowded = 48.0;               // what one more costs, tiles

// Each connection weighs as the longest path through it, of WORST, to the power of EXPONENT, and
// for each bit of its own; the paths are three tenths of the cost.
static const double of_paths = 0.3;
static double *weight;
static void weigh(double exponent, double worst) {
    for (int p = 0; p < pairs; p++) weight[p] = 0.0;
    for (int b = 0; b < bits; b++)
        for (int i = bit[b].first; i < bit[b].first + bit[b].count && rest[b] >= 0.0; i++)
            if (arc_of[i].pair >= 0)
                weight[arc_of[i].pair] += pow(through(b, i) / worst, exponent);
    for (int e = 0; e < ends; e++)
        if (end[e].pair >= 0)
            weight[end[e].pair] += pow(to_end(e) / worst, exponent);
}
static double pair_cost(int p) {
    return weight[p] * (wire(true, pair[p].a, pair[p].b) - wire_ns(0.0, 0.0));
}
static double cost(double by_wire, double by_pairs) {
    return (1.0 - of_paths) * by_wire / wire_sum + of_paths * by_pairs / pair_sum;
}

static int rams, *size, *place, *stands;
static double fill[BINS];

static void stand_on(int o, int site) {
    place[o] = site;
    stands[site] = o;
    const int row = site / COLUMNS;
    go(o, column_x[site % COLUMNS], row_y[row]);
}
static void lie_in(int o, int square) {
    place[o] = square;
    const int row = square / ACROSS;
    go(o, (square % ACROSS + 0.5) * BIN, (row + 0.5) * BIN);
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
    const int moved[] = {o, other};
    if (try_it(moved, other < 0 ? 1 : 2, 0.0, heat, change))
        return true;
    stands[there] = -1;
    if (other >= 0)
        stand_on(other, there);
    stand_on(o, here);
    return false;
}
static double above(double luts) {
    return luts > full ? luts - full : 0.0;
}
static bool move_part(int o, double reach, double heat, double *change) {
    const int here = place[o], there = near(here / ACROSS, reach, DOWN) * ACROSS +
                                       near(here % ACROSS, reach, ACROSS);
    if (there == here)
        return false;
    const double s = size[o], more = above(fill[there] + s) - above(fill[there]) +
                                     above(fill[here] - s) - above(fill[here]);
    lie_in(o, there);
    if (!try_it(&o, 1, crowded * more, heat, change)) {
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
    rams = number();
    read_counts();
    if (rams < 1 || rams > SITES || objects < rams)
        fail("found sizes that cannot be");
    size = room((size_t)objects, sizeof *size);
    for (int o = 0; o < objects; o++) size[o] = number();
    read_graph();
    weight = room((size_t)pairs, sizeof *weight);
    place = room((size_t)objects, sizeof *place);
    stands = room(SITES, sizeof *stands);
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
    weigh(1.0, work_out());
    sum_up();
    for (int i = 0; i < 2000; i++) {
        move(1.0, 1e30, &change);
        sum += fabs(change);
    }
    double heat = 10.0 * sum / 2000, part = 1.0;
    for (int step = 0; step < STEPS && part > 0.01; step++) {
        const double worst = work_out();
        weigh(1.0 + 7.0 * (1.0 - reach), worst);
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
