// SPDX-License-Identifier: Apache-2.0
// walks.cpp: what the steps on a recorded trace are told, and the registers that come of it.
#include "walks.h"

#include <algorithm>
#include <cstring>

#include "host/bad.h"

Keys trace_keys(const gmmu_config &cfg) {
    const uint64_t time = (1ull << cfg.time_w) - 1;
    return {needed(text_key("walks")),
            needed(frames_key("frames")),
            number_key("limit", 1),
            number_key("quick_limit", 1),
            choice_key("search", {"scan", "sample", "clock"}),
            number_key("feed", 0, 1),
            number_key("censor", 0, 1),
            number_key("protect", 0, 255),
            number_key("tier", 0, 4),
            number_key("tier2", 1, UINT16_MAX),
            number_key("full", 0, 1),
            number_key("tie", 0, 1),
            number_key("by_chance", 0, 1),
            number_key("near", 0, time),
            number_key("far", 0, time)};
}

Keys recorded_keys(const gmmu_config &cfg, const Keys &of_the_host) {
    const Keys host = {number_key("batch", 1, cfg.ritq), number_key("faults", 0, 1),
                       number_key("wait", 0, 15), number_key("ready", 1, 1000), truth_key("duel")};
    return trace_keys(cfg) + Keys{object_key("rit", host + of_the_host)};
}

// "tier": cfg_tier, with Tier 2 as many times as large as memory as "tier2" says.
void Walks::tiers(json_t *j, const gmmu_config &cfg) {
    regs.tier = static_cast<uint32_t>(number_of(j, "tier", 0));
    if (regs.tier == 0)
        return;
    regs.t2_slots =
        std::min(cfg.t2_slots, static_cast<uint32_t>(regs.frames * number_of(j, "tier2", 4)));
    regs.t2_full = static_cast<uint32_t>(number_of(j, "full", regs.t2_full));
    regs.tie = static_cast<uint32_t>(number_of(j, "tie", regs.tie));
    regs.tier_default = static_cast<uint32_t>(number_of(j, "by_chance", 0));
    regs.tier_near = static_cast<uint32_t>(number_of(j, "near", 0));
    regs.tier_far = static_cast<uint32_t>(number_of(j, "far", 0));
    regs.tier_model = regs.tier_far != 0;
}

Walks::Walks(json_t *j, const gmmu_config &cfg)
    : trace(text_of(j, "walks")),
      regs(gmmu_regs_default(&cfg)),
      latency(number_of(j, "latency", 1)),
      gap(number_of(j, "gap", 1)),
      limit(number_of(j, "limit", UINT64_MAX)),
      shares(number_of(j, "shares", 0)),
      rit(json_object_get(j, "rit")) {
    regs.frames = row.memory(trace.frames(text_of(j, "frames")), cfg.frames);
    const char *search = json_string_value(json_object_get(j, "search"));
    if (search != nullptr)
        regs.search = std::strcmp(search, "sample") == 0  ? GMMU_SEARCH_SAMPLE
                      : std::strcmp(search, "clock") == 0 ? GMMU_SEARCH_CLOCK
                                                          : GMMU_SEARCH_SCAN;
    regs.feed = static_cast<uint32_t>(number_of(j, "feed", regs.feed));
    regs.censor = static_cast<uint32_t>(number_of(j, "censor", regs.censor));
    regs.protect = static_cast<uint32_t>(number_of(j, "protect", regs.protect));
    if (rit != nullptr) {
        regs.rit_batch = static_cast<uint32_t>(number_of(rit, "batch", cfg.ritq));
        regs.rit_fault = static_cast<uint32_t>(number_of(rit, "faults", 1));
        regs.rit_wait = static_cast<uint32_t>(number_of(rit, "wait", regs.rit_wait));
        if (json_is_true(json_object_get(rit, "duel")) && json_is_true(json_object_get(rit, "gmt")))
            bad("\"rit\": found both \"duel\" and \"gmt\", expected one of them");
        rit_ready = static_cast<unsigned>(number_of(rit, "ready", 1000));
    }
    tiers(j, cfg);
    row.step =
        trace.name() + ", " + std::to_string(regs.frames) + " of " +
        std::to_string(trace.distinct) + " pages" +
        (regs.search == GMMU_SEARCH_SAMPLE ? ", sample" : "") +
        (regs.search == GMMU_SEARCH_CLOCK ? ", clock" : "") +
        (json_object_get(j, "latency") ? ", latency" : "") + (regs.feed ? ", fed by hits" : "") +
        (regs.tier
             ? ", " + std::to_string(regs.t2_slots) + " slots, tier " + std::to_string(regs.tier)
             : "") +
        (regs.protect ? ", protect " + std::to_string(regs.protect) : "") +
        (shares ? ", shares" : "");
}
