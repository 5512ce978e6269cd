// SPDX-License-Identifier: Apache-2.0
// scene.h: scenes, stimulus by stimulus, of what random runs seldom meet.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "driver/page.h"
#include "lockstep/lockstep.h"
#include "setup.h"

class Scene {
   public:
    Lockstep step;
    std::deque<gmmu_tier_decision> decisions;

    Scene(const gmmu_regs &regs, const char *ram, const char *arg = nullptr)
        : step(config(), regs, ram, seed_of_run(), arg) {
        if (!step.reset())  // or what follows would wait for ever
            (void)step.expect("gmmu_tier", "is reset", 0, 1);
        EXPECT_TRUE(good()) << step.mismatch.text();
        step.take_decisions(true);
    }
    bool good() const { return !step.mismatch.found; }
    Cycle cycle() {
        const Cycle c = step.cycle();
        if (c.decided)
            decisions.push_back(c.decision);
        return c;
    }
    void cycles(uint64_t n) {
        for (; n > 0 && good(); n--) cycle();
    }
    void hit_of(uint32_t asid, uint64_t page, uint32_t frame, uint64_t ref) {
        gmmu_tier_walk_in w = {};
        w.asid = asid;
        w.vpn = page;
        w.frame = frame;
        w.ref = ref;
        step.offer_walk(w);
        cycle();
    }
    void offer_hit(uint64_t page, uint32_t frame, uint64_t ref) {
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.frame = frame;
        w.ref = ref;
        step.offer_walk(w);
    }
    void hit(uint64_t page, uint32_t frame, uint64_t ref) {
        offer_hit(page, frame, ref);
        cycle();
    }
    void fault(uint64_t page, uint64_t ref) {
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.ref = ref;
        w.fault = true;
        step.offer_walk(w);
        cycle();
    }
    static gmmu_tier_drv_in operation(unsigned op, uint32_t frame, uint64_t page) {
        return driver::operation(op, frame, {0, page});
    }
    void offer_drv(unsigned op, uint32_t frame, uint64_t page) {
        step.offer_drv(operation(op, frame, page));
    }
    // Until it is taken.
    void drv(const gmmu_tier_drv_in &d) {
        step.offer_drv(d);
        while (good() && !cycle().drv_taken) {
        }
    }
    void drv(unsigned op, uint32_t frame, uint64_t page) { drv(operation(op, frame, page)); }
    void drv_of_slot(unsigned op, uint32_t frame, uint32_t slot) {
        gmmu_tier_drv_in d = operation(op, frame, 0);
        d.slot = slot;
        drv(d);
    }
    // The page of each decision so far is in the frame that it names.
    void fill_decided() {
        for (; !decisions.empty() && good(); decisions.pop_front())
            drv(GMMU_FILL, decisions.front().frame, decisions.front().vpn);
    }
    // Nothing is offered until nothing is under way.
    void rest() {
        const uint64_t limit =
            step.did.cycles + 40ull * config().frames + 10000ull * config().classes + 400000;
        unsigned calm = 0;
        while (calm < 16 && good() && step.did.cycles < limit) calm = cycle().quiet ? calm + 1 : 0;
        EXPECT_TRUE(calm == 16 || !good()) << "the unit does not come to rest";
    }
    // False: there was a mismatch.
    bool end() {
        step.take_decisions(true);
        rest();
        step.finish();
        EXPECT_TRUE(good()) << step.mismatch.text();
        return good();
    }
};

// All clocks rest. Then registers change, a cycle or two before the next walk; and a decision is
// taken late.
inline Mismatch clocks_rest(const char *ram, uint32_t seed, const char *arg) {
    std::mt19937 rng(seed);
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 3);
    regs.search = rng() % 3;
    Scene s(regs, ram, arg);
    for (uint32_t f = 0; f < 6; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned r = 0; r < 80 && s.good(); r++) {
        s.rest();
        s.cycles(20 + rng() % 20);
        regs.transfer = rng() % 4;
        regs.refresh = 1 + rng() % 5;
        regs.feed = rng() % 2;
        regs.censor = rng() % 2;
        regs.pseudo = rng() % 2;
        regs.protect = rng() % 256;
        regs.rit_batch = rng() % 2;  // none, or each record by itself: none waits when that changes
        s.step.configure(regs);
        s.cycles(1 + rng() % 3);
        s.step.take_decisions(rng() % 2);
        for (unsigned w = rng() % 8; w > 0 && s.good(); w--) {
            const uint32_t f = rng() % 8;
            if (rng() % 2)
                s.hit(f, f, 0x10 + rng() % 4);
            else
                s.fault(20 + rng() % 8, 0x10 + rng() % 4);
            s.cycles(rng() % 3);
        }
        s.cycles(rng() % 400);
        s.step.take_decisions(true);
        s.rest();
        for (; !s.decisions.empty() && s.good();
             s.decisions.pop_front())  // the victim's frame takes the page
            if (s.decisions.front().tier == GMMU_TIER_2)
                s.drv(GMMU_FILL, s.decisions.front().frame, s.decisions.front().vpn);
    }
    if (s.good()) {
        s.rest();
        s.step.finish();
    }
    return s.step.mismatch;
}
