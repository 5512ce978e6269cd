// SPDX-License-Identifier: Apache-2.0
// play.h: a recorded trace on the unit alone, with a driver that judges it (judge.h).
//
// Walks come at random gaps; operations on ranges come beside. All of it depends on nothing but the
// seed and what the unit answers.
#pragma once
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "blocks/crc32c.h"
#include "flips/judge.h"
#include "gmmu/trace.h"
#include "lockstep/lockstep.h"

namespace flips {

struct Setting {
    std::string trace;
    uint32_t frames, search, tier, seed;
    uint32_t slots = 0;  // 0: all
};

class Play {
   public:
    Lockstep step;
    Judge judge;
    uint64_t cycle = 0, walks = 0, faults = 0;
    // what left the unit so far: hashes of the packets of two streams, of transfers
    // (of these only so many: one that decides otherwise takes another time, and so sees more or
    // less)
    uint64_t hashed_transfers = UINT64_MAX;
    uint64_t bad_word = UINT64_MAX;  // the first beat that is an answer BADWORD
    std::vector<uint64_t> trail;     // hashes of the beats, each by itself, from `trails` on
    uint64_t trails = UINT64_MAX;
    uint64_t hash_packets = 0, hash_transfers = 0, transfers = 0, packets = 0;

    Play(const gmmu_config &cfg, const Setting &s, const std::vector<gmmu_walk> &trace)
        : step(cfg, registers(cfg, s), "garbage", s.seed),
          judge(step.regs, &rng),
          rng(s.seed),
          walk(trace) {
        step.compare = false;
        for (unsigned i = 0; i < 60000; i++) operations.push_back(operation(cfg));
        step.ranges().list = &operations;
        step.ranges().on_beat = [this](const uint32_t *w, unsigned n) {
            // kind, code: an answer BADWORD
            if ((w[0] & 3) == GMMU_RANGE_ANSWER && (w[0] >> 2 & 7) == GMMU_RANGE_BADWORD)
                bad_word = std::min(bad_word, transfers);
            uint64_t alone = 0;
            for (unsigned i = 0; i < n; i++) mix(&alone, w[i]);
            if (transfers++ < hashed_transfers)
                mix(&hash_transfers, alone);
            if (transfers > trails)
                trail.push_back(alone);
        };
        step.rit().on_beat = [this](const uint32_t *w, bool) { beat(w, GMMU_RIT_WORDS); };
        step.hir().on_beat = [this](const uint32_t *w, bool) { beat(w, GMMU_HIR_WORDS); };
    }
    bool reset() {
        const bool ok = step.reset();
        step.ranges().offers = 20;
        return ok;
    }

    enum { STEP = 1 << 17 };  // of the watchdog
    // No more walks and operations.
    void rest() {
        judge.resting = true;
        step.ranges().offers = 0;
    }
    // One cycle. False: something is wrong.
    bool run() {
        cycle++;
        offer_walk();
        offer_drv();
        Vdut &dut = *step.dut;
        dut.m_axis_decision_tready = 1;
        const Cycle c = step.cycle();
        quiet = c.quiet;
        if (c.drv_taken)
            judge.taken();
        if (c.decided)
            judge.decided(c.decision);
        return judge.wrong < NO_FREE;
    }
    // Walks are over: what is owed comes within so many cycles, or is asked for again; then, if
    // WHOLE (which takes most of the time: rows are refreshed), the unit comes to rest.
    void settle(uint64_t bound, bool whole) {
        settle_faults(bound, whole);
        watch();
    }
    // Of a hang, a unit that does not come to rest: does its watchdog tell?
    void watch() {
        if (judge.wrong != HANG && judge.wrong != RESTLESS)
            return;
        step.ranges().offers = 0;
        for (uint64_t n = 0; n < 3 * STEP && step.dut->stat_watchdog == 0; n++) (void)step.cycle();
        if (step.dut->stat_watchdog == 0)
            return;
        judge.about += "; the watchdog has " + std::to_string(step.dut->stat_watchdog_last);
        judge.wrong = judge.wrong == HANG ? HANG_TOLD : RESTLESS_TOLD;
    }
    void settle_faults(uint64_t bound, bool whole) {
        rest();
        for (unsigned again = 0; again < 3; again++) {
            const uint64_t until = cycle + bound;
            for (unsigned calm = 0; calm < (whole ? 3 : 300) && cycle < until;) {
                if (!run())
                    return;
                calm = (quiet || (!whole && answered())) && judge.done() ? calm + 1 : 0;
            }
            if (answered() && judge.done())
                return cycle >= until ? judge.found(RESTLESS, "no rest") : void();
            if (again == 2)
                return judge.found(HANG, "a fault is not decided, asked for again or not");
            judge.found(LOST, "a fault was not decided");
            judge.ask_again();
        }
    }

