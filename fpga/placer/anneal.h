// SPDX-License-Identifier: Apache-2.0
// anneal: simulated annealing of objects that lie on a chip. Programs (rams.c, cells.c) move the
// objects; the annealing holds nets and paths, prices each move, and takes the move or undoes it.
//
// Two things are made small. The first is half the perimeter of the box around each net. The
// second is the cost of all connections, by the longest path through each connection, after VPR
// (A. Marquardt, V. Betz, J. Rose, "Timing-driven placement for FPGAs", FPGA 2000). At each step of
// temperature all paths are computed anew from where the objects are then.
//
// The graph in a file, integers:
//   objects, nets, bits, ends, arcs: how many
//   (objects: the program's own, see rams.c and cells.c)
//   each net: how many objects, the objects
//   each bit, behind all bits that the bit depends on: the object that drives the bit; ps from the
//     clock, or -1; how many arcs; of each arc the bit before, ps within the object, and 1 if a
//     wire goes to the object, 0 if the way is within the cells
//   each end of paths: bit; object; 1 if a wire goes there, else 0; ps before the clock
#ifndef PLACER_ANNEAL_H
#define PLACER_ANNEAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "random.h"

// The chip in squares of SQUARE x SQUARE tiles
enum { SQUARE = 4, SQUARES_ACROSS = 32, SQUARES_DOWN = 24 };
enum { SQUARES = SQUARES_ACROSS * SQUARES_DOWN };

// What a program knows and the annealing asks. USER is anneal.user.
typedef struct {
    // ns of a routed wire that goes so many tiles across and down
    double (*wire_ns)(double across, double down);
    // cost of connection PAIR where its objects are now; called most often of all
    double (*pair_cost)(const void *user, int pair);
    // cost of a change by so many tiles of wire and so much of connections
    double (*cost)(const void *user, double by_wire, double by_pairs);
    double takes;    // tiles of wire that a square takes
    double crowded;  // tiles that a tile of wire beyond costs; 0: squares do not count
} anneal_model;

typedef struct {
    int bit;   // the bit before
    int pair;  // its connection; -1: within one object, or no wire
    double ns;
    bool wired;
} anneal_arc;
typedef struct {
    int object, first, count;  // arcs
    double start;              // ns from the clock; below 0: no path begins here
} anneal_bit;
typedef struct {
    int bit, object, pair;
    bool wired;
    double ns;
} anneal_end;
typedef struct {  // a connection: all wires between two objects
    int a, b;
    double cost;
    double longest;  // ns of the longest path through the connection at the last anneal_work_out()
    double then;     // ns of the connection itself, there
} anneal_pair;
typedef struct {
    double left, right, low, high;
} anneal_box;
typedef struct {  // of object o: list[first[o]] to list[first[o + 1] - 1]
    int *first, *list;
} anneal_lists;

typedef struct {
    const anneal_model *model;
    const void *user;
    random_source random;
    int objects, nets, bits, ends, arcs, pairs;
    double *x, *y;            // of objects, tiles
    double *from_x, *from_y;  // before the move that is under way
    int *net_first, *net_object;
    double *net_factor;  // of a net's half perimeter: tiles of wire that the net takes
    anneal_box *box;     // of nets
    anneal_bit *bit;
    anneal_arc *arc;
    anneal_end *end;
    anneal_pair *pair;
    anneal_lists nets_of, pairs_of;  // of objects
    double *at, *rest;               // of bits: ns from the clock, ns to the last end; -1: none
    double demand[SQUARES];          // tiles of wire
    double wire_sum, pair_sum;       // at the last anneal_sum_up()
    // the move that is under way: what changed, and what was there
    struct {
        int net;
        anneal_box was;
    } * undo_net;
    struct {
        int pair;
        double was;
    } * undo_pair;
    int undo_nets, undo_pairs;
    uint32_t *seen_net, *seen_pair, stamp;  // the stamp of the last move that looked at them
} anneal;

// stamps are 32 bits: so many moves at most
enum { MOST_STEPS = 600, MOST_MOVES = 7000000 };

// The first five counts, then, behind the program's own objects, the rest. The model is set first.
void anneal_read_counts(anneal *a, input *in);
void anneal_read_graph(anneal *a, input *in);
void anneal_free(anneal *a);

// An object goes to (X, Y). Before a move is tried each of its objects goes at most once.
static inline void anneal_go(anneal *a, int object, double x, double y) {
    a->from_x[object] = a->x[object];
    a->from_y[object] = a->y[object];
    a->x[object] = x;
    a->y[object] = y;
}

// All paths anew; the longest one, ns
double anneal_work_out(anneal *a);
// ns of the longest path through arc I of bit B, and to end E, after anneal_work_out()
double anneal_through(const anneal *a, int b, int i);
double anneal_to_end(const anneal *a, int e);
int anneal_later_than(const anneal *a, double ns);  // ends
// All boxes, squares and costs anew
void anneal_sum_up(anneal *a);

// COUNT objects are elsewhere now, at a cost of MORE tiles of wire besides. True: the move is
// taken. False: the program is to bring the objects back. CHANGE: the cost of the move.
bool anneal_try(anneal *a, const int *moved, int count, double more, double heat, double *change);

#endif
