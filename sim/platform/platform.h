// SPDX-License-Identifier: Apache-2.0
// platform.h: the modules and what binds them.
//
//   gpu ──walks──► walkers ──walks──► unit ──decisions──► driver ──jobs──► dma ──► link, host, ssd
//    ▲                └──faults (stalled warps)──────────►  │ ▲─────────────┘
//    └──────────────────────resumes─────────────────────────┘ operations ──► unit
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "dma.h"
#include "driver.h"
#include "gpu.h"
#include "options.h"
#include "policy/policy.h"
#include "server.h"
#include "timeline.h"
#include "trace.h"
#include "unit.h"
#include "walkers.h"

struct UnitSize;
struct Rtl;
class ArrivalDriver;
class ChunkDriver;
class ChunkWalks;
struct ChunkMemory;
class ArrivalGpu;
class Side;

class Platform : public sc_core::sc_module {
   public:
    // RTL: makes the unit of --model rtl or rtl-ring.
    Platform(const sc_core::sc_module_name &name, const Options &o, const Parameters &p,
             const Rtl &rtl);
    ~Platform() override;
    // Runs the trace; nonzero and a line on standard error: it did not come to its end.
    int run();
    // False: the file of --timeline, if there is one, could not be written.
    bool end_timeline() { return timeline_ == nullptr || timeline_->end(); }

    const Options &options;
    const Parameters &parameters;
    std::string config;  // of the unit
    uint32_t frames = 0, tier2 = 0;
    std::unique_ptr<Trace> trace;
    std::unique_ptr<Unit> unit;
    std::unique_ptr<Gpu> gpu;
    std::unique_ptr<Walkers> walkers;
    std::unique_ptr<Driver> driver;
    // Where faults take time, else null: gpu and driver.
    ArrivalGpu *arrival_gpu = nullptr;
    ArrivalDriver *arrival_driver = nullptr;
    ChunkDriver *chunk_driver = nullptr;  // if memory is chunks
    uint32_t chunk = 1;                   // pages of a chunk
    uint32_t warps = 0;
    std::unique_ptr<Dma> dma;
    std::unique_ptr<Server> to_gpu, to_host, host, ssd;
    sc_core::sc_time end;    // when all was idle
    double seconds = 0;      // of processor time
    uint32_t pages() const;  // that were accessed

   private:
    gmmu_pages *pages_;
    gmmu_future future_ = {};
    std::unique_ptr<PageTable> table_;
    std::unique_ptr<UnitSize> size_;
    std::unique_ptr<Side> side_;           // until the driver has it
    std::unique_ptr<ChunkMemory> chunks_;  // where memory is chunks
    std::unique_ptr<ChunkWalks> chunk_walks_;
    std::unique_ptr<Timeline> timeline_;
    // What wants to hear of accesses behind others' walks.
    std::function<void(const gmmu_walk &walk, uint64_t number)> merged_;
    std::string failure_;
    std::string stuck_;  // why the watchdog ended the run

    unsigned page_shift() const {
        return static_cast<unsigned>(__builtin_ctzll(trace->page_bytes()));
    }
    bool arrival() const { return parameters.run.timeline == Parameters::ARRIVAL; }
    void check_arrival() const;
    void check_chunks(const std::string &policy) const;
    void make_chunks(const std::string &policy, const char *policy_options);
    void make_decided();
    void make_arrival();
    void make_unit(const Rtl &rtl);
    void check_rtl(const Rtl &rtl) const;
    void bind();
    void watch();
    DepthLog *logs(size_t i, const char **what);
    friend class Report;
};
