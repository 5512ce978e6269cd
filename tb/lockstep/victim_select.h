// SPDX-License-Identifier: Apache-2.0
// victim_select.h: checks the search: its candidates, what DECIDE makes of them, and how long it
// takes.
#pragma once
#include <algorithm>

#include "lockstep/checker.h"

namespace lockstep {

class VictimSelect : public Checker<VictimSelect> {
   public:
    static constexpr const char *block = "victim_select";
    using Checker::Checker;

    const char *under_way() const { return undecided ? "quiet with a fault undecided" : nullptr; }
    bool restless() const { return undecided; }
    void begin() { standing -= p.decided && standing != 0; }

    bool step(Cand &c) {
        forced();
        if (!expect("CAND in search clock", twin.select.clock, 0) ||
            !expect("CAND frame", dut.tvi_side_frame,
                    gmmu_victim_select_next(&twin.select, regs.frames)))
            return false;
        c.out = gmmu_tier_cand(&twin, dut.tvi_side_frame);
        return true;
    }
    void did(const Cand &) {
        if (twin.select.rounds == 0 && lookups == 0)
            begin_search();
        lookups++;
        scanned_at = now();
        retries = in_a_row = 0;
    }

    // none behind the one that is the candidate
    bool step(Hand &h) {
        forced();
        if (!expect("HAND in another search", twin.select.clock, 1) ||
            !expect("HAND behind the candidate", gmmu_victim_select_best(&twin.select) != nullptr,
                    0) ||
            !expect("HAND frame", dut.tvi_side_frame,
                    gmmu_victim_select_next(&twin.select, regs.frames)))
            return false;
        h.out = gmmu_tier_hand(&twin, dut.tvi_side_frame);
        return true;
    }
    void did(const Hand &h) {
        begin_search();
        scanned_at = now();
        retries = in_a_row = 0;
        p.did.passed += h.out.used;
    }

    void did(const Decide &d) {
        const unsigned tier = dut.tvi_dec_tier;
        const bool retry = d.out.tier == GMMU_TIER_RETRY;
        if (!d.free_choice && !retry)
            expect("DECIDE before the scan is complete", d.scanned, 1);
        if (d.out.tier == GMMU_TIER_2 || (retry && d.had)) {
            expect("DECIDE frame", dut.tvi_side_frame, d.out.frame);
            expect("DECIDE priority", dut.tvi_dec_priority, d.out.priority);
        }
        // credit is the unit's own doing, an empty list the search's, a frame that is gone the
        // table's
        const bool credit = tier == GMMU_TIER_FREE || d.out.tier == GMMU_TIER_FREE;
        p.expect(credit  ? "gmmu_tier"
                 : d.had ? "frame_table"
                         : block,
                 "DECIDE tier", tier, d.out.tier);
        if (d.scanned && !d.free_choice && !blocked())
            expect("DECIDE later than its bound",
                   now() - scanned_at > DECIDE_BOUND + (RETRY_COST + cfg.pool) * retries +
                                            p.memory_slack() * (retries + 1),
                   0);
        retries++;
        in_a_row = retry ? in_a_row + 1 : 0;
        expect("RETRYs without end", in_a_row > cfg.pool + 2, 0);
        search_retried |= retry;
        if (retry)
            return;
        // without a RETRY, in no round
        if (searching && blocked_at < search_began && d.out.tier == GMMU_TIER_2 && !search_retried)
            p.did.longest_search = std::max(p.did.longest_search, search_time());
        searching = false;
        standing++;
    }

    void end() {
        lookups -= dut.tvi_looked_valid && lookups != 0;
        if (idle && !dut.tvi_search_idle)
            begun_forced = forced_since != 0 && now() - forced_since > FORCE_KNOWN;
        idle = dut.tvi_search_idle;
        watch(gmmu_fault_queue_forced(&twin.faults.queue), forced_since);
        if (dut.tvi_enter_valid || dut.tvi_side_valid)
            undecided = gmmu_fault_queue_head(&twin.faults.queue) >= 0;
        // a fault is decided after two rounds of candidates at half the rate, if its decision can
        // leave
        watch(undecided && dut.m_axis_decision_tready && dut.tvi_side_kind != GMMU_SIDE_DECIDE &&
                  standing == 0,
              undecided_since);
        if (undecided_since != 0)
            expect("DECIDE overdue",
                   now() - undecided_since > (cfg.frame_mem ? 69632 : 4ull * regs.frames + 1024),
                   0);
        const unsigned kind = dut.tvi_side_kind;
        if ((dut.m_axis_decision_tvalid && !dut.m_axis_decision_tready) || dut.s_axis_drv_tvalid ||
            dut.tvi_enter_valid || dut.tvi_age_fault ||
            (dut.tvi_side_valid && kind != GMMU_SIDE_CAND && kind != GMMU_SIDE_HAND &&
             kind != GMMU_SIDE_DECIDE))
            blocked_at = now();
    }

   private:
    enum { DECIDE_BOUND = 24, RETRY_COST = 12, FORCE_KNOWN = 16 };
    uint64_t forced_since = 0;  // the head may take a fresh frame
    bool idle = true;           // no search was under way or wanted in the cycle before
    bool begun_forced = false;  // the search began when this was known
    bool undecided = false;     // some fault of the twin is
    uint64_t undecided_since = 0;
    unsigned standing = 0;  // decisions that have not left
    unsigned lookups = 0;   // candidates whose priority has not come
    uint64_t scanned_at = 0;
    unsigned retries = 0, in_a_row = 0;  // RETRYs; without a candidate between them
    bool searching = false, search_retried = false;
    uint64_t search_began = 0, search_refused = 0, blocked_at = 0;

    // Whether a search is forced is known when it begins, some cycles before its first action: a
    // search ahead of need may be taken over by an ASK with `force` later.
    void forced() {
        const bool is = dut.tvi_forced, head = gmmu_fault_queue_forced(&twin.faults.queue);
        if (!twin.select.rests)
            expect("forced amid a search", is, twin.select.forced);
        else if (is)
            expect("forced without an ASK", is, head);
        else
            expect("not forced", begun_forced, 0);
        twin.select.forced = is;
    }
    void begin_search() {
        if (searching)
            return;
        searching = true;
        search_began = now();
        search_refused = refused();
        search_retried = false;
    }
    // An earlier decision stood at the output, or the driver was served, or a fault entered in
    // between: no bound.
    bool blocked() const { return blocked_at + 64 > now(); }
    uint64_t refused() const { return p.frame_memory ? p.frame_memory->refused : 0; }
    uint64_t search_time() const {
        const uint64_t all = now() - search_began + 1;
        const uint64_t waits =
            p.frame_memory ? 2ull * (p.memory_style.latency + 1) + refused() - search_refused : 0;
        return all > waits ? all - waits : 1;
    }
};

}  // namespace lockstep