   private:
    std::mt19937_64 rng;
    const std::vector<gmmu_walk> &walk;
    std::vector<gmmu_range_op> operations;
    bool quiet = false;
    uint64_t next_at = 0, refused = 0;

    static gmmu_regs registers(const gmmu_config &cfg, const Setting &s) {
        gmmu_regs r = gmmu_regs_default(&cfg);
        r.frames = s.frames;
        r.search = s.search;
        r.tier = cfg.t2_slots != 0 ? s.tier : 0;
        r.tier_model = r.tier != 0;
        if (s.slots != 0)
            r.t2_slots = std::min(r.t2_slots, s.slots);
        r.tier_near = 200;
        r.tier_far = 2000;
        r.rit_batch = 8;
        r.rit_wait = 8;
        r.transfer = 8;
        r.protect = 64;
        r.refresh = 5;
        r.range_bytes = 24u << 12;
        r.watchdog = 1;
        return r;
    }
    gmmu_range_op operation(const gmmu_config &cfg) {
        gmmu_range_op o = {};
        static const uint8_t kinds[] = {
            GMMU_RANGE_READ_GPU,  GMMU_RANGE_READ_GPU, GMMU_RANGE_WRITE_GPU, GMMU_RANGE_READ_CPU,
            GMMU_RANGE_WRITE_CPU, GMMU_RANGE_LOOKUP,   GMMU_RANGE_RELEASE};
        o.op = kinds[rng() % sizeof kinds];
        o.tag = static_cast<uint8_t>(rng());
        o.start = (rng() % (2 * std::max(cfg.ranges, 1u))) << 12;
        o.last = o.start + ((1 + rng() % 3) << 12) - 1;
        o.whole = rng() % 3 == 0;
        return o;
    }
    // No fault waits.
    bool answered() const { return judge.book.asked.empty(); }

    void offer_walk() {
        if (judge.resting || walks >= walk.size() || cycle < next_at)
            return;
        if (!step.dut->s_axis_walk_tready) {
            if (++refused > 64)
                judge.found(HANG, "walks are not taken");
            return;
        }
        refused = 0;
        const gmmu_walk &w = walk[walks];
        gmmu_tier_walk_in sent = {};
        sent.asid = w.asid;
        sent.vpn = w.vpn;
        sent.ref = gmmu_fold_ref(w.ref, step.cfg.ref_w);
        sent.write = w.write;
        judge.book.look_up(&sent);
        if (sent.fault && !judge.book.waits({w.asid, w.vpn}) &&
            judge.book.asked.size() >= step.cfg.faults)
            return;
        step.offer_walk(sent);
        faults += judge.book.walked(sent, cycle);
        walks++;
        next_at = cycle + 1 + rng() % 12;
    }
    void offer_drv() {
        if (const Operation *o = judge.next(cycle))
            step.offer_drv(*o);
    }
    void beat(const uint32_t *w, unsigned n) {
        packets++;
        for (unsigned i = 0; i < n; i++) mix(&hash_packets, w[i]);
    }
};

}  // namespace flips
