// SPDX-License-Identifier: Apache-2.0
// hints_test.cpp: the forecast by launches, the cost by reuse intervals, policies hinted and
// hinted-known, and the way of hints through the replay.
//
// State space: random programs of 3 kernels, up to 300 launches and 40 pages in two address spaces;
// each page asked for behind each walk, against a forecast that keeps all and searches it from the
// end. What is beyond the tables' bounds: launches and touches that are forgotten.
#include "policy/hints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "policy/reuse.h"
#include "random_trace.h"

namespace {

// The forecast in the plainest way.
class SlowForecast {
   public:
    explicit SlowForecast(size_t pages) : pages_(pages) {}
    void launch(uint64_t kernel, bool followed, uint64_t next) {
        launches_.push_back({kernel, now_, followed, next});
        const size_t n = launches_.size();
        alike_ = 0;
        for (const bool with_next : {true, false}) {
            for (const size_t length : {4, 2, 1}) {
                for (size_t m = n - 1; alike_ == 0 && length <= n && m >= length; m--) {
                    bool same = !with_next || (followed && launches_[m - 1].followed &&
                                               launches_[m - 1].next == next);
                    for (size_t i = 1; i <= length; i++) {
                        same = same && launches_[m - i].kernel == launches_[n - i].kernel;
                    }
                    alike_ = same ? m : 0;
                }
            }
        }
    }
    void walk(uint32_t page) {
        std::vector<Stay> &stays = pages_[page].stays;
        if (stays.empty() || stays.back().launch != launches_.size()) {
            stays.push_back({launches_.size(), {}});
        }
        stays.back().touches.push_back(now_++);
        pages_[page].freed = false;
    }
    void mark(uint32_t page, bool freed) { pages_[page].freed = freed; }
    uint64_t next(uint32_t page) const {
        const State &p = pages_[page];
        const uint64_t none = p.freed ? GMMU_NEXT_NEVER : GMMU_NEXT_UNKNOWN;
        if (alike_ == 0) {
            return none;
        }
        // launch number a begins at launches_[a - 1]; the walk to come repeats walk AT
        const uint64_t at = std::min(launches_[alike_ - 1].walk + now_ - launches_.back().walk,
                                     launches_[alike_].walk);
        const size_t kept = std::min<size_t>(p.stays.size(), GMMU_FORECAST_STAYS);
        const Stay *last = p.stays.data() + p.stays.size() - kept;
        for (size_t i = 0; i < kept; i++) {
            const std::vector<uint64_t> &t = last[i].touches;
            if (t.back() < at) {
                continue;
            }
            if (t[0] < at) {
                return std::min((t.back() - t[0]) / (t.size() - 1), t.back() - at);
            }
            const uint64_t apart = (last[kept - 1].touches[0] - t[0]) / (GMMU_FORECAST_STAYS - 1);
            return i == 0 && kept == GMMU_FORECAST_STAYS ? std::min(t[0] - at, apart) : t[0] - at;
        }
        return none;
    }

