// SPDX-License-Identifier: Apache-2.0
// gpu.cpp: see gpu.h.
#include "gpu.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

Gpu::Gpu(const sc_core::sc_module_name &name, const Parameters &p, Trace *trace)
    : sc_module(name), p_(p), trace_(trace), stall_of_(p.gpu.warps) {
    SC_HAS_PROCESS(Gpu);
    resumes.register_b_transport(this, &Gpu::b_resume);
    for (uint32_t w = 0; w < p.gpu.warps; w++) flowing_.push({sc_core::SC_ZERO_TIME, w});
    SC_THREAD(play);
}

void Gpu::play() {
    try {
        play_all();
    } catch (const Bad &e) {
        failed(e.text);
    }
    sc_core::sc_stop();
}

void Gpu::play_all() {
    Tagged<WalkTag> walk;
    tlm::tlm_generic_payload &trans = walk.trans;
    WalkTag &tag = walk.tag;
    trans.set_data_length(static_cast<unsigned>(trace_->page_bytes()));
    trans.set_streaming_width(trans.get_data_length());
    while (trace_->next(&tag.walk)) {
        const Ready ready = take_warp();
        sc_time delay = ready.first - sc_time_stamp();
        tag.warp = ready.second;
        tag.number = trace_->given();
        trans.set_command(tag.walk.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        trans.set_address(tag.walk.vpn * trace_->page_bytes());
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        walks->b_transport(trans, delay);
        if (!trans.is_response_ok())
            bad("gpu: walk " + std::to_string(tag.number) + " ended with " +
                trans.get_response_string());
        const sc_time at = sc_time_stamp() + delay;
        if (tag.stalls()) {
            stall_of_[tag.warp] = {true, at, tag.number, tag.walk};
            stalled.enter(at, sc_time_stamp());
            stalled_now_++;
            stalls_++;
        } else {
            done_++;
            last_ = std::max(last_, at);
            flowing_.push({at + p_.gpu.think, tag.warp});
        }
    }
    while (stalled_now_ > 0) wait(resume_);
    while (!all_idle()) wait(sc_core::sc_time_to_pending_activity());
    if (last_ > sc_time_stamp())
        wait(last_ - sc_time_stamp());
    finished_ = true;
}

Gpu::Ready Gpu::take_warp() {
    for (;;) {
        if (flowing_.empty() && resumed_.empty()) {
            wait(resume_);
            continue;
        }
        const bool flows =
            resumed_.empty() || (!flowing_.empty() && flowing_.front() <= resumed_.top());
        const Ready first = flows ? flowing_.front() : resumed_.top();
        const sc_time now = sc_time_stamp();
        const sc_time before = sc_core::sc_time_to_pending_activity();
        if (now + before <= first.first) {
            // something happens before, or at the same time: it goes first
            wait(before);
        } else if (first.first >= now + p_.run.quantum) {
            wait(first.first - now);
        } else {
            if (flows)
                flowing_.pop();
            else
                resumed_.pop();
            return {std::max(first.first, now), first.second};
        }
    }
}

void Gpu::b_resume(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const uint32_t warp = trans.get_extension<ResumeTag>()->warp;
    Stall *s = &stall_of_[warp];
    const sc_time at = sc_time_stamp() + delay;
    stalled.leave(at, s->since);
    stall_ += at - s->since;
    s->is = false;
    stalled_now_--;
    done_++;
    last_ = std::max(last_, at);
    resumed_.emplace(at + p_.gpu.think, warp);
    resume_.notify(delay);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

std::string Gpu::waits() const {
    for (size_t w = 0; w < stall_of_.size(); w++) {
        const Stall &s = stall_of_[w];
        if (s.is) {
            char text[200];
            std::snprintf(text, sizeof text,
                          "gpu: %llu of %zu warps are stalled; warp %zu, walk %llu, waits for page "
                          "0x%llx of address space %u since %s",
                          static_cast<unsigned long long>(stalled_now_), stall_of_.size(), w,
                          static_cast<unsigned long long>(s.walk),
                          static_cast<unsigned long long>(s.what.vpn), s.what.asid,
                          s.since.to_string().c_str());
            return text;
        }
    }
    return finished_ ? "" : "gpu: no warp is stalled";
}
