// SPDX-License-Identifier: Apache-2.0
// tier_predict_test.cpp: the tier predictor, RTL against C twin, every answer and every cycle that
// an operation waits.
//
// State space: few pages or many more than entries; pages of one set, and such as share a hash; all
// operations in any order, also on pages without an entry, at home and away; pages in play beside
// an AGE; distances about both thresholds, of any size, and about the age that AGE clamps, time
// that wraps and jumps; pages that return as from a tier that follows their last one, until that
// weight is full; thresholds of 0, equal, crossed, all ones; every policy and default, with a model
// and without; most pages foretold for Tier 3, so that some are forced; registers changed in the
// middle of the stream; flushes, while others are under way, and one behind the other; operations
// in every cycle, or now and then; reset in the middle, short or long, while something is asked; a
// clear that lasts. Parameter space: the configuration that it is built for (one set, one way,
// weights of one bit); RAM models; random initial state. With bits that turn over in words as they
// are written: what is found was put there, or is told to be lost.
#include "blocks/tier_predict.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"
#include "driver/gmt_host.h"
#include "gmmu/trace.h"
#include "tier_predict/flipped.h"
#include "tier_predict/lockstep.h"

namespace {

unsigned entries() {
    return bench::config().tp_sets * bench::config().tp_ways;
}

std::vector<Style> styles() {
    const unsigned n = entries() < 512 ? entries() : 512;
    // clang-format off
    return {{.pages = 4, .busy = 1000, .look = 300, .back = 300, .leave = 300, .stay = 50, .jump = 100, .change = 10, .cycles = 6000},
            {.pages = 12, .one_set = 500, .busy = 1000, .look = 200, .back = 350, .leave = 350, .stay = 50, .near_far = 2, .jump = 10,
     .change = 5, .cycles = 8000},
            {.pages = 3 * n, .busy = 1000, .look = 200, .back = 350, .leave = 400, .stay = 20, .jump = 20, .change = 5, .cycles = 8000},
            {.pages = 8, .one_set = 1000, .busy = 500, .look = 300, .back = 300, .leave = 300, .stay = 50, .near_far = 2, .change = 20,
     .cycles = 4000},
            {.pages = 6, .one_set = 200, .busy = 1000, .look = 100, .back = 440, .leave = 440, .near_far = 1, .change = 2, .cycles = 8000},
            {.pages = 2 * n, .one_set = 100, .busy = 800, .look = 100, .back = 300, .leave = 300, .stay = 50, .near_far = 2, .jump = 50,
     .change = 2, .cycles = 8000},
            {.pages = 20, .one_set = 300, .busy = 200, .look = 250, .back = 250, .leave = 250, .stay = 100, .jump = 300, .change = 50,
     .cycles = 4000},
            {.pages = 2, .busy = 1000, .look = 150, .back = 410, .leave = 410, .stay = 10, .near_far = 2, .change = 1, .cycles = 20000},
            {.pages = 24, .one_set = 1000, .busy = 1000, .look = 300, .back = 330, .leave = 330, .stay = 10, .near_far = 2, .jump = 2,
     .change = 2, .cycles = 8000},
            {.pages = 3, .busy = 1000, .look = 100, .back = 445, .leave = 445, .near_far = 2, .change = 1, .cycles = 12000, .aim = 950},
            {.pages = 8, .busy = 1000, .look = 150, .back = 410, .leave = 410, .stay = 10, .change = 5, .cycles = 12000, .aim = 900},
            {.pages = 12, .one_set = 300, .busy = 1000, .look = 200, .back = 350, .leave = 350, .stay = 50, .near_far = 2, .jump = 10,
     .change = 5, .cycles = 8000, .forget = 500},
            {.pages = 12, .one_set = 300, .busy = 300, .look = 200, .back = 350, .leave = 350, .stay = 50, .near_far = 2, .jump = 10,
     .change = 5, .cycles = 4000, .forget = 20000}};
    // clang-format on
}

bench::Outcome run(const bench::Setup &s) {
    TierPredict b(s);
    b.reset();
    for (const Style &style : styles())
        if (!b.mismatch.found) {
            (void)b.run(style);
            b.drain();
        }
    Style part = styles()[1];
    part.cycles = 500;
    for (unsigned i = 0; i < 8 && !b.mismatch.found; i++) {
        (void)b.run(part);
        b.reset();  // in the middle
    }
    if (!b.mismatch.found) {
        (void)b.run(styles()[1]);
        b.drain();
    }
    bench::Outcome o;
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 20;
    Flipped f(flips);
    (void)f.run(24000, 8);
    o.add(f);
    return o;
}

#ifdef GMMU_FAULTS

TEST(TierPredictFaults, EachIsSeen) {
    bench::expect_faults_seen("tier_predict", 2, run);
}

#else

TEST(TierPredict, LockStep) {
    bench::expect_lockstep("tier_predict", 4, run);
}

TEST(TierPredict, ALookEveryCycle) {
    TierPredict b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    const uint64_t cycles = 20000;
    EXPECT_TRUE(b.run({.pages = 50, .busy = 1000, .look = 1000, .cycles = cycles}))
        << b.mismatch.text();
    EXPECT_EQ(b.taken, cycles);
    EXPECT_EQ(b.waits, 0u);
}

TEST(TierPredict, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Flipped b({.ram = ram, .seed = bench::seed_of_run(), .flip = 20});
        EXPECT_TRUE(b.run(40000, 8)) << b.mismatch.text();
        EXPECT_GT(b.lost, 5u);
        EXPECT_GT(b.turns, 100u);
        if (entries() >= 32 && bench::config().tp_tag_w >= 8) {  // tags of some bits
            EXPECT_GT(b.tags, 50u);
        }
        if (entries() >= 32) {
            EXPECT_GT(b.foretold, 1000u);
        }
        std::printf("tier_predict (%s): %" PRIu64 " operations, %" PRIu64
                    " met a bad word, in %" PRIu64 " an entry\n",
                    GMMU_CONFIG_NAME, b.actions, b.turns, b.lost);
    }
}

