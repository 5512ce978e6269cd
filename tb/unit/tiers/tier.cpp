// SPDX-License-Identifier: Apache-2.0
// tier.cpp: policy `tier`: near memory is that of `leu:search=sample`, fault by fault and victim by
// victim, whatever Tier 2 does; and who leaves Tier 2 is who is worth least there.
//
// State space: recorded traces and random ones; for the table alone, random pages put into and
// taken out of its slots, with time that goes on and comes round, rows with few and many
// observations, ties. Parameter space: sizes of both tiers, with and without the duel, both ties;
// tables that one search sees whole, against every slot looked at.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "blocks/config.h"
#include "blocks/tier2_table.h"
#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "recorded.h"

namespace {

void expect_near_is_leu(const Numbered &n, uint32_t frames, uint32_t tier2, const char *options,
                        uint64_t *vectors) {
    const std::string of_tier = options,
                      of_leu = "search=sample" + std::string(*options ? ":" : "") + options;
    gmmu_sim *tier =
        n.sim(&gmmu_policy_tier, frames, *options ? of_tier.c_str() : nullptr, 1, tier2);
    gmmu_sim *leu = n.sim(&gmmu_policy_leu, frames, of_leu.c_str());
    gmmu_error err = {};
    bool same = true;
    for (size_t t = 0; same && t < n.trace.size(); t++) {
        gmmu_outcome a = {}, b = {};
        ASSERT_EQ(gmmu_sim_access(tier, n.index[t], &n.trace[t], &a, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_sim_access(leu, n.index[t], &n.trace[t], &b, &err), GMMU_OK) << err.text;
        same = a.fault == b.fault && gmmu_outcome_victim(&a) == gmmu_outcome_victim(&b);
        EXPECT_TRUE(same) << "walk " << t + 1 << ", " << frames << " and " << tier2 << " pages";
        ++*vectors;
    }
    const gmmu_tier_counts counts = gmmu_sim_tier_counts(tier);
    EXPECT_EQ(counts.tier2_hits + counts.tier3_reads, gmmu_sim_counts(leu).faults);
    gmmu_sim_destroy(tier);
    gmmu_sim_destroy(leu);
}

TEST(Tier, NearMemoryIsLeuOnRandomTraces) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int i = 0; i < 60 && !HasFailure(); i++) {
        const Numbered n(random.make(200 + random.below(2000), 10 + random.below(300)));
        const auto some = [&] { return 1 + static_cast<uint32_t>(random.below(n.distinct())); };
        expect_near_is_leu(n, some(), some(), i % 3 == 0 ? "duel=1" : "", &vectors);
    }
    std::printf("[ vectors  ] tier: %llu accesses\n", static_cast<unsigned long long>(vectors));
}

TEST(Tier, NearMemoryIsLeuOnRecordedTraces) {
    uint64_t vectors = 0;
    for (const std::string &path : recorded_traces(
             {"hotspot.walk", "srad_v2.walk", "bfs.walk", "kmeans.walk", "lavamd.gwt"})) {
        SCOPED_TRACE(path);
        const Numbered n(read_trace(path));
        const uint32_t frames = std::max(1u, n.distinct() / 10);
        expect_near_is_leu(n, frames, 4 * frames, "", &vectors);
        expect_near_is_leu(n, frames, frames, "duel=1", &vectors);
    }
    std::printf("[ vectors  ] tier, recorded: %llu accesses\n",
                static_cast<unsigned long long>(vectors));
}

// Option ahead, from what the replay sees alone: where each page is, and which were raised and not
// used.
class Ahead {
   public:
    uint64_t vectors = 0, raised = 0;

    Ahead(const Numbered &n, uint32_t frames, uint32_t tier2, uint32_t most)
        : n_(n), most_(most), depth_(most), place_(n.distinct(), GMMU_FAR), up_(n.distinct()) {
        const std::string options = "ahead=" + std::to_string(most);
        sim_ = n.sim(&gmmu_policy_tier, frames, options.c_str(), 1, tier2);
    }
    Ahead(const Ahead &) = delete;
    Ahead &operator=(const Ahead &) = delete;
    ~Ahead() { gmmu_sim_destroy(sim_); }

    void run() {
        for (size_t t = 0; t < n_.trace.size() && !testing::Test::HasFailure(); t++) step(t);
        EXPECT_EQ(gmmu_sim_tier_counts(sim_).raised, raised);
    }

   private:
    const Numbered &n_;
    gmmu_sim *sim_;
    uint32_t most_, depth_, used_ = 0, unused_ = 0;
    std::vector<uint8_t> place_;
    std::vector<bool> up_;  // raised, and not used since

