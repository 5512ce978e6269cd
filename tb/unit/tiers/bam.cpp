// SPDX-License-Identifier: Apache-2.0
// bam.cpp: `bam:ahead=N` against a literal model, move by move, and what the replay counts of it
// against a book of pages.
//
// State space: random traces and recorded ones. Parameter space: sizes from one page on, N from 0
// to 64.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "recorded.h"

namespace {

class Bam {
   public:
    uint64_t vectors = 0, raised = 0;

    Bam(const Numbered &n, uint32_t frames, uint32_t most)
        : n_(n), frames_(frames), most_(most), depth_(most), page_(n.distinct()) {
        const std::string options = "ahead=" + std::to_string(most);
        sim_ = n.sim(&gmmu_policy_bam, frames, options.c_str());
    }
    Bam(const Bam &) = delete;
    Bam &operator=(const Bam &) = delete;
    ~Bam() { gmmu_sim_destroy(sim_); }

    void run() {
        for (size_t t = 0; t < n_.trace.size() && !testing::Test::HasFailure(); t++) step(t);
        const gmmu_counts counts = gmmu_sim_counts(sim_);
        const gmmu_tier_counts tiers = gmmu_sim_tier_counts(sim_);
        EXPECT_EQ(counts.faults, faults_);
        EXPECT_EQ(counts.cold, n_.distinct());
        EXPECT_EQ(counts.evictions, evictions_);
        EXPECT_EQ(counts.writebacks, writebacks_);
        EXPECT_EQ(tiers.raised, raised);
        EXPECT_EQ(tiers.tier1_hits, n_.trace.size() - faults_);
        EXPECT_EQ(tiers.tier3_reads, faults_ + raised);
        EXPECT_EQ(tiers.tier3_writes, writebacks_);
        EXPECT_EQ(tiers.tier2_hits + tiers.wasted_lookups + tiers.tier2_puts, 0u);
        char text[200] = "";
        EXPECT_EQ(gmmu_sim_note(sim_, text, sizeof text), most_ != 0);
        if (most_ != 0) {
            EXPECT_EQ(text, "raised=" + std::to_string(raised) + " used=" + std::to_string(good_) +
                                " late=" + std::to_string(late_) + " late_us=" +
                                std::to_string(late_us_) + " depth=" + std::to_string(depth_));
        }
    }

   private:
    struct Page {
        bool seen = false, in = false, bit = false, up = false, dirty = false;
        uint64_t since = 0;  // µs, of one that is up
    };
    const Numbered &n_;
    gmmu_sim *sim_;
    uint32_t frames_, most_, depth_, used_ = 0, unused_ = 0;
    std::vector<Page> page_;
    std::vector<uint32_t> ring_;
    size_t hand_ = 0;
    uint64_t now_ = 0, faults_ = 0, evictions_ = 0, writebacks_ = 0;
    uint64_t good_ = 0, late_ = 0, late_us_ = 0;

