// SPDX-License-Identifier: Apache-2.0
// uvm_test.cpp: policy uvm against slow_uvm.h, access by access: every fault, every page that comes
// and every page that leaves.
//
// State space: random traces of the five shapes of random_trace.h, their pages near each other, in
// one to three address spaces; walks over whole blocks. Parameter space: chunks of 1 to 4096 pages
// and the page sizes that choose one, both orders, with and without prefetch, memory from one page
// to more than all chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "numbered_trace.h"
#include "policy/opt_faults.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_uvm.h"

namespace {

using slow::UvmPage;
using slow::UvmSetting;
using slow::UvmStep;

std::string options_of(const UvmSetting &s) {
    return "chunk=" + std::to_string(s.chunk) +
           (s.order_access ? ":order=access" : ":order=fault") +
           (s.tbn ? ":prefetch=tbn" : ":prefetch=none");
}

gmmu_sim *sim_of(const Numbered &n, uint64_t frames, const std::string &options,
                 unsigned page_shift = 0) {
    gmmu_policy_config config = {.frames = static_cast<uint32_t>(frames),
                                 .pages = n.pages,
                                 .page_shift = page_shift,
                                 .options = options.c_str(),
                                 .seed = 1};
    gmmu_error err = {};
    gmmu_sim *sim = gmmu_sim_create(&gmmu_policy_uvm, &config, &err);
    EXPECT_NE(sim, nullptr) << err.text;
    return sim;
}

// The numbers of the policy's note.
std::map<std::string, uint64_t> note_of(const gmmu_sim *sim) {
    char text[1024];
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    std::map<std::string, uint64_t> all;
    const std::string note = text;
    for (size_t at = 0; at < note.size();) {
        const size_t is = note.find('=', at);
        const size_t end = std::min(note.find(' ', is), note.size());
        all[note.substr(at, is - at)] = std::stoull(note.substr(is + 1, end - is - 1));
        at = end + 1;
    }
    return all;
}

// What the counts of a replay must be, from the steps of the slow model alone.
struct Expected {
    gmmu_counts counts = {};
    uint64_t in = 0, out = 0, used = 0, chunks_out = 0, raised = 0;
    std::set<UvmPage> touched, dirty;
    std::set<UvmPage> waiting;  // resident pages that were prefetched and not used
    void add(const gmmu_walk &w, const UvmStep &step) {
        const UvmPage page = {w.asid, w.vpn};
        counts.accesses++;
        counts.faults += step.fault ? 1 : 0;
        counts.cold += step.fault && touched.count(page) == 0 ? 1 : 0;
        counts.evictions += step.out.size();
        for (const UvmPage &p : step.out) {
            counts.writebacks += dirty.erase(p);
            waiting.erase(p);
        }
        in += step.in.size();
        out += step.out.size();
        chunks_out += step.out.empty() ? 0 : 1;
        raised += step.fault ? step.in.size() - 1 : 0;
        for (const UvmPage &p : step.in) {
            if (p != page) {
                waiting.insert(p);
            }
        }
        used += waiting.erase(page);
        touched.insert(page);
        if (w.write) {
            dirty.insert(page);
        }
    }
};

// The evictions of pages with a number that OPT makes too: the page does not come back, or comes
// back by a fault where OPT has a fault.
class BesideOpt {
   public:
    BesideOpt(const Numbered &n, uint64_t frames) {
        gmmu_error err = {};
        faults_ = gmmu_opt_faults(&n.future, static_cast<uint32_t>(frames), &err);
        EXPECT_NE(faults_, nullptr) << err.text;
    }
    ~BesideOpt() { std::free(faults_); }
    BesideOpt(const BesideOpt &) = delete;
    BesideOpt &operator=(const BesideOpt &) = delete;
    void add(size_t t, const UvmPage &page, const UvmStep &step, const std::set<UvmPage> &touched) {
        for (const UvmPage &p : step.in) {
            const bool opt = p == page && (faults_[t / 8] >> (t % 8) & 1) != 0;
            same_ += away_.erase(p) != 0 && opt ? 1 : 0;
        }
        for (const UvmPage &p : step.out) {
            if (touched.count(p) != 0) {
                away_.insert(p);
            }
        }
    }
    uint64_t same() const { return same_ + away_.size(); }
    const uint8_t *faults() const { return faults_; }

