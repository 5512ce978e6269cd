// SPDX-License-Identifier: Apache-2.0
// dma.cpp: see dma.h.
#include "dma.h"

#include "timeline.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

Dma::Dma(const sc_core::sc_module_name &name, uint64_t page_bytes, bool far_is_ssd,
         Timeline *timeline)
    : sc_module(name), far_is_ssd_(far_is_ssd), timeline_(timeline) {
    SC_HAS_PROCESS(Dma);
    jobs.register_nb_transport_fw(this, &Dma::nb_job);
    request_.set_data_length(static_cast<unsigned>(page_bytes));
    request_.set_streaming_width(request_.get_data_length());
    SC_METHOD(step);
    sensitive << due_;
    dont_initialize();
}

tlm::tlm_sync_enum Dma::nb_job(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                               sc_time &delay) {
    (void)phase;
    (void)delay;
    Job *job = trans.get_extension<Job>();
    open_++;
    at_ = sc_time_stamp();
    for (Copy &c : job->copies) {
        c.job = job;
        Copy *&last = last_[c.page];
        if (last != nullptr) {
            c.waits = true;
            last->behind = &c;
        }
        last = &c;
    }
    advance(job);
    return tlm::TLM_ACCEPTED;
}

void Dma::advance(Job *job) {
    while (job->next < job->copies.size()) {
        Copy *c = &job->copies[job->next];
        if (c->waits)
            return;
        c->begun = at_;
        if (c->moves) {
            copies_++;
            later(at_, c);
            return;
        }
        finish(c);
        job->next++;
    }
    open_--;
    if (job->number == lose)
        return;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = at_ - sc_time_stamp();
    job->trans->set_response_status(tlm::TLM_OK_RESPONSE);
    jobs->nb_transport_bw(*job->trans, phase, delay);
}

void Dma::later(const sc_time &at, Copy *copy) {
    agenda_.push({at, order_++, copy});
    if (!stepping_ && agenda_.top().at == at)
        due_.notify(at - sc_time_stamp());
}

// Nothing else happens until AT, nor at it.
bool Dma::ahead_to(const sc_time &at) {
    if (at > at_) {
        if (at - sc_time_stamp() >= sc_core::sc_time_to_pending_activity())
            return false;
        at_ = at;
    }
    return true;
}

void Dma::step() {
    stepping_ = true;
    at_ = sc_time_stamp();
    while (!agenda_.empty() && ahead_to(agenda_.top().at)) {
        Copy *c = agenda_.top().copy;
        agenda_.pop();
        bool write = false;
        auto *socket = stage(*c, &write);
        if (socket == nullptr) {
            finish(c);
            Job *job = c->job;
            job->next++;
            advance(job);
            continue;
        }
        sc_time delay = at_ - sc_time_stamp();
        request_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        request_.set_address(static_cast<uint64_t>(c->page) * request_.get_data_length());
        request_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        (*socket)->b_transport(request_, delay);
        c->stage++;
        later(sc_time_stamp() + delay, c);
    }
    stepping_ = false;
    if (!agenda_.empty())
        due_.notify(agenda_.top().at - sc_time_stamp());
}

tlm_utils::simple_initiator_socket<Dma> *Dma::stage(const Copy &c, bool *write) {
    const auto memory = [&](uint8_t place) {
        return place == GMMU_FAR && far_is_ssd_ ? &ssd : &host;
    };
    *write = c.stage == 1;
    switch (c.stage) {
        case 0:
            return c.from == GMMU_NEAR ? &to_host : memory(c.from);
        case 1:
            return c.to == GMMU_NEAR ? &to_gpu : memory(c.to);
        default:
            return nullptr;
    }
}

void Dma::finish(Copy *copy) {
    if (copy->moves && timeline_ != nullptr)
        timeline_->copy(*copy, at_);
    Copy *&last = last_[copy->page];
    if (last == copy)
        last = nullptr;
    Copy *next = copy->behind;
    if (next == nullptr)
        return;
    copy->behind = nullptr;
    next->waits = false;
    if (&next->job->copies[next->job->next] == next)
        advance(next->job);
}

std::string Dma::waits() const {
    if (open_ == 0)
        return "dma: no copy is under way";
    std::string text = "dma: " + std::to_string(open_) + " jobs are not finished";
    if (agenda_.empty())
        return text + ", and none of their copies has a time";
    return text + "; the next copy, of page number " + std::to_string(agenda_.top().copy->page) +
           ", is due at " + agenda_.top().at.to_string();
}
