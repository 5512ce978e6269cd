// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the Verilated unit and its C twin, action by action.
//
// Each cycle the unit states on tvi which actions it did, in the order SEND, side, background,
// walk. The twin does the same ones in that order and every result is compared; the first
// difference is kept, with the name of the block that made it. A C model on its own cannot know the
// order; all else it knows, so the freedom that the RTL has is checked too
// (docs/guide/schedule.md): an action that is not due, or one that is overdue, is a mismatch of the
// block that schedules it.
//
// What is compared stands in a checker for each block (checkers.h); here the clock, the streams and
// the order of the actions.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "gmmu/reset.h"
#include "lockstep/checkers.h"
#include "lockstep/counters.h"
#include "lockstep/pair.h"
#include "lockstep/ports.h"
#include "lockstep/waves.h"

class Lockstep : public lockstep::Pair {
   public:
    // priorities of the candidates, as they come: (frame, priority)
    std::function<void(uint32_t, uint16_t)> on_candidate;

    Lockstep(const gmmu_config &config, const gmmu_regs &r, const char *ram, uint32_t seed,
             const char *more_arg = nullptr)
        : Pair(config, r, ram, seed, more_arg), ports(cfg), checkers(*this) {}

    // The packets that leave.
    auto &rit() { return checkers.of<lockstep::RitExport>().beats; }
    auto &hir() { return checkers.of<lockstep::HirCache>().beats; }
    const auto &refresh_wait() { return checkers.of<lockstep::RefreshWait>(); }
    // Operations on ranges, which it offers by itself.
    auto &ranges() { return checkers.of<lockstep::RangeDir>(); }
    // Words that turned bad, as they are told.
    auto &parity_log() { return checkers.of<lockstep::ParityLog>(); }
    auto &watchdog() { return checkers.of<lockstep::Watchdog>(); }
    // All decisions of the twin.
    const driver::Digest &twin_digest() { return checkers.of<lockstep::FaultUnit>().digest; }
    // As a driver reads these two.
    uint32_t fault_drops() const { return dut->stat_fault_drops; }
    uint32_t drv_errors() const { return dut->stat_drv_errors; }

    // The waves of cycles FROM to TO go to PATH.
    void wave(const std::string &path, uint64_t from, uint64_t to) { waves.wanted(path, from, to); }

    // Gives both these registers. After reset() only while the unit is quiet, and without another
    // sample or batch.
    void configure(const gmmu_regs &to) {
        regs = to;
        changes.clear();
        acted = true;
        gmmu_regs now = to;
        now.protect = twin.regs.protect;  // until the unit says ALLOW
        gmmu_tier_configure(&twin, &now);
        lockstep::put_registers(*dut, to);
    }

    // Other registers, at any time, of those that may change then: F changes those at the ports.
    template <class F>
    void change(F f) {
        gmmu_regs to = changes.empty() ? regs : changes.back().to;
        to.protect = regs.protect;  // these three by themselves
        to.flush = regs.flush;
        to.range_bytes = regs.range_bytes;
        f(to);
        changes.push_back({did.cycles, to});
        lockstep::put_registers(*dut, to);
    }
    void foresee(bool model, uint32_t near, uint32_t far) {
        change([=](gmmu_regs &r) {
            r.tier_model = model;
            r.tier_near = near;
            r.tier_far = far;
        });
    }

    // cfg_flush, at any time: with GO what was learnt from ASID is taken away.
    void flush(uint32_t asid, bool go) {
        regs.flush = asid << 1 | go;
        dut->cfg_flush = static_cast<std::remove_reference_t<decltype(dut->cfg_flush)>>(regs.flush);
    }

    // Another cfg_protect, at any time.
    void protect(uint32_t share) {
        regs.protect = share;
        dut->cfg_protect = static_cast<uint8_t>(share);
    }

