// SPDX-License-Identifier: Apache-2.0
// slots.h: the slots of Tier 2 as the driver believes them: which slot holds which page.
//
//            put(slot, page)            leaves(slot)
//    EMPTY ------------------> HELD <-----------------> LEAVING
//      ^                         |                         |
//      +------- free(slot) ------+------- free(slot) ------+
//
// (back by stays(slot); put() takes a slot in any state)
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/page.h"

namespace driver {

class Slots {
   public:
    // Which empty slot takes the next page: the slot that was emptied last, at first the lowest; or
    // the next empty slot above the slot that was taken last.
    enum Pick { EMPTIED_LAST, IN_TURN };

    // N enabled slots; 0: there is no Tier 2.
    explicit Slots(uint32_t n, Pick pick = EMPTIED_LAST) : pick_(pick), slot_(n) {
        for (uint32_t s = n; s-- > 0;) stack_.push_back(s);
    }
    uint32_t n() const { return static_cast<uint32_t>(slot_.size()); }

    // ---- who is where
    // True: a fault of PAGE may name *SLOT.
    bool find(Page page, uint32_t *slot) const {
        const auto it = where_.find(page);
        if (it != where_.end())
            *slot = it->second;
        return it != where_.end();
    }
    bool holds(uint32_t slot, Page page) const {
        const auto it = where_.find(page);
        return it != where_.end() && it->second == slot;
    }
    // The slot that was emptied last, or got another page last.
    uint32_t last_freed() const { return freed_; }

    // ---- what happens to a slot; nothing if there is no such slot
    void put(uint32_t slot, Page page) {
        if (slot >= n())
            return;
        forget(slot);
        freed_ = slot;
        slot_[slot] = {HELD, page};
        where_[page] = slot;
    }
    // A decision names the page in the slot: no fault may name the slot any more.
    void leaves(uint32_t slot) {
        if (slot >= n())
            return;
        forget(slot);
        slot_[slot].state = LEAVING;
    }
    void free(uint32_t slot) {
        if (slot >= n())
            return;
        forget(slot);
        freed_ = slot;
        if (slot_[slot].state != EMPTY && pick_ == EMPTIED_LAST)
            stack_.push_back(slot);
        slot_[slot].state = EMPTY;
    }
    // The driver does not follow that decision.
    void stays(uint32_t slot) {
        if (slot >= n() || slot_[slot].state != LEAVING)
            return;
        slot_[slot].state = HELD;
        where_[slot_[slot].page] = slot;
    }
    // A slot for the victim of D: the slot whose page leaves Tier 2 for the victim, or an empty
    // slot. False: there is no slot.
    bool room_for(const gmmu_tier_decision &d, uint32_t *slot) {
        if (d.t2_valid) {
            *slot = d.t2_slot;
            return true;
        }
        return pick_ == IN_TURN ? next_in_turn(slot) : emptied_last(slot);
    }
    // IN_TURN: the search for the next empty slot begins above SLOT.
    void from(uint32_t slot) { turn_ = slot; }

   private:
    enum State { EMPTY, HELD, LEAVING };
    struct Slot {
        State state = EMPTY;
        Page page;
    };
    const Pick pick_;
    std::vector<Slot> slot_;
    std::map<Page, uint32_t> where_;
    std::vector<uint32_t> stack_;  // EMPTIED_LAST: empty slots, and some that were put since
    uint32_t turn_ = 0, freed_ = 0;

    void forget(uint32_t slot) {
        if (slot_[slot].state == HELD && holds(slot, slot_[slot].page))
            where_.erase(slot_[slot].page);
    }
    bool emptied_last(uint32_t *slot) {
        while (!stack_.empty() && slot_[stack_.back()].state != EMPTY) stack_.pop_back();
        if (stack_.empty())
            return false;
        *slot = stack_.back();
        return true;
    }
    bool next_in_turn(uint32_t *slot) {
        for (uint32_t i = 0; i < n(); i++) {
            turn_ = turn_ + 1 < n() ? turn_ + 1 : 0;
            if (slot_[turn_].state == EMPTY) {
                *slot = turn_;
                return true;
            }
        }
        return false;
    }
};

}  // namespace driver
