// SPDX-License-Identifier: Apache-2.0
// exact_leu_test.cpp: the literal LEU model against the paper's examples, against a maximum over
// every lease, and against the fast policy leu-exact, victim by victim.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exact/leu.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

__extension__ typedef unsigned __int128 Wide;

using Exact = std::unique_ptr<gmmu_exact_leu, decltype(&gmmu_exact_leu_destroy)>;

Exact make_exact() {
    return {gmmu_exact_leu_create(), gmmu_exact_leu_destroy};
}

std::string text(gmmu_exact_ratio r) {
    return std::to_string(r.num) + "/" + std::to_string(r.den);
}

bool above(gmmu_exact_ratio a, gmmu_exact_ratio b) {
    return static_cast<Wide>(a.num) * b.den > static_cast<Wide>(b.num) * a.den;
}

// The reference of a page: its own, or r1 for a and r2 for the others (section 3.2).
uint64_t own(char page) {
    return static_cast<uint64_t>(page);
}
uint64_t two(char page) {
    return page == 'a' ? 1 : 2;
}

// Repeats PATTERN up to time T. Pages are letters.
Exact played(const std::string &pattern, uint64_t t, const std::function<uint64_t(char)> &ref) {
    Exact m = make_exact();
    for (uint64_t i = 0; i < t; i++) {
        const char page = pattern[i % pattern.size()];
        EXPECT_TRUE(gmmu_exact_leu_walk(m.get(), {0, static_cast<uint64_t>(page)}, ref(page)));
    }
    return m;
}

std::string priority(const Exact &m, char page) {
    gmmu_exact_ratio r = {};
    EXPECT_TRUE(gmmu_exact_leu_priority(m.get(), {0, static_cast<uint64_t>(page)},
                                        gmmu_exact_leu_time(m.get()), &r));
    return text(r);
}

uint64_t tesla(const Exact &m, char page) {
    uint64_t tau = 0;
    EXPECT_TRUE(gmmu_exact_leu_tesla(m.get(), {0, static_cast<uint64_t>(page)},
                                     gmmu_exact_leu_time(m.get()), &tau));
    return tau;
}

// Figure 3: from the second period on, all reuse intervals are as printed.
TEST(Paper, Figure3) {
    for (uint64_t k = 2; k <= 20; k++) {
        Exact m = played("axayaz", 6 * k, own);
        EXPECT_EQ(tesla(m, 'a'), 1U);
        EXPECT_EQ(tesla(m, 'x'), 4U);
        EXPECT_EQ(tesla(m, 'y'), 2U);
        EXPECT_EQ(tesla(m, 'z'), 0U);
        EXPECT_EQ(priority(m, 'a'), "1/1");
        EXPECT_EQ(priority(m, 'x'), "1/2");
        EXPECT_EQ(priority(m, 'y'), "1/4");
        EXPECT_EQ(priority(m, 'z'), "1/6");
    }
}

// Section 3.2: two references give the same priorities.
TEST(Paper, Figure3ByReference) {
    for (uint64_t k = 2; k <= 20; k++) {
        Exact m = played("axayaz", 6 * k, two);
        EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 2, 5)), "0/1");
        EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 2, 6)), "1/1");
        EXPECT_EQ(priority(m, 'a'), "1/1");
        EXPECT_EQ(priority(m, 'x'), "1/2");
        EXPECT_EQ(priority(m, 'y'), "1/4");
        EXPECT_EQ(priority(m, 'z'), "1/6");
    }
}

// Section 3.1's second example has an erratum. At t = 5 of a period of aaxyz, x, y and z are 2, 1
// and 0 walks old and all return after 5, so Eq. 2 gives 1/3, 1/4, 1/5. The printed 1/2, 1/3, 1/4
// are the values one walk later, t = 6, where a has just been used: half of its intervals are 1,
// half 4, hence 1/2 and not 1. The order of x, y and z, and so the paper's point, is the same.
TEST(Paper, SecondExampleAtTime5) {
    for (uint64_t k = 2; k <= 20; k++) {
        Exact m = played("aaxyz", 5 * k, own);
        EXPECT_EQ(priority(m, 'a'), "1/1");  // 3 old, past its interval 1: certain at 4
        EXPECT_EQ(priority(m, 'x'), "1/3");
        EXPECT_EQ(priority(m, 'y'), "1/4");
        EXPECT_EQ(priority(m, 'z'), "1/5");
    }
}

