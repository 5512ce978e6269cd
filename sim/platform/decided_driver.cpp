// SPDX-License-Identifier: Apache-2.0
// decided_driver.cpp: see decided_driver.h.
#include "decided_driver.h"

#include <algorithm>

#include "timeline.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

DecidedDriver::DecidedDriver(const sc_core::sc_module_name &name, const Parameters &p,
                             PageTable *table, uint32_t frames, Timeline *timeline,
                             std::unique_ptr<Side> side)
    : Driver(name, p, table, frames, timeline), side_(std::move(side)), pin_of_(frames) {}

// ---- decisions, at the time of the walk

void DecidedDriver::move(Job *job, uint32_t page, gmmu_memory from, gmmu_memory to) {
    PageTable::Entry *e = &table_[page];
    Copy c;
    c.page = page;
    c.from = from;
    c.to = to;
    c.moves = to != GMMU_FAR || e->dirty;
    if (from == GMMU_NEAR) {
        counts.evictions++;
        counts.writebacks += e->dirty;
        counts.tier2_puts += to == GMMU_HOST;
        counts.hasty += e->coming;
        coming_[page] = nullptr;
        e->coming = false;
    }
    if (to == GMMU_FAR) {
        counts.tier3_writes += e->dirty;
        e->dirty = false;
    } else if (to == GMMU_NEAR) {
        counts.tier2_hits += from == GMMU_HOST && page == job->page;
        counts.raised += page != job->page;
        counts.cold += !e->seen;
        coming_[page] = job;
        e->coming = e->seen = true;
    }
    e->place = to;
    job->copies.push_back(c);
}

// At most half of the frames: the unit must find a victim.
void DecidedDriver::pin(uint32_t frame) {
    pins_.emplace_back(frame, ++pin_number_);
    pin_of_[frame] = pin_number_;
    pinned_++;
    operate(on_frame(GMMU_PIN, frame));
    if (side_ != nullptr)
        side_->pin(frame, true);
    while (pinned_ > pin_of_.size() / 2) {
        const auto oldest = pins_.front();
        pins_.pop_front();
        if (pin_of_[oldest.first] != oldest.second)
            continue;
        unpin(oldest.first);
        catch_up();
    }
}

void DecidedDriver::unpin(uint32_t frame) {
    pin_of_[frame] = 0;
    pinned_--;
    unpin_.push_back(frame);
    if (side_ != nullptr)
        side_->pin(frame, false);
}

void DecidedDriver::catch_up() {
    for (const uint32_t frame : unpin_) operate(on_frame(GMMU_UNPIN, frame));
    unpin_.clear();
    set_share(side_.get());
    gmmu_gmt_registers r;
    if (side_ == nullptr || !side_->wishes(&r))
        return;
    set_registers(r);
}

