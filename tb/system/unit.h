// SPDX-License-Identifier: Apache-2.0
// unit.h: the RTL in lock-step with its twin, for the steps: walker and driver stand in front of
// it.
//
// Nothing of the RTL's size is seen here, so that the steps are the same for each configuration.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "driver/digest.h"
#include "lockstep/report.h"
#include "options.h"

class Lockstep;

// The configuration that this simulation is built for.
const gmmu_config &config_of_unit();

class Unit {
   public:
    std::vector<gmmu_tier_decision> decisions;  // since the caller last looked

    Unit(const gmmu_config &cfg, const gmmu_regs &regs, const Options &o);
    Unit(const Unit &) = delete;
    Unit &operator=(const Unit &) = delete;
    ~Unit();

    bool reset();
    // ---- at rest; false: a mismatch, or it does not come to rest
    bool walk(const gmmu_tier_walk_in &w);
    bool drv(const gmmu_tier_drv_in &d);
    // ---- cycle by cycle
    void offer_walk(const gmmu_tier_walk_in &w);
    void offer_drv(const gmmu_tier_drv_in &d);
    void take_decisions(bool yes);
    // Another cfg_protect.
    void protect(uint32_t share);
    // Other cfg_tier_model, cfg_tier_near and cfg_tier_far.
    void foresee(bool model, uint32_t near, uint32_t far);
    Cycle cycle();

    // At the end: nothing may be left.
    void finish();

    using OnBeat = std::function<void(const uint32_t *words, bool last)>;
    struct Packets {
        uint64_t records, packets;
    };
    // The packets' beats, and in how many of 1000 cycles one may leave.
    void on_rit(const OnBeat &f);
    void on_hir(const OnBeat &f);
    void rit_ready(unsigned permille);
    void hir_ready(unsigned permille);
    Packets rit() const;
    // Priorities of the candidates, as they come.
    void on_candidate(const std::function<void(uint32_t frame, uint16_t priority)> &f);

    // Of the RTL, as a driver reads them.
    uint32_t fault_drops() const;
    uint32_t drv_errors() const;

    const Activity &did() const;
    // Of all decisions of the twin.
    const driver::Digest &twin_digest() const;
    // FRAME_MEM: cycles that the frames' memory may add to what waits for one operation.
    uint64_t memory_slack() const;
    const Mismatch &mismatch() const;
    const gmmu_tier &twin() const;

   private:
    enum { AFTER = 200 };  // cycles of waves behind a mismatch
    std::unique_ptr<Lockstep> step;
    bool waves;
    bool rest();
};
