// SPDX-License-Identifier: Apache-2.0
// decided_driver.h: serves faults in batches, as drivers of unified memory do.
//
// A decision changes the page table at once: what leaves is unmapped, what comes has its frame. The
// pages themselves move when the batch is served that their fault is in; until a page is there,
// walks to it stall, as other faults of it do.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "by_page.h"
#include "driver.h"
#include "fifo.h"
#include "side.h"

class DecidedDriver : public Driver {
   public:
    bool tiers = false;  // the unit says who goes to Tier 2

    // SIDE decides in it; null: the unit, or a policy in its place, does.
    DecidedDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
                  uint32_t frames, Timeline *timeline, std::unique_ptr<Side> side);
    void catch_up() override;
    bool idle() const override { return buffer_.empty() && serving_ == 0; }
    std::string waits() const override;

   private:
    struct Entry {
        Job *job;
        uint64_t number;  // of the job, which another may have become
        sc_core::sc_time at;
    };
    uint32_t filled_ = 0;
    std::unique_ptr<Side> side_;
    // Frames that are pinned, the oldest first, each by its number; 0: it is not.
    std::deque<std::pair<uint32_t, uint64_t>> pins_;
    std::vector<uint64_t> pin_of_;
    std::vector<uint32_t> unpin_;  // their pages came, the unit is yet to hear of it
    uint64_t pin_number_ = 0;
    uint32_t pinned_ = 0;
    Fifo<Entry> buffer_;
    ByPage<Job> coming_;        // what has each page on its way to the GPU
    std::vector<Job *> batch_;  // whose warps go on together
    sc_core::sc_event fault_, arrived_;
    uint64_t undecided_ = 0;
    size_t to_arrive_ = 0;

    void serve() override;
    void take_batch();
    void b_fault(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    void b_decision(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    void b_packet(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                               sc_core::sc_time &delay) override;
    void move(Job *job, uint32_t page, gmmu_memory from, gmmu_memory to);
    void follow(Job *job, const WalkTag &walk, const gmmu_tier_decision &d);
    void resume(Job *job, const sc_core::sc_time &at);
    void pin(uint32_t frame);
    void unpin(uint32_t frame);
};