    void judge(bool used) {
        (used ? used_ : unused_)++;
        if (used_ + unused_ < 64)
            return;
        if (used_ < 32)
            depth_ = std::max(1u, depth_ / 2);
        else if (used_ > 48)
            depth_ = std::min(most_, 2 * depth_);
        used_ = unused_ = 0;
    }
    void move(const gmmu_move &m) {
        if (m.from == GMMU_NEAR) {
            if (up_[m.page])
                judge(false);
            up_[m.page] = false;
        }
        place_[m.page] = m.to;
    }
    void step(size_t t) {
        const uint32_t page = n_.index[t];
        const gmmu_walk &w = n_.trace[t];
        gmmu_outcome out = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_sim_access(sim_, page, &w, &out, &err), GMMU_OK) << err.text;
        vectors++;
        const bool first_use = !out.fault && up_[page];
        if (first_use) {
            judge(true);
            up_[page] = false;
        }
        for (uint32_t i = 0; i < out.count; i++) move(out.move[i]);
        uint32_t at = 0;
        const uint32_t depth = out.fault || first_use ? depth_ : 0;
        for (uint32_t i = 1; i <= depth_ && depth != 0; i++) {
            const uint32_t next = gmmu_pages_find(n_.pages, w.asid, w.vpn + i);
            if (next == GMMU_NO_PAGE || place_[next] != GMMU_HOST)
                continue;
            ASSERT_LT(at, out.after_count) << "walk " << t + 1 << ": page " << next << " stays";
            ASSERT_EQ(out.after[at].page, next) << "walk " << t + 1;
            ASSERT_EQ(out.after[at].to, GMMU_NEAR);
            move(out.after[at++]);
            while (at < out.after_count && out.after[at].to != GMMU_NEAR) move(out.after[at++]);
            up_[next] = true;
            raised++;
        }
        EXPECT_EQ(at, out.after_count) << "walk " << t + 1;
    }
};

TEST(Tier, PagesBehindComeUp) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0, raised = 0;
    const auto run = [&](const Numbered &n, uint32_t frames, uint32_t tier2, uint32_t most) {
        Ahead a(n, frames, tier2, most);
        a.run();
        vectors += a.vectors;
        raised += a.raised;
    };
    for (int i = 0; i < 40 && !HasFailure(); i++) {
        const Numbered n(random.make(200 + random.below(2000), 10 + random.below(300)));
        const auto some = [&] { return 1 + static_cast<uint32_t>(random.below(n.distinct())); };
        run(n, some(), some(), 1 + static_cast<uint32_t>(random.below(64)));
    }
    for (const std::string &path :
         recorded_traces({"hotspot.walk", "srad_v2.walk", "kmeans.walk", "lavamd.gwt"})) {
        SCOPED_TRACE(path);
        const Numbered n(read_trace(path));
        const uint32_t frames = std::max(1u, n.distinct() / 10);
        run(n, frames, 4 * frames, 8);
    }
    EXPECT_GT(raised, 10000u);
    std::printf("[ vectors  ] tier, ahead: %llu accesses\n",
                static_cast<unsigned long long>(vectors));
}

// A table of SLOTS slots and a unit's priorities, some rows of which are known.
class Table {
   public:
    Table(uint64_t seed, uint32_t slots, bool young) : random_(seed), slots_(slots), young_(young) {
        cfg_.pool = 16;
        cfg_.k = 64;
        cfg_.t2_slots = slots;
        regs_ = gmmu_regs_default(&cfg_);
        regs_.search = GMMU_SEARCH_SAMPLE;
        regs_.tier = GMMU_PLACE_PRIORITY;
        regs_.tie = young;
        gmmu_arena count = {};
        init(&count);
        memory_.resize(count.used);
        gmmu_arena arena = {memory_.data(), memory_.size(), 0};
        init(&arena);
        EXPECT_EQ(arena.used, count.used);
        gmmu_tier2_table_configure(&table_, &regs_);
        mask_ = static_cast<uint32_t>((1ull << cfg_.time_w) - 1);
        time_ = static_cast<uint32_t>(random_.below(mask_));
        for (unsigned row = 0; row < cfg_.classes; row++) {
            ppuc_.ready[row] = random_.below(4) == 0 ? 0 : 1;
            for (unsigned bin = 0; bin < cfg_.bins; bin++)
                ppuc_.priority[row * cfg_.bins + bin] = static_cast<uint16_t>(random_.below(5));
        }
    }
    void step() {
        time_ = (time_ + 1 + random_.below(100)) & mask_;
        const uint32_t slot = static_cast<uint32_t>(random_.below(slots_));
        gmmu_frame &f = mirror_[slot];
        if (!f.valid) {
            f = page();
            gmmu_tier2_table_put(&table_, slot, f);
            f.valid = true;
        } else if (random_.below(8) == 0) {
            gmmu_tier2_table_free(&table_, slot);
            f = {};
        } else {
            const gmmu_frame comes = page();
            const gmmu_rank_at now = {&ppuc_, time_, mask_};
            const uint32_t found = yields(now, comes);
            EXPECT_EQ(found, expected(comes)) << "at " << time_;
            if (found != UINT32_MAX) {
                gmmu_tier2_table_free(&table_, found);
                mirror_[found] = {};
            }
            asked += 1;
            yielded += found != UINT32_MAX;
        }
        uint32_t held = 0;
        for (const gmmu_frame &m : mirror_) held += m.valid ? 1 : 0;
        EXPECT_EQ(table_.held, held);
    }
    uint64_t asked = 0, yielded = 0;

