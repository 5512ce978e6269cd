// SPDX-License-Identifier: Apache-2.0
// side.h: what a driver has behind the unit's packets: HPE's page set chain, the RIMM host, the
// duel of shares, GMT's model of reuse. The lock-step simulations have the same (sim/host).
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "blocks/gmmu_tier.h"
#include "driver/gmt_model.h"
#include "page_table.h"
#include "payload.h"

class Side {
   public:
    virtual ~Side() = default;
    virtual Hears hears() const = 0;
    // A beat of m_axis_hir or m_axis_rit.
    virtual void beat(const uint32_t *words, bool last) = 0;
    // The frame whose page leaves for D's; asked if memory is full. Without an opinion: D's.
    virtual uint32_t victim(const gmmu_tier_decision &d, PageTable *table) {
        (void)table;
        return d.frame;
    }
    // Before victim(): D's fault. After it: its page has FRAME.
    virtual void fault(const gmmu_tier_decision &d) { (void)d; }
    virtual void filled(const gmmu_tier_decision &d, uint32_t frame) {
        (void)d;
        (void)frame;
    }
    virtual void pin(uint32_t frame, bool yes) {
        (void)frame;
        (void)yes;
    }
    // True: the unit's registers shall be others.
    virtual bool wishes(gmmu_gmt_registers *r) {
        (void)r;
        return false;
    }
    // True: cfg_protect shall be *SHARE.
    virtual bool protects(uint32_t *share) {
        (void)share;
        return false;
    }
};

// KIND: unit (nobody; gmt with PLACE reuse), hpe, rimm or duel. What it asks of the unit goes into
// *REGS.
std::unique_ptr<Side> make_side(const std::string &kind, const gmmu_config &cfg, gmmu_regs *regs);
