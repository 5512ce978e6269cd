// SPDX-License-Identifier: Apache-2.0
// random_run.h: random walks and an odd driver (tb/driver/odd.h) in front of the unit.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "driver/odd.h"
#include "lockstep/lockstep.h"
#include "setup.h"

// What a random run is like.
struct Style {
    const char *name = "";
    unsigned walk_permille = 0;      // of the cycles bring a walk
    unsigned drv_permille = 0;       // of the free cycles bring an answer of the driver
    unsigned odd_permille = 0;       // of the driver's operations are odd ones
    unsigned ready_permille = 1000;  // of the cycles a decision is taken
    unsigned stale_permille = 0;     // of the hits name a wrong frame
    unsigned replay_permille = 0;    // of the walks are replays
    unsigned times = 1;              // as many cycles as the others
};

class RandomRun {
   public:
    RandomRun(const char *ram, uint32_t seed, const gmmu_regs &regs, const char *arg)
        : rng(seed),
          step(config(), regs, ram, seed, arg),
          player(config(), regs,
                 {&rng, [this] { return some_page(); }, [this] { return step.twin.walk.time; }}) {
        // every bit of a page's and of a reference's number matters, in one run or another
        any_page = static_cast<uint64_t>(rng()) << 32 | rng();
        any_ref = static_cast<uint64_t>(rng()) << 32 | rng();
    }

    Lockstep &lockstep() { return step; }

    // From this slot of Tier 2 on the driver looks for empty ones.
    void slots_from(uint32_t slot) { player.book.slots.from(slot); }

    // Permille of the cycles change cfg_protect; bring an operation on a range; change another
    // register; order the flush of an address space, or take the order back.
    unsigned shares = 0, ranges = 0, changes = 0, flushes = 0;
    // Is called before each cycle of run().
    std::function<void()> meanwhile;

    // All of these until the unit rests. False at the first mismatch.
    bool run(const Style &s, uint64_t cycles, unsigned pages, unsigned refs) {
        return go(s, cycles, pages, refs) && settle();
    }
    // And more may follow without a rest.
    bool go(const Style &s, uint64_t cycles, unsigned pages, unsigned refs) {
        if (!begin())
            return false;
        step.ranges().offers = ranges;
        player.odd_permille = s.odd_permille;
        some_pages = pages;
        for (uint64_t i = 0; i < cycles && !step.mismatch.found; i++) {
            offer_registers();
            offer_walk(s, refs);
            offer_operation(s);
            step.take_decisions(chance(s.ready_permille));
            if (meanwhile)
                meanwhile();
            after(step.cycle());
        }
        return !step.mismatch.found;
    }

    // Reset, before all else. False: the reset sequence does not end.
    bool begin() {
        if (started)
            return true;
        started = true;
        if (!step.reset())
            return false;
#ifndef GMMU_MUTANTS  // their netlist has no variable for an output
        // at the end of a number of bits, of all 32 at last: no run is long enough for the upper
        // ones
        step.count_from((0xFFFFFFFFu >> below(24)) - below(16));
#endif
        return true;
    }

    // A page of its own, for which no other stimulus asks: the driver leaves its decision
    // unanswered, and its fault grows old. SLOT is 0 or 1; from a walk, or by ASK.
    void old_fault(unsigned slot, bool by_walk) {
        gmmu_tier_walk_in w = {};
        w.vpn = old_page(slot);
        w.ref = 0x77 + slot;
        w.write = w.fault = true;
        if (by_walk) {
            step.offer_walk(w);
            after(step.cycle());
        } else {
            operate(GMMU_ASK, old_page(slot), 0);
        }
        (void)settle();
    }
    // At last it is answered: its last access is seen.
    void fill_old_fault(unsigned slot, uint32_t frame) {
        operate(GMMU_FILL, old_page(slot), frame);
        (void)settle();
    }

   private:
    std::mt19937 rng;
    Lockstep step;
    driver::OddDriver player;
    bool started = false;
    uint64_t any_page, any_ref;
    unsigned some_pages = 1;  // how many there are, in this run
    gmmu_tier_walk_in meet = {};
    unsigned meet_in = 0;  // cycles

