// SPDX-License-Identifier: Apache-2.0
// driver.h: serves faults in batches, as drivers of unified memory do.
//
// A decision changes the page table at once: what leaves is unmapped, what comes has its frame. The
// pages themselves move when the batch is served that their fault is in; until a page is there,
// walks to it stall, as other faults of it do.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "by_page.h"
#include "depth_log.h"
#include "digest.h"
#include "fifo.h"
#include "page_table.h"
#include "payload.h"
#include "side.h"

class Timeline;

class Driver : public sc_core::sc_module {
   public:
    tlm_utils::simple_target_socket<Driver> faults{"faults"};
    tlm_utils::simple_target_socket<Driver> decisions{"decisions"};
    tlm_utils::simple_target_socket<Driver> packets{"packets"};
    tlm_utils::simple_initiator_socket<Driver> operations{"operations"};
    tlm_utils::simple_initiator_socket<Driver> jobs{"jobs"};
    tlm_utils::simple_initiator_socket<Driver> resumes{"resumes"};

    struct Counts {
        uint64_t faults, joined, cold, evictions, writebacks, batches, batch_entries, duplicates,
            tier2_hits, tier2_puts, tier3_writes, raised, hasty;
    };
    Counts counts = {};
    DepthLog buffer;               // entries of the fault buffer
    bool tiers = false;            // the unit says who goes to Tier 2
    uint64_t stick = 0, lose = 0;  // the batch that is never served, the resumption that is lost

    // SIDE decides in it; null: the unit, or a policy in its place, does.
    Driver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
           uint32_t frames, Timeline *timeline, std::unique_ptr<Side> side);
    // What waits for the unit goes to it: in the thread of the GPU, as RTL takes its cycles there.
    void catch_up();
    // Of all pages that moved, in their order.
    uint64_t moves() const { return moves_.value(); }
    bool idle() const { return buffer_.empty() && serving_ == 0; }
    const sc_core::sc_time &busy() const { return busy_; }
    std::string waits() const;

   private:
    struct Entry {
        Job *job;
        uint64_t number;  // of the job, which another may have become
        sc_core::sc_time at;
    };
    struct OwnJob : Job {
        tlm::tlm_generic_payload payload;
        OwnJob() {
            payload.set_extension(static_cast<Job *>(this));
            trans = &payload;
        }
        OwnJob(const OwnJob &) = delete;
        OwnJob &operator=(const OwnJob &) = delete;
        ~OwnJob() override { payload.clear_extension(static_cast<Job *>(this)); }
    };
    const Parameters &p_;
    PageTable &table_;
    Timeline *timeline_;
    std::vector<uint32_t> page_of_;  // of each frame, of the unit
    uint32_t filled_ = 0;
    std::unique_ptr<Side> side_;
    Digest moves_;
    // Frames that are pinned, the oldest first, each by its number; 0: it is not.
    std::deque<std::pair<uint32_t, uint64_t>> pins_;
    std::vector<uint64_t> pin_of_;
    std::vector<uint32_t> unpin_;  // their pages came, the unit is yet to hear of it
    uint64_t pin_number_ = 0;
    uint32_t pinned_ = 0;
    Fifo<Entry> buffer_;
    ByPage<Job> coming_;  // what has each page on its way to the GPU
    std::vector<std::unique_ptr<OwnJob>> all_;
    std::vector<Job *> unused_;
    std::vector<Job *> batch_;  // whose warps go on together
    sc_core::sc_event fault_, arrived_;
    sc_core::sc_time busy_;
    uint64_t number_ = 0, serving_ = 0, undecided_ = 0, resumed_ = 0;
    size_t to_arrive_ = 0;
    Tagged<OperationTag> operation_;
    Tagged<ResumeTag> resume_;

    void serve();
    void take_batch();
    void b_fault(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
    void b_decision(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                               sc_core::sc_time &delay);
    Job *begin_job(uint32_t page, const sc_core::sc_time &decided);
    void move(Job *job, uint32_t page, gmmu_memory from, gmmu_memory to);
    void follow(Job *job, const WalkTag &walk, const gmmu_tier_decision &d);
    void resume(Job *job, const sc_core::sc_time &at);
    void operate(const gmmu_tier_drv_in &in);
    void pin(uint32_t frame);
    void unpin(uint32_t frame);
    void b_packet(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
};
