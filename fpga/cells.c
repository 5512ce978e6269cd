// SPDX-License-Identifier: Apache-2.0
// cells: simulated annealing of an ECP5's LUTs and flip-flops, from where nextpnr put them.
//
//   cells SEED MOVES < in > out       MOVES a step of temperature; each fiftieth step is told on
//   stderr
//
// in: as anneal.h has it; each object: the tile, of ACROSS in a row; its place in it, 0 to 7 for
// LUTs, 8 to 15 for flip-flops, 16 for what writes LUTs' RAM, -1 for what is elsewhere and stays;
//   how it is tied: 0 goes alone, 1 with the LUT or flip-flop beside it, 2 with its slice, 3 with
//   its tile; its enable, its reset (numbers, of flip-flops); 1 if it takes the wire M. After the
//   objects: logic tiles, and which they are; tiles with a carry to the next one, and which.
// out: for each object tile and place
//
// What goes together in a tile is nextpnr's rule: flip-flops of a tile have one reset, two of a
// slice one enable; the wire M of a place is the flip-flop's or the LUT's.
#define OF_PATHS 0.8
// An ECP5 of speed 6, as paths of a routed unit have it
#define WIRE_NS(tiles) ((tiles) < 1.0 ? 0.45 : 0.72 + 0.058 * (tiles))
#define CROWDED 16.0  // what a tile of wire costs where squares are full, tiles
#define TAKES 1400.0  // tiles of wire in a square
#include "anneal.h"

enum {
    ACROSS = 128,
    DOWN = 96,
    TILES = ACROSS * DOWN,
    LUTS = 8,
    PLACES = 17,
    BESIDE = 16,
    STEPS = 300
};

static const double LATE = 9.5, EXPONENT = 30.0, START = 0.005, FIRST_REACH = 5.0;

typedef struct {
    int tile, place, tie, enable, reset;
    bool takes_m;
} cell;
static cell *of;
static int on[TILES][PLACES];  // object, or -1
static bool logic[TILES], joined[TILES];
static int *movable, movables, *in_tiles,
    in_all;  // what may move alone, and what may with its tile
enum { MOST_TILES = 16 };
static const double BY_TILES = 0.01;  // of the moves

static void lie(int o, int tile, int place) {
    of[o].tile = tile;
    of[o].place = place;
    const int row = tile / ACROSS;
    go(o, tile % ACROSS, row);
}
static int tied(int tile, int place) {
    return on[tile][place] < 0 ? 0 : of[on[tile][place]].tie;
}
static int most(int a, int b) {
    return a > b ? a : b;
}
static int tied_beside(int tile, int place) {  // both of a LUT and its flip-flop
    return most(tied(tile, place % LUTS), tied(tile, place % LUTS + LUTS));
}
static bool legal(int tile) {
    int reset = -1;
    for (int p = 0; p < LUTS; p++) {
        const int f = on[tile][LUTS + p], l = on[tile][p];
        if (f < 0)
            continue;
        if (reset >= 0 && of[f].reset != reset)
            return false;
        reset = of[f].reset;
        if (l >= 0 && of[l].takes_m && of[f].takes_m)
            return false;
        const int other = on[tile][LUTS + (p ^ 1)];
        if (other >= 0 && of[other].enable != of[f].enable)
            return false;
    }
    return true;
}
// What is at place P of tile A and at Q of B changes places: how many cells, and MOVED, which
static int swap(int a, int p, int b, int q, int *moved) {
    const int u = on[a][p], v = on[b][q];
    on[a][p] = v;
    on[b][q] = u;
    int n = 0;
    if (u >= 0) {
        lie(u, b, q);
        moved[n++] = u;
    }
    if (v >= 0) {
        lie(v, a, p);
        moved[n++] = v;
    }
    return n;
}
static int swap_all(int a, int p, int b, int q, int tie, int *moved) {
    if (tie == 0)
        return swap(a, p, b, q, moved);
    int n = 0;
    if (tie == 1) {
        for (int k = 0; k < BESIDE; k += LUTS)
            n += swap(a, p % LUTS + k, b, q % LUTS + k, moved + n);
        return n;
    }
    for (int k = 0; k < BESIDE; k += LUTS)
        for (int i = 0; i < 2; i++)
            n += swap(a, p % LUTS / 2 * 2 + i + k, b, q % LUTS / 2 * 2 + i + k, moved + n);
    return n;
}
static int near(int here, int reach, int all) {
    const int there = here + below(2 * reach + 1) - reach;
    return there < 0 ? 0 : there >= all ? all - 1 : there;
}
// Tiles of a row change places with as many elsewhere, with all that is in them, carries from one
// to the next too.
static void swap_tiles(int a, int b, int count, int *moved, int *n) {
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < PLACES; p++) *n += swap(a + i, p, b + i, p, moved + *n);
        const bool was = joined[a + i];
        joined[a + i] = joined[b + i];
        joined[b + i] = was;
    }
}
static bool move_tiles(int tile, int reach, double heat, double *change) {
    int a = tile, after = tile + 1;
    while (joined[a - 1]) a--;
    while (joined[after - 1]) after++;
    const int count = after - a, row = near(a / ACROSS, reach, DOWN);
    const int b = row * ACROSS + near(a % ACROSS, reach, ACROSS);
    if (count > MOST_TILES || b < 1 || b % ACROSS + count > ACROSS ||
        (row == a / ACROSS && abs(a - b) < count) || joined[b - 1] || joined[b + count - 1])
        return false;
    for (int i = 0; i < count; i++)
        if (!logic[b + i])
            return false;
    int moved[2 * PLACES * MOST_TILES], n = 0;
    swap_tiles(a, b, count, moved, &n);
    if (try_it(moved, n, 0.0, heat, change))
        return true;
    n = 0;
    swap_tiles(a, b, count, moved, &n);
    return false;
}
static bool move(int reach, double heat, double *change) {
    *change = 0.0;
    if (in_all > 0 && chance() < BY_TILES)
        return move_tiles(of[in_tiles[below(in_all)]].tile, reach, heat, change);
    const cell *c = &of[movable[below(movables)]];
    const int a = c->tile, p = c->place, row = near(a / ACROSS, reach, DOWN);
    const int b = row * ACROSS + near(a % ACROSS, reach, ACROSS);
    if (a == b || !logic[b])
        return false;
    int tie = c->tie;
    const int q = tie == 0   ? p / LUTS * LUTS + below(LUTS)
                  : tie == 1 ? below(LUTS)
                             : 2 * below(LUTS / 2);
    // what is there may be tied more
    for (int grown = tie;; tie = grown) {
        if (tie == 0) {
            grown = most(tied(a, p), tied(b, q));
        } else if (tie == 1) {
            grown = most(tied_beside(a, p), tied_beside(b, q));
        } else if (tie == 2) {
            for (int i = 0; i < 2; i++)
                grown = most(grown, most(tied_beside(a, p / 2 * 2 % LUTS + i),
                                         tied_beside(b, q / 2 * 2 % LUTS + i)));
        }
        if (grown > 2)
            return false;
        if (grown <= tie)
            break;
    }
    int moved[8];
    const int n = swap_all(a, p, b, q, tie, moved);
    if (legal(a) && legal(b) && try_it(moved, n, 0.0, heat, change))
        return true;
    swap_all(a, p, b, q, tie, moved);
    return false;
}