   private:
    uint8_t *faults_;
    std::set<UvmPage> away_;  // pages that left, were touched before, and have not come back
    uint64_t same_ = 0;
};

// The moves of OUT, as pages.
void moves_of(const Numbered &n, const gmmu_outcome &out, std::set<UvmPage> *in,
              std::set<UvmPage> *left) {
    for (uint32_t i = 0; i < out.count + out.after_count; i++) {
        const gmmu_move &m = i < out.count ? out.move[i] : out.after[i - out.count];
        const bool comes = m.to == GMMU_NEAR;
        ASSERT_EQ(m.from, comes ? GMMU_FAR : GMMU_NEAR);
        ASSERT_TRUE((comes ? in : left)->insert(n.page(m.page)).second);
    }
}

// The part of ALL that is in TOUCHED.
std::set<UvmPage> part(const std::set<UvmPage> &all, const std::set<UvmPage> &touched) {
    std::set<UvmPage> both;
    std::set_intersection(all.begin(), all.end(), touched.begin(), touched.end(),
                          std::inserter(both, both.end()));
    return both;
}

// Replays N side by side with the slow model. Returns the walks compared.
uint64_t compare(const Numbered &n, const UvmSetting &s, unsigned page_shift = 0) {
    gmmu_sim *sim = sim_of(n, s.frames, page_shift == 0 ? options_of(s) : "", page_shift);
    slow::Uvm model(s);
    Expected e;
    BesideOpt beside(n, s.frames);
    gmmu_sim_beside_opt(sim, beside.faults());
    size_t t = 0;
    for (; t < n.trace.size() && !testing::Test::HasFailure(); t++) {
        const gmmu_walk &w = n.trace[t];
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &w, &out, &err), GMMU_OK) << err.text;
        const UvmStep step = model.access({w.asid, w.vpn});
        std::set<UvmPage> in;
        std::set<UvmPage> left;
        moves_of(n, out, &in, &left);
        // what left before this access was touched before it; what comes may be this page
        EXPECT_EQ(left, part(step.out, e.touched));
        beside.add(t, {w.asid, w.vpn}, step, e.touched);
        e.add(w, step);
        EXPECT_EQ(in, part(step.in, e.touched));
        EXPECT_EQ(out.fault, step.fault);
        EXPECT_EQ(out.untouched_in, step.in.size() - in.size());
        EXPECT_EQ(out.untouched_out, step.out.size() - left.size());
        EXPECT_EQ(gmmu_outcome_victim(&out) == GMMU_NO_PAGE, left.empty());
        EXPECT_LE(model.pages(), s.frames);
    }
    EXPECT_FALSE(testing::Test::HasFailure()) << options_of(s) << ", page_shift " << page_shift
                                              << ", " << s.frames << " frames, walk " << t;
    const gmmu_counts counts = gmmu_sim_counts(sim);
    for (const gmmu_count_column *c = gmmu_count_columns; c->name != nullptr; c++) {
        EXPECT_EQ(gmmu_count(&counts, c), gmmu_count(&e.counts, c)) << c->name;
    }
    const gmmu_tier_counts tiers = gmmu_sim_tier_counts(sim);
    EXPECT_EQ(tiers.raised, e.raised);
    EXPECT_EQ(tiers.tier3_reads, e.in);
    EXPECT_EQ(gmmu_sim_as_opt(sim), beside.same());
    const uint64_t bytes = UINT64_C(1) << (page_shift == 0 ? 12 : page_shift);
    const std::map<std::string, uint64_t> expected = {{"chunk", model.chunk()},
                                                      {"chunks", s.frames / model.chunk()},
                                                      {"in", e.in},
                                                      {"prefetched", e.in - e.counts.faults},
                                                      {"used", e.used},
                                                      {"out", e.out},
                                                      {"bytes_in", e.in * bytes},
                                                      {"bytes_out", e.out * bytes},
                                                      {"chunks_out", e.chunks_out}};
    EXPECT_EQ(note_of(sim), expected);
    gmmu_sim_destroy(sim);
    return t;
}

// A random trace whose pages are near each other: SPREAD pages, from some bases on.
Numbered near(RandomTrace *random, size_t length, uint64_t pages, uint64_t spread) {
    std::vector<gmmu_walk> trace = random->make(length, pages);
    const uint64_t base = random->below(3) == 0 ? UINT64_MAX - spread : random->below(1000) * 32;
    for (gmmu_walk &w : trace) {
        w.vpn = base + w.vpn % spread;
    }
    return Numbered(std::move(trace));
}

