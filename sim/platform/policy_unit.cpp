// SPDX-License-Identifier: Apache-2.0
// policy_unit.cpp: see policy_unit.h.
#include "policy_unit.h"

PolicyUnit::PolicyUnit(const sc_core::sc_module_name &name, const Parameters &p,
                       const gmmu_policy *policy, const gmmu_policy_config &config)
    : Unit(name, p.unit.decision) {
    gmmu_error err = {};
    sim_ = gmmu_sim_create(policy, &config, &err);
    if (sim_ == nullptr)
        bad(err.text);
    if (policy->size_sum != nullptr) {
        gmmu_sim_destroy(sim_);
        bad(std::string("--policy: found ") + policy->name +
            ", expected one whose memory has one size");
    }
}

void PolicyUnit::walk(const WalkTag &tag) {
    gmmu_error err = {};
    gmmu_outcome out = {};
    if (gmmu_sim_access(sim_, tag.page, &tag.walk, &out, &err) != GMMU_OK)
        bad(err.text);
    if (out.untouched_in != 0)
        bad("--policy: found a prefetch of pages that no walk has had, expected pages of the trace "
            "alone, as with uvm:prefetch=none");
    if (out.fault != tag.fault)
        bad("walk " + std::to_string(tag.number) + ": the policy and the page table disagree");
    if (out.count + out.after_count > 0)
        decide(tag, out);
}
