// SPDX-License-Identifier: Apache-2.0
// stats.c: see stats.h.
#include "blas/stats.h"

#include <stdlib.h>
#include <string.h>

gmmu_blas_shape gmmu_blas_shape_of(const gmmu_blas_call *call) {
    gmmu_blas_shape s = {call->m, call->n, call->k, call->type};
    if (call->swapped) {
        s.m = call->n;
        s.n = call->m;
    }
    return s;
}

unsigned gmmu_blas_size_of(uint64_t flops) {
    return flops < 2 ? 0 : (unsigned)(62 - __builtin_clzll(flops)) / 3;
}

static int64_t least_of(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static int64_t most_of(int64_t x, int64_t y) {
    return x > y ? x : y;
}

static bool same(const gmmu_blas_shape *x, const gmmu_blas_shape *y) {
    return x->m == y->m && x->n == y->n && x->k == y->k && x->type == y->type;
}

static void add_shape(gmmu_blas_stats *s, const gmmu_blas_shape *shape, uint64_t flops, uint64_t ns,
                      double naive_ns) {
    gmmu_blas_shape_row *row = NULL, *least = &s->shape[0];
    for (unsigned i = 0; i < s->shapes && row == NULL; i++) {
        if (same(&s->shape[i].is, shape))
            row = &s->shape[i];
        if (s->shape[i].weight < least->weight)
            least = &s->shape[i];
    }
    if (row == NULL && s->shapes < GMMU_BLAS_SHAPES) {
        row = &s->shape[s->shapes++];
        *row = (gmmu_blas_shape_row){.is = *shape};
    } else if (row == NULL) {
        row = least;
        s->other_shapes += row->calls;
        *row = (gmmu_blas_shape_row){.is = *shape, .weight = row->weight};
    }
    row->weight += flops + 1;
    row->flops = flops;
    row->calls++;
    row->ns += ns;
    row->naive_ns += naive_ns;
}

void gmmu_blas_stats_call(gmmu_blas_stats *s, const gmmu_blas_shape *shape, uint64_t flops,
                          uint64_t bytes, uint64_t ns, double naive_ns) {
    gmmu_blas_size_row *size = &s->size[gmmu_blas_size_of(flops)];
    if (s->shapes == 0) {
        s->least = s->most = *shape;
    } else {
        s->least.m = least_of(s->least.m, shape->m);
        s->least.n = least_of(s->least.n, shape->n);
        s->least.k = least_of(s->least.k, shape->k);
        s->most.m = most_of(s->most.m, shape->m);
        s->most.n = most_of(s->most.n, shape->n);
        s->most.k = most_of(s->most.k, shape->k);
    }
    s->bytes += bytes;
    size->calls++;
    size->cpu_ns += (double)ns;
    size->naive_ns += naive_ns;
    if (naive_ns < (double)ns && (size->least_flops == 0 || flops < size->least_flops)) {
        size->least = *shape;
        size->least_flops = flops == 0 ? 1 : flops;
    }
    add_shape(s, shape, flops, ns, naive_ns);
}

unsigned gmmu_blas_sizes_pay(const gmmu_blas_size_row rows[GMMU_BLAS_SIZES]) {
    double saved = 0, best = 0;
    unsigned from = GMMU_BLAS_SIZES;
    for (unsigned i = GMMU_BLAS_SIZES; i-- > 0;) {
        saved += rows[i].cpu_ns - rows[i].naive_ns;
        if (rows[i].calls != 0 && saved > best) {
            best = saved;
            from = i;
        }
    }
    return from;
}

bool gmmu_blas_stats_pays(const gmmu_blas_stats *s, gmmu_blas_shape *shape) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; s->other_shapes == 0 && i < s->shapes; i++)
        if (s->shape[i].naive_ns < (double)s->shape[i].ns && s->shape[i].flops < least) {
            least = s->shape[i].flops;
            *shape = s->shape[i].is;
        }
    for (unsigned i = gmmu_blas_sizes_pay(s->size);
         s->other_shapes != 0 && i < GMMU_BLAS_SIZES && least == UINT64_MAX; i++)
        if (s->size[i].least_flops != 0) {
            least = s->size[i].least_flops;
            *shape = s->size[i].least;
        }
    return least != UINT64_MAX;
}

void gmmu_blas_stats_unasked(gmmu_blas_stats *s, uint64_t ns, double naive_ns) {
    s->unasked++;
    s->unasked_ns += ns;
    s->unasked_naive_ns += naive_ns;
}

