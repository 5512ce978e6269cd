// SPDX-License-Identifier: Apache-2.0
// sweep_table.c: see sweep_table.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf
#endif
#include "cli/sweep_table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/sweep_result.h"

// A line whose job does not belong to the request's shard. A line without a job is in every shard.
static bool is_other(const sweep_request *o, const sweep_jobs *jobs, const sweep_line *line) {
    return line->problem == NULL && jobs->jobs[line->job].shard != o->shard;
}

sweep_tally sweep_look(const sweep_request *o, sweep_jobs *jobs, const gmmu_store *store) {
    sweep_tally tally = {0};
    for (size_t i = 0; i < jobs->job_count; i++) {
        sweep_job *job = &jobs->jobs[i];
        sweep_result result;
        gmmu_error err;
        if (job->shard != o->shard) {
            continue;
        }
        const gmmu_store_state state = sweep_result_get(&result, store, job->key, &err);
        job->state = state != GMMU_STORE_THERE ? SWEEP_MISSING
                     : result.failed           ? SWEEP_ERROR
                                               : SWEEP_DONE;
        if (state == GMMU_STORE_CORRUPT) {
            (void)fprintf(stderr, "gmmu sweep: %s\n", err.text);
        }
        sweep_result_free(&result);
    }
    for (size_t i = 0; i < jobs->line_count; i++) {
        const sweep_line *line = &jobs->lines[i];
        if (is_other(o, jobs, line)) {
            continue;
        }
        tally.all++;
        if (line->problem != NULL) {
            tally.failed++;
            continue;
        }
        const sweep_job *job = &jobs->jobs[line->job];
        tally.done += job->state == SWEEP_DONE ? 1 : 0;
        tally.failed += job->state == SWEEP_ERROR ? 1 : 0;
        tally.missing += job->state == SWEEP_MISSING ? 1 : 0;
    }
    return tally;
}

// ---- the list
enum { LIST_COLUMNS = 10 };

static table_value text_or_none(const char *text) {
    return text == NULL ? (table_value){.kind = VALUE_NONE} : value_text(text);
}

static void list_line(const sweep_request *o, const sweep_jobs *jobs, const sweep_line *line,
                      const gmmu_store *store, table *t) {
    const table_value none = {.kind = VALUE_NONE};
    const sweep_job *job = line->problem == NULL ? &jobs->jobs[line->job] : NULL;
    char who[128] = "";
    sweep_result result = {0};
    const char *state = "unreadable";
    const char *remark = line->problem;
    gmmu_error ignored;
    if (job != NULL) {
        state = job->state == SWEEP_DONE ? "done" : job->state == SWEEP_ERROR ? "error" : "missing";
        if (job->state == SWEEP_ERROR) {
            (void)sweep_result_get(&result, store, job->key, &ignored);
            remark = result.error;
        } else if (job->state == SWEEP_MISSING &&
                   gmmu_store_claimed(store, job->key, (unsigned)o->lease, who, sizeof who)) {
            state = "running";
            remark = who;
        }
    }
    const table_value values[LIST_COLUMNS] = {job == NULL ? none : value_text(job->key),
                                              value_text(state),
                                              job == NULL ? none : value_ratio(job->cost),
                                              job == NULL ? none : value_number(job->shard),
                                              value_text(line->name),
                                              text_or_none(line->setting->name),
                                              value_text(line->choice->label),
                                              value_text(line->size->text),
                                              job == NULL ? none : value_number(job->frames),
                                              text_or_none(remark)};
    table_row(t, values, NULL);
    sweep_result_free(&result);
}

void sweep_print_list(const sweep_request *o, const sweep_jobs *jobs, const gmmu_store *store) {
    static const table_column columns[LIST_COLUMNS] = {
        {"key", -32},           {"state", -10},  {"seconds", 12}, {"shard", 5},   {"trace", -28},
        {"configuration", -13}, {"policy", -16}, {"size", 8},     {"frames", 10}, {"remark", 1}};
    table t;
    table_open(&t, o->a.format, columns, LIST_COLUMNS);
    if (!o->no_header) {
        table_names(&t);
    }
    for (size_t i = 0; i < jobs->line_count; i++) {
        if (!is_other(o, jobs, &jobs->lines[i])) {
            list_line(o, jobs, &jobs->lines[i], store, &t);
        }
    }
    table_end(&t);
}

// ---- the results
static bool is_opt(const gmmu_choice *p) {
    return strcmp(p->policy->name, "opt") == 0;
}

static replay_shape shape_of(const sweep_request *o, const sweep_plan *plan) {
    replay_shape s = {.ratios = o->ratios, .notes = o->notes};
    for (size_t i = 0; i < plan->count; i++) {
        const sweep_matrix *m = &plan->matrices[i];
        for (size_t k = 0; k < m->setting_count; k++) {
            s.configured |= m->settings[k].name != NULL;
            s.tiers |= m->settings[k].tiers;
            s.as_opt |= m->settings[k].as_opt;
        }
        for (size_t k = 0; k < m->policy_count; k++) {
            s.to_opt |= is_opt(&m->policies[k]);
        }
    }
    return s;
}

