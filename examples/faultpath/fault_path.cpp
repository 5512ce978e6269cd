// SPDX-License-Identifier: Apache-2.0
// fault_path.cpp: see fault_path.h. The driver's part of docs/guide/integration.md, with the
// simulator's time between a decision and its FILL.
#include "fault_path.h"

#include <stdexcept>

#include "blocks/crc32c.h"
#include "driver/unit_memory.h"

FaultPath::FaultPath(uint32_t frames, uint32_t faults, bool scan)
    : cfg_(*gmmu_config_find("default")), regs_(), unit_() {
    gmmu_unit_memory_sizes(&cfg_, &regs_, frames, 0, GMMU_PLACE_NONE);
    cfg_.faults = faults;
    regs_.search = scan ? GMMU_SEARCH_SCAN : GMMU_SEARCH_SAMPLE;
    memory_.resize(gmmu_tier_bytes(&cfg_));
    if (const char *bad = gmmu_config_error(&cfg_))
        throw std::runtime_error(bad);
    if (gmmu_tier_init(&unit_, &cfg_, &regs_, memory_.data(), memory_.size()) != 0)
        throw std::runtime_error("the unit cannot have these sizes");
    for (uint32_t f = frames; f-- > 0;) empty_.push_back(f);
}

FaultPath::~FaultPath() = default;

void FaultPath::decided(void *self, const gmmu_tier_decision *d) {
    static_cast<FaultPath *>(self)->decided_.push_back(*d);
}

// All that the unit does by itself: the standard schedule.
void FaultPath::settle() {
    gmmu_tier_settle(&unit_, decided, this);
}

void FaultPath::tell(unsigned op, uint32_t frame, Page page, bool dirty) {
    gmmu_tier_drv_in in = {};
    in.op = op;
    in.frame = frame;
    in.asid = page.first;
    in.vpn = page.second;
    in.dirty = dirty;
    gmmu_tier_drv(&unit_, in);
    settle();
}

bool FaultPath::walk(Page page, uint64_t pc, bool write) {
    const auto at = frame_of_.find(page);
    gmmu_tier_walk_in in = {};
    in.asid = page.first;
    in.vpn = page.second;
    in.ref = gmmu_fold_ref(pc, cfg_.ref_w);
    in.write = write;
    in.fault = at == frame_of_.end();
    in.frame = in.fault ? 0 : at->second;
    if (in.fault && write)
        stored_.insert(page);
    const auto leaves = leaving_.find(page);
    if (leaves != leaving_.end())
        leaves->second.second |= write;  // after the decision, which has the bit of its own time
    gmmu_tier_walk(&unit_, in);
    settle();
    return !in.fault;
}

bool FaultPath::decision(Decision *out) {
    if (decided_.empty())
        return false;
    const gmmu_tier_decision d = decided_.front();
    decided_.pop_front();
    *out = {{d.asid, d.vpn}, false, {d.victim_asid, d.victim_vpn}, d.victim_dirty, false};
    if (d.tier == GMMU_TIER_NONE) {
        out->nobody = true;
        return true;
    }
    Promise p = {d.frame, d.tier == GMMU_TIER_2, out->victim};
    out->leaves = p.leaves;
    if (p.leaves)
        leaving_[p.victim] = {out->page, d.victim_dirty};
    promised_[out->page] = p;
    return true;
}

bool FaultPath::unmapped(Page victim) {
    const auto left = leaving_.find(victim);
    if (left == leaving_.end())
        throw std::logic_error("unmapped: the page is no victim");
    const uint32_t frame = frame_of_.at(victim);
    promised_.at(left->second.first).leaves = false;
    evictions_++;
    const bool dirty = left->second.second;
    writebacks_ += dirty;
    leaving_.erase(left);
    frame_of_.erase(victim);
    tell(GMMU_FREE, frame, victim);
    empty_.push_back(frame);
    return dirty;
}

void FaultPath::arrived(Page page) {
    const auto p = promised_.find(page);
    if (p == promised_.end() || p->second.leaves || empty_.empty())
        throw std::logic_error("arrived: no decision, or its victim is still mapped");
    const uint32_t frame = empty_.back();
    empty_.pop_back();
    promised_.erase(p);
    // before the page is mapped: no hit comes before its FILL
    tell(GMMU_FILL, frame, page, stored_.erase(page) != 0);
    frame_of_[page] = frame;
    faults_++;
}

void FaultPath::keep(Page page) {
    const auto p = promised_.find(page);
    if (p == promised_.end())
        throw std::logic_error("keep: no decision");
    // with a free frame CANCEL names any frame that no decision names: here an empty one
    const uint32_t frame = p->second.leaves ? p->second.frame : empty_.back();
    if (p->second.leaves)  // else another decision may have the page as its victim by now
        leaving_.erase(p->second.victim);
    promised_.erase(p);
    tell(GMMU_CANCEL, frame, page);
}

void FaultPath::ask(Page page) {
    tell(GMMU_ASK, 0, page);
}

uint64_t FaultPath::errors() const {
    const gmmu_counters c = gmmu_tier_counters(&unit_);
    return static_cast<uint64_t>(c.drv_errors) + c.fault_drops + c.stale_hits;
}
