// SPDX-License-Identifier: Apache-2.0
// driver.h: what serves the faults, in either timeline: decided_driver.h, arrival_driver.h.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "depth_log.h"
#include "digest.h"
#include "direct_socket.h"
#include "page_table.h"
#include "payload.h"
#include "side.h"

class Timeline;

class Driver : public sc_core::sc_module {
   public:
    DirectSocket<Driver> faults{"faults"};
    DirectSocket<Driver> decisions{"decisions"};
    DirectSocket<Driver> packets{"packets"};
    tlm_utils::simple_initiator_socket<Driver> operations{"operations"};
    tlm_utils::simple_initiator_socket<Driver> jobs{"jobs"};
    tlm_utils::simple_initiator_socket<Driver> resumes{"resumes"};

    struct Counts {
        uint64_t faults, joined, cold, evictions, writebacks, batches, batch_entries, duplicates,
            tier2_hits, tier2_puts, tier3_writes, raised, hasty;
    };
    Counts counts = {};
    DepthLog buffer;               // entries of the fault buffer
    uint64_t stick = 0, lose = 0;  // the batch that is never served, the resumption that is lost

    Driver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
           uint32_t frames, Timeline *timeline)
        : sc_module(name), p_(p), table_(*table), timeline_(timeline), page_of_(frames) {
        SC_HAS_PROCESS(Driver);
        faults.register_b_transport(this, &Driver::b_fault);
        decisions.register_b_transport(this, &Driver::b_decision);
        packets.register_b_transport(this, &Driver::b_packet);
        jobs.register_nb_transport_bw(this, &Driver::nb_done);
        SC_THREAD(live);
    }
    std::function<void(const std::string &)> failed;
    // What waits for the unit goes to it: in the thread of the GPU, as RTL takes its cycles there.
    virtual void catch_up() {}
    // Of all pages that moved, in their order.
    uint64_t moves() const { return moves_.value(); }
    virtual bool idle() const = 0;
    const sc_core::sc_time &busy() const { return busy_; }
    virtual std::string waits() const = 0;

   protected:
    const Parameters &p_;
    PageTable &table_;
    Timeline *timeline_;
    std::vector<uint32_t> page_of_;  // of each frame, of the unit
    Digest moves_;
    sc_core::sc_time busy_;
    uint64_t serving_ = 0;  // jobs
    uint64_t resumed_ = 0;
    Tagged<ResumeTag> resume_;

    virtual void serve() = 0;
    void live() {
        try {
            serve();
        } catch (const Bad &e) {
            failed(e.text);
            sc_core::sc_stop();
        }
    }
    virtual void b_fault(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) = 0;
    virtual void b_decision(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) = 0;
    virtual void b_packet(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) = 0;
    virtual tlm::tlm_sync_enum nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) = 0;
    Job *begin_job(uint32_t page, const sc_core::sc_time &decided) {
        if (unused_.empty()) {
            all_.push_back(std::make_unique<OwnJob>());
            unused_.push_back(all_.back().get());
        }
        Job *job = unused_.back();
        unused_.pop_back();
        job->number = ++number_;
        job->page = page;
        job->next = job->open = 0;
        job->copies.clear();
        job->waiters.clear();
        job->decided = decided;
        job->arrived = job->taken = false;
        job->victim = GMMU_NO_PAGE;
        job->goes = Job::AWAY;
        job->tells = true;
        job->halfway = false;
        serving_++;
        return job;
    }
    void end_job(Job *job) {
        serving_--;
        unused_.push_back(job);
    }
    // JOB's copies begin.
    void send(Job *job) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        jobs->nb_transport_fw(*job->trans, phase, delay);
    }
    void count_moves(const Job &job) {
        for (const Copy &c : job.copies) {
            moves_.mix(c.page);
            moves_.mix(c.from * 4u + c.to);
        }
    }
    void operate(const gmmu_tier_drv_in &in, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
        operation_.tag.what = OperationTag::OPERATION;
        operation_.tag.in = in;
        operations->b_transport(operation_.trans, delay);
    }
    void set_registers(const gmmu_gmt_registers &r) {
        operation_.tag.what = OperationTag::MODEL;
        operation_.tag.foresee = r;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        operations->b_transport(operation_.trans, delay);
    }
    // What SIDE, if any, wishes cfg_protect to be.
    void set_share(Side *side) {
        uint32_t share;
        if (side == nullptr || !side->protects(&share))
            return;
        operation_.tag.what = OperationTag::SHARE;
        operation_.tag.share = share;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        operations->b_transport(operation_.trans, delay);
    }
    static gmmu_tier_drv_in on_frame(unsigned op, uint32_t frame) {
        gmmu_tier_drv_in in = {};
        in.op = op;
        in.frame = frame;
        return in;
    }
    [[noreturn]] static void disagree(uint32_t frame) {
        bad("driver: the unit and the page table disagree on frame " + std::to_string(frame));
    }

   private:
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
    std::vector<std::unique_ptr<OwnJob>> all_;
    std::vector<Job *> unused_;
    uint64_t number_ = 0;
    Tagged<OperationTag> operation_;
};