static bool is_beside(const sweep_line *a, const sweep_line *b) {
    return a->matrix == b->matrix && a->name == b->name && a->trace == b->trace &&
           a->problem == NULL;
}

// The job of OPT at the size and with the trace of line I: of the same configuration, or of another
// that changes nothing for OPT. SIZE_MAX: there is none.
static size_t opt_of(const sweep_jobs *jobs, size_t i) {
    const sweep_line *line = &jobs->lines[i];
    size_t found = SIZE_MAX;
    size_t first = i;
    while (first != 0 && jobs->lines[first - 1].matrix == line->matrix &&
           jobs->lines[first - 1].name == line->name) {
        first--;
    }
    for (size_t k = first; k < jobs->line_count && jobs->lines[k].matrix == line->matrix &&
                           jobs->lines[k].name == line->name;
         k++) {
        const sweep_line *other = &jobs->lines[k];
        if (is_beside(other, line) && other->size == line->size && is_opt(other->choice) &&
            (found == SIZE_MAX || other->setting == line->setting)) {
            found = other->job;
        }
    }
    return found;
}

typedef struct {
    table t;
    replay_row row;
    bool begun;
    const char *trace;  // of the last row
} printing;

static void print_row(printing *p, const sweep_request *o) {
    const bool is_table = o->a.format == FORMAT_TABLE;
    const char *trace = p->row.values[0].text;
    const bool other = p->trace == NULL || strcmp(p->trace, trace) != 0;
    if (is_table && other) {
        (void)printf("%strace: %s\n", p->begun ? "\n" : "", trace);
    }
    if (!p->begun) {
        table_open(&p->t, o->a.format, p->row.columns, p->row.count);
    }
    if (!o->no_header && (is_table ? other : !p->begun)) {
        table_names(&p->t);
    }
    p->begun = true;
    p->trace = trace;
    table_row(&p->t, p->row.values, NULL);
}

static bool print_line(printing *p, const sweep_request *o, const replay_shape *shape,
                       const sweep_jobs *jobs, size_t i, const gmmu_store *store, gmmu_error *err) {
    const sweep_line *line = &jobs->lines[i];
    sweep_result result;
    sweep_result best = {0};
    char *label = NULL;
    if (sweep_result_get(&result, store, jobs->jobs[line->job].key, err) != GMMU_STORE_THERE ||
        result.failed) {
        sweep_result_free(&result);
        (void)snprintf(err->text, sizeof err->text, "a result that was there is gone: rows/%s.json",
                       jobs->jobs[line->job].key);
        return false;
    }
    gmmu_error ignored;
    const size_t opt = shape->ratios ? opt_of(jobs, i) : SIZE_MAX;
    const bool bested =
        opt != SIZE_MAX &&
        sweep_result_get(&best, store, jobs->jobs[opt].key, &ignored) == GMMU_STORE_THERE &&
        !best.failed;
    const char *given = line->choice->label;
    const char *added = result.added;
    const size_t length = strlen(given);
    added += *added == ':' && length != 0 && given[length - 1] == ':' ? 1 : 0;
    bool good = asprintf(&label, "%s%s", given, added) >= 0;
    if (good) {
        result.row.label = label;
        const replay_beside beside = {.trace = line->name,
                                      .configuration = line->setting->name,
                                      .size = line->size->text,
                                      .note = result.note,
                                      .tiers = result.tiers,
                                      .as_opt = result.as_opt,
                                      .opt = bested ? &best.row : NULL};
        replay_row_fill(&p->row, shape, &result.row, &beside);
        print_row(p, o);
    } else {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
    }
    free(label);
    sweep_result_free(&result);
    sweep_result_free(&best);
    return good;
}

bool sweep_print_results(const sweep_request *o, const sweep_jobs *jobs, const sweep_plan *plan,
                         const gmmu_store *store, gmmu_error *err) {
    const replay_shape shape = shape_of(o, plan);
    printing p = {.begun = false};
    bool good = true;
    for (size_t i = 0; good && i < jobs->line_count; i++) {
        const sweep_line *line = &jobs->lines[i];
        if (line->problem == NULL && !is_other(o, jobs, line) &&
            jobs->jobs[line->job].state == SWEEP_DONE) {
            good = print_line(&p, o, &shape, jobs, i, store, err);
        }
    }
    if (good && !p.begun && o->a.format == FORMAT_JSON) {
        table_open(&p.t, FORMAT_JSON, p.row.columns, 0);
        p.begun = true;
    }
    if (p.begun) {
        table_end(&p.t);
    }
    return good;
}