    void judge(bool used) {
        (used ? used_ : unused_)++;
        good_ += used ? 1 : 0;
        if (used_ + unused_ < 64)
            return;
        if (used_ < 32)
            depth_ = std::max(1u, depth_ / 2);
        else if (used_ > 48)
            depth_ = std::min(most_, 2 * depth_);
        used_ = unused_ = 0;
    }
    // PAGE comes, KEPT stays; who leaves, or GMMU_NO_PAGE.
    uint32_t bring(uint32_t page, uint32_t kept) {
        uint32_t victim = GMMU_NO_PAGE;
        if (ring_.size() < frames_) {
            ring_.push_back(page);
            hand_ = ring_.size() % frames_;
        } else {
            while (ring_[hand_] == kept || page_[ring_[hand_]].bit) {
                if (ring_[hand_] != kept)
                    page_[ring_[hand_]].bit = false;
                hand_ = (hand_ + 1) % frames_;
            }
            victim = ring_[hand_];
            ring_[hand_] = page;
            hand_ = (hand_ + 1) % frames_;
            Page &v = page_[victim];
            evictions_++;
            writebacks_ += v.dirty ? 1 : 0;
            if (v.up)
                judge(false);
            v.in = v.up = v.dirty = false;
        }
        page_[page].in = true;
        page_[page].bit = false;
        return victim;
    }
    static void expect_move(const gmmu_move &m, uint32_t page, gmmu_memory from, gmmu_memory to) {
        EXPECT_EQ(m.page, page);
        EXPECT_EQ(m.from, from);
        EXPECT_EQ(m.to, to);
    }
    void step(size_t t) {
        SCOPED_TRACE("walk " + std::to_string(t + 1));
        const uint32_t page = n_.index[t];
        const gmmu_walk &w = n_.trace[t];
        gmmu_outcome out = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_sim_access(sim_, page, &w, &out, &err), GMMU_OK) << err.text;
        vectors++;
        Page &p = page_[page];
        const bool fault = !p.in;
        bool behind = fault;
        ASSERT_EQ(out.fault, fault);
        if (fault) {
            faults_++;
            now_ += 130;
            const uint32_t victim = bring(page, GMMU_NO_PAGE);
            ASSERT_EQ(gmmu_outcome_victim(&out), victim);
            ASSERT_EQ(out.count, victim == GMMU_NO_PAGE ? 1u : 2u);
            expect_move(out.move[0], page, GMMU_FAR, GMMU_NEAR);
        } else {
            ASSERT_EQ(out.count, 0u);
            p.bit = true;
            if (p.up) {
                behind = true;
                if (p.since + 130 > now_) {
                    late_++;
                    late_us_ += p.since + 130 - now_;
                    now_ = p.since + 130;
                }
                p.up = false;
                judge(true);
            }
        }
        p.seen = true;
        p.dirty |= w.write;
        uint32_t at = 0;
        for (uint32_t i = 1; i <= depth_ && behind && frames_ > 1; i++) {
            const uint32_t next = gmmu_pages_find(n_.pages, w.asid, w.vpn + i);
            if (next == GMMU_NO_PAGE || !page_[next].seen || page_[next].in)
                continue;
            const uint32_t victim = bring(next, page);
            page_[next].up = true;
            page_[next].since = now_;
            raised++;
            ASSERT_LT(at, out.after_count) << "page " << next << " stays";
            expect_move(out.after[at++], next, GMMU_FAR, GMMU_NEAR);
            if (victim == GMMU_NO_PAGE)
                continue;
            ASSERT_LT(at, out.after_count) << "page " << victim << " stays";
            expect_move(out.after[at++], victim, GMMU_NEAR, GMMU_FAR);
        }
        EXPECT_EQ(at, out.after_count);
        EXPECT_TRUE(p.in);
    }
};

TEST(Bam, RaisesThePagesBehind) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0, raised = 0;
    const auto run = [&](const Numbered &n, uint32_t frames, uint32_t most) {
        SCOPED_TRACE(std::to_string(frames) + " frames, ahead=" + std::to_string(most));
        Bam b(n, frames, most);
        b.run();
        vectors += b.vectors;
        raised += b.raised;
    };
    for (uint64_t i = 0; i < 300 && !testing::Test::HasFailure(); i++) {
        const Numbered n(random.make(200 + random.below(2000), 10 + random.below(300)));
        const uint64_t most = i % 4 == 0 ? n.distinct() : 20;
        run(n, 1 + static_cast<uint32_t>(random.below(most)),
            static_cast<uint32_t>(random.below(65)));
    }
    for (const std::string &path : recorded_traces(
             {"hotspot.walk", "srad_v2.walk", "bfs.walk", "kmeans.walk", "lavamd.gwt"})) {
        SCOPED_TRACE(path);
        const Numbered n(read_trace(path));
        run(n, std::max(1u, n.distinct() / 10), 8);
        run(n, std::max(1u, n.distinct() / 3), 64);
    }
    EXPECT_GT(raised, 100000u);
    std::printf("[ vectors  ] bam, ahead: %llu accesses, %llu raised\n",
                static_cast<unsigned long long>(vectors), static_cast<unsigned long long>(raised));
}

}  // namespace
