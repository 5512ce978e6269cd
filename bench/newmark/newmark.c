// SPDX-License-Identifier: Apache-2.0
// newmark.c: see newmark.h.
//
// A tree of sub-domains: 0 is the whole, 2 i + 1 and 2 i + 2 are i's halves. Of a leaf, per step:
//   u += dt v + dt² (1/2 - beta) a,  v += (1 - gamma) dt a         without the new a
//   (M + gamma dt D + beta dt² K) a = f - K u - D v,  v += gamma dt a
// then of each inner one, from the bottom: G the gap of velocities between its halves,
//   H lambda = G v,  v -= Y lambda  in all its leaves,
// Y being their response to its interface, H = G Y. At last u += beta dt² a. In place of a there
// is s = -gamma dt a, which is the velocity before minus the one after.
#include "newmark/newmark.h"

#include <stdlib.h>
#include <string.h>

#include "newmark/fem.h"

enum { MOST_DEPTH = 10 };
static const double gamma_ = 0.5, beta_ = 0.25, damping = 0.02;

const char *const newmark_site_names[NEWMARK_SITES] = {
    "setup", "respond", "respond_gap", "respond_tie", "interface", "predict", "keep",  "force",
    "solve", "update",  "gap",         "lambda",      "tie",       "correct", "probe", "report"};

// What an inner sub-domain is to a leaf below it.
typedef struct {
    double *gap;       // G, interface x unknowns; NULL: it has none of the interface's nodes
    double *response;  // Y, unknowns x interface
} coupling;

typedef struct {
    size_t n;                   // unknowns
    double *k, *d, *m;          // n x n: stiffness, damping, what is solved with
    double *f, *u, *v, *s, *r;  // load, displacement, velocity, -gamma dt a, right-hand side
    coupling to[MOST_DEPTH];    // by level of the inner one
} leaf;

typedef struct {
    fem_box box;
    size_t m;        // unknowns of the interface between its halves; 0: a leaf
    double *h;       // m x m
    double *lambda;  // m
    leaf *is;        // NULL: an inner one
} domain;

struct newmark {
    newmark_config cfg;
    newmark_library lib;
    unsigned domains, first_leaf, steps;
    domain *tree;
};

static bool take(newmark *m, double **p, size_t doubles) {
    *p = m->lib.take(m->lib.context, doubles * sizeof **p);
    return *p != NULL;
}

// ---- the tree

static unsigned level_of(unsigned i) {
    unsigned level = 0;
    for (; i != 0; i = (i - 1) / 2) level++;
    return level;
}

// The leaves below I: *first to the one before *end.
static void leaves_of(const newmark *m, unsigned i, unsigned *first, unsigned *end) {
    *first = i;
    *end = i + 1;
    while (*first < m->first_leaf) {
        *first = 2 * *first + 1;
        *end = 2 * *end + 1;
    }
}

// Halves of the longest side; the direction. -1: no side has two cubes.
static int split(const fem_box *b, fem_box half[2]) {
    int longest = 0;
    for (int d = 1; d < 3; d++)
        if (b->hi[d] - b->lo[d] >= b->hi[longest] - b->lo[longest])
            longest = d;
    if (b->hi[longest] - b->lo[longest] < 2)
        return -1;
    half[0] = half[1] = *b;
    half[0].hi[longest] = half[1].lo[longest] = (b->lo[longest] + b->hi[longest]) / 2;
    return longest;
}

static bool make_tree(newmark *m) {
    for (int d = 0; d < 3; d++) m->tree[0].box.hi[d] = m->cfg.size[d];
    for (unsigned i = 0; i < m->first_leaf; i++) {
        fem_box half[2];
        if (split(&m->tree[i].box, half) < 0)
            return false;
        m->tree[2 * i + 1].box = half[0];
        m->tree[2 * i + 2].box = half[1];
    }
    return true;
}

// ---- a leaf's own matrices

