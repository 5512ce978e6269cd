// SPDX-License-Identifier: Apache-2.0
// compare.h: policy `leu2` beside the slow model, victim by victim.
#ifndef GMMU_TB_LEU2_COMPARE_H
#define GMMU_TB_LEU2_COMPARE_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "slow_leu2.h"

struct Freer {
    void operator()(gmmu_sim *s) const { gmmu_sim_destroy(s); }
    void operator()(gmmu_pages *p) const { gmmu_pages_destroy(p); }
};

// A replay of one policy.
class Fast {
   public:
    Fast(const char *policy, const std::string &options, uint32_t frames)
        : pages_(gmmu_pages_create()) {
        const gmmu_policy_config config = {
            .frames = frames, .pages = pages_.get(), .options = options.c_str(), .seed = 1};
        gmmu_error err = {};
        sim_.reset(
            gmmu_sim_create(gmmu_policy_find(policy, std::string(policy).size()), &config, &err));
        EXPECT_NE(sim_, nullptr) << err.text;
    }
    std::optional<Page> walk(const gmmu_walk &w) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim_.get(), gmmu_pages_index(pages_.get(), w.asid, w.vpn), &w,
                                  &out, &err),
                  GMMU_OK)
            << err.text;
        if (gmmu_outcome_victim(&out) == GMMU_NO_PAGE) {
            return std::nullopt;
        }
        return Page{gmmu_pages_asid(pages_.get(), gmmu_outcome_victim(&out)),
                    gmmu_pages_number(pages_.get(), gmmu_outcome_victim(&out))};
    }
    std::string note() const {
        char text[256] = "";
        EXPECT_TRUE(gmmu_sim_note(sim_.get(), text, sizeof text));
        return text;
    }
    uint64_t noted(const std::string &key) const {
        const std::string text = note();
        return std::stoull(text.substr(text.find(key + "=") + key.size() + 1));
    }

   private:
    std::unique_ptr<gmmu_pages, Freer> pages_;
    std::unique_ptr<gmmu_sim, Freer> sim_;
};

inline std::vector<std::optional<Page>> victims(const std::vector<gmmu_walk> &trace,
                                                const char *policy, const std::string &options,
                                                uint32_t frames) {
    Fast fast(policy, options, frames);
    std::vector<std::optional<Page>> all;
    for (const gmmu_walk &w : trace) {
        all.push_back(fast.walk(w));
    }
    return all;
}

struct Totals {
    uint64_t walks = 0, victims = 0, labels = 0, dropped = 0, lost = 0, forgotten = 0, at_limit = 0;
};

inline void compare(const std::vector<gmmu_walk> &trace, const Options &o, uint32_t frames,
                    Totals *sum) {
    Fast fast("leu2", o.text(), frames);
    Slow slow(o, frames);
    for (size_t i = 0; i < trace.size(); i++) {
        const auto expected = slow.walk(trace[i]);
        const auto found = fast.walk(trace[i]);
        ASSERT_EQ(found, expected) << o.text() << ", " << frames << " frames, walk " << i + 1;
        sum->victims += expected ? 1 : 0;
    }
    EXPECT_EQ(fast.noted("labels"), slow.count);
    EXPECT_EQ(fast.noted("dropped"), slow.dropped);
    EXPECT_EQ(fast.noted("lost"), slow.lost);
    EXPECT_LE(fast.noted("heaviest"), 511U);
    sum->walks += trace.size();
    sum->labels += slow.count;
    sum->dropped += slow.dropped;
    sum->lost += slow.lost;
    sum->forgotten += slow.forgotten;
    sum->at_limit += slow.at_limit;
}

inline void print(const char *what, const Totals &t) {
    std::printf(
        "[ vectors  ] %s: %llu walks, %llu victims, %llu labels, %llu samples dropped, %llu lost\n",
        what, static_cast<unsigned long long>(t.walks), static_cast<unsigned long long>(t.victims),
        static_cast<unsigned long long>(t.labels), static_cast<unsigned long long>(t.dropped),
        static_cast<unsigned long long>(t.lost));
}

// GMMU_LONG (make conformance): more of the same, and a clock that comes round.
inline bool at_length() {
    return std::getenv("GMMU_LONG") != nullptr;
}

#endif