TEST(TierPredict, StimuliAreWorthIt) {
    TierPredict b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    for (const Style &style : styles()) EXPECT_TRUE(b.run(style)) << b.mismatch.text();
    const unsigned part = entries() < 32 ? 20 : 1;  // a small one forgets most
    EXPECT_GT(b.found, 3000u / part);
    EXPECT_GT(b.learnt, 500u / part);
    for (unsigned t = 0; t <= 3; t++) EXPECT_GT(b.foretold[t], 150u / part) << t;
    EXPECT_GT(b.clamped, 3u / part);
    EXPECT_GT(b.waits, 1000u);
    EXPECT_GT(b.changes, 100u);
    EXPECT_GT(b.forgotten, 4u);
    EXPECT_GT(b.blind, 100u);
    if (part == 1) {
        EXPECT_GT(b.forced, 5u);
    }
}

// GMT-Reuse with the block as its predictor: CLOCK in a tenth of the pages, four times as much
// behind it; the host's line from all pairs.
class Gmt : public TierPredict {
   public:
    uint64_t away = 0, kept = 0, to2 = 0, to3 = 0;

    Gmt(const bench::Setup &s, uint32_t pages)
        : TierPredict(s), frames_(std::max(1u, pages / 10)), ring_(frames_), bit_(frames_) {
        gmmu_gmt_host_init(&host_, frames_, 4ull * frames_);
        registers() = {.policy = GMMU_PLACE_REUSE};
        drive_registers();
    }
    ~Gmt() { gmmu_gmt_host_free(&host_); }
    Gmt(const Gmt &) = delete;
    Gmt &operator=(const Gmt &) = delete;

    // A walk to PAGE, number INDEX in order of first appearance.
    bool walk(uint32_t index, uint32_t asid, uint64_t vpn) {
        time_++;
        const uint64_t lines = host_.lines;
        EXPECT_TRUE(gmmu_gmt_host_access(&host_, index, time_, 0));
        if (host_.lines != lines && host_.line.known) {
            const uint64_t most = bench::mask(cfg.time_w);
            registers().model = true;
            registers().near = static_cast<uint32_t>(std::min(host_.near, most));
            registers().far = static_cast<uint32_t>(std::min(host_.far, most));
        }
        if (time_ % age_every() == 0) {
            (void)done(GMMU_TP_AGE, 0, 0, time_, age_at_);
            age_at_ = (age_at_ + 1) % (cfg.tp_sets * cfg.tp_ways);
        }
        const auto at = frame_of_.find({asid, vpn});
        if (at != frame_of_.end()) {
            bit_[at->second] = true;
            return ok();
        }
        (void)done(GMMU_TP_RETURN, asid, vpn, time_, 0);
        const uint32_t f = used_ < frames_ ? used_++ : victim();
        ring_[f] = {asid, vpn};
        bit_[f] = false;
        frame_of_[{asid, vpn}] = f;
        hand_ = (f + 1) % frames_;
        return ok();
    }
    void end() { settle_all(); }

