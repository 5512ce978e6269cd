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
    sensitive << step_;
    dont_initialize();
}

tlm::tlm_sync_enum Dma::nb_job(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                               sc_time &delay) {
    (void)phase;
    (void)delay;
    Job *job = trans.get_extension<Job>();
    open_++;
    now_ = at_ = simcontext()->time_stamp();
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
        if (c->waits || (job->open != 0 && !c->with))
            return;
        c->begun = at_;
        job->next++;
        if (c->moves) {
            copies_++;
            job->open++;
            // of one time, steps that were told before go first
            if (first_ != nullptr && first_->front().at <= at_)
                later(at_, c, BEGIN);
            else
                request(c, stage(*c));
        } else {
            finish(c);
        }
    }
    if (job->open != 0)
        return;
    open_--;
    if (job->number == lose)
        return;
    job->trans->set_response_status(tlm::TLM_OK_RESPONSE);
    answer(job, tlm::BEGIN_RESP);
}

void Dma::answer(Job *job, tlm::tlm_phase phase) {
    sc_time delay = at_ - now_;
    jobs->nb_transport_bw(*job->trans, phase, delay);
}

void Dma::later(const sc_time &at, Copy *copy, Source from) {
    Fifo<Step> *const agenda = &agenda_[from];
    agenda->push({at, order_++, copy});
    // of one time, those that were told before go first
    if (agenda->size() != 1 || (first_ != nullptr && first_->front().at <= at))
        return;
    first_ = agenda;
    if (!stepping_)
        tell_due();
}

void Dma::find_first() {
    first_ = nullptr;
    for (Fifo<Step> &f : agenda_) {
        if (f.empty())
            continue;
        if (first_ != nullptr) {
            const Step &a = f.front(), &b = first_->front();
            if (a.at > b.at || (a.at == b.at && a.order > b.order))
                continue;
        }
        first_ = &f;
    }
}

// Nothing else happens until AT, nor at it.
bool Dma::ahead_to(const sc_time &at) {
    if (at > at_) {
        if (at - now_ >= sc_core::sc_time_to_pending_activity())
            return false;
        at_ = at;
    }
    return true;
}

void Dma::step() {
    stepping_ = true;
    now_ = at_ = sc_time_stamp();
    while (first_ != nullptr && ahead_to(first_->front().at)) step_one();
    stepping_ = false;
    if (first_ != nullptr)
        tell_due();
}

void Dma::step_next(const sc_time &delay) {
    stepping_ = true;
    now_ = simcontext()->time_stamp();
    at_ = now_ + delay;
    while (first_ != nullptr && first_->front().at == at_) step_one();
    stepping_ = false;
    *due = first_ == nullptr ? sc_time::from_value(UINT64_MAX) : first_->front().at;
}

// The first step, at AT_.
void Dma::step_one() {
    Copy *c = first_->front().copy;
    first_->pop();
    find_first();
    const Source to = stage(*c);
    if (to == BEGIN) {
        finish(c);
        Job *job = c->job;
        job->open--;
        if (job->halfway && c == job->copies.data())
            answer(job, tlm::END_REQ);
        advance(job);
        return;
    }
    request(c, to);
}

// COPY asks TO for its next stage, at AT_.
void Dma::request(Copy *c, Source to) {
    tlm_utils::simple_initiator_socket<Dma> *const sockets[] = {nullptr, &to_gpu, &to_host, &host,
                                                                &ssd};
    sc_time delay = at_ - now_;
    request_.set_command(c->stage == 1 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    request_.set_address(static_cast<uint64_t>(c->page) * request_.get_data_length());
    request_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    (*sockets[to])->b_transport(request_, delay);
    c->stage++;
    later(now_ + delay, c, to);
}

// Somebody learns when the first step is due.
void Dma::tell_due() {
    if (due == nullptr) {
        step_.notify(first_->front().at - now_);
    } else {
        *due = first_->front().at;
        nudge(*due - now_);
    }
}

Dma::Source Dma::stage(const Copy &c) const {
    const auto memory = [&](uint8_t place) {
        return place == GMMU_FAR && far_is_ssd_ ? SSD : HOST;
    };
    switch (c.stage) {
        case 0:
            return c.from == GMMU_NEAR ? TO_HOST : memory(c.from);
        case 1:
            return c.to == GMMU_NEAR ? TO_GPU : memory(c.to);
        default:
            return BEGIN;
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

std::string Dma::waits() {
    if (open_ == 0)
        return "dma: no copy is under way";
    std::string text = "dma: " + std::to_string(open_) + " jobs are not finished";
    if (first_ == nullptr)
        return text + ", and none of their copies has a time";
    return text + "; the next copy, of page number " + std::to_string(first_->front().copy->page) +
           ", is due at " + first_->front().at.to_string();
}
