// SPDX-License-Identifier: Apache-2.0
// ports.h: registers and beats to and from the unit's ports.
#pragma once
#include <type_traits>

#include "Vdut.h"
#include "bits.h"
#include "blocks/gmmu_tier.h"
#include "names.h"

namespace lockstep {

inline void put_registers(Vdut &dut, const gmmu_regs &r) {
#define GMMU_PUT(name) \
    dut.cfg_##name = static_cast<std::remove_reference_t<decltype(dut.cfg_##name)>>(r.name);
    GMMU_REGISTERS(GMMU_PUT)
#undef GMMU_PUT
}

class Ports {
   public:
    explicit Ports(const gmmu_config &cfg)
        : walk(gmmu_walk_layout_of(&cfg)),
          drv(gmmu_drv_layout_of(&cfg)),
          decision(gmmu_decision_layout_of(&cfg)) {}

    void put(Vdut &dut, const gmmu_tier_walk_in &w, uint32_t sm) const {
        auto &t = dut.s_axis_walk_tdata;
        clear_bits(t);
        put_bits(t, walk.vpn, w.vpn);
        put_bits(t, walk.ref, w.ref);
        put_bits(t, walk.asid, w.asid);
        put_bits(t, walk.sm, sm);
        put_bits(t, walk.write, w.write);
        put_bits(t, walk.fault, w.fault);
        put_bits(t, walk.frame, w.frame);
        put_bits(t, walk.t2, w.t2);
        put_bits(t, walk.slot, w.slot);
        put_bits(t, walk.replay, w.replay);
        dut.s_axis_walk_tvalid = 1;
    }
    void put(Vdut &dut, const gmmu_tier_drv_in &d) const {
        auto &t = dut.s_axis_drv_tdata;
        clear_bits(t);
        put_bits(t, drv.op, d.op);
        put_bits(t, drv.frame, d.frame);
        put_bits(t, drv.asid, d.asid);
        put_bits(t, drv.vpn, d.vpn);
        put_bits(t, drv.dirty, d.dirty);
        put_bits(t, drv.returns, d.returns);
        put_bits(t, drv.was, d.was);
        put_bits(t, drv.t2, d.t2);
        put_bits(t, drv.slot, d.slot);
        put_bits(t, drv.force, d.force);
        put_bits(t, drv.ahead, d.ahead);
        dut.s_axis_drv_tvalid = 1;
    }
    gmmu_tier_decision get(const Vdut &dut) const {
        gmmu_tier_decision d = {};
        const auto &t = dut.m_axis_decision_tdata;
        d.seq = static_cast<uint32_t>(get_bits(t, decision.seq));
        d.asid = static_cast<uint32_t>(get_bits(t, decision.asid));
        d.vpn = get_bits(t, decision.vpn);
        d.tier = static_cast<unsigned>(get_bits(t, decision.tier));
        d.frame = static_cast<uint32_t>(get_bits(t, decision.frame));
        d.victim_asid = static_cast<uint32_t>(get_bits(t, decision.v_asid));
        d.victim_vpn = get_bits(t, decision.v_vpn);
        d.victim_dirty = get_bits(t, decision.v_dirty) != 0;
        d.priority = static_cast<uint16_t>(get_bits(t, decision.prio));
        d.victim_last = static_cast<uint32_t>(get_bits(t, decision.v_last));
        d.ahead = get_bits(t, decision.ahead) != 0;
        d.lost = get_bits(t, decision.lost) != 0;
        d.fresh = get_bits(t, decision.fresh) != 0;
        d.rise = get_bits(t, decision.rise) != 0;
        d.swap = get_bits(t, decision.swap) != 0;
        d.pred = static_cast<unsigned>(get_bits(t, decision.pred));
        d.forced = get_bits(t, decision.forced) != 0;
        d.t2_valid = get_bits(t, decision.t2_valid) != 0;
        d.t2_slot = static_cast<uint32_t>(get_bits(t, decision.t2_slot));
        d.t2_asid = static_cast<uint32_t>(get_bits(t, decision.t2_asid));
        d.t2_vpn = get_bits(t, decision.t2_vpn);
        d.t2_dirty = get_bits(t, decision.t2_dirty) != 0;
        return d;
    }

   private:
    gmmu_walk_layout walk;
    gmmu_drv_layout drv;
    gmmu_decision_layout decision;
};

}  // namespace lockstep