static bool make_leaf(newmark *m, domain *is) {
    leaf *l = is->is = calloc(1, sizeof *l);
    if (l == NULL)
        return false;
    const size_t n = l->n = 3 * fem_nodes(&is->box);
    if (!take(m, &l->k, n * n) || !take(m, &l->d, n * n) || !take(m, &l->m, n * n) ||
        !take(m, &l->f, n) || !take(m, &l->u, n) || !take(m, &l->v, n) || !take(m, &l->s, n) ||
        !take(m, &l->r, n))
        return false;
    const double dt = m->cfg.step;
    m->lib.writes(m->lib.context, AT_SETUP, l->k, n * n * sizeof *l->k);
    m->lib.writes(m->lib.context, AT_SETUP, l->d, n * n * sizeof *l->d);
    m->lib.writes(m->lib.context, AT_SETUP, l->m, n * n * sizeof *l->m);
    m->lib.writes(m->lib.context, AT_SETUP, l->f, n * sizeof *l->f);
    fem_assemble(&is->box, l->k, l->r);
    fem_load(&is->box, m->cfg.size, l->f);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double k = l->k[i * n + j], mass = i == j ? l->r[i] : 0;
            const double d = damping * k + (k != 0 ? damping * mass : 0);
            l->d[i * n + j] = d;
            l->m[i * n + j] = mass + gamma_ * dt * d + beta_ * dt * dt * k;
        }
    return true;
}

// ---- interfaces

// Does the first of the leaves [first, end) that has node AT have it, and which is it?
static bool owner(const newmark *m, unsigned first, unsigned end, const unsigned at[3],
                  unsigned *which) {
    for (*which = first; *which < end; ++*which)
        if (fem_has(&m->tree[*which].box, at))
            return true;
    return false;
}

// Rows of G of the node AT, the first of which is ROW: of one leaf on either side.
static bool join(newmark *m, unsigned i, const unsigned at[3], size_t row) {
    for (unsigned side = 0; side < 2; side++) {
        unsigned first, end, which;
        leaves_of(m, 2 * i + 1 + side, &first, &end);
        if (!owner(m, first, end, at, &which))
            return false;
        leaf *l = m->tree[which].is;
        coupling *c = &l->to[level_of(i)];
        if (c->gap == NULL) {
            if (!take(m, &c->gap, m->tree[i].m * l->n))
                return false;
            m->lib.writes(m->lib.context, AT_SETUP, c->gap, m->tree[i].m * l->n * sizeof *c->gap);
        }
        const size_t column = 3 * fem_node(&m->tree[which].box, at);
        for (size_t d = 0; d < 3; d++) c->gap[(row + d) * l->n + column + d] = side == 0 ? 1 : -1;
    }
    return true;
}

// G of all leaves below I, of the unknowns on the plane between its halves that are not clamped.
static bool make_interface(newmark *m, unsigned i) {
    domain *is = &m->tree[i];
    fem_box half[2], plane = is->box;
    const int d = split(&is->box, half);
    if (d < 0)
        return false;  // make_tree would have said so
    plane.lo[d] = plane.hi[d] = half[0].hi[d];
    if (plane.lo[2] == 0)
        plane.lo[2] = 1;
    is->m = 3 * fem_nodes(&plane);
    size_t row = 0;
    unsigned at[3];
    for (at[2] = plane.lo[2]; at[2] <= plane.hi[2]; at[2]++)
        for (at[1] = plane.lo[1]; at[1] <= plane.hi[1]; at[1]++)
            for (at[0] = plane.lo[0]; at[0] <= plane.hi[0]; at[0]++, row += 3)
                if (!join(m, i, at, row))
                    return false;
    return take(m, &is->h, is->m * is->m) && take(m, &is->lambda, is->m);
}

// The gap of WHAT, of R columns, between the halves of I. VALUES gives WHAT of a leaf.
typedef double *values_of(const leaf *l, unsigned level);

static double *its_velocity(const leaf *l, unsigned level) {
    (void)level;
    return l->v;
}

static double *its_response(const leaf *l, unsigned level) {
    return l->to[level].response;
}

