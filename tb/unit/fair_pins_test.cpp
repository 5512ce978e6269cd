// SPDX-License-Identifier: Apache-2.0
// fair_pins_test.cpp: which pages the library pins, against a model that sorts all SMs and looks at
// all frames each time.
//
// State space: one to many SMs, with and without refaults; equal counts; counts that fade, and that
// do not; memory in which the pinned frames are few, or all that may be; none, some and all of the
// pins spare; pages that come for SMs behind and for others, leave pinned and loose, and come into
// frames that never were empty.
#include "driver/fair_pins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

// The library, and what the driver has pinned by its words.
class Pins {
   public:
    gmmu_fair_pins f;
    std::vector<bool> pinned;
    std::vector<uint32_t> order;  // the pinned frames, the oldest pin first
    std::vector<uint32_t> ended;  // by the last rank

    explicit Pins(const gmmu_fair_pins_config &c)
        : pinned(c.frames), memory(gmmu_fair_pins_bytes(&c) / 8 + 2) {
        EXPECT_EQ(gmmu_fair_pins_init(&f, &c, memory.data(), memory.size() * 8), 0);
    }
    void filled(uint32_t frame, uint32_t sm) { pin(frame, gmmu_fair_pins_filled(&f, frame, sm)); }
    void left(uint32_t frame) {
        gmmu_fair_pins_left(&f, frame);
        pin(frame, false);
    }
    // UNPIN goes before PIN, and each changes its frame.
    void rank() {
        pins_ = false;
        ended.clear();
        gmmu_fair_pins_rank(
            &f,
            [](void *self, uint32_t frame, bool pin) {
                Pins *p = static_cast<Pins *>(self);
                EXPECT_NE(p->pinned[frame], pin);
                EXPECT_TRUE(pin || !p->pins_);
                p->pins_ |= pin;
                p->pin(frame, pin);
                if (!pin)
                    p->ended.push_back(frame);
            },
            this);
    }
    uint32_t count() const {
        return static_cast<uint32_t>(std::count(pinned.begin(), pinned.end(), true));
    }

   private:
    void pin(uint32_t frame, bool yes) {
        pinned[frame] = yes;
        order.erase(std::remove(order.begin(), order.end(), frame), order.end());
        if (yes)
            order.push_back(frame);
    }

    std::vector<uint64_t> memory;
    bool pins_ = false;
};

struct Model {
    gmmu_fair_pins_config c;
    std::vector<uint64_t> refaults;
    std::vector<int64_t> sm_of;  // of each frame; -1: none, or its page is pinned no more
    std::vector<bool> behind;
    uint64_t counted = 0;

    explicit Model(const gmmu_fair_pins_config &config)
        : c(config), refaults(c.sms), sm_of(c.frames, -1), behind(c.sms) {}
    void refault(uint32_t sm) {
        refaults[sm]++;
        if (c.fades == 0 || ++counted % c.fades != 0)
            return;
        for (uint64_t &n : refaults) n >>= 1;
    }
    // Returns the frames whose pins end, of those that are pinned, the oldest pin first: those of
    // SMs that are not behind; then the oldest ones, which are not pinned again.
    std::vector<uint32_t> rank(const std::vector<uint32_t> &order) {
        std::vector<std::pair<uint64_t, uint32_t>> all;
        for (uint32_t i = 0; i < c.sms; i++) all.emplace_back(~refaults[i], i);
        std::sort(all.begin(), all.end());
        const auto with = c.sms - std::count(refaults.begin(), refaults.end(), 0u);
        for (uint32_t i = 0; i < c.sms; i++) behind[all[i].second] = i < with * c.behind / c.sms;
        std::vector<uint32_t> end, stay;
        for (const uint32_t frame : order) (wants(frame) ? stay : end).push_back(frame);
        for (size_t i = 0; i + c.most - c.spare < stay.size(); i++) {
            end.push_back(stay[i]);
            sm_of[stay[i]] = -1;
        }
        return end;
    }
    bool wants(uint32_t frame) const {
        return sm_of[frame] >= 0 && behind[static_cast<size_t>(sm_of[frame])];
    }
};

// RANKED: all frames that are to be pinned are, as far as there is room.
void compare(const Pins &p, const Model &m, bool ranked) {
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < m.c.frames; i++) {
        wanted += m.wants(i);
        ASSERT_TRUE(!p.pinned[i] || m.wants(i)) << "frame " << i;
    }
    ASSERT_EQ(p.f.pinned, p.count());
    ASSERT_LE(p.count(), m.c.most);
    if (ranked) {
        ASSERT_EQ(p.count(), std::min(wanted, m.c.most));
    }
}

