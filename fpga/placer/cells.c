// SPDX-License-Identifier: Apache-2.0
// cells: simulated annealing of the LUTs and flip-flops of a placed netlist, from where nextpnr put
// them, of an ECP5-85F or an iCE40 HX8K. Block RAMs of an ECP5 go from site to site.
//
//   cells CHIP SEED MOVES PS IN OUT    CHIP: ecp5 or ice40; MOVES: how many a step of temperature;
//                                      PS: how long paths may be. Each hundredth step is reported
//                                      on standard error.
//
// IN:  counts, objects and graph, as anneal.h says. Each object:
//        tile, y * ACROSS + x
//        place in the tile: 0 to 7 for LUTs (iCE40: with their flip-flops), 8 to 15 for flip-flops,
//          16 for what writes LUTs' RAM; 17 to 20 for a block RAM (which of the four beside each
//          other); -1 for what is elsewhere and stays
//        tie: 0 goes alone; 1 with the LUT or flip-flop beside; 2 with its slice; 3 with its tile
//        enable; reset: a number for each, -1 for what is no flip-flop
//        1 if the cell takes the wire M, else 0
//        how many of the tile's wires the cell takes; and how many for its enable and reset (iCE40)
//      Between objects and graph: how many logic tiles, the tiles; how many tiles whose carry goes
//      on into the next tile, the tiles.
// OUT: for each object tile and place.
//
// What goes together in a tile is nextpnr's rule. The flip-flops of a tile have one reset (iCE40:
// and one enable). The two flip-flops of an ECP5's slice have one enable. The wire M of a place is
// the flip-flop's or the LUT's. A tile of an iCE40 takes 32 wires.
#include <stdlib.h>
#include <string.h>

#include "anneal.h"
#include "ecp5.h"

enum {
    ACROSS = 128,
    DOWN = 96,
    TILES = ACROSS * DOWN,
    LUTS = 8,
    PLACES = 17,
    WRITER = 16,  // the place of what writes LUTs' RAM
    BLOCK_RAM = 17,
    LAST_PLACE = 20,
    MOST_TILES = 16,  // that move at once
    RAM_REACH = 8,    // columns
    PRICES = 4096,
    MOST_NUMBER = 1000000,
};
enum { ALONE, PAIR, SLICE, TILE };  // how a cell is tied

static const double FIRST_REACH = 5.0, LAST_REACH = 1.0;  // tiles
static const double FIRST_HEAT = 4.0, LAST_HEAT = 0.04;   // tiles
static const double BY_RAMS = 0.005, BY_TILES = 0.01;     // of the moves
static const double BY_LATE = 0.1;                        // of the moves: cells of late paths

typedef struct {
    const char *name;
    anneal_model model;
    int carry_step;  // from a tile to the tile into which its carry goes on
    int wires;       // that a tile takes
    bool no_slower;  // than nextpnr's placement, where that is faster than wanted
} chip;

typedef struct {
    int tile, place, tie, enable, reset, wires, shared;
    bool takes_m;
} cell;

typedef struct {
    anneal a;
    const chip *chip;
    double price[PRICES];   // of a path, each 0.01 ns
    cell *of;               // of objects
    int on[TILES][PLACES];  // object, or -1
    bool logic[TILES], joined[TILES];
    int stands[RAM_SITES];    // block RAM, or -1
    int *movable, movables;   // cells that move without their whole tile
    int *in_tiles, in_all;    // cells that move with their tile
    int *on_sites, in_sites;  // block RAMs
    int *on_late, lates;  // cells of late paths, as often as such a path goes to or from the cell
} cells;