static void gap(newmark *m, newmark_site site, unsigned i, values_of *values, unsigned level,
                size_t r, double *to) {
    unsigned first, end;
    bool begun = false;
    leaves_of(m, i, &first, &end);
    for (unsigned j = first; j < end; j++) {
        const leaf *l = m->tree[j].is;
        const coupling *c = &l->to[level_of(i)];
        if (c->gap == NULL)
            continue;
        m->lib.gemm(m->lib.context, site, m->tree[i].m, r, l->n, 1, c->gap, values(l, level),
                    begun ? 1 : 0, to);
        begun = true;
    }
}

// WHAT -= Y lambda in the leaves of I.
static void tie(newmark *m, newmark_site site, unsigned i, values_of *values, unsigned level,
                size_t r, const double *lambda) {
    unsigned first, end;
    leaves_of(m, i, &first, &end);
    for (unsigned j = first; j < end; j++) {
        const leaf *l = m->tree[j].is;
        m->lib.gemm(m->lib.context, site, l->n, r, m->tree[i].m, -1, l->to[level_of(i)].response,
                    lambda, 1, values(l, level));
    }
}

// The responses of sub-domain I to R columns, in place, for an interface of LEVEL.
static void respond(newmark *m, unsigned i, unsigned level, size_t r, double *scratch) {
    const domain *is = &m->tree[i];
    if (is->is != NULL) {
        m->lib.gesv(m->lib.context, AT_RESPOND, is->is->n, r, is->is->m,
                    is->is->to[level].response);
        return;
    }
    respond(m, 2 * i + 1, level, r, scratch);
    respond(m, 2 * i + 2, level, r, scratch);
    gap(m, AT_RESPOND_GAP, i, its_response, level, r, scratch);
    m->lib.gesv(m->lib.context, AT_RESPOND_GAP, is->m, r, is->h, scratch);
    tie(m, AT_RESPOND_TIE, i, its_response, level, r, scratch);
}

// Y of all leaves below I begins as the transpose of G.
static bool begin_response(newmark *m, unsigned i) {
    unsigned first, end;
    leaves_of(m, i, &first, &end);
    for (unsigned j = first; j < end; j++) {
        const leaf *l = m->tree[j].is;
        coupling *c = &m->tree[j].is->to[level_of(i)];
        const size_t n = l->n, rows = m->tree[i].m;
        if (!take(m, &c->response, n * rows))
            return false;
        m->lib.writes(m->lib.context, AT_SETUP, c->response, n * rows * sizeof *c->response);
        for (size_t x = 0; c->gap != NULL && x < n; x++)
            for (size_t y = 0; y < rows; y++) c->response[x * rows + y] = c->gap[y * n + x];
    }
    return true;
}

static bool couple(newmark *m, unsigned i) {
    const unsigned level = level_of(i);
    const size_t r = m->tree[i].m;
    size_t most = 1;
    for (unsigned j = i; j < m->first_leaf; j++) most = m->tree[j].m > most ? m->tree[j].m : most;
    double *scratch;
    if (!begin_response(m, i) || !take(m, &scratch, most * r))
        return false;
    respond(m, 2 * i + 1, level, r, scratch);
    respond(m, 2 * i + 2, level, r, scratch);
    gap(m, AT_INTERFACE, i, its_response, level, r, m->tree[i].h);
    return true;
}

static bool make_all(newmark *m) {
    bool good = make_tree(m);
    for (unsigned i = m->first_leaf; i < m->domains && good; i++) good = make_leaf(m, &m->tree[i]);
    for (unsigned i = 0; i < m->first_leaf && good; i++) good = make_interface(m, i);
    for (unsigned i = m->first_leaf; i-- != 0 && good;) good = couple(m, i);
    return good;
}

newmark *newmark_create(const newmark_config *config, const newmark_library *library) {
    if (config->depth > MOST_DEPTH)
        return NULL;
    newmark *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->cfg = *config;
    m->lib = *library;
    m->first_leaf = (1u << config->depth) - 1;
    m->domains = 2 * m->first_leaf + 1;
    m->tree = calloc(m->domains, sizeof *m->tree);
    if (m->tree == NULL || !make_all(m)) {
        newmark_destroy(m);
        return NULL;
    }
    return m;
}

