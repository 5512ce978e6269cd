// SPDX-License-Identifier: Apache-2.0
// sim.cpp: what gmmu_sim counts and refuses of a policy with three tiers, here one that moves what
// it is told to.
//
// State space: every kind of wrong move by itself; random legal ones, with pages raised ahead,
// and victims ahead of need, against a book of places and dirty pages. Parameter space: tiers of 1
// to 8 pages.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "numbered_trace.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "told_policy.h"

namespace {

class Tiers {
   public:
    Tiers(uint32_t frames, uint32_t tier2) : policy_(told_policy(true)) {
        gmmu_policy_config config = {};
        config.frames = frames;
        config.tier2 = tier2;
        gmmu_error err = {};
        sim = gmmu_sim_create(&policy_, &config, &err);
        EXPECT_NE(sim, nullptr) << err.text;
    }
    ~Tiers() { gmmu_sim_destroy(sim); }
    Tiers(const Tiers &) = delete;
    Tiers &operator=(const Tiers &) = delete;

    // "" or what is said against it.
    std::string access(uint32_t page, bool write, const Told &t) {
        told = t;
        gmmu_walk walk = {};
        walk.write = write;
        gmmu_outcome out;
        gmmu_error err = {};
        return gmmu_sim_access(sim, page, &walk, &out, &err) == GMMU_OK ? "" : err.text;
    }
    // A victim ahead of need.
    std::string evict(const Told &t) {
        told = t;
        gmmu_outcome out;
        gmmu_error err = {};
        return gmmu_sim_evict(sim, &out, &err) == GMMU_OK ? "" : err.text;
    }
    gmmu_sim *sim = nullptr;