// ---- costs
// A connection costs as many tiles as PATHS_COST, by the longest path through the connection, of
// what is wanted (and a bit less), to the power of EXPONENT: with the step's moves, as if the rest
// of the path had stayed. Weights by the path before the step alone make short paths the longest.
static const double PATHS_COST = 100.0, EXPONENT = 30.0, OF_WANTED = 0.93;
static void set_prices(cells *c, double wanted_ns) {
    for (int i = 0; i < PRICES; i++)
        c->price[i] = PATHS_COST * pow((i + 0.5) / 100.0 / (OF_WANTED * wanted_ns), EXPONENT);
}
static inline double price_of(const cells *c, int pair, double (*wire_ns)(double, double)) {
    const anneal_pair *p = &c->a.pair[pair];
    const double ns = wire_ns(fabs(c->a.x[p->a] - c->a.x[p->b]), fabs(c->a.y[p->a] - c->a.y[p->b]));
    const double at = 100.0 * (p->longest + ns - p->then);
    return at <= -1.0 ? 0.0 : c->price[at < PRICES ? (int)at : PRICES - 1];
}
static double cost(const void *user, double by_wire, double by_pairs) {
    (void)user;
    return by_wire + by_pairs;
}

// speed 6, as the paths of a routed design have it
static double ecp5_wire_ns(double across, double down) {
    const double tiles = across + down;
    return tiles < 1.0 ? 0.45 : 0.72 + 0.058 * tiles;
}
static double ecp5_pair_cost(const void *user, int pair) {
    return price_of(user, pair, ecp5_wire_ns);
}
// HX, as routed blocks have it: a cell is beside all eight tiles about its own; a way that bends
// takes a second wire
static double ice40_wire_ns(double across, double down) {
    if (across <= 1.0 && down <= 1.0)
        return 0.59;
    const double tiles = across + down;
    return across <= 1.0 || down < 1.0 ? 0.80 + 0.085 * tiles : 1.06 + 0.065 * tiles;
}
static double ice40_pair_cost(const void *user, int pair) {
    return price_of(user, pair, ice40_wire_ns);
}
static const chip CHIPS[] = {
    {.name = "ecp5",
     .model = {ecp5_wire_ns, ecp5_pair_cost, cost, .takes = 1400.0, .crowded = 16.0},
     .carry_step = 1,
     .wires = 999,
     .no_slower = false},
    {.name = "ice40",
     .model = {ice40_wire_ns, ice40_pair_cost, cost, .takes = 0.0, .crowded = 0.0},
     .carry_step = ACROSS,
     .wires = 32,
     .no_slower = true}};

// ---- where cells may lie
static void lie(cells *c, int o, int tile, int place) {
    const int row = tile / ACROSS;
    c->of[o].tile = tile;
    c->of[o].place = place;
    anneal_go(&c->a, o, tile % ACROSS, row);
}
static int tied(const cells *c, int tile, int place) {
    return c->on[tile][place] < 0 ? ALONE : c->of[c->on[tile][place]].tie;
}
static int most(int a, int b) {
    return a > b ? a : b;
}
static int tied_beside(const cells *c, int tile, int place) {  // both of a LUT and its flip-flop
    return most(tied(c, tile, place % LUTS), tied(c, tile, place % LUTS + LUTS));
}
// What a tile has against its cells; NULL: nothing
static const char *conflict(const cells *c, int tile) {
    const int *on = c->on[tile];
    int reset = -1, wires = 0;
    for (int p = 0; p < WRITER; p++) {
        if (on[p] < 0)
            continue;
        const cell *one = &c->of[on[p]];
        wires += one->wires + (one->reset >= 0 && reset < 0 ? one->shared : 0);
        if (one->reset < 0)
            continue;
        if (reset >= 0 && one->reset != reset)
            return "two resets, expected one";
        reset = one->reset;
        if (p < LUTS)
            continue;
        const int lut = on[p - LUTS], other = on[p ^ 1];
        if (lut >= 0 && c->of[lut].takes_m && one->takes_m)
            return "a wire M of a LUT and of its flip-flop, expected one of both";
        if (other >= 0 && c->of[other].enable != one->enable)
            return "two enables in a slice, expected one";
    }
    return wires <= c->chip->wires ? NULL : "more wires than a tile takes";
}

