// SPDX-License-Identifier: Apache-2.0
// unit.cpp: the RTL in lock-step with its twin, for the steps.
#include "unit.h"

#include "lockstep/lockstep.h"
#include "sizes.h"

const gmmu_config &config_of_unit() {
    static const gmmu_config c = [] {
        gmmu_config changed = changed_config(GMMU_CONFIG_NAME);
        changed.name = GMMU_CONFIG_NAME;
        return changed;
    }();
    return c;
}

Unit::Unit(const gmmu_config &cfg, const gmmu_regs &regs, const Options &o)
    : step(std::make_unique<Lockstep>(cfg, regs, "garbage", o.seed,
                                      o.fault.empty() ? nullptr : o.fault.c_str())) {
    step->compare = o.cross();
    waves = o.wave_from <= o.wave_to;
    if (waves)
        step->wave(o.out + "/" + lockstep::Waves::NAME, o.wave_from, o.wave_to);
}

// Of a mismatch what the RTL does next is in the waves, too; who listens may be gone.
Unit::~Unit() {
    if (!step->mismatch.found || !waves)
        return;
    step->compare = false;
    on_rit({});
    on_hir({});
    on_candidate({});
    for (int i = 0; i < AFTER; i++) step->cycle();
}

bool Unit::reset() {
    return step->reset();
}

bool Unit::walk(const gmmu_tier_walk_in &w) {
    step->offer_walk(w);
    return rest();
}

bool Unit::drv(const gmmu_tier_drv_in &d) {
    step->offer_drv(d);
    return rest();
}

bool Unit::rest() {
    const uint64_t limit = step->did.cycles + 64ull * step->cfg.frames + 4000000;
    // a walk needs a few cycles to be seen at `quiet`; that it stays so twice is rest
    for (unsigned n = 0; n < 2;) {
        const Cycle c = step->cycle();
        if (c.decided)
            decisions.push_back(c.decision);
        n = c.quiet ? n + 1 : 0;
        if (step->mismatch.found)
            return false;
        if (step->did.cycles > limit)
            return step->expect("gmmu_tier", "does not come to rest", 1, 0);
    }
    return true;
}

void Unit::offer_walk(const gmmu_tier_walk_in &w) {
    step->offer_walk(w);
}
void Unit::offer_drv(const gmmu_tier_drv_in &d) {
    step->offer_drv(d);
}
void Unit::take_decisions(bool yes) {
    step->take_decisions(yes);
}
void Unit::protect(uint32_t share) {
    step->protect(share);
}
void Unit::foresee(bool model, uint32_t near, uint32_t far) {
    step->foresee(model, near, far);
}
Cycle Unit::cycle() {
    return step->cycle();
}
void Unit::finish() {
    step->finish();
}

void Unit::on_rit(const OnBeat &f) {
    step->rit().on_beat = f;
}
void Unit::on_hir(const OnBeat &f) {
    step->hir().on_beat = f;
}
void Unit::rit_ready(unsigned permille) {
    step->rit().ready = permille;
}
void Unit::hir_ready(unsigned permille) {
    step->hir().ready = permille;
}
Unit::Packets Unit::rit() const {
    return {step->rit().records, step->rit().packets};
}
void Unit::on_candidate(const std::function<void(uint32_t, uint16_t)> &f) {
    step->on_candidate = f;
}

uint32_t Unit::fault_drops() const {
    return step->fault_drops();
}
uint32_t Unit::drv_errors() const {
    return step->drv_errors();
}

const driver::Digest &Unit::twin_digest() const {
    return step->twin_digest();
}
uint64_t Unit::memory_slack() const {
    return step->memory_slack();
}
const Activity &Unit::did() const {
    return step->did;
}
const Mismatch &Unit::mismatch() const {
    return step->mismatch;
}
const gmmu_tier &Unit::twin() const {
    return step->twin;
}
