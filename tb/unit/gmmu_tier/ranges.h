// SPDX-License-Identifier: Apache-2.0
// ranges.h: a library that offloads calls, beside walks and a driver: the operations that
// SemCache's runtime asks on a recorded .sem trace, through the unit.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "random_run.h"
#include "range_dir/host.h"

// TRACE with GPU memory for PERCENT of what it takes; RATE of 1000 cycles bring an operation.
// *ASKED: how many there are, *TAKEN: how many the unit did.
inline Mismatch recorded_ranges(const char *ram, uint32_t seed, const std::string &trace,
                                unsigned percent, unsigned rate, uint64_t *asked, uint64_t *taken) {
    const unsigned addr_w = config().vpn_w + 12;
    const host::Events events = host::recorded("sim/sem/" + trace + ".sem", addr_w);
    gmmu_sem_config sem = {};
    sem.ranges = config().ranges;
    sem.limit = UINT64_MAX >> (64 - addr_w);
    if (percent != 100) {
        host::Runtime all(sem, addr_w);
        all.play(events);
        sem.limit = std::max<uint64_t>(all.counts().most_bytes * percent / 100, 1);
    }
    host::Runtime runtime(sem, addr_w);
    runtime.play(events);
    std::vector<gmmu_range_op> ops;
    for (const host::Asked &a : runtime.asked) {
        ops.push_back(a.op);
        ops.back().tag = static_cast<uint8_t>(ops.size());
    }
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 5);
    regs.range_bytes = sem.limit;
    RandomRun run(ram, seed, regs, nullptr);
    run.ranges = rate;
    run.lockstep().ranges().list = &ops;
    run.lockstep().ranges().ready = 700;
    const Style style = {.name = "walks beside calls",
                         .walk_permille = 200,
                         .drv_permille = 400,
                         .odd_permille = 50,
                         .ready_permille = 500,
                         .stale_permille = 10};
    for (unsigned i = 0; i < 200 && run.lockstep().did.ranges < ops.size(); i++)
        if (!run.run(style, 2000, 20, 5))
            break;
    *asked = ops.size();
    *taken = run.lockstep().did.ranges;
    return run.lockstep().mismatch;
}
