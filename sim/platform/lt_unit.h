// SPDX-License-Identifier: Apache-2.0
// lt_unit.h: the unit loosely timed: its C twin on the standard schedule. It is installed, with
// what it includes, for platforms of others (examples/systemc).
#pragma once
#include <vector>

#include "blocks/schedule.h"
#include "host/bad.h"
#include "unit.h"

// The configuration NAME for FRAMES of memory, as the twin takes it: beyond its frames and slots
// the tables grow.
struct UnitSize {
    gmmu_config cfg;
    gmmu_regs regs;
    Hears hears;  // whom its packets go to
    // SLOTS of Tier 2, 0: none, whose victims go where PLACE says (GMMU_PLACE_...).
    UnitSize(const std::string &name, uint32_t frames, uint32_t slots, unsigned place);
};
// The walk of TAG as the unit's; throws Bad if it does not fit.
gmmu_tier_walk_in unit_walk(const gmmu_config &cfg, const WalkTag &tag);

class LtUnit : public Unit {
   public:
    // A decision takes TAKES.
    LtUnit(const sc_core::sc_module_name &name, const sc_core::sc_time &takes,
           const UnitSize &size);
    gmmu_counters counters() override { return gmmu_tier_counters(&unit_); }

   protected:
    void walk(const WalkTag &tag) override;
    void operation(const gmmu_tier_drv_in &in) override;
    void foresee(const gmmu_gmt_registers &r) override;
    void protect(uint32_t share) override { gmmu_tier_protect(&unit_, share); }

   private:
    gmmu_tier unit_;
    std::vector<uint64_t> memory_;
    const WalkTag *walk_ = nullptr;
    std::vector<gmmu_tier_decision> made_;
    size_t told_ = 0;  // of these

    void settle() {
        if (!gmmu_tier_settled(&unit_))
            act();
    }
    void act();  // what the unit does by itself
    void send(const gmmu_hir_packet &packet);
    static void send_rit(void *self, const gmmu_rit_packet *packet);
    static void on_beat(void *self, const uint32_t words[GMMU_RIT_WORDS], bool last);
    static void take(void *self, const gmmu_tier_decision *d);
};