void DecidedDriver::b_packet(tlm::tlm_generic_payload &trans, sc_time &delay) {
    (void)delay;
    const BeatTag &tag = *trans.get_extension<BeatTag>();
    side_->beat(tag.words, tag.last);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

void DecidedDriver::follow(Job *job, const WalkTag &walk, const gmmu_tier_decision &d) {
    gmmu_tier_drv_in fill = on_frame(GMMU_FILL, d.frame);
    fill.asid = walk.walk.asid;
    fill.vpn = walk.walk.vpn;
    if (side_ != nullptr)
        side_->fault(d);
    const auto from = static_cast<gmmu_memory>(table_[walk.page].place);
    if (d.tier == GMMU_TIER_FREE) {
        fill.frame = filled_++;
    } else if (d.tier == GMMU_TIER_2 || d.tier == GMMU_TIER_3) {
        const uint32_t named = page_of_[d.frame];
        if (d.victim_dirty != table_[named].dirty ||
            d.victim_vpn != gmmu_pages_number(table_.pages(), named))
            disagree(d.frame);
        if (d.t2_valid) {
            const uint32_t leaves = gmmu_pages_find(table_.pages(), d.t2_asid, d.t2_vpn);
            if (leaves == GMMU_NO_PAGE || table_[leaves].place != GMMU_HOST ||
                table_[leaves].dirty != d.t2_dirty)
                bad("driver: the unit and the page table disagree on slot " +
                    std::to_string(d.t2_slot));
            move(job, leaves, GMMU_HOST, GMMU_FAR);
        }
        if (side_ != nullptr)
            fill.frame = side_->victim(d, &table_);
        move(job, page_of_[fill.frame], GMMU_NEAR,
             tiers && d.tier == GMMU_TIER_2 ? GMMU_HOST : GMMU_FAR);
    } else {
        bad("driver: walk " + std::to_string(walk.number) + " got no frame");
    }
    move(job, walk.page, from, GMMU_NEAR);
    page_of_[fill.frame] = walk.page;
    table_[walk.page].frame = fill.frame;
    if (side_ != nullptr)
        side_->filled(d, fill.frame);
    if (tiers) {
        table_.slots.decided(d);
        for (const gmmu_tier_drv_in &op : table_.slots.answer(d, fill)) operate(op);
    } else {
        operate(fill);
    }
    if (d.tier != GMMU_TIER_FREE && fill.frame != d.frame) {  // the unit's victim stays
        fill.op = GMMU_CANCEL;
        fill.frame = d.frame;
        operate(fill);
    }
    if (p_.driver.pin)
        pin(table_[walk.page].frame);
}

// What leaves Tier 2 goes first, then what leaves near memory, then what comes.
static int rank(const Copy &c) {
    return c.to == GMMU_NEAR ? 2 : c.from == GMMU_NEAR ? 1 : 0;
}

void DecidedDriver::b_decision(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const DecisionTag &tag = *trans.get_extension<DecisionTag>();
    const sc_time at = sc_time_stamp() + delay;
    Job *job = begin_job(tag.walk->page, at + tag.takes);
    if (tag.outcome != nullptr) {
        for (uint32_t i = 0; i < tag.outcome->count + tag.outcome->after_count; i++) {
            const gmmu_move &m = i < tag.outcome->count
                                     ? tag.outcome->move[i]
                                     : tag.outcome->after[i - tag.outcome->count];
            move(job, m.page, static_cast<gmmu_memory>(m.from), static_cast<gmmu_memory>(m.to));
        }
        std::stable_sort(job->copies.begin(), job->copies.end(),
                         [](const Copy &a, const Copy &b) { return rank(a) < rank(b); });
    } else {
        follow(job, *tag.walk, *tag.decision);
    }
    count_moves(*job);
    buffer_.push({job, job->number, at});
    buffer.enter(at, sc_time_stamp());
    fault_.notify(delay);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

void DecidedDriver::b_fault(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const WalkTag &tag = *trans.get_extension<WalkTag>();
    const sc_time at = sc_time_stamp() + delay;
    counts.faults += tag.fault;
    counts.joined += tag.coming;
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    Job *job = coming_[tag.page];
    if (job == nullptr) {
        undecided_++;
        return;
    }
    job->waiters.push_back({tag.warp, at});
    if (tag.coming) {
        buffer_.push({job, job->number, at});
        buffer.enter(at, sc_time_stamp());
        fault_.notify(delay);
    }
}

// ---- batches

void DecidedDriver::take_batch() {
    const sc_time now = sc_time_stamp();
    uint64_t entries = 0;
    while (!buffer_.empty() && buffer_.front().at <= now && entries < p_.driver.batch) {
        const Entry e = buffer_.front();
        buffer_.pop();
        buffer.leave(now, e.at);
        entries++;
        if (e.job->taken || e.job->number != e.number) {
            counts.duplicates++;
            continue;
        }
        e.job->taken = true;
        batch_.push_back(e.job);
    }
    counts.batches += !batch_.empty();
    counts.batch_entries += entries;
}

void DecidedDriver::serve() {
    const bool by_page = p_.driver.replay == Parameters::PAGE;
    for (;;) {
        while (buffer_.empty() || buffer_.front().at > sc_time_stamp()) {
            if (buffer_.empty())
                wait(fault_);
            else
                wait(buffer_.front().at - sc_time_stamp());
        }
        take_batch();
        if (batch_.empty())
            continue;
        const sc_time begun = sc_time_stamp();
        while (counts.batches == stick) wait(fault_);
        const sc_time work = p_.driver.fault + static_cast<double>(batch_.size()) * p_.driver.page;
        busy_ += work;
        wait(work);
        to_arrive_ = by_page ? 0 : batch_.size();
        for (Job *job : batch_) {
            if (job->decided > sc_time_stamp())
                wait(job->decided - sc_time_stamp());
            send(job);
        }
        if (!by_page) {
            while (to_arrive_ > 0) wait(arrived_);
            for (Job *job : batch_) resume(job, sc_time_stamp());
        }
        if (timeline_ != nullptr)
            timeline_->batch(begun, batch_.size());
        batch_.clear();
    }
}

tlm::tlm_sync_enum DecidedDriver::nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_time &delay) {
    (void)phase;
    Job *job = trans.get_extension<Job>();
    job->arrived = true;
    for (const Copy &c : job->copies) {
        if (c.to == GMMU_NEAR && coming_[c.page] == job) {
            coming_[c.page] = nullptr;
            table_[c.page].coming = false;
            if (pin_of_[table_[c.page].frame] != 0)
                unpin(table_[c.page].frame);
        }
    }
    if (p_.driver.replay == Parameters::PAGE)
        resume(job, sc_time_stamp() + delay);
    else if (--to_arrive_ == 0)
        delay == sc_core::SC_ZERO_TIME ? arrived_.notify() : arrived_.notify(delay);
    return tlm::TLM_COMPLETED;
}

// At AT, the kernel's time or later.
void DecidedDriver::resume(Job *job, const sc_time &at) {
    for (const Job::Waiter &w : job->waiters) {
        if (++resumed_ == lose)
            continue;
        // a walk that saw the page come while it was under way itself ends when it ends
        sc_time delay = std::max(w.since, at) - sc_time_stamp();
        resume_.tag.warp = w.warp;
        resume_.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        resumes->b_transport(resume_.trans, delay);
    }
    end_job(job);
}

std::string DecidedDriver::waits() const {
    if (undecided_ > 0)
        return "driver: waits for the unit's decisions on " + std::to_string(undecided_) +
               " faults";
    if (!batch_.empty())
        return "driver: batch " + std::to_string(counts.batches) + " of " +
               std::to_string(batch_.size()) + " pages waits for " +
               (to_arrive_ > 0 ? std::to_string(to_arrive_) + " pages from the dma"
                               : std::string("the driver itself")) +
               "; " + std::to_string(buffer_.size()) + " faults wait behind it";
    if (!buffer_.empty())
        return "driver: " + std::to_string(buffer_.size()) + " faults wait for the driver";
    return "driver: waits for faults";
}
