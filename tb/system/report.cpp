// SPDX-License-Identifier: Apache-2.0
// report.cpp: what a step came to, as a table and as JSON.
#include "report.h"

#include <jansson.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "host/bad.h"

namespace {

// What a run without the other side cannot say.
std::string mismatches_of(const Row &r, const Options &o) {
    return o.cross() ? std::to_string(r.mismatches) : "-";
}

void print_evictions(const std::vector<Row> &rows) {
    const Row *last = nullptr;
    const auto alike = [](const auto &a, const auto &b) { return a.first == b.first; };
    for (const Row &r : rows) {
        const auto &counts = r.evictions;
        if (counts.size() < 2)
            continue;
        // a head for each set of policies
        if (last == nullptr || !std::equal(counts.begin(), counts.end(), last->evictions.begin(),
                                           last->evictions.end(), alike)) {
            std::printf("\n%-46s", "evictions");
            for (const auto &e : counts) std::printf(" %10s", e.first.c_str());
            std::printf("\n");
        }
        last = &r;
        std::printf("%-46s", r.step.c_str());
        for (const auto &e : r.evictions) std::printf(" %10" PRIu64, e.second);
        std::printf("\n");
    }
    std::printf("\n");
}

json_t *integer(uint64_t n) {
    return json_integer(static_cast<json_int_t>(n));
}

json_t *json_of(const Row &r) {
    json_t *e = json_object();
    for (const auto &x : r.evictions) json_object_set_new(e, x.first.c_str(), integer(x.second));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:s, s:o}", "step",
                     r.step.c_str(), "events", integer(r.events), "cycles", integer(r.did.cycles),
                     "actions", integer(r.did.actions()), "candidates", integer(r.did.cands),
                     "decisions", integer(r.did.decisions), "refreshes", integer(r.did.installs),
                     "faults", integer(r.faults), "longest_search", integer(r.did.longest_search),
                     "mismatches", integer(r.mismatches), "seconds", r.seconds, "note",
                     r.note.c_str(), "evictions", e);
}

}  // namespace

void print_heading() {
    std::printf("\n%-46s %9s %10s %9s %8s %10s\n", "step", "events", "cycles", "decisions",
                "faults", "mismatches");
    std::fflush(stdout);
}

void print_row(const Row &r, const Options &o) {
    std::string name = r.step;
    if (name.size() > 46)
        name = name.substr(0, 43) + "...";
    std::printf("%-46s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %8" PRIu64 " %10s\n", name.c_str(),
                r.events, r.did.cycles, r.did.decisions, r.faults, mismatches_of(r, o).c_str());
    if (!r.note.empty())
        std::printf("    %s\n", r.note.c_str());
    std::fflush(stdout);
}

void print_end(const std::vector<Row> &rows) {
    uint64_t events = 0, mismatches = 0;
    for (const Row &r : rows) {
        events += r.events;
        mismatches += r.mismatches;
    }
    std::printf("%-46s %9" PRIu64 " %*s %10" PRIu64 "\n", "all", events, 29, "", mismatches);
    print_evictions(rows);
}

void write_report(const std::vector<Row> &rows, const Options &o, const gmmu_config &cfg) {
    json_t *list = json_array();
    for (const Row &r : rows) json_array_append_new(list, json_of(r));
    json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:o}", "test", o.test.c_str(), "config", cfg.name,
                            "mode", o.mode.c_str(), "seed", integer(o.seed), "steps", list);
    const std::string path = o.out + "/report.json";
    if (json_dump_file(all, path.c_str(), JSON_INDENT(2)) != 0)
        bad(path + ": cannot be written");
    json_decref(all);
}