   private:
    RandomTrace random_;
    uint32_t slots_;
    bool young_;
    gmmu_config cfg_ = *gmmu_config_find("tiny");
    gmmu_regs regs_ = {};
    std::vector<char> memory_;
    gmmu_tier2_table table_ = {};
    gmmu_ppuc ppuc_ = {};
    std::vector<gmmu_frame> mirror_ = std::vector<gmmu_frame>(slots_);
    uint32_t mask_ = 0, time_ = 0;

    void init(gmmu_arena *arena) {
        const int bad =
            gmmu_tier2_table_init(&table_, &cfg_, arena) | gmmu_ppuc_init(&ppuc_, &cfg_, arena);
        EXPECT_EQ(bad != 0, arena->base == nullptr);
    }
    // The slot whose page leaves for the one that COMES, UINT32_MAX: none does.
    uint32_t yields(const gmmu_rank_at &now, const gmmu_frame &comes) {
        const gmmu_fault_queue nobody = {};
        uint32_t found = UINT32_MAX;
        gmmu_tier2_table_round(&table_, &now, &nobody, slots_);
        const gmmu_victim_cand *best = gmmu_victim_select_best(&table_.select);
        if (best != nullptr) {
            EXPECT_TRUE(gmmu_tier2_table_best_stands(&table_));
            const gmmu_frame is = gmmu_tier2_table_get(&table_, best->frame);
            EXPECT_EQ(best->priority, priority(is));
            const bool less = young_ ? age(is) <= age(comes) : age(is) >= age(comes);
            if (best->priority < priority(comes) || (best->priority == priority(comes) && less)) {
                found = best->frame;
                gmmu_victim_select_taken(&table_.select);
            }
        }
        gmmu_victim_select_end(&table_.select);
        return found;
    }
    uint32_t age(const gmmu_frame &f) const { return (time_ - f.last) & mask_; }
    uint16_t priority(const gmmu_frame &f) const {
        return gmmu_ppuc_priority_of(&ppuc_, f.cls, age(f));
    }
    gmmu_frame page() {
        gmmu_frame f = {};
        f.vpn = random_.below(1000);
        f.last = (time_ - random_.below(mask_ / 8)) & mask_;
        f.cls.row = static_cast<uint16_t>(random_.below(cfg_.classes));
        return f;
    }
    // Every slot is looked at.
    uint32_t expected(const gmmu_frame &comes) const {
        uint32_t best = UINT32_MAX;
        for (uint32_t s = 0; s < slots_; s++) {
            if (!mirror_[s].valid)
                continue;
            if (best == UINT32_MAX || before(mirror_[s], mirror_[best]))
                best = s;
        }
        if (best == UINT32_MAX)
            return best;
        const gmmu_frame &b = mirror_[best];
        const bool less = young_ ? age(b) <= age(comes) : age(b) >= age(comes);
        const bool goes = priority(b) < priority(comes) || (priority(b) == priority(comes) && less);
        return goes ? best : UINT32_MAX;
    }
    bool before(const gmmu_frame &a, const gmmu_frame &b) const {
        if (priority(a) != priority(b))
            return priority(a) < priority(b);
        return young_ ? age(a) < age(b) : age(a) > age(b);  // equal ones: the lower slot stays
    }
};

TEST(Tier2Table, YieldsTheOneWorthLeast) {
    uint64_t asked = 0, yielded = 0;
    for (uint64_t seed = 1; seed <= 40 && !HasFailure(); seed++)
        for (const bool young : {false, true}) {
            Table t(test_seed() * 1000 + seed, 1 + seed * 61 % 64, young);
            for (int i = 0; i < 1000 && !HasFailure(); i++) t.step();
            asked += t.asked;
            yielded += t.yielded;
        }
    EXPECT_GT(asked, 10000u);
    EXPECT_GT(yielded, asked / 10);
    EXPECT_GT(asked - yielded, asked / 10);
    std::printf("[ vectors  ] tier2_table: %llu searches\n",
                static_cast<unsigned long long>(asked));
}

}  // namespace
