// SPDX-License-Identifier: Apache-2.0
// lt_unit.cpp: see lt_unit.h.
#include "lt_unit.h"

#include <algorithm>

#include "blocks/config.h"
#include "blocks/crc32c.h"

UnitSize::UnitSize(const std::string &name, uint32_t frames, uint32_t slots, unsigned place) {
    const gmmu_config *found = gmmu_config_find(name.c_str());
    if (found == nullptr)
        bad("--config: found " + name + ", expected tiny, default, onchip or large");
    cfg = *found;
    cfg.frames = std::max(cfg.frames, frames);
    regs = gmmu_regs_default(&cfg);
    regs.frames = frames;
    if (slots == 0)
        return;
    if (cfg.t2_slots == 0)
        bad("--tier2: found configuration " + name + ", expected one that knows of Tier 2");
    cfg.t2_slots = std::max(cfg.t2_slots, slots);
    regs.t2_slots = slots;
    // as policy tier of replay has them
    regs.tier = place;
    regs.search = place == GMMU_PLACE_PRIORITY ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_CLOCK;
    regs.t2_full = place == GMMU_PLACE_REUSE;
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
    in.replay = tag.replay;
    in.frame = tag.frame;
    in.t2 = tag.t2;
    in.slot = tag.slot;
    return in;
}

LtUnit::LtUnit(const sc_core::sc_module_name &name, const sc_core::sc_time &takes,
               const UnitSize &size)
    : Unit(name, takes), memory_(gmmu_tier_bytes(&size.cfg) / 8 + 2) {
    if (gmmu_tier_init_beyond(&unit_, &size.cfg, &size.regs, memory_.data(), memory_.size() * 8) !=
        0)
        bad("unit: " + std::to_string(size.regs.frames) + " frames are not for configuration " +
            size.cfg.name);
    unit_.hir_unheard = !size.hears.hir;
    if (size.hears.rit) {
        unit_.rit_sink = send_rit;
        unit_.rit_ctx = this;
    }
}

void LtUnit::walk(const WalkTag &tag) {
    const gmmu_tier_walk_in in = unit_walk(unit_.cfg, tag);
    walk_ = &tag;
    if (in.replay) {
        (void)gmmu_tier_replay(&unit_, in);
        settle();
        return;
    }
    const gmmu_tier_walk_out out = gmmu_tier_walk_inline(&unit_, &in);
    if (out.hir_swap)
        send(out.hir_packet);
    settle();
}

void LtUnit::operation(const gmmu_tier_drv_in &in) {
    (void)gmmu_tier_drv_inline(&unit_, &in);
    settle();
}

void LtUnit::foresee(const gmmu_gmt_registers &r) {
    gmmu_tier_foresee(&unit_, r.model, r.near, r.far);
}

void LtUnit::send(const gmmu_hir_packet &packet) {
    uint32_t words[GMMU_HIR_WORDS];
    gmmu_hir_pack_head(&packet.head, words);
    tell(words, packet.head.n == 0);
    for (unsigned i = 0; i < packet.head.n; i++) {
        gmmu_hir_pack_record(&unit_.hir.cfg, &packet.record[i], words);
        tell(words, i + 1 == packet.head.n);
    }
}

void LtUnit::send_rit(void *self, const gmmu_rit_packet *packet) {
    gmmu_rit_beats(&static_cast<LtUnit *>(self)->unit_.cfg, packet, on_beat, self);
}

void LtUnit::on_beat(void *self, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    static_cast<LtUnit *>(self)->tell(words, last);
}

void LtUnit::act() {
    gmmu_tier_settle(&unit_, take, this);
    // the driver's answers settle the unit again: it is whole by now, and they tell the rest
    while (told_ < made_.size()) {
        const gmmu_tier_decision d = made_[told_++];
        decide(*walk_, d, takes());
    }
    made_.clear();
    told_ = 0;
}

void LtUnit::take(void *self, const gmmu_tier_decision *d) {
    static_cast<LtUnit *>(self)->made_.push_back(*d);
}
