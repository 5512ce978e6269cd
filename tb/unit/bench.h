// SPDX-License-Identifier: Apache-2.0
// bench.h: what the block benches share: clock, random numbers, the report of a mismatch, the runs.
//
// A bench drives one Verilated block and its C twin with the same stimuli. In each cycle: set the
// inputs, settle(), compare the outputs and do the cycle's actions in the twin, edge().
#pragma once
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "bits.h"
#include "blocks/gmmu_tier.h"
#include "fault_table.h"
#include "sizes.h"

namespace bench {

inline const gmmu_config &config() {
    return config_of_build();
}

inline uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

// `make test` sets GMMU_QUICK: a third of the seeds of a random run; the whole is in `make
// long-tests`.
inline bool quick() {
    return std::getenv("GMMU_QUICK") != nullptr;
}
inline unsigned seeds_of_run(unsigned seeds) {
    return quick() ? (seeds + 2) / 3 : seeds;
}

// Actions that a lock-step run has to reach (scripts/block_sim.py wants many); 0: the bench's own.
inline uint64_t actions_of_run() {
    const char *s = std::getenv("GMMU_ACTIONS");
    return s ? std::strtoull(s, nullptr, 0) : 0;
}

inline uint64_t mask(unsigned bits) {
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

// SplitMix64: the same numbers everywhere.
class Random {
   public:
    explicit Random(uint64_t seed) : state_(seed * 0xD1342543DE82EF95ull + 1) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t n) { return next() % n; }
    bool chance(unsigned permille) { return below(1000) < permille; }
    uint64_t bits(unsigned width) { return next() & mask(width); }
    // A value of WIDTH bits, often a structured one: 0, all ones, a power of two or next to one.
    uint64_t edgy(unsigned width) {
        const uint64_t one = 1ull << below(width);
        switch (below(8)) {
            case 0:
                return 0;
            case 1:
                return mask(width);
            case 2:
                return one;
            case 3:
                return one - 1;
            case 4:
                return (one + 1) & mask(width);
            case 5:
                return ~one & mask(width);
            case 6:
                return below(16) & mask(width);
            default:
                return bits(width);
        }
    }

   private:
    uint64_t state_;
};

// How a run starts: what a RAM returns on a collision, the random initial state, the fault.
struct Setup {
    const char *ram = "old";
    uint32_t seed = 1;
    unsigned fault = 0;
    unsigned flip = 0;  // about every so many words that RAMs take have a bit turned over
};

struct Mismatch {
    bool found = false;
    std::string block, field;
    uint64_t cycle = 0, rtl = 0, twin = 0;
    Setup setup;
    std::string text() const {
        char s[320];
        std::snprintf(s, sizeof s,
                      "block %s: cycle %" PRIu64 ": %s: RTL 0x%" PRIx64 ", C model 0x%" PRIx64
                      " (%s, +ram=%s, seed %u)",
                      block.c_str(), cycle, field.c_str(), rtl, twin, GMMU_CONFIG_NAME, setup.ram,
                      setup.seed);
        return s;
    }
};

// Memory of a twin's arrays.
class Memory {
   public:
    explicit Memory(std::size_t bytes) : bytes_(bytes) { arena = {bytes_.data(), bytes, 0}; }
    gmmu_arena arena;

   private:
    std::vector<char> bytes_;
};

class Block {
   public:
    Mismatch mismatch;
    uint64_t cycles = 0, actions = 0;

   protected:
    const gmmu_config &cfg = config();
    Setup setup;
    Random rng;
    VerilatedContext context;
    std::unique_ptr<Vdut> dut;
    Memory memory;

