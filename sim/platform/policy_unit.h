// SPDX-License-Identifier: Apache-2.0
// policy_unit.h: a policy of replay in the unit's place: a driver that hears of every walk and
// decides itself. Its decisions are those of `gmmu replay`.
#pragma once
#include <string>

#include "parameters.h"
#include "policy/replay.h"
#include "unit.h"

class PolicyUnit : public Unit {
   public:
    PolicyUnit(const sc_core::sc_module_name &name, const Parameters &p, const gmmu_policy *policy,
               const gmmu_policy_config &config);
    ~PolicyUnit() override { gmmu_sim_destroy(sim_); }

   protected:
    void walk(const WalkTag &tag) override;

   private:
    gmmu_sim *sim_;
};

// Nobody decides: every page is in near memory from the beginning.
class NoUnit : public Unit {
   public:
    explicit NoUnit(const sc_core::sc_module_name &name) : Unit(name, sc_core::SC_ZERO_TIME) {}

   protected:
    void walk(const WalkTag &tag) override {
        if (tag.fault)
            bad("policy none: found a fault, expected none");
    }
};
