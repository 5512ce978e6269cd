// SPDX-License-Identifier: Apache-2.0
// odd.h: a driver that keeps to no order: operations without a decision, illegal operations among
// them; pages in two places; hits of pages on their way out; pages of Tier 2 forgotten, or
// remembered for too long.
//
// Unit and twin have to agree on all of these. driver.h says what is right.
#pragma once
#include <functional>
#include <map>
#include <random>
#include <utility>

#include "driver/driver.h"

namespace driver {

class OddDriver : public Driver {
   public:
    unsigned odd_permille = 0;  // of the operations come without a decision

    // The test gives random numbers, some page, the unit's time.
    struct World {
        std::mt19937 *rng;
        std::function<Page()> some_page;
        std::function<uint32_t()> time;
    };
    OddDriver(const gmmu_config &config, const gmmu_regs &regs, World world)
        : Driver(regs.frames, regs.t2_slots, Slots::IN_TURN),
          cfg(config),
          w(std::move(world)),
          all_frames(1u << gmmu_index_bits(config.frames)) {}

    // The page that left Tier 2 last. False: no page left so far.
    bool left_last(Page *page) const {
        if (has_left)
            *page = left_tier2;
        return has_left;
    }
    // Any number that the port for slots takes.
    uint32_t any_slot() { return below(1u << gmmu_index_bits(cfg.t2_slots)); }

   protected:
    // The victim is still hit until another page comes. A page that leaves Tier 2 comes back now
    // and then; or its slot is empty at once; or a fault still names the slot.
    void depart(const Decision &d) override {
        if (d.t2_valid) {
            has_left = true;
            left_tier2 = {d.t2_asid, d.t2_vpn};
            if (below(8) == 0) {
                Operation o = operation(GMMU_FILL, below(book.frames.n()), left_tier2);
                o.t2 = true;
                o.slot = d.t2_slot;
                push(o);
            } else if (below(3)) {
                book.slots.free(d.t2_slot);
            }
        }
        if (has_victim(d))
            left[{d.victim_asid, d.victim_vpn}] = d.victim_last;
    }
    bool evicts(const Decision &d) override {
        (void)d;
        return below(4) != 0;
    }
    Look look(const Decision &d) override {
        (void)d;
        return FOLLOW;
    }
    Operation bring(const Decision &d) override {
        Operation o = Driver::bring(d);
        o.dirty = below(8) == 0;
        o.t2 = o.t2 && (o.op == GMMU_ASK || d.rise);
        return o;
    }
    // The highest empty frame, even for several pages in turn.
    uint32_t empty_frame(const Decision &d) override {
        uint32_t frame = d.frame;
        for (uint32_t f = 0; f < book.frames.n(); f++)
            if (book.frames[f].state == EMPTY)
                frame = f;
        return frame;
    }
    bool own_slot(const Decision &d) override { return below(d.swap ? 2 : 16) != 0; }
    bool instead(Operation *o) override {
        if (!chance(odd_permille))
            return false;
        *o = odd();
        return true;
    }
    void ready(Operation *o) override {
        if (fills(*o))
            returns(o);
        if (cfg.t2_slots == 0)
            o->t2 = below(2);  // without Tier 2 the bit means nothing
        o->force = below(4) == 0;
        if (o->op == GMMU_CANCEL && below(8) == 0)
            o->ahead = !o->ahead;
    }
    // A page that comes into another frame leaves an empty frame behind.
    void took(const Operation &o) override {
        const int64_t old = book.frames.find(page_of(o));
        if (fills(o) && o.frame < book.frames.n() && old >= 0 && old != o.frame)
            book.frames.free(static_cast<uint32_t>(old));
        Driver::took(o);
    }

   private:
    const gmmu_config &cfg;
    const World w;
    const uint32_t all_frames;  // numbers that the port for frames can carry
    bool has_left = false;
    Page left_tier2;
    std::map<Page, uint32_t> left;  // last accesses of pages that left their frames

    unsigned below(uint64_t n) { return static_cast<unsigned>((*w.rng)() % n); }
    bool chance(unsigned permille) { return below(1000) < permille; }

    // FILL: a time at which the page was here, near the one now or anywhere.
    void returns(Operation *o) {
        const auto was = left.find(page_of(*o));
        o->returns = was != left.end() ? below(8) != 0 : below(8) == 0;
        o->was = was != left.end() && below(8) ? was->second : w.time() - below(600);
        if (below(16) == 0)
            o->was = (*w.rng)();
        o->was &= static_cast<uint32_t>((1ull << cfg.time_w) - 1);
    }

    Operation odd() {
        const Page page = w.some_page();
        const unsigned kinds = cfg.t2_slots != 0 ? GMMU_T2_SWAP : GMMU_ASK;
        Operation o = operation(below(50) ? 1 + below(kinds) : below(16), 0, page);
        o.frame = below(50)  ? below(book.frames.n())
                  : below(2) ? book.frames.n() % all_frames
                             : below(all_frames);
        o.dirty = below(2);
        if (o.op == GMMU_PIN && below(4))
            o.op = GMMU_UNPIN;  // or soon nothing is left to evict
        if ((o.op == GMMU_FILL || o.op == GMMU_CANCEL) && !answers.empty() && below(2))
            of_next_answer(&o);
        o.t2 = book.slots.find(page_of(o), &o.slot) ? below(8) != 0 : below(8) == 0;
        if (o.op >= GMMU_T2_FILL_DONE)
            odd_slot(&o);
        return o;
    }
    void of_next_answer(Operation *o) {
        const Decision &d = answers.front().d;
        o->asid = d.asid;
        o->vpn = d.vpn;
        if (d.tier == GMMU_TIER_2)
            o->frame = d.frame;
    }
    // An operation on some slot: often of a page that leaves, of no page, of no slot.
    void odd_slot(Operation *o) {
        o->slot = book.slots.n() != 0 && below(8) ? below(book.slots.n()) : any_slot();
        if (o->op == GMMU_T2_CANCEL && below(2))
            o->slot = book.slots.last_freed();
        if (o->op == GMMU_T2_FILL_DONE && !answers.empty() && answers.front().d.tier == GMMU_TIER_2)
            o->frame = answers.front().d.frame;
        if (o->op == GMMU_T2_FREE && below(4))
            o->op = GMMU_ASK;  // or soon Tier 2 is empty
    }
};

}  // namespace driver
