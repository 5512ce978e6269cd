// SPDX-License-Identifier: Apache-2.0
// replay_rows.c: see replay_rows.h.
#include "cli/replay_rows.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 12, NAME = -16 };

// A row under construction.
typedef struct {
    table_column *columns;
    table_value values[REPLAY_COLUMNS];
    size_t count;
} row;

static void add(row *r, const char *name, int width, table_value value) {
    r->columns[r->count] = (table_column){name, width};
    r->values[r->count++] = value;
}

static void add_counts(row *r, const gmmu_count_column *columns, const void *counts, int width) {
    for (const gmmu_count_column *c = columns; c->name != NULL; c++) {
        add(r, c->name, width, value_number(gmmu_count(counts, c)));
    }
}

// A / B; none of B = 0, unless A is 0 too.
static table_value ratio(uint64_t a, uint64_t b) {
    return b != 0 || a == 0 ? value_ratio(b == 0 ? 1 : (double)a / (double)b)
                            : (table_value){.kind = VALUE_NONE};
}

// OPT's replay at the size J; NULL: none was asked for, or it has no row.
static const gmmu_replay_run *opt_at(const replay_request *o, const gmmu_replay_run *runs,
                                     size_t j) {
    for (size_t i = 0; i < o->a.policy_count; i++) {
        const gmmu_replay_run *run = &runs[i * o->a.size_count + j];
        if (strcmp(run->policy->name, "opt") == 0) {
            return run->lost ? NULL : run;
        }
    }
    return NULL;
}

static bool asks_for_opt(const replay_request *o) {
    bool found = false;
    for (size_t i = 0; i < o->a.policy_count; i++) {
        found |= strcmp(o->a.policies[i].policy->name, "opt") == 0;
    }
    return found;
}

static void add_ratios(row *r, const replay_request *o, const gmmu_replay_run *run,
                       const gmmu_replay_run *opt, const gmmu_size *size, uint32_t distinct) {
    const gmmu_counts n = gmmu_sim_counts(run->sim);
    add(r, "size", WIDTH, value_text(size->text));
    const double percent =
        distinct == 0 ? 0 : 100.0 * (double)gmmu_sim_frames(run->sim) / (double)distinct;
    add(r, "percent", WIDTH, value_ratio(percent));
    add(r, "miss_ratio", WIDTH,
        value_ratio(n.accesses == 0 ? 0 : (double)n.faults / (double)n.accesses));
    if (asks_for_opt(o)) {
        const table_value none = {.kind = VALUE_NONE};
        const gmmu_counts best = opt == NULL ? (gmmu_counts){0} : gmmu_sim_counts(opt->sim);
        add(r, "faults_to_opt", WIDTH + 2, opt == NULL ? none : ratio(n.faults, best.faults));
        add(r, "evictions_to_opt", WIDTH + 5,
            opt == NULL ? none : ratio(n.evictions, best.evictions));
    }
}

// Trace, policy, frames, then the counts, with the distinct pages behind the accesses, and what
// options add.
static void fill(row *r, const replay_request *o, const char *trace, const gmmu_replay_run *runs,
                 size_t i, uint32_t distinct) {
    const gmmu_replay_run *run = &runs[i];
    const gmmu_counts counts = gmmu_sim_counts(run->sim);
    r->count = 0;
    add(r, "trace", 0, value_text(trace));
    add(r, "policy", NAME, value_text(run->label));
    add(r, "frames", WIDTH, value_number(gmmu_sim_frames(run->sim)));
    add(r, gmmu_count_columns[0].name, WIDTH,
        value_number(gmmu_count(&counts, &gmmu_count_columns[0])));
    add(r, "distinct", WIDTH, value_number(distinct));
    add_counts(r, &gmmu_count_columns[1], &counts, WIDTH);
    if (o->tiers) {
        const gmmu_tier_counts tiers = gmmu_sim_tier_counts(run->sim);
        add_counts(r, gmmu_tier_count_columns, &tiers, WIDTH + 3);
    }
    if (o->as_opt) {
        add(r, "as_opt", WIDTH, value_number(gmmu_sim_as_opt(run->sim)));
    }
    if (o->ratios) {
        const size_t j = i % o->a.size_count;
        add_ratios(r, o, run, opt_at(o, runs, j), &o->a.sizes[j], distinct);
    }
}

void replay_rows_print(replay_rows *r, const char *trace, const gmmu_replay_run *runs,
                       uint32_t distinct) {
    const replay_request *o = r->o;
    const bool is_table = o->a.format == FORMAT_TABLE;
    if (is_table) {
        (void)printf("%strace: %s\n", r->begun ? "\n" : "", trace);
    }
    bool named = false;  // this trace's table has its names
    for (size_t i = 0; i < o->a.policy_count * o->a.size_count; i++) {
        if (runs[i].lost) {
            continue;
        }
        row line = {.columns = r->columns};
        fill(&line, o, trace, runs, i, distinct);
        if (!r->begun) {
            table_open(&r->t, o->a.format, r->columns, line.count);
        }
        if (!o->no_header && (is_table ? !named : !r->begun)) {
            table_names(&r->t);
        }
        named = r->begun = true;
        table_row(&r->t, line.values, NULL);
    }
    (void)fflush(stdout);
}

void replay_rows_end(replay_rows *r) {
    if (r->begun) {
        table_end(&r->t);
    }
}