TEST(Uvm, EqualsTheSlowModelOnShortTraces) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    enum { TRACES = 2000 };
    for (int i = 0; i < TRACES && !HasFailure(); i++) {
        const Numbered n =
            near(&random, 1 + random.below(120), 1 + random.below(40), 1 + random.below(200));
        for (const bool order_access : {false, true}) {
            for (const bool tbn : {false, true}) {
                const UvmSetting s = {.frames = 1 + random.below(70),
                                      .chunk = UINT64_C(1) << random.below(8),
                                      .order_access = order_access,
                                      .tbn = tbn};
                vectors += compare(n, s);
                ASSERT_FALSE(HasFailure()) << "trace " << i << " of seed " << test_seed();
            }
        }
    }
    std::printf("[ vectors  ] uvm: %llu walks in %d traces\n",
                static_cast<unsigned long long>(vectors), TRACES);
}

TEST(Uvm, EqualsTheSlowModelOnLongTraces) {
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    for (uint64_t i = 0; i < 96 && !HasFailure(); i++) {
        const UvmSetting s = {.frames = 1 + random.below(4000),
                              .chunk = UINT64_C(1) << (i / 4 % 13),
                              .order_access = i % 2 != 0,
                              .tbn = i / 2 % 2 != 0};
        vectors += compare(near(&random, 2000, 50 + random.below(300), 1 + random.below(9000)), s);
        ASSERT_FALSE(HasFailure()) << "trace " << i << " of seed " << test_seed() + 1;
    }
    std::printf("[ vectors  ] uvm, long: %llu walks\n", static_cast<unsigned long long>(vectors));
}

// More pages, and more blocks, than the first capacity of any array.
TEST(Uvm, EqualsTheSlowModelWithManyPages) {
    for (const uint64_t stride : {1, 16}) {
        std::vector<gmmu_walk> trace(5000);
        for (size_t i = 0; i < trace.size(); i++) {
            trace[i].vpn = (i % 7 == 0 ? i % 1100 : i % 2300) * stride;
            trace[i].write = i % 3 == 0;
        }
        const Numbered n(trace);
        compare(n, {.frames = 1500, .chunk = 16});
        compare(n, {.frames = 1500, .chunk = 16, .order_access = true, .tbn = false});
    }
}

// The page size chooses the chunk; 2 MiB and more are a chunk of one page.
TEST(Uvm, AChunkIsTwoMebibytes) {
    RandomTrace random(test_seed() + 2);
    for (const auto &[shift, chunk] : std::map<unsigned, uint64_t>{
             {0, 512}, {9, 4096}, {10, 2048}, {12, 512}, {16, 32}, {20, 2}, {21, 1}, {30, 1}}) {
        const Numbered n = near(&random, 1500, 300, 6 * chunk);
        compare(n, {.frames = 2 * chunk + 1, .chunk = chunk}, shift);
    }
}

// ---- by hand

// The pages of one block of PAGES pages that come at each of FAULTS, in ascending order, as the
// policy's moves name them. Memory is one chunk: the block leaves before these accesses, when each
// of its pages has been accessed and has a number.
std::vector<std::vector<uint64_t>> tree(uint64_t pages, const std::vector<uint64_t> &faults) {
    std::vector<gmmu_walk> trace(pages + 1);
    for (uint64_t i = 0; i < pages; i++) {
        trace[i].vpn = i;
    }
    trace[pages].vpn = pages;
    for (const uint64_t f : faults) {
        trace.emplace_back();
        trace.back().vpn = f;
    }
    const Numbered n(trace);
    gmmu_sim *sim = sim_of(n, pages, "chunk=" + std::to_string(pages));
    std::vector<std::vector<uint64_t>> all;
    for (size_t t = 0; t < trace.size(); t++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &trace[t], &out, &err), GMMU_OK);
        std::set<UvmPage> in;
        std::set<UvmPage> left;
        moves_of(n, out, &in, &left);
        if (t > pages) {
            EXPECT_EQ(out.untouched_in, 0U);
            all.emplace_back();
            for (const UvmPage &p : in) {
                all.back().push_back(p.second);
            }
        }
    }
    gmmu_sim_destroy(sim);
    return all;
}

using Steps = std::vector<std::vector<uint64_t>>;

// A tree of 8 leaves. Half of a node is not enough, and what is resident counts.
TEST(UvmTree, ScatteredLeavesBringTheRest) {
    EXPECT_EQ(tree(8, {1, 3, 5, 7, 0}), (Steps{{1}, {3}, {5}, {7}, {0, 2, 4, 6}}));
}

TEST(UvmTree, ANeighbourhoodGrowsByItsParents) {
    EXPECT_EQ(tree(8, {1, 3, 0, 4}), (Steps{{1}, {3}, {0, 2}, {4, 5, 6, 7}}));
}