static double crowding(void) {  // what is over what squares take, tiles of wire
    double sum = 0.0;
    for (int s = 0; s < SQUARES; s++) sum += fmax(0.0, demand[s] - TAKES);
    return sum;
}
static void tell(const char *when, double worst) {
    fprintf(stderr, "%s%.0f tiles, %.0f over, longest path %.1f ns, %d ends later than %.1f ns\n",
            when, wire_sum, crowding(), worst, later_than(LATE), LATE);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: cells SEED MOVES < in > out\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    const long moves = strtol(argv[2], NULL, 10);
    read_counts();
    of = room((size_t)objects, sizeof *of);
    movable = room((size_t)objects, sizeof *movable);
    in_tiles = room((size_t)objects, sizeof *in_tiles);
    for (int o = 0; o < objects; o++) {
        cell *c = &of[o];
        c->tile = number_below(TILES);
        c->place = number();
        c->tie = number();
        c->enable = number();
        c->reset = number();
        c->takes_m = number() != 0;
        if (c->tie < 3)
            movable[movables++] = o;
        else if (c->place >= 0)
            in_tiles[in_all++] = o;
    }
    for (int n = number(); n > 0; n--) logic[number_below(TILES)] = true;
    for (int n = number(); n > 0; n--) joined[number_below(TILES)] = true;
    read_graph();
    for (int t = 0; t < TILES; t++)
        for (int p = 0; p < PLACES; p++) on[t][p] = -1;
    for (int o = 0; o < objects; o++) {
        lie(o, of[o].tile, of[o].place);
        if (of[o].place >= 0) {
            if (of[o].place >= PLACES || on[of[o].tile][of[o].place] >= 0)
                fail("found two cells in one place, or one that is none");
            on[of[o].tile][of[o].place] = o;
        }
    }
    for (int t = 0; t < TILES; t++)
        if (!legal(t))
            fail("found a tile whose flip-flops may not be together");
    double change, sum = 0.0, reach = FIRST_REACH;
    double worst = work_out(EXPONENT);
    sum_up();
    char when[80];
    snprintf(when, sizeof when, "%d of %d cells may move; ", movables, objects);
    tell(when, worst);
    int tried = 0;
    for (int i = 0; i < 20000 && movables > 0; i++) {
        move((int)reach, 1e-30, &change);
        if (change != 0.0) {
            sum += fabs(change);
            tried++;
        }
    }
    double heat = tried > 0 ? START * sum / tried : 1.0, part = 1.0;
    for (int step = 0; step < STEPS && movables > 0; step++) {
        worst = work_out(EXPONENT);
        sum_up();
        long taken = 0;
        for (long i = 0; i < moves; i++) taken += move((int)(reach + 0.5), heat, &change);
        part = (double)taken / (double)moves;
        heat *= 0.988;
        reach = fmin(FIRST_REACH, fmax(1.0, reach * 0.993));
        if (step % 50 == 49) {
            snprintf(when, sizeof when, "step %d: %.1f %% of moves taken, reach %.1f; ", step + 1,
                     100.0 * part, reach);
            tell(when, worst);
        }
    }
    worst = work_out(EXPONENT);
    sum_up();
    tell("", worst);
    for (int o = 0; o < objects; o++) printf("%d %d\n", of[o].tile, of[o].place);
    return 0;
}
