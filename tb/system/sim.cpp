// SPDX-License-Identifier: Apache-2.0
// sim.cpp: `make sim`: one test, a description in sim/tests/, on RTL and C model in lock-step.
//
// Its steps run in turn, each as its "kind" says (step.h). Exit status: 0 all equal, 1 mismatch, 2
// usage or bad input.
#include <jansson.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

#include "host/bad.h"
#include "options.h"
#include "report.h"
#include "step.h"
#include "unit.h"

namespace {

const Kind &kind_of(json_t *step) {
    const std::string name = text_of(step, "kind");
    return *std::find_if(std::begin(kinds), std::end(kinds),
                         [&name](const Kind &k) { return name == k.name; });
}

// All steps, before the first one runs.
void check(const std::string &file, json_t *test, const gmmu_config &cfg) {
    check_keys(test, {needed(text_key("summary")), needed(array_key("steps"))}, file);
    std::vector<std::string> names;
    for (const Kind &k : kinds) names.push_back(k.name);
    const Keys all = {needed(choice_key("kind", names)), truth_key("long")};
    size_t i;
    json_t *step;
    json_array_foreach(json_object_get(test, "steps"), i, step) {
        const std::string where = file + ": step " + std::to_string(i);
        check_key(step, all[0], where);
        check_keys(step, all + kind_of(step).keys(cfg), where);
    }
}

Row run_step(json_t *step, const gmmu_config &cfg, const Options &o, const std::string &where) {
    try {
        return kind_of(step).run(step, cfg, o);
    } catch (const Bad &b) {
        bad(where + ": " + b.text);
    }
}

// The JSON of a file. Jansson says "WHAT expected near TEXT", "WHAT near TEXT" or WHAT.
json_t *description(const std::string &file) {
    json_error_t e;
    json_t *test = json_load_file(file.c_str(), JSON_REJECT_DUPLICATES, &e);
    if (test != nullptr)
        return test;
    if (json_error_code(&e) == json_error_cannot_open_file)
        bad(file + ": found no such file, expected a description in JSON, as those of sim/tests");
    const std::string text = e.text, between = " expected near ";
    const size_t at = text.find(between);
    bad(file + ":" + std::to_string(e.line) + ": found " +
        (at == std::string::npos
             ? text + ", expected JSON"
             : text.substr(at + between.size()) + ", expected " + text.substr(0, at)));
}

// The numbers of the steps that run; of those left out, what is said.
std::vector<size_t> chosen(json_t *list, const Options &o) {
    std::vector<size_t> numbers;
    size_t i;
    json_t *step;
    json_array_foreach(list, i, step) {
        if (o.only >= 0 && static_cast<size_t>(o.only) != i)
            continue;
        if (o.quick && json_is_true(json_object_get(step, "long"))) {
            std::printf("step %zu is left out: long\n", i);
            continue;
        }
        if (!kind_of(step).cross_only || o.cross())
            numbers.push_back(i);
    }
    return numbers;
}

int run(const Options &o) {
    json_t *test = description(o.test);
    const gmmu_config &cfg = config_of_unit();
    check(o.test, test, cfg);
    json_t *list = json_object_get(test, "steps");
    const size_t steps = json_array_size(list);
    if (o.only >= 0 && static_cast<size_t>(o.only) >= steps)
        bad(o.test + ": found --step " + std::to_string(o.only) + ", expected 0 to " +
            std::to_string(steps - 1));
    const std::vector<size_t> numbers = chosen(list, o);
    if (numbers.empty())
        bad(o.test + ": no step to run");
    print_heading();
    std::vector<Row> rows;
    std::string red;
    for (size_t i : numbers) {
        json_t *step = json_array_get(list, i);
        json_t *few = json_object_get(step, "quick_limit");
        if (o.quick && few != nullptr)
            json_object_set(step, "limit", few);
        rows.push_back(run_step(step, cfg, o, o.test + ": step " + std::to_string(i)));
        print_row(rows.back(), o);
        if (rows.back().mismatches != 0) {
            red = "MISMATCH step " + std::to_string(i) + " cycle " +
                  std::to_string(rows.back().did.cycles) + ": " + rows.back().note;
            break;
        }
    }
    json_decref(test);
    print_end(rows);
    if (!red.empty())
        std::printf("%s\n", red.c_str());
    write_report(rows, o, cfg);
    return red.empty() ? 0 : 1;
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