   private:
    gmmu_policy policy_;
};

constexpr gmmu_memory T1 = GMMU_NEAR, T2 = GMMU_HOST, T3 = GMMU_FAR;

Told comes(uint32_t page, gmmu_memory from, std::vector<gmmu_move> more = {}) {
    more.insert(more.begin(), from_to(page, from, T1));
    return {true, more, {}};
}

TEST(SimOfTiers, RefusesAPageInTwoTiers) {
    Tiers t(1, 1);
    EXPECT_EQ(t.access(7, false, comes(7, T3)), "");
    EXPECT_EQ(t.access(8, false, comes(8, T3, {from_to(7, T1, T2)})), "");
    EXPECT_EQ(
        t.access(7, false, comes(7, T3, {from_to(8, T1, T2)})),
        "policy told, walk 3: found page 7 in Tier 2, expected it in Tier 3, as the policy says");
}

TEST(SimOfTiers, RefusesMovesFromWhereAPageIsNot) {
    EXPECT_NE(Tiers(1, 1).access(7, false, comes(7, T2)), "");
    EXPECT_NE(Tiers(1, 1).access(7, false, Told{}), "");
    EXPECT_NE(Tiers(1, 1).access(7, false, {false, {from_to(7, T3, T1)}, {}}), "");
    EXPECT_NE(Tiers(1, 1).access(7, false, comes(7, T3, {from_to(6, T2, T3)})), "");
    EXPECT_NE(Tiers(1, 1).access(7, false, comes(7, T3, {from_to(6, T1, T3)})), "");
    EXPECT_NE(Tiers(1, 1).access(7, false, {true, {}, {}}), "");
    Tiers t(2, 2);
    EXPECT_EQ(t.access(7, false, comes(7, T3)), "");
    EXPECT_EQ(t.access(7, false, Told{}), "");
    EXPECT_NE(t.access(7, false, comes(7, T1)), "");
    EXPECT_NE(t.access(7, false, {false, {from_to(7, T1, T2)}, {}}), "");
}

TEST(SimOfTiers, RefusesATierOverItsSize) {
    Tiers near(1, 9);
    EXPECT_EQ(near.access(1, false, comes(1, T3)), "");
    EXPECT_EQ(near.access(2, false, comes(2, T3)),
              "policy told, walk 2: found 2 pages in Tier 1, expected at most 1");
    Tiers host(1, 1);
    EXPECT_EQ(host.access(1, false, comes(1, T3)), "");
    EXPECT_EQ(host.access(2, false, comes(2, T3, {from_to(1, T1, T2)})), "");
    EXPECT_EQ(host.access(3, false, comes(3, T3, {from_to(2, T1, T2)})),
              "policy told, walk 3: found 2 pages in Tier 2, expected at most 1");
    // a swap in full tiers fills neither
    Tiers swap(1, 1);
    EXPECT_EQ(swap.access(1, false, comes(1, T3)), "");
    EXPECT_EQ(swap.access(2, false, comes(2, T3, {from_to(1, T1, T2)})), "");
    EXPECT_EQ(swap.access(1, false, comes(1, T2, {from_to(2, T1, T2)})), "");
}

TEST(SimOfTiers, RefusesWrongMovesAheadOfNeed) {
    Tiers t(2, 1);
    EXPECT_EQ(t.access(1, false, comes(1, T3)), "");
    EXPECT_EQ(t.access(2, false, comes(2, T3)), "");
    EXPECT_EQ(t.evict({false, {from_to(1, T1, T2)}, {}}), "");
    EXPECT_EQ(
        t.evict({false, {from_to(1, T1, T3)}, {}}),
        "policy told, walk 2: found page 1 in Tier 2, expected it in Tier 1, as the policy says");
    EXPECT_EQ(t.evict({false, {from_to(2, T1, T2)}, {}}),
              "policy told, walk 2: found 2 pages in Tier 2, expected at most 1");
}

TEST(SimOfTiers, RefusesPagesAndMemoriesThatAreNone) {
    const auto after_one = [](const gmmu_move &m) {
        Tiers t(1, 1);
        EXPECT_EQ(t.access(1, false, comes(1, T3)), "");
        return t.access(1, false, {false, {m}, {}});
    };
    EXPECT_EQ(after_one(from_to(GMMU_NO_PAGE, T1, T2)),
              "policy told, walk 2: found a move of page 4294967295 from memory 1 to 2, expected a "
              "page that was accessed, and two of the memories 0 to 2");
    EXPECT_NE(after_one({1, T1, 3}), "");
    EXPECT_NE(after_one({1, 3, T2}), "");
    EXPECT_NE(after_one({1, T1, T1}), "");
}

TEST(SimOfTiers, RefusesSizes) {
    gmmu_policy with = told_policy(true), without = told_policy(false);
    gmmu_policy_config config = {};
    gmmu_error err = {};
    config.frames = 1;
    EXPECT_EQ(gmmu_sim_create(&with, &config, &err), nullptr);
    EXPECT_EQ(std::string(err.text),
              "policy told: found no Tier 2, expected its size (gmmu replay --tier2)");
    config.tier2 = GMMU_MAX_PAGES;
    EXPECT_EQ(gmmu_sim_create(&with, &config, &err), nullptr);
    EXPECT_EQ(gmmu_sim_create(&without, &config, &err), nullptr);
    config.tier2 = GMMU_MAX_PAGES - 1;
    for (gmmu_policy *p : {&with, &without}) {
        gmmu_sim *sim = gmmu_sim_create(p, &config, &err);
        EXPECT_NE(sim, nullptr) << err.text;
        gmmu_sim_destroy(sim);
    }
}

// Where every page is, as a person would keep it.
class Book {
   public:
    Book(uint32_t frames, uint32_t tier2) : size_{~0U, frames, tier2} {}
    gmmu_memory place(uint32_t p) const { return in_.count(p) != 0 ? in_.at(p) : T3; }
    std::vector<uint32_t> pages(gmmu_memory m) const {
        std::vector<uint32_t> there;
        for (const auto &[p, at] : in_) {
            if (at == m) {
                there.push_back(p);
            }
        }
        return there;
    }
    bool full(gmmu_memory m) const { return m != T3 && pages(m).size() == size_[m]; }
    gmmu_move move(uint32_t p, gmmu_memory to) {
        const gmmu_memory from = place(p);
        if (from == T1) {
            all.evictions++;
            all.writebacks += dirty_[p];
            tiers.tier2_puts += to == T2;
        }
        if (to == T3) {
            tiers.tier3_writes += dirty_[p];
            dirty_[p] = false;
        }
        in_[p] = to;
        return from_to(p, from, to);
    }
    void access(uint32_t p, bool write) { dirty_[p] = dirty_[p] || write; }
    gmmu_counts all = {};
    gmmu_tier_counts tiers = {};