// ---- moves
// What is at place P of tile A and at Q of B changes places: how many cells, and MOVED, which
static int swap(cells *c, int a, int p, int b, int q, int *moved) {
    const int u = c->on[a][p], v = c->on[b][q];
    c->on[a][p] = v;
    c->on[b][q] = u;
    int n = 0;
    if (u >= 0) {
        lie(c, u, b, q);
        moved[n++] = u;
    }
    if (v >= 0) {
        lie(c, v, a, p);
        moved[n++] = v;
    }
    return n;
}
static int swap_all(cells *c, int a, int p, int b, int q, int tie, int *moved) {
    if (tie == ALONE)
        return swap(c, a, p, b, q, moved);
    int n = 0;
    if (tie == PAIR) {
        for (int k = 0; k < WRITER; k += LUTS)
            n += swap(c, a, p % LUTS + k, b, q % LUTS + k, moved + n);
        return n;
    }
    for (int k = 0; k < WRITER; k += LUTS)
        for (int i = 0; i < 2; i++)
            n += swap(c, a, p % LUTS / 2 * 2 + i + k, b, q % LUTS / 2 * 2 + i + k, moved + n);
    return n;
}
// A number of 0 to ALL - 1, at most REACH away from HERE
static int near(cells *c, int here, int reach, int all) {
    const int there = here + random_below(&c->a.random, 2 * reach + 1) - reach;
    return there < 0 ? 0 : there >= all ? all - 1 : there;
}
// COUNT tiles in a line change places with as many elsewhere, with all that is in the tiles,
// carries from a tile to the next too.
static int swap_tiles(cells *c, int a, int b, int count, int *moved) {
    const int step = c->chip->carry_step;
    int n = 0;
    for (int i = 0; i < count * step; i += step) {
        for (int p = 0; p < PLACES; p++) n += swap(c, a + i, p, b + i, p, moved + n);
        const bool was = c->joined[a + i];
        c->joined[a + i] = c->joined[b + i];
        c->joined[b + i] = was;
    }
    return n;
}
// Whether COUNT tiles from B are logic tiles, and no carry comes into them or leaves them
static bool takes_tiles(const cells *c, int b, int count) {
    const int step = c->chip->carry_step, last = b + (count - 1) * step;
    if (b < step || last >= TILES || (step == 1 && b % ACROSS + count > ACROSS) ||
        c->joined[b - step] || c->joined[last])
        return false;
    for (int tile = b; tile <= last; tile += step)
        if (!c->logic[tile])
            return false;
    return true;
}
static bool move_tiles(cells *c, int tile, int reach, double heat, double *change) {
    const int step = c->chip->carry_step;
    int a = tile, after = tile + step;
    while (a >= step && c->joined[a - step]) a -= step;
    while (after < TILES && c->joined[after - step]) after += step;
    const int count = (after - a) / step, row = near(c, a / ACROSS, reach, DOWN);
    const int column = near(c, a % ACROSS, reach, ACROSS), b = row * ACROSS + column;
    const bool in_line = step == 1 ? row == a / ACROSS : column == a % ACROSS;
    if (count > MOST_TILES || (in_line && abs(a - b) < count * step) || !takes_tiles(c, b, count))
        return false;
    int moved[2 * PLACES * MOST_TILES];
    const int n = swap_tiles(c, a, b, count, moved);
    if (anneal_try(&c->a, moved, n, 0.0, heat, change))
        return true;
    swap_tiles(c, a, b, count, moved);
    return false;
}
static int site_tile(int site) {
    return ram_y(site) * ACROSS + ram_x(site);
}
static int site_of(int tile) {  // -1: none
    for (int s = 0; s < RAM_SITES; s++)
        if (tile == site_tile(s))
            return s;
    return -1;
}
static void stand_on(cells *c, int o, int site) {
    if (o >= 0)
        lie(c, o, site_tile(site), BLOCK_RAM + site % 4);
    c->stands[site] = o;
}
static bool move_ram(cells *c, int o, double heat, double *change) {
    const int a = site_of(c->of[o].tile);
    const int row =
        random_below(&c->a.random, 2) ? a / RAM_COLUMNS : random_below(&c->a.random, RAM_ROWS);
    const int b = row * RAM_COLUMNS + near(c, a % RAM_COLUMNS, RAM_REACH, RAM_COLUMNS);
    const int other = c->stands[b];
    if (a == b)
        return false;
    stand_on(c, other, a);
    stand_on(c, o, b);
    const int moved[] = {o, other};
    if (anneal_try(&c->a, moved, other < 0 ? 1 : 2, 0.0, heat, change))
        return true;
    stand_on(c, o, a);
    stand_on(c, other, b);
    return false;
}
static void find_late(cells *c, double ns) {
    c->lates = 0;
    for (int p = 0; p < c->a.pairs; p++)
        if (c->a.pair[p].longest > ns)
            for (int k = 0; k < 2; k++) {
                const int o = k ? c->a.pair[p].b : c->a.pair[p].a;
                if (c->of[o].tie < TILE)
                    c->on_late[c->lates++] = o;
            }
}
// The tile in the middle of what an object is connected to, as paths weigh
static int middle(const cells *c, int o) {
    const anneal *a = &c->a;
    double sum = 1e-9, sum_x = 1e-9 * a->x[o], sum_y = 1e-9 * a->y[o];
    for (int i = a->pairs_of.first[o]; i < a->pairs_of.first[o + 1]; i++) {
        const anneal_pair *p = &a->pair[a->pairs_of.list[i]];
        const int other = p->a == o ? p->b : p->a;
        const double w = a->model->pair_cost(c, a->pairs_of.list[i]);
        sum += w;
        sum_x += w * a->x[other];
        sum_y += w * a->y[other];
    }
    return (int)(sum_y / sum + 0.5) * ACROSS + (int)(sum_x / sum + 0.5);
}
// How what is at place P of tile A and at Q of B must move: TIE, or tied more by what is there
static int tie_of_both(const cells *c, int a, int p, int b, int q, int tie) {
    for (int grown = tie;; tie = grown) {
        if (tie == ALONE) {
            grown = most(tied(c, a, p), tied(c, b, q));
        } else if (tie == PAIR) {
            grown = most(tied_beside(c, a, p), tied_beside(c, b, q));
        } else if (tie == SLICE) {
            for (int i = 0; i < 2; i++)
                grown = most(grown, most(tied_beside(c, a, p / 2 * 2 % LUTS + i),
                                         tied_beside(c, b, q / 2 * 2 % LUTS + i)));
        }
        if (grown == TILE || grown <= tie)
            return grown == TILE ? TILE : tie;
    }
}
static bool move_cell(cells *c, int reach, double heat, double *change) {
    random_source *random = &c->a.random;
    const bool late = c->lates > 0 && random_chance(random) < BY_LATE;
    const int o = late ? c->on_late[random_below(random, c->lates)]
                       : c->movable[random_below(random, c->movables)];
    const int a = c->of[o].tile, p = c->of[o].place, wanted = c->of[o].tie;
    const int from = late && random_below(random, 2) ? middle(c, o) : a;
    const int row = near(c, from / ACROSS, reach, DOWN);
    const int b = row * ACROSS + near(c, from % ACROSS, reach, ACROSS);
    if (a == b || !c->logic[b])
        return false;
    const int q = wanted == ALONE  ? p / LUTS * LUTS + random_below(random, LUTS)
                  : wanted == PAIR ? random_below(random, LUTS)
                                   : 2 * random_below(random, LUTS / 2);
    const int tie = tie_of_both(c, a, p, b, q, wanted);
    if (tie == TILE)
        return false;
    int moved[8];
    const int n = swap_all(c, a, p, b, q, tie, moved);
    if (!conflict(c, a) && !conflict(c, b) && anneal_try(&c->a, moved, n, 0.0, heat, change))
        return true;
    swap_all(c, a, p, b, q, tie, moved);
    return false;
}
static bool move(cells *c, int reach, double heat, double *change) {
    random_source *random = &c->a.random;
    *change = 0.0;
    if (c->in_sites > 0 && random_chance(random) < BY_RAMS)
        return move_ram(c, c->on_sites[random_below(random, c->in_sites)], heat, change);
    if (c->in_all > 0 && random_chance(random) < BY_TILES) {
        const int o = c->in_tiles[random_below(random, c->in_all)];
        return move_tiles(c, c->of[o].tile, reach, heat, change);
    }
    return move_cell(c, reach, heat, change);
}

