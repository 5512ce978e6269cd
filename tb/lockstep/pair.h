// SPDX-License-Identifier: Apache-2.0
// pair.h: the Verilated unit and its C twin, as every checker sees them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "Vdut.h"
#include "blocks/gmmu_tier.h"
#include "frame_memory.h"
#include "lockstep/report.h"

namespace lockstep {

struct Pair {
    const gmmu_config cfg;
    gmmu_regs regs;
    gmmu_tier twin = {};
    Mismatch mismatch;  // the first
    Activity did;
    bool compare = true;                               // false: the RTL alone
    bool turns = false;                                // words in its RAMs turn bad, and are told
    MemoryStyle memory_style = {200, 500, 1000, 950};  // of the frames' memory, if they lie in one
    std::unique_ptr<FrameMemory<Vdut>> frame_memory;

    // The streams in this cycle: what stands at the inputs, the decision that is taken.
    gmmu_tier_walk_in walk_in = {};
    uint32_t walk_sm = 0;
    gmmu_tier_drv_in drv_in = {};
    bool drv_taken = false, decided = false;
    std::size_t drv_under_way = 0;  // operations that were taken and have not taken effect
    gmmu_tier_decision decision = {};
    // The twin may have changed since the end of the cycle before: an action, or other registers.
    bool acted = true;
    // The block that keeps a REFRESH waiting, as of this cycle's start; none: nullptr.
    const char *restless = nullptr;

   private:
    VerilatedContext context;

   public:
    std::unique_ptr<Vdut> dut;

    // of six neighbouring seeds, 4 among them, two have no clock that rests
    Pair(const gmmu_config &config, const gmmu_regs &r, const char *ram, uint32_t seed,
         const char *more_arg)
        : cfg(config), regs(r), memory(gmmu_tier_bytes(&cfg) + 16) {
        const std::string ram_arg = std::string("+ram=") + ram;
        const char *args[] = {"bench", ram_arg.c_str(), more_arg ? more_arg : "+none",
                              (seed / 2 + 1) % 3 ? "+clocks=rest" : "+clocks=run"};
        context.commandArgs(4, args);
        context.randReset(2);
        context.randSeed(static_cast<int>(seed));
        context.traceEverOn(true);
        dut = std::make_unique<Vdut>(&context);
    }

    bool expect(const char *block, const char *field, uint64_t rtl, uint64_t model) {
        return rtl == model || differs(block, field, rtl, model);
    }
    // FRAME_MEM: the time that the frames' memory may add to what waits for one operation.
    uint64_t memory_slack() const {
        return cfg.frame_mem ? 4ull * (memory_style.latency + 1) + 8ull * (cfg.lines + cfg.touchq)
                             : 0;
    }

   protected:
    bool reset_twin() {
        return gmmu_tier_init(&twin, &cfg, &regs, memory.data(), memory.size()) == 0;
    }
    uint32_t seed() const { return static_cast<uint32_t>(context.randSeed()); }

   private:
    std::vector<char> memory;

    __attribute__((noinline)) bool differs(const char *block, const char *field, uint64_t rtl,
                                           uint64_t model) {
        if (mismatch.found)
            return false;
        mismatch.found = true;
        mismatch.block = block;
        mismatch.field = field;
        mismatch.rtl = rtl;
        mismatch.twin = model;
        mismatch.cycle = did.cycles;
        mismatch.walk = did.walks;
        return false;
    }
};

}  // namespace lockstep
