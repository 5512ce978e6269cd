// SPDX-License-Identifier: Apache-2.0
// decided_gpu.h: plays the trace with warps in flight.
//
// The walks are dealt in the trace's order: each goes to the warp that is ready first, and waits
// for that one alone. A warp thinks between two walks; a fault stalls it until the driver resumes
// it. So the order of walks, by which policies decide, does not depend on any time.
//
// Loosely timed: the GPU runs ahead of the kernel as long as nothing else is to happen before, so
// that a result does not depend on the quantum.
#pragma once
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "fifo.h"
#include "gpu.h"

class DecidedGpu : public Gpu {
   public:
    DecidedGpu(const sc_core::sc_module_name &name, const Parameters &p, Trace *trace);
    std::string waits() const override;

   private:
    using Ready = std::pair<sc_core::sc_time, uint32_t>;  // a warp and since when it is ready
    struct Stall {
        bool is = false;
        sc_core::sc_time since;
        uint64_t walk = 0;
        gmmu_walk what = {};
    };
    Fifo<Ready> flowing_;  // warps behind a hit: these become ready in their order
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> resumed_;
    std::vector<Stall> stall_of_;  // of each warp
    sc_core::sc_event resume_;

    void play_all() override;
    // The warp that is ready first, and when; the kernel is there, or has nothing before it.
    Ready take_warp();
    void b_resume(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
};