   private:
    struct Launch {
        uint64_t kernel, walk;
        bool followed;
        uint64_t next;
    };
    struct Stay {
        size_t launch;
        std::vector<uint64_t> touches;
    };
    struct State {
        std::vector<Stay> stays;
        bool freed = false;
    };
    std::vector<Launch> launches_;
    std::vector<State> pages_;
    uint64_t now_ = 0;
    size_t alike_ = 0;
};

gmmu_hint launch_of(uint64_t kernel) {
    gmmu_hint h = {};
    h.kind = GMMU_HINT_LAUNCH;
    h.id = kernel;
    return h;
}

gmmu_hint range_of(gmmu_hint_kind kind, uint32_t asid, uint64_t first, uint64_t pages) {
    gmmu_hint h = {};
    h.kind = kind;
    h.asid = asid;
    h.first = first;
    h.pages = pages;
    return h;
}

TEST(Forecast, EqualsASlowOneOnRandomPrograms) {
    RandomTrace random(test_seed() + 30);
    uint64_t vectors = 0;
    uint64_t forecast = 0;
    for (int program = 0; program < 9; program++) {
        gmmu_pages *pages = gmmu_pages_create();
        gmmu_forecast *f = gmmu_forecast_create(pages);
        ASSERT_NE(f, nullptr);
        enum { PAGES = 40 };
        SlowForecast slow(PAGES);
        for (uint32_t i = 0; i < PAGES; i++) {
            (void)gmmu_pages_index(pages, i % 2, 100 + i / 2);
        }
        const bool known = program % 3 == 0;
        const uint64_t kinds = known ? 2 : 3;  // few contexts: no two share a slot of the table
        const uint64_t period = 1 + random.below(7);
        std::vector<uint64_t> kernels;
        for (int i = 0; i < 300; i++) {
            kernels.push_back(random.below(10) == 0 ? random.below(kinds)
                                                    : static_cast<uint64_t>(i) % period % kinds);
        }
        std::vector<bool> seen(PAGES);
        for (size_t n = 0; n + 1 < kernels.size(); n++) {
            if (n > 3 || program % 2 == 0) {  // walks before the first launch, too
                const gmmu_hint h = launch_of(kernels[n]);
                gmmu_forecast_hint(f, &h, known, kernels[n + 1]);
                slow.launch(kernels[n], known, kernels[n + 1]);
            }
            const uint64_t walks = random.below(12);
            for (uint64_t i = 0; i < walks; i++) {
                const uint32_t page = static_cast<uint32_t>(
                    random.below(3) == 0 ? random.below(PAGES) : (kernels[n] * 9 + i) % PAGES);
                ASSERT_TRUE(gmmu_forecast_walk(f, page));
                slow.walk(page);
                seen[page] = true;
                if (random.below(6) == 0) {
                    gmmu_hint h =
                        range_of(random.below(3) == 0 ? GMMU_HINT_ALLOC : GMMU_HINT_FREE,
                                 static_cast<uint32_t>(random.below(2)), 95 + random.below(25),
                                 random.below(2) == 0 ? 1 + random.below(5) : 1000);
                    gmmu_forecast_hint(f, &h, false, 0);
                    for (uint32_t p = 0; p < PAGES; p++) {
                        if (p % 2 == h.asid && 100 + p / 2 >= h.first &&
                            100 + p / 2 < h.first + h.pages) {
                            slow.mark(p, h.kind == GMMU_HINT_FREE);
                        }
                    }
                }
                for (uint32_t p = 0; p < PAGES; p++) {
                    if (seen[p]) {
                        ASSERT_EQ(gmmu_forecast_next(f, p), slow.next(p))
                            << "program " << program << ", launch " << n << ", page " << p;
                        forecast += slow.next(p) < GMMU_NEXT_NEVER ? 1 : 0;
                        vectors++;
                    }
                }
            }
        }
        gmmu_forecast_destroy(f);
        gmmu_pages_destroy(pages);
    }
    EXPECT_GT(forecast, vectors / 4);
    std::printf("[ vectors  ] forecasts: %llu, %llu with a distance\n",
                static_cast<unsigned long long>(vectors),
                static_cast<unsigned long long>(forecast));
}

// The example of hints.h: A B C A B, page p in the first B and in C.
TEST(Forecast, ExampleOfTheHead) {
    gmmu_pages *pages = gmmu_pages_create();
    gmmu_forecast *f = gmmu_forecast_create(pages);
    ASSERT_NE(f, nullptr);
    const uint32_t p = gmmu_pages_index(pages, 0, 1);
    const uint32_t other = gmmu_pages_index(pages, 0, 2);
    auto start = [&](uint64_t kernel) {
        const gmmu_hint h = launch_of(kernel);
        gmmu_forecast_hint(f, &h, false, 0);
    };
    auto walks = [&](uint32_t page, int count) {
        for (int i = 0; i < count; i++) {
            ASSERT_TRUE(gmmu_forecast_walk(f, page));
        }
    };
    start('A');
    walks(other, 10);
    start('B');  // walks 10 to 29
    walks(other, 3);
    walks(p, 1);  // 13
    EXPECT_EQ(gmmu_forecast_next(f, p), GMMU_NEXT_UNKNOWN);
    EXPECT_EQ(gmmu_forecast_age(f, p), 1U);
    walks(other, 16);
    start('C');  // 30 to 49
    walks(other, 5);
    walks(p, 1);  // 35
    walks(other, 14);
    start('A');
    walks(other, 10);
    start('B');
    walks(other, 2);
    EXPECT_EQ(gmmu_forecast_next(f, p), 1U);  // 13 - 12
    walks(other, 8);
    EXPECT_EQ(gmmu_forecast_next(f, p), 15U);  // 35 - 20
    walks(other, 30);                          // longer than the first B: as at its end
    EXPECT_EQ(gmmu_forecast_next(f, p), 5U);
    start('D');  // never seen
    EXPECT_EQ(gmmu_forecast_next(f, p), GMMU_NEXT_UNKNOWN);
    gmmu_forecast_destroy(f);
    gmmu_pages_destroy(pages);
}

// A launch too long ago has lost its beginning.
TEST(Forecast, ForgetsOldLaunches) {
    for (const int between : {GMMU_FORECAST_LAUNCHES - 2, GMMU_FORECAST_LAUNCHES - 1}) {
        gmmu_pages *pages = gmmu_pages_create();
        gmmu_forecast *f = gmmu_forecast_create(pages);
        ASSERT_NE(f, nullptr);
        const uint32_t page = gmmu_pages_index(pages, 0, 1);
        auto start = [&](uint64_t kernel) {
            const gmmu_hint h = launch_of(kernel);
            gmmu_forecast_hint(f, &h, false, 0);
        };
        start(1);
        ASSERT_TRUE(gmmu_forecast_walk(f, page));
        ASSERT_TRUE(gmmu_forecast_walk(f, page));
        for (int i = 0; i < between; i++) {
            start(2);
        }
        start(1);
        EXPECT_EQ(gmmu_forecast_next(f, page),
                  between == GMMU_FORECAST_LAUNCHES - 2 ? 0 : GMMU_NEXT_UNKNOWN);
        gmmu_forecast_destroy(f);
        gmmu_pages_destroy(pages);
    }
}

// 100 lies in the bin 96 … 111, 1000 in 896 … 1023.
TEST(Reuse, CostIsThatOfTheCheapestLease) {
    gmmu_reuse *r = gmmu_reuse_create();
    ASSERT_NE(r, nullptr);
    const uint32_t a = gmmu_reuse_ref(r, 0, 7);
    const uint32_t b = gmmu_reuse_ref(r, 1, 7);
    const uint32_t c = gmmu_reuse_ref(r, 1, 8);
    EXPECT_EQ(gmmu_reuse_ref(r, 0, 7), a);
    EXPECT_NE(a, b);
    EXPECT_EQ(gmmu_reuse_cost(r, a, 0), GMMU_REUSE_BEYOND);  // nothing is known
    for (int i = 0; i < 8; i++) {
        gmmu_reuse_add(r, a, i % 2 == 0 ? 100 : 1000);
    }
    EXPECT_EQ(gmmu_reuse_cost(r, a, 0), 224U);    // half come within 112 walks
    EXPECT_EQ(gmmu_reuse_cost(r, a, 100), 24U);   // 12 walks, for half of them
    EXPECT_EQ(gmmu_reuse_cost(r, a, 112), 912U);  // only the others are left: 1024 - 112
    EXPECT_EQ(gmmu_reuse_cost(r, a, 1020), 4U);
    EXPECT_EQ(gmmu_reuse_cost(r, a, 1024), GMMU_REUSE_BEYOND);
    EXPECT_EQ(gmmu_reuse_cost(r, b, 0), 224U);  // cold: as all
    for (int i = 0; i < 8; i++) {
        gmmu_reuse_add(r, c, UINT64_C(1) << 40);
    }
    EXPECT_EQ(gmmu_reuse_cost(r, c, 0), (UINT64_C(5) << 38));  // to the bin's end
    EXPECT_EQ(gmmu_reuse_cost(r, a, 0), 224U);
    // what was seen before is forgotten by halves
    for (int i = 0; i < 1 << 19; i++) {
        gmmu_reuse_add(r, a, 10);
    }
    EXPECT_EQ(gmmu_reuse_cost(r, a, 0), 12U);
    EXPECT_EQ(gmmu_reuse_cost(r, a, 100), GMMU_REUSE_BEYOND);
    gmmu_reuse_destroy(r);
}

struct Evictions {
    uint64_t evictions, faults;
};

// Replays in pieces of PIECE walks, with those hints that stand among them.
Evictions replay(const Numbered &n, const gmmu_policy *policy, uint32_t frames,
                 const std::vector<gmmu_hint> &hints, size_t piece, const char *options = nullptr) {
    gmmu_sim *s = n.sim(policy, frames, options);
    gmmu_error err = {};
    size_t hint = 0;
    for (size_t at = 0; at <= n.trace.size(); at += piece) {
        const size_t count = std::min(piece, n.trace.size() - at);
        size_t end = hint;
        while (end < hints.size() &&
               (hints[end].walk < at + count || at + count == n.trace.size())) {
            end++;
        }
        EXPECT_EQ(gmmu_sim_replay_hinted(s, n.index.data() + at, n.trace.data() + at, count, at,
                                         hints.data() + hint, end - hint, &err),
                  GMMU_OK);
        hint = end;
    }
    const gmmu_counts c = gmmu_sim_counts(s);
    gmmu_sim_destroy(s);
    return {c.evictions, c.faults};
}

// Kernels that sweep arrays of their own, in turn: nothing in the instructions tells that an array
// is not needed until its kernel comes again, the order of launches does.
TEST(Hinted, KnowsWhichKernelComes) {
    std::vector<gmmu_walk> walks;
    std::vector<gmmu_hint> hints;
    RandomTrace random(test_seed() + 31);
    static const unsigned order[] = {0, 0, 0, 1, 2, 2, 1};  // arrays of 100, 200 and 300 pages
    for (unsigned i = 0; i < 20 * 7; i++) {
        const unsigned kernel = order[i % 7];
        gmmu_hint h = launch_of(kernel);
        h.walk = walks.size();
        hints.push_back(h);
        for (uint64_t page = 0; page < 100 * (kernel + 1); page++) {
            gmmu_walk w = {};
            w.vpn = 1000 * kernel + page;
            w.ref = 1;
            walks.push_back(w);
        }
    }
    const Numbered n(walks);
    Numbered known(walks);
    std::vector<uint64_t> launches;
    for (const gmmu_hint &h : hints) {
        launches.push_back(h.id);
    }
    known.future.launches =
        static_cast<uint64_t *>(gmmu_grow(nullptr, 0, launches.size(), sizeof(uint64_t), 0));
    std::copy(launches.begin(), launches.end(), known.future.launches);
    known.future.launch_count = launches.size();
    const Evictions opt = replay(n, &gmmu_policy_opt, 350, {}, 1000);
    const Evictions lru = replay(n, &gmmu_policy_lru, 350, hints, 1000);
    const Evictions blind = replay(n, &gmmu_policy_hinted, 350, {}, 1000, "candidates=0");
    const Evictions seeing = replay(n, &gmmu_policy_hinted, 350, hints, 1000, "candidates=0:far=0");
    const Evictions ideal =
        replay(known, &gmmu_policy_hinted_known, 350, hints, 1000, "candidates=0:far=0");
    EXPECT_EQ(lru.evictions, replay(n, &gmmu_policy_lru, 350, {}, 7).evictions);
    EXPECT_GT(blind.evictions, opt.evictions * 11 / 10);
    EXPECT_LT(seeing.evictions, opt.evictions * 11 / 10);
    EXPECT_LE(ideal.evictions, seeing.evictions);
    EXPECT_GE(ideal.evictions, opt.evictions);
    // pieces change nothing, nor does a draw of as many as there are
    for (const size_t piece : {1, 7, 100, 1000000}) {
        const Evictions same =
            replay(n, &gmmu_policy_hinted, 350, hints, piece, "candidates=0:far=0");
        EXPECT_EQ(same.evictions, seeing.evictions);
    }
    EXPECT_EQ(replay(n, &gmmu_policy_hinted, 350, hints, 99, "candidates=350:far=0").evictions,
              seeing.evictions);
    std::printf("[ vectors  ] evictions: opt %llu, lru %llu, blind %llu, hinted %llu, known %llu\n",
                static_cast<unsigned long long>(opt.evictions),
                static_cast<unsigned long long>(lru.evictions),
                static_cast<unsigned long long>(blind.evictions),
                static_cast<unsigned long long>(seeing.evictions),
                static_cast<unsigned long long>(ideal.evictions));
}

// What is freed leaves first, at its leaving, and comes back if it is walked to.
TEST(Hinted, FreedPagesLeaveFirst) {
    std::vector<gmmu_walk> walks;
    auto walk = [&](uint64_t vpn) {
        gmmu_walk w = {};
        w.vpn = vpn;
        walks.push_back(w);
    };
    for (uint64_t page = 0; page < 8; page++) {
        walk(page);
    }
    gmmu_hint h = range_of(GMMU_HINT_FREE, 0, 4, 2);
    h.walk = 8;
    for (uint64_t page : {100, 101, 4, 0, 1, 2, 3, 6, 7}) {
        walk(page);
    }
    const Numbered n(walks);
    // 100 and 101 take the places of 4 and 5; then 4, which must come back, that of one of 0 to 101
    gmmu_sim *s = n.sim(&gmmu_policy_hinted, 8, "candidates=0");
    gmmu_error err = {};
    gmmu_outcome out = {};
    EXPECT_EQ(gmmu_sim_replay_hinted(s, n.index.data(), n.trace.data(), 8, 0, &h, 1, &err),
              GMMU_OK);
    for (const uint64_t victim : {4, 5}) {
        const size_t i = 4 + victim;
        ASSERT_EQ(gmmu_sim_access(s, n.index[i], &n.trace[i], &out, &err), GMMU_OK);
        EXPECT_EQ(n.page(gmmu_outcome_victim(&out)).second, victim);
    }
    ASSERT_EQ(gmmu_sim_access(s, n.index[10], &n.trace[10], &out, &err), GMMU_OK);
    EXPECT_TRUE(out.fault);
    EXPECT_EQ(gmmu_sim_counts(s).evictions, 3U);
    gmmu_sim_destroy(s);
}

TEST(Hinted, OptionsAndNoHints) {
    RandomTrace random(test_seed() + 32);
    const Numbered n(random.make(20000, 300));
    for (const char *options : {"", "candidates=0", "candidates=1:seed=5", "far=1000"}) {
        for (const uint32_t frames : {1U, 2U, 100U, n.distinct(), n.distinct() + 1}) {
            const Evictions e = replay(n, &gmmu_policy_hinted, frames, {}, 512, options);
            EXPECT_EQ(e.evictions, e.faults - std::min(frames, n.distinct()));
        }
    }
    gmmu_error err = {};
    for (const char *bad : {"far=1001", "candidates=x", "size=2"}) {
        const gmmu_policy_config config = {
            .frames = 4, .pages = n.pages, .options = bad, .seed = 1};
        EXPECT_EQ(gmmu_sim_create(&gmmu_policy_hinted, &config, &err), nullptr);
        EXPECT_NE(std::string(err.text).find("hinted"), std::string::npos) << err.text;
    }
}

}  // namespace