static void forget_unasked(gmmu_blas_stats *s) {
    s->unasked = s->unasked_ns = 0;
    s->unasked_naive_ns = 0;
}

void gmmu_blas_stats_line(gmmu_blas_stats *s, const char *line, bool sampled, uint64_t flops,
                          uint64_t ns, double naive_ns) {
    gmmu_blas_line_row *row = NULL, *least = &s->line[0];
    if (*line == 0) {
        if (sampled)
            forget_unasked(s);
        return;
    }
    s->asked++;
    for (unsigned i = 0; i < s->lines && row == NULL; i++) {
        if (strcmp(s->line[i].text, line) == 0)
            row = &s->line[i];
        if (s->line[i].weight < least->weight)
            least = &s->line[i];
    }
    if (row == NULL) {
        uint64_t weight = 0;
        if (s->lines < GMMU_BLAS_LINES) {
            row = &s->line[s->lines++];
        } else {
            row = least;
            weight = row->weight;
            s->other_lines += row->calls;
        }
        *row = (gmmu_blas_line_row){.weight = weight};
        const size_t n = strlen(line);
        memcpy(row->text, line, n < sizeof row->text ? n : sizeof row->text - 1);
    }
    row->weight += flops + 1;
    row->calls++;
    row->ns += ns;
    row->naive_ns += naive_ns;
    if (sampled) {
        row->calls += s->unasked;
        row->ns += s->unasked_ns;
        row->naive_ns += s->unasked_naive_ns;
        forget_unasked(s);
    }
}

void gmmu_blas_stats_side(gmmu_blas_stats *s, uint32_t site, bool up, uint64_t bytes) {
    gmmu_blas_side_row *row = NULL, *least = &s->side[0];
    for (unsigned i = 0; i < s->sides && row == NULL; i++) {
        if (s->side[i].site == site)
            row = &s->side[i];
        if (s->side[i].weight < least->weight)
            least = &s->side[i];
    }
    if (row == NULL && s->sides < GMMU_BLAS_SIDES) {
        row = &s->side[s->sides++];
        *row = (gmmu_blas_side_row){.site = site};
    } else if (row == NULL) {
        row = least;
        *row = (gmmu_blas_side_row){.site = site, .weight = row->weight};
    }
    row->weight += bytes;
    *(up ? &row->ups : &row->downs) += 1;
    *(up ? &row->up_bytes : &row->down_bytes) += bytes;
}

static int by_weight(uint64_t x, uint64_t y) {
    return (x < y) - (x > y);
}

static int shapes_order(const void *a, const void *b) {
    return by_weight(((const gmmu_blas_shape_row *)a)->weight,
                     ((const gmmu_blas_shape_row *)b)->weight);
}

static int lines_order(const void *a, const void *b) {
    return by_weight(((const gmmu_blas_line_row *)a)->ns, ((const gmmu_blas_line_row *)b)->ns);
}

static int sides_order(const void *a, const void *b) {
    const gmmu_blas_side_row *x = a, *y = b;
    return by_weight(x->down_bytes + x->up_bytes, y->down_bytes + y->up_bytes);
}

void gmmu_blas_stats_sort(gmmu_blas_stats *s) {
    qsort(s->shape, s->shapes, sizeof *s->shape, shapes_order);
    qsort(s->line, s->lines, sizeof *s->line, lines_order);
    qsort(s->side, s->sides, sizeof *s->side, sides_order);
}

// ---- who touched memory last

void gmmu_blas_touched(gmmu_blas_touches *t, uint64_t start, uint64_t last, uint32_t site) {
    const size_t at = (size_t)(start * UINT64_C(0x9E3779B97F4A7C15) >> 32) % GMMU_BLAS_TOUCHES;
    t->slot[at].start = start;
    t->slot[at].last = last;
    t->slot[at].site = site;
    t->slot[at].when = ++t->now;
}

bool gmmu_blas_toucher(const gmmu_blas_touches *t, uint64_t start, uint64_t last, uint32_t *site) {
    uint64_t newest = 0;
    for (unsigned i = 0; i < GMMU_BLAS_TOUCHES; i++)
        if (t->slot[i].when > newest && t->slot[i].start <= last && start <= t->slot[i].last) {
            newest = t->slot[i].when;
            *site = t->slot[i].site;
        }
    return newest != 0;
}