TEST(Paper, SecondExampleAtTime6) {
    for (uint64_t k = 2; k <= 20; k++) {
        Exact m = played("aaxyz", 5 * k + 1, own);
        EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 'a', 1)), "1/2");
        EXPECT_EQ(priority(m, 'a'), "1/2");
        EXPECT_EQ(priority(m, 'x'), "1/2");
        EXPECT_EQ(priority(m, 'y'), "1/3");
        EXPECT_EQ(priority(m, 'z'), "1/4");
    }
}

// The background section's "aabb": half of a's reuses after 1, half after 3.
TEST(Paper, BackgroundExample) {
    Exact m = played("aabb", 4 * 10 + 1, own);
    EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 'a', 1)), "1/2");
    EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 'a', 2)), "1/2");
    EXPECT_EQ(text(gmmu_exact_leu_cdf(m.get(), 0, 'a', 3)), "1/1");
    EXPECT_EQ(text(gmmu_exact_leu_hit_ratio(m.get(), 0, 'a', 1, 3)), "1/1");
    EXPECT_EQ(text(gmmu_exact_leu_ppuc(m.get(), 0, 'a', 1, 3)), "1/2");
}

TEST(Exact, WithoutMassBeyondTeslaThereIsNoPriority) {
    Exact m = played("ab", 2, own);
    EXPECT_EQ(priority(m, 'a'), "0/1");  // never reused
    m = played("aab", 3, own);
    EXPECT_EQ(tesla(m, 'a'), 1U);
    EXPECT_EQ(priority(m, 'a'), "0/1");  // its only interval has passed
    EXPECT_EQ(text(gmmu_exact_leu_ppuc(m.get(), 0, 'a', 5, 5)), "0/1");
}

TEST(Exact, TimesBeforeTheLastAccessAndUnknownPagesAreRefused) {
    Exact m = played("ab", 2, own);
    uint64_t tau = 0;
    gmmu_exact_ratio r = {};
    EXPECT_FALSE(gmmu_exact_leu_tesla(m.get(), {0, 'b'}, 1, &tau));
    EXPECT_FALSE(gmmu_exact_leu_tesla(m.get(), {1, 'a'}, 2, &tau));
    EXPECT_FALSE(gmmu_exact_leu_priority(m.get(), {0, 'c'}, 2, &r));
    EXPECT_TRUE(gmmu_exact_leu_tesla(m.get(), {0, 'a'}, 9, &tau));
    EXPECT_EQ(tau, 8U);
    const gmmu_exact_page unknown = {0, 'c'};
    EXPECT_EQ(gmmu_exact_leu_victim(m.get(), &unknown, 1, 2), 1U);
}

TEST(Exact, EqualPrioritiesLoseTheOlderPage) {
    Exact m = played("cab", 3, own);
    const gmmu_exact_page pages[] = {{0, 'b'}, {0, 'a'}, {0, 'c'}};
    EXPECT_EQ(gmmu_exact_leu_victim(m.get(), pages, 3, 3), 2U);
    EXPECT_EQ(gmmu_exact_leu_victim(m.get(), pages, 2, 3), 1U);
}

// The priority takes leases from the reuse intervals only; no other lease does better.
TEST(Exact, MaximumOverAllLeasesIsAtAReuseInterval) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int i = 0; i < 200; i++) {
        const auto trace = random.make(60, 1 + random.below(10));
        Exact m = make_exact();
        std::set<std::pair<uint32_t, uint64_t>> refs;
        for (const gmmu_walk &w : trace) {
            ASSERT_TRUE(gmmu_exact_leu_walk(m.get(), {w.asid, w.vpn}, w.ref));
            refs.insert({w.asid, w.ref});
        }
        for (auto [asid, ref] : refs) {
            for (uint64_t tau = 0; tau <= 62; tau += 1 + random.below(7)) {
                gmmu_exact_ratio most = {0, 1};
                for (uint64_t l = tau + 1; l <= 130; l++) {
                    gmmu_exact_ratio p = gmmu_exact_leu_ppuc(m.get(), asid, ref, tau, l);
                    most = above(p, most) ? p : most;
                }
                ASSERT_EQ(text(gmmu_exact_leu_ref_priority(m.get(), asid, ref, tau)), text(most));
                vectors++;
            }
        }
    }
    std::printf("[ vectors  ] maximum over leases: %llu\n",
                static_cast<unsigned long long>(vectors));
}

