// SPDX-License-Identifier: Apache-2.0
// arrival_gpu.cpp: see arrival_gpu.h.
#include "arrival_gpu.h"

#include <algorithm>

using sc_core::sc_time;
using sc_core::sc_time_stamp;

ArrivalGpu::ArrivalGpu(const sc_core::sc_module_name &name, const Parameters &p, uint32_t warps,
                       Trace *trace)
    : Gpu(name, p, trace), groups_(std::min(p.gpu.sms, warps)), group_of_(warps), tlb_(warps) {
    for (uint32_t w = 0; w < warps; w++) {
        group_of_[w] = w % static_cast<uint32_t>(groups_.size());
        groups_[group_of_[w]].idle.push(w);
    }
    for (uint32_t sm = 0; sm < p.gpu.sms; sm++)
        group_of_sm_.push_back(sm % static_cast<uint32_t>(groups_.size()));
    idle_ = warps;
    prepare(walk_.trans);
    walk_.tag.begun = true;
}

// Until AT, or until something for the GPU to do comes before.
void ArrivalGpu::sleep(const sc_time &at) {
    sleeps_until_ = at;
    if (at == never())
        wait(wake_);
    else
        wait(at - now_, wake_);
    now_ = sc_time_stamp();
    sleeps_until_ = horizon = sc_core::SC_ZERO_TIME;
}

void ArrivalGpu::play_all() {
    const sc_time never = ArrivalGpu::never();
    sc_time reached;
    ended_ = !trace_->more();
    deal(sc_core::SC_ZERO_TIME);
    for (;;) {
        const bool over = ended_ && queued_ == 0;  // nobody has to get ready any more
        const sc_time ends = ends_.empty() ? never : ends_.front().at;
        const sc_time ready = over || ready_.empty() ? never : ready_.front().at;
        // of one time, copies go first, then operations, then walks end, then warps go on
        const sc_time at = std::min(std::min(copy_due, operation_due), std::min(ends, ready));
        if (at == never) {
            if (over && tlb_.empty() && all_idle()) {
                if (reached > now_)
                    wait(reached - now_);
                return;
            }
            sleep(never);
            continue;
        }
        if (at >= horizon && !reach(at))
            continue;
        reached = at;
        if (at == copy_due) {
            copy(at - now_);
        } else if (at == operation_due) {
            operate(at - now_);
        } else if (at == ends) {
            Miss *miss = ends_.front().miss;
            ends_.pop();
            end(miss, at);
        } else {
            const uint32_t warp = ready_.front().warp;
            ready_.pop();
            Group *group = &groups_[group_of_[warp]];
            group->idle.push(warp);
            idle_++;
            match(group, at);
            deal(at);
        }
    }
}

// False: something came before.
bool ArrivalGpu::reach(const sc_time &at) {
    const sc_time next = now_ + sc_core::sc_time_to_pending_activity();
    if (next <= at) {
        // something happens before, or at the same time: it goes first
        sleep(next);
        return false;
    }
    if (at >= now_ + p_.run.quantum) {
        sleep(at);
        return false;
    }
    horizon = std::min(next, now_ + p_.run.quantum);
    return true;
}

// Reads the trace as long as a warp has nothing to do and the window has room.
void ArrivalGpu::deal(const sc_time &at) {
    while (!ended_ && idle_ > 0 && queued_ < p_.gpu.window) {
        const gmmu_walk &walk = trace_->take();
        Group *group = &groups_[group_of_sm_[sm_of(walk)]];
        if (group->idle.empty()) {
            group->queue.push({walk, trace_->given()});
            queued_++;
        } else {  // no walk of the group waits
            const uint32_t warp = group->idle.front();
            group->idle.pop();
            idle_--;
            begin(warp, walk, trace_->given(), at);
        }
        ended_ = !trace_->more();
    }
}

void ArrivalGpu::match(Group *group, const sc_time &at) {
    if (group->queue.empty())
        return;
    const Dealt &d = group->queue.front();
    const uint32_t warp = group->idle.front();
    group->idle.pop();
    idle_--;
    begin(warp, d.walk, d.number, at);
    group->queue.pop();
    queued_--;
}

void ArrivalGpu::begin(uint32_t warp, const gmmu_walk &walk, uint64_t number, const sc_time &at) {
    const Key key = {walk.vpn, walk.asid, sm_of(walk)};
    Miss *&miss = tlb_[key];
    const bool first = miss == nullptr;
    if (first) {
        if (unused_.empty()) {
            all_.push_back(std::make_unique<Miss>());
            unused_.push_back(all_.back().get());
        }
        miss = unused_.back();
        unused_.pop_back();
        miss->key = key;
        miss->walk = walk;
        miss->number = number;
        miss->page = GMMU_NO_PAGE;
        miss->faulted = miss->waits = false;
        miss->waiters.clear();
    } else {
        counts.merged++;
        if (merged)
            merged(walk, number);
        miss->walk.write |= walk.write;
    }
    miss->waiters.push_back({warp, number, false, at});
    if (first)
        ask(miss, at);
    else if (miss->faulted)
        stall(&miss->waiters.back(), at);
}

void ArrivalGpu::stall(Waiter *waiter, const sc_time &at) {
    waiter->stalled = true;
    waiter->since = at;
    stalled.enter(at, now_);
    stalled_now_++;
    stalls_++;
}

void ArrivalGpu::end(Miss *miss, const sc_time &at) {
    sc_time delay = at - now_;
    const bool replay = miss->faulted;
    walk_.tag.walk = miss->walk;
    walk_.tag.number = miss->number;
    walk_.tag.page = miss->page;
    walk_.tag.warp = miss->waiters.front().warp;
    walk_.tag.replay = replay;
    send(&walk_, &delay);
    miss->page = walk_.tag.page;
    counts.repeated += replay;
    if (walk_.tag.fault) {
        counts.repeated_in_vain += replay;
        if (!replay)
            for (Waiter &w : miss->waiters) stall(&w, at);
        miss->faulted = miss->waits = true;
        waiting_.push_back(miss);
    } else {
        serve(miss, at);
    }
    if (replay && --replaying_ == 0)
        landed(at - now_);
}

void ArrivalGpu::serve(Miss *miss, const sc_time &at) {
    for (const Waiter &w : miss->waiters) {
        if (w.stalled) {
            stalled.leave(at, w.since);
            stall_ += at - w.since;
            stalled_now_--;
        }
        done_++;
        ready_.push({at + p_.gpu.think, w.warp});
    }
    last_ = std::max(last_, at);
    tlb_.erase(miss->key);
    unused_.push_back(miss);
}

// A replay of the whole GPU: every TLB that waits asks again.
void ArrivalGpu::b_resume(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const sc_time at = sc_time_stamp() + delay;
    counts.replays++;
    replaying_ += waiting_.size();
    for (Miss *miss : waiting_) {
        miss->waits = false;
        ask(miss, at);
    }
    waiting_.clear();
    nudge(delay);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

std::string ArrivalGpu::waits() const {
    if (waiting_.empty())
        return finished() ? "" : "gpu: no warp is stalled";
    const Miss &m = *waiting_.front();
    const Waiter &w = m.waiters.front();
    return text_of(stalled_now_, warps(), w.warp, w.number, m.walk, w.since) +
           (is_there(m.walk) ? "; the page is there, and the warp waits for a replay" : "");
}
