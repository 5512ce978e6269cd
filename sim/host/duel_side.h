// SPDX-License-Identifier: Apache-2.0
// duel_side.h: the driver's duel of shares behind the beats of m_axis_rit: it sets cfg_protect.
#pragma once
#include <string>
#include <vector>

#include "driver/share_duel.h"
#include "host/bad.h"

class DuelSide {
   public:
    DuelSide(const gmmu_config &cfg, const gmmu_regs &regs, bool on)
        : on_(on),
          c_(gmmu_share_duel_default(&cfg, &regs)),
          memory_(gmmu_share_duel_bytes(&c_) / 8 + 1) {
        if (gmmu_share_duel_init(&duel_, &c_, memory_.data(), memory_.size() * 8) != 0)
            bad("the duel of shares: a number is out of range");
    }
    bool on() const { return on_; }
    template <typename Source>
    void listen(Source *unit) {
        unit->on_rit([this](const uint32_t *words, bool last) { beat(words, last); });
    }
    void beat(const uint32_t *words, bool last) {
        bad_ |= gmmu_share_duel_beat(&duel_, words, last) != GMMU_RIMM_OK;
        beats_++;
    }
    // A beat was lost, or not understood.
    bool lost() const { return bad_; }
    // What cfg_protect shall be; true: another than the last time.
    bool wishes(uint32_t *share) {
        *share = gmmu_share_duel_protect(&duel_);
        const bool other = *share != last_;
        last_ = *share;
        return on_ && other;
    }
    // The words of the report; *MISMATCH: not all beats were taken well.
    template <typename Source>
    std::string report(const Source &unit, bool *mismatch) const {
        *mismatch = bad_ || beats_ != unit.rit().records + unit.rit().packets;
        return "share " + std::to_string(last_) + " at the end, changed " +
               std::to_string(duel_.changes) + " times; shadows of " +
               std::to_string(duel_.frames) + " frames" + (*mismatch ? "; BEATS WERE LOST" : "");
    }

   private:
    bool on_;
    gmmu_share_duel_config c_;
    std::vector<uint64_t> memory_;
    gmmu_share_duel duel_;
    uint32_t last_ = 0;
    uint64_t beats_ = 0;
    bool bad_ = false;
};
