// SPDX-License-Identifier: Apache-2.0
// random_run.h: random walks and a random driver in front of the unit.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "lockstep/lockstep.h"
#include "setup.h"
#include "slots.h"

// What a random run is like.
struct Style {
    const char *name;
    unsigned walk_permille;   // of the cycles bring a walk
    unsigned drv_permille;    // of the free cycles bring an answer of the driver
    unsigned odd_permille;    // of the driver's operations are odd ones
    unsigned ready_permille;  // of the cycles a decision is taken
    unsigned stale_permille;  // of the hits name a wrong frame
    unsigned times;           // as many cycles as the others
};

class RandomRun {
   public:
    RandomRun(const char *ram, uint32_t seed, const gmmu_regs &regs, const char *arg)
        : rng(seed),
          step(config(), regs, ram, seed, arg),
          frames(regs.frames),
          page_in(regs.frames),
          slots(regs.t2_slots) {
        // every bit of a page's and of a reference's number matters, in one run or another
        any_page = static_cast<uint64_t>(rng()) << 32 | rng();
        any_ref = static_cast<uint64_t>(rng()) << 32 | rng();
    }

    Lockstep &lockstep() { return step; }

    // From this slot of Tier 2 on the driver looks for empty ones.
    void slots_from(uint32_t slot) { slots.from(slot); }

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
        for (uint64_t i = 0; i < cycles && !step.mismatch.found; i++) {
            if (shares != 0 && chance(shares))
                share();
            if (config().t2_slots != 0 && chance(2))
                step.foresee(below(8) != 0, below(600), below(3000));
            if (changes != 0 && chance(changes))
                change();
            if (flushes != 0 && chance(flushes))
                step.flush(below(2) ? 0 : below(1u << config().asid_w), (step.regs.flush & 1) == 0);
            if (chance(s.walk_permille)) {
                const gmmu_tier_walk_in w = walk(s, pages, refs);
                step.offer_walk(w);
                if (meet_in == 0 && w.fault && chance(20 + s.odd_permille / 10)) {
                    meet = w;
                    meet_in = 5 + below(3);
                }
            }
            // an operation on the page of a fault, in the cycle in which that takes effect
            if (meet_in != 0 && --meet_in == 0 && !drv_waits && s.odd_permille != 0) {
                waiting = {};
                waiting.op = below(4) ? GMMU_ASK : GMMU_CANCEL;
                waiting.vpn = meet.vpn;
                waiting.asid = meet.asid;
                step.offer_drv(waiting);
                drv_waits = true;
            }
            if (!drv_waits && chance(s.drv_permille))
                offer_drv(s, pages);
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
    uint32_t frames;
    struct Page {
        bool valid = false, leaving = false;
        uint32_t asid = 0;
        uint64_t vpn = 0;
    };
    std::vector<Page> page_in;  // the driver's view of each frame
    Slots slots;                // and of each slot of Tier 2
    Page leaves;                // the page that left it last
    std::deque<gmmu_tier_decision> todo;
    std::deque<gmmu_tier_drv_in> then;  // what is left to do for the decision before
    // last accesses of pages that left
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> left;
    bool started = false, drv_waits = false;
    uint64_t any_page, any_ref;
    gmmu_tier_drv_in waiting = {};
    gmmu_tier_walk_in meet = {};
    unsigned meet_in = 0;  // cycles

    unsigned below(uint64_t n) {
        return static_cast<unsigned>(rng() % n);
    }
    bool chance(unsigned permille) {
        return below(1000) < permille;
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
            switch (below(9)) {
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
                default:
                    r.tier_default ^= 1;
            }
        });
    }
    // FILL: a time at which the page was here, near the one now or anywhere.
    void returns(gmmu_tier_drv_in &d) {
        const auto was = left.find({d.asid, d.vpn});
        d.returns = was != left.end() ? below(8) != 0 : below(8) == 0;
        d.was = was != left.end() && below(8) ? was->second : step.twin.walk.time - below(600);
        if (below(16) == 0)
            d.was = rng();
        d.was &= step.twin.walk.time_mask;
    }
    uint64_t old_page(unsigned slot) const {
        return (0x5A5A5u + slot) & ((1ull << std::min(config().vpn_w, 32u)) - 1);
    }
    void operate(unsigned op, uint64_t vpn, uint32_t frame) {
        waiting = {};
        waiting.op = op;
        waiting.vpn = vpn;
        waiting.frame = frame;
        drv_waits = true;
        for (step.offer_drv(waiting); drv_waits && !step.mismatch.found;) after(step.cycle());
    }

    uint32_t any_slot() {
        return below(1u << gmmu_index_bits(config().t2_slots));
    }
    // An operation on a slot that nobody asked for: often one that leaves, is free, is anything.
    void odd_slot(gmmu_tier_drv_in &d) {
        d.slot = slots.n() != 0 && below(8) ? below(slots.n()) : any_slot();
        if (d.op == GMMU_T2_CANCEL && below(2))
            d.slot = slots.last_freed();
        if (d.op == GMMU_T2_FILL_DONE && !todo.empty() && todo.front().tier == GMMU_TIER_2)
            d.frame = todo.front().frame;
        if (d.op == GMMU_T2_FREE && below(4))
            d.op = GMMU_ASK;  // or soon Tier 2 is empty
    }

    Page some_page(unsigned pages) {
        Page p;
        if (leaves.valid && below(16) == 0)
            return leaves;
        p.valid = true;
        const unsigned n = below(4) ? below(pages) : below(pages) * below(8) / 8;
        p.vpn = (n % 3 == 0 ? ~0ull << 3 : 0) ^ n;  // both ends of the number range
        if (n % 4 == 2)
            p.vpn = n * (any_page | 1);
        if (n % 8 == 3)
            p.vpn ^= 1ull << (any_page + n) % config().vpn_w;
        p.vpn &= config().vpn_w == 64 ? ~0ull : (1ull << config().vpn_w) - 1;
        p.asid = below(8) ? 0 : below(2) * ((1u << config().asid_w) - 1);
        if (below(16) == 0)
            p.asid = 1u << below(config().asid_w);
        return p;
    }

    gmmu_tier_walk_in walk(const Style &s, unsigned pages, unsigned refs) {
        gmmu_tier_walk_in w = {};
        const Page p = some_page(pages);
        w.vpn = p.vpn;
        w.asid = p.asid;
        const uint64_t r = below(refs);
        w.ref = (r % 2 ? r * (any_ref | 1) : 0x1000 + 0x10 * r) &
                ((config().ref_w == 64 ? 0 : 1ull << config().ref_w) - 1);
        w.write = below(4) == 0;
        w.fault = true;
        for (uint32_t f = 0; f < frames; f++)
            if (page_in[f].valid && page_in[f].vpn == p.vpn && page_in[f].asid == p.asid) {
                w.fault = false;
                w.frame = f;
            }
        if (chance(s.stale_permille)) {
            w.fault = false;
            w.frame = below(1u << gmmu_index_bits(config().frames));
        }
        w.t2 = slots.find(w.asid, w.vpn, &w.slot) || chance(s.stale_permille);
        if (chance(s.stale_permille))
            w.slot = any_slot();
        return w;
    }

    void offer_drv(const Style &s, unsigned pages) {
        gmmu_tier_drv_in d = {};
        if (chance(s.odd_permille)) {
            const Page p = some_page(pages);
            d.op = below(50) ? 1 + below(config().t2_slots != 0 ? 10 : 6) : below(16);
            const uint32_t all = 1u << gmmu_index_bits(config().frames);
            d.frame = below(50) ? below(frames) : below(2) ? frames % all : below(all);
            d.vpn = p.vpn;
            d.asid = p.asid;
            d.dirty = below(2);
            if (d.op == GMMU_PIN && below(4))
                d.op = GMMU_UNPIN;  // or soon nothing is left to evict
            if ((d.op == GMMU_FILL || d.op == GMMU_CANCEL) && !todo.empty() && below(2)) {
                d.vpn = todo.front().vpn;
                d.asid = todo.front().asid;
                d.frame = todo.front().tier == GMMU_TIER_2 ? todo.front().frame : d.frame;
            }
            d.t2 = slots.find(d.asid, d.vpn, &d.slot) ? below(8) != 0 : below(8) == 0;
            if (d.op >= GMMU_T2_FILL_DONE)
                odd_slot(d);
        } else if (!then.empty()) {
            d = then.front();
            then.pop_front();
        } else if (!todo.empty()) {
            const gmmu_tier_decision t = todo.front();
            todo.pop_front();
            d.vpn = t.vpn;
            d.asid = t.asid;
            d.op = t.tier == GMMU_TIER_NONE ? GMMU_ASK : GMMU_FILL;
            d.frame = t.frame;
            d.dirty = below(8) == 0;
            if (t.tier == GMMU_TIER_FREE)
                for (uint32_t f = 0; f < frames; f++)
                    if (!page_in[f].valid)
                        d.frame = f;
            d.t2 = slots.find(d.asid, d.vpn, &d.slot) && (d.op == GMMU_ASK || t.rise);
            uint32_t to;
            if (t.tier == GMMU_TIER_2 && slots.n() != 0 && below(t.swap ? 2 : 16) &&
                slots.room_for(t, &to)) {
                then.push_back(d);  // first its page goes to Tier 2
                d = {};
                d.op = GMMU_T2_FILL_DONE;
                d.frame = t.frame;
                d.slot = to;
            } else if (t.swap) {
                d.op = GMMU_T2_SWAP;
            }
        } else {
            return;
        }
        if (d.op == GMMU_FILL || d.op == GMMU_T2_SWAP)
            returns(d);
        if (config().t2_slots == 0)
            d.t2 = below(2);  // means nothing
        step.offer_drv(d);
        waiting = d;
        drv_waits = true;
    }

    void after(const Cycle &c) {
        if (c.drv_taken) {
            drv_waits = false;
            if (waiting.op == GMMU_T2_FILL_DONE && waiting.frame < frames)
                slots.put(waiting.slot, page_in[waiting.frame].asid, page_in[waiting.frame].vpn);
            if (waiting.op == GMMU_T2_FREE || (waiting.op == GMMU_FILL && waiting.t2))
                slots.free(waiting.slot);
            if (waiting.op == GMMU_T2_SWAP && waiting.frame < frames)
                slots.put(waiting.slot, page_in[waiting.frame].asid, page_in[waiting.frame].vpn);
            if (waiting.frame < frames && (waiting.op == GMMU_FILL || waiting.op == GMMU_T2_SWAP)) {
                for (Page &p : page_in)
                    if (p.valid && p.vpn == waiting.vpn && p.asid == waiting.asid)
                        p.valid = false;
                page_in[waiting.frame].valid = true;
                page_in[waiting.frame].vpn = waiting.vpn;
                page_in[waiting.frame].asid = waiting.asid;
            }
            if (waiting.frame < frames && waiting.op == GMMU_FREE)
                page_in[waiting.frame].valid = false;
        }
        if (c.decided && c.decision.t2_valid) {
            leaves.valid = true;
            leaves.vpn = c.decision.t2_vpn;
            leaves.asid = c.decision.t2_asid;
            if (below(8) == 0) {  // a driver that does not know yet brings it back
                gmmu_tier_drv_in d = {};
                d.op = GMMU_FILL;
                d.frame = below(frames);
                d.vpn = leaves.vpn;
                d.asid = leaves.asid;
                d.t2 = true;
                d.slot = c.decision.t2_slot;
                then.push_back(d);
            } else if (below(3)) {  // or a fault still says that it is there
                slots.free(c.decision.t2_slot);
            }
        }
        if (c.decided && (c.decision.tier == GMMU_TIER_2 || c.decision.tier == GMMU_TIER_3))
            left[{c.decision.victim_asid, c.decision.victim_vpn}] = c.decision.victim_last;
        if (c.decided && c.decision.vpn != old_page(0) && c.decision.vpn != old_page(1))
            todo.push_back(c.decision);
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
            rest = c.quiet && !drv_waits ? rest + 1 : 0;
        }
        if (rest != 16 && !step.mismatch.found)
            (void)step.expect("gmmu_tier", "does not come to rest", 1, 0);
        step.finish();
        return rest == 16 && !step.mismatch.found;
    }
};