    // Resets both; returns when walks are accepted. False: the reset sequence does not end.
    bool reset() {
        if (!reset_twin())
            return false;
        lockstep::start_counting(twin);
        regs.flush = 0;
        configure(regs);
        dut->m_axis_rit_tready = dut->m_axis_hir_tready = 1;
        dut->s_axis_walk_tvalid = 0;
        dut->s_axis_drv_tvalid = 0;
        dut->s_axis_range_tvalid = 0;
        dut->m_axis_decision_tready = dut->m_axis_xfer_tready = 1;
        if (cfg.frame_mem)
            frame_memory = std::make_unique<FrameMemory<Vdut>>(regs.frames, seed());
        dut->rst = 1;
        for (int i = 0; i < 8; i++) edge();
        dut->rst = 0;
        const uint64_t began = did.cycles,
                       limit = did.cycles + 2ull * cfg.frames + 2ull * cfg.classes * cfg.bins +
                               2ull * cfg.sampler + 2ull * cfg.t2_slots + 2ull * cfg.tp_sets + 64 +
                               (cfg.frame_mem ? 100ull * regs.frames + 4000 : 0);
        do {
            edge();
            dut->eval();
            expect("gmmu_tier", "quiet in the reset sequence",
                   dut->quiet && !dut->s_axis_walk_tready, 0);
        } while (!dut->s_axis_walk_tready && did.cycles < limit);
        if (!cfg.frame_mem)
            expect("gmmu_tier", "length of the reset sequence", did.cycles - began,
                   gmmu_reset_cycles(&cfg));
        return dut->s_axis_walk_tready;
    }

    // After reset(): both count on from START, as if the run were already that long.
    void count_from(uint32_t start) { lockstep::count_from(*this, start); }

    // What stands at the inputs in the coming cycle. Nothing depends on the SM.
    void offer_walk(const gmmu_tier_walk_in &w) {
        walk_in = w;
        walk_sm = did.cycles * 2654435761u >> 16 & ((1u << cfg.sm_w) - 1);
        ports.put(*dut, w, walk_sm);
    }
    void offer_drv(const gmmu_tier_drv_in &d) {
        drv_in = d;
        ports.put(*dut, d);
    }
    void take_decisions(bool yes) { dut->m_axis_decision_tready = yes; }

    // One cycle.
    Cycle cycle() {
        random = random * 1664525u + 1013904223u;
        checkers.each([&](auto &c) { c.drive(random); });
        dut->clk = 0;  // the falling edge changes nothing: one evaluation for it and the inputs
        dut->eval();
        waves.dump(*dut, did.cycles, 0);
        drv_taken = dut->s_axis_drv_tvalid && dut->s_axis_drv_tready;
        decided = dut->m_axis_decision_tvalid && dut->m_axis_decision_tready;
        if (decided)
            decision = ports.get(*dut);
        const Cycle c = {drv_taken, decided, dut->quiet && !dut->s_axis_walk_tvalid && !drv_taken,
                         decided ? decision : gmmu_tier_decision{}};
        checkers.each([](auto &k) { k.settled(); });
        did.count(*dut);
        if (dut->tvi_looked_valid && on_candidate)
            on_candidate(dut->tvi_looked_frame, static_cast<uint16_t>(dut->tvi_looked_priority));
        if (!changes.empty())
            take_changes();
        if (compare && !mismatch.found)
            replay();
        checkers.each([](auto &k) { k.taken(); });
        if (frame_memory)
            frame_memory->take(*dut);
        rise();
        dut->s_axis_walk_tvalid = 0;
        if (c.drv_taken)
            dut->s_axis_drv_tvalid = 0;
        return c;
    }

    // At the end of a run, when the unit is quiet: nothing may be left, and the counters agree.
    void finish() {
        if (!compare)
            return;
        checkers.each([](auto &c) { c.finish(); });
        lockstep::compare_counters(*this);
    }

   private:
    lockstep::Ports ports;
    lockstep::Waves waves;
    lockstep::Checkers checkers;
    uint32_t random = 1;
    struct Change {
        uint64_t at;
        gmmu_regs to;
    };
    std::deque<Change> changes;  // at the ports, not yet all in force
    uint64_t busy_at = 0;        // the last cycle with something under way

    void edge() {
        dut->clk = 0;
        dut->eval();
        if (frame_memory && !dut->rst)
            frame_memory->take(*dut);
        waves.dump(*dut, did.cycles, 0);
        rise();
    }
    void rise() {
        dut->clk = 1;
        dut->eval();
        waves.dump(*dut, did.cycles, 1);
        if (frame_memory) {
            frame_memory->style = memory_style;
            frame_memory->drive(*dut);
            expect("frame_mem", frame_memory->broken.c_str(), 0, !frame_memory->broken.empty());
        }
        did.cycles++;
    }

