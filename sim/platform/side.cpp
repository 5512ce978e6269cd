// SPDX-License-Identifier: Apache-2.0
// side.cpp: see side.h.
#include "side.h"

#include <algorithm>
#include <array>
#include <vector>

#include "host/duel_side.h"
#include "host/gmt_side.h"
#include "host/host_side.h"
#include "host/hpe_side.h"

namespace {

// The unit's own victims are not used: the search that costs least.
class HpeDriver : public Side {
   public:
    HpeDriver(const gmmu_config &cfg, gmmu_regs *regs) : chain_(cfg, *regs) {
        regs->search = GMMU_SEARCH_SAMPLE;
    }
    Hears hears() const override { return {true, false}; }
    void beat(const uint32_t *words, bool last) override {
        Beat b = {};
        std::copy(words, words + GMMU_HIR_WORDS, b.words.begin());
        b.last = last;
        waiting_.push_back(b);
    }
    // A packet that this fault closes was read after it.
    void fault(const gmmu_tier_decision &d) override {
        chain_.fault(d.asid, d.vpn);
        for (const Beat &b : waiting_) chain_.beat(b.words.data(), b.last);
        waiting_.clear();
    }
    uint32_t victim(const gmmu_tier_decision &d, PageTable *table) override {
        (void)d;
        const gmmu_psc_page v = chain_.victim();
        const uint32_t page = gmmu_pages_find(table->pages(), v.asid, v.vpn);
        if (chain_.bad || page == GMMU_NO_PAGE || (*table)[page].place != GMMU_NEAR)
            bad("driver hpe: the page set chain lost a page or a packet");
        return (*table)[page].frame;
    }
    void filled(const gmmu_tier_decision &d, uint32_t frame) override {
        (void)frame;
        chain_.filled(d.asid, d.vpn);
    }

   private:
    struct Beat {
        std::array<uint32_t, GMMU_HIR_WORDS> words;
        bool last;
    };
    HpeSide chain_;
    std::vector<Beat> waiting_;
};

// As policy leu-host: records of every access to a page that is followed, all pages sampled.
class RimmDriver : public Side {
   public:
    RimmDriver(const gmmu_config &cfg, gmmu_regs *regs) : host_(cfg, *regs) {
        regs->search = GMMU_SEARCH_SAMPLE;
        regs->sample = 0;
        regs->rit_batch = std::min(cfg.ritq, 64u);
    }
    Hears hears() const override { return {false, true}; }
    void beat(const uint32_t *words, bool last) override { host_.beat(words, last); }
    uint32_t victim(const gmmu_tier_decision &d, PageTable *table) override {
        (void)table;
        (void)d;
        const gmmu_rimm_victim v = host_.victim();
        if (!v.found)
            bad("driver rimm: the host names no page");
        return v.frame;
    }
    void fault(const gmmu_tier_decision &d) override {
        if (!host_.heard_of(d.asid, d.vpn))
            bad("driver rimm: records were lost between unit and host");
    }
    void filled(const gmmu_tier_decision &d, uint32_t frame) override {
        (void)d;
        host_.filled(frame);
    }
    void pin(uint32_t frame, bool yes) override { host_.pin(frame, yes); }

   private:
    HostSide host_;
};

// The unit decides; the driver learns how far apart uses are and sets its thresholds.
class GmtDriver : public Side {
   public:
    GmtDriver(const gmmu_config &cfg, gmmu_regs *regs) : model_(cfg, *regs, true) {
        regs->rit_batch = cfg.ritq;
    }
    Hears hears() const override { return {false, true}; }
    void beat(const uint32_t *words, bool last) override { model_.beat(words, last); }
    bool wishes(gmmu_gmt_registers *r) override {
        if (model_.lost())
            bad("driver gmt: records were lost between unit and model");
        return model_.wishes(r);
    }

   private:
    GmtSide model_;
};

// As policy leu:duel=1: the unit decides, and the driver sets cfg_protect.
class DuelDriver : public Side {
   public:
    DuelDriver(const gmmu_config &cfg, gmmu_regs *regs) : duel_(cfg, asked(cfg, regs), true) {
        (void)duel_.wishes(&regs->protect);
    }
    Hears hears() const override { return {false, true}; }
    void beat(const uint32_t *words, bool last) override { duel_.beat(words, last); }
    bool protects(uint32_t *share) override {
        if (duel_.lost())
            bad("driver duel: records were lost between unit and driver");
        return duel_.wishes(share);
    }

   private:
    DuelSide duel_;

    static const gmmu_regs &asked(const gmmu_config &cfg, gmmu_regs *regs) {
        regs->search = GMMU_SEARCH_SAMPLE;
        regs->rit_batch = std::min(cfg.ritq, 64u);
        regs->rit_fault = 1;
        return *regs;
    }
};

}  // namespace

std::unique_ptr<Side> make_side(const std::string &kind, const gmmu_config &cfg, gmmu_regs *regs) {
    if (kind == "hpe")
        return std::make_unique<HpeDriver>(cfg, regs);
    if (kind == "rimm")
        return std::make_unique<RimmDriver>(cfg, regs);
    if (kind == "duel")
        return std::make_unique<DuelDriver>(cfg, regs);
    if (regs->tier == GMMU_PLACE_REUSE)
        return std::make_unique<GmtDriver>(cfg, regs);
    return nullptr;
}
