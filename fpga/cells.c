// SPDX-License-Identifier: Apache-2.0
// cells: simulated annealing of LUTs and flip-flops, from where nextpnr put them: of an ECP5, or,
// with ICE40 defined, of an iCE40 HX8K.
//
//   cells SEED MOVES PS < in > out    MOVES a step of temperature; PS: how long paths may be; each
//   hundredth step is told on stderr
//
// in: as anneal.h has it; each object: the tile, of ACROSS in a row; its place in it, 0 to 7 for
// LUTs (iCE40: with their flip-flops), 8 to 15 for flip-flops, 16 for what writes LUTs' RAM, from
// 17 on for block RAMs (which of the four that stand beside each other), -1 for what is elsewhere
// and stays;
//   how it is tied: 0 goes alone, 1 with the LUT or flip-flop beside it, 2 with its slice, 3 with
//   its tile; its enable, its reset (numbers; -1 for what is no flip-flop); 1 if it takes the wire
//   M; how many of the tile's wires it takes, and its enable and reset besides (iCE40). After the
//   objects: logic tiles, and which they are; tiles with a carry to the next one, and which.
// out: for each object tile and place
//
// What goes together in a tile is nextpnr's rule. Flip-flops of a tile have one reset (iCE40: and
// one enable); two of an ECP5's slice have one enable; the wire M of a place is the flip-flop's or
// the LUT's; an iCE40's tile takes 32 wires.
#ifdef ICE40
// As routed blocks have it: a cell is beside all eight tiles about it; a way that bends takes a
// second wire.
static double wire_ns(double across, double down) {
    if (across <= 1.0 && down <= 1.0)
        return 0.59;
    const double tiles = across + down;
    return across <= 1.0 || down < 1.0 ? 0.80 + 0.085 * tiles : 1.06 + 0.065 * tiles;
}
#define CROWDED 0.0
#define TAKES 0.0
#define NO_SLOWER true  // than it lay before, where that is faster than wanted
#else
// speed 6, as paths of a routed unit have it
static double wire_ns(double across, double down) {
    const double tiles = across + down;
    return tiles < 1.0 ? 0.45 : 0.72 + 0.058 * tiles;
}
#define CROWDED 16.0  // what a tile of wire costs where squares are full, tiles
#define TAKES 1400.0  // tiles of wire in a square
#define NO_SLOWER false
#endif
#include "anneal.h"

enum {
    ACROSS = 128,
    DOWN = 96,
    TILES = ACROSS * DOWN,
    LUTS = 8,
    PLACES = 17,
    BESIDE = 16,
    BLOCK_RAM = 17,
    STEPS = 600,
#ifdef ICE40
    ON = ACROSS,  // to the tile where a carry goes on
    WIRES = 32
#else
    ON = 1,
    WIRES = 999
#endif
};

static const double FIRST_REACH = 5.0, LAST_REACH = 1.0;
static const double FIRST_HEAT = 4.0, LAST_HEAT = 0.04;  // tiles

// A connection costs as many tiles as PATHS_COST, by the longest path through it, of what is wanted
// (and a bit less), to the power of EXPONENT: with the step's moves, as if the rest of the path had
// stayed. (Weighed by what the path was before the step alone, what was short became the longest.)
static const double PATHS_COST = 100.0, EXPONENT = 30.0, OF_WANTED = 0.93;
enum { PRICES = 4096 };
static double price[PRICES];  // of a path, each 0.01 ns
static void set_prices(double wanted_ns) {
    for (int i = 0; i < PRICES; i++)
        price[i] = PATHS_COST * pow((i + 0.5) / 100.0 / (OF_WANTED * wanted_ns), EXPONENT);
}
static double pair_cost(int p) {
    const pair_of *c = &pair[p];
    const int i = (int)(100.0 * (c->longest + wire(true, c->a, c->b) - c->then));
    return i < 0 ? 0.0 : price[i < PRICES ? i : PRICES - 1];
}
static double cost(double by_wire, double by_pairs) {
    return by_wire + by_pairs;
}

typedef struct {
    int tile, place, tie, enable, reset, wires, shared;
    bool takes_m;
} cell;
static cell *of;
static int on[TILES][PLACES];  // object, or -1
static bool logic[TILES], joined[TILES];
static int *movable, movables, *in_tiles,
    in_all;  // what may move alone, and what may with its tile
