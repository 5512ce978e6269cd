// SPDX-License-Identifier: Apache-2.0
// decided_gpu.cpp: see decided_gpu.h.
#include "decided_gpu.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

DecidedGpu::DecidedGpu(const sc_core::sc_module_name &name, const Parameters &p, Trace *trace)
    : Gpu(name, p, trace), stall_of_(p.gpu.warps) {
    for (uint32_t w = 0; w < p.gpu.warps; w++) flowing_.push({sc_core::SC_ZERO_TIME, w});
}

void DecidedGpu::play_all() {
    Tagged<WalkTag> walk;
    WalkTag &tag = walk.tag;
    prepare(walk.trans);
    while (trace_->next(&tag.walk)) {
        const Ready ready = take_warp();
        sc_time delay = ready.first - sc_time_stamp();
        tag.warp = ready.second;
        tag.page = GMMU_NO_PAGE;
        tag.number = trace_->given();
        send(&walk, &delay);
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
}

DecidedGpu::Ready DecidedGpu::take_warp() {
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

void DecidedGpu::b_resume(tlm::tlm_generic_payload &trans, sc_time &delay) {
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

std::string DecidedGpu::waits() const {
    for (size_t w = 0; w < stall_of_.size(); w++) {
        const Stall &s = stall_of_[w];
        if (s.is)
            return text_of(stalled_now_, stall_of_.size(), static_cast<uint32_t>(w), s.walk, s.what,
                           s.since);
    }
    return finished() ? "" : "gpu: no warp is stalled";
}
