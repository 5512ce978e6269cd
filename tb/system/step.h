// SPDX-License-Identifier: Apache-2.0
// step.h: the kinds of steps that a description in sim/tests/ may have, one file each.
#pragma once
#include <jansson.h>

#include <cstdint>
#include <string>

#include "blocks/gmmu_tier.h"
#include "gmmu/trace.h"
#include "keys.h"
#include "options.h"
#include "report.h"

struct Kind {
    const char *name;                      // "kind" of the step
    Keys (*keys)(const gmmu_config &cfg);  // what else the step may have
    Row (*run)(json_t *step, const gmmu_config &cfg, const Options &o);
    bool cross_only;  // there is nothing to run with one side alone
};

// A page's priorities, against the exact rationals.
Keys example_keys(const gmmu_config &cfg);
Row run_example(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace, the unit at rest between walks.
Keys walks_keys(const gmmu_config &cfg);
Row run_walks(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace as a stream: walks and a late driver wait for nothing.
Keys stream_keys(const gmmu_config &cfg);
Row run_stream(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace behind a walker that replays and a driver to which faults take time.
Keys time_keys(const gmmu_config &cfg);
Row run_time(json_t *step, const gmmu_config &cfg, const Options &o);
// A recorded trace, HPE's driver chooses.
Keys hpe_keys(const gmmu_config &cfg);
Row run_hpe(json_t *step, const gmmu_config &cfg, const Options &o);

constexpr Kind kinds[] = {
    {"example", example_keys, run_example, true},
    {"walks", walks_keys, run_walks, false},
    {"stream", stream_keys, run_stream, false},
    {"time", time_keys, run_time, false},
    {"hpe", hpe_keys, run_hpe, false},
};

// ---- for all of them
std::string text_of(json_t *o, const char *key);
uint64_t number_of(json_t *o, const char *key, uint64_t otherwise);
// A recorded walk as the walker sends it, without what a look into the book says.
gmmu_tier_walk_in walk_of(const gmmu_walk &walk, const gmmu_config &cfg);
