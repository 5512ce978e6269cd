// SPDX-License-Identifier: Apache-2.0
// uvm_driver.h: NVIDIA's UVM driver (docs/reference/policies.md, "uvm") where faults take time. No
// unit decides: the driver does, for each block of a batch.
//
//    the block's pages in the batch --- tree ---> the pages that come, in one job
//                   |                                  ^
//                   | the block has no chunk, and      | copied in when all has been copied out
//                   | memory is full                   |
//                   +---> the oldest chunk leaves whole, all its pages are copied out
//
// A chunk may leave whose pages are on their way, or have not been accessed yet: its copies out
// wait for those in, and its pages are not mapped.
#pragma once
#include <vector>

#include "arrival_driver.h"
#include "policy/uvm_blocks.h"
#include "unit.h"

class UvmDriver : public ArrivalDriver {
   public:
    struct UvmCounts {
        uint64_t prefetched;  // pages that came without a fault
        uint64_t used;        // of these, pages with an access before they left
        uint64_t unused;      // pages that left without an access
        uint64_t chunks_out;
        uint64_t distinct;  // pages of accesses
    };
    UvmCounts uvm = {};
    UvmDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
              const gmmu_policy_config &config, Timeline *timeline);
    ~UvmDriver() override { gmmu_uvm_destroy(&memory_); }
    // A walk, with its fault if it has one. The real driver hears of faults alone; walks that hit
    // are for order=access and for counts.
    void walked(const WalkTag &tag);

   protected:
    size_t bring_block(size_t first, size_t end, uint32_t block) override;
    void map(const Job &job, const sc_core::sc_time &at) override;

   private:
    struct Block {
        bool resident = false;        // has a chunk
        uint32_t frame = 0;           // the chunk's first one
        uint64_t left = 0;            // number of the job with which the last chunk left
        std::vector<uint32_t> pages;  // in the chunk, or on their way there
    };
    enum : uint8_t {
        WAITED_FOR = 1,  // faulted, and not mapped since
        UNUSED = 2,      // came, and was not accessed since
        PREFETCHED = 4,  // came without a fault
    };
    gmmu_uvm_blocks memory_ = {};
    std::vector<Block> blocks_of_;  // by number
    std::vector<uint8_t> flags_;    // of each page
    uint32_t chunks_ = 0;           // that were ever used

    uint32_t block_of(uint32_t asid, uint64_t vpn);
    uint8_t &flags(uint32_t page) {
        if (page >= flags_.size())
            flags_.resize(page * size_t(2) + 64);
        return flags_[page];
    }
    bool absent(uint32_t page) { return table_[page].place != GMMU_NEAR && !table_[page].coming; }
    std::vector<uint32_t> to_come(uint32_t number, const std::vector<uint32_t> &faulted);
    void evict(uint32_t number, Job *job);
    void appear(PageTable::Entry *e) {
        uvm.distinct += !e->seen;
        e->seen = true;
    }
};

// In the unit's place: tells a driver that decides itself of all walks.
class DriverUnit : public Unit {
   public:
    std::function<void(const WalkTag &tag)> walked;
    explicit DriverUnit(const sc_core::sc_module_name &name) : Unit(name, sc_core::SC_ZERO_TIME) {}

   protected:
    void walk(const WalkTag &tag) override { walked(tag); }
};
