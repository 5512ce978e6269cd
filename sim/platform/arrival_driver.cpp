// SPDX-License-Identifier: Apache-2.0
// arrival_driver.cpp: see arrival_driver.h.
#include "arrival_driver.h"

#include "timeline.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

ArrivalDriver::ArrivalDriver(const sc_core::sc_module_name &name, const Parameters &p,
                             PageTable *table, uint32_t frames, unsigned page_shift,
                             Timeline *timeline)
    : Driver(name, p, table, frames, timeline),
      block_shift_(page_shift < 21 ? 21 - page_shift : 0),
      frames_(frames) {
    if (p.driver.fair != 0)
        fair_ = std::make_unique<FairPins>(frames, p.gpu.sms, p.driver.fair);
}

// ---- what comes, in the thread of the GPU

uint32_t ArrivalDriver::page_of(const DecisionTag &tag) {
    const gmmu_tier_decision &d = *tag.decision;
    const WalkTag *walk = tag.walk;
    if (walk != nullptr && walk->page != GMMU_NO_PAGE && walk->walk.vpn == d.vpn &&
        walk->walk.asid == d.asid)
        return walk->page;
    return known_by(d.asid, d.vpn);
}

void ArrivalDriver::b_decision(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const DecisionTag &tag = *trans.get_extension<DecisionTag>();
    const gmmu_tier_decision &d = *tag.decision;
    const sc_time at = simcontext()->time_stamp() + delay + tag.takes;
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    if (d.t2_valid) {
        table_.slots.decided(d);
        drops_.push({d, at});
    }
    if (d.ahead) {
        aheads_.push({d, at});
        wake(delay + tag.takes);
        return;
    }
    const uint32_t page = page_of(tag);
    more.none += d.tier == GMMU_TIER_NONE;
    decisions_.put(page, {d, at});
    just_decided_ = page;
    if (waits_ == Waits::DECISION)
        wake(delay);
}

