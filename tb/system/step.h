// SPDX-License-Identifier: Apache-2.0
// step.h: the kinds of steps that a description in sim/tests/ may have, one file each.
#pragma once
#include <jansson.h>

#include <cstdint>
#include <string>

#include "blocks/gmmu_tier.h"
#include "gmmu/trace.h"
#include "options.h"
#include "report.h"

struct Kind {
    const char *name;  // "kind" of the step
    Row (*run)(json_t *step, const gmmu_config &cfg, const Options &o);
    bool cross_only;  // there is nothing to run with one side alone
};

// A page's priorities, against the exact rationals.
Row run_example(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace, the unit at rest between walks.
Row run_walks(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace as a stream: walks and a late driver wait for nothing.
Row run_stream(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace, HPE's driver chooses.
Row run_hpe(json_t *step, const gmmu_config &cfg, const Options &o);

constexpr Kind kinds[] = {
    {"example", run_example, true},
    {"walks", run_walks, false},
    {"stream", run_stream, false},
    {"hpe", run_hpe, false},
};

// ---- for all of them
std::string text_of(json_t *o, const char *key);
uint64_t number_of(json_t *o, const char *key, uint64_t otherwise);
// A recorded walk as the walker sends it, without what a look into the book says.
gmmu_tier_walk_in walk_of(const gmmu_walk &walk, const gmmu_config &cfg);
