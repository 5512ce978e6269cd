// SPDX-License-Identifier: Apache-2.0
// mrc_rows.c: what `gmmu mrc` prints of its curves.
#include <inttypes.h>
#include <math.h>

#include "cli/mrc_options.h"

// How far a sampled curve is, or may be, from the exact one: to standard error.
static void report_error(const mrc_options *o, const gmmu_curves *s, const gmmu_policy_curve *c,
                         const gmmu_curve_row *rows) {
    double sum = 0;
    double most = 0;
    uint64_t at = 0;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        double off = o->check ? fabs(rows[i].miss_ratio - rows[i].exact) : rows[i].std_error;
        sum += off;
        if (i == 0 || off > most) {
            most = off;
            at = rows[i].frames;
        }
    }
    (void)fprintf(
        stderr,
        "gmmu mrc: %s: sample of %" PRIu64
        " accesses, rate %.6f at the end; %s %.6f, "
        "largest %.6f at %" PRIu64 " frames\n",
        c->choice->label, c->estimate.sampled, (double)s->set.threshold / (double)GMMU_SAMPLE_ALL,
        o->check ? "mean absolute error" : "mean standard error", sum / s->frame_count, most, at);
}

static void print(const mrc_options *o, const gmmu_curves *s) {
    static const table_column columns[] = {
        {"trace", 0},      {"policy", -16},         {"frames", 12},
        {"accesses", 12},  {"distinct", 12},        {"faults", 12},
        {"cold", 12},      {"evictions", 12},       {"miss_ratio", 16},
        {"std_error", 16}, {"exact_miss_ratio", 16}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const size_t count = !s->sampling ? COLUMNS - 2 : o->check ? COLUMNS : COLUMNS - 1;
    table t;
    if (o->a.format == FORMAT_TABLE) {
        (void)printf("trace: %s\n", o->a.trace);
    }
    table_begin(&t, o->a.format, columns, count);
    for (size_t i = 0; i < o->a.policy_count * s->frame_count; i++) {
        const gmmu_curve_row *r = &s->rows[i];
        const table_value values[COLUMNS] = {
            value_text(o->a.trace),    value_text(r->policy),      value_number(r->frames),
            value_number(r->accesses), value_number(r->distinct),  value_number(r->faults),
            value_number(r->cold),     value_number(r->evictions), value_ratio(r->miss_ratio),
            value_ratio(r->std_error), value_ratio(r->exact)};
        table_row(&t, values, NULL);
    }
    table_end(&t);
}

void mrc_print(const mrc_options *o, const gmmu_curves *s, double seconds) {
    (void)fprintf(stderr,
                  "gmmu mrc: %" PRIu64 " walks, %zu curves of %" PRIu32
                  " sizes, %.3f s, "
                  "%.2f M accesses/s\n",
                  s->accesses, s->policy_count, s->frame_count, seconds,
                  (double)s->accesses / (seconds + 1e-9) * 1e-6);
    for (size_t i = 0; s->sampling && i < s->policy_count; i++) {
        report_error(o, s, &s->curves[i], &s->rows[i * s->frame_count]);
    }
    print(o, s);
}
