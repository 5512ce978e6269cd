// SPDX-License-Identifier: Apache-2.0
// replay_row.c: see replay_row.h.
#include "cli/replay_row.h"

enum { WIDTH = 12, NAME = -16 };

static void add(replay_row *r, const char *name, int width, table_value value) {
    r->columns[r->count] = (table_column){name, width};
    r->values[r->count++] = value;
}

static void add_counts(replay_row *r, const gmmu_count_column *columns, const void *counts,
                       int width) {
    for (const gmmu_count_column *c = columns; c->name != NULL; c++) {
        add(r, c->name, width,
            counts == NULL ? (table_value){.kind = VALUE_NONE}
                           : value_number(gmmu_count(counts, c)));
    }
}

static table_value text_or_none(const char *text) {
    return text == NULL ? (table_value){.kind = VALUE_NONE} : value_text(text);
}

// A / B; none of B = 0, unless A is 0 too.
static table_value ratio(uint64_t a, uint64_t b) {
    return b != 0 || a == 0 ? value_ratio(b == 0 ? 1 : (double)a / (double)b)
                            : (table_value){.kind = VALUE_NONE};
}

static void add_ratios(replay_row *r, const replay_shape *shape, const replay_result *result,
                       const replay_beside *beside) {
    const gmmu_counts *n = &result->counts;
    add(r, "size", WIDTH, text_or_none(beside->size));
    const double percent =
        result->distinct == 0 ? 0 : 100.0 * (double)result->frames / (double)result->distinct;
    add(r, "percent", WIDTH, value_ratio(percent));
    add(r, "miss_ratio", WIDTH,
        value_ratio(n->accesses == 0 ? 0 : (double)n->faults / (double)n->accesses));
    if (shape->to_opt) {
        const table_value none = {.kind = VALUE_NONE};
        const replay_result *opt = beside->opt;
        add(r, "faults_to_opt", WIDTH + 2,
            opt == NULL ? none : ratio(n->faults, opt->counts.faults));
        add(r, "evictions_to_opt", WIDTH + 5,
            opt == NULL ? none : ratio(n->evictions, opt->counts.evictions));
    }
}

void replay_row_fill(replay_row *r, const replay_shape *shape, const replay_result *result,
                     const replay_beside *beside) {
    r->count = 0;
    add(r, "trace", 0, value_text(beside->trace));
    if (shape->configured) {
        add(r, "configuration", NAME, text_or_none(beside->configuration));
    }
    add(r, "policy", NAME, value_text(result->label));
    add(r, "frames", WIDTH, value_number(result->frames));
    add(r, gmmu_count_columns[0].name, WIDTH,
        value_number(gmmu_count(&result->counts, &gmmu_count_columns[0])));
    add(r, "distinct", WIDTH, value_number(result->distinct));
    add_counts(r, &gmmu_count_columns[1], &result->counts, WIDTH);
    if (shape->tiers) {
        add_counts(r, gmmu_tier_count_columns, beside->tiers ? &result->tiers : NULL, WIDTH + 3);
    }
    if (shape->as_opt) {
        add(r, "as_opt", WIDTH,
            beside->as_opt ? value_number(result->as_opt) : (table_value){.kind = VALUE_NONE});
    }
    if (shape->ratios) {
        add_ratios(r, shape, result, beside);
    }
    if (shape->notes) {
        add(r, "note", 1, text_or_none(beside->note));
    }
}