// ---- reading
static void read_cell(input *in, cell *c) {
    c->tile = input_number(in, "tile", 0, TILES - 1);
    c->place = input_number(in, "place", -1, LAST_PLACE);
    const bool moves_alone = c->place >= 0 && c->place < WRITER;
    c->tie = input_number(in, "tie", moves_alone ? ALONE : TILE, TILE);
    c->enable = input_number(in, "enable", -1, MOST_NUMBER);
    c->reset = input_number(in, "reset", -1, MOST_NUMBER);
    c->takes_m = input_number(in, "wire M", 0, 1) != 0;
    c->wires = input_number(in, "wires", 0, MOST_NUMBER);
    c->shared = input_number(in, "wires of enable and reset", 0, MOST_NUMBER);
}
static void read_objects(cells *c, input *in) {
    const size_t objects = (size_t)c->a.objects;
    c->of = allocate(objects, sizeof *c->of);
    c->movable = allocate(objects, sizeof *c->movable);
    c->in_tiles = allocate(objects, sizeof *c->in_tiles);
    c->on_sites = allocate(objects, sizeof *c->on_sites);
    memset(c->on, 0xff, sizeof c->on);          // -1
    memset(c->stands, 0xff, sizeof c->stands);  // -1
    for (int o = 0; o < c->a.objects; o++) {
        input_record(in, "object", o);
        cell *one = &c->of[o];
        read_cell(in, one);
        lie(c, o, one->tile, one->place);
        if (one->place >= BLOCK_RAM) {
            const int site = site_of(one->tile);
            if (site < 0 || one->place != BLOCK_RAM + site % 4)
                input_fail(in, "found a block RAM at X%d Y%d, place %d, expected one of its sites",
                           one->tile % ACROSS, one->tile / ACROSS, one->place);
            if (c->stands[site] >= 0)
                input_fail(in, "found the site of object %d, expected a free one", c->stands[site]);
            stand_on(c, o, site);
            c->on_sites[c->in_sites++] = o;
        } else if (one->place >= 0) {
            int *here = &c->on[one->tile][one->place];
            if (*here >= 0)
                input_fail(in, "found tile and place of object %d, expected free ones", *here);
            *here = o;
            if (one->tie < TILE)
                c->movable[c->movables++] = o;
            else
                c->in_tiles[c->in_all++] = o;
        }
    }
}
static void read_tiles(input *in, const char *record, bool *of_tile) {
    input_record(in, record, -1);
    for (int n = input_number(in, "tiles", 0, TILES); n > 0; n--)
        of_tile[input_number(in, "tile", 0, TILES - 1)] = true;
}
static void read_in(cells *c, const char *path) {
    input in = input_open(path);
    anneal_read_counts(&c->a, &in);
    read_objects(c, &in);
    read_tiles(&in, "logic tiles", c->logic);
    read_tiles(&in, "tiles with a carry that goes on", c->joined);
    anneal_read_graph(&c->a, &in);
    input_close(&in);
    c->on_late = allocate(2 * (size_t)c->a.pairs, sizeof *c->on_late);
    for (int tile = 0; tile < TILES; tile++) {
        const char *found = conflict(c, tile);
        if (found)
            fail("%s: tile X%d Y%d: found %s", path, tile % ACROSS, tile / ACROSS, found);
    }
}