TEST(FairPins, RandomRunsAgainstTheModel) {
    std::mt19937_64 rng(1);
    const auto below = [&rng](uint64_t n) { return static_cast<uint32_t>(rng() % n); };
    for (unsigned n = 0; n < 400; n++) {
        gmmu_fair_pins_config c = {};
        c.frames = 1 + below(n % 2 != 0 ? 8 : 200);
        c.sms = 1 + below(n % 3 != 0 ? 20 : 3);
        c.behind = below(c.sms);
        c.most = below(c.frames);
        c.spare = below(3) == 0 ? 0 : below(c.most + 1);
        c.fades = below(3) == 0 ? 0 : 1 + below(100);
        Pins p(c);
        Model m(c);
        for (unsigned k = 0; k < 2000; k++) {
            const uint32_t frame = below(c.frames);
            // some SMs refault more often
            const uint32_t sm = std::min(below(c.sms), below(c.sms));
            switch (below(8)) {
                case 0:
                    p.left(frame);
                    m.sm_of[frame] = -1;
                    break;
                case 1: {
                    std::vector<uint32_t> end = m.rank(p.order);
                    p.rank();
                    std::sort(end.begin(), end.end());
                    std::sort(p.ended.begin(), p.ended.end());
                    ASSERT_EQ(p.ended, end) << "run " << n;
                    ASSERT_NO_FATAL_FAILURE(compare(p, m, true)) << "run " << n;
                    break;
                }
                case 2:
                case 3:
                    p.filled(frame, sm);
                    m.sm_of[frame] = sm;
                    break;
                default:
                    gmmu_fair_pins_refault(&p.f, sm);
                    m.refault(sm);
                    ASSERT_EQ(p.f.sm[sm].refaults, m.refaults[sm]);
                    break;
            }
            ASSERT_NO_FATAL_FAILURE(compare(p, m, false)) << "run " << n;
        }
    }
}

TEST(FairPins, ThePageComesForTheSmWithMoreRefaults) {
    Pins p({8, 4, 1, 4, 0, 0});
    EXPECT_EQ(gmmu_fair_pins_for(&p.f, 3, 2), 2u);  // no refaults: the lower number
    gmmu_fair_pins_refault(&p.f, 3);
    EXPECT_EQ(gmmu_fair_pins_for(&p.f, 3, 2), 3u);
    EXPECT_EQ(gmmu_fair_pins_for(&p.f, 2, 3), 3u);
    EXPECT_EQ(gmmu_fair_pins_for(&p.f, 3, 3), 3u);
}

TEST(FairPins, OneSmIsNeverBehind) {
    Pins p({8, 4, 3, 4, 0, 0});
    gmmu_fair_pins_refault(&p.f, 2);
    p.filled(0, 2);
    p.rank();
    EXPECT_EQ(p.count(), 0u);  // three of four of one SM are none
}

TEST(FairPins, AQuarterOfTheSmsAndHalfOfTheFrames) {
    const gmmu_fair_pins_config c = gmmu_fair_pins_default(100, 16);
    EXPECT_EQ(c.frames, 100u);
    EXPECT_EQ(c.sms, 16u);
    EXPECT_EQ(c.behind, 4u);
    EXPECT_EQ(c.most, 50u);
    EXPECT_EQ(c.spare, 2u);
    EXPECT_EQ(c.fades, 200u);
}

TEST(FairPins, OneOfFewFramesIsSpare) {
    EXPECT_EQ(gmmu_fair_pins_default(1, 4).spare, 0u);  // no frame is pinned
    EXPECT_EQ(gmmu_fair_pins_default(8, 4).spare, 1u);
}

TEST(FairPins, NumbersOutOfRangeAreRefused) {
    const gmmu_fair_pins_config good = {8, 4, 3, 7, 7, 1};
    gmmu_fair_pins f;
    std::vector<uint64_t> memory(1 << 16);
    const auto init = [&](const gmmu_fair_pins_config &c, size_t bytes) {
        return gmmu_fair_pins_init(&f, &c, memory.data(), bytes);
    };
    EXPECT_EQ(init(good, gmmu_fair_pins_bytes(&good)), 0);
    EXPECT_NE(init(good, gmmu_fair_pins_bytes(&good) - 1), 0);
    EXPECT_NE(init({0, 4, 3, 0, 0, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({8, 0, 0, 7, 0, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({8, 65537, 3, 7, 0, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({8, 4, 4, 7, 0, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({8, 4, 3, 8, 0, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({8, 4, 3, 7, 8, 1}, memory.size() * 8), 0);
    EXPECT_NE(init({GMMU_FAIR_NONE, 4, 3, 7, 0, 1}, memory.size() * 8), 0);
}

}  // namespace
