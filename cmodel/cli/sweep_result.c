// SPDX-License-Identifier: Apache-2.0
// sweep_result.c: see sweep_result.h.
#include "cli/sweep_result.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output.h"

static json_t *counts_of(const gmmu_count_column *columns, const void *counts) {
    json_t *all = json_object();
    for (const gmmu_count_column *c = columns; c->name != NULL; c++) {
        output_number(all, c->name, gmmu_count(counts, c));
    }
    return all;
}

static void add_run(json_t *object, const sweep_job *job, const gmmu_replay_run *run) {
    char note[1024];
    const gmmu_counts counts = gmmu_sim_counts(run->sim);
    const char *added = run->own_label == NULL ? "" : run->own_label + strlen(job->choice->label);
    (void)json_object_set_new(object, "added", output_text(added));
    output_number(object, "frames", gmmu_sim_frames(run->sim));
    output_number(object, "distinct", job->trace->distinct);
    (void)json_object_set_new(object, "counts", counts_of(gmmu_count_columns, &counts));
    if (job->tier2 != 0) {
        const gmmu_tier_counts tiers = gmmu_sim_tier_counts(run->sim);
        (void)json_object_set_new(object, "tiers", counts_of(gmmu_tier_count_columns, &tiers));
    }
    if (job->as_opt) {
        output_number(object, "as_opt", gmmu_sim_as_opt(run->sim));
    }
    if (gmmu_sim_note(run->sim, note, sizeof note)) {
        (void)json_object_set_new(object, "note", output_text(note));
    }
}

json_t *sweep_result_make(const sweep_job *job, const char *identity, const gmmu_replay_run *run,
                          const char *error) {
    json_t *object = json_object();
    output_number(object, "gmmu_sweep", 1);
    (void)json_object_set_new(object, "kind", json_string(error == NULL ? "row" : "error"));
    (void)json_object_set_new(object, "policy", output_text(job->choice->label));
    output_hex(object, "digest", job->trace->digest);
    output_number(object, "walks", job->trace->walks);
    output_number(object, "memory", job->frames);
    output_number(object, "tier2", job->tier2);
    output_number(object, "seed", job->seed);
    (void)json_object_set_new(object, "program", output_text(identity));
    if (error == NULL) {
        add_run(object, job, run);
    } else {
        (void)json_object_set_new(object, "error", output_text(error));
    }
    return object;
}

static bool take_number(const json_t *object, const char *name, uint64_t *value) {
    const json_t *found = json_object_get(object, name);
    *value = (uint64_t)json_integer_value(found);
    return json_is_integer(found);
}

static bool take_counts(const json_t *object, const gmmu_count_column *columns, void *counts) {
    bool good = json_is_object(object);
    for (const gmmu_count_column *c = columns; good && c->name != NULL; c++) {
        good = take_number(object, c->name, (uint64_t *)((char *)counts + c->offset));
    }
    return good;
}

static bool take_row(sweep_result *r) {
    uint64_t frames = 0;
    uint64_t distinct = 0;
    const json_t *tiers = json_object_get(r->object, "tiers");
    r->added = json_string_value(json_object_get(r->object, "added"));
    r->note = json_string_value(json_object_get(r->object, "note"));
    r->tiers = tiers != NULL;
    r->as_opt = take_number(r->object, "as_opt", &r->row.as_opt);
    const bool good =
        r->added != NULL && take_number(r->object, "frames", &frames) &&
        take_number(r->object, "distinct", &distinct) &&
        take_counts(json_object_get(r->object, "counts"), gmmu_count_columns, &r->row.counts) &&
        (tiers == NULL || take_counts(tiers, gmmu_tier_count_columns, &r->row.tiers));
    r->row.frames = (uint32_t)frames;
    r->row.distinct = (uint32_t)distinct;
    return good;
}

gmmu_store_state sweep_result_get(sweep_result *r, const gmmu_store *store, const char *key,
                                  gmmu_error *err) {
    *r = (sweep_result){0};
    const gmmu_store_state state = gmmu_store_get(store, "rows", key, &r->object, err);
    if (state != GMMU_STORE_THERE) {
        return state;
    }
    const char *kind = json_string_value(json_object_get(r->object, "kind"));
    r->error = json_string_value(json_object_get(r->object, "error"));
    r->failed = kind != NULL && strcmp(kind, "error") == 0 && r->error != NULL;
    if (r->failed || (kind != NULL && strcmp(kind, "row") == 0 && take_row(r))) {
        return GMMU_STORE_THERE;
    }
    (void)snprintf(err->text, sizeof err->text,
                   "rows/%s.json: found no row, expected one of kind row or error", key);
    return GMMU_STORE_CORRUPT;
}

void sweep_result_free(sweep_result *r) {
    json_decref(r->object);
    *r = (sweep_result){0};
}