enum { MOST_TILES = 16 };
static const double BY_TILES = 0.01, BY_RAMS = 0.005;  // of the moves
static int *on_sites, in_sites, stands[SITES];         // block RAMs; which stands there, or -1
enum { RAM_REACH = 8 };
static const double BY_LATE = 0.1;  // of the moves are of what late paths go through
static int *on_late, lates;

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
    int reset = -1, wires = 0;
    for (int p = 0; p < BESIDE; p++) {
        const int o = on[tile][p];
        if (o < 0)
            continue;
        wires += of[o].wires + (of[o].reset >= 0 && reset < 0 ? of[o].shared : 0);
        if (of[o].reset < 0)
            continue;
        if (reset >= 0 && of[o].reset != reset)
            return false;
        reset = of[o].reset;
        if (p < LUTS)
            continue;
        const int lut = on[tile][p - LUTS], other = on[tile][p ^ 1];
        if (lut >= 0 && of[lut].takes_m && of[o].takes_m)
            return false;
        if (other >= 0 && of[other].enable != of[o].enable)
            return false;
    }
    return wires <= WIRES;
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
// Tiles in a line change places with as many elsewhere, with all that is in them, carries from one
// to the next too.
static void swap_tiles(int a, int b, int count, int *moved, int *n) {
    for (int i = 0; i < count * ON; i += ON) {
        for (int p = 0; p < PLACES; p++) *n += swap(a + i, p, b + i, p, moved + *n);
        const bool was = joined[a + i];
        joined[a + i] = joined[b + i];
        joined[b + i] = was;
    }
}
static bool move_tiles(int tile, int reach, double heat, double *change) {
    int a = tile, after = tile + ON;
    while (joined[a - ON]) a -= ON;
    while (joined[after - ON]) after += ON;
    const int count = (after - a) / ON, row = near(a / ACROSS, reach, DOWN);
    const int column = near(a % ACROSS, reach, ACROSS), b = row * ACROSS + column;
    const bool in_line = ON == 1 ? row == a / ACROSS : column == a % ACROSS;
    if (count > MOST_TILES || b < ON || b + (count - 1) * ON >= TILES ||
        (ON == 1 && column + count > ACROSS) || (in_line && abs(a - b) < count * ON) ||
        joined[b - ON] || joined[b + (count - 1) * ON])
        return false;
    for (int i = 0; i < count; i++)
        if (!logic[b + i * ON])
            return false;
    int moved[2 * PLACES * MOST_TILES], n = 0;
    swap_tiles(a, b, count, moved, &n);
    if (try_it(moved, n, 0.0, heat, change))
        return true;
    n = 0;
    swap_tiles(a, b, count, moved, &n);
    return false;
}
static int site_of(int tile) {  // -1: none
    for (int s = 0; s < SITES; s++)
        if (tile == row_y[s / COLUMNS] * ACROSS + column_x[s % COLUMNS])
            return s;
    return -1;
}
static void stand_on(int o, int site) {
    if (o >= 0)
        lie(o, row_y[site / COLUMNS] * ACROSS + column_x[site % COLUMNS], BLOCK_RAM + site % 4);
    stands[site] = o;
}
static bool move_ram(int o, double heat, double *change) {
    const int a = site_of(of[o].tile), row = below(2) ? a / COLUMNS : below(ROWS);
    const int b = row * COLUMNS + near(a % COLUMNS, RAM_REACH, COLUMNS), other = stands[b];
    if (a == b)
        return false;
    stand_on(other, a);
    stand_on(o, b);
    const int moved[] = {o, other};
    if (try_it(moved, other < 0 ? 1 : 2, 0.0, heat, change))
        return true;
    stand_on(o, a);
    stand_on(other, b);
    return false;
}
// Cells that late paths go through, as often as such a path goes to one or from it
static void find_late(double ns) {
    lates = 0;
    for (int p = 0; p < pairs; p++)
        if (pair[p].longest > ns)
            for (int k = 0; k < 2; k++) {
                const int o = k ? pair[p].b : pair[p].a;
                if (of[o].tie < 3)
                    on_late[lates++] = o;
            }
}
// The tile in the middle of what an object is connected to, as paths weigh
static int middle(int o) {
    double sum = 1e-9, sum_x = 1e-9 * x[o], sum_y = 1e-9 * y[o];
    for (int i = pairs_of.first[o]; i < pairs_of.first[o + 1]; i++) {
        const pair_of *p = &pair[pairs_of.list[i]];
        const int other = p->a == o ? p->b : p->a;
        const double w = pair_cost(pairs_of.list[i]);
        sum += w;
        sum_x += w * x[other];
        sum_y += w * y[other];
    }
    return (int)(sum_y / sum + 0.5) * ACROSS + (int)(sum_x / sum + 0.5);
}
static bool move(int reach, double heat, double *change) {
    *change = 0.0;
    if (in_sites > 0 && chance() < BY_RAMS)
        return move_ram(on_sites[below(in_sites)], heat, change);
    if (in_all > 0 && chance() < BY_TILES)
        return move_tiles(of[in_tiles[below(in_all)]].tile, reach, heat, change);
    const bool late = lates > 0 && chance() < BY_LATE;
    const int o = late ? on_late[below(lates)] : movable[below(movables)];
    const cell *c = &of[o];
    const int a = c->tile, p = c->place, from = late && below(2) ? middle(o) : a,
              row = near(from / ACROSS, reach, DOWN);
    const int b = row * ACROSS + near(from % ACROSS, reach, ACROSS);
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
static void tell(const char *when, double worst, double wanted_ns) {
    fprintf(stderr, "%s%.0f tiles, %.0f over, longest path %.1f ns, %d ends later than %.1f ns\n",
            when, wire_sum, crowding(), worst, later_than(wanted_ns), wanted_ns);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: cells SEED MOVES PS < in > out\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    const long moves = strtol(argv[2], NULL, 10);
    double wanted_ns = strtod(argv[3], NULL) / 1000.0;
    if (wanted_ns <= 0.0)
        fail("found no time, expected how long paths may be, ps");
    read_counts();
    of = room((size_t)objects, sizeof *of);
    movable = room((size_t)objects, sizeof *movable);
    in_tiles = room((size_t)objects, sizeof *in_tiles);
    on_sites = room((size_t)objects, sizeof *on_sites);
    for (int o = 0; o < objects; o++) {
        cell *c = &of[o];
        c->tile = number_below(TILES);
        c->place = number();
        c->tie = number();
        c->enable = number();
        c->reset = number();
        c->takes_m = number() != 0;
        c->wires = number();
        c->shared = number();
        if (c->place >= BLOCK_RAM)
            on_sites[in_sites++] = o;
        else if (c->tie < 3)
            movable[movables++] = o;
        else if (c->place >= 0)
            in_tiles[in_all++] = o;
    }
    for (int n = number(); n > 0; n--) logic[number_below(TILES)] = true;
    for (int n = number(); n > 0; n--) joined[number_below(TILES)] = true;
    read_graph();
    on_late = room(2 * (size_t)pairs, sizeof *on_late);
    for (int t = 0; t < TILES; t++)
        for (int p = 0; p < PLACES; p++) on[t][p] = -1;
    for (int s = 0; s < SITES; s++) stands[s] = -1;
    for (int o = 0; o < objects; o++) {
        lie(o, of[o].tile, of[o].place);
        if (of[o].place >= BLOCK_RAM) {
            const int site = site_of(of[o].tile);
            if (site < 0 || stands[site] >= 0)
                fail("found two block RAMs in one place, or one that is none");
            stand_on(o, site);
        } else if (of[o].place >= 0) {
            if (on[of[o].tile][of[o].place] >= 0)
                fail("found two cells in one place, or one that is none");
            on[of[o].tile][of[o].place] = o;
        }
    }
    for (int t = 0; t < TILES; t++)
        if (!legal(t))
            fail("found a tile whose flip-flops may not be together");
    double change, reach = FIRST_REACH, heat = FIRST_HEAT, worst = work_out();
    if (NO_SLOWER)
        wanted_ns = fmin(wanted_ns, worst);
    const double late_ns = 0.95 * OF_WANTED * wanted_ns;
    set_prices(wanted_ns);
    sum_up();
    char when[80];
    snprintf(when, sizeof when, "%d of %d cells may move; ", movables, objects);
    tell(when, worst, wanted_ns);
    for (int step = 0; step < STEPS && movables > 0; step++) {
        worst = work_out();
        sum_up();
        find_late(late_ns);
        long taken = 0;
        for (long i = 0; i < moves; i++) taken += move((int)(reach + 0.5), heat, &change);
        heat *= pow(LAST_HEAT / FIRST_HEAT, 1.0 / STEPS);
        reach = fmax(LAST_REACH, reach * pow(LAST_REACH / FIRST_REACH, 1.5 / STEPS));
        if (step % 100 == 99) {
            snprintf(when, sizeof when, "step %d: %.1f %% of moves taken, reach %.1f; ", step + 1,
                     100.0 * (double)taken / (double)moves, reach);
            tell(when, worst, wanted_ns);
        }
    }
    worst = work_out();
    sum_up();
    tell("", worst, wanted_ns);
    for (int o = 0; o < objects; o++) printf("%d %d\n", of[o].tile, of[o].place);
    return 0;
}
