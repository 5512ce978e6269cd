// SPDX-License-Identifier: Apache-2.0
// explain_series.c: see explain_series.h.
#include "cli/explain_series.h"

#include <stdio.h>

#include "cli/explain_hints.h"

enum { OWN = 4, COLUMNS = OWN + GMMU_MOST_FACTS };

static void print_row(const table *t, const gmmu_sim *sim, uint64_t walks) {
    gmmu_fact facts[GMMU_MOST_FACTS];
    const size_t count = gmmu_sim_facts(sim, facts);
    const gmmu_counts counts = gmmu_sim_counts(sim);
    table_value values[COLUMNS] = {value_number(walks), value_number(gmmu_sim_frames(sim)),
                                   value_number(counts.faults), value_number(counts.evictions)};
    for (size_t i = 0; i < count; i++) {
        values[OWN + i] = fact_value(&facts[i]);
    }
    table_row(t, values, NULL);
}

// Replays the next walk; as gmmu_source_next.
static int replay(gmmu_source *source, gmmu_pages *pages, gmmu_sim *sim, gmmu_error *err) {
    gmmu_walk walk;
    gmmu_outcome out;
    const int status = gmmu_source_next(source, &walk, err);
    if (status != GMMU_OK) {
        return status;
    }
    size_t hint_count;
    (void)explain_give_hints(source, sim, &hint_count);
    const uint32_t page = gmmu_pages_index(pages, walk.asid, walk.vpn);
    if (page == GMMU_NO_PAGE) {
        return gmmu_policy_no_memory("page map", err);
    }
    return gmmu_sim_access(sim, page, &walk, &out, err);
}

bool explain_series(const shared_arguments *a, uint64_t every, gmmu_source *source,
                    gmmu_pages *pages, gmmu_sim *sim, gmmu_error *err) {
    gmmu_fact facts[GMMU_MOST_FACTS];
    const size_t count = gmmu_sim_facts(sim, facts);
    if (count == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "--every: found policy %s, expected one that decides by numbers of its own, "
                       "as leu:protect=217",
                       a->policies[0].label);
        return false;
    }
    table_column columns[COLUMNS] = {
        {"walks", 12}, {"frames", 12}, {"faults", 12}, {"evictions", 12}};
    for (size_t i = 0; i < count; i++) {
        columns[OWN + i] = (table_column){facts[i].name, 15};
    }
    table t;
    table_begin(&t, a->format, columns, OWN + count);
    uint64_t walks = 0;
    int status = replay(source, pages, sim, err);
    while (status == GMMU_OK) {
        if (++walks % every == 0) {
            print_row(&t, sim, walks);
        }
        status = replay(source, pages, sim, err);
    }
    if (status != GMMU_END) {
        json_decref(t.rows);
        return false;
    }
    if (walks % every != 0) {
        print_row(&t, sim, walks);
    }
    table_end(&t);
    return true;
}
