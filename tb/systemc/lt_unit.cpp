// SPDX-License-Identifier: Apache-2.0
// lt_unit.cpp: see lt_unit.h.
#include "lt_unit.h"

#include "blocks/config.h"
#include "blocks/crc32c.h"

UnitSize::UnitSize(const std::string &name, uint32_t frames) {
    const gmmu_config *found = gmmu_config_find(name.c_str());
    if (found == nullptr)
        bad("--config: found " + name + ", expected tiny, default or large");
    cfg = *found;
    cfg.frames = std::max(cfg.frames, frames);
    regs = gmmu_regs_default(&cfg);
    regs.frames = frames;
}

gmmu_tier_walk_in unit_walk(const gmmu_config &cfg, const WalkTag &tag) {
    const gmmu_walk &w = tag.walk;
    if ((cfg.vpn_w < 64 && w.vpn >> cfg.vpn_w != 0) ||
        (cfg.asid_w < 32 && w.asid >> cfg.asid_w != 0))
        bad("unit: found page " + std::to_string(w.vpn) + " of address space " +
            std::to_string(w.asid) + ", expected at most " + std::to_string(cfg.vpn_w) + " and " +
            std::to_string(cfg.asid_w) + " bits (configuration " + cfg.name + ")");
    gmmu_tier_walk_in in = {};
    in.vpn = w.vpn;
    in.ref = gmmu_fold_ref(w.ref, cfg.ref_w);
    in.asid = w.asid;
    in.write = w.write;
    in.fault = tag.fault;
    in.frame = tag.frame;
    return in;
}

LtUnit::LtUnit(const sc_core::sc_module_name &name, const Parameters &p, const UnitSize &size)
    : Unit(name, p.unit.decision), memory_(gmmu_tier_bytes(&size.cfg) / 8 + 2) {
    if (gmmu_tier_init_beyond(&unit_, &size.cfg, &size.regs, memory_.data(), memory_.size() * 8) !=
        0)
        bad("unit: " + std::to_string(size.regs.frames) + " frames are not for configuration " +
            size.cfg.name);
    unit_.hir_unheard = true;
}

void LtUnit::walk(const WalkTag &tag) {
    const gmmu_tier_walk_in in = unit_walk(unit_.cfg, tag);
    walk_ = &tag;
    (void)gmmu_tier_walk_inline(&unit_, &in);
    settle();
}

void LtUnit::operation(const gmmu_tier_drv_in &in) {
    (void)gmmu_tier_drv_inline(&unit_, &in);
    settle();
}

void LtUnit::settle() {
    if (gmmu_tier_settled(&unit_))
        return;
    gmmu_tier_settle(&unit_, take, this);
    // the driver's answers settle the unit again: it is whole by now
    while (!made_.empty()) {
        const gmmu_tier_decision d = made_.front();
        made_.erase(made_.begin());
        decide(*walk_, d, takes());
    }
}

void LtUnit::take(void *self, const gmmu_tier_decision *d) {
    static_cast<LtUnit *>(self)->made_.push_back(*d);
}