// 0, 1 and 2 of four bring 3, which does not count for the eight: 4 of 8 are asked for or there.
TEST(UvmTree, WhatASmallerNodeBringsDoesNotCountForALargerOne) {
    EXPECT_EQ(tree(8, {5, 0, 1, 2}), (Steps{{5}, {0}, {1}, {2, 3}}));
    EXPECT_EQ(tree(8, {5, 0, 1, 2, 4}), (Steps{{5}, {0}, {1}, {2, 3}, {4, 6, 7}}));
}

// A sweep: faults at 0, 1, 2, 4, 8, 16; each other page was prefetched.
TEST(UvmTree, ASweepOfABlockHasSixFaults) {
    std::vector<uint64_t> sweep;
    for (uint64_t i = 0; i < 32; i++) {
        sweep.push_back(i);
    }
    const Steps steps = tree(32, sweep);
    std::vector<uint64_t> at;
    uint64_t pages = 0;
    for (size_t i = 0; i < steps.size(); i++) {
        if (!steps[i].empty()) {
            at.push_back(i);
            pages += steps[i].size();
        }
    }
    EXPECT_EQ(at, (std::vector<uint64_t>{0, 1, 2, 4, 8, 16}));
    EXPECT_EQ(pages, 32U);
}

// Of 512 pages of 4 KiB a first touch brings the 16 pages of its 64 KiB.
TEST(UvmTree, AFirstTouchBringsABigPage) {
    std::vector<uint64_t> big;
    for (uint64_t i = 32; i < 48; i++) {
        big.push_back(i);
    }
    EXPECT_EQ(tree(512, {37}), (Steps{big}));
}

// Counts of a trace: two chunks of 4 pages in memory, of which the third block pushes out the one
// whose last fault is oldest, hits or not.
TEST(UvmOrder, HitsDoNotKeepAChunk) {
    std::vector<gmmu_walk> trace;
    for (const uint64_t vpn : {0, 4, 0, 0, 8, 0, 4}) {
        trace.push_back({.vpn = vpn, .write = vpn == 0});
    }
    const Numbered n(trace);
    const auto run = [&](const char *options) {
        gmmu_sim *sim = sim_of(n, 9, options);
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err),
                  GMMU_OK);
        const gmmu_counts c = gmmu_sim_counts(sim);
        gmmu_sim_destroy(sim);
        return std::vector<uint64_t>{c.faults, c.evictions, c.writebacks};
    };
    // 0, 4, then 8 pushes 0 out, 0 pushes 4 out, 4 pushes 8 out
    EXPECT_EQ(run("chunk=4:prefetch=none"), (std::vector<uint64_t>{5, 3, 1}));
    // 0, 4, then 8 pushes 4 out; 0 hits; 4 pushes 8 out
    EXPECT_EQ(run("chunk=4:prefetch=none:order=access"), (std::vector<uint64_t>{4, 2, 0}));
}

// A policy on demand with at most as many pages has no fewer faults than OPT.
TEST(Uvm, WithoutPrefetchIsNotBelowOpt) {
    RandomTrace random(test_seed() + 3);
    for (int i = 0; i < 200; i++) {
        const Numbered n =
            near(&random, 1 + random.below(200), 1 + random.below(40), 1 + random.below(60));
        for (uint32_t frames = 1; frames <= n.distinct(); frames++) {
            gmmu_sim *uvm = sim_of(n, frames, "chunk=4:prefetch=none");
            gmmu_sim *opt = n.sim(&gmmu_policy_opt, frames);
            gmmu_error err = {};
            for (gmmu_sim *sim : {uvm, opt}) {
                ASSERT_EQ(
                    gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err),
                    GMMU_OK);
            }
            ASSERT_LE(gmmu_sim_counts(opt).faults, gmmu_sim_counts(uvm).faults);
            gmmu_sim_destroy(uvm);
            gmmu_sim_destroy(opt);
        }
    }
}

TEST(Uvm, RefusesWrongOptions) {
    const Numbered n({gmmu_walk{}});
    for (const char *bad :
         {"chunk=0", "chunk=3", "chunk=131072", "order=hit", "order=young", "order=recent",
          "prefetch=tree", "prefetch=tbm", "prefetch", "big=16"}) {
        gmmu_policy_config config = {.frames = 1, .pages = n.pages, .options = bad, .seed = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(&gmmu_policy_uvm, &config, &err), nullptr) << bad;
        const std::string text = err.text;
        EXPECT_EQ(text.rfind("uvm: found option \"", 0), 0U) << text;
        EXPECT_NE(text.find("expected chunk=1..65536, a power of two, order=fault|access, "
                            "prefetch=tbn|none"),
                  std::string::npos)
            << text;
    }
}

}  // namespace
