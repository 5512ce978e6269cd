// SPDX-License-Identifier: Apache-2.0
// gpu.h: plays the trace with warps in flight.
//
// The walks are dealt in the trace's order: each goes to the warp that is ready first, and waits
// for that one alone. A warp thinks between two walks; a fault stalls it until the driver resumes
// it. So the order of walks, by which policies decide, does not depend on any time.
//
// Loosely timed: the GPU runs ahead of the kernel as long as nothing else is to happen before, so
// that a result does not depend on the quantum.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "depth_log.h"
#include "fifo.h"
#include "payload.h"
#include "trace.h"

class Gpu : public sc_core::sc_module {
   public:
    tlm_utils::simple_initiator_socket<Gpu> walks{"walks"};
    tlm_utils::simple_target_socket<Gpu> resumes{"resumes"};
    // Has all that was begun come to an end? Asked when the last walk is done.
    std::function<bool()> all_idle;
    std::function<void(const std::string &)> failed;

    Gpu(const sc_core::sc_module_name &name, const Parameters &p, Trace *trace);
    uint64_t done() const { return done_; }  // walks
    bool finished() const { return finished_; }
    const sc_core::sc_time &run_time() const { return last_; }
    const sc_core::sc_time &stall_time() const { return stall_; }
    uint64_t stalls() const { return stalls_; }
    // Who waits; nothing if nobody does.
    std::string waits() const;
    DepthLog stalled;

   private:
    using Ready = std::pair<sc_core::sc_time, uint32_t>;  // a warp and since when it is ready
    struct Stall {
        bool is = false;
        sc_core::sc_time since;
        uint64_t walk = 0;
        gmmu_walk what = {};
    };
    const Parameters &p_;
    Trace *trace_;
    Fifo<Ready> flowing_;  // warps behind a hit: these become ready in their order
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> resumed_;
    std::vector<Stall> stall_of_;  // of each warp
    sc_core::sc_event resume_;
    sc_core::sc_time last_, stall_;
    uint64_t done_ = 0, stalls_ = 0, stalled_now_ = 0;
    bool finished_ = false;

    void play();
    void play_all();
    // The warp that is ready first, and when; the kernel is there, or has nothing before it.
    Ready take_warp();
    void b_resume(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
};
