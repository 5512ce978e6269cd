// SPDX-License-Identifier: Apache-2.0
// sim.cpp: `make sim`: one test, a description in sim/tests/, on RTL and C model in lock-step.
//
// Its steps run in turn, each as its "kind" says (step.h). Exit status: 0 all equal, 1 mismatch, 2
// usage or bad input.
#include <jansson.h>

#include <cinttypes>
#include <cstdio>
#include <vector>

#include "host/bad.h"
#include "options.h"
#include "report.h"
#include "step.h"
#include "unit.h"

namespace {

const Kind &kind_of(json_t *step) {
    const std::string name = text_of(step, "kind");
    for (const Kind &k : kinds)
        if (name == k.name)
            return k;
    std::string all;
    for (const Kind &k : kinds) all += std::string(all.empty() ? "" : ", ") + k.name;
    bad("step: found kind \"" + name + "\", expected one of " + all);
}

int run(const Options &o) {
    json_error_t je;
    json_t *test = json_load_file(o.test.c_str(), 0, &je);
    if (test == nullptr)
        bad(o.test + ":" + std::to_string(je.line) + ": " + je.text);
    const gmmu_config &cfg = config_of_build();
    std::vector<Row> rows;
    bool equal = true;
    size_t i;
    json_t *step;
    json_array_foreach(json_object_get(test, "steps"), i, step) {
        if (o.only >= 0 && static_cast<size_t>(o.only) != i)
            continue;
        if (o.quick && json_is_true(json_object_get(step, "long"))) {
            std::printf("step %zu is left out: long\n", i);
            continue;
        }
        json_t *few = json_object_get(step, "quick_limit");
        if (o.quick && few != nullptr)
            json_object_set(step, "limit", few);
        const Kind &kind = kind_of(step);
        if (kind.cross_only && !o.cross())
            continue;
        rows.push_back(kind.run(step, cfg, o));
        if (rows.back().mismatches != 0) {
            equal = false;
            std::printf("MISMATCH step %zu cycle %" PRIu64 ": %s\n", i, rows.back().did.cycles,
                        rows.back().note.c_str());
            break;
        }
    }
    json_decref(test);
    if (rows.empty())
        bad(o.test + ": no step to run");
    print_table(rows, o);
    write_report(rows, o, cfg);
    return equal ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    Options o;
    if (!parse_options(argc, argv, &o))
        return 2;
    try {
        return run(o);
    } catch (const Bad &b) {
        std::fprintf(stderr, "sim: %s\n", b.text.c_str());
        return 2;
    }
}
