// SPDX-License-Identifier: Apache-2.0
// fair_pins.h: the library fair_pins behind the platform's driver, which tells for which SM a page
// comes.
#pragma once
#include <cstdint>
#include <vector>

#include "driver.h"
#include "driver/fair_pins.h"

class FairPins {
   public:
    // The pages of PERCENT of the SMS are pinned.
    FairPins(uint32_t frames, uint32_t sms, uint32_t percent) {
        gmmu_fair_pins_config c = gmmu_fair_pins_default(frames, sms);
        c.behind = static_cast<uint32_t>(uint64_t{sms} * percent / 100);
        memory_.resize(gmmu_fair_pins_bytes(&c) / 8 + 2);
        if (gmmu_fair_pins_init(&pins_, &c, memory_.data(), memory_.size() * 8) != 0)
            bad("parameter driver.fair: found " + std::to_string(percent) + " with " +
                std::to_string(sms) + " SMs, expected at most 99, and 65536 SMs");
    }
    FairPins(const FairPins &) = delete;
    FairPins &operator=(const FairPins &) = delete;
    // SM waits for PAGE.
    void fault(uint32_t page, uint32_t sm, bool replay) {
        if (page >= for_.size()) {
            for_.resize(page * size_t(2) + 64, GMMU_FAIR_NONE);
            came_.resize(for_.size());
        }
        if (!replay && came_[page])
            gmmu_fair_pins_refault(&pins_, sm);
        uint32_t *is = &for_[page];
        *is = *is == GMMU_FAIR_NONE ? sm : gmmu_fair_pins_for(&pins_, *is, sm);
    }
    // PAGE has come into FRAME. True: PIN. The page of a fault that is still in the fault buffer
    // comes for no SM: another batch took what was decided for the fault.
    bool filled(uint32_t frame, uint32_t page) {
        const uint32_t sm = page < for_.size() ? for_[page] : GMMU_FAIR_NONE;
        if (sm == GMMU_FAIR_NONE)
            return false;
        for_[page] = GMMU_FAIR_NONE;
        came_[page] = true;
        return gmmu_fair_pins_filled(&pins_, frame, sm);
    }
    void left(uint32_t frame) { gmmu_fair_pins_left(&pins_, frame); }
    // OP(frame, pin) for each frame that is to be pinned or unpinned.
    template <typename Op>
    void rank(Op op) {
        gmmu_fair_pins_rank(
            &pins_,
            [](void *self, uint32_t frame, bool pin) { (*static_cast<Op *>(self))(frame, pin); },
            &op);
    }

   private:
    gmmu_fair_pins pins_ = {};
    std::vector<uint64_t> memory_;
    std::vector<uint32_t> for_;  // of each page that is to come: the SM
    std::vector<bool> came_;     // the page was in memory before
};