void ArrivalDriver::b_fault(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const WalkTag &tag = *trans.get_extension<WalkTag>();
    const sc_time now = simcontext()->time_stamp(), at = now + delay;
    if (!tag.replay) {
        counts.faults++;
        counts.joined += just_decided_ != tag.page;
    }
    just_decided_ = GMMU_NO_PAGE;
    buffer_.push({tag.page, at, tag.walk.sm % p_.gpu.sms, tag.replay});
    buffer.enter(at, now);
    if (waits_ == Waits::NOTHING)
        wake(delay);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

void ArrivalDriver::b_packet(tlm::tlm_generic_payload &trans, sc_time &delay) {
    (void)delay;
    const BeatTag &tag = *trans.get_extension<BeatTag>();
    side->beat(tag.words, tag.last);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

void ArrivalDriver::operate_next(const sc_time &delay) {
    gmmu_tier_drv_in in = operations_.front().in;
    Job *const job = operations_.front().job;
    operations_.pop();
    *due = operations_.empty() ? sc_time::from_value(UINT64_MAX) : operations_.front().due;
    if (in.op == GMMU_ASK)
        in.t2 = table_.slots.find(in.asid, in.vpn, &in.slot);
    else if (in.op == GMMU_FILL || in.op == GMMU_T2_SWAP)
        in.t2 = table_.slots.rises(in.asid, in.vpn, in.op == GMMU_T2_SWAP, &in.slot);
    if (job == nullptr || job->tells)
        operate(in, delay);
    if (in.op == GMMU_ASK) {
        asked_++;
        wake(delay);
    }
    if (job == nullptr)
        return;
    if (in.op == GMMU_T2_FILL_DONE || in.op == GMMU_T2_SWAP) {
        table_.slots.put(table_[job->victim].asid, table_[job->victim].vpn, in.slot);
        descending_.erase(job->victim);
        wake(delay);
    }
    if (job->kind == Job::AHEAD) {
        empty_.push(job->frame);
        wake(delay);
    } else if (in.op == GMMU_T2_FILL_DONE) {
        return;  // FILL comes next
    } else {
        arrived(job, delay);
    }
    end_job(job);
}

// Mapped after its FILL, with no walk between.
void ArrivalDriver::arrived(Job *job, const sc_time &delay) {
    map(*job, simcontext()->time_stamp() + delay);
    if (fair_ != nullptr && fair_->filled(job->frame, job->page)) {
        more.pins++;
        operate(on_frame(GMMU_PIN, job->frame), delay);
    }
    if (--to_arrive_ == 0)
        wake(delay);
    one_less(job->block, delay);
}

void ArrivalDriver::map(const Job &job, const sc_time &at) {
    map_page(job.page, job.frame, at);
}

void ArrivalDriver::map_page(uint32_t page, uint32_t frame, const sc_time &at) {
    PageTable::Entry *e = &table_[page];
    e->place = GMMU_NEAR;
    e->frame = frame;
    e->coming = false;
    page_of_[frame] = page;
    if (page >= mapped_at_.size())
        mapped_at_.resize(page * size_t(2) + 64);
    mapped_at_[page] = at.value();
}

// ---- jobs

tlm::tlm_sync_enum ArrivalDriver::nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_time &delay) {
    Job *job = trans.get_extension<Job>();
    if (job->kind == Job::DROPS) {
        end_job(job);
        wake(delay);
        nudge(delay);
        return tlm::TLM_COMPLETED;
    }
    // the page that leaves is in its slot before the page that comes has arrived
    if (job->goes == Job::TO_SLOT && (phase == tlm::END_REQ || job->kind == Job::AHEAD)) {
        gmmu_tier_drv_in done = on_frame(GMMU_T2_FILL_DONE, job->frame);
        done.slot = job->slot;
        push(done, job, delay);
    } else if (job->kind == Job::AHEAD) {
        push(on_frame(GMMU_FREE, job->frame), job, delay);
    }
    if (job->kind == Job::COMES && phase != tlm::END_REQ) {
        gmmu_tier_drv_in in =
            on_frame(job->goes == Job::SWAPS ? GMMU_T2_SWAP : GMMU_FILL, job->frame);
        const Named n = named_by(job->page);
        in.asid = n.asid;
        in.vpn = n.vpn;
        push(in, job, delay);
    }
    return tlm::TLM_COMPLETED;
}

void ArrivalDriver::push(const gmmu_tier_drv_in &in, Job *job, const sc_time &delay) {
    const sc_time at = simcontext()->time_stamp() + delay;
    operations_.put({at, in, job}, [&at](const Operation &o) { return o.due > at; });
    *due = operations_.front().due;
    nudge(delay);
}

// PAGE's place is TO from now on. What goes down to far memory travels if it was written.
Copy ArrivalDriver::copy(uint32_t page, gmmu_memory from, gmmu_memory to) {
    PageTable::Entry *e = &table_[page];
    Copy c;
    c.page = page;
    c.from = from;
    c.to = to;
    c.moves = to != GMMU_FAR || e->dirty;
    if (to == GMMU_FAR) {
        counts.tier3_writes += e->dirty && tiers;
        e->dirty = false;
    }
    if (to != GMMU_NEAR)
        e->place = to;
    return c;
}

// FRAME's page is unmapped, and goes where D says, if there is room.
void ArrivalDriver::leave(Job *job, uint32_t frame, const gmmu_tier_decision &d) {
    const uint32_t page = page_of_[frame];
    if (page == GMMU_NO_PAGE || table_[page].vpn != d.victim_vpn ||
        table_[page].asid != d.victim_asid)
        disagree(frame);
    job->victim = page;
    const bool down = tiers && d.tier == GMMU_TIER_2 && dropped_.erase(page) == 0;
    if (down && slots) {
        if (d.swap)
            job->goes = Job::SWAPS;
        else if (table_.slots.reserve(d, &job->slot))
            job->goes = Job::TO_SLOT;
    }
    const bool to_host = down && (!slots || job->goes != Job::AWAY);
    if (slots && to_host)
        descending_.insert(page);
    counts.evictions++;
    counts.writebacks += table_[page].dirty;
    counts.tier2_puts += to_host;
    page_of_[frame] = GMMU_NO_PAGE;
    if (fair_ != nullptr)
        fair_->left(frame);
    job->copies.push_back(copy(page, GMMU_NEAR, to_host ? GMMU_HOST : GMMU_FAR));
}

// A page of Tier 2 makes room, in the order of the decisions: before the driver follows any later
// decision.
void ArrivalDriver::begin_drops() {
    while (!drops_.empty() && drops_.front().at <= sc_time_stamp()) {
        const gmmu_tier_decision d = drops_.front().d;
        drops_.pop();
        const uint32_t page = table_.number(d.t2_asid, d.t2_vpn);
        const bool there = table_[page].place == GMMU_HOST && !table_[page].coming;
        if (!there && slots)
            continue;  // it faulted before it had its slot, and comes or has come back by now
        if (table_[page].place == GMMU_NEAR) {
            dropped_.insert(page);
            continue;
        }
        if (!there)
            bad("driver: the unit and the page table disagree on " + named(page) + " in Tier 2");
        Job *job = begin_job(page, sc_time_stamp());
        job->kind = Job::DROPS;
        job->copies.push_back(copy(page, GMMU_HOST, GMMU_FAR));
        count_moves(*job);
        send(job);
    }
}

void ArrivalDriver::begin_aheads() {
    while (!aheads_.empty() && aheads_.front().at <= sc_time_stamp() && !replaying() &&
           may_go_ahead(aheads_.front().d)) {
        const gmmu_tier_decision d = aheads_.front().d;
        aheads_.pop();
        Job *job = begin_job(GMMU_NO_PAGE, sc_time_stamp());
        leave(job, d.frame, d);
        job->frame = d.frame;
        job->kind = Job::AHEAD;
        more.ahead++;
        count_moves(*job);
        send(job);
    }
}

uint32_t ArrivalDriver::empty_frame() {
    while (empty_.empty() && never_used_ == frames_) pause(Waits::FRAME);
    if (empty_.empty())
        return never_used_++;
    const uint32_t frame = empty_.front();
    empty_.pop();
    return frame;
}

void ArrivalDriver::follow(uint32_t page, const gmmu_tier_decision &d, uint32_t block) {
    uint32_t frame = d.frame;
    if (d.tier == GMMU_TIER_FREE) {
        frame = empty_frame();
    } else {
        wait_landed();
    }
    while (descending_.count(page) != 0) pause(Waits::PAGES);  // first it has its slot
    Job *job = begin_job(page, sc_time_stamp());
    if (d.tier != GMMU_TIER_FREE)
        leave(job, frame, d);
    PageTable::Entry *e = &table_[page];
    counts.cold += !e->seen;
    counts.tier2_hits += e->place == GMMU_HOST;
    e->seen = e->coming = true;
    job->copies.push_back(copy(page, static_cast<gmmu_memory>(e->place), GMMU_NEAR));
    more.fetched++;
    to_arrive_++;
    blocks_[block]++;
    job->halfway = job->goes == Job::TO_SLOT;
    job->frame = frame;
    job->block = block;
    job->kind = Job::COMES;
    decisions_.erase(page);
    count_moves(*job);
    send(job);
}

// ---- decisions, as the driver needs them

// The unit hears ASK; false: it had no room for it.
bool ArrivalDriver::ask(uint32_t page) {
    gmmu_tier_drv_in in = {};
    in.op = GMMU_ASK;
    const Named n = named_by(page);
    in.asid = n.asid;
    in.vpn = n.vpn;
    more.asks++;
    const uint64_t dropped = drops(), before = asked_;
    push(in, nullptr, sc_core::SC_ZERO_TIME);
    while (asked_ == before) pause(Waits::DECISION);
    return drops() == dropped;
}

// False: the unit has no room for the page's fault.
bool ArrivalDriver::decision_of(uint32_t page, Known *k) {
    const Known *known = decisions_.find(page);
    if (known == nullptr && !ask(page))
        return false;
    waits_page_ = page;
    while ((known = decisions_.find(page)) == nullptr) pause(Waits::DECISION);
    *k = *known;
    wait_until(k->at);
    begin_drops();
    return true;
}

bool ArrivalDriver::bring(uint32_t page, uint32_t block) {
    Known k;
    if (!decision_of(page, &k) || k.d.tier == GMMU_TIER_NONE)
        return false;
    if (table_[page].place == GMMU_NEAR)
        disagree(table_[page].frame);
    follow(page, k.d, block);
    return true;
}

// For batches that bring nothing: what is decided for other pages.
size_t ArrivalDriver::bring_others() {
    if (++took_others_ >= lose_others && lose_others != 0)
        return 0;
    std::vector<uint32_t> pages;
    for (const auto &known : decisions_.all())
        if (known.of.d.tier != GMMU_TIER_NONE)
            pages.push_back(known.page);
    std::sort(pages.begin(), pages.end());
    const uint32_t block = begin_block();
    size_t brought = 0;
    for (const uint32_t page : pages) brought += bring(page, block);
    one_less(block, sc_core::SC_ZERO_TIME);
    more.others += brought;
    return brought;
}

// ---- batches

// An entry has left the fault buffer.
void ArrivalDriver::taken(const Entry &e) {
    if (fair_ != nullptr)
        fair_->fault(e.page, e.sm, e.replay);
}

// PIN and UNPIN go in their order, before any other operation of the batch.
void ArrivalDriver::pin() {
    fair_->rank([this](uint32_t frame, bool yes) {
        more.pins += yes;
        push(on_frame(yes ? GMMU_PIN : GMMU_UNPIN, frame), nullptr, sc_core::SC_ZERO_TIME);
    });
}

bool ArrivalDriver::take_batch() {
    const sc_time now = sc_time_stamp();
    batch_.clear();
    uint64_t entries = 0;
    while (!buffer_.empty() && buffer_.front().at <= now && entries < p_.driver.batch) {
        const Entry e = buffer_.front();
        buffer_.pop();
        buffer.leave(now, e.at);
        taken(e);
        entries++;
        if (table_[e.page].coming || replayed_since(e))
            counts.duplicates++;
        else
            batch_.push_back({table_[e.page].asid, e.page, table_[e.page].vpn});
    }
    std::sort(batch_.begin(), batch_.end());
    const auto same = [](const Wanted &a, const Wanted &b) { return a.page == b.page; };
    const size_t all = batch_.size();
    batch_.erase(std::unique(batch_.begin(), batch_.end(), same), batch_.end());
    counts.duplicates += all - batch_.size();
    counts.batches += !batch_.empty();
    counts.batch_entries += entries;
    return !batch_.empty();
}

size_t ArrivalDriver::bring_block(size_t first, size_t end, uint32_t block) {
    size_t come = 0;
    for (size_t k = first; k < end; k++) come += bring(batch_[k].page, block);
    return come;
}

void ArrivalDriver::serve_batch() {
    const sc_time begun = sc_time_stamp();
    while (counts.batches == stick) wait(never_);
    if (fair_ != nullptr)
        pin();
    work(p_.driver.fault);
    size_t brought = 0;
    for (size_t i = 0, end; i < batch_.size(); i = end) {
        const Wanted &first = batch_[i];
        for (end = i + 1; end < batch_.size() && batch_[end].asid == first.asid &&
                          batch_[end].vpn >> block_shift_ == first.vpn >> block_shift_;
             end++) {
        }
        work(p_.driver.block + static_cast<double>(end - i) * p_.driver.page);
        const uint32_t block = begin_block();
        const size_t come = bring_block(i, end, block);
        brought += come;
        owes_replay_ |= come != end - i;
        one_less(block, sc_core::SC_ZERO_TIME);
    }
    barren_ = brought == 0 && to_arrive_ == 0 ? barren_ + 1 : 0;
    if (barren_ > 1 && bring_others() != 0)
        barren_ = 0;
    owes_replay_ |= p_.driver.replay == Parameters::BATCH;
    if (p_.driver.replay != Parameters::ONCE && owes_replay_) {
        wait_arrived();
        if (p_.driver.replay == Parameters::BATCH)
            flush();
        replay(sc_core::SC_ZERO_TIME);
    }
    if (timeline_ != nullptr)
        timeline_->batch(begun, batch_.size());
}

void ArrivalDriver::serve() {
    for (;;) {
        wait_landed();
        begin_drops();
        begin_aheads();
        busy_now_ = true;
        if (take_batch()) {
            serve_batch();
            if (p_.driver.replay == Parameters::ONCE)
                owes_replay_ = true;
            continue;
        }
        busy_now_ = owes_replay_;
        if (!buffer_.empty() && buffer_.front().at > sc_time_stamp()) {
            wait_until(buffer_.front().at);
        } else if (!buffer_.empty()) {
            continue;
        } else if (owes_replay_) {  // once: nothing more is to be served
            if (to_arrive_ != 0)
                pause(Waits::NOTHING);
            else
                replay(sc_core::SC_ZERO_TIME);
        } else {
            if (idle())
                nudge(sc_core::SC_ZERO_TIME);
            pause(Waits::NOTHING);
        }
    }
}

uint32_t ArrivalDriver::begin_block() {
    if (blocks_over_.empty()) {
        blocks_over_.push_back(static_cast<uint32_t>(blocks_.size()));
        blocks_.push_back(0);
    }
    const uint32_t block = blocks_over_.back();
    blocks_over_.pop_back();
    blocks_[block] = 1;
    return block;
}

// A page of BLOCK has come, or will not come.
void ArrivalDriver::one_less(uint32_t block, const sc_time &delay) {
    if (--blocks_[block] != 0)
        return;
    blocks_over_.push_back(block);
    if (p_.driver.replay == Parameters::BLOCK)
        replay(delay);
}

// All entries so far: who waits faults again.
void ArrivalDriver::flush() {
    const sc_time now = sc_time_stamp();
    while (!buffer_.empty() && buffer_.front().at <= now) {
        buffer.leave(now, buffer_.front().at);
        taken(buffer_.front());
        buffer_.pop();
        more.flushed++;
    }
}

void ArrivalDriver::replay(const sc_time &delay) {
    owes_replay_ = false;
    replayed_ = counts.batches;
    if (++resumed_ == lose)
        return;
    sc_time in = delay;
    resume_.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    resumes->b_transport(resume_.trans, in);
}

// ---- waiting

void ArrivalDriver::work(const sc_time &time) {
    busy_ += time;
    if (time != sc_core::SC_ZERO_TIME)
        wait_until(sc_time_stamp() + time);
}

void ArrivalDriver::wait_until(const sc_time &at) {
    const sc_time now = sc_time_stamp();
    if (at <= now)
        return;
    goes_on_at(at);
    wait(at - now);
}

void ArrivalDriver::wake(const sc_time &delay) {
    if (!paused_)
        return;
    goes_on_at(sc_time_stamp() + delay);
    if (delay == sc_core::SC_ZERO_TIME)
        wake_.notify();
    else
        wake_.notify(delay);
}

void ArrivalDriver::pause(Waits what) {
    waits_ = what;
    begin_drops();
    begin_aheads();
    paused_ = true;
    const sc_time now = sc_time_stamp();
    if (!aheads_.empty() && aheads_.front().at > now) {
        goes_on_at(aheads_.front().at);
        wait(aheads_.front().at - now, wake_);
    } else {
        wait(wake_);
    }
    paused_ = false;
    waits_ = Waits::NOTHING;
}

void ArrivalDriver::wait_arrived() {
    while (to_arrive_ != 0) pause(Waits::PAGES);
}

void ArrivalDriver::wait_landed() {
    while (replaying()) pause(Waits::REPLAY);
}

std::string ArrivalDriver::named(uint32_t page) const {
    char text[80];
    std::snprintf(text, sizeof text, "page 0x%llx of address space %u",
                  static_cast<unsigned long long>(table_[page].vpn), table_[page].asid);
    return text;
}

std::string ArrivalDriver::waits() const {
    const std::string behind = "; " + std::to_string(buffer_.size()) + " faults wait behind it";
    const std::string batch = "driver: batch " + std::to_string(counts.batches) + " of " +
                              std::to_string(batch_.size()) + " pages waits for ";
    switch (waits_) {
        case Waits::DECISION:
            return batch + "the unit's decision on " + named(waits_page_) + behind;
        case Waits::FRAME:
            return batch + "an empty frame, which a page leaves ahead of need" + behind;
        case Waits::PAGES:
            return batch + std::to_string(to_arrive_) + " pages from the dma" + behind;
        case Waits::REPLAY:
            return "driver: replay " + std::to_string(resumed_) + " waits for its walks" + behind;
        case Waits::NOTHING:
            break;
    }
    if (!paused_)
        return batch + "the driver itself" + behind;
    return "driver: waits for faults" +
           (to_arrive_ == 0 ? std::string()
                            : " and for " + std::to_string(to_arrive_) + " pages from the dma") +
           ", behind replay " + std::to_string(resumed_);
}
