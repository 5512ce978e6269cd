// SPDX-License-Identifier: Apache-2.0
// slots_side.h: plays the driver of Tier 2 in front of the unit: which slot holds which page, and
// what a decision asks for.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "blocks/gmmu_tier.h"

class SlotsSide {
   public:
    // SLOTS enabled ones; 0: there is no Tier 2.
    explicit SlotsSide(uint32_t slots) : on_(slots != 0), busy_(slots, false) {
        for (uint32_t s = slots; s-- > 0;) empty_.push_back(s);
    }

    // A fault says in which slot its page is.
    void asks(gmmu_tier_walk_in *w) const { w->t2 = w->fault && find(w->asid, w->vpn, &w->slot); }
    // True: the page is in *SLOT; false: in none, and *SLOT is 0.
    bool find(uint32_t asid, uint64_t vpn, uint32_t *slot) const {
        const auto it = where_.find({asid, vpn});
        *slot = it == where_.end() ? 0 : it->second;
        return it != where_.end();
    }
    // The operations that answer D, in order, of which FILL is the one that puts its page into a
    // frame.
    std::vector<gmmu_tier_drv_in> answer(const gmmu_tier_decision &d, gmmu_tier_drv_in fill) {
        std::vector<gmmu_tier_drv_in> ops;
        const Page page(d.asid, d.vpn);
        const auto from = where_.find(page);
        if (from != where_.end()) {  // it rises, or came there after its fault
            fill.t2 = true;
            fill.slot = from->second;
            if (!d.swap)
                empty(from->second);
            where_.erase(from);
        }
        if (d.t2_valid)
            empty(d.t2_slot);
        if (d.tier == GMMU_TIER_2 && on_) {
            const Page victim(d.victim_asid, d.victim_vpn);
            if (d.swap) {
                fill.op = GMMU_T2_SWAP;
                where_[victim] = fill.slot;
            } else {
                const uint32_t to = take();
                gmmu_tier_drv_in done = {};
                done.op = GMMU_T2_FILL_DONE;
                done.frame = d.frame;
                done.slot = to;
                ops.push_back(done);
                where_[victim] = to;
            }
        }
        ops.push_back(fill);
        return ops;
    }
    // The page that leaves Tier 2 with D may no longer be asked for there.
    void decided(const gmmu_tier_decision &d) {
        const auto it = where_.find({d.t2_asid, d.t2_vpn});
        if (d.t2_valid && it != where_.end() && it->second == d.t2_slot)
            where_.erase(it);
    }
    // ---- where pages take time: D is followed by and by
    // The slot for the victim of D, which goes there for its own sake; it is nobody else's from now
    // on. False: there is none.
    bool reserve(const gmmu_tier_decision &d, uint32_t *slot) {
        if (!d.t2_valid && empty_.empty())
            return false;
        *slot = d.t2_valid ? d.t2_slot : take();
        return true;
    }
    // The page that a slot was reserved for is there.
    void put(uint32_t asid, uint64_t vpn, uint32_t slot) { where_[{asid, vpn}] = slot; }
    // The page comes into a frame. True: it leaves *SLOT, which is empty, or becomes the place of
    // another page by put().
    bool rises(uint32_t asid, uint64_t vpn, bool swap, uint32_t *slot) {
        const auto it = where_.find({asid, vpn});
        if (it == where_.end())
            return false;
        *slot = it->second;
        where_.erase(it);
        if (!swap)
            empty(*slot);
        return true;
    }

    // The page is in this slot.
    bool holds(uint32_t asid, uint64_t vpn, uint32_t slot) const {
        const auto it = where_.find({asid, vpn});
        return it != where_.end() && it->second == slot;
    }
    std::size_t held() const { return where_.size(); }

   private:
    using Page = std::pair<uint32_t, uint64_t>;
    bool on_;
    std::map<Page, uint32_t> where_;
    std::vector<uint32_t> empty_;
    std::vector<bool> busy_;

    uint32_t take() {
        const uint32_t s = empty_.empty() ? 0 : empty_.back();
        if (!empty_.empty())
            empty_.pop_back();
        busy_[s] = true;
        return s;
    }
    void empty(uint32_t slot) {
        if (busy_[slot])
            empty_.push_back(slot);
        busy_[slot] = false;
    }
};
