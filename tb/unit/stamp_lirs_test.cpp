// SPDX-License-Identifier: Apache-2.0
// stamp_lirs_test.cpp: LIRS by time stamps (stamp_lirs.h) is policy `lirs`, victim by victim; and
// how many evictions each step away from it, to the protected segment, costs.
//
// State space: random traces of five shapes, 1 to 60 walks over 1 to 14 pages, and of 2500 over
// 200; ten recorded ones. Parameter space: every memory size from 1 to one more than the distinct
// pages, of the recorded ones 25, 50, 75 %; hir= 0, 1, 10, 50, 100 %. GMMU_LONG: all recorded
// traces, and the table of docs/reference/blocks/segment.md.
#include "stamp_lirs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"

namespace {

// The frames that LIRS gives to LIR pages.
uint32_t lir_frames(uint32_t frames, uint32_t hir) {
    return frames - std::max(1u, static_cast<uint32_t>(uint64_t{frames} * hir / 100));
}

// Replays both side by side. Returns the evictions, and in *walks the walks up to a difference.
uint64_t compare(const Numbered &n, uint32_t frames, uint32_t hir, StampLirs::Departures d,
                 size_t *walks) {
    gmmu_sim *sim = n.sim(&gmmu_policy_lirs, frames, ("hir=" + std::to_string(hir)).c_str());
    StampLirs stamps(frames, lir_frames(frames, hir), n.distinct(), d);
    uint64_t evictions = 0;
    size_t &t = *walks;
    for (t = 0; t < n.trace.size(); t++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        const uint32_t victim = stamps.access(n.index[t]);
        evictions += victim != StampLirs::NOBODY;
        static_assert(StampLirs::NOBODY == GMMU_NO_PAGE, "nobody is nobody");
        if (victim != gmmu_outcome_victim(&out))
            break;
    }
    gmmu_sim_destroy(sim);
    return evictions;
}

void expect_equal(const Numbered &n, uint32_t frames, uint32_t hir, uint64_t *evictions) {
    size_t walks = 0;
    *evictions += compare(n, frames, hir, {}, &walks);
    ASSERT_EQ(walks, n.trace.size()) << frames << " frames, hir=" << hir;
}

constexpr uint32_t shares[] = {0, 1, 10, 50, 100};

TEST(StampLirs, IsLirsOnRandomTraces) {
    RandomTrace random(test_seed());
    uint64_t evictions = 0;
    for (int i = 0; i < 3000 && !HasFatalFailure(); i++) {
        const Numbered n(random.make(1 + random.below(60), 1 + random.below(i % 8 == 0 ? 14 : 7)));
        for (uint32_t frames = 1; frames <= n.distinct() + 1 && !HasFatalFailure(); frames++)
            expect_equal(n, frames, shares[random.below(5)], &evictions);
    }
    for (int i = 0; i < 20 && !HasFatalFailure(); i++) {
        const Numbered n(random.make(2500, 20 + random.below(200)));
        for (uint32_t hir : shares)
            expect_equal(n, 1 + static_cast<uint32_t>(random.below(n.distinct())), hir, &evictions);
    }
    EXPECT_GT(evictions, 100000u);
    std::printf("[ vectors  ] %llu evictions\n", static_cast<unsigned long long>(evictions));
}

// Each departure alone is none of LIRS: the comparison would find it.
TEST(StampLirs, IsLirsWithoutDepartureOnly) {
    for (const StampLirs::Departures d :
         {StampLirs::Departures{true, false, false}, StampLirs::Departures{false, true, false},
          StampLirs::Departures{false, true, true}}) {
        RandomTrace random(test_seed());
        unsigned differ = 0;
        for (int i = 0; i < 200; i++) {
            const Numbered n(random.make(200, 20));
            size_t walks = 0;
            (void)compare(n, 10, 20, d, &walks);
            differ += walks != n.trace.size();
        }
        EXPECT_GT(differ, 50u) << d.by_last_access << d.late << d.follows;
    }
}

// ---- recorded traces

std::string folder() {
    const char *root = std::getenv("GMMU_ROOT");
    return std::string(root != nullptr ? root : ".") + "/sim/traces";
}

std::vector<gmmu_walk> read_trace(const std::string &path) {
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    std::vector<gmmu_walk> walks;
    for (gmmu_walk w; r != nullptr && gmmu_reader_next(r, &w, &err) == GMMU_OK;) walks.push_back(w);
    gmmu_reader_close(r);
    return walks;
}

bool long_test() {
    return std::getenv("GMMU_LONG") != nullptr;
}

// All of sim/traces, by name.
std::vector<std::string> all_traces() {
    std::vector<std::string> all;
    for (const auto &e : std::filesystem::directory_iterator(folder()))
        if (e.path().extension() == ".walk" || e.path().extension() == ".gwt")
            all.push_back(e.path().filename().string());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all.size(), 39u);
    return all;
}