    unsigned below(uint64_t n) {
        return static_cast<unsigned>(rng() % n);
    }
    bool chance(unsigned permille) {
        return below(1000) < permille;
    }
    // What changes at the inputs of registers in this cycle.
    void offer_registers() {
        if (shares != 0 && chance(shares))
            share();
        if (config().t2_slots != 0 && chance(2))
            step.foresee(below(8) != 0, below(600), below(3000));
        if (changes != 0 && chance(changes))
            change();
        if (flushes != 0 && chance(flushes))
            step.flush(below(2) ? 0 : below(1u << config().asid_w), (step.regs.flush & 1) == 0);
    }
    void offer_walk(const Style &s, unsigned refs) {
        if (!chance(s.walk_permille))
            return;
        const gmmu_tier_walk_in w = walk(s, refs);
        step.offer_walk(w);
        if (meet_in == 0 && w.fault && chance(20 + s.odd_permille / 10)) {
            meet = w;
            meet_in = 5 + below(3);
        }
    }
    void offer_operation(const Style &s) {
        // an operation on the page of a fault, in the cycle in which that takes effect
        if (meet_in != 0 && --meet_in == 0 && !player.waits() && s.odd_permille != 0)
            step.offer_drv(*player.offer(
                driver::operation(below(4) ? GMMU_ASK : GMMU_CANCEL, 0, {meet.asid, meet.vpn})));
        if (player.waits() || !chance(s.drv_permille))
            return;
        if (const driver::Operation *o = player.next())
            step.offer_drv(*o);
    }
    // Another share of the frames may be protected; often it is back soon, or grows step by step.
    void share() {
        const uint32_t now = step.regs.protect;
        const uint32_t some[] = {0, 1, 40, 128, 217, 255, now + 1, now / 2};
        step.protect((below(4) ? some[below(8)] : below(256)) & 255);
    }
    // Another value of a register that may change at any time; often it is back soon.
    void change() {
        step.change([this](gmmu_regs &r) {
            const uint32_t batches[] = {0, 1, 2, 5, config().ritq, config().ritq + 3},
                           few[] = {0, 1, 2, 3, 7, 40};
            switch (below(11)) {
                case 0:
                    r.pseudo ^= 1;
                    return;
                case 1:
                    r.feed ^= 1;
                    return;
                case 2:
                    r.censor ^= 1;
                    return;
                case 3:
                    r.refresh = below(10);
                    return;
                case 4:
                    r.rit_batch = batches[below(6)];
                    return;
                case 5:
                    r.rit_fault ^= 1;
                    return;
                case 6:
                    r.rit_wait = below(12);
                    return;
                case 7:
                    r.transfer = few[below(6)];
                    return;
                case 9:
                    r.ahead = below(3) ? 0 : below(std::max(2u, r.frames / 4));
                    return;
                case 8:
                    r.fresh = below(10);
                    return;
                default:
                    r.tier_default ^= 1;
            }
        });
    }
    uint64_t old_page(unsigned slot) const {
        return (0x5A5A5u + slot) & ((1ull << std::min(config().vpn_w, 32u)) - 1);
    }
    bool is_old(driver::Page page) const {
        return page.second == old_page(0) || page.second == old_page(1);
    }
    void operate(unsigned op, uint64_t vpn, uint32_t frame) {
        step.offer_drv(*player.offer(driver::operation(op, frame, {0, vpn})));
        while (player.waits() && !step.mismatch.found) after(step.cycle());
    }

    driver::Page some_page() {
        driver::Page p;
        if (player.left_last(&p) && below(16) == 0)
            return p;
        const unsigned n = below(4) ? below(some_pages) : below(some_pages) * below(8) / 8;
        uint64_t vpn = (n % 3 == 0 ? ~0ull << 3 : 0) ^ n;  // both ends of the number range
        if (n % 4 == 2)
            vpn = n * (any_page | 1);
        if (n % 8 == 3)
            vpn ^= 1ull << (any_page + n) % config().vpn_w;
        p.second = vpn & (config().vpn_w == 64 ? ~0ull : (1ull << config().vpn_w) - 1);
        p.first = below(8) ? 0 : below(2) * ((1u << config().asid_w) - 1);
        if (below(16) == 0)
            p.first = 1u << below(config().asid_w);
        return p;
    }

    gmmu_tier_walk_in walk(const Style &s, unsigned refs) {
        gmmu_tier_walk_in w = {};
        const driver::Page page = some_page();
        w.asid = page.first;
        w.vpn = page.second;
        const uint64_t r = below(refs);
        w.ref = (r % 2 ? r * (any_ref | 1) : 0x1000 + 0x10 * r) &
                ((config().ref_w == 64 ? 0 : 1ull << config().ref_w) - 1);
        w.write = below(4) == 0;
        const int64_t frame = player.book.frames.find(page);
        w.fault = frame < 0;
        w.frame = w.fault ? 0 : static_cast<uint32_t>(frame);
        if (chance(s.stale_permille)) {
            w.fault = false;
            w.frame = below(1u << gmmu_index_bits(config().frames));
        }
        w.t2 = player.book.slots.find(page, &w.slot) || chance(s.stale_permille);
        if (chance(s.stale_permille))
            w.slot = player.any_slot();
        w.replay = chance(s.replay_permille);
        return w;
    }

    void after(const Cycle &c) {
        if (c.drv_taken)
            player.taken();
        if (!c.decided)
            return;
        if (is_old(driver::page_of(c.decision)))
            player.ignored(c.decision);
        else
            player.decided(c.decision);
    }

    // No more stimuli: the unit comes to rest, and then nothing is missing.
    bool settle() {
        step.take_decisions(true);
        step.ranges().offers = 0;
        const uint64_t limit = step.did.cycles + 40ull * config().frames +
                               10000ull * config().classes + (config().frame_mem ? 400000 : 60000);
        unsigned rest = 0;
        while (rest < 16 && step.did.cycles < limit && !step.mismatch.found) {
            const Cycle c = step.cycle();
            after(c);
            rest = c.quiet && !player.waits() ? rest + 1 : 0;
        }
        if (rest != 16 && !step.mismatch.found)
            (void)step.expect("gmmu_tier", "does not come to rest", 1, 0);
        step.finish();
        return rest == 16 && !step.mismatch.found;
    }
};