    // What has changed at the ports is in force some cycles later.
    void take_changes() {
        uint64_t longest = 0;
        for (const Change &c : changes) {
#define GMMU_TAKE(name, after)                    \
    longest = std::max<uint64_t>(longest, after); \
    if (c.at + (after) <= did.cycles)             \
        regs.name = c.to.name;
            GMMU_IN_FORCE(GMMU_TAKE)
#undef GMMU_TAKE
        }
        while (!changes.empty() && changes.front().at + longest <= did.cycles) changes.pop_front();
        gmmu_tier_change(&twin, &regs);
        acted = true;
    }

    // The actions of this cycle, in their order; each with the checker whose it is.
    void replay() {
        using namespace lockstep;
        quiet();
        restless = checkers.first([](auto &c) { return c.restless() ? c.block : nullptr; });
        checkers.each([](auto &c) { c.begin(); });
        if (dut->tvi_foretell_valid)
            act<TierPlace, Foretell>();
        if (dut->tvi_side_valid)
            side();
        if (dut->tvi_enter_valid)
            act<FaultQueue, Enter>();
        if (dut->tvi_age_fault)
            act<SidePort, Age>();
        if (dut->tvi_allow)
            act<Segment, Allow>();
        checkers.of<Segment>().stands();
        if (dut->tvi_bg_valid)
            background();
        if (dut->tvi_thresh_valid)
            act<TraceSampler, Thresh>();
        if (dut->tvi_scrub_valid)
            act<TraceSampler, Scrub>();
        if (dut->tvi_flush_valid)
            act<RefRit, Flush>();
        if (checkers.of<WalkPipe>().due()) {
            if (checkers.of<WalkPipe>().replays())
                act<WalkPipe, Replay>();
            else
                act<WalkPipe, Walk>();
        }
        if (dut->tvi_range)
            checkers.of<RangeDir>().range();
        checkers.each([](auto &c) { c.end(); });
        acted = false;
    }
    void side() {
        using namespace lockstep;
        switch (dut->tvi_side_kind) {
            case GMMU_SIDE_DRV:
                return act<SidePort, Drv>();
            case GMMU_SIDE_AGE:
                return act<SidePort, Age>();
            case GMMU_SIDE_INSTALL:
                return act<Ppuc, Install>();
            case GMMU_SIDE_CAND:
                return act<VictimSelect, Cand>();
            case GMMU_SIDE_HAND:
                return act<VictimSelect, Hand>();
            case GMMU_SIDE_DECIDE:
                return act<FaultUnit, Decide>();
            case GMMU_SIDE_TOUCH:
                return act<FrameMem, Touch>();
            case GMMU_SIDE_CAND2:
                return act<TierPlace, Cand2>();
            case GMMU_SIDE_RISE:
                return act<TierPlace, Rise>();
            case GMMU_SIDE_PLACE:
                return act<TierPlace, Place>();
            case GMMU_SIDE_EXPIRE:
                return act<FaultQueue, Expire>();
            default:
                expect("gmmu_tier", "tvi_side_kind", dut->tvi_side_kind, 0);
        }
    }
    void background() {
        using namespace lockstep;
        switch (dut->tvi_bg_kind) {
            case GMMU_BG_LEARN:
                return act<RefRit, Learn>();
            case GMMU_BG_CLEAR:
                return act<RefRit, Clear>();
            case GMMU_BG_HALVE:
                return act<RefRit, Halve>();
            default:
                return act<RefRit, Refresh>();
        }
    }
    template <class Owner, class Action>
    void act() {
        Action a;
        acted = true;
        if (checkers.of<Owner>().step(a))
            checkers.tell(a);
    }

    // `quiet` in every cycle: never while anything is owed or under way, and high soon after (what
    // was begun last may be a row operation, or a look at the whole ring of arrived pages).
    void quiet() {
        const char *block = nullptr;
        const char *what = checkers.first([&](auto &c) {
            block = c.block;
            return c.under_way();
        });
        if (what != nullptr) {
            busy_at = did.cycles;
            expect(block, what, dut->quiet, 0);
        } else if (dut->s_axis_drv_tvalid || !changes.empty()) {
            busy_at = did.cycles;  // its page may be looked for already; cfg_ahead may have changed
        } else if (did.cycles - busy_at >
                   cfg.bins + LOOK_CYCLES * cfg.late + QUIET_BOUND + memory_slack()) {
            expect("gmmu_tier", "quiet with nothing under way", dut->quiet, 1);
        }
    }
    enum { QUIET_BOUND = 16, LOOK_CYCLES = 4 };
};