    Block(const char *name, const Setup &s)
        : setup(s), rng(s.seed), memory(gmmu_tier_bytes(&cfg) + 64) {
        const std::string ram = std::string("+ram=") + s.ram;
        const std::string fault = "+fault=" + std::to_string(s.fault);
        const std::string flip = "+flip=" + std::to_string(s.flip);
        const char *args[] = {"bench", ram.c_str(), fault.c_str(), flip.c_str()};
        context.commandArgs(4, args);
        context.randReset(2);
        context.randSeed(static_cast<int>(s.seed));
        dut = std::make_unique<Vdut>(&context);
        mismatch.block = name;
        mismatch.setup = s;
    }
    bool ok() const { return !mismatch.found; }
    void settle() {
        dut->clk = 0;
        dut->eval();
    }
    void edge() {
        dut->clk = 1;
        dut->eval();
        cycles++;
    }
    void tick() {
        settle();
        edge();
    }
    // Keeps the first difference.
    bool expect(const char *field, uint64_t rtl, uint64_t twin) {
        if (rtl == twin)
            return true;
        if (!mismatch.found) {
            mismatch.found = true;
            mismatch.field = field;
            mismatch.rtl = rtl;
            mismatch.twin = twin;
            mismatch.cycle = cycles;
        }
        return false;
    }
};

struct Outcome {
    Mismatch mismatch;
    uint64_t actions = 0, cycles = 0;
    template <typename Bench>
    bool add(const Bench &b) {
        actions += b.actions;
        cycles += b.cycles;
        mismatch = b.mismatch;
        return !mismatch.found;
    }
};

// Every RAM collision model with SEEDS random initial states each.
inline std::vector<Setup> setups(unsigned seeds, unsigned fault = 0) {
    std::vector<Setup> all;
    for (unsigned s = 0; s < seeds; s++)
        for (const char *ram : {"garbage", "old", "new"})
            all.push_back({.ram = ram, .seed = seed_of_run() * 1000 + s, .fault = fault});
    return all;
}

// RUN(setup) -> Outcome, until the first mismatch.
template <typename Run>
Outcome run_all(unsigned seeds, unsigned fault, Run run) {
    Outcome sum;
    for (const Setup &s : setups(seeds, fault)) {
        const Outcome o = run(s);
        sum.actions += o.actions;
        sum.cycles += o.cycles;
        sum.mismatch = o.mismatch;
        if (o.mismatch.found)
            break;
    }
    return sum;
}

// With GMMU_ACTIONS: new seeds until so many actions are done.
template <typename Run>
void expect_lockstep(const char *block, unsigned seeds, Run run) {
    const uint64_t wanted = actions_of_run();
    Outcome all;
    if (wanted == 0)
        all = run_all(seeds_of_run(seeds), 0, run);
    for (uint32_t s = 0; all.actions < wanted && !all.mismatch.found; s++)
        for (const char *ram : {"garbage", "old", "new"}) {
            if (all.mismatch.found || all.actions >= wanted)
                break;
            const Outcome o = run(Setup{.ram = ram, .seed = seed_of_run() * 100000 + s});
            ASSERT_TRUE(o.actions > 0 || o.mismatch.found) << "nothing is done";
            all.actions += o.actions;
            all.cycles += o.cycles;
            all.mismatch = o.mismatch;
        }
    EXPECT_FALSE(all.mismatch.found) << all.mismatch.text();
    std::printf("%s (%s): %" PRIu64 " actions compared in %" PRIu64 " cycles\n", block,
                GMMU_CONFIG_NAME, all.actions, all.cycles);
}

struct Fault {
    unsigned number;
    std::string line;
};

// The faults that belong to BLOCK.
inline std::vector<Fault> faults_of(const std::string &block) {
    std::vector<Fault> rows;
    for (const std::string &line : rows_of_faults()) {
        std::istringstream words(line);
        unsigned n;
        std::string bar, name;
        if (words >> n >> bar >> name && name == block)
            rows.push_back({n, line});
    }
    return rows;
}

// The bench is green without a fault and red, in the name of the block, with each.
template <typename Run>
void expect_faults_seen(const char *block, unsigned seeds, Run run) {
    const Outcome none = run_all(seeds_of_run(seeds), 0, run);
    EXPECT_FALSE(none.mismatch.found) << none.mismatch.text();
    const std::vector<Fault> rows = faults_of(block);
    EXPECT_GE(rows.size(), 6u) << "faults of " << block;
    unsigned seen = 0;
    for (const Fault &f : rows) {
        const Outcome o = run_all(seeds, f.number, run);
        EXPECT_TRUE(o.mismatch.found) << "not seen: " << f.line;
        EXPECT_NE(o.mismatch.text().find("block " + std::string(block) + ":"), std::string::npos);
        seen += o.mismatch.found;
        if (o.mismatch.found)
            std::printf("fault %u seen: %s\n", f.number, o.mismatch.text().c_str());
    }
    std::printf("%s: %u of %zu faults seen\n", block, seen, rows.size());
}

}  // namespace bench