   private:
    uint32_t size_[3];
    std::map<uint32_t, gmmu_memory> in_;
    std::map<uint32_t, bool> dirty_;
};

TEST(SimOfTiers, CountsAsABookOfPlaces) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int round = 0; round < 300; round++) {
        const auto frames = static_cast<uint32_t>(1 + random.below(8));
        const auto tier2 = static_cast<uint32_t>(1 + random.below(8));
        Tiers t(frames, tier2);
        Book b(frames, tier2);
        std::map<uint32_t, bool> seen;
        for (int i = 0; i < 300; i++, vectors++) {
            const auto page = static_cast<uint32_t>(random.below(20));
            const bool write = random.below(3) == 0;
            Told what;
            const gmmu_memory was = b.place(page);
            what.fault = was != T1;
            b.all.accesses++;
            b.all.faults += what.fault ? 1 : 0;
            b.all.cold += seen[page] ? 0 : 1;
            seen[page] = true;
            b.tiers.tier1_hits += was == T1 ? 1 : 0;
            b.tiers.tier2_hits += was == T2 ? 1 : 0;
            b.tiers.tier3_reads += was == T3 ? 1 : 0;
            b.tiers.wasted_lookups += was == T3 ? 1 : 0;
            const auto any = [&](gmmu_memory m, uint32_t but) {
                std::vector<uint32_t> all = b.pages(m);
                all.erase(std::remove(all.begin(), all.end(), but), all.end());
                return all.empty() ? GMMU_NO_PAGE : all[random.below(all.size())];
            };
            // TAKE leaves near memory, by chance for Tier 2; a full one lets one go, but not BUT.
            const auto leave = [&](std::vector<gmmu_move> *moves, uint32_t take, uint32_t but) {
                const uint32_t go = any(T2, but);
                if (random.below(3) == 0 || (b.full(T2) && go == GMMU_NO_PAGE)) {
                    moves->push_back(b.move(take, T3));
                    return;
                }
                if (b.full(T2)) {
                    moves->push_back(b.move(go, T3));
                }
                moves->push_back(b.move(take, T2));
            };
            const uint32_t ahead = any(T1, page);
            if (random.below(8) == 0 && ahead != GMMU_NO_PAGE) {
                Told victim;
                leave(&victim.moves, ahead, page);
                ASSERT_EQ(t.evict(victim), "");
            }
            if (what.fault) {
                const bool full = b.full(T1);
                what.moves.push_back(b.move(page, T1));
                if (full || (random.below(4) == 0 && any(T1, page) != GMMU_NO_PAGE)) {
                    leave(&what.moves, any(T1, page), GMMU_NO_PAGE);
                }
            }
            b.access(page, write);
            const uint32_t raise = any(T2, GMMU_NO_PAGE);
            if (random.below(4) == 0 && raise != GMMU_NO_PAGE && (!b.full(T1) || frames > 1)) {
                if (b.full(T1)) {
                    what.after.push_back(b.move(any(T1, page), T3));
                }
                what.after.push_back(b.move(raise, T1));
                b.tiers.raised++;
            }
            ASSERT_EQ(t.access(page, write, what), "");
            const gmmu_counts all = gmmu_sim_counts(t.sim);
            const gmmu_tier_counts tiers = gmmu_sim_tier_counts(t.sim);
            for (const gmmu_count_column *c = gmmu_count_columns; c->name != nullptr; c++) {
                ASSERT_EQ(gmmu_count(&all, c), gmmu_count(&b.all, c)) << c->name;
            }
            for (const gmmu_count_column *c = gmmu_tier_count_columns; c->name != nullptr; c++) {
                ASSERT_EQ(gmmu_count(&tiers, c), gmmu_count(&b.tiers, c)) << c->name;
            }
            ASSERT_EQ(tiers.raised, b.tiers.raised);
        }
    }
    std::printf("[ vectors  ] tiers: %llu accesses\n", static_cast<unsigned long long>(vectors));
}

}  // namespace
