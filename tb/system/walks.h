// SPDX-License-Identifier: Apache-2.0
// walks.h: what the steps on a recorded trace are told, and the registers that come of it.
#pragma once
#include "keys.h"
#include "recorded.h"
#include "step.h"

// The keys of a trace, of memory and of the registers.
Keys trace_keys(const gmmu_config &cfg);
// And those of a host, for steps whose records go to one.
Keys recorded_keys(const gmmu_config &cfg, const Keys &of_the_host);

struct Walks {
    Recorded trace;
    gmmu_regs regs;
    uint64_t latency, gap;  // of a stream
    uint64_t limit;         // so many walks of the trace
    uint64_t shares;  // of a stream: another cfg_protect at most so many cycles later; 0: never
    json_t *rit;      // records go to a host; or nullptr
    unsigned rit_ready = 0;  // in so many of 1000 cycles one may go; 0: there is no host
    Row row;

    Walks(json_t *j, const gmmu_config &cfg);

   private:
    void tiers(json_t *j, const gmmu_config &cfg);
};
