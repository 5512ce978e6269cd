// SPDX-License-Identifier: Apache-2.0
// numbered_trace.h: a trace as policies take it, for their tests.
#ifndef GMMU_TB_NUMBERED_TRACE_H
#define GMMU_TB_NUMBERED_TRACE_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "policy/policy.h"
#include "policy/replay.h"

using Page = std::pair<uint32_t, uint64_t>;  // (asid, vpn), ordered as the last tie-break wants

// A trace with its pages numbered and its future.
class Numbered {
   public:
    explicit Numbered(std::vector<gmmu_walk> walks) : trace(std::move(walks)) {
        pages = gmmu_pages_create();
        for (const gmmu_walk &w : trace) {
            index.push_back(gmmu_pages_index(pages, w.asid, w.vpn));
        }
        future.count = trace.size();
        future.pages =
            static_cast<uint32_t *>(gmmu_grow(nullptr, 0, index.size() + 1, sizeof(uint32_t), 0));
        std::copy(index.begin(), index.end(), future.pages);
        EXPECT_EQ(gmmu_future_build(&future, gmmu_pages_count(pages)), GMMU_OK);
    }
    ~Numbered() {
        gmmu_future_free(&future);
        gmmu_pages_destroy(pages);
    }
    Numbered(const Numbered &) = delete;
    Numbered &operator=(const Numbered &) = delete;

    gmmu_sim *sim(const gmmu_policy *policy, uint32_t frames, const char *options = nullptr,
                  uint64_t seed = 1, uint32_t tier2 = 0) const {
        gmmu_policy_config config = {.frames = frames,
                                     .pages = pages,
                                     .future = &future,
                                     .options = options,
                                     .seed = seed,
                                     .watched = true,
                                     .tier2 = tier2};
        gmmu_error err = {};
        gmmu_sim *s = gmmu_sim_create(policy, &config, &err);
        EXPECT_NE(s, nullptr) << err.text;
        return s;
    }
    Page page(uint32_t i) const { return {gmmu_pages_asid(pages, i), gmmu_pages_number(pages, i)}; }
    uint32_t distinct() const { return gmmu_pages_count(pages); }

    std::vector<gmmu_walk> trace;
    std::vector<uint32_t> index;
    gmmu_pages *pages = nullptr;
    gmmu_future future = {};
};

#endif
