// SPDX-License-Identifier: Apache-2.0
// gmt_side.h: the driver's model of reuse behind the beats of m_axis_rit: it sets cfg_tier_near and
// cfg_tier_far.
#pragma once
#include <string>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/gmt_model.h"
#include "host/bad.h"

class GmtSide {
   public:
    GmtSide(const gmmu_config &cfg, const gmmu_regs &regs, bool on)
        : on_(on),
          c_{cfg, regs.sample, regs.frames, regs.t2_slots},
          memory_(gmmu_gmt_model_bytes(&c_) / 8 + 1) {
        if (gmmu_gmt_model_init(&model_, &c_, memory_.data(), memory_.size() * 8) != 0)
            bad("the model of reuse: no memory");
    }
    GmtSide(const GmtSide &) = delete;
    GmtSide &operator=(const GmtSide &) = delete;
    ~GmtSide() { gmmu_gmt_model_free(&model_); }

    bool on() const { return on_; }
    template <typename Source>
    void listen(Source *unit) {
        unit->on_rit([this](const uint32_t *words, bool last) { beat(words, last); });
    }
    void beat(const uint32_t *words, bool last) {
        bad_ |= gmmu_gmt_model_beat(&model_, words, last) != GMMU_RIMM_OK;
        beats_++;
    }
    bool lost() const { return bad_ || model_.no_memory; }
    // What the registers shall be; true: other than the last time.
    bool wishes(gmmu_gmt_registers *r) {
        *r = gmmu_gmt_model_registers(&model_);
        const bool other =
            r->model != last_.model || (r->model && (r->near != last_.near || r->far != last_.far));
        last_ = *r;
        return on_ && other;
    }
    // The words of the report; *MISMATCH: not all beats were taken well, or no line was fitted.
    template <typename Source>
    std::string report(const Source &unit, bool *mismatch) const {
        *mismatch = bad_ || beats_ != unit.rit().records + unit.rit().packets || model_.no_memory;
        return std::to_string(model_.host.lines) + " lines through " +
               std::to_string(model_.host.sums.n) + " pairs, near " + std::to_string(last_.near) +
               ", far " + std::to_string(last_.far) + (*mismatch ? "; BEATS WERE LOST" : "");
    }

   private:
    bool on_;
    gmmu_gmt_model_config c_;
    std::vector<uint64_t> memory_;
    gmmu_gmt_model model_ = {};
    gmmu_gmt_registers last_ = {};
    uint64_t beats_ = 0;
    bool bad_ = false;
};