// Between two consecutive reuse intervals the priority grows with TESLA unless it is 0; what the
// fast search rests on.
TEST(Exact, PriorityGrowsWithinAClass) {
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    for (int i = 0; i < 200; i++) {
        const auto trace = random.make(60, 1 + random.below(10));
        Exact m = make_exact();
        for (const gmmu_walk &w : trace) {
            ASSERT_TRUE(gmmu_exact_leu_walk(m.get(), {w.asid, w.vpn}, w.ref));
        }
        const gmmu_walk &w = trace[random.below(trace.size())];
        for (uint64_t tau = 0; tau < 62; tau++) {
            const auto here = gmmu_exact_leu_cdf(m.get(), w.asid, w.ref, tau);
            const auto next = gmmu_exact_leu_cdf(m.get(), w.asid, w.ref, tau + 1);
            if (text(here) != text(next)) {
                continue;  // tau + 1 is a reuse interval
            }
            const auto p = gmmu_exact_leu_ref_priority(m.get(), w.asid, w.ref, tau);
            const auto q = gmmu_exact_leu_ref_priority(m.get(), w.asid, w.ref, tau + 1);
            ASSERT_TRUE(above(q, p) || (p.num == 0 && q.num == 0));
            vectors++;
        }
    }
    std::printf("[ vectors  ] growth within a class: %llu\n",
                static_cast<unsigned long long>(vectors));
}

// One memory under the fast policy, its victims checked against the literal model.
struct Memory {
    gmmu_sim *sim;
    std::vector<gmmu_exact_page> resident;
    uint32_t frames;
};

TEST(Exact, FastPolicyHasTheSameVictimsAtEverySize) {
    RandomTrace random(test_seed() + 2);
    uint64_t vectors = 0;
    enum { TRACES = 250 };
    for (int i = 0; i < TRACES; i++) {
        const auto trace = random.make(20 + random.below(60), 2 + random.below(8));
        Exact m = make_exact();
        gmmu_pages *pages = gmmu_pages_create();
        for (const gmmu_walk &w : trace) {
            gmmu_pages_index(pages, w.asid, w.vpn);
        }
        std::vector<Memory> memories;
        for (uint32_t frames = 1; frames <= gmmu_pages_count(pages); frames++) {
            gmmu_policy_config config = {.frames = frames, .pages = pages, .seed = 1};
            gmmu_error err = {};
            memories.push_back(
                {gmmu_sim_create(&gmmu_policy_leu_exact, &config, &err), {}, frames});
        }
        for (const gmmu_walk &w : trace) {
            const gmmu_exact_page page = {w.asid, w.vpn};
            // The model first: its histograms then hold step (1). The page itself is no candidate.
            ASSERT_TRUE(gmmu_exact_leu_walk(m.get(), page, w.ref));
            for (Memory &memory : memories) {
                gmmu_outcome out = {};
                gmmu_error err = {};
                auto &in = memory.resident;
                ASSERT_EQ(gmmu_sim_access(memory.sim, gmmu_pages_find(pages, w.asid, w.vpn), &w,
                                          &out, &err),
                          GMMU_OK);
                if (out.fault && in.size() == memory.frames) {
                    const size_t victim = gmmu_exact_leu_victim(m.get(), in.data(), in.size(),
                                                                gmmu_exact_leu_time(m.get()));
                    ASSERT_LT(victim, in.size());
                    ASSERT_EQ(gmmu_pages_find(pages, in[victim].asid, in[victim].vpn),
                              gmmu_outcome_victim(&out))
                        << "trace " << i << ", " << memory.frames << " frames, walk "
                        << gmmu_exact_leu_time(m.get());
                    in.erase(in.begin() + static_cast<std::ptrdiff_t>(victim));
                    vectors++;
                } else {
                    ASSERT_EQ(gmmu_outcome_victim(&out), GMMU_NO_PAGE);
                }
                if (out.fault) {
                    in.push_back(page);
                }
            }
        }
        for (Memory &memory : memories) {
            gmmu_sim_destroy(memory.sim);
        }
        gmmu_pages_destroy(pages);
    }
    std::printf("[ vectors  ] victims of leu-exact against the literal model: %llu in %d traces\n",
                static_cast<unsigned long long>(vectors), TRACES);
}

}  // namespace
