// SPDX-License-Identifier: Apache-2.0
// replay_rows.c: see replay_rows.h.
#include "cli/replay_rows.h"

#include <stdio.h>
#include <string.h>

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

static replay_result result_of(const gmmu_replay_run *run, uint32_t distinct) {
    return (replay_result){.label = run->label,
                           .frames = gmmu_sim_frames(run->sim),
                           .distinct = distinct,
                           .counts = gmmu_sim_counts(run->sim),
                           .tiers = gmmu_sim_tier_counts(run->sim),
                           .as_opt = gmmu_sim_as_opt(run->sim)};
}

static void fill(replay_row *r, const replay_request *o, const char *trace,
                 const gmmu_replay_run *runs, size_t i, uint32_t distinct) {
    const replay_shape shape = {
        .tiers = o->tiers, .as_opt = o->as_opt, .ratios = o->ratios, .to_opt = asks_for_opt(o)};
    const size_t j = i % o->a.size_count;
    const replay_result result = result_of(&runs[i], distinct);
    const gmmu_replay_run *opt = opt_at(o, runs, j);
    const replay_result best = opt == NULL ? (replay_result){0} : result_of(opt, distinct);
    const replay_beside beside = {.trace = trace,
                                  .size = o->a.sizes[j].text,
                                  .tiers = o->tiers,
                                  .as_opt = o->as_opt,
                                  .opt = opt == NULL ? NULL : &best};
    replay_row_fill(r, &shape, &result, &beside);
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
        replay_row *line = &r->row;
        fill(line, o, trace, runs, i, distinct);
        if (!r->begun) {
            table_open(&r->t, o->a.format, line->columns, line->count);
        }
        if (!o->no_header && (is_table ? !named : !r->begun)) {
            table_names(&r->t);
        }
        named = r->begun = true;
        table_row(&r->t, line->values, NULL);
    }
    (void)fflush(stdout);
}

void replay_rows_end(replay_rows *r) {
    if (r->begun) {
        table_end(&r->t);
    }
}
