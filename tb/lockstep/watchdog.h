// SPDX-License-Identifier: Apache-2.0
// watchdog.h: what the watchdog tells, and when, of what shows at the ports: REST, RANGE and
// OPERATION (docs/reference/blocks/gmmu_tier.md, Watchdog).
#pragma once
#include "gmmu/codes.h"
#include "lockstep/checker.h"

namespace lockstep {

class Watchdog : public Checker<Watchdog> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    // Is compared from now on: nothing is owed now, nor later what no port shows.
    void start() {
        on = true;
        next = boundary = 0;
        was_quiet = true;
        count = dut.stat_watchdog;
        last = dut.stat_watchdog_last;
        tells_at = 0;
    }
    // So often it told since start().
    uint32_t told = 0;

    void settled() {
        if (!on)
            return;
        const unsigned owes = owed();
        was_quiet = dut.quiet || dut.rst;
        if (tells_at != 0 && now() == tells_at) {
            tells_at = 0;
            told++;
            count++;
            last = tells;
        }
        expect("stat_watchdog", dut.stat_watchdog, count);
        expect("stat_watchdog_last", dut.stat_watchdog_last, last);
        for (unsigned i = 0; i < ITEMS; i++)
            if ((owes >> i & 1) == 0)
                from[i] = 0;
            else if (from[i] == 0)
                from[i] = now();
        const uint64_t step = 1ull << (16 + regs.watchdog);
        if (owes == 0) {
            next = boundary = 0;
        } else if (next == 0) {
            next = now() + step + 1;
        } else if (now() == next) {
            tells = 0;  // what was owed at the end of the step before, and ever since
            for (unsigned i = 0; i < ITEMS; i++)
                if (from[i] != 0 && from[i] <= boundary)
                    tells |= 1u << i;
            if (tells != 0)
                tells_at = now() + 2;
            boundary = now();
            next = now() + step + 2;
        }
    }

   private:
    enum { ITEMS = GMMU_WATCHDOG_CREDIT + 1 };
    bool on = false, was_quiet = true;
    uint64_t from[ITEMS] = {};  // since when it has been owed; 0: it is not
    uint64_t next = 0;          // end of the step
    uint64_t boundary = 0;      // and of the one before; 0: there is none
    uint64_t tells_at = 0;
    uint32_t tells = 0, count = 0, last = 0;

    unsigned owed() const {
        if (regs.watchdog == 0)
            return 0;
        const bool range = dut.s_axis_range_tvalid, drv = dut.s_axis_drv_tvalid,
                   refused = dut.m_axis_xfer_tvalid && !dut.m_axis_xfer_tready;
        const bool stands = refused || (dut.m_axis_rit_tvalid && !dut.m_axis_rit_tready) ||
                            (dut.m_axis_hir_tvalid && !dut.m_axis_hir_tready) ||
                            (dut.m_axis_decision_tvalid && !dut.m_axis_decision_tready);
        const bool rest = !was_quiet && !dut.s_axis_walk_tvalid && !drv && !range && !stands;
        const bool operation = drv && !dut.s_axis_drv_tready && dut.s_axis_walk_tready;
        return static_cast<unsigned>(rest) << GMMU_WATCHDOG_REST |
               static_cast<unsigned>(operation) << GMMU_WATCHDOG_OPERATION |
               static_cast<unsigned>(range && !dut.s_axis_range_tready && !refused)
                   << GMMU_WATCHDOG_RANGE;
    }
};

}  // namespace lockstep