void newmark_destroy(newmark *m) {
    for (unsigned i = 0; m != NULL && m->tree != NULL && i < m->domains; i++) free(m->tree[i].is);
    if (m != NULL)
        free(m->tree);
    free(m);
}

// ---- a step of time

static void step_alone(newmark *m, const leaf *l) {
    const newmark_library *b = &m->lib;
    void *c = b->context;
    const double dt = m->cfg.step;
    b->xpy(c, AT_PREDICT, l->n, dt, l->v, l->u);
    b->xpy(c, AT_PREDICT, l->n, -dt * (0.5 - beta_) / gamma_, l->s, l->u);
    b->xpy(c, AT_PREDICT, l->n, -(1 - gamma_) / gamma_, l->s, l->v);
    b->copy(c, AT_KEEP, l->n, l->v, l->s);
    b->gemm(c, AT_FORCE, l->n, 1, l->n, -1, l->k, l->u, 0, l->r);
    b->gemm(c, AT_FORCE, l->n, 1, l->n, -1, l->d, l->v, 1, l->r);
    b->xpy(c, AT_FORCE, l->n, 1, l->f, l->r);
    b->gesv(c, AT_SOLVE, l->n, 1, l->m, l->r);
    b->xpy(c, AT_UPDATE, l->n, gamma_ * dt, l->r, l->v);
}

double newmark_step(newmark *m) {
    const newmark_library *b = &m->lib;
    for (unsigned i = m->first_leaf; i < m->domains; i++) step_alone(m, m->tree[i].is);
    for (unsigned i = m->first_leaf; i-- != 0;) {
        const domain *is = &m->tree[i];
        gap(m, AT_GAP, i, its_velocity, 0, 1, is->lambda);
        b->gesv(b->context, AT_LAMBDA, is->m, 1, is->h, is->lambda);
        tie(m, AT_TIE, i, its_velocity, 0, 1, is->lambda);
    }
    for (unsigned i = m->first_leaf; i < m->domains; i++) {
        const leaf *l = m->tree[i].is;
        b->xpy(b->context, AT_CORRECT, l->n, -1, l->v, l->s);
        b->xpy(b->context, AT_CORRECT, l->n, -m->cfg.step * beta_ / gamma_, l->s, l->u);
    }
    m->steps++;
    if (m->cfg.report != 0 && m->steps % m->cfg.report == 0)
        for (unsigned i = m->first_leaf; i < m->domains; i++) {
            const leaf *l = m->tree[i].is;
            b->reads(b->context, AT_REPORT, l->u, l->n * sizeof *l->u);
        }
    const leaf *last = m->tree[m->domains - 1].is;
    b->reads(b->context, AT_PROBE, last->u, last->n * sizeof *last->u);
    return last->u[last->n - 3];
}

void newmark_displacements(newmark *m, double *u) {
    const fem_box *whole = &m->tree[0].box;
    for (unsigned i = m->domains; i-- != m->first_leaf;) {
        const domain *is = &m->tree[i];
        m->lib.reads(m->lib.context, AT_REPORT, is->is->u, is->is->n * sizeof *is->is->u);
        unsigned at[3];
        for (at[2] = is->box.lo[2]; at[2] <= is->box.hi[2]; at[2]++)
            for (at[1] = is->box.lo[1]; at[1] <= is->box.hi[1]; at[1]++)
                for (at[0] = is->box.lo[0]; at[0] <= is->box.hi[0]; at[0]++)
                    memcpy(&u[3 * fem_node(whole, at)], &is->is->u[3 * fem_node(&is->box, at)],
                           3 * sizeof *u);
    }
}

size_t newmark_unknowns(const newmark *m) {
    return 3 * fem_nodes(&m->tree[0].box);
}

unsigned newmark_leaves(const newmark *m) {
    return m->domains - m->first_leaf;
}