   private:
    gmmu_gmt_host host_ = {};
    uint32_t frames_, used_ = 0, hand_ = 0, age_at_ = 0;
    uint64_t time_ = 0;
    std::vector<std::pair<uint32_t, uint64_t> > ring_;
    std::vector<bool> bit_;
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> frame_of_;

    uint64_t age_every() const {
        return std::max<uint64_t>(1, (1ull << (cfg.time_w - 3)) / (cfg.tp_sets * cfg.tp_ways));
    }
    uint32_t victim() {
        for (unsigned n = 0; ok(); hand_ = (hand_ + 1) % frames_) {
            const auto page = ring_[hand_];
            if (bit_[hand_]) {
                bit_[hand_] = false;
                continue;
            }
            const gmmu_tp_answer a = done(GMMU_TP_LOOK, page.first, page.second, time_, 0);
            if (a.pred == 1 && n < 8) {
                bit_[hand_] = true;
                n++;
                kept++;
                continue;
            }
            break;
        }
        const auto page = ring_[hand_];
        const gmmu_tp_answer a = done(GMMU_TP_LEAVE, page.first, page.second, time_, 0);
        away++;
        to2 += a.tier == 2;
        to3 += a.tier == 3;
        frame_of_.erase(page);
        return hand_;
    }
};

// A few short traces; with GMMU_LONG (make conformance) the whole of all.
TEST(TierPredict, RecordedWalks) {
    const bool all = std::getenv("GMMU_LONG") != nullptr;
    const char *root = std::getenv("GMMU_ROOT");
    const std::string folder = std::string(root ? root : ".") + "/sim/traces";
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        const std::string ext = entry.path().extension(), name = entry.path().stem();
        if ((ext == ".walk" || ext == ".gwt") &&
            (all || name == "bfs" || name == "hotspot" || name == "lavamd" || name == "pagerank"))
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    ASSERT_GE(paths.size(), all ? 39u : 4u);
    uint64_t away = 0, kept = 0, to2 = 0, to3 = 0, operations = 0, cycles = 0;
    for (const std::string &path : paths) {
        gmmu_error err = {};
        gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
        ASSERT_NE(r, nullptr) << err.text;
        std::vector<gmmu_walk> walks;
        std::map<std::pair<uint32_t, uint64_t>, uint32_t> index;
        gmmu_walk w;
        while (walks.size() < (all ? SIZE_MAX : 60000) &&
               gmmu_reader_next(r, &w, &err) == GMMU_OK) {
            w.asid &= static_cast<uint32_t>(bench::mask(bench::config().asid_w));
            w.vpn &= bench::mask(bench::config().vpn_w);
            walks.push_back(w);
            index.emplace(std::make_pair(w.asid, w.vpn), static_cast<uint32_t>(index.size()));
        }
        gmmu_reader_close(r);
        Gmt b({.ram = "garbage", .seed = bench::seed_of_run()},
              static_cast<uint32_t>(index.size()));
        b.reset();
        for (const gmmu_walk &x : walks)
            if (!b.walk(index.at({x.asid, x.vpn}), x.asid, x.vpn))
                break;
        b.end();
        ASSERT_FALSE(b.mismatch.found) << path << ": " << b.mismatch.text();
        away += b.away;
        kept += b.kept;
        to2 += b.to2;
        to3 += b.to3;
        operations += b.actions;
        cycles += b.cycles;
    }
    std::printf("tier_predict (%s): %" PRIu64
                " operations of %zu recorded traces compared in %" PRIu64 " cycles: %" PRIu64
                " pages left, %" PRIu64 " for Tier 2, %" PRIu64 " for Tier 3; %" PRIu64 " kept\n",
                GMMU_CONFIG_NAME, operations, paths.size(), cycles, away, to2, to3, kept);
    EXPECT_GT(to2, away / 100);
    if (entries() >= 32) {  // a smaller one has forgotten most
        EXPECT_GT(to3, all ? 10000u : 100u);
    }
    if (all) {
        EXPECT_GT(kept, 1000u);
    }
}

#endif

}  // namespace
