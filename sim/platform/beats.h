// SPDX-License-Identifier: Apache-2.0
// beats.h: which field of a beat has which value (docs/reference/formats.md), however a beat is
// held: PUT(field, value) writes a field, GET(field) reads one.
#pragma once
#include "blocks/gmmu_tier.h"
#include "gmmu/config.h"

template <typename Put>
void put_walk(const gmmu_walk_layout &at, const gmmu_tier_walk_in &in, Put put) {
    put(at.vpn, in.vpn);
    put(at.ref, in.ref);
    put(at.asid, in.asid);
    put(at.write, in.write);
    put(at.fault, in.fault);
    put(at.frame, in.frame);
    put(at.t2, in.t2);
    put(at.slot, in.slot);
    put(at.replay, in.replay);
}

template <typename Put>
void put_operation(const gmmu_drv_layout &at, const gmmu_tier_drv_in &in, Put put) {
    put(at.op, in.op);
    put(at.frame, in.frame);
    put(at.asid, in.asid);
    put(at.vpn, in.vpn);
    put(at.dirty, in.dirty);
    put(at.returns, in.returns);
    put(at.was, in.was);
    put(at.t2, in.t2);
    put(at.slot, in.slot);
    put(at.force, in.force);
    put(at.ahead, in.ahead);
}

template <typename Get>
gmmu_tier_decision get_decision(const gmmu_decision_layout &at, Get get) {
    gmmu_tier_decision d = {};
    d.seq = static_cast<uint32_t>(get(at.seq));
    d.asid = static_cast<uint32_t>(get(at.asid));
    d.vpn = get(at.vpn);
    d.tier = static_cast<unsigned>(get(at.tier));
    d.frame = static_cast<uint32_t>(get(at.frame));
    d.victim_asid = static_cast<uint32_t>(get(at.v_asid));
    d.victim_vpn = get(at.v_vpn);
    d.victim_dirty = get(at.v_dirty) != 0;
    d.priority = static_cast<uint16_t>(get(at.prio));
    d.victim_last = static_cast<uint32_t>(get(at.v_last));
    d.ahead = get(at.ahead) != 0;
    d.lost = get(at.lost) != 0;
    d.fresh = get(at.fresh) != 0;
    d.rise = get(at.rise) != 0;
    d.swap = get(at.swap) != 0;
    d.pred = static_cast<unsigned>(get(at.pred));
    d.forced = get(at.forced) != 0;
    d.t2_valid = get(at.t2_valid) != 0;
    d.t2_slot = static_cast<uint32_t>(get(at.t2_slot));
    d.t2_asid = static_cast<uint32_t>(get(at.t2_asid));
    d.t2_vpn = get(at.t2_vpn);
    d.t2_dirty = get(at.t2_dirty) != 0;
    return d;
}