// ---- the run
static double crowding(const anneal *a) {  // tiles of wire beyond what squares take
    double sum = 0.0;
    for (int s = 0; s < SQUARES; s++) sum += fmax(0.0, a->demand[s] - a->model->takes);
    return sum;
}
static void report(const cells *c, const char *when, double worst, double wanted_ns) {
    fprintf(stderr, "%s%.0f tiles, %.0f over, longest path %.1f ns, %d ends later than %.1f ns\n",
            when, c->a.wire_sum, crowding(&c->a), worst, anneal_later_than(&c->a, wanted_ns),
            wanted_ns);
}
static void run(cells *c, long moves, double wanted_ns) {
    double change = 0.0, reach = FIRST_REACH, heat = FIRST_HEAT, worst = anneal_work_out(&c->a);
    if (c->chip->no_slower)
        wanted_ns = fmin(wanted_ns, worst);
    set_prices(c, wanted_ns);
    anneal_sum_up(&c->a);
    char when[80];
    snprintf(when, sizeof when, "%d of %d cells may move; ", c->movables, c->a.objects);
    report(c, when, worst, wanted_ns);
    for (int step = 0; step < MOST_STEPS && c->movables > 0; step++) {
        worst = anneal_work_out(&c->a);
        anneal_sum_up(&c->a);
        find_late(c, 0.95 * OF_WANTED * wanted_ns);
        long taken = 0;
        for (long i = 0; i < moves; i++) taken += move(c, (int)(reach + 0.5), heat, &change);
        heat *= pow(LAST_HEAT / FIRST_HEAT, 1.0 / MOST_STEPS);
        reach = fmax(LAST_REACH, reach * pow(LAST_REACH / FIRST_REACH, 1.5 / MOST_STEPS));
        if (step % 100 == 99) {
            snprintf(when, sizeof when, "step %d: %.1f %% of moves taken, reach %.1f; ", step + 1,
                     100.0 * (double)taken / (double)moves, reach);
            report(c, when, worst, wanted_ns);
        }
    }
    worst = anneal_work_out(&c->a);
    anneal_sum_up(&c->a);
    report(c, "", worst, wanted_ns);
}
static void write_out(const cells *c, const char *path) {
    FILE *out = output_open(path);
    for (int o = 0; o < c->a.objects; o++) fprintf(out, "%d %d\n", c->of[o].tile, c->of[o].place);
    output_close(out, path);
}
static const chip *chip_named(const char *name) {
    for (size_t i = 0; i < sizeof CHIPS / sizeof *CHIPS; i++)
        if (!strcmp(name, CHIPS[i].name))
            return &CHIPS[i];
    fail("arguments: found chip \"%s\", expected ecp5 or ice40", name);
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: cells CHIP SEED MOVES PS IN OUT\n");
        return 2;
    }
    cells *c = allocate(1, sizeof *c);
    c->chip = chip_named(argv[1]);
    c->a.model = &c->chip->model;
    c->a.user = c;
    c->a.random.state = argument(argv[2], "seed", 0, UINT64_MAX);
    const long moves = (long)argument(argv[3], "moves", 1, MOST_MOVES);
    const double wanted_ns = (double)argument(argv[4], "ps of a path", 1, 1000000000) / 1000.0;
    read_in(c, argv[5]);
    run(c, moves, wanted_ns);
    write_out(c, argv[6]);
    anneal_free(&c->a);
    free(c->of);
    free(c->movable);
    free(c->in_tiles);
    free(c->on_sites);
    free(c->on_late);
    free(c);
    return 0;
}
