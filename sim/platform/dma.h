// SPDX-License-Identifier: Apache-2.0
// dma.h: carries the copies of jobs out: through the memories and over the link, each request at
// its time, so that all queues are served in the order of arrival.
//
// Copies of a job follow each other (what leaves makes room for what comes), but for those that go
// `with` the one before; a copy also waits for the one of the same page before it.
//
// As the GPU, the DMA runs ahead of the kernel while nothing else is to happen before or at the
// same time: what it tells others comes with a delay. Where faults take time, the GPU's thread does
// the steps between its own (`due`): no switch of threads for a copy.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>

#include "by_page.h"
#include "fifo.h"
#include "parameters.h"
#include "payload.h"

class Timeline;

class Dma : public sc_core::sc_module {
   public:
    tlm_utils::simple_target_socket<Dma> jobs{"jobs"};
    tlm_utils::simple_initiator_socket<Dma> to_gpu{"to_gpu"}, to_host{"to_host"}, host{"host"},
        ssd{"ssd"};

    // FAR_IS_SSD: what is in no tier above is on the SSD; else in the host's memory.
    Dma(const sc_core::sc_module_name &name, uint64_t page_bytes, bool far_is_ssd,
        Timeline *timeline);
    bool idle() const { return open_ == 0; }
    uint64_t copies() const { return copies_; }
    std::string waits();
    // Null: the DMA steps by itself. Else it writes here when its first step is due (never: there
    // is none), and somebody calls step_next then.
    sc_core::sc_time *due = nullptr;
    std::function<void(const sc_core::sc_time &)> nudge;  // the first step is due, so long from now
    // All steps that are due DELAY from now.
    void step_next(const sc_core::sc_time &delay);
    uint64_t lose = 0;  // of jobs, the number of the one of whose end nobody hears

   private:
    struct Step {
        sc_core::sc_time at;
        uint64_t order;
        Copy *copy;
    };
    // Where a step was made known: copies that begin, and those that a server is done with; each
    // serves in order, so that its steps are in the order of their times.
    enum Source { BEGIN, TO_GPU, TO_HOST, HOST, SSD, SOURCES };
    bool far_is_ssd_;
    Timeline *timeline_;
    Fifo<Step> agenda_[SOURCES];
    Fifo<Step> *first_ = nullptr;  // whose first step is the first of all; null: there is none
    ByPage<Copy> last_;            // of each page under way
    sc_core::sc_event step_;
    sc_core::sc_time now_, at_;  // the kernel's time, and how far it is itself
    tlm::tlm_generic_payload request_;
    bool stepping_ = false;  // its end says when the next step is due
    uint64_t order_ = 0, open_ = 0, copies_ = 0;

    tlm::tlm_sync_enum nb_job(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                              sc_core::sc_time &delay);
    void step();
    void step_one();
    void request(Copy *c, Source to);
    void tell_due();
    bool ahead_to(const sc_core::sc_time &at);
    void advance(Job *job);
    void answer(Job *job, tlm::tlm_phase phase);
    void later(const sc_core::sc_time &at, Copy *copy, Source from);
    void find_first();
    void finish(Copy *copy);
    // Where the copy goes in its stage; BEGIN: nowhere, it is done.
    Source stage(const Copy &copy) const;
};
