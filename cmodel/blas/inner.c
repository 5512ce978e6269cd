// SPDX-License-Identifier: Apache-2.0
// inner.c: see inner.h.
#include "blas/inner.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_SHOWN = 5 };

static uint64_t inner_of(const struct gmmu_blas_site *s) {
    return s->inner;
}

static uint64_t below_ns_of(const struct gmmu_blas_site *s) {
    return (uint64_t)gmmu_blas_counted_ns(&s->below);
}

typedef uint64_t value_of(const struct gmmu_blas_site *s);

// The sum over the sites of a routine; 0 for those behind the first.
static uint64_t sum_of(const gmmu_blas_report *r, uint32_t site, value_of *value) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        if (strcmp(r->sites[i]->routine, r->sites[site]->routine) != 0)
            continue;
        if (i < site)
            return 0;
        sum += value(r->sites[i]);
    }
    return sum;
}

// The routines with the most, in order.
static void write_most(FILE *to, const gmmu_blas_report *r, value_of *value, double unit,
                       int digits) {
    uint64_t last = UINT64_MAX;
    uint32_t last_site = 0;
    for (unsigned n = 0; n < MOST_SHOWN; n++) {
        uint64_t most = 0;
        uint32_t site = 0;
        for (uint32_t i = 0; i < r->count; i++) {
            const uint64_t is = sum_of(r, i, value);
            if ((is < last || (is == last && n != 0 && i > last_site)) && is > most) {
                most = is;
                site = i;
            }
        }
        if (most == 0)
            break;
        (void)fprintf(to, "%s%.*f %s", n == 0 ? "" : ", ", digits, (double)most * unit,
                      r->sites[site]->routine);
        last = most;
        last_site = site;
    }
}

void gmmu_blas_report_inner(FILE *to, const gmmu_blas_report *r) {
    uint64_t inner = 0, below = 0, all = 0, samples = 0;
    double ns = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        inner += inner_of(r->sites[i]);
        all += gmmu_blas_counted(&r->sites[i]->below);
        if (r->sites[i]->below.samples == 0)
            continue;
        below += gmmu_blas_counted(&r->sites[i]->below);
        samples += r->sites[i]->below.samples;
        ns += gmmu_blas_counted_ns(&r->sites[i]->below);
    }
    if (inner != 0) {
        (void)fprintf(to, "%" PRIu64 " calls within recorded calls belong to them: ", inner);
        write_most(to, r, inner_of, 1, 0);
        (void)fprintf(to, "\n");
    }
    if (samples != 0) {
        (void)fprintf(to,
                      "below the minimum: some %.6f s in %" PRIu64 " calls, of which %" PRIu64
                      " were timed",
                      ns * 1e-9, below, samples);
        if (all != below)
            (void)fprintf(to, " (of the sites of %" PRIu64 " more none was)", all - below);
        (void)fprintf(to, ": ");
        write_most(to, r, below_ns_of, 1e-9, 6);
        (void)fprintf(to, "\n");
    }
    if (r->more != NULL)
        r->more(to);
}