TEST(StampLirs, IsLirsOnRecordedTraces) {
    uint64_t evictions = 0;
    const std::vector<std::string> some = {"2dconv.walk", "2mm.gwt",   "bfs.walk",    "bicg.gwt",
                                           "dwt2d.gwt",   "gemm.walk", "kmeans.walk", "nw.gwt",
                                           "sad.gwt",     "spmv.walk"};
    for (const std::string &name : long_test() ? all_traces() : some) {
        const Numbered n(read_trace(folder() + "/" + name));
        for (uint32_t percent : {25u, 50u, 75u}) {
            SCOPED_TRACE(name);
            expect_equal(n, std::max(1u, n.distinct() * percent / 100), 1, &evictions);
            ASSERT_FALSE(HasFatalFailure());
        }
    }
    EXPECT_GT(evictions, 80000u);
    std::printf("[ vectors  ] %llu evictions\n", static_cast<unsigned long long>(evictions));
}

uint64_t evictions_of(const Numbered &n, const gmmu_policy *policy, uint32_t frames,
                      const char *options) {
    gmmu_sim *sim = n.sim(policy, frames, options);
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err), GMMU_OK);
    const uint64_t count = gmmu_sim_counts(sim).evictions;
    gmmu_sim_destroy(sim);
    return count;
}

uint64_t evictions_by(const Numbered &n, uint32_t frames, StampLirs::Departures d) {
    StampLirs stamps(frames, lir_frames(frames, 1), n.distinct(), d);
    uint64_t count = 0;
    for (uint32_t page : n.index) count += stamps.access(page) != StampLirs::NOBODY;
    return count;
}

// Evictions of OPT and from LIRS to the unit, one departure more in each column.
constexpr const char *kSteps[] = {"OPT",      "LIRS",        "last access",  "late",
                                  "register", "`leu`, scan", "`leu`, sample"};
constexpr size_t kColumns = std::size(kSteps);
using Row = std::array<uint64_t, kColumns>;

Row steps(const Numbered &n, uint32_t percent) {
    const uint32_t frames = std::max(1u, n.distinct() * percent / 100);
    return {evictions_of(n, &gmmu_policy_opt, frames, nullptr),
            evictions_by(n, frames, {}),
            evictions_by(n, frames, {true, false, false}),
            evictions_by(n, frames, {true, true, false}),
            evictions_by(n, frames, {true, true, true}),
            evictions_of(n, &gmmu_policy_leu, frames, "search=scan:protect=253"),
            evictions_of(n, &gmmu_policy_leu, frames, "search=sample:protect=253")};
}

// Of evictions over OPT's, where OPT has 100 and more.
struct Mean {
    std::array<double, kColumns> sum = {};
    unsigned counted = 0;
    void add(const Row &row) {
        if (row[0] < 100)
            return;
        counted++;
        for (size_t i = 0; i < kColumns; i++)
            sum[i] += std::log(static_cast<double>(row[i]) / static_cast<double>(row[0]));
    }
    double at(size_t i) const { return std::exp(sum[i] / counted); }
};

// The table of docs/reference/blocks/segment.md: memory for 75 % and for 50 % of the pages.
TEST(StampLirs, StepsToTheSegment) {
    if (!long_test())
        GTEST_SKIP() << "all recorded traces: only with GMMU_LONG";
    Mean mean75, mean50;
    std::printf("| trace ");
    for (const char *name : kSteps) std::printf("| %s ", name);
    std::printf("|\n|---|---|---|---|---|---|---|---|\n");
    for (const std::string &name : all_traces()) {
        const Numbered n(read_trace(folder() + "/" + name));
        const Row at75 = steps(n, 75), at50 = steps(n, 50);
        mean75.add(at75);
        mean50.add(at50);
        std::printf("| %s ", name.substr(0, name.rfind('.')).c_str());
        for (size_t i = 0; i < kColumns; i++)
            std::printf("| %llu \\| %llu ", static_cast<unsigned long long>(at75[i]),
                        static_cast<unsigned long long>(at50[i]));
        std::printf("|\n");
        (void)std::fflush(stdout);
    }
    ASSERT_EQ(mean75.counted, 39u);
    ASSERT_EQ(mean50.counted, 39u);
    std::printf("| over OPT's, means ");
    for (size_t i = 0; i < kColumns; i++)
        std::printf("| %.3f \\| %.3f ", mean75.at(i), mean50.at(i));
    std::printf("|\n");
}

}  // namespace
